//! Items → atoms: names, numbers, groups and signs, each with its scripts, as TeX sees a formula.

mod table;

use super::mixing::mixed;
use super::rows::{is_assignment, is_sign};
use super::scan::{Item, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::Sense;
use crate::syntax::expression::MAX_NESTING;
use crate::syntax::names::{greek_letter, oracle_word};
use crate::syntax::notation::Notation;
use table::{DECORATIONS, FONTS, OPERATORS, SPACES, WORDS};
pub use table::{carries_scripts, known_word, unknown};

/// A nucleus with its scripts.
#[derive(Clone, Debug)]
pub struct Atom {
    /// What carries the scripts.
    pub nucleus: Nucleus,
    /// Below.
    pub sub: Option<Vec<Atom>>,
    /// Above.
    pub sup: Option<Vec<Atom>>,
    /// Primes behind it.
    pub primes: usize,
    /// The mark over a derivative: `\hat\nabla`.
    pub mark: Option<&'static str>,
    /// All of it.
    pub span: Span,
}

/// What carries scripts.
#[derive(Clone, Debug, PartialEq)]
pub enum Nucleus {
    /// A letter or a word, decorations included: `x_tilde`.
    Name(String),
    /// `\text{new}`.
    Text(String),
    /// Digits, with a point perhaps.
    Number(String),
    /// An operator, a bracket, `∇`, `∂`, `‖`, `⟨`, `⟩`, `∈`, `…`.
    Symbol(char),
    /// `=` and the like.
    Equals,
    /// `\gets` and the like.
    Assigns,
    /// `{…}`
    Group(Vec<Atom>),
    /// `\frac{…}{…}`
    Fraction(Vec<Atom>, Vec<Atom>),
    /// `\sqrt{…}`
    Root(Vec<Atom>),
    /// `\arg\min`
    Arg(Sense),
    /// `\circ` between maps.
    After,
    /// `\sum`, where it stands.
    Sum(Span),
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        let said = |a: &Atom| (a.primes, a.mark);
        self.nucleus == other.nucleus && self.sub == other.sub && self.sup == other.sup && said(self) == said(other)
    }
}

impl Atom {
    /// An atom without scripts.
    pub fn new(nucleus: Nucleus, span: Span) -> Atom {
        Atom { nucleus, sub: None, sup: None, primes: 0, mark: None, span }
    }

    /// Whether it is this symbol, without scripts or with.
    pub fn is(&self, symbol: char) -> bool {
        matches!(self.nucleus, Nucleus::Symbol(c) if c == symbol)
    }

    /// Calls `visit` on this atom and all that it contains.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Atom)) {
        visit(self);
        let inside: [Option<&'a Vec<Atom>>; 2] = match &self.nucleus {
            Nucleus::Group(a) | Nucleus::Root(a) => [Some(a), None],
            Nucleus::Fraction(a, b) => [Some(a), Some(b)],
            _ => [None, None],
        };
        for list in inside.into_iter().chain([self.sub.as_ref(), self.sup.as_ref()]).flatten() {
            list.iter().for_each(|a| a.walk(visit));
        }
    }
}

/// Reads items as atoms.
pub fn atoms(
    items: &[Item],
    notation: Notation,
    fonts: &dyn Fn(&str, &str) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Atom>, Diagnostic> {
    let list = Builder { items, at: 0, depth: 0, notation, fonts, diagnostics }.list(End::Items)?;
    mixed(list, diagnostics)
}

/// The sign of `a \over b` until its braces close.
const OVER: char = '⁄';

/// Where a list of atoms ends.
#[derive(Copy, Clone, PartialEq, Eq)]
enum End {
    /// With the items.
    Items,
    /// At `}`.
    Brace,
    /// At `}` of a script, or before what cannot be in one.
    Script,
}

struct Builder<'a> {
    items: &'a [Item],
    at: usize,
    depth: usize,
    notation: Notation,
    /// Whether a letter stands in two fonts, this and another, so that the font tells them apart.
    fonts: &'a dyn Fn(&str, &str) -> bool,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Builder<'_> {
    fn list(&mut self, end: End) -> Result<Vec<Atom>, Diagnostic> {
        if self.depth > MAX_NESTING {
            let span =
                self.items.get(self.at.min(self.items.len().saturating_sub(1))).map_or(Span::default(), |i| i.span);
            return Err(Diagnostic::error(
                Code::LimitNesting,
                span,
                format!("braces are nested more than {MAX_NESTING} deep"),
            )
            .help(format!("remove braces that are not needed, so that at most {MAX_NESTING} are open")));
        }
        self.depth += 1;
        let found = self.list_inside(end);
        self.depth -= 1;
        found
    }

    fn list_inside(&mut self, end: End) -> Result<Vec<Atom>, Diagnostic> {
        let mut out: Vec<Atom> = Vec::new();
        let mut brackets = 0usize;
        loop {
            let Some(item) = self.items.get(self.at).cloned() else {
                if end == End::Brace {
                    let at = self.items.last().map_or(Span::default(), |i| i.span);
                    return Err(Diagnostic::error(Code::UnbalancedParenthesis, at, "a brace `{` is never closed")
                        .help("add the missing `}`"));
                }
                return Ok(out);
            };
            if end == End::Script
                && (is_sign(&item.kind) && !self.closes_later() || (item.kind == Kind::Char(')') && brackets == 0))
            {
                self.note(item.span, "a brace `}` was added before this");
                return Ok(out);
            }
            match &item.kind {
                Kind::Char('(' | '[') => brackets += 1,
                Kind::Char(')' | ']') => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            match item.kind {
                Kind::Close if end != End::Items => return Ok(out),
                Kind::Close => self.note(item.span, "this `}` closes nothing and was left out"),
                Kind::Newline | Kind::Align | Kind::Math => {}
                Kind::Sub | Kind::Sup => self.script(item, &mut out)?,
                Kind::Char('\'') => match out.last_mut() {
                    Some(last) => {
                        last.primes += 1;
                        last.span = last.span.to(item.span);
                    }
                    None => self.note(item.span, "this prime stands behind nothing and was left out"),
                },
                _ => self.nucleus(item, &mut out)?,
            }
        }
    }

    fn note(&mut self, span: Span, message: &str) {
        self.diagnostics.push(Diagnostic::note(span, message.to_string()));
    }

    /// Whether the brace that is open closes before the items end.
    fn closes_later(&self) -> bool {
        let mut depth = 0i64;
        for item in &self.items[self.at..] {
            match item.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => return true,
                Kind::Close => depth -= 1,
                _ => {}
            }
        }
        false
    }

    fn script(&mut self, item: Item, out: &mut [Atom]) -> Result<(), Diagnostic> {
        let content = match self.items.get(self.at).map(|i| &i.kind) {
            Some(Kind::Open) => {
                self.at += 1;
                self.list(End::Script)?
            }
            Some(_) => self.one_argument()?,
            None => Vec::new(),
        };
        let end = self.items[self.at - 1].span;
        if content.is_empty() {
            self.note(item.span, "this script is empty and was left out");
            return Ok(());
        }
        let bare = |a: &Atom| match a.nucleus {
            Nucleus::Equals | Nucleus::Assigns | Nucleus::After => true,
            Nucleus::Symbol(c) => "+-/,;:=<>".contains(c),
            _ => false,
        };
        if out.last().is_none_or(bare) {
            return Err(Diagnostic::error(Code::UnexpectedToken, item.span, "a script of nothing")
                .help("write the name that carries it before it"));
        }
        let last = out.last_mut().expect("just seen");
        last.span = last.span.to(item.span).to(end);
        let place = if item.kind == Kind::Sub { &mut last.sub } else { &mut last.sup };
        match place {
            None => *place = Some(content),
            Some(before) => {
                // `x_{k}_{+1}`: an index that came apart.
                let goes_on = content.len() == 2
                    && (content[0].is('+') || content[0].is('-'))
                    && matches!(content[1].nucleus, Nucleus::Number(_));
                if !goes_on {
                    before.push(Atom::new(Nucleus::Symbol(','), item.span));
                }
                before.extend(content);
                let whole = last.span;
                if goes_on {
                    self.note(whole, "the two indices were read as one");
                }
            }
        }
        Ok(())
    }

    /// One item or one group, as `\frac` and scripts take it.
    fn one_argument(&mut self) -> Result<Vec<Atom>, Diagnostic> {
        while self.items.get(self.at).is_some_and(|i| matches!(i.kind, Kind::Newline | Kind::Align)) {
            self.at += 1;
        }
        let Some(item) = self.items.get(self.at).cloned() else {
            let at = self.items.last().map_or(Span::default(), |i| i.span);
            return Err(Diagnostic::error(Code::MissingArgument, at, "something is missing after this")
                .help("write it, in braces"));
        };
        self.at += 1;
        match item.kind {
            Kind::Open => self.list(End::Brace),
            // One letter or digit only: `\frac12`, `x^k+1`.
            Kind::Char(c) if c.is_alphanumeric() => {
                let nucleus =
                    if c.is_ascii_digit() { Nucleus::Number(c.to_string()) } else { Nucleus::Name(c.to_string()) };
                Ok(vec![Atom::new(nucleus, item.span)])
            }
            Kind::Char('(')
                if self.notation == Notation::Unicode || self.items.iter().all(|i| i.kind != Kind::Open) =>
            {
                // `x^(k+1)` without braces.
                let close = self.items[self.at..].iter().position(|i| i.kind == Kind::Char(')'));
                let Some(close) = close else { return Ok(vec![Atom::new(Nucleus::Symbol('('), item.span)]) };
                let (all, end) = (self.items, self.at + close);
                self.items = &all[..end];
                let inside = self.list(End::Items);
                self.items = all;
                self.at = end + 1;
                inside
            }
            _ => {
                let mut out = Vec::new();
                self.nucleus(item, &mut out)?;
                Ok(out)
            }
        }
    }

    fn nucleus(&mut self, item: Item, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let span = item.span;
        let nucleus = match &item.kind {
            Kind::Open => {
                let inside = self.list(End::Brace)?;
                let end = self.items[self.at - 1].span;
                let mut inside = inside;
                if inside.is_empty() {
                    // `W{}(x)`: braces that hold letters apart.
                    let scripted = self.items.get(self.at).is_some_and(|i| matches!(i.kind, Kind::Sub | Kind::Sup));
                    let behind = out.last().is_some_and(|a| match a.nucleus {
                        Nucleus::Symbol(c) => matches!(c, ')' | '‖' | '|' | '⟩'),
                        Nucleus::Equals | Nucleus::Assigns | Nucleus::After => false,
                        _ => true,
                    });
                    return if scripted && (!behind || item.spaced) { self.prescript(span, out) } else { Ok(()) };
                }
                // `(1 {+ \beta})`: braces are not drawn, and a sign is between what stands before and after it.
                if !out.is_empty() && matches!(inside[0].nucleus, Nucleus::Symbol('+' | '-')) {
                    out.extend(inside);
                    return Ok(());
                }
                // `{a \over b}`
                if let Some(over) = inside.iter().position(|a| a.is(OVER)) {
                    let below = inside.split_off(over + 1);
                    inside.pop();
                    out.push(Atom::new(Nucleus::Fraction(inside, below), span.to(end)));
                    return Ok(());
                }
                // Needless braces around one thing: `{x}`, `{\bf x}`.
                if inside.len() == 1 {
                    let mut only = inside.remove(0);
                    only.span = span.to(end);
                    out.push(only);
                    return Ok(());
                }
                out.push(Atom::new(Nucleus::Group(inside), span.to(end)));
                return Ok(());
            }
            Kind::Char(c) if c.is_ascii_digit() || (*c == '.' && self.digit_here()) => return self.number(item, out),
            Kind::Char(c) if c.is_alphabetic() => return self.letters(item, out),
            Kind::Char('=') => Nucleus::Equals,
            Kind::Char('[') => return self.bracket(span, out),
            Kind::Char(']') => Nucleus::Symbol(')'),
            Kind::Char(c) => Nucleus::Symbol(*c),
            Kind::Command(name) => {
                let name = name.clone();
                return self.command(&name, span, out);
            }
            Kind::Break => Nucleus::Symbol(','),
            _ => return Ok(()),
        };
        out.push(Atom::new(nucleus, span));
        Ok(())
    }

    /// `\nabla {}^γ f`: the Moreau envelope; any other script before a letter is refused.
    fn prescript(&mut self, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let above = self.items[self.at].kind == Kind::Sup;
        self.at += 1;
        let step = self.one_argument()?;
        let whole = span.to(self.items[self.at - 1].span);
        let derived = out.last().is_some_and(|a| a.is('∇'));
        let function = if above && derived { self.one_argument()? } else { Vec::new() };
        let scripted = self.items.get(self.at).is_some_and(|i| matches!(i.kind, Kind::Sub | Kind::Sup));
        let [Atom { nucleus: Nucleus::Name(_), sub: None, sup: None, .. }] = function.as_slice() else {
            return Err(before_a_letter(whole));
        };
        if scripted {
            return Err(before_a_letter(whole));
        }
        let end = self.items[self.at - 1].span;
        self.note(whole.to(end), "this was read as a Moreau envelope, whose parameter stands before the function");
        let sub = step.into_iter().chain(function).collect();
        out.push(Atom { sub: Some(sub), ..Atom::new(Nucleus::Name("env".into()), whole.to(end)) });
        Ok(())
    }

    /// `x[k+1]` has an index in brackets; any other bracket is a parenthesis.
    fn bracket(&mut self, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let beside = !self.items[self.at - 1].spaced
            && out.last().is_some_and(|a| {
                matches!(&a.nucleus, Nucleus::Name(n) if oracle_word(n).is_none()) && a.sub.is_none() && a.sup.is_none()
            });
        let close = self.items[self.at..].iter().position(|i| i.kind == Kind::Char(']'));
        if let (true, Some(close)) = (beside, close) {
            let inside = &self.items[self.at..self.at + close];
            let plain = |i: &Item| matches!(i.kind, Kind::Char(c) if c.is_ascii_alphanumeric() || "+-/".contains(c));
            let letters = inside.iter().filter(|i| matches!(i.kind, Kind::Char(c) if c.is_ascii_alphabetic())).count();
            if inside.iter().all(plain) && letters <= 1 && !inside.is_empty() {
                let (all, end) = (self.items, self.at + close);
                self.items = &all[..end];
                let index = self.list(End::Items)?;
                self.items = all;
                self.at = end + 1;
                if let Some(last) = out.last_mut() {
                    last.sub = Some(index);
                    last.span = last.span.to(all[end].span);
                }
                return Ok(());
            }
        }
        out.push(Atom::new(Nucleus::Symbol('('), span));
        Ok(())
    }

    fn digit_here(&self) -> bool {
        self.items.get(self.at).is_some_and(|i| matches!(i.kind, Kind::Char(c) if c.is_ascii_digit()))
    }

    fn number(&mut self, item: Item, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let mut text = String::new();
        let mut span = item.span;
        if let Kind::Char(c) = item.kind {
            text.push(c);
        }
        while let Some(next) = self.items.get(self.at) {
            match next.kind {
                Kind::Char(c)
                    if (c.is_ascii_digit() || (c == '.' && !text.contains('.') && self.decimal_after()))
                        && !next.spaced =>
                {
                    text.push(c);
                    span = span.to(next.span);
                    self.at += 1;
                }
                _ => break,
            }
        }
        if let Some((exponent, end)) = self.exponent() {
            text.push_str(&exponent);
            self.at = end;
            span = span.to(self.items[end - 1].span);
            self.note(span, "this was read as one number");
        }
        out.push(Atom::new(Nucleus::Number(text), span));
        Ok(())
    }

    /// `e-3` behind digits, without a space, and where it ends.
    fn exponent(&self) -> Option<(String, usize)> {
        let char_at = |n: usize| match self.items.get(n) {
            Some(Item { kind: Kind::Char(c), spaced: false, .. }) => Some(*c),
            _ => None,
        };
        let mut found = String::from("e");
        char_at(self.at).filter(|c| matches!(c, 'e' | 'E'))?;
        let mut end = self.at + 1;
        if let Some(sign @ ('+' | '-' | '−')) = char_at(end) {
            found.extend((sign != '+').then_some('-'));
            end += 1;
        }
        let digits: String = (end..).map_while(char_at).take_while(char::is_ascii_digit).collect();
        found.push_str(&digits);
        (!digits.is_empty()).then_some((found, end + digits.len()))
    }

    fn decimal_after(&self) -> bool {
        self.items.get(self.at + 1).is_some_and(|i| matches!(i.kind, Kind::Char(c) if c.is_ascii_digit()))
    }

    /// A run of letters: a word that is known, or one name per letter.
    fn letters(&mut self, item: Item, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let from = self.at - 1;
        let mut run = String::new();
        for next in &self.items[from..] {
            match next.kind {
                Kind::Char(c) if c.is_alphabetic() && (run.is_empty() || !next.spaced) => run.push(c),
                _ => break,
            }
        }
        let count = run.chars().count();
        let whole = item.span.to(self.items[from + count - 1].span);
        if count > 1 {
            if let Some(word) = known_word(&run) {
                self.at = from + count;
                if self.notation == Notation::Latex && greek_letter(word).is_some() {
                    self.note(whole, &format!("`{run}` was read as `\\{word}`"));
                }
                return self.word(word, whole, out);
            }
            if self.notation == Notation::Unicode && count > 2 {
                self.at = from + count;
                out.push(Atom::new(Nucleus::Name(run), whole));
                return Ok(());
            }
            // `argminf`: a known word with letters stuck to it.
            let start = (3..count).rev().find_map(|n| {
                let head: String = run.chars().take(n).collect();
                known_word(&head).filter(|w| !w.starts_with("eta")).map(|w| (n, w))
            });
            if let (Some((n, word)), Notation::Latex) = (start, self.notation) {
                self.at = from + n;
                return self.word(word, item.span.to(self.items[from + n - 1].span), out);
            }
            if count > 3 {
                self.at = from + count;
                self.diagnostics.push(
                    Diagnostic::note(whole, format!("the letters `{run}` were read as one name"))
                        .help("put words on a line of their own, and write blanks between factors"),
                );
                out.push(Atom::new(Nucleus::Name(run), whole));
                return Ok(());
            }
        }
        let first: String = run.chars().take(1).collect();
        self.at = from + 1;
        out.push(Atom::new(Nucleus::Name(first), item.span));
        Ok(())
    }

    /// What a word stands for.
    fn word(&mut self, word: &str, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let nucleus = match word {
            "argmin" => Nucleus::Arg(Sense::Minimize),
            "argmax" => Nucleus::Arg(Sense::Maximize),
            "min" | "max" if out.last().is_some_and(|a| a.nucleus == Nucleus::Name("arg".into())) => {
                let arg = out.pop().map_or(span, |a| a.span);
                let sense = if word == "min" { Sense::Minimize } else { Sense::Maximize };
                out.push(Atom::new(Nucleus::Arg(sense), arg.to(span)));
                return Ok(());
            }
            "grad" | "nabla" => Nucleus::Symbol('∇'),
            "partial" | "subgrad" | "subdiff" => Nucleus::Symbol('∂'),
            "Id" | "id" => Nucleus::Name("I".into()),
            "Prox" => Nucleus::Name("prox".into()),
            "Proj" | "projection" => Nucleus::Name("proj".into()),
            _ => Nucleus::Name(word.to_string()),
        };
        out.push(Atom::new(nucleus, span));
        Ok(())
    }

    fn command(&mut self, name: &str, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        if SPACES.contains(&name) {
            return Ok(());
        }
        if is_assignment(name) {
            out.push(Atom::new(Nucleus::Assigns, span));
            return Ok(());
        }
        if matches!(name, "triangleq" | "equiv" | "defeq" | "eqdef") {
            out.push(Atom::new(Nucleus::Equals, span));
            return Ok(());
        }
        if let Some((_, c)) = OPERATORS.iter().find(|(n, _)| *n == name) {
            out.push(Atom::new(Nucleus::Symbol(*c), span));
            return Ok(());
        }
        let spelled = match name {
            "varepsilon" => "epsilon",
            "vartheta" => "theta",
            "varphi" => "phi",
            "varrho" => "rho",
            "varsigma" => "sigma",
            "varpi" => "pi",
            "ell" => "ell",
            other => other,
        };
        if greek_letter(spelled).is_some() || spelled == "ell" {
            out.push(Atom::new(Nucleus::Name(spelled.to_string()), span));
            return Ok(());
        }
        match name {
            "over" if self.depth > 1 => out.push(Atom::new(Nucleus::Symbol(OVER), span)),
            "circ" => out.push(Atom::new(Nucleus::After, span)),
            "frac" | "tfrac" | "dfrac" | "nicefrac" | "sfrac" | "cfrac" => {
                let above = self.one_argument()?;
                let below = self.one_argument()?;
                out.push(Atom::new(Nucleus::Fraction(above, below), span.to(self.items[self.at - 1].span)));
            }
            "sqrt" => {
                let inside = self.one_argument()?;
                out.push(Atom::new(Nucleus::Root(inside), span.to(self.items[self.at - 1].span)));
            }
            "norm" | "abs" => {
                let inside = self.one_argument()?;
                let end = self.items[self.at - 1].span;
                let bar = if name == "norm" { '‖' } else { '|' };
                out.push(Atom::new(Nucleus::Symbol(bar), span));
                out.extend(inside);
                out.push(Atom::new(Nucleus::Symbol(bar), end));
            }
            "inner" | "ip" | "innerprod" | "dotp" | "iprod" => {
                let left = self.one_argument()?;
                let right = if self.items.get(self.at).is_some_and(|i| i.kind == Kind::Open) {
                    self.one_argument()?
                } else {
                    Vec::new()
                };
                let end = self.items[self.at - 1].span;
                out.push(Atom::new(Nucleus::Symbol('⟨'), span));
                out.extend(left);
                if !right.is_empty() {
                    out.push(Atom::new(Nucleus::Symbol(','), span));
                    out.extend(right);
                }
                out.push(Atom::new(Nucleus::Symbol('⟩'), end));
            }
            "Call" => {
                self.roman(span, out)?;
                let inside = self.one_argument()?;
                let end = self.items[self.at - 1].span;
                out.push(Atom::new(Nucleus::Symbol('('), span));
                out.extend(inside);
                out.push(Atom::new(Nucleus::Symbol(')'), end));
            }
            "underset" | "underbrace" | "overbrace" | "overset" => self.under(name, span, out)?,
            "color" => {
                self.one_argument()?;
            }
            "boxed" => out.extend(self.one_argument()?),
            // What is colored stands where it stands.
            "textcolor" => {
                self.one_argument()?;
                out.extend(self.one_argument()?);
            }
            "text" | "textrm" | "mbox" | "textnormal" => self.text(span, out),
            "arg" => out.push(Atom::new(Nucleus::Name("arg".into()), span)),
            "sum" => out.push(Atom::new(Nucleus::Sum(span), span)),
            _ if WORDS.contains(&name) => self.roman(span, out)?,
            _ if FONTS.contains(&name) => self.font(name, span, out)?,
            _ => match DECORATIONS.iter().find(|(n, _)| *n == name) {
                Some((_, mark)) => self.decoration(mark, span, out)?,
                None => match known_word(name) {
                    Some(word) => self.word(word, span, out)?,
                    None => return Err(unknown(name, span)),
                },
            },
        }
        Ok(())
    }

    /// `\underset{x}{\arg\min}`; the label of a brace says nothing.
    fn under(&mut self, name: &str, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let first = self.one_argument()?;
        if name.ends_with("brace") {
            out.extend(first);
            if self.items.get(self.at).is_some_and(|i| matches!(i.kind, Kind::Sub | Kind::Sup)) {
                self.at += 1;
                self.one_argument()?;
            }
            return Ok(());
        }
        let second = self.one_argument()?;
        let place = out.len();
        out.extend(second);
        let one = out.len() - place == 1;
        if let (Some(atom), "underset", true) = (out.last_mut(), name, one) {
            atom.sub = Some(first);
            atom.span = atom.span.to(span);
        }
        Ok(())
    }

    /// The text of a group, as it is written.
    fn raw_group(&mut self) -> (String, Span) {
        let mut text = String::new();
        let mut depth = 0;
        let mut span = self.items.get(self.at).map_or(Span::default(), |i| i.span);
        while let Some(item) = self.items.get(self.at) {
            self.at += 1;
            span = span.to(item.span);
            match &item.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Char(c) => {
                    if item.spaced && !text.is_empty() {
                        text.push(' ');
                    }
                    text.push(*c);
                }
                Kind::Command(c) if matches!(c.as_str(), "min" | "max" | "arg") => text.push_str(c),
                _ => {}
            }
            if depth <= 0 {
                break;
            }
        }
        (text, span)
    }

    fn text(&mut self, span: Span, out: &mut Vec<Atom>) {
        let (text, end) = self.raw_group();
        let squeezed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        match known_word(&squeezed) {
            Some(word) => {
                let _ = self.word(word, span.to(end), out);
            }
            // `\text{Denoise}(x)`
            None if self.is_called() && squeezed == text && squeezed.starts_with(char::is_alphabetic) => {
                out.push(Atom::new(Nucleus::Name(squeezed), span.to(end)));
            }
            None => out.push(Atom::new(Nucleus::Text(text.trim().to_string()), span.to(end))),
        }
    }

    /// Whether an argument in parentheses follows at once, behind a subscript perhaps.
    fn is_called(&self) -> bool {
        let mut at = self.at;
        let kind = |at: usize| self.items.get(at).map(|i| &i.kind);
        if kind(at) == Some(&Kind::Sub) {
            let mut depth = 0i64;
            loop {
                at += 1;
                match kind(at) {
                    Some(Kind::Open) => depth += 1,
                    Some(Kind::Close) => depth -= 1,
                    None => return false,
                    _ => {}
                }
                if depth <= 0 {
                    break;
                }
            }
            at += 1;
        }
        let sized =
            |k: &Kind| matches!(k, Kind::Command(c) if matches!(c.as_str(), "left" | "big" | "Big" | "bigl" | "Bigl"));
        at += usize::from(kind(at).is_some_and(sized));
        kind(at) == Some(&Kind::Char('(')) && self.items.get(at).is_some_and(|i| !i.spaced)
    }

    /// `\operatorname{prox}`, `\mathrm{prox}`, `\mathop{\rm arg\,min}`.
    fn roman(&mut self, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        if self.items.get(self.at).is_some_and(|i| i.kind == Kind::Char('*')) {
            self.at += 1;
        }
        let from = self.at;
        let (text, end) = self.raw_group();
        let squeezed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let span = span.to(end);
        if let Some(word) = known_word(&squeezed) {
            return self.word(word, span, out);
        }
        if squeezed.is_empty() {
            // A formula in a font: `\mathrm{\tilde x}`.
            self.at = from;
            out.extend(self.one_argument()?);
            return Ok(());
        }
        out.push(Atom::new(Nucleus::Name(squeezed), span));
        Ok(())
    }

    fn font(&mut self, font: &str, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let font = family(font);
        let inside = self.one_argument()?;
        let end = self.items[self.at - 1].span;
        if let [Atom { nucleus: Nucleus::Name(name), .. }] = inside.as_slice() {
            let name = if (self.fonts)(name, font) {
                format!("{name}_{}", &font[font.len().saturating_sub(2)..])
            } else {
                name.clone()
            };
            let name = if font == "mathbb" && name == "I" { "I".to_string() } else { name };
            let mut atom = inside[0].clone();
            atom.mark = (font == "mathbb" && name == "E").then_some(MEAN);
            atom.nucleus = Nucleus::Name(name);
            atom.span = span.to(end);
            out.push(atom);
        } else if matches!(inside.as_slice(), [Atom { nucleus: Nucleus::Number(n), .. }] if n == "1") {
            out.push(Atom::new(Nucleus::Name("I".into()), span.to(end)));
        } else {
            let letters: Option<String> = inside
                .iter()
                .map(|a| match &a.nucleus {
                    Nucleus::Name(n) if a.sub.is_none() && a.sup.is_none() => Some(n.as_str()),
                    _ => None,
                })
                .collect();
            match letters.as_deref().and_then(known_word) {
                Some(word) => self.word(word, span.to(end), out)?,
                None => out.extend(inside),
            }
        }
        Ok(())
    }

    fn decoration(&mut self, mark: &'static str, span: Span, out: &mut Vec<Atom>) -> Result<(), Diagnostic> {
        let mut inside = self.one_argument()?;
        let end = self.items[self.at - 1].span;
        match inside.as_mut_slice() {
            [atom] if matches!(atom.nucleus, Nucleus::Name(_)) => {
                if let Nucleus::Name(name) = &mut atom.nucleus {
                    name.push('_');
                    name.push_str(mark);
                }
                atom.span = span.to(end);
                out.push(atom.clone());
            }
            // `\tilde\nabla f`, `\widehat{\nabla f}`: an estimate is an oracle of its own.
            [derivative, ..] if derivative.is('∇') || derivative.is('∂') => {
                derivative.mark = Some(mark);
                derivative.span = span.to(derivative.span);
                out.append(&mut inside);
            }
            [atom] => {
                self.note(span.to(end), &format!("the {mark} was left out"));
                out.push(atom.clone());
            }
            _ => {
                self.note(span.to(end), &format!("the {mark} was left out"));
                out.push(Atom::new(Nucleus::Group(inside), span.to(end)));
            }
        }
        Ok(())
    }
}

/// The mark of the letter that takes an expectation.
pub const MEAN: &str = "mean";

/// One name for fonts that look alike.
pub fn family(font: &str) -> &str {
    match font {
        "boldsymbol" | "bm" | "pmb" | "mathbfit" => "mathbf",
        font => font,
    }
}

/// A script before the letter that it belongs to.
fn before_a_letter(span: Span) -> Diagnostic {
    let help = "write `\\nabla \\operatorname{env}_{\\gamma f}(x)` for the gradient of a Moreau envelope, `(I - J_{\\gamma A})/\\gamma` for a Yosida \
                approximation";
    Diagnostic::error(Code::UnexpectedToken, span, "a script before a letter is not read").help(help)
}
