//! Which letter counts the iterations, and what time every name stands at.
//!
//! Indexed text is a set of simultaneous equations. Text without indices runs in order: a name read
//! before it is assigned in the pass means last iteration's value, afterwards the new one.

use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS};
use crate::source::Span;
use crate::syntax::ast::{Algorithm, DeclarationNode, Expression, Index, Node, Sign, Statement};
use linnaeus_algebra::{SortedMap, SortedSet};
use std::collections::{HashMap, HashSet};

/// `target = value`, every iterate with an index.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The statement.
    pub span: Span,
    /// The left-hand side.
    pub target: Expression,
    /// The right-hand side.
    pub value: Expression,
}

/// How the lines hang together in time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Style {
    /// Simultaneous equations.
    Simultaneous,
    /// Assignments that run in order.
    Sequential,
}

/// The text with every iterate at its time.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The index letter.
    pub letter: String,
    /// How the lines hang together.
    pub style: Style,
    /// The equations, in the order of the text.
    pub equations: Vec<Equation>,
    /// Names that stand for an expression without iterates, as in `V = (I + W)/2`.
    pub definitions: SortedMap<String, Expression>,
}

/// Finds the index letter and gives every iterate its time.
pub fn index(algorithm: &Algorithm, diagnostics: &mut Vec<Diagnostic>) -> Option<Indexed> {
    let declared = algorithm.declarations.iter().find_map(|d| match &d.node {
        DeclarationNode::Index(name) => Some(name.name.clone()),
        _ => None,
    });
    let letters = letters(&algorithm.statements);
    if letters.is_empty() && declared.is_none() {
        return sequential(&algorithm.statements, diagnostics);
    }
    let letter = declared.unwrap_or_else(|| chosen(&letters));
    let foreign: Vec<Diagnostic> = letters
        .iter()
        .filter(|(_, _, i)| i.letter != letter)
        .map(|&(name, span, i)| mismatch(name, span, i, &letter))
        .collect();
    let good = foreign.is_empty();
    diagnostics.extend(foreign.into_iter().take(MAX_ERRORS));
    good.then(|| simultaneous(algorithm, letter, diagnostics))
}

fn mismatch(name: &str, span: Span, index: &Index, letter: &str) -> Diagnostic {
    let other = &index.letter;
    let offset = match (index.halves.signum(), index.halves.abs()) {
        (0, _) => String::new(),
        (sign, halves) => {
            let sign = if sign > 0 { '+' } else { '-' };
            if halves % 2 == 0 { format!("{sign}{}", halves / 2) } else { format!("{sign}{halves}/2") }
        }
    };
    Diagnostic::error(Code::IndexMismatch, span, format!("the index here is `{other}`, elsewhere it is `{letter}`"))
        .help(format!("write `{name}[{letter}{offset}]`; declare `index {other}` if that letter counts the iterations"))
}

/// Everything that has an index with a letter.
fn letters(statements: &[Statement]) -> Vec<(&str, Span, &Index)> {
    let mut found = Vec::new();
    for statement in statements {
        statement.walk(&mut |e| {
            if let Node::Indexed(name, index) = &e.node
                && !index.letter.is_empty()
            {
                found.push((name.as_str(), e.span, index));
            }
        });
    }
    found
}

/// The letter that is shifted most often; then the one that is used most often.
fn chosen(letters: &[(&str, Span, &Index)]) -> String {
    let mut counts: SortedMap<&str, (usize, usize)> = SortedMap::new();
    for (_, _, index) in letters {
        let count = counts.entry(&index.letter).or_default();
        count.0 += usize::from(index.halves != 0);
        count.1 += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(l, _)| l.to_string()).unwrap_or_default()
}

/// Names that have an index somewhere and are declared to be nothing else.
fn indexed_names(algorithm: &Algorithm) -> HashSet<String> {
    let mut names: HashSet<String> = letters(&algorithm.statements).into_iter().map(|(n, ..)| n.to_string()).collect();
    for declaration in &algorithm.declarations {
        if let DeclarationNode::Parameter(declared) | DeclarationNode::Constant(declared, _) = &declaration.node {
            names.retain(|n| declared.iter().all(|d| d.name != *n));
        }
    }
    names
}

/// `x[k+1] = x - t*grad f(x)`: the bare name means the present value, and is said to.
fn note_bare(algorithm: &Algorithm, names: &HashSet<String>, letter: &str, diagnostics: &mut Vec<Diagnostic>) {
    let mut told: HashSet<&str> = HashSet::new();
    for statement in &algorithm.statements {
        statement.value.walk(&mut |e| {
            if let Node::Name(name) = &e.node
                && names.contains(name)
                && told.insert(name)
            {
                diagnostics.push(
                    Diagnostic::note(e.span, format!("`{name}` was read as `{name}[{letter}]`"))
                        .help(format!("declare `constant {name}` if it never changes")),
                );
            }
        });
    }
}

fn simultaneous(algorithm: &Algorithm, letter: String, diagnostics: &mut Vec<Diagnostic>) -> Indexed {
    let statements = &algorithm.statements;
    let with_index = indexed_names(algorithm);
    note_bare(algorithm, &with_index, &letter, diagnostics);
    let suffix = format!("_{letter}");
    let mut equations = Vec::new();
    let mut bare: SortedMap<String, Vec<&Statement>> = SortedMap::new();
    for statement in statements {
        if let Node::Name(name) = &statement.target.node
            && name.strip_suffix(&suffix).is_none()
        {
            bare.entry(name.clone()).or_default().push(statement);
        }
    }
    let mut definitions = SortedMap::new();
    loop {
        let known: SortedSet<String> = definitions.keys().cloned().collect();
        for (name, lines) in bare.iter().filter(|(n, _)| !known.contains(*n)) {
            let constant = |e: &Expression| {
                is_constant(e, &|n| with_index.contains(n) || (bare.contains_key(n) && !known.contains(n)), &suffix)
            };
            if lines.len() == 1 && lines.iter().all(|s| constant(&s.value)) {
                definitions.insert(name.clone(), lines[0].value.clone());
            }
        }
        if definitions.len() == known.len() {
            break;
        }
    }
    let iterates: HashSet<&String> = bare.keys().filter(|n| !definitions.contains_key(*n)).collect();
    // `theta = theta - v[t]`: the new value from the old one, and lines below it read the new one.
    let renewed = |name: &str| match bare.get(name).map(Vec::as_slice) {
        Some([only]) if mentions(&only.value, name) => Some(only.span),
        _ => None,
    };
    let place = |name: &str, span: Span, below: usize| -> Option<Node> {
        let at = |n: &str, halves| Node::Indexed(n.to_string(), Index { letter: letter.clone(), halves, span });
        match name.strip_suffix(&suffix) {
            Some(stem) if !stem.is_empty() => Some(at(stem, 0)),
            _ if renewed(name).is_some_and(|line| line.start < below) => Some(at(name, 2)),
            _ => (iterates.contains(&name.to_string()) || with_index.contains(name)).then(|| at(name, 0)),
        }
    };
    for statement in statements {
        if matches!(&statement.target.node, Node::Name(n) if definitions.contains_key(n)) {
            continue;
        }
        if let Node::Name(name) = &statement.target.node
            && renewed(name).is_some()
        {
            let message = format!("`{name}` was read as `{name}[{letter}+1]` here, and from here on");
            diagnostics.push(Diagnostic::note(statement.target.span, message).help("write the index to say otherwise"));
        }
        let (start, end) = (statement.span.start, statement.span.end);
        equations.push(Equation {
            span: statement.span,
            target: rewrite(&statement.target, &|n, span| place(n, span, end)),
            value: rewrite(&statement.value, &|n, span| place(n, span, start)),
        });
    }
    let definitions = definitions.into_iter().map(|(n, e)| (n, rewrite(&e, &|n, span| place(n, span, 0)))).collect();
    Indexed { letter, style: Style::Simultaneous, equations, definitions }
}

fn sequential(statements: &[Statement], diagnostics: &mut Vec<Diagnostic>) -> Option<Indexed> {
    let letter = "k".to_string();
    let mut total: SortedMap<String, usize> = SortedMap::new();
    for statement in statements {
        let Node::Name(name) = &statement.target.node else {
            let arrow = if statement.sign == Sign::Assigns { "an assignment" } else { "an equation without indices" };
            diagnostics.push(
                Diagnostic::error(
                    Code::UnexpectedToken,
                    statement.target.span,
                    format!("{arrow} has a single name on its left"),
                )
                .help("write a name on the left, as in `x <- …`, or give the iterates an index as in `x[k+1] = …`"),
            );
            return None;
        };
        *total.entry(name.clone()).or_default() += 1;
    }
    let mut definitions: SortedMap<String, Expression> = SortedMap::new();
    loop {
        let before = definitions.len();
        for statement in statements {
            let Node::Name(name) = &statement.target.node else {
                continue;
            };
            let moving = |n: &str| total.contains_key(n) && !definitions.contains_key(n);
            if total[name] == 1 && !definitions.contains_key(name) && is_constant(&statement.value, &moving, "") {
                definitions.insert(name.clone(), statement.value.clone());
            }
        }
        if definitions.len() == before {
            break;
        }
    }
    let mut done: HashMap<String, usize> = HashMap::new();
    let mut equations = Vec::new();
    for statement in statements {
        let Node::Name(name) = &statement.target.node else {
            continue;
        };
        if definitions.contains_key(name) {
            continue;
        }
        let value = rewrite(&statement.value, &|n, span| version(n, span, &letter, &total, &done, &definitions));
        *done.entry(name.clone()).or_default() += 1;
        let target = rewrite(&statement.target, &|n, span| version(n, span, &letter, &total, &done, &definitions));
        equations.push(Equation { span: statement.span, target, value });
    }
    Some(Indexed { letter, style: Style::Sequential, equations, definitions })
}

/// The name as it stands after `done` of its assignments: old, in between, or new.
fn version(
    name: &str,
    span: Span,
    letter: &str,
    total: &SortedMap<String, usize>,
    done: &HashMap<String, usize>,
    definitions: &SortedMap<String, Expression>,
) -> Option<Node> {
    let all = *total.get(name).filter(|_| !definitions.contains_key(name))?;
    let count = done.get(name).copied().unwrap_or(0);
    let (name, halves) = match count {
        0 => (name.to_string(), 0),
        n if n == all => (name.to_string(), 2),
        n => (format!("{name}~{n}"), 2),
    };
    Some(Node::Indexed(name, Index { letter: letter.to_string(), halves, span }))
}

/// Whether a name stands without an index.
fn mentions(e: &Expression, name: &str) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(&e.node, Node::Name(n) if n == name));
    found
}

/// Whether nothing in the expression changes from one iteration to the next.
fn is_constant(e: &Expression, moving: &dyn Fn(&str) -> bool, suffix: &str) -> bool {
    let mut constant = true;
    e.walk(&mut |e| match &e.node {
        Node::Indexed(_, index) => constant &= index.letter.is_empty(),
        Node::Call(_) | Node::Apply(..) => constant = false,
        Node::Name(n) => constant &= !moving(n) && (suffix.is_empty() || !n.ends_with(suffix)),
        _ => {}
    });
    constant
}

/// Replaces bare names; moves half steps `x[k+1/2]` to a name of their own; fixed indices `x[0]`
/// become constants.
fn rewrite(e: &Expression, place: &dyn Fn(&str, Span) -> Option<Node>) -> Expression {
    let node = match &e.node {
        Node::Name(name) => place(name, e.span).unwrap_or_else(|| e.node.clone()),
        Node::Indexed(name, index) if index.letter.is_empty() => Node::Name(format!("{name}{}", index.halves / 2)),
        Node::Indexed(name, index) if index.halves % 2 != 0 => {
            Node::Indexed(format!("{name}_half"), Index { halves: index.halves - 1, ..index.clone() })
        }
        node => node.map_children(&|a| rewrite(a, place)),
    };
    Expression::new(e.span, node)
}
