//! The same model, as different versions of transformers and different authors write it in `config.json`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use models::LanguageModel;
use serde_json::{Value, json};

/// A small model of that type, with more keys.
fn model(model_type: &str, more: &Value) -> LanguageModel {
    let mut config = json!({
        "model_type": model_type, "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 64
    });
    for (key, value) in more.as_object().unwrap() {
        config[key] = value.clone();
    }
    LanguageModel::from_json(&config).unwrap()
}

#[test]
fn what_is_said_in_two_ways_is_the_same() {
    let (short, long) = (json!([1.0, 1.1, 1.2, 1.3]), json!([2.0, 2.1, 2.2, 2.3]));
    let su = |kind: &str| {
        json!({"original_max_position_embeddings": 16, "rope_theta": 500.0,
            "rope_scaling": {"type": kind, "short_factor": short, "long_factor": long}})
    };
    // A Mamba-2 gates before it normalises, whatever it says.
    let mamba2 = |norm_before_gate: Value| json!({"intermediate_size": 64, "num_heads": 8, "n_groups": 1, "norm_before_gate": norm_before_gate});
    let cases = [
        (
            "llama",
            json!({"rope_theta": 500.0, "rope_scaling": {"type": "yarn", "factor": 4}}),
            json!({"rope_parameters": {"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0,
                "original_max_position_embeddings": 64, "beta_fast": 32, "beta_slow": 1, "truncate": true}}),
        ),
        (
            "llama",
            json!({}),
            json!({"rope_scaling": {}, "rope_parameters": {"rope_type": "default", "rope_theta": 10000}}),
        ),
        (
            "qwen2",
            json!({"use_sliding_window": true, "sliding_window": 7, "max_window_layers": 2}),
            json!({"use_sliding_window": true, "sliding_window": 7,
                "layer_types": ["full_attention", "full_attention", "sliding_attention"]}),
        ),
        ("mistral", json!({}), json!({"sliding_window": 4096})),
        ("phi3", su("su"), su("yarn")),
        (
            "phi3",
            su("longrope"),
            json!({"original_max_position_embeddings": 16, "rope_parameters": {"rope_type": "longrope", "rope_theta": 500.0,
                "short_factor": short, "long_factor": long, "original_max_position_embeddings": 16, "factor": 4.0}}),
        ),
        ("phi3", json!({"partial_rotary_factor": 0.5}), json!({"rope_parameters": {"partial_rotary_factor": 0.5}})),
        (
            "gpt_neox",
            json!({"rotary_pct": 0.5, "rotary_emb_base": 500, "rope_scaling": {"type": "linear", "factor": 2}}),
            json!({"rotary_pct": 1.0, "rotary_emb_base": 50, "rope_scaling": {
                "rope_type": "linear", "factor": 2.0, "rope_theta": 500.0, "partial_rotary_factor": 0.5}}),
        ),
        (
            "gpt_neox",
            json!({"rope_scaling": {"type": "linear", "factor": 2}}),
            json!({"rope_scaling": {"type": "linear", "factor": 2}, "rope_parameters": {
                "rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 0.5}}),
        ),
        ("mamba2", mamba2(Value::Null), mamba2(json!(true))),
        ("mamba2", mamba2(Value::Null), mamba2(json!(false))),
        (
            "gemma3_text",
            json!({"sliding_window_pattern": 2, "rope_theta": 500.0, "rope_local_base_freq": 50.0,
                "rope_scaling": {"rope_type": "linear", "factor": 8.0}}),
            json!({"layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 500.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}
            }}),
        ),
    ];
    for (model_type, one, other) in &cases {
        assert_eq!(model(model_type, one), model(model_type, other), "{model_type}: {one} and {other}");
    }
}

/// Under the names that each family has for it in transformers.
#[test]
fn dropout_is_told_by_its_keys() {
    let keys = [
        "attention_dropout",
        "attn_pdrop",
        "embd_pdrop",
        "embedding_dropout",
        "emb_pdrop",
        "hidden_dropout",
        "residual_dropout",
        "resid_pdrop",
    ];
    for model_type in LanguageModel::model_types() {
        let mut config = json!({
            "model_type": model_type, "vocab_size": 96, "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2,
            "moe_intermediate_size": 16,
        });
        let sizes: &[(&str, usize)] = match model_type {
            "gpt2" => &[("n_embd", 32), ("n_layer", 1), ("n_head", 4)],
            "mpt" => &[("d_model", 32), ("n_layers", 1), ("n_heads", 4)],
            "mamba" | "mamba2" => &[("hidden_size", 32), ("num_heads", 4), ("head_dim", 16), ("n_groups", 1)],
            _ => &[("hidden_size", 32), ("intermediate_size", 48)],
        };
        let expected = match model_type {
            "gpt2" => "resid_pdrop, embd_pdrop, attn_pdrop",
            "mpt" => "emb_pdrop, resid_pdrop, attn_config.attn_pdrop",
            "falcon" | "gpt_neox" => "attention_dropout, hidden_dropout",
            "mamba" | "mamba2" => "",
            "phi3" => "resid_pdrop, embd_pdrop, attention_dropout",
            "starcoder2" => "attention_dropout, residual_dropout, embedding_dropout",
            _ => "attention_dropout",
        };
        let fields = config.as_object_mut().unwrap();
        if matches!(model_type, "gpt2" | "mpt") {
            fields.retain(|key, _| !["num_hidden_layers", "num_attention_heads"].contains(&key.as_str()));
        }
        fields.extend(sizes.iter().map(|(key, size)| ((*key).to_owned(), json!(size))));
        assert_eq!(LanguageModel::from_json(&config).unwrap().dropout_asked(), []);
        keys.iter().for_each(|key| config[*key] = json!(0.1));
        config["attn_config"] = json!({"attn_pdrop": 0.1});
        let asked = LanguageModel::from_json(&config).unwrap().dropout_asked();
        assert_eq!(asked.iter().map(|(key, _)| *key).collect::<Vec<_>>().join(", "), expected, "{model_type}");
        assert!(asked.iter().all(|(_, rate)| *rate == 0.1), "{asked:?}");
    }
}

#[test]
fn null_is_not_always_absence() {
    let cases = [
        ("mistral", json!({"sliding_window": null})),
        ("gemma2", json!({"attn_logit_softcapping": null})),
        ("gemma2", json!({"final_logit_softcapping": null})),
    ];
    for (model_type, null) in &cases {
        assert_ne!(model(model_type, null), model(model_type, &json!({})), "{model_type}: {null}");
    }
}

/// How long sequences may be, where the longest of pre-training is 64.
#[test]
fn rotations_stretch_the_context() {
    let original = 32;
    let cases = [
        (json!({}), Some(64)),
        (json!({"rope_scaling": {"type": "dynamic", "factor": 3.0}}), Some(192)),
        (json!({"rope_scaling": {"type": "yarn", "factor": 4.0}}), Some(256)),
        // As transformers 5 has it: the length is the stretched one already.
        (
            json!({"rope_scaling": {"type": "yarn", "factor": 2.0, "original_max_position_embeddings": original}}),
            Some(64),
        ),
        (
            json!({"max_position_embeddings": original, "rope_scaling": {
            "type": "yarn", "factor": 4.0, "original_max_position_embeddings": original}}),
            Some(128),
        ),
        (json!({"max_position_embeddings": i32::MAX}), None),
    ];
    for (config, context) in cases {
        assert_eq!(model("llama", &config).context(), context, "{config}");
    }
    assert_eq!(model("mamba", &json!({"intermediate_size": 64})).context(), None);
}

#[test]
fn only_some_rotations_depend_on_the_length() {
    let scaled = |scaling: Value| model("llama", &json!({"rope_scaling": scaling}));
    assert!(scaled(json!({"type": "dynamic", "factor": 2.0})).depends_on_length());
    assert!(!scaled(json!({"type": "yarn", "factor": 2.0})).depends_on_length());
    assert!(!model("gemma3_text", &json!({})).depends_on_length());
    let factors = json!([1, 1, 1, 1]);
    let scaling = json!({"type": "longrope", "short_factor": factors, "long_factor": factors});
    let phi3 = model("phi3", &json!({"original_max_position_embeddings": 16, "rope_scaling": scaling}));
    assert!(phi3.depends_on_length());
    assert_eq!(phi3.longest_continued(), Some(16));
    assert_eq!(scaled(scaling).longest_continued(), None);
}
