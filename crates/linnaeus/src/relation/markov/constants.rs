//! How the constants of both sides hang together in one reading.

use super::Entries;
use super::equations::Sequences;
use super::reading::{Search, Solved};
use super::response::Response;
use crate::operator::{OperatorPolynomial, Word};
use crate::relation::behavior::Side;
use crate::relation::constants::{self, Image, Influence, Matched, factors, natural};
use crate::relation::laws::Laws;
use crate::system::schedule::{Schedules, scheduled};
use crate::transfer::Realization;
use linnaeus_algebra::solve::{Branch, Conditions, Problem, Value, solve};
use linnaeus_algebra::{Coefficient, Exhausted, Matrix, Polynomial, RationalFunction, SortedMap, SortedSet, Variable};
use std::ops::Range;

/// The number of no constant.
const NONE: usize = usize::MAX / 2;

/// What the constants of a side do, and its states where they are counted from elsewhere.
type Felt = (Vec<Influence>, Vec<Influence>);

/// A factor that is sought.
fn factor(i: usize) -> Variable {
    Variable(48_000_000 + i as u32)
}

impl Search<'_> {
    /// How the constants of both sides hang together, and those that must be zero.
    pub fn constants(&self, both: &Sequences, (branches, laws): &Solved) -> Result<Matched, Exhausted> {
        if self.a.constants.is_empty() && self.b.constants.is_empty() {
            return Ok(constants::hung_together(&[], &[]));
        }
        let schedules = &laws.ruled(&self.matching.joint);
        let value = |v: Variable| value(schedules, laws, branches.first()?, v);
        let p = self.a.ports.len();
        // A constant is the same whenever it enters.
        let moved = both.shift.iter().copied().min().unwrap_or(0);
        let agree = |n: usize, m: usize| -> Result<bool, Exhausted> {
            for equation in self.column(both, p + n, p + m, moved, schedules, usize::MAX)? {
                let Some(left) = RationalFunction::polynomial(equation).substitute(&value)? else { return Ok(false) };
                if !schedules.reduced(left.numerator())?.is_zero() {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let [(a, ours), (b, theirs)] = self.influence(both, schedules, &value)?;
        let starts: Vec<Influence> = ours.into_iter().chain(theirs).collect();
        let combination = |target: &Influence, others: &[Influence]| match schedules.is_empty() {
            true => constants::in_words(target, others),
            false => combined(schedules, target, others),
        };
        let names = [&self.a.constants, &self.b.constants];
        let images = |given: Side| -> Result<Vec<Image>, Exhausted> {
            let (own, other) = if given == Side::First { (names[0], names[1]) } else { (names[1], names[0]) };
            let mut found: Vec<Image> = Vec::new();
            for n in 0..own.len() {
                let agrees = |m: usize| if given == Side::First { agree(n, m) } else { agree(m, n) };
                let (target, others) = if given == Side::First { (&a[n], &b) } else { (&b[n], &a) };
                let mut like = natural([own, other], n, &found).into_iter();
                let like = like.find_map(|m| agrees(m).map(|is| is.then_some(m)).transpose()).transpose()?;
                found.push(match like {
                    Some(m) => Some(constants::unit(other.len(), m)),
                    None if agrees(NONE)? => Some(vec![OperatorPolynomial::zero(); other.len()]),
                    _ => match combination(target, others)? {
                        Some(found) => Some(found),
                        // Where that is not enough, states that start elsewhere may make up for the rest.
                        None => {
                            let all: Vec<Influence> = others.iter().chain(&starts).cloned().collect();
                            combination(target, &all)?.map(|found| found[..other.len()].to_vec())
                        }
                    },
                });
            }
            Ok(found)
        };
        Ok(constants::hung_together(&images(Side::First)?, &images(Side::Second)?))
    }

    /// What the constants of both sides do, and what it does that states are counted from elsewhere, in the first's time.
    fn influence(
        &self,
        both: &Sequences,
        schedules: &Schedules,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<[Felt; 2], Exhausted> {
        let p = self.a.ports.len();
        // Both are known up to the same time only.
        let last = both.length as i64 - 1;
        let of = |sequence: &[Entries], columns: Range<usize>, shift: &[i64]| -> Result<Vec<Influence>, Exhausted> {
            // Where all are moved together, so are the constants.
            let least = shift.iter().copied().min().unwrap_or(0);
            let mut found = vec![Influence::new(); columns.len()];
            for (lag, m) in sequence.iter().enumerate() {
                for (i, n) in (0..p).flat_map(|i| columns.clone().map(move |n| (i, n))) {
                    let (time, entry) = (lag as i64 + shift[i] - least, &m[(i, n)]);
                    if time <= last && !entry.is_zero() {
                        let mut put = |c: &RationalFunction| Ok(c.substitute(value)?.unwrap_or_else(|| c.clone()));
                        let entry = schedules.advanced_operator(entry, -shift[i])?;
                        found[n - columns.start].insert((i, time), entry.map_coefficients(&mut put)?);
                    }
                }
            }
            Ok(found)
        };
        let side = |response: &Response, shift: &[i64], count: usize| -> Result<Felt, Exhausted> {
            let own = of(&response.first(both.length)?, p..p + count, shift)?;
            let Some(r) = response.realization() else { return Ok((own, Vec::new())) };
            let moved = elsewhere(r)?;
            let starts = Response::new(&moved, &self.matching.joint);
            let starts = of(&starts.first(both.length)?, 0..r.states.len(), shift)?;
            Ok((own, starts))
        };
        let (a, b) = (self.a.constants.len(), self.b.constants.len());
        let ours = side(both.x, &vec![0; p], a)?;
        let theirs = side(&both.y, both.shift, b)?;
        Ok([ours, theirs])
    }
}

/// What enters where state i is counted from another place, (I − A) eᵢ, and what is then seen too much, C eᵢ.
fn elsewhere(r: &Realization<OperatorPolynomial>) -> Result<Realization<OperatorPolynomial>, Exhausted> {
    let n = r.states.len();
    let (b, d) = (Matrix::identity(n).sub(&r.a)?, Matrix::zero(r.c.rows(), n).sub(&r.c)?);
    Ok(Realization { b, d, ..r.clone() })
}

/// What a symbol is on a branch, at its time.
fn value(schedules: &Schedules, laws: &Laws, branch: &Branch, v: Variable) -> Option<RationalFunction> {
    match (scheduled(v), branch.values.get(&v).or_else(|| branch.conditions.get(&v))) {
        (Some((j, offset)), _) => schedules.advanced(laws.values.get(&j)?, offset).ok(),
        (None, Some(Value::Rational(r))) => Some(r.clone()),
        _ => None,
    }
}

/// A constant as a combination of others where coefficients change with the index: the factors do not.
fn combined(schedules: &Schedules, target: &Influence, others: &[Influence]) -> Result<Image, Exhausted> {
    let factors = factors(target, others)?;
    let columns = others.len() * factors.len();
    let mut rows: SortedMap<(usize, i64, Word), RationalFunction> = SortedMap::new();
    let mut add = |at: &(usize, i64), p: &OperatorPolynomial, by: &RationalFunction| -> Result<(), Exhausted> {
        for (word, c) in p.terms() {
            let row = rows.entry((at.0, at.1, word.clone())).or_insert_with(RationalFunction::zero);
            *row = row.add(&c.mul(by)?)?;
        }
        Ok(())
    };
    for (at, p) in target {
        add(at, p, &RationalFunction::one().neg())?;
    }
    for (i, other) in others.iter().enumerate() {
        for (j, word) in factors.iter().enumerate() {
            let unknown = RationalFunction::variable(factor(i * factors.len() + j));
            for (at, p) in other {
                add(at, &p.mul(word)?, &unknown)?;
            }
        }
    }
    let mut equations: SortedSet<Polynomial> = SortedSet::new();
    for row in rows.values() {
        let reduced = schedules.reduced(row.numerator())?;
        equations.extend(schedules.coefficients(&reduced).iter().map(Polynomial::primitive_part));
    }
    equations.remove(&Polynomial::zero());
    if equations.iter().any(Polynomial::is_constant) {
        return Ok(None);
    }
    let solution = solve(&Problem {
        equations: equations.into_iter().collect(),
        unknowns: (0..columns).map(factor).collect(),
        given: Vec::new(),
        nonzero: Vec::new(),
        conditions: Conditions::Never,
    })?;
    let Some(branch) = solution.branches.first().filter(|b| b.relations.is_empty()) else { return Ok(None) };
    // Factors that may be anything are zero.
    let free = |v: Variable| branch.free.contains(&v).then(RationalFunction::zero);
    let mut found = Vec::new();
    for i in 0..others.len() {
        let mut sum = OperatorPolynomial::zero();
        for (j, word) in factors.iter().enumerate() {
            let Some(Value::Rational(c)) = branch.values.get(&factor(i * factors.len() + j)) else { continue };
            let Some(c) = c.substitute(&free)? else { return Ok(None) };
            sum = sum.add(&OperatorPolynomial::scalar(c).mul(word)?)?;
        }
        found.push(sum);
    }
    Ok(Some(found))
}
