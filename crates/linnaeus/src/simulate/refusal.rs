//! Why nothing was run, and which text or option is to blame.

use crate::advice::Advice;
use crate::diagnostic::{Code, Diagnostic};
use crate::relation::behavior::Side;
use crate::source::Span;

/// What a refusal is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blame {
    /// One of the algorithms.
    Text(Side),
    /// An option as it was given: `--set t=1`.
    Option(String),
}

/// Why nothing was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where the remark belongs.
    pub blame: Blame,
    /// The remark.
    pub diagnostic: Box<Diagnostic>,
}

impl Refusal {
    /// A remark on a part of a text; an empty part if none is to blame.
    pub fn text(side: Side, span: Span, message: impl Into<String>) -> Refusal {
        let diagnostic = Diagnostic::error(Code::BadTransform, span, message);
        Refusal { blame: Blame::Text(side), diagnostic: Box::new(diagnostic) }
    }

    /// A remark on what an option was given.
    pub fn option(name: &str, given: &str, message: impl Into<String>) -> Refusal {
        let text = format!("{name} {given}");
        let span = Span::new(name.len() + 1, text.len());
        let diagnostic = Diagnostic::error(Code::BadTransform, span, message);
        Refusal { blame: Blame::Option(text), diagnostic: Box::new(diagnostic) }
    }

    /// With what to do.
    pub fn help(mut self, help: impl Into<Advice>) -> Refusal {
        self.diagnostic = Box::new(self.diagnostic.help(help));
        self
    }

    /// Because of a stated limit.
    pub fn limit(mut self, code: Code) -> Refusal {
        self.diagnostic.code = code;
        self
    }

    /// Whether a limit was reached.
    pub fn is_limit(&self) -> bool {
        self.diagnostic.code.is_limit()
    }

    /// The remark in one line.
    pub fn told(&self) -> String {
        match &self.diagnostic.help {
            Some(help) => format!("{}; {help}", self.diagnostic.message),
            None => self.diagnostic.message.clone(),
        }
    }
}
