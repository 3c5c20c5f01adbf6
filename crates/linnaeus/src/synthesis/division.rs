//! Division in the entries of a transfer matrix. Operators commute there, so that `W/(z - W)` is inv(z − W) W; what is
//! divided by also where z is large, as L in `1/(L*(z - 1))`, is a number unless it is declared.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::TransferText;
use crate::syntax::ast::{Declaration, DeclarationNode, Declared, Elementary, Expression, Node, Operation};
use linnaeus_algebra::{SortedMap, SortedSet};

/// What the capitals in a matrix are.
pub struct Capitals {
    /// Operators, declared or by custom.
    operators: SortedSet<String>,
    /// Capitals that are divided by, or that a function is taken of, and not declared, with the place where they are.
    numbers: SortedMap<String, Span>,
}

impl Capitals {
    /// Reads the declarations, the steps of the oracles and the denominators.
    pub fn new(text: &TransferText) -> Capitals {
        let mut declared = SortedSet::new();
        let mut operators = SortedSet::new();
        for node in text.declarations.iter().map(|d| &d.node) {
            declared.extend(node.names().iter().map(|n| n.name.clone()));
            if let DeclarationNode::Operator(names, ..) = node {
                operators.extend(names.iter().map(|n| n.name.clone()));
            }
        }
        let is_open = |n: &String| n.starts_with(char::is_uppercase) && !declared.contains(n);
        let mut numbers = SortedMap::new();
        let mut capitals = Vec::new();
        for e in text.rows.iter().flatten() {
            e.walk(&mut |e| match &e.node {
                Node::Binary(Operation::Divide, _, below) => {
                    for (name, span) in leading(below).1.into_iter().filter(|(n, _)| is_open(n)) {
                        numbers.entry(name).or_insert(span);
                    }
                }
                Node::Elementary(f, a) if !matches!(f, Elementary::Inverse | Elementary::Adjoint) => {
                    for (name, span) in names(a).into_iter().filter(|(n, _)| is_open(n)) {
                        numbers.entry(name).or_insert(span);
                    }
                }
                Node::Name(name) | Node::Apply(name, ..) => capitals.extend(Some(name.clone()).filter(is_open)),
                _ => {}
            });
        }
        let mut steps = SortedSet::new();
        text.oracles.iter().for_each(|e| steps.extend(names(e).into_iter().map(|(n, _)| n)));
        operators.extend(capitals.into_iter().filter(|n| !numbers.contains_key(n) && !steps.contains(n)));
        Capitals { operators, numbers }
    }

    /// What is a number as if it were declared.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration> {
        self.numbers.iter().map(|(name, span)| Declaration {
            span: *span,
            node: DeclarationNode::Parameter(vec![Declared { name: name.clone(), span: *span }]),
        })
    }

    /// A remark on every capital that was taken for a number.
    pub fn notes(&self) -> impl Iterator<Item = Diagnostic> {
        self.numbers.iter().map(|(name, span)| {
            Diagnostic::note(*span, format!("`{name}` was read as a number"))
                .help(format!("declare `operator {name}: X -> X` if it is an operator"))
        })
    }

    /// The entry, multiplied by inverses of operators where it was divided by them.
    pub fn inverted(&self, e: &Expression) -> Expression {
        let deep = |e: &Expression| Box::new(self.inverted(e));
        let node = match &e.node {
            Node::Binary(Operation::Divide, a, b) => return self.quotient(e.span, self.inverted(a), b),
            Node::Binary(operation, a, b) => Node::Binary(*operation, deep(a), deep(b)),
            Node::Minus(a) => Node::Minus(deep(a)),
            Node::Adjoint(a) => Node::Adjoint(deep(a)),
            Node::Power(a, n) => Node::Power(deep(a), n.clone()),
            Node::Elementary(f, a) => Node::Elementary(*f, deep(a)),
            // Nothing is called in an entry: `L(z - 1)` is a product.
            Node::Apply(name, span, a, None) => {
                let name = Expression::new(*span, Node::Name(name.clone()));
                Node::Binary(Operation::Multiply, Box::new(name), deep(a))
            }
            other => other.clone(),
        };
        Expression::new(e.span, node)
    }

    fn quotient(&self, span: Span, above: Expression, below: &Expression) -> Expression {
        let below = &self.inverted(below);
        let is_operator = |e: &Expression| names(e).iter().any(|(n, _)| self.operators.contains(n));
        let (operators, numbers): (Vec<_>, Vec<_>) = factors(below).into_iter().partition(|e| is_operator(e));
        let binary = |operation: Operation, a: Expression, b: Expression| {
            Expression::new(span, Node::Binary(operation, Box::new(a), Box::new(b)))
        };
        let inverse =
            |e: &Expression| Expression::new(e.span, Node::Elementary(Elementary::Inverse, Box::new(e.clone())));
        let above = operators.into_iter().fold(above, |a, e| binary(Operation::Multiply, inverse(e), a));
        numbers.into_iter().fold(above, |a, e| binary(Operation::Divide, a, e.clone()))
    }
}

/// `a` and `b` of `a*b`.
fn factors(e: &Expression) -> Vec<&Expression> {
    match &e.node {
        Node::Binary(Operation::Multiply, a, b) => factors(a).into_iter().chain(factors(b)).collect(),
        _ => vec![e],
    }
}

type Names = Vec<(String, Span)>;

fn names(e: &Expression) -> Names {
    let mut found = Vec::new();
    e.walk(&mut |e| match &e.node {
        Node::Name(name) => found.push((name.clone(), e.span)),
        Node::Apply(name, span, ..) => found.push((name.clone(), *span)),
        _ => {}
    });
    found
}

/// The degree in z, and the names in the coefficient of that power.
fn leading(e: &Expression) -> (i64, Names) {
    let both = |a: (i64, Names), b: (i64, Names)| (a.0 + b.0, [a.1, b.1].concat());
    match &e.node {
        Node::Name(name) if name == "z" => (1, Vec::new()),
        Node::Minus(a) => leading(a),
        Node::Binary(Operation::Multiply, a, b) => both(leading(a), leading(b)),
        Node::Binary(Operation::Divide, a, b) => {
            let (degree, below) = leading(b);
            both(leading(a), (-degree, below))
        }
        Node::Binary(_, a, b) => match (leading(a), leading(b)) {
            (a, b) if a.0 > b.0 => a,
            (a, b) if a.0 < b.0 => b,
            (a, b) => (a.0, both(a, b).1),
        },
        Node::Apply(name, span, a, _) => both((0, vec![(name.clone(), *span)]), leading(a)),
        Node::Power(a, n) => {
            let (degree, names) = leading(a);
            let times = match &n.node {
                Node::Number(n) if n.is_int() => i64::try_from(n.numerator().clone()).unwrap_or(1),
                _ => 1,
            };
            (degree.saturating_mul(times), names)
        }
        _ => (0, names(e)),
    }
}
