//! A text that is stepped as its equations are written.

use super::clock::Clock;
use super::point::Point;
use super::space::Dimensions;
use crate::operator::OperatorPolynomial;
use crate::prime_field::{Dense, PRIME, add, multiply, negate};
use crate::relation::behavior::Side;
use crate::relation::state_map::written;
use crate::relation::verdict::{Assumption, Witness};
use crate::system::{Atom, LinearForm, Space};
use crate::transfer::graph::gain;
use crate::transfer::{Analysis, Channel, State, Timing};
use linnaeus_algebra::SortedMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// One algorithm, stepped as written, from zero unless it is placed elsewhere.
pub struct Run<'a> {
    pub analysis: &'a Analysis,
    pub side: Side,
    pub timing: Timing,
    pub clock: &'a Clock<'a>,
    pub dimensions: &'a Dimensions,
    pub operators: Vec<Dense>,
    pub inverses: Vec<Option<Dense>>,
    pub known_operators: RefCell<SortedMap<(usize, usize), Rc<Dense>>>,
    /// What solves for the unknowns of an iteration, if it is the same in all.
    pub known_solution: Option<Rc<Dense>>,
    pub gains: SortedMap<usize, u64>,
    pub layout: Rc<Layout>,
    /// Iterates by signal and time.
    pub iterates: SortedMap<(usize, i64), Vec<u64>>,
    /// Answers by channel, newest last.
    pub answers: Vec<Vec<Vec<u64>>>,
    /// Constant vectors; those without a value are zero.
    pub constants: SortedMap<usize, Vec<u64>>,
    pub now: i64,
}

impl<'a> Run<'a> {
    pub fn new(
        analysis: &'a Analysis,
        side: Side,
        point: &'a Point,
        clock: &'a Clock<'a>,
        dimensions: &'a Dimensions,
        operators: Vec<Dense>,
        witness: &Witness,
    ) -> Option<Run<'a>> {
        let inverses = operators.iter().map(|m| (m.rows.len() == m.cols).then(|| m.inverse()).flatten()).collect();
        let mut gains = SortedMap::new();
        for assumption in &witness.assumptions {
            let Assumption::Function(s, function, special) = assumption else {
                continue;
            };
            for (i, channel) in
                analysis.channels.iter().enumerate().filter(|(_, c)| *s == side && c.oracle.function == *function)
            {
                let mut oracle = channel.oracle.clone();
                oracle.step = oracle.step.rename(&|v| side.place(v));
                gains.insert(i, point.value(&gain(&oracle, *special).ok()??)?);
            }
        }
        let timing = Timing::new(&analysis.system).ok()?;
        let answers = vec![Vec::new(); analysis.channels.len()];
        let layout = Rc::new(Layout::new(analysis, side, dimensions, &gains));
        Some(Run {
            analysis,
            side,
            timing,
            clock,
            dimensions,
            operators,
            inverses,
            known_operators: RefCell::default(),
            known_solution: None,
            gains,
            layout,
            iterates: SortedMap::new(),
            answers,
            constants: SortedMap::new(),
            now: 0,
        })
    }

    /// Places the run at a state as written, before an iteration.
    pub fn place(&mut self, now: i64, values: &[Vec<u64>]) {
        self.now = now;
        for (state, value) in written(self.analysis).iter().zip(values) {
            match *state {
                State::Signal(s, offset) => drop(self.iterates.insert((s, now + i64::from(offset)), value.clone())),
                // Younger answers come first in a state and last in the log.
                State::Answer(channel, _) => self.answers[channel].insert(0, value.clone()),
            }
        }
    }

    pub fn size(&self, space: Space) -> usize {
        self.dimensions.of(self.side, &self.analysis.system, space)
    }

    pub fn answer_size(&self, channel: usize) -> usize {
        self.layout.outputs[self.analysis.channels[channel].call]
    }

    /// One iteration with the given answers: the queries of all channels.
    pub fn step(&mut self, answers: &SortedMap<usize, Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let layout = self.layout.clone();
        let unknowns = if self.known_solution.is_some() { 0 } else { layout.total };
        let mut matrix = Dense::zero(unknowns, unknowns);
        let mut rhs = vec![0; layout.total];
        // An equation need not be of the space of the iterate that it gives.
        let mut row = 0;
        for s in 0..self.analysis.system.signals.len() {
            let e = self.timing.equation[s];
            let (form, moved) = (&self.analysis.system.equations[e].form, self.timing.moved[e]);
            let height = self.height(form, moved)?;
            if row + height > layout.rows {
                return None;
            }
            self.add_row(form, moved, row, answers, &layout, &mut matrix, &mut rhs)?;
            row += height;
        }
        if row != layout.rows {
            return None;
        }
        for (&c, &g) in &self.gains {
            // u − g y = 0
            let call = &self.analysis.system.calls[self.analysis.channels[c].call];
            let at = layout.closed[&c];
            let moved = self.timing.moved[call.equation];
            let height = self.answer_size(c);
            if g != 0 {
                if self.size(call.input) != height {
                    return None;
                }
                self.add_row(&call.argument, moved, at, answers, &layout, &mut matrix, &mut rhs)?;
            }
            for i in at..at + height {
                rhs[i] = multiply(rhs[i], PRIME - g);
                if let Some(row) = matrix.rows.get_mut(i) {
                    row.iter_mut().for_each(|x| *x = multiply(*x, PRIME - g));
                    row[i] = add(row[i], 1);
                }
            }
        }
        let solution = match &self.known_solution {
            Some(inverse) => inverse.apply(&rhs),
            None => {
                let inverse = Rc::new(matrix.inverse()?);
                if !self.clock.changes() {
                    self.known_solution = Some(inverse.clone());
                }
                inverse.apply(&rhs)
            }
        };
        let system = &self.analysis.system;
        for (s, &at) in layout.signals.iter().enumerate() {
            let time = self.now + i64::from(self.timing.defined[s]);
            self.iterates.insert((s, time), solution[at..at + layout.heights[s]].to_vec());
        }
        let mut given = Cow::Borrowed(answers);
        for (&c, &at) in &layout.closed {
            given.to_mut().insert(c, solution[at..at + self.answer_size(c)].to_vec());
        }
        let mut queries = Vec::new();
        for channel in &self.analysis.channels {
            let call = &system.calls[channel.call];
            queries.push(self.evaluate(
                &call.argument,
                self.timing.moved[call.equation],
                self.size(call.input),
                &given,
            )?);
        }
        for (c, list) in self.answers.iter_mut().enumerate() {
            list.push(given.get(&c).cloned().unwrap_or_default());
        }
        self.now += 1;
        Some(queries)
    }

    /// So many iterations, the channels numbered on from one to the next: the queries of all. A call without an answer of
    /// its own is that of the first iteration, and must ask the same.
    pub fn steps(&mut self, times: usize, answers: &SortedMap<usize, Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        if times == 1 {
            return self.step(answers);
        }
        let p = self.analysis.channels.len();
        let mut queries = Vec::new();
        for s in 0..times {
            let answer = |i: usize| Some((i, answers.get(&(s * p + i)).or_else(|| answers.get(&i))?.clone()));
            queries.extend(self.step(&(0..p).filter_map(answer).collect())?);
            if (0..p).any(|i| {
                !answers.contains_key(&(s * p + i)) && answers.contains_key(&i) && queries[s * p + i] != queries[i]
            }) {
                return None;
            }
        }
        Some(queries)
    }

    /// The answer that a call reads, or the channel whose present answer it is.
    pub fn answer<'s>(&'s self, call: usize, answers: &'s SortedMap<usize, Vec<u64>>) -> Result<Cow<'s, [u64]>, usize> {
        let (channel, delay) = self
            .analysis
            .channels
            .iter()
            .enumerate()
            .find_map(|(i, c)| c.calls.iter().find(|(n, _)| *n == call).map(|(_, d)| (i, *d)))
            .expect("every call is served");
        if delay == 0 {
            return answers.get(&channel).map(|u| Cow::Borrowed(u.as_slice())).ok_or(channel);
        }
        let past = &self.answers[channel];
        let zero = || Cow::Owned(vec![0; self.answer_size(channel)]);
        Ok(past.len().checked_sub(delay).map_or_else(zero, |i| Cow::Borrowed(past[i].as_slice())))
    }

    /// What a channel was asked so many iterations ago; nothing unless the state holds it.
    pub fn asked_before(&self, channel: usize, ago: i64) -> Option<Vec<u64>> {
        let call = &self.analysis.system.calls[self.analysis.channels[channel].call];
        let moved = self.timing.moved[call.equation];
        let time = self.now - ago;
        let mut sum = vec![0; self.size(call.input)];
        for (atom, coefficient) in &call.argument {
            let value = match *atom {
                Atom::Signal(s, offset) => self.iterates.get(&(s, time + i64::from(offset + moved)))?,
                Atom::Call(c) => {
                    let served = |(i, x): (usize, &Channel)| {
                        x.calls.iter().find(|(n, _)| *n == c).map(|(_, delay)| (i, *delay as i64))
                    };
                    let (i, delay) = self.analysis.channels.iter().enumerate().find_map(served)?;
                    self.answered_before(i, ago + delay)?
                }
                Atom::Constant(c) => self.constants.get(&c)?,
            };
            let m = self.operator_at(coefficient, time + i64::from(moved), value.len())?;
            sum.iter_mut().zip(m.images(value)).for_each(|(x, y)| *x = add(*x, y));
        }
        Some(sum)
    }

    /// What a channel answered so many iterations ago, if the state holds it.
    pub fn answered_before(&self, channel: usize, ago: i64) -> Option<&Vec<u64>> {
        let past = &self.answers[channel];
        past.get(past.len().checked_sub(usize::try_from(ago).ok()?)?)
    }

    /// How many numbers an equation is about.
    fn height(&self, form: &LinearForm, moved: i32) -> Option<usize> {
        let (atom, coefficient) = form.iter().next()?;
        Some(self.operator(coefficient, moved, self.atom_size(*atom))?.rows.len())
    }

    /// Known terms go to the right, unknown ones into the matrix.
    #[allow(clippy::too_many_arguments, reason = "one row of one linear system")]
    pub fn add_row(
        &self,
        form: &LinearForm,
        moved: i32,
        row: usize,
        answers: &SortedMap<usize, Vec<u64>>,
        layout: &Layout,
        matrix: &mut Dense,
        rhs: &mut [u64],
    ) -> Option<()> {
        for (atom, coefficient) in form {
            let unknown = match *atom {
                Atom::Signal(s, offset) if offset + moved == self.timing.defined[s] => Some(layout.signals[s]),
                Atom::Call(c) => match self.answer(c, answers) {
                    Ok(_) => None,
                    Err(channel) => Some(*layout.closed.get(&channel)?),
                },
                _ => None,
            };
            if unknown.is_some() && self.known_solution.is_some() {
                continue;
            }
            let m = self.operator(coefficient, moved, self.atom_size(*atom))?;
            match unknown {
                Some(at) => {
                    for (i, r) in m.rows.iter().enumerate() {
                        for (j, x) in r.iter().enumerate() {
                            matrix.rows[row + i][at + j] = add(matrix.rows[row + i][at + j], *x);
                        }
                    }
                }
                None => {
                    let known = self.known(*atom, moved, answers)?;
                    let value = m.images(&known);
                    value.enumerate().for_each(|(i, x)| rhs[row + i] = add(rhs[row + i], negate(x)));
                }
            }
        }
        Some(())
    }

    pub fn evaluate(
        &self,
        form: &LinearForm,
        moved: i32,
        size: usize,
        answers: &SortedMap<usize, Vec<u64>>,
    ) -> Option<Vec<u64>> {
        let mut sum = vec![0; size];
        for (atom, coefficient) in form {
            let m = self.operator(coefficient, moved, self.atom_size(*atom))?;
            let known = self.known(*atom, moved, answers)?;
            sum.iter_mut().zip(m.images(&known)).for_each(|(x, y)| *x = add(*x, y));
        }
        Some(sum)
    }

    pub fn atom_size(&self, atom: Atom) -> usize {
        match atom {
            Atom::Signal(s, _) => self.layout.heights[s],
            Atom::Call(c) => self.layout.outputs[c],
            Atom::Constant(_) => self.size(self.analysis.system.space_of(atom)),
        }
    }

    pub fn known<'s>(
        &'s self,
        atom: Atom,
        moved: i32,
        answers: &'s SortedMap<usize, Vec<u64>>,
    ) -> Option<Cow<'s, [u64]>> {
        let vector = match atom {
            Atom::Signal(s, offset) => self.iterates.get(&(s, self.now + i64::from(offset + moved))),
            Atom::Call(c) => return self.answer(c, answers).ok(),
            // Constants are compared with the transfer matrix; runs from zero are without them.
            Atom::Constant(c) => self.constants.get(&c),
        };
        Some(vector.map_or_else(|| Cow::Owned(vec![0; self.atom_size(atom)]), |v| Cow::Borrowed(v.as_slice())))
    }

    /// The operator polynomial as a matrix on vectors of a size.
    pub fn operator(&self, p: &OperatorPolynomial, moved: i32, size: usize) -> Option<Rc<Dense>> {
        // Coefficients that do not change are looked up by where they stand in the text.
        let place = (std::ptr::from_ref(p).addr(), size);
        if let Some(known) = self.known_operators.borrow().get(&place) {
            return Some(known.clone());
        }
        let found = Rc::new(self.operator_at(p, self.now + i64::from(moved), size)?);
        if !self.clock.changes() {
            self.known_operators.borrow_mut().insert(place, found.clone());
        }
        Some(found)
    }

    pub fn operator_at(&self, p: &OperatorPolynomial, time: i64, size: usize) -> Option<Dense> {
        let mut sum: Option<Dense> = None;
        for (word, coefficient) in p.terms() {
            let mut m = Dense::scalar(size, self.clock.own(self.side, coefficient, time)?);
            for letter in word.iter().rev() {
                let own = letter.operator as usize;
                let factor = if letter.inverse { self.inverses[own].clone()? } else { self.operators[own].clone() };
                m = if letter.adjoint { factor.transpose() } else { factor }.after(&m);
            }
            sum = Some(match sum {
                Some(s) => s.plus(&m),
                None => m,
            });
        }
        sum
    }
}

/// Where the unknowns of one iteration stand.
pub struct Layout {
    pub signals: Vec<usize>,
    /// How many numbers each iterate is.
    pub heights: Vec<usize>,
    /// How many numbers the answer to each call is.
    pub outputs: Vec<usize>,
    /// So many numbers are iterates.
    pub rows: usize,
    pub closed: SortedMap<usize, usize>,
    pub total: usize,
}

impl Layout {
    pub fn new(analysis: &Analysis, side: Side, dimensions: &Dimensions, gains: &SortedMap<usize, u64>) -> Layout {
        let system = &analysis.system;
        let size = |space: Space| dimensions.of(side, system, space);
        let heights: Vec<usize> = system.signals.iter().map(|s| size(s.space)).collect();
        let outputs: Vec<usize> = system.calls.iter().map(|c| size(c.output)).collect();
        let mut total = 0;
        let mut place = |n: usize| {
            total += n;
            total - n
        };
        let signals = heights.iter().map(|&n| place(n)).collect();
        let rows = place(0);
        let closed = gains.keys().map(|&c| (c, place(outputs[analysis.channels[c].call]))).collect();
        Layout { signals, heights, outputs, rows, closed, total }
    }
}
