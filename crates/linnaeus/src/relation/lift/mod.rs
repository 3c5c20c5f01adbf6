//! Repetition: N iterations of an algorithm taken as one are an algorithm with N copies of every
//! channel, to be compared like any other. A call that is the same in every iteration is one call of them all, that of
//! the first: SVRG calls ∇f at its anchor once. The copies that are that call serve none.

mod pace;

pub use pace::Pace;

use super::beginnings::Beginnings;
use super::behavior::{Behavior, Side};
use super::hypothesis::{self, Hypothesis};
use super::shift::Chosen;
use crate::operator::OperatorPolynomial;
use crate::system::{LinearSystem, Z, letter_symbol};
use crate::transfer::{Analysis, Channel, Explicitness, Realization, Transfer, order, over_operators, unchanging};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, SortedMap};
use std::borrow::Cow;

/// At most this many iterations are taken as one.
const MOST_ITERATIONS: usize = 12;
/// At most this many channels are compared.
const MOST_CHANNELS: usize = 12;

/// More iterations or channels than are compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TooMany;

/// Which of the two would be repeated, and how often: the other calls every function N times as
/// often. What carries a sample in the one does so in the other.
pub fn factor(first: &Analysis, second: &Analysis) -> Option<Result<(Side, usize), TooMany>> {
    let (side, few, many) = match first.channels.len() < second.channels.len() {
        true => (Side::First, first, second),
        false => (Side::Second, second, first),
    };
    let total = many.channels.len();
    let (steady, many) = (unchanging(few).ok()?, calls(many, 1, &[]));
    let n = (2..=total).find(|n| calls(few, *n, &steady) == many)?;
    Some(if n <= MOST_ITERATIONS && total <= MOST_CHANNELS { Ok((side, n)) } else { Err(TooMany) })
}

/// How many calls of every function so many iterations make, and whether these carry a sample, in order.
fn calls(analysis: &Analysis, n: usize, steady: &[bool]) -> Vec<(bool, usize)> {
    let mut counts: SortedMap<(&str, bool), usize> = SortedMap::new();
    for (i, channel) in analysis.channels.iter().enumerate() {
        let key = (channel.oracle.function.as_str(), channel.oracle.sample.is_some());
        *counts.entry(key).or_default() += if steady.get(i) == Some(&true) { 1 } else { n };
    }
    let mut counts: Vec<(bool, usize)> = counts.into_iter().map(|((_, sampled), count)| (sampled, count)).collect();
    counts.sort_unstable();
    counts
}

/// The channels of several iterations, of which those serve a call that are none of an earlier iteration's.
fn copies(own: &[Channel], n: usize, steady: &[bool]) -> Vec<Channel> {
    let copy = |s: usize| {
        own.iter().zip(steady).map(move |(c, steady)| {
            let calls = if *steady && s > 0 { Vec::new() } else { c.calls.clone() };
            Channel { copy: (c.copy.max(1) - 1) * n + s + 1, calls, ..c.clone() }
        })
    };
    (0..n).flat_map(copy).collect()
}

/// N iterations as one; channel i of the s-th of them has number s p + i. Nothing if the operators
/// do not commute.
pub fn lifted(analysis: &Analysis, n: usize) -> Result<Option<Analysis>, Exhausted> {
    let Transfer::Commuting { realization, .. } = &analysis.transfer else {
        return Ok(None);
    };
    let p = analysis.channels.len();
    let steady = unchanging(analysis)?;
    let realization = stepped(&vec![realization.clone(); n], &steady)?;
    let Realization { a, b, c, d, .. } = &realization;
    let h = Matrix::transfer(a, b, c, d, Z)?;
    let minimal_order = order(&realization, n * p)?;
    Ok(Some(Analysis {
        system: analysis.system.clone(),
        channels: copies(&analysis.channels, n, &steady),
        transfer: Transfer::Commuting { h, realization },
        minimal_order,
        explicitness: lifted_explicitness(&analysis.explicitness, n, &steady),
    }))
}

/// The same where operators do not commute or numbers change with the index. Nothing if a recursion needs
/// more than the last value.
pub fn lifted_words(analysis: &Analysis, n: usize) -> Result<Option<Analysis>, Exhausted> {
    let Some(Steps { list, system, channels }) = Steps::new(analysis, n)? else { return Ok(None) };
    let steady = unchanging(analysis)?;
    Ok(Some(Analysis {
        system,
        channels,
        transfer: Transfer::Noncommuting { h: None, realization: stepped(&list, &steady)?, markov: Vec::new() },
        minimal_order: analysis.minimal_order,
        explicitness: lifted_explicitness(&analysis.explicitness, n, &steady),
    }))
}

/// An algorithm whose operators are all multiples of the identity, so that they commute; nothing if numbers change with the
/// index. What it stores otherwise is kept.
pub fn commuting(analysis: &Analysis) -> Result<Option<Analysis>, Exhausted> {
    let Transfer::Noncommuting { realization, .. } = &analysis.transfer else { return Ok(Some(analysis.clone())) };
    if !analysis.system.schedules.is_empty() {
        return Ok(None);
    }
    let at = |m: &Matrix<OperatorPolynomial>| m.try_map(|e| e.commuting(&letter_symbol));
    let Realization { states, a, b, c, d } = realization;
    let realization = Realization { states: states.clone(), a: at(a)?, b: at(b)?, c: at(c)?, d: at(d)? };
    let h = Matrix::transfer(&realization.a, &realization.b, &realization.c, &realization.d, Z)?;
    Ok(Some(Analysis { transfer: Transfer::Commuting { h, realization }, ..analysis.clone() }))
}

/// The iterations that are taken as one, one by one.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The matrices of each of them, numbers as they are in all of them together.
    pub list: Vec<Realization<OperatorPolynomial>>,
    /// The text with the numbers of all of them together.
    pub system: LinearSystem,
    /// The channels of all of them.
    pub channels: Vec<Channel>,
}

impl Steps {
    /// Nothing if a recursion needs more than the last value.
    pub fn new(analysis: &Analysis, n: usize) -> Result<Option<Steps>, Exhausted> {
        let Some(pace) = Pace::new(&analysis.system.schedules, n)? else { return Ok(None) };
        let own = match &analysis.transfer {
            Transfer::Noncommuting { realization, .. } => realization.clone(),
            Transfer::Commuting { .. } => over_operators(analysis)?,
        };
        let mut known = true;
        let mut list = Vec::new();
        for s in 0..n as i64 {
            let mut at = |m: &Matrix<OperatorPolynomial>| {
                m.try_map(|e| {
                    e.map_coefficients(&mut |c| {
                        let found = pace.value(c, s)?;
                        known &= found.is_some();
                        Ok(found.unwrap_or_else(RationalFunction::zero))
                    })
                })
            };
            let (a, b, c, d) = (at(&own.a)?, at(&own.b)?, at(&own.c)?, at(&own.d)?);
            list.push(Realization { states: own.states.clone(), a, b, c, d });
        }
        let mut channels = copies(&analysis.channels, n, &unchanging(analysis)?);
        for (i, channel) in channels.iter_mut().enumerate() {
            channel.oracle = channel.oracle.with_numbers(&mut |r| {
                let found = pace.value(r, (i / analysis.channels.len()) as i64)?;
                known &= found.is_some();
                Ok(found.unwrap_or_else(RationalFunction::zero))
            })?;
        }
        let system = LinearSystem { schedules: pace.schedules, ..analysis.system.clone() };
        Ok(known.then_some(Steps { list, system, channels }))
    }
}

/// The texts with the numbers of as many iterations as a witness takes as one.
pub fn paced<'a>(
    first: &'a Analysis,
    second: &'a Analysis,
    repeat: Option<(Side, usize)>,
) -> Option<[Cow<'a, Analysis>; 2]> {
    let mut texts = [Cow::Borrowed(first), Cow::Borrowed(second)];
    if let Some((side, n)) = repeat {
        let text = &mut texts[usize::from(side == Side::Second)];
        let schedules = Pace::new(&text.system.schedules, n).ok()??.schedules;
        text.to_mut().system.schedules = schedules;
    }
    Some(texts)
}

/// Steps the equations of N iterations with symbols for the state, the answers and the constants: where they
/// are the same the state matrix becomes Aᴺ, and C and D become block Toeplitz. All iterations read the first's answer
/// to a call that is the same in all.
fn stepped<T: Coefficient>(steps: &[Realization<T>], steady: &[bool]) -> Result<Realization<T>, Exhausted> {
    let (p, n, r) = (steady.len(), steps.len(), &steps[0]);
    let constants = r.b.cols() - p;
    // Columns of the s-th iteration's inputs among all.
    let place = |m: &Matrix<T>, s: usize| {
        Matrix::from_fn(m.rows(), n * p + constants, |i, j| {
            let turn = |channel: usize| if steady[channel] { 0 } else { s };
            let own = if j < n * p { Some(j % p).filter(|i| j / p == turn(*i)) } else { Some(j + p - n * p) };
            own.map_or_else(T::zero, |j| m[(i, j)].clone())
        })
    };
    let mut state = Matrix::identity(r.states.len());
    let mut input = Matrix::zero(r.states.len(), n * p + constants);
    let mut queries = (Matrix::zero(0, state.cols()), Matrix::zero(0, input.cols()));
    for (s, r) in steps.iter().enumerate() {
        queries.0 = queries.0.vstack(&r.c.mul(&state)?);
        queries.1 = queries.1.vstack(&r.c.mul(&input)?.add(&place(&r.d, s))?);
        input = r.a.mul(&input)?.add(&place(&r.b, s))?;
        state = r.a.mul(&state)?;
    }
    Ok(Realization { states: r.states.clone(), a: state, b: input, c: queries.0, d: queries.1 })
}

fn lifted_explicitness(one: &Explicitness, n: usize, steady: &[bool]) -> Explicitness {
    match one {
        Explicitness::Implicit(cycle) => Explicitness::Implicit(cycle.clone()),
        Explicitness::Explicit(order) => {
            let own = |s: usize| order.iter().filter(move |i| s == 0 || !steady[**i]);
            let copies = (0..n).flat_map(|s| own(s).map(move |i| s * steady.len() + i));
            Explicitness::Explicit(copies.collect())
        }
    }
}

/// The pairings of a lifted algorithm with another: copies of one oracle are read alike, and the
/// channels paired so far must admit a shift, whoever's parameters are chosen. That leaves little more than the N orders
/// in which a cycle of N iterations can begin, of N! orders.
pub fn pairings(first: &Behavior, second: &Behavior, chosen: &[Chosen]) -> Result<Vec<Hypothesis>, Exhausted> {
    let mut beginnings = Beginnings::new(first, second, chosen);
    hypothesis::pairings_where(&first.ports, &second.ports, &mut |_, order, how| beginnings.admit(order, how))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Analysis {
        crate::read(text).analysis.unwrap()
    }

    fn transfer(analysis: &Analysis) -> &Matrix<RationalFunction> {
        let Transfer::Commuting { h, .. } = &analysis.transfer else { panic!("operators commute") };
        h
    }

    #[track_caller]
    fn check(once: &str, n: usize, written_out: &str) {
        let (lifted, other) = (lifted(&read(once), n).unwrap().unwrap(), read(written_out));
        assert_eq!(transfer(&lifted), transfer(&other));
        assert_eq!(lifted.minimal_order, other.minimal_order);
    }

    #[test]
    fn lifting_is_writing_out() {
        check("x[k+1] = x[k] - t*grad f(x[k])", 2, "y[k] = x[k] - t*grad f(x[k]); x[k+1] = y[k] - t*grad f(y[k])");
        check(
            "constant b; x[k+1] = t*prox_f(x[k] + b)",
            2,
            "constant b; y[k] = t*prox_f(x[k] + b); x[k+1] = t*prox_f(y[k] + b)",
        );
        check(
            "x[k+1] = prox_f(x[k] - M'*y[k]); y[k+1] = prox_{g*}(y[k] + M*x[k+1])",
            2,
            "u[k] = prox_f(x[k] - M'*y[k]); v[k] = prox_{g*}(y[k] + M*u[k]); \
             x[k+1] = prox_f(u[k] - M'*v[k]); y[k+1] = prox_{g*}(v[k] + M*x[k+1])",
        );
    }

    #[test]
    fn lifting_twice_is_lifting_once() {
        let nesterov = read("y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - a*grad f(y[k])");
        let twice = lifted(&lifted(&nesterov, 2).unwrap().unwrap(), 3).unwrap().unwrap();
        let once = lifted(&nesterov, 6).unwrap().unwrap();
        assert_eq!(transfer(&twice), transfer(&once));
    }

    #[test]
    fn copies_are_paired_in_the_order_of_a_cycle() {
        let descent = read("x[k+1] = x[k] - t*grad f(x[k])");
        let lifted = lifted(&descent, 8).unwrap().unwrap();
        let (a, b) = (Behavior::new(&lifted, Side::First).unwrap(), Behavior::new(&lifted, Side::Second).unwrap());
        assert_eq!(pairings(&a, &b, &[Chosen::First, Chosen::Second]).unwrap().len(), 8);
    }

    #[test]
    fn calls_must_be_a_multiple() {
        let factor = |a: &str, b: &str| factor(&read(a), &read(b));
        let one = "x[k+1] = x[k] - t*grad f(x[k])";
        let two = "y[k] = x[k] - t*grad f(x[k]); x[k+1] = y[k] - t*grad f(y[k])";
        assert_eq!(factor(one, two), Some(Ok((Side::First, 2))));
        assert_eq!(factor(two, one), Some(Ok((Side::Second, 2))));
        assert_eq!(factor(one, one), None);
        assert_eq!(factor(one, &two.replace("grad f(y[k])", "grad g(y[k])")), None);
        assert_eq!(factor("x[k+1] = x[k] - t*grad f(x[k]; xi[k])", two), None);
    }
}
