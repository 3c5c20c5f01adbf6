//! Multiples of the state that need no inverse of an operator, and few denominators besides.

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
        let now = burden(&reduction.model, &operators);
        if now == (0, 0) {
            break;
        }
        let mut best: Option<(Burden, usize, RationalFunction)> = None;
        for i in 0..reduction.model.order() {
            for factor in factors(&reduction.model, i) {
                let scaled = scaled(&reduction.model, i, &factor)?;
                let then = burden(&scaled, &operators);
                let named = !matches!(reduction.model.labels[i], Label::Fresh);
                let better = if named { then.0 < now.0 } else { then < now };
                if better && best.as_ref().is_none_or(|(least, ..)| then < *least) {
                    best = Some((then, i, factor));
                }
            }
        }
        let Some((_, i, factor)) = best else { break };
        reduction.model = scaled(&reduction.model, i, &factor)?;
        for j in 0..reduction.map.cols() {
            reduction.map[(i, j)] = reduction.map[(i, j)].mul(&factor)?;
        }
    }
    Ok(reduction)
}

fn blocks(model: &Commuting) -> [&Matrix<RationalFunction>; 4] {
    [&model.a, &model.b, &model.c, &model.d]
}

fn burden(model: &Commuting, operators: &[Variable]) -> Burden {
    let mut sum = (0, 0);
    for m in blocks(model) {
        for e in (0..m.rows()).flat_map(|i| m.row(i)) {
            let below = e.denominator();
            sum.0 += operators.iter().map(|v| below.degree_in(*v)).sum::<u32>();
            sum.1 += below.total_degree() + u32::from(!below.content().is_one());
        }
    }
    sum
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

fn scaled(model: &Commuting, i: usize, factor: &RationalFunction) -> Result<Commuting, Exhausted> {
    let mut found = model.clone();
    let inverse = factor.inverse().expect("not zero");
    for j in (0..model.order()).filter(|&j| j != i) {
        found.a[(i, j)] = found.a[(i, j)].mul(factor)?;
        found.a[(j, i)] = found.a[(j, i)].mul(&inverse)?;
    }
    for j in 0..model.b.cols() {
        found.b[(i, j)] = found.b[(i, j)].mul(factor)?;
    }
    for j in 0..model.calls() {
        found.c[(j, i)] = found.c[(j, i)].mul(&inverse)?;
    }
    found.labels[i] = Label::Fresh;
    found.spaces[i] = None;
    Ok(found)
}
