//! Greatest common divisors of polynomials in several variables over ℤ.
//!
//! Cheap cases come first; they are most cases. The rest goes to modular algorithms, [`brown`] for
//! few variables and [`zippel`] for many, whose answers are certified by division.

mod brown;
mod degrees;
mod field;
mod modular;
mod primitive_remainders;
mod table;
mod univariate;
mod vandermonde;
mod zippel;

use modular::Problem;

use crate::Exhausted;
use crate::fuel::spend;
use crate::polynomial::{Polynomial, integer_gcd};
use crate::variables::{Variable, Variables};

impl Polynomial {
    /// The greatest common divisor over ℤ, integer content included, with positive leading
    /// coefficient; `gcd(0, p) = ±p`.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// ```
    /// use linnaeus_algebra::{Polynomial, Variable};
    /// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// let a = x.square().unwrap() - y.square().unwrap();
    /// let b = (&x + &y).pow(2).unwrap();
    /// assert_eq!(a.gcd(&b), Ok(&x + &y));
    /// ```
    pub fn gcd(&self, other: &Self) -> Result<Self, Exhausted> {
        if self.is_zero() || other.is_zero() {
            return Ok((self + other).with_positive_lead());
        }
        if self.is_one() || other.is_one() {
            return Ok(Self::one());
        }
        spend(self.work() + other.work())?;
        let (content_a, content_b) = (self.content(), other.content());
        let content = integer_gcd(&content_a, &content_b);
        if self.is_constant() || other.is_constant() {
            return Ok(Self::integer(content));
        }
        let (monomial_a, a) = split_monomial(&self.divide_content(&content_a));
        let (monomial_b, b) = split_monomial(&other.divide_content(&content_b));
        let mut gcd = primitive_gcd(a, b)?.scale(&content);
        for (v, e) in common_powers(&monomial_a, &monomial_b) {
            gcd = gcd.times_power(v, e);
        }
        Ok(gcd)
    }
}

/// The greatest common divisor of many polynomials, the smallest first; 0 for none.
pub(crate) fn gcd_of<'a>(polynomials: impl IntoIterator<Item = &'a Polynomial>) -> Result<Polynomial, Exhausted> {
    let mut polynomials: Vec<&Polynomial> = polynomials.into_iter().collect();
    polynomials.sort_by_key(|p| p.term_count());
    let mut gcd = Polynomial::zero();
    for p in polynomials {
        gcd = gcd.gcd(p)?;
        if gcd.is_one() {
            break;
        }
    }
    Ok(gcd)
}

/// The gcd of the coefficients as a polynomial in `v`, and the quotient by it.
fn content_and_part(p: &Polynomial, v: Variable) -> Result<(Polynomial, Polynomial), Exhausted> {
    let groups = p.grouped_by(v);
    let content = gcd_of(groups.iter().map(|(_, c)| c))?;
    let part = p.exact_divide(&content)?.expect("the content divides");
    Ok((content, part))
}

type Powers = Vec<(Variable, u32)>;

/// The largest monomial that divides `p`, and the quotient.
fn split_monomial(p: &Polynomial) -> (Powers, Polynomial) {
    let variables = p.frame().as_slice().iter().enumerate();
    let powers: Powers = variables.map(|(i, &v)| (v, p.order_at(i))).filter(|&(_, e)| e > 0).collect();
    if powers.is_empty() {
        return (powers, p.clone());
    }
    let rest = p.divided_by_monomial(&powers);
    (powers, rest)
}

fn common_powers(a: &Powers, b: &Powers) -> Powers {
    let smaller = |&(v, e): &(Variable, u32)| {
        let other = b.iter().find(|(w, _)| *w == v)?;
        Some((v, e.min(other.1)))
    };
    a.iter().filter_map(smaller).collect()
}

/// The gcd of polynomials with integer content 1 and no monomial factor.
fn primitive_gcd(a: Polynomial, b: Polynomial) -> Result<Polynomial, Exhausted> {
    if a.term_count() == 1 || b.term_count() == 1 {
        return Ok(Polynomial::one());
    }
    if a == b {
        return Ok(a.with_positive_lead());
    }
    if let Some(v) = lone_variable(&a, &b) {
        return gcd_without(&b, &a, v);
    }
    if let Some(v) = lone_variable(&b, &a) {
        return gcd_without(&a, &b, v);
    }
    let strides = strides(&a, &b);
    if strides.iter().any(|&s| s > 1) {
        let [a, b] = [a, b].map(|p| p.map_exponents(|i, e| e / strides[i]));
        return Ok(inflate(&same_variables_gcd(&a, &b)?, a.frame(), &strides));
    }
    same_variables_gcd(&a, &b)
}

/// For each variable the gcd of its exponents in both polynomials.
///
/// v ↦ vˢ is flat, so gcds commute with it, and may be taken of the polynomials with smaller
/// exponents.
fn strides(a: &Polynomial, b: &Polynomial) -> Vec<u32> {
    let mut strides = vec![0; a.frame().len()];
    for p in [a, b] {
        for t in 0..p.term_count() {
            for (i, s) in strides.iter_mut().enumerate() {
                if *s != 1 {
                    *s = exponent_gcd(*s, p.exponent(t, i));
                }
            }
        }
    }
    strides
}

fn exponent_gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { exponent_gcd(b, a % b) }
}

/// Multiplies the exponents of the variables of `frame` by the strides.
fn inflate(p: &Polynomial, frame: &Variables, strides: &[u32]) -> Polynomial {
    let places = p.frame().places_in(frame);
    p.map_exponents(|i, e| e * strides[places[i]])
}

/// The gcd of polynomials in the same variables, of which none is a common factor.
fn same_variables_gcd(a: &Polynomial, b: &Polynomial) -> Result<Polynomial, Exhausted> {
    let bounds = degrees::bounds(a, b)?;
    if bounds.iter().all(|&d| d == 0) {
        return Ok(Polynomial::one());
    }
    if let Some(i) = bounds.iter().position(|&d| d == 0) {
        let v = a.frame().as_slice()[i];
        let coefficients = [a.grouped_by(v), b.grouped_by(v)].concat();
        return gcd_of(coefficients.iter().map(|(_, c)| c));
    }
    for (p, q) in [(a, b), (b, a)] {
        let has_all = bounds.iter().enumerate().all(|(i, &d)| d == p.degree_at(i));
        if has_all && q.exact_divide(p)?.is_some() {
            return Ok(p.clone().with_positive_lead());
        }
    }
    full_gcd(a, b, &bounds)
}

/// A variable of `a` that does not occur in `b`.
fn lone_variable(a: &Polynomial, b: &Polynomial) -> Option<Variable> {
    if a.frame() == b.frame() {
        return None;
    }
    a.frame().as_slice().iter().copied().find(|&v| b.frame().position(v).is_none())
}

/// The gcd of `a`, which is free of `v`, and `b`: a divisor of every coefficient of `b` in `v`.
fn gcd_without(a: &Polynomial, b: &Polynomial, v: Variable) -> Result<Polynomial, Exhausted> {
    let groups = b.grouped_by(v);
    gcd_of(groups.iter().map(|(_, c)| c).chain([a]))
}

/// The gcd when every variable may occur in it.
fn full_gcd(a: &Polynomial, b: &Polynomial, bounds: &[u32]) -> Result<Polynomial, Exhausted> {
    let place = main_variable(a, b, bounds);
    let main = a.frame().as_slice()[place];
    let (content_a, part_a) = content_and_part(a, main)?;
    let (content_b, part_b) = content_and_part(b, main)?;
    if !content_a.is_one() || !content_b.is_one() {
        return content_a.gcd(&content_b)?.mul(&part_a.gcd(&part_b)?);
    }
    if let Some(gcd) = linear_factor(a, b, main)? {
        return Ok(gcd);
    }
    modular_gcd(a, b, main, bounds)
}

/// The variable with the simplest leading coefficients, then of the largest degree.
fn main_variable(a: &Polynomial, b: &Polynomial, bounds: &[u32]) -> usize {
    let variables = a.frame().as_slice();
    let cost = |&i: &usize| {
        let lead = |p: &Polynomial| p.leading_coefficient_in(variables[i]).term_count();
        (lead(a).min(lead(b)), u32::MAX - bounds[i])
    };
    (0..variables.len()).min_by_key(cost).expect("there is a variable")
}

/// The gcd when one of the polynomials, primitive in `v`, is linear in `v` and so irreducible.
fn linear_factor(a: &Polynomial, b: &Polynomial, v: Variable) -> Result<Option<Polynomial>, Exhausted> {
    for (p, q) in [(a, b), (b, a)] {
        if p.degree_in(v) == 1 {
            let divides = q.exact_divide(p)?.is_some();
            let gcd = if divides { p.clone().with_positive_lead() } else { Polynomial::one() };
            return Ok(Some(gcd));
        }
    }
    Ok(None)
}

/// The gcd of polynomials in the same variables, primitive in `main`.
fn modular_gcd(a: &Polynomial, b: &Polynomial, main: Variable, bounds: &[u32]) -> Result<Polynomial, Exhausted> {
    let lead = a.leading_coefficient_in(main).gcd(&b.leading_coefficient_in(main))?;
    let mut columns: Vec<(Variable, u32)> = a.frame().as_slice().iter().copied().zip(bounds.iter().copied()).collect();
    columns.sort_by_key(|&(v, degree)| (v != main, u32::MAX - degree));
    let (order, degrees) = columns.into_iter().unzip();
    match (Problem { a, b, lead: &lead, order, degrees }).solve()? {
        Some(gcd) => Ok(gcd),
        None => primitive_remainders::gcd(a, b),
    }
}
