//! One line → a statement, or the reason why it is skipped.

use super::ast::{Expression, Node, Sign, Statement};
use super::expression::Parser;
use super::lexer::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};
use std::collections::HashSet;

/// What a line turned out to be.
pub enum Read {
    /// An equation or assignment.
    Statement(Statement),
    /// Of no consequence, with the reason.
    Ignored(&'static str),
}

/// Lines around the updates that say nothing about them.
pub fn skipped(line: &[Token]) -> Option<&'static str> {
    let TokenKind::Name(word) = &line[0].kind else { return None };
    let has_sign = line.iter().any(|t| matches!(t.kind, TokenKind::Symbol('=') | TokenKind::Assign));
    Some(match word.to_lowercase().as_str() {
        "for" | "while" | "repeat" | "loop" => "loop",
        "end" | "endfor" | "until" | "done" => "end of the loop",
        "initialize" | "initialise" | "init" | "initial" | "given" | "choose" if !is_update(line) => "initialisation",
        "set" if has_sign && !is_update(line) => "initialisation",
        "input" | "require" | "data" if !is_update(line) => "input",
        "return" | "output" | "print" if !is_update(line) => "output",
        "minimize" | "minimise" | "min" | "maximize" | "maximise" | "problem" | "solve" if !has_sign => "the problem solved",
        _ => return None,
    })
}

/// `min[k+1] = …` and `input <- …` are updates after all.
fn is_update(line: &[Token]) -> bool {
    matches!(line.get(1).map(|t| &t.kind), Some(TokenKind::Symbol('=' | '[') | TokenKind::Assign))
}

/// Reads `target = value`.
pub fn read(
    line: &[Token],
    span: Span,
    source: &Source,
    oracles: &HashSet<String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Read, Diagnostic> {
    let signs: Vec<usize> = signs(line);
    let Some(&at) = signs.first() else {
        return Err(Diagnostic::error(Code::MissingEquationSign, span, "this line has no `=`")
            .help("write an update as `x[k+1] = …`, and put remarks after `#`"));
    };
    if let Some(&second) = signs.get(1) {
        return Err(Diagnostic::error(Code::UnexpectedToken, line[second].span, "a second sign in one line")
            .label(line[at].span, "the first one")
            .help("write one equation per line"));
    }
    let side = |tokens: &[Token], what: &str, diagnostics: &mut Vec<Diagnostic>| {
        if tokens.is_empty() {
            return Err(Diagnostic::error(Code::MissingArgument, line[at].span, format!("nothing stands {what} the sign"))
                .help("write an update as `x[k+1] = …`"));
        }
        Parser::new(tokens, source, oracles, diagnostics).whole()
    };
    let target = side(&line[..at], "before", diagnostics)?;
    let value = side(&line[at + 1..], "after", diagnostics)?;
    if is_initial_value(&target) {
        return Ok(Read::Ignored("initial value"));
    }
    let sign = if line[at].kind == TokenKind::Assign { Sign::Assigns } else { Sign::Equals };
    Ok(Read::Statement(Statement { span, target, sign, value }))
}

fn signs(line: &[Token]) -> Vec<usize> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (i, token) in line.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol('(' | '[' | '{') => depth += 1,
            TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
            TokenKind::Symbol('=') | TokenKind::Assign if depth == 0 => found.push(i),
            _ => {}
        }
    }
    found
}

/// `x[0] = …`.
fn is_initial_value(target: &Expression) -> bool {
    matches!(&target.node, Node::Indexed(_, index) if index.letter.is_empty())
}
