//! Repetition and assumptions where operators do not commute or numbers change with the index.

use super::run::special_choices;
use super::{Attempt, Names, Scope, Search, Stage, Wanted};
use crate::FUEL;
use crate::relation::behavior::{Behavior, Side, is_rectangular};
use crate::relation::lift;
use crate::relation::markov;
use crate::relation::obstruction::ports;
use crate::relation::verdict::{Assumption, Limit, Relation, Verdict, Witness};
use crate::system::schedule::Motion;
use crate::system::{Operator, operator_symbol};
use crate::transfer::{Analysis, Transfer};
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::{Exhausted, RationalFunction, SortedSet, Variable, limited, spend, with_fuel};

/// The work on several iterations taken as one, where families are compared.
const REPETITION: u64 = FUEL / 8;

/// The same where roots or other functions at several times would have to be solved for.
const REPETITION_OF_FUNCTIONS: u64 = FUEL / 100;

/// The work on what operators are where they are numbers.
const LINES: u64 = FUEL / 20;

/// The share of work for one assumption.
const ASSUMPTION: u64 = FUEL / 8;

/// One of the two as several iterations of the other, where operators do not commute or numbers change with
/// the index. What these are called has no meaning then, for the two count differently.
pub(super) fn repeated_words(
    first: &Analysis,
    second: &Analysis,
    wanted: Wanted,
    scope: Scope,
) -> Result<Option<Verdict>, Exhausted> {
    let (side, n) = match lift::factor(first, second) {
        None => return Ok(None),
        Some(Err(_)) => return Ok(Some(Verdict::Undecided(Limit::Candidates))),
        Some(Ok(found)) => found,
    };
    let single = if side == Side::First { first } else { second };
    let Some(lifted) = lift::lifted_words(single, n)? else {
        return Ok(Some(Verdict::Undecided(Limit::Recursions)));
    };
    // Without the calls that an earlier iteration makes.
    let Some(lifted) = markov::closed(&lifted, side, &[])? else { return Ok(None) };
    let (a, b) = if side == Side::First { (&lifted.analysis, second) } else { (first, &lifted.analysis) };
    let motions = || single.system.schedules.list.iter().map(|s| &s.motion);
    // What may be any sequence may begin anywhere, and so may several iterations taken as one.
    let begins_anywhere = motions().all(|m| *m == Motion::Free).then_some((side, single.channels.len()));
    // An assumption on operators besides makes it conditional.
    let admits = |found: &Witness| wanted.admits(found.relation.max(Relation::Repetition));
    let conditional = scope == Scope::Texts && wanted.conditional && wanted.admits(Relation::Conditional);
    let asked = Wanted { only: None, names: Names::Foreign, conditional, sieve: None, begins_anywhere, ..wanted };
    let work = match motions().any(|m| matches!(m, Motion::Function(..))) {
        true => REPETITION_OF_FUNCTIONS,
        false => REPETITION,
    };
    let compare = || markov::compare(a, b, asked, scope);
    let found = match scope {
        Scope::Texts => compare()?,
        Scope::Families => with_fuel(work, compare).unwrap_or(Verdict::Undecided(Limit::Work)),
    };
    Ok(match found {
        Verdict::Related(found) if !admits(&found) => None,
        Verdict::Related(found) => {
            let (relation, repeat) = (found.relation.max(Relation::Repetition), Some((side, n)));
            let number = |whose: Side, i: usize| if whose == side { lifted.kept[i] } else { i };
            let channel_map =
                found.channel_map.iter().map(|&(i, j)| (number(Side::First, i), number(Side::Second, j))).collect();
            Some(Verdict::Related(Box::new(Witness { relation, repeat, channel_map, ..*found })))
        }
        Verdict::Undecided(limit) => Some(Verdict::Undecided(limit)),
        Verdict::Distinct(_) => None,
    })
}

/// The same where all operators are multiples of the identity and the other side has none: they commute then, so that
/// all that is tried of commuting operators can be. Nothing if that does not relate the two either.
pub(super) fn multiple_words(
    first: &Analysis,
    second: &Analysis,
    wanted: Wanted,
) -> Result<Option<Verdict>, Exhausted> {
    let own = |analysis: &Analysis, side: Side| -> Result<Vec<Variable>, Exhausted> {
        let operators: SortedSet<usize> = markov::letters(analysis)?.possible.iter().map(|(o, _)| *o).collect();
        Ok(operators.into_iter().map(|o| side.place(operator_symbol(o))).collect())
    };
    let all = match (own(first, Side::First)?, own(second, Side::Second)?) {
        (all, other) | (other, all) if other.is_empty() && !all.is_empty() => all,
        _ => return Ok(None),
    };
    let (Some(first), Some(second)) = (lift::commuting(first)?, lift::commuting(second)?) else { return Ok(None) };
    let (Some(a), Some(b)) = (Behavior::new(&first, Side::First), Behavior::new(&second, Side::Second)) else {
        return Ok(None);
    };
    let wanted = Wanted { known: None, sieve: None, ..wanted };
    let mut search = Search::new(&first, &second, wanted, Scope::Texts);
    let found = search.with_multiples(&a, &b, &all)?;
    Ok(found.or(search.limit.map(Verdict::Undecided)))
}

/// Whether of two families neither lies in the other where all spaces are lines: operators are numbers there.
pub fn differ_on_lines(first: &Analysis, second: &Analysis, wanted: Wanted) -> Result<bool, Exhausted> {
    // What leads through a space of which no call tells may do so through a larger one.
    if shares_inner_space(first) || shares_inner_space(second) {
        return Ok(false);
    }
    let (Some(first), Some(second)) = (lift::commuting(first)?, lift::commuting(second)?) else { return Ok(false) };
    let numbers = |x: &Analysis, side: Side| Behavior::new(x, side).map(Behavior::with_numbers);
    let (Some(a), Some(b)) = (numbers(&first, Side::First), numbers(&second, Side::Second)) else { return Ok(false) };
    let wanted = Wanted { only: None, sieve: None, known: None, answers: None, ..wanted };
    let mut search = Search::new(&first, &second, wanted, Scope::Families);
    let found = limited(LINES, || search.best(&a, &b, Attempt::plain(Stage::Generic)))?;
    Ok(matches!(found, Some(None)) && search.limit.is_none())
}

/// Whether several operators lead from or to a space in which nothing is asked or answered.
fn shares_inner_space(analysis: &Analysis) -> bool {
    let system = &analysis.system;
    let called: SortedSet<usize> =
        system.calls.iter().flat_map(|c| [c.input, c.output]).map(|s| system.spaces.class(s)).collect();
    let inner =
        |o: &Operator| [o.domain, o.codomain].map(|s| system.spaces.class(s)).into_iter().find(|s| !called.contains(s));
    let spaces: Vec<usize> = system.operators.iter().filter(|o| o.is_used()).filter_map(inner).collect();
    spaces.iter().collect::<SortedSet<_>>().len() < spaces.len()
}

/// Parameters for which two texts agree where all operators of both are the identity, which is no relation of the two.
pub fn agree_as_identities(first: &Analysis, second: &Analysis) -> Result<Option<Branch>, Exhausted> {
    if [first, second].iter().any(|x| x.system.operators.is_empty()) {
        return Ok(None);
    }
    let (Some(first), Some(second)) = (lift::commuting(first)?, lift::commuting(second)?) else { return Ok(None) };
    let (Some(a), Some(b)) = (Behavior::new(&first, Side::First), Behavior::new(&second, Side::Second)) else {
        return Ok(None);
    };
    let all: Vec<Variable> = a.operators.iter().chain(&b.operators).copied().collect();
    let one = |v: Variable| all.contains(&v).then(RationalFunction::one);
    let (Some(a), Some(b)) = (a.substituted(&one)?, b.substituted(&one)?) else { return Ok(None) };
    let [a, b] = [a, b].map(|x| Behavior { operators: Vec::new(), ..x });
    let mut search = Search::new(&first, &second, Wanted::ALL, Scope::Texts);
    let Some(found) = search.best(&a, &b, Attempt::plain(Stage::Generic))? else { return Ok(None) };
    let Some(mut branch) = found.branches.into_iter().next() else { return Ok(None) };
    branch.values.extend(all.into_iter().map(|v| (v, Value::Rational(RationalFunction::one()))));
    Ok(Some(branch))
}

/// One family in another whose operators do not commute, its own doing so: what they make of those are functions of
/// operators that commute.
pub(super) fn functions_of_commuting(
    first: &Analysis,
    second: &Analysis,
    wanted: Wanted,
) -> Result<Option<Verdict>, Exhausted> {
    let commutes = [first, second].map(|x| matches!(x.transfer, Transfer::Commuting { .. }));
    let sought = match commutes {
        [true, false] => second,
        [false, true] => first,
        _ => return Ok(None),
    };
    // An operator and its adjoint would be functions of others and of their adjoints.
    let is_plain =
        |o: &Operator| !is_rectangular(&sought.system, o) && (o.symmetric || !o.plain_used || !o.adjoint_used);
    if !sought.system.operators.iter().all(is_plain) {
        return Ok(None);
    }
    let (Some(first), Some(second)) = (lift::commuting(first)?, lift::commuting(second)?) else { return Ok(None) };
    let (Some(a), Some(b)) = (Behavior::new(&first, Side::First), Behavior::new(&second, Side::Second)) else {
        return Ok(None);
    };
    let (forth, back) = (wanted.forth && commutes[0], wanted.back && commutes[1]);
    let wanted = Wanted { forth, back, known: None, sieve: None, answers: None, ..wanted };
    let mut search = Search::new(&first, &second, wanted, Scope::Texts);
    match search.best(&a, &b, Attempt::plain(Stage::Generic))? {
        Some(found) => search.accepted(&a, &b, found, Vec::new()),
        None => Ok(None),
    }
}

/// The same where functions are special.
pub(super) fn special_words(
    first: &Analysis,
    second: &Analysis,
    wanted: Wanted,
    scope: Scope,
) -> Result<Option<Verdict>, Exhausted> {
    let mut limit = None;
    let mut choices = special_choices(&ports(first), &ports(second));
    if let Some(sieve) = wanted.sieve {
        choices.retain(|c| matches!(c.as_slice(), [(side, f, special)] if sieve.special((*side, f, *special))));
    }
    let operators = first.system.operators.len() + second.system.operators.len() > 0;
    for conditional in [false, true] {
        if conditional && !operators {
            continue;
        }
        for choice in &choices {
            let sides = (markov::closed(first, Side::First, choice)?, markov::closed(second, Side::Second, choice)?);
            let (Some(a), Some(b)) = sides else { continue };
            if a.kept.len() != b.kept.len() || a.kept.is_empty() {
                continue;
            }
            let wanted = Wanted { only: None, conditional, sieve: None, ..wanted };
            let compare = || markov::compare(&a.analysis, &b.analysis, wanted, scope);
            match with_fuel(ASSUMPTION, compare) {
                Ok(Verdict::Related(found)) => {
                    let assumed = choice.iter().cloned().map(|(side, f, s)| Assumption::Function(side, f, s));
                    return Ok(Some(Verdict::Related(Box::new(Witness {
                        relation: Relation::Conditional,
                        assumptions: assumed.chain(found.assumptions).collect(),
                        channel_map: found.channel_map.iter().map(|(i, j)| (a.kept[*i], b.kept[*j])).collect(),
                        ..*found
                    }))));
                }
                Ok(Verdict::Undecided(why)) => limit = limit.or(Some(why)),
                Ok(Verdict::Distinct(_)) => {}
                Err(_) => {
                    spend(1)?;
                    limit = limit.or(Some(Limit::Work));
                }
            }
        }
    }
    Ok(limit.map(Verdict::Undecided))
}
