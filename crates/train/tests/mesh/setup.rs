//! Small models and their steps on eight virtual devices of the CPU.

use graph::DType;
use mesh::{MeshShape, Rules};
use models::{LanguageModel, LayerLoop, LossForm};
use runtime::Session;
use serde_json::{Value, json};
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained};

#[path = "../../../runtime/tests/support/virtual_devices.rs"]
mod virtual_devices;

const DEVICES: u32 = 8;

pub(crate) fn session() -> &'static Session {
    virtual_devices::session(DEVICES)
}

/// Sizes along dp, fsdp and mp.
pub(crate) type Sizes = (usize, usize, usize);

pub(crate) const ALONE: Sizes = (1, 1, 1);

pub(crate) fn llama() -> Value {
    json!({
        "model_type": "llama", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
        "num_attention_heads": 16, "num_key_value_heads": 8, "max_position_embeddings": 64
    })
}

pub(crate) fn mixtral() -> Value {
    json!({
        "model_type": "mixtral", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 8, "num_key_value_heads": 8, "max_position_embeddings": 64, "num_local_experts": 8,
        "num_experts_per_tok": 2
    })
}

pub(crate) fn plan(config: &Value, layers: LayerLoop) -> StepPlan {
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

pub(crate) fn on(plan: &StepPlan, rules: &Rules, (dp, fsdp, mp): Sizes) -> StepPlan {
    let partition = rules.partition(MeshShape { dp, fsdp, mp }, plan.optimizer.slots());
    StepPlan { partition, ..plan.clone() }
}
