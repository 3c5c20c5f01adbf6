//! A site → the algorithm that stands there, with its problems, or the reason why there is none.

use super::cells::{blanked, without_matrices};
use super::expand::Expanded;
use super::functions::{Defined, beside};
use super::order::early;
use super::programs;
use super::segment::{Form, Site, may_update};
use super::source::Place;
use crate::advice::Advice;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;
use crate::syntax::ast::{Algorithm, Node, OracleKind, Role, Sign};
use crate::syntax::notation::Notation;
use crate::system::Coefficients;
use crate::transfer::Analysis;
use crate::{Reading, read_as};
use linnaeus_algebra::SortedSet;

/// An algorithm of a paper.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Where it stands.
    pub site: Site,
    /// Its first line.
    pub place: Place,
    /// Its caption as words.
    pub caption: Option<String>,
    /// How it was read. Its places are those of the expanded text, counted from the beginning of the site.
    pub reading: Reading,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// What the paper says its transfer function is, and whether that is true.
    pub printed: Vec<super::Printed>,
    /// What names were taken for because of the rest of the paper.
    pub assumed: Vec<Assumed>,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of mistake: a code of [`diagnostic`](crate::diagnostic), `used-before-assignment`,
    /// `transfer-mismatch`.
    pub code: &'static str,
    /// Where.
    pub place: Place,
    /// One sentence.
    pub message: String,
    /// Another place that matters.
    pub also: Vec<(Place, String)>,
    /// What to do.
    pub help: Option<Advice>,
    /// Whether a stated limit is the only reason.
    pub is_limit: bool,
}

/// A name that the listing alone would let mean something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// The name.
    pub name: String,
    /// What it was taken for.
    pub meaning: Meaning,
}

/// What a name may be taken for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Other listings multiply by it: a linear operator.
    Operator,
    /// Nothing else is called here, and it stands only before parentheses: an oracle.
    Oracle,
    /// The paper says elsewhere what function it is.
    Function,
    /// The paragraph says beside the display what operator it is.
    Beside,
}

/// What names mean in the listings of a paper, each read by itself.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    operators: SortedSet<String>,
    parameters: SortedSet<String>,
    functions: Vec<Defined>,
    /// Which of them are defined beside the display.
    beside: SortedSet<String>,
}

impl Vocabulary {
    /// Nothing is known but functions that the paper defines.
    pub fn new(functions: Vec<Defined>) -> Vocabulary {
        Vocabulary { functions, ..Vocabulary::default() }
    }

    /// The functions that a reading misses, if the paper defines them.
    fn missing(&self, reading: &Reading) -> Vec<Assumed> {
        let mut names: SortedSet<String> = SortedSet::new();
        for statement in &reading.algorithm.statements {
            statement.walk(&mut |e| {
                if let Node::Value(name, ..) = &e.node {
                    names.insert(name.clone());
                }
            });
        }
        let undefined = reading.diagnostics.iter().any(|d| d.code == Code::UnknownOracle);
        names.retain(|n| undefined && self.functions.iter().any(|d| d.name == *n));
        names.into_iter().map(|name| Assumed { name, meaning: Meaning::Function }).collect()
    }

    /// The same with what stands beside a display, which counts first.
    fn with(&self, own: Vec<Defined>) -> Vocabulary {
        let beside = own.iter().map(|d| d.name.clone()).collect();
        let functions = own.into_iter().chain(self.functions.iter().cloned()).collect();
        Vocabulary { beside, functions, ..self.clone() }
    }

    /// The operators of a reading that are defined beside it.
    fn beside(&self, reading: &Reading) -> Vec<Assumed> {
        let operators = reading.analysis.iter().flat_map(|a| a.system.operators.iter().map(|o| &o.name));
        let defined = operators.filter(|n| self.beside.contains(*n));
        defined.map(|n| Assumed { name: n.clone(), meaning: Meaning::Beside }).collect()
    }

    /// Whether all that is called are operators of the rest of the paper.
    fn multiplies_only(&self, analysis: &Analysis) -> bool {
        let mut oracles = analysis.channels.iter().map(|c| &c.oracle);
        oracles.all(|o| o.kind == OracleKind::BlackBox && self.operators.contains(&o.function))
    }

    /// The line that says what a name was taken for.
    fn line(&self, assumed: &Assumed) -> String {
        let name = &assumed.name;
        match assumed.meaning {
            Meaning::Operator => format!("operator {name}"),
            Meaning::Oracle => format!("oracle {name}"),
            Meaning::Function | Meaning::Beside => {
                self.functions.iter().find(|d| d.name == *name).map_or(String::new(), |d| d.formula.clone())
            }
        }
    }

    /// Notes the names of a listing.
    pub fn add(&mut self, listing: &Listing) {
        if let Some(analysis) = &listing.reading.analysis {
            self.operators.extend(analysis.system.operators.iter().map(|o| o.name.clone()));
            self.parameters.extend(analysis.system.parameters.iter().cloned());
        }
    }

    /// What the rest of the paper says of names in a reading.
    fn assume(&self, reading: &Reading) -> Vec<Assumed> {
        let mut names: SortedSet<String> = SortedSet::new();
        if let Some(analysis) = &reading.analysis {
            let boxes = analysis.channels.iter().map(|c| &c.oracle).filter(|o| o.kind == OracleKind::BlackBox);
            names.extend(boxes.map(|o| o.function.clone()).filter(|f| self.operators.contains(f)));
            return names.into_iter().map(|name| Assumed { name, meaning: Meaning::Operator }).collect();
        }
        if !reading.diagnostics.iter().any(|d| d.code == Code::NoOracle) {
            return Vec::new();
        }
        let mut factors: SortedSet<String> = SortedSet::new();
        for statement in &reading.algorithm.statements {
            statement.walk(&mut |e| {
                if let Node::Name(name) = &e.node {
                    let list = if opens(&reading.source.text()[e.span.end..]) { &mut names } else { &mut factors };
                    list.insert(name.clone());
                }
            });
        }
        let known = |n: &String| factors.contains(n) || self.parameters.contains(n) || self.operators.contains(n);
        names.retain(|n| !known(n));
        names.into_iter().map(|name| Assumed { name, meaning: Meaning::Oracle }).collect()
    }
}

/// Whether a parenthesis follows, of whatever size.
fn opens(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix('\\') {
        let name = super::outline::word(after);
        if !matches!(name, "left" | "bigl" | "Bigl" | "biggl" | "Biggl" | "big" | "Big" | "bigg" | "Bigg" | "") {
            return false;
        }
        rest = if name.is_empty() { after.get(1..).unwrap_or("") } else { &after[name.len()..] }.trim_start();
    }
    rest.starts_with(['(', '['])
}

/// What stands at a site.
#[derive(Clone, Debug)]
pub enum Found {
    /// An algorithm.
    Listing(Box<Listing>),
    /// A formula that updates an iterate, but is no algorithm by itself.
    Passed(Place, &'static str),
    /// Another formula.
    Nothing,
}

/// Between two ways to write one algorithm.
const EITHER: &[&str] = &["\\iff", "\\Longleftrightarrow", "\\Leftrightarrow"];
/// After so many signs a formula is not cut any more.
const WAYS: usize = 10;

/// Reads a site; a formula that is written in several ways gives several algorithms.
pub fn read(paper: &Expanded, site: &Site, vocabulary: &Vocabulary) -> Vec<Found> {
    let text = paper.text.slice(site.span);
    match site.form {
        Form::Listing => {
            return vec![Found::Listing(Box::new(listing(paper, site, text, Notation::Latex, vocabulary)))];
        }
        Form::Program => return vec![program(paper, site, text)],
        Form::Inline => return in_text(paper, site, text, vocabulary),
        Form::Display => {}
    }
    let text = without_matrices(text);
    let mut cuts: Vec<(usize, usize)> = EITHER
        .iter()
        .flat_map(|sign| text.match_indices(sign))
        .filter(|(at, sign)| !text[at + sign.len()..].starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(|(at, sign)| (at, at + sign.len()))
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.truncate(WAYS);
    let starts = std::iter::once(0).chain(cuts.iter().map(|c| c.1));
    let ends = cuts.iter().map(|c| c.0).chain([text.len()]);
    starts.zip(ends).map(|(start, end)| display(paper, site, &only(&text, start, end), vocabulary)).collect()
}

/// The text with blanks before and after a stretch; the marks around the formula stay.
fn only(text: &str, start: usize, end: usize) -> String {
    if start == 0 && end == text.len() {
        return text.to_string();
    }
    let opening = text.find('}').filter(|_| text.starts_with("\\begin")).map_or(2, |i| i + 1).min(text.len());
    let closing = text.rfind("\\end{").filter(|_| text.starts_with("\\begin")).unwrap_or(text.len().saturating_sub(2));
    let keep = |i: usize| i < opening || i >= closing || (start..end).contains(&i);
    text.char_indices().map(|(i, c)| if keep(i) { c.to_string() } else { blanked(c).to_string() }).collect()
}

fn display(paper: &Expanded, site: &Site, text: &str, vocabulary: &Vocabulary) -> Found {
    let (algorithm, problems) = crate::syntax::parse_as(&crate::source::Source::new(text), Notation::Latex);
    if problems.iter().any(|d| d.code.is_limit()) {
        let place = paper.files.place(paper.text.origin(site.span.start));
        return Found::Passed(place, "it is too long to be read");
    }
    let tested = problems.iter().any(|d| d.code == Code::Branch) && may_update(text);
    let failed = crate::diagnostic::has_error(&problems);
    let lines = algorithm.lines.iter().filter(|l| failed && l.role == Role::Update).map(|l| &text[l.span.range()]);
    let unread: Vec<&str> = lines.filter_map(next_value).collect();
    if !updates(&algorithm) && !tested && unread.is_empty() {
        return Found::Nothing;
    }
    let found = listing(paper, site, text, Notation::Latex, vocabulary);
    let asks = calls(&algorithm) || unread.iter().any(|value| names_oracle(value));
    let read = found.reading.analysis.is_some();
    let errors = || found.reading.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let incomplete = errors().any(|d| d.code == Code::IterateWithoutUpdate);
    match () {
        () if read || tested => Found::Listing(Box::new(found)),
        () if !asks && !unread.is_empty() => Found::Passed(found.place, "it is not understood, and names no oracle"),
        () if !asks => Found::Passed(found.place, "it calls no oracle"),
        () if incomplete => Found::Passed(found.place, "it does not say how all of its iterates are computed"),
        () => Found::Listing(Box::new(found)),
    }
}

/// Reads a program, without what stands around it.
fn program(paper: &Expanded, site: &Site, text: &str) -> Found {
    let begin = text.find('}').map_or(0, |i| i + 1);
    let head = programs::head(&site.environment, &text[begin..]);
    let end = text.rfind("\\end{").unwrap_or(text.len());
    let inside = begin + head.length..end;
    let blank = |(i, c): (usize, char)| if inside.contains(&i) { c.to_string() } else { blanked(c).to_string() };
    let text: String = text.char_indices().map(blank).collect();
    let notation = head.language.unwrap_or_else(|| Notation::detect(&text));
    if notation.language().is_none() {
        return Found::Nothing;
    }
    let found = listing(paper, site, &text, notation, &Vocabulary::default());
    let read = &found.reading;
    let empty = read.diagnostics.iter().any(|d| d.code == Code::EmptyInput);
    match &read.analysis {
        _ if empty => Found::Nothing,
        Some(analysis) if analysis.channels.is_empty() => Found::Passed(found.place, "it calls no oracle"),
        None if !calls(&read.algorithm) => Found::Passed(found.place, "it is a program that calls no oracle"),
        _ => Found::Listing(Box::new(found)),
    }
}

/// Reads formulas of one paragraph: each that is an algorithm by itself, and the others together.
fn in_text(paper: &Expanded, site: &Site, text: &str, vocabulary: &Vocabulary) -> Vec<Found> {
    let complete = |text: &str| {
        let (algorithm, problems) = crate::syntax::parse_as(&crate::source::Source::new(text), Notation::Latex);
        let maybe = updates(&algorithm) && calls(&algorithm) && !crate::diagnostic::has_error(&problems);
        maybe
            .then(|| listing(paper, site, text, Notation::Latex, vocabulary))
            .filter(|l| l.reading.analysis.as_ref().is_some_and(|a| !vocabulary.multiplies_only(a)))
    };
    let (mut found, mut rest) = (Vec::new(), Vec::new());
    // `$\beta = 0$` is said of a case, not of the iteration.
    for span in formulas(text).into_iter().filter(|s| may_update(&text[s.range()])) {
        match complete(&kept(text, &[span])) {
            Some(listing) => found.push(listing),
            None => rest.push(span),
        }
    }
    if rest.len() > 1 {
        found.extend(complete(&kept(text, &rest)));
    }
    found.sort_by(|a, b| a.place.cmp(&b.place));
    found.into_iter().map(|l| Found::Listing(Box::new(l))).collect()
}

/// The formulas of a stretch of running text.
fn formulas(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['$', '\\']).map(|i| at + i) {
        let (mark, close) = match &text[open..] {
            rest if rest.starts_with('$') => (1, "$"),
            rest if rest.starts_with("\\(") => (2, "\\)"),
            rest => {
                at = open + 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
        };
        let Some(length) = text[open + mark..].find(close) else { break };
        at = open + mark + length + close.len();
        found.push(Span::new(open, at));
    }
    found
}

/// The text with blanks for all but these stretches.
fn kept(text: &str, spans: &[Span]) -> String {
    let keep = |i: usize| spans.iter().any(|s| s.range().contains(&i));
    text.char_indices().map(|(i, c)| if keep(i) { c.to_string() } else { blanked(c).to_string() }).collect()
}

/// Whether a line gives an iterate a value at a later time than another one that is mentioned.
fn updates(algorithm: &Algorithm) -> bool {
    algorithm.statements.iter().any(|s| {
        let Node::Indexed(_, target) = &s.target.node else { return s.sign == Sign::Assigns };
        let mut later = false;
        s.value.walk(&mut |e| {
            later |= matches!(&e.node, Node::Indexed(_, i) if i.letter == target.letter && i.halves < target.halves);
        });
        later
    })
}

/// What a line, read or not, gives one letter as its next value: `x_{k+1} = …`.
fn next_value(line: &str) -> Option<&str> {
    const SIGNS: &[&str] = &["=", "\\gets", "\\leftarrow", "\\coloneqq", "\\in\\"];
    let at = SIGNS.iter().filter_map(|s| line.find(s)).min()?;
    let (left, right) = line.split_at(at);
    let left: String = left.chars().filter(|c| !c.is_whitespace() && !"&:".contains(*c)).collect();
    let (letter, index) = left.split_at(left.find(['_', '^']).unwrap_or(left.len()));
    let one = letter.chars().count() == 1 || letter.starts_with('\\') && !letter.contains(['(', '|', '+', '-']);
    let next = scripts(index).is_some_and(|all| all.iter().any(|s| s.ends_with("+1") || *s == "+"));
    (one && next).then_some(right)
}

/// Whether a formula that is not understood has a mark that only oracles have.
fn names_oracle(formula: &str) -> bool {
    ["\\nabla", "\\partial", "prox", "\\arg", "\\Pi_", "P_", "J_"].iter().any(|mark| formula.contains(mark))
}

/// What stands above and below a letter, without parentheses; none if there is more.
fn scripts(mut index: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    while let Some(rest) = index.strip_prefix(['_', '^']) {
        let (script, length) = match super::outline::group(rest) {
            Some((inside, length)) => (inside, length),
            None => rest.chars().next().map(|c| (&rest[..c.len_utf8()], c.len_utf8()))?,
        };
        found.push(script.trim_start_matches('(').trim_end_matches(')'));
        index = &rest[length..];
    }
    index.is_empty().then_some(found)
}

/// Whether an oracle is called anywhere.
fn calls(algorithm: &Algorithm) -> bool {
    let mut found = false;
    for statement in &algorithm.statements {
        statement.walk(&mut |e| {
            found |= matches!(e.node, Node::Call(_) | Node::Oracle(_) | Node::Minimize(_) | Node::Apply(..));
        });
    }
    found
}

fn listing(paper: &Expanded, site: &Site, text: &str, notation: Notation, vocabulary: &Vocabulary) -> Listing {
    let mut reading = read_as(text, notation, Coefficients::AsWritten);
    let mut assumed: Vec<Assumed> = Vec::new();
    let own = if site.form == Form::Display { beside(paper, site.span) } else { Vec::new() };
    let vocabulary = &vocabulary.with(own);
    for ask in [Vocabulary::missing, Vocabulary::assume, Vocabulary::beside] {
        let more = ask(vocabulary, &reading);
        if more.is_empty() {
            continue;
        }
        // Lines at the end leave all places as they are.
        let lines: Vec<String> = assumed.iter().chain(&more).map(|a| vocabulary.line(a)).collect();
        let again = read_as(&format!("{text}\n{}\n", lines.join("\n")), Notation::Latex, Coefficients::AsWritten);
        // What is wrong must not stand in the lines at the end.
        let typed = |d: &Diagnostic| d.code == Code::IllTyped && d.span.end <= text.len();
        if again.analysis.is_some() || again.diagnostics.iter().any(typed) {
            reading = again;
            assumed.extend(more);
        }
    }
    let locate = |span: Span| paper.files.place(paper.text.origin(site.span.start + span.start));
    let mut problems: Vec<Problem> =
        reading.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| problem(d, &locate)).collect();
    if site.form == Form::Listing {
        problems.extend(early(&reading.algorithm).into_iter().map(|e| Problem {
            code: "used-before-assignment",
            place: locate(e.read),
            message: format!("`{}` is read before it is assigned", reading.source.slice(e.read).trim()),
            also: vec![(locate(e.assigned), "it is assigned here".to_string())],
            help: Some("let the line that assigns it stand first".into()),
            is_limit: false,
        }));
    }
    let first = reading.algorithm.lines.iter().find(|l| l.role == Role::Update).map_or(0, |l| l.span.start);
    let start = if site.form == Form::Listing { 0 } else { first };
    Listing {
        place: locate(Span::new(start, start)),
        caption: site.caption.map(|c| super::segment::words(paper.text.slice(c))).filter(|c| !c.is_empty()),
        site: site.clone(),
        reading,
        problems,
        printed: Vec::new(),
        assumed,
    }
}

fn problem(d: &Diagnostic, locate: &dyn Fn(Span) -> Place) -> Problem {
    Problem {
        code: d.code.text(),
        place: locate(d.span),
        message: d.message.clone(),
        also: d.labels.iter().map(|l| (locate(l.span), l.message.clone())).collect(),
        help: d.help.clone(),
        is_limit: d.code.is_limit(),
    }
}

impl Listing {
    /// Its own label, if it has one.
    pub fn label(&self) -> Option<&str> {
        self.site.labels.first().map(String::as_str)
    }
}
