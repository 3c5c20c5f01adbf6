//! Parameters that have one name in both texts, and names for what is sought.

use crate::operator::OperatorPolynomial;
use crate::relation::behavior::{Side, owner};
use crate::relation::operators;
use crate::relation::verdict::Witness;
use crate::system::schedule::{Motion, Schedule, schedule, scheduled, start, started};
use crate::system::{LinearSystem, operator_symbol, parameter};
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Coefficient, Exhausted, Polynomial, RationalFunction, SortedMap, Variable};

/// Branches that keep a parameter's name and sign come first.
pub(super) fn strangeness(branch: &Branch, first: &LinearSystem, second: &LinearSystem) -> (usize, usize, usize) {
    let name = |v: Variable| {
        let (side, own) = owner(v);
        let system = if side == Side::First { first } else { second };
        system.parameters.get(own.0 as usize)
    };
    let mut strange = 0;
    let mut negative = 0;
    for (v, value) in &branch.values {
        match value {
            Value::Rational(r) => {
                let same = r.variables().len() == 1
                    && *r == RationalFunction::variable(r.variables()[0])
                    && name(r.variables()[0]) == name(*v);
                strange += usize::from(!same);
                negative += usize::from(r.numerator().leading_coefficient() < linnaeus_algebra::Integer::ZERO);
            }
            Value::Root { b, .. } => {
                strange += 1;
                negative += usize::from(b.numerator().leading_coefficient() < linnaeus_algebra::Integer::ZERO);
            }
        }
    }
    (branch.conditions.len(), strange, negative)
}

/// Parameters of one name in both texts.
pub(super) struct Twins {
    /// The second's, and their namesakes among the first's.
    pairs: SortedMap<Variable, Variable>,
    /// Parameters whose roots occur in their stead, as the squares of these.
    squares: SortedMap<Variable, RationalFunction>,
}

impl Twins {
    /// Those of two texts.
    pub(super) fn of(first: &LinearSystem, second: &LinearSystem) -> Result<Twins, Exhausted> {
        let mut squares = SortedMap::new();
        for (system, side) in [(first, Side::First), (second, Side::Second)] {
            for (square, root) in system.squares() {
                let root = RationalFunction::variable(side.place(root));
                squares.insert(side.place(square), root.mul(&root)?);
            }
        }
        let twin = |(j, name): (usize, &String)| {
            let i = first.parameters.iter().position(|n| n == name)?;
            Some((Side::Second.place(parameter(j)), Side::First.place(parameter(i))))
        };
        // Where the roots are the same, their squares are.
        let says_more = |(v, w): &(Variable, Variable)| !squares.contains_key(v) || !squares.contains_key(w);
        let pairs = second.parameters.iter().enumerate().filter_map(twin).filter(says_more).collect();
        Ok(Twins { pairs, squares })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// Values of free parameters for which all parameters of one name are the same; nothing if there are none.
pub(super) fn agreed(
    branch: &Branch,
    twins: &Twins,
) -> Result<Option<SortedMap<Variable, RationalFunction>>, Exhausted> {
    let value = |v: &Variable| match branch.values.get(v).or_else(|| branch.conditions.get(v)) {
        None => Some(twins.squares.get(v).cloned().unwrap_or_else(|| RationalFunction::variable(*v))),
        Some(Value::Rational(r)) => Some(r.clone()),
        Some(Value::Root { .. }) => None,
    };
    let mut chosen: SortedMap<Variable, RationalFunction> = SortedMap::new();
    // What is free is its namesake before others are chosen.
    let is_free = |(v, w): &(&Variable, &Variable)| branch.free.contains(v) || branch.free.contains(w);
    let (free, others): (Vec<_>, Vec<_>) = twins.pairs.iter().partition(is_free);
    for (v, w) in free.into_iter().chain(others) {
        let (Some(x), Some(y)) = (value(v), value(w)) else { return Ok(None) };
        let Some(difference) = x.sub(&y)?.substitute(&|u| chosen.get(&u).cloned())? else { return Ok(None) };
        if difference.is_zero() {
            continue;
        }
        let p = difference.numerator();
        let is_open = |u: &Variable| branch.free.contains(u) && !chosen.contains_key(u) && p.degree_in(*u) == 1;
        let other = || branch.free.iter().find(|u| is_open(u) && !twins.pairs.contains_key(u));
        let Some(u) = [v, w].into_iter().find(|u| is_open(u)).or_else(other) else { return Ok(None) };
        let parts: Vec<_> = p.coefficients_in(*u).into_iter().map(RationalFunction::polynomial).collect();
        let Some(choice) = parts[0].neg().div(&parts[1])? else { return Ok(None) };
        for earlier in chosen.values_mut() {
            match earlier.substitute(&|x| (x == *u).then(|| choice.clone()))? {
                Some(there) => *earlier = there,
                None => return Ok(None),
            }
        }
        chosen.insert(*u, choice);
    }
    for p in &branch.nonzero {
        let there = RationalFunction::polynomial(p.clone()).substitute(&|u| chosen.get(&u).cloned())?;
        if there.is_none_or(|r| r.is_zero()) {
            return Ok(None);
        }
    }
    // What is left unsolved must not be about what was chosen.
    let is_apart = |p: &Polynomial| p.variables().iter().all(|v| !chosen.contains_key(v));
    Ok(branch.relations.iter().all(is_apart).then_some(chosen))
}

/// Whether what is left unsolved is about parameters of one name.
fn concerns(p: &Polynomial, branch: &Branch, twins: &Twins) -> bool {
    twins.pairs.iter().flat_map(|(v, w)| [v, w]).any(|v| {
        match branch.values.get(v).or_else(|| branch.conditions.get(v)) {
            None => p.degree_in(*v) > 0,
            Some(Value::Rational(r)) => r.variables().into_iter().any(|u| p.degree_in(u) > 0),
            Some(Value::Root { .. }) => true,
        }
    })
}

/// The part of a branch where parameters of one name are the same, if there is one.
pub(super) fn with_twins(branch: &Branch, twins: &Twins) -> Result<Option<Branch>, Exhausted> {
    let Some(chosen) = agreed(branch, twins)?.filter(|_| branch.relations.is_empty()) else { return Ok(None) };
    let put = |u: Variable| chosen.get(&u).cloned();
    let mut found = branch.clone();
    for value in found.values.values_mut().chain(found.conditions.values_mut()) {
        let Value::Rational(r) = value else { return Ok(None) };
        match r.substitute(&put)? {
            Some(there) => *r = there,
            None => return Ok(None),
        }
    }
    found.values.extend(chosen.iter().map(|(u, r)| (*u, Value::Rational(r.clone()))));
    found.free.retain(|v| !chosen.contains_key(v));
    let mut nonzero = Vec::new();
    for p in &branch.nonzero {
        let there = RationalFunction::polynomial(p.clone()).substitute(&put)?;
        nonzero.extend(there.map(|r| r.numerator().clone()).filter(|p| !p.is_constant()));
    }
    nonzero.dedup();
    found.nonzero = nonzero;
    Ok(Some(found))
}

/// Whether a relation holds with the same values of all that has one name in both texts: parameters, sequences,
/// operators and constants; nothing where nothing has.
pub fn same_values(first: &Analysis, second: &Analysis, witness: &Witness) -> Result<Option<bool>, Exhausted> {
    let (one, two) = (&first.system, &second.system);
    let twins = Twins::of(one, two)?;
    let operators = shared(&one.operators, &two.operators, |o| &o.name);
    let constants = shared(&one.constants, &two.constants, |c| &c.name);
    let sequences = same_sequences(one, two, witness);
    if twins.is_empty() && operators.is_empty() && constants.is_empty() && sequences.is_none() {
        return Ok(None);
    }
    let mut is_open = false;
    for (n, branch) in witness.branches.iter().enumerate() {
        is_open |= branch.relations.iter().any(|p| concerns(p, branch, &twins));
        let Some(chosen) = agreed(branch, &twins)? else { continue };
        let value = |v: Variable| match (chosen.get(&v), branch.values.get(&v)) {
            (Some(r), _) | (None, Some(Value::Rational(r))) => Some(r.clone()),
            _ => None,
        };
        // Coefficients have values in which others are chosen.
        let mut settled = |c: &RationalFunction| {
            let there = c.substitute(&value)?.unwrap_or_else(|| c.clone());
            Ok(there.substitute(&value)?.unwrap_or(there))
        };
        let mut same = sequences != Some(false);
        for &(i, j) in &operators {
            same &= is_same_operator(witness, (i, j), &mut settled)?;
        }
        if let Some(map) = witness.constants.get(n).or_else(|| witness.constants.first()) {
            for &(i, j) in &constants {
                let (given, own) = if map.given == Side::First { (i, j) } else { (j, i) };
                for (&free, c) in map.free.iter().zip(&map.images[own]) {
                    let c = c.map_coefficients(&mut settled)?;
                    same &= if free == given { c == OperatorPolynomial::one() } else { c.is_zero() };
                }
            }
        }
        if same {
            return Ok(Some(true));
        }
    }
    Ok(Some(false).filter(|_| !is_open))
}

/// The places of what has one name in both lists.
fn shared<T>(first: &[T], second: &[T], name: impl Fn(&T) -> &String) -> Vec<(usize, usize)> {
    let twin = |(j, x): (usize, &T)| Some((first.iter().position(|y| name(y) == name(x))?, j));
    second.iter().enumerate().filter_map(twin).collect()
}

/// Whether an operator is its namesake, and neither its adjoint nor a multiple.
fn is_same_operator(
    witness: &Witness,
    (i, j): (usize, usize),
    settled: &mut dyn FnMut(&RationalFunction) -> Result<RationalFunction, Exhausted>,
) -> Result<bool, Exhausted> {
    let (ours, theirs) = (Side::First.place(operator_symbol(i)), Side::Second.place(operator_symbol(j)));
    let (one, two) = (witness.multiple(Side::First, i), witness.multiple(Side::Second, j));
    if one.is_some() || two.is_some() {
        return Ok(one == two);
    }
    let told = |v: Variable| witness.operators.iter().any(|(w, _)| *w == v);
    for (target, source) in [(theirs, i), (ours, j)] {
        let image = witness.images.iter().find(|(v, _)| *v == target);
        let Some((_, image)) = image else {
            if told(target) {
                return Ok(false);
            }
            continue;
        };
        let image = image.map_coefficients(settled)?;
        let is_plain = matches!(&image.terms()[..], [(word, c)]
            if c.is_one() && matches!(&word[..], [l] if l.operator as usize == source && !l.adjoint && !l.inverse));
        return Ok(is_plain);
    }
    // It is in neither H.
    Ok(true)
}

/// Whether sequences of one name are one, and numbers that change in one text alone what they are called in the
/// other; nothing where no sequence has the name of anything in the other text.
fn same_sequences(first: &LinearSystem, second: &LinearSystem, witness: &Witness) -> Option<bool> {
    let sequences = &witness.sequences;
    let own = first.schedules.list.len();
    let is_named = |s: &Schedule| matches!(s.motion, Motion::Free | Motion::Recursion(_));
    let law = |j: usize| sequences.laws.iter().find(|(i, _)| *i == j).map(|(_, law)| law);
    let is = |j: usize, v: Variable| law(j).is_some_and(|law| *law == RationalFunction::variable(v));
    // A sequence that does not change is the number with which it starts.
    let is_still = |i: usize| {
        let same = RationalFunction::variable(schedule(i, 0));
        sequences.rules.iter().any(|(n, rule)| *n == i && *rule == same)
    };
    let is_start = |i: usize, v: Variable| {
        let one = Value::Rational(RationalFunction::variable(start(i)));
        witness.branches.iter().all(|branch| branch.values.get(&v) == Some(&one))
    };
    let mut found = None;
    let mut tell = |same: bool| found = Some(found.unwrap_or(true) && same);
    for (j, s) in second.schedules.list.iter().enumerate().filter(|(_, s)| is_named(s)) {
        let place = sequences.place.get(j).copied().unwrap_or(own + j);
        if let Some(i) = first.schedules.list.iter().position(|t| is_named(t) && t.name == s.name) {
            tell(place == i || is(place, schedule(i, 0)) || is(i, schedule(place, 0)));
        }
        if let Some(i) = first.parameters.iter().position(|p| *p == s.name) {
            tell(is(place, Side::First.place(parameter(i))));
        }
    }
    for (i, s) in first.schedules.list.iter().enumerate().filter(|(_, s)| is_named(s)) {
        if let Some(j) = second.parameters.iter().position(|p| *p == s.name) {
            let number = Side::Second.place(parameter(j));
            tell(is(i, number) || is_still(i) && is_start(i, number));
        }
    }
    found
}

/// A symbol's name in its own text.
pub fn symbol_name(first: &Analysis, second: &Analysis, v: Variable) -> String {
    symbol_name_in(first, second, v, None)
}

/// The same for the iteration whose index is 0: `t[1]` for `t[k+1]`.
pub fn symbol_name_at_start(first: &Analysis, second: &Analysis, v: Variable) -> String {
    symbol_name_in(first, second, v, Some(""))
}

pub(super) fn symbol_name_in(first: &Analysis, second: &Analysis, v: Variable, index: Option<&str>) -> String {
    if let Some(j) = started(v) {
        return symbol_name_in(first, second, schedule(j, 0), Some(""));
    }
    if let Some((j, offset)) = scheduled(v) {
        let own = first.system.schedules.list.len();
        let (system, j, side) =
            if j < own { (&first.system, j, Side::First) } else { (&second.system, j - own, Side::Second) };
        let names = |w: Variable| symbol_name_in(first, second, side.place(w), index);
        let letter = index.unwrap_or(&system.letter);
        return system.schedules.text(schedule(j, offset), letter, &names).unwrap_or_else(|| "?".to_string());
    }
    if operators::is_coefficient(v) {
        return format!("c{}", v.0 % 10);
    }
    let (side, own) = owner(v);
    let system = if side == Side::First { &first.system } else { &second.system };
    let operator = own.0.checked_sub(crate::system::operator_symbol(0).0);
    match operator {
        Some(i) => system.operators.get(i as usize).map_or_else(|| "?".to_string(), |o| o.name.clone()),
        None => system.parameters.get(own.0 as usize).cloned().unwrap_or_else(|| "?".to_string()),
    }
}
