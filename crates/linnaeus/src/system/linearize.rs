//! Expressions → linear forms with operator coefficients, and the spaces they live in.

mod coefficients;
mod map;
mod minimize;

pub use coefficients::Coefficients;

use super::change::change;
use super::declared;
use super::indexing::{self, Indexed};
use super::matching;
use super::roles::{self, Kind, Roles};
use super::schedule::{Schedules, varies};
use super::{
    Atom, Call, Change, Constant, Equation, LinearForm, LinearSystem, Mention, Operator, Oracle, Signal, Space, Spaces,
    parameter,
};
use crate::diagnostic::{Code, Diagnostic, has_error};
use crate::operator::{Letter, OperatorPolynomial};
use crate::source::Span;
use crate::syntax::ast::{
    self, Algorithm, DeclarationNode, Elementary, Expression, Node, Operation, OracleKind, OracleName, Sample,
};
use crate::syntax::{needs_argument, print};
use linnaeus_algebra::{Coefficient, Exhausted, Integer, Rational, RationalFunction, spend};
use std::collections::{BTreeMap, BTreeSet};

/// Powers larger than this are not computed.
pub const MAX_EXPONENT: i64 = 64;
/// More iterates than this are not read.
pub const MAX_SIGNALS: usize = 100;
/// Powers of numbers with more digits than this are not computed.
pub const MAX_DIGITS: usize = 20_000;
/// Values deeper than this, definitions included, are not computed.
pub const MAX_DEPTH: usize = 200;
/// More oracle calls than this are not read.
pub const MAX_CALLS: usize = 100;

/// Finds out what every name is and writes every line as a linear equation.
pub fn resolve(
    algorithm: &Algorithm,
    coefficients: Coefficients,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<LinearSystem> {
    let mut indexed = indexing::index(algorithm, diagnostics)?;
    declared::check(algorithm, &indexed, diagnostics);
    if has_error(diagnostics) {
        return None;
    }
    let changes = change(&mut indexed);
    let roles = roles::infer(algorithm, &indexed);
    let lines = coefficients::take_lines(&mut indexed, &roles, diagnostics);
    let mut linearizer = Linearizer::new(algorithm, &indexed, &roles, coefficients, lines);
    linearizer.declare(algorithm);
    linearizer.register(diagnostics);
    let mut equations: Vec<Option<Equation>> = vec![None; indexed.equations.len()];
    let with_operator = |i: &usize| linearizer_mentions_operator(&indexed, &roles, *i);
    let (first, then): (Vec<usize>, Vec<usize>) = (0..equations.len()).partition(with_operator);
    for (pass, lines) in [first, then].into_iter().enumerate() {
        if pass == 1 {
            linearizer.separate_customary_maps();
        }
        for i in lines {
            match linearizer.equation(i, &indexed.equations[i]) {
                Ok(equation) => equations[i] = Some(equation),
                Err(problem) => diagnostics.push(problem),
            }
        }
    }
    linearizer.close_lines(diagnostics);
    note_guesses(&roles, diagnostics);
    note_boxes(&linearizer, diagnostics);
    linearizer.note_squares(&roles, diagnostics);
    diagnostics.append(&mut linearizer.remarks);
    if has_error(diagnostics) {
        return None;
    }
    let equations = equations.into_iter().flatten().chain(std::mem::take(&mut linearizer.auxiliary)).collect();
    let system = linearizer.finish(&indexed, equations, changes);
    matching::check_counts(&system, diagnostics);
    let inputs = system.calls.len() + system.constants.len();
    if system.calls.is_empty() && !has_error(diagnostics) {
        let span = algorithm.statements.first().map_or(Span::default(), |s| s.span);
        let message = "no oracle is called";
        let help = "call an oracle such as `grad f(x[k])`, or declare a black box with `oracle F`";
        diagnostics.push(if inputs == 0 {
            Diagnostic::error(Code::NoOracle, span, message).help(help)
        } else {
            Diagnostic::warning(Code::NoOracle, span, message).help(help)
        });
    }
    (!has_error(diagnostics)).then_some(system)
}

fn note_guesses(roles: &Roles, diagnostics: &mut Vec<Diagnostic>) {
    for (name, _, span) in &roles.guessed {
        diagnostics.push(
            Diagnostic::note(*span, format!("`{name}` was read as a linear operator"))
                .help(format!("declare `param {name}` if it is a number")),
        );
    }
}

/// A capital that is customarily an operator, but stands only before parentheses.
fn note_boxes(linearizer: &Linearizer, diagnostics: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for call in linearizer.calls.iter().filter(|c| c.oracle.kind == OracleKind::BlackBox) {
        let name = &call.oracle.function;
        let customary = matches!(name.as_str(), "A" | "K" | "L" | "M" | "Q" | "W");
        if customary && !linearizer.declared_boxes.contains(name) && told.insert(name) {
            diagnostics.push(
                Diagnostic::note(call.span, format!("`{name}(…)` was read as a call of a black box"))
                    .help(format!("declare `operator {name}: X -> X` if it is linear, `oracle {name}` if not")),
            );
        }
    }
}

fn linearizer_mentions_operator(indexed: &Indexed, roles: &Roles, i: usize) -> bool {
    let mut found = false;
    let mut look = |e: &Expression| match &e.node {
        Node::Name(n) | Node::Apply(n, ..) => found |= roles.kind(n) == Some(Kind::Operator),
        _ => {}
    };
    indexed.equations[i].target.walk(&mut look);
    indexed.equations[i].value.walk(&mut look);
    found
}

/// What to do with a function that is not linear.
const AS_ORACLE: &str = "declare `oracle F` and write `F(x[k])` to treat this as a black box";

/// What an expression amounts to.
#[derive(Clone)]
enum Value {
    Scalar(RationalFunction),
    Operator(OperatorPolynomial, Space, Space),
    Vector(LinearForm, Space),
}

type Evaluated<T> = Result<T, Diagnostic>;

struct Linearizer<'a> {
    indexed: &'a Indexed,
    roles: &'a Roles,
    spaces: Spaces,
    signals: Vec<Signal>,
    mentions: Vec<Mention>,
    constants: Vec<Constant>,
    operators: Vec<Operator>,
    declared_operators: BTreeSet<String>,
    declared_boxes: BTreeSet<String>,
    parameters: Vec<String>,
    parameter_functions: Vec<(linnaeus_algebra::Variable, &'static str, RationalFunction)>,
    calls: Vec<Call>,
    auxiliary: Vec<Equation>,
    functions: BTreeMap<String, Space>,
    boxes: BTreeMap<String, (Space, Space)>,
    traits: BTreeMap<String, Vec<ast::FunctionTrait>>,
    function_names: BTreeSet<String>,
    remarks: Vec<Diagnostic>,
    equation: usize,
    depth: usize,
    coefficients: Coefficients,
    schedules: Schedules,
    /// Lines for numbers by name.
    lines: BTreeMap<String, coefficients::Line>,
    told_varying: BTreeSet<String>,
    declared_parameters: BTreeSet<String>,
    /// Definitions that hold an oracle, as in `T = 2*prox_f - I`.
    maps: BTreeSet<String>,
    /// The space of the variable that is being minimized over.
    variable: Option<Space>,
    /// The linear map in the square that `argmin_{rho f}` completes, by function.
    squares: BTreeMap<String, OperatorPolynomial>,
}

impl<'a> Linearizer<'a> {
    fn new(
        algorithm: &Algorithm,
        indexed: &'a Indexed,
        roles: &'a Roles,
        coefficients: Coefficients,
        lines: BTreeMap<String, coefficients::Line>,
    ) -> Self {
        let mut declared_boxes = BTreeSet::new();
        let mut declared_parameters = BTreeSet::new();
        for declaration in &algorithm.declarations {
            let (names, set) = match &declaration.node {
                DeclarationNode::Oracle(names, _) => (names, &mut declared_boxes),
                DeclarationNode::Parameter(names) => (names, &mut declared_parameters),
                _ => continue,
            };
            set.extend(names.iter().map(|n| n.name.clone()));
        }
        Linearizer {
            coefficients,
            schedules: Schedules::default(),
            lines,
            told_varying: BTreeSet::new(),
            declared_parameters,
            indexed,
            roles,
            declared_boxes,
            spaces: Spaces::default(),
            signals: Vec::new(),
            mentions: Vec::new(),
            constants: Vec::new(),
            operators: Vec::new(),
            declared_operators: BTreeSet::new(),
            parameters: Vec::new(),
            parameter_functions: Vec::new(),
            calls: Vec::new(),
            auxiliary: Vec::new(),
            functions: BTreeMap::new(),
            boxes: BTreeMap::new(),
            traits: BTreeMap::new(),
            function_names: roles::function_names(algorithm),
            remarks: Vec::new(),
            equation: 0,
            depth: 0,
            maps: map::definitions(indexed),
            variable: None,
            squares: BTreeMap::new(),
        }
    }

    /// Takes over what declarations say of spaces and operators.
    fn declare(&mut self, algorithm: &Algorithm) {
        let mut class = 0;
        for declaration in &algorithm.declarations {
            match &declaration.node {
                DeclarationNode::Operator(names, spaces, traits) => {
                    class += u16::from(traits.commuting);
                    for declared in names {
                        let (domain, codomain) = match spaces {
                            Some((from, to)) => (self.spaces.named(from), self.spaces.named(to)),
                            None => (self.spaces.fresh(), self.spaces.fresh()),
                        };
                        if traits.symmetric || traits.commuting {
                            self.spaces.unify(domain, codomain);
                        }
                        if spaces.is_some() {
                            self.declared_operators.insert(declared.name.clone());
                        }
                        let class = if traits.commuting { class } else { 0 };
                        let operator = Operator {
                            name: declared.name.clone(),
                            domain,
                            codomain,
                            symmetric: traits.symmetric,
                            class,
                            plain_used: false,
                            adjoint_used: false,
                        };
                        self.operators.retain(|o| o.name != declared.name);
                        self.operators.push(operator);
                    }
                }
                DeclarationNode::Oracle(names, Some((from, to))) => {
                    let pair = (self.spaces.named(from), self.spaces.named(to));
                    self.boxes.extend(names.iter().map(|n| (n.name.clone(), pair)));
                }
                DeclarationNode::Constant(names, Some(space)) => {
                    let space = self.spaces.named(space);
                    self.constants.extend(names.iter().map(|n| Constant { name: n.name.clone(), space }));
                }
                DeclarationNode::Iterate(names, Some(space)) => {
                    let space = self.spaces.named(space);
                    self.signals.extend(names.iter().map(|n| Signal { name: n.name.clone(), space, span: n.span }));
                }
                DeclarationNode::Function(names, space, traits) => {
                    for n in names {
                        if let Some(space) = space {
                            let space = self.spaces.named(space);
                            self.functions.insert(n.name.clone(), space);
                        }
                        self.traits.insert(n.name.clone(), traits.clone());
                    }
                }
                _ => {}
            }
        }
    }

    /// Numbers the iterates in the order of their lines.
    fn register(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut order: Vec<&Expression> = Vec::new();
        for equation in &self.indexed.equations {
            equation.target.walk(&mut |e| order.push(e));
        }
        for equation in &self.indexed.equations {
            equation.value.walk(&mut |e| order.push(e));
        }
        let mut mentioned = BTreeSet::new();
        for e in order {
            let (Node::Name(name) | Node::Indexed(name, _)) = &e.node else {
                continue;
            };
            mentioned.insert(name.clone());
            if let (Node::Indexed(..), Some(Kind::Vector)) = (&e.node, self.roles.kind(name)) {
                self.signal(name, e.span);
            }
        }
        self.signals.retain(|s| mentioned.contains(&s.name));
        if self.signals.len() > MAX_SIGNALS {
            let span = self.signals[MAX_SIGNALS].span;
            let message = format!("there are {} iterates; at most {MAX_SIGNALS} are read", self.signals.len());
            let help = format!("give one algorithm at a time, with at most {MAX_SIGNALS} iterates");
            diagnostics.push(Diagnostic::error(Code::LimitLines, span, message).help(help));
        }
    }

    fn signal(&mut self, name: &str, span: Span) -> usize {
        if let Some(i) = self.signals.iter().position(|s| s.name == name) {
            return i;
        }
        let space = self.spaces.fresh();
        self.signals.push(Signal { name: name.to_string(), space, span });
        self.signals.len() - 1
    }

    fn constant(&mut self, name: &str) -> usize {
        if let Some(i) = self.constants.iter().position(|c| c.name == name) {
            return i;
        }
        let space = self.spaces.fresh();
        self.constants.push(Constant { name: name.to_string(), space });
        self.constants.len() - 1
    }

    fn operator(&mut self, name: &str) -> usize {
        if let Some(i) = self.operators.iter().position(|o| o.name == name) {
            return i;
        }
        let (domain, codomain) = (self.spaces.fresh(), self.spaces.fresh());
        let operator = Operator {
            name: name.to_string(),
            domain,
            codomain,
            symmetric: false,
            class: 0,
            plain_used: false,
            adjoint_used: false,
        };
        self.operators.push(operator);
        self.operators.len() - 1
    }

    fn parameter(&mut self, name: &str) -> RationalFunction {
        let n = self.parameters.iter().position(|p| p == name).unwrap_or_else(|| {
            self.parameters.push(name.to_string());
            self.parameters.len() - 1
        });
        RationalFunction::variable(parameter(n))
    }

    /// A function of parameters, which is one of its own.
    fn function_parameter(&mut self, name: &'static str, argument: &RationalFunction) -> RationalFunction {
        let text = format!("{name}({})", self.scalar_text(argument));
        let symbol = self.parameter(&text);
        let own = symbol.variables().first().copied();
        if let Some(own) = own.filter(|v| self.parameter_functions.iter().all(|(w, ..)| w != v)) {
            self.parameter_functions.push((own, name, argument.clone()));
        }
        symbol
    }

    /// Says of `A` and `K` that they map a space into itself, where nothing but use says so.
    fn note_squares(&self, roles: &Roles, diagnostics: &mut Vec<Diagnostic>) {
        for (name, _, span) in &roles.guessed {
            let Some(o) = self.operators.iter().find(|o| o.name == *name) else { continue };
            let customary = matches!(name.as_str(), "A" | "K") && !self.declared_operators.contains(name);
            if customary && !o.adjoint_used && self.spaces.same(o.domain, o.codomain) {
                diagnostics.push(
                    Diagnostic::note(
                        *span,
                        format!("`{name}` maps a space into itself here, and `{name}*` is a product"),
                    )
                    .help(format!("write `{name}'` for the adjoint")),
                );
            }
        }
    }

    /// `A` and `K` without declaration customarily map between two spaces: other lines may not
    /// glue the two together unawares.
    fn separate_customary_maps(&mut self) {
        for operator in &self.operators {
            let customary =
                matches!(operator.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'), "A" | "K");
            if customary && !self.declared_operators.contains(&operator.name) && !operator.symmetric {
                self.spaces.separate(operator.domain, operator.codomain);
            }
        }
    }

    fn equation(&mut self, i: usize, equation: &indexing::Equation) -> Evaluated<Equation> {
        self.equation = i;
        let target = self.evaluate(&equation.target)?;
        let (left, a) = self.vector(target, equation.target.span)?;
        self.expect(&equation.value, a);
        let value = self.evaluate(&equation.value)?;
        let (right, b) = self.vector(value, equation.value.span)?;
        if !self.spaces.unify(a, b) {
            let (x, y) = (self.called(a), self.called(b));
            let found = Diagnostic::error(
                Code::IllTyped,
                equation.value.span,
                format!("the left side lives in {x}, the right side in {y}"),
            )
            .mark(format!("in {y}"))
            .label(equation.target.span, format!("in {x}"));
            return Err(self.advise_spaces(found, b, a));
        }
        let form = combine(left, right, true).map_err(|e| limit(e, equation.span))?;
        let target = match &equation.target.node {
            Node::Indexed(name, index) => Some((self.signal(name, equation.target.span), (index.halves / 2) as i32)),
            _ => None,
        };
        Ok(Equation { form, target, span: equation.span, target_span: equation.target.span, line: i })
    }

    /// The answer of an oracle will live where it is wanted, so that a query from elsewhere is to blame.
    fn expect(&mut self, e: &Expression, wanted: Space) {
        if let Node::Call(call) = &e.node
            && call.kind != OracleKind::Argmin
        {
            let space = self.function_space(self.stem(&call.function));
            self.spaces.unify(space, wanted);
        }
    }

    /// `f` for `f_k`, whose oracle carries the index itself.
    fn stem<'n>(&self, function: &'n str) -> &'n str {
        let stem = function.strip_suffix(self.indexed.letter.as_str()).and_then(|f| f.strip_suffix('_'));
        stem.unwrap_or(function)
    }

    fn function_space(&mut self, function: &str) -> Space {
        if let Some(space) = self.functions.get(function) {
            return *space;
        }
        let space = self.spaces.fresh();
        self.functions.insert(function.to_string(), space);
        space
    }

    fn vector(&mut self, value: Value, place: Span) -> Evaluated<(LinearForm, Space)> {
        match value {
            Value::Vector(form, space) => Ok((form, space)),
            Value::Scalar(s) if s.is_zero() => Ok((LinearForm::new(), self.spaces.fresh())),
            Value::Scalar(_) => {
                Err(Diagnostic::error(Code::ScalarPlusVector, place, "a vector is wanted here, this is a number")
                    .help("multiply it with an iterate, or declare a `constant` vector"))
            }
            Value::Operator(..) => {
                Err(Diagnostic::error(Code::OperatorAsVector, place, "a vector is wanted here, this is an operator")
                    .help("apply the operator to an iterate, as in `A*x[k]`"))
            }
        }
    }

    fn evaluate(&mut self, e: &Expression) -> Evaluated<Value> {
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} deep, definitions included");
            return Err(Diagnostic::error(Code::LimitNesting, e.span, message).help(format!(
                "write it with fewer parentheses or definitions inside each other, at most {MAX_DEPTH}"
            )));
        }
        self.depth += 1;
        let value = self.evaluate_node(e);
        self.depth -= 1;
        value
    }

    fn evaluate_node(&mut self, e: &Expression) -> Evaluated<Value> {
        match &e.node {
            Node::Number(n) => Ok(Value::Scalar(RationalFunction::rational(n))),
            Node::Identity => {
                let space = self.spaces.fresh();
                Ok(Value::Operator(OperatorPolynomial::one(), space, space))
            }
            Node::Name(name) => self.name(name, e.span),
            Node::Indexed(name, index) => match self.roles.kind(name) {
                Some(Kind::Vector) => {
                    let i = self.signal(name, e.span);
                    let offset = (index.halves / 2) as i32;
                    self.mentions.push(Mention { signal: i, offset, span: e.span });
                    let atom = Atom::Signal(i, offset);
                    Ok(Value::Vector(LinearForm::from([(atom, OperatorPolynomial::one())]), self.signals[i].space))
                }
                Some(Kind::Operator) => Err(Diagnostic::error(
                    Code::TimeVarying,
                    e.span,
                    format!("the operator `{name}` changes with `{}`", self.indexed.letter),
                )
                .help(format!("write `{name}` without an index for a constant operator"))),
                _ => self.coefficient(name, index.halves / 2, e.span).map(Value::Scalar),
            },
            Node::Minus(a) => Ok(match self.evaluate(a)? {
                Value::Scalar(s) => Value::Scalar(s.neg()),
                Value::Operator(p, d, c) => Value::Operator(p.neg(), d, c),
                Value::Vector(f, s) => Value::Vector(f.into_iter().map(|(a, c)| (a, c.neg())).collect(), s),
            }),
            Node::Binary(Operation::Multiply, ..) => self.product(e),
            Node::Binary(Operation::Divide, a, b) => self.quotient(a, b, e.span),
            Node::Binary(..) => self.sum(e),
            Node::Power(a, b) => self.power(a, b, e.span),
            Node::Adjoint(a) => self.adjoint(a, e.span),
            Node::Elementary(function, a) => self.elementary(*function, a, e.span),
            Node::Call(call) => self.call(call, e.span),
            Node::Oracle(oracle) => Err(needs_argument(&print::named(oracle, "*"), oracle.span)),
            Node::Minimize(found) => self.minimize(found, e.span),
            Node::Variable(name) => self.variable(name, e.span),
            Node::Value(..) | Node::Inner(..) | Node::Norm(..) => Err(minimize::number_elsewhere(e)),
            Node::Apply(name, span, a, sample) => self.apply(name, *span, a, sample.as_ref(), e.span),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Evaluated<Value> {
        if self.function_names.contains(name) {
            return Err(Diagnostic::error(Code::UnknownOracle, span, format!("`{name}` is a function, not a factor"))
                .help(format!(
                    "write `grad {name}(…)` or another of its oracles; declare `param {name}` if it is a number"
                )));
        }
        if self.is_clock(name) {
            return Ok(Value::Scalar(self.clock(span)));
        }
        if let Some(definition) = self.indexed.definitions.get(name) {
            // Definitions of definitions can double with every line.
            spend(10_000).map_err(|e| limit(e, span))?;
            return self.evaluate(definition);
        }
        match self.roles.kind(name) {
            Some(Kind::Operator) => {
                let i = self.operator(name);
                let o = &self.operators[i];
                let letter = Letter { class: o.class, operator: i as u16, adjoint: false, inverse: false };
                Ok(Value::Operator(OperatorPolynomial::letter(letter), o.domain, o.codomain))
            }
            Some(Kind::Vector) => {
                let i = self.constant(name);
                let form = LinearForm::from([(Atom::Constant(i), OperatorPolynomial::one())]);
                Ok(Value::Vector(form, self.constants[i].space))
            }
            _ if self.roles.boxes.contains(name) => {
                let message = format!("`{name}` is an oracle, not a vector: it needs an argument");
                Err(Diagnostic::error(Code::OracleAsVector, span, message)
                    .help(format!("say where it is asked, as in `{name}(x[k])`")))
            }
            _ => Ok(Value::Scalar(self.parameter(name))),
        }
    }

    /// A chain `a + b - c`, however long.
    fn sum(&mut self, e: &Expression) -> Evaluated<Value> {
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

    fn add(&mut self, (left, a): (Value, Span), (right, b): (Value, Span), subtract: bool) -> Evaluated<Value> {
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

    fn scalar_plus_vector(
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

    fn as_operator(&mut self, value: Value) -> (OperatorPolynomial, Space, Space) {
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
    fn product(&mut self, e: &Expression) -> Evaluated<Value> {
        let mut factors = Vec::new();
        flatten(e, &mut factors);
        let last = factors.pop().expect("a product has factors");
        if factors.iter().any(|f| inverted(f).is_some() || self.is_map(f)) {
            let mut value = self.evaluate(last)?;
            let mut right = last.span;
            for factor in factors.into_iter().rev() {
                value = match (inverted(factor), value) {
                    (Some(inner), Value::Vector(form, space)) => {
                        let solved = self.solve_for(inner, form, space, factor.span)?;
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

    fn multiply(&mut self, a: Value, b: Value, left: Span, right: Span) -> Evaluated<Value> {
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
                let (f, g) = (self.described(&f), self.described(&g));
                Err(Diagnostic::error(Code::ProductOfIterates, span, "a product of two vectors is not linear in the iterates")
                    .mark(format!("{f} and {g} are both vectors"))
                    .help("a parameter may multiply an iterate, as in `alpha*x[k]`; declare `param y` if one of them is a number"))
            }
        }
    }

    fn described(&self, form: &LinearForm) -> String {
        match form.keys().next() {
            Some(Atom::Signal(i, _)) if *i < self.signals.len() => format!("`{}`", self.signals[*i].name),
            Some(Atom::Signal(..)) => "the variable".to_string(),
            Some(Atom::Constant(i)) => format!("`{}`", self.constants[*i].name),
            Some(Atom::Call(i)) => format!("the answer of `{}`", self.calls[*i].oracle.function),
            None => "this".to_string(),
        }
    }

    fn quotient(&mut self, a: &Expression, b: &Expression, span: Span) -> Evaluated<Value> {
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

    fn power(&mut self, base: &Expression, exponent: &Expression, span: Span) -> Evaluated<Value> {
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
        if !p.is_int() {
            if let (Value::Scalar(s), true) = (&value, p == Rational::ONE / Rational::from(2)) {
                return self.square_root(s, base.span).map(Value::Scalar);
            }
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

    fn inverse_of(&self, p: &OperatorPolynomial, span: Span) -> Evaluated<OperatorPolynomial> {
        p.inverse().map_err(|e| limit(e, span))?.ok_or_else(|| {
            Diagnostic::error(Code::LimitInverse, span, "the inverse of a sum of operators must stand before a vector")
                .help("write `inv(I + A)*x[k]`, or give the inverse a name of its own and declare it an operator")
        })
    }

    /// `inv(P)*v` for a sum P: an auxiliary iterate w with P w = v.
    fn solve_for(&mut self, inner: &Expression, form: LinearForm, space: Space, span: Span) -> Evaluated<Value> {
        let (p, d, c) = match self.evaluate(inner)? {
            Value::Operator(p, d, c) => (p, d, c),
            other => return self.multiply_inverse(other, form, space, span),
        };
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

    fn multiply_inverse(&mut self, value: Value, form: LinearForm, space: Space, span: Span) -> Evaluated<Value> {
        let inverse = match value {
            Value::Scalar(s) => s.inverse(),
            _ => None,
        };
        match inverse {
            Some(s) => self.multiply(Value::Scalar(s), Value::Vector(form, space), span, span),
            None => Err(Diagnostic::error(Code::NonlinearFunction, span, "only numbers and operators have an inverse")
                .help("write `inv(A)` for an operator A")),
        }
    }

    fn adjoint(&mut self, a: &Expression, span: Span) -> Evaluated<Value> {
        match self.evaluate(a)? {
            Value::Scalar(s) => Ok(Value::Scalar(s)),
            Value::Operator(p, d, c) => Ok(Value::Operator(self.adjoint_of(&p), c, d)),
            Value::Vector(..) => Err(Diagnostic::error(
                Code::NonlinearFunction,
                span,
                "the transpose of a vector makes an inner product",
            )
            .help("only operators have an adjoint here")),
        }
    }

    /// The adjoint of an operator; its letters are marked as used that way.
    fn adjoint_of(&mut self, p: &OperatorPolynomial) -> OperatorPolynomial {
        for (word, _) in p.terms() {
            for letter in word {
                let operator = &mut self.operators[letter.operator as usize];
                operator.adjoint_used |= !operator.symmetric;
            }
        }
        let operators = &self.operators;
        p.adjoint(&|o| operators[o as usize].symmetric)
    }

    fn elementary(&mut self, function: Elementary, a: &Expression, span: Span) -> Evaluated<Value> {
        if function == Elementary::Adjoint {
            return self.adjoint(a, span);
        }
        let value = self.evaluate(a)?;
        match (function, value) {
            (Elementary::Inverse, Value::Scalar(s)) => s.inverse().map(Value::Scalar).ok_or_else(|| {
                Diagnostic::error(Code::DivisionByZero, a.span, "this is zero").help("invert something else")
            }),
            (Elementary::Inverse, Value::Operator(p, d, c)) => Ok(Value::Operator(self.inverse_of(&p, span)?, c, d)),
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
    fn square_root(&mut self, s: &RationalFunction, span: Span) -> Evaluated<RationalFunction> {
        if varies(s) {
            return self.function_of("sqrt", s, span);
        }
        let root = s.as_rational().and_then(|r| {
            let (n, d) = (integer_root(r.numerator())?, integer_root(&Integer::from(r.denominator().clone()))?);
            Some(Rational::from(n) / Rational::from(d))
        });
        Ok(match root {
            Some(r) => RationalFunction::rational(&r),
            None => {
                let text = format!("sqrt({})", self.scalar_text(s));
                self.own_symbol(&text, span);
                self.function_parameter("sqrt", s)
            }
        })
    }

    /// Says once that a value is a parameter of its own: what it has to do with others is not used.
    fn own_symbol(&mut self, text: &str, span: Span) {
        if !self.parameters.iter().any(|p| p == text) {
            let message = format!("`{text}` was read as a parameter of its own: its square is not simplified");
            self.remarks.push(
                Diagnostic::warning(Code::Reading, span, message)
                    .help("name the root, as in `q`, and write `q^2` for its square"),
            );
        }
    }

    fn scalar_text(&self, s: &RationalFunction) -> String {
        let letter = &self.indexed.letter;
        let names = |v| coefficients::symbol_text(&self.parameters, &self.schedules, letter, v);
        crate::report::expression::plain(s, &names)
    }

    fn call(&mut self, call: &ast::Call, span: Span) -> Evaluated<Value> {
        let step = self.step(call.step.as_ref())?;
        let value = self.evaluate(&call.argument)?;
        let (kind, function, conjugate) = (call.kind, call.function.clone(), call.conjugate);
        let name = OracleName { span: call.name_span, kind, function, conjugate, step: None };
        self.call_at(&name, step, call.sample.clone(), (value, call.argument.span), span)
    }

    /// The step of an oracle; 1 where none is written.
    fn step(&mut self, step: Option<&Expression>) -> Evaluated<RationalFunction> {
        match step {
            None => Ok(RationalFunction::one()),
            Some(e) => match self.evaluate(e)? {
                Value::Scalar(s) if s.is_zero() => {
                    Err(Diagnostic::error(Code::BadStep, e.span, "a step of zero").help("the step is positive"))
                }
                Value::Scalar(s) => Ok(s),
                _ => Err(Diagnostic::error(Code::BadStep, e.span, "a step is a number or a parameter")
                    .help("write `prox_{t f}` with a scalar `t`")),
            },
        }
    }

    /// The answer of an oracle at a value that stands somewhere.
    fn call_at(
        &mut self,
        call: &OracleName,
        step: RationalFunction,
        mut sample: Option<Sample>,
        query: (Value, Span),
        span: Span,
    ) -> Evaluated<Value> {
        if call.kind == OracleKind::BlackBox {
            return self.black_box(&call.function, call.span, sample, query, span);
        }
        let function = self.stem(&call.function).to_string();
        if function != call.function {
            // `grad f_k`: the oracle itself carries the index.
            let index = ast::Index { letter: self.indexed.letter.clone(), halves: 0, span: call.span };
            sample = Some(Sample { name: String::new(), index: Some(index), span: call.span });
        }
        let (input, output) = if call.kind == OracleKind::Argmin {
            self.box_spaces(&format!("argmin {function}"))
        } else {
            let space = self.function_space(&function);
            (space, space)
        };
        let oracle = Oracle {
            kind: call.kind,
            function,
            conjugate: call.conjugate,
            step,
            sample: sample.as_ref().map(|s| s.name.clone()),
        };
        self.asked(oracle, sample, query, input, output, span)
    }

    fn box_spaces(&mut self, name: &str) -> (Space, Space) {
        if let Some(pair) = self.boxes.get(name) {
            return *pair;
        }
        let pair = (self.spaces.fresh(), self.spaces.fresh());
        self.boxes.insert(name.to_string(), pair);
        pair
    }

    fn apply(
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

    fn black_box(
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
        };
        self.asked(oracle, sample, query, input, output, span)
    }

    fn asked(
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

    /// What a space is called in a message, while others are still being found.
    fn called(&self, space: Space) -> String {
        let mut order = self.space_order();
        order.push(space);
        self.spaces.names(&order).of(&self.spaces, space)
    }

    fn space_order(&self) -> Vec<Space> {
        let operators = self.operators.iter().flat_map(|o| [o.domain, o.codomain]);
        let signals = self.signals.iter().map(|s| s.space);
        let calls = self.calls.iter().flat_map(|c| [c.input, c.output]);
        operators.chain(signals).chain(calls).chain(self.constants.iter().map(|c| c.space)).collect()
    }

    /// Says what the operators map, and which of them would take a vector from where it is to where
    /// it is wanted.
    fn advise_spaces(&self, diagnostic: Diagnostic, have: Space, want: Space) -> Diagnostic {
        const SHOWN: usize = 6;
        let mut maps = Vec::new();
        for o in self.operators.iter().take(SHOWN) {
            maps.push((o.name.clone(), o.domain, o.codomain));
            if !self.spaces.same(o.domain, o.codomain) {
                maps.push((format!("{}'", o.name), o.codomain, o.domain));
            }
        }
        if maps.is_empty() {
            return diagnostic.help("check the spaces in the declarations");
        }
        let listed: Vec<String> =
            maps.iter().map(|(n, from, to)| format!("{n}: {} -> {}", self.called(*from), self.called(*to))).collect();
        let mut help = format!("here {}", listed.join(", "));
        if let Some((name, ..)) =
            maps.iter().find(|(_, from, to)| self.spaces.same(*from, have) && self.spaces.same(*to, want))
        {
            help = format!("`{name}` takes {} to {}; {help}", self.called(have), self.called(want));
        }
        if let Some(o) = self.operators.iter().find(|o| !self.declared_operators.contains(&o.name)) {
            help += &format!("; declare `operator {}: X -> X` if it maps a space into itself", o.name);
        }
        diagnostic.help(help)
    }

    fn finish(self, indexed: &Indexed, equations: Vec<Equation>, changes: Vec<Change>) -> LinearSystem {
        let order = self.space_order();
        let space_names = self.spaces.names(&order);
        let numbers: Vec<String> = self.told_varying.iter().chain(self.lines.keys()).cloned().collect();
        let frozen = match self.coefficients {
            Coefficients::Frozen => self.told_varying.into_iter().collect(),
            Coefficients::AsWritten => Vec::new(),
        };
        let mut system = LinearSystem {
            letter: indexed.letter.clone(),
            style: indexed.style,
            signals: self.signals,
            mentions: self.mentions,
            constants: self.constants,
            operators: self.operators,
            parameters: self.parameters,
            functions: self.parameter_functions,
            schedules: self.schedules,
            frozen,
            numbers,
            calls: self.calls,
            equations,
            traits: self.traits,
            changes,
            spaces: self.spaces,
            space_names,
        };
        system.arrange();
        system
    }
}

/// The expression under `inv(…)` or `(…)^-1`, which may have a sign.
fn inverted(e: &Expression) -> Option<&Expression> {
    let e = if let Node::Minus(inner) = &e.node { inner } else { e };
    match &e.node {
        Node::Elementary(Elementary::Inverse, a) => Some(a),
        Node::Power(a, p) => match &p.node {
            Node::Minus(one) if matches!(&one.node, Node::Number(n) if *n == Rational::ONE) => Some(a),
            Node::Number(n) if *n == -Rational::ONE => Some(a),
            _ => None,
        },
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

fn combine(mut a: LinearForm, b: LinearForm, subtract: bool) -> Result<LinearForm, Exhausted> {
    for (atom, c) in b {
        let c = if subtract { c.neg() } else { c };
        let sum = match a.get(&atom) {
            Some(old) => old.add(&c)?,
            None => c,
        };
        if sum.is_zero() {
            a.remove(&atom);
        } else {
            a.insert(atom, sum);
        }
    }
    Ok(a)
}

/// The decimal digits above and below the line; those of 1 do not grow.
fn digits(r: &Rational) -> usize {
    let above = r.numerator().to_string().trim_start_matches('-').len();
    above + r.denominator().to_string().len() - 2
}

fn integer_root(n: &Integer) -> Option<Integer> {
    if *n <= Integer::ZERO {
        return (*n == Integer::ZERO).then_some(Integer::ZERO);
    }
    let root = dashu_root(n);
    (&root * &root == *n).then_some(root)
}

/// ⌊√n⌋ by Newton's method.
fn dashu_root(n: &Integer) -> Integer {
    let mut x = Integer::ONE << (n.to_string().len() * 2);
    loop {
        let next = (&x + n / &x) >> 1;
        if next >= x {
            return x;
        }
        x = next;
    }
}

fn limit(_: Exhausted, span: Span) -> Diagnostic {
    crate::limit_work(span)
}

fn operator_plus_vector(span: Span) -> Diagnostic {
    Diagnostic::error(Code::OperatorAsVector, span, "an operator and a vector cannot be added")
        .mark("an operator")
        .help("apply the operator to an iterate, as in `A*x[k]`, or declare a `constant` vector")
}
