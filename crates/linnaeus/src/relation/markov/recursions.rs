//! Sequences that follow recursions and are not determined by the Markov parameters alone, as 1/t for t:
//! the recursions are equations too.

use super::equations::{Base, Sequences};
use super::meeting::earliest;
use super::monomials::Ties;
use super::reading::{Search, Solved};
use super::solving::{FEW_LAGS, settled};
use crate::relation::behavior::Side;
use crate::relation::functions::{self, Settled};
use crate::relation::laws::{Outcome, laws, relation};
use crate::relation::real::demands;
use crate::relation::verdict::Limit;
use crate::system::schedule::{Motion, Schedules, schedule, scheduled};
use linnaeus_algebra::solve::{Branch, Conditions, Problem, Value, solve};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};

/// Which recursions are equations.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Recursions {
    /// Those of sequences that are given.
    Given,
    /// Also those of the sequences that are sought.
    All,
}

/// Square roots by the later value of a sequence that is given, which is one of them.
fn without_roots(mut branch: Branch, sought: &SortedSet<usize>) -> Result<Branch, Exhausted> {
    let later = branch.values.iter().find_map(|(v, value)| match value {
        Value::Root { a, b, radicand } if scheduled(*v).is_some_and(|(j, _)| !sought.contains(&j)) => {
            Some((*v, a.clone(), b.clone(), radicand.clone()))
        }
        _ => None,
    });
    let Some((later, a, b, radicand)) = later else { return Ok(branch) };
    let Some(root) = RationalFunction::variable(later).sub(&a)?.div(&b)? else { return Ok(branch) };
    for value in branch.values.values_mut() {
        if let Value::Root { a, b, radicand: own } = value
            && *own == radicand
        {
            *value = Value::Rational(a.add(&b.mul(&root)?)?);
        }
    }
    Ok(branch)
}

impl Search<'_> {
    /// Solves for sequences that follow recursions, these being equations too: the later values of the
    /// sequences that are given are then unknown as well.
    pub(super) fn solve_by_recursions(
        &self,
        both: &Sequences,
        given: Side,
        open: &mut Option<Limit>,
    ) -> Result<Option<Solved>, Exhausted> {
        let side = if given == Side::First { Side::Second } else { Side::First };
        let numbers = self.matching.unknown(side, self.first.system.schedules.list.len());
        if !self.matching.rules.iter().any(|(j, _)| numbers.contains(j)) {
            return Ok(None);
        }
        // Square roots among the equations would have to be unknown, too.
        *open = Some(Limit::Recursions);
        let Some(equations) = self.equations(both, &Schedules::default(), Base::Each, FEW_LAGS)? else {
            *open = None;
            return Ok(None);
        };
        // What the equations determine must obey its recursion; else that is an equation too.
        for rules in [Recursions::Given, Recursions::All] {
            let Some(problem) = self.with_recursions(&equations, given, &numbers, rules)? else {
                return Ok(None);
            };
            let found = self.solve_recursive(both, &problem, (&numbers, given), &Ties::new(), open)?;
            if found.is_some() || open.is_none() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Solves for the beginnings of sequences, some of which are told.
    pub(super) fn solve_recursive(
        &self,
        both: &Sequences,
        problem: &Problem,
        (numbers, given): (&SortedSet<usize>, Side),
        ties: &Ties,
        open: &mut Option<Limit>,
    ) -> Result<Option<Solved>, Exhausted> {
        let solution = solve(problem)?;
        let mut why = (!solution.complete).then_some(Limit::Equations);
        for branch in solution.branches {
            let branch = match functions::settled(&self.first.system, &self.second.system, branch)? {
                Settled::Holds(branch) => branch,
                Settled::Fails => continue,
                Settled::Open => {
                    why = Some(Limit::Functions);
                    continue;
                }
            };
            let mut branch = without_roots(branch, numbers)?;
            // Later values follow from the laws, and those that are given from their recursions; whether
            // they are right is verified.
            let is_given = |v: &Variable| scheduled(*v).is_some_and(|(j, _)| !numbers.contains(&j));
            let begin = earliest(&branch.values.keys().copied().collect::<Vec<_>>());
            let is_first = |v: &Variable| scheduled(*v).is_none_or(|(j, at)| begin.get(&j) == Some(&at));
            branch.values.retain(|v, _| !is_given(v) && is_first(v));
            branch.free.retain(|v| !is_given(v));
            branch.relations.retain(|p| !p.variables().iter().all(is_given));
            if !branch.relations.is_empty() {
                why = Some(Limit::Equations);
                continue;
            }
            let value = |v: Variable| match branch.values.get(&v) {
                Some(Value::Rational(r)) => Some(r.clone()),
                _ => None,
            };
            let told = ties.iter().map(|(j, tie)| Ok((schedule(*j, 0), tie.substitute(&value)?)));
            let told = told.collect::<Result<Vec<_>, Exhausted>>()?;
            branch.values.extend(told.into_iter().filter_map(|(v, tie)| Some((v, Value::Rational(tie?)))));
            let free = problem.unknowns.iter().copied().filter(|v| scheduled(*v).is_none()).collect();
            match laws(self.matching, settled(branch)?, &free)? {
                Outcome::Laws(branch, laws) => {
                    let is_real = demands(self.texts(&self.sequences(&laws), given), &branch)?.is_some();
                    let found = (vec![branch], laws);
                    if is_real && self.verified(both, &found)? {
                        return Ok(Some(found));
                    }
                }
                Outcome::Never | Outcome::Inconsistent => {}
                Outcome::Where(_) => why = Some(Limit::Equations),
                Outcome::Open(limit) => why = Some(limit),
            }
        }
        *open = why;
        Ok(None)
    }

    /// The simplest equations, moved to begin at time 0, with the recursions between their times; none if
    /// something is not rational in the values of sequences.
    pub(super) fn with_recursions(
        &self,
        equations: &[Polynomial],
        given: Side,
        numbers: &SortedSet<usize>,
        rules: Recursions,
    ) -> Result<Option<Problem>, Exhausted> {
        let joint = &self.matching.joint;
        let recursive = |j: usize| matches!(joint.list[j].motion, Motion::Recursion(_));
        let symbols = |p: &Polynomial| -> Vec<(usize, i64)> {
            p.variables().into_iter().filter_map(scheduled).filter(|(j, _)| recursive(*j)).collect()
        };
        let mut problem_equations: SortedSet<Polynomial> = SortedSet::new();
        let mut last = 0;
        let span = |p: &Polynomial| {
            let times: Vec<i64> = symbols(p).iter().map(|(_, o)| *o).collect();
            (times.iter().min().copied().unwrap_or(0), times.iter().max().copied().unwrap_or(0))
        };
        let is_rational = |p: &Polynomial| {
            let functions = |v: Variable| scheduled(v).map(|(j, _)| &joint.list[j].motion);
            !p.variables().into_iter().any(|v| matches!(functions(v), Some(Motion::Function(..) | Motion::Free)))
        };
        if !equations.iter().all(is_rational) {
            return Ok(None);
        }
        let shortest = equations.iter().map(|p| span(p).1 - span(p).0).filter(|n| *n > 0).min().unwrap_or(0);
        for p in equations.iter().filter(|p| span(p).1 - span(p).0 <= shortest) {
            let (from, to) = span(p);
            let moved = joint.advanced(&RationalFunction::polynomial(p.clone()), -from)?;
            problem_equations.insert(moved.numerator().primitive_part());
            last = last.max(to - from);
        }
        // Every sequence begins with the first of its values that occurs.
        let mut times: SortedMap<usize, (i64, i64)> = SortedMap::new();
        for (j, at) in problem_equations.iter().flat_map(&symbols) {
            let (from, to) = times.entry(j).or_insert((at, at));
            (*from, *to) = (at.min(*from), at.max(*to));
        }
        let counts = |j: &usize| recursive(*j) && (rules == Recursions::All || !numbers.contains(j));
        for j in (0..joint.list.len()).filter(counts) {
            let Some(p) = relation(joint, j)? else { return Ok(None) };
            let (from, to) = times.get(&j).copied().unwrap_or((0, last));
            for time in from..to {
                let moved = joint.advanced(&RationalFunction::polynomial(p.clone()), time)?;
                problem_equations.insert(moved.numerator().primitive_part());
            }
        }
        let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
        let all: SortedSet<Variable> =
            problem_equations.iter().flat_map(Polynomial::variables).filter(|v| scheduled(*v).is_some()).collect();
        let all: Vec<Variable> = all.into_iter().collect();
        let begin = earliest(&all);
        let is_given = |v: &Variable| {
            scheduled(*v).is_some_and(|(j, o)| !numbers.contains(&j) && (begin.get(&j) == Some(&o) || !recursive(j)))
        };
        let (running, unknown): (Vec<Variable>, Vec<Variable>) = all.into_iter().partition(is_given);
        let factors = self.operators.unknowns();
        let alone = self.operators.nonzero();
        let nonzero = unknown.iter().chain(&alone).map(|v| Polynomial::variable(*v));
        Ok(Some(Problem {
            equations: problem_equations.into_iter().collect(),
            nonzero: self.a.nonzero.iter().chain(&self.b.nonzero).cloned().chain(nonzero).collect(),
            unknowns: sought.parameters.iter().chain(&factors).copied().chain(unknown).collect(),
            given: known.parameters.iter().copied().chain(running).collect(),
            conditions: Conditions::Never,
        }))
    }
}
