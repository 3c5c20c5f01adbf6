//! The same work for many things, on all processors.

use crate::progress::Progress;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Formulas are read and solved by recursion.
const STACK: usize = 64 << 20;

/// What the work makes of 0, 1, … below a number, in this order.
pub fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let worker = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return;
            }
            let result = work(i);
            found.lock().expect("no thread panics").push((i, result));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread");
        }
    });
    let mut found = found.into_inner().expect("no thread panics");
    found.sort_unstable_by_key(|(i, _)| *i);
    found.into_iter().map(|(_, result)| result).collect()
}

/// What the work makes of every item, in their order, with a bar.
pub fn map<T: Sync, R: Send>(what: &'static str, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let progress = Progress::new(what, items.len());
    each(items.len(), |i| {
        let made = work(&items[i]);
        progress.step();
        made
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order() {
        assert_eq!(each(1000, |i| i * i), (0..1000).map(|i| i * i).collect::<Vec<_>>());
        assert_eq!(each(0, |i| i), Vec::<usize>::new());
    }
}
