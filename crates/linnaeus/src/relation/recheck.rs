//! A second opinion on every witness, by code that shares nothing with the search: both algorithms
//! are stepped over a large prime field, as their equations are written. The first is driven by
//! random answers; its queries and answers are carried over to the second by the claimed
//! transformation, and the second must ask what it is then bound to ask.
//!
//! Vectors have several components, a different number in every space, and operators are random
//! matrices, so that an adjoint in the wrong place shows.

use super::behavior::Side;
use super::course::{Course, Roots, Rules};
use super::graph::gain;
use super::lift::{Pace, paced};
use super::operators::{ends, identity_of};
use super::state_map::{Combination, ROOT, Source, StateMap, constants, leads, scaled_matrices, written};
use super::verdict::{Assumption, Witness};
use super::words::{WordMap, Words};
use crate::operator::OperatorPolynomial;
use crate::prime_field::{Dense, PRIME, Stream, add, invert, multiply, negate, square_root};
use crate::system::schedule::{Motion, scheduled, start, started};
use crate::system::{Atom, LinearForm, LinearSystem, Space, Z, operator_symbol};
use crate::transfer::{Analysis, State, Timing};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Matrix, Polynomial, RationalFunction, Variable};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What the re-check came to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// Every query agreed.
    Passed,
    /// A query differed: the witness is wrong.
    Failed,
    /// No point was found at which the claim can be tried.
    NotSimulable,
}

/// How many iterations are compared.
const STEPS: i64 = 12;

/// Checks every branch of a witness.
pub fn recheck(first: &Analysis, second: &Analysis, witness: &Witness) -> Recheck {
    let mut result = Recheck::NotSimulable;
    for branch in &witness.branches {
        match (0..8).map(|seed| check(first, second, witness, branch, seed)).find(|r| *r != Recheck::NotSimulable) {
            Some(Recheck::Failed) => return Recheck::Failed,
            Some(_) => result = Recheck::Passed,
            None => return Recheck::NotSimulable,
        }
    }
    result
}

fn check(first: &Analysis, second: &Analysis, witness: &Witness, branch: &Branch, seed: u64) -> Recheck {
    attempt(first, second, witness, branch, seed)
        .map_or(Recheck::NotSimulable, |same| if same { Recheck::Passed } else { Recheck::Failed })
}

/// The query and the answer of every channel in one iteration.
type Exchange = BTreeMap<usize, (Vec<u64>, Vec<u64>)>;

/// One run at a random point; nothing if the point is unlucky.
fn attempt(first: &Analysis, second: &Analysis, witness: &Witness, branch: &Branch, seed: u64) -> Option<bool> {
    let mut stream = Stream::new(seed);
    let mut point = Point::new(first, second, branch, &mut stream)?;
    let pace = Paced::new(first, second, witness)?;
    let (course, steps, kept) = numbers(&pace, witness, (branch, &mut point), &mut stream)?;
    let clock = Clock { witness, point: &point, paced: Some((&pace, course)) };
    let dimensions = Dimensions::new(first, second, witness);
    let (a_operators, b_operators) = operators(first, second, &dimensions, witness, &point, &mut stream)?;
    let mut a = Run::new(first, Side::First, &point, &clock, &dimensions, a_operators, witness)?;
    let mut b = Run::new(second, Side::Second, &point, &clock, &dimensions, b_operators, witness)?;
    let wrong = clock.is_exact().then_some(false);
    if !kept || !steps_agree(first, second, witness, &clock, steps)? {
        return wrong;
    }
    let filters = filters_at(witness, &point)?;
    let lead: Vec<i64> = witness.shift.iter().zip(&filters).map(|(m, f)| m + f.lead()).collect();
    let largest = lead.iter().copied().max().unwrap_or(0).max(0);
    // Queries and answers of the first, from its start on.
    let mut log: Vec<Exchange> = Vec::new();
    for _ in 0..steps + largest {
        let mut answers = BTreeMap::new();
        for &(i, _) in &witness.channel_map {
            answers.insert(i, random_vector(a.answer_size(i % first.channels.len()), &mut stream));
        }
        let queries = a.steps(witness.times(Side::First), &answers)?;
        log.push(answers.into_iter().map(|(i, u)| (i, (queries[i].clone(), u))).collect());
    }
    let mut carried = Vec::new();
    for (filter, &(i, _)) in filters.iter().zip(&witness.channel_map) {
        let (queries, answers): (Vec<_>, Vec<_>) = log.iter().map(|calls| calls[&i].clone()).unzip();
        carried.push((filter.apply(&queries), filter.apply(&answers)));
    }
    b.now = -largest * witness.times(Side::Second) as i64;
    let mut inverses = Inverses::new(&witness.matrices);
    for k in -largest..steps {
        let inverse = inverses.at(&clock, k)?;
        let mut answers = BTreeMap::new();
        let mut expected = Vec::new();
        for (n, &(_, j)) in witness.channel_map.iter().enumerate() {
            let size = b.answer_size(j % second.channels.len());
            let (y, u) = match usize::try_from(k + lead[n]) {
                Ok(t) => (carried[n].0[t].clone(), carried[n].1[t].clone()),
                Err(_) => (vec![0; size], vec![0; size]),
            };
            expected.push((j, mixed(inverse[n][0], &y, &u)));
            answers.insert(j, mixed(inverse[n][1], &y, &u));
        }
        let queries = b.steps(witness.times(Side::Second), &answers)?;
        if expected.iter().any(|(j, y)| queries[*j] != *y) {
            return wrong;
        }
    }
    Some(true)
}

/// Whether oracles that are taken for one another as they are have the same step.
fn steps_agree(first: &Analysis, second: &Analysis, witness: &Witness, clock: &Clock, times: i64) -> Option<bool> {
    for (n, (&(i, j), m)) in witness.channel_map.iter().zip(&witness.matrices).enumerate() {
        let (f, g) =
            (&first.channels[i % first.channels.len()].oracle, &second.channels[j % second.channels.len()].oracle);
        if *m != Matrix::identity(2) || !f.kind.has_step() || !g.kind.has_step() {
            continue;
        }
        let at = |side: Side, turn: i64, channel: usize, p: usize| {
            let phase = if witness.times(side) > 1 { channel / p } else { 0 };
            turn * witness.times(side) as i64 + phase as i64
        };
        for k in 0..times {
            let ours = at(Side::First, k + witness.shift[n], i, first.channels.len());
            let theirs = at(Side::Second, k, j, second.channels.len());
            if clock.own(Side::First, &f.step, ours)? != clock.own(Side::Second, &g.step, theirs)? {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// 1/c for every channel pair; a witness without filters has none to state.
fn filters_at(witness: &Witness, point: &Point) -> Option<Vec<Filter>> {
    if witness.filters.is_empty() {
        return Some(witness.channel_map.iter().map(|_| Filter { above: vec![1], below: vec![1] }).collect());
    }
    let at = |p: &Polynomial| -> Option<Vec<u64>> {
        let mut values: Vec<u64> =
            p.coefficients_in(Z).iter().map(|c| c.evaluate_mod(&|v| point.at(v), PRIME)).collect();
        while values.last() == Some(&0) {
            values.pop();
        }
        (!values.is_empty()).then_some(values)
    };
    witness.filters.iter().map(|c| Some(Filter { above: at(c.denominator())?, below: at(c.numerator())? })).collect()
}

/// w with below(z) w = above(z) s, coefficients by rising powers of z.
struct Filter {
    above: Vec<u64>,
    below: Vec<u64>,
}

impl Filter {
    /// By how much w begins before s.
    fn lead(&self) -> i64 {
        self.above.len() as i64 - self.below.len() as i64
    }

    /// w from its beginning on, s being zero before its first term.
    fn apply(&self, s: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let (b, a) = (self.above.len() - 1, self.below.len() - 1);
        let scale = invert(self.below[a]);
        let mut w: Vec<Vec<u64>> = Vec::new();
        for t in 0..s.len() {
            let mut sum = vec![0; s[t].len()];
            let mut add_term = |factor: u64, term: &[u64]| {
                sum.iter_mut().zip(term).for_each(|(x, y)| *x = add(*x, multiply(factor, *y)))
            };
            for j in (0..=b).filter(|j| t + j >= b) {
                add_term(self.above[j], &s[t + j - b]);
            }
            for j in (0..a).filter(|j| t + j >= a) {
                add_term(negate(self.below[j]), &w[t + j - a]);
            }
            w.push(sum.into_iter().map(|x| multiply(x, scale)).collect());
        }
        w
    }
}

/// Runs both from a random state of the first and the state of the second that the map makes of it.
/// Operators that commute are numbers here, and so are all vectors.
pub fn recheck_start(first: &Analysis, second: &Analysis, witness: &Witness, map: &StateMap) -> Recheck {
    let runs = (0..8).filter_map(|seed| attempt_start(first, second, witness, map, seed));
    runs.map(|same| if same { Recheck::Passed } else { Recheck::Failed }).next().unwrap_or(Recheck::NotSimulable)
}

fn attempt_start(first: &Analysis, second: &Analysis, witness: &Witness, map: &StateMap, seed: u64) -> Option<bool> {
    let mut stream = Stream::new(seed);
    let mut point = Point::new(first, second, witness.branches.first()?, &mut stream)?;
    let dimensions = Dimensions::numbers(first, second);
    let (a_operators, b_operators) = operators(first, second, &dimensions, witness, &point, &mut stream)?;
    for (side, list) in [(Side::First, &a_operators), (Side::Second, &b_operators)] {
        let symbols = (0..list.len()).map(|i| (side.place(operator_symbol(i)), list[i].rows[0][0]));
        point.values.extend(symbols);
    }
    if let Some(radicand) = &map.root {
        point.values.insert(ROOT, square_root(radicand.evaluate_mod(&|v| point.at(v), PRIME))?);
    }
    let known = Known::random(first, witness, map, &point, &mut stream)?;
    let clock = Clock { witness, point: &point, paced: None };
    let mut a = Run::new(first, Side::First, &point, &clock, &dimensions, a_operators, witness)?;
    let mut b = Run::new(second, Side::Second, &point, &clock, &dimensions, b_operators, witness)?;
    a.constants = known.constants(witness, Side::First, first, &point)?;
    b.constants = known.constants(witness, Side::Second, second, &point)?;
    let states: Vec<u64> = (0..written(first).len()).map(|i| known.value(Source::State(i))).collect();
    a.place(0, &single(states));
    let mut states = vec![0; written(second).len()];
    for (j, start) in &map.initialization {
        states[*j] = known.combine(start, &point)?;
    }
    b.place(0, &single(states));
    let early = |i: usize, k: usize| known.0.get(&Source::Answer(i, k)).map(|x| vec![*x]);
    let log = drive(&mut a, witness, &early, STEPS, &mut stream)?;
    follow(&mut b, witness, &log, STEPS)
}

/// The first's queries and answers by iteration and channel, answers random unless they are known.
fn drive(
    a: &mut Run,
    witness: &Witness,
    known: &dyn Fn(usize, usize) -> Option<Vec<u64>>,
    steps: i64,
    stream: &mut Stream,
) -> Option<Vec<Exchange>> {
    let mut log = Vec::new();
    let longest = leads(witness).into_iter().max().unwrap_or(0);
    for k in 0..steps as usize + longest {
        let mut answers = BTreeMap::new();
        for &(i, _) in &witness.channel_map {
            let size = a.answer_size(i % a.analysis.channels.len());
            answers.insert(i, known(i, k).unwrap_or_else(|| random_vector(size, stream)));
        }
        let queries = a.steps(witness.times(Side::First), &answers)?;
        log.push(answers.into_iter().map(|(i, u)| (i, (queries[i].clone(), u))).collect());
    }
    Some(log)
}

/// Whether the second, given the answers in the log, asks the queries in the log.
fn follow(b: &mut Run, witness: &Witness, log: &[Exchange], steps: i64) -> Option<bool> {
    let matrices = scaled_matrices(witness).ok()??;
    let lead = leads(witness);
    let mut inverses = Inverses::new(&matrices);
    for k in 0..steps as usize {
        let turn = b.now.div_euclid(witness.times(Side::Second) as i64);
        let inverse = inverses.at(b.clock, turn)?;
        let mut answers = BTreeMap::new();
        let mut expected = Vec::new();
        for (n, &(i, j)) in witness.channel_map.iter().enumerate() {
            let (y, u) = &log[k + lead[n]][&i];
            expected.push((j, mixed(inverse[n][0], y, u)));
            answers.insert(j, mixed(inverse[n][1], y, u));
        }
        let queries = b.steps(witness.times(Side::Second), &answers)?;
        if expected.iter().any(|(j, y)| queries[*j] != *y) {
            return Some(false);
        }
    }
    Some(true)
}

/// A combination of a query and an answer; where only one of the two counts, that one's size.
fn mixed(row: [u64; 2], y: &[u64], u: &[u64]) -> Vec<u64> {
    let of = |v: &[u64], c: usize| v.get(c).copied().unwrap_or(0);
    let length = match row {
        [0, _] => u.len(),
        [_, 0] => y.len(),
        _ => y.len().min(u.len()),
    };
    (0..length).map(|c| add(multiply(row[0], of(y, c)), multiply(row[1], of(u, c)))).collect()
}

/// Runs both from random states of the first and those of the second that the map makes of them, as
/// vectors, with operators that are random matrices and sequences that keep to their rules.
pub fn recheck_words(first: &Analysis, second: &Analysis, witness: &Witness, map: &WordMap) -> Recheck {
    let runs = (0..8).filter_map(|seed| attempt_words(first, second, witness, map, seed));
    runs.map(|same| if same { Recheck::Passed } else { Recheck::Failed }).next().unwrap_or(Recheck::NotSimulable)
}

fn attempt_words(first: &Analysis, second: &Analysis, witness: &Witness, map: &WordMap, seed: u64) -> Option<bool> {
    let mut stream = Stream::new(seed);
    let mut point = Point::new(first, second, witness.branches.first()?, &mut stream)?;
    if let Some(radicand) = &map.root {
        point.values.insert(ROOT, square_root(radicand.evaluate_mod(&|v| point.at(v), PRIME))?);
    }
    let branch = witness.branches.first()?;
    let pace = Paced::new(first, second, witness)?;
    let (course, steps, _) = numbers(&pace, witness, (branch, &mut point), &mut stream)?;
    let clock = Clock { witness, point: &point, paced: Some((&pace, course)) };
    let dimensions = Dimensions::new(first, second, witness);
    let (a_operators, b_operators) = operators(first, second, &dimensions, witness, &point, &mut stream)?;
    let mut a = Run::new(first, Side::First, &point, &clock, &dimensions, a_operators, witness)?;
    let mut b = Run::new(second, Side::Second, &point, &clock, &dimensions, b_operators, witness)?;
    let (own, others) = if map.letters == Side::First { (&a, &b) } else { (&b, &a) };
    let matrices: Vec<Dense> = own.operators.iter().chain(&others.operators).cloned().collect();
    let combine = |words: &Words, known: &BTreeMap<Source, Vec<u64>>, size: usize| -> Option<Vec<u64>> {
        let mut sum = vec![0; size];
        for (source, polynomial) in words {
            for (word, c) in polynomial.terms() {
                let mut vector = known.get(source)?.clone();
                for letter in word.iter().rev() {
                    let own = &matrices[letter.operator as usize];
                    let own = if letter.inverse { own.inverse()? } else { own.clone() };
                    vector = if letter.adjoint { own.transpose() } else { own }.apply(&vector);
                }
                let c = clock.joint(c, 0)?;
                sum.iter_mut().zip(&vector).for_each(|(x, y)| *x = add(*x, multiply(c, *y)));
            }
        }
        Some(sum)
    };
    let state_size = |run: &Run, side: Side, state: &State| match *state {
        State::Signal(s, _) => dimensions.of(side, &run.analysis.system, run.analysis.system.signals[s].space),
        State::Answer(c, _) => run.answer_size(c),
    };
    let size = |source: Source| match source {
        Source::State(i) => state_size(&a, Side::First, &written(first)[i]),
        Source::Answer(c, _) => a.answer_size(c % first.channels.len()),
        Source::Own(j) => state_size(&b, Side::Second, &written(second)[j]),
        Source::Constant(Side::First, j) => dimensions.of(Side::First, &first.system, first.system.constants[j].space),
        Source::Constant(Side::Second, j) => {
            dimensions.of(Side::Second, &second.system, second.system.constants[j].space)
        }
    };
    // What must vanish does: one of its sources follows from the others, or all are zero.
    let vanishing: Vec<&Words> = map.implicit.iter().chain(&map.required).collect();
    let mut known: BTreeMap<Source, Vec<u64>> =
        map.sources.iter().map(|&s| (s, random_vector(size(s), &mut stream))).collect();
    let others = |n: usize, s: Source| vanishing.iter().enumerate().any(|(m, w)| m != n && mentions(w, s));
    let mut solved = Vec::new();
    for (n, words) in vanishing.iter().enumerate() {
        let one = |(s, c): &&(Source, OperatorPolynomial)| *c == OperatorPolynomial::one() && !others(n, *s);
        match words.iter().find(one) {
            Some((source, _)) => solved.push((*source, words)),
            None => words.iter().for_each(|(s, _)| known.insert(*s, vec![0; size(*s)]).map_or((), drop)),
        }
    }
    for (source, words) in solved {
        known.insert(source, vec![0; size(source)]);
        let rest = combine(words, &known, size(source))?;
        known.insert(source, rest.into_iter().map(negate).collect());
    }
    let states: Vec<Vec<u64>> = (0..written(first).len()).map(|i| known[&Source::State(i)].clone()).collect();
    let mut theirs = Vec::new();
    for (j, state) in written(second).iter().enumerate() {
        let size = state_size(&b, Side::Second, state);
        theirs.push(match (map.initialization.iter().find(|(i, _)| *i == j), known.get(&Source::Own(j))) {
            (Some((_, words)), _) => combine(words, &known, size)?,
            (None, Some(own)) => own.clone(),
            (None, None) => vec![0; size],
        });
    }
    let hung = witness.constant_map();
    let constants = |run: &Run, side: Side| -> Option<BTreeMap<usize, Vec<u64>>> {
        let list = &run.analysis.system.constants;
        let all = hung.of(side, list.len());
        let mut found = BTreeMap::new();
        for (i, constant) in list.iter().enumerate() {
            let terms = hung.free.iter().zip(all.row(i)).filter(|(_, c)| !c.is_zero());
            let words: Words = terms.map(|(j, c)| (Source::Constant(hung.given, *j), c.clone())).collect();
            found.insert(i, combine(&words, &known, run.size(constant.space))?);
        }
        Some(found)
    };
    (a.constants, b.constants) = (constants(&a, Side::First)?, constants(&b, Side::Second)?);
    a.place(0, &states);
    b.place(map.begins, &theirs);
    let early = |i: usize, k: usize| known.get(&Source::Answer(i, k)).cloned();
    let log = drive(&mut a, witness, &early, steps, &mut stream)?;
    follow(&mut b, witness, &log, steps).filter(|same| *same || clock.is_exact())
}

fn mentions(words: &Words, source: Source) -> bool {
    words.iter().any(|(s, _)| *s == source)
}

/// Vectors of one component.
fn single(values: Vec<u64>) -> Vec<Vec<u64>> {
    values.into_iter().map(|x| vec![x]).collect()
}

/// Numbers for all that is known at the start.
struct Known(BTreeMap<Source, u64>);

impl Known {
    /// Random ones for which all that the map requires is zero.
    fn random(
        first: &Analysis,
        witness: &Witness,
        map: &StateMap,
        point: &Point,
        stream: &mut Stream,
    ) -> Option<Known> {
        let states = (0..written(first).len()).map(Source::State);
        let early = map.skipped.iter().flat_map(|&(i, m)| (0..m).map(move |t| Source::Answer(i, t)));
        let mut sources: Vec<Source> = states.chain(early).collect();
        sources.extend(constants(witness));
        let coefficient = |c: &Combination, s: Source| {
            c.iter().find(|(t, _)| *t == s).map_or_else(RationalFunction::zero, |(_, r)| r.clone())
        };
        let required =
            Matrix::from_fn(map.required.len(), sources.len(), |i, j| coefficient(&map.required[i], sources[j]));
        let free = required.null_space().ok()?;
        let random = random_vector(free.cols(), stream);
        let mut values = BTreeMap::new();
        for (i, source) in sources.iter().enumerate() {
            let mut sum = 0;
            for (j, x) in random.iter().enumerate() {
                sum = add(sum, multiply(*x, point.value(&free[(i, j)])?));
            }
            values.insert(*source, sum);
        }
        Some(Known(values))
    }

    fn value(&self, source: Source) -> u64 {
        self.0.get(&source).copied().unwrap_or(0)
    }

    /// The constants of a side.
    fn constants(
        &self,
        witness: &Witness,
        side: Side,
        analysis: &Analysis,
        point: &Point,
    ) -> Option<BTreeMap<usize, Vec<u64>>> {
        let map = witness.constant_map();
        let all = map.commuting(side, analysis.system.constants.len())?;
        let value = |i: usize| {
            let terms = map.free.iter().zip(all.row(i));
            terms
                .map(|(j, c)| Some(multiply(point.value(c)?, self.value(Source::Constant(map.given, *j)))))
                .try_fold(0, |sum, term| Some(add(sum, term?)))
        };
        (0..all.rows()).map(|i| Some((i, vec![value(i)?]))).collect()
    }

    fn combine(&self, combination: &Combination, point: &Point) -> Option<u64> {
        combination.iter().try_fold(0, |sum, (s, c)| Some(add(sum, multiply(point.value(c)?, self.value(*s)))))
    }
}

fn random_vector(n: usize, stream: &mut Stream) -> Vec<u64> {
    (0..n).map(|_| stream.next()).collect()
}

fn inverse_at(m: &Matrix<RationalFunction>, value: &dyn Fn(&RationalFunction) -> Option<u64>) -> Option<[[u64; 2]; 2]> {
    let at = |i: usize, j: usize| value(&m[(i, j)]);
    let (a, b, c, d) = (at(0, 0)?, at(0, 1)?, at(1, 0)?, at(1, 1)?);
    let determinant = add(multiply(a, d), PRIME - multiply(b, c));
    if determinant == 0 {
        return None;
    }
    let s = invert(determinant);
    let minus = |x: u64| multiply(s, (PRIME - x) % PRIME);
    Some([[multiply(s, d), minus(b)], [minus(c), multiply(s, a)]])
}

/// The inverses of matrices by time.
struct Inverses<'a> {
    matrices: &'a [Matrix<RationalFunction>],
    known: Vec<[[u64; 2]; 2]>,
}

impl<'a> Inverses<'a> {
    fn new(matrices: &'a [Matrix<RationalFunction>]) -> Inverses<'a> {
        Inverses { matrices, known: Vec::new() }
    }

    /// At a time; they are computed once if nothing changes with it.
    fn at(&mut self, clock: &Clock, time: i64) -> Option<&[[[u64; 2]; 2]]> {
        if clock.changes() || self.known.is_empty() {
            let at = |r: &RationalFunction| clock.joint(r, time);
            self.known = self.matrices.iter().map(|m| inverse_at(m, &at)).collect::<Option<_>>()?;
        }
        Some(&self.known)
    }
}

/// Values of all parameters.
struct Point {
    values: BTreeMap<Variable, u64>,
}

impl Point {
    fn new(first: &Analysis, second: &Analysis, branch: &Branch, stream: &mut Stream) -> Option<Point> {
        let mut point = Point { values: BTreeMap::new() };
        for (analysis, side) in [(first, Side::First), (second, Side::Second)] {
            for i in 0..analysis.system.parameters.len() {
                point.values.insert(side.place(crate::system::parameter(i)), stream.next());
            }
        }
        for v in &branch.free {
            point.values.insert(*v, stream.next());
        }
        // A relation that is linear in a number determines it, whatever the others are.
        for p in &branch.relations {
            let determined = |v: &Variable| branch.conditions.contains_key(v) || branch.values.contains_key(v);
            let linear = |v: &Variable| p.degree_in(*v) == 1 && !determined(v);
            let v = p.variables().into_iter().find(linear)?;
            let parts: Vec<_> = p.coefficients_in(v).into_iter().map(RationalFunction::polynomial).collect();
            let value = multiply(negate(point.value(&parts[0])?), invert(point.value(&parts[1])?));
            point.values.insert(v, value);
        }
        for list in [&branch.conditions, &branch.values] {
            let mut fixed = Vec::new();
            for (v, value) in list {
                fixed.push((*v, point.solved(value)?));
            }
            point.values.extend(fixed);
        }
        // Relations that hang together are not met by chance.
        let met = |p: &Polynomial| p.evaluate_mod(&|v| point.at(v), PRIME) == 0;
        branch.relations.iter().all(met).then_some(point)
    }

    fn solved(&self, value: &Value) -> Option<u64> {
        match value {
            Value::Rational(r) => self.value(r),
            Value::Root { a, b, radicand } => {
                let root = square_root(radicand.evaluate_mod(&|v| self.at(v), PRIME))?;
                Some(add(self.value(a)?, multiply(self.value(b)?, root)))
            }
        }
    }

    fn at(&self, v: Variable) -> u64 {
        self.values.get(&v).copied().unwrap_or(1)
    }

    fn value(&self, r: &RationalFunction) -> Option<u64> {
        r.evaluate_mod(&|v| self.at(v), PRIME)
    }
}

/// Both texts with the numbers of as many iterations as are taken as one.
struct Paced {
    texts: [Analysis; 2],
    pace: Option<(Side, Pace)>,
}

impl Paced {
    fn new(first: &Analysis, second: &Analysis, witness: &Witness) -> Option<Paced> {
        let pace = match witness.repeat {
            Some((side, n)) => {
                let own = if side == Side::First { first } else { second };
                Some((side, Pace::new(&own.system.schedules, n).ok()??))
            }
            None => None,
        };
        Some(Paced { texts: paced(first, second, witness.repeat)?, pace })
    }
}

/// Values of coefficients at a time.
struct Clock<'a> {
    witness: &'a Witness,
    point: &'a Point,
    /// Nothing where numbers do not change.
    paced: Option<(&'a Paced, Option<Course>)>,
}

impl Clock<'_> {
    /// Whether numbers change with the index.
    fn changes(&self) -> bool {
        matches!(self.paced, Some((_, Some(_))))
    }

    /// Whether a difference is one of the algorithms.
    fn is_exact(&self) -> bool {
        !matches!(&self.paced, Some((_, Some(course))) if course.roots == Roots::Arbitrary)
    }

    fn rules<'b>(&'b self, paced: &'b Paced, parameter: &'b dyn Fn(Variable) -> u64) -> Rules<'b> {
        let [first, second] = &paced.texts;
        let pace = paced.pace.as_ref().map(|(side, pace)| (*side, pace));
        Rules { first, second, sequences: &self.witness.sequences, parameter, started: &NONE, pace }
    }

    /// A value in one text's own symbols.
    fn own(&self, side: Side, r: &RationalFunction, time: i64) -> Option<u64> {
        match &self.paced {
            Some((paced, Some(course))) => self.rules(paced, &|v| self.point.at(v)).value(course, side, r, time),
            _ => r.evaluate_mod(&|v| self.point.at(side.place(v)), PRIME),
        }
    }

    /// A value in the symbols of the comparison.
    fn joint(&self, r: &RationalFunction, time: i64) -> Option<u64> {
        match &self.paced {
            Some((paced, Some(course))) => self.rules(paced, &|v| self.point.at(v)).joint(course, r, time),
            _ => self.point.value(r),
        }
    }
}

static NONE: BTreeMap<Variable, RationalFunction> = BTreeMap::new();

/// Random sequences, for how many iterations, and whether they keep to all rules. Parameters that depend on
/// where sequences start get their values.
fn numbers(
    paced: &Paced,
    witness: &Witness,
    (branch, point): (&Branch, &mut Point),
    stream: &mut Stream,
) -> Option<(Option<Course>, i64, bool)> {
    let [first, second] = &paced.texts;
    let lists = [&first.system.schedules.list, &second.system.schedules.list];
    if lists.iter().all(|l| l.is_empty()) {
        return Some((None, STEPS, true));
    }
    let depends = |r: &RationalFunction| r.variables().into_iter().any(|v| started(v).is_some());
    let started = branch.values.iter().filter_map(|(v, value)| match value {
        Value::Rational(r) if depends(r) => Some((*v, r.clone())),
        _ => None,
    });
    let started: BTreeMap<Variable, RationalFunction> = started.collect();
    // Every square root exists for one sequence of numbers in two.
    let has_roots = lists.iter().any(|l| l.iter().any(|s| matches!(s.motion, Motion::Function("sqrt", _))));
    let steps = if has_roots { STEPS / 2 } else { STEPS };
    let far = reach(first).max(reach(second)) + witness.shift.iter().map(|m| m.abs()).max().unwrap_or(0) + 1;
    let parameter = |v: Variable| point.at(v);
    let pace = paced.pace.as_ref().map(|(side, pace)| (*side, pace));
    let rules = Rules { first, second, sequences: &witness.sequences, parameter: &parameter, started: &started, pace };
    let (course, kept) = rules.course(-far..=steps + far, stream)?;
    let starts: Vec<(Variable, u64)> =
        (0..lists[0].len() + lists[1].len()).filter_map(|j| Some((start(j), rules.start(&course, j)?))).collect();
    point.values.extend(starts);
    for (v, value) in started {
        let value = point.value(&value)?;
        point.values.insert(v, value);
    }
    Some((Some(course), steps, kept))
}

/// How far from the present the coefficients of a text are read.
fn reach(analysis: &Analysis) -> i64 {
    let Ok(timing) = Timing::new(&analysis.system) else { return 0 };
    let moved = timing.moved.iter().map(|m| i64::from(m.abs())).max().unwrap_or(0);
    let forms = analysis.system.equations.iter().map(|e| &e.form);
    let forms = forms.chain(analysis.system.calls.iter().map(|c| &c.argument));
    let written = forms.flat_map(|f| f.values()).flat_map(|p| p.terms().into_iter().map(|(_, c)| c.clone()));
    let steps = analysis.channels.iter().map(|c| c.oracle.step.clone());
    let offsets = written.chain(steps).flat_map(|r| r.variables()).filter_map(scheduled).map(|(_, o)| o.abs());
    offsets.max().unwrap_or(0) + moved
}

/// How many components the vectors of each space have.
struct Dimensions {
    sizes: BTreeMap<(Side, usize), usize>,
}

impl Dimensions {
    /// Spaces that the channel map identifies have one size; an operator that is the identity
    /// makes its two spaces one.
    fn new(first: &Analysis, second: &Analysis, witness: &Witness) -> Dimensions {
        let mut groups: Vec<Vec<(Side, usize)>> = Vec::new();
        let mut join = |x: (Side, usize), y: (Side, usize)| {
            let mut merged = vec![x, y];
            groups.retain(|g| {
                let touches = g.contains(&x) || g.contains(&y);
                if touches {
                    merged.extend(g.iter().copied());
                }
                !touches
            });
            groups.push(merged);
        };
        let class = |side: Side, system: &LinearSystem, s: Space| (side, system.spaces.class(s));
        for &(i, j) in &witness.channel_map {
            let x = &first.system.calls[first.channels[i % first.channels.len()].call];
            let y = &second.system.calls[second.channels[j % second.channels.len()].call];
            join(class(Side::First, &first.system, x.input), class(Side::Second, &second.system, y.input));
            join(class(Side::First, &first.system, x.output), class(Side::Second, &second.system, y.output));
        }
        for (analysis, side) in [(first, Side::First), (second, Side::Second)] {
            for call in &analysis.system.calls {
                let x = class(side, &analysis.system, call.input);
                join(x, x);
                let x = class(side, &analysis.system, call.output);
                join(x, x);
            }
        }
        for (v, image) in &witness.images {
            let (side, i) = identity_of(*v);
            let (system, other, others) = match side {
                Side::First => (&first.system, Side::Second, &second.system),
                Side::Second => (&second.system, Side::First, &first.system),
            };
            let o = &system.operators[i];
            let (domain, codomain) = (class(side, system, o.domain), class(side, system, o.codomain));
            for (word, _) in image.terms() {
                let (Some(last), Some(start)) = (word.first(), word.last()) else {
                    join(domain, codomain);
                    continue;
                };
                join(domain, class(other, others, ends(others, *start).0));
                join(codomain, class(other, others, ends(others, *last).1));
            }
        }
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            for o in &system.operators {
                for space in [o.domain, o.codomain] {
                    join(class(side, system, space), class(side, system, space));
                }
            }
        }
        for assumption in &witness.assumptions {
            if let Assumption::Identity(side, i) = assumption {
                let system = if *side == Side::First { &first.system } else { &second.system };
                join(
                    class(*side, system, system.operators[*i].domain),
                    class(*side, system, system.operators[*i].codomain),
                );
            }
        }
        let mut sizes = BTreeMap::new();
        for (n, group) in groups.iter().enumerate() {
            sizes.extend(group.iter().map(|g| (*g, 2 + n % 3)));
        }
        Dimensions { sizes }
    }

    /// Every vector is a number.
    fn numbers(first: &Analysis, second: &Analysis) -> Dimensions {
        let mut sizes = BTreeMap::new();
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            let signals = system.signals.iter().map(|s| s.space);
            let calls = system.calls.iter().flat_map(|c| [c.input, c.output]);
            let operators = system.operators.iter().flat_map(|o| [o.domain, o.codomain]);
            let spaces = signals.chain(calls).chain(operators).chain(system.constants.iter().map(|c| c.space));
            sizes.extend(spaces.map(|s| ((side, system.spaces.class(s)), 1)));
        }
        Dimensions { sizes }
    }

    fn of(&self, side: Side, system: &LinearSystem, space: Space) -> usize {
        self.sizes.get(&(side, system.spaces.class(space))).copied().unwrap_or(2)
    }
}

/// Random matrices, but for those operators that the witness makes of the other side's.
fn operators(
    first: &Analysis,
    second: &Analysis,
    dimensions: &Dimensions,
    witness: &Witness,
    point: &Point,
    stream: &mut Stream,
) -> Option<(Vec<Dense>, Vec<Dense>)> {
    let sides = [(first, Side::First), (second, Side::Second)];
    let mut found: BTreeMap<Variable, Dense> = BTreeMap::new();
    let mut bases: BTreeMap<(Side, u16, usize), Dense> = BTreeMap::new();
    for derived in [false, true] {
        for (analysis, side) in sides {
            let system = &analysis.system;
            for (i, o) in system.operators.iter().enumerate() {
                let symbol = side.place(operator_symbol(i));
                let (rows, cols) = (dimensions.of(side, system, o.codomain), dimensions.of(side, system, o.domain));
                let made = witness.images.iter().find(|(v, _)| *v == symbol).map(|(_, image)| image);
                let function = witness.operators.iter().find(|(v, _)| *v == symbol).map(|(_, value)| value);
                if (made.is_some() || function.is_some()) != derived {
                    continue;
                }
                let value = match made {
                    _ if witness.assumptions.contains(&Assumption::Identity(side, i)) => Dense::scalar(rows, 1),
                    Some(made) => {
                        let other = side.other();
                        image_of(made, other, &found, (rows, cols), point)?
                    }
                    None if derived => fraction_of(function?, &found, (rows, cols), point)?,
                    None if o.class != 0 && rows == cols => {
                        // Operators that commute are polynomials in one.
                        let base = bases.entry((side, o.class, rows)).or_insert_with(|| {
                            let m = Dense::random(rows, rows, stream);
                            let symmetric = system.operators.iter().any(|p| p.class == o.class && p.symmetric);
                            if symmetric { m.plus(&m.transpose()) } else { m }
                        });
                        let [a, b, c] = [(); 3].map(|()| stream.next());
                        let square = base.after(base).times(c);
                        Dense::scalar(rows, a).plus(&base.times(b)).plus(&square)
                    }
                    None => {
                        let m = Dense::random(rows, cols, stream);
                        if o.symmetric && rows == cols { m.plus(&m.transpose()) } else { m }
                    }
                };
                found.insert(symbol, value);
            }
        }
    }
    let mut of = |analysis: &Analysis, side: Side| -> Option<Vec<Dense>> {
        (0..analysis.system.operators.len()).map(|i| found.remove(&side.place(operator_symbol(i)))).collect()
    };
    Some((of(first, Side::First)?, of(second, Side::Second)?))
}

/// A polynomial in the other side's operators.
fn image_of(
    image: &OperatorPolynomial,
    other: Side,
    found: &BTreeMap<Variable, Dense>,
    (rows, cols): (usize, usize),
    point: &Point,
) -> Option<Dense> {
    let mut sum = Dense::zero(rows, cols);
    for (word, coefficient) in image.terms() {
        let mut m = Dense::scalar(cols, point.value(coefficient)?);
        for letter in word.iter().rev() {
            let own = found.get(&other.place(operator_symbol(letter.operator as usize)))?;
            let own = if letter.inverse { own.inverse()? } else { own.clone() };
            let own = if letter.adjoint { own.transpose() } else { own };
            if own.cols != m.rows.len() {
                return None;
            }
            m = own.after(&m);
        }
        if m.rows.len() != rows {
            return None;
        }
        sum = sum.plus(&m);
    }
    Some(sum)
}

/// A rational function of one operator: of A'A or of AA' where A leads from one space to another.
fn fraction_of(
    value: &RationalFunction,
    found: &BTreeMap<Variable, Dense>,
    (rows, cols): (usize, usize),
    point: &Point,
) -> Option<Dense> {
    let symbols: Vec<Variable> = value.variables().into_iter().filter(|v| found.contains_key(v)).collect();
    let [symbol] = symbols[..] else { return None };
    let own = &found[&symbol];
    let is_square = own.rows.len() == own.cols;
    let (base, step) = match is_square {
        true => (own.clone(), 1),
        false if own.cols == rows => (own.transpose().after(own), 2),
        false => (own.after(&own.transpose()), 2),
    };
    if rows != cols || base.cols != rows {
        return None;
    }
    let at = |p: &Polynomial| -> Option<Dense> {
        let coefficients = p.coefficients_in(symbol);
        let mut sum = Dense::zero(rows, rows);
        for c in coefficients.into_iter().step_by(step).rev() {
            let c = point.value(&RationalFunction::polynomial(c))?;
            sum = base.after(&sum).plus(&Dense::scalar(rows, c));
        }
        Some(sum)
    };
    Some(at(value.numerator())?.after(&at(value.denominator())?.inverse()?))
}

/// One algorithm, stepped as written, from zero unless it is placed elsewhere.
struct Run<'a> {
    analysis: &'a Analysis,
    side: Side,
    timing: Timing,
    clock: &'a Clock<'a>,
    dimensions: &'a Dimensions,
    operators: Vec<Dense>,
    inverses: Vec<Option<Dense>>,
    known_operators: RefCell<HashMap<(usize, usize), Rc<Dense>>>,
    /// What solves for the unknowns of an iteration, if it is the same in all.
    known_solution: Option<Rc<Dense>>,
    gains: BTreeMap<usize, u64>,
    /// Iterates by signal and time.
    iterates: BTreeMap<(usize, i64), Vec<u64>>,
    /// Answers by channel, newest last.
    answers: Vec<Vec<Vec<u64>>>,
    /// Constant vectors; those without a value are zero.
    constants: BTreeMap<usize, Vec<u64>>,
    now: i64,
}

impl<'a> Run<'a> {
    fn new(
        analysis: &'a Analysis,
        side: Side,
        point: &'a Point,
        clock: &'a Clock<'a>,
        dimensions: &'a Dimensions,
        operators: Vec<Dense>,
        witness: &Witness,
    ) -> Option<Run<'a>> {
        let inverses = operators.iter().map(|m| (m.rows.len() == m.cols).then(|| m.inverse()).flatten()).collect();
        let mut gains = BTreeMap::new();
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
            iterates: BTreeMap::new(),
            answers,
            constants: BTreeMap::new(),
            now: 0,
        })
    }

    /// Places the run at a state as written, before an iteration.
    fn place(&mut self, now: i64, values: &[Vec<u64>]) {
        self.now = now;
        for (state, value) in written(self.analysis).iter().zip(values) {
            match *state {
                State::Signal(s, offset) => drop(self.iterates.insert((s, now + i64::from(offset)), value.clone())),
                // Younger answers come first in a state and last in the log.
                State::Answer(channel, _) => self.answers[channel].insert(0, value.clone()),
            }
        }
    }

    fn size(&self, space: Space) -> usize {
        self.dimensions.of(self.side, &self.analysis.system, space)
    }

    fn answer_size(&self, channel: usize) -> usize {
        self.size(self.analysis.system.calls[self.analysis.channels[channel].call].output)
    }

    /// One iteration with the given answers: the queries of all channels.
    fn step(&mut self, answers: &BTreeMap<usize, Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let layout = Layout::new(self);
        let unknowns = if self.known_solution.is_some() { 0 } else { layout.total };
        let mut matrix = Dense::zero(unknowns, unknowns);
        let mut rhs = vec![0; layout.total];
        for s in 0..self.analysis.system.signals.len() {
            let e = self.timing.equation[s];
            let form = &self.analysis.system.equations[e].form;
            self.add_row(form, self.timing.moved[e], layout.signals[s], answers, &layout, &mut matrix, &mut rhs)?;
        }
        for (&c, &g) in &self.gains {
            // u − g y = 0
            let call = &self.analysis.system.calls[self.analysis.channels[c].call];
            let at = layout.closed[&c];
            let moved = self.timing.moved[call.equation];
            self.add_row(&call.argument, moved, at, answers, &layout, &mut matrix, &mut rhs)?;
            for i in at..at + self.size(call.input) {
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
        for (s, signal) in system.signals.iter().enumerate() {
            let at = layout.signals[s];
            let time = self.now + i64::from(self.timing.defined[s]);
            self.iterates.insert((s, time), solution[at..at + self.size(signal.space)].to_vec());
        }
        let mut given = answers.clone();
        for (&c, &at) in &layout.closed {
            given.insert(c, solution[at..at + self.answer_size(c)].to_vec());
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

    /// So many iterations, the channels numbered on from one to the next: the queries of all.
    fn steps(&mut self, times: usize, answers: &BTreeMap<usize, Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let p = self.analysis.channels.len();
        let mut queries = Vec::new();
        for s in 0..times {
            let own = answers.range(s * p..(s + 1) * p).map(|(i, u)| (i - s * p, u.clone())).collect();
            queries.extend(self.step(&own)?);
        }
        Some(queries)
    }

    /// The answer that a call reads, or the channel whose present answer it is.
    fn answer(&self, call: usize, answers: &BTreeMap<usize, Vec<u64>>) -> Result<Vec<u64>, usize> {
        let (channel, delay) = self
            .analysis
            .channels
            .iter()
            .enumerate()
            .find_map(|(i, c)| c.calls.iter().find(|(n, _)| *n == call).map(|(_, d)| (i, *d)))
            .expect("every call is served");
        if delay == 0 {
            return answers.get(&channel).cloned().ok_or(channel);
        }
        let past = &self.answers[channel];
        Ok(past.len().checked_sub(delay).map_or_else(|| vec![0; self.answer_size(channel)], |i| past[i].clone()))
    }

    /// Known terms go to the right, unknown ones into the matrix.
    #[allow(clippy::too_many_arguments, reason = "one row of one linear system")]
    fn add_row(
        &self,
        form: &LinearForm,
        moved: i32,
        row: usize,
        answers: &BTreeMap<usize, Vec<u64>>,
        layout: &Layout,
        matrix: &mut Dense,
        rhs: &mut [u64],
    ) -> Option<()> {
        for (atom, coefficient) in form {
            let unknown = match *atom {
                Atom::Signal(s, offset) if offset + moved == self.timing.defined[s] => {
                    Some((layout.signals[s], self.analysis.system.signals[s].space))
                }
                Atom::Call(c) => match self.answer(c, answers) {
                    Ok(_) => None,
                    Err(channel) => Some((*layout.closed.get(&channel)?, self.analysis.system.calls[c].output)),
                },
                _ => None,
            };
            let m = self.operator(coefficient, moved, self.atom_size(*atom))?;
            match unknown {
                Some(_) if self.known_solution.is_some() => {}
                Some((at, _)) => {
                    for (i, r) in m.rows.iter().enumerate() {
                        for (j, x) in r.iter().enumerate() {
                            matrix.rows[row + i][at + j] = add(matrix.rows[row + i][at + j], *x);
                        }
                    }
                }
                None => {
                    let value = m.apply(&self.known(*atom, moved, answers)?);
                    value.iter().enumerate().for_each(|(i, x)| rhs[row + i] = add(rhs[row + i], (PRIME - x) % PRIME));
                }
            }
        }
        Some(())
    }

    fn evaluate(
        &self,
        form: &LinearForm,
        moved: i32,
        size: usize,
        answers: &BTreeMap<usize, Vec<u64>>,
    ) -> Option<Vec<u64>> {
        let mut sum = vec![0; size];
        for (atom, coefficient) in form {
            let m = self.operator(coefficient, moved, self.atom_size(*atom))?;
            let value = m.apply(&self.known(*atom, moved, answers)?);
            sum.iter_mut().zip(&value).for_each(|(x, y)| *x = add(*x, *y));
        }
        Some(sum)
    }

    fn atom_size(&self, atom: Atom) -> usize {
        self.size(self.analysis.system.space_of(atom))
    }

    fn known(&self, atom: Atom, moved: i32, answers: &BTreeMap<usize, Vec<u64>>) -> Option<Vec<u64>> {
        Some(match atom {
            Atom::Signal(s, offset) => {
                let time = self.now + i64::from(offset + moved);
                self.iterates.get(&(s, time)).cloned().unwrap_or_else(|| vec![0; self.atom_size(atom)])
            }
            Atom::Call(c) => self.answer(c, answers).ok()?,
            // Constants are compared with the transfer matrix; runs from zero are without them.
            Atom::Constant(c) => self.constants.get(&c).cloned().unwrap_or_else(|| vec![0; self.atom_size(atom)]),
        })
    }

    /// The operator polynomial as a matrix on vectors of a size.
    fn operator(&self, p: &OperatorPolynomial, moved: i32, size: usize) -> Option<Rc<Dense>> {
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

    fn operator_at(&self, p: &OperatorPolynomial, time: i64, size: usize) -> Option<Dense> {
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
struct Layout {
    signals: Vec<usize>,
    closed: BTreeMap<usize, usize>,
    total: usize,
}

impl Layout {
    fn new(run: &Run) -> Layout {
        let mut total = 0;
        let mut place = |n: usize| {
            total += n;
            total - n
        };
        let signals = run.analysis.system.signals.iter().map(|s| place(run.size(s.space))).collect();
        let closed = run.gains.keys().map(|&c| (c, place(run.answer_size(c)))).collect();
        Layout { signals, closed, total }
    }
}
