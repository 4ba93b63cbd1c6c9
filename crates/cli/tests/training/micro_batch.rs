//! `micro_batch_size: auto`.

use std::fs;

use crate::scene::Scene;

/// A processor has room for all that a few samples make, so that the global batch decides.
#[test]
fn the_rows_that_are_found_stay_with_the_run() {
    let scene = Scene::new();
    let auto = ["micro_batch_size=auto", "global_batch_size=6", "save_steps=2"];
    let stderr = scene.train(&[&auto[..], &["max_steps=2"]].concat());
    assert!(stderr.contains("micro_batch_size: 6, the most that auto finds to fit: a step takes "), "{stderr}");
    let written = fs::read_to_string(scene.path("out/config.yaml")).unwrap();
    assert!(written.contains("\nmicro_batch_size: 6\ngradient_accumulation_steps: 1\n"), "{written}");
    // As it began, though another would be found now.
    let stderr = scene.train(&["micro_batch_size=auto", "global_batch_size=4", "max_steps=3", "--resume"]);
    assert!(!stderr.contains("auto finds") && !stderr.contains("other settings: micro"), "{stderr}");
    let written = fs::read_to_string(scene.path("out/config.yaml")).unwrap();
    assert!(written.contains("\nmicro_batch_size: 6\ngradient_accumulation_steps: 1\n"), "{written}");
    assert_eq!(scene.metrics("out").last().unwrap()["step"].as_u64(), Some(3));
}

/// A step of one micro-batch or several is the same, so a run whose rows were found learns what one with these numbers learns.
#[test]
fn rows_are_no_more_than_a_pass_has_and_mean_the_same_written_out() {
    let scene = Scene::new();
    let stderr = scene.train(&["micro_batch_size=auto", "gradient_accumulation_steps=2", "max_steps=2"]);
    let (_, packed) = stderr.split_once("40 samples in ").unwrap();
    let rows: u64 = packed.split(' ').next().unwrap().parse().unwrap();
    assert!(stderr.contains(&format!("micro_batch_size: {rows}, the most that auto finds")), "{stderr}");
    let found = scene.metrics("out");
    scene.train(&[
        &format!("micro_batch_size={rows}"),
        "gradient_accumulation_steps=2",
        "max_steps=2",
        "output_dir=same",
    ]);
    let same = scene.metrics("same");
    let losses = |steps: &[serde_json::Value]| {
        steps.iter().map(|step| step["loss"].as_f64().unwrap().to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(losses(&found), losses(&same));
}

#[test]
fn rows_that_cannot_be_found_are_refused() {
    let scene = Scene::new();
    let message = scene.refusal(&["train", "run.yaml", "global_batch_size=6"]);
    assert!(message.contains("`global_batch_size` needs `micro_batch_size: auto`"), "{message}");
    let words = ["train", "run.yaml", "micro_batch_size=auto", "global_batch_size=6", "mesh.dp=4"];
    let message = scene.refusal(&words);
    assert!(message.contains("`global_batch_size` is 6, and the mesh spreads rows over 4 devices"), "{message}");
    let message = scene.refusal(&[
        "train",
        "run.yaml",
        "micro_batch_size=auto",
        "global_batch_size=6",
        "gradient_accumulation_steps=2",
    ]);
    assert!(message.contains("contradicts"), "{message}");
}
