//! A second opinion on every witness, by code that shares nothing with the search: both algorithms
//! are stepped over a large prime field, as their equations are written. The first is driven by
//! random answers; its queries and answers are carried over to the second by the claimed
//! transformation, and the second must ask what it is then bound to ask.
//!
//! Vectors have several components, a different number in every space, and operators are random
//! matrices, so that an adjoint in the wrong place shows.

mod carried;
mod clock;
mod guises;
mod point;
mod root;
mod run;
mod space;
mod start;

pub use guises::recheck_united;
pub use start::{recheck_start, recheck_words, shown_start, shown_words};

use crate::prime_field::Stream;
use crate::relation::behavior::Side;
use crate::relation::verdict::Witness;
use crate::relation::words::Moment;
use crate::transfer::Analysis;
use carried::{Exchange, Inverses, filters_at, functions_agree, maps_agree, mixed};
use clock::{Clock, Paced, numbers};
use linnaeus_algebra::SortedMap;
use linnaeus_algebra::solve::Branch;
use point::{Point, random_vector};
use run::Run;
use space::{Dimensions, operators};

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

/// How many iterations are compared where numbers change with the index.
const STEPS: i64 = 12;
/// More than this are never compared.
const MOST: i64 = 48;

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

/// One run at a random point; nothing if the point is unlucky.
fn attempt(first: &Analysis, second: &Analysis, witness: &Witness, branch: &Branch, seed: u64) -> Option<bool> {
    let mut stream = Stream::new(seed);
    let mut point = Point::new(first, second, branch, &mut stream)?;
    let pace = Paced::new(first, second, witness)?;
    let (course, steps, kept) = numbers(&pace, witness, (branch, &mut point), Moment::Any, &mut stream)?;
    let clock = Clock { witness, point: &point, paced: Some((&pace, course)) };
    // Without operators components do not mix, and one is enough.
    let dimensions = match first.system.operators.is_empty() && second.system.operators.is_empty() {
        true => Dimensions::numbers(first, second),
        false => Dimensions::new(first, second, witness),
    };
    let (a_operators, b_operators) = operators(first, second, &dimensions, witness, &point, &mut stream)?;
    let same_maps = maps_agree((first, &a_operators), (second, &b_operators), witness, &point)?;
    let mut a = Run::new(first, Side::First, &point, &clock, &dimensions, a_operators, witness)?;
    let mut b = Run::new(second, Side::Second, &point, &clock, &dimensions, b_operators, witness)?;
    let wrong = clock.is_exact().then_some(false);
    if !kept || !same_maps || !functions_agree(first, second, witness, &clock, steps)? {
        return wrong;
    }
    let filters = filters_at(witness, &point)?;
    let lead: Vec<i64> = witness.shift.iter().zip(&filters).map(|(m, f)| m + f.lead()).collect();
    let largest = lead.iter().copied().max().unwrap_or(0).max(0);
    // Queries and answers of the first, from its start on.
    let mut log: Vec<Exchange> = Vec::new();
    for _ in 0..steps + largest {
        let mut answers = SortedMap::new();
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
        let mut answers = SortedMap::new();
        let mut expected = Vec::new();
        for (n, &(_, j)) in witness.channel_map.iter().enumerate() {
            // Before the first's start all is zero; a query and an answer need not be of one size.
            let at = |signal: &[Vec<u64>]| match usize::try_from(k + lead[n]) {
                Ok(t) => signal[t].clone(),
                Err(_) => vec![0; signal[0].len()],
            };
            let (y, u) = (at(&carried[n].0), at(&carried[n].1));
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
