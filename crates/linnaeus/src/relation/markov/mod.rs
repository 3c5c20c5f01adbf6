//! The test for operators that do not commute, and for coefficients that change with the index and
//! so do not commute with z: two realizations of orders n₁ and n₂ over any ring that embeds in a skew
//! field have the same transfer matrix iff D and C Aʲ B, j = 0 … n₁+n₂−1, agree. No division is needed.

mod constants;
mod equations;
mod nearest;
mod origin;
mod plant;
mod reading;
mod recursions;
mod response;
mod solving;

pub use nearest::nearest;
pub use plant::Plant;

use super::behavior::Side;
use super::correspondence::{Correspondence, Kind, Letters, correspondences};
use super::hypothesis::pairings_of;
use super::matching::matchings;
use super::operators::COEFFICIENTS;
use super::search::{Scope, Wanted};
use super::verdict::{Directions, Generality, Limit, Relation, Verdict, Witness};
use crate::operator::OperatorPolynomial;
use crate::transfer::Analysis;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};
use plant::{letters, part};
use reading::Search;

type Entries = Matrix<OperatorPolynomial>;

/// Decides oracle, shift, permutation and LFT equivalence where operators do not commute or
/// coefficients change with the index.
pub fn compare(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope) -> Result<Verdict, Exhausted> {
    let (ones, twos) = (letters(first)?, letters(second)?);
    let (a, b) = (part(first, &ones), part(second, &twos));
    let possible = (&ones.0, &twos.0);
    let mut readings = Readings { first, second, possible, wanted, scope, limit: None, best: None };
    for kind in [Kind::Bijective, Kind::Special, Kind::Identity] {
        if kind == Kind::Identity && !wanted.conditional {
            continue;
        }
        let (list, complete) = correspondences(a, b, kind);
        for factors in [false, true] {
            let is_done = |best: &Witness| kind != Kind::Bijective || best.generality == Generality::Equal;
            if readings.best.as_ref().is_some_and(is_done) {
                break;
            }
            for one in &list {
                if factors && (one.words.is_empty() || one.words.len() > COEFFICIENTS) {
                    continue;
                }
                let found = readings.read(&Correspondence { factors, ..one.clone() });
                if found.is_err() && readings.best.is_none() {
                    found?;
                }
            }
        }
        if readings.best.is_some() {
            break;
        }
        if !complete {
            readings.limit = Some(Limit::Candidates);
        }
    }
    Ok(match (readings.best, readings.limit) {
        (Some(found), _) => Verdict::Related(Box::new(found)),
        (None, Some(limit)) => Verdict::Undecided(limit),
        (None, None) => Verdict::Distinct(Box::default()),
    })
}

/// The search over all readings.
struct Readings<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    possible: (&'a Letters, &'a Letters),
    wanted: Wanted<'a>,
    scope: Scope,
    limit: Option<Limit>,
    best: Option<Witness>,
}

impl Readings<'_> {
    fn is_perfect(&self) -> bool {
        self.best.as_ref().is_some_and(|b| (b.relation, b.generality) == (Relation::Oracle, Generality::Equal))
    }

    /// All pairings of oracles and sequences for one correspondence of the operators.
    fn read(&mut self, operators: &Correspondence) -> Result<(), Exhausted> {
        let (first, second) = (self.first, self.second);
        let forth = self.wanted.forth && operators.forth;
        let back = self.wanted.back && operators.back;
        if !(forth || back) || self.is_perfect() {
            return Ok(());
        }
        let wanted = Wanted { forth, back, ..self.wanted };
        for matching in matchings(&first.system.schedules, &second.system.schedules, self.wanted.names)? {
            let (Some(a), Some(b)) = (
                Plant::new(
                    first,
                    Side::First,
                    self.possible.0,
                    &|l| operators.image(Side::First, l, &second.system),
                    &RationalFunction::clone,
                )?,
                Plant::new(
                    second,
                    Side::Second,
                    self.possible.1,
                    &|l| operators.image(Side::Second, l, &first.system),
                    &|r| matching.placed(r),
                )?,
            ) else {
                continue;
            };
            for hypothesis in pairings_of(&a.ports, &b.ports) {
                let (a, b) = (&a, &b);
                let mut spaces = Vec::new();
                for (i, &j) in hypothesis.order.iter().enumerate() {
                    let x = &first.system.calls[first.channels[a.ports[i].channel].call];
                    let y = &second.system.calls[second.channels[b.ports[j].channel].call];
                    spaces.extend([(x.input, y.input), (x.output, y.output)]);
                }
                let identity = !operators.identity.is_empty();
                if !identity && !operators.fits(&first.system, &second.system, &spaces) {
                    continue;
                }
                // Which operators are the identity is the same for all that follows.
                let sieve = self.wanted.sieve.filter(|_| !identity);
                let admitted = sieve.map(|s| s.admits([&a.ports, &b.ports], &hypothesis, &[], [0; 2]));
                let Directions { forth, back } = admitted.unwrap_or(Directions::ALL);
                let wanted = Wanted { forth: wanted.forth && forth, back: wanted.back && back, ..wanted };
                if !wanted.forth && !wanted.back {
                    continue;
                }
                let search = Search {
                    first,
                    second,
                    wanted,
                    scope: self.scope,
                    a,
                    b,
                    operators,
                    hypothesis: &hypothesis,
                    matching: &matching,
                };
                let found = search.run(&mut self.limit)?;
                let Some(found) = found.filter(|f| self.wanted.only.is_none_or(|o| o == f.relation)) else {
                    continue;
                };
                let rank = |w: &Witness| (w.relation, w.generality);
                if self.best.as_ref().is_none_or(|b| rank(&found) < rank(b)) {
                    let (operators, images) = (operators.symbols()?, operators.images()?);
                    self.best = Some(Witness { operators, images, ..found });
                }
                if self.is_perfect() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
