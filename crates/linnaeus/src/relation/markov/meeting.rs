//! Where two algorithms meet though neither lies in the other: parameters and sequences of both sides may be
//! special, so the values of all of them are sought at once, and the rules of sequences are equations too.

use super::equations::{Base, Sequences};
use super::reading::{Search, Solved};
use super::solving::{FEW_LAGS, MORE_LAGS};
use crate::FUEL;
use crate::relation::behavior::Side;
use crate::relation::laws::relation;
use crate::relation::matching::Matching;
use crate::relation::verdict::Limit;
use crate::system::schedule::{Motion, Schedules, schedule, scheduled};
use linnaeus_algebra::solve::{Branch, Conditions, Problem, Value};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap, SortedSet, Variable, limited};

/// What is looked at.
#[derive(Copy, Clone)]
struct View {
    /// How many lags.
    lags: usize,
    /// How many times more than those of which they speak.
    further: i64,
    /// Whether square roots in the rules of sequences are unknown, too, or squared away.
    roots: bool,
}

/// One after the other.
const VIEWS: [View; 4] = [
    View { lags: FEW_LAGS, further: 0, roots: true },
    View { lags: FEW_LAGS, further: 2, roots: true },
    View { lags: FEW_LAGS, further: 1, roots: false },
    View { lags: MORE_LAGS, further: 2, roots: true },
];

/// One view gets this part of the work.
const SHARES: u64 = 10;

impl Search<'_> {
    /// Sequences of either side that the other does not have. Powers of numbers are what they are.
    pub(super) fn own_sequences(&self, given: Side) -> SortedSet<usize> {
        let first = self.first.system.schedules.list.len();
        let is_open = |j: &usize| match &self.matching.joint.list[*j].motion {
            Motion::Power(base) => !base.variables().is_empty(),
            _ => true,
        };
        let mut found = self.matching.unknown(given, first);
        found.retain(is_open);
        found.extend(self.matching.unknown(given.other(), first));
        found
    }

    /// Whether sequences of both sides are sought.
    pub(super) fn is_meeting(&self) -> bool {
        self.conditions == Conditions::Allowed && !self.own_sequences(Side::First).is_empty()
    }

    /// Parameters and sequences of both sides for which all Markov parameters agree; sequences that both have are
    /// generic. Where nothing is found and nothing is left open, there are none.
    pub(super) fn meet(
        &self,
        both: &Sequences,
        given: Side,
        limit: &mut Option<Limit>,
    ) -> Result<Option<Solved>, Exhausted> {
        let mut open = None;
        for (n, view) in VIEWS.into_iter().enumerate() {
            let found = limited(FUEL / SHARES, || self.meet_in_view(both, given, view, &mut open))?;
            match found {
                None => open = Some(Limit::Work),
                Some(None) if open.is_some() => {}
                Some(found) => return Ok(found),
            }
            if n == 0
                && let Some(found) = limited(FUEL / SHARES, || self.meet_where_nothing_changes(both, given))?.flatten()
            {
                return Ok(Some(found));
            }
        }
        *limit = limit.or(open);
        Ok(None)
    }

    fn meet_in_view(
        &self,
        both: &Sequences,
        given: Side,
        view: View,
        open: &mut Option<Limit>,
    ) -> Result<Option<Solved>, Exhausted> {
        *open = None;
        let Some(equations) = self.equations(both, &Schedules::default(), Base::Each, view.lags)? else {
            return Ok(None);
        };
        let mut problem = self.all_at_once(equations, given, view)?;
        problem.nonzero.extend(self.influences(both)?);
        let mut found = self.sound(problem, given, open)?;
        // As little as can be is asked of what is given.
        let asked = |(branches, laws): &Solved| {
            let own = self.matching.unknown(given, self.first.system.schedules.list.len());
            let conditions = branches.iter().map(|b| b.conditions.len()).min().unwrap_or(0);
            (laws.values.keys().chain(laws.rules.keys()).filter(|j| own.contains(j)).count(), conditions)
        };
        found.sort_by_key(asked);
        for found in found {
            if self.verified(both, &found)? {
                return Ok(Some(found));
            }
            // More lags may show that it is none.
            *open = Some(Limit::Equations);
        }
        Ok(None)
    }

    /// What must not vanish for the answers of every oracle to matter, where that is one number.
    fn influences(&self, both: &Sequences) -> Result<Vec<Polynomial>, Exhausted> {
        let mut found = Vec::new();
        for response in [both.x, &both.y] {
            let list = response.first(FEW_LAGS.min(both.length))?;
            for j in 0..both.shift.len() {
                let mut common = Polynomial::zero();
                for entry in list.iter().flat_map(|m| (0..m.rows()).map(move |i| &m[(i, j)])) {
                    for (_, c) in entry.terms() {
                        common = common.gcd(c.numerator())?;
                    }
                }
                let is_still = common.variables().into_iter().all(|v| scheduled(v).is_none());
                found.extend(Some(common).filter(|p| is_still && !p.is_zero() && !p.is_constant()));
            }
        }
        Ok(found)
    }

    /// The same where all sequences that may be anything are constant, which is easier to find.
    fn meet_where_nothing_changes(&self, both: &Sequences, given: Side) -> Result<Option<Solved>, Exhausted> {
        let still = self.free_among(self.own_sequences(given));
        let matching = self.still(&still);
        let there = Search { matching: &matching, ..*self };
        let view = View { lags: usize::MAX, further: 0, roots: true };
        let Some((branches, mut laws)) = there.meet_in_view(both, given, view, &mut None)? else { return Ok(None) };
        laws.keep(&still);
        let found = (branches, laws);
        let is_verified = self.verified(both, &found)?;
        Ok(is_verified.then_some(found))
    }

    /// Those that may be anything.
    pub(super) fn free_among(&self, sequences: SortedSet<usize>) -> Vec<usize> {
        let is_free = |j: &usize| self.matching.joint.list[*j].motion == Motion::Free;
        sequences.into_iter().filter(is_free).collect()
    }

    /// The same where these sequences are constant.
    pub(super) fn still(&self, sequences: &[usize]) -> Matching {
        let mut matching = self.matching.clone();
        for &j in sequences {
            let same = RationalFunction::variable(schedule(j, 0));
            matching.joint.list[j].motion = Motion::Recursion(same.clone());
            matching.rules.push((j, same));
        }
        matching
    }

    /// The equations at all times in view, with the rules of sequences between these.
    fn all_at_once(&self, equations: Vec<Polynomial>, given: Side, view: View) -> Result<Problem, Exhausted> {
        let own = self.own_sequences(given);
        let is_own = |v: &Variable| scheduled(*v).is_some_and(|(j, _)| own.contains(&j) || self.is_ruled(j));
        let symbols = |equations: &[Polynomial]| -> Vec<Variable> {
            let all: SortedSet<Variable> = equations.iter().flat_map(Polynomial::variables).filter(is_own).collect();
            all.into_iter().collect()
        };
        let spoken_of = symbols(&equations);
        let equations = self.at_other_times(equations, &spoken_of, view.further)?;
        let equations = self.with_rules(equations, view.roots)?;
        let first = earliest(&symbols(&equations));
        // Where a sequence starts that both have is not sought.
        let is_unknown = |v: &Variable| {
            scheduled(*v).is_some_and(|(j, at)| own.contains(&j) || self.is_function(j) || first.get(&j) != Some(&at))
        };
        let unknown: Vec<Variable> = symbols(&equations).into_iter().filter(is_unknown).collect();
        let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
        let factors: Vec<Variable> = self.operators.unknowns().into_iter().chain(self.scales()).collect();
        let mut nonzero: SortedSet<Polynomial> = self.running_nonzero(&unknown)?;
        nonzero.extend(self.a.nonzero.iter().chain(&self.b.nonzero).cloned());
        nonzero.extend(self.operators.nonzero().into_iter().chain(self.scales()).map(Polynomial::variable));
        Ok(Problem {
            equations,
            unknowns: sought.parameters.iter().copied().chain(factors).chain(unknown).collect(),
            given: known.parameters.clone(),
            nonzero: nonzero.into_iter().collect(),
            conditions: Conditions::Allowed,
        })
    }

    fn is_function(&self, j: usize) -> bool {
        matches!(self.matching.joint.list[j].motion, Motion::Function("sqrt", _))
    }

    /// Whether a sequence has values that follow from others.
    fn is_ruled(&self, j: usize) -> bool {
        self.is_function(j) || matches!(self.matching.joint.list[j].motion, Motion::Recursion(_))
    }

    /// Adds how the values of which equations speak follow from one another.
    fn with_rules(&self, equations: Vec<Polynomial>, roots: bool) -> Result<Vec<Polynomial>, Exhausted> {
        let joint = &self.matching.joint;
        let mut found: SortedSet<Polynomial> = equations.into_iter().collect();
        let times = || found.iter().flat_map(Polynomial::variables).filter_map(scheduled);
        let begin = times().filter(|(j, _)| self.is_ruled(*j)).map(|(_, at)| at).min().unwrap_or(0);
        let spoken_of: SortedSet<Variable> = found.iter().flat_map(Polynomial::variables).collect();
        let mut done: SortedSet<Variable> = SortedSet::new();
        loop {
            let symbols: SortedSet<Variable> = found.iter().flat_map(Polynomial::variables).collect();
            let Some(v) = symbols.into_iter().find(|v| scheduled(*v).is_some() && !done.contains(v)) else {
                return Ok(found.into_iter().filter(|p| !p.is_zero()).collect());
            };
            done.insert(v);
            let Some((j, at)) = scheduled(v) else { continue };
            let value = RationalFunction::variable(v);
            let vanishing = match &joint.list[j].motion {
                Motion::Recursion(next) => {
                    let rule = joint.advanced(next, at - 1)?;
                    let early = |w: Variable| scheduled(w).is_some_and(|(i, at)| self.is_ruled(i) && at < begin);
                    if rule.variables().into_iter().any(early) {
                        continue;
                    }
                    // Roots of which nothing else is said need not be spoken of.
                    let is_named =
                        |w: &Variable| spoken_of.contains(w) && scheduled(*w).is_some_and(|(i, _)| self.is_function(i));
                    match relation(joint, j)?.filter(|_| !roots && !rule.variables().iter().any(is_named)) {
                        Some(p) => joint.advanced(&RationalFunction::polynomial(p), at - 1)?,
                        None => value.sub(&rule)?,
                    }
                }
                Motion::Function("sqrt", radicand) => value.mul(&value)?.sub(&joint.advanced(radicand, at)?)?,
                _ => continue,
            };
            found.insert(vanishing.numerator().primitive_part());
        }
    }

    /// A branch without the values that follow from others by the rules of sequences.
    pub(super) fn without_consequences(&self, mut branch: Branch, given: Side) -> Branch {
        let own = self.own_sequences(given);
        let all: Vec<Variable> = branch.values.keys().chain(&branch.free).copied().collect();
        let first = earliest(&all);
        let is_ruled = |v: &Variable| scheduled(*v).is_some_and(|(j, _)| self.is_ruled(j));
        // An early value by later ones is no more than the rule.
        let turned = |(v, value): (&Variable, &Value)| {
            let symbols = match value {
                Value::Rational(r) => r.variables(),
                Value::Root { a, b, radicand } => [a.variables(), b.variables(), radicand.variables()].concat(),
            };
            (is_ruled(v) && !symbols.is_empty() && symbols.iter().all(is_ruled)).then_some(*v)
        };
        for v in branch.values.iter().filter_map(turned).collect::<Vec<_>>() {
            branch.values.remove(&v);
            branch.free.push(v);
        }
        let follows = |(j, at): (usize, i64)| self.is_function(j) || self.is_ruled(j) && first.get(&j) != Some(&at);
        let counts = |v: &Variable| scheduled(*v).is_none_or(|(j, at)| own.contains(&j) && !follows((j, at)));
        branch.values.retain(|v, _| counts(v));
        branch.free.retain(counts);
        branch.relations.retain(|p| !p.variables().iter().all(is_ruled));
        branch
    }
}

/// The earliest time at which each sequence occurs.
pub(super) fn earliest(symbols: &[Variable]) -> SortedMap<usize, i64> {
    let mut found: SortedMap<usize, i64> = SortedMap::new();
    for (j, at) in symbols.iter().filter_map(|v| scheduled(*v)) {
        let first = found.entry(j).or_insert(at);
        *first = at.min(*first);
    }
    found
}
