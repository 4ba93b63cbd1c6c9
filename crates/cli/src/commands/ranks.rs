//! `finery ranks`: whether the processes of a run find each other, before anything is spent on them.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use ranks::ProcessGroup;

use crate::{processes, usage};

/// Bring the processes of a run together without a device: which run where, and how long a barrier takes
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Run it as the run itself would be started: by `finery launch -n 4 -- ranks`, torchrun or srun."
)]
pub(crate) struct Args {
    /// How many barriers to pass, 50 ms apart
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = usage::whole::<u32>(1..=u64::MAX))]
    rounds: u32,
}

const BETWEEN_ROUNDS: Duration = Duration::from_millis(50);

/// Prints the ranks, on rank 0.
///
/// # Errors
/// This is one process alone, the ranks do not come together, or one of them fails.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let configuration = format!("--rounds {}", args.rounds);
    // A signal ends this process at once.
    let is_stopped = || false;
    let text = processes::take_part(configuration, is_stopped, |group| {
        let group =
            group.context("this is one process: start several with `finery launch -n 2 -- ranks`, torchrun or srun")?;
        meet(group, args.rounds)
    })?;
    std::io::stdout().write_all(text.as_bytes()).context("printing the ranks")
}

/// Passes the barriers; on rank 0, a table of all ranks.
fn meet(group: &ProcessGroup, rounds: u32) -> anyhow::Result<String> {
    let key = |rank: u32| format!("ranks/{rank}").into_bytes();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let own = format!("{:<5} {:<7} {:<4} {host}\n", group.rank(), process::id(), group.local_device());
    group.put(&key(group.rank()), own.as_bytes())?;
    let mut taken = Vec::new();
    for round in 1..=rounds {
        group.barrier("ranks", None)?;
        // All have come just now, so that what this one waits for the others is the barrier itself.
        let begun = Instant::now();
        group.barrier("ranks", None)?;
        taken.push(begun.elapsed());
        group.at_step(round.into());
        tracing::debug!(round, "all ranks have passed");
        std::thread::sleep(BETWEEN_ROUNDS);
    }
    if group.rank() > 0 {
        return Ok(String::new());
    }
    taken.sort_unstable();
    let mut text = "rank  process GPU  host\n".to_owned();
    for rank in 0..group.size() {
        text.push_str(&String::from_utf8_lossy(&group.get(&key(rank), None)?));
    }
    let median = taken[taken.len() / 2];
    writeln!(text, "a barrier takes {:.2} ms (median of {rounds})", median.as_secs_f64() * 1e3)?;
    Ok(text)
}
