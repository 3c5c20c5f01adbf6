//! What `compare` says in place of an answer when a text was not read.

use super::show::{Show, show};
use crate::Reading;
use crate::diagnostic::Severity;
use serde::Serialize;

/// The texts that were not read.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    /// The version of this form.
    pub schema: u32,
    /// `undecided` where a limit is the only reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// What that limit is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// One or both.
    pub unread: Vec<UnreadText>,
}

/// A text that was not read.
#[derive(Clone, Debug, Serialize)]
pub struct UnreadText {
    /// `first` or `second`.
    pub input: &'static str,
    /// What `show` says of it.
    #[serde(flatten)]
    pub show: Show,
}

impl Unread {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The texts of a comparison that were not read.
pub fn unread(first: &Reading, second: &Reading) -> Unread {
    let texts = [("first", first), ("second", second)].into_iter().filter(|(_, r)| r.analysis.is_none());
    let verdict = texts.clone().all(|(_, r)| r.is_limited()).then_some("undecided");
    let mistakes = texts.clone().flat_map(|(_, r)| &r.diagnostics).find(|d| d.severity == Severity::Error);
    let limit = mistakes.filter(|_| verdict.is_some()).map(|d| d.message.clone());
    Unread { schema: 1, verdict, limit, unread: texts.map(|(input, r)| UnreadText { input, show: show(r) }).collect() }
}
