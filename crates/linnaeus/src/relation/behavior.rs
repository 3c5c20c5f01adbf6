//! An algorithm as the set of its possible (queries, answers): the range of [H; I].

use crate::operator::OperatorPolynomial;
use crate::prime_field::{Dense, PRIME, Stream, add, multiply};
use crate::system::schedule::{scheduled, started};
use crate::system::{LinearSystem, Operator, Oracle, Z, letter_symbol, operator_symbol, parameter};
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};
use std::cell::RefCell;
use std::sync::Arc;

/// The second algorithm's symbols are moved out of the way of the first's.
const SECOND: u32 = 100_000;

/// Which of the two algorithms that are compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

impl Side {
    /// The variable that a symbol of this side's text has in a comparison.
    pub fn place(self, v: Variable) -> Variable {
        if v == Z || self == Side::First || scheduled(v).is_some() { v } else { Variable(v.0 + SECOND) }
    }
}

impl Side {
    /// The other side.
    pub fn other(self) -> Side {
        if self == Side::First { Side::Second } else { Side::First }
    }

    /// The side that a symbol of a comparison belongs to.
    pub fn of(v: Variable) -> Side {
        owner(v).0
    }
}

/// The symbol's side and its variable in that side's own text.
pub fn owner(v: Variable) -> (Side, Variable) {
    if scheduled(v).is_some() || started(v).is_some() {
        return (Side::First, v);
    }
    let second = (SECOND..operator_symbol(0).0).contains(&v.0) || v.0 >= operator_symbol(0).0 + SECOND;
    if second && v != Z { (Side::Second, Variable(v.0 - SECOND)) } else { (Side::First, v) }
}

/// One channel of a behavior.
#[derive(Clone, Debug)]
pub struct Port {
    /// The channel's number in the text.
    pub channel: usize,
    /// Its oracle, the step in this comparison's variables.
    pub oracle: Oracle,
}

/// H and what its rows and columns are. Parts are shared: much is done to a behavior that leaves most of it as it is.
#[derive(Clone, Debug)]
pub struct Behavior {
    /// Which side.
    pub side: Side,
    /// Rows and columns.
    pub ports: Arc<Vec<Port>>,
    /// H, operators as symbols.
    pub h: Arc<Matrix<RationalFunction>>,
    /// How the constants enter the queries.
    pub constants: Arc<Matrix<RationalFunction>>,
    /// What must not vanish for the algorithm to make sense: denominators and steps.
    pub nonzero: Arc<Vec<Polynomial>>,
    /// Scalar parameters.
    pub parameters: Vec<Variable>,
    /// Symbols of linear operators.
    pub operators: Vec<Variable>,
}

impl Behavior {
    /// The behavior of an algorithm whose operators commute.
    pub fn new(analysis: &Analysis, side: Side) -> Option<Behavior> {
        let Transfer::Commuting { h, realization } = &analysis.transfer else {
            return None;
        };
        let p = analysis.channels.len();
        let rename = |v: Variable| side.place(v);
        let place = |r: &RationalFunction| r.rename(&rename);
        let rows: Vec<usize> = (0..p).filter(|i| !analysis.channels[*i].calls.is_empty()).collect();
        let rest: Vec<usize> = (p..h.cols()).collect();
        let port = |&i: &usize| {
            let c = &analysis.channels[i];
            // A map is a number here like every operator.
            let map = c.oracle.map.as_ref().and_then(|map| map.commuting(&letter_symbol).ok());
            let map = map.map(|map| OperatorPolynomial::scalar(place(&map)));
            let oracle = Oracle { step: place(&c.oracle.step), map, ..c.oracle.clone() };
            Port { channel: i, oracle }
        };
        let ports: Vec<Port> = rows.iter().map(port).collect();
        let mut nonzero: SortedSet<Polynomial> = SortedSet::new();
        for m in [&realization.a, &realization.b, &realization.c, &realization.d] {
            for i in 0..m.rows() {
                nonzero.extend(m.row(i).iter().map(|e| e.denominator().rename(&rename)));
            }
        }
        for port in &ports {
            nonzero.extend([port.oracle.step.numerator().clone(), port.oracle.step.denominator().clone()]);
        }
        nonzero.retain(|d| !d.is_constant());
        let system = &analysis.system;
        Some(Behavior {
            side,
            ports: Arc::new(ports),
            h: Arc::new(h.submatrix(&rows, &rows).map(place)),
            constants: Arc::new(h.submatrix(&rows, &rest).map(place)),
            nonzero: Arc::new(nonzero.into_iter().collect()),
            parameters: (0..system.parameters.len()).map(|i| side.place(parameter(i))).collect(),
            operators: (0..system.operators.len()).map(|i| side.place(operator_symbol(i))).collect(),
        })
    }

    /// The same where all spaces are lines, so that operators are numbers like parameters.
    pub fn with_numbers(self) -> Behavior {
        let parameters = self.parameters.into_iter().chain(self.operators).collect();
        Behavior { parameters, operators: Vec::new(), ..self }
    }

    /// What becomes of it when some channels only multiply, u = g y; nothing if a loop has no
    /// solution.
    pub fn closed(&self, gains: &[(usize, RationalFunction)]) -> Result<Option<Behavior>, Exhausted> {
        if gains.is_empty() {
            return Ok(Some(self.clone()));
        }
        let keep: Vec<usize> = (0..self.ports.len()).filter(|i| gains.iter().all(|(t, _)| t != i)).collect();
        let closed: Vec<usize> = gains.iter().map(|(i, _)| *i).collect();
        let all = self.h.hstack(&self.constants);
        let inputs: Vec<usize> = keep.iter().copied().chain(self.ports.len()..all.cols()).collect();
        let g = Matrix::from_fn(closed.len(), closed.len(), |i, j| {
            if i == j { gains[i].1.clone() } else { RationalFunction::zero() }
        });
        // u = (I − G H₂₂)⁻¹ G H₂₁ u₁ on the closed channels.
        let loops = Matrix::identity(closed.len()).sub(&g.mul(&self.h.submatrix(&closed, &closed))?)?;
        let Some(answers) = loops.solve(&g.mul(&all.submatrix(&closed, &inputs))?)? else {
            return Ok(None);
        };
        let kept = all.submatrix(&keep, &inputs).add(&all.submatrix(&keep, &closed).mul(&answers)?)?;
        let rows: Vec<usize> = (0..keep.len()).collect();
        let rest: Vec<usize> = (keep.len()..kept.cols()).collect();
        Ok(Some(Behavior {
            ports: Arc::new(keep.iter().map(|&i| self.ports[i].clone()).collect()),
            h: Arc::new(kept.submatrix(&rows, &rows)),
            constants: Arc::new(kept.submatrix(&rows, &rest)),
            ..self.clone()
        }))
    }

    /// The behavior in other oracles of the same functions: `m[i]` turns a pair of channel i into
    /// the new pair. (aH + b)(cH + d)⁻¹, nothing if the new answers do not determine the new queries.
    pub fn in_oracles(&self, m: &[Matrix<RationalFunction>]) -> Result<Option<Behavior>, Exhausted> {
        let same = Matrix::identity(2);
        if m.iter().all(|one| *one == same) {
            return Ok(Some(self.clone()));
        }
        let mut all = self.h.hstack(&self.constants);
        for (i, one) in m.iter().enumerate().filter(|(_, one)| **one != same) {
            match exchanged(&all, i, one)? {
                Some(changed) => all = changed,
                None => return self.in_oracles_together(m),
            }
        }
        let rows: Vec<usize> = (0..self.ports.len()).collect();
        let rest: Vec<usize> = (self.ports.len()..all.cols()).collect();
        let (h, constants) = (all.submatrix(&rows, &rows), all.submatrix(&rows, &rest));
        Ok(Some(Behavior { h: Arc::new(h), constants: Arc::new(constants), ..self.clone() }))
    }

    /// The same for all channels at once, where a single one cannot be changed.
    fn in_oracles_together(&self, m: &[Matrix<RationalFunction>]) -> Result<Option<Behavior>, Exhausted> {
        let diagonal = |r: usize, c: usize| diagonal(m, r, c);
        let queries = diagonal(0, 0).mul(&self.h)?.add(&diagonal(0, 1))?;
        let answers = diagonal(1, 0).mul(&self.h)?.add(&diagonal(1, 1))?;
        let Some(inverse) = answers.inverse()? else {
            return Ok(None);
        };
        let h = queries.mul(&inverse)?;
        // y = Hu + Gb: new y = a(Hu + Gb) + bu, new u = c(Hu + Gb) + du.
        let drive = diagonal(1, 0).mul(&self.constants)?;
        let constants = diagonal(0, 0).mul(&self.constants)?.sub(&h.mul(&drive)?)?;
        Ok(Some(Behavior { h: Arc::new(h), constants: Arc::new(constants), ..self.clone() }))
    }

    /// Whether the new answers determine the new queries when symbols have these values: what holds for
    /// all others need not hold for them.
    pub fn is_regular_in_oracles(
        &self,
        m: &[Matrix<RationalFunction>],
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<bool, Exhausted> {
        if self.is_regular_at_random(m, value)? {
            return Ok(true);
        }
        let Some(h) = substituted(&self.h, value)? else {
            return Ok(false);
        };
        let mut matrices = Vec::new();
        for one in m {
            match substituted(one, value)? {
                Some(one) => matrices.push(one),
                None => return Ok(false),
            }
        }
        let answers = diagonal(&matrices, 1, 0).mul(&h)?.add(&diagonal(&matrices, 1, 1))?;
        Ok(!answers.determinant()?.is_zero())
    }

    /// The same at a random point modulo a prime, where a yes is certain.
    fn is_regular_at_random(
        &self,
        m: &[Matrix<RationalFunction>],
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<bool, Exhausted> {
        let random = |v: Variable| Stream::new(u64::from(v.0)).next();
        let known: RefCell<SortedMap<Variable, Option<u64>>> = RefCell::default();
        let at = |v: Variable| {
            let found = known.borrow().get(&v).copied();
            found.unwrap_or_else(|| {
                let found = value(v).map_or(Some(random(v)), |r| r.evaluate_mod(&random, PRIME));
                known.borrow_mut().insert(v, found);
                found
            })
        };
        let entry = |r: &RationalFunction| {
            let found = r.evaluate_mod(&|v| at(v).unwrap_or(0), PRIME)?;
            r.variables().into_iter().all(|v| at(v).is_some()).then_some(found)
        };
        let row = |i: usize| -> Option<Vec<u64>> {
            let (c, d) = (entry(&m[i][(1, 0)])?, entry(&m[i][(1, 1)])?);
            let turned = |j: usize| Some(add(multiply(c, entry(&self.h[(i, j)])?), if i == j { d } else { 0 }));
            (0..m.len()).map(turned).collect()
        };
        let Some(rows) = (0..m.len()).map(row).collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        Ok(Dense { rows, cols: m.len() }.rank()? == m.len())
    }

    /// Rows and columns in another order.
    pub fn permuted(&self, order: &[usize]) -> Behavior {
        if order.len() == self.ports.len() && order.is_sorted() {
            return self.clone();
        }
        let columns: Vec<usize> = (0..self.constants.cols()).collect();
        Behavior {
            ports: Arc::new(order.iter().map(|&i| self.ports[i].clone()).collect()),
            h: Arc::new(self.h.submatrix(order, order)),
            constants: Arc::new(self.constants.submatrix(order, &columns)),
            ..self.clone()
        }
    }

    /// The behavior with symbols replaced; nothing if a denominator vanishes.
    pub fn substituted(
        &self,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<Option<Behavior>, Exhausted> {
        let (Some(h), Some(constants)) = (substituted(&self.h, value)?, substituted(&self.constants, value)?) else {
            return Ok(None);
        };
        let mut ports = self.ports.to_vec();
        for port in &mut ports {
            match port.oracle.step.substitute(value)? {
                Some(step) => port.oracle.step = step,
                None => return Ok(None),
            }
            let Some(map) = port.oracle.map.as_ref().and_then(OperatorPolynomial::as_scalar) else { continue };
            match map.substitute(value)? {
                Some(map) => port.oracle.map = Some(OperatorPolynomial::scalar(map)),
                None => return Ok(None),
            }
        }
        let (h, constants) = (Arc::new(h), Arc::new(constants));
        Ok(Some(Behavior { h, constants, ports: Arc::new(ports), ..self.clone() }))
    }
}

/// [H G] with channel i in another oracle, which `m` makes of its pairs; nothing if the new answer does not
/// determine the new query.
///
/// With m = [a b; c d] the new answer is Σ c h_ij u_j + d u_i, so that u_i = (u'_i − Σ_{j≠i} c h_ij u_j)/δ,
/// δ = c h_ii + d. Put into all queries that is a pivot step.
fn exchanged(
    all: &Matrix<RationalFunction>,
    i: usize,
    m: &Matrix<RationalFunction>,
) -> Result<Option<Matrix<RationalFunction>>, Exhausted> {
    let (a, b, c, d) = (&m[(0, 0)], &m[(0, 1)], &m[(1, 0)], &m[(1, 1)]);
    let own = &all[(i, i)];
    let Some(inverse) = c.mul(own)?.add(d)?.inverse() else {
        return Ok(None);
    };
    let determinant = a.mul(d)?.sub(&b.mul(c)?)?.mul(&inverse)?;
    let feedback = c.mul(&inverse)?;
    let mut changed = all.clone();
    for j in (0..all.cols()).filter(|j| *j != i && !all[(i, *j)].is_zero()) {
        changed[(i, j)] = determinant.mul(&all[(i, j)])?;
        let back = feedback.mul(&all[(i, j)])?;
        for k in (0..all.rows()).filter(|k| *k != i && !all[(*k, i)].is_zero()) {
            changed[(k, j)] = all[(k, j)].sub(&all[(k, i)].mul(&back)?)?;
        }
    }
    for k in (0..all.rows()).filter(|k| *k != i) {
        changed[(k, i)] = all[(k, i)].mul(&inverse)?;
    }
    changed[(i, i)] = a.mul(own)?.add(b)?.mul(&inverse)?;
    Ok(Some(changed))
}

/// The entries (r, c) of all matrices.
fn diagonal(m: &[Matrix<RationalFunction>], r: usize, c: usize) -> Matrix<RationalFunction> {
    Matrix::from_fn(m.len(), m.len(), |i, j| if i == j { m[i][(r, c)].clone() } else { RationalFunction::zero() })
}

/// The matrix with symbols replaced; nothing if a denominator vanishes.
fn substituted(
    m: &Matrix<RationalFunction>,
    value: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<Option<Matrix<RationalFunction>>, Exhausted> {
    let mut rows = Vec::new();
    for i in 0..m.rows() {
        let mut row = Vec::new();
        for e in m.row(i) {
            match e.substitute(value)? {
                Some(e) => row.push(e),
                None => return Ok(None),
            }
        }
        rows.push(row);
    }
    Ok(Some(if rows.is_empty() { m.clone() } else { Matrix::from_rows(rows) }))
}

/// Whether an operator maps between two spaces.
pub fn is_rectangular(system: &LinearSystem, operator: &Operator) -> bool {
    !system.spaces.same(operator.domain, operator.codomain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::graph;

    /// One channel after the other comes to the same as all at once, constants included.
    #[test]
    fn oracles_are_exchanged_one_by_one() {
        for text in [
            "x[k] = prox_{t f}(z[k])\ny[k] = prox_{s g}(2*x[k] - z[k] - t*b)\nz[k+1] = z[k] + theta*(y[k] - x[k])",
            "x[k+1] = prox_{t f}(x[k] - t*A'*y[k])\ny[k+1] = prox_{s g*}(y[k] + s*A*(2*x[k+1] - x[k]))",
            "x[k+1] = x[k] - t*grad f(x[k]) + c",
        ] {
            let reading = crate::read(text);
            let analysis = reading.analysis.as_ref().expect("read");
            let x = Behavior::new(analysis, Side::First).expect("operators commute");
            for chosen in 0..1usize << x.ports.len() {
                let matrix = |(i, p): (usize, &Port)| match chosen >> i & 1 {
                    0 => Matrix::identity(2),
                    _ => graph::matrix(&p.oracle).inverse().unwrap().expect("a graph"),
                };
                let m: Vec<_> = x.ports.iter().enumerate().map(matrix).collect();
                let (one_by_one, together) = (x.in_oracles(&m).unwrap(), x.in_oracles_together(&m).unwrap());
                let parts = |b: Option<Behavior>| b.map(|b| (b.h, b.constants));
                assert_eq!(parts(one_by_one), parts(together), "{text}: {chosen}");
            }
        }
    }

    /// Channels that only exchange query and answer may be so changed together, though neither may alone.
    #[test]
    fn oracles_are_exchanged_together_where_none_is_alone() {
        let (o, i) = (RationalFunction::zero(), RationalFunction::one());
        let swap = Matrix::from_rows(vec![vec![o.clone(), i.clone()], vec![i, o]]);
        let reading = crate::read("x[k+1] = F(G(x[k]))");
        let analysis = reading.analysis.as_ref().expect("read");
        let x = Behavior::new(analysis, Side::First).expect("no operators");
        let changed = x.in_oracles(&[swap.clone(), swap]).unwrap().expect("H is regular");
        assert_eq!(changed.h.mul(&x.h).unwrap(), Matrix::identity(2));
    }
}
