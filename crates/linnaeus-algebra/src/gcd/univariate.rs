//! Dense polynomials in one variable over a prime field: the images at the bottom of everything.

use super::field::PrimeField;
use crate::fuel::{Exhausted, spend};

/// The degree of a dense polynomial with trailing zeros allowed; `None` for 0.
pub(super) fn degree(p: &[u64]) -> Option<usize> {
    p.iter().rposition(|&c| c != 0)
}

/// The value at a point.
pub(super) fn evaluate(field: PrimeField, p: &[u64], x: u64) -> u64 {
    p.iter().rev().fold(0, |value, &c| field.add(field.mul(value, x), c))
}

/// Π (y − root), by ascending degree.
pub(super) fn product_of_linear(field: PrimeField, roots: &[u64]) -> Vec<u64> {
    let mut product = vec![1];
    for &root in roots {
        times_linear(field, &mut product, root);
    }
    product
}

/// Multiplies `p` by y − root.
pub(super) fn times_linear(field: PrimeField, p: &mut Vec<u64>, root: u64) {
    p.push(0);
    for i in (0..p.len()).rev() {
        let below = if i == 0 { 0 } else { p[i - 1] };
        p[i] = field.sub(below, field.mul(p[i], root));
    }
}

/// The monic greatest common divisor, by Euclid; empty when both are 0.
pub(super) fn gcd(field: PrimeField, mut a: Vec<u64>, mut b: Vec<u64>) -> Result<Vec<u64>, Exhausted> {
    trim(&mut a);
    trim(&mut b);
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    while !b.is_empty() {
        spend((a.len() - b.len() + 1) as u64 * b.len() as u64)?;
        reduce(field, &mut a, &b);
        std::mem::swap(&mut a, &mut b);
    }
    make_monic(field, &mut a);
    Ok(a)
}

/// Replaces `a` by its remainder by `b`, which must be trimmed and not empty.
fn reduce(field: PrimeField, a: &mut Vec<u64>, b: &[u64]) {
    let lead = field.inverse(b[b.len() - 1]);
    while a.len() >= b.len() {
        let shift = a.len() - b.len();
        let factor = field.mul(a[a.len() - 1], lead);
        if factor != 0 {
            for (x, &y) in a[shift..].iter_mut().zip(b) {
                *x = field.sub(*x, field.mul(factor, y));
            }
        }
        a.pop();
    }
    trim(a);
}

fn make_monic(field: PrimeField, p: &mut [u64]) {
    if let Some(&lead) = p.last() {
        let inverse = field.inverse(lead);
        for c in p {
            *c = field.mul(*c, inverse);
        }
    }
}

fn trim(p: &mut Vec<u64>) {
    p.truncate(degree(p).map_or(0, |d| d + 1));
}

/// The image of a multivariate gcd at a point: monic times the value of the leading coefficient.
pub(super) enum Image {
    /// The degree is the expected one.
    Good(Vec<u64>),
    /// A leading coefficient vanishes, or the degree is too large.
    Unlucky,
    /// All expectations were too high: the degree is smaller.
    Lower(usize),
}

/// The image from those of `a` and `b`, whose last entries must be their leading coefficients;
/// `lead` is the value to scale to and `expected` the degree the image should have.
pub(super) fn image(
    field: PrimeField,
    a: Vec<u64>,
    b: Vec<u64>,
    lead: u64,
    expected: usize,
) -> Result<Image, Exhausted> {
    if lead == 0 || a.last() == Some(&0) || b.last() == Some(&0) {
        return Ok(Image::Unlucky);
    }
    let mut gcd = gcd(field, a, b)?;
    let degree = gcd.len() - 1;
    if degree > expected {
        return Ok(Image::Unlucky);
    }
    if degree < expected {
        return Ok(Image::Lower(degree));
    }
    for c in &mut gcd {
        *c = field.mul(*c, lead);
    }
    Ok(Image::Good(gcd))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gcd::field::fields;

    #[test]
    fn a_common_root_is_found() {
        let field = fields().next().unwrap();
        let minus = |n| field.prime() - n;
        // (x − 1)(x − 2) and (x − 1)(x + 3)
        let (a, b) = (vec![2, minus(3), 1], vec![minus(3), 2, 1]);
        assert_eq!(gcd(field, a.clone(), b), Ok(vec![minus(1), 1]));
        assert_eq!(evaluate(field, &a, 2), 0);
    }
}
