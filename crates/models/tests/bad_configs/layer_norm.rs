//! Of GPT-2 and the families that follow it in their norms.

use models::LanguageModel;
use serde_json::{Value, json};

use crate::check;

#[test]
fn gpt2() {
    let good = json!({"model_type": "gpt2", "vocab_size": 96, "n_embd": 32, "n_layer": 2, "n_head": 4});
    let names = "gelu, gelu_10, gelu_accurate, gelu_fast, gelu_new, gelu_python, gelu_python_tanh, gelu_pytorch_tanh, quick_gelu, relu, \
                 relu2, silu, swish, tanh";
    let cases: &[(Value, &str)] = &[
        (json!({"n_embd": null}), "`n_embd` is missing"),
        (json!({"n_head": 5}), "`n_embd` is 32, but it should be a multiple of `n_head`, 5"),
        (json!({"hidden_size": 32}), "`hidden_size` is 32, but here its name is `n_embd`"),
        (json!({"add_cross_attention": true}), "`add_cross_attention` is true, but only false is supported"),
        (json!({"reorder_and_upcast_attn": 1}), "`reorder_and_upcast_attn` is 1, but it should be true or false"),
        (
            json!({"activation_function": "xielu"}),
            &format!("`activation_function` is \"xielu\", but it should be one of {names}"),
        ),
    ];
    check(&good, cases);
}

#[test]
fn gpt_neox() {
    let good = json!({
        "model_type": "gpt_neox", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
        "num_attention_heads": 4
    });
    let part = "of the 8 elements of a head an even number should be rotated";
    let cases: &[(Value, &str)] = &[
        (json!({"intermediate_size": null}), "`intermediate_size` is missing"),
        (
            json!({"num_attention_heads": 3}),
            "`hidden_size` is 32, but it should be a multiple of `num_attention_heads`, 3",
        ),
        (json!({"rotary_pct": 1.25}), &format!("`rotary_pct` is 1.25, but {part}")),
        (json!({"rotary_pct": 0.4}), &format!("`rotary_pct` is 0.4, but {part}")),
        (
            json!({"rope_scaling": {"partial_rotary_factor": 0.4}}),
            &format!("`rope_scaling.partial_rotary_factor` is 0.4, but {part}"),
        ),
        (json!({"rotary_emb_base": 0}), "`rotary_emb_base` is 0, but it should be a number above 0"),
        (json!({"attention_bias": "no"}), "`attention_bias` is \"no\", but it should be true or false"),
    ];
    check(&good, cases);
}

#[test]
fn mpt() {
    let good = json!({"model_type": "mpt", "vocab_size": 96, "d_model": 32, "n_heads": 4, "n_layers": 2});
    let cases: &[(Value, &str)] = &[
        (json!({"n_layers": null}), "`n_layers` is missing"),
        (json!({"n_heads": 5}), "`d_model` is 32, but it should be a multiple of `n_heads`, 5"),
        (json!({"head_dim": 16}), "`head_dim` is 16, but only 8 is supported"),
        (json!({"attention_bias": true}), "`attention_bias` is true, but with `no_bias` true only false is supported"),
        (
            json!({"no_bias": false, "attention_bias": false}),
            "`attention_bias` is false, but with `no_bias` false only true is supported",
        ),
        (json!({"norm_eps": 0}), "`norm_eps` is 0, but it should be a number above 0"),
        (
            json!({"norm_type": "rmsnorm"}),
            "`norm_type` is \"rmsnorm\", but it should be one of low_precision_layernorm, layernorm",
        ),
        (json!({"logit_scale": "half"}), "`logit_scale` is \"half\", but it should be a number above 0"),
        (
            json!({"expansion_ratio": 0.01}),
            "`expansion_ratio` is 0.01, but times `d_model` it should be from 1 to 4194304",
        ),
        (
            json!({"ffn_config": {"ffn_type": "mptglu"}}),
            "`ffn_config.ffn_type` is \"mptglu\", but only \"mptmlp\" is supported",
        ),
        (
            json!({"ffn_config": {"ffn_hidden_size": 48}}),
            "`ffn_config.ffn_hidden_size` is 48, but only null is supported",
        ),
        (json!({"attn_config": {"prefix_lm": true}}), "`attn_config.prefix_lm` is true, but only false is supported"),
        (json!({"attn_config": {"qk_gn": true}}), "`attn_config.qk_gn` is true, but only false is supported"),
        (
            json!({"attn_config": {"sliding_window_size": 256}}),
            "`attn_config.sliding_window_size` is 256, but only -1 is supported",
        ),
        (json!({"residual_modification": "layer"}), "`residual_modification` is \"layer\", but only null is supported"),
        (json!({"block_overrides": {"order": []}}), "`block_overrides` is {\"order\":[]}, but only null is supported"),
        (json!({"final_logit_softcapping": 30}), "`final_logit_softcapping` is 30, but only null is supported"),
        (json!({"fc_type": {"name": "fp8"}}), "`fc_type` is {\"name\":\"fp8\"}, but it should be torch or te"),
        (json!({"ffn_config": {"fc_type": "fp8"}}), "`ffn_config.fc_type` is \"fp8\", but it should be torch or te"),
        (json!({"attn_config": {"nope": true}}), "`attn_config.nope` is true, but only false is supported"),
        (
            json!({"attn_config": {"reuse_kv_layer_idx": -1}}),
            "`attn_config.reuse_kv_layer_idx` is -1, but only null is supported",
        ),
        (
            json!({"attn_config": {"attn_temperature_tuning": {"attn_scale": 0.1}}}),
            "`attn_config.attn_temperature_tuning.attn_scale` is 0.1, but only 0 is supported",
        ),
        (
            json!({"attn_config": {"alibi": true, "rope": true}}),
            "`attn_config.rope` is true, but `alibi` tells the positions already",
        ),
        (
            json!({"attn_config": {"alibi": false, "rope": true, "rope_dail_config": {"type": "xpos"}}}),
            "`attn_config.rope_dail_config.type` is \"xpos\", but only \"original\" is supported",
        ),
        (
            json!({"attn_config": {"alibi": false, "rope": true, "rope_impl": "hf", "rope_hf_config": {"type": "dynamic"}}}),
            "`attn_config.rope_hf_config.type` is \"dynamic\", but it should be one of no_scaling, linear",
        ),
        (json!({"attn_config": {"clip_qkv": -6}}), "`attn_config.clip_qkv` is -6, but it should be a number above 0"),
        (json!({"attn_config": {"attn_type": "grouped_query_attention"}}), "`attn_config.kv_n_heads` is missing"),
        (
            json!({"attn_config": {"attn_type": "grouped_query_attention", "kv_n_heads": 3}}),
            "`attn_config.kv_n_heads` is 3, but it should divide `n_heads`, 4",
        ),
    ];
    check(&good, cases);
}

/// What changes nothing of what is computed, in the forms that llm-foundry has written.
#[test]
fn foundry_settings_of_an_mpt_that_compute_the_same() {
    let mut config = json!({"model_type": "mpt", "vocab_size": 96, "d_model": 32, "n_heads": 4, "n_layers": 2});
    let plain = LanguageModel::from_json(&config).unwrap();
    config["fc_type"] = json!({"name": "torch"});
    config["ffn_config"] = json!({"fc_type": "te"});
    config["use_pad_tok_in_ffn"] = json!(false);
    (config["head_dim"], config["attention_bias"]) = (json!(8), json!(false));
    config["attn_config"] =
        json!({"attn_impl": "flash", "attn_temperature_tuning": {"floor_scale": 8192, "attn_scale": 0.0}});
    assert_eq!(LanguageModel::from_json(&config).unwrap(), plain);
    assert_eq!(LanguageModel::unknown_keys(&config).unwrap(), []);
    config["attn_config"]["alibi_bias_mx"] = json!(4);
    let unknown = LanguageModel::unknown_keys(&config).unwrap();
    let [(key, known)] = unknown.as_slice() else { panic!("{unknown:?}") };
    assert_eq!(key, "attn_config.alibi_bias_mx");
    assert!(known.contains(&"attn_config.alibi_bias_max") && !known.contains(&"d_model"), "{known:?}");
}

/// Where nothing is said transformers' defaults hold, but whoever says `rope` means llm-foundry's.
#[test]
fn defaults_of_an_mpt() {
    let model = |attention: Value, no_bias: Value| {
        let sizes = json!({"model_type": "mpt", "vocab_size": 96, "d_model": 32, "n_heads": 4, "n_layers": 2});
        let mut config = sizes.as_object().unwrap().clone();
        config.extend([("attn_config".into(), attention), ("no_bias".into(), no_bias)]);
        LanguageModel::from_json(&config.into()).unwrap()
    };
    assert_eq!(model(json!({}), Value::Null), model(json!({"alibi": true}), json!(true)));
    assert_eq!(model(json!({"rope": true}), Value::Null), model(json!({"alibi": false, "rope": true}), json!(true)));
}

/// What transformers' class would pass over: the keys that say it, and a configuration that names another class.
#[test]
fn an_mpt_that_transformers_would_not_compute() {
    let cases = [
        (json!({"attn_config": {"alibi": true, "clip_qkv": 6, "softmax_scale": 0.3}, "layer_norm_epsilon": 1e-3}), ""),
        (json!({"attn_config": {"alibi": false}}), "attn_config.alibi"),
        (json!({"attn_config": {"alibi_bias_max": 4}}), "attn_config.alibi_bias_max"),
        (
            json!({"attn_config": {"attn_type": "multiquery_attention", "qk_ln": true}}),
            "attn_config.attn_type, attn_config.qk_ln",
        ),
        (json!({"attn_config": {"alibi": false, "rope": true}}), "attn_config.alibi, attn_config.rope"),
        (json!({"attn_config": {"rope": true}}), "attn_config.rope"),
        (json!({"expansion_ratio": 2, "logit_scale": 0.5, "no_bias": false}), "expansion_ratio, logit_scale, no_bias"),
        (json!({"norm_eps": 1e-3}), "norm_eps"),
        (json!({"norm_eps": 1e-5}), ""),
    ];
    for (change, expected) in cases {
        let mut config = json!({"model_type": "mpt", "vocab_size": 96, "d_model": 32, "n_heads": 4, "n_layers": 2});
        config.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let model = LanguageModel::from_json(&config).unwrap();
        let beyond = model.beyond_transformers();
        assert_eq!(beyond.map_or(String::new(), |beyond| beyond.keys.join(", ")), expected, "{change}");
        let class = if expected.is_empty() { "MptForCausalLM" } else { "MPTForCausalLM" };
        assert_eq!(model.to_json()["architectures"], json!([class]), "{change}");
    }
}

#[test]
fn falcon() {
    let good = json!({"model_type": "falcon", "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4});
    let cases: &[(Value, &str)] = &[
        (json!({"num_attention_heads": null}), "`num_attention_heads` is missing"),
        (json!({"n_embed": 32}), "`n_embed` is 32, but here its name is `hidden_size`"),
        (
            json!({"num_attention_heads": 5}),
            "`hidden_size` is 32, but it should be a multiple of `num_attention_heads`, 5",
        ),
        (
            json!({"new_decoder_architecture": true, "num_kv_heads": 3}),
            "`num_kv_heads` is 3, but it should divide `num_attention_heads`, 4",
        ),
        (
            json!({"multi_query": false, "num_kv_heads": 2}),
            "`num_kv_heads` is 2, but without `multi_query` it should be `num_attention_heads`, 4",
        ),
        (
            json!({"new_decoder_architecture": true, "parallel_attn": false}),
            "`parallel_attn` is false, but it is true with `new_decoder_architecture`",
        ),
        (
            json!({"num_ln_in_parallel_attn": 2}),
            "`num_ln_in_parallel_attn` is 2, but only layers of `new_decoder_architecture` have more than one",
        ),
        (
            json!({"rope_parameters": {"rope_theta": 10000.0, "partial_rotary_factor": 0.5}}),
            "`rope_parameters.partial_rotary_factor` is 0.5, but models of this type rotate whole heads",
        ),
        (
            json!({"num_ln_in_parallel_attn": 3}),
            "`num_ln_in_parallel_attn` is 3, but it should be a whole number from 1 to 2",
        ),
        (
            json!({"apply_residual_connection_post_layernorm": true}),
            "`apply_residual_connection_post_layernorm` is true, but only false is supported",
        ),
        (json!({"alibi": "yes"}), "`alibi` is \"yes\", but it should be true or false"),
    ];
    check(&good, cases);
}

#[test]
fn starcoder2() {
    let good = json!({
        "model_type": "starcoder2", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
        "num_attention_heads": 4, "mlp_type": "default", "norm_type": "layer_norm"
    });
    let cases: &[(Value, &str)] = &[
        (json!({"intermediate_size": null}), "`intermediate_size` is missing"),
        (
            json!({"num_key_value_heads": 3}),
            "`num_key_value_heads` is 3, but it should divide `num_attention_heads`, 4",
        ),
        // Where it is not said.
        (
            json!({"num_attention_heads": 1}),
            "`num_key_value_heads` is 2, but it should divide `num_attention_heads`, 1",
        ),
        (json!({"norm_epsilon": 0}), "`norm_epsilon` is 0, but it should be a number above 0"),
        (json!({"use_bias": "yes"}), "`use_bias` is \"yes\", but it should be true or false"),
        (json!({"sliding_window": 0}), "`sliding_window` is 0, but it should be a whole number from 1 to 2147483647"),
        (
            json!({"layer_types": ["full_attention", "sliding_attention"]}),
            "`layer_types` is [\"full_attention\",\"sliding_attention\"], but all layers of StarCoder2 are alike: `sliding_window` is \
             for all",
        ),
        (json!({"mlp_type": "gated"}), "`mlp_type` is \"gated\", but only \"default\" is supported"),
        (json!({"norm_type": "rms_norm"}), "`norm_type` is \"rms_norm\", but only \"layer_norm\" is supported"),
        (
            json!({"partial_rotary_factor": 0.5}),
            "`partial_rotary_factor` is 0.5, but models of this type rotate whole heads",
        ),
        (json!({"rope_scaling": {"type": "linear"}}), "`rope_scaling.factor` is missing"),
    ];
    check(&good, cases);
}
