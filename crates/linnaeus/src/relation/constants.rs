//! Constant vectors. Their part in the queries need not be the same function of z: what differs may
//! be made up for by the initial state, since a constant that enters an integrator is forgotten
//! but for where the integrator starts.

use super::behavior::{Behavior, Side};
use super::operators::OperatorMap;
use crate::system::Z;
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable};

/// Constants of either side that must be zero for the queries to agree on the first branch. The
/// n-th constants of both sides are taken for one another.
pub fn unmatched(
    first: &Analysis,
    a: &Behavior,
    b: &Behavior,
    branches: &[Branch],
    operators: &OperatorMap,
) -> Result<Vec<(Side, usize)>, Exhausted> {
    let (p, q) = (a.constants.cols(), b.constants.cols());
    if p + q == 0 {
        return Ok(Vec::new());
    }
    let value = |v: Variable| -> Option<RationalFunction> {
        let branch = branches.first()?;
        if let Some((_, r)) = operators.values.iter().find(|(w, _)| *w == v) {
            return Some(r.clone());
        }
        match branch.values.get(&v).or_else(|| branch.conditions.get(&v)) {
            Some(Value::Rational(r)) => Some(r.clone()),
            _ => None,
        }
    };
    // Twice, because operators are given in coefficients that have values themselves.
    let at = |x: &Behavior| -> Result<Option<Behavior>, Exhausted> {
        let Some(once) = x.substituted(&value)? else {
            return Ok(None);
        };
        once.substituted(&value)
    };
    let (Some(a), Some(b)) = (at(a)?, at(b)?) else {
        return Ok(Vec::new());
    };
    let zero = |x: &Behavior| Matrix::zero(x.h.rows(), 1);
    let column = |x: &Behavior, j: usize| x.constants.submatrix(&(0..x.h.rows()).collect::<Vec<_>>(), &[j]);
    let mut found = Vec::new();
    for j in 0..p.max(q) {
        let (g, h) = (if j < p { column(&a, j) } else { zero(&a) }, if j < q { column(&b, j) } else { zero(&b) });
        if !absorbed(first, &g.sub(&h)?)? {
            found.extend((j < p).then_some((Side::First, j)));
            found.extend((j >= p).then_some((Side::Second, j)));
        }
    }
    Ok(found)
}

/// Whether d(z)/(z − 1) is the response C (zI − A)⁻¹ x₀ of the first algorithm to some initial state.
fn absorbed(first: &Analysis, d: &Matrix<RationalFunction>) -> Result<bool, Exhausted> {
    if d.is_zero() {
        return Ok(true);
    }
    let Transfer::Commuting { realization: r, .. } = &first.transfer else {
        return Ok(false);
    };
    // Oracles that were closed into loops changed the dynamics too: such a constant is assumed zero.
    if d.rows() != r.c.rows() {
        return Ok(false);
    }
    let n = r.states.len();
    let z_minus_one = RationalFunction::variable(Z).sub(&RationalFunction::one())?;
    let mut wanted = Vec::new();
    let mut degree = n;
    for i in 0..d.rows() {
        let w = d[(i, 0)].div(&z_minus_one)?.expect("z - 1 is not zero");
        degree += w.denominator().degree_in(Z) as usize;
        wanted.push(w);
    }
    if wanted.iter().any(|w| w.numerator().degree_in(Z) >= w.denominator().degree_in(Z) && !w.is_zero()) {
        return Ok(false);
    }
    let series: Vec<Vec<RationalFunction>> = wanted.iter().map(|w| expand(w, degree)).collect::<Result<_, _>>()?;
    let mut rows = r.c.clone();
    let mut observability: Option<Matrix<RationalFunction>> = None;
    let mut right = Vec::new();
    for k in 0..degree {
        observability = Some(match observability {
            None => rows.clone(),
            Some(o) => o.vstack(&rows),
        });
        right.extend(series.iter().map(|s| vec![s[k].clone()]));
        rows = rows.mul(&r.a)?;
    }
    let Some(observability) = observability else {
        return Ok(false);
    };
    let both = observability.hstack(&Matrix::from_rows(right));
    Ok(both.rank()? == observability.rank()?)
}

/// The coefficients of z⁻¹, z⁻², … of a strictly proper function.
fn expand(w: &RationalFunction, count: usize) -> Result<Vec<RationalFunction>, Exhausted> {
    let coefficients =
        |p: &Polynomial| p.coefficients_in(Z).into_iter().map(RationalFunction::polynomial).collect::<Vec<_>>();
    let (above, below) = (coefficients(w.numerator()), coefficients(w.denominator()));
    let n = below.len() - 1;
    let lead = below[n].inverse().expect("a leading coefficient");
    let mut found: Vec<RationalFunction> = Vec::new();
    for k in 1..=count {
        // Σ_j below[n − j] w_{k − j} = above[n − k]
        let mut value = if k <= n {
            above.get(n - k).cloned().unwrap_or_else(RationalFunction::zero)
        } else {
            RationalFunction::zero()
        };
        for j in 1..k.min(n + 1) {
            value = value.sub(&below[n - j].mul(&found[k - j - 1])?)?;
        }
        found.push(value.mul(&lead)?);
    }
    Ok(found)
}
