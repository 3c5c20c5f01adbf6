//! The linear span of the Plücker vectors of a family, and of products of their entries.

use crate::prime_field::{add, invert, multiply, negate};

/// Products of entries are used up to this degree.
const MAX_QUADRIC: usize = 3;

/// The linear span of the Plücker vectors of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// How many channels there are.
    pub channels: usize,
    /// The degree in z.
    pub degree: usize,
    /// A basis in reduced echelon form. Entry (degree + 1) S + i of a vector belongs to the minor on
    /// the set S of channels and to the i-th power.
    basis: Vec<Vec<u64>>,
    /// One vector of the family.
    sample: Vec<u64>,
    /// For every set S of channels but the empty one the span of all products of two entries of the
    /// minors on ∅ and S; empty where the degree is too high.
    quadrics: Vec<Vec<Vec<u64>>>,
    /// Whether it is known to be all of it.
    pub complete: bool,
}

impl Span {
    /// The span of one vector: polynomials by sets of channels.
    pub fn new(channels: usize, vector: &[Vec<u64>]) -> Span {
        let degree = vector.iter().map(Vec::len).max().unwrap_or(1).max(1) - 1;
        let quadrics = if degree <= MAX_QUADRIC { vec![Vec::new(); vector.len() - 1] } else { Vec::new() };
        let mut span =
            Span { channels, degree, basis: Vec::new(), sample: flat(vector, degree), quadrics, complete: false };
        span.extend(vector);
        span
    }

    /// Adds a vector of the same degree; whether it was new.
    pub fn extend(&mut self, vector: &[Vec<u64>]) -> bool {
        let flat = flat(vector, self.degree);
        let mut grows = false;
        for (i, quadric) in self.quadrics.iter_mut().enumerate() {
            grows |= extend(quadric, products(&flat, self.degree + 1, i + 1));
        }
        grows | extend(&mut self.basis, flat)
    }

    /// Whether there is one algorithm in the family only.
    pub fn is_point(&self) -> bool {
        self.complete && self.basis.len() == 1
    }

    /// Whether a vector of this family, times a polynomial that makes up for the difference of degrees, may
    /// lie in the span of the other, channel i being the other's `order[i]`.
    pub fn may_lie_in(&self, other: &Span, order: &[usize]) -> bool {
        if self.channels != other.channels || self.degree > other.degree {
            return false;
        }
        if !other.complete {
            return true;
        }
        let more = other.degree - self.degree;
        if more == 0 {
            return lies_in(&other.basis, self.lifted(order, 0, other.degree)) && self.fits_quadrics(other, order);
        }
        // At z = ∞ every algorithm has a vector, that of [D; I], so that the degree of none is smaller than
        // the others'.
        let reduced = |i: usize| {
            let mut v = self.lifted(order, i, other.degree);
            reduce(&other.basis, &mut v);
            v
        };
        let mut beyond = Vec::new();
        for i in 0..more {
            extend(&mut beyond, reduced(i));
        }
        lies_in(&beyond, reduced(more))
    }

    /// The same in any order.
    pub fn may_lie_in_any(&self, other: &Span) -> bool {
        self.channels == other.channels
            && self.degree <= other.degree
            && permutations(self.channels).iter().any(|order| self.may_lie_in(other, order))
    }

    /// Whether the channels of this family may be so many copies of the calls of one iteration: some
    /// permutation moves every channel to its next copy, and the last one to the first, and changes nothing.
    pub fn may_repeat(&self, times: usize, functions: &[usize]) -> bool {
        let function = |i: usize| functions.iter().position(|set| set >> i & 1 == 1);
        permutations(self.channels).iter().any(|order| {
            (0..self.channels).all(|i| function(i) == function(order[i]))
                && (0..self.channels).all(|i| cycle(order, i) == times)
                && self.lifted(order, 0, self.degree) == self.sample
        })
    }

    /// Whether products of entries lie where those of the other do.
    fn fits_quadrics(&self, other: &Span, order: &[usize]) -> bool {
        let moved = self.lifted(order, 0, self.degree);
        let mut quadrics = other.quadrics.iter().enumerate();
        quadrics.all(|(i, quadric)| lies_in(quadric, products(&moved, self.degree + 1, i + 1)))
    }

    /// Whether the two may be equal when the functions of one are read as conjugates: minors on
    /// complementary sets, with the signs of a reflection of some channels.
    pub fn may_be_dual_of(&self, other: &Span) -> bool {
        let n = self.channels;
        n == other.channels
            && self.degree <= other.degree
            && (0..1usize << n).any(|signs| self.dual(signs).may_lie_in_any(other))
    }

    /// The sample for conjugate functions, some channels reflected.
    pub fn dual(&self, signs: usize) -> Span {
        let (length, all) = (self.degree + 1, (1usize << self.channels) - 1);
        let sample = vec![0; self.sample.len()];
        let mut dual = Span { sample, basis: Vec::new(), quadrics: Vec::new(), ..*self };
        for set in 0..=all {
            let odd = (set & signs).count_ones() % 2 == 1;
            for i in 0..length {
                let x = self.sample[length * set + i];
                dual.sample[length * (all ^ set) + i] = if odd { negate(x) } else { x };
            }
        }
        dual
    }

    /// The sample up to a factor and the order of channels.
    pub fn name(&self) -> Vec<u64> {
        let orders = permutations(self.channels).into_iter();
        orders.map(|order| normal(self.lifted(&order, 0, self.degree))).min().unwrap_or_default()
    }

    /// The sample times a power among vectors of a higher degree, channels in another order.
    fn lifted(&self, order: &[usize], by: usize, degree: usize) -> Vec<u64> {
        let mut found = vec![0; (degree + 1) << self.channels];
        for set in 0..1usize << self.channels {
            let moved: usize = (0..self.channels).filter(|i| set >> i & 1 == 1).map(|i| 1 << order[i]).sum();
            for i in 0..=self.degree {
                found[(degree + 1) * moved + i + by] = self.sample[(self.degree + 1) * set + i];
            }
        }
        found
    }
}

/// After how many steps a permutation is back.
fn cycle(order: &[usize], i: usize) -> usize {
    1 + std::iter::successors(Some(order[i]), |j| Some(order[*j])).take_while(|j| *j != i).count()
}

/// One entry after the other.
fn flat(vector: &[Vec<u64>], degree: usize) -> Vec<u64> {
    vector.iter().flat_map(|minor| (0..=degree).map(|i| minor.get(i).copied().unwrap_or(0))).collect()
}

/// The first entry that is not zero made 1.
fn normal(mut v: Vec<u64>) -> Vec<u64> {
    if let Some(lead) = v.iter().find(|x| **x != 0) {
        let scale = invert(*lead);
        v.iter_mut().for_each(|x| *x = multiply(*x, scale));
    }
    v
}

/// All orders of so many channels.
pub fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..n {
        found = found
            .into_iter()
            .flat_map(|p| {
                let rest = (0..n).filter(|i| !p.contains(i)).collect::<Vec<_>>();
                rest.into_iter().map(move |i| [p.as_slice(), &[i]].concat())
            })
            .collect();
    }
    found
}

/// All products of two entries of the minors on ∅ and on a set.
fn products(flat: &[u64], length: usize, set: usize) -> Vec<u64> {
    let entries: Vec<u64> = flat[..length].iter().chain(&flat[length * set..length * (set + 1)]).copied().collect();
    let pairs = (0..entries.len()).flat_map(|i| (i..entries.len()).map(move |j| (i, j)));
    pairs.map(|(i, j)| multiply(entries[i], entries[j])).collect()
}

/// Takes multiples of the rows away such that their leading entries vanish.
fn reduce(basis: &[Vec<u64>], v: &mut [u64]) {
    for row in basis {
        let lead = row.iter().position(|x| *x != 0).expect("rows are not zero");
        if v[lead] != 0 {
            let factor = negate(v[lead]);
            v.iter_mut().zip(row).for_each(|(x, r)| *x = add(*x, multiply(factor, *r)));
        }
    }
}

/// Whether a vector lies in a span.
fn lies_in(basis: &[Vec<u64>], mut v: Vec<u64>) -> bool {
    reduce(basis, &mut v);
    v.iter().all(|x| *x == 0)
}

/// Adds a vector to a basis in echelon form; whether it was independent.
fn extend(basis: &mut Vec<Vec<u64>>, mut v: Vec<u64>) -> bool {
    reduce(basis, &mut v);
    let Some(lead) = v.iter().position(|x| *x != 0) else {
        return false;
    };
    let v = normal(v);
    for row in basis.iter_mut() {
        if row[lead] != 0 {
            let factor = negate(row[lead]);
            row.iter_mut().zip(&v).for_each(|(x, r)| *x = add(*x, multiply(factor, *r)));
        }
    }
    basis.push(v);
    true
}
