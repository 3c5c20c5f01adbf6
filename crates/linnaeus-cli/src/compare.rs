//! `linnaeus compare A B`.

use crate::arguments::CompareArguments;
use crate::{BAD_INPUT, DISTINCT, LIMIT, complain, input, palette, print, refuse};
use linnaeus::relation::{Names, Relation, Verdict, compare_as};
use linnaeus::report;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// Reads both, compares, prints.
pub fn run(arguments: &CompareArguments, folder: Option<&Path>) -> ExitCode {
    let texts = match input::texts(&arguments.inputs, folder) {
        Ok(texts) => texts,
        Err(message) => return complain(&message),
    };
    let count = texts.len();
    let Ok(texts) = <[String; 2]>::try_from(texts) else {
        return complain(&format!("two algorithms are compared, {count} were given"));
    };
    let readings =
        texts.map(|t| input::parse(&t, arguments.notation.as_deref(), input::coefficients(arguments.freeze)));
    if readings.iter().any(|r| r.analysis.is_none()) {
        return refuse(&readings, arguments.json);
    }
    let [Some(a), Some(b)] = readings.each_ref().map(|r| r.analysis.as_ref()) else {
        return ExitCode::from(BAD_INPUT);
    };
    // What a card calls its numbers has nothing to do with what a reader calls them.
    let names = if input::has_card(&arguments.inputs) { Names::Foreign } else { Names::Shared };
    let comparison = compare_as(a, b, arguments.only.as_deref().and_then(Relation::from_word), names);
    if arguments.to.is_some() {
        let (first, second) = ((a, &readings[0].source), (b, &readings[1].source));
        return match report::sympy_relation(first, second, &comparison) {
            Ok(script) => {
                print(&script);
                ExitCode::SUCCESS
            }
            Err(message) => complain(&message.to_string()),
        };
    }
    print(&if arguments.json {
        let mut report = report::compare(a, b, &comparison);
        report.readings = readings.iter().map(report::reading_report).collect();
        report.to_json() + "\n"
    } else if arguments.latex {
        report::proof(&readings[0], &readings[1], &comparison)
    } else {
        let palette = palette(std::io::stdout().is_terminal());
        let read: String = readings.iter().map(|r| report::told(r, palette)).collect();
        read + &report::compare_text(a, b, &comparison)
    });
    ExitCode::from(match comparison.verdict {
        Verdict::Related(_) => 0,
        Verdict::Distinct(_) => DISTINCT,
        Verdict::Undecided(_) => LIMIT,
    })
}
