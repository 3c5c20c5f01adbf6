//! What was found, as a witness.

use super::names::{Twins, strangeness, with_twins};
use super::run::{is_deaf, special_choices, specialised};
use super::solving::rational;
use super::{Attempt, Found, Names, Scope, Search, Stage};
use crate::relation::behavior::{Behavior, Port, Side};
use crate::relation::constants::{self, Both};
use crate::relation::hypothesis::Hypothesis;
use crate::relation::kept::Known;
use crate::relation::markov::Choice;
use crate::relation::operators::{Multiples, OperatorMap, identity_of};
use crate::relation::parameters::Constants;
use crate::relation::real;
use crate::relation::verdict::{Assumption, Relation, Verdict, Witness};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::Branch;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable};
use std::cell::OnceCell;
use std::sync::Arc;

/// Functions that are special, and what becomes of both behaviors, once that is asked for.
pub(super) struct Case {
    choice: Vec<Choice>,
    behaviors: OnceCell<Option<[Behavior; 2]>>,
}

impl Case {
    /// Whether functions of both sides, or several of one, are special.
    pub(super) fn is_compound(&self) -> bool {
        self.choice.len() > 1
    }

    pub(super) fn assumptions(&self) -> Vec<Assumption> {
        self.choice.iter().map(|(side, f, s)| Assumption::Function(*side, f.clone(), *s)).collect()
    }

    /// Nothing if an oracle is then forced, or has no influence any more.
    pub(super) fn behaviors(
        &self,
        a: &Behavior,
        b: &Behavior,
        known: Option<[&Known; 2]>,
    ) -> Result<Option<&[Behavior; 2]>, Exhausted> {
        if self.behaviors.get().is_none() {
            let both = match (self.choice.as_slice(), known) {
                ([(Side::First, f, special)], Some([x, _])) => x.special(a, f, *special)?.zip(Some(b.clone())),
                ([(Side::Second, f, special)], Some([_, y])) => Some(a.clone()).zip(y.special(b, f, *special)?),
                _ => specialised(a, &self.choice)?.zip(specialised(b, &self.choice)?),
            };
            let both = both.filter(|(c, d)| !is_deaf(a, c) && !is_deaf(b, d));
            // It was empty.
            let _ = self.behaviors.set(both.map(|(c, d)| [c, d]));
        }
        Ok(self.behaviors.get().and_then(Option::as_ref))
    }
}

impl Search<'_> {
    /// One function of either special, those that the other text does not name first, or one of each.
    pub(super) fn special_functions(&self, a: &Behavior, b: &Behavior) -> Vec<Case> {
        let mut choices = special_choices(&a.ports, &b.ports);
        if let Some(sieve) = self.wanted.sieve {
            choices.retain(|c| matches!(c.as_slice(), [(side, f, special)] if sieve.special((*side, f, *special))));
        }
        let left = |x: &Behavior, choice: &[Choice]| {
            let is_closed = |p: &Port| choice.iter().any(|(side, f, _)| *side == x.side && *f == p.oracle.function);
            x.ports.iter().filter(|p| !is_closed(p)).count()
        };
        choices.retain(|choice| left(a, choice) == left(b, choice) && left(a, choice) > 0);
        choices.into_iter().map(|choice| Case { choice, behaviors: OnceCell::new() }).collect()
    }

    pub(super) fn related(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        found: Found,
        mut assumptions: Vec<Assumption>,
    ) -> Result<Verdict, Exhausted> {
        let relation = relation_of(&found);
        let given = assumptions.clone();
        if self.wanted.names == Names::Shared {
            assumptions.extend(found.paths.assumptions());
        }
        let is_identity = |(v, _): &&(Variable, RationalFunction)| found.operators.identity.contains(v);
        assumptions.extend(found.operators.values.iter().filter(is_identity).map(|(v, factor)| {
            let (side, i) = identity_of(*v);
            Assumption::Identity(side, i, factor.clone())
        }));
        let (one, two) = ((&self.first.system, a.ports.as_slice()), (&self.second.system, b.ports.as_slice()));
        assumptions.extend(found.hypothesis.assumptions(one, two));
        let matrices = found.gauge.matrices.clone();
        let b_new = b.permuted(&found.hypothesis.order).in_oracles(&matrices)?;
        let branches = found.branches.clone();
        let (first, second) = (&self.first.system, &self.second.system);
        // What divides by zero elsewhere is a special case of what is told there.
        let mut order = Vec::new();
        for branch in &branches {
            let mut is_exceptional = false;
            for of in &branches {
                is_exceptional = is_exceptional || is_limit(branch, of)?;
            }
            order.push((is_exceptional, strangeness(branch, first, second), branch.clone()));
        }
        order.sort_by_key(|(is_exceptional, strangeness, _)| (*is_exceptional, *strangeness));
        let mut branches: Vec<Branch> = order.into_iter().map(|(.., branch)| branch).collect();
        // Where parameters may be anything, those of the same names come first.
        if branches.iter().all(|b| b.conditions.is_empty() && !found.gauge.depends_on(&b.free)) {
            let twins = Twins::of(first, second)?;
            let mut pinned = None;
            for branch in &branches {
                pinned = pinned.or(with_twins(branch, &twins)?);
            }
            branches.splice(0..0, pinned.filter(|p| !twins.is_empty() && !branches.contains(p)));
        }
        let mut generality = found.generality;
        let mut constants = Vec::new();
        if let Some(b_new) = b_new {
            let mut b_new = found.gauge.apply(&b_new)?;
            if !found.gauge.steps.is_empty() {
                let mut ports = b_new.ports.to_vec();
                ports.iter_mut().zip(&found.gauge.steps).for_each(|(p, step)| p.oracle.step = step.clone());
                b_new.ports = Arc::new(ports);
            }
            let shift = &found.gauge.shift;
            if a.constants.cols() + b.constants.cols() > 0 {
                let starts = self.starts(&found, &matrices, &given)?;
                let names = [first, second].map(|s| s.constants.iter().map(|c| c.name.clone()).collect::<Vec<_>>());
                let both = Both { behaviors: [a, &b_new], starts, shift, names: [&names[0], &names[1]] };
                let matched = constants::on_branches(&both, &mut branches, &found.operators)?;
                let zero = matched.first().map_or(&[][..], |m| &m.zero);
                // Parameters that are free or have several values may have one that suits the constants.
                let is_open = branches.iter().any(|b| !b.free.is_empty()) && matched.iter().any(|m| !m.map.is_plain());
                if found.constants == Constants::Any && (!zero.is_empty() || is_open) {
                    let alternative = self.with_constants(a, b, &found.hypothesis, &found.operators, &given)?;
                    if let Some(better) = alternative
                        && (!zero.is_empty() || better.generality <= generality)
                    {
                        return self.related(a, b, better, given);
                    }
                }
                let name = |(side, j): &(Side, usize)| names[usize::from(*side == Side::Second)][*j].clone();
                assumptions.extend(zero.iter().map(|c| Assumption::ZeroConstant(c.0, name(c))));
                if let Some(m) = matched.first() {
                    generality = generality.directions().and(m.directions).generality();
                }
                constants = matched.into_iter().map(|m| m.map).collect();
            }
        }
        for number in found.gauge.conditions() {
            let texts = self.texts(&given);
            let unknown = branches.iter().map(|branch| real::unknown_sign(texts, branch, &number));
            if unknown.collect::<Result<Vec<_>, _>>()?.iter().any(Option::is_some) {
                assumptions.push(Assumption::Positive(number));
            }
        }
        let is_dual = assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
        let relation = match self.repeat {
            _ if assumptions.iter().any(Assumption::is_condition) => Relation::Conditional,
            Some(_) => Relation::Repetition,
            None if is_dual => Relation::Lft,
            None => relation,
        };
        let channel_map =
            found.hypothesis.order.iter().enumerate().map(|(i, &j)| (a.ports[i].channel, b.ports[j].channel)).collect();
        Ok(Verdict::Related(Box::new(Witness {
            relation,
            generality,
            repeat: self.repeat,
            channel_map,
            shift: found.shift,
            filters: found.gauge.filters,
            matrices,
            branches,
            operators: found.operators.values,
            assumptions,
            constants,
            ..Witness::default()
        })))
    }

    /// What the queries are without oracles, the second's in the first's order and oracles.
    pub(super) fn starts(
        &self,
        found: &Found,
        matrices: &[Matrix<RationalFunction>],
        assumptions: &[Assumption],
    ) -> Result<[Option<Behavior>; 2], Exhausted> {
        let special = assumptions.iter().filter_map(|a| match a {
            Assumption::Function(side, f, special) => Some((*side, f.clone(), *special)),
            _ => None,
        });
        let special: Vec<_> = special.collect();
        let side = |analysis: &Analysis, side: Side| -> Result<Option<Behavior>, Exhausted> {
            match Behavior::new(analysis, side) {
                Some(x) => specialised(&constants::starting(analysis, &x)?, &special),
                None => Ok(None),
            }
        };
        let second = match side(self.second, Side::Second)? {
            Some(b) => b.permuted(&found.hypothesis.order).in_oracles(matrices)?,
            None => None,
        };
        let second = second.map(|b| found.gauge.apply(&b)).transpose()?;
        Ok([side(self.first, Side::First)?, second])
    }

    /// The same with constant vectors that act alike.
    pub(super) fn with_constants(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        hypothesis: &Hypothesis,
        operators: &OperatorMap,
        assumptions: &[Assumption],
    ) -> Result<Option<Found>, Exhausted> {
        let identity = Multiples::in_map(operators);
        let mut found = None;
        let mut ways = vec![(Constants::Alike, Stage::Generic), (Constants::Eventually, Stage::Generic)];
        // Values for which the constants may be anything say more than that they are zero.
        if self.scope == Scope::Texts && self.only != Some(Relation::Conditional) {
            ways.extend([(Constants::Alike, Stage::Overlap), (Constants::Eventually, Stage::Overlap)]);
        }
        for (constants, stage) in ways {
            self.constants = constants;
            let attempt = Attempt { stage, identity, assumptions };
            let result = self.try_hypothesis(a, b, hypothesis.clone(), attempt, None);
            self.constants = Constants::Any;
            found = result?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

/// Whether a branch is in the closure of a larger one and not on it, as far as one can tell at once.
fn is_limit(branch: &Branch, of: &Branch) -> Result<bool, Exhausted> {
    let bound = |b: &Branch| b.values.len() + b.conditions.len() + b.relations.len();
    if bound(branch) <= bound(of) {
        return Ok(false);
    }
    for p in &of.nonzero {
        let there = RationalFunction::polynomial(p.clone()).substitute(&rational(branch))?;
        if there.is_some_and(|r| r.is_zero()) {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn relation_of(found: &Found) -> Relation {
    if found.paths.are_moved() {
        return Relation::Conditional;
    }
    match (found.gauge.relation(), found.hypothesis.relation, found.shift.iter().all(|m| *m == 0)) {
        (Some(relation), ..) => relation,
        (None, Relation::Oracle, false) => Relation::Shift,
        (None, relation, _) => relation,
    }
}
