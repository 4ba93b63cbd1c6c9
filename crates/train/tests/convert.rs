//! Configurations of other tools, written as their users write them, and what becomes of them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

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

const AXOLOTL_LORA: &str = "
base_model: some-lab/Tiny-Llama-1B
model_type: LlamaForCausalLM
load_in_4bit: true
strict: false
adapter: qlora
lora_r: 16
lora_alpha: 32
lora_dropout: 0.05
lora_target_linear: true
lora_target_modules: [q_proj]
lora_model_dir:
chat_template: chatml
datasets:
  - path: some-lab/talks
    type: chat_template
    split: train
    roles_to_train: [assistant]
  - path: json
    data_files: [data/extra.jsonl]
    ds_type: json
    type: alpaca
val_set_size: 0.05
dataset_prepared_path: last_run_prepared
sequence_len: 4096
sample_packing: true
eval_sample_packing: false
pad_to_sequence_len: true
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 3.0
optimizer: paged_adamw_8bit
lr_scheduler: cosine
learning_rate: 2e-4
bf16: auto
tf32: false
gradient_checkpointing: true
gradient_checkpointing_kwargs:
  use_reentrant: false
flash_attention: true
warmup_steps: 10
evals_per_epoch: 4
saves_per_epoch: 1
weight_decay: 0.01
wandb_project: talks
wandb_entity:
special_tokens:
  pad_token: <|pad|>
output_dir: ~/runs/talks
seeed: 3
";

#[test]
fn axolotl_lora() {
    check(
        AXOLOTL_LORA,
        expect![[r##"
            # From theirs.yaml of Axolotl, by `finery config convert`.
            base_model: some-lab/Tiny-Llama-1B
            adapter: lora
            lora_r: 16
            lora_alpha: 32
            lora_dropout: 0.05
            lora_target_modules: all-linear
            datasets:
              - path: some-lab/talks
                type: chat_template
                roles:
                  user:
                    - human
                  assistant:
                    - gpt
              - path: data/extra.jsonl
                type: alpaca
            val_set_size: 0.05
            sequence_len: 4096
            sample_packing: true
            micro_batch_size: 2
            gradient_accumulation_steps: 4
            num_epochs: 3
            learning_rate: 0.0002
            lr_scheduler: cosine
            warmup_steps: 10
            optimizer: adamw
            weight_decay: 0.01
            gradient_checkpointing: true
            output_dir: "~/runs/talks"
            ---
            theirs.yaml:2: `base_model` `some-lab/Tiny-Llama-1B` must be here: if that is its name on the hub, download it
            theirs.yaml:4: `load_in_4bit` is not carried over; not supported yet: quantised weights
            theirs.yaml:6: `adapter` is `lora`: the base model's weights are not quantised, and take more memory
            theirs.yaml:13: `chat_template` `chatml` is not carried over: conversations are laid out by the tokenizer's own template; write another as a Jinja file, and its path as `chat_template`
            theirs.yaml:15: `datasets.path` `some-lab/talks` must be here: if that is its name on the hub, download it
            theirs.yaml:15: `datasets.message_field_training` is `train`: a message's `train` and `weight` say whether the loss counts it, and Axolotl does not read them
            theirs.yaml:32: `optimizer` is `adamw`: its moments are f32, not as in `paged_adamw_8bit`
            theirs.yaml:42: `evals_per_epoch` is not carried over; write `eval_steps`
            theirs.yaml:43: `saves_per_epoch` is not carried over; write `save_steps`
            theirs.yaml:45: `wandb_project` is not carried over; not supported yet: metrics go to `metrics.jsonl` and TensorBoard files, and nothing is sent anywhere
            theirs.yaml:50: `seeed` is not carried over: nobody here knows it
            ---
            model_type, datasets.ds_type, dataset_prepared_path, eval_sample_packing, flash_attention, special_tokens.pad_token
        "##]],
    );
}

/// What records of a type have no use for is lost, and said to be.
#[test]
fn axolotl_keys_of_other_records() {
    let theirs = "
base_model: ./models/base
datasets:
  - path: a.jsonl
    type: chat_template
    field_system: rules
    field_instruction: ask
  - path: b.jsonl
    type: alpaca
    field: words
    field_messages: null
learning_rate: 1.0e-5
warmup_steps: 5
";
    check(
        theirs,
        expect![[r#"
            # From theirs.yaml of Axolotl, by `finery config convert`.
            base_model: ./models/base
            datasets:
              - path: a.jsonl
                type: chat_template
                field_system: rules
                roles:
                  user:
                    - human
                  assistant:
                    - gpt
              - path: b.jsonl
                type: alpaca
            sequence_len: 512
            sample_packing: false
            learning_rate: 0.00001
            warmup_steps: 5
            ---
            theirs.yaml:4: `datasets.message_field_training` is `train`: a message's `train` and `weight` say whether the loss counts it, and Axolotl does not read them
            theirs.yaml:7: `datasets.field_instruction` is not carried over: it needs `type` to be `alpaca`, and it is `chat_template`
            theirs.yaml:10: `datasets.field` is not carried over: it needs `type` to be `completion`, and it is `alpaca`
            ---

        "#]],
    );
}

/// Where nothing is said, Axolotl's defaults are written out where ours are others.
#[test]
fn axolotl_full_fine_tuning_with_defaults() {
    let theirs = "
base_model: ./models/base
tokenizer_config: ./models/tok
datasets:
  - path: data/train.jsonl
    type: completion
test_datasets:
  - path: data/test.jsonl
    type: completion
batch_size: 64
micro_batch_size: 8
num_epochs: 1.5
max_steps: 1000
learning_rate: 1.0e-5
bf16: true
eval_steps: 0.1
save_steps: 200
chat_template: jinja
chat_template_jinja: templates/talk.jinja
resume_from_checkpoint: out/checkpoint-100
";
    check(
        theirs,
        expect![[r#"
        # From theirs.yaml of Axolotl, by `finery config convert`.
        base_model: ./models/base
        tokenizer: ./models/tok
        chat_template: templates/talk.jinja
        datasets:
          - path: data/train.jsonl
            type: completion
        test_datasets:
          - path: data/test.jsonl
            type: completion
        sequence_len: 512
        sample_packing: false
        micro_batch_size: 8
        gradient_accumulation_steps: 8
        max_steps: 1000
        learning_rate: 0.00001
        warmup_steps: 30
        dtype: bf16
        save_steps: 200
        ---
        theirs.yaml:16: `eval_steps` must be a whole number of at least 1; found `0.1`
        theirs.yaml:20: `resume_from_checkpoint` is not carried over: it is a checkpoint of Axolotl's
        ---
        num_epochs
    "#]],
    );
}

#[test]
fn axolotl_pretraining() {
    let theirs = "
base_model: ./models/base
pretraining_dataset:
  - path: data/corpus.jsonl
    text_column: text
    type: pretrain
adapter: lora
max_steps: 500
learning_rate: 1e-4
optimizer: muon
lr_scheduler: rex
";
    check(
        theirs,
        expect![[r#"
        # From theirs.yaml of Axolotl, by `finery config convert`.
        base_model: ./models/base
        adapter: lora
        lora_target_modules:
          - q_proj
          - v_proj
        datasets:
          - path: data/corpus.jsonl
            type: completion
        sequence_len: 512
        sample_packing: concatenate
        max_steps: 500
        learning_rate: 0.0001
        warmup_steps: 15
        ---
        theirs.yaml:10: `optimizer` must be `adamw`; found `muon`
        theirs.yaml:11: `lr_scheduler` must be `constant`, `linear` or `cosine`; found `rex`
        ---

    "#]],
    );
}

const LLM_FOUNDRY_LORA: &str = "
variables:
  max_seq_len: 2048
  seed: 7
max_seq_len: ${variables.max_seq_len}
run_name: dolly
model:
  name: hf_causal_lm
  pretrained: true
  pretrained_model_name_or_path: ./models/llama
  init_device: mixed
  use_flash_attention_2: true
  peft_config:
    peft_type: LORA
    task_type: CAUSAL_LM
    r: 64
    lora_alpha: 128
    lora_dropout: 0.05
    target_modules: [q_proj, v_proj]
tokenizer:
  name: ./models/llama
  kwargs:
    model_max_length: ${max_seq_len}
train_loader:
  name: finetuning
  dataset:
    hf_name: json
    hf_kwargs:
      data_files: data/train.jsonl
    split: train
    shuffle: true
    packing_ratio: auto
    max_seq_len: ${max_seq_len}
    decoder_only_format: true
  drop_last: true
  num_workers: 8
eval_loader:
  name: finetuning
  dataset:
    hf_name: json
    hf_kwargs: { data_files: data/test.jsonl }
    shuffle: false
optimizer:
  name: decoupled_adamw
  lr: 2.0e-4
  betas: [0.9, 0.95]
  eps: 1.0e-8
  weight_decay: 1.0e-6
scheduler:
  name: cosine_with_warmup
  t_warmup: 0.02dur
  alpha_f: 0.1
algorithms:
  gradient_clipping: { clipping_type: norm, clipping_threshold: 1.0 }
max_duration: 2ep
eval_interval: 100ba
eval_first: true
eval_subset_num_batches: -1
global_train_batch_size: 64
device_train_microbatch_size: 4
device_eval_batch_size: 4
seed: ${variables.seed}
precision: amp_bf16
fsdp_config:
  sharding_strategy: FULL_SHARD
  mixed_precision: PURE
  activation_checkpointing: true
progress_bar: false
log_to_console: true
console_log_interval: 10ba
callbacks:
  lr_monitor: {}
  speed_monitor: { window_size: 10 }
loggers:
  wandb: { project: dolly }
save_interval: 1ep
save_num_checkpoints_to_keep: 2
save_folder: ./{run_name}/checkpoints
";

#[test]
fn llm_foundry_lora() {
    check(
        LLM_FOUNDRY_LORA,
        expect![[r##"
            # From theirs.yaml of LLM Foundry, by `finery config convert`.
            base_model: ./models/llama
            adapter: lora
            lora_r: 64
            lora_alpha: 128
            lora_dropout: 0.05
            lora_target_modules:
              - q_proj
              - v_proj
            datasets:
              - path: data/train.jsonl
            test_datasets:
              - path: data/test.jsonl
            sequence_len: 2048
            sample_packing: true
            excess_length_strategy: truncate
            skip_bad: true
            micro_batch_size: 4
            gradient_accumulation_steps: 16
            max_duration: "2ep"
            learning_rate: 0.0002
            lr_scheduler: cosine
            warmup_ratio: 0.02
            cosine_min_lr_ratio: 0.1
            adam_beta1: 0.9
            adam_beta2: 0.95
            adam_epsilon: 1e-8
            weight_decay: 0.005
            max_grad_norm: 1.0
            dtype: bf16
            gradient_checkpointing: full
            seed: 7
            output_dir: ./dolly/checkpoints
            logging_steps: 10
            eval_steps: 100
            save_total_limit: 2
            ---
            theirs.yaml:25: `train_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone
            theirs.yaml:38: `eval_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone
            theirs.yaml:57: `eval_first` is not carried over; not supported yet: the first evaluation follows `eval_steps` steps
            theirs.yaml:65: `fsdp_config.sharding_strategy` is not carried over: write `mesh` for the devices that there are
            theirs.yaml:66: `fsdp_config.mixed_precision` `PURE` is not carried over: gradients are added up in f32 unless `mesh` has `reduce_dtype: bf16`
            theirs.yaml:75: `loggers.wandb` is not carried over; not supported yet: metrics go to `metrics.jsonl` and TensorBoard files, and nothing is sent anywhere
            theirs.yaml:76: `save_interval` `1ep` is not carried over: `save_steps` counts optimizer steps
            ---
            run_name, model.init_device, model.use_flash_attention_2, tokenizer.kwargs.model_max_length, train_loader.num_workers, device_eval_batch_size, callbacks.speed_monitor
        "##]],
    );
}

#[test]
fn llm_foundry_pretraining() {
    let theirs = "
max_seq_len: 1024
global_seed: 17
model:
  name: hf_causal_lm
  pretrained: false
  pretrained_model_name_or_path: ./shapes/125m
tokenizer: { name: ./tokenizers/bpe }
train_loader:
  name: text
  dataset: { local: ./my-copy, remote: null, split: train, shuffle: true, shuffle_seed: 17 }
optimizer: { name: decoupled_lionw, lr: 1.0e-3, weight_decay: 1.0e-4 }
scheduler: { name: inv_sqrt_with_warmup, t_warmup: 100ba, t_scale: 100ba }
max_duration: 4800
global_train_batch_size: 256
device_train_microbatch_size: auto
precision: amp_fp16
save_folder: s3://bucket/run
";
    check(
        theirs,
        expect![[r#"
            # From theirs.yaml of LLM Foundry, by `finery config convert`.
            model_config: ./shapes/125m
            tokenizer: ./tokenizers/bpe
            datasets:
              - path: ./my-copy
                type: completion
            sequence_len: 1024
            sample_packing: concatenate
            micro_batch_size: auto
            global_batch_size: 256
            num_epochs: 4800
            learning_rate: 0.001
            warmup_steps: 100
            adam_beta2: 0.95
            weight_decay: 0.1
            max_grad_norm: 0
            seed: 17
            save_steps: 1000
            ---
            theirs.yaml:11: `local`: a folder of MDS shards, or an object store, is not read yet: write its texts into a JSONL file
            theirs.yaml:12: `optimizer.name` `decoupled_lionw` is not supported yet: the update is AdamW's, which wants other rates
            theirs.yaml:12: `weight_decay` spares norms, biases and other vectors, which LLM Foundry decays too
            theirs.yaml:13: `scheduler.name` is not carried over; write `lr_scheduler`: `constant`, `linear` or `cosine`
            theirs.yaml:13: `scheduler.t_scale` is not carried over: nobody here knows it
            theirs.yaml:17: `precision` `amp_fp16` is not supported yet: `dtype` is `auto`
            theirs.yaml:18: `save_folder` `s3://bucket/run` is not carried over: `output_dir` is a folder on this machine
            ---
            train_loader.dataset.shuffle_seed
        "#]],
    );
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

/// Only what is known to be harmless is left out with little said; with the default of its tool, nothing is said of the others either.
#[test]
fn what_changes_the_training_is_told() {
    let theirs = "
base_model: tests/fixtures
datasets:
  - path: tests/fixtures/data.jsonl
    type: chat_template
    roles_to_train: [user]
    train_on_eos: none
    message_field_training_detail: parts
    name: main
  - path: tests/fixtures/data.jsonl
    type: sharegpt
    roles_to_train: [assistant]
    train_on_eos: turn
    conversation: chatml
rope_scaling: { type: linear, factor: 2.0 }
overrides_of_model_config: { rope_theta: 500000 }
special_tokens: { eos_token: <|end|>, pad_token: <|pad|>, sep_token: <|sep|> }
eot_tokens: [<|end|>]
peft_init_lora_weights: pissa
s2_attention: true
dataset_shard_num: 10
plugins:
  - axolotl.integrations.liger.LigerPlugin
  - mine.Plugin
learning_rate: 1e-4
warmup_steps: 5
";
    check(
        theirs,
        expect![[r#"
        # From theirs.yaml of Axolotl, by `finery config convert`.
        base_model: tests/fixtures
        datasets:
          - path: tests/fixtures/data.jsonl
            type: chat_template
            roles:
              user:
                - human
              assistant:
                - gpt
          - path: tests/fixtures/data.jsonl
            type: sharegpt
        sequence_len: 512
        sample_packing: false
        learning_rate: 0.0001
        warmup_steps: 5
        ---
        theirs.yaml:4: `datasets.message_field_training` is `train`: a message's `train` and `weight` say whether the loss counts it, and Axolotl does not read them
        theirs.yaml:6: `datasets.roles_to_train` is not carried over; not supported yet: the loss counts what the assistant says and the end of its turn; `{% generation %}` in a template says otherwise
        theirs.yaml:7: `datasets.train_on_eos` is not carried over; not supported yet: the loss counts what the assistant says and the end of its turn; `{% generation %}` in a template says otherwise
        theirs.yaml:8: `datasets.message_field_training_detail` is not carried over; not supported yet: the loss counts what the assistant says and the end of its turn; `{% generation %}` in a template says otherwise
        theirs.yaml:9: `datasets.name` is not carried over; write `path`, a file or a folder on this machine with that part or revision
        theirs.yaml:14: `datasets.conversation` is not carried over; write `chat_template` beside `datasets`, one for all
        theirs.yaml:15: `rope_scaling` is not carried over; not supported yet: change the `config.json` of `base_model`, or write `model_config` to train from scratch
        theirs.yaml:16: `overrides_of_model_config` is not carried over; not supported yet: change the `config.json` of `base_model`, or write `model_config` to train from scratch
        theirs.yaml:17: `special_tokens.eos_token` is not carried over; not supported yet: special tokens are those of the tokenizer's files, where they can be changed
        theirs.yaml:17: `special_tokens.sep_token` is not carried over: nobody here knows it
        theirs.yaml:18: `eot_tokens` is not carried over; not supported yet: special tokens are those of the tokenizer's files, where they can be changed
        theirs.yaml:19: `peft_init_lora_weights` is not carried over; not supported yet: a new adapter's first matrix is drawn, the second is zero, and both are f32
        theirs.yaml:20: `s2_attention` is not carried over; not supported yet: changes to a model's layers while training
        theirs.yaml:21: `dataset_shard_num` is not carried over; write `weight`, 0.1 for one of ten shards
        theirs.yaml:24: `plugins` `mine.Plugin` is not carried over: no code of others is loaded
        ---
        special_tokens.pad_token, plugins.axolotl.integrations.liger.LigerPlugin
    "#]],
    );
}

/// The same of LLM Foundry's.
#[test]
fn what_changes_the_training_is_told_of_llm_foundry() {
    let theirs = "
max_seq_len: 64
model:
  name: hf_causal_lm
  pretrained_model_name_or_path: tests/fixtures
  config_overrides: { rope_theta: 500000, attn_pdrop: 0.1 }
  load_in_8bit: true
tokenizer: { name: tests/fixtures, kwargs: { add_bos_token: true } }
train_loader:
  name: finetuning
  dataset: { hf_name: data.jsonl, hf_kwargs: { name: main }, target_prompts: length>=2, decoder_only_format: true }
  drop_last: true
  num_workers: 8
  collate_fn: mine
optimizer: { name: decoupled_adamw, lr: 1e-4 }
scheduler: { name: linear_decay_with_warmup, t_warmup: 2ba, alpha_i: 0.5 }
max_duration: 10ba
fsdp_config: { sharding_strategy: NO_SHARD, mixed_precision: DEFAULT, limit_all_gathers: true, te_shard_fp8_weight: true }
callbacks: { layer_freezing: { layer_names: [wte] } }
";
    check(
        theirs,
        expect![[r##"
        # From theirs.yaml of LLM Foundry, by `finery config convert`.
        base_model: tests/fixtures
        datasets:
          - path: data.jsonl
        sequence_len: 64
        sample_packing: false
        excess_length_strategy: truncate
        skip_bad: true
        max_duration: "10ba"
        learning_rate: 0.0001
        lr_scheduler: linear
        warmup_steps: 2
        adam_beta2: 0.95
        weight_decay: 0.1
        max_grad_norm: 0
        dtype: bf16
        seed: 17
        ---
        theirs.yaml:6: `model.config_overrides` is not carried over; not supported yet: change the `config.json` of `base_model`
        theirs.yaml:7: `model.load_in_8bit` is not carried over; not supported yet: quantised weights
        theirs.yaml:8: `tokenizer.kwargs` is not carried over; not supported yet: the tokenizer is as its files have it
        theirs.yaml:10: `train_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone
        theirs.yaml:11: `train_loader.dataset.target_prompts` is not carried over; write `train_on_inputs: true`
        theirs.yaml:11: `train_loader.dataset.hf_kwargs.name` is not carried over: nobody here knows it
        theirs.yaml:14: `train_loader.collate_fn` is not carried over: nobody here knows it
        theirs.yaml:15: `weight_decay` spares norms, biases and other vectors, which LLM Foundry decays too
        theirs.yaml:16: `scheduler.alpha_i` is not carried over; not supported yet: the schedule begins at `learning_rate`
        theirs.yaml:18: `fsdp_config.te_shard_fp8_weight` is not carried over: nobody here knows it
        theirs.yaml:19: `callbacks` is not carried over; not supported yet: nothing is called while training
        ---
        train_loader.num_workers, fsdp_config.mixed_precision, fsdp_config.limit_all_gathers
    "##]],
    );
}

/// PyTorch's AdamW multiplies its decay with the learning rate, as ours does; Composer's does not.
#[test]
fn the_decay_of_pytorch_is_ours() {
    for (optimizer, expected) in [
        ("{ name: adamw, lr: 1e-4, weight_decay: 0.1 }", ["weight_decay: 0.1\n", ""]),
        ("{ name: adamw, lr: 1e-4 }", ["weight_decay: 0.01\n", ""]),
        ("{ name: adamw, lr: 1e-4, betas: [0.9, 0.9], weight_decay: 0 }", ["", "adam_beta2: 0.9\n"]),
        ("{ name: decoupled_adamw, lr: 1e-4, weight_decay: 1e-5 }", ["weight_decay: 0.1\n", "adam_beta2: 0.95\n"]),
        ("{ name: decoupled_adamw, lr: 1e-4 }", ["weight_decay: 0.1\n", "adam_beta2: 0.95\n"]),
    ] {
        let theirs = format!(
            "model: {{ name: hf_causal_lm, pretrained_model_name_or_path: ./base }}\n\
             train_loader: {{ name: finetuning, dataset: {{ hf_name: a.jsonl }} }}\nmax_duration: 1ep\noptimizer: {optimizer}\n"
        );
        let yaml = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap().yaml;
        let written = ["weight_decay", "adam_beta2"].map(|key| {
            yaml.lines().find(|line| line.starts_with(key)).map(|line| format!("{line}\n")).unwrap_or_default()
        });
        assert_eq!(written, expected, "{optimizer}");
    }
}

/// What says nothing in Axolotl is no reason to refuse the result.
#[test]
fn what_is_switched_off_is_left_out() {
    check(
        "
base_model: ./base
datasets: [{ path: a.jsonl }]
test_datasets: []
eval_steps: 50
learning_rate: 2e-4
warmup_steps: 5
resume_from_checkpoint: false
",
        expect![[r#"
            # From theirs.yaml of Axolotl, by `finery config convert`.
            base_model: ./base
            datasets:
              - path: a.jsonl
            sequence_len: 512
            sample_packing: false
            learning_rate: 0.0002
            warmup_steps: 5
            ---

            ---

        "#]],
    );
}

/// Our configuration, and what was lost.
#[track_caller]
fn converted(theirs: &str) -> (TrainConfig, String) {
    let converted = TrainConfig::convert(theirs, Path::new("theirs.yaml")).unwrap_or_else(|errors| panic!("{errors}"));
    let ours = TrainConfig::parse(&converted.yaml, Path::new("ours.yaml"), &[]).unwrap();
    (ours, converted.lost.map(|lost| lost.to_string()).unwrap_or_default())
}

/// Axolotl reads `human` and `gpt` under whatever key they stand.
#[test]
fn roles_of_axolotl_keep_their_names() {
    let sharegpt = "message_property_mappings: { role: from, content: value }";
    for (keys, is_written) in [
        (format!("type: chat_template, field_messages: conversations, {sharegpt}"), true),
        ("type: chat_template".to_owned(), true),
        ("type: chat_template, roles: {}".to_owned(), true),
        (format!("type: sharegpt, {sharegpt}"), true),
        ("message_field_role: from".to_owned(), true),
        // These names are read without.
        ("type: sharegpt".to_owned(), false),
        ("type: chat_template, roles: { assistant: [bot] }".to_owned(), false),
        ("type: alpaca".to_owned(), false),
        ("type: completion".to_owned(), false),
    ] {
        let theirs = format!(
            "base_model: ./base\nlearning_rate: 1e-4\ndatasets: [{{ path: a.jsonl, {keys} }}]\nwarmup_steps: 5\n"
        );
        let roles = converted(&theirs).0.datasets[0].roles.clone();
        let names = |name: &str| vec![name.to_owned()];
        let axolotls = [("user".to_owned(), names("human")), ("assistant".to_owned(), names("gpt"))].into();
        assert_eq!(roles.is_some_and(|roles| roles.0 == axolotls), is_written, "{keys}");
    }
}

/// No role is trained, which is not what is done where nothing is said.
#[test]
fn no_role_to_train_is_not_the_default() {
    let lost = |keys: &str| {
        let dataset = format!("{{ path: a.jsonl, type: chat_template, message_field_training: train, {keys} }}");
        converted(&format!("base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\ndatasets: [{dataset}]\n")).1
    };
    assert_eq!(lost("roles_to_train: [assistant]"), "");
    assert_eq!(lost("roles_to_train: null"), "");
    expect!["theirs.yaml:4: `datasets.roles_to_train` is not carried over; not supported yet: the loss counts what the assistant says and the end of its turn; `{% generation %}` in a template says otherwise"]
        .assert_eq(&lost("roles_to_train: []"));
    // Where nothing is the default, an empty list is it.
    assert_eq!(lost("roles_to_train: [assistant], input_format: []"), "");
}

/// Axolotl looks at a message's own word only where it is told its key.
#[test]
fn what_messages_say_of_themselves_is_told() {
    let lost = |keys: &str| {
        let datasets = format!("datasets:\n  - {{ path: a.jsonl, type: alpaca }}\n  - {{ path: b.jsonl, {keys} }}\n");
        converted(&format!("base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\n{datasets}")).1
    };
    let told = "theirs.yaml:6: `datasets.message_field_training` is `train`: a message's `train` and `weight` say whether the loss counts it, and Axolotl does not read them";
    assert_eq!(lost("type: chat_template"), told);
    assert_eq!(lost("type: sharegpt"), told);
    assert_eq!(lost("type: chat_template, message_field_training: train"), "");
    assert_eq!(lost("type: alpaca"), "");
}

/// 3 % of all steps, and no more than 100 of them.
#[test]
fn the_warm_up_of_axolotl_is_bounded() {
    for (steps, expected) in [
        ("max_steps: 500", (Some(15), None)),
        ("max_steps: 20000", (Some(100), None)),
        ("max_steps: 50", (Some(2), None)),
        ("max_steps: 20", (None, None)),
        ("max_steps: 500\nwarmup_ratio: 0.5", (None, Some(0.5))),
        ("max_steps: 500\nwarmup_steps: 0", (Some(0), None)),
        ("num_epochs: 3", (None, Some(0.03))),
    ] {
        let theirs = format!("base_model: ./base\nlearning_rate: 1e-4\ndatasets: [{{ path: a.jsonl }}]\n{steps}\n");
        let (ours, lost) = converted(&theirs);
        assert_eq!((ours.warmup_steps, ours.warmup_ratio), expected, "{steps}");
        assert_eq!(
            lost.contains("Axolotl warms up for 100 steps at most"),
            steps == "num_epochs: 3",
            "{steps}: {lost}"
        );
    }
}

/// LLM Foundry's files of fine-tuning with one loader's keys given, and perhaps another loader.
fn llm_foundry(train: &str, rest: &str) -> String {
    format!(
        "max_seq_len: 2048\nmodel: {{ name: hf_causal_lm, pretrained_model_name_or_path: ./base, peft_config: {{ r: 8 }} }}\n\
         optimizer: {{ name: decoupled_adamw, lr: 1e-4 }}\nmax_duration: 1ep\n\
         train_loader: {{ name: finetuning, dataset: {{ hf_name: a.jsonl, {train} }} }}\n{rest}"
    )
}

/// Only `target_responses: all` is what is done here.
#[test]
fn the_answers_that_llm_foundry_learns_are_told() {
    let told = "theirs.yaml:5: `train_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone";
    for (keys, expected, on_inputs) in [
        ("target_responses: all", "", false),
        ("target_responses: last", told, false),
        ("target_responses: null", told, false),
        ("shuffle: true", told, false),
        ("target_prompts: all", told, true),
        ("target_prompts: all, target_responses: all", "", true),
    ] {
        let (ours, lost) = converted(&llm_foundry(keys, ""));
        assert_eq!((lost.as_str(), ours.train_on_inputs), (expected, on_inputs), "{keys}");
    }
}

/// There a long sample is cut off, and left out where nothing to learn stands before the cut.
#[test]
fn long_samples_of_llm_foundry_are_cut_off() {
    let theirs = llm_foundry("target_responses: all", "");
    let ours = converted(&theirs).0;
    assert_eq!((ours.excess_length_strategy, ours.skip_bad), (data::ExcessLength::Truncate, true));
    // Of texts end to end none is long.
    let ours = converted(&theirs.replace("finetuning", "text")).0;
    assert_eq!((ours.excess_length_strategy, ours.skip_bad), (data::ExcessLength::Drop, false));
}

#[test]
fn what_loaders_say_of_evaluations_is_told_as_theirs() {
    let rest = "eval_loader:
  - label: one
    name: finetuning
    num_workers: 8
    collate_fn: mine
    dataset: { hf_name: b.jsonl, target_responses: all, target_prompts: none, shuffle: false, max_seq_len: 2048, mix: 1 }
  - name: finetuning
    dataset: { hf_name: c.jsonl, target_prompts: length>=2, shuffle: true, max_seq_len: 512, preprocessing_fn: f }
";
    check(
        &llm_foundry("target_prompts: all, max_seq_len: 1024", rest),
        expect![[r##"
        # From theirs.yaml of LLM Foundry, by `finery config convert`.
        base_model: ./base
        adapter: lora
        lora_r: 8
        datasets:
          - path: a.jsonl
        test_datasets:
          - path: b.jsonl
          - path: c.jsonl
        sequence_len: 1024
        sample_packing: false
        excess_length_strategy: truncate
        train_on_inputs: true
        skip_bad: true
        max_duration: "1ep"
        learning_rate: 0.0001
        adam_beta2: 0.95
        weight_decay: 0.1
        max_grad_norm: 0
        dtype: bf16
        seed: 17
        ---
        theirs.yaml:1: `max_seq_len` is not carried over: `sequence_len` is that of `train_loader`, `1024`
        theirs.yaml:5: `train_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone
        theirs.yaml:10: `eval_loader.collate_fn` is not carried over: nobody here knows it
        theirs.yaml:11: `eval_loader.dataset.max_seq_len` is not carried over: `sequence_len` is that of training, `1024`
        theirs.yaml:11: `eval_loader.dataset.target_prompts` is `all`: `train_on_inputs` holds for evaluations too
        theirs.yaml:11: `eval_loader.dataset.mix` is not carried over: nobody here knows it
        theirs.yaml:12: `eval_loader.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone
        theirs.yaml:13: `eval_loader.dataset.max_seq_len` is not carried over: `sequence_len` is that of training, `1024`
        theirs.yaml:13: `eval_loader.dataset.target_prompts` is `all`: `train_on_inputs` holds for evaluations too
        theirs.yaml:13: `eval_loader.dataset.preprocessing_fn` is not carried over; not supported yet: bring the records into a form that `type` of `datasets` names
        ---
        eval_loader.dataset.shuffle, eval_loader.num_workers
    "##]],
    );
    let (ours, lost) = converted(&llm_foundry("target_responses: all, max_seq_len: 1024", ""));
    assert_eq!(ours.sequence_len, 1024);
    expect!["theirs.yaml:1: `max_seq_len` is not carried over: `sequence_len` is that of `train_loader`, `1024`"]
        .assert_eq(&lost);
}

/// An adapter is matrices, which are decayed here and there.
#[test]
fn what_composer_decays_besides_matrices_is_told() {
    let theirs = llm_foundry("target_responses: all", "");
    assert_eq!(converted(&theirs).1, "");
    let full = theirs.replace(", peft_config: { r: 8 }", "");
    expect!["theirs.yaml:3: `weight_decay` spares norms, biases and other vectors, which LLM Foundry decays too"]
        .assert_eq(&converted(&full).1);
    assert_eq!(converted(&full.replace("lr: 1e-4", "lr: 1e-4, weight_decay: 0")).1, "");
}
