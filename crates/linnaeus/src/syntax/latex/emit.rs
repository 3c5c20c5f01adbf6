//! Atoms → the tokens of the plain notation: scripts become indices, labels, powers, adjoints and steps.

mod derivative;
mod drawn;
mod oracles;
mod unread;

use super::atoms::{Atom, MEAN, Nucleus, unknown};
use super::time::{Clock, DIVERGENCE, Place, is_transpose, minuses, parts, pluses, shape, without_transpose};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Guess, Sense};
use crate::syntax::expression::MAX_NESTING;
use crate::syntax::lexer::{Token, TokenKind};
use crate::syntax::names::{NONNEGATIVE, elementary, greek_letter, oracle_word};
use drawn::{drawn, of_a_table};
use linnaeus_algebra::{Integer, Rational};

/// Writes tokens.
pub struct Emitter<'a> {
    /// How time is written.
    pub clock: &'a Clock,
    /// What was decided on the way.
    pub guesses: &'a mut Vec<Guess>,
    /// Mistakes and repairs.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// The name that the line gives a value.
    pub target: Option<String>,
    /// Whether something is minimized in the line, so that names before parentheses may be functions.
    minimizes: bool,
    /// What is minimized over up to here: it has no time.
    bound: Vec<String>,
    /// The sample of the oracle whose point follows.
    drawn: Option<Vec<Token>>,
    out: Vec<Token>,
}

/// What a script says of the name that carries it.
enum Part {
    Time(i64),
    Fixed(i64),
    Label(String),
    Adjoint,
    InverseAdjoint,
    Power(Vec<Atom>),
}

/// What stands behind a name.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Follows {
    Nothing,
    /// Parentheses, which a number multiplies.
    Parenthesis,
    /// Parentheses that are raised to a power.
    Power,
    /// What the name is asked at.
    Argument,
}

/// The label of a pseudo-inverse.
const PSEUDO_INVERSE: &str = "pinv";

type Emitted = Result<(), Diagnostic>;

impl<'a> Emitter<'a> {
    /// An emitter for one line.
    pub fn new(clock: &'a Clock, guesses: &'a mut Vec<Guess>, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Emitter {
            clock,
            guesses,
            diagnostics,
            drawn: None,
            target: None,
            minimizes: false,
            bound: Vec::new(),
            out: Vec::new(),
        }
    }

    /// The tokens of a line.
    pub fn line(mut self, atoms: &[Atom]) -> Result<Vec<Token>, Diagnostic> {
        let atoms = repaired(atoms, self.clock, self.diagnostics);
        if let Some(Atom { nucleus: Nucleus::Name(name), .. }) = atoms.first() {
            self.target = Some(name.clone());
        }
        if let Some(first) = atoms.first().filter(|a| flows(a)) {
            let help = "write the steps that are taken, as in `x_{k+1} = x_k - t \\nabla f(x_k)`";
            let message = "a derivative by time is no iteration";
            return Err(Diagnostic::error(Code::UnexpectedToken, first.span, message).help(help));
        }
        let atoms = constrained(self.minimizers(atoms));
        self.minimizes =
            atoms.iter().any(|a| matches!(a.nucleus, Nucleus::Arg(_))) || atoms.get(1).is_some_and(|a| a.is('('));
        let atoms = if self.minimizes { with_norms(atoms) } else { atoms };
        self.list(&atoms)?;
        Ok(self.out)
    }

    /// `u^{k+1} = \min_u …`: the value is a point, so it is the minimizer.
    fn minimizers(&mut self, mut atoms: Vec<Atom>) -> Vec<Atom> {
        let timed = atoms.first().is_some_and(|a| super::time::moved(a, self.clock).is_some());
        let Some(sign) = atoms.iter().position(|a| matches!(a.nucleus, Nucleus::Equals | Nucleus::Assigns)) else {
            return atoms;
        };
        let target = self.target.clone().filter(|_| timed && sign == 1);
        if let Some(Atom { nucleus, sub: Some(sub), span, .. }) = atoms.get_mut(sign + 1) {
            let member = sub.iter().position(|a| a.is('∈')).unwrap_or(sub.len());
            let sense = match nucleus {
                Nucleus::Name(word) if word == "min" => Sense::Minimize,
                Nucleus::Name(word) if word == "max" => Sense::Maximize,
                _ => return atoms,
            };
            if target == Some(flat(&sub[..member])) {
                let message = "the minimizer was read, not the least value";
                self.diagnostics.push(Diagnostic::note(*span, message));
                *nucleus = Nucleus::Arg(sense);
            }
        }
        atoms
    }

    fn push(&mut self, kind: TokenKind, span: Span) {
        self.out.push(Token { kind, span, spaced: false });
    }

    fn symbol(&mut self, c: char, span: Span) {
        self.push(TokenKind::Symbol(c), span);
    }

    fn name(&mut self, name: impl Into<String>, span: Span) {
        self.push(TokenKind::Name(name.into()), span);
    }

    fn guess(&mut self, name: &str, taken_as: &str, declaration: String) {
        let guess = Guess { name: name.to_string(), taken_as: taken_as.to_string(), declaration };
        if !self.guesses.contains(&guess) {
            self.guesses.push(guess);
        }
    }

    fn list(&mut self, atoms: &[Atom]) -> Emitted {
        let mut at = 0;
        while at < atoms.len() {
            at += self.one(&atoms[at..])?;
        }
        Ok(())
    }

    /// Writes the first atom, and those that belong to it; says how many.
    fn one(&mut self, atoms: &[Atom]) -> Result<usize, Diagnostic> {
        let atom = &atoms[0];
        let span = atom.span;
        match &atom.nucleus {
            Nucleus::Symbol(c @ ('∇' | '∂')) => return self.derivative(*c, atoms),
            Nucleus::Symbol('‖') => return self.norm(atoms),
            Nucleus::Symbol('(') => {
                if let Some(close) = closing(atoms)
                    && atoms[close].sub.as_deref().and_then(pluses).is_some()
                {
                    // `[x]_+`: the nonnegative part.
                    self.name(format!("proj_{NONNEGATIVE}"), span);
                }
                self.symbol('(', span);
            }
            Nucleus::Symbol(')') => {
                self.symbol(')', span);
                self.scripts_of_group(atom)?;
            }
            Nucleus::Symbol('∈') => self.symbol('=', span),
            Nucleus::Symbol(';') => self.push(TokenKind::Semicolon, span),
            Nucleus::Symbol('*') | Nucleus::After => {
                let dangling = atoms.get(1).is_none_or(|a| a.is(')') || a.is(','));
                if !dangling {
                    self.symbol('*', span);
                }
            }
            Nucleus::Symbol('/') => {
                self.symbol('/', span);
                self.ambiguous_quotient(&atoms[1..]);
            }
            Nucleus::Symbol(c) => self.symbol(*c, span),
            Nucleus::Equals => self.symbol('=', span),
            Nucleus::Assigns => self.push(TokenKind::Assign, span),
            Nucleus::Number(text) => {
                self.number(text, span)?;
                self.scripts_of_group(atom)?;
            }
            Nucleus::Group(inside) => {
                self.parenthesized(inside, span)?;
                self.scripts_of_group(atom)?;
            }
            Nucleus::Fraction(above, below) if self.is_derivative(above, below) => {
                return self.quotient(above, below, atoms);
            }
            Nucleus::Fraction(above, below) => {
                self.symbol('(', span);
                self.parenthesized(above, span)?;
                self.symbol('/', span);
                self.parenthesized(below, span)?;
                self.symbol(')', span);
                self.scripts_of_group(atom)?;
            }
            Nucleus::Root(inside) => {
                self.name("sqrt", span);
                self.parenthesized(inside, span)?;
                self.scripts_of_group(atom)?;
            }
            Nucleus::Sum(place) => return Err(unknown("sum", *place)),
            Nucleus::Arg(sense) => self.arg(*sense, atoms)?,
            Nucleus::Text(text) => {
                let message = format!("the words `{}` stand in a formula", crate::diagnostic::clipped(text));
                return Err(Diagnostic::error(Code::UnexpectedToken, span, message)
                    .help("put words on a line of their own, or after `%`"));
            }
            Nucleus::Name(name) => return self.named(name, atoms),
        }
        Ok(1)
    }

    /// `1/2λ` is read from left to right.
    fn ambiguous_quotient(&mut self, after: &[Atom]) {
        if let [Atom { nucleus: Nucleus::Number(n), sup: None, .. }, Atom { nucleus: Nucleus::Name(name), .. }, ..] =
            after
        {
            self.guess(
                &format!("/{n}{name}"),
                &format!("a quotient by {n} alone"),
                format!("write `/({n} {name})` to divide by both"),
            );
        }
        // `1/αβ∇f(x)`
        if let [
            Atom { nucleus: Nucleus::Name(a), sup: None, .. },
            second @ Atom { nucleus: Nucleus::Name(b), .. },
            ..,
        ] = after
        {
            let number = |n: &str| n.starts_with(char::is_lowercase) && !self.clock.iterates.contains(n);
            if number(a) && number(b) && oracle_word(b).is_none() && super::time::moved(second, self.clock).is_none() {
                let (shown, taken_as) = (format!("/{a} {b}"), format!("a quotient by {a} alone"));
                self.guess(&shown, &taken_as, format!("write `/({a} {b})` to divide by both"));
            }
        }
    }

    fn parenthesized(&mut self, atoms: &[Atom], span: Span) -> Emitted {
        self.symbol('(', span);
        self.list(atoms)?;
        self.symbol(')', span);
        Ok(())
    }

    fn number(&mut self, text: &str, span: Span) -> Emitted {
        const DIGITS: usize = 400;
        let (text, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().unwrap_or(i64::MAX);
        if text.len() > DIGITS || exponent.unsigned_abs() > DIGITS as u64 {
            return Err(Diagnostic::error(Code::NumberTooLong, span, format!("a number has at most {DIGITS} digits"))
                .help(format!("write at most {DIGITS} digits, or a parameter instead of the number")));
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: Integer = format!("0{whole}{fraction}").parse().unwrap_or(Integer::ZERO);
        let value = Rational::from(digits) / Rational::from(Integer::from(10).pow(fraction.len()));
        let ten = Rational::from(Integer::from(10).pow(exponent.unsigned_abs() as usize));
        let value = if exponent < 0 { value / ten } else { value * ten };
        self.push(TokenKind::Number(value), span);
        Ok(())
    }

    /// Powers and adjoints behind a parenthesis, a fraction or a number.
    fn scripts_of_group(&mut self, atom: &Atom) -> Emitted {
        for _ in 0..atom.primes {
            self.symbol('\'', atom.span);
        }
        match atom.sup.as_deref() {
            None => {}
            Some([only]) if is_star(only) => self.symbol('\'', atom.span),
            Some([minus, only]) if minus.is('-') && is_star(only) => self.inverse_adjoint(atom.span),
            Some([only]) if only.is('†') => {
                let message = "the pseudo-inverse of an expression is an operator without a name";
                let help = "give it a name, as in `B y^k`, or write `^T` for the adjoint";
                return Err(Diagnostic::error(Code::UnexpectedToken, atom.span, message).help(help));
            }
            Some(power) => self.power(power, atom.span)?,
        }
        let below = atom.sub.as_deref().filter(|s| pluses(s).is_none());
        match below {
            Some(_) => Err(Diagnostic::error(Code::BadIndex, atom.span, "a subscript of a parenthesis")
                .help("give what is in the parentheses a name and a line of its own")),
            None => Ok(()),
        }
    }

    /// `A^{-*}`.
    fn inverse_adjoint(&mut self, span: Span) {
        self.symbol('\'', span);
        self.symbol('^', span);
        self.symbol('(', span);
        self.symbol('-', span);
        self.push(TokenKind::Number(Rational::ONE), span);
        self.symbol(')', span);
    }

    fn power(&mut self, power: &[Atom], span: Span) -> Emitted {
        self.symbol('^', span);
        self.parenthesized(power, span)
    }

    /// `‖a‖_1`: the label of the closing bar goes behind it.
    fn norm(&mut self, atoms: &[Atom]) -> Result<usize, Diagnostic> {
        let atom = &atoms[0];
        if let Some(name) = dotted_norm(atoms) {
            self.name(name, atom.span.to(atoms[2].span));
            return Ok(3);
        }
        self.symbol('‖', atom.span);
        if let Some(label) = &atom.sub {
            self.push(TokenKind::Underscore, atom.span);
            self.symbol('{', atom.span);
            self.list(label)?;
            self.symbol('}', atom.span);
        }
        if let Some(power) = &atom.sup {
            self.power(power, atom.span)?;
        }
        Ok(1)
    }

    fn arg(&mut self, sense: Sense, atoms: &[Atom]) -> Emitted {
        let atom = &atoms[0];
        let span = atom.span;
        // `argmin_{ρ f}(v)`: the oracle, not a variable below.
        if let Some(sub @ [_, .., last]) = atom.sub.as_deref()
            && sub.iter().all(|a| matches!(a.nucleus, Nucleus::Name(_) | Nucleus::Number(_) | Nucleus::Fraction(..)))
            && matches!(last.nucleus, Nucleus::Name(_))
            && atoms.get(1).is_none_or(|a| a.is('('))
            && sense == Sense::Minimize
        {
            return self.below("argmin", sub, span);
        }
        let word = match sense {
            Sense::Minimize => "argmin",
            Sense::Maximize => "argmax",
        };
        self.name(word, span);
        self.push(TokenKind::Underscore, span);
        self.symbol('{', span);
        match &atom.sub {
            Some(sub) => {
                let member = sub.iter().position(|a| a.is('∈'));
                let (variable, set) = match member {
                    Some(at) => (&sub[..at], Some(&sub[at + 1..])),
                    None => (&sub[..], None),
                };
                let variable = variable_name(variable);
                self.bound.push(variable.clone());
                self.name(variable, span);
                let whole_space = |s: &[Atom]| {
                    let text = flat(s);
                    s.first().is_some_and(|a| a.sup.is_some()) || matches!(text.as_str(), "R" | "H" | "E" | "V")
                };
                match set {
                    Some(set) if whole_space(set) => {}
                    Some(set) => {
                        let set = flat(set);
                        self.symbol('∈', span);
                        self.guess(
                            &set,
                            "a constraint set",
                            format!("write nothing but the variable below if `{set}` is the whole space"),
                        );
                        self.name(set, span);
                    }
                    None => {}
                }
            }
            None => {
                let variable = self.target.clone().unwrap_or_else(|| "x".to_string());
                self.guess(word, &format!("over `{variable}`"), format!("write `\\{word}_{{{variable}}}`"));
                self.bound.push(variable.clone());
                self.name(variable, span);
            }
        }
        self.symbol('}', span);
        Ok(())
    }

    fn named(&mut self, name: &str, atoms: &[Atom]) -> Result<usize, Diagnostic> {
        let atom = &atoms[0];
        let span = atom.span;
        if atom.mark == Some(MEAN)
            && let Some(count) = self.expectation(atoms)?
        {
            return Ok(count);
        }
        if let Some(count) = self.oracle(name, atoms)? {
            // `P_{C_{i_k}}(x_k)`: one of many, drawn anew.
            let sample = self.drawn.take();
            return Ok(count + self.sampled(&atoms[count..], sample)?);
        }
        if let Some(count) = self.threshold(name, atoms)? {
            return Ok(count);
        }
        if let Some(count) = self.bregman(name, atoms)? {
            return Ok(count);
        }
        if name == DIVERGENCE && atom.sub.is_none() && atom.sup.is_none() && atoms.len() > 1 {
            self.divergence(span);
            return Ok(1);
        }
        let values = self.minimizes && atoms.get(1..).is_some_and(of_one_name);
        if name == "I" && self.is_identity(atom) && !(values && of_a_set(atom)) {
            self.name("I", span);
            if let Some(power) = &atom.sup {
                self.power(power, span)?;
            }
            return Ok(1);
        }
        if name == "max"
            && let Some(count) = self.positive_part(atoms)?
        {
            return Ok(count);
        }
        if elementary(name).is_some() {
            self.name(name, span);
            if let Some(power) = &atom.sup {
                self.power(power, span)?;
            }
            return Ok(1);
        }
        let applied = atoms.get(1).is_some_and(|a| a.is('('));
        let lower = !name.starts_with(char::is_uppercase) && greek_letter(name).is_none();
        if atom.primes > 0 && applied && lower && !self.clock.iterates.contains(name) {
            // f'(x)
            self.symbol('∇', span);
            let (full, _, sample) = self.function(name, atom);
            self.name(full, span);
            return Ok(1 + self.sampled(&atoms[1..], sample)?);
        }
        if applied
            && matches!(atom.sup.as_deref(), Some([only]) if only.is('*') || only.is('⋆'))
            && lower
            && !self.clock.iterates.contains(name)
        {
            // The value of a conjugate, f^*(y).
            let (full, ..) = self.function(name, &Atom { sup: None, ..atom.clone() });
            self.name(full, span);
            self.symbol('*', span);
            return Ok(1);
        }
        let close = atoms.get(1..).filter(|_| applied).and_then(closing);
        // `W (I + W)^{-1}`: no call is raised to a power.
        let powered = close.is_some_and(|c| atoms[1 + c].sup.is_some());
        let follows = match close {
            None => Follows::Nothing,
            Some(_) if powered => Follows::Power,
            // `\iota_C(x)`: no term of an objective is a number times a vector.
            Some(_) if self.calls(name) || values => Follows::Argument,
            Some(_) => Follows::Parenthesis,
        };
        self.scripted(name, atom, follows)?;
        Ok(1)
    }

    /// Whether a name before parentheses is no factor: a word such as `softmax`, `f` of whatever label, or what is asked
    /// at an iterate alone somewhere, as in `p_L(x_k)`.
    fn calls(&self, name: &str) -> bool {
        let stem = stem(name);
        let word = stem == "f" || stem.chars().count() > 2 && greek_letter(stem).is_none() && !is_amount(stem);
        !self.clock.iterates.contains(name) && (word || self.clock.called.contains(name))
    }

    /// `I`, `I_n`, `I_{n\times n}`.
    fn is_identity(&self, atom: &Atom) -> bool {
        let size = |s: &Vec<Atom>| shape(s).is_some_and(|(l, _)| Some(&l) != self.clock.letter.as_ref()) || s.len() > 1;
        !self.clock.iterates.contains("I")
            && atom.sub.as_ref().is_none_or(size)
            && atom.sup.as_deref().is_none_or(|s| shape(s).is_none())
    }

    fn scripted(&mut self, name: &str, atom: &Atom, follows: Follows) -> Emitted {
        let span = atom.span;
        let mut full = name.to_string();
        let mut time = None;
        let mut after = Vec::new();
        for part in self.parts_of(name, atom)? {
            match part {
                Part::Time(halves) => time = Some((true, halves)),
                Part::Fixed(n) => time = Some((false, 2 * n)),
                Part::Label(label) => full = labelled(&full, &label),
                other => after.push(other),
            }
        }
        if atom.primes > 0 {
            if name.starts_with(char::is_uppercase) {
                after.extend((0..atom.primes).map(|_| Part::Adjoint));
            } else {
                full.push_str("_prime");
            }
        }
        if time.is_none() && self.clock.plus && self.clock.iterates.contains(name) && !self.bound.contains(&full) {
            time = Some((true, 0));
        }
        let is_small = name.starts_with(char::is_lowercase);
        if let Some(index) = drawn(atom, self.clock).filter(|_| is_small && !matches!(follows, Follows::Argument)) {
            return Err(of_a_table(name, &index, time.is_some(), span));
        }
        let is_factor = match follows {
            Follows::Nothing => false,
            // A pseudo-inverse is linear.
            _ if full.ends_with(PSEUDO_INVERSE) => true,
            Follows::Argument => false,
            Follows::Power if !is_small => true,
            _ => is_small && (!self.minimizes || full.contains('_') && greek_letter(stem(name)).is_some()),
        };
        self.name(full, span);
        match (time, self.clock.letter.clone()) {
            (Some((true, halves)), Some(letter)) => self.out.extend(index_tokens(&letter, halves, span)),
            (Some((_, halves)), _) => self.out.extend(index_tokens("", halves, span)),
            (None, _) => {}
        }
        let nothing_after = after.is_empty();
        for part in after {
            match part {
                Part::Adjoint => self.symbol('\'', span),
                Part::InverseAdjoint => self.inverse_adjoint(span),
                Part::Power(power) => self.power(&power, span)?,
                _ => {}
            }
        }
        if is_factor && time.is_none() && nothing_after {
            self.symbol('*', span);
        }
        Ok(())
    }

    fn parts_of(&mut self, name: &str, atom: &Atom) -> Result<Vec<Part>, Diagnostic> {
        let clock = self.clock;
        if let Some(problem) = unread::rival(name, atom, clock) {
            return Err(problem);
        }
        let is_time = |l: &String| Some(l) == clock.letter.as_ref();
        let whole = |s: &[Atom]| match s {
            [Atom { nucleus: Nucleus::Number(n), sub: None, sup: None, .. }] => {
                n.parse::<i64>().ok().filter(|n| *n < 1000)
            }
            _ => None,
        };
        let mut found = Vec::new();
        let mut has_time = false;
        // `x_{1,k}`: beside time a number is a label.
        let timed = |s: &[Atom]| parts(s).into_iter().filter_map(shape).any(|(l, _)| is_time(&l));
        let labelled = atom.sub.as_deref().is_some_and(timed);
        for part in atom.sub.iter().flat_map(|s| parts(s)) {
            match (shape(part), whole(part)) {
                (Some((letter, halves)), _) if is_time(&letter) => {
                    has_time = true;
                    found.push(Part::Time(halves));
                }
                (_, Some(n))
                    if clock.place == Place::Sub
                        && clock.iterates.contains(name)
                        && atom.sup.is_none()
                        && !labelled =>
                {
                    found.push(Part::Fixed(n));
                }
                _ if self.runs_together(name, part) => {
                    let label = part.iter().filter(|a| !matches!(&a.nucleus, Nucleus::Name(n) if is_time(n)));
                    found.extend(label.map(|a| Part::Label(flat(std::slice::from_ref(a)))));
                    has_time = true;
                    found.push(Part::Time(0));
                }
                _ => match unread::unread(name, part, clock, atom.span) {
                    Some(problem) => return Err(problem),
                    None => found.push(Part::Label(flat(part))),
                },
            }
        }
        let Some(sup) = &atom.sup else { return Ok(found) };
        if let Some(n) = pluses(sup) {
            let moves = clock.iterates.contains(name) || name.starts_with(char::is_lowercase);
            found.push(if moves { Part::Time(2 * n) } else { self.pseudo_inverse(name, "+") });
            return Ok(found);
        }
        if let Some(n) = minuses(sup).filter(|_| clock.plus && clock.iterates.contains(name)) {
            found.push(Part::Time(-2 * n));
            return Ok(found);
        }
        for part in parts(sup) {
            let index = without_transpose(part);
            let transposed = index.len() < part.len();
            match (shape(index), whole(part)) {
                (Some((letter, halves)), _) if is_time(&letter) && !has_time && self.counts_above(name, part) => {
                    has_time = true;
                    found.push(Part::Time(halves));
                    if transposed {
                        found.push(Part::Adjoint);
                    }
                }
                (_, Some(n)) if !has_time && clock.above.contains(name) => found.push(Part::Fixed(n)),
                (_, Some(n)) if clock.numbered.contains(name) => found.push(Part::Label(n.to_string())),
                _ => {
                    // What carries time above is never raised to a power that changes.
                    let problem = unread::unread(name, part, clock, atom.span)
                        .filter(|_| clock.above.contains(name) || part.first().is_some_and(|a| a.is('(')));
                    if let Some(problem) = problem {
                        return Err(problem);
                    }
                    let counts =
                        clock.above.contains(name) || clock.place == Place::Sup && clock.iterates.contains(name);
                    found.push(match self.power_or_label(name, part) {
                        // `x^{k+1/3}`
                        Part::Power(_) if counts && unread::is_between(part, clock) => Part::Label(flat(part)),
                        // `x^{(1)}_{k+1}`: beside time a number is a label.
                        Part::Fixed(n) if has_time => Part::Label(n.to_string()),
                        part => part,
                    });
                }
            }
        }
        Ok(found)
    }

    /// `x_{ik}` of what is indexed `x_{i,k+1}` elsewhere.
    fn runs_together(&mut self, name: &str, part: &[Atom]) -> bool {
        let letters: Vec<&str> = part
            .iter()
            .filter_map(|a| match &a.nucleus {
                Nucleus::Name(n) if a.sub.is_none() && a.sup.is_none() && n.len() == 1 => Some(n.as_str()),
                _ => None,
            })
            .collect();
        let (Some(letter), [a, b]) = (self.clock.letter.clone(), letters.as_slice()) else { return false };
        let index = |l: &str| "ijklmnst".contains(l);
        let found = part.len() == 2 && a != b && [a, b].iter().all(|l| index(l)) && [a, b].contains(&&letter.as_str());
        if !found || !self.clock.iterates.contains(name) {
            return false;
        }
        let taken_as = format!("a label and the letter that counts, `{letter}`");
        let declaration = format!("write `{name}_{{\\text{{{a}{b}}}}}` for a name");
        self.guess(&format!("{name}_{{{a}{b}}}"), &taken_as, declaration);
        true
    }

    /// `A^\dagger`, `A^+`: an operator of its own.
    fn pseudo_inverse(&mut self, name: &str, sign: &str) -> Part {
        let taken_as = format!("an operator of its own, the pseudo-inverse of `{name}`");
        self.guess(&format!("{name}^{sign}"), &taken_as, format!("write `{name}^T` for the adjoint"));
        Part::Label(PSEUDO_INVERSE.to_string())
    }

    /// Whether the index above a name is time, not a power.
    fn counts_above(&mut self, name: &str, part: &[Atom]) -> bool {
        let parenthesized = part.first().is_some_and(|a| a.is('('));
        let counts = self.clock.place == Place::Sup
            || parenthesized
            || self.clock.above.contains(name)
            || self.clock.iterates.contains(name);
        if !counts {
            let letter = self.clock.letter.clone().unwrap_or_default();
            self.guess(
                &format!("{name}^{letter}"),
                "a power",
                format!("write `{name}_{{{letter}}}` for a value that changes with `{letter}`"),
            );
        }
        counts
    }

    fn power_or_label(&mut self, name: &str, part: &[Atom]) -> Part {
        match part {
            [only] if is_transpose(only) && only.sub.is_none() && only.sup.is_none() => Part::Adjoint,
            [minus, only] if minus.is('-') && is_star(only) => Part::InverseAdjoint,
            [only] if only.is('†') => self.pseudo_inverse(name, "\\dagger"),
            [only] if only.is('*') || only.is('⋆') => {
                if name.starts_with(char::is_uppercase) {
                    self.guess(
                        &format!("{name}^*"),
                        "the adjoint",
                        format!("write another name for `{name}^*` if it is none"),
                    );
                    Part::Adjoint
                } else {
                    Part::Label("star".to_string())
                }
            }
            [first, .., last] if first.is('(') && last.is(')') && last.sup.is_none() => {
                match &part[1..part.len() - 1] {
                    [Atom { nucleus: Nucleus::Number(n), .. }] => match n.parse::<i64>() {
                        Ok(n) if n < 1000 && self.clock.iterates.contains(name) => Part::Fixed(n),
                        _ => Part::Label(n.replace('.', "")),
                    },
                    inside => Part::Label(flat(inside)),
                }
            }
            [Atom { nucleus: Nucleus::Text(t), .. }] => Part::Label(clean(t)),
            [Atom { nucleus: Nucleus::Name(n), sub: None, sup: None, .. }]
                if n.chars().count() > 1 && greek_letter(n).is_none() =>
            {
                Part::Label(clean(n))
            }
            _ => Part::Power(part.to_vec()),
        }
    }
}

/// `(x)`.
fn of_one_name(atoms: &[Atom]) -> bool {
    matches!(atoms, [open, Atom { nucleus: Nucleus::Name(_), .. }, close, ..] if open.is('(') && close.is(')'))
}

/// `I_C`: the label is a set.
fn of_a_set(atom: &Atom) -> bool {
    let Some([Atom { nucleus: Nucleus::Name(set), sup: None, .. }]) = atom.sub.as_deref() else { return false };
    set.starts_with(char::is_uppercase) && atom.sup.is_none() && atom.primes == 0
}

/// What is minimized over, called as in the objective: `x_i`.
fn variable_name(atoms: &[Atom]) -> String {
    match atoms {
        [Atom { nucleus: Nucleus::Name(name), sub: Some(sub), sup: None, .. }] => labelled(name, &flat(sub)),
        _ => flat(atoms),
    }
}

/// `\arg\min\{ f(x) \mid x \in X \}`: what is minimized over stands behind the bar.
fn constrained(mut atoms: Vec<Atom>) -> Vec<Atom> {
    let Some(at) = atoms.iter().position(|a| matches!(a.nucleus, Nucleus::Arg(_))) else { return atoms };
    let Some(close) = atoms.get(at + 1).filter(|a| a.is('(')).and_then(|_| closing(&atoms[at + 1..])) else {
        return atoms;
    };
    let close = at + 1 + close;
    let bars: Vec<usize> = (at + 2..close).filter(|i| atoms[*i].is('|') || atoms[*i].is(':')).collect();
    let [bar] = bars[..] else { return atoms };
    let says =
        matches!(&atoms[bar + 1..close], [Atom { nucleus: Nucleus::Name(_), .. }, member, _, ..] if member.is('∈'));
    let named = |below: &[Atom]| below.len() == 1 && below[0].nucleus == atoms[bar + 1].nucleus;
    if !says || closing_of(&atoms[at + 2..bar]) != 0 || !atoms[at].sub.as_deref().is_none_or(named) {
        return atoms;
    }
    let condition: Vec<Atom> = atoms.drain(bar..close).skip(1).collect();
    atoms[at].sub = Some(condition);
    atoms
}

/// `*`, `T`, `\top` as a superscript.
fn is_star(atom: &Atom) -> bool {
    is_transpose(atom) || atom.is('*') || atom.is('⋆')
}

/// `*` on the line, with nothing above or below.
fn is_lone_star(atom: &Atom) -> bool {
    (atom.is('*') || atom.is('⋆')) && atom.sub.is_none() && atom.sup.is_none()
}

fn token(kind: TokenKind, span: Span) -> Token {
    Token { kind, span, spaced: false }
}

fn index_tokens(letter: &str, halves: i64, span: Span) -> Vec<Token> {
    let number = |h: i64| TokenKind::Number(Rational::from(h) / Rational::from(2));
    let mut kinds = vec![TokenKind::Symbol('[')];
    if letter.is_empty() {
        kinds.push(number(halves));
    } else {
        kinds.push(TokenKind::Name(letter.to_string()));
        if halves != 0 {
            kinds.push(TokenKind::Symbol(if halves > 0 { '+' } else { '-' }));
            kinds.push(number(halves.abs()));
        }
    }
    kinds.push(TokenKind::Symbol(']'));
    kinds.into_iter().map(|k| token(k, span)).collect()
}

/// Whether a line is a differential equation: `\dot x = …`, `\frac{dx}{dt} = …`.
fn flows(first: &Atom) -> bool {
    match &first.nucleus {
        Nucleus::Name(name) => {
            first.sub.is_none() && first.sup.is_none() && (name.ends_with("_dot") || name.ends_with("_ddot"))
        }
        Nucleus::Fraction(_, below) => {
            matches!(&below[..], [d, t] if d.nucleus == Nucleus::Name("d".into()) && t.nucleus == Nucleus::Name("t".into()))
        }
        _ => false,
    }
}

/// How many parentheses are open behind these atoms.
fn closing_of(atoms: &[Atom]) -> i64 {
    atoms.iter().map(|a| i64::from(a.is('(')) - i64::from(a.is(')'))).sum()
}

/// `|x - z|^2` in what is minimized is a norm, if every bar has a partner.
fn with_norms(mut atoms: Vec<Atom>) -> Vec<Atom> {
    let bars = atoms.iter().filter(|a| a.is('|')).count();
    if bars % 2 == 0 {
        atoms.iter_mut().filter(|a| a.is('|')).for_each(|a| a.nucleus = Nucleus::Symbol('‖'));
    }
    atoms
}

/// The parenthesis that closes the first atom; none if they are nested deeper than is read.
fn closing(atoms: &[Atom]) -> Option<usize> {
    let mut depth = 0usize;
    for (i, atom) in atoms.iter().enumerate() {
        if atom.is('(') {
            depth += 1;
            if depth > MAX_NESTING {
                return None;
            }
        } else if atom.is(')') {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(i);
            }
        }
    }
    None
}

/// `‖·‖_1`, `‖·‖`: the name of that function.
fn dotted_norm(atoms: &[Atom]) -> Option<String> {
    let [open, dot, close, ..] = atoms else { return None };
    let bar = |a: &Atom| a.is('‖') || a.is('|');
    if !(bar(open) && dot.is('*') && bar(close)) {
        return None;
    }
    let name = match &close.sub {
        None => "norm".to_string(),
        Some(label) if label.len() == 1 && label[0].is('*') => "norm_nuclear".to_string(),
        Some(label) => format!("norm_{}", flat(label)),
    };
    Some(match close.sup.as_deref() {
        None => name,
        Some([Atom { nucleus: Nucleus::Number(n), .. }]) if n == "2" => format!("{name}_squared"),
        Some(power) => format!("{name}_power_{}", flat(power)),
    })
}

/// What a name of the plain notation is read as when it has been typeset: `x1` for `x_1`.
pub fn read_back(name: &str) -> String {
    let mut parts = name.split('_').filter(|p| !p.is_empty());
    let first = parts.next().unwrap_or(name).to_string();
    parts.fold(first, |name, label| labelled(&name, label))
}

/// A name with a label: `x1` for a number, `x_new` for a word.
fn labelled(name: &str, label: &str) -> String {
    let number = !label.is_empty() && label.chars().all(|c| c.is_ascii_digit());
    if number && !name.contains('_') { format!("{name}{label}") } else { format!("{name}_{label}") }
}

/// Words that programs and papers have for numbers.
fn is_amount(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "step"
            | "stepsize"
            | "rate"
            | "eps"
            | "lam"
            | "lambd"
            | "mom"
            | "momentum"
            | "tol"
            | "const"
            | "decay"
            | "damping"
            | "coeff"
    )
}

/// A name without its decorations.
fn stem(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

fn clean(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Atoms as part of a name.
pub fn flat(atoms: &[Atom]) -> String {
    let mut words: Vec<String> = Vec::new();
    for atom in atoms {
        atom.walk(&mut |a| match &a.nucleus {
            Nucleus::Name(n) => words.push(n.clone()),
            Nucleus::Text(n) => words.push(clean(n)),
            Nucleus::Number(n) => words.push(n.replace('.', "")),
            Nucleus::Symbol('*' | '⋆') => words.push("star".into()),
            Nucleus::Symbol('+') => words.push("plus".into()),
            Nucleus::Symbol('-') => words.push("minus".into()),
            Nucleus::Symbol('∞') => words.push("inf".into()),
            Nucleus::Symbol('\'') => words.push("prime".into()),
            _ => {}
        });
    }
    words.retain(|w| !w.is_empty());
    // Single letters run together as they do on paper.
    let all_short = words.iter().all(|w| w.chars().count() == 1);
    let label = if all_short { words.concat() } else { words.join("_") };
    label.chars().take(60).collect()
}

/// `x^k+1 = …` means `x^{k+1}`: a number cannot be added to what a line defines.
fn repaired(atoms: &[Atom], clock: &Clock, diagnostics: &mut Vec<Diagnostic>) -> Vec<Atom> {
    let [first, sign, one, equals, ..] = atoms else { return atoms.to_vec() };
    let number = matches!(one.nucleus, Nucleus::Number(_)) && one.sup.is_none();
    let adds = (sign.is('+') || sign.is('-')) && matches!(equals.nucleus, Nucleus::Equals | Nucleus::Assigns);
    let timed = |s: &Option<Vec<Atom>>| {
        s.as_deref()
            .and_then(shape)
            .is_some_and(|(l, h)| h == 0 && (Some(&l) == clock.letter.as_ref() || clock.letter.is_none()))
    };
    let above = timed(&first.sup);
    if !(number && adds && (above || timed(&first.sub))) {
        return atoms.to_vec();
    }
    let mut target = first.clone();
    let script = if above { &mut target.sup } else { &mut target.sub };
    if let Some(script) = script {
        script.extend([sign.clone(), one.clone()]);
    }
    target.span = first.span.to(one.span);
    diagnostics.push(Diagnostic::note(target.span, "the index was read with braces around all of it"));
    std::iter::once(target).chain(atoms[3..].iter().cloned()).collect()
}
