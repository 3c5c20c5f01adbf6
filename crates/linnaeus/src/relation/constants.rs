//! Constant vectors. Their part in the queries need not be the same function of z: what differs may
//! be made up for by the initial state, since a constant that enters an integrator is forgotten
//! but for where the integrator starts.

use super::behavior::{Behavior, Side};
use super::operators::OperatorMap;
use crate::system::Z;
use crate::transfer::realize::{self, Unrealizable};
use crate::transfer::{Analysis, StateSpace, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable};

/// Constants of either side that must be zero for the queries to agree on the first branch. The
/// n-th constants of both sides are taken for one another.
pub fn unmatched(
    first: &Analysis,
    a: &Behavior,
    b: &Behavior,
    shift: &[i64],
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
        if !absorbed(first, &a, &g, &shifted(&h, shift)?)? {
            found.extend((j < p).then_some((Side::First, j)));
            found.extend((j >= p).then_some((Side::Second, j)));
        }
    }
    Ok(found)
}

/// Δ_m h.
fn shifted(h: &Matrix<RationalFunction>, shift: &[i64]) -> Result<Matrix<RationalFunction>, Exhausted> {
    let mut rows = Vec::new();
    for (i, m) in shift.iter().enumerate() {
        let delay = RationalFunction::variable(Z).pow(-*m as i32)?.expect("z is not zero");
        rows.push(vec![h[(i, 0)].mul(&delay)?]);
    }
    Ok(Matrix::from_rows(rows))
}

/// Whether (g − h)/(z − 1) is what the queries are without oracles, from some initial states: a response
/// C (zI − A)⁻¹ x₀ of the first algorithm, or what g or h itself leaves behind when it is shifted out.
/// Where some of its channels are closed, that of what can be reached is taken.
fn absorbed(
    first: &Analysis,
    a: &Behavior,
    g: &Matrix<RationalFunction>,
    h: &Matrix<RationalFunction>,
) -> Result<bool, Exhausted> {
    let d = g.sub(h)?;
    if d.is_zero() {
        return Ok(true);
    }
    let Transfer::Commuting { realization, .. } = &first.transfer else {
        return Ok(false);
    };
    let r = match realization.c.rows() == a.ports.len() {
        true => StateSpace::new(realization),
        false => match realize::from_transfer(&a.h) {
            Ok(smallest) => smallest,
            Err(Unrealizable::Improper { .. }) => return Ok(false),
            Err(Unrealizable::Exhausted) => return Err(Exhausted),
        },
    };
    let z_minus_one = RationalFunction::variable(Z).sub(&RationalFunction::one())?;
    let p = d.rows();
    let wanted = (0..p).map(|i| Ok(d[(i, 0)].div(&z_minus_one)?.expect("z - 1 is not zero")));
    let wanted: Vec<RationalFunction> = wanted.collect::<Result<_, Exhausted>>()?;
    // What is compared is of no higher order than all of these together.
    let orders = [g, h].map(|m| (0..p).map(|i| m[(i, 0)].denominator().degree_in(Z) as usize).sum::<usize>());
    let count = r.order() + orders[0] + orders[1] + 1;
    let mut columns = Vec::new();
    for (m, order) in [(g, orders[0]), (h, orders[1])] {
        let column: Vec<RationalFunction> = (0..p).map(|i| m[(i, 0)].clone()).collect();
        let series = column.iter().map(|w| expand(w, count + order)).collect::<Result<Vec<_>, _>>()?;
        columns.extend((0..order).map(|late| stacked(&series, late, count)));
    }
    let series = wanted.iter().map(|w| expand(w, count)).collect::<Result<Vec<_>, _>>()?;
    let right = stacked(&series, 0, count);
    let responses = Matrix::from_fn(count * p, columns.len(), |i, j| columns[j][i].clone());
    let responses = responses.hstack(&observability(&r, count)?);
    let both = responses.hstack(&Matrix::from_fn(count * p, 1, |i, _| right[i].clone()));
    Ok(both.rank()? == responses.rank()?)
}

/// The terms of several series, from a later one on.
fn stacked(series: &[Vec<RationalFunction>], late: usize, count: usize) -> Vec<RationalFunction> {
    (0..count).flat_map(|k| series.iter().map(move |s| s[k + late].clone())).collect()
}

/// C, CA, CA², ….
fn observability(r: &StateSpace, count: usize) -> Result<Matrix<RationalFunction>, Exhausted> {
    let mut rows = r.c.clone();
    let mut all = rows.clone();
    for _ in 1..count {
        rows = rows.mul(&r.a)?;
        all = all.vstack(&rows);
    }
    Ok(all)
}

/// The coefficients of z⁻¹, z⁻², … of a proper function.
fn expand(w: &RationalFunction, count: usize) -> Result<Vec<RationalFunction>, Exhausted> {
    let coefficients =
        |p: &Polynomial| p.coefficients_in(Z).into_iter().map(RationalFunction::polynomial).collect::<Vec<_>>();
    let (above, below) = (coefficients(w.numerator()), coefficients(w.denominator()));
    let n = below.len() - 1;
    let lead = below[n].inverse().expect("a leading coefficient");
    let mut found: Vec<RationalFunction> = Vec::new();
    let constant = above.get(n).cloned().unwrap_or_else(RationalFunction::zero).mul(&lead)?;
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
        if k <= n {
            value = value.sub(&below[n - k].mul(&constant)?)?;
        }
        found.push(value.mul(&lead)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use crate::relation::{Relation, Verdict, compare};

    /// The constant is compared with what is left of A when one of its functions is zero.
    #[test]
    fn a_constant_beside_a_function_that_is_zero() {
        let first = "constant b; x[k+1] = x[k] - t*grad f(x[k] + b) - grad h(x[k])";
        let [a, b] = [first, "w[k+1] = w[k] - s*grad f(w[k])"].map(|t| crate::read(t).analysis.expect("a good text"));
        let Verdict::Related(witness) = compare(&a, &b, None).verdict else { panic!("they are related") };
        assert_eq!((witness.relation, witness.assumptions.len()), (Relation::Conditional, 1));
    }
}
