//! Which readings are tried, and in which order.

use super::solving::restrictions;
use super::witness::{Case, relation_of};
use super::{Attempt, Direction, Found, Names, Operators, Scope, Search, Stage, Symmetry, Wanted};
use crate::FUEL;
use crate::relation::behavior::{Behavior, Port, Side};
use crate::relation::dual;
use crate::relation::hypothesis::{self, Hypothesis, Pairing, Steps};
use crate::relation::lift;
use crate::relation::markov::Choice;
use crate::relation::multiples;
use crate::relation::operators::{
    Multiples, alone, assumable, is_multiple, is_told_apart, openings, with_identities, with_multiples,
};
use crate::relation::scaling::on_branch;
use crate::relation::shift::Chosen;
use crate::relation::verdict::{Assumption, Directions, Generality, Limit, Relation, Verdict, Witness};
use crate::transfer::graph::{Special, gain};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, SortedSet, Variable, limited};
use std::sync::Arc;

/// The work on duality: every function may be reflected, and oracles of one kind paired in any order.
const DUALITY: u64 = FUEL / 10;

impl Search<'_> {
    pub(super) fn run(&mut self, a: &Behavior, b: &Behavior) -> Result<Verdict, Exhausted> {
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
            if repeated && let Some(verdict) = self.repeated(stage, Operators::General)? {
                return Ok(verdict);
            }
        }
        if dual && let Some(verdict) = self.dual(a, b)? {
            return Ok(verdict);
        }
        if conditional {
            let special = self.special_functions(a, b);
            let (both_sides, special): (Vec<_>, Vec<_>) = special.into_iter().partition(Case::is_compound);
            let operators = a.operators.len() + b.operators.len() > 0;
            for &stage in stages {
                if let Some(verdict) = self.under([a, b], &special, stage, Operators::General)? {
                    return Ok(verdict);
                }
                if !operators {
                    continue;
                }
                if let Some(verdict) = self.with_identity(a, b, (stage, &[]), Operators::Multiples)? {
                    return Ok(verdict);
                }
                if wanted.repeated
                    && self.scope == Scope::Texts
                    && let Some(verdict) = self.repeated(stage, Operators::Multiples)?
                {
                    return Ok(verdict);
                }
                if let Some(verdict) = self.under([a, b], &special, stage, Operators::Multiples)? {
                    return Ok(verdict);
                }
            }
            if self.scope == Scope::Texts
                && let Some(verdict) = self.under([a, b], &both_sides, Stage::Generic, Operators::General)?
            {
                return Ok(verdict);
            }
            if self.wanted.tries_rare(self.scope)
                && let Some(verdict) = self.identified(a, b)?
            {
                return Ok(verdict);
            }
        }
        if let Some(limit) = self.limit {
            return Ok(Verdict::Undecided(limit));
        }
        Ok(Verdict::Distinct(Box::default()))
    }

    /// What the two are where all of these operators are multiples of the identity.
    pub(super) fn with_multiples(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        all: &[Variable],
    ) -> Result<Option<Verdict>, Exhausted> {
        let operators = Operators::AllMultiples(all);
        let special = self.special_functions(a, b);
        let single: Vec<Case> = special.into_iter().filter(|case| !case.is_compound()).collect();
        for stage in [Stage::Generic, Stage::Overlap] {
            let mut found = self.with_identity(a, b, (stage, &[]), operators)?;
            if found.is_none() && self.wanted.repeated {
                found = self.repeated(stage, operators)?;
            }
            if found.is_none() {
                found = self.under([a, b], &single, stage, operators)?;
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The first of several assumptions on functions that makes a relation.
    pub(super) fn under(
        &mut self,
        [a, b]: [&Behavior; 2],
        special: &[Case],
        stage: Stage,
        operators: Operators,
    ) -> Result<Option<Verdict>, Exhausted> {
        for case in special {
            let Some([a, b]) = case.behaviors(a, b, self.wanted.known)? else { continue };
            let assumptions = case.assumptions();
            let found = match operators {
                Operators::General => {
                    let attempt = Attempt { assumptions: &assumptions, ..Attempt::plain(stage) };
                    self.attempted(a, b, attempt)?
                }
                _ => self.with_identity(a, b, (stage, &assumptions), operators)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Operators of one side being the identity, as few as needed, or such multiples of it that this asks for less.
    fn with_identity(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        (stage, assumptions): (Stage, &[Assumption]),
        operators: Operators,
    ) -> Result<Option<Verdict>, Exhausted> {
        let is_equal =
            |v: &Option<Verdict>| matches!(v, Some(Verdict::Related(w)) if w.generality == Generality::Equal);
        // Families are compared where the operators of one are the identity and the other has none.
        if self.scope == Scope::Families {
            let identity = alone(a, b).map(|all| Multiples::of(&all, &[]));
            let attempt = identity.map(|identity| Attempt { stage, identity, assumptions });
            return attempt.map_or(Ok(None), |attempt| self.attempted(a, b, attempt));
        }
        let (all, complete) = match operators {
            Operators::AllMultiples(all) => (vec![all.to_vec()], true),
            _ => assumable(a, b),
        };
        let complete = complete && all.iter().flatten().all(|v| is_told_apart(*v));
        let mut best: Option<Verdict> = None;
        let mut fewest = usize::MAX;
        for assumed in all {
            if assumed.len() > fewest {
                break;
            }
            for open in openings(&assumed) {
                if is_equal(&best) {
                    break;
                }
                let identity = Multiples::of(&assumed, &open);
                let found = self.attempted(a, b, Attempt { stage, identity, assumptions })?;
                if let Some(Verdict::Related(w)) = &found
                    && !matches!(&best, Some(Verdict::Related(known)) if demands(w) >= demands(known))
                {
                    (best, fewest) = (found, assumed.len());
                }
            }
        }
        if best.is_none() && !complete {
            self.limit = self.limit.or(Some(Limit::Candidates));
        }
        Ok(best)
    }

    /// What an attempt leads to.
    fn attempted(&mut self, a: &Behavior, b: &Behavior, attempt: Attempt) -> Result<Option<Verdict>, Exhausted> {
        match self.best(a, b, attempt)? {
            Some(found) => self.accepted(a, b, found, attempt.assumptions.to_vec()),
            None => Ok(None),
        }
    }

    /// Two functions of the side that has one more are the same.
    fn identified(&mut self, a: &Behavior, b: &Behavior) -> Result<Option<Verdict>, Exhausted> {
        let names = |x: &Behavior| x.ports.iter().map(|p| p.oracle.function.clone()).collect::<SortedSet<_>>();
        let (ones, twos) = (names(a), names(b));
        let (x, own) = match ones.len() as i64 - twos.len() as i64 {
            1 => (a, &ones),
            -1 => (b, &twos),
            _ => return Ok(None),
        };
        for (n, g) in own.iter().enumerate() {
            for f in own.iter().take(n) {
                let mut ports = x.ports.as_ref().clone();
                ports.iter_mut().filter(|p| p.oracle.function == *g).for_each(|p| p.oracle.function.clone_from(f));
                let one = Behavior { ports: Arc::new(ports), ..x.clone() };
                let (c, d) = if x.side == Side::First { (&one, b) } else { (a, &one) };
                let assumptions = vec![Assumption::Same(x.side, f.clone(), g.clone())];
                let attempt = Attempt { assumptions: &assumptions, ..Attempt::plain(Stage::Generic) };
                if let Some(verdict) = self.attempted(c, d, attempt)? {
                    return Ok(Some(verdict));
                }
            }
        }
        Ok(None)
    }

    /// What was found, if it is what was asked for: a constant that must be zero makes it conditional.
    pub(super) fn accepted(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        found: Found,
        assumptions: Vec<Assumption>,
    ) -> Result<Option<Verdict>, Exhausted> {
        let verdict = match self.related(a, b, found, assumptions)? {
            Verdict::Related(witness) => match multiples::settled(*witness)? {
                Some(witness) => Verdict::Related(Box::new(witness)),
                None => {
                    self.limit = self.limit.or(Some(Limit::Operators));
                    return Ok(None);
                }
            },
            verdict => verdict,
        };
        let fits = |w: &Witness| self.only.is_none_or(|only| only == w.relation);
        Ok(Some(verdict).filter(|v| !matches!(v, Verdict::Related(w) if !fits(w))))
    }

    /// The same up to what declared oracles commute with, if that says more than what was found without.
    pub(super) fn scaled(
        &mut self,
        a: &Behavior,
        b: &Behavior,
        stage: Stage,
        plain: Option<Found>,
    ) -> Result<Option<Found>, Exhausted> {
        let declared = [self.first, self.second].map(|x| !x.system.traits.is_empty());
        let declared = declared == [true; 2] || self.scope == Scope::Texts && declared != [false; 2];
        if !declared || plain.as_ref().is_some_and(|f| f.generality == Generality::Equal) {
            return Ok(plain);
        }
        self.symmetry = Symmetry::Scalings;
        let scaled = self.best(a, b, Attempt::plain(stage))?;
        self.symmetry = Symmetry::Shifts;
        Ok(plain.into_iter().chain(scaled).min_by_key(|found| (found.generality, restrictions(&found.branches))))
    }

    /// One of the two as several iterations of the other.
    fn repeated(&mut self, stage: Stage, operators: Operators) -> Result<Option<Verdict>, Exhausted> {
        let (side, n) = match lift::factor(self.first, self.second) {
            None => return Ok(None),
            Some(Err(_)) => {
                self.limit = self.limit.or(Some(Limit::Candidates));
                return Ok(None);
            }
            Some(Ok(found)) => found,
        };
        let single = if side == Side::First { self.first } else { self.second };
        let lifted = match self.wanted.known {
            Some(known) => known[usize::from(side == Side::Second)].lifted(single, n)?,
            None => lift::lifted(single, n)?.map(Arc::new),
        };
        let Some(lifted) = lifted else {
            return Ok(None);
        };
        let (first, second) = if side == Side::First { (&*lifted, self.second) } else { (self.first, &*lifted) };
        let (Some(a), Some(b)) = (Behavior::new(first, Side::First), Behavior::new(second, Side::Second)) else {
            return Ok(None);
        };
        let Wanted { forth, back, answers, sieve_of_repeated: sieve, .. } = self.wanted;
        let wanted = Wanted { forth, back, sieve, answers, ..Wanted::ALL };
        let mut search = Search { repeat: Some((side, n)), ..Search::new(first, second, wanted, self.scope) };
        let found = match operators {
            Operators::General => search.attempted(&a, &b, Attempt::plain(stage))?,
            _ => search.with_identity(&a, &b, (stage, &[]), operators)?,
        };
        self.limit = self.limit.or(search.limit);
        Ok(found)
    }

    /// One of the two for the conjugates of the other's functions.
    pub(super) fn dual(&mut self, a: &Behavior, b: &Behavior) -> Result<Option<Verdict>, Exhausted> {
        // Each is the other's dual, so both must have one.
        let (Some(_), Some(b)) = (dual::conjugated(a), dual::conjugated(b)) else {
            return Ok(None);
        };
        let (only, limit) = (self.only.take(), self.limit);
        self.symmetry = Symmetry::Dual;
        let found = limited(DUALITY, || self.best(a, &b, Attempt::plain(Stage::Generic)));
        self.symmetry = Symmetry::Shifts;
        // Whether they are each other's duals is no part of the question, so its limits are none.
        (self.only, self.limit) = (only, limit);
        let Some(found) = found?.flatten() else { return Ok(None) };
        let pairs = dual::pairs(a, &b, &found.hypothesis, &found.gauge.filters);
        self.related(a, &b, found, vec![Assumption::Dual(pairs)]).map(Some)
    }

    /// The strongest relation without further assumptions on functions.
    pub(super) fn best(&mut self, a: &Behavior, b: &Behavior, attempt: Attempt) -> Result<Option<Found>, Exhausted> {
        let identity = attempt.identity;
        let special = match self.repeat {
            _ if identity.is_none() => [None, None],
            Some(_) => [with_multiples(a, identity)?, with_multiples(b, identity)?],
            None => [with_identities(a, identity)?, with_identities(b, identity)?],
        };
        let (c, d) = (special[0].as_ref().unwrap_or(a), special[1].as_ref().unwrap_or(b));
        let hypotheses = match self.repeat {
            Some(_) if identity.are_open() => lift::pairings(c, d, &[Chosen::Both])?,
            Some(_) => lift::pairings(c, d, &[Chosen::First, Chosen::Second])?,
            None => {
                let steps = if self.symmetry == Symmetry::Scalings { Steps::Scaled } else { Steps::Fixed };
                // Filters and reflections may do what no shift does.
                let chosen: &[Chosen] = match (self.symmetry, attempt.stage) {
                    (Symmetry::Shifts, Stage::Generic) if !identity.are_open() => &[Chosen::First, Chosen::Second],
                    (Symmetry::Shifts, _) => &[Chosen::Both],
                    _ => &[],
                };
                hypothesis::pairings(c, d, steps, chosen)?
            }
        };
        // The weakest come last, and are not asked for where only stronger ones are.
        let is_asked = |h: &Hypothesis| self.only.is_none_or(|only| allows(only, h.relation));
        if hypotheses.len() >= hypothesis::MANY && hypotheses.last().is_some_and(is_asked) {
            self.limit = Some(Limit::Candidates);
        }
        let moved = |f: &Found| f.shift.iter().map(|m| m.unsigned_abs()).sum::<u64>();
        let names = self.wanted.names;
        let renamed = |h: &Hypothesis| if names == Names::Shared { h.renamed } else { 0 };
        let rank = |f: &Found| (relation_of(f), f.generality, renamed(&f.hypothesis), moved(f));
        let mut best: Option<Found> = None;
        for hypothesis in hypotheses {
            if self.only.is_some_and(|only| !allows(only, hypothesis.relation)) {
                continue;
            }
            // No relation is stronger than its pairing.
            let bar = match best.as_ref().map(rank) {
                Some((relation, ..)) if hypothesis.relation > relation => continue,
                // Of two that are alike, the one that moves fewer calls is told, unless it has other names.
                Some((relation, generality, others, moved))
                    if hypothesis.relation == relation && (moved == 0 || renamed(&hypothesis) > others) =>
                {
                    Some(generality)
                }
                _ => None,
            };
            if let Some(found) = self.try_hypothesis(a, b, hypothesis, attempt, bar)?
                && let Some(found) = without_plain(found, [a, b])?
            {
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
    pub(super) fn try_hypothesis(
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
        let directions =
            Directions { forth: self.is_everywhere(&forth, attempt)?, back: self.is_everywhere(&back, attempt)? };
        let oracles = hypothesis.admits((&self.first.system, &a.ports), (&self.second.system, &b.ports));
        let solved = match (forth, back) {
            // Which multiples of the identity operators are may be irrational in the parameters of one side alone.
            (Some(forth), Some(back)) if !has_told_multiples(&forth.1) && has_told_multiples(&back.1) => back,
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
        // Where a card begins to count is of no consequence, nor is it where all calls are moved together.
        let is_told = self.wanted.names == Names::Shared && gauge.shift.iter().any(|m| *m != gauge.shift[0]);
        let begins = if is_told { paths.begins } else { 0 };
        let shift = gauge.shift.iter().map(|m| m + begins).collect();
        let constants = self.constants;
        Ok(Some(Found { hypothesis, gauge, generality, branches, operators, constants, paths, shift }))
    }
}

/// Whether some branch says by rational functions which multiples of the identity operators are.
fn has_told_multiples(branches: &[Branch]) -> bool {
    let is_told = |(v, value): (&Variable, &Value)| !is_multiple(*v) || matches!(value, Value::Rational(_));
    branches.iter().any(|branch| branch.values.iter().chain(&branch.conditions).all(is_told))
}

/// What was found without branches on which nothing is another oracle; nothing if there is no other.
fn without_plain(mut found: Found, own: [&Behavior; 2]) -> Result<Option<Found>, Exhausted> {
    if !found.hypothesis.pairings.contains(&Pairing::Lft) {
        return Ok(Some(found));
    }
    for branch in std::mem::take(&mut found.branches) {
        if !is_plain(&found, &branch, own)? {
            found.branches.push(branch);
        }
    }
    Ok(Some(found).filter(|f| !f.branches.is_empty()))
}

/// Whether on a branch all oracles that are called others are the same, their steps being equal, which is tried as such.
fn is_plain(found: &Found, branch: &Branch, [a, b]: [&Behavior; 2]) -> Result<bool, Exhausted> {
    let Hypothesis { order, pairings, .. } = &found.hypothesis;
    for i in (0..pairings.len()).filter(|&i| pairings[i] == Pairing::Lft) {
        let at = |e: &RationalFunction| Ok::<_, Exhausted>(on_branch(e, branch)?.unwrap_or_else(|| e.clone()));
        let is_alike = hypothesis::is_alike(&a.ports[i].oracle, &b.ports[order[i]].oracle);
        if !is_alike || found.gauge.matrices[i].try_map(at)? != Matrix::identity(2) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How much a relation asks for.
fn demands(w: &Witness) -> (Generality, (usize, usize)) {
    (w.generality, restrictions(&w.branches))
}

/// One function of either side that is special, those that the other text does not name first, or one of each, or
/// two of a side that has two more than the other.
pub(super) fn special_choices(a: &[Port], b: &[Port]) -> Vec<Vec<Choice>> {
    let names = |x: &[Port]| x.iter().map(|p| p.oracle.function.clone()).collect::<SortedSet<_>>();
    let (firsts, seconds) = (names(a), names(b));
    let single = |names: &SortedSet<String>, side: Side| -> Vec<Choice> {
        let pair = |f: &String| [Special::Zero, Special::IndicatorOfZero].map(|s| (side, f.clone(), s));
        names.iter().flat_map(pair).collect()
    };
    let (ones, twos) = (single(&firsts, Side::First), single(&seconds, Side::Second));
    let is_shared = |f: &String| firsts.contains(f) && seconds.contains(f);
    let mut choices: Vec<_> = twos.iter().chain(&ones).map(|x| vec![x.clone()]).collect();
    choices.sort_by_key(|c| is_shared(&c[0].1));
    // Functions that both texts name, or that could be one another, dropped from both sides are no
    // relation of the two; nor is it one where a single function is left, since what is then
    // compared is hardly any algorithm.
    if firsts.len() > 2 && seconds.len() > 2 {
        let own = |x: &[Port], f: &str| -> Vec<Port> { x.iter().filter(|p| p.oracle.function == f).cloned().collect() };
        for (x, y) in ones.iter().flat_map(|x| twos.iter().map(move |y| (x, y))) {
            let (mine, theirs) = (own(a, &x.1), own(b, &y.1));
            let alike = |p: &Port| theirs.iter().any(|q| hypothesis::is_alike(&p.oracle, &q.oracle));
            if !is_shared(&x.1) && !is_shared(&y.1) && !mine.iter().any(alike) {
                choices.push(vec![x.clone(), y.clone()]);
            }
        }
    }
    for (own, more, fewer) in [(&ones, &firsts, &seconds), (&twos, &seconds, &firsts)] {
        if more.len() == fewer.len() + 2 {
            let pairs = own.iter().enumerate().flat_map(|(n, x)| own[n + 1..].iter().map(move |y| [x, y]));
            let mut pairs: Vec<_> = pairs.filter(|[x, y]| x.1 != y.1).collect();
            pairs.sort_by_key(|pair| pair.iter().filter(|c| is_shared(&c.1)).count());
            choices.extend(pairs.into_iter().map(|pair| pair.map(Clone::clone).to_vec()));
        }
    }
    choices
}

/// Whether an oracle that is left has no influence any more.
pub(super) fn is_deaf(x: &Behavior, left: &Behavior) -> bool {
    let silent = |x: &Behavior, j: usize| (0..x.h.rows()).all(|i| x.h[(i, j)].is_zero());
    let before = |j: usize| x.ports.iter().position(|p| p.channel == left.ports[j].channel);
    (0..left.h.cols()).any(|j| silent(left, j) && before(j).is_some_and(|i| !silent(x, i)))
}

pub(super) fn allows(only: Relation, found: Relation) -> bool {
    match only {
        Relation::Shift => found == Relation::Oracle,
        Relation::LinearOracle | Relation::Homogeneous | Relation::Conditional => true,
        _ => found == only,
    }
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
