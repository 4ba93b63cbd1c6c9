//! How long the command takes to do nothing: shells run it for completions, and scripts in loops.

use std::time::{Duration, Instant};

#[path = "support/environment.rs"]
mod environment;

/// The release build takes 4 ms, and must stay below 20. The bound is for builds with checks on machines that do other work as
/// well: it is far above that, and far below what reading a plugin or looking for Python would take.
const LIMIT: Duration = Duration::from_millis(100);

#[test]
fn help_is_there_at_once() {
    let time = |_| {
        let started = Instant::now();
        let output = environment::untouched().arg("--help").output().unwrap();
        let elapsed = started.elapsed();
        assert!(output.status.success() && output.stdout.starts_with(b"Pre-train, fine-tune"));
        elapsed
    };
    // Other work on the machine makes some of them longer, and what the command does makes all of them.
    let times: Vec<Duration> = (0..20).map(time).collect();
    assert!(times.iter().min().unwrap() < &LIMIT, "{times:?}");
}
