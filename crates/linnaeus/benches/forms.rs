//! Every card as an input of `forms`: median and worst, the worst as a share of the second that it may take, and
//! per form. `cargo bench --bench forms [SLUG …]` looks at some cards only.

use linnaeus::synthesis::{Commuting, Freedom, forms};
use linnaeus::zoo::Zoo;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// No card may take longer.
const MOST: Duration = Duration::from_secs(1);

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let mut times = Vec::new();
    for animal in Zoo::embedded().animals() {
        let slug = &animal.card.slug;
        let Some(model) = animal.analysis().and_then(Commuting::new) else { continue };
        if chosen.is_empty() || chosen.contains(slug) {
            let start = Instant::now();
            let found = black_box(forms(&model, &Freedom::default()));
            times.push((start.elapsed(), slug.clone(), found.list.len(), found.complete));
        }
    }
    times.sort();
    let Some((worst, ..)) = times.last() else { return };
    let ratio = worst.as_secs_f64() / MOST.as_secs_f64();
    println!("forms: median {:?}, worst {worst:?}, ratio to {MOST:?} {ratio:.2}", times[times.len() / 2].0);
    for (time, slug, count, complete) in times.iter().rev().take(12) {
        let each = *time / (*count).max(1) as u32;
        println!("  {time:?} {slug}, {count} forms, {each:?} each{}", if *complete { "" } else { ", not all" });
    }
}
