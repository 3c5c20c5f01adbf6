//! What a card of the zoo says of its transfer function.

use super::show::{ChannelReport, Show, Table, show};
use crate::Reading;
use std::fmt::Write;

/// Where there is no closed form, so many matrices of D, CB, CAB, … are recorded.
const MARKOV: usize = 4;

/// Rows that are longer are broken after every entry.
const ROW: usize = 100;

/// The oracles, H or its first Markov parameters, and how constants enter, as text for people that
/// SymPy reads too; nothing where the equations were not understood.
///
/// ```
/// let reading = linnaeus::read("x[k+1] = prox_{t g}(x[k] - t*grad f(x[k]))");
/// let text = linnaeus::report::record(&reading).unwrap();
/// assert_eq!(text, "oracles: grad f, prox_{t g}\nH = [[0, 1/z],\n     [-t, 1/z]]");
/// ```
pub fn record(reading: &Reading) -> Option<String> {
    reading.analysis.as_ref()?;
    Some(recorded(&show(reading)))
}

fn recorded(show: &Show) -> String {
    let oracle = |c: &ChannelReport| match c.copy {
        Some(n) => format!("{} #{n}", c.oracle),
        None => c.oracle.clone(),
    };
    let oracles: Vec<String> = show.channels.iter().flatten().map(oracle).collect();
    let mut out = format!("oracles: {}", oracles.join(", "));
    match (&show.transfer, &show.markov) {
        (Some(Some(h)), _) => matrix(&mut out, "H", h),
        (_, Some(markov)) => {
            for (j, m) in markov.iter().take(MARKOV).enumerate() {
                matrix(&mut out, &format!("M{j}"), m);
            }
        }
        _ => {}
    }
    if let Some(f) = &show.transfer_constants {
        let constants: Vec<&str> = show.constants.iter().flatten().map(|c| c.name.as_str()).collect();
        let _ = write!(out, "\nconstants: {}", constants.join(", "));
        matrix(&mut out, "F", f);
    }
    out
}

/// `H = [[a, b],` and `     [c, d]]`.
fn matrix(out: &mut String, name: &str, m: &Table) {
    let indent = " ".repeat(name.len() + 4);
    let row = |row: &Vec<Option<String>>| {
        let cells: Vec<&str> = row.iter().map(|e| e.as_deref().unwrap_or("?")).collect();
        let line = cells.join(", ");
        let broken = || cells.join(&format!(",\n{indent} "));
        format!("[{}]", if line.chars().count() > ROW { broken() } else { line })
    };
    let rows: Vec<String> = m.iter().map(row).collect();
    let _ = write!(out, "\n{name} = [{}]", rows.join(&format!(",\n{indent}")));
}
