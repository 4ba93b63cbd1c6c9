//! Of state-space models.

use models::LanguageModel;
use serde_json::{Value, json};

use crate::check;

fn mamba() -> Value {
    json!({ "model_type": "mamba", "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2 })
}

fn mamba2() -> Value {
    json!({
        "model_type": "mamba2", "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2, "num_heads": 8, "head_dim": 8
    })
}

#[test]
fn of_both() {
    for good in [mamba, mamba2] {
        check(
            &good(),
            &[
                (json!({"hidden_act": "gelu"}), "`hidden_act` is \"gelu\", but it should be one of silu, swish"),
                (json!({"rms_norm": false}), "`rms_norm` is false, but only true is supported"),
                (
                    json!({"conv_kernel": 1}),
                    "`conv_kernel` is 1, but a convolution of less than 2 taps is not supported",
                ),
                (json!({"conv_kernel": 65}), "`conv_kernel` is 65, but it should be a whole number from 1 to 64"),
                (json!({"expand": 1.5}), "`expand` is 1.5, but it should be a whole number from 1 to 131072"),
                (
                    json!({"intermediate_size": 65}),
                    "`intermediate_size` is 65, but it should be `expand` times `hidden_size`, 64",
                ),
                (
                    json!({"time_step_max": 0.0001}),
                    "`time_step_max` is 0.0001, but it should not be less than `time_step_min`, 0.001",
                ),
                (json!({"use_conv_bias": 1}), "`use_conv_bias` is 1, but it should be true or false"),
            ],
        );
    }
}

#[test]
fn of_mamba() {
    check(
        &mamba(),
        &[
            (
                json!({"time_step_rank": "all"}),
                "`time_step_rank` is \"all\", but it should be a whole number from 1 to 4194304",
            ),
            (
                json!({"time_step_init_scheme": "zero"}),
                "`time_step_init_scheme` is \"zero\", but it should be one of random, constant",
            ),
        ],
    );
}

#[test]
fn of_mamba2() {
    let limits = "it should be two numbers from 0 on, the greater one last";
    check(
        &mamba2(),
        &[
            (
                json!({"num_heads": 4}),
                "`num_heads` is 4, but times `head_dim`, 8, it should be `expand` times `hidden_size`, 64",
            ),
            (json!({"n_groups": 3}), "`n_groups` is 3, but it should divide `num_heads`, 8"),
            (json!({"norm_before_gate": 1}), "`norm_before_gate` is 1, but it should be true or false"),
            (json!({"chunk_size": 0}), "`chunk_size` is 0, but it should be a whole number from 1 to 2147483647"),
            (json!({"time_step_limit": [0.1]}), &format!("`time_step_limit` is [0.1], but {limits}")),
            (json!({"time_step_limit": [0.1, 0.1]}), &format!("`time_step_limit` is [0.1,0.1], but {limits}")),
            (json!({"time_step_limit": [-1, 1]}), &format!("`time_step_limit` is [-1,1], but {limits}")),
        ],
    );
}

/// As transformers writes infinity since version 5, which JSON lacks.
#[test]
fn an_infinite_limit_is_none() {
    let mut config = mamba2();
    let unlimited = LanguageModel::from_json(&config).unwrap();
    config["time_step_limit"] = json!([0.0, {"__float__": "Infinity"}]);
    assert_eq!(LanguageModel::from_json(&config).unwrap(), unlimited);
}
