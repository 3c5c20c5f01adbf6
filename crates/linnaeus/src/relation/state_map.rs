//! How the states of two related algorithms correspond, and how the second must be started to make
//! the calls of the first.
//!
//! With B written in A's oracles and order, H_B = Δ_m⁻¹ H_A Δ_m. The right-hand side is realized by
//! A's state and the answers to the calls that A makes and B does not. Minimal realizations of one
//! transfer matrix differ by exactly one T: C_B T = C_A, T A_A = A_B T, T B_A = B_B.

use super::behavior::Side;
use super::lift;
use super::operators::is_operator;
use super::radicals::{ROOT, Radicals, squared_away};
use super::recheck::{Recheck, recheck_start, recheck_words, shown_start, shown_words};
use super::typed::{operator_denominator, typed, typed_constants};
use super::verdict::{Assumption, ConstantMap, Witness};
use super::words::{WordMap, word_map};
use crate::system::{Signal, Space, Z};
use crate::transfer::graph::gain;
use crate::transfer::realize::{Minimal, minimal, minimal_in_own_variables};
use crate::transfer::{Analysis, Channel, Realization, Span, State, StateSpace, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};

type M = Matrix<RationalFunction>;
type Row = Vec<RationalFunction>;
/// Where states start, as rows over the sources, rows that must vanish, and all that must hold.
type Start = (Vec<(usize, Row)>, Vec<Row>, Vec<Equation>);
/// A combination of the second's states, and the row over the sources that it equals.
type Equation = (Combination, Row);

/// Something that is known when the second algorithm starts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A component of the first's state as written, before its first iteration.
    State(usize),
    /// The answer to a channel's call in an iteration, both from 0, of the first.
    Answer(usize, usize),
    /// The n-th constant vector of a side.
    Constant(Side, usize),
    /// A component of the second's state as written, where it is not expressed by the others.
    Own(usize),
}

/// Σ coefficient · source, without zeros.
pub type Combination = Vec<(Source, RationalFunction)>;

/// How two algorithms are started to make the same calls, in the first branch of a witness.
#[derive(Clone, Debug)]
pub struct StateMap {
    /// T with ξ_B = T ξ_A between minimal realizations, without the inverse of an operator.
    pub t: M,
    /// ξ_A in terms of what is known of the first: single components where that is possible.
    pub first: Vec<Combination>,
    /// ξ_B in terms of the second's states as written, then the constants.
    pub second: M,
    /// States of the second as written and where they start. Those that are not listed are never
    /// seen and may start anywhere.
    pub initialization: Vec<(usize, Combination)>,
    /// States of the second that hold answers to calls which its own text makes at its start, where these are no calls of
    /// the first: the oracle gives them, and no start can set them.
    pub own: Vec<usize>,
    /// What must be zero of these answers and what is known of the first.
    pub implicit: Vec<Combination>,
    /// What must be zero for the second to be able to follow the first.
    pub required: Vec<Combination>,
    /// Independent equations between combinations of the second's states and what is known of the first that hold in all
    /// iterations if they hold in one, and without which calls differ.
    pub law: Vec<(Combination, Combination)>,
    /// Calls that the first makes and the second does not: the first so many of a channel.
    pub skipped: Vec<(usize, usize)>,
    /// The iteration of the second that goes with the first's iteration 0.
    pub begins: i64,
    /// What [`ROOT`] is the square root of, where it occurs.
    pub root: Option<Polynomial>,
}

impl States {
    /// States of the second as written of which the queries leave no choice: what they are made of at the start they are
    /// made of in every iteration.
    pub fn determined(&self) -> Result<Vec<usize>, Exhausted> {
        let map = match self {
            States::Commuting(map) => map,
            States::Words(map) => return Ok(map.determined.clone()),
        };
        let own = |c: &Combination| -> Vec<(usize, RationalFunction)> {
            let state = |(s, c): &(Source, RationalFunction)| match s {
                Source::Own(j) => Some((*j, c.clone())),
                _ => None,
            };
            c.iter().filter_map(state).collect()
        };
        let laws: Vec<Vec<(usize, RationalFunction)>> = map.law.iter().map(|(left, _)| own(left)).collect();
        let started = map.initialization.iter().map(|(j, _)| *j);
        let n = laws.iter().flatten().map(|(j, _)| j + 1).chain(started.clone().map(|j| j + 1)).max().unwrap_or(0);
        let mut span = Span::default();
        for law in &laws {
            let mut row = vec![RationalFunction::zero(); n];
            law.iter().for_each(|(j, c)| row[*j] = c.clone());
            span.add(row)?;
        }
        let mut found = Vec::new();
        for j in started {
            let unit = (0..n).map(|i| RationalFunction::integer(i64::from(i == j))).collect();
            if span.reduced(unit)?.iter().all(RationalFunction::is_zero) {
                found.push(j);
            }
        }
        Ok(found)
    }
}

/// The first's channels that are called by the first alone at the start, and how often.
pub fn skipped(witness: &Witness) -> Vec<(usize, usize)> {
    let pairs = witness.channel_map.iter().zip(leads(witness));
    pairs.filter(|(_, m)| *m > 0).map(|((i, _), m)| (*i, m)).collect()
}

/// The iteration of the second that goes with the first's iteration 0: the second may count from
/// later on, where coefficients or samples depend on the count.
pub fn begins(witness: &Witness) -> i64 {
    -witness.shift.iter().copied().min().unwrap_or(0).min(0)
}

/// How many iterations each pair's channel is ahead in the second when it begins.
pub fn leads(witness: &Witness) -> Vec<usize> {
    witness.shift.iter().map(|m| (m + begins(witness)) as usize).collect()
}

/// The constants that may be anything.
pub fn constants(witness: &Witness) -> impl Iterator<Item = Source> {
    let map = witness.constant_map();
    map.free.into_iter().map(move |j| Source::Constant(map.given, j))
}

/// How the states correspond.
#[derive(Clone, Debug)]
pub enum States {
    /// Minimal realizations over a field.
    Commuting(StateMap),
    /// The states of the texts, where operators do not commute or coefficients change with the index.
    Words(WordMap),
}

/// The state map of a witness, re-checked, or why there is none.
pub fn state_map(first: &Analysis, second: &Analysis, witness: &Witness) -> Result<States, NoStateMap> {
    let commutes = |a: &Analysis| matches!(a.transfer, Transfer::Commuting { .. }) && a.system.schedules.is_empty();
    if commutes(first) && commutes(second) {
        return commuting(first, second, witness).map(States::Commuting);
    }
    let lifted = |side: Side, analysis: &Analysis| match witness.repeat {
        Some((s, n)) if s == side => lift::lifted_words(analysis, n)?.map(Some).ok_or(NoStateMap::Unknown),
        _ => Ok(None),
    };
    let (a, b) = (lifted(Side::First, first)?, lifted(Side::Second, second)?);
    let (one, two) = (a.as_ref().unwrap_or(first), b.as_ref().unwrap_or(second));
    let mut own = answers(two);
    let map = loop {
        let map = word_map(one, two, witness, &own)?;
        let both = [Some(&map), map.at_zero.as_deref()].into_iter().flatten();
        let set = both.filter_map(|map| shown_words(first, second, witness, map)).flat_map(|shown| shown.set).collect();
        if !widened(&mut own, set) {
            break map;
        }
    };
    let both = [Some(&map), map.at_zero.as_deref()];
    let passed = both.into_iter().flatten().all(|map| recheck_words(first, second, witness, map) != Recheck::Failed);
    debug_assert!(passed, "a state map failed its re-check: {map:?}");
    if passed { Ok(States::Words(map)) } else { Err(NoStateMap::Unknown) }
}

/// States that are answers to calls and have no name in the text: where it begins, an oracle gives them.
fn answers(text: &Analysis) -> SortedSet<usize> {
    let is_answer = |state: &State| matches!(state, State::Signal(s, _) if text.system.is_answer(*s));
    written(text).iter().enumerate().filter(|(_, state)| is_answer(state)).map(|(j, _)| j).collect()
}

/// Adds to a set, and says whether it has become larger.
fn widened(set: &mut SortedSet<usize>, more: SortedSet<usize>) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}

fn commuting(first: &Analysis, second: &Analysis, witness: &Witness) -> Result<StateMap, NoStateMap> {
    let lifted = |side: Side, analysis: &Analysis| match witness.repeat {
        Some((s, n)) if s == side => lift::lifted(analysis, n)?.map(Some).ok_or(NoStateMap::Noncommuting),
        _ => Ok(None),
    };
    let (a, b) = (lifted(Side::First, first)?, lifted(Side::Second, second)?);
    let mut setting = Setting::new(a.as_ref().unwrap_or(first), b.as_ref().unwrap_or(second), witness)?;
    let map = loop {
        let map = setting.state_map()?;
        let shown = shown_start(first, second, witness, &map);
        if !widened(&mut setting.own, shown.map(|shown| shown.set).unwrap_or_default()) {
            break map;
        }
    };
    let passed = recheck_start(first, second, witness, &map) != Recheck::Failed;
    debug_assert!(passed, "a state map failed its re-check: {map:?}");
    if !passed {
        return Err(NoStateMap::Unknown);
    }
    // What holds of numbers may ask too little of operators, which need not have inverses.
    let texts = [setting.first, setting.second];
    if first.system.operators.len() + second.system.operators.len() > 0
        && let Some(words) = typed(&map, texts, setting.sources(&leads(witness)))?
        && let Some(constants) = typed_constants(&setting.constants, texts)?
    {
        let told = Witness { constants: vec![constants], ..witness.clone() };
        if recheck_words(first, second, &told, &words) == Recheck::Failed {
            return Err(NoStateMap::Words);
        }
    }
    Ok(map)
}

/// Why there is no state map.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoStateMap {
    /// Several iterations of an algorithm whose operators do not commute.
    Noncommuting,
    /// No start was found that is a polynomial in operators that do not commute.
    Words,
    /// The second keeps answers to calls of its own that the first's state does not tell.
    Answers,
    /// Signals are related by filters that have states of their own.
    Filtered,
    /// Parameters are square roots, and no parameter can be chosen to make them rational.
    Roots,
    /// Parameters are left with equations between them.
    Relations,
    /// A query would need answers that are given later.
    Future,
    /// Nothing is known of the reason.
    Unknown,
    /// The work limit was reached.
    Exhausted,
}

impl NoStateMap {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            NoStateMap::Noncommuting => {
                "operators do not commute, and no state map is computed for several iterations of such"
            }
            NoStateMap::Words => "B's states are not polynomials in the operators times those of A",
            NoStateMap::Answers => {
                "B keeps answers to calls of its own before its start, and A's state does not tell these"
            }
            NoStateMap::Filtered => {
                "the signals are related by filters with a memory of their own, which is no change of state coordinates"
            }
            NoStateMap::Roots => "the parameters are square roots that no choice of a parameter makes rational",
            NoStateMap::Relations => "the parameters are given by equations that are not solved",
            NoStateMap::Future => "the state of B would hold answers that A is given later",
            NoStateMap::Unknown => "none was found",
            NoStateMap::Exhausted => "the work limit was reached",
        }
    }
}

impl From<Exhausted> for NoStateMap {
    fn from(_: Exhausted) -> Self {
        NoStateMap::Exhausted
    }
}

/// How pairs of the second's oracles become pairs of the first's, numbers c by which both signals are
/// multiplied included; none if a filter has memory.
pub(crate) fn scaled_matrices(witness: &Witness) -> Result<Option<Vec<M>>, Exhausted> {
    let mut found = Vec::new();
    for (n, m) in witness.matrices.iter().enumerate() {
        match witness.filters.get(n) {
            Some(c) if c.variables().contains(&Z) => return Ok(None),
            Some(c) => found.push(m.scale(c)?),
            None => found.push(m.clone()),
        }
    }
    Ok(Some(found))
}

struct Setting<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    witness: &'a Witness,
    /// Numbers that multiply both signals included.
    matrices: Vec<M>,
    /// What the root is taken of.
    root: Option<Polynomial>,
    /// Roots that no parameter makes rational, and their squares: only these may occur.
    squares: Vec<(Variable, Polynomial)>,
    /// Parameters and operators that the first branch determines.
    values: SortedMap<Variable, RationalFunction>,
    constants: ConstantMap,
    /// States of the second that are given: answers of its own.
    own: SortedSet<usize>,
}

impl<'a> Setting<'a> {
    fn new(first: &'a Analysis, second: &'a Analysis, witness: &'a Witness) -> Result<Self, NoStateMap> {
        let branch = without_relations(witness.branches.first().ok_or(NoStateMap::Unknown)?)?;
        let matrices = scaled_matrices(witness)?.ok_or(NoStateMap::Filtered)?;
        let (mut values, root, squares) = determined_or_rooted(&branch)?;
        values.extend(witness.operators.iter().cloned());
        let constants = witness.constant_map();
        let own = answers(second);
        Ok(Setting { first, second, witness, matrices, values, root, squares, constants, own })
    }

    fn state_map(&self) -> Result<StateMap, NoStateMap> {
        let shift = leads(self.witness);
        let (ones, twos): (Vec<_>, Vec<_>) = self.witness.channel_map.iter().copied().unzip();
        let a = self.system(self.first, Side::First, &ones)?;
        let a = a.ahead(&shift)?.ok_or(NoStateMap::Future)?;
        let b = self.system(self.second, Side::Second, &twos)?;
        let matrices = self.matrices.iter().map(|m| self.settled(m, Side::First));
        let matrices: Vec<M> = matrices.collect::<Result<_, _>>()?;
        let b = b.in_oracles(&matrices)?.ok_or(NoStateMap::Unknown)?;
        let mut sources = self.sources(&shift);
        let (t, from, to) = between(&a, &b)?;
        let (t, second) = without_inverses(t, to.from_state)?;
        let (start, vanishing, law) = self.start(&a, &b)?;
        let known = sources.len();
        sources.extend(self.own.iter().map(|j| Source::Own(*j)));
        let (required, implicit) = pure(vanishing, known)?;
        let all = |rows: Vec<Row>| rows.iter().map(|row| combination(&sources, row)).collect();
        Ok(StateMap {
            t,
            first: range(from.order()).iter().map(|&i| combination(&sources, from.from_state.row(i))).collect(),
            second,
            initialization: start.iter().map(|(j, row)| (*j, combination(&sources, row))).collect(),
            own: self.own.iter().copied().collect(),
            implicit: all(implicit),
            required: all(required),
            law: law.into_iter().map(|(left, row)| (left, combination(&sources, &row))).collect(),
            skipped: skipped(self.witness),
            begins: begins(self.witness),
            root: self.root.clone(),
        })
    }

    /// What the states of the first's realization hold: its own, the constants, answers given early.
    fn sources(&self, shift: &[usize]) -> Vec<Source> {
        let own = (0..states(self.first)).map(Source::State);
        let constants = constants(self.witness);
        let pairs = self.witness.channel_map.iter().zip(shift);
        let early = pairs.flat_map(|((i, _), &m)| (0..m).map(|t| Source::Answer(*i, t)));
        own.chain(constants).chain(early).collect()
    }

    /// One side's realization as written, its constants as states that stay, special channels closed.
    fn system(&self, analysis: &Analysis, side: Side, keep: &[usize]) -> Result<StateSpace, NoStateMap> {
        let Transfer::Commuting { realization: r, .. } = &analysis.transfer else {
            return Err(NoStateMap::Noncommuting);
        };
        let count = analysis.system.constants.len();
        let constants = self.constants.commuting(side, count).ok_or(NoStateMap::Noncommuting)?;
        let constants = constants.try_map(|e| self.at(e))?;
        let settled = Realization {
            states: r.states.clone(),
            a: self.settled(&r.a, side)?,
            b: self.settled(&r.b, side)?,
            c: self.settled(&r.c, side)?,
            d: self.settled(&r.d, side)?,
        };
        let open = with_constants(&settled, &constants)?;
        open.closed(keep, &self.gains(analysis, side)?)?.ok_or(NoStateMap::Unknown)
    }

    /// The channels of special functions, and by what they multiply.
    fn gains(&self, analysis: &Analysis, side: Side) -> Result<Vec<(usize, RationalFunction)>, NoStateMap> {
        let silent = |(i, c): (usize, &Channel)| c.calls.is_empty().then(|| (i, RationalFunction::zero()));
        let mut gains: Vec<_> = analysis.channels.iter().enumerate().filter_map(silent).collect();
        for assumption in &self.witness.assumptions {
            let Assumption::Function(whose, function, special) = assumption else {
                continue;
            };
            for (i, channel) in analysis.channels.iter().enumerate() {
                if *whose == side && channel.oracle.function == *function && !channel.calls.is_empty() {
                    let g = gain(&channel.oracle, *special)?.ok_or(NoStateMap::Unknown)?;
                    gains.push((i, self.at(&g.rename(&|v| side.place(v)))?));
                }
            }
        }
        Ok(gains)
    }

    fn settled(&self, m: &M, side: Side) -> Result<M, NoStateMap> {
        m.try_map(|e| self.at(&e.rename(&|v| side.place(v))))
    }

    /// Values put in thrice, because operators are given in coefficients that have values themselves,
    /// and those in a parameter that makes a root rational.
    fn at(&self, r: &RationalFunction) -> Result<RationalFunction, NoStateMap> {
        let value = |v: Variable| self.values.get(&v).cloned();
        let mut found = r.clone();
        for _ in 0..3 {
            found = found.substitute(&value)?.ok_or(NoStateMap::Unknown)?;
        }
        for (root, square) in &self.squares {
            found = squared_away(&found, *root, square)?.ok_or(NoStateMap::Roots)?;
        }
        Ok(found)
    }

    /// Where each state of the second starts.
    fn start(&self, a: &StateSpace, b: &StateSpace) -> Result<Start, Exhausted> {
        if a == b && self.own.is_empty() {
            let unit = |j: usize| (0..a.order()).map(|i| RationalFunction::integer(i64::from(i == j))).collect();
            let own = read(&a.a, &a.c).into_iter().filter(|j| *j < states(self.second));
            let start: Vec<(usize, Row)> = own.map(|j| (j, unit(j))).collect();
            let law =
                start.iter().map(|(j, row)| (vec![(Source::Own(*j), RationalFunction::one())], row.clone())).collect();
            return Ok((start, Vec::new(), law));
        }
        let (unknown, given) = self.demands(a, b)?;
        let law = law(&unknown, &given)?;
        let (unknown, given) = self.without_own(unknown, given);
        let seen = |j: &usize| range(unknown.rows()).iter().any(|&i| !unknown[(i, *j)].is_zero());
        let seen: Vec<usize> = range(unknown.cols()).into_iter().filter(seen).collect();
        let (unknown, given) = self.with_namesakes(unknown, given, &seen)?;
        let (rows, all) = (range(unknown.rows()), range(given.cols()));
        let columns = Span::default().extend(&unknown.transpose())?;
        let solved = unknown.submatrix(&rows, &columns);
        let pivots = Span::default().extend(&solved)?;
        let square = solved.submatrix(&pivots, &range(columns.len()));
        let start = square.solve(&given.submatrix(&pivots, &all))?.expect("independent").neg();
        let mut required = Span::default();
        required.extend(&given.add(&solved.mul(&start)?)?)?;
        let row = |j: usize| match columns.binary_search(&j) {
            Ok(i) => Ok((j, required.reduced(start.row(i).to_vec())?)),
            Err(_) => Ok((j, vec![RationalFunction::zero(); all.len()])),
        };
        let start = seen.into_iter().map(row);
        Ok((start.collect::<Result<_, Exhausted>>()?, required.basis()?, law))
    }

    /// The demands with the columns of answers that are given among what is known.
    fn without_own(&self, mut unknown: M, given: M) -> (M, M) {
        let own: Vec<usize> = self.own.iter().copied().collect();
        let given = given.hstack(&unknown.submatrix(&range(unknown.rows()), &own));
        own.iter().for_each(|&j| (0..unknown.rows()).for_each(|i| unknown[(i, j)] = RationalFunction::zero()));
        (unknown, given)
    }

    /// Where the demands leave a choice, a state starts like its namesake.
    fn with_namesakes(&self, mut unknown: M, mut given: M, seen: &[usize]) -> Result<(M, M), Exhausted> {
        let mut span = Span::default();
        span.extend(&unknown)?;
        let sources = self.sources(&leads(self.witness));
        for (j, source) in namesakes(self.first, self.second, self.witness, &self.matrices)
            .into_iter()
            .filter(|(j, _)| seen.contains(j))
        {
            let Some(at) = sources.iter().position(|s| *s == source) else {
                continue;
            };
            let unit = |n: usize, i: usize| Matrix::identity(n).submatrix(&[i], &range(n));
            let row: M = unit(unknown.cols(), j);
            if span.add(row.row(0).to_vec())? {
                unknown = unknown.vstack(&row);
                given = given.vstack(&unit(given.cols(), at).neg());
            }
        }
        Ok((unknown, given))
    }

    /// (U, G) with U w + G s = 0 iff the second, started at w, makes the calls of the first, s being
    /// the sources. Both have the same constants: the second's stand after its states, the first's
    /// after its own.
    fn demands(&self, a: &StateSpace, b: &StateSpace) -> Result<(M, M), Exhausted> {
        let (own, w) = (states(self.first), states(self.second));
        let q = b.difference(a)?;
        let rows = range(q.rows());
        let unknown = q.submatrix(&rows, &range(w));
        let sources: Vec<usize> = (b.order()..q.cols()).collect();
        let mut given = q.submatrix(&rows, &sources);
        for i in rows {
            for j in 0..self.constants.free.len() {
                given[(i, own + j)] = given[(i, own + j)].add(&q[(i, w + j)])?;
            }
        }
        Ok((unknown, given))
    }
}

/// Rows that vanish: those of the first columns only, and what else there is.
fn pure(rows: Vec<Row>, known: usize) -> Result<(Vec<Row>, Vec<Row>), Exhausted> {
    let columns = rows.first().map_or(known, Vec::len);
    if columns == known {
        return Ok((rows, Vec::new()));
    }
    let all = Matrix::from_fn(rows.len(), columns, |i, j| rows[i][j].clone());
    let own = all.submatrix(&range(rows.len()), &(known..columns).collect::<Vec<_>>());
    let mut span = Span::default();
    span.extend(&own.transpose().null_space()?.transpose().mul(&all)?)?;
    let pure = span.basis()?;
    let mut rest = Vec::new();
    for row in rows {
        let row = span.reduced(row)?;
        if span.add(row.clone())? {
            rest.push(row);
        }
    }
    Ok((pure, rest))
}

/// The equations U w = −G s, no one of which follows from others.
fn law(unknown: &M, given: &M) -> Result<Vec<Equation>, Exhausted> {
    let w = unknown.cols();
    let mut span = Span::default();
    span.extend(&unknown.hstack(given))?;
    let equation = |row: Row| {
        let left = (0..w).filter(|&j| !row[j].is_zero()).map(|j| (Source::Own(j), row[j].clone())).collect();
        (left, row[w..].iter().map(RationalFunction::neg).collect())
    };
    Ok(span.basis()?.into_iter().map(equation).collect())
}

/// The states that queries ever depend on.
pub(super) fn seen<T: Coefficient>(r: &Realization<T>) -> Vec<usize> {
    read(&r.a, &r.c)
}

fn read<T: Coefficient>(a: &Matrix<T>, c: &Matrix<T>) -> Vec<usize> {
    let n = a.rows();
    let mut seen: Vec<usize> = range(n).into_iter().filter(|&j| (0..c.rows()).any(|i| !c[(i, j)].is_zero())).collect();
    loop {
        let is_read = |j: usize| seen.iter().any(|&i| !a[(i, j)].is_zero());
        let more: Vec<usize> = range(n).into_iter().filter(|j| !seen.contains(j) && is_read(*j)).collect();
        if more.is_empty() {
            seen.sort_unstable();
            return seen;
        }
        seen.extend(more);
    }
}

/// States of the second and what is called the same in the first: answers of paired channels,
/// then iterates of one name and time.
pub(super) fn namesakes(
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
    matrices: &[M],
) -> Vec<(usize, Source)> {
    let (a, b) = (written(first), written(second));
    let lead = leads(witness);
    let state = |wanted: State| a.iter().position(|s| *s == wanted).map(Source::State);
    let answer = |channel: usize, age: i32| {
        let n = witness.channel_map.iter().position(|(_, j)| *j == channel)?;
        let time = lead[n] as i32 + age;
        let i = witness.channel_map[n].0;
        let plain = matrices[n] == Matrix::identity(2) && witness.repeat.is_none();
        let early = usize::try_from(time).map(|t| Source::Answer(i, t));
        plain.then(|| early.ok().or_else(|| state(State::Answer(i, time))))?
    };
    // Channels tell which space is which.
    let mut spaces: Vec<(Space, Space)> = Vec::new();
    for &(i, j) in &witness.channel_map {
        let x = &first.system.calls[first.channels[i % first.channels.len()].call];
        let y = &second.system.calls[second.channels[j % second.channels.len()].call];
        spaces.extend([(x.input, y.input), (x.output, y.output)]);
    }
    let (ones, twos) = (&first.system.spaces, &second.system.spaces);
    let fits = |x: Space, y: Space| spaces.iter().all(|(a, b)| !twos.same(*b, y) || ones.same(*a, x));
    let iterate = |signal: usize, offset: i32| {
        let Signal { name, space, .. } = &second.system.signals[signal];
        let is_twin = |s: &Signal| s.name == *name && fits(s.space, *space);
        let twin = first.system.signals.iter().position(is_twin)?;
        state(State::Signal(twin, offset + begins(witness) as i32))
    };
    let twin = |state: &State| match *state {
        State::Answer(channel, age) => answer(channel, age),
        State::Signal(signal, offset) => iterate(signal, offset),
    };
    let twins = b.iter().enumerate().filter_map(|(j, s)| Some((j, twin(s)?)));
    // What the first never reads says nothing of the second.
    let seen = match &first.transfer {
        Transfer::Commuting { realization, .. } => seen(realization),
        Transfer::Noncommuting { realization, .. } => seen(realization),
    };
    let is_seen = |s: Source| !matches!(s, Source::State(i) if !seen.contains(&i));
    let mut found: Vec<(usize, Source)> = twins.filter(|(_, source)| is_seen(*source)).collect();
    found.sort_by_key(|(j, _)| matches!(b[*j], State::Signal(..)));
    found
}

/// What a branch determines: values in terms of [`ROOT`] where they are square roots, and what that
/// is the root of; a parameter under the root is then given in terms of it.
pub fn determined(branch: &Branch) -> Result<(SortedMap<Variable, RationalFunction>, Option<Polynomial>), NoStateMap> {
    let mut values = SortedMap::new();
    let mut root: Option<Polynomial> = None;
    for (v, value) in branch.conditions.iter().chain(&branch.values) {
        let value = match value {
            Value::Rational(r) => r.clone(),
            Value::Root { a, b, radicand } => {
                if root.get_or_insert_with(|| radicand.clone()) != radicand {
                    return Err(NoStateMap::Roots);
                }
                a.add(&b.mul(&RationalFunction::variable(ROOT))?)?
            }
        };
        values.insert(*v, value);
    }
    if let Some(radicand) = &root {
        let (v, value) = rationalized(radicand, &values)?.ok_or(NoStateMap::Roots)?;
        values.insert(v, value);
    }
    Ok((values, root))
}

/// A branch whose relations give a number that occurs linearly in terms of the others: a⁵ + a = t is no equation for a but
/// a value of t.
pub(super) fn without_relations(branch: &Branch) -> Result<Branch, NoStateMap> {
    let mut found = Branch { relations: Vec::new(), ..branch.clone() };
    for (n, p) in branch.relations.iter().enumerate() {
        let others = || branch.relations.iter().enumerate().filter(|(m, _)| *m != n);
        let is_open = |v: &Variable| {
            let is_known = found.conditions.contains_key(v) || found.values.contains_key(v);
            !is_known && !is_operator(*v) && others().all(|(_, q)| q.degree_in(*v) == 0)
        };
        let linear = p.variables().into_iter().find(|v| p.degree_in(*v) == 1 && is_open(v));
        let v = linear.ok_or(NoStateMap::Relations)?;
        let parts = p.coefficients_in(v);
        let value = RationalFunction::new(-&parts[0], parts[1].clone())?.ok_or(NoStateMap::Relations)?;
        found.conditions.insert(v, Value::Rational(value));
    }
    Ok(found)
}

/// What a branch determines, what [`ROOT`] is the root of, and roots that no parameter makes rational, with their squares.
type Determined = (SortedMap<Variable, RationalFunction>, Option<Polynomial>, Vec<(Variable, Polynomial)>);

/// The same where no parameter makes the roots rational.
pub(super) fn determined_or_rooted(branch: &Branch) -> Result<Determined, NoStateMap> {
    match determined(branch) {
        Ok((values, root)) => Ok((values, root, Vec::new())),
        Err(NoStateMap::Roots) => {
            let Radicals { values, squares } = Radicals::of(branch)?;
            Ok((values, None, squares))
        }
        Err(why) => Err(why),
    }
}

/// A parameter without a value that occurs linearly under the root, and what it is in terms of the root.
fn rationalized(
    radicand: &Polynomial,
    values: &SortedMap<Variable, RationalFunction>,
) -> Result<Option<(Variable, RationalFunction)>, Exhausted> {
    for v in radicand.variables().into_iter().filter(|v| !values.contains_key(v)) {
        if let [r0, r1] = &radicand.coefficients_in(v)[..] {
            let square = Polynomial::variable(ROOT).square()?;
            return Ok(RationalFunction::new(&square - r0, r1.clone())?.map(|value| (v, value)));
        }
    }
    Ok(None)
}

/// T between the minimal realizations in their own variables, checked; unknown if the transfer
/// matrices differ.
fn between(a: &StateSpace, b: &StateSpace) -> Result<(M, Minimal, Minimal), NoStateMap> {
    if a == b {
        let own = minimal_in_own_variables(a)?;
        return Ok((Matrix::identity(own.order()), own.clone(), own));
    }
    let (plain_a, plain_b) = (minimal(a)?, minimal(b)?);
    if plain_a.realization != plain_b.realization {
        return Err(NoStateMap::Unknown);
    }
    let (own_a, own_b) = (minimal_in_own_variables(a)?, minimal_in_own_variables(b)?);
    // ξ_A → a state of A → queries to come → a state of B → ξ_B.
    let queries = plain_a.from_state.mul(&own_a.to_state)?;
    let t = own_b.from_state.mul(&plain_b.to_state)?.mul(&queries)?;
    let (x, y) = (&own_a.realization, &own_b.realization);
    let states = t.mul(&x.a)? == y.a.mul(&t)? && t.mul(&x.b)? == y.b;
    let intertwines = states && y.c.mul(&t)? == x.c && x.d == y.d;
    debug_assert!(intertwines, "no state map: {t:?}");
    if intertwines { Ok((t, own_a, own_b)) } else { Err(NoStateMap::Unknown) }
}

/// T and ξ_B in the second's states, rows multiplied until T divides by no operator: A x = y rather than x = A⁻¹ y.
fn without_inverses(mut t: M, mut second: M) -> Result<(M, M), Exhausted> {
    for i in 0..t.rows() {
        let factor = operator_denominator(t.row(i))?;
        for m in [&mut t, &mut second].into_iter().filter(|_| !factor.is_one()) {
            for j in 0..m.cols() {
                m[(i, j)] = m[(i, j)].mul(&factor)?;
            }
        }
    }
    Ok((t, second))
}

/// The free constants as further states c⁺ = c, the algorithm's own being combinations of them.
fn with_constants(r: &Realization<RationalFunction>, constants: &M) -> Result<StateSpace, Exhausted> {
    let plain = StateSpace::new(r);
    let (n, p, q) = (plain.order(), r.c.rows(), constants.cols());
    let own: Vec<usize> = (p..p + constants.rows()).collect();
    let enter = r.b.submatrix(&range(n), &own).mul(constants)?;
    let seen = r.d.submatrix(&range(p), &own).mul(constants)?;
    Ok(StateSpace {
        a: plain.a.hstack(&enter).vstack(&Matrix::zero(q, n).hstack(&Matrix::identity(q))),
        b: plain.b.vstack(&Matrix::zero(q, p)),
        c: plain.c.hstack(&seen),
        d: plain.d,
    })
}

fn states(analysis: &Analysis) -> usize {
    written(analysis).len()
}

/// What the states of an algorithm as written hold.
pub fn written(analysis: &Analysis) -> &[State] {
    match &analysis.transfer {
        Transfer::Commuting { realization, .. } => &realization.states,
        Transfer::Noncommuting { realization, .. } => &realization.states,
    }
}

fn range(n: usize) -> Vec<usize> {
    (0..n).collect()
}

fn combination(sources: &[Source], row: &[RationalFunction]) -> Combination {
    let terms = sources.iter().copied().zip(row.iter().cloned());
    terms.filter(|(_, c)| !c.is_zero()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::{Verdict, compare};
    use crate::report;

    fn found(first: &str, second: &str) -> (Analysis, Analysis, Witness) {
        let [a, b] = [first, second].map(|text| crate::read(text).analysis.expect("a good text"));
        let Verdict::Related(witness) = compare(&a, &b, None).verdict else { panic!("{first} {second}") };
        (a, b, *witness)
    }

    /// The initialization as printed; the runs from it were compared.
    fn check(first: &str, second: &str, expected: &[&str]) -> StateMap {
        let (a, b, witness) = found(first, second);
        let Ok(States::Commuting(map)) = state_map(&a, &b, &witness) else { panic!("{first} {second}") };
        assert_eq!(recheck_start(&a, &b, &witness, &map), Recheck::Passed, "{first} {second}");
        let comparison = compare(&a, &b, None);
        let printed = report::compare(&a, &b, &comparison).initialization;
        assert_eq!(printed, expected, "{first} {second}");
        map
    }

    const DOUGLAS_RACHFORD: &str =
        "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    const ADMM: &str = "x[k+1] = prox_{t g}(y[k] - w[k]); y[k+1] = prox_{t f}(x[k+1] + w[k]); \
        w[k+1] = w[k] + x[k+1] - y[k+1]";

    #[test]
    fn the_papers_pair() {
        let first = "x1[k+1] = 2*x1[k] - x2[k] - 1/10*grad f(2*x1[k] - x2[k]); x2[k+1] = x1[k]";
        let second = "xi1[k+1] = xi1[k] - xi2[k] - 1/5*grad f(xi1[k]); xi2[k+1] = xi2[k] + 1/10*grad f(xi1[k])";
        let map = check(first, second, &["xi1[0] = 2*x1[0] - x2[0]", "xi2[0] = x2[0] - x1[0]"]);
        let integer = |row: [i64; 2]| row.map(RationalFunction::integer).to_vec();
        assert_eq!(map.t, Matrix::from_rows(vec![integer([2, -1]), integer([-1, 1])]));
    }

    #[test]
    fn unobservable_and_unreachable_modes() {
        let gradient_descent = "xi[k+1] = xi[k] - 1/5*grad f(xi[k])";
        let unobservable = "x1[k+1] = 3*x1[k] - 2*x2[k] + 1/5*grad f(-x1[k] + 2*x2[k]); x2[k+1] = x1[k]";
        check(unobservable, gradient_descent, &["xi[0] = 2*x2[0] - x1[0]"]);
        check(gradient_descent, unobservable, &["x1[0] = -xi[0]", "x2[0] = 0"]);
        let unreachable = "x[k+1] = x[k] - 1/5*grad f(x[k] + 3*w[k]); w[k+1] = 2*w[k]";
        check(unreachable, gradient_descent, &["xi[0] = x[0]", "w[0] = 0"]);
    }

    #[test]
    fn shifted() {
        let map = check(DOUGLAS_RACHFORD, ADMM, &["y_B[0] = x[0]", "w[0] = s[0] - x[0]"]);
        assert_eq!(map.skipped, [(0, 1)]);
        let map = check(ADMM, DOUGLAS_RACHFORD, &["s[0] = w[0] + x[1]"]);
        assert_eq!(map.skipped, [(0, 1)]);
    }

    #[test]
    fn other_oracles_operators_and_constants() {
        let prox = "x[k+1] = prox_{t f}(x[k])";
        check(prox, "w[k+1] = w[k] - s*subgrad f(w[k+1])", &["w[0] = x[0]"]);
        let combine_first = "x[k+1] = W*x[k] - t*grad f(W*x[k])";
        check(combine_first, "v[k+1] = W*(v[k] - s*grad f(v[k]))", &["v[0] = W*x[0]"]);
        let moved = "x[k+1] = x[k] - t*grad f(x[k] + b)";
        check(moved, "w[k+1] = w[k] - s*grad f(w[k])", &["w[0] = x[0] + b"]);
    }

    #[test]
    fn a_choice_is_made_by_name() {
        let first = "x[k+1] = W*x[k] - t*s[k]; s[k+1] = W*s[k] + grad f(x[k+1]) - grad f(x[k])";
        let second = "x[k+1] = W*(x[k] - t*s[k]); s[k+1] = W*(s[k] + grad f(x[k+1]) - grad f(x[k]))";
        let same = ["x_B[0] = x[0]", "s_B[0] = s[0]", "u1_B[-1] = u1[-1]"];
        check(first, first, &same);
        check(second, second, &same);
    }
}
