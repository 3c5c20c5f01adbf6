//! Numbers that change with the index where n iterations are taken as one. A sequence that may be anything
//! becomes n sequences, one for every n-th of its values; a recursion is followed n times; k becomes n k, and
//! bᵏ becomes (bⁿ)ᵏ.

use crate::system::schedule::{Motion, Schedule, Schedules, schedule, scheduled};
use linnaeus_algebra::{Exhausted, RationalFunction, SortedMap, Variable, spend};

/// The schedules of a text, n iterations of which are taken as one.
#[derive(Clone, Debug)]
pub struct Pace {
    own: Schedules,
    n: i64,
    /// The number of a sequence and phase in the new list.
    numbers: SortedMap<(usize, i64), usize>,
    /// The new list.
    pub schedules: Schedules,
}

/// Values that lead to others, at most.
const DEPTH: usize = 100;

impl Pace {
    /// Nothing if a recursion needs more than the last value.
    pub fn new(own: &Schedules, n: usize) -> Result<Option<Pace>, Exhausted> {
        let n = n as i64;
        let mut pace = Pace { own: own.clone(), n, numbers: SortedMap::new(), schedules: Schedules::default() };
        for (j, s) in own.list.iter().enumerate() {
            let phases = match s.motion {
                Motion::Free | Motion::Function(..) => n,
                Motion::Recursion(_) | Motion::Clock | Motion::Power(_) => 1,
            };
            for phase in 0..phases {
                pace.numbers.insert((j, phase), pace.schedules.list.len());
                pace.schedules.list.push(Schedule { phase: (n, phase), ..s.clone() });
            }
        }
        for (&(j, phase), &at) in &pace.numbers.clone() {
            let s = &own.list[j];
            let motion = match &s.motion {
                Motion::Free => Motion::Free,
                Motion::Clock => Motion::Clock,
                Motion::Power(base) => match base.pow(n as i32)? {
                    Some(base) => Motion::Power(base),
                    None => return Ok(None),
                },
                Motion::Function(function, argument) => match pace.value(argument, phase)? {
                    Some(argument) => Motion::Function(function, argument),
                    None => return Ok(None),
                },
                Motion::Recursion(next) => match pace.value(next, n - 1)? {
                    Some(next) => Motion::Recursion(next),
                    None => return Ok(None),
                },
            };
            if let Motion::Power(_) = motion {
                pace.schedules.list[at].name = format!("({})^{n}", s.name);
            }
            pace.schedules.list[at].motion = motion;
        }
        Ok(Some(pace))
    }

    /// A value at a time of the text, the new index being 0 where the text's is.
    pub fn value(&self, r: &RationalFunction, time: i64) -> Result<Option<RationalFunction>, Exhausted> {
        self.value_within(r, time, DEPTH)
    }

    fn value_within(
        &self,
        r: &RationalFunction,
        time: i64,
        depth: usize,
    ) -> Result<Option<RationalFunction>, Exhausted> {
        let mut values = SortedMap::new();
        for v in r.variables() {
            let Some((j, offset)) = scheduled(v) else { continue };
            let closed = matches!(self.own.list[j].motion, Motion::Clock | Motion::Power(_));
            match self.symbol(j, time + if closed { 0 } else { offset }, depth)? {
                Some(value) => values.insert(v, value),
                None => return Ok(None),
            };
        }
        if values.is_empty() { Ok(Some(r.clone())) } else { r.substitute(&|v: Variable| values.get(&v).cloned()) }
    }

    fn symbol(&self, j: usize, time: i64, depth: usize) -> Result<Option<RationalFunction>, Exhausted> {
        spend(10)?;
        let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
        let (turn, phase) = (time.div_euclid(self.n), time.rem_euclid(self.n));
        let at = |phase: i64, turn: i64| RationalFunction::variable(schedule(self.numbers[&(j, phase)], turn));
        match &self.own.list[j].motion {
            Motion::Free | Motion::Function(..) => Ok(Some(at(phase, turn))),
            Motion::Recursion(_) if phase == 0 => Ok(Some(at(0, turn))),
            Motion::Recursion(next) => self.value_within(next, time - 1, depth),
            Motion::Clock => {
                let k = at(0, 0).mul(&RationalFunction::integer(self.n))?;
                k.add(&RationalFunction::integer(time)).map(Some)
            }
            Motion::Power(base) => match base.pow(time as i32)? {
                // (−1)ᵏ is the same in every second iteration.
                Some(factor) if base.pow(self.n as i32)?.is_some_and(|b| b.is_one()) => Ok(Some(factor)),
                Some(factor) => at(0, 0).mul(&factor).map(Some),
                None => Ok(None),
            },
        }
    }
}
