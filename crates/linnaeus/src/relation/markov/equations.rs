//! What must vanish for the Markov parameters of one reading to agree.

use super::reading::Search;
use super::response::Response;
use crate::relation::behavior::Port;
use crate::relation::hypothesis::{Pairing, boxed};
use crate::syntax::ast::OracleKind;
use crate::system::schedule::{Schedules, scheduled, varies};
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, SortedSet, Variable};

/// To which time values of sequences are traced back by their rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The earliest of which an equation speaks.
    Each,
    /// The earliest of which any does.
    Common,
}

/// The first's sequence and the second's in the first's oracles, for one shift.
pub struct Sequences<'a> {
    pub x: &'a Response<'a>,
    pub y: Response<'a>,
    pub shift: &'a [i64],
    /// So many of both are compared.
    pub length: usize,
}

impl Search<'_> {
    /// Equations hold at all times: each at all those at which it speaks of no other values of sought
    /// sequences than those that occur, and so many later ones, so that every value can be solved for.
    pub fn at_other_times(
        &self,
        equations: Vec<Polynomial>,
        unknown: &[Variable],
        further: i64,
    ) -> Result<Vec<Polynomial>, Exhausted> {
        let times = |p: &Polynomial| -> Option<(i64, i64)> {
            let own = p.variables().into_iter().filter(|v| unknown.contains(v));
            let offsets: Vec<i64> = own.filter_map(scheduled).map(|(_, offset)| offset).collect();
            Some((offsets.iter().copied().min()?, offsets.iter().copied().max()?))
        };
        let all: Vec<(i64, i64)> = equations.iter().filter_map(times).collect();
        let (from, to) = (all.iter().map(|t| t.0).min().unwrap_or(0), all.iter().map(|t| t.1).max().unwrap_or(0));
        let mut found: SortedSet<Polynomial> = SortedSet::new();
        for p in equations {
            if let Some((first, last)) = times(&p) {
                for by in from - first..=to - last + further {
                    let moved = self.matching.joint.advanced(&RationalFunction::polynomial(p.clone()), by)?;
                    found.insert(moved.numerator().primitive_part());
                }
            }
            found.insert(p);
        }
        Ok(found.into_iter().collect())
    }

    /// What must vanish for the sequences to agree: entry (i, j) of the first at time k and lag l is
    /// that of the second at time k − m_i and lag l + m_j − m_i. Nothing if that is impossible.
    pub fn equations(
        &self,
        both: &Sequences,
        rules: &Schedules,
        base: Base,
        lags: usize,
    ) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let joint = &self.matching.joint;
        let mut found: SortedSet<Polynomial> = self.matching.equations.iter().map(|p| p.primitive_part()).collect();
        for j in 0..both.shift.len() {
            found.extend(self.column(both, j, j, both.shift[j], rules, lags)?);
        }
        for step in self.steps(both.shift)? {
            found.insert(rules.reduced(&joint.without_signs(&step)?)?.primitive_part());
        }
        if base == Base::Common {
            // Equations hold at all times: those that count are moved to the present.
            let earliest = found.iter().filter_map(|p| rules.earliest(p)).min().unwrap_or(0);
            let present = |p: &Polynomial| -> Result<Polynomial, Exhausted> {
                let moved = rules.advanced(&RationalFunction::polynomial(p.clone()), -earliest)?;
                Ok(rules.reduced_to(moved.numerator(), 0)?.primitive_part())
            };
            found = found.iter().map(present).collect::<Result<_, Exhausted>>()?;
        }
        found.remove(&Polynomial::zero());
        Ok((!found.iter().any(Polynomial::is_constant)).then(|| found.into_iter().collect()))
    }

    /// What must vanish for the steps of oracles that are the same to be so.
    pub fn steps(&self, shift: &[i64]) -> Result<Vec<Polynomial>, Exhausted> {
        let mut found = Vec::new();
        for (i, (pairing, channel)) in self.hypothesis.pairings.iter().zip(self.channels(shift)?).enumerate() {
            let s = &self.a.ports[i].oracle;
            if *pairing == Pairing::Same && s.kind.has_step() {
                let step = self.matching.joint.advanced(&channel.step, -shift[i])?;
                found.push(s.step.sub(&step)?.numerator().primitive_part());
                let theirs = &self.b.ports[self.hypothesis.order[i]].oracle.map;
                if let (Some(ours), Some(theirs)) = (&s.map, theirs) {
                    let theirs = self.matching.joint.advanced_operator(theirs, -shift[i])?;
                    found.extend(ours.sub(&theirs)?.terms().iter().map(|(_, c)| c.numerator().primitive_part()));
                }
            }
        }
        // A black box is the same at all times, and at every call.
        let joint = &self.matching.joint;
        let theirs: Vec<Port> = self.hypothesis.order.iter().map(|&j| self.b.ports[j].clone()).collect();
        let is_box = |p: &Port| p.oracle.kind == OracleKind::BlackBox;
        for ports in [&self.a.ports, &theirs] {
            for (l, i) in boxed(&self.hypothesis.pairings, &self.a.ports, &theirs) {
                found.push(ports[l].oracle.step.sub(&ports[i].oracle.step)?.numerator().primitive_part());
            }
            for (i, port) in ports.iter().enumerate() {
                let stands = self.hypothesis.pairings[i] == Pairing::Stands;
                if stands && (is_box(&self.a.ports[i]) || is_box(&theirs[i])) && varies(&port.oracle.step) {
                    let later = joint.advanced(&port.oracle.step, 1)?;
                    found.push(later.sub(&port.oracle.step)?.numerator().primitive_part());
                }
            }
        }
        Ok(found)
    }

    /// What must vanish for two input columns to agree, the input being moved by so much.
    pub fn column(
        &self,
        both: &Sequences,
        x: usize,
        y: usize,
        moved: i64,
        rules: &Schedules,
        lags: usize,
    ) -> Result<SortedSet<Polynomial>, Exhausted> {
        let schedules = &self.matching.joint;
        let length = both.length as i64;
        let mut found = SortedSet::new();
        for (i, m) in both.shift.iter().enumerate() {
            let by = moved - m;
            let end = length.min(length - by).min(i64::try_from(lags).unwrap_or(i64::MAX));
            for lag in (-by).min(0)..end {
                let other = schedules.advanced_operator(&both.y.entry(lag + by, i, y)?, -m)?;
                for (_, c) in both.x.entry(lag, i, x)?.sub(&other)?.terms() {
                    found.insert(rules.reduced(&schedules.without_signs(c.numerator())?)?.primitive_part());
                }
            }
        }
        Ok(found)
    }
}
