//! What is computed once where one text is compared with many: of each text the behavior, as it is and where a
//! function is special, and the answers to questions. Many cards are related to one another, so that every
//! other question has been asked before, word by word.
//!
//! Who asks again is charged for the work that it took, so that what is within a limit does not depend on who
//! asked before.

use super::behavior::{Behavior, Side};
use super::lift;
use super::parameters::{Constants, Question};
use super::search::specialised;
use crate::transfer::graph::Special;
use crate::transfer::{Analysis, Transfer, over_operators};
use linnaeus_algebra::solve::Solution;
use linnaeus_algebra::{Exhausted, Matrix, Multiplicative, Polynomial, RationalFunction, Variable, metered, spend};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What is known of a text that is one side, always the same, of many comparisons.
#[derive(Debug)]
pub struct Known {
    side: Side,
    behavior: OnceLock<Option<Behavior>>,
    special: Mutex<HashMap<(String, Special), Limited>>,
    words: Mutex<Option<Worked<Arc<Analysis>>>>,
    lifted: Mutex<HashMap<usize, Worked<Option<Arc<Analysis>>>>>,
}

/// A behavior where a function is special, if it has one.
type Limited = Worked<Option<Behavior>>;

/// A result, and the work that it took.
type Worked<T> = (T, u64);

impl Known {
    /// Nothing yet.
    pub fn new(side: Side) -> Known {
        let (special, words, lifted) = Default::default();
        Known { side, behavior: OnceLock::new(), special, words, lifted }
    }

    /// Its behavior, if its operators commute.
    pub(super) fn behavior(&self, analysis: &Analysis) -> Option<Behavior> {
        self.behavior.get_or_init(|| Behavior::new(analysis, self.side)).clone()
    }

    /// The algorithm with coefficients that are operators, where they are symbols in the text's analysis.
    pub(super) fn words(&self, analysis: &Analysis) -> Result<Option<Arc<Analysis>>, Exhausted> {
        if matches!(analysis.transfer, Transfer::Noncommuting { .. }) {
            return Ok(None);
        }
        let mut known = open(&self.words);
        if let Some((words, work)) = known.as_ref() {
            return spend(*work).map(|()| Some(words.clone()));
        }
        let (realization, work) = metered(|| over_operators(analysis));
        let transfer = Transfer::Noncommuting { h: None, realization: realization?, markov: Vec::new() };
        let words = Arc::new(Analysis { transfer, ..analysis.clone() });
        Ok(Some(known.insert((words, work)).0.clone()))
    }

    /// So many iterations as one, if its operators commute.
    pub fn lifted(&self, analysis: &Analysis, times: usize) -> Result<Option<Arc<Analysis>>, Exhausted> {
        match open(&self.lifted).entry(times) {
            Entry::Occupied(known) => spend(known.get().1).map(|()| known.get().0.clone()),
            Entry::Vacant(place) => {
                let (found, work) = metered(|| lift::lifted(analysis, times));
                Ok(place.insert((found?.map(Arc::new), work)).0.clone())
            }
        }
    }

    /// The behavior where a function of its own is special; nothing if an oracle is then forced.
    pub(super) fn special(&self, x: &Behavior, f: &str, special: Special) -> Result<Option<Behavior>, Exhausted> {
        match open(&self.special).entry((f.to_string(), special)) {
            Entry::Occupied(known) => spend(known.get().1).map(|()| known.get().0.clone()),
            Entry::Vacant(place) => {
                let (found, work) = metered(|| specialised(x, &[(self.side, f.to_string(), special)]));
                Ok(place.insert((found?, work)).0.clone())
            }
        }
    }
}

/// Answers to questions that were asked.
#[derive(Debug, Default)]
pub struct Answers(Mutex<HashMap<Asked, Worked<Option<Solution>>, BuildHasherDefault<Multiplicative>>>);

/// All that the answer to a question depends on, where nothing is asked of constant vectors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    entries: [Arc<Matrix<RationalFunction>>; 2],
    shift: Vec<i64>,
    universal: Vec<Variable>,
    /// What must vanish besides: what steps must be, for one.
    also: Vec<Polynomial>,
    nonzero: [Arc<Vec<Polynomial>>; 2],
    given: Vec<Variable>,
    unknowns: [Vec<Variable>; 2],
    /// Operators that must not vanish.
    operators: Vec<Variable>,
}

impl Asked {
    fn new(q: &Question) -> Result<Asked, Exhausted> {
        let mut also = q.also.to_vec();
        for i in 0..q.given.ports.len() {
            also.extend(q.step(i)?);
        }
        Ok(Asked {
            entries: [q.given.h.clone(), q.sought.h.clone()],
            shift: q.shift.to_vec(),
            universal: q.universal.to_vec(),
            also,
            nonzero: [q.given.nonzero.clone(), q.sought.nonzero.clone()],
            given: q.given.parameters.clone(),
            unknowns: [q.sought.parameters.clone(), q.operators.unknowns.clone()],
            operators: q.operators.nonzero.clone(),
        })
    }
}

impl Answers {
    /// What [`Question::solve_unless_refuted`] says.
    pub(super) fn to(&self, q: &Question) -> Result<Option<Solution>, Exhausted> {
        if q.constants != Constants::Any {
            return q.solve_unless_refuted();
        }
        let asked = Asked::new(q)?;
        if let Some((answer, work)) = open(&self.0).get(&asked) {
            spend(*work)?;
            return Ok(answer.clone());
        }
        let (answer, work) = metered(|| q.solve_unless_refuted());
        let answer = answer?;
        open(&self.0).insert(asked, (answer.clone(), work));
        Ok(answer)
    }
}

fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
