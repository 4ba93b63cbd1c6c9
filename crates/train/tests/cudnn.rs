//! Training with cuDNN's attention against training with attention in plain ops. Needs an NVIDIA GPU; elsewhere it says so and passes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use data::Batch;
use graph::{DType, Remat};
use models::{AttentionKernel, Llama, LlamaConfig, Precision};
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use serde_json::json;
use train::{AdamW, BatchShape, StepPlan, Trainer};

const SHAPE: BatchShape = BatchShape { accumulation: 1, rows: 2, positions: 256, packed: false };

/// Losses and gradient norms of some steps in bf16, with grouped queries.
fn steps(session: &Session, attention: AttentionKernel) -> Vec<[f64; 2]> {
    let config = json!({
        "model_type": "llama", "vocab_size": 512, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.1,
    });
    let plan = StepPlan {
        model: Llama {
            config: LlamaConfig::from_json(&config).unwrap(),
            attention,
            remat: Remat::dots(&["attention"]),
        },
        precision: Precision { compute: DType::BF16, trained: DType::F32, frozen: DType::BF16 },
        lora: None,
        optimizer: AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weight_decay: 0.1, max_grad_norm: None },
        batch: SHAPE,
    };
    let mut trainer = Trainer::new(session, plan, |parameters, spec| Ok(parameters.init(spec, 0)?)).unwrap();
    let count = SHAPE.rows * SHAPE.positions;
    let token = |i: usize| (i * 7919 % 509) as i32;
    let batch = Batch {
        rows: SHAPE.rows,
        sequence_len: SHAPE.positions,
        tokens: (0..count).map(token).collect(),
        targets: (1..=count).map(token).collect(),
        loss_mask: vec![1.0; count],
        positions: (0..count).map(|i| (i % SHAPE.positions) as i32).collect(),
        segment_ids: vec![1; count],
    };
    let outcomes = (1..=3).map(|step| trainer.step(&batch, step, 1e-3, 0).unwrap());
    outcomes.map(|outcome| [outcome.loss, outcome.grad_norm]).collect()
}

#[test]
fn cudnn_attention_trains_as_plain_attention_does() {
    if !Path::new("/dev/nvidiactl").exists() {
        return eprintln!("not tested: there is no NVIDIA GPU");
    }
    let session = runtime::open(&Environment::from_process(), Platform::Cuda, &mut |_| {}).unwrap();
    let fused = steps(&session, AttentionKernel::CudnnCausal);
    let plain = steps(&session, AttentionKernel::Plain);
    println!("fused {fused:?}\nplain {plain:?}");
    for (fused, plain) in fused.iter().zip(&plain) {
        // Both round to bf16, whose precision is 2^-8, at other places.
        assert!((fused[0] / plain[0] - 1.0).abs() < 1.0 / 256.0, "loss {} and {}", fused[0], plain[0]);
        assert!((fused[1] / plain[1] - 1.0).abs() < 4.0 / 256.0, "gradient norm {} and {}", fused[1], plain[1]);
    }
}
