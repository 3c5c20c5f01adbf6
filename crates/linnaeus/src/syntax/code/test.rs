//! Tests before a branch: what they ask of a name, where that can be told.

use super::token::{Kind, Token};
use super::tree::bracket;
use linnaeus_algebra::Rational;

/// What a branch hangs on.
#[derive(Clone, Debug)]
pub enum Test {
    /// `if a and b`: all of them.
    All(Vec<Question>),
    /// `else`
    Otherwise,
    /// Anything else.
    Open,
}

/// One thing that is asked of a name.
#[derive(Clone, Debug)]
pub struct Question {
    /// Whose value is asked for; `self.` and the like are left out.
    pub name: String,
    /// What is asked.
    pub asks: Asks,
    /// Whether it is to be otherwise.
    pub negated: bool,
}

/// What may be asked of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Asks {
    /// `nesterov`
    Set,
    /// `buf is not None`
    Given,
    /// `'buf' in state`, `len(state) > 0`
    Stored,
    /// `mu == 0`
    Equals(Rational),
    /// `mu > 0`, `k >= 1`: no less than the first possible value behind the number.
    Above(Rational),
}

/// Reads the head of a branch, its first word included.
pub fn read(head: &[Token]) -> Test {
    let rest = match head.first().and_then(Token::word) {
        Some("else") if head.len() == 1 => return Test::Otherwise,
        Some("otherwise") => return Test::Otherwise,
        Some("else") if head[1].word() == Some("if") => &head[2..],
        Some("if" | "elif" | "elseif") => &head[1..],
        _ => return Test::Open,
    };
    condition(rest)
}

/// Reads a condition.
pub fn condition(tokens: &[Token]) -> Test {
    let tokens = bare(tokens);
    let joins = |t: &Token| t.word() == Some("and") || t.is("&&") || t.is("&");
    let mut depth = 0i64;
    let mut parts = vec![Vec::new()];
    for token in tokens {
        depth += bracket(token);
        if depth == 0 && joins(token) {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(token.clone());
        }
    }
    match parts.iter().map(|p| question(p)).collect::<Option<Vec<_>>>() {
        Some(questions) => Test::All(questions),
        None => Test::Open,
    }
}

/// Without parentheses around all of it.
fn bare(tokens: &[Token]) -> &[Token] {
    let mut rest = tokens;
    while let [open, inside @ .., close] = rest {
        let mut depth = 0i64;
        let whole = inside.iter().all(|t| {
            depth += bracket(t);
            depth >= 0
        });
        if !open.is("(") || !close.is(")") || !whole {
            break;
        }
        rest = inside;
    }
    rest
}

fn question(tokens: &[Token]) -> Option<Question> {
    let tokens = bare(tokens);
    let first = tokens.first()?;
    if first.word() == Some("not") || first.is("!") || first.is("~") {
        let inner = question(&tokens[1..])?;
        return Some(Question { negated: !inner.negated, ..inner });
    }
    let (asks, negated, name) = asked(tokens)?;
    Some(Question { name, asks, negated })
}

fn asked(tokens: &[Token]) -> Option<(Asks, bool, String)> {
    if let Some(name) = path(tokens) {
        return Some((Asks::Set, false, name));
    }
    let nothing = |t: &Token| matches!(t.word(), Some("None" | "nothing"));
    match tokens {
        [function, open, inside @ .., close] if open.is("(") && close.is(")") => match function.word()? {
            "isnothing" | "isempty" => return Some((Asks::Given, true, path(inside)?)),
            "hasattr" | "isfield" | "haskey" | "exist" => {
                let name = inside.iter().find_map(|t| match &t.kind {
                    Kind::Text(text) => Some(text.clone()),
                    _ => None,
                });
                return Some((Asks::Stored, false, name?));
            }
            _ => {}
        },
        [subject @ .., is, none] if nothing(none) && (is.word() == Some("is") || is.is("==") || is.is("===")) => {
            return Some((Asks::Given, true, path(subject)?));
        }
        [subject @ .., is, not, none] if is.word() == Some("is") && not.word() == Some("not") && nothing(none) => {
            return Some((Asks::Given, false, path(subject)?));
        }
        [subject @ .., is, none] if nothing(none) && (is.is("!=") || is.is("!==") || is.is("~=")) => {
            return Some((Asks::Given, false, path(subject)?));
        }
        [Token { kind: Kind::Text(name), .. }, not, within, owner @ ..]
            if not.word() == Some("not") && within.word() == Some("in") =>
        {
            return path(owner).map(|_| (Asks::Stored, true, name.clone()));
        }
        [Token { kind: Kind::Text(name), .. }, within, owner @ ..] if within.word() == Some("in") => {
            return path(owner).map(|_| (Asks::Stored, false, name.clone()));
        }
        _ => {}
    }
    compared(tokens)
}

/// `mu != 0`, `k > 1`, `len(state) == 0`.
fn compared(tokens: &[Token]) -> Option<(Asks, bool, String)> {
    let [subject @ .., sign, Token { kind: Kind::Number(number), .. }] = tokens else { return None };
    let Kind::Sign(sign) = sign.kind else { return None };
    if let [function, open, inside @ .., close] = subject
        && open.is("(")
        && close.is(")")
    {
        let name = path(inside)?;
        return match (function.word()?, sign) {
            ("abs", "!=" | "~=" | "\u{2260}" | ">") if number.is_zero() => {
                Some((Asks::Equals(number.clone()), true, name))
            }
            ("len" | "length", "==") if number.is_zero() => Some((Asks::Stored, true, name)),
            ("len" | "length", "!=" | "~=" | "\u{2260}" | ">") if number.is_zero() => Some((Asks::Stored, false, name)),
            _ => None,
        };
    }
    let name = path(subject)?;
    match sign {
        "==" | "===" => Some((Asks::Equals(number.clone()), false, name)),
        "!=" | "~=" | "\u{2260}" | "!==" => Some((Asks::Equals(number.clone()), true, name)),
        ">" => Some((Asks::Above(number.clone()), false, name)),
        ">=" | "\u{2265}" if *number == Rational::ONE => Some((Asks::Above(Rational::ZERO), false, name)),
        _ => None,
    }
}

/// The last name of `self.x`, `group['x']`, `x`.
fn path(tokens: &[Token]) -> Option<String> {
    match tokens {
        [one] => one.word().filter(|w| !matches!(*w, "True" | "False" | "true" | "false")).map(str::to_string),
        [owner @ .., dot, name] if dot.is(".") => path(owner).and(name.word().map(str::to_string)),
        [owner @ .., open, key, close] if open.is("[") && close.is("]") => match &key.kind {
            Kind::Text(text) => path(owner).map(|_| text.clone()),
            Kind::Name(_) => path(owner),
            _ => None,
        },
        _ => None,
    }
}
