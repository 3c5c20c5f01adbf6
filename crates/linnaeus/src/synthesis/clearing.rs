//! Multiples of the state, and differences of its components: those that need no inverse of an operator and few denominators besides, and those that may
//! cost less.

use super::minimal::Reduction;
use super::model::{Commuting, Label};
use crate::system::operator_symbol;
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable};

/// How much is divided by: degrees of denominators in operators, then in all symbols, numbers counting as one.
type Burden = (u32, u32);

/// Multiplies components of the state, one at a time, as long as that clears denominators. What the user named is
/// left as it is unless an operator would have to be inverted.
pub fn cleared(mut reduction: Reduction) -> Result<Reduction, Exhausted> {
    let operators: Vec<Variable> = (0..reduction.model.system.operators.len()).map(operator_symbol).collect();
    for _ in 0..2 * reduction.model.order() {
        let mut best: Option<((i64, i64), usize, RationalFunction)> = None;
        for i in 0..reduction.model.order() {
            let now = burden(&touched(&reduction.model, i, &RationalFunction::one())?, &operators);
            if now == (0, 0) {
                continue;
            }
            for factor in factors(&reduction.model, i) {
                let then = burden(&touched(&reduction.model, i, &factor)?, &operators);
                let saved = (i64::from(now.0) - i64::from(then.0), i64::from(now.1) - i64::from(then.1));
                let named = !matches!(reduction.model.labels[i], Label::Fresh);
                let better = if named { saved.0 > 0 } else { saved > (0, 0) };
                if better && best.as_ref().is_none_or(|(most, ..)| saved > *most) {
                    best = Some((saved, i, factor));
                }
            }
        }
        let Some((_, i, factor)) = best else { break };
        reduction = scaled(reduction, i, &factor)?;
    }
    Ok(reduction)
}

/// The same with a multiple of one component of the state.
pub fn scaled(mut reduction: Reduction, i: usize, factor: &RationalFunction) -> Result<Reduction, Exhausted> {
    scale(&mut reduction.model, i, factor)?;
    for j in 0..reduction.map.cols() {
        reduction.map[(i, j)] = reduction.map[(i, j)].mul(factor)?;
    }
    Ok(reduction)
}

/// The same with ξᵢ − c ξⱼ in the place of ξᵢ.
pub fn sheared(mut reduction: Reduction, (i, j): (usize, usize), c: &RationalFunction) -> Result<Reduction, Exhausted> {
    let less = |m: &mut Matrix<RationalFunction>| -> Result<(), Exhausted> {
        for k in 0..m.cols() {
            m[(i, k)] = m[(i, k)].sub(&c.mul(&m[(j, k)])?)?;
        }
        Ok(())
    };
    let more = |m: &mut Matrix<RationalFunction>| -> Result<(), Exhausted> {
        for k in 0..m.rows() {
            m[(k, j)] = m[(k, j)].add(&c.mul(&m[(k, i)])?)?;
        }
        Ok(())
    };
    let model = &mut reduction.model;
    model.steps.clear();
    less(&mut model.a)?;
    more(&mut model.a)?;
    less(&mut model.b)?;
    more(&mut model.c)?;
    model.labels[i] = Label::Fresh;
    model.spaces[i] = None;
    less(&mut reduction.map)?;
    Ok(reduction)
}

/// Multiples of component i for which an answer or another component enters it as it is, or for which it so enters a
/// query or another component.
pub fn multiples(model: &Commuting, i: usize) -> Vec<RationalFunction> {
    let others = || (0..model.order()).filter(move |&j| j != i);
    let row = others().map(|j| &model.a[(i, j)]).chain(model.b.row(i)).filter_map(RationalFunction::inverse);
    let column = others().map(|j| &model.a[(j, i)]).chain((0..model.calls()).map(|j| &model.c[(j, i)])).cloned();
    let mut found: Vec<RationalFunction> = Vec::new();
    for factor in row.chain(column).filter(|f| !f.is_zero() && !f.is_one() && !f.neg().is_one()) {
        if !found.contains(&factor) {
            found.push(factor);
        }
    }
    found
}

fn burden(entries: &[RationalFunction], operators: &[Variable]) -> Burden {
    let mut sum = (0, 0);
    for below in entries.iter().map(RationalFunction::denominator) {
        sum.0 += operators.iter().map(|v| below.degree_in(*v)).sum::<u32>();
        sum.1 += below.total_degree() + u32::from(!below.content().is_one());
    }
    sum
}

/// The entries that change when component i is multiplied, after that.
fn touched(model: &Commuting, i: usize, factor: &RationalFunction) -> Result<Vec<RationalFunction>, Exhausted> {
    let others = || (0..model.order()).filter(move |&j| j != i);
    let row = others().map(|j| &model.a[(i, j)]).chain(model.b.row(i));
    let column = others().map(|j| &model.a[(j, i)]).chain((0..model.calls()).map(|j| &model.c[(j, i)]));
    let inverse = factor.inverse().expect("not zero");
    let full = |e: &&RationalFunction| !e.is_zero();
    let row = row.filter(full).map(|e| e.mul(factor));
    row.chain(column.filter(full).map(|e| e.mul(&inverse))).collect()
}

/// What component i may be multiplied by: denominators of its row, inverses of those of its column, and the powers
/// of single symbols in them.
fn factors(model: &Commuting, i: usize) -> Vec<RationalFunction> {
    let n = model.order();
    let row = model.a.row(i).iter().chain(model.b.row(i));
    let column = (0..n).map(|j| &model.a[(j, i)]).chain((0..model.calls()).map(|j| &model.c[(j, i)]));
    let mut found: Vec<RationalFunction> = Vec::new();
    let mut add = |below: &Polynomial, inverse: bool| {
        let mut parts = vec![below.clone()];
        for v in below.variables() {
            let power = below.coefficients_in(v).iter().take_while(|c| c.is_zero()).count() as u32;
            if power > 0 {
                parts.push(Polynomial::from_terms([(vec![(v, power)], 1.into())]));
            }
        }
        for part in parts.into_iter().filter(|p| !p.is_one()) {
            let part = RationalFunction::polynomial(part);
            let factor = if inverse { part.inverse().expect("a denominator") } else { part };
            if !found.contains(&factor) {
                found.push(factor);
            }
        }
    };
    row.for_each(|e| add(e.denominator(), false));
    column.for_each(|e| add(e.denominator(), true));
    found
}

fn scale(model: &mut Commuting, i: usize, factor: &RationalFunction) -> Result<(), Exhausted> {
    let inverse = factor.inverse().expect("not zero");
    for j in (0..model.order()).filter(|&j| j != i) {
        model.a[(i, j)] = model.a[(i, j)].mul(factor)?;
        model.a[(j, i)] = model.a[(j, i)].mul(&inverse)?;
    }
    for j in 0..model.b.cols() {
        model.b[(i, j)] = model.b[(i, j)].mul(factor)?;
    }
    for j in 0..model.calls() {
        model.c[(j, i)] = model.c[(j, i)].mul(&inverse)?;
    }
    model.labels[i] = Label::Fresh;
    model.spaces[i] = None;
    model.steps.clear();
    Ok(())
}
