//! Cases that are checked by two threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `check` gives for each case, in any order. Most of its work is tracing and compiling, which one thread does for the most part.
pub(crate) fn two_at_a_time<C: Sync, R: Send>(cases: &[C], check: impl Fn(&C) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || std::iter::from_fn(|| cases.get(next.fetch_add(1, Ordering::Relaxed)).map(&check)).collect();
    thread::scope(|scope| {
        let other = scope.spawn(some);
        let mut all: Vec<R> = some();
        all.extend(other.join().expect("no case fails"));
        all
    })
}
