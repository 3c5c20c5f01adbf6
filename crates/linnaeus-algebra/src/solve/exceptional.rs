//! Solutions that a branch leaves out because something vanishes there by which its values are divided.

use super::closure::Closure;
use super::roles::Roles;
use super::{Branch, Problem, limited, solve};
use crate::Exhausted;

/// The work on what one polynomial leaves out.
const FUEL: u64 = 200_000;

/// More factors than this have too many zeros to be told.
const FACTORS: usize = 8;

/// The families of solutions in the closure of a branch that are not on it, nor on any of those that are known.
///
/// `x y = (a − 1)(b − 1)` is solved by x = (a − 1)(b − 1)/y where y ≠ 0, and where y is zero by a = 1 or b = 1. What
/// takes too much work is left out.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
///
/// ```
/// use linnaeus_algebra::solve::{Conditions, Problem, exceptional, solve};
/// use linnaeus_algebra::{Exhausted, Polynomial, Variable};
/// # fn main() -> Result<(), Exhausted> {
/// let [a, b, x, y] = [0, 1, 2, 3].map(|i| Polynomial::variable(Variable(i)));
/// let (a1, b1) = (&a - &Polynomial::one(), &b - &Polynomial::one());
/// let problem = Problem {
///     equations: vec![&x.mul(&y)? - &a1.mul(&b1)?],
///     unknowns: vec![],
///     given: [0, 1, 2, 3].map(Variable).to_vec(),
///     nonzero: vec![],
///     conditions: Conditions::Allowed,
/// };
/// let branches = solve(&problem)?.branches;
/// assert_eq!(branches.len(), 1);
/// assert_eq!(exceptional(&problem, &branches[0], &branches)?.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn exceptional(problem: &Problem, of: &Branch, known: &[Branch]) -> Result<Vec<Branch>, Exhausted> {
    let roles = Roles::new(problem);
    let zeros: Vec<_> = of.nonzero.iter().filter(|p| !roles.is_unit(p)).collect();
    let mut found: Vec<Branch> = Vec::new();
    if zeros.len() > FACTORS {
        return Ok(found);
    }
    let own = Closure::new(of, &roles)?.equations;
    for zero in zeros {
        let equations = problem.equations.iter().chain(&own).chain([zero]).cloned().collect();
        let limit = Problem { equations, ..problem.clone() };
        let Some(solution) = limited(FUEL, || solve(&limit))? else { continue };
        for branch in solution.branches {
            let mut is_new = true;
            for other in known.iter().chain(&found) {
                is_new = is_new && !Closure::new(other, &roles)?.has(&branch, other, &roles)?;
            }
            if is_new {
                found.push(branch);
            }
        }
    }
    Ok(found)
}
