//! The tree back as text in the plain notation.

use super::ast::{
    Algorithm, Call, Declaration, DeclarationNode, Declared, Elementary, Expression, FunctionTrait, Index,
    Minimization, Node, Operation, OracleKind, OracleName, Sample, Sense, Sign, Statement,
};
use linnaeus_algebra::SortedSet;

/// The whole text, declarations first.
pub fn algorithm(a: &Algorithm) -> String {
    let mut lines: Vec<String> = a.declarations.iter().map(declaration).collect();
    let boxes = black_boxes(a);
    if !boxes.is_empty() {
        lines.push(format!("oracle {}", boxes.into_iter().collect::<Vec<_>>().join(", ")));
    }
    lines.extend(a.statements.iter().map(statement));
    lines.join("\n")
}

/// Black boxes that no declaration names and that stand without an argument.
fn black_boxes(a: &Algorithm) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for s in &a.statements {
        s.walk(&mut |e| {
            if let Node::Oracle(oracle) = &e.node
                && oracle.kind == OracleKind::BlackBox
            {
                found.insert(oracle.function.clone());
            }
        });
    }
    found.retain(|name| a.declarations.iter().all(|d| d.node.names().iter().all(|n| n.name != *name)));
    found
}

/// One line.
pub fn statement(s: &Statement) -> String {
    let sign = if s.sign == Sign::Assigns { "<-" } else { "=" };
    format!("{} {sign} {}", expression(&s.target), expression(&s.value))
}

/// How tightly an expression holds together.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
    /// A sum, or a negative number.
    Sum,
    /// A product, or a fraction.
    Product,
    /// A power.
    Power,
    /// A name, a number, a call, or what stands in parentheses.
    Primary,
}

/// One expression.
pub fn expression(e: &Expression) -> String {
    at_least(e, Tightness::Sum)
}

fn at_least(e: &Expression, wanted: Tightness) -> String {
    let (text, tightness) = plain(e);
    if tightness < wanted { format!("({text})") } else { text }
}

fn plain(e: &Expression) -> (String, Tightness) {
    use Tightness::*;
    // Asked once: calls may be nested deeply.
    if let Node::Binary(Operation::Multiply, ..) = &e.node
        && let Some(call) = asked(e)
    {
        return call;
    }
    match &e.node {
        Node::Number(n) if n.is_int() && *n.numerator() >= 0.into() => (n.to_string(), Primary),
        Node::Number(n) if *n.numerator() >= 0.into() => (n.to_string(), Product),
        Node::Number(n) => (n.to_string(), Sum),
        Node::Name(n) => (n.clone(), Primary),
        Node::Indexed(n, i) => (format!("{n}[{}]", index(i)), Primary),
        Node::Identity => ("I".to_string(), Primary),
        Node::Minus(a) => (format!("-{}", at_least(a, Power)), Sum),
        Node::Binary(Operation::Add, a, b) => (format!("{} + {}", at_least(a, Sum), at_least(b, Product)), Sum),
        Node::Binary(Operation::Subtract, a, b) => (format!("{} - {}", at_least(a, Sum), at_least(b, Product)), Sum),
        Node::Binary(Operation::Multiply, a, b) => {
            (format!("{}*{}", at_least(a, Product), at_least(b, Power)), Product)
        }
        Node::Binary(Operation::Divide, a, b) => (format!("{}/{}", at_least(a, Product), at_least(b, Power)), Product),
        Node::Power(a, b) => (format!("{}^{}", at_least(a, Primary), at_least(b, Primary)), Power),
        Node::Adjoint(a) => (format!("{}'", at_least(a, Primary)), Primary),
        Node::Call(call) => (called(call), Primary),
        Node::Apply(name, _, a, s) => (format!("{name}({}{})", expression(a), sample(s)), Primary),
        Node::Elementary(function, a) => (format!("{}({})", word(*function), expression(a)), Primary),
        Node::Oracle(oracle) => match oracle.kind {
            OracleKind::Gradient | OracleKind::Subdifferential => (format!("({})", named(oracle, "^*")), Primary),
            _ => (named(oracle, "^*"), Primary),
        },
        Node::Minimize(found) => (minimization(found), Sum),
        Node::Variable(name) => (name.clone(), Primary),
        Node::Value(name, _, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(expression).collect();
            (format!("{name}({})", arguments.join(", ")), Primary)
        }
        Node::Inner(a, b) => (format!("<{}, {}>", expression(a), expression(b)), Primary),
        Node::Norm(a, None) => (format!("||{}||", expression(a)), Primary),
        Node::Norm(a, Some(weight)) => (format!("||{}||_{{{}}}", expression(a), expression(weight)), Primary),
    }
}

/// A product in which an oracle is applied to what follows it: `t*J_{t A}(x[k])`.
fn asked(e: &Expression) -> Option<(String, Tightness)> {
    let mut factors = Vec::new();
    let mut left = e;
    while let Node::Binary(Operation::Multiply, a, b) = &left.node {
        factors.push(&**b);
        left = a;
    }
    factors.push(left);
    factors.reverse();
    let at = factors.iter().position(|f| matches!(f.node, Node::Oracle(_))).filter(|at| at + 1 < factors.len())?;
    let Node::Oracle(oracle) = &factors[at].node else { return None };
    if is_map(factors[factors.len() - 1]) {
        return None;
    }
    let product = |list: &[&Expression]| {
        let mut list = list.iter().map(|e| (*e).clone());
        let first = list.next()?;
        Some(list.fold(first, |a, b| {
            Expression::new(a.span.to(b.span), Node::Binary(Operation::Multiply, Box::new(a), Box::new(b)))
        }))
    };
    let argument = expression(&product(&factors[at + 1..])?);
    let call = format!("{}({argument})", named(oracle, "*"));
    Some(match product(&factors[..at]) {
        None => (call, Tightness::Primary),
        Some(before) => (format!("{}*{call}", at_least(&before, Tightness::Product)), Tightness::Product),
    })
}

/// Whether an expression looks like a map rather than a vector.
fn is_map(e: &Expression) -> bool {
    match &e.node {
        Node::Oracle(_) | Node::Identity | Node::Adjoint(_) => true,
        Node::Name(name) => name.starts_with(char::is_uppercase),
        Node::Minus(a) | Node::Power(a, _) | Node::Binary(Operation::Divide, a, _) => is_map(a),
        Node::Binary(Operation::Multiply, _, b) => is_map(b),
        Node::Binary(_, a, b) => is_map(a) || is_map(b),
        _ => false,
    }
}

fn minimization(found: &Minimization) -> String {
    let word = match found.sense {
        Sense::Minimize => "argmin",
        Sense::Maximize => "argmax",
    };
    let set = found.set.as_ref().map_or(String::new(), |set| format!(" in {set}"));
    format!("{word}_{{{}{set}}} {}", found.variable, expression(&found.objective))
}

fn called(call: &Call) -> String {
    let (span, kind, function, conjugate) = (call.name_span, call.kind, call.function.clone(), call.conjugate);
    let oracle = named(&OracleName { span, kind, function, conjugate, step: call.step.clone() }, "*");
    format!("{oracle}({}{})", expression(&call.argument), sample(&call.sample))
}

/// An oracle without its argument; `star` marks a conjugate.
pub fn named(oracle: &OracleName, star: &str) -> String {
    // What is the conjugate of a function is the inverse of an operator.
    let star = if oracle.kind == OracleKind::Resolvent { "^-1" } else { star };
    let function = format!("{}{}", oracle.function, if oracle.conjugate { star } else { "" });
    let with_step = match &oracle.step {
        Some(step) => format!("{{{} {function}}}", at_least(step, Tightness::Primary)),
        None if !oracle.conjugate => function.clone(),
        None => format!("{{{function}}}"),
    };
    match oracle.kind {
        OracleKind::Gradient => format!("grad {function}"),
        OracleKind::Subdifferential => format!("subgrad {function}"),
        OracleKind::Prox => format!("prox_{with_step}"),
        OracleKind::Projection => format!("proj_{function}"),
        OracleKind::Resolvent => format!("J_{with_step}"),
        OracleKind::Reflected => format!("R_{with_step}"),
        OracleKind::MoreauGradient => format!("grad env_{with_step}"),
        OracleKind::Argmin => format!("argmin_{with_step}"),
        OracleKind::BlackBox => function,
    }
}

fn sample(s: &Option<Sample>) -> String {
    match s {
        None => String::new(),
        Some(Sample { name, index: None, .. }) => format!("; {name}"),
        Some(Sample { name, index: Some(i), .. }) => format!("; {name}[{}]", index(i)),
    }
}

fn index(i: &Index) -> String {
    let offset = if i.halves % 2 == 0 { format!("{}", i.halves.abs() / 2) } else { format!("{}/2", i.halves.abs()) };
    match (i.letter.as_str(), i.halves) {
        ("", _) => offset,
        (letter, 0) => letter.to_string(),
        (letter, n) if n > 0 => format!("{letter}+{offset}"),
        (letter, _) => format!("{letter}-{offset}"),
    }
}

fn word(function: Elementary) -> &'static str {
    match function {
        Elementary::Exp => "exp",
        Elementary::Log => "log",
        Elementary::Sqrt => "sqrt",
        Elementary::Inverse => "inv",
        Elementary::Adjoint => "adjoint",
        Elementary::Nonlinear(name) => name,
    }
}

/// One declaration.
pub fn declaration(d: &Declaration) -> String {
    let list = |names: &[Declared]| names.iter().map(|n| n.name.as_str()).collect::<Vec<_>>().join(", ");
    let one = |space: &Option<String>| space.as_ref().map_or(String::new(), |s| format!(": {s}"));
    let two =
        |spaces: &Option<(String, String)>| spaces.as_ref().map_or(String::new(), |(a, b)| format!(": {a} -> {b}"));
    match &d.node {
        DeclarationNode::Oracle(names, spaces) => format!("oracle {}{}", list(names), two(spaces)),
        DeclarationNode::Parameter(names) => format!("param {}", list(names)),
        DeclarationNode::Constant(names, space) => {
            format!("constant {}{}", list(names), one(space))
        }
        DeclarationNode::Iterate(names, space) => format!("iterate {}{}", list(names), one(space)),
        DeclarationNode::Operator(names, spaces, traits) => {
            let symmetric = if traits.symmetric { " symmetric" } else { "" };
            let commuting = if traits.commuting { " commuting" } else { "" };
            format!("operators {}{}{symmetric}{commuting}", list(names), two(spaces))
        }
        DeclarationNode::Function(names, space, traits) | DeclarationNode::Set(names, space, traits) => {
            let what = if matches!(d.node, DeclarationNode::Set(..)) { "set" } else { "function" };
            let word = |t: &FunctionTrait| format!(" {}", t.word());
            format!("{what} {}{}{}", list(names), one(space), traits.iter().map(word).collect::<String>())
        }
        DeclarationNode::Index(name) => format!("index {}", name.name),
    }
}
