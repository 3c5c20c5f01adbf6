//! How long native calls take: texts on standard input, separated by lines `--`; seconds of each call on standard output.
//! `python/benchmarks/overhead.py` makes the same calls through Python.

use linnaeus::relation::compare;
use linnaeus::report;
use linnaeus::zoo::{Zoo, identify};
use std::io::Read;
use std::time::Instant;

/// The quickest of so many runs counts.
const RUNS: usize = 2;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("texts on standard input");
    let texts: Vec<&str> = input.split("\n--\n").collect();
    let zoo = Zoo::embedded();
    for text in &texts {
        let show = quickest(|| linnaeus::read(text).report().to_json().len());
        let [Some(a), Some(b)] = [text, texts[0]].map(|t| linnaeus::read(t).analysis) else { continue };
        let compared = quickest(|| report::compare(&a, &b, &compare(&a, &b, None)).to_json().len());
        let identified = quickest(|| {
            let reading = linnaeus::read(text);
            let found = reading.analysis.as_ref().map(|a| identify(&zoo, &reading.source, a)).unwrap_or_default();
            report::identify(&zoo, &reading, &found).to_json().len()
        });
        println!("{show} {compared} {identified}");
    }
}

/// Seconds of the quickest run, after one that fills what is kept.
fn quickest(mut call: impl FnMut() -> usize) -> f64 {
    std::hint::black_box(call());
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        std::hint::black_box(call());
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}
