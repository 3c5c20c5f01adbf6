//! A concrete run on which two algorithms part. What B asks depends on where it starts, so a run of A
//! says something of B only if no start of B makes the same calls: the start is kept as a list of
//! unknowns, every call is one linear equation for it, and the run ends at the first one that the
//! equations before it contradict.
//!
//! The oracles are given by their calls. Answers are small numbers, and where an oracle is asked
//! twice at one point it answers alike, so that there are functions with these calls.

use super::behavior::Side;
use super::graph::{has_graph, matrix};
use super::verdict::{Exchange, Nearest, Refutation};
use crate::prime_field::Stream;
use crate::system::{LinearSystem, Oracle, operator_symbol, parameter};
use crate::transfer::{Analysis, Explicitness, Realization, State, Transfer};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{Matrix, Rational, RationalFunction, Variable};
use std::collections::BTreeMap;

/// At most so many choices of numbers are tried.
const ATTEMPTS: u64 = 12;

/// A run of the first that the second cannot follow in the nearest reading; none if there are no
/// simple numbers for it.
pub fn refutation(first: &Analysis, second: &Analysis, nearest: &Nearest) -> Option<Refutation> {
    let found = (0..ATTEMPTS).find_map(|seed| attempt(first, second, nearest, seed));
    // Where the nearest parameters are no simple numbers, others do as well.
    found.or_else(|| {
        let other = Nearest { values: None, ..nearest.clone() };
        (0..ATTEMPTS).find_map(|seed| attempt(first, second, &other, seed))
    })
}

fn attempt(first: &Analysis, second: &Analysis, nearest: &Nearest, seed: u64) -> Option<Refutation> {
    let point = Point::new(first, second, nearest, seed)?;
    let (a, b) = (Plant::new(first, Side::First, &point)?, Plant::new(second, Side::Second, &point)?);
    let inverse: Vec<[[Rational; 2]; 2]> =
        nearest.matrices.iter().map(|m| inverted(&point.pair(m, None)?)).collect::<Option<_>>()?;
    let mut stream = Stream::new(seed);
    let mut small = || Rational::from([1, -1, 2, 3, -2][(stream.next() % 5) as usize]);
    let constants: Vec<Rational> = (0..a.constants().max(b.constants())).map(|_| small()).collect();
    let start: Vec<Rational> = a.states.iter().map(start_of).collect();
    let lead = nearest.shift.iter().copied().max().unwrap_or(0);
    let iterations = a.states.len() + b.states.len() + 2;

    let mut state = start.clone();
    let mut log: Vec<Vec<(Rational, Rational)>> = Vec::new();
    for _ in 0..iterations + lead as usize {
        let answers: Vec<Rational> = a.c.iter().map(|_| small()).collect();
        let queries = a.queries(&state, &answers, &constants);
        state = a.next(&state, &answers, &constants);
        log.push(queries.into_iter().zip(answers).collect());
    }

    let order = call_order(second);
    let mut follower = Follower::new(&b);
    for k in 0..iterations {
        let mut answers = vec![Rational::ZERO; b.c.len()];
        let mut wanted = vec![(0, Rational::ZERO); b.c.len()];
        for (n, &(i, j)) in nearest.channel_map.iter().enumerate() {
            let (y, u) = &log[k + nearest.shift[n] as usize][i];
            let mix = |row: &[Rational; 2]| &row[0] * y + &row[1] * u;
            wanted[j] = (n, mix(&inverse[n][0]));
            answers[j] = mix(&inverse[n][1]);
        }
        for &j in &order {
            let (n, query) = &wanted[j];
            if let Some(asked) = follower.must_ask(j, query, &answers, &constants) {
                let calls = calls((first, second), nearest, &log, (*n, k));
                is_function(first, &calls, &point)?;
                let queries = (query.clone(), asked);
                let numbers = point.values;
                return Some(Refutation { numbers, constants, start, calls, pair: *n, iteration: k, queries });
            }
        }
        follower.advance(&answers, &constants);
    }
    None
}

/// Iterates start at 1; answers from before the start are 0.
fn start_of(state: &State) -> Rational {
    match state {
        State::Signal(..) => Rational::ONE,
        State::Answer(..) => Rational::ZERO,
    }
}

/// The first's calls that the second must have made before it parts, in the first's order, then the
/// one at which it parts. Where the second's calls wait for each other, all of an iteration count.
fn calls(
    (first, second): (&Analysis, &Analysis),
    nearest: &Nearest,
    log: &[Vec<(Rational, Rational)>],
    (pair, iteration): (usize, usize),
) -> Vec<Exchange> {
    let implicit = matches!(second.explicitness, Explicitness::Implicit(_));
    let order = call_order(second);
    let turn = |n: usize| order.iter().position(|j| *j == nearest.channel_map[n].1);
    let time = |k: usize, n: usize| k as i64 - nearest.shift[n];
    let is_before = |k: usize, n: usize| {
        let now = time(k, n) == iteration as i64;
        n != pair && now && (implicit || turn(n) < turn(pair)) || time(k, n) < iteration as i64
    };
    let mut found = Vec::new();
    let mut add = |k: usize, i: usize| {
        let (query, answer) = log[k][i].clone();
        found.push(Exchange { iteration: k, channel: i, query, answer });
    };
    for k in 0..log.len() {
        for &i in &call_order(first) {
            let n = nearest.channel_map.iter().position(|(a, _)| *a == i);
            if n.is_some_and(|n| is_before(k, n)) {
                add(k, i);
            }
        }
    }
    add(iteration + nearest.shift[pair] as usize, nearest.channel_map[pair].0);
    found
}

/// The order of the calls of an iteration; that of the channels where they wait for each other.
fn call_order(analysis: &Analysis) -> Vec<usize> {
    match &analysis.explicitness {
        Explicitness::Explicit(order) => order.clone(),
        Explicitness::Implicit(_) => (0..analysis.channels.len()).collect(),
    }
}

/// Whether there are functions whose oracles make these calls: a query has one answer, also when it
/// is put to another oracle of the same function.
fn is_function(first: &Analysis, calls: &[Exchange], point: &Point) -> Option<()> {
    let known: Vec<(&Exchange, &Oracle)> = calls.iter().map(|c| (c, &first.channels[c.channel].oracle)).collect();
    for (call, oracle) in &known {
        for (other, its) in &known {
            if oracle.function != its.function || oracle.sample.is_some() {
                continue;
            }
            let (query, answer) = if oracle == its {
                (other.query.clone(), other.answer.clone())
            } else if has_graph(oracle) && has_graph(its) {
                let (from, to) =
                    (point.pair(&matrix(its), Some(Side::First))?, point.pair(&matrix(oracle), Some(Side::First))?);
                let base = applied(&inverted(&from)?, &other.query, &other.answer);
                applied(&to, &base.0, &base.1)
            } else {
                continue;
            };
            if query == call.query && answer != call.answer {
                return None;
            }
        }
    }
    Some(())
}

fn applied(m: &[[Rational; 2]; 2], y: &Rational, u: &Rational) -> (Rational, Rational) {
    (&m[0][0] * y + &m[0][1] * u, &m[1][0] * y + &m[1][1] * u)
}

fn inverted(m: &[[Rational; 2]; 2]) -> Option<[[Rational; 2]; 2]> {
    let [[a, b], [c, d]] = m;
    let determinant = a * d - b * c;
    if determinant.is_zero() {
        return None;
    }
    let over = |x: &Rational| x / &determinant;
    Some([[over(d), -over(b)], [-over(c), over(a)]])
}

/// Numbers for all parameters and operators.
struct Point {
    values: BTreeMap<Variable, Rational>,
}

impl Point {
    /// Small numbers, and what the nearest parameters make of them. What is left open is the same
    /// under the same name.
    fn new(first: &Analysis, second: &Analysis, nearest: &Nearest, seed: u64) -> Option<Point> {
        let mut values: BTreeMap<Variable, Rational> = BTreeMap::new();
        let mut named: BTreeMap<&str, Rational> = BTreeMap::new();
        let mut count = seed as usize;
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            for (v, name) in symbols(system) {
                let number = named.entry(name).or_insert_with(|| {
                    count += 1;
                    [2, 3, 5, 7, 4][(count - 1) % 5].into()
                });
                values.insert(side.place(v), number.clone());
            }
        }
        let mut point = Point { values };
        let branch = nearest.values.as_ref();
        if let Some(branch) = branch {
            if !branch.relations.is_empty() {
                return None;
            }
            for v in &branch.free {
                point.values.entry(*v).or_insert_with(|| 3.into());
            }
            for list in [&branch.conditions, &branch.values] {
                let mut fixed = Vec::new();
                for (v, value) in list {
                    let Value::Rational(r) = value else {
                        return None;
                    };
                    fixed.push((*v, point.value(r)?));
                }
                point.values.extend(fixed);
            }
        }
        for (v, value) in &nearest.operators {
            let value = point.value(value)?;
            point.values.insert(*v, value);
        }
        Some(point)
    }

    fn value(&self, r: &RationalFunction) -> Option<Rational> {
        r.evaluate(&|v| self.values.get(&v).cloned()).ok()??.as_rational()
    }

    /// A 2×2 matrix, in this comparison's variables or in those of a side's own text.
    fn pair(&self, m: &Matrix<RationalFunction>, own: Option<Side>) -> Option<[[Rational; 2]; 2]> {
        let at = |i: usize, j: usize| self.value(&m[(i, j)].rename(&|v| own.map_or(v, |side| side.place(v))));
        Some([[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]])
    }
}

fn symbols(system: &LinearSystem) -> impl Iterator<Item = (Variable, &str)> {
    let parameters = system.parameters.iter().enumerate().map(|(i, name)| (parameter(i), name.as_str()));
    parameters.chain(system.operators.iter().enumerate().map(|(i, o)| (operator_symbol(i), o.name.as_str())))
}

type Rows = Vec<Vec<Rational>>;

/// The realization as written, in numbers; inputs are answers, then constants.
struct Plant {
    states: Vec<State>,
    a: Rows,
    b: Rows,
    c: Rows,
    d: Rows,
}

impl Plant {
    fn new(analysis: &Analysis, side: Side, point: &Point) -> Option<Plant> {
        let Transfer::Commuting { realization, .. } = &analysis.transfer else {
            return None;
        };
        let Realization { states, a, b, c, d } = realization;
        let rows = |m: &Matrix<RationalFunction>| -> Option<Rows> {
            let at = |e: &RationalFunction| point.value(&e.rename(&|v| side.place(v)));
            (0..m.rows()).map(|i| m.row(i).iter().map(at).collect()).collect()
        };
        Some(Plant { states: states.clone(), a: rows(a)?, b: rows(b)?, c: rows(c)?, d: rows(d)? })
    }

    fn constants(&self) -> usize {
        self.d.first().map_or(0, |row| row.len() - self.c.len())
    }

    fn queries(&self, state: &[Rational], answers: &[Rational], constants: &[Rational]) -> Vec<Rational> {
        self.c.iter().zip(&self.d).map(|(c, d)| dot(c, state) + driven(d, answers, constants)).collect()
    }

    fn next(&self, state: &[Rational], answers: &[Rational], constants: &[Rational]) -> Vec<Rational> {
        self.a.iter().zip(&self.b).map(|(a, b)| dot(a, state) + driven(b, answers, constants)).collect()
    }
}

fn dot(row: &[Rational], x: &[Rational]) -> Rational {
    row.iter().zip(x).filter(|(r, _)| !r.is_zero()).fold(Rational::ZERO, |sum, (r, x)| sum + r * x)
}

fn driven(row: &[Rational], answers: &[Rational], constants: &[Rational]) -> Rational {
    dot(row, answers) + dot(&row[answers.len()..], constants)
}

/// The second algorithm from an unknown start w: its state is X w + x.
struct Follower<'a> {
    plant: &'a Plant,
    /// One row per state, the last entry x.
    state: Rows,
    /// Equations for w in echelon form, the last entry the right-hand side.
    known: Rows,
}

impl<'a> Follower<'a> {
    fn new(plant: &'a Plant) -> Follower<'a> {
        let n = plant.states.len();
        let unit = |i: usize| (0..=n).map(|j| if i == j { Rational::ONE } else { Rational::ZERO }).collect();
        Follower { plant, state: (0..n).map(unit).collect(), known: Vec::new() }
    }

    fn combined(&self, row: &[Rational]) -> Vec<Rational> {
        let n = self.state.len();
        let column = |j: usize| {
            row.iter()
                .zip(&self.state)
                .fold(Rational::ZERO, |sum, (c, x)| if c.is_zero() { sum } else { sum + c * &x[j] })
        };
        (0..=n).map(column).collect()
    }

    /// Demands a query; if what was demanded before rules it out, the query that is asked instead.
    fn must_ask(
        &mut self,
        j: usize,
        query: &Rational,
        answers: &[Rational],
        constants: &[Rational],
    ) -> Option<Rational> {
        let mut row = self.combined(&self.plant.c[j]);
        let rhs = row.len() - 1;
        row[rhs] = query - (&row[rhs] + driven(&self.plant.d[j], answers, constants));
        for known in &self.known {
            let pivot = known.iter().position(|x| !x.is_zero()).expect("no empty row");
            if !row[pivot].is_zero() {
                let factor = &row[pivot] / &known[pivot];
                row.iter_mut().zip(known).for_each(|(x, y)| *x = &*x - &factor * y);
            }
        }
        match row.iter().position(|x| !x.is_zero()) {
            None => None,
            Some(p) if p == rhs => Some(query - &row[rhs]),
            Some(_) => {
                self.known.push(row);
                None
            }
        }
    }

    fn advance(&mut self, answers: &[Rational], constants: &[Rational]) {
        let mut next: Rows = self.plant.a.iter().map(|row| self.combined(row)).collect();
        for (row, b) in next.iter_mut().zip(&self.plant.b) {
            let last = row.len() - 1;
            row[last] = &row[last] + driven(b, answers, constants);
        }
        self.state = next;
    }
}
