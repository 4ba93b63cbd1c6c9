//! The threads that kernels share.
//!
//! A step of generation calls a hundred kernels that take some tens of microseconds each: as long as it takes to wake a thread that sleeps. So whoever calls a
//! kernel works on it itself and waits for nobody that has not begun, and threads that have helped stay awake for a moment, in case there is more.

use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread that has nothing to do looks for work without a pause, and how long while it lets others have the processor. Then it sleeps.
const AWAKE: Duration = Duration::from_micros(50);
const DROWSY: Duration = Duration::from_micros(500);

/// In [`Threads::entered`]: there is a piece of work that helpers may enter.
const OPEN: usize = 1 << (usize::BITS - 1);

/// Calls `work` in this thread, and at the same time in as many others as there are processors for and as are free: it has to take from what they share
/// until nothing is left of it.
pub(crate) fn side_by_side(work: &(dyn Fn() + Sync)) {
    static THREADS: LazyLock<&'static Threads> = LazyLock::new(|| {
        let threads: &'static Threads = Box::leak(Box::default());
        let helpers = thread::available_parallelism().map_or(0, |processors| processors.get() - 1);
        for number in 0..helpers {
            let named = thread::Builder::new().name(format!("kernels-{number}"));
            // Where no more threads can be had, the work is done by those that there are.
            if named.spawn(|| threads.help()).is_err() {
                break;
            }
        }
        threads
    });
    THREADS.run(work);
}

/// The next of what threads share.
pub(crate) fn next<T>(shared: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    lock(shared).next()
}

/// What threads know of each other.
#[derive(Default)]
struct Threads {
    /// Held by the thread whose work is done.
    turn: Mutex<()>,
    /// What is done, where `entered` is [`OPEN`].
    work: Mutex<Option<&'static (dyn Fn() + Sync)>>,
    /// Helpers that are at it, and [`OPEN`] as long as others may come.
    entered: AtomicUsize,
    /// How many pieces of work there were: a helper does each once.
    begun: AtomicUsize,
    /// Whether a helper has panicked.
    has_panicked: AtomicBool,
    /// Helpers that sleep.
    asleep: Mutex<usize>,
    awoken: Condvar,
}

impl Threads {
    fn run(&self, work: &(dyn Fn() + Sync)) {
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            // What has panicked has left nothing half done here.
            Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
            // Two at once would share the processors anyhow.
            Err(TryLockError::WouldBlock) => return work(),
        };
        // SAFETY: helpers call it between entering, which they do while it is open, and leaving; before this function returns, it is closed and all have left.
        #[expect(unsafe_code, reason = "threads that outlive a call cannot be lent what it borrows in another way")]
        let lent = unsafe { std::mem::transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(work) };
        *lock(&self.work) = Some(lent);
        self.entered.store(OPEN, Ordering::SeqCst);
        self.begun.fetch_add(1, Ordering::SeqCst);
        if *lock(&self.asleep) > 0 {
            self.awoken.notify_all();
        }
        let done = catch_unwind(AssertUnwindSafe(work));
        self.entered.fetch_and(!OPEN, Ordering::SeqCst);
        look_for(|| self.entered.load(Ordering::SeqCst) == 0, Duration::MAX);
        *lock(&self.work) = None;
        let has_panicked = self.has_panicked.swap(false, Ordering::SeqCst);
        if let Err(panic) = done {
            resume_unwind(panic);
        }
        assert!(!has_panicked, "a thread of a kernel has panicked");
    }

    /// Helps for good.
    fn help(&self) {
        let mut seen = self.begun.load(Ordering::SeqCst);
        loop {
            seen = self.next(seen);
            let enter = |entered| (entered & OPEN > 0).then_some(entered + 1);
            if self.entered.fetch_update(Ordering::SeqCst, Ordering::SeqCst, enter).is_err() {
                continue;
            }
            let work = *lock(&self.work);
            if catch_unwind(AssertUnwindSafe(|| work.inspect(|work| work()))).is_err() {
                self.has_panicked.store(true, Ordering::SeqCst);
            }
            self.entered.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Waits for another piece of work than the last that was `seen`, and gives its number.
    fn next(&self, seen: usize) -> usize {
        let begun = || self.begun.load(Ordering::SeqCst);
        if look_for(|| begun() != seen, DROWSY) {
            return begun();
        }
        let mut asleep = lock(&self.asleep);
        *asleep += 1;
        while begun() == seen {
            asleep = self.awoken.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
        *asleep -= 1;
        begun()
    }
}

/// Looks until something is so, or for that long; whether it is.
fn look_for(is_so: impl Fn() -> bool, how_long: Duration) -> bool {
    let begun = Instant::now();
    loop {
        // Asking for the time takes as long as many looks.
        for _ in 0..64 {
            if is_so() {
                return true;
            }
            spin_loop();
        }
        match begun.elapsed() {
            waited if waited > how_long => return false,
            waited if waited > AWAKE => thread::yield_now(),
            _ => {}
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of `count` numbers are taken how often.
    fn taken(count: usize, mut between: impl FnMut(usize) + Send) -> Vec<usize> {
        let times: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
        let numbers = Mutex::new((0..count).inspect(|number| between(*number)));
        side_by_side(&|| {
            while let Some(number) = next(&numbers) {
                times[number].fetch_add(1, Ordering::Relaxed);
            }
        });
        times.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn all_is_done_once_whether_threads_sleep_or_not() {
        for round in 0..3000_u64 {
            assert_eq!(taken(17, |_| ()), [1; 17]);
            if round % 100 == 0 {
                thread::sleep(DROWSY * (round / 100 % 4) as u32);
            }
        }
    }

    #[test]
    fn several_at_once_wait_for_none_of_the_others() {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..500).for_each(|_| assert_eq!(taken(5, |_| ()), [1; 5])));
            }
        });
        // And where what is done asks for it again.
        assert_eq!(taken(3, |_| assert_eq!(taken(2, |_| ()), [1; 2])), [1; 3]);
    }

    #[test]
    fn a_panic_reaches_who_asked() {
        for _ in 0..100 {
            let panicked = catch_unwind(|| side_by_side(&|| panic!("of a test")));
            assert!(panicked.is_err());
            assert_eq!(taken(7, |_| ()), [1; 7]);
        }
        // Others still take part. Who asks while another test's work is done works alone, and asks again.
        if thread::available_parallelism().is_ok_and(|processors| processors.get() > 1) {
            let others = AtomicUsize::new(0);
            let caller = thread::current().id();
            let has_come = || others.load(Ordering::SeqCst) > 0;
            let is_helped = (0..60).any(|_| {
                side_by_side(&|| match thread::current().id() == caller {
                    true => _ = look_for(has_come, Duration::from_secs(1)),
                    false => _ = others.fetch_add(1, Ordering::SeqCst),
                });
                has_come()
            });
            assert!(is_helped, "nobody helps");
        }
    }
}
