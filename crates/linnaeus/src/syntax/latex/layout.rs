//! Items → rows: what stands between the breaks of the page, and what every other line is for.

use super::scan::{Item, Kind};
use crate::source::{Source, Span};
use crate::syntax::ast::Role;

/// Formulas between two breaks.
#[derive(Clone, Debug)]
pub struct Row {
    /// The formulas; words around them are left out.
    pub items: Vec<Item>,
    /// Everything, words included.
    pub span: Span,
    /// Whether more than the end of a line separates it from the row before.
    pub is_apart: bool,
}

/// The rows of a text and its other lines.
#[derive(Debug, Default)]
pub struct Page {
    /// In the order of the text.
    pub rows: Vec<Row>,
    /// What is no formula to be read.
    pub aside: Vec<(Span, Role, &'static str)>,
}

/// Between two formulas in one row.
pub const GAP: &str = "quad";

/// Environments that set formulas apart.
const DISPLAYS: &[&str] = &[
    "equation",
    "align",
    "alignat",
    "flalign",
    "gather",
    "multline",
    "eqnarray",
    "displaymath",
    "subequations",
    "dmath",
    "IEEEeqnarray",
];
/// Environments within formulas, and the one that is none.
const INNER: &[&str] =
    &["aligned", "alignedat", "split", "gathered", "multlined", "cases", "dcases", "rcases", "array", "math"];
/// Commands of a page whose argument is no formula.
const LABELS: &[&str] = &[
    "label",
    "tag",
    "caption",
    "vspace",
    "hspace",
    "ref",
    "eqref",
    "cite",
    "citep",
    "citet",
    "intertext",
    "color",
    "footnote",
    "section",
    "subsection",
    "paragraph",
    "title",
    "usepackage",
    "documentclass",
    "setcounter",
    "SetKwInOut",
    "SetAlgoLined",
    "phantom",
    "hphantom",
    "vphantom",
    "textcolor",
    "SetKwInput",
    "setlength",
    "algsetup",
];
/// Commands of a page without argument.
const SILENT: &[&str] = &[
    "nonumber",
    "notag",
    "hfill",
    "centering",
    "displaystyle",
    "textstyle",
    "scriptstyle",
    "limits",
    "nolimits",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "biggl",
    "biggr",
    "Biggl",
    "Biggr",
    "left",
    "right",
    "middle",
    "noindent",
    "small",
    "footnotesize",
    "normalsize",
    "DontPrintSemicolon",
    "LinesNumbered",
    "medskip",
    "smallskip",
    "bigskip",
    "hline",
    "allowbreak",
    "nobreak",
    "mathstrut",
    "strut",
    "relax",
    "SetAlgoLined",
    "qedhere",
    "newline",
    "mathsurround",
    "thinspace",
    "negthinspace",
    "enspace",
    "par",
    "hspace",
    "unskip",
    "bm@",
];

fn asides(name: &str) -> Option<(Role, &'static str)> {
    Some(match name {
        "For" | "ForAll" | "ForEach" | "While" | "Loop" | "Repeat" | "FOR" | "FORALL" | "WHILE" | "LOOP" | "REPEAT"
        | "Until" | "UNTIL" => (Role::Loop, "loop"),
        "EndFor" | "EndWhile" | "EndLoop" | "ENDFOR" | "ENDWHILE" | "ENDLOOP" | "EndForAll" => {
            (Role::Loop, "end of the loop")
        }
        "If" | "ElsIf" | "Else" | "EndIf" | "IF" | "ELSE" | "ELSIF" | "ENDIF" | "uIf" | "eIf" | "lIf" | "uElse" => {
            (Role::Skipped, "condition")
        }
        "Comment" | "COMMENT" | "tcp" | "tcc" | "LComment" => (Role::Comment, "comment"),
        "Procedure" | "EndProcedure" | "Function" | "EndFunction" | "Begin" => (Role::Skipped, "layout"),
        _ => return None,
    })
}

fn announces(name: &str) -> Option<(Role, &'static str)> {
    Some(match name {
        "Require" | "REQUIRE" | "KwIn" | "KwData" | "Input" | "INPUT" | "KwInit" | "KwInput" | "Init"
        | "Initialize" => (Role::Initialization, "initialisation"),
        "Ensure" | "ENSURE" | "KwOut" | "KwResult" | "Output" | "OUTPUT" | "Return" | "RETURN" | "KwRet" | "Print" => {
            (Role::Output, "output")
        }
        _ => return None,
    })
}

/// Whether a command says what a line is for, however a paper makes it look.
pub(crate) fn is_structural(name: &str) -> bool {
    asides(name).is_some()
        || announces(name).is_some()
        || LABELS.contains(&name)
        || matches!(name, "State" | "STATE" | "Statex" | "StateX" | "item")
}

/// Whether an environment sets formulas apart, with or without a star.
pub(crate) fn is_display(environment: &str) -> bool {
    DISPLAYS.contains(&environment.trim_end_matches('*'))
}

/// Whether formulas stand in an environment.
pub(crate) fn is_math(environment: &str) -> bool {
    is_display(environment) || INNER.contains(&environment.trim_end_matches('*'))
}

/// Cuts a text into rows.
pub fn lay_out(items: Vec<Item>, source: &Source) -> Page {
    let begins_math = |i: usize| {
        let name: String = items.iter().skip(i + 2).take(20).map_while(letter).collect();
        is_math(&name)
    };
    let is_begin = |i: &Item| matches!(&i.kind, Kind::Command(c) if c == "begin");
    let delimited =
        items.iter().enumerate().any(|(i, item)| item.kind == Kind::Math || (is_begin(item) && begins_math(i)));
    let mut layout = Layout {
        items,
        at: 0,
        source,
        free: !delimited,
        environments: Vec::new(),
        inline: false,
        row: Vec::new(),
        extent: None,
        words: String::new(),
        announced: None,
        apart: true,
        page: Page::default(),
    };
    layout.run();
    layout.page
}

fn letter(item: &Item) -> Option<char> {
    match item.kind {
        Kind::Char(c) if c != ']' => Some(c),
        _ => None,
    }
}

struct Layout<'a> {
    items: Vec<Item>,
    at: usize,
    source: &'a Source,
    /// No mark says where formulas are: everything is one.
    free: bool,
    environments: Vec<String>,
    inline: bool,
    row: Vec<Item>,
    extent: Option<Span>,
    words: String,
    announced: Option<(Role, &'static str)>,
    apart: bool,
    page: Page,
}

impl Layout<'_> {
    fn in_math(&self) -> bool {
        self.free || self.inline || self.environments.iter().any(|e| is_math(e) || e == "$")
    }

    fn run(&mut self) {
        while self.at < self.items.len() {
            let item = self.items[self.at].clone();
            self.at += 1;
            self.one(item);
        }
        self.flush(true);
    }

    fn one(&mut self, item: Item) {
        match &item.kind {
            Kind::Break => {
                self.cover(item.span);
                self.flush(true);
            }
            Kind::Newline => {
                let blank = self.items.get(self.at).is_some_and(|i| i.kind == Kind::Newline);
                if self.inline && !blank {
                    return;
                }
                let text = !self.in_math();
                self.flush(blank || text);
            }
            Kind::Math => self.delimiter(&item),
            Kind::Align => self.cover(item.span),
            Kind::Command(name) => {
                let name = name.clone();
                self.command(&name, item);
            }
            _ if self.in_math() => self.keep(item),
            kind => {
                if let Kind::Char(c) = kind {
                    if item.spaced {
                        self.words.push(' ');
                    }
                    self.words.push(*c);
                }
                self.cover(item.span);
            }
        }
    }

    fn keep(&mut self, item: Item) {
        self.cover(item.span);
        self.row.push(item);
    }

    fn cover(&mut self, span: Span) {
        self.extent = Some(self.extent.map_or(span, |e| e.to(span)));
    }

    fn delimiter(&mut self, item: &Item) {
        let text = self.source.slice(item.span);
        if matches!(text, "$" | "\\(" | "\\)") {
            self.cover(item.span);
            self.inline = !self.inline;
            self.row.push(Item { kind: Kind::Command(GAP.into()), span: item.span, spaced: true });
            return;
        }
        self.flush(true);
        match self.environments.iter().position(|e| e == "$") {
            Some(at) => self.environments.truncate(at),
            None => self.environments.push("$".into()),
        }
        self.page.aside.push((item.span, Role::Skipped, "layout"));
    }

    fn command(&mut self, name: &str, item: Item) {
        match name {
            "begin" | "end" => self.environment(name == "begin", item.span),
            "State" | "STATE" | "Statex" | "item" | "StateX" | "qquad" if !self.inline && name != "qquad" => {
                self.flush(true);
                self.cover(item.span);
            }
            ";" => {
                if !self.in_math() {
                    self.cover(item.span);
                    self.flush(true);
                }
            }
            "stackrel" | "overset" => {
                self.group();
                let inside = self.group();
                inside.0.into_iter().for_each(|i| self.keep(i));
            }
            _ if LABELS.contains(&name) => {
                self.optional();
                let (_, end) = self.group();
                let second = matches!(name, "setcounter" | "SetKwInOut" | "setlength" | "SetKwInput");
                let end = if second { self.group().1 } else { end };
                self.page.aside.push((item.span.to(end.unwrap_or(item.span)), Role::Skipped, "label"));
            }
            _ if SILENT.contains(&name) => self.cover(item.span),
            _ if asides(name).is_some() => {
                let (role, reason) = asides(name).expect("just seen");
                if role != Role::Comment {
                    self.flush(true);
                }
                let takes = !name.starts_with("End") && !name.starts_with("END");
                let end = if takes { self.group().1 } else { None };
                self.page.aside.push((item.span.to(end.unwrap_or(item.span)), role, reason));
            }
            _ if announces(name).is_some() => {
                self.flush(true);
                self.announced = announces(name);
                self.cover(item.span);
                if self.items.get(self.at).is_some_and(|i| i.kind == Kind::Open) {
                    let (_, end) = self.group();
                    self.cover(end.unwrap_or(item.span));
                    self.flush(true);
                }
            }
            "text" | "textrm" | "textbf" | "textit" | "mbox" | "emph" | "mathrm" | "operatorname" | "mathit"
                if self.in_math() =>
            {
                self.keep(item);
            }
            _ if self.in_math() => self.keep(item),
            _ => {
                // A word of the page: `\textbf{for}`.
                self.words.push(' ');
                self.cover(item.span);
            }
        }
    }

    fn environment(&mut self, begins: bool, span: Span) {
        self.flush(true);
        let (inside, end) = self.group();
        let name: String = inside.iter().filter_map(letter).collect();
        let mut span = span.to(end.unwrap_or(span));
        if begins {
            span = self.optional().map_or(span, |s| span.to(s));
            if matches!(name.as_str(), "array" | "alignat" | "alignat*" | "alignedat" | "tabular") {
                span = self.group().1.map_or(span, |s| span.to(s));
            }
            self.environments.push(name);
        } else if let Some(at) = self.environments.iter().rposition(|e| *e == name) {
            self.environments.truncate(at);
        }
        self.page.aside.push((span, Role::Skipped, "layout"));
    }

    /// The group that stands here, if one does.
    fn group(&mut self) -> (Vec<Item>, Option<Span>) {
        let from = self.at;
        if self.items.get(from).is_none_or(|i| i.kind != Kind::Open) {
            return (Vec::new(), None);
        }
        let mut depth = 0;
        for (i, item) in self.items.iter().enumerate().skip(from) {
            match item.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = i + 1;
                return (self.items[from + 1..i].to_vec(), Some(self.items[from].span.to(item.span)));
            }
        }
        (Vec::new(), None)
    }

    /// `[…]`, if it stands here.
    fn optional(&mut self) -> Option<Span> {
        if self.items.get(self.at)?.kind != Kind::Char('[') {
            return None;
        }
        let close = self.items[self.at..].iter().position(|i| matches!(i.kind, Kind::Char(']') | Kind::Newline))?;
        let end = &self.items[self.at + close];
        (end.kind == Kind::Char(']')).then(|| {
            let span = self.items[self.at].span.to(end.span);
            self.at += close + 1;
            span
        })
    }

    fn flush(&mut self, apart: bool) {
        let items = std::mem::take(&mut self.row);
        let words = std::mem::take(&mut self.words);
        let announced = self.announced.take();
        let was_apart = std::mem::replace(&mut self.apart, apart);
        if let Some(span) = self.extent.take() {
            let is_formula = |i: &Item| !matches!(&i.kind, Kind::Command(c) if c == GAP);
            let text = if self.free { free_words(&items) } else { words };
            let role = announced.or_else(|| by_words(&text, self.free));
            if let Some((role, reason)) = role {
                self.page.aside.push((span, role, reason));
            } else if items.iter().any(is_formula) {
                self.page.rows.push(Row { items, span, is_apart: was_apart });
            } else {
                let prose = text.chars().any(char::is_alphanumeric);
                let aside = if prose { (span, Role::Comment, "prose") } else { (span, Role::Skipped, "layout") };
                self.page.aside.push(aside);
            }
        }
        self.apart |= was_apart && self.page.rows.is_empty();
    }
}

/// The words at the beginning of a line without marks around formulas.
fn free_words(items: &[Item]) -> String {
    let mut text = String::new();
    for item in items {
        match &item.kind {
            Kind::Char(c) if item.spaced => text.extend([' ', *c]),
            Kind::Char(c) => text.push(*c),
            Kind::Command(c) if matches!(c.as_str(), "min" | "max" | "minimize" | "text" | "mathrm") => {
                text.push_str(&format!(" {c} "));
            }
            Kind::Open | Kind::Close => text.push(' '),
            _ => break,
        }
    }
    text
}

/// What a line is for, told by its first word.
fn by_words(text: &str, free: bool) -> Option<(Role, &'static str)> {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let text = text.trim_start_matches("text ").trim_start_matches("mathrm ").trim_start();
    let first: String = text.chars().take_while(|c| c.is_alphabetic()).collect();
    let updated = text[first.len()..].trim_start().starts_with(['=', ':', '_', '^'])
        && !text[first.len()..].trim_start().starts_with(": ");
    if updated && free && first.len() < 4 {
        return None;
    }
    Some(match first.as_str() {
        "for" | "while" | "repeat" | "loop" | "until" | "end" | "endfor" | "endwhile" | "do" | "iterate" => {
            (Role::Loop, "loop")
        }
        "initialize" | "initialise" | "initialization" | "initialisation" | "init" | "initial" | "input" | "inputs"
        | "require" | "data" | "given" | "choose" | "pick" | "fix" | "parameters" | "start" | "starting" | "let"
        | "select" => (Role::Initialization, "initialisation"),
        "return" | "output" | "outputs" | "ensure" | "result" => (Role::Output, "output"),
        "minimize" | "minimise" | "min" | "maximize" | "max" | "subject" | "problem" | "solve" | "st" => {
            (Role::Skipped, "the problem solved")
        }
        "if" | "else" | "elseif" | "endif" => (Role::Skipped, "condition"),
        "algorithm" | "procedure" | "function" if free => (Role::Comment, "heading"),
        _ => {
            let words = text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 3 && !is_formula_word(w)).count();
            let signed = text.contains(['=', '(']);
            return (free && words >= 2 && !signed).then_some((Role::Comment, "prose"));
        }
    })
}

fn is_formula_word(word: &str) -> bool {
    crate::syntax::names::greek_letter(word).is_some()
        || crate::syntax::names::is_reserved(word)
        || matches!(word, "argmax" | "nabla" | "frac")
}
