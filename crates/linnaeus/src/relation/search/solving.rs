//! One reading: what the parameters, the operators and the shift must be.

use super::names::{Twins, with_twins};
use super::{Asked, Attempt, Direction, Posed, Scope, Search, Solved, Stage, Symmetry};
use crate::FUEL;
use crate::relation::behavior::{Behavior, Port, Side, is_rectangular, owner};
use crate::relation::dual;
use crate::relation::functions::{self, Settled};
use crate::relation::hypothesis::{Hypothesis, Pairing};
use crate::relation::markov;
use crate::relation::operators::{self, OperatorMap, identity_of};
use crate::relation::parameters::Question;
use crate::relation::paths::{Count, Paths, paths};
use crate::relation::real::{self, Texts};
use crate::relation::scaling::{self, Freedom, Gauge, Gauges};
use crate::relation::shift::{Chosen, candidates};
use crate::relation::soundness::{is_degenerate, is_smaller};
use crate::relation::verdict::{Assumption, Directions, Limit, NO_SEQUENCES};
use crate::system::LinearSystem;
use linnaeus_algebra::solve::{Branch, Conditions, Solution, Value, random_number};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap, Variable, limited, spend, with_fuel};
use std::sync::Arc;

/// The work on other parameters where those of the same names will do.
const OTHERS: u64 = FUEL / 50;

/// The work on solutions that branches leave out.
const EXCEPTIONS: u64 = FUEL / 50;

/// At most this many functions are tried for an operator.
const MANY_FUNCTIONS: usize = 8;

/// The work of a question that is no longer easy.
const EASY: u64 = 15_000;

impl Search<'_> {
    pub(super) fn texts<'b>(&'b self, assumptions: &'b [Assumption]) -> Texts<'b> {
        let (first, second) = (&self.first.system, &self.second.system);
        Texts { first, second, sequences: &NO_SEQUENCES, given: Side::First, assumptions, names: self.wanted.names }
    }

    /// How the samples of paired channels hang together. What a card calls its samples, and from where it counts
    /// them, is of no consequence.
    pub(super) fn paths(&self, pairs: &[(usize, usize)], shift: &[i64]) -> Option<Paths> {
        paths(self.first, self.second, pairs, shift, Count::Calls)
    }

    /// Whether there is a real solution wherever the given parameters are.
    pub(super) fn is_everywhere(&self, solved: &Option<Solved>, attempt: Attempt) -> Result<bool, Exhausted> {
        match solved {
            Some((gauge, branches, _)) => {
                real::is_everywhere(self.texts(attempt.assumptions), branches, &gauge.conditions())
            }
            None => Ok(false),
        }
    }

    /// Whether the keys do not exclude a direction, these operators being the identity.
    fn is_possible(
        &self,
        direction: Direction,
        (a, b): (&Behavior, &Behavior),
        hypothesis: &Hypothesis,
        attempt: Attempt,
        identity: &[Variable],
    ) -> bool {
        let Some(sieve) = self.wanted.sieve.filter(|_| self.has_keys(attempt.stage)) else {
            return true;
        };
        let mut sets = [0; 2];
        for (side, operator) in identity.iter().map(|v| identity_of(*v)) {
            sets[usize::from(side == Side::Second)] |= 1usize.checked_shl(operator as u32).unwrap_or(0);
        }
        let asked = Directions { forth: direction == Direction::Forth, back: direction == Direction::Back };
        sieve.admits(asked, [&a.ports, &b.ports], hypothesis, attempt.assumptions, sets).any()
    }

    /// Whether what random points exclude need not be tried.
    pub(super) fn is_sifted(&self, stage: Stage) -> bool {
        self.wanted.sieve.is_some() && stage == Stage::Generic
    }

    /// Whether what keys exclude need not be tried either: they speak of shifts.
    fn has_keys(&self, stage: Stage) -> bool {
        self.is_sifted(stage) && self.symmetry == Symmetry::Shifts
    }

    /// Solves for one side's parameters in terms of the other's.
    pub(super) fn directed(
        &mut self,
        direction: Direction,
        a: &Behavior,
        b: &Behavior,
        hypothesis: &Hypothesis,
        attempt: Attempt,
    ) -> Result<Option<Solved>, Exhausted> {
        let Attempt { stage, identity, assumptions } = attempt;
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
            // In A's oracles B has A's steps in it.
            (Stage::Generic, Direction::Back) if is_lft => Chosen::Both,
            // Which multiples of the identity operators are is sought on both sides.
            (Stage::Generic, Direction::Forth) if identity.are_open_in(Side::First) => Chosen::Both,
            (Stage::Generic, Direction::Back) if identity.are_open_in(Side::Second) => Chosen::Both,
            (Stage::Generic, Direction::Forth) => Chosen::Second,
            (Stage::Generic, Direction::Back) => Chosen::First,
        };
        let mut best: Option<Solved> = None;
        for map in maps.into_iter().filter(is_kept) {
            // Where an operator is another as it is, a multiple may ask for less.
            let bar = match &best {
                None => None,
                Some((_, branches, _)) if self.scope == Scope::Texts => match restrictions(branches) {
                    (0, 0) => break,
                    bar => Some(bar),
                },
                Some(_) => break,
            };
            if !self.is_possible(direction, (a, b), hypothesis, attempt, &map.identity) {
                continue;
            }
            let (Some(a), Some(b)) = (map.apply(a)?, map.apply(b)?) else {
                continue;
            };
            let asked = Asked { direction, hypothesis, chosen, map: &map, own, assumptions };
            let Some(bar) = bar else {
                best = self.sifted(&asked, a, b, stage)?.map(|(gauge, branches)| (gauge, branches, map));
                continue;
            };
            let limit = self.limit;
            let other = with_fuel(OTHERS, || self.sifted(&asked, a, b, stage));
            self.limit = limit;
            match other {
                Ok(Some((gauge, branches))) if restrictions(&branches) < bar => best = Some((gauge, branches, map)),
                Ok(_) => {}
                Err(_) => spend(1)?,
            }
        }
        if best.is_some() {
            return Ok(best);
        }
        if self.scope == Scope::Families || stage == Stage::Overlap || !identity.is_none() {
            return Ok(None);
        }
        let none = OperatorMap::default();
        let asked = Asked { direction, hypothesis, chosen, map: &none, own, assumptions };
        for map in self.solved_maps(&asked)?.into_iter().filter(is_kept) {
            let (Some(a), Some(b)) = (map.apply(a)?, map.apply(b)?) else {
                continue;
            };
            let asked = Asked { map: &map, ..asked };
            if let Some((gauge, mut branches)) = self.answer(&asked, a, b, stage, None)? {
                // The function may hold parameters that have been solved for, or that may be what others are.
                branches.truncate(1);
                if let Some(named) = with_twins(&branches[0], &Twins::of(first, second)?)? {
                    branches[0] = named;
                }
                let map = map.settled(&rational(&branches[0]))?;
                return Ok(Some((gauge, branches, map)));
            }
        }
        Ok(None)
    }

    /// The sought side's operators as the functions of the given one's that entries of H make of them.
    pub(super) fn solved_maps(&mut self, asked: &Asked) -> Result<Vec<OperatorMap>, Exhausted> {
        let [a, b] = asked.own;
        let texts = [(&self.first.system, a), (&self.second.system, b)];
        let (given, sought) = match asked.direction {
            Direction::Forth => (texts[0], texts[1]),
            Direction::Back => (texts[1], texts[0]),
        };
        let (symbols, targets) = (operators::used(given.1), operators::used(sought.1));
        if symbols.is_empty() || targets.is_empty() {
            return Ok(Vec::new());
        }
        let Some(posed) = self.pose(asked, a.clone(), b.clone())? else {
            return Ok(Vec::new());
        };
        let unknown = OperatorMap { unknowns: targets.clone(), ..OperatorMap::default() };
        let mut found: Vec<OperatorMap> = Vec::new();
        let mut is_root = false;
        for gauge in &posed.gauges.list {
            let open = |q: &Question| Question { universal: &[], operators: &unknown, ..*q }.equations();
            let equations = self.ask(asked, &posed, gauge, open)?.flatten().unwrap_or_default();
            let systems = (given.0, sought.0);
            let mut maps = Vec::new();
            match targets[..] {
                [target] => {
                    for equation in &equations {
                        maps.extend(operators::solved(equation, (&symbols, target), systems, &given.1.nonzero)?);
                    }
                }
                _ => {
                    let both = (&symbols[..], &targets[..]);
                    maps.extend(operators::solved_together(&equations, both, systems, &given.1.nonzero)?);
                }
            }
            let is_read = targets.len() > 1 && !maps.is_empty();
            for map in maps {
                if found.iter().all(|m| m.values != map.values) {
                    found.push(map);
                }
            }
            if !is_read && equations.iter().any(|p| targets.iter().any(|v| p.degree_in(*v) > 1)) {
                let may = |q: &Question| {
                    Question { universal: &[], operators: &unknown, ..*q }.may_have_root(&symbols, &targets)
                };
                if self.ask(asked, &posed, gauge, may)?.unwrap_or(false) {
                    let given_ones = (given.0, symbols.as_slice());
                    is_root |= match targets[..] {
                        [target] => !self.is_unreal(asked, (&posed, gauge), given_ones, (sought.0, target))?,
                        _ => true,
                    };
                }
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

    /// Whether an operator that is its own adjoint, or occurs by its product with its adjoint alone, is known not to be a
    /// function of such operators, parameters being real: on a line all of them are real numbers, as in V^2 = -W^2.
    fn is_unreal(
        &self,
        asked: &Asked,
        (posed, gauge): (&Posed, &Gauge),
        (given, symbols): (&LinearSystem, &[Variable]),
        (sought, target): (&LinearSystem, Variable),
    ) -> Result<bool, Exhausted> {
        let is_own_adjoint = |system: &LinearSystem, v: Variable| {
            let operator = system.operators.get(identity_of(v).1);
            operator.is_some_and(|o| o.symmetric || is_rectangular(system, o))
        };
        if !is_own_adjoint(sought, target) || !symbols.iter().all(|v| is_own_adjoint(given, *v)) {
            return Ok(false);
        }
        let unknown = OperatorMap { unknowns: vec![target], ..OperatorMap::default() };
        let numbers = |q: &Question| Question { universal: &[], operators: &unknown, ..*q }.on_a_line(symbols);
        let Some(solution) = self.ask(asked, posed, gauge, numbers)?.flatten() else { return Ok(true) };
        for branch in &solution.branches {
            if real::demands(self.texts(asked.assumptions), branch)?.is_some() {
                return Ok(false);
            }
        }
        Ok(solution.complete)
    }

    /// The answer to a question. Most are easy; one that is not is asked at a random point first.
    pub(super) fn sifted(
        &mut self,
        asked: &Asked,
        a: Behavior,
        b: Behavior,
        stage: Stage,
    ) -> Result<Option<(Gauge, Vec<Branch>)>, Exhausted> {
        if !self.has_keys(stage) {
            return self.answer(asked, a, b, stage, None);
        }
        // Where one question was hard, so are most others of the same two.
        if !self.is_hard {
            let limit = self.limit.take();
            let easy = with_fuel(EASY, || self.answer(asked, a.clone(), b.clone(), stage, None));
            self.is_hard = easy.is_err() || self.limit.is_some();
            self.limit = limit;
            if !self.is_hard {
                return easy;
            }
        }
        match self.passed(asked, &a, &b)? {
            Some(shifts) if shifts.is_empty() => Ok(None),
            shifts => self.answer(asked, a, b, stage, shifts.as_deref()),
        }
    }

    /// The first gauge that makes a question solvable, only these shifts being tried, and its solutions.
    pub(super) fn answer(
        &mut self,
        asked: &Asked,
        a: Behavior,
        b: Behavior,
        stage: Stage,
        shifts: Option<&[Vec<i64>]>,
    ) -> Result<Option<(Gauge, Vec<Branch>)>, Exhausted> {
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
                _ if self.is_sifted(stage) => match self.wanted.answers {
                    Some(answers) => answers.to(q),
                    None => q.solve_unless_refuted(),
                },
                Stage::Generic => self.solve(q),
                Stage::Overlap => q.solve(Conditions::Allowed),
            })?;
            let Some(solution) = solved.flatten() else {
                continue;
            };
            if !solution.complete {
                self.limit = Some(Limit::Equations);
            }
            let known = solution.branches.clone();
            let mut branches = self.settled(asked, (&posed, gauge), solution.branches, stage)?;
            if !branches.is_empty() && self.scope == Scope::Texts {
                let limit = self.limit;
                // What takes longer is not told.
                limited(EXCEPTIONS, || self.add_exceptional(asked, (&posed, gauge), known, stage, &mut branches))?;
                self.limit = limit;
            }
            if let Some((gauge, _)) = branches.first().cloned() {
                // Other numbers make another relation.
                branches.retain(|(other, _)| other.matrices == gauge.matrices && other.filters == gauge.filters);
                return Ok(Some((gauge, branches.into_iter().map(|(_, branch)| branch).collect())));
            }
        }
        Ok(None)
    }

    /// The branches that leave both algorithms what they are, and what is done to signals there.
    fn settled(
        &mut self,
        asked: &Asked,
        (posed, gauge): (&Posed, &Gauge),
        branches: Vec<Branch>,
        stage: Stage,
    ) -> Result<Vec<(Gauge, Branch)>, Exhausted> {
        let is_lft = asked.hypothesis.pairings.contains(&Pairing::Lft);
        let mut found = Vec::new();
        for branch in branches {
            let branch = match functions::settled(&self.first.system, &self.second.system, branch)? {
                Settled::Holds(branch) => branch,
                Settled::Fails => continue,
                Settled::Open => {
                    self.limit = self.limit.or(Some(Limit::Equations));
                    continue;
                }
            };
            // Of several operators that add up, how they do is a choice, and so is a number that nothing asks for.
            let is_sum = asked.map.values.len() > 1 && asked.map.identity.is_empty();
            let is_choice = is_sum || !posed.scales.is_empty();
            let mut branch = if is_choice { chosen(asked.map, branch)? } else { branch };
            if self.is_sound(asked, &branch, stage)?
                && (!is_lft || posed.b.is_regular_in_oracles(&posed.matrices, &rational(&branch))?)
                && let Some(gauge) = gauge.settled(&posed.channels, &posed.scales, &mut branch)?
                && !gauge.is_contradictory()?
            {
                found.push((gauge, branch));
            }
        }
        Ok(found)
    }

    /// Solutions that no branch has since it divides by what is zero there: limits of a branch that are not on it.
    fn add_exceptional(
        &mut self,
        asked: &Asked,
        (posed, gauge): (&Posed, &Gauge),
        mut known: Vec<Branch>,
        stage: Stage,
        found: &mut Vec<(Gauge, Branch)>,
    ) -> Result<(), Exhausted> {
        let conditions = if stage == Stage::Overlap { Conditions::Allowed } else { Conditions::Never };
        let mut looked_at = 0;
        while let Some(of) = known.get(looked_at).cloned() {
            looked_at += 1;
            let more = self.ask(asked, posed, gauge, |q| q.exceptional(conditions, &of, &known))?.unwrap_or_default();
            for branch in more {
                let sound = self.settled(asked, (posed, gauge), vec![branch.clone()], stage)?;
                // What is degenerate is so in all of its limits.
                if !sound.is_empty() {
                    known.push(branch);
                    found.extend(sound);
                }
            }
        }
        Ok(())
    }

    /// All parameters of the one side for any of the other's. Where those of the same names will do, not much work is
    /// done to find others.
    pub(super) fn solve(&self, question: &Question) -> Result<Option<Solution>, Exhausted> {
        let Some(named) = self.namesakes(question)? else {
            return question.solve(Conditions::Never);
        };
        match with_fuel(OTHERS, || question.solve(Conditions::Never)) {
            Ok(Some(found)) if !found.branches.is_empty() => Ok(Some(found)),
            _ => spend(1).map(|()| Some(Solution { branches: vec![named], complete: false })),
        }
    }

    /// The sought parameters as their namesakes among the given ones, if that solves the question.
    pub(super) fn namesakes(&self, question: &Question) -> Result<Option<Branch>, Exhausted> {
        let name = |v: Variable| {
            let (side, own) = owner(v);
            let system = if side == Side::First { &self.first.system } else { &self.second.system };
            system.parameters.get(own.0 as usize)
        };
        let mut twins = SortedMap::new();
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
            conditions: SortedMap::new(),
            relations: Vec::new(),
            nonzero: Vec::new(),
        }))
    }

    /// B in A's order and oracles, and what can be done to it.
    pub(super) fn pose(&self, asked: &Asked, a: Behavior, b: Behavior) -> Result<Option<Posed>, Exhausted> {
        let freedom = self.freedoms(asked.hypothesis, &a, &b);
        let channels = scaling::scaled_channels(asked.hypothesis, (&a.ports, &b.ports), &freedom, false)?;
        let matrices: Vec<_> = channels.iter().map(|c| c.matrix.clone()).collect();
        let b = b.permuted(&asked.hypothesis.order);
        let Some(mut b_new) = b.in_oracles(&matrices)? else {
            return Ok(None);
        };
        let mut scales = Vec::new();
        if freedom.iter().any(|f| *f != Freedom::Shift) {
            scales = scaling::unknowns(&channels);
            let mut ports = b_new.ports.to_vec();
            ports.iter_mut().zip(&channels).for_each(|(port, c)| port.oracle.step = c.step.clone());
            b_new.ports = Arc::new(ports);
        }
        let gauges = self.gauges(&a, &b_new, &freedom, asked.chosen)?;
        Ok(Some(Posed { a, b, b_new, matrices, channels, scales, gauges }))
    }

    /// What may be done to the channels of B, in A's order.
    fn freedoms(&self, hypothesis: &Hypothesis, a: &Behavior, b: &Behavior) -> Vec<Freedom> {
        let theirs: Vec<_> = hypothesis.order.iter().map(|&j| b.ports[j].clone()).collect();
        let own =
            |((x, y), how): ((&Port, &Port), &Pairing)| scaling::own_freedom(*how, &x.oracle, &y.oracle, self.scope);
        match self.symmetry {
            Symmetry::Scalings => scaling::freedoms(
                (&self.first.system, &a.ports),
                (&self.second.system, &theirs),
                hypothesis,
                self.scope,
            ),
            Symmetry::Shifts => a.ports.iter().zip(&theirs).zip(&hypothesis.pairings).map(own).collect(),
            Symmetry::Dual => vec![Freedom::Shift; a.ports.len()],
        }
    }

    /// The shifts for which the question may have an answer, by what it says at a random point of the given
    /// side's parameters and operators; nothing if that tells nothing.
    pub(super) fn passed(&self, asked: &Asked, a: &Behavior, b: &Behavior) -> Result<Option<Vec<Vec<i64>>>, Exhausted> {
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
    pub(super) fn ask<T>(
        &self,
        asked: &Asked,
        posed: &Posed,
        gauge: &Gauge,
        f: impl FnOnce(&Question) -> Result<T, Exhausted>,
    ) -> Result<Option<T>, Exhausted> {
        let Asked { direction, hypothesis, map, own: [a, _], .. } = *asked;
        let shift = &gauge.shift;
        let pairs = posed.a.ports.iter().zip(posed.b_new.ports.iter()).map(|(p, q)| (p.channel, q.channel));
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
            Direction::Forth => posed.b_new.ports.iter().map(|p| p.oracle.step.clone()).collect(),
            Direction::Back => a.ports.iter().map(|p| p.oracle.step.clone()).collect(),
        };
        let universal: Vec<Variable> = given.operators.clone();
        let scaled = (!posed.scales.is_empty()).then(|| OperatorMap {
            unknowns: map.unknowns.iter().chain(&posed.scales).copied().collect(),
            nonzero: map.nonzero.iter().chain(&posed.scales).copied().collect(),
            ..map.clone()
        });
        let question = Question {
            given,
            sought,
            hypothesis,
            steps: &steps,
            shift: m,
            operators: scaled.as_ref().unwrap_or(map),
            also: &gauge.equations,
            constants: self.constants,
            universal: &universal,
        };
        f(&question).map(Some)
    }

    /// What can be done to B, in A's oracles and order, to make it A.
    fn gauges(&self, a: &Behavior, b: &Behavior, freedom: &[Freedom], chosen: Chosen) -> Result<Gauges, Exhausted> {
        match self.symmetry {
            Symmetry::Dual => Ok(dual::gauges(a, b, chosen)),
            Symmetry::Scalings if freedom.iter().all(|f| matches!(f, Freedom::Shift | Freedom::Indicator)) => {
                Ok(Gauges { list: Vec::new(), complete: true })
            }
            Symmetry::Scalings if freedom.contains(&Freedom::Filter) => scaling::gauges(a, b, freedom, chosen),
            Symmetry::Scalings | Symmetry::Shifts => {
                let Gauges { list, complete } = candidates(&a.h, &b.h, chosen).into();
                let free = |gauge: Gauge| Gauge::free(gauge.shift, freedom);
                Ok(Gauges { list: list.into_iter().map(free).collect(), complete })
            }
        }
    }

    /// Values may not silence an oracle or remove an operator, and conditions may not make both
    /// algorithms smaller than they are.
    pub(super) fn is_sound(
        &self,
        Asked { own, map, assumptions, .. }: &Asked,
        branch: &Branch,
        stage: Stage,
    ) -> Result<bool, Exhausted> {
        if real::demands(self.texts(assumptions), branch)?.is_none()
            || own.iter().any(|x| is_degenerate(x, map, branch))
        {
            return Ok(false);
        }
        // Where all of one family is met, it is most often the second.
        let smaller = stage == Stage::Overlap
            && is_smaller(self.second, Side::Second, branch)?
            && is_smaller(self.first, Side::First, branch)?;
        Ok(!smaller)
    }
}

/// The values and conditions of a branch that are rational.
pub fn rational(branch: &Branch) -> impl Fn(Variable) -> Option<RationalFunction> {
    |v| match branch.conditions.get(&v).or_else(|| branch.values.get(&v)) {
        Some(Value::Rational(r)) => Some(r.clone()),
        _ => None,
    }
}

/// How many parameters a branch that asks for least restricts, and of how many it makes numbers.
pub fn restrictions(branches: &[Branch]) -> (usize, usize) {
    let is_number = |value: &&Value| matches!(value, Value::Rational(r) if r.variables().is_empty());
    let of = |b: &Branch| {
        let own = b.values.iter().filter(|(v, _)| !operators::is_coefficient(**v)).map(|(_, value)| value);
        (b.conditions.len(), own.chain(b.conditions.values()).filter(is_number).count())
    };
    branches.iter().map(of).min().unwrap_or_default()
}

/// The branch with numbers for factors of operators that may be anything, unless these make an operator zero.
pub(super) fn chosen(map: &OperatorMap, branch: Branch) -> Result<Branch, Exhausted> {
    let settled = markov::settled(branch.clone())?;
    for (_, operator) in &map.values {
        if operator.substitute(&rational(&settled))?.is_none_or(|r| r.is_zero()) {
            return Ok(branch);
        }
    }
    Ok(settled)
}
