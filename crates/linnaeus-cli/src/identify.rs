//! `linnaeus identify [FILE]`, and `linnaeus FILE`.

use crate::arguments::IdentifyArguments;
use crate::{BAD_INPUT, LIMIT, complain, folder, input, palette, print, processors};
use linnaeus::Reading;
use linnaeus::report;
use linnaeus::transfer::Analysis;
use linnaeus::zoo::{Identification, Inquiry, Zoo};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// No card is related.
const NONE: u8 = 1;

/// Reads, looks through the zoo, prints.
pub fn run(arguments: &IdentifyArguments, folder: Option<&Path>) -> ExitCode {
    let text = match (&arguments.expression, &arguments.file) {
        (Some(text), _) => Ok(text.clone()),
        (None, path) => input::read_named(path.as_deref().unwrap_or("-"), folder),
    };
    let text = match text {
        Ok(text) => text,
        Err(message) => return complain(&message),
    };
    let reading = input::parse(&text, arguments.notation.as_deref(), input::coefficients(false));
    let Some(analysis) = &reading.analysis else {
        if arguments.json {
            print(&format!("{}\n", reading.report().to_json()));
        } else {
            let shown = report::text(&reading, palette(std::io::stderr().is_terminal()));
            let _ = write!(std::io::stderr(), "{shown}");
        }
        return ExitCode::from(if reading.is_limited() { LIMIT } else { BAD_INPUT });
    };
    let zoo = match folder::zoo(folder) {
        Ok(zoo) => zoo,
        Err(message) => return complain(&message),
    };
    let found = identified(&zoo, &reading, analysis);
    print(&if arguments.json {
        report::identify(&zoo, &reading, &found).to_json() + "\n"
    } else if arguments.bibtex {
        report::identify_bibtex(&found)
    } else if arguments.latex {
        latex(&reading, &found)
    } else {
        let palette = palette(std::io::stdout().is_terminal());
        let read = report::told(&reading, palette);
        read + &report::identify_text(&zoo, &reading, &found, arguments.all, palette)
    });
    ExitCode::from(match (found.matches.is_empty(), found.undecided.is_empty()) {
        (false, _) => 0,
        (true, true) => NONE,
        (true, false) => LIMIT,
    })
}

/// All that the zoo knows of an algorithm, found on all processors.
fn identified<'z>(zoo: &'z Zoo, reading: &Reading, analysis: &Analysis) -> Identification<'z> {
    processors::each(zoo.animals().len(), |i| zoo.animals()[i].key().is_some());
    let inquiry = Inquiry::new(zoo, &reading.source, analysis);
    let findings = processors::each(inquiry.candidates(), |i| inquiry.compare(i));
    inquiry.finish(findings.into_iter().flatten().collect())
}

/// The statement and proof of the best match that needs no coefficients frozen.
fn latex(reading: &Reading, found: &Identification) -> String {
    match found.matches.iter().find(|m| !m.frozen) {
        Some(m) => {
            let card = &m.animal.card;
            let proof = report::proof(reading, m.animal.reading(), &m.comparison);
            format!("% Algorithm B is {} {}.\n{proof}", card.id, card.name)
        }
        None => "% No card is related to it as it is.\n".to_string(),
    }
}
