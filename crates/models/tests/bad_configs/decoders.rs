//! Of decoders of Llama's kind.

use serde_json::{Value, json};

use crate::check_each;

fn good(model_type: &str) -> Value {
    json!({
        "model_type": model_type, "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 64
    })
}

#[test]
fn windows_that_cannot_be_are_refused() {
    check_each(
        good,
        &[
            (
                "mistral",
                json!({"sliding_window": 0}),
                "`sliding_window` is 0, but it should be a whole number from 1 to 2147483647",
            ),
            (
                "mistral",
                json!({"layer_types": ["full_attention", "full_attention", "full_attention"]}),
                "`layer_types` is [\"full_attention\",\"full_attention\",\"full_attention\"], but all layers of Mistral are alike: \
             `sliding_window` is for all",
            ),
            (
                "qwen2",
                json!({"layer_types": ["full_attention", "sliding_attention", "full_attention"]}),
                "`sliding_window` is null, but `layer_types` has sliding_attention, which needs a window, and `use_sliding_window` \
             where the family has that key",
            ),
            (
                "qwen3",
                json!({"layer_types": ["full_attention"]}),
                "`layer_types` is [\"full_attention\"], but it should be a list of 3 times full_attention or sliding_attention",
            ),
            (
                "qwen3",
                json!({"layer_types": ["full_attention", "full_attention", "chunked_attention"]}),
                "`layer_types` is [\"full_attention\",\"full_attention\",\"chunked_attention\"], but it should be a list of 3 times \
             full_attention or sliding_attention",
            ),
            (
                "qwen2",
                json!({"use_sliding_window": true, "max_window_layers": -1}),
                "`max_window_layers` is -1, but it should be a whole number from 1 to 4096",
            ),
        ],
    );
}

#[test]
fn what_gemma_and_phi_do_not_have_is_refused() {
    check_each(
        good,
        &[
            (
                "gemma2",
                json!({"sliding_window": null}),
                "`sliding_window` is null, but `layer_types` has sliding_attention, which needs a window, and `use_sliding_window` \
             where the family has that key",
            ),
            (
                "gemma2",
                json!({"use_bidirectional_attention": true}),
                "`use_bidirectional_attention` is true, but only false is supported",
            ),
            (
                "gemma2",
                json!({"attn_logit_softcapping": 0}),
                "`attn_logit_softcapping` is 0, but it should be a number above 0",
            ),
            (
                "gemma3_text",
                json!({"attn_logit_softcapping": 50.0}),
                "`attn_logit_softcapping` is 50.0, but only null is supported",
            ),
            (
                "gemma3_text",
                json!({"sliding_window_pattern": 0}),
                "`sliding_window_pattern` is 0, but it should be a whole number from 1 to 4096",
            ),
            (
                "gemma3_text",
                json!({"rope_parameters": {"rope_type": "default"}}),
                "`rope_parameters.rope_type` is \"default\", but what it says should be said of full_attention and of sliding_attention",
            ),
            (
                "gemma3_text",
                json!({"rope_parameters": {"full_attention": {"rope_type": "linear"}}}),
                "`rope_parameters.full_attention.factor` is missing",
            ),
            (
                "gemma3_text",
                json!({"rope_parameters": {}, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}),
                "`rope_parameters` is {}, but it stands in place of `rope_scaling`, which is there too",
            ),
            (
                "phi3",
                json!({"rope_scaling": {"type": "linear", "factor": 2.0}}),
                "`rope_scaling.type` is \"linear\", but models of this type have longrope or none",
            ),
            (
                "phi3",
                json!({"partial_rotary_factor": 0.4}),
                "`partial_rotary_factor` is 0.4, but of the 8 elements of a head an even number should be rotated",
            ),
            (
                "phi3",
                json!({"max_position_embeddings": 64, "rope_scaling": {
                    "type": "longrope", "short_factor": [1, 1, 1, 1], "long_factor": [1, 1, 1, 1]
                }}),
                "`original_max_position_embeddings` is missing",
            ),
        ],
    );
}

#[test]
fn rotary_embeddings_that_cannot_be_are_refused() {
    let factors =
        |short: Value| json!({"rope_scaling": {"type": "su", "short_factor": short, "long_factor": [1, 1, 1, 1]}});
    check_each(
        good,
        &[
            (
                "llama",
                json!({"rope_scaling": {"type": "dynamic", "factor": 2.0, "alpha": 1000}}),
                "`rope_scaling.alpha` is 1000, but no rotary embedding that is implemented has this key",
            ),
            (
                "llama",
                json!({"rope_parameters": {"full_attention": {"rope_type": "default"}}}),
                "`rope_parameters.full_attention` is {\"rope_type\":\"default\"}, but no rotary embedding that is implemented has this \
             key",
            ),
            (
                "llama",
                json!({"rope_scaling": {"type": "dynamic", "factor": 2.0}, "max_position_embeddings": null}),
                "`max_position_embeddings` is missing",
            ),
            (
                "llama",
                json!({"rope_scaling": {"type": "dynamic", "factor": 2.0}, "head_dim": 2}),
                "`rope_scaling.type` is \"dynamic\", but it needs more than one pair of elements to rotate",
            ),
            ("mistral", json!({"rope_scaling": {"type": "yarn"}}), "`rope_scaling.factor` is missing"),
            (
                "qwen2",
                json!({"rope_scaling": {"type": "yarn", "factor": 4, "beta_fast": -1}}),
                "`rope_scaling.beta_fast` is -1, but it should be a number above 0",
            ),
            (
                "qwen3",
                json!({"partial_rotary_factor": 0.5}),
                "`partial_rotary_factor` is 0.5, but models of this type rotate whole heads",
            ),
            (
                "qwen3",
                json!({"rope_parameters": {"partial_rotary_factor": 0.5}}),
                "`rope_parameters.partial_rotary_factor` is 0.5, but models of this type rotate whole heads",
            ),
            (
                "llama",
                factors(json!([1, 1, 1])),
                "`rope_scaling.short_factor` is [1,1,1], but it should be a list of 4 numbers above 0",
            ),
            (
                "llama",
                factors(json!([1, 1, 1, 0])),
                "`rope_scaling.short_factor` is [1,1,1,0], but it should be a list of 4 numbers above 0",
            ),
            ("llama", factors(Value::Null), "`rope_scaling.short_factor` is missing"),
        ],
    );
}
