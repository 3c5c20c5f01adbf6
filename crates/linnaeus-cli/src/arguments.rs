//! What may be typed after `linnaeus`.

use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand};
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
    /// A picture: the block diagram of an algorithm, or two related ones unrolled in time
    Draw(DrawArguments),
    /// Run an algorithm on a test problem, and a related one beside it
    Simulate(SimulateArguments),
    /// An algorithm, or a transfer matrix, as steps that can be run, with as few stored vectors as possible
    Realize(RealizeArguments),
    /// Every way to write an algorithm: other times, other oracles of the same functions, other states
    Forms(FormsArguments),
    /// Every algorithm in LaTeX papers: what it is, what is wrong with it, and which are the same
    Scan(ScanArguments),
    /// The zoo of known algorithms
    Zoo(ZooArguments),
    /// The page, at http://127.0.0.1: the same engine in a browser
    Serve(ServeArguments),
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
    #[arg(long = "from", value_name = "NOTATION", value_parser = ["plain", "latex", "unicode", "python", "julia", "matlab"])]
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
    /// One or two algorithms.
    #[command(flatten)]
    pub inputs: Inputs,
    /// How both texts are written, if that is not to be told by their looks
    #[arg(long = "from", value_name = "NOTATION", value_parser = ["plain", "latex", "unicode", "python", "julia", "matlab"])]
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
    #[arg(long, conflicts_with = "to")]
    pub latex: bool,
    /// Print a script that checks the relation without Linnaeus
    #[arg(long, value_name = "FORMAT", value_parser = ["sympy"], conflicts_with = "json")]
    pub to: Option<String>,
}

/// `linnaeus draw`.
#[derive(Args)]
pub struct DrawArguments {
    /// One or two algorithms.
    #[command(flatten)]
    pub inputs: Inputs,
    /// Where to write the SVG; without it, standard output
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the states and their delays in place of the transfer function
    #[arg(long)]
    pub states: bool,
}

/// `linnaeus simulate`.
#[derive(Args)]
pub struct SimulateArguments {
    /// One or two algorithms.
    #[command(flatten)]
    pub inputs: Inputs,
    /// On what it is run
    #[arg(long, value_name = "NAME", default_value = "lasso", value_parser = linnaeus::simulate::problem::NAMES)]
    pub problem: String,
    /// The value of a parameter of A, as `t=0.1`; others get values that suit the problem
    #[arg(long, value_name = "NAME=NUMBER")]
    pub set: Vec<String>,
    /// What a function of A is in the problem, as `f=smooth,g=l1`; others are chosen by their oracles
    #[arg(long, value_name = "NAME=FUNCTION", value_delimiter = ',')]
    pub assign: Vec<String>,
    /// How many iterations
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub iterations: usize,
    /// Where to write a picture of the runs, as SVG
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `linnaeus show`.
#[derive(Args)]
pub struct ShowArguments {
    /// Where the algorithm comes from.
    #[command(flatten)]
    pub input: Input,
    /// How the text is written, if it is not to be told by its looks
    #[arg(long = "from", value_name = "NOTATION", value_parser = ["plain", "latex", "unicode", "python", "julia", "matlab"])]
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
    /// Print the algorithm, as it is written, in this notation
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS, conflicts_with_all = ["json", "latex"])]
    pub to: Option<String>,
}

/// `linnaeus realize`.
#[derive(Args)]
pub struct RealizeArguments {
    /// Where the algorithm or the matrix comes from.
    #[command(flatten)]
    pub input: Input,
    /// What is stored from one iteration to the next: as little as can be, what the text stores, past answers, queries to
    /// come, or the state of a canonical form
    #[arg(long, value_name = "STATE", value_parser = ["minimal", "as-written", "answers", "queries", "controllable", "observable"])]
    pub state: Option<String>,
    /// Other oracles of the same functions, as `prox_f, prox_{s g*}`
    #[arg(long, value_name = "ORACLES")]
    pub oracles: Option<String>,
    /// Give a parameter a value, as `t=1/2`; also `A=I`, `h=0` and, for a set, `C=all`
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Read coefficients that change with the index as constants
    #[arg(long)]
    pub freeze: bool,
    /// Print the algorithm in this notation
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS)]
    pub to: Option<String>,
    /// Say also what the state is in terms of the one that the text stores
    #[arg(long, conflicts_with_all = ["to", "json"])]
    pub map: bool,
    /// Print the inverse instead, answers from queries, as a state space
    #[arg(long, conflicts_with_all = ["to", "json", "map"])]
    pub inverse: bool,
    /// Print a balanced state space in floating point instead, by Ho and Kalman's method
    #[arg(long, conflicts_with_all = ["to", "json", "map", "inverse", "state"])]
    pub numeric: bool,
    /// Singular values below this part of the largest count as zero
    #[arg(long, value_name = "PART", requires = "numeric", default_value_t = linnaeus::synthesis::ho_kalman::TOLERANCE)]
    pub tolerance: f64,
    /// Print JSON
    #[arg(long, conflicts_with = "to")]
    pub json: bool,
}

/// What `--to` takes.
pub const FORMATS: [&str; 9] =
    ["plain", "unicode", "latex", "algorithmic", "python", "julia", "sympy", "control", "pepit"];

/// `linnaeus forms`.
#[derive(Args)]
pub struct FormsArguments {
    /// Where the algorithm or the matrix comes from.
    #[command(flatten)]
    pub input: Input,
    /// Only these oracles, as `prox_f, prox_{s g*}`
    #[arg(long, value_name = "ORACLES")]
    pub oracles: Option<String>,
    /// Only the oracles of the text
    #[arg(long, conflicts_with = "oracles")]
    pub own_oracles: bool,
    /// Only calls at these times, as `0,1,1`
    #[arg(long, value_name = "SHIFT", allow_hyphen_values = true)]
    pub shift: Option<String>,
    /// Call the conjugate of this function
    #[arg(long, value_name = "FUNCTION")]
    pub conjugate: Vec<String>,
    /// Call the conjugates of all functions
    #[arg(long)]
    pub dual: bool,
    /// Take so many iterations as one
    #[arg(long, value_name = "N")]
    pub repeat: Option<usize>,
    /// Let two functions change places, as `f,g`
    #[arg(long, value_name = "FUNCTIONS")]
    pub permute: Vec<String>,
    /// Leave out the calls of a function: they answer zero
    #[arg(long, value_name = "FUNCTION")]
    pub delete: Vec<String>,
    /// Make an operator the identity, a function zero or a parameter a number, as `A=I`, `h=0`, `t=1/2`
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Filter both signals of a linear oracle, as `1/(z-alpha)` or `f=1/(z-alpha)`
    #[arg(long, value_name = "FILTER")]
    pub filter: Vec<String>,
    /// Print the cheapest explicit form
    #[arg(long)]
    pub best: bool,
    /// List all forms, however many
    #[arg(long)]
    pub all: bool,
    /// Read coefficients that change with the index as constants
    #[arg(long)]
    pub freeze: bool,
    /// Print the cheapest explicit form in this notation
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS)]
    pub to: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "to")]
    pub json: bool,
}

/// Algorithms in files, or typed out.
pub struct Inputs {
    /// In the order in which they were typed.
    pub list: Vec<Named>,
}

/// Where the text of an algorithm is.
pub enum Named {
    /// In a file, on standard input for `-`, on a card for `zoo:ID`.
    File(String),
    /// Here.
    Text(String),
}

/// The arguments of [`Inputs`] as they are declared; their order is in the matches only.
#[derive(Args)]
struct InputsDeclared {
    /// Two files, or one where one is enough (`-` for standard input, `zoo:ID` for a card of the zoo); each `-e TEXT` stands for one of them, in the order typed
    #[arg(value_name = "A B", num_args = 0..=2)]
    files: Vec<String>,
    /// An algorithm itself, lines separated by `;`
    #[arg(short = 'e', value_name = "TEXT", allow_hyphen_values = true)]
    expressions: Vec<String>,
}

impl FromArgMatches for Inputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Inputs, clap::Error> {
        let InputsDeclared { files, expressions } = InputsDeclared::from_arg_matches(matches)?;
        let places = |id: &str| matches.indices_of(id).into_iter().flatten();
        let files = places("files").zip(files.into_iter().map(Named::File));
        let expressions = places("expressions").zip(expressions.into_iter().map(Named::Text));
        let mut list: Vec<(usize, Named)> = files.chain(expressions).collect();
        list.sort_by_key(|(place, _)| *place);
        Ok(Inputs { list: list.into_iter().map(|(_, named)| named).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Inputs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Inputs {
    fn augment_args(command: clap::Command) -> clap::Command {
        InputsDeclared::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        InputsDeclared::augment_args_for_update(command)
    }
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

/// `linnaeus scan`.
#[derive(Args)]
pub struct ScanArguments {
    /// LaTeX files, or `-` for standard input; files that they include are read if they lie in the same folder or below
    #[arg(required = true, value_name = "PAPER")]
    pub files: Vec<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "html")]
    pub json: bool,
    /// Print a page that needs nothing beside it
    #[arg(long)]
    pub html: bool,
    /// Where to write; without it, standard output
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `linnaeus serve`.
#[derive(Args)]
pub struct ServeArguments {
    /// The port, or 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 7420)]
    pub port: u16,
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
