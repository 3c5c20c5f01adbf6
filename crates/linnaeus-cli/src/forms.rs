//! `linnaeus forms`.

use crate::arguments::FormsArguments;
use crate::realize::{code, deny, remark};
use crate::{BAD_INPUT, complain, input, print};
use linnaeus::report::{self, Format};
use linnaeus::synthesis::{Form, Given, Request, forms_of, read};
use std::path::Path;
use std::process::ExitCode;

/// Reads, does what is asked, lists.
pub fn run(arguments: &FormsArguments, folder: Option<&Path>) -> ExitCode {
    let text = match input::read(&arguments.input, folder) {
        Ok(text) => text,
        Err(message) => return complain(&message),
    };
    let mut draft = read(&text, input::coefficients(arguments.freeze));
    let request = request(arguments);
    if let Some(Given::Improper(matrix)) = &draft.given
        && request.is_empty()
    {
        draft.diagnostics.push(report::improper(matrix));
        draft.given = None;
    }
    let given = match &draft.given {
        Some(given) => given,
        None if arguments.json => {
            print(&format!("{}\n", report::realize(&draft.source, &draft.diagnostics, None).to_json()));
            return code(&draft, false);
        }
        None => {
            remark(&draft);
            return code(&draft, false);
        }
    };
    let (found, assumptions) = match forms_of(given, &request, arguments.own_oracles) {
        Ok(found) => found,
        Err(denied) => return deny(&denied),
    };
    if arguments.json {
        print(&format!("{}\n", report::forms(&draft.source, &draft.diagnostics, &found, &assumptions).to_json()));
        return ExitCode::SUCCESS;
    }
    remark(&draft);
    let best = found.list.first().filter(|f| f.is_explicit());
    if let Some(format) = arguments.to.as_deref().and_then(Format::from_word) {
        return write(best, format);
    }
    if !arguments.best {
        print(&report::forms_text(&found, &assumptions, arguments.all));
    }
    if arguments.best || !request.is_empty() {
        let Some(best) = best else {
            return complain("no form is explicit");
        };
        print(&format!("{}{}", if arguments.best { "" } else { "\n" }, report::realize_text(&best.realized)));
    }
    ExitCode::SUCCESS
}

fn write(best: Option<&Form>, format: Format) -> ExitCode {
    let Some(best) = best else {
        return complain("no form is explicit");
    };
    match report::export(&best.realized, format) {
        Ok(text) => print(&text),
        Err(message) => {
            complain(&message.to_string());
            return ExitCode::from(BAD_INPUT);
        }
    }
    ExitCode::SUCCESS
}

fn request(arguments: &FormsArguments) -> Request {
    Request {
        set: arguments.set.clone(),
        delete: arguments.delete.clone(),
        filter: arguments.filter.clone(),
        permute: arguments.permute.clone(),
        conjugate: arguments.conjugate.clone(),
        dual: arguments.dual,
        oracles: arguments.oracles.clone(),
        repeat: arguments.repeat,
        shift: arguments.shift.clone(),
    }
}
