//! A bar on standard error for what takes longer than a second, on a terminal only.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Nothing is shown before this much time has passed.
const PATIENCE: Duration = Duration::from_secs(1);
/// Nor more often than this.
const PAUSE: Duration = Duration::from_millis(100);
/// Characters between the brackets.
const WIDTH: usize = 30;

/// How far some work has come; threads may share it.
pub struct Progress {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    start: Instant,
    /// When the bar was last drawn; none where there is no terminal.
    drawn: Option<Mutex<Option<Instant>>>,
}

impl Progress {
    /// Work that has not begun.
    pub fn new(what: &'static str, total: usize) -> Self {
        let drawn = std::io::stderr().is_terminal().then(|| Mutex::new(None));
        Progress { what, total, done: AtomicUsize::new(0), start: Instant::now(), drawn }
    }

    /// One more is done.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(drawn) = &self.drawn else { return };
        let passed = self.start.elapsed();
        if passed < PATIENCE {
            return;
        }
        // A thread that finds another one drawing has better things to do.
        let Ok(mut last) = drawn.try_lock() else { return };
        if last.is_none_or(|at| at.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", bar(self.what, done, self.total, passed));
        }
    }
}

/// The bar does not outlive the work.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.as_ref().is_some_and(|d| d.lock().is_ok_and(|last| last.is_some())) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// `comparing [██████░░░░] 12000 of 39075, 40 s left`.
fn bar(what: &str, done: usize, total: usize, passed: Duration) -> String {
    let total = total.max(1);
    let full = WIDTH * done.min(total) / total;
    let left = passed.as_secs_f64() * (total.saturating_sub(done)) as f64 / done.max(1) as f64;
    let (full, empty) = ("█".repeat(full), "░".repeat(WIDTH - full));
    format!("{what} [{full}{empty}] {done} of {total}, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        let half = bar("comparing", 20, 40, Duration::from_secs(3));
        assert_eq!(half, format!("comparing [{}{}] 20 of 40, 3 s left", "█".repeat(15), "░".repeat(15)));
        assert!(bar("comparing", 0, 0, Duration::ZERO).contains("0 of 1"));
    }
}
