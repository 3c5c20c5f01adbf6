//! What was not understood, or cannot be done, as a Python exception.

use crate::json;
use linnaeus::advice::{Advice, FrontEnd};
use linnaeus::diagnostic::{Diagnostic, Severity};
use linnaeus::report::{DiagnosticReport, diagnostic_report};
use linnaeus::source::Source;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    _native,
    Refusal,
    PyException,
    "Remarks with their places, the same as JSON, and whether a limit is the only reason."
);

/// The remarks on a text as an exception.
pub fn refusal(source: &Source, diagnostics: &[Diagnostic]) -> PyErr {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let is_limited = !errors.is_empty() && errors.iter().all(|d| d.code.is_limit());
    let mut diagnostics = said(diagnostics.to_vec());
    diagnostics.sort_by_key(|d| std::cmp::Reverse(d.severity));
    let told: Vec<DiagnosticReport> = diagnostics.iter().map(|d| diagnostic_report(source, d)).collect();
    Refusal::new_err((rendered(source, &diagnostics), json(&told), is_limited))
}

/// Something that cannot be done, with what to do instead, as an exception.
pub fn denial(advice: &Advice) -> PyErr {
    Refusal::new_err((format!("error: {}", advice.said(FrontEnd::Python)), "[]", false))
}

/// The remarks in the words of Python.
pub fn said(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.into_iter().map(|d| d.said(FrontEnd::Python)).collect()
}

/// The remarks with carets under their places.
pub fn rendered(source: &Source, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|d| d.render(source)).collect()
}
