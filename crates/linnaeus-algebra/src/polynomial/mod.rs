//! Sparse polynomials in any number of variables over ℤ.

mod frame;
mod product;
mod quotient;
mod substitution;
mod sum;
mod view;

use dashu_int::Sign;
use dashu_int::ops::{Abs, Gcd};
use smallvec::{SmallVec, smallvec};

use crate::Integer;
use crate::fuel::charge;
use crate::monomial::{Boxed, Monomial, Packed};
use crate::variables::{Variable, Variables};

pub use product::Multiplicative;
pub(crate) use product::words;
pub use substitution::multiply_mod;
pub(crate) use substitution::{power_mod, residue};

/// A monomial with its coefficient.
pub(crate) type Term<M> = (M, Integer);

/// Packed terms, two of them in place: most polynomials of a small matrix are no longer than `z - 1`.
pub(crate) type Few = SmallVec<[Term<Packed>; 2]>;

/// Terms with nonzero coefficients in strictly descending order.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Terms {
    /// At most eight variables, exponents at most 127.
    Narrow(Few),
    /// Everything else.
    Wide(Vec<Term<Boxed>>),
}

impl Clone for Terms {
    /// Copies short lists without the loop that long ones take.
    fn clone(&self) -> Terms {
        match self {
            Terms::Narrow(few) => Terms::Narrow(match few.as_slice() {
                [] => Few::new(),
                [only] => smallvec![only.clone()],
                [first, second] => Few::from_buf([first.clone(), second.clone()]),
                all => Few::from_vec(all.to_vec()),
            }),
            Terms::Wide(all) => Terms::Wide(all.clone()),
        }
    }
}

/// A polynomial with integer coefficients.
///
/// Canonical: the variables kept are those that occur, terms are sorted and nonzero, and the
/// narrow representation is used exactly when it suffices. So `==` is equality of polynomials.
/// Terms are ordered lexicographically, the most main variable first. [`Ord`] is some total order,
/// the same on every run.
///
/// ```
/// use linnaeus_algebra::{Polynomial, Variable};
/// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
/// let p = (&x + &y).mul(&(&x - &y)).unwrap();
/// assert_eq!(p, x.square().unwrap() - y.square().unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Polynomial {
    variables: Variables,
    terms: Terms,
}

/// Evaluates `$body` with `$terms` bound to the terms, packed or boxed.
macro_rules! each_representation {
    ($polynomial:expr, $terms:ident => $body:expr) => {
        match &$polynomial.terms {
            $crate::polynomial::Terms::Narrow($terms) => $body,
            $crate::polynomial::Terms::Wide($terms) => $body,
        }
    };
}
pub(crate) use each_representation;

impl Polynomial {
    /// The polynomial 0.
    pub fn zero() -> Self {
        Polynomial { variables: Variables::NONE, terms: Terms::Narrow(Few::new()) }
    }

    /// The polynomial 1.
    pub fn one() -> Self {
        Self::integer(1)
    }

    /// A constant.
    pub fn integer(n: impl Into<Integer>) -> Self {
        let n = n.into();
        let terms = if n.is_zero() { Few::new() } else { smallvec![(0, n)] };
        Polynomial { variables: Variables::NONE, terms: Terms::Narrow(terms) }
    }

    /// The polynomial `v`.
    pub fn variable(v: Variable) -> Self {
        let terms = Terms::Narrow(smallvec![(1, Integer::ONE)]);
        Polynomial { variables: Variables::single(v), terms }
    }

    /// The sum of the given terms, in any order; powers of one variable within a term multiply.
    ///
    /// # Panics
    /// If the exponents of a variable within one term add up to more than `u32::MAX`.
    pub fn from_terms(terms: impl IntoIterator<Item = (Vec<(Variable, u32)>, Integer)>) -> Self {
        let terms: Vec<_> = terms.into_iter().collect();
        let mut all: Vec<Variable> = terms.iter().flat_map(|(m, _)| m.iter().map(|&(v, _)| v)).collect();
        all.sort_unstable();
        all.dedup();
        let frame = Variables::from_ascending(&all);
        let boxed = |(powers, c): (Vec<(Variable, u32)>, Integer)| {
            let mut exponents = vec![0u32; all.len()];
            for (v, e) in powers {
                let place = frame.position(v).expect("collected above");
                exponents[place] = exponents[place].checked_add(e).expect("exponent above u32");
            }
            (Boxed::from_exponents(&exponents), c)
        };
        let terms = sum::combine(terms.into_iter().map(boxed).collect());
        Self::from_wide(&frame, terms)
    }

    /// Is this 0?
    pub fn is_zero(&self) -> bool {
        self.term_count() == 0
    }

    /// Is this 1?
    pub fn is_one(&self) -> bool {
        self.is_constant() && self.term_count() == 1 && self.coefficient(0).is_one()
    }

    /// Has this no variable?
    pub fn is_constant(&self) -> bool {
        self.variables.len() == 0
    }

    /// The value of a constant polynomial.
    pub fn as_integer(&self) -> Option<Integer> {
        self.is_constant().then(|| self.leading_coefficient())
    }

    /// The variables that occur, ascending.
    pub fn variables(&self) -> Vec<Variable> {
        self.variables.as_slice().to_vec()
    }

    /// The degree in `v`; 0 for the zero polynomial.
    pub fn degree_in(&self, v: Variable) -> u32 {
        self.variables.position(v).map_or(0, |i| self.degree_at(i))
    }

    /// The largest sum of exponents of a term, at most `u32::MAX`; 0 for the zero polynomial.
    pub fn total_degree(&self) -> u32 {
        let n = self.variables.len();
        let sum = |t| (0..n).map(|i| u64::from(self.exponent(t, i))).sum::<u64>();
        let degree = (0..self.term_count()).map(sum).max().unwrap_or(0);
        u32::try_from(degree).unwrap_or(u32::MAX)
    }

    /// The number of terms.
    pub fn term_count(&self) -> usize {
        each_representation!(self, terms => terms.len())
    }

    /// The terms, leading term first; each monomial lists its powers by ascending variable.
    pub fn terms(&self) -> impl Iterator<Item = (Vec<(Variable, u32)>, &Integer)> {
        (0..self.term_count()).map(|t| {
            let powers = self.variables.as_slice().iter().enumerate();
            let powers = powers.map(|(i, &v)| (v, self.exponent(t, i))).filter(|&(_, e)| e > 0);
            (powers.collect(), self.coefficient(t))
        })
    }

    /// The coefficient of the leading term; 0 for the zero polynomial.
    pub fn leading_coefficient(&self) -> Integer {
        if self.is_zero() { Integer::ZERO } else { self.coefficient(0).clone() }
    }

    /// Is the leading coefficient negative?
    pub(crate) fn is_negative(&self) -> bool {
        !self.is_zero() && self.coefficient(0).sign() == Sign::Negative
    }

    /// Every coefficient multiplied by `n`.
    pub fn scale(&self, n: &Integer) -> Self {
        if n.is_zero() {
            return Self::zero();
        }
        self.map_coefficients(|c| c * n)
    }

    /// Every coefficient divided by `n`, which must divide them all.
    pub(crate) fn divide_content(&self, n: &Integer) -> Self {
        if n.is_one() { self.clone() } else { self.map_coefficients(|c| c / n) }
    }

    /// The greatest common divisor of the coefficients; never negative, 0 only for 0.
    pub fn content(&self) -> Integer {
        charge(self.term_count());
        let mut content = Integer::ZERO;
        for t in 0..self.term_count() {
            content = integer_gcd(&content, self.coefficient(t));
            if content.is_one() {
                break;
            }
        }
        content
    }

    /// The polynomial divided by its content, with the sign that makes the leading coefficient
    /// positive.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let x = Polynomial::variable(Variable(0));
    /// let p = Polynomial::integer(6) - x.scale(&4.into());
    /// assert_eq!(p.primitive_part(), x.scale(&2.into()) - Polynomial::integer(3));
    /// ```
    pub fn primitive_part(&self) -> Self {
        if self.is_zero() {
            return Self::zero();
        }
        let content = self.content();
        self.divide_content(&if self.is_negative() { -content } else { content })
    }

    /// The polynomial or its negative, so that the leading coefficient is positive.
    pub(crate) fn with_positive_lead(self) -> Self {
        if self.is_negative() { -self } else { self }
    }

    /// The partial derivative by `v`.
    pub fn derivative(&self, v: Variable) -> Self {
        let groups = self.grouped_by(v);
        let derive = |(e, c): (u32, Polynomial)| (e > 0).then(|| c.scale(&e.into()).times_power(v, e - 1));
        Self::sum(groups.into_iter().filter_map(derive).collect())
    }
}

/// The greatest common divisor, not negative.
pub(crate) fn integer_gcd(a: &Integer, b: &Integer) -> Integer {
    if a.is_zero() {
        b.clone().abs()
    } else if b.is_zero() {
        a.clone().abs()
    } else {
        a.gcd(b).into()
    }
}
