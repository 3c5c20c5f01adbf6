//! Replacing the variables of a rational function.

use super::RationalFunction;
use crate::Rational;
use crate::fuel::Exhausted;
use crate::polynomial::{Polynomial, multiply_mod};
use crate::variables::Variable;

impl RationalFunction {
    /// Replaces all variables that have a value at once; `None` when the denominator vanishes.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// ```
    /// use linnaeus_algebra::{RationalFunction, Variable};
    /// let [x, y] = [0, 1].map(|i| RationalFunction::variable(Variable(i)));
    /// let swap = |v| Some(if v == Variable(0) { y.clone() } else { x.clone() });
    /// let quotient = x.div(&y).unwrap().unwrap();
    /// assert_eq!(quotient.substitute(&swap).unwrap(), quotient.inverse());
    /// assert_eq!(quotient.substitute(&|_| Some(RationalFunction::zero())), Ok(None));
    /// ```
    pub fn substitute(&self, value: &dyn Fn(Variable) -> Option<RationalFunction>) -> Result<Option<Self>, Exhausted> {
        let variables = self.variables();
        let values: Values = variables.iter().filter_map(|&v| Some((v, value(v)?))).collect();
        if values.is_empty() {
            return Ok(Some(self.clone()));
        }
        let images: Option<Vec<(Variable, Variable)>> =
            values.iter().map(|(v, x)| Some((*v, x.as_variable()?))).collect();
        if let Some(images) = images {
            let image = |v: Variable| found(&images, v).copied().unwrap_or(v);
            let mut distinct: Vec<Variable> = variables.iter().map(|&v| image(v)).collect();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() == variables.len() {
                return Ok(Some(Self::coprime(self.numerator.rename(&image), self.denominator.rename(&image))));
            }
        }
        let numbers: Option<Vec<(Variable, Rational)>> =
            values.iter().map(|(v, x)| Some((*v, x.as_rational()?))).collect();
        if let Some(numbers) = numbers {
            return self.evaluate(&|v| found(&numbers, v).cloned());
        }
        let denominator = compose(&self.denominator, &values)?;
        compose(&self.numerator, &values)?.div(&denominator)
    }

    /// The function with numbers in place of the variables that have a value; `None` when the
    /// denominator vanishes.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    pub fn evaluate(&self, value: &dyn Fn(Variable) -> Option<Rational>) -> Result<Option<Self>, Exhausted> {
        let denominator = self.denominator.evaluate(value)?;
        self.numerator.evaluate(value)?.div(&denominator)
    }

    /// The variable that this is, if it is one.
    fn as_variable(&self) -> Option<Variable> {
        let [v] = self.numerator.variables()[..] else { return None };
        (self.denominator.is_one() && self.numerator == Polynomial::variable(v)).then_some(v)
    }

    /// The function with its variables changed by an injective map.
    ///
    /// # Panics
    /// If `f` identifies two variables of the function.
    pub fn rename(&self, f: &dyn Fn(Variable) -> Variable) -> Self {
        let variables = self.variables();
        let mut images: Vec<Variable> = variables.iter().map(|&v| f(v)).collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), variables.len(), "the map must be injective");
        Self::coprime(self.numerator.rename(f), self.denominator.rename(f))
    }

    /// The value modulo the prime `p < 2⁶³`; `None` when the denominator vanishes there.
    ///
    /// ```
    /// use linnaeus_algebra::{RationalFunction, Variable};
    /// let x = RationalFunction::variable(Variable(0));
    /// assert_eq!(x.inverse().unwrap().evaluate_mod(&|_| 3, 7), Some(5));
    /// ```
    pub fn evaluate_mod(&self, value: &dyn Fn(Variable) -> u64, p: u64) -> Option<u64> {
        let denominator = self.denominator.evaluate_mod(value, p);
        let numerator = self.numerator.evaluate_mod(value, p);
        if denominator == 1 {
            return Some(numerator);
        }
        (denominator != 0).then(|| multiply_mod(numerator, inverse_mod(denominator, p), p))
    }
}

/// The inverse modulo a prime, by the extended Euclidean algorithm.
pub(crate) fn inverse_mod(a: u64, p: u64) -> u64 {
    // No cofactor is larger than the modulus, which is below 2⁶³.
    let (mut r, mut s) = (p, a);
    let (mut x, mut y) = (0i64, 1i64);
    while s != 0 {
        let q = r / s;
        (r, s) = (s, r - q * s);
        (x, y) = (y, x - q as i64 * y);
    }
    x.rem_euclid(p as i64) as u64
}

/// What is put in place of some variables.
type Values = Vec<(Variable, RationalFunction)>;

/// What is listed for a variable; a function has few.
fn found<T>(list: &[(Variable, T)], v: Variable) -> Option<&T> {
    list.iter().find(|(w, _)| *w == v).map(|(_, x)| x)
}

/// The value of `p` with rational functions in place of some variables.
///
/// Homogenizes: with vᵢ = nᵢ/dᵢ and degrees eᵢ, the sum is built over the common denominator
/// Π dᵢ^eᵢ and reduced once. A variable that occurs in the other values is first renamed away.
fn compose(p: &Polynomial, values: &Values) -> Result<RationalFunction, Exhausted> {
    if values.iter().all(|(v, _)| p.degree_in(*v) == 0) {
        return Ok(RationalFunction::polynomial(p.clone()));
    }
    let mut denominator = Polynomial::one();
    let mut terms = vec![(p.clone(), Polynomial::one())];
    for (v, value) in values.iter().filter(|(v, _)| p.degree_in(*v) > 0) {
        let v = *v;
        let degree = terms.iter().map(|(rest, _)| rest.degree_in(v)).max().unwrap_or(0);
        let mut next = Vec::new();
        for (rest, factor) in &terms {
            for (e, c) in rest.grouped_by(v) {
                let power = value.numerator.pow(e)?.mul(&value.denominator.pow(degree - e)?)?;
                next.push((c, factor.mul(&power)?));
            }
        }
        terms = next;
        denominator = denominator.mul(&value.denominator.pow(degree)?)?;
    }
    let mut summands = Vec::with_capacity(terms.len());
    for (rest, factor) in &terms {
        summands.push(rest.mul(factor)?);
    }
    RationalFunction::reduced(Polynomial::sum(summands), denominator)
}
