//! Of any model, with Llama as the example.

use models::LanguageModel;
use serde_json::{Value, json};

use crate::check;

fn llama() -> Value {
    json!({
        "model_type": "llama", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2
    })
}

#[test]
fn models_that_do_not_run_are_refused() {
    let known = LanguageModel::model_types().join(", ");
    let cases = [
        (
            json!({"model_type": "bert"}),
            format!("`model_type` is \"bert\", but what runs is {known}"),
        ),
        (
            json!({"model_type": "lama", "auto_map": {}}),
            format!(
                "`model_type` is \"lama\", but what runs is {known}; did you mean \"llama\"?; its own code (`auto_map`) is never run"
            ),
        ),
        (
            json!({"quantization_config": {"quant_method": "gptq"}}),
            "`quantization_config` is {\"quant_method\":\"gptq\"}, but weights quantised by gptq cannot be read: give the model in 16 or \
             32 bits"
                .into(),
        ),
    ];
    check(&llama(), &cases);
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
            json!({"hidden_act": "mish"}),
            "`hidden_act` is \"mish\", but it should be one of gelu, gelu_10, gelu_accurate, gelu_fast, gelu_new, gelu_python, \
             gelu_python_tanh, gelu_pytorch_tanh, quick_gelu, relu, relu2, silu, swish, tanh"
                .into(),
        ),
        (json!({"rope_scaling": 8}), "`rope_scaling` is 8, but it should be an object".into()),
        (json!({"rope_scaling": {"type": "linear"}}), "`rope_scaling.factor` is missing".into()),
        (
            json!({"rope_scaling": {"rope_type": "linear", "factor": 0}}),
            format!("`rope_scaling.factor` is 0, but {positive}"),
        ),
        (
            json!({"rope_scaling": {"rope_type": "mrope", "factor": 4.0}}),
            "`rope_scaling.rope_type` is \"mrope\", but it should be default, linear, dynamic, yarn, longrope or llama3".into(),
        ),
        (
            json!({"rope_parameters": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}}),
            "`rope_parameters.original_max_position_embeddings` is missing".into(),
        ),
    ];
    check(&llama(), cases);
    let found = LanguageModel::from_json(&json!(["a list"])).unwrap_err().to_string();
    assert_eq!(found, "`config.json` is [\"a list\"], but it should be an object");
}
