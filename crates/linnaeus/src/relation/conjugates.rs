//! Names for conjugates: a saddle-point method calls prox_{s h} where others write prox_{s g*}. Every closed convex h is
//! the conjugate of some g, so that h = g* says what a function is called, and assumes nothing.

use super::behavior::Side;
use super::key::{Key, Sieve};
use super::search::{Names, Scope, Wanted, in_order};
use super::verdict::{Assumption, Conjugate, Directions, Generality, Relation, Sign, Verdict, Witness};
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
        let mut all = analysis.channels.iter().filter(|c| c.oracle.function == oracle.function);
        // What is declared of a function is not what is declared of its conjugate.
        let is_declared = analysis.system.traits.contains_key(&oracle.function);
        if !found.contains(&oracle.function) && !is_declared && all.all(|c| c.oracle.conjugate) {
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
    let known = if let Verdict::Related(w) = &found { Some(&**w) } else { None };
    let is_dual = known.is_some_and(Witness::is_dual);
    let is_plain = |w: &Witness| w.relation != Relation::Conditional && w.generality != Generality::Overlap;
    if known.is_some_and(is_plain) && !is_dual {
        return found;
    }
    let own = [called(first), called(second)];
    let renamings = renamings([&own[0], &own[1]]);
    // Where operators commute, a search is as quick as keys are.
    let commute = |x: &Analysis| matches!(x.transfer, Transfer::Commuting { .. });
    let has_none = wanted.sieve.is_some() || renamings.is_empty() || commute(first) && commute(second);
    let keys = (!has_none).then(|| [first, second].map(|x| Key::new(x, !x.system.schedules.is_empty())));
    let sieve = wanted.sieve.or_else(|| keys.as_ref().map(|[x, y]| Sieve::new(x, y)));
    for renaming in renamings {
        let analysis = if renaming.side == Side::First { first } else { second };
        let is_all = analysis.channels.iter().all(|c| renaming.functions.contains(&c.oracle.function));
        // Where all functions are conjugates the one is the dual of the other.
        if is_all && is_dual {
            continue;
        }
        let may = sieve.map_or(Directions::ALL, |sieve| sieve.renamed(&renaming).plain());
        let wanted = Wanted { forth: wanted.forth && may.forth, back: wanted.back && may.back, ..wanted };
        if !wanted.forth && !wanted.back {
            continue;
        }
        // That they meet is more than nothing.
        let is_new = |w: &Witness| w.generality != Generality::Overlap || known.is_none();
        if let Some(witness) = renamed(first, second, wanted, scope, &renaming).filter(is_new) {
            return Verdict::Related(Box::new(witness));
        }
    }
    found
}

/// How the two are related where functions are named so and nothing is assumed.
fn renamed(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope, renaming: &Renaming) -> Option<Witness> {
    let other = if renaming.side == Side::First { second } else { first };
    let is_named = |f: &String| other.channels.iter().any(|c| c.oracle.function == *f);
    if wanted.names == Names::Shared && renaming.functions.iter().any(is_named) {
        return None;
    }
    let mut read = [first.clone(), second.clone()];
    for channel in &mut read[usize::from(renaming.side == Side::Second)].channels {
        channel.oracle.conjugate ^= renaming.functions.contains(&channel.oracle.function);
    }
    let Wanted { only, names, forth, back, work, sifted, sieve, .. } = wanted;
    let sieve = sieve.map(|sieve| sieve.renamed(renaming));
    let plain = Wanted { only, names, forth, back, work, sifted, sieve, plain: true, ..Wanted::NONE };
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
