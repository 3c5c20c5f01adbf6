//! Sequences with recursions that are powers of one of the other side up to factors: r = 2t, q = t², S = t²/L. Their
//! recursions say so, and little is then left to solve.

use super::equations::{Base, Sequences};
use super::reading::{Search, Solved};
use super::recursions::Recursions;
use super::solving::FEW_LAGS;
use crate::relation::behavior::Side;
use crate::relation::laws::relation;
use crate::system::schedule::{Motion, Schedules, schedule, scheduled};
use linnaeus_algebra::solve::{Conditions, Problem, Value, rational_root, solve};
use linnaeus_algebra::{Exhausted, Integer, Polynomial, Rational, RationalFunction, SortedMap, Variable};

/// The powers that are tried.
const POWERS: [i32; 3] = [1, 2, -1];

/// More sequences are not looked at.
const MANY: usize = 2;

/// Stands for the n-th factor.
fn factor(n: usize) -> Variable {
    Variable(47_000_000 + n as u32)
}

/// What sequences are that are sought, by their numbers.
pub type Ties = SortedMap<usize, RationalFunction>;

impl Search<'_> {
    /// The same as `solve`, where sequences with recursions are powers of one that is given.
    pub(super) fn solve_by_powers(&self, both: &Sequences, given: Side) -> Result<Option<Solved>, Exhausted> {
        let all = self.ties(given)?;
        if all.is_empty() {
            return Ok(None);
        }
        let Some(equations) = self.equations(both, &Schedules::default(), Base::Each, FEW_LAGS)? else {
            return Ok(None);
        };
        let numbers = self.matching.unknown(given.other(), self.first.system.schedules.list.len());
        for ties in all {
            let tied = equations.iter().map(|p| self.tied(p, &ties)).collect::<Result<Option<Vec<_>>, _>>()?;
            let tied = tied.map(|list| list.into_iter().filter(|p| !p.is_zero()).collect::<Vec<_>>());
            let Some(tied) = tied.filter(|list| !list.iter().any(Polynomial::is_constant)) else { continue };
            let Some(problem) = self.with_recursions(&tied, given, &numbers, Recursions::Given)? else { continue };
            if let Some(found) = self.solve_recursive(both, &problem, (&numbers, given), &ties, &mut None)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// What must vanish, with these sequences put in; nothing where that is not defined.
    fn tied(&self, p: &Polynomial, ties: &Ties) -> Result<Option<Polynomial>, Exhausted> {
        let mut values = SortedMap::new();
        for v in p.variables() {
            if let Some((j, offset)) = scheduled(v)
                && let Some(value) = ties.get(&j)
            {
                values.insert(v, self.matching.joint.advanced(value, offset)?);
            }
        }
        let found = RationalFunction::polynomial(p.clone()).substitute(&|v| values.get(&v).cloned())?;
        Ok(found.map(|r| r.numerator().primitive_part()))
    }

    /// All ways in which the recursions of what is sought are those of powers of one sequence that is given.
    fn ties(&self, given: Side) -> Result<Vec<Ties>, Exhausted> {
        let joint = &self.matching.joint;
        let own = |side: Side| -> Vec<usize> {
            let unknown = self.matching.unknown(side, self.first.system.schedules.list.len());
            unknown.into_iter().filter(|j| matches!(joint.list[*j].motion, Motion::Recursion(_))).collect()
        };
        let (ours, theirs) = (own(given), own(given.other()));
        if theirs.is_empty() || theirs.len() > MANY {
            return Ok(Vec::new());
        }
        let relations = theirs.iter().map(|j| relation(joint, *j)).collect::<Result<Option<Vec<_>>, _>>()?;
        let Some(relations) = relations else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for i in ours {
            for n in 0..POWERS.len().pow(theirs.len() as u32) {
                let t = RationalFunction::variable(schedule(i, 0));
                let mut ties = Ties::new();
                for (place, j) in theirs.iter().enumerate() {
                    let power = POWERS[n / POWERS.len().pow(place as u32) % POWERS.len()];
                    let Some(power) = t.pow(power)? else { continue };
                    ties.insert(*j, power.mul(&RationalFunction::variable(factor(place)))?);
                }
                found.extend(self.with_factors(ties, &relations)?);
            }
        }
        Ok(found)
    }

    /// The same with the factors for which they go on by their recursions, and with the roots that follow.
    fn with_factors(&self, ties: Ties, relations: &[Polynomial]) -> Result<Vec<Ties>, Exhausted> {
        let joint = &self.matching.joint;
        let mut equations = Vec::new();
        for p in relations {
            let Some(p) = self.tied(p, &ties)? else { return Ok(Vec::new()) };
            let parts = joint.coefficients(&joint.reduced_to(&p, 0)?);
            equations.extend(parts.into_iter().filter(|p| !p.is_zero()).map(|p| p.primitive_part()));
        }
        let unknowns: Vec<Variable> = (0..ties.len()).map(factor).collect();
        let others = equations.iter().flat_map(Polynomial::variables).filter(|v| !unknowns.contains(v));
        let mut given: Vec<Variable> = others.collect();
        given.sort();
        given.dedup();
        let nonzero = unknowns.iter().map(|v| Polynomial::variable(*v)).collect();
        let solution = solve(&Problem { equations, unknowns, given, nonzero, conditions: Conditions::Never })?;
        let mut found = Vec::new();
        for branch in solution.branches.iter().filter(|b| b.free.is_empty() && b.relations.is_empty()) {
            let value = |v: Variable| match branch.values.get(&v) {
                Some(Value::Rational(r)) => Some(r.clone()),
                _ => None,
            };
            let mut known = Ties::new();
            for (j, tie) in &ties {
                known.extend(tie.substitute(&value)?.map(|r| (*j, r)));
            }
            for (j, s) in joint.list.iter().enumerate() {
                let Motion::Function("sqrt", radicand) = &s.motion else { continue };
                let mut values = SortedMap::new();
                for (v, (i, offset)) in radicand.variables().into_iter().filter_map(|v| Some((v, scheduled(v)?))) {
                    if let Some(tie) = known.get(&i) {
                        values.insert(v, joint.advanced(tie, offset)?);
                    }
                }
                let there = if values.is_empty() { None } else { radicand.substitute(&|v| values.get(&v).cloned())? };
                known.extend(there.map(|r| square_root(&r)).transpose()?.flatten().map(|root| (j, root)));
            }
            found.push(known);
        }
        Ok(found)
    }
}

/// The square root of a value, if it is rational.
fn square_root(r: &RationalFunction) -> Result<Option<RationalFunction>, Exhausted> {
    let (above, below) = (r.numerator().factor()?, r.denominator().factor()?);
    let content = |n: &Integer| Rational::from(n.clone());
    let number = rational_root(&(content(&above.content) / content(&below.content)));
    let Some(mut found) = number.map(|n| RationalFunction::rational(&n)) else { return Ok(None) };
    for (factors, sign) in [(above.factors, 1), (below.factors, -1)] {
        for (factor, e) in factors {
            let Some(power) = RationalFunction::polynomial(factor).pow(sign * (e as i32 / 2))? else { return Ok(None) };
            if e % 2 == 1 {
                return Ok(None);
            }
            found = found.mul(&power)?;
        }
    }
    Ok(Some(found))
}
