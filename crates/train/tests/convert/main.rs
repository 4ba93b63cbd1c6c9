//! Configurations of other tools, written as their users write them, and what becomes of them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod axolotl;
mod llm_foundry;

use std::path::Path;

use expect_test::{Expect, expect};
use train::config::TrainConfig;

/// The result, what was lost, and what was not needed. The result must be one of ours.
#[track_caller]
fn check(theirs: &str, expected: Expect) {
    let converted = TrainConfig::convert(theirs, Path::new("theirs.yaml")).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(converted.refused.is_none(), "{}\n{}", converted.yaml, converted.refused.unwrap());
    TrainConfig::parse(&converted.yaml, Path::new("ours.yaml"), &[]).unwrap();
    let lost = converted.lost.map(|lost| lost.to_string()).unwrap_or_default();
    expected.assert_eq(&format!("{}---\n{lost}\n---\n{}\n", converted.yaml, converted.unneeded.join(", ")));
}

/// Our configuration, and what was lost.
#[track_caller]
fn converted(theirs: &str) -> (TrainConfig, String) {
    let converted = TrainConfig::convert(theirs, Path::new("theirs.yaml")).unwrap_or_else(|errors| panic!("{errors}"));
    let ours = TrainConfig::parse(&converted.yaml, Path::new("ours.yaml"), &[]).unwrap();
    (ours, converted.lost.map(|lost| lost.to_string()).unwrap_or_default())
}

#[test]
fn what_cannot_be_converted_is_said() {
    let refused = |text: &str| TrainConfig::convert(text, Path::new("theirs.yaml")).unwrap_err().to_string();
    expect!["theirs.yaml: this is no configuration of Axolotl, which has `base_model`, nor of LLM Foundry, which has `train_loader`"].assert_eq(&refused("per_device_train_batch_size: 8\n"));
    expect!["theirs.yaml: this is no configuration of Axolotl, which has `base_model`, nor of LLM Foundry, which has `train_loader`"].assert_eq(&refused("- a\n"));
    // torchtune's, whose `model` is a map too.
    expect!["theirs.yaml: this is no configuration of Axolotl, which has `base_model`, nor of LLM Foundry, which has `train_loader`"].assert_eq(&refused("model: { _component_: torchtune.models.llama3_1.lora_llama3_1_8b }\nbatch_size: 2\n"));
    expect!["theirs.yaml:2: this is not YAML: while parsing a node, did not find expected node content"]
        .assert_eq(&refused("base_model: [\n"));
    // Its model is none of ours, and so the result is not whole.
    let mpt = "
max_seq_len: 2048
model: { name: mpt_causal_lm, d_model: 768, n_heads: 12, n_layers: 12 }
tokenizer: { name: ./neox }
train_loader: { name: finetuning, dataset: { hf_name: data/a.jsonl } }
optimizer: { name: decoupled_adamw, lr: 6.0e-4 }
scheduler: { name: linear_decay_with_warmup, t_warmup: 0ba, alpha_f: 0.1 }
max_duration: 100ba
";
    let converted = TrainConfig::convert(mpt, Path::new("mpt.yaml")).unwrap();
    expect![[r##"
        # From mpt.yaml of LLM Foundry, by `finery config convert`.
        tokenizer: ./neox
        datasets:
          - path: data/a.jsonl
        sequence_len: 2048
        sample_packing: false
        excess_length_strategy: truncate
        skip_bad: true
        max_duration: "100ba"
        learning_rate: 0.0006
        lr_scheduler: linear
        adam_beta2: 0.95
        weight_decay: 0.0166667
        max_grad_norm: 0
        dtype: bf16
        seed: 17
        ---
        mpt.yaml:3: `model.name` is `mpt_causal_lm`: write the shape as `model_config`, with Hugging Face's names, or a preset of `finery models --presets`
        mpt.yaml:5: `train_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone
        mpt.yaml:6: `weight_decay` spares norms, biases and other vectors, which LLM Foundry decays too
        mpt.yaml:7: `scheduler.alpha_f` is not carried over: `lr_scheduler: linear` falls to 0
        ---
        the result: give `base_model` to start from a model's weights, or `model_config` to train from scratch
    "##]].assert_eq(&format!(
        "{}---\n{}\n---\n{}\n",
        converted.yaml,
        converted.lost.unwrap(),
        converted.refused.unwrap()
    ));
}
