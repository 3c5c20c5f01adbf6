//! An algorithm run step by step, its equations as they are written.

use super::dense::{Dense, Vector, combine};
use super::function::Function;
use super::implicit::{self, Waiting};
use super::numbers::Numbers;
use crate::operator::OperatorPolynomial;
use crate::system::{Atom, LinearForm, Oracle, Space};
use crate::transfer::{Analysis, Explicitness, State, Timing, Transfer};
use linnaeus_algebra::{Coefficient, SortedMap, spend};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What an algorithm is applied to.
#[derive(Clone, Debug)]
pub struct Setting {
    /// How many components the vectors of each space have, by class.
    pub sizes: SortedMap<usize, usize>,
    /// A matrix per operator.
    pub operators: Vec<Dense>,
    /// What answers each channel.
    pub answers: Vec<Answer>,
    /// A vector per constant.
    pub constants: Vec<Vector>,
}

/// What answers a channel.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A function.
    pub function: Function,
    /// Which of its oracles, with its step; none if it is the one that the text calls.
    pub oracle: Option<(Oracle, f64)>,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Where the oracle was asked.
    pub query: Vector,
    /// What it said.
    pub answer: Vector,
}

/// Why a run did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// No formula for an oracle of this channel.
    NoOracle(usize),
    /// The step of this channel is not positive.
    Step(usize),
    /// These calls wait for each other, and no formula gives their answers.
    Implicit(Vec<usize>),
    /// An operator or a step has no value, or the new values are not determined.
    Undetermined,
    /// The work limit.
    Work,
}

/// Beyond this a run has diverged and ends.
const FAR: f64 = 1e120;

/// A run in progress.
pub struct Run<'a> {
    analysis: &'a Analysis,
    setting: &'a Setting,
    numbers: &'a Numbers<'a>,
    timing: Timing,
    /// The channels in the order of their calls; those that wait for each other together.
    order: Vec<Vec<usize>>,
    inverses: Vec<Option<Dense>>,
    /// Where the new values of each signal stand among the unknowns.
    places: Vec<usize>,
    unknowns: usize,
    solved: Option<Rc<Dense>>,
    known: RefCell<HashMap<(usize, usize), Rc<Dense>>>,
    iterates: SortedMap<(usize, i64), Vector>,
    answers: Vec<Vec<Vector>>,
    /// How many answers of each channel are older than the run.
    placed: Vec<usize>,
    begins: i64,
    now: i64,
}

impl<'a> Run<'a> {
    /// A run from zero that begins with an iteration.
    pub fn new(
        analysis: &'a Analysis,
        setting: &'a Setting,
        numbers: &'a Numbers<'a>,
        begins: i64,
    ) -> Result<Run<'a>, Stop> {
        let timing = Timing::new(&analysis.system).map_err(|_| Stop::Undetermined)?;
        let mut unknowns = 0;
        let mut places = Vec::new();
        for signal in &analysis.system.signals {
            places.push(unknowns);
            unknowns += size(analysis, setting, signal.space);
        }
        Ok(Run {
            analysis,
            setting,
            numbers,
            timing,
            order: groups(analysis),
            inverses: setting.operators.iter().map(Dense::inverse).collect(),
            places,
            unknowns,
            solved: None,
            known: RefCell::default(),
            iterates: SortedMap::new(),
            answers: vec![Vec::new(); analysis.channels.len()],
            placed: vec![0; analysis.channels.len()],
            begins,
            now: begins,
        })
    }

    /// Places the run at a state as written.
    pub fn place(&mut self, states: &[State], values: &[Vector]) {
        for (state, value) in states.iter().zip(values) {
            match *state {
                State::Signal(s, offset) => {
                    drop(self.iterates.insert((s, self.now + i64::from(offset)), value.clone()));
                }
                // Younger answers come first in a state and last in the log.
                State::Answer(channel, _) => {
                    self.answers[channel].insert(0, value.clone());
                    self.placed[channel] += 1;
                }
            }
        }
    }

    /// The state as written before the n-th iteration of the run, from 0; nothing where the run has not come so far.
    pub fn state(&self, states: &[State], n: usize) -> Option<Vec<Vector>> {
        let value = |state: &State| match *state {
            State::Signal(s, offset) => self.iterates.get(&(s, self.begins + n as i64 + i64::from(offset))).cloned(),
            State::Answer(channel, age) => {
                let place = (self.placed[channel] + n).checked_add_signed(age as isize)?;
                self.answers[channel].get(place).cloned()
            }
        };
        states.iter().map(value).collect()
    }

    /// So many iterations: the calls of all channels, fewer if the run diverges.
    pub fn steps(&mut self, count: usize) -> Result<Vec<Vec<Call>>, Stop> {
        let mut log = Vec::new();
        for _ in 0..count {
            let calls = self.step()?;
            let near = |v: &Vector| v.iter().all(|x| x.is_finite() && x.abs() < FAR);
            let fine = calls.iter().all(|c| near(&c.query) && near(&c.answer));
            if !fine {
                break;
            }
            log.push(calls);
        }
        Ok(log)
    }

    /// One iteration.
    fn step(&mut self) -> Result<Vec<Call>, Stop> {
        let inverse = self.inverse()?;
        let mut given: SortedMap<usize, Vector> = SortedMap::new();
        let mut queries: Vec<Vector> = vec![Vector::new(); self.analysis.channels.len()];
        for group in self.order.clone() {
            match group.as_slice() {
                &[c] if !self.waits_for_itself(c) => {
                    self.solve(&inverse, &given)?;
                    let query = self.query(c, &given)?;
                    given.insert(c, self.answer(c, &query)?);
                    queries[c] = query;
                }
                _ => {
                    self.answer_together(&group, &inverse, &mut given)?;
                    self.solve(&inverse, &given)?;
                    for c in group {
                        queries[c] = self.query(c, &given)?;
                    }
                }
            }
        }
        self.solve(&inverse, &given)?;
        for (c, list) in self.answers.iter_mut().enumerate() {
            list.push(given.get(&c).cloned().unwrap_or_default());
        }
        self.now += 1;
        Ok(queries.into_iter().zip(given.into_values()).map(|(query, answer)| Call { query, answer }).collect())
    }

    /// Where a channel is asked, for the answers that are given.
    fn query(&self, c: usize, given: &SortedMap<usize, Vector>) -> Result<Vector, Stop> {
        let call = &self.analysis.system.calls[self.analysis.channels[c].call];
        self.sum(&call.argument, self.timing.moved[call.equation], self.size(call.input), given, &|_| false)
    }

    /// The step of a channel. Steps that change with the index were moved with their lines when the text was analysed.
    fn step_of(&self, c: usize) -> Result<f64, Stop> {
        let oracle = &self.analysis.channels[c].oracle;
        let step = self.numbers.value(&oracle.step, self.now);
        let fine = !oracle.kind.has_step() || (step > 0.0 && step.is_finite());
        if fine { Ok(step) } else { Err(Stop::Step(c)) }
    }

    fn answer(&self, c: usize, query: &[f64]) -> Result<Vector, Stop> {
        let channel = &self.analysis.channels[c];
        let step = self.step_of(c)?;
        let Answer { function, oracle } = &self.setting.answers[c];
        let size = self.size(self.analysis.system.calls[channel.call].output);
        let map = channel.oracle.map.as_ref().map(|map| self.operator(map, 0, size)).transpose()?;
        spend(function.cost() * if map.is_some() { 50 } else { 1 }).map_err(|_| Stop::Work)?;
        let answer = match (oracle, map) {
            (Some((oracle, step)), _) => function.answer(oracle, *step, query),
            (None, Some(k)) => function.argmin(step, &k, query),
            (None, None) => function.answer(&channel.oracle, step, query),
        };
        answer.ok_or(Stop::NoOracle(c))
    }

    fn waits_for_itself(&self, c: usize) -> bool {
        hears(self.analysis, c, c)
    }

    /// The answers of calls that wait for each other.
    fn answer_together(
        &mut self,
        group: &[usize],
        inverse: &Dense,
        given: &mut SortedMap<usize, Vector>,
    ) -> Result<(), Stop> {
        let call = |c: usize| &self.analysis.system.calls[self.analysis.channels[c].call];
        let sizes: Vec<(usize, usize)> =
            group.iter().map(|&c| (self.size(call(c).input), self.size(call(c).output))).collect();
        let zeros: Vec<f64> = vec![0.0; sizes.iter().map(|(_, out)| out).sum()];
        let w = self.asked(group, &sizes, inverse, given, &zeros)?;
        let mut columns = Vec::new();
        for j in 0..zeros.len() {
            let mut unit = zeros.clone();
            unit[j] = 1.0;
            columns.push(combine(1.0, &self.asked(group, &sizes, inverse, given, &unit)?, -1.0, &w));
        }
        let d = Dense::from_fn(w.len(), columns.len(), |i, j| columns[j][i]);
        let steps = group.iter().map(|&c| self.step_of(c)).collect::<Result<Vec<_>, _>>()?;
        let mut place = 0;
        let mut calls = Vec::new();
        for ((&c, step), (size, _)) in group.iter().zip(steps).zip(&sizes) {
            let Answer { function, oracle } = &self.setting.answers[c];
            spend(function.cost() * (1 + w.len() as u64)).map_err(|_| Stop::Work)?;
            let (oracle, step) = oracle.as_ref().map_or((&self.analysis.channels[c].oracle, step), |(o, s)| (o, *s));
            calls.push(Waiting { function, oracle, step, place, size: *size });
            place += size;
        }
        let answers = implicit::solve(&calls, &w, &d).ok_or_else(|| Stop::Implicit(group.to_vec()))?;
        given.extend(apart(group, &sizes, &answers));
        Ok(())
    }

    /// The queries of some channels one after the other, if these are their answers.
    fn asked(
        &mut self,
        group: &[usize],
        sizes: &[(usize, usize)],
        inverse: &Dense,
        given: &SortedMap<usize, Vector>,
        answers: &[f64],
    ) -> Result<Vector, Stop> {
        let mut all = given.clone();
        all.extend(apart(group, sizes, answers));
        self.solve(inverse, &all)?;
        let mut queries = Vector::new();
        for &c in group {
            queries.extend(self.query(c, &all)?);
        }
        Ok(queries)
    }

    fn size(&self, space: Space) -> usize {
        size(self.analysis, self.setting, space)
    }

    fn atom_size(&self, atom: Atom) -> usize {
        self.size(self.analysis.system.space_of(atom))
    }

    /// The inverse of the matrix of the new values.
    fn inverse(&mut self) -> Result<Rc<Dense>, Stop> {
        if let Some(known) = &self.solved {
            return Ok(known.clone());
        }
        spend((self.unknowns as u64).pow(3) / 8).map_err(|_| Stop::Work)?;
        let mut matrix = Dense::from_fn(self.unknowns, self.unknowns, |_, _| 0.0);
        for (s, &row) in self.places.iter().enumerate() {
            let e = self.timing.equation[s];
            let moved = self.timing.moved[e];
            for (atom, coefficient) in &self.analysis.system.equations[e].form {
                let Some(at) = self.unknown(*atom, moved) else { continue };
                let block = self.operator(coefficient, moved, self.atom_size(*atom))?;
                for (i, r) in block.rows.iter().enumerate() {
                    for (j, x) in r.iter().enumerate() {
                        matrix.rows[row + i][at + j] += x;
                    }
                }
            }
        }
        let inverse = Rc::new(matrix.inverse().ok_or(Stop::Undetermined)?);
        if self.numbers.is_constant() {
            self.solved = Some(inverse.clone());
        }
        Ok(inverse)
    }

    fn unknown(&self, atom: Atom, moved: i32) -> Option<usize> {
        match atom {
            Atom::Signal(s, offset) if offset + moved == self.timing.defined[s] => Some(self.places[s]),
            _ => None,
        }
    }

    /// The new values for the answers that are given so far; no query in turn hears of the others.
    fn solve(&mut self, inverse: &Dense, given: &SortedMap<usize, Vector>) -> Result<(), Stop> {
        spend((self.unknowns as u64).pow(2) / 8).map_err(|_| Stop::Work)?;
        let mut rhs = vec![0.0; self.unknowns];
        for (s, &row) in self.places.iter().enumerate() {
            let e = self.timing.equation[s];
            let moved = self.timing.moved[e];
            let form = &self.analysis.system.equations[e].form;
            let size = self.size(self.analysis.system.signals[s].space);
            let value = self.sum(form, moved, size, given, &|atom| self.unknown(atom, moved).is_some())?;
            rhs[row..row + size].iter_mut().zip(value).for_each(|(x, y)| *x = -y);
        }
        let solution = inverse.apply(&rhs);
        for (s, signal) in self.analysis.system.signals.iter().enumerate() {
            let time = self.now + i64::from(self.timing.defined[s]);
            let at = self.places[s];
            self.iterates.insert((s, time), solution[at..at + self.size(signal.space)].to_vec());
        }
        Ok(())
    }

    /// The value of a form without some of its atoms.
    fn sum(
        &self,
        form: &LinearForm,
        moved: i32,
        size: usize,
        given: &SortedMap<usize, Vector>,
        skip: &dyn Fn(Atom) -> bool,
    ) -> Result<Vector, Stop> {
        let mut sum = vec![0.0; size];
        for (atom, coefficient) in form.iter().filter(|(a, _)| !skip(**a)) {
            if let Some(value) = self.known(*atom, moved, given) {
                let m = self.operator(coefficient, moved, self.atom_size(*atom))?;
                if m.cols != value.len() || m.rows.len() != size {
                    return Err(Stop::Undetermined);
                }
                sum = combine(1.0, &sum, 1.0, &m.apply(&value));
            }
        }
        Ok(sum)
    }

    /// What an atom is worth; nothing where that is zero or not yet known.
    fn known(&self, atom: Atom, moved: i32, given: &SortedMap<usize, Vector>) -> Option<Vector> {
        match atom {
            Atom::Signal(s, offset) => self.iterates.get(&(s, self.now + i64::from(offset + moved))).cloned(),
            Atom::Constant(c) => Some(self.setting.constants[c].clone()),
            Atom::Call(call) => {
                let serves = |c: &crate::transfer::Channel| c.calls.iter().find(|(n, _)| *n == call).map(|(_, d)| *d);
                let channels = self.analysis.channels.iter().enumerate();
                let (channel, delay) = channels.filter_map(|(i, c)| Some((i, serves(c)?))).next()?;
                match delay {
                    0 => given.get(&channel).cloned(),
                    _ => self.answers[channel].len().checked_sub(delay).map(|i| self.answers[channel][i].clone()),
                }
            }
        }
    }

    /// An operator polynomial as a matrix on vectors of a size.
    fn operator(&self, p: &OperatorPolynomial, moved: i32, size: usize) -> Result<Rc<Dense>, Stop> {
        let place = (std::ptr::from_ref(p).addr(), size);
        if let Some(known) = self.known.borrow().get(&place) {
            return Ok(known.clone());
        }
        spend(p.weight() as u64).map_err(|_| Stop::Work)?;
        let time = self.now + i64::from(moved);
        let value = |r: &_| self.numbers.value(r, time);
        let found = matrix(p, size, &self.setting.operators, &self.inverses, &value).ok_or(Stop::Undetermined)?;
        let found = Rc::new(found);
        if self.numbers.is_constant() {
            self.known.borrow_mut().insert(place, found.clone());
        }
        Ok(found)
    }
}

/// The answers of some channels, from one list.
fn apart(group: &[usize], sizes: &[(usize, usize)], answers: &[f64]) -> Vec<(usize, Vector)> {
    let mut rest = answers;
    let mut take = |n: usize| {
        let (first, others) = rest.split_at(n);
        rest = others;
        first.to_vec()
    };
    group.iter().zip(sizes).map(|(&c, (_, n))| (c, take(*n))).collect()
}

/// Whether the query of a channel holds the answer that another gives in the same iteration.
fn hears(analysis: &Analysis, query: usize, answer: usize) -> bool {
    match &analysis.transfer {
        Transfer::Commuting { realization, .. } => !realization.d[(query, answer)].is_zero(),
        Transfer::Noncommuting { realization, .. } => !realization.d[(query, answer)].is_zero(),
    }
}

/// The channels in an order in which they can be asked, those that wait for each other together.
fn groups(analysis: &Analysis) -> Vec<Vec<usize>> {
    let p = analysis.channels.len();
    if let Explicitness::Explicit(order) = &analysis.explicitness {
        return order.iter().map(|&c| vec![c]).collect();
    }
    // Which answers reach a query in the same iteration, over any number of others.
    let mut reach: Vec<Vec<bool>> = (0..p).map(|i| (0..p).map(|j| hears(analysis, i, j)).collect()).collect();
    for k in 0..p {
        for i in 0..p {
            for j in 0..p {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    let together = |i: usize, j: usize| i == j || reach[i][j] && reach[j][i];
    let mut found: Vec<Vec<usize>> = Vec::new();
    for i in (0..p).filter(|&i| (0..i).all(|j| !together(i, j))) {
        found.push((i..p).filter(|&j| together(i, j)).collect());
    }
    // What hears of fewer calls comes first: whoever hears of a group hears of all that the group hears of, and of it.
    let heard = |g: &Vec<usize>| (0..p).filter(|&j| reach[g[0]][j] || g.contains(&j)).count();
    found.sort_by_key(heard);
    found
}

/// A polynomial in operators as a matrix on vectors of a size; none if sizes do not fit.
pub fn matrix(
    p: &OperatorPolynomial,
    size: usize,
    operators: &[Dense],
    inverses: &[Option<Dense>],
    value: &dyn Fn(&linnaeus_algebra::RationalFunction) -> f64,
) -> Option<Dense> {
    let mut sum: Option<Dense> = None;
    for (word, coefficient) in p.terms() {
        let mut m = Dense::scalar(size, value(coefficient));
        for letter in word.iter().rev() {
            let own = letter.operator as usize;
            let factor = if letter.inverse { inverses[own].clone()? } else { operators[own].clone() };
            let factor = if letter.adjoint { factor.transpose() } else { factor };
            if factor.cols != m.rows.len() {
                return None;
            }
            m = factor.after(&m);
        }
        sum = Some(match sum {
            Some(s) if s.rows.len() == m.rows.len() => s.plus(1.0, &m),
            Some(_) => return None,
            None => m,
        });
    }
    sum
}

fn size(analysis: &Analysis, setting: &Setting, space: Space) -> usize {
    setting.sizes.get(&analysis.system.spaces.class(space)).copied().unwrap_or(1)
}
