//! Two algorithms compared.

use crate::json;
use crate::reading::{Reading, script};
use crate::refusal::denial;
use linnaeus::relation::{self, Relation, Verdict};
use linnaeus::report;
use linnaeus::transfer::Analysis;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Two algorithms compared.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Comparison {
    pub first: Arc<linnaeus::Reading>,
    pub second: Arc<linnaeus::Reading>,
    pub found: relation::Comparison,
}

impl Comparison {
    fn analyses(&self) -> PyResult<(&Analysis, &Analysis)> {
        Ok((analysis(&self.first)?, analysis(&self.second)?))
    }
}

/// What was computed of a text.
pub fn analysis(reading: &linnaeus::Reading) -> PyResult<&Analysis> {
    reading.analysis.as_ref().ok_or_else(|| PyValueError::new_err("the text was not read"))
}

#[pymethods]
impl Comparison {
    #[new]
    #[pyo3(signature = (first, second, only=None))]
    fn new(py: Python<'_>, first: &Reading, second: &Reading, only: Option<&str>) -> PyResult<Comparison> {
        let (first, second) = (first.0.clone(), second.0.clone());
        let (a, b) = (analysis(&first)?, analysis(&second)?);
        let only = only.map(wanted).transpose()?;
        let found = py.detach(|| relation::compare(a, b, only));
        Ok(Comparison { first, second, found })
    }

    /// What was found, as JSON, formulas in a script.
    #[pyo3(signature = (script="sympy"))]
    fn report(&self, py: Python<'_>, script: &str) -> PyResult<String> {
        let (script, (a, b)) = (self::script(script)?, self.analyses()?);
        Ok(py.detach(|| {
            let mut report = report::compare_in(a, b, &self.found, script);
            report.readings = [&self.first, &self.second].map(|r| report::reading_report(r)).into();
            json(&report)
        }))
    }

    /// The same for a terminal.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        let (a, b) = self.analyses()?;
        Ok(py.detach(|| report::compare_text(a, b, &self.found)))
    }

    /// The statement and its proof in LaTeX.
    fn proof(&self, py: Python<'_>) -> String {
        py.detach(|| report::proof(&self.first, &self.second, &self.found))
    }

    /// A SymPy script that checks the relation, or why there is none.
    fn script(&self, py: Python<'_>) -> PyResult<String> {
        let (a, b) = self.analyses()?;
        let made = || report::sympy_relation((a, &self.first.source), (b, &self.second.source), &self.found);
        py.detach(made).map_err(|advice| denial(&advice))
    }

    /// Both unrolled in time, as SVG, where they are related.
    fn diagram(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let (a, b) = self.analyses()?;
        let is_related = matches!(self.found.verdict, Verdict::Related(_));
        Ok(py.detach(|| is_related.then(|| report::unrolled(a, b, &self.found)).flatten()))
    }
}

fn wanted(word: &str) -> PyResult<Relation> {
    Relation::from_word(word).ok_or_else(|| {
        let known = Relation::ALL.map(Relation::word).join(", ");
        PyValueError::new_err(format!("there is no relation `{word}`; there are {known}"))
    })
}
