//! Which calls are one. Two calls of an oracle are the same channel when their queries are the same
//! signal up to a time shift, decided on the solved signals, not on the text. The call with the
//! largest index offset then defines the channel; the others read its older answers.

use super::realization::{Realization, State};
use crate::system::{LinearSystem, Oracle};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix};

/// A channel: one oracle call per iteration.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What is called.
    pub oracle: Oracle,
    /// The call that defines it, as an index into the system's calls.
    pub call: usize,
    /// Every call that it serves, in the order of the text, and how many iterations ago it was made.
    pub calls: Vec<(usize, usize)>,
    /// Which of the channels of the same oracle it is, from 1; 0 if it is the only one.
    pub copy: usize,
}

/// How a raw call is served: by which call, and how many iterations ago.
pub type Memory = Vec<(usize, usize)>;

/// Finds the channels and the realization with one input and one output for each.
pub fn merge<T: Coefficient>(system: &LinearSystem, raw: &Realization<T>) -> Result<(Vec<Channel>, Realization<T>), Exhausted> {
    let mut memory: Memory = (0..system.calls.len()).map(|c| (c, 0)).collect();
    loop {
        let (heads, realization) = identify(raw, &memory)?;
        match find_twins(system, &memory, &heads, &realization)? {
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
    let all: Vec<&Oracle> = heads.iter().map(|&h| &system.calls[h].oracle).collect();
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

/// The realization in which calls that are served by another one read its older answers.
fn identify<T: Coefficient>(raw: &Realization<T>, memory: &Memory) -> Result<(Vec<usize>, Realization<T>), Exhausted> {
    let heads = heads(memory);
    let place = |call: usize| heads.iter().position(|h| *h == call).expect("a head");
    let mut states = raw.states.clone();
    for (i, head) in heads.iter().enumerate() {
        let oldest = memory.iter().filter(|m| m.0 == *head).map(|m| m.1).max().unwrap_or(0);
        states.extend((1..=oldest).map(|age| State::Answer(i, -(age as i32))));
    }
    let constants = raw.b.cols() - memory.len();
    let (n, k) = (raw.states.len(), states.len());
    let inputs = heads.len() + constants;
    let answer = |channel: usize, age: usize| states.iter().position(|s| *s == State::Answer(channel, -(age as i32))).expect("just made");
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
    let part = |from: usize, to: usize, left: usize, right: usize| Matrix::from_fn(to - from, right - left, |i, j| rows[from + i][left + j].clone());
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
    memory: &Memory,
    heads: &[usize],
    r: &Realization<T>,
) -> Result<Option<(usize, usize, usize)>, Exhausted> {
    for i in 0..heads.len() {
        for j in i + 1..heads.len() {
            if system.calls[heads[i]].oracle != system.calls[heads[j]].oracle {
                continue;
            }
            for (late, early) in [(j, i), (i, j)] {
                for shift in 0..=r.states.len() {
                    if samples_agree(system, heads[late], heads[early], shift) && is_delayed(r, late, early, shift)? {
                        debug_assert!(memory.iter().any(|m| m.0 == heads[late]));
                        return Ok(Some((heads[late], heads[early], shift)));
                    }
                }
            }
        }
    }
    Ok(None)
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

/// Whether y_late[k + shift] = y_early[k] for all inputs and, but for a transient, all initial states.
fn is_delayed<T: Coefficient>(r: &Realization<T>, late: usize, early: usize, shift: usize) -> Result<bool, Exhausted> {
    let n = r.states.len();
    let row = |m: &Matrix<T>, i: usize| Matrix::from_rows(vec![m.row(i).to_vec()]);
    let mut state = row(&r.c, late);
    let mut direct = row(&r.d, late);
    for _ in 0..shift {
        if !direct.is_zero() {
            return Ok(false);
        }
        direct = state.mul(&r.b)?;
        state = state.mul(&r.a)?;
    }
    if direct != row(&r.d, early) {
        return Ok(false);
    }
    let mut difference = state.sub(&row(&r.c, early))?;
    for _ in 0..n {
        if difference.is_zero() {
            return Ok(true);
        }
        if !difference.mul(&r.b)?.is_zero() {
            return Ok(false);
        }
        difference = difference.mul(&r.a)?;
    }
    Ok(difference.is_zero())
}
