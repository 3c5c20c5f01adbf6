//! Items → rows: what stands between the breaks of the page, and what every other line is for.

mod roles;
mod structure;

use super::blocks::Blocks;
use super::commands::{LABELS, SILENT, announces, is_math, is_matrix, structure};
use super::rows;
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
    /// The block that it stands in.
    pub block: usize,
    /// The words that say when it is done: `if …`, `with probability …`.
    pub condition: Option<Span>,
    /// What its first words say that it is for.
    pub announced: Option<Announced>,
}

/// What words before formulas say; a formula may still be an update.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Announced {
    /// The role of the row otherwise.
    pub role: Role,
    /// Why it is not used.
    pub reason: &'static str,
    /// Whether something is said to be done: `given …, compute …`.
    pub computes: bool,
    /// Whether the words ask for something that is known: `choose`, `input`.
    pub asks: bool,
}

/// The rows of a text and its other lines.
#[derive(Debug, Default)]
pub struct Page {
    /// In the order of the text.
    pub rows: Vec<Row>,
    /// What is no formula to be read.
    pub aside: Vec<(Span, Role, &'static str)>,
    /// Loops and tests.
    pub blocks: Blocks,
}

/// Between two formulas in one row.
pub const GAP: &str = "quad";
/// Words between two formulas in one row.
pub const WORDS: &str = "intertext";

/// Cuts a text into rows.
pub fn lay_out(items: Vec<Item>, source: &Source) -> Page {
    let begins_math = |i: usize| {
        let name: String = items.iter().skip(i + 2).take(20).map_while(letter).collect();
        is_math(&name)
    };
    let is_begin = |i: &Item| matches!(&i.kind, Kind::Command(c) if c == "begin");
    // Cases of one value stand in a formula that nothing marks.
    let value = |i: usize| {
        let before = items[..i].iter().rfind(|i| !matches!(i.kind, Kind::Newline | Kind::Align));
        before.is_some_and(|b| rows::is_sign(&b.kind))
    };
    let marks = |i: usize| begins_math(i) && !value(i);
    let delimited = items.iter().enumerate().any(|(i, item)| item.kind == Kind::Math || (is_begin(item) && marks(i)));
    let mut layout = Layout {
        items,
        at: 0,
        source,
        free: !delimited,
        bare: false,
        environments: Vec::new(),
        inline: false,
        row: Vec::new(),
        extent: None,
        said: Vec::new(),
        announced: None,
        apart: true,
        braces: 0,
        second_arm: None,
        valued: None,
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
    /// Formulas are marked elsewhere, but this line is nothing else.
    bare: bool,
    /// Environments that are open, with the number of blocks that were open before each.
    environments: Vec<(String, usize)>,
    inline: bool,
    row: Vec<Item>,
    extent: Option<Span>,
    /// Words between formulas, each with its place.
    said: Vec<(String, Span)>,
    announced: Option<(Role, &'static str)>,
    apart: bool,
    /// How many braces of the page are open.
    braces: usize,
    /// The depth of braces at which the second body of `\eIf` may open.
    second_arm: Option<(usize, Span)>,
    /// The environment whose rows are the cases of one value.
    valued: Option<usize>,
    page: Page,
}

impl Layout<'_> {
    fn in_math(&self) -> bool {
        self.free || self.bare || self.inline || self.environments.iter().any(|(e, _)| is_math(e) || e == "$")
    }

    fn run(&mut self) {
        while self.at < self.items.len() {
            let begins = self.at == 0 || self.items[self.at - 1].kind == Kind::Newline;
            self.bare |= begins && !self.in_math() && is_bare(&self.items[self.at..]);
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
                self.bare = false;
                let blank = self.items.get(self.at).is_some_and(|i| i.kind == Kind::Newline);
                if self.inline && !blank {
                    return;
                }
                let text = !self.in_math();
                self.flush(blank || text);
            }
            Kind::Math => self.delimiter(&item),
            Kind::Align => self.cover(item.span),
            Kind::Open | Kind::Close if self.brace(&item) => {}
            Kind::Command(name) => {
                let name = name.clone();
                self.command(&name, item);
            }
            _ if self.in_math() => self.keep(item),
            kind => {
                if let Kind::Char(c) = kind {
                    let text = if item.spaced { format!(" {c}") } else { c.to_string() };
                    self.say(&text, item.span);
                }
                self.cover(item.span);
            }
        }
    }

    /// Adds to the words that stand together.
    fn say(&mut self, text: &str, span: Span) {
        let formula = self.row.last().map_or(0, |i| i.span.end);
        if text.contains(char::is_alphabetic) && !self.row.last().is_none_or(|i| i.kind == Kind::Command(WORDS.into()))
        {
            self.row.push(Item { kind: Kind::Command(WORDS.into()), span: Span::new(formula, formula), spaced: true });
        }
        match self.said.last_mut().filter(|(_, s)| s.end >= formula) {
            Some((words, all)) => {
                words.push_str(text);
                *all = all.to(span);
            }
            None => self.said.push((text.to_string(), span)),
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
        match self.environments.iter().position(|(e, _)| e == "$") {
            Some(at) => self.environments.truncate(at),
            None => self.environments.push(("$".into(), self.page.blocks.depth())),
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
            // `\eqno(5)`, `\triangleright a remark`
            "eqno" | "leqno" | "triangleright" => {
                let rest = self.items[self.at..].iter();
                let count = rest.take_while(|i| !matches!(i.kind, Kind::Break | Kind::Newline | Kind::Math)).count();
                let end = self.items[self.at..self.at + count].last().map_or(item.span, |i| i.span);
                self.at += count;
                let role = if name == "triangleright" { (Role::Comment, "comment") } else { (Role::Skipped, "label") };
                self.page.aside.push((item.span.to(end), role.0, role.1));
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
            _ if SILENT.contains(&name) => {
                self.cover(item.span);
                // `\left.`: no bracket at all.
                let empty = self.items.get(self.at).filter(|i| i.kind == Kind::Char('.')).map(|i| i.span);
                if let Some(span) = empty.filter(|_| matches!(name, "left" | "right")) {
                    self.cover(span);
                    self.at += 1;
                }
            }
            _ if structure(name).is_some() => {
                self.structure(structure(name).expect("just seen"), name, item.span);
            }
            _ if announces(name).is_some() => {
                self.flush(true);
                self.announced = announces(name);
                if matches!(self.announced, Some((Role::Output, _))) {
                    self.page.blocks.stop();
                }
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
                self.say(if name.starts_with("Break") || name == "KwBreak" { " break " } else { " " }, item.span);
                self.cover(item.span);
            }
        }
    }

    /// `\begin{pmatrix} … \end{pmatrix}` behind `\begin`: a column is a tuple, anything else one item that is refused.
    fn matrix(&mut self, span: Span) -> bool {
        let from = self.at;
        let name: String = self.group().0.iter().filter_map(letter).collect();
        let ends = |at: usize| {
            let word: String = self.items[at + 2..].iter().map_while(letter).take(name.len() + 1).collect();
            self.items[at].kind == Kind::Command("end".into()) && word == name
        };
        let end = (self.at..self.items.len().saturating_sub(name.len() + 2)).find(|at| ends(*at));
        let (true, Some(end)) = (is_matrix(&name), end) else {
            self.at = from;
            return false;
        };
        let inside = self.items[self.at..end].to_vec();
        self.at = end + 1;
        let whole = span.to(self.group().1.unwrap_or(span));
        let column = inside.iter().all(|i| i.kind != Kind::Align);
        if !column {
            self.keep(Item { kind: Kind::Command("matrix".into()), span: whole, spaced: true });
            return true;
        }
        let sign = |c: char, span: Span| Item { kind: Kind::Char(c), span, spaced: false };
        self.keep(sign('(', span));
        let last = inside.iter().rposition(|i| !matches!(i.kind, Kind::Newline | Kind::Break)).map_or(0, |l| l + 1);
        for item in inside.into_iter().take(last) {
            match item.kind {
                Kind::Newline => {}
                Kind::Break => self.keep(sign(',', item.span)),
                _ => self.keep(item),
            }
        }
        self.keep(sign(')', Span::new(whole.end, whole.end)));
        self.cover(whole);
        true
    }

    fn environment(&mut self, begins: bool, span: Span) {
        if begins && self.matrix(span) {
            return;
        }
        let solid = self.row.iter().rev().find(|i| is_formula(i));
        let is_value = solid.is_some_and(|i| rows::is_sign(&i.kind));
        self.flush(true);
        let (inside, end) = self.group();
        let name: String = inside.iter().filter_map(letter).collect();
        let mut span = span.to(end.unwrap_or(span));
        if begins {
            span = self.optional().map_or(span, |s| span.to(s));
            if matches!(name.as_str(), "array" | "alignat" | "alignat*" | "alignedat" | "tabular") {
                span = self.group().1.map_or(span, |s| span.to(s));
            }
            if is_value && name.trim_end_matches('*').ends_with("cases") {
                self.valued.get_or_insert(self.environments.len());
            }
            self.environments.push((name, self.page.blocks.depth()));
        } else if let Some(at) = self.environments.iter().rposition(|(e, _)| *e == name) {
            self.page.blocks.leave(self.environments[at].1);
            self.environments.truncate(at);
            self.valued = self.valued.filter(|v| *v < at);
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
}

/// Whether the line that begins here is an equation without words: `L(x, y) = f(x) + …` above `\begin{align}`.
fn is_bare(items: &[Item]) -> bool {
    let line = &items[..items.iter().position(|i| i.kind == Kind::Newline).unwrap_or(items.len())];
    let formula = |i: &Item| match &i.kind {
        Kind::Math | Kind::Break => false,
        Kind::Command(c) => {
            !matches!(c.as_str(), "begin" | "end" | "item" | "State" | "STATE" | "Statex" | "StateX")
                && !LABELS.contains(&c.as_str())
                && structure(c).is_none()
                && announces(c).is_none()
        }
        _ => true,
    };
    let scripted = line.iter().any(|i| matches!(i.kind, Kind::Sub | Kind::Sup));
    let mut run = 0;
    let words = line.iter().any(|i| {
        let letter = matches!(i.kind, Kind::Char(c) if c.is_alphabetic());
        run = if !letter {
            0
        } else if i.spaced {
            1
        } else {
            run + 1
        };
        run > 2
    });
    scripted && !words && line.iter().all(formula) && rows::says(line)
}

/// Whether an item is part of a formula, not between two.
pub fn is_formula(item: &Item) -> bool {
    !matches!(&item.kind, Kind::Command(c) if c == GAP || c == WORDS)
}
