//! Commands and braces that open and close loops and tests.

use super::super::blocks::{Closing, Ended};
use super::super::commands::Structure;
use super::super::rows;
use super::super::scan::{Item, Kind};
use super::super::words;
use super::Layout;
use crate::source::Span;
use crate::syntax::ast::Role;

impl Layout<'_> {
    /// Braces around the body of a loop or a test; whether this is one of them.
    pub(super) fn brace(&mut self, item: &Item) -> bool {
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
    pub(super) fn structure(&mut self, structure: Structure, name: &str, span: Span) {
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
        let condition = rows::extent(&inside).unwrap_or(head);
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
}

/// The letter that a loop counts with: the first that stands alone.
pub(super) fn counted(items: &[Item]) -> Option<String> {
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
