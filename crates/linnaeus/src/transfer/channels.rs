//! Which calls are one. Two calls of an oracle are the same channel when their queries are the same
//! signal up to a time shift, decided on the solved signals, not on the text. The call with the
//! largest index offset then defines the channel; the others read its older answers.

use super::graph::between;
use super::guises::may_follow;
use super::realization::{Realization, State};
use crate::system::{LinearSystem, Oracle};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, spend};

/// A channel: one oracle call per iteration.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What is called.
    pub oracle: Oracle,
    /// The call that defines it, as an index into the system's calls.
    pub call: usize,
    /// Every call that it serves, in the order of the text, and how many iterations ago it was made. None where several
    /// iterations are taken as one and the first makes the same call.
    pub calls: Vec<(usize, usize)>,
    /// Which of the channels of the same oracle it is, from 1; 0 if it is the only one.
    pub copy: usize,
}

/// How a raw call is served: by which call, and how many iterations ago.
type Memory = Vec<(usize, usize)>;

/// σ: a coefficient one iteration later.
pub type Later<'a, T> = &'a dyn Fn(&T) -> Result<T, Exhausted>;

/// Finds the channels and the realization with one input and one output for each.
pub fn merge<T: Coefficient>(
    system: &LinearSystem,
    raw: &Realization<T>,
    later: Later<T>,
) -> Result<(Vec<Channel>, Realization<T>), Exhausted> {
    let mut memory: Memory = (0..system.calls.len()).map(|c| (c, 0)).collect();
    loop {
        let (heads, realization) = identify(raw, &memory)?;
        match find_twins(system, &heads, &realization, later)? {
            None => return Ok((channels(system, &memory, &heads), realization)),
            Some((old, new, shift)) => {
                for served in memory.iter_mut().filter(|m| m.0 == old) {
                    *served = (new, served.1 + shift);
                }
            }
        }
    }
}

/// Calls that define a channel, ordered by the first call in the text that each serves.
fn heads(memory: &Memory) -> Vec<usize> {
    let mut found = Vec::new();
    for (head, _) in memory {
        if !found.contains(head) {
            found.push(*head);
        }
    }
    found
}

fn channels(system: &LinearSystem, memory: &Memory, heads: &[usize]) -> Vec<Channel> {
    let unsampled = |o: &Oracle| Oracle { sample: None, ..o.clone() };
    let all: Vec<Oracle> = heads.iter().map(|&h| unsampled(&system.calls[h].oracle)).collect();
    let number = |i: usize| {
        let twins = all.iter().filter(|o| **o == all[i]).count();
        if twins == 1 { 0 } else { all[..=i].iter().filter(|o| **o == all[i]).count() }
    };
    let channel = |(i, &head): (usize, &usize)| Channel {
        oracle: system.calls[head].oracle.clone(),
        call: head,
        calls: memory.iter().enumerate().filter(|(_, m)| m.0 == head).map(|(c, m)| (c, m.1)).collect(),
        copy: number(i),
    };
    heads.iter().enumerate().map(channel).collect()
}

/// The realization with the channels as they were found before.
pub fn with_channels<T: Coefficient>(raw: &Realization<T>, channels: &[Channel]) -> Result<Realization<T>, Exhausted> {
    let mut memory: Memory = vec![(0, 0); channels.iter().map(|c| c.calls.len()).sum()];
    for channel in channels {
        channel.calls.iter().for_each(|&(call, delay)| memory[call] = (channel.call, delay));
    }
    Ok(identify(raw, &memory)?.1)
}

/// The realization in which calls that are served by another one read its older answers.
fn identify<T: Coefficient>(raw: &Realization<T>, memory: &Memory) -> Result<(Vec<usize>, Realization<T>), Exhausted> {
    let heads = heads(memory);
    let place = |call: usize| heads.iter().position(|h| *h == call).expect("a head");
    let mut states = raw.states.clone();
    let is_read = |call: usize| {
        (0..raw.b.rows()).any(|i| !raw.b[(i, call)].is_zero()) || heads.iter().any(|&i| !raw.d[(i, call)].is_zero())
    };
    for (i, head) in heads.iter().enumerate() {
        let served = memory.iter().enumerate().filter(|(call, m)| m.0 == *head && is_read(*call));
        let oldest = served.map(|(_, m)| m.1).max().unwrap_or(0);
        states.extend((1..=oldest).map(|age| State::Answer(i, -(age as i32))));
    }
    let constants = raw.b.cols() - memory.len();
    let (n, k) = (raw.states.len(), states.len());
    let inputs = heads.len() + constants;
    let answer = |channel: usize, age: usize| {
        states.iter().position(|s| *s == State::Answer(channel, -(age as i32))).expect("just made")
    };
    // Where column j of the raw inputs goes: a state or an input.
    let column = |j: usize| match memory.get(j) {
        None => k + heads.len() + j - memory.len(),
        Some((head, 0)) => k + place(*head),
        Some((head, age)) => answer(place(*head), *age),
    };
    let mut rows: Vec<Vec<T>> = vec![vec![T::zero(); k + inputs]; k + heads.len()];
    let mut fill = |row: usize, left: &[T], right: &[T]| -> Result<(), Exhausted> {
        for (j, value) in left.iter().enumerate() {
            rows[row][j] = value.clone();
        }
        for (j, value) in right.iter().enumerate().filter(|(_, v)| !v.is_zero()) {
            let at = &mut rows[row][column(j)];
            *at = at.add(value)?;
        }
        Ok(())
    };
    for i in 0..n {
        fill(i, raw.a.row(i), raw.b.row(i))?;
    }
    for (i, head) in heads.iter().enumerate() {
        fill(k + i, raw.c.row(*head), raw.d.row(*head))?;
    }
    for (i, state) in states.iter().enumerate() {
        if let State::Answer(channel, age) = *state {
            let source = if age == -1 { k + channel } else { answer(channel, (-age - 1) as usize) };
            rows[i][source] = T::one();
        }
    }
    let part = |from: usize, to: usize, left: usize, right: usize| {
        Matrix::from_fn(to - from, right - left, |i, j| rows[from + i][left + j].clone())
    };
    let realization = Realization {
        states: states.clone(),
        a: part(0, k, 0, k),
        b: part(0, k, k, k + inputs),
        c: part(k, k + heads.len(), 0, k),
        d: part(k, k + heads.len(), k, k + inputs),
    };
    Ok((heads, realization))
}

/// Two channels that are one: the first's query, so many iterations later, is the second's.
fn find_twins<T: Coefficient>(
    system: &LinearSystem,
    heads: &[usize],
    r: &Realization<T>,
    later: Later<T>,
) -> Result<Option<(usize, usize, usize)>, Exhausted> {
    let parts = Parts::new(r, later);
    // Calls of one iteration first: a query that never changes is the same at all times.
    let most = r.states.len();
    let ways = [0, most].into_iter().flat_map(|most| (0..heads.len()).map(move |late| (most, late)));
    for (most, late) in ways {
        let oracle = |i: usize| &system.calls[heads[i]].oracle;
        let alike = |i: usize| Oracle { step: oracle(late).step.clone(), ..oracle(i).clone() } == *oracle(late);
        let rivals: Vec<usize> = (0..heads.len()).filter(|&i| i != late && alike(i)).collect();
        if rivals.is_empty() {
            continue;
        }
        let mut query = parts.query(late);
        for shift in 0..=most {
            let step = system.schedules.advanced(&oracle(late).step, shift as i64)?;
            for &early in rivals.iter().filter(|&&i| oracle(i).step == step) {
                // Of two calls that are one at the same time, the later in the text gives way.
                let gives_way = shift > 0 || early < late;
                let is_sampled_alike = samples_agree(system, heads[late], heads[early], shift);
                if gives_way && is_sampled_alike && parts.agree(&query, &parts.query(early))? {
                    return Ok(Some((heads[late], heads[early], shift)));
                }
            }
            if !query.answers.is_zero() {
                break;
            }
            query = parts.advanced(&query)?;
        }
    }
    Ok(None)
}

/// A channel that calls another oracle of a function: its query, so many iterations later, is what the graph of the
/// function makes of the other channel's pair.
pub struct Derived {
    /// That channel.
    pub late: usize,
    /// The other one.
    pub early: usize,
    /// How many iterations later.
    pub shift: usize,
}

/// The first channel whose answers follow from those of another. `number` is a number as a coefficient.
pub fn derived<T: Coefficient>(
    system: &LinearSystem,
    channels: &[Channel],
    r: &Realization<T>,
    later: Later<T>,
    number: &dyn Fn(&RationalFunction) -> T,
) -> Result<Option<Derived>, Exhausted> {
    let parts = Parts::new(r, later);
    let most = r.states.len();
    // Of two that are known from each other the later in the text gives way.
    let ways = [0, most].into_iter().flat_map(|most| (0..channels.len()).rev().map(move |late| (most, late)));
    for (most, late) in ways {
        let rivals = |early: &usize| *early != late && may_follow(&channels[late].oracle, &channels[*early].oracle);
        let rivals: Vec<usize> = (0..channels.len()).filter(rivals).collect();
        if rivals.is_empty() {
            continue;
        }
        let mut query = parts.query(late);
        for shift in 0..=most {
            let step = system.schedules.advanced(&channels[late].oracle.step, shift as i64)?;
            let own = Oracle { step, ..channels[late].oracle.clone() };
            for &early in &rivals {
                let m = between(&own, &channels[early].oracle)?;
                let expected = parts.mixed(early, &number(&m[(0, 0)]), &number(&m[(0, 1)]))?;
                if parts.agree(&query, &expected)? {
                    return Ok(Some(Derived { late, early, shift }));
                }
            }
            if !query.answers.is_zero() {
                break;
            }
            query = parts.advanced(&query)?;
        }
    }
    Ok(None)
}

/// Which channels make the same call in every iteration: the query never changes, nor does what is called.
pub fn fixed<T: Coefficient>(
    system: &LinearSystem,
    channels: &[Channel],
    r: &Realization<T>,
    later: Later<T>,
) -> Result<Vec<bool>, Exhausted> {
    let parts = Parts::new(r, later);
    let is_fixed = |(i, channel): (usize, &Channel)| {
        let query = parts.query(i);
        if !query.answers.is_zero() || !samples_agree(system, channel.call, channel.call, 1) {
            return Ok(false);
        }
        let next = channel.oracle.with_numbers(&mut |r| system.schedules.advanced(r, 1))?;
        Ok(next == channel.oracle && parts.advanced(&query)? == query)
    };
    channels.iter().enumerate().map(is_fixed).collect()
}

/// The samples that the calls carry are shifted as much as the queries.
fn samples_agree(system: &LinearSystem, late: usize, early: usize, shift: usize) -> bool {
    let offset = |c: usize| system.calls[c].sample.as_ref().and_then(|s| s.index.as_ref()).map(|i| i.halves);
    match (offset(late), offset(early)) {
        (Some(late), Some(early)) => early - late == 2 * shift as i64,
        (None, None) => true,
        _ => false,
    }
}

/// The matrices of a realization, answers and constants apart.
struct Parts<'a, T> {
    r: &'a Realization<T>,
    later: Later<'a, T>,
    b: Matrix<T>,
    e: Matrix<T>,
}

/// A query some iterations later, in terms of the present state, the present answers and constants.
#[derive(PartialEq)]
struct Query<T> {
    state: Matrix<T>,
    answers: Matrix<T>,
    constants: Matrix<T>,
}

impl<'a, T: Coefficient> Parts<'a, T> {
    fn new(r: &'a Realization<T>, later: Later<'a, T>) -> Self {
        let states: Vec<usize> = (0..r.states.len()).collect();
        let (answers, constants) = columns(r);
        Parts { r, later, b: r.b.submatrix(&states, &answers), e: r.b.submatrix(&states, &constants) }
    }

    fn query(&self, i: usize) -> Query<T> {
        let states: Vec<usize> = (0..self.r.states.len()).collect();
        let (answers, constants) = columns(self.r);
        Query {
            state: self.r.c.submatrix(&[i], &states),
            answers: self.r.d.submatrix(&[i], &answers),
            constants: self.r.d.submatrix(&[i], &constants),
        }
    }

    /// So many times the query of a channel plus so many times its answer.
    fn mixed(&self, i: usize, query: &T, answer: &T) -> Result<Query<T>, Exhausted> {
        let Query { state, answers, constants } = self.query(i);
        let mut answers = answers.scale(query)?;
        answers[(0, i)] = answers[(0, i)].add(answer)?;
        Ok(Query { state: state.scale(query)?, answers, constants: constants.scale(query)? })
    }

    /// One iteration later; none of the later answers may enter. A constant is the same at all
    /// times, so that only its total effect counts.
    fn advanced(&self, q: &Query<T>) -> Result<Query<T>, Exhausted> {
        spend(q.state.cols() as u64)?;
        let (state, constants) = (q.state.try_map(self.later)?, q.constants.try_map(self.later)?);
        Ok(Query {
            answers: state.mul(&self.b)?,
            constants: constants.add(&state.mul(&self.e)?)?,
            state: state.mul(&self.r.a)?,
        })
    }

    /// Whether the query is another signal for all answers and, but for a transient, all initial states.
    fn agree(&self, q: &Query<T>, other: &Query<T>) -> Result<bool, Exhausted> {
        spend(q.state.cols() as u64)?;
        if q.answers != other.answers {
            return Ok(false);
        }
        let zero = Matrix::zero(1, q.answers.cols());
        let mut difference =
            Query { state: q.state.sub(&other.state)?, answers: zero, constants: q.constants.sub(&other.constants)? };
        for _ in 0..self.r.states.len() {
            if difference.state.is_zero() {
                break;
            }
            difference = self.advanced(&difference)?;
            if !difference.answers.is_zero() {
                return Ok(false);
            }
        }
        Ok(difference.state.is_zero() && difference.constants.is_zero())
    }
}

/// The columns of the answers and those of the constants.
fn columns<T: Coefficient>(r: &Realization<T>) -> (Vec<usize>, Vec<usize>) {
    ((0..r.c.rows()).collect(), (r.c.rows()..r.d.cols()).collect())
}
