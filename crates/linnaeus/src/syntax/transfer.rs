//! A transfer matrix as text, plain or in LaTeX: `H = [[-1/(z-1), 1/(z-1)], [(2*z-1)/(z-1), -1/(z-1)]]` and a line
//! `oracles: prox_f, prox_g`, with declarations as in other texts.

use super::ast::{Algorithm, Declaration, Expression, Node};
use super::declaration;
use super::expression::Parser;
use super::latex;
use super::lexer::{Token, TokenKind, tokenize};
use super::notation::Notation;
use super::plain::{MAX_BYTES, balanced, logical_lines, too_much};
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Source, Span};
use linnaeus_algebra::Rational;

/// More rows than this are not read.
pub const MAX_ROWS: usize = 24;

/// What stands in such a text.
#[derive(Clone, Debug)]
pub struct TransferText {
    /// Lines that declare.
    pub declarations: Vec<Declaration>,
    /// The oracles, each called at `QUERY`.
    pub oracles: Vec<Expression>,
    /// The entries of H.
    pub rows: Vec<Vec<Expression>>,
    /// The matrix.
    pub span: Span,
}

/// The vector at which the listed oracles are called in the tree.
pub const QUERY: &str = "query~";

/// Whether the text gives a transfer matrix rather than updates.
pub fn is_transfer(source: &Source) -> bool {
    let lines = lines(source, &mut Vec::new());
    if Notation::detect(source.text()) == Notation::Latex {
        return lines.iter().any(|l| is_matrix(l));
    }
    let begins =
        |l: &[Token]| l.get(2).is_some_and(|t| t.kind == TokenKind::Symbol('[')) || diagonal(&l[2..]).is_some();
    lines.iter().any(|l| is_matrix(l) && begins(l))
        || (lines.iter().any(|l| is_oracles(l)) && lines.iter().any(|l| is_matrix(l)))
}

fn lines(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Vec<Vec<Token>> {
    if source.text().len() > MAX_BYTES {
        return Vec::new();
    }
    if Notation::detect(source.text()) == Notation::Latex {
        return latex::matrix::lines(source, diagnostics);
    }
    let lines = logical_lines(&tokenize(source.text(), diagnostics), &mut Algorithm::default());
    lines.into_iter().map(without_argument).collect()
}

/// `H(z) = …` is `H = …`.
fn without_argument(mut line: Vec<Token>) -> Vec<Token> {
    let kinds = [
        TokenKind::Name("H".to_string()),
        TokenKind::Symbol('('),
        TokenKind::Name("z".to_string()),
        TokenKind::Symbol(')'),
        TokenKind::Symbol('='),
    ];
    if line.len() > kinds.len() && line.iter().zip(&kinds).all(|(token, kind)| token.kind == *kind) {
        line.drain(1..4);
    }
    line
}

/// Whether the text gives a transfer matrix and names its oracles: nothing else is meant then.
pub fn is_whole_transfer(source: &Source) -> bool {
    source.text().contains("oracle")
        && lines(source, &mut Vec::new()).iter().any(|l| is_oracles(l))
        && is_transfer(source)
}

/// `H = …`
fn is_matrix(line: &[Token]) -> bool {
    matches!(line, [h, sign, ..] if h.kind == TokenKind::Name("H".to_string()) && sign.kind == TokenKind::Symbol('='))
}

/// `oracles: …`
fn is_oracles(line: &[Token]) -> bool {
    matches!(line, [word, colon, ..] if colon.kind == TokenKind::Symbol(':')
        && matches!(&word.kind, TokenKind::Name(w) if w == "oracles" || w == "oracle"))
}

/// Reads the text; what could not be read is in the list.
pub fn parse_transfer(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Option<TransferText> {
    let lines = lines(source, diagnostics);
    let notation = Notation::detect(source.text());
    let vocabulary = Vocabulary::new(&lines.iter().map(Vec::as_slice).collect::<Vec<_>>(), notation);
    let mut reader = Reader { source, vocabulary: &vocabulary, diagnostics };
    let (mut declarations, mut oracles, mut matrix) = (Vec::new(), None, None);
    for line in &lines {
        if !balanced(line, reader.diagnostics) {
            continue;
        }
        let span = line[0].span.to(line[line.len() - 1].span);
        if is_matrix(line) && matrix.is_none() {
            matrix = Some((span, reader.matrix(&line[2..], span)));
        } else if is_oracles(line) && oracles.is_none() {
            oracles = Some(reader.oracles(&line[2..], span));
        } else if declaration::is_declaration(line) {
            match declaration::read(line, span) {
                Ok(found) => declarations.push(found),
                Err(problem) => reader.diagnostics.push(problem),
            }
        } else {
            reader.report(span, "beside a transfer matrix only declarations may stand", EXAMPLE);
        }
    }
    declaration::check(&declarations, reader.diagnostics);
    let whole = Span::new(0, source.text().trim_end().len());
    let Some((span, rows)) = matrix else {
        reader.report(whole, "there is no transfer matrix", EXAMPLE);
        return None;
    };
    let Some(oracles) = oracles else {
        reader.report(span, "the oracles of this matrix are not named", "add a line such as `oracles: prox_f, grad g`");
        return None;
    };
    let text = TransferText { declarations, oracles: oracles?, rows: rows?, span };
    reader.is_square(&text).then_some(text)
}

/// A list of oracles, `prox_f, grad g`.
pub fn parse_oracles(source: &Source) -> Result<Vec<Expression>, Diagnostic> {
    alone(source, |reader, line, span| reader.oracles(line, span))
}

/// A single expression.
pub fn parse_expression(source: &Source) -> Result<Expression, Diagnostic> {
    alone(source, |reader, line, span| reader.expression(line, span))
}

/// Reads a text of one line; the first mistake counts.
fn alone<T>(source: &Source, read: impl FnOnce(&mut Reader, &[Token], Span) -> Option<T>) -> Result<T, Diagnostic> {
    let mut diagnostics = Vec::new();
    let lines = lines(source, &mut diagnostics);
    let vocabulary = Vocabulary::new(&[], Notation::Plain);
    let whole = Span::new(0, source.text().trim_end().len());
    let mut found = None;
    if let [line] = lines.as_slice()
        && balanced(line, &mut diagnostics)
    {
        let mut reader = Reader { source, vocabulary: &vocabulary, diagnostics: &mut diagnostics };
        found = read(&mut reader, line, whole);
    }
    let error = diagnostics.into_iter().find(|d| d.severity == Severity::Error);
    match (error, found) {
        (Some(problem), _) => Err(problem),
        (None, Some(found)) => Ok(found),
        (None, None) => Err(Diagnostic::error(Code::UnexpectedToken, whole, "this cannot be read")
            .help("write one expression, or oracles with commas between them")),
    }
}

const EXAMPLE: &str = "write `H = [[-1/(z-1), 1/(z-1)], [(2*z-1)/(z-1), -1/(z-1)]]` and `oracles: prox_f, prox_g`";

struct Reader<'a> {
    source: &'a Source,
    vocabulary: &'a Vocabulary,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(&mut self, span: Span, message: &str, help: &str) {
        self.diagnostics.push(Diagnostic::error(Code::BadTransfer, span, message).help(help));
    }

    /// `[[a, b], [c, d]]`, `diag(a, d)`, or a single entry without brackets.
    fn matrix(&mut self, tokens: &[Token], span: Span) -> Option<Vec<Vec<Expression>>> {
        if let Some(inside) = diagonal(tokens) {
            return self.diagonal(inside, span);
        }
        let rows: Vec<&[Token]> = match bracketed(tokens) {
            Some(inside) if inside.first().is_some_and(|t| t.kind == TokenKind::Symbol('[')) => items(inside),
            _ => vec![tokens],
        };
        if rows.len() > MAX_ROWS {
            return self.too_many(rows.len(), span);
        }
        let mut found = Some(Vec::new());
        for row in rows {
            let entries = items(bracketed(row).unwrap_or(row));
            let read: Vec<Option<Expression>> = entries.iter().map(|e| self.expression(e, span)).collect();
            match (read.into_iter().collect::<Option<Vec<_>>>(), &mut found) {
                (Some(row), Some(rows)) => rows.push(row),
                _ => found = None,
            }
        }
        found
    }

    /// The entries on the diagonal, the others being zero.
    fn diagonal(&mut self, inside: &[Token], span: Span) -> Option<Vec<Vec<Expression>>> {
        let entries = items(inside);
        if entries.len() > MAX_ROWS {
            return self.too_many(entries.len(), span);
        }
        let read: Vec<Option<Expression>> = entries.iter().map(|e| self.expression(e, span)).collect();
        let found = read.into_iter().collect::<Option<Vec<_>>>()?;
        let zero = |e: &Expression| Expression::new(e.span, Node::Number(Rational::ZERO));
        let row =
            |i: usize| (0..found.len()).map(|j| if i == j { found[i].clone() } else { zero(&found[i]) }).collect();
        Some((0..found.len()).map(row).collect())
    }

    fn too_many<T>(&mut self, rows: usize, span: Span) -> Option<T> {
        let message = format!("the matrix has {rows} rows; at most {MAX_ROWS} are read");
        self.diagnostics.push(too_much(span, message, &format!("{MAX_ROWS} rows")));
        None
    }

    /// `prox_f, grad g`: each item is read as if it were called.
    fn oracles(&mut self, tokens: &[Token], span: Span) -> Option<Vec<Expression>> {
        let mut found = Some(Vec::new());
        for item in items(tokens) {
            let called: Vec<Token> = match item.last() {
                None => Vec::new(),
                Some(last) => {
                    let token = |kind: TokenKind| Token { kind, span: last.span, spaced: false };
                    let index = [TokenKind::Symbol('['), TokenKind::Name("k".to_string()), TokenKind::Symbol(']')];
                    let argument = [TokenKind::Symbol('('), TokenKind::Name(QUERY.to_string())];
                    let kinds = argument.into_iter().chain(index).chain([TokenKind::Symbol(')')]);
                    item.iter().cloned().chain(kinds.map(token)).collect()
                }
            };
            match (self.expression(&called, span), &mut found) {
                (Some(oracle), _) if !matches!(oracle.node, Node::Call(_) | Node::Apply(..)) => {
                    let place = item[0].span.to(item[item.len() - 1].span);
                    self.report(place, "this is no oracle", "write `prox_{t f}`, `grad g`, or the name of a black box");
                    found = None;
                }
                (Some(oracle), Some(list)) => list.push(oracle),
                _ => found = None,
            }
        }
        found
    }

    fn expression(&mut self, tokens: &[Token], span: Span) -> Option<Expression> {
        if tokens.is_empty() {
            self.report(span, "something is missing between two commas or brackets", EXAMPLE);
            return None;
        }
        match Parser::new(tokens, self.source, self.vocabulary, self.diagnostics).whole() {
            Ok(found) => Some(found),
            Err(problem) => {
                self.diagnostics.push(problem);
                None
            }
        }
    }

    fn is_square(&mut self, text: &TransferText) -> bool {
        let p = text.oracles.len();
        let wrong = text.rows.iter().find(|r| r.len() != p);
        let place = |row: &Vec<Expression>| row[0].span.to(row[row.len() - 1].span);
        if text.rows.len() == p && wrong.is_none() {
            return true;
        }
        let span = wrong.map_or(text.span, place);
        let (rows, columns) = (text.rows.len(), wrong.map_or(p, Vec::len));
        let shape = |rows: usize, columns: usize| match (rows, columns) {
            (1, 1) => "1 entry".to_string(),
            (1, n) => format!("1 row of {n} entries"),
            (m, 1) => format!("{m} rows of 1 entry"),
            (m, n) => format!("{m} rows of {n} entries"),
        };
        let verb = if p == 1 { "is 1 oracle".to_string() } else { format!("are {p} oracles") };
        let message = format!("there {verb}, so H has {}, not {}", shape(p, p), shape(rows, columns));
        let example = if p == 1 { "write `H = -t/(z-1)` and `oracles: grad f`" } else { EXAMPLE };
        self.report(span, &message, example);
        false
    }
}

/// What stands between the parentheses of `diag(…)`, if that is all.
fn diagonal(tokens: &[Token]) -> Option<&[Token]> {
    let is_word = matches!(&tokens.first()?.kind, TokenKind::Name(w) if w == "diag");
    let open = tokens.get(1).filter(|t| is_word && t.kind == TokenKind::Symbol('('));
    partner(&tokens[1..]).filter(|i| open.is_some() && i + 2 == tokens.len()).map(|i| &tokens[2..i + 1])
}

/// What stands between the first token and its partner, if that is the last.
fn bracketed(tokens: &[Token]) -> Option<&[Token]> {
    let i = partner(tokens)?;
    (tokens[0].kind == TokenKind::Symbol('[') && i + 1 == tokens.len()).then(|| &tokens[1..i])
}

/// Where what the first token opens is shut; 0 if it opens nothing.
fn partner(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol('(' | '[' | '{') => depth += 1,
            TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// The parts between commas that stand in no parentheses.
fn items(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut depth, mut start) = (0, 0);
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol('(' | '[' | '{') => depth += 1,
            TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
            TokenKind::Symbol(',') if depth == 0 => {
                found.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    found.push(&tokens[start..]);
    found
}
