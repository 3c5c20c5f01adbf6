//! Whether Markov parameters agree at random residues of all that may be chosen: a difference there is one, and none
//! there is taken for none. The re-check follows.

use super::Entries;
use super::equations::Sequences;
use super::reading::{Search, Solved};
use crate::operator::OperatorPolynomial;
use crate::prime_field::{Dense, PRIME, Stream, add, square_root};
use crate::relation::laws::Laws;
use crate::system::schedule::{Motion, Schedules, schedule, scheduled};
use crate::transfer::Realization;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{RationalFunction, SortedMap, Variable};
use std::cell::{Cell, RefCell};

type Plain = Realization<OperatorPolynomial>;

/// Points are tried so often: roots have residues at some of them only.
const TRIES: u64 = 1000;

/// Residues for the symbols of a branch with its laws: those that are no function of others are random.
struct Residues<'a> {
    branch: &'a Branch,
    laws: &'a Laws,
    rules: &'a Schedules,
    /// Where sequences begin that keep to rules.
    first: i64,
    seed: u64,
    /// Values of such sequences, by their symbols.
    known: RefCell<SortedMap<Variable, u64>>,
}

impl Residues<'_> {
    /// A coefficient, so many iterations later; nothing where a denominator vanishes or a root has no residue.
    fn at(&self, r: &RationalFunction, by: i64, value: &dyn Fn(Variable, i64) -> Option<u64>) -> Option<u64> {
        let defined = Cell::new(true);
        let value = |v: Variable| {
            value(v, by).unwrap_or_else(|| {
                defined.set(false);
                0
            })
        };
        r.evaluate_mod(&value, PRIME).filter(|_| defined.get())
    }

    /// What a symbol is on the branch.
    fn value(&self, v: Variable, by: i64) -> Option<u64> {
        let given = |r: &RationalFunction, by: i64| self.at(r, by, &|v, by| self.given(v, by));
        let law = scheduled(v).and_then(|(j, offset)| Some((self.laws.values.get(&j)?, offset)));
        let solved = self.branch.values.get(&v).or_else(|| self.branch.conditions.get(&v));
        match (law, solved) {
            (Some((law, offset)), _) => given(law, by + offset),
            (None, Some(Value::Rational(r))) => given(r, by),
            (None, Some(Value::Root { .. })) => None,
            (None, None) => self.given(v, by),
        }
    }

    /// What a symbol is that nothing is said of but rules.
    fn given(&self, v: Variable, by: i64) -> Option<u64> {
        let random = |v: Variable| Stream::new(self.seed << 32 | u64::from(v.0)).next();
        let Some((j, offset)) = scheduled(v) else { return Some(random(v)) };
        let (time, symbol) = (offset + by, schedule(j, offset + by));
        let ruled = |r: &RationalFunction, by: i64| self.at(r, by, &|v, by| self.given(v, by));
        let found = match &self.rules.list[j].motion {
            Motion::Free => return Some(random(symbol)),
            Motion::Clock => return Some(add(random(v), by.rem_euclid(PRIME as i64) as u64)),
            _ if self.known.borrow().contains_key(&symbol) => return self.known.borrow().get(&symbol).copied(),
            Motion::Recursion(_) if time < self.first => return None,
            Motion::Recursion(_) if time == self.first => random(symbol),
            Motion::Recursion(next) => ruled(next, time - 1)?,
            Motion::Function("sqrt", square) => square_root(ruled(square, time)?)?,
            Motion::Function(..) | Motion::Power(_) => return None,
        };
        self.known.borrow_mut().insert(symbol, found);
        Some(found)
    }

    /// A matrix without operators.
    fn matrix(&self, m: &Entries, by: i64) -> Option<Dense> {
        let entry = |e: &OperatorPolynomial| {
            let mut sum = 0;
            for (word, c) in e.terms() {
                let c = self.at(c, by, &|v, by| self.value(v, by));
                sum = add(sum, c.filter(|_| word.is_empty())?);
            }
            Some(sum)
        };
        let rows = (0..m.rows()).map(|i| m.row(i).iter().map(entry).collect()).collect::<Option<_>>()?;
        Some(Dense { rows, cols: m.cols() })
    }

    /// Whether all lags agree; nothing where a number has no residue.
    fn agree(&self, both: &Sequences, x: &Plain, y: &Plain) -> Option<bool> {
        let length = both.length as i64;
        let ours = self.markov(x, 0, both.length)?;
        for (i, m) in both.shift.iter().enumerate() {
            let theirs = self.markov(y, -m, both.length)?;
            for (j, moved) in both.shift.iter().enumerate() {
                let by = moved - m;
                let entry = |list: &[Dense], lag: i64| {
                    usize::try_from(lag).ok().and_then(|lag| list.get(lag)).map_or(0, |m| m.rows[i][j])
                };
                let lags = (-by).min(0)..length.min(length - by);
                if lags.into_iter().any(|lag| entry(&ours, lag) != entry(&theirs, lag + by)) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// D, CB, CAB, … so many iterations later.
    fn markov(&self, r: &Plain, by: i64, count: usize) -> Option<Vec<Dense>> {
        let mut found = vec![self.matrix(&r.d, by)?];
        let mut left = self.matrix(&r.c, by)?;
        for lag in 1..count as i64 {
            found.push(left.after(&self.matrix(&r.b, by - lag)?));
            left = left.after(&self.matrix(&r.a, by - lag)?);
        }
        Some(found)
    }
}

impl Search<'_> {
    /// Whether all lags agree on every branch; nothing where that is not seen at random residues: where operators occur, or
    /// functions other than roots of numbers that change with the index.
    pub(super) fn agree_at_random(&self, both: &Sequences, (branches, laws): &Solved) -> Option<bool> {
        let rules = &laws.ruled(&self.matching.joint);
        let (x, y) = (both.x.realization()?, both.y.realization()?);
        let has_words = |m: &Entries| {
            (0..m.rows()).any(|i| m.row(i).iter().any(|e| e.terms().iter().any(|(word, _)| !word.is_empty())))
        };
        let has_residues =
            |m: &Motion| !matches!(m, Motion::Power(_)) && !matches!(m, Motion::Function(f, _) if *f != "sqrt");
        let is_root = |value: &Value| matches!(value, Value::Root { .. });
        if [&x.a, &x.b, &x.c, &x.d, &y.a, &y.b, &y.c, &y.d].into_iter().any(has_words)
            || !rules.list.iter().all(|s| has_residues(&s.motion))
            || branches.iter().any(|b| b.values.values().chain(b.conditions.values()).any(is_root))
        {
            return None;
        }
        // Few symbols speak of earlier times, and every root before has a residue at half of all points.
        let spread = both.shift.iter().map(|m| m.abs()).max().unwrap_or(0);
        let first = -(both.length as i64 + spread) - 1;
        for branch in branches {
            let agree = (1..=TRIES).find_map(|seed| {
                let known = RefCell::default();
                Residues { branch, laws, rules, first, seed, known }.agree(both, x, y)
            });
            if !agree? {
                return Some(false);
            }
        }
        Some(true)
    }
}
