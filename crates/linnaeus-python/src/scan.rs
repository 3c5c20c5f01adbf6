//! The algorithms of papers. What takes long is done in parts, so that Python can share it among threads.

use crate::json;
use crate::reading::Reading;
use crate::refusal::said;
use crate::zoo::Zoo;
use linnaeus::advice::FrontEnd;
use linnaeus::report::{self, Findings, Names};
use linnaeus::scan::{Listing, Listings, Pair, Paper, pairs};
use linnaeus::transfer::Analysis;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Papers and the algorithms in them, which are numbered through all papers from 0.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Papers(Vec<(Paper, Listings)>);

/// What the zoo says of an algorithm.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Named(Names);

/// Two algorithms that are related, or may be.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Related(Pair);

impl Papers {
    fn all(&self) -> Vec<&Listing> {
        self.0.iter().flat_map(|(_, l)| &l.list).collect()
    }

    fn listing(&self, place: usize) -> PyResult<&Listing> {
        self.all().get(place).copied().ok_or_else(|| PyIndexError::new_err(place))
    }

    fn analysis(&self, place: usize) -> PyResult<Option<&Analysis>> {
        Ok(self.listing(place)?.reading.analysis.as_ref())
    }
}

#[pymethods]
impl Papers {
    /// Papers by name and text; `load` is asked for what a paper includes.
    #[new]
    fn new(py: Python<'_>, papers: Vec<(String, String)>, load: Py<PyAny>) -> PyResult<Papers> {
        let mut failed = None;
        let mut asked = |paper: &str, wanted: &str| {
            let answer = Python::attach(|py| load.call1(py, (paper, wanted))?.extract::<Option<String>>(py));
            answer.unwrap_or_else(|error| {
                failed.get_or_insert(error);
                None
            })
        };
        let read = py.detach(|| {
            let one = |(name, text): &(String, String)| {
                let paper = Paper::new(name, text, &mut |wanted| asked(name, wanted));
                let mut listings = paper.listings();
                listings.list.iter_mut().for_each(in_python);
                (paper, listings)
            };
            papers.iter().map(one).collect()
        });
        failed.map_or(Ok(Papers(read)), Err)
    }

    fn __len__(&self) -> usize {
        self.all().len()
    }

    /// What was read of an algorithm.
    fn reading(&self, place: usize) -> PyResult<Reading> {
        Ok(Reading(Arc::new(self.listing(place)?.reading.clone())))
    }

    /// What the zoo says of an algorithm.
    fn named(&self, py: Python<'_>, zoo: &Zoo, place: usize) -> PyResult<Named> {
        let listing = self.listing(place)?;
        Ok(Named(py.detach(|| report::names(&zoo.0, listing))))
    }

    /// The pairs whose calls allow a relation.
    fn candidates(&self, py: Python<'_>) -> Vec<(usize, usize)> {
        py.detach(|| {
            let analyses: Vec<Option<&Analysis>> = self.all().iter().map(|l| l.reading.analysis.as_ref()).collect();
            pairs::candidates(&analyses)
        })
    }

    /// Compares two algorithms; none if they are not related.
    fn pair(&self, py: Python<'_>, first: usize, second: usize) -> PyResult<Option<Related>> {
        let (Some(a), Some(b)) = (self.analysis(first)?, self.analysis(second)?) else { return Ok(None) };
        Ok(py.detach(|| pairs::pair((first, a), (second, b))).map(Related))
    }

    /// All that was found, as JSON.
    fn report(&self, names: Vec<PyRef<'_, Named>>, pairs: Vec<PyRef<'_, Related>>) -> String {
        let (names, pairs) = found(&names, &pairs);
        json(&report::scan(Findings { papers: &self.0, names: &names, pairs: &pairs }))
    }

    /// The same for a terminal.
    fn page(&self, names: Vec<PyRef<'_, Named>>, pairs: Vec<PyRef<'_, Related>>) -> String {
        let (names, pairs) = found(&names, &pairs);
        report::scan_text(Findings { papers: &self.0, names: &names, pairs: &pairs }, report::Palette::Plain)
    }
}

/// Remarks on an algorithm in the words of Python.
fn in_python(listing: &mut Listing) {
    listing.reading.diagnostics = said(std::mem::take(&mut listing.reading.diagnostics));
    for problem in &mut listing.problems {
        problem.help = problem.help.take().map(|advice| advice.said(FrontEnd::Python).into());
    }
}

fn found(names: &[PyRef<'_, Named>], pairs: &[PyRef<'_, Related>]) -> (Vec<Names>, Vec<Pair>) {
    (names.iter().map(|n| n.0.clone()).collect(), pairs.iter().map(|p| p.0.clone()).collect())
}
