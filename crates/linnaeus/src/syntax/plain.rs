//! The plain notation: `x[k+1] = x[k] - t*grad f(x[k])`, one equation per line.

use super::ast::{Algorithm, Ignored, Node};
use super::lexer::{Token, TokenKind, tokenize};
use super::vocabulary::Vocabulary;
use super::{declaration, statement};
use crate::diagnostic::{Code, Diagnostic, MAX_ERRORS, has_error};
use crate::source::{Source, Span};
use std::collections::BTreeSet;

/// More statements than this are not read.
pub const MAX_STATEMENTS: usize = 200;
/// More names and numbers than this, counted wherever they stand, are not read.
pub const MAX_TEXT: usize = 5000;
/// More different names than this are not read.
pub const MAX_NAMES: usize = 200;
/// More text than this is not read.
pub const MAX_BYTES: usize = 200_000;

/// Reads the plain notation. What could be read is in the tree; what could not is in the list.
///
/// ```
/// use linnaeus::{source::Source, syntax::parse};
/// let (algorithm, diagnostics) = parse(&Source::new("x[k+1] = x[k] - t*grad f(x[k])"));
/// assert_eq!(algorithm.statements.len(), 1);
/// assert!(diagnostics.is_empty());
/// ```
pub fn parse(source: &Source) -> (Algorithm, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut algorithm = Algorithm::default();
    let length = source.text().len();
    if length > MAX_BYTES {
        let message = format!("the text has {length} bytes; at most {MAX_BYTES} are read");
        diagnostics.push(too_much(Span::new(0, 0), message, &format!("{MAX_BYTES} bytes")));
        return (algorithm, diagnostics);
    }
    let tokens = tokenize(source.text(), &mut diagnostics);
    let mut lines = logical_lines(&tokens, &mut algorithm);
    if lines.len() > MAX_STATEMENTS {
        let message = format!("there are {} statements; at most {MAX_STATEMENTS} are read", lines.len());
        diagnostics.push(too_much(lines[MAX_STATEMENTS][0].span, message, &format!("{MAX_STATEMENTS} statements")));
        lines.truncate(MAX_STATEMENTS);
    }
    let vocabulary = Vocabulary::new(&lines);
    for line in &lines {
        if diagnostics.len() < MAX_ERRORS && balanced(line, source, &mut diagnostics) {
            read_line(line, source, &vocabulary, &mut algorithm, &mut diagnostics);
        }
    }
    declaration::check(&algorithm.declarations, &mut diagnostics);
    diagnostics.extend(too_large(&algorithm));
    if algorithm.statements.is_empty() && !has_error(&diagnostics) {
        diagnostics.push(
            Diagnostic::error(Code::EmptyInput, Span::new(0, 0), "there is no equation to read")
                .help("type an update such as `x[k+1] = x[k] - t*grad f(x[k])`"),
        );
    }
    (algorithm, diagnostics)
}

pub(super) fn too_much(span: Span, message: String, bound: &str) -> Diagnostic {
    Diagnostic::error(Code::LimitLines, span, message).help(format!("give one algorithm at a time, at most {bound}"))
}

/// Where the statements say more than is read.
fn too_large(algorithm: &Algorithm) -> Option<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut size = 0;
    for statement in &algorithm.statements {
        statement.walk(&mut |e| match &e.node {
            Node::Name(name) | Node::Indexed(name, _) | Node::Apply(name, ..) => {
                size += 1;
                names.insert(name.clone());
            }
            _ => size += 1,
        });
        let message = "up to here the text is as long as is read";
        if size > MAX_TEXT {
            return Some(too_much(statement.span, message.to_string(), &format!("{MAX_TEXT} names and numbers")));
        }
        if names.len() > MAX_NAMES {
            return Some(too_much(statement.span, message.to_string(), &format!("{MAX_NAMES} different names")));
        }
    }
    None
}

fn read_line(
    line: &[Token],
    source: &Source,
    vocabulary: &Vocabulary,
    algorithm: &mut Algorithm,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let span = line[0].span.to(line[line.len() - 1].span);
    if let Some(reason) = statement::skipped(line) {
        algorithm.ignored.push(Ignored { span, reason });
    } else if declaration::is_declaration(line) {
        match declaration::read(line, span) {
            Ok(found) => algorithm.declarations.push(found),
            Err(problem) => diagnostics.push(problem),
        }
    } else {
        match statement::read(line, span, source, vocabulary, diagnostics) {
            Ok(statement::Read::Statement(found)) => algorithm.statements.push(*found),
            Ok(statement::Read::Ignored(reason)) => algorithm.ignored.push(Ignored { span, reason }),
            Err(problem) => diagnostics.push(problem),
        }
    }
}

/// Groups tokens into statements: a statement ends with its line or at `;`, unless a parenthesis is
/// open or an operator hangs over and the next line has no sign of its own.
pub(super) fn logical_lines(tokens: &[Token], algorithm: &mut Algorithm) -> Vec<Vec<Token>> {
    let mut lines = Vec::new();
    let mut line: Vec<Token> = Vec::new();
    let mut depth = 0i64;
    for (i, token) in tokens.iter().enumerate() {
        match &token.kind {
            TokenKind::Comment => {
                if line.is_empty() {
                    algorithm.ignored.push(Ignored { span: token.span, reason: "comment" });
                }
                continue;
            }
            TokenKind::Newline => {
                let next = next_line(&tokens[i + 1..]);
                let hangs = depth > 0 || line.last().is_some_and(is_operator) || next.first().is_some_and(is_operator);
                if line.is_empty() || (hangs && !next.is_empty() && !next.iter().any(is_sign)) {
                    continue;
                }
            }
            TokenKind::Semicolon if depth <= 0 => {}
            kind => {
                match kind {
                    TokenKind::Symbol('(' | '[' | '{') => depth += 1,
                    TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
                    _ => {}
                }
                line.push(token.clone());
                continue;
            }
        }
        depth = 0;
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

fn next_line(tokens: &[Token]) -> &[Token] {
    let end =
        tokens.iter().position(|t| matches!(t.kind, TokenKind::Newline | TokenKind::Comment)).unwrap_or(tokens.len());
    &tokens[..end]
}

fn is_operator(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Symbol('+' | '-' | '*' | '/' | '=') | TokenKind::Assign)
}

fn is_sign(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Symbol('=') | TokenKind::Assign)
}

/// Whether every parenthesis has its partner; reports the first that has not.
pub(super) fn balanced(line: &[Token], source: &Source, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let mut open: Vec<&Token> = Vec::new();
    let problem = |span: Span, message: String, help: String| {
        Diagnostic::error(Code::UnbalancedParenthesis, span, message).help(help)
    };
    for token in line {
        let TokenKind::Symbol(c) = token.kind else {
            continue;
        };
        match c {
            '(' | '[' | '{' => open.push(token),
            ')' | ']' | '}' => match open.pop() {
                None => {
                    diagnostics.push(problem(
                        token.span,
                        format!("this `{c}` closes nothing"),
                        format!("remove `{c}` or open it before"),
                    ));
                    return false;
                }
                Some(opener) if partner(source.slice(opener.span)) != c => {
                    let want = partner(source.slice(opener.span));
                    diagnostics.push(
                        problem(opener.span, format!("this is closed by `{c}`"), format!("close it with `{want}`"))
                            .label(token.span, "closed here"),
                    );
                    return false;
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    if let Some(opener) = open.last() {
        let want = partner(source.slice(opener.span));
        diagnostics.push(problem(
            opener.span,
            format!("this is never closed by `{want}`"),
            format!("add the missing `{want}`"),
        ));
        return false;
    }
    true
}

fn partner(open: &str) -> char {
    match open {
        "(" => ')',
        "[" => ']',
        _ => '}',
    }
}
