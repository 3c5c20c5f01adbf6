//! The zoo: known algorithms, one [`Card`] each, embedded as they stand in the repository's `zoo/`.

pub mod bibtex;
pub mod card;
pub mod graph;
mod key;

pub use card::Card;
pub use graph::Edge;
pub use key::Key;

use crate::Reading;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::transfer::Analysis;
use graph::Record;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Family, slug and text of every card.
static CARDS: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/cards.rs"));

/// How they are related.
static RELATIONS: &str = include_str!(concat!(env!("OUT_DIR"), "/relations.txt"));

/// Known algorithms.
#[derive(Debug, Default)]
pub struct Zoo {
    animals: Vec<Animal>,
    /// Identifiers of cards that are no part of Linnaeus or differ from those that are.
    own: BTreeSet<String>,
    /// How they are related, to each other and to the others.
    own_record: Record,
    record: OnceLock<Record>,
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
    pub fn embedded() -> Zoo {
        let mut zoo = Zoo::default();
        for (family, slug, text) in CARDS {
            zoo.add(family, slug, text).expect("embedded cards are checked by tests");
        }
        zoo.animals.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        zoo.own.clear();
        zoo
    }

    /// Adds the cards of another zoo, and what is recorded of them. One that has both the identifier and
    /// the slug of a card takes its place; what has only one of them is refused.
    pub fn merge(&mut self, other: Zoo, record: Record) -> Vec<Refused> {
        let mut refused = Vec::new();
        for animal in other.animals {
            let Card { id, slug, equations, .. } = &animal.card;
            match self.animals.iter_mut().find(|a| a.card.id == *id && a.card.slug == *slug) {
                Some(old) => {
                    if old.card.equations != *equations || record.cards.contains_key(id) {
                        self.own.insert(id.clone());
                    }
                    *old = animal;
                }
                None => refused.extend(self.insert(animal).err()),
            }
        }
        self.animals.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        self.own_record = record;
        refused
    }

    /// Adds a card; its identifier and slug must be new.
    pub fn add(&mut self, family: &str, slug: &str, text: &str) -> Result<(), Refused> {
        let source = Source::new(text);
        let card = card::parse(family, slug, &source).map_err(|diagnostics| Refused {
            family: family.to_string(),
            slug: slug.to_string(),
            source: source.clone(),
            diagnostics,
        })?;
        self.insert(Animal { card, source, reading: OnceLock::new(), key: OnceLock::new() })
    }

    fn insert(&mut self, animal: Animal) -> Result<(), Refused> {
        let Animal { card, source, .. } = &animal;
        let twin = self.animals.iter().find(|a| a.card.id == card.id || a.card.slug == card.slug);
        if let Some(twin) = twin {
            let at = source.text().find(&card.id).unwrap_or(0);
            let what = if twin.card.id == card.id { &card.id } else { &card.slug };
            let problem = Diagnostic::error(
                Code::Card,
                Span::new(at, at + card.id.len()),
                format!("`{what}` is the card `{}` already", twin.card.slug),
            );
            let problem = problem.help("take an identifier and a file name that no other card has");
            let Card { family, slug, .. } = card.clone();
            return Err(Refused { family, slug, source: source.clone(), diagnostics: vec![problem] });
        }
        self.own.insert(card.id.clone());
        self.animals.push(animal);
        Ok(())
    }

    /// All cards, by identifier.
    pub fn animals(&self) -> &[Animal] {
        &self.animals
    }

    /// The card with an identifier or a slug.
    pub fn find(&self, name: &str) -> Option<&Animal> {
        self.animals.iter().find(|a| a.card.slug == name || a.card.id.eq_ignore_ascii_case(name))
    }

    /// Whether a card is no part of Linnaeus, or differs from the one that is.
    pub fn is_own(&self, id: &str) -> bool {
        self.own.contains(id)
    }

    /// What is recorded of Linnaeus' own cards.
    fn record(&self) -> &Record {
        self.record.get_or_init(|| Record::parse(RELATIONS).expect("the embedded record is checked by tests"))
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
        self.key.get_or_init(|| self.analysis().map(Key::new)).as_ref()
    }
}
