//! Small numbers for everything that is named: parameters, operators as matrices, sequences by their
//! rules.

use super::super::behavior::Side;
use super::super::matching::Matching;
use super::super::sample::STARTS;
use super::super::verdict::{Nearest, NoRun};
use super::super::words::matching;
use crate::operator::{Letter, OperatorPolynomial};
use crate::prime_field::Stream;
use crate::system::schedule::{Motion, schedule, scheduled};
use crate::system::{LinearSystem, operator_symbol, parameter};
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::solve::{Value, rational_root};
use linnaeus_algebra::{Integer, Matrix, Rational, RationalFunction, SortedMap, Variable};
use std::cell::RefCell;

type M = Matrix<RationalFunction>;

/// How numbers are chosen.
#[derive(Copy, Clone, Debug)]
pub struct Choice {
    /// Other numbers for another seed.
    pub seed: u64,
    /// How many components vectors have.
    pub dimension: usize,
    /// The index of the first iteration.
    pub origin: i64,
    /// The prime modulo which all numbers are taken, where square roots are irrational.
    pub modulus: Option<u32>,
    /// What is chosen for what only the second has.
    pub others: Others,
}

/// Numbers for what only one of the two has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Others {
    /// The same in both as far as that goes: runs part as late as they can.
    Alike,
    /// Others.
    Apart,
}

impl Choice {
    /// A number as it is, or the least that is congruent to it; nothing if that does not exist.
    pub fn reduced(&self, x: Rational) -> Result<Rational, NoRun> {
        let Some(p) = self.modulus.map(|p| Integer::from(i64::from(p))) else { return Ok(x) };
        let residue = |n: Integer| -> Integer { ((n % &p) + &p) % &p };
        let (above, below) = (residue(x.numerator().clone()), residue(Integer::from(x.denominator().clone())));
        let mut inverse = Integer::ONE;
        // 1/x = x^(p-2).
        if below.is_zero() {
            return Err(NoRun::Numbers);
        }
        for bit in (0..32).rev().map(|i| (self.modulus.unwrap_or(2) - 2) >> i & 1) {
            inverse = residue(&inverse * &inverse);
            if bit == 1 {
                inverse = residue(&inverse * &below);
            }
        }
        Ok(Rational::from(residue(above * inverse)))
    }

    /// A square root.
    fn root(&self, x: &Rational) -> Result<Rational, NoRun> {
        match self.modulus {
            None => rational_root(x).ok_or(NoRun::Roots),
            Some(p) => {
                let is_root = |y: &u32| Rational::from(u64::from(*y) * u64::from(*y) % u64::from(p)) == *x;
                (1..=p / 2).find(is_root).map(Rational::from).ok_or(NoRun::Roots)
            }
        }
    }
}

/// Numbers for all that a comparison names.
pub struct Point {
    /// Parameters, and operators that are numbers.
    pub values: SortedMap<Variable, Rational>,
    /// Operators that are matrices.
    pub operators: SortedMap<Variable, M>,
    choice: Choice,
    sequences: Option<Sequences>,
}

/// Sequences of numbers, computed where they are needed.
struct Sequences {
    matching: Matching,
    /// For every sequence what it does, in the symbols of the comparison: the text that says more counts.
    motions: Vec<Motion>,
    /// For every sequence the one with whose numbers it begins.
    like: Vec<usize>,
    /// The first time that is spoken of.
    earliest: i64,
    known: RefCell<SortedMap<(usize, i64), Rational>>,
}

/// At most so many values before one that leads back to itself.
const DEPTH: usize = 200;

impl Point {
    /// Small numbers, and what the nearest parameters make of them. What is left open is the same
    /// under the same name.
    pub fn new(first: &Analysis, second: &Analysis, nearest: &Nearest, choice: Choice) -> Result<Point, NoRun> {
        let mut values: SortedMap<Variable, Rational> = SortedMap::new();
        let mut named: SortedMap<&str, Rational> = SortedMap::new();
        let mut count = choice.seed as usize;
        let is_shared = |name: &str| symbols(&second.system).any(|(_, n)| n == name);
        let own: Vec<&str> = symbols(&first.system).map(|(_, name)| name).filter(|name| !is_shared(name)).collect();
        let mut alike = own.into_iter().filter(|_| choice.others == Others::Alike);
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            for (v, name) in symbols(system) {
                let twin = if side == Side::Second && !named.contains_key(name) { alike.next() } else { None };
                let twin = twin.and_then(|twin| named.get(twin).cloned());
                let number = named.entry(name).or_insert_with(|| {
                    if let Some(number) = twin {
                        return number;
                    }
                    count += 1;
                    [2, 3, 5, 7, 4][(count - 1) % 5].into()
                });
                values.insert(side.place(v), number.clone());
            }
        }
        let sequences = Sequences::new(first, second, nearest, choice)?;
        let mut point = Point { values, operators: SortedMap::new(), choice, sequences };
        point.square(first, second);
        if let Some(branch) = &nearest.values {
            if !branch.relations.is_empty() {
                return Err(NoRun::Numbers);
            }
            for v in &branch.free {
                point.values.entry(*v).or_insert_with(|| 3.into());
            }
            for list in [&branch.conditions, &branch.values] {
                let mut fixed = Vec::new();
                for (v, value) in list {
                    let Value::Rational(r) = value else {
                        return Err(NoRun::Numbers);
                    };
                    fixed.push((*v, point.value(r, 0)?));
                }
                point.values.extend(fixed);
            }
        }
        point.is_true_of_functions(&first.system, Side::First)?;
        point.is_true_of_functions(&second.system, Side::Second)?;
        if is_commuting(first) && is_commuting(second) {
            for (v, value) in &nearest.operators {
                let value = point.value(value, 0)?;
                point.values.insert(*v, value);
            }
        } else {
            point.choose_operators(first, second, nearest)?;
        }
        Ok(point)
    }

    /// Parameters whose root is named are squares.
    fn square(&mut self, first: &Analysis, second: &Analysis) {
        for (system, side) in [(&first.system, Side::First), (&second.system, Side::Second)] {
            for (root, _, argument) in system.functions.iter().filter(|(_, name, _)| *name == "sqrt") {
                if let [v] = argument.variables()[..]
                    && *argument == RationalFunction::variable(v)
                {
                    let root = self.values[&side.place(*root)].clone();
                    self.values.insert(side.place(v), &root * &root);
                }
            }
        }
    }

    /// Whether the functions of parameters have the values that are named for them.
    fn is_true_of_functions(&self, system: &LinearSystem, side: Side) -> Result<(), NoRun> {
        for (symbol, name, argument) in &system.functions {
            if *name != "sqrt" {
                return Err(NoRun::Functions);
            }
            let argument = self.value(&argument.rename(&|v| side.place(v)), 0)?;
            let root = self.value(&RationalFunction::variable(side.place(*symbol)), 0)?;
            if root < Rational::ZERO || &root * &root != argument {
                return Err(NoRun::Roots);
            }
        }
        Ok(())
    }

    /// Matrices for the operators of one side, and what the reading makes of them for the other.
    fn choose_operators(&mut self, first: &Analysis, second: &Analysis, nearest: &Nearest) -> Result<(), NoRun> {
        let sides = [(&first.system, Side::First), (&second.system, Side::Second)];
        let image = |v: Variable| nearest.images.iter().find(|(w, _)| *w == v).map(|(_, image)| image);
        for (system, side) in sides {
            for (i, o) in system.operators.iter().enumerate() {
                let symbol = side.place(operator_symbol(i));
                if image(symbol).is_none() {
                    let symmetric = |j: usize| {
                        let p = &system.operators[j];
                        p.symmetric && (j == i || o.class != 0 && p.class == o.class)
                    };
                    let is_symmetric = (0..system.operators.len()).any(symmetric);
                    let chosen = self.matrix(i, o.class != 0, is_symmetric)?;
                    self.operators.insert(symbol, chosen);
                }
            }
        }
        for (system, side) in sides {
            let other = if side == Side::First { Side::Second } else { Side::First };
            for i in 0..system.operators.len() {
                let symbol = side.place(operator_symbol(i));
                if let Some(image) = image(symbol) {
                    let made = self.polynomial(other, image, 0)?;
                    self.operators.insert(symbol, made);
                }
            }
        }
        // Numbers where that is enough.
        if self.choice.dimension == 1 {
            for (v, m) in std::mem::take(&mut self.operators) {
                self.values.insert(v, m[(0, 0)].as_rational().ok_or(NoRun::Numbers)?);
            }
        } else {
            self.operators.keys().for_each(|v| drop(self.values.remove(v)));
        }
        Ok(())
    }

    /// A small matrix that has an inverse; those that commute are polynomials in one.
    fn matrix(&self, operator: usize, commutes: bool, symmetric: bool) -> Result<M, NoRun> {
        let n = self.choice.dimension;
        if n == 1 {
            let number = [2, 3, 5, 7, 4][(self.choice.seed as usize + operator) % 5];
            return Ok(Matrix::identity(1).scale(&RationalFunction::integer(number))?);
        }
        let mut stream = Stream::new(8 * self.choice.seed + if commutes { 0 } else { operator as u64 });
        let numbers: Vec<i64> = (0..n * n).map(|_| [1, 2, 0, -1, 3, -2][(stream.next() % 6) as usize]).collect();
        let entry = |i: usize, j: usize| {
            let (i, j) = if symmetric && j < i { (j, i) } else { (i, j) };
            RationalFunction::integer(numbers[n * i + j])
        };
        let mut m = Matrix::from_fn(n, n, entry);
        if commutes {
            m = m.add(&Matrix::identity(n).scale(&RationalFunction::integer(operator as i64))?)?;
        }
        while m.inverse()?.is_none() {
            m = m.add(&Matrix::identity(n))?;
        }
        Ok(m)
    }

    /// A polynomial in one side's operators, coefficients in the symbols of the comparison.
    pub fn polynomial(&self, side: Side, p: &OperatorPolynomial, time: i64) -> Result<M, NoRun> {
        let n = self.choice.dimension;
        let mut sum = Matrix::zero(n, n);
        for (word, c) in p.terms() {
            let c = RationalFunction::rational(&self.value(c, time)?);
            let mut m = Matrix::identity(n).scale(&c)?;
            for letter in word {
                m = m.mul(&self.letter(side, *letter)?)?;
            }
            sum = sum.add(&m)?;
        }
        Ok(sum)
    }

    fn letter(&self, side: Side, letter: Letter) -> Result<M, NoRun> {
        let symbol = side.place(operator_symbol(letter.operator as usize));
        let own = match (self.operators.get(&symbol), self.values.get(&symbol)) {
            (Some(m), _) => m.clone(),
            (None, Some(x)) => Matrix::from_fn(1, 1, |_, _| RationalFunction::rational(x)),
            (None, None) => return Err(NoRun::Numbers),
        };
        let own = if letter.inverse { own.inverse()?.ok_or(NoRun::Numbers)? } else { own };
        Ok(if letter.adjoint { own.transpose() } else { own })
    }

    /// A number of the run.
    pub fn reduced(&self, x: Rational) -> Result<Rational, NoRun> {
        self.choice.reduced(x)
    }

    /// A value in the symbols of the comparison in an iteration.
    pub fn value(&self, r: &RationalFunction, iteration: i64) -> Result<Rational, NoRun> {
        self.value_at(r, iteration + self.choice.origin, 0)
    }

    fn value_at(&self, r: &RationalFunction, time: i64, depth: usize) -> Result<Rational, NoRun> {
        let mut known = SortedMap::new();
        for v in r.variables() {
            let value = match (scheduled(v), &self.sequences) {
                (Some((j, offset)), Some(s)) => self.sequence(s, j, time + offset, depth + 1)?,
                _ => self.values.get(&v).cloned().ok_or(NoRun::Numbers)?,
            };
            known.insert(v, value);
        }
        let value = r.evaluate(&|v| known.get(&v).cloned())?.ok_or(NoRun::Numbers)?;
        self.reduced(value.as_rational().ok_or(NoRun::Numbers)?)
    }

    fn sequence(&self, s: &Sequences, j: usize, time: i64, depth: usize) -> Result<Rational, NoRun> {
        if depth > DEPTH {
            return Err(NoRun::Numbers);
        }
        if let Some(value) = s.known.borrow().get(&(j, time)) {
            return Ok(value.clone());
        }
        let number = |n: i64| Rational::from([2, 3, 5, 7, 4][(self.choice.seed as i64 + n).rem_euclid(5) as usize]);
        let value = match &s.motions[j] {
            Motion::Clock => time.into(),
            Motion::Free => number(2 * s.like[j] as i64 + time),
            Motion::Recursion(next) => {
                let early = |v: Variable| scheduled(v).is_some_and(|(_, o)| time - 1 + o < s.earliest);
                if next.variables().into_iter().any(early) {
                    let (above, below) = STARTS[(self.choice.seed as usize + s.like[j]) % STARTS.len()];
                    Rational::from(above) / Rational::from(below)
                } else {
                    self.value_at(next, time - 1, depth)?
                }
            }
            Motion::Function("sqrt", radicand) => self.choice.root(&self.value_at(radicand, time, depth)?)?,
            Motion::Function(..) => return Err(NoRun::Functions),
            Motion::Power(base) => {
                let base = RationalFunction::rational(&self.value_at(base, time, depth)?);
                let power = base.pow(i32::try_from(time).map_err(|_| NoRun::Numbers)?)?.ok_or(NoRun::Numbers)?;
                power.as_rational().ok_or(NoRun::Numbers)?
            }
        };
        let value = self.reduced(value)?;
        s.known.borrow_mut().insert((j, time), value.clone());
        Ok(value)
    }

    /// A symbol of one text in the comparison.
    pub fn placed(&self, side: Side, v: Variable) -> Variable {
        match (side, &self.sequences) {
            (Side::Second, Some(s)) => s.matching.variable(v),
            _ => side.place(v),
        }
    }

    /// All numbers that were used, sequences by their times.
    pub fn numbers(&self) -> SortedMap<Variable, Rational> {
        let mut found = self.values.clone();
        if let Some(s) = &self.sequences {
            let named = |j: &usize| matches!(s.motions[*j], Motion::Free | Motion::Recursion(_));
            let known = s.known.borrow();
            found.extend(known.iter().filter(|((j, _), _)| named(j)).map(|((j, t), x)| (schedule(*j, *t), x.clone())));
        }
        found
    }
}

impl Sequences {
    fn new(first: &Analysis, second: &Analysis, nearest: &Nearest, choice: Choice) -> Result<Option<Sequences>, NoRun> {
        if first.system.schedules.is_empty() && second.system.schedules.is_empty() {
            return Ok(None);
        }
        let matching = matching(first, second, &nearest.place).map_err(|_| NoRun::Numbers)?;
        let mut motions: Vec<Motion> = matching.joint.list.iter().map(|s| s.motion.clone()).collect();
        for (s, &at) in second.system.schedules.list.iter().zip(&matching.place) {
            if let (Motion::Free, Motion::Recursion(next)) = (&motions[at], &s.motion) {
                motions[at] = Motion::Recursion(matching.placed(next));
            }
        }
        let earliest = choice.origin - reach(first).max(reach(second));
        let like = like(first, &matching, choice.others);
        Ok(Some(Sequences { matching, motions, like, earliest, known: RefCell::default() }))
    }
}

/// For every sequence the one with whose numbers it begins: of those that only one of the two has, one of the same name
/// or of the same place in the other.
fn like(first: &Analysis, matching: &Matching, others: Others) -> Vec<usize> {
    let list = &matching.joint.list;
    let own = first.system.schedules.list.len();
    let is_named = |j: &usize| matches!(list[*j].motion, Motion::Free | Motion::Recursion(_));
    let ours: Vec<usize> = (0..own).filter(|j| is_named(j) && !matching.place.contains(j)).collect();
    let theirs: Vec<usize> = matching.place.iter().copied().filter(|j| *j >= own && is_named(j)).collect();
    let mut found: Vec<usize> = (0..list.len()).collect();
    if others == Others::Alike {
        for (n, &j) in theirs.iter().enumerate() {
            let namesake = ours.iter().find(|i| list[**i].name == list[j].name);
            found[j] = namesake.or(ours.get(n)).copied().unwrap_or(j);
        }
    }
    found
}

/// How far back the coefficients of a realization are read.
fn reach(analysis: &Analysis) -> i64 {
    let Transfer::Noncommuting { realization: r, .. } = &analysis.transfer else { return 0 };
    let entries = [&r.a, &r.b, &r.c, &r.d].into_iter().flat_map(|m| (0..m.rows()).flat_map(move |i| m.row(i)));
    let written = entries.flat_map(|e| e.terms().into_iter().map(|(_, c)| c.clone()));
    let steps = analysis.channels.iter().map(|c| c.oracle.step.clone());
    let offsets = written.chain(steps).flat_map(|c| c.variables()).filter_map(scheduled).map(|(_, o)| -o);
    offsets.max().unwrap_or(0).max(0)
}

/// Whether operators are symbols and nothing changes with the index.
pub fn is_commuting(analysis: &Analysis) -> bool {
    matches!(analysis.transfer, Transfer::Commuting { .. })
}

fn symbols(system: &LinearSystem) -> impl Iterator<Item = (Variable, &str)> {
    let parameters = system.parameters.iter().enumerate().map(|(i, name)| (parameter(i), name.as_str()));
    parameters.chain(system.operators.iter().enumerate().map(|(i, o)| (operator_symbol(i), o.name.as_str())))
}
