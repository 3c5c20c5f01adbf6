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
        self.degree.cmp(&other.degree).then_with(|| other.exponents.cmp(&self.exponents))
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
        (0..MANY).filter(move |i| self.exponent(*i) > 0)
    }

    /// Nothing if there is no room.
    fn times(&self, other: &Product) -> Option<Product> {
        let degree = self.degree + other.degree;
        let exponents = std::array::from_fn(|w| self.exponents[w] + other.exponents[w]);
        (degree <= LARGE || exponents.iter().all(|e| e & HIGH == 0)).then_some(Product { degree, exponents })
    }

    pub(super) fn divides(&self, other: &Product) -> bool {
        let fits = |w: usize| ((other.exponents[w] | HIGH) - self.exponents[w]) & HIGH == HIGH;
        self.degree <= other.degree && (0..WORDS).all(fits)
    }

    /// What a multiple is a multiple by.
    fn cofactor(&self, multiple: &Product) -> Product {
        let exponents = std::array::from_fn(|w| multiple.exponents[w] - self.exponents[w]);
        Product { degree: multiple.degree - self.degree, exponents }
    }

    fn of(bytes: impl Fn(usize) -> u8) -> Product {
        let exponents = std::array::from_fn(|w| u64::from_be_bytes(std::array::from_fn(|b| bytes(8 * w + b))));
        let degree = (0..MANY).map(|i| u32::from(bytes(i))).sum();
        Product { degree, exponents }
    }

    fn bytes(&self) -> [[u8; 8]; WORDS] {
        self.exponents.map(u64::to_be_bytes)
    }

    pub(super) fn lcm(&self, other: &Product) -> Product {
        let (a, b) = (self.bytes(), other.bytes());
        Product::of(|i| a[i / 8][i % 8].max(b[i / 8][i % 8]))
    }

    fn gcd(&self, other: &Product) -> Product {
        let (a, b) = (self.bytes(), other.bytes());
        Product::of(|i| a[i / 8][i % 8].min(b[i / 8][i % 8]))
    }

    pub(super) fn is_coprime(&self, other: &Product) -> bool {
        self.gcd(other).is_one()
    }

    pub(super) fn without(&self, i: usize) -> Product {
        let a = self.bytes();
        Product::of(|j| if j == i { 0 } else { a[j / 8][j % 8] })
    }

    /// The part in these unknowns.
    fn part(&self, unknowns: &[bool; MANY]) -> Product {
        let a = self.bytes();
        Product::of(|i| if unknowns[i] { a[i / 8][i % 8] } else { 0 })
    }
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
        spend((self.terms.len() + other.terms.len()) as u64)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut rest = self.terms.iter().copied().peekable();
        for (product, c) in &other.terms {
            let product = product.times(shift).ok_or(Exhausted)?;
            let mut c = multiply_mod(*c, factor, PRIME);
            while let Some(term) = rest.next_if(|(p, _)| *p > product) {
                terms.push(term);
            }
            if let Some((_, d)) = rest.next_if(|(p, _)| *p == product) {
                c = add(c, d);
            }
            if c != 0 {
                terms.push((product, c));
            }
        }
        terms.extend(rest);
        Ok(Residue { terms })
    }

    /// The remainder by others whose first coefficients are 1.
    pub(super) fn remainder<'a>(
        mut self,
        others: impl Iterator<Item = &'a Residue> + Clone,
    ) -> Result<Residue, Exhausted> {
        let mut done = 0;
        while let Some((product, c)) = self.terms.get(done).copied() {
            match others.clone().find(|g| g.lead().divides(&product)) {
                Some(g) => self = self.plus(PRIME - c, &g.lead().cofactor(&product), g)?,
                None => done += 1,
            }
        }
        Ok(self)
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

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}
