//! Relations of several kinds, each for other parameters.
//!
//! A relation that asks something of parameters says nothing of the others. Another kind of relation may hold for all
//! of them, or for others: with a step that depends on b two proxes are the same for every b, with the same step for
//! b = 0 alone. What asks for least is told first, of those that ask for as much the strongest; what holds elsewhere is
//! told beside it.

use super::recheck::Recheck;
use super::search::{Names, rational};
use super::verdict::{Relation, Verdict, Witness};
use super::{Comparison, decided};
use crate::FUEL;
use crate::relation::behavior::Side;
use crate::transfer::Analysis;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, RationalFunction, with_fuel};

/// Relations that assume nothing of functions and operators.
const KINDS: [Relation; 4] = [Relation::Oracle, Relation::Shift, Relation::Permutation, Relation::Lft];

/// The comparison with relations of other kinds, if the one that was found asks something of parameters.
pub fn beside(first: &Analysis, second: &Analysis, names: Names, found: Comparison) -> Comparison {
    let Verdict::Related(main) = &found.verdict else { return found };
    if !KINDS.contains(&main.relation) || main.repeat.is_some() || !main.assumptions.is_empty() || asked(main) == [0, 0]
    {
        return found;
    }
    let mut all: Vec<(Box<Witness>, Option<Recheck>)> = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| *kind != main.relation) {
        let other = with_fuel(FUEL / 20, || decided(first, second, Some(kind), names));
        if let Verdict::Related(witness) = other.verdict
            && witness.assumptions.is_empty()
            && witness.repeat.is_none()
        {
            all.push((witness, other.recheck));
        }
    }
    all.push((main.clone(), found.recheck));
    all.sort_by_key(|(witness, _)| (asked(witness)[0], witness.relation));
    let mut all = all.into_iter();
    let Some((main, recheck)) = all.next() else { return found };
    let mut also: Vec<Witness> = Vec::new();
    for (witness, _) in all {
        let known: Vec<&Branch> = also.iter().chain([&*main]).flat_map(|w| &w.branches).collect();
        let is_known =
            |branch: &Branch, other: &Branch| with_fuel(FUEL / 100, || lies_in(branch, other)).unwrap_or(false);
        let is_new = |branch: &Branch| !known.iter().any(|other| is_known(branch, other));
        let new: Vec<usize> = (0..witness.branches.len()).filter(|&n| is_new(&witness.branches[n])).collect();
        if !new.is_empty() {
            let branches = new.iter().map(|&n| witness.branches[n].clone()).collect();
            let constants = new.iter().filter_map(|&n| witness.constants.get(n).cloned()).collect();
            also.push(Witness { branches, constants, ..*witness });
        }
    }
    Comparison { verdict: Verdict::Related(main), recheck, also, ..found }
}

/// Of how many of A's parameters, and of how many of B's, a branch that asks for least asks something.
fn asked(witness: &Witness) -> [usize; 2] {
    let is_number = |value: &Value| matches!(value, Value::Rational(r) if r.variables().is_empty());
    let of = |branch: &Branch| {
        let numbers =
            |side: Side| branch.values.iter().filter(move |(v, value)| Side::of(**v) == side && is_number(value));
        [branch.conditions.len() + numbers(Side::First).count(), numbers(Side::Second).count()]
    };
    witness.branches.iter().map(of).min().unwrap_or_default()
}

/// Whether what a branch determines makes true what another one says.
fn lies_in(branch: &Branch, other: &Branch) -> Result<bool, Exhausted> {
    let put = rational(branch);
    for (v, value) in other.conditions.iter().chain(&other.values) {
        let Value::Rational(value) = value else { return Ok(false) };
        let (Some(here), Some(there)) = (put(*v), value.substitute(&put)?) else { return Ok(false) };
        if here != there {
            return Ok(false);
        }
    }
    for p in &other.nonzero {
        let there = RationalFunction::polynomial(p.clone()).substitute(&put)?;
        if there.is_none_or(|r| r.is_zero()) {
            return Ok(false);
        }
    }
    Ok(other.relations.is_empty())
}
