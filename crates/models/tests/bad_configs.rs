//! What `config.json` may not say, and what is said then.

use models::LlamaConfig;
use serde_json::{Value, json};

fn good() -> Value {
    json!({
        "model_type": "llama", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2
    })
}

#[test]
fn bad_values_are_refused() {
    let size = "it should be a whole number from 1 to 4194304";
    let count = "it should be a whole number from 1 to 4096";
    let positive = "it should be a number above 0";
    let cases: &[(Value, String)] = &[
        (json!({"vocab_size": null}), "`vocab_size` is missing".into()),
        (json!({"hidden_size": null}), "`hidden_size` is missing".into()),
        (json!({"num_hidden_layers": 0}), format!("`num_hidden_layers` is 0, but {count}")),
        (json!({"num_hidden_layers": -1}), format!("`num_hidden_layers` is -1, but {count}")),
        (json!({"num_hidden_layers": 2147483647}), format!("`num_hidden_layers` is 2147483647, but {count}")),
        (json!({"intermediate_size": 48.5}), format!("`intermediate_size` is 48.5, but {size}")),
        (json!({"vocab_size": "96"}), format!("`vocab_size` is \"96\", but {size}")),
        (json!({"vocab_size": 1u64 << 40}), format!("`vocab_size` is 1099511627776, but {size}")),
        (
            json!({"num_key_value_heads": 3}),
            "`num_key_value_heads` is 3, but it should divide `num_attention_heads`, 4".into(),
        ),
        (
            json!({"num_key_value_heads": 8}),
            "`num_key_value_heads` is 8, but it should divide `num_attention_heads`, 4".into(),
        ),
        (
            json!({"hidden_size": 34}),
            "`hidden_size` is 34, but without `head_dim` it should be a multiple of the 4 heads".into(),
        ),
        (json!({"head_dim": 7}), "`head_dim` is 7, but rotary embeddings need an even one".into()),
        (json!({"rms_norm_eps": 0}), format!("`rms_norm_eps` is 0, but {positive}")),
        (json!({"rope_theta": -1.0}), format!("`rope_theta` is -1.0, but {positive}")),
        (
            json!({"tie_word_embeddings": "yes"}),
            "`tie_word_embeddings` is \"yes\", but it should be true or false".into(),
        ),
        (
            json!({"model_type": "mamba"}),
            "`model_type` is \"mamba\", but only Llama models are supported: it should be \"llama\"".into(),
        ),
        (json!({"hidden_act": "gelu"}), "`hidden_act` is \"gelu\", but only \"silu\" is supported".into()),
        (json!({"rope_scaling": 8}), "`rope_scaling` is 8, but it should be an object".into()),
        (json!({"rope_scaling": {"type": "linear"}}), "`rope_scaling.factor` is missing".into()),
        (json!({"rope_scaling": {"rope_type": "linear", "factor": 0}}), format!("`factor` is 0, but {positive}")),
        (
            json!({"rope_scaling": {"rope_type": "yarn", "factor": 4.0}}),
            "`rope_scaling.rope_type` is \"yarn\", but it should be default, linear or llama3".into(),
        ),
        (
            json!({"rope_parameters": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}}),
            "`rope_scaling.original_max_position_embeddings` is missing".into(),
        ),
    ];
    LlamaConfig::from_json(&good()).unwrap();
    for (change, expected) in cases {
        let mut config = good();
        for (key, value) in change.as_object().unwrap() {
            config[key] = value.clone();
        }
        let found = LlamaConfig::from_json(&config).unwrap_err().to_string();
        assert_eq!(found, *expected, "{change}");
    }
    let found = LlamaConfig::from_json(&json!(["a list"])).unwrap_err().to_string();
    assert_eq!(found, "`config.json` is [\"a list\"], but it should be an object");
}
