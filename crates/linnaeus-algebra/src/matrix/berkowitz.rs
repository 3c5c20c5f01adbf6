//! Characteristic polynomials and resolvents without division.
//!
//! S. J. Berkowitz, *On computing the determinant in small parallel time using a small number of
//! processors*, Inform. Process. Lett. 18 (1984), after P. A. Samuelson (1942). Every product has a
//! matrix entry as one factor, so the polynomials grow no faster than the answer.

use crate::fuel::Exhausted;
use crate::polynomial::Polynomial;

/// A square matrix of polynomials, by rows.
pub(super) type Square = [Vec<Polynomial>];

/// The coefficients of det(wI − A), by ascending powers of w; the last one is 1.
pub(super) fn characteristic(a: &Square) -> Result<Vec<Polynomial>, Exhausted> {
    // By descending powers while the leading minors grow.
    let mut chi = vec![Polynomial::one()];
    for r in 0..a.len() {
        let toeplitz = toeplitz_column(a, r)?;
        let mut next = Vec::with_capacity(r + 2);
        for i in 0..=r + 1 {
            let row = (0..=i.min(r)).map(|j| (&toeplitz[i - j], &chi[j]));
            next.push(dot(row)?);
        }
        chi = next;
    }
    chi.reverse();
    Ok(chi)
}

/// 1, −a_rr, −R S, −R M S, −R M² S, … for the leading minor M of order r bordered by R and S.
fn toeplitz_column(a: &Square, r: usize) -> Result<Vec<Polynomial>, Exhausted> {
    let mut column = vec![Polynomial::one(), -&a[r][r]];
    let mut s: Vec<Polynomial> = (0..r).map(|i| a[i][r].clone()).collect();
    for k in 0..r {
        if k > 0 {
            s = (0..r).map(|i| dot(a[i].iter().zip(&s))).collect::<Result<_, _>>()?;
        }
        column.push(-dot(a[r].iter().zip(&s))?);
    }
    Ok(column)
}

/// Σ x·y.
pub(super) fn dot<'a>(pairs: impl Iterator<Item = (&'a Polynomial, &'a Polynomial)>) -> Result<Polynomial, Exhausted> {
    let products = pairs.filter(|(x, y)| !x.is_zero() && !y.is_zero()).map(|(x, y)| x.mul(y));
    Ok(Polynomial::sum(products.collect::<Result<_, _>>()?))
}

/// The coefficients of y adj(wI − A) r, by ascending powers of w, from those of det(wI − A).
///
/// adj(wI − A) = Σₖ wᵏ Σ_{j>k} cⱼ A^{j−k−1}, so only the numbers y Aⁱ r are needed.
pub(super) fn numerator(chi: &[Polynomial], markov: &[Polynomial]) -> Result<Vec<Polynomial>, Exhausted> {
    let n = chi.len() - 1;
    (0..n).map(|k| dot(chi[k + 1..].iter().zip(markov))).collect()
}

/// The vectors Aⁱ r for i < n.
pub(super) fn krylov(a: &Square, r: &[Polynomial]) -> Result<Vec<Vec<Polynomial>>, Exhausted> {
    let mut vectors = vec![r.to_vec()];
    for k in 1..a.len() {
        let last = &vectors[k - 1];
        let next = a.iter().map(|row| dot(row.iter().zip(last))).collect::<Result<_, _>>()?;
        vectors.push(next);
    }
    Ok(vectors)
}
