//! What the page asks for, as JSON; every field may be left out.

use linnaeus::advice::FrontEnd;
use linnaeus::diagnostic::{Code, Diagnostic};
use linnaeus::report;
use linnaeus::synthesis::{Coordinates, Denied, Draft, Given, Request, read};
use linnaeus::system::Coefficients;
use serde::Deserialize;

/// What is to be done to an algorithm before it is written; the words are those of the command line.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    set: Vec<String>,
    delete: Vec<String>,
    filter: Vec<String>,
    permute: Vec<String>,
    conjugate: Vec<String>,
    dual: bool,
    oracles: Option<String>,
    repeat: Option<usize>,
    shift: Option<String>,
    state: Option<String>,
    /// Only the oracles of the text.
    pub own_oracles: bool,
    freeze: bool,
    /// Whether what to do about a change that cannot be made is said in the words of the page, rather than of the command.
    in_page_words: bool,
}

impl Changes {
    /// The changes that a text asks for; an empty one asks for none.
    pub fn new(json: &str) -> Result<Changes, String> {
        if json.is_empty() {
            return Ok(Changes::default());
        }
        serde_json::from_str(json).map_err(|e| e.to_string())
    }

    /// The text as it is.
    pub fn draft(&self, text: &str) -> Draft {
        read(text, if self.freeze { Coefficients::Frozen } else { Coefficients::AsWritten })
    }

    /// What is stored.
    pub fn coordinates(&self) -> Option<Coordinates> {
        self.state.as_deref().and_then(Coordinates::from_word)
    }

    /// The request.
    pub fn request(&self) -> Request {
        Request {
            set: self.set.clone(),
            delete: self.delete.clone(),
            filter: self.filter.clone(),
            permute: self.permute.clone(),
            conjugate: self.conjugate.clone(),
            dual: self.dual,
            oracles: self.oracles.clone(),
            repeat: self.repeat,
            shift: self.shift.clone(),
        }
    }

    /// The algorithm with all that is asked done to it; none if the text was refused.
    pub fn granted(&self, draft: &Draft) -> Result<Option<Given>, Denied> {
        let request = self.request();
        match &draft.given {
            Some(given) if !request.is_empty() => Ok(Some(request.change(given)?.given())),
            other => Ok(other.clone()),
        }
    }

    /// What makes an algorithm implicit, if that is the oracles that were asked for.
    pub fn implicit(&self, draft: &mut Draft) -> Option<Denied> {
        let asked = self.oracles.as_ref()?;
        let at = draft.diagnostics.iter().position(|d| d.code == Code::Implicit)?;
        Some(Denied::about(asked, draft.diagnostics.remove(at)))
    }

    /// A remark in the words that were asked for.
    pub fn said(&self, d: Diagnostic) -> Diagnostic {
        if self.in_page_words { d.said(FrontEnd::Page) } else { d }
    }

    /// The remarks on a text.
    pub fn remarks(&self, draft: &Draft) -> Vec<Diagnostic> {
        draft.diagnostics.iter().cloned().map(|d| self.said(d)).collect()
    }

    /// Why what is asked cannot be done, as the answer.
    pub fn denied(&self, denied: Denied) -> String {
        report::realize(&denied.source, &[self.said(*denied.diagnostic)], None).to_json()
    }
}

/// How an algorithm is run.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    problem: String,
    iterations: usize,
    set: Vec<(String, f64)>,
    assign: Vec<(String, String)>,
}

impl Default for Run {
    fn default() -> Run {
        Run { problem: "lasso".to_string(), iterations: 200, set: Vec::new(), assign: Vec::new() }
    }
}

impl Run {
    /// What a text asks for; an empty one leaves all to be chosen.
    pub fn request(json: &str) -> Result<linnaeus::simulate::Request, String> {
        let run: Run = if json.is_empty() { Ok(Run::default()) } else { serde_json::from_str(json) }
            .map_err(|e: serde_json::Error| e.to_string())?;
        let Run { problem, iterations, set, assign } = run;
        Ok(linnaeus::simulate::Request { problem, iterations, set, assign })
    }
}
