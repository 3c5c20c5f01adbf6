//! What comments say to the reader: declarations, and what a function returns.

use super::Language;
use crate::diagnostic::{Diagnostic, has_error};
use crate::source::{Source, Span};
use crate::syntax::ast::{Declaration, Expression, Node};
use crate::syntax::expression::Parser;
use crate::syntax::lexer::{Token, TokenKind, tokenize};
use crate::syntax::notation::Notation;
use crate::syntax::vocabulary::Vocabulary;
use crate::syntax::{declaration, latex};
use linnaeus_algebra::SortedMap;

/// What comments say.
#[derive(Default)]
pub struct Remarks {
    /// `# operator A: X -> Y`, with or without the mark of a comment.
    pub declarations: Vec<Declaration>,
    /// Where they stand, and where others stand that could not be read.
    pub lines: Vec<Span>,
    /// `# inverse1(v) returns inv(I + A)*v`.
    pub explained: SortedMap<String, (Vec<String>, Expression)>,
}

/// Reads declarations, and the text with blanks where they stood.
pub fn declared(source: &Source, language: Language, diagnostics: &mut Vec<Diagnostic>) -> (String, Remarks) {
    let marks: &[char] = if language == Language::Matlab { &['%', '#', ' ', '\t'] } else { &['#', ' ', '\t'] };
    let (mut text, mut found) = (String::with_capacity(source.text().len()), Remarks::default());
    let mut start = 0;
    for line in super::detect::without_prompts(source.text()).split_inclusive('\n') {
        let body = line.trim_start_matches(marks);
        let at = start + line.len() - body.len();
        let is_comment = line.trim_start().starts_with(['#', '%']);
        let clashes = !is_comment && (body.starts_with("function") || body.starts_with("set")) && !body.contains(':');
        let tokens = if latex::declares(body) && !clashes { shifted(body, at) } else { Vec::new() };
        let span = |t: &[Token]| t[0].span.to(t[t.len() - 1].span);
        let read = (!tokens.is_empty() && declaration::is_declaration(&tokens))
            .then(|| declaration::read(&tokens, span(&tokens)));
        match read {
            Some(Ok(declaration)) if !is_comment || is_meant(&declaration, source) => {
                found.lines.push(declaration.span);
                found.declarations.push(declaration);
                text.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            }
            Some(Err(problem)) if !is_comment => {
                diagnostics.push(problem);
                found.lines.push(span(&tokens));
                text.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            }
            _ => {
                if is_comment {
                    found.explained.extend(explained(body, at, source));
                }
                text.push_str(line);
            }
        }
        start += line.len();
    }
    (text, found)
}

/// A comment declares only names that the program uses.
fn is_meant(declaration: &Declaration, source: &Source) -> bool {
    let code = source.text().lines().filter(|l| !l.trim_start().starts_with(['#', '%']));
    let words: Vec<&str> = code.flat_map(|l| l.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
    let uses = |name: &str| words.iter().any(|w| super::names::clean(w) == name || w.split('_').any(|p| p == name));
    declaration.node.names().iter().all(|n| uses(&n.name))
}

/// The tokens of the plain notation, at their places in the whole text.
fn shifted(body: &str, at: usize) -> Vec<Token> {
    let mut own = Vec::new();
    let mut tokens = tokenize(body, &mut own);
    tokens.retain(|t| !matches!(t.kind, TokenKind::Newline | TokenKind::Comment));
    for token in &mut tokens {
        token.span = Span::new(token.span.start + at, token.span.end + at);
    }
    if has_error(&own) { Vec::new() } else { tokens }
}

/// `inverse1(v) returns inv(I + A)*v`.
fn explained(body: &str, at: usize, source: &Source) -> Option<(String, (Vec<String>, Expression))> {
    let (head, value) = body.split_once(" returns ")?;
    let (name, parameters) = head.trim().strip_suffix(')')?.split_once('(')?;
    let is_name = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_alphanumeric() || c == '_');
    let parameters: Vec<String> = parameters.split(',').map(|p| p.trim().to_string()).collect();
    if !is_name(name) || !parameters.iter().all(|p| is_name(p)) {
        return None;
    }
    let tokens = shifted(value, at + body.len() - value.len());
    let mut own = Vec::new();
    if tokens.is_empty() || !crate::syntax::plain::balanced(&tokens, &mut own) {
        return None;
    }
    let vocabulary = Vocabulary::new(&[], Notation::Plain);
    let read = Parser::new(&tokens, source, &vocabulary, &mut own).whole().ok()?;
    let linear = !has_error(&own) && !matches!(read.node, Node::Apply(..) | Node::Call(_));
    linear.then(|| (name.to_string(), (parameters, read)))
}
