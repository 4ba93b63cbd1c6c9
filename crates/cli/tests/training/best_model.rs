//! The best evaluation: whose it may be, and a run that ends without what was saved then.

use std::fs;

use serde_json::Value;

use crate::resuming::make_format_2;
use crate::scene::{Scene, samples};

const EVALUATED: [&str; 3] = ["val_set_size=8", "eval_steps=2", "lr_scheduler=constant"];
const BEST: &str = "load_best_model_at_end=true";
/// From here on nothing is ever better.
const WORSE: &str = "learning_rate=1.0";

fn weights(scene: &Scene, run: &str) -> Vec<u8> {
    fs::read(scene.path(run).join("model.safetensors")).unwrap()
}

/// Its checkpoint is not in this run's folder, and may be gone.
#[test]
fn the_best_of_another_run_is_not_this_ones() {
    let scene = Scene::new();
    scene.train(&[&EVALUATED[..], &[BEST, "max_steps=4"]].concat());
    let on = ["resume_from_checkpoint=out/checkpoints/step-00000004", "max_steps=6", WORSE];
    let branch = [&EVALUATED[..], &on, &[BEST, "early_stopping_patience=2", "output_dir=branch"]].concat();
    scene.train(&branch);
    scene.train(&[&EVALUATED[..], &on, &["output_dir=plain"]].concat());
    assert!(weights(&scene, "branch") == weights(&scene, "plain"), "step 6 is the best of the branch");
    scene.train(&[&branch[..], &["--resume"]].concat());
}

/// A loss over other data, or over more or fewer rows of them, says nothing of which weights are better.
#[test]
fn the_best_of_other_data_does_not_count() {
    let scene = Scene::new();
    scene.write("tests.jsonl", samples(40));
    scene.write("other.jsonl", samples(39));
    let tests = |file: &str| format!("test_datasets=[{{path: {file}}}]");
    let words = ["eval_steps=2", "save_steps=2", "lr_scheduler=constant", BEST];
    scene.train(&[&words[..], &[&tests("tests.jsonl"), "max_steps=4"]].concat());
    let told = "warning: the best evaluation so far was of other data, or of another number of their rows, and no longer counts: ";
    let go_on = |data: &str, subset: &[&str]| {
        let _ = fs::remove_dir_all(scene.path("out/checkpoints/step-00000006"));
        let stderr = scene.train(&[&words[..], &[&tests(data), "--resume", "max_steps=6", WORSE], subset].concat());
        let state = fs::read(scene.path("out/checkpoints/step-00000006/trainer_state.json")).unwrap();
        let state: Value = serde_json::from_slice(&state).unwrap();
        (stderr.contains(told), state["improvement"]["best"]["step"].as_u64().unwrap())
    };
    assert_eq!(go_on("tests.jsonl", &[]), (false, 4));
    // A run that is over evaluates nothing more, and has the best that it had.
    let best = weights(&scene, "out");
    let stderr = scene.train(&[&words[..], &[&tests("other.jsonl"), "--resume", "max_steps=6", WORSE]].concat());
    assert!(stderr.contains("stays the best: no step is left") && !stderr.contains(told), "{stderr}");
    assert!(weights(&scene, "out") == best);
    assert_eq!(go_on("tests.jsonl", &["eval_subset_num_batches=1000"]), (false, 4), "it has all rows, too");
    assert_eq!(go_on("tests.jsonl", &["eval_subset_num_batches=1"]), (true, 6));
    assert_eq!(go_on("other.jsonl", &[]), (true, 6));
    // The next goes on with what was kept then.
    let stderr = scene.train(&[&words[..], &[&tests("other.jsonl"), "--resume", "max_steps=8"]].concat());
    assert!(!stderr.contains(told), "{stderr}");

    // What an earlier version left does not say what it was of, and keeps its best.
    let folder = scene.path("out/checkpoints/step-00000004");
    let path = folder.join("trainer_state.json");
    let mut state: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert!(state.as_object_mut().unwrap().remove("evaluated").is_some());
    fs::write(path, state.to_string()).unwrap();
    make_format_2(&folder);
    fs::remove_dir_all(scene.path("out/checkpoints/step-00000008")).unwrap();
    assert_eq!(go_on("other.jsonl", &[]), (false, 4));
}

/// Training is over by then, and must not have been for nothing.
#[test]
fn a_run_whose_best_is_gone_or_damaged_writes_its_last_weights() {
    let scene = Scene::new();
    scene.train(&[&EVALUATED[..], &["max_steps=4", BEST]].concat());
    let on = [&EVALUATED[..], &["--resume", "max_steps=6", WORSE]].concat();
    let best = scene.path("out/checkpoints/step-00000004");
    let state = best.join("state.safetensors");
    let whole = fs::read(&state).unwrap();
    let again = || fs::remove_dir_all(scene.path("out/checkpoints/step-00000006")).unwrap();

    let stderr = scene.train(&[&on[..], &[BEST]].concat());
    assert!(stderr.contains("step 4") && !stderr.contains("the last ones are written"), "{stderr}");
    let wanted = weights(&scene, "out");

    again();
    scene.train(&on);
    let last = weights(&scene, "out");
    assert!(last != wanted);
    for fault in ["is not what was saved (its checksum differs)", "there is no such folder"] {
        if fault.starts_with("there") {
            fs::remove_dir_all(&best).unwrap();
        } else {
            let mut damaged = whole.clone();
            *damaged.last_mut().unwrap() ^= 1;
            fs::write(&state, damaged).unwrap();
        }
        let stderr = scene.train(&[&on[..], &[BEST]].concat());
        let told = "warning: the weights of the best evaluation, after step 4, cannot be brought back, and the last ones are written: ";
        assert!(stderr.contains(told) && stderr.contains(fault), "{stderr}");
        assert!(weights(&scene, "out") == last);
    }
}

#[test]
fn a_run_that_was_over_says_so_again() {
    let scene = Scene::new();
    let words = [&EVALUATED[..], &[WORSE, "max_steps=40", "early_stopping_patience=2"]].concat();
    let told =
        |stderr: &str| stderr.lines().find(|line| line.contains("stopping early after step ")).map(str::to_owned);
    let first = scene.train(&words);
    let again = scene.train(&[&words[..], &["--resume"]].concat());
    assert!(told(&first).is_some(), "{first}");
    assert_eq!(told(&first), told(&again), "{again}");
}
