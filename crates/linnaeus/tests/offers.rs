//! What the reader offers is taken: a help that says what to write leads further, and the line beside a guess is read
//! and changes what it says.

mod support;

use linnaeus::diagnostic::{Diagnostic, Severity};
use linnaeus::mend::{applied, candidates, snippets};
use linnaeus::source::Span;
use linnaeus::system::Coefficients;
use linnaeus::{Reading, read, read_as};
use support::pasted::{all, bad};

fn errors(reading: &Reading) -> Vec<&Diagnostic> {
    reading.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect()
}

/// How many places mistakes have: the same one may have several.
fn places(errors: &[&Diagnostic]) -> usize {
    errors.iter().map(|d| 1 + d.labels.iter().filter(|l| l.message == "and here").count()).sum()
}

/// Whether a help that says what to write leads further; `None` where it only explains.
fn helps(reading: &Reading, d: &Diagnostic) -> Option<bool> {
    let help = d.help.as_ref().map(ToString::to_string).unwrap_or_default();
    let before = places(&errors(reading));
    let edits: Vec<_> = snippets(&help).into_iter().flat_map(|s| candidates(reading, d, s)).collect();
    let further = |edit: &linnaeus::mend::Edit| {
        let again = read_as(&applied(reading, edit), reading.algorithm.notation, Coefficients::AsWritten);
        let left = errors(&again);
        places(&left) < before || left.iter().all(|e| (e.code, &e.message) != (d.code, &d.message))
    };
    (!edits.is_empty()).then(|| edits.iter().any(further))
}

#[test]
fn helps_that_say_what_to_write_lead_further() {
    let mistakes = support::corpus(include_str!("corpus/mistakes.txt"));
    let texts = bad().into_iter().map(|e| e.text).chain(mistakes.into_iter().map(|e| e.text));
    let (mut tried, mut wrong) = (0, Vec::new());
    for text in texts.filter(|t| t.len() < 2000) {
        let reading = read(&text);
        for d in errors(&reading) {
            match helps(&reading, d) {
                Some(true) => tried += 1,
                Some(false) => wrong.push(d.render(&reading.source)),
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 50, "{tried}");
}

/// What a text amounts to, declarations apart.
fn amounts_to(reading: &Reading) -> String {
    let show = reading.report();
    let roles = (&show.parameters, &show.operators, &show.constants);
    let printed: Vec<String> = reading.algorithm.statements.iter().map(linnaeus::syntax::print::statement).collect();
    format!("{printed:?} {:?} {:?} {:?}", show.transfer, show.markov, serde_json::to_string(&roles).expect("data"))
}

#[test]
fn lines_beside_guesses_are_taken() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for entry in all() {
        let reading = read(&entry.text);
        for guess in linnaeus::report::guesses(&reading) {
            let line = &guess.declaration;
            if line.starts_with("write ") {
                continue;
            }
            tried += 1;
            let text = format!("{line}\n{}", entry.text);
            let again = read_as(&text, reading.algorithm.notation, Coefficients::AsWritten);
            if again.analysis.is_none() {
                let said: String = again.diagnostics.iter().map(|d| d.render(&again.source)).collect();
                wrong.push(format!("{}: `{line}` is refused\n{said}", entry.title));
            } else if amounts_to(&again) == amounts_to(&reading) {
                wrong.push(format!("{}: `{line}` changes nothing", entry.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 100, "{tried}");
}

/// A place of its own for what is removed.
#[test]
fn what_is_to_be_removed_is_removed() {
    let reading = read("x[k+1] = x[k]) - grad f(x[k])");
    let (_, edit) = linnaeus::mend::edits(&reading).remove(0);
    assert_eq!((edit.span, edit.text.as_str()), (Span::new(13, 14), ""));
}
