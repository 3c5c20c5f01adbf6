//! Equations that are linear in none of their unknowns.
//!
//! A variable that occurs in one equation only is algebraic over the others: the equation becomes
//! a link of a chain. Equations that share their variables are replaced by a Gröbner basis, and
//! then, as long as that does not separate them, divided by one another as in J. F. Ritt's
//! characteristic sets.

use std::cmp::Reverse;

use super::case::{Case, Factors, Link};
use super::roles::{Role, Roles};
use super::{groebner, limited};
use crate::{Exhausted, Polynomial, Variable};

/// The work on one Gröbner basis.
const GROEBNER_FUEL: u64 = 5_000_000;

/// A variable of an equation and its degree there, at least two.
#[derive(Copy, Clone)]
struct Place {
    equation: usize,
    variable: Variable,
    degree: u32,
}

/// Sets an equation apart or combines two. All equations are irreducible, none is linear in a
/// variable for which it may be solved.
pub(super) fn step(case: Case, roles: &Roles) -> Result<Vec<Case>, Exhausted> {
    let mut places = Vec::new();
    for (equation, factors) in case.equations.iter().enumerate() {
        let p = factors.first().expect("equations have factors");
        places.extend(roles.targets(p).into_iter().map(|variable| Place {
            equation,
            variable,
            degree: p.degree_in(variable),
        }));
    }
    let occurs_once = |place: &&Place| {
        let contains = |f: &&Factors| f.iter().any(|p| p.degree_in(place.variable) > 0);
        case.equations.iter().filter(contains).count() == 1
    };
    let key = |place: &&Place| (place.degree, Reverse(roles.role(place.variable)));
    if let Some(&place) = places.iter().filter(occurs_once).min_by_key(key) {
        return set_apart(case, place, roles);
    }
    if !case.basis_tried {
        return groebner_basis(case, roles);
    }
    // An unknown is a target wherever it occurs, so another equation has it in no lower degree;
    // so has a given variable if there are no unknowns.
    let is_given = |place: &&Place| matches!(roles.role(place.variable), Some(Role::Given(_)));
    let shared = places.iter().min_by_key(|place| (is_given(place), key(place)));
    divide(case, *shared.expect("an equation has a target"), roles)
}

/// Splits by the leading coefficient of `p` in `v`: where it vanishes, so does the rest of `p`.
/// The equation `p` must have been removed. Returns the case in which it does not vanish and the
/// other.
fn split_lead(
    case: Case,
    p: &Polynomial,
    v: Variable,
    roles: &Roles,
) -> Result<(Option<Case>, Option<Case>), Exhausted> {
    let mut coefficients = p.coefficients_in(v);
    let lead = coefficients.pop().expect("v occurs");
    if roles.is_unit(&lead) {
        return Ok((Some(case), None));
    }
    let rest = Polynomial::from_coefficients_in(v, &coefficients);
    let singular = case.clone().requiring([&lead, &rest], roles)?;
    Ok((case.excluding(&lead, roles)?, singular))
}

/// Makes the only equation with a variable a link of the chain.
fn set_apart(mut case: Case, place: Place, roles: &Roles) -> Result<Vec<Case>, Exhausted> {
    let tried = case.basis_tried;
    let equation = case.equations.remove(place.equation).pop_first().expect("one factor");
    let variable = place.variable;
    let (regular, singular) = split_lead(case, &equation, variable, roles)?;
    let mut cases = Vec::new();
    if let Some(mut regular) = regular {
        regular.basis_tried = tried;
        regular.chain.push(Link { variable, equation });
        cases.push(regular);
    }
    cases.extend(singular);
    Ok(cases)
}

/// Replaces the equations by a Gröbner basis of them, if that is not too much work.
fn groebner_basis(mut case: Case, roles: &Roles) -> Result<Vec<Case>, Exhausted> {
    let equations: Vec<&Polynomial> = case.equations.iter().flatten().collect();
    let ring = groebner::Ring::lexicographic(roles.descending(equations.iter().copied()));
    let basis = limited(GROEBNER_FUEL, || groebner::basis(&ring, &equations))?;
    if let Some(basis) = basis {
        case.equations.clear();
        let Some(next) = case.requiring(&basis, roles)? else {
            return Ok(Vec::new());
        };
        case = next;
    }
    case.basis_tried = true;
    Ok(vec![case])
}

/// Divides the other equations with a variable by one of least degree in it.
fn divide(mut case: Case, place: Place, roles: &Roles) -> Result<Vec<Case>, Exhausted> {
    let v = place.variable;
    let divisor = case.equations.remove(place.equation).pop_first().expect("one factor");
    let (regular, singular) = split_lead(case, &divisor, v, roles)?;
    let mut cases = Vec::new();
    if let Some(mut regular) = regular {
        let mut remainders = Vec::new();
        for equation in std::mem::take(&mut regular.equations) {
            let divide = |p: &Polynomial| pseudo_remainder(p, &divisor, v);
            match equation.first() {
                Some(p) if p.degree_in(v) > 0 && equation.len() == 1 => remainders.push(divide(p)?),
                _ => regular.insert(equation),
            }
        }
        remainders.push(divisor);
        if let Some(mut next) = regular.requiring(&remainders, roles)? {
            next.basis_tried = true;
            cases.push(next);
        }
    }
    cases.extend(singular);
    Ok(cases)
}

/// A remainder r of `p` by `divisor` as polynomials in `v`: lᵏ p = q · divisor + r, where l is the
/// leading coefficient of the divisor, or a factor of it, and r has smaller degree.
pub(super) fn pseudo_remainder(p: &Polynomial, divisor: &Polynomial, v: Variable) -> Result<Polynomial, Exhausted> {
    let degree = divisor.degree_in(v);
    let lead = divisor.leading_coefficient_in(v);
    let mut rest = p.clone();
    while !rest.is_zero() && rest.degree_in(v) >= degree {
        let top = rest.leading_coefficient_in(v);
        let gcd = top.gcd(&lead)?;
        let cofactor =
            |q: &Polynomial| -> Result<Polynomial, Exhausted> { Ok(q.exact_divide(&gcd)?.expect("the gcd divides")) };
        let shift = rest.degree_in(v) - degree;
        let multiple = divisor.mul(&cofactor(&top)?)?.times_power(v, shift);
        rest = rest.mul(&cofactor(&lead)?)? - multiple;
    }
    Ok(rest)
}
