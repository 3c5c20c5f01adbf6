//! Bounds for the degrees of a gcd from its images in one variable each.

use super::field::{PrimeField, Sample, fields};
use super::table::Powers;
use super::univariate;
use crate::fuel::{Exhausted, spend};
use crate::polynomial::{Polynomial, residue};

/// A degree above which no dense image is built.
pub(super) const DENSE_DEGREE: u32 = 1 << 24;

/// For each variable an upper bound of the degree of the gcd; almost always the degree itself.
///
/// Both polynomials must have the same variables. All but one are replaced by numbers modulo a
/// prime; where the leading coefficient survives, so does that of the gcd, and the bound holds.
pub(super) fn bounds(a: &Polynomial, b: &Polynomial) -> Result<Vec<u32>, Exhausted> {
    let field = fields().next().expect("there are primes");
    let n = a.frame().len();
    let largest: Vec<u32> = (0..n).map(|i| a.degree_at(i).max(b.degree_at(i))).collect();
    if largest.iter().any(|&d| d > DENSE_DEGREE) {
        return Err(Exhausted);
    }
    spend((a.term_count() + b.term_count()) as u64 + largest.iter().map(|&d| u64::from(d)).sum::<u64>())?;
    let mut sample = Sample::new();
    let powers: Vec<Powers> = largest.iter().map(|&d| Powers::new(field, sample.point(field), d)).collect();
    let images = images(field, a, &powers).into_iter().zip(images(field, b, &powers));
    images.map(|(a, b)| bound(field, a, b)).collect()
}

fn bound(field: PrimeField, a: Vec<u64>, b: Vec<u64>) -> Result<u32, Exhausted> {
    if a.last() == Some(&0) && b.last() == Some(&0) {
        return Ok(a.len().min(b.len()) as u32 - 1);
    }
    Ok(univariate::gcd(field, a, b)?.len() as u32 - 1)
}

/// The image in each variable, the others evaluated.
fn images(field: PrimeField, p: &Polynomial, powers: &[Powers]) -> Vec<Vec<u64>> {
    let n = powers.len();
    let mut images: Vec<Vec<u64>> = (0..n).map(|i| vec![0; p.degree_at(i) as usize + 1]).collect();
    let mut after = vec![1; n + 1];
    for t in 0..p.term_count() {
        for i in (0..n).rev() {
            after[i] = field.mul(after[i + 1], powers[i].get(p.exponent(t, i)));
        }
        let mut before = residue(p.coefficient(t), field.prime());
        for (i, image) in images.iter_mut().enumerate() {
            let e = p.exponent(t, i);
            let cell = &mut image[e as usize];
            *cell = field.add(*cell, field.mul(before, after[i + 1]));
            before = field.mul(before, powers[i].get(e));
        }
    }
    images
}
