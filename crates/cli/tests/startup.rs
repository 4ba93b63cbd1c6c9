//! How long the command takes to do nothing: shells run it for completions, and scripts in loops.

use std::process::Command;
use std::time::{Duration, Instant};

/// The release build takes 4 ms, and must stay below 20. The bound is for builds with checks on machines that do other work as
/// well: it is far above that, and far below what reading a plugin or looking for Python would take.
const LIMIT: Duration = Duration::from_millis(100);

#[test]
fn help_is_there_at_once() {
    let time = |_| {
        let started = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_finery")).arg("--help").output().unwrap();
        let elapsed = started.elapsed();
        assert!(output.status.success() && output.stdout.starts_with(b"Pre-train, fine-tune"));
        elapsed
    };
    let mut times: Vec<Duration> = (0..20).map(time).collect();
    times.sort();
    assert!(times[10] < LIMIT, "the median of {times:?}");
}
