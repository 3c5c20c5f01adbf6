//! LaTeX and Unicode: a page of mathematics → the tokens of the plain notation, one line per equation.
//!
//! Characters become items (`scan`), macros are expanded (`macros`), the page falls into rows and other
//! lines (`layout`) and the rows into equations (`rows`); letters get their scripts (`atoms`), the letter
//! that counts is found (`time`), and scripts become indices, names, powers and steps (`emit`).

mod atoms;
mod emit;
mod layout;
mod macros;
pub mod matrix;
mod rows;
mod scan;
mod time;
mod unicode;

pub(crate) use layout::{is_display, is_math, is_structural};

use super::ast::{Guess, Role};
use super::lexer::{Token, tokenize};
use super::notation::Notation;
use super::{declaration, plain::Draft};
use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS};
use crate::source::{Source, Span};
pub use emit::read_back;

use atoms::{Atom, Nucleus};
use rows::Segment;
use scan::{Item, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// More characters and commands than this are not read.
pub const MAX_ITEMS: usize = 60_000;
/// A row of more characters and commands than this is not read.
pub const MAX_ROW: usize = 4_000;

/// What a page holds.
#[derive(Debug, Default)]
pub struct Pasted {
    /// Its equations and declarations.
    pub drafts: Vec<Draft>,
    /// Its other lines.
    pub aside: Vec<(Span, Role, &'static str)>,
    /// What was decided.
    pub guesses: Vec<Guess>,
}

/// Reads a page.
pub fn read(source: &Source, notation: Notation, diagnostics: &mut Vec<Diagnostic>) -> Pasted {
    let (declared, text) = without_declarations(source);
    let scanned = scan::scan(&text, notation);
    let mut pasted = Pasted { aside: scanned.aside, ..Pasted::default() };
    if let Some(span) = scanned.doubled {
        diagnostics.push(Diagnostic::note(span, "every backslash is doubled here and was read as one"));
    }
    if scanned.items.len() > MAX_ITEMS {
        let message = format!("the text has more than {MAX_ITEMS} characters and commands");
        diagnostics.push(too_long(Span::new(0, 0), message, MAX_ITEMS));
        return pasted;
    }
    let items = macros::expand(scanned.items, &mut pasted.aside, diagnostics);
    let page = layout::lay_out(items, source);
    pasted.aside.extend(page.aside.iter().copied());
    if let Some(long) = page.rows.iter().find(|r| r.items.len() > MAX_ROW) {
        let message = format!("this has more than {MAX_ROW} characters and commands");
        diagnostics.push(too_long(long.span, message, MAX_ROW));
        return pasted;
    }
    let page = layout::Page { aside: Vec::new(), ..page };
    let (segments, aside) = rows::segments(page, source);
    pasted.aside.extend(aside);
    let index = index_declared(&declared);
    pasted.drafts = declared;
    equations(segments, notation, index, &mut pasted, diagnostics);
    pasted.drafts.sort_by_key(|d| d.span.start);
    pasted
}

fn too_long(span: Span, message: String, bound: usize) -> Diagnostic {
    Diagnostic::error(Code::LimitLines, span, message)
        .help(format!("paste one algorithm at a time, at most {bound} long"))
}

/// What a comment begins with that declares.
pub const PRAGMA: &str = "% linnaeus:";

/// Lines of the plain notation that declare, also in comments, and the text with blanks in their place.
fn without_declarations(source: &Source) -> (Vec<Draft>, String) {
    let mut drafts = Vec::new();
    let mut rest = String::with_capacity(source.text().len());
    for line in source.text().split_inclusive('\n') {
        let begin = rest.len();
        let mut own = Vec::new();
        let hidden = line.trim_start().strip_prefix(PRAGMA);
        let said = hidden.unwrap_or(if declares(line) { line } else { "" });
        let mut tokens = tokenize(said, &mut own);
        let start = begin + if hidden.is_some() { line.len() - said.len() } else { 0 };
        tokens.retain(|t| !matches!(t.kind, super::lexer::TokenKind::Newline | super::lexer::TokenKind::Comment));
        if !tokens.is_empty() && declaration::is_declaration(&tokens) && own.is_empty() {
            for token in &mut tokens {
                token.span = Span::new(token.span.start + start, token.span.end + start);
            }
            drafts.push(Draft::new(tokens));
            rest.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        } else {
            rest.push_str(line);
        }
    }
    (drafts, rest)
}

/// Whether a line begins as a declaration does; `function values` in prose has no name after it alone.
pub(super) fn declares(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("");
    let second = words.next().unwrap_or("");
    let third = words.next();
    let name = |w: &str| {
        w.trim_end_matches([':', ',']).trim_start_matches('\\').chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let known = ["oracle", "operator", "param", "parameter", "constant", "iterate", "index", "function", "set"];
    known.iter().any(|k| first == *k || first.strip_suffix('s') == Some(k))
        && !second.is_empty()
        && name(second)
        && !line.contains('=')
        && (third.is_none()
            || second.ends_with([':', ','])
            || third.is_some_and(|w| {
                w.starts_with([':', ','])
                    || matches!(
                        w,
                        "symmetric"
                            | "commuting"
                            | "linear"
                            | "homogeneous"
                            | "cone"
                            | "quadratic"
                            | "subspace"
                            | "selfadjoint"
                    )
            }))
}

fn index_declared(drafts: &[Draft]) -> Option<String> {
    drafts.iter().find_map(|d| match d.tokens.as_slice() {
        [
            Token { kind: super::lexer::TokenKind::Name(word), .. },
            Token { kind: super::lexer::TokenKind::Name(letter), .. },
        ] if word == "index" => Some(letter.clone()),
        _ => None,
    })
}

fn equations(
    segments: Vec<Segment>,
    notation: Notation,
    index: Option<String>,
    pasted: &mut Pasted,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let fonts = fonts(&segments);
    let distinct = |name: &str, font: &str| {
        fonts.get(name).is_some_and(|f| f.len() > 1 && f.iter().next().map(String::as_str) != Some(font))
    };
    let mut lines: Vec<(Vec<Atom>, Span)> = Vec::new();
    for segment in segments {
        if diagnostics.len() >= MAX_ERRORS {
            break;
        }
        match atoms::atoms(&segment.items, notation, &distinct, diagnostics) {
            Ok(found) => lines.push((trimmed(found), segment.span)),
            Err(problem) => {
                diagnostics.push(problem);
                pasted.drafts.push(Draft { tokens: Vec::new(), span: segment.span });
            }
        }
    }
    lines.retain(|(atoms, span)| {
        let empty = atoms.is_empty();
        if empty {
            pasted.aside.push((*span, Role::Skipped, "layout"));
        }
        !empty
    });
    let only: Vec<Vec<Atom>> = lines.iter().map(|(a, _)| a.clone()).collect();
    let clock = time::clock(&only, index);
    if let (Some(letter), true) = (&clock.letter, clock.is_guess) {
        let declaration = format!("index {letter}");
        let guess = Guess { name: letter.clone(), taken_as: "the letter that counts".into(), declaration };
        pasted.guesses.push(guess);
    }
    for (atoms, span) in lines {
        if let Some((role, reason)) = idle(&atoms, &clock) {
            pasted.aside.push((span, role, reason));
            continue;
        }
        match emit::Emitter::new(&clock, &mut pasted.guesses, diagnostics).line(&atoms) {
            Ok(tokens) => pasted.drafts.push(Draft { tokens, span }),
            Err(problem) => {
                diagnostics.push(problem);
                pasted.drafts.push(Draft { tokens: Vec::new(), span });
            }
        }
    }
}

/// The fonts that each letter stands in; the first of them in the alphabet is the one without a mark.
fn fonts(segments: &[Segment]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for segment in segments {
        let letter = |i: &Item| match &i.kind {
            Kind::Char(c) if c.is_alphabetic() => Some(c.to_string()),
            Kind::Command(c) if super::names::greek_letter(c).is_some() => Some(c.clone()),
            _ => None,
        };
        let items = &segment.items;
        for (i, item) in items.iter().enumerate() {
            let Some(name) = letter(item) else { continue };
            let beside = |j: Option<usize>| {
                j.and_then(|j| items.get(j)).is_some_and(|i| matches!(i.kind, Kind::Char(c) if c.is_alphabetic()))
            };
            if beside(i.checked_sub(1)) || (beside(Some(i + 1)) && !items[i + 1].spaced) {
                continue;
            }
            let before = |n: usize| i.checked_sub(n).and_then(|j| items.get(j)).map(|i| &i.kind);
            let font = match (before(1), before(2)) {
                (Some(Kind::Command(font)), _) | (Some(Kind::Open), Some(Kind::Command(font))) => font.as_str(),
                _ => "",
            };
            let known = ["mathbf", "boldsymbol", "bm", "mathcal", "mathscr", "mathfrak", "mathbb", "mathsf", "vec"];
            let font = if known.contains(&font) { font } else { "" };
            // Bold is a habit, not a distinction, unless both stand in one text.
            found.entry(name).or_default().insert(font.to_string());
        }
    }
    found
}

/// Without labels before a colon and stops behind the end.
fn trimmed(mut atoms: Vec<Atom>) -> Vec<Atom> {
    while atoms
        .last()
        .is_some_and(|a| [',', ';', '.', ':', '\\'].iter().any(|c| a.is(*c)) || matches!(a.nucleus, Nucleus::Text(_)))
    {
        atoms.pop();
    }
    let is_sign = |a: &Atom| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns) || a.is('∈');
    let first_sign = atoms.iter().position(is_sign).unwrap_or(atoms.len());
    if let Some(colon) = atoms[..first_sign].iter().position(|a| a.is(':')) {
        let plain = |a: &Atom| a.sub.is_none() && a.sup.is_none();
        if atoms[..colon].iter().all(plain) {
            atoms.drain(..=colon);
        }
    }
    let skip = atoms
        .iter()
        .take_while(|a| [',', ';', '.', ':'].iter().any(|c| a.is(*c)) || matches!(a.nucleus, Nucleus::Text(_)))
        .count();
    atoms.drain(..skip);
    // An opening brace of `cases` that never closes.
    let opens = atoms.iter().filter(|a| a.is('(')).count();
    let closes = atoms.iter().filter(|a| a.is(')')).count();
    if opens == closes + 1 && atoms.first().is_some_and(|a| a.is('(')) && atoms.iter().position(is_sign).is_some() {
        atoms.remove(0);
    }
    atoms
}

/// What an equation is for, if no update and no definition.
fn idle(atoms: &[Atom], clock: &time::Clock) -> Option<(Role, &'static str)> {
    let sign = atoms.iter().position(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns) || a.is('∈'));
    let mut moves = false;
    let mut asks = false;
    for atom in atoms {
        atom.walk(&mut |a| {
            let timed = |s: &Option<Vec<Atom>>| {
                s.iter().flat_map(|s| time::parts(s)).any(|p| {
                    time::pluses(p).is_some() || time::shape(p).is_some_and(|(l, _)| Some(&l) == clock.letter.as_ref())
                })
            };
            moves |= matches!(a.nucleus, Nucleus::Name(_)) && (timed(&a.sub) || timed(&a.sup));
            asks |= a.is('∂') || a.is('∇') || matches!(a.nucleus, Nucleus::Arg(_));
        });
    }
    let Some(sign) = sign else {
        // Where the text has an index and this has it too, a sign is missing.
        return (!(moves && clock.letter.is_some())).then_some((Role::Skipped, "no equation"));
    };
    let member = atoms[sign].is('∈');
    if member && !asks {
        return Some((Role::Initialization, "initialisation"));
    }
    let single = sign == 1 && matches!(atoms[0].nucleus, Nucleus::Name(_));
    let applied = matches!(atoms.get(1), Some(a) if a.is('('));
    let tuple = atoms[0].is('(') || atoms[..sign].iter().any(|a| a.is(','));
    if clock.letter.is_some() && !moves && !single && !applied && !tuple {
        return Some((Role::Skipped, "a constraint"));
    }
    None
}
