//! Every oracle of a function f is a matrix image of the graph of ∂f: (y, u) = M (y₀, u₀) with
//! u₀ ∈ ∂f(y₀). Any two oracles of one function are therefore related by M₁ M₂⁻¹.

use crate::syntax::ast::OracleKind;
use crate::system::{Oracle, holds_operator};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};

/// Whether the oracle is an image of a graph that others share. A black box is not, and an argmin is if the linear
/// map inside is a multiple of the identity.
pub fn has_graph(oracle: &Oracle) -> bool {
    match oracle.kind {
        OracleKind::BlackBox => false,
        OracleKind::Argmin => multiple(oracle).is_some(),
        _ => true,
    }
}

/// The number c if the linear map inside an argmin is c times the identity.
fn multiple(oracle: &Oracle) -> Option<RationalFunction> {
    let is_number = |c: &RationalFunction| !c.is_zero() && !holds_operator(c);
    oracle.map.as_ref()?.as_scalar().filter(is_number)
}

/// Whether one oracle of a function or an operator may be called for the other. A black box F stands for its resolvents,
/// J_{t F} and 2 J_{t F} − I, if it answers where it is asked, since y = x − t F(y) is J_{t F}(x).
pub fn may_replace(new: &Oracle, own: &Oracle) -> bool {
    let resolvent = |o: &Oracle| matches!(o.kind, OracleKind::Resolvent | OracleKind::Reflected) && !o.conjugate;
    let boxed = |a: &Oracle, b: &Oracle| a.kind == OracleKind::BlackBox && resolvent(b);
    new.function == own.function
        && (has_graph(new) && has_graph(own) || new.kind == own.kind || boxed(new, own) || boxed(own, new))
}

/// M for an oracle, the base being ∂f also where the oracle is the conjugate's.
///
/// The projection on C is the prox of its indicator, with step 1: any step would do. The resolvent
/// of an operator A is that of ∂f with A in place of ∂f. The minimizer u of f(u) + ρ/2 ‖c u − y‖² has ρ c (y − c u) ∈ ∂f(u).
pub fn matrix(oracle: &Oracle) -> Matrix<RationalFunction> {
    let t = oracle.step.clone();
    let (zero, one) = (RationalFunction::zero(), RationalFunction::one());
    let own = match oracle.kind {
        OracleKind::Gradient | OracleKind::Subdifferential | OracleKind::BlackBox => {
            [[one.clone(), zero.clone()], [zero, one]]
        }
        OracleKind::Argmin => match multiple(oracle).and_then(|c| Some((c.mul(&t).ok()?.inverse()?, c))) {
            Some((weight, c)) => [[c, weight], [one, zero]],
            None => [[one.clone(), zero.clone()], [zero, one]],
        },
        OracleKind::Prox | OracleKind::Projection | OracleKind::Resolvent => [[one.clone(), t], [one, zero]],
        OracleKind::Reflected => [[one.clone(), t.clone()], [one, t.neg()]],
        OracleKind::MoreauGradient => [[one.clone(), t], [zero, one]],
    };
    let [[a, b], [c, d]] = own;
    // The graph of ∂f* is that of ∂f with the two coordinates exchanged.
    let rows = if oracle.conjugate { vec![vec![b, a], vec![d, c]] } else { vec![vec![a, b], vec![c, d]] };
    Matrix::from_rows(rows)
}

/// M₁ M₂⁻¹: how the pairs of the second oracle become pairs of the first.
pub fn between(first: &Oracle, second: &Oracle) -> Result<Matrix<RationalFunction>, Exhausted> {
    let m = matrix(second);
    let determinant = m[(0, 0)].mul(&m[(1, 1)])?.sub(&m[(0, 1)].mul(&m[(1, 0)])?)?;
    let scale = determinant.inverse().expect("steps are not zero");
    let cofactors = [[m[(1, 1)].clone(), m[(0, 1)].neg()], [m[(1, 0)].neg(), m[(0, 0)].clone()]];
    let inverse = Matrix::from_rows(cofactors.map(Vec::from).to_vec()).try_map(|e| e.mul(&scale))?;
    matrix(first).mul(&inverse)
}

/// A function so special that its oracles are multiplications.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Special {
    /// f = 0, or a set without constraint: u₀ = 0.
    Zero,
    /// f is the indicator of {0}, that is f* = 0: y₀ = 0.
    IndicatorOfZero,
}

/// The number g with u = g y when the function is special; none if the query itself is forced.
///
/// For f = 0: ∇ → 0, prox → identity, conjugate prox → 0. An argmin with any linear map inside is no
/// number times its query then.
pub fn gain(oracle: &Oracle, special: Special) -> Result<Option<RationalFunction>, Exhausted> {
    if oracle.kind == OracleKind::Argmin && !has_graph(oracle) {
        return Ok(None);
    }
    let m = matrix(oracle);
    let column = match special {
        Special::Zero => 0,
        Special::IndicatorOfZero if has_graph(oracle) => 1,
        Special::IndicatorOfZero => return Ok(None),
    };
    m[(1, column)].div(&m[(0, column)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::OperatorPolynomial;
    use linnaeus_algebra::Variable;

    fn oracle(kind: OracleKind, conjugate: bool, step: RationalFunction) -> Oracle {
        Oracle { kind, function: "f".to_string(), conjugate, step, sample: None, map: None }
    }

    fn check(first: Oracle, second: Oracle, expected: [[RationalFunction; 2]; 2]) {
        let rows = expected.into_iter().map(|r| r.into_iter().collect()).collect();
        assert_eq!(between(&first, &second).unwrap(), Matrix::from_rows(rows), "{first:?} from {second:?}");
    }

    #[test]
    fn special_functions() {
        let t = RationalFunction::variable(Variable(0));
        let (o, i) = (RationalFunction::zero(), RationalFunction::one());
        for (kind, conjugate, zero, indicator) in [
            (OracleKind::Gradient, false, Some(&o), None),
            (OracleKind::Prox, false, Some(&i), Some(&o)),
            (OracleKind::Prox, true, Some(&o), Some(&i)),
            (OracleKind::Projection, false, Some(&i), Some(&o)),
            (OracleKind::Subdifferential, true, None, Some(&o)),
            (OracleKind::Argmin, false, None, None),
        ] {
            let step = if kind == OracleKind::Prox { t.clone() } else { i.clone() };
            let oracle = oracle(kind, conjugate, step);
            assert_eq!(gain(&oracle, Special::Zero).unwrap().as_ref(), zero, "{oracle:?}");
            assert_eq!(gain(&oracle, Special::IndicatorOfZero).unwrap().as_ref(), indicator, "{oracle:?}");
        }
    }

    /// With c I inside, an argmin is a prox asked at y/c, with step 1/(ρc²).
    #[test]
    fn argmin_with_a_multiple_of_the_identity() {
        let t = RationalFunction::variable(Variable(0));
        let (i, minus) = (RationalFunction::one(), RationalFunction::one().neg());
        let o = RationalFunction::zero();
        let mut argmin = oracle(OracleKind::Argmin, false, t.inverse().unwrap());
        assert!(!has_graph(&argmin));
        argmin.map = Some(OperatorPolynomial::scalar(minus.clone()));
        check(argmin.clone(), oracle(OracleKind::Prox, false, t), [[minus.clone(), o.clone()], [o, i]]);
        assert_eq!(gain(&argmin, Special::Zero).unwrap(), Some(minus));
    }

    /// The sixteen matrices between ∂f, ∂f*, prox_{tf} and prox_{(1/t)f*}.
    #[test]
    fn table_of_sixteen() {
        let t = RationalFunction::variable(Variable(0));
        let s = t.inverse().unwrap();
        let (o, i) = (RationalFunction::zero(), RationalFunction::one());
        let sub = oracle(OracleKind::Subdifferential, false, i.clone());
        let conjugate = oracle(OracleKind::Subdifferential, true, i.clone());
        let prox = oracle(OracleKind::Prox, false, t.clone());
        let dual = oracle(OracleKind::Prox, true, s.clone());
        let same = || [[i.clone(), o.clone()], [o.clone(), i.clone()]];
        let swap = || [[o.clone(), i.clone()], [i.clone(), o.clone()]];
        for (a, b, m) in [
            (&sub, &sub, same()),
            (&sub, &conjugate, swap()),
            (&sub, &prox, [[o.clone(), i.clone()], [s.clone(), s.neg()]]),
            (&sub, &dual, [[t.clone(), t.neg()], [o.clone(), i.clone()]]),
            (&conjugate, &sub, swap()),
            (&conjugate, &conjugate, same()),
            (&conjugate, &prox, [[s.clone(), s.neg()], [o.clone(), i.clone()]]),
            (&conjugate, &dual, [[o.clone(), i.clone()], [t.clone(), t.neg()]]),
            (&prox, &sub, [[i.clone(), t.clone()], [i.clone(), o.clone()]]),
            (&prox, &conjugate, [[t.clone(), i.clone()], [o.clone(), i.clone()]]),
            (&prox, &prox, same()),
            (&prox, &dual, [[t.clone(), o.clone()], [t.clone(), t.neg()]]),
            (&dual, &sub, [[s.clone(), i.clone()], [o.clone(), i.clone()]]),
            (&dual, &conjugate, [[i.clone(), s.clone()], [i.clone(), o.clone()]]),
            (&dual, &prox, [[s.clone(), o.clone()], [s.clone(), s.neg()]]),
            (&dual, &dual, same()),
        ] {
            check(a.clone(), b.clone(), m);
        }
    }
}
