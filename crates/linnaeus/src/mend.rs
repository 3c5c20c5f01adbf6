//! Edits that do what the help of a remark says. One is offered only where the text, read again with it, has fewer
//! errors than before.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;
use crate::system::Coefficients;
use crate::{Reading, read_as};

/// A change to the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty where something is put in.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// So many errors are tried to be mended at once.
const TRIED: usize = 5;

/// An edit for each remark that has one, by its number.
///
/// ```
/// let reading = linnaeus::read("x[k+1] = x[k] - gard f(x[k])");
/// let (place, edit) = &linnaeus::mend::edits(&reading)[0];
/// assert_eq!((*place, edit.text.as_str()), (0, "grad"));
/// ```
pub fn edits(reading: &Reading) -> Vec<(usize, Edit)> {
    let errors = reading.diagnostics.iter().enumerate().filter(|(_, d)| d.severity == Severity::Error);
    errors.take(TRIED).filter_map(|(i, d)| Some((i, edit(reading, d)?))).collect()
}

fn edit(reading: &Reading, d: &Diagnostic) -> Option<Edit> {
    let count = |r: &Reading| r.diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let before = count(reading);
    let helps = |edit: &Edit| {
        let again = read_as(&applied(reading, edit), reading.algorithm.notation, Coefficients::AsWritten);
        again.analysis.is_some() || count(&again) < before
    };
    snippets(&d.help.as_ref()?.to_string()).into_iter().flat_map(|s| candidates(reading, d, s)).find(helps)
}

/// The text with an edit made.
pub fn applied(reading: &Reading, edit: &Edit) -> String {
    let text = reading.source.text();
    format!("{}{}{}", &text[..edit.span.start], edit.text, &text[edit.span.end..])
}

/// What a help says to write, nothing where what is marked goes: the parts in backquotes that are no examples and have nothing left to fill in.
pub fn snippets(help: &str) -> Vec<&str> {
    let parts: Vec<&str> = help.split('`').collect();
    let is_example = |before: &str| ["as in ", "such as "].iter().any(|w| before.ends_with(w));
    let quoted = parts.chunks(2).filter_map(|pair| match pair {
        [before, quoted] if !is_example(before) => Some(*quoted),
        _ => None,
    });
    let written = quoted.filter(|s| !s.is_empty() && !s.contains('…') && !s.starts_with("--"));
    let removes = help.contains("remove it") || help.starts_with("remove `");
    written.chain(removes.then_some("")).collect()
}

/// What a declaration begins with.
const DECLARATIONS: [&str; 8] =
    ["param ", "constant ", "operator ", "oracle ", "index ", "iterate ", "function ", "set "];

/// Where a snippet may belong: on a line of its own, or in the place of what is marked, or behind it.
pub fn candidates(reading: &Reading, d: &Diagnostic, snippet: &str) -> Vec<Edit> {
    if snippet.is_empty() {
        return vec![Edit { span: d.span, text: String::new() }];
    }
    let text = reading.source.text();
    let put = |at: usize| Edit { span: Span::new(at, at), text: snippet.to_string() };
    let line = text[d.span.end..].find('\n').map_or(text.len(), |n| d.span.end + n);
    if DECLARATIONS.iter().any(|w| snippet.starts_with(w)) {
        let start = text[..d.span.start].rfind('\n').map_or(0, |n| n + 1);
        let instead = Edit { span: Span::new(start, line), text: snippet.to_string() };
        let above = Edit { text: format!("{snippet}\n"), ..put(0) };
        return if d.code == Code::BadDeclaration { vec![instead] } else { vec![above] };
    }
    let whole = d.span.start == d.span.end;
    let replaced = (!whole).then(|| Edit { span: d.span, text: snippet.to_string() });
    replaced.into_iter().chain([put(d.span.end), put(line)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Option<String> {
        let reading = crate::read(text);
        edits(&reading).first().map(|(_, edit)| applied(&reading, edit))
    }

    #[test]
    fn what_help_says() {
        let check = |text: &str, wanted: &str| {
            let found =
                mended(text).unwrap_or_else(|| panic!("nothing for {text}: {:?}", crate::read(text).diagnostics));
            assert_eq!(found, wanted);
        };
        check("x[k+1] = x[k] - porx_f(x[k])", "x[k+1] = x[k] - prox_f(x[k])");
        check("x[k+1] = x[k] - grad f(x[k]", "x[k+1] = x[k] - grad f(x[k])");
        check("α = 1/2\nx[k+1] = x[k] - α*gard f(x[k])", "α = 1/2\nx[k+1] = x[k] - α*grad f(x[k])");
    }

    #[test]
    fn nothing_is_made_up() {
        for text in ["", "x[k+1] = x[k]*y[k]", "x[k+1] = sin(x[k])", "hello", "x[k+1] = x[k] - t*grad f(x[k])"] {
            let found = mended(text);
            assert!(found.as_ref().is_none_or(|t| crate::read(t).analysis.is_some()), "{text}: {found:?}");
        }
        assert_eq!(mended(""), None);
    }

    #[test]
    fn examples_are_not_for_writing() {
        assert_eq!(snippets("did you mean `grad`?"), ["grad"]);
        assert_eq!(snippets("write it as in `x[k+1] = …`, or declare `param t`"), ["param t"]);
    }
}
