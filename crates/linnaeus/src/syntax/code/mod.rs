//! Python, Julia and MATLAB: a fragment of a program → the same tree. Nothing is run, only read.
//!
//! Characters become rows of tokens (`token`), rows become blocks and statements (`layout`, `expression`, `tree`), loops over parts are
//! told from loops over time (`parts`), and the block that is repeated is the iteration (`iteration`, `fragment`). Its statements are gone through in order (`flow`, `effects`), names
//! standing for objects that they may share (`machine`, `evaluate`, `call`, `library`, `oracle`, `whose`). A name that is read
//! before it is assigned has last iteration's value; what it stands for at the end is its next one (`emit`).

mod call;
pub(super) mod choice;
mod detect;
mod effects;
mod emit;
mod evaluate;
mod expression;
mod flow;
mod fragment;
mod iteration;
mod layout;
mod library;
mod machine;
mod names;
mod oracle;
mod parts;
mod remark;
mod test;
mod token;
mod tree;
mod whose;

pub use detect::detect;

use super::ast::{Algorithm, Guess, Ignored, Line, Role};
use super::notation::Notation;
use crate::diagnostic::{Code, Diagnostic, has_error};
use crate::source::{Source, Span};
use fragment::Fragment;
use linnaeus_algebra::{SortedMap, SortedSet};

/// A programming language.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// Blocks are indented; arrays are shared and overwritten by `+=`.
    Python,
    /// Blocks end with `end`; arrays are shared and overwritten by `.=`.
    Julia,
    /// Blocks end with `end`; nothing is shared.
    Matlab,
}

/// What is found out on the way.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Lines that are no updates.
    pub aside: Vec<(Span, Role, &'static str)>,
    /// Statements that only hand a value on.
    pub copies: Vec<Span>,
    /// Lines that name a constant.
    pub constant_lines: SortedMap<String, Span>,
    /// Names that stand before `*` in Python.
    pub stars: Vec<(String, Span)>,
    /// Decisions.
    pub guesses: Vec<Guess>,
    /// Remarks.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a fragment of a program.
pub fn read(source: &Source, language: Language, notation: Notation, diagnostics: &mut Vec<Diagnostic>) -> Algorithm {
    let mut algorithm = Algorithm { notation, ..Algorithm::default() };
    let (text, remarks) = remark::declared(source, language, diagnostics);
    let tokens = token::tokenize(&text, language, diagnostics);
    let comments: Vec<Span> = tokens.comments;
    let rows: Vec<Span> = tokens.rows.iter().map(token::Row::span).collect();
    let stray = tokens.rows.iter().flat_map(|r| &r.tokens).find(|t| matches!(t.kind, token::Kind::Stray(_)));
    if let Some(token) = stray {
        let shown = crate::diagnostic::clipped(source.slice(token.span));
        let found = Diagnostic::error(Code::UnexpectedToken, token.span, format!("`{shown}` has no meaning here"));
        diagnostics.push(found.help("remove it"));
    }
    let written = layout::read(tokens.rows, language, diagnostics);
    let parts::Gathered { items: written, pairs, guesses, diagnostics: warnings } =
        parts::gather(&written, language, source);
    let facts = choice::Facts::new(&written, language);
    let choice::Chosen { items, mut aside, choices } = choice::choose(&written, &facts, source);
    let explained = remarks.explained;
    let declared = remarks.lines.iter().map(|span| Line { span: *span, role: Role::Declaration });
    algorithm.lines = declared.collect();
    algorithm.declarations = remarks.declarations;
    if !has_error(diagnostics) {
        match iteration::find(&items) {
            Ok(shape) => {
                diagnostics.extend(warnings);
                algorithm.guesses.extend(guesses);
                let (items, explained, facts) = (&items, &explained, &facts);
                Fragment { source, language, items, explained, facts, choices: &choices, pairs: &pairs }.read(
                    shape,
                    &mut algorithm,
                    diagnostics,
                    &mut aside,
                )
            }
            Err(problem) => diagnostics.push(*problem),
        }
    }
    let around = detect::fences(source.text()).map_or_else(Vec::new, |f| f.outside);
    aside.extend(around.into_iter().map(|span| (span, Role::Comment, "around the code")));
    let declared = |s: &Span| algorithm.declarations.iter().any(|d| d.span == *s);
    aside.extend(comments.into_iter().filter(|c| !declared(c)).map(|c| (c, Role::Comment, "comment")));
    told(&mut algorithm, aside, rows, effects::lines(&written));
    algorithm
}

/// Every statement with what it is for, once.
fn told(algorithm: &mut Algorithm, aside: Vec<(Span, Role, &'static str)>, rows: Vec<Span>, statements: Vec<Span>) {
    let mut done: SortedSet<Span> = algorithm.lines.iter().map(|l| l.span).collect();
    for (span, role, reason) in aside {
        if done.insert(span) {
            algorithm.ignored.push(Ignored { span, role, reason });
        }
    }
    for span in statements {
        if done.insert(span) {
            algorithm.ignored.push(Ignored { span, role: Role::Skipped, reason: "not used by the iteration" });
        }
    }
    for span in rows {
        let covered = done.iter().any(|d| d.start < span.end && span.start < d.end);
        if !covered && done.insert(span) {
            algorithm.ignored.push(Ignored { span, role: Role::Skipped, reason: "layout" });
        }
    }
    algorithm.ignored.sort_by_key(|i| (i.span.start, i.span.end));
}
