//! One step of the search: solve a linear equation, or split.

use std::cmp::Reverse;

use super::case::{Case, Factors};
use super::roles::{Role, Roles};
use super::{tower, triangular};
use crate::{Exhausted, Polynomial, RationalFunction, Variable};

/// What became of a case.
pub(super) enum Step {
    /// Cases that exclude each other and whose union has the same closure, up to parts that are
    /// no components.
    Split(Vec<Case>),
    /// No equation is left.
    Solved(Case),
}

/// An equation coefficient · variable + rest = 0.
struct Linear {
    equation: usize,
    variable: Variable,
    coefficient: Polynomial,
    rest: Polynomial,
}

/// What is known of the coefficient of a linear variable.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Unit,
    Given,
    Unknown,
}

/// Takes the cheapest step: a linear equation with a coefficient that is a unit, a product, a
/// linear equation with any other coefficient, and if there is none of them what [`triangular`]
/// does.
pub(super) fn step(mut case: Case, roles: &Roles) -> Result<Step, Exhausted> {
    if !case.may_be_component(roles) {
        return Ok(Step::Split(Vec::new()));
    }
    if case.equations.is_empty() {
        return match tower::split(&case, roles)? {
            Some(cases) => Ok(Step::Split(cases)),
            None => Ok(Step::Solved(case)),
        };
    }
    let linear = easiest(&case, roles);
    if let Some((Kind::Unit, linear)) = &linear {
        return Ok(Step::Split(eliminate(case, linear, roles)?));
    }
    if let Some(product) = shortest_product(&case) {
        return Ok(Step::Split(split(case, product, roles)?));
    }
    match linear {
        Some((_, linear)) => Ok(Step::Split(eliminate(case, &linear, roles)?)),
        None => triangular::step(case, roles).map(Step::Split),
    }
}

/// The equation that is easiest to solve for a variable: with a unit as coefficient, then with a
/// coefficient that has no unknown; with the shortest coefficient; for the last variable.
fn easiest(case: &Case, roles: &Roles) -> Option<(Kind, Linear)> {
    let irreducible = case.equations.iter().enumerate();
    let irreducible = irreducible.filter(|(_, factors)| factors.len() == 1);
    let candidates = irreducible.flat_map(|(equation, factors)| {
        let p = factors.first().expect("one factor");
        let targets = roles.targets(p).into_iter();
        targets.filter_map(move |v| linear_in(p, v, equation, roles))
    });
    let key = |(kind, linear): &(Kind, Linear)| {
        let c = &linear.coefficient;
        let length = (c.term_count(), c.total_degree());
        let role: Option<Role> = roles.role(linear.variable);
        (*kind, length, Reverse(role), linear.rest.term_count())
    };
    candidates.min_by_key(key)
}

fn linear_in(p: &Polynomial, v: Variable, equation: usize, roles: &Roles) -> Option<(Kind, Linear)> {
    if p.degree_in(v) != 1 {
        return None;
    }
    let mut coefficients = p.coefficients_in(v);
    let coefficient = coefficients.pop().expect("of degree one");
    let rest = coefficients.pop().expect("of degree one");
    let kind = if roles.is_unit(&coefficient) {
        Kind::Unit
    } else if roles.has_unknown(&coefficient) {
        Kind::Unknown
    } else {
        Kind::Given
    };
    let linear = Linear { equation, variable: v, coefficient, rest };
    Some((kind, linear))
}

/// The cases coefficient ≠ 0, where the variable is −rest/coefficient, and coefficient = 0.
fn eliminate(mut case: Case, linear: &Linear, roles: &Roles) -> Result<Vec<Case>, Exhausted> {
    let (c, d) = (&linear.coefficient, &linear.rest);
    case.equations.remove(linear.equation);
    let mut cases = Vec::new();
    if let Some(regular) = case.clone().excluding(c, roles)? {
        let value = RationalFunction::reduced(-d, c.clone())?;
        cases.extend(regular.assigning(linear.variable, value, roles)?);
    }
    if !roles.is_unit(c) {
        cases.extend(case.requiring([c, d], roles)?);
    }
    Ok(cases)
}

fn shortest_product(case: &Case) -> Option<usize> {
    let products = (0..case.equations.len()).filter(|&i| case.equations[i].len() > 1);
    products.min_by_key(|&i| case.equations[i].len())
}

/// The cases in which the first factor vanishes, the second but not the first, and so on.
fn split(mut case: Case, product: usize, roles: &Roles) -> Result<Vec<Case>, Exhausted> {
    let factors = case.equations.remove(product);
    let mut cases = Vec::new();
    let mut rest = Some(case);
    for factor in factors {
        let Some(case) = rest else { break };
        let mut zero = case.clone();
        zero.insert(Factors::from([factor.clone()]));
        cases.push(zero);
        rest = case.excluding(&factor, roles)?;
    }
    Ok(cases)
}
