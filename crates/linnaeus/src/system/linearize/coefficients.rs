//! Scalars that carry the index: which line is a definition, which a recursion, and what a value is
//! at another time.

use super::{Evaluated, Linearizer, Value, limit};
use crate::advice::{Advice, Wish};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Expression, Node};
use crate::system::indexing::{Equation, Indexed, Style};
use crate::system::roles::{Kind, Roles, each};
use crate::system::schedule::{Motion, Schedules, schedule, scheduled, varies};
use linnaeus_algebra::{Exhausted, Polynomial, Rational, RationalFunction, Sign, SortedMap, SortedSet, Variable};

/// What becomes of coefficients that change with the index.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Coefficients {
    /// They change.
    #[default]
    AsWritten,
    /// They are constants.
    Frozen,
}

/// `t[k+1] = …`, a line for numbers.
#[derive(Clone, Debug)]
pub(super) struct Line {
    offset: i64,
    value: Expression,
    is_recursion: bool,
    /// What the right-hand side is, once it was computed.
    computed: Option<RationalFunction>,
}

/// Takes the lines for numbers out of the text.
pub(super) fn take_lines(
    indexed: &mut Indexed,
    roles: &Roles,
    diagnostics: &mut Vec<Diagnostic>,
) -> SortedMap<String, Line> {
    let number = |e: &Equation| match &e.target.node {
        Node::Indexed(name, index) if roles.kind(name) == Some(Kind::Scalar) => Some((name.clone(), index.halves / 2)),
        _ => None,
    };
    let mut lines = SortedMap::new();
    let mut places: SortedMap<String, Span> = SortedMap::new();
    for equation in std::mem::take(&mut indexed.equations) {
        let Some((name, offset)) = number(&equation) else {
            indexed.equations.push(equation);
            continue;
        };
        if let Some(before) = places.insert(name.clone(), equation.span) {
            diagnostics.push(
                Diagnostic::error(Code::DefinedTwice, equation.span, format!("`{name}` has a second line here"))
                    .label(before, "the first one")
                    .help("give every sequence of numbers one line"),
            );
            continue;
        }
        lines.insert(name, Line { offset, value: equation.value, is_recursion: false, computed: None });
    }
    mark_recursions(&mut lines);
    refuse_circles(&mut lines, &indexed.letter, diagnostics);
    lines
}

/// Definitions that lead back to themselves; what is left can be computed.
fn refuse_circles(lines: &mut SortedMap<String, Line>, letter: &str, diagnostics: &mut Vec<Diagnostic>) {
    while let Some((name, span)) = circle(lines) {
        diagnostics.push(
            Diagnostic::error(Code::Underdetermined, span, format!("`{name}` is defined by itself"))
                .help(format!("let the line give a later value, as in `{name}[{letter}+1] = …`")),
        );
        lines.remove(&name);
    }
}

/// A definition that leads back to itself, and where it does.
fn circle(lines: &SortedMap<String, Line>) -> Option<(String, Span)> {
    let definitions = || lines.iter().filter(|(_, l)| !l.is_recursion);
    for (start, _) in definitions() {
        let mut seen = SortedSet::new();
        let mut open = vec![start];
        while let Some(name) = open.pop() {
            for (next, span) in mentions(&lines[name].value) {
                if next == *start {
                    return Some((next, span));
                }
                if let Some((next, _)) = definitions().find(|(n, _)| **n == next)
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
    }
    None
}

/// Names with an index, and where they stand.
fn mentions(e: &Expression) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    e.walk(&mut |e| {
        if let Node::Indexed(name, _) = &e.node {
            found.push((name.clone(), e.span));
        }
    });
    found
}

/// A line is a recursion if it leads back to its own name and steps forward in time; the others
/// say what a name stands for.
fn mark_recursions(lines: &mut SortedMap<String, Line>) {
    let reads = |line: &Line| {
        let mut found = Vec::new();
        line.value.walk(&mut |e| {
            if let Node::Indexed(name, index) = &e.node {
                found.push((name.clone(), index.halves / 2));
            }
        });
        found
    };
    let direct: SortedMap<&String, Vec<(String, i64)>> = lines.iter().map(|(n, l)| (n, reads(l))).collect();
    let reaches = |from: &str, to: &str| {
        let mut seen = SortedSet::new();
        let mut open = vec![from.to_string()];
        while let Some(name) = open.pop() {
            for (next, _) in direct.get(&name).into_iter().flatten() {
                if next == to {
                    return true;
                }
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        false
    };
    let steps = |name: &String, line: &Line| {
        direct[name].iter().any(|(n, offset)| *offset < line.offset && (n == name || reaches(n, name)))
    };
    let recursions: Vec<String> = lines.iter().filter(|(n, l)| steps(n, l)).map(|(n, _)| n.clone()).collect();
    for name in recursions {
        lines.get_mut(&name).expect("listed").is_recursion = true;
    }
}

impl Linearizer<'_> {
    /// `alpha[k+1]`.
    pub(super) fn coefficient(&mut self, name: &str, offset: i64, span: Span) -> Evaluated<RationalFunction> {
        self.note_varying(name, span);
        match self.lines.get(name).map(|l| (l.is_recursion, l.offset)) {
            Some((false, written)) => {
                let value = self.line(name)?;
                self.schedules.advanced(&value, offset - written).map_err(|e| limit(e, span))
            }
            _ if self.coefficients == Coefficients::Frozen => self.parameter(name),
            _ => {
                let j = self.schedules.number(name, Motion::Free);
                Ok(RationalFunction::variable(schedule(j, offset)))
            }
        }
    }

    /// The right-hand side of a line for numbers.
    fn line(&mut self, name: &str) -> Evaluated<RationalFunction> {
        let line = &self.lines[name];
        if let Some(value) = &line.computed {
            return Ok(value.clone());
        }
        let value = line.value.clone();
        let Value::Scalar(found) = self.evaluate(&value)? else {
            return Err(Diagnostic::error(Code::ScalarPlusVector, value.span, "a number is wanted here")
                .help(format!("`{name}` is used as a factor or a step, so it is a number")));
        };
        self.lines.get_mut(name).expect("it is there").computed = Some(found.clone());
        Ok(found)
    }

    /// Computes all lines for numbers and gives the recursions to their schedules.
    pub(super) fn close_lines(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let names: Vec<(String, Span)> = self.lines.iter().map(|(n, l)| (n.clone(), l.value.span)).collect();
        for (name, span) in names {
            let (is_recursion, offset) = (self.lines[&name].is_recursion, self.lines[&name].offset);
            if is_recursion && self.coefficients == Coefficients::Frozen {
                continue;
            }
            let value = match self.line(&name) {
                Ok(value) => value,
                Err(problem) => {
                    diagnostics.push(problem);
                    continue;
                }
            };
            if is_recursion {
                let j = self.schedules.number(&name, Motion::Free);
                match self.schedules.advanced(&value, 1 - offset) {
                    Ok(value) => self.schedules.list[j].motion = Motion::Recursion(value),
                    Err(e) => diagnostics.push(limit(e, span)),
                }
            }
        }
    }

    /// The index as a number.
    pub(super) fn clock(&mut self, span: Span) -> RationalFunction {
        let letter = self.indexed.letter.clone();
        self.note_varying(&letter, span);
        if self.coefficients == Coefficients::Frozen {
            return self.symbol(&letter);
        }
        let j = self.schedules.number(&letter, Motion::Clock);
        RationalFunction::variable(schedule(j, 0))
    }

    /// Whether a bare name is the index.
    pub(super) fn is_clock(&self, name: &str) -> bool {
        let declared = self.declared_parameters.contains(name);
        name == self.indexed.letter
            && !declared
            && (self.indexed.style == Style::Simultaneous || !self.indexed.definitions.contains_key(name))
    }

    /// `beta^(k+1)`: a power with the index in its exponent, a k + b with whole a and b.
    pub(super) fn running_power(
        &mut self,
        base: &RationalFunction,
        exponent: &RationalFunction,
        span: Span,
    ) -> Evaluated<Option<RationalFunction>> {
        let letter = self.indexed.letter.clone();
        let clock = match self.coefficients {
            Coefficients::AsWritten => schedule(self.schedules.number(&letter, Motion::Clock), 0),
            Coefficients::Frozen => match self.symbol(&letter).variables().first() {
                Some(v) => *v,
                None => return Ok(None),
            },
        };
        let above = exponent.numerator().coefficients_in(clock);
        let part = |i: usize| above.get(i).map_or(Some(0), |c| whole(&RationalFunction::polynomial(c.clone())));
        let (Some(b), Some(a), true) = (part(0), part(1), exponent.is_polynomial() && above.len() == 2) else {
            return Ok(None);
        };
        if varies(base) || base.is_zero() {
            return Ok(None);
        }
        // (−1)²ᵏ is 1.
        let a = if *base == RationalFunction::integer(-1) { a.rem_euclid(2) } else { a };
        let text = self.scalar_text(base);
        let text = if text.chars().all(char::is_alphanumeric) { text } else { format!("({text})") };
        let name = format!("{text}^{letter}");
        let power = match self.coefficients {
            Coefficients::AsWritten => {
                let j = self.schedules.number(&name, Motion::Power(base.clone()));
                RationalFunction::variable(schedule(j, 0))
            }
            Coefficients::Frozen => self.symbol(&name),
        };
        let stop = |e| limit(e, span);
        let (Some(x), Some(y)) = (power.pow(a).map_err(stop)?, base.pow(b).map_err(stop)?) else {
            return Ok(None);
        };
        x.mul(&y).map_err(stop).map(Some)
    }

    /// A function of a value that changes with the index: a sequence of its own.
    pub(super) fn function_of(
        &mut self,
        function: &'static str,
        value: &RationalFunction,
        span: Span,
    ) -> Evaluated<RationalFunction> {
        let at = self.standing(value);
        let argument = self.schedules.advanced(value, -at).map_err(|e| limit(e, span))?;
        let name = format!("{function}({})", self.scalar_text(&argument));
        let j = self.schedules.number(&name, Motion::Function(function, argument));
        Ok(RationalFunction::variable(schedule(j, at)))
    }

    /// What is known of the root of a value that changes with the index, and of what the rest is one: √(k (k+1)²s) is
    /// √k (k+1) √s, for the index is not negative, but √(s²) is |s|, which is s only where that is known.
    pub(super) fn known_root(
        &mut self,
        value: &RationalFunction,
        span: Span,
    ) -> Evaluated<(RationalFunction, RationalFunction)> {
        let stop = |e| limit(e, span);
        let (mut known, mut rest) = (RationalFunction::one(), value.clone());
        for (part, sign) in [(value.numerator(), 1), (value.denominator(), -1)] {
            for (factor, e) in part.factor().map_err(stop)?.factors {
                let factor = match self.sign(&factor).map_err(stop)? {
                    Sign::Nonnegative => RationalFunction::polynomial(factor),
                    Sign::Nonpositive => RationalFunction::polynomial(factor).neg(),
                    Sign::Both | Sign::Unknown => continue,
                };
                let mut root = factor.pow(e as i32 / 2).map_err(stop)?;
                if e % 2 == 1 && varies(&factor) {
                    let own = self.function_of("sqrt", &factor, span)?;
                    root = root.map(|r| r.mul(&own)).transpose().map_err(stop)?;
                }
                let taken = if varies(&factor) { e } else { e - e % 2 } as i32;
                let power = |r: &RationalFunction, n: i32| r.pow(n).map_err(stop);
                let (Some(root), Some(square)) = (root, power(&factor, -sign * taken)?) else { continue };
                let Some(root) = power(&root, sign)? else { continue };
                known = known.mul(&root).map_err(stop)?;
                rest = rest.mul(&square).map_err(stop)?;
            }
        }
        Ok((known, rest))
    }

    /// The sign of a polynomial in numbers that are known not to be negative.
    fn sign(&self, p: &Polynomial) -> Result<Sign, Exhausted> {
        let mut found = p.clone();
        for v in p.variables() {
            if !self.is_never_negative(v) {
                return Ok(Sign::Unknown);
            }
            found = found.substitute(v, &Polynomial::variable(v).square()?)?;
        }
        found.sign()
    }

    /// Whether a symbol is a step, a root, the index or a power of a positive number.
    fn is_never_negative(&self, v: Variable) -> bool {
        let Some((j, _)) = scheduled(v) else {
            let functions = self.parameter_functions.iter();
            return functions.clone().any(|(w, name, _)| *w == v && matches!(*name, "sqrt" | "exp"))
                || self.parameters.get(v.0 as usize).is_some_and(|name| self.is_step(name));
        };
        match &self.schedules.list[j].motion {
            Motion::Clock => true,
            Motion::Function(name, _) => matches!(*name, "sqrt" | "exp"),
            Motion::Power(base) => base.as_rational().is_some_and(|b| b > Rational::ZERO),
            Motion::Free | Motion::Recursion(_) => self.is_step(&self.schedules.list[j].name),
        }
    }

    /// Whether a name is the step of an oracle.
    fn is_step(&self, name: &str) -> bool {
        let is_it = |e: &Expression| matches!(&e.node, Node::Name(n) | Node::Indexed(n, _) if n == name);
        let mut found = false;
        each(self.indexed, &mut |e| {
            let step = match &e.node {
                Node::Call(call) if call.kind.has_step() => call.step.as_ref(),
                Node::Oracle(oracle) if oracle.kind.has_step() => oracle.step.as_ref(),
                _ => None,
            };
            found |= step.is_some_and(is_it);
        });
        found
    }

    /// The time at which a value stands, so that values that differ by a shift differ by that time.
    fn standing(&self, value: &RationalFunction) -> i64 {
        let symbols = value.variables().into_iter().filter_map(scheduled);
        let (closed, open): (Vec<_>, Vec<_>) =
            symbols.partition(|(j, _)| matches!(self.schedules.list[*j].motion, Motion::Clock | Motion::Power(_)));
        if let Some(earliest) = open.iter().map(|(_, o)| *o).min() {
            return earliest;
        }
        // a k + b stands at b/a, rounded down.
        closed
            .first()
            .and_then(|(j, _)| {
                let parts = value.numerator().coefficients_in(schedule(*j, 0));
                let number = |i: usize| RationalFunction::polynomial(parts.get(i)?.clone()).as_rational();
                let (b, a) = (number(0)?, number(1)?);
                (parts.len() == 2).then(|| i64::try_from((b / a).floor()).ok()).flatten()
            })
            .unwrap_or(0)
    }

    /// Says once of every name what became of it.
    fn note_varying(&mut self, name: &str, span: Span) {
        if !self.told_varying.insert(name.to_string()) {
            return;
        }
        let letter = &self.indexed.letter;
        let note = match self.coefficients {
            Coefficients::Frozen => Diagnostic::note(span, format!("`{name}` was frozen: it is read as a constant"))
                .help(Advice::from("leave out ").wish(Wish::Freeze).then(" to let it change")),
            Coefficients::AsWritten if name == *letter => {
                Diagnostic::note(span, format!("a coefficient that changes with `{letter}`"))
                    .help(Advice::from("use ").wish(Wish::Freeze).then(" to read it as a constant"))
            }
            Coefficients::AsWritten => {
                Diagnostic::note(span, format!("`{name}` is a number that changes with `{letter}`")).help(
                    Advice::from(format!("write `{name}` without an index, or use "))
                        .wish(Wish::Freeze)
                        .then(", for a constant"),
                )
            }
        };
        self.remarks.push(note);
    }
}

fn whole(value: &RationalFunction) -> Option<i32> {
    let n: Rational = value.as_rational()?;
    n.is_int().then(|| i32::try_from(n.numerator().clone()).ok().filter(|n| n.abs() <= 64)).flatten()
}

/// The names of symbols while a text is being read.
pub(super) fn symbol_text(
    parameters: &[String],
    schedules: &Schedules,
    letter: &str,
    v: linnaeus_algebra::Variable,
) -> String {
    let parameter = |v: linnaeus_algebra::Variable| parameters.get(v.0 as usize).cloned().unwrap_or_default();
    schedules.text(v, letter, &parameter).unwrap_or_else(|| parameter(v))
}
