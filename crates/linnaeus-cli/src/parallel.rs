//! Work on all processors, with a bar.

use crate::progress::Progress;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Formulas are trees, and deep ones need a deep stack.
const STACK: usize = 64 << 20;

/// What `work` makes of every item, in the order of the items.
pub fn map<T: Sync, R: Send>(what: &'static str, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let progress = Progress::new(what, items.len());
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let run = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return };
            let made = work(item);
            found.lock().expect("no thread panics").insert(i, made);
            progress.step();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).expect("a thread");
        }
    });
    found.into_inner().expect("no thread panics").into_values().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn order_is_kept() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(super::map("counting", &items, |i| i * i), items.iter().map(|i| i * i).collect::<Vec<_>>());
    }
}
