//! Brown's dense modular algorithm over a prime field.
//!
//! W. S. Brown, *On Euclid's algorithm and the computation of polynomial greatest common divisors*,
//! J. ACM 18 (1971). Variables are evaluated one by one, gcds taken of the images, and the result
//! interpolated. The leading coefficient is prescribed, so images need no further normalization.

use super::field::{PrimeField, Sample};
use super::modular::Trouble;
use super::table::Residues;
use super::univariate::{Image, evaluate, image, times_linear};
use crate::fuel::spend;

/// Unlucky points tolerated for one variable before the prime is given up.
const PATIENCE: usize = 16;

/// A polynomial as an array, the main variable's exponent running fastest.
pub(super) struct Dense {
    sides: Vec<usize>,
    cells: Vec<u64>,
}

impl Dense {
    /// The number of cells for these degrees.
    pub(super) fn cells(degrees: &[u32]) -> usize {
        degrees.iter().fold(1, |cells, &d| cells.saturating_mul(d as usize + 1))
    }

    pub(super) fn new(p: &Residues, degrees: &[u32]) -> Self {
        let sides: Vec<usize> = degrees.iter().map(|&d| d as usize + 1).collect();
        let mut cells = vec![0; Self::cells(degrees)];
        for (row, c) in p.rows() {
            let place = row.iter().zip(&sides).rev();
            cells[place.fold(0, |index, (&e, side)| index * side + e as usize)] = c;
        }
        Dense { sides, cells }
    }

    /// The polynomial with a value for the last variable, by Horner's rule on slabs.
    fn evaluate_last(&self, field: PrimeField, value: u64) -> Dense {
        let (_, sides) = self.sides.split_last().expect("a variable to evaluate");
        let slab = sides.iter().product();
        Dense { sides: sides.to_vec(), cells: horner(field, &self.cells, slab, value) }
    }
}

/// Σ slabᵢ · valueⁱ.
fn horner(field: PrimeField, cells: &[u64], slab: usize, value: u64) -> Vec<u64> {
    let mut sum = vec![0; slab];
    for coefficients in cells.chunks_exact(slab).rev() {
        for (s, &c) in sum.iter_mut().zip(coefficients) {
            *s = field.add(field.mul(*s, value), c);
        }
    }
    sum
}

/// The gcd of `a` and `b` with leading coefficient `lead` in the main variable, as an array of the
/// degrees `bounds`; the first bound is the exact degree in the main variable.
pub(super) fn gcd(
    field: PrimeField,
    a: &Dense,
    b: &Dense,
    lead: &Dense,
    bounds: &[u32],
    sample: &mut Sample,
) -> Result<Vec<u64>, Trouble> {
    let Some((&degree, inner)) = bounds.split_last().filter(|(_, inner)| !inner.is_empty()) else {
        let expected = bounds[0] as usize;
        let lead = lead.cells[0];
        return match image(field, a.cells.clone(), b.cells.clone(), lead, expected)? {
            Image::Good(gcd) => Ok(gcd),
            Image::Unlucky => Err(Trouble::Unlucky),
            Image::Lower(d) => Err(Trouble::Lower(d as u32)),
        };
    };
    let mut newton = Newton::new(field, Dense::cells(inner), degree as usize);
    let mut unlucky = 0;
    while !newton.is_complete() {
        spend((a.cells.len() + b.cells.len() + lead.cells.len() + newton.size()) as u64)?;
        let point = sample.point(field);
        if newton.nodes.contains(&point) {
            continue;
        }
        let [a, b, lead] = [a, b, lead].map(|p| p.evaluate_last(field, point));
        match gcd(field, &a, &b, &lead, inner, sample) {
            Ok(image) => newton.add(point, &image),
            Err(Trouble::Unlucky) if unlucky < PATIENCE => unlucky += 1,
            Err(trouble) => return Err(trouble),
        }
    }
    Ok(newton.sum)
}

/// Newton interpolation of a whole array in one more variable.
struct Newton {
    field: PrimeField,
    slab: usize,
    degree: usize,
    nodes: Vec<u64>,
    /// Π (y − node), by ascending degree.
    node_polynomial: Vec<u64>,
    sum: Vec<u64>,
}

impl Newton {
    fn new(field: PrimeField, slab: usize, degree: usize) -> Self {
        let sum = vec![0; slab * (degree + 1)];
        Newton { field, slab, degree, nodes: Vec::new(), node_polynomial: vec![1], sum }
    }

    fn is_complete(&self) -> bool {
        self.nodes.len() > self.degree
    }

    /// The cells touched by one step.
    fn size(&self) -> usize {
        2 * self.slab * (self.nodes.len() + 1)
    }

    fn add(&mut self, point: u64, image: &[u64]) {
        let field = self.field;
        let known = &self.sum[..self.slab * self.nodes.len()];
        let value = horner(field, known, self.slab, point);
        let scale = evaluate(field, &self.node_polynomial, point);
        let inverse = field.inverse(scale);
        let difference = |(&new, old)| field.mul(field.sub(new, old), inverse);
        let step: Vec<u64> = image.iter().zip(value).map(difference).collect();
        for (slab, &w) in self.sum.chunks_exact_mut(self.slab).zip(&self.node_polynomial) {
            for (s, &t) in slab.iter_mut().zip(&step) {
                *s = field.add(*s, field.mul(t, w));
            }
        }
        self.nodes.push(point);
        times_linear(field, &mut self.node_polynomial, point);
    }
}
