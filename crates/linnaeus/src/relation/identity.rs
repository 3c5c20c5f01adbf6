//! The identity that a witness claims, written out: H_A = Θ H_B Θ⁻¹ with all that is assumed and all
//! parameters put in.

use super::behavior::{Behavior, Side};
use super::search::specialised;
use super::state_map::determined;
use super::verdict::{Assumption, Witness};
use super::{dual, lift};
use crate::system::{Oracle, Z};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, SortedMap, Variable};
use std::sync::Arc;

type M = Matrix<RationalFunction>;

/// Both sides of the identity, channels in the order of the pairs.
#[derive(Clone, Debug)]
pub struct Identity {
    /// H_A under the assumptions and conditions.
    pub first: M,
    /// H_B likewise, in its own oracles.
    pub own: M,
    /// H_B in A's oracles.
    pub second: M,
    /// How pairs of B's oracles become pairs of A's.
    pub matrices: Vec<M>,
    /// Θ.
    pub theta: Vec<RationalFunction>,
    /// How the queries of A and those of B, turned into pairs of A, respond to the constants that may be anything;
    /// none where there are none.
    pub constants: Option<[M; 2]>,
    /// A's oracles and B's, steps in A's symbols.
    pub oracles: Vec<(Oracle, Oracle)>,
    /// Whether it was found to hold.
    pub holds: bool,
    /// Whether parameters are square roots, which the matrices do not show.
    pub has_roots: bool,
}

/// The identity on one branch; none where operators do not commute.
pub fn identity(
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
    branch: &Branch,
) -> Result<Option<Identity>, Exhausted> {
    let Some((a, b)) = sides(first, second, witness)? else {
        return Ok(None);
    };
    let rational = branch.values.iter().chain(&branch.conditions).filter_map(|(v, value)| match value {
        Value::Rational(r) => Some((*v, r.clone())),
        Value::Root { .. } => None,
    });
    let operators = witness.operators.iter().cloned();
    let Some(mut shown) = Identity::new(&a, &b, witness, &rational.chain(operators.clone()).collect())? else {
        return Ok(None);
    };
    if !shown.holds
        && let Ok((mut values, Some(_))) = determined(branch)
    {
        values.extend(operators);
        shown.has_roots = true;
        shown.holds = Identity::new(&a, &b, witness, &values)?.is_some_and(|rooted| rooted.holds);
    }
    Ok(Some(shown))
}

/// Both sides with what is assumed, channels in the order of the pairs.
fn sides(first: &Analysis, second: &Analysis, witness: &Witness) -> Result<Option<(Behavior, Behavior)>, Exhausted> {
    let (Some(a), Some(b)) = (side(first, Side::First, witness)?, side(second, Side::Second, witness)?) else {
        return Ok(None);
    };
    let b = dual::read_as(&b, &|f| witness.conjugate(f).is_some());
    let place = |x: &Behavior, channel: usize| x.ports.iter().position(|p| p.channel == channel);
    let order = |x: &Behavior, list: Vec<usize>| list.into_iter().map(|c| place(x, c)).collect::<Option<Vec<_>>>();
    let (ones, twos) = witness.channel_map.iter().copied().unzip();
    let orders = order(&a, ones).zip(order(&b, twos));
    Ok(orders.map(|(ones, twos)| (a.permuted(&ones), b.permuted(&twos))))
}

impl Identity {
    fn new(
        a: &Behavior,
        b: &Behavior,
        witness: &Witness,
        values: &SortedMap<Variable, RationalFunction>,
    ) -> Result<Option<Identity>, Exhausted> {
        let value = |v: Variable| values.get(&v).cloned();
        // Thrice: operators are given in coefficients, and those in a parameter that makes a root rational.
        let put = |x: &Behavior| -> Result<Option<Behavior>, Exhausted> {
            let mut found = x.clone();
            for _ in 0..3 {
                match found.substituted(&value)? {
                    Some(next) => found = next,
                    None => return Ok(None),
                }
            }
            Ok(Some(found))
        };
        let (Some(a), Some(own)) = (put(a)?, put(b)?) else {
            return Ok(None);
        };
        let at = |r: &RationalFunction| -> Result<RationalFunction, Exhausted> {
            let mut found = r.clone();
            for _ in 0..3 {
                found = found.substitute(&value)?.unwrap_or(found);
            }
            Ok(found)
        };
        let matrices: Vec<M> = witness.matrices.iter().map(|m| m.try_map(&at)).collect::<Result<_, _>>()?;
        let Some(second) = own.in_oracles(&matrices)? else {
            return Ok(None);
        };
        let mut theta = Vec::new();
        for (n, m) in witness.shift.iter().enumerate() {
            let delay = RationalFunction::variable(Z).pow(i32::try_from(-m).unwrap_or(0))?.expect("z is not zero");
            let c = witness.filters.get(n).cloned().unwrap_or_else(RationalFunction::one);
            theta.push(delay.mul(&at(&c)?)?);
        }
        let p = theta.len();
        let mut holds = true;
        for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
            let turned = theta[i].mul(&second.h[(i, j)])?.div(&theta[j])?;
            holds &= turned.as_ref() == Some(&a.h[(i, j)]);
        }
        let constants = responses(&a, &second, witness, &theta, &at)?;
        let oracles = a.ports.iter().zip(own.ports.iter()).map(|(p, q)| (p.oracle.clone(), q.oracle.clone())).collect();
        let [first, own, second] = [a.h, own.h, second.h].map(Arc::unwrap_or_clone);
        Ok(Some(Identity { first, own, second, matrices, theta, constants, oracles, holds, has_roots: false }))
    }
}

/// One side with what is assumed of its functions, repeated if need be.
fn side(analysis: &Analysis, side: Side, witness: &Witness) -> Result<Option<Behavior>, Exhausted> {
    let lifted = match witness.repeat {
        Some((s, n)) if s == side => lift::lifted(analysis, n)?,
        _ => None,
    };
    let Some(behavior) = Behavior::new(lifted.as_ref().unwrap_or(analysis), side) else {
        return Ok(None);
    };
    let special = witness.assumptions.iter().filter_map(|a| match a {
        Assumption::Function(whose, f, special) => Some((*whose, f.clone(), *special)),
        _ => None,
    });
    specialised(&behavior, &special.collect::<Vec<_>>())
}

/// G_A C_A and Θ G_B C_B, the constants of either side being C times those that may be anything.
fn responses(
    a: &Behavior,
    b: &Behavior,
    witness: &Witness,
    theta: &[RationalFunction],
    at: &dyn Fn(&RationalFunction) -> Result<RationalFunction, Exhausted>,
) -> Result<Option<[M; 2]>, Exhausted> {
    let map = witness.constant_map();
    if map.free.is_empty() {
        return Ok(None);
    }
    let own = |side: Side, x: &Behavior| map.commuting(side, x.constants.cols());
    let (Some(first), Some(second)) = (own(Side::First, a), own(Side::Second, b)) else {
        return Ok(None);
    };
    let (first, second) = (a.constants.mul(&first.try_map(at)?)?, b.constants.mul(&second.try_map(at)?)?);
    let mut rows = Vec::new();
    for (i, t) in theta.iter().enumerate() {
        rows.push(second.row(i).iter().map(|e| e.mul(t)).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(Some([first, Matrix::from_rows(rows)]))
}
