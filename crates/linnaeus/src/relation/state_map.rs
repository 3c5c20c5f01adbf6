//! How the states of two related algorithms correspond, and how the second must be started to make
//! the calls of the first.
//!
//! With B written in A's oracles and order, H_B = Δ_m⁻¹ H_A Δ_m. The right-hand side is realized by
//! A's state and the answers to the calls that A makes and B does not. Minimal realizations of one
//! transfer matrix differ by exactly one T: C_B T = C_A, T A_A = A_B T, T B_A = B_B.

use super::behavior::Side;
use super::graph::gain;
use super::recheck::{Recheck, recheck_start};
use super::verdict::{Assumption, Witness};
use crate::system::LinearSystem;
use crate::transfer::realize::{Coordinate, Minimal, minimal, minimal_in_own_variables};
use crate::transfer::{Analysis, Realization, Span, StateSpace, Transfer};
use linnaeus_algebra::solve::Value;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable};
use std::collections::BTreeMap;

type M = Matrix<RationalFunction>;

/// Something that is known when the second algorithm starts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// A component of the first's state as written, before its first iteration.
    State(usize),
    /// The answer to a channel's call in an iteration, both from 0, of the first.
    Answer(usize, usize),
    /// The n-th constant vector of either side.
    Constant(usize),
}

/// Σ coefficient · source, without zeros.
pub type Combination = Vec<(Source, RationalFunction)>;

/// How two algorithms are started to make the same calls, in the first branch of a witness.
#[derive(Clone, Debug)]
pub struct StateMap {
    /// T with ξ_B = T ξ_A between minimal realizations.
    pub t: M,
    /// ξ_A: what is known of the first, or queries to come.
    pub first: Vec<Known>,
    /// ξ_B: states of the second as written, or queries to come.
    pub second: Vec<Coordinate>,
    /// States of the second as written and where they start. Those that are not listed are never
    /// seen and may start anywhere.
    pub initialization: Vec<(usize, Combination)>,
    /// What must be zero for the second to be able to follow the first.
    pub required: Vec<Combination>,
    /// Calls that the first makes and the second does not: the first so many of a channel.
    pub skipped: Vec<(usize, usize)>,
}

/// A coordinate of the first's minimal state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// As it stands.
    Source(Source),
    /// The query of a pair of channels so many iterations ahead, if all answers from then on were zero.
    Query(usize, usize),
}

/// The first's channels that are called by the first alone at the start, and how often.
pub fn skipped(witness: &Witness) -> Vec<(usize, usize)> {
    let pairs = witness.channel_map.iter().zip(&witness.shift);
    pairs.filter(|(_, m)| **m > 0).map(|((i, _), m)| (*i, *m as usize)).collect()
}

/// The constants of either side that are not assumed to be zero.
pub(super) fn constants(first: &Analysis, second: &Analysis, witness: &Witness) -> Vec<usize> {
    let sides = [(Side::First, &first.system), (Side::Second, &second.system)];
    let is_zero = |j: usize, (side, system): &(Side, &LinearSystem)| {
        let zero = |name: &String| Assumption::ZeroConstant(*side, name.clone());
        let constant = system.constants.get(j);
        constant.is_some_and(|c| witness.assumptions.contains(&zero(&c.name)))
    };
    let count = sides.iter().map(|(_, s)| s.constants.len()).max().unwrap_or(0);
    (0..count).filter(|&j| !sides.iter().any(|side| is_zero(j, side))).collect()
}

/// The state map of a witness, re-checked; none where operators do not commute, parameters are
/// roots, or the first's oracles can follow the second only after the shift.
pub fn state_map(
    first: &Analysis,
    second: &Analysis,
    witness: &Witness,
) -> Result<Option<StateMap>, Exhausted> {
    let map = match Setting::new(first, second, witness).and_then(|setting| setting.state_map()) {
        Ok(map) => map,
        Err(Gap::Unknown) => return Ok(None),
        Err(Gap::Exhausted) => return Err(Exhausted),
    };
    let passed = recheck_start(first, second, witness, &map) != Recheck::Failed;
    debug_assert!(passed, "a state map failed its re-check: {map:?}");
    Ok(passed.then_some(map))
}

/// Why there is no state map.
enum Gap {
    Unknown,
    Exhausted,
}

impl From<Exhausted> for Gap {
    fn from(_: Exhausted) -> Self {
        Gap::Exhausted
    }
}

struct Setting<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    witness: &'a Witness,
    /// Parameters and operators that the first branch determines.
    values: BTreeMap<Variable, RationalFunction>,
    /// Constants that are not assumed to be zero.
    constants: Vec<usize>,
}

impl<'a> Setting<'a> {
    fn new(first: &'a Analysis, second: &'a Analysis, witness: &'a Witness) -> Result<Self, Gap> {
        let branch = witness.branches.first().ok_or(Gap::Unknown)?;
        if !branch.relations.is_empty() {
            return Err(Gap::Unknown);
        }
        let mut values: BTreeMap<_, _> = witness.operators.iter().cloned().collect();
        for (v, value) in branch.conditions.iter().chain(&branch.values) {
            let Value::Rational(r) = value else { return Err(Gap::Unknown) };
            values.entry(*v).or_insert_with(|| r.clone());
        }
        let constants = constants(first, second, witness);
        Ok(Setting { first, second, witness, values, constants })
    }

    fn state_map(&self) -> Result<StateMap, Gap> {
        let shift: Vec<usize> = self.witness.shift.iter().map(|m| usize::try_from(*m)).collect::<Result<_, _>>().map_err(|_| Gap::Unknown)?;
        let channels: Vec<(usize, usize)> = self.witness.channel_map.clone();
        let a = self.system(self.first, Side::First, &channels.iter().map(|c| c.0).collect::<Vec<_>>())?;
        let a = a.ahead(&shift)?.ok_or(Gap::Unknown)?;
        let b = self.system(self.second, Side::Second, &channels.iter().map(|c| c.1).collect::<Vec<_>>())?;
        let matrices = self.witness.matrices.iter().map(|m| self.settled(m, Side::First));
        let b = b.in_oracles(&matrices.collect::<Result<Vec<_>, _>>()?)?.ok_or(Gap::Unknown)?;
        let sources = self.sources(&shift);
        let (t, from, to) = between(&a, &b)?;
        let known = |c: &Coordinate| match *c {
            Coordinate::State(i) => Known::Source(sources[i]),
            Coordinate::Query(i, ahead) => Known::Query(i, ahead),
        };
        let (start, required) = self.start(&a, &b)?;
        Ok(StateMap {
            t,
            first: from.coordinates.iter().map(known).collect(),
            second: to.coordinates,
            initialization: start.into_iter().map(|(j, row)| (j, combination(&sources, &row))).collect(),
            required: (0..required.rows()).map(|i| combination(&sources, required.row(i))).collect(),
            skipped: skipped(self.witness),
        })
    }

    /// What the states of the first's realization hold: its own, the constants, answers given early.
    fn sources(&self, shift: &[usize]) -> Vec<Source> {
        let own = (0..states(self.first)).map(Source::State);
        let constants = self.constants.iter().map(|&j| Source::Constant(j));
        let pairs = self.witness.channel_map.iter().zip(shift);
        let early = pairs.flat_map(|((i, _), &m)| (0..m).map(|t| Source::Answer(*i, t)));
        own.chain(constants).chain(early).collect()
    }

    /// One side's realization as written, its constants as states that stay, special channels closed.
    fn system(&self, analysis: &Analysis, side: Side, keep: &[usize]) -> Result<StateSpace, Gap> {
        let Transfer::Commuting { realization: r, .. } = &analysis.transfer else { return Err(Gap::Unknown) };
        let open = with_constants(r, &self.constants);
        let open = StateSpace {
            a: self.settled(&open.a, side)?,
            b: self.settled(&open.b, side)?,
            c: self.settled(&open.c, side)?,
            d: self.settled(&open.d, side)?,
        };
        open.closed(keep, &self.gains(analysis, side)?)?.ok_or(Gap::Unknown)
    }

    /// The channels of special functions, and by what they multiply.
    fn gains(&self, analysis: &Analysis, side: Side) -> Result<Vec<(usize, RationalFunction)>, Gap> {
        let mut gains = Vec::new();
        for assumption in &self.witness.assumptions {
            let Assumption::Function(whose, function, special) = assumption else { continue };
            for (i, channel) in analysis.channels.iter().enumerate() {
                if *whose == side && channel.oracle.function == *function {
                    let g = gain(&channel.oracle, *special)?.ok_or(Gap::Unknown)?;
                    gains.push((i, self.at(&g.rename(&|v| side.place(v)))?));
                }
            }
        }
        Ok(gains)
    }

    fn settled(&self, m: &M, side: Side) -> Result<M, Gap> {
        m.try_map(|e| self.at(&e.rename(&|v| side.place(v))))
    }

    /// Values put in twice, because operators are given in coefficients that have values themselves.
    fn at(&self, r: &RationalFunction) -> Result<RationalFunction, Gap> {
        let value = |v: Variable| self.values.get(&v).cloned();
        let once = r.substitute(&value)?.ok_or(Gap::Unknown)?;
        once.substitute(&value)?.ok_or(Gap::Unknown)
    }

    /// Where each state of the second starts, as a row over the sources, and rows that must vanish.
    fn start(&self, a: &StateSpace, b: &StateSpace) -> Result<(Vec<(usize, Vec<RationalFunction>)>, M), Exhausted> {
        let (n, w) = (a.order(), states(self.second));
        let q = b.difference(a)?;
        let rows: Vec<usize> = (0..q.rows()).collect();
        let unknown = q.submatrix(&rows, &(0..w).collect::<Vec<_>>());
        // Both sides have the same constants: b's stand after its states, a's after its own.
        let own = states(self.first);
        let mut given = q.submatrix(&rows, &(b.order()..b.order() + n).collect::<Vec<_>>());
        for &i in &rows {
            for j in 0..self.constants.len() {
                given[(i, own + j)] = given[(i, own + j)].add(&q[(i, w + j)])?;
            }
        }
        let columns = Span::default().extend(&unknown.transpose())?;
        let solved = unknown.submatrix(&rows, &columns);
        let pivots = Span::default().extend(&solved)?;
        let all: Vec<usize> = (0..n).collect();
        let square = solved.submatrix(&pivots, &(0..columns.len()).collect::<Vec<_>>());
        let start = square.solve(&given.submatrix(&pivots, &all))?.expect("independent").neg();
        let rest = given.add(&solved.mul(&start)?)?;
        let chosen = Span::default().extend(&rest)?;
        let seen = |j: &usize| rows.iter().any(|&i| !unknown[(i, *j)].is_zero());
        let row = |j: usize| match columns.binary_search(&j) {
            Ok(i) => start.row(i).to_vec(),
            Err(_) => vec![RationalFunction::zero(); n],
        };
        Ok(((0..w).filter(seen).map(|j| (j, row(j))).collect(), rest.submatrix(&chosen, &all)))
    }
}

/// T between the minimal realizations in their own variables, checked; unknown if the transfer
/// matrices differ.
fn between(a: &StateSpace, b: &StateSpace) -> Result<(M, Minimal, Minimal), Gap> {
    let (plain_a, plain_b) = (minimal(a)?, minimal(b)?);
    if plain_a.realization != plain_b.realization {
        return Err(Gap::Unknown);
    }
    let (own_a, own_b) = (minimal_in_own_variables(a)?, minimal_in_own_variables(b)?);
    // ξ_A → a state of A → queries to come → a state of B → ξ_B.
    let queries = plain_a.from_state.mul(&own_a.to_state)?;
    let t = own_b.from_state.mul(&plain_b.to_state)?.mul(&queries)?;
    let (x, y) = (&own_a.realization, &own_b.realization);
    let intertwines = t.mul(&x.a)? == y.a.mul(&t)? && t.mul(&x.b)? == y.b && y.c.mul(&t)? == x.c && x.d == y.d;
    debug_assert!(intertwines, "no state map: {t:?}");
    if intertwines { Ok((t, own_a, own_b)) } else { Err(Gap::Unknown) }
}

/// The constants as further states c⁺ = c.
fn with_constants(r: &Realization<RationalFunction>, constants: &[usize]) -> StateSpace {
    let plain = StateSpace::new(r);
    let (n, p, q) = (plain.order(), r.c.rows(), constants.len());
    let column = |m: &M, i: usize, j: usize| m.get(i, p + constants[j]).cloned().unwrap_or_else(RationalFunction::zero);
    let enter = Matrix::from_fn(n, q, |i, j| column(&r.b, i, j));
    let seen = Matrix::from_fn(p, q, |i, j| column(&r.d, i, j));
    StateSpace {
        a: plain.a.hstack(&enter).vstack(&Matrix::zero(q, n).hstack(&Matrix::identity(q))),
        b: plain.b.vstack(&Matrix::zero(q, p)),
        c: plain.c.hstack(&seen),
        d: plain.d,
    }
}

fn states(analysis: &Analysis) -> usize {
    match &analysis.transfer {
        Transfer::Commuting { realization, .. } => realization.states.len(),
        Transfer::Noncommuting { realization, .. } => realization.states.len(),
    }
}

fn combination(sources: &[Source], row: &[RationalFunction]) -> Combination {
    let terms = sources.iter().copied().zip(row.iter().cloned());
    terms.filter(|(_, c)| !c.is_zero()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::{Verdict, compare};
    use crate::report;

    fn found(first: &str, second: &str) -> (Analysis, Analysis, Witness) {
        let [a, b] = [first, second].map(|text| crate::read(text).analysis.expect("a good text"));
        let Verdict::Related(witness) = compare(&a, &b, None).verdict else { panic!("{first} {second}") };
        (a, b, *witness)
    }

    /// The initialization as printed; the runs from it were compared.
    fn check(first: &str, second: &str, expected: &[&str]) -> StateMap {
        let (a, b, witness) = found(first, second);
        let map = state_map(&a, &b, &witness).unwrap().expect("a state map");
        assert_eq!(recheck_start(&a, &b, &witness, &map), Recheck::Passed, "{first} {second}");
        let comparison = compare(&a, &b, None);
        assert_eq!(report::compare(&a, &b, &comparison).initialization, expected, "{first} {second}");
        map
    }

    const DOUGLAS_RACHFORD: &str =
        "x[k] = prox_{t f}(s[k]); y[k] = prox_{t g}(2*x[k] - s[k]); s[k+1] = s[k] + y[k] - x[k]";
    const ADMM: &str = "x[k+1] = prox_{t g}(y[k] - w[k]); y[k+1] = prox_{t f}(x[k+1] + w[k]); \
        w[k+1] = w[k] + x[k+1] - y[k+1]";

    #[test]
    fn the_papers_pair() {
        let first = "x1[k+1] = 2*x1[k] - x2[k] - 1/10*grad f(2*x1[k] - x2[k]); x2[k+1] = x1[k]";
        let second = "xi1[k+1] = xi1[k] - xi2[k] - 1/5*grad f(xi1[k]); xi2[k+1] = xi2[k] + 1/10*grad f(xi1[k])";
        let map = check(first, second, &["xi1[0] = 2*x1[0] - x2[0]", "xi2[0] = x2[0] - x1[0]"]);
        let integer = |row: [i64; 2]| row.map(RationalFunction::integer).to_vec();
        assert_eq!(map.t, Matrix::from_rows(vec![integer([2, -1]), integer([-1, 1])]));
    }

    #[test]
    fn unobservable_and_unreachable_modes() {
        let gradient_descent = "xi[k+1] = xi[k] - 1/5*grad f(xi[k])";
        let unobservable = "x1[k+1] = 3*x1[k] - 2*x2[k] + 1/5*grad f(-x1[k] + 2*x2[k]); x2[k+1] = x1[k]";
        check(unobservable, gradient_descent, &["xi[0] = 2*x2[0] - x1[0]"]);
        check(gradient_descent, unobservable, &["x1[0] = -xi[0]", "x2[0] = 0"]);
        let unreachable = "x[k+1] = x[k] - 1/5*grad f(x[k] + 3*w[k]); w[k+1] = 2*w[k]";
        check(unreachable, gradient_descent, &["xi[0] = x[0]", "w[0] = 0"]);
    }

    #[test]
    fn shifted() {
        let map = check(DOUGLAS_RACHFORD, ADMM, &[]);
        assert_eq!(map.skipped, [(0, 1)]);
        check(ADMM, DOUGLAS_RACHFORD, &[]);
    }

    #[test]
    fn other_oracles_operators_and_constants() {
        let prox = "x[k+1] = prox_{t f}(x[k])";
        check(prox, "w[k+1] = w[k] - s*subgrad f(w[k+1])", &[]);
        let chambolle_pock = "x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g}(y[k] + sigma*A*(2*x[k+1] - x[k]))";
        let renamed = "u[k+1] = prox_{tau f}(u[k] - B'*v[k]); v[k+1] = prox_{sigma g}(v[k] + sigma/tau*B*(2*u[k+1] - u[k]))";
        check(chambolle_pock, renamed, &[]);
        check("x[k+1] = x[k] - t*grad f(x[k] + b)", "w[k+1] = w[k] - s*grad f(w[k])", &[]);
    }
}
