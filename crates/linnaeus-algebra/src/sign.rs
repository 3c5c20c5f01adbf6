//! The sign of a polynomial on real points.

use crate::{Exhausted, Integer, Polynomial, Rational, Variable, spend};
use std::cmp::Ordering;

/// What signs a polynomial has on the reals, zero being of either.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Proved to be nowhere negative.
    Nonnegative,
    /// Proved to be nowhere positive.
    Nonpositive,
    /// Negative somewhere and positive elsewhere.
    Both,
    /// Not known.
    Unknown,
}

impl Polynomial {
    /// Its sign over all real values of its variables: two points show both signs; that there is only one
    /// is proved by factors, sums of even powers, discriminants, and Sturm's theorem.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    ///
    /// ```
    /// use linnaeus_algebra::{Exhausted, Polynomial, Sign, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// assert_eq!((&x - &y).sign()?, Sign::Both);
    /// let square = x.square()? + y.square()?;
    /// assert_eq!((square - x.mul(&y)?).sign()?, Sign::Nonnegative);
    /// # Ok(())
    /// # }
    /// ```
    pub fn sign(&self) -> Result<Sign, Exhausted> {
        if self.is_sum_of_even_powers() {
            return Ok(Sign::Nonnegative);
        }
        let (mut below, mut above) = (false, false);
        let small = SmallTerms::new(self);
        for n in 0..POINTS {
            let order = match small.as_ref().and_then(|p| p.at_point(n)) {
                Some(value) => spend(self.term_count() as u64).map(|()| value.cmp(&0))?,
                None => self.at_point(n)?.cmp(&Rational::ZERO),
            };
            below |= order == Ordering::Less;
            above |= order == Ordering::Greater;
            if below && above {
                return Ok(Sign::Both);
            }
        }
        Ok(match (below, above) {
            (false, _) if self.is_nonnegative(DEPTH)? => Sign::Nonnegative,
            (_, false) if (-self.clone()).is_nonnegative(DEPTH)? => Sign::Nonpositive,
            _ => Sign::Unknown,
        })
    }

    /// Whether it is proved to have no real zero.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    ///
    /// ```
    /// use linnaeus_algebra::{Exhausted, Polynomial, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// let squares = x.square()? + y.square()?;
    /// assert!(!squares.is_definite()?); // zero at the origin
    /// assert!((squares + Polynomial::one()).is_definite()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_definite(&self) -> Result<bool, Exhausted> {
        for (factor, _) in self.factor()?.factors {
            let is_definite = match factor.variables()[..] {
                [v] => real_roots(&factor, v) == 0,
                _ => factor.is_bounded_below()? || (-factor).is_bounded_below()?,
            };
            if !is_definite {
                return Ok(false);
            }
        }
        Ok(!self.is_zero())
    }

    /// Whether it is positive at the origin and proved to be nowhere less than half of that.
    fn is_bounded_below(&self) -> Result<bool, Exhausted> {
        let Some((_, origin)) = self.terms().find(|(powers, _)| powers.is_empty()) else { return Ok(false) };
        let twice = self.scale(&Integer::from(2));
        Ok(*origin > Integer::ZERO && (&twice - &Polynomial::integer(origin.clone())).is_nonnegative(DEPTH)?)
    }

    /// The value at the n-th of some points that are spread about the origin.
    fn at_point(&self, n: u64) -> Result<Rational, Exhausted> {
        let number = |v: Variable| Rational::from_parts(coordinate(v, n).into(), 4u8.into());
        let value = self.evaluate(&|v| Some(number(v)))?;
        Ok(value.as_rational().expect("every variable has a value"))
    }

    /// Whether it is proved to be nowhere negative.
    fn is_nonnegative(&self, depth: usize) -> Result<bool, Exhausted> {
        if let Some(n) = self.as_integer() {
            return Ok(n >= Integer::ZERO);
        }
        if depth == 0 {
            return Ok(self.is_sum_of_even_powers());
        }
        let factorization = self.factor()?;
        let mut positive = factorization.content > Integer::ZERO;
        for (factor, _) in factorization.factors.iter().filter(|(_, e)| e % 2 == 1) {
            if (-factor.clone()).is_semidefinite(depth)? {
                positive = !positive;
            } else if !factor.is_semidefinite(depth)? {
                return Ok(false);
            }
        }
        Ok(positive)
    }

    fn is_sum_of_even_powers(&self) -> bool {
        self.terms().all(|(powers, c)| *c >= Integer::ZERO && powers.iter().all(|(_, e)| e % 2 == 0))
    }

    /// The same for one without repeated factors.
    fn is_semidefinite(&self, depth: usize) -> Result<bool, Exhausted> {
        if self.is_sum_of_even_powers() {
            return Ok(true);
        }
        let variables = self.variables();
        if let [v] = variables[..] {
            return Ok(self.leading_coefficient() > Integer::ZERO && real_roots(self, v) == 0);
        }
        for v in variables.into_iter().filter(|v| self.degree_in(*v) == 2) {
            let [c, b, a] = &self.coefficients_in(v)[..] else { continue };
            let rest = &a.mul(c)?.scale(&Integer::from(4)) - &b.square()?;
            if a.is_nonnegative(depth - 1)? && rest.is_nonnegative(depth - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Four times the value of a variable at the n-th point.
fn coordinate(v: Variable, n: u64) -> i32 {
    let mixed = (u64::from(v.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(2 * n + 1) >> 59;
    let size = [0, 1, 2, 3, 5, 10, 100, 1000][(mixed / 4) as usize];
    let signed = if mixed % 2 == 0 { size } else { -size };
    if mixed % 4 < 2 { 4 * signed } else { signed }
}

/// A polynomial with coefficients of a machine word, times such a power of 4 that its values at points are integers.
struct SmallTerms {
    variables: Vec<Variable>,
    /// Coefficients, and the powers of variables by their places.
    terms: Vec<(i128, Vec<(usize, u32)>)>,
}

impl SmallTerms {
    /// Nothing where a coefficient is too large.
    fn new(p: &Polynomial) -> Option<SmallTerms> {
        let (variables, degree) = (p.variables(), p.total_degree());
        let term = |(powers, c): (Vec<(Variable, u32)>, &Integer)| {
            let total: u32 = powers.iter().map(|(_, e)| e).sum();
            let scale = 4i128.checked_pow(degree.checked_sub(total)?)?;
            let place = |(v, e): (Variable, u32)| Some((variables.binary_search(&v).ok()?, e));
            let powers = powers.into_iter().map(place).collect::<Option<_>>()?;
            Some((i128::try_from(c).ok()?.checked_mul(scale)?, powers))
        };
        let terms = p.terms().map(term).collect::<Option<_>>()?;
        Some(SmallTerms { variables, terms })
    }

    /// A positive multiple of the value at the n-th point; nothing where numbers become too large.
    fn at_point(&self, n: u64) -> Option<i128> {
        let at: Vec<i128> = self.variables.iter().map(|v| coordinate(*v, n).into()).collect();
        self.terms.iter().try_fold(0i128, |sum, (c, powers)| {
            let term = powers.iter().try_fold(*c, |term, (i, e)| term.checked_mul(at[*i].checked_pow(*e)?))?;
            sum.checked_add(term)
        })
    }
}

/// How many points are looked at.
const POINTS: u64 = 100;

/// So many variables are eliminated by discriminants.
const DEPTH: usize = 4;

/// The number of real roots of a square-free polynomial in one variable, by Sturm's theorem.
fn real_roots(p: &Polynomial, v: Variable) -> usize {
    let coefficients = |p: &Polynomial| -> Vec<Rational> {
        p.coefficients_in(v).iter().map(|c| Rational::from(c.as_integer().expect("one variable"))).collect()
    };
    let mut chain = vec![coefficients(p), coefficients(&p.derivative(v))];
    while let [.., f, g] = &chain[..]
        && g.len() > 1
    {
        let rest = negative_remainder(f.clone(), g);
        if rest.is_empty() {
            break;
        }
        chain.push(rest);
    }
    let is_positive_far_left = |f: &Vec<Rational>| (f[f.len() - 1] > Rational::ZERO) == (f.len() % 2 == 1);
    let is_positive_far_right = |f: &Vec<Rational>| f[f.len() - 1] > Rational::ZERO;
    let changes = |signs: Vec<bool>| signs.windows(2).filter(|w| w[0] != w[1]).count();
    changes(chain.iter().map(is_positive_far_left).collect())
        - changes(chain.iter().map(is_positive_far_right).collect())
}

/// −(f mod g), coefficients by rising powers.
fn negative_remainder(mut f: Vec<Rational>, g: &[Rational]) -> Vec<Rational> {
    while f.len() >= g.len() {
        let (at, factor) = (f.len() - g.len(), &f[f.len() - 1] / &g[g.len() - 1]);
        for (x, y) in f[at..].iter_mut().zip(g) {
            *x -= &factor * y;
        }
        while f.last().is_some_and(|x| *x == Rational::ZERO) {
            f.pop();
        }
    }
    f.into_iter().map(|x| -x).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs() {
        let [x, y, z] = [0, 1, 2].map(|i| Polynomial::variable(Variable(i)));
        let n = |i: i64| Polynomial::integer(i);
        let square = |p: &Polynomial| p.square().unwrap();
        let quartic = &square(&square(&x)) - &x;
        let cyclic = [(&x, &y), (&y, &z), (&z, &x)].map(|(a, b)| &square(a) - &a.mul(b).unwrap());
        let schur = cyclic.iter().fold(n(0), |sum, p| &sum + p);
        for (p, sign) in [
            (n(0), Sign::Nonnegative),
            (n(-3), Sign::Nonpositive),
            (&x - &n(1), Sign::Both),
            (&square(&x) + &n(1), Sign::Nonnegative),
            (&n(-2) - &square(&x), Sign::Nonpositive),
            (&square(&x) - &n(2), Sign::Both),
            (&quartic + &n(1), Sign::Nonnegative),
            (quartic, Sign::Both),
            (&square(&square(&x)) - &square(&x) + &square(&y) - &y + n(1), Sign::Nonnegative),
            (square(&(&x - &y)).mul(&(&square(&x) + &n(1))).unwrap(), Sign::Nonnegative),
            (schur, Sign::Nonnegative),
            (x.mul(&y).unwrap() + z, Sign::Both),
        ] {
            assert_eq!(p.sign().unwrap(), sign, "{p:?}");
        }
    }

    /// Values in machine words have the sign of those in rational numbers.
    #[test]
    fn small_numbers_have_the_same_signs() {
        let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
        let cube = x.pow(3).unwrap().scale(&Integer::from(3));
        let p = cube - &x.mul(&y).unwrap() + y.square().unwrap() - Polynomial::integer(7);
        let small = SmallTerms::new(&p).unwrap();
        for n in 0..POINTS {
            let exact = p.at_point(n).unwrap().cmp(&Rational::ZERO);
            assert_eq!(small.at_point(n).unwrap().cmp(&0), exact, "{n}");
        }
        let large = p.scale(&Integer::from(i128::MAX));
        assert!(SmallTerms::new(&large).is_none());
        assert_eq!(large.sign().unwrap(), Sign::Both);
    }

    #[test]
    fn zeros() {
        let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
        let n = |i: i64| Polynomial::integer(i);
        let fourth = |p: &Polynomial| p.square().unwrap().square().unwrap();
        for (p, definite) in [
            (n(0), false),
            (n(-3), true),
            (x.clone(), false),
            (&fourth(&x) + &n(2), true),
            (&fourth(&x) - &n(2), false),
            (&n(-1) - &fourth(&x) - fourth(&y), true),
            (&fourth(&x) + &fourth(&y), false),
            (&x.square().unwrap() + &x.mul(&y).unwrap() + y.square().unwrap() + n(1), true),
            ((&fourth(&x) + &n(2)).mul(&(&x - &y)).unwrap(), false),
        ] {
            assert_eq!(p.is_definite().unwrap(), definite, "{p:?}");
        }
    }
}
