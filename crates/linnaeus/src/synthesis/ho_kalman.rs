//! Ho–Kalman by the singular value decomposition, in floating point, where every parameter is a number.
//!
//! The Hankel matrix of Markov parameters is U Σ Vᵀ. Its rank is the order, and the state whose observability and
//! reachability matrices are U √Σ and √Σ Vᵀ is balanced. Nothing else depends on these numbers: the exact order
//! decides, and the numerical rank is reported beside it.

use super::model::Commuting;
use linnaeus_algebra::{Integer, Matrix, Rational, RationalFunction};

/// Singular values below this multiple of the largest count as zero, unless another is asked for.
pub const TOLERANCE: f64 = 1e-9;

/// Rows of numbers.
pub type Rows = Vec<Vec<f64>>;

/// A balanced realization.
#[derive(Clone, Debug)]
pub struct Balanced {
    /// A, B, C, D; the columns of B and D are the answers, then the constants.
    pub matrices: [Rows; 4],
    /// The singular values of the Hankel matrix, as many as there were states.
    pub singular_values: Vec<f64>,
    /// How many of them are not zero within the tolerance.
    pub numerical_rank: usize,
}

/// Balances a minimal model; nothing if a parameter is left. Singular values below so much of the largest count as
/// zero.
pub fn balanced(model: &Commuting, tolerance: f64) -> Option<Balanced> {
    let n = model.order();
    let [a, b, c, d] = [&model.a, &model.b, &model.c, &model.d].map(numbers);
    let (a, b, c, d) = (a?, b?, c?, d?);
    // Markov parameters C Aʲ B, j = 0 … 2n − 1.
    let mut markov = Vec::new();
    let mut power = b.clone();
    for _ in 0..2 * n {
        markov.push(product(&c, &power));
        power = product(&a, &power);
    }
    let (rows, cols) = (c.len(), b.first().map_or(0, Vec::len));
    let block = |shift: usize| -> Rows {
        let entry = |i: usize, j: usize| markov[i / rows + j / cols + shift][i % rows][j % cols];
        (0..n * rows).map(|i| (0..n * cols).map(|j| entry(i, j)).collect()).collect()
    };
    if n == 0 || rows == 0 || cols == 0 {
        return Some(Balanced { matrices: [a, b, c, d], singular_values: Vec::new(), numerical_rank: 0 });
    }
    let (u, s, v) = singular_values(&block(0));
    let largest = s.first().copied().unwrap_or(0.0);
    let numerical_rank = s.iter().filter(|x| **x > tolerance * largest).count();
    // The order is exact; as many singular values are kept.
    let root = |i: usize| s[i].sqrt();
    let left: Rows = (0..n).map(|i| u[i].iter().map(|x| x / root(i)).collect()).collect();
    let right: Rows = (0..n).map(|i| v[i].iter().map(|x| x / root(i)).collect()).collect();
    let shifted = product(&product(&left, &block(1)), &transpose(&right));
    let input: Rows = (0..n).map(|i| (0..cols).map(|j| root(i) * v[i][j]).collect()).collect();
    let output: Rows = (0..rows).map(|i| (0..n).map(|j| u[j][i] * root(j)).collect()).collect();
    let singular_values = s.into_iter().take(n).collect();
    Some(Balanced { matrices: [shifted, input, output, d], singular_values, numerical_rank })
}

fn numbers(m: &Matrix<RationalFunction>) -> Option<Rows> {
    (0..m.rows()).map(|i| m.row(i).iter().map(|e| Some(float(&e.as_rational()?))).collect()).collect()
}

/// The nearest floating-point number, or close to it.
pub fn float(r: &Rational) -> f64 {
    let whole = |n: &Integer| n.to_string().parse::<f64>().unwrap_or(f64::NAN);
    whole(r.numerator()) / whole(&Integer::from(r.denominator().clone()))
}

fn product(a: &Rows, b: &Rows) -> Rows {
    let cols = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, r)| x * r[j]).sum();
    a.iter().map(|row| (0..cols).map(|j| entry(row, j)).collect()).collect()
}

fn transpose(a: &Rows) -> Rows {
    let cols = a.first().map_or(0, Vec::len);
    (0..cols).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// Rows of U and V and the singular values, falling: one-sided Jacobi (Hestenes 1958), which rotates pairs of
/// columns until all are orthogonal.
fn singular_values(m: &Rows) -> (Rows, Vec<f64>, Rows) {
    let mut columns = transpose(m);
    let n = columns.len();
    let mut v: Rows = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
    for _ in 0..60 {
        let mut rotated = false;
        for i in 0..n {
            for j in i + 1..n {
                let (p, q, r) =
                    (dot(&columns[i], &columns[i]), dot(&columns[j], &columns[j]), dot(&columns[i], &columns[j]));
                if r.abs() <= 1e-15 * (p * q).sqrt() || r == 0.0 {
                    continue;
                }
                rotated = true;
                let zeta = (q - p) / (2.0 * r);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let t = if zeta == 0.0 { 1.0 } else { t };
                let cosine = 1.0 / (1.0 + t * t).sqrt();
                let sine = cosine * t;
                for m in [&mut columns, &mut v] {
                    for k in 0..m[i].len() {
                        let (x, y) = (m[i][k], m[j][k]);
                        (m[i][k], m[j][k]) = (cosine * x - sine * y, sine * x + cosine * y);
                    }
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let mut order: Vec<(f64, usize)> = columns.iter().enumerate().map(|(i, c)| (dot(c, c).sqrt(), i)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let s = order.iter().map(|(x, _)| *x).collect();
    let unit = |&(x, i): &(f64, usize)| columns[i].iter().map(|c| if x > 0.0 { c / x } else { 0.0 }).collect();
    (order.iter().map(unit).collect(), s, order.iter().map(|(_, i)| v[*i].clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Coordinates, reduced};
    use super::*;

    fn markov([a, b, c, _]: &[Rows; 4], count: usize) -> Vec<Rows> {
        let mut power = b.clone();
        let mut found = Vec::new();
        for _ in 0..count {
            found.push(product(c, &power));
            power = product(a, &power);
        }
        found
    }

    #[track_caller]
    fn check(text: &str, order: usize) {
        let analysis = crate::read(text).analysis.unwrap();
        let model = reduced(&Commuting::new(&analysis).unwrap(), Coordinates::Minimal).unwrap().model;
        let found = balanced(&model, TOLERANCE).unwrap();
        assert_eq!((found.singular_values.len(), found.numerical_rank), (order, order), "{text}");
        let exact = [&model.a, &model.b, &model.c, &model.d].map(|m| numbers(m).unwrap());
        for (x, y) in
            markov(&exact, 8).iter().flatten().flatten().zip(markov(&found.matrices, 8).iter().flatten().flatten())
        {
            assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{text}: {x} {y}");
        }
    }

    #[test]
    fn markov_parameters_stay() {
        check("x[k+1] = 2*x[k] - w[k] - 1/10*grad f(2*x[k] - w[k]); w[k+1] = x[k]", 2);
        check("x[k] = prox_f(w[k]); y[k] = prox_g(2*x[k] - w[k]); w[k+1] = w[k] + y[k] - x[k]", 1);
        check("x[k+1] = prox_g(y[k] - w[k]); y[k+1] = prox_f(x[k+1] + w[k]); w[k+1] = w[k] + x[k+1] - y[k+1]", 2);
    }

    #[test]
    fn parameters_are_left() {
        let analysis = crate::read("x[k+1] = x[k] - t*grad f(x[k])").analysis.unwrap();
        assert!(balanced(&Commuting::new(&analysis).unwrap(), TOLERANCE).is_none());
    }
}
