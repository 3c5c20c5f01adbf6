//! Exact coefficients as floating-point numbers: parameters have values, sequences follow their rules.

use crate::relation::Sequences;
use crate::system::schedule::{Motion, Schedules, scheduled};
use linnaeus_algebra::{Polynomial, RationalFunction, SortedMap, Variable};
use std::cell::RefCell;

/// What a symbol is worth, at a time if it changes.
#[derive(Debug, Default)]
pub struct Numbers<'a> {
    /// Parameters and operators that are numbers.
    pub values: SortedMap<Variable, f64>,
    /// The text's sequences.
    pub schedules: Option<&'a Schedules>,
    /// Where sequences start, or stay if they have no rule, by number.
    pub starts: SortedMap<usize, f64>,
    /// Sequences that are functions of others.
    pub laws: &'a [(usize, RationalFunction)],
    /// The first algorithm of a pair, of whose sequences some of this one's are functions.
    pub twin: Option<(&'a Numbers<'a>, &'a Sequences)>,
    pub(super) known: RefCell<SortedMap<(usize, i64), f64>>,
}

/// The longest chain of sequences that depend on each other.
const DEPTH: usize = 60;

impl<'a> Numbers<'a> {
    /// Values of a text's symbols.
    pub fn new(
        values: SortedMap<Variable, f64>,
        schedules: &'a Schedules,
        starts: SortedMap<usize, f64>,
    ) -> Numbers<'a> {
        Numbers { values, schedules: Some(schedules), starts, ..Numbers::default() }
    }

    /// Whether all coefficients stay as they are.
    pub fn is_constant(&self) -> bool {
        self.schedules.is_none_or(Schedules::is_empty)
    }

    /// A coefficient at a time; not a number where it has no value.
    pub fn value(&self, r: &RationalFunction, time: i64) -> f64 {
        self.value_within(r, time, DEPTH)
    }

    fn value_within(&self, r: &RationalFunction, time: i64, depth: usize) -> f64 {
        let symbol = |v: Variable| match scheduled(v) {
            Some((j, offset)) => self.sequence(j, time + offset, depth),
            None => self.values.get(&v).copied().unwrap_or(f64::NAN),
        };
        evaluate(r.numerator(), &symbol) / evaluate(r.denominator(), &symbol)
    }

    fn sequence(&self, j: usize, time: i64, depth: usize) -> f64 {
        if let Some(&known) = self.known.borrow().get(&(j, time)) {
            return known;
        }
        let Some(depth) = depth.checked_sub(1) else { return f64::NAN };
        let value = self.next(j, time, depth);
        self.known.borrow_mut().insert((j, time), value);
        value
    }

    fn next(&self, j: usize, time: i64, depth: usize) -> f64 {
        if let Some((_, law)) = self.laws.iter().find(|(n, _)| *n == j) {
            return self.value_within(law, time, depth);
        }
        if let Some((first, sequences)) = self.twin {
            let own = first.schedules.map_or(0, |s| s.list.len());
            match sequences.place.get(j) {
                Some(&at) if at < own => return first.sequence(at, time, depth),
                Some(&at) => {
                    if let Some((_, law)) = sequences.laws.iter().find(|(n, _)| *n == at) {
                        return first.value_within(law, time, depth);
                    }
                    if let (Some((_, rule)), true) = (sequences.rules.iter().find(|(n, _)| *n == at), time > 0) {
                        return self.going_on(rule, time - 1, (first, sequences), depth);
                    }
                }
                None => {}
            }
        }
        let Some(schedule) = self.schedules.and_then(|s| s.list.get(j)) else { return f64::NAN };
        match &schedule.motion {
            Motion::Clock => time as f64,
            Motion::Power(base) => self.value_within(base, time, depth).powi(time.clamp(-100_000, 100_000) as i32),
            Motion::Function(function, argument) => {
                let x = self.value_within(argument, time, depth);
                match *function {
                    "sqrt" => x.sqrt(),
                    "exp" => x.exp(),
                    "log" => x.ln(),
                    _ => f64::NAN,
                }
            }
            Motion::Free => self.starts.get(&j).copied().unwrap_or(1.0),
            Motion::Recursion(_) if time <= 0 => self.starts.get(&j).copied().unwrap_or(1.0),
            Motion::Recursion(next) => {
                // Earlier values first, so that none is far from one that is known.
                let first = (0..time).rev().find(|t| self.known.borrow().contains_key(&(j, *t))).unwrap_or(0);
                for t in first..time - 1 {
                    self.sequence(j, t + 1, depth);
                }
                self.value_within(next, time - 1, depth)
            }
        }
    }
}

impl Numbers<'_> {
    /// A rule that the relation found: the first's sequences are its own, the others this one's.
    fn going_on(&self, rule: &RationalFunction, time: i64, (first, s): (&Numbers, &Sequences), depth: usize) -> f64 {
        let symbol = |v: Variable| match scheduled(v) {
            Some((i, offset)) => match s.place.iter().position(|at| *at == i) {
                Some(j) => self.sequence(j, time + offset, depth),
                None => first.sequence(i, time + offset, depth),
            },
            None => first.values.get(&v).copied().unwrap_or(f64::NAN),
        };
        evaluate(rule.numerator(), &symbol) / evaluate(rule.denominator(), &symbol)
    }
}

/// A polynomial at a point.
pub fn evaluate(p: &Polynomial, value: &dyn Fn(Variable) -> f64) -> f64 {
    // By multiplication, which rounds alike on every machine.
    let power = |(v, e): &(Variable, u32)| (0..*e).map(|_| value(*v)).product::<f64>();
    p.terms().map(|(monomial, c)| c.to_f64().value() * monomial.iter().map(power).product::<f64>()).sum()
}
