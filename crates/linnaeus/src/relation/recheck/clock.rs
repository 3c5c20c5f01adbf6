//! Values of coefficients at a time.

use super::point::Point;
use super::{MOST, STEPS};
use crate::prime_field::{PRIME, Stream};
use crate::relation::behavior::Side;
use crate::relation::course::{Course, Roots, Rules};
use crate::relation::lift::{Pace, paced};
use crate::relation::state_map::written;
use crate::relation::verdict::Witness;
use crate::relation::words::Moment;
use crate::system::Z;
use crate::system::schedule::{Motion, scheduled, start, started};
use crate::transfer::{Analysis, Timing};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{RationalFunction, SortedMap, Variable};
use std::borrow::Cow;

/// Both texts with the numbers of as many iterations as are taken as one.
pub struct Paced<'a> {
    pub texts: [Cow<'a, Analysis>; 2],
    pub pace: Option<(Side, Pace)>,
}

impl<'a> Paced<'a> {
    pub fn new(first: &'a Analysis, second: &'a Analysis, witness: &Witness) -> Option<Paced<'a>> {
        let pace = match witness.repeat {
            Some((side, n)) => {
                let own = if side == Side::First { first } else { second };
                Some((side, Pace::new(&own.system.schedules, n).ok()??))
            }
            None => None,
        };
        Some(Paced { texts: paced(first, second, witness.repeat)?, pace })
    }
}

/// Values of coefficients at a time.
pub struct Clock<'a> {
    pub witness: &'a Witness,
    pub point: &'a Point,
    /// Nothing where numbers do not change.
    pub paced: Option<(&'a Paced<'a>, Option<Course>)>,
}

impl Clock<'_> {
    /// Whether numbers change with the index.
    pub fn changes(&self) -> bool {
        matches!(self.paced, Some((_, Some(_))))
    }

    /// Whether a difference is one of the algorithms.
    pub fn is_exact(&self) -> bool {
        !matches!(&self.paced, Some((_, Some(course))) if course.roots == Roots::Arbitrary)
    }

    pub fn rules<'b>(&'b self, paced: &'b Paced, parameter: &'b dyn Fn(Variable) -> u64) -> Rules<'b> {
        let [first, second] = &paced.texts;
        let pace = paced.pace.as_ref().map(|(side, pace)| (*side, pace));
        let sequences = &self.witness.sequences;
        Rules { first, second, sequences, parameter, started: &NONE, pace, moment: Moment::Any }
    }

    /// A value in one text's own symbols.
    pub fn own(&self, side: Side, r: &RationalFunction, time: i64) -> Option<u64> {
        match &self.paced {
            Some((paced, Some(course))) => self.rules(paced, &|v| self.point.at(v)).value(course, side, r, time),
            _ => r.evaluate_mod(&|v| self.point.at(side.place(v)), PRIME),
        }
    }

    /// A value in the symbols of the comparison.
    pub fn joint(&self, r: &RationalFunction, time: i64) -> Option<u64> {
        match &self.paced {
            Some((paced, Some(course))) => self.rules(paced, &|v| self.point.at(v)).joint(course, r, time),
            _ => self.point.value(r),
        }
    }
}

pub static NONE: SortedMap<Variable, RationalFunction> = SortedMap::new();

/// Random sequences, for how many iterations, and whether they keep to all rules. Parameters that depend on
/// where sequences start get their values. The first starts at a moment.
pub fn numbers(
    paced: &Paced,
    witness: &Witness,
    (branch, point): (&Branch, &mut Point),
    moment: Moment,
    stream: &mut Stream,
) -> Option<(Option<Course>, i64, bool)> {
    let [first, second] = &paced.texts;
    let lists = [&first.system.schedules.list, &second.system.schedules.list];
    if lists.iter().all(|l| l.is_empty()) {
        return Some((None, enough(first, second, witness), true));
    }
    let depends = |r: &RationalFunction| r.variables().into_iter().any(|v| started(v).is_some());
    let started = branch.values.iter().filter_map(|(v, value)| match value {
        Value::Rational(r) if depends(r) => Some((*v, r.clone())),
        _ => None,
    });
    let started: SortedMap<Variable, RationalFunction> = started.collect();
    // Every square root exists for one sequence of numbers in two.
    let has_roots = lists.iter().any(|l| l.iter().any(|s| matches!(s.motion, Motion::Function("sqrt", _))));
    let steps = if has_roots { STEPS / 2 } else { STEPS };
    let far = reach(first).max(reach(second)) + witness.shift.iter().map(|m| m.abs()).max().unwrap_or(0) + 1;
    let parameter = |v: Variable| point.at(v);
    let pace = paced.pace.as_ref().map(|(side, pace)| (*side, pace));
    // Where starts matter the index is what it is, and so where powers of numbers on both sides are compared.
    let is_power = |j: &usize| match j.checked_sub(lists[0].len()) {
        None => matches!(lists[0][*j].motion, Motion::Power(_)),
        Some(j) => matches!(lists[1][j].motion, Motion::Power(_)),
    };
    let is_open = started.is_empty() && !witness.sequences.any.iter().any(is_power);
    let moment = if is_open { moment } else { Moment::Zero };
    let (sequences, parameter, started_at) = (&witness.sequences, &parameter, &started);
    let rules = Rules { first, second, sequences, parameter, started: started_at, pace, moment };
    let (course, kept) = rules.course(-far..=steps + far, stream)?;
    let starts: Vec<(Variable, u64)> =
        (0..lists[0].len() + lists[1].len()).filter_map(|j| Some((start(j), rules.start(&course, j)?))).collect();
    point.values.extend(starts);
    for (v, value) in started {
        let value = point.value(&value)?;
        point.values.insert(v, value);
    }
    Some((Some(course), steps, kept))
}

/// So many iterations tell all that any number of them could, if numbers do not change: the difference of both is a
/// linear system, of as many states as both have, the filters and the delays, and what it has not answered by then it never does.
fn enough(first: &Analysis, second: &Analysis, witness: &Witness) -> i64 {
    let filters = witness.filters.iter().map(|c| c.numerator().degree_in(Z) + c.denominator().degree_in(Z));
    let states = written(first).len() + written(second).len() + filters.sum::<u32>() as usize;
    let delays: i64 = witness.shift.iter().map(|m| m.abs()).sum();
    (states as i64 + delays + 2).min(MOST)
}

/// How far from the present the coefficients of a text are read.
pub fn reach(analysis: &Analysis) -> i64 {
    let Ok(timing) = Timing::new(&analysis.system) else { return 0 };
    let moved = timing.moved.iter().map(|m| i64::from(m.abs())).max().unwrap_or(0);
    let forms = analysis.system.equations.iter().map(|e| &e.form);
    let forms = forms.chain(analysis.system.calls.iter().map(|c| &c.argument));
    let written = forms.flat_map(|f| f.values()).flat_map(|p| p.terms().into_iter().map(|(_, c)| c.clone()));
    let steps = analysis.channels.iter().map(|c| c.oracle.step.clone());
    let offsets = written.chain(steps).flat_map(|r| r.variables()).filter_map(scheduled).map(|(_, o)| o.abs());
    offsets.max().unwrap_or(0) + moved
}
