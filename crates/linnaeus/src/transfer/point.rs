//! H at one point: every operator a random matrix, every parameter and z random numbers modulo a prime. Matrices that
//! differ there are different; matrices that agree there are the same, but for rare points.

use super::minimal::{SIZE, blocks, evaluate, random_operator, random_value};
use super::{Analysis, Transfer};
use crate::prime_field::{Dense, Stream, negate};
use crate::system::{LinearSystem, parameter};

/// Numbers and matrices for all symbols of an algorithm.
pub(crate) struct Point<'a> {
    system: &'a LinearSystem,
    matrices: Vec<[Dense; 2]>,
    /// The transform variable.
    pub z: u64,
}

impl<'a> Point<'a> {
    /// The point that belongs to an algorithm.
    pub fn new(system: &'a LinearSystem) -> Self {
        let matrices = system.operators.iter().enumerate().map(|(i, o)| random_operator(i, o)).collect();
        Point { system, matrices, z: Stream::new(0x7a).next() }
    }

    /// A multiple of the identity.
    pub fn number(&self, value: u64) -> Dense {
        Dense::scalar(SIZE, value)
    }

    /// What a name of the algorithm stands for.
    pub fn named(&self, name: &str) -> Option<Dense> {
        let operator = self.system.operators.iter().position(|o| o.name == name);
        let number = self.system.parameters.iter().position(|p| p == name);
        operator
            .map(|i| self.matrices[i][0].clone())
            .or_else(|| number.map(|i| self.number(random_value(&self.system.schedules, parameter(i), 0))))
    }

    /// H = D + C (zI − A)⁻¹ B of operators that do not commute, by entries; none where coefficients change with the index.
    pub fn transfer(&self, analysis: &Analysis) -> Option<Vec<Vec<Dense>>> {
        let Transfer::Noncommuting { realization: r, .. } = &analysis.transfer else { return None };
        if !self.system.schedules.is_empty() {
            return None;
        }
        let (states, calls): (Vec<usize>, Vec<usize>) =
            ((0..r.states.len()).collect(), (0..analysis.channels.len()).collect());
        let value = |p: &_| evaluate(p, &self.matrices, &|v| random_value(&self.system.schedules, v, 0));
        let (a, b) = (blocks(&r.a, &value), blocks(&r.b.submatrix(&states, &calls), &value));
        let (c, d) = (blocks(&r.c, &value), blocks(&r.d.submatrix(&calls, &calls), &value));
        let resolvent = Dense::scalar(a.rows.len(), self.z).plus(&a.times(negate(1))).inverse()?;
        let h = if states.is_empty() { d } else { d.plus(&c.after(&resolvent).after(&b)) };
        let block = |i: usize, j: usize| Dense {
            rows: h.rows[i * SIZE..(i + 1) * SIZE].iter().map(|r| r[j * SIZE..(j + 1) * SIZE].to_vec()).collect(),
            cols: SIZE,
        };
        Some(calls.iter().map(|&i| calls.iter().map(|&j| block(i, j)).collect()).collect())
    }
}
