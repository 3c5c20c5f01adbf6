//! What is defined, and how arguments are read.

use super::super::source::Placed;
use super::{Expander, MAX_ARGUMENT, Macro};

impl Expander<'_> {
    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|(c, _)| c.is_whitespace()) {
            self.next();
        }
    }

    /// One character, one command or one group without its braces, and whether it was complete.
    pub(super) fn argument(&mut self) -> (Vec<Placed>, bool) {
        self.skip_blanks();
        let mut inside = Vec::new();
        match self.peek().map(|(c, _)| c) {
            None => return (inside, false),
            Some('{') => {}
            Some('\\') => {
                let (c, origin) = self.next().expect("just seen");
                let name = self.name();
                inside.push((c, origin));
                inside.extend(name.chars().map(|c| (c, origin)));
                return (inside, true);
            }
            Some(_) => return (self.next().into_iter().collect(), true),
        }
        // Where nothing is ever closed there is no need to look far.
        let limit = if self.unclosed > 100 { 100 } else { MAX_ARGUMENT };
        let open = self.next();
        let mut depth = 1;
        while let Some(placed) = self.next() {
            inside.push(placed);
            match placed.0 {
                '\\' => inside.extend(self.next()),
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                inside.pop();
                return (inside, true);
            }
            if inside.len() > limit {
                break;
            }
        }
        self.unclosed += 1;
        // A brace that is never closed closes nothing: its inside is read as it stands.
        inside.splice(0..0, open);
        self.push(inside);
        (Vec::new(), false)
    }

    /// An argument as a word.
    pub(super) fn word(&mut self) -> String {
        self.argument().0.iter().map(|(c, _)| *c).collect::<String>().trim().to_string()
    }

    /// `\input{file}` or `\input file`.
    pub(super) fn file_name(&mut self) -> String {
        self.skip_blanks();
        if self.peek().is_some_and(|(c, _)| c == '{') {
            return self.word();
        }
        let mut name = String::new();
        while let Some((c, _)) = self.peek().filter(|(c, _)| !c.is_whitespace() && *c != '\\') {
            name.push(c);
            self.next();
        }
        name
    }

    /// `[…]`, if it stands here.
    pub(super) fn bracketed(&mut self) -> Option<Vec<Placed>> {
        if self.peek().is_none_or(|(c, _)| c != '[') {
            return None;
        }
        let mut read: Vec<Placed> = self.next().into_iter().collect();
        let mut depth = 0;
        while let Some(placed) = self.next() {
            read.push(placed);
            match placed.0 {
                '{' => depth += 1,
                '}' => depth -= 1,
                ']' if depth <= 0 => {
                    read.pop();
                    read.remove(0);
                    return Some(read);
                }
                _ => {}
            }
            if read.len() > 1000 {
                break;
            }
        }
        self.push(read);
        None
    }

    pub(super) fn arguments(&mut self, used: &Macro) -> Vec<Vec<Placed>> {
        let mut given = Vec::new();
        if let Some(default) = &used.default {
            given.push(self.bracketed().unwrap_or_else(|| default.clone()));
        }
        while given.len() < used.arguments {
            given.push(self.argument().0);
        }
        given
    }

    /// `\name` or `{\name}`, without the backslash.
    fn defined_name(&mut self) -> Option<String> {
        if self.peek().is_some_and(|(c, _)| c == '*') {
            self.next();
        }
        self.word().strip_prefix('\\').map(str::to_string)
    }

    fn insert(&mut self, name: Option<String>, found: Macro) {
        if let Some(name) = name {
            self.macros.insert(name, found);
        }
    }

    fn signature(&mut self) -> (usize, Option<Vec<Placed>>) {
        self.skip_blanks();
        let number = self.bracketed();
        let count = number.and_then(|n| n.iter().find_map(|(c, _)| c.to_digit(10))).unwrap_or(0);
        (count as usize, self.bracketed())
    }

    pub(super) fn define(&mut self, only_if_new: bool) {
        let name = self.defined_name();
        let (arguments, default) = self.signature();
        let body = self.argument().0;
        if !(only_if_new && name.as_ref().is_some_and(|n| self.macros.contains_key(n))) {
            self.insert(name, Macro { arguments, default, body, is_delimiter: false });
        }
    }

    /// `\def\name#1#2{…}`; arguments that other characters delimit are not understood.
    pub(super) fn define_plainly(&mut self) {
        let name = self.defined_name();
        let mut pattern = String::new();
        while let Some((c, _)) = self.peek().filter(|(c, _)| *c != '{' && *c != '\n') {
            pattern.push(c);
            self.next();
        }
        let body = self.argument().0;
        let arguments = pattern.matches('#').count();
        let plain = pattern.chars().all(|c| c == '#' || c.is_ascii_digit() || c.is_whitespace());
        self.insert(name.filter(|_| plain), Macro { arguments, default: None, body, is_delimiter: false });
    }

    pub(super) fn define_alias(&mut self) {
        let name = self.defined_name();
        self.skip_blanks();
        if self.peek().is_some_and(|(c, _)| c == '=') {
            self.next();
        }
        let body = self.argument().0;
        let word: String = body.iter().skip(1).map(|(c, _)| *c).collect();
        let found = self.macros.get(&word).cloned();
        let itself = name.as_deref() == Some(word.as_str());
        let found = found.unwrap_or(Macro { arguments: 0, default: None, body, is_delimiter: false });
        self.insert(name.filter(|_| !itself), found);
    }

    pub(super) fn define_operator(&mut self) {
        let name = self.defined_name();
        let (inside, _) = self.argument();
        let mut body: Vec<Placed> = "\\operatorname{".chars().map(|c| (c, 0)).collect();
        body.extend(inside);
        body.push(('}', 0));
        self.insert(name, Macro { arguments: 0, default: None, body, is_delimiter: false });
    }

    pub(super) fn define_delimiter(&mut self) {
        let name = self.defined_name();
        let (mut body, right) = (self.argument().0, self.argument().0);
        body.extend(" #1".chars().map(|c| (c, 0)));
        body.extend(right);
        self.insert(name, Macro { arguments: 1, default: None, body, is_delimiter: true });
    }

    /// `\NewDocumentCommand{\name}{O{x} m m}{…}`: an optional argument may stand first.
    pub(super) fn define_document(&mut self) {
        let name = self.defined_name();
        let kinds = self.word();
        let body = self.argument().0;
        // What stands in braces is a default, not a kind.
        let (mut depth, mut outside, mut inside) = (0i64, String::new(), String::new());
        for c in kinds.chars() {
            depth -= i64::from(c == '}');
            match depth {
                0 if c != '{' && c != '}' => outside.push(c),
                0 => {}
                _ => inside.push(c),
            }
            depth += i64::from(c == '{');
        }
        let default = match outside.chars().next() {
            Some('o') => Some(Vec::new()),
            Some('O') => Some(inside.chars().map(|c| (c, 0)).collect()),
            _ => None,
        };
        let arguments = outside.matches('m').count() + usize::from(default.is_some());
        let plain = outside.chars().skip(usize::from(default.is_some())).all(|c| c == 'm' || c.is_whitespace());
        self.insert(name.filter(|_| plain), Macro { arguments, default, body, is_delimiter: false });
    }

    pub(super) fn define_environment(&mut self) {
        let name = self.word();
        let (arguments, default) = self.signature();
        let (body, end) = (self.argument().0, self.argument().0);
        let named = |n: &str| n == name;
        if !name.is_empty() && !["document", "algorithm", "algorithmic"].into_iter().any(named) {
            let begin = Macro { arguments, default, body, is_delimiter: false };
            self.environments.insert(name, (begin, end));
        }
    }

    /// `\newtheorem{alg}{Algorithm}` and the like: only what is called an algorithm counts.
    pub(super) fn declare_environment(&mut self) {
        if self.peek().is_some_and(|(c, _)| c == '*') {
            self.next();
        }
        self.bracketed();
        let name = self.word();
        self.bracketed();
        let title = if self.peek().is_some_and(|(c, _)| c == '{') { self.word() } else { String::new() };
        self.bracketed();
        if title.to_lowercase().contains("algorithm") {
            self.out.algorithms.insert(name);
        }
    }
}

/// The body with its arguments put in. What the paper wrote keeps its place, the rest stands at the macro.
pub(super) fn substitute(body: &[Placed], arguments: &[Vec<Placed>], origin: u32) -> Vec<Placed> {
    let mut out: Vec<Placed> = Vec::new();
    let mut at = 0;
    while let Some(&(c, _)) = body.get(at) {
        let number = body.get(at + 1).filter(|_| c == '#').and_then(|(d, _)| d.to_digit(10));
        match number.and_then(|n| arguments.get((n as usize).wrapping_sub(1))) {
            Some(argument) => {
                out.extend(argument);
                separate(&mut out, origin);
                at += 2;
            }
            None => {
                out.push((c, origin));
                at += 1;
            }
        }
    }
    separate(&mut out, origin);
    out
}

/// A command at the end must not grow by the letters that follow.
fn separate(out: &mut Vec<Placed>, origin: u32) {
    let letters = out.iter().rev().take_while(|(c, _)| c.is_ascii_alphabetic()).count();
    if letters > 0 && out.len() > letters && out[out.len() - letters - 1].0 == '\\' {
        out.push((' ', origin));
    }
}
