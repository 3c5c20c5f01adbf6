//! Capitals that pasted text uses as maps that are not linear: `F(x^k)` beside `F x^k`, and whatever stands
//! beside a resolvent.

use super::ast::Guess;
use super::lexer::{Token, TokenKind};
use super::names::oracle_word;
use std::collections::BTreeSet;

/// How a capital is used.
#[derive(Default)]
struct Uses {
    called: BTreeSet<String>,
    beside: BTreeSet<String>,
    inverted: BTreeSet<String>,
    linear: BTreeSet<String>,
    resolvents: bool,
}

/// The capitals that are taken for oracles, with what to declare if they are not.
pub fn oracles(lines: &[&[Token]], declared: &dyn Fn(&str) -> bool) -> Vec<Guess> {
    let mut uses = Uses::default();
    lines.iter().for_each(|line| look(line, &mut uses));
    let Uses { called, beside, inverted, linear, resolvents } = uses;
    let both: BTreeSet<String> = called.intersection(&beside).cloned().collect();
    let alone: BTreeSet<String> = inverted.difference(&beside).cloned().collect();
    let near = if resolvents || !alone.is_empty() { beside } else { BTreeSet::new() };
    let all: BTreeSet<String> = both.into_iter().chain(alone).chain(near).collect();
    all.into_iter()
        .filter(|n| !linear.contains(n) && !declared(n))
        .map(|name| Guess { taken_as: "an oracle".to_string(), declaration: format!("operator {name}: X -> X"), name })
        .collect()
}

fn look(line: &[Token], uses: &mut Uses) {
    let symbol = |i: usize, c: char| line.get(i).is_some_and(|t| t.kind == TokenKind::Symbol(c));
    for (i, token) in line.iter().enumerate() {
        let TokenKind::Name(name) = &token.kind else { continue };
        let subscript = line.get(i + 1).is_some_and(|t| t.kind == TokenKind::Underscore);
        if subscript && oracle_word(name).is_some() {
            uses.resolvents |= matches!(name.as_str(), "J" | "R" | "resolvent");
        }
        let capital = name.starts_with(char::is_uppercase) && name != "I";
        let below = i > 1 && in_subscript(line, i);
        if !capital || subscript || below {
            continue;
        }
        let next = line.get(i + 1).map(|t| &t.kind);
        match next {
            Some(TokenKind::Symbol('\'' | '^' | '[')) => {
                uses.linear.insert(name.clone());
            }
            Some(TokenKind::Symbol('(')) => {
                let one = matches!(line.get(i + 2).map(|t| &t.kind), Some(TokenKind::Name(_)));
                let bare = symbol(i + 3, ')');
                let indexed = symbol(i + 3, '[')
                    && line[i + 3..]
                        .iter()
                        .position(|t| t.kind == TokenKind::Symbol(']'))
                        .is_some_and(|c| symbol(i + 4 + c, ')'));
                if one && (bare || indexed) {
                    uses.called.insert(name.clone());
                }
            }
            Some(TokenKind::Name(_)) => {
                uses.beside.insert(name.clone());
            }
            Some(TokenKind::Symbol(')')) if !symbol(i + 2, '^') && beside_identity(line, i) => {
                uses.beside.insert(name.clone());
            }
            Some(TokenKind::Symbol(')'))
                if beside_identity(line, i) && symbol(i + 2, '^') && symbol(i + 3, '(') && symbol(i + 4, '-') =>
            {
                uses.inverted.insert(name.clone());
            }
            _ => {}
        }
    }
}

/// Whether a capital ends a sum that begins with the identity: `(I - t B)`.
fn beside_identity(line: &[Token], at: usize) -> bool {
    let open = line[..at].iter().rposition(|t| t.kind == TokenKind::Symbol('('));
    open.is_some_and(|o| matches!(line.get(o + 1).map(|t| &t.kind), Some(TokenKind::Name(n)) if n == "I"))
}

/// Whether a token stands between `_{` and `}`.
fn in_subscript(line: &[Token], at: usize) -> bool {
    let mut depth = 0i64;
    for i in (0..at).rev() {
        match line[i].kind {
            TokenKind::Symbol('}') => depth += 1,
            TokenKind::Symbol('{') if depth == 0 => {
                return i > 0 && line[i - 1].kind == TokenKind::Underscore;
            }
            TokenKind::Symbol('{') => depth -= 1,
            _ => {}
        }
    }
    false
}
