//! Tokens → expressions, by the precedences of the language.

use super::Language;
use super::test;
use super::token::{Kind, Token, span_of};
use super::tree::{Argument, Node, Operator, Term};
use crate::diagnostic::{Code, Diagnostic, clipped};
use crate::source::Span;
use crate::syntax::expression::{MAX_NESTING, MAX_SIZE};

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Reads all tokens as one expression; commas outside of brackets make a tuple.
pub fn read(tokens: &[Token], language: Language, whole: Span) -> Parsed<Term> {
    if tokens.is_empty() {
        return Err(Box::new(
            Diagnostic::error(Code::UnexpectedToken, whole, "something is missing here")
                .help("write a value after the sign"),
        ));
    }
    let mut parser = Parser { tokens, at: 0, language, depth: 0, size: 0 };
    let term = parser.tuple()?;
    match tokens.get(parser.at) {
        None => Ok(term),
        Some(token) => Err(parser.unexpected(token)),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    language: Language,
    depth: usize,
    size: usize,
}

fn boxed(a: Term) -> Box<Term> {
    Box::new(a)
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn here(&self, sign: &str) -> bool {
        self.peek().is_some_and(|t| t.is(sign))
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.here(sign);
        self.at += usize::from(found);
        found
    }

    fn word(&self) -> Option<&str> {
        self.peek().and_then(Token::word)
    }

    fn unexpected(&self, token: &Token) -> Box<Diagnostic> {
        let shown = match &token.kind {
            Kind::Name(n) => n.clone(),
            Kind::Number(n) => n.to_string(),
            Kind::Text(_) => "text".to_string(),
            Kind::Sign(s) => s.to_string(),
            Kind::Stray(c) => c.to_string(),
        };
        let help = match &token.kind {
            Kind::Stray(_) => "remove it",
            Kind::Sign("=" | "==") => "write one assignment per line",
            Kind::Sign(")" | "]" | "}") => "remove it, or open it before",
            _ => "an operator such as `+` or `*` may be missing before it",
        };
        let (code, help) = (Code::UnexpectedToken, help.to_string());
        Box::new(Diagnostic::error(code, token.span, format!("`{}` is not expected here", clipped(&shown))).help(help))
    }

    fn missing(&self) -> Box<Diagnostic> {
        let last = self.tokens[self.tokens.len() - 1].span;
        let found = Diagnostic::error(Code::UnexpectedToken, last, "something is missing after this");
        Box::new(found.help("write a value, or remove the operator"))
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let span = self.tokens[self.at.min(self.tokens.len() - 1)].span;
            let message = format!("parentheses are nested more than {MAX_NESTING} deep");
            let found = Diagnostic::error(Code::LimitNesting, span, message);
            return Err(Box::new(found.help("give a part of it a name on a line of its own")));
        }
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn count(&mut self) -> Parsed<()> {
        self.size += 1;
        if self.size > MAX_SIZE {
            let message = format!("this expression has more than {MAX_SIZE} names and numbers");
            let found = Diagnostic::error(Code::LimitNesting, span_of(self.tokens), message);
            return Err(Box::new(found.help("give a part of it a name on a line of its own")));
        }
        Ok(())
    }

    /// `a, b`.
    fn tuple(&mut self) -> Parsed<Term> {
        let first = self.value()?;
        if !self.here(",") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(",") {
            if self.peek().is_none_or(|t| matches!(t.kind, Kind::Sign(")" | "]" | "}"))) {
                break;
            }
            parts.push(self.value()?);
        }
        let span = parts[0].span.to(parts[parts.len() - 1].span);
        Ok(Term { span, node: Node::Tuple(parts) })
    }

    /// An expression with whatever tests stand in it.
    fn value(&mut self) -> Parsed<Term> {
        if self.language == Language::Python && self.word() == Some("lambda") {
            return self.python_lambda();
        }
        if self.language == Language::Matlab && self.here("@") {
            return self.matlab_lambda();
        }
        let start = self.at;
        let left = self.nested(|p| p.sum())?;
        if self.language == Language::Julia && self.here("->") {
            return self.julia_lambda(left);
        }
        if self.language == Language::Python
            && self.word() == Some("if")
            && let Some(test) = self.python_test()
        {
            let (test, length) = (test::condition(test), test.len());
            self.at += length + 2;
            let other = self.nested(|p| p.value())?;
            let span = left.span.to(other.span);
            return Ok(Term { span, node: Node::Choice(Box::new((test, left, other))) });
        }
        if self.tests() {
            return Ok(self.over(start, "a condition"));
        }
        if self.word() == Some("for") && self.language != Language::Matlab {
            if let Some((variables, list)) = self.each() {
                let span = left.span.to(list.span);
                return Ok(Term { span, node: Node::Each(Box::new((left, variables, list))) });
            }
            return Ok(self.over(start, "a list that is computed"));
        }
        Ok(left)
    }

    /// `for v in list` behind a value, and nothing more.
    fn each(&mut self) -> Option<(Term, Term)> {
        let start = self.at;
        let found = self.each_part();
        if found.is_none() {
            self.at = start;
        }
        found
    }

    fn each_part(&mut self) -> Option<(Term, Term)> {
        let rest = &self.tokens[self.at + 1..];
        let within = rest.iter().position(|t| t.word() == Some("in") || t.is("=") || t.is("\u{2208}"))?;
        let variables = read(&rest[..within], self.language, span_of(&rest[..=within])).ok()?;
        self.at += within + 2;
        let list = self.nested(|p| p.sum()).ok()?;
        let ends = self.peek().is_none_or(|t| matches!(t.kind, Kind::Sign(")" | "]" | "}")));
        ends.then_some((variables, list))
    }

    /// What stands between `if` and `else` of a conditional value.
    fn python_test(&self) -> Option<&[Token]> {
        let rest = &self.tokens[self.at + 1..];
        let mut depth = 0i64;
        let end = rest.iter().position(|t| {
            depth += super::tree::bracket(t);
            depth < 0 || depth == 0 && t.word() == Some("else")
        })?;
        (depth == 0 && end > 0).then(|| &rest[..end])
    }

    /// Whether a test, or a value that depends on one, goes on here.
    fn tests(&self) -> bool {
        const SIGNS: &[&str] = &[
            "==", "!=", "~=", "<=", ">=", "<", ">", "&&", "||", "&", "|", "?", "===", "!==", ".==", ".<", ".>", ".<=",
            ".>=", "\u{2264}", "\u{2265}", "\u{2260}", "\u{2208}",
        ];
        match self.peek().map(|t| &t.kind) {
            Some(Kind::Sign(s)) => SIGNS.contains(s),
            Some(Kind::Name(word)) => {
                matches!(word.as_str(), "if" | "and" | "or" | "in" | "not" | "is") && self.language != Language::Matlab
            }
            _ => false,
        }
    }

    /// Skips to the end of this part: a comma or a bracket that closes it.
    fn over(&mut self, start: usize, what: &'static str) -> Term {
        let mut depth = 0i64;
        while let Some(token) = self.peek() {
            let change = super::tree::bracket(token);
            if depth + change < 0 || (depth == 0 && token.is(",")) {
                break;
            }
            depth += change;
            self.at += 1;
        }
        let end = self.at.max(start + 1).min(self.tokens.len());
        Term { span: span_of(&self.tokens[start..end]), node: Node::Other(what) }
    }

    fn python_lambda(&mut self) -> Parsed<Term> {
        let start = self.tokens[self.at].span;
        self.at += 1;
        self.function(start, ":")
    }

    fn matlab_lambda(&mut self) -> Parsed<Term> {
        let start = self.tokens[self.at].span;
        self.at += 1;
        if !self.eat("(") {
            // `@grad_f`: the function itself.
            return self.nested(|p| p.postfix());
        }
        self.function(start, ")")
    }

    /// The names up to a sign, and what is made of them behind it.
    fn function(&mut self, start: Span, sign: &str) -> Parsed<Term> {
        let mut parameters = Vec::new();
        while let Some(token) = self.peek().filter(|t| !t.is(sign)) {
            if let Kind::Name(name) = &token.kind {
                parameters.push(name.clone());
            }
            self.at += 1;
        }
        self.at += 1;
        let body = self.nested(|p| p.value())?;
        Ok(Term { span: start.to(body.span), node: Node::Function(parameters, boxed(body)) })
    }

    fn julia_lambda(&mut self, left: Term) -> Parsed<Term> {
        self.at += 1;
        let names = match &left.node {
            Node::Name(name) => vec![name.clone()],
            Node::Tuple(parts) => parts
                .iter()
                .filter_map(|p| match &p.node {
                    Node::Name(name) => Some(name.clone()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let body = self.nested(|p| p.value())?;
        Ok(Term { span: left.span.to(body.span), node: Node::Function(names, boxed(body)) })
    }

    fn sum(&mut self) -> Parsed<Term> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek().map(|t| &t.kind) {
                Some(Kind::Sign("+" | ".+")) => Operator::Add,
                Some(Kind::Sign("-" | ".-")) => Operator::Subtract,
                // `0:n-1` is a range.
                Some(Kind::Sign(":")) if self.language != Language::Python && self.depth > 0 => {
                    self.at += 1;
                    let ends = self.peek().is_none_or(|t| matches!(t.kind, Kind::Sign(")" | "]" | "}" | ",")));
                    let end = if ends { left.span } else { self.product()?.span };
                    left = Term { span: left.span.to(end), node: Node::Other("a range") };
                    continue;
                }
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            left = binary(operator, left, right);
        }
    }

    fn product(&mut self) -> Parsed<Term> {
        let start = self.at;
        let mut left = self.signed()?;
        loop {
            let Some(token) = self.peek() else { return Ok(left) };
            let matrices = self.language != Language::Python;
            let operator = match &token.kind {
                Kind::Sign("*") if matrices => Operator::Apply,
                Kind::Sign("*" | ".*") => Operator::Multiply,
                Kind::Sign("@") => Operator::Apply,
                Kind::Sign("\u{22c5}" | "\u{2218}") => Operator::Apply,
                Kind::Sign("/" | "./") => Operator::Divide,
                Kind::Sign("//") if self.language == Language::Julia => Operator::Divide,
                Kind::Sign("\\" | ".\\") => Operator::Solve,
                Kind::Sign("//" | "%") => return Ok(self.over(start, "a remainder")),
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.signed()?;
            left = binary(operator, left, right);
        }
    }

    fn signed(&mut self) -> Parsed<Term> {
        let Some(token) = self.peek() else { return Err(self.missing()) };
        let start = token.span;
        match &token.kind {
            Kind::Sign("-" | ".-") => {
                self.at += 1;
                let inner = self.nested(|p| p.signed())?;
                Ok(Term { span: start.to(inner.span), node: Node::Minus(boxed(inner)) })
            }
            Kind::Sign("+") => {
                self.at += 1;
                self.nested(|p| p.signed())
            }
            Kind::Sign("~" | "!") => {
                let from = self.at;
                self.at += 1;
                Ok(self.over(from, "a condition"))
            }
            Kind::Name(word) if word == "not" && self.language == Language::Python => {
                let from = self.at;
                self.at += 1;
                Ok(self.over(from, "a condition"))
            }
            Kind::Sign("\u{221a}") => {
                self.at += 1;
                let inner = self.nested(|p| p.power())?;
                let root = Term { span: start, node: Node::Name("sqrt".to_string()) };
                let span = start.to(inner.span);
                let argument = Argument { keyword: None, value: inner };
                Ok(Term { span, node: Node::Call(boxed(root), vec![argument]) })
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Parsed<Term> {
        let base = self.juxtaposed()?;
        let raised = match self.peek().map(|t| &t.kind) {
            Some(Kind::Sign("**")) => self.language == Language::Python,
            Some(Kind::Sign("^" | ".^")) => true,
            _ => false,
        };
        if !raised {
            return Ok(base);
        }
        self.at += 1;
        let exponent = self.nested(|p| p.signed())?;
        Ok(binary(Operator::Power, base, exponent))
    }

    /// `2x` in Julia: a number right before a name or a parenthesis.
    fn juxtaposed(&mut self) -> Parsed<Term> {
        let left = self.postfix()?;
        let beside = self.language == Language::Julia
            && matches!(left.node, Node::Number(_))
            && self.peek().is_some_and(|t| !t.spaced && (t.word().is_some() || t.is("(")));
        if !beside {
            return Ok(left);
        }
        let right = self.nested(|p| p.power())?;
        Ok(binary(Operator::Apply, left, right))
    }

    fn postfix(&mut self) -> Parsed<Term> {
        let mut base = self.primary()?;
        loop {
            let Some(token) = self.peek() else { return Ok(base) };
            let (span, spaced) = (token.span, token.spaced);
            match &token.kind {
                Kind::Sign("'" | ".'") => {
                    self.at += 1;
                    base = Term { span: base.span.to(span), node: Node::Transpose(boxed(base)) };
                }
                Kind::Sign("(")
                    if !matches!(base.node, Node::Number(_)) && (!spaced || self.language != Language::Julia) =>
                {
                    self.at += 1;
                    let (arguments, end) = self.nested(|p| p.arguments(")"))?;
                    base = Term { span: base.span.to(end), node: Node::Call(boxed(base), arguments) };
                }
                Kind::Sign("[") if !matches!(base.node, Node::Number(_)) && self.language != Language::Matlab => {
                    self.at += 1;
                    let (arguments, end) = self.nested(|p| p.arguments("]"))?;
                    let indices = arguments.into_iter().map(|a| a.value).collect();
                    base = Term { span: base.span.to(end), node: Node::Subscript(boxed(base), indices) };
                }
                Kind::Sign("{") if self.language == Language::Matlab => {
                    self.at += 1;
                    let (arguments, end) = self.nested(|p| p.arguments("}"))?;
                    let indices = arguments.into_iter().map(|a| a.value).collect();
                    base = Term { span: base.span.to(end), node: Node::Subscript(boxed(base), indices) };
                }
                Kind::Sign(".") => {
                    // `f.(x)` in Julia is f for every entry.
                    if self.tokens.get(self.at + 1).is_some_and(|t| t.is("(")) {
                        self.at += 1;
                        continue;
                    }
                    let Some(name) = self.tokens.get(self.at + 1).and_then(Token::word) else {
                        return Err(self.unexpected(token));
                    };
                    let end = self.tokens[self.at + 1].span;
                    base = Term { span: base.span.to(end), node: Node::Attribute(boxed(base), name.to_string()) };
                    self.at += 2;
                }
                _ => return Ok(base),
            }
        }
    }

    /// Arguments up to a bracket, which is taken too.
    fn arguments(&mut self, close: &str) -> Parsed<(Vec<Argument>, Span)> {
        let mut found = Vec::new();
        loop {
            self.count()?;
            let Some(token) = self.peek() else {
                let span = self.tokens[self.at - 1].span;
                let missing = Diagnostic::error(Code::UnbalancedParenthesis, span, "a bracket is not closed");
                return Err(Box::new(missing.help(format!("add the missing `{close}`"))));
            };
            let span = token.span;
            if token.is(close) {
                self.at += 1;
                return Ok((found, span));
            }
            match &token.kind {
                Kind::Sign("," | ";" | "*" | "**" | "...") => {
                    self.at += 1;
                    continue;
                }
                Kind::Sign(":") => {
                    self.at += 1;
                    let bounded = self.skip_part(close);
                    let node = if bounded { Node::Other("a part of a vector") } else { Node::Slice };
                    found.push(Argument { keyword: None, value: Term { span, node } });
                    continue;
                }
                _ => {}
            }
            let keyword = token.word().filter(|_| self.tokens.get(self.at + 1).is_some_and(|t| t.is("=")));
            let keyword = keyword.map(str::to_string);
            self.at += if keyword.is_some() { 2 } else { 0 };
            let mut value = self.value()?;
            if self.here(":") {
                self.at += 1;
                self.skip_part(close);
                value = Term { span: value.span, node: Node::Other("a part of a vector") };
            }
            found.push(Argument { keyword, value });
            match self.peek() {
                Some(t) if t.is(close) || matches!(t.kind, Kind::Sign("," | ";" | "...")) => {}
                Some(t) => return Err(self.unexpected(t)),
                None => {}
            }
        }
    }

    /// Skips to the end of an argument; whether there was anything.
    fn skip_part(&mut self, close: &str) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|t| !t.is(",") && !t.is(close)) {
            self.at += 1;
        }
        self.at > start
    }

    fn primary(&mut self) -> Parsed<Term> {
        self.count()?;
        let Some(token) = self.peek() else { return Err(self.missing()) };
        let span = token.span;
        let node = match &token.kind {
            Kind::Number(n) => Node::Number(n.clone()),
            Kind::Name(n) => Node::Name(n.clone()),
            Kind::Text(t) => Node::Text(t.clone()),
            Kind::Sign("(") => return self.group(")"),
            Kind::Sign("[") => return self.group("]"),
            Kind::Sign("{") => return self.group("}"),
            Kind::Sign(":") => Node::Slice,
            Kind::Sign("...") => Node::Slice,
            // `@. x`, `@views`: macros change nothing that is told here.
            Kind::Sign("@") if self.language == Language::Julia => {
                self.at += 1;
                self.at += usize::from(self.word().is_some() || self.here("."));
                return self.nested(|p| p.primary());
            }
            _ => return Err(self.unexpected(token)),
        };
        self.at += 1;
        Ok(Term { span, node })
    }

    fn group(&mut self, close: &str) -> Parsed<Term> {
        let start = self.tokens[self.at].span;
        self.at += 1;
        let (arguments, end) = self.nested(|p| p.arguments(close))?;
        let span = start.to(end);
        let comma = self.tokens[..self.at].iter().rev().nth(1).is_some_and(|t| t.is(","));
        let mut parts: Vec<Term> = arguments.into_iter().map(|a| a.value).collect();
        if parts.len() == 1 && close == ")" && !comma {
            let inner = parts.remove(0);
            return Ok(Term { span, node: inner.node });
        }
        Ok(Term { span, node: Node::Tuple(parts) })
    }
}

fn binary(operator: Operator, a: Term, b: Term) -> Term {
    Term { span: a.span.to(b.span), node: Node::Binary(operator, boxed(a), boxed(b)) }
}
