//! Polynomials in unknowns modulo a prime, all other variables being random residues.

use super::probe::random_word;
use crate::polynomial::{multiply_mod, power_mod, residue};
use crate::rational_function::inverse_mod;
use crate::{Exhausted, Polynomial, Variable, spend};
use std::cmp::Ordering;

/// The prime 2⁶¹ − 1.
pub(super) const PRIME: u64 = (1 << 61) - 1;

/// So many unknowns have room, and so large an exponent.
pub(super) const MANY: usize = 8 * WORDS;
const LARGE: u32 = 127;

const WORDS: usize = 4;

/// So many terms are moved for one unit of work.
const CHEAP: usize = 4;

/// The highest bit of every byte, which no exponent has.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// A product of powers of unknowns, a byte for each exponent. Those of higher degree come later, and of one degree those
/// with a smaller power of the last unknown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Product {
    degree: u32,
    exponents: [u64; WORDS],
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Product {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.degree != other.degree {
            return self.degree.cmp(&other.degree);
        }
        for w in 0..WORDS {
            if self.exponents[w] != other.exponents[w] {
                return other.exponents[w].cmp(&self.exponents[w]);
            }
        }
        Ordering::Equal
    }
}

impl Product {
    pub(super) const ONE: Product = Product { degree: 0, exponents: [0; WORDS] };

    /// A power of the i-th unknown; nothing if there is no room.
    fn power(i: usize, e: u32) -> Option<Product> {
        let mut exponents = [0; WORDS];
        *exponents.get_mut(i / 8).filter(|_| e <= LARGE)? = u64::from(e) << (8 * (7 - i % 8));
        Some(Product { degree: e, exponents })
    }

    pub(super) fn exponent(&self, i: usize) -> u32 {
        (self.exponents[i / 8] >> (8 * (7 - i % 8)) & 0xff) as u32
    }

    pub(super) fn is_one(&self) -> bool {
        self.degree == 0
    }

    pub(super) fn unknowns(self) -> impl Iterator<Item = usize> {
        let words = (0..WORDS).filter(move |w| self.exponents[*w] != 0);
        words.flat_map(move |w| (8 * w..8 * w + 8).filter(move |i| self.exponent(*i) > 0))
    }

    /// Whether it is a product of these unknowns alone.
    pub(super) fn is_made_of(&self, unknowns: &Product) -> bool {
        (0..WORDS).all(|w| self.exponents[w] & !(unknowns.exponents[w] * 0xff) == 0)
    }

    /// The product of these unknowns, each once.
    pub(super) fn all_of(unknowns: impl Iterator<Item = usize>) -> Product {
        let mut exponents = [0; WORDS];
        unknowns.filter(|i| *i < MANY).for_each(|i| exponents[i / 8] |= 1 << (8 * (7 - i % 8)));
        Product::of(exponents)
    }

    /// Nothing if there is no room.
    fn times(&self, other: &Product) -> Option<Product> {
        let degree = self.degree + other.degree;
        let exponents: [u64; WORDS] = std::array::from_fn(|w| self.exponents[w] + other.exponents[w]);
        (degree <= LARGE || exponents.iter().all(|e| e & HIGH == 0)).then_some(Product { degree, exponents })
    }

    pub(super) fn divides(&self, other: &Product) -> bool {
        let mut fits = HIGH;
        for w in 0..WORDS {
            fits &= (other.exponents[w] | HIGH) - self.exponents[w];
        }
        self.degree <= other.degree && fits == HIGH
    }

    /// What a multiple is a multiple by.
    fn cofactor(&self, multiple: &Product) -> Product {
        let exponents = std::array::from_fn(|w| multiple.exponents[w] - self.exponents[w]);
        Product { degree: multiple.degree - self.degree, exponents }
    }

    fn of(exponents: [u64; WORDS]) -> Product {
        Product { degree: exponents.iter().map(|e| sum_of_bytes(*e)).sum(), exponents }
    }

    pub(super) fn lcm(&self, other: &Product) -> Product {
        Product::of(std::array::from_fn(|w| larger_bytes(self.exponents[w], other.exponents[w])))
    }

    fn gcd(&self, other: &Product) -> Product {
        let smaller = |a: u64, b: u64| a + b - larger_bytes(a, b);
        Product::of(std::array::from_fn(|w| smaller(self.exponents[w], other.exponents[w])))
    }

    pub(super) fn is_coprime(&self, other: &Product) -> bool {
        self.gcd(other).is_one()
    }

    pub(super) fn without(&self, i: usize) -> Product {
        let mut exponents = self.exponents;
        exponents[i / 8] &= !(0xff << (8 * (7 - i % 8)));
        Product::of(exponents)
    }

    /// The part in these unknowns.
    fn part(&self, unknowns: &[bool; MANY]) -> Product {
        let mask = |i: usize| if unknowns[i] { 0xff } else { 0 };
        Product::of(std::array::from_fn(|w| {
            self.exponents[w] & u64::from_be_bytes(std::array::from_fn(|b| mask(8 * w + b)))
        }))
    }
}

/// Of every two bytes in the same place the larger; the highest bit of none is set.
fn larger_bytes(a: u64, b: u64) -> u64 {
    let is_larger = ((a | HIGH) - b) & HIGH;
    let mask = (is_larger >> 7) * 0xff;
    a & mask | b & !mask
}

fn sum_of_bytes(a: u64) -> u32 {
    const LOW: u64 = 0x00ff_00ff_00ff_00ff;
    let pairs = (a & LOW) + (a >> 8 & LOW);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

/// A polynomial modulo the prime: products with residues other than 0, descending.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Residue {
    pub(super) terms: Vec<(Product, u64)>,
}

impl Residue {
    /// A polynomial at random residues of all variables that have no place among the unknowns; nothing if there is no room.
    pub(super) fn at_random(p: &Polynomial, place: &dyn Fn(&Variable) -> Option<usize>) -> Option<Residue> {
        let places: Vec<Result<usize, u64>> =
            p.variables().iter().map(|v| place(v).ok_or_else(|| random_word(*v) % PRIME)).collect();
        let mut terms = Vec::with_capacity(p.term_count());
        for t in 0..p.term_count() {
            let (mut product, mut value) = (Product::ONE, residue(p.coefficient(t), PRIME));
            for (i, place) in places.iter().enumerate() {
                match (p.exponent(t, i), place) {
                    (0, _) => {}
                    (e, Ok(at)) => product = product.times(&Product::power(*at, e)?)?,
                    (e, Err(x)) => value = multiply_mod(value, power_mod(*x, e, PRIME), PRIME),
                }
            }
            terms.push((product, value));
        }
        Some(Residue::sum(terms))
    }

    /// The i-th unknown; nothing if there is no room.
    pub(super) fn unknown(i: usize) -> Option<Residue> {
        Some(Residue { terms: vec![(Product::power(i, 1)?, 1)] })
    }

    /// What vanishes where the i-th unknown is the inverse of `p`.
    pub(super) fn inverse(p: &Residue, i: usize) -> Option<Residue> {
        let unknown = Product::power(i, 1)?;
        let mut terms = Vec::with_capacity(p.terms.len() + 1);
        for (product, c) in &p.terms {
            terms.push((product.times(&unknown)?, *c));
        }
        terms.push((Product::ONE, PRIME - 1));
        Some(Residue::sum(terms))
    }

    /// The sum of terms in any order.
    fn sum(mut terms: Vec<(Product, u64)>) -> Residue {
        terms.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = add(kept.1, next.1);
            }
            same
        });
        terms.retain(|(_, c)| *c != 0);
        Residue { terms }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub(super) fn is_constant(&self) -> bool {
        self.terms.iter().all(|(product, _)| product.is_one())
    }

    pub(super) fn lead(&self) -> &Product {
        &self.terms[0].0
    }

    pub(super) fn degree_in(&self, i: usize) -> u32 {
        self.terms.iter().map(|(product, _)| product.exponent(i)).max().unwrap_or(0)
    }

    /// What all products have in common.
    pub(super) fn content(&self) -> Product {
        let all = self.terms.iter().map(|(product, _)| *product);
        all.reduce(|a, b| a.gcd(&b)).unwrap_or(Product::ONE)
    }

    fn over(&mut self, content: &Product) {
        if !content.is_one() {
            self.terms.iter_mut().for_each(|(product, _)| *product = content.cofactor(product));
        }
    }

    /// The same zeros where these unknowns do not vanish, the first coefficient being 1.
    pub(super) fn normal(mut self, nonzero: &[bool; MANY]) -> Residue {
        let content = self.content().part(nonzero);
        self.over(&content);
        if let Some((_, lead)) = self.terms.first() {
            self.divide(*lead);
        }
        self
    }

    fn divide(&mut self, c: u64) {
        if c != 1 {
            let scale = inverse_mod(c, PRIME);
            self.terms.iter_mut().for_each(|(_, c)| *c = multiply_mod(*c, scale, PRIME));
        }
    }

    /// The terms without the i-th unknown, which occurs once, over the coefficient there.
    pub(super) fn rest_beside(&self, i: usize) -> Residue {
        let (with, without) = self.terms.iter().partition::<Vec<_>, _>(|(product, _)| product.exponent(i) > 0);
        let mut rest = Residue { terms: without };
        with.iter().for_each(|(_, c)| rest.divide(*c));
        rest
    }

    fn only(&self, keeps: impl Fn(&Product) -> bool) -> Residue {
        Residue { terms: self.terms.iter().filter(|(product, _)| keeps(product)).copied().collect() }
    }

    pub(super) fn times(&self, other: &Residue) -> Result<Residue, Exhausted> {
        spend((self.terms.len() * other.terms.len()) as u64)?;
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (p, c) in &self.terms {
            for (q, d) in &other.terms {
                terms.push((p.times(q).ok_or(Exhausted)?, multiply_mod(*c, *d, PRIME)));
            }
        }
        Ok(Residue::sum(terms))
    }

    /// self + factor · shift · other.
    fn plus(&self, factor: u64, shift: &Product, other: &Residue) -> Result<Residue, Exhausted> {
        let mut terms = Vec::new();
        merge(&self.terms, factor, shift, &other.terms, &mut terms)?;
        Ok(Residue { terms })
    }

    /// The same modulo others whose first coefficients are 1, with a first term that none of theirs divides.
    pub(super) fn reduced<'a>(self, others: impl Iterator<Item = &'a Residue> + Clone) -> Result<Residue, Exhausted> {
        let (mut terms, mut next) = (self.terms, Vec::new());
        while let Some((product, c)) = terms.first().copied() {
            let Some(g) = others.clone().find(|g| g.lead().divides(&product)) else { break };
            // The first terms cancel.
            merge(&terms[1..], PRIME - c, &g.lead().cofactor(&product), &g.terms[1..], &mut next)?;
            std::mem::swap(&mut terms, &mut next);
        }
        Ok(Residue { terms })
    }

    /// The combination in which both leading terms cancel, these having coefficient 1.
    pub(super) fn cancelled(&self, other: &Residue, lcm: &Product) -> Result<Residue, Exhausted> {
        let left = Residue::default().plus(1, &self.lead().cofactor(lcm), self)?;
        left.plus(PRIME - 1, &other.lead().cofactor(lcm), other)
    }

    /// The numerator with −rest/product in place of the i-th unknown.
    pub(super) fn substituted(&self, i: usize, rest: &Residue, product: &Product) -> Result<Residue, Exhausted> {
        let degree = self.degree_in(i);
        if degree == 0 {
            return Ok(self.clone());
        }
        let below = Residue { terms: vec![(*product, 1)] };
        let minus = Residue { terms: rest.terms.iter().map(|(p, c)| (*p, PRIME - c)).collect() };
        let mut sum = Residue::default();
        // Horner's rule, with a denominator.
        for e in (0..=degree).rev() {
            sum = sum.times(&minus)?;
            let mut coefficient = self.only(|p| p.exponent(i) == e);
            let power = Product::power(i, e).ok_or(Exhausted)?;
            coefficient.over(&power);
            for _ in e..degree {
                coefficient = coefficient.times(&below)?;
            }
            sum = sum.plus(1, &Product::ONE, &coefficient)?;
        }
        Ok(sum)
    }
}

/// a + factor · shift · b, both descending, in place of what `sum` was.
fn merge(
    a: &[(Product, u64)],
    factor: u64,
    shift: &Product,
    b: &[(Product, u64)],
    sum: &mut Vec<(Product, u64)>,
) -> Result<(), Exhausted> {
    // A term is moved many times faster than where coefficients are integers.
    spend(((a.len() + b.len()) / CHEAP) as u64)?;
    sum.clear();
    sum.reserve(a.len() + b.len());
    let mut rest = a;
    for (product, c) in b {
        let product = product.times(shift).ok_or(Exhausted)?;
        let mut c = multiply_mod(*c, factor, PRIME);
        while let [term, more @ ..] = rest {
            match term.0.cmp(&product) {
                Ordering::Greater => sum.push(*term),
                Ordering::Equal => c = add(c, term.1),
                Ordering::Less => break,
            }
            rest = more;
        }
        if c != 0 {
            sum.push((product, c));
        }
    }
    sum.extend_from_slice(rest);
    Ok(())
}

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All at once and one after the other.
    #[test]
    fn bytes_side_by_side() {
        let words: [u64; 5] = [0, 1, 0x7f00_0102_037f_0900, 0x0801_7f02_0400_7f7f, 0x7f7f_7f7f_7f7f_7f7f];
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (*a, *b))) {
            let (x, y) = (a.to_be_bytes(), b.to_be_bytes());
            assert_eq!(larger_bytes(a, b).to_be_bytes(), std::array::from_fn(|i| x[i].max(y[i])));
            assert_eq!(sum_of_bytes(a), x.iter().map(|e| u32::from(*e)).sum());
        }
    }
}
