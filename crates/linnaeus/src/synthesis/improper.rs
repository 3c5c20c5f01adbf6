//! A transfer matrix that grows with z: no algorithm as it stands, but one in other oracles or at other times.

use super::model::{Commuting, Port};
use super::oracles::{explicit_oracles, in_oracles, is_explicit};
use crate::relation::shift;
use crate::source::Span;
use crate::system::{LinearSystem, Oracle, Z};
use crate::transfer::realize::Unrealizable;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};
use std::rc::Rc;

/// The matrix, and an entry that grows.
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
        Ok(explicit_oracles(&self.ports, h)?.map(WayOut::Oracles))
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

    /// The algorithm, if no entry grows any more.
    pub fn model(&self) -> Result<Option<Commuting>, Exhausted> {
        match Commuting::from_transfer(self.system.clone(), self.ports.clone(), Vec::new(), &self.h) {
            Ok(model) => Ok(Some(model)),
            Err(Unrealizable::Improper { .. }) => Ok(None),
            Err(Unrealizable::Exhausted) => Err(Exhausted),
        }
    }
}
