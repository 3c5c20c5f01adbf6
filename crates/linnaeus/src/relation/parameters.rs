//! For which parameters two transfer matrices agree.

use super::behavior::Behavior;
use super::hypothesis::{Hypothesis, Pairing, boxed};
use super::operators::{OperatorMap, map_of};
use crate::system::Z;
use linnaeus_algebra::solve::{
    Branch, Conditions, Problem, Solution, exceptional, is_refuted, may_have_solution, solve,
};
use linnaeus_algebra::{Exhausted, Matrix, Polynomial, RationalFunction, SortedSet, Variable};

/// One comparison: the sought behavior's parameters are to be chosen such that it equals the given
/// one, for all values of the universal symbols.
#[derive(Copy, Clone)]
pub struct Question<'a> {
    /// Its parameters are generic.
    pub given: &'a Behavior,
    /// In the given one's oracles and channel order; its parameters are unknown.
    pub sought: &'a Behavior,
    /// How channels are paired; in the given one's order.
    pub hypothesis: &'a Hypothesis,
    /// The oracles of the sought one before it was written in others, in the given one's order.
    pub steps: &'a [RationalFunction],
    /// m.
    pub shift: &'a [i64],
    /// How the operators correspond; its coefficients are unknown like the sought one's parameters.
    pub operators: &'a OperatorMap,
    /// What must vanish besides.
    pub also: &'a [Polynomial],
    /// What is asked of constant vectors.
    pub constants: Constants,
    /// Symbols for which everything must hold identically, besides z.
    pub universal: &'a [Variable],
}

/// Symbols of operators at another place.
const ELSEWHERE: u32 = 10_000_000;

/// Whether the n-th constants of both sides must act alike.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Constants {
    /// No: their influence is judged afterwards.
    Any,
    /// On every query at all times.
    Alike,
    /// On every query in the long run, whatever the initial states.
    Eventually,
}

impl Question<'_> {
    /// The polynomials that must vanish; nothing if an entry can never agree.
    pub fn equations(&self) -> Result<Option<Vec<Polynomial>>, Exhausted> {
        let mut found: SortedSet<Polynomial> = self.also.iter().cloned().collect();
        let p = self.given.ports.len();
        for (i, j) in (0..p).flat_map(|i| (0..p).map(move |j| (i, j))) {
            match self.entry(i, j)? {
                Some(equations) => found.extend(equations),
                None => return Ok(None),
            }
        }
        if self.constants != Constants::Any && !self.compare_constants(&mut found)? {
            return Ok(None);
        }
        for i in 0..p {
            found.extend(self.step(i)?);
            found.extend(self.map(i)?);
        }
        found.remove(&Polynomial::zero());
        Ok(Some(found.into_iter().collect()))
    }

    /// What must vanish for one entry to agree; nothing if it can never agree.
    pub fn entry(&self, i: usize, j: usize) -> Result<Option<SortedSet<Polynomial>>, Exhausted> {
        let mut found = SortedSet::new();
        let by = self.shift[j] - self.shift[i];
        let possible = compare(&self.given.h[(i, j)], &self.sought.h[(i, j)], by, self.universal, &mut found)?;
        found.remove(&Polynomial::zero());
        Ok(possible.then_some(found))
    }

    /// What must vanish for the steps of a pair of oracles to agree, where they must.
    pub fn step(&self, i: usize) -> Result<SortedSet<Polynomial>, Exhausted> {
        let mut found = SortedSet::new();
        if self.hypothesis.pairings[i] == Pairing::Same && self.given.ports[i].oracle.kind.has_step() {
            compare(&self.given.ports[i].oracle.step, &self.steps[i], 0, &[], &mut found)?;
        }
        let (ours, theirs) = (&self.given.ports, &self.sought.ports);
        for (l, _) in boxed(&self.hypothesis.pairings, ours, theirs).filter(|(_, j)| *j == i) {
            compare(&ours[l].oracle.step, &ours[i].oracle.step, 0, &[], &mut found)?;
            compare(&self.steps[l], &self.steps[i], 0, &[], &mut found)?;
        }
        found.remove(&Polynomial::zero());
        Ok(found)
    }

    /// What must vanish for the linear maps inside a pair of argmins to agree, where both texts tell them.
    pub fn map(&self, i: usize) -> Result<SortedSet<Polynomial>, Exhausted> {
        let mut found = SortedSet::new();
        let maps = map_of(&self.given.ports[i]).zip(map_of(&self.sought.ports[i]));
        if let Some((ours, theirs)) = maps.filter(|_| self.hypothesis.pairings[i] == Pairing::Same) {
            compare(&ours, &theirs, 0, self.universal, &mut found)?;
        }
        found.remove(&Polynomial::zero());
        Ok(found)
    }

    fn compare_constants(&self, found: &mut SortedSet<Polynomial>) -> Result<bool, Exhausted> {
        let (g, h) = (&self.given.constants, &self.sought.constants);
        let zero = RationalFunction::zero();
        for i in 0..self.given.ports.len() {
            for j in 0..g.cols().max(h.cols()) {
                let entry = |m: &Matrix<RationalFunction>| if j < m.cols() { m[(i, j)].clone() } else { zero.clone() };
                let agree = match self.constants {
                    Constants::Eventually => compare_at_one(&entry(g), &entry(h), self.universal, found)?,
                    _ => compare(&entry(g), &entry(h), 0, self.universal, found)?,
                };
                if !agree {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// All parameters of the sought one that make them agree.
    pub fn solve(&self, conditions: Conditions) -> Result<Option<Solution>, Exhausted> {
        let Some(equations) = self.equations()? else {
            return Ok(None);
        };
        self.solve_for(equations, conditions)
    }

    /// The same with none where a linear combination of the equations shows that there are none.
    pub fn solve_unless_refuted(&self) -> Result<Option<Solution>, Exhausted> {
        match self.posed()? {
            Some(problem) if is_possible(&problem)? => solve(&problem).map(Some),
            _ => Ok(None),
        }
    }

    /// Whether there are any, as far as a random point tells.
    pub fn may_have_solution(&self) -> Result<bool, Exhausted> {
        self.posed()?.as_ref().map_or(Ok(false), is_possible)
    }

    /// Whether operators of the sought one may be functions of the given ones that no equation says, as far as
    /// random points tell. A function has a value wherever these are; parameters are the same at all places.
    pub fn may_have_root(&self, given: &[Variable], sought: &[Variable]) -> Result<bool, Exhausted> {
        let Some(mut problem) = self.posed()? else { return Ok(false) };
        let is_moved = |v: Variable| sought.contains(&v) || given.contains(&v);
        let there = |v: Variable| if is_moved(v) { Variable(v.0 + ELSEWHERE) } else { v };
        for list in [&mut problem.equations, &mut problem.nonzero] {
            let moved: Vec<Polynomial> = list.iter().map(|p| p.rename(&there)).collect();
            list.extend(moved);
        }
        problem.unknowns.extend(sought.iter().map(|v| there(*v)));
        is_possible(&problem)
    }

    /// The numbers that the sought operators are where all spaces are lines and the given operators are any numbers.
    pub fn on_a_line(&self, given: &[Variable]) -> Result<Option<Solution>, Exhausted> {
        let Some(mut problem) = self.posed()? else { return Ok(None) };
        problem.given.extend(given);
        solve(&problem).map(Some)
    }

    /// Everything must hold for all that is given; nothing if it never does.
    fn posed(&self) -> Result<Option<Problem>, Exhausted> {
        Ok(self.equations()?.map(|equations| self.problem(equations, Conditions::Never)).transpose()?.flatten())
    }

    /// All parameters of the sought one for which some polynomials vanish; nothing if one never does.
    pub fn solve_for(&self, equations: Vec<Polynomial>, conditions: Conditions) -> Result<Option<Solution>, Exhausted> {
        self.problem(equations, conditions)?.as_ref().map(solve).transpose()
    }

    /// The solutions in the closure of a branch that are neither on it nor on those that are known.
    pub fn exceptional(&self, conditions: Conditions, of: &Branch, known: &[Branch]) -> Result<Vec<Branch>, Exhausted> {
        let equations = self.equations()?.unwrap_or_default();
        match self.problem(equations, conditions)? {
            Some(problem) => exceptional(&problem, of, known),
            None => Ok(Vec::new()),
        }
    }

    fn problem(&self, equations: Vec<Polynomial>, conditions: Conditions) -> Result<Option<Problem>, Exhausted> {
        if equations.iter().any(Polynomial::is_constant) {
            return Ok(None);
        }
        let mut nonzero: SortedSet<Polynomial> =
            self.sought.nonzero.iter().chain(self.given.nonzero.iter()).cloned().collect();
        nonzero.extend(self.operators.nonzero.iter().map(|v| Polynomial::variable(*v)));
        for h in [&self.sought.h, &self.given.h] {
            for i in 0..h.rows() {
                for e in h.row(i) {
                    nonzero.insert(content(e.denominator(), self.universal)?);
                }
            }
        }
        nonzero.retain(|p| !p.is_constant());
        Ok(Some(Problem {
            equations,
            unknowns: self.sought.parameters.iter().chain(&self.operators.unknowns).copied().collect(),
            given: self.given.parameters.clone(),
            nonzero: nonzero.into_iter().collect(),
            conditions,
        }))
    }
}

fn is_possible(problem: &Problem) -> Result<bool, Exhausted> {
    Ok(!is_refuted(problem)? && may_have_solution(problem)?)
}

/// Adds the coefficients of g − z^by h to the list; false if one of the two is zero and the other
/// never is.
fn compare(
    g: &RationalFunction,
    h: &RationalFunction,
    by: i64,
    universal: &[Variable],
    found: &mut SortedSet<Polynomial>,
) -> Result<bool, Exhausted> {
    if g.is_zero() && h.is_zero() {
        return Ok(true);
    }
    if g.is_zero() || h.is_zero() {
        let other = if g.is_zero() { h } else { g };
        return Ok(coefficients(other.numerator(), universal).into_iter().all(|c| {
            let possible = !c.is_constant();
            found.insert(c.primitive_part());
            possible
        }));
    }
    let power = |n: i64| Polynomial::from_terms([(vec![(Z, n.max(0) as u32)], 1.into())]);
    let left = g.numerator().mul(h.denominator())?.mul(&power(-by))?;
    let right = h.numerator().mul(g.denominator())?.mul(&power(by))?;
    for c in coefficients(&(&left - &right), universal) {
        found.insert(c.primitive_part());
    }
    Ok(true)
}

/// The same for the leading term of g − h at z = 1, which decides where a constant input leads to.
fn compare_at_one(
    g: &RationalFunction,
    h: &RationalFunction,
    universal: &[Variable],
    found: &mut SortedSet<Polynomial>,
) -> Result<bool, Exhausted> {
    let difference = g.sub(h)?;
    if difference.is_zero() {
        return Ok(true);
    }
    let at_one = |p: &Polynomial| p.coefficients_in(Z).iter().fold(Polynomial::zero(), |sum, c| &sum + c);
    let value = at_one(difference.numerator());
    let parts = coefficients(&value, universal);
    found.extend(parts.iter().map(Polynomial::primitive_part));
    Ok(!parts.iter().any(Polynomial::is_constant))
}

/// The coefficients with respect to z and the universal symbols.
pub fn coefficients(p: &Polynomial, universal: &[Variable]) -> Vec<Polynomial> {
    let mut parts = vec![p.clone()];
    for v in universal.iter().chain([&Z]) {
        parts = parts.iter().flat_map(|q| q.coefficients_in(*v)).filter(|q| !q.is_zero()).collect();
    }
    parts
}

fn content(p: &Polynomial, universal: &[Variable]) -> Result<Polynomial, Exhausted> {
    let mut gcd = Polynomial::zero();
    for c in coefficients(p, universal) {
        gcd = gcd.gcd(&c)?;
    }
    Ok(gcd)
}
