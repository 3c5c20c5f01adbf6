//! Factorization over 𝔽_p for odd p: first by degree, then by chance
//! (Cantor and Zassenhaus, *Math. Comp.* 36, 1981).

use super::prime_field::{PrimeField, SplitMix};
use super::residue::{Residues, degree};
use crate::{Exhausted, spend};

/// The product of the irreducible factors of one degree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EqualDegree {
    pub(super) degree: usize,
    pub(super) product: Residues,
}

impl EqualDegree {
    /// How many irreducible factors there are.
    pub(super) fn count(&self) -> usize {
        degree(&self.product) / self.degree
    }
}

/// Groups the irreducible factors of a monic square-free f by degree: the product of those of
/// degree dividing d is gcd(x^(pᵈ) − x, f).
pub(super) fn distinct_degree(field: PrimeField, f: &[u64]) -> Result<Vec<EqualDegree>, Exhausted> {
    let mut groups = Vec::new();
    let mut rest = f.to_vec();
    let mut frobenius: Residues = vec![0, 1];
    for d in 1.. {
        if degree(&rest) < 2 * d {
            break;
        }
        frobenius = field.power_modulo(&frobenius, field.characteristic(), &rest)?;
        let product = field.gcd(&rest, &field.difference(&frobenius, &[0, 1]))?;
        if degree(&product) > 0 {
            rest = field.divide(&rest, &product).0;
            frobenius = field.remainder(&frobenius, &rest);
            groups.push(EqualDegree { degree: d, product });
        }
    }
    if degree(&rest) > 0 {
        groups.push(EqualDegree { degree: degree(&rest), product: rest });
    }
    Ok(groups)
}

/// The monic irreducible factors of a group: for random a, the power a^((pᵈ−1)/2) is 1 modulo
/// about half of them.
pub(super) fn equal_degree(
    field: PrimeField,
    group: EqualDegree,
    numbers: &mut SplitMix,
) -> Result<Vec<Residues>, Exhausted> {
    let d = group.degree;
    let (mut irreducible, mut pending) = (Vec::new(), vec![group.product]);
    while let Some(f) = pending.pop() {
        if degree(&f) == d {
            irreducible.push(f);
            continue;
        }
        spend(f.len() as u64)?;
        let a = field.random_polynomial(f.len() - 1, numbers);
        let norm = norm(field, &a, d, &f)?;
        let character = field.power_modulo(&norm, (field.characteristic() - 1) / 2, &f)?;
        let g = field.gcd(&f, &field.difference(&character, &[1]))?;
        if degree(&g) == 0 || degree(&g) == degree(&f) {
            pending.push(f);
        } else {
            pending.push(field.divide(&f, &g).0);
            pending.push(g);
        }
    }
    Ok(irreducible)
}

/// a^(1 + p + … + p^(d−1)) modulo f.
fn norm(field: PrimeField, a: &[u64], d: usize, f: &[u64]) -> Result<Residues, Exhausted> {
    let (mut conjugate, mut norm) = (a.to_vec(), a.to_vec());
    for _ in 1..d {
        conjugate = field.power_modulo(&conjugate, field.characteristic(), f)?;
        norm = field.remainder(&field.product(&norm, &conjugate), f);
    }
    Ok(norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_back_and_are_irreducible() {
        let mut numbers = SplitMix::new(3);
        for field in PrimeField::from(3).take(8).chain(PrimeField::large().take(1)) {
            for n in 2..12 {
                let f = field.monic(&field.random_polynomial(n + 1, &mut numbers));
                if degree(&f) == 0 || !field.is_square_free(&f).unwrap() {
                    continue;
                }
                let mut product = vec![1];
                for group in distinct_degree(field, &f).unwrap() {
                    let d = group.degree;
                    for g in equal_degree(field, group, &mut numbers).unwrap() {
                        assert_eq!(degree(&g), d);
                        assert_eq!(distinct_degree(field, &g).unwrap()[0].degree, d);
                        product = field.product(&product, &g);
                    }
                }
                assert_eq!(product, f);
            }
        }
    }
}
