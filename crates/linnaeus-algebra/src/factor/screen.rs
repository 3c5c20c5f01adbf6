//! Cheap certificates from images over small prime fields.

use super::cantor_zassenhaus::distinct_degree;
use super::degree_set::DegreeSet;
use super::family::Family;
use super::prime_field::{PrimeField, SplitMix};
use crate::Exhausted;

/// What images of f(x, y) at random points show about f, primitive in x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Screen {
    /// The degrees of the factors of some images admit no factor of f.
    Irreducible,
    /// An image of full degree is square-free, hence so is f.
    SquareFree,
    /// No image was square-free.
    Unknown,
}

/// Looks at a few images of full degree in x.
///
/// If f = g·h then both have positive degree in x, f being primitive, and an image that keeps the
/// degree of f keeps those of g and h. Modulo p there is no growth of coefficients, so this is the
/// fastest way to recognize the most frequent case, that f is irreducible.
pub(super) fn screen(family: &Family, parameters: usize) -> Result<Screen, Exhausted> {
    let n = family.degree();
    if n == 1 {
        return Ok(Screen::Irreducible);
    }
    let mut degrees = DegreeSet::all(n);
    let mut numbers = SplitMix::new(n as u64);
    let (mut good, mut bad) = (0, 0);
    for field in PrimeField::from(30_000) {
        let point: Vec<u64> = (0..parameters).map(|_| field.random(&mut numbers)).collect();
        let image = field.monic(&family.residue(field, &point)?);
        if image.len() <= n || !field.is_square_free(&image)? {
            bad += 1;
            if bad > 2 {
                break;
            }
            continue;
        }
        degrees.restrict(&distinct_degree(field, &image)?);
        if degrees.proves_irreducible() {
            return Ok(Screen::Irreducible);
        }
        good += 1;
        if good == 3 + (n / 2).min(4) {
            break;
        }
    }
    Ok(if good > 0 { Screen::SquareFree } else { Screen::Unknown })
}
