//! Whether there is a solution at one random point of the given variables.

use super::residue::{MANY, Product, Residue};
use super::{Problem, limited};
use crate::{Exhausted, Polynomial, Rational, Variable};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More cases than this are not looked at, and more work is not done: the answer is then not known.
const CASES: usize = 64;
const FUEL: u64 = 500_000;

/// Whether a system with generic given variables may have a solution: the same question is asked modulo a prime, in the
/// closure of that field, with random residues in their place. A `false` is wrong only if the residues are zeros of some
/// polynomial of which they know nothing, for which the odds are its degree to 2⁶¹.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
///
/// ```
/// use linnaeus_algebra::solve::{Conditions, Problem, may_have_solution};
/// use linnaeus_algebra::{Polynomial, Variable};
/// let [p, x] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
/// let mut problem = Problem {
///     equations: vec![x.mul(&p).unwrap() - Polynomial::one(), x.clone() - Polynomial::one()],
///     unknowns: vec![Variable(1)],
///     given: vec![Variable(0)],
///     nonzero: vec![],
///     conditions: Conditions::Never,
/// };
/// assert!(!may_have_solution(&problem).unwrap());
/// problem.equations.pop();
/// assert!(may_have_solution(&problem).unwrap());
/// ```
pub fn may_have_solution(problem: &Problem) -> Result<bool, Exhausted> {
    Ok(limited(FUEL, || is_solvable(problem))?.unwrap_or(true))
}

fn is_solvable(problem: &Problem) -> Result<bool, Exhausted> {
    let place = |v: &Variable| problem.unknowns.iter().position(|u| u == v);
    let at =
        |list: &[Polynomial]| -> Option<Vec<Residue>> { list.iter().map(|p| Residue::at_random(p, &place)).collect() };
    // What has no room is not known.
    let (equations, nonzero) = (at(&problem.equations).ok_or(Exhausted)?, at(&problem.nonzero).ok_or(Exhausted)?);
    let mut open = vec![Case { equations, nonzero, units: [false; MANY], unknowns: problem.unknowns.len() }];
    for _ in 0..CASES {
        match open.pop() {
            None => return Ok(false),
            Some(case) => match case.step()? {
                Step::Split(cases) => open.extend(cases),
                Step::Solvable => return Ok(true),
            },
        }
    }
    Ok(true)
}

/// What became of a case.
enum Step {
    /// Cases that together have the same solutions, up to their values of unknowns that are eliminated.
    Split(Vec<Case>),
    Solvable,
}

/// What vanishes and what does not, at the random point.
#[derive(Clone)]
struct Case {
    equations: Vec<Residue>,
    nonzero: Vec<Residue>,
    /// Unknowns that do not vanish.
    units: [bool; MANY],
    unknowns: usize,
}

impl Case {
    /// Eliminates an unknown, or splits where a factor is an unknown; what is left is decided by a Gröbner basis.
    fn step(mut self) -> Result<Step, Exhausted> {
        if !self.tidy() {
            return Ok(Step::Split(Vec::new()));
        }
        if self.equations.is_empty() {
            return Ok(Step::Solvable);
        }
        if let Some((at, i, product)) = self.easiest() {
            let rest = self.equations.swap_remove(at).rest_beside(i);
            for p in self.equations.iter_mut().chain(&mut self.nonzero) {
                *p = p.substituted(i, &rest, &product)?;
            }
            if std::mem::take(&mut self.units[i]) {
                self.nonzero.push(rest);
            }
            return Ok(Step::Split(vec![self]));
        }
        let factor = |p: &Residue| p.content().unknowns().next();
        if let Some(i) = self.equations.iter().find_map(factor) {
            let zero = Residue::unknown(i).ok_or(Exhausted)?;
            let (mut vanishing, mut unit) = (self.clone(), self);
            vanishing.equations.push(zero);
            unit.units[i] = true;
            return Ok(Step::Split(vec![unit, vanishing]));
        }
        Ok(if self.is_contradictory()? { Step::Split(Vec::new()) } else { Step::Solvable })
    }

    /// Divides by what does not vanish; whether no contradiction is seen.
    fn tidy(&mut self) -> bool {
        loop {
            let units = self.units;
            for p in self.equations.iter_mut().chain(&mut self.nonzero) {
                *p = std::mem::take(p).normal(&units);
            }
            self.equations.retain(|p| !p.is_zero());
            if self.equations.iter().any(Residue::is_constant) || self.nonzero.iter().any(Residue::is_zero) {
                return false;
            }
            self.nonzero.retain(|p| !p.is_constant());
            for product in self.nonzero.iter().map(Residue::content) {
                product.unknowns().for_each(|i| self.units[i] = true);
            }
            if self.units == units {
                return true;
            }
        }
    }

    /// The shortest equation that gives an unknown by the others: its number, the unknown, and what that is multiplied by.
    fn easiest(&self) -> Option<(usize, usize, Product)> {
        let numbered = self.equations.iter().enumerate();
        let all =
            numbered.flat_map(|(at, p)| (0..self.unknowns).filter_map(move |i| Some((at, i, self.given_by(p, i)?))));
        all.min_by_key(|(at, i, product)| (self.equations[*at].terms.len(), product.unknowns().count(), *i))
    }

    /// By what an equation multiplies an unknown that it gives: it occurs once, with units beside it. A power that vanishes is
    /// the unknown that does.
    fn given_by(&self, p: &Residue, i: usize) -> Option<Product> {
        let mut with = p.terms.iter().filter(|(product, _)| product.exponent(i) > 0);
        let (product, _) = with.next().filter(|_| with.next().is_none())?;
        let is_power = p.terms.len() == 1 && product.unknowns().eq([i]);
        if is_power {
            return Some(Product::ONE);
        }
        let beside = product.without(i);
        (product.exponent(i) == 1 && beside.unknowns().all(|j| self.units[j])).then_some(beside)
    }

    /// Whether the equations, and an inverse for everything that does not vanish, generate 1: Buchberger's algorithm.
    fn is_contradictory(&self) -> Result<bool, Exhausted> {
        let mut ideal = self.equations.clone();
        for (p, i) in self.nonzero.iter().zip(self.unknowns..MANY) {
            ideal.push(Residue::inverse(p, i).ok_or(Exhausted)?);
        }
        ideal.sort_by(|p, q| q.lead().cmp(p.lead()));
        let mut basis: Vec<Residue> = Vec::new();
        let mut pairs: BinaryHeap<Reverse<(Product, usize, usize)>> = BinaryHeap::new();
        loop {
            let next = match ideal.pop() {
                Some(p) => p,
                None => {
                    let Some(Reverse((lcm, i, j))) = pairs.pop() else { return Ok(false) };
                    basis[i].cancelled(&basis[j], &lcm)?
                }
            };
            let next = next.reduced(basis.iter())?.normal(&self.units);
            if next.is_zero() {
                continue;
            }
            if next.is_constant() {
                return Ok(true);
            }
            let lead = *next.lead();
            // By Buchberger's criteria: what the new leading product divides properly, and what has nothing in common.
            pairs.retain(|Reverse((lcm, i, j))| {
                !lead.divides(lcm) || basis[*i].lead().lcm(&lead) == *lcm || basis[*j].lead().lcm(&lead) == *lcm
            });
            let new = basis.len();
            for (i, p) in basis.iter().enumerate() {
                let lcm = p.lead().lcm(&lead);
                if !p.lead().is_coprime(&lead) {
                    pairs.push(Reverse((lcm, i, new)));
                }
            }
            basis.push(next);
        }
    }
}

/// A number of 31 bits for a variable, always the same.
pub fn random_number(v: Variable) -> Rational {
    Rational::from(random_word(v) >> 33)
}

/// A word for a variable, always the same.
pub(super) fn random_word(v: Variable) -> u64 {
    let mut x = (u64::from(v.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
