//! `finery launch`: several processes of this program as one run, on this machine.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, PipeWriter};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{self, Child, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::CommandFactory as _;
use ranks::{Launcher, Secret, World};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::processes::{OTHER_FAILED, STOPPED, place_under_this};
use crate::signals;
use crate::usage::{self, Misuse};
use relays::Relays;

mod relays;

/// Start several processes of a command on this machine as one run, each with a GPU of its own
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Rank 0 has the terminal; what other ranks say begins with [rank N]. Signals go to all ranks, each once. When a rank \
    fails all others end, and the exit code is that of the first that failed.\n\n\
    On several machines, start the command itself with srun or torchrun, with one FINERY_SECRET for all.\n\n\
    Example: finery launch -n 4 -- train lora.yaml"
)]
pub(crate) struct Args {
    /// How many processes
    #[arg(short = 'n', long = "processes", value_name = "N", value_parser = usage::whole::<u32>(1..=1024))]
    processes: u32,
    /// The command with its arguments, without `finery`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// How long the others may take to end by themselves when a rank has failed; they take less if they have been told.
const GRACE: Duration = Duration::from_secs(8);
/// How long they may take to end when they are asked to.
const LAST_GRACE: Duration = Duration::from_secs(5);
/// How often it is looked whether all that was said is passed on.
const TICK: Duration = Duration::from_millis(5);

/// Runs the command to the end of all its processes.
///
/// # Errors
/// The command is none, or a process cannot be started.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    check(&args.command)?;
    let events = signals_and_ends()?;
    let mut ranks = Ranks::start(args)?;
    let mut next = None;
    let mut is_stopped = false;
    while ranks.reap()? {
        // Before waiting: those that hang say nothing that would end it.
        if next.is_none() && ranks.has_failed() {
            next = Some((Instant::now() + GRACE, SIGTERM));
        }
        match receive(&events, next.map(|(at, _)| at)) {
            Some(SIGCHLD) => {}
            Some(signal) => {
                is_stopped = true;
                ranks.signal(signal);
            }
            None => {
                let (_, signal) = next.context("nobody is to be ended")?;
                ranks.end(signal);
                next = Some((Instant::now() + LAST_GRACE, Signal::KILL.as_raw()));
            }
        }
    }
    // However slowly it is read, unless a signal comes.
    while !ranks.relays.are_done() && matches!(receive(&events, Some(Instant::now() + TICK)), None | Some(SIGCHLD)) {}
    Ok(ranks.verdict(is_stopped))
}

/// Whether this program knows the command, so that its refusal is not said by each rank.
fn check(command: &[OsString]) -> anyhow::Result<()> {
    let words = [OsString::from("finery")].into_iter().chain(command.iter().cloned());
    let known = crate::with_numbers(crate::Cli::command());
    let matches = known.try_get_matches_from(words).unwrap_or_else(|error| error.exit());
    if matches.subcommand_name() == Some("launch") {
        let rule = "`finery launch` starts the processes of a command, not other launchers";
        return Err(Misuse(rule.to_owned()).into());
    }
    if let Some(World { size, launcher, .. }) = World::from_process()? {
        bail!(
            "{launcher} started {size} of this launcher, each of which would make a run of its own: start the command itself with {launcher}"
        );
    }
    Ok(())
}

/// Signals to this process, the end of children among them, as they come.
fn signals_and_ends() -> anyhow::Result<Receiver<i32>> {
    let wanted = [SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGCHLD].into_iter();
    let wanted = wanted.filter(|signal| *signal == SIGCHLD || !signals::is_ignored(*signal));
    let mut signals = Signals::new(wanted).context("listening for signals")?;
    let (sender, events) = channel();
    let listen = move || signals.forever().try_for_each(|signal| sender.send(signal));
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).context("listening for signals")?;
    Ok(events)
}

/// The next signal, or nothing if there is none before `deadline`.
fn receive(events: &Receiver<i32>, deadline: Option<Instant>) -> Option<i32> {
    match deadline {
        None => events.recv().ok(),
        Some(deadline) => events.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok(),
    }
}

/// The processes; those that still run when this is dropped are killed.
struct Ranks {
    begun: Instant,
    /// Those that run.
    running: Vec<(u32, Child)>,
    /// Those that have failed, in this order.
    failed: Vec<(u32, ExitStatus)>,
    /// Those that did not end with one that had failed, and the signals that were to end them.
    late: Vec<(u32, i32)>,
    relays: Relays,
}

impl Ranks {
    fn start(args: &Args) -> anyhow::Result<Ranks> {
        let program = std::env::current_exe().context("finding the finery program to start")?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("listening on a free port")?;
        let port = listener.local_addr().context("listening on a free port")?.port();
        // Rank 0 gets it as its standard input. Nobody else holds it, or connections would be open that nobody takes when that one has ended.
        let mut listener = Some(listener);
        let secret = Secret::random().context("drawing a secret")?;
        let mut ranks = Ranks::none();
        for rank in 0..args.processes {
            let mut command = process::Command::new(&program);
            place_under_this(command.args(&args.command).stdin(Stdio::null()));
            if args.processes > 1 {
                let (launcher, secret, size) = (Launcher::Finery, secret.clone(), args.processes);
                let coordinator = "127.0.0.1".to_owned();
                let (local_rank, local_device, epoch, listens_on_stdin) = (rank, rank, 0, rank == 0);
                command.envs(
                    World {
                        rank,
                        size,
                        local_rank,
                        local_device,
                        coordinator,
                        port,
                        listens_on_stdin,
                        epoch,
                        secret,
                        launcher,
                    }
                    .variables(),
                );
                if let Some(listener) = listener.take() {
                    command.stdin(OwnedFd::from(listener));
                }
            }
            if rank > 0 {
                let [stdout, stderr] = ranks.relays_of(rank).context("passing on what a rank says")?;
                command.stdout(stdout).stderr(stderr);
            }
            let child = command.spawn().with_context(|| format!("starting rank {rank} of {}", program.display()))?;
            ranks.running.push((rank, child));
        }
        Ok(ranks)
    }

    fn none() -> Ranks {
        Ranks {
            begun: Instant::now(),
            running: Vec::new(),
            failed: Vec::new(),
            late: Vec::new(),
            relays: Relays::default(),
        }
    }

    /// Its standard output and error.
    fn relays_of(&mut self, rank: u32) -> io::Result<[PipeWriter; 2]> {
        // Rank 0 may have a bar on the last line of the terminal.
        let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        Ok([
            self.relays.add(format!("[rank {rank}] "), io::stdout())?,
            self.relays.add(format!("{clear}[rank {rank}] "), io::stderr())?,
        ])
    }

    /// Takes note of those that have ended; false once all have.
    fn reap(&mut self) -> anyhow::Result<bool> {
        let mut running = Vec::new();
        for (rank, mut child) in self.running.drain(..) {
            match child.try_wait().context("waiting for a rank")? {
                None => running.push((rank, child)),
                Some(status) if status.success() => {}
                Some(status) => self.failed.push((rank, status)),
            }
        }
        self.running = running;
        Ok(!self.running.is_empty())
    }

    fn signal(&self, signal: i32) {
        let Some(signal) = Signal::from_named_raw(signal) else { return };
        for (_, child) in &self.running {
            // It has not been waited for, so its id is still its own; if it has ended, so much the better.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }

    /// Ends those that still run.
    fn end(&mut self, signal: i32) {
        self.late.extend(self.running.iter().map(|(rank, _)| (*rank, signal)));
        self.signal(signal);
    }

    /// The signal by which a rank was ended because it did not end with the others.
    fn ended_by(&self, rank: u32, status: ExitStatus) -> Option<i32> {
        let is_by = |signal: i32| status.signal() == Some(signal) || status.code() == Some(128 + signal);
        self.late.iter().find(|(late, signal)| *late == rank && is_by(*signal)).map(|(_, signal)| *signal)
    }

    /// Whether those that still run are to end. Ranks that were asked to stop do so after the same step, when what each of them had to save is
    /// saved.
    fn has_failed(&self) -> bool {
        self.failed.iter().any(|(_, status)| status.code() != Some(STOPPED.into()))
    }

    /// The exit code of the rank that failed first; who it was is said, unless all were told to stop.
    fn verdict(&self, is_stopped: bool) -> ExitCode {
        let Some((rank, how, code)) = self.first_failure() else { return ExitCode::SUCCESS };
        if !is_stopped && self.has_failed() {
            let seconds = self.begun.elapsed().as_secs_f64();
            tracing::error!("rank {rank} {how}; all ranks ended {seconds:.1} s after the start");
        }
        ExitCode::from(code)
    }

    /// The rank that failed first, how it did, and the exit code that says so.
    fn first_failure(&self) -> Option<(u32, String, u8)> {
        let is_not = |codes: &'static [u8]| {
            move |(_, status): &&(u32, ExitStatus)| codes.iter().all(|code| status.code() != Some((*code).into()))
        };
        let (cause, other) = (is_not(&[OTHER_FAILED, STOPPED]), is_not(&[OTHER_FAILED]));
        let by_itself = |(rank, status): &&(u32, ExitStatus)| self.ended_by(*rank, *status).is_none();
        let find = |is_meant: &dyn Fn(&&(u32, ExitStatus)) -> bool| self.failed.iter().find(is_meant);
        let first = find(&|ended| by_itself(ended) && cause(ended)).or_else(|| find(&other));
        let (rank, status) = first.or(self.failed.first())?;
        let name = |signal| low_level::signal_name(signal).unwrap_or("a signal");
        let (how, code) = match (status.code(), status.signal(), self.ended_by(*rank, *status)) {
            (_, _, Some(signal)) => {
                (format!("did not end with the others and was ended by {}", name(signal)), 128 + signal)
            }
            (Some(code), ..) => (format!("failed first, with exit code {code}"), code),
            (None, Some(signal), None) => (format!("failed first, killed by {}", name(signal)), 128 + signal),
            (None, None, None) => (format!("failed first, {status}"), 1),
        };
        Some((*rank, how, u8::try_from(code).unwrap_or(1)))
    }
}

impl Drop for Ranks {
    fn drop(&mut self) {
        self.signal(Signal::KILL.as_raw());
        for (_, child) in &mut self.running {
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks that have ended one after the other, with what `wait` tells of them.
    fn ended(statuses: &[(u32, i32)]) -> Ranks {
        let mut ranks = Ranks::none();
        ranks.failed = statuses.iter().map(|(rank, status)| (*rank, ExitStatus::from_raw(*status))).collect();
        ranks
    }

    #[test]
    fn the_first_failure_is_neither_what_follows_from_it_nor_a_stop() {
        let code = |code: i32| code << 8;
        let cases = [
            (&[][..], None),
            (&[(1, code(1)), (0, code(2))], Some((1, "failed first, with exit code 1", 1))),
            (&[(0, code(3)), (2, 9), (1, code(3))], Some((2, "failed first, killed by SIGKILL", 137))),
            (&[(1, code(130)), (0, code(130))], Some((1, "failed first, with exit code 130", 130))),
            (&[(1, code(130)), (2, 9), (0, code(3))], Some((2, "failed first, killed by SIGKILL", 137))),
            (&[(0, code(3)), (1, code(130))], Some((1, "failed first, with exit code 130", 130))),
            (&[(1, code(3))], Some((1, "failed first, with exit code 3", 3))),
        ];
        for (statuses, expected) in cases {
            let first = ended(statuses).first_failure();
            assert_eq!(first.as_ref().map(|(rank, how, code)| (*rank, how.as_str(), *code)), expected, "{statuses:?}");
        }
    }

    /// A rank that hangs is found by the others' exit code for the end of another, and ended by the launcher.
    #[test]
    fn what_the_launcher_ended_has_not_failed_first() {
        let (told, failed, (term, kill)) = (3 << 8, 1 << 8, (15, 9));
        let hung = |how: &str, code| Some((2, format!("did not end with the others and was ended by {how}"), code));
        let cases = [
            (&[(0, told), (1, told), (2, kill)][..], &[(2, term), (2, kill)][..], hung("SIGKILL", 137)),
            (&[(0, told), (2, 143 << 8)], &[(2, term)], hung("SIGTERM", 143)),
            (&[(2, kill), (1, failed)], &[(2, kill)], Some((1, "failed first, with exit code 1".to_owned(), 1))),
            (&[(0, told), (2, kill)], &[(2, term)], Some((2, "failed first, killed by SIGKILL".to_owned(), 137))),
        ];
        for (statuses, late, expected) in cases {
            let mut ranks = ended(statuses);
            ranks.late = late.to_vec();
            assert_eq!(ranks.first_failure(), expected, "{statuses:?}, {late:?}");
        }
    }

    /// Also where all were told to stop: who waits for a rank that was killed while it saved waits for ever.
    #[test]
    fn the_others_are_ended_when_one_fails_and_not_when_one_stops() {
        assert!(!ended(&[]).has_failed());
        assert!(!ended(&[(1, 130 << 8), (0, 130 << 8)]).has_failed());
        for failed in [9, 15, 1 << 8, 3 << 8, 143 << 8] {
            assert!(ended(&[(1, 130 << 8), (2, failed)]).has_failed(), "{failed}");
        }
    }
}
