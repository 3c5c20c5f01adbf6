//! A transfer matrix on a page, `\hat H(z) = \begin{bmatrix} … \end{bmatrix}` and `\Phi = (\nabla f, …)`, as the lines
//! `H = [[…], […]]` and `oracles: …` of the plain notation.

use super::atoms::{Atom, atoms};
use super::emit::Emitter;
use super::scan::{Item, Kind, scan};
use super::time::{Clock, Place};
use super::{MAX_ITEMS, macros, too_long, without_declarations};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use crate::syntax::lexer::{Token, TokenKind, tokenize};
use crate::syntax::notation::Notation;
use linnaeus_algebra::{Rational, SortedSet};

/// Environments of which a matrix is made.
const MATRICES: &[&str] = &["bmatrix", "pmatrix", "matrix", "array", "smallmatrix", "Bmatrix", "vmatrix"];

/// Declarations, the matrix and the oracles, as lines of tokens; what is none of these is passed over.
pub fn lines(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Vec<Vec<Token>> {
    let (declared, text) = without_declarations(source);
    let items = scan(&text, Notation::Latex).items;
    if items.len() > MAX_ITEMS {
        let message = format!("the text has more than {MAX_ITEMS} characters and commands");
        diagnostics.push(too_long(Span::new(0, 0), message, MAX_ITEMS));
        return Vec::new();
    }
    let items = macros::expand(items, &mut Vec::new(), diagnostics);
    let mut page = Page { items: &items, diagnostics };
    let mut found: Vec<Vec<Token>> = declared.into_iter().map(|d| d.tokens).collect();
    let oracles = plain_oracles(source.text()).or_else(|| page.oracles());
    found.extend(page.matrix(oracles.is_some()));
    found.extend(oracles);
    found
}

/// `oracles: prox_f, grad g` in the plain notation.
fn plain_oracles(text: &str) -> Option<Vec<Token>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim_start().strip_prefix('%').unwrap_or(line).trim_start();
        if own.starts_with("oracles:") && !own.contains('\\') {
            let mut tokens = tokenize(own, &mut Vec::new());
            tokens.retain(|t| !matches!(t.kind, TokenKind::Newline | TokenKind::Comment));
            let shift = start + line.len() - own.len();
            for t in &mut tokens {
                t.span = Span::new(t.span.start + shift, t.span.end + shift);
            }
            return Some(tokens);
        }
        start += line.len();
    }
    None
}

fn is_command(item: &Item, name: &str) -> bool {
    matches!(&item.kind, Kind::Command(c) if c == name)
}

fn is_char(item: &Item, c: char) -> bool {
    item.kind == Kind::Char(c)
}

/// A list with its separators: `[a, b]`.
fn joined(parts: Vec<Vec<Token>>, span: Span) -> Vec<Token> {
    let symbol = |c: char| Token { kind: TokenKind::Symbol(c), span, spaced: false };
    let mut out = Vec::new();
    for (n, part) in parts.into_iter().enumerate() {
        if n > 0 {
            out.push(symbol(','));
        }
        out.extend(part);
    }
    out
}

fn bracketed(inside: Vec<Token>, span: Span) -> Vec<Token> {
    let symbol = |c: char| Token { kind: TokenKind::Symbol(c), span, spaced: false };
    [symbol('[')].into_iter().chain(inside).chain([symbol(']')]).collect()
}

struct Page<'a> {
    items: &'a [Item],
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Page<'_> {
    /// `H = [[…], […]]`; a single entry without brackets where oracles are named, else `H` is any name.
    fn matrix(&mut self, named: bool) -> Option<Vec<Token>> {
        let (name, start) = (0..self.items.len()).find_map(|i| Some((i, self.value_of_h(i)?)))?;
        let span = self.items[name].span;
        let rest = &self.items[start..];
        let begin = rest.iter().position(|i| is_command(i, "begin"));
        let entries = match begin.filter(|b| rest[..*b].iter().all(opens)) {
            Some(begin) => self.rows(start + begin)?,
            None if !named => return None,
            None => {
                let end = rest.iter().position(ends_display);
                let end = end.or_else(|| rest.iter().position(|i| i.kind == Kind::Newline)).unwrap_or(rest.len());
                vec![vec![self.formula(&rest[..end])]]
            }
        };
        let rows = entries.into_iter().map(|row| bracketed(joined(row, span), span)).collect();
        let head = [TokenKind::Name("H".to_string()), TokenKind::Symbol('=')];
        let head = head.into_iter().map(|kind| Token { kind, span, spaced: false });
        Some(head.chain(bracketed(joined(rows, span), span)).collect())
    }

    /// Where the value begins if `H`, `\hat H` or `\hat{H}(z)` and a sign stand here.
    fn value_of_h(&self, at: usize) -> Option<usize> {
        let is_letter = |i: usize| {
            self.items.get(i).is_some_and(|i| !i.spaced && matches!(i.kind, Kind::Char(c) if c.is_alphabetic()))
        };
        if !is_char(&self.items[at], 'H') || is_letter(at + 1) {
            return None;
        }
        let mut next = at + 1;
        let is = |i: usize, kind: Kind| self.items.get(i).is_some_and(|item| item.kind == kind);
        if is(next, Kind::Close) {
            next += 1;
        }
        if is(next, Kind::Char('(')) && is(next + 2, Kind::Char(')')) {
            next += 3;
        }
        is(next, Kind::Char('=')).then_some(next + 1)
    }

    /// The cells of the environment that begins here.
    fn rows(&mut self, begin: usize) -> Option<Vec<Vec<Vec<Token>>>> {
        let name: String = self.items[begin + 1..]
            .iter()
            .skip(1)
            .map_while(|i| match i.kind {
                Kind::Char(c) => Some(c),
                _ => None,
            })
            .collect();
        if !MATRICES.contains(&name.trim_end_matches('*')) {
            return None;
        }
        let mut at = begin + 3 + name.chars().count();
        if name == "array" {
            at += self.items[at..].iter().position(|i| i.kind == Kind::Close)? + 1;
        }
        let (mut rows, mut row, mut cell, mut depth) = (Vec::new(), Vec::new(), Vec::new(), 0usize);
        let items = self.items;
        while let Some(item) = items.get(at) {
            at += 1;
            match &item.kind {
                Kind::Command(c) if c == "end" => break,
                Kind::Command(c) if c == "hline" => {}
                Kind::Newline => {}
                Kind::Align if depth == 0 => row.push(self.formula(&std::mem::take(&mut cell))),
                Kind::Break if depth == 0 => {
                    row.push(self.formula(&std::mem::take(&mut cell)));
                    rows.push(std::mem::take(&mut row));
                    // `\\[1ex]`
                    if items.get(at).is_some_and(|i| is_char(i, '[') && !i.spaced) {
                        at += items[at..].iter().position(|i| is_char(i, ']')).map_or(0, |n| n + 1);
                    }
                }
                kind => {
                    match kind {
                        Kind::Open => depth += 1,
                        Kind::Close => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    cell.push(item.clone());
                }
            }
        }
        if !cell.is_empty() || !row.is_empty() {
            row.push(self.formula(&cell));
            rows.push(row);
        }
        Some(rows)
    }

    /// `oracles: …`, from `\Phi = (…)` or a line that begins so.
    fn oracles(&mut self) -> Option<Vec<Token>> {
        let items = self.items;
        let named = |i: usize| {
            let sign = items.get(i + 1).is_some_and(|s| is_char(s, '='));
            (is_command(&items[i], "Phi") && sign).then_some((i + 2, false))
        };
        let listed = |i: usize| {
            let word: String = items[i..].iter().take(8).filter_map(letter).collect();
            (word == "oracles:").then_some((i + 8, true))
        };
        let (start, to_the_end) = (0..items.len()).find_map(|i| named(i).or_else(|| listed(i)))?;
        let span = items[start - 1].span;
        let mut inside = &items[start..];
        if to_the_end {
            inside = &inside[..inside.iter().position(|i| i.kind == Kind::Newline).unwrap_or(inside.len())];
        } else {
            let open = inside.iter().position(|i| is_char(i, '('))?;
            let close = open + closing(&inside[open..])?;
            let right = is_command(&inside[close - 1], "right");
            inside = inside.get(open + 1..close - usize::from(right))?;
        }
        let (mut depth, mut parts) = (0i32, vec![Vec::new()]);
        for item in inside {
            match item.kind {
                Kind::Open | Kind::Char('(') => depth += 1,
                Kind::Close | Kind::Char(')') => depth -= 1,
                _ => {}
            }
            match parts.last_mut() {
                Some(last) if !(depth == 0 && is_char(item, ',')) => last.push(item.clone()),
                _ => parts.push(Vec::new()),
            }
        }
        let parts = parts.iter().map(|p| self.formula(p)).collect();
        let head = [TokenKind::Name("oracles".to_string()), TokenKind::Symbol(':')];
        let head = head.into_iter().map(|kind| Token { kind, span, spaced: false });
        Some(head.chain(joined(parts, span)).collect())
    }

    /// A formula without time.
    fn formula(&mut self, items: &[Item]) -> Vec<Token> {
        let clock = Clock {
            divergence: false,
            letter: None,
            place: Place::Sub,
            iterates: SortedSet::new(),
            above: SortedSet::new(),
            numbered: SortedSet::new(),
            called: SortedSet::new(),
            sets: SortedSet::new(),
            plus: false,
            others: Vec::new(),
            rivals: SortedSet::new(),
            names: SortedSet::new(),
            factors: SortedSet::new(),
            is_guess: false,
        };
        let read = atoms(items, Notation::Latex, &|_, _| false, self.diagnostics);
        let made =
            read.and_then(|atoms: Vec<Atom>| Emitter::new(&clock, &mut Vec::new(), self.diagnostics).line(&atoms));
        made.unwrap_or_else(|problem| {
            let span = problem.span;
            self.diagnostics.push(problem);
            vec![Token { kind: TokenKind::Number(Rational::ZERO), span, spaced: false }]
        })
    }
}

/// The parenthesis that closes the first item.
fn closing(items: &[Item]) -> Option<usize> {
    let mut depth = 0usize;
    items.iter().position(|i| {
        depth += usize::from(is_char(i, '('));
        depth -= usize::from(is_char(i, ')') && depth > 0);
        depth == 0
    })
}

fn letter(item: &Item) -> Option<char> {
    match item.kind {
        Kind::Char(c) => Some(c),
        _ => None,
    }
}

/// What may stand before a matrix.
fn opens(item: &Item) -> bool {
    is_command(item, "left") || is_char(item, '[') || is_char(item, '(') || item.kind == Kind::Newline
}

fn ends_display(item: &Item) -> bool {
    matches!(item.kind, Kind::Math | Kind::Break) || is_command(item, "end")
}
