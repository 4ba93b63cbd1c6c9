//! What a step trains, holds and keeps: under LoRA it computes no gradient of a frozen matrix, and keeps nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use graph::{DType, Remat};
use models::{LanguageModel, LayerLoop, Lora, LoraModule, LossForm, products_kept};
use serde_json::json;
use train::{AdamW, BatchShape, Optimizer, StepPlan, StepProgram, Trained};

/// All sizes differ, and none is another's product with the batch, so that a shape tells the matrix.
fn model() -> LanguageModel {
    let config = json!({
        "model_type": "llama", "vocab_size": 90, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 3,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 14, "max_position_embeddings": 64,
    });
    LanguageModel::from_json(&config).expect("the configuration is a model's")
}

fn plan(lora: bool) -> StepPlan {
    let module = LoraModule { rank: 5, scale: 2.0 };
    let linear = model().linear_modules().expect("the model can be traced");
    StepPlan {
        model: model(),
        compute: DType::F32,
        products: None,
        lora: lora.then(|| Lora::of_each(&linear, module, 0.1)),
        trained: if lora { Trained::Adapters } else { Trained::All },
        optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.01 }),
        max_grad_norm: Some(1.0),
        batch: BatchShape { accumulation: 1, rows: 2, positions: 7, packed: false },
        layers: LayerLoop::Loop,
        loss: LossForm::default(),
        partition: None,
    }
}

fn step(lora: bool, remat: Remat, accumulation: usize, layers: LayerLoop) -> StepProgram {
    let mut plan = StepPlan { layers, ..plan(lora) };
    plan.model.remat = remat;
    plan.batch.accumulation = accumulation;
    plan.train_program().expect("the step can be traced")
}

/// Shapes of two dimensions that dots and scatters of the program result in, smaller dimension first: a gradient of a matrix may be
/// computed transposed.
fn computed_matrices(step: &StepProgram) -> BTreeSet<[usize; 2]> {
    let is_sum = |line: &str| line.contains("stablehlo.dot_general") || line.trim_start().starts_with("})");
    let shape = |line: &str| -> Option<[usize; 2]> {
        let (_, result) = line.rsplit_once("-> tensor<")?;
        let dims: Vec<usize> = result.split('x').filter_map(|part| part.parse().ok()).collect();
        let [a, b] = dims.try_into().ok()?;
        Some([usize::min(a, b), usize::max(a, b)])
    };
    step.program.text.lines().filter(|line| is_sum(line)).filter_map(shape).collect()
}

/// Shapes of the matrices whose names `pick` chooses.
fn matrices(step: &StepProgram, pick: impl Fn(&str) -> bool) -> BTreeMap<String, [usize; 2]> {
    let picked = step.params.iter().filter(|spec| pick(&spec.name) && spec.axes.len() == 2);
    picked
        .map(|spec| {
            let shape = spec.checkpoint_shape();
            (spec.name.clone(), [shape[0].min(shape[1]), shape[0].max(shape[1])])
        })
        .collect()
}

#[test]
fn frozen_matrices_have_no_gradient() {
    for (remat, accumulation) in [(Remat::none(), 1), (Remat::dots(&[]), 1), (Remat::full(), 2)] {
        for layers in [LayerLoop::Loop, LayerLoop::Unrolled] {
            check(&step(false, remat.clone(), accumulation, layers), &step(true, remat.clone(), accumulation, layers));
        }
    }
}

fn check(full: &StepProgram, lora: &StepProgram) {
    // In full training every matrix has one: what is looked for below can be found.
    let found = computed_matrices(full);
    for (name, shape) in matrices(full, |_| true) {
        assert!(found.contains(&shape), "full training computes no gradient of {name}, {shape:?}");
    }
    let found = computed_matrices(lora);
    let is_trained = |name: &str| lora.trained.iter().any(|position| lora.params[*position].name == name);
    for (name, shape) in matrices(lora, is_trained) {
        assert!(name.contains(".lora_") && found.contains(&shape), "LoRA computes no gradient of {name}, {shape:?}");
    }
    for (name, shape) in matrices(lora, |name| !is_trained(name)) {
        assert!(!name.contains(".lora_") && !found.contains(&shape), "LoRA computes a gradient of {name}, {shape:?}");
    }
}

/// That there are adapters does not make them all that is trained.
#[test]
fn the_plan_says_what_is_trained_and_that_is_held_in_f32() {
    for trained in [Trained::Adapters, Trained::All] {
        let plan = StepPlan { trained, compute: DType::BF16, ..plan(true) };
        let step = plan.train_program().expect("the step can be traced");
        for (position, spec) in step.params.iter().enumerate() {
            let is_trained = trained == Trained::All || spec.name.contains(".lora_");
            assert_eq!(step.trained.contains(&position), is_trained, "{trained:?}: {}", spec.name);
            assert_eq!(spec.dtype, if is_trained { DType::F32 } else { DType::BF16 }, "{trained:?}: {}", spec.name);
            for slot in ["exp_avg", "exp_avg_sq"].map(|slot| format!("{}.{slot}", spec.name)) {
                let is_there = step.program.inputs.iter().any(|input| input.name == slot);
                assert_eq!(is_there, is_trained, "{trained:?}: {slot}");
            }
        }
    }
}

/// Of a module with an adapter its output is kept, not the products that it is the sum of: of `gate_proj` and `up_proj` one value each.
#[test]
fn an_adapter_does_not_double_what_is_kept() {
    for lora in [false, true] {
        let step = step(lora, products_kept(), 1, LayerLoop::Loop);
        let outputs_of_the_mlp = "-> tensor<3x2x7x40xf32>";
        let kept = |line: &&str| line.contains("dynamic_update_slice") && line.ends_with(outputs_of_the_mlp);
        assert_eq!(step.program.text.lines().filter(kept).count(), 2, "{lora}");
    }
}
