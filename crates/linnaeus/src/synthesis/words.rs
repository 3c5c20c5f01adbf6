//! Calls at other times where operators do not commute or numbers change with the index.

use super::minimal::kept;
use super::model::{Label, Model, Name, Port};
use super::transform::{lifted, lifted_ports};
use crate::operator::OperatorPolynomial;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix};

type Words = Model<OperatorPolynomial>;
type M = Matrix<OperatorPolynomial>;

impl Words {
    /// After how many iterations answers enter queries: the least lag at which a Markov parameter is not zero, among
    /// the first n + 1.
    pub fn word_lags(&self) -> Result<Vec<Vec<Option<i64>>>, Exhausted> {
        let p = self.calls();
        let mut found = vec![vec![None; p]; p];
        let mut note = |lag: i64, m: &M| {
            for (i, row) in found.iter_mut().enumerate() {
                for (j, cell) in row.iter_mut().enumerate() {
                    *cell = cell.or_else(|| (!m[(i, j)].is_zero()).then_some(lag));
                }
            }
        };
        note(0, &self.d);
        let mut seen = self.c.clone();
        for lag in 1..=self.order() as i64 {
            note(lag, &seen.mul(&self.later(&self.b, -lag)?)?);
            seen = seen.mul(&self.later(&self.a, -lag)?)?;
        }
        Ok(found)
    }

    /// A matrix so many iterations later.
    fn later(&self, m: &M, steps: i64) -> Result<M, Exhausted> {
        m.try_map(|e| self.system.schedules.advanced_operator(e, steps))
    }

    /// Calls of port i are made m_i iterations later, less the most of all. Nothing if a query would need a later
    /// answer.
    pub fn word_shifted(&self, m: &[i64]) -> Result<Option<Words>, Exhausted> {
        let most = m.iter().copied().max().unwrap_or(0);
        let ahead: Vec<usize> = m.iter().map(|m| (most - m) as usize).collect();
        let (a, b, c, d) = self.waiting(&ahead)?;
        let (n, k, p) = (self.order(), self.constants.len(), self.calls());
        let (mut queries, mut direct) = (c.clone(), d.clone());
        for (i, &steps) in ahead.iter().enumerate() {
            let columns = |m: &M| (0..m.cols()).collect::<Vec<_>>();
            let mut row = self.later(&c.submatrix(&[i], &columns(&c)), steps as i64)?;
            let mut own = self.later(&d.submatrix(&[i], &columns(&d)), steps as i64)?;
            for t in (0..steps as i64).rev() {
                if !own.is_zero() {
                    return Ok(None);
                }
                own = row.mul(&self.later(&b, t)?)?;
                row = row.mul(&self.later(&a, t)?)?;
            }
            (0..row.cols()).for_each(|j| queries[(i, j)] = row[(0, j)].clone());
            (0..own.cols()).for_each(|j| direct[(i, j)] = own[(0, j)].clone());
        }
        let wait = a.rows() - n - k;
        let states: Vec<usize> = (0..n).chain(n + k..a.rows()).collect();
        let constants: Vec<usize> = (n..n + k).collect();
        let answers: Vec<usize> = (0..p).collect();
        let waiting: Vec<(usize, i32)> = ahead
            .iter()
            .enumerate()
            .flat_map(|(p, &steps)| (1..=steps as i32).rev().map(move |age| (p, age)))
            .collect();
        let label = |l: &Label| match l {
            Label::Answer(p, age) => Label::Answer(*p, age + ahead[*p] as i32),
            other => other.clone(),
        };
        let labels = self.labels.iter().map(label).chain(waiting.iter().map(|(p, age)| Label::Answer(*p, *age)));
        let spaces = self.spaces.iter().copied().chain(waiting.iter().map(|(p, _)| Some(self.ports[*p].output)));
        let ports = self.ports.iter().zip(&ahead).map(|(port, &steps)| self.earlier(port, steps as i32));
        Ok(Some(Model {
            labels: labels.collect(),
            spaces: spaces.collect(),
            steps: if wait == 0 { self.steps.clone() } else { Vec::new() },
            ports: ports.collect::<Result<_, _>>()?,
            a: a.submatrix(&states, &states),
            b: b.submatrix(&states, &answers).hstack(&a.submatrix(&states, &constants)),
            c: queries.submatrix(&answers, &states),
            d: direct.hstack(&queries.submatrix(&answers, &constants)),
            ..self.clone()
        }))
    }

    /// N iterations as one, as [`Commuting::repeated`](super::Commuting::repeated) where coefficients commute. Nothing where
    /// calls carry samples or numbers change with the index.
    pub fn word_repeated(&self, n: usize) -> Result<Option<Words>, Exhausted> {
        if self.ports.iter().any(|p| p.sample.is_some()) || !self.system.schedules.is_empty() {
            return Ok(None);
        }
        let (a, b, c, d) = self.waiting(&vec![0; self.calls()])?;
        let (a, b, c, d) = lifted(n, (&a, &b, &c, &d))?;
        let (states, constants): (Vec<usize>, Vec<usize>) =
            ((0..self.order()).collect(), (self.order()..a.rows()).collect());
        let (answers, queries): (Vec<usize>, Vec<usize>) = ((0..b.cols()).collect(), (0..c.rows()).collect());
        let (ports, labels) = lifted_ports(self, n);
        Ok(Some(Model {
            ports,
            labels,
            steps: Vec::new(),
            a: a.submatrix(&states, &states),
            b: b.submatrix(&states, &answers).hstack(&a.submatrix(&states, &constants)),
            c: c.submatrix(&queries, &states),
            d: d.hstack(&c.submatrix(&queries, &constants)),
            ..self.clone()
        }))
    }

    /// The algorithm without what no query ever depends on.
    pub fn shown(&self) -> Words {
        let n = self.order();
        let mut is_shown: Vec<bool> = (0..n).map(|j| (0..self.c.rows()).any(|i| !self.c[(i, j)].is_zero())).collect();
        let read = |j: usize, shown: &[bool]| (0..n).any(|i| shown[i] && !self.a[(i, j)].is_zero());
        while let Some(j) = (0..n).find(|&j| !is_shown[j] && read(j, &is_shown)) {
            is_shown[j] = true;
        }
        let keep: Vec<usize> = (0..n).filter(|&j| is_shown[j]).collect();
        let places: Vec<Option<usize>> = (0..n).map(|j| keep.iter().position(|i| *i == j)).collect();
        let (inputs, queries): (Vec<usize>, Vec<usize>) = ((0..self.b.cols()).collect(), (0..self.c.rows()).collect());
        Model {
            labels: keep.iter().map(|&j| self.labels[j].clone()).collect(),
            spaces: keep.iter().map(|&j| self.spaces[j]).collect(),
            steps: self.steps.iter().filter_map(|s| kept(s, &places, n, keep.len())).collect(),
            a: self.a.submatrix(&keep, &keep),
            b: self.b.submatrix(&keep, &inputs),
            c: self.c.submatrix(&queries, &keep),
            ..self.clone()
        }
    }

    /// A port whose call is made so many iterations ahead.
    fn earlier(&self, port: &Port, steps: i32) -> Result<Port, Exhausted> {
        let later = |n: &Option<Name>| n.as_ref().map(|n| n.later(steps));
        let sample = port.sample.clone().map(|mut s| {
            s.offset = s.offset.map(|o| o + steps);
            s
        });
        let oracle = port.oracle.with_numbers(&mut |r| self.system.schedules.advanced(r, i64::from(steps)))?;
        Ok(Port { oracle, answer: later(&port.answer), query: later(&port.query), sample, ..port.clone() })
    }

    /// The system with the constants, and the answers that wait, as further components of the state.
    fn waiting(&self, ahead: &[usize]) -> Result<(M, M, M, M), Exhausted> {
        let (n, k, p) = (self.order(), self.constants.len(), self.calls());
        let wait: usize = ahead.iter().sum();
        let all = n + k + wait;
        let (states, answers): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (0..p).collect());
        let constants: Vec<usize> = (p..p + k).collect();
        let (own, direct) = (self.b.submatrix(&states, &answers), self.d.submatrix(&answers, &answers));
        // Where the system's own answers are read, from the extended state or the input.
        let (mut held, mut given): (M, M) = (Matrix::zero(p, wait), Matrix::zero(p, p));
        let (mut chain, mut enter): (M, M) = (Matrix::zero(wait, wait), Matrix::zero(wait, p));
        let mut first = 0;
        for (j, &steps) in ahead.iter().enumerate() {
            if steps == 0 {
                given[(j, j)] = OperatorPolynomial::one();
                continue;
            }
            held[(j, first)] = OperatorPolynomial::one();
            (first..first + steps - 1).for_each(|t| chain[(t, t + 1)] = OperatorPolynomial::one());
            enter[(first + steps - 1, j)] = OperatorPolynomial::one();
            first += steps;
        }
        let top = self.a.hstack(&self.b.submatrix(&states, &constants)).hstack(&own.mul(&held)?);
        let middle = Matrix::zero(k, n).hstack(&Matrix::identity(k)).hstack(&Matrix::zero(k, wait));
        let bottom = Matrix::zero(wait, n + k).hstack(&chain);
        let a = top.vstack(&middle).vstack(&bottom);
        let b = own.mul(&given)?.vstack(&Matrix::zero(k, p)).vstack(&enter);
        let c = self.c.hstack(&self.d.submatrix(&answers, &constants)).hstack(&direct.mul(&held)?);
        debug_assert_eq!((a.rows(), a.cols(), c.cols()), (all, all, all));
        Ok((a, b, c, direct.mul(&given)?))
    }
}
