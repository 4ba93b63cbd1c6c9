//! What `finery quickstart` refuses before it begins, and that it can be stopped. The tour itself is run by CI.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use environment::untouched;
use rustix::process::{Pid, Signal};

#[path = "support/environment.rs"]
mod environment;

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

/// In an empty folder, with nothing but the binary. The signal goes to the tour alone, as from `kill`; a terminal would send it to the
/// training as well.
#[test]
fn it_runs_anywhere_and_ctrl_c_ends_the_step_and_the_tour() {
    let folder = tempfile::tempdir().unwrap();
    let mut tour = untouched()
        .args(["quickstart", "--device", "cpu", "--seed", "7"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(tour.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("3 of ")), "training begins");
    let command = lines.next().unwrap().unwrap();
    assert_eq!(command, "  $ finery train quickstart/examples/pretrain.yaml seed=7 --device cpu");
    rustix::process::kill_process(Pid::from_child(&tour), Signal::INT).unwrap();
    // The training holds the other end as well, so its output ends when both have.
    assert!(!lines.any(|line| line.unwrap().starts_with("4 of ")), "no step comes after the signal");
    assert_eq!(tour.wait().unwrap().code(), Some(130));
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
