//! Sums and differences by merging.

use std::cmp::Ordering;
use std::ops::{Add, Neg, Sub};

use super::frame::Aligned;
use super::{Few, Polynomial, Term, Terms};
use crate::Integer;
use crate::fuel::charge;
use crate::monomial::{Monomial, Packed};
use crate::variables::{FEW, Variable, Variables};

/// Sorts the terms, adds those with equal monomials and drops zeros.
pub(super) fn combine<M: Monomial>(mut terms: Vec<Term<M>>) -> Vec<Term<M>> {
    charge(terms.len());
    terms.sort_by(|a, b| b.0.cmp(&a.0));
    let mut sum: Vec<Term<M>> = Vec::with_capacity(terms.len());
    for (m, c) in terms {
        match sum.last_mut() {
            Some(last) if last.0 == m => last.1 += c,
            _ => {
                drop_zero(&mut sum);
                sum.push((m, c));
            }
        }
    }
    drop_zero(&mut sum);
    sum
}

fn drop_zero<M>(sum: &mut Vec<Term<M>>) {
    if sum.last().is_some_and(|(_, c)| c.is_zero()) {
        sum.pop();
    }
}

/// Merges two sorted lists: `add` where monomials meet, `signed` on the lone terms of `b`.
fn merge<M: Monomial>(
    a: &[Term<M>],
    b: &[Term<M>],
    signed: impl Fn(&Integer) -> Integer,
    add: impl Fn(&Integer, &Integer) -> Integer,
) -> Vec<Term<M>> {
    charge(a.len() + b.len());
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            Ordering::Greater => {
                sum.push(a[i].clone());
                i += 1;
            }
            Ordering::Less => {
                sum.push((b[j].0.clone(), signed(&b[j].1)));
                j += 1;
            }
            Ordering::Equal => {
                let c = add(&a[i].1, &b[j].1);
                if !c.is_zero() {
                    sum.push((a[i].0.clone(), c));
                }
                i += 1;
                j += 1;
            }
        }
    }
    sum.extend_from_slice(&a[i..]);
    sum.extend(b[j..].iter().map(|(m, c)| (m.clone(), signed(c))));
    sum
}

impl Polynomial {
    fn merged(
        &self,
        other: &Self,
        signed: impl Fn(&Integer) -> Integer,
        add: impl Fn(&Integer, &Integer) -> Integer,
    ) -> Self {
        let frame = self.variables.union(&other.variables);
        match self.aligned(other, &frame) {
            Aligned::Narrow(a, b) => Self::from_narrow(&frame, merge(&a, &b, signed, add)),
            Aligned::Wide(a, b) => Self::from_wide(&frame, merge(&a, &b, signed, add)),
        }
    }

    /// The sum of many polynomials, by one sort.
    pub(crate) fn sum(summands: Vec<Polynomial>) -> Self {
        let mut summands = summands;
        summands.retain(|p| !p.is_zero());
        if summands.len() <= 1 {
            return summands.pop().unwrap_or_else(Self::zero);
        }
        let frame = summands.iter().fold(Variables::NONE, |f, p| f.union(&p.variables));
        let narrow: Option<Vec<_>> =
            if frame.len() <= FEW { summands.iter().map(|p| p.narrow_in(&frame)).collect() } else { None };
        match narrow {
            Some(parts) => Self::from_narrow(&frame, combine(parts.concat())),
            None => {
                let parts: Vec<_> = summands.iter().map(|p| p.wide_in(&frame)).collect();
                Self::from_wide(&frame, combine(parts.concat()))
            }
        }
    }

    /// The polynomial with its variables changed; variables that become equal are identified.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// assert_eq!((&x - &y).rename(&|_| Variable(7)), Polynomial::zero());
    /// assert_eq!((&x - &y).rename(&|v| Variable(1 - v.0)), &y - &x);
    /// ```
    ///
    /// # Panics
    /// If exponents of identified variables add up to more than `u32::MAX`.
    pub fn rename(&self, f: &dyn Fn(Variable) -> Variable) -> Self {
        let images: Vec<Variable> = self.variables.as_slice().iter().map(|&v| f(v)).collect();
        if images.windows(2).all(|w| w[0] < w[1]) {
            // The order of the variables is that of the terms.
            return Polynomial { variables: Variables::from_ascending(&images), terms: self.terms.clone() };
        }
        let mut sorted = images.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == images.len()
            && let Terms::Narrow(terms) = &self.terms
        {
            let variables = Variables::from_ascending(&sorted);
            let places: Vec<usize> = images.iter().filter_map(|v| variables.position(*v)).collect();
            let renamed = |(m, c): &Term<Packed>| (m.in_frame(&places, sorted.len()), c.clone());
            let mut terms: Few = terms.iter().map(renamed).collect();
            charge(terms.len());
            terms.sort_unstable_by_key(|t| std::cmp::Reverse(t.0));
            return Polynomial { variables, terms: Terms::Narrow(terms) };
        }
        let renamed = |powers: Vec<(Variable, u32)>| powers.into_iter().map(|(v, e)| (f(v), e));
        Self::from_terms(self.terms().map(|(powers, c)| (renamed(powers).collect(), c.clone())))
    }
}

impl Add<&Polynomial> for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: &Polynomial) -> Polynomial {
        if self.is_zero() {
            other.clone()
        } else if other.is_zero() {
            self.clone()
        } else {
            self.merged(other, Integer::clone, |a, b| a + b)
        }
    }
}

impl Sub<&Polynomial> for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: &Polynomial) -> Polynomial {
        if other.is_zero() { self.clone() } else { self.merged(other, |c| -c, |a, b| a - b) }
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        self.map_coefficients(|c| -c)
    }
}

impl Neg for Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        -&self
    }
}

/// The operator on values, through the one on references.
macro_rules! on_values {
    ($operator:ident, $method:ident) => {
        impl $operator<Polynomial> for Polynomial {
            type Output = Polynomial;
            fn $method(self, other: Polynomial) -> Polynomial {
                $operator::$method(&self, &other)
            }
        }
        impl $operator<&Polynomial> for Polynomial {
            type Output = Polynomial;
            fn $method(self, other: &Polynomial) -> Polynomial {
                $operator::$method(&self, other)
            }
        }
        impl $operator<Polynomial> for &Polynomial {
            type Output = Polynomial;
            fn $method(self, other: Polynomial) -> Polynomial {
                $operator::$method(self, &other)
            }
        }
    };
}
on_values!(Add, add);
on_values!(Sub, sub);
