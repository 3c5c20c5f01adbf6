//! Lists of cards, and how they are searched.

use super::show::show;
use super::text::Palette;
use crate::diagnostic::nearest;
use crate::syntax::ast::OracleKind;
use crate::zoo::bibtex;
use crate::zoo::{Animal, Card, Zoo};
use serde::Serialize;
use std::fmt::Write;

/// Which cards are listed: those that pass all of this.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this family.
    pub family: Option<String>,
    /// With these oracles, in any order.
    pub oracles: Option<Vec<OracleKind>>,
    /// All of these words occur in it: in its names, with its authors and years, or in what it says.
    pub words: Vec<String>,
}

/// The kind of an oracle that is named by its word, or as it is written.
///
/// ```
/// use linnaeus::report::kind;
/// assert_eq!(kind("grad"), kind("gradient"));
/// assert!(kind("prax").is_none());
/// ```
pub fn kind(word: &str) -> Option<OracleKind> {
    KINDS.into_iter().find(|(kind, words)| kind.word() == word || words.contains(&word)).map(|(kind, _)| kind)
}

/// What to say to a word that is no kind of oracle.
///
/// ```
/// let kinds = "grad, subgrad, prox, proj, resolvent, reflected, env, argmin, box";
/// let said = format!("there is no kind of oracle `prax`; did you mean `prox`? The kinds are {kinds}");
/// assert_eq!(linnaeus::report::no_kind("prax"), said);
/// ```
pub fn no_kind(word: &str) -> String {
    let known = KINDS.map(|(_, [word, _])| word);
    let then = nearest(word, known).map_or("the".to_string(), |g| format!("did you mean `{g}`? The"));
    format!("there is no kind of oracle `{word}`; {then} kinds are {}", known.join(", "))
}

/// Every kind, and how it is written; people are told the first.
const KINDS: [(OracleKind, [&str; 2]); 9] = [
    (OracleKind::Gradient, ["grad", "∇"]),
    (OracleKind::Subdifferential, ["subgrad", "∂"]),
    (OracleKind::Prox, ["prox", "proximal"]),
    (OracleKind::Projection, ["proj", "P"]),
    (OracleKind::Resolvent, ["resolvent", "J"]),
    (OracleKind::Reflected, ["reflected", "R"]),
    (OracleKind::MoreauGradient, ["env", "moreau"]),
    (OracleKind::Argmin, ["argmin", "min"]),
    (OracleKind::BlackBox, ["box", "F"]),
];

impl Filter {
    fn passes(&self, animal: &Animal) -> bool {
        let card = &animal.card;
        self.family.as_ref().is_none_or(|f| *f == card.family)
            && self.rank(card).is_some()
            && self.oracles.as_ref().is_none_or(|wanted| {
                let mut wanted = wanted.clone();
                let kinds =
                    animal.analysis().map_or(Vec::new(), |a| a.channels.iter().map(|c| c.oracle.kind).collect());
                kinds.len() == wanted.len()
                    && kinds.iter().all(|k| wanted.iter().position(|w| w == k).map(|i| wanted.remove(i)).is_some())
            })
    }

    /// Whether the words are a name of a card.
    fn names(&self, card: &Card) -> bool {
        let words = folded(&self.words.join(" "));
        [&card.name, &card.slug, &card.id].into_iter().chain(&card.aliases).any(|name| folded(name) == words)
    }

    /// How far from the name of a card the words stand in it; none unless every word does.
    fn rank(&self, card: &Card) -> Option<usize> {
        let parts = searched(card);
        let far = |word: &String| {
            let word = folded(word);
            let inside = || parts.iter().position(|text| text.contains(word.trim()));
            let whole = parts.iter().position(|text| format!(" {text} ").contains(&format!(" {} ", word.trim())));
            // A word of its own in one part is nearer than a part of a word there.
            whole.map(|n| 2 * n).or_else(|| inside().map(|n| 2 * n + 1))
        };
        self.words.iter().map(far).sum()
    }
}

/// What is searched of a card: its names, who wrote about it and when, what it says of itself, and the rest.
fn searched(card: &Card) -> [String; 5] {
    let entries = bibtex::parse(&card.bibtex).unwrap_or_default();
    let field = |name: &str| entries.iter().filter_map(|e| e.field(name)).collect::<Vec<_>>().join(" ");
    [
        format!("{} {} {}", card.name, card.slug, card.id),
        card.aliases.join(" "),
        format!("{} {} {}", field("author"), card.year, field("year")),
        format!("{} {}", card.problem, card.summary),
        format!("{} {} {}", card.family, card.notes, field("title")),
    ]
    .map(|text| folded(&text))
}

/// A text for comparing: small letters without accents, and blanks for what is neither letter nor digit.
fn folded(text: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { unaccented(c) } else { ' ' };
    let plain: String = text.to_lowercase().chars().filter(|c| !matches!(c, '{' | '}')).map(letter).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unaccented(c: char) -> char {
    const BASES: [(char, &str); 15] = [
        ('a', "àáâãäåăąā"),
        ('c', "çćč"),
        ('d', "ďđ"),
        ('e', "èéêëęěē"),
        ('g', "ğ"),
        ('i', "ìíîïıī"),
        ('l', "łľ"),
        ('n', "ñńň"),
        ('o', "òóôõöøőō"),
        ('r', "řŕ"),
        ('s', "śšşș"),
        ('t', "ťţț"),
        ('u', "ùúûüůűū"),
        ('y', "ýÿ"),
        ('z', "žźż"),
    ];
    BASES.iter().find(|(_, with)| with.contains(c)).map_or(c, |(base, _)| *base)
}

/// Some cards.
#[derive(Clone, Debug, Serialize)]
pub struct List {
    /// The version of this form.
    pub schema: u32,
    /// The cards, by identifier; where words are looked for, those that have them in their name come first.
    pub cards: Vec<Listed>,
}

/// A card in a list.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// `ALG-0042`.
    pub id: String,
    /// Its other name, which is that of its file.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// What it is kin to.
    pub family: String,
    /// When it was published.
    pub year: String,
    /// What it solves.
    pub problem: String,
    /// Its oracles as they are written.
    pub oracles: Vec<String>,
}

/// The cards that pass a filter.
pub fn list(zoo: &Zoo, filter: &Filter) -> List {
    let mut found: Vec<&Animal> = zoo.animals().iter().filter(|a| filter.passes(a)).collect();
    if !filter.words.is_empty() {
        let letters = |a: &Animal| a.card.name.chars().count();
        found.sort_by_cached_key(|a| (!filter.names(&a.card), filter.rank(&a.card), letters(a)));
    }
    List { schema: 1, cards: found.into_iter().map(listed).collect() }
}

fn listed(animal: &Animal) -> Listed {
    let Card { id, slug, name, family, year, problem, .. } = animal.card.clone();
    let oracles = show(animal.reading()).channels.unwrap_or_default().into_iter().map(|c| c.oracle).collect();
    Listed { id, slug, name, family, year, problem, oracles }
}

impl List {
    /// The list as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }

    /// One line per card.
    pub fn text(&self, palette: Palette) -> String {
        let width = self.cards.iter().map(|c| c.slug.chars().count()).max().unwrap_or(0);
        let mut out = String::new();
        if self.cards.is_empty() {
            let _ = writeln!(out, "No card fits.");
        }
        for c in &self.cards {
            let _ = writeln!(out, "{}  {:<width$}  {}  {}", palette.dim(&c.id), c.slug, c.year, c.name);
        }
        out
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;

    fn found(words: &str) -> Vec<String> {
        let filter = Filter { words: words.split_whitespace().map(str::to_string).collect(), ..Filter::default() };
        list(&Zoo::embedded(), &filter).cards.into_iter().map(|c| c.slug).collect()
    }

    #[test]
    fn names_come_first() {
        assert_eq!(found("gradient descent")[0], "gradient_descent");
        assert_eq!(found("Douglas-Rachford")[0], "douglas_rachford");
        assert_eq!(found("nesterov")[0], "nesterov");
        assert_eq!(found("ALG-0042").len(), 1);
    }

    #[test]
    fn authors_and_years_are_found() {
        assert!(found("Polyak 1964").contains(&"heavy_ball".to_string()));
        assert_eq!(found("Nedic 2017"), found("Nedić 2017"));
        assert!(!found("Nedić").is_empty());
        assert!(found("no-such-word").is_empty());
    }
}
