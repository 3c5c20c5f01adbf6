//! A program as equations, in the plain notation, with Unicode or in LaTeX. All three are meant to be read back.

use crate::operator::{Letter, OperatorPolynomial};
use crate::report::declare;
use crate::report::entry::EntryPrinter;
use crate::report::expression::{Script, gap, name, with_index};
use crate::report::show::oracle_name;
use crate::syntax::ast::OracleKind;
use crate::syntax::names::is_reserved;
use crate::syntax::read_back;
use crate::synthesis::model::{Name, Sampled};
use crate::synthesis::{Line, Program, Role, Vector};
use crate::system::LinearSystem;
use crate::system::schedule::{Motion, Schedule};
use linnaeus_algebra::{RationalFunction, SortedMap, SortedSet};

/// How equations are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Style {
    /// `x[k+1] = x[k] - alpha*grad f(x[k])`
    Plain,
    /// `x[k+1] = x[k] - α·∇f(x[k])`
    Unicode,
    /// `x_{k+1} = x_{k} - \alpha \nabla f\left(x_{k}\right)`
    Latex,
}

/// Writes equations.
pub struct Notation<'a> {
    /// What is written.
    program: &'a Program,
    style: Style,
    /// The program's names in the style's letters.
    system: LinearSystem,
    /// Names that are spelled otherwise.
    renamed: SortedMap<String, String>,
}

/// How tightly a piece of text holds together.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Sum,
    Product,
}

impl<'a> Notation<'a> {
    /// Writes a program in a style.
    pub fn new(program: &'a Program, style: Style) -> Notation<'a> {
        let mut system = LinearSystem::clone(&program.system);
        if style == Style::Unicode {
            system.parameters.iter_mut().for_each(|p| *p = name(Script::Unicode, p));
            system.schedules.list.iter_mut().for_each(|s| s.name = name(Script::Unicode, &s.name));
            system.operators.iter_mut().for_each(|o| o.name = name(Script::Unicode, &o.name));
        }
        let renamed = if style == Style::Latex { spelled(program) } else { SortedMap::new() };
        let own = |n: &mut String| {
            if let Some(new) = renamed.get(n) {
                n.clone_from(new);
            }
        };
        if style == Style::Latex {
            system.letter = letter(program);
        }
        system.parameters.iter_mut().for_each(own);
        system.schedules.list.iter_mut().for_each(|s| own(&mut s.name));
        system.operators.iter_mut().for_each(|o| own(&mut o.name));
        Notation { program, style, system, renamed }
    }

    /// The letter that counts.
    pub fn letter(&self) -> String {
        self.letters(&self.system.letter)
    }

    /// A name as the style spells it.
    pub fn own<'b>(&'b self, word: &'b str) -> &'b str {
        self.renamed.get(word).map_or(word, String::as_str)
    }

    /// The script of formulas.
    fn script(&self) -> Script {
        if self.style == Style::Latex { Script::Latex } else { Script::Plain }
    }

    /// A name in the letters of the style.
    fn letters(&self, word: &str) -> String {
        match self.style {
            Style::Plain => word.to_string(),
            Style::Unicode => name(Script::Unicode, word),
            Style::Latex => name(Script::Latex, self.own(word)),
        }
    }

    /// The lines without declarations, left and right sides apart; sequences of numbers first.
    pub fn equations(&self) -> Vec<(String, String)> {
        let recursion = |s: &Schedule| match &s.motion {
            Motion::Recursion(value) => {
                let left = self.name(&Name { stem: s.name.clone(), offset: 1 });
                Some((left, self.printer().scalar(value)))
            }
            _ => None,
        };
        let sequences = self.system.schedules.list.iter().filter_map(recursion);
        sequences.chain(self.program.lines.iter().map(|l| (self.value(l.value), self.side(l)))).collect()
    }

    fn side(&self, line: &Line) -> String {
        self.vector(&line.vector).0
    }

    /// What must be declared for the lines to be read as they are meant.
    pub fn declarations(&self) -> Vec<String> {
        let system = &self.system;
        let space = |s| system.space_names.of(&system.spaces, s);
        let used = self.used_operators();
        let mut lines = declare::operators(system, &used);
        let mut declared: SortedSet<&str> = SortedSet::new();
        for port in &self.program.ports {
            let function = port.oracle.function.as_str();
            if !declared.insert(function) {
                continue;
            }
            let mut oracle = port.oracle.clone();
            oracle.function = self.own(function).to_string();
            lines.extend(declare::black_box(system, &oracle, port.input, port.output, !used.is_empty()));
            if let Some(traits) = system.traits.get(function).filter(|t| !t.is_empty()) {
                let words = traits.iter().map(|t| format!(" {}", t.word()));
                lines.push(format!("function {}{}", self.own(function), words.collect::<String>()));
            }
        }
        for constant in &self.program.constants {
            let spaces = if used.is_empty() { String::new() } else { format!(": {}", space(constant.space)) };
            lines.push(format!("constant {}{spaces}", self.own(&constant.name)));
        }
        lines.extend(declare::capitals(self.used_parameters().iter()));
        if system.letter != "k" {
            lines.push(format!("index {}", system.letter));
        }
        lines
    }

    fn used_operators(&self) -> Vec<usize> {
        let mut used = SortedSet::new();
        self.each(&mut |v| match v {
            Vector::Apply(letter, _) => {
                used.insert(letter.operator as usize);
            }
            Vector::Solve(p, _) => {
                used.extend(p.terms().into_iter().flat_map(|(w, _)| w.iter().map(|l| l.operator as usize)));
            }
            _ => {}
        });
        used.into_iter().collect()
    }

    fn used_parameters(&self) -> Vec<String> {
        let mut used = SortedSet::new();
        let mut add = |r: &RationalFunction| used.extend(r.variables());
        self.program.ports.iter().filter(|p| p.oracle.kind.has_step()).for_each(|p| add(&p.oracle.step));
        self.each(&mut |v| match v {
            Vector::Scale(c, _) => add(c),
            Vector::Solve(p, _) => p.terms().into_iter().for_each(|(_, c)| add(c)),
            _ => {}
        });
        let parameters = &self.system.parameters;
        used.into_iter().filter_map(|v| parameters.get(v.0 as usize).cloned()).collect()
    }

    fn each(&self, visit: &mut dyn FnMut(&Vector)) {
        self.program.lines.iter().for_each(|l| l.vector.walk(visit));
    }

    fn printer(&self) -> EntryPrinter<'_> {
        EntryPrinter { system: &self.system, script: self.script() }
    }

    /// `x[k+1]`, or `b` for a constant.
    fn value(&self, id: usize) -> String {
        let value = &self.program.values[id];
        match value.role {
            Role::Constant(_) => self.letters(&value.name.stem),
            _ => self.name(&value.name),
        }
    }

    fn name(&self, n: &Name) -> String {
        let stem = self.letters(&n.stem);
        let index = self.index(n.offset);
        match self.style {
            Style::Latex => with_index(&stem, &index),
            _ => format!("{stem}[{index}]"),
        }
    }

    fn index(&self, offset: i32) -> String {
        let letter = self.letters(&self.system.letter);
        if offset == 0 { letter } else { format!("{letter}{offset:+}") }
    }

    fn vector(&self, v: &Vector) -> (String, Tightness) {
        match v {
            Vector::Value(id) => (self.value(*id), Tightness::Product),
            Vector::Sum(terms) if terms.is_empty() => ("0".to_string(), Tightness::Product),
            Vector::Sum(terms) => (self.sum(terms), Tightness::Sum),
            Vector::Scale(c, v) => (self.times(self.factor(c), &self.tight(v)), Tightness::Product),
            Vector::Apply(letter, v) => (self.applied(*letter, v), Tightness::Product),
            Vector::Solve(p, v) => (self.solved(p, v), Tightness::Product),
            Vector::Call(port, v) => (self.call(*port, v), Tightness::Product),
        }
    }

    fn sum(&self, terms: &[(bool, Vector)]) -> String {
        let text = |(minus, v): &(bool, Vector)| (*minus, self.tight(v));
        crate::report::expression::sum(terms.iter().map(text).collect())
    }

    fn tight(&self, v: &Vector) -> String {
        let (text, tightness) = self.vector(v);
        if tightness == Tightness::Sum { self.parenthesized(&text) } else { text }
    }

    fn parenthesized(&self, text: &str) -> String {
        if self.style == Style::Latex { format!("\\left({text}\\right)") } else { format!("({text})") }
    }

    fn times(&self, left: String, right: &str) -> String {
        let sign = match self.style {
            Style::Latex => gap(&left, right),
            Style::Unicode => "·",
            Style::Plain => "*",
        };
        left + sign + right
    }

    /// The number before a vector.
    fn factor(&self, c: &RationalFunction) -> String {
        let text = self.printer().scalar(c);
        if is_sum(&text) { self.parenthesized(&text) } else { text }
    }

    fn applied(&self, letter: Letter, v: &Vector) -> String {
        self.times(self.printer().word(&[letter]), &self.tight(v))
    }

    fn solved(&self, p: &OperatorPolynomial, v: &Vector) -> String {
        let inner = self.polynomial(p);
        let inverse = match self.style {
            Style::Latex => format!("\\left({inner}\\right)^{{-1}}"),
            _ => format!("inv({inner})"),
        };
        self.times(inverse, &self.tight(v))
    }

    /// A sum of operators, the identity written out.
    fn polynomial(&self, p: &OperatorPolynomial) -> String {
        let terms = p.terms().into_iter().map(|(word, c)| {
            let minus = c.numerator().leading_coefficient() < 0.into();
            let size = if minus { c.neg() } else { c.clone() };
            let letters: Vec<String> = word.iter().map(|l| self.printer().word(&[*l])).collect();
            let product = letters.into_iter().reduce(|left, right| self.times(left, &right));
            let operator = product.unwrap_or_else(|| "I".to_string());
            let operator = if size.is_one() { operator } else { self.times(self.factor(&size), &operator) };
            (minus, operator)
        });
        crate::report::expression::sum(terms.collect())
    }

    fn call(&self, port: usize, argument: &Vector) -> String {
        let port = &self.program.ports[port];
        let (text, _) = self.vector(argument);
        let mut oracle = port.oracle.clone();
        oracle.function = self.own(&oracle.function).to_string();
        if port.sample.as_ref().is_some_and(|s| s.name.is_empty()) {
            // `grad f_k`: the oracle itself carries the index.
            oracle.function = format!("{}_{}", oracle.function, self.system.letter);
        }
        if self.style == Style::Unicode {
            oracle.function = self.letters(&oracle.function);
        }
        let mut called = oracle_name(&oracle, &self.system, self.script());
        if self.style == Style::Unicode {
            let symbols = [("grad ", "∇"), ("subgrad ", "∂")];
            let found =
                symbols.iter().find_map(|(word, symbol)| Some(format!("{symbol}{}", called.strip_prefix(word)?)));
            called = found.unwrap_or(called);
        }
        let sample = match &port.sample {
            Some(Sampled { name: n, offset: Some(offset) }) if !n.is_empty() => {
                format!("; {}", self.name(&Name { stem: n.clone(), offset: *offset }))
            }
            Some(Sampled { name: n, offset: None }) if !n.is_empty() => format!("; {}", self.letters(n)),
            _ => String::new(),
        };
        match self.style {
            Style::Latex => format!("{called}\\left({text}{sample}\\right)"),
            _ => format!("{called}({text}{sample})"),
        }
    }
}

/// The letter that counts; where it is a word a letter that is free, since papers count by letters.
fn letter(program: &Program) -> String {
    let own = &program.system.letter;
    let system = &program.system;
    let taken = |l: &str| {
        program.values.iter().any(|v| v.name.stem == l)
            || program.ports.iter().any(|p| p.oracle.function == l || p.sample.as_ref().is_some_and(|s| s.name == l))
            || system.parameters.iter().any(|p| p == l)
            || system.schedules.list.iter().any(|s| s.name == l)
    };
    let free = ["k", "n", "t", "j", "m", "i"].into_iter().find(|l| !taken(l));
    match free {
        Some(free) if own.chars().count() > 1 => free.to_string(),
        _ => own.clone(),
    }
}

/// Names as they are read back when they have been typeset, no two alike.
fn spelled(program: &Program) -> SortedMap<String, String> {
    let system = &program.system;
    let stems = program.values.iter().map(|v| &v.name.stem);
    let functions = program.ports.iter().map(|p| &p.oracle.function);
    let operators = system.operators.iter().map(|o| &o.name);
    let numbers = system.parameters.iter().chain(system.schedules.list.iter().map(|s| &s.name));
    let mut found: SortedMap<String, String> = SortedMap::new();
    let is_word = |n: &&String| !n.is_empty() && n.chars().all(|c| c.is_alphanumeric() || c == '_');
    for own in numbers.chain(operators).chain(stems).chain(functions).filter(is_word) {
        if found.contains_key(own) {
            continue;
        }
        // `\log_{x}` would be a logarithm.
        let mut new = match own.split_once('_') {
            Some(("norm", _)) if only_below(program, own) => own.clone(),
            Some((function, rest)) if is_reserved(function) => format!("{function}{rest}"),
            _ => read_back(own),
        };
        while found.values().any(|taken| *taken == new) {
            new.push_str(if new.contains('_') { "b" } else { "_b" });
        }
        found.insert(own.clone(), new);
    }
    found
}

/// Whether a name is a function's that stands below `prox` wherever it stands.
fn only_below(program: &Program, own: &str) -> bool {
    let mut of_it = program.ports.iter().filter(|p| p.oracle.function == own).peekable();
    of_it.peek().is_some() && of_it.all(|p| p.oracle.kind == OracleKind::Prox)
}

/// Whether a sign stands outside all parentheses.
fn is_sum(text: &str) -> bool {
    let mut depth = 0;
    text.chars().enumerate().any(|(i, c)| {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && (c == '+' || c == '-') && (i == 0 || text[..].chars().nth(i - 1) == Some(' '))
    })
}
