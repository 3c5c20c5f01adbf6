//! (H₁, Φ₁), (H₂, Φ₂) → [`Verdict`]: every relation is a group that acts on the range of [H; I], so
//! one mechanism serves them all. Channels are paired, the second algorithm is written in the
//! first's oracles, shifted, and its parameters are solved for.

pub mod behavior;
mod constants;
mod dual;
pub mod graph;
mod hypothesis;
mod identity;
mod lift;
mod markov;
mod obstruction;
mod operators;
mod parameters;
mod recheck;
mod refutation;
mod scaling;
mod search;
pub mod shift;
pub mod state_map;
mod verdict;

pub use identity::{Identity, identity};
pub use operators::is_coefficient;
pub use recheck::{Recheck, recheck};
pub use scaling::on_branch;
pub use search::symbol_name;
pub use state_map::{NoStateMap, StateMap, state_map};
pub use verdict::{
    Assumption, Compared, Conjugate, Difference, Exchange, Generality, Invariant, Limit, Nearest, Obstruction,
    Refutation, Relation, Sign, Verdict, Witness,
};

use crate::transfer::Analysis;

/// A verdict and its second opinion.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What was found.
    pub verdict: Verdict,
    /// What the re-check said of it, if it is positive.
    pub recheck: Option<Recheck>,
}

/// Decides how two algorithms are related. A witness that fails its re-check is never shown.
pub fn compare(first: &Analysis, second: &Analysis, only: Option<Relation>) -> Comparison {
    let verdict = search::search(first, second, only);
    let Verdict::Related(witness) = &verdict else {
        return Comparison { verdict, recheck: None };
    };
    match recheck(first, second, witness) {
        Recheck::Failed => {
            debug_assert!(false, "a witness failed its re-check: {witness:?}");
            Comparison { verdict: Verdict::Undecided(Limit::Recheck), recheck: Some(Recheck::Failed) }
        }
        passed => Comparison { verdict, recheck: Some(passed) },
    }
}
