//! Iterates that stay in the range of an adjoint: `p[k+1] = p[k] - mu*A'*(A*u[k+1] - b)`, minimized with as `<p[k], u>`.
//!
//! Where p begins there too, p = A'q with q[k+1] = q[k] - mu*(A*u[k+1] - b), and ⟨p, u⟩ = ⟨q, A u⟩ joins the squares of A u.

use super::Change;
use super::indexing::{Equation, Indexed};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Expression, Index, Node, Operation};

/// Replaces such iterates; says so of each.
pub fn pull_back(indexed: &mut Indexed, diagnostics: &mut Vec<Diagnostic>) -> Vec<Change> {
    let mut changes = Vec::new();
    for i in 0..indexed.equations.len() {
        let Some(found) = multiplier(&indexed.equations, i) else { continue };
        let Found { name, operator, place, value } = found;
        let (span, new) = (indexed.equations[i].target.span, format!("{name}_{operator}"));
        let message = format!("`{name}` was read as `{operator}'*{new}`, which it stays if it begins so");
        diagnostics.push(Diagnostic::note(span, message).help(format!("begin with `{name}[0] = 0`")));
        indexed.equations[i].value = value;
        for equation in &mut indexed.equations {
            let map = Expression::new(place, Node::Name(operator.clone()));
            equation.target = moved(&equation.target, &name, &map, &new);
            equation.value = moved(&equation.value, &name, &map, &new);
        }
        changes.push(Change { signal: name, new });
    }
    changes
}

/// An iterate p, the operator A, and the right-hand side for q.
struct Found {
    name: String,
    operator: String,
    /// Where the operator stands.
    place: Span,
    value: Expression,
}

fn multiplier(equations: &[Equation], i: usize) -> Option<Found> {
    let equation = &equations[i];
    let Node::Indexed(name, next) = &equation.target.node else { return None };
    let mut terms = Vec::new();
    summands(&equation.value, false, &mut terms);
    let is_last = |e: &Expression| matches!(&e.node, Node::Indexed(n, k) if n == name && k.letter == next.letter && k.halves == next.halves - 2);
    let (last, rest): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(minus, e)| !minus && is_last(e));
    let [(_, last)] = last[..] else { return None };
    let mut operator: Option<String> = None;
    let mut place = equation.span;
    let mut value = last.clone();
    for (minus, term) in rest {
        let (own, span, without) = without_adjoint(term)?;
        place = span;
        if operator.get_or_insert(own.clone()) != &own {
            return None;
        }
        let operation = if minus { Operation::Subtract } else { Operation::Add };
        value = Expression::new(equation.value.span, Node::Binary(operation, Box::new(value), Box::new(without)));
    }
    let operator = operator?;
    let mut uses = Uses { name, operator: &operator, all: 0, inner: 0, squares: false };
    equations.iter().for_each(|e| uses.count(&e.value));
    // The update reads it once; the rest are inner products in what is minimized.
    let only_inner = uses.inner > 0 && uses.all == uses.inner + 1 && uses.squares;
    let targets = equations.iter().filter(|e| matches!(&e.target.node, Node::Indexed(n, _) if n == name)).count();
    (only_inner && targets == 1).then(|| Found { name: name.clone(), operator, place, value })
}

/// How a name is used.
struct Uses<'a> {
    name: &'a str,
    operator: &'a str,
    all: usize,
    inner: usize,
    squares: bool,
}

impl Uses<'_> {
    fn count(&mut self, e: &Expression) {
        e.walk(&mut |e| match &e.node {
            Node::Indexed(n, _) => self.all += usize::from(n == self.name),
            Node::Minimize(found) => found.objective.walk(&mut |e| match &e.node {
                Node::Inner(a, b) => {
                    for (own, other) in [(a, b), (b, a)] {
                        let is_own = matches!(&own.node, Node::Indexed(n, _) if n == self.name);
                        let mut varies = false;
                        other.walk(&mut |e| varies |= matches!(e.node, Node::Variable(_)));
                        self.inner += usize::from(is_own && varies);
                    }
                }
                Node::Norm(a, None) => a.walk(&mut |e| {
                    self.squares |= matches!(&e.node, Node::Name(n) if n == self.operator);
                }),
                _ => {}
            }),
            _ => {}
        });
    }
}

/// The terms of a sum, each with its sign.
fn summands<'a>(e: &'a Expression, minus: bool, out: &mut Vec<(bool, &'a Expression)>) {
    match &e.node {
        Node::Minus(a) => summands(a, !minus, out),
        Node::Binary(Operation::Add, a, b) => {
            summands(a, minus, out);
            summands(b, minus, out);
        }
        Node::Binary(Operation::Subtract, a, b) => {
            summands(a, minus, out);
            summands(b, !minus, out);
        }
        _ => out.push((minus, e)),
    }
}

/// `mu*A'*w` → (A, its place, mu*w), numbers before the adjoint.
fn without_adjoint(term: &Expression) -> Option<(String, Span, Expression)> {
    let mut factors = Vec::new();
    let mut left = term;
    while let Node::Binary(Operation::Multiply, a, b) = &left.node {
        factors.push((**b).clone());
        left = a;
    }
    factors.push(left.clone());
    factors.reverse();
    let at = factors.iter().position(|f| matches!(f.node, Node::Adjoint(_)))?;
    let number = |e: &Expression| match &e.node {
        Node::Number(_) => true,
        Node::Name(n) => !n.starts_with(char::is_uppercase),
        Node::Binary(Operation::Divide, ..) => true,
        _ => false,
    };
    if at + 1 >= factors.len() || !factors[..at].iter().all(number) {
        return None;
    }
    let Node::Adjoint(inner) = factors.remove(at).node else { return None };
    let Node::Name(operator) = inner.node else { return None };
    let product = |a: Expression, b: Expression| {
        Expression::new(a.span.to(b.span), Node::Binary(Operation::Multiply, Box::new(a), Box::new(b)))
    };
    Some((operator, inner.span, factors.into_iter().reduce(product)?))
}

/// ⟨p, u⟩ → ⟨q, A u⟩.
fn moved(e: &Expression, name: &str, map: &Expression, new: &str) -> Expression {
    let is_own = |e: &Expression| matches!(&e.node, Node::Indexed(n, Index { .. }) if n == name);
    let applied = |x: &Expression| {
        let map = Box::new(map.clone());
        Box::new(Expression::new(x.span, Node::Binary(Operation::Multiply, map, Box::new(x.clone()))))
    };
    let own = |e: &Expression| Box::new(moved(e, name, map, new));
    let node = match &e.node {
        Node::Inner(a, b) if is_own(a) => Node::Inner(own(a), applied(b)),
        Node::Inner(a, b) if is_own(b) => Node::Inner(applied(a), own(b)),
        Node::Indexed(n, index) if n == name => Node::Indexed(new.to_string(), index.clone()),
        node => node.map_children(&|c| moved(c, name, map, new)),
    };
    Expression::new(e.span, node)
}
