//! What may be typed after `linnaeus`.

use clap::{Args, Parser, Subcommand};

/// Tells when two iterative algorithms are the same.
#[derive(Parser)]
#[command(name = "linnaeus", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// How an algorithm is read, its transfer matrix H(z) and its realization
    Show(ShowArguments),
}

/// `linnaeus show`.
#[derive(Args)]
pub struct ShowArguments {
    /// Where the algorithm comes from.
    #[command(flatten)]
    pub input: Input,
    /// Print JSON
    #[arg(long, conflicts_with = "latex")]
    pub json: bool,
    /// Print LaTeX
    #[arg(long)]
    pub latex: bool,
}

/// A file, standard input, or the text itself.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Input {
    /// A file with the algorithm, or `-` for standard input
    pub file: Option<String>,
    /// The algorithm itself, lines separated by `;`
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub expression: Option<String>,
}
