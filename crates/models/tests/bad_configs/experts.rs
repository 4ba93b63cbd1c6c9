//! Of mixtures of experts.

use serde_json::{Value, json};

use crate::check_each;

fn good(model_type: &str) -> Value {
    json!({
        "model_type": model_type, "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "moe_intermediate_size": 16
    })
}

#[test]
fn bad_values_are_refused() {
    let count = "it should be a whole number from 1 to 4096";
    let list = "it should be a list of whole numbers";
    let cases: &[(&str, Value, String)] = &[
        (
            "mixtral",
            json!({"num_experts_per_tok": 9}),
            "`num_experts_per_tok` is 9, but there are 8 experts that a token could be sent to".into(),
        ),
        (
            "qwen3_moe",
            json!({"num_experts": 4}),
            "`num_experts_per_tok` is 8, but there are 4 experts that a token could be sent to".into(),
        ),
        ("mixtral", json!({"num_experts_per_tok": 0}), format!("`num_experts_per_tok` is 0, but {count}")),
        ("mixtral", json!({"num_local_experts": 0}), format!("`num_local_experts` is 0, but {count}")),
        ("qwen3_moe", json!({"num_experts": 0}), format!("`num_experts` is 0, but {count}")),
        (
            "qwen3_moe",
            json!({"num_experts": 16, "num_local_experts": 8}),
            "`num_experts` is 16, but it should be that of `num_local_experts`, 8".into(),
        ),
        (
            "mixtral",
            json!({"router_jitter_noise": 0.1}),
            "`router_jitter_noise` is 0.1, but only 0 is supported".into(),
        ),
        (
            "mixtral",
            json!({"router_aux_loss_coef": -1}),
            "`router_aux_loss_coef` is -1, but it should be a number, 0 or above".into(),
        ),
        (
            "mixtral",
            json!({"sliding_window": 0}),
            "`sliding_window` is 0, but it should be a whole number from 1 to 2147483647".into(),
        ),
        (
            "mixtral",
            json!({"hidden_size": 4_194_304, "intermediate_size": 16_385, "num_hidden_layers": 256, "num_local_experts": 4096}),
            "`intermediate_size` is 16385, but of 4096 experts in 256 layers over 4194304 elements it should be at most 16384".into(),
        ),
        ("qwen3_moe", json!({"moe_intermediate_size": null}), "`moe_intermediate_size` is missing".into()),
        ("qwen3_moe", json!({"decoder_sparse_step": 0}), format!("`decoder_sparse_step` is 0, but {count}")),
        ("qwen3_moe", json!({"mlp_only_layers": 1}), format!("`mlp_only_layers` is 1, but {list}")),
        ("qwen3_moe", json!({"mlp_only_layers": [-1]}), format!("`mlp_only_layers` is [-1], but {list}")),
    ];
    check_each(good, cases);
}
