//! Rank, independent rows and columns, and the null space.

use super::Matrix;
use super::markowitz::Elimination;
use crate::fuel::{Exhausted, spend};
use crate::polynomial::multiply_mod;
use crate::rational_function::{RationalFunction, inverse_mod};
use crate::variables::Variable;

impl Matrix<RationalFunction> {
    /// The rank over the field of rational functions, exact.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends; so for all operations below.
    pub fn rank(&self) -> Result<usize, Exhausted> {
        Ok(self.independent_rows_and_columns()?.0.len())
    }

    /// As many rows and columns as the rank, ascending, whose common submatrix is invertible.
    ///
    /// ```
    /// use linnaeus_algebra::{Matrix, RationalFunction};
    /// let m = Matrix::from_fn(3, 3, |i, j| RationalFunction::integer((i + j) as i64));
    /// let (rows, cols) = m.independent_rows_and_columns().unwrap();
    /// assert_eq!((rows.len(), cols.len()), (2, 2));
    /// assert!(!m.submatrix(&rows, &cols).determinant().unwrap().is_zero());
    /// ```
    pub fn independent_rows_and_columns(&self) -> Result<(Vec<usize>, Vec<usize>), Exhausted> {
        let pivots = match self.pivots_at_a_point()? {
            // A nonzero minor at a point is one, so full rank there is full rank.
            pivots if pivots.len() == self.rows().min(self.cols()) => pivots,
            _ => Elimination::of(self, self.cols())?.pivots,
        };
        let (mut rows, mut cols): (Vec<_>, Vec<_>) = pivots.into_iter().unzip();
        rows.sort_unstable();
        cols.sort_unstable();
        Ok((rows, cols))
    }

    /// Rows and columns of a nonzero minor of the largest size at some point modulo a prime.
    fn pivots_at_a_point(&self) -> Result<Vec<(usize, usize)>, Exhausted> {
        spend(self.entries.iter().map(|e| e.term_count() as u64).sum())?;
        let value = |v: Variable| (u64::from(v.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) % PRIME;
        let Some(entries) = self.entries.iter().map(|e| e.evaluate_mod(&value, PRIME)).collect() else {
            return Ok(Vec::new());
        };
        let residues = Matrix { rows: self.rows(), cols: self.cols(), entries };
        spend((self.rows() * self.cols() * self.rows().min(self.cols())) as u64)?;
        Ok(pivots_modulo(residues))
    }

    /// A matrix whose columns are a basis of the vectors `x` with `self · x = 0`.
    ///
    /// ```
    /// use linnaeus_algebra::{Matrix, RationalFunction};
    /// let m = Matrix::from_fn(2, 3, |i, j| RationalFunction::integer((i + j) as i64));
    /// let basis = m.null_space().unwrap();
    /// assert_eq!((basis.rows(), basis.cols()), (3, 1));
    /// assert!(m.mul(&basis).unwrap().is_zero());
    /// ```
    pub fn null_space(&self) -> Result<Self, Exhausted> {
        let n = self.cols();
        let (rows, cols) = self.independent_rows_and_columns()?;
        let free: Vec<usize> = (0..n).filter(|j| !cols.contains(j)).collect();
        let square = self.submatrix(&rows, &cols);
        let dependent = square.solve(&self.submatrix(&rows, &free))?;
        let dependent = dependent.expect("independent rows and columns");
        Ok(Matrix::from_fn(n, free.len(), |i, k| match cols.binary_search(&i) {
            Ok(place) => dependent[(place, k)].neg(),
            Err(_) if free[k] == i => RationalFunction::one(),
            Err(_) => RationalFunction::zero(),
        }))
    }
}

/// The modulus of the evaluations.
const PRIME: u64 = (1 << 61) - 1;

/// The pivots of Gaussian elimination modulo the prime.
fn pivots_modulo(mut m: Matrix<u64>) -> Vec<(usize, usize)> {
    let times = |a: u64, b: u64| multiply_mod(a, b, PRIME);
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for j in 0..m.cols() {
        let used = |i: usize| pivots.iter().any(|&(row, _)| row == i);
        let open: Vec<usize> = (0..m.rows()).filter(|&i| !used(i) && m[(i, j)] != 0).collect();
        let Some((&pivot, others)) = open.split_first() else {
            continue;
        };
        let inverse = inverse_mod(m[(pivot, j)], PRIME);
        for &i in others {
            let factor = times(m[(i, j)], inverse);
            for k in j..m.cols() {
                m[(i, k)] = (m[(i, k)] + PRIME - times(factor, m[(pivot, k)])) % PRIME;
            }
        }
        pivots.push((pivot, j));
    }
    pivots
}
