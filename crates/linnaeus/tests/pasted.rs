//! Texts as people paste them: what is read, which card it is, and what is said of texts that cannot be read.

mod support;

use linnaeus::Reading;
use linnaeus::diagnostic::Severity;
use linnaeus::relation::{Generality, Names, Relation, Verdict, compare_as};
use linnaeus::source::Span;
use linnaeus::syntax::notation::Notation;
use linnaeus::syntax::print;
use linnaeus::system::Coefficients;
use linnaeus::zoo::Zoo;
use support::pasted::{Entry, all, bad};
use support::random::Random;

const SEED: u64 = 20_261_116;

/// Every line with something on it belongs to a line of the reading.
fn assert_covered(reading: &Reading) {
    let text = reading.source.text();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let from = start + (line.len() - line.trim_start().len());
        let to = from + body.len();
        let covers = |s: Span| s.start < to && from < s.end;
        let covered = body.is_empty() || reading.algorithm.lines.iter().any(|l| covers(l.span));
        assert!(covered, "{body:?} is not told of in {text:?}");
        start += line.len();
    }
}

/// What a reading amounts to, whatever the text looked like.
fn amounts_to(reading: &Reading) -> String {
    let show = reading.report();
    let channels: Vec<String> =
        show.channels.iter().flatten().map(|c| format!("{} {} {:?}", c.kind, c.function, c.step)).collect();
    format!("{channels:?} {:?} {:?} {:?}", show.transfer, show.markov, show.transfer_constants)
}

#[test]
fn pasted_texts_are_read() {
    let entries = all();
    assert!(entries.len() >= 150, "{}", entries.len());
    let mut wrong = Vec::new();
    for entry in &entries {
        let reading = linnaeus::read(&entry.text);
        assert_covered(&reading);
        let printed = print::algorithm(&reading.algorithm);
        if reading.analysis.is_none() {
            let said: String = reading.diagnostics.iter().map(|d| d.render(&reading.source)).collect();
            wrong.push(format!("{}: {said}", entry.title));
        } else if Some(printed.as_str()) != entry.get("reading") {
            wrong.push(format!("{}:\n{}\n--- reading\n{printed}", entry.title, entry.text));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), entries.len(), wrong.join("\n"));
}

/// Notes and guesses that an entry records are made.
#[test]
fn remarks_are_made() {
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in all().iter().filter(|e| e.get("note").or(e.get("guess")).is_some()) {
        let reading = linnaeus::read(&entry.text);
        let notes = reading.diagnostics.iter().map(|d| d.render(&reading.source)).collect::<String>();
        let guesses = linnaeus::report::guesses(&reading).into_iter();
        let guesses: Vec<String> =
            guesses.map(|g| format!("{} is {}; otherwise: {}", g.name, g.taken_as, g.declaration)).collect();
        for (key, value) in &entry.records {
            let made = match key.as_str() {
                "note" => notes.contains(value),
                "guess" => guesses.contains(value),
                _ => continue,
            };
            count += 1;
            if !made {
                wrong.push(format!("{}: {key} {value}\n{notes}{}", entry.title, guesses.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 8, "{count}");
}

#[test]
fn what_is_printed_is_read_again() {
    for entry in all() {
        let reading = linnaeus::read(&entry.text);
        let printed = print::algorithm(&reading.algorithm);
        let again = linnaeus::read_as(&printed, Notation::Plain, Coefficients::AsWritten);
        let said: String = again.diagnostics.iter().map(|d| d.render(&again.source)).collect();
        assert!(again.analysis.is_some(), "{}: {printed}\n{said}", entry.title);
        assert_eq!(print::algorithm(&again.algorithm), printed, "{}", entry.title);
        assert_eq!(amounts_to(&again), amounts_to(&reading), "{}", entry.title);
    }
}

#[test]
fn pasted_texts_are_related_to_their_cards() {
    let zoo = Zoo::embedded();
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in all() {
        // A text lies in its card, or has more general oracles than the card.
        let Some(slug) = entry.get("card").or_else(|| entry.get("contains")) else { continue };
        let card = zoo.find(slug).unwrap_or_else(|| panic!("{}: no card {slug}", entry.title));
        let reading = linnaeus::read(&entry.text);
        let analysis = reading.analysis.as_ref().unwrap_or_else(|| panic!("{}: not read", entry.title));
        let comparison = compare_as(analysis, card.analysis().expect("cards are read"), None, Names::Foreign);
        let Verdict::Related(witness) = comparison.verdict else {
            wrong.push(format!("{}: not {slug}", entry.title));
            continue;
        };
        let within = match entry.get("card") {
            Some(_) => matches!(witness.generality, Generality::Equal | Generality::Instance),
            None => witness.generality == Generality::Contains,
        };
        if witness.relation == Relation::Conditional || !within {
            wrong.push(format!("{}: {slug} only {:?}, {:?}", entry.title, witness.relation, witness.generality));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "{count}");
}

#[test]
fn what_cannot_be_read_is_explained() {
    let entries = bad();
    assert!(entries.len() >= 40, "{}", entries.len());
    let mut wrong = Vec::new();
    for entry in &entries {
        let reading = linnaeus::read(&entry.text);
        assert_covered(&reading);
        let code = entry.get("error").expect("a code");
        let errors: Vec<_> = reading.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        let fits = |d: &&&linnaeus::diagnostic::Diagnostic| {
            d.code.text() == code
                && entry.get("at").is_none_or(|at| reading.source.slice(d.span) == at)
                && entry.get("help").is_none_or(|help| d.help.as_ref().is_some_and(|h| h.to_string().contains(help)))
        };
        let counted = entry.get("errors").is_none_or(|n| n.parse() == Ok(errors.len()));
        if !counted || !errors.iter().any(|d| fits(&d)) {
            let said: String = reading
                .diagnostics
                .iter()
                .map(|d| format!("{} {:?}\n{}", d.code.text(), reading.source.slice(d.span), d.render(&reading.source)))
                .collect();
            wrong.push(format!(
                "{}: {}wanted {code} at {:?}, {:?}\n{said}",
                entry.title,
                entry.text,
                entry.get("at"),
                entry.get("help")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), entries.len(), wrong.join("\n"));
}

#[test]
fn lines_that_limits_leave_unread_are_told_of() {
    let long = format!("{}x\nx[k+1]\n\\newcommand{{{{\\x}}", "-".repeat(5000));
    let wrong = "x_{k+1} = \\foo y_k\n".repeat(80);
    let many = format!("{}\\newcommand{{{{\\x}}", "x_{k+1} = x_k - \\nabla f(x_k)\n\n".repeat(250));
    let prose = format!("{}\nx_{{k+1}} = \\foo x_k", "$a$ is said here.\n\n".repeat(1200));
    for text in [long, wrong, many, prose] {
        let reading = linnaeus::read_as(&text, Notation::Latex, Coefficients::AsWritten);
        assert!(reading.diagnostics.iter().any(|d| d.severity == Severity::Error));
        assert_covered(&reading);
    }
}

/// A text with some characters dropped, doubled, exchanged or replaced.
fn mutated(text: &str, random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "\\",
        "_",
        "^",
        "&",
        "\\\\",
        "$",
        "(",
        ")",
        "\\frac",
        "\\begin{align}",
        "\\end{align}",
        "=",
        "\n",
        "%",
        "\\arg\\min_x",
        "\\|",
        "\\nabla",
        "'",
        "*",
        "₊",
        "̃",
        ",",
        "[",
        "]",
        "+",
        "\\newcommand{\\x}{\\x\\x}",
        "\\x",
        "k",
        "1",
        "\\left",
        "\\text{",
        "\\langle",
        "<",
        ">",
        "|",
        ";",
        "#1",
        "\\def\\a",
        "\\For{",
        "∇",
        "~",
        "@",
        "\u{0}",
        "é",
        "‖",
    ];
    let mut chars: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(chars.len() + 1);
        match random.below(5) {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 if at < chars.len() => {
                let copy = chars[at].clone();
                chars.insert(at, copy);
            }
            2 if at + 1 < chars.len() => chars.swap(at, at + 1),
            3 => {
                let to = (at + random.below(12)).min(chars.len());
                chars.drain(at.min(to)..to);
            }
            _ => chars.insert(at, random.pick(PIECES).to_string()),
        }
    }
    chars.concat()
}

#[test]
fn damaged_texts_never_break_the_reader() {
    let entries: Vec<Entry> = all().into_iter().chain(bad()).collect();
    let mut random = Random::new(SEED, "damage", 0);
    let mut broken = Vec::new();
    for round in 0..10_000 {
        let text = mutated(&entries[random.below(entries.len())].text, &mut random);
        let notation = Notation::ALL[round % Notation::ALL.len()];
        let run = std::panic::catch_unwind(|| {
            let reading = linnaeus::read_as(&text, notation, Coefficients::AsWritten);
            let errors = reading.diagnostics.iter().any(|d| d.severity == Severity::Error);
            assert_ne!(reading.analysis.is_some(), errors, "an answer and an error, or neither");
            for d in &reading.diagnostics {
                assert!(text.get(d.span.range()).is_some(), "{d:?}");
                assert!(d.severity != Severity::Error || d.help.is_some(), "{d:?}");
                d.render(&reading.source);
            }
            assert_covered(&reading);
            reading.report();
        });
        if run.is_err() {
            broken.push(format!("{notation:?} {text:?}"));
        }
        if broken.len() > 20 {
            break;
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
