//! What a text gives to begin with: an algorithm, or a transfer matrix with its oracles.

use super::model::{Commuting, Model, Port};
use super::oracles::explicit_oracles;
use crate::diagnostic::{Code, Diagnostic, has_error};
use crate::operator::{Letter, OperatorPolynomial};
use crate::relation::shift;
use crate::report::expression::Script;
use crate::report::oracle_name;
use crate::source::{Source, Span};
use crate::syntax::ast::{Algorithm, Expression, Index, Node, Operation, Sign, Statement};
use crate::syntax::{TransferText, is_transfer, parse_transfer};
use crate::system::{Coefficients, LinearSystem, Oracle, Z, operator_symbol, parameter, resolve};
use crate::transfer::realize::Unrealizable;
use crate::transfer::{Timing, operators_commute, realize_calls};
use crate::{FUEL, Reading, limit_work, read_with};
use linnaeus_algebra::{Matrix, RationalFunction, Variable, with_fuel};
use std::rc::Rc;

/// The algorithm, or its transfer matrix, as a model.
#[derive(Clone, Debug)]
pub enum Given {
    /// Coefficients commute: everything can be done.
    Commuting(Commuting),
    /// Operators do not commute: the state stays as written.
    Words(Model<OperatorPolynomial>),
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
        let mut errors =
            self.diagnostics.iter().filter(|d| d.severity == crate::diagnostic::Severity::Error).peekable();
        errors.peek().is_some() && errors.all(|d| d.code.is_limit())
    }
}

/// Reads an algorithm or a transfer matrix.
pub fn read(text: &str, coefficients: Coefficients) -> Draft {
    let source = Source::new(text);
    if is_transfer(&source) {
        let mut diagnostics = Vec::new();
        let given = with_fuel(FUEL, || from_matrix(&source, &mut diagnostics)).map(Given::Commuting);
        diagnostics.sort_by_key(|d| (std::cmp::Reverse(d.severity), d.span));
        return Draft { source, diagnostics, given };
    }
    draft(&read_with(text, coefficients))
}

/// What an algorithm that was read gives.
pub fn draft(reading: &Reading) -> Draft {
    let mut diagnostics = reading.diagnostics.clone();
    let given = reading.analysis.as_ref().and_then(|analysis| {
        let commuting = Commuting::new(analysis).map(Given::Commuting);
        let given = commuting.or_else(|| Model::<OperatorPolynomial>::over_words(analysis).map(Given::Words));
        if given.is_none() {
            let whole = analysis.system.equations.iter().map(|e| e.span).reduce(Span::to).unwrap_or_default();
            let message = "coefficients that change with the index are not written anew";
            let help = "give them as constants, or use `--freeze` to read them as such";
            diagnostics.push(Diagnostic::error(Code::TimeVarying, whole, message).help(help));
        }
        given
    });
    Draft { source: reading.source.clone(), diagnostics, given }
}

/// The letter of the index in an algorithm that has none yet.
const LETTER: &str = "k";

fn from_matrix(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Option<Commuting> {
    let text = parse_transfer(source, diagnostics)?;
    if has_error(diagnostics) {
        return None;
    }
    let system = resolve(&equations(&text), Coefficients::AsWritten, diagnostics)?;
    let problem = |d: Diagnostic| diagnostics.push(d);
    gains(&text, system).map_err(problem).ok()
}

/// u_i[k] = φ_i(Σ h_ij u_j[k]) with z as a parameter: the lines are read, typed and solved as any others, and
/// how answers enter the queries is H.
fn equations(text: &TransferText) -> Algorithm {
    let answer = |j: usize, span: Span| {
        let index = Index { letter: LETTER.to_string(), halves: 0, span };
        Expression::new(span, Node::Indexed(format!("answer~{}", j + 1), index))
    };
    let binary = |operation: Operation, a: Expression, b: Expression| {
        Expression::new(a.span.to(b.span), Node::Binary(operation, Box::new(a), Box::new(b)))
    };
    let query = |row: &[Expression]| {
        let products = row.iter().enumerate().map(|(j, entry)| {
            let span = entry.span;
            binary(Operation::Multiply, entry.clone(), answer(j, span))
        });
        products.reduce(|a, b| binary(Operation::Add, a, b)).expect("H is square and not empty")
    };
    let statement = |(i, oracle): (usize, &Expression)| {
        let argument = query(&text.rows[i]);
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
        declarations: text.declarations.clone(),
        statements: text.oracles.iter().enumerate().map(statement).collect(),
        ..Algorithm::default()
    }
}

fn gains(text: &TransferText, system: LinearSystem) -> Result<Commuting, Diagnostic> {
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
    let timing = Timing::new(&system)?;
    let symbol = |l: Letter| {
        let symbol = RationalFunction::variable(operator_symbol(l.operator as usize));
        if l.inverse { symbol.inverse().expect("a variable") } else { symbol }
    };
    let raw = realize_calls(&system, &timing, &|p, _| p.commuting(&symbol))?;
    let z = system.parameters.iter().position(|p| p == "z").map(parameter);
    let rename = |v: Variable| if Some(v) == z { Z } else { v };
    let h = raw.d.map(|e| e.rename(&rename));
    let port = |call: &crate::system::Call| Port {
        oracle: Oracle { step: call.oracle.step.clone(), ..call.oracle.clone() },
        input: call.input,
        output: call.output,
        answer: None,
        query: None,
        sample: None,
    };
    let ports: Vec<Port> = system.calls.iter().map(port).collect();
    let step_of_z = ports.iter().position(|p| z.is_some_and(|z| p.oracle.step.variables().contains(&z)));
    if let Some(i) = step_of_z {
        return Err(bad(text.oracles[i].span, "a step is a number, and z is none").help("give the step another name"));
    }
    let system = Rc::new(system);
    let made = Commuting::from_transfer(system.clone(), ports.clone(), Vec::new(), &h);
    made.map_err(|problem| match problem {
        Unrealizable::Exhausted => limit_work(text.span),
        Unrealizable::Improper { row, column } => improper(text, &system, &ports, &h, row, column),
    })
}

fn improper(
    text: &TransferText,
    system: &LinearSystem,
    ports: &[Port],
    h: &Matrix<RationalFunction>,
    row: usize,
    column: usize,
) -> Diagnostic {
    let span = text.rows[row][column].span;
    let message = "this entry grows with z: the query would need an answer that is given only later";
    let found = Diagnostic::error(Code::Improper, span, message);
    let shifts = if (0..h.rows()).all(|i| shift::relative_degree(&h[(i, i)]).is_none_or(|r| r >= 0)) {
        shift::proper(h).vectors
    } else {
        Vec::new()
    };
    if let Some(m) = shifts.first() {
        return found.help(format!(
            "with the shift {m:?} of the calls all entries are proper: multiply entry (i, j) by z^(m_j - m_i)"
        ));
    }
    match explicit_oracles(ports, h) {
        Ok(Some(oracles)) => {
            let names: Vec<String> = oracles.iter().map(|o| oracle_name(o, system, Script::Plain)).collect();
            found.help(format!("it can be written with other oracles of the same functions: {}", names.join(", ")))
        }
        _ => found.help("the degree of a numerator in z is at most that of its denominator"),
    }
}
