//! Zippel's sparse modular algorithm over a prime field.
//!
//! R. Zippel, *Probabilistic algorithms for sparse polynomials*, EUROSAM 1979. Variables are
//! introduced one by one; the monomials found so far are taken to be all there are, and their new
//! coefficients found from images at powers of one point. The answer may be wrong when a
//! coefficient vanishes by accident; the caller certifies it.

use super::field::{PrimeField, Sample};
use super::modular::Trouble;
use super::table::{Powers, Residues};
use super::univariate::{Image, evaluate, image, product_of_linear};
use super::vandermonde::Vandermonde;
use crate::fuel::spend;

/// Points tried before the prime is given up.
const PATIENCE: usize = 16;

/// The two polynomials and the leading coefficient their gcd shall have.
pub(super) struct Triple {
    pub(super) a: Residues,
    pub(super) b: Residues,
    pub(super) lead: Residues,
}

impl Triple {
    fn evaluate_last(&self, field: PrimeField, value: u64) -> Triple {
        let [a, b, lead] = [&self.a, &self.b, &self.lead].map(|p| p.evaluate_last(field, value));
        Triple { a, b, lead }
    }

    fn len(&self) -> u64 {
        (self.a.len() + self.b.len() + self.lead.len()) as u64
    }
}

/// For each power of the main variable below the leading one, the monomials in the others.
pub(super) type Skeleton = Vec<Vec<Vec<u32>>>;

/// For each monomial of a skeleton its coefficient.
pub(super) type Coefficients = Vec<Vec<u64>>;

/// The gcd below its leading term: the monomials and their coefficients.
///
/// `bounds` holds the exact degree in the main variable, then bounds for the others.
pub(super) fn gcd(
    field: PrimeField,
    triple: Triple,
    bounds: &[u32],
    sample: &mut Sample,
) -> Result<(Skeleton, Coefficients), Trouble> {
    let others = bounds.len() - 1;
    let anchor: Vec<u64> = (0..others).map(|_| sample.point(field)).collect();
    // levels[k] knows the main variable and the first k others.
    let mut levels = vec![triple];
    for &value in anchor.iter().rev() {
        let last = levels.last().expect("not empty");
        spend(last.len())?;
        levels.push(last.evaluate_last(field, value));
    }
    levels.reverse();
    let bottom = Geometric::new(field, &levels[0], &[]).next(field, bounds)?;
    let mut skeleton: Skeleton = vec![vec![Vec::new()]; bounds[0] as usize];
    let mut coefficients: Coefficients = bottom.into_iter().map(|c| vec![c]).collect();
    coefficients.pop();
    for k in 0..others {
        let line = Line { field, bounds, level: &levels[k + 1], known: k };
        (skeleton, coefficients) = line.extend(&skeleton, &coefficients, anchor[k], sample)?;
    }
    Ok((skeleton, coefficients))
}

/// The coefficients of known monomials, from images at the powers of one point.
pub(super) fn interpolate(
    field: PrimeField,
    triple: &Triple,
    skeleton: &Skeleton,
    bounds: &[u32],
    sample: &mut Sample,
) -> Result<Coefficients, Trouble> {
    let (point, systems) = choose_point(field, skeleton, bounds.len() - 1, sample)?;
    solve(field, Geometric::new(field, triple, &point), &systems, bounds)
}

/// A point where the monomials of each group have distinct values, and the systems to solve there.
fn choose_point(
    field: PrimeField,
    skeleton: &Skeleton,
    variables: usize,
    sample: &mut Sample,
) -> Result<(Vec<u64>, Vec<Vandermonde>), Trouble> {
    for _ in 0..PATIENCE {
        let point: Vec<u64> = (0..variables).map(|_| sample.point(field)).collect();
        let value = |monomial: &Vec<u32>| {
            let powers = point.iter().zip(monomial);
            powers.fold(1, |product, (&x, &e)| field.mul(product, field.pow(x, e)))
        };
        let mut systems = Vec::with_capacity(skeleton.len());
        for group in skeleton {
            spend((group.len() * group.len()) as u64)?;
            match Vandermonde::new(field, group.iter().map(value).collect()) {
                Some(system) => systems.push(system),
                None => break,
            }
        }
        if systems.len() == skeleton.len() {
            return Ok((point, systems));
        }
    }
    Err(Trouble::Unlucky)
}

/// Takes as many images as the largest system needs and solves them all.
fn solve(
    field: PrimeField,
    mut images: Geometric,
    systems: &[Vandermonde],
    bounds: &[u32],
) -> Result<Coefficients, Trouble> {
    let needed = systems.iter().map(Vandermonde::len).max().unwrap_or(0);
    let mut values = vec![Vec::with_capacity(needed); systems.len()];
    for _ in 0..needed {
        let image = images.next(field, bounds)?;
        for (values, &value) in values.iter_mut().zip(&image) {
            values.push(value);
        }
    }
    spend(systems.iter().map(|s| (s.len() * s.len()) as u64).sum())?;
    Ok(systems.iter().zip(&values).map(|(system, values)| system.solve(values)).collect())
}

/// The images of a triple at the first, second, … power of a point.
struct Geometric {
    parts: [Progression; 3],
}

/// A polynomial whose terms are multiplied by their monomial's value at every step.
struct Progression {
    main: Vec<u32>,
    current: Vec<u64>,
    ratio: Vec<u64>,
    degree: u32,
}

impl Progression {
    fn new(field: PrimeField, p: &Residues, point: &[u64]) -> Self {
        let powers: Vec<Powers> =
            point.iter().enumerate().map(|(k, &x)| Powers::new(field, x, p.degree(k + 1))).collect();
        let value = |row: &[u32]| row[1..].iter().zip(&powers).fold(1, |v, (&e, x)| field.mul(v, x.get(e)));
        Progression {
            main: p.rows().map(|(row, _)| row[0]).collect(),
            current: p.rows().map(|(_, c)| c).collect(),
            ratio: p.rows().map(|(row, _)| value(row)).collect(),
            degree: p.degree(0),
        }
    }

    fn next(&mut self, field: PrimeField) -> Vec<u64> {
        let mut image = vec![0u64; self.degree as usize + 1];
        for ((c, &r), &e) in self.current.iter_mut().zip(&self.ratio).zip(&self.main) {
            *c = field.mul(*c, r);
            image[e as usize] += *c;
        }
        image.iter().map(|&c| field.reduce(c)).collect()
    }
}

impl Geometric {
    fn new(field: PrimeField, triple: &Triple, point: &[u64]) -> Self {
        let Triple { a, b, lead } = triple;
        Geometric { parts: [a, b, lead].map(|p| Progression::new(field, p, point)) }
    }

    fn next(&mut self, field: PrimeField, bounds: &[u32]) -> Result<Vec<u64>, Trouble> {
        spend(self.parts.iter().map(|p| p.current.len() as u64).sum())?;
        let [a, b, lead] = self.parts.each_mut().map(|p| p.next(field));
        match image(field, a, b, lead[0], bounds[0] as usize)? {
            Image::Good(image) => Ok(image),
            Image::Unlucky => Err(Trouble::Unlucky),
            Image::Lower(d) => Err(Trouble::Lower(d as u32)),
        }
    }
}

/// The step from `known` variables beside the main one to one more.
struct Line<'a> {
    field: PrimeField,
    bounds: &'a [u32],
    level: &'a Triple,
    known: usize,
}

impl Line<'_> {
    /// Interpolates every coefficient in the new variable, whose value at the anchor is known.
    fn extend(
        &self,
        skeleton: &Skeleton,
        coefficients: &Coefficients,
        anchor: u64,
        sample: &mut Sample,
    ) -> Result<(Skeleton, Coefficients), Trouble> {
        let field = self.field;
        let degree = self.bounds[self.known + 1] as usize;
        let (point, systems) = choose_point(field, skeleton, self.known, sample)?;
        let mut nodes = vec![anchor];
        let mut values = vec![coefficients.clone()];
        while nodes.len() <= degree {
            let node = sample.point(field);
            if nodes.contains(&node) {
                continue;
            }
            spend(self.level.len() + nodes.len() as u64)?;
            let images = Geometric::new(field, &self.level.evaluate_last(field, node), &point);
            values.push(solve(field, images, &systems, self.bounds)?);
            nodes.push(node);
        }
        let monomials: usize = skeleton.iter().map(Vec::len).sum();
        spend((nodes.len() as u64).pow(2) * (1 + monomials as u64))?;
        Ok(self.interpolated(skeleton, &nodes, &values))
    }

    fn interpolated(&self, skeleton: &Skeleton, nodes: &[u64], values: &[Coefficients]) -> (Skeleton, Coefficients) {
        let basis = lagrange(self.field, nodes);
        let mut grown = (Vec::new(), Vec::new());
        for (j, group) in skeleton.iter().enumerate() {
            let (mut monomials, mut coefficients) = (Vec::new(), Vec::new());
            for (t, monomial) in group.iter().enumerate() {
                for e in 0..nodes.len() {
                    let products = values.iter().zip(&basis);
                    let c = products.fold(0, |sum, (v, l)| self.field.add(sum, self.field.mul(v[j][t], l[e])));
                    if c != 0 {
                        monomials.push([monomial.as_slice(), &[e as u32]].concat());
                        coefficients.push(c);
                    }
                }
            }
            grown.0.push(monomials);
            grown.1.push(coefficients);
        }
        grown
    }
}

/// The Lagrange polynomials of the nodes, by ascending degree: quotients of one product.
fn lagrange(field: PrimeField, nodes: &[u64]) -> Vec<Vec<u64>> {
    let master = product_of_linear(field, nodes);
    let basis = |&node: &u64| {
        let mut quotient = vec![0; nodes.len()];
        let mut carry = 0;
        for i in (0..nodes.len()).rev() {
            carry = field.add(master[i + 1], field.mul(carry, node));
            quotient[i] = carry;
        }
        let inverse = field.inverse(evaluate(field, &quotient, node));
        quotient.into_iter().map(|c| field.mul(c, inverse)).collect()
    };
    nodes.iter().map(basis).collect()
}
