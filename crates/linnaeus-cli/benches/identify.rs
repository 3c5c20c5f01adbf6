//! Every card as an input: median and worst of `identify`, what it is spent on, how both grow with the zoo, and
//! the command from start to end. `cargo bench --bench identify [SLUG …]` looks at some cards only, and at which
//! comparisons they spend their time on.

use linnaeus::zoo::{Finding, Inquiry, Zoo, identify};
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Each card so many times; the fastest counts, as others share the processor.
const TIMES: usize = 7;
/// So many cards without parameters are added.
const SYNTHETIC: usize = 100_000;
/// So many of the slowest inputs are listed.
const WORST: usize = 5;
/// So many of the longest comparisons of a chosen input are listed.
const LONGEST_COMPARISONS: usize = 20;
/// The command is run so many times; the fastest counts.
const COLD: usize = 10;

/// What is aimed at, in milliseconds.
const MEDIAN: f64 = 20.0;
const LONGEST: f64 = 200.0;
const WITHOUT_PARAMETERS: f64 = 50.0;
const COMMAND: f64 = 80.0;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let start = now();
    let zoo = Zoo::embedded();
    println!("parsing {} cards: {}", zoo.animals().len(), ms(now() - start));
    let start = now();
    zoo.animals().iter().for_each(|a| {
        black_box(a.analysis());
    });
    println!("analysing them: {}", ms(now() - start));
    let start = now();
    zoo.animals().iter().for_each(|a| {
        black_box(a.key());
    });
    println!("their keys: {}", ms(now() - start));

    let mut times = Vec::new();
    let mut undecided = 0;
    for animal in zoo.animals() {
        let slug = &animal.card.slug;
        let Some(analysis) = animal.analysis() else { continue };
        if !chosen.is_empty() && !chosen.contains(slug) {
            continue;
        }
        let mut best = Duration::MAX;
        let mut found = 0;
        let mut open = 0;
        for _ in 0..TIMES {
            let start = now();
            let answer = identify(&zoo, &animal.reading().source, analysis);
            best = best.min(now() - start);
            found = answer.matches.len();
            open = answer.undecided.len();
        }
        undecided += open;
        times.push((best, slug, found));
        if !chosen.is_empty() {
            each(&Inquiry::new(&zoo, &animal.reading().source, analysis));
        }
    }
    times.sort();
    let total: Duration = times.iter().map(|t| t.0).sum();
    let (Some((median, ..)), Some((longest, slowest, _))) = (times.get(times.len() / 2), times.last()) else { return };
    println!("identify: median {}", against(*median, MEDIAN));
    println!("identify: {undecided} comparisons undecided");
    println!("identify: worst {}, {slowest}; sum {}", against(*longest, LONGEST), ms(total));
    for (time, slug, found) in times.iter().rev().take(WORST) {
        println!("  {} {slug}, {found} related", ms(*time));
    }
    let median = times[times.len() / 2].1.clone();
    cold(&zoo, &median);
    if chosen.is_empty() {
        many(zoo);
    }
}

/// The comparisons of one input that take longest.
fn each(inquiry: &Inquiry) {
    let timed = |i: usize| {
        let start = Instant::now();
        let finding = inquiry.compare(i);
        let outcome = match &finding {
            Some(Finding::Match(m)) => format!("{:?}", m.group),
            Some(Finding::Undecided(..)) => "undecided".to_string(),
            None => "not related".to_string(),
        };
        (start.elapsed(), inquiry.card(i).slug.clone(), outcome)
    };
    let mut all: Vec<_> = (0..inquiry.candidates()).map(timed).collect();
    all.sort_by(|x, y| y.cmp(x));
    println!("{} comparisons", all.len());
    for (time, slug, outcome) in all.iter().take(LONGEST_COMPARISONS) {
        println!("    {} {slug}, {outcome}", ms(*time));
    }
}

/// The command on the equations of a card, by the clock and by the time that its threads were at work.
fn cold(zoo: &Zoo, slug: &str) {
    let Some(animal) = zoo.find(slug) else { return };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..COLD {
        let (start, before) = (Instant::now(), of_children());
        let mut command = Command::new(env!("CARGO_BIN_EXE_linnaeus"));
        command.args(["identify", "-e", &animal.card.equations]).stdout(Stdio::null());
        let status = command.status().expect("the command runs");
        assert!(status.success(), "the card is found");
        best = (best.0.min(start.elapsed()), best.1.min(of_children() - before));
    }
    println!("the command, cold: {}, {slug}; at work {}", against(best.0, COMMAND), ms(best.1));
}

/// The time that ended processes of this one were at work, where the system tells it, in hundredths of a second.
fn of_children() -> Duration {
    let all = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = all.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(13).take(2).filter_map(|n| n.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// A query without parameters in the zoo as it is and in a large one.
fn many(mut zoo: Zoo) {
    let query = linnaeus::read("x[k+1] = x[k] - 1/7*grad f(x[k]) + 3/11*(x[k] - x[k-1])");
    let analysis = query.analysis.as_ref().expect("read");
    let run = |zoo: &Zoo| {
        identify(zoo, &query.source, analysis);
        let start = now();
        for _ in 0..20 {
            identify(zoo, &query.source, analysis);
        }
        (now() - start) / 20
    };
    let small = run(&zoo);
    for n in 0..SYNTHETIC {
        let (a, b, c) = (n % 97 + 1, n / 97 % 89 + 1, n / 97 / 89 + 1);
        let equations = match n % 3 {
            0 => format!("x[k+1] = x[k] - {a}/101*grad f(x[k]) + {b}/{}*(x[k] - x[k-1])", c + 100),
            1 => format!("y[k] = x[k] + {a}/103*(x[k] - x[k-1])\nx[k+1] = y[k] - {b}/{}*grad f(y[k])", c + 90),
            _ => format!(
                "x[k] = prox_f(z[k])\ny[k] = prox_g({a}/107*x[k] - {b}/{}*z[k])\nz[k+1] = z[k] + y[k] - x[k]",
                c + 60
            ),
        };
        let text = format!(
            "---\nid: ALG-{}\nyear: 2000\nproblem: minimize f(x) + g(x)\nassumes: nothing\n---\n\n# Synthetic {n}\n\nOne of many.\n\n\
             ```linnaeus\n{equations}\n```\n\n## References\n\n```bibtex\n@misc{{Synthetic{n}, title = {{Synthetic}}}}\n```\n",
            100_000 + n
        );
        if let Err(refused) = zoo.add("synthetic", &format!("synthetic_{n}"), &text) {
            panic!("{:?}", refused.diagnostics);
        }
    }
    let start = now();
    zoo.animals().iter().for_each(|a| {
        black_box(a.key());
    });
    println!("keys of {SYNTHETIC} more cards: {}", ms(now() - start));
    let large = run(&zoo);
    println!(
        "a query without parameters: {} among the cards, with {SYNTHETIC} more {}",
        ms(small),
        against(large, WITHOUT_PARAMETERS)
    );
}

/// The time that this thread has had a core: others may be at work.
#[cfg(unix)]
fn now() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(spent.tv_sec.unsigned_abs(), spent.tv_nsec as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// A time and its ratio to what is aimed at.
fn against(t: Duration, aim: f64) -> String {
    format!("{}, {:.2} of {aim} ms", ms(t), t.as_secs_f64() * 1e3 / aim)
}

fn ms(t: Duration) -> String {
    format!("{:.2} ms", t.as_secs_f64() * 1e3)
}
