//! `linnaeus simulate A [B]`.

use crate::arguments::SimulateArguments;
use crate::{DISTINCT, LIMIT, complain, draw, input, print, realize, refuse};
use linnaeus::Reading;
use linnaeus::relation::behavior::Side;
use linnaeus::relation::{Verdict, compare};
use linnaeus::report::{compare_text, simulation, simulation_picture, simulation_text};
use linnaeus::simulate::{Blame, Refusal, Request, simulate, simulate_both};
use linnaeus::source::Source;
use linnaeus::synthesis::Denied;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Reads one or two, runs them, prints what came of it.
pub fn run(arguments: &SimulateArguments, folder: Option<&Path>) -> ExitCode {
    let (texts, request) = match prepared(arguments, folder) {
        Ok(found) => found,
        Err(Unprepared::Input(message)) => return complain(&message),
        Err(Unprepared::Option(refusal)) => return deny(&refusal, &[], arguments.json),
    };
    let readings: Vec<Reading> = texts.iter().map(|t| linnaeus::read(t)).collect();
    if readings.iter().any(|r| r.analysis.is_none()) {
        return refuse(&readings, arguments.json);
    }
    let analyses: Vec<_> = readings.iter().filter_map(|r| r.analysis.as_ref()).collect();
    let (first, second) = match analyses[..] {
        [a] => (a, None),
        [a, b] => (a, Some(b)),
        _ => return complain(&format!("one or two algorithms are run, {} were given", analyses.len())),
    };
    let comparison = second.map(|b| compare(first, b, None));
    let (mut first, mut second) = (first, second);
    let (ending, found) = match (&comparison, second) {
        (Some(comparison), Some(b)) => {
            let ending = match comparison.verdict {
                Verdict::Related(_) => ExitCode::SUCCESS,
                Verdict::Distinct(_) => ExitCode::from(DISTINCT),
                Verdict::Undecided(_) => ExitCode::from(LIMIT),
            };
            if ending != ExitCode::SUCCESS {
                let _ = write!(std::io::stderr(), "{}", compare_text(first, b, comparison));
            }
            let [a, b] = comparison.texts(first, b);
            (first, second) = (a, Some(b));
            (ending, simulate_both(first, b, &comparison.verdict, &request))
        }
        _ => (ExitCode::SUCCESS, simulate(first, None, &request)),
    };
    let found = match found {
        Ok(found) => found,
        Err(refusal) => return deny(&refusal, &readings, arguments.json),
    };
    if arguments.json {
        print(&format!("{}\n", simulation(first, second, &found).to_json()));
    } else {
        print(&simulation_text(&found));
    }
    match &arguments.output {
        Some(path) => match draw::write(Some(simulation_picture(first, second, &found)), Some(path)) {
            ExitCode::SUCCESS => ending,
            failed => failed,
        },
        None => ending,
    }
}

/// Says why nothing was run, at the text or the option that is to blame.
fn deny(refusal: &Refusal, readings: &[Reading], json: bool) -> ExitCode {
    let source = match &refusal.blame {
        Blame::Option(text) => Source::new(text),
        Blame::Text(side) => readings[usize::from(*side == Side::Second)].source.clone(),
    };
    realize::deny(&Denied { source, diagnostic: refusal.diagnostic.clone() }, json)
}

/// Why nothing can be run yet.
enum Unprepared {
    Input(String),
    Option(Refusal),
}

impl From<String> for Unprepared {
    fn from(message: String) -> Unprepared {
        Unprepared::Input(message)
    }
}

fn prepared(arguments: &SimulateArguments, folder: Option<&Path>) -> Result<(Vec<String>, Request), Unprepared> {
    let texts = input::texts(&arguments.inputs, folder)?;
    let pair = |option: &str, example: &str, text: &String| {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            let help = format!("write `{option} {example}`");
            Unprepared::Option(Refusal::option(option, text, "there is no `=`").help(help))
        })?;
        Ok::<_, Unprepared>((name.trim().to_string(), value.trim().to_string()))
    };
    let mut set = Vec::new();
    for text in &arguments.set {
        let (name, value) = pair("--set", "t=1/2", text)?;
        let number = number(&value).ok_or_else(|| {
            let refusal = Refusal::option("--set", text, format!("`{value}` is not a number"));
            Unprepared::Option(refusal.help("write a number such as `0.1`, `2e-3` or `1/3`"))
        })?;
        set.push((name, number));
    }
    let assign = arguments.assign.iter().map(|text| pair("--assign", "f=l1", text)).collect::<Result<_, _>>()?;
    Ok((texts, Request { problem: arguments.problem.clone(), assign, set, iterations: arguments.iterations }))
}

/// `0.1`, `-2e-3` or `1/3`.
fn number(text: &str) -> Option<f64> {
    let parts: Option<Vec<f64>> = text.split('/').map(|t| t.trim().parse().ok()).collect();
    let value = match parts?[..] {
        [one] => one,
        [above, below] => above / below,
        _ => return None,
    };
    value.is_finite().then_some(value)
}
