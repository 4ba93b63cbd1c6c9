//! Training on several devices: eight virtual ones of the CPU.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use data::Batch;
use graph::DType;
use mesh::{MeshShape, Rules};
use models::{LanguageModel, LayerLoop, LossForm};
use runtime::Session;
use serde_json::{Value, json};
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer};

mod curves;
mod float8;
mod fully_shard;
mod kernels;
mod programs;
#[path = "../training/recorded.rs"]
mod recorded;
mod state;
#[path = "../../../runtime/tests/support/virtual_devices.rs"]
mod virtual_devices;

const DEVICES: u32 = 8;

fn session() -> &'static Session {
    virtual_devices::session(DEVICES)
}

/// Sizes along dp, fsdp and mp.
type Sizes = (usize, usize, usize);

const ALONE: Sizes = (1, 1, 1);

fn llama() -> Value {
    json!({
        "model_type": "llama", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
        "num_attention_heads": 16, "num_key_value_heads": 8, "max_position_embeddings": 64
    })
}

fn mixtral() -> Value {
    json!({
        "model_type": "mixtral", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 8, "num_key_value_heads": 8, "max_position_embeddings": 64, "num_local_experts": 8,
        "num_experts_per_tok": 2
    })
}

fn plan(config: &Value, layers: LayerLoop) -> StepPlan {
    StepPlan {
        model: LanguageModel::from_json(config).unwrap(),
        compute: DType::F32,
        products: None,
        lora: None,
        trained: Trained::All,
        optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weight_decay: 0.1 }),
        max_grad_norm: Some(1.0),
        batch: BatchShape { accumulation: 1, rows: 8, positions: 24, packed: false },
        layers,
        loss: LossForm::default(),
        partition: None,
    }
}

fn on(plan: &StepPlan, rules: &Rules, (dp, fsdp, mp): Sizes) -> StepPlan {
    let partition = rules.partition(MeshShape { dp, fsdp, mp }, plan.optimizer.slots());
    StepPlan { partition, ..plan.clone() }
}

fn trainer(plan: StepPlan) -> Trainer<'static> {
    Trainer::new(session(), plan, |parameters, _, array| Ok(parameters.init(array, 3)?)).unwrap()
}

/// Rows of two documents each; the last of each row ends in padding.
fn batch(shape: BatchShape, seed: usize) -> Batch {
    let (rows, positions) = (shape.accumulation * shape.rows, shape.positions);
    let count = rows * positions;
    let id = |at: usize| ((at * 7919 + seed * 104_729 + at * at * 31) % 96) as i32;
    let place = |at: usize| (at % positions, at / positions);
    let document = |at: usize| match place(at) {
        (position, row) if position < 5 + row % 7 => (1, 0, 5 + row % 7),
        (position, row) if position < positions - 2 => (2, 5 + row % 7, positions - 2),
        _ => (0, positions - 2, 0),
    };
    Batch {
        rows,
        sequence_len: positions,
        tokens: (0..count).map(id).collect(),
        targets: (0..count).map(|at| id(at + 1)).collect(),
        loss_mask: (0..count).map(|at| if place(at).0 + 1 < document(at).2 { 1.0 } else { 0.0 }).collect(),
        positions: (0..count).map(|at| (place(at).0 - document(at).1) as i32).collect(),
        segment_ids: (0..count).map(|at| document(at).0).collect(),
    }
}
