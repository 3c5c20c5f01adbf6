//! One algorithm of the zoo: a Markdown file that people read and edit, and that is parsed here.
//!
//! The name is the heading, family and slug are the path. Between the `---` lines stand facts, one
//! per line; the equations, the transfer function and the references stand in code blocks.

use crate::advice::Advice;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};

/// A card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// `ALG-0042`, never given twice.
    pub id: String,
    /// The file's name.
    pub slug: String,
    /// The folder's name.
    pub family: String,
    /// The heading.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// When the method was first published.
    pub year: String,
    /// What it solves.
    pub problem: String,
    /// What is assumed of the functions.
    pub assumes: String,
    /// What the parameters are.
    pub parameters: String,
    /// Slugs of cards of which neither lies in the other, but which are the same for some parameters of both.
    pub meets: Vec<String>,
    /// What of the references could not be confirmed.
    pub unconfirmed: String,
    /// What it does.
    pub summary: String,
    /// The equations.
    pub equations: String,
    /// Remarks.
    pub notes: String,
    /// The transfer function as it was recorded; empty if it was not.
    pub transfer: String,
    /// The references.
    pub bibtex: String,
    /// Where the blocks stand in the text.
    pub places: Places,
}

/// Where the code blocks of a card begin, in bytes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The equations.
    pub equations: usize,
    /// The transfer function.
    pub transfer: usize,
    /// The references.
    pub bibtex: usize,
}

/// The facts, in this order; the others may be left out.
const FACTS: &[(&str, bool)] = &[
    ("id", true),
    ("aliases", false),
    ("year", true),
    ("problem", true),
    ("assumes", true),
    ("parameters", false),
    ("meets", false),
    ("unconfirmed", false),
];

const EQUATIONS: &str = "```linnaeus";
const TRANSFER: &str = "```text";
const REFERENCES: &str = "```bibtex";

/// A line of a card with its place.
#[derive(Copy, Clone)]
struct Line<'a> {
    text: &'a str,
    span: Span,
}

/// When algorithms are published.
const YEARS: std::ops::RangeInclusive<u32> = 1600..=2100;

/// Reads a card.
pub fn parse(family: &str, slug: &str, source: &Source) -> Result<Card, Vec<Diagnostic>> {
    let mut reader = Reader { lines: lines(source.text()), at: 0, problems: Vec::new() };
    let mut card = Card { slug: slug.to_string(), family: family.to_string(), ..Card::default() };
    reader.facts(&mut card);
    reader.body(&mut card);
    if reader.problems.is_empty() { Ok(card) } else { Err(reader.problems) }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    // Some editors begin a file with a mark of its encoding.
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut start = text.len() - unmarked.len();
    unmarked
        .split_inclusive('\n')
        .map(|whole| {
            let line = whole.trim_end_matches(['\n', '\r']);
            let span = Span::new(start, start + line.len());
            start += whole.len();
            Line { text: line, span }
        })
        .collect()
}

struct Reader<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
    problems: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Line<'a>> {
        let line = self.lines.get(self.at).copied();
        self.at += usize::from(line.is_some());
        line
    }

    fn complain(&mut self, span: Span, message: impl Into<String>, help: impl Into<Advice>) {
        self.problems.push(Diagnostic::error(Code::Card, span, message).help(help));
    }

    fn last(&self) -> Span {
        self.lines.last().map_or(Span::default(), |l| l.span)
    }

    /// The lines between `---` and `---`.
    fn facts(&mut self, card: &mut Card) {
        let first = self.next();
        if first.is_none_or(|l| l.text != "---") {
            let span = first.map_or(Span::default(), |l| l.span);
            return self.complain(span, "a card begins with `---`", "copy another card and change it");
        }
        let mut seen: Vec<&str> = Vec::new();
        loop {
            let Some(line) = self.next() else {
                return self.complain(self.last(), "the facts end with `---`", "write `---` after the last fact");
            };
            if line.text == "---" {
                break;
            }
            let (key, value) = line.text.split_once(':').map_or((line.text, ""), |(k, v)| (k.trim(), v.trim()));
            let Some(place) = FACTS.iter().position(|(f, _)| *f == key) else {
                let all: Vec<&str> = FACTS.iter().map(|(f, _)| *f).collect();
                self.complain(
                    line.span,
                    format!("there is no fact `{key}`"),
                    format!("the facts are {}", all.join(", ")),
                );
                continue;
            };
            if seen.iter().any(|s| FACTS.iter().position(|(f, _)| f == s) >= Some(place)) {
                let all: Vec<&str> = FACTS.iter().map(|(f, _)| *f).collect();
                self.complain(
                    line.span,
                    format!("`{key}` stands twice or too late"),
                    format!("the order is {}", all.join(", ")),
                );
            }
            if value.is_empty() {
                self.complain(line.span, format!("`{key}` says nothing"), "write a value, or leave the line out");
            }
            seen.push(FACTS[place].0);
            let value = value.to_string();
            match key {
                "id" => card.id = value,
                "aliases" => card.aliases = value.split("; ").map(str::to_string).collect(),
                "year" => card.year = value,
                "problem" => card.problem = value,
                "assumes" => card.assumes = value,
                "parameters" => card.parameters = value,
                "meets" => card.meets = value.split("; ").map(str::to_string).collect(),
                _ => card.unconfirmed = value,
            }
            if key == "id" && !is_id(&card.id) {
                self.complain(
                    line.span,
                    "this is no identifier",
                    "write `ALG-` and four digits that no other card has",
                );
            }
            if key == "year" && !card.year.parse().is_ok_and(|year: u32| YEARS.contains(&year)) {
                let help = "write the year of first publication in four digits";
                self.complain(line.span, "this is no year in which it can have been published", help);
            }
        }
        for (fact, _) in FACTS.iter().filter(|(f, needed)| *needed && !seen.contains(f)) {
            self.complain(
                self.lines[self.at - 1].span,
                format!("`{fact}` is missing"),
                format!("write a line `{fact}: …`"),
            );
        }
    }

    fn body(&mut self, card: &mut Card) {
        let mut seen: Vec<&str> = Vec::new();
        while let Some(line) = self.next() {
            let text = line.text;
            match text {
                EQUATIONS | TRANSFER | REFERENCES => {
                    if seen.contains(&text) {
                        self.complain(line.span, format!("a second block `{text}`"), "a card has one of each");
                    }
                    seen.push(text);
                    let at = self.lines.get(self.at).map_or(line.span.end, |next| next.span.start);
                    let block = self.block(line.span);
                    match text {
                        EQUATIONS => (card.equations, card.places.equations) = (block, at),
                        TRANSFER => (card.transfer, card.places.transfer) = (block, at),
                        _ => (card.bibtex, card.places.bibtex) = (block, at),
                    }
                }
                _ if text.starts_with("```") => {
                    self.block(line.span);
                    let help = "the blocks are ```linnaeus, ```text and ```bibtex";
                    self.complain(line.span, "there is no such block", help);
                }
                _ if text.starts_with("# ") && card.name.is_empty() => card.name = text[2..].trim().to_string(),
                "## Transfer function" | "## References" | "" => {}
                _ if text.starts_with('#') => {
                    let help = "the headings are the name, `## Transfer function` and `## References`";
                    self.complain(line.span, "there is no such section", help);
                }
                _ => {
                    let prose = if card.equations.is_empty() { &mut card.summary } else { &mut card.notes };
                    if !prose.is_empty() {
                        prose.push('\n');
                    }
                    prose.push_str(text);
                }
            }
        }
        let end = self.last();
        if card.name.is_empty() {
            self.complain(end, "the name is missing", "write it as the heading, `# Gradient descent`");
        }
        if card.summary.is_empty() {
            self.complain(end, "nothing says what the algorithm does", "write a sentence or two before the equations");
        }
        for (block, what) in [(EQUATIONS, "equations"), (REFERENCES, "references")] {
            if !seen.contains(&block) {
                self.complain(
                    end,
                    format!("the {what} are missing"),
                    format!("open a block with {block} and close it with ```"),
                );
            }
        }
    }

    /// The lines up to the next fence.
    fn block(&mut self, start: Span) -> String {
        let mut found = Vec::new();
        loop {
            match self.next() {
                Some(line) if line.text == "```" => return found.join("\n"),
                Some(line) => found.push(line.text),
                None => {
                    self.complain(start, "this block has no end", "close it with ```");
                    return found.join("\n");
                }
            }
        }
    }
}

fn is_id(text: &str) -> bool {
    text.strip_prefix("ALG-").is_some_and(|n| n.len() >= 4 && n.bytes().all(|b| b.is_ascii_digit()))
}

impl Card {
    /// The text with a transfer function recorded, before the references.
    pub fn with_transfer(text: &str, transfer: &str) -> String {
        let section = format!("## Transfer function\n\n{TRANSFER}\n{transfer}\n```\n\n");
        let without = match (text.find("## Transfer function"), text.find("## References")) {
            (Some(from), Some(to)) if from < to => format!("{}{}", &text[..from], &text[to..]),
            _ => text.to_string(),
        };
        match without.find("## References") {
            Some(at) => format!("{}{section}{}", &without[..at], &without[at..]),
            None => format!("{without}\n{section}"),
        }
    }
}
