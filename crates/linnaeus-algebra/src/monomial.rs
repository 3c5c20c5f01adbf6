//! Monomials relative to a list of variables (the *frame*), packed into a word or boxed.
//!
//! The order of both is lexicographic, the last variable of the frame first, so that a polynomial
//! looks the same in any frame that contains its variables.

use std::hash::Hash;

use crate::variables::FEW;

/// A product of powers of the variables of some frame.
pub(crate) trait Monomial: Clone + Ord + Hash {
    /// The monomial with these exponents, one for each variable of the frame.
    fn from_exponents(exponents: &[u32]) -> Self;
    /// The exponent of the `i`-th of `n` variables.
    fn exponent(&self, n: usize, i: usize) -> u32;
    /// The product; the caller has checked that the exponents do not overflow.
    fn times(&self, other: &Self) -> Self;
    /// The quotient, if it has no negative exponent.
    fn divided_by(&self, other: &Self) -> Option<Self>;
    /// The same monomial in a frame of `n` variables, where `places` says where the variables go.
    fn in_frame(&self, places: &[usize], n: usize) -> Self;
    /// The same monomial in the frame of the variables at `kept`, among `n`; the others must not
    /// occur.
    fn restricted(&self, kept: &[usize], n: usize) -> Self;

    /// All exponents, one for each of `n` variables.
    fn exponents(&self, n: usize) -> Vec<u32> {
        (0..n).map(|i| self.exponent(n, i)).collect()
    }
}

/// Eight exponents of seven bits; the top bit of each byte stays clear as a guard.
pub(crate) type Packed = u64;

/// The guard bits of a packed monomial.
pub(crate) const GUARD: u64 = 0x8080_8080_8080_8080;

/// The largest exponent a packed monomial holds.
pub(crate) const PACKED_MAX: u32 = 127;

impl Monomial for Packed {
    fn from_exponents(exponents: &[u32]) -> Self {
        debug_assert!(exponents.len() <= FEW && exponents.iter().all(|&e| e <= PACKED_MAX));
        exponents.iter().rev().fold(0, |m, &e| m << 8 | u64::from(e))
    }

    fn exponent(&self, _n: usize, i: usize) -> u32 {
        (self >> (8 * i)) as u32 & 0xff
    }

    fn times(&self, other: &Self) -> Self {
        debug_assert_eq!((self + other) & GUARD, 0);
        self + other
    }

    fn divided_by(&self, other: &Self) -> Option<Self> {
        // With the guards set no byte borrows from its neighbour; a cleared guard is a negative
        // exponent.
        let difference = (self | GUARD) - other;
        (difference & GUARD == GUARD).then_some(difference ^ GUARD)
    }

    fn in_frame(&self, places: &[usize], _n: usize) -> Self {
        let byte = |(i, &place): (usize, &usize)| (self >> (8 * i) & 0xff) << (8 * place);
        places.iter().enumerate().map(byte).sum()
    }

    fn restricted(&self, kept: &[usize], _n: usize) -> Self {
        let byte = |(i, &place): (usize, &usize)| (self >> (8 * place) & 0xff) << (8 * i);
        kept.iter().enumerate().map(byte).sum()
    }
}

/// Any number of exponents, the last variable's first, so that slices compare in the right order.
pub(crate) type Boxed = Box<[u32]>;

impl Monomial for Boxed {
    fn from_exponents(exponents: &[u32]) -> Self {
        exponents.iter().rev().copied().collect()
    }

    fn exponent(&self, n: usize, i: usize) -> u32 {
        self[n - 1 - i]
    }

    fn times(&self, other: &Self) -> Self {
        self.iter().zip(other).map(|(a, b)| a + b).collect()
    }

    fn divided_by(&self, other: &Self) -> Option<Self> {
        self.iter().zip(other).map(|(a, b)| a.checked_sub(*b)).collect()
    }

    fn in_frame(&self, places: &[usize], n: usize) -> Self {
        let mut exponents = vec![0; n];
        for (i, &place) in places.iter().enumerate() {
            exponents[n - 1 - place] = self.exponent(places.len(), i);
        }
        exponents.into()
    }

    fn restricted(&self, kept: &[usize], n: usize) -> Self {
        kept.iter().rev().map(|&i| self.exponent(n, i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[u32], b: &[u32]) {
        let n = a.len();
        let (pa, pb) = (Packed::from_exponents(a), Packed::from_exponents(b));
        let (ba, bb) = (Boxed::from_exponents(a), Boxed::from_exponents(b));
        assert_eq!(pa.exponents(n), a);
        assert_eq!(ba.exponents(n), a);
        assert_eq!(pa.cmp(&pb), ba.cmp(&bb));
        let quotients = (pa.divided_by(&pb).map(|m| m.exponents(n)), ba.divided_by(&bb).map(|m| m.exponents(n)));
        assert_eq!(quotients.0, quotients.1);
        assert_eq!(pa.in_frame(&[0, 2], 3).exponents(3), ba.in_frame(&[0, 2], 3).exponents(3));
    }

    #[test]
    fn packed_and_boxed_agree() {
        for (a, b) in [([3, 5], [2, 5]), ([0, 127], [1, 0]), ([127, 0], [0, 1]), ([7, 7], [7, 8])] {
            check(&a, &b);
            check(&b, &a);
        }
    }
}
