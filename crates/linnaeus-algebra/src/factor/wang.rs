//! Factorization of multivariate polynomials: a univariate image over ℤ is factored and its
//! factors are lifted (Wang's scheme, with sparse lifting modulo large primes).

use super::content::{content_in, quotient};
use super::dense::{self, Dense};
use super::family::{Family, Term};
use super::hensel::Modulus;
use super::leading_coefficient::LeadingCoefficient;
use super::prime_field::{PrimeField, SplitMix};
use super::sparse_hensel::{Lifting, Terms};
use super::zassenhaus::{Split, zassenhaus};
use crate::{Exhausted, Integer, Polynomial, Variable};
use dashu_int::ops::BitTest;

/// Points tried before a polynomial is left as it is.
const POINTS: usize = 30;

/// From this point on, factors may get the whole leading coefficient if its parts stay unknown.
const PATIENCE: usize = 8;

/// The irreducible factors of f, square-free and primitive in x, of degree at least 2 in x.
///
/// A factor found has an image irreducible over ℤ of the same degree in x, so it is irreducible; and
/// the factors are divided out of f, so nothing rests on the random choices but the running time.
pub(super) fn wang(
    f: &Polynomial,
    x: Variable,
    parameters: &[Variable],
    family: &Family,
) -> Result<Split<Polynomial>, Exhausted> {
    let mut numbers = SplitMix::new(f.term_count() as u64);
    let mut fewest = usize::MAX;
    let mut lead = None;
    for attempt in 0..POINTS {
        let point = choose_point(attempt, parameters.len(), &mut numbers);
        let Some(image) = Image::new(family, point)? else {
            continue;
        };
        if image.factors.len() == 1 {
            return Ok(Split::irreducible(f.clone()));
        }
        // Images with more factors than another one have factors that do not lift.
        if image.factors.len() > fewest {
            continue;
        }
        fewest = image.factors.len();
        let lead = match &mut lead {
            Some(lead) => &*lead,
            none => &*none.insert(LeadingCoefficient::new(f, x, parameters)?),
        };
        let parts = lead.distribute(&image.point, &image.content, &image.factors)?;
        let shares = match parts {
            Some(parts) => Shares { parts, scale: lead.content.clone(), power: 0 },
            None if attempt >= PATIENCE => Shares {
                parts: vec![lead.whole.clone(); image.factors.len()],
                scale: Integer::ONE,
                power: image.factors.len() - 1,
            },
            None => continue,
        };
        let problem = Problem { f, x, parameters, family, lead, image: &image, shares: &shares };
        if let Some(factors) = problem.solve()? {
            return Ok(Split { factors, complete: true });
        }
    }
    Ok(Split { factors: vec![f.clone()], complete: false })
}

/// Distinct primes of either sign at first, so that the parameters' values share no divisor and
/// squares are rare; later any numbers.
fn choose_point(attempt: usize, m: usize, numbers: &mut SplitMix) -> Vec<Integer> {
    let mut candidates: Vec<i64> = if attempt < PATIENCE {
        PrimeField::from(11).take(20 + 2 * m).map(|p| p.characteristic() as i64).collect()
    } else {
        (10..50 * attempt as i64 + 10 * m as i64).collect()
    };
    let mut choose = |_| {
        let chosen = candidates.swap_remove((numbers.next() % candidates.len() as u64) as usize);
        Integer::from(if numbers.next().is_multiple_of(2) { chosen } else { -chosen })
    };
    (0..m).map(&mut choose).collect()
}

/// f(x, point) = content·∏ factors, of full degree and square-free.
struct Image {
    point: Vec<Integer>,
    content: Integer,
    factors: Vec<Dense>,
}

impl Image {
    fn new(family: &Family, point: Vec<Integer>) -> Result<Option<Self>, Exhausted> {
        let member = family.member(&point)?;
        if dense::degree(&member) < family.degree() {
            return Ok(None);
        }
        let primitive = dense::primitive(&member);
        let field = PrimeField::large().next().expect("there are large primes");
        if !field.is_square_free(&dense::reduce(&primitive, field))? {
            return Ok(None);
        }
        let split = zassenhaus(&primitive)?;
        let content = dense::content(&member);
        Ok(split.complete.then_some(Self { point, content, factors: split.factors }))
    }
}

/// The leading coefficients that the lifted factors get: their product is `lead/scale` if the
/// power is 0, and lead^(power + 1) otherwise.
struct Shares {
    parts: Vec<Polynomial>,
    scale: Integer,
    power: usize,
}

struct Problem<'a> {
    f: &'a Polynomial,
    x: Variable,
    parameters: &'a [Variable],
    family: &'a Family,
    lead: &'a LeadingCoefficient,
    image: &'a Image,
    shares: &'a Shares,
}

impl Problem<'_> {
    /// Lifts modulo one large prime after the other until the coefficients can be read off.
    fn solve(&self) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let mut known: Option<(Modulus, Vec<Polynomial>)> = None;
        for field in PrimeField::large().take(1 + self.coefficient_bits() / 60) {
            let Some(lifting) = self.modulo(field) else {
                continue;
            };
            let Some(terms) = lifting.solve()? else {
                return Ok(None);
            };
            let scale = field.reduce(&self.shares.scale);
            let images = terms.iter().map(|t| self.polynomial(t, scale, field));
            let (modulus, residues): (_, Vec<Polynomial>) = match known.take() {
                None => (Modulus(field.characteristic().into()), images.collect()),
                Some((modulus, residues)) => {
                    let pairs = residues.iter().zip(images);
                    let joined = pairs.map(|(r, i)| chinese(r, &modulus, &i, field)).collect();
                    (Modulus(modulus.0 * field.characteristic()), joined)
                }
            };
            if let Some(factors) = self.certify(&residues)? {
                return Ok(Some(factors));
            }
            known = Some((modulus, residues));
        }
        Ok(None)
    }

    /// Gel'fond's bound on the coefficients of factors, in bits and rounded up.
    fn coefficient_bits(&self) -> usize {
        let bits = |f: &Polynomial| {
            let largest = f.terms().map(|(_, c)| c.bit_len()).max().unwrap_or(0);
            let degrees: u32 = f.variables().iter().map(|&v| f.degree_in(v)).sum();
            largest + degrees as usize + 1
        };
        let scale = self.shares.scale.bit_len();
        bits(self.f) + scale + if self.shares.power > 0 { bits(&self.lead.whole) } else { 0 }
    }

    /// The lifting problem over 𝔽_p, unless p divides what must stay nonzero.
    fn modulo(&self, field: PrimeField) -> Option<Lifting> {
        let reduce = |f: &Polynomial| Family::new(f, self.x, self.parameters).reduce(field);
        let scale = field.reduce(&self.shares.scale);
        if scale == 0 {
            return None;
        }
        let inverse = field.inverse(scale);
        let mut polynomial = self.family.reduce(field);
        polynomial.iter_mut().for_each(|t| t.c = field.mul(t.c, inverse));
        let point: Vec<u64> = self.image.point.iter().map(|a| field.reduce(a)).collect();
        let leads: Vec<Terms> = self.shares.parts.iter().map(reduce).collect();
        let mut images = Vec::with_capacity(leads.len());
        for (lead, u) in leads.iter().zip(&self.image.factors) {
            let u = field.monic(&dense::reduce(u, field));
            images.push(field.scaled(&u, value(lead, &point, field)));
        }
        let cofactor = reduce(&self.lead.whole);
        let power = self.shares.power;
        Some(Lifting { field, point, polynomial, cofactor, power, leads, images })
    }

    /// scale·f over ℤ with the coefficients of least absolute value.
    fn polynomial(&self, terms: &Terms, scale: u64, field: PrimeField) -> Polynomial {
        let monomial = |t: &Term<u64>| {
            let powers = self.parameters.iter().copied().zip(t.y.iter().copied());
            powers.chain([(self.x, t.x as u32)]).filter(|(_, e)| *e > 0).collect()
        };
        let coefficient = |t: &Term<u64>| field.symmetric(field.mul(t.c, scale));
        Polynomial::from_terms(terms.iter().map(|t| (monomial(t), coefficient(t))))
    }

    /// The primitive parts, if f is their product.
    fn certify(&self, candidates: &[Polynomial]) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let mut rest = self.f.clone();
        let mut factors = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let mut factor = candidate.primitive_part();
            if self.shares.power > 0 {
                let content = content_in(&factor, self.x)?;
                factor = quotient(&factor, &content)?.primitive_part();
            }
            match rest.exact_divide(&factor)? {
                Some(quotient) => rest = quotient,
                None => return Ok(None),
            }
            factors.push(factor);
        }
        Ok(rest.is_constant().then_some(factors))
    }
}

/// The value of a polynomial in the parameters.
fn value(terms: &Terms, point: &[u64], field: PrimeField) -> u64 {
    let term = |t: &Term<u64>| {
        let powers = point.iter().zip(&t.y).map(|(&a, &e)| field.pow(a, u64::from(e)));
        powers.fold(t.c, |c, power| field.mul(c, power))
    };
    terms.iter().map(term).fold(0, |sum, c| field.add(sum, c))
}

/// The polynomial that is f modulo m and g modulo p, with coefficients of least absolute value.
fn chinese(f: &Polynomial, m: &Modulus, g: &Polynomial, field: PrimeField) -> Polynomial {
    let inverse = field.inverse(field.reduce(&m.0));
    let step = |c: &Integer| field.symmetric(field.mul(field.reduce(c), inverse));
    let difference = g - f;
    let correction = Polynomial::from_terms(difference.terms().map(|(monomial, c)| (monomial, step(c))));
    f + &correction.scale(&m.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_may_get_the_whole_leading_coefficient() {
        let [a, b, x] = [0, 1, 2].map(|i| Polynomial::variable(Variable(i)));
        let power = |f: &Polynomial, n| f.pow(n).unwrap();
        let term = |f: &Polynomial, n| f.mul(&power(&x, n)).unwrap();
        let g = &term(&(&power(&a, 2) + &b), 2) + &power(&b, 2);
        let h = &(&term(&power(&b, 3), 2) + &term(&a, 1)) + &Polynomial::one();
        let f = g.mul(&h).unwrap();
        let (v, parameters) = (Variable(2), [Variable(0), Variable(1)]);
        let family = Family::new(&f, v, &parameters);
        let image = Image::new(&family, vec![Integer::from(13), Integer::from(-17)]).unwrap();
        let image = image.unwrap();
        let lead = LeadingCoefficient::new(&f, v, &parameters).unwrap();
        let shares = Shares { parts: vec![lead.whole.clone(); 2], scale: Integer::ONE, power: 1 };
        let problem = Problem {
            f: &f,
            x: v,
            parameters: &parameters,
            family: &family,
            lead: &lead,
            image: &image,
            shares: &shares,
        };
        let factors = problem.solve().unwrap().unwrap();
        assert!(factors == [g.clone(), h.clone()] || factors == [h, g]);
    }
}
