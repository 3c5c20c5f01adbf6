//! Factorization of polynomials over ℚ.
//!
//! | step | where |
//! |---|---|
//! | monomials, contents, factors linear in some variable | here and `content` |
//! | square-free decomposition | `yun` |
//! | irreducibility by degrees of images in 𝔽_p\[x\] | `screen`, `degree_set`, `cantor_zassenhaus` |
//! | univariate factors | `zassenhaus`, `hensel`; roots in `rational_roots` |
//! | multivariate factors | `wang`, `leading_coefficient`, `sparse_hensel`, `bivariate` |
//!
//! Every factor is divided out of the polynomial over ℤ before it is reported, so random choices,
//! which are the same on every run, decide only how long it takes.

mod bivariate;
mod cantor_zassenhaus;
mod content;
mod degree_set;
mod dense;
mod family;
mod hensel;
mod leading_coefficient;
mod memory;
mod prime_field;
mod rational_roots;
mod residue;
mod screen;
mod sparse_hensel;
#[cfg(test)]
mod tests;
mod wang;
mod yun;
mod zassenhaus;

use crate::{Exhausted, Integer, Polynomial, Rational, SortedMap, Variable};
use content::{content_in, linear_variable, main_variable, parameters, quotient, split_monomial};
use family::Family;
pub use memory::Memory;
use prime_field::PrimeField;
use screen::Screen;
use zassenhaus::Split;

/// A polynomial as content · ∏ factorᵉ.
///
/// Each factor is primitive, not constant, and has a positive leading coefficient; the factors are
/// pairwise coprime and ascend by total degree. The product is the polynomial it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factorization {
    /// The content, with the sign of the leading coefficient.
    pub content: Integer,
    /// The factors with their multiplicities.
    pub factors: Vec<(Polynomial, u32)>,
    /// Whether every factor is known to be irreducible over ℚ; if not, all are square-free.
    pub complete: bool,
}

impl Factorization {
    /// The polynomial that was factored.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    pub fn product(&self) -> Result<Polynomial, Exhausted> {
        let mut product = Polynomial::integer(self.content.clone());
        for (factor, e) in &self.factors {
            product = product.mul(&factor.pow(*e)?)?;
        }
        Ok(product)
    }
}

impl Polynomial {
    /// The irreducible factors over ℚ.
    ///
    /// The factorization of zero has content 0 and no factors.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    ///
    /// ```
    /// use linnaeus_algebra::{Exhausted, Integer, Polynomial, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let [z, b] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
    /// let (f, g) = (&z - &Polynomial::one(), &z - &b);
    /// let factorization = f.pow(2)?.mul(&g)?.scale(&Integer::from(-6)).factor()?;
    /// assert_eq!(factorization.content, Integer::from(6));
    /// assert!(factorization.factors.contains(&(f, 2)));
    /// assert!(factorization.factors.contains(&(&b - &z, 1)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn factor(&self) -> Result<Factorization, Exhausted> {
        let separated = |p: Polynomial| {
            let mut found = Found::default();
            found.separate(p, 1).map(|()| found)
        };
        let found = match self.is_constant() {
            true => Found::default(),
            false => memory::kept(self.primitive_part(), separated)?,
        };
        Ok(found.into_factorization(self))
    }

    /// The square-free decomposition: one factor for each multiplicity that occurs.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    ///
    /// ```
    /// use linnaeus_algebra::{Exhausted, Polynomial, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let x = Polynomial::variable(Variable(0));
    /// let f = &x.pow(2)? - &Polynomial::one();
    /// assert_eq!(f.pow(3)?.mul(&x)?.square_free()?.factors, [(x, 1), (f, 3)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn square_free(&self) -> Result<Factorization, Exhausted> {
        let mut parts = SortedMap::new();
        if !self.is_constant() {
            decompose(self.primitive_part(), &mut parts)?;
        }
        let mut found = Found { complete: parts.is_empty(), ..Found::default() };
        for (e, part) in parts {
            found.push(part, e);
        }
        Ok(found.into_factorization(self))
    }

    /// The rational numbers r such that v = r makes the polynomial zero, ascending, with
    /// multiplicities; none for the zero polynomial.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    ///
    /// ```
    /// use linnaeus_algebra::{Exhausted, Integer, Polynomial, Rational, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let x = Polynomial::variable(Variable(0));
    /// let f = &x.scale(&Integer::from(2)) - &Polynomial::one();
    /// let half = Rational::from_parts(1.into(), 2u8.into());
    /// assert_eq!(f.pow(3)?.rational_roots(Variable(0))?, [(half, 3)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn rational_roots(&self, v: Variable) -> Result<Vec<(Rational, u32)>, Exhausted> {
        dense::affordable(self)?;
        let mut f = self.clone();
        for w in self.variables() {
            if w != v && !f.is_zero() {
                f = content_in(&f, w)?;
            }
        }
        if f.is_constant() {
            return Ok(Vec::new());
        }
        let mut roots = Vec::new();
        for (part, e) in yun::yun(&f.primitive_part(), v)? {
            let found = rational_roots::rational_roots(&dense::from_polynomial(&part, v))?;
            roots.extend(found.into_iter().map(|root| (root, e)));
        }
        roots.sort();
        Ok(roots)
    }

    /// Whether the polynomial is known to be an irreducible element of ℚ\[x₁, …, xₙ\]; constants
    /// are not.
    ///
    /// # Errors
    /// [`Exhausted`] when fuel runs out.
    ///
    /// ```
    /// use linnaeus_algebra::{Exhausted, Polynomial, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let x = Polynomial::variable(Variable(0));
    /// assert!((&x.pow(4)? + &Polynomial::one()).is_irreducible()?);
    /// assert!(!(&x.pow(4)? + &Polynomial::integer(4)).is_irreducible()?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_irreducible(&self) -> Result<bool, Exhausted> {
        let factorization = self.factor()?;
        Ok(factorization.complete && matches!(factorization.factors[..], [(_, 1)]))
    }
}

/// Collects the square-free decomposition of a primitive f by multiplicity.
fn decompose(f: Polynomial, parts: &mut SortedMap<u32, Polynomial>) -> Result<(), Exhausted> {
    let mut insert = |part: Polynomial, e: u32| -> Result<(), Exhausted> {
        let product = match parts.get(&e) {
            Some(other) => other.mul(&part)?,
            None => part,
        };
        parts.insert(e, product);
        Ok(())
    };
    let mut rest = f;
    while !rest.is_constant() {
        let (monomial, quotient_by_monomial) = split_monomial(&rest);
        for (v, e) in monomial {
            insert(Polynomial::variable(v), e)?;
        }
        if let Some(reduced) = quotient_by_monomial {
            rest = reduced;
            continue;
        }
        dense::affordable(&rest)?;
        let x = main_variable(&rest);
        let content = content_in(&rest, x)?;
        for (part, e) in yun::yun(&quotient(&rest, &content)?, x)? {
            insert(part.primitive_part(), e)?;
        }
        rest = content;
    }
    Ok(())
}

/// The factors found so far.
#[derive(Clone, Debug)]
struct Found {
    factors: Vec<(Polynomial, u32)>,
    complete: bool,
}

impl Default for Found {
    fn default() -> Self {
        Self { factors: Vec::new(), complete: true }
    }
}

impl Found {
    fn push(&mut self, factor: Polynomial, e: u32) {
        self.factors.push((factor, e));
    }

    /// Factors fᵉ for a primitive f: monomials and contents first, then square-free parts.
    fn separate(&mut self, f: Polynomial, e: u32) -> Result<(), Exhausted> {
        let (monomial, reduced) = split_monomial(&f);
        for (v, k) in monomial {
            self.push(Polynomial::variable(v), k * e);
        }
        let f = reduced.unwrap_or(f);
        if f.is_constant() {
            return Ok(());
        }
        if let Some(v) = linear_variable(&f) {
            // a·v + b with coprime a and b is irreducible.
            let content = content_in(&f, v)?;
            self.push(quotient(&f, &content)?.primitive_part(), e);
            return self.separate_content(content, e);
        }
        dense::affordable(&f)?;
        let x = main_variable(&f);
        let content = content_in(&f, x)?;
        if !content.is_constant() {
            self.separate(quotient(&f, &content)?.primitive_part(), e)?;
            return self.separate_content(content, e);
        }
        let parameters = parameters(&f, x);
        let family = Family::new(&f, x, &parameters);
        match look(&f, x, &parameters, &family)? {
            Screen::Irreducible => self.push(f, e),
            Screen::SquareFree => self.split(f, x, &parameters, &family, e)?,
            Screen::Unknown => {
                for (part, k) in yun::yun(&f, x)? {
                    self.separate_square_free(part.primitive_part(), x, k * e)?;
                }
            }
        }
        Ok(())
    }

    fn separate_content(&mut self, content: Polynomial, e: u32) -> Result<(), Exhausted> {
        if content.is_constant() { Ok(()) } else { self.separate(content.primitive_part(), e) }
    }

    /// Factors fᵉ for a square-free f primitive in x.
    fn separate_square_free(&mut self, f: Polynomial, x: Variable, e: u32) -> Result<(), Exhausted> {
        if linear_variable(&f).is_some() {
            return self.separate(f, e);
        }
        let parameters = parameters(&f, x);
        let family = Family::new(&f, x, &parameters);
        match look(&f, x, &parameters, &family)? {
            Screen::Irreducible => self.push(f, e),
            Screen::SquareFree | Screen::Unknown => self.split(f, x, &parameters, &family, e)?,
        }
        Ok(())
    }

    /// Factors fᵉ for a square-free f primitive in x, of degree at least 2 in every variable.
    fn split(
        &mut self,
        f: Polynomial,
        x: Variable,
        parameters: &[Variable],
        family: &Family,
        e: u32,
    ) -> Result<(), Exhausted> {
        let Split { factors, complete } = if parameters.is_empty() {
            let split = zassenhaus::zassenhaus(&dense::from_polynomial(&f, x))?;
            let factors = split.factors.iter().map(|g| dense::to_polynomial(g, x)).collect();
            Split { factors, complete: split.complete }
        } else {
            wang::wang(&f, x, parameters, family)?
        };
        self.complete &= complete;
        self.factors.extend(factors.into_iter().map(|factor| (factor, e)));
        Ok(())
    }

    /// Sorts, and gives the content the sign of the original.
    fn into_factorization(mut self, f: &Polynomial) -> Factorization {
        self.factors.sort_by(|(f, d), (g, e)| (f.total_degree(), f, d).cmp(&(g.total_degree(), g, e)));
        let negative = f.leading_coefficient() < Integer::ZERO;
        let content = if negative { -f.content() } else { f.content() };
        Factorization { content, factors: self.factors, complete: self.complete }
    }
}

/// [`screen::screen`], but univariate polynomials are only tested for square factors, as
/// [`zassenhaus`] looks at their images itself.
fn look(f: &Polynomial, x: Variable, parameters: &[Variable], family: &Family) -> Result<Screen, Exhausted> {
    if !parameters.is_empty() {
        return screen::screen(family, parameters.len());
    }
    let field = PrimeField::large().next().expect("there are large primes");
    let image = dense::reduce(&dense::from_polynomial(f, x), field);
    let square_free = image.len() == family.degree() + 1 && field.is_square_free(&image)?;
    Ok(if square_free { Screen::SquareFree } else { Screen::Unknown })
}
