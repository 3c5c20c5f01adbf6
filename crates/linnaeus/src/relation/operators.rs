//! How the operators of two algorithms can correspond: each family holds for every operator, so
//! those of the one may be functions of those of the other.

use super::behavior::{Behavior, Side, is_rectangular};
use crate::system::LinearSystem;
use linnaeus_algebra::{Exhausted, RationalFunction, Variable};

/// The sought side's operators in terms of the given side's.
#[derive(Clone, Debug, Default)]
pub struct OperatorMap {
    /// What each becomes.
    pub values: Vec<(Variable, RationalFunction)>,
    /// Coefficients in those values, to be found.
    pub unknowns: Vec<Variable>,
    /// Those coefficients that may not vanish.
    pub nonzero: Vec<Variable>,
    /// Operators that are assumed to be the identity, on either side.
    pub identity: Vec<Variable>,
}

/// First coefficient variable; out of the way of every other symbol.
const COEFFICIENT: u32 = 3_000_000;

/// Ways to express the sought side's operators by the given side's, weakest demand first: the same
/// operator, then a multiple or an affine function of it. Where one side has none, the other's is
/// the identity, but only if `identity` is allowed; where both have one, that would be no relation
/// of the two.
pub fn maps(
    given: (&LinearSystem, &Behavior),
    sought: (&LinearSystem, &Behavior),
    identity: bool,
) -> Result<Vec<OperatorMap>, Exhausted> {
    let shape = |(system, b): (&LinearSystem, &Behavior)| -> Vec<(Variable, bool)> {
        let used = |v: &Variable| (0..b.h.rows()).any(|i| b.h.row(i).iter().any(|e| e.variables().contains(v)));
        b.operators
            .iter()
            .zip(&system.operators)
            .filter(|(v, _)| used(v))
            .map(|(v, o)| (*v, is_rectangular(system, o)))
            .collect()
    };
    let (g, s) = (shape(given), shape(sought));
    let one = RationalFunction::one();
    if s.is_empty() && g.is_empty() {
        return Ok(vec![OperatorMap::default()]);
    }
    if s.is_empty() || g.is_empty() {
        if !identity {
            return Ok(Vec::new());
        }
        let all: Vec<Variable> = g.iter().chain(&s).map(|(v, _)| *v).collect();
        let values = all.iter().map(|v| (*v, one.clone())).collect();
        return Ok(vec![OperatorMap { values, identity: all, ..Default::default() }]);
    }
    let [(a, a_rectangular)] = g.as_slice() else {
        return plain(&g, &s);
    };
    let [(b, b_rectangular)] = s.as_slice() else {
        return plain(&g, &s);
    };
    let symbol = RationalFunction::variable(*a);
    let (c0, c1) = (Variable(COEFFICIENT), Variable(COEFFICIENT + 1));
    let coefficient = |v: Variable| RationalFunction::variable(v);
    let affine = |x: &RationalFunction| coefficient(c1).mul(x)?.add(&coefficient(c0));
    let mut found = Vec::new();
    match (a_rectangular, b_rectangular) {
        (true, true) | (false, false) => {
            found.push(OperatorMap { values: vec![(*b, symbol.clone())], ..Default::default() });
            let (value, unknowns) = if *a_rectangular {
                (coefficient(c1).mul(&symbol)?, vec![c1])
            } else {
                (affine(&symbol)?, vec![c0, c1])
            };
            found.push(OperatorMap { values: vec![(*b, value)], unknowns, nonzero: vec![c1], ..Default::default() });
        }
        (true, false) => {
            let value = affine(&symbol.mul(&symbol)?)?;
            found.push(OperatorMap {
                values: vec![(*b, value)],
                unknowns: vec![c0, c1],
                nonzero: vec![c1],
                ..Default::default()
            });
        }
        // A map between two spaces cannot be made of an operator on one.
        (false, true) => {}
    }
    Ok(found)
}

/// Several commuting operators correspond one to one in their order.
fn plain(given: &[(Variable, bool)], sought: &[(Variable, bool)]) -> Result<Vec<OperatorMap>, Exhausted> {
    if given.len() != sought.len() || given.iter().zip(sought).any(|(a, b)| a.1 != b.1) {
        return Ok(Vec::new());
    }
    let values = given.iter().zip(sought).map(|((a, _), (b, _))| (*b, RationalFunction::variable(*a))).collect();
    Ok(vec![OperatorMap { values, ..Default::default() }])
}

impl OperatorMap {
    /// The behavior with this side's operators replaced.
    pub fn apply(&self, behavior: &Behavior) -> Result<Option<Behavior>, Exhausted> {
        if self.values.is_empty() {
            return Ok(Some(behavior.clone()));
        }
        behavior.substituted(&|v| self.values.iter().find(|(w, _)| *w == v).map(|(_, x)| x.clone()))
    }
}

/// Whether a coefficient was made here.
pub fn is_coefficient(v: Variable) -> bool {
    (COEFFICIENT..COEFFICIENT + 10).contains(&v.0)
}

/// Which side an identity assumption concerns, and its operator's number.
pub fn identity_of(v: Variable) -> (Side, usize) {
    let (side, own) = super::behavior::owner(v);
    (side, (own.0 - crate::system::operator_symbol(0).0) as usize)
}
