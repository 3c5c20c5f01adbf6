//! How the second algorithm is started where operators do not commute, or coefficients change with the
//! index. There is no minimal realization over such a ring in general, so the states are those of
//! the texts: both are stepped from unknown states with the same answers, every query is a linear
//! equation between these states, and the equations are solved for the second's.
//!
//! The states that cannot be told apart by j queries form a descending chain, which stays what it is
//! once it does not change in one step, also where coefficients change: the chain at all times is
//! the image of one under σ. So as many iterations suffice as there are states.

use super::ansatz::of_low_degree;
use super::behavior::Side;
use super::echelon::{Equations, Solution, Unsolved};
use super::markov::{Plant, gains, scaled};
use super::matching::{Matching, matchings};
use super::radicals::squared_away;
use super::search::Names;
use super::state_map::{
    NoStateMap, Source, begins, constants, determined_or_rooted, leads, namesakes, seen, skipped, without_relations,
    written,
};
use super::verdict::{Assumption, Witness};
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::schedule::{Motion, schedule, scheduled, started};
use crate::system::{LinearSystem, Z, operator_symbol};
use crate::transfer::{Analysis, Realization};
use linnaeus_algebra::{
    Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable, limited,
};

type Entries = Matrix<OperatorPolynomial>;

/// Σ coefficient · source, without zeros.
pub type Words = Vec<(Source, OperatorPolynomial)>;

/// How two algorithms are started to make the same calls. Values of sequences are named by their
/// offset from the iteration in which the first starts.
#[derive(Clone, Debug)]
pub struct WordMap {
    /// The columns of T: the first's states as written, constants, answers to calls that only it makes.
    /// After them states of the second that `implicit` determines and no formula gives.
    pub sources: Vec<Source>,
    /// States of the second as written and what they are: the rows of T. Those that are not listed are
    /// never seen.
    pub initialization: Vec<(usize, Words)>,
    /// Those of them of which the queries leave no choice: they are that in every iteration.
    pub determined: Vec<usize>,
    /// Equations, each to be zero, for states of the second that no formula gives.
    pub implicit: Vec<Words>,
    /// What must be zero for the second to be able to follow the first.
    pub required: Vec<Words>,
    /// Calls that the first makes and the second does not: the first so many of a channel.
    pub skipped: Vec<(usize, usize)>,
    /// The iteration of the second that goes with the first's iteration 0.
    pub begins: i64,
    /// Whose operators the words are made of. Those of the other side that are not made of them are counted on.
    pub letters: Side,
    /// What the symbol of a square root stands for, where it occurs.
    pub root: Option<Polynomial>,
    /// The iteration in which the first starts.
    pub moment: Moment,
    /// The same where that has index 0, if coefficients change and have values from there on. What is divided by in general
    /// may vanish there, so that more can be asked of the first and less of the second.
    pub at_zero: Option<Box<WordMap>>,
}

/// An iteration in which the first may start.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Any, of index k.
    Any,
    /// That of index 0, where bᵏ is 1.
    Zero,
}

impl WordMap {
    /// The coefficient of a source.
    pub fn coefficient(words: &Words, source: Source) -> OperatorPolynomial {
        words.iter().find(|(s, _)| *s == source).map_or_else(OperatorPolynomial::zero, |(_, c)| c.clone())
    }
}

/// The start of the second in terms of the first's, and of states of its own that are given.
pub fn word_map(
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
    own: &SortedSet<usize>,
) -> Result<WordMap, NoStateMap> {
    let branch = without_relations(witness.branches.first().ok_or(NoStateMap::Unknown)?)?;
    let (values, root, squares) = determined_or_rooted(&branch)?;
    let mut matching = matching(first, second, &witness.sequences.place)?;
    for (j, rule) in &witness.sequences.rules {
        matching.joint.list[*j].motion = Motion::Recursion(rule.clone());
    }
    let letters = target(second, witness);
    let open = matching.clone();
    let terms = Terms { first, second, witness, matching: &open, letters, values, squares };
    for s in &mut matching.joint.list {
        if let Motion::Power(by) | Motion::Recursion(by) = &mut s.motion {
            *by = terms.at(by)?;
        }
    }
    let terms = Terms { matching: &matching, ..terms };
    let (a, b) = (terms.first()?, terms.second()?);
    let lead = leads(witness);
    let known = sources(first, witness, &lead);
    let constants = terms.constants()?;
    let twins = namesakes(first, second, witness, &witness.matrices);
    let moment = Moment::Any;
    let pair = Pair { a, b, lead, begins: begins(witness), matching: &matching, sources: &known, constants, moment };
    let told = |pair: &Pair| -> Result<WordMap, NoStateMap> {
        Ok(WordMap { letters, root: root.clone(), skipped: skipped(witness), ..pair.map(&twins, own)? })
    };
    let map = told(&pair)?;
    let pair = Pair { moment: Moment::Zero, ..pair };
    if matching.joint.is_empty() || !pair.has_values()? {
        return Ok(map);
    }
    match told(&pair) {
        Err(NoStateMap::Exhausted) => Err(NoStateMap::Exhausted),
        found => Ok(WordMap { at_zero: found.ok().map(Box::new), ..map }),
    }
}

fn is_own((source, _): &(Source, OperatorPolynomial)) -> bool {
    matches!(source, Source::Own(_))
}

/// How the sequences of numbers were taken for one another.
pub fn matching(first: &Analysis, second: &Analysis, place: &[usize]) -> Result<Matching, NoStateMap> {
    for names in [Names::Shared, Names::Foreign] {
        let all = matchings(&first.system.schedules, &second.system.schedules, names)?;
        if let Some(found) = all.into_iter().find(|m| m.place == place) {
            return Ok(found);
        }
    }
    Err(NoStateMap::Unknown)
}

/// The side in whose operators the other's are given, as far as they are.
pub fn target(second: &Analysis, witness: &Witness) -> Side {
    let made = |i: usize| witness.images.iter().any(|(v, _)| *v == Side::Second.place(operator_symbol(i)));
    let none = !witness.images.iter().any(|(v, _)| Side::of(*v) == Side::First);
    if none || (0..second.system.operators.len()).all(made) { Side::First } else { Side::Second }
}

/// What is known when the second starts.
fn sources(first: &Analysis, witness: &Witness, lead: &[usize]) -> Vec<Source> {
    let own = (0..written(first).len()).map(Source::State);
    let pairs = witness.channel_map.iter().zip(lead);
    let early = pairs.flat_map(|((i, _), &m)| (0..m).map(|t| Source::Answer(*i, t)));
    own.chain(constants(witness)).chain(early).collect()
}

/// Both realizations in the same parameters, sequences, operators and oracles.
struct Terms<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    witness: &'a Witness,
    matching: &'a Matching,
    letters: Side,
    values: SortedMap<Variable, RationalFunction>,
    /// Roots that no parameter makes rational, and their squares: only these may occur.
    squares: Vec<(Variable, Polynomial)>,
}

impl Terms<'_> {
    fn first(&self) -> Result<Realization<OperatorPolynomial>, NoStateMap> {
        let plant = self.closed(self.plant(self.first, Side::First, &RationalFunction::clone)?, Side::First)?;
        self.settled(&plant.realization)
    }

    fn second(&self) -> Result<Realization<OperatorPolynomial>, NoStateMap> {
        let (ones, twos): (Vec<usize>, Vec<usize>) = self.witness.channel_map.iter().copied().unzip();
        let plant = self.plant(self.second, Side::Second, &|r| self.matching.placed(r))?;
        let mut plant = self.closed(plant, Side::Second)?;
        let left = |gains: &[(usize, RationalFunction)], n: usize| -> Vec<usize> {
            (0..n).filter(|i| gains.iter().all(|g| g.0 != *i)).collect()
        };
        let [ours, theirs] = [Side::First, Side::Second].map(|side| self.gains(side));
        let (ours, theirs) = (left(&ours?, self.first.channels.len()), left(&theirs?, self.second.channels.len()));
        let place = |j: &usize| theirs.iter().position(|i| i == j).ok_or(NoStateMap::Unknown);
        let twos = twos.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        if ones != ours || self.witness.filters.iter().any(|c| c.variables().contains(&Z)) {
            return Err(NoStateMap::Unknown);
        }
        plant.realization = self.settled(&plant.realization)?;
        let matrix = |m: &Matrix<RationalFunction>| m.try_map(|e| self.at(e));
        let matrices = self.witness.matrices.iter().map(matrix).collect::<Result<Vec<_>, _>>()?;
        let b = plant.in_oracles(&twos, &matrices)?.ok_or(NoStateMap::Unknown)?;
        let filters = self.witness.filters.iter().map(|c| self.at(c)).collect::<Result<Vec<_>, _>>()?;
        Ok(scaled(b, &filters)?)
    }

    /// The channels of special functions, and by what they multiply.
    fn gains(&self, side: Side) -> Result<Vec<(usize, RationalFunction)>, NoStateMap> {
        let choice = self.witness.assumptions.iter().filter_map(|a| match a {
            Assumption::Function(side, f, special) => Some((*side, f.clone(), *special)),
            _ => None,
        });
        let analysis = if side == Side::First { self.first } else { self.second };
        gains(analysis, side, &choice.collect::<Vec<_>>())?.ok_or(NoStateMap::Unknown)
    }

    fn closed(&self, plant: Plant, side: Side) -> Result<Plant, NoStateMap> {
        plant.closed(&self.gains(side)?)?.ok_or(NoStateMap::Unknown)
    }

    /// The constants of both sides, as combinations of those that may be anything.
    fn constants(&self) -> Result<[Entries; 2], NoStateMap> {
        let map = self.witness.constant_map();
        let of = |analysis: &Analysis, side: Side| -> Result<Entries, NoStateMap> {
            self.settled_entries(&map.of(side, analysis.system.constants.len()))
        };
        Ok([of(self.first, Side::First)?, of(self.second, Side::Second)?])
    }

    fn plant(
        &self,
        analysis: &Analysis,
        side: Side,
        place: &dyn Fn(&RationalFunction) -> RationalFunction,
    ) -> Result<Plant, NoStateMap> {
        let all = (0..analysis.system.operators.len()).flat_map(|o| [(o, false), (o, true)]).collect();
        let image = |l: Letter| self.image(side, l);
        Plant::new(analysis, side, &all, &image, place)?.ok_or(NoStateMap::Words)
    }

    /// What stands for a letter of a side.
    fn image(&self, side: Side, letter: Letter) -> Result<Option<OperatorPolynomial>, Exhausted> {
        let symbol = side.place(operator_symbol(letter.operator as usize));
        let other: &LinearSystem = if side == Side::First { &self.second.system } else { &self.first.system };
        let Some((_, image)) = self.witness.images.iter().find(|(v, _)| *v == symbol) else {
            let own = if side == self.letters { letter } else { counted_on(letter, other) };
            return Ok(Some(OperatorPolynomial::letter(own)));
        };
        let image =
            if letter.adjoint { image.adjoint(&|o| other.operators[o as usize].symmetric) } else { image.clone() };
        if letter.inverse { image.inverse() } else { Ok(Some(image)) }
    }

    fn settled(&self, r: &Realization<OperatorPolynomial>) -> Result<Realization<OperatorPolynomial>, NoStateMap> {
        let at = |m: &Entries| self.settled_entries(m);
        Ok(Realization { states: r.states.clone(), a: at(&r.a)?, b: at(&r.b)?, c: at(&r.c)?, d: at(&r.d)? })
    }

    fn settled_entries(&self, m: &Entries) -> Result<Entries, NoStateMap> {
        m.try_map(|e| {
            let mut why = None;
            let found = e.map_coefficients(&mut |c| match self.at(c) {
                Ok(value) => Ok(value),
                Err(reason) => {
                    why = Some(reason);
                    Err(Exhausted)
                }
            });
            found.map_err(|e| why.unwrap_or(e.into()))
        })
    }

    /// Parameters and sequences that are determined put in, and what those are made of.
    fn at(&self, r: &RationalFunction) -> Result<RationalFunction, NoStateMap> {
        let law = |j: usize| self.witness.sequences.laws.iter().find(|(n, _)| *n == j).map(|(_, law)| law);
        let mut found = r.clone();
        for _ in 0..2 {
            let mut known = SortedMap::new();
            for v in found.variables() {
                match (scheduled(v), self.values.get(&v)) {
                    (Some((j, offset)), _) => {
                        if let Some(law) = law(j) {
                            known.insert(v, self.matching.joint.advanced(law, offset)?);
                        }
                    }
                    (None, Some(value)) => drop(known.insert(v, value.clone())),
                    (None, None) => {}
                }
            }
            if known.is_empty() {
                break;
            }
            found = found.substitute(&|v| known.get(&v).cloned())?.ok_or(NoStateMap::Unknown)?;
        }
        for (root, square) in &self.squares {
            found = squared_away(&found, *root, square)?.ok_or(NoStateMap::Roots)?;
        }
        Ok(found)
    }
}

/// A letter of the one side among those of the other.
fn counted_on(letter: Letter, other: &LinearSystem) -> Letter {
    let classes = other.operators.iter().map(|o| o.class).max().unwrap_or(0);
    let class = if letter.class == 0 { 0 } else { letter.class + classes };
    Letter { class, operator: letter.operator + other.operators.len() as u16, ..letter }
}

/// The equations of one iteration, one per query.
type Block = Vec<Vec<OperatorPolynomial>>;

fn unit(n: usize, at: usize) -> Vec<OperatorPolynomial> {
    let cell = |i: usize| if i == at { OperatorPolynomial::one() } else { OperatorPolynomial::zero() };
    (0..n).map(cell).collect()
}

/// State maps of low degree are sought for so much work.
const LOW_DEGREE: u64 = 4_000_000;

/// Two realizations of one transfer matrix, stepped side by side.
struct Pair<'a> {
    a: Realization<OperatorPolynomial>,
    b: Realization<OperatorPolynomial>,
    /// How many iterations each pair's channel is ahead in the second.
    lead: Vec<usize>,
    begins: i64,
    matching: &'a Matching,
    sources: &'a [Source],
    /// The constants of both as combinations of those among the sources.
    constants: [Entries; 2],
    moment: Moment,
}

impl Pair<'_> {
    /// The start of the second.
    fn map(&self, twins: &[(usize, Source)], own: &Unsolved) -> Result<WordMap, NoStateMap> {
        let blocks = self.blocks()?;
        let (solution, all) = self.solve(&blocks, twins, own.clone())?;
        let (given, own): (Vec<Source>, Unsolved) = (own.iter().copied().map(Source::Own).collect(), all);
        let is_asked = |j: &usize| blocks.iter().flatten().any(|row| !row[*j].is_zero());
        let seen: Vec<usize> = seen(&self.b).into_iter().filter(|j| !own.contains(j) && is_asked(j)).collect();
        let sources: Vec<Source> = self.sources.iter().copied().chain(own.into_iter().map(Source::Own)).collect();
        let words = |cells: &Vec<OperatorPolynomial>| -> Words {
            let terms = sources.iter().copied().zip(cells.iter().cloned());
            terms.filter(|(_, c)| !c.is_zero()).collect()
        };
        // Of what holds an answer that is given, the queries say no more than the answer does.
        let is_told = |j: &usize| {
            let is_free = || words(&solution.values[*j]).iter().all(|(s, _)| !given.contains(s));
            solution.determined.contains(j) && is_free()
        };
        let (implicit, required) = solution.conditions.iter().map(words).partition(|w: &Words| w.iter().any(is_own));
        Ok(WordMap {
            implicit,
            initialization: seen.iter().map(|&j| (j, words(&solution.values[j]))).collect(),
            determined: seen.iter().copied().filter(is_told).collect(),
            required,
            skipped: Vec::new(),
            begins: self.begins,
            letters: Side::First,
            root: None,
            sources,
            moment: self.moment,
            at_zero: None,
        })
    }

    fn order(&self) -> usize {
        self.b.states.len() + self.sources.len()
    }

    /// For every iteration the equations between the second's states, then the sources.
    fn blocks(&self) -> Result<Vec<Block>, NoStateMap> {
        let (n, s, p) = (self.b.states.len(), self.sources.len(), self.lead.len());
        let longest = self.lead.iter().copied().max().unwrap_or(0);
        let ones =
            |rows: usize, cols: usize, at: &dyn Fn(usize, usize) -> bool| {
                Matrix::from_fn(rows, cols, |i, j| {
                    if at(i, j) { OperatorPolynomial::one() } else { OperatorPolynomial::zero() }
                })
            };
        let first_constant = self.sources.iter().position(|s| matches!(s, Source::Constant(..))).unwrap_or(s);
        let inputs = |constants: &Entries, time: Option<usize>, from: usize| {
            Matrix::from_fn(p + constants.rows(), from + s, |i, j| {
                match j.checked_sub(from).map(|j| (j, self.sources[j])) {
                    Some((_, Source::Answer(c, t))) if i == c && Some(t) == time => OperatorPolynomial::one(),
                    Some((j, Source::Constant(..))) if i >= p => constants[(i - p, j - first_constant)].clone(),
                    _ => OperatorPolynomial::zero(),
                }
            })
        };
        let mut x = ones(self.a.states.len(), s, &|i, j| self.sources[j] == Source::State(i));
        let mut asked = Vec::new();
        for time in 0..self.order() + longest {
            let u = inputs(&self.constants[0], Some(time), 0);
            let at = |m: &Entries| self.advanced(m, time as i64);
            asked.push(at(&self.a.c)?.mul(&x)?.add(&at(&self.a.d)?.mul(&u)?)?);
            x = at(&self.a.a)?.mul(&x)?.add(&at(&self.a.b)?.mul(&u)?)?;
        }
        let mut w = ones(n, n + s, &|i, j| i == j);
        let u = inputs(&self.constants[1], None, n);
        let mut found = Vec::new();
        for time in 0..self.order() {
            let at = |m: &Entries| self.advanced(m, time as i64 + self.begins);
            let theirs = at(&self.b.c)?.mul(&w)?.add(&at(&self.b.d)?.mul(&u)?)?;
            w = at(&self.b.a)?.mul(&w)?.add(&at(&self.b.b)?.mul(&u)?)?;
            let row = |i: usize| -> Result<Vec<OperatorPolynomial>, NoStateMap> {
                let ours = &asked[time + self.lead[i]];
                let cell = |j: usize| match j.checked_sub(n) {
                    Some(source) => Ok(theirs[(i, j)].sub(&ours[(i, source)])?),
                    None => Ok(theirs[(i, j)].clone()),
                };
                (0..n + s).map(cell).collect()
            };
            found.push((0..p).map(row).collect::<Result<_, _>>()?);
        }
        Ok(found)
    }

    fn advanced(&self, m: &Entries, steps: i64) -> Result<Entries, NoStateMap> {
        let joint = &self.matching.joint;
        m.try_map(|e| match joint.is_empty() {
            true => Ok(e.clone()),
            false => {
                let mut is_defined = true;
                let moved = joint.advanced_operator(e, steps)?.map_coefficients(&mut |c| {
                    let there = self.at_moment(c)?;
                    is_defined &= there.is_some();
                    Ok(there.unwrap_or_else(RationalFunction::zero))
                })?;
                if is_defined { Ok(moved) } else { Err(NoStateMap::Unknown) }
            }
        })
    }

    /// A coefficient in the iteration in which the first starts; nothing if it is not defined. A sequence that does not
    /// change has one value.
    fn at_moment(&self, c: &RationalFunction) -> Result<Option<RationalFunction>, Exhausted> {
        let list = &self.matching.joint.list;
        let is_still = |j: usize| list[j].motion == Motion::Recursion(RationalFunction::variable(schedule(j, 0)));
        let value = |v: Variable| {
            let now = |j: usize| Some(RationalFunction::variable(schedule(j, 0)));
            match (scheduled(v), started(v)) {
                (Some((j, _)), _) => match (&list[j].motion, self.moment) {
                    (Motion::Clock, Moment::Zero) => Some(RationalFunction::zero()),
                    (Motion::Power(_), Moment::Zero) => Some(RationalFunction::one()),
                    (Motion::Power(base), _) if base.is_one() => Some(RationalFunction::one()),
                    _ if is_still(j) => now(j),
                    _ => None,
                },
                (None, Some(j)) if is_still(j) || self.moment == Moment::Zero => now(j),
                _ => None,
            }
        };
        c.substitute(&value)
    }

    /// Whether all sequences have values, from the first's start on, by the rules that they follow.
    fn has_values(&self) -> Result<bool, Exhausted> {
        let joint = &self.matching.joint;
        for s in &joint.list {
            let (Motion::Recursion(rule) | Motion::Function(_, rule)) = &s.motion else { continue };
            for time in 0..self.order() as i64 {
                if self.at_moment(&joint.advanced(rule, time)?)?.is_none() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a polynomial vanishes by the rules of sequences.
    fn vanishes(&self, p: &Polynomial) -> Result<bool, Exhausted> {
        if self.matching.joint.is_empty() {
            return Ok(p.is_zero());
        }
        let reduced = RationalFunction::polynomial(self.matching.joint.reduced(p)?);
        Ok(self.at_moment(&reduced)?.is_some_and(|r| r.is_zero()))
    }

    /// The second's states in terms of the sources and of some of its own, checked in all equations.
    fn solve(
        &self,
        blocks: &[Block],
        twins: &[(usize, Source)],
        mut own: Unsolved,
    ) -> Result<(Solution, Unsolved), NoStateMap> {
        loop {
            let found = match self.solve_with(blocks, twins, &own)? {
                Ok(solution) if self.holds(blocks, &solution, &own)? => return Ok((solution, own)),
                found => found,
            };
            if let Some(solution) = limited(LOW_DEGREE, || self.of_low_degree(blocks, &own))?.flatten() {
                return Ok((solution, own));
            }
            match found {
                Err(more) if !more.is_subset(&own) => own.extend(more),
                _ => return Err(NoStateMap::Words),
            }
        }
    }

    /// The states that are not given as polynomials of low degree in operators, where no division isolates them.
    fn of_low_degree(&self, blocks: &[Block], own: &Unsolved) -> Result<Option<Solution>, Exhausted> {
        let sought = self.sought(own);
        let rows: Vec<Vec<OperatorPolynomial>> =
            blocks.iter().take(self.b.states.len()).flatten().map(|row| self.columns(row, &sought, own)).collect();
        let vanishes = |p: &Polynomial| self.vanishes(p);
        let Some(values) = of_low_degree(&vanishes, &rows, sought.len())? else { return Ok(None) };
        let solution = Solution { values, conditions: Vec::new(), determined: SortedSet::new() };
        let solution = self.completed(solution, &sought, own);
        Ok(if self.holds(blocks, &solution, own)? { Some(solution) } else { None })
    }

    /// The states that are not given.
    fn sought(&self, own: &Unsolved) -> Vec<usize> {
        (0..self.b.states.len()).filter(|j| !own.contains(j)).collect()
    }

    /// An equation with the cells of these states first, then those of the sources and of the states that are given.
    fn columns(&self, row: &[OperatorPolynomial], sought: &[usize], own: &Unsolved) -> Vec<OperatorPolynomial> {
        let n = self.b.states.len();
        let columns = sought.iter().copied().chain(n..n + self.sources.len()).chain(own.iter().copied());
        columns.map(|j| row[j].clone()).collect()
    }

    /// A solution for these states as one for all.
    fn completed(&self, mut solution: Solution, sought: &[usize], own: &Unsolved) -> Solution {
        let s = self.sources.len();
        let given = s + own.len();
        own.iter().enumerate().for_each(|(i, &j)| solution.values.insert(j, unit(given, s + i)));
        solution.determined = solution.determined.iter().map(|&i| sought[i]).collect();
        solution
    }

    /// The same for the states that are not given; those that are stand after the sources.
    fn solve_with(
        &self,
        blocks: &[Block],
        twins: &[(usize, Source)],
        own: &Unsolved,
    ) -> Result<Result<Solution, Unsolved>, Exhausted> {
        let s = self.sources.len();
        let sought = self.sought(own);
        let vanishes = |p: &Polynomial| self.vanishes(p);
        let mut equations = Equations::new(&vanishes, self.inverted(), sought.len());
        for block in blocks {
            let mut new = false;
            for row in block {
                new |= equations.add(self.columns(row, &sought, own))?;
            }
            if !new {
                break;
            }
        }
        let given = s + own.len();
        let wish = |(j, twin): &(usize, Source)| {
            let at = self.sources.iter().position(|source| source == twin)?;
            Some((sought.iter().position(|i| i == j)?, unit(given, at)))
        };
        let found = equations.solve((s, given), &twins.iter().filter_map(wish).collect::<Vec<_>>())?;
        Ok(match found {
            Ok(solution) => Ok(self.completed(solution, &sought, own)),
            Err(unsolved) => Err(unsolved.into_iter().map(|i| sought[i]).collect()),
        })
    }

    /// Whether the solution makes all equations follow from its conditions.
    fn holds(&self, blocks: &[Block], solution: &Solution, own: &Unsolved) -> Result<bool, Exhausted> {
        let n = self.b.states.len();
        let vanishes = |p: &Polynomial| self.vanishes(p);
        let mut conditions = Equations::new(&vanishes, self.inverted(), 0);
        for condition in &solution.conditions {
            conditions.add(condition.clone())?;
        }
        for row in blocks.iter().flatten() {
            let mut left = row[n..].to_vec();
            left.resize(left.len() + own.len(), OperatorPolynomial::zero());
            for (cell, value) in row[..n].iter().zip(&solution.values).filter(|(cell, _)| !cell.is_zero()) {
                for (x, v) in left.iter_mut().zip(value).filter(|(_, v)| !v.is_zero()) {
                    *x = x.add(&cell.mul(v)?)?;
                }
            }
            if conditions.add(left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Operators that the texts invert.
    fn inverted(&self) -> SortedSet<u16> {
        let sides = [&self.a, &self.b].into_iter().flat_map(|r| [&r.a, &r.b, &r.c, &r.d]);
        let entries = sides.flat_map(|m| (0..m.rows()).flat_map(move |i| m.row(i)));
        let words = entries.flat_map(|e| e.terms()).flat_map(|(word, _)| word.clone());
        words.filter(|l| l.inverse).map(|l| l.operator).collect()
    }
}
