//! Checkpoints that are to go: let go of, removed in time, and no reason to end a run.

use std::fs;
use std::process::Child;

use rustix::process::{Pid, Signal};

use crate::resuming::send;
use crate::scene::{Scene, wait_for};

fn kill(run: &mut Child) {
    rustix::process::kill_process(Pid::from_child(run), Signal::KILL).unwrap();
    run.wait().unwrap();
}

/// Its blocks on the disk would stay taken for as long as the run goes on, whoever removes it.
#[test]
fn a_run_does_not_hold_the_checkpoint_that_it_went_on_from() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let mut run = scene.start(&["train", "run.yaml", "--resume", "max_steps=100000"]);
    wait_for("a step", &mut run, || scene.steps_logged("out") > 2);
    let maps = fs::read_to_string(format!("/proc/{}/maps", run.id())).unwrap();
    kill(&mut run);
    let held: Vec<&str> = maps.lines().filter(|line| line.contains("/checkpoints/")).collect();
    assert!(held.is_empty(), "{held:?}");
}

#[test]
fn an_old_checkpoint_that_cannot_be_removed_is_no_reason_to_stop() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let words = ["train", "run.yaml", "--resume", "max_steps=602", "save_steps=600", "save_total_limit=1"];
    let mut run = scene.start(&words);
    // What lay there from before is cleared away by now.
    wait_for("a step", &mut run, || scene.steps_logged("out") > 2);
    // What is to be removed is given this name before.
    fs::create_dir_all(scene.path("out/checkpoints/.removed-step-00000002/in/the/way")).unwrap();
    let output = run.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    assert!(
        stderr.contains("warning: an old checkpoint stays: could not remove out/checkpoints/step-00000002: "),
        "{stderr}"
    );
    assert!(scene.path("out/model.safetensors").is_file());
}

/// Makes a checkpoint of `out` one that was saved by the clock.
fn make_interim(scene: &Scene, step: u64) {
    let state = scene.path("out/checkpoints").join(format!("step-{step:08}/trainer_state.json"));
    let planned = fs::read_to_string(&state).unwrap();
    // Of the same length, which is all that is looked at.
    let interim = planned.replace("\"interim\": false", "\"interim\":  true");
    assert_ne!(planned, interim);
    fs::write(state, interim).unwrap();
}

/// Saved by the clock, and left by a process that ended before there was a newer good one.
#[test]
fn an_interim_checkpoint_that_a_crash_left_goes_in_time() {
    let scene = Scene::new();
    scene.train(&["max_steps=4", "save_steps=2"]);
    make_interim(&scene, 2);
    scene.train(&["max_steps=6", "save_steps=3", "--resume"]);
    assert_eq!(scene.checkpoints("out"), ["step-00000004", "step-00000006"]);
}

/// The others go all the same, both interim and planned ones.
#[test]
fn an_interim_checkpoint_that_cannot_be_removed_keeps_no_other() {
    let scene = Scene::new();
    scene.train(&["max_steps=6", "save_steps=2"]);
    for step in [2, 4] {
        make_interim(&scene, step);
    }
    let words = ["max_steps=906", "save_steps=300", "save_total_limit=1", "--resume"];
    let mut run = scene.start(&[&["train", "run.yaml"], &words[..]].concat());
    wait_for("a step", &mut run, || scene.steps_logged("out") > 6);
    let in_the_way = ".removed-step-00000002";
    fs::create_dir_all(scene.path("out/checkpoints").join(in_the_way).join("file")).unwrap();
    let output = run.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    let expected = "warning: an old checkpoint stays: could not remove out/checkpoints/step-00000002: ";
    assert!(stderr.contains(expected), "{stderr}");
    assert_eq!(scene.checkpoints("out"), [in_the_way, "step-00000002", "step-00000906"]);
}

/// The newest counts, though no step has followed it; with a limit of 1 it would be the only one.
#[test]
fn a_run_that_is_stopped_keeps_as_many_as_one_that_ends() {
    for (limit, kept) in [(3, 3), (2, 2), (1, 2)] {
        let scene = Scene::new();
        let limit = format!("save_total_limit={limit}");
        let mut run = scene.start(&["train", "run.yaml", "max_steps=100000", "save_steps=1", &limit]);
        wait_for("some steps", &mut run, || scene.steps_logged("out") > 4);
        send(&run, Signal::TERM);
        run.wait().unwrap();
        let newest = scene.steps_logged("out");
        let expected: Vec<String> = (newest + 1 - kept..=newest).map(|step| format!("step-{step:08}")).collect();
        assert_eq!(scene.checkpoints("out"), expected, "{limit}");
    }
}
