//! Replacing variables by polynomials and by numbers.

use super::{Polynomial, words};
use crate::fuel::{Exhausted, spend};
use crate::variables::{FEW, Variable};
use crate::{Integer, Rational, RationalFunction};

impl Polynomial {
    /// The polynomial with `v` replaced by `value`.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends or an exponent would pass `u32::MAX`.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// let p = (&x - &y).pow(3).unwrap();
    /// assert_eq!(p.substitute(Variable(0), &y), Ok(Polynomial::zero()));
    /// ```
    pub fn substitute(&self, v: Variable, value: &Polynomial) -> Result<Self, Exhausted> {
        let mut groups = self.grouped_by(v).into_iter();
        let Some((mut exponent, mut result)) = groups.next() else {
            return Ok(Self::zero());
        };
        for (e, c) in groups {
            result = result.mul(&value.pow(exponent - e)?)? + c;
            exponent = e;
        }
        result.mul(&value.pow(exponent)?)
    }

    /// The polynomial with numbers in place of the variables that have a value.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Rational, Variable};
    /// let x = Polynomial::variable(Variable(0));
    /// let half = Rational::from_parts(1.into(), 2u8.into());
    /// let value = x.pow(2).unwrap().evaluate(&|_| Some(half.clone())).unwrap();
    /// assert_eq!(value.as_rational(), Some(Rational::from_parts(1.into(), 4u8.into())));
    /// ```
    pub fn evaluate(&self, value: &dyn Fn(Variable) -> Option<Rational>) -> Result<RationalFunction, Exhausted> {
        let mut numerator = self.clone();
        let mut denominator = Integer::ONE;
        for v in self.variables() {
            if let Some(r) = value(v) {
                let scale;
                (numerator, scale) = numerator.evaluate_at(v, &r)?;
                denominator *= scale;
            }
        }
        Ok(RationalFunction::over_integer(numerator, denominator))
    }

    /// `bᵈ · self` at `v = a/b`, and `bᵈ`, where `d` is the degree in `v`.
    fn evaluate_at(&self, v: Variable, r: &Rational) -> Result<(Self, Integer), Exhausted> {
        let (a, b) = (r.numerator(), Integer::from(r.denominator().clone()));
        let degree = self.degree_in(v);
        let mut summands = Vec::new();
        for (e, c) in self.grouped_by(v) {
            let factor = integer_power(a, e)? * integer_power(&b, degree - e)?;
            spend(words(&factor).saturating_mul(c.size()))?;
            summands.push(c.scale(&factor));
        }
        Ok((Self::sum(summands), integer_power(&b, degree)?))
    }

    /// The value modulo the prime `p < 2⁶³`; the values of the variables are reduced by the
    /// function. A ring homomorphism.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let x = Polynomial::variable(Variable(0));
    /// let p = x.pow(2).unwrap() - Polynomial::one();
    /// assert_eq!(p.evaluate_mod(&|_| 3, 7), 1);
    /// ```
    pub fn evaluate_mod(&self, value: &dyn Fn(Variable) -> u64, p: u64) -> u64 {
        let mut few = [0; FEW];
        let mut many = Vec::new();
        let values: &mut [u64] = match self.variables.len() {
            n if n <= FEW => &mut few[..n],
            n => {
                many.resize(n, 0);
                &mut many
            }
        };
        values.iter_mut().zip(self.variables.as_slice()).for_each(|(x, &v)| *x = value(v) % p);
        let mut sum = 0;
        for t in 0..self.term_count() {
            let mut term = residue(self.coefficient(t), p);
            for (i, &x) in values.iter().enumerate() {
                match self.exponent(t, i) {
                    0 => {}
                    1 => term = multiply_mod(term, x, p),
                    e => term = multiply_mod(term, power_mod(x, e, p), p),
                }
            }
            sum += term;
            if sum >= p {
                sum -= p;
            }
        }
        sum
    }
}

/// `aᵉ`, metered by its length.
fn integer_power(a: &Integer, e: u32) -> Result<Integer, Exhausted> {
    if e == 0 || a.is_one() {
        return Ok(Integer::ONE);
    }
    if a.is_zero() {
        return Ok(Integer::ZERO);
    }
    spend(words(a).saturating_mul(u64::from(e)) / 8)?;
    Ok(a.pow(e as usize))
}

/// The residue of `c` in `0..p`.
pub(crate) fn residue(c: &Integer, p: u64) -> u64 {
    if let Ok(small) = i64::try_from(c) {
        if small.unsigned_abs() < p {
            return if small < 0 { p - small.unsigned_abs() } else { small as u64 };
        }
        return i128::from(small).rem_euclid(i128::from(p)) as u64;
    }
    let r = c % Integer::from(p);
    let r = i64::try_from(&r).expect("smaller than the modulus");
    if r < 0 { (r + p as i64) as u64 } else { r as u64 }
}

/// Remainders by 2⁶¹ − c need no division for small c.
const POWER: u64 = 1 << 61;
const REST: u64 = POWER - 1;
const SMALL: u32 = 20;

/// a b modulo p, for residues a and b. Fast for p below 2³² and for 2⁶¹ − c with c < 2²⁰.
#[inline]
pub fn multiply_mod(a: u64, b: u64, p: u64) -> u64 {
    if p < 1 << 32 {
        return a * b % p;
    }
    let c = POWER.wrapping_sub(p);
    if c >= 1 << SMALL {
        return (u128::from(a) * u128::from(b) % u128::from(p)) as u64;
    }
    let sum = if cfg!(target_arch = "wasm32") { product_by_halves(a, b, c) } else { product(a, b, c) };
    let sum = (sum & REST) + (sum >> 61) * c;
    if sum >= p { sum - p } else { sum }
}

/// a b modulo 2⁶¹ − c, still to be reduced: 2⁶¹ counts as c.
#[inline]
fn product(a: u64, b: u64, c: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (rest, over) = (product as u64 & REST, (product >> 61) as u64);
    if c == 1 {
        return rest + over;
    }
    let product = u128::from(over) * u128::from(c);
    rest + (product as u64 & REST) + (product >> 61) as u64 * c
}

/// The same without numbers of 128 bits, which WebAssembly does not have: 2⁶⁴ counts as 8c.
#[inline]
fn product_by_halves(a: u64, b: u64, c: u64) -> u64 {
    const HALF: u64 = u32::MAX as u64;
    let (a1, a0, b1, b0) = (a >> 32, a & HALF, b >> 32, b & HALF);
    let (low, middle, high) = (a0 * b0, a1 * b0 + a0 * b1, 8 * (a1 * b1));
    let high = match c {
        1 => high,
        _ => {
            let over = (high >> (61 - SMALL)) * c;
            let rest = (high & ((1 << (61 - SMALL)) - 1)) * c;
            (over >> SMALL) * c + ((over & ((1 << SMALL) - 1)) << (61 - SMALL)) + rest
        }
    };
    let middle = (middle >> 29) * c + ((middle & ((1 << 29) - 1)) << 32);
    (low & REST) + (low >> 61) * c + middle + high
}

/// xᵉ modulo p, for a residue x.
pub(crate) fn power_mod(x: u64, e: u32, p: u64) -> u64 {
    let (mut power, mut square, mut rest) = (1 % p, x, e);
    while rest > 0 {
        if rest & 1 == 1 {
            power = multiply_mod(power, square, p);
        }
        square = multiply_mod(square, square, p);
        rest >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_modulo_primes_below_a_power() {
        for c in [1, 31, 636_873, (1 << SMALL) - 1] {
            let p = POWER - c;
            let mut x = 1u64;
            let mut next = || {
                x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0xbf58_476d_1ce4_e5b9);
                x % p
            };
            let edges = [0, 1, 2, p - 1, p - 2, u64::from(u32::MAX), 1 << 32, (1 << 60) + 1, (1 << 60) - 1];
            let random: Vec<u64> = (0..200).map(|_| next()).collect();
            for &a in edges.iter().chain(&random) {
                for &b in edges.iter().chain(&random) {
                    assert_eq!(product(a, b, c) % p, product_by_halves(a, b, c) % p);
                    let right = u128::from(a) * u128::from(b) % u128::from(p);
                    assert_eq!(u128::from(multiply_mod(a, b, p)), right, "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn products_of_short_residues() {
        for p in [2, 3, 2_147_483_647, 4_294_967_291, 4_294_967_311] {
            for a in [0, 1, p / 2, p - 1] {
                assert_eq!(u128::from(multiply_mod(a, p - 1, p)), u128::from(a) * u128::from(p - 1) % u128::from(p));
            }
        }
    }
}
