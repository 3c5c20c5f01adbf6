//! What may be typed after `linnaeus`.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Tells when two iterative algorithms are the same.
#[derive(Parser)]
#[command(name = "linnaeus", version)]
pub struct Arguments {
    /// A folder with cards of your own, DIR/FAMILY/slug.md, that are added to the zoo
    #[arg(long = "zoo", global = true, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// How an algorithm is read, its transfer matrix H(z) and its realization
    Show(ShowArguments),
    /// Whether and how two algorithms are the same
    Compare(CompareArguments),
    /// The zoo of known algorithms
    Zoo(ZooArguments),
}

/// `linnaeus compare`.
#[derive(Args)]
pub struct CompareArguments {
    /// Two files (`-` for standard input); each `-e TEXT` stands for one of them, in the order typed
    #[arg(value_name = "A B", num_args = 0..=2)]
    pub files: Vec<String>,
    /// An algorithm itself, lines separated by `;`
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub expressions: Vec<String>,
    /// Only this relation
    #[arg(long, value_name = "RELATION", value_parser = ["oracle", "shift", "permutation", "lft", "linear-oracle", "homogeneous", "repetition", "conditional"])]
    pub only: Option<String>,
    /// Read coefficients that change with the index as constants
    #[arg(long)]
    pub freeze: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "latex")]
    pub json: bool,
    /// Print a statement and a proof in LaTeX
    #[arg(long)]
    pub latex: bool,
}

/// `linnaeus show`.
#[derive(Args)]
pub struct ShowArguments {
    /// Where the algorithm comes from.
    #[command(flatten)]
    pub input: Input,
    /// Read coefficients that change with the index as constants
    #[arg(long)]
    pub freeze: bool,
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

/// `linnaeus zoo`.
#[derive(Args)]
pub struct ZooArguments {
    /// What to do with it.
    #[command(subcommand)]
    pub command: ZooCommand,
}

/// The commands on the zoo.
#[derive(Subcommand)]
pub enum ZooCommand {
    /// Whether all cards are in order and all relations between them are recorded
    Check(CheckArguments),
}

/// `linnaeus zoo check`.
#[derive(Args)]
pub struct CheckArguments {
    /// Compare every pair of cards anew, not only those of cards that are new or changed
    #[arg(long)]
    pub all: bool,
    /// Write transfer functions and relations into the folder given with --zoo
    #[arg(long)]
    pub write: bool,
}
