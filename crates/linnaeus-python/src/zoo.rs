//! The zoo, Linnaeus' own cards and those of the user.

use crate::comparison::{Comparison, analysis};
use crate::json;
use crate::reading::Reading;
use crate::refusal::refusal;
use linnaeus::report::{self, Filter, MatchReport, Palette, Scope, kind};
use linnaeus::source::Source;
use linnaeus::zoo::graph::Record;
use linnaeus::zoo::{self, Animal};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// Every card that an algorithm is related to.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Identification {
    /// What else was found, as JSON.
    #[pyo3(get)]
    report: String,
    matches: Vec<MatchReport>,
    comparisons: Vec<linnaeus::relation::Comparison>,
}

/// Identifier, slug, name, family, group, answer, and whether coefficients were taken as constants.
type Head = (String, String, String, String, &'static str, String, bool);

#[pymethods]
impl Identification {
    /// What is told of every match: identifier, slug, name, family, group, the answer in one line, and whether
    /// coefficients that change with the index were taken as constants.
    fn heads(&self) -> Vec<Head> {
        let head = |m: &MatchReport| {
            (m.id.clone(), m.slug.clone(), m.name.clone(), m.family.clone(), m.group, m.answer.clone(), m.frozen)
        };
        self.matches.iter().map(head).collect()
    }

    /// All that was found of a match, as JSON.
    fn match_report(&self, place: usize) -> PyResult<String> {
        Ok(json(self.matches.get(place).ok_or_else(|| PyIndexError::new_err(place))?))
    }
}

/// Known algorithms.
#[pyclass(frozen, module = "linnaeus._native")]
pub struct Zoo(pub zoo::Zoo);

impl Zoo {
    fn animal(&self, name: &str) -> PyResult<&Animal> {
        self.0.find(name).ok_or_else(|| PyKeyError::new_err(name.to_string()))
    }
}

#[pymethods]
impl Zoo {
    /// Linnaeus' cards, and cards of the user's: family, slug and text of each, and what is recorded of them.
    #[new]
    #[pyo3(signature = (cards=Vec::new(), record=""))]
    fn new(py: Python<'_>, cards: Vec<(String, String, String)>, record: &str) -> PyResult<Zoo> {
        let mut zoo = py.detach(zoo::Zoo::embedded);
        if cards.is_empty() {
            return Ok(Zoo(zoo));
        }
        let mut own = zoo::Zoo::default();
        for (family, slug, text) in &cards {
            own.add(family, slug, text).map_err(|r| refusal(&r.source, &r.diagnostics))?;
        }
        let record = Record::parse(record).map_err(|problems| refusal(&Source::new(record), &problems))?;
        if let Some(r) = zoo.merge(own, record).first() {
            return Err(refusal(&r.source, &r.diagnostics));
        }
        Ok(Zoo(zoo))
    }

    /// Identifier and slug of every card.
    fn names(&self) -> Vec<(String, String)> {
        self.0.animals().iter().map(|a| (a.card.id.clone(), a.card.slug.clone())).collect()
    }

    /// The slug of a card that is named by its slug or identifier.
    fn find(&self, name: &str) -> Option<String> {
        self.0.find(name).map(|a| a.card.slug.clone())
    }

    /// A card with all that is known of it, as JSON.
    fn card(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let animal = self.animal(name)?;
        Ok(py.detach(|| json(&report::card(&self.0, animal))))
    }

    /// A card for a terminal.
    fn page(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let animal = self.animal(name)?;
        Ok(py.detach(|| report::card_text(&self.0, animal, Palette::Plain)))
    }

    /// The slugs of the cards in which all words occur, of a family, with oracles of these kinds.
    #[pyo3(signature = (words, family=None, oracles=None))]
    fn search(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        family: Option<String>,
        oracles: Option<Vec<String>>,
    ) -> PyResult<Vec<String>> {
        let known = |w: &String| kind(w).ok_or_else(|| PyValueError::new_err(report::no_kind(w)));
        let oracles = oracles.map(|list| list.iter().map(known).collect::<PyResult<_>>()).transpose()?;
        let filter = Filter { family, oracles, words };
        Ok(py.detach(|| report::list(&self.0, &filter).cards.into_iter().map(|c| c.slug).collect()))
    }

    /// Every card that an algorithm is related to.
    fn identify(&self, py: Python<'_>, reading: &Reading) -> PyResult<Identification> {
        let analysis = analysis(&reading.0)?;
        Ok(py.detach(|| {
            let found = zoo::identify(&self.0, &reading.0.source, analysis);
            let mut report = report::identify(&self.0, &reading.0, &found);
            let matches = std::mem::take(&mut report.matches);
            let comparisons = found.matches.into_iter().map(|m| m.comparison).collect();
            Identification { report: json(&report), matches, comparisons }
        }))
    }

    /// How an algorithm, first, is related to a card, as it was found.
    fn comparison(&self, found: &Identification, place: usize, first: &Reading, name: &str) -> PyResult<Comparison> {
        let second = Arc::new(self.animal(name)?.reading().clone());
        let found = found.comparisons.get(place).ok_or_else(|| PyIndexError::new_err(place))?;
        Ok(Comparison { first: first.0.clone(), second, found: found.clone() })
    }

    /// All cards and how they are related, as JSON.
    fn graph(&self, py: Python<'_>, plain: bool) -> String {
        py.detach(|| json(&report::graph(&self.0, scope(plain))))
    }

    /// The same as a picture.
    fn diagram(&self, py: Python<'_>) -> String {
        py.detach(|| report::svg(&report::graph(&self.0, Scope::Plain)))
    }
}

fn scope(plain: bool) -> Scope {
    if plain { Scope::Plain } else { Scope::All }
}
