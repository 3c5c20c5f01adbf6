//! The primitive polynomial remainder sequence: slow, deterministic, always right.
//!
//! Euclid's algorithm with pseudo-remainders, contents removed after each step. It is the last
//! resort of the modular algorithms and what they are tested against.

use super::content_and_part;
use crate::fuel::Exhausted;
use crate::polynomial::Polynomial;
use crate::variables::Variable;

/// The primitive part of the greatest common divisor of two nonzero polynomials.
pub(crate) fn gcd(a: &Polynomial, b: &Polynomial) -> Result<Polynomial, Exhausted> {
    let Some(&v) = a.frame().union(b.frame()).as_slice().last() else {
        return Ok(Polynomial::one());
    };
    let (content_a, mut a) = content_and_part(a, v)?;
    let (content_b, mut b) = content_and_part(b, v)?;
    let content = content_a.gcd(&content_b)?;
    if a.degree_in(v) < b.degree_in(v) {
        std::mem::swap(&mut a, &mut b);
    }
    while b.degree_in(v) > 0 {
        let remainder = pseudo_remainder(&a, &b, v)?;
        if remainder.is_zero() {
            return Ok(content.mul(&b)?.primitive_part());
        }
        a = b;
        b = content_and_part(&remainder, v)?.1;
    }
    Ok(content.primitive_part())
}

/// The remainder of `a`, times a power of the leading coefficient of `b`, by `b` in `v`.
fn pseudo_remainder(a: &Polynomial, b: &Polynomial, v: Variable) -> Result<Polynomial, Exhausted> {
    let (degree, lead) = (b.degree_in(v), b.leading_coefficient_in(v));
    let mut remainder = a.clone();
    while !remainder.is_zero() && remainder.degree_in(v) >= degree {
        let top = remainder.leading_coefficient_in(v);
        let shift = remainder.degree_in(v) - degree;
        let subtrahend = b.mul(&top)?.times_power(v, shift);
        remainder = remainder.mul(&lead)? - subtrahend;
    }
    Ok(remainder)
}
