//! Every recorded relation comes with a start from which both algorithms make the same calls.

mod support;

use linnaeus::relation::{Verdict, Witness, compare, state_map};
use linnaeus::transfer::Analysis;
use linnaeus_algebra::solve::Value;
use std::collections::HashMap;
use support::corpus;

const ZOO: &str = include_str!("corpus/zoo.txt");
const RELATIONS: &str = include_str!("corpus/relations.txt");

/// Parameters that are roots, or that keep a relation between them, have no rational state map.
fn is_rational(witness: &Witness) -> bool {
    let branch = &witness.branches[0];
    let mut values = branch.values.values().chain(branch.conditions.values());
    branch.relations.is_empty() && values.all(|v| matches!(v, Value::Rational(_)))
}

fn check(a: &Analysis, b: &Analysis, label: &str, problems: &mut Vec<String>) -> bool {
    let Verdict::Related(witness) = compare(a, b, None).verdict else {
        return false;
    };
    let map = state_map(a, b, &witness);
    if map.as_ref().is_ok_and(Option::is_some) != is_rational(&witness) {
        problems.push(format!("{label}: {map:?}"));
    }
    matches!(map, Ok(Some(_)))
}

#[test]
fn recorded_relations() {
    let read = |text: &str| linnaeus::read(text).analysis.expect("checked elsewhere");
    let zoo: HashMap<String, Analysis> = corpus(ZOO).into_iter().map(|e| (e.label.clone(), read(&e.text))).collect();
    let mut problems = Vec::new();
    let mut count = 0;
    for line in RELATIONS.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let [a, b, _] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        count += usize::from(check(&zoo[a], &zoo[b], &format!("{a} {b}"), &mut problems));
        count += usize::from(check(&zoo[b], &zoo[a], &format!("{b} {a}"), &mut problems));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count >= 220, "{count}");
}
