//! From the realization to the transfer matrix, and what can be read off it.

use super::channels::{Channel, fixed, merge, with_channels};
use super::minimal;
use super::mixed::of_one_kind;
use super::realization::{Realization, Timing, realize};
use crate::diagnostic::Diagnostic;
use crate::operator::OperatorPolynomial;
use crate::source::Span;
use crate::system::schedule::Schedules;
use crate::system::{LinearSystem, Operator, Z, letter_symbol};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction};

/// y = H(z) u, exact. Columns are the channels, then the constants.
#[derive(Clone, Debug)]
pub enum Transfer {
    /// Operators, if any, commute and are symbols like the parameters.
    Commuting {
        /// H, in lowest terms.
        h: Matrix<RationalFunction>,
        /// The realization as written.
        realization: Realization<RationalFunction>,
    },
    /// Several operators do not commute, or coefficients that change with the index do not commute with z.
    Noncommuting {
        /// H, if coefficients are constant and no inverse of a sum of operators is needed for it.
        h: Option<Matrix<OperatorPolynomial>>,
        /// The realization as written.
        realization: Realization<OperatorPolynomial>,
        /// D, CB, CAB, CA²B, …; at time k: D(k), C(k) B(k−1), C(k) A(k−1) B(k−2), …
        markov: Vec<Matrix<OperatorPolynomial>>,
    },
}

/// Whether one iteration can be run from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explicitness {
    /// Yes, calling the channels in this order.
    Explicit(Vec<usize>),
    /// No: each of these channels needs the answer of the one before, the first that of the last.
    Implicit(Vec<usize>),
}

/// All that is known of one algorithm.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Its equations.
    pub system: LinearSystem,
    /// Its channels, in the order of first appearance in the text.
    pub channels: Vec<Channel>,
    /// Its transfer matrix and realization.
    pub transfer: Transfer,
    /// The least number of vectors that any realization stores.
    pub minimal_order: usize,
    /// Whether it can be run step by step.
    pub explicitness: Explicitness,
}

/// At most this many Markov parameters are listed.
pub const MAX_MARKOV: usize = 12;

/// Computes everything. Calls of one resolvent in several guises are of one kind where that makes channels one.
pub fn analyse(system: LinearSystem) -> Result<Analysis, Diagnostic> {
    let other = of_one_kind(&system).unwrap_or_default();
    let found = analyse_calls(system)?;
    match other.map(analyse_calls) {
        Some(Ok(other)) if other.channels.len() < found.channels.len() => Ok(other),
        _ => Ok(found),
    }
}

/// The same, every call being of the oracle that it names.
pub fn analyse_calls(mut system: LinearSystem) -> Result<Analysis, Diagnostic> {
    let whole = system.equations.iter().map(|e| e.span).reduce(Span::to).unwrap_or_default();
    let stop = |_: Exhausted| crate::limit_work(whole);
    let timing = Timing::new(&system)?;
    let (channels, transfer) = if operators_commute(&system) && system.schedules.is_empty() {
        let raw = realize(&system, &timing, &|p, _| p.commuting(&letter_symbol))?;
        let (channels, realization) = merge(&system, &raw, &|c| Ok(c.clone())).map_err(stop)?;
        let r = &realization;
        let h = Matrix::transfer(&r.a, &r.b, &r.c, &r.d, Z).map_err(stop)?;
        (channels, Transfer::Commuting { h, realization })
    } else {
        for call in &mut system.calls {
            let moved = i64::from(timing.moved[call.equation]);
            let later = &mut |r: &RationalFunction| system.schedules.advanced(r, moved);
            call.oracle = call.oracle.with_numbers(later).map_err(stop)?;
        }
        let schedules = &system.schedules;
        let raw = realize(&system, &timing, &|p, moved| schedules.advanced_operator(p, i64::from(moved)))?;
        let (channels, realization) = merge(&system, &raw, &|p| schedules.advanced_operator(p, 1)).map_err(stop)?;
        let count = (2 * realization.states.len() + 1).min(MAX_MARKOV);
        let markov = markov(&realization, schedules, count).map_err(stop)?;
        let h = if schedules.is_empty() { closed_form(&realization).map_err(stop)? } else { None };
        (channels, Transfer::Noncommuting { h, realization, markov })
    };
    let explicitness = match &transfer {
        Transfer::Commuting { realization: r, .. } => explicitness(r.d.rows(), &|i, j| !r.d[(i, j)].is_zero()),
        Transfer::Noncommuting { realization: r, .. } => explicitness(r.d.rows(), &|i, j| !r.d[(i, j)].is_zero()),
    };
    let minimal_order = match &transfer {
        Transfer::Commuting { realization, .. } => minimal::order(realization, channels.len()).map_err(stop)?,
        Transfer::Noncommuting { realization, .. } => {
            minimal::generic_order(realization, channels.len(), &system.operators, &system.schedules).map_err(stop)?
        }
    };
    Ok(Analysis { system, channels, transfer, minimal_order, explicitness })
}

/// The realization as written, operators as letters that do not commute.
pub fn over_operators(analysis: &Analysis) -> Result<Realization<OperatorPolynomial>, Exhausted> {
    let schedules = &analysis.system.schedules;
    let timing = Timing::new(&analysis.system).map_err(|_| Exhausted)?;
    let convert = |p: &OperatorPolynomial, moved: i32| schedules.advanced_operator(p, i64::from(moved));
    let raw = realize(&analysis.system, &timing, &convert).map_err(|_| Exhausted)?;
    with_channels(&raw, &analysis.channels)
}

/// Which channels make the same call in every iteration, as at a point that is kept.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
pub fn unchanging(analysis: &Analysis) -> Result<Vec<bool>, Exhausted> {
    let Analysis { system, channels, transfer, .. } = analysis;
    match transfer {
        Transfer::Commuting { realization, .. } => fixed(system, channels, realization, &|c| Ok(c.clone())),
        Transfer::Noncommuting { realization, .. } => {
            fixed(system, channels, realization, &|p| system.schedules.advanced_operator(p, 1))
        }
    }
}

/// One operator (with its adjoint if it maps between two spaces), or operators declared commuting.
/// By the singular value decomposition a well-typed expression in them is determined by its values
/// at numbers.
pub fn operators_commute(system: &LinearSystem) -> bool {
    let no_adjoint = |o: &Operator| !o.adjoint_used || o.symmetric;
    // What is declared and does not occur is no matter.
    let used: Vec<&Operator> = system.operators.iter().filter(|o| o.is_used()).collect();
    match used.as_slice() {
        [] => true,
        [one] => no_adjoint(one) || !one.plain_used || !system.spaces.same(one.domain, one.codomain),
        [first, rest @ ..] => {
            first.class != 0 && no_adjoint(first) && rest.iter().all(|o| o.class == first.class && no_adjoint(o))
        }
    }
}

/// D + C (zI − A)⁻¹ B, if elimination never needs the inverse of a sum of operators.
fn closed_form(r: &Realization<OperatorPolynomial>) -> Result<Option<Matrix<OperatorPolynomial>>, Exhausted> {
    if r.c.rows() == 0 {
        return Ok(Some(r.d.clone()));
    }
    let n = r.states.len();
    let z = OperatorPolynomial::scalar(RationalFunction::variable(Z));
    let resolvent = Matrix::identity(n).scale(&z)?.sub(&r.a)?;
    let Some(x) = resolvent.solve(&r.b)? else {
        return Ok(None);
    };
    Ok(Some(r.d.add(&r.c.mul(&x)?)?))
}

/// D, CB, CAB, …, so many: at time k the answer at k − j enters the query by C(k) A(k−1) … A(k−j+1) B(k−j).
pub fn markov(
    r: &Realization<OperatorPolynomial>,
    schedules: &Schedules,
    count: usize,
) -> Result<Vec<Matrix<OperatorPolynomial>>, Exhausted> {
    let mut found = vec![r.d.clone()];
    let mut left = r.c.clone();
    for j in 1..count {
        let ago = |m: &Matrix<OperatorPolynomial>| m.try_map(|e| schedules.advanced_operator(e, -(j as i64)));
        found.push(left.mul(&ago(&r.b)?)?);
        left = left.mul(&ago(&r.a)?)?;
    }
    Ok(found)
}

/// An order of the channels in which every query needs earlier answers only, or a loop. `needs(i, j)`:
/// query i needs answer j of the same iteration.
pub fn explicitness(p: usize, needs: &dyn Fn(usize, usize) -> bool) -> Explicitness {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < p {
        let ready = |i: usize| !order.contains(&i) && (0..p).all(|j| !needs(i, j) || order.contains(&j));
        match (0..p).find(|&i| ready(i)) {
            Some(i) => order.push(i),
            None => return Explicitness::Implicit(loop_in(p, needs, &order)),
        }
    }
    Explicitness::Explicit(order)
}

fn loop_in(p: usize, needs: &dyn Fn(usize, usize) -> bool, done: &[usize]) -> Vec<usize> {
    let mut path = vec![(0..p).find(|i| !done.contains(i)).expect("not all are done")];
    loop {
        let last = path[path.len() - 1];
        let next = (0..p).find(|j| !done.contains(j) && needs(last, *j)).expect("not ready");
        if let Some(start) = path.iter().position(|i| *i == next) {
            let mut cycle = path.split_off(start);
            cycle.reverse();
            return cycle;
        }
        path.push(next);
    }
}
