//! A text and what was made of it.

use crate::json;
use crate::refusal::{rendered, said};
use linnaeus::report::expression::Script;
use linnaeus::report::{self, Inside, Palette};
use linnaeus::syntax::notation::Notation;
use linnaeus::system::Coefficients;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A text and what was made of it.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Reading(pub Arc<linnaeus::Reading>);

/// The words for all notations.
#[pyfunction]
pub fn notations() -> Vec<&'static str> {
    Notation::ALL.iter().map(|n| n.word()).collect()
}

/// The script of a word.
pub fn script(word: &str) -> PyResult<Script> {
    match word {
        "plain" => Ok(Script::Plain),
        "sympy" => Ok(Script::Sympy),
        "unicode" => Ok(Script::Unicode),
        "latex" => Ok(Script::Latex),
        _ => Err(PyValueError::new_err(format!("there is no script `{word}`"))),
    }
}

#[pymethods]
impl Reading {
    #[new]
    #[pyo3(signature = (text, notation=None, freeze=false))]
    fn new(py: Python<'_>, text: &str, notation: Option<&str>, freeze: bool) -> PyResult<Reading> {
        let notation = match notation {
            None => Notation::detect(text),
            Some(word) => Notation::from_word(word).ok_or_else(|| {
                let known = notations().join(", ");
                PyValueError::new_err(format!("there is no notation `{word}`; there are {known}"))
            })?,
        };
        let coefficients = if freeze { Coefficients::Frozen } else { Coefficients::AsWritten };
        let mut reading = py.detach(|| linnaeus::read_as(text, notation, coefficients));
        reading.diagnostics = said(reading.diagnostics);
        Ok(Reading(Arc::new(reading)))
    }

    /// Whether the text was understood.
    #[getter]
    fn is_read(&self) -> bool {
        self.0.analysis.is_some()
    }

    /// Whether it was not, and a limit is the only reason.
    #[getter]
    fn is_limited(&self) -> bool {
        self.0.is_limited()
    }

    /// The parameters as the text spells them.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.0.analysis.as_ref().map_or(Vec::new(), |a| a.system.parameters.clone())
    }

    /// Numbers and operators as the text spells them, and as formulas do.
    #[getter]
    fn spellings(&self) -> Vec<(String, String)> {
        self.0.analysis.as_ref().map_or(Vec::new(), |a| report::spellings(&a.system))
    }

    /// All that is known of it, as JSON, formulas in a script.
    #[pyo3(signature = (script="sympy"))]
    fn show(&self, py: Python<'_>, script: &str) -> PyResult<String> {
        let script = self::script(script)?;
        Ok(py.detach(|| json(&report::show_in(&self.0, script))))
    }

    /// The same for a terminal.
    fn page(&self, py: Python<'_>) -> String {
        py.detach(|| report::text(&self.0, Palette::Plain))
    }

    /// The transfer matrix and the realization in LaTeX.
    fn latex(&self, py: Python<'_>) -> String {
        py.detach(|| report::latex(&self.0))
    }

    /// The lines of the text in LaTeX.
    fn equations(&self, py: Python<'_>) -> String {
        py.detach(|| report::equations(&self.0))
    }

    /// The remarks with carets under their places.
    fn remarks(&self) -> String {
        rendered(&self.0.source, &self.0.diagnostics)
    }

    /// The block diagram as SVG, with the transfer function or with the states.
    fn diagram(&self, py: Python<'_>, states: bool) -> Option<String> {
        let inside = if states { Inside::States } else { Inside::Transfer };
        py.detach(|| report::block_diagram(&self.0, inside))
    }
}
