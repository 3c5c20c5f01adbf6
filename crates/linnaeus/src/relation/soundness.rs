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
use crate::system::schedule::Schedules;
use crate::transfer::{Analysis, Realization, Transfer, generic_order, markov, order_where};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};

/// How many points are looked at.
const POINTS: usize = 3;
/// How many are tried, since roots have values at some of them only.
const TRIES: u64 = 100;

/// So many lags are looked at before all are.
const FEW_LAGS: usize = 3;

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
    // Where one point shows that it is sound, others show nothing else.
    let Some(point) = Point::all(branch).next() else { return false };
    is_degenerate_at(x, map, &[point]) && is_degenerate_at(x, map, &Point::several(branch))
}

/// The same as far as some points tell.
fn is_degenerate_at(x: &Behavior, map: &OperatorMap, points: &[Point]) -> bool {
    let entries = || (0..x.h.rows()).flat_map(|i| x.h.row(i));
    let mapped: Vec<Point> = points.iter().filter_map(|p| p.clone().mapped(map)).collect();
    let column = |j: usize| (0..x.h.rows()).map(move |i| &x.h[(i, j)]);
    // Where a denominator vanishes there is no algorithm.
    let defined = |points: &[Point]| points.iter().any(|p| entries().all(|e| p.at(e).is_some()));
    if !defined(points) || !defined(&mapped) {
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
    let mut is_smaller = false;
    for point in Point::all(branch).take(POINTS) {
        let at = |v: Variable| point.value(side.place(v));
        match order_where(realization, analysis.channels.len(), &at)? {
            // Where one point shows that it is not, others show nothing else.
            Some(found) if found >= analysis.minimal_order => return Ok(false),
            Some(_) => is_smaller = true,
            None => {}
        }
    }
    Ok(is_smaller)
}

/// What the algorithm stores with these values of symbols, operators and other sequences being random; nothing if
/// a denominator vanishes or an oracle is silenced. The values may speak of both texts, so that all is said in the
/// symbols of the comparison, `placed` there, whose sequences are the joint ones.
pub fn order_of_words(
    analysis: &Analysis,
    joint: &Schedules,
    placed: &dyn Fn(&RationalFunction) -> RationalFunction,
    value: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<Option<usize>, Exhausted> {
    let Some(special) = heard_words(analysis, joint, placed, value)? else { return Ok(None) };
    generic_order(&special, analysis.channels.len(), &analysis.system.operators, joint).map(Some)
}

/// The algorithm with these values of symbols; nothing if a denominator vanishes, an oracle is silenced or an operator
/// is multiplied by zero wherever it stands.
pub fn heard_words(
    analysis: &Analysis,
    joint: &Schedules,
    placed: &dyn Fn(&RationalFunction) -> RationalFunction,
    value: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<Option<Realization<OperatorPolynomial>>, Exhausted> {
    let own = |m: &Matrix<OperatorPolynomial>| m.try_map(|e| e.map_coefficients(&mut |c| Ok(placed(c))));
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
    let r = Realization { states: r.states.clone(), a: own(&r.a)?, b: own(&r.b)?, c: own(&r.c)?, d: own(&r.d)? };
    let special =
        Realization { states: r.states.clone(), a: there(&r.a)?, b: there(&r.b)?, c: there(&r.c)?, d: there(&r.d)? };
    let channels: Vec<usize> = (0..analysis.channels.len()).collect();
    let letters = |entries: &mut dyn Iterator<Item = &OperatorPolynomial>| -> SortedSet<u16> {
        let terms = entries.flat_map(OperatorPolynomial::terms);
        terms.flat_map(|(word, _)| word.iter().map(|l| l.operator)).collect()
    };
    let influence = |r: &Realization<OperatorPolynomial>, lags: usize| -> Result<_, Exhausted> {
        let all = markov(r, joint, lags)?;
        let is_heard = |j: &usize| all.iter().any(|m| (0..m.rows()).any(|i| !m[(i, *j)].is_zero()));
        let mut entries = all.iter().flat_map(|m| channels.iter().flat_map(|i| &m.row(*i)[..channels.len()]));
        let heard: SortedSet<usize> = channels.iter().copied().filter(is_heard).collect();
        Ok((heard, letters(&mut entries)))
    };
    if !defined {
        return Ok(None);
    }
    // What is heard with these values is heard with others, and of all that there is the first lags often tell.
    let mut entries = [&r.a, &r.b, &r.c, &r.d].into_iter().flat_map(|m| (0..m.rows()).flat_map(|i| m.row(i)));
    let all = (channels.iter().copied().collect(), letters(&mut entries));
    let lags = r.states.len() + 1;
    if influence(&special, lags.min(FEW_LAGS))? == all || influence(&special, lags)? == influence(&r, lags)? {
        return Ok(Some(special));
    }
    Ok(None)
}

/// A point of a branch.
#[derive(Clone)]
struct Point {
    seed: u64,
    values: SortedMap<Variable, u64>,
}

impl Point {
    /// Some points; none where a root has no value in the field.
    fn several(branch: &Branch) -> Vec<Point> {
        Point::all(branch).take(POINTS).collect()
    }

    /// One after the other.
    fn all(branch: &Branch) -> impl Iterator<Item = Point> {
        (1..=TRIES).filter_map(|seed| Point::new(branch, seed))
    }

    fn new(branch: &Branch, seed: u64) -> Option<Point> {
        let mut point = Point { seed, values: SortedMap::new() };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::parameter;
    use crate::system::schedule::{Motion, Schedule, schedule};

    /// The value of a parameter may be a sequence of the other text, of which this one knows nothing.
    #[test]
    fn values_speak_of_both_texts() {
        let reading = crate::read("x[k+1] = x[k] - c*s[k]*grad f(x[k])");
        let analysis = reading.analysis.as_ref().expect("read");
        let mut joint = analysis.system.schedules.clone();
        joint.list.push(Schedule::new("t", Motion::Free));
        let other = RationalFunction::variable(schedule(joint.list.len() - 1, 0));
        let order = |value: &RationalFunction| {
            let value = |v: Variable| (v == parameter(0)).then(|| value.clone());
            order_of_words(analysis, &joint, &RationalFunction::clone, &value)
        };
        assert_eq!(order(&other), Ok(Some(1)));
        assert_eq!(order(&RationalFunction::zero()), Ok(None));
    }
}
