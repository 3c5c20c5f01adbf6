//! From the values of sequences at single times to laws: a sequence that is solved for has one law at
//! all times, goes on by its own rule, and parameters do not change with the index.

use super::behavior::Side;
use super::matching::Matching;
use super::operators::is_coefficient;
use super::sample;
use super::verdict::Limit;
use crate::system::schedule::{Motion, Schedules, resolve_squares, schedule, scheduled, start, started, varies};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Polynomial, RationalFunction, Sign, SortedMap, SortedSet, Variable};

/// What sequences that are solved for are, by their numbers. One that has neither a value nor a rule may be
/// anything that keeps to its own rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Laws {
    /// Functions of what is given, at the same time.
    pub values: SortedMap<usize, RationalFunction>,
    /// How sequences go on of which nothing else is asked, wherever they start.
    pub rules: SortedMap<usize, RationalFunction>,
    /// Sequences that may be anything.
    pub any: SortedSet<usize>,
    /// What square roots are that are solved for: a root is never negative, and these may be.
    pub roots: SortedSet<RationalFunction>,
}

impl Laws {
    /// The sequences with the rules that were found.
    pub fn ruled(&self, schedules: &Schedules) -> Schedules {
        let mut found = schedules.clone();
        for (j, rule) in &self.rules {
            found.list[*j].motion = Motion::Recursion(rule.clone());
        }
        found
    }

    /// Solved for the first's numbers, a branch says of the second's what it can: where one of the first's is one of
    /// the second's, that is the other way round. These sequences of the first may be anything.
    pub fn turn(&mut self, branch: &mut Branch, free: &[usize]) {
        let is_number = |v: Variable| scheduled(v).is_none() && started(v).is_none() && !is_coefficient(v);
        let is_free = |v: Variable| Side::of(v) == Side::Second && is_number(v);
        let is_own = |v: Variable| Side::of(v) == Side::First && is_number(v);
        loop {
            let twin = branch.values.iter().find_map(|(v, value)| match value {
                Value::Rational(r) if is_own(*v) => {
                    let twin = r.variables().first().copied();
                    twin.filter(|w| is_free(*w) && *r == RationalFunction::variable(*w)).map(|w| (*v, w))
                }
                _ => None,
            });
            let Some((own, other)) = twin else { break };
            branch.values.remove(&own);
            let renamed = |v: Variable| if v == other { own } else { v };
            let values = branch.values.values_mut().chain(branch.conditions.values_mut());
            for value in values {
                match value {
                    Value::Rational(r) => *r = r.rename(&renamed),
                    Value::Root { a, b, radicand } => {
                        (*a, *b, *radicand) = (a.rename(&renamed), b.rename(&renamed), radicand.rename(&renamed));
                    }
                }
            }
            for list in [&mut branch.relations, &mut branch.nonzero] {
                list.iter_mut().for_each(|p| *p = p.rename(&renamed));
            }
            for law in self.values.values_mut().chain(self.rules.values_mut()) {
                *law = law.rename(&renamed);
            }
            self.roots = self.roots.iter().map(|root| root.rename(&renamed)).collect();
            branch.values.insert(other, Value::Rational(RationalFunction::variable(own)));
        }
        // A sequence that is a number of the second's does not change, and that is where it starts.
        let is_still = |(j, law): (&usize, &RationalFunction)| {
            let number = law.variables().first().copied().filter(|w| is_free(*w) && !branch.values.contains_key(w))?;
            (free.contains(j) && *law == RationalFunction::variable(number)).then_some((*j, number))
        };
        let still: Vec<(usize, Variable)> = self.values.iter().filter_map(is_still).collect();
        let is_alone = |number: Variable| {
            let spoken_of = self.values.values().filter(|law| law.variables().contains(&number)).count();
            let symbols = branch.values.values().map(|value| match value {
                Value::Rational(r) => r.variables(),
                Value::Root { a, b, radicand } => [a.variables(), b.variables(), radicand.variables()].concat(),
            });
            spoken_of == 1 && !symbols.flatten().any(|v| v == number)
        };
        let still: Vec<(usize, Variable)> = still.into_iter().filter(|(_, number)| is_alone(*number)).collect();
        for (j, number) in still {
            self.values.remove(&j);
            self.rules.insert(j, RationalFunction::variable(schedule(j, 0)));
            branch.values.insert(number, Value::Rational(RationalFunction::variable(start(j))));
        }
    }

    /// These sequences go on as they are where nothing else is asked of them.
    pub fn keep(&mut self, sequences: &[usize]) {
        for &j in sequences.iter().filter(|j| !self.values.contains_key(j)) {
            self.any.remove(&j);
            self.rules.insert(j, RationalFunction::variable(schedule(j, 0)));
        }
    }
}

/// What the values of a branch come to.
pub enum Outcome {
    /// The branch without its sequences, and these as functions of time.
    Laws(Branch, Laws),
    /// No laws have these values.
    Never,
    /// These values, at different times, are none of one law.
    Inconsistent,
    /// There are laws only where this vanishes, which parameters decide.
    Where(Vec<Polynomial>),
    /// The values do not determine the laws.
    Open(Limit),
}

/// The laws of a branch's sequences. `free` are the unknowns that are no sequences.
pub fn laws(matching: &Matching, branch: Branch, free: &SortedSet<Variable>) -> Result<Outcome, Exhausted> {
    let is_root = |(v, value): (&Variable, &Value)| scheduled(*v).is_some() && matches!(value, Value::Root { .. });
    if branch.values.iter().any(is_root) || branch.relations.iter().any(|p| p.variables().into_iter().any(is_running)) {
        return Ok(Outcome::Open(Limit::Equations));
    }
    let Some(mut laws) = determined(matching, &branch)? else {
        return Ok(Outcome::Open(Limit::Equations));
    };
    let schedules = &laws.ruled(&matching.joint);
    let Some(AllTimes { branch: mut found, laws: lawful, steady }) = at_all_times(schedules, branch, &laws)? else {
        return Ok(Outcome::Inconsistent);
    };
    // Of sequences that are not determined, others may do.
    let open = laws.any.len() + laws.rules.len() > 0;
    let conditions = found.conditions.clone();
    let outcome = |wanted: Vec<Polynomial>| -> Result<Option<Outcome>, Exhausted> {
        let mut parts = SortedSet::new();
        for p in wanted.iter().filter(|p| !p.is_zero()).flat_map(|p| schedules.coefficients(p)) {
            let value = |v: Variable| match conditions.get(&v) {
                Some(Value::Rational(r)) => Some(r.clone()),
                _ => None,
            };
            let there = RationalFunction::polynomial(p.clone()).substitute(&value)?;
            parts.extend(Some(p).filter(|_| there.is_none_or(|r| !r.is_zero())));
        }
        let never = parts.iter().any(|p| !p.variables().iter().any(|v| free.contains(v)));
        Ok(match (parts.is_empty(), open, never) {
            (true, ..) => None,
            (_, true, _) => Some(Outcome::Open(Limit::Equations)),
            (_, false, true) => Some(Outcome::Never),
            (_, false, false) => Some(Outcome::Where(parts.into_iter().collect())),
        })
    };
    if let Some(Outcome::Never) = outcome(lawful.clone())? {
        return Ok(Outcome::Inconsistent);
    }
    let mut wanted: Vec<Polynomial> = lawful.into_iter().chain(steady).collect();
    let mut roots = SortedSet::new();
    for (j, rule) in &matching.rules {
        let Some(law) = laws.values.get(j) else { continue };
        match obeys(schedules, law, rule, &laws, &found)? {
            Obedience::Where(p, root) => {
                wanted.push(p);
                roots.extend(root);
            }
            Obedience::Never => return Ok(Outcome::Never),
            Obedience::Unknown => return Ok(Outcome::Open(Limit::Recursions)),
        }
    }
    for (j, law) in &laws.values {
        if let Motion::Function(..) = &schedules.list[*j].motion {
            let Some(radicand) = radicand(schedules, schedule(*j, 0))? else {
                return Ok(Outcome::Open(Limit::Functions));
            };
            let Some(radicand) = on(schedules, &radicand, &laws, &found)? else { return Ok(Outcome::Never) };
            wanted.push(schedules.reduced(law.mul(law)?.sub(&radicand)?.numerator())?);
            // The negative of a square root is none.
            let Some(root) = on(schedules, law, &laws, &found)? else { return Ok(Outcome::Never) };
            match sample::sign(schedules, &root, &[]) {
                Some(Sign::Nonnegative) => {}
                Some(Sign::Nonpositive) => return Ok(Outcome::Never),
                Some(_) => drop(roots.insert(root)),
                None => return Ok(Outcome::Open(Limit::Functions)),
            }
        }
    }
    if let Some(found) = outcome(wanted)? {
        return Ok(found);
    }
    // A power with the index is 1 where the index is 0.
    let mut starts = Vec::new();
    for (j, law) in &laws.values {
        if let Motion::Power(_) = &schedules.list[*j].motion {
            match at_zero(schedules, law)? {
                Some(one) => starts.push(one.sub(&RationalFunction::one())?.numerator().clone()),
                None => return Ok(Outcome::Open(Limit::Recursions)),
            }
        }
    }
    if let Some(found) = outcome(starts)? {
        return Ok(found);
    }
    // Parameters do not change: they are what they are where the index is 0.
    for value in found.values.values_mut() {
        if let Value::Rational(r) = value
            && varies(r)
        {
            match at_zero(schedules, r)? {
                Some(start) => *r = start,
                None => return Ok(Outcome::Open(Limit::Recursions)),
            }
        }
    }
    // That the index, or a power, is not negative somewhere is no condition on numbers.
    let runs = |v: Variable| {
        scheduled(v).is_some_and(|(j, _)| matches!(schedules.list[j].motion, Motion::Clock | Motion::Power(_)))
    };
    if roots.iter().any(|root| root.variables().into_iter().any(runs)) {
        return Ok(Outcome::Open(Limit::Functions));
    }
    laws.roots = roots;
    // That a number which changes with the index is never zero at some time is no condition.
    found.nonzero.retain(|p| !p.variables().into_iter().any(is_running));
    Ok(Outcome::Laws(found, laws))
}

/// A value with sequences by their laws and parameters by their values; nothing if it is not defined then.
fn on(
    schedules: &Schedules,
    r: &RationalFunction,
    laws: &Laws,
    branch: &Branch,
) -> Result<Option<RationalFunction>, Exhausted> {
    let value = |v: Variable| match (scheduled(v), branch.values.get(&v)) {
        (Some((j, offset)), _) => schedules.advanced(laws.values.get(&j)?, offset).ok(),
        (None, Some(Value::Rational(r))) => Some(r.clone()),
        _ => None,
    };
    r.substitute(&value)
}

fn is_running(v: Variable) -> bool {
    scheduled(v).is_some()
}

/// A value where the index is 0, in terms of the starts of sequences; nothing if it has none.
fn at_zero(schedules: &Schedules, r: &RationalFunction) -> Result<Option<RationalFunction>, Exhausted> {
    let mut values = SortedMap::new();
    for v in r.variables() {
        let Some((j, offset)) = scheduled(v) else { continue };
        let value = match (&schedules.list[j].motion, offset) {
            (Motion::Clock, _) => RationalFunction::zero(),
            (Motion::Power(_), _) => RationalFunction::one(),
            (Motion::Free | Motion::Recursion(_), 0) => RationalFunction::variable(start(j)),
            _ => return Ok(None),
        };
        values.insert(v, value);
    }
    r.substitute(&|v| values.get(&v).cloned())
}

/// A law for every sequence that is solved for: its value at one time, in terms of what is given or of
/// sequences that have laws; or else how it goes on; or else it may be anything. None if none of these.
fn determined(matching: &Matching, branch: &Branch) -> Result<Option<Laws>, Exhausted> {
    let schedules = &matching.joint;
    let sought: SortedSet<Variable> =
        branch.values.keys().chain(&branch.free).copied().filter(|v| scheduled(*v).is_some()).collect();
    let sequences: SortedSet<usize> = sought.iter().filter_map(|v| scheduled(*v)).map(|(j, _)| j).collect();
    let mut laws = Laws::default();
    loop {
        let mut before = usize::MAX;
        while before != laws.values.len() {
            before = laws.values.len();
            for (v, value) in &branch.values {
                let (Some((j, offset)), Value::Rational(value)) = (scheduled(*v), value) else { continue };
                let is_law =
                    |i: usize| laws.values.contains_key(&i) || laws.any.contains(&i) || laws.rules.contains_key(&i);
                let known = |w: &Variable| !sought.contains(w) || scheduled(*w).is_some_and(|(i, _)| is_law(i));
                if !is_law(j)
                    && value.variables().iter().all(known)
                    && let Some(value) = put_in(schedules, value, &laws)?
                {
                    laws.values.insert(j, schedules.advanced(&value, -offset)?);
                }
            }
        }
        let settled = |j: &&usize| laws.values.contains_key(j) || laws.any.contains(j) || laws.rules.contains_key(j);
        let open: Vec<usize> = sequences.iter().filter(|j| !settled(j)).copied().collect();
        // A sequence of which every value that occurs is free may be anything.
        let is_free =
            |j: &usize| sought.iter().all(|v| scheduled(*v).is_none_or(|(i, _)| i != *j) || branch.free.contains(v));
        if open.is_empty() {
            return Ok(Some(laws));
        }
        // A function is not free.
        let is_function = |j: &usize| matches!(schedules.list[*j].motion, Motion::Function(..));
        if open.iter().any(is_function) {
            return Ok(None);
        }
        if let Some(j) = open.iter().copied().find(is_free) {
            laws.any.insert(j);
            continue;
        }
        let is_ruled = |j: &usize| matching.rules.iter().any(|(i, _)| i == j);
        let mut rule = None;
        for j in open.iter().copied().filter(|j| !is_ruled(j)) {
            rule = going_on(schedules, branch, j, &sought, &laws)?.map(|next| (j, next));
            if rule.is_some() {
                break;
            }
        }
        let Some((j, next)) = rule else { return Ok(None) };
        laws.rules.insert(j, next);
    }
}

/// How a sequence goes on by an equation between its own values at different times, if that gives the latest.
fn going_on(
    schedules: &Schedules,
    branch: &Branch,
    j: usize,
    sought: &SortedSet<Variable>,
    laws: &Laws,
) -> Result<Option<RationalFunction>, Exhausted> {
    let own = |v: &Variable| scheduled(*v).filter(|(i, _)| *i == j).map(|(_, offset)| offset);
    let is_law = |i: usize| laws.values.contains_key(&i) || laws.any.contains(&i) || laws.rules.contains_key(&i);
    let known = |w: &Variable| !sought.contains(w) || scheduled(*w).is_some_and(|(i, _)| i == j || is_law(i));
    let mut equations = Vec::new();
    for (v, value) in &branch.values {
        let (Some(offset), Value::Rational(value)) = (own(v), value) else { continue };
        let times: Vec<i64> = value.variables().iter().filter_map(own).chain([offset]).collect();
        let (first, last) = (times.iter().min().copied().unwrap_or(0), times.iter().max().copied().unwrap_or(0));
        if first < last && value.variables().iter().all(known) {
            equations.push((last - first, v, value, last));
        }
    }
    // The one that looks back least: the others must follow from it.
    equations.sort_by_key(|(span, v, ..)| (*span, **v));
    for (_, v, value, last) in equations {
        let Some(value) = put_in(schedules, value, laws)? else { continue };
        let latest = schedule(j, last);
        let equation = RationalFunction::variable(*v).sub(&value)?;
        let numerator = RationalFunction::polynomial(equation.numerator().clone());
        let Some((a, b)) = linear(&numerator, latest)? else { continue };
        let Some(next) = a.neg().div(&b)? else { continue };
        return Ok(Some(schedules.advanced(&next, 1 - last)?));
    }
    Ok(None)
}

/// A value with sequences by their laws; nothing if it is not defined then.
fn put_in(schedules: &Schedules, r: &RationalFunction, laws: &Laws) -> Result<Option<RationalFunction>, Exhausted> {
    let mut values = SortedMap::new();
    for v in r.variables() {
        if let Some((j, offset)) = scheduled(v)
            && let Some(law) = laws.values.get(&j)
        {
            values.insert(v, schedules.advanced(law, offset)?);
        }
    }
    if values.is_empty() { Ok(Some(r.clone())) } else { r.substitute(&|v| values.get(&v).cloned()) }
}

/// A branch without its sequences.
struct AllTimes {
    branch: Branch,
    /// What must vanish for the laws of sequences to give all its values.
    laws: Vec<Polynomial>,
    /// And for its parameters not to change with the index.
    steady: Vec<Polynomial>,
}

/// What a branch asks at all times; nothing if that is impossible.
fn at_all_times(schedules: &Schedules, mut branch: Branch, laws: &Laws) -> Result<Option<AllTimes>, Exhausted> {
    let (mut lawful, mut steady) = (Vec::new(), Vec::new());
    let vanishing = |difference: RationalFunction| schedules.reduced(difference.numerator());
    for (v, value) in std::mem::take(&mut branch.values) {
        let value = match value {
            Value::Rational(value) => value,
            Value::Root { a, b, radicand } => {
                let still = !radicand.variables().into_iter().any(is_running);
                if !still || varies(&a) || varies(&b) {
                    return Ok(None);
                }
                branch.values.insert(v, Value::Root { a, b, radicand });
                continue;
            }
        };
        let Some(value) = put_in(schedules, &value, laws)? else {
            return Ok(None);
        };
        match scheduled(v) {
            Some((j, offset)) => {
                let own = match laws.values.get(&j) {
                    Some(law) => schedules.advanced(law, offset)?,
                    None => RationalFunction::variable(v),
                };
                lawful.push(vanishing(value.sub(&own)?)?);
            }
            None => {
                if varies(&value) {
                    steady.push(vanishing(value.sub(&schedules.advanced(&value, 1)?)?)?);
                }
                branch.values.insert(v, Value::Rational(value));
            }
        }
    }
    for condition in branch.conditions.values_mut() {
        match condition {
            Value::Rational(r) => {
                let Some(value) = put_in(schedules, r, laws)? else { return Ok(None) };
                if varies(&value) {
                    steady.push(vanishing(value.sub(&schedules.advanced(&value, 1)?)?)?);
                }
                *r = value;
            }
            Value::Root { a, b, radicand } => {
                if varies(a) || varies(b) || radicand.variables().into_iter().any(is_running) {
                    return Ok(None);
                }
            }
        }
    }
    branch.free.retain(|v| !is_running(*v));
    Ok(Some(AllTimes { branch, laws: lawful, steady }))
}

/// Whether a sequence that is solved for goes on by its own rule.
enum Obedience {
    /// It does where this vanishes, and a square root is not negative.
    Where(Polynomial, Option<RationalFunction>),
    /// It does not.
    Never,
    /// That cannot be said.
    Unknown,
}

fn obeys(
    schedules: &Schedules,
    law: &RationalFunction,
    rule: &RationalFunction,
    laws: &Laws,
    branch: &Branch,
) -> Result<Obedience, Exhausted> {
    let at = |r: &RationalFunction| on(schedules, r, laws, branch);
    let (next, Some(rule)) = (schedules.advanced(law, 1)?, at(rule)?) else {
        return Ok(Obedience::Unknown);
    };
    // Parameters of the rule are put in; those of the law are already.
    let value = |v: Variable| match branch.values.get(&v) {
        Some(Value::Rational(r)) if scheduled(v).is_none() => Some(r.clone()),
        _ => None,
    };
    let Some(next) = next.substitute(&value)? else {
        return Ok(Obedience::Unknown);
    };
    let vanishing = |r: &RationalFunction| schedules.reduced(r.numerator());
    let difference = next.sub(&rule)?;
    // A square root of the sequence's own: its value follows from the rule, and must be a root.
    let is_sought = |v: &Variable| {
        let radicand = radicand(schedules, *v).ok().flatten();
        let inner = radicand.iter().flat_map(RationalFunction::variables).filter_map(scheduled);
        inner.into_iter().any(|(j, _)| laws.values.contains_key(&j))
    };
    let roots: Vec<Variable> = rule.variables().into_iter().filter(is_sought).collect();
    match roots.as_slice() {
        [] => Ok(Obedience::Where(vanishing(&difference)?, None)),
        [root] => {
            let Some(radicand) = radicand(schedules, *root)?.map(|r| at(&r)).transpose()?.flatten() else {
                return Ok(Obedience::Unknown);
            };
            let difference = RationalFunction::polynomial(resolve_squares(difference.numerator(), *root, &radicand)?);
            let Some(value) = solved_for(&difference, *root)? else { return Ok(Obedience::Unknown) };
            let square = vanishing(&value.mul(&value)?.sub(&radicand)?)?;
            if !square.is_zero() {
                return Ok(Obedience::Where(square, None));
            }
            // Its negative is no square root.
            Ok(match sample::sign(schedules, &value, &[law, &radicand]) {
                Some(Sign::Nonnegative) => Obedience::Where(Polynomial::zero(), None),
                Some(Sign::Nonpositive) => Obedience::Never,
                Some(_) => Obedience::Where(Polynomial::zero(), Some(value)),
                None => Obedience::Unknown,
            })
        }
        _ => Ok(Obedience::Unknown),
    }
}

/// a and b with r = a + b v, if v occurs so.
fn linear(r: &RationalFunction, v: Variable) -> Result<Option<(RationalFunction, RationalFunction)>, Exhausted> {
    if r.numerator().degree_in(v) != 1 || r.denominator().degree_in(v) != 0 {
        return Ok(None);
    }
    let parts = r.numerator().coefficients_in(v);
    let part = |i: usize| RationalFunction::new(parts[i].clone(), r.denominator().clone());
    Ok(part(0)?.zip(part(1)?))
}

/// The value of a symbol that occurs only once in the numerator for which r vanishes.
fn solved_for(r: &RationalFunction, v: Variable) -> Result<Option<RationalFunction>, Exhausted> {
    let parts = r.numerator().coefficients_in(v);
    let [rest, factor] = &parts[..] else { return Ok(None) };
    RationalFunction::new(-rest, factor.clone())
}

/// What a symbol is the square root of.
pub fn radicand(schedules: &Schedules, v: Variable) -> Result<Option<RationalFunction>, Exhausted> {
    let Some((j, offset)) = scheduled(v) else { return Ok(None) };
    match &schedules.list[j].motion {
        Motion::Function("sqrt", radicand) => schedules.advanced(radicand, offset).map(Some),
        _ => Ok(None),
    }
}

/// A recursion as a polynomial in the values of sequences that must vanish, its square root put alone
/// and squared: t⁺² − t⁺ − t² for t⁺ = (1 + √(1 + 4t²))/2. None if there are more roots than one.
pub fn relation(schedules: &Schedules, j: usize) -> Result<Option<Polynomial>, Exhausted> {
    let Motion::Recursion(rule) = &schedules.list[j].motion else { return Ok(None) };
    let difference = RationalFunction::variable(schedule(j, 1)).sub(rule)?;
    let difference = RationalFunction::polynomial(schedules.reduced_to(difference.numerator(), 1)?);
    let is_root = |v: &Variable| matches!(radicand(schedules, *v), Ok(Some(_)));
    let roots: Vec<Variable> = difference.variables().into_iter().filter(is_root).collect();
    let vanishing = match roots.as_slice() {
        [] => difference,
        [root] => {
            let (Some(value), Some(radicand)) = (solved_for(&difference, *root)?, radicand(schedules, *root)?) else {
                return Ok(None);
            };
            value.mul(&value)?.sub(&radicand)?
        }
        _ => return Ok(None),
    };
    let is_function =
        |v: &Variable| scheduled(*v).is_some_and(|(j, _)| matches!(schedules.list[j].motion, Motion::Function(..)));
    let p = vanishing.numerator().primitive_part();
    Ok(Some(p).filter(|p| !p.variables().iter().any(is_function)))
}
