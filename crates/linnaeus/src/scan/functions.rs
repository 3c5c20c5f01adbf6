//! Functions that a paper defines anywhere, `L_\rho(x, y) = f(x) + \langle y, Ax - b\rangle`, for listings that minimize them.

use super::expand::Expanded;
use super::outline::Outline;
use crate::source::{Source, Span};
use crate::syntax::ast::{Expression, Node, Statement};
use crate::syntax::notation::Notation;

/// A function and the formula that defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// Its name, as listings are read.
    pub name: String,
    /// The formula as it stands.
    pub formula: String,
}

/// The functions that displays and formulas in sentences define, the first definition of each.
pub fn definitions(paper: &Expanded, outline: &Outline) -> Vec<Defined> {
    let displays = outline.blocks.iter().filter(|b| b.is_display()).map(|b| paper.text.slice(b.span).to_string());
    let mut found: Vec<Defined> = Vec::new();
    for text in displays.chain(inline(paper.text.as_str())).filter(|t| may_define(t)) {
        let source = Source::new(&text);
        let (algorithm, _) = crate::syntax::parse_as(&source, Notation::Latex);
        for function in algorithm.functions {
            let formula = source.slice(function.span).trim().trim_matches('$').to_string();
            if found.iter().all(|d| d.name != function.name) {
                found.push(Defined { name: function.name, formula: format!("\\[ {formula} \\]") });
            }
        }
    }
    found
}

/// What the paragraph around a display defines by names without an index: `with $\tilde W = (I + W)/2$`.
pub fn beside(paper: &Expanded, display: Span) -> Vec<Defined> {
    let text = paper.text.as_str();
    let (Some(before), Some(after)) = (text.get(..display.start), text.get(display.end..)) else { return Vec::new() };
    let before = &before[before.rfind("\n\n").map_or(0, |i| i + 2)..];
    let after = &after[..after.find("\n\n").unwrap_or(after.len())];
    let mut found: Vec<Defined> = Vec::new();
    for formula in inline(before).into_iter().chain(inline(after)).filter(|f| f.contains('=')) {
        let (algorithm, problems) = crate::syntax::parse_as(&Source::new(&formula), Notation::Latex);
        let [Statement { target: Expression { node: Node::Name(name), .. }, value, .. }] = &algorithm.statements[..]
        else {
            continue;
        };
        // `W = W^T` says what W is like, and `\tilde W = V` gives it another name.
        let (mut names, mut fixed) = (0, !crate::diagnostic::has_error(&problems));
        value.walk(&mut |e| match &e.node {
            Node::Name(n) => {
                names += 1;
                fixed &= n != name;
            }
            Node::Number(_) | Node::Identity | Node::Binary(..) | Node::Minus(_) | Node::Adjoint(_) => {}
            Node::Power(..) | Node::Elementary(..) => {}
            _ => fixed = false,
        });
        let alone = matches!(value.node, Node::Name(_) | Node::Number(_) | Node::Identity);
        if fixed && names > 0 && !alone && found.iter().all(|d| d.name != *name) {
            let formula = format!("\\[ {} \\]", formula.trim_matches('$'));
            found.push(Defined { name: name.clone(), formula });
        }
    }
    found
}

/// Formulas between single dollar signs, or between `\(` and `\)`, on few lines.
fn inline(text: &str) -> Vec<String> {
    const LONG: usize = 600;
    let mut found = Vec::new();
    let mut open: Option<(usize, bool)> = None;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (length, dollar, closes) = match &bytes[at..] {
            [b'\\', b'(', ..] => (2, false, false),
            [b'\\', b')', ..] => (2, false, true),
            [b'\\', _, ..] => {
                at += 2;
                continue;
            }
            [b'$', b'$', ..] => {
                (at, open) = (at + 2, None);
                continue;
            }
            [b'$', ..] => (1, true, true),
            [b'\n', b'\n', ..] => {
                (at, open) = (at + 1, None);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        match open {
            Some((start, by_dollar)) if closes && by_dollar == dollar => {
                if at - start < LONG {
                    found.push(format!("${}$", &text[start..at]));
                }
                open = None;
            }
            _ => open = Some((at + length, dollar)),
        }
        at += length;
    }
    found
}

/// Whether a formula looks like the definition of something that is minimized.
fn may_define(text: &str) -> bool {
    let valued =
        ["\\|", "\\Vert", "\\lVert", "\\norm", "\\langle", "^T", "^{T}", "^\\top", "^{\\top}", "\\inner", "\\ip"];
    text.contains('=') && text.contains('(') && valued.iter().any(|v| text.contains(v))
}
