//! Field operations by the rules of Henrici: gcds are taken of parts as small as possible.
//!
//! P. Henrici, *A subroutine for computations with rational numbers*, J. ACM 3 (1956).

use super::RationalFunction;
use crate::fuel::Exhausted;
use crate::polynomial::Polynomial;
use crate::variables::Variable;

impl RationalFunction {
    /// The sum.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends; so for all operations below.
    pub fn add(&self, other: &Self) -> Result<Self, Exhausted> {
        if self.is_zero() {
            return Ok(other.clone());
        }
        if other.is_zero() {
            return Ok(self.clone());
        }
        self.combined(other, |a, b| a + b)
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Result<Self, Exhausted> {
        if self.is_zero() {
            return Ok(other.neg());
        }
        if other.is_zero() {
            return Ok(self.clone());
        }
        self.combined(other, |a, b| a - b)
    }

    /// a/b ± c/d with g = gcd(b, d): the numerator t = a(d/g) ± c(b/g) has no factor in common
    /// with b/g or d/g, so only gcd(t, g) remains to cancel.
    fn combined(
        &self,
        other: &Self,
        signed: impl Fn(&Polynomial, &Polynomial) -> Polynomial,
    ) -> Result<Self, Exhausted> {
        let (a, b) = (&self.numerator, &self.denominator);
        let (c, d) = (&other.numerator, &other.denominator);
        match (b.is_one(), d.is_one()) {
            (true, true) => return Ok(Self::polynomial(signed(a, c))),
            (true, false) => return Ok(Self::coprime(signed(&a.mul(d)?, c), d.clone())),
            (false, true) => return Ok(Self::coprime(signed(a, &c.mul(b)?), b.clone())),
            (false, false) => {}
        }
        if b == d {
            return Self::reduced(signed(a, c), b.clone());
        }
        let g = b.gcd(d)?;
        if g.is_one() {
            let numerator = signed(&a.mul(d)?, &c.mul(b)?);
            return Ok(Self::coprime(numerator, b.mul(d)?));
        }
        let (b_rest, d_rest) = (divide(b, &g)?, divide(d, &g)?);
        let t = signed(&a.mul(&d_rest)?, &c.mul(&b_rest)?);
        if t.is_zero() {
            return Ok(Self::zero());
        }
        let h = t.gcd(&g)?;
        let denominator = b_rest.mul(&divide(d, &h)?)?;
        Ok(Self::coprime(divide(&t, &h)?, denominator))
    }

    /// The product: a/b · c/d cancels gcd(a, d) and gcd(c, b).
    ///
    /// ```
    /// use linnaeus_algebra::{RationalFunction, Variable};
    /// let x = RationalFunction::variable(Variable(0));
    /// let half = RationalFunction::integer(2).inverse().unwrap();
    /// assert_eq!(x.mul(&half).unwrap().mul(&x.inverse().unwrap()).unwrap(), half);
    /// ```
    pub fn mul(&self, other: &Self) -> Result<Self, Exhausted> {
        if self.is_zero() || other.is_zero() {
            return Ok(Self::zero());
        }
        if self.is_one() {
            return Ok(other.clone());
        }
        if other.is_one() {
            return Ok(self.clone());
        }
        let (a, d) = cancel(&self.numerator, &other.denominator)?;
        let (c, b) = cancel(&other.numerator, &self.denominator)?;
        Ok(Self::coprime(a.mul(&c)?, b.mul(&d)?))
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        RationalFunction { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }

    /// The inverse; `None` for 0.
    pub fn inverse(&self) -> Option<Self> {
        if self.is_zero() {
            return None;
        }
        Some(Self::coprime(self.denominator.clone(), self.numerator.clone()))
    }

    /// The quotient; `None` for a zero divisor.
    pub fn div(&self, other: &Self) -> Result<Option<Self>, Exhausted> {
        match other.inverse() {
            Some(inverse) => self.mul(&inverse).map(Some),
            None => Ok(None),
        }
    }

    /// The `n`-th power; `None` for a negative power of 0. `f⁰ = 1`, also for 0.
    pub fn pow(&self, n: i32) -> Result<Option<Self>, Exhausted> {
        let base = if n < 0 { self.inverse() } else { Some(self.clone()) };
        let Some(base) = base else { return Ok(None) };
        let e = n.unsigned_abs();
        let numerator = base.numerator.pow(e)?;
        Ok(Some(RationalFunction { numerator, denominator: base.denominator.pow(e)? }))
    }

    /// The partial derivative by `v`.
    ///
    /// ```
    /// use linnaeus_algebra::{RationalFunction, Variable};
    /// let x = RationalFunction::variable(Variable(0));
    /// let d = x.inverse().unwrap().derivative(Variable(0)).unwrap();
    /// assert_eq!(Some(d.neg()), x.pow(-2).unwrap());
    /// ```
    pub fn derivative(&self, v: Variable) -> Result<Self, Exhausted> {
        let (p, q) = (&self.numerator, &self.denominator);
        let numerator = p.derivative(v).mul(q)? - p.mul(&q.derivative(v))?;
        Self::reduced(numerator, q.square()?)
    }
}

/// The exact quotient by a known divisor.
fn divide(p: &Polynomial, divisor: &Polynomial) -> Result<Polynomial, Exhausted> {
    Ok(p.exact_divide(divisor)?.expect("a gcd divides"))
}

/// Both polynomials without their common factor.
fn cancel(p: &Polynomial, q: &Polynomial) -> Result<(Polynomial, Polynomial), Exhausted> {
    if p.is_one() || q.is_one() {
        return Ok((p.clone(), q.clone()));
    }
    let gcd = p.gcd(q)?;
    if gcd.is_one() {
        return Ok((p.clone(), q.clone()));
    }
    Ok((divide(p, &gcd)?, divide(q, &gcd)?))
}
