//! `linnaeus realize`.

use crate::arguments::RealizeArguments;
use crate::{BAD_INPUT, LIMIT, complain, input, palette, print};
use linnaeus::diagnostic::{Code, Diagnostic};
use linnaeus::report::{self, Format};
use linnaeus::synthesis::{Coordinates, Denied, Draft, Given, Request, read, realize};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Reads, realizes, prints.
pub fn run(arguments: &RealizeArguments, folder: Option<&Path>) -> ExitCode {
    let text = match input::read(&arguments.input, folder) {
        Ok(text) => text,
        Err(message) => return complain(&message.to_string()),
    };
    let mut draft = read(&text, input::coefficients(arguments.freeze));
    let request = Request { oracles: arguments.oracles.clone(), set: arguments.set.clone(), ..Request::default() };
    let given = match granted(&draft, &request) {
        Ok(given) => given,
        Err(denied) => return deny(&denied, arguments.json),
    };
    let coordinates = arguments.state.as_deref().and_then(Coordinates::from_word);
    // A state space need not be explicit; what has an inverse that is proper never is.
    let is_matrices = arguments.inverse || arguments.numeric || arguments.to.as_deref() == Some("control");
    let write = if is_matrices { report::write_draft } else { report::realize_draft };
    let realized = given.as_ref().and_then(|g| write(&mut draft, g, coordinates));
    // It is the oracles that were asked for which make it implicit.
    let loops = draft.diagnostics.iter().position(|d| d.code == Code::Implicit);
    if let (Some(asked), Some(at)) = (&arguments.oracles, loops) {
        return deny(&Denied::about(asked, draft.diagnostics.remove(at)), arguments.json);
    }
    if arguments.json {
        print(&format!("{}\n", report::realize(&draft.source, &draft.diagnostics, realized.as_ref()).to_json()));
        return code(&draft, realized.is_some());
    }
    remark(&draft);
    let Some(realized) = realized else {
        return code(&draft, false);
    };
    let format = arguments.to.as_deref().and_then(Format::from_word);
    let text = match (format, &given) {
        _ if arguments.inverse => report::inverse_text(&realized),
        _ if arguments.numeric => report::numeric_text(&realized, arguments.tolerance),
        (Some(format), _) => report::export(&realized, format),
        (None, Some(Given::Commuting(model))) if arguments.map => {
            report::map_text(model, &realized).map(|map| map + &report::realize_text(&realized))
        }
        (None, _) => Ok(report::realize_text(&realized)),
    };
    written(text, &draft)
}

/// Prints what was made, or why it could not be.
pub fn written(made: Result<String, Box<Diagnostic>>, draft: &Draft) -> ExitCode {
    match made {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(diagnostic) => deny(&Denied { source: draft.source.clone(), diagnostic }, false),
    }
}

/// Prints an algorithm with the state that it has, implicit or not.
pub fn as_written(text: &str, freeze: bool, format: &str) -> ExitCode {
    let mut draft = read(text, input::coefficients(freeze));
    if let Some(Given::Improper(matrix)) = &draft.given {
        draft.diagnostics.push(report::improper(matrix));
        draft.given = None;
    }
    remark(&draft);
    let Some(given) = &draft.given else {
        return code(&draft, false);
    };
    let realized = match realize(given, Some(Coordinates::AsWritten)) {
        Ok(realized) => realized,
        Err(_) => return complain("the algorithm cannot be written anew"),
    };
    match Format::from_word(format) {
        Some(format) => written(report::export(&realized, format), &draft),
        None => complain("there is no such format"),
    }
}

/// What the text gives, with what is asked done to it; nothing if the text was refused.
pub fn granted(draft: &Draft, request: &Request) -> Result<Option<Given>, Denied> {
    match &draft.given {
        Some(given) if !request.is_empty() => Ok(Some(request.change(given)?.given())),
        other => Ok(other.clone()),
    }
}

/// Prints the remarks on a text.
pub fn remark(draft: &Draft) {
    let palette = palette(std::io::stderr().is_terminal());
    for d in &draft.diagnostics {
        let _ = write!(std::io::stderr(), "{}", palette.severity(&d.render(&draft.source)));
    }
}

/// Says why what was asked cannot be done.
pub fn deny(denied: &Denied, json: bool) -> ExitCode {
    let d: &Diagnostic = &denied.diagnostic;
    if json {
        print(&format!("{}\n", report::realize(&denied.source, std::slice::from_ref(d), None).to_json()));
    } else {
        let palette = palette(std::io::stderr().is_terminal());
        let _ = write!(std::io::stderr(), "{}", palette.severity(&d.render(&denied.source)));
    }
    ExitCode::from(if d.code.is_limit() { LIMIT } else { BAD_INPUT })
}

/// The exit code.
pub fn code(draft: &Draft, done: bool) -> ExitCode {
    match (done, draft.is_limited()) {
        (true, _) => ExitCode::SUCCESS,
        (false, true) => ExitCode::from(LIMIT),
        (false, false) => ExitCode::from(BAD_INPUT),
    }
}
