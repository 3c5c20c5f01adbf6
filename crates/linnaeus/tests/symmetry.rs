//! Two algorithms are related in the same way whichever comes first.

mod support;

use linnaeus::relation::{Generality, Verdict, compare};
use linnaeus::transfer::Analysis;
use linnaeus::zoo::Zoo;
use support::corpus;

const VARYING: &str = include_str!("corpus/varying.txt");

/// Pairs that once depended on their order.
const KNOWN: &[(&str, &str)] = &[
    ("nesterov", "symplectic_euler_momentum"),
    ("dl4j_nesterovs", "symplectic_euler_momentum"),
    ("caffe_nesterov", "symplectic_euler_momentum"),
    ("torch7_nag", "symplectic_euler_momentum"),
    ("nu_method_frozen", "symplectic_euler_momentum"),
    ("generalized_ogda", "symplectic_euler_momentum"),
    ("operator_extrapolation", "dykstra"),
    ("anchored_frozen", "pid_optimizer"),
    ("anchored_frozen", "pi_gradient"),
    ("anchored_frozen", "optax_optimistic_gd"),
    ("implicit_monotone", "method_of_multipliers"),
    ("alternating_gda", "igahd_constant"),
    ("lazy_mirror_descent", "twist"),
];

/// How many pairs of cards are compared.
const SAMPLE: usize = 300;

/// How many pairs of texts whose numbers change with the index are compared.
const VARYING_SAMPLE: usize = 40;

fn sample(usual: usize) -> usize {
    std::env::var("SAMPLE").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// All pairs of so many, in some order that is always the same.
fn pairs(n: usize) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect();
    all.sort_by_key(|&(i, j)| ((i * n + j) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32));
    all
}

/// The answer in a word, seen from the first or from the second.
fn answer(first: &Analysis, second: &Analysis, mirrored: bool) -> String {
    match compare(first, second, None).verdict {
        Verdict::Related(w) => {
            let generality = match (w.generality, mirrored) {
                (Generality::Instance, true) => Generality::Contains,
                (Generality::Contains, true) => Generality::Instance,
                (other, _) => other,
            };
            // Whether the same values do is said of all values of the first's; where those are bound by conditions it is open.
            let same = w.same_parameters.filter(|_| w.generality == Generality::Equal);
            format!("{} {} {same:?}", w.relation.word(), generality.word())
        }
        Verdict::Distinct(_) => "distinct".to_string(),
        Verdict::Undecided(_) => "undecided".to_string(),
    }
}

#[test]
fn the_order_does_not_matter() {
    let zoo = Zoo::embedded();
    let animals = zoo.animals();
    let place = |slug: &str| animals.iter().position(|a| a.card.slug == slug).unwrap_or_else(|| panic!("no `{slug}`"));
    let mut pairs: Vec<(usize, usize)> = KNOWN.iter().map(|(a, b)| (place(a), place(b))).collect();
    // As many calls on both sides, or there is little to compare.
    let calls = |i: usize| animals[i].reading().analysis.as_ref().map(|a| a.channels.len());
    let all = self::pairs(animals.len()).into_iter().filter(|&(i, j)| calls(i) == calls(j));
    pairs.extend(all.take(sample(SAMPLE)));
    let mut wrong = Vec::new();
    for (i, j) in pairs {
        let (Some(a), Some(b)) = (&animals[i].reading().analysis, &animals[j].reading().analysis) else { continue };
        let (forth, back) = (answer(a, b, false), answer(b, a, true));
        if forth != back {
            wrong.push(format!("{} and {}: {forth}, but {back}", animals[i].card.slug, animals[j].card.slug));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Cards and texts of the corpus whose numbers change with the index.
#[test]
fn nor_where_numbers_change_with_the_index() {
    let zoo = Zoo::embedded();
    let cards = zoo.animals().iter().map(|a| (a.card.slug.clone(), a.reading().analysis.clone()));
    let texts = corpus(VARYING).into_iter().map(|e| (e.label, linnaeus::read(&e.text).analysis));
    let changing = |(name, analysis): (String, Option<Analysis>)| {
        Some((name, analysis?)).filter(|(_, a)| !a.system.schedules.is_empty())
    };
    let all: Vec<(String, Analysis)> = cards.chain(texts).filter_map(changing).collect();
    assert!(all.len() >= 80, "{}", all.len());
    let alike = |&(i, j): &(usize, usize)| all[i].1.channels.len() == all[j].1.channels.len();
    let mut wrong = Vec::new();
    for (i, j) in pairs(all.len()).into_iter().filter(alike).take(sample(VARYING_SAMPLE)) {
        let ((one, a), (two, b)) = (&all[i], &all[j]);
        let (forth, back) = (answer(a, b, false), answer(b, a, true));
        if forth != back {
            wrong.push(format!("{one} and {two}: {forth}, but {back}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
