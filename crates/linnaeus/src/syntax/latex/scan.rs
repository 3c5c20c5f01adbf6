//! Characters → items: commands, letters, braces, scripts, ends of lines. Unicode is spelled out as the
//! commands that it draws, so that everything after this sees one alphabet.

use super::unicode::{Place, alphabet, combining, command, decorated, script, upright};
use crate::source::Span;
use crate::syntax::ast::Role;
use crate::syntax::names::greek;
use crate::syntax::notation::Notation;

/// An item with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Where it stands; what a macro makes stands where the macro does.
    pub span: Span,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// The kinds of item.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `\nabla`, without the backslash.
    Command(String),
    /// One character.
    Char(char),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `_`
    Sub,
    /// `^`
    Sup,
    /// `&`
    Align,
    /// `\\`
    Break,
    /// The end of a line of the text.
    Newline,
    /// `$`, `\[` and the like.
    Math,
}

/// The items of a text, and the lines that are no part of the formulas.
#[derive(Debug, Default)]
pub struct Scanned {
    /// In the order of the text.
    pub items: Vec<Item>,
    /// Comments, fences, directives.
    pub aside: Vec<(Span, Role, &'static str)>,
    /// Places where every backslash was doubled.
    pub doubled: Option<Span>,
}

/// Cuts a text into items.
pub fn scan(text: &str, notation: Notation) -> Scanned {
    let doubled = doubled(text);
    let mut scanner = Scanner { text, at: 0, spaced: false, doubled, notation, out: Scanned::default() };
    scanner.run();
    if doubled {
        let at = text.find("\\\\").unwrap_or(0);
        scanner.out.doubled = Some(Span::new(at, at + 2));
    }
    scanner.out
}

/// Whether every command has two backslashes, as in a string of a programming language.
fn doubled(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut found = false;
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        if b != b'\\' {
            i += 1;
            continue;
        }
        let run = bytes[i..].iter().take_while(|b| **b == b'\\').count();
        let letter = bytes.get(i + run).is_some_and(u8::is_ascii_alphabetic);
        match (run, letter) {
            (1, true) => return false,
            (2, true) => found = true,
            _ => {}
        }
        i += run;
    }
    found
}

/// `&nabla;`: a character of a web page, and its length.
fn entity(text: &str) -> Option<(usize, Kind)> {
    let name = text[1..].split(';').next().filter(|n| n.len() + 1 < text.len() && n.len() < 10)?;
    let kind = match name {
        "minus" => Kind::Char('-'),
        "part" => Kind::Command("partial".into()),
        "middot" | "sdot" => Kind::Command("cdot".into()),
        "larr" => Kind::Command("gets".into()),
        "nabla" | "le" | "ge" | "times" => Kind::Command(name.into()),
        _ if crate::syntax::names::greek_letter(name).is_some() => Kind::Command(name.into()),
        _ => return None,
    };
    Some((name.len() + 2, kind))
}

/// What a tag of a web page draws, and its length.
fn tag(text: &str) -> Option<(usize, Vec<Kind>)> {
    const TAGS: &[(&str, &[Kind])] = &[
        ("<sub>", &[Kind::Sub, Kind::Open]),
        ("</sub>", &[Kind::Close]),
        ("<sup>", &[Kind::Sup, Kind::Open]),
        ("</sup>", &[Kind::Close]),
        ("<br>", &[Kind::Break]),
        ("<br/>", &[Kind::Break]),
        ("<br />", &[Kind::Break]),
        ("<i>", &[]),
        ("</i>", &[]),
        ("<em>", &[]),
        ("</em>", &[]),
        ("<b>", &[]),
        ("</b>", &[]),
        ("<p>", &[]),
        ("</p>", &[]),
    ];
    TAGS.iter().find(|(t, _)| text.starts_with(t)).map(|(t, kinds)| (t.len(), kinds.to_vec()))
}

/// Whether anything but punctuation and tags that draw nothing stands in a line.
pub fn has_letters(mut line: &str) -> bool {
    while let Some(c) = line.chars().next() {
        let length = match tag(line) {
            Some((length, drawn)) if drawn.is_empty() => length,
            _ if c.is_alphanumeric() => return true,
            _ => c.len_utf8(),
        };
        line = &line[length..];
    }
    false
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    spaced: bool,
    doubled: bool,
    notation: Notation,
    out: Scanned,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, length: usize, kind: Kind) {
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        let spaced = std::mem::take(&mut self.spaced);
        self.out.items.push(Item { kind, span, spaced });
    }

    /// Several items that one stretch of text draws.
    fn push_all(&mut self, length: usize, kinds: impl IntoIterator<Item = Kind>) {
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        for kind in kinds {
            let spaced = std::mem::take(&mut self.spaced);
            self.out.items.push(Item { kind, span, spaced });
        }
    }

    fn run(&mut self) {
        self.line_start();
        while let Some(c) = self.rest().chars().next() {
            self.one(c);
        }
    }

    fn one(&mut self, c: char) {
        let length = c.len_utf8();
        let unit = self.rest();
        match c {
            '\n' => {
                self.push(1, Kind::Newline);
                self.line_start();
            }
            c if c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{200a}') => {
                self.at += length;
                self.spaced = true;
            }
            '\\' => self.backslash(),
            '%' => self.comment(),
            '#' if self.notation == Notation::Unicode => self.comment(),
            '/' if self.notation == Notation::Unicode && unit.starts_with("//") => self.comment(),
            '$' => self.push(if unit.starts_with("$$") { 2 } else { 1 }, Kind::Math),
            '{' => self.push(1, Kind::Open),
            '}' => self.push(1, Kind::Close),
            '_' => self.push(1, Kind::Sub),
            '^' => self.push(1, Kind::Sup),
            '&' => match ["&amp;", "&lt;", "&gt;"].iter().position(|e| unit.starts_with(e)) {
                Some(0) => self.push(5, Kind::Align),
                Some(n) => self.push(4, Kind::Char(if n == 1 { '<' } else { '>' })),
                None => match entity(unit) {
                    Some((length, kind)) => self.push(length, kind),
                    None => self.push(1, Kind::Align),
                },
            },
            '<' if tag(unit).is_some() => {
                if let Some((length, kinds)) = tag(unit) {
                    self.push_all(length, kinds);
                }
            }
            ':' if unit.starts_with(":=") => self.push(2, Kind::Command("coloneqq".into())),
            '<' if unit.starts_with("<-") => self.push(2, Kind::Command("gets".into())),
            '|' if unit.starts_with("||") => self.push(2, Kind::Command("|".into())),
            '.' if unit.starts_with("...") => self.push(3, Kind::Command("dots".into())),
            '−' | '–' | '—' | '‐' | '‑' | '﹣' | '－' => self.push(length, Kind::Char('-')),
            '′' | '’' | '´' => self.push(length, Kind::Char('\'')),
            '∗' => self.push(length, Kind::Char('*')),
            _ => self.letter(c),
        }
    }

    fn letter(&mut self, c: char) {
        let length = c.len_utf8();
        let c = upright(c).unwrap_or(c);
        let wrapped = |command: &str, c: Kind| [Kind::Command(command.to_string()), Kind::Open, c, Kind::Close];
        if let Some((place, _)) = script(c) {
            return self.scripts(place);
        }
        let inner = greek(c).map_or(Kind::Char(c), |name| Kind::Command(name.to_string()));
        if let Some(mark) = self.rest()[length..].chars().next().and_then(combining) {
            let mark_length = self.rest()[length..].chars().next().map_or(0, char::len_utf8);
            return self.push_all(length + mark_length, wrapped(mark, inner));
        }
        match (decorated(c), alphabet(c), command(c)) {
            (Some((plain, mark)), ..) => self.push_all(length, wrapped(mark, Kind::Char(plain))),
            (_, Some((plain, true)), _) => self.push_all(length, wrapped("mathbf", Kind::Char(plain))),
            (_, Some((plain, false)), _) => self.push(length, Kind::Char(plain)),
            (_, _, Some("quadless")) => {
                self.at += length;
                self.spaced = true;
            }
            (_, _, Some(fraction)) if fraction.starts_with("frac") => {
                let mut digits = fraction.chars().skip(4).map(Kind::Char);
                let parts = [Some(Kind::Command("frac".into())), digits.next(), digits.next()];
                self.push_all(length, parts.into_iter().flatten());
            }
            (_, _, Some(name)) => self.push(length, Kind::Command(name.to_string())),
            _ => self.push(length, inner),
        }
    }

    /// A run of small letters is one group.
    fn scripts(&mut self, place: Place) {
        let start = self.at;
        self.spaced = false;
        self.push(0, if place == Place::Below { Kind::Sub } else { Kind::Sup });
        self.push(0, Kind::Open);
        while let Some(c) = self.rest().chars().next() {
            match script(c) {
                Some((p, small)) if p == place => self.push(c.len_utf8(), Kind::Char(small)),
                _ if self.at > start && self.rest().starts_with('⁄') => self.push('⁄'.len_utf8(), Kind::Char('/')),
                _ => break,
            }
        }
        self.push(0, Kind::Close);
    }

    fn backslash(&mut self) {
        let rest = self.rest();
        let skip = if self.doubled && rest.starts_with("\\\\") { 2 } else { 1 };
        let after = &rest[skip..];
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters > 0 {
            let name = after[..letters].to_string();
            return self.push(skip + letters, Kind::Command(name));
        }
        let Some(c) = after.chars().next() else {
            self.at += skip;
            return;
        };
        let length = skip + c.len_utf8();
        match c {
            '\\' => {
                let more = &rest[length..];
                let star = usize::from(more.starts_with('*'));
                let skip = match more[star..].strip_prefix('[').and_then(|m| m.find(']')) {
                    Some(n) if more[star + 1..star + 1 + n].trim_end().ends_with(|c: char| c.is_ascii_alphabetic()) => {
                        star + n + 2
                    }
                    _ => star,
                };
                self.push(length + skip, Kind::Break);
            }
            '(' | ')' | '[' | ']' => self.push(length, Kind::Math),
            ';' => self.push(length, Kind::Command(";".into())),
            ',' | ':' | '!' | '>' | '/' => {
                self.at += length;
                self.spaced = true;
            }
            c if c.is_whitespace() => {
                self.at += skip;
                self.spaced = true;
            }
            '{' | '}' | '|' => self.push(length, Kind::Command(c.to_string())),
            // Markdown asks for a backslash where a formula has none.
            '_' => self.push(length, Kind::Sub),
            '^' if rest[length..].starts_with('{') => self.push(length, Kind::Sup),
            c => self.push(length, Kind::Char(c)),
        }
    }

    fn comment(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        let span = Span::new(self.at, self.at + length);
        self.out.aside.push((span, Role::Comment, "comment"));
        self.at += length;
    }

    /// What stands at the beginning of a line and is no formula: quotes, fences, directives, bullets.
    fn line_start(&mut self) {
        loop {
            let text = self.text;
            let line = text[self.at..].split('\n').next().unwrap_or("");
            let body = line.trim_start();
            let pad = line.len() - body.len();
            if let Some(quoted) = body.strip_prefix('>') {
                self.at += pad + (body.len() - quoted.len());
                self.spaced = true;
                continue;
            }
            let reason = if body.starts_with("```") || body.starts_with("~~~") {
                "fence"
            } else if body.starts_with(".. ")
                || (body.starts_with(':') && body[1..].contains(':') && !body.contains('='))
            {
                "directive"
            } else if body.starts_with('#') && self.notation == Notation::Latex {
                "heading"
            } else {
                break;
            };
            let span = Span::new(self.at + pad, self.at + line.trim_end().len());
            let formula = body.strip_prefix(".. math::").filter(|f| !f.trim().is_empty());
            if let Some(formula) = formula {
                self.at += line.len() - formula.len();
                return;
            }
            self.out.aside.push((span, Role::Skipped, reason));
            self.at += line.len();
            return;
        }
        self.bullet();
    }

    /// `1.`, `2)`, `(3)`, `4:`, `-`, `*`, `Step 5:` before a formula.
    fn bullet(&mut self) {
        let text = self.text;
        let line = text[self.at..].split('\n').next().unwrap_or("");
        let body = line.trim_start();
        let mut rest = body.strip_prefix("Step ").or(body.strip_prefix("step ")).unwrap_or(body);
        let is_step = rest.len() < body.len();
        rest = rest.strip_prefix('(').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &rest[digits..];
        let mark = after.trim_start_matches(['.', ')', ':']);
        let numbered = digits > 0
            && mark.len() < after.len()
            && (mark.is_empty() || mark.starts_with([' ', '\t', '$']) || is_step);
        let listed = ["- ", "* ", "• "].iter().find_map(|b| body.strip_prefix(b));
        if numbered {
            if mark.trim().is_empty() {
                let from = self.at + (line.len() - body.len());
                self.out.aside.push((Span::new(from, from + body.trim_end().len()), Role::Skipped, "number"));
            }
            self.at += line.len() - mark.len();
        } else if let Some(after) =
            listed.filter(|l| l.contains(['=', '$', '←']) || l.contains("\\gets") || l.contains("arrow"))
        {
            self.at += line.len() - after.len();
        }
    }
}
