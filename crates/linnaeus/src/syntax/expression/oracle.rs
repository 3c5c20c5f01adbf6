//! Calls of oracles: of what, with which step, where and with which sample.

use super::{Parsed, Parser, binary, needs_argument, unknown};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::source::Span;
use crate::syntax::ast::{Elementary, Expression, Node, Operation, OracleKind, OracleName, Sample};
use crate::syntax::lexer::{Token, TokenKind};
use crate::syntax::names::{greek_letter, oracle_word};
use crate::syntax::notation::Notation;
use linnaeus_algebra::Rational;

/// So many tokens before a name the sum that it is a term of begins at most.
const NEAR: usize = 40;

impl Parser<'_> {
    /// `prox` or `∇` without a function.
    pub(super) fn of_what(&mut self, kind: OracleKind, span: Span) -> Expression {
        let message = format!("`{}` of what? The function's name is missing", self.shown(span));
        self.report(
            Diagnostic::error(Code::MissingArgument, span, message).help(format!("write `{}`", example(kind))),
            span,
        )
    }

    /// `prox_f(…)`, `grad_f(…)`, `prox_f*(…)`, and their misspellings.
    pub(super) fn oracle_with_suffix(&mut self, name: &str, span: Span) -> Option<Parsed<Expression>> {
        let (word, function) = name.split_once('_')?;
        let conjugate = self.symbol() == Some('*') && self.opens_argument_at(self.at + 1);
        if !conjugate && !self.opens_argument() {
            // `prox_f x[k]`, `P_C x[k]`: a call whose parentheses are missing.
            let kind = oracle_word(word).filter(|_| function.starts_with(char::is_alphabetic))?;
            let beside = matches!(self.tokens.get(self.at).map(|t| &t.kind), Some(TokenKind::Name(_)));
            let other = self.is_indexed() || self.vocabulary.is_iterate(name) || self.vocabulary.is_declared(name);
            let is_map = function.starts_with(char::is_uppercase) && self.is_beside_identity();
            return ((word.len() > 2 || beside || is_map) && !other)
                .then(|| self.call(kind, function, false, None, span));
        }
        let kind = match oracle_word(word) {
            Some(kind) => kind,
            None => {
                let near = self.vocabulary.nearest_oracle(word).filter(|_| !self.vocabulary.is_iterate(name))?;
                let kind = oracle_word(&near)?;
                let length = self.source.slice(span).find('_').unwrap_or(span.end - span.start);
                self.diagnostics.push(unknown(word, Span::new(span.start, span.start + length), Some(&near)));
                kind
            }
        };
        if function.is_empty() {
            return Some(Ok(self.of_what(kind, span)));
        }
        self.at += usize::from(conjugate);
        Some(self.call(kind, function, conjugate, None, span))
    }

    /// Whether the sum in parentheses that the name before is a term of has the identity as another one, as `(2*P_C - I)`
    /// has: it is then a map.
    fn is_beside_identity(&self) -> bool {
        let from = self.at.saturating_sub(NEAR);
        let mut depth = 0i64;
        let opens = |t: &Token| {
            match t.kind {
                TokenKind::Symbol(')' | ']' | '}') => depth += 1,
                TokenKind::Symbol('(' | '[' | '{') => depth -= 1,
                _ => {}
            }
            depth < 0
        };
        let Some(open) = self.tokens[from..self.at].iter().rposition(opens).map(|i| from + i) else { return false };
        let is_identity = |term: &&[Token]| match term {
            [t] | [_, t] => matches!(&t.kind, TokenKind::Name(name) if name == "I" || name == "Id"),
            _ => false,
        };
        terms(&self.tokens[open + 1..self.matching(open)]).iter().any(is_identity)
    }

    /// `gard f(x[k])`, `denoize(x[k])`: a word next to an oracle, before a function's name and its
    /// argument, or before its argument. It is reported and read as what it seems to mean.
    pub(super) fn misspelt_oracle(&mut self, name: &str, span: Span) -> Option<Parsed<Expression>> {
        let function_follows = self.name_here().is_some() && self.opens_argument_at(self.at + 1);
        if !(function_follows || self.opens_argument()) || greek_letter(name).is_some() {
            return None;
        }
        let near = self.vocabulary.nearest_oracle(name)?;
        let kind = oracle_word(&near);
        if function_follows && kind.is_none() {
            return None;
        }
        self.diagnostics.push(unknown(name, span, Some(&near)));
        Some(match kind {
            Some(kind) if function_follows => self.oracle_of_next_name(kind, span),
            _ => self.apply(name, span),
        })
    }

    /// After `grad`, `∇`, `∂`: `f(…)`, `f*(…)`, `env_{t f}(…)`.
    pub(super) fn oracle_of_next_name(&mut self, kind: OracleKind, start: Span) -> Parsed<Expression> {
        let Some((function, span)) = self.name_here() else {
            return match self.of_a_sum(kind, start) {
                Some(found) => found,
                None => Ok(self.of_what(kind, start)),
            };
        };
        self.at += 1;
        if self.subscript_group() {
            if let Some(problem) = self.function_in_time(function, span) {
                return Err(problem);
            }
            if function != "env" {
                self.not_an_envelope(function, span);
            }
            return self.oracle_with_group(OracleKind::MoreauGradient, start);
        }
        if let Some(inner) = function.strip_prefix("env_").filter(|inner| !inner.is_empty()) {
            return self.call(OracleKind::MoreauGradient, inner, false, None, start.to(span));
        }
        let mut end = span;
        let caret = usize::from(self.symbol() == Some('^'));
        let star = self.tokens.get(self.at + caret).is_some_and(|t| t.kind == TokenKind::Symbol('*'));
        let conjugate = star && (caret == 1 || self.opens_argument_at(self.at + caret + 1));
        if conjugate {
            self.at += caret;
            end = self.span_here();
            self.at += 1;
        }
        self.call(kind, function, conjugate, None, start.to(end))
    }

    /// `∇(f + t g)(x)`: the derivatives of the terms, each times its factor; also `∇(f(x) + g(x))`.
    pub(super) fn of_a_sum(&mut self, kind: OracleKind, start: Span) -> Option<Parsed<Expression>> {
        let close = self.opens_argument().then(|| self.matching(self.at))?;
        let inside = &self.tokens[self.at + 1..close];
        let sign = if kind == OracleKind::Gradient { '∇' } else { '∂' };
        let put = |c: char, span: Span| Token { kind: TokenKind::Symbol(c), span, spaced: false };
        let mut made = Vec::new();
        for term in terms(inside) {
            let (signed, term) = match term {
                [first, rest @ ..] if matches!(first.kind, TokenKind::Symbol('+' | '-')) => (Some(first), rest),
                _ => (None, term),
            };
            let function = function_at_end(term)?;
            made.extend(signed.cloned());
            let factor = &term[..function];
            let stars = usize::from(factor.last().is_some_and(|t| t.kind == TokenKind::Symbol('*')));
            let factor = &factor[..factor.len() - stars];
            if let (Some(first), Some(last)) = (factor.first(), factor.last()) {
                made.push(put('(', first.span));
                made.extend(factor.iter().cloned());
                made.extend([put(')', last.span), put('*', last.span)]);
            }
            made.push(put(sign, term[function].span));
            made.extend(term[function..].iter().cloned());
        }
        if made.is_empty() {
            return None;
        }
        let whole = start.to(self.tokens[close].span);
        let found = self.inner(&made);
        self.at = close + 1;
        Some(found.map(|e| Expression { span: whole, ..e }))
    }

    /// `grad f_{k-1}`, `grad f_{i_k}`: a function that changes with the index.
    fn function_in_time(&self, function: &str, span: Span) -> Option<Diagnostic> {
        let close = self.matching(self.at + 1);
        let inside = &self.tokens[self.at + 2..close];
        let index = |n: &str| n.split_once('_').is_some_and(|(i, k)| i.chars().count() == 1 && k.chars().count() == 1);
        let help = match inside {
            [Token { kind: TokenKind::Name(n), .. }] if n.chars().count() == 1 && function != "env" => {
                format!("write `{function}_{n}`")
            }
            [Token { kind: TokenKind::Name(n), .. }] if index(n) => {
                let (i, k) = n.split_once('_').unwrap_or((n, "k"));
                format!("write what is drawn behind the point, as in `grad {function}(x[{k}]; {i}[{k}])`")
            }
            [Token { kind: TokenKind::Name(k), .. }, sign, Token { kind: TokenKind::Number(n), .. }]
                if matches!(sign.kind, TokenKind::Symbol('+' | '-')) && k.chars().count() == 1 =>
            {
                let sign = self.shown(sign.span);
                format!("write the sample behind the point, as in `grad {function}(x[{k}]; xi[{k}{sign}{n}])`")
            }
            _ => return None,
        };
        let whole = span.to(self.tokens[close].span);
        let message = format!("`{}` is a function that changes with the index", self.shown(whole));
        Some(Diagnostic::error(Code::BadIndex, whole, message).help(help))
    }

    /// `grad evn_{t f}`, `grad f_{1}`.
    fn not_an_envelope(&mut self, function: &str, span: Span) {
        let near = nearest(function, ["env"]).filter(|_| function.len() > 1);
        let found = unknown(function, span, near);
        self.diagnostics.push(match near {
            Some(_) => found,
            None => found.help(format!(
                "write `{function}_1` or `{function}1` for a function's name, `env_{{t f}}` for an envelope"
            )),
        });
    }

    /// `_{t f}`, `_{f}`, `_{s g*}`, `_{f/rho}`, `_{f, t}`.
    pub(super) fn oracle_with_group(&mut self, kind: OracleKind, start: Span) -> Parsed<Expression> {
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
        let mut conjugate = inside.last().is_some_and(|t| matches!(t.kind, TokenKind::Symbol('*' | '\'')));
        if conjugate {
            inside = &inside[..inside.len() - 1];
            if inside.last().is_some_and(|t| t.kind == TokenKind::Symbol('^')) {
                inside = &inside[..inside.len() - 1];
            }
        }
        if inside.is_empty() {
            self.at = close + 1;
            return Ok(self.of_what(kind, name_span));
        }
        let mut content = self.inner(inside)?;
        // A⁻¹ is to an operator A what ∂f* is to ∂f.
        if matches!(kind, OracleKind::Resolvent | OracleKind::Reflected)
            && let Some(inverted) = inverted(&content)
        {
            content = inverted;
            conjugate = !conjugate;
        }
        let Some((function, mut step)) = split_step(&content) else {
            let mut sums = false;
            content.walk(&mut |e| sums |= matches!(e.node, Node::Binary(Operation::Add | Operation::Subtract, ..)));
            if sums {
                let message = format!("this is the {} of a sum, which is no sum of those of its terms", kind.word());
                let help = "give the sum a name of its own, as in `prox_{t h}` with h = f + g; splitting methods ask each term by itself";
                return Err(Diagnostic::error(Code::BadStep, whole, message).help(help));
            }
            return Err(bad("the function's name is missing"));
        };
        if let Some(tokens) = after_comma {
            if step.is_some() || tokens.is_empty() {
                return Err(bad("the step is given twice or not at all"));
            }
            step = Some(self.inner(tokens)?);
        }
        self.at = close + 1;
        self.call(kind, &function, conjugate, step, name_span)
    }

    fn call(
        &mut self,
        kind: OracleKind,
        function: &str,
        conjugate: bool,
        step: Option<Expression>,
        name_span: Span,
    ) -> Parsed<Expression> {
        let oracle = |step| OracleName { span: name_span, kind, function: function.to_string(), conjugate, step };
        if !self.opens_argument() {
            if self.applies_beside() || !(self.starts_factor() || self.multiplies_iterate()) {
                return Ok(Expression::new(name_span, Node::Oracle(Box::new(oracle(step)))));
            }
            let shown = self.shown(name_span);
            return Ok(self.report(needs_argument(&shown, name_span), name_span));
        }
        if let Some(step) = step.as_ref().filter(|_| !kind.has_step()) {
            self.diagnostics.push(
                Diagnostic::error(Code::BadStep, step.span, format!("a {} has no step", kind.word()))
                    .help(format!("write `{}`", example(kind))),
            );
        }
        let (argument, behind, close) = self.argument(name_span, kind.has_step() && step.is_none())?;
        let (step, sample) = match behind {
            Behind::Step(found) => (Some(found), None),
            Behind::Sample(sample) => (step, Some(sample)),
            Behind::Nothing => (step, None),
        };
        let span = name_span.to(close);
        // `J_A(2*J_B - I)*x[k]`: what is asked at a map is a map.
        if sample.is_none() && is_map(&argument) {
            let outer = Expression::new(name_span, Node::Oracle(Box::new(oracle(step))));
            return Ok(Expression::new(span, Node::Binary(Operation::Multiply, Box::new(outer), Box::new(argument))));
        }
        let call = oracle(step).at(argument, sample);
        Ok(Expression::new(span, Node::Call(Box::new(call))))
    }

    /// Whether `* x[k]` stands here: an oracle is no factor.
    fn multiplies_iterate(&self) -> bool {
        let next = |n: usize| self.tokens.get(self.at + n).map(|t| &t.kind);
        self.symbol() == Some('*')
            && matches!((next(1), next(2)), (Some(TokenKind::Name(_)), Some(TokenKind::Symbol('['))))
    }

    /// Whether an oracle applies to what stands beside it without parentheses.
    pub(super) fn applies_beside(&self) -> bool {
        self.vocabulary.notation != Notation::Plain
    }

    pub(super) fn apply(&mut self, name: &str, span: Span) -> Parsed<Expression> {
        let (argument, behind, close) = self.argument(span, false)?;
        let sample = if let Behind::Sample(sample) = behind { Some(sample) } else { None };
        Ok(Expression::new(span.to(close), Node::Apply(name.to_string(), span, Box::new(argument), sample)))
    }

    /// `(y)`, `(y; xi[k])`, `(y, xi[k])`, and `(y, t)` where a step may follow.
    fn argument(&mut self, name_span: Span, may_step: bool) -> Parsed<(Expression, Behind, Span)> {
        let open = self.span_here();
        let last = self.matching(self.at);
        let end = self.tokens[last].span;
        self.at += 1;
        if self.at == last {
            self.at += 1;
            let shown = self.shown(name_span);
            let message = format!("`{shown}` needs an argument");
            let help = format!("say where it is asked, as in `{shown}(x[k])`");
            let mistake = Diagnostic::error(Code::MissingArgument, name_span.to(end), message).help(help);
            return Ok((self.report(mistake, end), Behind::Nothing, end));
        }
        let mut behind = self.before_point(last).map_or(Behind::Nothing, Behind::Sample);
        let mut argument = self.nested(|p| p.sum())?;
        if let Behind::Sample(_) = behind {
        } else if let Some(separator) =
            self.tokens.get(self.at).filter(|t| matches!(t.kind, TokenKind::Semicolon | TokenKind::Symbol(',')))
        {
            if may_step && separator.kind == TokenKind::Symbol(',') && !self.is_draw(last) {
                self.at += 1;
                let step = self.nested(|p| p.sum())?;
                if self.at != last {
                    let help = "behind the point stands the step, as in `prox_f(x[k], t)`, and nothing else";
                    let mistake = self.unexpected(&self.tokens[self.at], help);
                    self.diagnostics.push(mistake);
                }
                behind = Behind::Step(step);
            } else {
                behind = self.sample(separator, last).map_or(Behind::Nothing, Behind::Sample);
            }
            self.at = last;
        }
        let close = self.close("an operator such as `+` or `*` may be missing before it")?;
        let end = if let Behind::Step(_) = behind { argument.span.end } else { close.start };
        argument.span = Span::new(open.end, end.max(open.end)).min_trim(self.source);
        Ok((argument, behind, close))
    }

    /// `t[n],` in `f(t[n], y[n])`: time, or what is drawn, before the point.
    fn before_point(&mut self, last: usize) -> Option<Sample> {
        let (name, span) = self.name_here().filter(|(n, _)| *n == "t" || is_drawn(n))?;
        let name = name.to_string();
        self.tokens.get(self.at + 1).filter(|t| t.kind == TokenKind::Symbol('[') && !t.spaced)?;
        let close = self.matching(self.at + 1);
        let comma = self.tokens.get(close + 1).filter(|t| t.kind == TokenKind::Symbol(','))?.span;
        if close + 2 >= last {
            return None;
        }
        self.at += 1;
        let index = self.index(span);
        self.at += 1;
        let place = Span::new(span.start, comma.start);
        if name == "t" {
            let message = "`t` was read as the time that the map may change with";
            let help = "leave it out if the map is the same at all times";
            self.diagnostics.push(Diagnostic::note(place, message).help(help));
        }
        Some(Sample { name, index: Some(index), span: place })
    }

    /// Whether what follows the comma is something that is drawn: `prox_f(x[k], xi[k])`.
    fn is_draw(&self, last: usize) -> bool {
        let behind = &self.tokens[(self.at + 1).min(last)..last];
        let [Token { kind: TokenKind::Name(name), .. }, rest @ ..] = behind else { return false };
        is_drawn(name) && rest.first().is_some_and(|t| t.kind == TokenKind::Symbol('['))
    }

    /// What stands between the separator and the end of the argument: after `;` any name, after `,`
    /// only one that is not an iterate, since `F(x[k], y[k])` more likely means two arguments.
    fn sample(&mut self, separator: &Token, last: usize) -> Option<Sample> {
        let separator_at = self.at;
        self.at += 1;
        let name =
            self.name_here().filter(|(n, _)| separator.kind == TokenKind::Semicolon || !self.vocabulary.is_iterate(n));
        let sample = name.map(|(name, span)| {
            self.at += 1;
            let index = self.is_indexed().then(|| self.index(span));
            Sample { name: name.to_string(), index, span: span.to(self.tokens[self.at - 1].span) }
        });
        if sample.is_none() || self.at != last {
            let help = "an oracle takes one argument: let one iterate hold both, as in `F(w[k])`, so that `F` is one oracle \
                        for both parts; a sample is a name that no line updates, as in `grad f(x[k]; xi[k])`";
            let mistake = self.unexpected(&self.tokens[separator_at], help);
            self.diagnostics.push(mistake);
        } else if let Some(s) = sample.as_ref().filter(|s| separator.kind != TokenKind::Semicolon && !is_drawn(&s.name))
        {
            let message = format!("`{}` was read as a sample that the oracle draws", s.name);
            let help = "an oracle takes one argument: a line that updates this name would make it a second one";
            self.diagnostics.push(Diagnostic::note(s.span, message).help(help));
        }
        sample
    }
}

/// Whether a name is customarily that of a sample.
fn is_drawn(name: &str) -> bool {
    ["xi", "zeta", "omega", "i", "j", "s", "S", "B"].contains(&name)
}

/// What stands behind the point in a call.
enum Behind {
    Nothing,
    Step(Expression),
    Sample(Sample),
}

/// Whether oracles without an argument are added, scaled or composed here.
fn is_map(e: &Expression) -> bool {
    match &e.node {
        Node::Oracle(_) => true,
        Node::Minus(a) | Node::Power(a, _) | Node::Binary(Operation::Divide, a, _) => is_map(a),
        // `J_B x[k]` is a vector.
        Node::Binary(Operation::Multiply, a, b) => is_map(b) || is_map(a) && matches!(b.node, Node::Identity),
        Node::Binary(_, a, b) => {
            let may =
                |e: &Expression| is_map(e) || matches!(e.node, Node::Identity | Node::Binary(..) | Node::Minus(_));
            may(a) && may(b) && (is_map(a) || is_map(b))
        }
        _ => false,
    }
}

/// `(I + t ∂f)^-1` is the prox of `t f`, `(∂f)^-1` is `∂f*`, and `(I + t F)^-1` the resolvent of `t F`.
pub(super) fn resolvent(base: &Expression, exponent: &Expression) -> Option<OracleName> {
    let inverts = is_minus_one(exponent);
    // `(∂f)^-1` is the subdifferential of the conjugate.
    if let Node::Oracle(oracle) = &base.node
        && matches!(oracle.kind, OracleKind::Subdifferential | OracleKind::Gradient)
    {
        return inverts.then(|| OracleName { conjugate: !oracle.conjugate, ..(**oracle).clone() });
    }
    let Node::Binary(Operation::Add, a, b) = &base.node else { return None };
    let map = match (&a.node, &b.node) {
        (Node::Identity, _) => b,
        (_, Node::Identity) => a,
        _ => return None,
    };
    let (step, oracle) = match &map.node {
        Node::Oracle(oracle) => (None, oracle),
        Node::Binary(Operation::Multiply, step, right) => match &right.node {
            Node::Oracle(oracle) => (Some((**step).clone()), oracle),
            _ => return None,
        },
        _ => return None,
    };
    let kind = match oracle.kind {
        OracleKind::Subdifferential | OracleKind::Gradient => OracleKind::Prox,
        OracleKind::BlackBox => OracleKind::Resolvent,
        _ => return None,
    };
    inverts.then(|| OracleName { kind, step, ..(**oracle).clone() })
}

/// The terms of a sum, each with its sign.
fn terms(tokens: &[Token]) -> Vec<&[Token]> {
    let (mut depth, mut start, mut found) = (0i64, 0, Vec::new());
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol('(' | '[' | '{') => depth += 1,
            TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
            TokenKind::Symbol('+' | '-') if depth == 0 && i > start => {
                found.push(&tokens[start..i]);
                start = i;
            }
            _ => {}
        }
    }
    found.push(&tokens[start..]);
    found
}

/// Where the function stands that a term ends with, an argument behind it or not.
fn function_at_end(term: &[Token]) -> Option<usize> {
    let is_name = |i: usize| matches!(term[i].kind, TokenKind::Name(_));
    let last = term.len().checked_sub(1)?;
    if is_name(last) {
        return Some(last);
    }
    let mut depth = 0i64;
    let open = (0..=last).rev().find(|&i| {
        match term[i].kind {
            TokenKind::Symbol(')') => depth += 1,
            TokenKind::Symbol('(') => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    open.checked_sub(1).filter(|&i| open < last && is_name(i))
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

/// `t f` → (f, t); `f/rho` → (f, 1/rho); `f` → (f, none).
fn split_step(content: &Expression) -> Option<(String, Option<Expression>)> {
    match &content.node {
        Node::Name(name) => Some((name.clone(), None)),
        // The resolvent of what is declared as an oracle.
        Node::Oracle(o) if o.kind == OracleKind::BlackBox && !o.conjugate && o.step.is_none() => {
            Some((o.function.clone(), None))
        }
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

/// `s N` for `s N^-1`, if the function of `s N` is what is inverted.
fn inverted(content: &Expression) -> Option<Expression> {
    let node = match &content.node {
        Node::Power(base, exponent) if is_minus_one(exponent) => return split_step(base).map(|_| (**base).clone()),
        Node::Elementary(Elementary::Inverse, base) => return split_step(base).map(|_| (**base).clone()),
        Node::Binary(Operation::Multiply, left, right) => {
            Node::Binary(Operation::Multiply, left.clone(), Box::new(inverted(right)?))
        }
        Node::Binary(Operation::Divide, left, right) => {
            Node::Binary(Operation::Divide, Box::new(inverted(left)?), right.clone())
        }
        _ => return None,
    };
    Some(Expression::new(content.span, node))
}

fn is_minus_one(e: &Expression) -> bool {
    match &e.node {
        Node::Number(n) => *n == -Rational::ONE,
        Node::Minus(one) => matches!(&one.node, Node::Number(n) if *n == Rational::ONE),
        _ => false,
    }
}

/// What is said of second derivatives.
pub fn hessian(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnknownOracle, span, "a Hessian is no oracle that is read")
        .help("algorithms with second derivatives are outside of what is compared; give the whole step a name, as in `T(x[k])`, to make it a black box")
}
