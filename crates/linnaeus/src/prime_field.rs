//! Linear algebra over a large prime field: generic ranks and the re-check.

use linnaeus_algebra::{Exhausted, multiply_mod, spend};

/// The prime 2⁶¹ − 636873. It is 7 modulo 8, and all primes up to 59 are squares modulo it, so that small positive numbers
/// have square roots and small negative ones have none, as real numbers.
pub const PRIME: u64 = (1 << 61) - 636_873;

/// a + b.
pub fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// −a.
pub fn negate(a: u64) -> u64 {
    if a == 0 { 0 } else { PRIME - a }
}

/// a b.
pub fn multiply(a: u64, b: u64) -> u64 {
    multiply_mod(a, b, PRIME)
}

/// aⁿ.
pub fn power(mut a: u64, mut n: u64) -> u64 {
    let mut result = 1;
    while n > 0 {
        if n & 1 == 1 {
            result = multiply(result, a);
        }
        a = multiply(a, a);
        n >>= 1;
    }
    result
}

/// 1/a for a ≠ 0, by Euclid's algorithm.
pub fn invert(a: u64) -> u64 {
    // remainder = factor · a modulo the prime, in both.
    let (mut older, mut newer) = ((PRIME as i64, 0i64), (a as i64, 1i64));
    while newer.0 != 0 {
        let quotient = older.0 / newer.0;
        (older, newer) = (newer, (older.0 - quotient * newer.0, older.1 - quotient * newer.1));
    }
    if older.1 < 0 { (older.1 + PRIME as i64) as u64 } else { older.1 as u64 }
}

/// A square root, if there is one: the prime is 3 modulo 4.
pub fn square_root(a: u64) -> Option<u64> {
    let root = power(a, PRIME.div_ceil(4));
    (multiply(root, root) == a).then_some(root)
}

/// A sequence of numbers that look random, the same for the same seed.
pub struct Stream(u64);

impl Stream {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Stream {
        Stream(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % PRIME
    }
}

/// A dense matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// Rows of equal length.
    pub rows: Vec<Vec<u64>>,
    /// Their length.
    pub cols: usize,
}

impl Dense {
    /// The zero matrix.
    pub fn zero(rows: usize, cols: usize) -> Dense {
        Dense { rows: vec![vec![0; cols]; rows], cols }
    }

    /// A multiple of the identity.
    pub fn scalar(n: usize, value: u64) -> Dense {
        let mut m = Dense::zero(n, n);
        (0..n).for_each(|i| m.rows[i][i] = value);
        m
    }

    /// A matrix of random numbers.
    pub fn random(rows: usize, cols: usize, stream: &mut Stream) -> Dense {
        Dense { rows: (0..rows).map(|_| (0..cols).map(|_| stream.next()).collect()).collect(), cols }
    }

    /// The transpose.
    pub fn transpose(&self) -> Dense {
        Dense {
            rows: (0..self.cols).map(|j| self.rows.iter().map(|r| r[j]).collect()).collect(),
            cols: self.rows.len(),
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Dense) -> Dense {
        let sum = |a: &Vec<u64>, b: &Vec<u64>| a.iter().zip(b).map(|(x, y)| add(*x, *y)).collect();
        Dense { rows: self.rows.iter().zip(&other.rows).map(|(a, b)| sum(a, b)).collect(), cols: self.cols }
    }

    /// A multiple.
    pub fn times(&self, factor: u64) -> Dense {
        Dense {
            rows: self.rows.iter().map(|r| r.iter().map(|x| multiply(*x, factor)).collect()).collect(),
            cols: self.cols,
        }
    }

    /// The product with a vector.
    pub fn apply(&self, v: &[u64]) -> Vec<u64> {
        self.images(v).collect()
    }

    /// Its components.
    pub fn images<'a>(&'a self, v: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        self.rows.iter().map(move |r| r.iter().zip(v).fold(0, |s, (a, b)| add(s, multiply(*a, *b))))
    }

    /// The product.
    pub fn after(&self, other: &Dense) -> Dense {
        let columns = other.transpose();
        let product: Vec<Vec<u64>> = columns.rows.iter().map(|c| self.apply(c)).collect();
        Dense { rows: product, cols: self.rows.len() }.transpose()
    }

    /// The rank.
    pub fn rank(mut self) -> Result<usize, Exhausted> {
        let mut rank = 0;
        for j in 0..self.cols {
            let Some(pivot) = (rank..self.rows.len()).find(|&i| self.rows[i][j] != 0) else {
                continue;
            };
            self.rows.swap(rank, pivot);
            spend((self.rows.len() * self.cols) as u64)?;
            let inverse = invert(self.rows[rank][j]);
            let lead = self.rows[rank].clone();
            for row in &mut self.rows[rank + 1..] {
                let factor = negate(multiply(row[j], inverse));
                if factor != 0 {
                    row.iter_mut().zip(&lead).for_each(|(x, l)| *x = add(*x, multiply(factor, *l)));
                }
            }
            rank += 1;
        }
        Ok(rank)
    }

    /// The inverse, if there is one.
    pub fn inverse(&self) -> Option<Dense> {
        let n = self.rows.len();
        let mut m: Vec<Vec<u64>> = self.rows.clone();
        for (i, row) in m.iter_mut().enumerate() {
            row.extend((0..n).map(|j| u64::from(i == j)));
        }
        for j in 0..n {
            let pivot = (j..n).find(|&i| m[i][j] != 0)?;
            m.swap(j, pivot);
            let factor = invert(m[j][j]);
            m[j].iter_mut().for_each(|x| *x = multiply(*x, factor));
            let lead = m[j].clone();
            for (i, row) in m.iter_mut().enumerate() {
                let factor = negate(row[j]);
                if i != j && factor != 0 {
                    row.iter_mut().zip(&lead).for_each(|(x, l)| *x = add(*x, multiply(factor, *l)));
                }
            }
        }
        Some(Dense { rows: m.into_iter().map(|r| r[n..].to_vec()).collect(), cols: n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_roots_where_real_numbers_have() {
        for n in 1..61 {
            let root = square_root(n).expect("a product of small primes");
            assert_eq!(multiply(root, root), n);
            assert_eq!(square_root(negate(n)), None);
            assert_eq!(multiply(invert(n), n), 1);
        }
    }
}
