//! Several iterations of a program as one, written one after the other.

use super::given::Given;
use super::minimal::{Coordinates, Reduction};
use super::model::{Model, Name, Port};
use super::naming::Stems;
use super::program::{Line, Program, Role, Value};
use super::realized::{Realized, realize};
use super::request::Granted;
use super::typed::{over_words, typed};
use super::vector::Vector;
use crate::FUEL;
use crate::operator::OperatorPolynomial;
use crate::transfer::Explicitness;
use linnaeus_algebra::{Exhausted, with_fuel};

/// So many iterations of an algorithm as one; nothing where one cannot be run from top to bottom, or where samples
/// differ from one iteration to the next.
pub fn unrolled(one: &Realized, n: usize) -> Result<Option<Realized>, Exhausted> {
    let (Some(reduction), Explicitness::Explicit(order)) = (&one.reduction, &one.program.explicitness) else {
        return Ok(None);
    };
    let Some(model) = reduction.model.repeated(n)? else { return Ok(None) };
    let Ok(sheet) = typed(&model) else { return Ok(None) };
    let program = rolled(&one.program, order, n, &model.ports);
    let reduction = Reduction { model, ..reduction.clone() };
    Ok(Some(Realized { sheet, program, reduction: Some(reduction), coordinates: one.coordinates }))
}

/// The same where operators do not commute, the matrices of all iterations being given.
pub fn unrolled_words(
    one: &Realized,
    model: &Model<OperatorPolynomial>,
    n: usize,
) -> Result<Option<Realized>, Exhausted> {
    let Explicitness::Explicit(order) = &one.program.explicitness else { return Ok(None) };
    let program = rolled(&one.program, order, n, &model.ports);
    Ok(Some(Realized { sheet: over_words(model), program, reduction: None, coordinates: one.coordinates }))
}

fn rolled(one: &Program, order: &[usize], n: usize, ports: &[Port]) -> Program {
    let p = order.len();
    let order = (0..n).flat_map(|s| order.iter().map(move |port| s * p + port)).collect();
    Program { ports: ports.to_vec(), explicitness: Explicitness::Explicit(order), ..Roll { one, n }.program() }
}

impl Granted {
    /// Several iterations as one, written one after the other, if that was asked for and can be done.
    pub fn unrolled(&self, coordinates: Option<Coordinates>) -> Option<Realized> {
        let (one, n) = self.single.as_ref().filter(|_| self.freedom.shift.is_none())?;
        let write = || -> Result<Option<Realized>, Exhausted> {
            let Ok(one) = realize(&Given::Commuting(one.clone()), coordinates) else { return Ok(None) };
            unrolled(&one, *n)
        };
        with_fuel(FUEL, write).ok().flatten()
    }
}

struct Roll<'a> {
    one: &'a Program,
    n: usize,
}

impl Roll<'_> {
    fn program(&self) -> Program {
        let one = self.one;
        let count = one.values.len();
        // A copy of every value per iteration, those that are the same in all of them or the end of one before unused.
        let mut values: Vec<Value> = Vec::new();
        let mut names = Naming::new(one);
        for s in 0..self.n {
            for (id, value) in one.values.iter().enumerate() {
                let role = self.role(value.role, s);
                let name = match role {
                    Role::State(i) => names.states[i].clone(),
                    Role::Next(i) => names.states[i].later(1),
                    Role::Constant(_) => value.name.clone(),
                    // What no line defines needs no name.
                    _ if one.lines.iter().all(|l| l.value != id) => nameless(),
                    _ => names.fresh(&value.name.stem, s),
                };
                values.push(Value { role, name, space: value.space });
            }
        }
        let mut lines: Vec<Line> = Vec::new();
        for s in 0..self.n {
            for line in &one.lines {
                let vector = self.moved(&line.vector, s);
                lines.push(Line { value: s * count + line.value, vector });
            }
        }
        let mut next: Vec<usize> = Vec::new();
        for (i, &id) in one.next.iter().enumerate() {
            let found = self.place(id, self.n - 1);
            let own = (self.n - 1) * count + one.value(Role::Next(i));
            let is_free = lines.iter().any(|l| l.value == found) && !next.contains(&found);
            match values[found].role {
                _ if found == own => {}
                // What the last call answers is called what it becomes.
                Role::Answer(_) | Role::Query(_) | Role::Inner(_) if is_free => {
                    values[found].name = names.states[i].later(1);
                }
                _ => lines.push(Line { value: own, vector: Vector::Value(found) }),
            }
            next.push(if lines.iter().any(|l| l.value == own) { own } else { found });
        }
        Program {
            cost: lines.iter().map(|l| l.vector.cost()).sum(),
            order: lines.iter().flat_map(|l| l.vector.calls()).collect(),
            values,
            lines,
            next,
            ..one.clone()
        }
    }

    fn role(&self, role: Role, s: usize) -> Role {
        let p = self.one.ports.len();
        match role {
            Role::Answer(port) => Role::Answer(s * p + port),
            Role::Query(port) => Role::Query(s * p + port),
            Role::State(i) if s > 0 => Role::Inner(i),
            Role::Constant(c) if s > 0 => Role::Inner(c),
            Role::Next(i) if s + 1 < self.n => Role::Inner(i),
            Role::Step(i) => Role::Step(s * self.one.values.len() + i),
            role => role,
        }
    }

    /// Where a value of an iteration is among all: a state is what the iteration before made of it.
    fn place(&self, id: usize, s: usize) -> usize {
        match self.one.values[id].role {
            Role::State(i) if s > 0 => self.place(self.one.next[i], s - 1),
            Role::Constant(_) => id,
            _ => s * self.one.values.len() + id,
        }
    }

    fn moved(&self, v: &Vector, s: usize) -> Vector {
        let p = self.one.ports.len();
        v.map_values(&|id| Vector::Value(self.place(id, s))).map_ports(&|port| s * p + port)
    }
}

fn nameless() -> Name {
    Name { stem: String::new(), offset: 0 }
}

/// Names of the states, each its own, and of what lies between.
struct Naming {
    states: Vec<Name>,
    stems: Stems,
}

impl Naming {
    fn new(one: &Program) -> Naming {
        let constants: Vec<String> = one.constants.iter().map(|c| c.name.clone()).collect();
        let mut stems = Stems::new(&constants, &one.system);
        let own = |i: usize| &one.values[one.value(Role::State(i))].name;
        let mut states: Vec<Option<Name>> = Vec::new();
        for i in 0..one.stored() {
            let is_new = !stems.is_taken(&own(i).stem);
            let kept = (own(i).offset == 0 && is_new).then(|| own(i).clone());
            stems.take(kept.iter().map(|n| n.stem.clone()));
            states.push(kept);
        }
        let states = states.into_iter().map(|s| s.unwrap_or_else(|| Name { stem: stems.state(), offset: 0 }));
        let states = states.collect();
        Naming { states, stems }
    }

    fn fresh(&mut self, stem: &str, s: usize) -> Name {
        Name { stem: self.stems.numbered(stem, s + 1), offset: 0 }
    }
}
