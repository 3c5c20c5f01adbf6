//! Which sequences of numbers of the two texts are one. Those of one name are; names that only one
//! text has are solved for, or taken for one another in the order of appearance or one in which they go on alike.

use super::behavior::Side;
use super::search::Names;
use crate::system::schedule::{Motion, Schedule, Schedules, schedule, scheduled};
use linnaeus_algebra::solve::{Conditions, Problem, solve};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, SortedSet, Variable};

/// The schedules of both texts in one list, the first's as they are, the second's after them unless
/// they are one of the first's.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// All schedules.
    pub joint: Schedules,
    /// For every schedule of the second its number in the list.
    pub place: Vec<usize>,
    /// What must vanish for powers to be the same: the difference of their bases.
    pub equations: Vec<Polynomial>,
    /// The recursions of sequences and powers that have no twin: what they are solved for must obey them.
    pub rules: Vec<(usize, RationalFunction)>,
    /// Whether a sequence that is free in the second follows a rule in the first.
    pub first_is_special: bool,
    /// And the other way around.
    pub second_is_special: bool,
}

impl Matching {
    /// A value of the second text in the symbols of the comparison.
    pub fn placed(&self, value: &RationalFunction) -> RationalFunction {
        value.rename(&|v| self.variable(v))
    }

    /// A symbol of the second text in the comparison.
    pub fn variable(&self, v: Variable) -> Variable {
        match scheduled(v) {
            Some((j, offset)) => schedule(self.place[j], offset),
            None => Side::Second.place(v),
        }
    }

    /// Whether a sequence that both texts have has one name in both.
    pub fn shares_names(&self, first: &Schedules, second: &Schedules) -> bool {
        let is_named = |s: &Schedule| matches!(s.motion, Motion::Free | Motion::Recursion(_));
        let one = |(s, &at): (&Schedule, &usize)| is_named(s) && first.list.get(at).is_some_and(|t| t.name == s.name);
        second.list.iter().zip(&self.place).any(one)
    }

    /// Whether sequences are one whatever the parameters of one side are.
    fn is_general(&self) -> Result<bool, Exhausted> {
        let all: SortedSet<Variable> = self.equations.iter().flat_map(Polynomial::variables).collect();
        for given in [Side::First, Side::Second] {
            let (given, unknowns) = all.iter().copied().partition(|v| Side::of(*v) == given);
            let (equations, nonzero, conditions) = (self.equations.clone(), Vec::new(), Conditions::Never);
            if !solve(&Problem { equations, unknowns, given, nonzero, conditions })?.branches.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether both texts have a sequence in common.
    pub fn shares(&self, first: &Schedules) -> bool {
        self.place.iter().any(|at| *at < first.list.len())
    }

    /// Sequences that only one side has: what is sought where that side is.
    pub fn unknown(&self, side: Side, first: usize) -> SortedSet<usize> {
        let free = |j: &usize| match self.joint.list[*j].motion {
            Motion::Clock => false,
            Motion::Free | Motion::Function(..) => true,
            Motion::Recursion(_) | Motion::Power(_) => self.rules.iter().any(|(n, _)| n == j),
        };
        let shared: SortedSet<usize> = self.place.iter().copied().filter(|j| *j < first).collect();
        let own = match side {
            Side::First => (0..first).filter(|j| !shared.contains(j)).collect::<Vec<_>>(),
            Side::Second => self.place.iter().copied().filter(|j| *j >= first).collect(),
        };
        own.into_iter().filter(free).collect()
    }
}

/// Whether both texts name a sequence alike.
pub fn share_names(first: &Schedules, second: &Schedules) -> bool {
    let is_named = |s: &&Schedule| matches!(s.motion, Motion::Free | Motion::Recursion(_));
    let named = |s: &Schedule| first.list.iter().filter(is_named).any(|t| t.name == s.name);
    second.list.iter().filter(is_named).any(named)
}

/// All ways, the most natural first.
pub fn matchings(first: &Schedules, second: &Schedules, names: Names) -> Result<Vec<Matching>, Exhausted> {
    let named = |s: &Schedules| -> Vec<usize> {
        let is_named = |j: &usize| matches!(s.list[*j].motion, Motion::Free | Motion::Recursion(_));
        (0..s.list.len()).filter(is_named).collect()
    };
    let (a, b) = (named(first), named(second));
    let name = |s: &Schedules, j: usize| s.list[j].name.clone();
    let namesake = |j: usize| a.iter().copied().find(|&i| names == Names::Shared && name(first, i) == name(second, j));
    let by_name: Vec<Option<usize>> = b.iter().map(|&j| namesake(j)).collect();
    let mut ways = vec![by_name.clone()];
    if a.len() == b.len() && by_name.iter().all(Option::is_none) {
        ways.insert(0, a.iter().copied().map(Some).collect());
    }
    ways.push(vec![None; b.len()]);
    ways.dedup();
    let mut found = Vec::new();
    for (n, way) in ways.iter().enumerate() {
        // Namesakes are one sequence, unless their rules differ.
        if n + 1 == ways.len() && n > 0 && by_name.iter().any(Option::is_some) && !found.is_empty() {
            continue;
        }
        let twin = |j: usize| b.iter().position(|x| *x == j).and_then(|n| way[n]);
        found.extend(matching(first, second, &twin, Formulas::Paired)?);
        if [first, second].iter().all(|s| has_formula(s)) {
            found.extend(matching(first, second, &twin, Formulas::Apart)?);
        }
    }
    if let Some(alike) = by_rules((first, &a), (second, &b), &by_name)?
        && found.iter().all(|m| m.place != alike.place)
    {
        found.insert(0, alike);
    }
    Ok(found)
}

/// More sequences are only taken for one another in the order of appearance.
const ANY_ORDER: usize = 3;

/// Sequences that have no namesakes, taken for one another in the first order in which all go on alike.
fn by_rules(
    (first, a): (&Schedules, &[usize]),
    (second, b): (&Schedules, &[usize]),
    by_name: &[Option<usize>],
) -> Result<Option<Matching>, Exhausted> {
    let ours: Vec<usize> = a.iter().copied().filter(|i| !by_name.contains(&Some(*i))).collect();
    let theirs: Vec<usize> = b.iter().zip(by_name).filter(|(_, i)| i.is_none()).map(|(j, _)| *j).collect();
    let is_ruled = |s: &Schedules, j: usize| matches!(s.list[j].motion, Motion::Recursion(_));
    if a.len() != b.len() || ours.len() > ANY_ORDER || !ours.iter().any(|i| is_ruled(first, *i)) {
        return Ok(None);
    }
    for order in orders(ours.len()) {
        let twin = |j: usize| match theirs.iter().position(|x| *x == j) {
            Some(n) => Some(ours[order[n]]),
            None => b.iter().position(|x| *x == j).and_then(|n| by_name[n]),
        };
        let alike = |j: &usize| twin(*j).is_some_and(|i| is_ruled(first, i) == is_ruled(second, *j));
        if theirs.iter().all(alike)
            && let Some(found) = matching(first, second, &twin, Formulas::Paired)?
            && found.is_general()?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// All orders of so many, the present one first.
pub fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..n {
        let longer = |order: Vec<usize>| -> Vec<Vec<usize>> {
            let rest = (0..n).filter(|i| !order.contains(i)).collect::<Vec<_>>();
            rest.into_iter().map(|i| order.iter().copied().chain([i]).collect()).collect()
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    found
}

/// Whether there is a power or a function that is no part of a recursion.
fn has_formula(schedules: &Schedules) -> bool {
    let inside = |j: usize| {
        schedules.list.iter().any(|s| match &s.motion {
            Motion::Recursion(next) => next.variables().into_iter().filter_map(scheduled).any(|(i, _)| i == j),
            _ => false,
        })
    };
    let is_formula = |s: &Schedule| matches!(s.motion, Motion::Power(_) | Motion::Function(..));
    (0..schedules.list.len()).any(|j| is_formula(&schedules.list[j]) && !inside(j))
}

/// Whether powers with the index and functions are taken for one another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Formulas {
    /// Their bases and arguments are the same.
    Paired,
    /// They are solved for.
    Apart,
}

fn matching(
    first: &Schedules,
    second: &Schedules,
    twin: &dyn Fn(usize) -> Option<usize>,
    formulas: Formulas,
) -> Result<Option<Matching>, Exhausted> {
    let own = first.list.len();
    let mut m = Matching { joint: first.clone(), ..Matching::default() };
    m.joint.list.extend(second.list.iter().map(|s| Schedule { motion: Motion::Free, ..s.clone() }));
    // Places first, because rules refer to one another; functions are placed by what they are of.
    for (j, s) in second.list.iter().enumerate() {
        let at = match &s.motion {
            Motion::Free | Motion::Recursion(_) => twin(j),
            Motion::Clock => first.list.iter().position(|s| s.motion == Motion::Clock),
            Motion::Power(_) if formulas == Formulas::Paired => unused_power(first, &m.place, &s.name),
            Motion::Function(function, argument) if formulas == Formulas::Paired => {
                let argument = m.placed(argument);
                same_function(first, &m, (function, &argument), &s.name)?
            }
            Motion::Power(_) | Motion::Function(..) => None,
        };
        m.place.push(at.unwrap_or(own + j));
    }
    for (j, s) in second.list.iter().enumerate() {
        let at = m.place[j];
        let motion = match &s.motion {
            Motion::Recursion(value) => Motion::Recursion(m.placed(value)),
            Motion::Function(function, value) => Motion::Function(function, m.placed(value)),
            Motion::Power(base) => Motion::Power(m.placed(base)),
            other => other.clone(),
        };
        if at >= own {
            m.rules.extend(rule(at, &motion)?);
            m.joint.list[at].motion = motion;
            continue;
        }
        match (&first.list[at].motion, &motion) {
            (Motion::Power(x), Motion::Power(y)) => {
                let difference = x.sub(y)?.numerator().clone();
                if difference.is_constant() && !difference.is_zero() {
                    return Ok(None);
                }
                m.equations.push(difference);
            }
            (Motion::Recursion(_), Motion::Free) => m.first_is_special = true,
            (Motion::Free, Motion::Recursion(_)) => m.second_is_special = true,
            (Motion::Recursion(x), Motion::Recursion(y)) | (Motion::Function(_, x), Motion::Function(_, y)) => {
                match equality(&m.joint, x, y)? {
                    Some(equations) => m.equations.extend(equations),
                    None => return Ok(None),
                }
            }
            _ => {}
        }
    }
    for (j, s) in first.list.iter().enumerate().filter(|(j, _)| !m.place.contains(j)) {
        m.rules.extend(rule(j, &s.motion)?);
    }
    Ok(Some(m))
}

/// What a sequence is one iteration later, if it has a rule.
fn rule(j: usize, motion: &Motion) -> Result<Option<(usize, RationalFunction)>, Exhausted> {
    Ok(match motion {
        Motion::Recursion(next) => Some((j, next.clone())),
        Motion::Power(base) => Some((j, base.mul(&RationalFunction::variable(schedule(j, 0)))?)),
        _ => None,
    })
}

/// What must vanish for two values to be one at all times; nothing if they never are.
fn equality(
    joint: &Schedules,
    x: &RationalFunction,
    y: &RationalFunction,
) -> Result<Option<Vec<Polynomial>>, Exhausted> {
    let found = joint.coefficients(&joint.reduced(x.sub(y)?.numerator())?);
    let possible = found.iter().all(|p| p.is_zero() || !p.is_constant());
    Ok(possible.then(|| found.into_iter().filter(|p| !p.is_zero()).collect()))
}

/// The first's function that this one can be: of the same name, or else of the same value.
fn same_function(
    first: &Schedules,
    m: &Matching,
    (function, argument): (&str, &RationalFunction),
    name: &str,
) -> Result<Option<usize>, Exhausted> {
    let mut candidates = Vec::new();
    for (j, s) in first.list.iter().enumerate() {
        if let Motion::Function(f, x) = &s.motion
            && *f == function
            && !m.place.contains(&j)
            && equality(&m.joint, x, argument)?.is_some()
        {
            candidates.push((s.name != name, j));
        }
    }
    Ok(candidates.into_iter().min().map(|(_, j)| j))
}

fn unused_power(first: &Schedules, used: &[usize], name: &str) -> Option<usize> {
    let free = |j: &usize| matches!(first.list[*j].motion, Motion::Power(_)) && !used.contains(j);
    let powers: Vec<usize> = (0..first.list.len()).filter(free).collect();
    powers.iter().copied().find(|&j| first.list[j].name == name).or(powers.first().copied())
}
