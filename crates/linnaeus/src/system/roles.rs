//! What every name is: an iterate, a scalar parameter, a constant vector, a linear operator or an
//! oracle. What the text does not say is inferred: both sides of a sum are of one kind, an oracle
//! is asked at a vector, a step is a scalar. What is still open follows custom: capitals that
//! multiply are operators, other names are scalars.

use super::indexing::Indexed;
use crate::source::Span;
use crate::syntax::ast::{Algorithm, DeclarationNode, Expression, Node, Operation, OracleKind};
use crate::syntax::names::greek_letter;
use linnaeus_algebra::{SortedMap, SortedSet};

/// What an expression is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number or a parameter.
    Scalar,
    /// A linear operator.
    Operator,
    /// An iterate, a constant vector, what an oracle answers.
    Vector,
}

/// What the names are.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Names and their kinds.
    pub kinds: SortedMap<String, Kind>,
    /// Names that are black boxes when applied.
    pub boxes: SortedSet<String>,
    /// Operators that custom made, with the place of their first use.
    pub guessed: Vec<(String, Kind, Span)>,
}

impl Roles {
    /// The kind of a name that occurs in the text.
    pub fn kind(&self, name: &str) -> Option<Kind> {
        self.kinds.get(name).copied()
    }
}

/// Finds the role of every name.
pub fn infer(algorithm: &Algorithm, indexed: &Indexed) -> Roles {
    let mut roles = Roles::default();
    declare(algorithm, &mut roles);
    find_boxes(indexed, &mut roles);
    scalar_evidence(indexed, &mut roles);
    loop {
        let before = roles.kinds.len();
        for equation in &indexed.equations {
            for (a, b) in [(&equation.target, &equation.value), (&equation.value, &equation.target)] {
                // Zero is of every kind, and numbers may add up to it; a name alone is a number like them.
                let is_zero = matches!(&a.node, Node::Number(n) if n.is_zero());
                let may_be_zero = is_zero || is_of_numbers(a) && matches!(b.node, Node::Binary(..) | Node::Minus(_));
                if let Some(kind) = roles.of(a).filter(|_| !may_be_zero) {
                    roles.demand(b, kind);
                }
                roles.inside(a);
            }
        }
        for (name, e) in &indexed.definitions {
            roles.inside(e);
            if let Some(kind) = roles.of(e) {
                roles.set(name, kind);
            }
            if let Some(kind) = roles.kind(name) {
                roles.demand(e, kind);
            }
        }
        if roles.kinds.len() == before && !default_one(indexed, &mut roles) {
            return roles;
        }
    }
}

fn declare(algorithm: &Algorithm, roles: &mut Roles) {
    for declaration in &algorithm.declarations {
        let (names, kind) = match &declaration.node {
            DeclarationNode::Parameter(names) => (names, Kind::Scalar),
            DeclarationNode::Constant(names, _) | DeclarationNode::Iterate(names, _) => (names, Kind::Vector),
            DeclarationNode::Operator(names, ..) => (names, Kind::Operator),
            DeclarationNode::Oracle(names, _) => {
                roles.boxes.extend(names.iter().map(|n| n.name.clone()));
                continue;
            }
            DeclarationNode::Function(..) | DeclarationNode::Set(..) | DeclarationNode::Index(_) => continue,
        };
        roles.kinds.extend(names.iter().map(|n| (n.name.clone(), kind)));
    }
}

/// `F(x[k])` is a call unless `F` is used as an operator or a scalar elsewhere.
fn find_boxes(indexed: &Indexed, roles: &mut Roles) {
    let mut applied = SortedSet::new();
    let mut bare = SortedSet::new();
    each(indexed, &mut |e| match &e.node {
        Node::Apply(name, ..) => {
            applied.insert(name.clone());
        }
        Node::Name(name) => {
            bare.insert(name.clone());
        }
        _ => {}
    });
    let free = |n: &String| !bare.contains(n) && !roles.kinds.contains_key(n) && !indexed.definitions.contains_key(n);
    let boxes: Vec<String> = applied.into_iter().filter(free).collect();
    roles.boxes.extend(boxes);
}

/// What stands in a denominator, an exponent or a step, or multiplies an answer, is a scalar; what has an adjoint is an operator.
fn scalar_evidence(indexed: &Indexed, roles: &mut Roles) {
    let mut scalars = Vec::new();
    let mut operators = Vec::new();
    each(indexed, &mut |e| match &e.node {
        Node::Binary(Operation::Divide, _, below) => scalars.extend(names(below)),
        Node::Power(_, exponent) => scalars.extend(names(exponent)),
        Node::Call(call) => scalars.extend(call.step.iter().flat_map(names)),
        Node::Oracle(oracle) => scalars.extend(oracle.step.iter().flat_map(names)),
        Node::Adjoint(inner) => operators.extend(names(inner)),
        Node::Binary(Operation::Multiply, a, b) => {
            for (a, b) in [(a, b), (b, a)] {
                if let (Node::Name(name), true) = (&a.node, roles.is_answer(b)) {
                    scalars.extend(Some(name.clone()).filter(|n| !n.starts_with(char::is_uppercase)));
                }
            }
        }
        _ => {}
    });
    for name in operators {
        roles.set(&name, Kind::Operator);
    }
    for name in scalars {
        roles.set(&name, Kind::Scalar);
    }
}

/// Whether nothing but numbers is in it.
fn is_of_numbers(e: &Expression) -> bool {
    let mut found = true;
    e.walk(&mut |e| {
        found &= matches!(e.node, Node::Number(_) | Node::Minus(_) | Node::Binary(..) | Node::Power(..));
    });
    found
}

/// Every expression of a text and all parts of it.
pub fn each<'a>(indexed: &'a Indexed, visit: &mut dyn FnMut(&'a Expression)) {
    for equation in &indexed.equations {
        equation.target.walk(visit);
        equation.value.walk(visit);
    }
    for e in indexed.definitions.values() {
        e.walk(visit);
    }
}

/// Names without an index.
fn names(e: &Expression) -> Vec<String> {
    let mut found = Vec::new();
    e.walk(&mut |e| {
        if let Node::Name(name) = &e.node {
            found.push(name.clone());
        }
    });
    found
}

/// Decides one name that nothing decides, by custom; the consequences are drawn before the next.
fn default_one(indexed: &Indexed, roles: &mut Roles) -> bool {
    let mut open: Vec<(String, Span, bool)> = Vec::new();
    each(indexed, &mut |e| {
        if let Node::Name(name) | Node::Indexed(name, _) = &e.node {
            let decided = roles.kinds.contains_key(name) || roles.boxes.contains(name);
            if !decided && !open.iter().any(|(n, ..)| n == name) {
                open.push((name.clone(), e.span, matches!(e.node, Node::Indexed(..))));
            }
        }
    });
    // Capitals first: what they multiply is then a vector; small letters last. In `alpha[k]*d[k]` the Greek letter is
    // the number.
    let greek = |n: &str| greek_letter(n.split('_').next().unwrap_or(n)).is_some();
    let capital = |n: &str| n.starts_with(char::is_uppercase) && !indexed.definitions.contains_key(n);
    let factors = factors(indexed, roles);
    open.sort_by_key(|(n, _, is_indexed)| match (is_indexed, capital(n)) {
        (false, true) => (0, false, false),
        (true, _) => (1, !factors.contains(n), greek(n)),
        (false, false) => (2, false, false),
    });
    let Some((name, span, is_indexed)) = open.into_iter().next() else {
        return false;
    };
    let kind = match (is_indexed, capital(&name)) {
        (true, _) if factors.contains(&name) => Kind::Scalar,
        (true, _) => Kind::Vector,
        (false, true) => Kind::Operator,
        (false, false) => Kind::Scalar,
    };
    if kind == Kind::Operator {
        roles.guessed.push((name.clone(), kind, span));
    }
    roles.set(&name, kind)
}

/// Names with an index that multiply a vector, divide, or stand in a step.
fn factors(indexed: &Indexed, roles: &Roles) -> SortedSet<String> {
    let mut found = SortedSet::new();
    let mut add = |e: &Expression| {
        if let Node::Indexed(name, _) = &e.node {
            found.insert(name.clone());
        }
    };
    each(indexed, &mut |e| match &e.node {
        Node::Binary(Operation::Multiply, a, b) if roles.of(b) == Some(Kind::Vector) => a.walk(&mut add),
        Node::Binary(Operation::Multiply, a, b) if roles.of(a) == Some(Kind::Vector) => b.walk(&mut add),
        Node::Binary(Operation::Divide, _, below) => below.walk(&mut add),
        Node::Power(base, exponent) => {
            base.walk(&mut add);
            exponent.walk(&mut add);
        }
        Node::Call(call) => call.step.iter().for_each(|s| s.walk(&mut add)),
        Node::Oracle(oracle) => oracle.step.iter().for_each(|s| s.walk(&mut add)),
        _ => {}
    });
    found
}

impl Roles {
    fn set(&mut self, name: &str, kind: Kind) -> bool {
        if self.kinds.contains_key(name) || self.boxes.contains(name) {
            return false;
        }
        self.kinds.insert(name.to_string(), kind);
        true
    }

    /// Whether an oracle answers this.
    fn is_answer(&self, e: &Expression) -> bool {
        match &e.node {
            Node::Call(_) => true,
            Node::Apply(name, ..) => self.boxes.contains(name),
            _ => false,
        }
    }

    /// The kind of an expression, as far as it is known.
    fn of(&self, e: &Expression) -> Option<Kind> {
        use Kind::*;
        match &e.node {
            Node::Number(_) => Some(Scalar),
            Node::Identity | Node::Adjoint(_) | Node::Oracle(_) => Some(Operator),
            Node::Value(..) | Node::Inner(..) | Node::Norm(..) => Some(Scalar),
            Node::Minimize(_) | Node::Variable(_) => Some(Vector),
            Node::Name(n) | Node::Indexed(n, _) => self.kind(n),
            Node::Minus(a) | Node::Power(a, _) | Node::Elementary(_, a) => self.of(a),
            Node::Call(_) => Some(Vector),
            Node::Apply(n, _, a, _) if !self.boxes.contains(n) => product(self.kind(n), self.of(a)),
            Node::Apply(..) => Some(Vector),
            Node::Binary(Operation::Multiply, a, b) => product(self.of(a), self.of(b)),
            Node::Binary(Operation::Divide, a, _) => self.of(a),
            Node::Binary(_, a, b) => match (self.of(a), self.of(b)) {
                (Some(Vector), _) | (_, Some(Vector)) => Some(Vector),
                (Some(Operator), _) | (_, Some(Operator)) => Some(Operator),
                (Some(Scalar), Some(Scalar)) => Some(Scalar),
                _ => None,
            },
        }
    }

    /// Draws what follows when an expression must be of a kind.
    fn demand(&mut self, e: &Expression, kind: Kind) {
        match &e.node {
            Node::Name(n) | Node::Indexed(n, _) => {
                self.set(n, kind);
            }
            Node::Minus(a) => self.demand(a, kind),
            Node::Binary(Operation::Add | Operation::Subtract, a, b) if kind != Kind::Operator => {
                self.demand(a, kind);
                self.demand(b, kind);
            }
            // What is inside of a number is a number.
            Node::Binary(Operation::Divide, a, b) | Node::Power(a, b) if kind == Kind::Scalar => {
                self.demand(a, kind);
                self.demand(b, kind);
            }
            Node::Elementary(_, a) if kind == Kind::Scalar => self.demand(a, kind),
            Node::Binary(Operation::Divide, a, _) => self.demand(a, kind),
            Node::Binary(Operation::Multiply, a, b) => match kind {
                Kind::Vector if self.of(a).is_some_and(|k| k != Kind::Vector) => self.demand(b, kind),
                Kind::Vector if self.of(b) == Some(Kind::Scalar) => self.demand(a, kind),
                Kind::Scalar => {
                    self.demand(a, kind);
                    self.demand(b, kind);
                }
                _ => {}
            },
            Node::Apply(n, _, a, _) if kind == Kind::Vector && !self.boxes.contains(n) => self.demand(a, kind),
            _ => {}
        }
    }

    /// Draws what follows inside an expression from its own parts.
    fn inside(&mut self, e: &Expression) {
        let mut nodes = Vec::new();
        e.walk(&mut |e| nodes.push(e));
        for e in nodes {
            match &e.node {
                Node::Call(call) => {
                    self.demand(&call.argument, Kind::Vector);
                    if let Some(step) = &call.step {
                        self.demand(step, Kind::Scalar);
                    }
                }
                Node::Apply(n, _, a, _) if self.boxes.contains(n) => self.demand(a, Kind::Vector),
                Node::Value(_, _, arguments) => arguments.iter().for_each(|a| self.demand(a, Kind::Vector)),
                Node::Inner(a, b) => {
                    self.demand(a, Kind::Vector);
                    self.demand(b, Kind::Vector);
                }
                Node::Norm(a, weight) => {
                    self.demand(a, Kind::Vector);
                    weight.iter().for_each(|w| self.demand(w, Kind::Operator));
                }
                Node::Binary(Operation::Add | Operation::Subtract, a, b) => {
                    for (a, b) in [(a, b), (b, a)] {
                        match self.of(a) {
                            Some(Kind::Vector) => self.demand(b, Kind::Vector),
                            Some(Kind::Scalar) => self.not_a_vector(b),
                            _ => {}
                        }
                    }
                }
                Node::Binary(Operation::Multiply, a, b) => {
                    for (a, b) in [(a, b), (b, a)] {
                        if self.of(b) == Some(Kind::Vector) {
                            self.not_a_vector(a);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A scalar or an operator: small letters are scalars, capitals stay open.
    fn not_a_vector(&mut self, e: &Expression) {
        if let Node::Name(n) = &e.node
            && !n.starts_with(char::is_uppercase)
        {
            self.set(n, Kind::Scalar);
        }
    }
}

fn product(a: Option<Kind>, b: Option<Kind>) -> Option<Kind> {
    use Kind::*;
    match (a, b) {
        (Some(Vector), _) | (_, Some(Vector)) => Some(Vector),
        (None, _) | (_, None) => None,
        (Some(Operator), _) | (_, Some(Operator)) => Some(Operator),
        _ => Some(Scalar),
    }
}

/// Whose gradients and proxes are taken, unless a declaration gives the name another meaning too.
pub fn function_names(algorithm: &Algorithm) -> SortedSet<String> {
    use OracleKind::*;
    let mut found = SortedSet::new();
    for statement in &algorithm.statements {
        statement.walk(&mut |e| {
            let (kind, function) = match &e.node {
                Node::Call(call) => (call.kind, &call.function),
                Node::Oracle(oracle) => (oracle.kind, &oracle.function),
                _ => return,
            };
            if matches!(kind, Gradient | Subdifferential | Prox | Reflected | MoreauGradient) {
                found.insert(function.clone());
            }
        });
    }
    for declaration in &algorithm.declarations {
        if let DeclarationNode::Parameter(names)
        | DeclarationNode::Constant(names, _)
        | DeclarationNode::Operator(names, ..) = &declaration.node
        {
            found.retain(|f| names.iter().all(|n| n.name != *f));
        }
    }
    found
}
