//! The determinant by fraction-free elimination.
//!
//! E. H. Bareiss, *Sylvester's identity and multistep integer-preserving Gaussian elimination*,
//! Math. Comp. 22 (1968).

use super::Matrix;
use crate::fuel::Exhausted;
use crate::polynomial::Polynomial;
use crate::rational_function::RationalFunction;

impl Matrix<RationalFunction> {
    /// The determinant.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// # Panics
    /// If the matrix is not square.
    ///
    /// ```
    /// use linnaeus_algebra::{Matrix, RationalFunction, Variable};
    /// let x = RationalFunction::variable(Variable(0));
    /// let m = Matrix::from_fn(2, 2, |i, j| x.pow((i + j) as i32).unwrap().unwrap());
    /// assert!(m.determinant().unwrap().is_zero());
    /// ```
    pub fn determinant(&self) -> Result<RationalFunction, Exhausted> {
        assert_eq!(self.rows(), self.cols(), "the determinant of a square matrix");
        let mut denominator = Polynomial::one();
        let mut rows = Vec::with_capacity(self.rows());
        for i in 0..self.rows() {
            let (row, scale) = clear_denominators(self.row(i))?;
            denominator = denominator.mul(&scale)?;
            rows.push(row);
        }
        RationalFunction::reduced(determinant(rows)?, denominator)
    }
}

/// The entries times their least common denominator, and that denominator.
pub(super) fn clear_denominators(entries: &[RationalFunction]) -> Result<(Vec<Polynomial>, Polynomial), Exhausted> {
    let mut common = Polynomial::one();
    for entry in entries {
        let d = entry.denominator();
        if !d.is_one() && *d != common {
            let rest = d.exact_divide(&common.gcd(d)?)?.expect("the gcd divides");
            common = common.mul(&rest)?;
        }
    }
    let clear = |entry: &RationalFunction| {
        let factor = common.exact_divide(entry.denominator())?.expect("a common multiple");
        entry.numerator().mul(&factor)
    };
    let cleared = entries.iter().map(clear).collect::<Result<_, _>>()?;
    Ok((cleared, common))
}

/// The determinant over the ring of polynomials.
///
/// After step k every entry is a (k+1)×(k+1) minor, and the division by the previous pivot exact.
pub(super) fn determinant(mut rows: Vec<Vec<Polynomial>>) -> Result<Polynomial, Exhausted> {
    let n = rows.len();
    let mut previous = Polynomial::one();
    let mut negative = false;
    for k in 0..n {
        let candidates = (k..n).filter(|&i| !rows[i][k].is_zero());
        let Some(pivot) = candidates.min_by_key(|&i| rows[i][k].term_count()) else {
            return Ok(Polynomial::zero());
        };
        if pivot != k {
            rows.swap(pivot, k);
            negative = !negative;
        }
        let (above, below) = rows.split_at_mut(k + 1);
        let top = &above[k];
        for row in below {
            for j in k + 1..n {
                let minor = top[k].mul(&row[j])? - row[k].mul(&top[j])?;
                row[j] = minor.exact_divide(&previous)?.expect("Sylvester's identity");
            }
        }
        previous = top[k].clone();
    }
    Ok(if negative { -previous } else { previous })
}
