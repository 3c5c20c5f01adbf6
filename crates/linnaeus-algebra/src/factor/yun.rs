//! Square-free decomposition (Yun, *SYMSAC* 1976).

use crate::{Exhausted, Polynomial, Variable};

/// f = ∏ fₖᵏ up to a unit, the fₖ square-free and pairwise coprime, for f primitive in x.
///
/// With c = gcd(f, f′) and w = f/c, the factors of multiplicity k drop out one k at a time.
pub(super) fn yun(f: &Polynomial, x: Variable) -> Result<Vec<(Polynomial, u32)>, Exhausted> {
    let derivative = f.derivative(x);
    let common = f.gcd(&derivative)?;
    if common.is_constant() {
        return Ok(vec![(f.clone(), 1)]);
    }
    let mut w = quotient(f, &common)?;
    let mut z = &quotient(&derivative, &common)? - &w.derivative(x);
    let mut parts = Vec::new();
    for k in 1.. {
        if w.is_constant() {
            break;
        }
        let part = if z.is_zero() { w.clone() } else { w.gcd(&z)? };
        w = quotient(&w, &part)?;
        z = &quotient(&z, &part)? - &w.derivative(x);
        if !part.is_constant() {
            parts.push((part, k));
        }
    }
    Ok(parts)
}

fn quotient(f: &Polynomial, g: &Polynomial) -> Result<Polynomial, Exhausted> {
    Ok(f.exact_divide(g)?.expect("a common divisor divides"))
}
