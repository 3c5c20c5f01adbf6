//! Sparse elimination with the pivots of Markowitz.
//!
//! H. M. Markowitz, *The elimination form of the inverse and its application to linear
//! programming*, Management Science 3 (1957): the next pivot is the one whose row and column have
//! the fewest other entries.

use super::{Coefficient, Matrix};
use crate::fuel::{Exhausted, spend};

/// A row echelon form up to the order of rows and columns.
pub(super) struct Elimination<T> {
    /// The rows after elimination; a pivot row is scaled to have 1 at its pivot.
    pub(super) rows: Vec<Vec<T>>,
    /// Row and column of each pivot, in the order of elimination.
    pub(super) pivots: Vec<(usize, usize)>,
}

impl<T: Coefficient> Matrix<T> {
    /// The inverse; `None` when the matrix is not square or elimination finds no invertible
    /// pivot. Over a field that means singular.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    pub fn inverse(&self) -> Result<Option<Self>, Exhausted> {
        self.solve(&Self::identity(self.rows))
    }

    /// The `x` with `self · x = rhs`; `None` when the matrix is not square or elimination finds no
    /// invertible pivot. Over a field that means singular. Entries need not commute: the rows are
    /// only ever multiplied from the left.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// # Panics
    /// If the numbers of rows differ.
    pub fn solve(&self, rhs: &Self) -> Result<Option<Self>, Exhausted> {
        assert_eq!(self.rows, rhs.rows, "the right-hand side has another number of rows");
        if self.rows != self.cols {
            return Ok(None);
        }
        let n = self.cols;
        if n == 1 {
            return self[(0, 0)].inverse()?.map(|inverse| rhs.try_map(|e| inverse.mul(e))).transpose();
        }
        let mut elimination = Elimination::of(&self.hstack(rhs), n)?;
        if elimination.pivots.len() < n {
            return Ok(None);
        }
        elimination.back_substitute(n)?;
        let mut solution = Self::zero(n, rhs.cols);
        for (i, j) in elimination.pivots {
            for (k, entry) in elimination.rows[i].drain(n..).enumerate() {
                solution[(j, k)] = entry;
            }
        }
        Ok(Some(solution))
    }
}

impl<T: Coefficient> Elimination<T> {
    /// Eliminates downwards with pivots in the first `cols` columns, as far as there are
    /// invertible ones.
    pub(super) fn of(matrix: &Matrix<T>, cols: usize) -> Result<Self, Exhausted> {
        let rows = (0..matrix.rows()).map(|i| matrix.row(i).to_vec()).collect();
        let mut elimination = Elimination { rows, pivots: Vec::new() };
        let mut open: Vec<usize> = (0..matrix.rows()).collect();
        let mut columns: Vec<usize> = (0..cols).collect();
        while let Some((i, j, inverse)) = elimination.next_pivot(&open, &columns)? {
            open.retain(|&row| row != i);
            columns.retain(|&column| column != j);
            elimination.scale_row(i, &inverse)?;
            elimination.subtract_row(i, j, &open)?;
            elimination.pivots.push((i, j));
        }
        Ok(elimination)
    }

    /// The cheapest invertible entry in the open rows and columns, with its inverse.
    fn next_pivot(&self, open: &[usize], columns: &[usize]) -> Result<Option<(usize, usize, T)>, Exhausted> {
        spend((open.len() * columns.len()) as u64)?;
        let mut in_column = vec![0usize; columns.len()];
        let mut candidates = Vec::new();
        for &i in open {
            let occupied: Vec<usize> = (0..columns.len()).filter(|&c| !self.rows[i][columns[c]].is_zero()).collect();
            for &c in &occupied {
                in_column[c] += 1;
                candidates.push((occupied.len() - 1, self.rows[i][columns[c]].weight(), i, c));
            }
        }
        let cost = |&(row, weight, i, c): &(usize, usize, usize, usize)| (row * (in_column[c] - 1), weight, i, c);
        // Most often the cheapest entry is invertible; sort only when it is not.
        let Some(&best) = candidates.iter().min_by_key(|c| cost(c)) else {
            return Ok(None);
        };
        if let Some(inverse) = self.rows[best.2][columns[best.3]].inverse()? {
            return Ok(Some((best.2, columns[best.3], inverse)));
        }
        candidates.sort_unstable_by_key(cost);
        for &(_, _, i, c) in &candidates[1..] {
            if let Some(inverse) = self.rows[i][columns[c]].inverse()? {
                return Ok(Some((i, columns[c], inverse)));
            }
        }
        Ok(None)
    }

    fn scale_row(&mut self, i: usize, factor: &T) -> Result<(), Exhausted> {
        for entry in self.rows[i].iter_mut().filter(|e| !e.is_zero()) {
            *entry = factor.mul(entry)?;
        }
        Ok(())
    }

    /// Clears column `j` in the given rows with row `i`, which has 1 there.
    fn subtract_row(&mut self, i: usize, j: usize, others: &[usize]) -> Result<(), Exhausted> {
        let pivot_row = std::mem::take(&mut self.rows[i]);
        for &k in others {
            let row = &mut self.rows[k];
            let factor = std::mem::replace(&mut row[j], T::zero());
            if factor.is_zero() {
                continue;
            }
            for (c, entry) in pivot_row.iter().enumerate() {
                if c != j && !entry.is_zero() {
                    row[c] = row[c].sub(&factor.mul(entry)?)?;
                }
            }
        }
        self.rows[i] = pivot_row;
        Ok(())
    }

    /// Clears the pivot columns also in the earlier pivot rows, the last pivot first. Entries of
    /// later pivot columns are gone by then, so only the columns from `cols` on are computed.
    fn back_substitute(&mut self, cols: usize) -> Result<(), Exhausted> {
        for p in (0..self.pivots.len()).rev() {
            let row = self.pivots[p].0;
            for q in p + 1..self.pivots.len() {
                let (later, column) = self.pivots[q];
                let factor = std::mem::replace(&mut self.rows[row][column], T::zero());
                if factor.is_zero() {
                    continue;
                }
                for c in cols..self.rows[row].len() {
                    if !self.rows[later][c].is_zero() {
                        let product = factor.mul(&self.rows[later][c])?;
                        self.rows[row][c] = self.rows[row][c].sub(&product)?;
                    }
                }
            }
        }
        Ok(())
    }
}
