//! Capitals that pasted text uses as maps that are not linear: `F(x^k)` beside `F x^k`, whatever stands
//! beside a resolvent, and `T x^k` where nothing else is asked. Small letters that are asked at an iterate: `f(x^k)`.

use super::ast::{Algorithm, Declaration, DeclarationNode, Declared, Guess, Node};
use super::lexer::{Token, TokenKind};
use super::names::{greek_letter, oracle_word};
use crate::source::Span;
use linnaeus_algebra::SortedSet;

/// How a capital is used.
#[derive(Default)]
struct Uses {
    called: SortedSet<String>,
    beside: SortedSet<String>,
    inverted: SortedSet<String>,
    linear: SortedSet<String>,
    resolvents: bool,
    /// Whether anything is an oracle without a guess.
    asks: bool,
    /// All of them.
    capitals: SortedSet<String>,
}

/// The capitals that are taken for oracles, with what to declare if they are not.
pub fn oracles(lines: &[&[Token]], declared: &dyn Fn(&str) -> bool) -> Vec<Guess> {
    let mut uses = Uses::default();
    lines.iter().for_each(|line| look(line, &mut uses));
    let Uses { called, beside, inverted, linear, resolvents, asks, capitals } = uses;
    let both: SortedSet<String> = called.intersection(&beside).cloned().collect();
    let alone: SortedSet<String> = inverted.difference(&beside).cloned().collect();
    // Beside other operators, as in `inv(M)*(N*x[k] + b)`, it is one of them.
    let only = !asks && called.is_empty() && beside.len() == 1 && capitals.len() == 1;
    let near = if resolvents || !alone.is_empty() || only { beside } else { SortedSet::new() };
    let all: SortedSet<String> = both.into_iter().chain(alone).chain(near).collect();
    all.into_iter()
        .filter(|n| !linear.contains(n) && !declared(n))
        .map(|name| Guess { taken_as: "an oracle".to_string(), declaration: format!("operator {name}: X -> X"), name })
        .collect()
}

fn look(line: &[Token], uses: &mut Uses) {
    let symbol = |i: usize, c: char| line.get(i).is_some_and(|t| t.kind == TokenKind::Symbol(c));
    let equal = line.iter().position(|t| matches!(t.kind, TokenKind::Symbol('=') | TokenKind::Assign)).unwrap_or(0);
    for (i, token) in line.iter().enumerate() {
        uses.asks |= matches!(token.kind, TokenKind::Symbol('∇' | '∂'));
        let TokenKind::Name(name) = &token.kind else { continue };
        let (word, label) = name.split_once('_').unwrap_or((name, ""));
        uses.asks |= (oracle_word(word).is_some() || word == "argmax") && (word.len() > 2 || !label.is_empty());
        uses.asks |= line.get(i + 1).is_some_and(|t| t.kind == TokenKind::Symbol('('))
            && (name.chars().count() > 1 && greek_letter(name).is_none() || name.starts_with(char::is_uppercase));
        let subscript = line.get(i + 1).is_some_and(|t| t.kind == TokenKind::Underscore);
        if subscript && oracle_word(name).is_some() {
            uses.asks = true;
            uses.resolvents |= matches!(name.as_str(), "J" | "R" | "resolvent");
        }
        let capital = name.starts_with(char::is_uppercase) && name != "I";
        let below = i > 1 && in_subscript(line, i);
        if !capital || subscript || below {
            continue;
        }
        uses.capitals.insert(name.clone());
        let next = line.get(i + 1).map(|t| &t.kind);
        match next {
            Some(TokenKind::Symbol('\'' | '^' | '[')) => {
                uses.linear.insert(name.clone());
            }
            // `M x[k+1] = N x[k]`
            Some(_) if i < equal => {
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

/// The small letters that are asked at nothing but an iterate, as in `p(x[k])`, and `f`, if they are no functions: a
/// number has no argument.
pub fn asked(lines: &[&[Token]], declared: &dyn Fn(&str) -> bool) -> Vec<String> {
    let (mut found, mut functions) = (SortedSet::new(), SortedSet::new());
    for line in lines {
        let symbol = |i: usize, c: char| line.get(i).is_some_and(|t| t.kind == TokenKind::Symbol(c));
        let is = |i: usize, of: &dyn Fn(&str) -> bool| matches!(line.get(i).map(|t| &t.kind), Some(TokenKind::Name(n)) if of(n));
        // Values of functions stand in what is minimized and in what functions are defined by.
        let values = symbol(1, '(') || (0..line.len()).any(|i| is(i, &|n| n.starts_with("argm")));
        // How many braces are open since an underscore.
        let mut below = 0usize;
        for (i, token) in line.iter().enumerate() {
            match token.kind {
                TokenKind::Symbol('{') if below > 0 || i > 0 && line[i - 1].kind == TokenKind::Underscore => below += 1,
                TokenKind::Symbol('}') => below = below.saturating_sub(1),
                _ => {}
            }
            let TokenKind::Name(name) = &token.kind else { continue };
            let derived =
                i > 0 && (symbol(i - 1, '∇') || symbol(i - 1, '∂') || is(i - 1, &|n| oracle_word(n).is_some()));
            if derived || below > 0 {
                functions.insert(name.clone());
            }
            if values || !symbol(i + 1, '(') {
                continue;
            }
            // `x[k+1]` has few tokens.
            const INDEX: usize = 8;
            let indexed = is(i + 2, &|_| true) && symbol(i + 3, '[');
            let close = (i + 4..i + 4 + INDEX).find(|&c| symbol(c, ']')).filter(|_| indexed);
            let sampled =
                |c: usize| symbol(c + 1, ',') || line.get(c + 1).is_some_and(|t| t.kind == TokenKind::Semicolon);
            let alone = close.is_some_and(|c| symbol(c + 1, ')') && !symbol(c + 2, '^') || sampled(c));
            // Words are called anyway.
            let stem = name.split('_').next().unwrap_or(name).trim_end_matches(|c: char| c.is_ascii_digit());
            let letter = stem.chars().count() == 1 || greek_letter(stem).is_some();
            if letter && stem.starts_with(char::is_lowercase) && (alone || matches!(name.as_str(), "f" | "pi")) {
                found.insert(name.clone());
            }
        }
    }
    found.difference(&functions).filter(|n| !declared(n)).cloned().collect()
}

/// Declares the small names that pasted text calls, as in `softmax(x[k])`, where nothing else says what they are: in the
/// plain notation only capitals are oracles without a word.
pub fn declare(algorithm: &mut Algorithm) {
    let mut told: SortedSet<String> =
        algorithm.declarations.iter().flat_map(|d| d.node.names()).map(|n| n.name.clone()).collect();
    let mut found: Vec<Declared> = Vec::new();
    for statement in &algorithm.statements {
        statement.walk(&mut |e| match &e.node {
            Node::Name(name) => {
                told.insert(name.clone());
            }
            Node::Apply(name, span, ..) if name.starts_with(char::is_lowercase) => {
                found.push(Declared { name: name.clone(), span: *span });
            }
            _ => {}
        });
    }
    for name in found {
        if told.insert(name.name.clone()) {
            let declaration = format!("write `{} \\cdot (…)` if it is a number", name.name);
            let taken_as = "an oracle".to_string();
            algorithm.guesses.push(Guess { name: name.name.clone(), taken_as, declaration });
            let (span, node) = (Span::new(0, 0), DeclarationNode::Oracle(vec![name], None));
            algorithm.declarations.push(Declaration { span, node });
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
