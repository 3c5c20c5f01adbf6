//! The front ends, and what must hold of whatever they read.

use linnaeus::Reading;
use linnaeus::diagnostic::{Diagnostic, Severity};
use linnaeus::source::{Source, Span};
use linnaeus::syntax::notation::Notation;
use linnaeus::system::Coefficients;

/// A way into Linnaeus.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FrontEnd {
    /// An algorithm in a notation.
    Algorithm(Notation),
    /// A transfer matrix as text.
    Transfer,
    /// A card of the zoo.
    Card,
}

impl FrontEnd {
    /// All of them.
    pub const ALL: &'static [FrontEnd] = &[
        FrontEnd::Algorithm(Notation::Plain),
        FrontEnd::Algorithm(Notation::Latex),
        FrontEnd::Algorithm(Notation::Unicode),
        FrontEnd::Algorithm(Notation::Python),
        FrontEnd::Algorithm(Notation::Julia),
        FrontEnd::Algorithm(Notation::Matlab),
        FrontEnd::Transfer,
        FrontEnd::Card,
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            FrontEnd::Algorithm(notation) => notation.word(),
            FrontEnd::Transfer => "transfer",
            FrontEnd::Card => "card",
        }
    }

    /// The front end of a name.
    pub fn from_word(word: &str) -> Option<FrontEnd> {
        FrontEnd::ALL.iter().copied().find(|f| f.word() == word)
    }

    /// Whether a text is taken as it is.
    pub fn reads(self, text: &str) -> bool {
        match self {
            FrontEnd::Algorithm(notation) => {
                let (algorithm, diagnostics) = linnaeus::syntax::parse_as(&Source::new(text), notation);
                !algorithm.statements.is_empty() && diagnostics.iter().all(|d| d.severity != Severity::Error)
            }
            FrontEnd::Transfer => linnaeus::syntax::is_transfer(&Source::new(text)),
            FrontEnd::Card => linnaeus::zoo::card::parse("family", "slug", &Source::new(text)).is_ok(),
        }
    }

    /// Reads a text; what is wrong with the reading, if anything is.
    pub fn check(self, text: &str) -> Result<(), String> {
        match self {
            FrontEnd::Algorithm(notation) => {
                let reading = linnaeus::read_as(text, notation, Coefficients::AsWritten);
                reading.report();
                sensible(text, &reading)
            }
            FrontEnd::Transfer => {
                let draft = linnaeus::synthesis::read(text, Coefficients::AsWritten);
                let errors = draft.diagnostics.iter().any(|d| d.severity == Severity::Error);
                if draft.given.is_some() == errors {
                    return Err("a matrix and an error, or neither".to_string());
                }
                draft.diagnostics.iter().try_for_each(|d| in_place(text, d, &draft.source))
            }
            FrontEnd::Card => {
                let source = Source::new(text);
                match linnaeus::zoo::card::parse("family", "slug", &source) {
                    Ok(_) => Ok(()),
                    Err(found) if found.is_empty() => Err("refused without a reason".to_string()),
                    Err(found) => found.iter().try_for_each(|d| in_place(text, d, &source)),
                }
            }
        }
    }
}

/// An answer or an error, places inside the text, and every line told of.
fn sensible(text: &str, reading: &Reading) -> Result<(), String> {
    let errors = reading.diagnostics.iter().any(|d| d.severity == Severity::Error);
    if reading.analysis.is_some() == errors {
        return Err("an answer and an error, or neither".to_string());
    }
    reading.diagnostics.iter().try_for_each(|d| in_place(text, d, &reading.source))?;
    let algorithm = &reading.algorithm;
    let lines = algorithm.lines.iter().map(|l| l.span);
    let statements = algorithm.statements.iter().map(|s| s.span);
    for span in lines.clone().chain(statements) {
        inside(text, span)?;
    }
    let told: Vec<Span> = lines.chain(reading.diagnostics.iter().map(|d| d.span)).collect();
    let whole = reading.is_limited();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let from = start + (line.len() - line.trim_start().len());
        let to = from + body.len();
        // A limit speaks for the whole text.
        if !body.is_empty() && !whole && told.iter().all(|s| s.end <= from || to <= s.start) {
            return Err(format!("{body:?} is not told of"));
        }
        start += line.len();
    }
    Ok(())
}

fn in_place(text: &str, found: &Diagnostic, source: &Source) -> Result<(), String> {
    inside(text, found.span)?;
    found.labels.iter().try_for_each(|l| inside(text, l.span))?;
    if found.severity == Severity::Error && found.help.is_none() {
        return Err(format!("{:?} has no help", found.message));
    }
    if found.render(source).is_empty() { Err("nothing is said".to_string()) } else { Ok(()) }
}

fn inside(text: &str, span: Span) -> Result<(), String> {
    text.get(span.range()).map(|_| ()).ok_or_else(|| format!("{span:?} is no place in the text"))
}
