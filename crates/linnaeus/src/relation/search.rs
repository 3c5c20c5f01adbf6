//! The search for a relation, strongest first.

use super::behavior::{Behavior, Port, Side, owner};
use super::constants::{self, Both};
use super::dual;
use super::functions;
use super::graph::{Special, gain};
use super::hypothesis::{self, Hypothesis, Pairing};
use super::key::Sieve;
use super::lift;
use super::markov::{self, Choice};
use super::obstruction::{obstruction, ports};
use super::operators::{self, OperatorMap, identity_of};
use super::parameters::{Constants, Question};
use super::paths::{Count, Paths, paths};
use super::real::{self, Texts};
use super::scaling::{self, Freedom, Gauge, Gauges};
use super::shift::{Chosen, candidates};
use super::soundness::{is_degenerate, is_smaller};
use super::verdict::{Assumption, Directions, Generality, Limit, Relation, Verdict, Witness};
use crate::FUEL;
use crate::system::schedule::{Motion, schedule, scheduled, started};
use crate::system::{LinearSystem, parameter};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Conditions, Solution, Value, random_number};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable, spend, with_fuel};
use std::collections::{BTreeMap, BTreeSet};

/// How much is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything about two texts.
    Texts,
    /// Whether all of one family lies in the other.
    Families,
}

/// Whether sequences of numbers of one name are the same in both texts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// They are: one author named them.
    Shared,
    /// Names are of no consequence.
    Foreign,
}

/// Which relations are sought.
#[derive(Copy, Clone, Debug)]
pub struct Wanted<'a> {
    /// Only this one.
    pub only: Option<Relation>,
    /// What names of sequences mean.
    pub names: Names,
    /// The first as an instance of the second.
    pub forth: bool,
    /// The second as an instance of the first.
    pub back: bool,
    /// Without assumptions: oracle, shift, permutation, LFT, and what declared oracles commute with.
    pub plain: bool,
    /// Repetition.
    pub repeated: bool,
    /// Duality.
    pub dual: bool,
    /// Under assumptions.
    pub conditional: bool,
    /// Whether what random points exclude need not be tried.
    pub sifted: bool,
    /// What the keys of both say.
    pub sieve: Option<Sieve<'a>>,
    /// What the keys say where the one with fewer calls is repeated.
    pub sieve_of_repeated: Option<Sieve<'a>>,
    /// A side that is several iterations taken as one, with whichever of them it begins, and how many calls each has.
    pub begins_anywhere: Option<(Side, usize)>,
}

impl Wanted<'_> {
    /// All of them.
    pub const ALL: Wanted<'static> = Wanted {
        only: None,
        names: Names::Shared,
        forth: true,
        back: true,
        plain: true,
        repeated: true,
        dual: true,
        conditional: true,
        sifted: false,
        sieve: None,
        sieve_of_repeated: None,
        begins_anywhere: None,
    };
    /// None of them, in both directions.
    pub const NONE: Wanted<'static> =
        Wanted { plain: false, repeated: false, dual: false, conditional: false, ..Wanted::ALL };

    /// Whether anything is sought.
    pub fn any(&self) -> bool {
        self.plain || self.repeated || self.dual || self.conditional
    }

    fn admits(&self, relation: Relation) -> bool {
        self.only.is_none_or(|only| only == relation)
    }
}

/// Decides how two algorithms are related.
pub fn search(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope) -> Verdict {
    if first.channels.is_empty() && second.channels.is_empty() {
        return Verdict::Undecided(Limit::Calls);
    }
    let only = wanted.only;
    let search = || -> Result<Verdict, Exhausted> {
        let (Some(a), Some(b)) = (Behavior::new(first, Side::First), Behavior::new(second, Side::Second)) else {
            let found = match wanted.plain || wanted.conditional {
                true => either_way(first, second, wanted, scope)?,
                false => Verdict::Distinct(Box::default()),
            };
            let repeated = wanted.repeated && wanted.admits(Relation::Repetition);
            let found = match found {
                Verdict::Related(_) => return Ok(found),
                found if repeated => repeated_words(first, second, wanted, scope)?.unwrap_or(found),
                found => found,
            };
            let conditional = wanted.conditional && wanted.admits(Relation::Conditional) && scope == Scope::Texts;
            return match found {
                Verdict::Related(_) => Ok(found),
                found if conditional => Ok(special_words(first, second, wanted, scope)?.unwrap_or(found)),
                found => Ok(found),
            };
        };
        Search::new(first, second, wanted, scope).run(&a, &b)
    };
    match with_fuel(FUEL, search).unwrap_or(Verdict::Undecided(Limit::Work)) {
        Verdict::Distinct(_) if scope == Scope::Texts => Verdict::Distinct(Box::new(obstruction(first, second, only))),
        verdict => verdict,
    }
}

/// What Markov parameters tell. What is undecided may be refuted from the other side.
fn either_way(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope) -> Result<Verdict, Exhausted> {
    let found = markov::compare(first, second, wanted, scope)?;
    if !matches!(found, Verdict::Undecided(_)) {
        return Ok(found);
    }
    let turned = Wanted { forth: wanted.back, back: wanted.forth, sieve: None, sieve_of_repeated: None, ..wanted };
    Ok(match markov::compare(second, first, turned, scope)? {
        Verdict::Distinct(obstruction) => Verdict::Distinct(obstruction),
        _ => found,
    })
}

/// The work on other parameters where those of the same names will do.
const OTHERS: u64 = FUEL / 50;

/// At most this many functions are tried for an operator.
const MANY_FUNCTIONS: usize = 8;

/// The work of a question that is no longer easy.
const EASY: u64 = 15_000;

/// The work on several iterations taken as one, where families are compared.
const REPETITION: u64 = FUEL / 8;

/// The same where roots or other functions at several times would have to be solved for.
const REPETITION_OF_FUNCTIONS: u64 = FUEL / 100;

/// One of the two as several iterations of the other, where operators do not commute or numbers change with
/// the index. What these are called has no meaning then, for the two count differently.
fn repeated_words(
    first: &Analysis,
    second: &Analysis,
    wanted: Wanted,
    scope: Scope,
) -> Result<Option<Verdict>, Exhausted> {
    let (side, n) = match lift::factor(first, second) {
        None => return Ok(None),
        Some(Err(_)) => return Ok(Some(Verdict::Undecided(Limit::Candidates))),
        Some(Ok(found)) => found,
    };
    let single = if side == Side::First { first } else { second };
    let Some(lifted) = lift::lifted_words(single, n)? else {
        return Ok(Some(Verdict::Undecided(Limit::Recursions)));
    };
    let (a, b) = if side == Side::First { (&lifted, second) } else { (first, &lifted) };
    let motions = || single.system.schedules.list.iter().map(|s| &s.motion);
    // What may be any sequence may begin anywhere, and so may several iterations taken as one.
    let begins_anywhere = motions().all(|m| *m == Motion::Free).then_some((side, single.channels.len()));
    let wanted =
        Wanted { only: None, names: Names::Foreign, conditional: false, sieve: None, begins_anywhere, ..wanted };
    let work = match motions().any(|m| matches!(m, Motion::Function(..))) {
        true => REPETITION_OF_FUNCTIONS,
        false => REPETITION,
    };
    let compare = || markov::compare(a, b, wanted, scope);
    let found = match scope {
        Scope::Texts => compare()?,
        Scope::Families => with_fuel(work, compare).unwrap_or(Verdict::Undecided(Limit::Work)),
    };
    Ok(match found {
        Verdict::Related(found) => {
            let (relation, repeat) = (found.relation.max(Relation::Repetition), Some((side, n)));
            Some(Verdict::Related(Box::new(Witness { relation, repeat, ..*found })))
        }
        Verdict::Undecided(limit) => Some(Verdict::Undecided(limit)),
        Verdict::Distinct(_) => None,
    })
}

/// The share of work for one assumption.
const ASSUMPTION: u64 = FUEL / 8;

/// The same where functions are special.
fn special_words(
    first: &Analysis,
    second: &Analysis,
    wanted: Wanted,
    scope: Scope,
) -> Result<Option<Verdict>, Exhausted> {
    let mut limit = None;
    let choices = special_choices(&ports(first), &ports(second));
    let operators = first.system.operators.len() + second.system.operators.len() > 0;
    for conditional in [false, true] {
        if conditional && !operators {
            continue;
        }
        for choice in &choices {
            let sides = (markov::closed(first, Side::First, choice)?, markov::closed(second, Side::Second, choice)?);
            let (Some(a), Some(b)) = sides else { continue };
            if a.kept.len() != b.kept.len() || a.kept.is_empty() {
                continue;
            }
            let wanted = Wanted { only: None, conditional, sieve: None, ..wanted };
            let compare = || markov::compare(&a.analysis, &b.analysis, wanted, scope);
            match with_fuel(ASSUMPTION, compare) {
                Ok(Verdict::Related(found)) => {
                    let assumed = choice.iter().cloned().map(|(side, f, s)| Assumption::Function(side, f, s));
                    return Ok(Some(Verdict::Related(Box::new(Witness {
                        relation: Relation::Conditional,
                        assumptions: assumed.chain(found.assumptions).collect(),
                        channel_map: found.channel_map.iter().map(|(i, j)| (a.kept[*i], b.kept[*j])).collect(),
                        ..*found
                    }))));
                }
                Ok(Verdict::Undecided(why)) => limit = limit.or(Some(why)),
                Ok(Verdict::Distinct(_)) => {}
                Err(_) => {
                    spend(1)?;
                    limit = limit.or(Some(Limit::Work));
                }
            }
        }
    }
    Ok(limit.map(Verdict::Undecided))
}

struct Search<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    only: Option<Relation>,
    wanted: Wanted<'a>,
    scope: Scope,
    limit: Option<Limit>,
    symmetry: Symmetry,
    /// What is asked of constant vectors.
    constants: Constants,
    /// Which side is lifted, and how often it is repeated.
    repeat: Option<(Side, usize)>,
}

/// What is assumed while pairings are tried.
#[derive(Copy, Clone)]
struct Attempt<'a> {
    stage: Stage,
    /// Whether operators may be the identity.
    identity: bool,
    /// Of functions.
    assumptions: &'a [Assumption],
}

impl Attempt<'_> {
    /// Nothing.
    fn plain(stage: Stage) -> Attempt<'static> {
        Attempt { stage, identity: false, assumptions: &[] }
    }
}

/// Whose parameters are sought, and under which reading.
#[derive(Copy, Clone)]
struct Asked<'a> {
    direction: Direction,
    hypothesis: &'a Hypothesis,
    chosen: Chosen,
    map: &'a OperatorMap,
    /// Both as they are.
    own: [&'a Behavior; 2],
}

/// Both behaviors, operators mapped, and how they may be compared.
struct Posed {
    a: Behavior,
    /// In A's order.
    b: Behavior,
    /// In A's oracles as well.
    b_new: Behavior,
    matrices: Vec<Matrix<RationalFunction>>,
    gauges: Gauges,
}

/// What both signals of a channel may undergo.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Symmetry {
    /// Shifts.
    Shifts,
    /// Also what declared oracles commute with.
    Scalings,
    /// Also a reflection, the second's functions being read as conjugates.
    Dual,
}

/// What is done to both signals, the parameters and the operators of one direction.
type Solved = (Gauge, Vec<Branch>, OperatorMap);

/// What one hypothesis came to.
struct Found {
    hypothesis: Hypothesis,
    gauge: Gauge,
    generality: Generality,
    branches: Vec<Branch>,
    operators: OperatorMap,
    /// How constant vectors were made to agree.
    constants: Constants,
    /// How samples were.
    paths: Paths,
}

impl<'a> Search<'a> {
    fn new(first: &'a Analysis, second: &'a Analysis, wanted: Wanted<'a>, scope: Scope) -> Search<'a> {
        let (symmetry, constants) = (Symmetry::Shifts, Constants::Any);
        Search { first, second, only: wanted.only, wanted, scope, limit: None, symmetry, constants, repeat: None }
    }
}

impl Search<'_> {
    fn run(&mut self, a: &Behavior, b: &Behavior) -> Result<Verdict, Exhausted> {
        let wanted = self.wanted;
        let wants = |r: Relation| wanted.admits(r);
        let plain = [Relation::Oracle, Relation::Shift, Relation::Permutation, Relation::Lft].into_iter().any(wants);
        // A constant that must be zero makes any of them conditional, and so do samples that are moved.
        let sampled = a.ports.iter().any(|p| p.oracle.sample.is_some());
        let special = a.constants.cols() + b.constants.cols() > 0 || sampled;
        let plain = (plain || special && wants(Relation::Conditional)) && wanted.plain;
        let conditional = wants(Relation::Conditional) && wanted.conditional;
        let scaled = (wants(Relation::LinearOracle) || wants(Relation::Homogeneous)) && wanted.plain;
        let repeated = wants(Relation::Repetition) && wanted.repeated;
        let dual = wants(Relation::Lft) && wanted.dual;
        let stages: &[Stage] = match self.scope {
            Scope::Texts => &[Stage::Generic, Stage::Overlap],
            Scope::Families => &[Stage::Generic],
        };
        for &stage in stages {
            let found = if plain { self.best(a, b, Attempt::plain(stage))? } else { None };
            let found = if scaled { self.scaled(a, b, stage, found)? } else { found };
            if let Some(found) = found
                && let Some(verdict) = self.accepted(a, b, found, Vec::new())?
            {
                return Ok(verdict);
            }
            if repeated && let Some(verdict) = self.repeated(stage)? {
                return Ok(verdict);
            }
        }
        if dual && let Some(verdict) = self.dual(a, b)? {
            return Ok(verdict);
        }
        if conditional {
            let special = self.special_functions(a, b)?;
            let (special, both_sides): (Vec<_>, Vec<_>) =
                special.into_iter().partition(|(assumptions, ..)| assumptions.len() == 1);
            let operators = a.operators.len() + b.operators.len() > 0;
            for &stage in stages {
                if let Some(verdict) = self.under(&special, stage, false)? {
                    return Ok(verdict);
                }
                if !operators {
                    continue;
                }
                if let Some(found) = self.best(a, b, Attempt { identity: true, ..Attempt::plain(stage) })?
                    && let Some(verdict) = self.accepted(a, b, found, Vec::new())?
                {
                    return Ok(verdict);
                }
                if let Some(verdict) = self.under(&special, stage, true)? {
                    return Ok(verdict);
                }
            }
            if self.scope == Scope::Texts
                && let Some(verdict) = self.under(&both_sides, Stage::Generic, false)?
            {
                return Ok(verdict);
            }
        }
        if let Some(limit) = self.limit {
            return Ok(Verdict::Undecided(limit));
        }
        Ok(Verdict::Distinct(Box::default()))
    }

    /// The first of several assumptions on functions that makes a relation.
    fn under(
        &mut self,
        special: &[(Vec<Assumption>, Behavior, Behavior)],
        stage: Stage,
        identity: bool,
    ) -> Result<Option<Verdict>, Exhausted> {
        for (assumptions, a, b) in special {
            if let Some(found) = self.best(a, b, Attempt { stage, identity, assumptions })?
                && let Some(verdict) = self.accepted(a, b, found, assumptions.clone())?
            {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
    }

    /// What was found, if it is what was asked for: a constant that must be zero makes it conditional.
    fn accepted(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        found: Found,
        assumptions: Vec<Assumption>,
    ) -> Result<Option<Verdict>, Exhausted> {
        let verdict = self.related(a, b, found, assumptions)?;
        let fits = |w: &Witness| self.only.is_none_or(|only| only == w.relation);
        Ok(Some(verdict).filter(|v| !matches!(v, Verdict::Related(w) if !fits(w))))
    }

    /// The same up to what declared oracles commute with, if that says more than what was found without.
    fn scaled(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        stage: Stage,
        plain: Option<Found>,
    ) -> Result<Option<Found>, Exhausted> {
        let declared = !(self.first.system.traits.is_empty() && self.second.system.traits.is_empty());
        if !declared || plain.as_ref().is_some_and(|f| f.generality == Generality::Equal) {
            return Ok(plain);
        }
        self.symmetry = Symmetry::Scalings;
        let scaled = self.best(a, b, Attempt::plain(stage))?;
        self.symmetry = Symmetry::Shifts;
        Ok(plain.into_iter().chain(scaled).min_by_key(|found| found.generality))
    }

    /// One of the two as several iterations of the other.
    fn repeated(&mut self, stage: Stage) -> Result<Option<Verdict>, Exhausted> {
        let (side, n) = match lift::factor(self.first, self.second) {
            None => return Ok(None),
            Some(Err(_)) => {
                self.limit = self.limit.or(Some(Limit::Candidates));
                return Ok(None);
            }
            Some(Ok(found)) => found,
        };
        let single = if side == Side::First { self.first } else { self.second };
        let Some(lifted) = lift::lifted(single, n)? else {
            return Ok(None);
        };
        let (first, second) = if side == Side::First { (&lifted, self.second) } else { (self.first, &lifted) };
        let (Some(a), Some(b)) = (Behavior::new(first, Side::First), Behavior::new(second, Side::Second)) else {
            return Ok(None);
        };
        let wanted = Wanted { sieve: self.wanted.sieve_of_repeated, ..Wanted::ALL };
        let mut search = Search { repeat: Some((side, n)), ..Search::new(first, second, wanted, self.scope) };
        let found = search.best(&a, &b, Attempt::plain(stage))?;
        self.limit = self.limit.or(search.limit);
        found.map(|found| search.related(&a, &b, found, Vec::new())).transpose()
    }

    /// One of the two for the conjugates of the other's functions.
    fn dual(&mut self, a: &Behavior, b: &Behavior) -> Result<Option<Verdict>, Exhausted> {
        // Each is the other's dual, so both must have one.
        let (Some(_), Some(b)) = (dual::conjugated(a), dual::conjugated(b)) else {
            return Ok(None);
        };
        let (only, limit) = (self.only.take(), self.limit);
        self.symmetry = Symmetry::Dual;
        let found = self.best(a, &b, Attempt::plain(Stage::Generic))?;
        self.symmetry = Symmetry::Shifts;
        // Whether they are each other's duals is no part of the question, so its limits are none.
        (self.only, self.limit) = (only, limit);
        let Some(found) = found else { return Ok(None) };
        let pairs = dual::pairs(a, &b, &found.hypothesis, &found.gauge.filters);
        self.related(a, &b, found, vec![Assumption::Dual(pairs)]).map(Some)
    }

    /// The strongest relation without further assumptions on functions.
    fn best(&mut self, a: &Behavior, b: &Behavior, attempt: Attempt) -> Result<Option<Found>, Exhausted> {
        let hypotheses = if self.repeat.is_some() { lift::pairings(a, b)? } else { hypothesis::pairings(a, b)? };
        if hypotheses.len() >= hypothesis::MANY {
            self.limit = Some(Limit::Candidates);
        }
        let moved = |f: &Found| f.gauge.shift.iter().map(|m| m.unsigned_abs()).sum::<u64>();
        let rank = |f: &Found| (relation_of(f), f.generality, moved(f));
        let mut best: Option<Found> = None;
        for hypothesis in hypotheses {
            if self.only.is_some_and(|only| !allows(only, hypothesis.relation)) {
                continue;
            }
            // No relation is stronger than its pairing.
            let bar = match best.as_ref().map(rank) {
                Some((relation, ..)) if hypothesis.relation > relation => continue,
                // Of two that are alike, the one that moves fewer calls is told.
                Some((relation, generality, 0)) if hypothesis.relation == relation => Some(generality),
                _ => None,
            };
            if let Some(found) = self.try_hypothesis(a, b, hypothesis, attempt, bar)? {
                if self.only.is_some_and(|only| only != Relation::Conditional && only != relation_of(&found)) {
                    continue;
                }
                if relation_of(&found) == Relation::Oracle {
                    return Ok(Some(found));
                }
                if best.as_ref().is_none_or(|b| rank(&found) < rank(b)) {
                    best = Some(found);
                }
            }
        }
        Ok(best)
    }

    /// What a pairing of channels leads to, if that is more than `bar`.
    fn try_hypothesis(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        hypothesis: Hypothesis,
        attempt: Attempt,
        bar: Option<Generality>,
    ) -> Result<Option<Found>, Exhausted> {
        let stage = attempt.stage;
        // The directions without which it is no more than that.
        let needs_forth = bar.is_some_and(|bar| bar <= Generality::Contains);
        let needs_back = bar.is_some_and(|bar| bar <= Generality::Instance);
        let hopeless = bar == Some(Generality::Equal) || bar.is_some() && stage == Stage::Overlap;
        if hopeless || needs_forth && !self.wanted.forth || needs_back && !self.wanted.back {
            return Ok(None);
        }
        let forth = match self.wanted.forth {
            true => self.directed(Direction::Forth, a, b, &hypothesis, attempt)?,
            false => None,
        };
        if needs_forth && forth.is_none() {
            return Ok(None);
        }
        // Where they meet is the same from both sides, but operators of the one need not be those of the other.
        let back = if (stage == Stage::Generic || forth.is_none()) && self.wanted.back {
            self.directed(Direction::Back, a, b, &hypothesis, attempt)?
        } else {
            None
        };
        if needs_back && back.is_none() {
            return Ok(None);
        }
        let directions = Directions { forth: self.is_everywhere(&forth)?, back: self.is_everywhere(&back)? };
        let oracles = hypothesis.admits((&self.first.system, &a.ports), (&self.second.system, &b.ports));
        let solved = match (forth, back) {
            (Some(forth), _) => forth,
            (None, None) => return Ok(None),
            (None, Some(back)) if stage == Stage::Overlap => back,
            (None, Some(back)) => {
                // The second's parameters in terms of the first's, under the conditions that make it possible.
                let overlap = Attempt { stage: Stage::Overlap, ..attempt };
                self.directed(Direction::Forth, a, b, &hypothesis, overlap)?.unwrap_or(back)
            }
        };
        let (gauge, branches, operators) = solved;
        let pair = |(i, &j): (usize, &usize)| (a.ports[i].channel, b.ports[j].channel);
        let pairs: Vec<(usize, usize)> = hypothesis.order.iter().enumerate().map(pair).collect();
        let Some(paths) = self.paths(&pairs, &gauge.shift) else {
            return Ok(None);
        };
        let generality = match stage {
            Stage::Generic => directions.and(oracles).and(paths.directions).generality(),
            Stage::Overlap => Generality::Overlap,
        };
        Ok(Some(Found { hypothesis, gauge, generality, branches, operators, constants: self.constants, paths }))
    }

    fn texts(&self) -> Texts<'_> {
        Texts { first: &self.first.system, second: &self.second.system }
    }

    /// How the samples of paired channels hang together. What a card calls its samples, and from where it counts
    /// them, is of no consequence.
    fn paths(&self, pairs: &[(usize, usize)], shift: &[i64]) -> Option<Paths> {
        paths(self.first, self.second, pairs, shift, Count::Names)
    }

    /// Whether there is a real solution wherever the given parameters are.
    fn is_everywhere(&self, solved: &Option<Solved>) -> Result<bool, Exhausted> {
        match solved {
            Some((_, branches, _)) => real::is_everywhere(self.texts(), branches),
            None => Ok(false),
        }
    }

    /// What the keys do not exclude, these operators being the identity.
    fn possible(
        &self,
        (a, b): (&Behavior, &Behavior),
        hypothesis: &Hypothesis,
        attempt: Attempt,
        identity: &[Variable],
    ) -> Directions {
        let Some(sieve) = self.wanted.sieve.filter(|_| self.is_sifted(attempt.stage)) else {
            return Directions::ALL;
        };
        let mut sets = [0; 2];
        for (side, operator) in identity.iter().map(|v| identity_of(*v)) {
            sets[usize::from(side == Side::Second)] |= 1usize.checked_shl(operator as u32).unwrap_or(0);
        }
        sieve.admits([&a.ports, &b.ports], hypothesis, attempt.assumptions, sets)
    }

    /// Whether what keys and random points exclude need not be tried.
    fn is_sifted(&self, stage: Stage) -> bool {
        self.wanted.sieve.is_some() && self.symmetry == Symmetry::Shifts && stage == Stage::Generic
    }

    /// Solves for one side's parameters in terms of the other's.
    fn directed(
        &mut self,
        direction: Direction,
        a: &Behavior,
        b: &Behavior,
        hypothesis: &Hypothesis,
        attempt: Attempt,
    ) -> Result<Option<Solved>, Exhausted> {
        let Attempt { stage, identity, .. } = attempt;
        let (first, second) = (&self.first.system, &self.second.system);
        let maps = match direction {
            Direction::Forth => operators::maps((first, a), (second, b), identity)?,
            Direction::Back => operators::maps((second, b), (first, a), identity)?,
        };
        let (given, sought) = if direction == Direction::Forth { (first, second) } else { (second, first) };
        let is_kept = |map: &OperatorMap| stage == Stage::Overlap || map.keeps_symmetry(given, sought);
        let own = [a, b];
        let is_lft = hypothesis.pairings.contains(&Pairing::Lft);
        let chosen = match (stage, direction) {
            (Stage::Overlap, _) => Chosen::Both,
            (Stage::Generic, Direction::Forth) => Chosen::Second,
            // In A's oracles B has A's steps in it.
            (Stage::Generic, Direction::Back) if is_lft => Chosen::Both,
            (Stage::Generic, Direction::Back) => Chosen::First,
        };
        for map in maps.into_iter().filter(is_kept) {
            let possible = self.possible((a, b), hypothesis, attempt, &map.identity);
            if !(if direction == Direction::Forth { possible.forth } else { possible.back }) {
                continue;
            }
            let (Some(a), Some(b)) = (map.apply(a)?, map.apply(b)?) else {
                continue;
            };
            let asked = Asked { direction, hypothesis, chosen, map: &map, own };
            if let Some((gauge, branches)) = self.sifted(&asked, a, b, stage)? {
                return Ok(Some((gauge, branches, map)));
            }
        }
        if self.scope == Scope::Families || stage == Stage::Overlap {
            return Ok(None);
        }
        let none = OperatorMap::default();
        let asked = Asked { direction, hypothesis, chosen, map: &none, own };
        for map in self.solved_maps(&asked)?.into_iter().filter(is_kept) {
            let (Some(a), Some(b)) = (map.apply(a)?, map.apply(b)?) else {
                continue;
            };
            let asked = Asked { map: &map, ..asked };
            if let Some((gauge, mut branches)) = self.answer(&asked, a, b, stage, None)? {
                // The function may hold parameters that have been solved for.
                let map = map.settled(&rational(&branches[0]))?;
                branches.truncate(1);
                return Ok(Some((gauge, branches, map)));
            }
        }
        Ok(None)
    }

    /// The sought side's only operator as the functions of the given one's that entries of H make of it.
    fn solved_maps(&mut self, asked: &Asked) -> Result<Vec<OperatorMap>, Exhausted> {
        let [a, b] = asked.own;
        let texts = [(&self.first.system, a), (&self.second.system, b)];
        let (given, sought) = match asked.direction {
            Direction::Forth => (texts[0], texts[1]),
            Direction::Back => (texts[1], texts[0]),
        };
        let Some((symbols, target)) = operators::one_of_several(given.1, sought.1) else {
            return Ok(Vec::new());
        };
        let Some(posed) = self.pose(asked, a.clone(), b.clone())? else {
            return Ok(Vec::new());
        };
        let unknown = OperatorMap { unknowns: vec![target], ..OperatorMap::default() };
        let mut found: Vec<OperatorMap> = Vec::new();
        let mut is_root = false;
        for gauge in &posed.gauges.list {
            let open = |q: &Question| Question { universal: &[], operators: &unknown, ..*q }.equations();
            let equations = self.ask(asked, &posed, gauge, open)?.flatten().unwrap_or_default();
            for equation in &equations {
                let systems = (given.0, sought.0);
                for map in operators::solved(equation, (&symbols, target), systems, &given.1.nonzero)? {
                    if found.iter().all(|m| m.values != map.values) {
                        found.push(map);
                    }
                }
            }
            if equations.iter().any(|p| p.degree_in(target) > 1) {
                let may = |q: &Question| {
                    Question { universal: &[], operators: &unknown, ..*q }.may_have_root(&symbols, target)
                };
                is_root |= self.ask(asked, &posed, gauge, may)?.unwrap_or(false);
            }
        }
        // An operator that is a root of others' functions is not sought.
        if found.is_empty() && is_root {
            self.limit = self.limit.or(Some(Limit::Operators));
        }
        found.sort_by_key(|m| {
            m.values.iter().map(|(_, r)| r.numerator().term_count() + r.denominator().term_count()).sum::<usize>()
        });
        found.truncate(MANY_FUNCTIONS);
        Ok(found)
    }

    /// The answer to a question. Most are easy; one that is not is asked at a random point first.
    fn sifted(
        &mut self,
        asked: &Asked,
        a: Behavior,
        b: Behavior,
        stage: Stage,
    ) -> Result<Option<(Gauge, Vec<Branch>)>, Exhausted> {
        if !self.is_sifted(stage) {
            return self.answer(asked, a, b, stage, None);
        }
        let limit = self.limit.take();
        let easy = with_fuel(EASY, || self.answer(asked, a.clone(), b.clone(), stage, None));
        let open = easy.is_err() || self.limit.is_some();
        self.limit = limit;
        if !open {
            return easy;
        }
        match self.passed(asked, &a, &b)? {
            Some(shifts) if shifts.is_empty() => Ok(None),
            shifts => self.answer(asked, a, b, stage, shifts.as_deref()),
        }
    }

    /// The first gauge that makes a question solvable, only these shifts being tried, and its solutions.
    fn answer(
        &mut self,
        asked: &Asked,
        a: Behavior,
        b: Behavior,
        stage: Stage,
        shifts: Option<&[Vec<i64>]>,
    ) -> Result<Option<(Gauge, Vec<Branch>)>, Exhausted> {
        let is_lft = asked.hypothesis.pairings.contains(&Pairing::Lft);
        let Some(posed) = self.pose(asked, a, b)? else {
            return Ok(None);
        };
        if !posed.gauges.complete {
            self.limit = self.limit.or(Some(Limit::Candidates));
        }
        for gauge in &posed.gauges.list {
            if shifts.is_some_and(|shifts| !shifts.contains(&gauge.shift)) {
                continue;
            }
            let solved = self.ask(asked, &posed, gauge, |q| match stage {
                _ if self.is_sifted(stage) => q.solve_unless_refuted(),
                Stage::Generic => self.solve(q),
                Stage::Overlap => q.solve(Conditions::Allowed),
            })?;
            let Some(solution) = solved.flatten() else {
                continue;
            };
            if !solution.complete {
                self.limit = Some(Limit::Equations);
            }
            let mut branches = Vec::new();
            for branch in solution.branches {
                let Some(branch) = functions::settled(&self.first.system, &self.second.system, branch)? else {
                    self.limit = self.limit.or(Some(Limit::Equations));
                    continue;
                };
                // Of several operators that add up, how they do is a choice.
                let branch = if asked.map.values.len() > 1 { chosen(asked.map, branch)? } else { branch };
                if gauge.admits(&branch)?
                    && self.is_sound(asked.own, asked.map, &branch, stage)?
                    && (!is_lft || posed.b.is_regular_in_oracles(&posed.matrices, &rational(&branch))?)
                {
                    branches.push(branch);
                }
            }
            if !branches.is_empty() {
                return Ok(Some((gauge.clone(), branches)));
            }
        }
        Ok(None)
    }

    /// All parameters of the one side for any of the other's. Where those of the same names will do, not much work is
    /// done to find others.
    fn solve(&self, question: &Question) -> Result<Option<Solution>, Exhausted> {
        let Some(named) = self.namesakes(question)? else {
            return question.solve(Conditions::Never);
        };
        match with_fuel(OTHERS, || question.solve(Conditions::Never)) {
            Ok(Some(found)) if !found.branches.is_empty() => Ok(Some(found)),
            _ => spend(1).map(|()| Some(Solution { branches: vec![named], complete: false })),
        }
    }

    /// The sought parameters as their namesakes among the given ones, if that solves the question.
    fn namesakes(&self, question: &Question) -> Result<Option<Branch>, Exhausted> {
        let name = |v: Variable| {
            let (side, own) = owner(v);
            let system = if side == Side::First { &self.first.system } else { &self.second.system };
            system.parameters.get(own.0 as usize)
        };
        let mut twins = BTreeMap::new();
        for &v in &question.sought.parameters {
            match question.given.parameters.iter().find(|w| name(**w) == name(v)) {
                Some(w) => drop(twins.insert(v, *w)),
                None => return Ok(None),
            }
        }
        if twins.is_empty() || !question.operators.unknowns.is_empty() {
            return Ok(None);
        }
        let named = |p: &Polynomial| p.rename(&|v| twins.get(&v).copied().unwrap_or(v)).is_zero();
        if !question.equations()?.is_some_and(|equations| equations.iter().all(named)) {
            return Ok(None);
        }
        let value = |(v, w): (&Variable, &Variable)| (*v, Value::Rational(RationalFunction::variable(*w)));
        Ok(Some(Branch {
            values: twins.iter().map(value).collect(),
            free: Vec::new(),
            conditions: BTreeMap::new(),
            relations: Vec::new(),
            nonzero: Vec::new(),
        }))
    }

    /// B in A's order and oracles, and what can be done to it.
    fn pose(&self, asked: &Asked, a: Behavior, b: Behavior) -> Result<Option<Posed>, Exhausted> {
        let matrices = asked.hypothesis.matrices(&a, &b)?;
        let b = b.permuted(&asked.hypothesis.order);
        let Some(b_new) = b.in_oracles(&matrices)? else {
            return Ok(None);
        };
        let gauges = self.gauges(&a, &b_new, asked.chosen)?;
        Ok(Some(Posed { a, b, b_new, matrices, gauges }))
    }

    /// The shifts for which the question may have an answer, by what it says at a random point of the given
    /// side's parameters and operators; nothing if that tells nothing.
    fn passed(&self, asked: &Asked, a: &Behavior, b: &Behavior) -> Result<Option<Vec<Vec<i64>>>, Exhausted> {
        let given = if asked.direction == Direction::Forth { a } else { b };
        let is_given = |v: Variable| given.parameters.contains(&v) || given.operators.contains(&v);
        let number = |v: Variable| is_given(v).then(|| RationalFunction::rational(&random_number(v)));
        let (Some(a), Some(b)) = (a.substituted(&number)?, b.substituted(&number)?) else {
            return Ok(None);
        };
        let Some(posed) = self.pose(asked, a, b)?.filter(|posed| posed.gauges.complete) else {
            return Ok(None);
        };
        let mut shifts = Vec::new();
        for gauge in &posed.gauges.list {
            if self.ask(asked, &posed, gauge, |q| q.may_have_solution())?.unwrap_or(false) {
                shifts.push(gauge.shift.clone());
            }
        }
        Ok(Some(shifts))
    }

    /// The question that one gauge poses; nothing if it moves samples.
    fn ask<T>(
        &self,
        asked: &Asked,
        posed: &Posed,
        gauge: &Gauge,
        f: impl FnOnce(&Question) -> Result<T, Exhausted>,
    ) -> Result<Option<T>, Exhausted> {
        let Asked { direction, hypothesis, map, own: [a, b], .. } = *asked;
        let shift = &gauge.shift;
        let pairs = posed.a.ports.iter().zip(&posed.b_new.ports).map(|(p, q)| (p.channel, q.channel));
        if self.paths(&pairs.collect::<Vec<_>>(), shift).is_none() {
            return Ok(None);
        }
        let b_new = gauge.apply(&posed.b_new)?;
        let backward: Vec<i64> = shift.iter().map(|m| -m).collect();
        // The comparison itself is symmetric up to the sign of the shift.
        let (given, sought, m) = match direction {
            Direction::Forth => (&posed.a, &b_new, shift),
            Direction::Back => (&b_new, &posed.a, &backward),
        };
        let steps: Vec<RationalFunction> = match direction {
            Direction::Forth => hypothesis.order.iter().map(|&j| b.ports[j].oracle.step.clone()).collect(),
            Direction::Back => a.ports.iter().map(|p| p.oracle.step.clone()).collect(),
        };
        let universal: Vec<Variable> = given.operators.clone();
        let question = Question {
            given,
            sought,
            hypothesis,
            steps: &steps,
            shift: m,
            operators: map,
            also: &gauge.equations,
            constants: self.constants,
            universal: &universal,
        };
        f(&question).map(Some)
    }

    /// What can be done to B, in A's oracles and order, to make it A.
    fn gauges(&self, a: &Behavior, b: &Behavior, chosen: Chosen) -> Result<Gauges, Exhausted> {
        match self.symmetry {
            Symmetry::Shifts => Ok(candidates(&a.h, &b.h, chosen).into()),
            Symmetry::Dual => Ok(dual::gauges(a, b, chosen)),
            Symmetry::Scalings => {
                let freedom = scaling::freedoms((&self.first.system, &a.ports), (&self.second.system, &b.ports));
                if freedom.iter().all(|f| *f == Freedom::Shift) {
                    return Ok(Gauges { list: Vec::new(), complete: true });
                }
                scaling::gauges(a, b, &freedom, chosen)
            }
        }
    }

    /// Values may not silence an oracle or remove an operator, and conditions may not make both
    /// algorithms smaller than they are.
    fn is_sound(
        &self,
        own: [&Behavior; 2],
        map: &OperatorMap,
        branch: &Branch,
        stage: Stage,
    ) -> Result<bool, Exhausted> {
        if real::demands(self.texts(), branch)?.is_none() || own.iter().any(|x| is_degenerate(x, map, branch)) {
            return Ok(false);
        }
        let smaller = stage == Stage::Overlap
            && is_smaller(self.first, Side::First, branch)?
            && is_smaller(self.second, Side::Second, branch)?;
        Ok(!smaller)
    }

    /// Both behaviors with one function of either special, those that the other text does not name
    /// first, or with one of each.
    fn special_functions(
        &self,
        a: &Behavior,
        b: &Behavior,
    ) -> Result<Vec<(Vec<Assumption>, Behavior, Behavior)>, Exhausted> {
        let mut choices = special_choices(&a.ports, &b.ports);
        if let Some(sieve) = self.wanted.sieve {
            choices.retain(|c| matches!(c.as_slice(), [(side, f, special)] if sieve.special((*side, f, *special))));
        }
        let mut found = Vec::new();
        for choice in choices {
            let (Some(c), Some(d)) = (specialised(a, &choice)?, specialised(b, &choice)?) else {
                continue;
            };
            if c.ports.len() == d.ports.len() && !c.ports.is_empty() && !is_deaf(a, &c) && !is_deaf(b, &d) {
                let assumptions = choice.into_iter().map(|(side, f, s)| Assumption::Function(side, f, s)).collect();
                found.push((assumptions, c, d));
            }
        }
        Ok(found)
    }

    fn related(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        found: Found,
        mut assumptions: Vec<Assumption>,
    ) -> Result<Verdict, Exhausted> {
        let relation = relation_of(&found);
        let given = assumptions.clone();
        if self.wanted.names == Names::Shared {
            assumptions.extend(found.paths.assumptions());
        }
        assumptions.extend(found.operators.identity.iter().map(|v| {
            let (side, i) = identity_of(*v);
            Assumption::Identity(side, i)
        }));
        let matrices = found.hypothesis.matrices(a, b)?;
        let b_new = b.permuted(&found.hypothesis.order).in_oracles(&matrices)?;
        let mut branches = found.branches.clone();
        let (first, second) = (&self.first.system, &self.second.system);
        branches.sort_by_key(|branch| strangeness(branch, first, second));
        let mut same_parameters = None;
        let mut generality = found.generality;
        let mut constants = Vec::new();
        if let Some(b_new) = b_new {
            let b_new = found.gauge.apply(&b_new)?;
            let shift = &found.gauge.shift;
            if a.constants.cols() + b.constants.cols() > 0 {
                let starts = self.starts(&found, &matrices, &given)?;
                let names = [first, second].map(|s| s.constants.iter().map(|c| c.name.clone()).collect::<Vec<_>>());
                let both = Both { behaviors: [a, &b_new], starts, shift, names: [&names[0], &names[1]] };
                let matched = constants::on_branches(&both, &mut branches, &found.operators)?;
                let zero = matched.first().map_or(&[][..], |m| &m.zero);
                // Parameters that are free or have several values may have one that suits the constants.
                let is_open = branches.iter().any(|b| !b.free.is_empty()) && matched.iter().any(|m| !m.map.is_plain());
                if found.constants == Constants::Any && (!zero.is_empty() || is_open) {
                    let alternative = self.with_constants(a, b, &found.hypothesis, &found.operators, &given)?;
                    if let Some(better) = alternative
                        && (!zero.is_empty() || better.generality <= generality)
                    {
                        return self.related(a, b, better, given);
                    }
                }
                let name = |(side, j): &(Side, usize)| names[usize::from(*side == Side::Second)][*j].clone();
                assumptions.extend(zero.iter().map(|c| Assumption::ZeroConstant(c.0, name(c))));
                if let Some(m) = matched.first() {
                    generality = generality.directions().and(m.directions).generality();
                }
                constants = matched.into_iter().map(|m| m.map).collect();
            }
            same_parameters = same_names(first, second, a, &b_new, &found.hypothesis, &found.gauge.shift)?;
        }
        if same_parameters.is_none() && constants.is_empty() {
            let twins = twins(first, second);
            let mut pinned = None;
            for branch in &branches {
                pinned = pinned.or(with_twins(branch, &twins)?);
            }
            let is_plain = branches.iter().all(|b| b.conditions.is_empty());
            same_parameters = (!twins.is_empty() && is_plain).then_some(pinned.is_some());
            // Where parameters may be anything, those of the same names come first.
            branches.splice(0..0, pinned.filter(|p| is_plain && !branches.contains(p)));
        }
        assumptions.extend(found.gauge.conditions(&branches)?.into_iter().map(Assumption::Positive));
        let is_dual = assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
        let relation = match self.repeat {
            _ if assumptions.iter().any(Assumption::is_condition) => Relation::Conditional,
            Some(_) => Relation::Repetition,
            None if is_dual => Relation::Lft,
            None => relation,
        };
        let channel_map =
            found.hypothesis.order.iter().enumerate().map(|(i, &j)| (a.ports[i].channel, b.ports[j].channel)).collect();
        Ok(Verdict::Related(Box::new(Witness {
            relation,
            generality,
            repeat: self.repeat,
            channel_map,
            shift: found.gauge.shift,
            filters: found.gauge.filters,
            matrices,
            branches,
            operators: found.operators.values,
            assumptions,
            constants,
            same_parameters,
            ..Witness::default()
        })))
    }
}

impl Search<'_> {
    /// What the queries are without oracles, the second's in the first's order and oracles.
    fn starts(
        &self,
        found: &Found,
        matrices: &[Matrix<RationalFunction>],
        assumptions: &[Assumption],
    ) -> Result<[Option<Behavior>; 2], Exhausted> {
        let special = assumptions.iter().filter_map(|a| match a {
            Assumption::Function(side, f, special) => Some((*side, f.clone(), *special)),
            _ => None,
        });
        let special: Vec<_> = special.collect();
        let side = |analysis: &Analysis, side: Side| -> Result<Option<Behavior>, Exhausted> {
            match Behavior::new(analysis, side) {
                Some(x) => specialised(&constants::starting(analysis, &x)?, &special),
                None => Ok(None),
            }
        };
        let second = match side(self.second, Side::Second)? {
            Some(b) => b.permuted(&found.hypothesis.order).in_oracles(matrices)?,
            None => None,
        };
        let second = second.map(|b| found.gauge.apply(&b)).transpose()?;
        Ok([side(self.first, Side::First)?, second])
    }

    /// The same with constant vectors that act alike.
    fn with_constants(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        hypothesis: &Hypothesis,
        operators: &OperatorMap,
        assumptions: &[Assumption],
    ) -> Result<Option<Found>, Exhausted> {
        let identity = !operators.identity.is_empty();
        let mut found = None;
        let mut ways = vec![(Constants::Alike, Stage::Generic), (Constants::Eventually, Stage::Generic)];
        // Values for which the constants may be anything say more than that they are zero.
        if self.scope == Scope::Texts && self.only != Some(Relation::Conditional) {
            ways.extend([(Constants::Alike, Stage::Overlap), (Constants::Eventually, Stage::Overlap)]);
        }
        for (constants, stage) in ways {
            self.constants = constants;
            let attempt = Attempt { stage, identity, assumptions };
            let result = self.try_hypothesis(a, b, hypothesis.clone(), attempt, None);
            self.constants = Constants::Any;
            found = result?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

/// One function of either side that is special, those that the other text does not name first, or one of each.
fn special_choices(a: &[Port], b: &[Port]) -> Vec<Vec<Choice>> {
    let names = |x: &[Port]| x.iter().map(|p| p.oracle.function.clone()).collect::<BTreeSet<_>>();
    let single = |x: &[Port], side: Side| -> Vec<Choice> {
        let pair = |f: String| [Special::Zero, Special::IndicatorOfZero].map(|s| (side, f.clone(), s));
        names(x).into_iter().flat_map(pair).collect()
    };
    let (ones, twos) = (single(a, Side::First), single(b, Side::Second));
    let shared: BTreeSet<String> = names(a).intersection(&names(b)).cloned().collect();
    let mut choices: Vec<_> = twos.iter().chain(&ones).map(|x| vec![x.clone()]).collect();
    choices.sort_by_key(|c| shared.contains(&c[0].1));
    // Functions that both texts name, or that could be one another, dropped from both sides are no
    // relation of the two; nor is it one where a single function is left, since what is then
    // compared is hardly any algorithm.
    let own = |x: &[Port], f: &str| -> Vec<Port> { x.iter().filter(|p| p.oracle.function == f).cloned().collect() };
    for (x, y) in ones.iter().flat_map(|x| twos.iter().map(move |y| (x, y))) {
        let (mine, theirs) = (own(a, &x.1), own(b, &y.1));
        let alike = |p: &Port| theirs.iter().any(|q| hypothesis::is_alike(&p.oracle, &q.oracle));
        let splits = names(a).len() > 2 && names(b).len() > 2;
        if splits && !shared.contains(&x.1) && !shared.contains(&y.1) && !mine.iter().any(alike) {
            choices.push(vec![x.clone(), y.clone()]);
        }
    }
    choices
}

/// Whether an oracle that is left has no influence any more.
fn is_deaf(x: &Behavior, left: &Behavior) -> bool {
    let silent = |x: &Behavior, j: usize| (0..x.h.rows()).all(|i| x.h[(i, j)].is_zero());
    let before = |j: usize| x.ports.iter().position(|p| p.channel == left.ports[j].channel);
    (0..left.h.cols()).any(|j| silent(left, j) && before(j).is_some_and(|i| !silent(x, i)))
}

/// The values and conditions of a branch that are rational.
fn rational(branch: &Branch) -> impl Fn(Variable) -> Option<RationalFunction> {
    |v| match branch.conditions.get(&v).or_else(|| branch.values.get(&v)) {
        Some(Value::Rational(r)) => Some(r.clone()),
        _ => None,
    }
}

/// The branch with numbers for factors of operators that may be anything, unless these make an operator zero.
fn chosen(map: &OperatorMap, branch: Branch) -> Result<Branch, Exhausted> {
    let settled = markov::settled(branch.clone())?;
    for (_, operator) in &map.values {
        if operator.substitute(&rational(&settled))?.is_none_or(|r| r.is_zero()) {
            return Ok(branch);
        }
    }
    Ok(settled)
}

/// Whether conditions on the given side's parameters are sought.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Generic,
    Overlap,
}

/// Whose parameters are solved for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Direction {
    /// The second's in terms of the first's.
    Forth,
    /// The first's in terms of the second's.
    Back,
}

fn allows(only: Relation, found: Relation) -> bool {
    match only {
        Relation::Shift => found == Relation::Oracle,
        Relation::LinearOracle | Relation::Homogeneous | Relation::Conditional => true,
        _ => found == only,
    }
}

fn relation_of(found: &Found) -> Relation {
    if found.paths.are_moved() {
        return Relation::Conditional;
    }
    match (found.gauge.relation(), found.hypothesis.relation, found.gauge.shift.iter().all(|m| *m == 0)) {
        (Some(relation), ..) => relation,
        (None, Relation::Oracle, false) => Relation::Shift,
        (None, relation, _) => relation,
    }
}

/// Branches that keep a parameter's name and sign come first.
fn strangeness(branch: &Branch, first: &LinearSystem, second: &LinearSystem) -> (usize, usize, usize) {
    let name = |v: Variable| {
        let (side, own) = owner(v);
        let system = if side == Side::First { first } else { second };
        system.parameters.get(own.0 as usize)
    };
    let mut strange = 0;
    let mut negative = 0;
    for (v, value) in &branch.values {
        match value {
            Value::Rational(r) => {
                let same = r.variables().len() == 1
                    && *r == RationalFunction::variable(r.variables()[0])
                    && name(r.variables()[0]) == name(*v);
                strange += usize::from(!same);
                negative += usize::from(r.numerator().leading_coefficient() < linnaeus_algebra::Integer::ZERO);
            }
            Value::Root { b, .. } => {
                strange += 1;
                negative += usize::from(b.numerator().leading_coefficient() < linnaeus_algebra::Integer::ZERO);
            }
        }
    }
    (branch.conditions.len(), strange, negative)
}

/// Parameters of the second and their namesakes among the first's.
fn twins(first: &LinearSystem, second: &LinearSystem) -> BTreeMap<Variable, Variable> {
    let twin = |(j, name): (usize, &String)| {
        let i = first.parameters.iter().position(|n| n == name)?;
        Some((Side::Second.place(parameter(j)), Side::First.place(parameter(i))))
    };
    second.parameters.iter().enumerate().filter_map(twin).collect()
}

/// The part of a branch where parameters of one name are the same, if there is one.
fn with_twins(branch: &Branch, twins: &BTreeMap<Variable, Variable>) -> Result<Option<Branch>, Exhausted> {
    let chosen = |v: Variable| {
        let twin = twins.get(&v).filter(|_| branch.free.contains(&v))?;
        Some(RationalFunction::variable(*twin))
    };
    let mut found = branch.clone();
    for value in found.values.values_mut() {
        let Value::Rational(r) = value else { return Ok(None) };
        match r.substitute(&chosen)? {
            Some(there) => *r = there,
            None => return Ok(None),
        }
    }
    // One that is determined is its namesake where another is chosen so.
    for (v, w) in twins {
        let Some(Value::Rational(value)) = found.values.get(v) else { continue };
        let difference = value.sub(&RationalFunction::variable(*w))?;
        let p = difference.numerator();
        let linear = |u: &&Variable| !twins.contains_key(u) && p.degree_in(**u) == 1;
        let Some(u) = found.free.iter().find(linear).copied() else { continue };
        let parts: Vec<_> = p.coefficients_in(u).into_iter().map(RationalFunction::polynomial).collect();
        let Some(choice) = parts[0].neg().div(&parts[1])? else { continue };
        let put = |x: Variable| (x == u).then(|| choice.clone());
        for value in found.values.values_mut() {
            let Value::Rational(r) = value else { return Ok(None) };
            match r.substitute(&put)? {
                Some(there) => *r = there,
                None => return Ok(None),
            }
        }
        found.free.retain(|x| *x != u);
        found.values.insert(u, Value::Rational(choice));
    }
    let twin = |v: &Variable| twins.get(v).map(|w| (*v, Value::Rational(RationalFunction::variable(*w))));
    found.values.extend(branch.free.iter().filter_map(twin));
    found.free.retain(|v| !twins.contains_key(v));
    let mut nonzero = Vec::new();
    let solved = |v: Variable| match found.values.get(&v).filter(|_| branch.free.contains(&v)) {
        Some(Value::Rational(r)) => Some(r.clone()),
        _ => None,
    };
    for p in &branch.nonzero {
        let there = RationalFunction::polynomial(p.clone()).substitute(&|v| chosen(v).or_else(|| solved(v)))?;
        match there {
            Some(there) if !there.is_zero() => nonzero.push(there.numerator().clone()),
            _ => return Ok(None),
        }
    }
    nonzero.retain(|p| !p.is_constant());
    nonzero.dedup();
    found.nonzero = nonzero;
    let same = |(v, w): (&Variable, &Variable)| {
        found.values.get(v).is_none_or(|value| *value == Value::Rational(RationalFunction::variable(*w)))
    };
    Ok((branch.relations.is_empty() && twins.iter().all(same)).then_some(found))
}

/// Whether it holds with equal values for equal names; none where the names differ.
fn same_names(
    first: &LinearSystem,
    second: &LinearSystem,
    a: &Behavior,
    b_new: &Behavior,
    hypothesis: &Hypothesis,
    shift: &[i64],
) -> Result<Option<bool>, Exhausted> {
    let twin = |names: &[String], other: &[String]| -> Option<Vec<usize>> {
        names.iter().map(|n| other.iter().position(|o| o == n)).collect()
    };
    let operator_names = |s: &LinearSystem| s.operators.iter().map(|o| o.name.clone()).collect::<Vec<_>>();
    let (Some(parameters), Some(operators)) =
        (twin(&second.parameters, &first.parameters), twin(&operator_names(second), &operator_names(first)))
    else {
        return Ok(None);
    };
    if first.parameters.len() != second.parameters.len()
        || first.operators.len() != second.operators.len()
        || parameters.is_empty()
    {
        return Ok(None);
    }
    let mut values: BTreeMap<Variable, RationalFunction> = BTreeMap::new();
    values.extend(
        parameters.iter().enumerate().map(|(i, &j)| (b_new.parameters[i], RationalFunction::variable(a.parameters[j]))),
    );
    values.extend(
        operators.iter().enumerate().map(|(i, &j)| (b_new.operators[i], RationalFunction::variable(a.operators[j]))),
    );
    let Some(b_same) = b_new.substituted(&|v| values.get(&v).cloned())? else {
        return Ok(Some(false));
    };
    for i in 0..a.h.rows() {
        for j in 0..a.h.cols() {
            let z =
                RationalFunction::variable(crate::system::Z).pow((shift[j] - shift[i]) as i32)?.expect("z is not zero");
            if a.h[(i, j)] != b_same.h[(i, j)].mul(&z)? {
                return Ok(Some(false));
            }
        }
    }
    let steps = a
        .ports
        .iter()
        .zip(&b_same.ports)
        .zip(&hypothesis.pairings)
        .all(|((x, y), how)| *how != Pairing::Same || !x.oracle.kind.has_step() || x.oracle.step == y.oracle.step);
    Ok(Some(steps))
}

/// The behavior when functions of its side are special; nothing if an oracle is then forced.
pub fn specialised(x: &Behavior, choice: &[Choice]) -> Result<Option<Behavior>, Exhausted> {
    let mut gains = Vec::new();
    for (i, port) in x.ports.iter().enumerate() {
        let chosen = choice.iter().find(|(side, f, _)| *side == x.side && *f == port.oracle.function);
        if let Some((_, _, special)) = chosen {
            match gain(&port.oracle, *special)? {
                Some(g) => gains.push((i, g)),
                None => return Ok(None),
            }
        }
    }
    x.closed(&gains)
}

/// A symbol's name in its own text.
pub fn symbol_name(first: &Analysis, second: &Analysis, v: Variable) -> String {
    symbol_name_in(first, second, v, None)
}

/// The same for the iteration whose index is 0: `t[1]` for `t[k+1]`.
pub fn symbol_name_at_start(first: &Analysis, second: &Analysis, v: Variable) -> String {
    symbol_name_in(first, second, v, Some(""))
}

fn symbol_name_in(first: &Analysis, second: &Analysis, v: Variable, index: Option<&str>) -> String {
    if let Some(j) = started(v) {
        return symbol_name_in(first, second, schedule(j, 0), Some(""));
    }
    if let Some((j, offset)) = scheduled(v) {
        let own = first.system.schedules.list.len();
        let (system, j, side) =
            if j < own { (&first.system, j, Side::First) } else { (&second.system, j - own, Side::Second) };
        let names = |w: Variable| symbol_name_in(first, second, side.place(w), index);
        let letter = index.unwrap_or(&system.letter);
        return system.schedules.text(schedule(j, offset), letter, &names).unwrap_or_else(|| "?".to_string());
    }
    if operators::is_coefficient(v) {
        return format!("c{}", v.0 % 10);
    }
    let (side, own) = owner(v);
    let system = if side == Side::First { &first.system } else { &second.system };
    let operator = own.0.checked_sub(crate::system::operator_symbol(0).0);
    match operator {
        Some(i) => system.operators.get(i as usize).map_or_else(|| "?".to_string(), |o| o.name.clone()),
        None => system.parameters.get(own.0 as usize).cloned().unwrap_or_else(|| "?".to_string()),
    }
}
