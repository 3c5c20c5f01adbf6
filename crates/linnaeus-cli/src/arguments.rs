//! What may be typed after `linnaeus`.

use clap::{Args, Parser, Subcommand};

/// Tells when two iterative algorithms are the same.
#[derive(Parser)]
#[command(name = "linnaeus", version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Without a command: what to identify.
    #[command(flatten)]
    pub identify: IdentifyArguments,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// How an algorithm is read, its transfer matrix H(z) and its realization
    Show(ShowArguments),
    /// Whether and how two algorithms are the same
    Compare(CompareArguments),
    /// What an algorithm is: every known algorithm that it equals or is a case of (also without a command)
    Identify(IdentifyArguments),
}

/// `linnaeus identify`.
#[derive(Args)]
pub struct IdentifyArguments {
    /// A file with the algorithm, or `-` for standard input
    pub file: Option<String>,
    /// The algorithm itself, lines separated by `;`
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "file")]
    pub expression: Option<String>,
    /// List all related cards, however many
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long, conflicts_with_all = ["latex", "bibtex"])]
    pub json: bool,
    /// Print the statement and proof of the best match as LaTeX
    #[arg(long, conflicts_with = "bibtex")]
    pub latex: bool,
    /// Print the references of all related cards
    #[arg(long)]
    pub bibtex: bool,
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
