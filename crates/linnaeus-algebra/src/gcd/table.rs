//! Polynomials as tables of exponents in a chosen order of variables, over ℤ and modulo a prime.

use super::field::PrimeField;
use crate::Integer;
use crate::polynomial::{Polynomial, residue};
use crate::variables::Variable;

/// A polynomial over ℤ; the first column of exponents is the main variable's.
///
/// Rows ascend lexicographically, so that evaluating the last variable makes equal rows adjacent.
pub(super) struct Table<'a> {
    width: usize,
    exponents: Vec<u32>,
    coefficients: Vec<&'a Integer>,
}

impl<'a> Table<'a> {
    /// The table with a column for each variable of `order`, which must contain those of `p`.
    pub(super) fn new(p: &'a Polynomial, order: &[Variable]) -> Self {
        let places: Vec<Option<usize>> = order.iter().map(|&v| p.frame().position(v)).collect();
        let row = |t: usize| -> Vec<u32> { places.iter().map(|place| place.map_or(0, |i| p.exponent(t, i))).collect() };
        let mut rows: Vec<_> = (0..p.term_count()).map(|t| (row(t), p.coefficient(t))).collect();
        rows.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let coefficients = rows.iter().map(|&(_, c)| c).collect();
        let exponents = rows.into_iter().flat_map(|(row, _)| row).collect();
        Table { width: order.len(), exponents, coefficients }
    }

    /// The largest exponent in a column.
    pub(super) fn degree(&self, column: usize) -> u32 {
        self.exponents.iter().skip(column).step_by(self.width).copied().max().unwrap_or(0)
    }

    /// The coefficients reduced modulo a prime.
    pub(super) fn modulo(&self, field: PrimeField) -> Residues {
        let coefficients = self.coefficients.iter().map(|c| residue(c, field.prime())).collect();
        Residues { width: self.width, exponents: self.exponents.clone(), coefficients }
    }
}

/// A polynomial over a prime field, laid out like a [`Table`].
#[derive(Clone)]
pub(super) struct Residues {
    width: usize,
    exponents: Vec<u32>,
    coefficients: Vec<u64>,
}

impl Residues {
    /// The number of terms.
    pub(super) fn len(&self) -> usize {
        self.coefficients.len()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.exponents.chunks_exact(self.width).zip(self.coefficients.iter().copied())
    }

    /// The largest exponent in a column.
    pub(super) fn degree(&self, column: usize) -> u32 {
        self.rows().map(|(row, _)| row[column]).max().unwrap_or(0)
    }

    /// The polynomial with a value for the variable of the last column.
    pub(super) fn evaluate_last(&self, field: PrimeField, value: u64) -> Residues {
        let width = self.width - 1;
        let powers = Powers::new(field, value, self.degree(width));
        let mut exponents: Vec<u32> = Vec::with_capacity(self.len() * width);
        let mut coefficients: Vec<u64> = Vec::with_capacity(self.len());
        for (row, c) in self.rows() {
            let c = field.mul(c, powers.get(row[width]));
            match coefficients.last_mut() {
                Some(last) if exponents[exponents.len() - width..] == row[..width] => {
                    *last = field.add(*last, c);
                }
                _ => {
                    exponents.extend_from_slice(&row[..width]);
                    coefficients.push(c);
                }
            }
        }
        Residues { width, exponents, coefficients }
    }
}

/// The powers of one element, tabulated while that is cheap.
pub(super) struct Powers {
    field: PrimeField,
    base: u64,
    table: Vec<u64>,
}

impl Powers {
    pub(super) fn new(field: PrimeField, base: u64, degree: u32) -> Self {
        let successors = std::iter::successors(Some(1), |&x| Some(field.mul(x, base)));
        let table = successors.take(degree.min(64) as usize + 1).collect();
        Powers { field, base, table }
    }

    pub(super) fn get(&self, e: u32) -> u64 {
        match self.table.get(e as usize) {
            Some(&power) => power,
            None => self.field.pow(self.base, e),
        }
    }
}
