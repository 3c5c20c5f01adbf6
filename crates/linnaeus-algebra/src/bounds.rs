//! Two numbers between which a number lies: square roots of which only the sign is asked.

use crate::{Integer, Polynomial, Rational, RationalFunction, Variable};
use dashu_int::ops::{SquareRoot, UnsignedAbs};

/// So many binary places are kept.
const PLACES: usize = 160;

/// Where a number lies, in units of 2^-PLACES.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    low: Integer,
    high: Integer,
}

impl Bounds {
    /// The bounds of a number.
    pub fn new(x: &Rational) -> Bounds {
        let scaled = x * Rational::from(Integer::ONE << PLACES);
        Bounds { low: scaled.floor(), high: scaled.ceil() }
    }

    /// Whether it is positive; nothing where it may be either.
    pub fn is_positive(&self) -> Option<bool> {
        match (self.low > Integer::ZERO, self.high > Integer::ZERO) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }

    /// The value of a rational function; nothing where its denominator may vanish or a symbol has no value.
    pub fn of(r: &RationalFunction, value: &dyn Fn(Variable) -> Option<Bounds>) -> Option<Bounds> {
        let known: Vec<(Variable, Bounds)> =
            r.variables().into_iter().map(|v| Some((v, value(v)?))).collect::<Option<_>>()?;
        let polynomial = |p: &Polynomial| {
            let mut sum = Bounds { low: Integer::ZERO, high: Integer::ZERO };
            for (monomial, c) in p.terms() {
                let mut term = Bounds { low: c << PLACES, high: c << PLACES };
                for (v, n) in monomial {
                    let (_, factor) = known.iter().find(|(w, _)| *w == v)?;
                    for _ in 0..n {
                        term = term.times(factor);
                    }
                }
                sum = Bounds { low: sum.low + term.low, high: sum.high + term.high };
            }
            Some(sum)
        };
        polynomial(r.numerator())?.over(&polynomial(r.denominator())?)
    }

    fn times(&self, other: &Bounds) -> Bounds {
        let from_low = [&self.low * &other.low, &self.low * &other.high];
        let from_high = [&self.high * &other.low, &self.high * &other.high];
        let all = from_low.into_iter().chain(from_high);
        let (low, high) = (all.clone().min().unwrap_or_default(), all.max().unwrap_or_default());
        Bounds { low: low >> PLACES, high: (high >> PLACES) + Integer::ONE }
    }

    fn over(&self, other: &Bounds) -> Option<Bounds> {
        other.is_positive().filter(|_| other.low > Integer::ZERO || other.high < Integer::ZERO)?;
        let one = Integer::ONE << (2 * PLACES);
        let ends = [&one / &other.low, &one / &other.high];
        let (low, high) = (ends.iter().min()?.clone(), ends.iter().max()?.clone());
        Some(self.times(&Bounds { low: low - Integer::ONE, high: high + Integer::ONE }))
    }

    /// The square root; nothing where it may not exist.
    pub fn root(&self) -> Option<Bounds> {
        if self.low < Integer::ZERO {
            return None;
        }
        let below = |n: &Integer| Integer::from((n << PLACES).unsigned_abs().sqrt());
        Some(Bounds { low: below(&self.low), high: below(&self.high) + Integer::ONE })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(n: i64) -> Bounds {
        Bounds::new(&Rational::from(n))
    }

    fn encloses(outer: &Bounds, n: i64) -> bool {
        let inner = bounds(n);
        let width = Integer::ONE << (PLACES / 2);
        outer.low <= inner.low && inner.high <= outer.high && &outer.high - &outer.low < width
    }

    #[test]
    fn numbers_lie_between() {
        let root = bounds(2).root().unwrap();
        assert!(encloses(&root.times(&root), 2));
        assert!(encloses(&bounds(-7).times(&bounds(3)), -21));
        assert!(encloses(&bounds(-21).over(&bounds(3)).unwrap(), -7));
        assert!(encloses(&bounds(21).over(&bounds(-3)).unwrap(), -7));
        assert!(encloses(&bounds(9).root().unwrap(), 3));
        assert!(bounds(-1).root().is_none() && bounds(1).over(&bounds(0)).is_none());
        let third = Bounds::new(&(Rational::from(-1) / Rational::from(3)));
        assert!(encloses(&third.times(&bounds(3)), -1));
        assert_eq!([2, 0, -2].map(|n| bounds(n).is_positive()), [Some(true), Some(false), Some(false)]);
    }

    #[test]
    fn values_lie_between() {
        let [x, y] = [0, 1].map(|i| RationalFunction::variable(Variable(i)));
        let r = x.mul(&x).unwrap().sub(&y).unwrap().div(&y).unwrap().unwrap();
        let found = Bounds::of(&r, &|v| Some(if v == Variable(0) { bounds(5) } else { bounds(-5) })).unwrap();
        assert!(encloses(&found, -6));
        assert!(Bounds::of(&r, &|v| (v == Variable(0)).then(|| bounds(5))).is_none());
    }
}
