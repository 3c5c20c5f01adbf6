//! A random point of a branch of a witness.

use super::root::root;
use crate::prime_field::{PRIME, Stream, add, multiply, square_root};
use crate::relation::behavior::Side;
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Polynomial, RationalFunction, SortedMap, Variable};

pub fn random_vector(n: usize, stream: &mut Stream) -> Vec<u64> {
    (0..n).map(|_| stream.next()).collect()
}

/// Values of all parameters.
pub struct Point {
    pub values: SortedMap<Variable, u64>,
}

impl Point {
    pub fn new(first: &Analysis, second: &Analysis, branch: &Branch, stream: &mut Stream) -> Option<Point> {
        let mut point = Point { values: SortedMap::new() };
        for (analysis, side) in [(first, Side::First), (second, Side::Second)] {
            for i in 0..analysis.system.parameters.len() {
                point.values.insert(side.place(crate::system::parameter(i)), stream.next());
            }
        }
        for v in &branch.free {
            point.values.insert(*v, stream.next());
        }
        // A relation determines one of its numbers, whatever the others are.
        for p in &branch.relations {
            let determined = |v: &Variable| branch.conditions.contains_key(v) || branch.values.contains_key(v);
            let open = p.variables().into_iter().filter(|v| !determined(v));
            let v = open.min_by_key(|v| p.degree_in(*v))?;
            let parts = p.coefficients_in(v).into_iter().map(|c| c.evaluate_mod(&|w| point.at(w), PRIME));
            let value = root(&parts.collect::<Vec<_>>(), stream)?;
            point.values.insert(v, value);
        }
        for list in [&branch.conditions, &branch.values] {
            let mut fixed = Vec::new();
            for (v, value) in list {
                fixed.push((*v, point.solved(value)?));
            }
            point.values.extend(fixed);
        }
        // Relations that hang together are not met by chance.
        let met = |p: &Polynomial| p.evaluate_mod(&|v| point.at(v), PRIME) == 0;
        branch.relations.iter().all(met).then_some(point)
    }

    pub fn solved(&self, value: &Value) -> Option<u64> {
        match value {
            Value::Rational(r) => self.value(r),
            Value::Root { a, b, radicand } => {
                let root = square_root(radicand.evaluate_mod(&|v| self.at(v), PRIME))?;
                Some(add(self.value(a)?, multiply(self.value(b)?, root)))
            }
        }
    }

    pub fn at(&self, v: Variable) -> u64 {
        self.values.get(&v).copied().unwrap_or(1)
    }

    pub fn value(&self, r: &RationalFunction) -> Option<u64> {
        r.evaluate_mod(&|v| self.at(v), PRIME)
    }
}
