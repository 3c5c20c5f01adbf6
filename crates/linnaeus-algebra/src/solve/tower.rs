//! Square roots that are in the field of another square root.
//!
//! A quadratic equation that is irreducible over ℚ(variables) may split over the field of a root
//! that a chain has already: √8 = 2√2 and √(3 + 2√2) = 1 + √2.

use super::case::{Case, Link};
use super::quadratic::{self, Quadratic};
use super::roles::Roles;
use crate::{Exhausted, Integer, Polynomial, Variable};

/// The linear factors of a quadratic link over the field of another link, and what must not
/// vanish for that.
struct Factors {
    factors: [Polynomial; 2],
    nonzero: Polynomial,
}

/// The two cases in which a link splits over the field of another; `None` when there is no such
/// link.
pub(super) fn split(case: &Case, roles: &Roles) -> Result<Option<Vec<Case>>, Exhausted> {
    for (i, upper) in case.chain.iter().enumerate() {
        for lower in case.chain.iter().filter(|link| link.variable != upper.variable) {
            let Some(Factors { factors, nonzero }) = factors(upper, lower)? else {
                continue;
            };
            let mut rest = case.clone();
            rest.chain.remove(i);
            let Some(rest) = rest.excluding(&nonzero, roles)? else {
                continue;
            };
            let mut cases = Vec::new();
            for factor in &factors {
                cases.extend(rest.clone().requiring([factor], roles)?);
            }
            return Ok(Some(cases));
        }
    }
    Ok(None)
}

/// Factors a₂y² + b₂y + c₂ over the field of x, where a₁x² + b₁x + c₁ = 0.
///
/// With θ = 2a₁x + b₁, so that θ² = D₁, and an even power k that makes (2a₁)ᵏD₂ = u + vθ a
/// polynomial, the factors are 2a₂y + b₂ ∓ √(u + vθ) / (2a₁)^(k/2).
fn factors(upper: &Link, lower: &Link) -> Result<Option<Factors>, Exhausted> {
    let (x, y) = (lower.variable, upper.variable);
    let (Some(first), Some(second)) = (Quadratic::new(&lower.equation, x), Quadratic::new(&upper.equation, y)) else {
        return Ok(None);
    };
    if lower.equation.degree_in(y) > 0 {
        return Ok(None);
    }
    let (d1, d2) = (first.discriminant()?, second.discriminant()?);
    let k = d2.degree_in(x).next_multiple_of(2);
    let [u, v] = in_root(&d2, x, &first, &d1, k)?;
    let Some((root, denominator)) = square_root(&u, &v, &d1, &first.derivative(x))? else {
        return Ok(None);
    };
    let scale = first.twice_lead().pow(k / 2)?.mul(&denominator)?;
    let left = scale.mul(&second.derivative(y))?;
    Ok(Some(Factors { factors: [&left - &root, left + root], nonzero: denominator }))
}

/// u and v with (2a)ᵏp = u + vθ, where x = (θ − b)/2a and θ² = d.
fn in_root(
    p: &Polynomial,
    x: Variable,
    quadratic: &Quadratic,
    d: &Polynomial,
    k: u32,
) -> Result<[Polynomial; 2], Exhausted> {
    // x stands for θ in the sum.
    let theta = Polynomial::variable(x) - quadratic.middle().clone();
    let mut sum = Polynomial::zero();
    for (e, c) in p.grouped_by(x) {
        let power = quadratic.twice_lead().pow(k - e)?.mul(&theta.pow(e)?)?;
        sum = sum + c.mul(&power)?;
    }
    quadratic::remainder(&sum, x, d)
}

/// √(u + vθ) as numerator and denominator, if it is in the field of θ = √d.
///
/// Of (a + bθ)² = u + vθ follows that a² − db² = w is a root of u² − dv² and 2a² = u + w.
fn square_root(
    u: &Polynomial,
    v: &Polynomial,
    d: &Polynomial,
    theta: &Polynomial,
) -> Result<Option<(Polynomial, Polynomial)>, Exhausted> {
    if v.is_zero() {
        let root = quadratic::square_root(&u.mul(d)?)?;
        return root.map_or(Ok(None), |s| Ok(Some((s.mul(theta)?, d.clone()))));
    }
    let Some(w) = quadratic::square_root(&(u.square()? - v.square()?.mul(d)?))? else {
        return Ok(None);
    };
    let two = Integer::from(2);
    for sum in [u + &w, u - &w] {
        if sum.is_zero() {
            continue;
        }
        // With t = 2a, the root is t/2 + (v/t) θ.
        if let Some(t) = quadratic::square_root(&sum.scale(&two))? {
            let root = t.square()? + v.mul(theta)?.scale(&two);
            return Ok(Some((root, t.scale(&two))));
        }
    }
    Ok(None)
}
