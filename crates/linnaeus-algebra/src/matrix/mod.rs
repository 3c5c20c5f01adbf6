//! Matrices over a ring, and over the field of rational functions.

mod bareiss;
mod berkowitz;
mod components;
mod markowitz;
mod rank;
mod transfer;

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

use crate::fuel::Exhausted;
use crate::rational_function::RationalFunction;

/// The arithmetic a matrix needs. The product need not commute.
pub trait Coefficient: Clone + PartialEq + Debug {
    /// The neutral element of addition.
    fn zero() -> Self;
    /// The neutral element of multiplication.
    fn one() -> Self;
    /// Is this 0?
    fn is_zero(&self) -> bool;
    /// The sum.
    fn add(&self, other: &Self) -> Result<Self, Exhausted>;
    /// The difference.
    fn sub(&self, other: &Self) -> Result<Self, Exhausted>;
    /// The product, `self` on the left.
    fn mul(&self, other: &Self) -> Result<Self, Exhausted>;
    /// The negative.
    fn neg(&self) -> Self;
    /// The two-sided inverse; `None` when there is none in the ring.
    fn inverse(&self) -> Result<Option<Self>, Exhausted>;
    /// How unwieldy this is, for choosing simple pivots.
    fn weight(&self) -> usize;
}

impl Coefficient for RationalFunction {
    fn zero() -> Self {
        RationalFunction::zero()
    }
    fn one() -> Self {
        RationalFunction::one()
    }
    fn is_zero(&self) -> bool {
        RationalFunction::is_zero(self)
    }
    fn add(&self, other: &Self) -> Result<Self, Exhausted> {
        RationalFunction::add(self, other)
    }
    fn sub(&self, other: &Self) -> Result<Self, Exhausted> {
        RationalFunction::sub(self, other)
    }
    fn mul(&self, other: &Self) -> Result<Self, Exhausted> {
        RationalFunction::mul(self, other)
    }
    fn neg(&self) -> Self {
        RationalFunction::neg(self)
    }
    fn inverse(&self) -> Result<Option<Self>, Exhausted> {
        Ok(RationalFunction::inverse(self))
    }
    fn weight(&self) -> usize {
        self.term_count()
    }
}

/// A matrix, stored by rows; it may have no rows or no columns.
///
/// ```
/// use linnaeus_algebra::{Matrix, RationalFunction};
/// let m = Matrix::from_fn(2, 2, |i, j| RationalFunction::integer((1 + i + 2 * j) as i64));
/// let inverse = m.inverse().unwrap().unwrap();
/// assert_eq!(m.mul(&inverse).unwrap(), Matrix::identity(2));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Matrix<T> {
    rows: usize,
    cols: usize,
    entries: Vec<T>,
}

impl<T> Matrix<T> {
    /// The matrix with entry `f(i, j)` in row `i` and column `j`.
    pub fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let mut entries = Vec::with_capacity(rows * cols);
        for i in 0..rows {
            entries.extend((0..cols).map(|j| f(i, j)));
        }
        Matrix { rows, cols, entries }
    }

    /// The matrix with these rows; without rows it is 0×0.
    ///
    /// # Panics
    /// If the rows differ in length.
    pub fn from_rows(rows: Vec<Vec<T>>) -> Self {
        let (count, cols) = (rows.len(), rows.first().map_or(0, Vec::len));
        assert!(rows.iter().all(|r| r.len() == cols), "rows of different lengths");
        Matrix { rows: count, cols, entries: rows.into_iter().flatten().collect() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The entry in row `i` and column `j`, if there is one.
    pub fn get(&self, i: usize, j: usize) -> Option<&T> {
        (i < self.rows && j < self.cols).then(|| &self[(i, j)])
    }

    /// The `i`-th row.
    ///
    /// # Panics
    /// If there is none.
    pub fn row(&self, i: usize) -> &[T] {
        assert!(i < self.rows, "no row {i}");
        &self.entries[i * self.cols..(i + 1) * self.cols]
    }

    /// The matrix of the images of the entries.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Matrix<U> {
        Matrix { rows: self.rows, cols: self.cols, entries: self.entries.iter().map(f).collect() }
    }

    /// The matrix of the images of the entries, or the first error.
    ///
    /// # Errors
    /// The first error of `f`, row by row.
    pub fn try_map<U, E>(&self, f: impl FnMut(&T) -> Result<U, E>) -> Result<Matrix<U>, E> {
        let entries = self.entries.iter().map(f).collect::<Result<_, E>>()?;
        Ok(Matrix { rows: self.rows, cols: self.cols, entries })
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        assert!(j < self.cols, "no column {j}");
        &self.entries[i * self.cols + j]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        assert!(j < self.cols, "no column {j}");
        &mut self.entries[i * self.cols + j]
    }
}

impl<T: Clone> Matrix<T> {
    /// The transpose.
    pub fn transpose(&self) -> Self {
        Matrix::from_fn(self.cols, self.rows, |i, j| self[(j, i)].clone())
    }

    /// The entries in the given rows and columns, in the given order.
    ///
    /// # Panics
    /// If a row or column does not exist.
    pub fn submatrix(&self, rows: &[usize], cols: &[usize]) -> Self {
        Matrix::from_fn(rows.len(), cols.len(), |i, j| self[(rows[i], cols[j])].clone())
    }

    /// `self` with `right` beside it.
    ///
    /// # Panics
    /// If the numbers of rows differ.
    pub fn hstack(&self, right: &Self) -> Self {
        assert_eq!(self.rows, right.rows, "different numbers of rows");
        Matrix::from_fn(self.rows, self.cols + right.cols, |i, j| {
            if j < self.cols { self[(i, j)].clone() } else { right[(i, j - self.cols)].clone() }
        })
    }

    /// `self` with `below` under it.
    ///
    /// # Panics
    /// If the numbers of columns differ.
    pub fn vstack(&self, below: &Self) -> Self {
        assert_eq!(self.cols, below.cols, "different numbers of columns");
        let entries = [self.entries.as_slice(), below.entries.as_slice()].concat();
        Matrix { rows: self.rows + below.rows, cols: self.cols, entries }
    }
}

impl<T: Coefficient> Matrix<T> {
    /// The zero matrix.
    pub fn zero(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, entries: vec![T::zero(); rows * cols] }
    }

    /// The identity matrix.
    pub fn identity(n: usize) -> Self {
        Matrix::from_fn(n, n, |i, j| if i == j { T::one() } else { T::zero() })
    }

    /// Are all entries 0?
    pub fn is_zero(&self) -> bool {
        self.entries.iter().all(T::is_zero)
    }

    /// The sum.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends; so for all operations below.
    ///
    /// # Panics
    /// If the sizes differ; so for all operations below whose operands do not fit.
    pub fn add(&self, other: &Self) -> Result<Self, Exhausted> {
        self.entrywise(other, T::add)
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Result<Self, Exhausted> {
        self.entrywise(other, T::sub)
    }

    fn entrywise(&self, other: &Self, f: impl Fn(&T, &T) -> Result<T, Exhausted>) -> Result<Self, Exhausted> {
        assert_eq!((self.rows, self.cols), (other.rows, other.cols), "different sizes");
        let pairs = self.entries.iter().zip(&other.entries);
        let entries = pairs.map(|(a, b)| f(a, b)).collect::<Result<_, _>>()?;
        Ok(Matrix { rows: self.rows, cols: self.cols, entries })
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Result<Self, Exhausted> {
        assert_eq!(self.cols, other.rows, "the product of matrices that do not fit");
        let mut product = Self::zero(self.rows, other.cols);
        for i in 0..self.rows {
            for (k, a) in self.row(i).iter().enumerate().filter(|(_, a)| !a.is_zero()) {
                for (j, b) in other.row(k).iter().enumerate().filter(|(_, b)| !b.is_zero()) {
                    product[(i, j)] = product[(i, j)].add(&a.mul(b)?)?;
                }
            }
        }
        Ok(product)
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.map(T::neg)
    }

    /// Every entry multiplied by `factor` from the left.
    pub fn scale(&self, factor: &T) -> Result<Self, Exhausted> {
        self.try_map(|entry| factor.mul(entry))
    }
}
