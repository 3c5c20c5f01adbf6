//! The zoo as data and as text: one card with its relations, the graph of all.

use super::check::{edge_text, how};
use super::expression::Script;
use super::show::{Show, show, show_in};
use super::text::{Palette, labels, transfer};
use crate::relation::{Generality, Relation};
use crate::zoo::bibtex::{self, Entry};
use crate::zoo::graph::{DUAL, classes};
use crate::zoo::{Animal, Card, Edge, Zoo};
use linnaeus_algebra::SortedMap;
use serde::Serialize;
use std::fmt::Write;

/// A card, what is computed of it, and its relations.
#[derive(Clone, Debug, Serialize)]
pub struct CardReport {
    /// The version of this form.
    pub schema: u32,
    /// `ALG-0042`.
    pub id: String,
    /// Its other name, which is that of its file.
    pub slug: String,
    /// What it is kin to.
    pub family: String,
    /// What people call it.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// When it was published.
    pub year: String,
    /// What it solves.
    pub problem: String,
    /// What is assumed of the functions.
    pub assumes: String,
    /// What the parameters are.
    pub parameters: String,
    /// What of the references could not be confirmed.
    pub unconfirmed: String,
    /// What it does.
    pub summary: String,
    /// The equations.
    pub equations: String,
    /// Remarks.
    pub notes: String,
    /// References in BibTeX.
    pub references: String,
    /// What is computed of the equations.
    pub show: Show,
    /// All cards that are this algorithm, itself among them.
    pub class: Vec<String>,
    /// All cards that are recorded as related.
    pub related: Vec<RelatedReport>,
}

/// A card and how another is related to it.
#[derive(Clone, Debug, Serialize)]
pub struct RelatedReport {
    /// `ALG-0042`.
    pub id: String,
    /// Its other name.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// How they are related.
    pub relation: &'static str,
    /// What the card that is shown is to this one.
    pub generality: &'static str,
    /// What is assumed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub assuming: String,
}

/// A card with its relations, strongest first.
pub fn card(zoo: &Zoo, animal: &Animal) -> CardReport {
    let Card { id, slug, family, name, aliases, year, problem, .. } = animal.card.clone();
    let Card { assumes, parameters, unconfirmed, summary, equations, notes, bibtex, .. } = animal.card.clone();
    let related = |edge: &&Edge| {
        let (other, generality) = edge.seen_from(&id);
        let (slug, name) = zoo.find(other).map(|a| (a.card.slug.clone(), a.card.name.clone())).unwrap_or_default();
        RelatedReport {
            id: other.to_string(),
            slug,
            name,
            relation: edge.relation.word(),
            generality: generality.word(),
            assuming: edge.assuming.clone(),
        }
    };
    CardReport {
        schema: 1,
        class: class(zoo, &id),
        related: edges(zoo, &id).iter().map(related).collect(),
        show: show(animal.reading()),
        references: bibtex,
        id: id.clone(),
        slug,
        family,
        name,
        aliases,
        year,
        problem,
        assumes,
        parameters,
        unconfirmed,
        summary,
        equations,
        notes,
    }
}

/// The pairs that a card is in, strongest relation and fewest assumptions first.
fn edges<'a>(zoo: &'a Zoo, id: &str) -> Vec<&'a Edge> {
    let mut found: Vec<&Edge> = zoo.relations().filter(|e| e.first == id || e.second == id).collect();
    let assumptions = |e: &Edge| (e.assuming.matches(", ").count(), e.assuming.contains(id));
    found.sort_by_key(|e| (!e.is_same(), e.relation, assumptions(e), e.seen_from(id).1));
    found
}

fn class(zoo: &Zoo, id: &str) -> Vec<String> {
    let twins = zoo.relations().filter(|e| e.is_same() && (e.first == id || e.second == id));
    let mut found: Vec<String> = twins.map(|e| e.seen_from(id).0.to_string()).chain([id.to_string()]).collect();
    found.sort();
    found
}

impl CardReport {
    /// The card as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }
}

/// How wide prose is set.
const WIDTH: usize = 100;
/// More relations of one sort than this are counted.
const TOLD: usize = 20;

/// A card for a terminal.
pub fn card_text(zoo: &Zoo, animal: &Animal, palette: Palette) -> String {
    let card = &animal.card;
    let mut out = format!("{} {}\n", palette.heading(&card.id), palette.heading(&card.name));
    let aliases = card.aliases.join("; ");
    let facts = [
        ("slug", &card.slug),
        ("family", &card.family),
        ("aliases", &aliases),
        ("year", &card.year),
        ("problem", &card.problem),
        ("assumes", &card.assumes),
        ("parameters", &card.parameters),
        ("unconfirmed", &card.unconfirmed),
    ];
    for (fact, value) in facts.into_iter().filter(|(_, v)| !v.is_empty()) {
        let lines = wrap(value, WIDTH - 14);
        let _ = writeln!(out, "  {} {}", palette.dim(&format!("{fact:<11}")), lines.join(&format!("\n{:14}", "")));
    }
    paragraph(&mut out, &card.summary);
    let _ = writeln!(out, "\n{}", palette.heading("Equations"));
    out.extend(card.equations.lines().map(|l| format!("    {l}\n")));
    if let Some(analysis) = animal.analysis() {
        transfer(&mut out, &show_in(animal.reading(), Script::Unicode), &labels(analysis), palette);
    }
    paragraph(&mut out, &card.notes);
    related(&mut out, zoo, &card.id, palette);
    let _ = writeln!(out, "\n{}", palette.heading("References"));
    for entry in bibtex::parse(&card.bibtex).unwrap_or_default() {
        let _ = writeln!(out, "  {}", wrap(&reference(&entry), WIDTH - 4).join("\n    "));
    }
    out
}

fn paragraph(out: &mut String, prose: &str) {
    if !prose.is_empty() {
        let _ = writeln!(out, "\n{}", wrap(prose, WIDTH).join("\n"));
    }
}

/// Related cards under headings that say what the card is to them.
fn related(out: &mut String, zoo: &Zoo, id: &str, palette: Palette) {
    let mut groups: SortedMap<(usize, &str), Vec<&Edge>> = SortedMap::new();
    for edge in edges(zoo, id) {
        let group = match (edge.relation, edge.seen_from(id).1) {
            (Relation::Conditional, _) => (6, "Related under an assumption"),
            (Relation::Repetition, _) => (5, "Several iterations in one"),
            _ if edge.assuming == DUAL => (4, "Dual"),
            (_, Generality::Equal) => (0, "The same"),
            (_, Generality::Instance) => (1, "Special case of"),
            (_, Generality::Contains) => (2, "Contains"),
            (_, Generality::Overlap) => (3, "Overlaps with"),
        };
        groups.entry(group).or_default().push(edge);
    }
    for ((_, heading), edges) in groups {
        let _ = writeln!(out, "\n{}", palette.heading(heading));
        let told: Vec<(String, &str, String)> = edges.iter().take(TOLD).map(|e| told(zoo, e, id)).collect();
        let width = told.iter().map(|(slug, ..)| slug.chars().count()).max().unwrap_or(0);
        for (slug, other, how) in &told {
            let _ = writeln!(out, "  {}  {slug:<width$}  {how}", palette.dim(other));
        }
        if edges.len() > TOLD {
            let _ = writeln!(out, "  and {} more, which --json lists", edges.len() - TOLD);
        }
    }
}

/// Slug and identifier of the other card, and how it is related.
fn told<'a>(zoo: &Zoo, edge: &'a Edge, id: &str) -> (String, &'a str, String) {
    let other = edge.seen_from(id).0;
    let slug = zoo.find(other).map(|a| a.card.slug.clone()).unwrap_or_default();
    (slug, other, how(edge).replace(&format!(" in {id}"), " here").replace(&format!(" in {other}"), " there"))
}

/// `Lions, Mercier 1979: Splitting algorithms for the sum of two nonlinear operators. doi:…`.
fn reference(entry: &Entry) -> String {
    let plain = |text: &str| text.replace(['{', '}'], "").replace("--", "–");
    let title = plain(entry.field("title").unwrap_or(""));
    let doi = entry.field("doi").map(|d| format!(" doi:{d}"));
    let arxiv = || entry.field("eprint").map(|e| format!(" arXiv:{e}"));
    let url = || entry.field("url").map(|u| format!(" {u}"));
    format!("{}: {title}.{}", plain(&entry.short()), doi.or_else(arxiv).or_else(url).unwrap_or_default())
}

/// Lines of at most so many characters, words being whole.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("never empty");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}

/// Which relations are part of a picture or a list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those that hold with nothing assumed.
    Plain,
    /// All.
    All,
}

impl Scope {
    /// Whether a pair belongs to it.
    pub fn holds(self, edge: &Edge) -> bool {
        self == Scope::All || edge.relation != Relation::Conditional
    }
}

/// All cards and how they are related.
#[derive(Clone, Debug, Serialize)]
pub struct Graph {
    /// The version of this form.
    pub schema: u32,
    /// The cards, by identifier.
    pub nodes: Vec<Node>,
    /// Related pairs, by identifier.
    pub edges: Vec<EdgeReport>,
}

/// A card in the graph.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// `ALG-0042`.
    pub id: String,
    /// Its other name.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// What it is kin to.
    pub family: String,
    /// When it was published.
    pub year: String,
    /// The first card of those that are the same algorithm.
    pub class: String,
}

/// A pair in the graph.
#[derive(Clone, Debug, Serialize)]
pub struct EdgeReport {
    /// The smaller identifier.
    pub first: String,
    /// The larger.
    pub second: String,
    /// How they are related.
    pub relation: &'static str,
    /// What the first is to the second.
    pub generality: &'static str,
    /// What is assumed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub assuming: String,
}

/// The graph of some relations.
pub fn graph(zoo: &Zoo, scope: Scope) -> Graph {
    let classes = classes(zoo.relations());
    let class = |id: &str| {
        let own = classes.iter().find(|c| c.contains(&id)).and_then(|c| c.first().copied());
        own.unwrap_or(id).to_string()
    };
    let node = |a: &Animal| {
        let Card { id, slug, name, family, year, .. } = a.card.clone();
        Node { class: class(&id), id, slug, name, family, year }
    };
    let edge = |e: &Edge| EdgeReport {
        first: e.first.clone(),
        second: e.second.clone(),
        relation: e.relation.word(),
        generality: e.generality.word(),
        assuming: e.assuming.clone(),
    };
    Graph {
        schema: 1,
        nodes: zoo.animals().iter().map(node).collect(),
        edges: zoo.relations().filter(|e| scope.holds(e)).map(edge).collect(),
    }
}

impl Graph {
    /// The graph as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers only")
    }

    /// One line per pair.
    pub fn text(zoo: &Zoo, scope: Scope) -> String {
        let line = |e: &Edge| {
            let slug = zoo.find(&e.first).map_or("", |a| &a.card.slug);
            edge_text(zoo, e, &e.first).replacen(&e.first, &format!("{} {slug}", e.first), 1) + "\n"
        };
        zoo.relations().filter(|e| scope.holds(e)).map(line).collect()
    }
}
