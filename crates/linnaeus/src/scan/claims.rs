//! What a paper prints as transfer functions and realizations: the formulas, and whose they are said to be.

use super::cells::cells;
use super::outline::{Outline, Reference, command, group, word};
use crate::source::Span;

/// A formula that says what a transfer function is.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Where, in the expanded text.
    pub span: Span,
    /// Whose; empty where the formula does not say.
    pub labels: Vec<Reference>,
    /// What it is.
    pub value: Value,
}

/// What is printed. Entries are formulas with their places in the expanded text.
#[derive(Clone, Debug)]
pub enum Value {
    /// H itself.
    Transfer(Vec<Vec<Span>>),
    /// The block matrix of A, B, C, D, and the number of states.
    Realization(Vec<Vec<Span>>, usize),
    /// A, B, C and D one after the other.
    Parts(Box<[Vec<Vec<Span>>; 4]>),
}

/// More printed transfer functions than this are not compared.
pub const MAX_CLAIMS: usize = 1_000;

/// All claims of a paper, in order.
pub fn claims(text: &str, outline: &Outline) -> Vec<Claim> {
    let display = |i: usize| outline.blocks[i].is_display() && !outline.is_inside(i, |b| b.is_display());
    let displays = (0..outline.blocks.len()).filter(|&i| display(i)).map(|i| outline.blocks[i].span);
    let mut spans: Vec<Span> = displays.collect();
    let inside = |f: &Span, list: &[Span]| {
        let before = list.partition_point(|d| d.start <= f.start);
        before > 0 && f.end <= list[before - 1].end
    };
    let inline: Vec<Span> = outline.formulas.iter().copied().filter(|f| !inside(f, &spans)).collect();
    spans.extend(inline);
    spans.sort_unstable();
    spans.into_iter().flat_map(|span| in_formula(text, span, outline)).take(MAX_CLAIMS).collect()
}

fn in_formula(text: &str, span: Span, outline: &Outline) -> Vec<Claim> {
    let formula = &text[span.range()];
    let mut found = Vec::new();
    let cells = cells(formula);
    let mut at = 0;
    while let Some(first) = cells.get(at) {
        let count = cells[at..].iter().take_while(|c| c.row == first.row).count();
        // One row, its marks of alignment blank.
        let mut row = formula[first.span.start..cells[at + count - 1].span.end].to_string();
        for pair in cells[at..at + count].windows(2) {
            let gap = pair[0].span.end - first.span.start..pair[1].span.start - first.span.start;
            let blanks = " ".repeat(gap.len());
            row.replace_range(gap, &blanks);
        }
        blank_marks(&mut row);
        found.extend(in_row(&row, span.start + first.span.start, outline));
        at += count;
    }
    found
}

/// Blanks in place of what numbers and names a formula.
fn blank_marks(row: &mut String) {
    for mark in ["\\label{", "\\tag{", "\\nonumber", "\\notag"] {
        while let Some(at) = row.find(mark) {
            let end = if mark.ends_with('{') {
                row[at..].find('}').map_or(row.len(), |i| at + i + 1)
            } else {
                at + mark.len()
            };
            let blanks = " ".repeat(end - at);
            row.replace_range(at..end, &blanks);
        }
    }
}

/// A stretch of a row between two signs, and whether the sign before it begins something new.
struct Member {
    start: usize,
    end: usize,
    fresh: bool,
}

/// Signs between the sides of an equation, and signs after which another one begins.
const EQUAL: &[&str] = &["colonequals", "coloneqq", "defeq", "triangleq", "equiv"];
const APART: &[&str] = &["qquad", "iff", "sim", "implies", "Rightarrow", "Longrightarrow", "Leftrightarrow", "approx"];

fn members(row: &str) -> Vec<Member> {
    let mut found = vec![Member { start: 0, end: row.len(), fresh: true }];
    let (mut at, mut depth) = (0, 0usize);
    let mut cut = |at: usize, next: usize, fresh: bool| {
        if let Some(last) = found.last_mut() {
            last.end = at;
        }
        found.push(Member { start: next, end: row.len(), fresh });
    };
    while let Some(c) = row[at..].chars().next() {
        let rest = &row[at..];
        let mut length = c.len_utf8();
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            '=' | ':' if depth == 0 => cut(at, at + 1, false),
            ',' | ';' if depth == 0 => cut(at, at + 1, true),
            '\\' => {
                let name;
                (name, length) = command(&rest[1..]);
                match name {
                    "begin" => depth += 1,
                    "end" => depth = depth.saturating_sub(1),
                    _ if depth == 0 && EQUAL.contains(&name) => cut(at, at + length, false),
                    _ if depth == 0 && APART.contains(&name) => cut(at, at + length, true),
                    _ => {}
                }
            }
            _ => {}
        }
        at += length;
    }
    found
}

fn in_row(row: &str, offset: usize, outline: &Outline) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut labels: Vec<Reference> = Vec::new();
    let mut named = Named::Nothing;
    for member in members(row) {
        if member.fresh {
            labels.clear();
            named = Named::Nothing;
        }
        let text = &row[member.start..member.end];
        let start = offset + member.start;
        let before = matrix_start(text).unwrap_or(text.len());
        let own = outline.references_in(Span::new(start, start + before));
        let says = !own.is_empty();
        labels.extend(own);
        named = named.max(naming(text));
        let is_value = matrix_start(text).is_some() || (!says && naming(text) == Named::Nothing);
        if !is_value || (labels.is_empty() && named == Named::Nothing) {
            continue;
        }
        let value = value(text, start).filter(|v| match v {
            Value::Parts(_) => named == Named::Realization,
            Value::Transfer(rows) => {
                let one = rows.len() == 1 && rows[0].len() == 1;
                let z = rows.iter().flatten().any(|e| has_z(&row[e.start - offset..e.end - offset]));
                named != Named::Realization && (z || (!one && !labels.is_empty() && named == Named::Transfer))
            }
            Value::Realization(..) => true,
        });
        if let Some(value) = value {
            found.push(Claim { span: Span::new(start, offset + member.end), labels: labels.clone(), value });
        }
    }
    found
}

/// What the left side of an equation names.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Nothing,
    Transfer,
    Realization,
}

fn naming(text: &str) -> Named {
    let body: String = text.chars().filter(|c| !c.is_whitespace() && !"{}!".contains(*c)).collect();
    let body = ["\\left", "\\right", "\\hat", "\\widehat", "\\mathbf", "\\bm", "\\boldsymbol", "\\mathcal", "\\tilde"]
        .iter()
        .fold(body, |b, c| b.replace(c, ""));
    if body == "(A,B,C,D)" {
        return Named::Realization;
    }
    let after = body.strip_prefix('H').map(|a| a.strip_suffix("(z)").unwrap_or(a));
    if after.is_some_and(|a| a.is_empty() || a.starts_with('_') && !a.contains(['+', '-', '='])) {
        Named::Transfer
    } else {
        Named::Nothing
    }
}

fn has_z(text: &str) -> bool {
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|i| {
        let command = || text[..i].rfind('\\').is_some_and(|b| word(&text[b + 1..]).len() >= i - b);
        bytes[i] == b'z' && !command()
    })
}

/// Where the first matrix begins, with the bracket before it.
fn matrix_start(text: &str) -> Option<usize> {
    let begin = text.match_indices("\\begin{").map(|(i, _)| i).find(|&i| {
        let name = group(&text[i + 6..]).map_or("", |(n, _)| n);
        name.trim_end_matches('*').ends_with("matrix") || name == "array"
    })?;
    let before = text[..begin].trim_end();
    let bracket = before.strip_suffix(['[', '(']).map_or(before, |b| b.trim_end().strip_suffix("\\left").unwrap_or(b));
    Some(bracket.len().min(begin))
}

/// Commands that only change how a matrix looks.
fn skip_looks(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = match rest.strip_prefix('\\').map(|r| (r, word(r))) {
            Some((r, "left" | "displaystyle" | "textstyle" | "quad" | "bigl" | "Bigl" | "biggl" | "underbrace")) => {
                &r[word(r).len()..]
            }
            Some((r, "addtolength" | "setlength" | "renewcommand")) => {
                let r = &r[word(r).len()..];
                let r = group(r).map_or(r, |(_, l)| &r[l..]);
                group(r).map_or(r, |(_, l)| &r[l..])
            }
            Some((r, "")) if r.starts_with([',', ';', '!', ':', ' ']) => &r[1..],
            _ => return rest,
        };
        rest = after.trim_start();
    }
}

/// What a member says; `None` where it is no single matrix and no expression.
fn value(text: &str, offset: usize) -> Option<Value> {
    let Some(start) = matrix_start(text) else {
        let body = skip_looks(text);
        let body = body.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '$' | '\\' | ')'));
        let from = text.len() - skip_looks(text).len();
        // Brackets that were cut off belong to the formula.
        let closes = |s: &str| s.matches('(').count() > s.matches(')').count();
        let mut end = from + body.len();
        while closes(&text[from..end]) && text[end..].starts_with(')') {
            end += 1;
        }
        let plain = !text[from..end].is_empty() && !text.contains("\\begin") && !text.contains("\\ref");
        return plain.then(|| Value::Transfer(vec![vec![Span::new(offset + from, offset + end)]]));
    };
    let before = skip_looks(&text[..start]);
    let spoken = before.contains("ref{") || before.trim().is_empty() || before.starts_with("\\text");
    let rest = skip_looks(&text[start..]);
    let at = text.len() - rest.len();
    if !spoken {
        return None;
    }
    if rest.starts_with('(') {
        let mut parts = Vec::new();
        let mut at = at + 1;
        while parts.len() < 4 {
            at += text[at..].len() - text[at..].trim_start_matches([' ', ',', '\n', '\t']).len();
            let (matrix, end) = matrix(&text[at..], offset + at)?;
            parts.push(matrix.rows);
            at += end;
        }
        return Some(Value::Parts(Box::new(<[_; 4]>::try_from(parts).ok()?)));
    }
    let (found, end) = matrix(&text[at..], offset + at)?;
    let tail = text[at + end..].trim_start();
    let tail = tail.strip_prefix("\\right").map_or(tail, |t| t.get(1..).unwrap_or("")).trim_start();
    let tail = tail.strip_prefix([']', ')']).unwrap_or(tail);
    let tail = skip_looks(tail).trim_start_matches(['.', '$']).trim_start();
    let oracles = tail.strip_prefix('\\').map(|t| t[word(t).len()..].trim_start());
    let alone = tail.is_empty()
        || oracles.is_some_and(|t| t.starts_with('(') || t.starts_with("\\left") || t.starts_with(')'))
            && !tail.starts_with("\\begin")
            && !tail.starts_with("\\left")
            && !tail.starts_with("\\hat");
    let states = found.states.filter(|n| *n < found.rows.len());
    alone.then_some(match states {
        Some(n) => Value::Realization(found.rows, n),
        None => Value::Transfer(found.rows),
    })
}

/// A matrix as its entries.
pub struct Entries {
    /// By rows.
    pub rows: Vec<Vec<Span>>,
    /// Where a rule divides it.
    states: Option<usize>,
}

/// The matrix that a text begins with, and its length.
pub fn matrix(text: &str, offset: usize) -> Option<(Entries, usize)> {
    let body = skip_looks(text);
    let body = body.strip_prefix(['[', '(']).unwrap_or(body).trim_start();
    let rest = body.strip_prefix("\\begin")?;
    let (name, taken) = group(rest)?;
    let mut start = text.len() - rest.len() + taken;
    let close = format!("\\end{{{name}}}");
    let mut states = None;
    if name == "array" {
        let (columns, taken) = group(&text[start..])?;
        start += taken;
        states = columns.split_once('|').map(|(left, _)| left.chars().filter(|c| "lcr".contains(*c)).count());
    } else if !name.trim_end_matches('*').ends_with("matrix") {
        return None;
    }
    let mut rows: Vec<Vec<Span>> = vec![Vec::new()];
    let (mut at, mut from, mut depth) = (start, start, 0usize);
    let entry = |from: usize, to: usize| {
        let mut inside = &text[from..to];
        let mut from = from;
        for rule in ["\\hline", "\\\\hdashline"] {
            if let Some(after) = inside.trim_start().strip_prefix(rule) {
                from += inside.len() - after.len();
                inside = after;
            }
        }
        let trimmed = inside.trim();
        let lead = inside.len() - inside.trim_start().len();
        Span::new(offset + from + lead, offset + from + lead + trimmed.len())
    };
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut length = c.len_utf8();
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '&' if depth == 0 => {
                rows.last_mut()?.push(entry(from, at));
                from = at + 1;
            }
            '\\' if depth == 0 && rest.starts_with(&close) => {
                rows.last_mut()?.push(entry(from, at));
                rows.retain(|r| r.iter().any(|e| e.start < e.end));
                return Some((Entries { rows, states }, at + close.len()));
            }
            '\\' => {
                let name;
                (name, length) = command(&rest[1..]);
                match name {
                    "begin" => depth += 1,
                    "end" => depth = depth.saturating_sub(1),
                    "" if rest.starts_with("\\\\") && depth == 0 => {
                        rows.last_mut()?.push(entry(from, at));
                        if rest[2..].starts_with('[') {
                            length += rest[2..].find(']').map_or(0, |i| i + 1);
                        }
                        from = at + length;
                        rows.push(Vec::new());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        at += length;
    }
    None
}
