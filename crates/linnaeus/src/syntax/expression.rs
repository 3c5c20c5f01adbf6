//! Expressions of the plain notation, by precedence: sum, product, sign, power, adjoint.

mod oracle;

use super::ast::{Elementary, Expression, Index, Node, Operation, OracleKind, OracleName};
use super::lexer::{Token, TokenKind};
use super::names::{elementary, greek_letter, is_joining, oracle_word};
use super::notation::Notation;
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, clipped};
use crate::source::{Source, Span};
use linnaeus_algebra::Rational;
use oracle::resolvent;

pub use oracle::hessian;

/// Parentheses deeper than this are not read.
pub const MAX_NESTING: usize = 64;
/// Indices further from `k` than this are not read.
pub const MAX_DELAY: i64 = 50;
/// Expressions of more names and numbers than this are not read.
pub const MAX_SIZE: usize = 400;

pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// Reads one expression from balanced tokens. A mistake that leaves no doubt about what follows is
/// reported on the way, and reading goes on; any other ends the expression.
pub struct Parser<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    depth: usize,
    size: usize,
    source: &'a Source,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// Variables of the minimization that is being read; none outside of one.
    pub(super) bound: Vec<String>,
    /// Whether a number is wanted here rather than a vector.
    pub(super) in_objective: bool,
    /// Whether a norm is open, so that the next bar closes it.
    pub(super) in_norm: bool,
}

impl<'a> Parser<'a> {
    /// A parser at the first token; there must be one.
    pub fn new(
        tokens: &'a [Token],
        source: &'a Source,
        vocabulary: &'a Vocabulary,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let (bound, in_objective) = (Vec::new(), false);
        Parser {
            tokens,
            at: 0,
            depth: 0,
            size: 0,
            source,
            vocabulary,
            diagnostics,
            bound,
            in_objective,
            in_norm: false,
        }
    }

    /// A parser for the value of a function of these variables.
    pub fn of_function(self, variables: Vec<String>) -> Self {
        Parser { bound: variables, in_objective: true, ..self }
    }

    /// Reads all tokens as one expression.
    pub fn whole(mut self) -> Parsed<Expression> {
        let expression = self.sum()?;
        match self.tokens.get(self.at) {
            None => Ok(expression),
            Some(token) if token.kind == TokenKind::Symbol(',') => {
                Err(self.unexpected(token, "write one equation per line; an oracle has one argument"))
            }
            Some(token) => Err(self.unexpected(token, "an operator such as `+` or `*` may be missing before it")),
        }
    }

    pub(super) fn sum(&mut self) -> Parsed<Expression> {
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

    pub(super) fn product(&mut self) -> Parsed<Expression> {
        let mut left = self.signed()?;
        loop {
            if let Some(inner) = self.transposed_product(&mut left)? {
                return Ok(inner);
            }
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
                    self.no_prose(&left)?;
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

    /// Words such as `with` multiply nothing.
    fn no_prose(&self, left: &Expression) -> Parsed<()> {
        let before = if let Node::Name(name) = &left.node { Some((name.as_str(), left.span)) } else { None };
        let joins = |(name, _): &(&str, Span)| {
            is_joining(name) && !self.vocabulary.is_declared(name) && !self.vocabulary.is_iterate(name)
        };
        let Some((word, span)) = before.filter(joins).or_else(|| self.name_here().filter(joins)) else { return Ok(()) };
        let help = match self.vocabulary.notation {
            Notation::Plain => "put remarks after `#`, on the line or on one of their own",
            _ => "put words on a line of their own, or after `%`",
        };
        Err(Diagnostic::error(Code::UnexpectedToken, span, format!("`{word}` is a word, not a factor")).help(help))
    }

    pub(super) fn signed(&mut self) -> Parsed<Expression> {
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

    pub(super) fn power(&mut self) -> Parsed<Expression> {
        let mut base = self.primary()?;
        loop {
            let here = self.span_here();
            if self.symbol() == Some('\'') || self.adjoint_star(&base) {
                self.count()?;
                self.at += 1;
                base = Expression::new(base.span.to(here), Node::Adjoint(Box::new(base)));
            } else if self.symbol() == Some('^') {
                self.count()?;
                self.at += 1;
                if self.superscript_is_adjoint() {
                    let end = self.span_here();
                    self.at += 1;
                    base = Expression::new(base.span.to(end), Node::Adjoint(Box::new(base)));
                } else {
                    let exponent = self.nested(|p| match p.symbol() {
                        Some('-' | '+') => p.signed(),
                        // `a^2^3` is a^(2^3).
                        _ => p.power(),
                    })?;
                    let span = base.span.to(exponent.span);
                    base = match resolvent(&base, &exponent) {
                        Some(oracle) => Expression::new(span, Node::Oracle(Box::new(OracleName { span, ..oracle }))),
                        None => Expression::new(span, Node::Power(Box::new(base), Box::new(exponent))),
                    };
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
        let Node::Name(name) = &base.node else {
            return false;
        };
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
                    self.diagnostics
                        .push(Diagnostic::note(span, format!("`{name}*` was read as the adjoint of `{name}`")).help(
                            format!("write `{name} * …` or `{name}*x` for a product, `{name}'` for the adjoint"),
                        ));
                    true
                }
                _ => false,
            },
        }
    }

    fn primary(&mut self) -> Parsed<Expression> {
        self.count()?;
        let Some(token) = self.tokens.get(self.at) else {
            let last = self.tokens[self.tokens.len() - 1].span;
            return Err(Diagnostic::error(Code::UnexpectedToken, last, "something is missing after this")
                .help(format!("write a term after `{}`, or remove it", self.shown(last))));
        };
        match &token.kind {
            TokenKind::Number(value) => {
                self.at += 1;
                Ok(Expression::new(token.span, Node::Number(value.clone())))
            }
            TokenKind::Symbol('(' | '[' | '{') => self.group(),
            TokenKind::Symbol('‖') => self.norm(),
            TokenKind::Symbol('⟨' | '<') => self.inner_product(),
            TokenKind::Symbol('∇') => {
                self.at += 1;
                let two = |t: &Token| t.kind == TokenKind::Number(Rational::from(2));
                if self.symbol() == Some('^') && self.tokens.get(self.at + 1).is_some_and(two) {
                    return Err(hessian(token.span));
                }
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
            _ => Err(self.unexpected(token, &self.missing_before(token))),
        }
    }

    /// What to do about a token where a term should begin.
    fn missing_before(&self, token: &Token) -> String {
        let here = self.shown(token.span);
        match self.at.checked_sub(1).map(|before| self.shown(self.tokens[before].span)) {
            Some(before) => {
                format!("write a term between `{before}` and `{here}`, or remove one of them")
            }
            None => format!("write a name, a number or `(` before `{here}`"),
        }
    }

    fn group(&mut self) -> Parsed<Expression> {
        let open = self.tokens[self.at].span;
        self.at += 1;
        if matches!(self.symbol(), Some(')' | ']' | '}')) {
            return Err(Diagnostic::error(
                Code::MissingArgument,
                open.to(self.span_here()),
                "nothing stands between these",
            )
            .help("write an expression there"));
        }
        let mut inner = self.nested(|p| p.sum())?;
        let close = self.close("an operator such as `+` or `*` may be missing before it")?;
        inner.span = open.to(close);
        Ok(inner)
    }

    /// The closing partner; tokens are balanced, so anything else is a stray token inside.
    pub(super) fn close(&mut self, help: &str) -> Parsed<Span> {
        match self.tokens.get(self.at) {
            Some(token) if matches!(token.kind, TokenKind::Symbol(')' | ']' | '}')) => {
                self.at += 1;
                Ok(token.span)
            }
            Some(token) => Err(self.unexpected(token, help)),
            None => Err(Diagnostic::error(
                Code::UnbalancedParenthesis,
                self.tokens[self.at - 1].span,
                "a parenthesis is not closed",
            )
            .help("add the missing `)`")),
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        if let Some(found) = self.in_minimization(name, span) {
            return found;
        }
        if self.vocabulary.oracles.contains(name) && self.opens_argument() {
            return self.apply(name, span);
        }
        if self.vocabulary.oracles.contains(name)
            && !self.is_indexed()
            && (self.applies_beside() || !self.starts_factor())
        {
            let (kind, function) = (OracleKind::BlackBox, name.to_string());
            let oracle = OracleName { span, kind, function, conjugate: false, step: None };
            return Ok(Expression::new(span, Node::Oracle(Box::new(oracle))));
        }
        if let Some(kind) = oracle_word(name) {
            if self.subscript_group() {
                return self.oracle_with_group(kind, span);
            }
            let word_before_function = matches!(kind, OracleKind::Gradient | OracleKind::Subdifferential);
            if word_before_function && self.name_here().is_some() {
                return self.oracle_of_next_name(kind, span);
            }
            if name.len() > 2 && !self.is_indexed() {
                let sum = if word_before_function { self.of_a_sum(kind, span) } else { None };
                return sum.unwrap_or_else(|| Ok(self.of_what(kind, span)));
            }
        }
        if let Some(call) = self.oracle_with_suffix(name, span) {
            return call;
        }
        let (bare, suffix) = name.split_once('_').unwrap_or((name, ""));
        let applied = self.name_here().is_some() || self.opens_argument();
        if matches!(bare, "hess" | "hessian" | "Hess" | "Hessian")
            && !self.vocabulary.is_declared(name)
            && (applied || !suffix.is_empty())
        {
            return Err(hessian(span));
        }
        if let Some(function) = elementary(name).filter(|_| !self.is_indexed()) {
            return self.elementary(function, name, span);
        }
        if self.is_indexed() {
            return self.indexed(name, span);
        }
        if self.subscript_group() {
            return self.subscripted(name, span);
        }
        if (name == "I" || name == "Id") && !self.opens_argument() {
            return Ok(Expression::new(span, Node::Identity));
        }
        if let Some(call) = self.misspelt_oracle(name, span) {
            return call;
        }
        if self.opens_argument() && !is_coefficient(name) {
            return self.apply(name, span);
        }
        Ok(Expression::new(span, Node::Name(name.to_string())))
    }

    fn indexed(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        let index = self.index(span);
        let end = self.tokens[self.at - 1].span;
        Ok(Expression::new(span.to(end), Node::Indexed(name.to_string(), index)))
    }

    /// `x_{k+1}`; anything else in the group is no name that we know.
    fn subscripted(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        if self.index_length(self.at + 1).is_some() {
            self.at += 1;
            return self.indexed(name, span);
        }
        let near = self.vocabulary.nearest_oracle(name);
        if let Some((near, kind)) = near.as_deref().and_then(|near| Some((near, oracle_word(near)?))) {
            self.diagnostics.push(unknown(name, span, Some(near)));
            return self.oracle_with_group(kind, span);
        }
        let close = self.matching(self.at + 1);
        self.at = close + 1;
        let whole = span.to(self.tokens[close].span);
        if self.opens_argument() {
            return Ok(self.report(unknown(name, span, None), whole));
        }
        let message = format!("`{}` is no name and no index", self.shown(whole));
        let help = format!("write `{name}[k+1]` for an iterate, `{name}_1` or `{name}1` for a name");
        Ok(self.report(Diagnostic::error(Code::BadIndex, whole, message).help(help), whole))
    }

    fn elementary(&mut self, function: Elementary, name: &str, span: Span) -> Parsed<Expression> {
        if !self.starts_factor() {
            return Err(Diagnostic::error(Code::MissingArgument, span, format!("`{name}` of what?"))
                .help(format!("write `{name}(…)`")));
        }
        if let (Elementary::Nonlinear(_), true) = (function, self.opens_argument()) {
            let close = self.matching(self.at);
            if self.tokens[self.at..close].iter().any(|t| t.kind == TokenKind::Symbol(',')) {
                let message = format!("`{name}` of several terms is not read");
                let help = "give the whole expression a name: a number, as in `beta`, or an oracle, as in `T(x[k])`";
                let whole = span.to(self.tokens[close].span);
                return Err(Diagnostic::error(Code::NonlinearFunction, whole, message).help(help));
            }
        }
        let argument = self.nested(|p| if p.opens_argument() { p.group() } else { p.power() })?;
        Ok(Expression::new(span.to(argument.span), Node::Elementary(function, Box::new(argument))))
    }

    pub(super) fn inner(&mut self, tokens: &[Token]) -> Parsed<Expression> {
        if self.depth >= MAX_NESTING {
            return Err(too_deep(tokens[0].span));
        }
        let (depth, size) = (self.depth + 1, self.size);
        let (source, vocabulary, diagnostics) = (self.source, self.vocabulary, &mut *self.diagnostics);
        let (bound, in_objective) = (Vec::new(), false);
        let mut parser =
            Parser { tokens, at: 0, depth, size, source, vocabulary, diagnostics, bound, in_objective, in_norm: false };
        let found = parser.sum()?;
        match tokens.get(parser.at) {
            None => Ok(found),
            Some(token) => Err(parser.unexpected(token, "the step is a scalar expression before the function's name")),
        }
    }

    /// `[k+1]`, `[k]`, `[0]`, `[k - 1/2]` after a name.
    fn index(&mut self, name_span: Span) -> Index {
        let open = self.span_here();
        let close = self.matching(self.at);
        let inside = &self.tokens[self.at + 1..close];
        let span = open.to(self.tokens[close].span);
        self.at = close + 1;
        let found = index_terms(inside).map(|(letter, offset)| (letter, offset * Rational::from(2)));
        let Some((letter, halves)) = found.filter(|(_, halves)| halves.is_int()) else {
            let place = inside.first().map_or(span, |first| first.span.to(inside[inside.len() - 1].span));
            self.diagnostics.push(
                Diagnostic::error(Code::BadIndex, place, "this is no index")
                    .help("an index is a letter and a whole number, as in `x[k+1]`"),
            );
            return Index { letter: "k".to_string(), halves: 0, span };
        };
        let near = i64::try_from(halves.numerator().clone()).ok().filter(|h| h.abs() <= 2 * MAX_DELAY);
        if near.is_none() {
            let message = format!("an index reaches at most {MAX_DELAY} steps from the present");
            let help = format!("use an offset of at most {MAX_DELAY}");
            self.diagnostics.push(Diagnostic::error(Code::LimitDelay, name_span.to(span), message).help(help));
        }
        Index { letter, halves: near.unwrap_or(0), span }
    }

    /// Whether `[…]` here is an index rather than an argument in brackets.
    pub(super) fn is_indexed(&self) -> bool {
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
            [a, s, n] => {
                letter(a) && matches!(s.kind, TokenKind::Symbol('+' | '-')) && matches!(n.kind, TokenKind::Number(_))
            }
            _ => false,
        };
        shape.then_some(close + 1 - at)
    }

    pub(super) fn subscript_group(&self) -> bool {
        matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(TokenKind::Underscore))
            && matches!(self.tokens.get(self.at + 1).map(|t| &t.kind), Some(TokenKind::Symbol('{')))
    }

    pub(super) fn opens_argument(&self) -> bool {
        self.opens_argument_at(self.at)
    }

    pub(super) fn opens_argument_at(&self, at: usize) -> bool {
        match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Symbol('(')) => true,
            Some(TokenKind::Symbol('[')) => {
                let inside = &self.tokens[at + 1..self.matching(at)];
                inside.iter().any(|t| matches!(t.kind, TokenKind::Symbol('[' | '(')))
            }
            _ => false,
        }
    }

    pub(super) fn starts_factor(&self) -> bool {
        if self.in_norm && self.symbol() == Some('‖') {
            return false;
        }
        matches!(
            self.tokens.get(self.at).map(|t| &t.kind),
            Some(
                TokenKind::Name(_) | TokenKind::Number(_) | TokenKind::Symbol('(' | '[' | '{' | '∇' | '∂' | '‖' | '⟨')
            )
        )
    }

    /// The token that closes the one at `open`; tokens are balanced.
    pub(super) fn matching(&self, open: usize) -> usize {
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

    /// One more name, number or sign behind one.
    pub(super) fn count(&mut self) -> Parsed<()> {
        self.size += 1;
        if self.size <= MAX_SIZE {
            return Ok(());
        }
        let message = format!("an expression has at most {MAX_SIZE} names and numbers");
        let help = format!("give a part of it a name of its own, so that each has at most {MAX_SIZE}");
        Err(Diagnostic::error(Code::LimitNesting, self.span_here(), message).help(help))
    }

    /// Notes a mistake; what stands for the part that cannot be read is shown as it is written and not looked at.
    fn report(&mut self, mistake: Diagnostic, span: Span) -> Expression {
        self.diagnostics.push(mistake);
        Expression::new(span, Node::Name(self.shown(span)))
    }

    pub(super) fn name_here(&self) -> Option<(&'a str, Span)> {
        match self.tokens.get(self.at) {
            Some(Token { kind: TokenKind::Name(name), span, .. }) => Some((name, *span)),
            _ => None,
        }
    }

    /// The text of a place, short enough for a message.
    pub(super) fn shown(&self, span: Span) -> String {
        clipped(self.source.slice(span))
    }

    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(too_deep(self.span_here()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn symbol(&self) -> Option<char> {
        match self.tokens.get(self.at).map(|t| &t.kind) {
            Some(TokenKind::Symbol(c)) => Some(*c),
            _ => None,
        }
    }

    pub(super) fn span_here(&self) -> Span {
        let last = self.tokens.len() - 1;
        self.tokens[self.at.min(last)].span
    }

    /// `|x[k]|`.
    fn absolute_value(&self, open: &Token) -> Diagnostic {
        let bar = |t: &&Token| t.kind == TokenKind::Symbol('|') && t.span.start > open.span.start;
        let whole = self.tokens.iter().find(bar).map_or(open.span, |close| open.span.to(close.span));
        let help = "give the whole expression a name, as in `T(x[k])`, to make it an oracle";
        Diagnostic::error(Code::NonlinearFunction, whole, "an absolute value is not linear in the iterates").help(help)
    }

    pub(super) fn unexpected(&self, token: &Token, help: &str) -> Diagnostic {
        match token.kind {
            TokenKind::Symbol('|') => return self.absolute_value(token),
            TokenKind::Symbol('…') => {
                let message = "these dots stand for what is not written";
                let help = "write it out, or give the whole a name, as in `T(x[k])`";
                return Diagnostic::error(Code::UnexpectedToken, token.span, message).help(help);
            }
            TokenKind::Symbol('<' | '>') => {
                let rest = self.tokens.iter().skip_while(|t| t.span.start < token.span.start);
                let pair = |c: char| rest.clone().any(|t| t.kind == TokenKind::Symbol(c));
                if token.kind == TokenKind::Symbol('<') && pair(',') && pair('>') {
                    let message = "an inner product is not linear in the iterates";
                    let help = "inner products stand in what is minimized, as in `argmin_x f(x) + <y[k], x>`";
                    return Diagnostic::error(Code::NonlinearFunction, token.span, message).help(help);
                }
                let message = "a comparison stands in an equation";
                let help = "give the equation alone, and a condition on a line of its own";
                return Diagnostic::error(Code::UnexpectedToken, token.span, message).help(help);
            }
            _ => {}
        }
        let shown = self.shown(token.span);
        Diagnostic::error(Code::UnexpectedToken, token.span, format!("`{shown}` is not expected here")).help(help)
    }
}

/// An oracle where a vector is wanted.
pub(crate) fn needs_argument(shown: &str, span: Span) -> Diagnostic {
    let message = format!("`{shown}` is an oracle, not a vector: it needs an argument");
    Diagnostic::error(Code::OracleAsVector, span, message).help(format!("say where it is asked, as in `{shown}(x[k])`"))
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
        .help(format!("give a part of the expression a name of its own, so that each is at most {MAX_NESTING} deep"))
}

fn unknown(word: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("declare it with `oracle {word}`, or write `*` if it is a factor"),
    };
    Diagnostic::error(Code::UnknownOracle, span, format!("there is no oracle `{}`", clipped(word))).help(help)
}

/// Greek letters and single small letters before a parenthesis are factors: `beta(x[k] - x[k-1])`.
fn is_coefficient(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.starts_with(char::is_lowercase) && (stem.chars().count() == 1 || greek_letter(stem).is_some())
}

/// `k+1` → (k, 1); `0` → (no letter, 0).
fn index_terms(inside: &[Token]) -> Option<(String, Rational)> {
    let mut letter = None;
    let mut offset = Rational::ZERO;
    let (mut sign, mut rest) = (1, inside);
    loop {
        let (term, mut after) = match rest.split_first()? {
            (Token { kind: TokenKind::Symbol('-'), .. }, after) if rest.len() == inside.len() => {
                sign = -1;
                after.split_first()?
            }
            found => found,
        };
        match &term.kind {
            TokenKind::Name(name) if letter.is_none() && sign == 1 => letter = Some(name.clone()),
            TokenKind::Number(n) => {
                let mut value = n.clone();
                if let [
                    Token { kind: TokenKind::Symbol('/'), .. },
                    Token { kind: TokenKind::Number(d), .. },
                    more @ ..,
                ] = after
                {
                    if d.is_zero() {
                        return None;
                    }
                    value /= d.clone();
                    after = more;
                }
                offset += value * Rational::from(sign);
            }
            _ => return None,
        }
        (sign, rest) = match after.split_first() {
            None => return Some((letter.unwrap_or_default(), offset)),
            Some((Token { kind: TokenKind::Symbol('+'), .. }, rest)) => (1, rest),
            Some((Token { kind: TokenKind::Symbol('-'), .. }, rest)) => (-1, rest),
            Some(_) => return None,
        };
    }
}
