//! Parameters and sequences for which all Markov parameters of one reading agree.

use super::Entries;
use super::equations::{Base, Sequences};
use super::reading::{Search, Solved};
use super::response::Response;
use crate::FUEL;
use crate::relation::behavior::Side;
use crate::relation::functions::{self, Settled};
use crate::relation::laws::{Laws, Outcome, laws, radicand};
use crate::relation::operators::{is_coefficient, is_factor, is_multiple};
use crate::relation::real;
use crate::relation::search::Scope;
use crate::relation::soundness;
use crate::relation::verdict::Limit;
use crate::system::parameter;
use crate::system::schedule::{Motion, Schedule, Schedules, schedule, scheduled, varies};
use linnaeus_algebra::solve::{Branch, Conditions, Problem, Solution, Value, is_refuted, may_have_solution, solve};
use linnaeus_algebra::{Exhausted, Polynomial, Rational, RationalFunction, SortedMap, SortedSet, Variable, limited};

/// So many lags are solved for at first.
pub const FEW_LAGS: usize = 3;

/// So many where those leave something open.
pub const MORE_LAGS: usize = 5;

/// What recursions are tried with at first gets this part of the work.
const SHARES: u64 = 20;

/// How often laws may ask for more of the parameters.
const ROUNDS: usize = 3;

/// Factors of operators that may be anything, or that a parameter which may be makes such, are 1, or 2 or 3 where 1 is not
/// possible, but for those of the identity, which the other side's parameters depend on.
pub fn settled(mut branch: Branch) -> Result<Branch, Exhausted> {
    while let Some(next) = with_unit(&branch)? {
        branch = next;
    }
    let is_choice = |v: &Variable| is_coefficient(*v) && !is_multiple(*v);
    while let Some(v) = branch.free.iter().copied().find(is_choice) {
        let mut next = None;
        for number in 1..=3 {
            if next.is_none() {
                next = branch.at(&SortedMap::from_iter([(v, RationalFunction::rational(&Rational::from(number)))]))?;
            }
        }
        match next {
            Some(next) => branch = next,
            None => break,
        }
    }
    Ok(branch)
}

/// The branch where a parameter that may be anything makes a factor 1, if one can.
fn with_unit(branch: &Branch) -> Result<Option<Branch>, Exhausted> {
    for (_, value) in branch.values.iter().filter(|(v, _)| is_factor(**v)) {
        let Value::Rational(r) = value else { continue };
        let difference = r.numerator() - r.denominator();
        for w in branch.free.iter().filter(|w| !is_coefficient(**w) && scheduled(**w).is_none()) {
            if difference.degree_in(*w) != 1 || branch.values.contains_key(w) {
                continue;
            }
            let parts: Vec<_> = difference.coefficients_in(*w).into_iter().map(RationalFunction::polynomial).collect();
            let Some(choice) = parts[0].neg().div(&parts[1])? else { continue };
            if let Some(next) = branch.at(&SortedMap::from_iter([(*w, choice)]))? {
                return Ok(Some(next));
            }
        }
    }
    Ok(None)
}

/// One way to pose the equations.
struct Pass<'a> {
    /// By which values of sequences are traced back.
    rules: &'a Schedules,
    base: Base,
    /// Whether parameters of one name are the same.
    namesakes: bool,
}

impl Search<'_> {
    /// That parameters of one name are the same, where sequences are sought.
    fn namesakes(&self) -> Vec<Polynomial> {
        let (ours, theirs) = (&self.first.system.parameters, &self.second.system.parameters);
        let twin = |(j, name): (usize, &String)| {
            let i = ours.iter().position(|n| n == name)?;
            let (x, y) = (Side::First.place(parameter(i)), Side::Second.place(parameter(j)));
            Some(&Polynomial::variable(x) - &Polynomial::variable(y))
        };
        theirs.iter().enumerate().filter_map(twin).collect()
    }

    /// Solves for one side's parameters and sequences, the other's being generic.
    /// The first lags usually say it all, and rules of sequences are seldom needed: the rest is then
    /// only verified.
    pub fn solve(&self, both: &Sequences, given: Side, limit: &mut Option<Limit>) -> Result<Option<Solved>, Exhausted> {
        if self.is_meeting() {
            return self.meet(both, given, limit);
        }
        if self.is_larger(both, given)? || self.is_restless(both, given)? {
            return Ok(None);
        }
        let free = Schedules::default();
        // Families are compared by the thousand: what few equations leave open stays open.
        let lags: &[usize] = match self.scope {
            Scope::Texts => &[FEW_LAGS, MORE_LAGS, usize::MAX],
            Scope::Families => &[FEW_LAGS, usize::MAX],
        };
        let mut open = None;
        let joint = &self.matching.joint;
        let passes = [
            Pass { rules: &free, base: Base::Each, namesakes: false },
            Pass { rules: joint, base: Base::Each, namesakes: false },
            Pass { rules: joint, base: Base::Common, namesakes: false },
            Pass { rules: &free, base: Base::Each, namesakes: true },
        ];
        if self.wanted.sifted && self.is_decisive(&passes[0], given) && self.is_refuted_at_once(both, given)? {
            return Ok(None);
        }
        if let Some(found) = self.solve_by_constants(both, given)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.solve_by_states(both, given)? {
            return Ok(Some(found));
        }
        // Equations at many times are more work than those at few with the recursions between these.
        if self.scope == Scope::Texts && self.is_recursive(given) && self.is_recursive(given.other()) {
            if let Some(Some(found)) = limited(FUEL / SHARES, || self.solve_by_powers(both, given))? {
                return Ok(Some(found));
            }
            if let Some(Some(found)) = limited(FUEL / SHARES, || self.solve_by_recursions(both, given, &mut None))? {
                return Ok(Some(found));
            }
        }
        for pass in passes {
            let namesakes = if pass.namesakes { self.namesakes() } else { Vec::new() };
            if pass.base == Base::Common && !self.has_plain_recursion() || pass.namesakes && namesakes.is_empty() {
                continue;
            }
            let before = open.take();
            for &lags in lags {
                let mut why = None;
                let found = match self.equations(both, pass.rules, pass.base, lags)? {
                    Some(mut equations) => {
                        equations.extend(namesakes.iter().cloned());
                        self.solve_equations(equations, given, pass.base, &mut why)?
                    }
                    None => None,
                };
                open = why;
                match found {
                    Some(found) if lags == usize::MAX || self.verified(both, &found)? => return Ok(Some(found)),
                    None if why.is_none() && self.is_decisive(&pass, given) => return Ok(None),
                    None if why.is_none() || self.scope == Scope::Families => break,
                    // What few equations leave open, or let pass, more of them may decide.
                    _ => {}
                }
            }
            // That it is not so for equal parameters says nothing of others.
            if pass.namesakes {
                open = before;
            }
        }
        if let Some(found) = self.solve_by_recursions(both, given, &mut open)? {
            return Ok(Some(found));
        }
        *limit = limit.or(open);
        Ok(None)
    }

    /// Several iterations of what may have any sequences, with constants in their place, where nothing that is given
    /// changes with the index. That is much less to solve for.
    fn solve_by_constants(&self, both: &Sequences, given: Side) -> Result<Option<Solved>, Exhausted> {
        let system = if given == Side::First { &self.first.system } else { &self.second.system };
        let is_sought = self.wanted.begins_anywhere.is_some_and(|(side, _)| side != given);
        if self.scope == Scope::Texts || !is_sought || !system.schedules.is_empty() {
            return Ok(None);
        }
        let Some(equations) = self.equations(both, &Schedules::default(), Base::Each, FEW_LAGS)? else {
            return Ok(None);
        };
        let now = |v: Variable| scheduled(v).map_or(v, |(j, _)| schedule(j, 0));
        let equations: SortedSet<Polynomial> = equations.iter().map(|p| p.rename(&now).primitive_part()).collect();
        let equations: Vec<Polynomial> = equations.into_iter().filter(|p| !p.is_zero()).collect();
        if equations.iter().any(Polynomial::is_constant) {
            return Ok(None);
        }
        let first = self.first.system.schedules.list.len();
        let still = self.free_among(self.matching.unknown(given.other(), first));
        let matching = self.still(&still);
        let there = Search { matching: &matching, ..*self };
        for (branches, mut laws) in there.solutions(equations, given, Base::Each, &mut None)? {
            // What may be any sequence is told as such.
            let found = (branches.clone(), laws.clone());
            if !found.1.any.is_empty() && self.verified(both, &found)? {
                return Ok(Some(found));
            }
            laws.keep(&still);
            let found = (branches, laws);
            if self.verified(both, &found)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether what is answered in the same iteration shows that there is no solution.
    fn is_refuted_at_once(&self, both: &Sequences, given: Side) -> Result<bool, Exhausted> {
        let Some(equations) = self.equations(both, &Schedules::default(), Base::Each, 1)? else { return Ok(true) };
        let mut open = None;
        Ok(match self.posed(equations, given, Base::Each, &mut open)? {
            Some(problem) => !may_have_solution(&problem)?,
            None => open.is_none(),
        })
    }

    /// Whether equations that have no solution leave none: what is given is then generic. Values of a sequence
    /// that follows a rule are where they are traced back to one time.
    fn is_decisive(&self, pass: &Pass, given: Side) -> bool {
        let system = if given == Side::First { &self.first.system } else { &self.second.system };
        let ruled = |s: &Schedule| matches!(s.motion, Motion::Recursion(_) | Motion::Function(..));
        let joint = &self.matching.joint.list;
        match pass.base {
            _ if pass.namesakes => false,
            Base::Each => !system.schedules.list.iter().any(ruled),
            Base::Common => !joint.iter().any(|s| matches!(s.motion, Motion::Function(..))),
        }
    }

    /// Whether what is given changes with the index and the other does not, whatever its parameters.
    fn is_restless(&self, both: &Sequences, given: Side) -> Result<bool, Exhausted> {
        let (x, y) = if given == Side::First { (both.x, &both.y) } else { (&both.y, both.x) };
        let count = FEW_LAGS.min(both.length);
        if y.coefficients(0..count)?.iter().any(varies) {
            return Ok(false);
        }
        let joint = &self.matching.joint;
        for value in x.coefficients(0..count)?.iter().filter(|c| varies(c)) {
            let change = joint.advanced(value, 1)?.sub(value)?;
            if !joint.reduced(change.numerator())?.is_zero() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a sequence follows a rule that the other side does not have.
    fn is_recursive(&self, side: Side) -> bool {
        let own = self.matching.unknown(side, self.first.system.schedules.list.len());
        self.matching.rules.iter().any(|(j, _)| own.contains(j))
    }

    /// Whether a sequence follows a rule that is rational in its earlier values.
    fn has_plain_recursion(&self) -> bool {
        let list = &self.matching.joint.list;
        let is_function =
            |v: Variable| scheduled(v).is_some_and(|(j, _)| matches!(list[j].motion, Motion::Function(..)));
        list.iter().any(|s| match &s.motion {
            Motion::Recursion(next) => !next.variables().into_iter().any(is_function),
            _ => false,
        })
    }

    /// Whether all lags agree on every branch.
    pub fn verified(&self, both: &Sequences, solved: &Solved) -> Result<bool, Exhausted> {
        if let Some(agree) = self.agree_at_random(both, solved) {
            return Ok(agree);
        }
        let (branches, laws) = solved;
        let schedules = &laws.ruled(&self.matching.joint);
        for branch in branches {
            let value = |v: Variable| -> Option<RationalFunction> {
                match (scheduled(v), branch.values.get(&v).or_else(|| branch.conditions.get(&v))) {
                    (Some((j, offset)), _) => schedules.advanced(laws.values.get(&j)?, offset).ok(),
                    (None, Some(Value::Rational(r))) => Some(r.clone()),
                    _ => None,
                }
            };
            let mut defined = true;
            let mut at = |m: &Entries| {
                m.try_map(|e| {
                    e.map_coefficients(&mut |c| {
                        let found = c.substitute(&value)?;
                        defined &= found.is_some();
                        Ok(found.unwrap_or_else(RationalFunction::zero))
                    })
                })
            };
            let x = both.x.first(both.length)?.iter().map(&mut at).collect::<Result<Vec<_>, _>>()?;
            let y = both.y.first(both.length)?.iter().map(&mut at).collect::<Result<Vec<_>, _>>()?;
            let there = Sequences { x: &Response::of(x), y: Response::of(y), shift: both.shift, length: both.length };
            for j in 0..both.shift.len() {
                let left = self.column(&there, j, j, both.shift[j], schedules, usize::MAX)?;
                defined &= left.iter().all(Polynomial::is_zero);
            }
            if !defined {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is to be solved; nothing if it has no solution, or a function is sought.
    fn posed(
        &self,
        equations: Vec<Polynomial>,
        given: Side,
        base: Base,
        limit: &mut Option<Limit>,
    ) -> Result<Option<Problem>, Exhausted> {
        let (known, sought, side) = match given {
            Side::First => (self.a, self.b, Side::Second),
            Side::Second => (self.b, self.a, Side::First),
        };
        let numbers = self.matching.unknown(side, self.first.system.schedules.list.len());
        let symbols: SortedSet<Variable> =
            equations.iter().flat_map(Polynomial::variables).filter(|v| scheduled(*v).is_some()).collect();
        let is_unknown = |v: &Variable| scheduled(*v).is_some_and(|(j, _)| numbers.contains(&j));
        let unknown: Vec<Variable> = symbols.into_iter().filter(is_unknown).collect();
        let factors: Vec<Variable> = self.operators.unknowns().into_iter().chain(self.scales()).collect();
        let nonzero = self.operators.nonzero().into_iter().chain(self.scales()).map(Polynomial::variable);
        let mut problem = Problem {
            equations,
            unknowns: sought.parameters.iter().chain(&factors).copied().collect(),
            given: known.parameters.clone(),
            nonzero: self.a.nonzero.iter().chain(&self.b.nonzero).cloned().chain(nonzero).collect(),
            conditions: self.conditions,
        };
        if unknown.is_empty() && base == Base::Each {
            // Numbers that change with the index are generic: every coefficient must vanish.
            let parts = problem.equations.iter().flat_map(|p| self.matching.joint.coefficients(p));
            let parts: SortedSet<Polynomial> = parts.map(|p| p.primitive_part()).collect();
            if parts.iter().any(Polynomial::is_constant) {
                return Ok(None);
            }
            problem.equations = parts.into_iter().collect();
        } else {
            problem.equations = self.at_other_times(problem.equations, &unknown, 0)?;
            if !self.add_roots(&mut problem.equations, &numbers)? {
                *limit = Some(Limit::Functions);
                return Ok(None);
            }
            let symbols = problem.equations.iter().flat_map(Polynomial::variables).filter(|v| scheduled(*v).is_some());
            let symbols: SortedSet<Variable> = symbols.collect();
            let (unknown, running): (Vec<Variable>, Vec<Variable>) = symbols.into_iter().partition(is_unknown);
            problem.nonzero.extend(self.running_nonzero(&unknown)?);
            problem.unknowns.extend(unknown);
            // Nothing is asked of sequences that are given.
            if self.conditions == Conditions::Never {
                problem.given.extend(running);
            }
        }
        Ok(Some(problem))
    }

    pub(super) fn solve_equations(
        &self,
        equations: Vec<Polynomial>,
        given: Side,
        base: Base,
        limit: &mut Option<Limit>,
    ) -> Result<Option<Solved>, Exhausted> {
        Ok(self.solutions(equations, given, base, limit)?.into_iter().next())
    }

    /// All solutions.
    fn solutions(
        &self,
        equations: Vec<Polynomial>,
        given: Side,
        base: Base,
        limit: &mut Option<Limit>,
    ) -> Result<Vec<Solved>, Exhausted> {
        let Some(problem) = self.posed(equations, given, base, limit)? else { return Ok(Vec::new()) };
        let is_generic = self.conditions == Conditions::Never;
        if self.wanted.sifted && (is_generic && is_refuted(&problem)? || !may_have_solution(&problem)?) {
            return Ok(Vec::new());
        }
        self.sound(problem, given, limit)
    }

    /// All solutions of a problem that are real and leave both algorithms what they are, those together that have
    /// the same laws.
    pub(super) fn sound(
        &self,
        problem: Problem,
        given: Side,
        limit: &mut Option<Limit>,
    ) -> Result<Vec<Solved>, Exhausted> {
        let (known, sought) = if given == Side::First { (self.a, self.b) } else { (self.b, self.a) };
        let factors = self.operators.unknowns().into_iter().chain(self.scales());
        let mut free: SortedSet<Variable> = sought.parameters.iter().copied().chain(factors).collect();
        if self.conditions == Conditions::Allowed {
            free.extend(&known.parameters);
        }
        let mut found: Vec<Solved> = Vec::new();
        for (branch, laws) in self.lawful((problem, given), &free, ROUNDS, limit)? {
            let unreal = real::demands(self.texts(&self.sequences(&laws), given), &branch)?.is_none();
            if unreal || self.is_degenerate(&branch, &laws, given)? {
                continue;
            }
            match found.iter_mut().find(|(_, known)| *known == laws) {
                Some((branches, _)) => branches.push(branch),
                None => found.push((vec![branch], laws)),
            }
        }
        Ok(found)
    }

    /// Whether values silence an oracle or remove an operator, or conditions make both algorithms smaller than they are.
    fn is_degenerate(&self, branch: &Branch, laws: &Laws, given: Side) -> Result<bool, Exhausted> {
        let mut smaller = 0;
        let value = |v: Variable| match scheduled(v) {
            None => match branch.values.get(&v).or_else(|| branch.conditions.get(&v))? {
                Value::Rational(r) => Some(r.clone()),
                Value::Root { .. } => None,
            },
            Some((j, _)) => laws.values.get(&j).filter(|law| !varies(law)).cloned(),
        };
        let joint = &self.matching.joint;
        for (analysis, side) in [(self.first, Side::First), (self.second, Side::Second)] {
            let placed = |r: &RationalFunction| if side == Side::First { r.clone() } else { self.matching.placed(r) };
            if self.conditions == Conditions::Never && branch.conditions.is_empty() {
                // What is given has no values.
                if side != given && soundness::heard_words(analysis, joint, &placed, &value)?.is_none() {
                    return Ok(true);
                }
                continue;
            }
            match soundness::order_of_words(analysis, joint, &placed, &value)? {
                Some(order) if order < analysis.minimal_order => smaller += 1,
                Some(_) => {}
                None => return Ok(true),
            }
        }
        Ok(smaller == 2)
    }

    /// What must not vanish of sequences that are sought, at all times at which it speaks of these symbols.
    pub(super) fn running_nonzero(&self, unknown: &[Variable]) -> Result<SortedSet<Polynomial>, Exhausted> {
        let sought: SortedSet<usize> = unknown.iter().filter_map(|v| scheduled(*v)).map(|(j, _)| j).collect();
        let offsets = |vs: &[Variable]| -> Option<(i64, i64)> {
            let own = vs.iter().filter_map(|v| scheduled(*v)).filter(|(j, _)| sought.contains(j)).map(|(_, o)| o);
            Some((own.clone().min()?, own.max()?))
        };
        let Some((from, to)) = offsets(unknown) else { return Ok(SortedSet::new()) };
        let mut found = SortedSet::new();
        for p in self.a.running.iter().chain(&self.b.running) {
            let Some((first, last)) = offsets(&p.variables()) else { continue };
            for by in from - first..=to - last {
                let moved = self.matching.joint.advanced(&RationalFunction::polynomial(p.clone()), by)?;
                let known =
                    |v: &Variable| scheduled(*v).is_none_or(|(j, _)| !sought.contains(&j)) || unknown.contains(v);
                if moved.variables().iter().all(known) {
                    found.insert(moved.numerator().primitive_part());
                }
            }
        }
        Ok(found)
    }

    /// Adds that the squares of sought square roots are what these are roots of; whether no other function
    /// is sought.
    fn add_roots(&self, equations: &mut Vec<Polynomial>, numbers: &SortedSet<usize>) -> Result<bool, Exhausted> {
        let joint = &self.matching.joint;
        let mut done = SortedSet::new();
        loop {
            let symbols: SortedSet<Variable> = equations.iter().flat_map(Polynomial::variables).collect();
            let is_sought = |v: &Variable| {
                let function = scheduled(*v).filter(|(j, _)| numbers.contains(j));
                function.is_some_and(|(j, _)| matches!(joint.list[j].motion, Motion::Function(..)))
            };
            let Some(v) = symbols.into_iter().find(|v| is_sought(v) && !done.contains(v)) else { return Ok(true) };
            let Some(radicand) = radicand(joint, v)? else { return Ok(false) };
            // Where the root is linear in an equation its square is known, and so are those of given roots.
            let square = match equations.iter().find(|p| p.degree_in(v) == 1) {
                Some(p) => {
                    let parts = p.coefficients_in(v).into_iter().map(RationalFunction::polynomial).collect::<Vec<_>>();
                    parts[0].mul(&parts[0])?.sub(&parts[1].mul(&parts[1])?.mul(&radicand)?)?
                }
                None => {
                    let root = RationalFunction::variable(v);
                    root.mul(&root)?.sub(&radicand)?
                }
            };
            equations.push(joint.reduced(square.numerator())?.primitive_part());
            done.insert(v);
        }
    }

    /// All solutions. Constants in the place of sequences are expressed by parameters, and not the other way round.
    fn solved(&self, problem: &Problem) -> Result<Solution, Exhausted> {
        let is_still = |v: &Variable| {
            scheduled(*v).is_some_and(|(j, _)| {
                self.matching.joint.list[j].motion == Motion::Recursion(RationalFunction::variable(schedule(j, 0)))
            })
        };
        let (still, others): (Vec<Variable>, Vec<Variable>) = problem.unknowns.iter().partition(|v| is_still(v));
        if still.is_empty() || problem.conditions == Conditions::Allowed {
            return solve(problem);
        }
        // What is given has no part in this and stays generic.
        let asked = Problem { unknowns: still, given: others, conditions: Conditions::Allowed, ..problem.clone() };
        let mut solution = solve(&asked)?;
        for branch in &mut solution.branches {
            branch.free.extend(asked.given.iter().filter(|v| !branch.conditions.contains_key(v)));
            branch.values.extend(std::mem::take(&mut branch.conditions));
        }
        Ok(solution)
    }

    /// The branches whose sequences have laws. Where those ask for more of the parameters, that is
    /// solved for again.
    fn lawful(
        &self,
        (problem, given): (Problem, Side),
        free: &SortedSet<Variable>,
        rounds: usize,
        limit: &mut Option<Limit>,
    ) -> Result<Vec<(Branch, Laws)>, Exhausted> {
        let solution = self.solved(&problem)?;
        if !solution.complete {
            *limit = Some(Limit::Equations);
        }
        let mut found = Vec::new();
        for branch in solution.branches {
            let branch = match functions::settled(&self.first.system, &self.second.system, branch)? {
                Settled::Holds(branch) => branch,
                Settled::Fails => continue,
                Settled::Open => {
                    *limit = Some(Limit::Functions);
                    continue;
                }
            };
            let branch = if self.is_meeting() { self.without_consequences(branch, given) } else { branch };
            match laws(self.matching, settled(branch)?, free)? {
                Outcome::Laws(branch, laws) => found.push((branch, laws)),
                // What has no law at all times may still change from one law to another.
                Outcome::Inconsistent if self.is_meeting() => *limit = Some(Limit::Equations),
                Outcome::Never | Outcome::Inconsistent => {}
                Outcome::Open(why) => *limit = Some(why),
                Outcome::Where(_) if rounds == 0 => *limit = Some(Limit::Equations),
                Outcome::Where(more) => {
                    let mut narrower = problem.clone();
                    narrower.equations.extend(more);
                    found.extend(self.lawful((narrower, given), free, rounds - 1, limit)?);
                }
            }
        }
        Ok(found)
    }
}
