//! Oracles as maps: `(2*J_A - I)(2*J_B - I) z[k]` is applied from the right.

use super::{Evaluated, Linearizer, MAX_EXPONENT, Value, limit};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Expression, Node, Operation};
use crate::system::indexing::Indexed;
use linnaeus_algebra::{Rational, SortedSet, spend};

/// Definitions that hold an oracle, or another such definition.
pub(super) fn definitions(indexed: &Indexed) -> SortedSet<String> {
    let mut maps = SortedSet::new();
    loop {
        let more: Vec<String> = indexed
            .definitions
            .iter()
            .filter(|(name, e)| !maps.contains(*name) && holds_oracle(e, &maps))
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            return maps;
        }
        maps.extend(more);
    }
}

fn holds_oracle(e: &Expression, maps: &SortedSet<String>) -> bool {
    match &e.node {
        Node::Oracle(_) => true,
        Node::Name(name) => maps.contains(name),
        Node::Minus(a) | Node::Power(a, _) | Node::Binary(Operation::Divide, a, _) => holds_oracle(a, maps),
        Node::Binary(_, a, b) => holds_oracle(a, maps) || holds_oracle(b, maps),
        _ => false,
    }
}

impl Linearizer<'_> {
    /// Whether the expression is a map that asks an oracle.
    pub(super) fn is_map(&self, e: &Expression) -> bool {
        holds_oracle(e, &self.maps)
    }

    /// The value of a map at a vector.
    pub(super) fn map(&mut self, e: &Expression, at: Value, span: Span) -> Evaluated<Value> {
        spend(1_000).map_err(|x| limit(x, span))?;
        if !self.is_map(e) {
            let head = self.evaluate(e)?;
            return self.multiply(head, at, e.span, span);
        }
        match &e.node {
            Node::Oracle(oracle) => {
                let step = self.step(oracle.step.as_ref())?;
                self.call_at(oracle, step, None, (at, span), span)
            }
            Node::Name(name) => match self.indexed.definitions.get(name) {
                Some(definition) => self.map(definition, at, span),
                None => Err(not_a_map(e.span)),
            },
            Node::Minus(a) => {
                let value = self.map(a, at, span)?;
                self.multiply(Value::Scalar(minus_one()), value, e.span, span)
            }
            Node::Binary(Operation::Multiply, a, b) => {
                let inner = self.map(b, at, span)?;
                self.map(a, inner, span)
            }
            Node::Binary(Operation::Divide, a, b) => {
                let above = self.map(a, at, span)?;
                let below = self.evaluate(b)?;
                match below {
                    Value::Scalar(s) => match s.inverse() {
                        Some(inverse) => self.multiply(Value::Scalar(inverse), above, b.span, span),
                        None => Err(Diagnostic::error(Code::DivisionByZero, b.span, "this is zero")
                            .help("divide by something else")),
                    },
                    _ => Err(not_a_map(e.span)),
                }
            }
            Node::Binary(operation, a, b) => {
                let left = self.map(a, at.clone(), span)?;
                let right = self.map(b, at, span)?;
                self.add((left, a.span), (right, b.span), *operation == Operation::Subtract)
            }
            Node::Power(a, n) => {
                let Node::Number(n) = &n.node else { return Err(not_a_map(e.span)) };
                let times = i64::try_from(n.numerator().clone()).ok().filter(|t| n.is_int() && *t > 0);
                match times {
                    Some(times) if times <= MAX_EXPONENT => {
                        (0..times).try_fold(at, |value, _| self.map(a, value, span))
                    }
                    Some(_) => Err(Diagnostic::error(
                        Code::LimitExponent,
                        e.span,
                        format!("a map is repeated at most {MAX_EXPONENT} times"),
                    )
                    .help(format!("use an exponent of at most {MAX_EXPONENT}"))),
                    None => Err(not_a_map(e.span)),
                }
            }
            _ => Err(not_a_map(e.span)),
        }
    }
}

fn minus_one() -> linnaeus_algebra::RationalFunction {
    linnaeus_algebra::RationalFunction::rational(&-Rational::ONE)
}

fn not_a_map(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NonlinearFunction, span, "oracles are added, scaled, composed and repeated, nothing else")
        .help("write what is computed line by line, with a name for each answer")
}
