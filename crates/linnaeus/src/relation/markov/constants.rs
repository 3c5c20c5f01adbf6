//! How the constants of both sides hang together in one reading.

use super::Entries;
use super::equations::Sequences;
use super::reading::Search;
use crate::operator::OperatorPolynomial;
use crate::relation::behavior::Side;
use crate::relation::constants::{self, Image, Influence, Matched};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Exhausted, RationalFunction, Variable};

/// The number of no constant.
const NONE: usize = usize::MAX / 2;

impl Search<'_> {
    /// How the constants of both sides hang together, and those that must be zero.
    pub fn constants(&self, both: &Sequences, branches: &[Branch]) -> Result<Matched, Exhausted> {
        let value = |v: Variable| match branches.first()?.values.get(&v)? {
            Value::Rational(r) => Some(r.clone()),
            Value::Root { .. } => None,
        };
        let p = self.a.ports.len();
        let agree = |n: usize, m: usize| -> Result<bool, Exhausted> {
            for equation in self.column(both, p + n, p + m, 0, &self.matching.joint, usize::MAX)? {
                if RationalFunction::polynomial(equation).substitute(&value)?.is_none_or(|left| !left.is_zero()) {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let influence = self.influence(both, &value)?;
        let names = [&self.a.constants, &self.b.constants];
        let images = |given: Side| -> Result<Vec<Image>, Exhausted> {
            let (own, other) = if given == Side::First { (names[0], names[1]) } else { (names[1], names[0]) };
            let mut found = Vec::new();
            for (n, name) in own.iter().enumerate() {
                let like = other.iter().position(|o| o == name).or(Some(n).filter(|n| *n < other.len()));
                let agrees = |m: usize| if given == Side::First { agree(n, m) } else { agree(m, n) };
                found.push(match (like, &influence) {
                    (Some(m), _) if agrees(m)? => Some(constants::unit(other.len(), m)),
                    _ if agrees(NONE)? => Some(vec![OperatorPolynomial::zero(); other.len()]),
                    (_, Some([a, b])) if given == Side::First => constants::in_words(&a[n], b)?,
                    (_, Some([a, b])) => constants::in_words(&b[n], a)?,
                    (_, None) => None,
                });
            }
            Ok(found)
        };
        Ok(constants::hung_together(&images(Side::First)?, &images(Side::Second)?))
    }

    /// What the constants of both sides do, in the first's time; nothing where coefficients change with the index.
    fn influence(
        &self,
        both: &Sequences,
        value: &dyn Fn(Variable) -> Option<RationalFunction>,
    ) -> Result<Option<[Vec<Influence>; 2]>, Exhausted> {
        if !self.matching.joint.is_empty() {
            return Ok(None);
        }
        let p = self.a.ports.len();
        // Both are known up to the same time only.
        let last = both.length as i64 - 1 + both.shift.iter().copied().min().unwrap_or(0).min(0);
        let of = |sequence: &[Entries], count: usize, shift: &[i64]| -> Result<Vec<Influence>, Exhausted> {
            let mut found = vec![Influence::new(); count];
            for (lag, m) in sequence.iter().enumerate() {
                for (i, n) in (0..p).flat_map(|i| (0..count).map(move |n| (i, n))) {
                    let (time, entry) = (lag as i64 + shift[i], &m[(i, p + n)]);
                    if time <= last && !entry.is_zero() {
                        let mut put = |c: &RationalFunction| Ok(c.substitute(value)?.unwrap_or_else(|| c.clone()));
                        found[n].insert((i, time), entry.map_coefficients(&mut put)?);
                    }
                }
            }
            Ok(found)
        };
        let (a, b) = (self.a.constants.len(), self.b.constants.len());
        let (x, y) = (both.x.first(both.length)?, both.y.first(both.length)?);
        Ok(Some([of(&x, a, &vec![0; p])?, of(&y, b, both.shift)?]))
    }
}
