//! `linnaeus compare A B`.

use crate::arguments::CompareArguments;
use crate::{BAD_INPUT, LIMIT, complain, input, palette, print};
use linnaeus::Reading;
use linnaeus::relation::{Relation, Verdict, compare};
use linnaeus::report;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// The two are not related.
const DISTINCT: u8 = 1;

/// Reads both, compares, prints.
pub fn run(arguments: &CompareArguments, folder: Option<&Path>) -> ExitCode {
    let texts = match texts(arguments, folder) {
        Ok(texts) => texts,
        Err(message) => return complain(&message),
    };
    let readings =
        texts.map(|t| input::parse(&t, arguments.notation.as_deref(), input::coefficients(arguments.freeze)));
    if readings.iter().any(|r| r.analysis.is_none()) {
        return refuse(&readings, arguments.json);
    }
    let [Some(a), Some(b)] = readings.each_ref().map(|r| r.analysis.as_ref()) else {
        return ExitCode::from(BAD_INPUT);
    };
    let comparison = compare(a, b, arguments.only.as_deref().and_then(Relation::from_word));
    print(&if arguments.json {
        let mut report = report::compare(a, b, &comparison);
        report.readings = readings.iter().map(report::reading_report).collect();
        report.to_json() + "\n"
    } else if arguments.latex {
        report::proof(&readings[0], &readings[1], &comparison)
    } else {
        let palette = palette(std::io::stdout().is_terminal());
        let read: String = readings.iter().map(|r| report::reading_text(r, palette)).collect();
        read + &report::compare_text(a, b, &comparison)
    });
    ExitCode::from(match comparison.verdict {
        Verdict::Related(_) => 0,
        Verdict::Distinct(_) => DISTINCT,
        Verdict::Undecided(_) => LIMIT,
    })
}

/// The two texts: files first, then those on the command line.
fn texts(arguments: &CompareArguments, folder: Option<&Path>) -> Result<[String; 2], String> {
    let mut texts = Vec::new();
    for path in &arguments.files {
        texts.push(input::read_named(path, folder)?);
    }
    texts.extend(arguments.expressions.iter().cloned());
    texts.try_into().map_err(|t: Vec<String>| format!("two algorithms are compared, {} were given", t.len()))
}

fn refuse(readings: &[Reading; 2], json: bool) -> ExitCode {
    for (which, reading) in ["A", "B"].iter().zip(readings).filter(|(_, r)| r.analysis.is_none()) {
        if json {
            print(&format!("{}\n", reading.report().to_json()));
        } else {
            let text = report::text(reading, palette(std::io::stderr().is_terminal()));
            let _ = write!(std::io::stderr(), "in {which}:\n{text}");
        }
    }
    let limited = readings.iter().filter(|r| r.analysis.is_none()).all(Reading::is_limited);
    ExitCode::from(if limited { LIMIT } else { BAD_INPUT })
}
