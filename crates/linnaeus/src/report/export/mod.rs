//! Algorithms in the notations that leave the engine.

mod code;
mod control;
mod latex;
mod markov;
mod names;
mod notation;
mod pepit;
mod relation;
mod sympy;

use super::entry::EntryPrinter;
use super::expression::Script;
use crate::FUEL;
use crate::advice::{Advice, Wish};
use crate::diagnostic::{self, Diagnostic};
use crate::source::Span;
use crate::synthesis::model::changed_name;
use crate::synthesis::{Program, Realized, reason, remedy};
use crate::system::LinearSystem;
use crate::transfer::Explicitness;
pub use code::oracle_argument;
use code::{Code, Language};
use linnaeus_algebra::{RationalFunction, with_fuel};
use notation::{Notation, Style};
pub use relation::sympy_relation;

/// What an algorithm can be written in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// The plain notation.
    Plain,
    /// The plain notation with Greek letters and ∇.
    Unicode,
    /// LaTeX, equations in `align*`.
    Latex,
    /// LaTeX, the environment `algorithmic`.
    Algorithmic,
    /// A Python function.
    Python,
    /// A Julia function.
    Julia,
    /// A SymPy script that derives H.
    Sympy,
    /// A state space of python-control.
    Control,
    /// A PEPit script.
    Pepit,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 9] = [
        Format::Plain,
        Format::Unicode,
        Format::Latex,
        Format::Algorithmic,
        Format::Python,
        Format::Julia,
        Format::Sympy,
        Format::Control,
        Format::Pepit,
    ];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Format::Plain => "plain",
            Format::Unicode => "unicode",
            Format::Latex => "latex",
            Format::Algorithmic => "algorithmic",
            Format::Python => "python",
            Format::Julia => "julia",
            Format::Sympy => "sympy",
            Format::Control => "control",
            Format::Pepit => "pepit",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.word() == word)
    }

    /// Whether the lines are run from top to bottom.
    pub fn runs(self) -> bool {
        matches!(self, Format::Python | Format::Julia | Format::Pepit)
    }
}

/// The algorithm in a format, or why there is none, with the call in the text that is to blame if one is.
pub fn export(realized: &Realized, format: Format) -> Result<String, Box<Diagnostic>> {
    with_fuel(FUEL, || exported(realized, format))
}

/// What cannot be written, and what to do.
pub(super) fn refused(span: Span, message: impl Into<String>, help: impl Into<Advice>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(diagnostic::Code::BadTransform, span, message).help(help))
}

/// Without matrices that commute there is no matrix of the whole.
pub(super) fn no_matrix(system: &LinearSystem) -> Box<Diagnostic> {
    refused(Span::default(), format!("{}: there is no such matrix", reason(system)), remedy(system))
}

/// The work limit was reached.
pub(super) fn too_long() -> Box<Diagnostic> {
    Box::new(crate::limit_work(Span::default()))
}

fn exported(realized: &Realized, format: Format) -> Result<String, Box<Diagnostic>> {
    let program = &realized.program;
    if let (true, Explicitness::Implicit(cycle)) = (format.runs(), &program.explicitness) {
        let message = "an implicit algorithm is no program: calls wait for each other's answers";
        let help = Advice::from(Wish::Realize).then(" says which oracles make it explicit, if any do");
        return Err(refused(program.ports[cycle[0]].span, message, help));
    }
    let model = || realized.model().ok_or_else(|| no_matrix(&program.system));
    match format {
        Format::Plain => Ok(plain(program)),
        Format::Unicode => Ok(unicode(program)),
        Format::Latex => Ok(latex::align(program)),
        Format::Algorithmic => Ok(latex::algorithmic(program)),
        Format::Python | Format::Julia => {
            let language = if format == Format::Python { Language::Python } else { Language::Julia };
            let script = if language == Language::Python { Script::Sympy } else { Script::Plain };
            let renamed = names::avoiding(program, script, code::RESERVED, &Code::made(program));
            let remarks: Vec<String> = renamed.remarks().into_iter().chain(left_out(realized)).collect();
            Ok(Code::new(&renamed.program, language).text(&remarks))
        }
        Format::Sympy => {
            let renamed = names::avoiding(program, Script::Sympy, sympy::RESERVED, &[]);
            sympy::sympy(&renamed, model()?).map_err(|_| too_long())
        }
        Format::Control => control::control(program, model()?).ok_or_else(|| {
            let help = Advice::from("give every parameter a number with ").wish(Wish::Set);
            let open = open_names(&program.system);
            refused(Span::default(), format!("python-control needs numbers, and there are {open}"), help)
        }),
        Format::Pepit => pepit::pepit(program),
    }
}

/// Parameters and operators, which are no numbers.
pub(super) fn open_names(system: &LinearSystem) -> String {
    let operators = system.operators.iter().map(|o| &o.name);
    let names: Vec<String> = system.parameters.iter().chain(operators).map(|n| format!("`{n}`")).collect();
    if names.is_empty() { "roots or functions of numbers".to_string() } else { names.join(", ") }
}

/// What the text stores and the program does not.
fn left_out(realized: &Realized) -> Vec<String> {
    let Some(r) = &realized.reduction else { return Vec::new() };
    let vectors = |n: usize| format!("{n} vector{}", if n == 1 { "" } else { "s" });
    let unreachable = format!(
        "left out: {} of the text that no answer reaches; the program is right where what is left out starts at zero",
        vectors(r.unreachable)
    );
    let unobservable = format!("left out: {} of the text that no query shows", vectors(r.unobservable));
    let told = [(r.unreachable, unreachable), (r.unobservable, unobservable)];
    told.into_iter().filter(|(n, _)| *n > 0).map(|(_, line)| line).collect()
}

/// The program in the plain notation, declarations first.
pub fn plain(program: &Program) -> String {
    lines(program, Style::Plain)
}

/// The same with Greek letters and ∇.
pub fn unicode(program: &Program) -> String {
    lines(program, Style::Unicode)
}

fn lines(program: &Program, style: Style) -> String {
    let notation = Notation::new(program, style);
    let remarks = remarks(program, &|n| n.to_string()).into_iter().map(|l| format!("# {l}"));
    let equations = notation.equations().into_iter().map(|(left, right)| format!("{left} = {right}"));
    remarks.chain(notation.declarations()).chain(equations).map(|l| l + "\n").collect()
}

/// The lines of the plain notation as comments.
fn commented(program: &Program) -> String {
    plain(program).lines().map(|l| format!("# {}\n", l.trim_start_matches("# "))).collect()
}

/// What must be known to read the lines: which variables were changed, and what is divided by.
fn remarks(program: &Program, spelled: &dyn Fn(&str) -> String) -> Vec<String> {
    let system = &program.system;
    let is_used = |n: &String| program.values.iter().any(|v| v.name.stem == *n);
    let changes = system.changes.iter().map(|c| (changed_name(system, c), &c.new)).filter(|(n, _)| is_used(n));
    let changed = changes.filter(|(name, new)| name != *new).map(|(name, new)| format!("{} = {new}", spelled(&name)));
    let printer = EntryPrinter { system, script: Script::Plain };
    let divided = program.nonzero.iter().map(|p| {
        let value = RationalFunction::polynomial(p.clone());
        format!("{} != 0", printer.scalar(&value))
    });
    let inverted = program.inverted.iter().map(|p| format!("{} is invertible", printer.operators(p)));
    changed.chain(divided).chain(inverted).collect()
}
