//! Parameters that have one name in both texts, and names for what is sought.

use crate::relation::behavior::{Behavior, Side, owner};
use crate::relation::hypothesis::{Hypothesis, Pairing};
use crate::relation::operators;
use crate::system::schedule::{schedule, scheduled, started};
use crate::system::{LinearSystem, parameter};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, RationalFunction, SortedMap, Variable};

/// Branches that keep a parameter's name and sign come first.
pub(super) fn strangeness(branch: &Branch, first: &LinearSystem, second: &LinearSystem) -> (usize, usize, usize) {
    let name = |v: Variable| {
        let (side, own) = owner(v);
        let system = if side == Side::First { first } else { second };
        system.parameters.get(own.0 as usize)
    };
    let mut strange = 0;
    let mut negative = 0;
    for (v, value) in &branch.values {
        match value {
            Value::Rational(r) => {
                let same = r.variables().len() == 1
                    && *r == RationalFunction::variable(r.variables()[0])
                    && name(r.variables()[0]) == name(*v);
                strange += usize::from(!same);
                negative += usize::from(r.numerator().leading_coefficient() < linnaeus_algebra::Integer::ZERO);
            }
            Value::Root { b, .. } => {
                strange += 1;
                negative += usize::from(b.numerator().leading_coefficient() < linnaeus_algebra::Integer::ZERO);
            }
        }
    }
    (branch.conditions.len(), strange, negative)
}

/// Parameters of the second and their namesakes among the first's.
pub(super) fn twins(first: &LinearSystem, second: &LinearSystem) -> SortedMap<Variable, Variable> {
    let twin = |(j, name): (usize, &String)| {
        let i = first.parameters.iter().position(|n| n == name)?;
        Some((Side::Second.place(parameter(j)), Side::First.place(parameter(i))))
    };
    second.parameters.iter().enumerate().filter_map(twin).collect()
}

/// The part of a branch where parameters of one name are the same, if there is one.
pub(super) fn with_twins(branch: &Branch, twins: &SortedMap<Variable, Variable>) -> Result<Option<Branch>, Exhausted> {
    let chosen = |v: Variable| {
        let twin = twins.get(&v).filter(|_| branch.free.contains(&v))?;
        Some(RationalFunction::variable(*twin))
    };
    let mut found = branch.clone();
    for value in found.values.values_mut() {
        let Value::Rational(r) = value else { return Ok(None) };
        match r.substitute(&chosen)? {
            Some(there) => *r = there,
            None => return Ok(None),
        }
    }
    // One that is determined is its namesake where another is chosen so.
    for (v, w) in twins {
        let Some(Value::Rational(value)) = found.values.get(v) else { continue };
        let difference = value.sub(&RationalFunction::variable(*w))?;
        let p = difference.numerator();
        let linear = |u: &&Variable| !twins.contains_key(u) && p.degree_in(**u) == 1;
        let Some(u) = found.free.iter().find(linear).copied() else { continue };
        let parts: Vec<_> = p.coefficients_in(u).into_iter().map(RationalFunction::polynomial).collect();
        let Some(choice) = parts[0].neg().div(&parts[1])? else { continue };
        let put = |x: Variable| (x == u).then(|| choice.clone());
        for value in found.values.values_mut() {
            let Value::Rational(r) = value else { return Ok(None) };
            match r.substitute(&put)? {
                Some(there) => *r = there,
                None => return Ok(None),
            }
        }
        found.free.retain(|x| *x != u);
        found.values.insert(u, Value::Rational(choice));
    }
    let twin = |v: &Variable| twins.get(v).map(|w| (*v, Value::Rational(RationalFunction::variable(*w))));
    found.values.extend(branch.free.iter().filter_map(twin));
    found.free.retain(|v| !twins.contains_key(v));
    let mut nonzero = Vec::new();
    let solved = |v: Variable| match found.values.get(&v).filter(|_| branch.free.contains(&v)) {
        Some(Value::Rational(r)) => Some(r.clone()),
        _ => None,
    };
    for p in &branch.nonzero {
        let there = RationalFunction::polynomial(p.clone()).substitute(&|v| chosen(v).or_else(|| solved(v)))?;
        match there {
            Some(there) if !there.is_zero() => nonzero.push(there.numerator().clone()),
            _ => return Ok(None),
        }
    }
    nonzero.retain(|p| !p.is_constant());
    nonzero.dedup();
    found.nonzero = nonzero;
    let same = |(v, w): (&Variable, &Variable)| {
        found.values.get(v).is_none_or(|value| *value == Value::Rational(RationalFunction::variable(*w)))
    };
    Ok((branch.relations.is_empty() && twins.iter().all(same)).then_some(found))
}

/// Whether it holds with equal values for equal names; none where the names differ.
pub(super) fn same_names(
    first: &LinearSystem,
    second: &LinearSystem,
    a: &Behavior,
    b_new: &Behavior,
    hypothesis: &Hypothesis,
    shift: &[i64],
) -> Result<Option<bool>, Exhausted> {
    let twin = |names: &[String], other: &[String]| -> Option<Vec<usize>> {
        names.iter().map(|n| other.iter().position(|o| o == n)).collect()
    };
    let operator_names = |s: &LinearSystem| s.operators.iter().map(|o| o.name.clone()).collect::<Vec<_>>();
    let (Some(parameters), Some(operators)) =
        (twin(&second.parameters, &first.parameters), twin(&operator_names(second), &operator_names(first)))
    else {
        return Ok(None);
    };
    if first.parameters.len() != second.parameters.len()
        || first.operators.len() != second.operators.len()
        || parameters.is_empty()
    {
        return Ok(None);
    }
    let mut values: SortedMap<Variable, RationalFunction> = SortedMap::new();
    values.extend(
        parameters.iter().enumerate().map(|(i, &j)| (b_new.parameters[i], RationalFunction::variable(a.parameters[j]))),
    );
    values.extend(
        operators.iter().enumerate().map(|(i, &j)| (b_new.operators[i], RationalFunction::variable(a.operators[j]))),
    );
    let Some(b_same) = b_new.substituted(&|v| values.get(&v).cloned())? else {
        return Ok(Some(false));
    };
    for i in 0..a.h.rows() {
        for j in 0..a.h.cols() {
            let z =
                RationalFunction::variable(crate::system::Z).pow((shift[j] - shift[i]) as i32)?.expect("z is not zero");
            if a.h[(i, j)] != b_same.h[(i, j)].mul(&z)? {
                return Ok(Some(false));
            }
        }
    }
    let steps = a
        .ports
        .iter()
        .zip(b_same.ports.iter())
        .zip(&hypothesis.pairings)
        .all(|((x, y), how)| *how != Pairing::Same || !x.oracle.kind.has_step() || x.oracle.step == y.oracle.step);
    Ok(Some(steps))
}

/// A symbol's name in its own text.
pub fn symbol_name(first: &Analysis, second: &Analysis, v: Variable) -> String {
    symbol_name_in(first, second, v, None)
}

/// The same for the iteration whose index is 0: `t[1]` for `t[k+1]`.
pub fn symbol_name_at_start(first: &Analysis, second: &Analysis, v: Variable) -> String {
    symbol_name_in(first, second, v, Some(""))
}

pub(super) fn symbol_name_in(first: &Analysis, second: &Analysis, v: Variable, index: Option<&str>) -> String {
    if let Some(j) = started(v) {
        return symbol_name_in(first, second, schedule(j, 0), Some(""));
    }
    if let Some((j, offset)) = scheduled(v) {
        let own = first.system.schedules.list.len();
        let (system, j, side) =
            if j < own { (&first.system, j, Side::First) } else { (&second.system, j - own, Side::Second) };
        let names = |w: Variable| symbol_name_in(first, second, side.place(w), index);
        let letter = index.unwrap_or(&system.letter);
        return system.schedules.text(schedule(j, offset), letter, &names).unwrap_or_else(|| "?".to_string());
    }
    if operators::is_coefficient(v) {
        return format!("c{}", v.0 % 10);
    }
    let (side, own) = owner(v);
    let system = if side == Side::First { &first.system } else { &second.system };
    let operator = own.0.checked_sub(crate::system::operator_symbol(0).0);
    match operator {
        Some(i) => system.operators.get(i as usize).map_or_else(|| "?".to_string(), |o| o.name.clone()),
        None => system.parameters.get(own.0 as usize).cloned().unwrap_or_else(|| "?".to_string()),
    }
}
