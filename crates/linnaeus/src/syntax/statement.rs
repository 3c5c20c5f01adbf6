//! One line → a statement, or the reason why it is skipped.

use super::ast::{Expression, Node, Sign, Statement};
use super::expression::Parser;
use super::lexer::{Token, TokenKind};
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};

/// What a line turned out to be.
pub enum Read {
    /// An equation or assignment.
    Statement(Box<Statement>),
    /// Of no consequence, with the reason.
    Ignored(&'static str),
}

/// Lines around the updates that say nothing about them.
pub fn skipped(line: &[Token]) -> Option<&'static str> {
    let TokenKind::Name(word) = &line[0].kind else {
        return None;
    };
    let has_sign = line.iter().any(|t| matches!(t.kind, TokenKind::Symbol('=') | TokenKind::Assign));
    Some(match word.to_lowercase().as_str() {
        "for" | "while" | "repeat" | "loop" => "loop",
        "end" | "endfor" | "until" | "done" => "end of the loop",
        "initialize" | "initialise" | "init" | "initial" | "given" | "choose" if !is_update(line) => "initialisation",
        "set" if has_sign && !is_update(line) => "initialisation",
        "input" | "require" | "data" if !is_update(line) => "input",
        "return" | "output" | "print" if !is_update(line) => "output",
        "minimize" | "minimise" | "min" | "maximize" | "maximise" | "problem" | "solve" if !has_sign => {
            "the problem solved"
        }
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
    vocabulary: &Vocabulary,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Read, Diagnostic> {
    let at = sign(line, span, source)?;
    let mut side = |tokens: &[Token], place: &str| {
        if tokens.is_empty() {
            return Err(Diagnostic::error(
                Code::UnexpectedToken,
                line[at].span,
                format!("nothing stands {place} this"),
            )
            .help(format!("write an update as `x[k+1] = …`: something is missing {place} the sign")));
        }
        Parser::new(tokens, source, vocabulary, diagnostics).whole()
    };
    let (target, value) = (side(&line[..at], "before"), side(&line[at + 1..], "after"));
    let (target, value) = match (target, value) {
        (Err(left), Err(right)) => {
            diagnostics.push(left);
            return Err(right);
        }
        (target, value) => (target?, value?),
    };
    if is_initial_value(&target) {
        return Ok(Read::Ignored("initial value"));
    }
    let sign = if line[at].kind == TokenKind::Assign { Sign::Assigns } else { Sign::Equals };
    let statement = Statement { span, target, sign, value };
    Ok(Read::Statement(Box::new(statement)))
}

/// The one sign of a line.
fn sign(line: &[Token], span: Span, source: &Source) -> Result<usize, Diagnostic> {
    let signs = signs(line);
    let Some(&at) = signs.first() else {
        return Err(Diagnostic::error(Code::MissingEquationSign, span, "this line has no `=`")
            .help("write an update as `x[k+1] = …`, and put remarks after `#`"));
    };
    let touching = |i: usize| i > 0 && line[i].span.start == line[i - 1].span.end;
    let part = |t: &Token| matches!(t.kind, TokenKind::Symbol('=' | '<' | '>' | '+' | '-' | '*' | '/'));
    let first = if at > 0 && touching(at) && part(&line[at - 1]) { at - 1 } else { at };
    let last = match line.get(at + 1) {
        Some(t) if touching(at + 1) && matches!(t.kind, TokenKind::Symbol('=' | '<' | '>')) => at + 1,
        _ => at,
    };
    if first < last || first < at {
        let whole = line[first].span.to(line[last].span);
        let message = format!("`{}` is no sign of an equation", source.slice(whole));
        return Err(Diagnostic::error(Code::UnexpectedToken, whole, message)
            .help("write a single `=`, as in `x[k+1] = x[k] + …`"));
    }
    match signs.get(1) {
        None => Ok(at),
        Some(&second) => Err(Diagnostic::error(Code::UnexpectedToken, line[second].span, "a second sign in one line")
            .label(line[at].span, "the first one")
            .help("write one equation per line")),
    }
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
