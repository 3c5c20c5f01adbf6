//! The zoo: known algorithms, one [`Card`] each, embedded as they stand in the repository's `zoo/`.

pub mod bibtex;
pub mod card;
pub mod graph;
mod identify;
mod nearby;
pub mod ranges;

pub use card::Card;
pub use graph::Edge;
pub use identify::{Finding, Group, Identification, Inquiry, Match, NearMiss, Open, identify};

use crate::FUEL;
use crate::Reading;
use crate::diagnostic::{Code, Diagnostic};
use crate::relation::Known;
use crate::relation::behavior::Side;
use crate::relation::key::{Key, repetition};
use crate::source::{Source, Span};
use crate::system::Coefficients;
use crate::transfer::Analysis;
use graph::Record;
use linnaeus_algebra::with_fuel;
use linnaeus_algebra::{SortedMap, SortedSet};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The repository's `zoo/` as one text, for [`Zoo::unpack`].
#[cfg(feature = "embedded")]
pub static PACKED: &str = include_str!(concat!(env!("OUT_DIR"), "/zoo.txt"));

/// Known algorithms.
#[derive(Debug, Default)]
pub struct Zoo {
    animals: Vec<Animal>,
    /// Their places by identifier and by slug.
    names: HashMap<String, usize>,
    index: OnceLock<Index>,
    /// Identifiers of cards that are no part of Linnaeus or differ from those that are.
    own: SortedSet<String>,
    /// How they are related, to each other and to the others.
    own_record: Record,
    record: OnceLock<Record>,
    /// The text of that.
    recorded: &'static str,
}

/// Which cards are worth a look.
#[derive(Debug, Default)]
struct Index {
    /// Parameter-free cards by what they have in common with those that they equal.
    named: HashMap<Vec<u64>, Vec<usize>>,
    /// All others.
    families: Vec<usize>,
    /// Parameter-free cards by how often they call, for repetitions.
    calls: SortedMap<Vec<usize>, Vec<usize>>,
}

/// A card and what is computed of it when it is first asked for.
#[derive(Debug)]
pub struct Animal {
    /// The card.
    pub card: Card,
    /// Its text.
    pub source: Source,
    reading: OnceLock<Reading>,
    key: OnceLock<Option<Key>>,
    lifted: Lifted,
    /// As the second of two that are compared.
    known: Known,
}

/// A card that cannot be used.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The folder's name.
    pub family: String,
    /// The file's name.
    pub slug: String,
    /// The text.
    pub source: Source,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl Zoo {
    /// The cards that come with Linnaeus.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> Zoo {
        Zoo::unpack(PACKED).expect("embedded cards are checked by tests")
    }

    /// The cards that come with Linnaeus, where the build that uses them does not embed them.
    pub fn unpack(packed: &'static str) -> Result<Zoo, Refused> {
        let mut zoo = Zoo::default();
        for (head, text) in packed.split('\u{1e}').filter_map(|part| part.split_once('\n')) {
            match head.split_once(' ') {
                Some((family, slug)) => zoo.add(family, slug, text)?,
                None => zoo.recorded = text,
            }
        }
        zoo.sort();
        zoo.own.clear();
        Ok(zoo)
    }

    /// Brings the cards in the order of their identifiers.
    fn sort(&mut self) {
        self.animals.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        let names = |(i, a): (usize, &Animal)| [a.card.id.clone(), a.card.slug.clone()].map(|name| (name, i));
        self.names = self.animals.iter().enumerate().flat_map(names).collect();
        self.index = OnceLock::new();
    }

    /// Adds the cards of another zoo, and what is recorded of them. One that has both the identifier and
    /// the slug of a card takes its place; what has only one of them is refused.
    pub fn merge(&mut self, other: Zoo, record: Record) -> Vec<Refused> {
        let mut refused = Vec::new();
        for animal in other.animals {
            let Card { id, slug, equations, .. } = &animal.card;
            match (self.names.get(id), self.names.get(slug)) {
                (Some(i), Some(j)) if i == j => {
                    let old = &mut self.animals[*i];
                    if old.card.equations != *equations || record.cards.contains_key(id) {
                        self.own.insert(id.clone());
                    }
                    *old = animal;
                }
                _ => refused.extend(self.insert(animal).err()),
            }
        }
        self.sort();
        self.own_record = record;
        refused
    }

    /// Adds a card; its identifier and slug must be new.
    pub fn add(&mut self, family: &str, slug: &str, text: &str) -> Result<(), Refused> {
        let source = Source::new(text);
        let refused = |diagnostics| {
            let (family, slug) = (family.to_string(), slug.to_string());
            Refused { family, slug, source: source.clone(), diagnostics }
        };
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if let Some(name) = [family, slug].into_iter().find(|n| n.is_empty() || !n.chars().all(is_plain)) {
            let message = format!("`{name}` is no name of a card or of a family");
            let problem = Diagnostic::error(Code::Card, Span::new(0, 0), message);
            return Err(refused(vec![problem.help("use small letters, digits and `_`")]));
        }
        let card = card::parse(family, slug, &source).map_err(refused)?;
        let (reading, key, lifted) = Default::default();
        self.insert(Animal { card, source, reading, key, lifted, known: Known::new(Side::Second) })
    }

    fn insert(&mut self, animal: Animal) -> Result<(), Refused> {
        let Animal { card, source, .. } = &animal;
        let taken = [&card.id, &card.slug].into_iter().find(|name| self.names.contains_key(*name));
        if let Some(what) = taken {
            let twin = &self.animals[self.names[what]].card;
            let (span, message) = match what == &card.id {
                true => {
                    let at = source.text().find(what).unwrap_or(0);
                    (Span::new(at, at + what.len()), format!("`{what}` is the card `{}` already", twin.slug))
                }
                false => (Span::new(0, 0), format!("the file name `{what}` is that of {} already", twin.id)),
            };
            let problem = Diagnostic::error(Code::Card, span, message);
            let problem = problem.help("take an identifier and a file name that no other card has");
            let Card { family, slug, .. } = card.clone();
            return Err(Refused { family, slug, source: source.clone(), diagnostics: vec![problem] });
        }
        self.own.insert(card.id.clone());
        self.index = OnceLock::new();
        self.names.extend([card.id.clone(), card.slug.clone()].map(|name| (name, self.animals.len())));
        self.animals.push(animal);
        Ok(())
    }

    /// All cards, by identifier.
    pub fn animals(&self) -> &[Animal] {
        &self.animals
    }

    /// Cards that an algorithm with this key may be related to.
    fn candidates(&self, key: &Key) -> Vec<&Animal> {
        let index = self.index.get_or_init(|| Index::new(&self.animals));
        let mut found: SortedSet<usize> = index.families.iter().copied().collect();
        match key.names() {
            None => found.extend(index.calls.values().flatten()),
            Some(names) => {
                let names = names.into_iter().chain(key.dual_names());
                found.extend(names.filter_map(|n| index.named.get(&n)).flatten());
                let repeated = index.calls.iter().filter(|(calls, list)| {
                    let times = repetition(&key.calls, calls).or_else(|| repetition(calls, &key.calls));
                    list.len() <= MAX_REPEATED && times.is_some()
                });
                found.extend(repeated.flat_map(|(_, list)| list));
            }
        }
        found.into_iter().map(|i| &self.animals[i]).collect()
    }

    /// The card with an identifier or a slug.
    pub fn find(&self, name: &str) -> Option<&Animal> {
        let place = self.names.get(name).or_else(|| self.names.get(&name.to_ascii_uppercase()))?;
        Some(&self.animals[*place])
    }

    /// Whether a card is no part of Linnaeus, or differs from the one that is.
    pub fn is_own(&self, id: &str) -> bool {
        self.own.contains(id)
    }

    /// What is recorded of Linnaeus' own cards.
    fn record(&self) -> &Record {
        self.record.get_or_init(|| Record::parse(self.recorded).expect("the record is checked by tests"))
    }

    /// All pairs of cards that are recorded as related, by identifiers.
    pub fn relations(&self) -> impl Iterator<Item = &Edge> {
        let concerns = |e: &Edge| self.is_own(&e.first) || self.is_own(&e.second);
        let others = self.record().edges.values().filter(move |e| !concerns(e));
        others.chain(self.own_record.edges.values().filter(move |e| concerns(e)))
    }

    /// Whether two cards were compared as they are.
    pub fn is_recorded(&self, a: &Animal, b: &Animal) -> bool {
        let own = self.is_own(&a.card.id) || self.is_own(&b.card.id);
        if own { self.own_record.covers(a, b) } else { self.record().covers(a, b) }
    }
}

/// At most so many iterations are taken as one.
const MAX_TIMES: usize = 4;

/// The keys of several iterations of an algorithm taken as one, by their number.
#[derive(Debug, Default)]
struct Lifted([OnceLock<Option<Key>>; MAX_TIMES - 1]);

impl Lifted {
    /// Nothing where coefficients do not commute, or where a call is the same in all iterations.
    fn of(&self, analysis: &Analysis, known: &Known, times: usize) -> Option<&Key> {
        let cell = self.0.get(times.checked_sub(2)?)?;
        let lifted = || with_fuel(FUEL, || known.lifted(analysis, times)).ok()?;
        let is_new = |lifted: &Arc<Analysis>| lifted.channels.iter().all(|c| !c.calls.is_empty());
        let key = || lifted().filter(is_new).map(|lifted| Key::new(&lifted, false));
        cell.get_or_init(key).as_ref()
    }
}

/// A repetition is looked for among no more parameter-free cards than this.
const MAX_REPEATED: usize = 1_000;

impl Index {
    fn new(animals: &[Animal]) -> Index {
        let mut index = Index::default();
        for (i, animal) in animals.iter().enumerate() {
            let Some(key) = animal.key() else { continue };
            match key.names() {
                None => index.families.push(i),
                Some(names) => {
                    names.into_iter().for_each(|n| index.named.entry(n).or_default().push(i));
                    index.calls.entry(key.calls.clone()).or_default().push(i);
                }
            }
        }
        index
    }
}

impl Animal {
    /// How its equations are read.
    pub fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| crate::read(&self.card.equations))
    }

    /// Its analysis, if its equations can be read.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.reading().analysis.as_ref()
    }

    /// What can be told of its relations without comparing.
    pub fn key(&self) -> Option<&Key> {
        let varies = || self.analysis().is_some_and(|a| !a.system.schedules.is_empty());
        self.key.get_or_init(|| self.frozen().map(|a| Key::new(&a, varies()))).as_ref()
    }

    /// The key of so many of its iterations taken as one.
    fn repeated_key(&self, times: usize) -> Option<&Key> {
        self.lifted.of(self.analysis()?, &self.known, times)
    }

    /// Its analysis with all numbers that change with the index taken as constants.
    fn frozen(&self) -> Option<Cow<'_, Analysis>> {
        let analysis = self.analysis()?;
        if analysis.system.schedules.is_empty() {
            return Some(Cow::Borrowed(analysis));
        }
        crate::read_with(&self.card.equations, Coefficients::Frozen).analysis.map(Cow::Owned)
    }
}
