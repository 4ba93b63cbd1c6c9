//! Running steps as processes of their own, and stopping them with the tour.

use std::path::PathBuf;
use std::process::{self, ExitStatus, Stdio};

use anyhow::Context as _;
use rustix::process::{Pid, Signal};
use signal_hook::consts::{SIGCHLD, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::tour::Command;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Failed(ExitStatus),
    /// The tour was asked to stop, and the step has ended since.
    Interrupted,
}

/// Starts one process of this program after the other.
pub(super) struct Children {
    program: PathBuf,
    /// A step that ends wakes the tour as signals do, so that it need not look again and again.
    signals: Signals,
}

impl Children {
    /// From here on Ctrl-C and SIGTERM no longer end this process, but the step that runs.
    pub(super) fn new() -> anyhow::Result<Children> {
        let program = std::env::current_exe().context("finding the finery program to run the steps with")?;
        let signals = Signals::new([SIGINT, SIGTERM, SIGCHLD]).context("listening for signals")?;
        Ok(Children { program, signals })
    }

    /// Runs a command to its end, with this process's terminal.
    pub(super) fn run(&mut self, command: &Command) -> anyhow::Result<Outcome> {
        let mut child = process::Command::new(&self.program)
            .args(command.words())
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let mut interrupted = false;
        loop {
            for signal in self.signals.wait() {
                if signal == SIGCHLD {
                    continue;
                }
                interrupted = true;
                // A terminal sends Ctrl-C to both; SIGTERM then asks training for no more than it already does, and reaches the
                // child where only the tour was signalled.
                let pid = Pid::from_child(&child);
                if child.try_wait().context("waiting for the step")?.is_none() {
                    rustix::process::kill_process(pid, Signal::TERM).context("stopping the step")?;
                }
            }
            if let Some(status) = child.try_wait().context("waiting for the step")? {
                return Ok(match status.success() {
                    _ if interrupted || status.code() == Some(130) => Outcome::Interrupted,
                    true => Outcome::Done,
                    false => Outcome::Failed(status),
                });
            }
        }
    }
}
