//! Parameters that do nothing but scale a function: prox_{tλg} beside t∇f is prox_{th} for the function h = λg,
//! and h may be any function that g may be.

use super::{Analysis, Realization, Transfer};
use crate::operator::OperatorPolynomial;
use crate::syntax::ast::OracleKind;
use crate::system::schedule::Motion;
use crate::system::{Atom, LinearForm, LinearSystem, parameter};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, SortedSet, Variable};

/// A parameter that was taken into a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The parameter.
    pub parameter: String,
    /// The function that it scales.
    pub function: String,
}

/// The algorithm with such factors taken into their functions, if it has any. A factor is one of a step whose
/// other factors occur elsewhere too: a step of its own is a step.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
pub fn folded(analysis: &Analysis) -> Result<Option<(Analysis, Vec<Factor>)>, Exhausted> {
    let system = &analysis.system;
    let functions: SortedSet<&String> = system.calls.iter().map(|c| &c.oracle.function).collect();
    let mut found: Option<(Analysis, Vec<Factor>)> = None;
    for function in functions {
        for (n, name) in system.parameters.iter().enumerate() {
            let now = found.as_ref().map_or(analysis, |(folded, _)| folded);
            if !scales(&now.system, function, parameter(n))? {
                continue;
            }
            let next = without(now, parameter(n))?;
            let mut factors = found.take().map_or_else(Vec::new, |(_, factors)| factors);
            factors.push(Factor { parameter: name.clone(), function: function.clone() });
            found = Some((next, factors));
        }
    }
    Ok(found)
}

/// Whether a parameter is a factor of a function wherever that is called, and occurs nowhere else.
fn scales(system: &LinearSystem, function: &str, p: Variable) -> Result<bool, Exhausted> {
    let of = |r: &RationalFunction| r.variables().contains(&p);
    let ruled = system.schedules.list.iter().any(|s| match &s.motion {
        Motion::Recursion(r) | Motion::Function(_, r) | Motion::Power(r) => of(r),
        Motion::Free | Motion::Clock => false,
    });
    if ruled || system.functions.iter().any(|(v, _, r)| *v == p || of(r)) {
        return Ok(false);
    }
    // What stands beside the parameter in steps, and all that stands elsewhere.
    let (mut beside, mut elsewhere) = (SortedSet::new(), SortedSet::new());
    for call in &system.calls {
        let oracle = &call.oracle;
        let is_own = oracle.function == function && !oracle.conjugate;
        if oracle.map.iter().flat_map(OperatorPolynomial::terms).any(|(_, c)| of(c)) {
            return Ok(false);
        }
        match oracle.kind {
            OracleKind::Prox | OracleKind::Resolvent | OracleKind::Reflected if is_own => {
                if !is_multiple(&oracle.step, p)? {
                    return Ok(false);
                }
                beside.extend(oracle.step.variables());
            }
            OracleKind::Gradient | OracleKind::Subdifferential if is_own => {}
            _ if oracle.function == function || of(&oracle.step) => return Ok(false),
            _ => elsewhere.extend(oracle.step.variables()),
        }
    }
    let forms = || system.equations.iter().map(|e| &e.form).chain(system.calls.iter().map(|c| &c.argument));
    for (atom, coefficient) in forms().flatten() {
        let is_scaled = match atom {
            Atom::Call(c) => {
                let oracle = &system.calls[*c].oracle;
                oracle.function == function && !oracle.kind.has_step()
            }
            _ => false,
        };
        for (_, c) in coefficient.terms() {
            if if is_scaled { !is_multiple(c, p)? } else { of(c) } {
                return Ok(false);
            }
            elsewhere.extend(c.variables());
        }
    }
    beside.remove(&p);
    Ok(beside.iter().any(|v| elsewhere.contains(v)))
}

/// Whether a value is the parameter times something that does not depend on it.
fn is_multiple(value: &RationalFunction, p: Variable) -> Result<bool, Exhausted> {
    let rest = value.div(&RationalFunction::variable(p))?;
    Ok(rest.is_some_and(|rest| !rest.variables().contains(&p)))
}

/// The algorithm where the parameter is 1.
fn without(analysis: &Analysis, p: Variable) -> Result<Analysis, Exhausted> {
    let value = |r: &RationalFunction| -> Result<RationalFunction, Exhausted> {
        let found = r.substitute(&|v| (v == p).then(RationalFunction::one))?;
        Ok(found.unwrap_or_else(|| r.clone()))
    };
    let words = |c: &OperatorPolynomial| c.map_coefficients(&mut |r| value(r));
    let form = |f: &LinearForm| -> Result<LinearForm, Exhausted> {
        f.iter().map(|(atom, c)| Ok((*atom, words(c)?))).collect()
    };
    let mut found = analysis.clone();
    for equation in &mut found.system.equations {
        equation.form = form(&equation.form)?;
    }
    for call in &mut found.system.calls {
        call.argument = form(&call.argument)?;
        call.oracle = call.oracle.with_numbers(&mut |r| value(r))?;
    }
    for channel in &mut found.channels {
        channel.oracle = channel.oracle.with_numbers(&mut |r| value(r))?;
    }
    match &mut found.transfer {
        Transfer::Commuting { h, realization } => {
            *h = h.try_map(value)?;
            *realization = mapped(realization, &value)?;
        }
        Transfer::Noncommuting { h, realization, markov } => {
            *h = h.as_ref().map(|h| h.try_map(words)).transpose()?;
            *realization = mapped(realization, &words)?;
            *markov = markov.iter().map(|m| m.try_map(words)).collect::<Result<_, Exhausted>>()?;
        }
    }
    Ok(found)
}

fn mapped<T: Coefficient>(
    r: &Realization<T>,
    f: &dyn Fn(&T) -> Result<T, Exhausted>,
) -> Result<Realization<T>, Exhausted> {
    let map = |m: &Matrix<T>| m.try_map(f);
    Ok(Realization { states: r.states.clone(), a: map(&r.a)?, b: map(&r.b)?, c: map(&r.c)?, d: map(&r.d)? })
}
