//! What may be typed after `linnaeus`.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Tells when two iterative algorithms are the same.
#[derive(Parser)]
#[command(name = "linnaeus", version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Arguments {
    /// A folder with cards of your own, DIR/FAMILY/slug.md, that are added to the zoo
    #[arg(long = "zoo", global = true, value_name = "DIR")]
    pub folder: Option<PathBuf>,
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
    /// The zoo of known algorithms
    Zoo(ZooArguments),
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
    /// How the text is written, if it is not to be told by its looks
    #[arg(long = "from", value_name = "NOTATION", value_parser = ["plain", "latex", "unicode"])]
    pub notation: Option<String>,
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
    /// Two files (`-` for standard input, `zoo:ID` for a card of the zoo); each `-e TEXT` stands for one of them, in the order typed
    #[arg(value_name = "A B", num_args = 0..=2)]
    pub files: Vec<String>,
    /// An algorithm itself, lines separated by `;`
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    pub expressions: Vec<String>,
    /// How both texts are written, if that is not to be told by their looks
    #[arg(long = "from", value_name = "NOTATION", value_parser = ["plain", "latex", "unicode"])]
    pub notation: Option<String>,
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
    /// How the text is written, if it is not to be told by its looks
    #[arg(long = "from", value_name = "NOTATION", value_parser = ["plain", "latex", "unicode"])]
    pub notation: Option<String>,
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
    /// A file with the algorithm, `-` for standard input, or `zoo:ID` for a card of the zoo
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
    /// The cards, or some of them
    List(ListArguments),
    /// A card, its transfer function and the cards that are related to it
    Show(CardArguments),
    /// How the cards are related
    Relations(RelationsArguments),
}

/// `linnaeus zoo list`.
#[derive(Args)]
pub struct ListArguments {
    /// Words that all occur in name, aliases, problem or summary
    pub words: Vec<String>,
    /// Only this family
    #[arg(long, value_name = "FAMILY")]
    pub family: Option<String>,
    /// Only with these oracles, in any order, as `prox,prox,grad`
    #[arg(long, value_name = "KINDS")]
    pub oracles: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `linnaeus zoo show`.
#[derive(Args)]
pub struct CardArguments {
    /// Identifier (ALG-0042) or slug of a card
    #[arg(value_name = "ID")]
    pub id: String,
    /// Print JSON
    #[arg(long, conflicts_with = "bibtex")]
    pub json: bool,
    /// Print the references only
    #[arg(long)]
    pub bibtex: bool,
}

/// `linnaeus zoo relations`.
#[derive(Args)]
pub struct RelationsArguments {
    /// Leave out relations that hold under an assumption on functions or operators (--svg always does)
    #[arg(long)]
    pub plain: bool,
    /// Print cards and pairs as JSON
    #[arg(long, conflicts_with_all = ["dot", "svg"])]
    pub json: bool,
    /// Print the graph for Graphviz
    #[arg(long, conflicts_with = "svg")]
    pub dot: bool,
    /// Print the graph as a picture
    #[arg(long)]
    pub svg: bool,
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
