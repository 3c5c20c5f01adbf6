//! What names stand for while a program is read: objects, which names may share, and definitions.

use super::choice::Facts;
use super::tree::{Function, Term};
use super::{Language, Outcome};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::syntax::ast::{Expression, Guess, Node, Operation, Role};
use linnaeus_algebra::{SortedMap, SortedSet};
use std::rc::Rc;

/// More expressions than this, functions written out, are not read.
pub const MAX_WORK: usize = 20_000;

/// Where a name is read that the iteration has not assigned yet: last iteration's value.
pub const START: char = '@';
/// The value of a definition.
pub const DEFINED: char = '#';
/// An entry of a history, `x[k+1]`: the offset, `]`, the name.
pub const ENTRY: char = '[';

/// What an object is.
#[derive(Clone, Debug)]
pub enum Value {
    /// An expression in names, definitions and last values.
    Known(Expression),
    /// Several objects.
    Tuple(Vec<usize>),
    /// A function without a name.
    Function(Rc<(Vec<String>, Term)>),
    /// Nothing that can be used, and why.
    Unreadable(Box<Diagnostic>),
}

/// One assignment.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The statement.
    pub span: Span,
    /// The name that is assigned, or the name of the history and its offset.
    pub own: String,
    /// `Some(offset)` for an entry of a history.
    pub entry: Option<i64>,
    /// Its value.
    pub value: Result<Expression, Box<Diagnostic>>,
}

/// The state of reading.
pub struct Machine<'a> {
    /// The language.
    pub language: Language,
    /// The text.
    pub source: &'a Source,
    /// Functions that the text defines.
    pub functions: &'a SortedMap<String, Function>,
    /// Names that the iteration assigns.
    pub assigned: SortedSet<String>,
    /// Names that were given a value before the loop: what it is, where it is usable.
    pub constants: SortedMap<String, Result<Expression, Box<Diagnostic>>>,
    /// The variable that counts.
    pub letter: Option<String>,
    /// How often it was raised in this pass.
    pub clock: i64,
    /// Objects.
    pub objects: Vec<Value>,
    /// Names and the objects they stand for, functions innermost.
    pub scopes: Vec<SortedMap<String, usize>>,
    /// Assignments.
    pub definitions: Vec<Definition>,
    /// Names that were read before they were assigned, in order.
    pub started: Vec<String>,
    /// The parts of a last value that was taken apart.
    pub parts: SortedMap<String, Vec<String>>,
    /// Objects that were overwritten through another name: the name and the place.
    pub overwritten: SortedMap<usize, (String, Span)>,
    /// How many entries were added to a list in this pass.
    pub appended: SortedMap<String, i64>,
    /// Values when gradients were computed.
    pub snapshot: SortedMap<String, Expression>,
    /// Oracles that nothing but a call introduces, with their place.
    pub boxes: SortedMap<String, Span>,
    /// What oracles were given besides the point.
    pub given: SortedMap<String, (Span, String)>,
    /// Functions that a comment explains: their arguments and what they return.
    pub explained: &'a SortedMap<String, (Vec<String>, Expression)>,
    /// Names that multiply as matrices do.
    pub matrices: SortedMap<String, Span>,
    /// What is known of names that tests ask for.
    pub facts: &'a Facts,
    /// Names that are one array, and meant to be.
    pub pairs: &'a [(String, String)],
    /// What was found out.
    pub outcome: Outcome,
    /// Expressions read so far.
    pub work: usize,
    /// The statement that is being read.
    pub line: Span,
    /// The name that it lets stand for something else.
    pub binds: Option<String>,
    /// What the text returns, if it is one function.
    pub returned: Option<Value>,
    /// Whether the rest of this pass is left out.
    pub left: bool,
}

impl Machine<'_> {
    /// A new object.
    pub fn add(&mut self, value: Value) -> usize {
        self.objects.push(value);
        self.objects.len() - 1
    }

    /// The object that a name stands for.
    pub fn lookup(&mut self, name: &str, span: Span) -> Option<usize> {
        let found = self.scopes.iter().rev().find_map(|s| s.get(name).copied());
        let object = match found {
            Some(object) => object,
            None if self.assigned.contains(name) => {
                let value = Value::Known(Expression::new(span, Node::Name(format!("{START}{name}"))));
                let object = self.add(value);
                self.scopes[0].insert(name.to_string(), object);
                object
            }
            None => return None,
        };
        if let Value::Known(Expression { node: Node::Name(n), .. }) = &self.objects[object]
            && n.starts_with(START)
            && !self.started.contains(&name.to_string())
            && self.assigned.contains(name)
        {
            self.started.push(name.to_string());
        }
        self.warn_of_alias(object, name, span);
        Some(object)
    }

    /// Says that a name changed because another one was overwritten.
    fn warn_of_alias(&mut self, object: usize, name: &str, span: Span) {
        let Some((other, place)) = self.overwritten.get(&object).filter(|(other, _)| other != name).cloned() else {
            return;
        };
        let same = |a: &str, b: &str| self.pairs.iter().any(|(own, list)| own == a && list == b);
        // `buf = state["v"]` takes up again what `buf` overwrote.
        if same(name, &other) || same(&other, name) || self.binds.as_ref() == Some(&other) {
            return;
        }
        let copy = match self.language {
            Language::Python => format!("{name} = {other}.copy()"),
            _ => format!("{name} = copy({other})"),
        };
        let message = format!("`{name}` and `{other}` are one array here: what overwrites `{other}` changes `{name}`");
        let told = Diagnostic::warning(Code::Reading, span, message)
            .label(place, format!("`{other}` is overwritten here"))
            .help(format!("write `{copy}` to keep the old value"));
        if self.outcome.diagnostics.iter().all(|d| d.message != told.message) {
            self.outcome.diagnostics.push(told);
        }
    }

    /// What an object is worth.
    pub fn value(&self, object: usize) -> Value {
        self.objects[object].clone()
    }

    /// A definition, and what it stands for.
    pub fn define(&mut self, own: &str, entry: Option<i64>, span: Span, value: Expression) -> Expression {
        let place = value.span;
        let is_name = matches!(&value.node, Node::Name(_));
        let is_number = matches!(&value.node, Node::Number(_));
        if (is_name || is_number) && entry.is_none() {
            return value;
        }
        self.definitions.push(Definition { span, own: own.to_string(), entry, value: Ok(value) });
        Expression::new(place, Node::Name(format!("{DEFINED}{}", self.definitions.len() - 1)))
    }

    /// Lets a name stand for an object.
    pub fn bind(&mut self, name: &str, object: usize) {
        self.scopes.last_mut().expect("there is a scope").insert(name.to_string(), object);
    }

    /// Overwrites what a name stands for, whoever else stands for it.
    pub fn overwrite(&mut self, name: &str, value: Value, span: Span) {
        match self.lookup_quietly(name) {
            Some(object) => {
                self.objects[object] = value;
                self.overwritten.insert(object, (name.to_string(), span));
            }
            None => {
                let object = self.add(value);
                self.bind(name, object);
            }
        }
    }

    fn lookup_quietly(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|s| s.get(name).copied())
    }

    /// Tells what a line is for.
    pub fn tell(&mut self, span: Span, role: Role, reason: &'static str) {
        self.outcome.aside.push((span, role, reason));
    }

    /// Lists a decision, once.
    pub fn guess(&mut self, name: &str, taken_as: String, declaration: String) {
        if self.outcome.guesses.iter().all(|g| g.name != name) {
            self.outcome.guesses.push(Guess { name: name.to_string(), taken_as, declaration });
        }
    }

    /// Counts work.
    pub fn spend(&mut self, span: Span) -> Result<(), Box<Diagnostic>> {
        self.work += 1;
        if self.work > MAX_WORK {
            let message = format!("with its functions written out the text has more than {MAX_WORK} expressions");
            let found = Diagnostic::error(Code::LimitLines, span, message);
            return Err(Box::new(found.help("give the loop alone")));
        }
        Ok(())
    }

    /// Whether a value is certainly a number.
    pub fn is_number(&self, e: &Expression) -> bool {
        kind(e, &|n| self.kind_of(n, 12)) == Kind::Number
    }

    /// Whether a value holds an iterate.
    pub fn moves(&self, e: &Expression) -> bool {
        let mut found = false;
        e.walk(&mut |e| {
            if let Node::Name(n) = &e.node {
                found |= n.starts_with([START, DEFINED, ENTRY]);
            }
            found |= matches!(e.node, Node::Call(_) | Node::Minimize(_));
        });
        found
    }

    /// What a name of the reader's is.
    pub fn kind_of(&self, name: &str, depth: usize) -> Kind {
        if depth == 0 {
            return Kind::Open;
        }
        if let Some(n) = name.strip_prefix(DEFINED).and_then(|n| n.parse::<usize>().ok()) {
            return match &self.definitions[n].value {
                Ok(e) => kind(e, &|n| self.kind_of(n, depth - 1)),
                Err(_) => Kind::Open,
            };
        }
        if let Some(n) = name.strip_prefix(START) {
            return match self.constants.get(n) {
                Some(Ok(e)) if !matches!(&e.node, Node::Number(v) if v.is_zero()) => match kind(e, &|_| Kind::Open) {
                    Kind::Number => Kind::Number,
                    _ => Kind::Open,
                },
                _ => Kind::Open,
            };
        }
        if Some(name) == self.letter.as_deref() {
            return Kind::Number;
        }
        match self.constants.get(name) {
            Some(Ok(e)) => kind(e, &|n| self.kind_of(n, depth - 1)),
            _ => Kind::Open,
        }
    }
}

/// What can be said of a value before names are judged.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A vector.
    Vector,
    /// Either.
    Open,
}

/// What an expression is.
pub fn kind(e: &Expression, name: &dyn Fn(&str) -> Kind) -> Kind {
    use Kind::*;
    match &e.node {
        Node::Number(_) | Node::Value(..) | Node::Norm(..) | Node::Inner(..) => Number,
        Node::Call(_) | Node::Minimize(_) => Vector,
        Node::Name(n) => name(n),
        Node::Minus(a) | Node::Power(a, _) | Node::Elementary(_, a) => kind(a, name),
        Node::Binary(Operation::Multiply, a, b) => match (kind(a, name), kind(b, name)) {
            (Vector, _) | (_, Vector) => Vector,
            (Number, Number) => Number,
            _ => Open,
        },
        Node::Binary(Operation::Divide, a, b) => match (kind(a, name), kind(b, name)) {
            (Number, Number) => Number,
            (Vector, _) => Vector,
            _ => Open,
        },
        Node::Binary(_, a, b) => match (kind(a, name), kind(b, name)) {
            (Vector, _) | (_, Vector) => Vector,
            (Number, _) | (_, Number) => Number,
            _ => Open,
        },
        _ => Open,
    }
}
