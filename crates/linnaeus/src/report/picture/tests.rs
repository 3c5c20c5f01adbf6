//! Layouts of all cards of the zoo, and of pairs of every kind.

use super::block::{Inside, drawn as block};
use super::unrolled::drawn as unrolled;
use crate::relation::compare;
use crate::zoo::Zoo;

const NOTHING: Vec<String> = Vec::new();

#[test]
fn nothing_overlaps_in_block_diagrams() {
    let zoo = Zoo::embedded();
    assert!(zoo.animals().len() > 300);
    for animal in zoo.animals() {
        for inside in [Inside::Transfer, Inside::States] {
            let (canvas, _) = block(animal.reading(), inside).expect("a card");
            assert_eq!(canvas.collisions(), NOTHING, "{} {inside:?}", animal.card.slug);
        }
    }
}

#[test]
fn nothing_overlaps_where_there_is_much() {
    let oracles = (1..=30).map(|i| format!("x[k+1] = x[k] - t*grad f{i}(x[k])").replace("x[", &format!("x{i}[")));
    let long = "x[k+1] = (1 + alpha + beta + gamma + delta + epsilon)^3*x[k] - (1 + a1 + a2 + a3 + a4)^3*grad f(x[k])";
    let implicit = "x[k+1] = x[k] - t*subgrad f(x[k+1])";
    let texts = [oracles.collect::<Vec<_>>().join("\n"), long.to_string(), implicit.to_string()];
    for text in texts {
        let reading = crate::read(&text);
        for inside in [Inside::Transfer, Inside::States] {
            let (canvas, _) = block(&reading, inside).expect("a good text");
            assert_eq!(canvas.collisions(), NOTHING, "{text}");
        }
        let analysis = reading.analysis.as_ref().expect("a good text");
        if let Some((canvas, _)) = unrolled(analysis, analysis, &compare(analysis, analysis, None)) {
            assert_eq!(canvas.collisions(), NOTHING, "{text}");
        }
    }
}

#[test]
fn nothing_overlaps_in_pairs() {
    let zoo = Zoo::embedded();
    for (a, b, left_out) in [
        ("douglas_rachford", "admm_scaled", true),
        ("admm_scaled", "douglas_rachford", true),
        ("pd3o", "pd3o_reformulated", true),
        ("extra", "dlm", false),
        ("davis_yin", "douglas_rachford", false),
        ("extragradient", "extragradient", false),
        ("chambolle_pock", "chambolle_pock", false),
        ("gradient_descent", "heavy_ball", false),
    ] {
        let [first, second] = [a, b].map(|slug| zoo.find(slug).and_then(|a| a.analysis()).expect("a card"));
        let comparison = compare(first, second, None);
        let (canvas, _) = unrolled(first, second, &comparison).unwrap_or_else(|| panic!("{a} and {b} are related"));
        assert_eq!(canvas.collisions(), NOTHING, "{a} {b}");
        let told = canvas.svg("", "").contains("left out by B");
        assert_eq!(told, left_out, "{a} {b}");
    }
}

#[test]
fn every_kind_of_relation_is_drawn() {
    let pairs = [
        ("x[k+1] = x[k] - t*grad f(x[k])", "y[k] = x[k] - t*grad f(x[k]); x[k+1] = y[k] - t*grad f(y[k])", 6),
        ("x[k+1] = prox_{t f}(x[k])", "x[k+1] = x[k] - t*subgrad f(x[k+1])", 3),
        ("x[k+1] = prox_{t g}(x[k] - t*grad f(x[k]))", "x[k+1] = x[k] - t*grad f(x[k])", 3),
    ];
    for (a, b, links) in pairs {
        let [first, second] = [a, b].map(|text| crate::read(text).analysis.expect("a good text"));
        let (canvas, _) = unrolled(&first, &second, &compare(&first, &second, None)).expect("related");
        assert_eq!(canvas.collisions(), NOTHING, "{a} {b}");
        assert_eq!(canvas.svg("", "").matches(" dashed\" d=").count(), links, "{a} {b}");
    }
    let [first, second] =
        ["x[k+1] = x[k] - t*grad f(x[k])", "x[k+1] = prox_f(x[k])"].map(|t| crate::read(t).analysis.unwrap());
    assert!(unrolled(&first, &second, &compare(&first, &second, None)).is_none());
}
