//! Square roots, exponentials and logarithms of parameters are symbols of their own while equations are
//! solved. What the solution says of them must agree with what it says of their arguments.

use super::behavior::Side;
use crate::system::{LinearSystem, roots};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, RationalFunction, SortedMap, Variable};

/// A function of parameters, in the symbols of the comparison.
struct Function {
    symbol: Variable,
    name: &'static str,
    argument: RationalFunction,
}

impl Function {
    /// The parameter in whose stead its root occurs.
    fn square(&self) -> Option<Variable> {
        let [v] = self.argument.variables()[..] else { return None };
        (self.name == "sqrt" && self.argument == RationalFunction::variable(v)).then_some(v)
    }
}

fn functions(system: &LinearSystem, side: Side) -> impl Iterator<Item = Function> {
    system.functions.iter().map(move |(symbol, name, argument)| Function {
        symbol: side.place(*symbol),
        name,
        argument: argument.rename(&|v| side.place(v)),
    })
}

/// What a branch says of functions of parameters.
pub enum Settled {
    /// It is true, with the arguments that they determine.
    Holds(Branch),
    /// It is not.
    Fails,
    /// That is not known.
    Open,
}

/// Whether a branch is true of all functions of parameters.
pub fn settled(first: &LinearSystem, second: &LinearSystem, mut branch: Branch) -> Result<Settled, Exhausted> {
    let all: Vec<Function> = functions(first, Side::First).chain(functions(second, Side::Second)).collect();
    // Arguments that one function determines may be those of another before it.
    for f in all.iter().chain(&all) {
        match is_settled(f, &all, &mut branch)? {
            Some(true) => {}
            Some(false) => return Ok(Settled::Fails),
            None => return Ok(Settled::Open),
        }
    }
    Ok(Settled::Holds(branch))
}

/// Says of a parameter whose root occurs in its stead what that root says of it.
fn square(f: &Function, square: Variable, branch: &mut Branch) -> Result<(), Exhausted> {
    let known = |list: &SortedMap<Variable, Value>| list.get(&f.symbol).cloned();
    let is_free = branch.free.contains(&f.symbol);
    let (value, list) = match (known(&branch.values), known(&branch.conditions)) {
        (Some(value), _) => (value, &mut branch.values),
        (None, Some(value)) => (value, &mut branch.conditions),
        (None, None) if is_free => (Value::Rational(RationalFunction::variable(f.symbol)), &mut branch.values),
        (None, None) => return Ok(()),
    };
    list.insert(square, squared(&value)?);
    branch.free.retain(|v| *v != square);
    Ok(())
}

/// (a + b√r)² = a² + b²r + 2ab√r.
fn squared(value: &Value) -> Result<Value, Exhausted> {
    Ok(match value {
        Value::Rational(r) => Value::Rational(r.mul(r)?),
        Value::Root { a, b, radicand } => {
            let whole = a.mul(a)?.add(&b.mul(b)?.mul(&RationalFunction::polynomial(radicand.clone()))?)?;
            let part = a.mul(b)?.mul(&RationalFunction::integer(2))?;
            match part.is_zero() {
                true => Value::Rational(whole),
                false => Value::Root { a: whole, b: part, radicand: radicand.clone() },
            }
        }
    })
}

fn is_settled(f: &Function, all: &[Function], branch: &mut Branch) -> Result<Option<bool>, Exhausted> {
    if let Some(v) = f.square() {
        return square(f, v, branch).map(|()| Some(true));
    }
    if f.argument.variables().is_empty() {
        // A number is what it is.
        branch.free.retain(|v| *v != f.symbol);
    }
    let known = |branch: &Branch, v: Variable| branch.conditions.get(&v).or_else(|| branch.values.get(&v)).cloned();
    let concerned = f.argument.variables().into_iter().chain([f.symbol]);
    let values: Vec<(Variable, Value)> = concerned.filter_map(|v| Some((v, known(branch, v)?))).collect();
    if values.is_empty() || branch.free.contains(&f.symbol) {
        return Ok(Some(true));
    }
    let Some(rational) = values.into_iter().map(rational).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let at = |v: Variable| rational.iter().find(|(w, _)| *w == v).map(|(_, r)| r.clone());
    let value = at(f.symbol).unwrap_or_else(|| RationalFunction::variable(f.symbol));
    let Some(argument) = f.argument.substitute(&at)? else {
        return Ok(None);
    };
    // The same function of the same argument, or of one that may be anything.
    let twin = all.iter().find(|g| g.name == f.name && value == RationalFunction::variable(g.symbol));
    let expected = match (twin, f.name) {
        (Some(twin), _) => twin.argument.clone(),
        (None, "sqrt") => reduced(&value.mul(&value)?, all)?,
        (None, _) => return Ok(None),
    };
    let (here, there) = (reduced(&argument, all)?, reduced(&expected, all)?);
    if here == there {
        return Ok(Some(true));
    }
    if here.variables().is_empty() && there.variables().is_empty() {
        return Ok(Some(false));
    }
    let free = branch.free.iter().position(|v| argument == RationalFunction::variable(*v));
    if let Some(place) = free {
        let v = branch.free.remove(place);
        branch.values.insert(v, Value::Rational(expected));
    }
    Ok(free.map(|_| true))
}

fn rational((v, value): (Variable, Value)) -> Option<(Variable, RationalFunction)> {
    match value {
        Value::Rational(r) => Some((v, r)),
        Value::Root { .. } => None,
    }
}

/// With the squares of all roots replaced by what they are roots of.
fn reduced(r: &RationalFunction, all: &[Function]) -> Result<RationalFunction, Exhausted> {
    let roots = all.iter().filter(|f| f.name == "sqrt");
    roots.map(|f| (f.symbol, &f.argument)).try_fold(r.clone(), |r, root| roots::reduced(&r, root))
}
