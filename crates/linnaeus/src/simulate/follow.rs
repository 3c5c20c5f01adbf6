//! The second algorithm of a related pair in the first's place: its parameters, functions, operators and start as
//! the witness has them.

use super::Iterates;
use super::assign::{Assignment, all_spaces, multiple};
use super::dense::{Dense, Vector, combine, distance};
use super::function::Function;
use super::numbers::{Numbers, evaluate};
use super::problem::Place;
use super::refusal::Refusal;
use super::run::{Answer, Call, Setting, matrix};
use crate::relation::behavior::{Side, owner};
use crate::relation::state_map::{States, leads, scaled_matrices};
use crate::relation::{Assumption, Witness};
use crate::source::Span;
use crate::system::{Space, operator_symbol, parameter};
use crate::transfer::graph::Special;
use crate::transfer::{Analysis, State, Transfer};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{Coefficient, SortedMap};
use linnaeus_algebra::{Matrix, RationalFunction, Variable};

/// Values of the symbols of a comparison.
pub type Point = SortedMap<Variable, f64>;

/// The functions of a side that the witness makes special.
pub fn special(witness: &Witness, side: Side, dimension: usize) -> SortedMap<String, (Function, &'static str)> {
    let function = |a: &Assumption| match a {
        Assumption::Function(s, name, Special::Zero) if *s == side => Some((name.clone(), (Function::Zero, "0"))),
        Assumption::Function(s, name, Special::IndicatorOfZero) if *s == side => {
            Some((name.clone(), (Function::Point(vec![0.0; dimension]), "the indicator of {0}")))
        }
        _ => None,
    };
    witness.assumptions.iter().filter_map(function).collect()
}

/// The operators of a side that are multiples of the identity.
pub fn identities(witness: &Witness, side: Side) -> Vec<usize> {
    let identity = |a: &Assumption| match a {
        Assumption::Identity(s, i, _) if *s == side => Some(*i),
        _ => None,
    };
    witness.assumptions.iter().filter_map(identity).collect()
}

/// Makes those constants of the first zero that must be, or that are made of the second's.
pub fn zero_constants(witness: &Witness, constants: &mut [Vector]) {
    let map = witness.constant_map();
    for (j, value) in constants.iter_mut().enumerate() {
        if map.given == Side::Second || !map.free.contains(&j) {
            value.iter_mut().for_each(|x| *x = 0.0);
        }
    }
}

/// The first's operators that the witness makes of the second's, where that are identities: multiples of the identity.
/// A mere renaming leaves them as they are.
pub fn made_operators(first: &Analysis, witness: &Witness, assignment: &mut Assignment) -> Result<(), Refusal> {
    for (v, image) in &witness.images {
        let (side, own) = owner(*v);
        let terms = image.terms();
        let renaming = matches!(&terms[..], [(word, _)] if word.len() == 1);
        let n =
            own.0.checked_sub(operator_symbol(0).0).map(|i| i as usize).filter(|_| side == Side::First && !renaming);
        let Some((n, m)) = n.and_then(|n| Some((n, assignment.setting.operators.get_mut(n)?))) else { continue };
        let total: f64 = terms.iter().map(|(_, c)| rational(c, &Point::new())).sum();
        if *m != Dense::scalar(m.cols, 1.0) || !total.is_finite() {
            let message = "A's operators are functions of B's";
            return Err(Refusal::text(Side::First, Span::default(), message).help("give B first"));
        }
        *m = Dense::scalar(m.cols, total);
        let name = &first.system.operators[n].name;
        if let Some(told) = assignment.told.iter_mut().find(|told| told.name == *name && told.role == "I") {
            told.formula = multiple(total);
        }
    }
    Ok(())
}

/// Parameters of either side that the witness determines by the others; what is arbitrary is 1 unless it has a value.
pub fn determine(witness: &Witness, point: &mut Point) {
    let Some(branch) = witness.branches.first() else { return };
    for v in &branch.free {
        point.entry(*v).or_insert(1.0);
    }
    for list in [&branch.conditions, &branch.values] {
        let values: Vec<(Variable, f64)> = list.iter().map(|(v, value)| (*v, at(value, point))).collect();
        point.extend(values);
    }
}

fn at(value: &Value, point: &Point) -> f64 {
    match value {
        Value::Rational(r) => rational(r, point),
        Value::Root { a, b, radicand } => {
            rational(a, point) + rational(b, point) * evaluate(radicand, &|v| symbol(v, point)).sqrt()
        }
    }
}

/// The value of a symbol; not a number where it has none.
pub fn symbol(v: Variable, point: &Point) -> f64 {
    point.get(&v).copied().unwrap_or(f64::NAN)
}

/// A value in the symbols of the comparison.
pub fn rational(r: &RationalFunction, point: &Point) -> f64 {
    let value = |v| symbol(v, point);
    evaluate(r.numerator(), &value) / evaluate(r.denominator(), &value)
}

/// The values of the second's own symbols.
pub fn own_values(second: &Analysis, point: &Point) -> SortedMap<Variable, f64> {
    let all = (0..second.system.parameters.len()).map(parameter);
    all.map(|v| (v, symbol(Side::Second.place(v), point))).collect()
}

/// A pair of algorithms in which the first has its place.
pub struct Pair<'a> {
    /// The first.
    pub first: &'a Analysis,
    /// The second.
    pub second: &'a Analysis,
    /// How they are related.
    pub witness: &'a Witness,
    /// The first's place.
    pub assignment: &'a Assignment,
    /// Values of all parameters.
    pub point: &'a Point,
}

impl Pair<'_> {
    /// What the second is applied to.
    pub fn setting(&self) -> Result<Setting, Refusal> {
        let missing = |message: String| {
            Refusal::text(Side::Second, Span::default(), message).help("give B first, or run each of them alone")
        };
        let (own, system) = (&self.assignment.setting, &self.second.system);
        let first_class = |s: Space| self.first.system.spaces.class(s);
        let class = |s: Space| system.spaces.class(s);
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let mut sizes: SortedMap<usize, usize> = SortedMap::new();
        for &(i, j) in &self.witness.channel_map {
            let a = &self.first.system.calls[self.first.channels[i % p].call];
            let b = &system.calls[self.second.channels[j % q].call];
            sizes.insert(class(b.input), own.sizes[&first_class(a.input)]);
            sizes.insert(class(b.output), own.sizes[&first_class(a.output)]);
        }
        let mut operators = Vec::new();
        for (i, o) in system.operators.iter().enumerate() {
            let found = self.operator(i, sizes.get(&class(o.domain)).copied());
            let found = found.ok_or_else(|| missing(format!("no matrix was found for B's operator `{}`", o.name)))?;
            sizes.entry(class(o.domain)).or_insert(found.cols);
            sizes.entry(class(o.codomain)).or_insert(found.rows.len());
            operators.push(found);
        }
        for space in all_spaces(self.second) {
            sizes.entry(class(space)).or_insert(self.assignment.dimension);
        }
        let size = |s: Space| sizes[&class(s)];
        let mut constants: Vec<Vector> = Vec::new();
        let map = self.witness.constant_map();
        for (i, c) in system.constants.iter().enumerate() {
            let mut sum = vec![0.0; size(c.space)];
            if map.given == Side::First {
                for (&j, factor) in map.free.iter().zip(&map.images[i]).filter(|(_, f)| !f.is_zero()) {
                    let class = first_class(self.first.system.constants[j].space);
                    let term = factor.as_scalar().and_then(|f| self.apply(&f, &own.constants[j], class, self.point));
                    let term = term.filter(|t| t.len() == sum.len());
                    let term =
                        term.ok_or_else(|| missing(format!("no value was found for B's constant `{}`", c.name)))?;
                    sum.iter_mut().zip(term).for_each(|(x, y)| *x += y);
                }
            }
            constants.push(sum);
        }
        let answers = (0..q).map(|j| self.answer(j)).collect::<Option<_>>();
        let answers = answers.ok_or_else(|| missing("a function of B has no counterpart in A".to_string()))?;
        Ok(Setting { sizes, operators, answers, constants })
    }

    /// What answers a channel of the second. Where an oracle of another kind is taken for the first's as it is, such as a
    /// black box for a prox, it is what answers the first.
    fn answer(&self, j: usize) -> Option<Answer> {
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let own = &self.second.channels[j].oracle;
        let paired = self.witness.channel_map.iter().position(|(_, c)| c % q == j);
        if let Some(n) = paired.filter(|&n| self.stands_for(n)) {
            let i = self.witness.channel_map[n].0 % p;
            let oracle = self.first.channels[i].oracle.clone();
            let step = rational(&oracle.step, self.point);
            return Some(Answer { oracle: Some((oracle, step)), ..self.assignment.setting.answers[i].clone() });
        }
        Some(Answer { function: self.function(&own.function)?, oracle: None })
    }

    /// The matrix of an operator of the second: as the witness makes it of the first's, or the identity.
    fn operator(&self, i: usize, size: Option<usize>) -> Option<Dense> {
        let own = &self.assignment.setting;
        let place = Side::Second.place(operator_symbol(i));
        let dimension = self.assignment.dimension;
        let Some((_, image)) = self.witness.images.iter().find(|(v, _)| *v == place) else {
            return Some(self.renamed(i).unwrap_or_else(|| Dense::scalar(size.unwrap_or(dimension), 1.0)));
        };
        let inverses: Vec<Option<Dense>> = own.operators.iter().map(Dense::inverse).collect();
        let value = |r: &RationalFunction| rational(r, self.point);
        let sizes = size.into_iter().chain(own.sizes.values().copied());
        sizes.into_iter().find_map(|n| matrix(image, n, &own.operators, &inverses, &value))
    }

    /// Whether a pair of oracles of different kinds is one oracle.
    fn stands_for(&self, n: usize) -> bool {
        let (i, j) = self.witness.channel_map[n];
        let first = &self.first.channels[i % self.first.channels.len()].oracle;
        let second = &self.second.channels[j % self.second.channels.len()].oracle;
        first.kind != second.kind && self.witness.matrices[n] == Matrix::identity(2)
    }

    /// An operator of the second that one of the first is a multiple of, or of its adjoint.
    fn renamed(&self, i: usize) -> Option<Dense> {
        self.witness.images.iter().find_map(|(v, image)| {
            let [(word, c)] = &image.terms()[..] else { return None };
            let [letter] = &word[..] else { return None };
            let (side, own) = owner(*v);
            let n = own.0.checked_sub(operator_symbol(0).0).filter(|_| side == Side::First)? as usize;
            if letter.operator as usize != i || letter.inverse {
                return None;
            }
            let m = &self.assignment.setting.operators[n];
            let c = rational(c, self.point);
            let scaled = Dense::from_fn(m.rows.len(), m.cols, |i, j| m.rows[i][j] / c);
            Some(if letter.adjoint { scaled.transpose() } else { scaled })
        })
    }

    /// The function of the second's name: that of the paired channel, its conjugate if the algorithms are dual.
    fn function(&self, name: &str) -> Option<Function> {
        if let Some((special, _)) = special(self.witness, Side::Second, self.assignment.dimension).get(name) {
            return Some(special.clone());
        }
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let own = |j: usize| &self.second.channels[j % q].oracle.function;
        let &(i, _) = self.witness.channel_map.iter().find(|(_, j)| own(*j) == name)?;
        let function = self.assignment.setting.answers[i % p].function.clone();
        Some(match self.witness.conjugate(name) {
            Some(pair) => Function::Conjugate(Box::new(function), pair.sign),
            None => function,
        })
    }

    /// Of what the function of each channel is a function, given that of the first's; unknown where conjugates are taken.
    pub fn places(&self, first: &[Option<Place>]) -> Vec<Option<Place>> {
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let of = |j: usize| {
            let n = self.witness.channel_map.iter().position(|(_, c)| c % q == j)?;
            first[self.witness.channel_map[n].0 % p].filter(|_| !self.stands_for(n))
        };
        let is_conjugate = |j: usize| self.witness.conjugate(&self.second.channels[j].oracle.function).is_some();
        (0..q).map(|j| of(j).filter(|_| !is_conjugate(j))).collect()
    }

    /// The second's states beside what the state map makes of the first's, both by iteration.
    pub fn iterates(
        &self,
        map: &States,
        setting: &Setting,
        first: &[Vec<Vector>],
        second: &[Vec<Vector>],
        log: &[Vec<Call>],
        numbers: &Numbers,
    ) -> Result<Iterates, &'static str> {
        let told = map.determined().map_err(|_| "the work limit was reached")?;
        let states = written(self.second);
        let name = |j: usize| self.state_name(&states[j]);
        let times = self.witness.times(Side::First);
        let mut differences = Vec::new();
        for (n, (a, b)) in first.iter().zip(second).enumerate() {
            let Some(log) = log.get(n * times..).filter(|log| !log.is_empty()) else { break };
            // What is made of answers yet to come ends before the run does.
            let Ok(made) = self.mapped(map, setting, ((n * times) as i64, a), log, numbers) else { break };
            differences.push(told.iter().map(|&j| distance(&made[j], &b[j])).collect());
        }
        let open = (0..states.len()).filter(|j| !told.contains(j)).map(name).collect();
        Ok(Iterates { names: told.iter().map(|&j| name(j)).collect(), differences, open })
    }

    /// `x[k-1]`, or what an oracle of the second answered.
    fn state_name(&self, state: &State) -> String {
        let index = &self.second.system.letter;
        let indexed = |name: &str, offset: i32| match offset {
            0 => format!("{name}[{index}]"),
            _ => format!("{name}[{index}{offset:+}]"),
        };
        match *state {
            State::Signal(s, offset) => indexed(&self.second.system.signals[s].name, offset),
            State::Answer(c, age) => {
                let oracle = &self.second.channels[c].oracle;
                indexed(&format!("the answer of the {}", oracle.description()), age)
            }
        }
    }

    /// ‖what the second asks − what the first asks there‖ for every iteration of the second and pair of channels.
    pub fn differences(&self, first: &[Vec<Call>], second: &[Vec<Call>]) -> Option<Vec<Vec<f64>>> {
        let matrices = scaled_matrices(self.witness).ok()??;
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let at = |log: &[Vec<Call>], side: Side, channel: usize, time: i64, count: usize| {
            let iteration = usize::try_from(time).ok()? * self.witness.times(side) + channel / count;
            log.get(iteration)?.get(channel % count).cloned()
        };
        let lead = leads(self.witness);
        let mut found = Vec::new();
        for k in 0..(second.len() / self.witness.times(Side::Second)) as i64 {
            let mut row = Vec::new();
            for (n, &(i, j)) in self.witness.channel_map.iter().enumerate() {
                let (Some(a), Some(b)) =
                    (at(first, Side::First, i, k + lead[n] as i64, p), at(second, Side::Second, j, k, q))
                else {
                    return Some(found);
                };
                let m = |i: usize, j: usize| rational(&matrices[n][(i, j)], self.point);
                let determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
                // The first row of the inverse; a query alone where the pair is not mixed.
                let expected = if m(0, 1) == 0.0 {
                    a.query.iter().map(|y| y / m(0, 0)).collect()
                } else {
                    combine(m(1, 1) / determinant, &a.query, -m(0, 1) / determinant, &a.answer)
                };
                row.push(distance(&expected, &b.query));
            }
            found.push(row);
        }
        Some(found)
    }
}

/// The states as written.
pub fn written(analysis: &Analysis) -> &[State] {
    match &analysis.transfer {
        Transfer::Commuting { realization, .. } => &realization.states,
        Transfer::Noncommuting { realization, .. } => &realization.states,
    }
}

/// The space of a state.
pub fn state_space(analysis: &Analysis, state: &State) -> Space {
    match *state {
        State::Signal(s, _) => analysis.system.signals[s].space,
        State::Answer(c, _) => analysis.system.calls[analysis.channels[c].call].output,
    }
}

/// The number of components of a state.
pub fn state_size(analysis: &Analysis, setting: &Setting, state: &State) -> usize {
    setting.sizes.get(&analysis.system.spaces.class(state_space(analysis, state))).copied().unwrap_or(1)
}

/// The second's numbers, sequences that are functions of the first's included.
pub fn numbers<'a>(second: &'a Analysis, point: &Point, first: &'a Numbers<'a>, witness: &'a Witness) -> Numbers<'a> {
    let mut own = Numbers::new(own_values(second, point), &second.system.schedules, SortedMap::new());
    own.twin = Some((first, &witness.sequences));
    own
}
