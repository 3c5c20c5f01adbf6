//! The relations recorded between algorithms of the zoo come out as recorded.

mod support;

use linnaeus::relation::{Verdict, compare};
use linnaeus::report;
use linnaeus::transfer::Analysis;
use std::collections::HashMap;
use support::corpus;

const ZOO: &str = include_str!("corpus/zoo.txt");
const RELATIONS: &str = include_str!("corpus/relations.txt");

fn summary(a: &Analysis, b: &Analysis) -> (Option<String>, String) {
    let comparison = compare(a, b, None);
    let r = report::compare(a, b, &comparison);
    let relation = r.relation.map(|word| format!("{word} {}", r.generality.unwrap_or("")));
    let detail = match &comparison.verdict {
        Verdict::Related(_) => {
            format!("{:?} {:?} {:?} {:?} {:?}", r.shift, r.parameters, r.conditions, r.assumptions, r.recheck)
        }
        _ => format!("{:?} {:?}", r.obstruction, r.limit),
    };
    (relation, format!("{} {detail}", r.verdict))
}

#[test]
fn recorded_relations() {
    let zoo: HashMap<String, Analysis> = corpus(ZOO)
        .into_iter()
        .map(|e| (e.label.clone(), linnaeus::read(&e.text).analysis.expect("checked elsewhere")))
        .collect();
    let mut problems = Vec::new();
    let mut count = 0;
    for line in RELATIONS.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let [a, b, kind] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        count += 1;
        let (relation, detail) = summary(&zoo[a], &zoo[b]);
        let word = relation.as_deref().unwrap_or("none");
        let good = match kind {
            "same" => word.starts_with("oracle") || word.starts_with("permutation"),
            "shifted" => word.starts_with("shift") || word.starts_with("permutation"),
            "conjugate" => word.starts_with("lft") || word.starts_with("conditional"),
            "special" => relation.is_some(),
            // What is recorded takes functions by their names: an exchange of them is another claim.
            _ => !(word.ends_with("equal") || word.ends_with("instance")) || word.starts_with("permutation"),
        };
        if std::env::var_os("RELATIONS").is_some() {
            eprintln!("{a} {b} {kind}: {word} {detail}");
        }
        if !good {
            problems.push(format!("{a} {b} {kind}: {word} {detail}"));
        }
    }
    assert!(count >= 150);
    assert!(problems.is_empty(), "{} of {count}\n{}", problems.len(), problems.join("\n"));
}
