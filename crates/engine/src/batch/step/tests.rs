//! What steps are made of.

use models::{LanguageModel, Lora, LoraModule};
use runtime::Hardware;
use runtime::plugins::Platform;

use super::*;

const HOPPER: Hardware = Hardware { platform: Platform::Cuda, compute_capability: Some((9, 0)), gfx: None };
const TURING: Hardware = Hardware { compute_capability: Some((7, 5)), ..HOPPER };
const MI300: Hardware = Hardware { platform: Platform::Rocm, compute_capability: None, gfx: Some(0x942) };

/// Where weights meet few vectors a GPU's step calls kernels for them, one for those that meet the same, and for norms; with a prompt's many it does not. For
/// attention it does with both. A CPU's calls kernels in f32 where weights meet few vectors, and for attention of a token; otherwise it calls none. Here no weights are packed.
#[test]
fn steps_of_few_tokens_call_kernels() {
    let config = serde_json::json!({
        "model_type": "llama", "vocab_size": 320, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": true,
    });
    // All kernels, those that gate one vector and several, attend, rotate and write before that (one token alone does by the same), and add before a norm; and norms that are computed by none.
    let said = [
        "@__gpu$xla.gpu.triton(",
        "@gated_vector_product(",
        "@gated_narrow_product(",
        "@paged_attention(",
        "@paged_write(",
        "@sum_and_norm(",
        "stablehlo.rsqrt",
    ];
    let of_cpus = ["@finery_multiply(", "@finery_attend("];
    let traced = |hardware, dtype, chunk: usize, adapted: Option<&str>| {
        let model = LanguageModel::from_json(&config).expect("a Llama of two layers");
        let lora = adapted.map(|name| {
            let mut linear = model.linear_modules().expect("it can be traced");
            linear.retain(|module| module.path.ends_with(name));
            Lora::of_each(&linear, LoraModule { rank: 2, scale: 1.0 }, 0.0)
        });
        let mut plan = ModelPlan::new(model.beside(lora.as_ref()), dtype, hardware).unpacked();
        plan.lora = lora;
        let size = StateSize { slots: 2, pages: 5, page_tokens: 16 };
        let (decode, prompts) = if chunk == 1 { (1, 0) } else { (0, 1) };
        let shape = StepShape {
            decode,
            fed: 0,
            prompts,
            chunk: chunk * prompts,
            pages: 4,
            ranks: 0,
            stretches: false,
            scored: None,
        };
        step_program(&plan, shape, size, None).expect("it can be traced").text
    };
    let calls = |hardware, dtype, chunk: usize, adapted: Option<&str>| {
        let text = traced(hardware, dtype, chunk, adapted);
        assert_eq!(of_cpus.map(|said| text.matches(said).count()), [0, 0]);
        said.map(|said| text.matches(said).count())
    };
    // In each layer two norms; queries, keys and values; their output; gate and up, by matrix units on a Hopper; down. And a norm and the tied head.
    assert_eq!(calls(HOPPER, DType::BF16, 1, None), [17, 0, 2, 2, 0, 0, 0]);
    assert_eq!(calls(MI300, DType::F16, 1, None), [17, 2, 0, 2, 0, 0, 0]);
    // What an adapter adds comes before the gate.
    assert_eq!(calls(HOPPER, DType::BF16, 1, Some("up_proj")), [17, 0, 0, 2, 0, 0, 0]);
    assert_eq!(calls(HOPPER, DType::BF16, 1, Some("q_proj")), [17, 0, 2, 2, 0, 0, 0]);
    // A product of several is added by the norm behind it: at a layer's end the next one's, and behind the last layer one that nobody asks for.
    assert_eq!(calls(HOPPER, DType::BF16, 16, None), [19, 0, 2, 2, 2, 4, 0]);
    // Few tokens are normalised by kernels, more where sums are. Of a prompt only the last meets the head.
    assert_eq!(calls(HOPPER, DType::BF16, 32, None), [18, 0, 2, 2, 2, 4, 1]);
    assert_eq!(calls(HOPPER, DType::BF16, 64, Some("q_proj")), [18, 0, 2, 2, 2, 4, 1]);
    assert_eq!(calls(HOPPER, DType::BF16, 128, None), [18, 0, 0, 2, 2, 4, 1]);
    assert_eq!(calls(MI300, DType::BF16, 128, None), [10, 0, 0, 2, 2, 4, 1]);
    assert_eq!(calls(HOPPER, DType::BF16, 256, None), [6, 0, 0, 2, 2, 0, 4]);
    assert_eq!(calls(HOPPER, DType::F32, 1, None), [0, 0, 0, 0, 0, 0, 5]);
    assert_eq!(calls(TURING, DType::BF16, 1, None), [0, 0, 0, 0, 0, 0, 5]);
    assert_eq!(calls(Hardware::CPU, DType::BF16, 1, None), [0, 0, 0, 0, 0, 0, 5]);
    let on_cpu = |chunk| {
        let text = traced(Hardware::CPU, DType::F32, chunk, None);
        of_cpus.map(|said| text.matches(said).count())
    };
    // In each layer seven products; and the head.
    assert_eq!(on_cpu(1), [15, 2]);
    assert_eq!(on_cpu(64), [15, 0]);
    assert_eq!(on_cpu(65), [1, 0]);
}

/// A step of two texts that go on and of so many prompts, of one layer in bf16.
fn step_of(config: &serde_json::Value, prompts: usize) -> String {
    let model = LanguageModel::from_json(config).expect("a model of one layer");
    let plan = ModelPlan::new(model, DType::BF16, HOPPER);
    let size = StateSize { slots: 2, pages: 9, page_tokens: 16 };
    let (stretches, scored) = (false, None);
    let shape = StepShape { decode: 2, fed: 0, prompts, chunk: 32 * prompts, pages: 4, ranks: 0, stretches, scored };
    step_program(&plan, shape, size, None).expect("it can be traced").text
}

fn lines_of<'t>(text: &'t str, kernel: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.contains(kernel)).collect()
}

/// Attention of one token writes its key and value beside a prompt too, or in neither: a row's numbers do not depend on what stands beside it.
#[test]
fn attention_of_one_token_is_the_same_beside_prompts() {
    // Of 40 query heads for a key head no kernel rotates and writes, and one attends.
    for (heads, kv_heads, head_dim, writes) in [(4, 2, 16, true), (40, 1, 128, false)] {
        let config = serde_json::json!({
            "model_type": "llama", "vocab_size": 320, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 1,
            "num_attention_heads": heads, "num_key_value_heads": kv_heads, "head_dim": head_dim,
        });
        for prompts in [0, 1] {
            let text = step_of(&config, prompts);
            let attends = lines_of(&text, "@paged_attention(");
            let written = attends.iter().filter(|line| line.contains("output_operand_aliases")).count();
            assert_eq!(
                (attends.len(), written),
                (1 + prompts, usize::from(writes)),
                "{heads} heads, {prompts} prompts"
            );
            assert_eq!(lines_of(&text, "@paged_write(").len(), if writes { prompts } else { 0 });
        }
    }
}

/// Where scores have biases no kernel attends, and one writes.
#[test]
fn kernels_write_where_none_attends() {
    let config = serde_json::json!({
        "model_type": "mpt", "vocab_size": 320, "d_model": 64, "n_heads": 4, "n_layers": 1, "expansion_ratio": 2, "max_seq_len": 128,
        "attn_config": {"alibi": true}, "no_bias": true,
    });
    for prompts in [0, 1] {
        let text = step_of(&config, prompts);
        assert_eq!(lines_of(&text, "@paged_attention(").len(), 0);
        assert_eq!(lines_of(&text, "@paged_write(").len(), 1 + prompts);
    }
}
