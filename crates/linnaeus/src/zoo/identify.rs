//! What an algorithm is: every card of the zoo that it is related to.

use super::key::repetition;
use super::{Animal, Key, MAX_TIMES, Zoo, repeated_key};
use crate::relation::behavior::Side;
use crate::relation::graph::Special;
use crate::relation::{Comparison, Generality, Relation, Verdict, Wanted, Witness, compare, relate};
use crate::source::Source;
use crate::system::Coefficients;
use crate::transfer::Analysis;
use linnaeus_algebra::solve::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How an algorithm is related to a card, in the order of the answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The same calls of the same oracles.
    Same,
    /// The same calls, some of them earlier or later.
    SameUpToShift,
    /// The same in other oracles of the same functions.
    SameInOtherOracles,
    /// Several iterations of the one are one of the other.
    Repetition,
    /// All of the input lies in the card.
    SpecialCaseOf,
    /// All of the card lies in the input.
    Contains,
    /// One of these where a function or an operator is special.
    UnderAssumption,
}

impl Group {
    /// All of them, in order.
    pub const ALL: [Group; 7] = [
        Group::Same,
        Group::SameUpToShift,
        Group::SameInOtherOracles,
        Group::Repetition,
        Group::SpecialCaseOf,
        Group::Contains,
        Group::UnderAssumption,
    ];

    /// The heading in text.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Same => "The same",
            Group::SameUpToShift => "The same up to a shift in time",
            Group::SameInOtherOracles => "The same in other oracles",
            Group::Repetition => "The same, several iterations taken as one",
            Group::SpecialCaseOf => "A special case of",
            Group::Contains => "Contains",
            Group::UnderAssumption => "Under an assumption",
        }
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Group::Same => "same",
            Group::SameUpToShift => "same-up-to-shift",
            Group::SameInOtherOracles => "same-in-other-oracles",
            Group::Repetition => "repetition",
            Group::SpecialCaseOf => "special-case-of",
            Group::Contains => "contains",
            Group::UnderAssumption => "under-assumption",
        }
    }

    fn of(witness: &Witness) -> Group {
        match (witness.relation, witness.generality) {
            (Relation::Conditional, _) | (_, Generality::Overlap) => Group::UnderAssumption,
            (Relation::Repetition, _) => Group::Repetition,
            (_, Generality::Instance) => Group::SpecialCaseOf,
            (_, Generality::Contains) => Group::Contains,
            (Relation::Oracle | Relation::Permutation, _) if witness.shift.iter().all(|m| *m == 0) => Group::Same,
            (Relation::Oracle | Relation::Permutation | Relation::Shift, _) => Group::SameUpToShift,
            (Relation::Lft | Relation::LinearOracle | Relation::Homogeneous, _) => Group::SameInOtherOracles,
        }
    }
}

/// A card that the input is related to.
#[derive(Debug)]
pub struct Match<'z> {
    /// The card.
    pub animal: &'z Animal,
    /// How, the input being the first.
    pub comparison: Comparison,
    /// Where it stands in the answer.
    pub group: Group,
    /// Whether numbers of the input that change with the index were taken as constants.
    pub frozen: bool,
}

/// A card that the input is not related to, but comes near.
#[derive(Debug)]
pub struct NearMiss<'z> {
    /// The card.
    pub animal: &'z Animal,
    /// What differs.
    pub comparison: Comparison,
}

/// All that the zoo knows of an algorithm.
#[derive(Debug, Default)]
pub struct Identification<'z> {
    /// Related cards, strongest and least special first.
    pub matches: Vec<Match<'z>>,
    /// Cards for which a limit left the question open.
    pub undecided: Vec<&'z Animal>,
    /// The nearest cards, where none is related.
    pub near_misses: Vec<NearMiss<'z>>,
    /// The input with its numbers that change with the index taken as constants, if it has any.
    pub frozen: Option<Analysis>,
}

/// At most so many near misses are told.
const NEAR: usize = 3;

/// Finds every card that an algorithm, analysed from its text, is related to. An algorithm with numbers that change with the index is compared with all cards as it is, and with
/// those of constant coefficients once more with its own taken as constants.
pub fn identify<'z>(zoo: &'z Zoo, source: &Source, analysis: &Analysis) -> Identification<'z> {
    let mut found = Identification::default();
    if analysis.system.schedules.is_empty() {
        let key = Key::new(analysis, false);
        found.search(zoo, analysis, &key, false);
        found.finish(zoo, analysis, &key);
        return found;
    }
    let frozen = crate::read_with(source.text(), Coefficients::Frozen);
    let key = Key::new(frozen.analysis.as_ref().unwrap_or(analysis), true);
    found.search(zoo, analysis, &key, false);
    if let Some(frozen) = &frozen.analysis {
        found.search(zoo, frozen, &Key { varies: false, ..key.clone() }, true);
    }
    found.finish(zoo, analysis, &key);
    found.frozen = frozen.analysis;
    found
}

impl<'z> Identification<'z> {
    /// Compares with every card that the key allows.
    fn search(&mut self, zoo: &'z Zoo, analysis: &Analysis, key: &Key, frozen: bool) {
        let mut lifted = Lifted::default();
        for animal in zoo.candidates(key) {
            let Some(card_key) = animal.key() else { continue };
            let special = key.special_functions(card_key);
            let often = repetition(&key.calls, &card_key.calls).and_then(|n| lifted.of(analysis, n));
            let seldom = repetition(&card_key.calls, &key.calls).and_then(|n| animal.repeated_key(n));
            let repeated =
                often.is_some_and(|k| k.directions(card_key).any()) || seldom.is_some_and(|k| key.directions(k).any());
            let wanted = worth_trying(key, card_key, repeated, &special);
            let known = self.matches.iter().any(|m| m.animal.card.id == animal.card.id);
            if !wanted.any() || known {
                continue;
            }
            let Some(card) = animal.analysis() else { continue };
            if frozen && !card.system.schedules.is_empty() {
                continue;
            }
            let comparison = relate(analysis, card, wanted);
            match &comparison.verdict {
                Verdict::Related(witness) => {
                    let group = Group::of(witness);
                    self.matches.push(Match { animal, comparison, group, frozen });
                }
                Verdict::Undecided(_) => self.undecided.push(animal),
                Verdict::Distinct(_) => {}
            }
        }
    }

    fn finish(&mut self, zoo: &'z Zoo, analysis: &Analysis, key: &Key) {
        self.matches.sort_by_cached_key(|m| rank(m, analysis));
        if self.matches.is_empty() {
            self.near_misses = nearest(zoo, analysis, key);
        }
    }
}

/// The keys of several iterations of the input taken as one.
#[derive(Default)]
struct Lifted(BTreeMap<usize, Option<Key>>);

impl Lifted {
    fn of(&mut self, analysis: &Analysis, times: usize) -> Option<&Key> {
        if !(2..=MAX_TIMES).contains(&times) {
            return None;
        }
        self.0.entry(times).or_insert_with(|| repeated_key(analysis, times)).as_ref()
    }
}

/// What the keys do not exclude.
fn worth_trying<'a>(input: &Key, card: &Key, repeated: bool, special: &'a [(Side, String, Special)]) -> Wanted<'a> {
    let directions = input.directions(card);
    let conditional = !special.is_empty() || input.may_have_identity(card);
    let dual = input.may_be_dual(card);
    let any = conditional || repeated || dual;
    Wanted {
        only: None,
        forth: directions.forth || any,
        back: directions.back || any,
        plain: directions.any(),
        repeated,
        dual,
        conditional,
        special: Some(special),
    }
}

/// Groups in order; then the strongest relation, the fewest assumptions, the plainest parameters.
fn rank(m: &Match, input: &Analysis) -> impl Ord + use<> {
    let Verdict::Related(witness) = &m.comparison.verdict else {
        unreachable!("only related cards are matches");
    };
    let settings = witness.branches.first().map_or(0, |b| b.values.values().filter(|v| !is_symbol(v)).count());
    let conditions = witness.branches.first().map_or(0, |b| b.conditions.len());
    let same_text = m.animal.analysis().is_some_and(|card| is_same_text(card, input));
    (
        m.frozen,
        m.group,
        witness.relation,
        Reverse(same_text),
        witness.assumptions.len(),
        conditions,
        settings,
        witness.branches.len(),
        m.animal.card.id.clone(),
    )
}

fn is_symbol(value: &Value) -> bool {
    match value {
        Value::Rational(r) => r.is_polynomial() && r.numerator().term_count() == 1 && r.numerator().total_degree() == 1,
        Value::Root { .. } => false,
    }
}

/// Whether both name their iterates and parameters alike.
fn is_same_text(a: &Analysis, b: &Analysis) -> bool {
    let names = |x: &Analysis| x.system.signals.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
    names(a) == names(b)
        && a.system.parameters == b.system.parameters
        && a.system.equations.len() == b.system.equations.len()
        && a.system.equations.iter().zip(&b.system.equations).all(|(x, y)| x.form == y.form)
}

/// Cards with the same oracles, nearest in degree.
fn nearest<'z>(zoo: &'z Zoo, analysis: &Analysis, key: &Key) -> Vec<NearMiss<'z>> {
    let mut alike: Vec<(usize, &Animal)> = zoo
        .animals()
        .iter()
        .filter_map(|animal| Some((key.distance(animal.key()?, analysis, animal.analysis()?)?, animal)))
        .collect();
    alike.sort_by_key(|(distance, animal)| (*distance, animal.card.id.clone()));
    let mut found = Vec::new();
    for (_, animal) in alike.into_iter().take(NEAR) {
        if let Some(card) = animal.analysis() {
            found.push(NearMiss { animal, comparison: compare(analysis, card, None) });
        }
    }
    found
}
