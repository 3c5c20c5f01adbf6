//! Rational roots by Newton's iteration modulo powers of a prime (Loos, *SIAM J. Comput.* 12, 1983).

use super::cantor_zassenhaus::{EqualDegree, equal_degree};
use super::dense::{self, Dense, degree, exact_quotient, primitive};
use super::hensel::Modulus;
use super::prime_field::{PrimeField, SplitMix};
use super::residue;
use crate::{Exhausted, Integer, Rational, spend};
use dashu_int::ops::UnsignedAbs;

/// The rational roots, ascending, of a square-free f ∈ ℤ\[x\] of positive degree.
///
/// If a is the leading coefficient and r a root then a·r is an integer of absolute value at most
/// |a| + max |fₖ|, which its residue modulo a large enough power of p determines.
pub(super) fn rational_roots(f: &[Integer]) -> Result<Vec<Rational>, Exhausted> {
    let f = primitive(f);
    let lead = &f[degree(&f)];
    let field = good_prime(&f)?;
    let largest = f.iter().map(UnsignedAbs::unsigned_abs).max().unwrap_or_default();
    let bound = (Integer::from(largest) + lead) * 2;
    let mut roots = Vec::new();
    for root in modular_roots(&f, field)? {
        let (root, ring) = newton(&f, root, field, &bound)?;
        let numerator = ring.symmetric(&(root * lead));
        let linear = primitive(&[-numerator, lead.clone()]);
        if exact_quotient(&f, &linear)?.is_some() {
            let [constant, lead] = <[Integer; 2]>::try_from(linear).expect("two coefficients");
            roots.push(Rational::from_parts(-constant, lead.unsigned_abs()));
        }
    }
    roots.sort();
    Ok(roots)
}

/// The first prime that keeps f square-free and of the same degree.
fn good_prime(f: &[Integer]) -> Result<PrimeField, Exhausted> {
    for field in PrimeField::from(13) {
        spend(f.len() as u64)?;
        let image = dense::reduce(f, field);
        if image.len() == f.len() && field.is_square_free(&image)? {
            return Ok(field);
        }
    }
    unreachable!("only the divisors of the leading coefficient and of the discriminant are bad")
}

/// The roots in 𝔽_p: those of gcd(xᵖ − x, f).
fn modular_roots(f: &[Integer], field: PrimeField) -> Result<Vec<u64>, Exhausted> {
    let image = field.monic(&dense::reduce(f, field));
    let frobenius = field.power_modulo(&[0, 1], field.characteristic(), &image)?;
    let product = field.gcd(&image, &field.difference(&frobenius, &[0, 1]))?;
    if residue::degree(&product) == 0 {
        return Ok(Vec::new());
    }
    let mut numbers = SplitMix::new(field.characteristic());
    let linear = equal_degree(field, EqualDegree { degree: 1, product }, &mut numbers)?;
    Ok(linear.iter().map(|g| field.neg(g[0])).collect())
}

/// Lifts a simple root in 𝔽_p to a power of p above the bound.
fn newton(f: &[Integer], root: u64, field: PrimeField, bound: &Integer) -> Result<(Integer, Modulus), Exhausted> {
    let derivative: Dense = f.iter().enumerate().skip(1).map(|(k, c)| c * Integer::from(k)).collect();
    let mut root = Integer::from(root);
    let mut ring = Modulus(Integer::from(field.characteristic()));
    while ring.0 <= *bound {
        spend(2 * f.len() as u64)?;
        ring = Modulus(&ring.0 * &ring.0);
        let slope = ring.inverse(&value(&derivative, &root, &ring));
        root = ring.reduce(&(&root - value(f, &root, &ring) * slope));
    }
    Ok((root, ring))
}

/// f(a) by Horner's rule.
fn value(f: &[Integer], a: &Integer, ring: &Modulus) -> Integer {
    f.iter().rev().fold(Integer::ZERO, |sum, c| ring.reduce(&(sum * a + c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_all_roots() {
        // (2x − 1)(3x + 7)(x − 1000003)(x² + 1)
        let mut f: Dense = vec![Integer::ONE];
        for g in [&[-1, 2][..], &[7, 3], &[-1_000_003, 1], &[1, 0, 1]] {
            let mut product = vec![Integer::ZERO; f.len() + g.len() - 1];
            for (i, a) in f.iter().enumerate() {
                g.iter().enumerate().for_each(|(k, &b)| product[i + k] += a * Integer::from(b));
            }
            f = product;
        }
        let fraction = |n: i64, d: u32| Rational::from_parts(n.into(), d.into());
        let expected = [fraction(-7, 3), fraction(1, 2), fraction(1_000_003, 1)];
        assert_eq!(rational_roots(&f).unwrap(), expected);
    }

    #[test]
    fn zero_is_a_root() {
        assert_eq!(rational_roots(&[Integer::ZERO, Integer::ONE]).unwrap(), [Rational::ZERO]);
    }
}
