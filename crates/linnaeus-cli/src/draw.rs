//! `linnaeus draw A [B]`.

use crate::arguments::DrawArguments;
use crate::{BAD_INPUT, DISTINCT, LIMIT, complain, input, print, refuse};
use linnaeus::Reading;
use linnaeus::relation::{Verdict, compare};
use linnaeus::report::{Inside, block_diagram, compare_text, unrolled};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Reads one or two, draws, writes the picture.
pub fn run(arguments: &DrawArguments, folder: Option<&Path>) -> ExitCode {
    let texts = match input::texts(&arguments.inputs, folder) {
        Ok(texts) => texts,
        Err(message) => return complain(&message),
    };
    let readings: Vec<Reading> = texts.iter().map(|t| linnaeus::read(t)).collect();
    if readings.iter().any(|r| r.analysis.is_none()) {
        return refuse(&readings, false);
    }
    match &readings[..] {
        [one] => {
            let inside = if arguments.states { Inside::States } else { Inside::Transfer };
            write(block_diagram(one, inside), arguments.output.as_deref())
        }
        [a, b] if !arguments.states => pair(a, b, arguments.output.as_deref()),
        [_, _] => complain("--states is for one algorithm"),
        _ => complain(&format!("one or two algorithms are drawn, {} were given", readings.len())),
    }
}

fn pair(a: &Reading, b: &Reading, output: Option<&Path>) -> ExitCode {
    let (Some(a), Some(b)) = (&a.analysis, &b.analysis) else { return ExitCode::from(BAD_INPUT) };
    let comparison = compare(a, b, None);
    let code = match comparison.verdict {
        Verdict::Related(_) => return write(unrolled(a, b, &comparison), output),
        Verdict::Distinct(_) => DISTINCT,
        Verdict::Undecided(_) => LIMIT,
    };
    let _ = write!(std::io::stderr(), "{}", compare_text(a, b, &comparison));
    ExitCode::from(code)
}

/// Writes a picture to a file, or to standard output.
pub fn write(picture: Option<String>, output: Option<&Path>) -> ExitCode {
    match (picture, output) {
        (None, _) => ExitCode::from(BAD_INPUT),
        (Some(picture), None) => {
            print(&picture);
            ExitCode::SUCCESS
        }
        (Some(picture), Some(path)) => match std::fs::write(path, picture) {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => complain(&format!("cannot write `{}`: {e}", path.display())),
        },
    }
}
