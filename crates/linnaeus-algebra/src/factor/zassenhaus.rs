//! Factorization of univariate polynomials over ℤ: modulo a prime, lifted, recombined
//! (Zassenhaus, *J. Number Theory* 1, 1969).

use super::cantor_zassenhaus::{EqualDegree, distinct_degree, equal_degree};
use super::degree_set::DegreeSet;
use super::dense::{self, Dense, degree, exact_quotient, mignotte_bits, primitive};
use super::hensel::{Modulus, hensel_lift};
use super::prime_field::{PrimeField, SplitMix};
use super::residue::Residues;
use crate::{Exhausted, Integer, spend};
use dashu_int::ops::SquareRootRem;

/// Factors of a square-free polynomial; irreducible if `complete`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split<F> {
    pub(super) factors: Vec<F>,
    pub(super) complete: bool,
}

impl<F> Split<F> {
    pub(super) fn irreducible(f: F) -> Self {
        Self { factors: vec![f], complete: true }
    }
}

/// How many sets of modular factors are tried before a polynomial is left as it is.
const SUBSETS: u32 = 1 << 20;

/// The irreducible factors of a primitive, square-free f ∈ ℤ\[x\] of positive degree with positive
/// leading coefficient.
pub(super) fn zassenhaus(f: &[Integer]) -> Result<Split<Dense>, Exhausted> {
    if degree(f) == 1 {
        return Ok(Split::irreducible(f.to_vec()));
    }
    if f[0].is_zero() {
        let mut split = zassenhaus(&f[1..])?;
        split.factors.push(vec![Integer::ZERO, Integer::ONE]);
        return Ok(split);
    }
    if degree(f) == 2 {
        return Ok(Split { factors: quadratic(f), complete: true });
    }
    let mut degrees = DegreeSet::all(degree(f));
    let Some((field, groups)) = choose_prime(f, &mut degrees)? else {
        return Ok(Split::irreducible(f.to_vec()));
    };
    let mut numbers = SplitMix::new(field.characteristic());
    let mut modular = Vec::new();
    for group in groups {
        modular.extend(equal_degree(field, group, &mut numbers)?);
    }
    let (lifted, ring) = lift(f, &modular, field)?;
    recombine(f, lifted, &ring, &degrees)
}

/// By the discriminant: c₂x² + c₁x + c₀ splits if it is a square.
fn quadratic(f: &[Integer]) -> Vec<Dense> {
    let discriminant = &f[1] * &f[1] - Integer::from(4) * &f[0] * &f[2];
    if discriminant < Integer::ZERO {
        return vec![f.to_vec()];
    }
    let (root, rest) = discriminant.into_parts().1.sqrt_rem();
    if !rest.is_zero() {
        return vec![f.to_vec()];
    }
    let (root, twice) = (Integer::from(root), Integer::from(2) * &f[2]);
    vec![primitive(&[&f[1] - &root, twice.clone()]), primitive(&[&f[1] + &root, twice])]
}

/// Among the first few primes that keep f square-free and of the same degree, the one with the
/// fewest modular factors; none if their degrees prove that f is irreducible.
fn choose_prime(f: &[Integer], degrees: &mut DegreeSet) -> Result<Option<(PrimeField, Vec<EqualDegree>)>, Exhausted> {
    let mut wanted = 3 + (degree(f) / 4).min(6);
    let mut best: Option<(usize, PrimeField, Vec<EqualDegree>)> = None;
    for field in PrimeField::from(13) {
        spend(f.len() as u64)?;
        let image = dense::reduce(f, field);
        if image.len() < f.len() || !field.is_square_free(&image)? {
            continue;
        }
        let groups = distinct_degree(field, &field.monic(&image))?;
        degrees.restrict(&groups);
        if degrees.proves_irreducible() {
            return Ok(None);
        }
        let count = groups.iter().map(EqualDegree::count).sum();
        if best.as_ref().is_none_or(|(fewest, ..)| count < *fewest) {
            best = Some((count, field, groups));
        }
        wanted -= 1;
        if wanted == 0 {
            break;
        }
    }
    Ok(best.map(|(_, field, groups)| (field, groups)))
}

/// The monic modular factors modulo a power of p beyond twice Mignotte's bound.
fn lift(f: &[Integer], modular: &[Residues], field: PrimeField) -> Result<(Vec<Dense>, Modulus), Exhausted> {
    let bits_of_p = field.characteristic().ilog2() as usize;
    let k = (mignotte_bits(f) + 1).div_ceil(bits_of_p);
    let ring = Modulus(Integer::from(field.characteristic()).pow(k));
    let inverse = ring.inverse(&f[degree(f)]);
    let monic = ring.product(f, &[inverse])?;
    Ok((hensel_lift(&monic, modular, field, k)?, ring))
}

/// Finds the true factors among the products of lifted ones, the smallest sets first.
fn recombine(
    f: &[Integer],
    mut lifted: Vec<Dense>,
    ring: &Modulus,
    degrees: &DegreeSet,
) -> Result<Split<Dense>, Exhausted> {
    let mut rest = f.to_vec();
    let (mut factors, mut size, mut tried) = (Vec::new(), 1, 0);
    'sizes: while 2 * size <= lifted.len() {
        let mut subset: Vec<usize> = (0..size).collect();
        // Of a set and its complement of equal size, the one with the first factor is tried.
        while 2 * size < lifted.len() || subset[0] == 0 {
            tried += 1;
            if tried > SUBSETS {
                factors.push(rest);
                return Ok(Split { factors, complete: false });
            }
            let chosen: Vec<&Dense> = subset.iter().map(|&i| &lifted[i]).collect();
            if let Some((factor, quotient)) = test(&rest, &chosen, ring, degrees)? {
                factors.push(factor);
                rest = quotient;
                subset.iter().rev().for_each(|&i| drop(lifted.remove(i)));
                continue 'sizes;
            }
            if !advance(&mut subset, lifted.len()) {
                break;
            }
        }
        size += 1;
    }
    factors.push(rest);
    Ok(Split { factors, complete: true })
}

/// The factor of f whose image is the product of the chosen ones, and its cofactor, if it exists.
fn test(
    f: &[Integer],
    chosen: &[&Dense],
    ring: &Modulus,
    degrees: &DegreeSet,
) -> Result<Option<(Dense, Dense)>, Exhausted> {
    spend(chosen.len() as u64)?;
    if !degrees.contains(chosen.iter().map(|g| degree(g)).sum()) {
        return Ok(None);
    }
    let lead = &f[degree(f)];
    let trailing = chosen.iter().fold(lead.clone(), |c, g| ring.reduce(&(c * &g[0])));
    let trailing = ring.symmetric(&trailing);
    if trailing.is_zero() || !(lead * &f[0] % trailing).is_zero() {
        return Ok(None);
    }
    let mut product = vec![lead.clone()];
    for g in chosen {
        product = ring.product(&product, g)?;
    }
    let symmetric: Dense = product.iter().map(|c| ring.symmetric(c)).collect();
    let candidate = primitive(&symmetric);
    Ok(exact_quotient(f, &candidate)?.map(|quotient| (candidate, quotient)))
}

/// The next subset of 0..n of the same size in lexicographic order.
fn advance(subset: &mut [usize], n: usize) -> bool {
    let size = subset.len();
    let Some(i) = (0..size).rev().find(|&i| subset[i] < n - size + i) else {
        return false;
    };
    subset[i] += 1;
    for k in i + 1..size {
        subset[k] = subset[k - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(coefficients: &[i64]) -> Vec<Vec<i64>> {
        let f: Dense = coefficients.iter().map(|&c| Integer::from(c)).collect();
        let split = zassenhaus(&f).unwrap();
        assert!(split.complete);
        let small = |g: &Dense| g.iter().map(|c| i64::try_from(c).unwrap()).collect();
        let mut factors: Vec<Vec<i64>> = split.factors.iter().map(small).collect();
        factors.sort();
        factors
    }

    #[test]
    fn quadratics() {
        assert_eq!(factors(&[-6, 1, 2]), [vec![-3, 2], vec![2, 1]]);
        assert_eq!(factors(&[1, 1, 1]), [[1, 1, 1]]);
        assert_eq!(factors(&[-2, 0, 1]), [[-2, 0, 1]]);
    }

    #[test]
    fn splits_modulo_every_prime_but_not_over_the_integers() {
        assert_eq!(factors(&[1, 0, 0, 0, 1]), [[1, 0, 0, 0, 1]]);
        assert_eq!(factors(&[1, 0, -10, 0, 1]), [[1, 0, -10, 0, 1]]);
    }

    #[test]
    fn leading_coefficients_are_shared_out() {
        assert_eq!(factors(&[4, 0, 0, 0, 1]), [[2, -2, 1], [2, 2, 1]]);
        assert_eq!(factors(&[3, 2, 9, 6]), [vec![1, 0, 3], vec![3, 2]]);
    }
}
