//! Files → characters with their places: comments and what is switched off are left out.

use super::programs::is_program;
use crate::source::{Position, Source, Span};

/// A character and where it stands, counted through all files.
pub type Placed = (char, u32);

/// A file of a paper.
#[derive(Clone, Debug)]
pub struct File {
    /// As the paper calls it.
    pub name: String,
    /// What it says.
    pub source: Source,
    /// How many bytes the files before it have.
    base: u32,
}

/// The files of a paper, the main one first.
#[derive(Clone, Debug, Default)]
pub struct Files {
    list: Vec<File>,
}

/// A place that people can find.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line and the column.
    pub position: Position,
}

impl Files {
    /// Adds a file and returns its characters, without what TeX does not see.
    pub fn add(&mut self, name: &str, text: &str) -> Vec<Placed> {
        let base = self.list.last().map_or(0, |f| f.base + f.source.text().len() as u32 + 1);
        self.list.push(File { name: name.to_string(), source: Source::new(text), base });
        visible(text, base)
    }

    /// The files.
    pub fn list(&self) -> &[File] {
        &self.list
    }

    /// How many bytes all of them have.
    pub fn length(&self) -> usize {
        self.list.last().map_or(0, |f| f.base as usize + f.source.text().len())
    }

    /// Where a character stands.
    pub fn place(&self, origin: u32) -> Place {
        let after = self.list.partition_point(|f| f.base <= origin);
        match self.list.get(after.saturating_sub(1)) {
            Some(file) => {
                let position = file.source.position((origin - file.base) as usize);
                Place { file: file.name.clone(), position }
            }
            None => Place { file: String::new(), position: Position { line: 1, column: 1 } },
        }
    }

    /// A line of a file, for quotation.
    pub fn line(&self, place: &Place) -> &str {
        let file = self.list.iter().find(|f| f.name == place.file);
        file.map_or("", |f| f.source.line(place.position.line))
    }
}

/// A text whose bytes know where they come from.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    origin: Vec<u32>,
}

impl Text {
    /// Adds a character.
    pub fn push(&mut self, (c, origin): Placed) {
        self.text.push(c);
        self.origin.resize(self.text.len(), origin);
    }

    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text under a span, cut to what exists.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Where a byte comes from.
    pub fn origin(&self, byte: usize) -> u32 {
        self.origin.get(byte).or(self.origin.last()).copied().unwrap_or(0)
    }
}

/// Environments whose inside is not seen.
const HIDDEN: &[&str] = &["comment", "filecontents", "filecontents*"];

/// No such environment has a longer name.
const NAME: usize = 30;

/// The characters of a text that TeX reads.
fn visible(text: &str, base: u32) -> Vec<Placed> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut fresh = true;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let skipped = match c {
            '%' => Some(comment(rest, fresh)),
            '\\' => hidden(rest),
            _ => None,
        };
        if let Some(length) = program(rest) {
            out.extend(
                rest[..length].char_indices().map(|(i, c)| (if c == '\r' { ' ' } else { c }, base + (at + i) as u32)),
            );
            at += length;
            continue;
        }
        if let Some(length) = skipped {
            if c == '\\' {
                out.push((' ', base + at as u32));
            }
            at += length.max(1);
            continue;
        }
        // An escaped character is never the beginning of a comment.
        let pair = c == '\\' && rest[1..].starts_with(['%', '\\']);
        for (i, c) in rest.char_indices().take(if pair { 2 } else { 1 }) {
            let c = if c == '\r' { ' ' } else { c };
            out.push((c, base + (at + i) as u32));
            fresh = c == '\n' || (fresh && c.is_whitespace());
            if i > 0 || !pair {
                at += i + c.len_utf8();
                break;
            }
        }
    }
    out
}

/// How long a comment is; one that has its line to itself takes the end of the line along.
fn comment(rest: &str, fresh: bool) -> usize {
    let end = rest.find('\n').unwrap_or(rest.len());
    if fresh { (end + 1).min(rest.len()) } else { end }
}

/// The name of the environment that begins here.
fn begins(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix("\\begin{")?;
    Some(&inside[..inside.bytes().take(NAME).position(|b| b == b'}')?])
}

/// How long a program that begins here is; it is printed as it stands.
fn program(rest: &str) -> Option<usize> {
    let close = format!("\\end{{{}}}", begins(rest).filter(|n| is_program(n))?);
    rest.find(&close).map(|at| at + close.len())
}

/// How long a stretch that begins here and that TeX does not typeset is.
fn hidden(rest: &str) -> Option<usize> {
    if let Some(name) = begins(rest) {
        if !HIDDEN.contains(&name) && !is_program(name) {
            return None;
        }
        let close = format!("\\end{{{name}}}");
        return Some(rest.find(&close).map_or(rest.len(), |at| at + close.len()));
    }
    if let Some(after) = rest.strip_prefix("\\verb") {
        let after = after.strip_prefix('*').unwrap_or(after);
        let mark = after.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace())?;
        let inside = &after[mark.len_utf8()..];
        let end = inside.find([mark, '\n'])?;
        return Some(rest.len() - inside.len() + end + mark.len_utf8());
    }
    let after = rest.strip_prefix("\\iffalse").filter(|a| !a.starts_with(|c: char| c.is_alphabetic()))?;
    Some(rest.len() - after.len() + switched_off(after))
}

/// How far it is to the `\fi` or the `\else` that ends a text which is switched off.
fn switched_off(text: &str) -> usize {
    let mut depth = 0;
    for (at, _) in text.match_indices('\\') {
        let word: &str = &text[at + 1..];
        let length = word.bytes().take_while(|b| b.is_ascii_alphabetic() || *b == b'@').count();
        match &word[..length] {
            "fi" | "else" if depth == 0 => return at + 1 + length,
            "fi" => depth -= 1,
            "iff" => {}
            w if w.starts_with("if") => depth += 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut files = Files::default();
        let seen: String = files.add("a.tex", text).into_iter().map(|(c, _)| c).collect();
        assert_eq!(seen, expected, "{text:?}");
    }

    #[test]
    fn what_tex_sees() {
        check("a % b\nc", "a \nc");
        check("a\n  % b\nc", "a\n  c");
        check(r"50\% of \\% x", r"50\% of \\");
        check("a\\begin{comment}\\begin{algorithm}\\end{comment}b", "a b");
        check("\\begin{verbatim}x %d\\end{verbatim}% c", "\\begin{verbatim}x %d\\end{verbatim}");
        check(r"a\iffalse b\ifx c\fi d\fi e", "a  e");
        check(r"a\iffalse b\else c\fi", r"a  c\fi");
        check(r"\verb|%|x", " x");
        check(r"\verb", r"\verb");
        check("\\begin{verbatim} never", " ");
        check("ä%ö", "ä");
    }

    #[test]
    fn places_are_those_of_the_files() {
        let mut files = Files::default();
        files.add("a.tex", "one\ntwo");
        let second = files.add("b.tex", "% x\nthree");
        let place = files.place(second[0].1);
        assert_eq!((place.file.as_str(), place.position.line), ("b.tex", 2));
        assert_eq!(files.line(&place), "three");
    }
}
