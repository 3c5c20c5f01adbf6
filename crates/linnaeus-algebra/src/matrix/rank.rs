//! Rank, independent rows and columns, and the null space.

use super::Matrix;
use super::markowitz::Elimination;
use crate::fuel::Exhausted;
use crate::rational_function::RationalFunction;

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
        let pivots = Elimination::of(self, self.cols())?.pivots;
        let (mut rows, mut cols): (Vec<_>, Vec<_>) = pivots.into_iter().unzip();
        rows.sort_unstable();
        cols.sort_unstable();
        Ok((rows, cols))
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
        Ok(Matrix::from_fn(n, free.len(), |i, k| {
            match cols.binary_search(&i) {
                Ok(place) => dependent[(place, k)].neg(),
                Err(_) if free[k] == i => RationalFunction::one(),
                Err(_) => RationalFunction::zero(),
            }
        }))
    }
}
