//! A program as a function of Python or Julia. Oracles and operators are arguments; vectors may be anything that
//! can be added and multiplied by numbers.

use crate::operator::{Letter, OperatorPolynomial};
use crate::report::entry::EntryPrinter;
use crate::report::expression::{Names, Printer, Script, name, product};
use crate::report::show::oracle_name;
use crate::syntax::ast::OracleKind;
use crate::synthesis::model::{Name, Port};
use crate::synthesis::{Line, Program, Role, Vector};
use crate::system::Space;
use crate::system::schedule::{Motion, Schedule, scheduled};
use linnaeus_algebra::{RationalFunction, SortedSet, Variable};

/// The languages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python; NumPy arrays are vectors, and so is anything else with `+`, `-` and `*`.
    Python,
    /// Julia.
    Julia,
}

/// Writes code.
pub struct Code<'a> {
    program: &'a Program,
    language: Language,
    /// What each value is called.
    identifiers: Vec<String>,
    /// Inverses of sums of operators, which are arguments too.
    inverses: Vec<OperatorPolynomial>,
}

/// Words that either language keeps for itself, and those that the functions use; `lambda` is spelled otherwise in
/// Python.
pub const RESERVED: &[&str] = &[
    "and",
    "as",
    "assert",
    "async",
    "await",
    "begin",
    "break",
    "class",
    "const",
    "continue",
    "def",
    "del",
    "do",
    "elif",
    "else",
    "elseif",
    "end",
    "except",
    "export",
    "finally",
    "for",
    "from",
    "function",
    "global",
    "if",
    "import",
    "in",
    "is",
    "iterations",
    "k",
    "let",
    "local",
    "module",
    "nonlocal",
    "not",
    "or",
    "pass",
    "quote",
    "raise",
    "range",
    "return",
    "run",
    "state",
    "step",
    "struct",
    "try",
    "using",
    "while",
    "with",
    "yield",
    "None",
    "True",
    "False",
    "true",
    "false",
    "sqrt",
    "exp",
    "log",
    "arguments",
];

impl<'a> Code<'a> {
    /// Prepares a program.
    pub fn new(program: &'a Program, language: Language) -> Code<'a> {
        let mut code = Code { program, language, identifiers: Vec::new(), inverses: Vec::new() };
        let mut taken: SortedSet<String> = RESERVED.iter().chain(&["lambda"]).map(|w| w.to_string()).collect();
        taken.extend(code.arguments());
        let mut given: Vec<(Name, String)> = Vec::new();
        for value in &program.values {
            let constant = matches!(value.role, Role::Constant(_)).then(|| value.name.stem.clone());
            let known = constant.or_else(|| given.iter().find(|(n, _)| *n == value.name).map(|(_, i)| i.clone()));
            let identifier = known.unwrap_or_else(|| {
                let mut identifier = code.identifier(value.role, &value.name);
                while taken.contains(&identifier) {
                    identifier.push('_');
                }
                taken.insert(identifier.clone());
                given.push((value.name.clone(), identifier.clone()));
                identifier
            });
            code.identifiers.push(identifier);
        }
        program.lines.iter().for_each(|l| collect_inverses(&l.vector, &mut code.inverses));
        code
    }

    /// Names of arguments that are made of others.
    pub fn made(program: &Program) -> Vec<String> {
        let oracles = program.ports.iter().filter(|p| p.oracle.kind != OracleKind::BlackBox).map(oracle_argument);
        let code = Code { program, language: Language::Python, identifiers: Vec::new(), inverses: Vec::new() };
        let is_made = |l: &Letter| l.adjoint || l.inverse;
        let operators = code.operators().into_iter().filter(|(_, l)| is_made(l)).map(|(n, _)| n);
        let mut inverses = Vec::new();
        program.lines.iter().for_each(|l| collect_inverses(&l.vector, &mut inverses));
        oracles
            .chain(operators)
            .chain((1..=inverses.len()).map(|i| format!("inverse{i}")))
            .chain(code.zeros())
            .collect()
    }

    /// The newest value that is stored keeps its name, others say how they lie to it.
    fn identifier(&self, role: Role, n: &Name) -> String {
        let states = self.program.values.iter().filter(|v| matches!(v.role, Role::State(_)) && v.name.stem == n.stem);
        let newest = states.map(|v| v.name.offset).max();
        match (role, newest.map(|o| n.offset - o)) {
            (Role::Constant(_), _) | (_, None | Some(0)) => n.stem.clone(),
            (_, Some(1)) => format!("{}_next", n.stem),
            (_, Some(later)) if later > 1 => format!("{}_next{later}", n.stem),
            (_, Some(-1)) => format!("{}_last", n.stem),
            (_, Some(earlier)) => format!("{}_last{}", n.stem, -earlier),
        }
    }

    /// The whole text.
    pub fn text(&self, remarks: &[String]) -> String {
        let states: Vec<&str> = (0..self.program.stored()).map(|i| self.of(Role::State(i))).collect();
        let next: Vec<&str> = self.program.next.iter().map(|&id| self.identifiers[id].as_str()).collect();
        let lines =
            self.program.lines.iter().filter(
                |l| !matches!(&l.vector, Vector::Value(v) if self.identifiers[*v] == self.identifiers[l.value]),
            );
        let lines: Vec<String> =
            lines.map(|l| format!("    {} = {}", self.identifiers[l.value], self.line(l))).collect();
        let arguments = self.arguments();
        let sampled = self.is_counted();
        let mut out = self.comment(remarks);
        if self.language == Language::Python && self.parameters().iter().any(|v| self.function(*v).is_some()) {
            out += "from math import exp, log, sqrt\n\n\n";
        }
        match self.language {
            Language::Python => {
                let tuple = |v: &[&str]| match v {
                    [] => "()".to_string(),
                    [one] => format!("({one},)"),
                    all => format!("({})", all.join(", ")),
                };
                let keywords =
                    if arguments.is_empty() { String::new() } else { format!(", *, {}", arguments.join(", ")) };
                let index = if sampled { ", k" } else { "" };
                out += &format!("def step(state{index}{keywords}):\n");
                out += &format!("    \"\"\"One iteration. The state is {}.\"\"\"\n", tuple(&states));
                if !states.is_empty() {
                    out += &format!("    {} = state\n", tuple(&states));
                }
                lines.iter().for_each(|l| out += &format!("{l}\n"));
                out += &format!("    return {}\n\n\n", tuple(&next));
                out += "def run(state, iterations, **arguments):\n    \"\"\"So many iterations.\"\"\"\n";
                out += "    for k in range(iterations):\n";
                out += &format!(
                    "        state = step(state{}, **arguments)\n    return state\n",
                    if sampled { ", k" } else { "" }
                );
            }
            Language::Julia => {
                let tuple = |v: &[&str]| match v {
                    [one] => format!("({one},)"),
                    all => format!("({})", all.join(", ")),
                };
                let keywords = if arguments.is_empty() { String::new() } else { format!("; {}", arguments.join(", ")) };
                let index = if sampled { ", k" } else { "" };
                out += &format!("\"One iteration. The state is {}.\"\n", tuple(&states));
                out += &format!("function step(state{index}{keywords})\n");
                if !states.is_empty() {
                    out += &format!("    {} = state\n", tuple(&states));
                }
                lines.iter().for_each(|l| out += &format!("{l}\n"));
                out += &format!("    return {}\nend\n\n", tuple(&next));
                out += "\"So many iterations.\"\nfunction run(state, iterations; arguments...)\n";
                out += "    for k in 0:iterations-1\n";
                out += &format!(
                    "        state = step(state{}; arguments...)\n    end\n    return state\nend\n",
                    if sampled { ", k" } else { "" }
                );
            }
        }
        out
    }

    /// What the arguments are.
    fn comment(&self, remarks: &[String]) -> String {
        let system = &self.program.system;
        let own = super::plain(self.program);
        let own = own.lines().map(|l| l.trim_start_matches("# ").to_string());
        let mut lines: Vec<String> = remarks.iter().cloned().chain(own).collect();
        lines.push(String::new());
        let mut told = SortedSet::new();
        for port in &self.program.ports {
            let (argument, with_step) = (oracle_argument(port), port.oracle.kind.has_step());
            if told.insert(argument.clone()) {
                let step = if with_step { ", t" } else { "" };
                let sample = if port.sample.is_some() { ", k" } else { "" };
                let mut general = port.oracle.clone();
                if with_step {
                    let t = system.parameters.len();
                    general.step = RationalFunction::variable(crate::system::parameter(t));
                }
                let mut book = crate::system::LinearSystem::clone(system);
                book.parameters.push("t".to_string());
                let oracle = oracle_name(&general, &book, Script::Plain);
                let drawn = if sample.is_empty() { "" } else { " with the sample of iteration k" };
                lines.push(format!("{argument}(v{step}{sample}) returns {oracle}(v){drawn}"));
            }
        }
        for (argument, letter) in self.operators() {
            let word = EntryPrinter { system, script: Script::Plain }.word(&[letter]);
            lines.push(format!("{argument}(v) returns {word}*v"));
        }
        for (i, p) in self.inverses.iter().enumerate() {
            let printer = EntryPrinter { system, script: Script::Plain };
            lines.push(format!("inverse{}(v) returns inv({})*v", i + 1, printer.operators(p)));
        }
        for (i, space) in strange_zeros(self.program).into_iter().enumerate() {
            lines.push(format!(
                "{} is the zero vector of {}",
                zero_argument(i),
                system.space_names.of(&system.spaces, space)
            ));
        }
        for (name, argument) in self.sequences() {
            lines.push(format!("{argument}(j) returns {name}[j]"));
        }
        lines.iter().map(|l| format!("# {l}").trim_end().to_string() + "\n").collect::<String>() + "\n"
    }

    /// The names of all arguments: oracles, operators, constants, parameters.
    pub fn arguments(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut add = |n: String| {
            if !found.contains(&n) {
                found.push(n);
            }
        };
        self.program.ports.iter().for_each(|p| add(oracle_argument(p)));
        self.operators().into_iter().for_each(|(n, _)| add(n));
        let mut inverses = Vec::new();
        self.program.lines.iter().for_each(|l| collect_inverses(&l.vector, &mut inverses));
        (1..=inverses.len()).for_each(|i| add(format!("inverse{i}")));
        self.zeros().into_iter().for_each(&mut add);
        self.program.constants.iter().for_each(|c| add(c.name.clone()));
        self.parameters().into_iter().filter_map(|v| self.argument(v)).for_each(add);
        found
    }

    /// Whether operators are among the arguments.
    pub fn has_operators(&self) -> bool {
        !self.operators().is_empty() || !self.inverses.is_empty()
    }

    /// Arguments that are zero vectors.
    pub fn zeros(&self) -> Vec<String> {
        (0..strange_zeros(self.program).len()).map(zero_argument).collect()
    }

    /// Whether an iteration needs its number.
    pub fn is_counted(&self) -> bool {
        let varies = self.parameters().into_iter().any(|v| scheduled(v).is_some());
        varies || self.program.ports.iter().any(|p| p.sample.is_some())
    }

    /// Sequences of numbers that are arguments, as the user and as the program call them.
    fn sequences(&self) -> SortedSet<(String, String)> {
        let own = |v: Variable| Some((self.schedule(v)?.0.name.clone(), self.argument(v)?));
        self.parameters().into_iter().filter_map(own).collect()
    }

    fn operators(&self) -> Vec<(String, Letter)> {
        let mut letters = SortedSet::new();
        self.program.lines.iter().for_each(|l| collect_letters(&l.vector, &mut letters));
        let argument = |l: &Letter| {
            let adjoint = if l.adjoint { "_adjoint" } else { "" };
            let inverse = if l.inverse { "_inverse" } else { "" };
            format!("{}{adjoint}{inverse}", self.program.system.operators[l.operator as usize].name)
        };
        letters.iter().map(|l| (argument(l), *l)).collect()
    }

    fn parameters(&self) -> SortedSet<Variable> {
        let mut found = SortedSet::new();
        for port in self.program.ports.iter().filter(|p| p.oracle.kind.has_step()) {
            found.extend(port.oracle.step.variables());
        }
        self.program.lines.iter().for_each(|l| collect_parameters(&l.vector, &mut found));
        let mut open: Vec<Variable> = found.iter().copied().collect();
        while let Some(v) = open.pop() {
            let inner = self.function(v).map(|(_, argument)| argument).or_else(|| self.base(v));
            let inner = inner.iter().flat_map(RationalFunction::variables);
            open.extend(inner.filter(|w| found.insert(*w)).collect::<Vec<_>>());
        }
        found
    }

    /// The sequence that a symbol is a value of, and at what offset from the index.
    fn schedule(&self, v: Variable) -> Option<(&Schedule, i64)> {
        let (j, offset) = scheduled(v)?;
        Some((self.program.system.schedules.list.get(j)?, offset))
    }

    /// `sqrt`, `exp` or `log` and its argument, where a symbol stands for that.
    fn function(&self, v: Variable) -> Option<(&'static str, RationalFunction)> {
        EntryPrinter { system: &self.program.system, script: Script::Plain }.function(v)
    }

    /// b where a symbol stands for bᵏ.
    fn base(&self, v: Variable) -> Option<RationalFunction> {
        match &self.schedule(v)?.0.motion {
            Motion::Power(base) => Some(base.clone()),
            _ => None,
        }
    }

    /// The argument that a symbol is read from; nothing where it is computed.
    fn argument(&self, v: Variable) -> Option<String> {
        match self.schedule(v) {
            _ if self.function(v).is_some() => None,
            None => Some(self.parameter(v)),
            Some((Schedule { name, motion: Motion::Free | Motion::Recursion(_), .. }, _)) => Some(self.word(name)),
            Some(_) => None,
        }
    }

    /// A number that has a symbol.
    fn parameter(&self, v: Variable) -> String {
        if let Some((function, argument)) = self.function(v) {
            return format!("{function}({})", self.number(&argument));
        }
        let power = if self.language == Language::Python { "**" } else { "^" };
        match self.schedule(v) {
            None => self.word(self.program.system.parameters.get(v.0 as usize).map_or("", String::as_str)),
            Some((Schedule { motion: Motion::Clock, .. }, _)) => "k".to_string(),
            Some((Schedule { motion: Motion::Power(base), .. }, _)) => format!("(({}){power}k)", self.number(base)),
            Some((Schedule { name, .. }, offset)) => format!("{}({})", self.word(name), counted(offset)),
        }
    }

    /// A word of the user's that the language allows.
    fn word(&self, own: &str) -> String {
        let clean: String = own.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        match self.language {
            Language::Python => name(Script::Sympy, &clean),
            Language::Julia => clean,
        }
    }

    fn of(&self, role: Role) -> &str {
        &self.identifiers[self.program.value(role)]
    }

    fn printer<'n>(&self, names: Names<'n>) -> Printer<'n> {
        let script = if self.language == Language::Python { Script::Sympy } else { Script::Plain };
        Printer { script, names }
    }

    /// A number that stands alone.
    fn number(&self, c: &RationalFunction) -> String {
        // The names are ready as they are.
        let names: Names = &|v| format!("{}{}", crate::report::expression::RAW, self.parameter(v));
        self.printer(names).rational(c)
    }

    fn line(&self, line: &Line) -> String {
        self.vector(&line.vector, self.program.values[line.value].space, false)
    }

    /// A vector of a space, in parentheses if it is a sum and must hold together.
    fn vector(&self, v: &Vector, space: Space, tight: bool) -> String {
        let (text, is_sum) = match v {
            Vector::Value(id) => (self.identifiers[*id].clone(), false),
            Vector::Sum(terms) if terms.is_empty() => (format!("0*{}", self.some_vector(space)), false),
            Vector::Sum(terms) => {
                let texts = terms.iter().map(|(minus, v)| (*minus, self.vector(v, space, true))).collect();
                (crate::report::expression::sum(texts), true)
            }
            Vector::Scale(c, v) => (self.scaled(c, v, space), false),
            Vector::Apply(letter, v) => {
                let operators = self.operators();
                let argument = operators.iter().find(|(_, l)| l == letter).map_or("", |(n, _)| n);
                (format!("{argument}({})", self.vector(v, source(self.program, *letter), false)), false)
            }
            Vector::Solve(p, v) => {
                let place = self.inverses.iter().position(|q| q == p).unwrap_or(0);
                (format!("inverse{}({})", place + 1, self.vector(v, space, false)), false)
            }
            Vector::Call(port, v) => (self.call(&self.program.ports[*port], v), false),
        };
        if is_sum && tight { format!("({text})") } else { text }
    }

    /// What zero is a multiple of: a vector of the space that is there from the beginning, or an argument for that.
    fn some_vector(&self, space: Space) -> String {
        match given_vector(self.program, space) {
            Some(id) => self.identifiers[id].clone(),
            None => {
                let place = strange_zeros(self.program).iter().position(|s| self.same(*s, space));
                zero_argument(place.unwrap_or(0))
            }
        }
    }

    fn same(&self, a: Space, b: Space) -> bool {
        self.program.system.spaces.same(a, b)
    }

    /// Multiplied by the numerator and divided by the denominator, so that numbers of any exact kind stay exact.
    fn scaled(&self, c: &RationalFunction, v: &Vector, space: Space) -> String {
        let names: Names = &|v| format!("{}{}", crate::report::expression::RAW, self.parameter(v));
        let printer = self.printer(names);
        let (above, below) = (product(c.numerator()), product(c.denominator()));
        let mut factors = printer.factors(&above);
        factors.push(self.vector(v, space, true));
        let sign = if above.negative != below.negative { "-" } else { "" };
        let below = printer.factors(&below);
        let numerator = format!("{sign}{}", factors.join("*"));
        match below.as_slice() {
            [] => numerator,
            [one] => format!("{numerator}/{one}"),
            many => format!("{numerator}/({})", many.join("*")),
        }
    }

    fn call(&self, port: &Port, argument: &Vector) -> String {
        let mut arguments = vec![self.vector(argument, port.input, false)];
        if port.oracle.kind.has_step() {
            arguments.push(self.number(&port.oracle.step));
        }
        if let Some(sample) = &port.sample {
            arguments.push(counted(i64::from(sample.offset.unwrap_or(0))));
        }
        format!("{}({})", oracle_argument(port), arguments.join(", "))
    }
}

/// The number of the iteration so many later.
fn counted(offset: i64) -> String {
    match offset {
        0 => "k".to_string(),
        o => format!("k {} {}", if o > 0 { '+' } else { '-' }, o.abs()),
    }
}

/// `prox_f`, `prox_g_conjugate`, `grad_f`, `proj_C`.
pub fn oracle_argument(port: &Port) -> String {
    use OracleKind::*;
    let function = &port.oracle.function;
    let star = if port.oracle.conjugate { "_conjugate" } else { "" };
    let word = match port.oracle.kind {
        Gradient => "grad_",
        Subdifferential => "subgrad_",
        Prox => "prox_",
        Projection => "proj_",
        Resolvent => "resolvent_",
        Reflected => "reflect_",
        MoreauGradient => "grad_env_",
        Argmin => "argmin_",
        BlackBox => "",
    };
    format!("{word}{function}{star}")
}

/// The space that an operator, or its adjoint or inverse, takes its argument from.
fn source(program: &Program, letter: Letter) -> Space {
    let o = &program.system.operators[letter.operator as usize];
    if letter.adjoint == letter.inverse { o.domain } else { o.codomain }
}

/// A state or a constant of a space.
fn given_vector(program: &Program, space: Space) -> Option<usize> {
    let given = |role: Role| matches!(role, Role::State(_) | Role::Constant(_));
    program.values.iter().position(|v| given(v.role) && program.system.spaces.same(v.space, space))
}

/// The spaces whose zero is needed and in which no state and no constant lives.
fn strange_zeros(program: &Program) -> Vec<Space> {
    fn collect(v: &Vector, space: Space, program: &Program, found: &mut Vec<Space>) {
        match v {
            Vector::Value(_) => {}
            Vector::Sum(terms) if terms.is_empty() => {
                let is_known = found.iter().any(|s| program.system.spaces.same(*s, space));
                if !is_known && given_vector(program, space).is_none() {
                    found.push(space);
                }
            }
            Vector::Sum(terms) => terms.iter().for_each(|(_, v)| collect(v, space, program, found)),
            Vector::Scale(_, v) | Vector::Solve(_, v) => collect(v, space, program, found),
            Vector::Apply(letter, v) => collect(v, source(program, *letter), program, found),
            Vector::Call(port, v) => collect(v, program.ports[*port].input, program, found),
        }
    }
    let mut found = Vec::new();
    program.lines.iter().for_each(|l| collect(&l.vector, program.values[l.value].space, program, &mut found));
    found
}

/// `zero`, `zero2`, ….
fn zero_argument(place: usize) -> String {
    if place == 0 { "zero".to_string() } else { format!("zero{}", place + 1) }
}

fn collect_inverses(v: &Vector, found: &mut Vec<OperatorPolynomial>) {
    v.walk(&mut |v| {
        if let Vector::Solve(p, _) = v
            && !found.contains(p)
        {
            found.push(p.clone());
        }
    });
}

fn collect_letters(v: &Vector, found: &mut SortedSet<Letter>) {
    v.walk(&mut |v| {
        if let Vector::Apply(letter, _) = v {
            found.insert(*letter);
        }
    });
}

fn collect_parameters(v: &Vector, found: &mut SortedSet<Variable>) {
    v.walk(&mut |v| {
        if let Vector::Scale(c, _) = v {
            found.extend(c.variables());
        }
    });
}
