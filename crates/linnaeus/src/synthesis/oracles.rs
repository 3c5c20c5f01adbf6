//! Oracles of one function that may stand for each other, and which of them make an algorithm explicit.

use super::model::{Commuting, Port};
use crate::syntax::ast::OracleKind;
use crate::system::{Oracle, Z, holds_operator, is_step};
use crate::transfer::graph;
use crate::transfer::{Explicitness, explicitness};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, spend};

type M = Matrix<RationalFunction>;

/// No more combinations than this are tried to make an algorithm explicit.
const TRIALS: usize = 300;

/// Whether this can be a step that is chosen: a number, and no operator.
fn is_number(t: &RationalFunction) -> bool {
    is_step(t) && !holds_operator(t)
}

/// The oracles that may be called instead, its own first: ∂f, ∂f*, prox_{t f} and prox_{(1/t) f*}. A gradient has
/// no step; −`loop_gain` is one where the query holds the answer of the same call, since y = x − t ∇f(y) is
/// a prox, and otherwise `steps` of other oracles are. In the same way a black box F has the resolvent J_{t F}.
pub fn choices(port: &Port, loop_gain: &RationalFunction, steps: &[RationalFunction]) -> Vec<Oracle> {
    use OracleKind::*;
    let own = &port.oracle;
    let mut found = vec![own.clone()];
    if own.kind == BlackBox {
        let step = Some(loop_gain.neg()).filter(is_number);
        found.extend(step.map(|step| Oracle { kind: Resolvent, step, ..own.clone() }));
        return found;
    }
    if !matches!(own.kind, Gradient | Subdifferential | Prox | Reflected | MoreauGradient) {
        return found;
    }
    let oracle =
        |kind: OracleKind, conjugate: bool, step: RationalFunction| Oracle { kind, conjugate, step, ..own.clone() };
    let one = RationalFunction::one();
    let base = if own.kind == Gradient && !own.conjugate { Gradient } else { Subdifferential };
    let mut all = vec![oracle(base, false, one.clone()), oracle(Subdifferential, true, one)];
    let of_f = |t: &RationalFunction| if own.conjugate { t.inverse() } else { Some(t.clone()) };
    let steps: Vec<RationalFunction> = if own.kind.has_step() {
        of_f(&own.step).into_iter().collect()
    } else if !loop_gain.is_zero() {
        of_f(&loop_gain.neg()).into_iter().filter(is_number).collect()
    } else {
        steps.to_vec()
    };
    for t in steps {
        let inverse = t.inverse().expect("a step is not zero");
        all.extend([oracle(Prox, false, t), oracle(Prox, true, inverse)]);
    }
    for candidate in all {
        if !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// The steps of the proximal oracles, as steps of f.
pub fn steps(ports: &[Port]) -> Vec<RationalFunction> {
    let mut found = Vec::new();
    for oracle in ports.iter().map(|p| &p.oracle).filter(|o| o.kind.has_step() && graph::has_graph(o)) {
        let step = if oracle.conjugate { oracle.step.inverse() } else { Some(oracle.step.clone()) };
        found.extend(step.filter(|s| !found.contains(s)));
    }
    found
}

/// Every choice of one oracle per port, those that change little first; no more than so many.
pub fn combinations(choices: &[Vec<Oracle>], most: usize) -> (Vec<Vec<Oracle>>, bool) {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    let mut complete = true;
    for list in choices {
        let longer = found.iter().flat_map(|v| (0..list.len()).map(|i| v.iter().copied().chain([i]).collect()));
        found = longer.collect();
        found.sort_by_key(|v: &Vec<usize>| (v.iter().filter(|i| **i > 0).count(), v.clone()));
        complete &= found.len() <= most;
        found.truncate(most);
    }
    let oracles = |v: &Vec<usize>| v.iter().zip(choices).map(|(i, list)| list[*i].clone()).collect();
    (found.iter().map(oracles).collect(), complete)
}

/// The prox of f whose step y − g u is a multiple of, as y₀ + t u₀ with (y, u) = M (y₀, u₀): with it the query no longer
/// holds the answer of the same call.
fn without_loop(own: &Oracle, g: &RationalFunction) -> Result<Option<Oracle>, Exhausted> {
    let m = graph::matrix(own);
    let rest = |j: usize| m[(0, j)].sub(&g.mul(&m[(1, j)])?);
    let step = rest(1)?.div(&rest(0)?)?.filter(is_number);
    Ok(step.map(|step| Oracle { kind: OracleKind::Prox, conjugate: false, step, ..own.clone() }))
}

/// The oracles that change least and make the algorithm proper and explicit. Besides those that may stand for each port's
/// own, `known` ones of the same function are tried.
pub fn explicit_oracles(ports: &[Port], h: &M, known: &[Oracle]) -> Result<Option<Vec<Oracle>>, Exhausted> {
    let p = ports.len();
    let all: Vec<usize> = (0..p).collect();
    let h = &h.submatrix(&all, &all);
    let steps = steps(ports);
    let loop_gain = |i: usize| at_infinity(&h[(i, i)]).unwrap_or_else(RationalFunction::zero);
    let mut choices: Vec<Vec<Oracle>> = (0..p).map(|i| choices(&ports[i], &loop_gain(i), &steps)).collect();
    for (i, list) in choices.iter_mut().enumerate() {
        let own = &ports[i].oracle;
        let function = |o: &&Oracle| graph::may_replace(o, own);
        let mut more: Vec<Oracle> = known.iter().filter(function).cloned().collect();
        if own.kind == OracleKind::Prox {
            more.extend(without_loop(own, &loop_gain(i))?);
        }
        for oracle in more {
            if !list.contains(&oracle) {
                list.push(oracle);
            }
        }
    }
    for oracles in combinations(&choices, TRIALS).0 {
        spend(100)?;
        if in_oracles(ports, h, &oracles)?.is_some_and(|changed| is_explicit(&changed)) {
            return Ok(Some(oracles));
        }
    }
    Ok(None)
}

/// H' = (PH + Q)(RH + S)⁻¹, the transfer matrix in other oracles; nothing if there is none.
pub fn in_oracles(ports: &[Port], h: &M, oracles: &[Oracle]) -> Result<Option<M>, Exhausted> {
    let p = ports.len();
    let pairs = oracles.iter().zip(ports);
    let m = pairs.map(|(new, port)| graph::between(new, &port.oracle)).collect::<Result<Vec<M>, _>>()?;
    let part = |r: usize, c: usize| {
        Matrix::from_fn(p, p, |i, j| if i == j { m[i][(r, c)].clone() } else { RationalFunction::zero() })
    };
    let answers = part(1, 0).mul(h)?.add(&part(1, 1))?;
    let Some(inverse) = answers.inverse()? else { return Ok(None) };
    Ok(Some(part(0, 0).mul(h)?.add(&part(0, 1))?.mul(&inverse)?))
}

/// Whether a transfer matrix is proper and its calls need not wait for each other.
pub fn is_explicit(h: &M) -> bool {
    let p = h.rows();
    let Some(d) = (0..p * p).map(|n| at_infinity(&h[(n / p, n % p)])).collect::<Option<Vec<_>>>() else {
        return false;
    };
    matches!(explicitness(p, &|i, j| !d[i * p + j].is_zero()), Explicitness::Explicit(_))
}

/// The value at z = ∞; nothing if there is none.
fn at_infinity(r: &RationalFunction) -> Option<RationalFunction> {
    let (above, below) = (r.numerator().coefficients_in(Z), r.denominator().coefficients_in(Z));
    if above.len() > below.len() {
        return None;
    }
    let top = above.get(below.len() - 1).cloned().unwrap_or_else(linnaeus_algebra::Polynomial::zero);
    RationalFunction::new(top, below[below.len() - 1].clone()).ok().flatten()
}

impl Commuting {
    /// The oracles that may be called instead of each port's own.
    pub fn choices(&self) -> Vec<Vec<Oracle>> {
        let steps = steps(&self.ports);
        self.ports.iter().enumerate().map(|(i, p)| choices(p, &self.d[(i, i)], &steps)).collect()
    }
}
