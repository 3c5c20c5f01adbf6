//! From the values of sequences at single times to laws: a sequence that is solved for has one law at
//! all times, goes on by its own rule, and parameters do not change with the index.

use super::matching::Matching;
use super::sample;
use super::verdict::Limit;
use crate::system::schedule::{Motion, Schedules, schedule, scheduled, varies};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What sequences are, by their numbers.
pub type Laws = BTreeMap<usize, RationalFunction>;

/// What the values of a branch come to.
pub enum Outcome {
    /// The branch without its sequences, and these as functions of time.
    Laws(Branch, Laws),
    /// No laws have these values.
    Never,
    /// There are laws only where this vanishes, which parameters that are still free decide.
    Where(Vec<Polynomial>),
    /// The values do not determine the laws.
    Open(Limit),
}

/// The laws of a branch's sequences. `free` are the unknowns that are no sequences.
pub fn laws(matching: &Matching, branch: Branch, free: &BTreeSet<Variable>) -> Result<Outcome, Exhausted> {
    let schedules = &matching.joint;
    let is_root = |(v, value): (&Variable, &Value)| scheduled(*v).is_some() && matches!(value, Value::Root { .. });
    let laws = if branch.values.iter().any(is_root) { None } else { determined(schedules, &branch)? };
    let Some(laws) = laws else {
        return Ok(Outcome::Open(Limit::Equations));
    };
    let Some((mut found, wanted)) = at_all_times(schedules, branch, &laws)? else {
        return Ok(Outcome::Never);
    };
    if !wanted.is_empty() {
        let parts: BTreeSet<Polynomial> = wanted.iter().flat_map(|p| coefficients(p, free)).collect();
        let never = parts.iter().any(Polynomial::is_constant);
        return Ok(if never { Outcome::Never } else { Outcome::Where(parts.into_iter().collect()) });
    }
    // That a number which changes with the index is never zero at some time is no condition.
    found.nonzero.retain(|p| p.variables().into_iter().all(|v| scheduled(v).is_none()));
    for (j, rule) in &matching.rules {
        match laws.get(j).map(|law| obeys(schedules, law, rule, &laws, &found)).transpose()? {
            Some(Some(false)) => return Ok(Outcome::Never),
            Some(None) => return Ok(Outcome::Open(Limit::Recursions)),
            _ => {}
        }
    }
    Ok(Outcome::Laws(found, laws))
}

/// A law for every sequence that is solved for: its value at one time, in terms of what is given or of
/// sequences that have laws. None if a sequence has none.
fn determined(schedules: &Schedules, branch: &Branch) -> Result<Option<Laws>, Exhausted> {
    let sought: BTreeSet<Variable> =
        branch.values.keys().chain(&branch.free).copied().filter(|v| scheduled(*v).is_some()).collect();
    let sequences: BTreeSet<usize> = sought.iter().filter_map(|v| scheduled(*v)).map(|(j, _)| j).collect();
    let mut laws = Laws::new();
    loop {
        let before = laws.len();
        for (v, value) in &branch.values {
            let (Some((j, offset)), Value::Rational(value)) = (scheduled(*v), value) else { continue };
            let known = |w: &Variable| !sought.contains(w) || scheduled(*w).is_some_and(|(i, _)| laws.contains_key(&i));
            if !laws.contains_key(&j)
                && value.variables().iter().all(known)
                && let Some(value) = put_in(schedules, value, &laws)?
            {
                laws.insert(j, schedules.advanced(&value, -offset)?);
            }
        }
        if laws.len() == sequences.len() {
            return Ok(Some(laws));
        }
        if laws.len() == before {
            return Ok(None);
        }
    }
}

/// A value with sequences by their laws; nothing if it is not defined then.
fn put_in(schedules: &Schedules, r: &RationalFunction, laws: &Laws) -> Result<Option<RationalFunction>, Exhausted> {
    let mut values = BTreeMap::new();
    for v in r.variables() {
        if let Some((j, offset)) = scheduled(v)
            && let Some(law) = laws.get(&j)
        {
            values.insert(v, schedules.advanced(law, offset)?);
        }
    }
    if values.is_empty() { Ok(Some(r.clone())) } else { r.substitute(&|v| values.get(&v).cloned()) }
}

/// The branch without its sequences, and what must vanish for their laws to give all its values and for
/// its parameters not to change with the index. Nothing if that is impossible.
fn at_all_times(
    schedules: &Schedules,
    mut branch: Branch,
    laws: &Laws,
) -> Result<Option<(Branch, Vec<Polynomial>)>, Exhausted> {
    let mut wanted = Vec::new();
    let mut want = |difference: RationalFunction| -> Result<(), Exhausted> {
        let p = schedules.reduced(difference.numerator())?;
        wanted.extend(Some(p).filter(|p| !p.is_zero()));
        Ok(())
    };
    for (v, value) in std::mem::take(&mut branch.values) {
        let value = match value {
            Value::Rational(value) => value,
            Value::Root { a, b, radicand } => {
                let still = radicand.variables().into_iter().all(|v| scheduled(v).is_none());
                if !still || varies(&a) || varies(&b) {
                    return Ok(None);
                }
                branch.values.insert(v, Value::Root { a, b, radicand });
                continue;
            }
        };
        let Some(value) = put_in(schedules, &value, laws)? else {
            return Ok(None);
        };
        match scheduled(v) {
            Some((j, offset)) => want(value.sub(&schedules.advanced(&laws[&j], offset)?)?)?,
            None => {
                if varies(&value) {
                    want(value.sub(&schedules.advanced(&value, 1)?)?)?;
                }
                branch.values.insert(v, Value::Rational(value));
            }
        }
    }
    branch.free.retain(|v| scheduled(*v).is_none());
    Ok(Some((branch, wanted)))
}

/// The coefficients with respect to everything that is not free.
fn coefficients(p: &Polynomial, free: &BTreeSet<Variable>) -> Vec<Polynomial> {
    match p.variables().into_iter().find(|v| !free.contains(v)) {
        None => vec![p.primitive_part()],
        Some(v) => p.coefficients_in(v).iter().filter(|c| !c.is_zero()).flat_map(|c| coefficients(c, free)).collect(),
    }
}

/// Whether a sequence that is solved for goes on by its own rule; none if that cannot be said.
fn obeys(
    schedules: &Schedules,
    law: &RationalFunction,
    rule: &RationalFunction,
    laws: &Laws,
    branch: &Branch,
) -> Result<Option<bool>, Exhausted> {
    let value = |v: Variable| match (scheduled(v), branch.values.get(&v)) {
        (Some((j, offset)), _) => schedules.advanced(laws.get(&j)?, offset).ok(),
        (None, Some(Value::Rational(r))) => Some(r.clone()),
        _ => None,
    };
    let at = |r: &RationalFunction| r.substitute(&value);
    let (next, Some(rule)) = (schedules.advanced(law, 1)?, at(rule)?) else {
        return Ok(None);
    };
    let is_zero = |r: &RationalFunction| Ok(schedules.reduced(r.numerator())?.is_zero());
    let difference = next.sub(&rule)?;
    // A square root of the sequence's own: its value follows from the rule, and must be a root.
    let is_sought = |v: &Variable| {
        let radicand = radicand(schedules, *v).ok().flatten();
        let inner = radicand.iter().flat_map(RationalFunction::variables).filter_map(scheduled);
        inner.into_iter().any(|(j, _)| laws.contains_key(&j))
    };
    let roots: Vec<Variable> = rule.variables().into_iter().filter(is_sought).collect();
    match roots.as_slice() {
        [] => is_zero(&difference).map(Some),
        [root] => {
            let Some((a, b)) = linear(&rule, *root)? else { return Ok(None) };
            let Some(value) = next.sub(&a)?.div(&b)? else { return Ok(None) };
            let Some(radicand) = radicand(schedules, *root)?.map(|r| at(&r)).transpose()?.flatten() else {
                return Ok(None);
            };
            if !is_zero(&value.mul(&value)?.sub(&radicand)?)? {
                return Ok(Some(false));
            }
            // Its negative is no square root.
            Ok(sample::is_positive(schedules, &value))
        }
        _ => Ok(None),
    }
}

/// a and b with r = a + b v, if v occurs so.
fn linear(r: &RationalFunction, v: Variable) -> Result<Option<(RationalFunction, RationalFunction)>, Exhausted> {
    if r.numerator().degree_in(v) != 1 || r.denominator().degree_in(v) != 0 {
        return Ok(None);
    }
    let parts = r.numerator().coefficients_in(v);
    let part = |i: usize| RationalFunction::new(parts[i].clone(), r.denominator().clone());
    Ok(part(0)?.zip(part(1)?))
}

/// What a symbol is the square root of.
fn radicand(schedules: &Schedules, v: Variable) -> Result<Option<RationalFunction>, Exhausted> {
    let Some((j, offset)) = scheduled(v) else { return Ok(None) };
    match &schedules.list[j].motion {
        Motion::Function("sqrt", radicand) => schedules.advanced(radicand, offset).map(Some),
        _ => Ok(None),
    }
}

/// A recursion as a polynomial in the values of sequences that must vanish, its square root put alone
/// and squared: t⁺² − t⁺ − t² for t⁺ = (1 + √(1 + 4t²))/2. None if there are more roots than one.
pub fn relation(schedules: &Schedules, j: usize) -> Result<Option<Polynomial>, Exhausted> {
    let Motion::Recursion(rule) = &schedules.list[j].motion else { return Ok(None) };
    let next = RationalFunction::variable(schedule(j, 1));
    let is_root = |v: &Variable| matches!(radicand(schedules, *v), Ok(Some(_)));
    let roots: Vec<Variable> = rule.variables().into_iter().filter(is_root).collect();
    let vanishing = match roots.as_slice() {
        [] => next.sub(rule)?,
        [root] => {
            let (Some((a, b)), Some(radicand)) = (linear(rule, *root)?, radicand(schedules, *root)?) else {
                return Ok(None);
            };
            let rest = next.sub(&a)?;
            rest.mul(&rest)?.sub(&b.mul(&b)?.mul(&radicand)?)?
        }
        _ => return Ok(None),
    };
    let is_function =
        |v: &Variable| scheduled(*v).is_some_and(|(j, _)| matches!(schedules.list[j].motion, Motion::Function(..)));
    let p = vanishing.numerator().primitive_part();
    Ok(Some(p).filter(|p| !p.variables().iter().any(is_function)))
}
