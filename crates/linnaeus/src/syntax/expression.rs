//! Expressions of the plain notation, by precedence: sum, product, sign, power, adjoint.

use super::ast::{Call, Elementary, Expression, Index, Node, Operation, OracleKind, Sample};
use super::lexer::{Token, TokenKind};
use super::names::{ORACLE_WORDS, elementary, greek_letter, oracle_word};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::source::{Source, Span};
use linnaeus_algebra::Rational;
use std::collections::HashSet;

/// Parentheses deeper than this are not read.
pub const MAX_NESTING: usize = 64;
/// Indices further from `k` than this are not read.
pub const MAX_DELAY: i64 = 50;

type Parsed<T> = Result<T, Diagnostic>;

/// Reads one expression from balanced tokens.
pub struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    source: &'a Source,
    oracles: &'a HashSet<String>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    /// A parser at the first token; there must be one.
    pub fn new(
        tokens: &'a [Token],
        source: &'a Source,
        oracles: &'a HashSet<String>,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Parser { tokens, at: 0, depth: 0, source, oracles, diagnostics }
    }

    /// Reads all tokens as one expression.
    pub fn whole(mut self) -> Parsed<Expression> {
        let expression = self.sum()?;
        match self.tokens.get(self.at) {
            None => Ok(expression),
            Some(token) if token.kind == TokenKind::Symbol(',') => Err(self.unexpected(token, "write one equation per line; an oracle has one argument")),
            Some(token) => Err(self.unexpected(token, "an operator such as `+` or `*` may be missing before it")),
        }
    }

    fn sum(&mut self) -> Parsed<Expression> {
        let mut left = self.product()?;
        while let Some(operation) = match self.symbol() {
            Some('+') => Some(Operation::Add),
            Some('-') => Some(Operation::Subtract),
            _ => None,
        } {
            self.at += 1;
            let right = self.product()?;
            left = binary(operation, left, right);
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed<Expression> {
        let mut left = self.signed()?;
        loop {
            let operation = match self.symbol() {
                Some('*') => {
                    self.at += 1;
                    Operation::Multiply
                }
                Some('/') => {
                    self.at += 1;
                    Operation::Divide
                }
                _ if self.starts_factor() => {
                    let right = self.power()?;
                    left = binary(Operation::Multiply, left, right);
                    continue;
                }
                _ => return Ok(left),
            };
            let right = self.signed()?;
            left = binary(operation, left, right);
        }
    }

    fn signed(&mut self) -> Parsed<Expression> {
        let start = self.span_here();
        match self.symbol() {
            Some('-') => {
                self.at += 1;
                let inner = self.nested(|p| p.signed())?;
                Ok(Expression::new(start.to(inner.span), Node::Minus(Box::new(inner))))
            }
            Some('+') => {
                self.at += 1;
                self.nested(|p| p.signed())
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Parsed<Expression> {
        let mut base = self.primary()?;
        loop {
            let here = self.span_here();
            if self.symbol() == Some('\'') {
                self.at += 1;
                base = Expression::new(base.span.to(here), Node::Adjoint(Box::new(base)));
            } else if self.adjoint_star(&base) {
                self.at += 1;
                base = Expression::new(base.span.to(here), Node::Adjoint(Box::new(base)));
            } else if self.symbol() == Some('^') {
                self.at += 1;
                if self.superscript_is_adjoint() {
                    let end = self.span_here();
                    self.at += 1;
                    base = Expression::new(base.span.to(end), Node::Adjoint(Box::new(base)));
                } else {
                    let exponent = self.nested(|p| match p.symbol() {
                        Some('-' | '+') => p.signed(),
                        _ => p.primary(),
                    })?;
                    let span = base.span.to(exponent.span);
                    base = Expression::new(span, Node::Power(Box::new(base), Box::new(exponent)));
                }
            } else {
                return Ok(base);
            }
        }
    }

    /// `A^T`, `A^H`, `A^*`, `A^'`.
    fn superscript_is_adjoint(&self) -> bool {
        match self.tokens.get(self.at).map(|t| &t.kind) {
            Some(TokenKind::Name(n)) => n == "T" || n == "H",
            Some(TokenKind::Symbol(c)) => *c == '*' || *c == '\'',
            _ => false,
        }
    }

    /// `A*` where the star cannot be a product, or is set close to `A` and away from what follows.
    fn adjoint_star(&mut self, base: &Expression) -> bool {
        let Node::Name(name) = &base.node else { return false };
        if self.symbol() != Some('*') || !name.starts_with(char::is_uppercase) || self.tokens[self.at].spaced {
            return false;
        }
        match self.tokens.get(self.at + 1) {
            None => true,
            Some(next) => match next.kind {
                TokenKind::Symbol(')' | ']' | '}' | '*' | '+' | ',') => true,
                TokenKind::Symbol('-' | '/' | '=') => next.spaced,
                _ if next.spaced => {
                    let span = base.span.to(self.tokens[self.at].span);
                    self.diagnostics.push(
                        Diagnostic::note(span, format!("`{name}*` was read as the adjoint of `{name}`"))
                            .help(format!("write `{name} * …` or `{name}*x` for a product, `{name}'` for the adjoint")),
                    );
                    true
                }
                _ => false,
            },
        }
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let Some(token) = self.tokens.get(self.at) else {
            let last = self.tokens[self.tokens.len() - 1].span;
            return Err(Diagnostic::error(Code::MissingArgument, last, "something is missing after this")
                .help("finish the expression"));
        };
        match &token.kind {
            TokenKind::Number(value) => {
                self.at += 1;
                Ok(Expression::new(token.span, Node::Number(value.clone())))
            }
            TokenKind::Symbol('(' | '[' | '{') => self.group(),
            TokenKind::Symbol('∇') => {
                self.at += 1;
                self.oracle_of_next_name(OracleKind::Gradient, token.span)
            }
            TokenKind::Symbol('∂') => {
                self.at += 1;
                self.oracle_of_next_name(OracleKind::Subdifferential, token.span)
            }
            TokenKind::Name(name) => {
                self.at += 1;
                self.named(name, token.span)
            }
            _ => Err(self.unexpected(token, "a name, a number or `(` is expected here")),
        }
    }

    fn group(&mut self) -> Parsed<Expression> {
        let open = self.tokens[self.at].span;
        self.at += 1;
        if matches!(self.symbol(), Some(')' | ']' | '}')) {
            return Err(Diagnostic::error(Code::MissingArgument, open.to(self.span_here()), "nothing stands between these")
                .help("write an expression there"));
        }
        let mut inner = self.nested(|p| p.sum())?;
        let close = self.close("an operator such as `+` or `*` may be missing before it")?;
        inner.span = open.to(close);
        Ok(inner)
    }

    /// The closing partner; tokens are balanced, so anything else is a stray token inside.
    fn close(&mut self, help: &str) -> Parsed<Span> {
        match self.tokens.get(self.at) {
            Some(token) if matches!(token.kind, TokenKind::Symbol(')' | ']' | '}')) => {
                self.at += 1;
                Ok(token.span)
            }
            Some(token) => Err(self.unexpected(token, help)),
            None => Err(Diagnostic::error(Code::UnbalancedParenthesis, self.tokens[self.at - 1].span, "a parenthesis is not closed")
                .help("add the missing `)`")),
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        if self.oracles.contains(name) && self.opens_argument() {
            return self.apply(name, span);
        }
        if let Some(kind) = oracle_word(name) {
            if self.subscript_group() {
                return self.oracle_with_group(kind, span);
            }
            let word_before_function = matches!(kind, OracleKind::Gradient | OracleKind::Subdifferential);
            if word_before_function && matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(TokenKind::Name(_))) {
                return self.oracle_of_next_name(kind, span);
            }
            if name.len() > 2 && !self.is_indexed() {
                let help = format!("write `{}`", example(kind));
                return Err(Diagnostic::error(Code::MissingArgument, span, format!("`{name}` of what?")).help(help));
            }
        }
        if let Some((word, function)) = name.split_once('_') {
            let conjugate = self.symbol() == Some('*') && self.opens_argument_at(self.at + 1);
            if let Some(kind) = oracle_word(word).filter(|_| conjugate || self.opens_argument()) {
                self.at += usize::from(conjugate);
                return self.call(kind, function, conjugate, None, span);
            }
            if word.len() > 2 && (self.opens_argument() || self.subscript_group()) {
                if let Some(near) = nearest(word, ORACLE_WORDS.iter().copied()) {
                    return Err(unknown(word, span, Some(near)));
                }
            }
        }
        if let Some(function) = elementary(name).filter(|_| !self.is_indexed()) {
            return self.elementary(function, name, span);
        }
        if self.is_indexed() {
            let index = self.index()?;
            let end = self.tokens[self.at - 1].span;
            return Ok(Expression::new(span.to(end), Node::Indexed(name.to_string(), index)));
        }
        if self.subscript_group() {
            return self.subscripted(name, span);
        }
        if (name == "I" || name == "Id") && !self.opens_argument() {
            return Ok(Expression::new(span, Node::Identity));
        }
        if let Some(wrong) = self.misspelt_oracle(name, span) {
            return Err(wrong);
        }
        if self.opens_argument() && !is_coefficient(name) {
            return self.apply(name, span);
        }
        Ok(Expression::new(span, Node::Name(name.to_string())))
    }

    /// `gard f(x[k])`: a word next to `grad`, before a function's name and its argument.
    fn misspelt_oracle(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let function_follows = matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(TokenKind::Name(_))) && self.opens_argument_at(self.at + 1);
        let argument_follows = self.opens_argument();
        if name.len() < 3 || !(function_follows || argument_follows) || greek_letter(name).is_some() {
            return None;
        }
        nearest(name, ORACLE_WORDS.iter().copied()).map(|near| unknown(name, span, Some(near)))
    }

    /// `x_{k+1}`; anything else in the group is no name that we know.
    fn subscripted(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        if self.index_length(self.at + 1).is_some() {
            self.at += 1;
            let index = self.index()?;
            let end = self.tokens[self.at - 1].span;
            return Ok(Expression::new(span.to(end), Node::Indexed(name.to_string(), index)));
        }
        Err(unknown(name, span, nearest(name, ORACLE_WORDS.iter().copied())))
    }

    fn elementary(&mut self, function: Elementary, name: &str, span: Span) -> Parsed<Expression> {
        if !self.starts_factor() {
            return Err(Diagnostic::error(Code::MissingArgument, span, format!("`{name}` of what?")).help(format!("write `{name}(…)`")));
        }
        let argument = self.nested(|p| if p.opens_argument() { p.group() } else { p.power() })?;
        Ok(Expression::new(span.to(argument.span), Node::Elementary(function, Box::new(argument))))
    }

    /// After `grad`, `∇`, `∂`: `f(…)`, `f*(…)`, `env_{t f}(…)`.
    fn oracle_of_next_name(&mut self, kind: OracleKind, start: Span) -> Parsed<Expression> {
        let Some(Token { kind: TokenKind::Name(function), span, .. }) = self.tokens.get(self.at) else {
            return Err(Diagnostic::error(Code::MissingArgument, start, "the function's name is missing after this")
                .help(format!("write `{}`", example(kind))));
        };
        self.at += 1;
        if function == "env" && self.subscript_group() {
            return self.oracle_with_group(OracleKind::MoreauGradient, start);
        }
        if let Some(inner) = function.strip_prefix("env_") {
            return self.call(OracleKind::MoreauGradient, inner, false, None, start.to(*span));
        }
        let mut end = *span;
        let conjugate = self.symbol() == Some('*') && self.opens_argument_at(self.at + 1);
        if conjugate {
            end = self.span_here();
            self.at += 1;
        }
        self.call(kind, function, conjugate, None, start.to(end))
    }

    /// `_{t f}`, `_{f}`, `_{s g*}`, `_{f/rho}`, `_{f, t}`.
    fn oracle_with_group(&mut self, kind: OracleKind, start: Span) -> Parsed<Expression> {
        let open = self.at + 1;
        let close = self.matching(open);
        let name_span = start.to(self.tokens[close].span);
        let mut inside = &self.tokens[open + 1..close];
        let whole = self.tokens[open].span.to(self.tokens[close].span);
        let bad = |message: &str| {
            Diagnostic::error(Code::BadStep, whole, message.to_string())
                .help("write the step, then the function: `prox_{t f}`, `prox_{(1/rho) g}`, `prox_{s g*}`")
        };
        let mut after_comma = None;
        if let Some(comma) = inside.iter().position(|t| t.kind == TokenKind::Symbol(',')) {
            after_comma = Some(&inside[comma + 1..]);
            inside = &inside[..comma];
        }
        let conjugate = inside.last().is_some_and(|t| matches!(t.kind, TokenKind::Symbol('*' | '\'')));
        if conjugate {
            inside = &inside[..inside.len() - 1];
            if inside.last().is_some_and(|t| t.kind == TokenKind::Symbol('^')) {
                inside = &inside[..inside.len() - 1];
            }
        }
        if inside.is_empty() {
            return Err(bad("the function's name is missing"));
        }
        let content = self.inner(inside)?;
        let Some((function, mut step)) = split_step(&content) else { return Err(bad("the function's name is missing")) };
        if let Some(tokens) = after_comma {
            if step.is_some() || tokens.is_empty() {
                return Err(bad("the step is given twice or not at all"));
            }
            step = Some(self.inner(tokens)?);
        }
        self.at = close + 1;
        self.call(kind, &function, conjugate, step, name_span)
    }

    fn inner(&mut self, tokens: &[Token]) -> Parsed<Expression> {
        if self.depth >= MAX_NESTING {
            return Err(too_deep(tokens[0].span));
        }
        let mut parser = Parser { tokens, at: 0, depth: self.depth + 1, source: self.source, oracles: self.oracles, diagnostics: &mut *self.diagnostics };
        let found = parser.sum()?;
        match tokens.get(parser.at) {
            None => Ok(found),
            Some(token) => Err(parser.unexpected(token, "the step is a scalar expression before the function's name")),
        }
    }

    fn call(&mut self, kind: OracleKind, function: &str, conjugate: bool, step: Option<Expression>, name_span: Span) -> Parsed<Expression> {
        let shown = self.source.slice(name_span);
        if !self.opens_argument() {
            return Err(Diagnostic::error(Code::MissingArgument, name_span, format!("`{shown}` is an oracle and needs an argument"))
                .help(format!("write `{shown}(…)`")));
        }
        if let Some(step) = step.as_ref().filter(|_| !kind.has_step()) {
            return Err(Diagnostic::error(Code::BadStep, step.span, format!("a {} has no step", kind.word()))
                .help(format!("write `{}`", example(kind))));
        }
        let (argument, sample, close) = self.argument(name_span)?;
        let call = Call { name_span, kind, function: function.to_string(), conjugate, step, argument, sample };
        Ok(Expression::new(name_span.to(close), Node::Call(Box::new(call))))
    }

    fn apply(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        let (argument, sample, close) = self.argument(span)?;
        Ok(Expression::new(span.to(close), Node::Apply(name.to_string(), span, Box::new(argument), sample)))
    }

    /// `(y)`, `(y; xi[k])`, `(y, xi[k])`.
    fn argument(&mut self, name_span: Span) -> Parsed<(Expression, Option<Sample>, Span)> {
        let open = self.span_here();
        self.at += 1;
        if matches!(self.symbol(), Some(')' | ']' | '}')) {
            let shown = self.source.slice(name_span).to_string();
            return Err(Diagnostic::error(Code::MissingArgument, open.to(self.span_here()), format!("`{shown}` needs an argument"))
                .help(format!("say where it is asked, as in `{shown}(x[k])`")));
        }
        let mut argument = self.nested(|p| p.sum())?;
        let mut sample = None;
        if matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(TokenKind::Semicolon | TokenKind::Symbol(','))) {
            let comma = self.tokens[self.at].clone();
            self.at += 1;
            sample = Some(self.sample(&comma)?);
        }
        let close = self.close("an operator such as `+` or `*` may be missing before it")?;
        argument.span = Span::new(open.start + 1, close.start).min_trim(self.source);
        Ok((argument, sample, close))
    }

    fn sample(&mut self, comma: &Token) -> Parsed<Sample> {
        let Some(Token { kind: TokenKind::Name(name), span, .. }) = self.tokens.get(self.at) else {
            return Err(self.unexpected(comma, "an oracle has one argument, and perhaps a sample as in `grad f(x[k]; xi[k])`"));
        };
        self.at += 1;
        let index = if self.is_indexed() { Some(self.index()?) } else { None };
        if !matches!(self.symbol(), Some(')' | ']')) {
            return Err(self.unexpected(comma, "an oracle has one argument, and perhaps a sample as in `grad f(x[k]; xi[k])`"));
        }
        let end = self.tokens[self.at - 1].span;
        Ok(Sample { name: name.clone(), index, span: span.to(end) })
    }

    /// `[k+1]`, `[k]`, `[0]`, `[k - 1/2]` after a name.
    fn index(&mut self) -> Parsed<Index> {
        let open = self.span_here();
        let close = self.matching(self.at);
        let inside = &self.tokens[self.at + 1..close];
        let span = open.to(self.tokens[close].span);
        self.at = close + 1;
        let bad = || {
            Diagnostic::error(Code::BadIndex, span, "this is no index")
                .help("an index is a letter and a whole number, as in `x[k+1]`")
        };
        let mut letter = None;
        let mut offset = Rational::ZERO;
        let mut sign = 1;
        let mut i = 0;
        while i < inside.len() {
            match &inside[i].kind {
                TokenKind::Symbol('+') => sign = 1,
                TokenKind::Symbol('-') => sign = -1,
                TokenKind::Name(name) if letter.is_none() && sign == 1 => letter = Some(name.clone()),
                TokenKind::Number(n) => {
                    let mut value = n.clone();
                    if let (Some(TokenKind::Symbol('/')), Some(TokenKind::Number(d))) =
                        (inside.get(i + 1).map(|t| &t.kind), inside.get(i + 2).map(|t| &t.kind))
                    {
                        if d.is_zero() {
                            return Err(bad());
                        }
                        value /= d.clone();
                        i += 2;
                    }
                    offset += value * Rational::from(sign);
                }
                _ => return Err(bad()),
            }
            i += 1;
        }
        let halves = offset * Rational::from(2);
        let whole = halves.is_int().then(|| i64::try_from(halves.numerator().clone())).ok_or_else(bad)?;
        match whole {
            Ok(halves) if halves.abs() <= 2 * MAX_DELAY => Ok(Index { letter: letter.unwrap_or_default(), halves, span }),
            _ => Err(Diagnostic::error(Code::LimitDelay, span, format!("indices reach at most {MAX_DELAY} steps from the present"))
                .help(format!("use an offset between -{MAX_DELAY} and {MAX_DELAY}"))),
        }
    }

    /// Whether `[…]` here is an index rather than an argument in brackets.
    fn is_indexed(&self) -> bool {
        match self.tokens.get(self.at) {
            Some(token) if token.kind == TokenKind::Symbol('[') && !token.spaced => {
                let inside = &self.tokens[self.at + 1..self.matching(self.at)];
                !inside.iter().any(|t| matches!(t.kind, TokenKind::Symbol('[' | '(')))
            }
            _ => false,
        }
    }

    /// The length of `{k+1}` if that is what stands there.
    fn index_length(&self, at: usize) -> Option<usize> {
        let close = self.matching(at);
        let inside = &self.tokens[at + 1..close];
        let letter = |t: &Token| matches!(&t.kind, TokenKind::Name(n) if n.chars().count() == 1);
        let shape = match inside {
            [a] => letter(a),
            [a, s, n] => letter(a) && matches!(s.kind, TokenKind::Symbol('+' | '-')) && matches!(n.kind, TokenKind::Number(_)),
            _ => false,
        };
        shape.then_some(close + 1 - at)
    }

    fn subscript_group(&self) -> bool {
        matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(TokenKind::Underscore))
            && matches!(self.tokens.get(self.at + 1).map(|t| &t.kind), Some(TokenKind::Symbol('{')))
    }

    fn opens_argument(&self) -> bool {
        self.opens_argument_at(self.at)
    }

    fn opens_argument_at(&self, at: usize) -> bool {
        match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Symbol('(')) => true,
            Some(TokenKind::Symbol('[')) => {
                let inside = &self.tokens[at + 1..self.matching(at)];
                inside.iter().any(|t| matches!(t.kind, TokenKind::Symbol('[' | '(')))
            }
            _ => false,
        }
    }

    fn starts_factor(&self) -> bool {
        matches!(
            self.tokens.get(self.at).map(|t| &t.kind),
            Some(TokenKind::Name(_) | TokenKind::Number(_) | TokenKind::Symbol('(' | '[' | '{' | '∇' | '∂'))
        )
    }

    /// The token that closes the one at `open`; tokens are balanced.
    fn matching(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Symbol('(' | '[' | '{') => depth += 1,
                TokenKind::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return i;
            }
        }
        self.tokens.len() - 1
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(too_deep(self.span_here()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn symbol(&self) -> Option<char> {
        match self.tokens.get(self.at).map(|t| &t.kind) {
            Some(TokenKind::Symbol(c)) => Some(*c),
            _ => None,
        }
    }

    fn span_here(&self) -> Span {
        let last = self.tokens.len() - 1;
        self.tokens[self.at.min(last)].span
    }

    fn unexpected(&self, token: &Token, help: &str) -> Diagnostic {
        let shown = self.source.slice(token.span);
        Diagnostic::error(Code::UnexpectedToken, token.span, format!("`{shown}` is not expected here")).help(help)
    }
}

impl Span {
    /// The span without the white space at its ends.
    fn min_trim(self, source: &Source) -> Span {
        let text = source.slice(self);
        let start = self.start + (text.len() - text.trim_start().len());
        Span::new(start, start + text.trim().len())
    }
}

fn binary(operation: Operation, left: Expression, right: Expression) -> Expression {
    Expression::new(left.span.to(right.span), Node::Binary(operation, Box::new(left), Box::new(right)))
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(Code::LimitNesting, span, format!("parentheses are nested more than {MAX_NESTING} deep"))
        .help("give a part of the expression a name of its own")
}

fn unknown(word: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let span = Span::new(span.start, span.start + word.len().min(span.end - span.start));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("declare it with `oracle {word}`, or write `*` if it is a factor"),
    };
    Diagnostic::error(Code::UnknownOracle, span, format!("there is no oracle `{word}`")).help(help)
}

fn example(kind: OracleKind) -> &'static str {
    match kind {
        OracleKind::Gradient => "grad f(x[k])",
        OracleKind::Subdifferential => "subgrad f(x[k])",
        OracleKind::Prox => "prox_{t f}(x[k])",
        OracleKind::Projection => "proj_C(x[k])",
        OracleKind::Resolvent => "J_{t A}(x[k])",
        OracleKind::Reflected => "R_{t f}(x[k])",
        OracleKind::MoreauGradient => "grad env_{t f}(x[k])",
        OracleKind::Argmin => "argmin_{rho f}(x[k])",
        OracleKind::BlackBox => "F(x[k])",
    }
}

/// Greek letters and single small letters before a parenthesis are factors: `beta(x[k] - x[k-1])`.
fn is_coefficient(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.starts_with(char::is_lowercase) && (stem.chars().count() == 1 || greek_letter(stem).is_some())
}

/// `t f` → (f, t); `f/rho` → (f, 1/rho); `f` → (f, none).
fn split_step(content: &Expression) -> Option<(String, Option<Expression>)> {
    match &content.node {
        Node::Name(name) => Some((name.clone(), None)),
        Node::Identity => Some(("I".to_string(), None)),
        Node::Binary(Operation::Multiply, left, right) => match split_step(right)? {
            (name, None) => Some((name, Some((**left).clone()))),
            (name, Some(step)) => Some((name, Some(binary(Operation::Multiply, (**left).clone(), step)))),
        },
        Node::Binary(Operation::Divide, left, right) => {
            let (name, step) = split_step(left)?;
            let numerator = step.unwrap_or_else(|| Expression::new(left.span, Node::Number(Rational::ONE)));
            Some((name, Some(binary(Operation::Divide, numerator, (**right).clone()))))
        }
        _ => None,
    }
}
