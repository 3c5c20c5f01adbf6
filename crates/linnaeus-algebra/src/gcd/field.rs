//! Prime fields of 31 bits.
//!
//! With 2³⁰ < p < 2³¹ all of Barrett's reduction happens in 64-bit words, which is what WebAssembly
//! has.

/// The integers modulo a prime between 2³⁰ and 2³¹; elements are reduced.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct PrimeField {
    p: u64,
    /// ⌊2⁶² / p⌋.
    reciprocal: u64,
}

impl PrimeField {
    pub(super) fn new(p: u64) -> Self {
        debug_assert!(p > 1 << 30 && p < 1 << 31);
        PrimeField { p, reciprocal: (1 << 62) / p }
    }

    pub(super) fn prime(self) -> u64 {
        self.p
    }

    pub(super) fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.p { sum - self.p } else { sum }
    }

    pub(super) fn sub(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.p - b }
    }

    pub(super) fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce(a * b)
    }

    /// The residue of `x < p²`.
    pub(super) fn reduce(self, x: u64) -> u64 {
        // The estimated quotient is at most two too small.
        let quotient = ((x >> 30) * self.reciprocal) >> 32;
        let mut r = x - quotient * self.p;
        if r >= self.p {
            r -= self.p;
        }
        if r >= self.p {
            r -= self.p;
        }
        r
    }

    pub(super) fn pow(self, base: u64, exponent: u32) -> u64 {
        let (mut power, mut square, mut rest) = (1, base, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                power = self.mul(power, square);
            }
            square = self.mul(square, square);
            rest >>= 1;
        }
        power
    }

    /// The inverse of a nonzero element, by the extended Euclidean algorithm.
    pub(super) fn inverse(self, a: u64) -> u64 {
        debug_assert_ne!(a, 0);
        let (mut r, mut s) = (self.p as i64, a as i64);
        let (mut x, mut y) = (0i64, 1i64);
        while s != 0 {
            let q = r / s;
            (r, s) = (s, r - q * s);
            (x, y) = (y, x - q * y);
        }
        if x < 0 { (x + self.p as i64) as u64 } else { x as u64 }
    }
}

/// The prime fields of 31 bits, the largest first.
pub(super) fn fields() -> impl Iterator<Item = PrimeField> {
    (1 << 30..1u64 << 31).rev().step_by(2).filter(|&n| is_prime(n)).map(PrimeField::new)
}

/// The strong pseudoprime test to bases that suffice below 2³² (Jaeschke, Math. Comp. 61, 1993).
fn is_prime(n: u64) -> bool {
    if n == (1 << 31) - 1 {
        return true;
    }
    if [3, 5, 7, 11, 13, 17, 19, 23].iter().any(|&q| n.is_multiple_of(q)) {
        return false;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    let field = PrimeField::new(n);
    [2, 7, 61].iter().all(|&base| {
        let mut x = field.pow(base, odd as u32);
        if x == 1 {
            return true;
        }
        for _ in 0..twos {
            if x == n - 1 {
                return true;
            }
            x = field.mul(x, x);
        }
        false
    })
}

/// A fixed sequence of field elements that behaves like a random one (xorshift64*).
pub(super) struct Sample(u64);

impl Sample {
    pub(super) fn new() -> Self {
        Sample(0x2545_f491_4f6c_dd1d)
    }

    /// An element other than 0 and 1.
    pub(super) fn point(&mut self, field: PrimeField) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        2 + (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % (field.p - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_primes() {
        let primes: Vec<u64> = fields().take(4).map(PrimeField::prime).collect();
        assert_eq!(primes, [2_147_483_647, 2_147_483_629, 2_147_483_587, 2_147_483_579]);
    }

    #[test]
    fn reduction_is_exact() {
        let mut sample = Sample::new();
        for field in fields().take(3) {
            let p = field.prime();
            for _ in 0..1000 {
                let (a, b) = (sample.point(field), p - sample.point(field));
                assert_eq!(field.mul(a, b), a * b % p);
                assert_eq!(field.mul(a, field.inverse(a)), 1);
            }
            assert_eq!(field.mul(p - 1, p - 1), 1);
        }
    }
}
