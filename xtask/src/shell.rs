//! Running other programs from the root of the workspace.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a step did not succeed; prints as the command line and what became of it.
#[derive(Debug)]
pub struct Failure(String);

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure(error.to_string())
    }
}

impl Failure {
    pub fn new(why: impl Into<String>) -> Failure {
        Failure(why.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A program with arguments, as `command("rustup target add", &["wasm32-unknown-unknown"])`.
///
/// `line` is split at spaces, so an argument that contains one belongs in `more`.
pub fn command(line: &str, more: &[&str]) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().expect("a command line names a program"));
    command.args(words).args(more).current_dir(root());
    command
}

/// `cargo` with the arguments in `line`: the cargo that runs us, so the toolchains cannot differ.
pub fn cargo(line: &str) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(line.split_whitespace()).current_dir(root());
    command
}

/// Runs `command` with its output shown.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let line = describe(command);
    println!("    $ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{line}` ended with {status}"))),
        Err(error) => Err(Failure(format!("`{line}` could not be started: {error}"))),
    }
}

/// Whether `command` runs and succeeds; its output is dropped.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// What `command` prints, trimmed; `None` if it fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The root of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// The command line as one would type it, without the path to the program.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
