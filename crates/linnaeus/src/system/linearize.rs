//! Expressions → linear forms with operator coefficients, and the spaces they live in.

mod arithmetic;
mod calls;
mod coefficients;
mod map;
mod minimize;

pub use calls::with_a_map;
pub use coefficients::Coefficients;

use super::change::change;
use super::declared;
use super::indexing::{self, Indexed};
use super::roles::{self, Kind, Roles};
use super::schedule::Schedules;
use super::{
    Atom, Call, Change, Constant, Equation, LinearForm, LinearSystem, Mention, Operator, Signal, Space, Spaces,
    parameter,
};
use super::{inner_products, least_squares, matching, range};
use crate::diagnostic::{Code, Diagnostic, has_error};
use crate::operator::{Letter, OperatorPolynomial};
use crate::source::Span;
use crate::syntax::ast::{self, Algorithm, DeclarationNode, Expression, Node, Operation, OracleKind};
use crate::syntax::{needs_argument, print};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction, SortedMap, SortedSet, spend};

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
    let mut changes = range::pull_back(&mut indexed, diagnostics);
    changes.extend(change(&mut indexed));
    inner_products::refuse(&indexed, diagnostics);
    if has_error(diagnostics) {
        return None;
    }
    let roles = roles::infer(algorithm, &indexed);
    let lines = coefficients::take_lines(&mut indexed, &roles, diagnostics);
    let text = Text { algorithm, indexed: &indexed, roles: &roles, coefficients, lines };
    // Which parameters are squares is known where all lines were read.
    let before = diagnostics.len();
    let (system, rooted) = text.linearized(SortedSet::new(), changes.clone(), diagnostics);
    if rooted.is_empty() {
        return system;
    }
    diagnostics.truncate(before);
    text.linearized(rooted, changes, diagnostics).0
}

/// What the lines of a text are made of.
struct Text<'a> {
    algorithm: &'a Algorithm,
    indexed: &'a Indexed,
    roles: &'a Roles,
    coefficients: Coefficients,
    /// Lines for numbers by name.
    lines: SortedMap<String, coefficients::Line>,
}

impl Text<'_> {
    /// Every line as a linear equation where these parameters are squares, and others whose roots occur.
    fn linearized(
        &self,
        squares: SortedSet<String>,
        changes: Vec<Change>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Option<LinearSystem>, SortedSet<String>) {
        let mut linearizer = Linearizer::new(self, squares);
        linearizer.declare(self.algorithm);
        linearizer.register(diagnostics);
        let mut equations: Vec<Option<Equation>> = vec![None; self.indexed.equations.len()];
        let with_operator = |i: &usize| linearizer_mentions_operator(self.indexed, self.roles, *i);
        let (first, then): (Vec<usize>, Vec<usize>) = (0..equations.len()).partition(with_operator);
        for (pass, lines) in [first, then].into_iter().enumerate() {
            if pass == 1 {
                linearizer.separate_customary_maps();
            }
            for i in lines {
                match linearizer.equation(i, &self.indexed.equations[i]) {
                    Ok(equation) => equations[i] = Some(equation),
                    // A definition that cannot be read is met wherever its name stands.
                    Err(problem) if diagnostics.contains(&problem) => {}
                    Err(problem) => diagnostics.push(problem),
                }
            }
        }
        linearizer.close_lines(diagnostics);
        if !has_error(diagnostics) {
            linearizer.take_plain_minimizers();
        }
        note_guesses(self.roles, diagnostics);
        note_boxes(&linearizer, diagnostics);
        linearizer.note_squares(self.roles, diagnostics);
        diagnostics.extend(least_squares::notes(self.algorithm));
        diagnostics.append(&mut linearizer.remarks);
        let rooted = std::mem::take(&mut linearizer.rooted);
        if has_error(diagnostics) {
            return (None, rooted);
        }
        let equations = equations.into_iter().flatten().chain(std::mem::take(&mut linearizer.auxiliary)).collect();
        let mut squares = linearizer.operators.iter().filter(|o| linearizer.spaces.same(o.domain, o.codomain));
        let square = squares.next().map(|o| o.name.clone());
        let mut system = linearizer.finish(self.indexed, equations, changes);
        if system.settle_roots().is_err() {
            diagnostics.push(crate::limit_work(self.algorithm.statements.first().map_or(Span::default(), |s| s.span)));
        }
        matching::check_counts(&system, diagnostics);
        if system.calls.is_empty() && !has_error(diagnostics) {
            diagnostics.push(self.without_oracle(&system, square));
        }
        ((!has_error(diagnostics)).then_some(system), rooted)
    }

    fn without_oracle(&self, system: &LinearSystem, square: Option<String>) -> Diagnostic {
        let span = self.algorithm.statements.first().map_or(Span::default(), |s| s.span);
        let message = "no oracle is called";
        let call = "call an oracle, as in `x[k+1] = x[k] - t*grad f(x[k])`; ";
        let help = match square {
            Some(a) => {
                format!("{call}a linear map is one that is declared as `function {a} linear` and called, `{a}(…)`")
            }
            None => format!("{call}whatever is declared as in `oracle F` is one, too"),
        };
        if system.constants.is_empty() {
            Diagnostic::error(Code::NoOracle, span, message).help(help)
        } else {
            Diagnostic::warning(Code::NoOracle, span, message).help(help)
        }
    }
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
    let mut told = SortedSet::new();
    for call in linearizer.calls.iter().filter(|c| c.oracle.kind == OracleKind::BlackBox) {
        let name = &call.oracle.function;
        let stem = name.split('_').next().unwrap_or_default();
        let customary = matches!(stem, "A" | "K" | "L" | "M" | "Q" | "W");
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
const AS_ORACLE: &str = "give the whole expression a name, as in `F(x[k])`, to make it an oracle";

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
    declared_operators: SortedSet<String>,
    declared_boxes: SortedSet<String>,
    parameters: Vec<String>,
    parameter_functions: Vec<(linnaeus_algebra::Variable, &'static str, RationalFunction)>,
    calls: Vec<Call>,
    auxiliary: Vec<Equation>,
    functions: SortedMap<String, Space>,
    boxes: SortedMap<String, (Space, Space)>,
    traits: SortedMap<String, Vec<ast::FunctionTrait>>,
    function_names: SortedSet<String>,
    remarks: Vec<Diagnostic>,
    equation: usize,
    depth: usize,
    coefficients: Coefficients,
    schedules: Schedules,
    /// Lines for numbers by name.
    lines: SortedMap<String, coefficients::Line>,
    told_varying: SortedSet<String>,
    declared_parameters: SortedSet<String>,
    /// Definitions that hold an oracle, as in `T = 2*prox_f - I`.
    maps: SortedSet<String>,
    /// The space of the variable that is being minimized over.
    variable: Option<Space>,
    /// The linear map in the square that `argmin_{rho f}` completes, by function.
    squares: SortedMap<String, OperatorPolynomial>,
    /// Functions of which `argmin_{rho f}` holds the identity.
    plain_minimizers: SortedSet<String>,
    /// Declared to be sets.
    sets: SortedSet<String>,
    /// Parameters that stand for the squares of their roots.
    squares_of_roots: SortedSet<String>,
    /// Other parameters whose roots occur.
    rooted: SortedSet<String>,
}

impl<'a> Linearizer<'a> {
    fn new(text: &Text<'a>, squares: SortedSet<String>) -> Self {
        let algorithm = text.algorithm;
        let mut declared_boxes = SortedSet::new();
        let mut declared_parameters = SortedSet::new();
        for declaration in &algorithm.declarations {
            let (names, set) = match &declaration.node {
                DeclarationNode::Oracle(names, _) => (names, &mut declared_boxes),
                DeclarationNode::Parameter(names) => (names, &mut declared_parameters),
                _ => continue,
            };
            set.extend(names.iter().map(|n| n.name.clone()));
        }
        Linearizer {
            coefficients: text.coefficients,
            schedules: Schedules::default(),
            lines: text.lines.clone(),
            told_varying: SortedSet::new(),
            declared_parameters,
            indexed: text.indexed,
            roles: text.roles,
            declared_boxes,
            spaces: Spaces::default(),
            signals: Vec::new(),
            mentions: Vec::new(),
            constants: Vec::new(),
            operators: Vec::new(),
            declared_operators: SortedSet::new(),
            parameters: Vec::new(),
            parameter_functions: Vec::new(),
            calls: Vec::new(),
            auxiliary: Vec::new(),
            functions: SortedMap::new(),
            boxes: SortedMap::new(),
            traits: SortedMap::new(),
            function_names: roles::function_names(algorithm),
            remarks: Vec::new(),
            equation: 0,
            depth: 0,
            maps: map::definitions(text.indexed),
            variable: None,
            squares: SortedMap::new(),
            plain_minimizers: SortedSet::new(),
            sets: SortedSet::new(),
            squares_of_roots: squares,
            rooted: SortedSet::new(),
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
                DeclarationNode::Function(names, space, traits) | DeclarationNode::Set(names, space, traits) => {
                    for n in names {
                        if let DeclarationNode::Set(..) = declaration.node {
                            self.sets.insert(n.name.clone());
                        }
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
        let mut mentioned = SortedSet::new();
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

    /// A parameter; where its root occurs, the square of that.
    fn parameter(&mut self, name: &str) -> Evaluated<RationalFunction> {
        let own = self.symbol(name);
        if !self.squares_of_roots.contains(name) {
            return Ok(own);
        }
        let root = self.function_parameter("sqrt", &own);
        root.mul(&root).map_err(|e| limit(e, Span::default()))
    }

    /// The symbol that has this name.
    fn symbol(&mut self, name: &str) -> RationalFunction {
        let n = self.parameters.iter().position(|p| p == name).unwrap_or_else(|| {
            self.parameters.push(name.to_string());
            self.parameters.len() - 1
        });
        RationalFunction::variable(parameter(n))
    }

    /// A function of parameters, which is one of its own.
    fn function_parameter(&mut self, name: &'static str, argument: &RationalFunction) -> RationalFunction {
        let text = format!("{name}({})", self.scalar_text(argument));
        let symbol = self.symbol(&text);
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
                        format!("`{name}` maps a space into itself here, and nothing is transposed"),
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
            _ => self.parameter(name).map(Value::Scalar),
        }
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
            starts: Vec::new(),
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
            plain_minimizers: self.plain_minimizers,
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

fn limit(_: Exhausted, span: Span) -> Diagnostic {
    crate::limit_work(span)
}
