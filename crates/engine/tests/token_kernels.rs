//! Steps of one token by kernels of our own against the same steps in plain operations, both in bf16. Needs an NVIDIA GPU; elsewhere it says so and passes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use engine::{Decoder, Model, ModelPlan};
use graph::DType;
use models::LanguageModel;
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use serde_json::{Value, json};

/// What each family has that kernels do in their own way: grouped heads, windows, caps, norms of heads, norms with 1 more, biases, a norm of all features, both
/// projections up in one, blocks side by side, experts.
fn models() -> [Value; 9] {
    let of = |family: &str, more: Value| {
        let mut config = json!({
            "model_type": family, "vocab_size": 320, "hidden_size": 256, "intermediate_size": 384, "num_hidden_layers": 3, "num_attention_heads": 8,
            "num_key_value_heads": 2, "head_dim": 32, "max_position_embeddings": 4096, "initializer_range": 0.08,
        });
        config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        config
    };
    [
        of("llama", json!({})),
        of("llama", json!({ "num_key_value_heads": 8, "tie_word_embeddings": true })),
        of("mistral", json!({ "sliding_window": 21 })),
        of("gemma2", json!({ "sliding_window": 21, "attn_logit_softcapping": 5.0, "head_dim": 80 })),
        of("qwen2", json!({})),
        of("qwen3", json!({})),
        of("phi3", json!({})),
        of("mixtral", json!({ "num_local_experts": 4, "num_experts_per_tok": 2 })),
        json!({
            "model_type": "falcon", "vocab_size": 320, "hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 8, "new_decoder_architecture": true,
            "num_kv_heads": 2, "initializer_range": 0.08,
        }),
    ]
}

/// Logits behind a prompt and behind each of the tokens that follow it one by one.
fn logits(session: &Session, config: &Value, by_kernels: bool) -> Vec<Vec<f32>> {
    let platform = session.platform();
    let mut plan = ModelPlan::new(LanguageModel::from_json(config).unwrap(), DType::BF16, platform);
    assert!(plan.model.token_kernels.is_some() == (platform != Platform::Cpu));
    if !by_kernels {
        plan.model.token_kernels = None;
    }
    let model = Model::random(session, plan, 7).unwrap();
    let mut decoder = Decoder::new(&model, None).unwrap();
    let tokens: Vec<u32> = (0..96).map(|i| (i * 7919 + 13) % 320).collect();
    (64..tokens.len()).map(|end| decoder.logits(&tokens[..end]).unwrap()).collect()
}

fn distance(found: &[f32], expected: &[f32]) -> f64 {
    let square = |x: f32| f64::from(x) * f64::from(x);
    let off: f64 = found.iter().zip(expected).map(|(a, b)| square(a - b)).sum();
    (off / expected.iter().map(|x| square(*x)).sum::<f64>()).sqrt()
}

/// A layer rounds what it computes some sixteen times, by up to 2^-9 of it, and errors add as random numbers do; here both sides round.
fn agree(session: &Session) {
    for config in models() {
        let [found, expected] = [true, false].map(|by_kernels| logits(session, &config, by_kernels));
        let precision = (16.0 * 3.0_f64).sqrt() / 512.0;
        let off = found.iter().zip(&expected).map(|(found, expected)| distance(found, expected));
        let most = off.max_by(f64::total_cmp).unwrap();
        println!("{}: off by {most:.1e} at most, {precision:.1e}", config["model_type"]);
        // By the same operations they would be the same.
        assert!(most > 0.0, "{config}: no kernel was called");
        assert!(most < 2.0 * precision, "{config}: logits are off by {most} of their norm");
    }
}

#[test]
fn steps_by_kernels_agree_with_plain_ones_on_a_gpu() {
    if !Path::new("/dev/nvidiactl").exists() {
        eprintln!("not tested: there is no NVIDIA GPU");
        return;
    }
    agree(&runtime::open(&Environment::from_process(), Platform::Cuda, &mut |_| {}).unwrap());
}
