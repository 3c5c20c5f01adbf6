//! From gcds modulo primes to the gcd over ℤ, certified by division.

use dashu_int::ops::BitTest;

use super::brown::{self, Dense};
use super::field::{PrimeField, Sample, fields};
use super::table::Table;
use super::zippel::{self, Skeleton, Triple};
use crate::Integer;
use crate::fuel::{Exhausted, spend};
use crate::polynomial::{Polynomial, residue};
use crate::variables::Variable;

/// Why a prime gave no image.
pub(super) enum Trouble {
    /// The prime or the points were unlucky.
    Unlucky,
    /// The degree in the main variable is at most this, less than assumed.
    Lower(u32),
    /// The fuel ended.
    Exhausted,
}

impl From<Exhausted> for Trouble {
    fn from(Exhausted: Exhausted) -> Self {
        Trouble::Exhausted
    }
}

/// Failures after which the modular algorithms give up.
const PATIENCE: usize = 6;

/// From this many variables on, interpolation is sparse.
const SPARSE_VARIABLES: usize = 5;

/// A coefficient this small after the first prime is probably right.
const SMALL_BITS: usize = 22;

/// How the gcd modulo a prime is found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// Dense interpolation.
    Brown,
    /// Sparse interpolation.
    Zippel,
}

/// Two polynomials, primitive in the main variable, whose gcd is wanted.
pub(super) struct Problem<'a> {
    pub(super) a: &'a Polynomial,
    pub(super) b: &'a Polynomial,
    /// The gcd of the leading coefficients in the main variable.
    pub(super) lead: &'a Polynomial,
    /// All variables, the main one first.
    pub(super) order: Vec<Variable>,
    /// Bounds for the degrees of the gcd in these variables.
    pub(super) degrees: Vec<u32>,
}

impl Problem<'_> {
    /// The gcd; `None` when the primes tried were not lucky enough.
    ///
    /// What is reconstructed is the multiple of the gcd with leading coefficient `lead`, because
    /// its images are determined; its primitive part is the gcd.
    pub(super) fn solve(&self) -> Result<Option<Polynomial>, Exhausted> {
        self.solve_by(self.method())
    }

    pub(super) fn solve_by(&self, method: Method) -> Result<Option<Polynomial>, Exhausted> {
        let tables = [self.a, self.b, self.lead].map(|p| Table::new(p, &self.order));
        let mut bounds = self.degrees.clone();
        for (k, bound) in bounds.iter_mut().enumerate().skip(1) {
            *bound = bound.saturating_add(tables[2].degree(k));
        }
        let mut sample = Sample::new();
        let mut lift: Option<Lift> = None;
        let mut failures = 0;
        for field in fields().take(self.prime_limit()) {
            spend(self.a.size() + self.b.size())?;
            let skeleton = lift.as_ref().and_then(|l| l.skeleton.as_ref());
            match image(field, &tables, &bounds, method, skeleton, &mut sample) {
                Ok((skeleton, image)) => {
                    let next = Lift::extended(lift.take(), skeleton, &bounds, field, &image);
                    if next.is_plausible() {
                        if let Some(gcd) = self.certify(&next.polynomial(self, bounds[0]))? {
                            return Ok(Some(gcd));
                        }
                        failures += 1;
                        // A wrong skeleton never becomes right.
                        lift = if next.skeleton.is_some() { None } else { Some(next) };
                    } else {
                        lift = Some(next);
                    }
                }
                Err(Trouble::Exhausted) => return Err(Exhausted),
                Err(Trouble::Lower(0)) => return Ok(Some(Polynomial::one())),
                Err(Trouble::Lower(degree)) => {
                    bounds[0] = degree;
                    lift = None;
                }
                Err(Trouble::Unlucky) => failures += 1,
            }
            if failures >= PATIENCE {
                break;
            }
        }
        Ok(None)
    }

    /// Zippel's algorithm when Brown's arrays would have many variables or much room.
    fn method(&self) -> Method {
        let degrees = |p: &Polynomial| self.order.iter().map(|&v| p.degree_in(v)).collect();
        let sum: Vec<u32> = self.order.iter().zip(&self.degrees).map(|(&v, d)| d + self.lead.degree_in(v)).collect();
        let cells: [Vec<u32>; 3] = [degrees(self.a), degrees(self.b), sum];
        let room = cells.iter().fold(0usize, |room, d| room.saturating_add(Dense::cells(d)));
        let terms = self.a.term_count() + self.b.term_count();
        if self.order.len() >= SPARSE_VARIABLES || room > 32 * terms + 256 { Method::Zippel } else { Method::Brown }
    }

    /// The primes after which a right skeleton has certainly converged, by Gelfond's bound for the
    /// coefficients of factors, and some for bad luck.
    fn prime_limit(&self) -> usize {
        let bits = |p: &Polynomial| p.coefficients().map(|c| c.bit_len()).max().unwrap_or(0);
        let degrees: usize = self.degrees.iter().map(|&d| 2 * d as usize).sum();
        let size = 2 * bits(self.a).min(bits(self.b)) + degrees + 2 * bits(self.lead) + 64;
        size / 30 + 2 * PATIENCE
    }

    /// The primitive part of the candidate, if it divides both polynomials.
    fn certify(&self, candidate: &Polynomial) -> Result<Option<Polynomial>, Exhausted> {
        let main = self.order[0];
        let primitive = if self.lead.is_constant() {
            candidate.primitive_part()
        } else {
            super::content_and_part(candidate, main)?.1.primitive_part()
        };
        let divides = self.a.exact_divide(&primitive)?.is_some() && self.b.exact_divide(&primitive)?.is_some();
        Ok(divides.then_some(primitive))
    }
}

/// The gcd modulo one prime: for Zippel's algorithm the monomials, and the coefficients.
fn image(
    field: PrimeField,
    tables: &[Table; 3],
    bounds: &[u32],
    method: Method,
    skeleton: Option<&Skeleton>,
    sample: &mut Sample,
) -> Result<(Option<Skeleton>, Vec<u64>), Trouble> {
    let [a, b, lead] = tables.each_ref().map(|t| t.modulo(field));
    match (method, skeleton) {
        (Method::Brown, _) => {
            let degrees = |t: &Table| (0..bounds.len()).map(|k| t.degree(k)).collect::<Vec<_>>();
            let dense = |p, t| Dense::new(p, &degrees(t));
            let [a, b, lead] = [(&a, 0), (&b, 1), (&lead, 2)].map(|(p, i)| dense(p, &tables[i]));
            Ok((None, brown::gcd(field, &a, &b, &lead, bounds, sample)?))
        }
        (Method::Zippel, Some(skeleton)) => {
            let triple = Triple { a, b, lead };
            let image = zippel::interpolate(field, &triple, skeleton, bounds, sample)?;
            Ok((Some(skeleton.clone()), image.concat()))
        }
        (Method::Zippel, None) => {
            let (skeleton, image) = zippel::gcd(field, Triple { a, b, lead }, bounds, sample)?;
            Ok((Some(skeleton), image.concat()))
        }
    }
}

/// A gcd known modulo a product of primes.
struct Lift {
    /// For Zippel's algorithm the monomials below the leading one; the leading coefficient is known.
    skeleton: Option<Skeleton>,
    bounds: Vec<u32>,
    /// The product of the primes so far.
    modulus: Integer,
    /// Symmetric residues, in the order of the skeleton or of Brown's array.
    coefficients: Vec<Integer>,
    /// Did the last prime change nothing?
    stable: bool,
}

impl Lift {
    /// Garner's step: the smallest change that also fits the new residues.
    fn extended(
        lift: Option<Lift>,
        skeleton: Option<Skeleton>,
        bounds: &[u32],
        field: PrimeField,
        image: &[u64],
    ) -> Lift {
        let mut lift = lift.unwrap_or_else(|| Lift {
            skeleton,
            bounds: bounds.to_vec(),
            modulus: Integer::ONE,
            coefficients: vec![Integer::ZERO; image.len()],
            stable: false,
        });
        let p = field.prime();
        let inverse = field.inverse(residue(&lift.modulus, p));
        lift.stable = true;
        for (c, &r) in lift.coefficients.iter_mut().zip(image) {
            let digit = field.mul(field.sub(r, residue(c, p)), inverse);
            if digit != 0 {
                lift.stable = false;
                let symmetric = if digit > p / 2 { digit as i64 - p as i64 } else { digit as i64 };
                *c += &lift.modulus * Integer::from(symmetric);
            }
        }
        lift.modulus *= Integer::from(p);
        lift
    }

    /// Is it worth the divisions that would prove it?
    fn is_plausible(&self) -> bool {
        let first = self.modulus.bit_len() <= 31;
        self.stable || first && self.coefficients.iter().all(|c| c.bit_len() <= SMALL_BITS)
    }

    /// The polynomial with these coefficients.
    fn polynomial(&self, problem: &Problem, degree: u32) -> Polynomial {
        let mut coefficients = self.coefficients.iter();
        let mut terms = Vec::new();
        let mut push = |exponents: &[u32], c: &Integer| {
            let powers = problem.order.iter().copied().zip(exponents.iter().copied());
            terms.push((powers.filter(|&(_, e)| e > 0).collect(), c.clone()));
        };
        let Some(skeleton) = &self.skeleton else {
            for (i, c) in coefficients.enumerate().filter(|(_, c)| !c.is_zero()) {
                push(&digits(i, &self.bounds), c);
            }
            return Polynomial::from_terms(terms);
        };
        for (j, group) in skeleton.iter().enumerate() {
            for monomial in group {
                let c = coefficients.next().expect("one for each monomial");
                push(&[&[j as u32], monomial.as_slice()].concat(), c);
            }
        }
        let top = problem.lead.times_power(problem.order[0], degree);
        Polynomial::from_terms(terms) + top
    }
}

/// The exponents of the `index`-th cell of an array with these degrees.
fn digits(index: usize, degrees: &[u32]) -> Vec<u32> {
    let mut rest = index;
    let mut digit = |&d: &u32| {
        let side = d as usize + 1;
        let e = rest % side;
        rest /= side;
        e as u32
    };
    degrees.iter().map(&mut digit).collect()
}
