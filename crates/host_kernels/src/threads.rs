//! The threads that kernels share.

use std::sync::LazyLock;

use rayon::ThreadPool;

/// Computes `work` by threads of the kernels' own, as many as there are processors: what else is done side by side in the process, such as making tokens of
/// much text, has others, and keeps no step waiting.
pub(crate) fn side_by_side(work: impl FnOnce() + Send) {
    static THREADS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let named = rayon::ThreadPoolBuilder::new().thread_name(|number| format!("kernels-{number}"));
        // Where no more threads can be had, those that all share do.
        named.build().ok()
    });
    match &*THREADS {
        Some(threads) => threads.install(work),
        None => work(),
    }
}
