//! The test for operators that do not commute, and for coefficients that change with the index and
//! so do not commute with z: two realizations of orders n₁ and n₂ over any ring that embeds in a skew
//! field have the same transfer matrix iff D and C Aʲ B, j = 0 … n₁+n₂−1, agree. No division is needed.

mod recursions;

use super::anchor::Anchors;
use super::behavior::{Port, Side, owner};
use super::constants::{self, Image, Matched};
use super::correspondence::{Correspondence, Kind, Letters, Part, correspondences, plainest};
use super::hypothesis::{Hypothesis, Pairing, pairings_of};
use super::laws::{Laws, Outcome, laws};
use super::matching::{Matching, matchings};
use super::operators::{COEFFICIENTS, is_coefficient};
use super::real::{self, Texts};
use super::search::{Scope, Wanted};
use super::shift::{self, Lags};
use super::verdict::{
    self, Assumption, Compared, Difference, Directions, Generality, Limit, Nearest, Relation, Verdict, Witness,
};
use crate::operator::{Letter, OperatorPolynomial, Word};
use crate::system::schedule::{Motion, Schedules, scheduled};
use crate::system::{Oracle, parameter};
use crate::transfer::{Analysis, Realization, Transfer, markov, over_operators};
use linnaeus_algebra::solve::{Branch, Conditions, Problem, Value, may_have_solution, solve};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, Variable};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

type Entries = Matrix<OperatorPolynomial>;

/// One algorithm over the ring of operator polynomials.
pub struct Plant {
    ports: Vec<Port>,
    /// The realization as written, letters and coefficients as the comparison has them.
    pub realization: Realization<OperatorPolynomial>,
    constants: Vec<String>,
    parameters: Vec<Variable>,
    nonzero: Vec<Polynomial>,
}

impl Plant {
    /// With letters and coefficients replaced; nothing if a letter that matters has no image.
    pub fn new(
        analysis: &Analysis,
        side: Side,
        possible: &Letters,
        letters: &dyn Fn(Letter) -> Result<Option<OperatorPolynomial>, Exhausted>,
        place: &dyn Fn(&RationalFunction) -> RationalFunction,
    ) -> Result<Option<Plant>, Exhausted> {
        let port = |(i, c): (usize, &crate::transfer::Channel)| {
            let oracle = Oracle { step: place(&c.oracle.step), ..c.oracle.clone() };
            Port { channel: i, oracle }
        };
        let written = written(analysis)?;
        let mut nonzero = BTreeSet::new();
        let mut known = true;
        let mut convert = |m: &Entries| -> Result<Entries, Exhausted> {
            m.try_map(|e| {
                let mut sum = OperatorPolynomial::zero();
                for (word, c) in e.terms() {
                    let c = place(c);
                    nonzero.insert(c.denominator().clone());
                    let mut term = OperatorPolynomial::scalar(c);
                    for letter in word {
                        // What no coefficient depends on may be anything.
                        let matters = [false, true].iter().any(|a| possible.contains(&(letter.operator as usize, *a)));
                        let image = if matters { letters(*letter)? } else { continue };
                        known &= image.is_some();
                        term = term.mul(&image.unwrap_or_else(OperatorPolynomial::zero))?;
                    }
                    sum = sum.add(&term)?;
                }
                Ok(sum)
            })
        };
        let (a, b, c, d) = (convert(&written.a)?, convert(&written.b)?, convert(&written.c)?, convert(&written.d)?);
        if !known {
            return Ok(None);
        }
        let ports: Vec<Port> = analysis.channels.iter().enumerate().map(port).collect();
        nonzero.extend(
            ports.iter().flat_map(|p| [p.oracle.step.numerator().clone(), p.oracle.step.denominator().clone()]),
        );
        // Powers with the index have a base that is not zero.
        nonzero.extend(analysis.system.schedules.list.iter().filter_map(|s| match &s.motion {
            Motion::Power(base) => Some(place(base).numerator().clone()),
            _ => None,
        }));
        // What changes with the index is not solved for, and so says nothing of the unknowns.
        nonzero.retain(|d| !d.is_constant() && d.variables().into_iter().all(|v| scheduled(v).is_none()));
        Ok(Some(Plant {
            ports,
            realization: Realization { states: written.states.clone(), a, b, c, d },
            constants: analysis.system.constants.iter().map(|c| c.name.clone()).collect(),
            parameters: (0..analysis.system.parameters.len()).map(|i| side.place(parameter(i))).collect(),
            nonzero: nonzero.into_iter().collect(),
        }))
    }

    /// In other oracles of the same functions, channels in another order: `m[i]` turns a pair of
    /// channel `order[i]` into the new pair. Nothing if the new answers do not determine the old.
    pub fn in_oracles(
        &self,
        order: &[usize],
        m: &[Matrix<RationalFunction>],
    ) -> Result<Option<Realization<OperatorPolynomial>>, Exhausted> {
        let r = &self.realization;
        let states: Vec<usize> = (0..r.states.len()).collect();
        let constants: Vec<usize> = (self.ports.len()..r.d.cols()).collect();
        let (b, c, d) = (r.b.submatrix(&states, order), r.c.submatrix(order, &states), r.d.submatrix(order, order));
        let (e, f) = (r.b.submatrix(&states, &constants), r.d.submatrix(order, &constants));
        let p = order.len();
        let diagonal = |i: usize, j: usize| {
            Matrix::from_fn(p, p, |x, y| {
                if x == y { OperatorPolynomial::scalar(m[x][(i, j)].clone()) } else { OperatorPolynomial::zero() }
            })
        };
        // u = K (v − c (C x + F b)) for the new answers v and the constants b, with K = (cD + d)⁻¹.
        let Some(k) = diagonal(1, 0).mul(&d)?.add(&diagonal(1, 1))?.inverse()? else {
            return Ok(None);
        };
        let back = k.mul(&diagonal(1, 0))?;
        let (feedback, offset) = (back.mul(&c)?, back.mul(&f)?);
        let through = diagonal(0, 0).mul(&d)?.add(&diagonal(0, 1))?;
        Ok(Some(Realization {
            states: r.states.clone(),
            a: r.a.sub(&b.mul(&feedback)?)?,
            b: b.mul(&k)?.hstack(&e.sub(&b.mul(&offset)?)?),
            c: diagonal(0, 0).mul(&c)?.sub(&through.mul(&feedback)?)?,
            d: through.mul(&k)?.hstack(&diagonal(0, 0).mul(&f)?.sub(&through.mul(&offset)?)?),
        }))
    }
}

/// The realization as written, over operator polynomials whatever the operators.
fn written(analysis: &Analysis) -> Result<Cow<'_, Realization<OperatorPolynomial>>, Exhausted> {
    match &analysis.transfer {
        Transfer::Noncommuting { realization, .. } => Ok(Cow::Borrowed(realization)),
        Transfer::Commuting { .. } => over_operators(analysis).map(Cow::Owned),
    }
}

/// The letters that may occur in an algorithm's coefficients, and those that do in its transfer matrix.
/// Operators on which no coefficient depends are left out.
fn letters(analysis: &Analysis) -> Result<(Letters, Letters), Exhausted> {
    let of = |m: &Entries| -> Letters {
        let entries = (0..m.rows()).flat_map(|i| m.row(i));
        let words = entries.flat_map(|e| e.terms()).flat_map(|(word, _)| word.clone());
        words.map(|l| (l.operator as usize, l.adjoint)).collect()
    };
    let written = written(analysis)?;
    let mut possible: Letters = [&written.a, &written.b, &written.c, &written.d].into_iter().flat_map(of).collect();
    if possible.is_empty() || !analysis.system.schedules.is_empty() {
        // Sequences of numbers may be special.
        return Ok((possible, Letters::new()));
    }
    // With as many coefficients another operator in its place would show.
    let all = markov(&written, &analysis.system.schedules, 2 * analysis.minimal_order + 1)?;
    let used: BTreeSet<usize> = all.iter().flat_map(of).map(|(o, _)| o).collect();
    possible.retain(|(o, _)| used.contains(o));
    let channels: Vec<usize> = (0..analysis.channels.len()).collect();
    let certain = all.iter().map(|m| m.submatrix(&channels, &channels)).flat_map(|m| of(&m)).collect();
    Ok((possible, certain))
}

fn part<'a>(analysis: &'a Analysis, (possible, certain): &'a (Letters, Letters)) -> Part<'a> {
    Part { system: &analysis.system, possible, certain }
}

/// Whether there is a bᵏ whose base is no number.
fn has_open_power(analysis: &Analysis) -> bool {
    let is_open = |m: &Motion| matches!(m, Motion::Power(base) if base.as_rational().is_none());
    analysis.system.schedules.list.iter().any(|s| is_open(&s.motion))
}

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
        for matching in matchings(&first.system.schedules, &second.system.schedules, self.scope)? {
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

/// The most natural reading that has a meaning, and the first coefficients that differ in it for the
/// same parameters under the same names.
pub fn nearest(first: &Analysis, second: &Analysis) -> Result<Option<Nearest>, Exhausted> {
    let orders = (first.minimal_order, second.minimal_order);
    let (ones, twos) = (letters(first)?, letters(second)?);
    let (a, b) = (part(first, &ones), part(second, &twos));
    let Some(operators) = plainest(a, b) else {
        return Ok(Some(Nearest { orders, ..Nearest::default() }));
    };
    let Some(matching) = matchings(&first.system.schedules, &second.system.schedules, Scope::Texts)?.into_iter().next()
    else {
        return Ok(Some(Nearest { orders, ..Nearest::default() }));
    };
    let itself = |l: Letter| Ok(Some(OperatorPolynomial::letter(l)));
    let ours = |l: Letter| operators.image(Side::First, l, &second.system);
    let theirs = |l: Letter| operators.image(Side::Second, l, &first.system);
    let (Some(a), Some(b), Some(as_written), Some(own)) = (
        Plant::new(first, Side::First, &ones.0, &ours, &RationalFunction::clone)?,
        Plant::new(second, Side::Second, &twos.0, &theirs, &|r| matching.placed(r))?,
        Plant::new(first, Side::First, &ones.0, &itself, &RationalFunction::clone)?,
        Plant::new(second, Side::Second, &twos.0, &itself, &|r| matching.placed(r))?,
    ) else {
        return Ok(Some(Nearest { orders, ..Nearest::default() }));
    };
    let namesake = |v: Variable| {
        let (side, own) = owner(v);
        let name = second.system.parameters.get(own.0 as usize).filter(|_| side == Side::Second)?;
        first.system.parameters.iter().position(|p| p == name).map(parameter)
    };
    let named = |m: &OperatorPolynomial| {
        m.map_coefficients(&mut |c: &RationalFunction| Ok(c.rename(&|v| namesake(v).unwrap_or(v))))
    };
    let hypotheses = pairings_of(&a.ports, &b.ports);
    for hypothesis in &hypotheses {
        let matrices = hypothesis.matrices_of(&a.ports, &b.ports)?;
        let new = |plant: &Plant| plant.in_oracles(&hypothesis.order, &matrices);
        let (Some(b), Some(own)) = (new(&b)?, new(&own)?) else {
            continue;
        };
        let count = orders.0 + orders.1 + 1;
        let sequence = |r| markov(r, &matching.joint, count);
        let (x, y) = (sequence(&a.realization)?, sequence(&b)?);
        let (as_written, own) = (sequence(&as_written.realization)?, sequence(&own)?);
        let p = hypothesis.order.len();
        let mut entries = Vec::new();
        for (row, column) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
            for lag in 0..count {
                let (ours, theirs) = (&x[lag][(row, column)], named(&y[lag][(row, column)])?);
                if *ours != theirs {
                    let ours = as_written[lag][(row, column)].clone();
                    let values = Compared::Markov(lag, ours, named(&own[lag][(row, column)])?);
                    entries.push(Difference { row, column, values });
                    break;
                }
            }
        }
        return Ok(Some(Nearest {
            channel_map: hypothesis.order.iter().copied().enumerate().collect(),
            shift: vec![0; p],
            matrices,
            operators: operators.symbols()?,
            images: operators.images()?,
            place: matching.place.clone(),
            entries,
            orders,
            readings: hypotheses.len(),
            ..Nearest::default()
        }));
    }
    Ok(Some(Nearest { orders, ..Nearest::default() }))
}

/// So many lags are solved for at first.
const FEW_LAGS: usize = 3;

/// So many where those leave something open.
const MORE_LAGS: usize = 5;

/// The number of no constant.
const NONE: usize = usize::MAX / 2;

/// How often laws may ask for more of the parameters.
const ROUNDS: usize = 2;

/// Factors of operators that may be anything are 1, or 2 or 3 where 1 is not possible.
fn settled(mut branch: Branch) -> Result<Branch, Exhausted> {
    let mut number = RationalFunction::one();
    let mut tries = 0;
    while let Some(v) = branch.free.iter().copied().find(|v| is_coefficient(*v)) {
        let value = |w: Variable| (w == v).then(|| number.clone());
        let put = |p: &Polynomial| RationalFunction::polynomial(p.clone()).substitute(&value);
        let mut next = branch.clone();
        next.free.retain(|w| *w != v);
        next.values.insert(v, Value::Rational(number.clone()));
        next.nonzero.clear();
        let mut possible = branch.relations.iter().all(|p| p.degree_in(v) == 0);
        for p in &branch.nonzero {
            let found = put(p)?.unwrap_or_else(RationalFunction::zero);
            possible &= !found.is_zero();
            if !found.numerator().is_constant() {
                next.nonzero.push(found.numerator().clone());
            }
        }
        for value_of in next.values.values_mut().chain(next.conditions.values_mut()) {
            let parts = match value_of {
                Value::Rational(r) => vec![r],
                Value::Root { a, b, radicand } => {
                    possible &= radicand.degree_in(v) == 0;
                    vec![a, b]
                }
            };
            for r in parts {
                match r.substitute(&value)? {
                    Some(found) => *r = found,
                    None => possible = false,
                }
            }
        }
        match (possible, tries) {
            (true, _) => (branch, number, tries) = (next, RationalFunction::one(), 0),
            (false, 2) => break,
            (false, _) => (number, tries) = (number.add(&RationalFunction::one())?, tries + 1),
        }
    }
    Ok(branch)
}

struct Search<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    wanted: Wanted<'a>,
    scope: Scope,
    a: &'a Plant,
    b: &'a Plant,
    operators: &'a Correspondence,
    hypothesis: &'a Hypothesis,
    matching: &'a Matching,
}

/// The first's sequence and the second's in the first's oracles, for one shift.
struct Sequences<'a> {
    x: &'a [Entries],
    y: Vec<Entries>,
    shift: &'a [i64],
}

/// One side's parameters in terms of the other's, and the second's sequences of numbers.
type Solved = (Vec<Branch>, Laws);

/// How pairs of oracles become others, and the algorithm written in those.
type InOracles = (Vec<Matrix<RationalFunction>>, Realization<OperatorPolynomial>);

impl Search<'_> {
    fn texts(&self) -> Texts<'_> {
        Texts { first: &self.first.system, second: &self.second.system }
    }

    fn run(&self, limit: &mut Option<Limit>) -> Result<Option<Witness>, Exhausted> {
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
        let (x, y) = (markov(&self.a.realization, schedules, count)?, markov(&b, schedules, count)?);
        let first = |s: &[Entries], i: usize, j: usize| s.iter().position(|m| !m[(i, j)].is_zero()).map(|l| l as i64);
        let lags = |i: usize, j: usize| Lags { wanted: first(&x, i, j), least: first(&y, i, j), most: count as i64 };
        let shifts = shift::between(p, &lags);
        if !shifts.complete {
            *limit = Some(Limit::Candidates);
        }
        let channel = |(i, &j): (usize, &usize)| (self.a.ports[i].channel, self.b.ports[j].channel);
        let channel_map: Vec<(usize, usize)> = self.hypothesis.order.iter().enumerate().map(channel).collect();
        let anchors = Anchors::new(self.first, self.second, &channel_map);
        let moved = |m: &Vec<i64>| -> Vec<Vec<i64>> {
            if schedules.is_empty() {
                return vec![m.clone()];
            }
            let offsets = anchors.offsets(m, self.scope);
            offsets.into_iter().map(|c| m.iter().map(|m| m + c).collect()).collect()
        };
        for shift in shifts.vectors.iter().flat_map(moved) {
            let Some((matrices, b)) = self.second(&shift)? else {
                continue;
            };
            let furthest = shift.iter().flat_map(|m| shift.iter().map(move |n| (m - n).abs().max(m.abs()))).max();
            let length = count + furthest.unwrap_or(0) as usize;
            let longer = markov(&self.a.realization, schedules, length)?;
            let both = Sequences { x: &longer, y: markov(&b, schedules, length)?, shift: &shift };
            let forth = if self.wanted.forth { self.solve(&both, Side::First, limit)? } else { None };
            let back = if self.wanted.back { self.solve(&both, Side::Second, limit)? } else { None };
            let special = (self.matching.first_is_special, self.matching.second_is_special);
            // Which base makes a power with the index what another sequence is, is not solved for.
            if forth.is_none() && back.is_none() && [self.first, self.second].into_iter().any(has_open_power) {
                *limit = limit.or(Some(Limit::Equations));
            }
            if forth.is_none() && back.is_none() {
                continue;
            }
            let real = |found: &Option<Solved>| match found {
                Some((branches, _)) => real::is_everywhere(self.texts(), branches),
                None => Ok(false),
            };
            let solved = Directions { forth: real(&forth)?, back: real(&back)? };
            // A sequence that is special on one side is general on the other.
            let general = Directions { forth: !special.1, back: !special.0 };
            let oracles = self.hypothesis.admits(&self.a.ports, &self.b.ports);
            let generality = solved.and(general).and(oracles).generality();
            let Some((branches, laws)) = forth.or(back) else {
                continue;
            };
            let relation = match (self.hypothesis.relation, shift.iter().all(|m| *m == 0)) {
                (Relation::Oracle, false) => Relation::Shift,
                (relation, _) => relation,
            };
            let mut assumptions = self.operators.assumptions();
            let matched = self.constants(&both, &branches)?;
            let plant = |side: Side| if side == Side::First { self.a } else { self.b };
            let zero = |(side, n): &(Side, usize)| Assumption::ZeroConstant(*side, plant(*side).constants[*n].clone());
            assumptions.extend(matched.zero.iter().map(zero));
            let generality = generality.directions().and(matched.directions).generality();
            return Ok(Some(Witness {
                relation: if assumptions.is_empty() { relation } else { Relation::Conditional },
                generality,
                channel_map,
                shift,
                matrices,
                branches,
                sequences: verdict::Sequences { place: self.matching.place.clone(), laws: laws.into_iter().collect() },
                assumptions,
                constants: vec![matched.map],
                ..Witness::default()
            }));
        }
        Ok(None)
    }

    /// The second in the first's oracles. Channel i of the second at its time k is that of the first
    /// at time k + m_i, and so are their steps.
    fn second(&self, shift: &[i64]) -> Result<Option<InOracles>, Exhausted> {
        let mut ports = self.a.ports.clone();
        for (port, m) in ports.iter_mut().zip(shift) {
            port.oracle.step = self.matching.joint.advanced(&port.oracle.step, *m)?;
        }
        let matrices = self.hypothesis.matrices_of(&ports, &self.b.ports)?;
        let b = self.b.in_oracles(&self.hypothesis.order, &matrices)?;
        Ok(b.map(|b| (matrices, b)))
    }

    /// Solves for one side's parameters and sequences, the other's being generic.
    /// The first lags usually say it all, and rules of sequences are seldom needed: the rest is then
    /// only verified.
    fn solve(&self, both: &Sequences, given: Side, limit: &mut Option<Limit>) -> Result<Option<Solved>, Exhausted> {
        let free = Schedules::default();
        // Families are compared by the thousand: what few equations leave open stays open.
        let lags: &[usize] = match self.scope {
            Scope::Texts => &[FEW_LAGS, MORE_LAGS, usize::MAX],
            Scope::Families => &[FEW_LAGS, usize::MAX],
        };
        let mut open = None;
        for rules in [&free, &self.matching.joint] {
            open = None;
            for &lags in lags {
                let mut why = None;
                let found = match self.equations(both, rules, lags)? {
                    Some(equations) => self.solve_equations(equations, given, &mut why)?,
                    None => None,
                };
                open = why;
                match found {
                    Some(found) if lags == usize::MAX || self.verified(both, &found)? => return Ok(Some(found)),
                    None if why.is_none() || self.scope == Scope::Families => break,
                    // What few equations leave open, or let pass, more of them may decide.
                    _ => {}
                }
            }
        }
        if let Some(found) = self.solve_by_recursions(both, given, &mut open)? {
            return Ok(Some(found));
        }
        *limit = limit.or(open);
        Ok(None)
    }

    /// Whether all lags agree on every branch.
    fn verified(&self, both: &Sequences, (branches, laws): &Solved) -> Result<bool, Exhausted> {
        let schedules = &self.matching.joint;
        for branch in branches {
            let value = |v: Variable| -> Option<RationalFunction> {
                match (scheduled(v), branch.values.get(&v)) {
                    (Some((j, offset)), _) => schedules.advanced(laws.get(&j)?, offset).ok(),
                    (None, Some(Value::Rational(r))) => Some(r.clone()),
                    _ => None,
                }
            };
            let mut defined = true;
            let mut at = |m: &Entries| {
                m.try_map(|e| {
                    e.map_coefficients(&mut |c| {
                        let found = c.substitute(&value)?;
                        defined &= found.is_some();
                        Ok(found.unwrap_or_else(RationalFunction::zero))
                    })
                })
            };
            let x = both.x.iter().map(&mut at).collect::<Result<Vec<_>, _>>()?;
            let y = both.y.iter().map(&mut at).collect::<Result<Vec<_>, _>>()?;
            let there = Sequences { x: &x, y, shift: both.shift };
            for j in 0..both.shift.len() {
                let left = self.column(&there, j, j, both.shift[j], schedules, usize::MAX)?;
                defined &= left.iter().all(Polynomial::is_zero);
            }
            if !defined {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn solve_equations(
        &self,
        equations: Vec<Polynomial>,
        given: Side,
        limit: &mut Option<Limit>,
    ) -> Result<Option<Solved>, Exhausted> {
        let (known, sought, side) = match given {
            Side::First => (self.a, self.b, Side::Second),
            Side::Second => (self.b, self.a, Side::First),
        };
        let numbers = self.matching.unknown(side, self.first.system.schedules.list.len());
        let symbols: BTreeSet<Variable> =
            equations.iter().flat_map(Polynomial::variables).filter(|v| scheduled(*v).is_some()).collect();
        let is_unknown = |v: &Variable| scheduled(*v).is_some_and(|(j, _)| numbers.contains(&j));
        let unknown: Vec<Variable> = symbols.into_iter().filter(is_unknown).collect();
        let factors = self.operators.unknowns();
        let nonzero = factors.iter().map(|v| Polynomial::variable(*v));
        let mut problem = Problem {
            equations,
            unknowns: sought.parameters.iter().chain(&factors).copied().collect(),
            given: known.parameters.clone(),
            nonzero: self.a.nonzero.iter().chain(&self.b.nonzero).cloned().chain(nonzero).collect(),
            conditions: Conditions::Never,
        };
        if unknown.is_empty() {
            // Numbers that change with the index are generic: every coefficient must vanish.
            let parts = problem.equations.iter().flat_map(|p| self.matching.joint.coefficients(p));
            let parts: BTreeSet<Polynomial> = parts.map(|p| p.primitive_part()).collect();
            if parts.iter().any(Polynomial::is_constant) {
                return Ok(None);
            }
            problem.equations = parts.into_iter().collect();
        } else {
            problem.equations = self.at_other_times(problem.equations, &unknown)?;
            let symbols = problem.equations.iter().flat_map(Polynomial::variables).filter(|v| scheduled(*v).is_some());
            let symbols: BTreeSet<Variable> = symbols.collect();
            let (unknown, running): (Vec<Variable>, Vec<Variable>) = symbols.into_iter().partition(is_unknown);
            problem.unknowns.extend(unknown);
            problem.given.extend(running);
        }
        if self.wanted.sieve.is_some() && !may_have_solution(&problem)? {
            return Ok(None);
        }
        let free = sought.parameters.iter().chain(&factors).copied().collect();
        let mut found = Vec::new();
        for (branch, laws) in self.lawful(problem, &free, ROUNDS, limit)? {
            if real::demands(self.texts(), &branch)?.is_some() {
                found.push((branch, laws));
            }
        }
        // All branches that are told together have the same laws.
        let Some(laws) = found.first().map(|(_, laws)| laws.clone()) else {
            return Ok(None);
        };
        let branches = found.into_iter().filter(|(_, own)| *own == laws).map(|(branch, _)| branch).collect();
        Ok(Some((branches, laws)))
    }

    /// The branches whose sequences have laws. Where those ask for more of the parameters, that is
    /// solved for again.
    fn lawful(
        &self,
        problem: Problem,
        free: &BTreeSet<Variable>,
        rounds: usize,
        limit: &mut Option<Limit>,
    ) -> Result<Vec<(Branch, Laws)>, Exhausted> {
        let solution = solve(&problem)?;
        if !solution.complete {
            *limit = Some(Limit::Equations);
        }
        let mut found = Vec::new();
        for branch in solution.branches {
            match laws(self.matching, settled(branch)?, free)? {
                Outcome::Laws(branch, laws) => found.push((branch, laws)),
                Outcome::Never => {}
                Outcome::Open(why) => *limit = Some(why),
                Outcome::Where(_) if rounds == 0 => *limit = Some(Limit::Equations),
                Outcome::Where(more) => {
                    let mut narrower = problem.clone();
                    narrower.equations.extend(more);
                    found.extend(self.lawful(narrower, free, rounds - 1, limit)?);
                }
            }
        }
        Ok(found)
    }

    /// Equations hold at all times: each at all those at which it speaks of no other values of sought
    /// sequences than those that occur, so that every value can be solved for.
    fn at_other_times(&self, equations: Vec<Polynomial>, unknown: &[Variable]) -> Result<Vec<Polynomial>, Exhausted> {
        let times = |p: &Polynomial| -> Option<(i64, i64)> {
            let own = p.variables().into_iter().filter(|v| unknown.contains(v));
            let offsets: Vec<i64> = own.filter_map(scheduled).map(|(_, offset)| offset).collect();
            Some((offsets.iter().copied().min()?, offsets.iter().copied().max()?))
        };
        let all: Vec<(i64, i64)> = equations.iter().filter_map(times).collect();
        let (from, to) = (all.iter().map(|t| t.0).min().unwrap_or(0), all.iter().map(|t| t.1).max().unwrap_or(0));
        let mut found: BTreeSet<Polynomial> = BTreeSet::new();
        for p in equations {
            if let Some((first, last)) = times(&p) {
                for by in from - first..=to - last {
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
    fn equations(
        &self,
        both: &Sequences,
        rules: &Schedules,
        lags: usize,
    ) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let mut found: BTreeSet<Polynomial> = self.matching.equations.iter().map(|p| p.primitive_part()).collect();
        for j in 0..both.shift.len() {
            found.extend(self.column(both, j, j, both.shift[j], rules, lags)?);
        }
        let schedules = &self.matching.joint;
        for (i, pairing) in self.hypothesis.pairings.iter().enumerate() {
            let (s, t) = (&self.a.ports[i].oracle, &self.b.ports[self.hypothesis.order[i]].oracle);
            if *pairing == Pairing::Same && s.kind.has_step() {
                let step = schedules.advanced(&t.step, -both.shift[i])?;
                found.insert(rules.reduced(s.step.sub(&step)?.numerator())?.primitive_part());
            }
        }
        found.remove(&Polynomial::zero());
        Ok((!found.iter().any(Polynomial::is_constant)).then(|| found.into_iter().collect()))
    }

    /// What must vanish for two input columns to agree, the input being moved by so much.
    fn column(
        &self,
        both: &Sequences,
        x: usize,
        y: usize,
        moved: i64,
        rules: &Schedules,
        lags: usize,
    ) -> Result<BTreeSet<Polynomial>, Exhausted> {
        let zero = OperatorPolynomial::zero();
        let at = |s: &[Entries], lag: i64, i: usize, j: usize| match usize::try_from(lag) {
            Ok(lag) if lag < s.len() && j < s[lag].cols() => s[lag][(i, j)].clone(),
            _ => zero.clone(),
        };
        let schedules = &self.matching.joint;
        let length = both.x.len() as i64;
        let mut found = BTreeSet::new();
        for (i, m) in both.shift.iter().enumerate() {
            let by = moved - m;
            let end = length.min(length - by).min(i64::try_from(lags).unwrap_or(i64::MAX));
            for lag in (-by).min(0)..end {
                let other = schedules.advanced_operator(&at(&both.y, lag + by, i, y), -m)?;
                for (_, c) in at(both.x, lag, i, x).sub(&other)?.terms() {
                    found.insert(rules.reduced(c.numerator())?.primitive_part());
                }
            }
        }
        Ok(found)
    }

    /// How the constants of both sides hang together, and those that must be zero.
    fn constants(&self, both: &Sequences, branches: &[Branch]) -> Result<Matched, Exhausted> {
        let value = |v: Variable| match branches.first()?.values.get(&v)? {
            Value::Rational(r) => Some(r.clone()),
            Value::Root { .. } => None,
        };
        let p = self.a.ports.len();
        let agree = |n: usize, m: usize| -> Result<bool, Exhausted> {
            for equation in self.column(both, p + n, p + m, 0, &self.matching.joint, usize::MAX)? {
                if RationalFunction::polynomial(equation).substitute(&value)?.is_none_or(|left| !left.is_zero()) {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let influence = self.influence(both, &value)?;
        let names = [&self.a.constants, &self.b.constants];
        let images = |given: Side| -> Result<Vec<Image>, Exhausted> {
            let [own, other] = if given == Side::First { names } else { [names[1], names[0]] };
            let place = |side: Side, n: usize| if side == Side::First { n } else { names[0].len() + n };
            let sought: Vec<usize> = (0..other.len()).map(|m| place(given.other(), m)).collect();
            let mut found = Vec::new();
            for (n, name) in own.iter().enumerate() {
                let like = other.iter().position(|o| o == name).or(Some(n).filter(|n| *n < other.len()));
                let agrees = |m: usize| if given == Side::First { agree(n, m) } else { agree(m, n) };
                found.push(match like {
                    Some(m) if agrees(m)? => Some(constants::unit(other.len(), m)),
                    _ if agrees(NONE)? => Some(vec![RationalFunction::zero(); other.len()]),
                    // Multiples are sought only where nothing changes with the index.
                    _ => match &influence {
                        Some(all) => constants::combination(all, &sought, place(given, n))?,
                        None => None,
                    },
                });
            }
            Ok(found)
        };
        Ok(constants::hung_together(&images(Side::First)?, &images(Side::Second)?))
    }

    /// The constants' part in all Markov parameters, one column per constant of the first, then of the second;
    /// nothing where coefficients change with the index.
    fn influence(
        &self,
        both: &Sequences,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<Option<Matrix<RationalFunction>>, Exhausted> {
        if !self.matching.joint.is_empty() {
            return Ok(None);
        }
        let (p, a, b) = (self.a.ports.len(), self.a.constants.len(), self.b.constants.len());
        let mut rows: BTreeMap<(usize, i64, Word), Vec<RationalFunction>> = BTreeMap::new();
        let sides = [(both.x, a, 0, vec![0; p]), (&both.y[..], b, a, both.shift.to_vec())];
        for (sequence, count, from, shift) in sides {
            for (lag, m) in sequence.iter().enumerate() {
                for (i, n) in (0..p).flat_map(|i| (0..count).map(move |n| (i, n))) {
                    for (word, c) in m[(i, p + n)].terms() {
                        let at = (i, lag as i64 + shift[i], word.clone());
                        let row = rows.entry(at).or_insert_with(|| vec![RationalFunction::zero(); a + b]);
                        row[from + n] = c.substitute(value)?.unwrap_or_else(|| c.clone());
                    }
                }
            }
        }
        // Both are known up to the same time only.
        let last = both.x.len() as i64 - 1 + both.shift.iter().copied().min().unwrap_or(0).min(0);
        let rows: Vec<Vec<RationalFunction>> =
            rows.into_iter().filter(|((_, t, _), _)| *t <= last).map(|(_, r)| r).collect();
        Ok((!rows.is_empty()).then(|| Matrix::from_rows(rows)))
    }
}
