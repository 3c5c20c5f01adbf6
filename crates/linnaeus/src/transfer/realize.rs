//! H → the smallest realization, exactly, over ℚ(parameters, operator symbols).
//!
//! B. L. Ho and R. E. Kalman, *Effective construction of linear state-variable models from
//! input/output functions* (1966). A row of the Hankel matrix is a query to come, a column is what
//! past answers leave behind. Independent rows are chosen topmost and columns leftmost, so the
//! state is a list of queries to come and every entry stays rational.

use super::minimal::is_minimal;
use super::realization::Realization;
use super::span::Span;
use super::state_space::{StateSpace, krylov};
use crate::system::Z;
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction};

type M = Matrix<RationalFunction>;

/// A minimal realization of the transfer matrix of a realization with state x.
#[derive(Clone, Debug)]
pub struct Minimal {
    /// No realization of the same transfer matrix has fewer states ξ.
    pub realization: StateSpace,
    /// T with ξ = T x. What cannot be observed drops out.
    pub from_state: M,
    /// P with T P = I: the state P ξ is reachable and makes the queries of ξ.
    pub to_state: M,
    /// How many dimensions answers reach.
    pub reached: usize,
}

impl Minimal {
    /// The number of states.
    pub fn order(&self) -> usize {
        self.realization.order()
    }

    /// The same with S ξ as state.
    pub fn changed(self, s: &M) -> Result<Minimal, Exhausted> {
        let inverse = s.inverse()?.expect("independent coordinates");
        Ok(Minimal {
            realization: self.realization.changed(s, &inverse)?,
            from_state: s.mul(&self.from_state)?,
            to_state: self.to_state.mul(&inverse)?,
            reached: self.reached,
        })
    }

    /// Independent functionals of x that must be zero at the start for ξ = T x to make the queries of x, one for
    /// every mode that can be observed but not reached; no minimal realization can follow it.
    pub fn vanishing(&self, r: &StateSpace) -> Result<M, Exhausted> {
        let graph = Matrix::identity(r.order()).vstack(&self.from_state);
        let mut span = Span::default();
        span.extend(&r.difference(&self.realization)?.mul(&graph)?)?;
        let rows = span.basis()?;
        Ok(Matrix::from_fn(rows.len(), r.order(), |i, j| rows[i][j].clone()))
    }
}

/// Why a matrix has no realization.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unrealizable {
    /// An entry grows with z: a query would need a later answer.
    Improper {
        /// The query's channel.
        row: usize,
        /// The answer's channel.
        column: usize,
    },
    /// The work limit was reached.
    Exhausted,
}

impl From<Exhausted> for Unrealizable {
    fn from(_: Exhausted) -> Self {
        Unrealizable::Exhausted
    }
}

/// The minimal realization of a proper transfer matrix; its state is a list of queries to come.
///
/// ```
/// use linnaeus::{system::Z, transfer::realize};
/// use linnaeus_algebra::{Matrix, RationalFunction};
/// let delay = RationalFunction::variable(Z).inverse().unwrap();
/// let h = Matrix::from_fn(2, 2, |_, _| delay.clone());
/// assert_eq!(realize::from_transfer(&h).unwrap().order(), 1);
/// ```
pub fn from_transfer(h: &M) -> Result<StateSpace, Unrealizable> {
    Ok(minimal(&observer_form(h)?)?.realization)
}

/// A minimal realization of a proper transfer matrix that is found with little work: one chain of states per row or
/// per column, if these are as few as can be; nothing if they are not.
pub fn chains(h: &M) -> Result<Option<StateSpace>, Unrealizable> {
    let by_rows = observer_form(h)?;
    if is_minimal([&by_rows.a, &by_rows.b, &by_rows.c])? {
        return Ok(Some(by_rows));
    }
    let StateSpace { a, b, c, d } = observer_form(&h.transpose())?;
    let by_columns = StateSpace { a: a.transpose(), b: c.transpose(), c: b.transpose(), d: d.transpose() };
    let found = is_minimal([&by_columns.a, &by_columns.b, &by_columns.c])?;
    Ok(found.then_some(by_columns))
}

/// The minimal realization of an algorithm as written, in its own variables where that is possible.
pub fn from_realization(r: &Realization<RationalFunction>) -> Result<Minimal, Exhausted> {
    minimal_in_own_variables(&StateSpace::new(r))
}

/// The minimal realization whose state is a list of queries to come. It depends on H alone.
pub fn minimal(r: &StateSpace) -> Result<Minimal, Exhausted> {
    let reachable = r.reachable()?;
    let future = krylov(&r.a, &r.c, &reachable)?;
    let columns = Span::default().extend(&future.mul(&reachable)?.transpose())?;
    let past = reachable.submatrix(&(0..r.order()).collect::<Vec<_>>(), &columns);
    let hankel = future.mul(&past)?;
    let to_state = past.mul(&hankel.inverse()?.expect("independent rows and columns"))?;
    let realization = StateSpace {
        a: future.mul(&r.a)?.mul(&to_state)?,
        b: future.mul(&r.b)?,
        c: r.c.mul(&to_state)?,
        d: r.d.clone(),
    };
    Ok(Minimal { realization, from_state: future, to_state, reached: reachable.cols() })
}

/// The minimal realization whose state holds components of x where those can be told from the
/// queries to come, and else combinations of them: T is in reduced echelon form. A realization that
/// is minimal stays what it is.
pub fn minimal_in_own_variables(r: &StateSpace) -> Result<Minimal, Exhausted> {
    let n = r.order();
    if is_minimal([&r.a, &r.b, &r.c])? {
        let same = Matrix::identity(n);
        return Ok(Minimal { realization: r.clone(), from_state: same.clone(), to_state: same, reached: n });
    }
    let found = minimal(r)?;
    let mut span = Span::default();
    span.extend(&found.from_state)?;
    let rows = span.basis()?;
    let own = Matrix::from_fn(rows.len(), r.order(), |i, j| rows[i][j].clone());
    let s = own.mul(&found.to_state)?;
    found.changed(&s)
}

/// One chain of states per row, as long as the degree of its common denominator.
fn observer_form(h: &M) -> Result<StateSpace, Unrealizable> {
    let rows: Vec<Row> = (0..h.rows()).map(|i| Row::new(h, i)).collect::<Result<_, _>>()?;
    let n: usize = rows.iter().map(Row::degree).sum();
    let mut r = StateSpace {
        a: Matrix::zero(n, n),
        b: Matrix::zero(n, h.cols()),
        c: Matrix::zero(h.rows(), n),
        d: Matrix::zero(h.rows(), h.cols()),
    };
    let mut start = 0;
    for (i, row) in rows.iter().enumerate() {
        row.fill(&mut r, i, start)?;
        start += row.degree();
    }
    Ok(r)
}

/// A row of H over its common denominator, coefficients by rising powers of z.
struct Row {
    /// Monic.
    denominator: Vec<RationalFunction>,
    numerators: Vec<Vec<RationalFunction>>,
}

impl Row {
    fn new(h: &M, i: usize) -> Result<Row, Unrealizable> {
        let mut common = RationalFunction::one();
        for e in h.row(i) {
            let rest = e.mul(&common)?.denominator().clone();
            common = common.mul(&RationalFunction::polynomial(rest))?;
        }
        let degree = common.numerator().degree_in(Z) as usize;
        let lead = RationalFunction::polynomial(common.numerator().coefficients_in(Z)[degree].clone());
        let scaled = |p: &Polynomial| -> Result<Vec<RationalFunction>, Exhausted> {
            let quotient = |c: Polynomial| RationalFunction::polynomial(c).div(&lead);
            let list = p.coefficients_in(Z).into_iter().map(quotient);
            list.map(|c| Ok(c?.expect("a leading coefficient"))).collect()
        };
        let mut numerators = Vec::new();
        for (column, e) in h.row(i).iter().enumerate() {
            let mut numerator = scaled(e.mul(&common)?.numerator())?;
            if numerator.len() > degree + 1 {
                return Err(Unrealizable::Improper { row: i, column });
            }
            numerator.resize(degree + 1, RationalFunction::zero());
            numerators.push(numerator);
        }
        Ok(Row { denominator: scaled(common.numerator())?, numerators })
    }

    fn degree(&self) -> usize {
        self.denominator.len() - 1
    }

    /// s₁⁺ = s₂ − d_{n−1} y′ + n_{n−1} u, …, sₙ⁺ = −d₀ y′ + n₀ u with y′ = s₁ + D u the query.
    fn fill(&self, r: &mut StateSpace, i: usize, start: usize) -> Result<(), Exhausted> {
        let n = self.degree();
        for (j, numerator) in self.numerators.iter().enumerate() {
            r.d[(i, j)] = numerator[n].clone();
            for s in 0..n {
                let through = self.denominator[n - 1 - s].mul(&numerator[n])?;
                r.b[(start + s, j)] = numerator[n - 1 - s].sub(&through)?;
            }
        }
        for s in 0..n {
            r.a[(start + s, start)] = self.denominator[n - 1 - s].neg();
            if s + 1 < n {
                r.a[(start + s, start + s + 1)] = RationalFunction::one();
            }
        }
        if n > 0 {
            r.c[(i, start)] = RationalFunction::one();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::Transfer;

    fn written(text: &str) -> (M, Realization<RationalFunction>) {
        let transfer = crate::read(text).analysis.expect("a good text").transfer;
        let Transfer::Commuting { h, realization } = transfer else { panic!("{text}") };
        (h, realization)
    }

    fn transfer(r: &StateSpace) -> M {
        Matrix::transfer(&r.a, &r.b, &r.c, &r.d, Z).unwrap()
    }

    /// Both ways to a minimal realization give H back; the order and the number of functionals.
    fn check(text: &str, order: usize, vanishing: usize) -> Minimal {
        let (h, realization) = written(text);
        let from_h = from_transfer(&h).unwrap();
        let r = StateSpace::new(&realization);
        assert_eq!(minimal(&r).unwrap().realization, from_h, "{text}");
        let found = from_realization(&realization).unwrap();
        assert_eq!((found.order(), found.vanishing(&r).unwrap().rows()), (order, vanishing), "{text}");
        assert_eq!((transfer(&from_h), transfer(&found.realization)), (h.clone(), h), "{text}");
        let both = found.from_state.mul(&found.to_state).unwrap();
        assert_eq!(both, Matrix::identity(order), "{text}");
        found
    }

    const DOUGLAS_RACHFORD: &str =
        "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    const ADMM: &str = "x[k+1] = prox_{t g}(y[k] - w[k]); y[k+1] = prox_{t f}(x[k+1] + w[k]); \
        w[k+1] = w[k] + x[k+1] - y[k+1]";

    #[test]
    fn orders() {
        check(DOUGLAS_RACHFORD, 1, 0);
        check(ADMM, 2, 0);
        check("y[k] = x[k] + beta*(x[k] - x[k-1]); x[k+1] = y[k] - alpha*grad f(y[k])", 2, 0);
        check(
            "x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g}(y[k] + sigma*A*(2*x[k+1] - x[k]))",
            2,
            0,
        );
    }

    #[test]
    fn a_minimal_realization_stays() {
        let text = "x[k+1] = 2*x[k] - w[k] - 1/10*grad f(2*x[k] - w[k]); w[k+1] = x[k]";
        let found = check(text, 2, 0);
        assert_eq!(found.from_state, Matrix::identity(2));
    }

    #[test]
    fn unobservable_modes_drop_out() {
        let text = "x[k+1] = 3*x[k] - 2*w[k] + 1/5*grad f(-x[k] + 2*w[k]); w[k+1] = x[k]";
        let found = check(text, 1, 0);
        // 2w − x, as a multiple that has 1 somewhere.
        let row = &found.from_state;
        assert_eq!(row[(0, 1)], row[(0, 0)].mul(&RationalFunction::integer(-2)).unwrap());
    }

    #[test]
    fn unreachable_modes_must_be_zero() {
        // Gradient descent, and a mode 2^k in its query that no gradient acts on.
        let text = "x[k+1] = x[k] - t*grad f(x[k] + 3*w[k]); w[k+1] = 2*w[k]";
        let found = check(text, 1, 1);
        let vanishing = found.vanishing(&StateSpace::new(&written(text).1)).unwrap();
        assert!(vanishing[(0, 0)].is_zero() && !vanishing[(0, 1)].is_zero());
        // The mode 1 cannot be told from the reachable one: only where it starts counts.
        let text = "x[k+1] = x[k] - t*grad f(x[k] + 3*w[k]); w[k+1] = w[k]";
        let row = [1, 3].map(RationalFunction::integer).to_vec();
        assert_eq!(check(text, 1, 0).from_state, Matrix::from_rows(vec![row]));
    }

    #[test]
    fn twelve_states() {
        let z = RationalFunction::variable(Z);
        let y = z.sub(&RationalFunction::one()).unwrap();
        let quotient = |a: &RationalFunction, b: &RationalFunction| {
            let (above, below) = (a.pow(5).unwrap().unwrap(), b.pow(6).unwrap().unwrap());
            above.div(&below).unwrap().unwrap()
        };
        let zero = RationalFunction::zero();
        let h = Matrix::from_rows(vec![vec![quotient(&y, &z), zero.clone()], vec![zero, quotient(&z, &y)]]);
        let found = from_transfer(&h).unwrap();
        assert_eq!((found.order(), transfer(&found)), (12, h));
    }

    #[test]
    fn chains_per_row_or_column() {
        let delay = RationalFunction::variable(Z).inverse().unwrap();
        let (zero, one) = (RationalFunction::zero(), RationalFunction::one());
        let column = Matrix::from_rows(vec![vec![delay.clone(), one.clone()], vec![delay.clone(), zero]]);
        for h in [column.clone(), column.transpose()] {
            let found = chains(&h).unwrap().expect("one state");
            assert_eq!((found.order(), transfer(&found)), (1, h));
        }
        assert!(chains(&Matrix::from_fn(2, 2, |_, _| delay.clone())).unwrap().is_none());
    }

    #[test]
    fn inverse() {
        let (h, realization) = written("x[k+1] = x[k] - t*subgrad f(x[k+1])");
        let inverse = StateSpace::new(&realization).inverse().unwrap().unwrap();
        assert_eq!(transfer(&inverse), h.inverse().unwrap().unwrap());
        let (_, realization) = written("x[k+1] = x[k] - t*grad f(x[k])");
        assert_eq!(StateSpace::new(&realization).inverse().unwrap(), None);
    }

    #[test]
    fn improper() {
        let (zero, z) = (RationalFunction::zero(), RationalFunction::variable(Z));
        let h = Matrix::from_rows(vec![vec![zero.clone(), z], vec![zero.clone(), zero]]);
        assert_eq!(from_transfer(&h), Err(Unrealizable::Improper { row: 0, column: 1 }));
    }
}
