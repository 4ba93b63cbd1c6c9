//! `finery launch`: several processes of this program as one run, on this machine.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{self, Child, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::CommandFactory as _;
use ranks::{Launcher, Secret, World};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::processes::{LAUNCHER_ID, OTHER_FAILED};
use crate::signals;

/// Start several processes of a command on this machine as one run, each with a GPU of its own
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Rank 0 has the terminal; what other ranks say begins with [rank N]. Signals go to all ranks, each once. When a rank\n\
    fails all others end, and the exit code is that of the first that failed.\n\n\
    On several machines, start the command itself with srun or torchrun, with one FINERY_SECRET for all.\n\n\
    Example: finery launch -n 4 -- train lora.yaml"
)]
pub(crate) struct Args {
    /// How many processes
    #[arg(short = 'n', long = "processes", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    processes: u32,
    /// The command with its arguments, without `finery`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// How long the others may take to end by themselves when a rank has failed; they take less if they have been told.
const GRACE: Duration = Duration::from_secs(8);
/// How long they may take to end when they are asked to.
const LAST_GRACE: Duration = Duration::from_secs(5);
/// The most bytes of a line that is passed on in one piece.
const LINE_BYTES_MAX: u64 = 64 << 10;

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
        match receive(&events, next.map(|(at, _)| at)) {
            Some(SIGCHLD) => {}
            Some(signal) => {
                is_stopped = true;
                ranks.signal(signal);
            }
            None => {
                let (_, signal) = next.context("nobody is to be ended")?;
                ranks.signal(signal);
                next = Some((Instant::now() + LAST_GRACE, Signal::KILL.as_raw()));
            }
        }
        // Whoever was asked to stop may be saving.
        if next.is_none() && !is_stopped && !ranks.failed.is_empty() {
            next = Some((Instant::now() + GRACE, SIGTERM));
        }
    }
    ranks.end_of_output();
    Ok(ranks.verdict(is_stopped))
}

/// Whether this program knows the command, so that its refusal is not said by each rank.
fn check(command: &[OsString]) -> anyhow::Result<()> {
    let words = [OsString::from("finery")].into_iter().chain(command.iter().cloned());
    let matches = crate::Cli::command().try_get_matches_from(words).unwrap_or_else(|error| error.exit());
    ensure!(
        matches.subcommand_name() != Some("launch"),
        "`finery launch` starts the processes of a command, not other launchers"
    );
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
    relays: Vec<JoinHandle<()>>,
}

impl Ranks {
    fn start(args: &Args) -> anyhow::Result<Ranks> {
        let program = std::env::current_exe().context("finding the finery program to start")?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("listening on a free port")?;
        let port = listener.local_addr().context("listening on a free port")?.port();
        // Rank 0 gets it as its standard input. Nobody else holds it, or connections would be open that nobody takes when that one has ended.
        let mut listener = Some(listener);
        let secret = Secret::random().context("drawing a secret")?;
        let mut ranks = Ranks { begun: Instant::now(), running: Vec::new(), failed: Vec::new(), relays: Vec::new() };
        for rank in 0..args.processes {
            let mut command = process::Command::new(&program);
            command.args(&args.command).stdin(Stdio::null()).env(LAUNCHER_ID, process::id().to_string());
            // A terminal sends Ctrl-C to all of its group: so it comes to this process alone, which passes it on once.
            command.process_group(0);
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
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
            }
            let child = command.spawn().with_context(|| format!("starting rank {rank} of {}", program.display()))?;
            ranks.take_in(rank, child)?;
        }
        Ok(ranks)
    }

    fn take_in(&mut self, rank: u32, mut child: Child) -> anyhow::Result<()> {
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        self.running.push((rank, child));
        let spawn =
            |relay: Box<dyn FnOnce() + Send>| std::thread::Builder::new().name(format!("rank {rank}")).spawn(relay);
        if let (Some(stdout), Some(stderr)) = (stdout, stderr) {
            // Rank 0 may have a bar on the last line of the terminal.
            let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
            let relays = [
                spawn(Box::new(move || relay(stdout, io::stdout(), &format!("[rank {rank}] ")))),
                spawn(Box::new(move || relay(stderr, io::stderr(), &format!("{clear}[rank {rank}] ")))),
            ];
            for relay in relays {
                self.relays.push(relay.context("passing on what a rank says")?);
            }
        }
        Ok(())
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

    /// Waits for the last lines, unless a process that a rank has left behind holds them up.
    fn end_of_output(&mut self) {
        let patience = Instant::now() + Duration::from_secs(1);
        while self.relays.iter().any(|relay| !relay.is_finished()) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The exit code of the rank that failed first; who it was is said, unless all were told to stop.
    fn verdict(&self, is_stopped: bool) -> ExitCode {
        let is_cause = |(_, status): &&(u32, ExitStatus)| status.code() != Some(OTHER_FAILED.into());
        let Some((rank, status)) = self.failed.iter().find(is_cause).or(self.failed.first()) else {
            return ExitCode::SUCCESS;
        };
        let (how, code) = match (status.code(), status.signal()) {
            (Some(code), _) => (format!("with exit code {code}"), code),
            (None, Some(signal)) => {
                (format!("killed by {}", low_level::signal_name(signal).unwrap_or("a signal")), 128 + signal)
            }
            (None, None) => (status.to_string(), 1),
        };
        if !is_stopped {
            let seconds = self.begun.elapsed().as_secs_f64();
            tracing::error!("rank {rank} failed first, {how}; all ranks ended {seconds:.1} s after the start");
        }
        ExitCode::from(u8::try_from(code).unwrap_or(1))
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

/// Passes lines on, each with a prefix and in one piece. Where nobody reads them any longer they are read all the same, so that the rank
/// does not wait.
fn relay(from: impl Read, mut to: impl Write, prefix: &str) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        line.extend_from_slice(prefix.as_bytes());
        match from.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        let _ = to.write_all(&line).and_then(|()| to.flush());
    }
}
