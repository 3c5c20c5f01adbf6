//! What is minimized: `argmin_x f(x) + <y[k], x> + rho/2 ||A x - b||^2`. Values of functions, inner
//! products and norms are read here only; everything inside them is read as anywhere.

use super::ast::{Expression, Minimization, Node, Operation, Sense};
use super::expression::{Parsed, Parser};
use super::lexer::{Token, TokenKind};
use super::names::greek_letter;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

impl Parser<'_> {
    /// `argmin_x …`, its variable, or the value of a function in it; nothing if the name is none of these.
    pub(super) fn in_minimization(&mut self, name: &str, span: Span) -> Option<Parsed<Expression>> {
        if let Some(found) = self.minimization(name, span) {
            return Some(found);
        }
        if self.bound.iter().any(|v| v == name) && !self.is_indexed() {
            return Some(Ok(Expression::new(span, Node::Variable(name.to_string()))));
        }
        // A number times a vector is no term of an objective: `theta(x)` can only be a value.
        let inside = if self.symbol() == Some('(') { &self.tokens[self.at + 1..self.matching(self.at)] } else { &[] };
        let of_vector = match inside {
            [Token { kind: TokenKind::Name(n), .. }] => self.bound.contains(n),
            [Token { kind: TokenKind::Name(_), .. }, open, .., close] => {
                open.kind == TokenKind::Symbol('[')
                    && close.kind == TokenKind::Symbol(']')
                    && inside.iter().filter(|t| t.kind == TokenKind::Symbol(']')).count() == 1
            }
            _ => false,
        };
        let may_be_function =
            self.in_objective && (is_function(name) || of_vector) && !self.vocabulary.is_declared(name);
        let star = usize::from(self.symbol() == Some('*'))
            + 2 * usize::from(self.symbol() == Some('^') && self.tokens.get(self.at + 1).is_some_and(is_star));
        let opens = self.tokens.get(self.at + star).is_some_and(|t| t.kind == TokenKind::Symbol('('));
        if !(may_be_function && opens) {
            return None;
        }
        self.at += star;
        let function = if star > 0 { format!("{name}*") } else { name.to_string() };
        Some(
            self.arguments()
                .map(|(arguments, close)| Expression::new(span.to(close), Node::Value(function, span, arguments))),
        )
    }

    /// `(x, z[k], y[k])`.
    fn arguments(&mut self) -> Parsed<(Vec<Expression>, Span)> {
        let mut arguments = Vec::new();
        loop {
            self.at += 1;
            let found = self.as_vector(|p| p.sum())?;
            arguments.push(found);
            let separated = self.tokens.get(self.at).is_some_and(|t| t.kind == TokenKind::Semicolon);
            if self.symbol() != Some(',') && !separated {
                return Ok((arguments, self.close("an operator such as `+` or `*` may be missing before it")?));
            }
        }
    }

    fn as_vector<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outside = std::mem::replace(&mut self.in_objective, false);
        let found = self.nested(read);
        self.in_objective = outside;
        found
    }

    fn minimization(&mut self, name: &str, span: Span) -> Option<Parsed<Expression>> {
        let (word, suffix) = name.split_once('_').unwrap_or((name, ""));
        let sense = match word {
            "argmin" => Sense::Minimize,
            "argmax" => Sense::Maximize,
            _ => return None,
        };
        let (variable, set, length) = match suffix {
            "" => self.subscript_group().then(|| self.varying())??,
            _ => (suffix.to_string(), None, 0),
        };
        let after = self.at + length;
        let group = &self.tokens[after.min(self.tokens.len())..];
        let names_it = |t: &Token| matches!(&t.kind, TokenKind::Name(n) if *n == variable);
        if let Some(TokenKind::Symbol('(')) = group.first().map(|t| &t.kind) {
            // `argmin_f(r[k])` calls the oracle of that name.
            let within = &self.tokens[after..self.matching(after)];
            if !within.iter().any(names_it) && !self.tokens[self.matching(after)..].iter().any(names_it) {
                return None;
            }
        }
        self.at = after;
        if group.is_empty() {
            let message = "what is minimized is missing";
            return Some(Err(Diagnostic::error(Code::MissingArgument, span, message)
                .help("write `argmin_x f(x) + rho/2 ||x - z[k]||^2`")));
        }
        self.bound.push(variable.clone());
        let outside = std::mem::replace(&mut self.in_objective, true);
        let objective = self.nested(|p| p.sum());
        self.in_objective = outside;
        self.bound.pop();
        Some(objective.map(|objective| {
            let whole = span.to(objective.span);
            Expression::new(whole, Node::Minimize(Box::new(Minimization { variable, objective, sense, set })))
        }))
    }

    /// `_{x}`, `_{x in C}`: the variable, the set and how many tokens that is.
    fn varying(&self) -> Option<(String, Option<String>, usize)> {
        let close = self.matching(self.at + 1);
        let name = |t: &Token| match &t.kind {
            TokenKind::Name(n) => Some(n.clone()),
            _ => None,
        };
        let length = close + 1 - self.at;
        match &self.tokens[self.at + 2..close] {
            [x] => Some((name(x)?, None, length)),
            [x, sign, c] if is_member_sign(sign) => Some((name(x)?, Some(name(c)?), length)),
            _ => None,
        }
    }

    /// `||a||`, `||a||_1`, `||a||_M`.
    pub(super) fn norm(&mut self) -> Parsed<Expression> {
        let open = self.span_here();
        self.at += 1;
        let outside = std::mem::replace(&mut self.in_norm, true);
        let inner = self.as_vector(|p| p.sum());
        self.in_norm = outside;
        let inner = inner?;
        let close = self.span_here();
        if self.symbol() != Some('‖') {
            return Err(Diagnostic::error(Code::UnbalancedParenthesis, open, "this norm is never closed")
                .help("add the missing `||`"));
        }
        self.at += 1;
        let span = open.to(close);
        let plain = |inner| Expression::new(span, Node::Norm(Box::new(inner), None));
        if self.tokens.get(self.at).is_none_or(|t| t.kind != TokenKind::Underscore) {
            return Ok(plain(inner));
        }
        let from = self.at + 1;
        let is_group = self.tokens.get(from).is_some_and(|t| t.kind == TokenKind::Symbol('{'));
        let to = if is_group { self.matching(from) } else { from };
        let label = &self.tokens[(from + usize::from(is_group)).min(self.tokens.len())
            ..(to + usize::from(!is_group)).min(self.tokens.len())];
        self.at = (to + 1).min(self.tokens.len());
        match norm_label(label) {
            Label::Euclidean => Ok(plain(inner)),
            Label::Named(name) => Ok(Expression::new(span, Node::Value(name, span, vec![inner]))),
            Label::Metric => {
                let weight = self.inner(label)?;
                Ok(Expression::new(span, Node::Norm(Box::new(inner), Some(Box::new(weight)))))
            }
        }
    }

    /// `<a, b>`.
    pub(super) fn inner_product(&mut self) -> Parsed<Expression> {
        let open = self.span_here();
        self.at += 1;
        let left = self.as_vector(|p| p.sum())?;
        if self.symbol() != Some(',') {
            return Err(Diagnostic::error(Code::UnexpectedToken, open, "an inner product has two parts")
                .help("write both with a comma between them, as in `<a, b>`"));
        }
        self.at += 1;
        let right = self.as_vector(|p| p.sum())?;
        let close = self.span_here();
        if !matches!(self.symbol(), Some('⟩' | '>')) {
            return Err(Diagnostic::error(Code::UnbalancedParenthesis, open, "this inner product is never closed")
                .help("add the missing `>`"));
        }
        self.at += 1;
        Ok(Expression::new(open.to(close), Node::Inner(Box::new(left), Box::new(right))))
    }

    /// `y' A x` in an objective: the inner product of `y` with the rest of the product.
    pub(super) fn transposed_product(&mut self, left: &mut Expression) -> Parsed<Option<Expression>> {
        if self.bound.is_empty() {
            return Ok(None);
        }
        let (before, last) = match &left.node {
            Node::Binary(Operation::Multiply, a, b) => (Some(a), &**b),
            _ => (None, &*left),
        };
        let Node::Adjoint(vector) = &last.node else { return Ok(None) };
        if !is_vector(vector) || !(self.starts_factor() || self.symbol() == Some('*')) {
            return Ok(None);
        }
        self.at += usize::from(self.symbol() == Some('*'));
        let right = self.as_vector(|p| p.product())?;
        let span = last.span.to(right.span);
        let inner = Expression::new(span, Node::Inner(vector.clone(), Box::new(right)));
        Ok(Some(match before {
            None => inner,
            Some(a) => Expression::new(a.span.to(span), Node::Binary(Operation::Multiply, a.clone(), Box::new(inner))),
        }))
    }
}

/// What the subscript of a norm says.
enum Label {
    Euclidean,
    Named(String),
    Metric,
}

fn norm_label(tokens: &[Token]) -> Label {
    let text: Vec<String> = tokens
        .iter()
        .filter_map(|t| match &t.kind {
            TokenKind::Name(n) => Some(n.clone()),
            TokenKind::Number(n) => Some(n.to_string()),
            TokenKind::Symbol('*') => Some("nuclear".to_string()),
            _ => None,
        })
        .collect();
    match text.join("_").as_str() {
        "" | "2" | "F" | "fro" => Label::Euclidean,
        word if text.len() == tokens.len() && text.len() == 1 && is_metric(word) => Label::Metric,
        word if tokens.iter().all(|t| !matches!(t.kind, TokenKind::Symbol('+' | '-' | '/' | '^' | '(' | '\''))) => {
            Label::Named(format!("norm_{word}"))
        }
        _ => Label::Metric,
    }
}

/// `M` in `||x||_M`: one capital.
fn is_metric(word: &str) -> bool {
    let stem = word.split(['_', '~']).next().unwrap_or("");
    stem.trim_end_matches(|c: char| c.is_ascii_digit()).chars().count() == 1 && stem.starts_with(char::is_uppercase)
        || greek_letter(stem).is_some_and(char::is_uppercase)
}

fn is_star(token: &Token) -> bool {
    token.kind == TokenKind::Symbol('*')
}

fn is_member_sign(token: &Token) -> bool {
    match &token.kind {
        TokenKind::Symbol('∈') => true,
        TokenKind::Name(word) => word == "in",
        _ => false,
    }
}

/// A name before parentheses whose value is a number: Greek letters are factors but for a few.
fn is_function(name: &str) -> bool {
    let stem = name.split('_').next().unwrap_or(name).trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(stem, "phi" | "psi" | "chi" | "omega" | "iota" | "Phi" | "Psi" | "Omega") || greek_letter(stem).is_none()
}

/// Whether what is transposed is a vector, judged by how it is written.
fn is_vector(e: &Expression) -> bool {
    match &e.node {
        Node::Name(n) => !n.starts_with(char::is_uppercase),
        Node::Indexed(..) | Node::Variable(_) | Node::Call(_) => true,
        Node::Minus(a) => is_vector(a),
        Node::Binary(Operation::Add | Operation::Subtract, a, b) => is_vector(a) || is_vector(b),
        Node::Binary(Operation::Multiply, _, b) => is_vector(b),
        Node::Binary(Operation::Divide, a, _) => is_vector(a),
        _ => false,
    }
}
