//! Where the second algorithm of a pair starts: the state map of a relation, with matrices for operators.

use super::dense::{Dense, Vector, combine, distance};
use super::follow::{Pair, Point, state_size, state_space, symbol, written};
use super::numbers::{Numbers, evaluate};
use super::run::{Call, Setting, matrix};
use crate::operator::OperatorPolynomial;
use crate::relation::ROOT;
use crate::relation::behavior::{Side, owner};
use crate::relation::is_operator;
use crate::relation::state_map::{Combination, Source, StateMap, States};
use crate::relation::words::{WordMap, Words};
use crate::system::{Space, Z, operator_symbol};
use linnaeus_algebra::{Polynomial, RationalFunction};

/// What terms sum to, so many components, given some states of the second.
type Known<'a> = &'a dyn Fn(&Words, usize, &[(usize, Vector)]) -> Option<Vector>;

impl Pair<'_> {
    /// What the second's states are when the first has these, before its iteration of this number, and makes these calls
    /// from then on; or why that is not known.
    pub fn mapped(
        &self,
        map: &States,
        setting: &Setting,
        (time, start): (i64, &[Vector]),
        log: &[Vec<Call>],
        numbers: &Numbers,
    ) -> Result<Vec<Vector>, &'static str> {
        match map {
            States::Commuting(map) => self.start(map, setting, start, log).ok_or("A's start does not allow another"),
            States::Words(map) => {
                let map = map.at_zero.as_deref().filter(|_| time == 0).unwrap_or(map);
                self.start_of_words(map, setting, (time, start), log, numbers)
            }
        }
    }

    /// The same where operators do not commute, or numbers change with the index.
    fn start_of_words(
        &self,
        map: &WordMap,
        setting: &Setting,
        (time, start): (i64, &[Vector]),
        log: &[Vec<Call>],
        numbers: &Numbers,
    ) -> Result<Vec<Vector>, &'static str> {
        let mut values = numbers.values.clone();
        if let Some(radicand) = &map.root {
            values.insert(ROOT, evaluate(radicand, &|v| symbol(v, self.point)).sqrt());
        }
        let numbers = Numbers {
            values,
            schedules: numbers.schedules,
            starts: numbers.starts.clone(),
            laws: numbers.laws,
            ..Numbers::default()
        };
        let own = if map.letters == Side::First { &self.assignment.setting.operators } else { &setting.operators };
        let inverses: Vec<Option<Dense>> = own.iter().map(Dense::inverse).collect();
        let value = |r: &RationalFunction| numbers.value(r, time);
        let states = written(self.second);
        let size = |j: usize| state_size(self.second, setting, &states[j]);
        let block = |c: &OperatorPolynomial, n: usize| {
            let m = matrix(c, n, own, &inverses, &value)?;
            m.rows.iter().flatten().all(|x| x.is_finite()).then_some(m)
        };
        // What the terms sum to but for states of the second's own.
        let known = |words: &Words, n: usize, own: &[(usize, Vector)]| -> Option<Vector> {
            let mut sum = vec![0.0; n];
            for (source, c) in words {
                let vector = match source {
                    Source::Own(j) => match own.iter().find(|(i, _)| i == j) {
                        Some((_, vector)) => vector.clone(),
                        None => continue,
                    },
                    source => self.source(*source, start, log)?.0,
                };
                let term = block(c, vector.len())?.apply(&vector);
                if term.len() != n {
                    return None;
                }
                sum = combine(1.0, &sum, 1.0, &term);
            }
            Some(sum)
        };
        const UNDEFINED: &str = "a coefficient of the state map has no value there";
        let found = self.own_states(map, &size, &block, &known)?;
        let mut starts: Vec<Vector> = (0..states.len()).map(|j| vec![0.0; size(j)]).collect();
        for (j, vector) in &found {
            starts[*j] = vector.clone();
        }
        for (j, words) in &map.initialization {
            starts[*j] = known(words, size(*j), &found).ok_or(UNDEFINED)?;
        }
        for words in &map.required {
            let n = self.rows(words, start, log, &size, &block).ok_or(UNDEFINED)?;
            let left = known(words, n, &found).ok_or(UNDEFINED)?;
            if left.iter().any(|x| x.abs() >= 1e-9) {
                return Err("A's start does not allow another");
            }
        }
        Ok(starts)
    }

    /// How many components a combination has.
    fn rows(
        &self,
        words: &Words,
        start: &[Vector],
        log: &[Vec<Call>],
        size: &dyn Fn(usize) -> usize,
        block: &dyn Fn(&OperatorPolynomial, usize) -> Option<Dense>,
    ) -> Option<usize> {
        let (source, c) = words.first()?;
        let n = match source {
            Source::Own(j) => size(*j),
            source => self.source(*source, start, log)?.0.len(),
        };
        Some(block(c, n)?.rows.len())
    }

    /// States of the second that equations determine.
    fn own_states(
        &self,
        map: &WordMap,
        size: &dyn Fn(usize) -> usize,
        block: &dyn Fn(&OperatorPolynomial, usize) -> Option<Dense>,
        known: Known,
    ) -> Result<Vec<(usize, Vector)>, &'static str> {
        const OPEN: &str = "the equations for B's states have no single solution with these operators";
        // Answers of the second's own are zero where nothing is asked of them.
        let own: Vec<usize> = map
            .sources
            .iter()
            .filter_map(|s| match s {
                Source::Own(j) => map.implicit.iter().flatten().any(|(t, _)| t == s).then_some(*j),
                _ => None,
            })
            .collect();
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let mut place = vec![0];
        own.iter().for_each(|&j| place.push(place[place.len() - 1] + size(j)));
        let n = place[own.len()];
        let (mut rows, mut right): (Vec<Vector>, Vector) = (Vec::new(), Vec::new());
        for words in &map.implicit {
            let mut equation: Option<Vec<Vector>> = None;
            for (at, j) in own.iter().enumerate() {
                let Some((_, c)) = words.iter().find(|(s, _)| *s == Source::Own(*j)) else { continue };
                let m = block(c, size(*j)).ok_or(OPEN)?;
                let lines = equation.get_or_insert_with(|| vec![vec![0.0; n]; m.rows.len()]);
                for (line, row) in lines.iter_mut().zip(&m.rows) {
                    line[place[at]..place[at + 1]].iter_mut().zip(row).for_each(|(x, y)| *x += y);
                }
            }
            let lines = equation.ok_or(OPEN)?;
            let sum = known(words, lines.len(), &[]).ok_or(OPEN)?;
            right.extend(sum.iter().map(|x| -x));
            rows.extend(lines);
        }
        // Least squares; what is left must be rounding.
        let m = Dense { cols: n, rows };
        let solution = m.transpose().after(&m).solve(&m.transpose().apply(&right)).ok_or(OPEN)?;
        if distance(&m.apply(&solution), &right) > 1e-8 {
            return Err(OPEN);
        }
        Ok(own.iter().enumerate().map(|(at, &j)| (j, solution[place[at]..place[at + 1]].to_vec())).collect())
    }

    /// Where the second's states start, so that it makes the first's calls.
    fn start(&self, map: &StateMap, setting: &Setting, start: &[Vector], log: &[Vec<Call>]) -> Option<Vec<Vector>> {
        let mut point = self.point.clone();
        if let Some(radicand) = &map.root {
            point.insert(ROOT, evaluate(radicand, &|v| symbol(v, self.point)).sqrt());
        }
        let states = written(self.second);
        let mut values: Vec<Vector> = states.iter().map(|s| vec![0.0; state_size(self.second, setting, s)]).collect();
        // Answers of the second's own are zero where nothing is asked of them.
        for vanishing in &map.implicit {
            let is_own = |(s, _): &(Source, RationalFunction)| matches!(s, Source::Own(_));
            let (own, rest): (Combination, Combination) = vanishing.iter().cloned().partition(is_own);
            let [(Source::Own(j), factor)] = &own[..] else { return None };
            let over = factor.neg().inverse()?;
            let rest: Combination = rest.iter().map(|(s, c)| Some((*s, c.mul(&over).ok()?))).collect::<Option<_>>()?;
            values[*j] = self.combination(&rest, values[*j].len(), (&point, &values), start, log)?;
        }
        for (j, combination) in &map.initialization {
            values[*j] = self.combination(combination, values[*j].len(), (&point, &values), start, log)?;
        }
        let vanishes = |c: &Combination| {
            let n = c.first().and_then(|(s, _)| self.source(*s, start, log)).map_or(0, |(v, _)| v.len());
            self.combination(c, n, (&point, &values), start, log).is_some_and(|v| v.iter().all(|x| x.abs() < 1e-9))
        };
        map.required.iter().all(vanishes).then_some(values)
    }

    fn combination(
        &self,
        c: &Combination,
        n: usize,
        (point, theirs): (&Point, &[Vector]),
        start: &[Vector],
        log: &[Vec<Call>],
    ) -> Option<Vector> {
        let mut sum = vec![0.0; n];
        // Where the first's constants are made of the second's, all are zero.
        let is_zero = |s: &Source| matches!(s, Source::Constant(Side::Second, _));
        for (source, coefficient) in c.iter().filter(|(s, _)| !is_zero(s)) {
            let (vector, class) = match source {
                Source::Own(_) if coefficient.variables().into_iter().any(is_operator) => return None,
                Source::Own(j) => (theirs[*j].clone(), 0),
                source => self.source(*source, start, log)?,
            };
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
            Source::Own(_) => None,
            Source::Constant(_, j) => {
                let space = self.first.system.constants.get(j)?.space;
                Some((self.assignment.setting.constants[j].clone(), class(space)))
            }
        }
    }

    /// A function of the first's operators, as symbols that commute, applied to a vector.
    pub(super) fn apply(&self, r: &RationalFunction, v: &[f64], class: usize, point: &Point) -> Option<Vector> {
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
}
