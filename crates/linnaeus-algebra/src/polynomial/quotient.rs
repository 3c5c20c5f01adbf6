//! Exact division.

use std::collections::BTreeMap;

use super::frame::{Aligned, degrees};
use super::product::{Grid, words};
use super::{Polynomial, Term, Terms};
use crate::Integer;
use crate::fuel::{Exhausted, charge, spend};
use crate::monomial::Monomial;
use crate::variables::Variable;

/// The outcome of a division in machine arithmetic.
enum Division<M> {
    Exact(Vec<Term<M>>),
    Inexact,
    /// A coefficient left the machine's range; nothing is known.
    Overflow,
}

impl Polynomial {
    /// The quotient, or `None` when `divisor` is zero or does not divide.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let x = Polynomial::variable(Variable(0));
    /// let [p, q] = [1, -1].map(|n| &x + Polynomial::integer(n));
    /// assert_eq!(p.mul(&q).unwrap().exact_divide(&p), Ok(Some(q.clone())));
    /// assert_eq!(q.exact_divide(&p), Ok(None));
    /// ```
    pub fn exact_divide(&self, divisor: &Self) -> Result<Option<Self>, Exhausted> {
        if divisor.is_zero() {
            return Ok(None);
        }
        if self.is_zero() || divisor.is_one() {
            return Ok(Some(self.clone()));
        }
        spend(self.work() + divisor.work())?;
        if !self.may_be_divided_by(divisor) {
            return Ok(None);
        }
        let frame = &self.variables;
        let n = frame.len();
        Ok(match self.aligned(divisor, frame) {
            Aligned::Narrow(a, b) => quotient(&a, &b, n)?.map(|q| Self::from_narrow(frame, q)),
            Aligned::Wide(a, b) => quotient(&a, &b, n)?.map(|q| Self::from_wide(frame, q)),
        })
    }

    /// The quotient by a monomial that divides every term.
    pub(crate) fn divided_by_monomial(&self, powers: &[(Variable, u32)]) -> Self {
        charge(self.term_count());
        let mut exponents = vec![0; self.variables.len()];
        for &(v, e) in powers {
            exponents[self.variables.position(v).expect("the variable occurs")] = e;
        }
        match &self.terms {
            Terms::Narrow(terms) => Self::from_narrow(&self.variables, lowered(terms, &exponents)),
            Terms::Wide(terms) => Self::from_wide(&self.variables, lowered(terms, &exponents)),
        }
    }

    /// The cheap necessary conditions: degrees, and leading and trailing coefficients.
    fn may_be_divided_by(&self, divisor: &Self) -> bool {
        let degree_fits = |(i, &v)| match self.variables.position(v) {
            Some(place) => self.degree_at(place) >= divisor.degree_at(i) && self.order_at(place) >= divisor.order_at(i),
            None => false,
        };
        let last = |p: &Self| p.coefficient(p.term_count() - 1).clone();
        divisor.variables.as_slice().iter().enumerate().all(degree_fits)
            && (self.coefficient(0) % divisor.coefficient(0)).is_zero()
            && (last(self) % last(divisor)).is_zero()
    }
}

fn lowered<M: Monomial>(terms: &[Term<M>], exponents: &[u32]) -> Vec<Term<M>> {
    let by = M::from_exponents(exponents);
    let lower = |(m, c): &Term<M>| (m.divided_by(&by).expect("the monomial divides"), c.clone());
    terms.iter().map(lower).collect()
}

/// The quotient of two nonempty lists in a frame of `n` variables.
fn quotient<M: Monomial>(a: &[Term<M>], b: &[Term<M>], n: usize) -> Result<Option<Vec<Term<M>>>, Exhausted> {
    if let [(m, c)] = b {
        return Ok(divide_by_term(a, m, c));
    }
    let bounds = degrees(a, n);
    let room: Vec<u32> = bounds.iter().zip(degrees(b, n)).map(|(&da, db)| da.saturating_sub(db)).collect();
    if let Some(grid) = Grid::new(&bounds).filter(|g| g.cells <= 64 * a.len() + 256) {
        if let (Some(a), Some(b)) = (machine(a), machine(b)) {
            match dense_machine(&a, &b, &grid, &room)? {
                Division::Exact(q) => return Ok(Some(q)),
                Division::Inexact => return Ok(None),
                Division::Overflow => {}
            }
        }
        return dense(a, b, &grid, &room);
    }
    sparse(a, b, &room)
}

fn divide_by_term<M: Monomial>(a: &[Term<M>], m: &M, c: &Integer) -> Option<Vec<Term<M>>> {
    let divide = |(n, d): &Term<M>| {
        let monomial = n.divided_by(m)?;
        Some((monomial, divide_integer(d, c)?))
    };
    a.iter().map(divide).collect()
}

/// The quotient of integers if it is one.
fn divide_integer(a: &Integer, b: &Integer) -> Option<Integer> {
    if b.is_one() {
        return Some(a.clone());
    }
    let q = a / b;
    (&q * b == *a).then_some(q)
}

fn machine<M: Monomial>(terms: &[Term<M>]) -> Option<Vec<(M, i64)>> {
    terms.iter().map(|(m, c)| Some((m.clone(), i64::try_from(c).ok()?))).collect()
}

/// Is every exponent of `m` at most the one in `room`?
fn fits<M: Monomial>(m: &M, room: &[u32]) -> bool {
    let n = room.len();
    room.iter().enumerate().all(|(i, &r)| m.exponent(n, i) <= r)
}

/// Division in an array, the largest monomial first, with 128-bit coefficients.
///
/// A quotient whose exponents stay within `room` keeps every product within the grid.
fn dense_machine<M: Monomial>(
    a: &[(M, i64)],
    b: &[(M, i64)],
    grid: &Grid,
    room: &[u32],
) -> Result<Division<M>, Exhausted> {
    let mut cells = vec![0i128; grid.cells];
    for (m, c) in a {
        cells[grid.index(m)] = i128::from(*c);
    }
    let (lead, lead_coefficient) = (&b[0].0, i128::from(b[0].1));
    let tail: Vec<(usize, i64)> = b[1..].iter().map(|(m, c)| (grid.index(m), *c)).collect();
    let mut quotient = Vec::new();
    for i in (0..cells.len()).rev() {
        if cells[i] == 0 {
            continue;
        }
        let Some(m) = grid.monomial::<M>(i).divided_by(lead).filter(|m| fits(m, room)) else {
            return Ok(Division::Inexact);
        };
        if cells[i] % lead_coefficient != 0 {
            return Ok(Division::Inexact);
        }
        let Ok(q) = i64::try_from(cells[i] / lead_coefficient) else {
            return Ok(Division::Overflow);
        };
        spend(b.len() as u64)?;
        let base = grid.index(&m);
        for &(j, c) in &tail {
            let cell = &mut cells[base + j];
            match cell.checked_sub(i128::from(q) * i128::from(c)) {
                Some(difference) => *cell = difference,
                None => return Ok(Division::Overflow),
            }
        }
        quotient.push((m, q.into()));
    }
    Ok(Division::Exact(quotient))
}

/// Division in an array with integers of any size.
fn dense<M: Monomial>(
    a: &[Term<M>],
    b: &[Term<M>],
    grid: &Grid,
    room: &[u32],
) -> Result<Option<Vec<Term<M>>>, Exhausted> {
    let mut cells = vec![Integer::ZERO; grid.cells];
    for (m, c) in a {
        cells[grid.index(m)] = c.clone();
    }
    let (lead, lead_coefficient) = &b[0];
    let tail: Vec<(usize, &Integer)> = b[1..].iter().map(|(m, c)| (grid.index(m), c)).collect();
    let b_size: u64 = b.iter().map(|(_, c)| words(c)).sum();
    let mut quotient = Vec::new();
    for i in (0..cells.len()).rev() {
        if cells[i].is_zero() {
            continue;
        }
        let m = grid.monomial::<M>(i).divided_by(lead).filter(|m| fits(m, room));
        let (Some(m), Some(q)) = (m, divide_integer(&cells[i], lead_coefficient)) else {
            return Ok(None);
        };
        spend(words(&q).saturating_mul(b_size))?;
        let base = grid.index(&m);
        for (j, c) in &tail {
            cells[base + j] -= &q * *c;
        }
        quotient.push((m, q));
    }
    Ok(Some(quotient))
}

/// Division of sparse polynomials: the remainder is kept in a search tree.
fn sparse<M: Monomial>(a: &[Term<M>], b: &[Term<M>], room: &[u32]) -> Result<Option<Vec<Term<M>>>, Exhausted> {
    let mut remainder: BTreeMap<M, Integer> = a.iter().cloned().collect();
    let (lead, lead_coefficient) = &b[0];
    let b_size: u64 = b.iter().map(|(_, c)| words(c)).sum();
    let mut quotient = Vec::new();
    while let Some((top, c)) = remainder.pop_last() {
        if c.is_zero() {
            continue;
        }
        let m = top.divided_by(lead).filter(|m| fits(m, room));
        let (Some(m), Some(q)) = (m, divide_integer(&c, lead_coefficient)) else {
            return Ok(None);
        };
        spend(words(&q).saturating_mul(b_size))?;
        for (n, d) in &b[1..] {
            *remainder.entry(m.times(n)).or_insert(Integer::ZERO) -= &q * d;
        }
        quotient.push((m, q));
    }
    Ok(Some(quotient))
}
