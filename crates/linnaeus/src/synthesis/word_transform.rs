//! What may be done to an algorithm whose operators do not commute or whose numbers change with the index: values put in,
//! functions and operators that are special, other oracles. All of it happens within one iteration.

use super::model::{Commuting, Label, Model};
use super::transform::{changed_ports, gains, merged, substituted_steps};
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::schedule::{Schedules, scheduled};
use crate::system::{LinearSystem, Oracle, operator_symbol};
use crate::transfer::graph::{self, Special};
use crate::transfer::operators_commute;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, Variable};
use std::rc::Rc;

type Words = Model<OperatorPolynomial>;
type M = Matrix<OperatorPolynomial>;

fn range(n: usize) -> Vec<usize> {
    (0..n).collect()
}

impl Words {
    fn letters(&self) -> Vec<Letter> {
        let mut found = Vec::new();
        for m in [&self.a, &self.b, &self.c, &self.d] {
            for (word, _) in (0..m.rows()).flat_map(|i| m.row(i)).flat_map(OperatorPolynomial::terms) {
                found.extend(word.iter().copied().filter(|l| !found.contains(l)).collect::<Vec<_>>());
            }
        }
        found
    }

    fn map_entries(
        &self,
        f: &mut dyn FnMut(&OperatorPolynomial) -> Result<OperatorPolynomial, Exhausted>,
    ) -> Result<Words, Exhausted> {
        let mut found = Model { steps: Vec::new(), ..self.clone() };
        for m in [&mut found.a, &mut found.b, &mut found.c, &mut found.d] {
            *m = m.try_map(&mut *f)?;
        }
        Ok(found)
    }

    /// The same, if no operator is inverted that was not before.
    fn without_new_inverses(&self, found: Words) -> Option<Words> {
        let own = self.letters();
        found.letters().iter().all(|l| !l.inverse || own.contains(l)).then_some(found)
    }

    /// The model with symbols as coefficients, if all that is left in it commutes.
    pub fn commuting(&self) -> Result<Option<Commuting>, Exhausted> {
        let mut system = LinearSystem::clone(&self.system);
        let letters = self.letters();
        for (i, operator) in system.operators.iter_mut().enumerate() {
            let occurs = |adjoint: bool| letters.iter().any(|l| l.operator as usize == i && l.adjoint == adjoint);
            (operator.plain_used, operator.adjoint_used) = (occurs(false), occurs(true));
        }
        let changes = |c: &RationalFunction| c.variables().iter().any(|v| scheduled(*v).is_some());
        let mut is_varying = self.ports.iter().any(|p| changes(&p.oracle.step));
        for m in [&self.a, &self.b, &self.c, &self.d] {
            is_varying |= (0..m.rows()).flat_map(|i| m.row(i)).any(|e| e.terms().iter().any(|(_, c)| changes(c)));
        }
        if is_varying || !operators_commute(&system) {
            return Ok(None);
        }
        system.schedules = Schedules::default();
        let symbol = |l: Letter| {
            let symbol = RationalFunction::variable(operator_symbol(l.operator as usize));
            if l.inverse { symbol.inverse().expect("a variable") } else { symbol }
        };
        let entries = |m: &M| -> Result<Matrix<RationalFunction>, Exhausted> {
            let mut found = Matrix::zero(m.rows(), m.cols());
            for i in 0..m.rows() {
                for j in 0..m.cols() {
                    found[(i, j)] = m[(i, j)].commuting(&symbol)?;
                }
            }
            Ok(found)
        };
        Ok(Some(Model {
            system: Rc::new(system),
            ports: self.ports.clone(),
            constants: self.constants.clone(),
            labels: self.labels.clone(),
            spaces: self.spaces.clone(),
            steps: self.steps.clone(),
            a: entries(&self.a)?,
            b: entries(&self.b)?,
            c: entries(&self.c)?,
            d: entries(&self.d)?,
        }))
    }

    /// Symbols replaced by functions of others; nothing if a denominator or a step vanishes.
    pub fn word_substituted(
        &self,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<Option<Words>, Exhausted> {
        let mut is_defined = true;
        let mut put = |c: &RationalFunction| {
            let found = c.substitute(value)?;
            is_defined &= found.is_some();
            Ok(found.unwrap_or_else(RationalFunction::zero))
        };
        let mut found = self.map_entries(&mut |e| e.map_coefficients(&mut put))?;
        let has_steps = substituted_steps(&mut found.ports, value)?;
        Ok((is_defined && has_steps).then_some(found))
    }

    /// The algorithm with an operator that is the identity: its two spaces are one.
    pub fn word_identity(&self, operator: usize) -> Result<Words, Exhausted> {
        let mut found = self.map_entries(&mut |e| {
            let mut sum = OperatorPolynomial::zero();
            for (word, c) in e.terms() {
                let mut term = OperatorPolynomial::scalar(c.clone());
                for letter in word.iter().filter(|l| l.operator as usize != operator) {
                    term = term.mul(&OperatorPolynomial::letter(*letter))?;
                }
                sum = sum.add(&term)?;
            }
            Ok(sum)
        })?;
        let merge = merged(&self.system, operator);
        for port in &mut found.ports {
            (port.input, port.output) = (merge(port.input), merge(port.output));
        }
        found.constants.iter_mut().for_each(|c| c.space = merge(c.space));
        found.spaces.iter_mut().for_each(|s| *s = s.map(&merge));
        let mut system = LinearSystem::clone(&self.system);
        for o in &mut system.operators {
            (o.domain, o.codomain) = (merge(o.domain), merge(o.codomain));
        }
        found.system = Rc::new(system);
        Ok(found)
    }

    /// The same in other oracles of the same functions, one per port; nothing if new queries would need later answers,
    /// or an operator an inverse.
    pub fn word_in_oracles(&self, oracles: &[Oracle]) -> Result<Option<Words>, Exhausted> {
        let (n, p, k) = (self.order(), self.calls(), self.constants.len());
        let pairs = oracles.iter().zip(&self.ports);
        let matrices = pairs.map(|(new, port)| graph::between(new, &port.oracle)).collect::<Result<Vec<_>, _>>()?;
        let part = |r: usize, c: usize| -> M {
            Matrix::from_fn(p, p, |i, j| match i == j {
                true => OperatorPolynomial::scalar(matrices[i][(r, c)].clone()),
                false => OperatorPolynomial::zero(),
            })
        };
        let (answers, constants) = (range(p), (p..p + k).collect::<Vec<_>>());
        let (own, direct) = (self.b.submatrix(&range(n), &answers), self.d.submatrix(&answers, &answers));
        let (held, seen) = (self.b.submatrix(&range(n), &constants), self.d.submatrix(&answers, &constants));
        let Some(inverse) = part(1, 0).mul(&direct)?.add(&part(1, 1))?.inverse()? else { return Ok(None) };
        // What the old answers are made of besides the new ones.
        let back = inverse.mul(&part(1, 0))?;
        let (from_state, from_constants) = (back.mul(&self.c)?, back.mul(&seen)?);
        let through = part(0, 0).mul(&direct)?.add(&part(0, 1))?;
        let found = Model {
            steps: Vec::new(),
            a: self.a.sub(&own.mul(&from_state)?)?,
            b: own.mul(&inverse)?.hstack(&held.sub(&own.mul(&from_constants)?)?),
            c: part(0, 0).mul(&self.c)?.sub(&through.mul(&from_state)?)?,
            d: through.mul(&inverse)?.hstack(&part(0, 0).mul(&seen)?.sub(&through.mul(&from_constants)?)?),
            ..self.clone()
        };
        let (ports, labels) = changed_ports(&self.ports, &self.labels, oracles);
        Ok(self.without_new_inverses(Model { ports, labels, ..found }))
    }

    /// What becomes of it when a function is special, so that its calls only multiply. Nothing if a query is forced or
    /// a loop has no solution without an inverse of an operator.
    pub fn word_closed(&self, function: &str, special: Special) -> Result<Option<Words>, Exhausted> {
        let found = gains(&self.ports, function, |oracle| graph::gain(oracle, special))?;
        found.map_or(Ok(None), |all| self.word_without(&all))
    }

    /// The algorithm without the calls of a function: they answer zero.
    pub fn word_deleted(&self, function: &str) -> Result<Option<Words>, Exhausted> {
        let found = gains(&self.ports, function, |_| Ok(Some(RationalFunction::zero())))?;
        found.map_or(Ok(None), |all| self.word_without(&all))
    }

    fn word_without(&self, gains: &[(usize, RationalFunction)]) -> Result<Option<Words>, Exhausted> {
        let (n, p, k) = (self.order(), self.calls(), self.constants.len());
        let closed: Vec<usize> = gains.iter().map(|(i, _)| *i).collect();
        let keep: Vec<usize> = (0..p).filter(|i| !closed.contains(i)).collect();
        let inputs: Vec<usize> = keep.iter().copied().chain(p..p + k).collect();
        let g: M = Matrix::from_fn(closed.len(), closed.len(), |i, j| match i == j {
            true => OperatorPolynomial::scalar(gains[i].1.clone()),
            false => OperatorPolynomial::zero(),
        });
        let around = Matrix::identity(closed.len()).sub(&self.d.submatrix(&closed, &closed).mul(&g)?)?;
        let Some(inverse) = around.inverse()? else { return Ok(None) };
        let answers = g.mul(&inverse)?;
        let from_state = answers.mul(&self.c.submatrix(&closed, &range(n)))?;
        let from_inputs = answers.mul(&self.d.submatrix(&closed, &inputs))?;
        let (into_state, into_queries) = (self.b.submatrix(&range(n), &closed), self.d.submatrix(&keep, &closed));
        let label = |l: &Label| match l {
            Label::Answer(port, age) => {
                keep.iter().position(|i| i == port).map_or(Label::Fresh, |place| Label::Answer(place, *age))
            }
            other => other.clone(),
        };
        Ok(self.without_new_inverses(Model {
            steps: Vec::new(),
            labels: self.labels.iter().map(label).collect(),
            ports: keep.iter().map(|&i| self.ports[i].clone()).collect(),
            a: self.a.add(&into_state.mul(&from_state)?)?,
            b: self.b.submatrix(&range(n), &inputs).add(&into_state.mul(&from_inputs)?)?,
            c: self.c.submatrix(&keep, &range(n)).add(&into_queries.mul(&from_state)?)?,
            d: self.d.submatrix(&keep, &inputs).add(&into_queries.mul(&from_inputs)?)?,
            ..self.clone()
        }))
    }
}
