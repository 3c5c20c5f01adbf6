//! Quotients of polynomials in lowest terms.

mod arithmetic;
mod substitution;

use dashu_int::Sign;

use crate::fuel::Exhausted;
use crate::polynomial::{Polynomial, integer_gcd};
use crate::variables::Variable;
use crate::{Integer, Rational};

pub(crate) use substitution::inverse_mod;

/// A rational function with rational coefficients.
///
/// Canonical: numerator and denominator are coprime over ℤ, the denominator is nonzero with
/// positive leading coefficient, and zero is 0/1. So equality is `==`.
///
/// ```
/// use linnaeus_algebra::{Polynomial, RationalFunction, Variable};
/// let x = Polynomial::variable(Variable(0));
/// let [p, q] = [1, -1].map(|n| &x + Polynomial::integer(n));
/// let r = RationalFunction::new(p.mul(&q).unwrap(), -&p).unwrap();
/// assert_eq!(r, Some(RationalFunction::polynomial(-&q)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RationalFunction {
    numerator: Polynomial,
    denominator: Polynomial,
}

impl RationalFunction {
    /// The rational function 0.
    pub fn zero() -> Self {
        Self::polynomial(Polynomial::zero())
    }

    /// The rational function 1.
    pub fn one() -> Self {
        Self::polynomial(Polynomial::one())
    }

    /// An integer constant.
    pub fn integer(n: impl Into<Integer>) -> Self {
        Self::polynomial(Polynomial::integer(n))
    }

    /// A rational constant.
    pub fn rational(r: &Rational) -> Self {
        RationalFunction {
            numerator: Polynomial::integer(r.numerator().clone()),
            denominator: Polynomial::integer(r.denominator().clone()),
        }
    }

    /// The rational function `v`.
    pub fn variable(v: Variable) -> Self {
        Self::polynomial(Polynomial::variable(v))
    }

    /// A polynomial as a rational function.
    pub fn polynomial(numerator: Polynomial) -> Self {
        RationalFunction { numerator, denominator: Polynomial::one() }
    }

    /// `numerator / denominator` in lowest terms; `None` for a zero denominator.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    pub fn new(numerator: Polynomial, denominator: Polynomial) -> Result<Option<Self>, Exhausted> {
        if denominator.is_zero() {
            return Ok(None);
        }
        Self::reduced(numerator, denominator).map(Some)
    }

    /// `numerator / denominator` in lowest terms, for a denominator known to be nonzero.
    pub(crate) fn reduced(numerator: Polynomial, denominator: Polynomial) -> Result<Self, Exhausted> {
        if numerator.is_zero() {
            return Ok(Self::zero());
        }
        let gcd = numerator.gcd(&denominator)?;
        let cancel =
            |p: Polynomial| -> Result<Polynomial, Exhausted> { Ok(p.exact_divide(&gcd)?.expect("the gcd divides")) };
        let (numerator, denominator) = (cancel(numerator)?, cancel(denominator)?);
        Ok(Self::coprime(numerator, denominator))
    }

    /// The quotient of coprime polynomials, the denominator nonzero; only the sign is normalized.
    pub(crate) fn coprime(numerator: Polynomial, denominator: Polynomial) -> Self {
        if denominator.is_negative() {
            RationalFunction { numerator: -numerator, denominator: -denominator }
        } else {
            RationalFunction { numerator, denominator }
        }
    }

    /// The quotient by a nonzero integer.
    pub(crate) fn over_integer(numerator: Polynomial, denominator: Integer) -> Self {
        if numerator.is_zero() {
            return Self::zero();
        }
        let mut gcd = integer_gcd(&numerator.content(), &denominator);
        if denominator.sign() == Sign::Negative {
            gcd = -gcd;
        }
        let numerator = numerator.divide_content(&gcd);
        RationalFunction { numerator, denominator: Polynomial::integer(denominator / gcd) }
    }

    /// The numerator.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The denominator: nonzero, its leading coefficient positive.
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// Is this 0?
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Is this 1?
    pub fn is_one(&self) -> bool {
        self.numerator.is_one() && self.denominator.is_one()
    }

    /// Is the denominator 1?
    pub fn is_polynomial(&self) -> bool {
        self.denominator.is_one()
    }

    /// The value of a constant.
    pub fn as_rational(&self) -> Option<Rational> {
        let (p, q) = (self.numerator.as_integer()?, self.denominator.as_integer()?);
        Some(Rational::from_parts_signed(p, q))
    }

    /// The variables that occur, ascending.
    pub fn variables(&self) -> Vec<Variable> {
        self.numerator.frame().union(self.denominator.frame()).as_slice().to_vec()
    }

    /// Checks the canonical form by computation. Always true for a value of this type; meant for
    /// tests.
    ///
    /// # Panics
    /// If the fuel ends.
    pub fn is_canonical(&self) -> bool {
        let gcd = self.numerator.gcd(&self.denominator).expect("tests have fuel");
        let positive = !self.denominator.is_zero() && !self.denominator.is_negative();
        gcd.is_one() && positive
    }

    /// The number of terms of numerator and denominator.
    pub(crate) fn term_count(&self) -> usize {
        self.numerator.term_count() + self.denominator.term_count()
    }
}
