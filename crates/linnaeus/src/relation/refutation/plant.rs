//! Realizations in numbers: vectors are lists of numbers, operators are matrices.

use super::super::behavior::Side;
use super::super::verdict::NoRun;
use super::numbers::{Point, is_commuting};
use crate::operator::OperatorPolynomial;
use crate::transfer::{Analysis, Realization, State, Transfer, over_operators};
use linnaeus_algebra::{Exhausted, Matrix, Rational, RationalFunction, spend};

type Rows = Vec<Vec<Rational>>;

/// The realization as written; inputs are answers, then constants. Every vector has as many
/// components, which stand one after another.
pub struct Plant<'a> {
    pub states: Vec<State>,
    /// How many components a vector has.
    pub size: usize,
    pub channels: usize,
    pub constants: usize,
    side: Side,
    point: &'a Point,
    realization: Coefficients<'a>,
}

/// A matrix of numbers, or of polynomials in operators and sequences.
enum Coefficients<'a> {
    Commuting(&'a Realization<RationalFunction>),
    Words(Box<Realization<OperatorPolynomial>>),
}

/// One of A, B, C, D.
#[derive(Copy, Clone)]
enum Part {
    A,
    B,
    C,
    D,
}

impl<'a> Plant<'a> {
    pub fn new(
        analysis: &'a Analysis,
        other: &Analysis,
        side: Side,
        size: usize,
        point: &'a Point,
    ) -> Result<Plant<'a>, NoRun> {
        let realization = match &analysis.transfer {
            Transfer::Commuting { realization, .. } if is_commuting(other) => Coefficients::Commuting(realization),
            Transfer::Commuting { .. } => Coefficients::Words(Box::new(over_operators(analysis)?)),
            Transfer::Noncommuting { realization, .. } => Coefficients::Words(Box::new(realization.clone())),
        };
        let states = match &realization {
            Coefficients::Commuting(r) => r.states.clone(),
            Coefficients::Words(r) => r.states.clone(),
        };
        let (channels, constants) = (analysis.channels.len(), analysis.system.constants.len());
        Ok(Plant { states, size, channels, constants, side, point, realization })
    }

    /// The numbers of a matrix in an iteration.
    fn rows(&self, part: Part, iteration: usize) -> Result<Rows, NoRun> {
        let time = iteration as i64;
        match &self.realization {
            Coefficients::Commuting(r) => {
                let m = chosen(r, part);
                let at = |e: &RationalFunction| self.point.value(&e.rename(&|v| self.side.place(v)), time);
                (0..m.rows()).map(|i| m.row(i).iter().map(at).collect()).collect()
            }
            Coefficients::Words(r) => {
                let m = chosen(r, part);
                let mut rows = vec![vec![Rational::ZERO; m.cols() * self.size]; m.rows() * self.size];
                for (i, j) in (0..m.rows()).flat_map(|i| (0..m.cols()).map(move |j| (i, j))) {
                    let mut place = |c: &RationalFunction| Ok(c.rename(&|v| self.point.placed(self.side, v)));
                    let block = self.point.polynomial(self.side, &m[(i, j)].map_coefficients(&mut place)?, time)?;
                    for (x, y) in (0..self.size).flat_map(|x| (0..self.size).map(move |y| (x, y))) {
                        let number = block[(x, y)].as_rational().ok_or(NoRun::Numbers)?;
                        rows[i * self.size + x][j * self.size + y] = self.point.reduced(number)?;
                    }
                }
                Ok(rows)
            }
        }
    }

    /// The components of all queries.
    pub fn queries(&self, k: usize, state: &[Rational], inputs: &[Rational]) -> Result<Vec<Rational>, NoRun> {
        let (c, d) = (self.rows(Part::C, k)?, self.rows(Part::D, k)?);
        c.iter().zip(&d).map(|(c, d)| self.point.reduced(dot(c, state)? + dot(d, inputs)?)).collect()
    }

    /// The next state.
    pub fn next(&self, k: usize, state: &[Rational], inputs: &[Rational]) -> Result<Vec<Rational>, NoRun> {
        let (a, b) = (self.rows(Part::A, k)?, self.rows(Part::B, k)?);
        a.iter().zip(&b).map(|(a, b)| self.point.reduced(dot(a, state)? + dot(b, inputs)?)).collect()
    }
}

fn chosen<T>(r: &Realization<T>, part: Part) -> &Matrix<T> {
    match part {
        Part::A => &r.a,
        Part::B => &r.b,
        Part::C => &r.c,
        Part::D => &r.d,
    }
}

fn dot(row: &[Rational], x: &[Rational]) -> Result<Rational, Exhausted> {
    spend(NUMBER * row.len() as u64)?;
    Ok(row.iter().zip(x).filter(|(r, _)| !r.is_zero()).fold(Rational::ZERO, |sum, (r, x)| sum + r * x))
}

/// What an operation with numbers costs.
const NUMBER: u64 = 4;

/// The second algorithm from an unknown start w: its state is X w + x.
pub struct Follower<'a> {
    plant: &'a Plant<'a>,
    /// One row per component, the last entry x.
    state: Rows,
    /// Equations for w in echelon form, the last entry the right-hand side.
    known: Rows,
}

impl<'a> Follower<'a> {
    pub fn new(plant: &'a Plant<'a>) -> Follower<'a> {
        let n = plant.states.len() * plant.size;
        let unit = |i: usize| (0..=n).map(|j| if i == j { Rational::ONE } else { Rational::ZERO }).collect();
        Follower { plant, state: (0..n).map(unit).collect(), known: Vec::new() }
    }

    fn combined(&self, row: &[Rational]) -> Result<Vec<Rational>, NoRun> {
        let n = self.state.len();
        let filled = row.iter().filter(|c| !c.is_zero()).count();
        spend(NUMBER * (n + 1) as u64 * filled as u64)?;
        let column = |j: usize| {
            row.iter()
                .zip(&self.state)
                .fold(Rational::ZERO, |sum, (c, x)| if c.is_zero() { sum } else { sum + c * &x[j] })
        };
        (0..=n).map(|j| self.plant.point.reduced(column(j))).collect()
    }

    /// Demands a query of a channel in iteration k; if what was demanded before rules it out, the
    /// query that is asked instead.
    pub fn must_ask(
        &mut self,
        (k, j): (usize, usize),
        query: &[Rational],
        inputs: &[Rational],
    ) -> Result<Option<Vec<Rational>>, NoRun> {
        let (c, d) = (self.plant.rows(Part::C, k)?, self.plant.rows(Part::D, k)?);
        let mut asked = query.to_vec();
        for (n, wanted) in query.iter().enumerate() {
            let at = j * self.plant.size + n;
            let mut row = self.combined(&c[at])?;
            let rhs = row.len() - 1;
            let reduced = |x: Rational| self.plant.point.reduced(x);
            row[rhs] = reduced(wanted - (&row[rhs] + dot(&d[at], inputs)?))?;
            for known in &self.known {
                let pivot = known.iter().position(|x| !x.is_zero()).expect("no empty row");
                if !row[pivot].is_zero() {
                    spend(NUMBER * row.len() as u64)?;
                    let factor = &row[pivot] / &known[pivot];
                    for (x, y) in row.iter_mut().zip(known) {
                        *x = reduced(&*x - &factor * y)?;
                    }
                }
            }
            match row.iter().position(|x| !x.is_zero()) {
                None => {}
                Some(p) if p == rhs => asked[n] = reduced(wanted - &row[rhs])?,
                Some(_) => self.known.push(row),
            }
        }
        Ok((asked != query).then_some(asked))
    }

    /// Goes on to the next iteration.
    pub fn advance(&mut self, k: usize, inputs: &[Rational]) -> Result<(), NoRun> {
        let (a, b) = (self.plant.rows(Part::A, k)?, self.plant.rows(Part::B, k)?);
        let mut next: Rows = a.iter().map(|row| self.combined(row)).collect::<Result<_, _>>()?;
        for (row, b) in next.iter_mut().zip(&b) {
            let last = row.len() - 1;
            row[last] = self.plant.point.reduced(&row[last] + dot(b, inputs)?)?;
        }
        self.state = next;
        Ok(())
    }
}
