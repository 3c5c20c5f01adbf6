//! Equations between matrices in a display, row by row, against the lines that stand beside them.

use super::cells::cells;
use super::claims::matrix;
use super::expand::Expanded;
use super::listing::{Listing, Problem};
use super::outline::word;
use crate::source::{Source, Span};
use crate::syntax::ast::{Node, Statement};
use crate::syntax::notation::Notation;
use crate::syntax::{parse_as, print};
use crate::transfer::Transfer;

/// An equation that a row of a matrix equation says.
struct Row {
    /// In LaTeX.
    text: String,
    /// Its number, from 1.
    number: usize,
    /// Where the matrices stand.
    span: Span,
}

/// Rows that say something else than the lines of the listing, both being complete algorithms.
pub fn mismatches(paper: &Expanded, listing: &Listing) -> Vec<Problem> {
    let Some(analysis) = &listing.reading.analysis else { return Vec::new() };
    let Transfer::Commuting { h, .. } = &analysis.transfer else { return Vec::new() };
    let mut found = Vec::new();
    for row in rows(paper, listing.site.span) {
        let Some(said) = statement(&row.text) else { continue };
        let statements = &listing.reading.algorithm.statements;
        let Some(place) = statements.iter().position(|s| target(s) == target(&said)) else { continue };
        let lines: Vec<String> =
            statements.iter().enumerate().map(|(i, s)| print::statement(if i == place { &said } else { s })).collect();
        let changed = crate::read(&lines.join("\n"));
        let other = changed.analysis.as_ref().map(|a| (&a.transfer, a.channels.len()));
        let Some((Transfer::Commuting { h: other, .. }, calls)) = other else { continue };
        if calls == analysis.channels.len() && other == h {
            continue;
        }
        let name = listing.reading.source.slice(statements[place].target.span).trim().to_string();
        found.push(Problem {
            code: "matrix-mismatch",
            place: paper.files.place(paper.text.origin(row.span.start)),
            message: format!("row {} of this equation is not what the line for `{name}` says", row.number),
            also: vec![(
                paper.files.place(paper.text.origin(listing.site.span.start + statements[place].span.start)),
                "the line stands here".to_string(),
            )],
            help: None,
            is_limit: false,
        });
    }
    found
}

fn target(statement: &Statement) -> Option<(&str, i64)> {
    match &statement.target.node {
        Node::Indexed(name, index) => Some((name, index.halves)),
        _ => None,
    }
}

fn statement(text: &str) -> Option<Statement> {
    let (algorithm, problems) = parse_as(&Source::new(text), Notation::Latex);
    let read = !crate::diagnostic::has_error(&problems) && algorithm.statements.len() == 1;
    algorithm.statements.into_iter().next().filter(|s| read && target(s).is_some())
}

/// The rows of all equations `vector = matrix vector + …` in a display.
fn rows(paper: &Expanded, span: Span) -> Vec<Row> {
    let text = paper.text.slice(span);
    let cells = cells(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = cells.get(at) {
        let count = cells[at..].iter().take_while(|c| c.row == first.row).count();
        let group = &cells[at..at + count];
        at += count;
        let Some(start) = group.iter().position(|c| c.has_matrix) else { continue };
        let offset = span.start + group[start].span.start;
        let last = group[count - 1].span.end;
        let inside: String = text[group[start].span.start..last].to_string();
        found.extend(equation(&inside, paper, offset).unwrap_or_default());
    }
    found
}

/// `v = M w + N u`, as its rows.
fn equation(text: &str, paper: &Expanded, offset: usize) -> Option<Vec<Row>> {
    let skip = |at: usize| {
        let mut at = at;
        loop {
            let rest = &text[at..];
            let body = rest.trim_start_matches(['&', ' ', '\n', '\t', '!', ',', ';']);
            let more = match body.strip_prefix('\\') {
                Some(r) if word(r).is_empty() && r.starts_with(['!', ',', ';', ' ', ':']) => &r[1..],
                _ => body,
            };
            if more.len() == rest.len() {
                return at;
            }
            at = text.len() - more.len();
        }
    };
    let take = |at: usize| matrix(&text[at..], offset + at).map(|(m, length)| (m.rows, at + length));
    let (left, mut at) = take(skip(0))?;
    let height = left.len();
    at = skip(at);
    at = skip(text[at..].strip_prefix('=').map(|r| text.len() - r.len())?);
    let entry = |s: &Span| paper.text.slice(*s).to_string();
    let mut sums: Vec<Vec<String>> = vec![Vec::new(); height];
    loop {
        let (coefficients, next) = take(at)?;
        let (vector, next) = take(skip(next))?;
        let width = vector.len();
        if coefficients.len() != height
            || coefficients.iter().any(|r| r.len() != width)
            || vector.iter().any(|r| r.len() != 1)
        {
            return None;
        }
        for (sum, row) in sums.iter_mut().zip(&coefficients) {
            let terms = row.iter().zip(&vector).map(|(c, v)| (entry(c), entry(&v[0]))).filter(|(c, _)| c.trim() != "0");
            sum.extend(terms.map(|(c, v)| format!("({c}) ({v})")));
        }
        at = skip(next);
        match text[at..].strip_prefix('+') {
            Some(rest) => at = skip(text.len() - rest.len()),
            None => break,
        }
    }
    let rows = left.iter().zip(sums).enumerate().filter(|(_, (l, s))| l.len() == 1 && !s.is_empty());
    let row = |(i, (l, s)): (usize, (&Vec<Span>, Vec<String>))| Row {
        text: format!("{} = {}", entry(&l[0]), s.join(" + ")),
        number: i + 1,
        span: Span::new(offset, offset + text.len()),
    };
    Some(rows.map(row).collect())
}
