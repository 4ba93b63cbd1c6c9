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
    // As it began, without another search.
    let stderr = scene.train(&[&auto[..], &["max_steps=3", "--resume"]].concat());
    assert!(!stderr.contains("auto finds") && !stderr.contains("rows of a step"), "{stderr}");
    let written = fs::read_to_string(scene.path("out/config.yaml")).unwrap();
    assert!(written.contains("\nmicro_batch_size: 6\ngradient_accumulation_steps: 1\n"), "{written}");
    // Other rows in a step are what was asked for, and told.
    let stderr = scene.train(&["micro_batch_size=auto", "global_batch_size=4", "max_steps=4", "--resume"]);
    assert!(stderr.contains("saved with other settings: ") && stderr.contains("rows of a step: 6 -> 4"), "{stderr}");
    assert!(stderr.contains("micro_batch_size: 4, the most that auto finds"), "{stderr}");
    assert_eq!(scene.metrics("out").last().unwrap()["step"].as_u64(), Some(4));
}

/// Where a run goes on over other devices, its steps keep their rows, and the curve its course; a micro-batch is what fits there.
#[test]
fn rows_are_found_anew_on_another_mesh() {
    let scene = Scene::new();
    let step = ["gradient_accumulation_steps=3", "save_steps=2", "lr_scheduler=constant"];
    scene.train(&[&step[..], &["micro_batch_size=2", "max_steps=4", "output_dir=same"]].concat());
    scene.train(&[&step[..], &["micro_batch_size=2", "max_steps=2"]].concat());
    let resumed = [&step[..], &["micro_batch_size=auto", "max_steps=4", "--resume"]].concat();
    let refused = scene.refusal(&[&["train", "run.yaml"][..], &resumed, &["mesh.dp=4"]].concat());
    assert!(
        refused.contains("its steps have 6 rows, which micro_batch_size: auto keeps, and the mesh spreads"),
        "{refused}"
    );
    // Two rows are no multiple of three.
    let stderr = scene.train(&[&resumed[..], &["mesh.dp=3"]].concat());
    assert!(stderr.contains("micro_batch_size: 6, the most that auto finds to fit"), "{stderr}");
    assert!(!stderr.contains("rows of a step") && !stderr.contains("micro_batch_size: 2 ->"), "{stderr}");
    let losses = |folder: &str| -> Vec<f64> {
        scene.metrics(folder).iter().map(|step| step["loss"].as_f64().unwrap()).collect()
    };
    let (found, expected) = (losses("out"), losses("same"));
    assert_eq!(found.len(), 4);
    // The order of sums is another one.
    let is_close = |(found, expected): (&f64, &f64)| ((found - expected) / expected).abs() < 1e-5;
    assert!(found.iter().zip(&expected).all(is_close), "{found:?} and {expected:?}");

    // What is kept are the rows of a step, however they were shared out before.
    let further = [&resumed[..], &["mesh.dp=3", "max_steps=5"]].concat();
    assert!(!scene.train(&further).contains("rows of a step"));
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
