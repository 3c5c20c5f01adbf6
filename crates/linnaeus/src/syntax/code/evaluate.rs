//! Expressions of a program → expressions of the tree, names standing for what they were assigned.

use super::Language;
use super::machine::{ENTRY, Machine, START, Value};
use super::oracle::{is_given_gradient, is_parameter};
use super::test::Test;
use super::tree::{Argument, Node as Code, Operator, Term};
use crate::advice::Advice;
use crate::diagnostic::{Code as Mistake, Diagnostic, clipped};
use crate::source::Span;
use crate::syntax::ast::{Call, Elementary, Expression, Node, Operation, OracleKind};
use crate::syntax::names::NORM_1;
use linnaeus_algebra::Rational;

/// The result of reading an expression.
pub type Read<T> = Result<T, Box<Diagnostic>>;

/// What can be assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// `x`
    Variable(String),
    /// `x[:]`: what `x` stands for.
    Whole(String),
    /// `x[k+1]`
    Entry(String, i64),
}

/// An error about something that is not read.
pub fn refuse(code: Mistake, span: Span, message: impl Into<String>, help: impl Into<Advice>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, span, message).help(help))
}

/// Two expressions with a sign between them.
pub fn binary(operation: Operation, a: Expression, b: Expression) -> Expression {
    let span = a.span.to(b.span);
    Expression::new(span, Node::Binary(operation, Box::new(a), Box::new(b)))
}

/// Owners whose parts are names of their own: `self.x` is `x`.
const OWNERS: &[&str] = &[
    "self",
    "this",
    "obj",
    "state",
    "opts",
    "options",
    "opt",
    "params",
    "par",
    "prob",
    "problem",
    "data",
    "config",
    "cfg",
    "args",
    "model",
    "group",
    "solver",
    "iter",
    "iteration",
    "it",
    "alg",
    "algorithm",
    "settings",
    "cache",
    "p",
    "s",
    "st",
    "ctx",
];

/// Modules of functions.
const MODULES: &[&str] = &[
    "np",
    "numpy",
    "jnp",
    "jax",
    "torch",
    "scipy",
    "sp",
    "math",
    "cp",
    "cupy",
    "tf",
    "linalg",
    "sparse",
    "LinearAlgebra",
    "random",
    "nn",
    "functional",
    "F",
    "copy",
    "spla",
    "la",
    "npl",
    "LA",
    "autograd",
    "time",
];

impl Machine<'_> {
    /// An expression that is one value.
    pub fn expression(&mut self, term: &Term) -> Read<Expression> {
        match self.evaluate(term)? {
            Value::Known(mut e) => {
                // A call keeps its place: calls are told apart by it.
                if !matches!(e.node, Node::Call(_)) {
                    e.span = term.span;
                }
                Ok(e)
            }
            Value::Unreadable(problem) => Err(problem),
            Value::Tuple(objects) if objects.len() == 1 => match self.value(objects[0]) {
                Value::Known(e) => Ok(e),
                _ => Err(self.no_value(term.span, "a list")),
            },
            Value::Tuple(_) => Err(self.no_value(term.span, "a list")),
            Value::Function(_) => Err(self.no_value(term.span, "a function")),
        }
    }

    pub(super) fn no_value(&self, span: Span, what: &str) -> Box<Diagnostic> {
        let message = format!("{what} has no place in an update");
        refuse(
            Mistake::UnexpectedToken,
            span,
            message,
            "write sums, products with numbers and matrices, and calls of oracles",
        )
    }

    /// An expression, whatever it is.
    pub fn evaluate(&mut self, term: &Term) -> Read<Value> {
        self.spend(term.span)?;
        let known = |node| Ok(Value::Known(Expression::new(term.span, node)));
        match &term.node {
            Code::Number(n) => known(Node::Number(n.clone())),
            Code::Name(name) => self.variable(name, term.span),
            Code::Text(_) => Err(self.no_value(term.span, "text")),
            Code::Attribute(base, name) => self.attribute(base, name, term.span),
            Code::Call(function, arguments) => self.call(function, arguments, term.span),
            Code::Subscript(base, indices) => self.subscript(base, indices, term.span),
            Code::Minus(a) => {
                let a = self.expression(a)?;
                known(Node::Minus(Box::new(a)))
            }
            Code::Transpose(a) => {
                self.mark_matrix(a);
                let a = self.expression(a)?;
                known(Node::Adjoint(Box::new(a)))
            }
            Code::Binary(operator, a, b) => self.operation(*operator, a, b, term.span),
            Code::Tuple(parts) => {
                let mut objects = Vec::new();
                for part in parts {
                    // `return (x, z), None`: nothing beside what is handed on.
                    let nothing = matches!(&part.node, Code::Name(n) if matches!(n.as_str(), "None" | "nothing"));
                    let object = match self.object(part) {
                        Err(problem) if nothing => self.add(Value::Unreadable(problem)),
                        found => found?,
                    };
                    objects.push(object);
                }
                Ok(Value::Tuple(objects))
            }
            Code::Function(parameters, body) => Ok(Value::Function((parameters.clone(), (**body).clone()).into())),
            Code::Slice => Err(self.no_value(term.span, "a range")),
            Code::Choice(parts) => self.choice(parts, term.span),
            Code::Each(_) => Err(self.no_value(term.span, "a list that is computed")),
            Code::Other(what) => Err(self.no_value(term.span, what)),
        }
    }

    /// `a if test else b`.
    fn choice(&mut self, (test, first, other): &(Test, Term, Term), span: Span) -> Read<Value> {
        let Some(answer) = self.facts.answer(test, self.source.position(span.start).line) else {
            let message = "this value depends on a test: what is iterated differs from case to case";
            return Err(refuse(Mistake::Branch, span, message, "give the value that is used, without the test"));
        };
        for g in answer.guesses {
            self.guess(&g.name, g.taken_as, g.declaration);
        }
        self.evaluate(if answer.holds { first } else { other })
    }

    /// The object of an expression: the one that a name stands for, or a new one.
    pub fn object(&mut self, term: &Term) -> Read<usize> {
        if let Some(name) = self.alias(term)
            && let Some(object) = self.lookup(&name, term.span)
        {
            if self.language == Language::Matlab {
                let value = self.value(object);
                return Ok(self.add(value));
            }
            return Ok(object);
        }
        let value = self.evaluate(term)?;
        Ok(self.add(value))
    }

    /// The name whose object an expression is: `x`, `x[:]`, `x.data`, `np.asarray(x)`.
    fn alias(&mut self, term: &Term) -> Option<String> {
        match &term.node {
            Code::Name(name) if Some(name) != self.letter.as_ref() => Some(name.clone()),
            Code::Attribute(base, name) if matches!(name.as_str(), "data" | "real") => self.alias(base),
            Code::Attribute(..) => match self.key(term)? {
                Key::Variable(name) => Some(name),
                _ => None,
            },
            Code::Subscript(base, indices)
                if self.language == Language::Python && indices.iter().all(|i| matches!(i.node, Code::Slice)) =>
            {
                self.alias(base)
            }
            Code::Subscript(..) => match self.key(term)? {
                Key::Variable(name) => Some(name),
                _ => None,
            },
            Code::Call(function, arguments) => match (&function.node, &arguments[..]) {
                (Code::Attribute(base, name), []) if name == "detach" => self.alias(base),
                (Code::Attribute(_, name), [one]) if name == "asarray" => self.alias(&one.value),
                _ => None,
            },
            _ => None,
        }
    }

    /// A name that is read.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Read<Value> {
        let known = |node| Ok(Value::Known(Expression::new(span, node)));
        if Some(name) == self.letter.as_deref() && self.scopes.iter().skip(1).all(|s| !s.contains_key(name)) {
            let letter = Expression::new(span, Node::Name(name.to_string()));
            let raised = Expression::new(span, Node::Number(Rational::from(self.clock)));
            return Ok(Value::Known(if self.clock == 0 { letter } else { binary(Operation::Add, letter, raised) }));
        }
        if let Some(object) = self.lookup(name, span) {
            return match self.value(object) {
                // What has no place of its own is refused where it is read.
                Value::Unreadable(problem) if problem.span == Span::default() => {
                    Err(Box::new(Diagnostic { span, ..*problem }))
                }
                Value::Unreadable(problem) => Err(problem),
                value => Ok(value),
            };
        }
        if matches!(self.constants.get(name), Some(Ok(Expression { node: Node::Identity, .. }))) {
            return known(Node::Identity);
        }
        if let Some(found) = self.given_gradient(name, span) {
            return Ok(Value::Known(found));
        }
        match name {
            "I" if !self.constants.contains_key(name) => known(Node::Identity),
            "True" | "False" | "None" | "true" | "false" | "nothing" | "missing" | "end" | "Inf" | "NaN" | "inf"
            | "nan" => Err(self.no_value(span, &format!("`{name}`"))),
            _ => known(Node::Name(name.to_string())),
        }
    }

    /// What a term is when it is assigned, or read as a place.
    pub fn key(&mut self, term: &Term) -> Option<Key> {
        match &term.node {
            Code::Name(name) => Some(Key::Variable(name.clone())),
            Code::Attribute(base, name) if name == "data" => match self.key(base)? {
                Key::Variable(name) | Key::Whole(name) => Some(Key::Whole(name)),
                entry => Some(entry),
            },
            Code::Attribute(base, name) => {
                let owner = path(base)?.last()?.clone();
                let own = OWNERS.contains(&owner.as_str()) || MODULES.contains(&owner.as_str());
                Some(Key::Variable(if own { name.clone() } else { format!("{owner}_{name}") }))
            }
            Code::Subscript(base, indices) => self.place(base, indices),
            Code::Call(base, arguments) if self.language == Language::Matlab => {
                let indices: Vec<Term> = arguments.iter().map(|a| a.value.clone()).collect();
                self.place(base, &indices)
            }
            _ => None,
        }
    }

    fn place(&mut self, base: &Term, indices: &[Term]) -> Option<Key> {
        if let [Term { node: Code::Text(text), .. }] = indices {
            let is_name = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
            return is_name.then(|| Key::Variable(text.clone()));
        }
        let Key::Variable(name) = self.key(base)? else { return None };
        // `self.buffers[self.number_of(p)]` is what is kept for `p`.
        if let [Term { node: Code::Call(_, arguments), .. }] = indices
            && let [Argument { value: Term { node: Code::Name(p), .. }, .. }] = &arguments[..]
            && is_parameter(p)
        {
            return Some(Key::Variable(name));
        }
        let mut entry = None;
        for index in indices.iter().filter(|i| !matches!(i.node, Code::Slice)) {
            if entry.is_some() {
                return None;
            }
            entry = Some(self.counted_back(&name, index).or_else(|| self.offset(index))?);
        }
        Some(entry.map_or(Key::Whole(name.clone()), |offset| Key::Entry(name, offset)))
    }

    /// `x[-1]`, `x[end]`: entries counted from the last one, which is this iteration's.
    fn counted_back(&self, name: &str, term: &Term) -> Option<i64> {
        let number = |t: &Term| match &t.node {
            Code::Number(n) if n.is_int() => i64::try_from(n.numerator().clone()).ok().filter(|n| (0..50).contains(n)),
            _ => None,
        };
        let is_end = |t: &Term| matches!(&t.node, Code::Name(n) if n == "end");
        let back = match &term.node {
            Code::Minus(n) if self.language == Language::Python => number(n)? - 1,
            _ if is_end(term) => 0,
            Code::Binary(Operator::Subtract, a, b) if is_end(a) => number(b)?,
            Code::Binary(Operator::Add, a, b) if is_end(a) => -number(b)?,
            _ => return None,
        };
        Some(self.appended.get(name).copied().unwrap_or(0) - back)
    }

    /// How far an index is from the one that counts.
    fn offset(&mut self, term: &Term) -> Option<i64> {
        let e = self.expression(term).ok()?;
        let letter = self.letter.clone()?;
        fn linear(e: &Expression, letter: &str) -> Option<(i64, Rational)> {
            match &e.node {
                Node::Number(n) => Some((0, n.clone())),
                Node::Name(n) if n == letter => Some((1, Rational::ZERO)),
                Node::Minus(a) => linear(a, letter).map(|(k, c)| (-k, -c)),
                Node::Binary(Operation::Add, a, b) => {
                    let ((k, c), (l, d)) = (linear(a, letter)?, linear(b, letter)?);
                    Some((k + l, c + d))
                }
                Node::Binary(Operation::Subtract, a, b) => {
                    let ((k, c), (l, d)) = (linear(a, letter)?, linear(b, letter)?);
                    Some((k - l, c - d))
                }
                _ => None,
            }
        }
        let (slope, offset) = linear(&e, &letter)?;
        let bound = crate::syntax::expression::MAX_DELAY;
        let offset = offset.is_int().then(|| i64::try_from(offset.numerator().clone()).ok())??;
        (slope == 1 && offset.abs() <= bound).then_some(offset)
    }

    pub(super) fn subscript(&mut self, base: &Term, indices: &[Term], span: Span) -> Read<Value> {
        // `prox(g, x, t)[1]`: the point, of the point and the value there.
        if let (Code::Call(..), [Term { node: Code::Number(n), .. }]) = (&base.node, indices)
            && *n == Rational::from(i64::from(self.language != Language::Python))
            && let Value::Known(e) = self.evaluate(base)?
            && matches!(e.node, Node::Call(_))
        {
            return Ok(Value::Known(e));
        }
        match self.place(base, indices) {
            Some(Key::Variable(name)) => self.variable(&name, span),
            Some(Key::Whole(name)) => self.variable(&name, span),
            Some(Key::Entry(name, offset)) => {
                let cell = format!("{name}[{offset}]");
                match self.scopes[0].get(&cell).copied() {
                    Some(object) => match self.value(object) {
                        Value::Unreadable(problem) => Err(problem),
                        value => Ok(value),
                    },
                    None => {
                        let node = Node::Name(format!("{ENTRY}{offset}]{name}"));
                        Ok(Value::Known(Expression::new(span, node)))
                    }
                }
            }
            None => {
                // `state[p]`, where `p` is what a loop runs over, is the state.
                if let ([Term { node: Code::Name(_), .. }], Some(owner)) = (indices, path(base))
                    && owner.last().is_some_and(|o| OWNERS.contains(&o.as_str()))
                {
                    return self.evaluate(base);
                }
                Err(self.no_part(span, indices))
            }
        }
    }

    /// `g[i]`: an entry that is no iterate of its own.
    pub(super) fn no_part(&self, span: Span, indices: &[Term]) -> Box<Diagnostic> {
        let shown = clipped(self.source.slice(span));
        let drawn = indices.iter().find_map(|i| match &i.node {
            Code::Name(name) if self.assigned.contains(name) => Some(name),
            _ => None,
        });
        let Some(index) = drawn else {
            let message = format!("`{shown}` is a part of a vector, and parts are not told apart");
            return refuse(Mistake::BadIndex, span, message, "write the update for whole vectors");
        };
        let message = format!(
            "`{shown}` is an entry of a table, and which one it is depends on `{index}`: such a state is outside of the class"
        );
        let help = "write the update for whole vectors; what keeps one vector per sample (SAG, SAGA) is not read, but with a \
                    reference point in its place (SVRG) the inner loop is: `x = x - t*(grad_f(x, i) - grad_f(w, i) + mu)`";
        refuse(Mistake::BadIndex, span, message, help)
    }

    fn attribute(&mut self, base: &Term, name: &str, span: Span) -> Read<Value> {
        match name {
            "T" | "H" | "mT" => {
                self.mark_matrix(base);
                let inner = self.expression(base)?;
                Ok(Value::Known(Expression::new(span, Node::Adjoint(Box::new(inner)))))
            }
            "data" | "real" => self.evaluate(base),
            "grad" if !holds_gradient(base) => self.stored_gradient(base, span),
            "size" | "shape" | "ndim" | "dtype" | "device" => Err(self.no_value(span, "a size")),
            _ => match self.key(&Term { span, node: Code::Attribute(Box::new(base.clone()), name.to_string()) }) {
                Some(Key::Variable(name)) => self.variable(&name, span),
                _ => Err(self.no_value(span, "this")),
            },
        }
    }

    /// `p.grad`: the gradient where `p` was when gradients were last computed.
    fn stored_gradient(&mut self, base: &Term, span: Span) -> Read<Value> {
        let Some(Key::Variable(name) | Key::Whole(name)) = self.key(base) else {
            return Err(self.no_value(span, "this"));
        };
        let mut argument = match self.snapshot.get(&name) {
            Some(e) => e.clone(),
            None => {
                let value = self.variable(&name, span)?;
                let Value::Known(e) = value else { return Err(self.no_value(span, "this")) };
                e
            }
        };
        argument.span = base.span;
        let shown = self.source.slice(span).to_string();
        self.guess(&shown, "the gradient of f".to_string(), format!("write `grad_h({name})` for a function h"));
        let (kind, function) = (OracleKind::Gradient, "f".to_string());
        let call = Call { name_span: span, kind, function, conjugate: false, step: None, argument, sample: None };
        Ok(Value::Known(Expression::new(span, Node::Call(Box::new(call)))))
    }

    /// `grads`, which nothing computes: the gradient where the parameter is when the iteration begins.
    fn given_gradient(&mut self, name: &str, span: Span) -> Option<Expression> {
        if !is_given_gradient(name) || self.constants.contains_key(name) || self.functions.contains_key(name) {
            return None;
        }
        let mut points = self.assigned.iter().filter(|n| is_parameter(n));
        let point = points.next().filter(|_| points.next().is_none())?.clone();
        self.lookup(&point, span)?;
        let argument = Expression::new(span, Node::Name(format!("{START}{point}")));
        let taken_as = format!("the gradient of f at `{point}`, which the iteration is given");
        self.guess(name, taken_as, format!("write `grad_h({point})` for a function h"));
        let (kind, function) = (OracleKind::Gradient, "f".to_string());
        let call = Call { name_span: span, kind, function, conjugate: false, step: None, argument, sample: None };
        Some(Expression::new(span, Node::Call(Box::new(call))))
    }

    /// Remembers that a name multiplies as a matrix does.
    pub(super) fn mark_matrix(&mut self, term: &Term) {
        let inner = match &term.node {
            Code::Transpose(a) => a,
            Code::Attribute(a, name) if matches!(name.as_str(), "T" | "H" | "mT") => a,
            _ => term,
        };
        if let Some(Key::Variable(name)) = self.key(inner)
            && !self.assigned.contains(&name)
            && self.scopes.iter().all(|s| !s.contains_key(&name))
        {
            self.matrices.entry(name).or_insert(inner.span);
        }
    }

    fn operation(&mut self, operator: Operator, left: &Term, right: &Term, span: Span) -> Read<Value> {
        let known = |node| Ok(Value::Known(Expression::new(span, node)));
        if matches!(operator, Operator::Multiply | Operator::Apply)
            && let Some(found) = self.soft_threshold(left, right, span)
        {
            return found;
        }
        if operator == Operator::Apply && self.language == Language::Python || operator == Operator::Solve {
            self.mark_matrix(left);
        }
        let a = self.expression(left)?;
        let b = self.expression(right)?;
        let operation = match operator {
            Operator::Add => Operation::Add,
            Operator::Subtract => Operation::Subtract,
            Operator::Divide => Operation::Divide,
            Operator::Multiply => {
                if let (Node::Name(name), Language::Python) = (&a.node, self.language) {
                    self.outcome.stars.push((name.clone(), span));
                }
                Operation::Multiply
            }
            Operator::Apply => {
                if let Some(inner) = self.inner(&a, &b) {
                    return known(inner);
                }
                Operation::Multiply
            }
            Operator::Solve => {
                let inverse = Expression::new(a.span, Node::Elementary(Elementary::Inverse, Box::new(a)));
                return Ok(Value::Known(binary(Operation::Multiply, inverse, b)));
            }
            Operator::Power => {
                let half = Rational::from(1) / Rational::from(2);
                return match &b.node {
                    Node::Number(n) if *n == half => known(Node::Elementary(Elementary::Sqrt, Box::new(a))),
                    _ => known(Node::Power(Box::new(a), Box::new(b))),
                };
            }
        };
        Ok(Value::Known(Expression { span, ..binary(operation, a, b) }))
    }

    /// `x'*y`, `x @ y` of iterates is a number.
    fn inner(&self, a: &Expression, b: &Expression) -> Option<Node> {
        let vector = |e: &Expression| match &e.node {
            Node::Name(n) => {
                n.starts_with([super::machine::START, super::machine::DEFINED, ENTRY]) && !self.is_number(e)
            }
            _ => false,
        };
        let b = Box::new(b.clone());
        match &a.node {
            Node::Adjoint(x) if vector(x) => Some(Node::Inner(x.clone(), b)),
            _ if self.language == Language::Python && vector(a) => Some(Node::Inner(Box::new(a.clone()), b)),
            _ => None,
        }
    }

    /// `sign(v)*max(abs(v) - t, 0)` is the prox of the sum of absolute values.
    fn soft_threshold(&mut self, a: &Term, b: &Term, span: Span) -> Option<Read<Value>> {
        let (sign, most) = match (called(a)?, called(b)?) {
            (("sign" | "sgn", s), ("max" | "maximum" | "fmax" | "relu", m)) => (s, m),
            (("max" | "maximum" | "fmax" | "relu", m), ("sign" | "sgn", s)) => (s, m),
            _ => return None,
        };
        let [point] = sign else { return None };
        let is_zero = |t: &Term| matches!(&t.node, Code::Number(n) if n.is_zero());
        let rest: Vec<&Argument> = most.iter().filter(|m| !is_zero(&m.value)).collect();
        let [Argument { value: Term { node: Code::Binary(Operator::Subtract, size, step), .. }, .. }] = rest[..] else {
            return None;
        };
        let (Some((name, [inside])), true) = (called(size), rest.len() <= most.len()) else { return None };
        let same = self.source.slice(inside.value.span) == self.source.slice(point.value.span);
        if !matches!(name, "abs" | "absolute" | "fabs") || !same {
            return None;
        }
        let (point, step) = (point.value.clone(), (**step).clone());
        Some(self.prox_of_l1(&point, &step, span))
    }

    fn prox_of_l1(&mut self, point: &Term, step: &Term, span: Span) -> Read<Value> {
        let (argument, step) = (self.expression(point)?, Some(self.expression(step)?));
        let shown = clipped(self.source.slice(span));
        self.guess(
            &shown,
            format!("the prox of {NORM_1}, the sum of absolute values"),
            "write `prox_h(v, t)` for a function h".into(),
        );
        let (kind, function) = (OracleKind::Prox, NORM_1.to_string());
        let call = Call { name_span: span, kind, function, conjugate: false, step, argument, sample: None };
        Ok(Value::Known(Expression::new(span, Node::Call(Box::new(call)))))
    }
}

/// The last name of what is called, and its arguments.
pub fn called(term: &Term) -> Option<(&str, &[Argument])> {
    let Code::Call(function, arguments) = &term.node else { return None };
    match &function.node {
        Code::Name(name) => Some((name, arguments)),
        Code::Attribute(_, name) => Some((name, arguments)),
        _ => None,
    }
}

/// `a.b.c` as its parts.
pub fn path(term: &Term) -> Option<Vec<String>> {
    match &term.node {
        Code::Name(name) => Some(vec![name.clone()]),
        Code::Attribute(base, name) => {
            let mut found = path(base)?;
            found.push(name.clone());
            Some(found)
        }
        // `f[0]` and `f[1]` are two names.
        Code::Subscript(base, indices) => {
            let mut found = path(base)?;
            if let ([Term { node: Code::Number(n), .. }], Some(last)) = (&indices[..], found.last_mut())
                && n.is_int()
            {
                *last = format!("{last}_{n}");
            }
            Some(found)
        }
        _ => None,
    }
}

/// Whether a name is that of a module.
pub fn is_module(name: &str) -> bool {
    MODULES.contains(&name)
}

/// Whether `state.grad` is an entry of what holds the state, rather than the gradient that belongs to a parameter.
pub fn holds_gradient(base: &Term) -> bool {
    const HOLDERS: &[&str] = &["self", "state", "iter", "it", "iteration", "cache", "st", "solver", "ctx"];
    path(base).and_then(|p| p.last().cloned()).is_some_and(|owner| HOLDERS.contains(&owner.as_str()))
}

/// Whether a name is that of an object that merely holds others.
pub fn is_owner(name: &str) -> bool {
    OWNERS.contains(&name)
}
