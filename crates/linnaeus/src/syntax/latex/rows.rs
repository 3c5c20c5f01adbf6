//! Rows → segments: one equation each. Rows that go on are joined, rows that hold several equations are cut.

use super::layout::{GAP, Page, Row};
use super::scan::{Item, Kind};
use crate::source::{Source, Span};
use crate::syntax::ast::Role;

/// One equation, or what should be one.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Its items.
    pub items: Vec<Item>,
    /// All of it.
    pub span: Span,
}

/// Whether an item is a sign between two sides.
pub fn is_sign(kind: &Kind) -> bool {
    match kind {
        Kind::Char('=') => true,
        Kind::Command(c) => is_assignment(c) || matches!(c.as_str(), "in" | "ni" | "equiv" | "triangleq" | "coloneqq"),
        _ => false,
    }
}

/// `\gets` and its kin.
pub fn is_assignment(command: &str) -> bool {
    matches!(
        command,
        "gets"
            | "leftarrow"
            | "longleftarrow"
            | "Leftarrow"
            | "coloneqq"
            | "colonequals"
            | "mapsfrom"
            | "defeq"
            | "eqdef"
    )
}

fn is_relation(kind: &Kind) -> bool {
    match kind {
        Kind::Char('<' | '>') => true,
        Kind::Command(c) => matches!(
            c.as_str(),
            "le" | "leq"
                | "leqslant"
                | "ge"
                | "geq"
                | "geqslant"
                | "ll"
                | "gg"
                | "neq"
                | "approx"
                | "to"
                | "rightarrow"
                | "subset"
                | "subseteq"
                | "succ"
                | "prec"
                | "succeq"
                | "preceq"
        ),
        _ => false,
    }
}

/// How deep in brackets every item stands; a bracket without partner is none.
pub fn depths(items: &[Item]) -> Vec<usize> {
    let mut partner = vec![false; items.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    let class = |kind: &Kind| match kind {
        Kind::Open | Kind::Close => Some(0),
        Kind::Char('(' | ')' | '[' | ']') => Some(1),
        Kind::Command(c) if c == "{" || c == "}" => Some(2),
        _ => None,
    };
    let opens = |kind: &Kind| {
        matches!(kind, Kind::Open | Kind::Char('(' | '[')) || matches!(kind, Kind::Command(c) if c == "{")
    };
    for (i, item) in items.iter().enumerate() {
        let Some(class) = class(&item.kind) else { continue };
        if opens(&item.kind) {
            open.push((i, class));
        } else if let Some(at) = open.iter().rposition(|(_, c)| *c == class) {
            // A brace closes whatever was left open inside it.
            if class == 0 || at + 1 == open.len() {
                partner[open[at].0] = true;
                partner[i] = true;
                open.truncate(at);
            }
        }
    }
    let mut depth = 0;
    items
        .iter()
        .enumerate()
        .map(|(i, item)| {
            if partner[i] && opens(&item.kind) {
                depth += 1;
                depth
            } else if partner[i] {
                depth -= 1;
                depth + 1
            } else {
                depth
            }
        })
        .collect()
}

/// Where the signs of a line stand.
pub fn signs(items: &[Item]) -> Vec<usize> {
    let depths = depths(items);
    (0..items.len()).filter(|&i| depths[i] == 0 && is_sign(&items[i].kind)).collect()
}

fn is_operator(kind: &Kind) -> bool {
    match kind {
        Kind::Char('+' | '-' | '*' | '/') => true,
        Kind::Command(c) => matches!(c.as_str(), "cdot" | "times" | "circ" | "pm"),
        _ => false,
    }
}

fn is_text(kind: &Kind) -> bool {
    matches!(kind, Kind::Command(c) if matches!(c.as_str(), "text" | "textrm" | "mbox" | "textnormal" | "textbf"))
}

/// Whether a text command holds a word of the notation: `\text{prox}`.
fn names_oracle(items: &[Item]) -> bool {
    let letters = items.iter().skip(2).take(20).take_while(|i| i.kind != Kind::Close);
    let word: String = letters.filter_map(|i| if let Kind::Char(c) = i.kind { Some(c) } else { None }).collect();
    let word = word.to_lowercase();
    matches!(word.as_str(), "prox" | "proj" | "argmin" | "argmax" | "grad" | "id" | "env" | "refl")
}

fn is_gap(kind: &Kind) -> bool {
    matches!(kind, Kind::Command(c) if c == GAP || c == "qquad" || c == "hspace" || c == "enspace")
}

/// The equations of a page; what is none joins the other lines.
pub fn segments(page: Page, source: &Source) -> (Vec<Segment>, Vec<(Span, Role, &'static str)>) {
    let Page { rows, mut aside } = page;
    let mut joined: Vec<Row> = Vec::new();
    for row in rows {
        match joined.last_mut() {
            Some(before) if goes_on(before, &row) => {
                before.items.extend(row.items);
                before.span = before.span.to(row.span);
            }
            _ => joined.push(row),
        }
    }
    let mut found = Vec::new();
    for row in joined {
        let pieces = cut(row.items);
        let several = pieces.len() > 1;
        let mut told = row.span.start;
        for items in pieces {
            let span = if several { extent(&items).unwrap_or(row.span) } else { row.span };
            aside.extend(between(told, span.start, source));
            told = told.max(span.end);
            match purpose(&items) {
                Some((role, reason)) => aside.push((span, role, reason)),
                None => found.push(Segment { items, span }),
            }
        }
        aside.extend(between(told, row.span.end, source));
    }
    (found, aside)
}

/// Words between formulas that take a line of their own.
fn between(from: usize, to: usize, source: &Source) -> Option<(Span, Role, &'static str)> {
    let text = source.slice(Span::new(from, to.max(from)));
    let body = text.trim();
    let start = from + (text.len() - text.trim_start().len());
    (text.contains('\n') && !body.is_empty()).then(|| (Span::new(start, start + body.len()), Role::Comment, "prose"))
}

fn extent(items: &[Item]) -> Option<Span> {
    let mut spans = items.iter().filter(|i| !is_gap(&i.kind)).map(|i| i.span);
    let first = spans.next()?;
    Some(spans.fold(first, Span::to))
}

/// Whether a row is the rest of the one before.
fn goes_on(before: &Row, row: &Row) -> bool {
    let solid = |i: &&Item| !is_gap(&i.kind);
    let (Some(first), Some(last)) = (row.items.iter().find(solid), before.items.iter().rev().find(solid)) else {
        return false;
    };
    if is_sign(&first.kind) && !signs(&before.items).is_empty() {
        return true;
    }
    let own_sign = !signs(&row.items).is_empty();
    let hangs = is_operator(&last.kind) || is_sign(&last.kind) || unclosed(&before.items);
    if own_sign {
        return false;
    }
    is_operator(&first.kind)
        || hangs
        || (!row.is_apart && !signs(&before.items).is_empty() && purpose(&row.items).is_none())
}

fn unclosed(items: &[Item]) -> bool {
    let mut depth = 0i64;
    for item in items {
        match &item.kind {
            Kind::Open | Kind::Char('(' | '[') => depth += 1,
            Kind::Close | Kind::Char(')' | ']') => depth -= 1,
            Kind::Command(c) if c == "{" => depth += 1,
            Kind::Command(c) if c == "}" => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}

/// Cuts a row at gaps and commas, wherever what follows is an equation of its own.
fn cut(items: Vec<Item>) -> Vec<Vec<Item>> {
    let depths = depths(&items);
    let formula: Vec<bool> = (0..items.len()).map(|i| is_text(&items[i].kind) && names_oracle(&items[i..])).collect();
    let mut pieces: Vec<Vec<Item>> = vec![Vec::new()];
    let mut broken: Vec<bool> = vec![false];
    for (i, item) in items.into_iter().enumerate() {
        let separates = depths[i] == 0 && (is_gap(&item.kind) || matches!(item.kind, Kind::Char(',' | ';')));
        let words = is_text(&item.kind) && !formula[i];
        if (separates || (words && depths[i] == 0)) && !pieces.last().is_some_and(Vec::is_empty) {
            pieces.push(Vec::new());
            broken.push(is_gap(&item.kind) || words);
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(item);
        }
    }
    let mut whole: Vec<Vec<Item>> = Vec::new();
    for (piece, apart) in pieces.into_iter().zip(broken) {
        let starts = |p: &[Item]| {
            let at = p.iter().position(|i| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';')));
            at.is_some_and(|at| !is_sign(&p[at].kind) && !is_operator(&p[at].kind))
        };
        let complete = |p: &[Item]| !signs(p).is_empty() || purpose(p).is_some();
        let own = complete(&piece) && starts(&piece);
        match whole.last_mut() {
            Some(before) if !(own && complete(before) || apart && purpose(before).is_some() && starts(&piece)) => {
                before.extend(piece);
            }
            _ => whole.push(piece),
        }
    }
    whole
}

fn starts_with_oracle(items: &[Item]) -> bool {
    items
        .iter()
        .position(|i| matches!(i.kind, Kind::Command(_)) && !is_gap(&i.kind))
        .is_some_and(|at| names_oracle(&items[at..]))
}

/// What a piece is for, if it is no equation to be read.
fn purpose(items: &[Item]) -> Option<(Role, &'static str)> {
    let solid: Vec<&Item> = items
        .iter()
        .filter(|i| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';' | '.' | ':') | Kind::Open | Kind::Close))
        .collect();
    let Some(first) = solid.first() else { return Some((Role::Skipped, "layout")) };
    let brackets = |i: &&Item| match &i.kind {
        Kind::Char(c) => !c.is_alphanumeric() && !matches!(c, '=' | '+' | '-'),
        Kind::Command(c) => matches!(c.as_str(), "{" | "}" | "lbrace" | "rbrace"),
        _ => false,
    };
    if solid.iter().all(brackets) {
        return Some((Role::Skipped, "layout"));
    }
    let rest = solid.get(1).map(|i| &i.kind);
    let command = match &first.kind {
        Kind::Command(c) => c.as_str(),
        _ => "",
    };
    match command {
        "forall" => return Some((Role::Loop, "loop")),
        "text" | "textrm" | "mbox" | "textnormal" | "mathrm" | "textbf" if !starts_with_oracle(items) => {
            let words: String = solid[1..]
                .iter()
                .map_while(|i| match i.kind {
                    Kind::Char(c) if c.is_alphabetic() => Some(c.to_ascii_lowercase()),
                    _ => None,
                })
                .collect();
            if ["for", "until", "while", "repeat", "end"].iter().any(|w| words.starts_with(w)) {
                return Some((Role::Loop, "loop"));
            }
            if words.starts_with("initial") || words.starts_with("choose") || words.starts_with("input") {
                return Some((Role::Initialization, "initialisation"));
            }
            if words.starts_with("subjectto") || words.starts_with("st") && words.len() < 4 || words.starts_with("min")
            {
                return Some((Role::Skipped, "the problem solved"));
            }
            let aside = ["where", "if", "with", "and", "such", "since", "so", "then", "when"];
            let formula = items.iter().any(|i| {
                matches!(&i.kind, Kind::Sub | Kind::Sup)
                    || matches!(&i.kind, Kind::Command(c) if matches!(c.as_str(), "nabla" | "partial"))
            });
            if signs(items).is_empty() && (!formula || aside.iter().any(|w| words.starts_with(w))) {
                return Some((Role::Comment, "prose"));
            }
        }
        "min" | "max" | "minimize" | "underset" | "mathop" if signs(items).is_empty() => {
            return Some((Role::Skipped, "the problem solved"));
        }
        _ => {}
    }
    let is_letter = matches!(first.kind, Kind::Char(c) if c.is_alphabetic());
    if is_letter && rest.is_some_and(is_relation) {
        return Some((Role::Loop, "loop"));
    }
    let numeric = |k: &Kind| match k {
        Kind::Char(c) => c.is_ascii_digit() || matches!(c, ',' | '.'),
        Kind::Command(c) => matches!(c.as_str(), "dots" | "ldots" | "cdots" | "mathbb" | "infty" | "dotsc"),
        _ => false,
    };
    if is_letter && rest.is_some_and(is_sign) && solid.len() > 2 {
        let value = &solid[2..];
        let dots = value.iter().any(|i| matches!(&i.kind, Kind::Command(c) if matches!(c.as_str(), "dots" | "ldots" | "cdots" | "dotsc" | "mathbb")));
        let range = |i: &&Item| {
            numeric(&i.kind) || matches!(i.kind, Kind::Char(c) if c.is_ascii_uppercase() || matches!(c, '-' | '+'))
        };
        if dots && (value.iter().all(range) || solid[1].kind == Kind::Command("in".into())) {
            return Some((Role::Loop, "loop"));
        }
    }
    if signs(items).is_empty() && items.iter().any(|i| is_relation(&i.kind)) {
        return Some((Role::Skipped, "condition"));
    }
    None
}
