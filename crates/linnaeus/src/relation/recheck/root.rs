//! A root of a polynomial in one variable over the prime field, by the algorithm of D. G. Cantor and H. Zassenhaus.

use crate::prime_field::{PRIME, Stream, add, invert, multiply, negate};

/// Coefficients by rising powers, the last one not zero.
type Coefficients = Vec<u64>;

/// A root, if there is one.
pub fn root(coefficients: &[u64], stream: &mut Stream) -> Option<u64> {
    let f = trimmed(coefficients.to_vec());
    if f.len() < 2 {
        return None;
    }
    // What divides x^p − x is a product of different linear factors.
    let mut g = gcd(minus(power(&[0, 1], PRIME, &f), &[0, 1]), f);
    for _ in 0..200 {
        match g.len() {
            0 | 1 => return None,
            2 => return Some(multiply(negate(g[0]), invert(g[1]))),
            _ => {}
        }
        let half = power(&[stream.next(), 1], (PRIME - 1) / 2, &g);
        let h = gcd(minus(half, &[1]), g.clone());
        if (2..g.len()).contains(&h.len()) {
            g = h;
        }
    }
    None
}

fn trimmed(mut f: Coefficients) -> Coefficients {
    while f.last() == Some(&0) {
        f.pop();
    }
    f
}

fn minus(mut f: Coefficients, g: &[u64]) -> Coefficients {
    f.resize(f.len().max(g.len()), 0);
    f.iter_mut().zip(g).for_each(|(x, y)| *x = add(*x, negate(*y)));
    trimmed(f)
}

/// The remainder of f by g, which is not zero.
fn remainder(mut f: Coefficients, g: &[u64]) -> Coefficients {
    let lead = invert(g[g.len() - 1]);
    while f.len() >= g.len() {
        let factor = multiply(f[f.len() - 1], lead);
        let at = f.len() - g.len();
        for (i, y) in g.iter().enumerate() {
            f[at + i] = add(f[at + i], negate(multiply(factor, *y)));
        }
        f = trimmed(f);
    }
    f
}

fn gcd(f: Coefficients, g: Coefficients) -> Coefficients {
    let (mut f, mut g) = (f, g);
    while !g.is_empty() {
        (f, g) = (g.clone(), remainder(f, &g));
    }
    f
}

fn product(f: &[u64], g: &[u64], modulus: &[u64]) -> Coefficients {
    let mut found = vec![0; f.len() + g.len()];
    for (i, x) in f.iter().enumerate() {
        for (j, y) in g.iter().enumerate() {
            found[i + j] = add(found[i + j], multiply(*x, *y));
        }
    }
    remainder(trimmed(found), modulus)
}

/// baseⁿ modulo a polynomial.
fn power(base: &[u64], n: u64, modulus: &[u64]) -> Coefficients {
    let (mut found, mut square) = (remainder(vec![1], modulus), remainder(base.to_vec(), modulus));
    let mut rest = n;
    while rest > 0 {
        if rest & 1 == 1 {
            found = product(&found, &square, modulus);
        }
        square = product(&square, &square, modulus);
        rest >>= 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_where_there_are_any() {
        let mut stream = Stream::new(1);
        for _ in 0..20 {
            let roots = [stream.next(), stream.next(), stream.next()];
            // Expanded from its linear factors.
            let f = roots.iter().fold(vec![1], |f: Vec<u64>, r| {
                let shifted: Vec<u64> = [0].into_iter().chain(f.iter().copied()).collect();
                minus(shifted, &f.iter().map(|c| multiply(*c, *r)).collect::<Vec<_>>())
            });
            assert!(roots.contains(&root(&f, &mut stream).expect("three roots")));
        }
        // −1 is no square modulo the prime.
        assert_eq!(root(&[1, 0, 1], &mut stream), None);
        assert_eq!(root(&[7], &mut stream), None);
    }
}
