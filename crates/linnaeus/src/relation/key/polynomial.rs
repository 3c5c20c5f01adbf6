//! Polynomials in one variable over the prime field, coefficients by rising powers; an empty one is zero.

use crate::prime_field::{add, invert, multiply, negate};
use std::sync::OnceLock;

/// There are at most so many points to interpolate at.
pub const MAX_POINTS: usize = 32;

/// The polynomial with these values at 0, 1, 2, …, coefficients by rising powers.
pub fn interpolate(values: &[u64]) -> Vec<u64> {
    // Newton's divided differences.
    let mut differences = values.to_vec();
    for step in 1..values.len() {
        let inverse = inverse_of(step);
        for i in (step..values.len()).rev() {
            differences[i] = multiply(add(differences[i], negate(differences[i - 1])), inverse);
        }
    }
    let mut found: Vec<u64> = Vec::new();
    for i in (0..values.len()).rev() {
        // found · (z − i) + differences[i]
        found.insert(0, 0);
        for j in 0..found.len() - 1 {
            found[j] = add(found[j], negate(multiply(found[j + 1], i as u64)));
        }
        found[0] = add(found[0], differences[i]);
    }
    trim(found)
}

/// 1/n for the numbers of points that occur.
fn inverse_of(n: usize) -> u64 {
    static TABLE: OnceLock<Vec<u64>> = OnceLock::new();
    TABLE.get_or_init(|| (0..=MAX_POINTS as u64).map(|n| if n == 0 { 0 } else { invert(n) }).collect())[n]
}

/// Without leading zeros.
pub fn trim(mut p: Vec<u64>) -> Vec<u64> {
    while p.last() == Some(&0) {
        p.pop();
    }
    p
}

/// The greatest common divisor up to a number.
pub fn gcd(mut a: Vec<u64>, mut b: Vec<u64>) -> Vec<u64> {
    while !b.is_empty() {
        (a, b) = (b.clone(), divided(a, &b).1);
    }
    a
}

/// Quotient and remainder.
pub fn divided(mut a: Vec<u64>, b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let lead = invert(b[b.len() - 1]);
    let mut quotient = vec![0; (a.len() + 1).saturating_sub(b.len())];
    while a.len() >= b.len() {
        let factor = multiply(a[a.len() - 1], lead);
        let shift = a.len() - b.len();
        quotient[shift] = factor;
        for (i, x) in b.iter().enumerate() {
            a[shift + i] = add(a[shift + i], negate(multiply(factor, *x)));
        }
        a = trim(a);
    }
    (quotient, a)
}
