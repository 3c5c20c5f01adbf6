//! Rows → segments: one equation each. Rows that go on are joined, rows that hold several equations are cut.

use super::blocks::Blocks;
use super::layout::{Announced, GAP, Page, Row, WORDS};
use super::scan::{Item, Kind};
use super::words::{self, is_verb};
use crate::source::{Source, Span};
use crate::syntax::ast::Role;

/// A line that is no equation: where, what for, and why it is not used.
pub type Aside = (Span, Role, &'static str);

/// One equation, or what should be one.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Its items.
    pub items: Vec<Item>,
    /// All of it.
    pub span: Span,
    /// The block that it stands in.
    pub block: usize,
    /// When it is done, if not always.
    pub condition: Option<Span>,
    /// What words before it say, and the row with them.
    pub announced: Option<(Announced, Span)>,
}

/// Whether an item is a sign between two sides.
pub fn is_sign(kind: &Kind) -> bool {
    match kind {
        Kind::Char('=') => true,
        Kind::Command(c) => {
            is_assignment(c)
                || matches!(c.as_str(), "in" | "ni" | "equiv" | "triangleq" | "coloneqq" | "defeq" | "eqdef")
        }
        _ => false,
    }
}

/// `\gets` and its kin.
pub fn is_assignment(command: &str) -> bool {
    matches!(command, "gets" | "leftarrow" | "longleftarrow" | "Leftarrow" | "coloneqq" | "colonequals" | "mapsfrom")
}

/// Whether an item compares two sides.
pub fn is_relation(kind: &Kind) -> bool {
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
                | "sim"
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
        Kind::Char('<' | '>') => Some(3),
        _ => None,
    };
    let opens = |kind: &Kind| {
        matches!(kind, Kind::Open | Kind::Char('(' | '[' | '<')) || matches!(kind, Kind::Command(c) if c == "{")
    };
    for (i, item) in items.iter().enumerate() {
        let Some(class) = class(&item.kind) else { continue };
        if opens(&item.kind) {
            open.push((i, class));
        } else if let Some(at) = open.iter().rposition(|(_, c)| *c == class) {
            // A brace closes whatever was left open inside it, and a bracket what only compares.
            let compares = open[at + 1..].iter().all(|(_, c)| *c == 3);
            let pairs = class != 3 || is_inner_product(&items[open[at].0..i]);
            if (class == 0 || compares) && pairs {
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

/// Whether `<` and what follows it, up to a `>`, is an inner product: two parts, and no sign between two sides.
fn is_inner_product(items: &[Item]) -> bool {
    items.iter().any(|i| i.kind == Kind::Char(',')) && !items.iter().any(|i| is_sign(&i.kind))
}

/// Where the signs of a line stand.
pub fn signs(items: &[Item]) -> Vec<usize> {
    let depths = depths(items);
    (0..items.len()).filter(|&i| depths[i] == 0 && is_sign(&items[i].kind)).collect()
}

/// Whether an item stands between two terms or factors.
pub fn is_operator(kind: &Kind) -> bool {
    match kind {
        Kind::Char('+' | '-' | '*' | '/') => true,
        Kind::Command(c) => matches!(c.as_str(), "cdot" | "times" | "circ" | "pm"),
        _ => false,
    }
}

/// Whether a command holds words.
pub fn is_text(kind: &Kind) -> bool {
    matches!(kind, Kind::Command(c) if matches!(c.as_str(), "text" | "textrm" | "mbox" | "textnormal" | "textbf"))
}

/// Whether a text command holds a word of the notation: `\text{prox}`.
fn names_oracle(items: &[Item]) -> bool {
    let letters = items.iter().skip(2).take(20).take_while(|i| i.kind != Kind::Close);
    let word: String = letters.filter_map(|i| if let Kind::Char(c) = i.kind { Some(c) } else { None }).collect();
    let small = word.to_lowercase();
    matches!(small.as_str(), "prox" | "proj" | "argmin" | "argmax" | "grad" | "id" | "env" | "refl")
        || is_called(items, &word)
}

/// Whether a single word is called at once: `\text{Denoise}(x_k)`.
fn is_called(items: &[Item], word: &str) -> bool {
    let Some(close) = items.iter().position(|i| i.kind == Kind::Close) else { return false };
    let behind = items.get(close + 1).is_some_and(|i| matches!(i.kind, Kind::Char('(') | Kind::Sub) && !i.spaced);
    let inside = items.get(3..=close).is_some_and(|all| all.iter().all(|i| !i.spaced && i.kind != Kind::Open));
    let says = super::words::by_words(word, false).is_some() || super::words::is_condition(word) || is_verb(word);
    behind && inside && !says && word.chars().count() > 2 && word.chars().all(char::is_alphabetic)
}

/// Whether an item only keeps others apart.
pub fn is_gap(kind: &Kind) -> bool {
    matches!(kind, Kind::Command(c) if c == GAP || c == WORDS || c == "qquad" || c == "hspace" || c == "enspace")
}

/// The equations of a page; what is none joins the other lines.
pub fn segments(page: Page, source: &Source) -> (Vec<Segment>, Vec<Aside>, Blocks) {
    let Page { rows, mut aside, blocks } = page;
    let mut joined: Vec<Row> = Vec::new();
    for row in rows {
        match joined.last_mut() {
            Some(before) if goes_on(before, &row) => {
                before.items.extend(row.items);
                before.span = before.span.to(row.span);
                before.condition = before.condition.or(row.condition);
            }
            _ => joined.push(row),
        }
    }
    let mut found = Vec::new();
    let mut pending: Option<Span> = None;
    for row in joined {
        let pieces = cut(row.items);
        let several = pieces.len() > 1;
        let mentions = pieces.iter().flatten().any(|i| matches!(&i.kind, Kind::Command(c) if c == WORDS))
            && pieces.iter().any(|p| purpose(p).is_none() && !signs(p).is_empty());
        let mut told = row.span.start;
        let test = pieces.iter().position(|p| tests(p)).filter(|t| !assumes(&pieces[*t..].concat()));
        let stops = pieces.iter().any(|p| words::is_stop(&words_of(p)));
        let own = test.filter(|_| !stops).and_then(|t| extent(&pieces[t])).or(row.condition);
        // A condition on a row of its own is that of the row below.
        let says = pieces.iter().any(|p| purpose(p).is_none() && !signs(p).is_empty() && !self::tests(p));
        let condition = own.or(pending.filter(|_| says));
        pending = if says || stops { None } else { own.or(pending) };
        for items in pieces {
            let span = if several { extent(&items).unwrap_or(row.span) } else { row.span };
            if let Some(announced) = row.announced {
                let items = without_verb(items);
                if purpose(&items).is_none() && !signs(&items).is_empty() {
                    let span = extent(&items).unwrap_or(span);
                    let announced = Some((announced, row.span));
                    found.push(Segment { items, span, block: row.block, condition, announced });
                }
                continue;
            }
            aside.extend(between(told, span.start, source));
            told = told.max(span.end);
            let prose = several && mentions && signs(&items).is_empty();
            let purpose = purpose(&items)
                .or_else(|| tests_alone(&items, condition).then_some((Role::Skipped, "condition")))
                .or_else(|| prose.then_some((Role::Comment, "prose")));
            match purpose {
                Some((role, reason)) => aside.push((span, role, reason)),
                None => found.push(Segment { items, span, block: row.block, condition, announced: None }),
            }
        }
        if row.announced.is_none() {
            aside.extend(between(told, row.span.end, source));
        }
    }
    (found, aside, blocks)
}

/// Whether a row holds an equation.
pub fn says(items: &[Item]) -> bool {
    cut(items.to_vec()).iter().any(|p| purpose(p).is_none() && !signs(p).is_empty())
}

/// Whether formulas call something: a sign may be missing then.
pub fn asks(items: &[Item]) -> bool {
    items.iter().any(|i| match &i.kind {
        Kind::Command(c) => matches!(c.as_str(), "nabla" | "partial" | "prox" | "argmin" | "operatorname"),
        _ => false,
    })
}

/// The words at the beginning of a piece: `\text{if }`.
fn words_of(items: &[Item]) -> String {
    let solid = |i: &Item| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';' | '.'));
    let Some(at) = items.iter().position(solid).filter(|at| is_text(&items[*at].kind)) else { return String::new() };
    let mut words = String::new();
    for item in items.iter().skip(at + 1).take_while(|i| i.kind != Kind::Close) {
        match item.kind {
            Kind::Char(c) if item.spaced => words.extend([' ', c]),
            Kind::Char(c) => words.push(c),
            _ => {}
        }
    }
    words
}

/// Whether a piece says when the others of its row count.
fn tests(items: &[Item]) -> bool {
    words::is_condition(&words_of(items))
}

/// Whether a piece says what is assumed: `\text{if } f \text{ is smooth}`.
fn assumes(items: &[Item]) -> bool {
    let mut text = String::new();
    for item in items {
        match item.kind {
            Kind::Char(c) if !item.spaced => text.push(c),
            Kind::Char(c) => text.extend([' ', c]),
            _ => text.push(' '),
        }
    }
    words::is_assumption(&text) && !items.iter().any(|i| is_sign(&i.kind) || is_relation(&i.kind))
}

/// Whether a piece of a row with a condition is the condition, or a value without a name before it.
fn tests_alone(items: &[Item], condition: Option<Span>) -> bool {
    condition.is_some() && (tests(items) || signs(items).is_empty())
}

/// `compute y^k = …` where words and formulas are not told apart.
pub fn without_verb(items: Vec<Item>) -> Vec<Item> {
    let start = items.iter().position(|i| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';'))).unwrap_or(0);
    let mut at = start;
    loop {
        let letter = |(n, i): (usize, &Item)| match i.kind {
            Kind::Char(c) if c.is_alphabetic() && (n == 0 || !i.spaced) => Some(c.to_ascii_lowercase()),
            _ => None,
        };
        let word: String = items[at..].iter().enumerate().map_while(letter).collect();
        if word.chars().count() < 2 || !(is_verb(&word) || matches!(word.as_str(), "and" | "then" | "we" | "now")) {
            break;
        }
        at += word.chars().count();
    }
    if at == start { items } else { items[at..].to_vec() }
}

/// Words between formulas that take a line of their own.
fn between(from: usize, to: usize, source: &Source) -> Option<(Span, Role, &'static str)> {
    let text = source.slice(Span::new(from, to.max(from)));
    let body = text.trim();
    let start = from + (text.len() - text.trim_start().len());
    (text.contains('\n') && !body.is_empty()).then(|| (Span::new(start, start + body.len()), Role::Comment, "prose"))
}

/// The place of a piece.
pub fn extent(items: &[Item]) -> Option<Span> {
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
    if before.block != row.block || before.announced.is_some() || row.announced.is_some() {
        return false;
    }
    if is_sign(&first.kind) && !signs(&before.items).is_empty() {
        return true;
    }
    let value = row.items.iter().position(|i| is_text(&i.kind)).filter(|at| tests(&row.items[*at..]));
    let own_sign = !signs(&row.items[..value.unwrap_or(row.items.len())]).is_empty();
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
    let mut said: Vec<bool> = vec![false];
    for (i, item) in items.into_iter().enumerate() {
        let separates = depths[i] == 0 && (is_gap(&item.kind) || matches!(item.kind, Kind::Char(',' | ';')));
        let words = is_text(&item.kind) && !formula[i];
        if (separates || (words && depths[i] == 0)) && !pieces.last().is_some_and(Vec::is_empty) {
            pieces.push(Vec::new());
            broken.push(is_gap(&item.kind) || words);
            said.push(false);
        }
        if let (Kind::Command(c), Some(said)) = (&item.kind, said.last_mut()) {
            *said |= c == WORDS;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(item);
        }
    }
    let mut whole: Vec<Vec<Item>> = Vec::new();
    let mut spoken = false;
    for ((piece, apart), said) in pieces.into_iter().zip(broken).zip(said) {
        let solid = piece.iter().any(|i| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';')));
        spoken |= said;
        let named = solid && std::mem::take(&mut spoken);
        let starts = |p: &[Item]| {
            let at = p.iter().position(|i| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';')));
            at.is_some_and(|at| !is_sign(&p[at].kind) && !is_operator(&p[at].kind))
        };
        let complete = |p: &[Item]| !signs(p).is_empty() || purpose(p).is_some();
        let own = complete(&piece) && starts(&piece);
        match whole.last_mut() {
            _ if tests(&piece) => whole.push(piece),
            // `given x^k, compute y^k = …`: words stand between.
            Some(_) if named && own => whole.push(piece),
            Some(before) if named && complete(before) && starts(&piece) => whole.push(piece),
            Some(before) if tests(before) && !words_of(&piece).is_empty() && own => whole.push(piece),
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

/// The letters behind the first item.
fn word_behind(solid: &[&Item]) -> String {
    let letter = |i: &&Item| match i.kind {
        Kind::Char(c) if c.is_alphabetic() => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    solid[1..].iter().map_while(letter).collect()
}

/// What a word of a program says that a piece is for.
fn structural(words: &str) -> Option<(Role, &'static str)> {
    let begins = |all: &[&str]| all.iter().any(|w| words.starts_with(w));
    if begins(&["for", "until", "while", "repeat", "end"]) {
        return Some((Role::Loop, "loop"));
    }
    begins(&["return", "output", "print"]).then_some((Role::Output, "output"))
}

/// `k = …`
fn counts(solid: &[&Item]) -> bool {
    matches!(solid, [letter, sign, _, ..] if is_sign(&sign.kind) && matches!(letter.kind, Kind::Char(c) if c.is_alphabetic()))
        && solid.iter().all(|i| !matches!(i.kind, Kind::Char('(' | ')')))
}

/// What a piece is for, if it is no equation to be read.
fn purpose(items: &[Item]) -> Option<(Role, &'static str)> {
    let solid: Vec<&Item> = items
        .iter()
        .filter(|i| !is_gap(&i.kind) && !matches!(i.kind, Kind::Char(',' | ';' | '.' | ':') | Kind::Open | Kind::Close))
        .collect();
    // `(k = 0, 1, 2, \ldots)`
    let solid = match &solid[..] {
        [open, inside @ .., close]
            if open.kind == Kind::Char('(') && close.kind == Kind::Char(')') && counts(inside) =>
        {
            inside
        }
        all => all,
    };
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
            let words = word_behind(solid);
            if let Some(found) = structural(&words) {
                return Some(found);
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
        // `{\bf return}`
        "bf" | "rm" | "it" | "tt" | "bfseries" | "textit" | "textsf" | "texttt" | "textsc" | "mathbf" | "mathsf" => {
            if let Some(found) = structural(&word_behind(solid)) {
                return Some(found);
            }
        }
        "min" | "max" | "minimize" | "underset" | "mathop" if signs(items).is_empty() => {
            return Some((Role::Skipped, "the problem solved"));
        }
        _ => {}
    }
    // `k \gets k + 1`: it counts.
    if let [letter, sign, same, plus, one] = solid
        && is_sign(&sign.kind)
        && letter.kind == same.kind
        && matches!(letter.kind, Kind::Char('k' | 't' | 'n' | 'i' | 'j' | 'm'))
        && (&plus.kind, &one.kind) == (&Kind::Char('+'), &Kind::Char('1'))
    {
        return Some((Role::Loop, "it counts"));
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
