//! The sign of a number that changes with the index, at samples: parameters and sequences that may be anything have
//! either sign, recursions begin with positive numbers.

use crate::prime_field::Stream;
use crate::system::schedule::{Motion, Schedules, schedule, scheduled};
use linnaeus_algebra::{Bounds, Rational, RationalFunction, Sign, SortedMap, Variable};
use std::cell::RefCell;

/// Where recursions start: small numbers, some of which make 1 + 4t² or 4 + t² a square.
#[rustfmt::skip]
pub const STARTS: [(i64, i64); 16] = [
    (2, 1), (3, 1), (5, 1), (7, 1), (4, 1), (2, 3), (3, 8), (6, 5), (15, 16), (3, 2), (8, 3), (5, 6), (16, 15),
    (1, 1), (1, 2), (12, 1),
];

/// So many more samples are looked at where the first has a sign.
const SAMPLES: usize = 50;

/// So many values of a recursion are looked at.
const STEPS: i64 = 3;

/// Values that lead to others, at most.
const DEPTH: usize = 60;

/// The sign that a value has at every sample; none if it has no value at any. Sequences begin where it or what is
/// spoken of besides looks back to.
pub fn sign(schedules: &Schedules, value: &RationalFunction, besides: &[&RationalFunction]) -> Option<Sign> {
    let symbols = besides.iter().flat_map(|r| r.variables()).chain(value.variables());
    let offsets = symbols.filter_map(scheduled).map(|(_, o)| o);
    let earliest = offsets.min().unwrap_or(0).min(0);
    let n = STARTS.len();
    let all = (0..n * n).map(|i| (i % n, (i + i / n) % n));
    // What holds where a recursion begins must go on to hold.
    let later: Vec<RationalFunction> =
        (1..=STEPS).map_while(|steps| schedules.advanced(value, steps).ok()).filter(|next| next != value).collect();
    let mut signs = all.flat_map(|(start, shift)| {
        let known = RefCell::default();
        let sample = Sample { schedules, earliest, start, shift, known };
        let all = [value].into_iter().chain(&later).map(|value| sample.value(value, 0)?.is_positive());
        all.flatten().collect::<Vec<_>>()
    });
    let first = signs.next()?;
    Some(match (signs.take(SAMPLES * (1 + STEPS as usize)).all(|other| other == first), first) {
        (false, _) => Sign::Both,
        (true, true) => Sign::Nonnegative,
        (true, false) => Sign::Nonpositive,
    })
}

/// Whether a sequence with a recursion that begins with a positive number stays positive.
pub fn stays_positive(schedules: &Schedules, j: usize) -> bool {
    let at = |offset: i64| RationalFunction::variable(schedule(j, offset));
    (1..=STEPS).all(|offset| sign(schedules, &at(offset), &[&at(0)]) == Some(Sign::Nonnegative))
}

/// One choice of numbers.
struct Sample<'a> {
    schedules: &'a Schedules,
    earliest: i64,
    start: usize,
    shift: usize,
    /// Values of symbols.
    known: RefCell<SortedMap<Variable, Option<Bounds>>>,
}

impl Sample<'_> {
    fn number(&self, n: usize) -> Bounds {
        let (above, below) = STARTS[n % STARTS.len()];
        Bounds::new(&(Rational::from(above) / Rational::from(below)))
    }

    /// A number of either sign for what may be anything.
    fn any(&self, v: Variable) -> Bounds {
        let seed = (v.0 as u64) << 16 | ((self.start * STARTS.len() + self.shift) as u64);
        let random = Stream::new(seed).next();
        let (above, below) = STARTS[(random >> 1) as usize % STARTS.len()];
        let sign = if random.is_multiple_of(2) { 1 } else { -1 };
        Bounds::new(&(Rational::from(sign * above) / Rational::from(below)))
    }

    fn value(&self, r: &RationalFunction, depth: usize) -> Option<Bounds> {
        Bounds::of(r, &|v| {
            let known = self.known.borrow().get(&v).cloned();
            known.unwrap_or_else(|| {
                let found = self.symbol(v, depth + 1);
                self.known.borrow_mut().insert(v, found.clone());
                found
            })
        })
    }

    fn symbol(&self, v: Variable, depth: usize) -> Option<Bounds> {
        if depth > DEPTH {
            return None;
        }
        let Some((j, offset)) = scheduled(v) else {
            return Some(self.any(v));
        };
        match &self.schedules.list[j].motion {
            Motion::Free => Some(self.any(v)),
            Motion::Clock => Some(Bounds::new(&Rational::from(self.shift + 1))),
            Motion::Power(base) => {
                let power = base.pow(self.shift as i32 + 1).ok()??;
                self.value(&power, depth)
            }
            Motion::Recursion(_) if offset <= self.earliest => Some(self.number(self.start + j)),
            Motion::Recursion(next) => self.value(&self.schedules.advanced(next, offset - 1).ok()?, depth),
            Motion::Function("sqrt", radicand) => {
                self.value(&self.schedules.advanced(radicand, offset).ok()?, depth)?.root()
            }
            Motion::Function(..) => None,
        }
    }
}
