//! An expanded paper → its environments, displays, formulas, labels and references.

use super::expand::Expanded;
use super::programs::{self, is_program};
use crate::source::Span;
use crate::syntax;

/// An environment or a display.
#[derive(Clone, Debug)]
pub struct Block {
    /// `algorithm`, `align*`, `\[`.
    pub name: String,
    /// From `\begin` to `\end`, both included.
    pub span: Span,
    /// The block around it.
    pub parent: Option<usize>,
}

/// The parts of a paper.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// In the order in which they begin.
    pub blocks: Vec<Block>,
    /// Formulas in the running text.
    pub formulas: Vec<Span>,
    /// Where sections begin.
    pub headings: Vec<usize>,
    /// Names and where they stand.
    pub labels: Vec<(String, Span)>,
    /// The insides of captions.
    pub captions: Vec<Span>,
    /// The labels that are referred to, and where.
    pub references: Vec<(Reference, Span)>,
}

/// What is referred to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// Each of these labels.
    Labels(Vec<String>),
    /// Everything from the one to the other.
    Range(String, String),
}

const HEADINGS: &[&str] = &["part", "chapter", "section", "subsection"];
const REFERENCES: &[&str] = &["ref", "cref", "Cref", "autoref", "eqref", "labelcref", "vref", "nameref", "algref"];
const RANGES: &[&str] = &["crefrange", "Crefrange"];
/// Environments that draw.
const PICTURES: &[&str] = &["tikzpicture", "picture", "pspicture", "tikzcd"];

impl Block {
    /// Whether it is a displayed formula.
    pub fn is_display(&self) -> bool {
        is_display(&self.name)
    }

    /// Whether it draws.
    pub fn is_picture(&self) -> bool {
        PICTURES.contains(&self.name.as_str())
    }
}

/// Whether one stretch lies in another.
pub fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl Outline {
    /// The number of the section that a place belongs to.
    pub fn section(&self, at: usize) -> usize {
        self.headings.partition_point(|&h| h <= at)
    }

    /// Whether one of the blocks around a block passes.
    pub fn is_inside(&self, block: usize, test: impl Fn(&Block) -> bool) -> bool {
        let mut at = self.blocks[block].parent;
        while let Some(i) = at {
            if test(&self.blocks[i]) {
                return true;
            }
            at = self.blocks[i].parent;
        }
        false
    }

    /// What is referred to in a stretch of the text.
    pub fn references_in(&self, span: Span) -> Vec<Reference> {
        let first = self.references.partition_point(|(_, s)| s.start < span.start);
        let inside = self.references[first..].iter().take_while(|(_, s)| s.start < span.end);
        inside.filter(|(_, s)| s.end <= span.end).map(|(r, _)| r.clone()).collect()
    }

    /// The innermost block around a place.
    pub fn innermost(&self, span: Span) -> Option<usize> {
        self.blocks.iter().rposition(|b| contains(b.span, span))
    }
}

/// Environments inside more than so many others are not told apart.
const DEEP: usize = 100;
/// No group and no formula in the running text that matters is longer than this.
const LONG: usize = 2_000;

/// Finds blocks, formulas, labels, captions and references.
pub fn outline(paper: &Expanded) -> Outline {
    let mut finder = Finder { text: paper.text.as_str(), at: 0, open: Vec::new(), out: Outline::default() };
    finder.run();
    let start = finder.out.blocks.iter().find(|b| b.name == "document").map_or(0, |b| b.span.start);
    let mut found = finder.out;
    found.formulas.retain(|f| f.start >= start);
    found
}

struct Finder<'a> {
    text: &'a str,
    at: usize,
    /// Blocks that have begun, by their numbers.
    open: Vec<usize>,
    out: Outline,
}

impl Finder<'_> {
    fn run(&mut self) {
        while let Some(c) = self.text[self.at..].chars().next() {
            match c {
                '\\' => self.command(),
                '$' => self.dollar(),
                '\n' if self.blank_follows() => {
                    self.close_displays(&["\\[", "$$"]);
                    self.at += 1;
                }
                _ => self.at += c.len_utf8(),
            }
        }
        let end = self.text.len();
        while let Some(open) = self.open.pop() {
            self.out.blocks[open].span.end = self.recovered(open, end);
        }
    }

    /// Where a block that never ends is taken to end: where the next one of its kind or a section begins.
    fn recovered(&self, open: usize, end: usize) -> usize {
        let block = &self.out.blocks[open];
        if block.name == "document" {
            return end;
        }
        let next = self.out.blocks[open + 1..].iter().find(|b| b.name == block.name).map(|b| b.span.start);
        let heading = self.out.headings.iter().copied().find(|&h| h > block.span.start);
        next.into_iter().chain(heading).min().unwrap_or(end)
    }

    fn blank_follows(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        rest[..rest.find('\n').unwrap_or(0)].trim().is_empty() && rest.contains('\n')
    }

    fn close_displays(&mut self, names: &[&str]) {
        while let Some(&open) = self.open.last() {
            if !names.contains(&self.out.blocks[open].name.as_str()) {
                return;
            }
            self.out.blocks[open].span.end = self.at;
            self.open.pop();
        }
    }

    fn begin(&mut self, name: String, length: usize) {
        if self.open.len() >= DEEP {
            self.at += length;
            return;
        }
        let span = Span::new(self.at, self.at + length);
        self.out.blocks.push(Block { name, span, parent: self.open.last().copied() });
        self.open.push(self.out.blocks.len() - 1);
        self.at += length;
    }

    /// Ends the innermost open block of this name, and those inside it.
    fn end(&mut self, name: &str, length: usize) {
        self.at += length;
        let Some(place) = self.open.iter().rposition(|&b| self.out.blocks[b].name == name) else { return };
        let start = self.at - length;
        for (i, block) in self.open.drain(place..).enumerate() {
            self.out.blocks[block].span.end = if i == 0 { self.at } else { start };
        }
    }

    fn dollar(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("$$") {
            let open = self.open.iter().any(|&b| self.out.blocks[b].name == "$$");
            return if open { self.end("$$", 2) } else { self.begin("$$".into(), 2) };
        }
        self.inline("$", 1);
    }

    /// A formula in the running text; where it does not end in its paragraph there is none.
    fn inline(&mut self, close: &str, opening: usize) {
        let rest = start_of(&self.text[self.at + opening..]);
        let paragraph = &rest[..paragraph_end(rest)];
        let mut from = 0;
        let end = loop {
            match paragraph[from..].find(close).map(|i| i + from) {
                Some(i) if paragraph[..i].ends_with('\\') && close == "$" => from = i + 1,
                found => break found,
            }
        };
        match end {
            Some(length) => {
                let start = self.at;
                let end = start + opening + length + close.len();
                self.out.formulas.push(Span::new(start, end));
                // References inside count as any others.
                let inside = &self.text[start + opening..end - close.len()];
                for (i, _) in inside.match_indices('\\') {
                    self.at = start + opening + i;
                    let name = word(&self.text[self.at + 1..]);
                    self.refer(name);
                }
                self.at = end;
            }
            None => self.at += opening,
        }
    }

    fn command(&mut self) {
        let rest = &self.text[self.at + 1..];
        let name = word(rest);
        match name {
            "" => match rest.chars().next() {
                Some('[') => self.begin("\\[".into(), 2),
                Some(']') => self.end("\\[", 2),
                Some('(') => self.inline("\\)", 2),
                Some(c) => self.at += 1 + c.len_utf8(),
                None => self.at += 1,
            },
            "begin" | "end" => match group(&rest[name.len()..]) {
                Some((inside, length)) => {
                    let (inside, length) = (inside.trim().to_string(), 1 + name.len() + length);
                    if name == "begin" && is_program(&inside) {
                        self.program(inside, length);
                    } else if name == "begin" {
                        if !syntax::is_math(&inside) && !inside.trim_end_matches('*').ends_with("matrix") {
                            self.close_displays(&["\\[", "$$"]);
                        }
                        self.begin(inside, length);
                    } else {
                        self.end(&inside, length);
                    }
                }
                None => self.at += 1 + name.len(),
            },
            _ if HEADINGS.contains(&name) => {
                self.out.headings.push(self.at);
                self.at += 1 + name.len();
            }
            "label" => {
                if let Some((inside, length)) = group(&rest[name.len()..]) {
                    let span = Span::new(self.at, self.at + 1 + name.len() + length);
                    self.out.labels.push((inside.trim().to_string(), span));
                }
                self.at += 1 + name.len();
            }
            "caption" | "captionof" | "TitleOfAlgo" => self.caption(name.len()),
            _ => {
                self.refer(name);
                self.at += 1 + name.len();
            }
        }
    }

    /// A program: nothing in it is TeX but the options that it begins with.
    fn program(&mut self, name: String, length: usize) {
        let (start, from) = (self.at, self.at + length);
        let rest = &self.text[from..];
        let close = format!("\\end{{{name}}}");
        let end = from + rest.find(&close).map_or(rest.len(), |i| i + close.len());
        let head = programs::head(&name, &self.text[from..end]);
        let here = |s: Span| Span::new(from + s.start, from + s.end);
        self.out.captions.extend(head.caption.map(here));
        self.out.labels.extend(head.label.map(|(label, s)| (label, here(s))));
        let parent = self.open.last().copied();
        self.out.blocks.push(Block { name, span: Span::new(start, end), parent });
        self.at = end;
    }

    /// Notes a caption; its inside is read on, since labels may stand in it.
    fn caption(&mut self, length: usize) {
        let from = self.at + 1 + length;
        let mut rest = &self.text[from..];
        if self.text[self.at + 1..].starts_with("captionof") {
            rest = group(rest).map_or(rest, |(_, l)| &rest[l..]);
        }
        rest = rest.strip_prefix('*').unwrap_or(rest);
        if rest.starts_with('[') {
            rest = rest.find(']').map_or(rest, |i| &rest[i + 1..]);
        }
        if let Some((inside, taken)) = group(rest) {
            let end = self.text.len() - rest.len() + taken - 1;
            self.out.captions.push(Span::new(end - inside.len(), end));
        }
        self.at = from;
    }

    fn refer(&mut self, name: &str) {
        let rest = &self.text[self.at + 1..];
        let after = rest[name.len().min(rest.len())..].strip_prefix('*').unwrap_or(&rest[name.len().min(rest.len())..]);
        let Some((inside, length)) = group(after) else { return };
        let span = Span::new(self.at, self.text.len() - after.len() + length);
        if REFERENCES.contains(&name) {
            let labels = inside.split(',').map(|l| l.trim().to_string()).collect();
            self.out.references.push((Reference::Labels(labels), span));
        } else if RANGES.contains(&name)
            && let Some((last, _)) = group(&after[length..])
        {
            self.out.references.push((Reference::Range(inside.trim().into(), last.trim().into()), span));
        }
    }
}

/// Where the paragraph ends that a text begins with.
pub fn paragraph_end(text: &str) -> usize {
    let mut from = 0;
    while let Some(i) = text[from..].find('\n').map(|i| i + from) {
        let rest = &text[i + 1..];
        match rest.find('\n') {
            Some(j) if rest[..j].trim().is_empty() => return i,
            _ => from = i + 1,
        }
    }
    text.len()
}

/// As much of a text as is looked at.
fn start_of(text: &str) -> &str {
    let end = (0..=LONG.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    &text[..end]
}

/// The letters that a text begins with.
pub fn word(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_alphabetic).count()]
}

/// Whether a block is a displayed formula.
fn is_display(name: &str) -> bool {
    matches!(name, "\\[" | "$$") || syntax::is_display(name)
}

/// The command behind a backslash: its name, which is empty for a sign such as `\\,`, and its length with the
/// backslash.
pub fn command(text: &str) -> (&str, usize) {
    let name = word(text);
    let sign = || text.chars().next().map_or(0, char::len_utf8);
    (name, 1 + if name.is_empty() { sign() } else { name.len() })
}

/// The group that a text begins with: its inside, and its length with the blanks before it.
pub fn group(text: &str) -> Option<(&str, usize)> {
    let body = text.trim_start();
    let pad = text.len() - body.len();
    if !body.starts_with('{') {
        return None;
    }
    let (mut depth, mut escaped) = (0, false);
    for (i, c) in body.char_indices().take(LONG) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&body[1..i], pad + i + 1));
        }
    }
    None
}
