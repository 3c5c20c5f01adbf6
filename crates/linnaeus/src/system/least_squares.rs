//! Gradients of least squares that are written out, `A'*(A*x[k] - b)`: with a name they are oracles.

use crate::advice::Advice;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Algorithm, Expression, Node, Operation};
use crate::syntax::print;
use std::collections::BTreeSet;

/// A remark for each of them.
pub fn notes(algorithm: &Algorithm) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut moving = BTreeSet::new();
    for statement in &algorithm.statements {
        if let Node::Name(name) = &statement.target.node {
            moving.insert(name.clone());
        }
        statement.walk(&mut |e| {
            names.extend(match &e.node {
                Node::Name(name) | Node::Indexed(name, _) | Node::Apply(name, ..) => Some(name.clone()),
                Node::Call(call) => Some(call.function.clone()),
                Node::Oracle(oracle) => Some(oracle.function.clone()),
                _ => None,
            });
        });
    }
    let Some(f) = ["f", "h", "q", "ell"].into_iter().find(|f| !names.contains(*f)) else { return Vec::new() };
    let mut found: Vec<Diagnostic> = Vec::new();
    for statement in &algorithm.statements {
        statement.value.walk(&mut |e| {
            let Some((square, point)) = folded(e, &moving) else { return };
            let message = format!("this is the gradient of {f}(x) = 1/2 ||{square}||^2, written out");
            let call = match (&point.node, algorithm.notation.language()) {
                (Node::Indexed(name, _) | Node::Name(name), Some(_)) => format!("grad_{f}({name})"),
                (_, Some(_)) => format!("grad_{f}(…)"),
                (_, None) => format!("grad {f}({})", print::expression(point)),
            };
            let help = Advice::from(format!("write `{call}` in its place to have it as an oracle"));
            if found.iter().all(|d| d.message != message || d.help.as_ref() != Some(&help)) {
                found.push(Diagnostic::note(last_factors(e), message).help(help));
            }
        });
    }
    found
}

/// What is squared, at x, and the point: of `A'*(A*x[k] - b)` they are `A*x - b` and `x[k]`.
fn folded<'a>(e: &'a Expression, moving: &BTreeSet<String>) -> Option<(String, &'a Expression)> {
    let Node::Binary(Operation::Multiply, before, residual) = &e.node else { return None };
    let adjoint = match &before.node {
        Node::Binary(Operation::Multiply, _, last) => last,
        _ => before,
    };
    let Node::Adjoint(inner) = &adjoint.node else { return None };
    let Node::Name(operator) = &inner.node else { return None };
    let moves = |e: &Expression| {
        let mut found = false;
        e.walk(&mut |e| match &e.node {
            Node::Indexed(..) | Node::Call(_) | Node::Apply(..) | Node::Minimize(_) => found = true,
            Node::Name(name) => found |= moving.contains(name),
            _ => {}
        });
        found
    };
    let (first, rest) = match &residual.node {
        Node::Binary(Operation::Subtract, a, b) => (&**a, format!(" - {}", print::expression(b))),
        Node::Binary(Operation::Add, a, b) => (&**a, format!(" + {}", print::expression(b))),
        _ => (&**residual, String::new()),
    };
    if let Node::Binary(Operation::Subtract | Operation::Add, _, b) = &residual.node
        && (moves(b) || matches!(b.node, Node::Binary(Operation::Add | Operation::Subtract, ..)))
    {
        return None;
    }
    let Node::Binary(Operation::Multiply, a, point) = &first.node else { return None };
    let same = matches!(&a.node, Node::Name(name) if name == operator);
    (same && moves(point)).then(|| (format!("{operator}*x{rest}"), &**point))
}

/// The place of `A'*(A*x[k] - b)` in `t*A'*(A*x[k] - b)`.
fn last_factors(e: &Expression) -> Span {
    match &e.node {
        Node::Binary(Operation::Multiply, before, _) => match &before.node {
            Node::Binary(Operation::Multiply, _, last) => Span::new(last.span.start, e.span.end.max(last.span.end)),
            _ => e.span,
        },
        _ => e.span,
    }
}
