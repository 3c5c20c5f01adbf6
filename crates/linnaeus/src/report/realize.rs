//! What `realize` says.

use super::entry::EntryPrinter;
use super::export::plain;
use super::expression::{DISPLAY_FUEL, Script};
use super::show::{DiagnosticReport, Table, diagnostic_report, oracle_name};
use crate::advice::{Advice, Wish};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::synthesis::ho_kalman::{Balanced, TOLERANCE, balanced};
use crate::synthesis::typed::Block;
use crate::synthesis::{
    Commuting, Coordinates, Cost, Draft, Given, Improper, Loop, Program, Realized, Role, Untyped, Unwritable, WayOut,
    reason, remedy, typed,
};
use crate::system::{LinearSystem, Oracle, Space};
use crate::transfer::Explicitness;
use linnaeus_algebra::{Matrix, RationalFunction, with_fuel};
use serde::Serialize;

/// An algorithm that was written anew.
#[derive(Clone, Debug, Serialize)]
pub struct Realize {
    /// The version of this form.
    pub schema: u32,
    /// The lines in the plain notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The oracles, in the order of the calls in the original text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracles: Option<Vec<String>>,
    /// `minimal`, `as-written`, `answers`, `queries`, `controllable`, `observable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<&'static str>,
    /// What the state holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
    /// The matrices A, B, C, D, operators as commuting symbols; absent where they do not commute. Columns for the
    /// constants come last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrices: Option<Matrices>,
    /// What became of the state that the text stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionReport>,
    /// The same in floating point, balanced, where every parameter is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balanced: Option<BalancedReport>,
    /// What one iteration costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostReport>,
    /// Remarks.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// Four matrices.
#[derive(Clone, Debug, Serialize)]
pub struct Matrices {
    /// A.
    #[serde(rename = "A")]
    pub a: Table,
    /// B.
    #[serde(rename = "B")]
    pub b: Table,
    /// C.
    #[serde(rename = "C")]
    pub c: Table,
    /// D.
    #[serde(rename = "D")]
    pub d: Table,
}

/// What became of the state.
#[derive(Clone, Debug, Serialize)]
pub struct ReductionReport {
    /// How many vectors the text stores.
    pub written: usize,
    /// How many dimensions no answer reaches.
    pub unreachable: usize,
    /// How many of the others no query shows.
    pub unobservable: usize,
    /// The new state in terms of the one as written, one row per component.
    pub map: Table,
}

/// A realization by Ho and Kalman's method.
#[derive(Clone, Debug, Serialize)]
pub struct BalancedReport {
    /// A.
    #[serde(rename = "A")]
    pub a: Vec<Vec<f64>>,
    /// B.
    #[serde(rename = "B")]
    pub b: Vec<Vec<f64>>,
    /// C.
    #[serde(rename = "C")]
    pub c: Vec<Vec<f64>>,
    /// D.
    #[serde(rename = "D")]
    pub d: Vec<Vec<f64>>,
    /// Singular values of the Hankel matrix.
    pub singular_values: Vec<f64>,
    /// How many of them are not zero.
    pub numerical_rank: usize,
    /// Those below this multiple of the largest count as zero.
    pub tolerance: f64,
}

/// What one iteration costs besides the calls.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct CostReport {
    /// Vectors stored from one iteration to the next.
    pub stored: usize,
    /// Vectors added.
    pub additions: usize,
    /// Vectors multiplied by a number.
    pub scalings: usize,
    /// Operators applied.
    pub applications: usize,
    /// Operators and sums of operators inverted.
    pub inversions: usize,
}

impl CostReport {
    /// The cost of a program.
    pub fn new(program: &Program) -> CostReport {
        let Cost { additions, scalings, applications, inversions } = program.cost;
        CostReport { stored: program.stored(), additions, scalings, applications, inversions }
    }
}

impl Realize {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The report; without an algorithm it holds remarks alone.
pub fn realize(source: &Source, diagnostics: &[Diagnostic], realized: Option<&Realized>) -> Realize {
    let mut report = Realize {
        schema: 1,
        text: None,
        oracles: None,
        coordinates: None,
        states: None,
        matrices: None,
        reduction: None,
        balanced: None,
        cost: None,
        diagnostics: diagnostics.iter().map(|d| diagnostic_report(source, d)).collect(),
    };
    if let Some(realized) = realized {
        with_fuel(DISPLAY_FUEL, || fill(&mut report, realized));
    }
    report
}

fn fill(report: &mut Realize, realized: &Realized) {
    let program = &realized.program;
    let printer = EntryPrinter { system: &program.system, script: Script::Sympy };
    let table = |m: &Matrix<RationalFunction>| -> Table {
        (0..m.rows()).map(|i| m.row(i).iter().map(|e| Some(printer.scalar(e))).collect()).collect()
    };
    report.text = Some(plain(program));
    report.oracles = Some(oracle_names(program.ports.iter().map(|p| &p.oracle), &program.system));
    report.coordinates = Some(realized.coordinates.word());
    let state = |i: usize| indexed(program, program.value(Role::State(i)));
    report.states = Some((0..program.stored()).map(state).collect());
    report.cost = Some(CostReport::new(program));
    if let Some(reduction) = &realized.reduction {
        let m = &reduction.model;
        let states: Vec<Option<Space>> = typed(m).map_or_else(|_| vec![None; m.order()], |m| m.spaces);
        let answers = m.ports.iter().map(|p| p.output).chain(m.constants.iter().map(|c| c.space));
        let inputs: Vec<Option<Space>> = answers.map(Some).collect();
        let typed_table = |m: &Matrix<RationalFunction>, from: &[Option<Space>]| -> Table {
            let entry = |(e, space): (&RationalFunction, &Option<Space>)| match space {
                Some(space) => Some(printer.commuting(e, *space)),
                None => Some(printer.scalar(e)),
            };
            (0..m.rows()).map(|i| m.row(i).iter().zip(from).map(entry).collect()).collect()
        };
        let [a, c] = [&m.a, &m.c].map(|m| typed_table(m, &states));
        let [b, d] = [&m.b, &m.d].map(|m| typed_table(m, &inputs));
        report.matrices = Some(Matrices { a, b, c, d });
        report.reduction = Some(ReductionReport {
            written: reduction.map.cols(),
            unreachable: reduction.unreachable,
            unobservable: reduction.unobservable,
            map: table(&reduction.map),
        });
        let found = (realized.coordinates == Coordinates::Minimal).then(|| balanced(m, TOLERANCE)).flatten();
        report.balanced = found.map(|Balanced { matrices: [a, b, c, d], singular_values, numerical_rank }| {
            BalancedReport { a, b, c, d, singular_values, numerical_rank, tolerance: TOLERANCE }
        });
    }
}

/// H, with operators and with each of them as one commuting symbol.
#[derive(Clone, Debug)]
pub struct TransferTables {
    /// With operators and their adjoints.
    pub typed: Table,
    /// With one commuting symbol for an operator and its adjoint.
    pub scalar: Table,
}

/// H of a model, formulas in a script, rows and columns in the order of its ports.
pub fn transfer(model: &Commuting, script: Script) -> Result<TransferTables, Diagnostic> {
    with_fuel(crate::FUEL, || {
        let h = model.transfer().map_err(|_| crate::limit_work(Span::default()))?;
        let printer = EntryPrinter { system: &model.system, script };
        let calls = 0..model.calls();
        let row = |i: usize| calls.clone().map(move |j| (i, j));
        let typed = |(i, j): (usize, usize)| Some(printer.commuting(&h[(i, j)], model.ports[j].output));
        let scalar = |(i, j): (usize, usize)| Some(printer.scalar(&h[(i, j)]));
        Ok(TransferTables {
            typed: calls.clone().map(|i| row(i).map(typed).collect()).collect(),
            scalar: calls.clone().map(|i| row(i).map(scalar).collect()).collect(),
        })
    })
}

/// The oracles of a model in the plain notation.
pub fn oracles(model: &Commuting) -> Vec<String> {
    oracle_names(model.ports.iter().map(|p| &p.oracle), &model.system)
}

/// `x[k-1]`.
pub fn indexed(program: &Program, value: usize) -> String {
    let name = &program.values[value].name;
    let letter = &program.system.letter;
    if name.offset == 0 {
        format!("{}[{letter}]", name.stem)
    } else {
        format!("{}[{letter}{:+}]", name.stem, name.offset)
    }
}

/// Oracles in the plain notation.
pub fn oracle_names<'a>(oracles: impl Iterator<Item = &'a Oracle>, system: &LinearSystem) -> Vec<String> {
    oracles.map(|o| oracle_name(o, system, Script::Plain)).collect()
}

/// The algorithm for people: the plain notation, with what is worth knowing as comments, so that it can be read
/// again as it is.
pub fn realize_text(realized: &Realized) -> String {
    let program = &realized.program;
    let mut out = String::new();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let stored = |n: usize| count(n, "vector");
    out += &match &realized.reduction {
        Some(r) if r.map.cols() != program.stored() => {
            format!("# stores {}, {} as written", stored(program.stored()), r.map.cols())
        }
        _ => format!("# stores {}", stored(program.stored())),
    };
    if let Some(r) = realized.reduction.as_ref().filter(|r| r.unreachable + r.unobservable > 0) {
        let parts = [(r.unreachable, "no answer reaches"), (r.unobservable, "no query shows")];
        let told = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} that {what}"));
        out += &format!("; left out: {}", told.collect::<Vec<_>>().join(", "));
    }
    let cost = CostReport::new(program);
    out += &format!("\n# {}, {}", count(cost.additions, "addition"), count(cost.scalings, "scaling"));
    if cost.applications > 0 {
        out += &format!(", {} applied", count(cost.applications, "operator"));
    }
    if cost.inversions > 0 {
        out += &format!(", {} inverted", count(cost.inversions, "operator"));
    }
    if let Explicitness::Explicit(order) = &program.explicitness {
        let names = oracle_names(order.iter().map(|&i| &program.ports[i].oracle), &program.system);
        out += &format!("; calls in the order {}", names.join(", "));
    }
    out + "\n" + &plain(program)
}

/// Realizes what a text gives. An implicit algorithm, and one that cannot be written, is an error with a way out.
pub fn realize_draft(draft: &mut Draft, given: &Given, coordinates: Option<Coordinates>) -> Option<Realized> {
    let whole = Span::new(0, draft.source.text().trim_end().len());
    let realized = write_draft(draft, given, coordinates)?;
    if realized.reduction.is_none() && coordinates.is_none() {
        let without = match given {
            Given::Words(model) if realized.program.stored() < model.order() => ", without what no query shows",
            _ => "",
        };
        let why = reason(&realized.program.system);
        let message = format!("{why}: the state is the one that the text stores{without}");
        draft.diagnostics.push(Diagnostic::note(whole, message));
    }
    match implicit(&realized, draft.given.as_ref()) {
        None => Some(realized),
        Some(problem) => {
            draft.diagnostics.push(problem);
            None
        }
    }
}

/// Why an algorithm cannot be run from top to bottom, at a call in the loop, and oracles that can; those of the text
/// are tried too.
pub fn implicit(realized: &Realized, text: Option<&Given>) -> Option<Diagnostic> {
    let known: Vec<Oracle> = text.map_or(&[][..], Given::ports).iter().map(|p| p.oracle.clone()).collect();
    match with_fuel(crate::FUEL, || realized.implicit(&known)) {
        Err(_) => Some(crate::limit_work(realized.program.ports.first().map_or(Span::default(), |p| p.span))),
        Ok(found) => found.map(|found| implicit_error(realized, &found)),
    }
}

/// The same, implicit or not.
pub fn write_draft(draft: &mut Draft, given: &Given, coordinates: Option<Coordinates>) -> Option<Realized> {
    let whole = Span::new(0, draft.source.text().trim_end().len());
    match with_fuel(crate::FUEL, || crate::synthesis::realize(given, coordinates)) {
        Ok(realized) => Some(realized),
        Err(problem) => {
            draft.diagnostics.push(unwritable(given, coordinates, problem, whole));
            None
        }
    }
}

/// What is wrong with a matrix that grows with z, and what may be done about it.
pub fn improper(matrix: &Improper) -> Diagnostic {
    let message = "this entry grows with z: the query would need an answer that is given only later";
    let found = Diagnostic::error(Code::Improper, matrix.span, message);
    match with_fuel(crate::FUEL, || matrix.way_out()) {
        Ok(Some(WayOut::Shift(m))) => {
            let later = "with calls at other times every query comes after what it needs: ";
            found.help(Advice::from(later).wish(Wish::MatrixShift(m)))
        }
        Ok(Some(WayOut::Oracles(oracles))) => {
            let names = oracle_names(oracles.iter(), &matrix.system);
            let other = "in other oracles of the same functions it is an algorithm: ";
            found.help(Advice::from(other).wish(Wish::MatrixOracles(names)))
        }
        Ok(None) => found.help(
            "no shift and no other oracles of the same functions make it an algorithm; the degree of a numerator in z is at most that of its denominator",
        ),
        Err(_) => found.help("the degree of a numerator in z is at most that of its denominator"),
    }
}

fn unwritable(given: &Given, coordinates: Option<Coordinates>, problem: Unwritable, span: Span) -> Diagnostic {
    let system = match given {
        Given::Commuting(model) => &model.system,
        Given::Words(model) => &model.system,
        Given::Improper(matrix) => return improper(matrix),
    };
    match problem {
        Unwritable::Exhausted | Unwritable::Improper => crate::limit_work(span),
        Unwritable::Words => {
            let message = format!("{}, so that the state stays as the text stores it", reason(system));
            Diagnostic::error(Code::BadTransform, span, message)
                .help(Advice::from(Wish::OwnState).then(", or ").then(remedy(system)))
        }
        Unwritable::Untyped(entry) => match coordinates {
            Some(Coordinates::Answers) => no_such_state(system, "a state of past answers alone"),
            Some(Coordinates::Queries) => no_such_state(system, "a state of queries to come alone"),
            Some(Coordinates::Controllable) => no_such_state(system, "the controllable canonical form"),
            Some(Coordinates::Observable) => no_such_state(system, "the observable canonical form"),
            _ => untyped(given, entry, span),
        },
    }
}

/// The text is in order, but its operators have no inverses.
fn no_such_state(system: &LinearSystem, what: &str) -> Diagnostic {
    let between = system.operators.iter().filter(|o| !system.spaces.same(o.domain, o.codomain));
    let names: Vec<String> = between.map(|o| format!("`{}`", o.name)).collect();
    let whose = if names.is_empty() { "an operator".to_string() } else { names.join(", ") };
    let message = format!("{what} would need an inverse of {whose}, and an operator between different spaces has none");
    let help = Advice::from(Wish::OwnState).then(": another state is as small and needs no inverse");
    Diagnostic::error(Code::BadTransform, Span::default(), message).help(help)
}

fn untyped(given: &Given, entry: Untyped, span: Span) -> Diagnostic {
    let message = match (given, entry) {
        (Given::Commuting(model), Untyped::Entry { block: Block::D, row, column })
            if row < model.calls() && column < model.calls() =>
        {
            let system = &model.system;
            let space = |s: Space| system.space_names.of(&system.spaces, s);
            let (from, to) = (space(model.ports[column].output), space(model.ports[row].input));
            format!("an entry that should lead from {from} to {to} is no operator between them")
        }
        _ => "an entry of the realization is no operator between the spaces of its row and column".to_string(),
    };
    let help =
        "an entry between different spaces holds an odd number of factors A or A', one within a space an even number";
    Diagnostic::error(Code::IllTyped, span, message).help(help)
}

fn implicit_error(realized: &Realized, found: &Loop) -> Diagnostic {
    let program = &realized.program;
    let span = program.ports[found.cycle[0]].span;
    let name = |i: &usize| oracle_name(&program.ports[*i].oracle, &program.system, Script::Plain);
    let names: Vec<String> = found.cycle.iter().map(name).collect();
    let message = match names.as_slice() {
        [one] => format!("this is implicit: the query of `{one}` needs the answer of the same call"),
        all => format!("this is implicit: the calls of {} wait for each other's answers", all.join(", ")),
    };
    let error = Diagnostic::error(Code::Implicit, span, message);
    match &found.oracles {
        Some(oracles) => {
            let names = oracle_names(oracles.iter(), &program.system);
            let other = "in other oracles of the same functions it is explicit: ";
            error.help(Advice::from(other).wish(Wish::Oracles(names)))
        }
        None => error.help("no other oracles of the same functions make it explicit"),
    }
}
