//! What is wrong, where, and what to do about it.

use crate::advice::{Advice, FrontEnd};
use crate::source::{Source, Span};
use std::fmt::Write;

/// How bad it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// How something was read; nothing is wrong.
    Note,
    /// Read, but worth a look.
    Warning,
    /// Not understood: there is no answer.
    Error,
}

impl Severity {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:expr])+ $name:ident = $text:literal,)+) => {
        /// One kind per mistake. The example under each is the smallest text that triggers it.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// Every kind there is.
            pub const ALL: &'static [Code] = &[$(Code::$name),+];

            /// The name in reports and in JSON.
            pub fn text(self) -> &'static str {
                match self { $(Code::$name => $text,)+ }
            }
        }
    };
}

codes! {
    /// `x[k+1] = x[k] - gard f(x[k])`
    UnknownOracle = "unknown-oracle",
    /// `x[k+1] = x[k] - grad f(x[k]`
    UnbalancedParenthesis = "unbalanced-parenthesis",
    /// `x[k+1] = x[k]*y[k]`
    ProductOfIterates = "product-of-iterates",
    /// `x[k+1] = sqrt(x[k]) - grad f(x[k])`
    NonlinearFunction = "nonlinear-function",
    /// `x[k+1] = y[k] - grad f(x[k])`
    IterateWithoutUpdate = "iterate-without-update",
    /// two lines `x[k+1] = …`
    DefinedTwice = "defined-twice",
    /// more equations than iterates
    Overdetermined = "overdetermined",
    /// `x[k+1] = x[k+1] - grad f(x[k])`
    Underdetermined = "underdetermined",
    /// `operator A: X -> Y` with `x[k+1] = x[k] + A*x[k]`
    IllTyped = "ill-typed",
    /// `x[k+1] = x[k] - alpha[k]*grad f(x[k])`
    TimeVarying = "time-varying",
    /// `x[k+1] = 2*x[k]`
    NoOracle = "no-oracle",
    /// nothing, or only comments
    EmptyInput = "empty-input",
    /// `a^9999`
    LimitExponent = "limit-exponent",
    /// `x[k-100000]`
    LimitDelay = "limit-delay",
    /// more text or lines than are read
    LimitLines = "limit-lines",
    /// `((((…))))`
    LimitNesting = "limit-nesting",
    /// the computation was stopped
    LimitWork = "limit-work",
    /// `x[k+1] = x[k] ? 2`
    UnexpectedToken = "unexpected-token",
    /// `grad f()`, `prox_{}(x[k])`
    MissingArgument = "missing-argument",
    /// `x[k+1] = x[k] - grad f`
    OracleAsVector = "oracle-as-vector",
    /// `x[k*2]`
    BadIndex = "bad-index",
    /// `x[k+1] = y[n]`
    IndexMismatch = "index-mismatch",
    /// `operator A: X`
    BadDeclaration = "bad-declaration",
    /// `x[k] + 1`
    ScalarPlusVector = "scalar-plus-vector",
    /// `x[k+1] + grad f(x[k])`
    MissingEquationSign = "missing-equation-sign",
    /// `x[k+1] = x[k] - grad f(x[k+3])`
    Noncausal = "noncausal",
    /// a number with thousands of digits
    NumberTooLong = "number-too-long",
    /// `x[k] / 0`
    DivisionByZero = "division-by-zero",
    /// `A + x[k]`, `A*B` where a vector is wanted
    OperatorAsVector = "operator-as-vector",
    /// `prox_{t}(x[k])` where the step is no scalar
    BadStep = "bad-step",
    /// `if k > 9: x = 0*x` in a loop
    Branch = "branch",
    /// a change of variable, a guess, a convention that was used
    Reading = "reading",
    /// a card of the zoo without a heading
    Card = "card",
    /// the inverse of a polynomial in several operators is needed
    LimitInverse = "limit-inverse",
    /// `H = [[1/z, 0]]` with `oracles: prox_f`
    BadTransfer = "bad-transfer",
    /// `H = [[z]]` with `oracles: prox_f`
    Improper = "improper",
    /// `x[k+1] = x[k] - t*grad f(x[k+1])` to be written as lines that can be run
    Implicit = "implicit",
    /// `--conjugate h` where no oracle of `h` is called
    BadTransform = "bad-transform",
}

impl Code {
    /// Whether this says that a stated limit was reached, rather than that the text is wrong.
    pub fn is_limit(self) -> bool {
        self.text().starts_with("limit-") || self == Code::NumberTooLong
    }
}

/// A remark at a second place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One remark about the user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind it is.
    pub code: Code,
    /// The very characters.
    pub span: Span,
    /// One sentence.
    pub message: String,
    /// What the marked characters are.
    pub mark: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<Advice>,
}

/// Every mistake told once: the same one in other places is a label of the first.
pub fn once(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::with_capacity(all.len());
    for d in all {
        let same = |f: &&mut Diagnostic| {
            (f.severity, f.code, &f.message, &f.help) == (d.severity, d.code, &d.message, &d.help)
        };
        match found.iter_mut().find(same) {
            None => found.push(d),
            Some(first) => {
                let known = first.span == d.span || first.labels.iter().any(|l| l.span == d.span);
                if !known {
                    first.labels.push(Label { span: d.span, message: "and here".to_string() });
                }
            }
        }
    }
    found
}

impl Diagnostic {
    /// An error; there will be no answer.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// Something read, but worth a look.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// How something was read.
    pub fn note(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, Code::Reading, span, message)
    }

    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code,
            span,
            message: message.into(),
            mark: String::new(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// Says what the marked characters are.
    pub fn mark(mut self, text: impl Into<String>) -> Self {
        self.mark = text.into();
        self
    }

    /// Points at a second place.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Says what to do.
    pub fn help(mut self, advice: impl Into<Advice>) -> Self {
        self.help = Some(advice.into());
        self
    }

    /// The same with what to do in the words of a front end.
    pub fn said(self, front_end: FrontEnd) -> Self {
        let help = self.help.map(|advice| advice.said(front_end).into());
        Diagnostic { help, ..self }
    }

    /// The remark as text with the line and carets under the place. A remark about the whole text
    /// has an empty span and shows no line.
    pub fn render(&self, source: &Source) -> String {
        let mut out = format!("{}: {}\n", self.severity.word(), self.message);
        let mut places = Vec::new();
        if self.span.start < self.span.end {
            places.push((self.span, self.mark.as_str(), '^'));
        }
        places.extend(self.labels.iter().map(|l| (l.span, l.message.as_str(), '-')));
        let number = |span: Span| source.position(span.start).line;
        let width = places.iter().map(|&(s, ..)| number(s).to_string().len()).max().unwrap_or(1) + 2;
        let mut shown = None;
        for (span, text, caret) in places {
            let excerpt = Excerpt::new(source, span);
            if shown.as_ref() != Some(&excerpt.place) {
                let _ = writeln!(out, "{:>width$} | {}", excerpt.place.0, excerpt.line);
            }
            let carets: String = std::iter::repeat_n(caret, excerpt.length).collect();
            let _ = writeln!(out, "{:>width$} | {}{carets} {text}", "", excerpt.pad);
            shown = Some(excerpt.place);
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "help: {help}");
        }
        out.lines().map(|l| l.trim_end().to_string() + "\n").collect()
    }
}

/// Lines longer than this are shown in part.
const LINE: usize = 160;
/// How much of a long line is shown before the place.
const BEFORE: usize = 60;

/// The part of a line around a span.
struct Excerpt {
    /// The line and the first character shown.
    place: (usize, usize),
    /// What is shown, with `…` where it is cut.
    line: String,
    /// What stands under the characters before the span; tabs stay tabs.
    pad: String,
    /// How many characters are marked.
    length: usize,
}

impl Excerpt {
    fn new(source: &Source, span: Span) -> Excerpt {
        let at = source.position(span.start);
        let line = source.line(at.line);
        let total = line.chars().count();
        let before = at.column - 1;
        let marked = source.slice(span).lines().next().map_or(0, |l| l.chars().count());
        let from = if total <= LINE { 0 } else { before.saturating_sub(BEFORE).min(total - LINE) };
        let to = total.min(from + LINE);
        let (head, tail) = (if from > 0 { "…" } else { "" }, if to < total { "…" } else { "" });
        let part: String = line.chars().skip(from).take(to - from).map(printable).collect();
        let blank = |c| if c == '\t' { '\t' } else { ' ' };
        let pad = line.chars().skip(from).take(before.saturating_sub(from)).map(blank);
        Excerpt {
            place: (at.line, from),
            line: format!("{head}{part}{tail}"),
            pad: head.chars().map(|_| ' ').chain(pad).collect(),
            length: marked.min(to.saturating_sub(before)).max(1),
        }
    }
}

/// Control characters would move the cursor.
fn printable(c: char) -> char {
    if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c }
}

/// Text for a message: what is too long is cut.
pub(crate) fn clipped(text: &str) -> String {
    const LENGTH: usize = 40;
    let short: String = text.chars().take(LENGTH).map(printable).collect();
    if text.chars().nth(LENGTH).is_some() { short + "…" } else { short }
}

/// More mistakes than this are not told at once.
pub const MAX_ERRORS: usize = 50;

/// Whether anything in the list forbids an answer.
pub fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The known word nearest to a misspelt one, if it is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let bound = (word.chars().count() / 3).clamp(1, 3);
    known.into_iter().map(|k| (edit_distance(word, k), k)).filter(|&(d, _)| d <= bound).min().map(|(_, k)| k)
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(40).collect();
    let b: Vec<char> = b.chars().take(40).collect();
    let mut d = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in d.iter_mut().enumerate() {
        row[0] = i;
    }
    d[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = d[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            d[i][j] = change.min(d[i - 1][j] + 1).min(d[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d[i][j] = d[i][j].min(d[i - 2][j - 2] + 1);
            }
        }
    }
    d[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words() {
        assert_eq!(nearest("gard", ["grad", "prox"]), Some("grad"));
        assert_eq!(nearest("porx", ["grad", "prox"]), Some("prox"));
        assert_eq!(nearest("denoise", ["grad", "prox"]), None);
    }

    #[test]
    fn carets_stand_under_the_characters() {
        let source = Source::new("a\nβ + x");
        let text =
            Diagnostic::error(Code::UnexpectedToken, Span::new(7, 8), "no").mark("here").help("yes").render(&source);
        assert_eq!(text, "error: no\n  2 | β + x\n    |     ^ here\nhelp: yes\n");
    }

    /// The excerpt and the marks of an error at the first occurrence of a word.
    fn shown(line: &str, word: &str) -> Vec<String> {
        let at = line.find(word).unwrap();
        let error = Diagnostic::error(Code::BadIndex, Span::new(at, at + word.len()), "no");
        error.render(&Source::new(line)).lines().skip(1).map(|l| l[6..].to_string()).collect()
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let line = "α + ".repeat(100) + "here" + &" + β".repeat(100);
        let [text, marks] = &shown(&line, "here")[..] else { panic!("two lines") };
        assert_eq!(text.chars().count(), 2 + LINE);
        assert!(text.starts_with('…') && text.ends_with('…'));
        let under: String = text.chars().zip(marks.chars()).filter(|(_, m)| *m == '^').map(|(c, _)| c).collect();
        assert_eq!(under, "here");
        let marks = &shown(&"9".repeat(1000), &"9".repeat(1000))[1];
        assert_eq!(marks.len(), LINE);
    }

    #[test]
    fn tabs_keep_the_marks_in_place() {
        assert_eq!(shown("\tx\t= y", "y"), ["\tx\t= y", "\t \t  ^"]);
        assert_eq!(shown("\u{1b}[31m y", "y"), ["\u{fffd}[31m y", "      ^"]);
    }

    #[test]
    fn one_line_is_shown_once() {
        let error = Diagnostic::error(Code::BadIndex, Span::new(4, 5), "no").label(Span::new(0, 1), "and");
        let text = error.render(&Source::new("x = y"));
        assert_eq!(text, "error: no\n  1 | x = y\n    |     ^\n    | - and\n");
    }
}
