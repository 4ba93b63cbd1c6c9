//! What the lines of a step's program are said to compute: profiles are read by that.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use expect_test::expect;
use graph::{Label, Phase, Places};
use models::{LanguageModel, LayerLoop, ModelPreset};
use serde_json::Value;
use train::{BatchShape, Preset, StepPlan};

/// The step of a model, of two rows of 16 tokens.
fn step(model: LanguageModel, layers: LayerLoop) -> (String, Places) {
    let batch = BatchShape { accumulation: 1, rows: 2, positions: 16, packed: false };
    let plan = StepPlan { model, layers, batch, ..Preset::Cpu15m.plan() };
    let program = plan.train_program().unwrap().program;
    (program.text, program.places)
}

/// The labels of the lines that multiply matrices, or call kernels.
fn products<'p>(text: &str, places: &'p Places) -> Vec<&'p Label> {
    let is_product = |line: &str| line.contains("stablehlo.dot_general") || line.contains("stablehlo.custom_call");
    let lines = text.lines().enumerate().filter(|(_, line)| is_product(line));
    lines.map(|(at, _)| places.of_line(at + 1).unwrap()).collect()
}

/// Of each family's model of the tests.
#[test]
fn every_product_has_a_module_and_a_part() {
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo");
    let mut parts: BTreeSet<&str> = BTreeSet::new();
    let mut models = 0;
    let folders = |of: &Path| fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let families = folders(&zoo).into_iter().filter(|family| family.is_dir());
    for folder in families.flat_map(|family| folders(&family)) {
        let Ok(config) = fs::read_to_string(folder.join("config.json")) else { continue };
        let config: Value = serde_json::from_str(&config).unwrap();
        let (text, places) = step(LanguageModel::from_json(&config).unwrap(), LayerLoop::Loop);
        let labels = products(&text, &places);
        assert!(labels.len() > 6, "{folder:?}");
        for label in &labels {
            assert!(!label.path.is_empty() && !label.part.is_empty(), "{folder:?}: {label:?}");
            assert!(!label.part.starts_with("residual"), "{folder:?}: {label:?}");
        }
        parts.extend(labels.iter().map(|label| label.part));
        models += 1;
    }
    assert!(models > 10, "{models}");
    let parts: Vec<&str> = parts.into_iter().collect();
    expect!["attention, attention projections, experts, head and loss, mlp, state space"].assert_eq(&parts.join(", "));
}

/// Each product of a layer three times: forward, and backward for what came in and for the weight.
#[test]
fn unrolled_layers_have_their_numbers_in_each_pass() {
    let model = || LanguageModel::from_json(&ModelPreset::find("llama-15m").unwrap().config).unwrap();
    let (text, places) = step(model(), LayerLoop::Unrolled);
    let labels = products(&text, &places);
    let count = |phase, path: &str| labels.iter().filter(|label| label.phase == phase && label.path == path).count();
    for layer in 0..model().sizes().num_hidden_layers {
        for module in ["self_attn.q_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.down_proj"] {
            let path = format!("model.layers.{layer}.{module}");
            assert_eq!([Phase::Forward, Phase::Backward].map(|phase| count(phase, &path)), [1, 2], "{path}");
        }
    }
    // The optimizer's update of a layer's weight is of that layer.
    let updates: BTreeSet<&str> = text
        .lines()
        .enumerate()
        .filter_map(|(at, _)| places.of_line(at + 1))
        .map(|label| label.path.as_str())
        .collect();
    assert!(updates.contains("update.model.layers.3.mlp.up_proj.weight"), "{updates:?}");
}
