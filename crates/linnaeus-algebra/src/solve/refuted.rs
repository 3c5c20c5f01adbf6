//! Whether a linear combination of the equations shows at once that there is no solution.

use std::cmp::Reverse;

use super::Problem;
use super::probe::random_word;
use crate::polynomial::{multiply_mod, power_mod, residue};
use crate::rational_function::inverse_mod;
use crate::{Exhausted, Polynomial, Variable, spend};

/// The prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

/// A product of powers of unknowns, a byte for each exponent.
type Product = u128;

/// The most unknowns, and the largest exponent, that a product has room for.
const MANY: usize = 16;
const LARGE: u32 = 255;

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
    let mask = |i: usize| Product::from(LARGE) << (8 * i);
    let nonzero = problem.nonzero.iter().filter_map(as_variable).filter_map(|v| place(&v));
    let free: Product = nonzero.filter(|i| *i < MANY).map(mask).fold(0, |all, m| all | m);
    let forbidden = |product: &Product| product & !free == 0;
    // What has no room is left out: what the others show is shown.
    let rows: Vec<_> = problem.equations.iter().filter_map(|p| at_random(p, &place)).collect();
    let mut columns: Vec<Product> = rows.iter().flatten().map(|(product, _)| *product).collect();
    let degree = |product: &Product| product.to_le_bytes().iter().map(|e| u32::from(*e)).sum::<u32>();
    // What must not vanish comes last, so that elimination leads to it.
    columns.sort_unstable_by_key(|product| (forbidden(product), Reverse(degree(product)), *product));
    columns.dedup();
    spend((rows.len() * columns.len()) as u64)?;
    let dense = |row: &Vec<(Product, u64)>| -> Vec<u64> {
        let at = |c: &Product| row.binary_search_by_key(c, |(product, _)| *product).map_or(0, |i| row[i].1);
        columns.iter().map(at).collect()
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

/// A polynomial by products of unknowns, ascending; nothing if one has no room.
fn at_random(p: &Polynomial, place: &dyn Fn(&Variable) -> Option<usize>) -> Option<Vec<(Product, u64)>> {
    let places: Vec<Result<usize, u64>> =
        p.variables().iter().map(|v| place(v).ok_or_else(|| random_word(*v) % PRIME)).collect();
    let mut row = Vec::with_capacity(p.term_count());
    for t in 0..p.term_count() {
        let (mut product, mut value) = (0, residue(p.coefficient(t), PRIME));
        for (i, place) in places.iter().enumerate() {
            match (p.exponent(t, i), place) {
                (0, _) => {}
                (e, Ok(at)) if *at < MANY && e <= LARGE => product |= Product::from(e) << (8 * at),
                (_, Ok(_)) => return None,
                (e, Err(x)) => value = multiply_mod(value, power_mod(*x, e, PRIME), PRIME),
            }
        }
        row.push((product, value));
    }
    row.sort_unstable_by_key(|(product, _)| *product);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = (kept.1 + next.1) % PRIME;
        }
        same
    });
    Some(row)
}
