//! Training with fused attention, cuDNN's and ours, against training with attention in plain ops, in bf16 and in f32. Needs an NVIDIA GPU; elsewhere it
//! says so and passes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use data::Batch;
use graph::DType;
use models::{AttentionKernels, Cudnn, Gpu, LanguageModel, LayerLoop, LossForm};
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use serde_json::json;
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer};

const SHAPE: BatchShape = BatchShape { accumulation: 2, rows: 2, positions: 256, packed: false };

/// Lengths of the documents in each row, where rows are packed; what is left is padding.
const DOCUMENTS: [&[usize]; 4] = [&[100, 1, 90, 65], &[256], &[40, 170], &[]];

/// The document of each token, and its place in it.
fn places(packed: bool) -> Vec<(i32, i32)> {
    let row = |lengths: &[usize]| {
        let documents = (1..).zip(lengths.to_vec());
        let places = documents.flat_map(|(document, length)| (0..length as i32).map(move |place| (document, place)));
        places.chain(std::iter::repeat((0, 0))).take(SHAPE.positions).collect::<Vec<_>>()
    };
    let whole: [&[usize]; 4] = [&[SHAPE.positions]; 4];
    (if packed { DOCUMENTS } else { whole }).into_iter().flat_map(row).collect()
}

/// Losses and gradient norms of some steps, with grouped queries.
fn steps(session: &Session, packed: bool, attention: AttentionKernels, compute: DType) -> Vec<[f64; 2]> {
    let config = json!({
        "model_type": "llama", "vocab_size": 512, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.1,
    });
    let mut model = LanguageModel::from_json(&config).unwrap().keeping(models::products_kept());
    model.attention = attention;
    let plan = StepPlan {
        model,
        compute,
        products: None,
        lora: None,
        trained: Trained::All,
        optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weight_decay: 0.1 }),
        max_grad_norm: None,
        batch: BatchShape { packed, ..SHAPE },
        layers: LayerLoop::Unrolled,
        loss: LossForm::default(),
        partition: None,
    };
    let mut trainer = Trainer::new(session, plan, |parameters, _, array| Ok(parameters.init(array, 0)?)).unwrap();
    let (segment_ids, positions): (Vec<i32>, Vec<i32>) = places(packed).into_iter().unzip();
    let count = segment_ids.len();
    let token = |i: usize| (i * 7919 % 509) as i32;
    let batch = Batch {
        rows: SHAPE.accumulation * SHAPE.rows,
        sequence_len: SHAPE.positions,
        tokens: (0..count).map(token).collect(),
        targets: (1..=count).map(token).collect(),
        loss_mask: segment_ids.iter().map(|segment| if *segment == 0 { 0.0 } else { 1.0 }).collect(),
        positions,
        segment_ids,
    };
    let outcomes = (1..=3).map(|step| trainer.step(&batch, step, 1e-3, 0).unwrap());
    outcomes.map(|outcome| [outcome.loss, outcome.grad_norm]).collect()
}

#[test]
fn fused_attention_trains_as_plain_attention_does() {
    if !Path::new("/dev/nvidiactl").exists() {
        return eprintln!("not tested: there is no NVIDIA GPU");
    }
    let session = runtime::open(&Environment::from_process(), Platform::Cuda, &mut |_| {}).unwrap();
    let ours = AttentionKernels::blocks(Gpu::Hopper);
    let cudnn = AttentionKernels::cudnn;
    for (packed, kernels) in
        [(false, cudnn(Cudnn::Causal)), (true, cudnn(Cudnn::Packed { documents: 4 })), (false, ours), (true, ours)]
    {
        let fused = steps(&session, packed, kernels, DType::BF16);
        for compute in [DType::BF16, DType::F32] {
            let plain = steps(&session, packed, AttentionKernels::PLAIN, compute);
            println!("packed {packed}, {kernels:?}: fused {fused:?}, plain in {compute} {plain:?}");
            for (fused, plain) in fused.iter().zip(&plain) {
                // bf16's precision is 2^-8, and what rounds to it does so at other places.
                assert!((fused[0] / plain[0] - 1.0).abs() < 1.0 / 256.0, "loss {} and {}", fused[0], plain[0]);
                assert!((fused[1] / plain[1] - 1.0).abs() < 4.0 / 256.0, "gradient norm {} and {}", fused[1], plain[1]);
            }
        }
    }
}
