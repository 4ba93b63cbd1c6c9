//! Steps of one token by kernels of our own beside the same steps in plain operations. Those for GPUs, in bf16, are to be as near to f32, on one device and on
//! two; that needs NVIDIA GPUs, elsewhere it says so and passes. Those for CPUs, in f32, are to be the same but for rounding.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::fs;
use std::str::FromStr;

use checkpoint::{ModelSource, TensorSpec};
use engine::{Model, ModelPlan};
use gpu::gpu;
use graph::{DType, HostTensor};
use logprobs::{continued, continued_beside, engine, engine_of};
use mesh::{MeshSizes, Rules};
use models::LanguageModel;
use runtime::plugins::{Environment, Platform};
use runtime::{Parameters, Session};
use serde_json::{Value, json};
use tempfile::TempDir;
use two_at_a_time::two_at_a_time;

#[path = "../../runtime/tests/support/gpu.rs"]
mod gpu;
#[path = "support/logprobs.rs"]
mod logprobs;
#[path = "support/two_at_a_time.rs"]
mod two_at_a_time;

/// Tests of each model on a GPU, which takes minutes of each, and the names of all.
macro_rules! models {
    ($($name:ident)*) => {
        const MODELS: &[&str] = &[$(stringify!($name)),*];

        mod steps_by_kernels_agree_with_plain_ones_on_a_gpu {
            $(#[test] fn $name() { super::agree_on_a_gpu(stringify!($name)); })*
        }

        mod steps_of_packed_weights_agree_with_plain_ones_on_a_gpu {
            $(#[test] fn $name() { super::agree_packed_on_a_gpu(stringify!($name)); })*
        }
    };
}

models! { llama llama_tied llama_wide llama_grouped mistral gemma2 qwen2 qwen3 olmo2 phi3 mixtral falcon }

/// What each family has that kernels do in their own way: grouped heads, windows, caps, norms of heads, norms with 1 more, biases, a norm of all features, both
/// projections up in one, blocks side by side, experts. All of these are chosen: one that is nearly as probable as another would be chosen in its place by
/// rounding, which is far more than rounding.
fn model(name: &str) -> Value {
    let (family, _) = name.split_once('_').unwrap_or((name, ""));
    let of = |more: Value| {
        let mut config = json!({
            "model_type": family, "vocab_size": 320, "hidden_size": 256, "intermediate_size": 384, "num_hidden_layers": 3, "num_attention_heads": 8,
            "num_key_value_heads": 2, "head_dim": 32, "max_position_embeddings": 4096, "initializer_range": 0.08,
        });
        config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        config
    };
    match name {
        "llama_tied" => of(json!({ "num_key_value_heads": 8, "tie_word_embeddings": true })),
        // As many heads, and as wide, as kernels by hand are for with 70 texts on one device, one and two query heads for each of keys.
        "llama_wide" => of(json!({ "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 128 })),
        "llama_grouped" => of(json!({ "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128 })),
        "mistral" => of(json!({ "sliding_window": 21 })),
        // Two rounds of two layers.
        "gemma2" => {
            of(json!({ "num_hidden_layers": 4, "sliding_window": 21, "attn_logit_softcapping": 5.0, "head_dim": 80 }))
        }
        "mixtral" => of(json!({ "num_local_experts": 4, "num_experts_per_tok": 4 })),
        "falcon" => json!({
            "model_type": "falcon", "vocab_size": 320, "hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 8, "new_decoder_architecture": true,
            "num_kv_heads": 2, "initializer_range": 0.08,
        }),
        "llama" | "qwen2" | "qwen3" | "olmo2" | "phi3" => of(json!({})),
        _ => panic!("there is no model {name}"),
    }
}

/// A folder of the model with random weights that bf16 holds: what is computed of them in f32 is off by f32's roundings alone.
fn folder(session: &Session, config: &Value) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let plan = ModelPlan::new(LanguageModel::from_json(config).unwrap(), DType::BF16, session.hardware().unwrap());
    let params = plan.params().unwrap();
    let mut parameters = Parameters::on(session, None);
    let mut tensors = HashMap::new();
    for spec in &params {
        // Without loops that are unrolled, each is one array.
        let array = &spec.arrays(&[])[0];
        let values = parameters.init(array, 7).unwrap();
        for (position, name) in array.checkpoint_names.iter().enumerate() {
            let tensor = parameters.read(array, &values, position, DType::BF16).unwrap();
            let is_alike = name.contains("norm") || name.ends_with("bias");
            tensors.insert(name.clone(), if is_alike { uneven(&tensor, name) } else { tensor });
        }
    }
    let specs = tensors.iter().map(|(name, tensor)| TensorSpec::new(name, DType::BF16, tensor.shape()));
    let specs: Vec<_> = specs.collect();
    let path = folder.path().join("model.safetensors");
    checkpoint::write_safetensors(path, &specs, |spec| Ok(tensors.remove(&spec.name).unwrap())).unwrap();
    folder
}

/// What a norm multiplies with, or a bias, near what it begins with but no two alike, by its name: one layer's in place of another's would be seen.
fn uneven(tensor: &HostTensor<'_>, name: &str) -> HostTensor<'static> {
    let seed: usize = name.bytes().map(usize::from).sum();
    let eighths = |place: usize| ((place * 7919 + seed * 104_729) % 7) as f32 / 8.0 - 0.375;
    // Eighths lose nothing in bf16, the upper half of f32.
    let upper = |(place, value): (usize, f32)| ((value + eighths(place)).to_bits() >> 16) as u16;
    let bytes: Vec<u8> = tensor.to_f32().into_iter().enumerate().flat_map(|each| upper(each).to_le_bytes()).collect();
    HostTensor::new(DType::BF16, tensor.shape(), bytes).unwrap()
}

/// What a step of few tokens multiplies by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    PlainOperations,
    Kernels,
    /// Of weights in twelve bits, and of keys and values where these can be.
    KernelsOfPacked,
}

/// Log-probabilities behind a text, each by a step of one token; and behind so many texts side by side, which other kernels are for. Of a model whose layers are
/// divided among so many devices.
fn logprobs(
    session: &Session,
    source: &ModelSource,
    dtype: DType,
    by: By,
    (devices, side_by_side): (usize, &[usize]),
) -> Vec<Vec<Vec<f32>>> {
    let shape = MeshSizes::from_str(&format!("mp={devices}")).unwrap().on(devices).unwrap();
    let partition = Rules::default().partition(shape, &[]);
    let mut plan = ModelPlan::of(source, dtype, session.hardware().unwrap()).unwrap().on(partition);
    if by == By::PlainOperations {
        plan.model.token_kernels = None;
    } else {
        assert!(plan.model.token_kernels.is_some());
    }
    plan = match by {
        By::KernelsOfPacked => plan.packing_cache(32, 128).unwrap(),
        _ => plan.unpacked(),
    };
    let model = Model::load_planned(session, source, plan, &mut |_| {}).unwrap();
    assert_eq!(model.is_packed(), by == By::KernelsOfPacked);
    let mut one = engine(&model, 128, true);
    let tokens: Vec<u32> = (0..96).map(|i| (i * 7919 + 13) % 320).collect();
    let behind = |end: usize| continued(&mut one, 320, &tokens[..end - 1], 2, Some(tokens[end - 1])).unwrap().remove(1);
    let behind_one = (64..tokens.len()).map(behind).map(|(_, logprobs)| logprobs).collect();
    let behind_many = side_by_side.iter().map(|&texts| {
        let mut many = engine_of(texts, &model, 128, true);
        let prompt = |text: usize| &tokens[text % 16..text % 16 + 20 + 9 * text % 56];
        let prompts: Vec<&[u32]> = (0..texts).map(prompt).collect();
        let found = continued_beside(&mut many, 320, &prompts, 5, Some(7)).unwrap();
        found.into_iter().flat_map(|text| text.into_iter().skip(1)).map(|(_, logprobs)| logprobs).collect()
    });
    std::iter::once(behind_one).chain(behind_many).collect()
}

/// Over all positions, in parts of the norm of what is expected.
fn distance(found: &[Vec<f32>], expected: &[Vec<f32>]) -> f64 {
    let square = |x: f32| f64::from(x) * f64::from(x);
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    let off: f64 = pairs.map(|(a, b)| square(a - b)).sum();
    (off / expected.iter().flatten().map(|x| square(*x)).sum::<f64>()).sqrt()
}

/// How much farther from f32 kernels may be than plain operations in bf16. Errors of either are the sum of thousands, and differ by chance by less than
/// this over 32 positions of 320 tokens.
const WORSE: f64 = 1.25;

/// Texts side by side on GPUs: few, and as many as more kernels are for.
const SIDE_BY_SIDE: [usize; 2] = [8, 70];

fn agree(session: &Session, models: &[&str], by: By, devices: usize) {
    let mut wrong = Vec::new();
    for name in models {
        let config = &model(name);
        let folder = folder(session, config);
        let source = ModelSource::open(folder.path(), None).unwrap();
        let exact = logprobs(session, &source, DType::F32, By::PlainOperations, (1, &SIDE_BY_SIDE));
        let [kernels, plain] =
            [by, By::PlainOperations].map(|by| logprobs(session, &source, DType::BF16, by, (devices, &SIDE_BY_SIDE)));
        for (which, texts) in std::iter::once(1).chain(SIDE_BY_SIDE).enumerate() {
            let [kernels, plain, exact] = [&kernels[which], &plain[which], &exact[which]];
            // By the same operations they would be the same.
            assert!(kernels != plain, "{name}: no kernel was called");
            let [kernels, plain] = [kernels, plain].map(|found| distance(found, exact));
            println!(
                "{name}, {texts} texts, {devices} devices, {by:?}: off f32 by {kernels:.2e}, plain operations by {plain:.2e}"
            );
            let is_as_near = kernels <= WORSE * plain;
            if !is_as_near {
                wrong.push(format!("{name}, {texts} texts"));
            }
        }
    }
    assert!(wrong.is_empty(), "farther from f32 than plain operations: {wrong:?}");
}

fn agree_on_a_gpu(name: &str) {
    if let Some(session) = &gpu() {
        agree(session, &[name], By::Kernels, 1);
    }
}

fn agree_packed_on_a_gpu(name: &str) {
    let Some(session) = &gpu() else { return };
    let model = LanguageModel::from_json(&model(name)).unwrap();
    let plan = ModelPlan::new(model, DType::BF16, session.hardware().unwrap());
    if !plan.model.packed {
        eprintln!("not tested: there is no Hopper");
        return;
    }
    // Keys and values too where heads are wide and share keys with one other at most.
    let packs = plan.packing_cache(32, 128).unwrap().model.packs_cache(DType::BF16);
    assert_eq!(packs, ["llama_wide", "llama_grouped"].contains(&name), "{name}");
    agree(session, &[name], By::KernelsOfPacked, 1);
}

/// Told without a GPU, too: where a model has none, no kernel would be tried.
#[test]
fn all_have_weights_that_can_be_packed() {
    for name in MODELS {
        assert!(!LanguageModel::from_json(&model(name)).unwrap().packed_weights().unwrap().is_empty(), "{name}");
    }
}

/// A device's part of each family's own: grouped heads, embeddings that are the head too, two rounds of windows and caps, biases, norms of heads and of all of them. The others'
/// kernels are those.
#[test]
fn steps_by_kernels_agree_with_plain_ones_on_two_gpus() {
    let Some(session) = &gpu() else { return };
    if session.devices().len() < 2 {
        eprintln!("not tested: there is one NVIDIA GPU");
        return;
    }
    let is_chosen =
        |name: &&str| ["llama", "gemma2", "qwen2", "qwen3", "olmo2"].iter().any(|family| name.starts_with(family));
    let chosen: Vec<&str> = MODELS.iter().copied().filter(is_chosen).collect();
    agree(session, &chosen, By::Kernels, 2);
}

#[test]
fn steps_by_kernels_agree_with_plain_ones_on_a_cpu() {
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    two_at_a_time(MODELS, |name| {
        let folder = folder(&session, &model(name));
        let source = ModelSource::open(folder.path(), None).unwrap();
        let [kernels, plain] =
            [By::Kernels, By::PlainOperations].map(|by| logprobs(&session, &source, DType::F32, by, (1, &[8])));
        for (kernels, plain) in kernels.iter().zip(&plain) {
            assert!(kernels != plain, "{name}: no kernel was called");
            let off = distance(kernels, plain);
            println!("{name}: off plain operations by {off:.2e}");
            assert!(off < 2e-6, "{name}: off by {off:.2e}");
        }
    });
}
