//! Changes of variable that make a text linear: where every occurrence of an iterate stands under
//! one bijective elementwise function (`log x`, `x^p`, `exp x`), that function of it is the iterate.
//! `x[k+1] = x[k]*exp(-t*grad f(log x[k]))` is gradient descent in `log x`.

use super::Change;
use super::indexing::{Equation, Indexed};
use crate::source::Span;
use crate::syntax::ast::{Elementary, Expression, Index, Node, Operation};
use linnaeus_algebra::{Rational, SortedSet};

/// Changes what must be changed; leaves the rest alone.
pub fn change(indexed: &mut Indexed) -> Vec<Change> {
    let mut changes = under_one_function(indexed);
    changes.extend(logarithms(indexed));
    changes
}

/// Iterates that occur as `x^p` or `exp(x)` only.
fn under_one_function(indexed: &mut Indexed) -> Vec<Change> {
    let mut changes = Vec::new();
    for name in iterates(indexed) {
        let mut wrappers = SortedSet::new();
        let mut wrapped = 0;
        let mut all = 0;
        each(indexed, &mut |e| {
            all += usize::from(is_signal(e, &name));
            if let Some(text) = wrapper(e, &name) {
                wrappers.insert(text);
                wrapped += 1;
            }
        });
        if wrapped == all && wrappers.len() == 1 {
            let new = wrappers.pop_first().expect("one wrapper");
            map(indexed, &|e| {
                wrapper(e, &name)?;
                let (Node::Power(a, _) | Node::Elementary(_, a)) = &e.node else {
                    return None;
                };
                let Node::Indexed(_, index) = &a.node else {
                    return None;
                };
                Some(Node::Indexed(new.clone(), index.clone()))
            });
            changes.push(Change { signal: name, new });
        }
    }
    changes
}

/// `x^2`, `exp(x)` as text, if the expression is that function of the iterate.
fn wrapper(e: &Expression, name: &str) -> Option<String> {
    match &e.node {
        Node::Power(a, p) if is_signal(a, name) => {
            let p = number(p)?;
            (!p.is_zero() && p != Rational::ONE).then(|| format!("{name}^({p})"))
        }
        Node::Elementary(Elementary::Exp, a) if is_signal(a, name) => Some(format!("exp({name})")),
        Node::Elementary(Elementary::Sqrt, a) if is_signal(a, name) => Some(format!("sqrt({name})")),
        _ => None,
    }
}

fn number(e: &Expression) -> Option<Rational> {
    match &e.node {
        Node::Number(n) => Some(n.clone()),
        Node::Minus(a) => number(a).map(|n| -n),
        Node::Binary(Operation::Divide, a, b) => {
            let below = number(b).filter(|n| !n.is_zero())?;
            Some(number(a)? / below)
        }
        _ => None,
    }
}

/// Iterates that occur under `log`, or whose update is a product with `exp` or of powers.
fn logarithms(indexed: &mut Indexed) -> Vec<Change> {
    let all = iterates(indexed);
    let mut chosen: SortedSet<String> = SortedSet::new();
    each(indexed, &mut |e| {
        if let Node::Elementary(Elementary::Log, a) = &e.node
            && let Node::Indexed(name, _) = &a.node
        {
            chosen.insert(name.clone());
        }
    });
    for equation in &indexed.equations {
        if let (Node::Indexed(name, _), true) = (&equation.target.node, has_exponential_factor(&equation.value)) {
            chosen.insert(name.clone());
        }
    }
    // What stands in a product with a chosen one is chosen too.
    loop {
        let mut more = chosen.clone();
        for equation in &indexed.equations {
            if let Node::Indexed(name, _) = &equation.target.node
                && chosen.contains(name)
            {
                more.extend(factors(&equation.value).into_iter().filter(|n| all.contains(n)));
            }
        }
        if more.len() == chosen.len() {
            break;
        }
        chosen = more;
    }
    if chosen.is_empty() {
        return Vec::new();
    }
    let mut equations = Vec::new();
    for equation in &indexed.equations {
        match changed(equation, &chosen) {
            Some(new) => equations.push(new),
            None => return Vec::new(),
        }
    }
    indexed.equations = equations;
    chosen.into_iter().map(|signal| Change { new: logarithm(&signal), signal }).collect()
}

fn logarithm(name: &str) -> String {
    format!("log({name})")
}

fn has_exponential_factor(e: &Expression) -> bool {
    match &e.node {
        Node::Elementary(Elementary::Exp, _) => true,
        Node::Binary(Operation::Multiply | Operation::Divide, a, b) => {
            has_exponential_factor(a) || has_exponential_factor(b)
        }
        _ => false,
    }
}

/// Iterates that are factors of a product.
fn factors(e: &Expression) -> Vec<String> {
    match &e.node {
        Node::Indexed(name, _) => vec![name.clone()],
        Node::Binary(Operation::Multiply | Operation::Divide, a, b) => {
            factors(a).into_iter().chain(factors(b)).collect()
        }
        Node::Power(a, _) | Node::Elementary(Elementary::Sqrt, a) => factors(a),
        _ => Vec::new(),
    }
}

/// The equation in the logarithms, or nothing if an iterate is left outside of one.
fn changed(equation: &Equation, chosen: &SortedSet<String>) -> Option<Equation> {
    let is_chosen = |e: &Expression| matches!(&e.node, Node::Indexed(name, _) if chosen.contains(name));
    let (target, value) = if is_chosen(&equation.target) {
        (log_of(&equation.target, chosen)?, log_of(&equation.value, chosen)?)
    } else {
        (equation.target.clone(), equation.value.clone())
    };
    let strip = |e: &Expression| {
        rebuild(e, &|e| match &e.node {
            Node::Elementary(Elementary::Log, a) if is_chosen(a) => log_of(a, chosen).map(|l| l.node),
            _ => None,
        })
    };
    let new = Equation { span: equation.span, target: strip(&target), value: strip(&value) };
    let mut left = false;
    new.target.walk(&mut |e| left |= is_chosen(e));
    new.value.walk(&mut |e| left |= is_chosen(e));
    (!left).then_some(new)
}

/// log of a product of chosen iterates, powers and exponentials.
fn log_of(e: &Expression, chosen: &SortedSet<String>) -> Option<Expression> {
    let node = match &e.node {
        Node::Indexed(name, index) if chosen.contains(name) => Node::Indexed(logarithm(name), index.clone()),
        Node::Elementary(Elementary::Exp, a) => return Some((**a).clone()),
        Node::Elementary(Elementary::Sqrt, a) => {
            let half = Expression::new(e.span, Node::Number(Rational::ONE / Rational::from(2)));
            Node::Binary(Operation::Multiply, Box::new(half), Box::new(log_of(a, chosen)?))
        }
        Node::Binary(operation @ (Operation::Multiply | Operation::Divide), a, b) => {
            let sum = if *operation == Operation::Multiply { Operation::Add } else { Operation::Subtract };
            match (&a.node, operation) {
                (Node::Number(one), Operation::Divide) if *one == Rational::ONE => {
                    Node::Minus(Box::new(log_of(b, chosen)?))
                }
                _ => Node::Binary(sum, Box::new(log_of(a, chosen)?), Box::new(log_of(b, chosen)?)),
            }
        }
        Node::Power(a, p) => Node::Binary(Operation::Multiply, p.clone(), Box::new(log_of(a, chosen)?)),
        _ => return None,
    };
    Some(Expression::new(e.span, node))
}

fn iterates(indexed: &Indexed) -> SortedSet<String> {
    let targets = indexed.equations.iter().flat_map(|equation| {
        let mut names = Vec::new();
        equation.target.walk(&mut |e| {
            if let Node::Indexed(name, _) = &e.node {
                names.push(name.clone());
            }
        });
        names
    });
    targets.collect()
}

fn is_signal(e: &Expression, name: &str) -> bool {
    matches!(&e.node, Node::Indexed(n, Index { .. }) if n == name)
}

fn each<'a>(indexed: &'a Indexed, visit: &mut dyn FnMut(&'a Expression)) {
    for equation in &indexed.equations {
        equation.target.walk(visit);
        equation.value.walk(visit);
    }
}

fn map(indexed: &mut Indexed, replace: &dyn Fn(&Expression) -> Option<Node>) {
    for equation in &mut indexed.equations {
        equation.target = rebuild(&equation.target, replace);
        equation.value = rebuild(&equation.value, replace);
    }
}

/// The expression with the outermost replaceable parts replaced.
fn rebuild(e: &Expression, replace: &dyn Fn(&Expression) -> Option<Node>) -> Expression {
    let span: Span = e.span;
    if let Some(node) = replace(e) {
        return Expression::new(span, node);
    }
    Expression::new(span, e.node.map_children(&|a| rebuild(a, replace)))
}
