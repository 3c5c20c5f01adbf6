//! Numbers and oracles that are typed apart from any algorithm, in the names of one.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Expression, Node, Operation, OracleKind};
use crate::system::{LinearSystem, Oracle, Z, parameter};
use linnaeus_algebra::{Exhausted, RationalFunction};

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
                    if value.is_zero() || value.variables().contains(&Z) {
                        let message = "a step is a number, and not zero";
                        return Err(Diagnostic::error(Code::BadStep, step.span, message).help("write `prox_{t f}`"));
                    }
                    value
                }
                None => RationalFunction::one(),
            },
            sample: None,
        }),
        Node::Apply(name, ..) => Ok(Oracle {
            kind: OracleKind::BlackBox,
            function: name.clone(),
            conjugate: false,
            step: RationalFunction::one(),
            sample: None,
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
            let taken =
                system.operators.iter().any(|o| o.name == *name) || system.constants.iter().any(|c| c.name == *name);
            if taken {
                return Err(bad("this is no number"));
            }
            let i = known.unwrap_or_else(|| {
                system.parameters.push(name.clone());
                system.parameters.len() - 1
            });
            Ok(RationalFunction::variable(parameter(i)))
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
