//! What keeps two algorithms apart, in a form that a reader can check.
//!
//! Of all readings of the second algorithm as the first (pairings of the oracles, operators, shifts)
//! the one is taken in which most entries of H can be made to agree, parameters are chosen to that
//! end, and the entries that still differ are listed.

use super::behavior::{Behavior, Port, Side};
use super::hypothesis::{Hypothesis, pairings_of};
use super::operators::{self, Multiples, OperatorMap};
use super::parameters::{Constants, Question, coefficients};
use super::paths::{Count, paths};
use super::real::{Texts, demands};
use super::refutation::refutation;
use super::search::{Names, Scope, Wanted, agree_as_identities, search};
use super::shift::{Chosen, candidates, relative_degree};
use super::soundness::is_degenerate;
use super::verdict::{Compared, Difference, Invariant, NO_SEQUENCES, Nearest, NoRun, Obstruction, Relation, Verdict};
use super::{lift, markov, scaling};
use crate::FUEL;
use crate::system::{Oracle, Z};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Conditions, Value};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, Variable, with_fuel};

/// At most this many readings are looked at.
const READINGS: usize = 24;

/// Of those that come equally near, so many are looked at more closely.
const REFINED: usize = 6;

/// What keeps two algorithms apart that a complete search did not relate.
pub fn obstruction(first: &Analysis, second: &Analysis, only: Option<Relation>) -> Obstruction {
    let otherwise = only.map(|_| search(first, second, Wanted::ALL, Scope::Texts));
    match otherwise {
        Some(Verdict::Related(witness)) => {
            let invariant = Invariant::Relation(witness.relation);
            return Obstruction { invariant, run: Err(NoRun::Related), ..Obstruction::default() };
        }
        Some(Verdict::Distinct(found)) => return *found,
        _ => {}
    }
    let (a, b) = (ports(first), ports(second));
    if pairings_of(&a, &b).is_empty() {
        let repeat = lift::factor(first, second).and_then(Result::ok);
        let invariant = Invariant::Oracles { first: census(&a), second: census(&b), repeat };
        return Obstruction { invariant, run: Err(NoRun::Unpaired), ..Obstruction::default() };
    }
    let mut found = with_fuel(FUEL / 4, || nearest(first, second)).unwrap_or_else(|_| Obstruction {
        nearest: Some(Nearest { orders: (first.minimal_order, second.minimal_order), ..Nearest::default() }),
        ..Obstruction::default()
    });
    if let Some(nearest) = found.nearest.as_mut().filter(|nearest| nearest.degenerate.is_empty())
        && let Ok(branch) = with_fuel(FUEL / 20, || agree_as_identities(first, second))
    {
        nearest.degenerate.extend(branch);
    }
    found
}

/// The channels of an algorithm.
pub fn ports(x: &Analysis) -> Vec<Port> {
    let port = |(channel, c): (usize, &crate::transfer::Channel)| Port { channel, oracle: c.oracle.clone() };
    x.channels.iter().enumerate().map(port).collect()
}

/// How often each oracle is called in an iteration.
fn census(ports: &[Port]) -> Vec<(Oracle, usize)> {
    let mut found: Vec<(Oracle, usize)> = Vec::new();
    for port in ports {
        match found.iter_mut().find(|(o, _)| *o == port.oracle) {
            Some((_, n)) => *n += 1,
            None => found.push((port.oracle.clone(), 1)),
        }
    }
    found
}

fn nearest(first: &Analysis, second: &Analysis) -> Result<Obstruction, Exhausted> {
    let (Some(a), Some(b)) = (Behavior::new(first, Side::First), Behavior::new(second, Side::Second)) else {
        let nearest = markov::nearest(first, second)?;
        let readable = nearest.as_ref().filter(|n| !n.channel_map.is_empty());
        let run = readable.map_or(Err(NoRun::Reading), |n| refutation(first, second, n));
        return Ok(Obstruction { nearest, run, ..Obstruction::default() });
    };
    let readings = readings((first, &a), (second, &b))?;
    if readings.is_empty() {
        return Ok(Obstruction { invariant: Invariant::Singular, ..Obstruction::default() });
    }
    let shiftable = readings.iter().any(|r| r.can_shift);
    let mut all: Vec<(&Reading, Match)> = Vec::new();
    let mut tried = 0;
    for reading in readings.iter().filter(|r| r.can_shift == shiftable) {
        tried += 1;
        for direction in [Side::Second, Side::First] {
            all.push((reading, reading.matched(direction)?));
        }
    }
    // Of those in which as many entries agree, the one in which most poles do. A function that keeps its name counts as an
    // entry that agrees: a reader takes f for f where another reading is nearer by no more than that.
    let kept = |reading: &Reading| reading.hypothesis.order.len() - reading.hypothesis.renamed;
    let most = all.iter().map(|(reading, found)| found.count() + kept(reading)).max();
    all.retain(|(reading, found)| Some(found.count() + kept(reading)) == most);
    all.sort_by_key(|(reading, _)| reading.hypothesis.renamed);
    let mut best: Option<(&Reading, Match)> = None;
    for (reading, found) in all.into_iter().take(REFINED) {
        let found = reading.refined(found)?;
        let agreement = |reading: &Reading, found: &Match| found.agreement() + kept(reading);
        if best.as_ref().is_none_or(|(r, b)| agreement(reading, &found) > agreement(r, b)) {
            best = Some((reading, found));
        }
    }
    let Some((reading, found)) = best else {
        return Ok(Obstruction::default());
    };
    let nearest = reading.nearest(&found, (first.minimal_order, second.minimal_order), tried)?;
    let invariant = if shiftable { reading.invariant(&found, &nearest) } else { reading.delays() };
    let run = refutation(first, second, &nearest);
    Ok(Obstruction { invariant, nearest: Some(nearest), run, ..Obstruction::default() })
}

/// One way to read the second as the first.
struct Reading<'a> {
    texts: Texts<'a>,
    /// Both as they are.
    own: [Behavior; 2],
    a: Behavior,
    /// In the first's order and oracles.
    b: Behavior,
    hypothesis: Hypothesis,
    matrices: Vec<Matrix<RationalFunction>>,
    operators: OperatorMap,
    shift: Vec<i64>,
    /// Whether the delays admit the shift at all.
    can_shift: bool,
    /// The second's steps, in the first's order.
    steps: Vec<RationalFunction>,
}

fn readings<'a>(
    (first, a): (&'a Analysis, &Behavior),
    (second, b): (&'a Analysis, &Behavior),
) -> Result<Vec<Reading<'a>>, Exhausted> {
    let (one, two) = (&first.system, &second.system);
    let (sequences, given, names) = (&NO_SEQUENCES, Side::First, Names::Shared);
    let texts = Texts { first: one, second: two, sequences, given, assumptions: &[], names };
    let mut found = Vec::new();
    for hypothesis in pairings_of(&a.ports, &b.ports) {
        let mut maps = operators::maps((&first.system, a), (&second.system, b), Multiples::NONE)?;
        if maps.is_empty() {
            maps.push(OperatorMap::default());
        }
        for map in maps {
            let own = [a.clone(), b.clone()];
            let (Some(a), Some(b)) = (map.apply(a)?, map.apply(b)?) else {
                continue;
            };
            let matrices = hypothesis.matrices(&a, &b)?;
            let Some(b_new) = b.permuted(&hypothesis.order).in_oracles(&matrices)? else {
                continue;
            };
            let mut shifts = candidates(&a.h, &b_new.h, Chosen::Second).vectors;
            let pairs: Vec<_> = a.ports.iter().zip(b_new.ports.iter()).map(|(p, q)| (p.channel, q.channel)).collect();
            shifts.retain(|m| paths(first, second, &pairs, m, Count::Calls).is_some());
            let can_shift = !shifts.is_empty();
            if shifts.is_empty() {
                shifts.push(vec![0; a.ports.len()]);
            }
            for shift in shifts {
                if found.len() == READINGS {
                    return Ok(found);
                }
                found.push(Reading {
                    texts,
                    own: own.clone(),
                    a: a.clone(),
                    b: b_new.clone(),
                    hypothesis: hypothesis.clone(),
                    matrices: matrices.clone(),
                    operators: map.clone(),
                    shift,
                    can_shift,
                    steps: hypothesis.order.iter().map(|&j| b.ports[j].oracle.step.clone()).collect(),
                });
            }
        }
    }
    Ok(found)
}

/// What can be made to agree at once.
#[derive(Clone)]
struct Match {
    /// Whose parameters were solved for.
    sought: Side,
    equations: Vec<Polynomial>,
    branch: Option<Branch>,
    steps: Vec<bool>,
    maps: Vec<bool>,
    entries: Matrix<bool>,
    /// Entries whose poles agree at least.
    poles: Vec<(usize, usize)>,
}

impl Match {
    fn count(&self) -> usize {
        let oracles = self.steps.iter().chain(&self.maps).filter(|s| **s).count();
        oracles + (0..self.entries.rows()).flat_map(|i| self.entries.row(i)).filter(|e| **e).count()
    }
}

impl Match {
    /// In how many entries the poles agree, or all does.
    fn agreement(&self) -> usize {
        let whole = (0..self.entries.rows()).flat_map(|i| self.entries.row(i)).filter(|e| **e).count();
        whole + self.poles.len()
    }
}

impl Reading<'_> {
    fn ask<T>(&self, sought: Side, f: impl FnOnce(&Question) -> Result<T, Exhausted>) -> Result<T, Exhausted> {
        let backward: Vec<i64> = self.shift.iter().map(|m| -m).collect();
        let own: Vec<RationalFunction> = self.a.ports.iter().map(|p| p.oracle.step.clone()).collect();
        let (given, looked_for, shift, steps) = match sought {
            Side::Second => (&self.a, &self.b, &self.shift, &self.steps),
            Side::First => (&self.b, &self.a, &backward, &own),
        };
        let universal: Vec<Variable> = self.a.operators.iter().chain(&self.b.operators).copied().collect();
        f(&Question {
            given,
            sought: looked_for,
            hypothesis: &self.hypothesis,
            steps,
            shift,
            operators: &self.operators,
            also: &[],
            constants: Constants::Any,
            universal: &universal,
        })
    }

    /// Adds entry after entry, the diagonal first, as long as some parameters fit them all.
    fn matched(&self, sought: Side) -> Result<Match, Exhausted> {
        let p = self.a.ports.len();
        let mut found = Match {
            sought,
            equations: Vec::new(),
            branch: None,
            steps: vec![false; p],
            maps: vec![false; p],
            entries: Matrix::from_fn(p, p, |_, _| false),
            poles: Vec::new(),
        };
        self.ask(sought, |question| {
            for i in 0..p {
                found.steps[i] = self.accept(question, &mut found, question.step(i)?.into_iter().collect())?;
                found.maps[i] = self.accept(question, &mut found, question.map(i)?.into_iter().collect())?;
            }
            let mut entries: Vec<(usize, usize)> = (0..p).flat_map(|i| (0..p).map(move |j| (i, j))).collect();
            entries.sort_by_key(|(i, j)| i != j);
            for (i, j) in entries {
                if let Some(equations) = question.entry(i, j)? {
                    found.entries[(i, j)] = self.accept(question, &mut found, equations.into_iter().collect())?;
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Where whole entries cannot agree, their poles, then their leading coefficients, then their zeros.
    fn refined(&self, mut found: Match) -> Result<Match, Exhausted> {
        let p = self.a.ports.len();
        self.ask(found.sought, |question| {
            for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
                let (g, h) = (&self.a.h[(i, j)], delayed(&self.b.h[(i, j)], self.shift[j] - self.shift[i])?);
                if found.entries[(i, j)] || g.is_zero() || h.is_zero() {
                    continue;
                }
                let poles = |r: &RationalFunction| nonzero_poles(r.denominator(), i != j);
                if let Some(equations) = proportional(&poles(g), &poles(&h), question.universal)?
                    && self.accept(question, &mut found, equations)?
                {
                    found.poles.push((i, j));
                }
                if relative_degree(g) == relative_degree(&h) {
                    let above = leading(g.numerator()).mul(&leading(h.denominator()))?;
                    let below = leading(h.numerator()).mul(&leading(g.denominator()))?;
                    let equations = coefficients(&(&above - &below), question.universal);
                    self.accept(question, &mut found, equations)?;
                }
                if let Some(equations) = proportional(g.numerator(), h.numerator(), question.universal)? {
                    self.accept(question, &mut found, equations)?;
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn nearest(&self, found: &Match, orders: (usize, usize), readings: usize) -> Result<Nearest, Exhausted> {
        let channel = |(i, &j): (usize, &usize)| (self.a.ports[i].channel, j);
        let values = found.branch.clone();
        let at = |r: &RationalFunction| -> Result<RationalFunction, Exhausted> {
            let fixed = match &values {
                Some(branch) => scaling::on_branch(r, branch)?,
                None => None,
            };
            Ok(fixed.unwrap_or_else(|| r.clone()))
        };
        let p = self.a.ports.len();
        let mut entries = Vec::new();
        for i in (0..p).filter(|&i| !found.steps[i]) {
            let steps = Compared::Step(at(&self.a.ports[i].oracle.step)?, at(&self.steps[i])?);
            entries.push(Difference { row: i, column: i, values: steps });
        }
        for i in (0..p).filter(|&i| !found.maps[i]) {
            let maps = self.a.ports[i].oracle.map.clone().zip(self.b.ports[i].oracle.map.clone());
            entries.extend(maps.map(|(x, y)| Difference { row: i, column: i, values: Compared::Map(x, y) }));
        }
        for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))).filter(|e| !found.entries[*e]) {
            let h = delayed(&self.b.h[(i, j)], self.shift[j] - self.shift[i])?;
            let both = Compared::Transfer(at(&self.a.h[(i, j)])?, at(&h)?);
            entries.push(Difference { row: i, column: j, values: both });
        }
        let degenerate = if self.can_shift { self.degenerate()? } else { Vec::new() };
        Ok(Nearest {
            channel_map: self.hypothesis.order.iter().enumerate().map(channel).collect(),
            shift: self.shift.clone(),
            matrices: self.matrices.clone(),
            operators: self.operators.values.clone(),
            images: Vec::new(),
            place: Vec::new(),
            values,
            entries,
            degenerate,
            orders,
            readings,
        })
    }

    /// Where the two agree all the same: the search found that all of this says nothing.
    fn degenerate(&self) -> Result<Vec<Branch>, Exhausted> {
        let solution = self.ask(Side::Second, |question| question.solve(Conditions::Allowed))?;
        self.real(solution.map_or_else(Vec::new, |s| s.branches))
    }

    /// The branches that are real somewhere.
    fn real(&self, branches: Vec<Branch>) -> Result<Vec<Branch>, Exhausted> {
        let mut found = Vec::new();
        for branch in branches {
            if demands(self.texts, &branch)?.is_some() {
                found.push(branch);
            }
        }
        Ok(found)
    }

    /// Adds equations if some parameters fit them and all those before.
    fn accept(&self, question: &Question, found: &mut Match, equations: Vec<Polynomial>) -> Result<bool, Exhausted> {
        let mut all = found.equations.clone();
        all.extend(equations.into_iter().filter(|p| !p.is_zero()).map(|p| p.primitive_part()));
        all.sort();
        all.dedup();
        if all == found.equations {
            return Ok(true);
        }
        let Some(solution) = question.solve_for(all.clone(), Conditions::Never)? else {
            return Ok(false);
        };
        let is_rational = |b: &Branch| b.values.values().all(|v| matches!(v, Value::Rational(_)));
        let mut branches = self.real(solution.branches)?;
        // What silences an oracle is near to nothing.
        branches.retain(|b| !self.own.iter().any(|x| is_degenerate(x, &self.operators, b)));
        let simplest = branches.iter().find(|b| is_rational(b) && b.relations.is_empty()).or(branches.first());
        let Some(simplest) = simplest.cloned() else {
            return Ok(false);
        };
        (found.equations, found.branch) = (all, Some(simplest));
        Ok(true)
    }

    fn invariant(&self, found: &Match, nearest: &Nearest) -> Invariant {
        let fixed = self.a.parameters.is_empty() && self.b.parameters.is_empty();
        let (m, n) = nearest.orders;
        let entry = nearest.entries.iter().find(|e| matches!(e.values, Compared::Transfer(..)));
        match entry {
            _ if m != n && fixed && self.a.ports.len() == 1 => Invariant::Order(m, n),
            Some(Difference { row, column, values: Compared::Transfer(g, h) }) => {
                if g.is_zero() != h.is_zero() {
                    Invariant::Pattern
                } else if !found.poles.contains(&(*row, *column)) {
                    Invariant::Poles
                } else {
                    Invariant::Entries
                }
            }
            _ => Invariant::Entries,
        }
    }

    /// Why no shift is possible: a shift leaves the delays round every cycle as they are.
    fn delays(&self) -> Invariant {
        let p = self.a.ports.len();
        let (a, b) = (&self.a.h, &self.b.h);
        let pairs: Vec<Vec<usize>> = (0..p).flat_map(|i| (0..i).map(move |j| vec![j, i])).collect();
        let triples = (0..p).flat_map(|i| (0..p).flat_map(move |j| (0..p).map(move |k| vec![i, j, k])));
        let triples = triples.filter(|c| c[0] < c[1] && c[0] < c[2] && c[1] != c[2]);
        for cycle in pairs.into_iter().chain(triples) {
            let edges: Vec<(usize, usize)> =
                (0..cycle.len()).map(|n| (cycle[n], cycle[(n + 1) % cycle.len()])).collect();
            let sum = |of: &dyn Fn((usize, usize)) -> Option<i64>| edges.iter().map(|e| of(*e)).sum::<Option<i64>>();
            let most = |e: (usize, usize)| relative_degree(&b[e]).map(|_| i64::from(b[e].denominator().degree_in(Z)));
            let around = (sum(&|e| relative_degree(&a[e])), sum(&|e| relative_degree(&b[e])), sum(&most));
            if let (Some(first), Some(least), Some(most)) = around
                && !(least..=most).contains(&first)
            {
                return Invariant::Delays { cycle, first, second: (least, most) };
            }
        }
        Invariant::Pattern
    }
}

fn delayed(h: &RationalFunction, by: i64) -> Result<RationalFunction, Exhausted> {
    let power = RationalFunction::variable(Z).pow(i32::try_from(by).unwrap_or(0))?;
    h.mul(&power.expect("z is not zero"))
}

/// Without the factors z, if a shift may add and remove them.
fn nonzero_poles(p: &Polynomial, shifted: bool) -> Polynomial {
    let zeros = p.coefficients_in(Z).iter().take_while(|c| c.is_zero()).count();
    if !shifted || zeros == 0 {
        return p.clone();
    }
    let rest = p.coefficients_in(Z).split_off(zeros);
    Polynomial::from_coefficients_in(Z, &rest)
}

fn leading(p: &Polynomial) -> Polynomial {
    p.coefficients_in(Z).pop().unwrap_or_else(Polynomial::zero)
}

/// What must vanish for two polynomials in z to be multiples of each other; nothing if their degrees
/// differ.
fn proportional(p: &Polynomial, q: &Polynomial, universal: &[Variable]) -> Result<Option<Vec<Polynomial>>, Exhausted> {
    if p.degree_in(Z) != q.degree_in(Z) {
        return Ok(None);
    }
    let difference = &p.mul(&leading(q))? - &q.mul(&leading(p))?;
    Ok(Some(coefficients(&difference, universal)))
}
