//! Algorithms run on test problems in floating point. Nothing here finds or proves anything: it shows what the exact
//! answers mean. No number made here goes back into the engine.

mod apart;
mod assign;
pub mod dense;
mod follow;
pub mod function;
mod implicit;
pub mod numbers;
mod parameters;
pub mod problem;
mod refusal;
mod run;
mod stage;
mod start;
mod tune;

pub use assign::Assigned;
pub use refusal::{Blame, Refusal};
pub use run::Call;

use crate::FUEL;
use crate::relation::behavior::Side;
use crate::relation::{Verdict, Witness};
use crate::transfer::Analysis;
use linnaeus_algebra::with_fuel;
use stage::Stage;

/// A run has at most this many iterations.
pub const MAX_ITERATIONS: usize = 10_000;

/// What is to be run on what.
#[derive(Clone, Debug)]
pub struct Request {
    /// The name of the problem.
    pub problem: String,
    /// Functions of the first text and what they are in the problem.
    pub assign: Vec<(String, String)>,
    /// Parameters of the first text and their values; `B.t` is the second's `t`.
    pub set: Vec<(String, f64)>,
    /// How many iterations.
    pub iterations: usize,
}

/// A parameter and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// `A` or `B`.
    pub side: Side,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Where the value comes from.
    pub reason: String,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The calls of all channels, by iteration.
    pub calls: Vec<Vec<Call>>,
    /// How far the points at which the functions are taken are from the solution, by iteration and channel; empty
    /// where there is no solution.
    pub distances: Vec<Vec<f64>>,
    /// Whether the run ended early because it diverged.
    pub diverged: bool,
}

/// How the second follows the first.
#[derive(Clone, Debug)]
pub struct Following {
    /// Its run.
    pub trace: Trace,
    /// How far its queries are from the first's, by iteration and pair of channels; empty where the signals are
    /// related by filters.
    pub differences: Vec<Vec<f64>>,
    /// Its iterates beside what the state map makes of the first's, or why they are not compared.
    pub iterates: Result<Iterates, &'static str>,
    /// Pairs of channels, the first's and the second's; those of a repeated algorithm are numbered on.
    pub pairs: Vec<(usize, usize)>,
    /// How it was started.
    pub start: String,
    /// Whether a relation gives its parameters and its start; otherwise it runs on its own.
    pub is_related: bool,
}

/// The second's iterates beside the first's.
#[derive(Clone, Debug)]
pub struct Iterates {
    /// Those that are compared, as `x[k-1]`.
    pub names: Vec<String>,
    /// How far each is from what the state map makes of the first's, by iteration.
    pub differences: Vec<Vec<f64>>,
    /// Those of which the queries do not tell what they are.
    pub open: Vec<String>,
}

/// What was run, and what came of it.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The name of the problem.
    pub problem: &'static str,
    /// What functions and operators of the first text stand for.
    pub assigned: Vec<Assigned>,
    /// The values of all parameters.
    pub settings: Vec<Setting>,
    /// How the first was started.
    pub start: &'static str,
    /// Whether there is a solution to which distances are measured.
    pub solved: bool,
    /// The first's run.
    pub first: Trace,
    /// The second's.
    pub second: Option<Following>,
}

/// Runs two algorithms on a problem: the second as the relation has it, or on its own where none is known.
pub fn simulate_both(
    first: &Analysis,
    second: &Analysis,
    verdict: &Verdict,
    request: &Request,
) -> Result<Simulation, Refusal> {
    match verdict {
        Verdict::Related(witness) => simulate(first, Some((second, witness)), request),
        Verdict::Distinct(_) | Verdict::Undecided(_) => apart::apart(first, second, request),
    }
}

/// Runs an algorithm on a problem, and a related one beside it.
pub fn simulate(
    first: &Analysis,
    second: Option<(&Analysis, &Witness)>,
    request: &Request,
) -> Result<Simulation, Refusal> {
    with_fuel(FUEL, || Stage::new(first, second, request)?.simulate())
}
