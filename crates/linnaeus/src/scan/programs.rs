//! Programs in a paper, which TeX prints as they stand: `lstlisting`, `verbatim`, `minted`.

use super::outline::group;
use crate::source::Span;
use crate::syntax::notation::Notation;

const PROGRAMS: &[&str] =
    &["verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "lstlisting", "minted", "jllisting"];

/// Whether an environment prints its inside as it stands.
pub fn is_program(environment: &str) -> bool {
    PROGRAMS.contains(&environment)
}

/// What stands between the beginning of such an environment and the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// How long it is.
    pub length: usize,
    /// The language, if it is told and known.
    pub language: Option<Notation>,
    /// `caption={…}`: its inside.
    pub caption: Option<Span>,
    /// `label=…`
    pub label: Option<(String, Span)>,
}

/// Reads options and arguments that `\begin{…}` is followed by; spans are counted from there.
pub fn head(environment: &str, text: &str) -> Head {
    let mut found = Head::default();
    if environment == "jllisting" {
        found.language = Some(Notation::Julia);
    }
    if let Some(length) = text.strip_prefix('[').and_then(closing) {
        found.length = length + 2;
        for (start, option) in options(&text[1..=length]) {
            let Some((name, value)) = option.split_once('=') else { continue };
            let bare = value.trim().trim_start_matches('{').trim_end_matches('}');
            let at = 1 + start + option.find(bare).unwrap_or(0);
            let span = Span::new(at, at + bare.len());
            match name.trim() {
                "caption" | "title" => found.caption = Some(span),
                "label" => found.label = Some((bare.to_string(), span)),
                "language" => found.language = language(bare),
                _ => {}
            }
        }
    }
    if environment == "minted"
        && let Some((inside, length)) = group(&text[found.length..])
    {
        found.language = language(inside);
        found.length += length;
    }
    found
}

fn language(name: &str) -> Option<Notation> {
    match name.trim().to_lowercase().trim_start_matches("[").trim() {
        name if name.ends_with("python") || name == "python3" || name == "py" => Some(Notation::Python),
        name if name.ends_with("julia") || name == "jl" => Some(Notation::Julia),
        name if name.ends_with("matlab") || name.ends_with("octave") => Some(Notation::Matlab),
        _ => None,
    }
}

/// How far it is to the bracket that closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(i, c)| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        (c == ']' && depth == 0).then_some(i)
    })
}

/// The stretches between commas outside of braces, with their places.
fn options(text: &str) -> Vec<(usize, &str)> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            found.push((start, &text[start..i]));
            start = i + 1;
        }
    }
    found.push((start, &text[start..]));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let text = "[language=Python, caption={A {b}, c}, label=lst:a]\nx = 1";
        let found = head("lstlisting", text);
        assert_eq!(&text[found.length..], "\nx = 1");
        assert_eq!(found.language, Some(Notation::Python));
        assert_eq!(&text[found.caption.expect("a caption").range()], "A {b}, c");
        assert_eq!(found.label.expect("a label").0, "lst:a");
        let text = "[frame=single]{julia}\ny";
        assert_eq!((head("minted", text).length, head("minted", text).language), (21, Some(Notation::Julia)));
        assert_eq!(head("verbatim", "\nx"), Head::default());
    }
}
