//! Functions that are zero, sets without constraint: a channel that only multiplies is put into the equations.

use super::Entries;
use super::plant::{Plant, written};
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::transfer::graph::{Special, gain};
use crate::transfer::{Analysis, Realization, Transfer, markov};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction};

/// A function of one side that is special.
pub type Choice = (Side, String, Special);

/// An algorithm without the channels of special functions.
pub struct Closed {
    /// What is left; its channels are numbered anew.
    pub analysis: Analysis,
    /// The numbers that these had.
    pub kept: Vec<usize>,
}

/// By what the channels of special functions multiply; nothing if a query is forced.
pub fn gains(
    analysis: &Analysis,
    side: Side,
    choice: &[Choice],
) -> Result<Option<Vec<(usize, RationalFunction)>>, Exhausted> {
    let mut found = Vec::new();
    for (i, channel) in analysis.channels.iter().enumerate() {
        if channel.calls.is_empty() {
            found.push((i, RationalFunction::zero()));
            continue;
        }
        let chosen = choice.iter().find(|(s, f, _)| *s == side && *f == channel.oracle.function);
        if let Some((_, _, special)) = chosen {
            match gain(&channel.oracle, *special)? {
                Some(g) => found.push((i, g)),
                None => return Ok(None),
            }
        }
    }
    Ok(Some(found))
}

/// The algorithm when functions of its side are special; nothing if an oracle is then forced, a loop has no solution,
/// or an oracle that is left has no influence any more.
pub fn closed(analysis: &Analysis, side: Side, choice: &[Choice]) -> Result<Option<Closed>, Exhausted> {
    let Some(gains) = gains(analysis, side, choice)? else {
        return Ok(None);
    };
    let kept: Vec<usize> = (0..analysis.channels.len()).filter(|i| gains.iter().all(|g| g.0 != *i)).collect();
    if gains.is_empty() {
        return Ok(Some(Closed { analysis: analysis.clone(), kept }));
    }
    let open = written(analysis)?;
    let Some(realization) = shut(&open, &kept, &gains)? else {
        return Ok(None);
    };
    let heard = |r: &Realization<OperatorPolynomial>, j: usize| -> Result<bool, Exhausted> {
        let all = markov(r, &analysis.system.schedules, analysis.minimal_order + 1)?;
        Ok(all.iter().any(|m| (0..m.rows()).any(|i| !m[(i, j)].is_zero())))
    };
    for (new, old) in kept.iter().enumerate() {
        if !heard(&realization, new)? && heard(&open, *old)? {
            return Ok(None);
        }
    }
    let channels = kept.iter().map(|i| analysis.channels[*i].clone()).collect();
    let transfer = Transfer::Noncommuting { h: None, realization, markov: Vec::new() };
    let mut system = analysis.system.clone();
    // A step that does nothing is of no consequence.
    for (i, _) in gains.iter().filter(|(_, g)| g.variables().is_empty()) {
        for (call, _) in &analysis.channels[*i].calls {
            system.calls[*call].oracle.step = RationalFunction::one();
        }
    }
    // Closing a loop stores nothing more.
    Ok(Some(Closed { analysis: Analysis { channels, transfer, system, ..analysis.clone() }, kept }))
}

/// The kept channels when each other one only multiplies, u = g y; nothing if that leaves a loop without a solution.
fn shut(
    r: &Realization<OperatorPolynomial>,
    kept: &[usize],
    gains: &[(usize, RationalFunction)],
) -> Result<Option<Realization<OperatorPolynomial>>, Exhausted> {
    let shut: Vec<usize> = gains.iter().map(|g| g.0).collect();
    let states: Vec<usize> = (0..r.states.len()).collect();
    let inputs: Vec<usize> = kept.iter().copied().chain(kept.len() + shut.len()..r.d.cols()).collect();
    let diagonal = |i: usize, j: usize| match i == j {
        true => OperatorPolynomial::scalar(gains[i].1.clone()),
        false => OperatorPolynomial::zero(),
    };
    let g: Entries = Matrix::from_fn(shut.len(), shut.len(), diagonal);
    let loops = Matrix::identity(shut.len()).sub(&g.mul(&r.d.submatrix(&shut, &shut))?)?;
    // u = K (C x + D u′) on the closed channels, u′ being the other answers and the constants.
    let Some(inverse) = loops.inverse()? else {
        return Ok(None);
    };
    let k = inverse.mul(&g)?;
    let from_state = k.mul(&r.c.submatrix(&shut, &states))?;
    let from_kept = k.mul(&r.d.submatrix(&shut, &inputs))?;
    let (b, d) = (r.b.submatrix(&states, &shut), r.d.submatrix(kept, &shut));
    Ok(Some(Realization {
        states: r.states.clone(),
        a: r.a.add(&b.mul(&from_state)?)?,
        b: r.b.submatrix(&states, &inputs).add(&b.mul(&from_kept)?)?,
        c: r.c.submatrix(kept, &states).add(&d.mul(&from_state)?)?,
        d: r.d.submatrix(kept, &inputs).add(&d.mul(&from_kept)?)?,
    }))
}

impl Plant {
    /// Without the channels that only multiply.
    pub fn closed(self, gains: &[(usize, RationalFunction)]) -> Result<Option<Plant>, Exhausted> {
        if gains.is_empty() {
            return Ok(Some(self));
        }
        let kept: Vec<usize> = (0..self.ports.len()).filter(|i| gains.iter().all(|g| g.0 != *i)).collect();
        let ports = kept.iter().map(|i| self.ports[*i].clone()).collect();
        let realization = shut(&self.realization, &kept, gains)?;
        Ok(realization.map(|realization| Plant { ports, realization, ..self }))
    }
}
