//! Names for the vectors of a program. A name of the user's means what it meant; where that cannot be, and
//! where there is none, a vector gets a free letter.

use super::model::{Label, Name};
use super::program::Role;
use crate::syntax::names::is_reserved;
use crate::system::LinearSystem;

/// What vectors would like to be called.
pub struct Claims {
    /// By port.
    pub answers: Vec<Option<Name>>,
    /// By port; nothing where the query needs no name.
    pub queries: Vec<Option<Option<Name>>>,
    /// By vector that is computed for the sake of others.
    pub steps: Vec<Option<Name>>,
    /// By component of the state.
    pub states: Vec<Label>,
    /// What becomes the next state.
    pub next: Vec<Role>,
    /// The names of the constants, which are given.
    pub constants: Vec<String>,
}

/// What vectors are called.
pub struct Names {
    answers: Vec<Name>,
    queries: Vec<Name>,
    states: Vec<Name>,
    steps: Vec<Name>,
    /// The next state.
    pub next: Vec<Name>,
    constants: Vec<Name>,
}

impl Names {
    /// The name of a vector.
    pub fn of(&self, role: Role) -> Name {
        match role {
            Role::Answer(i) => self.answers[i].clone(),
            Role::Query(i) => self.queries[i].clone(),
            Role::State(i) | Role::Inner(i) => self.states[i].clone(),
            Role::Next(i) => self.next[i].clone(),
            Role::Step(i) => self.steps[i].clone(),
            Role::Constant(i) => self.constants[i].clone(),
        }
    }
}

const STATES: &[&str] = &["x", "w", "v", "s", "r", "q", "p"];
const ANSWERS: &[&str] = &["u", "p", "q", "r", "d"];
const STEPS: &[&str] = &["d", "e", "c", "b", "a"];
const QUERIES: &[&str] = &["y", "e", "c", "b", "a"];

/// Gives every vector a name, no two the same.
pub fn assign(claims: &Claims, system: &LinearSystem) -> Names {
    let mut stems = Stems::new(&claims.constants, system);
    let is_state = |n: &Name| claims.states.iter().any(|l| matches!(l, Label::Named(s) if s.stem == n.stem));
    let mut answers: Vec<Option<Name>> = Vec::new();
    for claim in &claims.answers {
        let taken = |n: &Name| answers.iter().flatten().any(|a: &Name| a.stem == n.stem);
        answers.push(claim.clone().filter(|n| !taken(n)));
    }
    let mut queries: Vec<Option<Name>> = Vec::new();
    for claim in &claims.queries {
        let taken = |n: &Name| answers.iter().chain(&queries).flatten().any(|a: &Name| a.stem == n.stem);
        let claim = claim.clone().flatten().filter(|n| !taken(n));
        queries.push(claim);
    }
    let mut steps: Vec<Option<Name>> = Vec::new();
    for claim in &claims.steps {
        let taken = |n: &Name| answers.iter().chain(&queries).chain(&steps).flatten().any(|a: &Name| a.stem == n.stem);
        steps.push(claim.clone().filter(|n| !taken(n) && !is_state(n)));
    }
    // Fresh answers first, so that states may hold older ones.
    let fresh = |stems: &mut Stems, pool: &[&str]| Name { stem: stems.free(pool), offset: 0 };
    stems.taken.extend(answers.iter().chain(&queries).chain(&steps).flatten().map(|n| n.stem.clone()));
    stems.taken.extend(claims.states.iter().filter_map(|l| match l {
        Label::Named(n) => Some(n.stem.clone()),
        _ => None,
    }));
    // An answer that is the next state is called so.
    let mut labels = claims.states.clone();
    let mut named = |port: usize, answers: &[Option<Name>]| {
        let state = claims.next.iter().position(|r| *r == Role::Answer(port))?;
        if labels[state] == Label::Fresh {
            labels[state] = Label::Named(fresh(&mut stems, STATES));
        }
        let Label::Named(own) = &labels[state] else { return None };
        let taken = answers.iter().chain(&queries).flatten().any(|n| n.stem == own.stem);
        (!taken).then(|| own.later(1))
    };
    for port in 0..answers.len() {
        if answers[port].is_none() {
            answers[port] = named(port, &answers);
        }
    }
    let answers: Vec<Name> = answers.into_iter().map(|a| a.unwrap_or_else(|| fresh(&mut stems, ANSWERS))).collect();
    let states = states(&labels, &claims.next, &answers, &queries);
    let states: Vec<Name> = states.into_iter().map(|s| s.unwrap_or_else(|| fresh(&mut stems, STATES))).collect();
    let query = |(i, q): (usize, Option<Name>)| match (q, &claims.queries[i]) {
        (Some(name), _) => name,
        (None, Some(_)) => fresh(&mut stems, QUERIES),
        (None, None) => Name { stem: String::new(), offset: 0 },
    };
    let queries: Vec<Name> = queries.into_iter().enumerate().map(query).collect();
    let steps = steps.into_iter().map(|s| s.unwrap_or_else(|| fresh(&mut stems, STEPS))).collect();
    Names {
        next: states.iter().map(|s| s.later(1)).collect(),
        constants: claims.constants.iter().map(|c| Name { stem: c.clone(), offset: 0 }).collect(),
        answers,
        queries,
        states,
        steps,
    }
}

/// The claims of the states that can be met: per stem one line defines the newest value, and every older one
/// is what the next older was an iteration before.
fn states(labels: &[Label], next: &[Role], answers: &[Name], queries: &[Option<Name>]) -> Vec<Option<Name>> {
    let claim = |l: &Label| match l {
        Label::Named(n) => Some(n.clone()),
        Label::Answer(port, age) => Some(answers[*port].later(-age)),
        Label::Fresh => None,
    };
    let wanted: Vec<Option<Name>> = labels.iter().map(claim).collect();
    let answered = answers.iter().enumerate().map(|(i, n)| (Role::Answer(i), n));
    let asked = queries.iter().enumerate().filter_map(|(i, n)| Some((Role::Query(i), n.as_ref()?)));
    let definers: Vec<(Role, &Name)> = answered.chain(asked).collect();
    let mut met: Vec<Option<Name>> = vec![None; wanted.len()];
    let newest_first = {
        let mut order: Vec<usize> = (0..wanted.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(wanted[i].as_ref().map(|n| n.offset)));
        order
    };
    for i in newest_first {
        let Some(name) = &wanted[i] else { continue };
        let later = name.later(1);
        let same_stem = |n: &Name| n.stem == name.stem;
        let definer = definers.iter().find(|(_, n)| same_stem(n));
        let older_one = (0..met.len()).any(|j| met[j].as_ref().is_some_and(same_stem));
        let state = (0..met.len()).find(|&j| met[j].as_ref() == Some(&later));
        let fits = match (definer, state) {
            _ if met.contains(&Some(name.clone())) => false,
            (_, Some(j)) => next[i] == Role::State(j),
            (Some((role, n)), None) => **n == later && next[i] == *role,
            (None, None) => !older_one,
        };
        if fits {
            met[i] = Some(name.clone());
        }
    }
    met
}

/// Names that are free.
pub struct Stems {
    taken: Vec<String>,
}

impl Stems {
    /// All but those of constants, numbers, operators, functions and samples.
    pub fn new(constants: &[String], system: &LinearSystem) -> Stems {
        let mut taken = constants.to_vec();
        taken.extend(system.parameters.iter().cloned());
        taken.extend(system.schedules.list.iter().map(|s| s.name.clone()));
        taken.extend(system.operators.iter().map(|o| o.name.clone()));
        taken.extend(system.calls.iter().map(|c| c.oracle.function.clone()));
        taken.extend(system.calls.iter().filter_map(|c| c.oracle.sample.clone()));
        taken.push(system.letter.clone());
        Stems { taken }
    }

    /// Whether a name is taken.
    pub fn is_taken(&self, stem: &str) -> bool {
        self.taken.iter().any(|t| t == stem)
    }

    /// Takes names.
    pub fn take(&mut self, stems: impl IntoIterator<Item = String>) {
        self.taken.extend(stems);
    }

    /// A free name for a state.
    pub fn state(&mut self) -> String {
        self.free(STATES)
    }

    /// A name with a number, this one if it is free, and otherwise a later one.
    pub fn numbered(&mut self, stem: &str, number: usize) -> String {
        let free = (number..).map(|n| format!("{stem}{n}")).find(|s| !self.is_taken(s) && !is_reserved(s));
        let stem = free.expect("endless");
        self.taken.push(stem.clone());
        stem
    }

    fn free(&mut self, pool: &[&str]) -> String {
        let first = pool[0];
        let numbered = (1..).map(|n| format!("{first}{n}"));
        let all = pool.iter().map(|s| s.to_string()).chain(numbered);
        let stem = all.into_iter().find(|s| !self.taken.contains(s) && !is_reserved(s)).expect("endless");
        self.taken.push(stem.clone());
        stem
    }
}
