//! Whether calls that are read as other calls of the same functions are those.

use super::Recheck;
use super::carried::{Exchange, held, inverse, mixed, pairs, product};
use super::clock::{Clock, Paced, numbers};
use super::point::{Point, random_vector};
use super::run::Run;
use super::space::{Dimensions, operators};
use crate::operator::{Letter, OperatorPolynomial};
use crate::prime_field::Stream;
use crate::relation::behavior::Side;
use crate::relation::verdict::{Sequences, Witness};
use crate::relation::words::Moment;
use crate::system::{Oracle, operator_symbol, parameter};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{RationalFunction, SortedMap};

/// Runs the text as it is read with random answers. The text as written is given what these say of the functions at the
/// places where it calls them, by the graphs of its own oracles, and must call them there.
pub fn recheck_united(written: &Analysis, united: &Analysis) -> Recheck {
    let witness = the_same(written, united);
    let runs = (0..8).filter_map(|seed| attempt(written, united, &witness, seed));
    runs.map(|same| if same { Recheck::Passed } else { Recheck::Failed }).next().unwrap_or(Recheck::NotSimulable)
}

/// What is claimed: all numbers and operators of the one are those of the other.
fn the_same(written: &Analysis, united: &Analysis) -> Witness {
    let system = &written.system;
    let variable = |n: usize| Side::First.place(parameter(n));
    let values = (0..system.parameters.len())
        .map(|n| (Side::Second.place(parameter(n)), Value::Rational(RationalFunction::variable(variable(n)))));
    let image = |n: usize| {
        let letter = Letter { class: system.operators[n].class, operator: n as u16, adjoint: false, inverse: false };
        (Side::Second.place(operator_symbol(n)), OperatorPolynomial::letter(letter))
    };
    let branch = Branch {
        values: values.collect(),
        free: Vec::new(),
        conditions: SortedMap::new(),
        relations: Vec::new(),
        nonzero: Vec::new(),
    };
    let pairs = (0..written.channels.len()).filter_map(|i| Some((i, server(written, united, i)?.0)));
    Witness {
        channel_map: pairs.collect(),
        branches: vec![branch],
        images: (0..system.operators.len()).map(image).collect(),
        sequences: Sequences { place: (0..system.schedules.list.len()).collect(), ..Sequences::default() },
        ..Witness::default()
    }
}

/// Which channel of the text as it is read serves a channel of the text as written, and how many iterations later.
fn server(written: &Analysis, united: &Analysis, i: usize) -> Option<(usize, usize)> {
    let serves = |j: usize| united.channels[j].calls.iter().find(|(call, _)| *call == written.channels[i].call);
    (0..united.channels.len()).find_map(|j| Some((j, serves(j)?.1)))
}

fn attempt(written: &Analysis, united: &Analysis, witness: &Witness, seed: u64) -> Option<bool> {
    let mut stream = Stream::new(seed);
    let branch = witness.branches.first()?;
    let mut point = Point::new(written, united, branch, &mut stream)?;
    let pace = Paced::new(written, united, witness)?;
    let (course, steps, kept) = numbers(&pace, witness, (branch, &mut point), Moment::Any, &mut stream)?;
    let clock = Clock { witness, point: &point, paced: Some((&pace, course)) };
    let dimensions = Dimensions::new(written, united, witness);
    let (a_operators, b_operators) = operators(written, united, &dimensions, witness, &point, &mut stream)?;
    let mut a = Run::new(written, Side::First, &point, &clock, &dimensions, a_operators, witness)?;
    let mut b = Run::new(united, Side::Second, &point, &clock, &dimensions, b_operators, witness)?;
    let wrong = clock.is_exact().then_some(false);
    if !kept {
        return wrong;
    }
    let mut log: Vec<Exchange> = Vec::new();
    for k in 0..steps {
        let answers: SortedMap<usize, Vec<u64>> =
            (0..united.channels.len()).map(|j| (j, random_vector(b.answer_size(j), &mut stream))).collect();
        let queries = b.step(&answers)?;
        log.push(answers.into_iter().map(|(j, u)| (j, (queries[j].clone(), u))).collect());
        let mut expected = Vec::new();
        let mut answers = SortedMap::new();
        for (i, channel) in written.channels.iter().enumerate() {
            let (j, delay) = server(written, united, i)?;
            let then = k - delay as i64;
            let Some((y, u)) = usize::try_from(then).ok().map(|t| &log[t][&j]) else {
                // Before the start all is zero.
                expected.push(None);
                answers.insert(i, vec![0; a.answer_size(i)]);
                continue;
            };
            let (own, other) = (&channel.oracle, &united.channels[j].oracle);
            if own == other {
                expected.push(Some(y.clone()));
                answers.insert(i, u.clone());
                continue;
            }
            let of = |oracle: &Oracle, side: Side, time: i64| {
                let value = |r: &RationalFunction| clock.own(side, r, time);
                Some(pairs(oracle, value(&oracle.step)?, held(oracle, side, witness, &value)?))
            };
            let [query, answer] = product(&of(own, Side::First, k)?, &inverse(&of(other, Side::Second, then)?)?);
            expected.push(Some(mixed(query, y, u)));
            answers.insert(i, mixed(answer, y, u));
        }
        let queries = a.step(&answers)?;
        if queries.iter().zip(&expected).any(|(y, wanted)| wanted.as_ref().is_some_and(|wanted| y != wanted)) {
            return wrong;
        }
    }
    Some(true)
}
