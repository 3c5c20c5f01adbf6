//! Numbers and oracles that are typed apart from any algorithm, in the names of one.

use crate::diagnostic::{Code, Diagnostic};
use crate::report::expression::plain;
use crate::syntax::ast::{Elementary, Expression, Node, Operation, OracleKind};
use crate::syntax::names::is_reserved;
use crate::system::roots::known_root;
use crate::system::{LinearSystem, Oracle, Z, is_step, parameter};
use linnaeus_algebra::{Exhausted, Rational, RationalFunction, Variable, solve};

/// An oracle that is named without being called.
pub fn oracle(e: &Expression, system: &mut LinearSystem) -> Result<Oracle, Diagnostic> {
    match &e.node {
        Node::Call(call) => Ok(Oracle {
            kind: call.kind,
            function: call.function.clone(),
            conjugate: call.conjugate,
            step: match &call.step {
                Some(step) => {
                    let value = scalar(step, system)?;
                    if !is_step(&value) || value.variables().contains(&Z) {
                        let message = "a step is a positive number";
                        return Err(Diagnostic::error(Code::BadStep, step.span, message).help("write `prox_{t f}`"));
                    }
                    value
                }
                None => RationalFunction::one(),
            },
            sample: None,
            map: None,
        }),
        Node::Apply(name, ..) => Ok(Oracle {
            kind: OracleKind::BlackBox,
            function: name.clone(),
            conjugate: false,
            step: RationalFunction::one(),
            sample: None,
            map: None,
        }),
        _ => {
            let message = "this is no oracle";
            Err(Diagnostic::error(Code::BadTransform, e.span, message).help("write `prox_{t f}`, `grad g` or `F`"))
        }
    }
}

/// The largest exponent.
const EXPONENT: i64 = 64;

/// An expression in numbers, parameters and z; names that are new become parameters.
pub fn scalar(e: &Expression, system: &mut LinearSystem) -> Result<RationalFunction, Diagnostic> {
    let stop = |_: Exhausted| crate::limit_work(e.span);
    let bad = |message: &str| {
        Diagnostic::error(Code::BadTransform, e.span, message).help("write an expression in numbers, parameters and z")
    };
    match &e.node {
        Node::Number(n) => Ok(RationalFunction::rational(n)),
        Node::Name(name) if name == "z" => Ok(RationalFunction::variable(Z)),
        Node::Name(name) => {
            let known = system.parameters.iter().position(|p| p == name);
            if let Some(what) = taken(name, system).filter(|_| known.is_none()) {
                let message = format!("`{name}` is {what}, and no number");
                return Err(Diagnostic::error(Code::BadTransform, e.span, message).help("give the number another name"));
            }
            let i = known.unwrap_or_else(|| {
                system.parameters.push(name.clone());
                system.parameters.len() - 1
            });
            // A parameter whose root occurs is the square of that.
            let root = system.squares().find(|(square, _)| *square == parameter(i)).map(|(_, root)| root);
            let symbol = RationalFunction::variable(root.unwrap_or(parameter(i)));
            if root.is_some() { symbol.mul(&symbol).map_err(stop) } else { Ok(symbol) }
        }
        Node::Elementary(function @ (Elementary::Sqrt | Elementary::Exp | Elementary::Log), a) => {
            let name = match function {
                Elementary::Sqrt => "sqrt",
                Elementary::Exp => "exp",
                _ => "log",
            };
            let argument = scalar(a, system)?;
            if argument.variables().contains(&Z) {
                return Err(bad("a function of z is no filter"));
            }
            match known_value(name, &argument) {
                Err(Undefined) => Err(bad(&format!("there is no real number `{name}` of this"))),
                Ok(Some(value)) => Ok(value),
                Ok(None) => match known_root(&argument, &system.functions).map_err(stop)?.filter(|_| name == "sqrt") {
                    Some(root) => Ok(root),
                    None => Ok(function_symbol(system, name, argument)),
                },
            }
        }
        Node::Minus(a) => Ok(scalar(a, system)?.neg()),
        Node::Binary(operation, a, b) => {
            let (a, b) = (scalar(a, system)?, scalar(b, system)?);
            match operation {
                Operation::Add => a.add(&b).map_err(stop),
                Operation::Subtract => a.sub(&b).map_err(stop),
                Operation::Multiply => a.mul(&b).map_err(stop),
                Operation::Divide => a.div(&b).map_err(stop)?.ok_or_else(|| bad("this divides by zero")),
            }
        }
        Node::Power(base, exponent) => {
            let (base, exponent) = (scalar(base, system)?, scalar(exponent, system)?);
            let whole = exponent.as_rational().filter(|r| r.is_int());
            let n = whole.and_then(|r| i64::try_from(r.numerator().clone()).ok()).filter(|n| n.abs() <= EXPONENT);
            let Some(n) = n else {
                return Err(bad("an exponent is a whole number, at most 64"));
            };
            base.pow(n as i32).map_err(stop)?.ok_or_else(|| bad("this divides by zero"))
        }
        _ => Err(bad("this is no number")),
    }
}

/// What a name that is no number means already.
fn taken(name: &str, system: &LinearSystem) -> Option<&'static str> {
    let function = |c: &crate::system::Call| c.oracle.function == *name;
    let sample = |c: &crate::system::Call| c.oracle.sample.as_deref() == Some(name);
    [
        (system.letter == *name, "the index"),
        (system.signals.iter().any(|s| s.name == *name), "an iterate"),
        (system.operators.iter().any(|o| o.name == *name), "an operator"),
        (system.constants.iter().any(|c| c.name == *name), "a constant vector"),
        (system.calls.iter().any(function), "a function"),
        (system.calls.iter().any(sample), "a sample"),
        (system.schedules.list.iter().any(|s| s.name == *name), "a sequence"),
        (is_reserved(name), "a word of the notation"),
    ]
    .into_iter()
    .find_map(|(is_taken, what)| is_taken.then_some(what))
}

/// The function has no real value there.
pub struct Undefined;

/// The value of `sqrt`, `exp` or `log` where it is a rational number; nothing where it is a symbol of its own.
pub fn known_value(function: &str, argument: &RationalFunction) -> Result<Option<RationalFunction>, Undefined> {
    let Some(number) = argument.as_rational() else {
        return Ok(None);
    };
    match function {
        "sqrt" if number < Rational::ZERO => Err(Undefined),
        "sqrt" => Ok(solve::rational_root(&number).map(|r| RationalFunction::rational(&r))),
        "log" if number <= Rational::ZERO => Err(Undefined),
        "log" => Ok((number == Rational::ONE).then(RationalFunction::zero)),
        _ => Ok(number.is_zero().then(RationalFunction::one)),
    }
}

/// The symbol of a function of parameters.
fn function_symbol(system: &mut LinearSystem, function: &'static str, argument: RationalFunction) -> RationalFunction {
    let known = system.functions.iter().find(|(_, f, a)| *f == function && *a == argument).map(|(v, ..)| *v);
    let v = known.unwrap_or_else(|| {
        let v = parameter(system.parameters.len());
        system.parameters.push(function_name(system, function, &argument));
        system.functions.push((v, function, argument));
        v
    });
    RationalFunction::variable(v)
}

/// `sqrt(a + 1)`.
fn function_name(system: &LinearSystem, function: &str, argument: &RationalFunction) -> String {
    let names = |v: Variable| system.parameters.get(v.0 as usize).cloned().unwrap_or_default();
    format!("{function}({})", plain(argument, &names))
}

/// Why a parameter cannot be given a value.
pub enum Unset {
    /// A function of it has no real value, or one is divided by zero there.
    Undefined(String),
    /// The work limit was reached.
    Exhausted,
}

impl From<Exhausted> for Unset {
    fn from(_: Exhausted) -> Self {
        Unset::Exhausted
    }
}

/// What symbols become when a parameter has a value: itself, and the functions of it. Those that are not rational
/// numbers stay symbols, of other arguments.
pub fn values(
    system: &mut LinearSystem,
    v: Variable,
    value: RationalFunction,
) -> Result<Vec<(Variable, RationalFunction)>, Unset> {
    let mut found = vec![(v, value)];
    // Functions of functions stand behind these.
    for i in 0..system.functions.len() {
        let (symbol, function, argument) = system.functions[i].clone();
        let put = |w: Variable| found.iter().find(|(u, _)| *u == w).map(|(_, value)| value.clone());
        let undefined = || Unset::Undefined(system.parameters[symbol.0 as usize].clone());
        let new = argument.substitute(&put)?.ok_or_else(undefined)?;
        if new == argument {
            continue;
        }
        let twin = system.functions[..i].iter().find(|(_, f, a)| *f == function && *a == new).map(|(w, ..)| *w);
        match (known_value(function, &new), twin) {
            (Err(Undefined), _) => return Err(undefined()),
            (Ok(Some(value)), _) => found.push((symbol, value)),
            (Ok(None), Some(twin)) => found.push((symbol, RationalFunction::variable(twin))),
            (Ok(None), None) => {
                system.parameters[symbol.0 as usize] = function_name(system, function, &new);
                system.functions[i].2 = new;
            }
        }
    }
    Ok(found)
}
