//! Factorizations that were found before. Equations of many questions about one algorithm have factors in common.

use super::Found;
use crate::{Exhausted, Multiplicative, Polynomial, metered, spend};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// No more than so many factorizations are kept.
const MAX_KEPT: usize = 20_000;
/// Longer polynomials are not kept.
const MAX_TERMS: usize = 500;

thread_local! {
    static CURRENT: RefCell<Option<Memory>> = const { RefCell::new(None) };
}

/// Factorizations, each with the work that it took.
type Kept = HashMap<Polynomial, (Found, u64), BuildHasherDefault<Multiplicative>>;

/// Factorizations that are kept for who asks again. Who does is charged for the work that it took, so that what is
/// within a limit does not depend on who asked before.
///
/// ```
/// use linnaeus_algebra::{Polynomial, Variable, factor::Memory, metered};
/// let [x, y] = [0, 1].map(|i| Polynomial::variable(Variable(i)));
/// let p = x.square().unwrap() - y.square().unwrap();
/// let memory = Memory::default();
/// let first = memory.during(|| metered(|| p.factor()));
/// assert_eq!(memory.during(|| metered(|| p.factor())), first);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Kept>>);

/// Restores what was kept in before, also when the computation unwinds.
struct Before(Option<Memory>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

impl Memory {
    /// Runs `f` with factorizations on this thread kept here.
    pub fn during<T>(&self, f: impl FnOnce() -> T) -> T {
        let _before = Before(CURRENT.replace(Some(self.clone())));
        f()
    }

    fn open(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The factors of a primitive polynomial, by `f` if nobody asked for them before.
pub(super) fn kept(p: Polynomial, f: impl FnOnce(Polynomial) -> Result<Found, Exhausted>) -> Result<Found, Exhausted> {
    let memory = CURRENT.with_borrow(Clone::clone).filter(|_| p.term_count() <= MAX_TERMS);
    let Some(memory) = memory else { return f(p) };
    if let Some((found, work)) = memory.open().get(&p) {
        spend(*work)?;
        return Ok(found.clone());
    }
    let (found, work) = metered(|| f(p.clone()));
    let found = found?;
    let mut kept = memory.open();
    if kept.len() < MAX_KEPT {
        kept.insert(p, (found.clone(), work));
    }
    Ok(found)
}
