//! Dense univariate polynomials over 𝔽_p: `f[k]` is the coefficient of xᵏ, the last one nonzero.

use super::prime_field::{PrimeField, SplitMix};
use crate::{Exhausted, spend};

/// A polynomial over some 𝔽_p; the zero polynomial is empty.
pub(super) type Residues = Vec<u64>;

/// Drops leading zeros.
pub(super) fn trim(mut f: Residues) -> Residues {
    while f.last() == Some(&0) {
        f.pop();
    }
    f
}

/// The degree, with deg 0 = 0.
pub(super) fn degree(f: &[u64]) -> usize {
    f.len().saturating_sub(1)
}

impl PrimeField {
    pub(super) fn sum(self, f: &[u64], g: &[u64]) -> Residues {
        let (long, short) = if f.len() >= g.len() { (f, g) } else { (g, f) };
        let mut sum = long.to_vec();
        sum.iter_mut().zip(short).for_each(|(a, &b)| *a = self.add(*a, b));
        trim(sum)
    }

    pub(super) fn difference(self, f: &[u64], g: &[u64]) -> Residues {
        let mut difference = f.to_vec();
        difference.resize(f.len().max(g.len()), 0);
        difference.iter_mut().zip(g).for_each(|(a, &b)| *a = self.sub(*a, b));
        trim(difference)
    }

    pub(super) fn product(self, f: &[u64], g: &[u64]) -> Residues {
        if f.is_empty() || g.is_empty() {
            return Vec::new();
        }
        let coefficient = |k: usize| {
            let first = k.saturating_sub(g.len() - 1);
            let last = k.min(f.len() - 1);
            let mut sum = 0u128;
            for i in first..=last {
                // 2¹²² · 32 + 2⁶¹ < 2¹²⁸
                if (i - first) % 32 == 31 {
                    sum = u128::from(self.reduce_wide(sum));
                }
                sum += u128::from(f[i]) * u128::from(g[k - i]);
            }
            self.reduce_wide(sum)
        };
        (0..f.len() + g.len() - 1).map(coefficient).collect()
    }

    pub(super) fn scaled(self, f: &[u64], c: u64) -> Residues {
        trim(f.iter().map(|&a| self.mul(a, c)).collect())
    }

    pub(super) fn monic(self, f: &[u64]) -> Residues {
        match f.last() {
            None | Some(1) => f.to_vec(),
            Some(&lead) => self.scaled(f, self.inverse(lead)),
        }
    }

    /// (q, r) with f = q·g + r and deg r < deg g.
    pub(super) fn divide(self, f: &[u64], g: &[u64]) -> (Residues, Residues) {
        let (mut r, n) = (f.to_vec(), g.len());
        if r.len() < n {
            return (Vec::new(), r);
        }
        let lead = g[n - 1];
        let inverse = if lead == 1 { 1 } else { self.inverse(lead) };
        let mut q = vec![0; r.len() - n + 1];
        for k in (0..q.len()).rev() {
            let c = self.mul(r[k + n - 1], inverse);
            q[k] = c;
            if c != 0 {
                let minus = self.neg(c);
                r[k..k + n].iter_mut().zip(g).for_each(|(a, &b)| {
                    *a = self.reduce_wide(u128::from(minus) * u128::from(b) + u128::from(*a));
                });
            }
        }
        r.truncate(n - 1);
        (q, trim(r))
    }

    pub(super) fn remainder(self, f: &[u64], g: &[u64]) -> Residues {
        if f.len() < g.len() { f.to_vec() } else { self.divide(f, g).1 }
    }

    /// The monic greatest common divisor.
    pub(super) fn gcd(self, f: &[u64], g: &[u64]) -> Result<Residues, Exhausted> {
        spend((f.len() * g.len()) as u64 + 1)?;
        let (mut f, mut g) = (f.to_vec(), g.to_vec());
        while !g.is_empty() {
            let r = self.remainder(&f, &g);
            f = std::mem::replace(&mut g, r);
        }
        Ok(self.monic(&f))
    }

    /// s with s·f ≡ 1 modulo m and deg s < deg m, when f and m are coprime.
    pub(super) fn inverse_modulo(self, f: &[u64], m: &[u64]) -> Result<Option<Residues>, Exhausted> {
        spend((m.len() * m.len()) as u64 + 1)?;
        let (mut r, mut next) = (m.to_vec(), self.remainder(f, m));
        let (mut s, mut next_s): (Residues, Residues) = (Vec::new(), vec![1]);
        while !next.is_empty() {
            let (q, rest) = self.divide(&r, &next);
            let after = self.difference(&s, &self.product(&q, &next_s));
            (r, next) = (next, rest);
            (s, next_s) = (next_s, after);
        }
        Ok((r.len() == 1).then(|| self.remainder(&self.scaled(&s, self.inverse(r[0])), m)))
    }

    /// baseᵉ modulo m.
    pub(super) fn power_modulo(self, base: &[u64], exponent: u64, m: &[u64]) -> Result<Residues, Exhausted> {
        let mut power: Residues = vec![1];
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            spend((m.len() * m.len()) as u64)?;
            power = self.remainder(&self.product(&power, &power), m);
            if exponent >> bit & 1 == 1 {
                power = self.remainder(&self.product(&power, base), m);
            }
        }
        Ok(power)
    }

    pub(super) fn derivative(self, f: &[u64]) -> Residues {
        let term = |(k, &a): (usize, &u64)| self.mul(a, k as u64 % self.characteristic());
        trim(f.iter().enumerate().skip(1).map(term).collect())
    }

    /// Whether gcd(f, f′) = 1.
    pub(super) fn is_square_free(self, f: &[u64]) -> Result<bool, Exhausted> {
        Ok(self.gcd(f, &self.derivative(f))?.len() == 1)
    }

    pub(super) fn random_polynomial(self, terms: usize, numbers: &mut SplitMix) -> Residues {
        trim((0..terms).map(|_| self.random(numbers)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euclid() {
        let mut numbers = SplitMix::new(2);
        for field in PrimeField::large().take(2).chain(PrimeField::from(3).take(5)) {
            for n in 1..40 {
                let f = field.random_polynomial(n, &mut numbers);
                let g = field.random_polynomial(n / 2 + 2, &mut numbers);
                if g.is_empty() {
                    continue;
                }
                let (q, r) = field.divide(&f, &g);
                assert_eq!(field.sum(&field.product(&q, &g), &r), f);
                if let Some(s) = field.inverse_modulo(&f, &g).unwrap() {
                    let one = field.remainder(&field.product(&s, &f), &g);
                    assert_eq!(one, field.remainder(&[1], &g));
                }
            }
        }
    }
}
