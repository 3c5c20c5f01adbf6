//! The test for operators that do not commute, and for coefficients that change with the index and
//! so do not commute with z: two realizations of orders n₁ and n₂ over any ring that embeds in a skew
//! field have the same transfer matrix iff D and C Aʲ B, j = 0 … n₁+n₂−1, agree. No division is needed.

mod constants;
mod dimension;
mod elimination;
mod equations;
mod meeting;
mod monomials;
mod nearest;
mod onto;
mod origin;
mod plant;
mod reading;
mod recursions;
mod residues;
mod response;
mod scales;
mod solving;
mod special;
mod states;

pub use nearest::nearest;
pub use plant::{Plant, letters, written};
pub use scales::scaled;
pub use solving::settled;
pub use special::{Choice, closed, gains};

use super::behavior::Side;
use super::correspondence::{Correspondence, Images, Kind, Letters, Part, correspondences, left, made};
use super::hypothesis::{Hypothesis, pairings_of};
use super::matching::{Matching, matchings};
use super::multiples;
use super::operators::{COEFFICIENTS, SCALES, identity_of};
use super::scaling::Freedom;
use super::search::{Scope, Wanted, differ_on_lines, restrictions};
use super::verdict::{Assumption, Directions, Generality, Limit, Relation, Verdict, Witness};
use crate::operator::OperatorPolynomial;
use crate::syntax::ast::FunctionTrait;
use crate::system::LinearSystem;
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Conditions, Value};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable};
use plant::part;
use reading::Search;
use scales::freedoms_of;
use std::cmp::Reverse;

type Entries = Matrix<OperatorPolynomial>;

/// Decides oracle, shift, permutation and LFT equivalence where operators do not commute or
/// coefficients change with the index.
pub fn compare(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope) -> Result<Verdict, Exhausted> {
    let (ones, twos) = (letters(first)?, letters(second)?);
    let (a, b) = (part(first, &ones), part(second, &twos));
    let possible = (&ones.possible, &twos.possible);
    let conditions = Conditions::Never;
    let scaled = false;
    let (limit, best, is_apart) = (None, None, [false; 2]);
    let mut readings = Readings { first, second, possible, wanted, scope, conditions, scaled, limit, best, is_apart };
    readings.read_families([a, b])?;
    if readings.best.is_none() && wanted.conditional {
        readings.read_multiples([a, b])?;
    }
    // Where neither lies in the other they may still meet.
    if readings.best.is_none() && scope == Scope::Texts && wanted.plain {
        let before = readings.limit.take();
        readings.conditions = Conditions::Allowed;
        for kind in [Kind::Bijective, Kind::Special, Kind::Made] {
            let list = match kind {
                Kind::Made => readings.made([a, b])?.0,
                _ => correspondences(a, b, kind).0,
            };
            for one in list {
                readings.read_if_possible(&one)?;
            }
            if readings.best.is_some() {
                break;
            }
        }
        // What never meets does not lie in the other either, but of operators not all is looked at there.
        let operators = first.system.operators.len() + second.system.operators.len();
        readings.limit = readings.limit.or(before.filter(|_| operators > 0));
    }
    let traits = || first.system.traits.values().chain(second.system.traits.values()).flatten();
    if readings.best.is_none() && traits().next().is_some() && wanted.plain {
        (readings.conditions, readings.scaled) = (Conditions::Never, true);
        for one in correspondences(a, b, Kind::Bijective).0 {
            readings.read_if_possible(&one)?;
        }
        // Filters with a memory are not tried.
        let is_linear = |x: &Analysis| x.system.traits.values().flatten().any(|t| *t == FunctionTrait::Linear);
        let known = [first, second].map(is_linear);
        if known == [true; 2] || scope == Scope::Texts && known != [false; 2] {
            readings.limit = readings.limit.or(Some(Limit::Filters));
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
    conditions: Conditions,
    /// Whether oracles that are declared homogeneous may be scaled.
    scaled: bool,
    limit: Option<Limit>,
    best: Option<Witness>,
    /// Sides whose operators do not make the two agree, whatever they are.
    is_apart: [bool; 2],
}

impl Readings<'_> {
    fn is_perfect(&self) -> bool {
        self.best.as_ref().is_some_and(|b| (b.relation, b.generality) == (Relation::Oracle, Generality::Equal))
    }

    /// What operators of both sides make of each other.
    fn read_families(&mut self, [a, b]: [Part; 2]) -> Result<(), Exhausted> {
        let mut complete = true;
        for kind in [Kind::Bijective, Kind::Special] {
            let (list, all) = correspondences(a, b, kind);
            self.read_all(&list)?;
            complete &= all;
            // What one direction needs says nothing of the other.
            let is_done = |best: &Witness| kind == Kind::Bijective || best.generality == Generality::Equal;
            if self.best.as_ref().is_some_and(is_done) {
                return Ok(());
            }
        }
        // What equations say need not be found otherwise.
        let (list, is_made) = self.made([a, b])?;
        self.read_all(&list)?;
        if !is_made && self.best.as_ref().is_none_or(|best| best.generality != Generality::Equal) {
            let (list, all) = correspondences(a, b, Kind::Sums);
            self.read_all(&list)?;
            let missed = if complete && all { Limit::Operators } else { Limit::Candidates };
            self.limit = self.limit.or(Some(missed));
        }
        // What is not even so of numbers is not so of operators.
        if self.best.is_none() && self.limit.is_some() && differ_on_lines(self.first, self.second, self.wanted)? {
            self.limit = None;
        }
        Ok(())
    }

    /// The same where operators of one side are multiples of the identity, which is an assumption and says nothing of
    /// either direction.
    fn read_multiples(&mut self, [a, b]: [Part; 2]) -> Result<(), Exhausted> {
        let (mut list, complete) = correspondences(a, b, Kind::Identity);
        // Families are not compared for all multiples of the identity.
        if self.scope == Scope::Families {
            list.retain(|one| one.multiples().next().is_none());
        }
        self.read_all(&list)?;
        if self.best.is_none() && self.scope == Scope::Texts {
            self.read_where_left([a, b])?;
        }
        if self.best.is_none() && !complete {
            self.limit = Some(Limit::Candidates);
        }
        Ok(())
    }

    /// Correspondences of one kind as they are, then with factors that are to be found.
    fn read_all(&mut self, list: &[Correspondence]) -> Result<(), Exhausted> {
        for factors in [false, true] {
            let is_assumed = list.first().is_some_and(|one| !one.identity.is_empty());
            let is_enough = is_assumed && self.scope == Scope::Families;
            let is_done = |best: &Witness| best.generality == Generality::Equal || is_enough;
            if self.best.as_ref().is_some_and(is_done) {
                return Ok(());
            }
            for one in list.iter().filter(|one| factors || !one.factors) {
                if factors && one.len() > COEFFICIENTS {
                    self.limit = self.limit.or(Some(Limit::Candidates));
                } else if !factors || one.len() > 0 {
                    self.read_if_possible(&Correspondence { factors, ..one.clone() })?;
                }
            }
        }
        Ok(())
    }

    /// The same as `read`, unless something has been found already and this takes too long.
    fn read_if_possible(&mut self, operators: &Correspondence) -> Result<(), Exhausted> {
        let found = self.read(operators);
        if self.best.is_none() { found } else { Ok(()) }
    }

    /// Keeps the better of what was known and what was found. Two that are related in the same way, the one an
    /// instance of the other and the other of the one, are equally general, whatever operators are in each case.
    fn accept(&mut self, found: Witness) {
        let function = |x: &Analysis, i: usize| x.channels[i].oracle.function.clone();
        let renamed = |w: &Witness| {
            let pairs = w.channel_map.iter();
            pairs.filter(|(i, j)| function(self.first, *i) != function(self.second, *j)).count()
        };
        // Where sequences are solved for, both may be counted from where they begin.
        let moved = |w: &Witness| w.shift.iter().min().is_some_and(|m| *m != 0);
        // Of operators that are multiples of the identity, what asks for less is told.
        let is_identity = |a: &Assumption| matches!(a, Assumption::Identity(..));
        let asked = |w: &Witness| w.assumptions.iter().any(is_identity).then(|| restrictions(&w.branches));
        // What leaves more open is more.
        let open = |w: &Witness| w.sequences.any.len() + w.branches.iter().map(|b| b.free.len()).max().unwrap_or(0);
        // An operator that has the name of one of the other side is that one.
        let systems = [&self.first.system, &self.second.system];
        let foreign = |w: &Witness| w.images.iter().filter(|(v, image)| !is_namesake(systems, *v, image)).count();
        let rank =
            |w: &Witness| (w.relation, w.generality, moved(w), renamed(w), asked(w), foreign(w), Reverse(open(w)));
        self.best = Some(match self.best.take() {
            None => found,
            Some(best) if best.completes(&found) => {
                let forth = if best.generality == Generality::Instance { best } else { found };
                Witness { generality: Generality::Equal, is_open: false, ..forth }
            }
            Some(best) if rank(&found) < rank(&best) => found,
            Some(best) => best,
        });
    }

    /// Whether the first call of what is not repeated is paired with one of the first iteration, which is no loss where
    /// several iterations may begin with any of them.
    fn begins(&self, hypothesis: &Hypothesis) -> bool {
        self.wanted.begins_anywhere.is_none_or(|(side, calls)| match side {
            Side::First => hypothesis.order.iter().position(|j| *j == 0).is_some_and(|i| i < calls),
            Side::Second => hypothesis.order.first().is_some_and(|j| *j < calls),
        })
    }

    /// The correspondences that equations make in any reading, and whether there can be no others.
    fn made(&mut self, [a, b]: [Part; 2]) -> Result<(Vec<Correspondence>, bool), Exhausted> {
        let (mut found, mut complete) = (Vec::new(), true);
        for (side, targets, sources) in [(Side::Second, b, a), (Side::First, a, b)] {
            if targets.possible.is_empty() || sources.possible.is_empty() {
                continue;
            }
            let (list, all, is_apart) = self.made_where(side, (targets, sources), &[])?;
            complete &= all;
            self.is_apart[usize::from(side == Side::Second)] = is_apart;
            found.extend(list.iter().flat_map(|words| made(side, targets, words, &[])));
        }
        Ok((found, complete))
    }

    /// The operators of one side as equations make them in any reading, these others of it being the identity, whether
    /// all equations say so, and whether no operators make the two agree.
    fn made_where(
        &self,
        side: Side,
        (targets, sources): (Part, Part),
        gone: &[usize],
    ) -> Result<(Vec<Images>, bool, bool), Exhausted> {
        let (mut found, mut complete, mut is_apart) = (Vec::new(), true, true);
        let sought: Vec<usize> = targets.operators().into_iter().filter(|o| !gone.contains(o)).collect();
        for operators in made(side, targets, &Images::new(), gone).iter().take(1) {
            self.each(operators, &mut |search| {
                for outcome in search.made(side, (targets, sources), &sought)? {
                    complete &= outcome.complete;
                    is_apart &= outcome.is_apart;
                    found.extend(outcome.made.into_iter().filter(|words| !found.contains(words)).collect::<Vec<_>>());
                }
                Ok(())
            })?;
        }
        Ok((found, complete, is_apart))
    }

    /// The same with operators of one side that are multiples of the identity, as few as needed.
    fn read_where_left(&mut self, [a, b]: [Part; 2]) -> Result<(), Exhausted> {
        let mut all: Vec<(Side, Vec<usize>)> = Vec::new();
        all.extend(left(b).into_iter().map(|gone| (Side::Second, gone)));
        all.extend(left(a).into_iter().map(|gone| (Side::First, gone)));
        all.sort_by_key(|(_, gone)| gone.len());
        let mut fewest = usize::MAX;
        for (side, gone) in all {
            let (targets, sources) = if side == Side::First { (a, b) } else { (b, a) };
            let is_apart = self.is_apart[usize::from(side == Side::Second)];
            if is_apart || sources.possible.is_empty() || gone.len() > fewest {
                continue;
            }
            for words in self.made_where(side, (targets, sources), &gone)?.0 {
                self.read_all(&made(side, targets, &words, &gone))?;
            }
            if self.best.is_some() {
                fewest = gone.len();
            }
        }
        Ok(())
    }

    /// All readings of one correspondence.
    fn each(
        &self,
        operators: &Correspondence,
        visit: &mut dyn FnMut(&Search) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let (first, second) = (self.first, self.second);
        for matching in matchings(&first.system.schedules, &second.system.schedules, self.wanted.names)? {
            let Some([a, b]) = self.plants(operators, &matching)? else { continue };
            for hypothesis in pairings_of(&a.ports, &b.ports).iter().filter(|h| self.begins(h)) {
                visit(&Search {
                    first,
                    second,
                    wanted: self.wanted,
                    scope: self.scope,
                    conditions: self.conditions,
                    freedom: &[],
                    a: &a,
                    b: &b,
                    operators,
                    hypothesis,
                    matching: &matching,
                })?;
            }
        }
        Ok(())
    }

    /// Both sides with their operators in terms of one side's; nothing if one that matters has no image.
    fn plants(&self, operators: &Correspondence, matching: &Matching) -> Result<Option<[Plant; 2]>, Exhausted> {
        let (one, two) = (&self.first.system, &self.second.system);
        let first = Plant::new(
            self.first,
            Side::First,
            self.possible.0,
            &|l| operators.image(Side::First, l, two),
            &RationalFunction::clone,
        )?;
        let second =
            Plant::new(self.second, Side::Second, self.possible.1, &|l| operators.image(Side::Second, l, one), &|r| {
                matching.placed(r)
            })?;
        Ok(first.zip(second).map(|(a, b)| [a, b]))
    }

    /// All pairings of oracles and sequences for one correspondence of the operators.
    fn read(&mut self, operators: &Correspondence) -> Result<(), Exhausted> {
        let (first, second) = (self.first, self.second);
        // Where operators of one side are special, only the direction that is not known yet matters.
        let one_sided = operators.forth != operators.back;
        let known = self.best.as_ref().filter(|_| one_sided).map(|best| best.generality.directions());
        let known = known.unwrap_or(Directions { forth: false, back: false });
        let forth = self.wanted.forth && operators.forth && !known.forth;
        let back = self.wanted.back && operators.back && !known.back;
        if !(forth || back) || self.is_perfect() {
            return Ok(());
        }
        let wanted = Wanted { forth, back, ..self.wanted };
        for matching in matchings(&first.system.schedules, &second.system.schedules, self.wanted.names)? {
            let Some([a, b]) = self.plants(operators, &matching)? else { continue };
            for hypothesis in pairings_of(&a.ports, &b.ports) {
                let (a, b) = (&a, &b);
                if !self.begins(&hypothesis) {
                    continue;
                }
                // No relation is stronger than its pairing.
                if self.best.as_ref().is_some_and(|best| hypothesis.relation > best.relation) {
                    continue;
                }
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
                let admitted = sieve.map(|s| s.admits(Directions::ALL, [&a.ports, &b.ports], &hypothesis, &[], [0; 2]));
                let Directions { forth, back } = admitted.unwrap_or(Directions::ALL);
                let wanted = Wanted { forth: wanted.forth && forth, back: wanted.back && back, ..wanted };
                if !wanted.forth && !wanted.back {
                    continue;
                }
                let (one, two) = (&first.system, &second.system);
                let freedom = match self.scaled {
                    true => freedoms_of((one, &a.ports), (two, &b.ports), &hypothesis, self.scope),
                    false => Vec::new(),
                };
                if self.scaled && freedom.iter().all(|f| *f == Freedom::Shift) || 2 * freedom.len() > SCALES {
                    continue;
                }
                let search = Search {
                    first,
                    second,
                    wanted,
                    scope: self.scope,
                    conditions: self.conditions,
                    freedom: &freedom,
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
                let (mut sound, mut declared) = (true, true);
                for branch in &found.branches {
                    let value = |v: Variable| match branch.values.get(&v) {
                        Some(Value::Rational(r)) => Some(r.clone()),
                        _ => None,
                    };
                    sound &= !operators.is_degenerate(&value)?;
                    // Where they only meet, what a declaration asks is assumed.
                    declared &= found.generality == Generality::Overlap
                        || operators.keeps_declarations([&first.system, &second.system], &value)?;
                }
                // Sums that commute for certain factors are not sought.
                if sound && !declared {
                    self.limit = self.limit.or(Some(Limit::Operators));
                    continue;
                }
                if sound {
                    let (operators, images) = (operators.symbols()?, operators.images()?);
                    match multiples::settled(Witness { operators, images, ..found })? {
                        Some(found) => self.accept(found),
                        None => self.limit = self.limit.or(Some(Limit::Operators)),
                    }
                }
                if self.is_perfect() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Whether an operator is a multiple of the identity, or what the other side calls by its name.
fn is_namesake([first, second]: [&LinearSystem; 2], v: Variable, image: &OperatorPolynomial) -> bool {
    let (side, own) = identity_of(v);
    let (targets, sources) = if side == Side::First { (first, second) } else { (second, first) };
    match image.terms()[..] {
        [(word, _)] => word.iter().all(|l| sources.operators[l.operator as usize].name == targets.operators[own].name),
        _ => false,
    }
}
