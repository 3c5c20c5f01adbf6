//! Derivatives: `∇f(x)`, `∂f^*(y)`, `∇_x f(x; ξ_k)`, `\frac{\partial f}{\partial x}`, and the functions they are of.

use super::unread::unread;
use super::{Emitter, closing, flat, index_tokens, is_lone_star, labelled, token};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::expression::hessian;
use crate::syntax::latex::atoms::{Atom, Nucleus};
use crate::syntax::latex::time::{parts, shape};
use crate::syntax::lexer::{Token, TokenKind};

/// The differences of an image, a linear operator.
const DIFFERENCES: &str = "Nabla";
const TAKEN_BY: &str = "what the derivative is taken by was left out";

impl Emitter<'_> {
    /// `∇ f(x)`, `∂ f^*(y)`, `∇_x f(x; ξ_k)`.
    pub(super) fn derivative(&mut self, c: char, atoms: &[Atom]) -> Result<usize, Diagnostic> {
        let atom = &atoms[0];
        if matches!(atom.sup.as_deref(), Some([Atom { nucleus: Nucleus::Number(n), .. }]) if n == "2") {
            return Err(hessian(atom.span));
        }
        if let Some(above) = &atom.sup {
            let message = format!("what stands above `{c}`, `{}`, is not read", flat(above));
            let help = "write the function behind it, as in `\\nabla f(x_k)`, or give the whole a name, as in `T(x_k)`";
            return Err(Diagnostic::error(Code::UnexpectedToken, atom.span, message).help(help));
        }
        if atom.sub.is_some() {
            self.diagnostics.push(Diagnostic::note(atom.span, TAKEN_BY));
        }
        if let Some(count) = self.composed(atoms)? {
            return Ok(count);
        }
        if c == '∇' && self.is_difference(atoms) {
            self.name(DIFFERENCES, atom.span);
            self.symbol('*', atom.span);
            return Ok(1);
        }
        self.symbol(c, atom.span);
        let Some(next) = atoms.get(1) else { return Ok(1) };
        let Nucleus::Name(name) = &next.nucleus else { return Ok(1) };
        if let ("env", Some(sub)) = (name.as_str(), &next.sub) {
            self.below("env", sub, next.span)?;
            return Ok(2);
        }
        let (plain, conjugate, sample) = self.function(name, next);
        let full = atom.mark.map_or(plain.clone(), |mark| labelled(&plain, mark));
        if let Some(mark) = atom.mark {
            let word = if c == '∇' { "nabla" } else { "partial" };
            let letter = self.clock.letter.as_deref().unwrap_or("k");
            let exact = format!("write `\\{word} {plain}` for that of `{plain}`");
            let drawn = format!("`\\{word} {plain}(x; \\xi_{letter})` for one that is drawn anew");
            self.guess(
                &format!("\\{mark}\\{word} {plain}"),
                &format!("an oracle of its own, that of a function `{full}`"),
                format!("{exact}, {drawn}"),
            );
        }
        // `∇f*(y)`: a star on the line that multiplies nothing.
        let lowered = !conjugate && matches!(&atoms[2..], [star, open, ..] if is_lone_star(star) && open.is('('));
        self.name(full, next.span);
        if conjugate || lowered {
            self.symbol('^', next.span);
            self.symbol('*', next.span);
        }
        let read = 2 + usize::from(lowered);
        Ok(read + self.sampled(&atoms[read..], sample)?)
    }

    /// `\mathbb{E}[∇f(x, ξ)]` is the gradient of one function, the mean: how many atoms it took.
    pub(super) fn expectation(&mut self, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let Some(close) = atoms.get(1..).filter(|a| a.first().is_some_and(|a| a.is('('))).and_then(closing) else {
            return Ok(None);
        };
        let whole = atoms[0].span.to(atoms[close + 1].span);
        let other = || {
            let help = "give the mean of the functions a name, as in `\\nabla F(x_k)`, or write what is drawn, as in `\\nabla f(x_k; \\xi_k)`";
            Diagnostic::error(Code::UnexpectedToken, whole, "this expectation is not read").help(help)
        };
        let [sign, function @ Atom { nucleus: Nucleus::Name(name), sup: None, .. }, point @ ..] = &atoms[2..=close]
        else {
            return Err(other());
        };
        if !sign.is('∇') || sign.sup.is_some() || point.is_empty() || closing(point) != Some(point.len() - 1) {
            return Err(other());
        }
        let mut depth = 0i64;
        let drawn = point.iter().position(|a| {
            depth += i64::from(a.is('(')) - i64::from(a.is(')'));
            depth == 1 && (a.is(',') || a.is(';'))
        });
        if drawn.is_none() && function.sub.is_none() || atoms[close + 1].sup.is_some() {
            return Err(other());
        }
        let message =
            format!("this was read as the gradient of one function: `{name}` is the mean of all that are drawn");
        self.diagnostics.push(Diagnostic::note(whole, message));
        let mut mean = vec![sign.clone(), Atom { sub: None, ..function.clone() }];
        mean.extend_from_slice(&point[..drawn.unwrap_or(point.len() - 1)]);
        mean.push(point[point.len() - 1].clone());
        self.list(&mean)?;
        Ok(Some(close + 2))
    }

    /// `∇(f ∘ A)(x)` is A'∇f(Ax): how many atoms it took.
    fn composed(&mut self, atoms: &[Atom]) -> Result<Option<usize>, Diagnostic> {
        let Some(close) = atoms.get(1..).filter(|a| a.first().is_some_and(|a| a.is('('))).and_then(closing) else {
            return Ok(None);
        };
        let inside = &atoms[2..=close];
        if inside.len() > 1 && matches!(atoms[close + 1].sup.as_deref(), Some([only]) if only.is('*') || only.is('⋆'))
        {
            return Err(of_a_multiple(atoms[0].span.to(atoms[close + 1].span)));
        }
        let Some(circle) = inside.iter().find(|a| a.nucleus == Nucleus::After) else { return Ok(None) };
        let argument = &atoms[close + 2..];
        let end = argument.first().filter(|a| a.is('(')).and_then(|_| closing(argument));
        let linear =
            |a: &Atom| matches!(&a.nucleus, Nucleus::Name(n) if n.starts_with(char::is_uppercase)) && a.sup.is_none();
        let (Some(end), [f @ Atom { nucleus: Nucleus::Name(_), .. }, _, map]) = (end, inside) else {
            return Err(of_a_composition(circle.span));
        };
        let bare = atoms[close + 1].sup.is_none() && atoms[close + 1].sub.is_none();
        if !linear(map) || !bare {
            return Err(of_a_composition(circle.span));
        }
        let sign = |c: char, span: Span| Atom::new(Nucleus::Symbol(c), span);
        let adjoint = Atom { sup: Some(vec![sign('⊤', map.span)]), ..map.clone() };
        let mut whole = vec![adjoint, sign('*', circle.span), Atom { sub: None, ..atoms[0].clone() }];
        whole.extend([f.clone(), sign('(', argument[0].span), map.clone(), sign('*', map.span)]);
        whole.extend_from_slice(&argument[..=end]);
        whole.push(sign(')', argument[end].span));
        if atoms[0].is('∂') {
            let message = "this was read as the adjoint times the subgradients of the outer function, which is all of it only if the ranges meet";
            self.diagnostics.push(Diagnostic::note(atoms[0].span.to(argument[end].span), message));
        }
        self.list(&whole)?;
        Ok(Some(close + 2 + end + 1))
    }

    /// Whether `∇` stands before an iterate where a divergence is taken, too.
    fn is_difference(&mut self, atoms: &[Atom]) -> bool {
        let [nabla, next, rest @ ..] = atoms else { return false };
        let Nucleus::Name(name) = &next.nucleus else { return false };
        let called = rest.first().is_some_and(|a| a.is('('));
        let found = self.clock.divergence && nabla.sub.is_none() && !called && self.clock.iterates.contains(name);
        if found {
            let taken_as = format!("a linear operator {DIFFERENCES}, and the divergence minus its adjoint");
            self.guess("\\nabla", &taken_as, "write `\\nabla f(x)` for the gradient of a function".to_string());
        }
        found
    }

    /// `\operatorname{div} p`.
    pub(super) fn divergence(&mut self, span: Span) {
        self.symbol('(', span);
        self.symbol('-', span);
        self.name(DIFFERENCES, span);
        self.symbol('\'', span);
        self.symbol(')', span);
        self.symbol('*', span);
    }

    /// `\frac{\partial f}{\partial x}`, `\frac{df}{dx}`, `\frac{d}{dx}`.
    pub(super) fn is_derivative(&self, above: &[Atom], below: &[Atom]) -> bool {
        let ([d, function @ ..], [e, variable]) = (above, below) else { return false };
        let sign = d.is('∂') || d.nucleus == Nucleus::Name("d".into()) && !self.clock.iterates.contains("d");
        let bare = |a: &Atom| a.sub.is_none() && a.sup.is_none();
        let name = |a: &Atom| matches!(a.nucleus, Nucleus::Name(_));
        let of = match function {
            [] => true,
            [f] => name(f),
            [f, open, ..] => name(f) && open.is('('),
        };
        sign && d.nucleus == e.nucleus && bare(d) && bare(e) && name(variable) && of
    }

    /// Such a quotient is a gradient, at what stands above, behind it or below a bar behind it, or else at what the
    /// derivative is taken by.
    pub(super) fn quotient(&mut self, above: &[Atom], below: &[Atom], atoms: &[Atom]) -> Result<usize, Diagnostic> {
        self.diagnostics.push(Diagnostic::note(atoms[0].span, TAKEN_BY));
        let mut whole = vec![Atom::new(Nucleus::Symbol('∇'), above[0].span)];
        whole.extend_from_slice(&above[1..]);
        if let Some(Atom { nucleus: Nucleus::Symbol('|'), sub: Some(point), span, .. }) = atoms.get(1) {
            let sign = point.iter().position(|a| a.nucleus == Nucleus::Equals).map_or(0, |s| s + 1);
            whole.push(Atom::new(Nucleus::Symbol('('), *span));
            whole.extend_from_slice(&point[sign..]);
            whole.push(Atom::new(Nucleus::Symbol(')'), *span));
            self.list(&whole)?;
            return Ok(2);
        }
        let own = whole.len();
        if own > 2 {
            self.list(&whole)?;
            return Ok(1);
        }
        if own == 2 && atoms.get(1).is_none_or(|a| !a.is('(')) {
            self.list(&whole)?;
            return self.taken_at(&below[1], atoms[0].span);
        }
        whole.extend_from_slice(&atoms[1..]);
        Ok((self.derivative('∇', &whole)?.max(own) - own) + 1)
    }

    /// `∂f/∂x` without a point is taken at `x`, now.
    fn taken_at(&mut self, variable: &Atom, span: Span) -> Result<usize, Diagnostic> {
        let end = Span::new(span.end, span.end);
        self.symbol('(', end);
        let from = self.out.len();
        self.list(std::slice::from_ref(variable))?;
        let bare = variable.sub.is_none() && variable.sup.is_none() && self.out.len() == from + 1;
        if let (Nucleus::Name(name), Some(letter), true) = (&variable.nucleus, self.clock.letter.clone(), bare)
            && self.clock.iterates.contains(name)
        {
            self.out.extend(index_tokens(&letter, 0, end));
            let (name, taken_as) = (format!("\\partial {name}"), format!("by `{name}`, at its present value"));
            self.guess(&name, &taken_as, "write the point behind the quotient".to_string());
        }
        self.symbol(')', end);
        Ok(1)
    }

    /// A function's name, whether it is the conjugate, and the sample that its subscript carries.
    pub(super) fn function(&mut self, name: &str, atom: &Atom) -> (String, bool, Option<Vec<Token>>) {
        let mut full = name.to_string();
        let mut sample = None;
        let letter = self.clock.letter.clone();
        for part in atom.sub.iter().flat_map(|s| parts(s)) {
            let inner = match part {
                [Atom { nucleus: Nucleus::Name(i), sub: Some(sub), .. }] => shape(sub).map(|s| (i.clone(), s)),
                [Atom { nucleus: Nucleus::Name(i), sup: Some(sup), .. }] => shape(sup).map(|s| (i.clone(), s)),
                // `f_{i(k)}`
                [Atom { nucleus: Nucleus::Name(i), sub: None, sup: None, .. }, open, time @ .., close]
                    if open.is('(') && close.is(')') && !time.is_empty() =>
                {
                    shape(time).map(|s| (i.clone(), s))
                }
                _ => None,
            };
            match inner {
                Some((i, (l, halves))) if Some(&l) == letter.as_ref() => {
                    // `f_{i_k}`: one of many, drawn anew.
                    let mut tokens = vec![token(TokenKind::Name(i), atom.span)];
                    tokens.extend(index_tokens(&l, halves, atom.span));
                    sample = Some(tokens);
                }
                _ if shape(part).is_some_and(|(l, halves)| Some(&l) == letter.as_ref() && halves != 0) => {
                    let message = format!("`{name}` stands at another iteration here");
                    let letter = letter.as_deref().unwrap_or("k");
                    let help =
                        format!("write the sample behind the point, as in `{name}(x_{letter}; \\xi_{{{letter}-1}})`");
                    self.diagnostics.push(Diagnostic::error(Code::BadIndex, atom.span, message).help(help));
                }
                _ => {
                    self.diagnostics.extend(unread(name, part, self.clock, atom.span));
                    full = labelled(&full, &flat(part));
                }
            }
        }
        let mut conjugate = false;
        match atom.sup.as_deref() {
            Some([only]) if only.is('*') || only.is('⋆') => conjugate = true,
            Some(sup) if shape(sup).is_some_and(|(l, h)| Some(l) == letter && h == 0) => {
                full = format!("{full}_{}", letter.unwrap_or_default());
            }
            Some(sup) => full = labelled(&full, &flat(sup)),
            None => {}
        }
        (full, conjugate, sample)
    }

    /// Writes an argument in parentheses, with a sample put in at its end.
    pub(super) fn sampled(&mut self, atoms: &[Atom], sample: Option<Vec<Token>>) -> Result<usize, Diagnostic> {
        let Some(sample) = sample else { return Ok(0) };
        let Some(close) = atoms.first().filter(|a| a.is('(')).and_then(|_| closing(atoms)) else {
            let place = sample.first().map_or(Span::default(), |t| t.span);
            let message = "this oracle is drawn anew in every iteration, and no point stands behind it in parentheses";
            let help = "write the point in parentheses, as in `\\nabla f_{i_k}(x_k)`";
            return Err(Diagnostic::error(Code::MissingArgument, place, message).help(help));
        };
        self.symbol('(', atoms[0].span);
        self.list(&atoms[1..close])?;
        self.push(TokenKind::Semicolon, atoms[close].span);
        self.out.extend(sample);
        self.symbol(')', atoms[close].span);
        self.scripts_of_group(&atoms[close])?;
        Ok(close + 1)
    }
}

/// A composition whose derivative is not written out.
pub(super) fn of_a_composition(span: Span) -> Diagnostic {
    let message = "a composition is read only where a function follows a linear map, by itself and at a point";
    let help = "write its gradient out, as in `A^T \\nabla f(A x_k)`, or give the composition a name of its own";
    Diagnostic::error(Code::UnexpectedToken, span, message).help(help)
}

/// The conjugate of more than a function's name.
pub(super) fn of_a_multiple(span: Span) -> Diagnostic {
    let message = "the conjugate of a multiple is no multiple of the conjugate: (σf)^*(y) = σ f^*(y/σ)";
    let help = "write `v - \\prox_{\\sigma f}(v)` for `\\prox_{(\\sigma f)^*}(v)`, `\\nabla f^*(v/\\sigma)` for `\\nabla(\\sigma f)^*(v)`, or \
                `\\sigma f^*` if that is meant";
    Diagnostic::error(Code::BadStep, span, message).help(help)
}
