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
            let Some(Folded { residual, point, negative }) = folded(e, &moving) else { return };
            let minus = if negative { "minus " } else { "" };
            let message = format!("this is {minus}the gradient of {f}(x) = 1/2 ||{residual}||^2, written out");
            let call = match (&point.node, algorithm.notation.language()) {
                (Node::Indexed(name, _) | Node::Name(name), Some(_)) => format!("grad_{f}({name})"),
                (_, Some(_)) => format!("grad_{f}(…)"),
                (_, None) => format!("grad {f}({})", print::expression(point)),
            };
            let call = if negative { format!("(-{call})") } else { call };
            let help = Advice::from(format!("write `{call}` in its place to have it as an oracle"));
            if found.iter().all(|d| d.message != message || d.help.as_ref() != Some(&help)) {
                found.push(Diagnostic::note(last_factors(e), message).help(help));
            }
        });
    }
    found
}

/// A gradient that is written out.
struct Folded<'a> {
    /// `A*x - b`, which is squared.
    residual: String,
    /// Where the gradient is taken.
    point: &'a Expression,
    /// Whether it is minus the gradient.
    negative: bool,
}

/// Of `A'*(A*x[k] - b)`, `A'*(b - A*x[k])` and `A'*A*x[k] - A'*b`.
fn folded<'a>(e: &'a Expression, moving: &BTreeSet<String>) -> Option<Folded<'a>> {
    match &e.node {
        Node::Binary(Operation::Multiply, before, residual) => {
            let operator = adjoint_of(last_factor(before))?;
            let (moved, rest, negative) = match &residual.node {
                Node::Binary(Operation::Subtract, a, b) if moves(b, moving) => (&**b, Some(("-", &**a)), true),
                Node::Binary(Operation::Subtract, a, b) => (&**a, Some(("-", &**b)), false),
                Node::Binary(Operation::Add, a, b) => (&**a, Some(("+", &**b)), false),
                _ => (&**residual, None, false),
            };
            finished(operator, applied(operator, moved)?, rest, negative, moving)
        }
        Node::Binary(Operation::Subtract, a, b) => {
            let Node::Binary(Operation::Multiply, adjoint, constant) = &b.node else { return None };
            let operator = adjoint_of(adjoint)?;
            let Node::Binary(Operation::Multiply, both, point) = &a.node else { return None };
            let Node::Binary(Operation::Multiply, first, second) = &both.node else { return None };
            let fits = adjoint_of(first)? == operator && is_name(second, operator);
            finished(operator, Some(point).filter(|_| fits)?, Some(("-", &**constant)), false, moving)
        }
        _ => None,
    }
}

fn finished<'a>(
    operator: &str,
    point: &'a Expression,
    rest: Option<(&str, &Expression)>,
    negative: bool,
    moving: &BTreeSet<String>,
) -> Option<Folded<'a>> {
    let is_sum = |e: &Expression| matches!(e.node, Node::Binary(Operation::Add | Operation::Subtract, ..));
    if !moves(point, moving) || rest.is_some_and(|(_, e)| moves(e, moving) || is_sum(e)) {
        return None;
    }
    let rest = rest.map_or(String::new(), |(sign, e)| format!(" {sign} {}", print::expression(e)));
    Some(Folded { residual: format!("{operator}*x{rest}"), point, negative })
}

/// The last of several factors.
fn last_factor(e: &Expression) -> &Expression {
    match &e.node {
        Node::Binary(Operation::Multiply, _, last) => last,
        _ => e,
    }
}

fn adjoint_of(e: &Expression) -> Option<&str> {
    match &e.node {
        Node::Adjoint(inner) => match &inner.node {
            Node::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(e: &Expression, name: &str) -> bool {
    matches!(&e.node, Node::Name(n) if n == name)
}

/// `x[k]` in `A*x[k]`.
fn applied<'a>(operator: &str, e: &'a Expression) -> Option<&'a Expression> {
    match &e.node {
        Node::Binary(Operation::Multiply, a, point) if is_name(a, operator) => Some(point),
        _ => None,
    }
}

/// Whether an expression is no constant.
fn moves(e: &Expression, moving: &BTreeSet<String>) -> bool {
    let mut found = false;
    e.walk(&mut |e| match &e.node {
        Node::Indexed(..) | Node::Call(_) | Node::Apply(..) | Node::Minimize(_) => found = true,
        Node::Name(name) => found |= moving.contains(name),
        _ => {}
    });
    found
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
