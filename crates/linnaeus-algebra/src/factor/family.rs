//! A polynomial in one variable whose coefficients depend on parameters, and its members.

use super::dense::{self, Dense};
use super::prime_field::PrimeField;
use super::residue::{self, Residues};
use crate::{Exhausted, Integer, Polynomial, Variable, spend};

/// c·xᵏ·∏ yᵢ^eᵢ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term<C> {
    pub(super) x: usize,
    pub(super) y: Vec<u32>,
    pub(super) c: C,
}

/// A polynomial in ℤ\[y₁, …, yₘ\]\[x\] laid out for evaluation at many points y.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// Ascending by (x, y).
    terms: Vec<Term<Integer>>,
    /// The degrees in y₁, …, yₘ.
    degrees: Vec<u32>,
}

impl Family {
    /// All variables of f must be x or among the parameters.
    pub(super) fn new(f: &Polynomial, x: Variable, parameters: &[Variable]) -> Self {
        let mut terms: Vec<Term<Integer>> = f
            .terms()
            .map(|(monomial, c)| {
                let mut term = Term { x: 0, y: vec![0; parameters.len()], c: c.clone() };
                for (v, e) in monomial {
                    match parameters.iter().position(|&y| y == v) {
                        Some(i) => term.y[i] = e,
                        None => {
                            debug_assert_eq!(v, x);
                            term.x = e as usize;
                        }
                    }
                }
                term
            })
            .collect();
        terms.sort_unstable_by(|a, b| (a.x, &a.y).cmp(&(b.x, &b.y)));
        let degrees = parameters.iter().map(|&y| f.degree_in(y)).collect();
        Self { terms, degrees }
    }

    /// The degree in x.
    pub(super) fn degree(&self) -> usize {
        self.terms.last().map_or(0, |term| term.x)
    }

    /// The member at a point of ℤᵐ.
    pub(super) fn member(&self, point: &[Integer]) -> Result<Dense, Exhausted> {
        spend((self.terms.len() * (point.len() + 1)) as u64)?;
        let powers: Vec<Vec<Integer>> = point
            .iter()
            .zip(&self.degrees)
            .map(|(a, &d)| {
                let next = |power: &Integer| Some(power * a);
                std::iter::successors(Some(Integer::ONE), next).take(d as usize + 1).collect()
            })
            .collect();
        let mut member = vec![Integer::ZERO; self.degree() + 1];
        for term in &self.terms {
            let factors = term.y.iter().zip(&powers).filter(|(e, _)| **e > 0);
            member[term.x] += factors.fold(term.c.clone(), |c, (&e, power)| c * &power[e as usize]);
        }
        Ok(dense::trim(member))
    }

    /// The member at a point of 𝔽_pᵐ.
    pub(super) fn residue(&self, field: PrimeField, point: &[u64]) -> Result<Residues, Exhausted> {
        spend((self.terms.len() * (point.len() + 1)) as u64)?;
        let powers: Vec<Vec<u64>> = point
            .iter()
            .zip(&self.degrees)
            .map(|(&a, &d)| {
                let next = |power: &u64| Some(field.mul(*power, a));
                std::iter::successors(Some(1), next).take(d as usize + 1).collect()
            })
            .collect();
        let mut residue = vec![0; self.degree() + 1];
        for term in &self.terms {
            let factors = term.y.iter().zip(&powers).filter(|(e, _)| **e > 0);
            let c = factors.fold(field.reduce(&term.c), |c, (&e, power)| field.mul(c, power[e as usize]));
            residue[term.x] = field.add(residue[term.x], c);
        }
        Ok(residue::trim(residue))
    }

    /// The same polynomial over 𝔽_p.
    pub(super) fn reduce(&self, field: PrimeField) -> Vec<Term<u64>> {
        let reduce = |t: &Term<Integer>| Term { x: t.x, y: t.y.clone(), c: field.reduce(&t.c) };
        self.terms.iter().map(reduce).filter(|t| t.c != 0).collect()
    }
}

/// Sets the last parameter of terms ascending by (x, y) to a; the rest stays ascending.
pub(super) fn specialize_last(terms: &[Term<u64>], a: u64, field: PrimeField) -> Result<Vec<Term<u64>>, Exhausted> {
    spend(terms.len() as u64)?;
    let mut special: Vec<Term<u64>> = Vec::with_capacity(terms.len());
    for term in terms {
        let (&e, y) = term.y.split_last().expect("a parameter is left");
        let c = field.mul(term.c, field.pow(a, u64::from(e)));
        match special.last_mut() {
            Some(last) if last.x == term.x && last.y == y => last.c = field.add(last.c, c),
            _ => special.push(Term { x: term.x, y: y.to_vec(), c }),
        }
    }
    special.retain(|term| term.c != 0);
    Ok(special)
}
