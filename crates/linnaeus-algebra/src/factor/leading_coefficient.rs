//! Which factors of the leading coefficient belong to which factor of the polynomial
//! (Wang, *Math. Comp.* 32, 1978, section 2).

use super::dense::{Dense, degree};
use super::family::Family;
use crate::{Exhausted, Integer, Polynomial, Variable};
use dashu_int::ops::{DivRem, Gcd, UnsignedAbs};

/// The leading coefficient of f in x, factored: ω·∏ ℓⱼ^eⱼ.
#[derive(Debug)]
pub(super) struct LeadingCoefficient {
    pub(super) whole: Polynomial,
    pub(super) content: Integer,
    factors: Vec<(Polynomial, u32)>,
    families: Vec<Family>,
}

impl LeadingCoefficient {
    pub(super) fn new(f: &Polynomial, x: Variable, parameters: &[Variable]) -> Result<Self, Exhausted> {
        let whole = f.coefficients_in(x).pop().unwrap_or_else(Polynomial::zero);
        let factorization = whole.factor()?;
        let family = |(l, _): &(Polynomial, u32)| Family::new(l, x, parameters);
        Ok(Self {
            families: factorization.factors.iter().map(family).collect(),
            whole,
            content: factorization.content,
            factors: factorization.factors,
        })
    }

    /// The parts ∏ⱼ ℓⱼ^eᵢⱼ of the leading coefficient of f that belong to the factors fᵢ with the
    /// images uᵢ, where f(x, point) = δ·∏ uᵢ; none if the point does not tell.
    ///
    /// The point tells if each ℓⱼ(point) has a divisor dⱼ prime to ω, δ and all ℓₖ(point) with
    /// k < j: then eᵢⱼ is the multiplicity of dⱼ in the leading coefficient of δ·uᵢ once those of the
    /// ℓₖ with k > j are gone. If that leaves a fraction, the uᵢ are not images of factors.
    pub(super) fn distribute(
        &self,
        point: &[Integer],
        delta: &Integer,
        images: &[Dense],
    ) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let mut values = Vec::with_capacity(self.families.len());
        for family in &self.families {
            values.push(family.member(point)?.first().cloned().unwrap_or(Integer::ZERO));
        }
        let Some(divisors) = distinguishing_divisors(&(&self.content * delta), &values) else {
            return Ok(None);
        };
        let mut missing: Vec<u32> = self.factors.iter().map(|(_, e)| *e).collect();
        let mut parts = Vec::with_capacity(images.len());
        for u in images {
            let mut lead = delta * &u[degree(u)];
            let mut part = Polynomial::one();
            for j in (0..divisors.len()).rev() {
                let e = multiplicity(&lead, &divisors[j]);
                let Some(left) = missing[j].checked_sub(e) else {
                    return Ok(None);
                };
                missing[j] = left;
                let (quotient, rest) = lead.div_rem(values[j].pow(e as usize));
                if !rest.is_zero() {
                    return Ok(None);
                }
                lead = quotient;
                part = part.mul(&self.factors[j].0.pow(e)?)?;
            }
            parts.push(part);
        }
        Ok(missing.iter().all(|&e| e == 0).then_some(parts))
    }
}

/// For each value a divisor above 1 that is prime to `avoid` and to the values before.
fn distinguishing_divisors(avoid: &Integer, values: &[Integer]) -> Option<Vec<Integer>> {
    let mut seen = vec![Integer::from(avoid.unsigned_abs())];
    for value in values {
        let mut d = Integer::from(value.unsigned_abs());
        if d.is_zero() {
            return None;
        }
        for earlier in &seen {
            loop {
                let common = Integer::from((&d).gcd(earlier));
                if common.is_one() {
                    break;
                }
                d /= common;
            }
        }
        if d.is_one() {
            return None;
        }
        seen.push(d);
    }
    seen.remove(0);
    Some(seen)
}

/// How often d > 1 divides n ≠ 0.
fn multiplicity(n: &Integer, d: &Integer) -> u32 {
    let (mut n, mut count) = (n.clone(), 0);
    loop {
        let (q, r) = (&n).div_rem(d);
        if !r.is_zero() {
            return count;
        }
        n = q;
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_distinguish() {
        let integers = |values: &[i64]| values.iter().map(|&v| Integer::from(v)).collect::<Vec<_>>();
        let divisors = distinguishing_divisors(&Integer::from(2), &integers(&[12, -15, 7]));
        assert_eq!(divisors, Some(integers(&[3, 5, 7])));
        assert_eq!(distinguishing_divisors(&Integer::ONE, &integers(&[3, 9])), None);
    }

    #[test]
    fn images_without_factors_get_no_parts() {
        let [a, x] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
        let lead = &a.pow(2).unwrap() + &Polynomial::integer(9);
        let f = lead.scale(&Integer::from(2)).mul(&x.pow(2).unwrap()).unwrap() + Polynomial::one();
        let lead = LeadingCoefficient::new(&f, Variable(1), &[Variable(0)]).unwrap();
        let image = |c: i32| vec![Integer::ONE, Integer::from(c)];
        // a² + 9 is 34 at 5, and 17 tells; but 34 divides neither 17 nor 4.
        let point = [Integer::from(5)];
        assert_eq!(lead.distribute(&point, &Integer::ONE, &[image(17), image(4)]), Ok(None));
        let parts = lead.distribute(&point, &Integer::ONE, &[image(34), image(2)]);
        assert_eq!(parts.unwrap().unwrap().len(), 2);
    }

    #[test]
    fn multiplicities() {
        assert_eq!(multiplicity(&Integer::from(-72), &Integer::from(6)), 2);
        assert_eq!(multiplicity(&Integer::from(5), &Integer::from(3)), 0);
    }
}
