//! The vectors between state and calls that the text of an algorithm computes.

use super::desk::Step;
use super::model::user_name;
use super::typed::Gain;
use super::vector::Combination;
use crate::operator::OperatorPolynomial;
use crate::system::{Atom, LinearSystem};
use crate::transfer::{Analysis, State, Timing};
use linnaeus_algebra::{Coefficient, Exhausted, SortedMap};

/// Every iterate that has a name, in states, answers and constants; none where that takes long, or where a line gives
/// its iterate only together with others.
pub fn steps(analysis: &Analysis, states: &[State]) -> Vec<Step> {
    let Ok(timing) = Timing::new(&analysis.system) else { return Vec::new() };
    let mut text = Text { analysis, states, timing, rows: SortedMap::new() };
    let system = &analysis.system;
    let mut order: Vec<usize> = (0..system.signals.len()).collect();
    order.sort_by_key(|&s| text.timing.equation[s]);
    let mut found = Vec::new();
    for s in order {
        let Ok(Some(row)) = text.row(s, system.signals.len()) else { continue };
        let is_sum = row.values().map(|g| g.above.terms().len()).sum::<usize>() > 1;
        let is_applied = row.values().any(|g| g.above.as_scalar().is_none());
        let name = user_name(system, s, text.timing.defined[s]);
        if name.is_some() && (is_sum || is_applied) {
            found.push(Step { name, space: system.signals[s].space, row });
        }
    }
    found
}

struct Text<'a> {
    analysis: &'a Analysis,
    states: &'a [State],
    timing: Timing,
    rows: SortedMap<usize, Combination>,
}

impl Text<'_> {
    fn system(&self) -> &LinearSystem {
        &self.analysis.system
    }

    /// The newest value of a signal; lines are followed so deep and no deeper.
    fn row(&mut self, signal: usize, depth: usize) -> Result<Option<Combination>, Exhausted> {
        if let Some(row) = self.rows.get(&signal) {
            return Ok(Some(row.clone()));
        }
        if depth == 0 {
            return Ok(None);
        }
        let (e, defined) = (self.timing.equation[signal], self.timing.defined[signal]);
        let moved = self.timing.moved[e];
        let form = self.system().equations[e].form.clone();
        let own = Atom::Signal(signal, defined - moved);
        let Some(scale) = form.get(&own).and_then(OperatorPolynomial::as_scalar).and_then(|c| c.neg().inverse()) else {
            return Ok(None);
        };
        let scale = OperatorPolynomial::scalar(scale);
        let mut sum = SortedMap::new();
        for (atom, coefficient) in form.iter().filter(|(atom, _)| **atom != own) {
            let factor = self.system().schedules.advanced_operator(&scale.mul(coefficient)?, i64::from(moved))?;
            let part = match *atom {
                Atom::Signal(s, offset) if offset + moved == self.timing.defined[s] => self.row(s, depth - 1)?,
                atom => self.place(&atom, moved).map(unit),
            };
            let Some(part) = part else { return Ok(None) };
            for (value, gain) in &part {
                let more = factor.mul(&gain.above)?;
                let all = match sum.remove(value) {
                    Some(old) => more.add(&old)?,
                    None => more,
                };
                sum.insert(*value, all);
            }
        }
        let row: Combination =
            sum.into_iter().filter(|(_, p)| !p.is_zero()).map(|(v, p)| (v, Gain::polynomial(p))).collect();
        self.rows.insert(signal, row.clone());
        Ok(Some(row))
    }

    /// Where a state, an answer or a constant stands.
    fn place(&self, atom: &Atom, moved: i32) -> Option<usize> {
        let (n, channels) = (self.states.len(), &self.analysis.channels);
        match *atom {
            Atom::Signal(s, offset) => self.states.iter().position(|t| *t == State::Signal(s, offset + moved)),
            Atom::Constant(c) => Some(n + channels.len() + c),
            Atom::Call(call) => channels.iter().enumerate().find_map(|(i, channel)| {
                let (_, age) = channel.calls.iter().find(|(c, _)| *c == call)?;
                match age {
                    0 => Some(n + i),
                    age => self.states.iter().position(|t| *t == State::Answer(i, -(*age as i32))),
                }
            }),
        }
    }
}

fn unit(value: usize) -> Combination {
    Combination::from([(value, Gain::polynomial(OperatorPolynomial::one()))])
}
