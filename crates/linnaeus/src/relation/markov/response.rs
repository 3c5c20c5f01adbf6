//! The Markov parameters of a realization, computed as far as they are asked for: coefficients that change
//! with the index make late ones large, and the first ones often say it all.

use super::Entries;
use crate::operator::OperatorPolynomial;
use crate::system::schedule::Schedules;
use crate::transfer::Realization;
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, RationalFunction, SortedSet};
use std::cell::{Ref, RefCell};
use std::ops::Range;

/// D, CB, CAB, … at time k.
pub struct Response<'a> {
    source: Option<(&'a Realization<OperatorPolynomial>, &'a Schedules)>,
    known: RefCell<Known>,
}

/// What is computed, and the product that the next one begins with.
struct Known {
    list: Vec<Entries>,
    left: Entries,
}

impl<'a> Response<'a> {
    /// That of a realization.
    pub fn new(realization: &'a Realization<OperatorPolynomial>, schedules: &'a Schedules) -> Response<'a> {
        let known = Known { list: vec![realization.d.clone()], left: realization.c.clone() };
        Response { source: Some((realization, schedules)), known: RefCell::new(known) }
    }

    /// One of which these are all that is known.
    pub fn of(list: Vec<Entries>) -> Response<'static> {
        Response { source: None, known: RefCell::new(Known { list, left: Matrix::zero(0, 0) }) }
    }

    /// That of which it is, if it is known.
    pub fn realization(&self) -> Option<&'a Realization<OperatorPolynomial>> {
        self.source.map(|(r, _)| r)
    }

    /// The first ones, so many or all that are known.
    pub fn first(&self, count: usize) -> Result<Ref<'_, [Entries]>, Exhausted> {
        if let Some((r, schedules)) = self.source {
            let mut known = self.known.borrow_mut();
            for j in known.list.len()..count {
                let ago = |m: &Entries| m.try_map(|e| schedules.advanced_operator(e, -(j as i64)));
                let next = known.left.mul(&ago(&r.b)?)?;
                known.left = known.left.mul(&ago(&r.a)?)?;
                known.list.push(next);
            }
        }
        Ok(Ref::map(self.known.borrow(), |known| &known.list[..count.min(known.list.len())]))
    }

    /// All coefficients at some lags.
    pub fn coefficients(&self, lags: Range<usize>) -> Result<SortedSet<RationalFunction>, Exhausted> {
        let list = self.first(lags.end)?;
        let entries = list.iter().skip(lags.start).flat_map(|m| (0..m.rows()).flat_map(move |i| m.row(i)));
        Ok(entries.flat_map(OperatorPolynomial::terms).map(|(_, c)| c.clone()).collect())
    }

    /// An entry at a lag; zero where there is none.
    pub fn entry(&self, lag: i64, i: usize, j: usize) -> Result<OperatorPolynomial, Exhausted> {
        let Ok(lag) = usize::try_from(lag) else { return Ok(OperatorPolynomial::zero()) };
        let list = self.first(lag + 1)?;
        let entry = list.get(lag).filter(|m| j < m.cols()).map(|m| m[(i, j)].clone());
        Ok(entry.unwrap_or_else(OperatorPolynomial::zero))
    }

    /// By rows and columns the first of so many lags at which an entry is not zero. Those at which it must
    /// be, for want of a path from answer to query, are not computed.
    pub fn delays(&self, p: usize, count: usize) -> Result<Vec<Vec<Option<i64>>>, Exhausted> {
        let mut found = vec![vec![None; p]; p];
        let paths = self.source.map(|(r, _)| paths(r, count));
        let may_be = |lag: usize, i: usize, j: usize| paths.as_ref().is_none_or(|paths| paths[lag][i][j]);
        for lag in 0..count {
            let is_open = |i: usize, j: usize| (lag..count).any(|l| may_be(l, i, j));
            let open = (0..p).flat_map(|i| (0..p).map(move |j| (i, j)));
            let open: Vec<(usize, usize)> = open.filter(|(i, j)| found[*i][*j].is_none() && is_open(*i, *j)).collect();
            if open.is_empty() {
                break;
            }
            let list = self.first(lag + 1)?;
            for (i, j) in open {
                found[i][j] = list.get(lag).filter(|m| !m[(i, j)].is_zero()).map(|_| lag as i64);
            }
        }
        Ok(found)
    }
}

/// Whether there is a path from an answer to a query, by lag, query and answer.
fn paths(r: &Realization<OperatorPolynomial>, count: usize) -> Vec<Vec<Vec<bool>>> {
    let pattern = |m: &Entries| -> Vec<Vec<bool>> {
        (0..m.rows()).map(|i| m.row(i).iter().map(|e| !e.is_zero()).collect()).collect()
    };
    let after = |x: &[Vec<bool>], y: &[Vec<bool>], cols: usize| -> Vec<Vec<bool>> {
        let entry = |row: &Vec<bool>, j: usize| row.iter().zip(y).any(|(x, y)| *x && y[j]);
        x.iter().map(|row| (0..cols).map(|j| entry(row, j)).collect()).collect()
    };
    let (a, b, mut left) = (pattern(&r.a), pattern(&r.b), pattern(&r.c));
    let mut found = vec![pattern(&r.d)];
    for _ in 1..count {
        found.push(after(&left, &b, r.b.cols()));
        left = after(&left, &a, r.a.cols());
    }
    found
}
