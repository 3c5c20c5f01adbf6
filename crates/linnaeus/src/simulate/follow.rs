//! The second algorithm of a related pair in the first's place: its parameters, functions, operators and start as
//! the witness has them.

use super::assign::{Assignment, all_spaces};
use super::dense::{Dense, Vector, combine, distance};
use super::function::Function;
use super::numbers::{Numbers, evaluate};
use super::problem::Place;
use super::run::{Answer, Call, Setting, matrix};
use crate::relation::behavior::{Side, owner};
use crate::relation::graph::Special;
use crate::relation::state_map::{Combination, ROOT, Source, StateMap, scaled_matrices};
use crate::relation::{Assumption, Sign, Witness};
use crate::syntax::ast::OracleKind;
use crate::system::{Oracle, Space, Z, operator_symbol, parameter};
use crate::transfer::{Analysis, State, Transfer};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{Polynomial, RationalFunction, Variable};
use std::collections::BTreeMap;

/// Values of the symbols of a comparison.
pub type Point = BTreeMap<Variable, f64>;

/// The functions of a side that the witness makes special.
pub fn special(witness: &Witness, side: Side, dimension: usize) -> BTreeMap<String, (Function, &'static str)> {
    let function = |a: &Assumption| match a {
        Assumption::Function(s, name, Special::Zero) if *s == side => Some((name.clone(), (Function::Zero, "0"))),
        Assumption::Function(s, name, Special::IndicatorOfZero) if *s == side => {
            Some((name.clone(), (Function::Point(vec![0.0; dimension]), "the indicator of {0}")))
        }
        _ => None,
    };
    witness.assumptions.iter().filter_map(function).collect()
}

/// The operators of a side that are the identity.
pub fn identities(witness: &Witness, side: Side) -> Vec<usize> {
    let identity = |a: &Assumption| match a {
        Assumption::Identity(s, i) if *s == side => Some(*i),
        _ => None,
    };
    witness.assumptions.iter().filter_map(identity).collect()
}

/// The constants of a side that are zero.
pub fn zero_constants(analysis: &Analysis, witness: &Witness, side: Side, constants: &mut [Vector]) {
    for (constant, value) in analysis.system.constants.iter().zip(constants) {
        if witness.assumptions.contains(&Assumption::ZeroConstant(side, constant.name.clone())) {
            value.iter_mut().for_each(|x| *x = 0.0);
        }
    }
}

/// The first's operators that the witness makes of the second's, where that are identities: multiples of the identity.
/// A mere renaming leaves them as they are.
pub fn made_operators(witness: &Witness, operators: &mut [Dense]) -> Result<(), String> {
    for (v, image) in &witness.images {
        let (side, own) = owner(*v);
        let terms = image.terms();
        let renaming = matches!(&terms[..], [(word, _)] if word.len() == 1);
        let n =
            own.0.checked_sub(operator_symbol(0).0).map(|i| i as usize).filter(|_| side == Side::First && !renaming);
        let Some(m) = n.and_then(|n| operators.get_mut(n)) else { continue };
        let total: f64 = terms.iter().map(|(_, c)| rational(c, &Point::new())).sum();
        if *m != Dense::scalar(m.cols, 1.0) || !total.is_finite() {
            return Err("A's operators are functions of B's; give B first".to_string());
        }
        *m = Dense::scalar(m.cols, total);
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

fn symbol(v: Variable, point: &Point) -> f64 {
    point.get(&v).copied().unwrap_or(f64::NAN)
}

/// A value in the symbols of the comparison.
pub fn rational(r: &RationalFunction, point: &Point) -> f64 {
    let value = |v| symbol(v, point);
    evaluate(r.numerator(), &value) / evaluate(r.denominator(), &value)
}

/// The values of the second's own symbols.
pub fn own_values(second: &Analysis, point: &Point) -> BTreeMap<Variable, f64> {
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
    pub fn setting(&self) -> Result<Setting, String> {
        let (own, system) = (&self.assignment.setting, &self.second.system);
        let first_class = |s: Space| self.first.system.spaces.class(s);
        let class = |s: Space| system.spaces.class(s);
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for &(i, j) in &self.witness.channel_map {
            let a = &self.first.system.calls[self.first.channels[i % p].call];
            let b = &system.calls[self.second.channels[j % q].call];
            sizes.insert(class(b.input), own.sizes[&first_class(a.input)]);
            sizes.insert(class(b.output), own.sizes[&first_class(a.output)]);
        }
        let mut operators = Vec::new();
        for (i, o) in system.operators.iter().enumerate() {
            let found = self.operator(i, sizes.get(&class(o.domain)).copied());
            let found = found.ok_or_else(|| format!("no matrix was found for B's operator `{}`", o.name))?;
            sizes.entry(class(o.domain)).or_insert(found.cols);
            sizes.entry(class(o.codomain)).or_insert(found.rows.len());
            operators.push(found);
        }
        for space in all_spaces(self.second) {
            sizes.entry(class(space)).or_insert(self.assignment.dimension);
        }
        let size = |s: Space| sizes[&class(s)];
        let mut constants: Vec<Vector> = Vec::new();
        for (j, c) in system.constants.iter().enumerate() {
            let same = own.constants.get(j).filter(|v| v.len() == size(c.space));
            constants.push(same.cloned().unwrap_or_else(|| vec![0.0; size(c.space)]));
        }
        zero_constants(self.second, self.witness, Side::Second, &mut constants);
        let answers = (0..q).map(|j| self.answer(j)).collect::<Option<_>>();
        let answers = answers.ok_or("a function of B has no counterpart in A")?;
        Ok(Setting { sizes, operators, answers, constants })
    }

    /// What answers a channel of the second. Where a black box stands for an oracle or an oracle for a black box, it is
    /// what answers the first.
    fn answer(&self, j: usize) -> Option<Answer> {
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let own = &self.second.channels[j].oracle;
        let paired = self.witness.channel_map.iter().find(|(_, c)| c % q == j).map(|(i, _)| i % p);
        if let Some(i) = paired.filter(|&i| stands_for(&self.first.channels[i].oracle, own)) {
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
        let dual = self.witness.assumptions.iter().find_map(|a| match a {
            Assumption::Dual(pairs) => Some(pairs.iter().find(|c| c.second == name).map_or(Sign::Plus, |c| c.sign)),
            _ => None,
        });
        Some(match dual {
            Some(sign) => Function::Conjugate(Box::new(function), sign),
            None => function,
        })
    }

    /// Of what the function of each channel is a function, given that of the first's; unknown where conjugates are taken.
    pub fn places(&self, first: &[Option<Place>]) -> Vec<Option<Place>> {
        let dual = self.witness.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
        let (p, q) = (self.first.channels.len(), self.second.channels.len());
        let of = |j: usize| {
            let &(i, _) = self.witness.channel_map.iter().find(|(_, c)| c % q == j)?;
            first[i % p].filter(|_| !stands_for(&self.first.channels[i % p].oracle, &self.second.channels[j].oracle))
        };
        (0..q).map(|j| of(j).filter(|_| !dual)).collect()
    }

    /// Where the second's states start, so that it makes the first's calls.
    pub fn start(&self, map: &StateMap, setting: &Setting, start: &[Vector], log: &[Vec<Call>]) -> Option<Vec<Vector>> {
        let mut point = self.point.clone();
        if let Some(radicand) = &map.root {
            point.insert(ROOT, evaluate(radicand, &|v| symbol(v, self.point)).sqrt());
        }
        let states = written(self.second);
        let mut values: Vec<Vector> = states.iter().map(|s| vec![0.0; state_size(self.second, setting, s)]).collect();
        for (j, combination) in &map.initialization {
            let n = values[*j].len();
            values[*j] = self.combination(combination, n, &point, start, log)?;
        }
        let vanishes = |c: &Combination| {
            let n = c.first().and_then(|(s, _)| self.source(*s, start, log)).map_or(0, |(v, _)| v.len());
            self.combination(c, n, &point, start, log).is_some_and(|v| v.iter().all(|x| x.abs() < 1e-9))
        };
        map.required.iter().all(vanishes).then_some(values)
    }

    fn combination(
        &self,
        c: &Combination,
        n: usize,
        point: &Point,
        start: &[Vector],
        log: &[Vec<Call>],
    ) -> Option<Vector> {
        let mut sum = vec![0.0; n];
        for (source, coefficient) in c {
            let (vector, class) = self.source(*source, start, log)?;
            let term = self.apply(coefficient, &vector, class, point)?;
            if term.len() != n {
                return None;
            }
            sum = combine(1.0, &sum, 1.0, &term);
        }
        Some(sum)
    }

    /// Something that is known of the first, and the class of its space.
    fn source(&self, source: Source, start: &[Vector], log: &[Vec<Call>]) -> Option<(Vector, usize)> {
        let class = |s: Space| self.first.system.spaces.class(s);
        match source {
            Source::State(i) => Some((start[i].clone(), class(state_space(self.first, &written(self.first)[i])))),
            Source::Answer(c, t) => {
                let p = self.first.channels.len();
                let call = log.get(t * self.witness.times(Side::First) + c / p)?.get(c % p)?;
                Some((call.answer.clone(), class(self.first.system.calls[self.first.channels[c % p].call].output)))
            }
            Source::Constant(j) => {
                let space = self.first.system.constants.get(j)?.space;
                Some((self.assignment.setting.constants[j].clone(), class(space)))
            }
        }
    }

    /// A function of the first's operators, as symbols that commute, applied to a vector.
    fn apply(&self, r: &RationalFunction, v: &[f64], class: usize, point: &Point) -> Option<Vector> {
        let (above, end) = self.polynomial(r.numerator(), v, class, point)?;
        let n = above.len();
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect::<Vector>();
        let columns: Vec<Vector> =
            (0..n).map(|i| Some(self.polynomial(r.denominator(), &unit(i), end, point)?.0)).collect::<Option<_>>()?;
        Dense::from_fn(n, n, |i, j| columns[j][i]).solve(&above)
    }

    fn polynomial(&self, p: &Polynomial, v: &[f64], class: usize, point: &Point) -> Option<(Vector, usize)> {
        let mut sum: Option<(Vector, usize)> = None;
        for (monomial, c) in p.terms() {
            let mut term: Vector = v.iter().map(|x| x * c.to_f64().value()).collect();
            let mut class = class;
            for (variable, exponent) in monomial {
                let (side, own) = owner(variable);
                let operator = own.0.checked_sub(operator_symbol(0).0).map(|i| i as usize);
                match (side, operator.filter(|_| variable != Z && variable != ROOT)) {
                    (Side::First, Some(i)) if i < self.assignment.setting.operators.len() => {
                        for _ in 0..exponent {
                            (term, class) = self.operate(i, &term, class)?;
                        }
                    }
                    // The second's operators that the relation does not mention are identities.
                    (Side::Second, Some(i)) if i < self.second.system.operators.len() => {}
                    _ => {
                        let value = symbol(variable, point).powi(exponent as i32);
                        term.iter_mut().for_each(|x| *x *= value);
                    }
                }
            }
            sum = Some(match sum {
                Some((s, at)) if at == class => (combine(1.0, &s, 1.0, &term), at),
                Some(_) => return None,
                None => (term, class),
            });
        }
        Some(sum.unwrap_or((vec![0.0; v.len()], class)))
    }

    /// The operator where it can act, otherwise its adjoint.
    fn operate(&self, i: usize, v: &[f64], class: usize) -> Option<(Vector, usize)> {
        let o = &self.first.system.operators[i];
        let of = |s: Space| self.first.system.spaces.class(s);
        let m = &self.assignment.setting.operators[i];
        if class == of(o.domain) {
            Some((m.apply(v), of(o.codomain)))
        } else if class == of(o.codomain) {
            Some((m.transpose().apply(v), of(o.domain)))
        } else {
            None
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
        let mut found = Vec::new();
        for k in 0..(second.len() / self.witness.times(Side::Second)) as i64 {
            let mut row = Vec::new();
            for (n, &(i, j)) in self.witness.channel_map.iter().enumerate() {
                let (Some(a), Some(b)) =
                    (at(first, Side::First, i, k + self.witness.shift[n], p), at(second, Side::Second, j, k, q))
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

/// Whether one of two oracles is a black box, and the other is none.
fn stands_for(first: &Oracle, second: &Oracle) -> bool {
    (first.kind == OracleKind::BlackBox) != (second.kind == OracleKind::BlackBox)
}

/// The states as written.
pub fn written(analysis: &Analysis) -> &[State] {
    match &analysis.transfer {
        Transfer::Commuting { realization, .. } => &realization.states,
        Transfer::Noncommuting { realization, .. } => &realization.states,
    }
}

fn state_space(analysis: &Analysis, state: &State) -> Space {
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
    let mut own = Numbers::new(own_values(second, point), &second.system.schedules, BTreeMap::new());
    own.twin = Some((first, &witness.sequences));
    own
}
