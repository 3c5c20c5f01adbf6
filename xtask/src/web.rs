//! The page: made, served, tested and measured. Each command installs what it needs and cannot expect.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

#[path = "../../crates/linnaeus/pack.rs"]
mod pack;

use crate::shell::{Failure, cargo, command, output, root, run, succeeds};
use crate::steps::{WASM, wasm_target};
use pack::pack;

/// The engine with its glue, undivided.
const ENGINE: &str = "web/pkg/linnaeus_bg.wasm";
/// What the page loads at once, and what it loads when it has.
const PARTS: [&str; 2] = ["web/pkg/linnaeus_first.wasm", "web/pkg/linnaeus_rest.wasm"];

/// Makes `web/dist`.
pub fn build() -> Result<(), Failure> {
    engine()?;
    let made = made();
    if time(&root().join(ENGINE)) < time(&made) {
        // The glue must be of the version of wasm-bindgen that is locked, so it is a tool of this workspace.
        run(tool("bindgen").arg(made).arg("web/pkg"))?;
    }
    fs::write(root().join("web/pkg/zoo.txt"), pack(&root().join("zoo"), &mut |_| {}))?;
    packages()?;
    if time(&root().join(PARTS[1])) < time(&root().join(ENGINE)) {
        divide()?;
    }
    run(&mut npm("run build"))
}

/// Divides the engine by which functions answer first questions, which is found out by asking them.
fn divide() -> Result<(), Failure> {
    let [counting, called] = ["counting.wasm", "called.json"].map(|name| target().join(name));
    run(tool("split").arg("count").arg(ENGINE).arg(&counting))?;
    run(node("make/called.mjs").arg(&counting).arg(&called))?;
    run(tool("split").arg("divide").arg(ENGINE).arg(&called).args(PARTS))
}

/// One of the tools of this workspace that know WebAssembly.
fn tool(name: &str) -> Command {
    cargo(&format!("run --profile tool --package xtask --bin {name} --features bindgen --"))
}

/// Compiles the engine. Its standard library is made anew, for size and without the messages of panics, which nobody would see; it is then a
/// third smaller. That needs what is not stable in the compiler; where it fails, the library that comes with the compiler must do.
///
/// The crate is also a library of Rust, for its example; only where it is none Cargo optimizes it together with all that it uses.
fn engine() -> Result<(), Failure> {
    wasm_target()?;
    let line = format!("rustc --package linnaeus-wasm --lib --crate-type cdylib --profile wasm --target {WASM}");
    let mut small = cargo(&line);
    small.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    small.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zunstable-options -Cpanic=immediate-abort");
    match library_source().and_then(|()| run(&mut small)) {
        Ok(()) => Ok(()),
        Err(why) => {
            println!("    {why}: the standard library cannot be made anew, and the engine is larger");
            run(&mut cargo(&line))
        }
    }
}

/// Adds the source of the standard library unless it is there.
fn library_source() -> Result<(), Failure> {
    let sysroot = output(&mut command("rustc --print sysroot", &[])).unwrap_or_default();
    if Path::new(&sysroot).join("lib/rustlib/src/rust/library/std").is_dir() {
        return Ok(());
    }
    run(&mut command("rustup component add rust-src", &[]))
}

/// What rustc makes of the engine.
fn made() -> PathBuf {
    target().join(WASM).join("wasm/linnaeus_wasm.wasm")
}

/// Makes the page and serves it from within the command.
pub fn serve() -> Result<(), Failure> {
    build()?;
    run(&mut cargo("run --release --package linnaeus-cli --features web -- serve"))
}

/// Drives the built page in a browser, and holds the engine's answers in WebAssembly against those of native code.
pub fn test() -> Result<(), Failure> {
    build()?;
    chromium()?;
    let answers = target().join("answers.txt");
    let printed = output(&mut cargo("run --quiet --profile test --package linnaeus-wasm --example answers"));
    let printed = printed.ok_or_else(|| Failure::new("native code gave no answers"))?;
    fs::write(&answers, printed).map_err(|e| Failure::new(format!("{}: {e}", answers.display())))?;
    run(&mut cargo("build --quiet --profile test --package linnaeus-cli --features web"))?;
    run(node("--test --test-concurrency=2 --test-reporter=spec")
        .args(["test/corpus.test.mjs", "test/types.test.mjs", "test/serve.test.mjs", "test/page.test.mjs"])
        .env("ANSWERS", answers)
        .env("COMMAND", target().join("debug/linnaeus")))
}

/// How fast and how large the page is, against what was promised.
pub fn bench() -> Result<(), Failure> {
    build()?;
    chromium()?;
    let native = output(&mut cargo("run --quiet --release --package linnaeus-wasm --example answers -- --time"));
    let native = native.ok_or_else(|| Failure::new("native code was not measured"))?;
    run(node("test/bench.mjs").env("NATIVE", native).env("ENGINE", made()))
}

/// Takes the picture of the page that the README shows.
pub fn picture() -> Result<(), Failure> {
    build()?;
    chromium()?;
    run(&mut node("test/picture.mjs"))
}

/// The packages of `web/package-lock.json`, unless they are there.
fn packages() -> Result<(), Failure> {
    let installed = time(&root().join("web/node_modules/.package-lock.json"));
    if installed.is_some() && installed >= time(&root().join("web/package-lock.json")) {
        return Ok(());
    }
    if !succeeds(&mut command("npm --version", &[])) {
        return Err(Failure::new("the page is made with Node.js 20 or later and npm, which are not installed"));
    }
    // `npm ci` insists on the optional packages of all other systems, which a registry need not have.
    run(&mut npm("install --no-save --no-audit --no-fund --loglevel error"))
}

/// Debian's browser, unless one is there or `CHROMIUM` names another.
fn chromium() -> Result<(), Failure> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    if named.unwrap_or_else(|| "/usr/bin/chromium".into()).is_file() {
        return Ok(());
    }
    run(&mut command("apt-get update -qq", &[]))?;
    run(&mut command("apt-get install -y -qq chromium", &[]))
}

/// When a file was last changed; none if there is none, which is before all others.
fn time(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|m| m.modified()).ok()
}

fn npm(line: &str) -> Command {
    let mut npm = command(&format!("npm {line}"), &[]);
    npm.current_dir(root().join("web"));
    npm
}

fn node(line: &str) -> Command {
    let mut node = command(&format!("node {line}"), &[]);
    node.current_dir(root().join("web"));
    node
}

/// Where cargo puts what it makes.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}
