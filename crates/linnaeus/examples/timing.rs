//! Times identification of every card.
use linnaeus::zoo::{Zoo, identify};
use std::time::Instant;
fn main() {
    let t = Instant::now();
    let zoo = Zoo::embedded();
    eprintln!("parse {:?} {}", t.elapsed(), zoo.animals().len());
    let t = Instant::now();
    for a in zoo.animals() {
        if a.analysis().is_none() {
            eprintln!("refused {}", a.card.slug);
        }
    }
    eprintln!("analyse {:?}", t.elapsed());
    let t = Instant::now();
    for a in zoo.animals() {
        a.key();
    }
    eprintln!("keys {:?}", t.elapsed());
    let only = std::env::args().nth(1);
    let mut rows = Vec::new();
    for a in zoo.animals() {
        if only.as_ref().is_some_and(|o| *o != a.card.slug) {
            continue;
        }
        let start = Instant::now();
        let found = identify(&zoo, a.reading()).unwrap();
        let e = start.elapsed();
        if found.matches.first().is_none_or(|m| m.animal.card.id != a.card.id) {
            println!(
                "{} not itself first: {:?}",
                a.card.slug,
                found.matches.first().map(|m| (&m.animal.card.slug, m.group))
            );
        }
        if only.is_some() {
            for m in &found.matches {
                println!("{:?} {}", m.group, m.animal.card.slug);
            }
        }
        rows.push((e, a.card.slug.clone(), found.matches.len(), found.undecided.len()));
    }
    rows.sort();
    for r in rows.iter().rev().take(25) {
        println!("{r:?}");
    }
    println!("median {:?}", rows[rows.len() / 2]);
}
