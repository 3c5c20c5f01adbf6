//! Which beginnings of a pairing may be gone on with: the channels that are paired must admit a shift.

use super::behavior::Behavior;
use super::hypothesis::Pairing;
use super::shift::{self, Chosen};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};

/// The second in the first's oracles, for every way that was met.
pub struct Beginnings<'a> {
    first: &'a Behavior,
    second: &'a Behavior,
    chosen: &'a [Chosen],
    known: Vec<(Vec<Matrix<RationalFunction>>, Option<Behavior>)>,
}

impl<'a> Beginnings<'a> {
    /// Where the parameters of any of these may be chosen.
    pub fn new(first: &'a Behavior, second: &'a Behavior, chosen: &'a [Chosen]) -> Beginnings<'a> {
        Beginnings { first, second, chosen, known: Vec::new() }
    }

    /// Whether the first channels of the first, paired in this way, admit a shift. Other oracles make another H, so that
    /// nothing is said before it is known how every oracle of the second is read, and where one is several of the first.
    pub fn admit(&mut self, order: &[usize], how: &[Pairing]) -> Result<bool, Exhausted> {
        let mut matrices = Vec::new();
        for port in self.second.ports.iter() {
            let paired = |n: &usize| self.second.ports[order[*n]].oracle == port.oracle;
            let mut pairs = (0..order.len()).filter(paired);
            let Some(one) = pairs.next() else { return Ok(true) };
            // Pairs of the same oracles are read alike.
            if pairs.any(|n| self.first.ports[one].oracle != self.first.ports[n].oracle) {
                return Ok(true);
            }
            matrices.push(how[one].matrix(&self.first.ports[one].oracle, &port.oracle)?);
        }
        let found = match self.known.iter().position(|(m, _)| *m == matrices) {
            Some(n) => n,
            None => {
                let behavior = self.second.in_oracles(&matrices)?;
                self.known.push((matrices, behavior));
                self.known.len() - 1
            }
        };
        let second = self.known[found].1.as_ref();
        Ok(second.is_some_and(|second| is_possible(self.first, second, order, self.chosen)))
    }
}

/// Whether the delays among the channels that are paired admit a shift.
pub fn is_possible(first: &Behavior, second: &Behavior, order: &[usize], chosen: &[Chosen]) -> bool {
    let paired: Vec<usize> = (0..order.len()).collect();
    let (g, h) = (first.h.submatrix(&paired, &paired), second.h.submatrix(order, order));
    chosen.iter().any(|chosen| shift::possible(&g, &h, *chosen))
}
