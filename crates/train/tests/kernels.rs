//! Training by our kernels against training in plain ops. Needs an NVIDIA GPU; elsewhere it says so and passes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use data::Batch;
use graph::DType;
use models::{Gpu, LanguageModel, LayerLoop, LossForm};
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use serde_json::{Value, json};
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer};

const SHAPE: BatchShape = BatchShape { accumulation: 2, rows: 2, positions: 300, packed: false };

/// Lengths of the documents in each row, where rows are packed; what is left is padding.
const DOCUMENTS: [&[usize]; 4] = [&[100, 1, 90, 65], &[300], &[40, 170], &[]];

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

/// Losses and gradient norms of some steps.
fn steps(session: &Session, config: &Value, packed: bool, gpu: Option<Gpu>, compute: DType) -> Vec<[f64; 2]> {
    let mut model = LanguageModel::from_json(config).unwrap().keeping(models::products_kept());
    (model.state_space, model.grouped_products) = (gpu, gpu);
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

/// Compares them, of rows with one document and with several. `off`: by which parts losses and norms may differ.
fn compare(session: &Session, config: &Value, compute: DType, off: [f64; 2]) {
    for packed in [false, true] {
        let fused = steps(session, config, packed, train::gpu(session.hardware().unwrap()), compute);
        let plain = steps(session, config, packed, None, compute);
        println!("{config}, packed {packed}, {compute}: kernels {fused:?}, plain {plain:?}");
        for (fused, plain) in fused.iter().zip(&plain) {
            assert!((fused[0] / plain[0] - 1.0).abs() < off[0], "loss {} and {}", fused[0], plain[0]);
            assert!((fused[1] / plain[1] - 1.0).abs() < off[1], "gradient norm {} and {}", fused[1], plain[1]);
        }
    }
}

/// The NVIDIA GPU of this machine; where there is none, says that the test was passed over.
fn gpu() -> Option<Session> {
    if !Path::new("/dev/nvidiactl").exists() {
        eprintln!("not tested: there is no NVIDIA GPU");
        return None;
    }
    Some(runtime::open(&Environment::from_process(), Platform::Cuda, &mut |_| {}).unwrap())
}

/// bf16's precision is 2^-8, and what rounds to it does so at other places. In f32 sums have another order, which AdamW's first steps make more of:
/// they divide each gradient by its own magnitude.
const OFF: [(DType, [f64; 2]); 2] = [(DType::BF16, [1.0 / 256.0, 4.0 / 256.0]), (DType::F32, [1e-5, 1e-3])];

/// Of sizes that are no multiples of a kernel's blocks.
#[test]
fn mamba_trains_by_kernels_as_in_plain_ops() {
    let Some(session) = gpu() else { return };
    let config = json!({
        "model_type": "mamba", "vocab_size": 512, "hidden_size": 250, "num_hidden_layers": 2, "state_size": 16,
    });
    for (compute, off) in OFF {
        compare(&session, &config, compute, off);
    }
}

/// In bf16, since in f32 there is the loop alone.
#[test]
fn mixtures_train_by_kernels_as_in_a_loop() {
    let Some(session) = gpu() else { return };
    for family in ["mixtral", "qwen3_moe"] {
        let config = json!({
            "model_type": family, "vocab_size": 512, "hidden_size": 192, "intermediate_size": 328, "moe_intermediate_size": 328,
            "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 32, "num_local_experts": 8,
            "num_experts_per_tok": 2, "router_aux_loss_coef": 0.1
        });
        let (compute, off) = OFF[0];
        compare(&session, &config, compute, off);
    }
}
