//! Axolotl's.

use expect_test::expect;

use super::{check, converted};

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
