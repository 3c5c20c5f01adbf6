//! One reading: operators, sequences and oracles paired. What is left is the shift.

use super::elimination::Outcome;
use super::equations::Sequences;
use super::plant::Plant;
use super::response::Response;
use super::solving::{FEW_LAGS, MORE_LAGS};
use crate::FUEL;
use crate::operator::OperatorPolynomial;
use crate::relation::anchor::{Anchors, Origin};
use crate::relation::behavior::Side;
use crate::relation::correspondence::{Correspondence, Part};
use crate::relation::hypothesis::{Hypothesis, Pairing};
use crate::relation::laws::Laws;
use crate::relation::matching::Matching;
use crate::relation::paths::{Count, paths};
use crate::relation::real::{self, Texts};
use crate::relation::scaling::{Freedom, Gauge};
use crate::relation::search::{Names, Scope, Wanted};
use crate::relation::shift::{self, Lags, Shifts};
use crate::relation::verdict::{self, Assumption, Directions, Generality, Limit, Relation, Witness};
use crate::transfer::{Analysis, Realization};
use linnaeus_algebra::solve::{Branch, Conditions};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, limited};

/// One direction of one reading gets this part of the work.
const SHARES: u64 = 2;

/// Parameters and shifts of one reading are sought.
pub struct Search<'a> {
    pub first: &'a Analysis,
    pub second: &'a Analysis,
    pub wanted: Wanted<'a>,
    pub scope: Scope,
    /// Whether both may be special.
    pub conditions: Conditions,
    /// What the oracles of every pair commute with besides shifts, where that is asked.
    pub freedom: &'a [Freedom],
    pub a: &'a Plant,
    pub b: &'a Plant,
    pub operators: &'a Correspondence,
    pub hypothesis: &'a Hypothesis,
    pub matching: &'a Matching,
}

/// One side's parameters in terms of the other's, and the second's sequences of numbers.
pub type Solved = (Vec<Branch>, Laws);

/// How pairs of oracles become others, and the algorithm written in those.
pub type InOracles = (Vec<Matrix<RationalFunction>>, Realization<OperatorPolynomial>);

impl Search<'_> {
    /// Both texts.
    pub fn texts<'b>(&'b self, sequences: &'b verdict::Sequences, given: Side) -> Texts<'b> {
        let (first, second) = (&self.first.system, &self.second.system);
        Texts { first, second, sequences, given, assumptions: &[], names: self.wanted.names }
    }

    /// What is said of sequences.
    pub fn sequences(&self, laws: &Laws) -> verdict::Sequences {
        verdict::Sequences {
            place: self.matching.place.clone(),
            laws: laws.values.clone().into_iter().collect(),
            rules: laws.rules.clone().into_iter().collect(),
            any: laws.any.clone().into_iter().collect(),
            roots: laws.roots.clone().into_iter().collect(),
        }
    }

    /// The relation that comes first, if there is one.
    pub fn run(&self, limit: &mut Option<Limit>) -> Result<Option<Witness>, Exhausted> {
        let schedules = &self.matching.joint;
        let p = self.a.ports.len();
        let still = vec![0; p];
        let Some((matrices, b)) = self.second(&still)? else {
            return Ok(None);
        };
        // With equal steps another oracle of the same kind is the same oracle, which has been tried.
        let is_new = |(m, p): (&Matrix<RationalFunction>, &Pairing)| *p != Pairing::Lft || *m != Matrix::identity(2);
        if !matrices.iter().zip(&self.hypothesis.pairings).all(is_new) {
            return Ok(None);
        }
        let count = self.first.minimal_order + self.second.minimal_order + 1;
        let x = Response::new(&self.a.realization, schedules);
        let shifts = self.shifts(&x, &b, count)?;
        if !shifts.complete {
            *limit = Some(Limit::Candidates);
        }
        let channel = |(i, &j): (usize, &usize)| (self.a.ports[i].channel, self.b.ports[j].channel);
        let channel_map: Vec<(usize, usize)> = self.hypothesis.order.iter().enumerate().map(channel).collect();
        let anchors = Anchors::new(self.first, self.second, &channel_map);
        let (one, two) = (&self.first.system.schedules, &self.second.system.schedules);
        let origin = match self.wanted.names {
            Names::Shared if self.matching.shares_names(one, two) => Origin::Named,
            // What is solved for is moved along.
            _ if !self.matching.shares(one) => Origin::Solved,
            _ => Origin::Open,
        };
        for m in &shifts.vectors {
            let mut offsets = if schedules.is_empty() { vec![0] } else { anchors.offsets(m, origin) };
            for further in [false, true] {
                if further && origin == Origin::Open && !schedules.is_empty() {
                    let known = std::mem::take(&mut offsets);
                    offsets = self.origins(m, count, limit)?.into_iter().filter(|c| !known.contains(c)).collect();
                } else if further {
                    break;
                }
                for c in &offsets {
                    let shift = m.iter().map(|m| m + c).collect();
                    let found = self.shifted(&x, shift, count, &channel_map, limit)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(None)
    }

    /// The shifts by which the delays of both can agree.
    fn shifts(&self, x: &Response, b: &Realization<OperatorPolynomial>, count: usize) -> Result<Shifts, Exhausted> {
        let p = self.a.ports.len();
        let (wanted, least) = (x.delays(p, count)?, Response::new(b, &self.matching.joint).delays(p, count)?);
        let lags = |i: usize, j: usize| Lags { wanted: wanted[i][j], least: least[i][j], most: count as i64 };
        Ok(shift::between(p, &lags))
    }

    /// What equations make of the operators of a side, for every shift.
    pub fn made(&self, side: Side, parts: (Part, Part), sought: &[usize]) -> Result<Vec<Outcome>, Exhausted> {
        let schedules = &self.matching.joint;
        let Some((_, b)) = self.second(&vec![0; self.a.ports.len()])? else { return Ok(Vec::new()) };
        let count = self.first.minimal_order + self.second.minimal_order + 1;
        let x = Response::new(&self.a.realization, schedules);
        let mut found = Vec::new();
        for shift in &self.shifts(&x, &b, count)?.vectors {
            let Some((_, b)) = self.second(shift)? else { continue };
            let both = Sequences { x: &x, y: Response::new(&b, schedules), shift, length: count };
            let mut outcome = self.elimination(&both, side, parts, FEW_LAGS)?.run(sought);
            if !outcome.complete {
                outcome = self.elimination(&both, side, parts, MORE_LAGS)?.run(sought);
            }
            found.push(outcome);
        }
        Ok(found)
    }

    /// The relation for one shift, if there is one.
    fn shifted(
        &self,
        x: &Response,
        shift: Vec<i64>,
        count: usize,
        channel_map: &[(usize, usize)],
        limit: &mut Option<Limit>,
    ) -> Result<Option<Witness>, Exhausted> {
        let schedules = &self.matching.joint;
        // Where numbers change with the index, calls have been counted.
        let begins = if schedules.is_empty() { Count::Calls } else { Count::Shift };
        let Some(paths) = paths(self.first, self.second, channel_map, &shift, begins) else {
            return Ok(None);
        };
        let Some((matrices, b)) = self.second(&shift)? else {
            return Ok(None);
        };
        let spread = shift.iter().flat_map(|m| shift.iter().map(move |n| (m - n).abs())).max();
        let length = count + spread.unwrap_or(0) as usize;
        let both = Sequences { x, y: Response::new(&b, schedules), shift: &shift, length };
        let mut open = [None; 2];
        // What one direction takes is not taken from the other.
        let solve = |given: Side, open: &mut Option<Limit>| {
            limited(FUEL / SHARES, || self.solve(&both, given, open)).map(|found| {
                if found.is_none() {
                    *open = Some(Limit::Work);
                }
                found.flatten()
            })
        };
        let forth = if self.wanted.forth { solve(Side::First, &mut open[0])? } else { None };
        // Where the two meet is the same from both sides, but nothing is asked of sequences that are given.
        let meets = self.conditions == Conditions::Allowed;
        let is_refuted = self.is_meeting() && self.wanted.forth && open[0].is_none();
        let is_done = meets && (forth.is_some() || is_refuted);
        let back = if self.wanted.back && !is_done { solve(Side::Second, &mut open[1])? } else { None };
        // What never meets from the one side does not from the other.
        if self.is_meeting() && self.wanted.back && !is_done && open[1].is_none() {
            open[0] = None;
        }
        *limit = limit.or(open[0]).or(open[1]);
        let is_open = forth.is_none() && open[0].is_some() || back.is_none() && open[1].is_some();
        let special = (self.matching.first_is_special, self.matching.second_is_special);
        if forth.is_none() && back.is_none() {
            // Numbers that do not change are all that is tried.
            if self.asks_for_running_scales(&both)? {
                *limit = limit.or(Some(Limit::Filters));
            }
            return Ok(None);
        }
        let real = |found: &Option<Solved>, given: Side| match found {
            Some((branches, laws)) => real::is_everywhere(self.texts(&self.sequences(laws), given), branches, &[]),
            None => Ok(false),
        };
        let mut solved = Directions { forth: real(&forth, Side::First)?, back: real(&back, Side::Second)? };
        // What reaches all of the other side shows both directions.
        let reaches = |found: &Option<Solved>, given: Side| found.as_ref().is_some_and(|f| self.is_onto(f, given));
        solved.back |= solved.forth && back.is_none() && reaches(&forth, Side::First);
        solved.forth |= solved.back && forth.is_none() && reaches(&back, Side::Second);
        let is_open = is_open && !(solved.forth && solved.back);
        // A sequence that is special on one side is general on the other.
        let general = Directions { forth: !special.1, back: !special.0 };
        let (one, two) = (&self.first.system, &self.second.system);
        let oracles = self.hypothesis.admits((one, &self.a.ports), (two, &self.b.ports)).and(paths.directions);
        let generality = match self.conditions {
            Conditions::Never => solved.and(general).and(oracles).generality(),
            Conditions::Allowed => Generality::Overlap,
        };
        let is_turned = forth.is_none();
        let Some((mut branches, mut laws)) = forth.or(back) else {
            return Ok(None);
        };
        if is_turned && let [branch] = &mut branches[..] {
            let own = self.matching.unknown(Side::First, self.first.system.schedules.list.len());
            laws.turn(branch, &self.free_among(own));
        }
        let mut gauge: Option<Gauge> = None;
        if !self.freedom.is_empty() {
            for mut branch in std::mem::take(&mut branches) {
                let Some(found) = self.gauge(&shift, &mut branch)? else { continue };
                // Other numbers make another relation.
                if gauge.as_ref().is_none_or(|g| g.matrices == found.matrices && g.filters == found.filters) {
                    gauge = gauge.or(Some(found));
                    branches.push(branch);
                }
            }
            if gauge.is_none() {
                return Ok(None);
            }
        }
        let matrices = gauge.as_ref().map_or(matrices, |g| g.matrices.clone());
        let relation = match (self.hypothesis.relation, shift.iter().all(|m| *m == 0)) {
            (Relation::Oracle, false) => Relation::Shift,
            (relation, _) => relation,
        };
        let relation = gauge.as_ref().and_then(Gauge::relation).unwrap_or(relation);
        let mut assumptions = self.operators.assumptions();
        assumptions.extend(self.hypothesis.assumptions((one, &self.a.ports), (two, &self.b.ports)));
        assumptions.extend(gauge.iter().flat_map(Gauge::conditions).map(Assumption::Positive));
        if self.wanted.names == Names::Shared {
            assumptions.extend(paths.assumptions());
        }
        let solved = (branches, laws);
        let matched = self.constants(&both, &solved)?;
        let (branches, laws) = solved;
        let plant = |side: Side| if side == Side::First { self.a } else { self.b };
        let zero = |(side, n): &(Side, usize)| Assumption::ZeroConstant(*side, plant(*side).constants[*n].clone());
        assumptions.extend(matched.zero.iter().map(zero));
        let generality = generality.directions().and(matched.directions).generality();
        let is_told = self.wanted.names == Names::Shared && shift.iter().any(|m| *m != shift[0]);
        let moved = if is_told { paths.begins } else { 0 };
        Ok(Some(Witness {
            relation: if assumptions.iter().any(Assumption::is_condition) { Relation::Conditional } else { relation },
            generality,
            channel_map: channel_map.to_vec(),
            shift: shift.iter().map(|m| m + moved).collect(),
            filters: gauge.map_or_else(Vec::new, |g| g.filters),
            matrices,
            branches,
            sequences: self.sequences(&laws),
            assumptions,
            constants: vec![matched.map],
            is_open: is_open || meets && limit.is_some(),
            ..Witness::default()
        }))
    }

    /// The second in the first's oracles.
    pub fn second(&self, shift: &[i64]) -> Result<Option<InOracles>, Exhausted> {
        let matrices: Vec<_> = self.channels(shift)?.into_iter().map(|c| c.matrix).collect();
        let b = self.b.in_oracles(&self.hypothesis.order, &matrices)?;
        Ok(b.map(|b| (matrices, b)))
    }
}
