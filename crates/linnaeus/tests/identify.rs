//! `identify` on every card of the zoo: as it stands, and rewritten at random.

use linnaeus::zoo::{Animal, Identification, Zoo, identify};
use std::collections::{BTreeMap, BTreeSet};

fn ask<'z>(zoo: &'z Zoo, text: &str) -> Identification<'z> {
    let reading = linnaeus::read(text);
    let analysis = reading.analysis.as_ref().unwrap_or_else(|| panic!("{text}\n{:?}", reading.diagnostics));
    identify(zoo, &reading.source, analysis)
}

/// Cards of one text: each is found first by the other.
const TWINS: &[(&str, &str)] =
    &[("dykstra_like_prox", "dykstra"), ("iterated_tikhonov", "proximal_point"), ("picard", "average_consensus")];

fn are_twins(a: &str, b: &str) -> bool {
    a == b || TWINS.iter().any(|t| [*t, (t.1, t.0)].contains(&(a, b)))
}

/// The cards that are asked about in one of so many tests that run side by side.
fn share(zoo: &Zoo, part: usize) -> impl Iterator<Item = &Animal> {
    zoo.animals().iter().skip(part).step_by(PARTS)
}

const PARTS: usize = 4;

/// Every card finds itself first, and every card that is recorded as related.
fn finds_its_relations(part: usize) {
    let zoo = Zoo::embedded();
    let mut related: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for edge in zoo.relations() {
        related.entry(&edge.first).or_default().insert(&edge.second);
        related.entry(&edge.second).or_default().insert(&edge.first);
    }
    let mut wrong = Vec::new();
    for animal in share(&zoo, part) {
        let slug = &animal.card.slug;
        let found = ask(&zoo, &animal.card.equations);
        let first = found.matches.first().map_or("none", |m| m.animal.card.slug.as_str());
        if !are_twins(slug, first) {
            wrong.push(format!("{slug} finds {first} first"));
        }
        let ids: BTreeSet<&str> = found.matches.iter().map(|m| m.animal.card.id.as_str()).collect();
        let missing = related.get(animal.card.id.as_str()).into_iter().flatten().filter(|id| !ids.contains(*id));
        wrong.extend(missing.map(|id| format!("{slug} misses {}", zoo.find(id).map_or(*id, |a| &a.card.slug))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cards_find_their_relations_0() {
    finds_its_relations(0);
}

#[test]
fn cards_find_their_relations_1() {
    finds_its_relations(1);
}

#[test]
fn cards_find_their_relations_2() {
    finds_its_relations(2);
}

#[test]
fn cards_find_their_relations_3() {
    finds_its_relations(3);
}
