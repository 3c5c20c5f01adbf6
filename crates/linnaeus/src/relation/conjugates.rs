//! Names for conjugates: a saddle-point method calls prox_{s h} where others write prox_{s g*}. Every closed convex h is
//! the conjugate of some g, so that h = g* says what a function is called, and assumes nothing.

use super::behavior::Side;
use super::key::{Key, Sieve};
use super::search::{Names, Scope, Wanted, in_order};
use super::verdict::{Assumption, Conjugate, Generality, Relation, Sign, Verdict, Witness};
use crate::transfer::{Analysis, Transfer};

/// Functions of one side, of which only the conjugates are called, that are read as functions of the other's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// The side.
    pub side: Side,
    /// Its functions.
    pub functions: Vec<String>,
}

/// The functions of which only the conjugate is called.
pub fn called(analysis: &Analysis) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for oracle in analysis.channels.iter().map(|c| &c.oracle).filter(|o| o.conjugate) {
        let all = analysis.channels.iter().filter(|c| c.oracle.function == oracle.function);
        // What is declared of a function is not what is declared of its conjugate.
        let is_declared = analysis.system.traits.contains_key(&oracle.function);
        if !found.contains(&oracle.function) && !is_declared && all.into_iter().all(|c| c.oracle.conjugate) {
            found.push(oracle.function.clone());
        }
    }
    found
}

/// One function of a side, or all of them: those that both texts name so may keep their names.
pub fn renamings(called: [&[String]; 2]) -> Vec<Renaming> {
    let of = |(side, names): (Side, &[String])| {
        let all = (names.len() > 1).then(|| names.to_vec());
        let sets = all.into_iter().chain(names.iter().map(|f| vec![f.clone()]));
        sets.map(|functions| Renaming { side, functions }).collect::<Vec<_>>()
    };
    [Side::First, Side::Second].into_iter().zip(called).flat_map(of).collect()
}

/// What was found, or what is found with other names for conjugates if that says more.
pub fn preferred(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope, found: Verdict) -> Verdict {
    let is_dual = |w: &Witness| w.assumptions.iter().any(|a| matches!(a, Assumption::Dual(_)));
    let is_plain =
        |w: &Witness| w.relation != Relation::Conditional && w.generality != Generality::Overlap && !is_dual(w);
    if matches!(&found, Verdict::Related(w) if is_plain(w)) {
        return found;
    }
    let own = [called(first), called(second)];
    // Where operators commute, a search is as quick as keys are.
    let commute = |x: &Analysis| matches!(x.transfer, Transfer::Commuting { .. });
    let keys = (wanted.sieve.is_none() && !(commute(first) && commute(second)))
        .then(|| [first, second].map(|x| Key::new(x, !x.system.schedules.is_empty())));
    let sieve = keys.as_ref().map(|[x, y]| Sieve::new(x, y));
    let is_possible = |renaming: &Renaming| sieve.is_none_or(|sieve| sieve.renamed(renaming).plain().any());
    for renaming in renamings([&own[0], &own[1]]).iter().filter(|r| is_possible(r)) {
        let analysis = if renaming.side == Side::First { first } else { second };
        let is_all = analysis.channels.iter().all(|c| renaming.functions.contains(&c.oracle.function));
        // Where all functions are conjugates the one is the dual of the other.
        if is_all && matches!(&found, Verdict::Related(w) if is_dual(w)) {
            continue;
        }
        // That they meet is more than nothing.
        let is_new = |w: &Witness| w.generality != Generality::Overlap || !matches!(found, Verdict::Related(_));
        if let Some(witness) = renamed(first, second, wanted, scope, renaming).filter(is_new) {
            return Verdict::Related(Box::new(witness));
        }
    }
    found
}

/// How the two are related where functions are named so and nothing is assumed.
fn renamed(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope, renaming: &Renaming) -> Option<Witness> {
    let mut read = [first.clone(), second.clone()];
    let other = if renaming.side == Side::First { second } else { first };
    let is_named = |f: &String| other.channels.iter().any(|c| c.oracle.function == *f);
    if wanted.names == Names::Shared && renaming.functions.iter().any(is_named) {
        return None;
    }
    for channel in &mut read[usize::from(renaming.side == Side::Second)].channels {
        channel.oracle.conjugate ^= renaming.functions.contains(&channel.oracle.function);
    }
    let sieve = wanted.sieve.map(|sieve| sieve.renamed(renaming));
    let may = sieve.map(|sieve| sieve.plain());
    let plain = Wanted {
        plain: true,
        forth: wanted.forth && may.is_none_or(|may| may.forth),
        back: wanted.back && may.is_none_or(|may| may.back),
        sieve,
        known: None,
        ..Wanted { only: wanted.only, names: wanted.names, work: wanted.work, sifted: wanted.sifted, ..Wanted::NONE }
    };
    if !plain.forth && !plain.back {
        return None;
    }
    let Verdict::Related(mut witness) = in_order(&read[0], &read[1], plain, scope) else { return None };
    if witness.relation == Relation::Conditional {
        return None;
    }
    let theirs = called(other);
    for f in &renaming.functions {
        let function = |analysis: &Analysis, channel: usize| {
            analysis.channels[channel % analysis.channels.len()].oracle.function.clone()
        };
        let pairs = witness.channel_map.iter().map(|&(i, j)| [function(first, i), function(second, j)]);
        let [one, two] = pairs.into_iter().find(|pair| pair[usize::from(renaming.side == Side::Second)] == *f)?;
        // A conjugate of which both call the conjugate is another problem's function.
        if theirs.contains(if renaming.side == Side::First { &two } else { &one }) {
            return None;
        }
        witness.assumptions.push(Assumption::Conjugate(Conjugate { first: one, second: two, sign: Sign::Plus }));
    }
    Some(*witness)
}
