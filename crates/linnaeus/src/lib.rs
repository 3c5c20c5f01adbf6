//! Linnaeus tells when two iterative algorithms are the same.
//!
//! The data's path is the table of contents. Text goes through
//! [`syntax`] (→ [`Algorithm`]), [`system`] (→ [`LinearSystem`](system::LinearSystem)),
//! [`transfer`] (→ [`Analysis`]: the realization and the transfer matrix H(z)), and
//! comes out as a [`report`]. [`synthesis`] leads back: from H to algorithms.
//!
//! ```
//! let reading = linnaeus::read("x[k+1] = x[k] - t*grad f(x[k])");
//! let show = reading.report();
//! assert_eq!(show.transfer.unwrap().unwrap()[0][0].as_deref(), Some("-t/(z - 1)"));
//! ```

pub mod advice;
pub mod diagnostic;
pub mod mend;
pub mod operator;
mod prime_field;
pub mod relation;
pub mod report;
pub mod scan;
pub mod simulate;
pub mod source;
pub mod syntax;
pub mod synthesis;
pub mod system;
pub mod transfer;
pub mod zoo;

use diagnostic::{Code, Diagnostic, Severity, has_error};
use linnaeus_algebra::with_fuel;
use source::{Source, Span};
use syntax::ast::{Algorithm, Role, Statement};
use syntax::notation::Notation;
use system::Coefficients;
use system::schedule::{Motion, Schedule};
use transfer::{Analysis, Transfer};

/// The work that one question may take, in coefficient operations: some seconds.
pub const FUEL: u64 = 100_000_000;

/// A text and what was made of it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The text.
    pub source: Source,
    /// Remarks, errors first, then in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The tree that was read.
    pub algorithm: Algorithm,
    /// The algorithm, unless there was an error.
    pub analysis: Option<Analysis>,
}

impl Reading {
    /// Whether the text could not be read because a stated limit was reached, and for no other reason.
    pub fn is_limited(&self) -> bool {
        let mut errors = self.diagnostics.iter().filter(|d| d.severity == Severity::Error).peekable();
        errors.peek().is_some() && errors.all(|d| d.code.is_limit())
    }

    /// Members of chains `a = b = c` that say something else than the one that was read: with the same oracles they
    /// give another H.
    fn differing_members(&self) -> Vec<Diagnostic> {
        let Some(analysis) = &self.analysis else { return Vec::new() };
        let same = |other: &Analysis| {
            let oracles = |a: &Analysis| a.channels.iter().map(|c| c.oracle.clone()).collect::<Vec<_>>();
            let names =
                |a: &Analysis| (a.system.parameters.clone(), a.system.operators.len(), a.system.constants.len());
            let comparable = oracles(other) == oracles(analysis) && names(other) == names(analysis);
            match (&other.transfer, &analysis.transfer) {
                (Transfer::Commuting { h: a, .. }, Transfer::Commuting { h: b, .. }) if comparable => a == b,
                // Nothing is claimed.
                _ => true,
            }
        };
        let differs = |claim: &&Statement| {
            let mut other = self.algorithm.clone();
            let Some(line) = other.statements.iter_mut().find(|s| s.span == claim.span) else { return false };
            line.value = claim.value.clone();
            let system = system::resolve(&other, Coefficients::AsWritten, &mut Vec::new());
            system.and_then(|s| transfer::analyse(s).ok()).is_some_and(|a| !same(&a))
        };
        let told = |claim: &Statement| {
            let message = "this member of the chain is not equal to the one that was read";
            let help = "one of the two has a misprint; leave the wrong one out";
            Diagnostic::warning(Code::Reading, claim.value.span, message).help(help)
        };
        // All members together, however many there are.
        with_fuel(FUEL / 10, || self.algorithm.claims.iter().filter(differs).map(told).collect())
    }

    /// Keeps the lines that say where a sequence begins which goes on by a recursion.
    fn find_starts(&mut self) {
        let Some(analysis) = &mut self.analysis else { return };
        let is_ruled = |s: &&Schedule| matches!(s.motion, Motion::Recursion(_));
        let names: Vec<String> =
            analysis.system.schedules.list.iter().filter(is_ruled).map(|s| s.name.clone()).collect();
        for line in self.algorithm.ignored.iter().filter(|line| line.role == Role::Initialization) {
            let words: Vec<&str> = self.source.text()[line.span.start..line.span.end].split_whitespace().collect();
            let text = words.join(" ").trim_start_matches(['$', ' ']).trim_end_matches(ENDS).to_string();
            if let Some(name) = names.iter().find(|name| sets_first(&text, name)) {
                analysis.system.starts.push((name.clone(), text));
            }
        }
    }

    /// An algorithm that keeps nothing from one iteration to the next, and whose calls do not hear of one another.
    fn nothing_moves(&self) -> Option<Diagnostic> {
        let analysis = self.analysis.as_ref()?;
        let Transfer::Commuting { h, .. } = &analysis.transfer else { return None };
        if analysis.minimal_order > 0 || !h.is_zero() || h.rows() == 0 {
            return None;
        }
        let span = self.algorithm.statements.iter().map(|s| s.span).reduce(Span::to)?;
        let message = "nothing is iterated: no value goes from one iteration to the next";
        let help = "give an iterate its next value, as in `x[k+1] = x[k] - t*grad f(x[k])`";
        Some(Diagnostic::warning(Code::Reading, span, message).help(help))
    }

    /// The reading in the form of a report.
    pub fn report(&self) -> report::Show {
        report::show(self)
    }
}

/// What may stand behind an equation.
const ENDS: [char; 6] = ['$', '\\', ',', '.', ';', ' '];

/// Whether a line has a name on the left of a sign, with a number as its index or none, as `t_0 = 1` or
/// `choose \alpha^{(0)} = 1`.
fn sets_first(line: &str, name: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_set = |(at, _): (usize, &str)| {
        let index = line[at + name.len()..].trim_start_matches(['_', '^', '{', '(', '[', ' ']);
        let behind = index.trim_start_matches(char::is_numeric).trim_start_matches(['}', ')', ']', ' ']);
        let is_assigned = ["=", ":=", "<-", "←", "\\gets", "\\leftarrow"].iter().any(|sign| behind.starts_with(sign));
        !line[..at].ends_with(is_of_word) && is_assigned
    };
    line.match_indices(name).any(is_set)
}

/// Reads an algorithm and computes its transfer matrix.
pub fn read(text: &str) -> Reading {
    read_with(text, Coefficients::AsWritten)
}

/// The same, coefficients that change with the index being kept or frozen.
pub fn read_with(text: &str, coefficients: Coefficients) -> Reading {
    if let Some(reading) = read_transfer(text, coefficients) {
        return reading;
    }
    read_as(text, Notation::detect(text), coefficients)
}

/// A transfer matrix with its oracles is the algorithm that it is realized by; the source is then the text of that.
fn read_transfer(text: &str, coefficients: Coefficients) -> Option<Reading> {
    if !syntax::is_whole_transfer(&Source::new(text)) {
        return None;
    }
    let mut draft = synthesis::read(text, coefficients);
    let realized = draft.given.clone().and_then(|given| report::write_draft(&mut draft, &given, None));
    let Some(realized) = realized else {
        let synthesis::Draft { source, diagnostics, .. } = draft;
        return Some(Reading { source, diagnostics, algorithm: Algorithm::default(), analysis: None });
    };
    let mut reading = read_as(&report::plain(&realized.program), Notation::Plain, coefficients);
    let whole = Span::new(0, reading.source.text().trim_end().len());
    reading.diagnostics.push(Diagnostic::note(whole, "these lines were written for the transfer matrix"));
    Some(reading)
}

/// The same, in a notation.
pub fn read_as(text: &str, notation: Notation, coefficients: Coefficients) -> Reading {
    let source = Source::new(text);
    let (algorithm, mut diagnostics) = syntax::parse_as(&source, notation);
    let analysis = with_fuel(FUEL, || {
        // Names are not worth judging while lines are missing.
        if has_error(&diagnostics) {
            return None;
        }
        let system = system::resolve(&algorithm, coefficients, &mut diagnostics)?;
        transfer::analyse(system).map_err(|problem| diagnostics.push(problem)).ok()
    });
    let mut reading = Reading { source, diagnostics, algorithm, analysis };
    reading.find_starts();
    let still = reading.nothing_moves();
    reading.diagnostics.extend(still);
    let differing = reading.differing_members();
    reading.diagnostics.extend(differing);
    reading.diagnostics.sort_by_key(|d| (std::cmp::Reverse(d.severity), d.span));
    reading.diagnostics = diagnostic::once(reading.diagnostics);
    reading
}

/// The limit of work was reached.
pub(crate) fn limit_work(span: Span) -> Diagnostic {
    Diagnostic::error(Code::LimitWork, span, "the computation was stopped: it takes too long")
        .help("use fewer parameters, or give numbers for some of them")
}
