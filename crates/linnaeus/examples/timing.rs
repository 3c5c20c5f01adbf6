use linnaeus::relation::{Verdict, relate as compare};
use linnaeus::zoo::Zoo;
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
    let mut sig = std::collections::BTreeMap::new();
    for a in zoo.animals() {
        if let Some(k) = a.key() {
            *sig.entry((k.calls.clone(), k.degree)).or_insert(0) += 1;
        }
    }
    eprintln!("{sig:?}");
    let only = std::env::args().nth(1);
    let mut total = 0;
    let mut rows = Vec::new();
    for a in zoo.animals() {
        if only.as_ref().is_some_and(|o| *o != a.card.slug) {
            continue;
        }
        let Some(ka) = a.key() else { continue };
        let start = Instant::now();
        let (mut n, mut related, mut worst, mut wname) = (0, 0, std::time::Duration::ZERO, String::new());
        let mut rel = std::time::Duration::ZERO;
        for b in zoo.animals() {
            let Some(kb) = b.key() else { continue };
            if ka.calls != kb.calls {
                continue;
            }
            n += 1;
            let t = Instant::now();
            let c = compare(a.analysis().unwrap(), b.analysis().unwrap(), None);
            let e = t.elapsed();
            if matches!(c.verdict, Verdict::Related(_)) {
                related += 1;
                rel += e;
            }
            if e > worst {
                worst = e;
                wname = b.card.slug.clone();
            }
        }
        total += n;
        rows.push((start.elapsed(), a.card.slug.clone(), n, related, rel, worst, wname));
    }
    rows.sort();
    for r in rows.iter().rev().take(25) {
        println!("{r:?}");
    }
    println!("median {:?} total pairs {total}", rows[rows.len() / 2]);
}
