//! Whether a linear combination of the equations shows at once that there is no solution.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Problem;
use super::probe::random_word;
use crate::polynomial::{multiply_mod, power_mod, residue};
use crate::rational_function::inverse_mod;
use crate::{Exhausted, Polynomial, Variable, spend};

/// The prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

/// A product of powers of unknowns.
type Product = Vec<(Variable, u32)>;

/// Whether some linear combination of the equations, with coefficients in all variables but the
/// unknowns, is 1 or a product of unknowns that must not vanish. This is asked modulo a prime, with
/// random residues in place of all variables but the unknowns: a product that lies in the span of
/// the equations there and not in general is a zero of some minor, for which the odds are its
/// degree to 2⁶¹. Given variables must not be restricted.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
///
/// ```
/// use linnaeus_algebra::solve::{Conditions, Problem, is_refuted};
/// use linnaeus_algebra::{Polynomial, Variable};
/// let [p, x] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
/// let mut problem = Problem {
///     equations: vec![x.mul(&p).unwrap() - Polynomial::one(), x.clone() - Polynomial::one()],
///     unknowns: vec![Variable(1)],
///     given: vec![Variable(0)],
///     nonzero: vec![],
///     conditions: Conditions::Never,
/// };
/// assert_eq!(is_refuted(&problem), Ok(true));
/// problem.equations = vec![x.clone()];
/// assert_eq!(is_refuted(&problem), Ok(false));
/// problem.nonzero = vec![x];
/// assert_eq!(is_refuted(&problem), Ok(true));
/// ```
pub fn is_refuted(problem: &Problem) -> Result<bool, Exhausted> {
    let nonzero: BTreeSet<Variable> = problem.nonzero.iter().filter_map(as_variable).collect();
    let forbidden = |product: &Product| product.iter().all(|(v, _)| nonzero.contains(v));
    let rows: Vec<BTreeMap<Product, u64>> = problem.equations.iter().map(|p| at_random(p, problem)).collect();
    let mut columns: Vec<&Product> =
        rows.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>().into_iter().collect();
    // What must not vanish comes last, so that elimination leads to it.
    columns.sort_by_key(|product| (forbidden(product), Reverse(product.iter().map(|(_, e)| *e).sum::<u32>())));
    spend((rows.len() * columns.len()) as u64)?;
    let dense = |row: &BTreeMap<Product, u64>| columns.iter().map(|c| row.get(*c).copied().unwrap_or(0)).collect();
    let mut rows: Vec<Vec<u64>> = rows.iter().map(dense).collect();
    let mut rank = 0;
    for (j, column) in columns.iter().enumerate() {
        let Some(pivot) = (rank..rows.len()).find(|i| rows[*i][j] != 0) else { continue };
        spend((rows.len() * (columns.len() - j)) as u64)?;
        rows.swap(rank, pivot);
        let (lead, rest) = rows[rank..].split_first_mut().expect("it holds the pivot");
        if forbidden(column) && lead[j + 1..].iter().all(|x| *x == 0) {
            return Ok(true);
        }
        let scale = inverse_mod(lead[j], PRIME);
        for row in rest.iter_mut().filter(|row| row[j] != 0) {
            let factor = PRIME - multiply_mod(row[j], scale, PRIME);
            for (x, l) in row[j..].iter_mut().zip(&lead[j..]).filter(|(_, l)| **l != 0) {
                *x = (*x + multiply_mod(factor, *l, PRIME)) % PRIME;
            }
        }
        rank += 1;
    }
    Ok(false)
}

/// The variable that a polynomial is, up to a factor.
fn as_variable(p: &Polynomial) -> Option<Variable> {
    let [v] = p.variables()[..] else { return None };
    (p.primitive_part() == Polynomial::variable(v)).then_some(v)
}

/// A polynomial by products of unknowns.
fn at_random(p: &Polynomial, problem: &Problem) -> BTreeMap<Product, u64> {
    let mut row: BTreeMap<Product, u64> = BTreeMap::new();
    for (powers, c) in p.terms() {
        let (unknown, others): (Product, Product) = powers.into_iter().partition(|(v, _)| problem.unknowns.contains(v));
        let mut value = residue(c, PRIME);
        for (v, e) in others {
            value = multiply_mod(value, power_mod(random_word(v) % PRIME, e, PRIME), PRIME);
        }
        let sum = row.entry(unknown).or_default();
        *sum = (*sum + value) % PRIME;
    }
    row
}
