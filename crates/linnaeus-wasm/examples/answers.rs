//! What native code answers, for the tests of the page: one line per question, with the length and a checksum of the answer.
//! With `--time` it prints how long `identify` takes for every fourth card instead, in milliseconds of processor time.

use linnaeus::zoo::{PACKED, Zoo};
use linnaeus_wasm::{command, page};
use std::time::Instant;

fn main() {
    linnaeus_wasm::take_zoo(PACKED.to_string());
    let cards: Vec<(String, String)> =
        Zoo::embedded().animals().iter().map(|a| (a.card.id.clone(), a.card.equations.clone())).collect();
    if std::env::args().any(|a| a == "--time") {
        return time(&cards);
    }
    for (id, text) in &cards {
        told("zoo_card", &[id], command::zoo_card(id));
        told("show", &[text], command::show(text));
        told("realize", &[text, ""], command::realize(text, ""));
        told("page_read", &[text], page::page_read(text));
    }
    for pair in cards.windows(2).step_by(2) {
        told("compare", &[&pair[0].1, &pair[1].1], command::compare(&pair[0].1, &pair[1].1));
    }
    for (_, text) in cards.iter().step_by(3) {
        told("identify", &[text], command::identify(text));
    }
    for (_, text) in cards.iter().step_by(16) {
        told("forms", &[text, ""], command::forms(text, ""));
        told("draw", &[text, "states"], command::draw(text, "states"));
        told("page_poles", &[text, ""], page::page_poles(text, ""));
        told("export_as", &[text, "", "python"], command::export_as(text, "", "python"));
    }
    for text in pasted() {
        told("show", &[&text], command::show(&text));
        told("page_read", &[&text], page::page_read(&text));
    }
    told("zoo_list", &["", "", ""], command::zoo_list("", "", ""));
    told("zoo_list", &["inertial", "", "prox"], command::zoo_list("inertial", "", "prox"));
}

/// The texts of the corpus of pasted ones, mistakes among them: what stands between `===` and `---`.
fn pasted() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../linnaeus/tests/corpus/pasted");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the corpus").flatten().map(|e| e.path()).collect();
    files.sort();
    let texts = files.iter().flat_map(|f| {
        let all = std::fs::read_to_string(f).expect("a text");
        let parts: Vec<String> = all.split("\n=== ").map(str::to_string).collect();
        parts.into_iter().filter_map(|p| {
            let (_, rest) = p.split_once('\n')?;
            Some(rest.split("\n--- ").next().unwrap_or(rest).to_string())
        })
    });
    texts.collect()
}

fn told(name: &str, arguments: &[&str], answer: Result<String, String>) {
    let answer = answer.unwrap_or_else(|e| format!("error: {e}"));
    let arguments = serde_json::to_string(arguments).expect("strings");
    println!("{name}\t{arguments}\t{}\t{}", answer.len(), checksum(answer.as_bytes()));
}

/// Fowler, Noll and Vo's, of 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |h, b| (h ^ u32::from(*b)).wrapping_mul(0x0100_0193))
}

fn time(cards: &[(String, String)]) {
    for number in 0..cards.len() {
        page::prepare(number);
    }
    let mut times: Vec<f64> = Vec::new();
    for (_, text) in cards.iter().step_by(4) {
        let start = now();
        page::page_identify(text).expect("a card is read");
        times.push((now() - start) * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{}",
        serde_json::json!({ "median": times[times.len() / 2], "worst": times[times.len() - 1], "sum": times.iter().sum::<f64>() })
    );
}

/// Seconds that this thread has had a core, where the system tells it.
fn now() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent: Option<f64> = spent.and_then(|s| s.split(' ').next()?.parse().ok());
    spent.map_or_else(|| START.with(|s| s.elapsed().as_secs_f64()), |nanos| nanos / 1e9)
}
