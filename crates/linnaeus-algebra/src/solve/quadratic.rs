//! Square roots and the quadratic formula.

use dashu_int::ops::{Abs, SquareRoot, UnsignedAbs};

use super::Value;
use crate::{Exhausted, Integer, Polynomial, Rational, RationalFunction, Variable};

/// a v² + b v + c with a ≠ 0.
pub(super) struct Quadratic {
    a: Polynomial,
    b: Polynomial,
    c: Polynomial,
}

impl Quadratic {
    /// `p` as a polynomial in `v`, if its degree is two.
    pub(super) fn new(p: &Polynomial, v: Variable) -> Option<Self> {
        if p.degree_in(v) != 2 {
            return None;
        }
        let [c, b, a] = p.coefficients_in(v).try_into().ok()?;
        Some(Quadratic { a, b, c })
    }

    /// b² − 4ac.
    pub(super) fn discriminant(&self) -> Result<Polynomial, Exhausted> {
        Ok(self.b.square()? - self.a.mul(&self.c)?.scale(&Integer::from(4)))
    }

    /// 2a.
    pub(super) fn twice_lead(&self) -> Polynomial {
        self.a.scale(&Integer::from(2))
    }

    /// b.
    pub(super) fn middle(&self) -> &Polynomial {
        &self.b
    }

    /// 2a v + b.
    pub(super) fn derivative(&self, v: Variable) -> Polynomial {
        self.twice_lead().times_power(v, 1) + self.b.clone()
    }

    /// The two roots (−b ± √(b² − 4ac)) / 2a of an irreducible quadratic polynomial.
    pub(super) fn roots(&self) -> Result<[Value; 2], Exhausted> {
        let (outside, radicand) = split_square(&self.discriminant()?)?;
        let denominator = self.twice_lead();
        let a = RationalFunction::reduced(-&self.b, denominator.clone())?;
        let b = RationalFunction::reduced(outside, denominator)?;
        let root = |b| Value::Root { a: a.clone(), b, radicand: radicand.clone() };
        Ok([root(b.clone()), root(b.neg())])
    }
}

/// `p` as outside² · radicand, where the radicand has no square factor but possibly an integer.
fn split_square(p: &Polynomial) -> Result<(Polynomial, Polynomial), Exhausted> {
    let factorization = p.factor()?;
    let (root, rest) = split_square_integer(&factorization.content);
    let (mut outside, mut radicand) = (Polynomial::integer(root), Polynomial::integer(rest));
    for (factor, e) in &factorization.factors {
        outside = outside.mul(&factor.pow(e / 2)?)?;
        radicand = radicand.mul(&factor.pow(e % 2)?)?;
    }
    Ok((outside, radicand))
}

/// `n` as root² · rest; the rest has no square factor below 10⁶ and is a unit if `n` is a square
/// or its negative.
pub fn split_square_integer(n: &Integer) -> (Integer, Integer) {
    let (mut root, mut rest) = (Integer::ONE, n.clone());
    if rest.is_zero() {
        return (Integer::ZERO, Integer::ONE);
    }
    for k in 2u32..1000 {
        let square = Integer::from(k * k);
        while (&rest % &square).is_zero() {
            rest /= &square;
            root *= Integer::from(k);
        }
    }
    let size = Integer::from(rest.clone().abs().unsigned_abs().sqrt());
    if &size * &size == rest.clone().abs() {
        rest /= &size * &size;
        root *= size;
    }
    (root, rest)
}

/// The square root that is not negative, if it is rational.
pub fn rational_root(x: &Rational) -> Option<Rational> {
    let root = |n: Integer| {
        let size = Integer::from(n.clone().abs().unsigned_abs().sqrt());
        (&size * &size == n).then_some(size)
    };
    let (above, below) = (root(x.numerator().clone())?, root(Integer::from(x.denominator().clone()))?);
    Some(Rational::from(above) / Rational::from(below))
}

/// The square root, if there is one over ℤ.
pub(super) fn square_root(p: &Polynomial) -> Result<Option<Polynomial>, Exhausted> {
    let (root, rest) = split_square(p)?;
    Ok(rest.is_one().then_some(root))
}

/// Reduces `f` modulo s² = radicand to a + b s; `None` when the denominator vanishes.
pub fn modulo_square(
    f: &RationalFunction,
    s: Variable,
    radicand: &Polynomial,
) -> Result<Option<[RationalFunction; 2]>, Exhausted> {
    let [n0, n1] = remainder(f.numerator(), s, radicand)?;
    let [d0, d1] = remainder(f.denominator(), s, radicand)?;
    // (n₀ + n₁s)(d₀ − d₁s) / (d₀² − d₁²r)
    let norm = d0.square()? - d1.square()?.mul(radicand)?;
    if norm.is_zero() {
        return Ok(None);
    }
    let a = n0.mul(&d0)? - n1.mul(&d1)?.mul(radicand)?;
    let b = n1.mul(&d0)? - n0.mul(&d1)?;
    Ok(Some([RationalFunction::reduced(a, norm.clone())?, RationalFunction::reduced(b, norm)?]))
}

/// The two coefficients of the remainder by s² − radicand.
pub(super) fn remainder(p: &Polynomial, s: Variable, radicand: &Polynomial) -> Result<[Polynomial; 2], Exhausted> {
    let mut parts = [Polynomial::zero(), Polynomial::zero()];
    for (e, c) in p.grouped_by(s) {
        let part = &mut parts[e as usize % 2];
        *part = &*part + &c.mul(&radicand.pow(e / 2)?)?;
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_taken_out_of_roots() {
        let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
        let p = x.square().unwrap().mul(&y).unwrap().scale(&Integer::from(-72));
        let (outside, radicand) = split_square(&p).unwrap();
        assert_eq!(outside, x.scale(&Integer::from(6)));
        assert_eq!(radicand, y.scale(&Integer::from(-2)));
        assert_eq!(square_root(&p).unwrap(), None);
        assert_eq!(square_root(&outside.square().unwrap()).unwrap(), Some(outside));
    }

    #[test]
    fn roots_are_reduced_to_lowest_terms() {
        let s = RationalFunction::variable(Variable(5));
        let one = RationalFunction::one();
        // 1/(1 + √2) = √2 − 1
        let f = one.add(&s).unwrap().inverse().unwrap();
        let [a, b] = modulo_square(&f, Variable(5), &Polynomial::integer(2)).unwrap().unwrap();
        assert_eq!((a.neg(), b), (one.clone(), one));
    }
}
