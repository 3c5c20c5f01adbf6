//! Where two texts begin to count: the shift of all channels under which functions of the index agree.

use super::equations::{Base, Sequences};
use super::reading::Search;
use super::response::Response;
use super::solving::FEW_LAGS;
use crate::relation::behavior::Side;
use crate::relation::verdict::Limit;
use crate::system::schedule::{Motion, schedule};
use crate::transfer::markov;
use linnaeus_algebra::solve::{Conditions, Problem, Value, solve};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, Variable};
use std::collections::BTreeSet;

/// By how much the second's index is ahead.
const AHEAD: Variable = Variable(49_999_999);

/// Texts that begin to count further apart are not compared.
const MOST: i64 = 50;

impl Search<'_> {
    /// By how much all pairs, moved by `shift` already, may be moved further together so that functions of the
    /// index agree: the second's index is another by a number that is solved for.
    pub fn origins(&self, shift: &[i64], count: usize, limit: &mut Option<Limit>) -> Result<BTreeSet<i64>, Exhausted> {
        let mut found = BTreeSet::new();
        let joint = &self.matching.joint;
        let only_clocks = joint.list.iter().all(|s| s.motion == Motion::Clock);
        let (Some(clock), true) = (joint.list.iter().position(|s| s.motion == Motion::Clock), only_clocks) else {
            return Ok(found);
        };
        let Some((_, b)) = self.second(shift)? else { return Ok(found) };
        let furthest = shift.iter().map(|m| m.abs()).max().unwrap_or(0);
        let length = count + 2 * furthest as usize;
        let clock = schedule(clock, 0);
        let moved = RationalFunction::variable(clock).add(&RationalFunction::variable(AHEAD))?;
        let mut y = markov(&b, joint, length)?;
        for m in &mut y {
            *m = m.try_map(|e| {
                e.map_coefficients(&mut |c| {
                    let at = c.substitute(&|v| (v == clock).then(|| moved.clone()))?;
                    Ok(at.unwrap_or_else(|| c.clone()))
                })
            })?;
        }
        let both = Sequences { x: &Response::new(&self.a.realization, joint), y: Response::of(y), shift, length };
        let Some(equations) = self.equations(&both, joint, Base::Each, FEW_LAGS)? else { return Ok(found) };
        let parts = equations.iter().flat_map(|p| joint.coefficients(p)).map(|p| p.primitive_part());
        let equations: Vec<Polynomial> = parts.collect::<BTreeSet<_>>().into_iter().collect();
        for given in [Side::First, Side::Second] {
            let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
            let solution = solve(&Problem {
                equations: equations.clone(),
                unknowns: sought.parameters.iter().copied().chain([AHEAD]).collect(),
                given: known.parameters.clone(),
                nonzero: self.a.nonzero.iter().chain(&self.b.nonzero).cloned().collect(),
                conditions: Conditions::Never,
            })?;
            for branch in solution.branches {
                let Some(Value::Rational(ahead)) = branch.values.get(&AHEAD) else { continue };
                let Some(ahead) = ahead.as_rational().filter(|x| x.denominator().is_one()) else { continue };
                match i64::try_from(ahead.numerator()) {
                    Ok(ahead) if ahead.abs() <= MOST => drop(found.insert(-ahead)),
                    _ => *limit = limit.or(Some(Limit::Candidates)),
                }
            }
        }
        Ok(found)
    }
}
