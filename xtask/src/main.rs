//! The project's own chores, started as `cargo xtask <command>`.
//!
//! A command is a table of [`Step`]s. A new check is one more row in [`TEST`] and one function
//! beside the others in [`steps`].

mod katex;
mod python;
mod shell;
mod steps;
mod web;

use std::process::ExitCode;
use std::time::Instant;

use shell::Failure;

/// One row of a command's table.
struct Step {
    name: &'static str,
    run: fn() -> Result<(), Failure>,
}

/// Everything that has to hold before a change is merged, cheapest first.
const TEST: &[Step] = &[
    Step { name: "format", run: steps::format },
    Step { name: "lint", run: steps::lint },
    Step { name: "documentation", run: steps::documentation },
    Step { name: "tests", run: steps::tests },
    Step { name: "documentation examples", run: steps::doctests },
    Step { name: "wasm build", run: steps::wasm },
    Step { name: "benchmarks build", run: steps::benchmarks_build },
    Step { name: "fuzzing", run: || steps::fuzz(&[]) },
    Step { name: "python package", run: python::test },
];

const BENCH: &[Step] = &[Step { name: "benchmarks", run: steps::benchmarks }];

const PYTHON_TEST: &[Step] = &[Step { name: "python package", run: python::test }];

const WEB: &[Step] = &[Step { name: "web page", run: web::build }];

const WEB_TEST: &[Step] = &[Step { name: "web page", run: web::test }];

const WEB_BENCH: &[Step] = &[Step { name: "web page", run: web::bench }];

const PICTURE: &[Step] = &[Step { name: "picture of the web page", run: web::picture }];

const SERVE: &[Step] = &[Step { name: "web page", run: web::serve }];

const ZOO: &[Step] = &[Step { name: "zoo", run: steps::zoo }];

const KATEX: &[Step] = &[Step { name: "katex", run: katex::vendor }];

const HELP: &str = "\
usage: cargo xtask <command>

  test         run the checks and tests of engine, command and Python package, fuzzing among them, installing what they need
  bench        run the benchmarks
  katex        fetch the copy of KaTeX that `linnaeus scan --html` puts into its pages
  fuzz         give every front end damaged texts for a minute each; --help lists what may follow
  python-test  install the Python package into an environment of its own and test it
  zoo          compare every pair of cards of the zoo anew: a minute or two
  web          make the page, web/dist
  web-test     make it and test it in a browser
  web-bench    make it and measure it
  web-picture  make it and take the picture in the README
  serve        make it and serve it at http://127.0.0.1:7420/
  help         print this list";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => run(TEST),
        ["bench"] => run(BENCH),
        ["fuzz", ref more @ ..] => fuzz(more),
        ["katex"] => run(KATEX),
        ["python-test"] => run(PYTHON_TEST),
        ["zoo"] => run(ZOO),
        ["web"] => run(WEB),
        ["web-test"] => run(WEB_TEST),
        ["web-bench"] => run(WEB_BENCH),
        ["web-picture"] => run(PICTURE),
        ["serve"] => run(SERVE),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{HELP}");
            ExitCode::from(2)
        }
    }
}

fn fuzz(arguments: &[&str]) -> ExitCode {
    match steps::fuzz(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the steps in order up to the first failure. The last line printed is always the tally.
fn run(steps: &[Step]) -> ExitCode {
    let mut passed = 0;
    for step in steps {
        println!("\n==> {}", step.name);
        let start = Instant::now();
        let outcome = (step.run)();
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => {
                println!("    {} passed in {seconds:.1} s", step.name);
                passed += 1;
            }
            Err(failure) => {
                println!("    {} failed after {seconds:.1} s: {failure}", step.name);
                println!("\n{passed} passed, 1 failed");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("\n{passed} passed, 0 failed");
    ExitCode::SUCCESS
}
