//! Which branch lies in the closure of which.

use super::groebner::{self, Ring};
use super::point::Point;
use super::roles::Roles;
use super::{Branch, Value, limited};
use crate::{Exhausted, Polynomial, RationalFunction, Variable};
use std::cell::OnceCell;

/// The work on one Gröbner basis.
const GROEBNER_FUEL: u64 = 100_000;

/// The branches that are not in the closure of another.
pub(super) fn maximal(branches: Vec<Branch>, roles: &Roles) -> Result<Vec<Branch>, Exhausted> {
    let least = branches.iter().map(|branch| dimension(branch, roles)).min();
    let mut closures = Vec::new();
    for branch in branches.iter().filter(|branch| Some(dimension(branch, roles)) > least) {
        closures.push(Closure::new(branch, roles)?);
    }
    let mut maximal = Vec::new();
    for branch in branches {
        let dimension = dimension(&branch, roles);
        let larger = closures.iter().filter(|other| other.dimension > dimension);
        let mut contained = false;
        for other in larger {
            contained = contained || other.contains(&branch, roles)?;
        }
        if !contained {
            maximal.push(branch);
        }
    }
    Ok(maximal)
}

/// The number of arbitrary variables without the number of relations between them.
fn dimension(branch: &Branch, roles: &Roles) -> usize {
    let bound = branch.values.len() + branch.conditions.len() + branch.relations.len();
    roles.dimension().saturating_sub(bound)
}

/// What vanishes on a branch, and what divides it there.
pub(super) struct Closure {
    dimension: usize,
    /// The values without denominators, and the relations.
    pub(super) equations: Vec<Polynomial>,
    denominators: Vec<Polynomial>,
    /// Are the equations all that vanishes where the denominators do not?
    exact: bool,
    /// What vanishes on it, once that was asked for; nothing if it is too much work.
    ideal: OnceCell<Option<Vec<Polynomial>>>,
}

impl Closure {
    pub(super) fn new(branch: &Branch, roles: &Roles) -> Result<Self, Exhausted> {
        let mut equations = branch.relations.clone();
        let mut denominators = Vec::new();
        for (&v, value) in branch.values.iter().chain(&branch.conditions) {
            equations.push(equation(v, value)?);
            let new = value.denominators().into_iter().cloned();
            denominators.extend(new.filter(|d| !d.is_constant()));
        }
        denominators.sort_unstable();
        denominators.dedup();
        Ok(Closure {
            dimension: dimension(branch, roles),
            equations,
            denominators,
            exact: branch.relations.len() <= 1,
            ideal: OnceCell::new(),
        })
    }

    /// Is `branch` in the closure? A yes is certain; a no may mean that it is hard to tell.
    fn contains(&self, branch: &Branch, roles: &Roles) -> Result<bool, Exhausted> {
        let Some(point) = Point::new(branch, roles.fresh)?.map(Point::with_places) else {
            return Ok(false);
        };
        for p in &self.equations {
            if !point.is_zero_of(p)? {
                return Ok(false);
            }
        }
        let mut regular = self.exact;
        for p in &self.denominators {
            regular = regular && !point.is_zero_of(p)?;
        }
        if regular {
            return Ok(true);
        }
        let ideal = match self.ideal.get() {
            Some(known) => known,
            None => {
                let found = limited(GROEBNER_FUEL, || self.ideal(roles))?;
                self.ideal.get_or_init(|| found)
            }
        };
        let Some(ideal) = ideal else {
            return Ok(false);
        };
        for p in ideal {
            if !point.is_zero_of(p)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is `branch` not only in the closure but on `own`, the branch of which this is the closure?
    pub(super) fn has(&self, branch: &Branch, own: &Branch, roles: &Roles) -> Result<bool, Exhausted> {
        let Some(point) = Point::new(branch, roles.fresh)?.map(Point::with_places) else {
            return Ok(false);
        };
        for p in own.nonzero.iter().chain(&self.denominators) {
            if point.is_zero_of(p)? {
                return Ok(false);
            }
        }
        self.contains(branch, roles)
    }

    /// The polynomials that vanish on the closure: the equations saturated by the denominators.
    fn ideal(&self, roles: &Roles) -> Result<Vec<Polynomial>, Exhausted> {
        let t = Variable(roles.fresh);
        let mut product = Polynomial::variable(t);
        for d in &self.denominators {
            product = product.mul(d)?;
        }
        let inverse = product - Polynomial::one();
        let all: Vec<&Polynomial> = self.equations.iter().chain([&inverse]).collect();
        let mut variables = roles.descending(all.iter().copied());
        variables.insert(0, t);
        let basis = groebner::basis(&Ring::eliminating_first(variables), &all)?;
        Ok(basis.into_iter().filter(|p| p.degree_in(t) == 0).collect())
    }
}

/// v = value without denominators and roots.
fn equation(v: Variable, value: &Value) -> Result<Polynomial, Exhausted> {
    let v = RationalFunction::variable(v);
    let difference = match value {
        Value::Rational(f) => v.sub(f)?,
        Value::Root { a, b, radicand } => {
            let difference = v.sub(a)?;
            let square = b.mul(b)?.mul(&RationalFunction::polynomial(radicand.clone()))?;
            difference.mul(&difference)?.sub(&square)?
        }
    };
    Ok(difference.numerator().clone())
}
