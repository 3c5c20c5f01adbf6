//! Whether a linear combination of the equations shows at once that there is no solution.

use std::cmp::Reverse;

use super::Problem;
use super::residue::{PRIME, Product, Residue};
use crate::polynomial::multiply_mod;
use crate::rational_function::inverse_mod;
use crate::{Exhausted, Polynomial, Variable, spend};

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
    let place = |v: &Variable| problem.unknowns.iter().position(|u| u == v);
    let nonzero = Product::all_of(problem.nonzero.iter().filter_map(as_variable).filter_map(|v| place(&v)));
    let forbidden = |product: &Product| product.is_made_of(&nonzero);
    // What has no room is left out: what the others show is shown.
    let rows: Vec<_> = problem.equations.iter().filter_map(|p| Residue::at_random(p, &place)).collect();
    let mut columns: Vec<Product> = rows.iter().flat_map(|row| &row.terms).map(|(product, _)| *product).collect();
    // What must not vanish comes last, so that elimination leads to it.
    let rank_of = |product: &Product| (forbidden(product), Reverse(*product));
    columns.sort_unstable_by_key(rank_of);
    columns.dedup();
    spend((rows.len() * columns.len()) as u64)?;
    let dense = |row: &Residue| -> Vec<u64> {
        let mut dense = vec![0; columns.len()];
        for (product, c) in &row.terms {
            dense[columns.partition_point(|column| rank_of(column) < rank_of(product))] = *c;
        }
        dense
    };
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
