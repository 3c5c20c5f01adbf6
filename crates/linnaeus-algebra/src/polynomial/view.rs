//! A polynomial as a list of exponents, and as a polynomial in one variable.

use super::{Polynomial, Terms, each_representation};
use crate::Integer;
use crate::fuel::charge;
use crate::monomial::{Boxed, Monomial};
use crate::variables::{Variable, Variables};

impl Polynomial {
    /// The list of variables that occur.
    pub(crate) fn frame(&self) -> &Variables {
        &self.variables
    }

    /// The exponent of the `i`-th variable in the `t`-th term.
    pub(crate) fn exponent(&self, t: usize, i: usize) -> u32 {
        each_representation!(self, terms => terms[t].0.exponent(self.variables.len(), i))
    }

    /// The coefficient of the `t`-th term.
    pub(crate) fn coefficient(&self, t: usize) -> &Integer {
        each_representation!(self, terms => &terms[t].1)
    }

    /// The coefficients, leading term first.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = &Integer> {
        (0..self.term_count()).map(|t| self.coefficient(t))
    }

    /// The degree in the `i`-th variable.
    pub(crate) fn degree_at(&self, i: usize) -> u32 {
        let n = self.variables.len();
        each_representation!(self, terms => {
            terms.iter().map(|(m, _)| m.exponent(n, i)).max().unwrap_or(0)
        })
    }

    /// The smallest exponent of the `i`-th variable in a term; 0 for the zero polynomial.
    pub(crate) fn order_at(&self, i: usize) -> u32 {
        let n = self.variables.len();
        each_representation!(self, terms => {
            terms.iter().map(|(m, _)| m.exponent(n, i)).min().unwrap_or(0)
        })
    }

    /// The same monomials with other, nonzero, coefficients.
    pub(crate) fn map_coefficients(&self, f: impl Fn(&Integer) -> Integer) -> Self {
        charge(self.term_count());
        let terms = match &self.terms {
            Terms::Narrow(terms) => Terms::Narrow(terms.iter().map(|(m, c)| (*m, f(c))).collect()),
            Terms::Wide(terms) => Terms::Wide(terms.iter().map(|(m, c)| (m.clone(), f(c))).collect()),
        };
        Polynomial { variables: self.variables.clone(), terms }
    }

    /// The polynomial with the exponents of the `i`-th variable changed by a strictly increasing
    /// function that fixes 0, so that the order of the terms stays.
    pub(crate) fn map_exponents(&self, f: impl Fn(usize, u32) -> u32) -> Self {
        charge(self.term_count());
        let n = self.variables.len();
        let monomial = |t: usize| {
            let exponents: Vec<u32> = (0..n).map(|i| f(i, self.exponent(t, i))).collect();
            Boxed::from_exponents(&exponents)
        };
        let terms = (0..self.term_count()).map(|t| (monomial(t), self.coefficient(t).clone()));
        Self::from_wide(&self.variables, terms.collect())
    }

    /// The nonzero coefficients as a polynomial in `v`, by descending exponent.
    pub(crate) fn grouped_by(&self, v: Variable) -> Vec<(u32, Polynomial)> {
        let Some(place) = self.variables.position(v) else {
            return if self.is_zero() { Vec::new() } else { vec![(0, self.clone())] };
        };
        charge(usize::try_from(self.work()).unwrap_or(usize::MAX));
        let n = self.variables.len();
        let others: Vec<usize> = (0..n).filter(|&i| i != place).collect();
        let names: Vec<Variable> = others.iter().map(|&i| self.variables.as_slice()[i]).collect();
        let frame = Variables::from_ascending(&names);
        match &self.terms {
            Terms::Narrow(terms) => split(terms, n, place, &others)
                .into_iter()
                .map(|(e, group)| (e, Self::from_narrow(&frame, group)))
                .collect(),
            Terms::Wide(terms) => split(terms, n, place, &others)
                .into_iter()
                .map(|(e, group)| (e, Self::from_wide(&frame, group)))
                .collect(),
        }
    }

    /// The coefficients as a polynomial in `v`: dense, the index is the degree; empty for 0.
    /// A degree from outside should be looked at first: the list is that long.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// let p = y.pow(2).unwrap() + x.clone();
    /// assert_eq!(p.coefficients_in(Variable(1)), [x, Polynomial::zero(), Polynomial::one()]);
    /// ```
    pub fn coefficients_in(&self, v: Variable) -> Vec<Polynomial> {
        let groups = self.grouped_by(v);
        let len = groups.first().map_or(0, |&(e, _)| e as usize + 1);
        let mut coefficients = vec![Self::zero(); len];
        for (e, c) in groups {
            coefficients[e as usize] = c;
        }
        coefficients
    }

    /// Σ cᵢ vⁱ, the inverse of [`Polynomial::coefficients_in`].
    ///
    /// # Panics
    /// If `v` occurs in a coefficient and its exponent passes `u32::MAX`.
    pub fn from_coefficients_in(v: Variable, coefficients: &[Polynomial]) -> Self {
        let powers = coefficients.iter().zip(0u32..).filter(|(c, _)| !c.is_zero());
        Self::sum(powers.map(|(c, e)| c.times_power(v, e)).collect())
    }

    /// The leading coefficient as a polynomial in `v`.
    pub(crate) fn leading_coefficient_in(&self, v: Variable) -> Polynomial {
        self.grouped_by(v).into_iter().next().map_or_else(Self::zero, |(_, c)| c)
    }
}

/// Splits terms by the exponent at `place` among `n`, descending; the monomials keep `others`.
fn split<M: Monomial>(
    terms: &[(M, Integer)],
    n: usize,
    place: usize,
    others: &[usize],
) -> Vec<(u32, Vec<(M, Integer)>)> {
    let mut exponents: Vec<u32> = terms.iter().map(|(m, _)| m.exponent(n, place)).collect();
    exponents.sort_unstable_by(|a, b| b.cmp(a));
    exponents.dedup();
    let mut groups: Vec<_> = exponents.iter().map(|&e| (e, Vec::new())).collect();
    for (m, c) in terms {
        let e = m.exponent(n, place);
        let group = exponents.partition_point(|&other| other > e);
        groups[group].1.push((m.restricted(others, n), c.clone()));
    }
    groups
}
