//! One iteration as lines: oracle calls in an order in which they can be made, then the new state.

use super::desk::{Desk, Effort, Step, desk};
use super::model::{Model, Name, Port};
use super::naming::{Claims, Names, assign};
use super::typed::Gain;
use super::vector::{Cost, Vector};
use crate::operator::OperatorPolynomial;
use crate::system::{Constant, LinearSystem, Space};
use crate::transfer::{Explicitness, explicitness};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap};
use std::rc::Rc;

/// What a vector in a program is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A component of the state.
    State(usize),
    /// A constant vector.
    Constant(usize),
    /// What a port answers.
    Answer(usize),
    /// What a port is asked.
    Query(usize),
    /// A component of the next state.
    Next(usize),
    /// A vector that is computed for the sake of several others.
    Step(usize),
    /// A component of the state between two of several iterations that are taken as one.
    Inner(usize),
}

/// A vector in a program; constants have an offset too, which means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub role: Role,
    /// What it is called.
    pub name: Name,
    /// Where it lives.
    pub space: Space,
}

/// A line `value = vector`; calls are vectors too.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The value that it defines.
    pub value: usize,
    /// How.
    pub vector: Vector,
}

/// One iteration.
#[derive(Clone, Debug)]
pub struct Program {
    /// Names of parameters and operators, and the spaces.
    pub system: Rc<LinearSystem>,
    /// The calls, in the order of the model.
    pub ports: Vec<Port>,
    /// Constant vectors.
    pub constants: Vec<Constant>,
    /// The vectors.
    pub values: Vec<Value>,
    /// The lines, in the order in which they run if it is explicit.
    pub lines: Vec<Line>,
    /// For every component of the state the value that is the next one.
    pub next: Vec<usize>,
    /// The ports in the order in which their calls stand in the text of the lines.
    pub order: Vec<usize>,
    /// Whether the lines can be run from top to bottom.
    pub explicitness: Explicitness,
    /// What one iteration costs besides the calls.
    pub cost: Cost,
    /// What the lines divide by, though H does not: it must not be zero.
    pub nonzero: Vec<Polynomial>,
    /// The operators and sums of operators that the lines invert, though H does not.
    pub inverted: Vec<OperatorPolynomial>,
}

impl Program {
    /// The number of stored vectors.
    pub fn stored(&self) -> usize {
        self.next.len()
    }

    /// The factors of what the lines divide by.
    pub fn divisors(&self) -> Result<Vec<Polynomial>, Exhausted> {
        let mut below: Vec<Polynomial> = Vec::new();
        let mut add = |c: &RationalFunction| {
            if !c.denominator().is_constant() && !below.contains(c.denominator()) {
                below.push(c.denominator().clone());
            }
        };
        let mut visit = |v: &Vector| match v {
            Vector::Scale(c, _) => add(c),
            Vector::Solve(p, _) => p.terms().iter().for_each(|(_, c)| add(c)),
            _ => {}
        };
        self.lines.iter().for_each(|l| l.vector.walk(&mut visit));
        let mut found = Vec::new();
        for p in below {
            for (factor, _) in p.factor()?.factors {
                if !factor.is_constant() && !found.contains(&factor) {
                    found.push(factor);
                }
            }
        }
        Ok(found)
    }

    /// The operators and sums of operators that the lines invert.
    pub fn inverses(&self) -> Vec<OperatorPolynomial> {
        let mut found: Vec<OperatorPolynomial> = Vec::new();
        let mut visit = |v: &Vector| {
            let inverse = match v {
                Vector::Apply(letter, _) if letter.inverse => OperatorPolynomial::letter(letter.inverted()),
                Vector::Solve(p, _) => p.clone(),
                _ => return,
            };
            if !found.contains(&inverse) {
                found.push(inverse);
            }
        };
        self.lines.iter().for_each(|l| l.vector.walk(&mut visit));
        found
    }

    /// The value with a role.
    pub fn value(&self, role: Role) -> usize {
        self.values.iter().position(|v| v.role == role).expect("every vector is a value")
    }
}

/// Writes a model as lines.
pub fn program(model: &Model<Gain>, effort: Effort) -> Result<Program, Exhausted> {
    let explicitness = explicitness(model.calls(), &|i, j| !model.d[(i, j)].is_zero());
    let order = match &explicitness {
        Explicitness::Explicit(order) => order.clone(),
        Explicitness::Implicit(_) => (0..model.calls()).collect(),
    };
    let is_explicit = matches!(explicitness, Explicitness::Explicit(_));
    let desk = desk(model, is_explicit.then_some(&order), effort)?;
    let mut layout = Layout::new(&desk, is_explicit);
    let names = layout.names();
    let (lines, next) = layout.lines_in_order(&order, &names);
    Ok(Program {
        system: model.system.clone(),
        ports: model.ports.clone(),
        constants: model.constants.clone(),
        values: layout.roles.iter().map(|&role| layout.value(role, &names)).collect(),
        order: lines.iter().flat_map(|l| l.vector.calls()).collect(),
        cost: lines.iter().map(|l| l.vector.cost()).sum(),
        nonzero: Vec::new(),
        inverted: Vec::new(),
        lines,
        next,
        explicitness,
    })
}

/// The lines with their calls in an order, where no line needs a later one for it: a new state may be computed as
/// soon as the calls in it can be made.
fn in_order(lines: Vec<Line>, order: &[usize]) -> Vec<Line> {
    let calls = |lines: &[Line]| lines.iter().flat_map(|l| l.vector.calls()).collect::<Vec<_>>();
    if calls(&lines) == order {
        return lines;
    }
    fn place(i: usize, lines: &[Line], placed: &mut Vec<usize>, open: &mut Vec<usize>) {
        if placed.contains(&i) || open.contains(&i) {
            return;
        }
        open.push(i);
        let mut needed = Vec::new();
        lines[i].vector.values(&mut |id| needed.extend(lines.iter().position(|l| l.value == id)));
        needed.into_iter().for_each(|j| place(j, lines, placed, open));
        placed.push(i);
    }
    let (mut placed, mut open) = (Vec::new(), Vec::new());
    let makes = |port: &usize| lines.iter().position(|l| l.vector.calls().contains(port));
    order.iter().filter_map(makes).chain(0..lines.len()).for_each(|i| place(i, &lines, &mut placed, &mut open));
    let found: Vec<Line> = placed.iter().map(|&i| lines[i].clone()).collect();
    if calls(&found) == order { found } else { lines }
}

/// What was written, arranged as lines.
struct Layout<'a> {
    model: &'a Model<Gain>,
    roles: &'a [Role],
    /// How queries and next states are computed.
    known: SortedMap<usize, &'a Vector>,
    /// Values that some vector mentions.
    mentioned: Vec<bool>,
    /// How often values are used, those that are the same as others counting for these.
    uses: Vec<usize>,
    /// The value that every component of the state becomes.
    next: Vec<usize>,
    /// The components of the state in the order in which they are computed.
    states: Vec<usize>,
    /// What is computed for the sake of others.
    steps: &'a [Step],
    /// Ports whose answers have lines of their own for the sake of the order.
    apart: Vec<usize>,
    is_explicit: bool,
}

impl<'a> Layout<'a> {
    fn new(desk: &'a Desk, is_explicit: bool) -> Layout<'a> {
        let known: SortedMap<usize, &Vector> = desk.known.iter().map(|(id, _, vector)| (*id, vector)).collect();
        let mut mentioned = vec![false; desk.roles.len()];
        known.values().for_each(|v| v.values(&mut |id| mentioned[id] = true));
        let (model, roles) = (desk.model, desk.roles.as_slice());
        let mut layout = Layout {
            model,
            roles,
            known,
            mentioned,
            uses: Vec::new(),
            next: Vec::new(),
            states: desk.states(),
            steps: &desk.steps,
            apart: Vec::new(),
            is_explicit,
        };
        let mut uses = vec![0; roles.len()];
        for (&id, vector) in &layout.known {
            // Every call uses its query; a next state that is another value uses nothing.
            if matches!(roles[id], Role::Query(_)) || !matches!(vector, Vector::Value(_)) {
                vector.values(&mut |other| uses[layout.resolved(other)] += 1);
            }
        }
        layout.uses = uses;
        layout.next = (0..model.order()).map(|i| layout.resolved(layout.id(Role::Next(i)))).collect();
        layout
    }

    fn id(&self, role: Role) -> usize {
        self.roles.iter().position(|r| *r == role).expect("every vector has a role")
    }

    /// The value itself, or the one that it is another name for.
    fn resolved(&self, mut id: usize) -> usize {
        while let Some(Vector::Value(other)) = self.known.get(&id) {
            id = *other;
        }
        id
    }

    fn query(&self, port: usize) -> &'a Vector {
        self.known[&self.id(Role::Query(port))]
    }

    /// A query that is needed again has a line of its own.
    fn has_line(&self, port: usize) -> bool {
        self.mentioned[self.id(Role::Query(port))] && !matches!(self.query(port), Vector::Value(_))
    }

    /// An answer that only one line uses is called there, unless the user named it, it is the next state, or calls
    /// would come in another order.
    fn is_inlined(&self, port: usize) -> bool {
        let id = self.id(Role::Answer(port));
        let is_single = self.uses[id] == 1 && !self.next.contains(&id);
        self.is_explicit && is_single && self.model.ports[port].answer.is_none() && !self.apart.contains(&port)
    }

    fn call(&self, port: usize) -> Vector {
        let query = self.id(Role::Query(port));
        Vector::Call(port, Box::new(if self.has_line(port) { Vector::Value(query) } else { self.query(port).clone() }))
    }

    /// The vector with calls where they are made.
    fn full(&self, v: &Vector) -> Vector {
        v.map_values(&|id| match self.roles[id] {
            Role::Answer(port) if self.is_inlined(port) => self.full(&self.call(port)),
            _ => Vector::Value(self.resolved(id)),
        })
    }

    fn names(&self) -> Names {
        let model = self.model;
        let query = |p: usize| self.has_line(p).then(|| model.ports[p].query.clone());
        let claims = Claims {
            answers: model.ports.iter().map(|p| p.answer.clone()).collect(),
            queries: (0..model.calls()).map(query).collect(),
            states: model.labels.clone(),
            steps: self.steps.iter().map(|s| s.name.clone()).collect(),
            next: self.next.iter().map(|id| self.roles[*id]).collect(),
            constants: model.constants.iter().map(|c| c.name.clone()).collect(),
        };
        assign(&claims, &model.system)
    }

    /// The lines with their calls in the given order, which is that of the channels when the lines are read again: a
    /// call that would come too late has a line of its own, or else the one that stands in its place.
    fn lines_in_order(&mut self, order: &[usize], names: &Names) -> (Vec<Line>, Vec<usize>) {
        loop {
            let (lines, next) = self.lines(order, names);
            let lines = in_order(lines, order);
            let calls = lines.iter().flat_map(|l| l.vector.calls());
            let Some((wanted, found)) = order.iter().copied().zip(calls).find(|(wanted, found)| wanted != found) else {
                return (lines, next);
            };
            let Some(port) = [wanted, found].into_iter().find(|port| self.is_inlined(*port)) else {
                return (lines, next);
            };
            self.apart.push(port);
        }
    }

    /// Calls in the given order, then what is new in the state; and the values that are the next state.
    fn lines(&self, order: &[usize], names: &Names) -> (Vec<Line>, Vec<usize>) {
        let mut lines = Vec::new();
        for &port in order {
            if self.has_line(port) {
                self.place(self.id(Role::Query(port)), self.full(self.query(port)), &mut lines);
            }
            if !self.is_inlined(port) {
                self.place(self.id(Role::Answer(port)), self.full(&self.call(port)), &mut lines);
            }
        }
        let mut next = self.next.clone();
        for &i in &self.states {
            let (id, value) = (self.id(Role::Next(i)), next[i]);
            if value == id {
                self.place(id, self.full(self.known[&id]), &mut lines);
            } else if names.next[i] != names.of(self.roles[value]) {
                self.place(id, self.full(&Vector::Value(value)), &mut lines);
                next[i] = id;
            }
        }
        (lines, next)
    }

    /// A line, behind those of new states and steps that it needs.
    fn place(&self, value: usize, vector: Vector, lines: &mut Vec<Line>) {
        if lines.iter().any(|l| l.value == value) {
            return;
        }
        let mut needed = Vec::new();
        vector.values(&mut |id| needed.push(id));
        for id in needed {
            if matches!(self.roles[id], Role::Next(_) | Role::Step(_)) {
                self.place(id, self.full(self.known[&id]), lines);
            }
        }
        lines.push(Line { value, vector });
    }

    fn value(&self, role: Role, names: &Names) -> Value {
        let model = self.model;
        let space = match role {
            Role::State(i) | Role::Next(i) | Role::Inner(i) => model.spaces[i].expect("a model over words is typed"),
            Role::Constant(c) => model.constants[c].space,
            Role::Answer(p) => model.ports[p].output,
            Role::Query(p) => model.ports[p].input,
            Role::Step(i) => self.steps[i].space,
        };
        Value { role, name: names.of(role), space }
    }
}
