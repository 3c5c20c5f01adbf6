//! Numbers of equations and of steps: `(2.3)` behind a formula, `(a)` before it.

use super::rows;
use super::scan::{Item, Kind};
use crate::source::Span;

/// A row without its number, and where that stood.
pub fn unnumbered(mut items: Vec<Item>) -> (Vec<Item>, Vec<Span>) {
    let mut found = Vec::new();
    if let Some(end) = leading(&items) {
        found.extend(rows::extent(&items[..end]));
        items.drain(..end);
    }
    if let Some(from) = trailing(&items) {
        found.extend(rows::extent(&items[from..]));
        items.truncate(from);
    }
    (items, found)
}

/// Where the formula begins behind `(a)`, `(2b)` or `a)`.
fn leading(items: &[Item]) -> Option<usize> {
    let first = items.iter().position(|i| !rows::is_gap(&i.kind))?;
    let open = usize::from(items[first].kind == Kind::Char('('));
    let close = items[first..].iter().take(8).position(|i| i.kind == Kind::Char(')'))? + first;
    let label = text(&items[first + open..close])?;
    let next = items.get(close + 1)?;
    let apart = rows::is_gap(&next.kind) || next.span.start > items[close].span.end;
    let goes_on = rows::is_sign(&next.kind)
        || rows::is_operator(&next.kind)
        || matches!(next.kind, Kind::Sub | Kind::Sup | Kind::Char(',' | ')' | '\''));
    let named = is_number(&label) || is_letter(&label);
    (named && apart && !goes_on && !rows::signs(&items[close + 1..]).is_empty()).then_some(close + 1)
}

/// Where `(2.3)` begins behind a formula.
fn trailing(items: &[Item]) -> Option<usize> {
    let stop = |i: &Item| rows::is_gap(&i.kind) || matches!(i.kind, Kind::Char('.' | ',' | ';'));
    let last = items.iter().rposition(|i| !stop(i)).filter(|l| matches!(items[*l].kind, Kind::Char(')' | ']')))?;
    let opening = if items[last].kind == Kind::Char(')') { '(' } else { '[' };
    let open = items[..last].iter().rposition(|i| i.kind == Kind::Char(opening)).filter(|o| last - o < 12)?;
    let before = &items[open.checked_sub(1)?];
    let label = text(&items[open + 1..last])?;
    // `\right)` ends an argument.
    let grown = items[last].span.start > items[last - 1].span.end && !items[last].spaced;
    let gap = rows::is_gap(&before.kind) || items[open].span.start >= before.span.end + 2;
    let space = items[open].spaced || stop(before);
    let hangs = rows::is_operator(&before.kind) || rows::is_sign(&before.kind);
    let named = if is_number(&label) { gap || space } else { gap && is_mark(&label) };
    (named && !hangs && !grown && items[..open].iter().any(|i| !stop(i))).then_some(open)
}

/// What stands in the parentheses, if that may be a label.
fn text(items: &[Item]) -> Option<String> {
    let letter = |i: &Item| match &i.kind {
        Kind::Char(c) if c.is_ascii_alphanumeric() || matches!(c, '.' | '\'' | '*' | '-') => Some(*c),
        Kind::Command(c) if matches!(c.as_str(), "star" | "ast" | "dagger") => Some('*'),
        _ => None,
    };
    items.iter().map(letter).collect::<Option<String>>().filter(|t| !t.is_empty())
}

/// `3`, `2.3`, `7a`, `A.1`, `4'`.
fn is_number(label: &str) -> bool {
    let rest = label.trim_end_matches('\'');
    let rest = rest.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(rest);
    let rest = rest.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(rest);
    let rest = rest.strip_prefix(['.', '-']).unwrap_or(rest);
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    rest.split(['.', '-']).all(digits)
}

/// `a`, `iv`, `A`.
fn is_letter(label: &str) -> bool {
    let roman = label.chars().all(|c| "ivx".contains(c)) && label.len() < 5;
    roman || label.len() == 1 && label.chars().all(|c| c.is_ascii_alphabetic())
}

/// `a`, `iv`, `GD`, `*`.
fn is_mark(label: &str) -> bool {
    let capitals = label.chars().all(|c| c.is_ascii_uppercase()) && label.len() < 6;
    is_letter(label) || capitals || label.chars().all(|c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_factors() {
        let numbers = ["3", "2.3", "7a", "A.1", "S4", "4'", "2.3-1"];
        assert!(numbers.iter().all(|n| is_number(n)));
        assert!(["a", "2.", "k+1", "", "ab", "1.a"].iter().all(|n| !is_number(n)));
        assert!(["a", "iv", "GD", "**"].iter().all(|n| is_mark(n)));
        assert!(!is_mark("ab"));
    }
}
