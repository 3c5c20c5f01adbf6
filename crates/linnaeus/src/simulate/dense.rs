//! Small matrices of floating-point numbers.

/// A vector.
pub type Vector = Vec<f64>;

/// A matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// The rows.
    pub rows: Vec<Vector>,
    /// How many columns, also where there are no rows.
    pub cols: usize,
}

impl Dense {
    /// An entry for every place.
    pub fn from_fn(rows: usize, cols: usize, entry: impl Fn(usize, usize) -> f64) -> Dense {
        Dense { rows: (0..rows).map(|i| (0..cols).map(|j| entry(i, j)).collect()).collect(), cols }
    }

    /// A multiple of the identity.
    pub fn scalar(n: usize, value: f64) -> Dense {
        Dense::from_fn(n, n, |i, j| if i == j { value } else { 0.0 })
    }

    /// M'.
    pub fn transpose(&self) -> Dense {
        Dense::from_fn(self.cols, self.rows.len(), |i, j| self.rows[j][i])
    }

    /// M x.
    pub fn apply(&self, x: &[f64]) -> Vector {
        self.rows.iter().map(|r| dot(r, x)).collect()
    }

    /// M N.
    pub fn after(&self, other: &Dense) -> Dense {
        let columns = other.transpose();
        Dense::from_fn(self.rows.len(), other.cols, |i, j| dot(&self.rows[i], &columns.rows[j]))
    }

    /// M + s N.
    pub fn plus(&self, s: f64, other: &Dense) -> Dense {
        Dense::from_fn(self.rows.len(), self.cols, |i, j| self.rows[i][j] + s * other.rows[i][j])
    }

    /// M⁻¹, by elimination with pivots; none if a pivot vanishes.
    pub fn inverse(&self) -> Option<Dense> {
        let n = self.rows.len();
        if self.cols != n {
            return None;
        }
        let unit = Dense::scalar(n, 1.0);
        let mut rows: Vec<Vector> = self.rows.iter().zip(&unit.rows).map(|(a, b)| [&a[..], &b[..]].concat()).collect();
        let scale = self.rows.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        for column in 0..n {
            let pivot = (column..n).max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()))?;
            // What is no number is no pivot either.
            let is_pivot = rows[pivot][column].abs() > 1e-13 * scale;
            if !is_pivot {
                return None;
            }
            rows.swap(column, pivot);
            let factor = 1.0 / rows[column][column];
            rows[column].iter_mut().for_each(|x| *x *= factor);
            let row = rows[column].clone();
            for (i, other) in rows.iter_mut().enumerate() {
                let factor = other[column];
                if i != column && factor != 0.0 {
                    other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        Some(Dense { rows: rows.into_iter().map(|r| r[n..].to_vec()).collect(), cols: n })
    }

    /// M⁻¹ v.
    pub fn solve(&self, v: &[f64]) -> Option<Vector> {
        self.inverse().map(|m| m.apply(v))
    }

    /// The largest singular value, by powers of M'M.
    pub fn norm(&self) -> f64 {
        let square = self.transpose().after(self);
        let mut v: Vector = (0..self.cols).map(|i| 1.0 + 0.1 * i as f64).collect();
        for _ in 0..500 {
            let w = square.apply(&v);
            let size = norm(&w);
            if size == 0.0 {
                return 0.0;
            }
            v = w.iter().map(|x| x / size).collect();
        }
        norm(&square.apply(&v)).sqrt()
    }
}

/// x · y.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// ‖x‖.
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// s x + t y.
pub fn combine(s: f64, x: &[f64], t: f64, y: &[f64]) -> Vector {
    x.iter().zip(y).map(|(a, b)| s * a + t * b).collect()
}

/// ‖x − y‖.
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    norm(&combine(1.0, x, -1.0, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        let m = Dense::from_fn(4, 4, |i, j| 1.0 / (1.0 + i as f64 + j as f64) + if i == j { 1.0 } else { 0.0 });
        let one = m.after(&m.inverse().unwrap());
        assert!(one.plus(-1.0, &Dense::scalar(4, 1.0)).norm() < 1e-12);
        assert_eq!(Dense::from_fn(2, 2, |_, _| 1.0).inverse(), None);
        assert_eq!(Dense::from_fn(1, 2, |_, _| 1.0).inverse(), None);
        assert!((Dense::scalar(3, -2.0).norm() - 2.0).abs() < 1e-12);
    }
}
