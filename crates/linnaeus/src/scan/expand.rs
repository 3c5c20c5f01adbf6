//! Macros, environments and included files, put in where they are used. Every character keeps the place
//! that it comes from; what a macro makes stands where the macro does.

mod define;

use super::programs::is_program;
use super::source::{Files, Placed, Text};
use crate::syntax::is_structural;
use define::substitute;
use linnaeus_algebra::SortedSet;
use std::collections::HashMap;

/// More bytes than this are not read from the files of a paper.
pub const MAX_BYTES: usize = 16_000_000;
/// One use of a macro makes no more characters than this.
pub const MAX_MADE: usize = 20_000;
/// Arguments of macros, and what macros stand for, are no longer than this.
pub const MAX_ARGUMENT: usize = 4_000;
/// All macros together make no more characters than this.
pub const MAX_EXPANDED: usize = 1_000_000;
/// More files than this are not included.
pub const MAX_FILES: usize = 300;

/// A paper with everything put in.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The text.
    pub text: Text,
    /// The files that it comes from.
    pub files: Files,
    /// Environments that the paper declares as algorithms, by their names.
    pub algorithms: SortedSet<String>,
    /// What was left out: places and reasons.
    pub remarks: Vec<(u32, String)>,
}

/// Where the text of an included file comes from: its name as written → its text.
pub type Load<'a> = &'a mut dyn FnMut(&str) -> Option<String>;

/// Puts together a paper from its main file.
pub fn expand(name: &str, text: &str, load: Load) -> Expanded {
    let mut expander = Expander {
        load,
        frames: Vec::new(),
        macros: HashMap::new(),
        environments: HashMap::new(),
        out: Expanded::default(),
        made: 0,
        all: 0,
        unclosed: 0,
    };
    expander.open(name, text, false);
    expander.run();
    expander.out
}

/// Characters that are still to be read.
struct Frame {
    chars: Vec<Placed>,
    at: usize,
    origin: Origin,
}

#[derive(PartialEq)]
enum Origin {
    /// A file, by its name.
    File(String),
    /// A file of which only the definitions count.
    Package(String),
    /// A macro, or what was read too far.
    Made,
}

#[derive(Clone)]
struct Macro {
    arguments: usize,
    /// What the first argument is where none is given in brackets.
    default: Option<Vec<Placed>>,
    body: Vec<Placed>,
    /// Whether a star or brackets after the name say how large the delimiters are.
    is_delimiter: bool,
}

struct Expander<'a> {
    load: Load<'a>,
    frames: Vec<Frame>,
    macros: HashMap<String, Macro>,
    environments: HashMap<String, (Macro, Vec<Placed>)>,
    out: Expanded,
    /// Characters made since the last one that stands in a file.
    made: usize,
    all: usize,
    /// Braces that were never closed.
    unclosed: usize,
}

impl Expander<'_> {
    fn open(&mut self, name: &str, text: &str, definitions: bool) {
        let chars = self.out.files.add(name, text);
        let origin = if definitions { Origin::Package(name.into()) } else { Origin::File(name.into()) };
        self.frames.push(Frame { chars, at: 0, origin });
    }

    fn peek(&mut self) -> Option<Placed> {
        while let Some(frame) = self.frames.last() {
            if let Some(found) = frame.chars.get(frame.at) {
                return Some(*found);
            }
            self.frames.pop();
        }
        None
    }

    fn next(&mut self) -> Option<Placed> {
        let found = self.peek()?;
        let frame = self.frames.last_mut()?;
        frame.at += 1;
        if frame.origin != Origin::Made {
            self.made = 0;
        }
        Some(found)
    }

    fn push(&mut self, chars: Vec<Placed>) {
        self.peek();
        self.frames.push(Frame { chars, at: 0, origin: Origin::Made });
    }

    fn emit(&mut self, placed: Placed) {
        if !self.frames.iter().any(|f| matches!(f.origin, Origin::Package(_))) {
            self.out.text.push(placed);
        }
    }

    fn emit_word(&mut self, name: &str, origin: u32) {
        self.emit(('\\', origin));
        name.chars().for_each(|c| self.emit((c, origin)));
    }

    fn run(&mut self) {
        while let Some((c, origin)) = self.next() {
            if c != '\\' {
                self.emit((c, origin));
                continue;
            }
            let name = self.name();
            if self.command(&name, origin) {
                break;
            }
        }
    }

    /// What stands after a backslash: letters, or one other character.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some((c, _)) = self.peek() {
            let letter = c.is_ascii_alphabetic() || (c == '@' && !name.is_empty());
            if !letter && !name.is_empty() {
                break;
            }
            name.push(c);
            self.next();
            if !letter {
                break;
            }
        }
        name
    }

    /// Deals with a command; tells whether the document ends here.
    fn command(&mut self, name: &str, origin: u32) -> bool {
        match name {
            "newcommand" | "renewcommand" | "providecommand" | "DeclareRobustCommand" | "newrobustcmd" => {
                self.define(name == "providecommand");
            }
            "def" | "gdef" | "edef" | "xdef" => self.define_plainly(),
            "let" => self.define_alias(),
            "DeclareMathOperator" => self.define_operator(),
            "DeclarePairedDelimiter" => self.define_delimiter(),
            "NewDocumentCommand" | "RenewDocumentCommand" | "DeclareDocumentCommand" => self.define_document(),
            "newenvironment" | "renewenvironment" | "NewEnviron" => self.define_environment(),
            "newtheorem" | "newtcbtheorem" | "newfloat" | "DeclareFloatingEnvironment" => self.declare_environment(),
            "input" | "include" | "subfile" | "subfileinclude" => {
                let file = self.file_name();
                self.include(&[file.as_str()], origin);
            }
            "import" | "subimport" => {
                let (folder, file) = (self.word(), self.word());
                self.include(&[&format!("{folder}{file}"), &format!("{folder}/{file}")], origin);
            }
            "usepackage" | "RequirePackage" => self.packages(),
            "endinput" => self.end_file(),
            "begin" | "end" => return self.environment(name == "begin", origin),
            _ if name.starts_with(END) => self.emit_word("end", origin),
            _ => self.other(name, origin),
        }
        false
    }

    fn other(&mut self, name: &str, origin: u32) {
        let kept = is_structural(name)
            || self.macros.get(name).is_some_and(|m| m.arguments == 0)
                && matches!(name, "prox" | "Prox" | "proj" | "Proj" | "argmin" | "argmax");
        let found = self.macros.get(name).filter(|_| !kept).cloned();
        let used = found.filter(|m| self.may_make(m.body.len(), name, origin));
        let Some(used) = used else { return self.emit_word(name, origin) };
        if used.is_delimiter {
            if self.peek().is_some_and(|(c, _)| c == '*') {
                self.next();
            }
            self.bracketed();
        }
        let arguments = self.arguments(&used);
        let body = substitute(&used.body, &arguments, origin);
        self.push(body);
    }

    /// Counts what is made; a macro that makes too much is left as it stands.
    fn may_make(&mut self, length: usize, name: &str, origin: u32) -> bool {
        self.made += length + 1;
        self.all += length + 1;
        let allowed = self.made <= MAX_MADE && self.all <= MAX_EXPANDED;
        if !allowed && self.out.remarks.len() < 20 {
            let message = format!("the macro `\\{name}` makes too much and was not expanded");
            if !self.out.remarks.iter().any(|(_, m)| *m == message) {
                self.out.remarks.push((origin, message));
            }
        }
        allowed
    }

    fn environment(&mut self, begins: bool, origin: u32) -> bool {
        let (inside, closed) = self.argument();
        let name: String = inside.iter().map(|(c, _)| *c).collect();
        let in_file = self.frames.iter().filter(|f| f.origin != Origin::Made).count() <= 1;
        if !begins && name == "document" && in_file {
            return true;
        }
        if begins && is_program(&name) {
            self.copy_program(&name, &inside, origin);
            return false;
        }
        let found = self.environments.get(&name).cloned();
        let used = found.filter(|(begin, end)| {
            let length = if begins { begin.body.len() } else { end.len() };
            self.may_make(length, &format!("begin{{{name}}}"), origin)
        });
        let mark = |this: &mut Self| {
            this.emit_word(if begins { "begin" } else { "end" }, origin);
            if closed {
                this.emit(('{', origin));
                inside.iter().for_each(|p| this.emit(*p));
                this.emit(('}', origin));
            }
        };
        match used {
            None => mark(self),
            Some((begin, _)) if begins => {
                mark(self);
                let arguments = self.arguments(&begin);
                let body = substitute(&begin.body, &arguments, origin);
                self.push(body);
            }
            Some((_, end)) => {
                let mut body: Vec<Placed> = end.iter().map(|(c, _)| (*c, origin)).collect();
                body.extend(format!("\\{END}{{{name}}}").chars().map(|c| (c, origin)));
                self.push(body);
            }
        }
        false
    }

    /// A program is no TeX: nothing in it is expanded.
    fn copy_program(&mut self, name: &str, inside: &[Placed], origin: u32) {
        self.emit_word("begin", origin);
        self.emit(('{', origin));
        inside.iter().for_each(|p| self.emit(*p));
        self.emit(('}', origin));
        let close = format!("\\end{{{name}}}");
        let mut copied = String::new();
        while let Some(placed) = self.next() {
            self.emit(placed);
            copied.push(placed.0);
            if placed.0 == '}' && copied.ends_with(&close) {
                break;
            }
        }
    }

    /// Opens the first of these files that exists.
    fn include(&mut self, names: &[&str], origin: u32) {
        let open: Vec<&str> = self.frames.iter().filter_map(Frame::file).collect();
        let named = |n: &str| [n.to_string(), format!("{n}.tex")];
        let names: Vec<String> = names.iter().flat_map(|n| named(n)).filter(|n| !open.contains(&n.as_str())).collect();
        let full = self.out.files.list().len() >= MAX_FILES || self.out.files.length() >= MAX_BYTES;
        let found = names.iter().filter(|_| !full).find_map(|n| Some((n.clone(), (self.load)(n)?)));
        match found {
            Some((name, text)) if self.out.files.length() + text.len() <= MAX_BYTES => self.open(&name, &text, false),
            _ => {
                let name = names.first().map_or("", String::as_str);
                self.out.remarks.push((origin, format!("the file `{name}` was not included")));
            }
        }
    }

    /// Packages that stand beside the paper define macros; others are unknown.
    fn packages(&mut self) {
        self.bracketed();
        for name in self.word().split(',').map(str::trim).filter(|n| !n.is_empty()) {
            let name = format!("{name}.sty");
            let known = self.out.files.list().iter().any(|f| f.name == name);
            let full = self.out.files.list().len() >= MAX_FILES || self.out.files.length() >= MAX_BYTES;
            if let Some(text) = (!known && !full).then(|| (self.load)(&name)).flatten()
                && self.out.files.length() + text.len() <= MAX_BYTES
            {
                self.open(&name, &text, true);
            }
        }
    }

    fn end_file(&mut self) {
        while let Some(frame) = self.frames.pop() {
            if frame.origin != Origin::Made {
                return;
            }
        }
    }
}

/// Stands for `end` where an environment of the paper must not be ended a second time.
const END: char = '\0';

impl Frame {
    fn file(&self) -> Option<&str> {
        match &self.origin {
            Origin::File(name) | Origin::Package(name) => Some(name),
            Origin::Made => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = expand("a.tex", text, &mut |name| match name {
            "part.tex" => Some("\\newcommand{\\x}{X}inside\\endinput outside".to_string()),
            "loop.tex" => Some("\\input{loop}".to_string()),
            "own.sty" => Some("\\newcommand{\\y}[1]{Y#1}unseen".to_string()),
            _ => None,
        });
        assert_eq!(found.text.as_str().split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text:?}");
    }

    #[test]
    fn macros() {
        check(r"\newcommand{\a}[1]{(#1)}\a{b}\a c", "(b)(c)");
        check(r"\newcommand\a[2][k]{#1:#2}\a{b} \a[c]{d}", "k:b c:d");
        check(r"\def\a#1{<#1>}\a{\b}", r"<\b >");
        check(r"\DeclareMathOperator*{\prx}{prox}\prx_f", r"\operatorname{prox}_f");
        check(r"\DeclarePairedDelimiter{\norm}{\|}{\|}\norm*{x}\norm[\big]{y}", r"\| x\|\| y\|");
        check(r"\let\al\alpha \al x", r"\alpha x");
        check(r"\providecommand{\a}{1}\providecommand{\a}{2}\a", "1");
        check(r"\newcommand{\prox}{\mathrm{prox}}\prox_f", r"\prox_f");
        check(r"\newcommand{\prox}[1]{\mathrm{prox}_{#1}}\prox{tf}", r"\mathrm{prox}_{tf}");
        check(r"\newcommand{\a}{\alpha}\a{}x^\a", r"\alpha {}x^\alpha");
        check(r"\NewDocumentCommand{\a}{m m}{#2#1}\a{b}{c}", "cb");
        check(r"\NewDocumentCommand{\a}{O{\gamma} m m}{#1(#2#3)}\a{b}{c}d", "\\gamma (bc)d");
        check(r"\NewDocumentCommand{\a}{O{m} m}{#1#2}\a[x]{b}\a{c}", "xbmc");
        check(r"\renewcommand{\Comment}[1]{\hfill #1}\Comment{x}", r"\Comment{x}");
    }

    #[test]
    fn environments() {
        let text = r"\newenvironment{alg}[1]{\begin{algorithm}\caption{#1}}{\end{algorithm}}\begin{alg}{T}x\end{alg}";
        check(text, r"\begin{alg}\begin{algorithm}\caption{T}x\end{algorithm}\end{alg}");
        let found = expand("a", r"\newtheorem{m}[t]{My Algorithm}[section]", &mut |_| None);
        assert!(found.algorithms.contains("m"));
    }

    #[test]
    fn files() {
        check(r"a \input{part} \x \input part", "a inside X inside");
        check(r"\input{loop}x", "x");
        check(r"\usepackage[a]{b,own}\y{1}", "Y1");
        check(r"a\end{document}b", "a");
    }

    #[test]
    fn runaways() {
        check(r"\def\a{\a}x", "x");
        for text in
            [r"\def\a{\a\a}\a", r"\newcommand{\a}{", r"\newcommand", r"\a\def", r"\begin{", r"\def\a#1{\a{#1#1}}\a{xy}"]
        {
            expand("a.tex", text, &mut |_| None);
        }
        let found = expand("a.tex", r"\def\a{\a b}\a \newcommand{\c}{d}\c", &mut |_| None);
        assert!(found.text.as_str().ends_with('d'));
        assert_eq!(found.remarks.len(), 1);
    }
}
