//! One iteration as lines: oracle calls in an order in which they can be made, then the new state.

use super::model::{Model, Name, Port};
use super::naming::{Claims, assign};
use super::typed::Gain;
use super::vector::{Combination, Cost, Vector, written};
use crate::operator::OperatorPolynomial;
use crate::system::{Constant, LinearSystem, Space};
use crate::transfer::{Explicitness, explicitness};
use linnaeus_algebra::{Coefficient, Exhausted};
use std::collections::BTreeMap;
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
}

impl Program {
    /// The number of stored vectors.
    pub fn stored(&self) -> usize {
        self.next.len()
    }

    /// The value with a role.
    pub fn value(&self, role: Role) -> usize {
        self.values.iter().position(|v| v.role == role).expect("every vector is a value")
    }
}

/// Writes a model as lines.
pub fn program(model: &Model<Gain>) -> Result<Program, Exhausted> {
    let explicitness = explicitness(model.calls(), &|i, j| !model.d[(i, j)].is_zero());
    let order = match &explicitness {
        Explicitness::Explicit(order) => order.clone(),
        Explicitness::Implicit(_) => (0..model.calls()).collect(),
    };
    let mut desk = Desk::new(model);
    for &port in &order {
        let row = desk.row(&model.c, &model.d, port);
        desk.write(Role::Query(port), row)?;
    }
    for state in 0..model.order() {
        let row = desk.row(&model.a, &model.b, state);
        desk.write(Role::Next(state), row)?;
    }
    Ok(desk.finish(order, explicitness))
}

/// What is known while lines are written.
struct Desk<'a> {
    model: &'a Model<Gain>,
    roles: Vec<Role>,
    /// What was computed, in states, constants and answers, and how.
    known: Vec<(usize, Combination, Vector)>,
}

impl<'a> Desk<'a> {
    fn new(model: &'a Model<Gain>) -> Desk<'a> {
        let states = (0..model.order()).map(Role::State);
        let constants = (0..model.constants.len()).map(Role::Constant);
        let answers = (0..model.calls()).map(Role::Answer);
        let queries = (0..model.calls()).map(Role::Query);
        let next = (0..model.order()).map(Role::Next);
        let roles = states.chain(answers).chain(constants).chain(queries).chain(next).collect();
        Desk { model, roles, known: Vec::new() }
    }

    fn id(&self, role: Role) -> usize {
        self.roles.iter().position(|r| *r == role).expect("every vector has a role")
    }

    /// A row of two matrices as a combination of states, answers and constants: these come first among the
    /// values, in this order.
    fn row(
        &self,
        state: &linnaeus_algebra::Matrix<Gain>,
        input: &linnaeus_algebra::Matrix<Gain>,
        i: usize,
    ) -> Combination {
        let all = state.row(i).iter().chain(input.row(i)).cloned().enumerate();
        all.filter(|(_, g)| !g.is_zero()).collect()
    }

    /// Writes a vector, as a multiple of one computed before and a rest where that is cheaper.
    fn write(&mut self, role: Role, row: Combination) -> Result<(), Exhausted> {
        let mut best = written(&row)?;
        let mut rest = row.clone();
        // A third reuse never pays in practice; the bound keeps the search short.
        for _ in 0..2 {
            let mut found = None;
            for (id, other, _) in &self.known {
                for shorter in without(&rest, *id, other)? {
                    if terms(&shorter) >= terms(&rest) {
                        continue;
                    }
                    let vector = written(&shorter)?;
                    if vector.cost().total() < best.cost().total() {
                        best = vector;
                        found = Some(shorter);
                    }
                }
            }
            match found {
                Some(shorter) => rest = shorter,
                None => break,
            }
        }
        let id = self.id(role);
        self.known.push((id, row, best));
        Ok(())
    }

    fn finish(self, order: Vec<usize>, explicitness: Explicitness) -> Program {
        let model = self.model;
        let n = model.order();
        let known: BTreeMap<usize, &Vector> = self.known.iter().map(|(id, _, vector)| (*id, vector)).collect();
        let mut named = vec![false; self.roles.len()];
        known.values().for_each(|v| v.values(&mut |id| named[id] = true));
        let query = |port: usize| self.id(Role::Query(port));
        // A query that is needed again has a line of its own.
        let is_line = |port: usize| named[query(port)] && !matches!(known[&query(port)], Vector::Value(_));
        // The state that comes next is often a value that is there already.
        let resolve = |mut id: usize| {
            while let Some(Vector::Value(other)) = known.get(&id) {
                id = *other;
            }
            id
        };
        let mut used = vec![0usize; self.roles.len()];
        let is_query = |id: usize| matches!(self.roles[id], Role::Query(_));
        for (&id, vector) in known.iter().filter(|(id, v)| is_query(**id) || !matches!(v, Vector::Value(_))) {
            vector.values(&mut |other| used[resolve(other)] += 1);
            // Calls that are asked at a query with a line of its own.
            used[id] += 1;
        }
        let next: Vec<usize> = (0..n).map(|i| resolve(self.id(Role::Next(i)))).collect();
        let claims = Claims {
            answers: model.ports.iter().map(|p| p.answer.clone()).collect(),
            queries: (0..model.calls())
                .map(|p| is_line(p).then(|| model.ports[p].query.clone()))
                .collect(),
            states: model.labels.clone(),
            next: next.iter().map(|id| self.roles[*id]).collect(),
            constants: model.constants.iter().map(|c| c.name.clone()).collect(),
        };
        let names = assign(&claims, &model.system);
        // An answer that only one line uses is called there, unless the user named it or its name is needed.
        let call = |port: usize| {
            let argument = known[&query(port)];
            Vector::Call(port, Box::new(if is_line(port) { Vector::Value(query(port)) } else { argument.clone() }))
        };
        let is_state = |id: usize| next.contains(&id);
        let explicit = matches!(explicitness, Explicitness::Explicit(_));
        let inlined = |port: usize| {
            let id = self.id(Role::Answer(port));
            explicit && model.ports[port].answer.is_none() && used[id] == 1 && !is_state(id)
        };
        let mut program = Program {
            system: model.system.clone(),
            ports: model.ports.clone(),
            constants: model.constants.clone(),
            values: Vec::new(),
            lines: Vec::new(),
            next: next.clone(),
            order: Vec::new(),
            explicitness,
            cost: Cost::default(),
        };
        let roles = &self.roles;
        fn expanded(v: &Vector, roles: &[Role], inlined: &dyn Fn(usize) -> bool, call: &dyn Fn(usize) -> Vector, plain: &dyn Fn(usize) -> usize) -> Vector {
            v.map_values(&|id| match roles[id] {
                Role::Answer(port) if inlined(port) => expanded(&call(port), roles, inlined, call, plain),
                _ => Vector::Value(plain(id)),
            })
        }
        let full = |v: &Vector| expanded(v, roles, &inlined, &call, &resolve);
        for &port in &order {
            if is_line(port) {
                program.lines.push(Line { value: query(port), vector: full(known[&query(port)]) });
            }
            if !inlined(port) {
                program.lines.push(Line { value: self.id(Role::Answer(port)), vector: full(&call(port)) });
            }
        }
        for i in 0..n {
            let id = self.id(Role::Next(i));
            if next[i] == id {
                program.lines.push(Line { value: id, vector: full(known[&id]) });
            } else if names.next[i] != names.of(roles[next[i]]) {
                program.lines.push(Line { value: id, vector: full(&Vector::Value(next[i])) });
                program.next[i] = id;
            }
        }
        let space = |role: Role| match role {
            Role::State(i) | Role::Next(i) => model.spaces[i].unwrap_or(model.system.signals[0].space),
            Role::Constant(c) => model.constants[c].space,
            Role::Answer(p) => model.ports[p].output,
            Role::Query(p) => model.ports[p].input,
        };
        program.values = roles.iter().map(|&role| Value { role, name: names.of(role), space: space(role) }).collect();
        program.order = program.lines.iter().flat_map(|l| l.vector.calls()).collect();
        program.cost = program.lines.iter().map(|l| l.vector.cost()).sum();
        program
    }
}

/// The number of words.
fn terms(row: &Combination) -> usize {
    row.values().map(|g| g.above.terms().len()).sum()
}

/// The combination less a multiple of another, for every multiple that removes a term, with the multiple
/// added as a term of its own.
fn without(row: &Combination, id: usize, other: &Combination) -> Result<Vec<Combination>, Exhausted> {
    let plain = |g: &Gain| g.below == OperatorPolynomial::one();
    if row.contains_key(&id) || !row.values().chain(other.values()).all(plain) {
        return Ok(Vec::new());
    }
    let mut factors: Vec<OperatorPolynomial> = Vec::new();
    for (value, gain) in other {
        let Some(wanted) = row.get(value) else { continue };
        let Some(inverse) = gain.above.inverse()? else { continue };
        let factor = wanted.above.mul(&inverse)?;
        if !factors.contains(&factor) {
            factors.push(factor);
        }
    }
    let mut found = Vec::new();
    for factor in factors {
        let mut shorter = row.clone();
        for (value, gain) in other {
            let removed = factor.mul(&gain.above)?;
            let left = match shorter.remove(value) {
                Some(old) => old.above.sub(&removed)?,
                None => removed.neg(),
            };
            if !left.is_zero() {
                shorter.insert(*value, Gain::polynomial(left));
            }
        }
        shorter.insert(id, Gain::polynomial(factor));
        found.push(shorter);
    }
    Ok(found)
}
