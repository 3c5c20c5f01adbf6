//! Whether both make the same calls from the claimed starts.

use super::carried::{Exchange, Inverses, mixed};
use super::clock::{Clock, Paced, numbers};
use super::point::{Point, random_vector};
use super::run::Run;
use super::space::{Dimensions, operators};
use super::{Recheck, STEPS};
use crate::operator::OperatorPolynomial;
use crate::prime_field::{Dense, PRIME, Stream, add, invert, multiply, negate, square_root};
use crate::relation::behavior::Side;
use crate::relation::radicals::ROOT;
use crate::relation::state_map::{Combination, Source, StateMap, constants, leads, scaled_matrices, skipped, written};
use crate::relation::verdict::Witness;
use crate::relation::words::{WordMap, Words};
use crate::system::operator_symbol;
use crate::transfer::{Analysis, State};
use linnaeus_algebra::{Coefficient, Matrix, RationalFunction, SortedMap, SortedSet};

/// What two runs from a claimed start show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether the second asks what the first does.
    pub follows: bool,
    /// States of the second that hold answers to calls which its own text makes at its start, and that the start sets to
    /// something else than what the oracle gives.
    pub set: SortedSet<usize>,
}

/// What runs show, at the first point that can be tried.
fn verdict(shown: Option<Shown>) -> Recheck {
    match shown {
        None => Recheck::NotSimulable,
        Some(shown) if shown.follows && shown.set.is_empty() => Recheck::Passed,
        Some(_) => Recheck::Failed,
    }
}

/// Runs both from a random state of the first and the state of the second that the map makes of it.
/// Operators that commute are numbers here, and so are all vectors.
pub fn recheck_start(first: &Analysis, second: &Analysis, witness: &Witness, map: &StateMap) -> Recheck {
    verdict(shown_start(first, second, witness, map))
}

/// What these runs show.
pub fn shown_start(first: &Analysis, second: &Analysis, witness: &Witness, map: &StateMap) -> Option<Shown> {
    (0..8).find_map(|seed| attempt_start(first, second, witness, map, seed))
}

fn attempt_start(first: &Analysis, second: &Analysis, witness: &Witness, map: &StateMap, seed: u64) -> Option<Shown> {
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
    let mut states = Vec::new();
    for (j, state) in written(second).iter().enumerate() {
        let start = map.initialization.iter().find(|(i, _)| *i == j);
        states.push(match (start, known.0.get(&Source::Own(j)), state) {
            (Some((_, start)), ..) => known.combine(start, &point)?,
            (None, Some(own), _) => *own,
            (None, None, State::Answer(..)) => stream.next(),
            (None, None, State::Signal(..)) => 0,
        });
    }
    b.place(map.begins, &single(states));
    let early = |i: usize, k: usize| known.0.get(&Source::Answer(i, k)).map(|x| vec![*x]);
    let claimed: Vec<usize> = map.initialization.iter().map(|(j, _)| *j).collect();
    shown(a, b, witness, &early, (&claimed, STEPS), &mut stream)
}

/// Runs both, the second from a state of which these components are claimed.
fn shown(
    mut a: Run,
    mut b: Run,
    witness: &Witness,
    early: &dyn Fn(usize, usize) -> Option<Vec<u64>>,
    (claimed, steps): (&[usize], i64),
    stream: &mut Stream,
) -> Option<Shown> {
    let answers: Vec<Kept> = claimed.iter().filter_map(|j| Kept::new(&a, &b, witness, *j)).collect();
    let turn = b.now.div_euclid(witness.times(Side::Second) as i64);
    let clock = b.clock;
    let log = drive(&mut a, witness, early, steps, stream)?;
    let follows = are_called(&a, witness, &log) && follow(&mut b, witness, &log, steps)?;
    let matrices = scaled_matrices(witness).ok()??;
    let mut inverses = Inverses::new(&matrices);
    let mut set = SortedSet::new();
    for kept in answers {
        let called = kept.before.or_else(|| log.get(kept.time?).map(|calls| calls[&kept.channel].clone()));
        let is_given = called.zip(inverses.at(clock, turn + kept.turn)).is_some_and(|((y, u), inverse)| {
            let of = |row: usize| mixed(inverse[kept.pair][row], &y, &u);
            (of(0), of(1)) == kept.own
        });
        set.extend(Some(kept.state).filter(|_| !is_given));
    }
    Some(Shown { follows, set })
}

/// Whether the answers that only the first is given are the iterates that they are called after.
fn are_called(a: &Run, witness: &Witness, log: &[Exchange]) -> bool {
    let (p, times) = (a.analysis.channels.len(), witness.times(Side::First) as i64);
    let early = skipped(witness).into_iter().flat_map(|(i, m)| (0..m).map(move |t| (i, t)));
    early.into_iter().all(|(i, t)| {
        let (named, index) = a.timing.answer(&a.analysis.system, &a.analysis.channels[i % p]);
        let at = t as i64 * times + (i / p) as i64 + i64::from(index);
        named.is_none_or(|s| a.iterates.get(&(s, at)) == Some(&log[t][&i].1))
    })
}

/// An answer that the second keeps from a call before its start, of which its state tells what was asked.
struct Kept {
    state: usize,
    pair: usize,
    /// The first's channel.
    channel: usize,
    /// The iteration, counted from the second's start.
    turn: i64,
    /// That of the first, unless it is before its start.
    time: Option<usize>,
    /// What was asked and answered.
    own: (Vec<u64>, Vec<u64>),
    /// The same in the first, if that was before its start and its state tells.
    before: Option<(Vec<u64>, Vec<u64>)>,
}

impl Kept {
    fn new(a: &Run, b: &Run, witness: &Witness, state: usize) -> Option<Kept> {
        let State::Answer(channel, age) = written(b.analysis)[state] else { return None };
        let (times, p) = (witness.times(Side::Second) as i64, b.analysis.channels.len());
        let (turn, phase) = (i64::from(age).div_euclid(times), i64::from(age).rem_euclid(times) as usize);
        let pair = witness.channel_map.iter().position(|(_, j)| *j == phase * p + channel)?;
        let own = call_before(b, channel, -i64::from(age))?;
        let (channel, time) = (witness.channel_map[pair].0, turn + leads(witness)[pair] as i64);
        let p = a.analysis.channels.len();
        let ago = -(time * witness.times(Side::First) as i64 + (channel / p) as i64);
        let before = if time < 0 { call_before(a, channel % p, ago) } else { None };
        Some(Kept { state, pair, channel, turn, time: usize::try_from(time).ok(), own, before })
    }
}

fn call_before(run: &Run, channel: usize, ago: i64) -> Option<(Vec<u64>, Vec<u64>)> {
    Some((run.asked_before(channel, ago)?, run.answered_before(channel, ago)?.clone()))
}

/// The first's queries and answers by iteration and channel, answers random unless they are known.
pub fn drive(
    a: &mut Run,
    witness: &Witness,
    known: &dyn Fn(usize, usize) -> Option<Vec<u64>>,
    steps: i64,
    stream: &mut Stream,
) -> Option<Vec<Exchange>> {
    let mut log = Vec::new();
    let longest = leads(witness).into_iter().max().unwrap_or(0);
    for k in 0..steps as usize + longest {
        let mut answers = SortedMap::new();
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
pub fn follow(b: &mut Run, witness: &Witness, log: &[Exchange], steps: i64) -> Option<bool> {
    let matrices = scaled_matrices(witness).ok()??;
    let lead = leads(witness);
    let mut inverses = Inverses::new(&matrices);
    for k in 0..steps as usize {
        let turn = b.now.div_euclid(witness.times(Side::Second) as i64);
        let inverse = inverses.at(b.clock, turn)?;
        let mut answers = SortedMap::new();
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

/// Runs both from random states of the first and those of the second that the map makes of them, as
/// vectors, with operators that are random matrices and sequences that keep to their rules.
pub fn recheck_words(first: &Analysis, second: &Analysis, witness: &Witness, map: &WordMap) -> Recheck {
    verdict(shown_words(first, second, witness, map))
}

/// What these runs show.
pub fn shown_words(first: &Analysis, second: &Analysis, witness: &Witness, map: &WordMap) -> Option<Shown> {
    (0..8).find_map(|seed| attempt_words(first, second, witness, map, seed))
}

fn attempt_words(first: &Analysis, second: &Analysis, witness: &Witness, map: &WordMap, seed: u64) -> Option<Shown> {
    let mut stream = Stream::new(seed);
    let mut point = Point::new(first, second, witness.branches.first()?, &mut stream)?;
    if let Some(radicand) = &map.root {
        point.values.insert(ROOT, square_root(radicand.evaluate_mod(&|v| point.at(v), PRIME))?);
    }
    let branch = witness.branches.first()?;
    let pace = Paced::new(first, second, witness)?;
    let (course, steps, _) = numbers(&pace, witness, (branch, &mut point), map.moment, &mut stream)?;
    let clock = Clock { witness, point: &point, paced: Some((&pace, course)) };
    let dimensions = Dimensions::new(first, second, witness);
    let (a_operators, b_operators) = operators(first, second, &dimensions, witness, &point, &mut stream)?;
    let mut a = Run::new(first, Side::First, &point, &clock, &dimensions, a_operators, witness)?;
    let mut b = Run::new(second, Side::Second, &point, &clock, &dimensions, b_operators, witness)?;
    let (own, others) = if map.letters == Side::First { (&a, &b) } else { (&b, &a) };
    let matrices: Vec<Dense> = own.operators.iter().chain(&others.operators).cloned().collect();
    let combine = |words: &Words, known: &SortedMap<Source, Vec<u64>>, size: usize| -> Option<Vec<u64>> {
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
    let mut known: SortedMap<Source, Vec<u64>> =
        map.sources.iter().map(|&s| (s, random_vector(size(s), &mut stream))).collect();
    let others = |n: usize, s: Source| vanishing.iter().enumerate().any(|(m, w)| m != n && mentions(w, s));
    let mut solved = Vec::new();
    for (n, words) in vanishing.iter().enumerate() {
        let number = |(s, c): &(Source, OperatorPolynomial)| {
            let number = c.as_scalar().filter(|_| !others(n, *s))?;
            clock.joint(&number, 0).filter(|x| *x != 0).map(|x| (*s, x))
        };
        match words.iter().find_map(number) {
            Some((source, number)) => solved.push((source, number, words)),
            None => words.iter().for_each(|(s, _)| known.insert(*s, vec![0; size(*s)]).map_or((), drop)),
        }
    }
    for (source, number, words) in solved {
        known.insert(source, vec![0; size(source)]);
        let rest = combine(words, &known, size(source))?;
        let over = negate(invert(number));
        known.insert(source, rest.into_iter().map(|x| multiply(x, over)).collect());
    }
    let states: Vec<Vec<u64>> = (0..written(first).len()).map(|i| known[&Source::State(i)].clone()).collect();
    let mut theirs = Vec::new();
    for (j, state) in written(second).iter().enumerate() {
        let size = state_size(&b, Side::Second, state);
        theirs.push(match (map.initialization.iter().find(|(i, _)| *i == j), known.get(&Source::Own(j))) {
            (Some((_, words)), _) => combine(words, &known, size)?,
            (None, Some(own)) => own.clone(),
            (None, None) if matches!(state, State::Answer(..)) => random_vector(size, &mut stream),
            (None, None) => vec![0; size],
        });
    }
    let hung = witness.constant_map();
    let constants = |run: &Run, side: Side| -> Option<SortedMap<usize, Vec<u64>>> {
        let list = &run.analysis.system.constants;
        let all = hung.of(side, list.len());
        let mut found = SortedMap::new();
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
    let claimed: Vec<usize> = map.initialization.iter().map(|(j, _)| *j).collect();
    let shown = shown(a, b, witness, &early, (&claimed, steps), &mut stream)?;
    Some(shown).filter(|shown| shown.follows || clock.is_exact())
}

pub fn mentions(words: &Words, source: Source) -> bool {
    words.iter().any(|(s, _)| *s == source)
}

/// Vectors of one component.
pub fn single(values: Vec<u64>) -> Vec<Vec<u64>> {
    values.into_iter().map(|x| vec![x]).collect()
}

/// Numbers for all that is known at the start.
pub struct Known(pub SortedMap<Source, u64>);

impl Known {
    /// Random ones for which all that the map requires is zero.
    pub fn random(
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
        sources.extend(map.own.iter().map(|j| Source::Own(*j)));
        let vanishing: Vec<&Combination> = map.required.iter().chain(&map.implicit).collect();
        let coefficient = |c: &Combination, s: Source| {
            c.iter().find(|(t, _)| *t == s).map_or_else(RationalFunction::zero, |(_, r)| r.clone())
        };
        let required = Matrix::from_fn(vanishing.len(), sources.len(), |i, j| coefficient(vanishing[i], sources[j]));
        let free = required.null_space().ok()?;
        let random = random_vector(free.cols(), stream);
        let mut values = SortedMap::new();
        for (i, source) in sources.iter().enumerate() {
            let mut sum = 0;
            for (j, x) in random.iter().enumerate() {
                sum = add(sum, multiply(*x, point.value(&free[(i, j)])?));
            }
            values.insert(*source, sum);
        }
        Some(Known(values))
    }

    pub fn value(&self, source: Source) -> u64 {
        self.0.get(&source).copied().unwrap_or(0)
    }

    /// The constants of a side.
    pub fn constants(
        &self,
        witness: &Witness,
        side: Side,
        analysis: &Analysis,
        point: &Point,
    ) -> Option<SortedMap<usize, Vec<u64>>> {
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

    pub fn combine(&self, combination: &Combination, point: &Point) -> Option<u64> {
        combination.iter().try_fold(0, |sum, (s, c)| Some(add(sum, multiply(point.value(c)?, self.value(*s)))))
    }
}
