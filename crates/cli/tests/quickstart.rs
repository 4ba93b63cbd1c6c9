//! What `finery quickstart` refuses before it begins, and that it can be stopped. The tour itself is run by CI.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader, Lines};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use environment::untouched;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signals::is_heard;
use tempfile::TempDir;

#[path = "support/environment.rs"]
mod environment;
#[path = "support/signals.rs"]
mod signals;

fn quickstart(options: &[&str], folder: &Path) -> String {
    let output = untouched().arg("quickstart").args(options).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing has begun");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_folder_of_examples_must_hold_them() {
    let folder = tempfile::tempdir().unwrap();
    let message = quickstart(&["--examples", "mine"], folder.path());
    assert!(message.starts_with("error: there is no mine/pretrain.yaml: without --examples "), "{message}");
    assert!(!folder.path().join("quickstart").exists());
}

#[test]
fn a_folder_that_is_somebody_elses_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("mine/base")).unwrap();
    let message = quickstart(&["--dir", "mine"], folder.path());
    assert!(message.starts_with("error: mine is there already and no earlier quickstart made it"), "{message}");
    assert!(folder.path().join("mine/base").is_dir());
}

/// A tour that trains its first model.
struct Training {
    folder: TempDir,
    tour: Child,
    /// What it and its steps print; ends when all have.
    lines: Lines<BufReader<ChildStdout>>,
}

impl Training {
    fn start() -> Training {
        let folder = tempfile::tempdir().unwrap();
        let mut command = untouched();
        command.args(["quickstart", "--device", "cpu", "--seed", "7"]).current_dir(folder.path());
        let stderr = fs::File::create(folder.path().join("stderr")).unwrap();
        let mut tour = command.stdout(Stdio::piped()).stderr(stderr).process_group(0).spawn().unwrap();
        let mut lines = BufReader::new(tour.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("3 of ")), "training begins");
        let command = lines.next().unwrap().unwrap();
        assert_eq!(command, "  $ finery train quickstart/examples/pretrain.yaml seed=7 --device cpu");
        Training { folder, tour, lines }
    }

    /// As [`Training::start`], when it has taken a step.
    fn start_step() -> Training {
        let training = Training::start();
        let metrics = training.path("quickstart/base/metrics.jsonl");
        training.wait_for("a step", || fs::metadata(&metrics).is_ok_and(|metrics| metrics.len() > 0));
        training
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn wait_for(&self, what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(120), "no {what}: {}", self.stderr());
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.path("stderr")).unwrap()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.tour)
    }

    /// The exit code, once the step and the tour have ended.
    fn code(&mut self) -> Option<i32> {
        assert!(!self.lines.any(|line| line.unwrap().starts_with("4 of ")), "no step comes after the signal");
        self.tour.wait().unwrap().code()
    }
}

impl Drop for Training {
    fn drop(&mut self) {
        // It may have ended; its step ends with it.
        let _ = self.tour.kill();
        let _ = self.tour.wait();
    }
}

/// In an empty folder, with nothing but the binary. The signal goes to the tour alone, as from `kill`.
#[test]
fn it_runs_anywhere_and_a_signal_ends_the_step_and_the_tour() {
    let mut training = Training::start();
    let (signal, code) = if is_heard(Signal::INT) { (Signal::INT, 130) } else { (Signal::TERM, 143) };
    kill_process(training.pid(), signal).unwrap();
    assert_eq!(training.code(), Some(code));
    let folder = &training.folder;
    assert!(folder.path().join("quickstart/tokenizer/tokenizer.json").is_file());

    // What an interrupted tour left is replaced, but nothing that took long or that somebody has made.
    let of_user = folder.path().join("quickstart/examples/mine.jsonl");
    fs::write(&of_user, "{}").unwrap();
    let message = quickstart(&[], folder.path());
    assert!(
        message.starts_with("error: quickstart/examples/mine.jsonl is not as the quickstart wrote it"),
        "{message}"
    );
    assert!(of_user.is_file());
    fs::remove_file(of_user).unwrap();
    fs::write(folder.path().join("quickstart/after.jsonl"), "").unwrap();
    let message = quickstart(&[], folder.path());
    assert!(message.starts_with("error: quickstart holds a finished quickstart: give --overwrite"), "{message}");
    assert!(folder.path().join("quickstart/tokenizer/tokenizer.json").is_file());
}

/// As from `timeout`, systemd or Docker, or a terminal's Ctrl-C: the step is asked to stop once, so that it saves.
#[test]
fn a_signal_to_all_processes_of_a_tour_stops_it_when_its_training_is_saved() {
    let mut training = Training::start_step();
    kill_process_group(training.pid(), Signal::TERM).unwrap();
    assert_eq!(training.code(), Some(143));
    let checkpoint = checkpoint::latest(training.path("quickstart/base")).unwrap();
    assert!(checkpoint.is_some(), "{}", training.stderr());
    let told = "interrupted in step 3; the same command takes the tour anew and removes what is saved; \
                `finery train quickstart/examples/pretrain.yaml seed=7 --device cpu --resume` goes on with this training alone";
    assert!(training.stderr().trim_end().ends_with(told), "{}", training.stderr());
}

#[cfg(target_os = "linux")]
mod under_way {
    use rustix::process::{getpid, set_child_subreaper};

    use super::*;

    /// What a process does, as one letter, and the id of its parent.
    fn state_and_parent(id: i32) -> Option<(char, i32)> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name before may have spaces and brackets.
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
    }

    fn is_suspended(process: &Pid) -> bool {
        state_and_parent(process.as_raw_nonzero().get()).is_some_and(|(state, _)| state == 'T')
    }

    /// The process that trains.
    fn step_of(tour: Pid) -> Pid {
        let mut ids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let parent = tour.as_raw_nonzero().get();
        let is_step = |id: &i32| state_and_parent(*id).is_some_and(|(_, found)| found == parent);
        Pid::from_raw(ids.find(is_step).unwrap()).unwrap()
    }

    #[test]
    fn ctrl_z_suspends_the_step_too() {
        let mut training = Training::start_step();
        if !is_heard(Signal::TSTP) {
            return kill_process_group(training.pid(), Signal::TERM).unwrap();
        }
        let both = [training.pid(), step_of(training.pid())];
        kill_process(training.pid(), Signal::TSTP).unwrap();
        training.wait_for("rest", || both.iter().all(is_suspended));
        kill_process(training.pid(), Signal::CONT).unwrap();
        training.wait_for("work", || !both.iter().any(is_suspended));
        kill_process(training.pid(), Signal::TERM).unwrap();
        assert_eq!(training.code(), Some(143));
    }

    #[test]
    fn another_tour_in_the_same_folder_is_refused_also_when_the_first_was_killed() {
        let mut training = Training::start_step();
        let refused = || {
            for options in [&[][..], &["--overwrite"]] {
                let message = quickstart(options, training.folder.path());
                let start =
                    format!("error: another quickstart is writing to quickstart (process {} on ", training.tour.id());
                assert!(message.starts_with(&start), "{message}");
                assert!(message.ends_with("Z): wait for its end, or name another folder with --dir\n"), "{message}");
            }
            assert!(training.path("quickstart/base/metrics.jsonl").is_file(), "nothing is removed");
        };
        refused();
        // It would end with the tour, and so soon that nobody could try to begin before. Suspended it stays if its parent is one of the same session, and so this
        // process takes it over: groups that nobody of their session is above are woken.
        let step = step_of(training.pid());
        set_child_subreaper(Some(getpid())).unwrap();
        kill_process(step, Signal::STOP).unwrap();
        training.wait_for("rest", || is_suspended(&step));
        kill_process(training.pid(), Signal::KILL).unwrap();
        refused();
        assert!(is_suspended(&step));
        kill_process(step, Signal::CONT).unwrap();
        assert_eq!(training.code(), None);
        assert!(checkpoint::latest(training.path("quickstart/base")).unwrap().is_some(), "it ends as by SIGTERM");
    }
}
