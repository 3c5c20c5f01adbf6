//! What `show` says, as data.

use super::entry::EntryPrinter;
use super::expression::{DISPLAY_FUEL, Script, gap, name};
use super::reading::{ReadingReport, reading_report};
use crate::Reading;
use crate::diagnostic::Diagnostic;
use crate::operator::OperatorPolynomial;
use crate::source::{Source, Span};
use crate::syntax::ast::OracleKind;
use crate::system::schedule::{Motion, Schedule, schedule};
use crate::system::{LinearSystem, Oracle, Space};
use crate::transfer::{Analysis, Channel, Explicitness, Realization, State, Transfer};
use linnaeus_algebra::{Matrix, RationalFunction, with_fuel};
use serde::Serialize;

/// A matrix of formulas; an entry without a formula is none.
pub type Table = Vec<Vec<Option<String>>>;

/// How a text was read, its transfer matrix and what follows from it.
#[derive(Clone, Debug, Serialize)]
pub struct Show {
    /// The version of this form.
    pub schema: u32,
    /// The notation, the lines and the guesses.
    pub reading: ReadingReport,
    /// The index letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The channels, in the order of first appearance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<Vec<ChannelReport>>,
    /// The iterates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Vec<SignalReport>>,
    /// The scalar parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<String>>,
    /// Numbers that change with the index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub schedules: Vec<ScheduleReport>,
    /// The linear operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operators: Option<Vec<OperatorReport>>,
    /// The constant vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constants: Option<Vec<SignalReport>>,
    /// H(z) with operators.
    #[serde(skip_serializing_if = "is_untold")]
    pub transfer: Told<Table>,
    /// H(z) with every operator and its adjoint as one commuting symbol.
    #[serde(skip_serializing_if = "is_untold")]
    pub transfer_scalar: Told<Table>,
    /// How the constants enter the queries, one column each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transfer_constants: Option<Table>,
    /// D, CB, CAB, … where operators do not commute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markov: Option<Vec<Table>>,
    /// The realization as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realization: Option<RealizationReport>,
    /// The least number of stored vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal_order: Option<usize>,
    /// Whether one iteration runs from top to bottom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explicit: Option<bool>,
    /// The order of the calls, as channel numbers from 0, if it is explicit.
    #[serde(skip_serializing_if = "is_untold")]
    pub order: Told<Vec<usize>>,
    /// The channels that need each other's answers, if it is implicit.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Vec<usize>>,
    /// Changes of variable that made the text linear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeReport>,
    /// Lines that were not used.
    pub ignored: Vec<IgnoredReport>,
    /// Remarks.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// A value that may be absent, or present and none (`null`).
pub type Told<T> = Option<Option<T>>;

fn is_untold<T>(value: &Told<T>) -> bool {
    value.is_none()
}

/// One oracle call per iteration.
#[derive(Clone, Debug, Serialize)]
pub struct ChannelReport {
    /// As it is written: `prox_{t f}`.
    pub oracle: String,
    /// `gradient`, `prox`, ….
    pub kind: &'static str,
    /// Whose oracle; a star marks the conjugate.
    pub function: String,
    /// The step, for kinds that have one.
    pub step: Option<String>,
    /// Of an argmin, the linear map inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// The space of queries and answers, or both as `Y -> X`.
    pub space: String,
    /// Which of several channels of the same oracle, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<usize>,
    /// The sample that the calls carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// The calls in the text that this channel serves.
    pub calls: Vec<CallReport>,
}

/// One call in the text.
#[derive(Clone, Debug, Serialize)]
pub struct CallReport {
    /// The call.
    pub text: String,
    /// How many iterations ago the answer was given.
    pub delay: usize,
    /// Where it stands.
    pub span: SpanReport,
}

/// A named vector.
#[derive(Clone, Debug, Serialize)]
pub struct SignalReport {
    /// Its name.
    pub name: String,
    /// Its space.
    pub space: String,
}

/// A number that changes with the index.
#[derive(Clone, Debug, Serialize)]
pub struct ScheduleReport {
    /// As it is written at the present: `t[k]`, `k`, `beta^k`.
    pub name: String,
    /// Its value one iteration later, where the text says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A linear operator.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorReport {
    /// Its name.
    pub name: String,
    /// Where it takes its arguments from.
    pub domain: String,
    /// Where its values live.
    pub codomain: String,
    /// Whether it was declared symmetric.
    pub symmetric: bool,
}

/// x⁺ = A x + B u, y = C x + D u.
#[derive(Clone, Debug, Serialize)]
pub struct RealizationReport {
    /// What the state holds.
    pub states: Vec<String>,
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
    /// How the constants enter the next state.
    #[serde(rename = "E", skip_serializing_if = "Option::is_none")]
    pub e: Option<Table>,
    /// How the constants enter the queries.
    #[serde(rename = "F", skip_serializing_if = "Option::is_none")]
    pub f: Option<Table>,
}

/// A change of variable.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeReport {
    /// The iterate as written.
    pub signal: String,
    /// What the equations are linear in.
    pub new: String,
}

/// A line that was not used.
#[derive(Clone, Debug, Serialize)]
pub struct IgnoredReport {
    /// Its line number.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Why.
    pub reason: &'static str,
}

/// A remark.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnosticReport {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// What kind of remark.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where.
    pub span: SpanReport,
    /// Other places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelReport>,
    /// What to do.
    pub help: Option<String>,
}

/// A second place.
#[derive(Clone, Debug, Serialize)]
pub struct LabelReport {
    /// Where.
    pub span: SpanReport,
    /// What is there.
    pub message: String,
}

/// From a place to a place; the end is exclusive.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpanReport {
    /// First character.
    pub start: PositionReport,
    /// One past the last character.
    pub end: PositionReport,
}

/// Line and column, both from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionReport {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl Show {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// Where a span stands.
pub fn span_report(source: &Source, span: Span) -> SpanReport {
    let place = |byte: usize| {
        let p = source.position(byte);
        PositionReport { line: p.line, column: p.column }
    };
    SpanReport { start: place(span.start), end: place(span.end) }
}

/// A remark as data.
pub fn diagnostic_report(source: &Source, d: &Diagnostic) -> DiagnosticReport {
    let labels = d.labels.iter().map(|l| LabelReport { span: span_report(source, l.span), message: l.message.clone() });
    DiagnosticReport {
        severity: d.severity.word(),
        code: d.code.text(),
        message: d.message.clone(),
        span: span_report(source, d.span),
        labels: labels.collect(),
        help: d.help.as_ref().map(ToString::to_string),
    }
}

/// The reading as data, formulas as SymPy reads them.
pub fn show(reading: &Reading) -> Show {
    show_in(reading, Script::Sympy)
}

/// The reading as data, formulas in a script.
pub fn show_in(reading: &Reading, script: Script) -> Show {
    with_fuel(DISPLAY_FUEL, || shown(reading, reading_report(reading), script))
}

/// The same in another script. How the text was read is in words and the same in all, and finding out what is guessed means
/// to read the text again and again.
pub fn show_again(reading: &Reading, shown_before: &Show, script: Script) -> Show {
    with_fuel(DISPLAY_FUEL, || shown(reading, shown_before.reading.clone(), script))
}

fn shown(reading: &Reading, told: ReadingReport, script: Script) -> Show {
    let source = &reading.source;
    let ignored = reading.algorithm.ignored.iter().map(|i| IgnoredReport {
        line: source.position(i.span.start).line,
        text: source.slice(i.span).to_string(),
        reason: i.reason,
    });
    let mut show = Show {
        schema: 1,
        reading: told,
        index: None,
        channels: None,
        signals: None,
        parameters: None,
        schedules: Vec::new(),
        operators: None,
        constants: None,
        transfer: None,
        transfer_scalar: None,
        transfer_constants: None,
        markov: None,
        realization: None,
        minimal_order: None,
        explicit: None,
        order: None,
        cycle: None,
        changes: Vec::new(),
        ignored: ignored.collect(),
        diagnostics: reading.diagnostics.iter().map(|d| diagnostic_report(source, d)).collect(),
    };
    if let Some(analysis) = &reading.analysis {
        fill(&mut show, analysis, source, script);
    }
    show
}

fn fill(show: &mut Show, analysis: &Analysis, source: &Source, script: Script) {
    let system = &analysis.system;
    let printer = EntryPrinter { system, script };
    let space = |s: Space| system.space_names.of(&system.spaces, s);
    show.index = Some(system.letter.clone());
    show.channels = Some(analysis.channels.iter().map(|c| channel_report(analysis, c, source, &printer)).collect());
    let visible = system.signals.iter().filter(|s| !s.name.contains('~'));
    show.signals = Some(visible.map(|s| SignalReport { name: s.name.clone(), space: space(s.space) }).collect());
    let symbol = |i: usize| name(script, &printer.name_of(crate::system::parameter(i)));
    let is_root = |i: &usize| system.squares().any(|(_, root)| root == crate::system::parameter(*i));
    show.parameters = Some((0..system.parameters.len()).filter(|i| !is_root(i)).map(symbol).collect());
    show.schedules = schedules(system, &printer);
    let operator = |o: &crate::system::Operator| OperatorReport {
        name: o.name.clone(),
        domain: space(o.domain),
        codomain: space(o.codomain),
        symmetric: o.symmetric,
    };
    show.operators = Some(system.operators.iter().map(operator).collect());
    show.constants =
        Some(system.constants.iter().map(|c| SignalReport { name: c.name.clone(), space: space(c.space) }).collect());
    show.changes =
        system.changes.iter().map(|c| ChangeReport { signal: c.signal.clone(), new: c.new.clone() }).collect();
    show.minimal_order = Some(analysis.minimal_order);
    match &analysis.explicitness {
        Explicitness::Explicit(order) => {
            show.explicit = Some(true);
            show.order = Some(Some(order.clone()));
        }
        Explicitness::Implicit(cycle) => {
            show.explicit = Some(false);
            show.order = Some(None);
            show.cycle = Some(cycle.clone());
        }
    }
    let spaces = InputSpaces::new(analysis);
    let p = analysis.channels.len();
    match &analysis.transfer {
        Transfer::Commuting { h, realization } => {
            let entry = |v: &RationalFunction, from: Space| printer.commuting(v, from);
            let inputs = |m: &Matrix<RationalFunction>| table(m, &spaces.inputs, &entry);
            let (transfer, constants) = split(inputs(h), p);
            show.transfer = Some(Some(transfer));
            show.transfer_constants = constants;
            let scalar = |v: &RationalFunction, _: Space| printer.scalar(v);
            show.transfer_scalar = Some(Some(split(table(h, &spaces.inputs, &scalar), p).0));
            show.realization = Some(realization_report(analysis, realization, source, &spaces, &entry));
        }
        Transfer::Noncommuting { h, realization, markov } => {
            let entry = |v: &OperatorPolynomial, _: Space| printer.operators(v);
            show.transfer_scalar = Some(None);
            show.transfer = Some(None);
            if let Some(h) = h {
                let (transfer, constants) = split(table(h, &spaces.inputs, &entry), p);
                show.transfer = Some(Some(transfer));
                show.transfer_constants = constants;
            }
            show.markov = Some(markov.iter().map(|m| split(table(m, &spaces.inputs, &entry), p).0).collect());
            show.realization = Some(realization_report(analysis, realization, source, &spaces, &entry));
        }
    }
}

/// Sequences of numbers; functions of others are told where they occur.
fn schedules(system: &LinearSystem, printer: &EntryPrinter) -> Vec<ScheduleReport> {
    let told = system.schedules.list.iter().enumerate().filter(|(_, s)| !matches!(s.motion, Motion::Function(..)));
    let report = |(j, s): (usize, &Schedule)| ScheduleReport {
        name: printer.name_of(schedule(j, 0)),
        next: match &s.motion {
            Motion::Recursion(next) => Some(printer.scalar(next)),
            _ => None,
        },
    };
    told.map(report).collect()
}

/// Where the columns of the matrices come from.
struct InputSpaces {
    states: Vec<Space>,
    inputs: Vec<Space>,
}

impl InputSpaces {
    fn new(analysis: &Analysis) -> Self {
        let system = &analysis.system;
        let answer = |c: usize| system.calls[analysis.channels[c].call].output;
        let states = match &analysis.transfer {
            Transfer::Commuting { realization, .. } => &realization.states,
            Transfer::Noncommuting { realization, .. } => &realization.states,
        };
        let of_state = |s: &State| match s {
            State::Signal(i, _) => system.signals[*i].space,
            State::Answer(c, _) => answer(*c),
        };
        let constants = system.constants.iter().map(|c| c.space);
        InputSpaces {
            states: states.iter().map(of_state).collect(),
            inputs: (0..analysis.channels.len()).map(answer).chain(constants).collect(),
        }
    }
}

fn table<T>(m: &Matrix<T>, from: &[Space], entry: &dyn Fn(&T, Space) -> String) -> Table
where
    T: linnaeus_algebra::Coefficient,
{
    (0..m.rows()).map(|i| (0..m.cols()).map(|j| Some(entry(&m[(i, j)], from[j]))).collect()).collect()
}

/// The columns of the channels and those of the constants.
fn split(table: Table, channels: usize) -> (Table, Option<Table>) {
    let has_constants = table.first().is_some_and(|row| row.len() > channels);
    let left = table.iter().map(|row| row[..channels].to_vec()).collect();
    let right = has_constants.then(|| table.iter().map(|row| row[channels..].to_vec()).collect());
    (left, right)
}

fn realization_report<T: linnaeus_algebra::Coefficient>(
    analysis: &Analysis,
    r: &Realization<T>,
    source: &Source,
    spaces: &InputSpaces,
    entry: &dyn Fn(&T, Space) -> String,
) -> RealizationReport {
    let p = analysis.channels.len();
    let (b, e) = split(table(&r.b, &spaces.inputs, entry), p);
    let (d, f) = split(table(&r.d, &spaces.inputs, entry), p);
    RealizationReport {
        states: r.states.iter().map(|s| state_name(analysis, s, source)).collect(),
        a: table(&r.a, &spaces.states, entry),
        b,
        c: table(&r.c, &spaces.states, entry),
        d,
        e,
        f,
    }
}

/// `x[k-1]`, or the call whose answer is remembered.
pub fn state_name(analysis: &Analysis, state: &State, source: &Source) -> String {
    let letter = &analysis.system.letter;
    let at = |offset: i32| match offset {
        0 => format!("[{letter}]"),
        o if o > 0 => format!("[{letter}+{o}]"),
        o => format!("[{letter}{o}]"),
    };
    match state {
        State::Signal(s, offset) => format!("{}{}", analysis.system.signals[*s].name, at(*offset)),
        State::Answer(c, age) => {
            let channel = &analysis.channels[*c];
            let text = source.slice(analysis.system.calls[channel.call].span);
            format!("{text} {}", if *age == -1 { "one step ago".to_string() } else { format!("{} steps ago", -age) })
        }
    }
}

fn channel_report(analysis: &Analysis, channel: &Channel, source: &Source, printer: &EntryPrinter) -> ChannelReport {
    let system = &analysis.system;
    let oracle = &channel.oracle;
    let call = &system.calls[channel.call];
    let (input, output) = (call.input, call.output);
    let name_of = |s: Space| system.space_names.of(&system.spaces, s);
    let space = if system.spaces.same(input, output) {
        name_of(input)
    } else {
        format!("{} -> {}", name_of(input), name_of(output))
    };
    let report = |(c, delay): &(usize, usize)| CallReport {
        text: source.slice(system.calls[*c].span).to_string(),
        delay: *delay,
        span: span_report(source, system.calls[*c].span),
    };
    let sample = call.sample.as_ref().map(|s| source.slice(s.span).to_string());
    ChannelReport {
        oracle: oracle_name(oracle, system, Script::Sympy),
        kind: oracle.kind.word(),
        function: format!("{}{}", oracle.function, star(oracle, Script::Plain)),
        step: oracle.kind.has_step().then(|| printer.scalar(&oracle.step)),
        map: oracle.map.as_ref().map(|map| printer.operators(map)),
        space,
        copy: (channel.copy > 0).then_some(channel.copy),
        sample,
        calls: channel.calls.iter().map(report).collect(),
    }
}

/// A norm without its argument, `\|\cdot\|_{1}` for `norm_1`, and its square, `norm_1_squared`.
fn norm(function: &str) -> Option<String> {
    let (own, power) = function.strip_suffix("_squared").map_or((function, ""), |own| (own, "^{2}"));
    let below = match own.strip_prefix("norm")? {
        "" => String::new(),
        "_nuclear" => "_{*}".to_string(),
        "_inf" => "_{\\infty}".to_string(),
        label => match label.strip_prefix('_')? {
            label if label.contains('_') => return None,
            label if label.chars().count() == 1 || label.chars().all(|c| c.is_ascii_digit()) => format!("_{{{label}}}"),
            label => format!("_{{\\mathrm{{{label}}}}}"),
        },
    };
    Some(format!("\\|\\cdot\\|{below}{power}"))
}

/// What marks the conjugate of a function; of an operator it is the inverse.
fn star(oracle: &Oracle, script: Script) -> &'static str {
    let inverts = oracle.kind == OracleKind::Resolvent;
    match (oracle.conjugate, script) {
        (false, _) => "",
        (true, Script::Latex) if inverts => "^{-1}",
        (true, Script::Unicode) if inverts => "⁻¹",
        (true, _) if inverts => "^-1",
        (true, Script::Latex) => "^{*}",
        (true, _) => "*",
    }
}

/// The oracle as it is written in the plain notation, or in another script.
pub fn oracle_name(oracle: &Oracle, system: &LinearSystem, script: Script) -> String {
    let printer = EntryPrinter { system, script };
    let star = star(oracle, script);
    // Functions keep the spelling of the text: SymPy never reads them.
    let function = if script == Script::Sympy { oracle.function.clone() } else { name(script, &oracle.function) };
    let unnamed = Some(&oracle.function).filter(|_| script == Script::Latex && oracle.kind == OracleKind::Prox);
    let function = unnamed.and_then(|f| norm(f)).unwrap_or(function);
    let f = format!("{function}{star}");
    let one = oracle.step.is_one();
    let step = printer.scalar(&oracle.step);
    let simple = !step.contains(['*', '/', '+', '-', '^', ' ']);
    // Letters stand side by side, words do not.
    let is_letter = |chars: &mut dyn Iterator<Item = char>| !chars.nth(1).is_some_and(char::is_alphabetic);
    let with_step = match script {
        _ if one => f.clone(),
        Script::Unicode if simple && is_letter(&mut step.chars().rev()) && is_letter(&mut f.chars()) => {
            format!("{step}{f}")
        }
        Script::Unicode if simple => format!("{step}·{f}"),
        Script::Latex => format!("{step}{}{f}", gap(&step, &f)),
        _ if simple => format!("{step} {f}"),
        _ => format!("({step}) {f}"),
    };
    use OracleKind::*;
    match (oracle.kind, script) {
        (Gradient, Script::Plain | Script::Sympy) => format!("grad {f}"),
        (Gradient, Script::Unicode) => format!("∇{f}"),
        (Gradient, Script::Latex) => format!("\\nabla {f}"),
        (Subdifferential, Script::Plain | Script::Sympy) => format!("subgrad {f}"),
        (Subdifferential, Script::Unicode) => format!("∂{f}"),
        (Subdifferential, Script::Latex) => format!("\\partial {f}"),
        (Prox, Script::Plain) if one && !oracle.conjugate => format!("prox_{function}"),
        (Prox, Script::Latex) => format!("\\operatorname{{prox}}_{{{with_step}}}"),
        (Prox, _) => format!("prox_{{{with_step}}}"),
        (Projection, Script::Latex) => format!("P_{{{f}}}"),
        (Projection, _) => format!("proj_{function}"),
        (Resolvent, _) => format!("J_{{{with_step}}}"),
        (Reflected, _) => format!("R_{{{with_step}}}"),
        (MoreauGradient, Script::Plain | Script::Sympy) => format!("grad env_{{{with_step}}}"),
        (MoreauGradient, Script::Unicode) => format!("∇env_{{{with_step}}}"),
        (MoreauGradient, Script::Latex) => format!("\\nabla \\operatorname{{env}}_{{{with_step}}}"),
        (Argmin, Script::Latex) => format!("\\operatorname{{argmin}}_{{{with_step}}}"),
        (Argmin, _) => format!("argmin_{{{with_step}}}"),
        (BlackBox, _) => function,
    }
}
