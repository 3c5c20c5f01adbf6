//! Gives every front end texts that nobody would write, and sees to it that it says something sensible of each.
//!
//! A text is made from the corpus and from a small grammar by cutting, doubling, exchanging and inserting tokens
//! (`generate`). What must hold of every reading is in `front_end`. The same seed gives the same texts.

mod front_end;
mod generate;

use front_end::FrontEnd;
use generate::Generator;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A text that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// A text that takes longer than this is kept, if it is the slowest.
const SLOW: Duration = Duration::from_secs(2);
/// Shorter texts that fail alike are tried so often.
const SHORTENINGS: usize = 300;

const HELP: &str = "\
usage: cargo xtask fuzz [--front-end NAME] [--seconds N] [--seed N] [--input FILE]

  --front-end NAME  plain, latex, unicode, python, julia, matlab, transfer or card; all of them if left out
  --seconds N       how long for each front end; 60 if left out
  --seed N          other texts
  --input FILE      this text alone";

struct Options {
    front_ends: Vec<FrontEnd>,
    seconds: u64,
    seed: u64,
    input: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Some(options) = options(std::env::args().skip(1)) else {
        eprintln!("{HELP}");
        return ExitCode::from(2);
    };
    // What panics is told of below, with the text that did it.
    panic::set_hook(Box::new(|_| {}));
    match &options.input {
        Some(path) => alone(path, &options.front_ends),
        None => all(&options),
    }
}

fn options(arguments: impl Iterator<Item = String>) -> Option<Options> {
    let mut options = Options { front_ends: FrontEnd::ALL.to_vec(), seconds: 60, seed: 1, input: None };
    let mut arguments = arguments;
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--front-end" => options.front_ends = vec![FrontEnd::from_word(&value)?],
            "--seconds" => options.seconds = value.parse().ok()?,
            "--seed" => options.seed = value.parse().ok()?,
            "--input" => options.input = Some(PathBuf::from(value)),
            _ => return None,
        }
    }
    Some(options)
}

/// Why a front end failed on a text, if it did.
fn failure(front_end: FrontEnd, text: &str) -> Option<String> {
    match panic::catch_unwind(AssertUnwindSafe(|| front_end.check(text))) {
        Ok(outcome) => outcome.err(),
        Err(payload) => {
            let said = payload.downcast_ref::<String>().cloned();
            let said = said.or_else(|| payload.downcast_ref::<&str>().map(|s| s.to_string()));
            Some(format!("panicked: {}", said.unwrap_or_default()))
        }
    }
}

fn alone(path: &PathBuf, front_ends: &[FrontEnd]) -> ExitCode {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("cannot read {}: {error}", path.display());
            return ExitCode::from(2);
        }
    };
    let mut good = true;
    for &front_end in front_ends {
        let start = Instant::now();
        let found = failure(front_end, &text);
        let said = found.as_deref().unwrap_or("nothing is wrong");
        println!("{}: {said} ({:.1} s)", front_end.word(), start.elapsed().as_secs_f64());
        good &= found.is_none();
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What a worker is busy with.
struct Busy {
    front_end: FrontEnd,
    text: String,
    since: Instant,
}

/// All front ends, on all processors.
fn all(options: &Options) -> ExitCode {
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get()).min(options.front_ends.len());
    let busy: Vec<Mutex<Option<Busy>>> = (0..workers).map(|_| Mutex::new(None)).collect();
    let (next, failed, finished) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for own in &busy {
            let (next, failed, finished) = (&next, &failed, &finished);
            // Deep recursion is one of the mistakes that are looked for: the stack is that of a main thread.
            let builder = std::thread::Builder::new().stack_size(8 << 20);
            let work = move || {
                while let Some(&front_end) = options.front_ends.get(next.fetch_add(1, Ordering::SeqCst)) {
                    if !one(front_end, options, own) {
                        failed.store(true, Ordering::SeqCst);
                    }
                }
                finished.fetch_add(1, Ordering::SeqCst);
            };
            builder.spawn_scoped(scope, work).expect("a thread");
        }
        while finished.load(Ordering::SeqCst) < workers {
            std::thread::sleep(Duration::from_millis(100));
            for own in &busy {
                let own = own.lock().unwrap_or_else(|e| e.into_inner());
                if let Some(b) = own.as_ref().filter(|b| b.since.elapsed() > PATIENCE) {
                    report(b.front_end, &b.text, &format!("takes longer than {} s", PATIENCE.as_secs()));
                    std::process::exit(1);
                }
            }
        }
    });
    if failed.load(Ordering::SeqCst) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// One front end for its time; whether all went well.
fn one(front_end: FrontEnd, options: &Options, own: &Mutex<Option<Busy>>) -> bool {
    let mut generator = Generator::new(front_end, options.seed);
    let start = Instant::now();
    let (mut count, mut read) = (0u64, 0u64);
    let mut slowest = (Duration::ZERO, String::new());
    while start.elapsed().as_secs() < options.seconds {
        let text = generator.text();
        let since = Instant::now();
        *own.lock().unwrap_or_else(|e| e.into_inner()) = Some(Busy { front_end, text: text.clone(), since });
        let found = failure(front_end, &text);
        if since.elapsed() > slowest.0 {
            slowest = (since.elapsed(), text.clone());
        }
        count += 1;
        read += u64::from(front_end.reads(&text));
        *own.lock().unwrap_or_else(|e| e.into_inner()) = None;
        if let Some(reason) = found {
            report(front_end, &shortened(front_end, text), &reason);
            return false;
        }
    }
    println!(
        "    {:<9} {count} texts, {read} of them read, the slowest in {:.1} s",
        front_end.word(),
        slowest.0.as_secs_f64()
    );
    if slowest.0 > SLOW {
        let (path, kept) = keep(front_end, &slowest.1);
        println!("    {:<9} that is {}", "", kept.map_or_else(|e| e.to_string(), |()| path.display().to_string()));
    }
    true
}

/// A shorter text that fails too.
fn shortened(front_end: FrontEnd, text: String) -> String {
    let mut text = text;
    let mut tries = 0;
    let mut size = text.chars().count() / 2;
    while size > 0 && tries < SHORTENINGS {
        let chars: Vec<char> = text.chars().collect();
        let mut found = None;
        for start in (0..chars.len()).step_by(size) {
            tries += 1;
            let rest: String = chars[..start].iter().chain(chars.iter().skip(start + size)).collect();
            if tries < SHORTENINGS && failure(front_end, &rest).is_some() {
                found = Some(rest);
                break;
            }
        }
        match found {
            Some(rest) => text = rest,
            None => size /= 2,
        }
    }
    text
}

/// Keeps a text in a file.
fn keep(front_end: FrontEnd, text: &str) -> (PathBuf, std::io::Result<()>) {
    let directory = PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())).join("fuzz");
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    let path = directory.join(format!("{}-{sum:016x}.txt", front_end.word()));
    let kept = std::fs::create_dir_all(&directory).and_then(|()| std::fs::write(&path, text));
    (path, kept)
}

/// Keeps a text and says how to try it again.
fn report(front_end: FrontEnd, text: &str, reason: &str) {
    let (path, kept) = keep(front_end, text);
    println!("    {}: {reason}\n{text:?}", front_end.word());
    match kept {
        Ok(()) => {
            println!("    try it again: cargo xtask fuzz --front-end {} --input {}", front_end.word(), path.display())
        }
        Err(error) => println!("    the text could not be kept: {error}"),
    }
}
