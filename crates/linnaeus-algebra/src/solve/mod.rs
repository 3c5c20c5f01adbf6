//! Polynomial systems with parameters: all maximal families of solutions.
//!
//! Two families of algorithms H₁(p) and H₂(q) are the same exactly where some polynomials in p and
//! q vanish. [`solve`] expresses the unknowns q by the given p.
//!
//! | step | where |
//! |---|---|
//! | what is a unit, an unknown, a condition | `roles` |
//! | a locally closed set: equations, inequations, what is solved already | `case` |
//! | linear elimination, splitting on factors and on coefficients | `step` |
//! | what is linear in nothing: chains and pseudo-division | `triangular` |
//! | Gröbner bases and linear combinations over ℤ\[p\]\[q\] | `groebner` |
//! | square roots and the quadratic formula | `quadratic` |
//! | square roots of one root in the field of another | `tower` |
//! | from a solved case to branches | `branch` |
//! | the generic point of a branch; [`verify`] | `point` |
//! | a random point of the given variables; [`may_have_solution`] | `probe` |
//! | polynomials modulo a prime, at random residues | `residue` |
//! | linear combinations that show that there is none; [`is_refuted`] | `refuted` |
//! | which branch lies in the closure of which | `closure` |
//! | solutions in the closure of a branch that are not on it; [`exceptional`] | `exceptional` |
//!
//! The cases of a split exclude each other, so no solution family is found twice; and a family of
//! smaller dimension than Krull's theorem allows for a component is dropped as soon as its
//! dimension is known, because it lies in the closure of another.
//!
//! ```
//! use linnaeus_algebra::solve::{Conditions, Problem, Value, solve};
//! use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, Variable};
//! # fn main() -> Result<(), Exhausted> {
//! let [p, x, y] = [0, 1, 2].map(|i| Polynomial::variable(Variable(i)));
//! // x y = p and x + y = p + 1
//! let sum = &x + &y - &p - Polynomial::one();
//! let solution = solve(&Problem {
//!     equations: vec![x.mul(&y)? - p.clone(), sum],
//!     unknowns: vec![Variable(1), Variable(2)],
//!     given: vec![Variable(0)],
//!     nonzero: vec![],
//!     conditions: Conditions::Never,
//! })?;
//! let values = |i| solution.branches.iter().map(move |b| b.values[&Variable(i)].clone());
//! let [one, p] = [Polynomial::one(), p].map(|p| Value::Rational(RationalFunction::polynomial(p)));
//! assert!(values(1).eq([one.clone(), p.clone()]) && values(2).eq([p, one]));
//! # Ok(())
//! # }
//! ```

mod branch;
mod case;
mod closure;
mod exceptional;
mod groebner;
mod point;
mod probe;
mod quadratic;
mod refuted;
mod residue;
mod roles;
mod step;
mod tower;
mod triangular;

use crate::{Exhausted, Polynomial, RationalFunction, SortedMap, Variable, limited};
use case::Case;
use roles::Roles;
use step::Step;

pub use exceptional::exceptional;
pub use point::verify;
pub use probe::{may_have_solution, random_number};
pub use quadratic::{modulo_square, rational_root, split_square_integer};
pub use refuted::is_refuted;

/// The most cases that are looked at.
const CASES: usize = 4096;

/// The most work on one case before it is given up.
const CASE_FUEL: u64 = 200_000_000;

/// What is to be solved.
///
/// A variable that is neither unknown nor given is generic, like a given one that admits no
/// condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What must vanish.
    pub equations: Vec<Polynomial>,
    /// What is to be expressed. Equations are solved for the variable with the simplest
    /// coefficient; of equally simple ones the last is solved for, so that the first stay free.
    pub unknowns: Vec<Variable>,
    /// By what: generic, or as generic as the equations admit. Of equally simple choices, later
    /// ones are expressed by earlier ones.
    pub given: Vec<Variable>,
    /// What must not vanish.
    pub nonzero: Vec<Polynomial>,
    /// May the equations restrict the given variables?
    pub conditions: Conditions,
}

/// May the equations restrict the given variables?
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Conditions {
    /// The given variables are algebraically independent.
    Never,
    /// A solution may ask for conditions on the given variables.
    Allowed,
}

/// The value of a variable on a branch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A rational function.
    Rational(RationalFunction),
    /// a + b √radicand with b ≠ 0 and a radicand that is not a square and has no square factor.
    /// The other root is on another branch, whose b has the other sign.
    Root {
        /// The rational part.
        a: RationalFunction,
        /// The coefficient of the root.
        b: RationalFunction,
        /// What the root is taken of.
        radicand: Polynomial,
    },
}

/// A family of solutions.
///
/// Law: where `nonzero` does not vanish and `relations` do, the `conditions` and `values` make all
/// equations of the problem zero and none of its nonzero polynomials. [`verify`] checks it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The unknowns that are determined, by given and free variables.
    pub values: SortedMap<Variable, Value>,
    /// The unknowns that are arbitrary, up to `relations`.
    pub free: Vec<Variable>,
    /// The given variables that are forced, by the others.
    pub conditions: SortedMap<Variable, Value>,
    /// What must vanish besides and could not be solved for a variable by a rational function or a
    /// single square root.
    pub relations: Vec<Polynomial>,
    /// What must not vanish: irreducible and pairwise different, the factors of all denominators
    /// and of the problem's nonzero polynomials on this branch, without those that are a factor of
    /// such a polynomial as it stands.
    pub nonzero: Vec<Polynomial>,
}

impl Branch {
    /// The part of the branch where free variables have these values, by what stays free or is given.
    ///
    /// Nothing if it cannot be told: if something must not vanish and does, or if a relation holds such a variable, or a
    /// radicand that does not become a square.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    ///
    /// ```
    /// use linnaeus_algebra::solve::{Conditions, Problem, Value, solve};
    /// use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedMap, Variable};
    /// # fn main() -> Result<(), Exhausted> {
    /// let [p, x, y] = [0, 1, 2].map(|i| Polynomial::variable(Variable(i)));
    /// // x y = p
    /// let solution = solve(&Problem {
    ///     equations: vec![x.mul(&y)? - p.clone()],
    ///     unknowns: vec![Variable(1), Variable(2)],
    ///     given: vec![Variable(0)],
    ///     nonzero: vec![],
    ///     conditions: Conditions::Never,
    /// })?;
    /// let branch = &solution.branches[0];
    /// let free = branch.free[0];
    /// let at = |value: Polynomial| branch.at(&SortedMap::from_iter([(free, RationalFunction::polynomial(value))]));
    /// let other = Variable(3 - free.0);
    /// let found = at(p)?.expect("p is not zero");
    /// assert!(found.free.is_empty() && found.values[&other] == Value::Rational(RationalFunction::one()));
    /// assert!(at(Polynomial::zero())?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn at(&self, values: &SortedMap<Variable, RationalFunction>) -> Result<Option<Branch>, Exhausted> {
        let put = |v: Variable| values.get(&v).cloned();
        let is_put = |p: &Polynomial| p.variables().iter().any(|v| values.contains_key(v));
        if self.relations.iter().any(is_put) {
            return Ok(None);
        }
        let mut found = self.clone();
        for value in found.values.values_mut().chain(found.conditions.values_mut()) {
            let there = match value {
                Value::Rational(r) => r.substitute(&put)?.map(Value::Rational),
                Value::Root { a, b, radicand } => match (a.substitute(&put)?, b.substitute(&put)?) {
                    (Some(a), Some(b)) if b.is_zero() => Some(Value::Rational(a)),
                    (Some(a), Some(b)) if is_put(radicand) => match rational_square_root(radicand, &put)? {
                        Some(root) => Some(Value::Rational(a.add(&b.mul(&root)?)?)),
                        None => None,
                    },
                    (Some(a), Some(b)) => Some(Value::Root { a, b, radicand: radicand.clone() }),
                    _ => None,
                },
            };
            match there {
                Some(there) => *value = there,
                None => return Ok(None),
            }
        }
        found.nonzero.clear();
        for p in &self.nonzero {
            match RationalFunction::polynomial(p.clone()).substitute(&put)? {
                Some(r) if !r.is_zero() => found.keep_from_zero(r.numerator())?,
                _ => return Ok(None),
            }
        }
        for value in values.values() {
            found.keep_from_zero(value.denominator())?;
        }
        found.free.retain(|v| !values.contains_key(v));
        found.values.extend(values.iter().map(|(v, value)| (*v, Value::Rational(value.clone()))));
        Ok(Some(found))
    }

    /// Adds what must not vanish.
    ///
    /// # Errors
    /// [`Exhausted`] when the fuel ends.
    pub fn keep_from_zero(&mut self, p: &Polynomial) -> Result<(), Exhausted> {
        for (factor, _) in p.factor()?.factors {
            if !self.nonzero.contains(&factor) {
                self.nonzero.push(factor);
            }
        }
        Ok(())
    }
}

/// The square root of a polynomial with values put in, if that is a rational function.
fn rational_square_root(
    radicand: &Polynomial,
    put: &dyn Fn(Variable) -> Option<RationalFunction>,
) -> Result<Option<RationalFunction>, Exhausted> {
    let Some(there) = RationalFunction::polynomial(radicand.clone()).substitute(put)? else { return Ok(None) };
    match quadratic::square_root(&there.numerator().mul(there.denominator())?)? {
        Some(root) => RationalFunction::new(root, there.denominator().clone()),
        None => Ok(None),
    }
}

/// All maximal families of solutions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The branches, none in the closure of another: those with the fewest conditions first, then
    /// those with the most free unknowns, then the simplest.
    pub branches: Vec<Branch>,
    /// Whether every solution is in the closure of a branch and every unknown is solved for or
    /// arbitrary. Not so if a case was too large, or if an unknown is a root of higher degree or
    /// of nested square roots that may be real: then it is free and its equation is in `relations`.
    pub complete: bool,
}

/// All maximal families of solutions.
///
/// The branches are the components of the set of solutions without the zeros of the `nonzero`
/// polynomials: over the field of rational functions of the given variables, or, if conditions are
/// allowed, in the space of given and unknown variables. A solution at special values of the
/// parameters of a branch, where a denominator vanishes, is a limit of that branch and none of its
/// own: [`exceptional`] finds those.
///
/// # Errors
/// [`Exhausted`] when the fuel ends.
///
/// ```
/// use linnaeus_algebra::solve::{Conditions, Problem, solve};
/// use linnaeus_algebra::{Polynomial, Variable};
/// let [p, x] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
/// let mut problem = Problem {
///     equations: vec![x.mul(&p).unwrap(), x.square().unwrap() - Polynomial::one()],
///     unknowns: vec![Variable(1)],
///     given: vec![Variable(0)],
///     nonzero: vec![],
///     conditions: Conditions::Never,
/// };
/// assert!(solve(&problem).unwrap().branches.is_empty());
/// problem.conditions = Conditions::Allowed; // p = 0 and x = ±1
/// assert_eq!(solve(&problem).unwrap().branches.len(), 2);
/// ```
pub fn solve(problem: &Problem) -> Result<Solution, Exhausted> {
    let roles = Roles::new(problem);
    let mut complete = true;
    let mut solved = Vec::new();
    let mut open: Vec<Case> = Case::new(problem, &roles)?.into_iter().collect();
    let mut looked_at = 0;
    while let Some(case) = open.pop() {
        looked_at += 1;
        if looked_at > CASES {
            complete = false;
            break;
        }
        match limited(CASE_FUEL, || step::step(case, &roles))? {
            None => complete = false,
            Some(Step::Split(cases)) => open.extend(cases.into_iter().rev()),
            Some(Step::Solved(case)) => solved.push(case),
        }
    }
    let mut branches = Vec::new();
    for case in &solved {
        complete &= case.is_certain();
        for branch in branch::branches(case, problem, &roles)? {
            complete &= branch.free.iter().all(|v| !occurs(*v, &branch.relations)) || is_unreal(&branch)?;
            if verify(problem, &branch)? {
                branches.push(branch);
            } else {
                debug_assert!(!case.is_certain() || case.chain.len() > 1, "{branch:?}");
                complete = false;
            }
        }
    }
    let mut branches = closure::maximal(branches, &roles)?;
    branches.sort_by_cached_key(rank);
    Ok(Solution { branches, complete })
}

/// Whether what is left unsolved is known to have no real solution.
fn is_unreal(branch: &Branch) -> Result<bool, Exhausted> {
    for p in &branch.relations {
        if p.is_definite()? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn occurs(v: Variable, polynomials: &[Polynomial]) -> bool {
    polynomials.iter().any(|p| p.degree_in(v) > 0)
}

/// Sorts branches as [`Solution::branches`] promises.
fn rank(branch: &Branch) -> impl Ord + use<> {
    let free = |p: &&Polynomial| branch.free.iter().all(|&v| p.degree_in(v) == 0);
    let conditions = branch.conditions.len() + branch.relations.iter().filter(free).count();
    let all = || branch.conditions.values().chain(branch.values.values());
    let size: usize = all().map(Value::size).sum();
    let values: Vec<Value> = all().cloned().collect();
    let free = std::cmp::Reverse(branch.free.len());
    (conditions, free, size, values, branch.relations.clone())
}

impl Value {
    /// The number of terms.
    fn size(&self) -> usize {
        match self {
            Value::Rational(f) => f.term_count(),
            Value::Root { a, b, radicand } => a.term_count() + b.term_count() + radicand.term_count(),
        }
    }

    /// The variables that occur.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables = match self {
            Value::Rational(f) => f.variables(),
            Value::Root { a, b, radicand } => [a.variables(), b.variables(), radicand.variables()].concat(),
        };
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The denominators.
    fn denominators(&self) -> Vec<&Polynomial> {
        match self {
            Value::Rational(f) => vec![f.denominator()],
            Value::Root { a, b, .. } => vec![a.denominator(), b.denominator()],
        }
    }
}
