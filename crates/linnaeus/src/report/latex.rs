//! `show` as LaTeX to paste into a paper.

use super::declare;
use super::expression::Script;
use super::lines::unmarked;
use super::show::{Table, oracle_name, show_in};
use super::typeset::aligned;
use crate::Reading;
use crate::syntax::PRAGMA;
use crate::transfer::Explicitness;
use std::fmt::Write;

/// The lines of the text, typeset.
pub fn equations(reading: &Reading) -> String {
    aligned(&unmarked(reading))
}

/// The transfer matrix and the realization as displayed formulas; nothing if the text was not read.
pub fn latex(reading: &Reading) -> String {
    let Some(analysis) = &reading.analysis else {
        return String::new();
    };
    let show = show_in(reading, Script::Latex);
    let oracles: Vec<String> =
        analysis.channels.iter().map(|c| oracle_name(&c.oracle, &analysis.system, Script::Latex)).collect();
    let mut out = String::new();
    for line in declare::of_transfer(analysis) {
        let _ = writeln!(out, "{PRAGMA} {line}");
    }
    let _ = writeln!(out, "% oracles, in the order of rows and columns");
    let _ = writeln!(out, "\\[ \\Phi = \\left({}\\right) \\]", oracles.join(",\\; "));
    if let Some(Some(h)) = &show.transfer {
        let _ = writeln!(out, "\\[ \\hat H(z) = {} \\]", bmatrix(h));
    }
    for (j, m) in show.markov.iter().flatten().enumerate() {
        let left = match j {
            0 => "D".to_string(),
            1 => "C B".to_string(),
            2 => "C A B".to_string(),
            _ => format!("C A^{{{}}} B", j - 1),
        };
        let _ = writeln!(out, "\\[ {left} = {} \\]", bmatrix(m));
    }
    if let Some(r) = &show.realization {
        let columns = format!("{}|{}", "c".repeat(r.states.len()), "c".repeat(oracles.len()));
        let join = |left: &Table, right: &Table, i: usize| {
            let cells = left[i].iter().chain(&right[i]).map(|c| c.clone().unwrap_or_default());
            cells.collect::<Vec<_>>().join(" & ")
        };
        let top: Vec<String> = (0..r.a.len()).map(|i| join(&r.a, &r.b, i)).collect();
        let bottom: Vec<String> = (0..r.c.len()).map(|i| join(&r.c, &r.d, i)).collect();
        let rule = if top.is_empty() { "" } else { " \\\\ \\hline " };
        let _ = writeln!(
            out,
            "\\[ \\left[\\begin{{array}}{{c|c}} A & B \\\\ \\hline C & D \\end{{array}}\\right] = \\left[\\begin{{array}}{{{columns}}} {}{rule}{} \\end{{array}}\\right] \\]",
            top.join(" \\\\ "),
            bottom.join(" \\\\ ")
        );
    }
    let words = match &analysis.explicitness {
        Explicitness::Explicit(_) => "explicit",
        Explicitness::Implicit(_) => "implicit",
    };
    let _ = writeln!(out, "% minimal order {}, {words}", analysis.minimal_order);
    out
}

pub(super) fn bmatrix(m: &Table) -> String {
    let rows: Vec<String> =
        m.iter().map(|row| row.iter().map(|c| c.clone().unwrap_or_default()).collect::<Vec<_>>().join(" & ")).collect();
    format!("\\begin{{bmatrix}} {} \\end{{bmatrix}}", rows.join(" \\\\ "))
}
