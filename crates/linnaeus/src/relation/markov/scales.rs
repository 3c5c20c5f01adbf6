//! Numbers by which the signals of a channel may be multiplied, the function being homogeneous.

use super::equations::Sequences;
use super::reading::Search;
use super::solving::FEW_LAGS;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Port;
use crate::relation::hypothesis::Hypothesis;
use crate::relation::scaling::{Freedom, Gauge, Scaled, freedoms, scaled_channels, unknowns};
use crate::relation::search::Scope;
use crate::system::LinearSystem;
use crate::system::schedule::varies;
use crate::transfer::Realization;
use linnaeus_algebra::solve::Branch;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, Variable};

/// What the oracles of every pair commute with.
pub fn freedoms_of(
    first: (&LinearSystem, &[Port]),
    second: (&LinearSystem, &[Port]),
    hypothesis: &Hypothesis,
    scope: Scope,
) -> Vec<Freedom> {
    let theirs: Vec<Port> = hypothesis.order.iter().map(|&j| second.1[j].clone()).collect();
    freedoms(first, (second.0, &theirs), hypothesis, scope)
}

/// diag(c) H diag(c)⁻¹ for numbers c, none of them zero.
pub fn scaled(
    r: Realization<OperatorPolynomial>,
    c: &[RationalFunction],
) -> Result<Realization<OperatorPolynomial>, Exhausted> {
    if c.iter().all(RationalFunction::is_one) {
        return Ok(r);
    }
    let diagonal = |n: usize, of: &dyn Fn(usize) -> RationalFunction| {
        let cell = |i: usize| OperatorPolynomial::scalar(of(i));
        Matrix::from_fn(n, n, |i, j| if i == j { cell(i) } else { OperatorPolynomial::zero() })
    };
    let left = diagonal(c.len(), &|i| c[i].clone());
    // Constants are not answers.
    let inverse = |i: usize| c.get(i).map_or_else(RationalFunction::one, |c| c.inverse().expect("c is not zero"));
    let right = diagonal(r.d.cols(), &inverse);
    let (b, c, d) = (r.b.mul(&right)?, left.mul(&r.c)?, left.mul(&r.d)?.mul(&right)?);
    Ok(Realization { b, c, d, ..r })
}

impl Search<'_> {
    /// The channels of the second in the first's oracles, scaled by numbers that are to be found; none of them is
    /// zero. Channel i of the second at its time k is that of the first at time k + m_i, and so are their steps.
    pub fn channels(&self, shift: &[i64]) -> Result<Vec<Scaled>, Exhausted> {
        let mut ports = self.a.ports.clone();
        for (port, m) in ports.iter_mut().zip(shift) {
            port.oracle = port.oracle.with_numbers(&mut |r| self.matching.joint.advanced(r, *m))?;
        }
        let none = vec![Freedom::Shift; ports.len()];
        let freedom = if self.freedom.is_empty() { &none } else { self.freedom };
        scaled_channels(self.hypothesis, (&ports, &self.b.ports), freedom, true)
    }

    /// The numbers.
    pub fn scales(&self) -> Vec<Variable> {
        if self.freedom.is_empty() {
            return Vec::new();
        }
        self.channels(&vec![0; self.a.ports.len()]).map_or_else(|_| Vec::new(), |channels| unknowns(&channels))
    }

    /// The channels with the numbers of a branch; nothing if one that must be positive is not.
    pub fn gauge(&self, shift: &[i64], branch: &mut Branch) -> Result<Option<Gauge>, Exhausted> {
        Gauge::free(shift.to_vec(), self.freedom).settled(&self.channels(shift)?, &self.scales(), branch)
    }

    /// Whether numbers that make coefficients agree would have to change with the index.
    pub fn asks_for_running_scales(&self, both: &Sequences) -> Result<bool, Exhausted> {
        if self.scales().is_empty() {
            return Ok(false);
        }
        let (x, y) = (both.x.first(FEW_LAGS)?, both.y.first(FEW_LAGS)?);
        for (m, n) in x.iter().zip(y.iter()) {
            for (i, j) in (0..both.shift.len()).flat_map(|i| (0..both.shift.len()).map(move |j| (i, j))) {
                let theirs = n[(i, j)].terms();
                for (word, c) in m[(i, j)].terms() {
                    let other = theirs.iter().find(|(w, _)| *w == word);
                    if let Some((_, d)) = other
                        && c.div(d)?.is_some_and(|quotient| varies(&quotient))
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
