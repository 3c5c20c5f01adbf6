//! The steps themselves. Each installs the tools that it needs and cannot expect.

use std::path::Path;

use crate::shell::{Failure, cargo, command, output, run, succeeds};

pub const WASM: &str = "wasm32-unknown-unknown";

pub fn format() -> Result<(), Failure> {
    component("fmt", "rustfmt")?;
    run_cargo("fmt --all -- --check")
}

pub fn lint() -> Result<(), Failure> {
    component("clippy", "clippy")?;
    run_cargo("clippy --workspace --all-targets -- -D warnings")
}

/// The command is left out: its page would overwrite that of the library of the same name.
pub fn documentation() -> Result<(), Failure> {
    run(cargo("doc --workspace --exclude linnaeus-cli --no-deps").env("RUSTDOCFLAGS", "-D warnings"))
}

/// All tests but the documentation's, with cargo-nextest where it is installed.
pub fn tests() -> Result<(), Failure> {
    if succeeds(&mut cargo("nextest --version")) {
        run_cargo("nextest run --workspace --lib --bins --tests --examples --no-tests pass")
    } else {
        run_cargo("test --workspace --lib --bins --tests --examples")
    }
}

pub fn doctests() -> Result<(), Failure> {
    run_cargo("test --workspace --doc")
}

/// The pure crates must build where there is no operating system.
pub fn wasm() -> Result<(), Failure> {
    wasm_target()?;
    run(cargo("build --package linnaeus-algebra --package linnaeus --target").arg(WASM))
}

/// Adds the target unless it is there.
pub fn wasm_target() -> Result<(), Failure> {
    if target_installed(WASM) {
        return Ok(());
    }
    run(&mut command("rustup target add", &[WASM]))
}

/// Compiles and links the benchmarks, without the whole-program optimization that only measuring
/// calls for.
pub fn benchmarks_build() -> Result<(), Failure> {
    run(cargo("bench --workspace --no-run")
        .env("CARGO_PROFILE_BENCH_LTO", "off")
        .env("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "16"))
}

/// A minute for every front end, as many at once as there are processors, unless the arguments say otherwise. What the
/// benchmarks were built with serves here too.
pub fn fuzz(arguments: &[&str]) -> Result<(), Failure> {
    run(cargo("run --quiet --profile bench --package linnaeus-fuzz --")
        .args(arguments)
        .env("CARGO_PROFILE_BENCH_LTO", "off")
        .env("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "16"))
}

pub fn benchmarks() -> Result<(), Failure> {
    run_cargo("bench --workspace")
}

/// The tests only see to it that the record was made of these cards; this finds out whether it is what
/// the code says today.
pub fn zoo() -> Result<(), Failure> {
    run_cargo("run --release --package linnaeus-cli -- zoo check --zoo zoo --all")
}

fn run_cargo(line: &str) -> Result<(), Failure> {
    run(&mut cargo(line))
}

/// Adds a rustup component unless `cargo <subcommand>` already works.
fn component(subcommand: &str, name: &str) -> Result<(), Failure> {
    if succeeds(cargo(subcommand).arg("--version")) {
        return Ok(());
    }
    run(&mut command("rustup component add", &[name]))
}

/// Whether the standard library for `target` is there, whoever installed it.
fn target_installed(target: &str) -> bool {
    output(&mut command("rustc --print target-libdir --target", &[target]))
        .is_some_and(|directory| Path::new(&directory).is_dir())
}
