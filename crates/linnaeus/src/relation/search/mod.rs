//! The search for a relation, strongest first.

mod names;
mod run;
mod solving;
mod witness;
mod words;

use super::behavior::{Behavior, Side};
use super::conjugates;
use super::hypothesis::Hypothesis;
use super::kept::{Answers, Known};
use super::key::Sieve;
use super::markov;
use super::obstruction::obstruction;
use super::operators::{Multiples, OperatorMap};
use super::parameters::Constants;
use super::paths::Paths;
use super::scaling::{Gauge, Gauges, Scaled};
use super::shift::Chosen;
use super::verdict::{Assumption, Generality, Limit, Relation, Verdict};
use crate::FUEL;
use crate::transfer::Analysis;
use linnaeus_algebra::solve::Branch;
use linnaeus_algebra::{Exhausted, Matrix, RationalFunction, Variable, with_fuel};
use words::{functions_of_commuting, multiple_words, repeated_words, special_words};

pub use names::{same_values, symbol_name, symbol_name_at_start};
pub use run::specialised;
pub use solving::{rational, restrictions};
pub use words::{agree_as_identities, differ_on_lines};

/// How much is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything about two texts.
    Texts,
    /// Whether all of one family lies in the other.
    Families,
}

/// Whether sequences of numbers of one name are the same in both texts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// They are: one author named them.
    Shared,
    /// Names are of no consequence.
    Foreign,
}

/// Which relations are sought.
#[derive(Copy, Clone, Debug)]
pub struct Wanted<'a> {
    /// Only this one.
    pub only: Option<Relation>,
    /// What names of sequences mean.
    pub names: Names,
    /// The first as an instance of the second.
    pub forth: bool,
    /// The second as an instance of the first.
    pub back: bool,
    /// Without assumptions: oracle, shift, permutation, LFT, and what declared oracles commute with.
    pub plain: bool,
    /// Repetition.
    pub repeated: bool,
    /// Duality.
    pub dual: bool,
    /// Functions of which one side calls the conjugate only as functions of the other.
    pub renamed: bool,
    /// Under assumptions.
    pub conditional: bool,
    /// Of families, also under assumptions that few are related by: two functions are one, or one is special where
    /// numbers change with the index.
    pub rare: bool,
    /// How much work may be done.
    pub work: u64,
    /// Whether what random points exclude need not be tried.
    pub sifted: bool,
    /// What the keys of both say.
    pub sieve: Option<Sieve<'a>>,
    /// What the keys say where the one with fewer calls is repeated.
    pub sieve_of_repeated: Option<Sieve<'a>>,
    /// A side that is several iterations taken as one, with whichever of them it begins, and how many calls each has.
    pub begins_anywhere: Option<(Side, usize)>,
    /// What is known of both texts.
    pub known: Option<[&'a Known; 2]>,
    /// What was answered in comparisons before.
    pub answers: Option<&'a Answers>,
}

impl Wanted<'_> {
    /// All of them.
    pub const ALL: Wanted<'static> = Wanted {
        only: None,
        names: Names::Shared,
        forth: true,
        back: true,
        plain: true,
        repeated: true,
        dual: true,
        renamed: true,
        conditional: true,
        rare: false,
        work: FUEL,
        sifted: false,
        sieve: None,
        sieve_of_repeated: None,
        begins_anywhere: None,
        known: None,
        answers: None,
    };
    /// None of them, in both directions.
    pub const NONE: Wanted<'static> =
        Wanted { plain: false, repeated: false, dual: false, renamed: false, conditional: false, ..Wanted::ALL };

    /// Whether anything is sought.
    pub fn any(&self) -> bool {
        self.plain || self.repeated || self.dual || self.renamed || self.conditional
    }

    /// Whether assumptions are tried that few texts are related by.
    fn tries_rare(&self, scope: Scope) -> bool {
        scope == Scope::Texts || self.rare
    }

    fn admits(&self, relation: Relation) -> bool {
        self.only.is_none_or(|only| only == relation)
    }
}

/// Decides how two algorithms are related.
pub fn search(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope) -> Verdict {
    if first.channels.is_empty() && second.channels.is_empty() {
        return Verdict::Undecided(Limit::Calls);
    }
    let found = match in_order(first, second, wanted, scope) {
        // What keys admit and equations leave open is so in either order, as far as cards tell. Work is another matter.
        Verdict::Undecided(why) if wanted.sieve.is_some() && why != Limit::Work => Verdict::Undecided(why),
        Verdict::Undecided(why) => {
            // What is refuted in one order is refuted in the other.
            let turned = Wanted {
                forth: wanted.back,
                back: wanted.forth,
                sieve: None,
                sieve_of_repeated: None,
                known: None,
                ..wanted
            };
            match in_order(second, first, turned, scope) {
                Verdict::Distinct(reason) => Verdict::Distinct(reason),
                _ => Verdict::Undecided(why),
            }
        }
        found => found,
    };
    let found = if wanted.renamed { conjugates::preferred(first, second, wanted, scope, found) } else { found };
    match found {
        Verdict::Distinct(_) if scope == Scope::Texts => {
            Verdict::Distinct(Box::new(obstruction(first, second, wanted.only)))
        }
        verdict => verdict,
    }
}

/// The first against the second, without reasons.
pub(super) fn in_order(first: &Analysis, second: &Analysis, wanted: Wanted, scope: Scope) -> Verdict {
    let search = || -> Result<Verdict, Exhausted> {
        let (a, b) = match wanted.known {
            Some([x, y]) => (x.behavior(first), y.behavior(second)),
            None => (Behavior::new(first, Side::First), Behavior::new(second, Side::Second)),
        };
        let (Some(a), Some(b)) = (a, b) else {
            let words = match wanted.known {
                Some([x, y]) => [x.words(first)?, y.words(second)?],
                None => [None, None],
            };
            let (first, second) = (words[0].as_deref().unwrap_or(first), words[1].as_deref().unwrap_or(second));
            let is_written = markov::written(first).is_ok() && markov::written(second).is_ok();
            let found = match wanted.plain || wanted.conditional {
                true if is_written => markov::compare(first, second, wanted, scope)?,
                true if wanted.plain => match functions_of_commuting(first, second, wanted)? {
                    Some(found) => return Ok(found),
                    None => return Ok(Verdict::Undecided(Limit::Inverse)),
                },
                _ => Verdict::Distinct(Box::default()),
            };
            let repeated = wanted.repeated
                && (wanted.admits(Relation::Repetition)
                    || wanted.admits(Relation::Conditional) && scope == Scope::Texts);
            let found = match found {
                Verdict::Related(_) => return Ok(found),
                found if repeated => repeated_words(first, second, wanted, scope)?.unwrap_or(found),
                found => found,
            };
            let conditional = wanted.conditional && wanted.admits(Relation::Conditional) && wanted.tries_rare(scope);
            let found = match found {
                Verdict::Related(_) => return Ok(found),
                found if conditional => special_words(first, second, wanted, scope)?.unwrap_or(found),
                found => found,
            };
            // What all operators would have to be is asked where nothing less is left open.
            return match found {
                Verdict::Distinct(_) if conditional && scope == Scope::Texts => {
                    Ok(multiple_words(first, second, wanted)?.unwrap_or(found))
                }
                found => Ok(found),
            };
        };
        Search::new(first, second, wanted, scope).run(&a, &b)
    };
    with_fuel(wanted.work, search).unwrap_or(Verdict::Undecided(Limit::Work))
}

struct Search<'a> {
    first: &'a Analysis,
    second: &'a Analysis,
    only: Option<Relation>,
    wanted: Wanted<'a>,
    scope: Scope,
    limit: Option<Limit>,
    symmetry: Symmetry,
    /// What is asked of constant vectors.
    constants: Constants,
    /// Which side is lifted, and how often it is repeated.
    repeat: Option<(Side, usize)>,
    /// Whether a question took more than a little work.
    is_hard: bool,
}

/// What is assumed while pairings are tried.
#[derive(Copy, Clone)]
struct Attempt<'a> {
    stage: Stage,
    /// Operators that are multiples of the identity.
    identity: Multiples,
    /// Of functions.
    assumptions: &'a [Assumption],
}

impl Attempt<'_> {
    /// Nothing.
    fn plain(stage: Stage) -> Attempt<'static> {
        Attempt { stage, identity: Multiples::NONE, assumptions: &[] }
    }
}

/// What operators may be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Operators<'a> {
    /// Any.
    General,
    /// Some are multiples of the identity.
    Multiples,
    /// All of these are.
    AllMultiples(&'a [Variable]),
}

/// Whose parameters are sought, and under which reading.
#[derive(Copy, Clone)]
struct Asked<'a> {
    direction: Direction,
    hypothesis: &'a Hypothesis,
    chosen: Chosen,
    map: &'a OperatorMap,
    /// Both as they are.
    own: [&'a Behavior; 2],
    /// Of functions.
    assumptions: &'a [Assumption],
}

/// Both behaviors, operators mapped, and how they may be compared.
struct Posed {
    a: Behavior,
    /// In A's order.
    b: Behavior,
    /// In A's oracles as well.
    b_new: Behavior,
    matrices: Vec<Matrix<RationalFunction>>,
    /// How its channels are scaled, in A's order.
    channels: Vec<Scaled>,
    /// The numbers by which they are that are to be found.
    scales: Vec<Variable>,
    gauges: Gauges,
}

/// What both signals of a channel may undergo.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Symmetry {
    /// Shifts.
    Shifts,
    /// Also what declared oracles commute with.
    Scalings,
    /// Also a reflection, the second's functions being read as conjugates.
    Dual,
}

/// What is done to both signals, the parameters and the operators of one direction.
type Solved = (Gauge, Vec<Branch>, OperatorMap);

/// What one hypothesis came to.
struct Found {
    hypothesis: Hypothesis,
    gauge: Gauge,
    generality: Generality,
    branches: Vec<Branch>,
    operators: OperatorMap,
    /// How constant vectors were made to agree.
    constants: Constants,
    /// How samples were.
    paths: Paths,
    /// m, from where both begin to count.
    shift: Vec<i64>,
}

/// Whether conditions on the given side's parameters are sought.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Generic,
    Overlap,
}

/// Whose parameters are solved for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Direction {
    /// The second's in terms of the first's.
    Forth,
    /// The first's in terms of the second's.
    Back,
}

impl<'a> Search<'a> {
    fn new(first: &'a Analysis, second: &'a Analysis, wanted: Wanted<'a>, scope: Scope) -> Search<'a> {
        let (symmetry, constants) = (Symmetry::Shifts, Constants::Any);
        Search {
            first,
            second,
            only: wanted.only,
            wanted,
            scope,
            limit: None,
            symmetry,
            constants,
            repeat: None,
            is_hard: false,
        }
    }
}
