//! Axolotl's.

use std::path::Path;

use expect_test::expect;
use train::config::{TargetModules, TrainConfig};

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
            save_total_limit: 4
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
            save_total_limit: 4
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
            sample_packing: concatenate
            micro_batch_size: 8
            gradient_accumulation_steps: 8
            max_steps: 1000
            learning_rate: 0.00001
            warmup_steps: 30
            dtype: bf16
            save_steps: 200
            save_total_limit: 4
            ---
            theirs.yaml: `sample_packing` is `concatenate`: documents stand end to end and are cut where a row ends; Axolotl cuts each into pieces of `sequence_len`, and a row holds one
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
            lr_scheduler: cosine
            warmup_steps: 15
            save_total_limit: 4
            ---
            theirs.yaml: Axolotl saves after each epoch where nothing else is said, and here only the end is kept without `save_steps`: write how many optimizer steps an epoch has
            theirs.yaml:10: `optimizer` must be `adamw`; found `muon`
            theirs.yaml:11: `lr_scheduler` `rex` is not carried over: `lr_scheduler` is `cosine` in its place, which falls to 0 at the last step; the others are `linear` and `constant`
            ---

        "#]],
    );
}

/// Documents of `pretraining_dataset` are end to end, whatever else is said, and in whichever order.
#[test]
fn documents_to_pretrain_on_are_end_to_end() {
    let documents = "pretraining_dataset: [{ path: a.jsonl }]\n";
    for packing in ["sample_packing: true\n", "sample_packing: false\n"] {
        for keys in [[documents, packing], [packing, documents]] {
            let theirs = format!("base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\n{}", keys.concat());
            let (ours, lost) = converted(&theirs);
            assert_eq!((ours.sample_packing, lost.as_str()), (data::Packing::Concatenate, ""), "{theirs}");
            let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
            assert_eq!(converted.unneeded, ["sample_packing"], "{theirs}");
        }
    }
}

#[test]
fn data_sets_beside_those_to_pretrain_on_are_told_to_be_lost() {
    let documents = "pretraining_dataset: [{ path: a.jsonl }]\n";
    let chats = "datasets: [{ path: ch.jsonl, type: chat_template }]\n";
    for keys in [[documents, chats], [chats, documents]] {
        let theirs = format!(
            "base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\nmax_steps: -1\nnum_epochs: 2\nsave_steps: 9\n{}",
            keys.concat()
        );
        let (ours, lost) = converted(&theirs);
        let paths: Vec<_> = ours.datasets.iter().map(|dataset| dataset.path.to_str().unwrap()).collect();
        assert_eq!((paths, ours.num_epochs), (vec!["a.jsonl"], Some(2)), "{theirs}");
        let line = theirs.lines().position(|line| line.starts_with("datasets")).unwrap() + 1;
        let expected = format!(
            "theirs.yaml:{line}: `datasets` is not carried over: Axolotl reads `pretraining_dataset` alone where both are given"
        );
        assert_eq!(lost, expected, "{theirs}");
    }
}

/// Axolotl leaves out nothing of a document that is longer than a row.
#[test]
fn long_documents_of_axolotl_are_cut_or_told() {
    use data::Packing::{Concatenate, FirstFit, Off};
    let alone = "`sample_packing` is `concatenate`: documents stand end to end and are cut where a row ends; Axolotl cuts each into pieces of \
                 `sequence_len`, and a row holds ";
    let mixed = "documents longer than `sequence_len` are left out, unless `excess_length_strategy` says otherwise; Axolotl cuts them into \
                 pieces: cut them in their files, or train on documents alone, for which `sample_packing` is `concatenate`";
    let [one, several] = ["one", "several whole ones"].map(|held| format!("{alone}{held}"));
    let document = "{ path: a.jsonl, type: completion }";
    let instruction = "{ path: b.jsonl, type: alpaca }";
    for (keys, packing, lost) in [
        (format!("datasets: [{document}]"), Concatenate, format!("theirs.yaml: {one}")),
        (format!("datasets: [{document}]\nsample_packing: false"), Concatenate, format!("theirs.yaml:5: {one}")),
        (format!("datasets: [{document}]\nsample_packing: true"), Concatenate, format!("theirs.yaml:5: {several}")),
        (format!("datasets: [{instruction}, {document}]"), Off, format!("theirs.yaml:4: {mixed}")),
        (
            format!("datasets: [{instruction}, {document}]\nsample_packing: true"),
            FirstFit,
            format!("theirs.yaml:4: {mixed}"),
        ),
        (format!("datasets: [{document}]\ntest_datasets: [{instruction}]"), Off, format!("theirs.yaml:4: {mixed}")),
        (format!("datasets: [{instruction}]\nsample_packing: true"), FirstFit, String::new()),
        (format!("datasets: [{instruction}]"), Off, String::new()),
    ] {
        let (ours, found) = converted(&format!("base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\n{keys}\n"));
        assert_eq!((ours.sample_packing, found), (packing, lost), "{keys}");
    }
}

/// What is said of types, in YAML 1.1 and in what Pydantic takes for a boolean. Where `bf16` is switched off, and nothing is on, Axolotl computes in f32.
#[test]
fn types_of_axolotl_are_ours() {
    use train::config::ComputeDtype::{Auto, Bf16, F32};
    for (keys, expected, told) in [
        ("bf16: auto", Auto, ""),
        ("bf16: true", Bf16, ""),
        ("bf16: True", Bf16, ""),
        ("bf16: false", F32, ""),
        ("bf16: False", F32, ""),
        ("bf16: FALSE", F32, ""),
        ("bf16: no", F32, ""),
        ("bf16: 0", F32, ""),
        ("bf16: n", F32, ""),
        ("bf16: f", F32, ""),
        ("bf16: 1", Bf16, ""),
        ("bf16: Y", Bf16, ""),
        ("bf16: bfloat16", Auto, "`bf16` is not carried over; write `dtype`: `auto`, `bf16` or `f32`"),
        ("bf16: auto\nfp16: false", Auto, ""),
        ("bf16: false\nfp16: False", F32, ""),
        ("bf16: False\nbfloat16: True", Bf16, ""),
        ("bfloat16: False", Auto, ""),
        ("bfloat16: true", Bf16, ""),
        ("float32: True", F32, ""),
        ("float32: False", Auto, ""),
        ("bf16: false\nfp16: true", Auto, "`fp16`"),
        ("bf16: false\nfloat16: true", Auto, "`float16`"),
        ("bf16: false\nload_in_8bit: true", Auto, "`load_in_8bit`"),
    ] {
        let (ours, lost) = converted(&format!("{LORA}{keys}\n"));
        assert_eq!(ours.dtype, expected, "{keys}");
        assert!(lost.contains(told) && lost.is_empty() == told.is_empty(), "{keys}: {lost}");
    }
}

/// YAML 1.1 has underscores in numbers, as we do.
#[test]
fn numbers_with_underscores_are_numbers() {
    let theirs = format!("{}max_steps: 1_000\n", LORA.replace("1e-4", "0.000_1"));
    check(
        &theirs,
        expect![[r#"
            # From theirs.yaml of Axolotl, by `finery config convert`.
            base_model: ./base
            adapter: lora
            lora_target_modules:
              - q_proj
              - v_proj
            datasets:
              - path: a.jsonl
            sequence_len: 512
            sample_packing: false
            max_steps: 1000
            learning_rate: 0.0001
            warmup_steps: 5
            save_total_limit: 4
            ---
            theirs.yaml: Axolotl saves after each epoch where nothing else is said, and here only the end is kept without `save_steps`: write how many optimizer steps an epoch has
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
        save_total_limit: 4
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
            save_total_limit: 4
            ---

            ---
            eval_steps
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

const LORA: &str =
    "base_model: ./base\nadapter: lora\nlearning_rate: 1e-4\nwarmup_steps: 5\ndatasets: [{ path: a.jsonl }]\n";

/// PEFT matches a string as a regular expression with whole paths.
#[test]
fn an_expression_for_target_modules_is_the_names_that_it_matches() {
    let mlp = ["gate_proj", "up_proj", "down_proj"].as_slice();
    let all = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"].as_slice();
    let towered = r"model.language_model.layers.[\d]+.(mlp|cross_attn|self_attn).(up|down|gate|q|k|v|o)_proj";
    for (text, names) in [
        (".*mlp.*", mlp),
        (".*q_proj|.*v_proj", &["q_proj", "v_proj"]),
        (r".*\.(q|lm)_(proj|head)", &["q_proj"]),
        (r"(.*\.q_proj|lm_head)", &["q_proj", "lm_head"]),
        (r"^(?!.*vision).*_proj$", all),
        (towered, all),
        // Those that PEFT finds nothing with, and which mean something nevertheless.
        ("q_proj", &["q_proj"]),
        ("self_attn.q_proj", &["self_attn.q_proj"]),
        ("query_key_value", &["query_key_value"]),
        ("(q|v)_proj", &["q_proj", "v_proj"]),
        ("q_proj|v_proj", &["q_proj", "v_proj"]),
    ] {
        let (ours, lost) = converted(&format!("{LORA}lora_target_modules: '{text}'\n"));
        let expected = names.iter().map(ToString::to_string).collect();
        assert_eq!(ours.lora_target_modules, TargetModules::Named(expected), "{text}");
        let told = format!("theirs.yaml:6: `lora_target_modules` is `[{}]`: ", names.join(", "));
        assert!(lost.starts_with(&told), "{text}: {lost}");
    }
    let (ours, lost) = converted(&format!("{LORA}lora_target_modules: All-Linear\n"));
    assert_eq!((ours.lora_target_modules, lost.as_str()), (TargetModules::AllLinear, ""));
}

/// What cannot be carried over trains other matrices: the command fails, and says which.
#[test]
fn an_expression_for_other_target_modules_is_refused() {
    for value in [
        "'.*query_key_value'",
        // Some layers alone, also where there are more than a model has.
        r"'.*\.[0-9]\.self_attn\.q_proj'",
        r"'.*\.([0-9]|[1-9][0-9])\.self_attn\.q_proj'",
        r"'(model\.layers\.[0-9]\.self_attn\.)?q_proj'",
        "'*q_proj'",
        "'(q_proj'",
        "'q_proj, v_proj'",
        "[]",
        "{ q_proj: true }",
    ] {
        let theirs = format!("{LORA}lora_target_modules: {value}\n");
        let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
        assert!(!converted.yaml.contains("lora_target_modules"), "{value}: {}", converted.yaml);
        let refused = converted.refused.map(|refused| refused.to_string()).unwrap_or_default();
        expect!["the result: write `lora_target_modules`"].assert_eq(refused.split(',').next().unwrap());
        let lost = converted.lost.map(|lost| lost.to_string()).unwrap_or_default();
        assert!(lost.starts_with("theirs.yaml:6: `lora_target_modules` "), "{value}: {lost}");
    }
    let theirs = format!("{LORA}lora_target_modules: '.*query_key_value'\n");
    let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
    expect![[r#"
        theirs.yaml:6: `lora_target_modules` `.*query_key_value` is not carried over: as a regular expression of whole paths it means none of Llama's modules, or not those of all layers; `all-linear`, the default, stands in its place
        the result: write `lora_target_modules`, a list of names such as `[q_proj, v_proj]`, or `all-linear`, which it is until it is given"#]].assert_eq(&format!("{}\n{}", converted.lost.unwrap(), converted.refused.unwrap()));
    // An adapter that is trained further brings its own, and without one there is none.
    for theirs in [format!("{theirs}lora_model_dir: ./adapter\n"), theirs.replace("adapter: lora", "strict: false")] {
        let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
        assert!(converted.lost.is_none() && converted.refused.is_none(), "{}", converted.yaml);
        assert!(converted.unneeded.contains(&"lora_target_modules".to_owned()), "{:?}", converted.unneeded);
    }
}

/// A schedule that there is not here is told with what stands in for it, and where that ends.
#[test]
fn schedules_of_axolotl_are_ours_or_told() {
    use train::schedule::ScheduleKind::{Constant, Cosine, Linear};
    let told = |name: &str, end: &str| {
        format!(
            "theirs.yaml:5: `lr_scheduler` `{name}` is not carried over: `lr_scheduler` is `cosine` in its place, which falls to {end} at the \
             last step; the others are `linear` and `constant`"
        )
    };
    for (keys, kind, floor, lost, unneeded) in [
        ("lr_scheduler: rex", Cosine, 0.0, told("rex", "0"), ""),
        (
            "lr_scheduler: one_cycle\ncosine_min_lr_ratio: 0.1",
            Cosine,
            0.1,
            told("one_cycle", "`cosine_min_lr_ratio`"),
            "",
        ),
        ("lr_scheduler: cosin", Cosine, 0.0, told("cosin", "0"), ""),
        ("lr_scheduler: cosine\ncosine_min_lr_ratio: 0.1", Cosine, 0.1, String::new(), ""),
        ("lr_scheduler:\ncosine_min_lr_ratio: 0.1", Cosine, 0.1, String::new(), ""),
        ("lr_scheduler: linear\ncosine_min_lr_ratio: 0.1", Linear, 0.0, String::new(), "cosine_min_lr_ratio"),
        ("lr_scheduler: constant_with_warmup", Constant, 0.0, String::new(), ""),
        ("lr_scheduler: cosine_with_min_lr\nlr_scheduler_kwargs: { min_lr_rate: 0.1 }", Cosine, 0.1, String::new(), ""),
        ("lr_scheduler: cosine_with_min_lr\nlr_scheduler_kwargs: { min_lr: 1e-5 }", Cosine, 0.1, String::new(), ""),
    ] {
        let head = "base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\ndatasets: [{ path: a.jsonl }]\n";
        let theirs = format!("{head}{keys}\n");
        let (ours, found) = converted(&theirs);
        assert_eq!(
            (ours.lr_scheduler, ours.cosine_min_lr_ratio, found.as_str()),
            (kind, floor, lost.as_str()),
            "{keys}"
        );
        assert_eq!(ours.warmup_steps, Some(5), "{keys}");
        let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
        assert_eq!(converted.unneeded.join(", "), unneeded, "{keys}");
    }
}

/// transformers warms up for `constant_with_warmup`, and never for `constant`.
#[test]
fn a_constant_rate_of_axolotl_has_no_warm_up() {
    for (keys, steps, ratio) in [
        ("lr_scheduler: constant\nwarmup_steps: 5", None, None),
        ("lr_scheduler: constant\nwarmup_ratio: 0.1", None, None),
        ("lr_scheduler: constant", None, None),
        ("lr_scheduler: constant_with_warmup\nwarmup_steps: 5", Some(5), None),
        ("lr_scheduler: constant_with_warmup", None, Some(0.03)),
    ] {
        let theirs = format!("base_model: ./base\nlearning_rate: 1e-4\ndatasets: [{{ path: a.jsonl }}]\n{keys}\n");
        let (ours, _) = converted(&theirs);
        assert_eq!((ours.warmup_steps, ours.warmup_ratio), (steps, ratio), "{keys}");
        assert_eq!(ours.lr_scheduler, train::schedule::ScheduleKind::Constant, "{keys}");
    }
}

/// What needs an evaluation that there is not is told, unless it is switched off.
#[test]
fn keys_of_an_evaluation_that_there_is_not_are_told() {
    let head = "base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\ndatasets: [{ path: a.jsonl }]\n";
    let keys = "early_stopping_patience: 3\neval_steps: 10\nload_best_model_at_end: false\n";
    let converted_from = |keys: &str| {
        let converted = TrainConfig::convert(&format!("{head}{keys}"), Path::new("theirs.yaml")).unwrap();
        assert!(converted.refused.is_none());
        (converted.lost.map(|lost| lost.to_string()).unwrap_or_default(), converted.unneeded)
    };
    let converted = |evaluation: &str| converted_from(&format!("{keys}{evaluation}"));
    expect!["theirs.yaml:5: `early_stopping_patience` is not carried over: it needs `val_set_size` or `test_datasets`, which is not given"]
        .assert_eq(&converted("").0);
    assert_eq!(converted("").1, ["eval_steps"]);
    assert_eq!(converted("val_set_size: 0.1\n"), (String::new(), Vec::new()));
    let unmeasured = keys.replace("eval_steps: 10", "early_stopping_threshold: 0.5") + "val_set_size: 0.1\n";
    expect!["theirs.yaml:5: `early_stopping_patience` is not carried over: it needs `eval_steps`, which is not given"]
        .assert_eq(&converted_from(&unmeasured).0);
}

/// Without its adapter a run would train all weights.
#[test]
fn an_adapter_of_another_kind_is_refused() {
    let theirs = LORA.replace("adapter: lora", "adapter: llama-adapter");
    let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
    expect![[r#"
        theirs.yaml:2: `adapter` must be `lora`; found `llama-adapter`
        the result: write `adapter`: all weights are trained until it is given"#]]
    .assert_eq(&format!("{}\n{}", converted.lost.unwrap(), converted.refused.unwrap()));
}

/// Its records may have the keys of a type of ours, which would lay them out in another way.
#[test]
fn a_layout_of_ones_own_is_refused() {
    let theirs = "
base_model: ./base
learning_rate: 1e-4
warmup_steps: 5
datasets:
  - path: a.jsonl
    type:
      field_instruction: instruction
      field_output: output
      format: 'Q: {instruction}'
  - path: b.jsonl
    type: {}
";
    let converted = TrainConfig::convert(theirs, Path::new("theirs.yaml")).unwrap();
    expect![[r#"
        # From theirs.yaml of Axolotl, by `finery config convert`.
        base_model: ./base
        datasets:
          - path: a.jsonl
          - path: b.jsonl
        sequence_len: 512
        sample_packing: false
        learning_rate: 0.0001
        warmup_steps: 5
        save_total_limit: 4
        ---
        theirs.yaml:7: `datasets.type` is not carried over: it is a map, which lays prompts out in its own way; write the records anew for one of our types, `prompt_completion` or `input_output`
        theirs.yaml:12: `datasets.type` must be `completion`, `chat_template`, `prompt_completion`, `alpaca`, `sharegpt` or `input_output`; found a map
        ---
        the result: write `type` of each data set whose layout is not carried over: until it is given, the keys of its records tell it
    "#]]
    .assert_eq(&format!(
        "{}---\n{}\n---\n{}\n",
        converted.yaml,
        converted.lost.unwrap(),
        converted.refused.unwrap()
    ));
}

/// So may those of a layout that we do not have; and what else is wrong hides none of it.
#[test]
fn a_layout_that_is_not_ours_is_refused() {
    let refused = |layout: &str, keys: &str| {
        let theirs =
            format!("base_model: ./base\nwarmup_steps: 5\ndatasets: [{{ path: a.jsonl, type: {layout} }}]\n{keys}");
        let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
        converted.refused.map(|refused| refused.to_string()).unwrap_or_default()
    };
    let rate = "learning_rate: 1e-4\n";
    let unknown = "the result: write `type` of each data set whose layout is not carried over: until it is given, the keys of its records tell it";
    assert_eq!(refused("gpteacher", rate), unknown);
    assert_eq!(refused("alpaca", rate), "");
    assert_eq!(refused("", rate), "");
    let both = refused("gpteacher", "");
    assert!(both.contains(unknown) && both.contains("`learning_rate` is missing"), "{both}");
}

/// What an epoch has in steps is not known here.
#[test]
fn what_axolotl_saves_unasked_is_told() {
    let head = "base_model: ./base\nlearning_rate: 1e-4\nwarmup_steps: 5\ndatasets: [{ path: a.jsonl }]\n";
    let kept = |keys: &str| {
        let (ours, lost) = converted(&format!("{head}{keys}\n"));
        (ours.save_total_limit, lost)
    };
    expect!["theirs.yaml: Axolotl saves after each epoch where nothing else is said, and here only the end is kept without `save_steps`: write how many optimizer steps an epoch has"].assert_eq(&kept("num_epochs: 3").1);
    assert_eq!(kept("max_steps: 90").1, kept("num_epochs: 3").1);
    for (keys, limit) in
        [("", 4), ("num_epochs: 1", 4), ("num_epochs: 3\nsave_steps: 50", 4), ("save_total_limit: 2", 2)]
    {
        assert_eq!(kept(keys), (Some(limit), String::new()), "{keys}");
    }
}
