//! This process as one of several that make a run.

use std::fmt::Display;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use anyhow::{Context as _, ensure};
use ranks::{Failure, JoinError, ProcessGroup, Terms, Timing, World};
use signal_hook::low_level;

use crate::progress;

/// The exit code of a rank that ended because another one failed: who waits for several processes can tell the cause from what followed.
pub(crate) const OTHER_FAILED: u8 = 3;

/// The exit code of a rank that was asked to stop and has saved, after the same step as all others.
pub(crate) const STOPPED: u8 = 130;

/// What is said of a training that was asked to stop when it had nothing to save.
pub(crate) const UNSTARTED: &str = "stopped before a step: nothing new was trained; the same command starts again";

/// How long a rank whose run has failed may take to remove what it was writing.
const REMOVAL_MAX: Duration = Duration::from_secs(1);

/// How long after a rank hears of another's stop its own signal may come, where both were sent at once.
const SIGNALS_APART_MAX: Duration = Duration::from_millis(500);

/// The id of the launcher of this process.
const LAUNCHER_ID: &str = "FINERY_LAUNCHER_PID";

/// Whether rank 0 speaks for this process.
pub(crate) fn is_follower() -> bool {
    World::from_process().is_ok_and(|world| world.is_some_and(|world| world.rank > 0))
}

/// For commands that know one process only.
///
/// # Errors
/// This is one of several.
pub(crate) fn require_one() -> anyhow::Result<()> {
    if let Some(World { size, launcher, .. }) = World::from_process()? {
        anyhow::bail!(
            "{launcher} started {size} processes, but this command runs in one; of those that run on a device only `train`, `profile` and `bench train` take several"
        );
    }
    Ok(())
}

fn terms(configuration: String) -> Terms {
    Terms { version: concat!("finery ", env!("CARGO_PKG_VERSION")).to_owned(), configuration }
}

/// Runs `body` as a rank of the run that the environment describes, or alone. Ranks begin together and end together: an error of this one is
/// told to the others, and an error of another ends this process. `is_stopped` tells whether it was asked to stop and has nothing to save: then
/// it waits for the others no longer, and what ends it is no error of another.
///
/// # Errors
/// Those of `body`, or the ranks do not come together: [`JoinError::Stopped`] where this one was stopped before.
pub(crate) fn take_part<R>(
    configuration: String,
    is_stopped: impl Fn() -> bool + Clone + Send + 'static,
    body: impl FnOnce(Option<&Arc<ProcessGroup>>) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let Some(world) = World::from_process()? else { return body(None) };
    let (terms, asked) = (terms(configuration), is_stopped.clone());
    let on_failure = move |failure: &Failure| end(failure, asked);
    let group = match ProcessGroup::join(&world, &terms, Timing::from_process()?, is_stopped, on_failure) {
        Ok(group) => Arc::new(group),
        Err(JoinError::Failed(_)) => wait_for_the_end(),
        Err(error) => return Err(error.into()),
    };
    tracing::debug!(?group, launcher = %world.launcher, "all ranks have come");
    let done = body(Some(&group)).and_then(|result| {
        group.leave()?;
        Ok(result)
    });
    if group.failure().is_some() {
        wait_for_the_end();
    }
    done.inspect_err(|error| group.fail(&format!("{error:#}")))
}

/// Tells the other ranks, where there are any, of an error that keeps this process from taking part: they would wait for it.
pub(crate) fn decline(error: &dyn Display) {
    let (Ok(Some(world)), Ok(usual)) = (World::from_process(), Timing::from_process()) else { return };
    let timing = declining(world.rank, usual);
    if let Err(untold) = ProcessGroup::decline(&world, &terms(String::new()), timing, format!("{error:#}")) {
        tracing::debug!(%untold, "the other ranks do not know of the error");
    }
}

/// How long a rank that declines has patience. The others hear of it by way of rank 0, which may come as late as ranks wait for each other; rank 0 itself, which
/// would hold back its own error, goes by those that come at about the same time.
fn declining(rank: u32, usual: Timing) -> Timing {
    const STAY_MAX: Duration = Duration::from_secs(10);
    match rank {
        0 => Timing { join_max: usual.join_max.min(STAY_MAX), word_after: STAY_MAX, ..usual },
        _ => usual,
    }
}

/// Ends this process because another rank failed; of those that are asked to stop together, one is the first to tell.
fn end(failure: &Failure, is_stopped: impl Fn() -> bool) {
    // Whoever writes to a disk that hangs holds this up; the next run clears away what stays.
    keep_within(REMOVAL_MAX, atomic_file::remove_unfinished);
    progress::clear();
    let told = Instant::now();
    while failure.is_stop() && !is_stopped() && told.elapsed() < SIGNALS_APART_MAX {
        thread::sleep(Duration::from_millis(10));
    }
    if is_stopped() {
        if !failure.is_stop() {
            tracing::error!("{failure}");
        }
        tracing::warn!("{UNSTARTED}");
        low_level::exit(STOPPED.into());
    }
    tracing::error!("{failure}");
    // Without the handlers of libraries, which may wait for the dead rank.
    low_level::exit(OTHER_FAILED.into());
}

/// Calls `work` and keeps what it gives until the process ends; false if it has not come back in time.
fn keep_within<R>(at_most: Duration, work: impl FnOnce() -> R + Send + 'static) -> bool {
    let (tell, told) = channel();
    let keep = move || {
        let _kept = work();
        let _ = tell.send(());
        wait_for_the_end();
    };
    thread::Builder::new().spawn(keep).is_ok() && told.recv_timeout(at_most).is_ok()
}

/// The thread that hears of a failure ends the process.
fn wait_for_the_end() -> ! {
    loop {
        thread::park();
    }
}

/// Has a command of this program hear signals only by way of this process, which passes each on once, where a terminal and whoever ends a group of processes would
/// send them to both; and end with this process, however that ends.
pub(crate) fn place_under_this(command: &mut Command) -> &mut Command {
    command.process_group(0).env(LAUNCHER_ID, std::process::id().to_string())
}

/// A process that was [placed under](place_under_this) another does not outlive it, however that ends.
///
/// # Errors
/// It has ended already, or the system refuses.
#[cfg(target_os = "linux")]
pub(crate) fn end_with_launcher() -> anyhow::Result<()> {
    use rustix::process::{Signal, getpgrp, getpid, getppid, set_parent_process_death_signal};

    let launcher = std::env::var(LAUNCHER_ID).ok().and_then(|id| id.parse::<i32>().ok());
    let parent = || getppid().map(|parent| parent.as_raw_nonzero().get());
    // What a rank starts has the variable too, and is in the rank's process group.
    if launcher.is_some() && getpgrp() == getpid() {
        set_parent_process_death_signal(Some(Signal::TERM)).context("asking to end with the launcher")?;
        ensure!(parent() == launcher, "the launcher of this process has ended");
    }
    Ok(())
}

/// Known on Linux only.
#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_launcher() -> anyhow::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_declines_waits_for_rank_0_as_long_as_others_do() {
        let usual = Timing { join_max: Duration::from_secs(1200), ..Timing::default() };
        assert_eq!(declining(1, usual).join_max, usual.join_max);
        assert!(declining(0, usual).join_max < Timing::default().join_max);
    }

    #[test]
    fn what_hangs_is_not_waited_for() {
        assert!(keep_within(Duration::from_secs(60), || ()));
        assert!(!keep_within(Duration::from_millis(1), || -> () { wait_for_the_end() }));
    }
}
