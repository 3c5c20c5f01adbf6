//! Dense univariate polynomials over ℤ: `f[k]` is the coefficient of xᵏ, the last one nonzero.

use super::prime_field::PrimeField;
use super::residue::{self, Residues};
use crate::{Exhausted, Integer, Polynomial, Variable, spend};
use dashu_int::ops::{BitTest, DivRem, Gcd, SquareRoot};

/// A univariate polynomial over ℤ; the zero polynomial is empty.
pub(super) type Dense = Vec<Integer>;

/// The degree, with deg 0 = 0.
pub(super) fn degree(f: &[Integer]) -> usize {
    f.len().saturating_sub(1)
}

/// Drops leading zeros.
pub(super) fn trim(mut f: Dense) -> Dense {
    while f.last().is_some_and(Integer::is_zero) {
        f.pop();
    }
    f
}

/// The highest degree that is written out coefficient by coefficient.
const HIGHEST: u32 = 1 << 20;

/// Spends the cost of writing f out in each of its variables.
pub(super) fn affordable(f: &Polynomial) -> Result<(), Exhausted> {
    for v in f.variables() {
        if f.degree_in(v) > HIGHEST {
            return Err(Exhausted);
        }
        spend(u64::from(f.degree_in(v)) + f.term_count() as u64)?;
    }
    Ok(())
}

/// The coefficients of a polynomial in which only v occurs.
pub(super) fn from_polynomial(f: &Polynomial, v: Variable) -> Dense {
    let mut dense = vec![Integer::ZERO; f.degree_in(v) as usize + 1];
    for (monomial, c) in f.terms() {
        dense[monomial.first().map_or(0, |&(_, e)| e as usize)] = c.clone();
    }
    trim(dense)
}

pub(super) fn to_polynomial(f: &[Integer], v: Variable) -> Polynomial {
    let term = |(k, c): (usize, &Integer)| (power(v, k as u32), c.clone());
    Polynomial::from_terms(f.iter().enumerate().map(term))
}

/// vᵉ as a list of factors.
pub(super) fn power(v: Variable, e: u32) -> Vec<(Variable, u32)> {
    if e == 0 { Vec::new() } else { vec![(v, e)] }
}

/// The greatest common divisor of the coefficients, with the sign of the leading one.
pub(super) fn content(f: &[Integer]) -> Integer {
    let mut content = Integer::ZERO;
    for c in f.iter().rev() {
        content = Integer::from(content.gcd(c));
        if content.is_one() {
            break;
        }
    }
    if f.last().is_some_and(|lead| *lead < Integer::ZERO) { -content } else { content }
}

/// f over its content: primitive, with positive leading coefficient.
pub(super) fn primitive(f: &[Integer]) -> Dense {
    let content = content(f);
    if content.is_one() { f.to_vec() } else { f.iter().map(|c| c / &content).collect() }
}

/// f mod p.
pub(super) fn reduce(f: &[Integer], field: PrimeField) -> Residues {
    residue::trim(f.iter().map(|c| field.reduce(c)).collect())
}

/// f/g when g divides f over ℤ.
pub(super) fn exact_quotient(f: &[Integer], g: &[Integer]) -> Result<Option<Dense>, Exhausted> {
    if f.len() < g.len() {
        return Ok(None);
    }
    let (mut r, n) = (f.to_vec(), g.len());
    let mut q = vec![Integer::ZERO; r.len() - n + 1];
    for k in (0..q.len()).rev() {
        spend(n as u64)?;
        let (c, rest) = (&r[k + n - 1]).div_rem(&g[n - 1]);
        if !rest.is_zero() {
            return Ok(None);
        }
        if !c.is_zero() {
            r[k..k + n].iter_mut().zip(g).for_each(|(a, b)| *a -= &c * b);
        }
        q[k] = c;
    }
    Ok(r.iter().all(Integer::is_zero).then_some(q))
}

/// The number of bits of Mignotte's bound: for g dividing f, with leading coefficients b and a,
/// the coefficients of (a/b)·g are at most 2^(deg g)·‖f‖₂ in absolute value.
pub(super) fn mignotte_bits(f: &[Integer]) -> usize {
    let squares: Integer = f.iter().map(|c| c * c).sum();
    degree(f) + squares.sqrt().bit_len() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(coefficients: &[i64]) -> Dense {
        coefficients.iter().map(|&c| Integer::from(c)).collect()
    }

    #[test]
    fn division_is_exact_or_refused() {
        let f = dense(&[-6, 1, 2]);
        assert_eq!(exact_quotient(&f, &dense(&[-3, 2])), Ok(Some(dense(&[2, 1]))));
        assert_eq!(exact_quotient(&f, &dense(&[-3, 1])), Ok(None));
        assert_eq!(exact_quotient(&f, &dense(&[-6, 4])), Ok(None));
    }

    #[test]
    fn primitive_part_is_positive() {
        assert_eq!(primitive(&dense(&[4, 0, -6])), dense(&[-2, 0, 3]));
    }
}
