//! Constant vectors. Their part in the queries need not be the same function of z: what differs may
//! be made up for by the initial state, since a constant that enters an integrator is forgotten
//! but for where the integrator starts.

use super::behavior::{Behavior, Side};
use super::operators::OperatorMap;
use crate::system::Z;
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable};

type M = Matrix<RationalFunction>;

/// The behavior with its starts in the place of its constants: what the queries are without oracles
/// from every initial state, C (zI − A)⁻¹.
pub fn starting(analysis: &Analysis, behavior: &Behavior) -> Result<Behavior, Exhausted> {
    let Transfer::Commuting { realization: r, .. } = &analysis.transfer else {
        return Ok(behavior.clone());
    };
    let (n, p) = (r.a.rows(), r.c.rows());
    let responses = Matrix::transfer(&r.a, &Matrix::identity(n), &r.c, &Matrix::zero(p, n), Z)?;
    let constants = responses.map(|e| e.rename(&|v| behavior.side.place(v)));
    Ok(Behavior { constants, ..behavior.clone() })
}

/// Both behaviors, the second in the first's order and oracles.
pub struct Both<'a> {
    /// The two.
    pub behaviors: [&'a Behavior; 2],
    /// With starts in the place of constants, where these can be told.
    pub starts: [Option<Behavior>; 2],
    /// m.
    pub shift: &'a [i64],
}

/// Constants of either side that must be zero for the queries to agree on the first branch. The
/// n-th constants of both sides are taken for one another.
pub fn unmatched(both: &Both, branches: &[Branch], operators: &OperatorMap) -> Result<Vec<(Side, usize)>, Exhausted> {
    let [p, q] = both.behaviors.map(|x| x.constants.cols());
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
    let [a, b] = both.behaviors;
    let (Some(a), Some(b)) = (at(a)?, at(b)?) else {
        return Ok(Vec::new());
    };
    let rows = a.h.rows();
    let none = vec![0; rows];
    let mut starts: M = Matrix::zero(rows, 0);
    for (start, shift) in both.starts.iter().zip([&none[..], both.shift]) {
        if let Some(start) = start
            && let Some(start) = at(start)?
        {
            starts = starts.hstack(&shifted(&start.constants, shift)?);
        }
    }
    let column = |x: &Behavior, j: usize| match j < x.constants.cols() {
        true => x.constants.submatrix(&(0..rows).collect::<Vec<_>>(), &[j]),
        false => Matrix::zero(rows, 1),
    };
    let mut found = Vec::new();
    for j in 0..p.max(q) {
        if !absorbed(&starts, &column(&a, j), &shifted(&column(&b, j), both.shift)?)? {
            found.extend((j < p).then_some((Side::First, j)));
            found.extend((j >= p).then_some((Side::Second, j)));
        }
    }
    Ok(found)
}

/// Δ_m h.
fn shifted(h: &M, shift: &[i64]) -> Result<M, Exhausted> {
    if h.cols() == 0 {
        return Ok(h.clone());
    }
    let mut rows = Vec::new();
    for (i, m) in shift.iter().enumerate() {
        let delay = RationalFunction::variable(Z).pow(-*m as i32)?.expect("z is not zero");
        rows.push(h.row(i).iter().map(|e| e.mul(&delay)).collect::<Result<_, _>>()?);
    }
    Ok(Matrix::from_rows(rows))
}

/// Whether (g − h)/(z − 1) is what the queries are without oracles, from some initial states of both, or
/// what g or h itself leaves behind when it is shifted out.
fn absorbed(starts: &M, g: &M, h: &M) -> Result<bool, Exhausted> {
    let d = g.sub(h)?;
    if d.is_zero() {
        return Ok(true);
    }
    let z_minus_one = RationalFunction::variable(Z).sub(&RationalFunction::one())?;
    let wanted = d.try_map(|e| Ok::<_, Exhausted>(e.div(&z_minus_one)?.expect("z - 1 is not zero")))?;
    let mut columns = starts.clone();
    for m in [g, h] {
        let order: usize = (0..m.rows()).map(|i| m[(i, 0)].denominator().degree_in(Z) as usize).sum();
        let mut left = m.try_map(strictly_proper)?;
        for _ in 0..order {
            columns = columns.hstack(&left);
            left = left.try_map(|e| strictly_proper(&e.mul(&RationalFunction::variable(Z))?))?;
        }
    }
    let all = coefficients(&columns.hstack(&wanted))?;
    let rows: Vec<usize> = (0..all.rows()).collect();
    let without = all.submatrix(&rows, &(0..columns.cols()).collect::<Vec<_>>());
    Ok(all.rank()? == without.rank()?)
}

/// Without its polynomial part.
fn strictly_proper(w: &RationalFunction) -> Result<RationalFunction, Exhausted> {
    let degree = |p: &Polynomial| p.degree_in(Z);
    let lead = |p: &Polynomial| RationalFunction::polynomial(p.coefficients_in(Z).pop().expect("a coefficient"));
    let mut rest = w.clone();
    while !rest.is_zero() && degree(rest.numerator()) >= degree(rest.denominator()) {
        let power = (degree(rest.numerator()) - degree(rest.denominator())) as i32;
        let factor = lead(rest.numerator()).div(&lead(rest.denominator()))?.expect("it leads");
        let z = RationalFunction::variable(Z).pow(power)?.expect("z is not zero");
        rest = rest.sub(&factor.mul(&z)?)?;
    }
    Ok(rest)
}

/// The coefficients with respect to z, every row over its common denominator.
fn coefficients(m: &M) -> Result<M, Exhausted> {
    let mut rows = Vec::new();
    for i in 0..m.rows() {
        let mut common = Polynomial::one();
        for e in m.row(i) {
            let gcd = common.gcd(e.denominator())?;
            common = common.mul(&e.denominator().exact_divide(&gcd)?.expect("it divides"))?;
        }
        let common = RationalFunction::polynomial(common);
        let mut columns = Vec::new();
        for e in m.row(i) {
            columns.push(e.mul(&common)?.numerator().coefficients_in(Z));
        }
        let most = columns.iter().map(Vec::len).max().unwrap_or(0);
        let entry = |c: &Vec<Polynomial>, n: usize| {
            c.get(n).map_or_else(RationalFunction::zero, |p| RationalFunction::polynomial(p.clone()))
        };
        rows.extend((0..most).map(|n| columns.iter().map(|c| entry(c, n)).collect::<Vec<_>>()));
    }
    Ok(Matrix::from_rows(rows))
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
