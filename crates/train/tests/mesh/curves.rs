//! The same curve whatever the mesh.

use graph::DType;
use mesh::{ReduceDtype, Rules, StateSharding};
use models::{LayerLoop, Lora, LoraModule, LossChunk, LossForm};
use serde_json::json;
use train::{BatchShape, StepPlan, Trained};

use crate::{ALONE, Sizes, batch, llama, mixtral, on, plan, trainer};

const MESHES: [Sizes; 5] = [(8, 1, 1), (1, 8, 1), (1, 1, 8), (2, 2, 2), (1, 4, 2)];
const STEPS: u64 = 20;

/// AdamW's first updates are as large for gradients that are nothing but rounding as for others: with greater ones how sums are rounded, which differs between
/// processors too, shows in the curves as much as it may.
pub(crate) const LEARNING_RATE: f64 = 1e-3;

/// Losses and gradient norms.
fn curve(plan: StepPlan, steps: u64) -> Vec<[f64; 2]> {
    let shape = plan.batch;
    let mut trainer = trainer(plan);
    let mut step = |number| trainer.step(&batch(shape, number as usize), number, LEARNING_RATE, 7).unwrap();
    (1..=steps).map(&mut step).map(|outcome| [outcome.loss, outcome.grad_norm]).collect()
}

/// How far two curves are apart at most, relative to the second.
fn distance(found: &[[f64; 2]], expected: &[[f64; 2]]) -> [f64; 2] {
    assert_eq!(found.len(), expected.len());
    [0, 1].map(|of| {
        let off = found.iter().zip(expected).map(|(found, expected)| (found[of] - expected[of]).abs() / expected[of]);
        off.max_by(f64::total_cmp).unwrap()
    })
}

fn check(case: &str, plan: &StepPlan, rules: &Rules, meshes: &[Sizes]) {
    let alone = curve(on(plan, rules, ALONE), STEPS);
    assert!(alone[0] != alone[1], "{case}: nothing is learned");
    for mesh in meshes {
        let [loss, norm] = distance(&curve(on(plan, rules, *mesh), STEPS), &alone);
        println!("{case} on {mesh:?}: loss off by {loss:.1e}, norm by {norm:.1e}");
        // Sums in another order. A norm is a sum of squares of what the losses' means hide.
        assert!(loss <= 2e-6 && norm <= 1e-5, "{case} on {mesh:?}: loss {loss:e}, norm {norm:e}");
    }
}

#[test]
fn llama_in_full() {
    check("loop", &plan(&llama(), LayerLoop::Loop), &Rules::default(), &MESHES);
}

#[test]
fn packed_rows_in_two_micro_batches() {
    let packed = BatchShape { accumulation: 2, rows: 8, positions: 24, packed: true };
    let plan = StepPlan { batch: packed, ..plan(&llama(), LayerLoop::Unrolled) };
    check("packed", &plan, &Rules::default(), &MESHES);
}

#[test]
fn adapters_of_llama() {
    let plan = plan(&llama(), LayerLoop::Loop);
    let linear = plan.model.linear_modules().unwrap().into_iter();
    // Column and row parallel: with one rank they are like the others.
    let some: Vec<_> =
        linear.filter(|module| module.path.ends_with("q_proj") || module.path.ends_with("down_proj")).collect();
    let lora = Lora::of_each(&some, LoraModule { rank: 8, scale: 2.0 }, 0.1);
    let batch = BatchShape { accumulation: 2, rows: 8, positions: 24, packed: true };
    let plan = StepPlan { lora: Some(lora), trained: Trained::Adapters, batch, ..plan };
    check("LoRA", &plan, &Rules::default(), &MESHES);
}

/// With logits for seven tokens of a device at a time, which do not divide: of rows in full and of packed ones, with an output layer of its own, and with the
/// embedding's and z-loss.
#[test]
fn losses_in_chunks() {
    let chunk = LossChunk::Tokens(7);
    let whole = plan(&llama(), LayerLoop::Unrolled);
    let chunked = StepPlan { loss: LossForm { chunk, ..whole.loss }, ..whole.clone() };
    let [loss, norm] = distance(
        &curve(on(&chunked, &Rules::default(), ALONE), STEPS),
        &curve(on(&whole, &Rules::default(), ALONE), STEPS),
    );
    assert!(loss <= 2e-6 && norm <= 1e-5, "in chunks: loss {loss:e}, norm {norm:e}");
    check("in chunks", &chunked, &Rules::default(), &MESHES);

    let mut tied = llama();
    tied["tie_word_embeddings"] = json!(true);
    let batch = BatchShape { accumulation: 2, rows: 8, positions: 24, packed: true };
    let loss = LossForm { z_loss_multiplier: 1e-2, chunk };
    let tied = StepPlan { batch, loss, ..plan(&tied, LayerLoop::Loop) };
    check("tied, in chunks", &tied, &Rules::default(), &MESHES);
    let zero1 = Rules { sharding: StateSharding::Zero1, ..Rules::default() };
    check("tied, in chunks, moments in parts", &tied, &zero1, &[(1, 8, 1)]);
}

#[test]
fn mixtures_of_experts() {
    check("Mixtral", &plan(&mixtral(), LayerLoop::Loop), &Rules::default(), &MESHES);
}

#[test]
fn state_spaces() {
    let config =
        json!({"model_type": "mamba", "vocab_size": 96, "hidden_size": 64, "num_hidden_layers": 2, "state_size": 8});
    let plan = plan(&config, LayerLoop::Unrolled);
    check("Mamba", &plan, &Rules::default(), &MESHES);
    let packed = BatchShape { packed: true, ..plan.batch };
    check("Mamba, packed", &StepPlan { batch: packed, ..plan }, &Rules::default(), &[(2, 2, 2)]);
}

/// What is sliced from a product lies otherwise than the product.
#[test]
fn fused_projections() {
    let phi3 = json!({
        "model_type": "phi3", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 64
    });
    let mamba2 = json!({
        "model_type": "mamba2", "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 1, "num_heads": 4, "head_dim": 16,
        "n_groups": 2, "state_size": 8, "chunk_size": 8
    });
    for (case, config) in [("Phi-3", phi3), ("Mamba-2", mamba2)] {
        check(case, &plan(&config, LayerLoop::Loop), &Rules::default(), &[(2, 2, 2)]);
    }
}

#[test]
fn whatever_is_split_over_fsdp() {
    for sharding in [StateSharding::Zero1, StateSharding::None] {
        let rules = Rules { sharding, ..Rules::default() };
        check(&format!("{sharding:?}"), &plan(&llama(), LayerLoop::Loop), &rules, &[(2, 2, 2)]);
    }
}

/// Positions are split between the layers' products, of packed rows too.
#[test]
fn sequences_in_parts() {
    let rules = Rules { sequence_parallel: true, ..Rules::default() };
    let packed = BatchShape { accumulation: 2, rows: 8, positions: 24, packed: true };
    let packed = StepPlan { batch: packed, ..plan(&llama(), LayerLoop::Unrolled) };
    check("packed sequences", &packed, &rules, &[(1, 1, 8), (2, 2, 2)]);
    check("Mixtral's sequences", &plan(&mixtral(), LayerLoop::Loop), &rules, &[(1, 2, 4)]);
}

/// In bf16 too each device's share of a gradient is added up in f32.
#[test]
fn gradients_in_bf16() {
    let plan = StepPlan { compute: DType::BF16, ..plan(&llama(), LayerLoop::Loop) };
    let alone = curve(on(&plan, &Rules::default(), ALONE), 1);
    for mesh in [(8, 1, 1), (1, 8, 1)] {
        let [loss, norm] = distance(&curve(on(&plan, &Rules::default(), mesh), 1), &alone);
        println!("bf16 on {mesh:?}: loss off by {loss:.1e}, norm by {norm:.1e}");
        // A hundredth of what rounding to bf16 makes of a single number.
        assert!(loss < 4e-5 && norm < 4e-5, "{mesh:?}: loss {loss:e}, norm {norm:e}");
    }
    let rules = Rules { reduce_dtype: ReduceDtype::Bf16, ..Rules::default() };
    let [loss, norm] = distance(&curve(on(&plan, &rules, (1, 8, 1)), 1), &alone);
    println!("added up in bf16: loss off by {loss:.1e}, norm by {norm:.1e}");
    // The CPU's compiler adds up in f32 all the same; on GPUs each share of a gradient is rounded to eight bits, up or down.
    assert!(loss < 1e-3 && norm < 4e-3, "loss {loss:e}, norm {norm:e}");
}

/// Dropout draws for each row of a block, and blocks are those of all rows together.
#[test]
fn adapters_of_experts() {
    let plan = plan(&mixtral(), LayerLoop::Loop);
    let linear = plan.model.linear_modules().unwrap().into_iter();
    let some: Vec<_> = linear.filter(|module| module.path.contains("experts")).collect();
    let lora = Lora::of_each(&some, LoraModule { rank: 4, scale: 2.0 }, 0.1);
    let plan = StepPlan { lora: Some(lora), trained: Trained::Adapters, ..plan };
    check("LoRA of experts", &plan, &Rules::default(), &[(2, 2, 2)]);
}
