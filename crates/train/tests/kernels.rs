//! Training by kernels, cuDNN's and ours, against training in plain ops. Needs an NVIDIA GPU; elsewhere it says so and passes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use data::Batch;
use gpu::gpu;
use graph::DType;
use models::{AttentionKernels, Cudnn, Gpu, LanguageModel, LayerLoop, Lora, LoraModule, LossForm};
use runtime::Session;
use serde_json::{Value, json};
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer};

#[path = "../../runtime/tests/support/gpu.rs"]
mod gpu;

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

/// The kernels of a step.
#[derive(Clone, Copy, Debug)]
struct Kernels {
    attention: AttentionKernels,
    /// For which GPU those of state spaces and experts are.
    own: Option<Gpu>,
}

const PLAIN: Kernels = Kernels { attention: AttentionKernels::PLAIN, own: None };

/// A model's configuration, and what the paths of modules hold whose adapters are trained; `None`: all is trained.
type Subject<'s> = (&'s Value, Option<&'s str>);

/// Losses and gradient norms of some steps.
fn steps(
    session: &Session,
    (config, adapted): Subject<'_>,
    packed: bool,
    kernels: Kernels,
    compute: DType,
) -> Vec<[f64; 2]> {
    let mut model = LanguageModel::from_json(config).unwrap().keeping(models::products_kept());
    let lora = adapted.map(|adapted| {
        let linear = model.linear_modules().unwrap();
        let some: Vec<_> = linear.into_iter().filter(|module| module.path.contains(adapted)).collect();
        Lora::of_each(&some, LoraModule { rank: 8, scale: 2.0 }, 0.0)
    });
    model = model.beside(lora.as_ref());
    model.attention = kernels.attention;
    (model.state_space, model.grouped_products) = (kernels.own, kernels.own);
    let plan = StepPlan {
        model,
        compute,
        products: None,
        trained: if lora.is_some() { Trained::Adapters } else { Trained::All },
        lora,
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

/// Compares steps by kernels with plain ones, those computed in other types too. `off`: by which parts losses and norms may differ.
fn compare(
    session: &Session,
    subject: Subject<'_>,
    packed: bool,
    (kernels, compute): (Kernels, DType),
    plainly: &[DType],
    off: [f64; 2],
) {
    let fused = steps(session, subject, packed, kernels, compute);
    for compute in plainly {
        let plain = steps(session, subject, packed, PLAIN, *compute);
        println!("{subject:?}, packed {packed}: {kernels:?} {fused:?}, plain in {compute} {plain:?}");
        for (fused, plain) in fused.iter().zip(&plain) {
            assert!((fused[0] / plain[0] - 1.0).abs() < off[0], "loss {} and {}", fused[0], plain[0]);
            assert!((fused[1] / plain[1] - 1.0).abs() < off[1], "gradient norm {} and {}", fused[1], plain[1]);
        }
    }
}

/// Those for this GPU.
fn own(session: &Session) -> Kernels {
    Kernels { own: train::gpu(session.hardware().unwrap()), ..PLAIN }
}

/// bf16's precision is 2^-8, and what rounds to it does so at other places.
const OFF_IN_BF16: [f64; 2] = [1.0 / 256.0, 4.0 / 256.0];

/// Sums have another order, which AdamW's first steps make more of: they divide each gradient by its own magnitude.
const OFF_IN_F32: [f64; 2] = [1e-5, 1e-3];

#[test]
fn attention_by_kernels_trains_as_in_plain_ops_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    let config = json!({
        "model_type": "llama", "vocab_size": 512, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.1,
    });
    let ours = AttentionKernels::blocks(train::gpu(session.hardware().unwrap()).unwrap());
    for packed in [false, true] {
        let cudnn = if packed { Cudnn::Packed { documents: 4 } } else { Cudnn::Causal };
        for attention in [AttentionKernels::cudnn(cudnn), ours] {
            let kernels = Kernels { attention, ..PLAIN };
            compare(session, (&config, None), packed, (kernels, DType::BF16), &[DType::BF16, DType::F32], OFF_IN_BF16);
        }
    }
}

/// Of sizes that are no multiples of a kernel's blocks, where kernels take such.
#[test]
fn mambas_train_by_kernels_as_in_plain_ops_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    let mamba = json!({
        "model_type": "mamba", "vocab_size": 512, "hidden_size": 250, "num_hidden_layers": 2, "state_size": 16,
    });
    let mamba_2 = json!({
        "model_type": "mamba2", "vocab_size": 512, "hidden_size": 160, "num_hidden_layers": 2, "state_size": 80,
        "num_heads": 10, "head_dim": 32, "n_groups": 2,
    });
    for config in [mamba, mamba_2] {
        for (compute, off) in [(DType::BF16, OFF_IN_BF16), (DType::F32, OFF_IN_F32)] {
            for packed in [false, true] {
                compare(session, (&config, None), packed, (own(session), compute), &[compute], off);
            }
        }
    }
}

/// In bf16, since in f32 there is the loop alone.
#[test]
fn mixtures_train_by_kernels_as_in_a_loop_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    for family in ["mixtral", "qwen3_moe"] {
        let config = json!({
            "model_type": family, "vocab_size": 512, "hidden_size": 192, "intermediate_size": 328, "moe_intermediate_size": 328,
            "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 32, "num_local_experts": 8,
            "num_experts_per_tok": 2, "router_aux_loss_coef": 0.1
        });
        for (adapted, packed) in [(None, false), (None, true), (Some("experts"), false), (Some("experts"), true)] {
            let subject = (&config, adapted);
            compare(session, subject, packed, (own(session), DType::BF16), &[DType::BF16], OFF_IN_BF16);
        }
    }
}
