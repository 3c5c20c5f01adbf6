//! Least squares that are written out, the gradient `A'*(A*x[k] - b)` and the prox `inv(A'*A + rho*I)*(A'*b + rho*v[k])`:
//! with a name they are oracles.

use crate::advice::Advice;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Algorithm, Elementary, Expression, Node, Operation};
use crate::syntax::print;
use linnaeus_algebra::{Rational, SortedSet};

/// A remark for each of them.
pub fn notes(algorithm: &Algorithm) -> Vec<Diagnostic> {
    let mut names = SortedSet::new();
    let mut moving = SortedSet::new();
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
    // The lines that a matrix stands for are none of the user's.
    if names.iter().any(|n| n.contains('~')) {
        return Vec::new();
    }
    let Some(f) = ["f", "h", "q", "ell"].into_iter().find(|f| !names.contains(*f)) else { return Vec::new() };
    let mut found: Vec<Diagnostic> = Vec::new();
    for statement in &algorithm.statements {
        statement.value.walk(&mut |e| {
            if let Some(solved) = solved(e, &moving) {
                found.push(solved.note(f, e.span, algorithm.notation.language().is_some()));
                return;
            }
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
fn folded<'a>(e: &'a Expression, moving: &SortedSet<String>) -> Option<Folded<'a>> {
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
    moving: &SortedSet<String>,
) -> Option<Folded<'a>> {
    let is_sum = |e: &Expression| matches!(e.node, Node::Binary(Operation::Add | Operation::Subtract, ..));
    if !moves(point, moving) || rest.is_some_and(|(_, e)| moves(e, moving) || is_sum(e)) {
        return None;
    }
    let rest = rest.map_or(String::new(), |(sign, e)| format!(" {sign} {}", print::expression(e)));
    Some(Folded { residual: format!("{operator}*x{rest}"), point, negative })
}

/// A prox that is written out as the solution of linear equations.
struct Solved {
    /// `A*x - b`, which is squared.
    residual: String,
    /// Where the prox is taken.
    point: String,
    /// Its step.
    step: String,
}

impl Solved {
    fn note(&self, f: &str, span: Span, code: bool) -> Diagnostic {
        let Solved { residual, point, step } = self;
        let message = format!("this is the prox of {f}(x) = 1/2 ||{residual}||^2 with step {step}, written out");
        let call = match (code, step.as_str()) {
            (true, _) => format!("prox_{f}({}, {step})", without_indices(point)),
            (false, "1") => format!("prox_{{{f}}}({point})"),
            (false, _) => format!("prox_{{({step}) {f}}}({point})"),
        };
        Diagnostic::note(span, message).help(format!("write `{call}` in its place to have it as an oracle"))
    }
}

/// Of `inv(A'*A + rho*I)*(A'*b + rho*v[k])` and `inv(I + t*A'*A)*(v[k] + t*A'*b)`.
fn solved(e: &Expression, moving: &SortedSet<String>) -> Option<Solved> {
    let Node::Binary(Operation::Multiply, before, right) = &e.node else { return None };
    let (mut operator, mut square, mut identity) = (None, None, None);
    for (positive, factors) in terms(inverted(last_factor(before))?) {
        match &factors[..] {
            [scalars @ .., last] if matches!(last.node, Node::Identity) => {
                identity.replace(product(scalars)).is_none().then_some(())?;
            }
            [scalars @ .., first, second] => {
                operator = Some(adjoint_of(first).filter(|a| is_name(second, a))?);
                square.replace(product(scalars)).is_none().then_some(())?;
            }
            _ => return None,
        }
        positive.then_some(())?;
    }
    let (operator, square, identity) = (operator?, square?, identity?);
    let mut point = String::new();
    let mut residual = format!("{operator}*x");
    for (positive, factors) in terms(right) {
        let moves = factors.iter().any(|f| moves(f, moving));
        let rest = without(&factors, if moves { &identity } else { &square })?;
        if moves {
            let sign = if point.is_empty() { "" } else { " + " };
            let sign = if positive {
                sign
            } else if point.is_empty() {
                "-"
            } else {
                " - "
            };
            point.push_str(&format!("{sign}{}", product(rest)));
        } else {
            let [adjoint, constant @ ..] = rest else { return None };
            (adjoint_of(adjoint)? == operator && !constant.is_empty()).then_some(())?;
            residual.push_str(&format!(" {} {}", if positive { "-" } else { "+" }, product(constant)));
        }
    }
    let step = match (square.as_str(), identity.as_str()) {
        ("", "") => "1".to_string(),
        (c, "") => c.to_string(),
        ("", d) if d.contains('*') => format!("1/({d})"),
        ("", d) => format!("1/{d}"),
        (c, d) => format!("({c})/({d})"),
    };
    (!point.is_empty()).then(|| {
        let inner = point.strip_prefix('(').and_then(|p| p.strip_suffix(')')).filter(|p| !p.contains(['(', ')']));
        Solved { residual, point: inner.unwrap_or(&point).to_string(), step }
    })
}

/// What `inv(M)`, `M^(-1)` is the inverse of.
fn inverted(e: &Expression) -> Option<&Expression> {
    match &e.node {
        Node::Elementary(Elementary::Inverse, inner) => Some(inner),
        Node::Power(base, power) => match &power.node {
            Node::Minus(one) if print::expression(one) == "1" => Some(base),
            Node::Number(n) if *n == -Rational::ONE => Some(base),
            _ => None,
        },
        _ => None,
    }
}

/// The terms of a sum: whether each is added, and its factors.
fn terms(e: &Expression) -> Vec<(bool, Vec<&Expression>)> {
    match &e.node {
        Node::Binary(Operation::Add, a, b) => terms(a).into_iter().chain(terms(b)).collect(),
        Node::Binary(Operation::Subtract, a, b) => {
            terms(a).into_iter().chain(terms(b).into_iter().map(|(sign, f)| (!sign, f))).collect()
        }
        Node::Minus(a) => terms(a).into_iter().map(|(sign, f)| (!sign, f)).collect(),
        _ => vec![(true, factors(e))],
    }
}

fn factors(e: &Expression) -> Vec<&Expression> {
    match &e.node {
        Node::Binary(Operation::Multiply, a, b) => factors(a).into_iter().chain(factors(b)).collect(),
        _ => vec![e],
    }
}

/// Factors as one text.
fn product(factors: &[&Expression]) -> String {
    let is_sum = |e: &Expression| matches!(e.node, Node::Binary(Operation::Add | Operation::Subtract, ..));
    let shown = factors.iter().map(|f| match is_sum(f) {
        true => format!("({})", print::expression(f)),
        false => print::expression(f),
    });
    shown.collect::<Vec<_>>().join("*")
}

/// The factors behind a coefficient that stands before them.
fn without<'a, 'e>(factors: &'a [&'e Expression], coefficient: &str) -> Option<&'a [&'e Expression]> {
    if coefficient.is_empty() {
        return Some(factors);
    }
    (1..factors.len()).find(|n| product(&factors[..*n]) == coefficient).map(|n| &factors[n..])
}

/// A point as a program writes it.
fn without_indices(point: &str) -> String {
    let mut depth = 0;
    let keep = |c: char| {
        depth += i32::from(c == '[');
        let kept = depth == 0;
        depth -= i32::from(c == ']');
        kept.then_some(c)
    };
    point.chars().filter_map(keep).collect()
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
fn moves(e: &Expression, moving: &SortedSet<String>) -> bool {
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
