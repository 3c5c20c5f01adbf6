//! How a text was read: its notation, what every line was taken for, and every guess.

use super::show::{SpanReport, span_report};
use super::text::Palette;
use crate::diagnostic::Severity;
use crate::syntax::ast::{Guess, Line, Role};
use crate::syntax::notation::Notation;
use crate::syntax::print;
use crate::system::{Coefficients, LinearSystem, with_a_map};
use crate::{FUEL, Reading, read_as};
use linnaeus_algebra::SortedSet;
use linnaeus_algebra::{spend, with_fuel};
use serde::Serialize;
use std::fmt::Write;

/// How a text was read.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingReport {
    /// `plain`, `latex`, ….
    pub notation: &'static str,
    /// Every part of the text and what it was taken for, in order.
    pub lines: Vec<LineReport>,
    /// What was not said and custom decided.
    pub guesses: Vec<GuessReport>,
}

/// A part of the text.
#[derive(Clone, Debug, Serialize)]
pub struct LineReport {
    /// Where it is.
    pub span: SpanReport,
    /// What it says.
    pub text: String,
    /// `update`, `definition`, `loop`, ….
    pub role: &'static str,
    /// What was read, in the plain notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
}

/// A name, or a way to write, that could have meant something else.
#[derive(Clone, Debug, Serialize)]
pub struct GuessReport {
    /// As it is written.
    pub name: String,
    /// What it was taken for.
    #[serde(rename = "as")]
    pub taken_as: String,
    /// What to write for the other reading.
    pub declaration: String,
}

/// The reading as data.
pub fn reading_report(reading: &Reading) -> ReadingReport {
    let source = &reading.source;
    let line = |l: &Line| LineReport {
        span: span_report(source, l.span),
        text: source.slice(l.span).to_string(),
        role: role(reading, l).word(),
        read: read(reading, l),
    };
    let guess = |g: Guess| GuessReport { name: g.name, taken_as: g.taken_as, declaration: g.declaration };
    ReadingReport {
        notation: reading.algorithm.notation.word(),
        lines: reading.algorithm.lines.iter().map(line).collect(),
        guesses: guesses(reading).into_iter().map(guess).collect(),
    }
}

/// A line without index is an update where it turned out to give an iterate its value.
pub(super) fn role(reading: &Reading, line: &Line) -> Role {
    let updates = |s: &LinearSystem| s.equations.iter().any(|e| e.span == line.span);
    match (line.role, &reading.analysis) {
        (Role::Definition, Some(analysis)) if updates(&analysis.system) => Role::Update,
        (role, _) => role,
    }
}

/// The statements, declarations and definitions of a line, printed.
pub(super) fn read(reading: &Reading, line: &Line) -> Vec<String> {
    let tree = &reading.algorithm;
    let statements = tree.statements.iter().filter(|s| s.span == line.span).map(print::statement);
    let functions = tree.functions.iter().filter(|f| f.span == line.span);
    let declarations = tree.declarations.iter().filter(|d| d.span == line.span).map(print::declaration);
    let defined = functions.map(|f| format!("{}({}) = {}", f.name, f.variables.join(", "), print::expression(&f.body)));
    statements.chain(defined).chain(declarations).collect()
}

/// Everything that was decided without being told and could be otherwise: a line is offered only where the text can
/// be read with it.
pub fn guesses(reading: &Reading) -> Vec<Guess> {
    with_fuel(FUEL / 20, || offered(reading))
}

fn offered(reading: &Reading) -> Vec<Guess> {
    let tree = &reading.algorithm;
    let mut guesses = tree.guesses.clone();
    guesses.retain(|g| g.declaration.starts_with("write ") || allows(reading, &g.declaration));
    let Some(analysis) = &reading.analysis else { return guesses };
    let system = &analysis.system;
    let told: SortedSet<&str> =
        tree.declarations.iter().flat_map(|d| d.node.names()).map(|n| n.name.as_str()).collect();
    let mut add = |name: &str, taken_as: &str, lines: &[String]| {
        let known = guesses.iter().any(|g| g.name == name);
        if known || told.contains(name) || name.contains(['~', '(', '^']) {
            return;
        }
        if let Some(declaration) = lines.iter().find(|l| l.starts_with("write ") || allows(reading, l)).cloned() {
            guesses.push(Guess { name: name.to_string(), taken_as: taken_as.to_string(), declaration });
        }
    };
    for o in &system.operators {
        // Matrices of data customarily map between two spaces.
        let customary = matches!(o.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'), "A" | "K");
        if customary && system.spaces.same(o.domain, o.codomain) && !(o.plain_used && o.adjoint_used) {
            let taken_as = "square, a linear operator of a space into itself";
            let other = if o.adjoint_used { "" } else { "'" };
            let transposed = if o.adjoint_used { "is not" } else { "is" };
            add(&o.name, taken_as, &[format!("write `{}{other}` where it {transposed} transposed", o.name)]);
        }
        add(&o.name, "a linear operator", &[format!("param {}", o.name)]);
    }
    for c in system.calls.iter().filter(|c| c.oracle.kind == crate::syntax::ast::OracleKind::BlackBox) {
        let f = &c.oracle.function;
        add(f, "an oracle", &[format!("operator {f}: X -> X"), format!("operator {f}: X -> Y")]);
    }
    for f in &system.plain_minimizers {
        add(&format!("argmin_{{… {f}}}"), "a prox, with no operator in its square", &[with_a_map(f)]);
    }
    for c in &system.constants {
        add(&c.name, "a constant vector", &[format!("param {}", c.name)]);
    }
    for n in system.numbers.iter().filter(|n| **n != system.letter) {
        add(n, "a number that changes with the index", &[format!("iterate {n}")]);
    }
    for p in &system.parameters {
        add(p, "a number", &[format!("constant {p}"), format!("operator {p}: X -> X")]);
    }
    guesses
}

/// Whether the text can be read with one more line.
fn allows(reading: &Reading, line: &str) -> bool {
    let text = format!("{line}\n{}", reading.source.text());
    let work = 100 * text.len() as u64;
    spend(work).is_ok() && read_as(&text, reading.algorithm.notation, Coefficients::AsWritten).analysis.is_some()
}

/// How much of a reading is told.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Everything.
    Full,
    /// The plain notation is what its writer meant: of it only warnings, what is no line of the algorithm and what was
    /// guessed of how it is written.
    Brief,
}

/// What is said of a text before an answer about it and another: how it was read, and what is to be noted.
pub fn told(reading: &Reading, palette: Palette) -> String {
    told_in(reading, palette, Detail::Brief)
}

/// How a text was read, and what is to be noted.
pub(super) fn told_in(reading: &Reading, palette: Palette, detail: Detail) -> String {
    let brief = detail == Detail::Brief && reading.algorithm.notation == Notation::Plain;
    let mut out = reading_text(reading, palette, brief);
    for d in reading.diagnostics.iter().filter(|d| !brief || d.severity != Severity::Note) {
        let _ = writeln!(out, "{}", palette.severity(&d.render(&reading.source)));
    }
    out
}

/// The reading for people.
fn reading_text(reading: &Reading, palette: Palette, brief: bool) -> String {
    let tree = &reading.algorithm;
    let name = match tree.notation {
        Notation::Plain => "plain notation",
        Notation::Latex => "LaTeX",
        Notation::Unicode => "mathematical text",
        Notation::Python => "Python",
        Notation::Julia => "Julia",
        Notation::Matlab => "MATLAB",
    };
    let own = |role: Role| matches!(role, Role::Update | Role::Definition | Role::Declaration | Role::Comment);
    let mut out = if brief { String::new() } else { format!("{}\n", palette.heading(&format!("Reading, as {name}"))) };
    for line in tree.lines.iter().filter(|line| !brief || !own(line.role)) {
        let place = reading.source.position(line.span.start).line;
        let role = role(reading, line);
        let printed = read(reading, line);
        let shown = if printed.is_empty() {
            crate::diagnostic::clipped(&reading.source.slice(line.span).replace('\n', " "))
        } else {
            printed.join("; ")
        };
        let ignored = tree.ignored.iter().find(|i| i.span == line.span);
        let reason = ignored.map_or(String::new(), |i| palette.dim(&format!(" ({})", i.reason)));
        let _ = writeln!(out, "  {} {shown}{reason}", palette.dim(&format!("{place:>3} {:<14}", role.word())));
    }
    let all = if brief && tree.guesses.is_empty() { Vec::new() } else { guesses(reading) };
    for Guess { name, taken_as, declaration } in all.iter().filter(|g| !brief || tree.guesses.contains(g)) {
        let _ = writeln!(out, "  {} `{name}` is {taken_as}; otherwise: {declaration}", palette.dim("guess"));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
