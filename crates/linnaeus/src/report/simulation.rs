//! What `simulate` says, as data, as text and as a picture.

use super::expression::{Script, name};
use super::picture::{Anchor, Canvas, Curve, Formula, Look, Panel, channel as oracle, plot};
use super::show::oracle_name;
use super::speaker::letter;
use crate::simulate::{Following, Iterates, Simulation, Trace};
use crate::transfer::Analysis;
use serde::Serialize;
use std::fmt::Write;

/// Two runs differ by rounding errors if they differ by less than this share of the largest number in them.
const ROUNDING: f64 = 1e-8;
/// A run has converged if its distance has become this small.
const NEAR: f64 = 1e-3;

/// Runs on a test problem.
#[derive(Clone, Debug, Serialize)]
pub struct SimulationReport {
    /// The version of this form.
    pub schema: u32,
    /// The name of the problem.
    pub problem: &'static str,
    /// What functions and operators of A stand for.
    pub assigned: Vec<AssignedReport>,
    /// Values of the parameters.
    pub parameters: Vec<ParameterReport>,
    /// A's run.
    #[serde(rename = "A")]
    pub first: RunReport,
    /// B's run.
    #[serde(rename = "B", skip_serializing_if = "Option::is_none")]
    pub second: Option<RunReport>,
    /// How far B's queries are from A's, by iteration and pair of channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<Vec<Option<f64>>>>,
    /// B's iterates beside what the state map makes of A's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterates: Option<IteratesReport>,
    /// Why they are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_iterates: Option<&'static str>,
}

/// Iterates of B beside those of A.
#[derive(Clone, Debug, Serialize)]
pub struct IteratesReport {
    /// Those of B that are compared.
    pub names: Vec<String>,
    /// How far each is from what the state map makes of A's, by iteration.
    pub differences: Vec<Vec<Option<f64>>>,
    /// Those that are not, because no query tells what they are.
    pub open: Vec<String>,
}

/// What a name stands for.
#[derive(Clone, Debug, Serialize)]
pub struct AssignedReport {
    /// The name in A.
    pub name: String,
    /// The name in the problem.
    pub role: String,
    /// What that is.
    pub formula: String,
}

/// A parameter's value.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterReport {
    /// `A` or `B`.
    pub side: &'static str,
    /// Its name.
    pub name: String,
    /// Its value; null where it has none.
    pub value: Option<f64>,
    /// Where the value comes from.
    pub reason: String,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// How it was started.
    pub start: String,
    /// The oracles, one per channel.
    pub oracles: Vec<String>,
    /// Whether it ended early because its numbers grew beyond all bounds.
    pub diverged: bool,
    /// Queries by iteration and channel.
    pub queries: Vec<Vec<Vec<f64>>>,
    /// How far the points at which the functions are taken are from the solution, by iteration and channel.
    pub distances: Vec<Vec<Option<f64>>>,
}

impl SimulationReport {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// The runs as data.
pub fn simulation(first: &Analysis, second: Option<&Analysis>, found: &Simulation) -> SimulationReport {
    let assigned = found.assigned.iter().map(|a| AssignedReport {
        name: a.name.clone(),
        role: a.role.clone(),
        formula: a.formula.clone(),
    });
    let parameters = found.settings.iter().map(|s| ParameterReport {
        side: letter(s.side),
        name: s.name.clone(),
        value: finite(s.value),
        reason: s.reason.clone(),
    });
    let following = second.zip(found.second.as_ref());
    SimulationReport {
        schema: 1,
        problem: found.problem,
        assigned: assigned.collect(),
        parameters: parameters.collect(),
        first: run_report(first, &found.first, found.start),
        second: following.map(|(b, f)| run_report(b, &f.trace, &f.start)),
        differences: following.map(|(_, f)| f.differences.iter().map(|row| numbers(row)).collect()),
        iterates: following.and_then(|(_, f)| f.iterates.as_ref().ok()).map(|i| IteratesReport {
            names: i.names.clone(),
            differences: i.differences.iter().map(|row| numbers(row)).collect(),
            open: i.open.clone(),
        }),
        no_iterates: following.and_then(|(_, f)| f.iterates.as_ref().err().copied()),
    }
}

fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

fn numbers(row: &[f64]) -> Vec<Option<f64>> {
    row.iter().map(|x| finite(*x)).collect()
}

fn run_report(analysis: &Analysis, trace: &Trace, start: &str) -> RunReport {
    RunReport {
        start: start.to_string(),
        oracles: analysis.channels.iter().map(|c| oracle_name(&c.oracle, &analysis.system, Script::Sympy)).collect(),
        diverged: trace.diverged,
        queries: trace.calls.iter().map(|row| row.iter().map(|c| c.query.clone()).collect()).collect(),
        distances: trace.distances.iter().map(|row| numbers(row)).collect(),
    }
}

/// The largest number of a row.
fn largest(row: &[f64]) -> Option<f64> {
    row.iter().copied().filter(|x| x.is_finite()).reduce(f64::max)
}

/// The runs for people.
pub fn simulation_text(found: &Simulation) -> String {
    let mut out = format!("Problem {}\n", found.problem);
    for a in &found.assigned {
        let formula =
            if a.role == "I" || a.role == "K" { a.formula.clone() } else { format!("{}, {}", a.role, a.formula) };
        let _ = writeln!(out, "  assigned    {} is {formula}", name(Script::Unicode, &a.name));
    }
    for s in &found.settings {
        let _ = writeln!(
            out,
            "  {}'s         {} = {} ({})",
            letter(s.side),
            name(Script::Unicode, &s.name),
            short(s.value),
            s.reason
        );
    }
    let _ = writeln!(out, "  start       A: {}", found.start);
    if let Some(f) = &found.second {
        let _ = writeln!(out, "  start       B: {}", f.start);
    }
    let runs = [("A", Some(&found.first)), ("B", found.second.as_ref().map(|f| &f.trace))];
    for (side, trace) in runs.iter().filter_map(|(s, t)| Some((s, (*t)?))) {
        let _ = writeln!(out, "  run         {side}: {}", outcome(trace, found.solved));
    }
    if let Some(f) = &found.second {
        let _ = writeln!(out, "  difference  {}", difference(found, f));
        let _ = writeln!(out, "  iterates    {}", iterates(found, &f.iterates));
    }
    out
}

fn outcome(trace: &Trace, solved: bool) -> String {
    let count = trace.calls.len();
    let ends = trace.distances.first().and_then(|r| largest(r)).zip(trace.distances.last().and_then(|r| largest(r)));
    match ends {
        _ if trace.diverged => format!("diverges in iteration {}", count + 1),
        None if !solved => format!("{count} iterations; no solution is known to measure by"),
        None => format!("{count} iterations"),
        Some((from, to)) => {
            let settled = if to < NEAR * from.max(1.0) {
                ""
            } else {
                "; not near it: it needs more iterations, or solves another problem"
            };
            let (from, to) = (short(from), short(to));
            format!("{count} iterations; distance to the solution {from} in the first, {to} in the last{settled}")
        }
    }
}

/// The largest of all differences, and whether that is rounding.
fn most(found: &Simulation, differences: &[Vec<f64>]) -> (f64, bool) {
    let most = differences.iter().filter_map(|r| largest(r)).fold(0.0, f64::max);
    let queries = found.first.calls.iter().flatten().flat_map(|c| c.query.iter());
    let scale = queries.fold(1.0_f64, |m, x| m.max(x.abs()));
    (most, most <= ROUNDING * scale)
}

fn iterates(found: &Simulation, iterates: &Result<Iterates, &'static str>) -> String {
    let list = |names: &[String]| names.iter().map(|n| name(Script::Unicode, n)).collect::<Vec<_>>().join(", ");
    let Iterates { names, differences, open } = match iterates {
        Ok(iterates) => iterates,
        Err(why) => return format!("not compared: {why}"),
    };
    let compared = match most(found, differences) {
        _ if names.is_empty() => String::new(),
        (most, true) => {
            let verb = if names.len() == 1 { "is" } else { "are" };
            format!("B's {} {verb} what the state map makes of A's up to {}, rounding errors", list(names), short(most))
        }
        (most, false) => {
            format!("B's {} differ from what the state map makes of A's by up to {}", list(names), short(most))
        }
    };
    let open = match open[..] {
        [] => String::new(),
        _ => format!("not compared: {}, which queries alone do not tell", list(open)),
    };
    let none = || "none are kept from one iteration to the next".to_string();
    [compared, open].into_iter().filter(|s| !s.is_empty()).reduce(|a, b| format!("{a}; {b}")).unwrap_or_else(none)
}

fn difference(found: &Simulation, following: &Following) -> String {
    let (most, is_rounding) = most(found, &following.differences);
    match following.differences.is_empty() {
        _ if !following.is_related => match following.pairs.is_empty() {
            true => "not measured: no oracle is called once by each of them".to_string(),
            false => format!("B's queries of the same oracles are up to {} from A's", short(most)),
        },
        true => "the signals are related by filters and are not compared".to_string(),
        false if is_rounding => format!("B's queries are A's up to {}, rounding errors", short(most)),
        false => {
            format!("B's queries differ from A's by up to {}: from these starts the runs are not the same", short(most))
        }
    }
}

/// Three digits.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_string(),
        size if (0.001..10_000.0).contains(&size) => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            let text = format!("{x:.digits$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
        }
        _ => format!("{x:.1e}"),
    }
}

/// The distances to the solution, and how far B's queries and iterates are from A's, as curves.
pub fn simulation_picture(first: &Analysis, second: Option<&Analysis>, found: &Simulation) -> String {
    drawn(first, second, found).svg("Runs on a test problem", &simulation_text(found))
}

fn drawn(first: &Analysis, second: Option<&Analysis>, found: &Simulation) -> Canvas {
    let mut panels = vec![Panel {
        title: if found.solved { "distance to the solution" } else { "change from one iteration to the next" },
        curves: run_curves(first, &found.first, "A", &Look::Tone),
    }];
    if let Some((second, following)) = second.zip(found.second.as_ref()) {
        let (p, q) = (first.channels.len(), second.channels.len());
        let partner = |c: usize| following.pairs.iter().find(|(_, j)| j % q == c).map_or(c, |(i, _)| i % p);
        panels[0].curves.extend(run_curves(second, &following.trace, "B", &|c| Look::Dashed(partner(c))));
        let pairs = following.differences.first().map_or(0, Vec::len);
        let curve = |n: usize| {
            let (i, j) = following.pairs[n];
            Curve {
                name: oracle(first, i % p).then(Formula::words(", ")).then(oracle(second, j % q)),
                look: Look::Tone(i % p),
                values: following.differences.iter().map(|row| row[n]).collect(),
            }
        };
        if pairs > 0 || following.is_related {
            let curves = (0..pairs).map(curve).collect();
            panels.push(Panel { title: "distance between the queries of A and B", curves });
        }
        if let Ok(iterates) = &following.iterates
            && !iterates.names.is_empty()
        {
            let curve = |(n, own): (usize, &String)| Curve {
                name: Formula::words("B: ").then(Formula::words(&name(Script::Unicode, own))),
                look: Look::Tone(n),
                values: iterates.differences.iter().map(|row| row[n]).collect(),
            };
            let title = "distance between the iterates of B and what the state map makes of A's";
            panels.push(Panel { title, curves: iterates.names.iter().enumerate().map(curve).collect() });
        }
    }
    let mut canvas = plot(&panels);
    let extent = canvas.extent();
    let text = simulation_text(found);
    for (n, line) in text.lines().enumerate() {
        let y = extent.bottom() + 34.0 + 20.0 * n as f64;
        let (head, rest) = line.trim().split_once("  ").unwrap_or((line, ""));
        canvas.text((extent.x, y), Anchor::Start, 14.0, Look::Faint, &Formula::words(head));
        if !rest.is_empty() {
            canvas.text((extent.x + 90.0, y), Anchor::Start, 14.0, Look::Faint, &Formula::words(rest.trim()));
        }
    }
    canvas
}

/// A curve for every oracle.
fn run_curves(analysis: &Analysis, trace: &Trace, side: &str, look: &dyn Fn(usize) -> Look) -> Vec<Curve> {
    let value = |k: usize, c: usize| match trace.distances.get(k) {
        Some(row) => row[c],
        None if k == 0 => f64::NAN,
        None => crate::simulate::dense::distance(&trace.calls[k][c].query, &trace.calls[k - 1][c].query),
    };
    let curve = |c: usize| Curve {
        name: Formula::words(&format!("{side}: ")).then(oracle(analysis, c)),
        look: look(c),
        values: (0..trace.calls.len()).map(|k| value(k, c)).collect(),
    };
    (0..analysis.channels.len()).map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Request, simulate};

    #[test]
    fn nothing_overlaps() {
        let text = "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
        let analysis = crate::read(text).analysis.unwrap();
        let comparison = crate::relation::compare(&analysis, &analysis, None);
        let crate::relation::Verdict::Related(witness) = &comparison.verdict else { panic!("not itself") };
        let request = Request { problem: "lasso".to_string(), assign: Vec::new(), set: Vec::new(), iterations: 30 };
        for second in [None, Some((&analysis, &**witness))] {
            let found = simulate(&analysis, second, &request).unwrap();
            let canvas = drawn(&analysis, second.map(|(b, _)| b), &found);
            assert_eq!(canvas.collisions(), Vec::<String>::new());
        }
    }

    #[test]
    fn three_digits() {
        let texts = [0.0, 1.0, 0.5, 0.123_456, 12.345, 123.45, 1234.5, 1e-9, 2.5e7].map(short);
        assert_eq!(texts, ["0", "1", "0.5", "0.123", "12.3", "123", "1234", "1.0e-9", "2.5e7"]);
    }
}
