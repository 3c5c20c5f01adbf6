//! x⁺ = A x + B u, y = C x + D u with a state that has no names, and what can be done to it: the
//! counterpart on realizations of what relations do to H.

use super::realization::Realization;
use super::span::Span;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction};

type M = Matrix<RationalFunction>;

/// A realization D + C (zI − A)⁻¹ B.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// How the state acts on the next one.
    pub a: M,
    /// How answers act on the next state.
    pub b: M,
    /// How the state enters the queries.
    pub c: M,
    /// How answers enter the queries of the same iteration.
    pub d: M,
}

impl StateSpace {
    /// The realization as written, without its constants.
    pub fn new(r: &Realization<RationalFunction>) -> StateSpace {
        let (n, p) = (all(r.a.rows()), all(r.c.rows()));
        StateSpace { a: r.a.clone(), b: r.b.submatrix(&n, &p), c: r.c.clone(), d: r.d.submatrix(&p, &p) }
    }

    /// The number of stored vectors.
    pub fn order(&self) -> usize {
        self.a.rows()
    }

    /// The kept channels, in their new order, when each other channel only multiplies, u = g y;
    /// nothing if that leaves a loop without a solution.
    pub fn closed(&self, keep: &[usize], gains: &[(usize, RationalFunction)]) -> Result<Option<StateSpace>, Exhausted> {
        let (states, shut) = (all(self.order()), gains.iter().map(|g| g.0).collect::<Vec<_>>());
        let gain = |i: usize| gains[i].1.clone();
        let g = diagonal(gains.len(), gain);
        let loops = Matrix::identity(shut.len()).sub(&g.mul(&self.d.submatrix(&shut, &shut))?)?;
        // u = K (C x + D u′) on the closed channels, u′ being the other answers.
        let Some(k) = loops.solve(&g)? else {
            return Ok(None);
        };
        let from_state = k.mul(&self.c.submatrix(&shut, &states))?;
        let from_kept = k.mul(&self.d.submatrix(&shut, keep))?;
        let (b, d) = (self.b.submatrix(&states, &shut), self.d.submatrix(keep, &shut));
        Ok(Some(StateSpace {
            a: self.a.add(&b.mul(&from_state)?)?,
            b: self.b.submatrix(&states, keep).add(&b.mul(&from_kept)?)?,
            c: self.c.submatrix(keep, &states).add(&d.mul(&from_state)?)?,
            d: self.d.submatrix(keep, keep).add(&d.mul(&from_kept)?)?,
        }))
    }

    /// The same with other oracles: `m[i]` turns a pair (y, u) of channel i into the new pair, and
    /// the state stays what it is. Nothing if new queries would need later answers.
    pub fn in_oracles(&self, m: &[M]) -> Result<Option<StateSpace>, Exhausted> {
        let part = |r: usize, c: usize| diagonal(m.len(), |i| m[i][(r, c)].clone());
        let answers = part(1, 0).mul(&self.d)?.add(&part(1, 1))?;
        // u = K u′ − K m₁₀ C x.
        let Some(k) = answers.inverse()? else {
            return Ok(None);
        };
        let from_state = k.mul(&part(1, 0))?.mul(&self.c)?.neg();
        let queries = part(0, 0).mul(&self.d)?.add(&part(0, 1))?;
        Ok(Some(StateSpace {
            a: self.a.add(&self.b.mul(&from_state)?)?,
            b: self.b.mul(&k)?,
            c: part(0, 0).mul(&self.c)?.add(&queries.mul(&from_state)?)?,
            d: queries.mul(&k)?,
        }))
    }

    /// Channel i runs m_i iterations ahead: Δ_m⁻¹ H Δ_m with Δ_m = diag(z^(-m_i)). The state is
    /// extended by the answers that were given early, channel by channel, the oldest first. Nothing
    /// if a query would need a later answer.
    pub fn ahead(&self, m: &[usize]) -> Result<Option<StateSpace>, Exhausted> {
        let late = self.behind(m)?;
        let (mut c, mut d) = (late.c.clone(), late.d.clone());
        for (i, &steps) in m.iter().enumerate() {
            let mut row = late.c.submatrix(&[i], &all(late.order()));
            let mut direct = late.d.submatrix(&[i], &all(m.len()));
            for _ in 0..steps {
                if !direct.is_zero() {
                    return Ok(None);
                }
                (direct, row) = (row.mul(&late.b)?, row.mul(&late.a)?);
            }
            (0..row.cols()).for_each(|j| c[(i, j)] = row[(0, j)].clone());
            (0..direct.cols()).for_each(|j| d[(i, j)] = direct[(0, j)].clone());
        }
        Ok(Some(StateSpace { c, d, ..late }))
    }

    /// H Δ_m: answers of channel i arrive m_i iterations early and wait.
    fn behind(&self, m: &[usize]) -> Result<StateSpace, Exhausted> {
        let (n, waiting) = (self.order(), m.iter().sum::<usize>());
        let first = |j: usize| n + m[..j].iter().sum::<usize>();
        let zero = |rows: usize, cols: usize| Matrix::<RationalFunction>::zero(rows, cols);
        // Where the system's own answers are read, from the extended state or the input.
        let mut read = (zero(m.len(), n + waiting), zero(m.len(), m.len()));
        let mut a = self.a.hstack(&zero(n, waiting)).vstack(&zero(waiting, n + waiting));
        let mut b = zero(n + waiting, m.len());
        for (j, &steps) in m.iter().enumerate() {
            if steps == 0 {
                read.1[(j, j)] = RationalFunction::one();
                continue;
            }
            read.0[(j, first(j))] = RationalFunction::one();
            for t in first(j)..first(j) + steps - 1 {
                a[(t, t + 1)] = RationalFunction::one();
            }
            b[(first(j) + steps - 1, j)] = RationalFunction::one();
        }
        let taken = self.b.vstack(&zero(waiting, m.len()));
        let seen = self.c.hstack(&zero(m.len(), waiting));
        Ok(StateSpace {
            a: a.add(&taken.mul(&read.0)?)?,
            b: b.add(&taken.mul(&read.1)?)?,
            c: seen.add(&self.d.mul(&read.0)?)?,
            d: self.d.mul(&read.1)?,
        })
    }

    /// Queries and answers exchanged, u = H⁻¹ y, with the same state; nothing if D has no inverse, since then
    /// H⁻¹ is not proper.
    pub fn inverse(&self) -> Result<Option<StateSpace>, Exhausted> {
        let Some(d) = self.d.inverse()? else {
            return Ok(None);
        };
        let b = self.b.mul(&d)?;
        Ok(Some(StateSpace { a: self.a.sub(&b.mul(&self.c)?)?, c: d.mul(&self.c)?.neg(), b, d }))
    }

    /// The same with ξ = S x as state.
    pub fn changed(&self, s: &M, inverse: &M) -> Result<StateSpace, Exhausted> {
        Ok(StateSpace {
            a: s.mul(&self.a)?.mul(inverse)?,
            b: s.mul(&self.b)?,
            c: self.c.mul(inverse)?,
            d: self.d.clone(),
        })
    }

    /// Independent columns that span all of B, AB, A²B, …, the leftmost ones.
    pub fn reachable(&self) -> Result<M, Exhausted> {
        let (a, b) = (self.a.transpose(), self.b.transpose());
        Ok(krylov(&a, &b, &Matrix::identity(self.order()))?.transpose())
    }

    /// Independent functionals (x, ξ) ↦ Q (x, ξ) of the states of two realizations of one H that
    /// vanish iff both make the same queries for ever, given the same answers.
    pub fn difference(&self, other: &StateSpace) -> Result<M, Exhausted> {
        let (n, k) = (self.order(), other.order());
        let upper = self.a.hstack(&Matrix::zero(n, k));
        let a = upper.vstack(&Matrix::zero(k, n).hstack(&other.a));
        let c = self.c.hstack(&other.c.neg());
        krylov(&a, &c, &Matrix::identity(n + k))
    }
}

/// The topmost rows of C, CA, CA², … that are independent on the columns of `on`. A row that depends
/// on those above it does so for ever after, if A maps the span of `on` into itself, so only the
/// others are continued.
pub(super) fn krylov(a: &M, c: &M, on: &M) -> Result<M, Exhausted> {
    let mut span = Span::default();
    let mut rows: Vec<Vec<RationalFunction>> = Vec::new();
    let mut block = c.clone();
    while block.rows() > 0 {
        let kept = span.extend(&block.mul(on)?)?;
        block = block.submatrix(&kept, &all(a.rows()));
        rows.extend((0..block.rows()).map(|i| block.row(i).to_vec()));
        block = block.mul(a)?;
    }
    Ok(Matrix::from_fn(rows.len(), a.rows(), |i, j| rows[i][j].clone()))
}

/// The rows of [`krylov`] on all of the space, those that continue the same row of C together: C_i, C_i A, ….
pub fn chains(a: &M, c: &M) -> Result<Vec<Vec<Vec<RationalFunction>>>, Exhausted> {
    let mut span = Span::default();
    let mut chains: Vec<Vec<Vec<RationalFunction>>> = vec![Vec::new(); c.rows()];
    let mut owners: Vec<usize> = (0..c.rows()).collect();
    let mut block = c.clone();
    while block.rows() > 0 {
        let kept = span.extend(&block)?;
        block = block.submatrix(&kept, &all(a.rows()));
        owners = kept.iter().map(|&i| owners[i]).collect();
        owners.iter().enumerate().for_each(|(i, &owner)| chains[owner].push(block.row(i).to_vec()));
        block = block.mul(a)?;
    }
    Ok(chains)
}

fn diagonal(n: usize, entry: impl Fn(usize) -> RationalFunction) -> M {
    Matrix::from_fn(n, n, |i, j| if i == j { entry(i) } else { RationalFunction::zero() })
}

fn all(n: usize) -> Vec<usize> {
    (0..n).collect()
}
