//! `linnaeus forms`.

use crate::arguments::FormsArguments;
use crate::realize::{code, deny, remark, written};
use crate::{complain, input, print};
use linnaeus::report::{self, Format};
use linnaeus::synthesis::{Denied, Draft, Forms, Given, Request, forms_of, read};
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
        Err(denied) => return deny(&denied, arguments.json),
    };
    if arguments.json {
        print(&format!("{}\n", report::forms(&draft.source, &draft.diagnostics, &found, &assumptions).to_json()));
        return ExitCode::SUCCESS;
    }
    remark(&draft);
    let format = arguments.to.as_deref().and_then(Format::from_word);
    if !arguments.best && format.is_none() {
        print(&report::forms_text(&found, &assumptions, arguments.all));
    }
    if arguments.best || format.is_some() || !request.is_empty() {
        let Some(best) = found.list.first().filter(|f| f.is_explicit()) else {
            return no_explicit(&found, &draft, &request);
        };
        if let Some(format) = format {
            return written(report::export(&best.realized, format), &draft);
        }
        print(&format!("{}{}", if arguments.best { "" } else { "\n" }, report::realize_text(&best.realized)));
    }
    ExitCode::SUCCESS
}

/// Says what is in the way of an explicit form.
fn no_explicit(found: &Forms, draft: &Draft, request: &Request) -> ExitCode {
    let problem = found.list.first().and_then(|f| report::implicit(&f.realized, draft.given.as_ref()));
    match (problem, &request.oracles) {
        (Some(problem), Some(asked)) => deny(&Denied::about(asked, problem), false),
        (Some(problem), None) => {
            let denied = Denied { source: draft.source.clone(), diagnostic: Box::new(problem) };
            deny(&denied, false)
        }
        (None, _) => complain("there is no form"),
    }
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
