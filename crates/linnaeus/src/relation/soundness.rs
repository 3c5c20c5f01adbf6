//! Whether parameters leave two algorithms what they are. Values that silence an oracle, remove an
//! operator or make both algorithms smaller are degenerate: they relate what is left, not the two.
//!
//! Everything is evaluated at random points of a branch over a prime field, so that square roots are
//! as good as rational functions. A value other than zero decides; zeros at several points are
//! taken for an answer.

use super::behavior::{Behavior, Side};
use super::markov::written;
use super::operators::OperatorMap;
use crate::operator::OperatorPolynomial;
use crate::prime_field::{PRIME, Stream, add, multiply, square_root};
use crate::transfer::{Analysis, Realization, Transfer, generic_order, markov, order_where};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// How many points are looked at.
const POINTS: usize = 3;
/// How many are tried, since roots have values at some of them only.
const TRIES: u64 = 100;

/// What roots of a branch are taken of.
pub fn radicands(branch: &Branch) -> impl Iterator<Item = &Polynomial> {
    branch.values.values().chain(branch.conditions.values()).filter_map(|value| match value {
        Value::Root { radicand, .. } => Some(radicand),
        Value::Rational(_) => None,
    })
}

/// Whether the values of a branch, with operators as the map says, silence an oracle, or without it
/// remove an operator.
pub fn is_degenerate(x: &Behavior, map: &OperatorMap, branch: &Branch) -> bool {
    let points: Vec<Point> = Point::several(branch);
    if points.is_empty() {
        return false;
    }
    let entries = || (0..x.h.rows()).flat_map(|i| x.h.row(i));
    let mapped: Vec<Point> = points.iter().filter_map(|p| p.clone().mapped(map)).collect();
    let column = |j: usize| (0..x.h.rows()).map(move |i| &x.h[(i, j)]);
    // Where a denominator vanishes there is no algorithm.
    let defined = |points: &[Point]| points.iter().any(|p| entries().all(|e| p.at(e).is_some()));
    if !defined(&points) || !defined(&mapped) {
        return true;
    }
    let silent = |j: usize| mapped.iter().all(|p| column(j).all(|e| p.at(e).is_none_or(|n| n == 0)));
    if (0..x.h.cols()).any(|j| column(j).any(|e| !e.is_zero()) && silent(j)) {
        return true;
    }
    let removed = |v: Variable| points.iter().all(|p| entries().all(|e| p.at(e) == p.clone().moved(v).at(e)));
    x.operators.iter().any(|v| entries().any(|e| e.variables().contains(v)) && removed(*v))
}

/// Whether the algorithm stores less with the values of a branch than with others.
pub fn is_smaller(analysis: &Analysis, side: Side, branch: &Branch) -> Result<bool, Exhausted> {
    let Transfer::Commuting { realization, .. } = &analysis.transfer else {
        return Ok(false);
    };
    let mut least = None;
    for point in Point::several(branch) {
        let at = |v: Variable| point.value(side.place(v));
        if let Some(found) = order_where(realization, analysis.channels.len(), &at)? {
            least = least.max(Some(found));
        }
    }
    Ok(least.is_some_and(|found| found < analysis.minimal_order))
}

/// What the algorithm stores with these values of its own symbols, operators and other sequences being random;
/// nothing if a denominator vanishes or an oracle is silenced.
pub fn order_of_words(
    analysis: &Analysis,
    value: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<Option<usize>, Exhausted> {
    let mut defined = true;
    let mut there = |m: &Matrix<OperatorPolynomial>| {
        m.try_map(|e| {
            e.map_coefficients(&mut |c| {
                let found = c.substitute(value)?;
                defined &= found.is_some();
                Ok(found.unwrap_or_else(RationalFunction::zero))
            })
        })
    };
    let r = written(analysis)?;
    let special =
        Realization { states: r.states.clone(), a: there(&r.a)?, b: there(&r.b)?, c: there(&r.c)?, d: there(&r.d)? };
    let channels = analysis.channels.len();
    let influence = |r: &Realization<OperatorPolynomial>| -> Result<BTreeSet<usize>, Exhausted> {
        let all = markov(r, &analysis.system.schedules, r.states.len() + 1)?;
        let is_heard = |j: &usize| all.iter().any(|m| (0..m.rows()).any(|i| !m[(i, *j)].is_zero()));
        Ok((0..channels).filter(is_heard).collect())
    };
    if !defined || influence(&special)? != influence(&r)? {
        return Ok(None);
    }
    generic_order(&special, channels, &analysis.system).map(Some)
}

/// A point of a branch.
#[derive(Clone)]
struct Point {
    seed: u64,
    values: BTreeMap<Variable, u64>,
}

impl Point {
    /// Some points; none where a root has no value in the field.
    fn several(branch: &Branch) -> Vec<Point> {
        (1..=TRIES).filter_map(|seed| Point::new(branch, seed)).take(POINTS).collect()
    }

    fn new(branch: &Branch, seed: u64) -> Option<Point> {
        let mut point = Point { seed, values: BTreeMap::new() };
        let all = branch.values.iter().chain(&branch.conditions);
        let all: Vec<_> = all.map(|(v, value)| Some((*v, point.solved(value)?))).collect::<Option<_>>()?;
        point.values.extend(all);
        Some(point)
    }

    fn solved(&self, value: &Value) -> Option<u64> {
        match value {
            Value::Rational(r) => self.at(r),
            Value::Root { a, b, radicand } => {
                let root = square_root(radicand.evaluate_mod(&|v| self.value(v), PRIME))?;
                Some(add(self.at(a)?, multiply(self.at(b)?, root)))
            }
        }
    }

    /// With operators as the map says.
    fn mapped(mut self, map: &OperatorMap) -> Option<Point> {
        let values: Vec<_> = map.values.iter().map(|(v, r)| Some((*v, self.at(r)?))).collect::<Option<_>>()?;
        self.values.extend(values);
        Some(self)
    }

    /// With another value of one symbol.
    fn moved(mut self, v: Variable) -> Point {
        let other = Stream::new(self.value(v)).next();
        self.values.insert(v, other);
        self
    }

    fn value(&self, v: Variable) -> u64 {
        let random = || Stream::new(self.seed << 32 | u64::from(v.0)).next();
        self.values.get(&v).copied().unwrap_or_else(random)
    }

    fn at(&self, r: &RationalFunction) -> Option<u64> {
        r.evaluate_mod(&|v| self.value(v), PRIME)
    }
}
