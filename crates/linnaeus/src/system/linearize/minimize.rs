//! `argmin_x f(x) + <y[k], x> + rho/2 ||A x - b||^2`: the minimizer as an oracle's answer.
//!
//! The derivative of all but the functions is linear in x. Where it is a multiple of x, completing
//! the square makes a proximal step; where all squares are of one linear map A, the oracle is
//! `argmin_{rho f}`, a minimizer of f(x) + rho/2 ||A x - r||^2; where there is no square, it is the
//! gradient of the conjugate. Otherwise x is an iterate of its own that the optimality condition
//! determines, and the oracle is ∂f.

use super::{Evaluated, Linearizer, Value, combine, limit};
use crate::diagnostic::{Code, Diagnostic};
use crate::operator::OperatorPolynomial;
use crate::source::Span;
use crate::syntax::ast::{self, Expression, Minimization, Node, Operation, OracleKind, Sample, Sense};
use crate::syntax::names::indicated;
use crate::system::{Atom, Equation, LinearForm, Oracle, Space, is_step};
use linnaeus_algebra::{Coefficient, Integer, Polynomial, Rational, RationalFunction};

/// What is minimized over, until it has a name.
pub(super) const VARIABLE: Atom = Atom::Signal(usize::MAX, 0);

/// A part of the derivative: M'(N x + r).
#[derive(Clone)]
struct Pull {
    map: OperatorPolynomial,
    quadratic: OperatorPolynomial,
    rest: LinearForm,
    /// Where N x + r lives.
    space: Space,
}

/// `c f(M x + r)`.
struct FunctionTerm {
    scale: RationalFunction,
    function: String,
    conjugate: bool,
    is_set: bool,
    argument: (LinearForm, Space),
    span: Span,
}

#[derive(Default)]
struct Objective {
    pulls: Vec<Pull>,
    functions: Vec<FunctionTerm>,
}

/// The squares as one: S/2 ||M x + R/S||^2.
struct Square {
    map: OperatorPolynomial,
    weight: RationalFunction,
    rest: LinearForm,
    space: Option<Space>,
}

/// Why steps and matrices that depend on the iterates cannot be read.
pub(super) const COMPUTED: &str = "a method whose steps or matrices are computed from its iterates (conjugate \
    gradients, line searches, quasi-Newton) is not linear between its calls and has no transfer function: \
    put a name such as `alpha[k]` in their place";

/// A norm, an inner product or a value outside of a minimization.
pub(super) fn number_elsewhere(e: &Expression) -> Diagnostic {
    let what = match &e.node {
        Node::Value(name, ..) => format!("the value of `{name}`"),
        Node::Inner(..) => "an inner product".to_string(),
        _ => "a norm".to_string(),
    };
    Diagnostic::error(Code::NonlinearFunction, e.span, format!("{what} is not linear in the iterates")).help(format!(
        "norms and inner products stand in what is minimized, as in `argmin_x f(x) + rho/2 ||x - z[k]||^2`; {COMPUTED}"
    ))
}

pub(super) fn not_a_term(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NonlinearFunction, span, "this is no term of an objective that can be read")
        .help("write a sum of `f(x)`, `<y[k], x>` and `rho/2 ||A x - b||^2`, each with a number before it")
}

fn two() -> RationalFunction {
    RationalFunction::rational(&Rational::from(2))
}

impl Linearizer<'_> {
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Evaluated<Value> {
        match self.variable {
            Some(space) => Ok(Value::Vector(LinearForm::from([(VARIABLE, OperatorPolynomial::one())]), space)),
            None => Err(Diagnostic::error(Code::UnexpectedToken, span, format!("`{name}` is no variable here"))
                .help("only what is minimized depends on it")),
        }
    }

    pub(super) fn minimize(&mut self, found: &Minimization, span: Span) -> Evaluated<Value> {
        if self.variable.is_some() {
            return Err(Diagnostic::error(Code::NonlinearFunction, span, "a minimization inside another")
                .help("give the inner one a line and a name of its own"));
        }
        let space = self.spaces.fresh();
        self.variable = Some(space);
        let mut objective = Objective::default();
        let sign = match found.sense {
            Sense::Minimize => RationalFunction::one(),
            Sense::Maximize => RationalFunction::one().neg(),
        };
        let collected = self.collect(&found.objective, &sign, &mut objective);
        self.variable = None;
        collected?;
        if let Some(set) = &found.set {
            let argument = (LinearForm::from([(VARIABLE, OperatorPolynomial::one())]), space);
            let (function, scale) = (set.clone(), RationalFunction::one());
            objective.functions.push(FunctionTerm { scale, function, conjugate: false, is_set: true, argument, span });
        }
        if objective.functions.is_empty() && objective.pulls.is_empty() {
            let message = format!("nothing here depends on `{}`", found.variable);
            return Err(Diagnostic::error(Code::MissingArgument, span, message)
                .help(format!("write what is minimized in terms of `{}`", found.variable)));
        }
        match self.one_step(&objective, space, span)? {
            Some(value) => Ok(value),
            None => self.optimality(objective, space, span),
        }
    }

    /// Adds the derivative of a sum of terms.
    fn collect(&mut self, e: &Expression, scale: &RationalFunction, out: &mut Objective) -> Evaluated<()> {
        if !depends(e) {
            return Ok(());
        }
        match &e.node {
            Node::Minus(a) => self.collect(a, &scale.neg(), out),
            Node::Binary(Operation::Add, a, b) => {
                self.collect(a, scale, out)?;
                self.collect(b, scale, out)
            }
            Node::Binary(Operation::Subtract, a, b) => {
                self.collect(a, scale, out)?;
                self.collect(b, &scale.neg(), out)
            }
            Node::Binary(Operation::Multiply, a, b) => {
                let (factor, term) = match (depends(a), depends(b)) {
                    (true, false) => (b, a),
                    (false, true) => (a, b),
                    _ => return Err(not_a_term(e.span)),
                };
                let scale = scale.mul(&self.number(factor)?).map_err(|x| limit(x, e.span))?;
                self.collect(term, &scale, out)
            }
            Node::Binary(Operation::Divide, a, b) if !depends(b) => {
                let below = self.number(b)?;
                let inverse = below.inverse().ok_or_else(|| {
                    Diagnostic::error(Code::DivisionByZero, b.span, "this is zero").help("divide by something else")
                })?;
                self.collect(a, &scale.mul(&inverse).map_err(|x| limit(x, e.span))?, out)
            }
            Node::Power(base, n) => match (&base.node, &n.node) {
                (Node::Norm(a, weight), Node::Number(n)) if *n == Rational::from(2) => {
                    self.square(a, weight.as_deref(), scale, out)
                }
                _ => Err(not_a_term(e.span)),
            },
            Node::Inner(a, b) => self.inner(a, b, scale, out),
            Node::Norm(a, None) => self.function("norm", std::slice::from_ref(&**a), scale, e.span, out),
            Node::Value(name, _, arguments) => self.function(name, arguments, scale, e.span, out),
            _ => Err(not_a_term(e.span)),
        }
    }

    fn number(&mut self, e: &Expression) -> Evaluated<RationalFunction> {
        match self.evaluate(e)? {
            Value::Scalar(s) => Ok(s),
            _ => Err(not_a_term(e.span)),
        }
    }

    fn affine(&mut self, e: &Expression) -> Evaluated<(LinearForm, Space)> {
        let value = self.evaluate(e)?;
        self.vector(value, e.span)
    }

    fn square(
        &mut self,
        a: &Expression,
        weight: Option<&Expression>,
        scale: &RationalFunction,
        out: &mut Objective,
    ) -> Evaluated<()> {
        let (mut form, space) = self.affine(a)?;
        let map = form.remove(&VARIABLE).unwrap_or_else(OperatorPolynomial::zero);
        let mut factor = OperatorPolynomial::scalar(scale.mul(&two()).map_err(|x| limit(x, a.span))?);
        if let Some(weight) = weight {
            let Value::Operator(p, d, c) = self.evaluate(weight)? else {
                return Err(not_a_term(weight.span));
            };
            if !(self.spaces.unify(d, space) && self.spaces.unify(c, space)) {
                return Err(Diagnostic::error(Code::IllTyped, weight.span, "this metric acts on another space")
                    .help("a metric maps the space of the vector into itself"));
            }
            factor = factor.mul(&p).map_err(|x| limit(x, a.span))?;
        }
        let quadratic = factor.mul(&map).map_err(|x| limit(x, a.span))?;
        out.pulls.push(Pull { map, quadratic, rest: times(&factor, form, a.span)?, space });
        Ok(())
    }

    fn inner(
        &mut self,
        a: &Expression,
        b: &Expression,
        scale: &RationalFunction,
        out: &mut Objective,
    ) -> Evaluated<()> {
        let (mut left, x) = self.affine(a)?;
        let (mut right, y) = self.affine(b)?;
        let span = a.span.to(b.span);
        if !self.spaces.unify(x, y) {
            let (p, q) = (self.called(x), self.called(y));
            let found = Diagnostic::error(Code::IllTyped, b.span, format!("an inner product of {p} with {q}"));
            return Err(self.advise_spaces(found, y, x));
        }
        let m = left.remove(&VARIABLE).unwrap_or_else(OperatorPolynomial::zero);
        let n = right.remove(&VARIABLE).unwrap_or_else(OperatorPolynomial::zero);
        let scale = OperatorPolynomial::scalar(scale.clone());
        for (map, other, rest) in [(&m, &n, right), (&n, &m, left)] {
            if !map.is_zero() {
                let quadratic = scale.mul(other).map_err(|x| limit(x, span))?;
                out.pulls.push(Pull { map: map.clone(), quadratic, rest: times(&scale, rest, span)?, space: x });
            }
        }
        Ok(())
    }

    fn function(
        &mut self,
        name: &str,
        arguments: &[Expression],
        scale: &RationalFunction,
        span: Span,
        out: &mut Objective,
    ) -> Evaluated<()> {
        let [argument] = arguments else {
            let message = format!("`{name}` is not defined");
            return Err(Diagnostic::error(Code::UnknownOracle, span, message)
                .help(format!("write what it is on a line of its own, as in `{name}(x, y) = f(x) + <y, A*x - b>`")));
        };
        let argument = self.affine(argument)?;
        let (function, conjugate) = name.strip_suffix('*').map_or((name, false), |f| (f, true));
        let set = indicated(function).filter(|_| !conjugate);
        let (function, scale) = (set.unwrap_or(function).to_string(), scale.clone());
        out.functions.push(FunctionTerm { scale, function, conjugate, is_set: set.is_some(), argument, span });
        Ok(())
    }

    /// The minimizer as one answer of one oracle of the only function, if it is that.
    fn one_step(&mut self, objective: &Objective, space: Space, span: Span) -> Evaluated<Option<Value>> {
        let [term] = objective.functions.as_slice() else { return Ok(None) };
        let alone = term.argument.0.len() == 1 && term.argument.0.get(&VARIABLE) == Some(&OperatorPolynomial::one());
        let square = self.one_square(&objective.pulls, space, span)?;
        let (Some(square), true) = (square, alone) else { return Ok(None) };
        let err = |x| limit(x, span);
        let Square { map, weight, rest, space: square_space } = square;
        if weight.is_zero() {
            // c ∂f(x) = -M'R.
            let adjoint = self.adjoint_of(&map);
            let factor = term.scale.inverse().ok_or_else(|| not_a_term(term.span))?.neg();
            let query = times(&OperatorPolynomial::scalar(factor).mul(&adjoint).map_err(err)?, rest, span)?;
            let f = &term.function;
            let message = format!("nothing here is quadratic: the minimizer is the gradient of the conjugate of `{f}`");
            self.remarks.push(Diagnostic::note(span, message));
            let one = RationalFunction::one();
            let kind = OracleKind::Gradient;
            return self.minimizer(term, (kind, !term.conjugate, one), None, (query, space), space, span).map(Some);
        }
        let inverse = weight.inverse().expect("not zero");
        let query = times(&OperatorPolynomial::scalar(inverse.neg()), rest, span)?;
        if map == OperatorPolynomial::one() {
            let step = term.scale.mul(&inverse).map_err(err)?;
            if step.is_zero() {
                return Err(
                    Diagnostic::error(Code::BadStep, term.span, "a function with factor zero").help("leave it out")
                );
            }
            if !is_step(&step) {
                // Where a factor is negative, x is known by the optimality condition alone.
                return Ok(None);
            }
            self.note_sign(&step, term, span);
            let (kind, step) =
                if term.is_set { (OracleKind::Projection, RationalFunction::one()) } else { (OracleKind::Prox, step) };
            let word = if term.is_set { "the projection on" } else { "a proximal step of" };
            let message = format!("completing the square: the minimizer is {word} `{}`", term.function);
            self.remarks.push(Diagnostic::note(span, message));
            return self.minimizer(term, (kind, term.conjugate, step), None, (query, space), space, span).map(Some);
        }
        let known = self.squares.get(&term.function).is_none_or(|m| *m == map);
        let scale = term.scale.inverse().filter(|_| known && !term.is_set && !term.conjugate);
        let Some(scale) = scale else { return Ok(None) };
        let step = weight.mul(&scale).map_err(err)?;
        if !is_step(&step) {
            return Ok(None);
        }
        self.note_sign(&step, term, span);
        self.squares.insert(term.function.clone(), map.clone());
        let query_space = square_space.unwrap_or(space);
        let kind = OracleKind::Argmin;
        self.minimizer(term, (kind, false, step), Some(map), (query, query_space), space, span).map(Some)
    }

    /// Warns of a square that pulls the wrong way, which is most often a misprint.
    fn note_sign(&mut self, step: &RationalFunction, term: &FunctionTerm, span: Span) {
        let positive = |p: &Polynomial| p.terms().all(|(_, c)| *c > Integer::ZERO);
        if positive(step.neg().numerator()) && positive(step.denominator()) {
            let message = format!(
                "the square has the wrong sign beside `{}`: with positive parameters there is no minimizer",
                term.function
            );
            let found = Diagnostic::warning(Code::Reading, span, message);
            self.remarks
                .push(found.help("add the square, or write `argmax` where it is subtracted from what is maximized"));
        }
    }

    /// Asks an oracle of the term's function; the answer is the minimizer.
    fn minimizer(
        &mut self,
        term: &FunctionTerm,
        (kind, conjugate, step): (OracleKind, bool, RationalFunction),
        map: Option<OperatorPolynomial>,
        (query, query_space): (LinearForm, Space),
        space: Space,
        span: Span,
    ) -> Evaluated<Value> {
        let function = self.stem(&term.function).to_string();
        let mut sample = None;
        if function != term.function {
            let index = ast::Index { letter: self.indexed.letter.clone(), halves: 0, span };
            sample = Some(Sample { name: String::new(), index: Some(index), span });
        }
        let (input, output) = match kind {
            OracleKind::Argmin => self.box_spaces(&format!("argmin {function}")),
            _ => {
                let own = self.function_space(&function);
                (own, own)
            }
        };
        if !self.spaces.unify(output, space) {
            let (p, q) = (self.called(output), self.called(space));
            let message = format!("`{function}` takes a vector of {p}, not of {q}");
            return Err(self.advise_spaces(Diagnostic::error(Code::IllTyped, term.span, message), space, output));
        }
        let oracle = Oracle { kind, function, conjugate, step, sample: sample.as_ref().map(|s| s.name.clone()), map };
        self.asked(oracle, sample, (Value::Vector(query, query_space), span), input, output, span)
    }

    /// All squares and inner products as one square of one linear map, if they are that.
    fn one_square(&mut self, pulls: &[Pull], space: Space, span: Span) -> Evaluated<Option<Square>> {
        let err = |x| limit(x, span);
        let lead = |p: &OperatorPolynomial| p.terms().first().map(|(_, c)| (*c).clone());
        let squares = pulls.iter().filter(|p| !p.quadratic.is_zero());
        let Some(first) = squares.chain(pulls).find_map(|p| Some((lead(&p.map)?, p))) else {
            let (map, weight) = (OperatorPolynomial::one(), RationalFunction::zero());
            return Ok(Some(Square { map, weight, rest: LinearForm::new(), space: None }));
        };
        let inverse = OperatorPolynomial::scalar(first.0.inverse().expect("a leading coefficient"));
        let map = inverse.mul(&first.1.map).map_err(err)?;
        let alike = |p: &Pull| ratio(&p.map, &map).map(|r| r.is_some());
        let linear = pulls.iter().all(|p| p.quadratic.is_zero());
        let mut same = true;
        for pull in pulls {
            same &= alike(pull)?;
        }
        // ⟨K x, y⟩ is ⟨x, K'y⟩ where squares are of x itself, or where there are none.
        let one = OperatorPolynomial::one();
        let turns = map == one || linear && !same;
        let mut turned = Vec::new();
        let pulls = if turns {
            for pull in pulls {
                turned.push(match pull.quadratic.is_zero() && pull.map != one {
                    false => pull.clone(),
                    true => {
                        let rest = times(&self.adjoint_of(&pull.map), pull.rest.clone(), span)?;
                        Pull { map: one.clone(), quadratic: OperatorPolynomial::zero(), rest, space }
                    }
                });
            }
            turned.as_slice()
        } else {
            pulls
        };
        let (map, own) = if turns { (one, space) } else { (map, first.1.space) };
        let mut square = Square { map, weight: RationalFunction::zero(), rest: LinearForm::new(), space: Some(own) };
        for pull in pulls {
            let (Some(a), Some(b)) = (ratio(&pull.map, &square.map)?, ratio(&pull.quadratic, &square.map)?) else {
                return Ok(None);
            };
            square.weight = square.weight.add(&a.mul(&b).map_err(err)?).map_err(err)?;
            let part = times(&OperatorPolynomial::scalar(a), pull.rest.clone(), span)?;
            square.rest = combine(square.rest, part, false).map_err(err)?;
        }
        Ok(Some(square))
    }

    /// The optimality condition as a line of its own: N x + r + Σ c M' ∂f(M x + r) = 0.
    fn optimality(&mut self, objective: Objective, space: Space, span: Span) -> Evaluated<Value> {
        let err = |x| limit(x, span);
        let mut form = LinearForm::new();
        for pull in objective.pulls {
            let adjoint = self.adjoint_of(&pull.map);
            let mut inner = pull.rest;
            if !pull.quadratic.is_zero() {
                inner.insert(VARIABLE, pull.quadratic);
            }
            form = combine(form, times(&adjoint, inner, span)?, false).map_err(err)?;
        }
        if objective.functions.is_empty()
            && let Some(s) = form.get(&VARIABLE).map_or(Some(RationalFunction::zero()), OperatorPolynomial::as_scalar)
        {
            form.remove(&VARIABLE);
            let Some(inverse) = s.inverse().filter(|_| is_step(&s)) else {
                return Err(Diagnostic::error(
                    Code::Underdetermined,
                    span,
                    "this has no minimizer, or every point is one",
                )
                .help("add a quadratic term or a function of the variable"));
            };
            return Ok(Value::Vector(times(&OperatorPolynomial::scalar(inverse.neg()), form, span)?, space));
        }
        if form.get(&VARIABLE).is_none_or(OperatorPolynomial::is_zero) && !objective.functions.is_empty() {
            return Err(undetermined(&objective.functions, span));
        }
        let count = self.signals.iter().filter(|s| s.name.starts_with("argmin~")).count();
        let i = self.signal(&format!("argmin~{}", count + 1), span);
        self.signals[i].space = space;
        let own = Atom::Signal(i, 0);
        let named = |mut form: LinearForm| {
            if let Some(c) = form.remove(&VARIABLE) {
                form.insert(own, c);
            }
            form
        };
        form = named(form);
        for term in objective.functions {
            let (argument, argument_space) = term.argument.clone();
            let map = argument.get(&VARIABLE).cloned().unwrap_or_else(OperatorPolynomial::zero);
            let parts = (OracleKind::Subdifferential, term.conjugate, RationalFunction::one());
            let query = (named(argument), argument_space);
            let answer = self.minimizer(&term, parts, None, query, argument_space, term.span)?;
            let Value::Vector(answer, _) = answer else { unreachable!("oracles answer vectors") };
            let factor = OperatorPolynomial::scalar(term.scale.clone()).mul(&self.adjoint_of(&map)).map_err(err)?;
            form = combine(form, times(&factor, answer, span)?, false).map_err(err)?;
        }
        let message = "no single proximal step: the minimizer was read as its optimality condition, with subgradients";
        self.remarks.push(Diagnostic::note(span, message));
        self.auxiliary.push(Equation { form, target: Some((i, 0)), span, target_span: span, line: self.equation });
        Ok(Value::Vector(LinearForm::from([(own, OperatorPolynomial::one())]), space))
    }
}

/// A minimizer that no linear part of its optimality condition tells.
fn undetermined(functions: &[FunctionTerm], span: Span) -> Diagnostic {
    if let Some(norm) = functions.iter().find(|t| t.function == "norm" && functions.len() > 1) {
        return Diagnostic::error(Code::NonlinearFunction, norm.span, "this norm is not squared").help(
            "write its square, as in `rho/2 ||x - z[k]||^2`, or give the norm to the function that is minimized",
        );
    }
    let mut names: Vec<String> = functions.iter().map(|t| format!("`{}`", t.function)).collect();
    names.dedup();
    let message = match names.as_slice() {
        [one] => format!("nothing here is quadratic, and {one} is not asked at the variable itself"),
        all => format!("nothing here is quadratic, and {} are several functions", all.join(" and ")),
    };
    Diagnostic::error(Code::Underdetermined, span, message)
        .help("give one name to all that is minimized beside linear terms, as in `argmin_x h(x) + <y[k], x>`: it is `grad h*`")
}

/// Whether the variable occurs.
fn depends(e: &Expression) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Variable(_)));
    found
}

fn times(factor: &OperatorPolynomial, form: LinearForm, span: Span) -> Evaluated<LinearForm> {
    let mut product = LinearForm::new();
    for (atom, c) in form {
        let value = factor.mul(&c).map_err(|x| limit(x, span))?;
        if !value.is_zero() {
            product.insert(atom, value);
        }
    }
    Ok(product)
}

/// The number s with p = s q, if there is one.
fn ratio(p: &OperatorPolynomial, q: &OperatorPolynomial) -> Evaluated<Option<RationalFunction>> {
    let (Some((_, a)), Some((_, b))) = (p.terms().first().copied(), q.terms().first().copied()) else {
        return Ok(p.is_zero().then(RationalFunction::zero));
    };
    let err = |x| limit(x, Span::default());
    let Some(s) = a.div(b).map_err(err)? else { return Ok(None) };
    let same = OperatorPolynomial::scalar(s.clone()).mul(q).map_err(err)? == *p;
    Ok(same.then_some(s))
}
