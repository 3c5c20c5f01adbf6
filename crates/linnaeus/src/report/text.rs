//! `show` for a terminal.

use super::expression::{Script, name};
use super::reading::{Detail, told_in};
use super::show::{ScheduleReport, Show, Table, oracle_name, show_in};
use crate::Reading;
use crate::transfer::{Analysis, Channel, Explicitness};
use std::fmt::Write;

/// Whether and how to color.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Palette {
    /// No color.
    Plain,
    /// ANSI escapes.
    Ansi,
}

impl Palette {
    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Palette::Plain => text.to_string(),
            Palette::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    pub(super) fn heading(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// A severity word in its color.
    pub fn severity(self, rendered: &str) -> String {
        for (word, code) in [("error", "1;31"), ("warning", "1;33"), ("note", "1;36")] {
            if let Some(rest) = rendered.strip_prefix(word) {
                return format!("{}{rest}", self.wrap(code, word));
            }
        }
        rendered.to_string()
    }
}

/// The reading for people.
pub fn text(reading: &Reading, palette: Palette) -> String {
    let mut out = told_in(reading, palette, Detail::Full);
    let Some(analysis) = &reading.analysis else {
        return out;
    };
    let show = show_in(reading, Script::Unicode);
    let labels = labels(analysis);
    read_as(&mut out, &show, &labels, palette);
    transfer(&mut out, &show, &labels, palette);
    let constants: Vec<String> = show.constants.iter().flatten().map(|c| c.name.clone()).collect();
    if let Some(r) = &show.realization {
        let _ = writeln!(
            out,
            "\n{}",
            palette.heading("Realization x⁺ = A x + B u, y = C x + D u, in the variables as written")
        );
        let mut blocks = vec![
            ("A", &r.a, &r.states, &r.states),
            ("B", &r.b, &r.states, &labels),
            ("C", &r.c, &labels, &r.states),
            ("D", &r.d, &labels, &labels),
        ];
        if let (Some(e), Some(f)) = (&r.e, &r.f) {
            blocks.extend([("E (constants)", e, &r.states, &constants), ("F (constants)", f, &labels, &constants)]);
        }
        for (what, m, rows, cols) in blocks {
            if rows.is_empty() || cols.is_empty() {
                continue;
            }
            let _ = writeln!(out, "  {what}");
            matrix(&mut out, m, rows, cols, palette);
        }
    }
    let stored = show.realization.as_ref().map_or(0, |r| r.states.len());
    let _ = writeln!(out, "\n{} {} ({stored} as written)", palette.heading("Minimal order"), analysis.minimal_order);
    let list = |order: &[usize]| order.iter().map(|&i| labels[i].clone()).collect::<Vec<_>>();
    let _ = match &analysis.explicitness {
        Explicitness::Explicit(order) => {
            writeln!(out, "{} calls in the order {}", palette.heading("Explicit:"), list(order).join(", "))
        }
        Explicitness::Implicit(cycle) => {
            let mut names = list(cycle);
            names.push(names[0].clone());
            writeln!(
                out,
                "{} each call needs the answer of the one before it: {}",
                palette.heading("Implicit:"),
                names.join(" → ")
            )
        }
    };
    out
}

/// What the channels are called.
pub fn labels(analysis: &Analysis) -> Vec<String> {
    let label = |c: &Channel| {
        let oracle = oracle_name(&c.oracle, &analysis.system, Script::Unicode);
        if c.copy > 0 { format!("{oracle} #{}", c.copy) } else { oracle }
    };
    analysis.channels.iter().map(label).collect()
}

/// H, or the Markov parameters where it has no closed form, and how constants enter.
pub fn transfer(out: &mut String, show: &Show, labels: &[String], palette: Palette) {
    if let Some(Some(h)) = &show.transfer {
        let _ = writeln!(out, "\n{}", palette.heading("Transfer matrix H(z), queries y = H u"));
        matrix(out, h, labels, labels, palette);
    } else if let Some(markov) = &show.markov {
        let heading = if show.schedules.is_empty() {
            "Markov parameters D, CB, CAB, …: the operators do not commute and H has no closed form"
        } else {
            "How earlier answers enter the queries of iteration k: D(k), C(k)B(k-1), C(k)A(k-1)B(k-2), …"
        };
        let _ = writeln!(out, "\n{}", palette.heading(heading));
        for (j, m) in markov.iter().enumerate() {
            let _ = writeln!(out, "  {}", palette.dim(&format!("z^-{j}")));
            matrix(out, m, labels, labels, palette);
        }
    }
    if let Some(g) = &show.transfer_constants {
        let constants: Vec<String> = show.constants.iter().flatten().map(|c| c.name.clone()).collect();
        let _ = writeln!(out, "\n{}", palette.heading("Constants enter the queries by"));
        matrix(out, g, labels, &constants, palette);
    }
}

fn read_as(out: &mut String, show: &Show, labels: &[String], palette: Palette) {
    let _ = writeln!(out, "{}", palette.heading("Read as"));
    let mut line = |what: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(out, "  {} {value}", palette.dim(&format!("{what:<11}")));
        }
    };
    let vectors = |list: &Option<Vec<super::show::SignalReport>>| {
        let list = list.as_deref().unwrap_or_default();
        let many =
            list.iter().any(|s| s.space != list[0].space) || show.operators.as_ref().is_some_and(|o| !o.is_empty());
        let shown = |s: &super::show::SignalReport| {
            if many {
                format!("{} ∈ {}", name(Script::Unicode, &s.name), s.space)
            } else {
                name(Script::Unicode, &s.name)
            }
        };
        list.iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    line("index", show.index.clone().unwrap_or_default());
    line("iterates", vectors(&show.signals));
    line("constants", vectors(&show.constants));
    line("parameters", show.parameters.clone().unwrap_or_default().join(", "));
    let schedule = |s: &ScheduleReport| match &s.next {
        Some(next) => format!("{} (one later: {next})", s.name),
        None => s.name.clone(),
    };
    line("changing", show.schedules.iter().map(schedule).collect::<Vec<_>>().join(", "));
    let operator = |o: &super::show::OperatorReport| {
        format!("{}: {} → {}{}", o.name, o.domain, o.codomain, if o.symmetric { " symmetric" } else { "" })
    };
    line("operators", show.operators.iter().flatten().map(operator).collect::<Vec<_>>().join(", "));
    for (i, c) in show.channels.iter().flatten().enumerate() {
        let step = c.step.as_ref().map_or(String::new(), |s| format!(", step {s}"));
        let map = c.map.as_ref().map_or(String::new(), |m| format!(" with {m}"));
        let sample = c.sample.as_ref().map_or(String::new(), |s| format!(", sample {s}"));
        let calls: Vec<String> = c
            .calls
            .iter()
            .map(|call| match call.delay {
                0 => format!("{} in line {}", call.text, call.span.start.line),
                1 => format!("{} in line {} is the answer of one step ago", call.text, call.span.start.line),
                n => format!("{} in line {} is the answer of {n} steps ago", call.text, call.span.start.line),
            })
            .collect();
        let what = if i == 0 { "oracles" } else { "" };
        line(
            what,
            format!(
                "{}: {} of {}{map}{step}{sample}; {}",
                labels[i],
                c.kind.replace('-', " "),
                c.function,
                calls.join("; ")
            ),
        );
    }
    for c in &show.changes {
        line("variable", format!("{} in place of {}", c.new, c.signal));
    }
}

/// Entries of more characters are no longer read in a table.
const LONG: usize = 300;

/// A table with labelled rows and columns, aligned.
pub(super) fn matrix(out: &mut String, m: &Table, rows: &[String], cols: &[String], palette: Palette) {
    let width = |s: &str| s.chars().count();
    let cell = |i: usize, j: usize| match &m[i][j] {
        None => "?".to_string(),
        Some(entry) if width(entry) > LONG => format!("({} characters, see --json)", width(entry)),
        Some(entry) => entry.clone(),
    };
    let left = rows.iter().map(|r| width(r)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..cols.len())
        .map(|j| (0..rows.len()).map(|i| width(&cell(i, j))).chain([width(&cols[j])]).max().unwrap_or(0))
        .collect();
    let pad = |s: &str, w: usize| format!("{}{s}", " ".repeat(w.saturating_sub(width(s))));
    let header: Vec<String> = cols.iter().zip(&widths).map(|(c, w)| pad(c, *w)).collect();
    let _ = writeln!(out, "    {}   {}", " ".repeat(left), palette.dim(&header.join("   ")));
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = (0..cols.len()).map(|j| pad(&cell(i, j), widths[j])).collect();
        let _ = writeln!(out, "    {}{}   {}", palette.dim(row), " ".repeat(left - width(row)), cells.join("   "));
    }
}
