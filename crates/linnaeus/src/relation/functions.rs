//! Square roots, exponentials and logarithms of parameters are symbols of their own while equations are
//! solved. What the solution says of them must agree with what it says of their arguments.

use super::behavior::Side;
use crate::system::LinearSystem;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, Variable};

/// A function of parameters, in the symbols of the comparison.
struct Function {
    symbol: Variable,
    name: &'static str,
    argument: RationalFunction,
}

fn functions(system: &LinearSystem, side: Side) -> impl Iterator<Item = Function> {
    system.functions.iter().map(move |(symbol, name, argument)| Function {
        symbol: side.place(*symbol),
        name,
        argument: argument.rename(&|v| side.place(v)),
    })
}

/// The branch if it is true of all functions of parameters, with the arguments that these determine;
/// nothing if it is not, or if that is not known.
pub fn settled(first: &LinearSystem, second: &LinearSystem, mut branch: Branch) -> Result<Option<Branch>, Exhausted> {
    let all: Vec<Function> = functions(first, Side::First).chain(functions(second, Side::Second)).collect();
    // Arguments that one function determines may be those of another before it.
    for f in all.iter().chain(&all) {
        if !is_settled(f, &all, &mut branch)? {
            return Ok(None);
        }
    }
    Ok(Some(branch))
}

fn is_settled(f: &Function, all: &[Function], branch: &mut Branch) -> Result<bool, Exhausted> {
    let known = |branch: &Branch, v: Variable| branch.conditions.get(&v).or_else(|| branch.values.get(&v)).cloned();
    let concerned = f.argument.variables().into_iter().chain([f.symbol]);
    let values: Vec<(Variable, Value)> = concerned.filter_map(|v| Some((v, known(branch, v)?))).collect();
    if values.is_empty() || branch.free.contains(&f.symbol) {
        return Ok(true);
    }
    let Some(rational) = values.into_iter().map(rational).collect::<Option<Vec<_>>>() else {
        return Ok(false);
    };
    let at = |v: Variable| rational.iter().find(|(w, _)| *w == v).map(|(_, r)| r.clone());
    let value = at(f.symbol).unwrap_or_else(|| RationalFunction::variable(f.symbol));
    let Some(argument) = f.argument.substitute(&at)? else {
        return Ok(false);
    };
    // The same function of the same argument, or of one that may be anything.
    let twin = all.iter().find(|g| g.name == f.name && value == RationalFunction::variable(g.symbol));
    let expected = match (twin, f.name) {
        (Some(twin), _) => twin.argument.clone(),
        (None, "sqrt") => reduced(&value.mul(&value)?, all)?,
        (None, _) => return Ok(false),
    };
    if reduced(&argument, all)? == reduced(&expected, all)? {
        return Ok(true);
    }
    let free = branch.free.iter().position(|v| argument == RationalFunction::variable(*v));
    if let Some(place) = free {
        let v = branch.free.remove(place);
        branch.values.insert(v, Value::Rational(expected));
    }
    Ok(free.is_some())
}

fn rational((v, value): (Variable, Value)) -> Option<(Variable, RationalFunction)> {
    match value {
        Value::Rational(r) => Some((v, r)),
        Value::Root { .. } => None,
    }
}

/// With the squares of all roots replaced by what they are roots of.
fn reduced(r: &RationalFunction, all: &[Function]) -> Result<RationalFunction, Exhausted> {
    let mut found = r.clone();
    for f in all.iter().filter(|f| f.name == "sqrt") {
        let (above, below) = (even(found.numerator(), f)?, even(found.denominator(), f)?);
        // Without roots below: (a + b s)/(c + d s) = (a + b s)(c − d s)/(c² − d² R).
        let minus = |v: Variable| (v == f.symbol).then(|| RationalFunction::variable(v).neg());
        let Some(conjugate) = below.substitute(&minus)? else { continue };
        let (above, below) = (above.mul(&conjugate)?, below.mul(&conjugate)?);
        let (Some(above), Some(below)) = (one_pass(&above, f)?, one_pass(&below, f)?) else { continue };
        found = above.div(&below)?.unwrap_or(found);
    }
    Ok(found)
}

/// The numerator's even powers of a root replaced; nothing if the denominator has it.
fn one_pass(r: &RationalFunction, f: &Function) -> Result<Option<RationalFunction>, Exhausted> {
    if r.denominator().degree_in(f.symbol) > 0 {
        return Ok(None);
    }
    even(r.numerator(), f)?.div(&RationalFunction::polynomial(r.denominator().clone()))
}

/// The polynomial with even powers of a root replaced.
fn even(p: &Polynomial, f: &Function) -> Result<RationalFunction, Exhausted> {
    let mut sum = RationalFunction::zero();
    for (e, c) in p.coefficients_in(f.symbol).into_iter().enumerate() {
        let mut term = RationalFunction::polynomial(c);
        for _ in 0..e / 2 {
            term = term.mul(&f.argument)?;
        }
        if e % 2 == 1 {
            term = term.mul(&RationalFunction::variable(f.symbol))?;
        }
        sum = sum.add(&term)?;
    }
    Ok(sum)
}
