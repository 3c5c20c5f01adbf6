//! Sequences of numbers for a re-check: values modulo a large prime at all times that a run touches,
//! random where they are free, and following their rules where they have some.

use super::behavior::Side;
use super::lift::Pace;
use super::verdict::Sequences;
use super::words::Moment;
use crate::prime_field::{PRIME, Stream, add, invert, multiply, negate, square_root};
use crate::system::schedule::{Motion, schedule, scheduled, started};
use crate::transfer::Analysis;
use linnaeus_algebra::{RationalFunction, SortedMap, SortedSet, Variable};
use std::cell::Cell;
use std::iter::repeat_n;
use std::ops::RangeInclusive;

/// The values by number in the comparison, and time.
pub struct Course {
    values: SortedMap<(usize, i64), u64>,
    /// What square roots are.
    pub roots: Roots,
}

/// What square roots are in a course. Whatever holds for arbitrary ones holds for true ones, but not the
/// other way around.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Roots {
    /// Their squares are what they are roots of.
    True,
    /// They may be anything.
    Arbitrary,
}

/// How often values are tried until all square roots exist.
const ATTEMPTS: usize = 50_000;

/// More square roots than these do not all exist in any of them.
const MANY_ROOTS: i64 = 40;

/// Sequences that stand in for those of both texts.
pub struct Rules<'a> {
    /// The first text.
    pub first: &'a Analysis,
    /// The second text.
    pub second: &'a Analysis,
    /// What the witness says of them.
    pub sequences: &'a Sequences,
    /// Values of parameters.
    pub parameter: &'a dyn Fn(Variable) -> u64,
    /// Parameters that depend on where sequences start.
    pub started: &'a SortedMap<Variable, RationalFunction>,
    /// The side of which several iterations are taken as one, and how its numbers go on then.
    pub pace: Option<(Side, &'a Pace)>,
    /// Whether the index is what it is, or any.
    pub moment: Moment,
}

impl Rules<'_> {
    /// Values for all times in a range, and whether they keep to the second's rules too; nothing if
    /// none were found.
    pub fn course(&self, times: RangeInclusive<i64>, stream: &mut Stream) -> Option<(Course, bool)> {
        let own = self.first.system.schedules.list.len();
        let all: SortedSet<usize> = (0..own).chain(self.sequences.place.iter().copied()).collect();
        // Laws look back, and what they speak of follows its rules there, too.
        let laws = self.sequences.laws.iter().flat_map(|(_, law)| law.variables()).filter_map(scheduled);
        let start = times.start() + laws.map(|(_, offset)| offset).min().unwrap_or(0).min(0);
        // So many true roots at once are not found by trying; shared ones may then be arbitrary.
        let is_root = |j: &usize| matches!(self.motion(*j).0, Motion::Function("sqrt", _));
        let known = |j: &usize| self.sequences.laws.iter().any(|(n, _)| n == j);
        let roots = all.iter().filter(|j| is_root(j) && !known(j)).count() as i64 * (times.end() - start + 1);
        let attempts = if roots > MANY_ROOTS { 0 } else { ATTEMPTS };
        for roots in repeat_n(Roots::True, attempts).chain([Roots::Arbitrary]) {
            let (values, open) = (SortedMap::new(), SortedSet::new());
            let mut trial = Trial { rules: self, start, values, roots, open, stream };
            let done = (start..=*times.end()).all(|t| all.iter().all(|&j| trial.at(j, t, 0).is_some()));
            if done {
                let course = Course { values: trial.values, roots };
                let kept = times.clone().take_while(|t| t < times.end()).all(|t| self.kept(&course, t, *times.start()));
                return Some((course, kept));
            }
        }
        None
    }

    /// The motion of a sequence, and whose text it is written in: the one that says more.
    fn motion(&self, j: usize) -> (&Motion, Side) {
        let (first, second) = (&self.first.system.schedules.list, &self.second.system.schedules.list);
        let twin = || self.sequences.place.iter().position(|p| *p == j).map(|n| &second[n].motion);
        match first.get(j) {
            Some(s) if s.motion == Motion::Free => twin().map_or((&s.motion, Side::First), |m| (m, Side::Second)),
            Some(s) => (&s.motion, Side::First),
            None => (&second[j - first.len()].motion, Side::Second),
        }
    }

    /// The number of a text's own sequence.
    pub fn number(&self, side: Side, j: usize) -> usize {
        if side == Side::First { j } else { self.sequences.place[j] }
    }

    /// Whether the values keep to the second's rules at a time.
    fn kept(&self, course: &Course, time: i64, start: i64) -> bool {
        self.second.system.schedules.list.iter().enumerate().all(|(j, s)| {
            let at = |t: i64| course.values.get(&(self.number(Side::Second, j), t)).copied();
            let value = |r: &RationalFunction, t: i64| {
                let early = r.variables().into_iter().filter_map(scheduled).any(|(_, o)| t + o < start);
                if early { None } else { self.paced_value(course, Side::Second, r, t) }
            };
            match &s.motion {
                Motion::Recursion(next) => match (value(next, time), at(time + 1)) {
                    (Some(x), Some(y)) => x == y,
                    _ => true,
                },
                Motion::Function("sqrt", radicand) if course.roots == Roots::Arbitrary => {
                    let twin = self.first.system.schedules.list.get(self.number(Side::Second, j)).map(|s| &s.motion);
                    let Some(Motion::Function("sqrt", ours)) = twin else { return false };
                    value(radicand, time) == self.paced_value(course, Side::First, ours, time)
                }
                Motion::Function("sqrt", radicand) => match (value(radicand, time), at(time)) {
                    (Some(x), Some(y)) => x == multiply(y, y),
                    _ => true,
                },
                Motion::Power(base) => match (value(base, time), at(time), at(time + 1)) {
                    (Some(b), Some(x), Some(y)) => multiply(b, x) == y,
                    _ => true,
                },
                _ => true,
            }
        })
    }

    /// Where a sequence starts.
    pub fn start(&self, course: &Course, j: usize) -> Option<u64> {
        course.values.get(&(j, 0)).copied()
    }

    /// A symbol of one text in the comparison.
    fn symbol(&self, side: Side, v: Variable) -> Variable {
        match scheduled(v) {
            Some((j, offset)) => schedule(self.number(side, j), offset),
            None => side.place(v),
        }
    }

    /// A value in one text's own symbols at a time of that text.
    pub fn value(&self, course: &Course, side: Side, r: &RationalFunction, time: i64) -> Option<u64> {
        if let Some((_, pace)) = self.pace.filter(|(s, _)| *s == side) {
            let value = pace.value(r, time).ok()??;
            return self.evaluate(course, &value, 0, &|v| self.symbol(side, v));
        }
        self.paced_value(course, side, r, time)
    }

    fn paced_value(&self, course: &Course, side: Side, r: &RationalFunction, time: i64) -> Option<u64> {
        self.evaluate(course, r, time, &|v| self.symbol(side, v))
    }

    /// A value in the symbols of the comparison at a time.
    pub fn joint(&self, course: &Course, r: &RationalFunction, time: i64) -> Option<u64> {
        self.evaluate(course, r, time, &|v| v)
    }

    fn evaluate(
        &self,
        course: &Course,
        r: &RationalFunction,
        time: i64,
        symbol: &dyn Fn(Variable) -> Variable,
    ) -> Option<u64> {
        let missing = Cell::new(false);
        let at = |j: usize, t: i64| {
            course.values.get(&(j, t)).copied().unwrap_or_else(|| {
                missing.set(true);
                1
            })
        };
        let value = |v: Variable| match (scheduled(symbol(v)), self.started.get(&symbol(v)), started(symbol(v))) {
            (Some((j, offset)), ..) => at(j, time + offset),
            (None, Some(value), _) => self.evaluate(course, value, 0, &|v| v).unwrap_or_else(|| {
                missing.set(true);
                1
            }),
            (None, None, Some(j)) => at(j, 0),
            (None, None, None) => (self.parameter)(symbol(v)),
        };
        r.evaluate_mod(&value, PRIME).filter(|_| !missing.get())
    }
}

struct Trial<'a, 'b> {
    rules: &'a Rules<'b>,
    start: i64,
    values: SortedMap<(usize, i64), u64>,
    roots: Roots,
    /// Roots of which it is open whether they or their negatives are meant.
    open: SortedSet<(usize, i64)>,
    stream: &'a mut Stream,
}

impl Trial<'_, '_> {
    fn at(&mut self, j: usize, time: i64, depth: usize) -> Option<u64> {
        if let Some(value) = self.values.get(&(j, time)) {
            return Some(*value);
        }
        // What tells of a root need not be told by it.
        if depth > 200 || self.open.contains(&(j, time)) {
            return None;
        }
        let law = self.rules.sequences.laws.iter().find(|(n, _)| *n == j);
        let found = self.rules.sequences.rules.iter().find(|(n, _)| *n == j);
        let anchored = self.rules.moment == Moment::Zero;
        // Rules need not have values before the index is 0.
        let early =
            |found: Option<u64>, stream: &mut Stream| found.or_else(|| (anchored && time <= 0).then(|| stream.next()));
        let value = match (law, self.rules.motion(j)) {
            (Some((_, law)), _) => {
                let value = self.evaluate(law, time, depth, &|v| v);
                early(value, self.stream)?
            }
            (None, _) if found.is_some() => {
                let rule = found.map(|(_, rule)| rule)?;
                if self.is_known(rule, time - 1, &|v| v) {
                    let value = self.evaluate(rule, time - 1, depth, &|v| v);
                    early(value, self.stream)?
                } else {
                    self.stream.next()
                }
            }
            (None, (Motion::Free, _)) => self.stream.next(),
            (None, (Motion::Recursion(next), side)) => {
                let rules = self.rules;
                if self.is_known(next, time - 1, &|v| rules.symbol(side, v)) {
                    let value = self.own(next, side, time - 1, depth);
                    early(value, self.stream)?
                } else {
                    self.stream.next()
                }
            }
            (None, (Motion::Function("sqrt", radicand), side)) if self.roots == Roots::True => {
                let root = square_root(self.own(radicand, side, time, depth)?)?;
                let random = if self.stream.next().is_multiple_of(2) { root } else { negate(root) };
                self.told(j, time, depth, random)?
            }
            (None, (Motion::Function(..), _)) => self.stream.next(),
            (None, (Motion::Clock, _)) => match self.values.iter().find(|((i, _), _)| *i == j) {
                Some((&(_, t), &value)) => add(value, (time - t).rem_euclid(PRIME as i64) as u64),
                None if anchored => time.rem_euclid(PRIME as i64) as u64,
                None => self.stream.next(),
            },
            (None, (Motion::Power(base), side)) => {
                let base = self.own(base, side, time, depth).filter(|b| *b != 0)?;
                match self.values.iter().find(|((i, _), _)| *i == j).map(|(&(_, t), &value)| (t, value)) {
                    Some((t, value)) => {
                        let factor = if time < t { invert(base) } else { base };
                        (0..(time - t).abs()).fold(value, |x, _| multiply(x, factor))
                    }
                    None if anchored => {
                        let factor = if time < 0 { invert(base) } else { base };
                        (0..time.abs()).fold(1, |x, _| multiply(x, factor))
                    }
                    None if base == 1 => 1,
                    None if base == negate(1) && self.stream.next().is_multiple_of(2) => 1,
                    None if base == negate(1) => base,
                    None => self.stream.next(),
                }
            }
        };
        self.values.insert((j, time), value);
        Some(value)
    }

    /// Whether all values that a rule needs are at times that are spoken of; the index always is.
    fn is_known(&self, rule: &RationalFunction, time: i64, symbol: &dyn Fn(Variable) -> Variable) -> bool {
        let known = |v: Variable| {
            scheduled(symbol(v)).is_none_or(|(j, o)| {
                time + o >= self.start || matches!(self.rules.motion(j).0, Motion::Clock | Motion::Power(_))
            })
        };
        rule.variables().into_iter().all(known)
    }

    /// Of a root and its negative the one by which a sequence that has a law goes on.
    fn told(&mut self, j: usize, time: i64, depth: usize, root: u64) -> Option<u64> {
        let rules = self.rules;
        let symbol = schedule(j, 0);
        for (n, _) in &rules.sequences.laws {
            let (Motion::Recursion(next), side) = rules.motion(*n) else { continue };
            let place = |v: Variable| rules.symbol(side, v);
            let known = |v: Variable| scheduled(v).is_none_or(|(_, o)| time + o >= self.start);
            if !next.variables().into_iter().any(|v| place(v) == symbol) || !next.variables().into_iter().all(known) {
                continue;
            }
            self.open.insert((j, time));
            let wanted = self.at(*n, time + 1, depth + 1);
            self.open.remove(&(j, time));
            let Some(wanted) = wanted else { continue };
            for root in [root, negate(root)] {
                self.values.insert((j, time), root);
                let found = self.evaluate(next, time, depth, &place);
                self.values.remove(&(j, time));
                if found? == wanted {
                    return Some(root);
                }
            }
        }
        Some(root)
    }

    fn own(&mut self, r: &RationalFunction, side: Side, time: i64, depth: usize) -> Option<u64> {
        let rules = self.rules;
        self.evaluate(r, time, depth, &|v| rules.symbol(side, v))
    }

    /// The value, all sequences that it needs being computed first.
    fn evaluate(
        &mut self,
        r: &RationalFunction,
        time: i64,
        depth: usize,
        symbol: &dyn Fn(Variable) -> Variable,
    ) -> Option<u64> {
        let mut known = SortedMap::new();
        for v in r.variables() {
            let value = match (scheduled(symbol(v)), self.rules.started.get(&symbol(v)), started(symbol(v))) {
                (Some((j, offset)), ..) => self.at(j, time + offset, depth + 1)?,
                (None, Some(value), _) => self.evaluate(value, 0, depth + 1, &|v| v)?,
                (None, None, Some(j)) => self.at(j, 0, depth + 1)?,
                (None, None, None) => (self.rules.parameter)(symbol(v)),
            };
            known.insert(v, value);
        }
        r.evaluate_mod(&|v| known[&v], PRIME)
    }
}
