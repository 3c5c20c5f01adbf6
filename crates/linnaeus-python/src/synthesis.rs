//! Algorithms written anew.

use crate::json;
use crate::reading::Reading;
use crate::refusal::{denial, refusal};
use linnaeus::advice::Advice;
use linnaeus::diagnostic::Diagnostic;
use linnaeus::report::expression::Script;
use linnaeus::report::{self, Format};
use linnaeus::source::Source;
use linnaeus::synthesis::{self, Changed, Coordinates, Denied, Draft, Given, Granted, Realized, Request};
use linnaeus::system::{Coefficients, Operator};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What may be given: an algorithm that was read, or the text of a transfer matrix.
#[derive(FromPyObject)]
pub enum Original<'py> {
    /// An algorithm.
    Reading(Bound<'py, Reading>),
    /// `H = [[…]]; oracles: …`.
    Text(String),
}

impl Original<'_> {
    /// A copy that no Python thread can take away.
    fn detached(&self) -> Detached {
        match self {
            Original::Reading(reading) => Detached::Reading(reading.get().0.clone()),
            Original::Text(text) => Detached::Text(text.clone()),
        }
    }
}

enum Detached {
    Reading(std::sync::Arc<linnaeus::Reading>),
    Text(String),
}

impl Detached {
    fn draft(&self) -> Draft {
        match self {
            Detached::Reading(reading) => synthesis::draft(reading),
            Detached::Text(text) => synthesis::read(text, Coefficients::AsWritten),
        }
    }
}

/// Why nothing was written.
enum Stop {
    Remarks(Source, Vec<Diagnostic>),
    Advice(Advice),
}

impl From<Draft> for Stop {
    fn from(draft: Draft) -> Stop {
        Stop::Remarks(draft.source, draft.diagnostics)
    }
}

impl From<Denied> for Stop {
    fn from(denied: Denied) -> Stop {
        Stop::Remarks(denied.source, vec![*denied.diagnostic])
    }
}

impl From<Stop> for PyErr {
    fn from(stop: Stop) -> PyErr {
        match stop {
            Stop::Remarks(source, diagnostics) => refusal(&source, &diagnostics),
            Stop::Advice(advice) => denial(&advice),
        }
    }
}

/// The algorithm with a state of choice, with matrices and cost, as JSON.
#[pyfunction]
#[pyo3(signature = (original, state=None, wishes=None))]
pub fn realize(
    py: Python<'_>,
    original: Original<'_>,
    state: Option<&str>,
    wishes: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let (original, request, state) = (original.detached(), request(wishes)?, coordinates(state)?);
    let made = || -> Result<String, Stop> {
        let (draft, realized) = written(original.draft(), &request, state, report::write_draft)?;
        Ok(json(&report::realize(&draft.source, &draft.diagnostics, Some(&realized))))
    };
    Ok(py.detach(made)?)
}

/// The algorithm in a format, implicit or not.
#[pyfunction]
#[pyo3(signature = (original, format, state=None, wishes=None))]
pub fn export(
    py: Python<'_>,
    original: Original<'_>,
    format: &str,
    state: Option<&str>,
    wishes: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let (original, request, state) = (original.detached(), request(wishes)?, coordinates(state)?);
    let format = Format::from_word(format).ok_or_else(|| {
        let known = Format::ALL.map(Format::word).join(", ");
        PyValueError::new_err(format!("there is no format `{format}`; there are {known}"))
    })?;
    // What is run from top to bottom must not be implicit.
    let write = if format.runs() { report::realize_draft } else { report::write_draft };
    let made = || -> Result<String, Stop> {
        let (draft, realized) = written(original.draft(), &request, state, write)?;
        report::export(&realized, format).map_err(|why| Stop::Remarks(draft.source.clone(), vec![*why]))
    };
    Ok(py.detach(made)?)
}

/// Another algorithm, made of this one, in the plain notation.
#[pyfunction]
pub fn transform(py: Python<'_>, original: Original<'_>, state: &str, wishes: &Bound<'_, PyDict>) -> PyResult<String> {
    let (original, request, state) = (original.detached(), request(Some(wishes))?, coordinates(Some(state))?);
    let made = || written(original.draft(), &request, state, report::write_draft);
    Ok(py.detach(|| made().map(|(_, made)| report::plain(&made.program)))?)
}

/// The text of a transfer matrix, `H = [[…]]; oracles: …`, as formulas in lowest terms.
#[pyfunction]
pub fn matrix(py: Python<'_>, text: &str) -> PyResult<String> {
    let made = || -> Result<String, Stop> {
        let mut draft = synthesis::read(text, Coefficients::AsWritten);
        if let Some(Given::Improper(matrix)) = &draft.given {
            draft.diagnostics.push(report::improper(matrix));
        }
        let Some(Given::Commuting(model)) = &draft.given else { return Err(draft.into()) };
        let table =
            |script| report::transfer(model, script).map_err(|limit| Stop::Remarks(draft.source.clone(), vec![limit]));
        let spellings = report::spellings(&model.system);
        let operator = |o: &Operator| spellings.iter().find(|(own, _)| *own == o.name).map(|(_, n)| n.clone());
        let operators: Vec<String> = model.system.operators.iter().filter_map(operator).collect();
        let told = serde_json::json!({
            "oracles": report::oracles(model),
            "transfer": table(Script::Sympy)?.typed,
            "scalar": table(Script::Sympy)?.scalar,
            "latex": table(Script::Latex)?.typed,
            "spellings": spellings,
            "operators": operators,
        });
        Ok(told.to_string())
    };
    Ok(py.detach(made)?)
}

/// Every way to write it, as JSON.
#[pyfunction]
#[pyo3(signature = (original, own_oracles, wishes=None))]
pub fn forms(
    py: Python<'_>,
    original: Original<'_>,
    own_oracles: bool,
    wishes: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let (original, request) = (original.detached(), request(wishes)?);
    let made = || -> Result<String, Stop> {
        let draft = original.draft();
        let Some(given) = &draft.given else { return Err(draft.into()) };
        let (found, assumptions) = synthesis::forms_of(given, &request, own_oracles)?;
        Ok(json(&report::forms(&draft.source, &draft.diagnostics, &found, &assumptions)))
    };
    Ok(py.detach(made)?)
}

/// Writes what a text gives with a state, or says why it cannot.
type Write = fn(&mut Draft, &Given, Option<Coordinates>) -> Option<Realized>;

/// The algorithm with what is asked done to it.
fn written(
    mut draft: Draft,
    request: &Request,
    state: Option<Coordinates>,
    write: Write,
) -> Result<(Draft, Realized), Stop> {
    let Some(given) = &draft.given else { return Err(draft.into()) };
    let granted = match (!request.is_empty()).then(|| request.change(given)).transpose()? {
        Some(changed @ Changed::Words { .. }) => {
            draft.given = Some(changed.given());
            return wrote(draft, None, state, write);
        }
        Some(Changed::Commuting(granted)) => Some(*granted),
        None => None,
    };
    if let Some(realized) = granted.as_ref().and_then(|g| g.unrolled(state)) {
        return Ok((draft, realized));
    }
    wrote(draft, granted, state, write)
}

fn wrote(
    draft: Draft,
    granted: Option<Granted>,
    state: Option<Coordinates>,
    write: Write,
) -> Result<(Draft, Realized), Stop> {
    let (mut draft, given) = shifted(draft, granted)?;
    match write(&mut draft, &given, state) {
        Some(realized) => Ok((draft, realized)),
        None => Err(draft.into()),
    }
}

/// What the text gives, with what is asked done to it.
fn shifted(draft: Draft, granted: Option<Granted>) -> Result<(Draft, Given), Stop> {
    let given = match (&draft.given, granted) {
        (None, _) => return Err(draft.into()),
        (Some(given), None) => given.clone(),
        (Some(_), Some(Granted { model, freedom, .. })) => {
            let shifted = match &freedom.shift {
                None => Ok(Some(model)),
                Some(m) => model.shifted(m),
            };
            match shifted {
                Ok(Some(model)) => Given::Commuting(model),
                _ => return Err(Stop::Advice("the calls cannot be shifted like that".into())),
            }
        }
    };
    Ok((draft, given))
}

fn coordinates(word: Option<&str>) -> PyResult<Option<Coordinates>> {
    let known = |word| {
        Coordinates::from_word(word).ok_or_else(|| {
            let known = "minimal, as-written, answers, queries, controllable, observable";
            PyValueError::new_err(format!("there is no state `{word}`; there are {known}"))
        })
    };
    word.map(known).transpose()
}

fn request(wishes: Option<&Bound<'_, PyDict>>) -> PyResult<Request> {
    let Some(wishes) = wishes else { return Ok(Request::default()) };
    let list = |name: &str| -> PyResult<Vec<String>> { wishes.get_item(name)?.map_or(Ok(Vec::new()), |v| v.extract()) };
    let text = |name: &str| -> PyResult<Option<String>> { wishes.get_item(name)?.map(|v| v.extract()).transpose() };
    Ok(Request {
        set: list("set")?,
        delete: list("delete")?,
        filter: list("filter")?,
        permute: list("permute")?,
        conjugate: list("conjugate")?,
        dual: wishes.get_item("dual")?.map_or(Ok(false), |v| v.extract())?,
        oracles: text("oracles")?,
        repeat: wishes.get_item("repeat")?.map(|v| v.extract()).transpose()?,
        shift: text("shift")?,
    })
}
