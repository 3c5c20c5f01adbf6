//! Whether there is a solution at one random point of the given variables.

use super::roles::Roles;
use super::step::{self, Step};
use super::{Case, Conditions, Problem, limited};
use crate::{Exhausted, Polynomial, Rational, Variable};

/// More cases than this are not looked at, and more work is not done: the answer is then not known.
const CASES: usize = 64;
const FUEL: u64 = 2_000_000;

/// Whether a system with generic given variables may have a solution: the same question is asked with
/// random numbers in their place. A `false` is wrong only if the numbers are zeros of some polynomial of
/// which they know nothing, for which the odds are its degree to 2³¹.
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
    let number = |v: Variable| (!problem.unknowns.contains(&v)).then(|| random_number(v));
    let at = |list: &[Polynomial]| -> Result<Vec<Polynomial>, Exhausted> {
        list.iter().map(|p| Ok(p.evaluate(&number)?.numerator().primitive_part())).collect()
    };
    let mut equations = at(&problem.equations)?;
    equations.retain(|p| !p.is_zero());
    if equations.iter().any(Polynomial::is_constant) {
        return Ok(false);
    }
    let there = Problem {
        equations,
        unknowns: problem.unknowns.clone(),
        given: Vec::new(),
        nonzero: at(&problem.nonzero)?,
        conditions: Conditions::Never,
    };
    let roles = Roles::new(&there);
    let mut open: Vec<Case> = Case::new(&there, &roles)?.into_iter().collect();
    for _ in 0..CASES {
        match open.pop() {
            None => return Ok(false),
            Some(case) => match step::step(case, &roles)? {
                Step::Split(cases) => open.extend(cases),
                Step::Solved(_) => return Ok(true),
            },
        }
    }
    Ok(true)
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
