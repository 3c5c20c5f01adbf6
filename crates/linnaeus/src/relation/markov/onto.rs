//! Whether numbers of the side that is sought, in terms of those that are given, are all that there are.

use super::reading::{Search, Solved};
use crate::relation::behavior::Side;
use crate::system::schedule::{Motion, schedule, scheduled};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{RationalFunction, SortedSet, Variable};

impl Search<'_> {
    /// Whether what is found reaches all numbers of the side that is sought, but for exceptions: each of them is arbitrary,
    /// or (a v + b)/(c v + d) for a number v of the given side that no other depends on. Then that side lies in the given
    /// one as well.
    pub(super) fn is_onto(&self, (branches, laws): &Solved, given: Side) -> bool {
        let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
        let operators = self.operators;
        if !(operators.forth && operators.back && operators.unknowns().is_empty() && self.freedom.is_empty()) {
            return false;
        }
        let list = &self.matching.joint.list;
        let first = self.first.system.schedules.list.len();
        let (ours, theirs) = (self.matching.unknown(given, first), self.matching.unknown(given.other(), first));
        // Roots are not negative and have radicands that are not, and steps are positive.
        let special = self.special(given);
        let steps = [known, sought].map(|plant| {
            let steps = plant.ports.iter().filter(|p| p.oracle.kind.has_step());
            steps.flat_map(|p| p.oracle.step.variables()).map(still).collect::<SortedSet<Variable>>()
        });
        branches.iter().any(|branch| {
            let mut used: SortedSet<Variable> = SortedSet::new();
            let mut is_new = |own: Variable, r: &RationalFunction, is_source: &dyn Fn(Variable) -> bool| {
                let source = moebius(r).filter(|v| is_source(*v) && !special.contains(v));
                source.is_some_and(|v| (!steps[0].contains(&v) || steps[1].contains(&own)) && used.insert(v))
            };
            let parameters = sought.parameters.iter().all(|v| match branch.values.get(v) {
                Some(Value::Rational(r)) => is_new(*v, r, &|w| known.parameters.contains(&w)),
                Some(Value::Root { .. }) => false,
                None => branch.free.contains(v),
            });
            // Where a sequence with a recursion begins is a number; functions and powers follow from others.
            let sequences = theirs.iter().all(|j| match (&list[*j].motion, laws.values.get(j)) {
                (Motion::Function(..) | Motion::Power(_) | Motion::Clock, _) => true,
                (Motion::Free | Motion::Recursion(_), None) => laws.any.contains(j),
                (motion, Some(law)) => is_new(schedule(*j, 0), law, &|w| {
                    let is_alike = |i: usize| matches!(list[i].motion, Motion::Free) == matches!(motion, Motion::Free);
                    scheduled(w).is_some_and(|(i, _)| ours.contains(&i) && is_alike(i) && is_named(&list[i].motion))
                }),
            });
            parameters && sequences && branch.relations.is_empty() && branch.conditions.is_empty()
        })
    }

    /// Functions of a side and what they are of.
    fn special(&self, side: Side) -> SortedSet<Variable> {
        let system = if side == Side::First { &self.first.system } else { &self.second.system };
        let functions = system.functions.iter();
        let still_ones = functions.flat_map(|(v, _, argument)| argument.variables().into_iter().chain([*v]));
        let mut found: SortedSet<Variable> = still_ones.map(|v| side.place(v)).collect();
        for s in &self.matching.joint.list {
            if let Motion::Function(_, argument) = &s.motion {
                found.extend(argument.variables().into_iter().map(still));
            }
        }
        found
    }
}

/// A sequence at offset 0.
fn still(v: Variable) -> Variable {
    scheduled(v).map_or(v, |(j, _)| schedule(j, 0))
}

fn is_named(motion: &Motion) -> bool {
    matches!(motion, Motion::Free | Motion::Recursion(_))
}

/// The symbol of which a value is an invertible function; nothing if it is none.
fn moebius(r: &RationalFunction) -> Option<Variable> {
    let [v] = r.variables()[..] else { return None };
    let is_one = r.numerator().degree_in(v).max(r.denominator().degree_in(v)) == 1;
    is_one.then(|| still(v))
}
