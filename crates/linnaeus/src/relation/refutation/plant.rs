//! Realizations in numbers: vectors are lists of numbers, operators are matrices.

use super::super::behavior::Side;
use super::super::verdict::NoRun;
use super::numbers::{Point, is_commuting};
use crate::operator::OperatorPolynomial;
use crate::transfer::{Analysis, Realization, State, Transfer, over_operators};
use linnaeus_algebra::{Exhausted, Matrix, Rational, RationalFunction, SortedSet, spend};

type Rows = Vec<Vec<Rational>>;

/// Calls whose answers something depends on, by iteration and channel.
pub type Heard = SortedSet<(usize, usize)>;

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
            Transfer::Commuting { realization, .. } if is_commuting(other) && size == 1 => {
                Coefficients::Commuting(realization)
            }
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

    /// Puts in the answers of channels that multiply their queries.
    pub fn answer(
        &self,
        k: usize,
        state: &[Rational],
        inputs: &mut [Rational],
        gains: &[Option<Matrix<RationalFunction>>],
    ) -> Result<(), NoRun> {
        let size = self.size;
        let linear: Vec<usize> = (0..self.channels * size).filter(|i| gains[i / size].is_some()).collect();
        linear.iter().for_each(|&i| inputs[i] = Rational::ZERO);
        let queries = self.queries(k, state, inputs)?;
        let d = self.rows(Part::D, k)?;
        let number = |x: &Rational| RationalFunction::rational(x);
        let gain = Matrix::from_fn(linear.len(), linear.len(), |i, j| {
            let (x, y) = (linear[i], linear[j]);
            let own = gains[x / size].as_ref().filter(|_| x / size == y / size);
            own.map_or_else(RationalFunction::zero, |m| m[(x % size, y % size)].clone())
        });
        // u = K (y + D u).
        let through = Matrix::from_fn(linear.len(), linear.len(), |i, j| number(&d[linear[i]][linear[j]]));
        let asked = Matrix::from_fn(linear.len(), 1, |i, _| number(&queries[linear[i]]));
        let loops = Matrix::identity(linear.len()).sub(&gain.mul(&through)?)?;
        let answers = loops.solve(&gain.mul(&asked)?)?.ok_or(NoRun::Numbers)?;
        for (i, &at) in linear.iter().enumerate() {
            inputs[at] = self.point.reduced(answers[(i, 0)].as_rational().ok_or(NoRun::Numbers)?)?;
        }
        Ok(())
    }

    /// On which answers the queries of every iteration and channel depend.
    pub fn heard(&self, iterations: usize) -> Result<Vec<Vec<Heard>>, NoRun> {
        let (n, answers) = (self.states.len() * self.size, self.channels * self.size);
        let combined = |k: usize, state: &[Heard], left: &[Rational], right: &[Rational]| -> Heard {
            let old = left.iter().zip(state).filter(|(c, _)| !c.is_zero()).flat_map(|(_, heard)| heard.iter().copied());
            let new = (0..answers).filter(|j| !right[*j].is_zero()).map(|j| (k, j / self.size));
            old.chain(new).collect()
        };
        let mut state: Vec<Heard> = vec![Heard::new(); n];
        let mut found = Vec::new();
        for k in 0..iterations {
            // A state is computed when it is needed, for it may need numbers that do not exist.
            if let Some(before) = k.checked_sub(1) {
                let (a, b) = (self.rows(Part::A, before)?, self.rows(Part::B, before)?);
                state = a.iter().zip(&b).map(|(a, b)| combined(before, &state, a, b)).collect();
            }
            let (c, d) = (self.rows(Part::C, k)?, self.rows(Part::D, k)?);
            let components: Vec<Heard> = c.iter().zip(&d).map(|(c, d)| combined(k, &state, c, d)).collect();
            found.push(components.chunks(self.size).map(|all| all.iter().flatten().copied().collect()).collect());
        }
        Ok(found)
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

/// The second algorithm from an unknown start, with unknown constants, together w: its state is X w + x.
#[derive(Clone)]
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
        let unknowns = n + plant.constants * plant.size;
        let unit = |i: usize| (0..=unknowns).map(|j| if i == j { Rational::ONE } else { Rational::ZERO }).collect();
        Follower { plant, state: (0..n).map(unit).collect(), known: Vec::new() }
    }

    /// What a row of states and a row of inputs come to in terms of w; of the inputs, the answers are known.
    fn combined(&self, states: &[Rational], inputs: &[Rational], answers: &[Rational]) -> Result<Vec<Rational>, NoRun> {
        let n = self.state.len();
        let unknowns = n + self.plant.constants * self.plant.size;
        let filled = states.iter().filter(|c| !c.is_zero()).count();
        spend(NUMBER * (unknowns + 1) as u64 * filled as u64)?;
        let column = |j: usize| {
            states
                .iter()
                .zip(&self.state)
                .fold(Rational::ZERO, |sum, (c, x)| if c.is_zero() { sum } else { sum + c * &x[j] })
        };
        let mut found: Vec<Rational> = (0..=unknowns).map(column).collect();
        for (x, c) in found[n..unknowns].iter_mut().zip(&inputs[answers.len()..]) {
            *x = &*x + c;
        }
        found[unknowns] = &found[unknowns] + dot(&inputs[..answers.len()], answers)?;
        found.into_iter().map(|x| self.plant.point.reduced(x)).collect()
    }

    /// Demands a query of a channel in iteration k; if what was demanded before rules it out, the
    /// query that is asked instead.
    pub fn must_ask(
        &mut self,
        (k, j): (usize, usize),
        query: &[Rational],
        answers: &[Rational],
    ) -> Result<Option<Vec<Rational>>, NoRun> {
        let (c, d) = (self.plant.rows(Part::C, k)?, self.plant.rows(Part::D, k)?);
        let mut asked = query.to_vec();
        for (n, wanted) in query.iter().enumerate() {
            let at = j * self.plant.size + n;
            let mut row = self.combined(&c[at], &d[at], answers)?;
            let rhs = row.len() - 1;
            let reduced = |x: Rational| self.plant.point.reduced(x);
            row[rhs] = reduced(wanted - &row[rhs])?;
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

    /// Demands the queries of some channels, and says whether some start asks all of them.
    pub fn makes(
        &mut self,
        k: usize,
        channels: impl Iterator<Item = usize>,
        wanted: &[(usize, Vec<Rational>)],
        answers: &[Rational],
    ) -> Result<bool, NoRun> {
        for j in channels {
            if self.must_ask((k, j), &wanted[j].1, answers)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on to the next iteration.
    pub fn advance(&mut self, k: usize, answers: &[Rational]) -> Result<(), NoRun> {
        let (a, b) = (self.plant.rows(Part::A, k)?, self.plant.rows(Part::B, k)?);
        let next = a.iter().zip(&b).map(|(a, b)| self.combined(a, b, answers));
        self.state = next.collect::<Result<_, _>>()?;
        Ok(())
    }
}
