//! Numbers by which both signals of a channel may be multiplied: an oracle that is homogeneous commutes with them.

use super::equations::Sequences;
use super::reading::Search;
use super::solving::FEW_LAGS;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Port;
use crate::relation::hypothesis::Hypothesis;
use crate::relation::operators::scale;
use crate::relation::scaling::{Freedom, freedoms, on_branch};
use crate::relation::search::Names;
use crate::relation::verdict::{Assumption, Relation};
use crate::system::LinearSystem;
use crate::system::schedule::varies;
use crate::transfer::Realization;
use linnaeus_algebra::solve::Branch;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Rational, RationalFunction, Variable};

/// The numbers of every pair, and what is assumed of them.
pub type Filters = (Vec<RationalFunction>, Vec<Assumption>);

/// What the oracles of every pair commute with.
pub fn freedoms_of(
    first: (&LinearSystem, &[Port]),
    second: (&LinearSystem, &[Port]),
    hypothesis: &Hypothesis,
    names: Names,
) -> Vec<Freedom> {
    let theirs: Vec<Port> = hypothesis.order.iter().map(|&j| second.1[j].clone()).collect();
    freedoms(first, (second.0, &theirs), names)
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
    /// The numbers that are to be found; none of them is zero.
    pub fn scales(&self) -> Vec<Variable> {
        let free = self.freedom.iter().enumerate().filter(|(_, f)| **f != Freedom::Shift);
        free.map(|(i, _)| scale(i)).collect()
    }

    fn scale(&self, i: usize) -> RationalFunction {
        match self.freedom.get(i) {
            None | Some(Freedom::Shift) => RationalFunction::one(),
            Some(_) => RationalFunction::variable(scale(i)),
        }
    }

    /// diag(c) H diag(c)⁻¹.
    pub fn scaled(&self, r: Realization<OperatorPolynomial>) -> Result<Realization<OperatorPolynomial>, Exhausted> {
        let numbers: Vec<RationalFunction> = (0..r.c.rows()).map(|i| self.scale(i)).collect();
        scaled(r, &numbers)
    }

    /// The numbers on a branch; nothing if one that must be positive is not.
    pub fn filters(&self, branch: &Branch) -> Result<Option<Filters>, Exhausted> {
        let (mut filters, mut assumptions) = (Vec::new(), Vec::new());
        for (i, freedom) in self.freedom.iter().enumerate() {
            let Some(c) = on_branch(&self.scale(i), branch)? else {
                return Ok(None);
            };
            match c.as_rational() {
                Some(c) if *freedom == Freedom::Positive && c <= Rational::ZERO => return Ok(None),
                None if *freedom == Freedom::Positive => assumptions.push(Assumption::Positive(c.clone())),
                _ => {}
            }
            filters.push(c);
        }
        Ok(Some((filters, assumptions)))
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

    /// What two algorithms related by such numbers are called.
    pub fn relation_of(&self, filters: &[RationalFunction], plain: Relation) -> Relation {
        let used = |f: Freedom| self.freedom.iter().zip(filters).any(|(g, c)| *g == f && !c.is_one());
        match (used(Freedom::Filter), used(Freedom::Positive)) {
            (true, _) => Relation::LinearOracle,
            (false, true) => Relation::Homogeneous,
            (false, false) => plain,
        }
    }
}
