//! From a solved case to branches, one for each choice of the signs of square roots.

use super::case::Case;
use super::point::Point;
use super::quadratic::{self, Quadratic};
use super::roles::{Role, Roles};
use super::{Branch, Problem, Value};
use crate::{Exhausted, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};

/// Rational functions of the variables that are not assigned.
type Values = SortedMap<Variable, RationalFunction>;

/// The most independent square roots whose signs are told apart.
const ROOTS: usize = 6;

/// The branches of a case without equations.
pub(super) fn branches(case: &Case, problem: &Problem, roles: &Roles) -> Result<Vec<Branch>, Exhausted> {
    let values = resolved(case)?;
    let roots = roots(case, &values);
    let mut branches = Vec::new();
    for signs in 0u32..1 << roots.len() {
        let mut chosen = SortedMap::new();
        for (i, &variable) in roots.iter().enumerate() {
            let link = case.chain.iter().find(|link| link.variable == variable);
            let quadratic = link.and_then(|link| Quadratic::new(&link.equation, variable));
            let [plus, minus] = quadratic.expect("a quadratic link").roots()?;
            chosen.insert(variable, if signs >> i & 1 == 0 { plus } else { minus });
        }
        branches.extend(branch(case, &values, chosen, problem, roles)?);
    }
    Ok(branches)
}

/// The assigned variables, by those that are not.
fn resolved(case: &Case) -> Result<Values, Exhausted> {
    let mut values = Values::new();
    for (v, value) in case.assigned.iter().rev() {
        let value = value.substitute(&|w| values.get(&w).cloned())?;
        values.insert(*v, value.expect("denominators do not vanish on a case"));
    }
    Ok(values)
}

/// The algebraic variables that can be written as square roots: no other link contains them, and
/// no value contains two.
fn roots(case: &Case, values: &Values) -> Vec<Variable> {
    let is_quadratic = |v: &Variable| {
        let link = case.chain.iter().find(|link| link.variable == *v);
        link.is_some_and(|link| link.equation.degree_in(*v) == 2)
    };
    let mut roots: Vec<Variable> = case.chain.iter().map(|link| link.variable).collect();
    roots.retain(is_quadratic);
    roots.retain(|&v| {
        let mut others = case.chain.iter().filter(|link| link.variable != v);
        others.all(|link| link.equation.degree_in(v) == 0)
    });
    roots.truncate(ROOTS);
    while let Some(v) = values.values().find_map(|value| {
        let occurring = value.variables();
        let mut both = roots.iter().filter(|v| occurring.contains(v));
        both.next().and(both.next()).copied()
    }) {
        roots.retain(|&w| w != v);
    }
    roots
}

/// The branch with these roots; none where a nonzero polynomial vanishes.
fn branch(
    case: &Case,
    values: &Values,
    roots: SortedMap<Variable, Value>,
    problem: &Problem,
    roles: &Roles,
) -> Result<Option<Branch>, Exhausted> {
    let links = case.chain.iter().filter(|link| !roots.contains_key(&link.variable));
    let mut branch = Branch {
        values: SortedMap::new(),
        free: Vec::new(),
        conditions: SortedMap::new(),
        relations: links.map(|link| link.equation.clone()).collect(),
        nonzero: Vec::new(),
    };
    let mut all = roots.clone();
    for (&v, value) in values {
        let Some(value) = with_root(value, &roots, Variable(roles.fresh))? else {
            return Ok(None);
        };
        all.insert(v, value);
    }
    let unknowns = roles.unknowns.iter().copied();
    branch.free = unknowns.filter(|v| !all.contains_key(v)).collect();
    for (v, value) in all {
        match roles.role(v) {
            Some(Role::Given(_)) => branch.conditions.insert(v, value),
            _ => branch.values.insert(v, value),
        };
    }
    branch.nonzero = inequations(&branch, problem, roles)?;
    Ok(Some(branch))
}

/// A rational function of at most one of the roots as a + b √r; `s` is a variable that does not
/// occur.
fn with_root(
    value: &RationalFunction,
    roots: &SortedMap<Variable, Value>,
    s: Variable,
) -> Result<Option<Value>, Exhausted> {
    let rational = || Ok(Some(Value::Rational(value.clone())));
    let Some(v) = value.variables().into_iter().find(|v| roots.contains_key(v)) else {
        return rational();
    };
    let Value::Root { a, b, radicand } = &roots[&v] else {
        return rational();
    };
    let root = a.add(&b.mul(&RationalFunction::variable(s))?)?;
    let Some(value) = value.substitute(&|w| (w == v).then(|| root.clone()))? else {
        return Ok(None);
    };
    let parts = quadratic::modulo_square(&value, s, radicand)?;
    Ok(parts.map(|[a, b]| {
        if b.is_zero() {
            Value::Rational(a)
        } else {
            let radicand = radicand.clone();
            Value::Root { a, b, radicand }
        }
    }))
}

/// See [`Branch::nonzero`].
fn inequations(branch: &Branch, problem: &Problem, roles: &Roles) -> Result<Vec<Polynomial>, Exhausted> {
    let values = branch.values.values().chain(branch.conditions.values());
    let mut nonzero: Vec<Polynomial> = values.flat_map(Value::denominators).cloned().collect();
    if let Some(point) = Point::new(branch, roles.fresh)? {
        for p in &problem.nonzero {
            nonzero.push(point.norm(p)?);
        }
        if branch.relations.len() > 1 {
            nonzero.extend(point.leading_coefficients());
        }
    }
    let factors = |list: &[Polynomial]| -> Result<SortedSet<Polynomial>, Exhausted> {
        let mut found = SortedSet::new();
        for p in list {
            found.extend(p.factor()?.factors.into_iter().map(|(factor, _)| factor));
        }
        Ok(found)
    };
    let known = factors(&problem.nonzero)?;
    let mut nonzero: Vec<Polynomial> = factors(&nonzero)?.into_iter().collect();
    nonzero.retain(|p| !known.contains(p));
    nonzero.sort_by_cached_key(|p| (p.total_degree(), p.term_count(), p.clone()));
    Ok(nonzero)
}
