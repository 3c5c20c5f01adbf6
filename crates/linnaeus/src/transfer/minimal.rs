//! The least number of vectors that any realization of the same transfer matrix stores: the rank of
//! the Hankel matrix of Markov parameters.

use super::realization::Realization;
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::Operator;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable, spend};

/// The exact rank over ℚ(parameters, operators): that of observability times reachability, each cut
/// to independent rows and columns.
pub fn order(r: &Realization<RationalFunction>, channels: usize) -> Result<usize, Exhausted> {
    let inputs: Vec<usize> = (0..channels).collect();
    let states: Vec<usize> = (0..r.states.len()).collect();
    let b = r.b.submatrix(&states, &inputs);
    let reachable = krylov(&r.a, &b)?;
    let observable = krylov(&r.a.transpose(), &r.c.transpose())?.transpose();
    observable.mul(&reachable)?.rank()
}

/// Independent columns that span all of B, AB, A²B, ….
fn krylov(a: &Matrix<RationalFunction>, b: &Matrix<RationalFunction>) -> Result<Matrix<RationalFunction>, Exhausted> {
    let mut basis = independent_columns(b)?;
    let mut newest = basis.clone();
    while newest.cols() > 0 && basis.cols() < a.rows() {
        let next = a.mul(&newest)?;
        let grown = independent_columns(&basis.hstack(&next))?;
        let added: Vec<usize> = (basis.cols()..grown.cols()).collect();
        let rows: Vec<usize> = (0..a.rows()).collect();
        newest = grown.submatrix(&rows, &added);
        basis = grown;
    }
    Ok(basis)
}

/// The leftmost columns that span the column space.
fn independent_columns(m: &Matrix<RationalFunction>) -> Result<Matrix<RationalFunction>, Exhausted> {
    let (_, columns) = m.independent_rows_and_columns()?;
    let rows: Vec<usize> = (0..m.rows()).collect();
    Ok(m.submatrix(&rows, &columns))
}

const PRIME: u64 = (1 << 61) - 1;
/// Operators are replaced by random matrices of this size.
const SIZE: usize = 4;

/// The Hankel rank with every operator a random matrix and every parameter a random number, per
/// component of a vector. Values at a point never exceed the generic rank, and reach it but for
/// rare points.
pub fn generic_order(r: &Realization<OperatorPolynomial>, channels: usize, operators: &[Operator]) -> Result<usize, Exhausted> {
    let matrices: Vec<[Dense; 2]> = operators.iter().enumerate().map(|(i, o)| random_operator(i, o)).collect();
    let value = |p: &OperatorPolynomial| evaluate(p, &matrices);
    let a = blocks(&r.a, &value)?;
    let b = blocks(&r.b.submatrix(&(0..r.states.len()).collect::<Vec<_>>(), &(0..channels).collect::<Vec<_>>()), &value)?;
    let c = blocks(&r.c, &value)?;
    let n = r.states.len();
    let mut reachable: Vec<Vec<u64>> = Vec::new();
    let mut column_block = b;
    for _ in 0..n {
        reachable.extend(column_block.transpose().rows);
        column_block = a.mul(&column_block)?;
    }
    let reachable = Dense { rows: reachable }.transpose();
    let mut hankel: Vec<Vec<u64>> = Vec::new();
    let mut row_block = c;
    for _ in 0..n {
        hankel.extend(row_block.mul(&reachable)?.rows);
        row_block = row_block.mul(&a)?;
    }
    Ok(Dense { rows: hankel }.rank()?.div_ceil(SIZE))
}

/// A matrix over 𝔽_p.
#[derive(Clone, Debug)]
struct Dense {
    rows: Vec<Vec<u64>>,
}

impl Dense {
    fn random(seed: u64) -> Dense {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % PRIME
        };
        Dense { rows: (0..SIZE).map(|_| (0..SIZE).map(|_| next()).collect()).collect() }
    }

    fn scalar(value: u64) -> Dense {
        Dense { rows: (0..SIZE).map(|i| (0..SIZE).map(|j| if i == j { value } else { 0 }).collect()).collect() }
    }

    fn transpose(&self) -> Dense {
        let cols = self.rows.first().map_or(0, Vec::len);
        Dense { rows: (0..cols).map(|j| self.rows.iter().map(|r| r[j]).collect()).collect() }
    }

    fn mul(&self, other: &Dense) -> Result<Dense, Exhausted> {
        let cols = other.rows.first().map_or(0, Vec::len);
        spend((self.rows.len() * other.rows.len() * cols) as u64)?;
        let entry = |row: &[u64], j: usize| {
            let sum = row.iter().zip(&other.rows).map(|(x, r)| u128::from(*x) * u128::from(r[j]) % u128::from(PRIME)).sum::<u128>();
            (sum % u128::from(PRIME)) as u64
        };
        Ok(Dense { rows: self.rows.iter().map(|row| (0..cols).map(|j| entry(row, j)).collect()).collect() })
    }

    fn add(&self, other: &Dense) -> Dense {
        let sum = |a: &Vec<u64>, b: &Vec<u64>| a.iter().zip(b).map(|(x, y)| (x + y) % PRIME).collect();
        Dense { rows: self.rows.iter().zip(&other.rows).map(|(a, b)| sum(a, b)).collect() }
    }

    fn rank(mut self) -> Result<usize, Exhausted> {
        let cols = self.rows.first().map_or(0, Vec::len);
        let mut rank = 0;
        for j in 0..cols {
            let Some(pivot) = (rank..self.rows.len()).find(|&i| self.rows[i][j] != 0) else { continue };
            self.rows.swap(rank, pivot);
            spend((self.rows.len() * cols) as u64)?;
            let inverse = power(self.rows[rank][j], PRIME - 2);
            let lead = self.rows[rank].clone();
            for row in &mut self.rows[rank + 1..] {
                let factor = times(row[j], inverse);
                if factor != 0 {
                    for (x, l) in row.iter_mut().zip(&lead) {
                        *x = (*x + PRIME - times(factor, *l)) % PRIME;
                    }
                }
            }
            rank += 1;
        }
        Ok(rank)
    }

    fn inverse(&self) -> Option<Dense> {
        let n = self.rows.len();
        let mut m: Vec<Vec<u64>> = self.rows.iter().enumerate().map(|(i, r)| r.iter().copied().chain((0..n).map(|j| u64::from(i == j))).collect()).collect();
        for j in 0..n {
            let pivot = (j..n).find(|&i| m[i][j] != 0)?;
            m.swap(j, pivot);
            let inverse = power(m[j][j], PRIME - 2);
            m[j].iter_mut().for_each(|x| *x = times(*x, inverse));
            let lead = m[j].clone();
            for (_, row) in m.iter_mut().enumerate().filter(|(i, _)| *i != j) {
                let factor = row[j];
                row.iter_mut().zip(&lead).for_each(|(x, l)| *x = (*x + PRIME - times(factor, *l)) % PRIME);
            }
        }
        Some(Dense { rows: m.into_iter().map(|r| r[n..].to_vec()).collect() })
    }
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// The operator and its inverse. Symmetric ones are symmetric; those of one commuting class are
/// polynomials of one matrix.
fn random_operator(i: usize, operator: &Operator) -> [Dense; 2] {
    let seed = if operator.class != 0 { 1000 + u64::from(operator.class) } else { 1 + i as u64 };
    let mut m = Dense::random(seed);
    if operator.symmetric || operator.class != 0 {
        m = m.add(&m.transpose());
    }
    if operator.class != 0 {
        let square = m.mul(&m).unwrap_or_else(|_| m.clone());
        m = m.add(&square.mul(&Dense::scalar(i as u64 + 2)).unwrap_or(square));
    }
    let inverse = m.inverse().unwrap_or_else(|| Dense::scalar(1));
    [m, inverse]
}

fn evaluate(p: &OperatorPolynomial, matrices: &[[Dense; 2]]) -> Result<Dense, Exhausted> {
    let point = |v: Variable| (u64::from(v.0) + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) % PRIME;
    let mut sum = Dense::scalar(0);
    for (word, coefficient) in p.terms() {
        let mut product = Dense::scalar(coefficient.evaluate_mod(&point, PRIME).unwrap_or(1));
        for Letter { operator, adjoint, inverse, .. } in word {
            let m = &matrices[*operator as usize][usize::from(*inverse)];
            product = product.mul(&if *adjoint { m.transpose() } else { m.clone() })?;
        }
        sum = sum.add(&product);
    }
    Ok(sum)
}

fn blocks(m: &Matrix<OperatorPolynomial>, value: &dyn Fn(&OperatorPolynomial) -> Result<Dense, Exhausted>) -> Result<Dense, Exhausted> {
    let mut rows = vec![Vec::new(); m.rows() * SIZE];
    for i in 0..m.rows() {
        for j in 0..m.cols() {
            let block = value(&m[(i, j)])?;
            for (s, row) in block.rows.into_iter().enumerate() {
                rows[i * SIZE + s].extend(row);
            }
        }
    }
    Ok(Dense { rows })
}
