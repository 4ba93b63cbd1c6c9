//! Runs of several processes: started by `finery launch`, or by hand with torchrun's variables.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use launched::{parent_and_group, rank_of};
use loopback::free_address;
use rustix::process::{Pid, Signal, kill_process};

#[path = "support/environment.rs"]
mod environment;
#[path = "support/launched.rs"]
mod launched;
#[path = "../../ranks/tests/support/loopback.rs"]
mod loopback;
#[path = "support/signals.rs"]
mod signals;

/// What must not take longer, however busy the machine is.
const SOON: Duration = Duration::from_secs(60);

fn finery() -> Command {
    let mut command = environment::untouched();
    command.env("FINERY_OFFLINE", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn launch(words: &[&str]) -> Command {
    let mut command = finery();
    command.arg("launch").args(words);
    command
}

/// Exit code, standard output and error.
fn ended(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Ranks that run longer than any test, three of them, all of which have told rank 0 of their first step.
struct Running {
    launcher: Child,
    ranks: [Pid; 3],
    /// Lines of standard error, as they come.
    said: Receiver<String>,
}

impl Running {
    fn start() -> Running {
        let mut launcher = launch(&["-n", "3", "--", "ranks", "--rounds", "100000", "-v"]).spawn().unwrap();
        let (say, said) = channel();
        let mut lines = BufReader::new(launcher.stderr.take().unwrap()).lines().map(Result::unwrap);
        // Read to the end even where nobody listens any more, so that nobody waits to be read.
        thread::spawn(move || lines.by_ref().for_each(|line| say.send(line).unwrap_or_default()));
        let (begun, mut are_on) = (Instant::now(), 0);
        while are_on < 3 {
            let line = said.recv_timeout(SOON.saturating_sub(begun.elapsed())).unwrap();
            are_on += usize::from(line.ends_with(": all ranks have passed round=1"));
        }
        let ranks = [0, 1, 2].map(|rank| rank_of(launcher.id(), rank).unwrap());
        Running { launcher, ranks, said }
    }

    /// Exit code and standard error.
    fn end(mut self) -> (i32, String) {
        let (begun, mut stderr) = (Instant::now(), String::new());
        while let Ok(line) = self.said.recv_timeout(SOON.saturating_sub(begun.elapsed())) {
            stderr += &(line + "\n");
        }
        if begun.elapsed() >= SOON {
            // Those that are suspended would not end with the launcher.
            let _ = self.ranks.map(|rank| kill_process(rank, Signal::KILL));
            panic!("the launcher still waits: {stderr}");
        }
        let code = self.launcher.wait().unwrap().code().unwrap();
        for rank in self.ranks {
            assert!(!is_running(rank), "{rank:?} has outlived the launcher");
        }
        (code, stderr)
    }
}

fn is_running(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// What they say of waiting for each other on a busy machine is no error.
#[test]
fn ranks_find_each_other() {
    let (code, stdout, stderr) = ended(launch(&["-n", "3", "--", "ranks", "--rounds", "2", "-qq"]).output().unwrap());
    assert_eq!((code, stderr.as_str()), (0, ""));
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{stdout}");
    for rank in 0..3 {
        assert!(lines[rank + 1].starts_with(&format!("{rank} ")), "{stdout}");
    }
    assert!(lines[4].starts_with("a barrier takes ") && lines[4].ends_with(" ms (median of 2)"), "{stdout}");
}

#[test]
fn a_killed_rank_ends_the_others_with_its_name() {
    for killed in [0, 2] {
        let running = Running::start();
        kill_process(running.ranks[killed], Signal::KILL).unwrap();
        let (code, stderr) = running.end();
        assert_eq!(code, 137, "{stderr}");
        let lines: Vec<&str> = stderr.lines().collect();
        let others = [0, 1, 2].into_iter().filter(|rank| *rank != killed);
        for prefix in others.map(|rank| if rank == 0 { String::new() } else { format!("[rank {rank}] ") }) {
            let sentence = format!("{prefix}error: rank {killed} on host ");
            let line = lines.iter().find(|line| line.starts_with(&sentence)).unwrap_or_else(|| panic!("{stderr}"));
            // Rank 0's own step is told with its signs of life, of which there may have been none yet.
            let is_told =
                line.contains(" died at step ") || killed == 0 && line.contains(" died before its first step");
            assert!(is_told && line.ends_with(": its connection closed"), "{stderr}");
        }
        let verdict = format!("error: rank {killed} failed first, killed by SIGKILL; all ranks ended ");
        assert!(lines.last().unwrap().starts_with(&verdict), "{stderr}");
    }
}

/// Nobody but the one that failed ends then, and the others cannot be told.
#[test]
fn ranks_that_hang_are_ended_after_one_has_failed() {
    let running = Running::start();
    let [first, failing, third] = running.ranks;
    for hung in [first, third] {
        kill_process(hung, Signal::STOP).unwrap();
    }
    // The launcher hears of that too, and waits again.
    thread::sleep(Duration::from_secs(1));
    kill_process(failing, Signal::KILL).unwrap();
    let (code, stderr) = running.end();
    assert_eq!(code, 137, "{stderr}");
    let verdict = "error: rank 1 failed first, killed by SIGKILL; all ranks ended ";
    assert!(stderr.lines().last().unwrap().starts_with(verdict), "{stderr}");
}

#[test]
fn a_signal_reaches_all_ranks_through_the_launcher_alone() {
    if !signals::is_heard(Signal::INT) {
        return;
    }
    let running = Running::start();
    for rank in running.ranks {
        let id = rank.as_raw_nonzero().get();
        assert_eq!(
            parent_and_group(id).unwrap().1,
            id,
            "what a terminal sends to the launcher's group must not come twice"
        );
    }
    kill_process(Pid::from_child(&running.launcher), Signal::INT).unwrap();
    let (code, stderr) = running.end();
    assert_eq!(code, 130, "{stderr}");
    assert!(!stderr.contains("failed first"), "{stderr}");
}

#[test]
fn no_other_program_can_take_the_port_before_rank_0() {
    let running = Running::start();
    let input = |id: i32| fs::read_link(format!("/proc/{id}/fd/0")).unwrap().to_string_lossy().into_owned();
    let [first, second, _] = running.ranks.map(|rank| input(rank.as_raw_nonzero().get()));
    assert!(first.starts_with("socket:["), "{first}");
    assert_eq!(second, "/dev/null");
    // The launcher does not hold it as well: who connects after the end of rank 0 is refused.
    let held = fs::read_dir(format!("/proc/{}/fd", running.launcher.id())).unwrap();
    assert!(
        held.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok()).all(|held| held.to_string_lossy() != first)
    );
    kill_process(running.ranks[1], Signal::KILL).unwrap();
    running.end();
}

#[test]
fn ranks_do_not_outlive_a_killed_launcher() {
    let mut running = Running::start();
    running.launcher.kill().unwrap();
    running.launcher.wait().unwrap();
    // They held the other end.
    let begun = Instant::now();
    running.said.iter().for_each(drop);
    for rank in running.ranks {
        while is_running(rank) {
            assert!(begun.elapsed() < SOON, "{rank:?} has outlived the launcher");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// One that was started a moment too late to be told.
#[test]
fn a_rank_whose_launcher_has_ended_does_not_begin() {
    let begin = |change: fn(&mut Command) -> &mut Command| {
        let mut command = finery();
        // No process has this id.
        change(command.arg("ranks").env("FINERY_LAUNCHER_PID", i32::MAX.to_string()));
        let (code, _, stderr) = ended(command.output().unwrap());
        assert_eq!(code, 1, "{stderr}");
        stderr
    };
    assert_eq!(begin(|rank| rank.process_group(0)), "error: the launcher of this process has ended\n");
    // In the group of a rank is what it starts, which may outlive the launcher.
    assert!(begin(|child| child).starts_with("error: this is one process: "));
}

#[test]
fn a_command_that_is_none_is_refused_once() {
    let (code, _, stderr) = ended(launch(&["-n", "2", "--", "ranks", "--round", "2"]).output().unwrap());
    assert_eq!(code, 2);
    assert_eq!(stderr.matches("unexpected argument '--round'").count(), 1, "{stderr}");
    let (code, _, stderr) = ended(launch(&["-n", "2", "--", "launch", "-n", "2", "--", "ranks"]).output().unwrap());
    assert_eq!(
        (code, stderr.as_str()),
        (2, "error: `finery launch` starts the processes of a command, not other launchers\n")
    );
}

/// A number that begins with a minus is an option's value, as without the launcher.
#[test]
fn a_command_is_read_as_by_itself() {
    let command = ["generate", "--model", "no-such-model", "--prompt", "hi", "--seed", "-1"];
    let by_itself = ended(finery().args(command).output().unwrap());
    let launched = ended(launch(&[&["-n", "1", "--"], &command[..]].concat()).output().unwrap());
    assert_eq!((launched.0, &launched.1), (by_itself.0, &by_itself.1));
    assert!(launched.2.starts_with(&by_itself.2), "{} and {}", by_itself.2, launched.2);
}

/// Once, and not by each rank.
#[test]
fn each_process_has_a_gpu_of_its_own_where_it_computes_on_one() {
    for visible in ["0", "2,3"] {
        let mut command = launch(&["-n", "2", "--", "ranks", "--rounds", "2", "-qq"]);
        let (code, stdout, stderr) = ended(command.env("CUDA_VISIBLE_DEVICES", visible).output().unwrap());
        assert_eq!((code, stderr.as_str()), (0, ""));
        let devices: Vec<&str> =
            stdout.lines().skip(1).filter_map(|line| line.split_whitespace().nth(2)).take(2).collect();
        assert_eq!(devices, ["0", "1"], "{stdout}");
    }
}

#[test]
fn the_exit_code_is_that_of_the_first_failure() {
    let (code, _, stderr) = ended(launch(&["-n", "2", "--", "inspect", "no-such-model"]).output().unwrap());
    assert_eq!(code, 1);
    assert!(stderr.contains("failed first, with exit code 1; all ranks ended "), "{stderr}");
    assert!(stderr.lines().any(|line| line.starts_with("[rank 1] error: ")), "{stderr}");
}

/// With torchrun's variables for a rank.
fn by_torchrun<'c>(command: &'c mut Command, rank: usize, size: usize, address: &str, port: u16) -> &'c mut Command {
    let [rank, size, port] = [rank, size, usize::from(port)].map(|number| number.to_string());
    let variables = [("RANK", &rank), ("LOCAL_RANK", &rank), ("WORLD_SIZE", &size), ("MASTER_PORT", &port)];
    command.envs(variables).env("MASTER_ADDR", address).env("FINERY_SECRET", "a secret of this test")
}

/// `finery ranks`, which says errors alone, in processes with torchrun's variables, changed by `change`.
fn by_hand<const SIZE: usize>(change: impl Fn(usize, &mut Command)) -> [(i32, String, String); SIZE] {
    let (address, port) = free_address();
    let start = |rank: usize| {
        let mut command = finery();
        change(rank, by_torchrun(command.args(["ranks", "-qq"]), rank, SIZE, &address, port));
        command.spawn().unwrap()
    };
    let children: Vec<Child> = (0..SIZE).map(start).collect();
    let mut outputs = children.into_iter().map(|child| ended(child.wait_with_output().unwrap()));
    [(); SIZE].map(|()| outputs.next().unwrap())
}

#[test]
fn torchruns_variables_make_a_run() {
    let [(code, stdout, stderr), second] = by_hand(|_, _| {});
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.lines().count(), 4, "{stdout}");
    assert_eq!(second, (0, String::new(), String::new()));
}

/// No longer than ranks wait for each other, where rank 0 does not come.
#[test]
fn who_cannot_begin_waits_for_rank_0_to_tell_it() {
    let ((address, port), begun, mut command) = (free_address(), Instant::now(), finery());
    command.args(["profile", "no-such.yaml"]).env("FINERY_JOIN_SECONDS", "1");
    let (code, _, stderr) = ended(by_torchrun(&mut command, 1, 2, &address, port).output().unwrap());
    assert!(code == 1 && stderr.contains("no-such.yaml"), "{stderr}");
    let waited = begun.elapsed();
    assert!((Duration::from_secs(1)..Duration::from_secs(9)).contains(&waited), "{waited:?}");
}

#[test]
fn ranks_that_were_told_different_things_are_refused_with_both() {
    let [first, second] = by_hand(|rank, command| {
        command.args(["--rounds", ["20", "30"][rank]]);
    });
    for (code, _, stderr) in [&first, &second] {
        assert!(stderr.starts_with("error: rank 1 on host "), "{stderr}");
        assert!(stderr.contains(" has `--rounds 30` where rank 0 on host "), "{stderr}");
        assert!(stderr.ends_with(" has `--rounds 20`: start all ranks with one configuration\n"), "{stderr}");
        assert_ne!(*code, 0);
    }
}

#[test]
fn variables_that_contradict_each_other_are_named() {
    let refused = |variables: &[(&str, &str)]| {
        let (code, _, stderr) = ended(finery().arg("ranks").envs(variables.iter().copied()).output().unwrap());
        assert_eq!(code, 1, "{stderr}");
        stderr
    };
    assert_eq!(
        refused(&[("RANK", "1")]),
        "error: RANK is set and WORLD_SIZE is not: torchrun sets both; set WORLD_SIZE too, or unset RANK to run one process\n"
    );
    assert_eq!(
        refused(&[("RANK", "4"), ("WORLD_SIZE", "4")]),
        "error: RANK=4, but WORLD_SIZE=4: numbers begin at 0, so the largest is 3\n"
    );
    assert_eq!(
        refused(&[]),
        "error: this is one process: start several with `finery launch -n 2 -- ranks`, torchrun or srun\n"
    );
}
