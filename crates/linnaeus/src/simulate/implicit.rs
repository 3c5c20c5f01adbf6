//! Calls that wait for each other's answers, solved together.
//!
//! The queries of such calls are y = w + D u with what is known in w. One call whose query holds a multiple d of its
//! own answer is a prox: in terms of the graph of ∂f, (y, u) = M (y₀, u₀), y = w + d u says α y₀ + β u₀ = w. Where all
//! answers are affine, u = G y + g, the equations are linear.

use super::dense::{Dense, Vector, combine};
use super::function::{Function, graph};
use crate::syntax::ast::OracleKind;
use crate::system::Oracle;

/// One of the calls that wait.
pub struct Waiting<'a> {
    /// The function that is asked.
    pub function: &'a Function,
    /// Which of its oracles.
    pub oracle: &'a Oracle,
    /// Its step.
    pub step: f64,
    /// Where its query begins among all components of the queries.
    pub place: usize,
    /// How many components its query has.
    pub size: usize,
}

/// How far a matrix may be from a multiple of the identity, relative to its size.
const ROUNDING: f64 = 1e-12;

/// The answers with y = w + D u; none where no formula gives them.
pub fn solve(calls: &[Waiting], w: &[f64], d: &Dense) -> Option<Vector> {
    match calls {
        [one] => multiple(d).and_then(|d| resolvent(one, w, d)).or_else(|| affine(calls, w, d)),
        _ => affine(calls, w, d),
    }
}

/// The number d where the matrix is d times the identity.
fn multiple(d: &Dense) -> Option<f64> {
    let first = *d.rows.first()?.first()?;
    let near =
        |i: usize, j: usize, x: f64| (x - if i == j { first } else { 0.0 }).abs() <= ROUNDING * (1.0 + first.abs());
    let square = d.rows.len() == d.cols;
    let fits = d.rows.iter().enumerate().all(|(i, r)| r.iter().enumerate().all(|(j, x)| near(i, j, *x)));
    (square && fits).then_some(first)
}

fn resolvent(call: &Waiting, w: &[f64], d: f64) -> Option<Vector> {
    let [[a, b], [c, e]] = graph(call.oracle, call.step)?;
    let (alpha, beta) = (a - d * c, b - d * e);
    let scaled = |s: f64| w.iter().map(|x| x / s).collect::<Vector>();
    let (y0, u0) = if alpha == 0.0 {
        let u0 = scaled(beta);
        let conjugate = Function::Conjugate(Box::new(call.function.clone()), crate::relation::Sign::Plus);
        (conjugate.gradient(&u0)?, u0)
    } else if beta == 0.0 {
        let y0 = scaled(alpha);
        let u0 = call.function.gradient(&y0)?;
        (y0, u0)
    } else {
        let t = beta / alpha;
        let v = scaled(alpha);
        let y0 = call.function.prox(t, &v)?;
        let u0 = combine(1.0 / t, &v, -1.0 / t, &y0);
        (y0, u0)
    };
    Some(combine(c, &y0, e, &u0))
}

/// y = w + D(G y + g), where every answer is affine in its query.
fn affine(calls: &[Waiting], w: &[f64], d: &Dense) -> Option<Vector> {
    if !calls.iter().all(|c| c.function.is_affine() && c.oracle.kind != OracleKind::Argmin) {
        return None;
    }
    let answers = |y: &[f64]| -> Option<Vector> {
        let mut all = Vector::new();
        for c in calls {
            all.extend(c.function.answer(c.oracle, c.step, &y[c.place..c.place + c.size])?);
        }
        Some(all)
    };
    let n = w.len();
    let g = answers(&vec![0.0; n])?;
    let unit = |j: usize| (0..n).map(|i| f64::from(u8::from(i == j))).collect::<Vector>();
    let columns: Vec<Vector> =
        (0..n).map(|j| Some(combine(1.0, &answers(&unit(j))?, -1.0, &g))).collect::<Option<_>>()?;
    let slope = Dense::from_fn(g.len(), n, |i, j| columns[j][i]);
    let left = Dense::scalar(n, 1.0).plus(-1.0, &d.after(&slope));
    let y = left.solve(&combine(1.0, w, 1.0, &d.apply(&g)))?;
    answers(&y)
}
