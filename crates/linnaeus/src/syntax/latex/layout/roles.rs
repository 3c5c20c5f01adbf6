//! What rows are for: formulas to be read, conditions, loops in words, prose.

use super::super::blocks::{Closing, Ended};
use super::super::numbers;
use super::super::rows;
use super::super::scan::Item;
use super::super::words::{self, Condition};
use super::structure::counted;
use super::{Announced, Layout, Row, is_formula};
use crate::source::Span;
use crate::syntax::ast::Role;

impl Layout<'_> {
    pub(super) fn flush(&mut self, apart: bool) {
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
        if items.len() > super::super::MAX_ROW {
            return self.add(row(items, None, None));
        }
        let (items, numbers) = numbers::unnumbered(items);
        self.page.aside.extend(numbers.into_iter().map(|n| (n, Role::Skipped, "number")));
        let text: String =
            if self.free { words::free_words(&items) } else { said.iter().map(|(w, _)| w.as_str()).collect() };
        let (items, condition) = if self.free { words::free_condition(items) } else { words::conditioned(items, said) };
        let words: String = if self.free { text.clone() } else { said.iter().map(|(w, _)| format!("{w} ")).collect() };
        let updates = rows::says(&items);
        let stops = words::is_stop(&words) || self.free && words::is_stop(self.source.slice(span));
        if condition == Condition::Assumption {
            return match updates {
                true => self.add(row(rows::without_verb(items), None, None)),
                false => self.page.aside.push((span, Role::Comment, "prose")),
            };
        }
        if let Condition::Test(condition) = condition {
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
            let items = if self.free { self.spoken(rows::without_verb(items)) } else { items };
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
        let rest = if self.free { self.spoken(words::behind_words(items, role)) } else { items };
        if matches!(role, Role::Loop | Role::Initialization | Role::Skipped) && rows::says(&rest) {
            let announced = Announced { role, reason, computes: words::computes(&words), asks: words::asks(&text) };
            return self.add(row(rest, None, Some(announced)));
        }
        self.page.aside.push((span, role, reason));
    }

    /// Formulas without the words among them, which are told of.
    fn spoken(&mut self, items: Vec<Item>) -> Vec<Item> {
        let (items, said) = words::apart(items);
        if items.iter().any(is_formula) {
            self.page.aside.extend(said.into_iter().map(|s| (s, Role::Comment, "prose")));
        }
        items
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
