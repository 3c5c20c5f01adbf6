//! Functions that a paper defines anywhere, `L_\rho(x, y) = f(x) + \langle y, Ax - b\rangle`, for listings that minimize them.

use super::expand::Expanded;
use super::outline::Outline;
use crate::source::Source;
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
