//! Signals that a command hears.

use rustix::process::Signal;

/// Whether a process that is started from here hears `signal`: one that is ignored here, as under `nohup`, is ignored there too. Says so where
/// it is not heard.
pub(crate) fn is_heard(signal: Signal) -> bool {
    let is_heard = (ignored() >> (signal.as_raw() - 1)) & 1 == 0;
    if !is_heard {
        eprintln!("not tested: {signal:?} is ignored here");
    }
    is_heard
}

/// The signals that this process ignores, one bit each from signal 1 on.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
