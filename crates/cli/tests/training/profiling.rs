//! Where a step's time goes: `finery profile`, and runs with `profile_steps`. The CPU's plugin has no profiler; what one records is tested in
//! crates/profile.

use std::fs;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::scene::Scene;
use crate::signals::is_heard;

fn json(scene: &Scene, name: &str) -> Value {
    serde_json::from_slice(&fs::read(scene.path(name)).unwrap()).unwrap()
}

/// Milliseconds of all rows of a table.
fn total(profile: &Value, rows: &str, keys: &[&str]) -> f64 {
    let rows = profile[rows].as_array().unwrap();
    rows.iter().map(|row| keys.iter().map(|key| row[key].as_f64().unwrap()).sum::<f64>()).sum()
}

#[test]
fn a_step_is_measured_and_divided_among_layers() {
    let scene = Scene::new();
    let output = scene.run(&["profile", "run.yaml", "--steps", "2", "--warmup", "1", "scan_layers=false"]);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("open profile/profile.trace.json in https://ui.perfetto.dev"), "{stderr}");
    assert!(stdout.starts_with("A step takes ") && stdout.contains("(mean of 2). That is measured."), "{stdout}");
    assert!(stdout.contains("is estimated, not recorded"), "{stdout}");
    assert_eq!(fs::read_to_string(scene.path("profile/profile.txt")).unwrap(), stdout);
    for part in ["attention projections", "mlp", "norms", "head and loss", "embedding", "optimizer"] {
        assert!(stdout.contains(&format!("\n  {part} ")), "{part}: {stdout}");
    }
    let profile = json(&scene, "profile/profile.json");
    let step = profile["host_ms"].as_f64().unwrap();
    let parts = total(&profile, "parts", &["forward_ms", "recomputed_ms", "backward_ms"]);
    for sum in [total(&profile, "kinds", &["ms"]), parts, profile["step_ms"].as_f64().unwrap()] {
        // Each kernel's time is rounded to a picosecond.
        assert!((sum / step - 1.0).abs() < 1e-6, "{sum} of {step}: {profile}");
    }
    assert_eq!(profile["ops"].as_array().unwrap().len(), 15);
    let trace = json(&scene, "profile/profile.trace.json");
    let events = trace["traceEvents"].as_array().unwrap();
    let named = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    // Each layer has its own, forward; and backward two, for the input and for the weight.
    for layer in [0, 1] {
        assert_eq!(named(&format!("model.layers.{layer}.mlp.down_proj: dot")), 1, "{layer}");
        assert_eq!(named(&format!("backward/model.layers.{layer}.mlp.down_proj: dot")), 2, "{layer}");
    }
    assert!(!scene.path("profile/profile.xplane.pb").exists() && !scene.path("out").exists());
}

#[test]
fn layers_have_their_names_where_a_step_is_divided_among_devices() {
    let scene = Scene::new();
    for mesh in ["mesh.fsdp=2", "mesh.mp=2"] {
        let output = scene.run(&["profile", "run.yaml", "--steps", "1", "--warmup", "1", "--json", "--random", mesh]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let profile: Value = serde_json::from_slice(&output.stdout).unwrap();
        let parts = profile["parts"].as_array().unwrap().iter();
        let unknown = parts.filter(|part| part["part"] == "not known").map(|part| part["forward_ms"].as_f64().unwrap());
        let unknown = unknown.sum::<f64>() / profile["step_ms"].as_f64().unwrap();
        assert!(unknown < 0.1, "{mesh}: {unknown} of a step is not known: {profile}");
    }
}

#[test]
fn random_rows_need_no_data() {
    let scene = Scene::new();
    fs::remove_file(scene.path("data.jsonl")).unwrap();
    let words = [
        "profile",
        "run.yaml",
        "--random",
        "--json",
        "--steps",
        "1",
        "--warmup",
        "1",
        "--out",
        "a/b",
        "scan_layers=true",
    ];
    let output = scene.run(&words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, json(&scene, "a/b/profile.json"));
    // A loop over layers is of all of them.
    let trace = json(&scene, "a/b/profile.trace.json");
    let dots = trace["traceEvents"].as_array().unwrap().iter();
    let dots = dots.filter(|event| event["name"] == "model.layers.*.mlp.down_proj: dot").count();
    assert_eq!(dots, 2, "once in each round");
    let refused = scene.refusal(&["profile", "run.yaml", "--random", "micro_batch_size=auto"]);
    assert!(refused.contains("random tokens have none: give it a number, such as micro_batch_size=8"), "{refused}");
    let refused = scene.refusal(&["profile", "run.yaml"]);
    assert!(refused.contains("data.jsonl"), "{refused}");
}

/// The first process alone makes it, and does not let the others wait.
#[test]
fn a_folder_that_cannot_be_made_ends_all_processes() {
    let scene = Scene::new();
    scene.write("taken", "a file");
    let output = scene.run(&["launch", "-n", "2", "--", "profile", "run.yaml", "--random", "--out", "taken"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let rule = "taken is a file: name a folder for the profile";
    assert!(stderr.lines().any(|line| line == format!("error: {rule}")), "{stderr}");
    let told = |line: &str| line.starts_with("[rank 1] error: rank 0 on host ") && line.ends_with(rule);
    assert!(stderr.lines().any(told), "{stderr}");
}

#[test]
fn a_signal_leaves_no_empty_folder() {
    if !is_heard(Signal::INT) {
        return;
    }
    let scene = Scene::new();
    let mut profile = scene.start(&["profile", "run.yaml", "--random", "--warmup", "100000", "--out", "a/b"]);
    while !scene.path("a/b").exists() {
        assert!(profile.try_wait().unwrap().is_none(), "it ended before it made its folder");
        thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&profile), Signal::INT).unwrap();
    assert_eq!(profile.wait().unwrap().code(), Some(130));
    assert!(!scene.path("a").exists());
}

#[test]
fn a_run_goes_on_as_if_nobody_recorded_it() {
    let scene = Scene::new();
    scene.train(&["max_steps=6", "save_steps=3", "output_dir=plain"]);
    let stderr = scene.train(&["max_steps=6", "save_steps=3", "profile_steps=3-4"]);
    let told =
        "profile_steps: there is no profile: the plugin of cpu has no profiler; `finery profile` measures steps there";
    assert!(stderr.contains(told), "{stderr}");
    let told = "profile_steps: the recording ends after step 3, behind which the run evaluates or saves, and not after step 4\n";
    assert_eq!(stderr.matches(told).count(), 1, "{stderr}");
    assert_eq!(scene.metrics("out"), scene.metrics("plain"));
    let weights = |run: &str| fs::read(scene.path(run).join("model.safetensors")).unwrap();
    assert_eq!(weights("out"), weights("plain"));
    assert!(!scene.path("out/profile.json").exists());
    // It may be recorded otherwise when it goes on, but not where it has been.
    let stderr = scene.train(&["max_steps=7", "save_steps=3", "profile_steps=3-4", "--resume"]);
    assert!(stderr.contains("profile_steps: the run goes on after step 6, and nothing is recorded"), "{stderr}");
}

/// Before its first step, and where the configuration alone tells before anything.
#[test]
fn steps_that_a_run_does_not_come_to_are_told_at_once() {
    let scene = Scene::new();
    for (words, rule) in [
        (
            ["max_steps=8", "profile_steps=2"],
            "records the steps 10 to 11, and the run has 8: name some of these, such as `7-8`",
        ),
        (
            ["max_steps=4", "profile_steps=3-90"],
            "records the steps 3 to 90, and the run has 4: name some of these, such as `1-4`",
        ),
    ] {
        let refused = scene.refusal(&[&["train", "run.yaml"], &words[..]].concat());
        assert_eq!(refused, format!("command line: `profile_steps` {rule}, or make it longer"));
    }
    scene.train(&["max_steps=2", "profile_steps=1-2"]);
    // How many steps 40 samples make is known when they are read; where a run goes on, when its checkpoint is.
    let epochs = ["max_steps=null", "num_epochs=1", "sample_packing=false", "output_dir=epochs"];
    let stderr = scene.train(&[&epochs[..], &["profile_steps=21-22"]].concat());
    let told = "profile_steps: the run ends after step 20, and nothing is recorded of the steps 21 to 22\n";
    assert!(stderr.contains(told) && !stderr.contains("there is no profile"), "{stderr}");
    let stderr = scene.train(&["max_steps=12", "profile_steps=2", "--resume"]);
    assert!(stderr.contains("the run ends after step 12, and the recording with it, not after step 13\n"), "{stderr}");
}

#[test]
fn steps_that_are_none_are_refused() {
    let scene = Scene::new();
    for wrong in ["0", "12-10", "0-3", "ten", "1-2000", "-3"] {
        let refused = scene.refusal(&["train", "run.yaml", &format!("profile_steps={wrong}")]);
        let rule = "a whole number from 1 to 1000, or a range of steps such as `100-102`";
        assert!(refused.contains("profile_steps") && refused.contains(rule), "{wrong}: {refused}");
    }
}
