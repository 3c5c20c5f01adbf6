//! The `linnaeus` command: arguments, files, color, exit codes. All answers come from the library.

mod arguments;
mod compare;
mod draw;
mod folder;
mod forms;
mod identify;
mod input;
mod processors;
mod progress;
mod realize;
mod scan;
mod serve;
mod simulate;
mod zoo;

use arguments::{Arguments, Command, ShowArguments};
use clap::Parser;
use linnaeus::Reading;
use linnaeus::report::{Palette, latex, text, unread};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Two algorithms are not related.
const DISTINCT: u8 = 1;
/// The input could not be read.
const BAD_INPUT: u8 = 2;
/// A stated limit was reached.
const LIMIT: u8 = 3;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let folder = arguments.folder.as_deref();
    match arguments.command {
        Some(Command::Show(arguments)) => show(&arguments, folder),
        Some(Command::Compare(arguments)) => compare::run(&arguments, folder),
        Some(Command::Identify(arguments)) => identify::run(&arguments, folder),
        Some(Command::Draw(arguments)) => draw::run(&arguments, folder),
        Some(Command::Simulate(arguments)) => simulate::run(&arguments, folder),
        Some(Command::Realize(arguments)) => realize::run(&arguments, folder),
        Some(Command::Forms(arguments)) => forms::run(&arguments, folder),
        Some(Command::Scan(arguments)) => scan::run(&arguments, folder),
        Some(Command::Serve(arguments)) => serve::run(&arguments),
        Some(Command::Zoo(arguments)) => zoo::run(&arguments, folder),
        None => identify::run(&arguments.identify, folder),
    }
}

fn show(arguments: &ShowArguments, folder: Option<&Path>) -> ExitCode {
    let text_in = match input::read(&arguments.input, folder) {
        Ok(text) => text,
        Err(message) => return complain(&message),
    };
    if let Some(format) = &arguments.to {
        return realize::as_written(&text_in, arguments.freeze, format);
    }
    let reading = input::parse(&text_in, arguments.notation.as_deref(), input::coefficients(arguments.freeze));
    let code = match (&reading.analysis, reading.is_limited()) {
        (Some(_), _) => 0,
        (None, true) => LIMIT,
        (None, false) => BAD_INPUT,
    };
    if arguments.json {
        print(&format!("{}\n", reading.report().to_json()));
    } else if arguments.latex && code == 0 {
        print(&latex(&reading));
    } else if code == 0 {
        print(&text(&reading, palette(std::io::stdout().is_terminal())));
    } else {
        let _ = write!(std::io::stderr(), "{}", text(&reading, palette(std::io::stderr().is_terminal())));
    }
    ExitCode::from(code)
}

/// Color on a terminal, unless NO_COLOR is set.
fn palette(is_terminal: bool) -> Palette {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    if is_terminal && !forbidden { Palette::Ansi } else { Palette::Plain }
}

/// Writes to standard output; a reader that went away is no error.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Says what is wrong with algorithms that could not be read.
fn refuse(readings: &[Reading], json: bool) -> ExitCode {
    if let ([first, second], true) = (readings, json) {
        print(&(unread(first, second).to_json() + "\n"));
        return ExitCode::from(refusal(readings));
    }
    for (which, reading) in ["A", "B"].iter().zip(readings).filter(|(_, r)| r.analysis.is_none()) {
        if json {
            print(&format!("{}\n", reading.report().to_json()));
        } else {
            let named = if readings.len() > 1 { format!("in {which}:\n") } else { String::new() };
            let shown = text(reading, palette(std::io::stderr().is_terminal()));
            let _ = write!(std::io::stderr(), "{named}{shown}");
        }
    }
    ExitCode::from(refusal(readings))
}

/// Whether a limit is the only reason.
fn refusal(readings: &[Reading]) -> u8 {
    let limited = readings.iter().filter(|r| r.analysis.is_none()).all(Reading::is_limited);
    if limited { LIMIT } else { BAD_INPUT }
}

fn complain(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(BAD_INPUT)
}
