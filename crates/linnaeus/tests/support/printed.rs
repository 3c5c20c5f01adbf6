//! A start as it is printed: its lines are read again, and both texts are run as written from the values that they
//! give to names and indexes. Knows nothing of what the engine calls a state.

use super::certify::{Case, Point, Square};
use super::random::Random;
use super::simulate::{Atom, Experiment, Form, Line, P, eliminate, inverse, negative, plus, served, times};
use linnaeus::relation::Witness;
use linnaeus::relation::behavior::Side;
use linnaeus::report::Compare;
use linnaeus::transfer::Analysis;
use linnaeus_algebra::RationalFunction;
use std::collections::BTreeMap;

/// How many iterations are compared.
const STEPS: i64 = 8;

/// What has a value at an index: an iterate by its name, the answers of a channel without one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Vector {
    Iterate(String),
    Answer(usize),
}

type Dated = (Vector, i64);

/// Σ coefficient · vector of a side.
type Combination = BTreeMap<(Party, Dated), u64>;

/// A or B.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Party {
    A,
    B,
}

enum Value {
    Number(u64),
    Vector(Combination),
}

/// Whether B makes the calls of A from the printed start; nothing where the start cannot be tried in numbers.
pub fn start(a: &Case, b: &Case, witness: &Witness, report: &Compare, seed: u64) -> Option<Result<(), String>> {
    let branch = witness.branches.first()?;
    let plain = witness.repeat.is_none()
        && witness.assumptions.is_empty()
        && witness.images.is_empty()
        && branch.relations.is_empty()
        && witness.filters.iter().all(RationalFunction::is_one)
        && report.no_state_map.is_none()
        && report.required.is_empty();
    let bare = |analysis: &Analysis| analysis.system.constants.is_empty() && analysis.system.schedules.is_empty();
    if !plain || ![a, b].iter().all(|case| bare(&case.analysis)) {
        return None;
    }
    let point = Point { witness, branch, seed };
    let [ours, theirs] =
        [(a, Side::First), (b, Side::Second)].map(|(case, side)| point.experiment(&case.analysis, side));
    let mut first = Run::new(a, ours?, seed)?;
    let mut second = Run::new(b, theirs?, seed + 1)?;
    let most = witness.shift.iter().copied().max().unwrap_or(0);
    let mut random = Random::new(seed, "answers", 0);
    let mut log = Vec::new();
    for _ in 0..STEPS + most {
        let answers: BTreeMap<usize, u64> = witness.channel_map.iter().map(|(i, _)| (*i, random.next() % P)).collect();
        log.push((first.step(&answers)?, answers));
    }
    let names = Names { a, b, point: &point };
    let mut equations = Vec::new();
    for line in &report.initialization {
        match names.equation(line) {
            Some(Ok(equation)) => equations.push(equation),
            Some(Err(problem)) => return Some(Err(problem)),
            None => return None,
        }
    }
    second.place(&equations, &mut first)?;
    for k in 0..STEPS {
        let (mut answers, mut expected) = (BTreeMap::new(), Vec::new());
        for (n, (i, j)) in witness.channel_map.iter().enumerate() {
            let (queries, given) = &log[(k + witness.shift[n]) as usize];
            let m = &witness.matrices[n];
            let at = |r: usize, c: usize| point.value(&m[(r, c)], 0);
            let back = inverted([[at(0, 0)?, at(0, 1)?], [at(1, 0)?, at(1, 1)?]]);
            let of = |row: usize| plus(times(back[row][0], queries[*i]), times(back[row][1], given[i]));
            answers.insert(*j, of(1));
            expected.push((*j, of(0)));
        }
        let queries = second.step(&answers)?;
        if let Some((j, _)) = expected.iter().find(|(j, wanted)| queries[*j] != *wanted) {
            return Some(Err(format!("from {:?} B's call {j} of iteration {k} differs", report.initialization)));
        }
    }
    Some(Ok(()))
}

fn inverted(m: Square) -> Square {
    let over = inverse(plus(times(m[0][0], m[1][1]), negative(times(m[0][1], m[1][0]))));
    let by = |x: u64| times(over, x);
    [[by(m[1][1]), by(negative(m[0][1]))], [by(negative(m[1][0])), by(m[0][0])]]
}

/// A text that is run, what has no value yet being random.
struct Run<'a> {
    analysis: &'a Analysis,
    lines: Vec<Line>,
    queries: BTreeMap<usize, (usize, Form)>,
    served: Vec<(usize, usize)>,
    values: BTreeMap<Dated, u64>,
    seed: u64,
    now: i64,
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, experiment: Experiment, seed: u64) -> Option<Run<'a>> {
        let analysis = &case.analysis;
        let (lines, queries) = experiment.equations(&case.text, analysis)?;
        let served = served(&analysis.system, analysis);
        Some(Run { analysis, lines, queries, served, values: BTreeMap::new(), seed, now: 0 })
    }

    /// The value, which is chosen if there is none.
    fn value(&mut self, dated: &Dated) -> u64 {
        let new = || Random::new(self.seed, &format!("{:?}", dated.0), dated.1 as u64).next() % P;
        *self.values.entry(dated.clone()).or_insert_with(new)
    }

    /// All that the text calls the answer of a channel in an iteration.
    fn called(&self, channel: usize, iteration: i64) -> Vec<Dated> {
        let own = &self.analysis.channels[channel];
        let line = |call: usize| &self.lines[self.queries[&call].0];
        let mut found = vec![(Vector::Answer(channel), iteration + line(own.call).moved)];
        for &(call, delay) in &own.calls {
            let line = line(call);
            let plain = Form::from([(Atom::Iterate(line.name.clone(), line.at), 1), (Atom::Call(call), negative(1))]);
            if line.form == plain {
                let index = iteration + delay as i64 + line.moved + line.at;
                found.push((Vector::Iterate(line.name.clone()), index));
            }
        }
        found
    }

    /// The answer of a channel in an iteration of the past: of what it is called that which has a value.
    fn past(&mut self, channel: usize, iteration: i64) -> u64 {
        let all = self.called(channel, iteration);
        let known = all.iter().find(|dated| self.values.contains_key(dated)).unwrap_or(&all[0]).clone();
        self.value(&known)
    }

    /// What an atom in a line that is moved so far comes to, or the line whose iterate is still unknown.
    fn known(&mut self, atom: &Atom, moved: i64, answers: &BTreeMap<usize, u64>) -> Option<Result<u64, usize>> {
        Some(match atom {
            Atom::Iterate(name, at) => {
                let line = self.lines.iter().position(|l| l.name == *name)?;
                let (index, newest) = (at + moved, self.lines[line].at + self.lines[line].moved);
                match index.cmp(&newest) {
                    std::cmp::Ordering::Less => Ok(self.value(&(Vector::Iterate(name.clone()), self.now + index))),
                    std::cmp::Ordering::Equal => Err(line),
                    std::cmp::Ordering::Greater => return None,
                }
            }
            Atom::Call(call) => match self.served[*call] {
                (channel, 0) => Ok(*answers.get(&channel)?),
                (channel, age) => Ok(self.past(channel, self.now - age as i64)),
            },
            Atom::Constant(_) => return None,
        })
    }

    /// One iteration: the queries of all channels.
    fn step(&mut self, answers: &BTreeMap<usize, u64>) -> Option<Vec<u64>> {
        let n = self.lines.len();
        let mut rows = vec![vec![0; n + 1]; n];
        for (i, row) in rows.iter_mut().enumerate() {
            let moved = self.lines[i].moved;
            for (atom, c) in self.lines[i].form.clone() {
                match self.known(&atom, moved, answers)? {
                    Ok(value) => row[n] = plus(row[n], negative(times(c, value))),
                    Err(unknown) => row[unknown] = plus(row[unknown], c),
                }
            }
        }
        let solved = eliminate(rows)?;
        let mut queries = Vec::new();
        for channel in &self.analysis.channels {
            let (line, form) = self.queries[&channel.call].clone();
            let mut sum = 0;
            for (atom, c) in form {
                let value = self.known(&atom, self.lines[line].moved, answers)?.unwrap_or_else(|i| solved[i][0]);
                sum = plus(sum, times(c, value));
            }
            queries.push(sum);
        }
        for (line, value) in self.lines.iter().zip(&solved) {
            self.values.insert((Vector::Iterate(line.name.clone()), self.now + line.at + line.moved), value[0]);
        }
        for (channel, answer) in answers {
            for dated in self.called(*channel, self.now) {
                self.values.insert(dated, *answer);
            }
        }
        self.now += 1;
        Some(queries)
    }

    /// Starts where the equations say, what they leave open being random.
    fn place(&mut self, equations: &[Combination], first: &mut Run) -> Option<()> {
        let mut rows: Vec<(BTreeMap<Dated, u64>, u64)> = Vec::new();
        for equation in equations {
            let (mut left, mut right) = (BTreeMap::new(), 0);
            for ((side, dated), c) in equation {
                match side {
                    Party::A => right = plus(right, negative(times(*c, first.value(dated)))),
                    Party::B => drop(left.insert(dated.clone(), *c)),
                }
            }
            for (known, value) in &rows {
                let (pivot, lead) = known.iter().next()?;
                let factor = times(left.get(pivot).copied().unwrap_or(0), inverse(*lead));
                for (dated, c) in known {
                    let entry = left.entry(dated.clone()).or_insert(0);
                    *entry = plus(*entry, negative(times(factor, *c)));
                }
                right = plus(right, negative(times(factor, *value)));
            }
            left.retain(|_, c| *c != 0);
            if left.is_empty() {
                // What A is free in is asked of A alone, which is told apart.
                return None;
            }
            rows.push((left, right));
        }
        for (left, right) in rows.iter().rev() {
            let (pivot, lead) = left.iter().next()?;
            let rest =
                left.iter().skip(1).fold(*right, |sum, (dated, c)| plus(sum, negative(times(*c, self.value(dated)))));
            let value = times(rest, inverse(*lead));
            if self.values.insert(pivot.clone(), value).is_some_and(|old| old != value) {
                return None;
            }
        }
        Some(())
    }
}

/// Reads a printed line.
struct Names<'a> {
    a: &'a Case,
    b: &'a Case,
    point: &'a Point<'a>,
}

impl Names<'_> {
    /// An equation, as a combination that is zero; nothing where a formula holds what is no number here.
    fn equation(&self, line: &str) -> Option<Result<Combination, String>> {
        let (left, right) = line.split_once(" = ")?;
        let mut sum = Combination::new();
        for (text, sign) in [(left, 1), (right, negative(1))] {
            let mut reader = Reader { names: self, rest: text, problem: None };
            let value = reader.sum();
            if let Some(problem) = reader.problem {
                return Some(Err(problem));
            }
            match value? {
                _ if !reader.rest.trim().is_empty() => return Some(Err(format!("unread: {}", reader.rest))),
                Value::Number(0) => {}
                Value::Number(_) => return Some(Err(format!("a number: {line}"))),
                Value::Vector(all) => all.into_iter().for_each(|(v, c)| add(&mut sum, v, times(c, sign))),
            }
        }
        Some(Ok(sum))
    }

    /// Whose vector is called so.
    fn vector(&self, name: &str) -> Result<(Party, Vector), String> {
        let has = |case: &Case, name: &str| case.analysis.system.signals.iter().any(|s| s.name == name);
        let own = || Vector::Iterate(name.to_string());
        let mut found = Vec::new();
        if has(self.a, name) {
            found.push((Party::A, own()));
        } else if has(self.b, name) {
            found.push((Party::B, own()));
        }
        if let Some(stem) =
            name.trim_end_matches('B').strip_suffix('_').filter(|stem| has(self.a, stem) && has(self.b, stem))
        {
            found.push((Party::B, Vector::Iterate(stem.to_string())));
        }
        let (plain, side) = name.strip_suffix("_B").map_or((name, Party::A), |plain| (plain, Party::B));
        let number: Option<usize> =
            ["oracle_answer", "answer", "u", "v", "r"].iter().find_map(|stem| plain.strip_prefix(stem)?.parse().ok());
        if let (Some(n), true) = (number, found.is_empty()) {
            found.push((side, Vector::Answer(n - 1)));
        }
        match &found[..] {
            [one] => Ok(one.clone()),
            _ => Err(format!("`{name}` may be any of {found:?}")),
        }
    }

    /// The number that a parameter or an operator is; B's own are marked where A has one of that name.
    fn number(&self, name: &str) -> Option<u64> {
        let of = |case: &Case, side: Side, name: &str| {
            let system = &case.analysis.system;
            let is = system.parameters.iter().chain(system.operators.iter().map(|o| &o.name)).any(|n| n == name);
            is.then(|| self.point.experiment(&case.analysis, side).map(|e| e.named(name)))?
        };
        let second = || of(self.b, Side::Second, name).or_else(|| of(self.b, Side::Second, name.strip_suffix("_B")?));
        of(self.a, Side::First, name).or_else(second)
    }
}

/// A recursive descent over a printed formula.
struct Reader<'a> {
    names: &'a Names<'a>,
    rest: &'a str,
    problem: Option<String>,
}

impl Reader<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(token);
        self.rest = found.unwrap_or(rest);
        found.is_some()
    }

    fn sum(&mut self) -> Option<Value> {
        let mut sum = if self.takes("-") { scaled(self.product()?, negative(1)) } else { self.product()? };
        loop {
            let sign = if self.takes("+") {
                1
            } else if self.takes("-") {
                negative(1)
            } else {
                return Some(sum);
            };
            sum = match (sum, scaled(self.product()?, sign)) {
                (Value::Number(x), Value::Number(y)) => Value::Number(plus(x, y)),
                (Value::Vector(mut x), Value::Vector(y)) => {
                    y.into_iter().for_each(|(v, c)| add(&mut x, v, c));
                    Value::Vector(x)
                }
                _ => return None,
            };
        }
    }

    fn product(&mut self) -> Option<Value> {
        let mut product = self.power()?;
        loop {
            if self.takes("*") {
                product = match (product, self.power()?) {
                    (Value::Number(x), other) | (other, Value::Number(x)) => scaled(other, x),
                    _ => return None,
                };
            } else if self.takes("/") {
                let Value::Number(x) = self.power()? else { return None };
                product = scaled(product, inverse(x));
            } else {
                return Some(product);
            }
        }
    }

    fn power(&mut self) -> Option<Value> {
        let base = self.atom()?;
        if !self.takes("**") {
            return Some(base);
        }
        let (Value::Number(x), Value::Number(n)) = (base, self.atom()?) else { return None };
        let power = |n: u64| (0..n).fold(1, |product, _| times(product, x));
        Some(Value::Number(if n > P / 2 { inverse(power(P - n)) } else { power(n) }))
    }

    fn atom(&mut self) -> Option<Value> {
        if self.takes("(") {
            let value = self.sum()?;
            return self.takes(")").then_some(value);
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if let Ok(n) = word.parse() {
            return Some(Value::Number(n));
        }
        if self.takes("[") {
            let (index, rest) = self.rest.split_once(']')?;
            self.rest = rest;
            return match (self.names.vector(word), index.parse()) {
                (Ok((side, vector)), Ok(index)) => Some(Value::Vector(BTreeMap::from([((side, (vector, index)), 1)]))),
                (Err(problem), _) => {
                    self.problem = Some(problem);
                    None
                }
                _ => None,
            };
        }
        if word == "adjoint" {
            return self.atom();
        }
        self.names.number(word).map(Value::Number)
    }
}

fn scaled(value: Value, by: u64) -> Value {
    match value {
        Value::Number(x) => Value::Number(times(x, by)),
        Value::Vector(all) => Value::Vector(all.into_iter().map(|(v, c)| (v, times(c, by))).collect()),
    }
}

fn add(sum: &mut Combination, v: (Party, Dated), c: u64) {
    let entry = sum.entry(v).or_insert(0);
    *entry = plus(*entry, c);
}
