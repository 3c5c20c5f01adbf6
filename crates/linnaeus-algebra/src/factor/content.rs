//! What can be split off without factoring: monomials and contents; and by which variable to go on.

use crate::{Exhausted, Polynomial, Variable};

/// The greatest common divisor of the coefficients of f as a polynomial in v.
pub(super) fn content_in(f: &Polynomial, v: Variable) -> Result<Polynomial, Exhausted> {
    let mut coefficients = f.coefficients_in(v);
    coefficients.retain(|c| !c.is_zero());
    coefficients.sort_by_cached_key(Polynomial::term_count);
    let mut content = Polynomial::zero();
    for c in &coefficients {
        content = content.gcd(c)?;
        if content.is_one() {
            break;
        }
    }
    Ok(content)
}

pub(super) fn quotient(f: &Polynomial, divisor: &Polynomial) -> Result<Polynomial, Exhausted> {
    Ok(f.exact_divide(divisor)?.expect("a divisor divides"))
}

/// The largest monomial that divides f, as variables with exponents, and the quotient.
pub(super) fn split_monomial(f: &Polynomial) -> (Vec<(Variable, u32)>, Option<Polynomial>) {
    let orders: Vec<u32> = (0..f.variables().len()).map(|i| f.order_at(i)).collect();
    let common: Vec<(Variable, u32)> = f.variables().into_iter().zip(orders).filter(|(_, e)| *e > 0).collect();
    if common.is_empty() {
        return (common, None);
    }
    let reduced = |(v, e): (Variable, u32)| {
        let less = common.iter().find(|(w, _)| *w == v).map_or(0, |&(_, e)| e);
        (e > less).then_some((v, e - less))
    };
    let quotient = f.terms().map(|(monomial, c)| (monomial.into_iter().filter_map(reduced).collect(), c.clone()));
    let quotient = Polynomial::from_terms(quotient);
    (common, Some(quotient))
}

/// How f depends on one of its variables.
struct Dependence {
    variable: Variable,
    degree: u32,
    /// The number of terms of the leading coefficient, 0 if it is a constant.
    lead: usize,
}

/// The dependence on each variable.
fn dependences(f: &Polynomial) -> Vec<Dependence> {
    let variables = f.variables();
    let is_power = |t: usize| (0..variables.len()).filter(|&i| f.exponent(t, i) > 0).count() == 1;
    let describe = |(i, &variable): (usize, &Variable)| {
        let degree = f.degree_at(i);
        let lead = (0..f.term_count()).filter(|&t| f.exponent(t, i) == degree && !is_power(t)).count();
        Dependence { variable, degree, lead }
    };
    variables.iter().enumerate().map(describe).collect()
}

/// A variable in which f is linear, if there is one; of several, one with a short coefficient.
pub(super) fn linear_variable(f: &Polynomial) -> Option<Variable> {
    let linear = dependences(f).into_iter().filter(|d| d.degree == 1);
    linear.min_by_key(|d| d.lead).map(|d| d.variable)
}

/// The variable to factor by: of low degree and with a short leading coefficient.
pub(super) fn main_variable(f: &Polynomial) -> Variable {
    let cheapest = dependences(f).into_iter().min_by_key(|d| d.degree as usize + d.lead);
    cheapest.expect("a polynomial that is not constant").variable
}

/// The variables other than x, those of high degree first: they are lifted while factors are small.
pub(super) fn parameters(f: &Polynomial, x: Variable) -> Vec<Variable> {
    let mut parameters: Vec<Variable> = f.variables().into_iter().filter(|&v| v != x).collect();
    parameters.sort_by_key(|&v| (std::cmp::Reverse(f.degree_in(v)), v));
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monomials_and_contents_split_off() {
        let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
        let g = &x + &Polynomial::one();
        let f = x.pow(2).unwrap().mul(&y).unwrap().mul(&(&y + &x)).unwrap().mul(&g).unwrap();
        let (monomial, rest) = split_monomial(&f);
        assert_eq!(monomial, [(Variable(0), 2), (Variable(1), 1)]);
        assert_eq!(content_in(&rest.unwrap(), Variable(1)).unwrap(), g);
        assert_eq!(linear_variable(&f), None);
        assert_eq!(main_variable(&(&x.pow(3).unwrap() - &y.pow(2).unwrap())), Variable(1));
    }
}
