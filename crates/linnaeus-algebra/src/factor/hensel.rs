//! Quadratic Hensel lifting of a factorization from 𝔽_p to ℤ/pᵏ
//! (von zur Gathen and Gerhard, *Modern Computer Algebra*, algorithms 15.10 and 15.17).

use super::dense::{Dense, degree, trim};
use super::prime_field::PrimeField;
use super::residue::Residues;
use crate::{Exhausted, Integer, spend};
use dashu_int::ops::{ExtendedGcd, RemEuclid};

/// The ring ℤ/m, its elements the integers 0 ≤ a < m.
#[derive(Clone, Debug)]
pub(super) struct Modulus(pub(super) Integer);

impl Modulus {
    pub(super) fn reduce(&self, a: &Integer) -> Integer {
        Integer::from(a.rem_euclid(&self.0))
    }

    /// The representative of least absolute value.
    pub(super) fn symmetric(&self, a: &Integer) -> Integer {
        let a = self.reduce(a);
        if &a + &a > self.0 { a - &self.0 } else { a }
    }

    /// 1/a, for a coprime to m.
    pub(super) fn inverse(&self, a: &Integer) -> Integer {
        let (_, s, _) = a.gcd_ext(&self.0);
        self.reduce(&s)
    }

    pub(super) fn image(&self, f: &[Integer]) -> Dense {
        trim(f.iter().map(|a| self.reduce(a)).collect())
    }

    pub(super) fn product(&self, f: &[Integer], g: &[Integer]) -> Result<Dense, Exhausted> {
        spend((f.len() * g.len()) as u64)?;
        if f.is_empty() || g.is_empty() {
            return Ok(Vec::new());
        }
        let mut product = vec![Integer::ZERO; f.len() + g.len() - 1];
        for (i, a) in f.iter().enumerate() {
            product[i..].iter_mut().zip(g).for_each(|(c, b)| *c += a * b);
        }
        Ok(self.image(&product))
    }

    fn sum(&self, f: &[Integer], g: &[Integer]) -> Dense {
        let zero = Integer::ZERO;
        let at = |f: &[Integer], k: usize| f.get(k).unwrap_or(&zero).clone();
        let n = f.len().max(g.len());
        trim((0..n).map(|k| self.reduce(&(at(f, k) + at(g, k)))).collect())
    }

    fn difference(&self, f: &[Integer], g: &[Integer]) -> Dense {
        let minus: Dense = g.iter().map(|c| -c).collect();
        self.sum(f, &minus)
    }

    /// (q, r) with f = q·g + r and deg r < deg g, for monic g.
    fn divide(&self, f: &[Integer], g: &[Integer]) -> Result<(Dense, Dense), Exhausted> {
        let (mut r, n) = (f.to_vec(), g.len());
        if r.len() < n {
            return Ok((Vec::new(), r));
        }
        let mut q = vec![Integer::ZERO; r.len() - n + 1];
        for k in (0..q.len()).rev() {
            spend(n as u64)?;
            let c = self.reduce(&r[k + n - 1]);
            r[k..k + n].iter_mut().zip(g).for_each(|(a, b)| *a -= &c * b);
            q[k] = c;
        }
        r.truncate(n - 1);
        Ok((trim(q), self.image(&r)))
    }
}

/// f ≡ g·h and s·g + t·h ≡ 1, with g and h monic.
struct Split {
    g: Dense,
    h: Dense,
    s: Dense,
    t: Dense,
}

impl Split {
    fn new(field: PrimeField, g: &[u64], h: &[u64]) -> Result<Self, Exhausted> {
        let coprime = "the factors of a square-free polynomial are coprime";
        let s = field.inverse_modulo(g, h)?.expect(coprime);
        let t = field.inverse_modulo(h, g)?.expect(coprime);
        let integers = |f: &[u64]| f.iter().map(|&c| Integer::from(c)).collect();
        Ok(Self { g: integers(g), h: integers(h), s: integers(&s), t: integers(&t) })
    }

    /// From modulo m to modulo `ring`, whose modulus divides m².
    fn lift(&mut self, f: &[Integer], ring: &Modulus) -> Result<(), Exhausted> {
        let Split { g, h, s, t } = self;
        let e = ring.difference(f, &ring.product(g, h)?);
        let (q, r) = ring.divide(&ring.product(s, &e)?, h)?;
        *g = ring.sum(g, &ring.sum(&ring.product(t, &e)?, &ring.product(&q, g)?));
        *h = ring.sum(h, &r);
        let unit = ring.sum(&ring.product(s, g)?, &ring.product(t, h)?);
        let b = ring.difference(&unit, &[Integer::ONE]);
        let (c, d) = ring.divide(&ring.product(s, &b)?, h)?;
        *s = ring.difference(s, &d);
        *t = ring.difference(t, &ring.sum(&ring.product(t, &b)?, &ring.product(&c, g)?));
        Ok(())
    }
}

/// Lifts f ≡ ∏ fᵢ (mod p), all monic and the fᵢ pairwise coprime, to modulo pᵏ.
///
/// The answer has the order of the fᵢ, which are halved until one is left.
pub(super) fn hensel_lift(
    f: &[Integer],
    factors: &[Residues],
    field: PrimeField,
    k: usize,
) -> Result<Vec<Dense>, Exhausted> {
    if factors.len() == 1 {
        return Ok(vec![f.to_vec()]);
    }
    let (left, right) = factors.split_at(factors.len() / 2);
    let product = |half: &[Residues]| half.iter().fold(vec![1], |product: Residues, g| field.product(&product, g));
    spend((f.len() * f.len()) as u64)?;
    let mut split = Split::new(field, &product(left), &product(right))?;
    for exponent in ladder(k) {
        let ring = Modulus(Integer::from(field.characteristic()).pow(exponent));
        split.lift(&ring.image(f), &ring)?;
    }
    let mut lifted = hensel_lift(&split.g, left, field, k)?;
    lifted.extend(hensel_lift(&split.h, right, field, k)?);
    debug_assert_eq!(lifted.iter().map(|g| degree(g)).sum::<usize>(), degree(f));
    Ok(lifted)
}

/// The exponents …, ⌈⌈k/2⌉/2⌉, ⌈k/2⌉, k above 1, ascending.
fn ladder(k: usize) -> Vec<usize> {
    let mut exponents: Vec<usize> =
        std::iter::successors(Some(k), |&k| Some(k.div_ceil(2))).take_while(|&k| k > 1).collect();
    exponents.reverse();
    exponents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::dense;
    use crate::factor::prime_field::SplitMix;

    #[test]
    fn lifted_factors_multiply_back() {
        let mut numbers = SplitMix::new(4);
        let field = PrimeField::new(101);
        let mut monic = |n: usize| -> Residues { (0..n).map(|_| field.random(&mut numbers)).chain([1]).collect() };
        for k in [1, 2, 3, 7, 20] {
            let factors: Vec<Residues> = (1..5).map(&mut monic).collect();
            let product = factors.iter().fold(vec![1], |f: Residues, g| field.product(&f, g));
            if !field.is_square_free(&product).unwrap() {
                continue;
            }
            let ring = Modulus(Integer::from(101).pow(k));
            let mut f: Dense = product.iter().map(|&c| Integer::from(c + 101 * 7919)).collect();
            *f.last_mut().unwrap() = Integer::ONE;
            let mut back = vec![Integer::ONE];
            for (g, image) in hensel_lift(&f, &factors, field, k).unwrap().iter().zip(&factors) {
                assert_eq!(&dense::reduce(g, field), image);
                back = ring.product(&back, g).unwrap();
            }
            assert_eq!(back, ring.image(&f));
        }
    }

    #[test]
    fn the_ladder_at_most_doubles() {
        assert_eq!(ladder(1), []);
        assert_eq!(ladder(9), [2, 3, 5, 9]);
    }
}
