//! Linear Hensel lifting from 𝔽_p\[x\] to 𝔽_p\[x, y\] with the leading coefficients known.

use super::prime_field::PrimeField;
use super::residue::{Residues, degree, trim};
use crate::{Exhausted, spend};

/// A polynomial in 𝔽_p\[x\]\[y\]: entry t is the coefficient of yᵗ.
pub(super) type Series = Vec<Residues>;

/// f(x, y + a), by repeated synthetic division.
pub(super) fn shift(field: PrimeField, f: &[Residues], a: u64) -> Series {
    let mut f = f.to_vec();
    for i in 0..f.len() {
        for t in (i..f.len() - 1).rev() {
            f[t] = field.sum(&f[t], &field.scaled(&f[t + 1], a));
        }
    }
    f
}

/// The product of f with a polynomial in y alone.
pub(super) fn multiply_by_y(field: PrimeField, f: &[Residues], g: &[u64]) -> Series {
    let mut product = vec![Vec::new(); (f.len() + g.len()).saturating_sub(1)];
    for (i, row) in f.iter().enumerate() {
        for (k, &c) in g.iter().enumerate().filter(|(_, c)| **c != 0) {
            product[i + k] = field.sum(&product[i + k], &field.scaled(row, c));
        }
    }
    product
}

fn drop_zeros(mut f: Series) -> Series {
    while f.last().is_some_and(Vec::is_empty) {
        f.pop();
    }
    f
}

/// The fᵢ ∈ 𝔽_p\[x, y\] with f = ∏ fᵢ, fᵢ(x, a) = `images[i]` and leading coefficient `leads[i]`
/// in x, if they exist.
///
/// Requires the images to multiply to f(x, a) and to have the leading coefficients at a. Then the
/// coefficient of (y − a)ᵗ in the fᵢ solves Σ σᵢ ∏_{j≠i} fⱼ(x, a) = eₜ, where eₜ is what the product
/// of the terms found before lacks; there is at most one answer.
pub(super) fn bivariate_lift(
    field: PrimeField,
    f: &[Residues],
    leads: &[Residues],
    images: &[Residues],
    a: u64,
) -> Result<Option<Vec<Series>>, Exhausted> {
    let target = drop_zeros(shift(field, f, a));
    let n: usize = images.iter().map(|u| degree(u)).sum();
    if target.is_empty() || images.iter().any(Vec::is_empty) {
        return Ok(None);
    }
    let Some(cofactors) = cofactor_inverses(field, images)? else {
        return Ok(None);
    };
    let mut factors: Vec<Series> = Vec::with_capacity(images.len());
    for (image, lead) in images.iter().zip(leads) {
        let rows: Series = lead.iter().map(|&c| trim(vec![c])).collect();
        let mut factor: Series = shift(field, &rows, a)
            .into_iter()
            .map(|c| if c.is_empty() { c } else { [vec![0; degree(image)], c].concat() })
            .collect();
        factor.resize(target.len().max(factor.len()), Vec::new());
        if factor[0].last() != image.last() {
            return Ok(None);
        }
        factor[0].clone_from(image);
        factors.push(factor);
    }
    let mut products = PartialProducts::new(factors.len());
    for t in 0..target.len() {
        spend((factors.len() * (t + 1) * (n + 1) * (n + 1)) as u64)?;
        let error = field.difference(&target[t], products.extend(field, &factors, t));
        if error.is_empty() {
            continue;
        }
        if t == 0 || error.len() > n {
            return Ok(None);
        }
        for ((factor, image), s) in factors.iter_mut().zip(images).zip(&cofactors) {
            let sigma = field.remainder(&field.product(&error, s), image);
            factor[t] = field.sum(&factor[t], &sigma);
        }
        products.extend(field, &factors, t);
        if factors.iter().map(|f| y_degree(f)).sum::<usize>() >= target.len() {
            return Ok(None);
        }
    }
    let factors: Vec<Series> = factors.into_iter().map(drop_zeros).collect();
    if factors.iter().map(|f| y_degree(f)).sum::<usize>() >= target.len() {
        return Ok(None);
    }
    Ok(Some(factors.iter().map(|g| shift(field, g, field.neg(a))).collect()))
}

fn y_degree(f: &[Residues]) -> usize {
    f.iter().rposition(|row| !row.is_empty()).unwrap_or(0)
}

/// sᵢ with sᵢ · ∏_{j≠i} uⱼ ≡ 1 modulo uᵢ, if the uᵢ are pairwise coprime.
fn cofactor_inverses(field: PrimeField, images: &[Residues]) -> Result<Option<Vec<Residues>>, Exhausted> {
    let mut inverses = Vec::with_capacity(images.len());
    for (i, u) in images.iter().enumerate() {
        let others = images.iter().enumerate().filter(|(j, _)| *j != i);
        let cofactor =
            others.fold(vec![1], |product: Residues, (_, v)| field.remainder(&field.product(&product, v), u));
        match field.inverse_modulo(&cofactor, u)? {
            Some(s) => inverses.push(s),
            None => return Ok(None),
        }
    }
    Ok(Some(inverses))
}

/// The coefficients of y⁰, …, yᵗ in f₁, f₁f₂, …, f₁⋯fᵣ.
struct PartialProducts(Vec<Series>);

impl PartialProducts {
    fn new(count: usize) -> Self {
        Self(vec![Vec::new(); count])
    }

    /// Computes, or computes again, the coefficients of yᵗ; answers that of the whole product.
    fn extend(&mut self, field: PrimeField, factors: &[Series], t: usize) -> &[u64] {
        for (k, factor) in factors.iter().enumerate() {
            let coefficient = match k.checked_sub(1) {
                None => factor[t].clone(),
                Some(before) => (0..=t).fold(Vec::new(), |sum: Residues, i| {
                    let (f, g) = (&self.0[before][i], &factor[t - i]);
                    if f.is_empty() || g.is_empty() { sum } else { field.sum(&sum, &field.product(f, g)) }
                }),
            };
            self.0[k].truncate(t);
            self.0[k].push(coefficient);
        }
        &self.0[factors.len() - 1][t]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (x² + y)(yx + 1)
    fn example() -> Series {
        vec![vec![0, 0, 1], vec![1, 0, 0, 1], vec![0, 1]]
    }

    #[test]
    fn lifts_with_leading_coefficients() {
        let field = PrimeField::new(101);
        let leads = [vec![1], vec![0, 1]];
        let images = [vec![3, 0, 1], vec![1, 3]];
        let factors = bivariate_lift(field, &example(), &leads, &images, 3).unwrap().unwrap();
        assert_eq!(factors, [vec![vec![0, 0, 1], vec![1]], vec![vec![1], vec![0, 1]]]);
    }

    #[test]
    fn refuses_what_only_the_image_has() {
        // x² − y is (x − 2)(x + 2) at y = 4.
        let field = PrimeField::new(101);
        let f = [vec![0, 0, 1], vec![100]];
        let (leads, images) = ([vec![1], vec![1]], [vec![99, 1], vec![2, 1]]);
        assert_eq!(bivariate_lift(field, &f, &leads, &images, 4), Ok(None));
    }
}
