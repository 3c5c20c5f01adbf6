//! The sign of a number that changes with the index, at samples: positive parameters and starts for which
//! all square roots are rational.

use crate::system::schedule::{Motion, Schedules, scheduled};
use linnaeus_algebra::solve::rational_root;
use linnaeus_algebra::{Rational, RationalFunction, Variable};

/// Where recursions start: small numbers, some of which make 1 + 4t² or 4 + t² a square.
#[rustfmt::skip]
pub const STARTS: [(i64, i64); 16] = [
    (2, 1), (3, 1), (5, 1), (7, 1), (4, 1), (2, 3), (3, 8), (6, 5), (15, 16), (3, 2), (8, 3), (5, 6), (16, 15),
    (1, 1), (1, 2), (12, 1),
];

/// Values that lead to others, at most.
const DEPTH: usize = 60;

/// Whether a value is positive at every sample; none if it has no value at any.
pub fn is_positive(schedules: &Schedules, value: &RationalFunction) -> Option<bool> {
    let offsets = value.variables().into_iter().filter_map(scheduled).map(|(_, o)| o);
    let earliest = offsets.min().unwrap_or(0).min(0);
    let all = (0..STARTS.len()).flat_map(|start| (0..STARTS.len()).map(move |shift| (start, shift)));
    let signs = all.filter_map(|(start, shift)| {
        let found = Sample { schedules, earliest, start, shift }.value(value, 0)?;
        Some(found > Rational::ZERO)
    });
    signs.reduce(|x, y| x && y)
}

/// One choice of numbers.
struct Sample<'a> {
    schedules: &'a Schedules,
    earliest: i64,
    start: usize,
    shift: usize,
}

impl Sample<'_> {
    fn number(&self, n: usize) -> Rational {
        let (above, below) = STARTS[n % STARTS.len()];
        Rational::from(above) / Rational::from(below)
    }

    fn value(&self, r: &RationalFunction, depth: usize) -> Option<Rational> {
        let mut known = Vec::new();
        for v in r.variables() {
            known.push((v, self.symbol(v, depth + 1)?));
        }
        let value = |v: Variable| known.iter().find(|(w, _)| *w == v).map(|(_, x)| x.clone());
        r.evaluate(&value).ok()??.as_rational()
    }

    fn symbol(&self, v: Variable, depth: usize) -> Option<Rational> {
        if depth > DEPTH {
            return None;
        }
        let Some((j, offset)) = scheduled(v) else {
            return Some(self.number(self.shift + v.0 as usize % 7));
        };
        match &self.schedules.list[j].motion {
            Motion::Free => Some(self.number(self.shift + j)),
            Motion::Clock => Some(Rational::from(self.shift + 1)),
            Motion::Power(base) => {
                let base = RationalFunction::rational(&self.value(base, depth)?);
                base.pow(self.shift as i32 + 1).ok()??.as_rational()
            }
            Motion::Recursion(_) if offset <= self.earliest => Some(self.number(self.start + j)),
            Motion::Recursion(next) => self.value(&self.schedules.advanced(next, offset - 1).ok()?, depth),
            Motion::Function("sqrt", radicand) => {
                rational_root(&self.value(&self.schedules.advanced(radicand, offset).ok()?, depth)?)
            }
            Motion::Function(..) => None,
        }
    }
}
