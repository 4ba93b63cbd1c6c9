//! Signals that all commands treat alike: those that have nothing to save end at once and leave no half-written file.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use tokio::sync::oneshot;

use crate::progress;

/// From here on SIGINT (Ctrl-C), SIGTERM and SIGHUP end the process with exit code 130, 143 or 129, after what it was writing is removed.
/// Those that the process was told to ignore, as by `nohup`, stay ignored.
///
/// # Errors
/// The system refuses handlers or another thread.
pub(crate) fn end_at_once() -> anyhow::Result<()> {
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(wanted.clone()).context("listening for signals")?;
    for signal in wanted {
        // The second of a kind does not wait for files to be removed. In this order: the first finds the flag unset.
        let seen = Arc::new(AtomicBool::new(false));
        flag::register_conditional_shutdown(signal, exit_code(signal).into(), Arc::clone(&seen))
            .and_then(|_| flag::register(signal, seen))
            .context("listening for signals")?;
    }
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let _halted = atomic_file::remove_unfinished();
            progress::clear();
            // Without the handlers of libraries, which may wait for a computation.
            low_level::exit(exit_code(signal).into());
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context("listening for signals")?;
    Ok(())
}

/// From here on the first of SIGINT (Ctrl-C), SIGTERM and SIGHUP is told to whoever has the receiver, by its exit code, and to the user with `what` begins; the
/// second ends the process at once.
///
/// # Errors
/// The system refuses handlers or another thread.
pub(crate) fn first(what: &'static str) -> anyhow::Result<oneshot::Receiver<u8>> {
    let (sender, receiver) = oneshot::channel();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = Signals::new(wanted).context("listening for signals")?;
    let wait = move || {
        let mut sender = Some(sender);
        for signal in signals.forever() {
            match sender.take() {
                Some(sender) => {
                    tracing::info!("{what}; once more ends at once");
                    _ = sender.send(exit_code(signal));
                }
                None => low_level::exit(exit_code(signal).into()),
            }
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context("listening for signals")?;
    Ok(receiver)
}

/// From here on a file that would grow beyond what `ulimit -f` allows is an error of whoever writes it; the signal would end the process
/// without a word.
///
/// # Errors
/// The system refuses the handler.
pub(crate) fn outlive_file_limits() -> anyhow::Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).context("listening for signals")?;
    Ok(())
}

/// As shells report a process that a signal has ended.
pub(crate) fn exit_code(signal: i32) -> u8 {
    (128 + signal) as u8
}

/// Whether whoever started this process told it to ignore a signal; a handler would take that back. Known on Linux only.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
