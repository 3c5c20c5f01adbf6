//! The Python package, in a virtual environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Failure, cargo, command, root, run, target};

/// The settings with which the tests are built, so that the engine is not compiled once more.
const PROFILE: (&str, &str) = ("CARGO_PROFILE_DEV_OPT_LEVEL", "1");

/// Installs the package as its users do, then runs its tests, examples, types and notebook. The command and the
/// native calls that it is held against are built beside it.
pub fn test() -> Result<(), Failure> {
    let environment = target().join("python");
    run(&mut command("python3 -m venv --clear", &[&environment.to_string_lossy()]))?;
    let pip = |what: &[&str]| within(&environment, "pip", "install --quiet --disable-pip-version-check", what);
    run(&mut pip(&["--requirement", "python/tests/requirements.txt"]))?;
    run(pip(&["./python"]).env("MATURIN_PEP517_ARGS", "--profile dev --strip").env(PROFILE.0, PROFILE.1))?;
    run(cargo("build --workspace --bins --examples").env(PROFILE.0, PROFILE.1))?;
    let tool = |line: &str| {
        let mut command = within(&environment, "python", line, &[]);
        command.current_dir(root().join("python"));
        command.env("LINNAEUS_COMMAND", built("linnaeus")).env("LINNAEUS_LATENCY", built("examples/latency"));
        command
    };
    run(&mut tool("-m mypy"))?;
    run(&mut tool("-m mypy.stubtest linnaeus._native"))?;
    run(&mut tool("-m pytest --doctest-modules --pyargs linnaeus"))?;
    run(&mut tool("-m pytest --doctest-glob *.md README.md ../README.md ../docs/moving.md"))?;
    run(&mut tool("-m pytest tests"))
}

/// A program of the environment.
fn within(environment: &Path, program: &str, line: &str, more: &[&str]) -> Command {
    let mut command = Command::new(environment.join("bin").join(program));
    command.args(line.split_whitespace()).args(more).current_dir(root());
    command
}

fn built(name: &str) -> PathBuf {
    target().join("debug").join(name)
}
