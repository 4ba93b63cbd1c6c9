//! Running steps as processes of their own, and stopping them with the tour.

use std::path::PathBuf;
use std::process::{self, Child, ExitStatus, Stdio};

use anyhow::Context as _;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::tour::Command;
use crate::processes::{STOPPED, place_under_this};
use crate::signals;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Failed(ExitStatus),
    /// The tour or the step was asked to stop, and the step has ended since; with the exit code that says so.
    Interrupted(u8),
}

/// Starts one process of this program after the other.
pub(super) struct Children {
    program: PathBuf,
    /// A step that ends wakes the tour as signals do, so that it need not look again and again.
    signals: Signals,
}

impl Children {
    /// From here on Ctrl-C, SIGTERM and SIGHUP no longer end this process, but the step that runs, and Ctrl-Z suspends both.
    pub(super) fn new() -> anyhow::Result<Children> {
        let program = std::env::current_exe().context("finding the finery program to run the steps with")?;
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGTSTP].into_iter().filter(|signal| !signals::is_ignored(*signal));
        let signals = Signals::new(wanted.chain([SIGCHLD])).context("listening for signals")?;
        Ok(Children { program, signals })
    }

    /// Runs a command to its end, with this process's terminal. Signals are passed on, each once: training takes the second of a kind for a wish to stop without
    /// saving.
    pub(super) fn run(&mut self, command: &Command) -> anyhow::Result<Outcome> {
        let mut child = place_under_this(process::Command::new(&self.program).args(command.words()))
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let mut interrupted = None;
        loop {
            for signal in self.signals.wait() {
                match signal {
                    SIGCHLD => {}
                    SIGTSTP => suspend_with(&child).context("suspending the step")?,
                    signal => {
                        interrupted = interrupted.or(Some(signals::exit_code(signal)));
                        send(&child, Signal::from_named_raw(signal));
                    }
                }
            }
            if let Some(status) = child.try_wait().context("waiting for the step")? {
                // Training that somebody else has asked to stop.
                let interrupted = interrupted.or((status.code() == Some(STOPPED.into())).then_some(STOPPED));
                return Ok(match interrupted {
                    Some(code) => Outcome::Interrupted(code),
                    None if status.success() => Outcome::Done,
                    None => Outcome::Failed(status),
                });
            }
        }
    }
}

/// Suspends a step and this process, as a shell expects of Ctrl-Z, until it wants them to go on.
fn suspend_with(step: &Child) -> std::io::Result<()> {
    send(step, Some(Signal::STOP));
    let resumed = low_level::emulate_default_handler(SIGTSTP);
    send(step, Some(Signal::CONT));
    resumed
}

fn send(step: &Child, signal: Option<Signal>) {
    if let Some(signal) = signal {
        // It has not been waited for, so its id is still its own; if it has ended, so much the better.
        let _ = kill_process(Pid::from_child(step), signal);
    }
}
