//! Where two texts begin to count: the shift of all channels under which functions of the index agree.

use super::equations::{Base, Sequences};
use super::plant::Plant;
use super::reading::Search;
use super::response::Response;
use super::solving::FEW_LAGS;
use crate::relation::behavior::{Port, Side};
use crate::relation::verdict::Limit;
use crate::system::schedule::{Motion, schedule, scheduled};
use crate::transfer::Realization;
use linnaeus_algebra::solve::{Branch, Conditions, Problem, Value, solve};
use linnaeus_algebra::{Exhausted, Polynomial, Rational, RationalFunction, SortedMap, SortedSet, Variable};

/// By how much the second's index is ahead.
const AHEAD: Variable = Variable(49_999_999);

/// Texts that begin to count further apart are not compared.
const MOST: i64 = 1000;

/// What a power with the index is multiplied by where the second's index is ahead.
fn raised(j: usize) -> Variable {
    Variable(49_000_000 + j as u32)
}

/// What is sought: by how much the second's index is ahead, and powers with it.
fn is_sought(v: Variable) -> bool {
    (49_000_000..=AHEAD.0).contains(&v.0)
}

impl Search<'_> {
    /// By how much all pairs, moved by `shift` already, may be moved further together so that functions of the
    /// index agree: the second's index is another by a number that is solved for.
    pub fn origins(&self, shift: &[i64], count: usize, limit: &mut Option<Limit>) -> Result<SortedSet<i64>, Exhausted> {
        let mut found = self.times_apart();
        for equations in self.rules_apart()? {
            self.solve_ahead(equations, &mut found, limit)?;
        }
        let lists = [&self.first.system.schedules.list, &self.second.system.schedules.list];
        let is_closed = |m: &Motion| matches!(m, Motion::Clock | Motion::Power(_));
        let own = lists[0].len();
        let shared = self.matching.place.iter().all(|at| *at < own);
        if shared && lists.iter().all(|list| list.iter().all(|s| is_closed(&s.motion))) {
            let equations = self.markov_apart(shift, count)?;
            self.solve_ahead(equations, &mut found, limit)?;
        }
        Ok(found)
    }

    /// By how much the times differ at which both texts read what they have in common, as sqrt(k + 1) and sqrt(k + 10).
    fn times_apart(&self) -> SortedSet<i64> {
        let times = |plant: &Plant| -> SortedSet<(usize, i64)> {
            let r = &plant.realization;
            let entries = [&r.a, &r.b, &r.c, &r.d].into_iter().flat_map(|m| (0..m.rows()).flat_map(|i| m.row(i)));
            let values = entries.flat_map(|e| e.terms()).flat_map(|(_, c)| c.variables());
            let steps = plant.ports.iter().flat_map(|p| p.oracle.step.variables());
            let is_open = |(j, _): &(usize, i64)| {
                !matches!(self.matching.joint.list[*j].motion, Motion::Clock | Motion::Power(_))
            };
            values.chain(steps).filter_map(scheduled).filter(is_open).collect()
        };
        let (ours, theirs) = (times(self.a), times(self.b));
        let pairs = ours.iter().flat_map(|x| theirs.iter().map(move |y| (x, y)));
        pairs.filter(|(x, y)| x.0 == y.0).map(|(x, y)| y.1 - x.1).collect()
    }

    /// What a value of the second is when its index is ahead.
    fn ahead(&self, value: &RationalFunction) -> Result<RationalFunction, Exhausted> {
        let mut values = SortedMap::new();
        for v in value.variables() {
            let symbol = RationalFunction::variable(v);
            match scheduled(v).map(|(j, _)| (j, &self.matching.joint.list[j].motion)) {
                Some((_, Motion::Clock)) => values.insert(v, symbol.add(&RationalFunction::variable(AHEAD))?),
                Some((j, Motion::Power(_))) => values.insert(v, symbol.mul(&RationalFunction::variable(raised(j)))?),
                _ => None,
            };
        }
        Ok(value.substitute(&|v| values.get(&v).cloned())?.expect("an automorphism"))
    }

    /// What must vanish for all Markov parameters to agree; something constant if they never do.
    fn markov_apart(&self, shift: &[i64], count: usize) -> Result<Vec<Polynomial>, Exhausted> {
        let never = vec![Polynomial::one()];
        let joint = &self.matching.joint;
        let there = |m: &super::Entries| m.try_map(|e| e.map_coefficients(&mut |c: &RationalFunction| self.ahead(c)));
        let r = &self.b.realization;
        let port = |p: &Port| -> Result<Port, Exhausted> {
            Ok(Port { oracle: p.oracle.with_numbers(&mut |r| self.ahead(r))?, ..p.clone() })
        };
        let moved = Plant {
            ports: self.b.ports.iter().map(port).collect::<Result<_, _>>()?,
            realization: Realization {
                states: r.states.clone(),
                a: there(&r.a)?,
                b: there(&r.b)?,
                c: there(&r.c)?,
                d: there(&r.d)?,
            },
            ..self.b.clone()
        };
        let apart = Search { b: &moved, ..*self };
        let Some((_, b)) = apart.second(shift)? else { return Ok(never) };
        let length = count + 2 * shift.iter().map(|m| m.unsigned_abs() as usize).max().unwrap_or(0);
        let both =
            Sequences { x: &Response::new(&self.a.realization, joint), y: Response::new(&b, joint), shift, length };
        Ok(apart.equations(&both, joint, Base::Each, FEW_LAGS)?.unwrap_or(never))
    }

    /// What must vanish for rules of both texts to be the same, for all rules that may be: sequences go on in
    /// the same way, or functions have the same arguments.
    fn rules_apart(&self) -> Result<Vec<Vec<Polynomial>>, Exhausted> {
        let joint = &self.matching.joint;
        let own = self.first.system.schedules.list.len();
        let mut found = Vec::new();
        for (i, ours) in joint.list[..own].iter().enumerate() {
            for &j in self.matching.place.iter().filter(|j| **j >= own) {
                let (x, y) = match (&ours.motion, &joint.list[j].motion) {
                    (Motion::Recursion(x), Motion::Recursion(y)) => (x, y),
                    (Motion::Function(f, x), Motion::Function(g, y)) if f == g => (x, y),
                    _ => continue,
                };
                let renamed = self.ahead(y)?.substitute(&|v| match scheduled(v) {
                    Some((n, offset)) if n == j => Some(RationalFunction::variable(schedule(i, offset))),
                    _ => None,
                })?;
                let Some(y) = renamed else { continue };
                found.push(vec![joint.reduced(x.sub(&y)?.numerator())?]);
            }
        }
        Ok(found)
    }

    /// Adds all numbers of iterations for which equations hold at all times, for one side's parameters in
    /// terms of the other's.
    fn solve_ahead(
        &self,
        equations: Vec<Polynomial>,
        found: &mut SortedSet<i64>,
        limit: &mut Option<Limit>,
    ) -> Result<(), Exhausted> {
        let joint = &self.matching.joint;
        let parts = equations.iter().flat_map(|p| joint.coefficients(p)).map(|p| p.primitive_part());
        let mut equations: SortedSet<Polynomial> = parts.collect();
        equations.remove(&Polynomial::zero());
        if equations.iter().any(Polynomial::is_constant) {
            return Ok(());
        }
        let sought_here: SortedSet<Variable> =
            equations.iter().flat_map(Polynomial::variables).filter(|v| is_sought(*v)).collect();
        if sought_here.is_empty() {
            return Ok(());
        }
        for given in [Side::First, Side::Second] {
            let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
            let factors = sought_here.iter().filter(|v| **v != AHEAD).map(|v| Polynomial::variable(*v));
            let solution = solve(&Problem {
                equations: equations.iter().cloned().collect(),
                unknowns: sought.parameters.iter().chain(&sought_here).copied().collect(),
                given: known.parameters.clone(),
                nonzero: self.a.nonzero.iter().chain(&self.b.nonzero).cloned().chain(factors).collect(),
                conditions: Conditions::Never,
            })?;
            if !solution.complete {
                *limit = limit.or(Some(Limit::Candidates));
            }
            for branch in solution.branches {
                match self.number_ahead(&branch, &sought_here)? {
                    Ahead::Number(n) => drop(found.insert(-n)),
                    Ahead::Never => {}
                    Ahead::Open => *limit = limit.or(Some(Limit::Candidates)),
                }
            }
        }
        Ok(())
    }

    /// By how many iterations the second is ahead on a branch.
    fn number_ahead(&self, branch: &Branch, sought: &SortedSet<Variable>) -> Result<Ahead, Exhausted> {
        if let Some(value) = branch.values.get(&AHEAD) {
            return Ok(match value {
                Value::Rational(n) => match n.as_rational() {
                    Some(n) if !n.denominator().is_one() => Ahead::Never,
                    Some(n) => match i64::try_from(n.numerator()) {
                        Ok(n) if n.abs() <= MOST => Ahead::Number(n),
                        _ => Ahead::Open,
                    },
                    // Special numbers that are given may make it an integer.
                    None => Ahead::Open,
                },
                Value::Root { a, b, radicand } => match a.as_rational().zip(b.as_rational()) {
                    Some(_) if radicand.is_constant() => Ahead::Never,
                    _ => Ahead::Open,
                },
            });
        }
        // b^n for a power b^k.
        for (j, s) in self.matching.joint.list.iter().enumerate() {
            let (Motion::Power(base), Some(Value::Rational(power))) = (&s.motion, branch.values.get(&raised(j))) else {
                continue;
            };
            let value = |v: Variable| match branch.values.get(&v) {
                Some(Value::Rational(r)) => Some(r.clone()),
                _ => None,
            };
            let Some(base) = base.substitute(&value)? else { continue };
            return logarithm(power, &base);
        }
        // Any number does, and small ones are tried.
        let is_free =
            |v: &Variable| !branch.values.contains_key(v) && branch.relations.iter().all(|p| p.degree_in(*v) == 0);
        Ok(if sought.iter().all(is_free) { Ahead::Never } else { Ahead::Open })
    }
}

/// By how many iterations a text may be ahead.
enum Ahead {
    /// By so many.
    Number(i64),
    /// By no integer.
    Never,
    /// That is not known.
    Open,
}

/// Powers of bases are looked at up to this exponent.
const EXPONENT: i64 = 64;

/// n with power = base^n.
fn logarithm(power: &RationalFunction, base: &RationalFunction) -> Result<Ahead, Exhausted> {
    let (mut up, mut down) = (power.clone(), power.clone());
    for n in 0..=EXPONENT {
        if up == RationalFunction::one() {
            return Ok(Ahead::Number(-n));
        }
        if down == RationalFunction::one() {
            return Ok(Ahead::Number(n));
        }
        let Some(less) = down.div(base)? else { return Ok(Ahead::Open) };
        (up, down) = (up.mul(base)?, less);
    }
    // Where 1 is between two numbers that follow one another, it is none of them.
    let passed = |x: &RationalFunction| -> Option<bool> {
        let square = |r: &RationalFunction| r.as_rational().map(|r| r.clone() * r);
        let (one, from, to) = (Rational::from(1), square(power)?, square(x)?);
        Some((from < one) != (to < one))
    };
    let is_passed = passed(&up) == Some(true) || passed(&down) == Some(true);
    Ok(if is_passed { Ahead::Never } else { Ahead::Open })
}
