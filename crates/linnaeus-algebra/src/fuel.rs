//! A work limit for one thread.
//!
//! Exact arithmetic has no useful worst case: a short input can ask for a polynomial with more
//! terms than the machine has bytes. Every operation whose cost is not linear in its operands
//! therefore spends *fuel* before it works and answers [`Exhausted`] when none is left.

use std::cell::Cell;
use std::fmt;

/// The work limit set by [`with_fuel`] was reached, or a result would not fit in memory at all.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the work limit was reached")
    }
}

impl std::error::Error for Exhausted {}

const UNLIMITED: u64 = u64::MAX;

thread_local! {
    static REMAINING: Cell<u64> = const { Cell::new(UNLIMITED) };
}

/// Restores the outer scope's fuel, also when the inner computation unwinds.
struct Scope {
    outer: u64,
    granted: u64,
}

impl Drop for Scope {
    fn drop(&mut self) {
        let used = self.granted - REMAINING.get();
        let outer = if self.outer == UNLIMITED { UNLIMITED } else { self.outer - used };
        REMAINING.set(outer);
    }
}

/// Runs `f` with at most `fuel` units of work on this thread.
///
/// A unit is about one coefficient multiplication or one term moved. Scopes nest: an inner scope
/// gets at most what the outer one has left, and what it uses is taken from the outer one. Without
/// a scope, fuel is unlimited.
///
/// ```
/// use linnaeus_algebra::{Exhausted, Polynomial, Variable, with_fuel};
/// let x = Polynomial::variable(Variable(0)) + Polynomial::one();
/// assert_eq!(with_fuel(100, || x.pow(1000)), Err(Exhausted));
/// assert!(with_fuel(100, || x.pow(3)).is_ok());
/// ```
pub fn with_fuel<T>(fuel: u64, f: impl FnOnce() -> T) -> T {
    let outer = REMAINING.get();
    let granted = fuel.min(outer).min(UNLIMITED - 1);
    REMAINING.set(granted);
    let _scope = Scope { outer, granted };
    f()
}

/// Runs `f` with a limit of its own; `None` when it is reached but not the outer one.
///
/// # Errors
/// [`Exhausted`] when the outer limit is reached.
pub fn limited<T>(fuel: u64, f: impl FnOnce() -> Result<T, Exhausted>) -> Result<Option<T>, Exhausted> {
    match with_fuel(fuel, f) {
        Ok(result) => Ok(Some(result)),
        Err(Exhausted) => spend(1).map(|()| None),
    }
}

/// Spends `units` of fuel, for callers' own loops.
///
/// # Errors
/// [`Exhausted`] when fewer than `units` are left; nothing is left then.
///
/// ```
/// use linnaeus_algebra::{spend, with_fuel};
/// assert_eq!(with_fuel(10, || (1..).take_while(|_| spend(3).is_ok()).count()), 3);
/// ```
pub fn spend(units: u64) -> Result<(), Exhausted> {
    let remaining = REMAINING.get();
    if remaining == UNLIMITED {
        return Ok(());
    }
    match remaining.checked_sub(units) {
        Some(left) => {
            REMAINING.set(left);
            Ok(())
        }
        None => {
            REMAINING.set(0);
            Err(Exhausted)
        }
    }
}

/// Runs `f` and says how much it spent, so that who keeps the result may charge the same for it again.
///
/// ```
/// use linnaeus_algebra::{metered, spend};
/// assert_eq!(metered(|| spend(3)), (Ok(()), 3));
/// ```
pub fn metered<T>(f: impl FnOnce() -> T) -> (T, u64) {
    with_fuel(UNLIMITED, || {
        let before = REMAINING.get();
        let found = f();
        (found, before - REMAINING.get())
    })
}

/// Books work of an operation that cannot fail; the next [`spend`] notices.
pub(crate) fn charge(units: usize) {
    let remaining = REMAINING.get();
    if remaining != UNLIMITED {
        REMAINING.set(remaining.saturating_sub(units as u64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_nest_and_subtract() {
        with_fuel(100, || {
            assert_eq!(with_fuel(1000, || spend(60)), Ok(()));
            assert_eq!(spend(41), Err(Exhausted));
        });
        assert_eq!(spend(u64::MAX), Ok(()));
    }

    #[test]
    fn a_small_inner_scope_does_not_end_the_outer_one() {
        with_fuel(100, || {
            assert_eq!(with_fuel(10, || spend(11)), Err(Exhausted));
            assert_eq!(spend(90), Ok(()));
        });
    }
}
