//! The prime fields 𝔽_p in which every factorization is first guessed.

use crate::Integer;

/// The field 𝔽_p, its elements the numbers `0..p`.
///
/// p is either below 2³² or of the form 2⁶¹ − c with c < 2¹⁰; both reduce a product without a
/// 128-bit division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PrimeField {
    p: u64,
}

/// c such that 2⁶¹ − c is prime, ascending.
const COMPLEMENTS: [u64; 21] =
    [1, 31, 45, 229, 259, 283, 339, 391, 403, 465, 531, 579, 675, 759, 799, 819, 829, 843, 859, 939, 985];

const LARGE: u64 = 1 << 61;

impl PrimeField {
    /// 𝔽_p for a prime p < 2³².
    pub(super) fn new(p: u64) -> Self {
        debug_assert!(p < 1 << 32);
        Self { p }
    }

    /// The fields with p close to 2⁶¹, in which small integers are their own residues.
    pub(super) fn large() -> impl Iterator<Item = Self> {
        COMPLEMENTS.iter().map(|c| Self { p: LARGE - c })
    }

    /// The fields whose characteristic is an odd prime in `from..2³²`, ascending.
    pub(super) fn from(from: u64) -> impl Iterator<Item = Self> {
        let is_prime = |n: &u64| (3..).step_by(2).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
        (from.max(3) | 1..1 << 32).step_by(2).filter(is_prime).map(Self::new)
    }

    pub(super) fn characteristic(self) -> u64 {
        self.p
    }

    pub(super) fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.p { sum - self.p } else { sum }
    }

    pub(super) fn sub(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.p - b }
    }

    pub(super) fn neg(self, a: u64) -> u64 {
        self.sub(0, a)
    }

    pub(super) fn mul(self, a: u64, b: u64) -> u64 {
        if self.p < 1 << 32 { a * b % self.p } else { self.fold(u128::from(a) * u128::from(b)) }
    }

    /// The residue of any 128-bit number, such as a sum of a few dozen products.
    pub(super) fn reduce_wide(self, x: u128) -> u64 {
        if self.p >= 1 << 32 {
            return self.fold(x);
        }
        match u64::try_from(x) {
            Ok(small) => small % self.p,
            Err(_) => (x % u128::from(self.p)) as u64,
        }
    }

    /// Reduction by 2⁶¹ ≡ c, twice.
    fn fold(self, x: u128) -> u64 {
        let c = u128::from(LARGE - self.p);
        let mask = u128::from(LARGE - 1);
        let x = (x & mask) + (x >> 61) * c;
        let x = ((x & mask) + (x >> 61) * c) as u64;
        if x >= self.p { x - self.p } else { x }
    }

    pub(super) fn pow(self, base: u64, mut exponent: u64) -> u64 {
        let (mut square, mut power) = (base, 1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        power
    }

    /// 1/a for a ≠ 0, by Euclid's algorithm.
    pub(super) fn inverse(self, a: u64) -> u64 {
        debug_assert!(a != 0);
        let (mut r, mut next) = (self.p as i64, a as i64);
        let (mut t, mut next_t) = (0i64, 1i64);
        while next != 0 {
            let q = r / next;
            (r, next) = (next, r - q * next);
            (t, next_t) = (next_t, t - q * next_t);
        }
        if t < 0 { (t + self.p as i64) as u64 } else { t as u64 }
    }

    /// The image of an integer.
    pub(super) fn reduce(self, n: &Integer) -> u64 {
        let small = i64::try_from(n)
            .unwrap_or_else(|_| i64::try_from(n % Integer::from(self.p)).expect("a remainder is below 2⁶¹"));
        small.rem_euclid(self.p as i64) as u64
    }

    /// The representative of least absolute value.
    pub(super) fn symmetric(self, a: u64) -> Integer {
        if a > self.p / 2 { Integer::from(a) - Integer::from(self.p) } else { Integer::from(a) }
    }

    /// A pseudo-random element.
    pub(super) fn random(self, numbers: &mut SplitMix) -> u64 {
        numbers.next() % self.p
    }
}

/// Steele, Lea and Flood's SplitMix64: the random choices are the same on every run.
#[derive(Clone, Debug)]
pub(super) struct SplitMix(u64);

impl SplitMix {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_field() {
        let mut numbers = SplitMix::new(1);
        for field in PrimeField::large().chain(PrimeField::from(3).take(20)) {
            let p = u128::from(field.characteristic());
            for _ in 0..50 {
                let (a, b) = (field.random(&mut numbers), field.random(&mut numbers));
                assert_eq!(u128::from(field.mul(a, b)), u128::from(a) * u128::from(b) % p);
                assert_eq!(field.add(field.sub(a, b), b), a);
                assert_eq!(field.reduce(&field.symmetric(a)), a);
                if a != 0 {
                    assert_eq!(field.mul(a, field.inverse(a)), 1);
                    // Fermat: fails for almost every a if p were composite.
                    assert_eq!(field.pow(a, field.characteristic() - 1), 1);
                }
            }
        }
    }

    #[test]
    fn wide_numbers_reduce() {
        for field in PrimeField::large().chain(PrimeField::from(60000).take(3)) {
            let p = u128::from(field.characteristic());
            for x in [u128::MAX, u128::MAX / 3, p * p - 1, p, p - 1, 0] {
                assert_eq!(u128::from(field.reduce_wide(x)), x % p);
            }
        }
    }
}
