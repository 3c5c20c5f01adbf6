//! Items → rows: what stands between the breaks of the page, and what every other line is for.

use super::blocks::{Blocks, Closing, Ended};
use super::commands::{LABELS, SILENT, Structure, announces, is_math, structure};
use super::rows;
use super::scan::{Item, Kind};
use super::words;
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
        self.free || self.inline || self.environments.iter().any(|(e, _)| is_math(e) || e == "$")
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

    /// Braces around the body of a loop or a test; whether this is one of them.
    fn brace(&mut self, item: &Item) -> bool {
        if item.kind == Kind::Open {
            self.braces += 1;
            if let Some((depth, span)) = self.second_arm.take()
                && self.braces == depth + 1
            {
                self.page.blocks.next_arm(true, span, Closing::Brace(depth));
                return true;
            }
            return false;
        }
        self.braces = self.braces.saturating_sub(1);
        let either = self.page.blocks.either();
        let closes = self.page.blocks.would_close(self.braces);
        if closes {
            self.flush(true);
            self.page.blocks.close_brace(self.braces);
            self.second_arm = either.map(|span| (self.braces, span));
        }
        closes
    }

    /// The body of what a command opens: in braces if one stands here, up to a command otherwise.
    fn closing(&mut self) -> Closing {
        let next = self.items[self.at..].iter().position(|i| i.kind != Kind::Newline);
        match next.map(|n| self.at + n) {
            Some(at) if self.items[at].kind == Kind::Open => {
                self.at = at + 1;
                self.braces += 1;
                Closing::Brace(self.braces - 1)
            }
            _ => Closing::Word,
        }
    }

    /// A command that opens or closes a block.
    fn structure(&mut self, structure: Structure, name: &str, span: Span) {
        if structure != Structure::Comment {
            self.flush(true);
        }
        let takes = matches!(structure, Structure::Loop | Structure::Test | Structure::Either | Structure::Next)
            || matches!(structure, Structure::Comment | Structure::Layout)
            || name.eq_ignore_ascii_case("until");
        if self.items.get(self.at).is_some_and(|i| i.kind == Kind::Char('*')) && takes {
            self.at += 1;
        }
        let (inside, end) = if takes { self.group() } else { (Vec::new(), None) };
        let head = span.to(end.unwrap_or(span));
        let condition = super::rows::extent(&inside).unwrap_or(head);
        let said: String = inside
            .iter()
            .map(|i| match &i.kind {
                Kind::Char(c) if i.spaced => format!(" {c}"),
                Kind::Char(c) => c.to_string(),
                _ => " ".to_string(),
            })
            .collect();
        let (role, reason) = match structure {
            Structure::Loop => {
                let closing = self.closing();
                let parallel = words::is_parallel(&said) || name.contains("Par");
                self.page.blocks.open_loop(counted(&inside), parallel, condition, closing);
                (Role::Loop, "loop")
            }
            Structure::EndLoop => {
                self.page.blocks.close_word(Ended::Loop);
                (Role::Loop, if takes { "loop" } else { "end of the loop" })
            }
            Structure::Test | Structure::Either => {
                let closing = self.closing();
                self.page.blocks.open_test(condition, closing);
                if structure == Structure::Either {
                    self.page.blocks.expect_either();
                }
                (Role::Skipped, "condition")
            }
            Structure::Next | Structure::Last => {
                let closing = self.closing();
                self.page.blocks.next_arm(structure == Structure::Last, condition, closing);
                (Role::Skipped, "condition")
            }
            Structure::EndTest => {
                self.page.blocks.close_word(Ended::Test);
                (Role::Skipped, "condition")
            }
            Structure::Comment => (Role::Comment, "comment"),
            Structure::Layout => (Role::Skipped, "layout"),
        };
        self.page.aside.push((head, role, reason));
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

    fn environment(&mut self, begins: bool, span: Span) {
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

    fn flush(&mut self, apart: bool) {
        let items = std::mem::take(&mut self.row);
        let said = std::mem::take(&mut self.said);
        let announced = self.announced.take();
        let was_apart = std::mem::replace(&mut self.apart, apart);
        if let Some(span) = self.extent.take() {
            match announced {
                Some((role, reason)) => self.page.aside.push((span, role, reason)),
                None => self.sort(items, &said, span, was_apart),
            }
        }
        self.apart |= was_apart && self.page.rows.is_empty();
    }

    /// Says what a row is for.
    fn sort(&mut self, items: Vec<Item>, said: &[(String, Span)], span: Span, is_apart: bool) {
        let closing = self.column(span.start).map_or(Closing::Word, |c| Closing::Column(c, false));
        if let Closing::Column(column, _) = closing {
            self.page.blocks.row_at(column);
        }
        let row = |items, condition, announced| Row { items, span, is_apart, block: 0, condition, announced };
        if items.len() > super::MAX_ROW {
            return self.add(row(items, None, None));
        }
        let text: String =
            if self.free { words::free_words(&items) } else { said.iter().map(|(w, _)| w.as_str()).collect() };
        let (items, condition) = if self.free { words::free_condition(items) } else { words::conditioned(items, said) };
        let words: String = if self.free { text.clone() } else { said.iter().map(|(w, _)| format!("{w} ")).collect() };
        let updates = rows::says(&items);
        let stops = words::is_stop(&words) || self.free && words::is_stop(self.source.slice(span));
        if let Some(condition) = condition {
            return match (updates, stops) {
                // `if … stop, otherwise x = …`
                (true, true) if words::goes_on(self.source.slice(span)) => self.add(row(items, None, None)),
                (true, false) => self.add(row(items, Some(condition), None)),
                (_, true) => {
                    self.page.aside.push((span, Role::Skipped, "condition"));
                    self.page.blocks.stop_at_once(condition, closing);
                }
                _ => self.header(&words, span, closing),
            };
        }
        if !items.iter().any(is_formula) && stops {
            self.page.blocks.stop();
        }
        let Some((role, reason)) = words::by_words(&text, self.free) else {
            let spoken = !self.free && text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 1).count() > 1;
            let mentions = spoken && !updates && !rows::asks(&items);
            if items.iter().any(is_formula) && !mentions {
                let condition = self.valued.is_some().then_some(span);
                return self.add(row(items, condition, None));
            }
            let prose = text.chars().any(char::is_alphanumeric);
            let aside = if prose { (span, Role::Comment, "prose") } else { (span, Role::Skipped, "layout") };
            return self.page.aside.push(aside);
        };
        if role == Role::Output && stops {
            self.page.blocks.stop();
        }
        if role == Role::Loop {
            self.repeats(&text, &items, span, closing);
        }
        let rest = if self.free { words::behind_words(items, role) } else { items };
        if matches!(role, Role::Loop | Role::Initialization | Role::Skipped) && rows::says(&rest) {
            let announced = Announced { role, reason, computes: words::computes(&words), asks: words::asks(&text) };
            return self.add(row(rest, None, Some(announced)));
        }
        self.page.aside.push((span, role, reason));
    }

    fn add(&mut self, row: Row) {
        let block = self.page.blocks.here();
        self.page.rows.push(Row { block, ..row });
    }

    /// The column of what begins its line.
    fn column(&self, at: usize) -> Option<usize> {
        let text = self.source.text();
        let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let before = &text[line..at];
        before.chars().all(char::is_whitespace).then(|| before.chars().count())
    }

    /// `if …` on a row of its own opens a test; in prose it says nothing.
    fn header(&mut self, words: &str, span: Span, closing: Closing) {
        let small = words.trim().to_lowercase();
        let mut all = small.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
        let first = all.next().unwrap_or("").to_string();
        let opens = small.ends_with("then") || small.ends_with(':') || small.ends_with("do") || all.count() <= 2;
        let opens = opens && !small.ends_with('.');
        match first.as_str() {
            _ if !opens || !words::is_condition(&small) => {
                return self.page.aside.push((span, Role::Comment, "prose"));
            }
            "else" | "otherwise" if !small.contains(" if") => self.page.blocks.next_arm(true, span, closing),
            "else" | "elseif" | "elif" | "elsif" => self.page.blocks.next_arm(false, span, closing),
            _ => self.page.blocks.open_test(span, closing),
        }
        self.page.aside.push((span, Role::Skipped, "condition"));
    }

    /// A loop that begins or ends with words.
    fn repeats(&mut self, text: &str, items: &[Item], span: Span, closing: Closing) {
        let small = text.to_lowercase();
        let mut words = small.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
        match (words.next().unwrap_or(""), words.next().unwrap_or("")) {
            ("end", "if") => self.page.blocks.close_word(Ended::Test),
            ("end", "for" | "while" | "loop" | "repeat") | ("endfor" | "endwhile" | "until", _) => {
                self.page.blocks.close_word(Ended::Loop);
            }
            ("end", _) => self.page.blocks.close_word(Ended::Any),
            ("do", _) => {}
            _ => {
                let skip =
                    if self.free { text.chars().filter(|c| c.is_alphabetic()).count().min(items.len()) } else { 0 };
                let counted = counted(items).or_else(|| counted(&items[skip..]));
                self.page.blocks.open_loop(counted, words::is_parallel(&small), span, closing);
            }
        }
    }
}

/// Whether an item is part of a formula, not between two.
pub fn is_formula(item: &Item) -> bool {
    !matches!(&item.kind, Kind::Command(c) if c == GAP || c == WORDS)
}

/// The letter that a loop counts with: the first that stands alone.
fn counted(items: &[Item]) -> Option<String> {
    let is_letter = |i: Option<&Item>| i.is_some_and(|i| matches!(i.kind, Kind::Char(c) if c.is_alphabetic()));
    items.iter().enumerate().find_map(|(i, item)| match &item.kind {
        Kind::Command(c) if c == "ell" => Some(c.clone()),
        Kind::Char(c) if c.is_alphabetic() => {
            let before = i.checked_sub(1).and_then(|j| items.get(j)).filter(|_| !item.spaced);
            let after = items.get(i + 1).filter(|n| !n.spaced);
            (!is_letter(before) && !is_letter(after)).then(|| c.to_string())
        }
        _ => None,
    })
}
