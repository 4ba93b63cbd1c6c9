//! What the hardware does while it trains.

use std::fs;

use serde_json::{Value, json};

use crate::command::finery;
use crate::scene::Scene;

#[test]
fn a_run_measures_the_machine_that_it_runs_on() {
    let scene = Scene::new();
    let stderr = scene.train(&["max_steps=300", "logging_steps=100", "--log-format", "json"]);
    let text = fs::read_to_string(scene.path("out/metrics.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let measured: Vec<&Value> = lines.iter().filter(|line| line.get("device").is_some()).collect();
    let last = *measured.last().unwrap();
    let step = lines.iter().find(|line| line.get("loss").is_some() && line["step"] == last["step"]).unwrap();
    assert_eq!((&last["device"], &last["tokens"]), (&json!("host"), &step["tokens"]));
    let of_run: Vec<&Value> = lines.iter().filter(|line| line.get("save_bytes").is_none()).collect();
    assert_eq!(of_run.last(), Some(&last), "the end of the run is measured too");
    let number = |key: &str| last[key].as_f64().unwrap_or_else(|| panic!("{key}: {last}"));
    assert!(number("samples") >= 1.0 && number("seconds") > 0.0 && number("load_mean") >= 0.0, "{last}");
    assert!(number("process_memory_bytes_max") > 1e7, "{last}");
    assert!(number("memory_used_bytes_max") <= number("memory_total_bytes"), "{last}");
    let told =
        stderr.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told: Vec<Value> = told.filter(|line| line["message"] == "hardware").collect();
    assert_eq!(told.len(), measured.len());
    assert_eq!(told.last().unwrap()["process_memory_bytes_max"], last["process_memory_bytes_max"]);

    let events = fs::read_dir(scene.path("out")).unwrap().map(|entry| entry.unwrap().path());
    let events = events.into_iter().find(|path| path.to_string_lossy().contains("events.out.tfevents")).unwrap();
    let tag = b"hardware/host/memory_used_bytes_max";
    assert!(fs::read(events).unwrap().windows(tag.len()).any(|window| window == tag));

    let drawn = scene.run(&["plot", "out", "--metric", "memory,loss", "--terminal"]);
    let drawn = String::from_utf8(drawn.stdout).unwrap();
    assert!(drawn.starts_with("Memory taken (GB)\n") && drawn.contains(" host"), "{drawn}");
    let width = |drawn: &str| drawn.lines().map(|line| line.trim_end().chars().count()).max();
    let narrow = finery(scene.root()).env("COLUMNS", "50").args(["plot", "out", "--terminal"]).output().unwrap();
    let narrow = String::from_utf8(narrow.stdout).unwrap();
    assert!(width(&narrow).is_some_and(|width| (30..=50).contains(&width)) && width(&drawn) > Some(50), "{narrow}");
    let refused = scene.refusal(&["plot", "out", "--metric", "throttled", "--terminal"]);
    assert!(refused.starts_with("cannot plot out: nothing of this kind was measured of its hardware"), "{refused}");
}
