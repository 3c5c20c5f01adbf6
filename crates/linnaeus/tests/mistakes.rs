//! Bad texts are refused with the right complaint at the very characters.

mod support;

use linnaeus::diagnostic::Severity;
use linnaeus::source::Span;
use support::{Entry, corpus};

const FILES: [&str; 2] = [include_str!("corpus/mistakes.txt"), include_str!("corpus/golden.txt")];

/// One expected complaint: the facts from one `error` to the next.
fn expected(entry: &Entry) -> Vec<Vec<(&str, &str)>> {
    let mut found: Vec<Vec<(&str, &str)>> = Vec::new();
    for (key, value) in &entry.facts {
        if key == "error" {
            found.push(Vec::new());
        }
        if let Some(last) = found.last_mut() {
            last.push((key, value));
        }
    }
    found
}

fn check(entry: &Entry) -> Result<(), String> {
    let reading = linnaeus::read(&entry.text);
    let source = &reading.source;
    let errors: Vec<_> = reading.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let codes: Vec<&str> = errors.iter().map(|d| d.code.text()).collect();
    let wanted = expected(entry);
    let wanted_codes: Vec<&str> = wanted.iter().map(|w| w[0].1).collect();
    let shown: String = errors.iter().map(|d| d.render(source)).take(3).collect();
    if codes != wanted_codes {
        return Err(format!(
            "{}: {codes:?}, not {wanted_codes:?}\n{}\n{shown}",
            entry.label,
            entry.text.chars().take(300).collect::<String>()
        ));
    }
    for (d, facts) in errors.iter().zip(&wanted) {
        let line_of = |span: Span| source.position(span.start).line;
        let labels = d.labels.iter().map(|l| format!("line {}: {}", line_of(l.span), l.message));
        let said: String = labels.chain([d.message.clone(), d.mark.clone()]).collect::<Vec<_>>().join(" ");
        for (key, value) in facts {
            let (ok, have) = match *key {
                "line" => (line_of(d.span).to_string() == *value, line_of(d.span).to_string()),
                "at" => (source.slice(d.span) == *value, source.slice(d.span).to_string()),
                "column" => (
                    source.position(d.span.start).column.to_string() == *value,
                    source.position(d.span.start).column.to_string(),
                ),
                "says" => (said.contains(value), said.clone()),
                "help" => {
                    let help = d.help.as_ref().map(ToString::to_string).unwrap_or_default();
                    (help.contains(value), help)
                }
                _ => (true, String::new()),
            };
            if !ok {
                return Err(format!("{}: {key} is {have:?}, not {value:?}\n{shown}", entry.label));
            }
        }
    }
    Ok(())
}

#[test]
fn mistakes_are_pointed_at() {
    let mut count = 0;
    let mut problems = Vec::new();
    for entry in FILES.iter().flat_map(|f| corpus(f)).filter(|e| e.one("error").is_some()) {
        count += 1;
        problems.extend(check(&entry).err());
    }
    assert!(count > 100, "{count}");
    assert!(problems.is_empty(), "{} of {count}\n\n{}", problems.len(), problems.join("\n\n"));
}
