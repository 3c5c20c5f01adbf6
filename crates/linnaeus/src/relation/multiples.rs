//! Operators that are multiples of the identity by numbers that were sought: what these are is put in wherever they
//! stand, for it is part of what is assumed.

use super::operators::{is_coefficient, is_multiple, is_operator};
use super::verdict::{Assumption, ConstantMap, Witness};
use crate::system::schedule::scheduled;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, Integer, Rational, RationalFunction, SortedMap, SortedSet, Variable};

type Values = SortedMap<Variable, RationalFunction>;

/// What the multiples are on some branches, these branches, and how constants hang together on them.
type Group = (Values, Vec<Branch>, Vec<ConstantMap>);

/// The witness with the multiples of its first branch, and those other branches that have the same; others of them make
/// others. Nothing if no such multiple is a rational function of parameters.
pub fn settled(witness: Witness) -> Result<Option<Witness>, Exhausted> {
    let unknown = |a: &Assumption| match a {
        Assumption::Identity(.., factor) => symbol(factor).filter(|v| is_multiple(*v)),
        _ => None,
    };
    let sought: Vec<Variable> = witness.assumptions.iter().filter_map(unknown).collect();
    if sought.is_empty() {
        return Ok(Some(witness));
    }
    let mut groups: Vec<Group> = Vec::new();
    for (n, branch) in witness.branches.iter().enumerate() {
        let Some((branch, values)) = without(branch.clone(), &sought)? else { continue };
        let place = groups.iter().position(|(known, ..)| *known == values).unwrap_or(groups.len());
        if place == groups.len() {
            groups.push((values, Vec::new(), Vec::new()));
        }
        groups[place].1.push(branch);
        // One map of no constants is one for all branches.
        let shared = witness.constants.first().filter(|map| map.free.is_empty());
        groups[place].2.extend(witness.constants.get(n).or(shared).cloned());
    }
    // Those that are not negative first.
    let is_negative = |r: &RationalFunction| r.numerator().leading_coefficient() < Integer::ZERO;
    groups.sort_by_cached_key(|(known, ..)| {
        let negative: Vec<bool> = known.values().map(is_negative).collect();
        (negative.iter().filter(|n| **n).count(), negative)
    });
    let mut found = Vec::new();
    for group in groups {
        found.extend(with(witness.clone(), group)?);
    }
    let mut found = found.into_iter();
    let first = found.next();
    Ok(first.map(|first| Witness { others: found.collect(), ..first }))
}

/// The witness with the multiples of a group.
fn with(mut witness: Witness, (known, branches, constants): Group) -> Result<Option<Witness>, Exhausted> {
    // Where one map of constants is for all branches, it is the first one's.
    if constants.is_empty() && !witness.constants.is_empty() {
        return Ok(None);
    }
    (witness.branches, witness.constants) = (branches, constants);
    let put = |r: &RationalFunction| r.substitute(&|v| known.get(&v).cloned());
    let mut is_defined = true;
    let mut set = |r: &mut RationalFunction| -> Result<(), Exhausted> {
        match put(r)? {
            Some(there) => *r = there,
            None => is_defined = false,
        }
        Ok(())
    };
    for assumption in &mut witness.assumptions {
        if let Assumption::Identity(.., r) | Assumption::Positive(r) = assumption {
            set(r)?;
        }
    }
    witness.filters.iter_mut().try_for_each(&mut set)?;
    witness.operators.iter_mut().try_for_each(|(_, r)| set(r))?;
    witness.sequences.laws.iter_mut().try_for_each(|(_, r)| set(r))?;
    for m in &mut witness.matrices {
        let mut entries = m.clone();
        for (i, j) in (0..m.rows()).flat_map(|i| (0..m.cols()).map(move |j| (i, j))) {
            set(&mut entries[(i, j)])?;
        }
        *m = entries;
    }
    let images = witness.images.iter_mut().map(|(_, image)| image);
    let constants = witness.constants.iter_mut().flat_map(|map| map.images.iter_mut().flatten());
    for image in images.chain(constants) {
        *image = image.map_coefficients(&mut |c| {
            let mut c = c.clone();
            set(&mut c)?;
            Ok(c)
        })?;
    }
    Ok(is_defined.then_some(witness))
}

/// The symbol that a function is.
fn symbol(r: &RationalFunction) -> Option<Variable> {
    r.variables().first().copied().filter(|v| *r == RationalFunction::variable(*v))
}

/// A branch without the numbers that were sought, and what they are.
fn without(mut branch: Branch, sought: &[Variable]) -> Result<Option<(Branch, Values)>, Exhausted> {
    let mut known = Values::new();
    if let Some(there) = without_roots(&branch, sought)? {
        branch = there;
    }
    for v in sought {
        let value = match branch.values.remove(v) {
            Some(Value::Rational(value)) => value,
            Some(Value::Root { .. }) => return Ok(None),
            None => match tied(&branch, *v)? {
                // The parameter may be anything instead, and says what the multiple is.
                Some((w, value)) => {
                    branch.values.remove(&w);
                    branch.free.push(w);
                    value
                }
                // Where nothing says what it is, it is what makes the others simplest.
                None => match simplest(&branch, *v)? {
                    Some(value) => value,
                    None => return Ok(None),
                },
            },
        };
        for other in known.values_mut() {
            match other.substitute(&|x| (x == *v).then(|| value.clone()))? {
                Some(there) => *other = there,
                None => return Ok(None),
            }
        }
        let Some(there) = branch.at(&Values::from_iter([(*v, value.clone())]))? else { return Ok(None) };
        branch = there;
        branch.values.remove(v);
        known.insert(*v, value);
    }
    for value in known.values() {
        branch.keep_from_zero(value.numerator())?;
    }
    Ok(Some((branch, known)))
}

/// So large may the parts of a fraction be that a number is chosen to be.
const HEIGHT: i64 = 6;

/// The branch where numbers that were sought and may be anything make others rational that are roots.
fn without_roots(branch: &Branch, sought: &[Variable]) -> Result<Option<Branch>, Exhausted> {
    let is_root = |b: &Branch| sought.iter().any(|v| matches!(b.values.get(v), Some(Value::Root { .. })));
    if !is_root(branch) {
        return Ok(None);
    }
    let fraction = |p: i64, q: i64| Rational::from(p) / Rational::from(q);
    let mut numbers: Vec<(i64, i64)> = (1..=HEIGHT).flat_map(|q| (1..=HEIGHT).map(move |p| (p, q))).collect();
    numbers.sort_by_key(|(p, q)| (p.max(q).to_owned(), *q));
    for w in sought.iter().filter(|w| branch.free.contains(w)) {
        for (p, q) in numbers.iter().flat_map(|(p, q)| [(*p, *q), (-*p, *q)]) {
            let there = branch.at(&Values::from_iter([(*w, RationalFunction::rational(&fraction(p, q)))]))?;
            if let Some(there) = there.filter(|there| !is_root(there)) {
                return Ok(Some(there));
            }
        }
    }
    Ok(None)
}

/// A number that may be anything as that number or parameter which makes the values that depend on it simplest, if these
/// may still be anything; a number if there are none.
fn simplest(branch: &Branch, v: Variable) -> Result<Option<RationalFunction>, Exhausted> {
    let rational = |b: &Branch| -> Vec<RationalFunction> {
        let value = |x: &Value| match x {
            Value::Rational(r) => Some(r.clone()),
            Value::Root { .. } => None,
        };
        b.values.values().chain(b.conditions.values()).filter_map(value).collect()
    };
    let values = rational(branch);
    let depends = |r: &RationalFunction, v: Variable| r.variables().contains(&v);
    let is_number = |v: Variable| !is_coefficient(v) && !is_operator(v) && scheduled(v).is_none();
    let is_idle = !values.iter().any(|r| depends(r, v));
    // Each has a given parameter of its own in it that makes up for the choice.
    let makes_up = |r: &RationalFunction, g: Variable| {
        let is_given = is_number(g) && !branch.free.contains(&g);
        let is_linear = r.numerator().degree_in(g) == 1 && r.denominator().degree_in(g) == 0;
        is_given && is_linear && values.iter().filter(|r| depends(r, g)).count() == 1
    };
    let is_chosen = |w: Option<Variable>| {
        let is_free = |r: &RationalFunction| r.variables().into_iter().any(|g| Some(g) != w && makes_up(r, g));
        values.iter().filter(|r| depends(r, v)).all(is_free)
    };
    let symbols: SortedSet<Variable> = values.iter().flat_map(RationalFunction::variables).collect();
    let is_symbol = |w: &Variable| !is_idle && is_number(*w) && is_chosen(Some(*w));
    let symbols = symbols.into_iter().filter(is_symbol);
    let numbers = [1, 2, -1, 3].into_iter().filter(|_| is_chosen(None));
    let mut choices: Vec<RationalFunction> = symbols.map(RationalFunction::variable).collect();
    choices.extend(numbers.map(|n| RationalFunction::rational(&Rational::from(n))));
    let size = |r: &RationalFunction| r.numerator().term_count() + r.denominator().term_count();
    let mut best: Option<(usize, RationalFunction)> = None;
    for choice in choices {
        let Some(mut there) = branch.at(&Values::from_iter([(v, choice.clone())]))? else { continue };
        there.values.remove(&v);
        let there = rational(&there);
        let fixed = |list: &[RationalFunction]| list.iter().filter(|r| r.variables().is_empty()).count();
        let total: usize = there.iter().map(size).sum();
        if fixed(&there) == fixed(&values) && best.as_ref().is_none_or(|(known, _)| total < *known) {
            best = Some((total, choice));
        }
    }
    Ok(best.map(|(_, choice)| choice))
}

/// A parameter that is a linear function of a number that may be anything, and that number by it.
fn tied(branch: &Branch, v: Variable) -> Result<Option<(Variable, RationalFunction)>, Exhausted> {
    let linear = |(w, value): (&Variable, &Value)| match value {
        Value::Rational(r) if !is_coefficient(*w) => {
            let is_linear = r.numerator().degree_in(v) == 1 && r.denominator().degree_in(v) == 0;
            is_linear.then(|| (*w, r.clone()))
        }
        _ => None,
    };
    let mut all: Vec<_> = branch.values.iter().filter_map(linear).collect();
    all.sort_by_key(|(_, r)| symbol(r).is_none());
    let Some((w, r)) = all.into_iter().next() else { return Ok(None) };
    let parts: Vec<_> = r.numerator().coefficients_in(v).into_iter().map(RationalFunction::polynomial).collect();
    let whole = RationalFunction::variable(w).mul(&RationalFunction::polynomial(r.denominator().clone()))?;
    Ok(whole.sub(&parts[0])?.div(&parts[1])?.map(|value| (w, value)))
}
