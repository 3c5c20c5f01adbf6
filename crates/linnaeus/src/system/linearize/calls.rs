//! Elementary functions, and calls of oracles.

use super::{Evaluated, Linearizer, MAX_CALLS, Value, coefficients, limit, minimize};
use crate::diagnostic::{Code, Diagnostic};
use crate::operator::OperatorPolynomial;
use crate::source::Span;
use crate::syntax::ast::{self, Elementary, Expression, Node, OracleKind, OracleName, Sample};
use crate::system::roots::{is_root, known_root, monomial, split_root};
use crate::system::schedule::varies;
use crate::system::{Atom, Call, LinearForm, Oracle, Space, is_step};
use linnaeus_algebra::solve::rational_root;
use linnaeus_algebra::{Coefficient, Integer, Rational, RationalFunction, Variable};

impl Linearizer<'_> {
    pub(super) fn elementary(&mut self, function: Elementary, a: &Expression, span: Span) -> Evaluated<Value> {
        if function == Elementary::Adjoint {
            return self.adjoint(a, span);
        }
        let value = self.evaluate(a)?;
        match (function, value) {
            (Elementary::Inverse, Value::Scalar(s)) => s.inverse().map(Value::Scalar).ok_or_else(|| {
                Diagnostic::error(Code::DivisionByZero, a.span, "this is zero").help("invert something else")
            }),
            (Elementary::Inverse, Value::Operator(p, d, c)) => {
                self.invertible(d, c, span)?;
                Ok(Value::Operator(self.inverse_of(&p, span)?, c, d))
            }
            (Elementary::Sqrt, Value::Scalar(s)) => self.square_root(&s, a.span).map(Value::Scalar),
            (Elementary::Exp | Elementary::Log, Value::Scalar(s)) => {
                let name = if function == Elementary::Exp { "exp" } else { "log" };
                if varies(&s) {
                    return self.function_of(name, &s, a.span).map(Value::Scalar);
                }
                Ok(Value::Scalar(self.function_parameter(name, &s)))
            }
            (function, Value::Vector(..)) => {
                let name = match function {
                    Elementary::Exp => "exp",
                    Elementary::Log => "log",
                    Elementary::Sqrt => "sqrt",
                    Elementary::Nonlinear(name) => name,
                    Elementary::Inverse | Elementary::Adjoint => "inv",
                };
                Err(Diagnostic::error(
                    Code::NonlinearFunction,
                    span,
                    format!("`{name}` of a vector is not linear in the iterates"),
                )
                .help(format!("declare `oracle {name}` to treat it as an oracle")))
            }
            _ => Err(Diagnostic::error(Code::NonlinearFunction, span, "this function is not known for this argument")
                .help("give the value a name of its own, as a parameter")),
        }
    }

    /// Exact where it can be; otherwise a parameter of its own.
    pub(super) fn square_root(&mut self, s: &RationalFunction, span: Span) -> Evaluated<RationalFunction> {
        if varies(s) {
            let (known, s) = &self.known_root(s, span)?;
            if !varies(s) {
                return self.square_root(s, span)?.mul(known).map_err(|e| limit(e, span));
            }
            // √(1/4 + t²) is √(1 + 4t²)/2.
            let content = Rational::from(s.numerator().content()) / Rational::from(s.denominator().content());
            let factor = RationalFunction::rational(&rational_root(&content).unwrap_or(Rational::ONE));
            let rest = factor.mul(&factor).and_then(|square| s.div(&square)).map_err(|e| limit(e, span))?;
            let factor = factor.mul(known).map_err(|e| limit(e, span))?;
            let root = self.function_of("sqrt", rest.as_ref().unwrap_or(s), span)?;
            return root.mul(&factor).map_err(|e| limit(e, span));
        }
        if let Some(number) = s.as_rational().filter(|n| *n >= Rational::ZERO) {
            let (factor, rest) = split_root(&number);
            let factor = RationalFunction::rational(&factor);
            if rest == Integer::ONE || factor.is_zero() {
                return Ok(factor);
            }
            let root = self.function_parameter("sqrt", &RationalFunction::rational(&Rational::from(rest)));
            return root.mul(&factor).map_err(|e| limit(e, span));
        }
        if let Some(root) = known_root(s, &self.parameter_functions).map_err(|e| limit(e, span))? {
            return Ok(root);
        }
        self.note_squares_of_roots(s);
        let text = format!("sqrt({})", self.scalar_text(s));
        self.own_symbol(&text, span);
        Ok(self.function_parameter("sqrt", s))
    }

    /// The root of a product of parameters is that of theirs: √(a/b) is √a/√b. They are squares.
    fn note_squares_of_roots(&mut self, s: &RationalFunction) {
        let Some(powers) = monomial(s) else { return };
        let is_plain = |v: Variable| self.parameter_functions.iter().all(|(w, ..)| *w != v);
        let is_root = |v: Variable| is_root(v, &self.parameter_functions);
        if powers.iter().all(|(v, e)| if e % 2 == 0 { is_root(*v) } else { is_plain(*v) }) {
            let plain = powers.iter().filter(|(v, _)| is_plain(*v));
            self.rooted.extend(plain.filter_map(|(v, _)| self.parameters.get(v.0 as usize)).cloned());
        }
    }

    /// Says once that a value is a parameter of its own: what it has to do with others is not used.
    pub(super) fn own_symbol(&mut self, text: &str, span: Span) {
        if !self.parameters.iter().any(|p| p == text) {
            let message = format!("`{text}` was read as a parameter of its own: its square is not simplified");
            self.remarks.push(
                Diagnostic::warning(Code::Reading, span, message)
                    .help("name the root, as in `q`, and write `q^2` for its square"),
            );
        }
    }

    pub(super) fn scalar_text(&self, s: &RationalFunction) -> String {
        let letter = &self.indexed.letter;
        let names = |v| coefficients::symbol_text(&self.parameters, &self.schedules, letter, v);
        crate::report::expression::plain(s, &names)
    }

    pub(super) fn call(&mut self, call: &ast::Call, span: Span) -> Evaluated<Value> {
        let step = self.step(call.step.as_ref())?;
        let value = self.evaluate(&call.argument)?;
        let (kind, function, conjugate) = (call.kind, call.function.clone(), call.conjugate);
        let name = OracleName { span: call.name_span, kind, function, conjugate, step: None };
        self.call_at(&name, step, call.sample.clone(), (value, call.argument.span), span)
    }

    /// The step of an oracle; 1 where none is written.
    pub(super) fn step(&mut self, step: Option<&Expression>) -> Evaluated<RationalFunction> {
        match step {
            None => Ok(RationalFunction::one()),
            Some(e) => match self.evaluate(e)? {
                Value::Scalar(s) if !is_step(&s) => {
                    let message = if s.is_zero() { "a step of zero" } else { "a negative step" };
                    Err(Diagnostic::error(Code::BadStep, e.span, message).help("the step is positive"))
                }
                Value::Scalar(s) => Ok(s),
                _ => Err(Diagnostic::error(Code::BadStep, e.span, "a step is a number or a parameter")
                    .help("write `prox_{t f}` with a scalar `t`")),
            },
        }
    }

    /// The answer of an oracle at a value that stands somewhere.
    pub(super) fn call_at(
        &mut self,
        call: &OracleName,
        step: RationalFunction,
        mut sample: Option<Sample>,
        query: (Value, Span),
        span: Span,
    ) -> Evaluated<Value> {
        use OracleKind::*;
        if call.kind == BlackBox {
            return self.black_box(&call.function, call.span, sample, query, span);
        }
        let function = self.stem(&call.function).to_string();
        if function != call.function {
            // `grad f_k`: the oracle itself carries the index.
            let index = ast::Index { letter: self.indexed.letter.clone(), halves: 0, span: call.span };
            sample = Some(Sample { name: String::new(), index: Some(index), span: call.span });
        }
        let (input, output) = if call.kind == Argmin {
            self.box_spaces(&format!("argmin {function}"))
        } else {
            let space = self.function_space(&function);
            (space, space)
        };
        let mut oracle = Oracle {
            kind: call.kind,
            function,
            conjugate: call.conjugate,
            step,
            sample: sample.as_ref().map(|s| s.name.clone()),
            map: None,
        };
        // What is asked of a declared set is its projection, which knows no step.
        let of_set = match call.kind {
            Prox | Resolvent | Reflected | MoreauGradient => self.sets.contains(&oracle.function) && !oracle.conjugate,
            _ => false,
        };
        if !of_set {
            return self.asked(oracle, sample, query, input, output, span);
        }
        let step = std::mem::replace(&mut oracle.step, RationalFunction::one());
        oracle.kind = Projection;
        let (own, other) = match call.kind {
            Reflected => (RationalFunction::integer(2), RationalFunction::integer(-1)),
            MoreauGradient => {
                let inverse = step.inverse().expect("steps are not zero");
                (inverse.neg(), inverse)
            }
            _ => return self.asked(oracle, sample, query, input, output, span),
        };
        let (at, place) = query.clone();
        let answer = self.asked(oracle, sample, query, input, output, span)?;
        let answer = self.multiply(Value::Scalar(own), answer, span, span)?;
        let at = self.multiply(Value::Scalar(other), at, place, place)?;
        self.add((answer, span), (at, place), false)
    }

    /// `argmin_{rho f}` where no operator leads from the minimizer to where it is asked: `prox_{(1/rho) f}`. Where
    /// the two may live in different spaces it stays what it is.
    pub(super) fn take_plain_minimizers(&mut self) {
        let unnamed = |c: &Call| c.oracle.kind == OracleKind::Argmin && c.oracle.map.is_none();
        for n in 0..self.calls.len() {
            let Call { oracle, input, output, span, .. } = self.calls[n].clone();
            let function = oracle.function.clone();
            if !unnamed(&self.calls[n]) || self.squares.contains_key(&function) {
                continue;
            }
            let leads = |a: Space, b: Space| self.spaces.same(a, output) && self.spaces.same(b, input);
            let fits = self.operators.iter().any(|o| leads(o.domain, o.codomain) || leads(o.codomain, o.domain));
            // Other operators leave it open where vectors live that nothing tells.
            if fits || !self.operators.is_empty() && !self.spaces.same(input, output) {
                continue;
            }
            let space = self.function_space(&function);
            let Some(step) = oracle.step.inverse() else { continue };
            let mut spaces = self.spaces.clone();
            if !spaces.unify(input, output) || !spaces.unify(output, space) {
                continue;
            }
            self.spaces = spaces;
            let is_set = self.sets.contains(&function) && !oracle.conjugate;
            self.calls[n].oracle = match is_set {
                true => Oracle { kind: OracleKind::Projection, step: RationalFunction::one(), ..oracle },
                false => Oracle { kind: OracleKind::Prox, step, ..oracle },
            };
            if self.plain_minimizers.insert(function.clone()) {
                let message = format!("no operator fits into `argmin` of `{function}`: it was read as a prox");
                self.remarks.push(Diagnostic::note(span, message).help(with_a_map(&function)));
            }
        }
    }

    pub(super) fn box_spaces(&mut self, name: &str) -> (Space, Space) {
        if let Some(pair) = self.boxes.get(name) {
            return *pair;
        }
        let pair = (self.spaces.fresh(), self.spaces.fresh());
        self.boxes.insert(name.to_string(), pair);
        pair
    }

    pub(super) fn apply(
        &mut self,
        name: &str,
        name_span: Span,
        a: &Expression,
        sample: Option<&Sample>,
        span: Span,
    ) -> Evaluated<Value> {
        if self.maps.contains(name) {
            let value = self.evaluate(a)?;
            let head = Expression::new(name_span, Node::Name(name.to_string()));
            return self.map(&head, value, span);
        }
        if !self.roles.boxes.contains(name) {
            let head = self.name(name, name_span)?;
            let value = self.evaluate(a)?;
            return self.multiply(head, value, name_span, a.span);
        }
        let value = self.evaluate(a)?;
        self.black_box(name, name_span, sample.cloned(), (value, a.span), span)
    }

    pub(super) fn black_box(
        &mut self,
        name: &str,
        name_span: Span,
        sample: Option<Sample>,
        query: (Value, Span),
        span: Span,
    ) -> Evaluated<Value> {
        if !self.declared_boxes.contains(name) && !name.starts_with(char::is_uppercase) {
            return Err(Diagnostic::error(Code::UnknownOracle, name_span, format!("there is no oracle `{name}`"))
                .help(format!("declare it with `oracle {name}`, or write `{name}*(…)` if it is a factor")));
        }
        let (input, output) = self.box_spaces(name);
        let oracle = Oracle {
            kind: OracleKind::BlackBox,
            function: name.to_string(),
            conjugate: false,
            step: RationalFunction::one(),
            sample: sample.as_ref().map(|s| s.name.clone()),
            map: None,
        };
        self.asked(oracle, sample, query, input, output, span)
    }

    pub(super) fn asked(
        &mut self,
        oracle: Oracle,
        sample: Option<Sample>,
        (value, place): (Value, Span),
        input: Space,
        output: Space,
        span: Span,
    ) -> Evaluated<Value> {
        let (argument, space) = self.vector(value, place)?;
        if argument.contains_key(&minimize::VARIABLE) {
            return Err(minimize::not_a_term(span));
        }
        if !self.spaces.unify(input, space) {
            let (x, y) = (self.called(input), self.called(space));
            let name = &oracle.function;
            let found = Diagnostic::error(
                Code::IllTyped,
                place,
                format!("the oracle of `{name}` takes a vector of {x}, not of {y}"),
            )
            .mark(format!("in {y}"));
            return Err(self.advise_spaces(found, space, input));
        }
        if self.calls.len() >= MAX_CALLS {
            let help = format!("give one algorithm at a time, with at most {MAX_CALLS} calls");
            return Err(Diagnostic::error(
                Code::LimitLines,
                span,
                format!("at most {MAX_CALLS} oracle calls are read"),
            )
            .help(help));
        }
        self.calls.push(Call { oracle, sample, argument, input, output, span, equation: self.equation });
        let atom = Atom::Call(self.calls.len() - 1);
        Ok(Value::Vector(LinearForm::from([(atom, OperatorPolynomial::one())]), output))
    }
}

/// How to write the minimizer if a linear operator stands in its square.
pub fn with_a_map(function: &str) -> String {
    format!("write `argmin_x {function}(x) + rho/2*||A*x - v||^2` for an operator in the square")
}
