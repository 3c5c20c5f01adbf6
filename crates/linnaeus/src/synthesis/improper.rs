//! A transfer matrix without a state. One that grows with z is no algorithm as it stands, but one in other oracles or
//! at other times, or for other values of its parameters.

use super::model::{Commuting, Port};
use super::oracles::{explicit_oracles, in_oracles, is_explicit};
use super::transform::{gains, merged, substituted_steps};
use crate::relation::shift;
use crate::source::Span;
use crate::system::{LinearSystem, Oracle, Z, operator_symbol};
use crate::transfer::graph::{self, Special};
use crate::transfer::realize::Unrealizable;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable};
use std::rc::Rc;

/// The matrix, and an entry that grows if there is one.
#[derive(Clone, Debug)]
pub struct Improper {
    /// Names of parameters and operators, and the spaces.
    pub system: Rc<LinearSystem>,
    /// The calls.
    pub ports: Vec<Port>,
    /// H.
    pub h: Matrix<RationalFunction>,
    /// Where the entry stands in the text.
    pub span: Span,
}

/// What makes it an algorithm.
#[derive(Clone, Debug)]
pub enum WayOut {
    /// Δ_m H Δ_m⁻¹ is proper and explicit.
    Shift(Vec<i64>),
    /// In these oracles of the same functions it is proper and explicit.
    Oracles(Vec<Oracle>),
}

impl Improper {
    /// The change that makes it an algorithm, if there is one: calls at other times rather than other oracles.
    pub fn way_out(&self) -> Result<Option<WayOut>, Exhausted> {
        let h = &self.h;
        let waits = |i: usize| shift::relative_degree(&h[(i, i)]).is_none_or(|r| r >= 0);
        let shifts = if (0..h.rows()).all(waits) { shift::proper(h).vectors } else { Vec::new() };
        for m in shifts {
            if is_explicit(&self.shifted(&m)?.h) {
                return Ok(Some(WayOut::Shift(m)));
            }
        }
        Ok(explicit_oracles(&self.ports, h, &[])?.map(WayOut::Oracles))
    }

    /// The algorithm in other oracles of the same functions; nothing if it has no transfer matrix there.
    pub fn in_oracles(&self, oracles: &[Oracle]) -> Result<Option<Improper>, Exhausted> {
        let changed = in_oracles(&self.ports, &self.h, oracles)?;
        let port = |(port, new): (&Port, &Oracle)| Port { oracle: new.clone(), ..port.clone() };
        let ports = self.ports.iter().zip(oracles).map(port).collect();
        Ok(changed.map(|h| Improper { h, ports, ..self.clone() }))
    }

    /// Δ_m H Δ_m⁻¹ with Δ_m = diag(z^(-m_i)).
    pub fn shifted(&self, m: &[i64]) -> Result<Improper, Exhausted> {
        let z = RationalFunction::variable(Z);
        let mut h = self.h.clone();
        for i in 0..h.rows() {
            for j in 0..h.cols() {
                let power = z.pow((m[j] - m[i]) as i32)?.expect("z is not zero");
                h[(i, j)] = h[(i, j)].mul(&power)?;
            }
        }
        Ok(Improper { h, ..self.clone() })
    }

    /// Symbols replaced by functions of others; nothing if a denominator or a step vanishes.
    pub fn substituted(
        &self,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<Option<Improper>, Exhausted> {
        let mut found = self.clone();
        for i in 0..self.h.rows() {
            for j in 0..self.h.cols() {
                match self.h[(i, j)].substitute(value)? {
                    Some(entry) => found.h[(i, j)] = entry,
                    None => return Ok(None),
                }
            }
        }
        Ok(substituted_steps(&mut found.ports, value)?.then_some(found))
    }

    /// The matrix with an operator that is the identity: its two spaces are one.
    pub fn with_identity(&self, operator: usize) -> Result<Option<Improper>, Exhausted> {
        let symbol = operator_symbol(operator);
        let one = |v: Variable| (v == symbol).then(RationalFunction::one);
        let Some(mut found) = self.substituted(&one)? else { return Ok(None) };
        let merge = merged(&self.system, operator);
        for port in &mut found.ports {
            (port.input, port.output) = (merge(port.input), merge(port.output));
        }
        Ok(Some(found))
    }

    /// What becomes of it when a function is special, so that its calls only multiply. Nothing if a query is forced or
    /// a loop has no solution.
    pub fn closed(&self, function: &str, special: Special) -> Result<Option<Improper>, Exhausted> {
        gains(&self.ports, function, |oracle| graph::gain(oracle, special))?.map_or(Ok(None), |all| self.without(&all))
    }

    /// The matrix without the calls of a function: they answer zero.
    pub fn deleted(&self, function: &str) -> Result<Option<Improper>, Exhausted> {
        gains(&self.ports, function, |_| Ok(Some(RationalFunction::zero())))?.map_or(Ok(None), |all| self.without(&all))
    }

    /// H_kk + H_kc G (I − H_cc G)⁻¹ H_ck with G the gains of the calls c that are closed.
    fn without(&self, gains: &[(usize, RationalFunction)]) -> Result<Option<Improper>, Exhausted> {
        let closed: Vec<usize> = gains.iter().map(|(i, _)| *i).collect();
        let kept: Vec<usize> = (0..self.ports.len()).filter(|i| !closed.contains(i)).collect();
        let n = gains.len();
        let g = Matrix::from_fn(n, n, |i, j| if i == j { gains[i].1.clone() } else { RationalFunction::zero() });
        let part = |rows: &[usize], columns: &[usize]| self.h.submatrix(rows, columns);
        let around = Matrix::identity(n).sub(&part(&closed, &closed).mul(&g)?)?;
        let Some(inverse) = around.inverse()? else { return Ok(None) };
        let through = part(&kept, &closed).mul(&g)?.mul(&inverse)?.mul(&part(&closed, &kept))?;
        let h = part(&kept, &kept).add(&through)?;
        let ports = kept.iter().map(|&i| self.ports[i].clone()).collect();
        Ok(Some(Improper { h, ports, ..self.clone() }))
    }

    /// The algorithm, if no entry grows any more.
    pub fn model(&self) -> Result<Option<Commuting>, Exhausted> {
        match Commuting::from_transfer(self.system.clone(), self.ports.clone(), Vec::new(), &self.h) {
            Ok(model) => Ok(Some(model)),
            Err(Unrealizable::Improper { .. }) => Ok(None),
            Err(Unrealizable::Exhausted) => Err(Exhausted),
        }
    }
}
