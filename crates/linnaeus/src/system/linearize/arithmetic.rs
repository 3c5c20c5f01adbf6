//! Sums, products, quotients and powers of numbers, operators and vectors.

use super::minimize::{self, COMPUTED};
use super::{AS_ORACLE, Evaluated, Linearizer, MAX_DIGITS, MAX_EXPONENT, Value, combine, limit};
use crate::diagnostic::{Code, Diagnostic};
use crate::operator::OperatorPolynomial;
use crate::source::Span;
use crate::syntax::ast::{Elementary, Expression, Node, Operation};
use crate::system::{Atom, Equation, LinearForm, Space};
use linnaeus_algebra::{Coefficient, Rational, RationalFunction};

impl Linearizer<'_> {
    /// A chain `a + b - c`, however long.
    pub(super) fn sum(&mut self, e: &Expression) -> Evaluated<Value> {
        let mut terms = Vec::new();
        let mut first = e;
        while let Node::Binary(operation @ (Operation::Add | Operation::Subtract), a, b) = &first.node {
            terms.push((*operation == Operation::Subtract, a.span, b));
            first = a;
        }
        let mut value = self.evaluate(first)?;
        for (subtract, left, term) in terms.into_iter().rev() {
            let right = self.evaluate(term)?;
            value = self.add((value, left), (right, term.span), subtract)?;
        }
        Ok(value)
    }

    pub(super) fn add(
        &mut self,
        (left, a): (Value, Span),
        (right, b): (Value, Span),
        subtract: bool,
    ) -> Evaluated<Value> {
        let span = a.to(b);
        match (left, right) {
            (Value::Scalar(x), Value::Scalar(y)) => {
                let sum = if subtract { x.sub(&y) } else { x.add(&y) };
                Ok(Value::Scalar(sum.map_err(|e| limit(e, span))?))
            }
            (Value::Vector(x, s), Value::Vector(y, t)) => {
                if !self.spaces.unify(s, t) {
                    let (p, q) = (self.called(s), self.called(t));
                    let found = Diagnostic::error(
                        Code::IllTyped,
                        b,
                        format!("a vector of {p} and a vector of {q} cannot be added"),
                    )
                    .mark(format!("in {q}"))
                    .label(a, format!("in {p}"));
                    return Err(self.advise_spaces(found, t, s));
                }
                Ok(Value::Vector(combine(x, y, subtract).map_err(|e| limit(e, span))?, s))
            }
            (Value::Vector(x, s), Value::Scalar(y)) if y.is_zero() => Ok(Value::Vector(x, s)),
            (Value::Scalar(x), Value::Vector(y, s)) if x.is_zero() => {
                Ok(Value::Vector(combine(LinearForm::new(), y, subtract).map_err(|e| limit(e, span))?, s))
            }
            (Value::Vector(x, _), Value::Scalar(y)) => Err(self.scalar_plus_vector((&y, b), (&x, a))),
            (Value::Scalar(x), Value::Vector(y, _)) => Err(self.scalar_plus_vector((&x, a), (&y, b))),
            (Value::Vector(..), Value::Operator(..)) => Err(operator_plus_vector(b)),
            (Value::Operator(..), Value::Vector(..)) => Err(operator_plus_vector(a)),
            (left, right) => {
                let (x, d, c) = self.as_operator(left);
                let (y, d2, c2) = self.as_operator(right);
                if !(self.spaces.unify(d, d2) && self.spaces.unify(c, c2)) {
                    let found = Diagnostic::error(
                        Code::IllTyped,
                        span,
                        format!(
                            "an operator from {} to {} and one from {} to {} cannot be added",
                            self.called(d),
                            self.called(c),
                            self.called(d2),
                            self.called(c2)
                        ),
                    );
                    let (have, want) = if self.spaces.same(d, d2) { (c2, c) } else { (d2, d) };
                    return Err(self.advise_spaces(found, have, want));
                }
                let sum = if subtract { x.sub(&y) } else { x.add(&y) };
                Ok(Value::Operator(sum.map_err(|e| limit(e, span))?, d, c))
            }
        }
    }

    pub(super) fn scalar_plus_vector(
        &self,
        (scalar, here): (&RationalFunction, Span),
        (vector, there): (&LinearForm, Span),
    ) -> Diagnostic {
        let text = self.scalar_text(scalar);
        let (mark, help) = if self.parameters.contains(&text) {
            (
                format!("`{text}` is a number"),
                format!("declare `constant {text}` if it is a vector, or multiply it with an iterate"),
            )
        } else {
            (
                "a number".to_string(),
                "multiply the number with an iterate, or declare a `constant` vector and add that".to_string(),
            )
        };
        Diagnostic::error(Code::ScalarPlusVector, here, "a number and a vector cannot be added")
            .mark(mark)
            .label(there, format!("{} is a vector", self.described(vector)))
            .help(help)
    }

    pub(super) fn as_operator(&mut self, value: Value) -> (OperatorPolynomial, Space, Space) {
        match value {
            Value::Operator(p, d, c) => (p, d, c),
            Value::Scalar(s) => {
                let space = self.spaces.fresh();
                (OperatorPolynomial::scalar(s), space, space)
            }
            Value::Vector(..) => unreachable!("vectors are handled before"),
        }
    }

    /// A chain `a*b*c`, from the right where it holds the inverse of a sum of operators.
    pub(super) fn product(&mut self, e: &Expression) -> Evaluated<Value> {
        let mut factors = Vec::new();
        flatten(e, &mut factors);
        let last = factors.pop().expect("a product has factors");
        if factors.iter().any(|f| inverted(f).is_some() || self.is_map(f)) {
            let mut value = self.evaluate(last)?;
            let mut right = last.span;
            for factor in factors.into_iter().rev() {
                value = match (inverted(factor), value) {
                    (Some((inner, times)), mut solved @ Value::Vector(..)) if times == 1 || !self.is_map(factor) => {
                        for _ in 0..times {
                            let Value::Vector(form, space) = solved else { break };
                            solved = self.solve_for(inner, form, space, factor.span)?;
                        }
                        let sign = if matches!(factor.node, Node::Minus(_)) { -1 } else { 1 };
                        let sign = Value::Scalar(RationalFunction::integer(sign));
                        self.multiply(sign, solved, factor.span, right)?
                    }
                    (None, value @ Value::Vector(..)) if self.is_map(factor) => {
                        self.map(factor, value, factor.span.to(right))?
                    }
                    (_, value) => {
                        let left = self.evaluate(factor)?;
                        self.multiply(left, value, factor.span, right)?
                    }
                };
                right = factor.span.to(right);
            }
            return Ok(value);
        }
        factors.push(last);
        let mut factors = factors.into_iter();
        let first = factors.next().expect("a product has factors");
        let mut left = first.span;
        let mut value = self.evaluate(first)?;
        for factor in factors {
            let right = self.evaluate(factor)?;
            value = self.multiply(value, right, left, factor.span)?;
            left = left.to(factor.span);
        }
        Ok(value)
    }

    pub(super) fn multiply(&mut self, a: Value, b: Value, left: Span, right: Span) -> Evaluated<Value> {
        let span = left.to(right);
        let by = |p: &OperatorPolynomial, f: LinearForm| -> Evaluated<LinearForm> {
            let mut product = LinearForm::new();
            for (atom, c) in f {
                let value = p.mul(&c).map_err(|e| limit(e, span))?;
                if !value.is_zero() {
                    product.insert(atom, value);
                }
            }
            Ok(product)
        };
        match (a, b) {
            (Value::Scalar(x), Value::Scalar(y)) => Ok(Value::Scalar(x.mul(&y).map_err(|e| limit(e, span))?)),
            (Value::Scalar(x), Value::Vector(f, s)) | (Value::Vector(f, s), Value::Scalar(x)) => {
                Ok(Value::Vector(by(&OperatorPolynomial::scalar(x), f)?, s))
            }
            (Value::Scalar(x), Value::Operator(p, d, c)) | (Value::Operator(p, d, c), Value::Scalar(x)) => {
                let product = OperatorPolynomial::scalar(x).mul(&p).map_err(|e| limit(e, span))?;
                Ok(Value::Operator(product, d, c))
            }
            (Value::Operator(p, d, c), Value::Operator(q, d2, c2)) => {
                if !self.spaces.unify(d, c2) {
                    let message =
                        format!("an operator from {} cannot act on values in {}", self.called(d), self.called(c2));
                    return Err(self.advise_spaces(Diagnostic::error(Code::IllTyped, span, message), c2, d));
                }
                Ok(Value::Operator(p.mul(&q).map_err(|e| limit(e, span))?, d2, c))
            }
            (Value::Operator(p, d, c), Value::Vector(f, s)) => {
                if !self.spaces.unify(d, s) {
                    let (x, y) = (self.called(d), self.called(s));
                    let found = Diagnostic::error(
                        Code::IllTyped,
                        right,
                        format!("an operator on {x} cannot act on a vector of {y}"),
                    )
                    .mark(format!("in {y}"))
                    .label(left, format!("acts on {x}"));
                    return Err(self.advise_spaces(found, s, d));
                }
                Ok(Value::Vector(by(&p, f)?, c))
            }
            (Value::Vector(..), Value::Operator(..)) => {
                Err(Diagnostic::error(Code::OperatorAsVector, span, "an operator stands before the vector it acts on")
                    .help("write `A*x[k]`"))
            }
            (Value::Vector(f, _), Value::Vector(g, _)) => {
                let factor = f.keys().next().filter(|_| f.len() == 1);
                let help = match factor {
                    Some(Atom::Constant(i)) => {
                        let name = &self.constants[*i].name;
                        format!(
                            "declare `param {name}` if `{name}` is a number, `operator {name}` if it is a linear map"
                        )
                    }
                    Some(Atom::Signal(..)) => {
                        "a parameter may multiply an iterate, as in `alpha*x[k]`; a factor that is computed from \
                         the iterates, as by a line search, is outside of what is compared"
                            .to_string()
                    }
                    _ => "a parameter may multiply an iterate, as in `alpha*x[k]`".to_string(),
                };
                let (f, g) = (self.described(&f), self.described(&g));
                Err(Diagnostic::error(
                    Code::ProductOfIterates,
                    span,
                    "a product of two vectors is not linear in the iterates",
                )
                .mark(format!("{f} and {g} are both vectors"))
                .help(help))
            }
        }
    }

    pub(super) fn described(&self, form: &LinearForm) -> String {
        match form.keys().next() {
            Some(Atom::Signal(i, _)) if *i < self.signals.len() => format!("`{}`", self.signals[*i].name),
            Some(Atom::Signal(..)) => "the variable".to_string(),
            Some(Atom::Constant(i)) => format!("`{}`", self.constants[*i].name),
            Some(Atom::Call(i)) => format!("the answer of `{}`", self.calls[*i].oracle.function),
            None => "this".to_string(),
        }
    }

    pub(super) fn quotient(&mut self, a: &Expression, b: &Expression, span: Span) -> Evaluated<Value> {
        let divisor = match self.evaluate(b)? {
            Value::Scalar(s) => s,
            Value::Vector(..) => {
                return Err(Diagnostic::error(
                    Code::NonlinearFunction,
                    span,
                    "division by a vector is not linear in the iterates",
                )
                .label(b.span, "a vector")
                .help(format!("divide by parameters only, or {AS_ORACLE}")));
            }
            Value::Operator(..) => {
                return Err(Diagnostic::error(
                    Code::OperatorAsVector,
                    b.span,
                    "an operator is inverted, not divided by",
                )
                .help("write `inv(A)*x[k]`"));
            }
        };
        let Some(inverse) = divisor.inverse() else {
            return Err(
                Diagnostic::error(Code::DivisionByZero, b.span, "this is zero").help("divide by something else")
            );
        };
        let value = self.evaluate(a)?;
        self.multiply(Value::Scalar(inverse), value, b.span, a.span)
    }

    pub(super) fn power(&mut self, base: &Expression, exponent: &Expression, span: Span) -> Evaluated<Value> {
        let p = match self.evaluate(exponent)? {
            Value::Scalar(s) => match s.as_rational() {
                Some(p) => Some(p),
                None => {
                    if let Value::Scalar(b) = self.evaluate(base)?
                        && let Some(power) = self.running_power(&b, &s, span)?
                    {
                        return Ok(Value::Scalar(power));
                    }
                    None
                }
            },
            _ => None,
        };
        let Some(p) = p else {
            return Err(Diagnostic::error(Code::NonlinearFunction, exponent.span, "an exponent is a number")
                .help("give the power a name of its own, as a parameter"));
        };
        let value = self.evaluate(base)?;
        if let Value::Vector(..) = value {
            if p == Rational::ONE {
                return Ok(value);
            }
            return Err(Diagnostic::error(
                Code::NonlinearFunction,
                span,
                "a power of a vector is not linear in the iterates",
            )
            .help(format!("powers are for parameters and operators; {AS_ORACLE}")));
        }
        // a^(3/2) is √a³.
        let is_half = (p.clone() * Rational::from(2)).is_int();
        let (value, p) = match value {
            Value::Scalar(s) if !p.is_int() && is_half => {
                (Value::Scalar(self.square_root(&s, base.span)?), p * Rational::from(2))
            }
            value => (value, p),
        };
        if !p.is_int() {
            return Err(Diagnostic::error(Code::NonlinearFunction, exponent.span, "an exponent is a whole number")
                .help("give the power a name of its own, as a parameter"));
        }
        let n = i64::try_from(p.numerator().clone()).ok().filter(|n| n.abs() <= MAX_EXPONENT);
        let Some(n) = n else {
            return Err(Diagnostic::error(
                Code::LimitExponent,
                exponent.span,
                format!("exponents reach from -{MAX_EXPONENT} to {MAX_EXPONENT}"),
            )
            .help(format!(
                "use an exponent of at most {MAX_EXPONENT}, or give the power a name of its own as a parameter"
            )));
        };
        match value {
            Value::Scalar(s) => {
                let long = s.as_rational().is_some_and(|r| digits(&r) * n.unsigned_abs() as usize > MAX_DIGITS);
                if long {
                    return Err(Diagnostic::error(
                        Code::LimitExponent,
                        span,
                        format!("this number has more than {MAX_DIGITS} digits"),
                    )
                    .help(format!("use a parameter for it, or a number of at most {MAX_DIGITS} digits")));
                }
                let power = s.pow(n as i32).map_err(|e| limit(e, span))?;
                power.map(Value::Scalar).ok_or_else(|| {
                    Diagnostic::error(Code::DivisionByZero, base.span, "this is zero").help("invert something else")
                })
            }
            Value::Operator(p, d, c) => {
                if n != 1 && n != -1 && !self.spaces.unify(d, c) {
                    let message = format!("an operator from {} to {} has no powers", self.called(d), self.called(c));
                    return Err(self.advise_spaces(Diagnostic::error(Code::IllTyped, span, message), c, d));
                }
                if n < 0 {
                    self.invertible(d, c, span)?;
                }
                let root = if n < 0 { self.inverse_of(&p, span)? } else { p };
                let mut power = OperatorPolynomial::one();
                for _ in 0..n.abs() {
                    power = power.mul(&root).map_err(|e| limit(e, span))?;
                }
                Ok(if n == -1 { Value::Operator(power, c, d) } else { Value::Operator(power, d, c) })
            }
            Value::Vector(..) => unreachable!("handled before"),
        }
    }

    /// What has an inverse maps a space into itself; an operator between spaces that are declared to be different
    /// has none.
    pub(super) fn invertible(&mut self, domain: Space, codomain: Space, span: Span) -> Evaluated<()> {
        if !self.spaces.are_declared_apart(domain, codomain) {
            self.spaces.unify(domain, codomain);
            return Ok(());
        }
        let (from, to) = (self.called(domain), self.called(codomain));
        let message = format!("an operator from {from} to {to} has no inverse");
        Err(Diagnostic::error(Code::IllTyped, span, message)
            .help("invert an operator of a space into itself, as in `inv(I + A'*A)`, or declare it so"))
    }

    pub(super) fn inverse_of(&self, p: &OperatorPolynomial, span: Span) -> Evaluated<OperatorPolynomial> {
        p.inverse().map_err(|e| limit(e, span))?.ok_or_else(|| {
            Diagnostic::error(Code::LimitInverse, span, "the inverse of a sum of operators must stand before a vector")
                .help("write `inv(I + A)*x[k]`, or give the inverse a name of its own and declare it an operator")
        })
    }

    /// `inv(P)*v` for a sum P: an auxiliary iterate w with P w = v.
    pub(super) fn solve_for(
        &mut self,
        inner: &Expression,
        form: LinearForm,
        space: Space,
        span: Span,
    ) -> Evaluated<Value> {
        let (p, d, c) = match self.evaluate(inner)? {
            Value::Operator(p, d, c) => (p, d, c),
            other => return self.multiply_inverse(other, form, space, span),
        };
        self.invertible(d, c, span)?;
        if !self.spaces.unify(c, space) {
            let message = format!("this inverse acts on {}, not on a vector of {}", self.called(c), self.called(space));
            return Err(self.advise_spaces(Diagnostic::error(Code::IllTyped, span, message), space, c));
        }
        if let Some(inverse) = p.inverse().map_err(|e| limit(e, span))? {
            return self.multiply(Value::Operator(inverse, c, d), Value::Vector(form, space), span, span);
        }
        if form.contains_key(&minimize::VARIABLE) {
            return Err(minimize::not_a_term(span));
        }
        let name = format!("inv~{}", self.signals.iter().filter(|s| s.name.starts_with("inv~")).count() + 1);
        let i = self.signal(&name, span);
        self.signals[i].space = d;
        let left = LinearForm::from([(Atom::Signal(i, 0), p)]);
        let form = combine(left, form, true).map_err(|e| limit(e, span))?;
        self.auxiliary.push(Equation { form, target: Some((i, 0)), span, target_span: span, line: self.equation });
        Ok(Value::Vector(LinearForm::from([(Atom::Signal(i, 0), OperatorPolynomial::one())]), d))
    }

    pub(super) fn multiply_inverse(
        &mut self,
        value: Value,
        form: LinearForm,
        space: Space,
        span: Span,
    ) -> Evaluated<Value> {
        let inverse = match value {
            Value::Scalar(s) => s.inverse(),
            _ => None,
        };
        match inverse {
            Some(s) => self.multiply(Value::Scalar(s), Value::Vector(form, space), span, span),
            None => Err(Diagnostic::error(Code::NonlinearFunction, span, "only numbers and operators have an inverse")
                .help(format!("write `inv(A)` for an operator A; {COMPUTED}"))),
        }
    }

    pub(super) fn adjoint(&mut self, a: &Expression, span: Span) -> Evaluated<Value> {
        match self.evaluate(a)? {
            Value::Scalar(s) => Ok(Value::Scalar(s)),
            Value::Operator(p, d, c) => Ok(Value::Operator(self.adjoint_of(&p), c, d)),
            Value::Vector(..) => Err(Diagnostic::error(
                Code::NonlinearFunction,
                span,
                "the transpose of a vector makes an inner product",
            )
            .help(format!("only operators have an adjoint here; {COMPUTED}"))),
        }
    }

    /// The adjoint of an operator; its letters are marked as used that way.
    pub(super) fn adjoint_of(&mut self, p: &OperatorPolynomial) -> OperatorPolynomial {
        for (word, _) in p.terms() {
            for letter in word {
                let operator = &mut self.operators[letter.operator as usize];
                operator.adjoint_used |= !operator.symmetric;
            }
        }
        let operators = &self.operators;
        p.adjoint(&|o| operators[o as usize].symmetric)
    }
}

/// The expression under `inv(…)`, `(…)^-1`, `(…)^-2` or `inv(…)^2`, which may have a sign, and how often it is inverted.
fn inverted(e: &Expression) -> Option<(&Expression, u32)> {
    let e = if let Node::Minus(inner) = &e.node { inner } else { e };
    let power = |e: &Expression| match &e.node {
        Node::Number(n) if n.is_int() => i32::try_from(n.numerator().clone()).ok(),
        _ => None,
    };
    match &e.node {
        Node::Elementary(Elementary::Inverse, a) => Some((a, 1)),
        Node::Power(a, p) => {
            let exponent = match &p.node {
                Node::Minus(size) => power(size).map(|n| -n),
                _ => power(p),
            }?;
            let times = exponent.unsigned_abs();
            match &a.node {
                _ if times == 0 || times > MAX_EXPONENT as u32 => None,
                Node::Elementary(Elementary::Inverse, inner) if exponent > 0 => Some((inner, times)),
                _ => (exponent < 0).then_some((a, times)),
            }
        }
        _ => None,
    }
}

fn flatten<'e>(mut e: &'e Expression, factors: &mut Vec<&'e Expression>) {
    while let Node::Binary(Operation::Multiply, a, b) = &e.node {
        factors.push(b);
        e = a;
    }
    factors.push(e);
    factors.reverse();
}

/// The decimal digits above and below the line; those of 1 do not grow.
fn digits(r: &Rational) -> usize {
    let above = r.numerator().to_string().trim_start_matches('-').len();
    above + r.denominator().to_string().len() - 2
}

fn operator_plus_vector(span: Span) -> Diagnostic {
    Diagnostic::error(Code::OperatorAsVector, span, "an operator and a vector cannot be added")
        .mark("an operator")
        .help("apply the operator to an iterate, as in `A*x[k]`, or declare a `constant` vector")
}
