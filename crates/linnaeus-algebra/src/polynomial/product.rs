//! Products: a dense array when the exponents fill it, a hash table otherwise.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use dashu_int::ops::BitTest;

use super::frame::Aligned;
use super::{Polynomial, Term};
use crate::Integer;
use crate::fuel::{Exhausted, spend};
use crate::monomial::{Monomial, PACKED_MAX};
use crate::variables::{FEW, Variable, Variables};

/// The most cells of a dense array.
pub(super) const DENSE_CELLS: usize = 1 << 22;

/// Below this many term products, sorting them beats any table.
const FEW_PRODUCTS: usize = 24;

/// A coefficient while products are being added up.
pub(super) trait Scalar: Clone {
    const ZERO: Self;
    fn is_zero(&self) -> bool;
    /// `self += a·b`; the caller has bounded the result.
    fn add_product(&mut self, a: &Self, b: &Self);
    fn into_integer(self) -> Integer;
}

macro_rules! machine_scalar {
    ($t:ty) => {
        impl Scalar for $t {
            const ZERO: Self = 0;
            fn is_zero(&self) -> bool {
                *self == 0
            }
            fn add_product(&mut self, a: &Self, b: &Self) {
                *self += a * b;
            }
            fn into_integer(self) -> Integer {
                self.into()
            }
        }
    };
}
machine_scalar!(i64);
machine_scalar!(i128);

impl Scalar for Integer {
    const ZERO: Self = Integer::ZERO;
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
    fn into_integer(self) -> Integer {
        self
    }
}

impl Polynomial {
    /// The product.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends or an exponent would pass `u32::MAX`.
    pub fn mul(&self, other: &Self) -> Result<Self, Exhausted> {
        if self.is_zero() || other.is_zero() {
            return Ok(Self::zero());
        }
        spend(self.size().saturating_mul(other.size()))?;
        if self.is_constant() {
            return Ok(other.scaled_by(self.coefficient(0)));
        }
        if other.is_constant() {
            return Ok(self.scaled_by(other.coefficient(0)));
        }
        let frame = self.variables.union(&other.variables);
        let degrees = self.product_degrees(other, &frame)?;
        let narrow = frame.len() <= FEW && degrees.iter().all(|&d| d <= PACKED_MAX);
        if narrow && let Aligned::Narrow(a, b) = self.aligned(other, &frame) {
            return Ok(Self::from_narrow(&frame, product(&a, &b, &degrees)));
        }
        spend(self.size().saturating_mul(other.size()).saturating_mul(width(&frame)))?;
        let (a, b) = (self.wide_in(&frame), other.wide_in(&frame));
        Ok(Self::from_wide(&frame, product(&a, &b, &degrees)))
    }

    fn scaled_by(&self, n: &Integer) -> Self {
        if n.is_one() { self.clone() } else { self.scale(n) }
    }

    /// The product with itself.
    ///
    /// # Errors
    /// As for [`Polynomial::mul`].
    pub fn square(&self) -> Result<Self, Exhausted> {
        self.mul(self)
    }

    /// The `n`-th power; `p⁰ = 1`, also for 0.
    ///
    /// # Errors
    /// As for [`Polynomial::mul`].
    pub fn pow(&self, n: u32) -> Result<Self, Exhausted> {
        if n == 0 {
            return Ok(Self::one());
        }
        let mut power = self.clone();
        for bit in (0..n.ilog2()).rev() {
            power = power.square()?;
            if n >> bit & 1 == 1 {
                power = power.mul(self)?;
            }
        }
        Ok(power)
    }

    /// The product with `vᵉ`.
    ///
    /// # Panics
    /// If the exponent passes `u32::MAX`.
    pub(crate) fn times_power(&self, v: Variable, e: u32) -> Self {
        if e == 0 || self.is_zero() {
            return self.clone();
        }
        let frame = self.variables.union(&Variables::single(v));
        let mut exponents = vec![0; frame.len()];
        exponents[frame.position(v).expect("in the union")] = e;
        let degree = self.degree_in(v).checked_add(e).expect("exponent above u32");
        if frame.len() <= FEW
            && degree <= PACKED_MAX
            && let Some(terms) = self.narrow_in(&frame)
        {
            return Self::from_narrow(&frame, shifted(&terms, &Monomial::from_exponents(&exponents)));
        }
        let terms = shifted(&self.wide_in(&frame), &Monomial::from_exponents(&exponents));
        Self::from_wide(&frame, terms)
    }

    /// The work of one pass: a monomial in many variables is a list of its own.
    pub(crate) fn work(&self) -> u64 {
        let width = if self.variables.len() <= FEW { 1 } else { 1 + self.variables.len() as u64 / 2 };
        self.size().saturating_mul(width)
    }

    /// The number of machine words of all coefficients.
    pub(crate) fn size(&self) -> u64 {
        self.coefficients().map(words).sum()
    }

    /// The degrees of the product in the variables of `frame`.
    fn product_degrees(&self, other: &Self, frame: &Variables) -> Result<Vec<u32>, Exhausted> {
        let mut degrees = vec![0u32; frame.len()];
        for p in [self, other] {
            for (i, place) in p.variables.places_in(frame).into_iter().enumerate() {
                degrees[place] = degrees[place].checked_add(p.degree_at(i)).ok_or(Exhausted)?;
            }
        }
        Ok(degrees)
    }
}

/// The work of a monomial in many variables, which is made, hashed and compared. Products in more than some thirty are
/// too long for the caches, and their memory is what is dear.
fn width(frame: &Variables) -> u64 {
    let n = frame.len() as u64;
    n / 4 * (1 + n / 32).pow(2)
}

/// The number of machine words of a coefficient, at least one.
pub(crate) fn words(c: &Integer) -> u64 {
    c.bit_len() as u64 / 64 + 1
}

fn shifted<M: Monomial>(terms: &[Term<M>], by: &M) -> Vec<Term<M>> {
    terms.iter().map(|(m, c)| (m.times(by), c.clone())).collect()
}

/// The product of two nonempty lists; `degrees` bounds its exponents.
fn product<M: Monomial>(a: &[Term<M>], b: &[Term<M>], degrees: &[u32]) -> Vec<Term<M>> {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if let [(m, c)] = a {
        return b.iter().map(|(n, d)| (m.times(n), c * d)).collect();
    }
    let bits = |terms: &[Term<M>]| terms.iter().map(|(_, c)| c.bit_len()).max().unwrap_or(0);
    let (a_bits, b_bits) = (bits(a), bits(b));
    let sum_bits = a_bits + b_bits + a.len().ilog2() as usize + 1;
    if sum_bits < 63 {
        let machine = |c: &Integer| i64::try_from(c).expect("bounded");
        product_over(a, b, degrees, machine)
    } else if sum_bits < 127 && a_bits < 64 && b_bits < 64 {
        let machine = |c: &Integer| i128::try_from(c).expect("bounded");
        product_over(a, b, degrees, machine)
    } else {
        product_over(a, b, degrees, Integer::clone)
    }
}

fn product_over<M: Monomial, S: Scalar>(
    a: &[Term<M>],
    b: &[Term<M>],
    degrees: &[u32],
    scalar: impl Fn(&Integer) -> S,
) -> Vec<Term<M>> {
    let convert = |terms: &[Term<M>]| -> Vec<(M, S)> { terms.iter().map(|(m, c)| (m.clone(), scalar(c))).collect() };
    let (a, b) = (convert(a), convert(b));
    let products = a.len().saturating_mul(b.len());
    if products <= FEW_PRODUCTS {
        return sorted(&a, &b);
    }
    match Grid::new(degrees) {
        Some(grid) if grid.cells <= 8 * products => dense(&a, &b, &grid),
        _ => hashed(&a, &b),
    }
}

/// Multiplies out and sorts; the rows are sorted runs already.
fn sorted<M: Monomial, S: Scalar>(a: &[(M, S)], b: &[(M, S)]) -> Vec<Term<M>> {
    let mut all: Vec<(M, S)> = Vec::with_capacity(a.len() * b.len());
    for (m, c) in a {
        all.extend(b.iter().map(|(n, d)| {
            let mut product = S::ZERO;
            product.add_product(c, d);
            (m.times(n), product)
        }));
    }
    let terms = all.into_iter().map(|(m, c)| (m, c.into_integer())).collect();
    super::sum::combine(terms)
}

/// Multiplies through an array with a cell for every possible monomial.
fn dense<M: Monomial, S: Scalar>(a: &[(M, S)], b: &[(M, S)], grid: &Grid) -> Vec<Term<M>> {
    let mut cells = vec![S::ZERO; grid.cells];
    let b: Vec<(usize, &S)> = b.iter().map(|(m, c)| (grid.index(m), c)).collect();
    for (m, c) in a {
        let row = &mut cells[grid.index(m)..];
        for (j, d) in &b {
            row[*j].add_product(c, d);
        }
    }
    let occupied = cells.into_iter().enumerate().rev().filter(|(_, c)| !c.is_zero());
    occupied.map(|(i, c)| (grid.monomial(i), c.into_integer())).collect()
}

fn hashed<M: Monomial, S: Scalar>(a: &[(M, S)], b: &[(M, S)]) -> Vec<Term<M>> {
    let mut table: HashMap<M, S, BuildHasherDefault<Multiplicative>> = HashMap::default();
    for (m, c) in a {
        for (n, d) in b {
            table.entry(m.times(n)).or_insert(S::ZERO).add_product(c, d);
        }
    }
    let nonzero = table.into_iter().filter(|(_, c)| !c.is_zero());
    let mut terms: Vec<Term<M>> = nonzero.map(|(m, c)| (m, c.into_integer())).collect();
    terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
    terms
}

/// Fibonacci hashing: exponents have no adversary who gains by collisions beyond the fuel.
#[derive(Debug, Default)]
pub struct Multiplicative(u64);

impl Hasher for Multiplicative {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(4) {
            let word = chunk.iter().fold(0, |w, &b| w << 8 | u64::from(b));
            self.write_u64(word);
        }
    }
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A mixed-radix numbering of the monomials up to given degrees, in their order.
///
/// The number of a product is the sum of the numbers, as long as the degrees hold.
pub(super) struct Grid {
    /// The weight of each variable's exponent.
    weights: Vec<usize>,
    sides: Vec<usize>,
    pub(super) cells: usize,
}

impl Grid {
    /// The grid for these degrees, if it has at most [`DENSE_CELLS`] cells.
    pub(super) fn new(degrees: &[u32]) -> Option<Self> {
        let mut weights = Vec::with_capacity(degrees.len());
        let mut sides = Vec::with_capacity(degrees.len());
        let mut cells = 1usize;
        for &d in degrees {
            let side = usize::try_from(d).ok()?.checked_add(1)?;
            weights.push(cells);
            sides.push(side);
            cells = cells.checked_mul(side).filter(|&c| c <= DENSE_CELLS)?;
        }
        Some(Grid { weights, sides, cells })
    }

    pub(super) fn index<M: Monomial>(&self, m: &M) -> usize {
        let n = self.weights.len();
        self.weights.iter().enumerate().map(|(i, w)| w * m.exponent(n, i) as usize).sum()
    }

    pub(super) fn monomial<M: Monomial>(&self, index: usize) -> M {
        let mut exponents = [0u32; FEW];
        let n = self.sides.len();
        if n > FEW {
            return M::from_exponents(&self.digits(index));
        }
        let mut rest = index;
        for (e, side) in exponents.iter_mut().zip(&self.sides) {
            *e = (rest % side) as u32;
            rest /= side;
        }
        M::from_exponents(&exponents[..n])
    }

    fn digits(&self, index: usize) -> Vec<u32> {
        let digit = |(w, s): (&usize, &usize)| (index / w % s) as u32;
        self.weights.iter().zip(&self.sides).map(digit).collect()
    }
}
