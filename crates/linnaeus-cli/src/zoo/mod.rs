//! `linnaeus zoo …`.

mod check;

use crate::arguments::{ZooArguments, ZooCommand};
use std::path::Path;
use std::process::ExitCode;

/// Runs one of the commands on the zoo, with the cards of a folder beside those of Linnaeus.
pub fn run(arguments: &ZooArguments, dir: Option<&Path>) -> ExitCode {
    match &arguments.command {
        ZooCommand::Check(arguments) => check::run(arguments, dir),
    }
}
