//! A third opinion on a comparison, by numbers: H at a point of a prime field, by the equations as
//! written, and the definition of every relation. Shares no algebra with the engine.

use super::random::Random;
use super::simulate::{Experiment, P, Runs, eliminate, inverse, negative, plus, power, times};
use linnaeus::relation::behavior::{Side, owner};
use linnaeus::relation::{Assumption, Relation, Witness};
use linnaeus::syntax::ast::OracleKind;
use linnaeus::system::{Oracle, Z, operator_symbol, parameter};
use linnaeus::transfer::Analysis;
use linnaeus::transfer::graph::Special;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Polynomial, Rational, RationalFunction, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A text and what was made of it.
#[derive(Clone)]
pub struct Case {
    /// The text.
    pub text: String,
    /// What was made of it.
    pub analysis: Analysis,
}

impl Case {
    /// The text, if it is well posed.
    pub fn new(text: String) -> Option<Case> {
        let analysis = linnaeus::read(&text).analysis?;
        Some(Case { text, analysis })
    }
}

pub type Square = [[u64; 2]; 2];

const IDENTITY: Square = [[1, 0], [0, 1]];

/// How an oracle's pairs come from the graph of ∂f.
fn graph(oracle: &Oracle, step: u64) -> Square {
    use OracleKind::*;
    let [y, u] = match oracle.kind {
        Gradient | Subdifferential | BlackBox | Argmin => IDENTITY,
        Prox | Resolvent => [[1, step], [1, 0]],
        Projection => [[1, 1], [1, 0]],
        Reflected => [[1, step], [1, negative(step)]],
        MoreauGradient => [[1, step], [0, 1]],
    };
    if oracle.conjugate { [[y[1], y[0]], [u[1], u[0]]] } else { [y, u] }
}

fn quotient(a: Square, b: Square) -> Square {
    let scale = inverse(plus(times(b[0][0], b[1][1]), negative(times(b[0][1], b[1][0]))));
    let c = [[b[1][1], negative(b[0][1])], [negative(b[1][0]), b[0][0]]];
    let entry = |i: usize, j: usize| times(scale, plus(times(a[i][0], c[0][j]), times(a[i][1], c[1][j])));
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

/// One side at one point: its H, channels only, and the steps of its oracles.
#[derive(Clone)]
struct Seen {
    oracles: Vec<(Oracle, u64)>,
    /// The channels' numbers in the text.
    channels: Vec<usize>,
    h: Runs,
}

fn seen(case: &Case, experiment: &Experiment, z: u64) -> Option<Seen> {
    let analysis = &case.analysis;
    let h = experiment.response(&case.text, analysis, z);
    let h = h.or_else(|| experiment.response_of_realization(analysis, z))?;
    let p = analysis.channels.len();
    let value = |v: Variable| experiment.named(&name(analysis, v));
    let oracle = |o: &Oracle| Some((o.clone(), o.step.evaluate_mod(&value, P)?));
    Some(Seen {
        oracles: analysis.channels.iter().map(|c| oracle(&c.oracle)).collect::<Option<_>>()?,
        channels: (0..p).collect(),
        h: h.into_iter().map(|row| row[..p].to_vec()).collect(),
    })
}

/// The name of a symbol in its own text.
fn name(analysis: &Analysis, v: Variable) -> String {
    let system = &analysis.system;
    let parameters = system.parameters.iter().enumerate().map(|(i, n)| (parameter(i), n));
    let mut all = parameters.chain(system.operators.iter().enumerate().map(|(i, o)| (operator_symbol(i), &o.name)));
    all.find(|(w, _)| *w == v).map(|(_, n)| n.clone()).expect("a symbol of the text")
}

impl Seen {
    /// Some channels only multiply.
    fn closed(&self, gain: &dyn Fn(&Oracle, u64) -> Option<Option<u64>>) -> Option<Seen> {
        let mut gains = Vec::new();
        for (oracle, step) in &self.oracles {
            gains.push(match gain(oracle, *step) {
                None => None,
                Some(g) => Some(g?),
            });
        }
        let kept: Vec<usize> = (0..gains.len()).filter(|i| gains[*i].is_none()).collect();
        let shut: Vec<usize> = (0..gains.len()).filter(|i| gains[*i].is_some()).collect();
        // u_i − g_i Σ H_ij u_j = g_i Σ H_ik u_k over shut j and kept k.
        let row = |&i: &usize| {
            let g = gains[i].expect("shut");
            let left = shut.iter().map(|&j| plus(u64::from(i == j), negative(times(g, self.h[i][j]))));
            left.chain(kept.iter().map(|&k| times(g, self.h[i][k]))).collect()
        };
        let answers = eliminate(shut.iter().map(row).collect())?;
        let entry = |i: usize, k: usize| {
            let direct = self.h[i][kept[k]];
            shut.iter().zip(&answers).fold(direct, |sum, (&j, u)| plus(sum, times(self.h[i][j], u[k])))
        };
        Some(Seen {
            oracles: kept.iter().map(|&i| self.oracles[i].clone()).collect(),
            channels: kept.iter().map(|&i| self.channels[i]).collect(),
            h: kept.iter().map(|&i| (0..kept.len()).map(|k| entry(i, k)).collect()).collect(),
        })
    }

    /// (aH + b)(cH + d)⁻¹, channels in another order.
    fn in_oracles(&self, order: &[usize], m: &[Square]) -> Option<Runs> {
        let p = order.len();
        let h = |i: usize, j: usize| self.h[order[i]][order[j]];
        let part = |r: usize, i: usize, j: usize| plus(times(m[i][r][0], h(i, j)), if i == j { m[i][r][1] } else { 0 });
        // X (cH + d) = aH + b, transposed.
        let row = |j: usize| (0..p).map(|k| part(1, k, j)).chain((0..p).map(|i| part(0, i, j))).collect();
        let transposed = eliminate((0..p).map(row).collect())?;
        Some((0..p).map(|i| (0..p).map(|j| transposed[j][i]).collect()).collect())
    }
}

/// A point at which a claim is tried: numbers for everything.
pub struct Point<'a> {
    pub witness: &'a Witness,
    pub branch: &'a Branch,
    pub seed: u64,
}

impl Point<'_> {
    fn variable(&self, v: Variable, depth: usize) -> Option<u64> {
        if depth > 10 {
            return None;
        }
        if let Some(value) = self.branch.conditions.get(&v).or_else(|| self.branch.values.get(&v)) {
            return match value {
                Value::Rational(r) => self.value(r, depth + 1),
                Value::Root { a, b, radicand } => {
                    let square = self.polynomial(radicand, depth + 1)?;
                    let root = power(square, (P + 1) / 4);
                    let is_root = times(root, root) == square;
                    is_root.then_some(plus(self.value(a, depth + 1)?, times(self.value(b, depth + 1)?, root)))
                }
            };
        }
        if let Some((_, r)) = self.witness.operators.iter().find(|(w, _)| *w == v) {
            return self.value(r, depth + 1);
        }
        Some(Random::new(self.seed, "variable", u64::from(v.0)).next() % P)
    }

    fn polynomial(&self, p: &Polynomial, depth: usize) -> Option<u64> {
        let values: BTreeMap<Variable, u64> =
            p.variables().iter().map(|&v| Some((v, self.variable(v, depth)?))).collect::<Option<_>>()?;
        Some(p.evaluate_mod(&|v| values[&v], P))
    }

    pub fn value(&self, r: &RationalFunction, depth: usize) -> Option<u64> {
        let below = self.polynomial(r.denominator(), depth)?;
        (below != 0)
            .then_some(times(self.polynomial(r.numerator(), depth)?, inverse(if below == 0 { 1 } else { below })))
    }

    pub fn experiment(&self, analysis: &Analysis, side: Side) -> Option<Experiment> {
        let system = &analysis.system;
        let parameters = (0..system.parameters.len()).map(parameter);
        let symbols = parameters.chain((0..system.operators.len()).map(operator_symbol));
        let number = |v: Variable| Some((name(analysis, v), self.variable(side.place(v), 0)?));
        Some(Experiment::with(self.seed, symbols.map(number).collect::<Option<_>>()?))
    }
}

/// Checks a claim on every branch. Nothing where it is about several iterations at once.
pub fn claim(first: &Case, second: &Case, witness: &Witness) -> Option<Result<(), String>> {
    if witness.repeat.is_some() {
        return None;
    }
    if witness.branches.is_empty() {
        return Some(Err("no branch".to_string()));
    }
    let mut tried = 0;
    for (n, branch) in witness.branches.iter().enumerate() {
        if !branch.relations.is_empty() {
            continue;
        }
        let outcome = (0..8).find_map(|seed| on_branch(first, second, &Point { witness, branch, seed }));
        match outcome {
            Some(Ok(())) => tried += 1,
            Some(Err(problem)) => return Some(Err(format!("branch {n}: {problem}"))),
            None => {}
        }
    }
    (tried > 0).then_some(Ok(()))
}

fn on_branch(first: &Case, second: &Case, point: &Point) -> Option<Result<(), String>> {
    let witness = point.witness;
    let z = Random::new(point.seed, "z", 0).next() % P;
    let a = seen(first, &point.experiment(&first.analysis, Side::First)?, z)?;
    let b = seen(second, &point.experiment(&second.analysis, Side::Second)?, z)?;
    let special = |side: Side, oracle: &Oracle| {
        witness.assumptions.iter().find_map(|assumption| match assumption {
            Assumption::Function(s, f, special) if *s == side && *f == oracle.function => Some(*special),
            _ => None,
        })
    };
    let gain = |side: Side, oracle: &Oracle, step: u64| {
        special(side, oracle).map(|special| {
            let column = usize::from(special == Special::IndicatorOfZero);
            let m = graph(oracle, step);
            (m[0][column] != 0).then(|| times(m[1][column], inverse(m[0][column])))
        })
    };
    let a = a.closed(&|o, t| gain(Side::First, o, t))?;
    let mut b = b.closed(&|o, t| gain(Side::Second, o, t))?;
    if witness.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_))) {
        b.oracles.iter_mut().for_each(|(oracle, _)| oracle.conjugate = !oracle.conjugate);
    }
    let place = |x: &Seen, channel: usize| x.channels.iter().position(|c| *c == channel);
    let mut order = vec![usize::MAX; a.channels.len()];
    if witness.channel_map.len() != a.channels.len() || a.channels.len() != b.channels.len() {
        return Some(Err("channels are left over".to_string()));
    }
    let mut matrices = vec![IDENTITY; order.len()];
    let mut gauge = vec![1; order.len()];
    for (n, (i, j)) in witness.channel_map.iter().enumerate() {
        let (i, j) = (place(&a, *i)?, place(&b, *j)?);
        order[i] = j;
        let m = &witness.matrices[n];
        let at = |r: usize, c: usize| point.value(&m[(r, c)], 0);
        matrices[i] = [[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]];
        let ((f, s), (g, t)) = (&a.oracles[i], &b.oracles[j]);
        let whole = quotient(graph(f, *s), graph(g, *t));
        let stands = f.kind != g.kind || !f.kind.has_step();
        if matrices[i] != whole && !(matrices[i] == IDENTITY && stands && f.conjugate == g.conjugate) {
            return Some(Err(format!("no pair of {g:?} becomes one of {f:?} by {m:?}")));
        }
        let filter = witness.filters.get(n).map_or(Some(1), |c| at_z(c, point, z))?;
        let m = witness.shift[n];
        let delay = if m < 0 { power(z, m.unsigned_abs()) } else { power(inverse(z), m.unsigned_abs()) };
        gauge[i] = times(delay, filter);
    }
    let functions: BTreeSet<(&str, &str)> = order
        .iter()
        .enumerate()
        .map(|(i, &j)| (a.oracles[i].0.function.as_str(), b.oracles[j].0.function.as_str()))
        .collect();
    let firsts: BTreeSet<&str> = functions.iter().map(|(f, _)| *f).collect();
    let seconds: BTreeSet<&str> = functions.iter().map(|(_, g)| *g).collect();
    if firsts.len() != functions.len() || seconds.len() != functions.len() {
        return Some(Err(format!("functions are not paired one to one: {functions:?}")));
    }
    let Some(h) = b.in_oracles(&order, &matrices) else {
        return Some(Err("the second cannot be written in the first's oracles".to_string()));
    };
    for i in 0..order.len() {
        for j in 0..order.len() {
            // H_A = Θ H_B Θ⁻¹
            if times(a.h[i][j], gauge[j]) != times(gauge[i], h[i][j]) {
                return Some(Err(format!("entry ({i}, {j}) differs")));
            }
        }
    }
    Some(Ok(()))
}

fn at_z(c: &RationalFunction, point: &Point, z: u64) -> Option<u64> {
    let mut values = BTreeMap::from([(Z, z)]);
    for v in c.variables() {
        if v != Z {
            values.insert(v, point.variable(v, 0)?);
        }
    }
    c.evaluate_mod(&|v| values[&v], P)
}

/// Every one of the first four relations that holds between two algorithms without parameters and
/// operators, found by trying.
pub fn relations(first: &Case, second: &Case, seed: u64) -> Option<BTreeSet<Relation>> {
    let experiment = Experiment::new(seed);
    let z = Random::new(seed, "z", 0).next() % P;
    let (a, b) = (seen(first, &experiment, z)?, seen(second, &experiment, z)?);
    let mut found = BTreeSet::new();
    if a.channels.len() == b.channels.len() {
        pair(&a, &b, z, &mut Vec::new(), &mut Vec::new(), &mut found);
    }
    Some(found)
}

/// How two oracles are taken for one another.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Reading {
    AsItIs,
    OfOneGraph(Square),
}

fn readings((f, s): &(Oracle, u64), (g, t): &(Oracle, u64)) -> Vec<Reading> {
    use OracleKind::*;
    let class = |o: &Oracle| match o.kind {
        Gradient | Subdifferential => Gradient,
        Prox | Resolvent | Projection => Prox,
        kind => kind,
    };
    let boxed = [f, g].iter().filter(|o| o.kind == BlackBox).count();
    let is_set = |o: &Oracle| o.kind == Projection;
    let same = class(f) == class(g) && f.conjugate == g.conjugate;
    let step = !(f.kind.has_step() && g.kind.has_step()) || s == t;
    let mut found = Vec::new();
    if (same && step) || (!same && boxed == 1) {
        found.push(Reading::AsItIs);
    }
    if boxed < 2 && !(same && (class(f) == Gradient || (is_set(f) && is_set(g)))) {
        found.push(Reading::OfOneGraph(quotient(graph(f, *s), graph(g, *t))));
    }
    found
}

fn pair(a: &Seen, b: &Seen, z: u64, order: &mut Vec<usize>, how: &mut Vec<Reading>, found: &mut BTreeSet<Relation>) {
    let i = order.len();
    if i == a.channels.len() {
        found.extend(relation(a, b, z, order, how));
        return;
    }
    let name = |x: &Seen, i: usize| x.oracles[i].0.function.clone();
    for j in (0..a.channels.len()).filter(|j| !order.contains(j)).collect::<Vec<_>>() {
        let one_to_one =
            order.iter().enumerate().all(|(k, &l)| (name(a, k) == name(a, i)) == (name(b, l) == name(b, j)));
        for reading in readings(&a.oracles[i], &b.oracles[j]).into_iter().filter(|_| one_to_one) {
            order.push(j);
            how.push(reading);
            pair(a, b, z, order, how, found);
            order.pop();
            how.pop();
        }
    }
}

/// What it is called if it holds.
fn relation(a: &Seen, b: &Seen, z: u64, order: &[usize], how: &[Reading]) -> Option<Relation> {
    let p = order.len();
    let matrix = |r: &Reading| if let Reading::OfOneGraph(m) = r { *m } else { IDENTITY };
    let h = b.in_oracles(order, &how.iter().map(matrix).collect::<Vec<_>>())?;
    let still = is_shifted(&a.h, &h, z, &vec![0; p]);
    let moved = still || (0..SHIFTS.pow(p as u32 - 1)).any(|n| is_shifted(&a.h, &h, z, &shift(n, p)));
    if !moved {
        return None;
    }
    if how.iter().any(|r| *r != Reading::AsItIs) {
        return Some(Relation::Lft);
    }
    let names: BTreeSet<&str> = a.oracles.iter().map(|(o, _)| o.function.as_str()).collect();
    let function = |x: &Seen, i: usize| x.oracles[i].0.function.clone();
    let exchanged = (0..p).any(|i| {
        let (f, g) = (function(a, i), function(b, order[i]));
        f != g && names.contains(g.as_str())
    });
    let copy = |i: usize| (&b.oracles[order[i]].0.kind, function(b, order[i]), b.oracles[order[i]].0.conjugate);
    let crossed = (0..p).any(|i| (i + 1..p).any(|j| copy(i) == copy(j) && order[i] > order[j]));
    Some(match (exchanged || crossed, still) {
        (true, _) => Relation::Permutation,
        (false, true) => Relation::Oracle,
        (false, false) => Relation::Shift,
    })
}

/// Shifts from −6 to 6 of every channel but the first.
const SHIFTS: usize = 13;

fn shift(mut n: usize, p: usize) -> Vec<i64> {
    let mut m = vec![0];
    for _ in 1..p {
        m.push((n % SHIFTS) as i64 - 6);
        n /= SHIFTS;
    }
    m
}

fn is_shifted(g: &Runs, h: &Runs, z: u64, m: &[i64]) -> bool {
    let p = m.len();
    let by = |n: i64| power(z, n.unsigned_abs());
    (0..p).all(|i| {
        (0..p).all(|j| {
            let n = m[j] - m[i];
            if n < 0 { times(g[i][j], by(n)) == h[i][j] } else { g[i][j] == times(h[i][j], by(n)) }
        })
    })
}

/// Whether the claim holds with the same numbers for the same names.
pub fn same_names(first: &Case, second: &Case, witness: &Witness, seed: u64) -> Option<bool> {
    let names = |case: &Case| -> BTreeSet<String> {
        let system = &case.analysis.system;
        system.parameters.iter().cloned().chain(system.operators.iter().map(|o| o.name.clone())).collect()
    };
    let (ours, theirs) = (names(first), names(second));
    if second.analysis.system.operators.iter().any(|o| !ours.contains(&o.name)) {
        return None;
    }
    // Names that only one of the two has are what a branch says.
    let is_shared = |side: Side, name: &String| if side == Side::First { &theirs } else { &ours }.contains(name);
    let called = |v: Variable| {
        let (side, own) = owner(v);
        (side, name(if side == Side::First { &first.analysis } else { &second.analysis }, own))
    };
    let mut all = Vec::new();
    for branch in &witness.branches {
        let mut values = BTreeMap::new();
        for (v, value) in branch.values.iter().chain(&branch.conditions) {
            if linnaeus::relation::is_coefficient(*v) {
                continue;
            }
            let (side, name) = called(*v);
            if is_shared(side, &name) {
                continue;
            }
            let Value::Rational(r) = value else { return None };
            values.insert(name, r.evaluate_mod(&|v| Experiment::new(seed).named(&called(v).1), P)?);
        }
        all.push(same_names_with(first, second, witness, seed, values)?);
    }
    // Of numbers that several ways give together, none need do alone.
    (all.contains(&true) || all.len() == 1).then(|| all.contains(&true))
}

/// Whether the second's steps are positive wherever the first's are, as far as some numbers tell; nothing if they do not.
pub fn keeps_steps(first: &Case, second: &Case, witness: &Witness, seed: u64) -> Option<bool> {
    let steps = |case: &Case| -> Vec<RationalFunction> {
        let calls = case.analysis.system.calls.iter().map(|c| &c.oracle);
        calls.filter(|o| o.kind.has_step()).map(|o| o.step.clone()).collect()
    };
    let positive = |r: &RationalFunction, value: &dyn Fn(Variable) -> Option<Rational>| -> Option<bool> {
        let there = r.evaluate(value).ok()??.as_rational()?;
        Some(there > Rational::ZERO)
    };
    let mut tried = 0;
    for n in 0..2_000 {
        let draw = |v: Variable| {
            let mut random = Random::new(seed, &format!("{v:?}"), n);
            let size = Rational::from_parts((1 + random.below(9)).into(), (1 + random.below(4)).into());
            Some(if random.one_in(2) { -size } else { size })
        };
        if !steps(first).iter().map(|s| positive(s, &draw)).collect::<Option<Vec<_>>>()?.into_iter().all(|is| is) {
            continue;
        }
        // One way that keeps them is enough, and where one has no values nothing is known.
        let kept = |branch: &Branch| -> Option<bool> {
            let mut values = BTreeMap::new();
            for (v, value) in &branch.values {
                let Value::Rational(r) = value else { return None };
                values.insert(*v, r.evaluate(&draw).ok()??.as_rational()?);
            }
            let there = |v: Variable| values.get(&Side::Second.place(v)).cloned();
            let signs = steps(second).iter().map(|s| positive(s, &there)).collect::<Option<Vec<_>>>()?;
            Some(signs.into_iter().all(|is| is))
        };
        let ways: Vec<Option<bool>> = witness.branches.iter().map(kept).collect();
        match ways.contains(&Some(true)) {
            true => tried += 1,
            false if ways.contains(&None) => continue,
            false => return Some(false),
        }
        if tried == 30 {
            return Some(true);
        }
    }
    None
}

fn same_names_with(
    first: &Case,
    second: &Case,
    witness: &Witness,
    seed: u64,
    values: BTreeMap<String, u64>,
) -> Option<bool> {
    let experiment = Experiment::with(seed, values);
    let twin = |v: Variable| {
        let (side, own) = owner(v);
        experiment.named(&name(if side == Side::First { &first.analysis } else { &second.analysis }, own))
    };
    let z = Random::new(seed, "z", 0).next() % P;
    let (a, b) = (seen(first, &experiment, z)?, seen(second, &experiment, z)?);
    let mut order = vec![0; a.channels.len()];
    let mut matrices = vec![IDENTITY; order.len()];
    let mut m = vec![0; order.len()];
    for (n, &(i, j)) in witness.channel_map.iter().enumerate() {
        order[i] = j;
        m[i] = witness.shift[n];
        let at = |r: usize, c: usize| witness.matrices[n][(r, c)].evaluate_mod(&twin, P);
        matrices[i] = [[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]];
        let ((f, s), (g, t)) = (&a.oracles[i], &b.oracles[j]);
        if matrices[i] == IDENTITY && f.kind.has_step() && g.kind.has_step() && s != t {
            return Some(false);
        }
    }
    let is_same = is_shifted(&a.h, &b.in_oracles(&order, &matrices)?, z, &m);
    let constants =
        |case: &Case| -> Vec<String> { case.analysis.system.constants.iter().map(|c| c.name.clone()).collect() };
    let (ours, theirs) = (constants(first), constants(second));
    if !is_same || ours.is_empty() && theirs.is_empty() {
        return Some(is_same);
    }
    // What constants do to the calls does not end, so it is seen at z = 1 unless it grows.
    if matrices.iter().any(|matrix| *matrix != IDENTITY) || ours.iter().any(|c| !theirs.contains(c)) {
        return None;
    }
    let settled = |case: &Case| experiment.response(&case.text, &case.analysis, 1);
    let (a, b) = (settled(first)?, settled(second)?);
    let p = order.len();
    Some((0..p).all(|i| {
        let at = |name: &String| theirs.iter().position(|c| c == name).expect("a constant of both");
        ours.iter().enumerate().all(|(n, name)| a[i][p + n] == b[order[i]][p + at(name)])
    }))
}

/// The number that every symbol of the second text has when the first's are what the substitution
/// makes of them; whether a branch of the witness says so.
pub fn contains_map(first: &Case, second: &Case, witness: &Witness, given: &BTreeMap<String, u64>, seed: u64) -> bool {
    let experiment = Experiment::new(seed);
    let value = |v: Variable| match owner(v) {
        (Side::First, own) => {
            let name = name(&first.analysis, own);
            given.get(&name).copied().unwrap_or_else(|| experiment.named(&name))
        }
        (Side::Second, own) => experiment.named(&name(&second.analysis, own)),
    };
    let holds = |(v, x): (&Variable, &Value)| match x {
        _ if linnaeus::relation::is_coefficient(*v) => true,
        Value::Rational(r) => {
            if r.variables().iter().any(|w| linnaeus::relation::is_coefficient(*w)) {
                return true;
            }
            r.evaluate_mod(&value, P) == Some(value(*v))
        }
        Value::Root { a, b, radicand } => {
            // (x − a)² = b² r
            let (Some(a), Some(b)) = (a.evaluate_mod(&value, P), b.evaluate_mod(&value, P)) else { return false };
            let d = plus(value(*v), negative(a));
            times(d, d) == times(times(b, b), radicand.evaluate_mod(&value, P))
        }
    };
    witness.branches.iter().any(|branch| branch.values.iter().all(holds))
}
