//! What an algorithm is: every card of the zoo that it is related to.

use super::graph::meet;
use super::ranges::{Range, ranges, violated};
use super::{Animal, Card, Lifted, Zoo};
use crate::FUEL;
use crate::relation::behavior::Side;
use crate::relation::key::{Key, Sieve, repetition};
use crate::relation::{
    Answers, Comparison, Generality, Known, Limit, Names, Relation, Verdict, Wanted, Witness, compare_as, relate,
};
use crate::source::Source;
use crate::syntax::ast::OracleKind;
use crate::system::Coefficients;
use crate::transfer::{Analysis, Factor, folded, without_onlookers};
use linnaeus_algebra::factor::Memory;
use linnaeus_algebra::solve::{Branch, Value};
use linnaeus_algebra::with_fuel;
use std::cmp::Reverse;

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
            // The dual is another problem's algorithm.
            _ if witness.is_dual() => Group::UnderAssumption,
            (Relation::Conditional, _) | (_, Generality::Overlap) => Group::UnderAssumption,
            (_, Generality::Instance) => Group::SpecialCaseOf,
            (_, Generality::Contains) => Group::Contains,
            (Relation::Repetition, _) => Group::Repetition,
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
    /// Parameters of the card that are not where it wants them.
    pub outside: Vec<Range>,
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
    pub undecided: Vec<Open<'z>>,
    /// The nearest cards, where none is related.
    pub near_misses: Vec<NearMiss<'z>>,
    /// The input with its numbers that change with the index taken as constants, if it has any.
    pub frozen: Option<Analysis>,
    /// What cards were asked for, if it is not the input as it is.
    pub asked: Option<Asked>,
}

/// An input as it is compared with cards.
#[derive(Debug)]
pub struct Asked {
    /// The algorithm.
    pub analysis: Analysis,
    /// Whether calls carry samples, which are left out: cards call their functions without.
    pub without_samples: bool,
    /// Iterates on which no call depends, left out where their coefficients alone change with the index.
    pub onlookers: Vec<String>,
    /// Parameters that do nothing but scale a function: cards have functions, not multiples of them.
    pub folded: Vec<Factor>,
}

impl Asked {
    /// Nothing if it is asked as it is.
    fn new(analysis: &Analysis) -> Option<Asked> {
        let still = if analysis.system.schedules.is_empty() { None } else { without_onlookers(analysis) };
        let (still, onlookers) = still.map_or((None, Vec::new()), |(still, names)| (Some(still), names));
        let plain = without_samples(still.as_ref().unwrap_or(analysis));
        let without_samples = plain.is_some();
        let asked = plain.or(still);
        // What takes too long is asked as it is.
        let folded = folded(asked.as_ref().unwrap_or(analysis)).unwrap_or_default();
        match (folded, asked) {
            (Some((analysis, folded)), _) => Some(Asked { analysis, without_samples, onlookers, folded }),
            (None, Some(analysis)) => Some(Asked { analysis, without_samples, onlookers, folded: Vec::new() }),
            (None, None) => None,
        }
    }
}

impl Identification<'_> {
    /// The input as cards were asked for it.
    pub fn input<'a>(&'a self, input: &'a Analysis) -> &'a Analysis {
        self.asked.as_ref().map_or(input, |asked| &asked.analysis)
    }
}

/// At most so many near misses are told.
const NEAR: usize = 3;

/// They are chosen among so many.
const COMPARED: usize = 8;

/// So far apart are cards for every oracle of another kind that they call.
const FAR: usize = 100;

/// Finds every card that an algorithm, analysed from its text, is related to. An algorithm with numbers
/// that change with the index is compared with such cards as it is, and with those of constant coefficients with
/// its own taken as constants or, if that is no match, as it is.
pub fn identify<'z>(zoo: &'z Zoo, source: &Source, analysis: &Analysis) -> Identification<'z> {
    let inquiry = Inquiry::new(zoo, source, analysis);
    let findings = (0..inquiry.candidates()).filter_map(|i| inquiry.compare(i)).collect();
    inquiry.finish(findings)
}

/// The question what an algorithm is, as comparisons none of which needs another.
#[derive(Debug)]
pub struct Inquiry<'z, 'a> {
    zoo: &'z Zoo,
    /// As it is, and as it is asked.
    written: &'a Analysis,
    asked: Option<Asked>,
    own: Own,
    /// With numbers that change with the index taken as constants.
    frozen: Option<(Analysis, Own)>,
    answers: Answers,
    memory: Memory,
    animals: Vec<&'z Animal>,
}

/// What is computed of the input.
#[derive(Debug)]
struct Own {
    key: Key,
    lifted: Lifted,
    known: Known,
}

impl Own {
    fn new(key: Key) -> Own {
        Own { key, lifted: Lifted::default(), known: Known::new(Side::First) }
    }
}

/// What one comparison came to.
#[derive(Debug)]
pub enum Finding<'z> {
    /// The card is related.
    Match(Match<'z>),
    /// It is open whether the card is related.
    Undecided(Open<'z>),
}

/// A card that is open.
#[derive(Copy, Clone, Debug)]
pub struct Open<'z> {
    /// The card.
    pub animal: &'z Animal,
    /// Whether the input's numbers that change with the index are taken as constants.
    pub frozen: bool,
    /// Why.
    pub limit: Limit,
}

/// The work on one card at first.
const EASY: u64 = FUEL / 50;

/// The work on all cards together that are open then.
const HARD: u64 = FUEL / 5;

/// The work on a card that comes near.
const NEARBY: u64 = FUEL / 6;

impl<'z, 'a> Inquiry<'z, 'a> {
    /// Asks what an algorithm is.
    pub fn new(zoo: &'z Zoo, source: &Source, analysis: &'a Analysis) -> Inquiry<'z, 'a> {
        let mut inquiry = Inquiry::among(zoo, Vec::new(), source, analysis);
        inquiry.animals = zoo.candidates(&inquiry.own.key);
        inquiry
    }

    /// Asks which of some cards an algorithm is; nothing is computed of the others.
    pub fn among(zoo: &'z Zoo, animals: Vec<&'z Animal>, source: &Source, analysis: &'a Analysis) -> Inquiry<'z, 'a> {
        let asked = Asked::new(analysis);
        let whole = asked.as_ref().map_or(analysis, |asked| &asked.analysis);
        let varies = !whole.system.schedules.is_empty();
        let frozen = match varies {
            true => crate::read_with(source.text(), Coefficients::Frozen).analysis,
            false => None,
        };
        let frozen = frozen.map(|f| Asked::new(&f).map_or(f, |asked| asked.analysis));
        let key = Key::new(frozen.as_ref().unwrap_or(whole), varies);
        let frozen = frozen.map(|frozen| (frozen, Own::new(key.frozen())));
        let (answers, memory) = Default::default();
        Inquiry { zoo, written: analysis, asked, own: Own::new(key), frozen, answers, memory, animals }
    }

    fn analysis(&self) -> &Analysis {
        self.asked.as_ref().map_or(self.written, |asked| &asked.analysis)
    }

    /// How many cards are worth a look.
    pub fn candidates(&self) -> usize {
        self.animals.len()
    }

    /// One of them.
    pub fn card(&self, candidate: usize) -> &'z Card {
        &self.animals[candidate].card
    }

    /// Compares with one of them, if its key allows that; nothing if it is not related. What takes more than a little
    /// work is open until all have been compared.
    pub fn compare(&self, candidate: usize) -> Option<Finding<'z>> {
        self.compare_within(EASY, self.animals[candidate])
    }

    fn compare_within(&self, work: u64, animal: &'z Animal) -> Option<Finding<'z>> {
        let as_it_is = || self.ask(work, animal, self.analysis(), &self.own, false);
        let Some((analysis, own)) = self.frozen.as_ref().filter(|_| animal.key().is_some_and(|k| !k.varies)) else {
            return as_it_is();
        };
        let found = self.ask(work, animal, analysis, own, true);
        match found {
            Some(Finding::Match(_)) => found,
            // What only certain sequences do is no matter of constants. What is left open there is not denied.
            _ => match as_it_is() {
                related @ Some(Finding::Match(_)) => related,
                open => found.or(open),
            },
        }
    }

    fn ask(
        &self,
        work: u64,
        animal: &'z Animal,
        analysis: &Analysis,
        own: &Own,
        is_frozen: bool,
    ) -> Option<Finding<'z>> {
        let Own { key, lifted, known } = own;
        let card_key = animal.key()?;
        let often = repetition(&key.calls, &card_key.calls);
        let seldom = repetition(&card_key.calls, &key.calls);
        let is_multiple = often.or(seldom).is_some();
        let often = often.and_then(|n| Some((Side::First, n, lifted.of(analysis, known, n)?, card_key)));
        let repeated = often.or_else(|| seldom.and_then(|n| Some((Side::Second, n, key, animal.repeated_key(n)?))));
        let repeated = repeated.map(|(side, n, first, second)| (side, n, Sieve::new(first, second)));
        let mut wanted = worth_trying(Sieve::new(key, card_key), repeated);
        // Of several iterations keys tell nothing where numbers change with the index, and of many there are none.
        if is_multiple && (key.varies || card_key.varies || repeated.is_none()) {
            wanted = Wanted { forth: true, back: true, repeated: true, sieve_of_repeated: None, ..wanted };
        }
        // The index is no number that could be chosen: what holds of its functions as constants holds at every index.
        if is_frozen && analysis.system.frozen.contains(&analysis.system.letter) {
            wanted.back = false;
        }
        if !wanted.any() || !(wanted.forth || wanted.back) {
            return None;
        }
        let wanted = Wanted { known: Some([known, &animal.known]), answers: Some(&self.answers), work, ..wanted };
        let card = animal.analysis()?;
        let comparison = self.memory.during(|| relate(analysis, card, wanted));
        match comparison.verdict {
            Verdict::Undecided(limit) => Some(Finding::Undecided(Open { animal, frozen: is_frozen, limit })),
            _ => Match::new(animal, comparison, is_frozen).map(Finding::Match),
        }
    }

    /// The answer, from the findings in any order.
    pub fn finish(self, findings: Vec<Finding<'z>>) -> Identification<'z> {
        let mut found = Identification::default();
        let mut undecided: Vec<Open> = Vec::new();
        for finding in self.insisted(findings) {
            match finding {
                Finding::Match(m) => found.matches.push(m),
                Finding::Undecided(open) => undecided.push(open),
            }
        }
        found.matches.extend(self.meeting(&found.matches));
        undecided.sort_by_key(|open| (open.frozen, open.animal.card.id.clone()));
        found.undecided = undecided;
        if found.matches.is_empty() {
            (found.near_misses, found.matches) = nearest(self.zoo, self.analysis(), &self.own.key);
        }
        found.matches.sort_by_cached_key(|m| rank(m, self.analysis()));
        found.frozen = self.frozen.map(|(analysis, ..)| analysis);
        found.asked = self.asked;
        found
    }

    /// Cards that those which the input is are said to meet.
    fn meeting(&self, matches: &[Match<'z>]) -> Vec<Match<'z>> {
        let is_new = |animal: &&Animal| matches.iter().all(|m| m.animal.card.id != animal.card.id);
        let is_same = |m: &&Match| m.group <= Group::SameInOtherOracles && !m.frozen;
        let is_met = |animal: &&Animal| matches.iter().filter(is_same).any(|m| meet(m.animal, animal));
        let cards = self.zoo.animals().iter().filter(is_met).filter(is_new);
        cards.filter_map(|animal| Match::new(animal, nearby(self.analysis(), animal)?, false)).collect()
    }

    /// The findings, those for which the work did not suffice with a share of more of it.
    fn insisted(&self, findings: Vec<Finding<'z>>) -> Vec<Finding<'z>> {
        let is_open = |f: &Finding| matches!(f, Finding::Undecided(open) if open.limit == Limit::Work);
        let share = match findings.iter().filter(|f| is_open(f)).count() {
            0 => return findings,
            count => HARD / count as u64,
        };
        let again = |f: Finding<'z>| match f {
            Finding::Undecided(open) if open.limit == Limit::Work && share > EASY => {
                self.compare_within(share, open.animal)
            }
            found => Some(found),
        };
        findings.into_iter().filter_map(again).collect()
    }
}

impl<'z> Match<'z> {
    /// What a comparison makes of a card; nothing if it is not related.
    fn new(animal: &'z Animal, mut comparison: Comparison, frozen: bool) -> Option<Match<'z>> {
        let Verdict::Related(witness) = &mut comparison.verdict else { return None };
        let (group, outside) = (Group::of(witness), in_range(witness, animal)?);
        Some(Match { animal, comparison, group, outside, frozen })
    }
}

/// Puts the ways first in which a card's parameters are where it wants them, and says which are not even there.
fn in_range(witness: &mut Witness, animal: &Animal) -> Option<Vec<Range>> {
    let analysis = animal.analysis()?;
    let ranges = ranges(&animal.card.parameters);
    let outside = |branch: &Branch| violated(&ranges, analysis, branch);
    let count: Vec<usize> = witness.branches.iter().map(|b| outside(b).len()).collect();
    let mut order: Vec<usize> = (0..count.len()).collect();
    order.sort_by_key(|i| count[*i]);
    let ways = &mut witness.branches;
    *ways = order.iter().map(|i| ways[*i].clone()).collect();
    if witness.constants.len() == order.len() {
        witness.constants = order.iter().map(|i| witness.constants[*i].clone()).collect();
    }
    Some(witness.branches.first().map(outside).unwrap_or_default())
}

/// An algorithm whose functions are the same at every call, whatever sample of them is drawn; nothing if it
/// draws none.
fn without_samples(analysis: &Analysis) -> Option<Analysis> {
    if analysis.system.calls.iter().all(|c| c.sample.is_none() && c.oracle.sample.is_none()) {
        return None;
    }
    let mut plain = analysis.clone();
    for call in &mut plain.system.calls {
        (call.sample, call.oracle.sample) = (None, None);
    }
    for channel in &mut plain.channels {
        channel.oracle.sample = None;
    }
    Some(plain)
}

/// What the keys do not exclude.
fn worth_trying<'a>(sieve: Sieve<'a>, repeated: Option<(Side, usize, Sieve<'a>)>) -> Wanted<'a> {
    let directions = sieve.plain();
    let sieve_of_repeated = repeated.map(|(_, _, sieve)| sieve);
    let repeated = repeated.is_some_and(|(side, n, sieve)| sieve.repeated(side, n).any());
    let (special, identified) = (sieve.any_special(), sieve.identified());
    let conditional = special || identified || sieve.identity();
    let rare = identified || special && sieve.first.varies && sieve.second.varies;
    let (dual, renamed) = (sieve.dual(), sieve.any_renamed());
    let any = conditional || repeated || dual || renamed;
    Wanted {
        names: Names::Foreign,
        only: None,
        forth: directions.forth || any,
        back: directions.back || any,
        plain: directions.any(),
        repeated,
        dual,
        renamed,
        conditional,
        rare,
        sifted: true,
        sieve: Some(sieve),
        sieve_of_repeated,
        ..Wanted::ALL
    }
}

/// Groups in order; then the strongest relation, the fewest assumptions, the plainest parameters.
fn rank(m: &Match, input: &Analysis) -> impl Ord + use<> {
    let Verdict::Related(witness) = &m.comparison.verdict else {
        unreachable!("only related cards are matches");
    };
    let settings = witness.branches.first().map_or(0, |b| b.values.values().filter(|v| !is_symbol(v)).count());
    let conditions = witness.branches.first().map_or(0, |b| b.conditions.len());
    // A prox is a projection, or a black box anything, only if it is assumed to be.
    let foreign = m.animal.analysis().map_or(0, |card| {
        let kind = |x: &Analysis, i: usize| x.channels[i % x.channels.len()].oracle.kind;
        witness.channel_map.iter().filter(|(i, j)| kind(input, *i) != kind(card, *j)).count()
    });
    // Constants are sequences too, but what is constant has a name of its own.
    let varies = |x: &Analysis| !x.system.schedules.is_empty();
    let stretched = m.animal.analysis().is_some_and(|card| varies(card) && !varies(input));
    let same_text = m.animal.analysis().is_some_and(|card| is_same_text(card, input));
    // Of cards that make the same calls the one that is written like the input comes first, then the older.
    let equations = |x: &Analysis| x.system.equations.len();
    let written_otherwise = m.animal.analysis().is_none_or(|card| equations(card) != equations(input));
    (
        (m.group == Group::UnderAssumption, m.frozen),
        m.group,
        witness.relation,
        Reverse(same_text),
        stretched,
        foreign,
        !m.outside.is_empty(),
        witness.assumptions.len(),
        conditions,
        settings,
        witness.branches.len(),
        (written_otherwise, m.animal.card.year.clone(), m.animal.card.id.clone()),
    )
}

fn is_symbol(value: &Value) -> bool {
    match value {
        Value::Rational(r) => r.is_polynomial() && r.numerator().term_count() == 1 && r.numerator().total_degree() == 1,
        Value::Root { .. } => false,
    }
}

/// Whether both name their iterates and parameters alike and call the same oracles.
fn is_same_text(a: &Analysis, b: &Analysis) -> bool {
    let names = |x: &Analysis| x.system.signals.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
    names(a) == names(b)
        && a.system.parameters == b.system.parameters
        && a.channels.len() == b.channels.len()
        && a.channels.iter().zip(&b.channels).all(|(x, y)| x.oracle == y.oracle)
        && a.system.equations.len() == b.system.equations.len()
        && a.system.equations.iter().zip(&b.system.equations).all(|(x, y)| x.form == y.form)
}

/// Cards with the same oracles, nearest in degree, those first of which most of H can be made to agree; and such as are
/// related after all, by what is asked of two texts only.
fn nearest<'z>(zoo: &'z Zoo, analysis: &Analysis, key: &Key) -> (Vec<NearMiss<'z>>, Vec<Match<'z>>) {
    let mut alike: Vec<(usize, &Animal)> = zoo
        .animals()
        .iter()
        .filter_map(|animal| Some((distance(key, animal.key()?, analysis, animal.analysis()?)?, animal)))
        .collect();
    alike.sort_by_key(|(distance, animal)| (*distance, animal.card.id.clone()));
    let (mut misses, mut matches) = (Vec::new(), Vec::new());
    for (distance, animal) in alike.into_iter().take(COMPARED) {
        let Some(comparison) = nearby(analysis, animal) else { continue };
        match &comparison.verdict {
            Verdict::Distinct(why) => {
                let differs = why.nearest.as_ref().map_or(usize::MAX, |n| n.entries.len());
                misses.push((distance / FAR, differs, distance, NearMiss { animal, comparison }));
            }
            Verdict::Related(_) => matches.extend(Match::new(animal, comparison, false)),
            // What is open has no reason yet.
            Verdict::Undecided(_) => {}
        }
    }
    misses.sort_by_key(|(foreign, differs, distance, _)| (*foreign, *differs, *distance));
    let told = if matches.is_empty() { NEAR } else { 0 };
    (misses.into_iter().take(told).map(|(.., miss)| miss).collect(), matches)
}

/// The comparison with a card that comes near, as of two texts.
fn nearby(analysis: &Analysis, animal: &Animal) -> Option<Comparison> {
    let card = animal.analysis()?;
    Some(with_fuel(NEARBY, || compare_as(analysis, card, None, Names::Foreign)))
}

/// How far apart two algorithms with the same oracles are; none if they have others.
fn distance(x: &Key, y: &Key, a: &Analysis, b: &Analysis) -> Option<usize> {
    if x.calls != y.calls {
        return None;
    }
    // A projection is a prox, and a prox a resolvent.
    let sort = |kind: OracleKind| match kind {
        OracleKind::Subdifferential => OracleKind::Gradient,
        OracleKind::Projection | OracleKind::Resolvent | OracleKind::Reflected => OracleKind::Prox,
        kind => kind,
    };
    let mut theirs: Vec<OracleKind> = b.channels.iter().map(|c| sort(c.oracle.kind)).collect();
    let is_foreign = |kind: &OracleKind| match theirs.iter().position(|other| other == kind) {
        Some(place) => theirs.remove(place) != *kind,
        None => true,
    };
    let foreign = a.channels.iter().map(|c| sort(c.oracle.kind)).filter(is_foreign).count() * FAR;
    let operators = a.system.operators.len().abs_diff(b.system.operators.len()) * 20;
    let parameters = a.system.parameters.len().abs_diff(b.system.parameters.len());
    Some(foreign + operators + x.degrees_apart(y) * 10 + parameters)
}
