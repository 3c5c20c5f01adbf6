//! The equations as written, run over a prime field. Shares the parser with the engine and nothing
//! that eliminates: every step is a dense system of numbers.

use super::random::Random;
use super::rewrite::target;
use linnaeus::source::{Source, Span};
use linnaeus::syntax::ast::{Elementary, Expression, Node, Operation};
use linnaeus::syntax::parse;
use linnaeus::system::{LinearSystem, Z, operator_symbol, parameter};
use linnaeus::transfer::{Analysis, Transfer};
use linnaeus_algebra::{Integer, Matrix, Polynomial, Rational, RationalFunction, Variable};
use std::collections::{BTreeMap, HashMap};

/// The prime 2⁶¹ − 1.
pub const P: u64 = (1 << 61) - 1;

/// How many iterations are run.
pub const STEPS: usize = 30;

/// Values over time, one list for each channel.
pub type Runs = Vec<Vec<u64>>;

/// One experiment: numbers for the parameters and operators, answers for the channels.
pub struct Experiment {
    seed: u64,
    /// Numbers for names; all others are random.
    values: BTreeMap<String, u64>,
}

/// Lines with the queries of the calls in them.
pub type Equations = (Vec<Line>, BTreeMap<usize, (usize, Form)>);

impl Experiment {
    /// The experiment with this seed.
    pub fn new(seed: u64) -> Self {
        Experiment { seed, values: BTreeMap::new() }
    }

    /// The same with these numbers for these names.
    pub fn with(seed: u64, values: BTreeMap<String, u64>) -> Self {
        Experiment { seed, values }
    }

    /// The number for a name.
    pub fn named(&self, name: &str) -> u64 {
        self.values.get(name).copied().unwrap_or_else(|| Random::new(self.seed, name, 0).next() % P)
    }

    fn variable(&self, system: &LinearSystem, v: Variable) -> u64 {
        let parameters = system.parameters.iter().enumerate().map(|(i, n)| (parameter(i), n));
        let operators = system.operators.iter().enumerate().map(|(i, o)| (operator_symbol(i), &o.name));
        let (_, name) = parameters.chain(operators).find(|(w, _)| *w == v).expect("a variable of the text");
        self.named(name)
    }

    /// What enters: the answers of the channels, then the constants.
    pub fn inputs(&self, analysis: &Analysis) -> Runs {
        let all = analysis.channels.len() + analysis.system.constants.len();
        let one = |i: usize| {
            let mut random = Random::new(self.seed, "answers", i as u64);
            (0..STEPS).map(|_| random.next() % P).collect()
        };
        (0..all).map(one).collect()
    }

    /// The queries of every call in the text, by the equations as written. None where a line is no
    /// plain definition of an iterate or holds a function of its own.
    pub fn as_written(&self, text: &str, analysis: &Analysis) -> Option<Runs> {
        let (lines, queries) = self.equations(text, analysis)?;
        run(&lines, &queries, &analysis.system, analysis, &self.inputs(analysis))
    }

    /// H at a number, a column for every channel and constant, by the equations as written: x[k+1]
    /// is z times x[k].
    pub fn response(&self, text: &str, analysis: &Analysis, z: u64) -> Option<Runs> {
        let (lines, queries) = self.equations(text, analysis)?;
        let place = |name: &str| lines.iter().position(|l| l.name == name).expect("every iterate has a line");
        let delay = |n: i64| if n < 0 { power(inverse(z), n.unsigned_abs()) } else { power(z, n.unsigned_abs()) };
        let served = served(&analysis.system, analysis);
        let (n, inputs) = (lines.len(), analysis.channels.len() + analysis.system.constants.len());
        let spread = |form: &Form, moved: i64, row: &mut Vec<u64>| {
            for (atom, c) in form {
                let (at, factor) = match atom {
                    Atom::Iterate(name, at) => (place(name), delay(at + moved)),
                    Atom::Call(call) => (n + served[*call].0, delay(-(served[*call].1 as i64))),
                    Atom::Constant(name) => {
                        let c = analysis.system.constants.iter().position(|c| c.name == *name);
                        (n + analysis.channels.len() + c.expect("a constant of the text"), 1)
                    }
                };
                row[at] = plus(row[at], times(*c, factor));
            }
        };
        let mut rows = Vec::new();
        for line in &lines {
            let mut row = vec![0; n + inputs];
            spread(&line.form, line.moved, &mut row);
            row[n..].iter_mut().for_each(|c| *c = negative(*c));
            rows.push(row);
        }
        let iterates = eliminate(rows)?;
        let query = |c: &linnaeus::transfer::Channel| {
            let (line, form) = &queries[&c.call];
            let mut row = vec![0; n + inputs];
            spread(form, lines[*line].moved, &mut row);
            let through = |j: usize| (0..n).fold(row[n + j], |sum, i| plus(sum, times(row[i], iterates[i][j])));
            (0..inputs).map(through).collect()
        };
        Some(analysis.channels.iter().map(query).collect())
    }

    /// H at a number by the realization, where operators commute.
    pub fn response_of_realization(&self, analysis: &Analysis, z: u64) -> Option<Runs> {
        let Transfer::Commuting { realization: r, .. } = &analysis.transfer else {
            return None;
        };
        let number = |m: &Matrix<RationalFunction>| m.map(|e| self.constant_value(&analysis.system, e));
        let (a, b, c, d) = (number(&r.a), number(&r.b), number(&r.c), number(&r.d));
        let n = a.rows();
        let row = |i: usize| {
            let left = (0..n).map(|j| plus(if i == j { z } else { 0 }, negative(a[(i, j)])));
            left.chain((0..b.cols()).map(|j| b[(i, j)])).collect()
        };
        let states = eliminate((0..n).map(row).collect())?;
        let entry = |i: usize, j: usize| (0..n).fold(d[(i, j)], |sum, s| plus(sum, times(c[(i, s)], states[s][j])));
        Some((0..d.rows()).map(|i| (0..d.cols()).map(|j| entry(i, j)).collect()).collect())
    }

    pub fn equations(&self, text: &str, analysis: &Analysis) -> Option<Equations> {
        let (algorithm, _) = parse(&Source::new(text));
        let system = &analysis.system;
        let calls: HashMap<Span, usize> = system.calls.iter().enumerate().map(|(i, c)| (c.span, i)).collect();
        let constants = system.constants.iter().map(|c| c.name.clone()).collect();
        let mut reader = Reader { experiment: self, constants, calls, queries: BTreeMap::new(), line: 0 };
        let mut lines = Vec::new();
        for (i, s) in algorithm.statements.iter().enumerate() {
            let (name, at) = target(s)?;
            reader.line = i;
            let Value::Vector(value) = reader.read(&s.value)? else {
                return None;
            };
            let mut form = value;
            form.values_mut().for_each(|c| *c = negative(*c));
            add(&mut form, &Form::from([(Atom::Iterate(name.clone(), at / 2), 1)]), 1);
            lines.push(Line { name, at: at / 2, form, moved: 0 });
        }
        move_lines(&mut lines, &reader.queries)?;
        Some((lines, reader.queries))
    }

    /// The queries of the channels by the realization.
    pub fn by_realization(&self, analysis: &Analysis) -> Option<Runs> {
        let Transfer::Commuting { realization: r, .. } = &analysis.transfer else {
            return None;
        };
        let number = |m: &Matrix<RationalFunction>| m.map(|e| self.constant_value(&analysis.system, e));
        let (a, b, c, d) = (number(&r.a), number(&r.b), number(&r.c), number(&r.d));
        let inputs = self.inputs(analysis);
        let mut state = vec![0; a.rows()];
        let mut queries = vec![Vec::new(); c.rows()];
        for k in 0..STEPS {
            let u: Vec<u64> = inputs.iter().map(|run| run[k]).collect();
            let times = |left: &Matrix<u64>, right: &Matrix<u64>, i: usize, state: &[u64]| {
                let both = left.row(i).iter().zip(state).chain(right.row(i).iter().zip(&u));
                both.fold(0, |sum, (c, v)| plus(sum, times(*c, *v)))
            };
            for (i, run) in queries.iter_mut().enumerate() {
                run.push(times(&c, &d, i, &state));
            }
            state = (0..a.rows()).map(|i| times(&a, &b, i, &state)).collect();
        }
        Some(queries)
    }

    /// The queries of the channels by the power series of H in 1/z.
    pub fn by_transfer(&self, analysis: &Analysis) -> Option<Runs> {
        let Transfer::Commuting { h, .. } = &analysis.transfer else {
            return None;
        };
        let inputs = self.inputs(analysis);
        let mut queries = vec![vec![0; STEPS]; h.rows()];
        for (i, run) in queries.iter_mut().enumerate() {
            for (j, input) in inputs.iter().enumerate() {
                let series = self.series(&analysis.system, &h[(i, j)]);
                for k in 0..STEPS {
                    run[k] = (0..=k).fold(run[k], |sum, m| plus(sum, times(series[m], input[k - m])));
                }
            }
        }
        Some(queries)
    }

    fn constant_value(&self, system: &LinearSystem, f: &RationalFunction) -> u64 {
        times(self.value(system, f.numerator()), inverse(self.value(system, f.denominator())))
    }

    fn value(&self, system: &LinearSystem, f: &Polynomial) -> u64 {
        f.terms().fold(0, |sum, (monomial, c)| {
            let powers = monomial.iter().map(|&(v, n)| power(self.variable(system, v), u64::from(n)));
            plus(sum, powers.fold(residue(c), times))
        })
    }

    /// The coefficients of 1, 1/z, 1/z², ….
    fn series(&self, system: &LinearSystem, f: &RationalFunction) -> Vec<u64> {
        let falling =
            |p: &Polynomial| -> Vec<u64> { p.coefficients_in(Z).iter().rev().map(|c| self.value(system, c)).collect() };
        let (above, below) = (falling(f.numerator()), falling(f.denominator()));
        if f.is_zero() {
            return vec![0; STEPS];
        }
        assert!(above.len() <= below.len(), "an answer before its question");
        let delay = below.len() - above.len();
        let lead = inverse(below[0]);
        let mut series: Vec<u64> = Vec::new();
        for m in 0..STEPS {
            let mut c = m.checked_sub(delay).and_then(|i| above.get(i).copied()).unwrap_or(0);
            for i in 1..below.len().min(m + 1) {
                c = plus(c, negative(times(below[i], series[m - i])));
            }
            series.push(times(c, lead));
        }
        series
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    Iterate(String, i64),
    Call(usize),
    Constant(String),
}

pub type Form = BTreeMap<Atom, u64>;

enum Value {
    Scalar(u64),
    Vector(Form),
}

/// One line, target − value, and how far it is moved in time.
pub struct Line {
    pub name: String,
    pub at: i64,
    pub form: Form,
    pub moved: i64,
}

struct Reader<'a> {
    experiment: &'a Experiment,
    constants: Vec<String>,
    calls: HashMap<Span, usize>,
    /// The line of every call, and its argument.
    queries: BTreeMap<usize, (usize, Form)>,
    line: usize,
}

impl Reader<'_> {
    fn read(&mut self, e: &Expression) -> Option<Value> {
        use Value::*;
        Some(match &e.node {
            Node::Number(n) => Scalar(fraction(n)),
            Node::Identity => Scalar(1),
            Node::Name(n) if self.is_constant(n) => Vector(Form::from([(Atom::Constant(n.clone()), 1)])),
            Node::Name(n) => Scalar(self.experiment.named(n)),
            Node::Indexed(n, i) if i.halves % 2 == 0 && !i.letter.is_empty() => {
                Vector(Form::from([(Atom::Iterate(n.clone(), i.halves / 2), 1)]))
            }
            Node::Minus(a) => scaled(self.read(a)?, P - 1),
            Node::Adjoint(a) | Node::Elementary(Elementary::Adjoint, a) => self.read(a)?,
            Node::Elementary(Elementary::Inverse, a) => Scalar(inverse(self.scalar(a)?)),
            Node::Power(a, b) => {
                let Node::Number(n) = &b.node else {
                    return None;
                };
                Scalar(power(self.scalar(a)?, u64::try_from(n.numerator().clone()).ok().filter(|_| n.is_int())?))
            }
            Node::Binary(Operation::Divide, a, b) => {
                let below = inverse(self.scalar(b)?);
                scaled(self.read(a)?, below)
            }
            Node::Binary(Operation::Multiply, a, b) => match (self.read(a)?, self.read(b)?) {
                (Scalar(x), other) | (other, Scalar(x)) => scaled(other, x),
                _ => return None,
            },
            Node::Binary(op, a, b) => {
                let sign = if *op == Operation::Add { 1 } else { P - 1 };
                match (self.read(a)?, self.read(b)?) {
                    (Scalar(x), Scalar(y)) => Scalar(plus(x, times(sign, y))),
                    (Vector(mut x), Vector(y)) => {
                        add(&mut x, &y, sign);
                        Vector(x)
                    }
                    (Vector(x), Scalar(0)) => Vector(x),
                    _ => return None,
                }
            }
            Node::Call(call) => self.call(e.span, &call.argument)?,
            Node::Apply(name, _, a, _) => match self.calls.contains_key(&e.span) {
                true => self.call(e.span, a)?,
                false => scaled(self.read(a)?, self.experiment.named(name)),
            },
            _ => return None,
        })
    }

    fn scalar(&mut self, e: &Expression) -> Option<u64> {
        match self.read(e)? {
            Value::Scalar(x) => Some(x),
            Value::Vector(_) => None,
        }
    }

    fn call(&mut self, span: Span, argument: &Expression) -> Option<Value> {
        let call = *self.calls.get(&span)?;
        let Value::Vector(form) = self.read(argument)? else {
            return None;
        };
        self.queries.insert(call, (self.line, form));
        Some(Value::Vector(Form::from([(Atom::Call(call), 1)])))
    }

    fn is_constant(&self, name: &str) -> bool {
        self.constants.iter().any(|c| c == name)
    }
}

/// Moves lines later until nothing is read before it is computed.
fn move_lines(lines: &mut [Line], queries: &BTreeMap<usize, (usize, Form)>) -> Option<()> {
    for _ in 0..1000 {
        let mut changed = false;
        for i in 0..lines.len() {
            let asked = queries.values().filter(|(line, _)| *line == i).flat_map(|(_, form)| form.keys());
            let read: Vec<(String, i64)> = lines[i].form.keys().chain(asked).filter_map(iterate).collect();
            for (name, at) in read {
                let from = lines[i].moved + at;
                let line = lines.iter_mut().find(|l| l.name == name)?;
                if from > line.at + line.moved {
                    line.moved = from - line.at;
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(());
        }
    }
    None
}

fn iterate(atom: &Atom) -> Option<(String, i64)> {
    match atom {
        Atom::Iterate(name, at) => Some((name.clone(), *at)),
        _ => None,
    }
}

/// The channel that serves each call, and how many iterations ago it was asked.
pub fn served(system: &LinearSystem, analysis: &Analysis) -> Vec<(usize, usize)> {
    let mut served = vec![(0, 0); system.calls.len()];
    for (channel, c) in analysis.channels.iter().enumerate() {
        for &(call, age) in &c.calls {
            served[call] = (channel, age);
        }
    }
    served
}

fn run(
    lines: &[Line],
    queries: &BTreeMap<usize, (usize, Form)>,
    system: &LinearSystem,
    analysis: &Analysis,
    inputs: &Runs,
) -> Option<Runs> {
    let served = served(system, analysis);
    let place = |name: &str| lines.iter().position(|l| l.name == name).expect("every iterate has a line");
    let mut past: Runs = vec![Vec::new(); lines.len()];
    let mut asked: Runs = vec![Vec::new(); system.calls.len()];
    for k in 0..STEPS {
        // What an atom is worth in a line that is moved; an iterate of this very step is still unknown.
        let known = |atom: &Atom, moved: i64, past: &Runs| -> Result<u64, usize> {
            match atom {
                Atom::Iterate(name, at) => {
                    let i = place(name);
                    match k as i64 + at + moved - lines[i].at - lines[i].moved {
                        step if step < 0 => Ok(0),
                        step => past[i].get(step as usize).copied().ok_or(i),
                    }
                }
                Atom::Call(c) => {
                    let (channel, age) = served[*c];
                    Ok(k.checked_sub(age).map_or(0, |then| inputs[channel][then]))
                }
                Atom::Constant(name) => {
                    let c = system.constants.iter().position(|c| c.name == *name).expect("a constant of the text");
                    Ok(inputs[analysis.channels.len() + c][k])
                }
            }
        };
        let mut rows = vec![vec![0; lines.len() + 1]; lines.len()];
        for (line, row) in lines.iter().zip(&mut rows) {
            for (atom, c) in &line.form {
                match known(atom, line.moved, &past) {
                    Ok(value) => row[lines.len()] = plus(row[lines.len()], negative(times(*c, value))),
                    Err(unknown) => row[unknown] = plus(row[unknown], *c),
                }
            }
        }
        let present = solve(rows)?;
        past.iter_mut().zip(present).for_each(|(run, value)| run.push(value));
        for (call, (line, form)) in queries {
            let sum = form.iter().fold(0, |sum, (atom, c)| {
                plus(sum, times(*c, known(atom, lines[*line].moved, &past).expect("everything is known now")))
            });
            asked[*call].push(sum);
        }
    }
    Some(asked)
}

fn solve(rows: Vec<Vec<u64>>) -> Option<Vec<u64>> {
    Some(eliminate(rows)?.into_iter().map(|row| row[0]).collect())
}

/// Gauss and Jordan's elimination; the columns after the square part are right-hand sides.
pub fn eliminate(mut rows: Vec<Vec<u64>>) -> Option<Runs> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&i| rows[i][column] != 0)?;
        rows.swap(column, pivot);
        let scale = inverse(rows[column][column]);
        rows[column].iter_mut().for_each(|c| *c = times(*c, scale));
        for i in (0..n).filter(|&i| i != column) {
            let factor = negative(rows[i][column]);
            let lead = rows[column].clone();
            rows[i].iter_mut().zip(lead).for_each(|(c, l)| *c = plus(*c, times(factor, l)));
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

fn scaled(value: Value, by: u64) -> Value {
    match value {
        Value::Scalar(x) => Value::Scalar(times(x, by)),
        Value::Vector(mut form) => {
            form.values_mut().for_each(|c| *c = times(*c, by));
            form.retain(|_, c| *c != 0);
            Value::Vector(form)
        }
    }
}

fn add(to: &mut Form, form: &Form, by: u64) {
    for (atom, c) in form {
        let sum = to.entry(atom.clone()).or_default();
        *sum = plus(*sum, times(*c, by));
    }
    to.retain(|_, c| *c != 0);
}

pub fn plus(a: u64, b: u64) -> u64 {
    (a + b) % P
}

pub fn negative(a: u64) -> u64 {
    (P - a) % P
}

pub fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(P)) as u64
}

pub fn power(a: u64, n: u64) -> u64 {
    let half = if n < 2 { 1 } else { power(times(a, a), n / 2) };
    if n.is_multiple_of(2) { half } else { times(half, a) }
}

pub fn inverse(a: u64) -> u64 {
    assert_ne!(a, 0, "an unlucky experiment");
    power(a, P - 2)
}

pub fn residue(n: &Integer) -> u64 {
    let digits = n.to_string();
    let value = digits.bytes().filter(u8::is_ascii_digit).fold(0, |sum, d| plus(times(sum, 10), u64::from(d - b'0')));
    if digits.starts_with('-') { negative(value) } else { value }
}

pub fn fraction(n: &Rational) -> u64 {
    times(residue(n.numerator()), inverse(residue(&Integer::from(n.denominator().clone()))))
}
