//! What `forms` says.

use super::export::plain;
use super::realize::{CostReport, oracle_names};
use super::show::{DiagnosticReport, diagnostic_report};
use crate::diagnostic::Diagnostic;
use crate::source::Source;
use crate::synthesis::{Form, Forms};
use crate::transfer::Explicitness;
use serde::Serialize;

/// Ways to write an algorithm, the cheapest first.
#[derive(Clone, Debug, Serialize)]
pub struct FormsReport {
    /// The version of this form.
    pub schema: u32,
    /// The ways.
    pub forms: Vec<FormReport>,
    /// Whether these are all.
    pub complete: bool,
    /// Whether there are infinitely many shifts, of which the nearest are listed.
    pub infinite: bool,
    /// What must hold for them to be the algorithm of the text.
    pub assumptions: Vec<String>,
    /// Remarks.
    pub diagnostics: Vec<DiagnosticReport>,
}

/// One way to write it.
#[derive(Clone, Debug, Serialize)]
pub struct FormReport {
    /// The oracles, in the order of the calls in the original text.
    pub oracles: Vec<String>,
    /// m with Δ_m H Δ_m⁻¹, Δ_m = diag(z^(-m_i)).
    pub shift: Vec<i64>,
    /// `minimal` or `as-written`.
    pub coordinates: &'static str,
    /// Whether one iteration runs from top to bottom.
    pub explicit: bool,
    /// The order of the calls, from 0, if it is explicit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<usize>>,
    /// What one iteration costs.
    pub cost: CostReport,
    /// The lines in the plain notation.
    pub text: String,
}

impl FormsReport {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The report.
pub fn forms(source: &Source, diagnostics: &[Diagnostic], forms: &Forms, assumptions: &[String]) -> FormsReport {
    FormsReport {
        schema: 1,
        forms: forms.list.iter().map(form).collect(),
        complete: forms.complete,
        infinite: forms.infinite,
        assumptions: assumptions.to_vec(),
        diagnostics: diagnostics.iter().map(|d| diagnostic_report(source, d)).collect(),
    }
}

fn form(form: &Form) -> FormReport {
    FormReport {
        oracles: oracle_names(form.oracles.iter(), &form.program().system),
        shift: form.shift.clone(),
        coordinates: form.realized.coordinates.word(),
        explicit: form.is_explicit(),
        order: match &form.program().explicitness {
            Explicitness::Explicit(order) => Some(order.clone()),
            Explicitness::Implicit(_) => None,
        },
        cost: CostReport::new(form.program()),
        text: plain(form.program()),
    }
}

/// More rows than this are not printed for people.
const ROWS: usize = 40;

/// A table for people; with `all` every row.
pub fn forms_text(forms: &Forms, assumptions: &[String], all: bool) -> String {
    let mut out: String = assumptions.iter().map(|a| format!("Assuming {a}\n")).collect();
    let operators = forms.list.iter().any(|f| f.program().cost.applications + f.program().cost.inversions > 0);
    let mut header = vec!["", "stored", "additions", "scalings"];
    if operators {
        header.push("operators");
    }
    header.extend(["shift", "state", "calls in order"]);
    let mut rows: Vec<Vec<String>> = vec![header.iter().map(|h| h.to_string()).collect()];
    let shown = if all { forms.list.len() } else { forms.list.len().min(ROWS) };
    for form in &forms.list[..shown] {
        let cost = form.program().cost;
        let names = oracle_names(form.oracles.iter(), &form.program().system);
        let order = match &form.program().explicitness {
            Explicitness::Explicit(order) => order.iter().map(|&i| names[i].clone()).collect::<Vec<_>>().join(", "),
            Explicitness::Implicit(_) => names.join(", "),
        };
        let shift: Vec<String> = form.shift.iter().map(i64::to_string).collect();
        let mut row = vec![
            if form.is_explicit() { "explicit" } else { "implicit" }.to_string(),
            form.program().stored().to_string(),
            cost.additions.to_string(),
            cost.scalings.to_string(),
        ];
        if operators {
            row.push((cost.applications + cost.inversions).to_string());
        }
        row.extend([format!("({})", shift.join(",")), form.realized.coordinates.word().to_string(), order]);
        rows.push(row);
    }
    let width = |j: usize| rows.iter().map(|r| r[j].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, w)| format!("{cell:<w$}"));
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    if shown < forms.list.len() {
        out += &format!("… and {} more: --all lists them\n", forms.list.len() - shown);
    }
    if forms.infinite {
        out += "There are infinitely many shifts; the nearest are listed.\n";
    }
    if !forms.complete && !forms.infinite {
        out += "A limit was reached: there are more forms than these.\n";
    }
    out
}
