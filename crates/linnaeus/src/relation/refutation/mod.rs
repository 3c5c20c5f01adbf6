//! A concrete run on which two algorithms part. What B asks depends on where it starts, so a run of A
//! says something of B only if no start of B makes the same calls: the start is kept as a list of
//! unknowns, every call is a linear equation for it, and the run ends at the first one that the
//! equations before it contradict.
//!
//! The oracles are given by their calls. Answers are small numbers, and where an oracle is asked
//! twice at one point it answers alike, so that there are functions with these calls. Those that were declared
//! linear answer by a matrix. B's constants are unknowns like its start.

mod linear;
mod numbers;
mod plant;

use super::behavior::Side;
use super::verdict::{Compared, Exchange, Nearest, NoRun, Refutation};
use crate::prime_field::Stream;
use crate::syntax::ast::{FunctionTrait, OracleKind};
use crate::system::Oracle;
use crate::system::schedule::varies;
use crate::transfer::graph::{between, has_graph, matrix};
use crate::transfer::{Analysis, Explicitness, State, Transfer};
use linnaeus_algebra::{Coefficient, Matrix, Rational, RationalFunction};
use numbers::{Choice, Others, Point, is_commuting};
use plant::{Follower, Heard, Plant};

/// At most so many choices of numbers are tried.
const ATTEMPTS: u64 = 16;

/// Vectors have at most so many components.
const COMPONENTS: usize = 3;

/// A run of the first that the second cannot follow in the nearest reading, or why there is none.
pub fn refutation(first: &Analysis, second: &Analysis, nearest: &Nearest) -> Result<Refutation, NoRun> {
    if !nearest.entries.is_empty() && nearest.entries.iter().all(|e| matches!(e.values, Compared::Map(..))) {
        return Err(NoRun::Oracles);
    }
    // Where the nearest parameters are no simple numbers, others do as well.
    let others = nearest.values.is_some().then(|| Nearest { values: None, ..nearest.clone() });
    // What B may follow with oracles of the same steps it may not with those that it has.
    let stepped = stepped((first, second), nearest)?;
    let mut why = NoRun::Numbers;
    for nearest in [Some(nearest), others.as_ref(), stepped.as_ref()].into_iter().flatten() {
        for choice in choices(first, second, nearest) {
            match attempt(first, second, nearest, choice) {
                Ok(found) => return Ok(found),
                Err(NoRun::Exhausted) => return Err(NoRun::Exhausted),
                Err(reason) => why = why.max(reason),
            }
        }
    }
    if why == NoRun::Roots {
        for choice in choices(first, second, nearest).flat_map(modulo) {
            match attempt(first, second, nearest, choice) {
                Ok(found) => return Ok(found),
                Err(NoRun::Exhausted) => return Err(NoRun::Exhausted),
                Err(_) => {}
            }
        }
    }
    Err(why)
}

/// The reading in which oracles that are paired as they are, but have different steps, are calls of one function.
fn stepped((first, second): (&Analysis, &Analysis), nearest: &Nearest) -> Result<Option<Nearest>, NoRun> {
    let mut found = nearest.clone();
    for (n, &(i, j)) in nearest.channel_map.iter().enumerate() {
        let (a, mut b) = (&first.channels[i].oracle, second.channels[j].oracle.clone());
        b.step = b.step.rename(&|v| Side::Second.place(v));
        let is_open = nearest.matrices.get(n).is_some_and(|m| *m == Matrix::identity(2))
            && [a, &b].iter().all(|o| has_graph(o) && o.kind.has_step() && !varies(&o.step));
        if is_open && a.kind == b.kind && a.conjugate == b.conjugate {
            found.matrices[n] = between(a, &b)?;
        }
    }
    Ok((found.matrices != nearest.matrices).then_some(found))
}

/// Simple ones first: operators are numbers where that shows the difference, and counting begins at 0
/// where everything has a value there. What only one of the two has begins like what only the other has.
fn choices(first: &Analysis, second: &Analysis, nearest: &Nearest) -> impl Iterator<Item = Choice> {
    let operators = [first, second].iter().any(|a| !a.system.operators.is_empty());
    let declared =
        |what: FunctionTrait| (0..first.channels.len()).any(|i| linear::is_declared((first, second), nearest, i, what));
    // Of one component, linear maps commute and all queries are multiples of each other.
    let special = [FunctionTrait::Linear, FunctionTrait::Homogeneous, FunctionTrait::Cone].into_iter().any(declared);
    let plain = if operators { [first, second].iter().all(|a| is_commuting(a)) } else { !special };
    let still = [first, second].iter().all(|a| a.system.schedules.is_empty());
    let origins = if still { 0..=0 } else { 0..=1 };
    (1..=if plain { 1 } else { COMPONENTS }).flat_map(move |dimension| {
        let origins = origins.clone();
        let numbered = move |origin: i64, others: Others| {
            (0..ATTEMPTS).map(move |seed| Choice { seed, dimension, origin, modulus: None, others })
        };
        origins
            .flat_map(move |origin| [Others::Alike, Others::Apart].into_iter().flat_map(move |o| numbered(origin, o)))
    })
}

/// The same numbers modulo primes, in whose fields half of all numbers are squares.
fn modulo(choice: Choice) -> impl Iterator<Item = Choice> {
    const PRIMES: [u32; 12] = [101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157];
    PRIMES.into_iter().map(move |p| Choice { modulus: Some(p), ..choice })
}

/// Queries and answers by channel.
type Calls = Vec<(Vec<Rational>, Vec<Rational>)>;

fn attempt(first: &Analysis, second: &Analysis, nearest: &Nearest, choice: Choice) -> Result<Refutation, NoRun> {
    let point = Point::new(first, second, nearest, choice)?;
    let size = choice.dimension;
    let a = Plant::new(first, second, Side::First, size, &point)?;
    let b = Plant::new(second, first, Side::Second, size, &point)?;
    let mut stream = Stream::new(choice.seed);
    let small_numbers = if choice.modulus.is_some() { [1, 4, 2, 3, 5] } else { [1, -1, 2, 3, -2] };
    let mut small = || Rational::from(small_numbers[(stream.next() % 5) as usize]);
    let constants: Vec<Rational> = (0..a.constants * size).map(|_| small()).collect();
    let linear = linear::matrices((first, second), nearest, choice.seed, size);
    let start: Vec<Rational> = a.states.iter().enumerate().flat_map(|(n, s)| start_of(s, n, size)).collect();
    let iterations = (a.states.len() + b.states.len()) * size + 2;
    let lead = |n: usize| nearest.shift[n] as usize;
    let longest = (0..nearest.shift.len()).map(lead).max().unwrap_or(0);

    let mut state = start.clone();
    let mut last: Option<Vec<Rational>> = None;
    let mut log: Vec<Calls> = Vec::new();
    let (turns, order) = (call_order(first), waiting(second));
    let mut follower = Follower::new(&b);
    for k in 0..iterations {
        while log.len() <= k + longest {
            let time = log.len();
            // A state is computed when it is needed, for it may need numbers that do not exist.
            if let Some(inputs) = &last {
                state = a.next(time - 1, &state, inputs)?;
            }
            let answers: Vec<Rational> = (0..a.channels * size).map(|_| small()).collect();
            let mut inputs = [answers, constants.clone()].concat();
            if !linear.is_empty() {
                a.answer(time, &state, &mut inputs, &linear::gains(first, &point, &linear, time)?)?;
            }
            let mut queries = a.queries(time, &state, &inputs)?;
            // What was asked before is answered as before, after which a later call of the iteration may be another.
            for &i in if linear.is_empty() { &turns[..] } else { &[] } {
                let own = i * size..(i + 1) * size;
                if let Some(answer) = known(first, &log, i, &queries[own.clone()]) {
                    inputs[own].clone_from_slice(&answer);
                    queries = a.queries(time, &state, &inputs)?;
                }
            }
            let answers = inputs[..a.channels * size].to_vec();
            log.push(chunks(&queries, size).zip(chunks(&answers, size)).collect());
            last = Some(inputs);
        }
        let mut answers = vec![Rational::ZERO; b.channels * size];
        let mut wanted = vec![(0, Vec::new()); b.channels];
        for (n, &(i, j)) in nearest.channel_map.iter().enumerate() {
            let (y, u) = &log[k + lead(n)][i];
            let inverse = inverted(&pair(&point, &nearest.matrices[n], k)?, &point)?;
            wanted[j] = (n, mix(&inverse[0], y, u, &point)?);
            answers[j * size..(j + 1) * size].clone_from_slice(&mix(&inverse[1], y, u, &point)?);
        }
        let inputs = answers;
        let mut made: Vec<usize> = Vec::new();
        for group in &order {
            let Some((j, asked)) = parting(&mut follower, k, group, &wanted, &inputs)? else {
                made.extend(group.iter().map(|j| wanted[*j].0));
                continue;
            };
            let (n, query) = wanted[j].clone();
            made.extend(group.iter().filter(|i| **i != j).map(|i| wanted[*i].0));
            let last = (k + lead(n), nearest.channel_map[n].0);
            let is_made = |(time, i): (usize, usize)| {
                let pair = nearest.channel_map.iter().position(|(a, _)| *a == i);
                pair.is_some_and(|n| time < k + lead(n) && time >= lead(n) || time == k + lead(n) && made.contains(&n))
            };
            let listed = listed(&a, last, &is_made, log.len())?;
            let calls = exchanges(first, &log, last, &listed);
            let has = |i: usize, what: FunctionTrait| linear::is_declared((first, second), nearest, i, what);
            if !is_function(first, &calls, &point, &has)? {
                return Err(NoRun::Numbers);
            }
            return Ok(Refutation {
                numbers: point.numbers(),
                operators: point.operators.clone(),
                constants: chunks(&constants, size).collect(),
                linear,
                start: chunks(&start, size).collect(),
                others: calls.iter().map(|c| (c.iteration, c.channel)).filter(|c| *c != last && !is_made(*c)).collect(),
                calls,
                matrices: nearest.matrices.clone(),
                pair: n,
                iteration: k,
                origin: choice.origin,
                modulus: choice.modulus,
                queries: (query, asked),
            });
        }
        follower.advance(k, &inputs)?;
    }
    Err(NoRun::Numbers)
}

/// What an oracle has answered to a query.
fn known(first: &Analysis, log: &[Calls], channel: usize, query: &[Rational]) -> Option<Vec<Rational>> {
    let oracle = &first.channels[channel].oracle;
    if oracle.sample.is_some() || varies(&oracle.step) {
        return None;
    }
    let alike = |i: usize| first.channels[i].oracle == *oracle;
    let all = log.iter().flat_map(|calls| calls.iter().enumerate());
    all.filter(|(i, (y, _))| alike(*i) && y == query).map(|(_, (_, u))| u.clone()).next()
}

fn chunks(list: &[Rational], size: usize) -> impl Iterator<Item = Vec<Rational>> {
    list.chunks(size).map(<[Rational]>::to_vec)
}

/// Iterates start at (1, 2, …), (1, 3, …), …; answers from before the start are 0.
fn start_of(state: &State, n: usize, size: usize) -> Vec<Rational> {
    let component = |c: usize| match state {
        State::Signal(..) => Rational::from(c * (n + 1) + 1),
        State::Answer(..) => Rational::ZERO,
    };
    (0..size).map(component).collect()
}

/// Of calls of which each waits for the others, or of one alone: one that the second cannot make, though it can make all
/// others and has made those before, and what it asks instead. Nothing if it can make all of them.
fn parting(
    follower: &mut Follower,
    k: usize,
    group: &[usize],
    wanted: &[(usize, Vec<Rational>)],
    answers: &[Rational],
) -> Result<Option<(usize, Vec<Rational>)>, NoRun> {
    let mut all = follower.clone();
    if all.makes(k, group.iter().copied(), wanted, answers)? {
        *follower = all;
        return Ok(None);
    }
    for &j in group {
        let mut others = follower.clone();
        if !others.makes(k, group.iter().copied().filter(|i| *i != j), wanted, answers)? {
            continue;
        }
        if let Some(asked) = others.must_ask((k, j), &wanted[j].1, answers)? {
            return Ok(Some((j, asked)));
        }
    }
    Err(NoRun::Numbers)
}

/// The first's calls that the second must have made before it parts, and those without whose answers their queries and
/// that of the last call are not what they are.
fn listed(
    a: &Plant,
    last: (usize, usize),
    is_made: &dyn Fn((usize, usize)) -> bool,
    iterations: usize,
) -> Result<Heard, NoRun> {
    let heard = a.heard(iterations)?;
    let all = (0..iterations).flat_map(|k| (0..a.channels).map(move |i| (k, i)));
    let mut open: Vec<(usize, usize)> = all.filter(|c| is_made(*c)).chain([last]).collect();
    let mut found = Heard::new();
    while let Some((k, i)) = open.pop() {
        if found.insert((k, i)) {
            open.extend(&heard[k][i]);
        }
    }
    Ok(found)
}

/// These calls in the first's order, the last one behind them.
fn exchanges(first: &Analysis, log: &[Calls], last: (usize, usize), listed: &Heard) -> Vec<Exchange> {
    let order = call_order(first);
    let all = (0..log.len()).flat_map(|k| order.iter().map(move |i| (k, *i)));
    let exchange = |(k, i): (usize, usize)| {
        let (query, answer) = log[k][i].clone();
        Exchange { iteration: k, channel: i, query, answer }
    };
    all.filter(|c| *c != last && listed.contains(c)).chain([last]).map(exchange).collect()
}

/// The order of the calls of an iteration; that of the channels where they wait for each other.
fn call_order(analysis: &Analysis) -> Vec<usize> {
    match &analysis.explicitness {
        Explicitness::Explicit(order) => order.clone(),
        Explicitness::Implicit(_) => (0..analysis.channels.len()).collect(),
    }
}

/// The calls of an iteration in an order in which all wait for earlier ones only, those together that wait for each other.
fn waiting(analysis: &Analysis) -> Vec<Vec<usize>> {
    let p = analysis.channels.len();
    let waits = |i: usize, j: usize| match &analysis.transfer {
        Transfer::Commuting { realization, .. } => !realization.d[(i, j)].is_zero(),
        Transfer::Noncommuting { realization, .. } => !realization.d[(i, j)].is_zero(),
    };
    let mut on: Vec<Vec<bool>> = (0..p).map(|i| (0..p).map(|j| i == j || waits(i, j)).collect()).collect();
    for (k, i, j) in (0..p).flat_map(|k| (0..p).flat_map(move |i| (0..p).map(move |j| (k, i, j)))) {
        on[i][j] |= on[i][k] && on[k][j];
    }
    let group = |i: usize| -> Vec<usize> { (0..p).filter(|&j| on[i][j] && on[j][i]).collect() };
    let mut groups: Vec<Vec<usize>> = (0..p).map(group).filter(|g| !g.is_empty()).collect();
    groups.dedup();
    let mut found: Vec<Vec<usize>> = Vec::new();
    while let Some(at) = groups.iter().position(|g| {
        let earlier = |j: &usize| g.contains(j) || found.iter().flatten().any(|i| i == j);
        (0..p).filter(|&j| on[g[0]][j]).all(|j| earlier(&j))
    }) {
        found.push(groups.remove(at));
    }
    found
}

/// Whether there are functions whose oracles make these calls: a query has one answer, also when it
/// is put to another oracle of the same function. On a ray a homogeneous function has one gradient, and the indicator of a
/// cone has the multiples of one; a black box that is homogeneous has multiples of one answer.
fn is_function(
    first: &Analysis,
    calls: &[Exchange],
    point: &Point,
    has: &dyn Fn(usize, FunctionTrait) -> bool,
) -> Result<bool, NoRun> {
    let known: Vec<(&Exchange, &Oracle)> = calls.iter().map(|c| (c, &first.channels[c.channel].oracle)).collect();
    let apply = |m: &[[Rational; 2]; 2], (y, u): (&[Rational], &[Rational])| -> Result<_, NoRun> {
        Ok((mix(&m[0], y, u, point)?, mix(&m[1], y, u, point)?))
    };
    let base = |call: &Exchange, oracle: &Oracle| {
        let back = inverted(&pair(point, &matrix(oracle), call.iteration)?, point)?;
        apply(&back, (&call.query, &call.answer))
    };
    for (call, oracle) in &known {
        let is_cone = has(call.channel, FunctionTrait::Cone)
            || oracle.kind == OracleKind::Projection && has(call.channel, FunctionTrait::Homogeneous);
        let is_homogeneous = is_cone || has(call.channel, FunctionTrait::Homogeneous);
        for (other, its) in &known {
            if oracle.function != its.function || oracle.sample.is_some() {
                continue;
            }
            let is_same = oracle == its && !varies(&oracle.step);
            if is_same && other.query == call.query && other.answer != call.answer {
                return Ok(false);
            }
            if has_graph(oracle) && has_graph(its) {
                if !is_same {
                    let there = base(other, its)?;
                    let to = pair(point, &matrix(oracle), call.iteration)?;
                    let (query, answer) = apply(&to, (&there.0, &there.1))?;
                    if query == call.query && answer != call.answer {
                        return Ok(false);
                    }
                }
                if is_homogeneous {
                    let (here, there) = (base(call, oracle)?, base(other, its)?);
                    let alike = here.1 == there.1 || is_cone && multiple(&there.1, &here.1).is_some();
                    if multiple(&there.0, &here.0).is_some() && !alike {
                        return Ok(false);
                    }
                }
            } else if is_same && is_homogeneous {
                let factor = multiple(&other.query, &call.query);
                if factor.is_some_and(|c| other.answer.iter().zip(&call.answer).any(|(x, y)| *x != &c * y)) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// The positive number by which the second vector is multiplied to give the first; 0 for the zero vector.
fn multiple(x: &[Rational], y: &[Rational]) -> Option<Rational> {
    if x.iter().all(Rational::is_zero) {
        return Some(Rational::ZERO);
    }
    let at = y.iter().position(|y| !y.is_zero())?;
    let factor = &x[at] / &y[at];
    (factor > Rational::ZERO && x.iter().zip(y).all(|(x, y)| *x == &factor * y)).then_some(factor)
}

/// A 2×2 matrix in the symbols of the comparison; the first's are its own.
fn pair(point: &Point, m: &Matrix<RationalFunction>, iteration: usize) -> Result<[[Rational; 2]; 2], NoRun> {
    let at = |i: usize, j: usize| point.value(&m[(i, j)], iteration as i64);
    Ok([[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]])
}

fn mix(row: &[Rational; 2], y: &[Rational], u: &[Rational], point: &Point) -> Result<Vec<Rational>, NoRun> {
    y.iter().zip(u).map(|(y, u)| point.reduced(&row[0] * y + &row[1] * u)).collect()
}

fn inverted(m: &[[Rational; 2]; 2], point: &Point) -> Result<[[Rational; 2]; 2], NoRun> {
    let [[a, b], [c, d]] = m;
    let determinant = point.reduced(a * d - b * c)?;
    if determinant.is_zero() {
        return Err(NoRun::Numbers);
    }
    let over = |x: Rational| point.reduced(x / &determinant);
    Ok([[over(d.clone())?, over(-b)?], [over(-c)?, over(a.clone())?]])
}
