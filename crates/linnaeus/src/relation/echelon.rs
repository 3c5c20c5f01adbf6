//! Linear equations U w + G s = 0 over operator polynomials, for unknown w and given s. A pivot is a cell
//! of one term, or one of several that divides all of its row. Operators need have no inverses: a row is
//! divided on the left only by what divides all of it, so that (W − V) y = (W − V) x is solved by y = x.

use crate::operator::{OperatorPolynomial, Word};
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, SortedSet};

type Cells = Vec<OperatorPolynomial>;

/// Whether a polynomial in coefficients is zero: that may depend on the rules of sequences.
pub type Vanishes<'a> = &'a dyn Fn(&Polynomial) -> Result<bool, Exhausted>;

/// Equations in echelon form: a row is zero, where division allows, at the pivots of those before it.
pub struct Equations<'a> {
    vanishes: Vanishes<'a>,
    /// Operators that the texts themselves invert.
    invertible: SortedSet<u16>,
    /// How many of the cells belong to unknowns.
    unknowns: usize,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    cells: Cells,
    pivot: Option<usize>,
    kind: Kind,
}

/// What a row says.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The unknown at the pivot, whose cell is 1.
    Solved,
    /// Something of unknowns that cannot be divided out.
    Open,
    /// Something of what is given alone.
    Condition,
}

/// Values of the unknowns, and what must vanish.
pub struct Solution {
    /// One row per unknown, over what is given.
    pub values: Vec<Cells>,
    /// Combinations of what is given.
    pub conditions: Vec<Cells>,
    /// Unknowns of which the equations leave no choice.
    pub determined: SortedSet<usize>,
}

/// Unknowns that no division isolates.
pub type Unsolved = SortedSet<usize>;

impl<'a> Equations<'a> {
    /// No equations yet.
    pub fn new(vanishes: Vanishes<'a>, invertible: SortedSet<u16>, unknowns: usize) -> Equations<'a> {
        Equations { vanishes, invertible, unknowns, rows: Vec::new() }
    }

    /// Adds an equation, and says whether it did not follow from those before.
    pub fn add(&mut self, cells: Cells) -> Result<bool, Exhausted> {
        let cells = self.reduced(cells)?;
        if cells.iter().all(OperatorPolynomial::is_zero) {
            return Ok(false);
        }
        // What an operator is applied to is zero only if the operator has an inverse, but it may be chosen so.
        let row = if self.is_condition(&cells) {
            Row { kind: Kind::Condition, ..self.divided_by_pivot(cells, self.unknowns)? }
        } else {
            self.solved(cells)?
        };
        self.rows.push(row);
        Ok(true)
    }

    fn is_condition(&self, cells: &Cells) -> bool {
        cells[..self.unknowns].iter().all(OperatorPolynomial::is_zero)
    }

    /// Solves for all unknowns in terms of what is given, of which the first are known and others only stand in
    /// equations. Those that are wished to have a value have it where the equations allow
    /// it; what is still open is divided as far as it goes, or else zero. If the equations do not hold
    /// then, the unknowns in them.
    pub fn solve(
        mut self,
        (known, given): (usize, usize),
        wishes: &[(usize, Cells)],
    ) -> Result<Result<Solution, Unsolved>, Exhausted> {
        let (open, rows): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.rows).into_iter().partition(|r| r.kind == Kind::Open);
        let mut open: Vec<Cells> = open.into_iter().map(|r| r.cells).collect();
        self.rows = rows;
        self.solve_open(&mut open)?;
        let mut determined = SortedSet::new();
        for j in 0..self.unknowns {
            let left = self.reduced(self.equal(j, &vec![OperatorPolynomial::zero(); given]))?;
            if left[..self.unknowns].iter().all(OperatorPolynomial::is_zero) {
                determined.insert(j);
            }
        }
        let mut granted = Vec::new();
        for (j, value) in wishes {
            let cells = self.reduced(self.equal(*j, value))?;
            if cells.iter().all(OperatorPolynomial::is_zero) {
                granted.push((*j, value.clone()));
            } else if !cells[..self.unknowns].iter().all(OperatorPolynomial::is_zero) {
                let row = self.solved(cells)?;
                let allowed = row.kind == Kind::Solved;
                self.rows.push(row);
                if !allowed || self.is_contradicted(&open)? {
                    self.rows.pop();
                }
            }
        }
        let mut unsolved = Unsolved::new();
        for cells in &open {
            let left = self.reduced(cells.clone())?;
            unsolved.extend((0..self.unknowns).filter(|j| !left[*j].is_zero()));
        }
        for cells in &open {
            while let Some(row) = self.divided(self.reduced(cells.clone())?)? {
                self.rows.push(row);
            }
        }
        for j in 0..self.unknowns {
            if !self.rows.iter().any(|r| r.kind == Kind::Solved && r.pivot == Some(j)) {
                let cells = self.equal(j, &vec![OperatorPolynomial::zero(); given]);
                self.rows.push(Row { cells, pivot: Some(j), kind: Kind::Solved });
            }
        }
        for cells in open {
            if !self.reduced(cells)?.iter().all(OperatorPolynomial::is_zero) {
                return Ok(Err(unsolved));
            }
        }
        let (conditions, solved): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.rows).into_iter().partition(|r| r.kind == Kind::Condition);
        let mut values: Vec<Cells> = vec![Vec::new(); self.unknowns];
        self.rows = solved;
        for i in (0..self.rows.len()).rev() {
            // Zero at the pivots before; those after are put in.
            let later: Vec<Row> = self.rows[i + 1..].to_vec();
            let cells = self.rows[i].cells.clone();
            let cells = later.iter().try_fold(cells, |cells, r| self.without(cells, r))?;
            let pivot = self.rows[i].pivot.expect("a pivot");
            values[pivot] = cells[self.unknowns..].iter().map(OperatorPolynomial::neg).collect();
            self.rows[i].cells = cells;
        }
        self.rows = conditions;
        for i in (0..self.rows.len()).rev() {
            let later: Vec<Row> = self.rows[i + 1..].to_vec();
            let cells = self.rows[i].cells.clone();
            self.rows[i].cells = later.iter().try_fold(cells, |cells, r| self.without(cells, r))?;
        }
        let conditions = std::mem::take(&mut self.rows);
        let is_known = |row: &&Row| row.cells[self.unknowns + known..].iter().all(OperatorPolynomial::is_zero);
        self.rows = conditions.iter().filter(is_known).cloned().collect();
        for value in &mut values {
            *value = self.reduced(self.padded(value))?.split_off(self.unknowns);
        }
        // The rules of sequences may make one value of what looks like another.
        granted.into_iter().for_each(|(j, value)| values[j] = value);
        let conditions = conditions.iter().map(|r| r.cells[self.unknowns..].to_vec()).collect();
        Ok(Ok(Solution { values, conditions, determined }))
    }

    /// Adds again what has become divisible since unknowns were solved for, or speaks of what is given alone.
    fn solve_open(&mut self, open: &mut Vec<Cells>) -> Result<(), Exhausted> {
        loop {
            let (before, all) = (self.rows.len(), std::mem::take(open));
            for cells in all {
                if self.add(cells.clone())? && self.rows.pop_if(|row| row.kind == Kind::Open).is_some() {
                    open.push(cells);
                }
            }
            if self.rows.len() == before {
                return Ok(());
            }
        }
    }

    /// Whether an equation now speaks of what is given alone.
    fn is_contradicted(&self, equations: &[Cells]) -> Result<bool, Exhausted> {
        for cells in equations {
            let left = self.reduced(cells.clone())?;
            let (unknown, given) = left.split_at(self.unknowns);
            if unknown.iter().all(OperatorPolynomial::is_zero) && !given.iter().all(OperatorPolynomial::is_zero) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The equation between an unknown and a value.
    fn equal(&self, j: usize, value: &Cells) -> Cells {
        let mut cells = self.padded(&value.iter().map(OperatorPolynomial::neg).collect());
        cells[j] = OperatorPolynomial::one();
        cells
    }

    fn padded(&self, given: &Cells) -> Cells {
        let zeros = vec![OperatorPolynomial::zero(); self.unknowns];
        zeros.into_iter().chain(given.iter().cloned()).collect()
    }

    fn reduced(&self, cells: Cells) -> Result<Cells, Exhausted> {
        let cells = cells.iter().map(|c| self.clean(c)).collect::<Result<Cells, _>>()?;
        self.rows.iter().try_fold(cells, |cells, row| self.without(cells, row))
    }

    /// The cells minus that multiple of a row which makes them zero at its pivot, as far as it divides.
    fn without(&self, mut cells: Cells, row: &Row) -> Result<Cells, Exhausted> {
        let Some(pivot) = row.pivot.filter(|p| !cells[*p].is_zero()) else {
            return Ok(cells);
        };
        let Some(inverse) = row.cells[pivot].inverse()? else {
            return Ok(cells);
        };
        let factor = self.divisible(&cells[pivot].mul(&inverse)?);
        if factor.is_zero() {
            return Ok(cells);
        }
        for (x, r) in cells.iter_mut().zip(&row.cells).filter(|(_, r)| !r.is_zero()) {
            *x = self.clean(&x.sub(&factor.mul(r)?)?)?;
        }
        Ok(cells)
    }

    /// Without the coefficients that the rules of sequences make zero.
    fn clean(&self, p: &OperatorPolynomial) -> Result<OperatorPolynomial, Exhausted> {
        p.map_coefficients(&mut |c| {
            let zero = (self.vanishes)(c.numerator())?;
            Ok(if zero { RationalFunction::zero() } else { c.clone() })
        })
    }

    fn is_divided(&self, word: &Word) -> bool {
        word.iter().all(|l| !l.inverse || self.invertible.contains(&l.operator))
    }

    /// The terms that hold no inverse of an operator that may have none.
    fn divisible(&self, p: &OperatorPolynomial) -> OperatorPolynomial {
        p.filtered(&|word| self.is_divided(word))
    }

    /// Cells of one term, those of the shortest word first.
    fn candidates(&self, cells: &Cells, from: usize, to: usize) -> Vec<usize> {
        let mut found: Vec<usize> = (from..to).filter(|j| cells[*j].terms().len() == 1).collect();
        let length = |j: usize| cells[j].terms().first().map_or(0, |(word, _)| word.len());
        found.sort_by_key(|&j| (length(j), cells[j].weight()));
        found
    }

    /// A row that says something of unknowns.
    fn solved(&self, cells: Cells) -> Result<Row, Exhausted> {
        let row = self.divided_by_pivot(cells, 0)?;
        Ok(if row.kind == Kind::Open { self.divided_by_sum(row)? } else { row })
    }

    /// An open row divided on the left by the cell of an unknown that is a sum of words, if it divides all.
    fn divided_by_sum(&self, row: Row) -> Result<Row, Exhausted> {
        let mut sums: Vec<usize> = (0..self.unknowns).filter(|j| row.cells[*j].terms().len() > 1).collect();
        sums.sort_by_key(|&j| row.cells[j].weight());
        for j in sums {
            let quotients = row.cells.iter().map(|c| self.quotient(c, &row.cells[j]));
            if let Some(cells) = quotients.collect::<Result<Option<Cells>, _>>()? {
                return Ok(Row { cells, pivot: Some(j), kind: Kind::Solved });
            }
        }
        Ok(row)
    }

    /// q with d q = p, if there is one: the last word of a product, long words being behind short ones, is those of its
    /// factors one after the other.
    fn quotient(
        &self,
        p: &OperatorPolynomial,
        d: &OperatorPolynomial,
    ) -> Result<Option<OperatorPolynomial>, Exhausted> {
        let last = |p: &OperatorPolynomial| p.terms().last().map(|(word, _)| (word.len(), (*word).clone()));
        let lead = |p: &OperatorPolynomial| {
            let word = last(p);
            p.filtered(&|w| word.as_ref().is_some_and(|(_, last)| w == last))
        };
        let Some(inverse) = lead(d).inverse()? else { return Ok(None) };
        let (mut left, mut found) = (p.clone(), OperatorPolynomial::zero());
        while !left.is_zero() {
            let term = inverse.mul(&lead(&left))?;
            let rest = self.clean(&left.sub(&d.mul(&term)?)?)?;
            if self.divisible(&term) != term || last(&rest) >= last(&left) {
                return Ok(None);
            }
            found = found.add(&term)?;
            left = rest;
        }
        Ok(Some(found))
    }

    /// The row divided on the left by one of its cells from a place on, or as it is if none divides it.
    fn divided_by_pivot(&self, cells: Cells, from: usize) -> Result<Row, Exhausted> {
        let to = if from < self.unknowns { self.unknowns } else { cells.len() };
        let candidates = self.candidates(&cells, from, to);
        for &j in &candidates {
            let Some(inverse) = cells[j].inverse()? else { continue };
            let divided = cells.iter().map(|c| inverse.mul(c)).collect::<Result<Cells, _>>()?;
            if divided.iter().all(|c| self.divisible(c) == *c) {
                return Ok(Row { cells: divided, pivot: Some(j), kind: Kind::Solved });
            }
        }
        Ok(Row { cells, pivot: candidates.first().copied(), kind: Kind::Open })
    }

    /// That part of an open row which can be divided by the cell of an unknown.
    fn divided(&self, cells: Cells) -> Result<Option<Row>, Exhausted> {
        for j in self.candidates(&cells, 0, self.unknowns) {
            if let Some(inverse) = cells[j].inverse()? {
                let parts = cells.iter().map(|c| Ok(self.divisible(&inverse.mul(c)?)));
                let cells = parts.collect::<Result<Cells, Exhausted>>()?;
                return Ok(Some(Row { cells, pivot: Some(j), kind: Kind::Solved }));
            }
        }
        Ok(None)
    }
}
