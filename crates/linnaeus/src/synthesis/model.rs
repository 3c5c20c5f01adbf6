//! An algorithm between two texts: oracles, the linear system between their calls, and what the user
//! called its vectors.

use super::desk::Step;
use super::steps::steps;
use crate::operator::OperatorPolynomial;
use crate::source::Span;
use crate::system::{Atom, Change, Constant, LinearSystem, Oracle, Space, Z};
use crate::transfer::realize::{Unrealizable, chains, from_transfer};
use crate::transfer::{Analysis, Channel, Realization, State, StateSpace, Timing, Transfer};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, with_fuel};
use std::rc::Rc;

/// The work that a state of queries to come is worth.
const QUICK: u64 = 5_000_000;

/// `x[k+1]`: a name and an offset from the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// `x`.
    pub stem: String,
    /// 1.
    pub offset: i32,
}

impl Name {
    /// The name so many iterations later.
    pub fn later(&self, steps: i32) -> Name {
        Name { offset: self.offset + steps, ..self.clone() }
    }
}

/// What is known of a component of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// It is a vector of the user's.
    Named(Name),
    /// The answer that a port gave so many iterations ago.
    Answer(usize, i32),
    /// Nothing.
    Fresh,
}

/// The random sample that a call carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// The sample's name; empty where the oracle carries the bare index.
    pub name: String,
    /// Its offset from the index; none if it never changes.
    pub offset: Option<i32>,
}

/// One oracle call per iteration.
#[derive(Clone, Debug)]
pub struct Port {
    /// What is called.
    pub oracle: Oracle,
    /// Where queries live.
    pub input: Space,
    /// Where answers live.
    pub output: Space,
    /// What the user called the answer.
    pub answer: Option<Name>,
    /// What the user called the query.
    pub query: Option<Name>,
    /// The sample that the call carries.
    pub sample: Option<Sampled>,
    /// Where the call stands in the text.
    pub span: Span,
}

/// The algorithm. The columns of B and D are the ports' answers, then the constants.
#[derive(Clone, Debug)]
pub struct Model<T> {
    /// Names of parameters and operators, and the spaces.
    pub system: Rc<LinearSystem>,
    /// The calls.
    pub ports: Vec<Port>,
    /// Constant vectors.
    pub constants: Vec<Constant>,
    /// What the state holds.
    pub labels: Vec<Label>,
    /// Where the state lives, as far as that is known.
    pub spaces: Vec<Option<Space>>,
    /// What the text computes between state and calls, where the state is the text's.
    pub steps: Vec<Step>,
    /// How the state acts on the next one.
    pub a: Matrix<T>,
    /// How answers and constants act on the next state.
    pub b: Matrix<T>,
    /// How the state enters the queries.
    pub c: Matrix<T>,
    /// How answers and constants enter the queries of the same iteration.
    pub d: Matrix<T>,
}

/// A model whose coefficients commute.
pub type Commuting = Model<RationalFunction>;

impl<T> Model<T> {
    /// The number of stored vectors.
    pub fn order(&self) -> usize {
        self.a.rows()
    }

    /// Whether something in the state is known to the user.
    pub fn has_names(&self) -> bool {
        self.labels.iter().any(|l| *l != Label::Fresh)
    }

    /// The number of ports.
    pub fn calls(&self) -> usize {
        self.ports.len()
    }
}

impl Commuting {
    /// The algorithm as written; nothing if its coefficients do not commute.
    pub fn new(analysis: &Analysis) -> Option<Commuting> {
        match &analysis.transfer {
            Transfer::Commuting { realization, .. } => Some(as_written(analysis, realization)),
            Transfer::Noncommuting { .. } => None,
        }
    }

    /// A minimal model of a transfer matrix, columns for the constants included. The state is a list of queries to
    /// come, or, where that takes long to find, one chain per row or column.
    pub fn from_transfer(
        system: Rc<LinearSystem>,
        ports: Vec<Port>,
        constants: Vec<Constant>,
        h: &Matrix<RationalFunction>,
    ) -> Result<Commuting, Unrealizable> {
        let found = match with_fuel(QUICK, || from_transfer(h)) {
            Err(Unrealizable::Exhausted) => chains(h)?.map_or_else(|| from_transfer(h), Ok),
            other => other,
        };
        let StateSpace { a, b, c, d } = found?;
        let n = a.rows();
        Ok(Model {
            system,
            ports,
            constants,
            labels: vec![Label::Fresh; n],
            spaces: vec![None; n],
            steps: Vec::new(),
            a,
            b,
            c,
            d,
        })
    }

    /// H, with columns for the constants.
    pub fn transfer(&self) -> Result<Matrix<RationalFunction>, Exhausted> {
        Matrix::transfer(&self.a, &self.b, &self.c, &self.d, Z)
    }

    /// After how many iterations answers enter queries: the least lag at which a Markov parameter is not zero, which is
    /// among the first n + 1 if there is one, by Cayley and Hamilton's theorem.
    pub fn lags(&self) -> Result<Vec<Vec<Option<i64>>>, Exhausted> {
        let p = self.calls();
        let (states, answers): (Vec<usize>, Vec<usize>) = ((0..self.order()).collect(), (0..p).collect());
        let mut found = vec![vec![None; p]; p];
        let mut note = |lag: i64, m: &Matrix<RationalFunction>| {
            for (i, row) in found.iter_mut().enumerate() {
                for (j, cell) in row.iter_mut().enumerate() {
                    *cell = cell.or_else(|| (!m[(i, j)].is_zero()).then_some(lag));
                }
            }
            found.iter().flatten().all(Option::is_some)
        };
        let mut x = self.b.submatrix(&states, &answers);
        let mut done = note(0, &self.d);
        for lag in 1..=self.order() as i64 {
            if done {
                break;
            }
            done = note(lag, &self.c.mul(&x)?);
            x = self.a.mul(&x)?;
        }
        Ok(found)
    }

    /// The system with the constants as inputs.
    pub fn state_space(&self) -> StateSpace {
        StateSpace { a: self.a.clone(), b: self.b.clone(), c: self.c.clone(), d: self.d.clone() }
    }
}

impl Model<OperatorPolynomial> {
    /// The algorithm as written, operators as words and numbers as they are in iteration k; nothing if all commute.
    pub fn over_words(analysis: &Analysis) -> Option<Model<OperatorPolynomial>> {
        match &analysis.transfer {
            Transfer::Noncommuting { realization, .. } => Some(as_written(analysis, realization)),
            Transfer::Commuting { .. } => None,
        }
    }
}

fn as_written<T: Coefficient>(analysis: &Analysis, r: &Realization<T>) -> Model<T> {
    let system = &analysis.system;
    let moved = Timing::new(system).map_or_else(|_| vec![0; system.equations.len()], |t| t.moved);
    let label = |s: &State| match *s {
        State::Signal(s, offset) => user_name(system, s, offset).map_or(Label::Fresh, Label::Named),
        State::Answer(port, offset) => Label::Answer(port, -offset),
    };
    let space = |s: &State| match *s {
        State::Signal(s, _) => system.signals[s].space,
        State::Answer(c, _) => system.calls[analysis.channels[c].call].output,
    };
    Model {
        system: Rc::new(system.clone()),
        ports: analysis.channels.iter().map(|c| port(system, c, &moved)).collect(),
        constants: system.constants.clone(),
        labels: r.states.iter().map(label).collect(),
        spaces: r.states.iter().map(|s| Some(space(s))).collect(),
        steps: steps(analysis, &r.states),
        a: r.a.clone(),
        b: r.b.clone(),
        c: r.c.clone(),
        d: r.d.clone(),
    }
}

/// The name of a signal, unless it is an auxiliary one; what a change of variable made is called after it.
pub(super) fn user_name(system: &LinearSystem, signal: usize, offset: i32) -> Option<Name> {
    let own = &system.signals[signal].name;
    let stem = match system.changes.iter().find(|c| c.new == *own) {
        Some(change) => changed_name(system, change),
        None => own.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| own.clone())?,
    };
    Some(Name { stem, offset })
}

/// `log_x` for `log(x)`, `power_x` for a power of x, no name of the text; what has a name keeps it.
pub fn changed_name(system: &LinearSystem, change: &Change) -> String {
    // `p_A`, of which `p` is an image.
    let Some((function, _)) = change.new.split_once(['(', '^']) else { return change.new.clone() };
    let word = if function.chars().all(char::is_alphabetic) { function } else { "power" };
    let own = format!("{word}_{}", change.signal);
    let taken = |n: &String| {
        system.signals.iter().any(|s| s.name == *n)
            || system.parameters.contains(n)
            || system.operators.iter().any(|o| o.name == *n)
            || system.constants.iter().any(|c| c.name == *n)
            || system.calls.iter().any(|c| c.oracle.function == *n)
    };
    let numbered = (1..).map(|n| format!("{own}{n}"));
    [own.clone()].into_iter().chain(numbered).find(|n| !taken(n)).expect("endless")
}

fn port(system: &LinearSystem, channel: &Channel, moved: &[i32]) -> Port {
    let call = &system.calls[channel.call];
    let moved = moved[call.equation];
    // The form is target − value.
    let form = &system.equations[call.equation].form;
    let is_answer = |c: &OperatorPolynomial| c.neg() == OperatorPolynomial::one();
    let alone = form.len() == 2 && form.get(&Atom::Call(channel.call)).is_some_and(is_answer);
    let answer = system.equations[call.equation].target.filter(|_| alone);
    let query = match call.argument.iter().collect::<Vec<_>>().as_slice() {
        [(Atom::Signal(s, offset), c)] if **c == OperatorPolynomial::one() => Some((*s, *offset)),
        _ => None,
    };
    let named = |found: Option<(usize, i32)>| found.and_then(|(s, offset)| user_name(system, s, offset + moved));
    let sample = call
        .sample
        .as_ref()
        .map(|s| Sampled { name: s.name.clone(), offset: s.index.as_ref().map(|i| (i.halves / 2) as i32 + moved) });
    Port {
        oracle: channel.oracle.clone(),
        input: call.input,
        output: call.output,
        answer: named(answer),
        query: named(query),
        sample,
        span: call.span,
    }
}
