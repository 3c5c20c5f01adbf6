//! Where the second algorithm of a pair starts: the state map of a relation, with matrices for operators.

use super::dense::{Dense, Vector, combine};
use super::follow::{Pair, Point, state_size, state_space, symbol, written};
use super::numbers::evaluate;
use super::run::{Call, Setting};
use crate::relation::behavior::{Side, owner};
use crate::relation::state_map::{Combination, ROOT, Source, StateMap};
use crate::system::{Space, Z, operator_symbol};
use linnaeus_algebra::{Polynomial, RationalFunction};

impl Pair<'_> {
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
        // Where the first's constants are made of the second's, all are zero.
        let is_zero = |s: &Source| matches!(s, Source::Constant(Side::Second, _));
        for (source, coefficient) in c.iter().filter(|(s, _)| !is_zero(s)) {
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
