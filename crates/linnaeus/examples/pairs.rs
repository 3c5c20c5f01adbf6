//! Times pairs.
use linnaeus::relation::{Verdict, Wanted, relate};
use linnaeus::zoo::Zoo;
use std::time::{Duration, Instant};
fn main() {
    let zoo = Zoo::embedded();
    let a = zoo.find(&std::env::args().nth(1).unwrap()).unwrap();
    let key = a.key().unwrap();
    let mut rows = Vec::new();
    for b in zoo.animals() {
        let (Some(x), Some(k)) = (b.analysis(), b.key()) else { continue };
        let d = key.directions(k);
        let special = key.special_functions(k);
        let mut best = Duration::MAX;
        let mut word = "";
        let wanted = Wanted {
            forth: d.forth || !special.is_empty(),
            back: d.back || !special.is_empty(),
            plain: d.any(),
            conditional: !special.is_empty() || key.may_have_identity(k),
            dual: key.may_be_dual(k),
            repeated: false,
            only: None,
            special: Some(&special),
        };
        if !wanted.any() {
            continue;
        }
        for _ in 0..5 {
            let t = Instant::now();
            let c = relate(a.analysis().unwrap(), x, wanted);
            best = best.min(t.elapsed());
            word = match &c.verdict {
                Verdict::Related(w) => w.relation.word(),
                Verdict::Distinct(_) => "distinct",
                Verdict::Undecided(_) => "undecided",
            };
        }
        rows.push((best, b.card.slug.clone(), word, wanted.plain, wanted.dual, wanted.repeated, special.len(), d));
    }
    rows.sort_by_key(|r| r.0);
    let total: Duration = rows.iter().map(|r| r.0).sum();
    println!("{} calls, total {total:?}", rows.len());
    for w in ["distinct", "undecided", "oracle", "shift", "lft", "conditional", "permutation", "repetition"] {
        let l: Vec<_> = rows.iter().filter(|r| r.2 == w).collect();
        println!("{w}: {} {:?}", l.len(), l.iter().map(|r| r.0).sum::<Duration>());
    }
    for r in rows.iter().rev().take(18) {
        println!("{r:?}");
    }
}
