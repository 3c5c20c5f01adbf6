//! The test for operators that do not commute: two realizations of orders n₁ and n₂ over any ring
//! that embeds in a skew field have the same transfer matrix iff D and C Aʲ B, j = 0 … n₁+n₂−1,
//! agree. No division is needed.

use super::behavior::{Port, Side};
use super::hypothesis::{Hypothesis, Pairing, pairings_of};
use super::shift::{self, Lags};
use super::verdict::{Generality, Limit, Relation, Verdict, Witness};
use crate::operator::{Letter, OperatorPolynomial};
use crate::system::{LinearSystem, Oracle, operator_symbol, parameter};
use crate::transfer::{Analysis, Realization, Transfer};
use linnaeus_algebra::solve::{Conditions, Problem, solve};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, Variable};
use std::collections::BTreeSet;

type Entries = Matrix<OperatorPolynomial>;

/// One algorithm over the ring of operator polynomials.
struct Plant {
    ports: Vec<Port>,
    realization: Realization<OperatorPolynomial>,
    parameters: Vec<Variable>,
    nonzero: Vec<Polynomial>,
}

impl Plant {
    fn new(
        analysis: &Analysis,
        side: Side,
        letters: &dyn Fn(Letter) -> Option<Letter>,
    ) -> Result<Option<Plant>, Exhausted> {
        let p = analysis.channels.len();
        let place = |r: &RationalFunction| r.rename(&|v| side.place(v));
        let port = |(i, c): (usize, &crate::transfer::Channel)| {
            let oracle = Oracle { step: place(&c.oracle.step), ..c.oracle.clone() };
            Port { channel: i, oracle }
        };
        let written = written(analysis)?;
        let mut nonzero = BTreeSet::new();
        let mut known = true;
        let mut convert = |m: &Entries, cols: usize| -> Result<Entries, Exhausted> {
            let rows: Vec<usize> = (0..m.rows()).collect();
            let columns: Vec<usize> = (0..cols).collect();
            m.submatrix(&rows, &columns).try_map(|e| {
                nonzero.extend(e.terms().iter().map(|(_, c)| place(c).denominator().clone()));
                let renamed = e.map_letters(letters)?;
                known &= renamed.is_some();
                renamed.unwrap_or_else(OperatorPolynomial::zero).map_coefficients(&mut |c| Ok(place(c)))
            })
        };
        let n = written.states.len();
        let (a, b, c, d) =
            (convert(&written.a, n)?, convert(&written.b, p)?, convert(&written.c, n)?, convert(&written.d, p)?);
        if !known {
            return Ok(None);
        }
        let ports: Vec<Port> = analysis.channels.iter().enumerate().map(port).collect();
        nonzero.extend(
            ports.iter().flat_map(|p| [p.oracle.step.numerator().clone(), p.oracle.step.denominator().clone()]),
        );
        nonzero.retain(|d| !d.is_constant());
        Ok(Some(Plant {
            ports,
            realization: Realization { states: written.states.clone(), a, b, c, d },
            parameters: (0..analysis.system.parameters.len()).map(|i| side.place(parameter(i))).collect(),
            nonzero: nonzero.into_iter().collect(),
        }))
    }

    /// In other oracles of the same functions, channels in another order: `m[i]` turns a pair of
    /// channel `order[i]` into the new pair. Nothing if the new answers do not determine the old.
    fn in_oracles(
        &self,
        order: &[usize],
        m: &[Matrix<RationalFunction>],
    ) -> Result<Option<Realization<OperatorPolynomial>>, Exhausted> {
        let r = &self.realization;
        let states: Vec<usize> = (0..r.states.len()).collect();
        let (b, c, d) = (r.b.submatrix(&states, order), r.c.submatrix(order, &states), r.d.submatrix(order, order));
        let p = order.len();
        let diagonal = |i: usize, j: usize| {
            Matrix::from_fn(p, p, |x, y| {
                if x == y { OperatorPolynomial::scalar(m[x][(i, j)].clone()) } else { OperatorPolynomial::zero() }
            })
        };
        // u = K (v − cC x) for the new answers v, with K = (cD + d)⁻¹.
        let Some(k) = diagonal(1, 0).mul(&d)?.add(&diagonal(1, 1))?.inverse()? else {
            return Ok(None);
        };
        let feedback = k.mul(&diagonal(1, 0))?.mul(&c)?;
        let through = diagonal(0, 0).mul(&d)?.add(&diagonal(0, 1))?;
        Ok(Some(Realization {
            states: r.states.clone(),
            a: r.a.sub(&b.mul(&feedback)?)?,
            b: b.mul(&k)?,
            c: diagonal(0, 0).mul(&c)?.sub(&through.mul(&feedback)?)?,
            d: through.mul(&k)?,
        }))
    }
}

/// The realization as written, over operator polynomials whatever the operators.
fn written(analysis: &Analysis) -> Result<Realization<OperatorPolynomial>, Exhausted> {
    match &analysis.transfer {
        Transfer::Noncommuting { realization, .. } => Ok(realization.clone()),
        Transfer::Commuting { realization: r, .. } => {
            // Without operators, every entry is a scalar; with them the texts do not match anyway.
            let scalar = |m: &Matrix<RationalFunction>| m.map(|e| OperatorPolynomial::scalar(e.clone()));
            Ok(Realization {
                states: r.states.clone(),
                a: scalar(&r.a),
                b: scalar(&r.b),
                c: scalar(&r.c),
                d: scalar(&r.d),
            })
        }
    }
}

/// D, CB, CAB, …
fn sequence(r: &Realization<OperatorPolynomial>, count: usize) -> Result<Vec<Entries>, Exhausted> {
    let mut found = vec![r.d.clone()];
    let mut left = r.c.clone();
    while found.len() < count {
        found.push(left.mul(&r.b)?);
        left = left.mul(&r.a)?;
    }
    Ok(found)
}

/// Decides oracle, shift, permutation and LFT equivalence where operators do not commute. Operators
/// correspond by name, and if the names differ in their order of appearance.
pub fn compare(first: &Analysis, second: &Analysis, only: Option<Relation>) -> Result<Verdict, Exhausted> {
    let mut limit = None;
    for by_name in [true, false] {
        let Some(twins) = operator_twins(&first.system, &second.system, by_name) else {
            continue;
        };
        let letters = |l: Letter| {
            twins.get(l.operator as usize).map(|&o| Letter {
                operator: o as u16,
                class: first.system.operators[o].class,
                ..l
            })
        };
        let (Some(a), Some(b)) =
            (Plant::new(first, Side::First, &|l| Some(l))?, Plant::new(second, Side::Second, &letters)?)
        else {
            continue;
        };
        for hypothesis in pairings_of(&a.ports, &b.ports) {
            let search = Search { a: &a, b: &b, hypothesis: &hypothesis };
            match search.run(&mut limit)? {
                Some(found) if only.is_none_or(|o| o == found.relation) => {
                    let values = twins.iter().enumerate().map(|(i, &o)| {
                        (Side::Second.place(operator_symbol(i)), RationalFunction::variable(operator_symbol(o)))
                    });
                    return Ok(Verdict::Related(Box::new(Witness { operators: values.collect(), ..found })));
                }
                _ => {}
            }
        }
    }
    Ok(match limit {
        Some(limit) => Verdict::Undecided(limit),
        None => Verdict::Distinct(super::search::obstruction(first, second)),
    })
}

/// For every operator of the second text its twin in the first.
fn operator_twins(first: &LinearSystem, second: &LinearSystem, by_name: bool) -> Option<Vec<usize>> {
    if first.operators.len() != second.operators.len() {
        return None;
    }
    if by_name {
        return second.operators.iter().map(|o| first.operators.iter().position(|x| x.name == o.name)).collect();
    }
    let alike = first.operators.iter().zip(&second.operators).all(|(x, y)| x.symmetric == y.symmetric);
    let renamed = first.operators.iter().zip(&second.operators).any(|(x, y)| x.name != y.name);
    (alike && renamed).then(|| (0..first.operators.len()).collect())
}

struct Search<'a> {
    a: &'a Plant,
    b: &'a Plant,
    hypothesis: &'a Hypothesis,
}

impl Search<'_> {
    fn run(&self, limit: &mut Option<Limit>) -> Result<Option<Witness>, Exhausted> {
        let matrices = self.hypothesis.matrices_of(&self.a.ports, &self.b.ports)?;
        let Some(b) = self.b.in_oracles(&self.hypothesis.order, &matrices)? else {
            return Ok(None);
        };
        let count = self.a.realization.states.len() + b.states.len() + 1;
        let (mut x, mut y) = (sequence(&self.a.realization, count)?, sequence(&b, count)?);
        let first = |s: &[Entries], i: usize, j: usize| s.iter().position(|m| !m[(i, j)].is_zero()).map(|l| l as i64);
        let lags = |i: usize, j: usize| Lags { wanted: first(&x, i, j), least: first(&y, i, j), most: count as i64 };
        let shifts = shift::between(self.a.ports.len(), &lags);
        if !shifts.complete {
            *limit = Some(Limit::Candidates);
        }
        for shift in shifts.vectors {
            // Long words are many: no more of them than this shift needs.
            let span = shift.iter().max().unwrap_or(&0) - shift.iter().min().unwrap_or(&0);
            let needed = count + 2 * span as usize;
            if needed > x.len() {
                (x, y) = (sequence(&self.a.realization, needed)?, sequence(&b, needed)?);
            }
            let forth = self.solve(&x, &y, &shift, count, Side::First, limit)?;
            let back = self.solve(&x, &y, &shift, count, Side::Second, limit)?;
            let generality = match (&forth, &back) {
                (Some(_), Some(_)) => Generality::Equal,
                (Some(_), None) => Generality::Instance,
                (None, Some(_)) => Generality::Contains,
                (None, None) => continue,
            };
            let relation = match (self.hypothesis.relation, shift.iter().all(|m| *m == 0)) {
                (Relation::Oracle, false) => Relation::Shift,
                (relation, _) => relation,
            };
            let channel = |(i, &j): (usize, &usize)| (self.a.ports[i].channel, self.b.ports[j].channel);
            return Ok(Some(Witness {
                relation,
                generality,
                channel_map: self.hypothesis.order.iter().enumerate().map(channel).collect(),
                shift,
                matrices,
                branches: forth.or(back).unwrap_or_default(),
                ..Witness::default()
            }));
        }
        Ok(None)
    }

    /// Solves for one side's parameters, the other's being generic.
    fn solve(
        &self,
        x: &[Entries],
        y: &[Entries],
        shift: &[i64],
        count: usize,
        given: Side,
        limit: &mut Option<Limit>,
    ) -> Result<Option<Vec<linnaeus_algebra::solve::Branch>>, Exhausted> {
        let Some(equations) = self.equations(x, y, shift, count)? else {
            return Ok(None);
        };
        let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
        let problem = Problem {
            equations,
            unknowns: sought.parameters.clone(),
            given: known.parameters.clone(),
            nonzero: self.a.nonzero.iter().chain(&self.b.nonzero).cloned().collect(),
            conditions: Conditions::Never,
        };
        let solution = solve(&problem)?;
        if !solution.complete {
            *limit = Some(Limit::Equations);
        }
        Ok((!solution.branches.is_empty()).then_some(solution.branches))
    }

    /// What must vanish for the sequences to agree: entry (i, j) of the first at lag l is that of
    /// the second at lag l + m_j − m_i. Nothing if that is impossible.
    fn equations(
        &self,
        x: &[Entries],
        y: &[Entries],
        shift: &[i64],
        count: usize,
    ) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let mut found = BTreeSet::new();
        let p = shift.len();
        let zero = OperatorPolynomial::zero();
        let at = |s: &[Entries], lag: i64, i: usize, j: usize| match usize::try_from(lag) {
            Ok(lag) if lag < s.len() => s[lag][(i, j)].clone(),
            _ => zero.clone(),
        };
        for i in 0..p {
            for j in 0..p {
                let by = shift[j] - shift[i];
                for lag in (-by).min(0)..count as i64 + by.abs() {
                    let difference = at(x, lag, i, j).sub(&at(y, lag + by, i, j))?;
                    for (_, c) in difference.terms() {
                        found.insert(c.numerator().primitive_part());
                    }
                }
            }
        }
        for (i, pairing) in self.hypothesis.pairings.iter().enumerate() {
            let (s, t) = (&self.a.ports[i].oracle, &self.b.ports[self.hypothesis.order[i]].oracle);
            if *pairing == Pairing::Same && s.kind.has_step() {
                found.insert(s.step.sub(&t.step)?.numerator().primitive_part());
            }
        }
        found.remove(&Polynomial::zero());
        Ok((!found.iter().any(Polynomial::is_constant)).then(|| found.into_iter().collect()))
    }
}
