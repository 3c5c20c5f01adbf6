//! Positions in the user's text.

use std::ops::Range;

/// A stretch of the user's text, in bytes; the end is exclusive.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes as a range.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A place that people can find: both numbers start at 1, columns count characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Character within the line, from 1.
    pub column: usize,
}

/// The user's text with its line starts.
#[derive(Clone, Debug)]
pub struct Source {
    text: String,
    lines: Vec<usize>,
}

impl Source {
    /// Takes the text as it is.
    pub fn new(text: &str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Source { text: text.to_string(), lines }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text under a span, cut to what exists.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Where a byte stands.
    ///
    /// ```
    /// use linnaeus::source::{Position, Source};
    /// let source = Source::new("α = 1\nx = 2");
    /// assert_eq!(source.position(3), Position { line: 1, column: 3 });
    /// assert_eq!(source.position(7), Position { line: 2, column: 1 });
    /// ```
    pub fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        let line = self.lines.partition_point(|&start| start <= byte) - 1;
        let column =
            self.text[self.lines[line]..].char_indices().take_while(|(i, _)| self.lines[line] + i < byte).count();
        Position { line: line + 1, column: column + 1 }
    }

    /// A line without its end, numbered from 1.
    pub fn line(&self, number: usize) -> &str {
        let start = self.lines[number - 1];
        let end = self.lines.get(number).map_or(self.text.len(), |&next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }
}
