//! What a text gives to begin with: an algorithm, or a transfer matrix with its oracles.

use super::division::Capitals;
use super::improper::Improper;
use super::model::{Commuting, Model, Port};
use crate::advice::{Advice, Wish};
use crate::diagnostic::{Code, Diagnostic, Severity, has_error};
use crate::operator::{Letter, OperatorPolynomial};
use crate::source::{Source, Span};
use crate::syntax::ast::{Algorithm, Expression, Index, Node, Operation, Sign, Statement};
use crate::syntax::{TransferText, is_transfer, parse_transfer};
use crate::system::{Coefficients, LinearSystem, Oracle, Z, operator_symbol, resolve};
use crate::transfer::realize::Unrealizable;
use crate::transfer::{Timing, operators_commute, realize_calls};
use crate::{FUEL, Reading, limit_work, read_with};
use linnaeus_algebra::{Matrix, RationalFunction, with_fuel};
use std::rc::Rc;

/// The algorithm, or its transfer matrix, as a model.
#[derive(Clone, Debug)]
pub enum Given {
    /// Coefficients commute: everything can be done.
    Commuting(Commuting),
    /// Operators do not commute, or numbers change with the index: the state stays as written.
    Words(Model<OperatorPolynomial>),
    /// A matrix that grows with z, which only a change makes an algorithm.
    Improper(Improper),
}

impl Given {
    /// The calls.
    pub fn ports(&self) -> &[Port] {
        match self {
            Given::Commuting(model) => &model.ports,
            Given::Words(model) => &model.ports,
            Given::Improper(matrix) => &matrix.ports,
        }
    }
}

/// Why the state stays as written.
pub fn reason(system: &LinearSystem) -> &'static str {
    if system.schedules.is_empty() { "these operators do not commute" } else { "coefficients change with the index" }
}

/// What would make everything commute.
pub fn remedy(system: &LinearSystem) -> Advice {
    if system.schedules.is_empty() {
        "declare the operators commuting, if they are".into()
    } else {
        Advice::from("use ").wish(Wish::Freeze).then(" to read them as constants")
    }
}

/// A text and what was made of it.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The text.
    pub source: Source,
    /// Remarks, errors first.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, unless there was an error.
    pub given: Option<Given>,
}

impl Draft {
    /// Whether the text could not be used because a stated limit was reached, and for no other reason.
    pub fn is_limited(&self) -> bool {
        let mut errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error).peekable();
        errors.peek().is_some() && errors.all(|d| d.code.is_limit())
    }
}

/// Reads an algorithm or a transfer matrix.
pub fn read(text: &str, coefficients: Coefficients) -> Draft {
    let source = Source::new(text);
    if is_transfer(&source) {
        let mut diagnostics = Vec::new();
        let given = with_fuel(FUEL, || from_matrix(&source, &mut diagnostics));
        diagnostics.sort_by_key(|d| (std::cmp::Reverse(d.severity), d.span));
        return Draft { source, diagnostics, given };
    }
    draft(&read_with(text, coefficients))
}

/// What an algorithm that was read gives.
pub fn draft(reading: &Reading) -> Draft {
    let given = reading.analysis.as_ref().and_then(|analysis| {
        let commuting = Commuting::new(analysis).map(Given::Commuting);
        commuting.or_else(|| Model::<OperatorPolynomial>::over_words(analysis).map(Given::Words))
    });
    Draft { source: reading.source.clone(), diagnostics: reading.diagnostics.clone(), given }
}

/// The letter of the index in an algorithm that has none yet.
const LETTER: &str = "k";

fn from_matrix(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Option<Given> {
    let text = parse_transfer(source, diagnostics)?;
    if has_error(diagnostics) {
        return None;
    }
    let capitals = Capitals::new(&text);
    diagnostics.extend(capitals.notes());
    let system = resolve(&equations(&text, &capitals), Coefficients::AsWritten, diagnostics)?;
    match gains(&text, system) {
        Ok(given) => {
            diagnostics.extend(same_queries(&given));
            Some(given)
        }
        Err(problem) => {
            diagnostics.push(problem);
            None
        }
    }
}

/// A remark on calls of one oracle whose queries are the same up to a shift: in an algorithm they are one call.
fn same_queries(given: &Given) -> Vec<Diagnostic> {
    let Given::Commuting(model) = given else { return Vec::new() };
    let Ok(h) = model.transfer() else { return Vec::new() };
    let shifted = |i: usize, j: usize| -> Option<bool> {
        let c = (0..h.cols()).find(|&c| !h[(i, c)].is_zero())?;
        let ratio = h[(j, c)].div(&h[(i, c)]).ok()??;
        let power = ratio.numerator().degree_in(Z) + ratio.denominator().degree_in(Z);
        let z = RationalFunction::variable(Z).pow(power as i32).ok()??;
        let is_shift = ratio == z || ratio.inverse().is_some_and(|r| r == z);
        Some(is_shift && (0..h.cols()).all(|c| h[(i, c)].mul(&ratio).is_ok_and(|e| e == h[(j, c)])))
    };
    let pairs = (0..model.calls()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let same = pairs.filter(|&(i, j)| model.ports[i].oracle == model.ports[j].oracle && shifted(i, j) == Some(true));
    let message = "this oracle is asked what another call of it is asked: in an algorithm the two are one call";
    let help = "add the two columns and leave out one row, unless the oracles are different";
    same.map(|(_, j)| Diagnostic::warning(Code::BadTransfer, model.ports[j].span, message).help(help)).collect()
}

/// u_i[k] = φ_i(Σ h_ij u_j[k]) with z as a parameter: the lines are read, typed and solved as any others, and
/// how answers enter the queries is H.
fn equations(text: &TransferText, capitals: &Capitals) -> Algorithm {
    let answer = |j: usize, span: Span| {
        let index = Index { letter: LETTER.to_string(), halves: 0, span };
        Expression::new(span, Node::Indexed(format!("answer~{}", j + 1), index))
    };
    let binary = |operation: Operation, a: Expression, b: Expression| {
        Expression::new(a.span.to(b.span), Node::Binary(operation, Box::new(a), Box::new(b)))
    };
    // What is not there has no space: an entry 0 is left out unless there is nothing else.
    let query = |i: usize, row: &[Expression]| {
        let absent = |e: &Expression| matches!(&e.node, Node::Number(n) if n.is_zero());
        let products = row.iter().enumerate().filter(|(_, e)| !absent(e));
        let products = products.map(|(j, entry)| applied(entry, answer(j, entry.span)));
        let nothing = || applied(&row[i], answer(i, row[i].span));
        products.reduce(|a, b| binary(Operation::Add, a, b)).unwrap_or_else(nothing)
    };
    let statement = |(i, oracle): (usize, &Expression)| {
        let row: Vec<Expression> = text.rows[i].iter().map(|e| capitals.inverted(e)).collect();
        let argument = query(i, &row);
        let node = match &oracle.node {
            Node::Call(call) => {
                let mut call = call.clone();
                call.argument = argument;
                Node::Call(call)
            }
            Node::Apply(name, span, _, sample) => Node::Apply(name.clone(), *span, Box::new(argument), sample.clone()),
            other => other.clone(),
        };
        let value = Expression::new(oracle.span, node);
        Statement { span: oracle.span, target: answer(i, oracle.span), sign: Sign::Equals, value }
    };
    Algorithm {
        declarations: text.declarations.iter().cloned().chain(capitals.declarations()).collect(),
        statements: text.oracles.iter().enumerate().map(statement).collect(),
        ..Algorithm::default()
    }
}

/// An entry times a vector, its factors applied one after the other, as operators are.
fn applied(entry: &Expression, vector: Expression) -> Expression {
    let (span, boxed) = (entry.span, |e: Expression| Box::new(e));
    let node = match &entry.node {
        Node::Binary(Operation::Multiply, a, b) => return applied(a, applied(b, vector)),
        Node::Binary(Operation::Divide, a, b) => Node::Binary(Operation::Divide, boxed(applied(a, vector)), b.clone()),
        // Only a vector that is no expression is written twice.
        Node::Binary(sum, a, b) if matches!(vector.node, Node::Indexed(..)) => {
            let (a, b) = (applied(a, vector.clone()), applied(b, vector));
            Node::Binary(*sum, boxed(a), boxed(b))
        }
        Node::Minus(a) => Node::Minus(boxed(applied(a, vector))),
        _ => Node::Binary(Operation::Multiply, boxed(entry.clone()), boxed(vector)),
    };
    Expression::new(span, node)
}

/// The entries of a matrix, in the symbols of the system that its names make; z is z.
pub(crate) fn entries(text: &TransferText) -> Result<(LinearSystem, Matrix<RationalFunction>), Diagnostic> {
    let mut diagnostics = Vec::new();
    let system = resolve(&equations(text, &Capitals::new(text)), Coefficients::AsWritten, &mut diagnostics);
    let error = diagnostics.into_iter().find(|d| d.severity == Severity::Error);
    let system = match (system, error) {
        (Some(system), None) => system,
        (_, Some(problem)) => return Err(problem),
        (None, None) => return Err(Diagnostic::error(Code::BadTransfer, text.span, "this matrix cannot be read")),
    };
    let (system, h) = solved(text, system)?;
    // Lines with operators are read first; rows and columns stand as in the text.
    let mut order: Vec<usize> = (0..system.calls.len()).collect();
    order.sort_by_key(|&i| system.calls[i].equation);
    let h = h.submatrix(&order, &order);
    Ok((system, h))
}

/// How answers enter the queries, and the system without the parameter that stands for z in its lines.
fn solved(text: &TransferText, system: LinearSystem) -> Result<(LinearSystem, Matrix<RationalFunction>), Diagnostic> {
    let bad = |span: Span, message: &str| Diagnostic::error(Code::BadTransfer, span, message);
    if system.calls.len() != text.oracles.len() {
        return Err(bad(text.span, "every item of the list `oracles:` must be one oracle, such as `prox_f`")
            .help("write `oracles: prox_{t f}, grad g, F` with declarations for black boxes"));
    }
    if !system.constants.is_empty() || !system.schedules.is_empty() {
        return Err(bad(text.span, "the entries of H are made of numbers, parameters, operators and z")
            .help("declare parameters with `param`, operators with `operator A: X -> Y`"));
    }
    if !operators_commute(&system) {
        return Err(bad(
            text.span,
            "these operators do not commute, and a matrix in them is not turned into an algorithm",
        )
        .help("give the algorithm itself, or declare the operators commuting"));
    }
    let system = match system.parameters.iter().position(|p| p == "z") {
        Some(z) => system.with_parameter_as(z, Z).map_err(|_| limit_work(text.span))?,
        None => system,
    };
    let of_z = |e: &RationalFunction| e.variables().contains(&Z);
    if let Some((_, function, _)) = system.functions.iter().find(|(_, _, argument)| of_z(argument)) {
        let message = format!("an entry of H is a quotient of polynomials in z, and `{function}` of z is none");
        return Err(bad(text.span, &message).help("give a rational function that is near it, or a parameter"));
    }
    if let Some(call) = system.calls.iter().find(|c| of_z(&c.oracle.step)) {
        return Err(bad(call.span, "a step is a number, and z is none").help("give the step another name"));
    }
    let timing = Timing::new(&system)?;
    let symbol = |l: Letter| {
        let symbol = RationalFunction::variable(operator_symbol(l.operator as usize));
        if l.inverse { symbol.inverse().expect("a variable") } else { symbol }
    };
    let h = realize_calls(&system, &timing, &|p, _| p.commuting(&symbol))?.d;
    Ok((system, h))
}

fn gains(text: &TransferText, system: LinearSystem) -> Result<Given, Diagnostic> {
    let (system, h) = solved(text, system)?;
    let port = |call: &crate::system::Call| Port {
        oracle: Oracle { step: call.oracle.step.clone(), ..call.oracle.clone() },
        input: call.input,
        output: call.output,
        answer: None,
        query: None,
        sample: None,
        span: call.span,
    };
    let ports: Vec<Port> = system.calls.iter().map(port).collect();
    let system = Rc::new(system);
    match Commuting::from_transfer(system.clone(), ports.clone(), Vec::new(), &h) {
        Ok(model) => Ok(Given::Commuting(model)),
        Err(Unrealizable::Exhausted) => Err(limit_work(text.span)),
        Err(Unrealizable::Improper { row, column }) => {
            Ok(Given::Improper(Improper { system, ports, h, span: text.rows[row][column].span }))
        }
    }
}
