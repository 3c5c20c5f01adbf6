//! What may be done to an algorithm: other oracles of the same functions, other times, several iterations
//! as one, functions and operators that are special.

use super::model::{Commuting, Label, Model, Name, Port};
use crate::system::{LinearSystem, Oracle, Space, operator_symbol};
use crate::transfer::StateSpace;
use crate::transfer::graph::{self, Special};
use crate::transfer::realize::Unrealizable;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, Variable};
use std::rc::Rc;

type M = Matrix<RationalFunction>;

/// Puts values into the steps of oracles; false if one vanishes or has no value.
pub(super) fn substituted_steps(
    ports: &mut [Port],
    value: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<bool, Exhausted> {
    for port in ports {
        match port.oracle.step.substitute(value)? {
            Some(step) if !step.is_zero() => port.oracle.step = step,
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// What the calls of a function multiply their queries by; nothing if one is no such call.
pub(super) fn gains(
    ports: &[Port],
    function: &str,
    gain: impl Fn(&Oracle) -> Result<Option<RationalFunction>, Exhausted>,
) -> Result<Option<Vec<(usize, RationalFunction)>>, Exhausted> {
    let own = ports.iter().enumerate().filter(|(_, p)| p.oracle.function == function);
    own.map(|(i, p)| Ok(gain(&p.oracle)?.map(|g| (i, g)))).collect()
}

/// The spaces where an operator is the identity: its codomain is its domain.
pub(super) fn merged(system: &LinearSystem, operator: usize) -> impl Fn(Space) -> Space + use<'_> {
    let o = &system.operators[operator];
    move |s| if system.spaces.same(s, o.codomain) { o.domain } else { s }
}

/// The ports and what is known of the state in other oracles: what is asked or answered may have changed.
pub(super) fn changed_ports(ports: &[Port], labels: &[Label], oracles: &[Oracle]) -> (Vec<Port>, Vec<Label>) {
    let port = |(new, port): (&Oracle, &Port)| match port.oracle == *new {
        true => port.clone(),
        false => {
            let m = graph::between(new, &port.oracle).ok();
            let keeps = |row: usize| m.as_ref().is_some_and(|m| m[(row, row)].is_one() && m[(row, 1 - row)].is_zero());
            Port {
                oracle: new.clone(),
                query: port.query.clone().filter(|_| keeps(0)),
                answer: port.answer.clone().filter(|_| keeps(1)),
                ..port.clone()
            }
        }
    };
    let label = |l: &Label| match l {
        Label::Answer(p, _) if ports[*p].oracle != oracles[*p] => Label::Fresh,
        other => other.clone(),
    };
    (oracles.iter().zip(ports).map(port).collect(), labels.iter().map(label).collect())
}

/// The matrices of n iterations as one, over any coefficients that do not change with the index.
#[allow(clippy::type_complexity)]
pub(super) fn lifted<T: Coefficient>(
    n: usize,
    (a, b, c, d): (&Matrix<T>, &Matrix<T>, &Matrix<T>, &Matrix<T>),
) -> Result<(Matrix<T>, Matrix<T>, Matrix<T>, Matrix<T>), Exhausted> {
    let p = b.cols();
    let place = |m: &Matrix<T>, s: usize| {
        let own = |j: usize| j.checked_sub(s * p).filter(|j| *j < p);
        Matrix::from_fn(m.rows(), n * p, |i, j| own(j).map_or_else(T::zero, |j| m[(i, j)].clone()))
    };
    let mut state = Matrix::identity(a.rows());
    let mut input = Matrix::zero(a.rows(), n * p);
    let (mut queries, mut direct) = (Matrix::zero(0, state.cols()), Matrix::zero(0, input.cols()));
    for s in 0..n {
        queries = queries.vstack(&c.mul(&state)?);
        direct = direct.vstack(&c.mul(&input)?.add(&place(d, s))?);
        input = a.mul(&input)?.add(&place(b, s))?;
        state = a.mul(&state)?;
    }
    Ok((state, input, queries, direct))
}

/// The ports of n iterations, and what is known of the state between every n.
pub(super) fn lifted_ports<T>(model: &Model<T>, n: usize) -> (Vec<Port>, Vec<Label>) {
    let unnamed = |p: &Port| Port { answer: None, query: None, ..p.clone() };
    let label = |l: &Label| match l {
        Label::Named(name) if name.offset == 0 => l.clone(),
        _ => Label::Fresh,
    };
    let ports = (0..n).flat_map(|_| model.ports.iter().map(unnamed)).collect();
    (ports, model.labels.iter().map(label).collect())
}

impl<T: Clone> Model<T> {
    /// The calls of one function made to another: functions are renamed.
    pub fn renamed(&self, rename: &dyn Fn(&str) -> String) -> Model<T> {
        let port = |p: &Port| {
            let function = rename(&p.oracle.function);
            Port { oracle: Oracle { function, ..p.oracle.clone() }, ..p.clone() }
        };
        let mut system = LinearSystem::clone(&self.system);
        system.traits = system.traits.into_iter().map(|(f, t)| (rename(&f), t)).collect();
        Model { system: Rc::new(system), ports: self.ports.iter().map(port).collect(), ..self.clone() }
    }
}

impl Commuting {
    /// The same in other oracles of the same functions, one per port. Nothing if new queries would need later
    /// answers.
    pub fn in_oracles(&self, oracles: &[Oracle]) -> Result<Option<Commuting>, Exhausted> {
        if oracles.iter().zip(&self.ports).all(|(new, port)| *new == port.oracle) {
            return Ok(Some(self.clone()));
        }
        let pairs = oracles.iter().zip(&self.ports);
        let matrices = pairs.map(|(new, port)| graph::between(new, &port.oracle)).collect::<Result<Vec<M>, _>>()?;
        let Some(space) = self.frozen().in_oracles(&matrices)? else {
            return Ok(None);
        };
        let (ports, labels) = changed_ports(&self.ports, &self.labels, oracles);
        Ok(Some(Commuting { ports, labels, ..self.thawed(space, 0) }))
    }

    /// Δ_m H Δ_m⁻¹ with Δ_m = diag(z^(-m_i)): calls of port i are made m_i iterations later, less the most of
    /// all. Nothing if a query would need a later answer.
    pub fn shifted(&self, m: &[i64]) -> Result<Option<Commuting>, Exhausted> {
        let most = m.iter().copied().max().unwrap_or(0);
        let ahead: Vec<usize> = m.iter().map(|m| (most - m) as usize).collect();
        if ahead.iter().all(|steps| *steps == 0) {
            return Ok(Some(self.clone()));
        }
        let Some(space) = self.frozen().ahead(&ahead)? else {
            return Ok(None);
        };
        let later = |n: &Option<Name>, steps: i32| n.as_ref().map(|n| n.later(steps));
        let port = |(port, &steps): (&Port, &usize)| {
            let steps = steps as i32;
            let sample = port.sample.clone().map(|mut s| {
                s.offset = s.offset.map(|o| o + steps);
                s
            });
            Port { answer: later(&port.answer, steps), query: later(&port.query, steps), sample, ..port.clone() }
        };
        let label = |l: &Label| match l {
            Label::Answer(p, age) => Label::Answer(*p, age + ahead[*p] as i32),
            other => other.clone(),
        };
        let waiting =
            ahead.iter().enumerate().flat_map(|(p, &steps)| (1..=steps as i32).rev().map(move |age| (p, age)));
        let mut found = self.thawed(space, ahead.iter().sum());
        found.labels =
            self.labels.iter().map(label).chain(waiting.clone().map(|(p, age)| Label::Answer(p, age))).collect();
        found.spaces = self.spaces.iter().copied().chain(waiting.map(|(p, _)| Some(self.ports[p].output))).collect();
        found.ports = self.ports.iter().zip(&ahead).map(port).collect();
        Ok(Some(found))
    }

    /// What becomes of it when a function is special, so that its calls only multiply. Nothing if a query is
    /// forced or a loop has no solution.
    pub fn closed(&self, function: &str, special: Special) -> Result<Option<Commuting>, Exhausted> {
        gains(&self.ports, function, |oracle| graph::gain(oracle, special))?.map_or(Ok(None), |all| self.without(&all))
    }

    /// The algorithm without the calls of a function: they answer zero.
    pub fn deleted(&self, function: &str) -> Result<Option<Commuting>, Exhausted> {
        gains(&self.ports, function, |_| Ok(Some(RationalFunction::zero())))?.map_or(Ok(None), |all| self.without(&all))
    }

    fn without(&self, gains: &[(usize, RationalFunction)]) -> Result<Option<Commuting>, Exhausted> {
        let keep: Vec<usize> = (0..self.calls()).filter(|i| gains.iter().all(|(g, _)| g != i)).collect();
        let Some(space) = self.frozen().closed(&keep, gains)? else {
            return Ok(None);
        };
        let label = |l: &Label| match l {
            Label::Answer(p, age) => {
                keep.iter().position(|k| k == p).map_or(Label::Fresh, |place| Label::Answer(place, *age))
            }
            other => other.clone(),
        };
        let labels = self.labels.iter().map(label).collect();
        let ports = keep.iter().map(|&i| self.ports[i].clone()).collect();
        Ok(Some(Commuting { ports, labels, ..self.thawed(space, 0) }))
    }

    /// Queries and answers exchanged, u = H⁻¹ y, with the same state; nothing if H⁻¹ is not proper.
    pub fn inverse(&self) -> Result<Option<Commuting>, Exhausted> {
        Ok(self.frozen().inverse()?.map(|space| self.thawed(space, 0)))
    }

    /// Symbols replaced by functions of others; nothing if a denominator vanishes.
    pub fn substituted(
        &self,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<Option<Commuting>, Exhausted> {
        let mut found = Commuting { steps: Vec::new(), ..self.clone() };
        for m in [&mut found.a, &mut found.b, &mut found.c, &mut found.d] {
            for i in 0..m.rows() {
                for j in 0..m.cols() {
                    match m[(i, j)].substitute(value)? {
                        Some(entry) => m[(i, j)] = entry,
                        None => return Ok(None),
                    }
                }
            }
        }
        Ok(substituted_steps(&mut found.ports, value)?.then_some(found))
    }

    /// The algorithm with an operator that is the identity: its two spaces are one.
    pub fn with_identity(&self, operator: usize) -> Result<Option<Commuting>, Exhausted> {
        let symbol = operator_symbol(operator);
        let one = |v: Variable| (v == symbol).then(RationalFunction::one);
        let Some(mut found) = self.substituted(&one)? else {
            return Ok(None);
        };
        let merge = merged(&self.system, operator);
        for port in &mut found.ports {
            (port.input, port.output) = (merge(port.input), merge(port.output));
        }
        found.constants.iter_mut().for_each(|c| c.space = merge(c.space));
        found.spaces.iter_mut().for_each(|s| *s = s.map(&merge));
        Ok(Some(found))
    }

    /// N iterations as one; port i of the s-th of them has number s p + i. Nothing where calls carry samples,
    /// which differ from one iteration to the next.
    pub fn repeated(&self, n: usize) -> Result<Option<Commuting>, Exhausted> {
        if self.ports.iter().any(|p| p.sample.is_some()) {
            return Ok(None);
        }
        let StateSpace { a, b, c, d } = self.frozen();
        let (a, b, c, d) = lifted(n, (&a, &b, &c, &d))?;
        let (ports, labels) = lifted_ports(self, n);
        Ok(Some(Commuting { ports, labels, ..self.thawed(StateSpace { a, b, c, d }, 0) }))
    }

    /// F⁻¹ H F with F = diag(filters): the same where the oracles of the filtered ports are linear.
    pub fn filtered(&self, filters: &[RationalFunction]) -> Result<Commuting, Unrealizable> {
        let mut h = self.transfer()?;
        for i in 0..h.rows() {
            let inverse = filters[i].inverse().expect("a filter is not zero");
            for j in 0..h.cols() {
                let column = filters.get(j).cloned().unwrap_or_else(RationalFunction::one);
                h[(i, j)] = h[(i, j)].mul(&inverse)?.mul(&column)?;
            }
        }
        let unnamed = |p: &Port| Port { answer: None, query: None, ..p.clone() };
        let ports = self.ports.iter().map(unnamed).collect();
        Commuting::from_transfer(self.system.clone(), ports, self.constants.clone(), &h)
    }

    /// Constants as components of the state that never change.
    fn frozen(&self) -> StateSpace {
        let (n, p, k) = (self.order(), self.calls(), self.constants.len());
        let (states, answers): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (0..p).collect());
        let constants: Vec<usize> = (p..p + k).collect();
        let upper = self.a.hstack(&self.b.submatrix(&states, &constants));
        let lower = Matrix::zero(k, n).hstack(&Matrix::identity(k));
        StateSpace {
            a: upper.vstack(&lower),
            b: self.b.submatrix(&states, &answers).vstack(&Matrix::zero(k, p)),
            c: self.c.hstack(&self.d.submatrix(&answers, &constants)),
            d: self.d.submatrix(&answers, &answers),
        }
    }

    /// The inverse of [`Self::frozen`]; so many states were added behind the constants.
    fn thawed(&self, space: StateSpace, added: usize) -> Commuting {
        let (n, k) = (self.order(), self.constants.len());
        let states: Vec<usize> = (0..n).chain(n + k..n + k + added).collect();
        let constants: Vec<usize> = (n..n + k).collect();
        let queries: Vec<usize> = (0..space.c.rows()).collect();
        let answers: Vec<usize> = (0..space.b.cols()).collect();
        Commuting {
            steps: Vec::new(),
            a: space.a.submatrix(&states, &states),
            b: space.b.submatrix(&states, &answers).hstack(&space.a.submatrix(&states, &constants)),
            c: space.c.submatrix(&queries, &states),
            d: space.d.hstack(&space.c.submatrix(&queries, &constants)),
            ..self.clone()
        }
    }
}
