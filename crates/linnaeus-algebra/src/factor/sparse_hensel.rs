//! Sparse Hensel lifting, one parameter at a time, every step interpolated from bivariate liftings
//! (Chen and Monagan, *The complexity and parallel implementation of two sparse multivariate Hensel
//! lifting algorithms*, 2020).
//!
//! A factor that has the terms M in x, y₁, …, yⱼ₋₁ at yⱼ = a has, for almost every a, only terms
//! m·yⱼᵗ with m ∈ M. Their coefficients are found from as many liftings 𝔽_p\[x\] → 𝔽_p\[x, yⱼ\] at
//! the points (βˢ)ₛ as the largest coefficient in x has terms.

use super::bivariate::{Series, bivariate_lift, multiply_by_y};
use super::family::{Term, specialize_last};
use super::prime_field::{PrimeField, SplitMix};
use super::residue::{Residues, trim};
use crate::{Exhausted, spend};

/// A polynomial over 𝔽_p in x and some parameters, ascending.
pub(super) type Terms = Vec<Term<u64>>;

/// Find fᵢ ∈ 𝔽_p\[y\]\[x\] with ∏ fᵢ = `polynomial` · `cofactor`^`power`, the given leading
/// coefficients in x, and the given images at `point`.
#[derive(Debug)]
pub(super) struct Lifting {
    pub(super) field: PrimeField,
    pub(super) point: Vec<u64>,
    pub(super) polynomial: Terms,
    pub(super) cofactor: Terms,
    pub(super) power: usize,
    pub(super) leads: Vec<Terms>,
    pub(super) images: Vec<Residues>,
}

impl Lifting {
    /// The factors, unless the images do not come from any or the point was unlucky.
    pub(super) fn solve(&self) -> Result<Option<Vec<Terms>>, Exhausted> {
        let polynomial = self.stages(&self.polynomial)?;
        let cofactor = self.stages(&self.cofactor)?;
        let mut leads = Vec::with_capacity(self.leads.len());
        for lead in &self.leads {
            leads.push(self.stages(lead)?);
        }
        let mut numbers = SplitMix::new(self.field.characteristic());
        let mut factors: Vec<Terms> = self.images.iter().map(|u| constant_terms(u)).collect();
        for j in 1..=self.point.len() {
            let stage = Stage {
                field: self.field,
                beta: (1..j).map(|_| self.field.random(&mut numbers).max(2)).collect(),
                a: self.point[j - 1],
                polynomial: &polynomial[j],
                cofactor: &cofactor[j],
                power: self.power,
                leads: leads.iter().map(|lead| lead[j].as_slice()).collect(),
            };
            match stage.lift(&factors)? {
                Some(lifted) => factors = lifted,
                None => return Ok(None),
            }
        }
        Ok(Some(factors))
    }

    /// Entry j depends on y₁, …, yⱼ; the later parameters are at the point.
    fn stages(&self, terms: &Terms) -> Result<Vec<Terms>, Exhausted> {
        let mut stages = vec![terms.clone()];
        for &a in self.point.iter().rev() {
            let special = specialize_last(&stages[stages.len() - 1], a, self.field)?;
            stages.push(special);
        }
        stages.reverse();
        Ok(stages)
    }
}

fn constant_terms(u: &[u64]) -> Terms {
    let term = |(x, &c): (usize, &u64)| Term { x, y: Vec::new(), c };
    u.iter().enumerate().map(term).filter(|t| t.c != 0).collect()
}

/// The step from yⱼ = a to yⱼ.
struct Stage<'a> {
    field: PrimeField,
    beta: Vec<u64>,
    a: u64,
    polynomial: &'a [Term<u64>],
    cofactor: &'a [Term<u64>],
    power: usize,
    leads: Vec<&'a [Term<u64>]>,
}

impl Stage<'_> {
    fn lift(&self, factors: &[Terms]) -> Result<Option<Vec<Terms>>, Exhausted> {
        let skeletons: Vec<Skeleton> = factors.iter().map(|f| Skeleton::new(f)).collect();
        let count = skeletons.iter().map(Skeleton::largest).max().unwrap_or(1);
        let mut polynomial = Powers::new(self.field, self.polynomial, &self.beta);
        let mut cofactor = Powers::new(self.field, self.cofactor, &self.beta);
        let powers = |terms: &[Term<u64>]| Powers::new(self.field, terms, &self.beta);
        let mut leads: Vec<Powers> = self.leads.iter().map(|l| powers(l)).collect();
        let mut images: Vec<Powers> = factors.iter().map(|f| powers(f)).collect();
        let mut samples = Vec::with_capacity(count);
        for _ in 0..count {
            let mut target = polynomial.next()?;
            if self.power > 0 {
                let in_y = column(&cofactor.next()?);
                for _ in 0..self.power {
                    target = multiply_by_y(self.field, &target, &in_y);
                }
            }
            let mut lead_samples = Vec::with_capacity(leads.len());
            for lead in &mut leads {
                lead_samples.push(column(&lead.next()?));
            }
            let mut image_samples = Vec::with_capacity(images.len());
            for image in &mut images {
                image_samples.push(image.next()?.swap_remove(0));
            }
            let lifted = bivariate_lift(self.field, &target, &lead_samples, &image_samples, self.a)?;
            match lifted {
                Some(sample) => samples.push(sample),
                None => return Ok(None),
            }
        }
        let mut lifted = Vec::with_capacity(factors.len());
        for (i, skeleton) in skeletons.iter().enumerate() {
            let of_factor: Vec<&Series> = samples.iter().map(|s| &s[i]).collect();
            let mut terms = match skeleton.fill(self.field, &images[i].ratios, &of_factor)? {
                Some(terms) => terms,
                None => return Ok(None),
            };
            let top = |t: &Term<u64>| Term { x: skeleton.degree, y: t.y.clone(), c: t.c };
            terms.extend(self.leads[i].iter().map(top));
            lifted.push(terms);
        }
        Ok(Some(lifted))
    }
}

/// A polynomial in y alone as a list of coefficients.
fn column(f: &[Residues]) -> Residues {
    trim(f.iter().map(|row| row.first().copied().unwrap_or(0)).collect())
}

/// The values of a polynomial at y = β, β², β³, …, as polynomials in x and the parameter after
/// those that β covers.
struct Powers {
    field: PrimeField,
    /// The exponents of x and of the remaining parameter.
    places: Vec<(usize, usize)>,
    /// The values of the monomials at β.
    ratios: Vec<u64>,
    /// The values of the terms at the current point.
    values: Vec<u64>,
    shape: (usize, usize),
}

impl Powers {
    fn new(field: PrimeField, terms: &[Term<u64>], beta: &[u64]) -> Self {
        let place = |t: &Term<u64>| (t.x, t.y.get(beta.len()).map_or(0, |&e| e as usize));
        let value = |t: &Term<u64>| {
            let powers = beta.iter().zip(&t.y).filter(|(_, e)| **e > 0);
            powers.fold(1, |c, (&b, &e)| field.mul(c, field.pow(b, u64::from(e))))
        };
        let places: Vec<(usize, usize)> = terms.iter().map(place).collect();
        let x = places.iter().map(|p| p.0).max().unwrap_or(0);
        let y = places.iter().map(|p| p.1).max().unwrap_or(0);
        Self {
            field,
            places,
            ratios: terms.iter().map(value).collect(),
            values: terms.iter().map(|t| t.c).collect(),
            shape: (x + 1, y + 1),
        }
    }

    /// The value at the next power of β, the first one being β itself.
    fn next(&mut self) -> Result<Series, Exhausted> {
        spend(self.values.len() as u64 + 1)?;
        let mut value = vec![vec![0; self.shape.0]; self.shape.1];
        for ((c, &ratio), &(x, y)) in self.values.iter_mut().zip(&self.ratios).zip(&self.places) {
            *c = self.field.mul(*c, ratio);
            value[y][x] = self.field.add(value[y][x], *c);
        }
        Ok(value.into_iter().map(trim).collect())
    }
}

/// The terms a factor has at yⱼ = a, by their degree in x below the leading one.
struct Skeleton<'a> {
    degree: usize,
    /// For each degree in x, where its terms begin; one more entry for where they end.
    starts: Vec<usize>,
    terms: &'a [Term<u64>],
}

impl<'a> Skeleton<'a> {
    fn new(terms: &'a [Term<u64>]) -> Self {
        let degree = terms.last().map_or(0, |t| t.x);
        let starts = (0..=degree).map(|x| terms.partition_point(|t| t.x < x)).collect();
        Self { degree, starts, terms }
    }

    /// The most terms in one coefficient.
    fn largest(&self) -> usize {
        self.starts.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0).max(1)
    }

    /// The terms below the leading coefficient, from samples at β, β², …; `values` are the
    /// monomials at β. Fails if the samples do not fit.
    fn fill(&self, field: PrimeField, values: &[u64], samples: &[&Series]) -> Result<Option<Terms>, Exhausted> {
        let rows = samples.iter().map(|s| s.len()).max().unwrap_or(0);
        let mut terms = Vec::new();
        for x in 0..self.degree {
            let (start, end) = (self.starts[x], self.starts[x + 1]);
            let at = |sample: &Series, t: usize| sample.get(t).and_then(|row| row.get(x)).copied().unwrap_or(0);
            if start == end {
                if samples.iter().any(|s| (0..rows).any(|t| at(s, t) != 0)) {
                    return Ok(None);
                }
                continue;
            }
            let right: Vec<Vec<u64>> =
                (0..rows).map(|t| samples[..end - start].iter().map(|s| at(s, t)).collect()).collect();
            let Some(solutions) = transposed_vandermonde(field, &values[start..end], &right)? else {
                return Ok(None);
            };
            for (i, old) in self.terms[start..end].iter().enumerate() {
                for (t, solution) in solutions.iter().enumerate().filter(|(_, s)| s[i] != 0) {
                    let y = old.y.iter().copied().chain([t as u32]).collect();
                    terms.push(Term { x, y, c: solution[i] });
                }
            }
        }
        Ok(Some(terms))
    }
}

/// For each right side v the c with Σᵢ cᵢ zᵢˢ = vₛ for s = 1, …, n, if the nodes zᵢ are distinct
/// and nonzero (Zippel).
///
/// With Qᵢ = ∏_{k≠i} (z − zₖ) = Σ qₛ zˢ one has Σₛ qₛ vₛ₊₁ = cᵢ zᵢ Qᵢ(zᵢ).
fn transposed_vandermonde(
    field: PrimeField,
    nodes: &[u64],
    right: &[Vec<u64>],
) -> Result<Option<Vec<Vec<u64>>>, Exhausted> {
    let n = nodes.len();
    spend((n * n * (2 + right.len())) as u64)?;
    let linear = |z: u64| [field.neg(z), 1];
    let all = nodes.iter().fold(vec![1], |p: Residues, &z| field.product(&p, &linear(z)));
    let mut solutions = vec![vec![0; n]; right.len()];
    for (i, &z) in nodes.iter().enumerate() {
        let (q, _) = field.divide(&all, &linear(z));
        let at_node = q.iter().rev().fold(0, |value, &c| field.add(field.mul(value, z), c));
        let scale = field.mul(at_node, z);
        if scale == 0 {
            return Ok(None);
        }
        let inverse = field.inverse(scale);
        for (solution, v) in solutions.iter_mut().zip(right) {
            let sum = q.iter().zip(v).fold(0, |sum, (&q, &v)| field.add(sum, field.mul(q, v)));
            solution[i] = field.mul(sum, inverse);
        }
    }
    Ok(Some(solutions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vandermonde() {
        let field = PrimeField::new(101);
        let (nodes, c) = ([2, 3, 7], [5, 0, 11]);
        let v = |s| nodes.iter().zip(&c).fold(0, |sum, (&z, &c)| field.add(sum, field.mul(c, field.pow(z, s))));
        let right = vec![(1..=3).map(v).collect()];
        assert_eq!(transposed_vandermonde(field, &nodes, &right), Ok(Some(vec![c.to_vec()])));
        assert_eq!(transposed_vandermonde(field, &[2, 2, 7], &right), Ok(None));
    }
}
