//! Oracles that were declared linear answer by a matrix: u₀ = L y₀ on the graph of ∂f, and so
//! u = (c + d L)(a + b L)⁻¹ y for an oracle whose pairs are [a b; c d] times those.

use super::super::verdict::{Nearest, NoRun};
use super::numbers::Point;
use crate::syntax::ast::FunctionTrait;
use crate::system::LinearSystem;
use crate::transfer::Analysis;
use crate::transfer::graph::matrix;
use linnaeus_algebra::{Matrix, RationalFunction};

type M = Matrix<RationalFunction>;

/// Whether a trait was declared of the function of a channel of the first, in its text or in the second's of
/// the function that it is paired with.
pub fn is_declared(
    (first, second): (&Analysis, &Analysis),
    nearest: &Nearest,
    channel: usize,
    what: FunctionTrait,
) -> bool {
    let declared =
        |system: &LinearSystem, function: &String| system.traits.get(function).is_some_and(|list| list.contains(&what));
    let oracle = &first.channels[channel].oracle;
    let others = nearest.channel_map.iter().filter(|(i, _)| first.channels[*i].oracle.function == oracle.function);
    let theirs = |j: usize| declared(&second.system, &second.channels[j].oracle.function);
    oracle.sample.is_none() && (declared(&first.system, &oracle.function) || others.map(|(_, j)| *j).any(theirs))
}

/// For every function of the first that is linear its matrix.
pub fn matrices(both: (&Analysis, &Analysis), nearest: &Nearest, seed: u64, size: usize) -> Vec<(String, M)> {
    let mut found: Vec<(String, M)> = Vec::new();
    for (i, channel) in both.0.channels.iter().enumerate() {
        let function = &channel.oracle.function;
        if is_declared(both, nearest, i, FunctionTrait::Linear) && found.iter().all(|(f, _)| f != function) {
            found.push((function.clone(), small(seed as usize + 3 * found.len(), size)));
        }
    }
    found
}

/// A small symmetric matrix.
fn small(seed: usize, size: usize) -> M {
    Matrix::from_fn(size, size, |i, j| {
        let (low, high) = (i.min(j), i.max(j));
        let number = if i == j { [2, 3, 5, 1, 4][(seed + 2 * i) % 5] } else { [1, 0, -1][(seed + low + high) % 3] };
        RationalFunction::integer(number)
    })
}

/// What a channel multiplies its query by in an iteration, if it is linear.
pub fn gains(
    first: &Analysis,
    point: &Point,
    linear: &[(String, M)],
    iteration: usize,
) -> Result<Vec<Option<M>>, NoRun> {
    let gain = |oracle: &crate::system::Oracle| -> Result<Option<M>, NoRun> {
        let Some((_, l)) = linear.iter().find(|(f, _)| *f == oracle.function) else {
            return Ok(None);
        };
        let [[a, b], [c, d]] = super::pair(point, &matrix(oracle), iteration)?;
        let mixed = |x, y| -> Result<M, NoRun> {
            let unit = Matrix::identity(l.rows()).scale(&RationalFunction::rational(x))?;
            Ok(unit.add(&l.scale(&RationalFunction::rational(y))?)?)
        };
        let below = mixed(&a, &b)?.inverse()?.ok_or(NoRun::Numbers)?;
        Ok(Some(mixed(&c, &d)?.mul(&below)?))
    };
    first.channels.iter().map(|channel| gain(&channel.oracle)).collect()
}
