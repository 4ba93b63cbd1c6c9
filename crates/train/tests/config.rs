//! The configuration as a user meets it: what a file resolves to, what each mistake is answered with, and the
//! reference.

use std::path::Path;

use expect_test::{Expect, expect, expect_file};
use train::config::{ComputeDtype, Duration, HeldOut, ModelConfig, TargetModules, TrainConfig};

const MINIMAL: &str = "\
base_model: models/llama
datasets:
  - path: train.jsonl
    type: chat_template
learning_rate: 1e-4
";

fn parse(yaml: &str, overrides: &[&str]) -> Result<TrainConfig, String> {
    let overrides: Vec<_> = overrides.iter().map(|text| (*text).to_owned()).collect();
    TrainConfig::parse(yaml, Path::new("config.yaml"), &overrides).map_err(|errors| errors.to_string())
}

fn valid(yaml: &str, overrides: &[&str]) -> TrainConfig {
    parse(yaml, overrides).unwrap_or_else(|errors| panic!("refused:\n{errors}"))
}

/// `extra` is appended to [`MINIMAL`], so that its first line is line 6.
fn check_errors(extra: &str, overrides: &[&str], expected: Expect) {
    check_file_errors(&format!("{MINIMAL}{extra}"), overrides, expected);
}

fn check_file_errors(yaml: &str, overrides: &[&str], expected: Expect) {
    match parse(yaml, overrides) {
        Ok(config) => panic!("accepted:\n{}", config.to_yaml()),
        Err(errors) => expected.assert_eq(&errors),
    }
}

#[test]
fn reference_in_docs_is_current() {
    expect_file!["../../../docs/config.md"].assert_eq(&TrainConfig::reference_markdown());
    expect_file!["../../../docs/other-tools.md"].assert_eq(&TrainConfig::other_tools_markdown());
}

/// The key surface: a key that appears, disappears or changes its default shows here.
#[test]
fn keys_and_defaults_are_frozen() {
    expect![[r#"
        base_model: models/llama
        adapter: lora
        lora_r: 8
        lora_alpha: 16.0
        lora_dropout: 0.0
        lora_target_modules: all-linear
        peft_use_rslora: false
        peft_use_dora: false
        peft_layers_to_transform: []
        lora_modules_to_save: []
        datasets:
          - path: train.jsonl
            type: chat_template
        test_datasets: []
        val_set_size: 0
        sequence_len: 2048
        sample_packing: true
        excess_length_strategy: drop
        train_on_inputs: false
        skip_bad: false
        micro_batch_size: 1
        gradient_accumulation_steps: 1
        learning_rate: 0.0001
        lr_scheduler: cosine
        cosine_min_lr_ratio: 0.0
        optimizer: adamw
        adam_beta1: 0.9
        adam_beta2: 0.999
        adam_epsilon: 1e-8
        weight_decay: 0.0
        max_grad_norm: 1.0
        z_loss_multiplier: 0.0
        dtype: auto
        gradient_checkpointing: auto
        scan_layers: auto
        kernels: auto
        loss_chunk_tokens: auto
        mesh:
          dp: 1
          fsdp: 1
          mp: 1
          sharding: zero3
          sequence_parallel: false
          reduce_dtype: f32
        seed: 42
        output_dir: ./model-out
        logging_steps: 1
    "#]]
    .assert_eq(&valid(MINIMAL, &["adapter=lora"]).to_yaml());
}

#[test]
fn what_is_written_reads_back_equal() {
    let scratch = "
variables: { width: 64, run: pre train }
model_config:
  hidden_size: ${variables.width}
  rope_scaling: { factor: 8.0, rope_type: llama3 }
  architectures: [LlamaForCausalLM]
  pad_token_id: null
  nested: [[1, [], {}], [null, 1.5e-7, '~'], {a b: '1'}]
  torch_dtype: 'true'
tokenizer: tok
output_dir: 'runs/${variables.run}: 1'
datasets:
  - { path: a.jsonl, type: completion, field: body, weight: 0.25, split: 'train[:90%]+dev' }
  - path: b
    message_property_mappings: { role: from, content: value }
    roles: { assistant: [gpt, 'no'], user: [human] }
    message_field_training: learn
sample_packing: concatenate
test_datasets: [{ path: '#b.jsonl', type: alpaca }]
learning_rate: 3.0e-4
lr_scheduler: linear
max_duration: 1_000_000tok
gradient_checkpointing: true
";
    let cases: &[(&str, &[&str])] = &[
        (MINIMAL, &[]),
        (MINIMAL, &["adapter=lora", "lora_target_modules=[q_proj,v_proj]", "val_set_size=0.05", "warmup_ratio=0.03"]),
        (
            MINIMAL,
            &["output_dir=\"a\\tb \\\"c\\\" : d\"", "val_set_size=200", "max_steps=7", "seed=18446744073709551615"],
        ),
        (scratch, &[]),
    ];
    for (yaml, overrides) in cases {
        let config = valid(yaml, overrides);
        assert_eq!(valid(&config.to_yaml(), &[]), config, "written as:\n{}", config.to_yaml());
    }
}

#[test]
fn values_are_read_as_their_key_types_them() {
    let config = valid(
        MINIMAL,
        &[
            "adapter=lora",
            "lora_target_modules=[q_proj, 'v_proj']",
            "max_duration=2_000ba",
            "val_set_size=0.25",
            "dtype=bfloat16",
            "datasets.1.path=1e5",
            "datasets.1.type=completion",
            "tokenizer=no",
            "seed=1_000",
        ],
    );
    assert_eq!(config.lora_target_modules, TargetModules::Named(vec!["q_proj".into(), "v_proj".into()]));
    assert_eq!(config.duration(), Duration::Steps(2000));
    assert_eq!(config.val_set_size, HeldOut(Some(data::ValSetSize::Fraction(0.25))));
    assert_eq!(config.dtype, ComputeDtype::Bf16);
    assert_eq!(config.datasets[1].path, Path::new("1e5"));
    assert_eq!(config.seed, 1000);
    assert_eq!(config.learning_rate, 1e-4);
    assert_eq!(config.tokenizer_path(), Some(Path::new("no")));
}

#[test]
fn references_take_the_type_of_what_they_refer_to() {
    let yaml = "
variables:
  lr: 3e-4
  name: tiny
  shape: &shape { hidden_size: 64 }
model_config: ${variables.shape}
tokenizer: ${variables.name}/tok
output_dir: ${tokenizer}/out
learning_rate: ${variables.lr}
datasets: [{ path: a, type: completion }]
";
    let config = valid(yaml, &["variables.lr=5e-4"]);
    assert_eq!(config.learning_rate, 5e-4);
    assert_eq!(config.output_dir, Path::new("tiny/tok/out"));
    let Some(ModelConfig::Inline(shape)) = &config.model_config else { panic!("{:?}", config.model_config) };
    assert_eq!(shape["hidden_size"], 64);
}

#[test]
fn null_counts_as_not_given() {
    let plain = valid(MINIMAL, &[]);
    assert_eq!(valid(&format!("{MINIMAL}lora_r:\nval_set_size: null\nmax_steps: ~\n"), &[]), plain);
    assert_eq!(valid(&format!("{MINIMAL}num_epochs: 3\n"), &["num_epochs=null", "seed=1", "seed=42"]), plain);
    assert_eq!(plain.duration(), Duration::Epochs(1));
}

#[test]
fn the_default_of_another_tool_counts_as_not_given() {
    let theirs = format!("{MINIMAL}num_epochs: 3\nmax_steps: -1\neval_subset_num_batches: -1\n");
    assert_eq!(valid(&theirs, &[]), valid(&format!("{MINIMAL}num_epochs: 3\n"), &[]));
    assert_eq!(valid(&format!("{MINIMAL}max_steps: 5\n"), &["max_steps=-1"]), valid(MINIMAL, &[]));
    check_file_errors(
        &format!("{MINIMAL}max_steps: -2\n"),
        &[],
        expect!["config.yaml:6: `max_steps` must be a whole number of at least 1; found `-2`"],
    );
}

/// Editors on Windows begin files with one.
#[test]
fn a_byte_order_mark_is_no_part_of_the_first_key() {
    assert_eq!(valid(&format!("\u{feff}{MINIMAL}"), &[]), valid(MINIMAL, &[]));
    check_file_errors(
        "\u{feff}[a]: 1\n",
        &[],
        expect!["config.yaml:1: a key must be a plain word, not a list, a map or an alias"],
    );
}

#[test]
fn files_that_are_no_utf_8_are_told_from_broken_ones() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |bytes: &[u8]| {
        let path = folder.path().join("config.yaml");
        std::fs::write(&path, bytes).unwrap();
        let errors = TrainConfig::load(&path, &[]).expect_err("no UTF-8").to_string();
        errors.replace(&format!("{}/", folder.path().display()), "")
    };
    let utf_16 =
        |endian: fn(u16) -> [u8; 2]| -> Vec<u8> { "\u{feff}seed: 1\n".encode_utf16().flat_map(endian).collect() };
    expect!["config.yaml: the configuration is UTF-16; save it as UTF-8"]
        .assert_eq(&refusal(&utf_16(u16::to_le_bytes)));
    expect!["config.yaml: the configuration is UTF-16; save it as UTF-8"]
        .assert_eq(&refusal(&utf_16(u16::to_be_bytes)));
    expect!["config.yaml: the configuration is not text in UTF-8: invalid utf-8 sequence of 1 bytes from index 6"]
        .assert_eq(&refusal(b"seed: \xe9\n"));
}

/// A shell does not expand it after `output_dir=`, and YAML never does.
#[test]
fn a_tilde_is_the_home_folder_in_every_path() {
    let home = std::env::home_dir().expect("the tests run as somebody");
    let yaml = "model_config: ~/shape\ntokenizer: ~/tok\n";
    let overrides = [
        "learning_rate=1",
        "datasets.0.path=~/a.jsonl",
        "test_datasets.0.path=~/b/c.jsonl",
        "chat_template=~/t.jinja",
        "output_dir=\"~\"",
        "variables.runs=~/runs",
        "resume_from_checkpoint=${variables.runs}/1",
    ];
    let config = valid(yaml, &overrides);
    assert_eq!(config.model_config, Some(ModelConfig::File(home.join("shape"))));
    assert_eq!(config.tokenizer, Some(home.join("tok")));
    assert_eq!(config.datasets[0].path, home.join("a.jsonl"));
    assert_eq!(config.test_datasets[0].path, home.join("b/c.jsonl"));
    assert_eq!(config.chat_template, Some(home.join("t.jinja")));
    assert_eq!(config.output_dir, home);
    assert_eq!(config.resume_from_checkpoint, Some(home.join("runs/1")));
    // Only where a shell would: not in the middle, and no other user's.
    let config = valid(MINIMAL, &["output_dir=a/~/b", "tokenizer=~other/x"]);
    assert_eq!((config.output_dir, config.tokenizer), ("a/~/b".into(), Some("~other/x".into())));
    assert_eq!(valid(MINIMAL, &["output_dir=~"]).output_dir, Path::new("./model-out"), "YAML's null");
}

/// All of the data as a part, and one sample as a number.
#[test]
fn one_with_a_point_is_no_size_of_data_to_set_aside() {
    check_errors(
        "",
        &["val_set_size=1.0"],
        expect![
            "command line: `val_set_size` must be a fraction below 1 or a whole number of samples; found `1.0`; write `1` for a single sample, or a part such as `0.1`: with all of them none is left to train on"
        ],
    );
    assert_eq!(valid(MINIMAL, &["val_set_size=1"]).val_set_size, HeldOut(Some(data::ValSetSize::Count(1))));
}

/// The nearest word would train something else.
#[test]
fn adapters_of_other_tools_are_answered_with_what_to_write() {
    check_errors(
        "",
        &["adapter=dora"],
        expect![[
            "command line: `adapter` must be `lora`; found `dora`; write `adapter: lora` with `peft_use_dora: true`"
        ]],
    );
    check_errors(
        "",
        &["adapter=qlora"],
        expect![[
            "command line: `adapter` must be `lora`; found `qlora`; write `adapter: lora`: the base model's weights are not quantised, and take more memory"
        ]],
    );
}

#[test]
fn all_errors_come_at_once_with_their_lines() {
    check_errors(
        "learning_rat: 1\nmicro_batch_size: 0\nadapter: lroa\nadam_beta1: 1\nlora-r: 8\nuse_rslora: true\nflux: 1\n",
        &["num_epochs=two", "lr_schedular=cosine", "warmup_ratio=[1]"],
        expect![[r#"
            config.yaml:6: `learning_rat` is not a key; did you mean `learning_rate`?
            config.yaml:7: `micro_batch_size` must be a whole number from 1 to 65536, or `auto` for the most that fit; found `0`
            config.yaml:8: `adapter` must be `lora`; found `lroa`; did you mean `lora`?
            config.yaml:9: `adam_beta1` must be a number of at least 0 and below 1; found `1`
            config.yaml:10: `lora-r` is not a key; did you mean `lora_r`?
            config.yaml:11: `use_rslora` is not a key; write `peft_use_rslora`
            config.yaml:12: `flux` is not a key; `finery config reference` lists them all
            command line: `lr_schedular` is not a key; did you mean `lr_scheduler`?
            command line: `num_epochs` must be a whole number of at least 1; found `two`
            command line: `warmup_ratio` must be a number of at least 0 and below 1; found a list"#]],
    );
}

/// Their product is the number of rows of a step, which must not wrap.
#[test]
fn rows_of_a_step_are_bounded() {
    check_errors(
        "micro_batch_size: 65537\ngradient_accumulation_steps: 4294967296\n",
        &[],
        expect![[r#"
            config.yaml:6: `micro_batch_size` must be a whole number from 1 to 65536, or `auto` for the most that fit; found `65537`
            config.yaml:7: `gradient_accumulation_steps` must be a whole number from 1 to 65536; found `4294967296`"#]],
    );
    valid(MINIMAL, &["micro_batch_size=65536", "gradient_accumulation_steps=65_536"]);
}

#[test]
fn wrong_types_name_the_value_found() {
    check_errors(
        "seed: '42'\nmax_grad_norm: .inf\nsample_packing: yes\nval_set_size: 1.5\nmax_duration: 100 batches\noutput_dir: [a]
test_datasets: {path: a}\nsequence_len: 1\nlr_scheduler: Cosin\nadam_beta2: nan\nlora_target_modules: all_linear\nlogging_steps: -1\n",
        &[],
        expect![[r#"
            config.yaml:6: `seed` must be a whole number; found the string "42"
            config.yaml:7: `max_grad_norm` must be a number of at least 0; found `.inf`
            config.yaml:8: `sample_packing` must be `true`, `false` or `concatenate`; found `yes`
            config.yaml:9: `val_set_size` must be a fraction below 1 or a whole number of samples; found `1.5`
            config.yaml:10: `max_duration` must be a whole number above 0 with a unit, `ba` (steps), `ep` (epochs), `tok` (tokens) or `sp` (samples), such as `100ba` or `1_000_000tok`; found `100 batches`
            config.yaml:11: `output_dir` must be a path; found a list
            config.yaml:12: `test_datasets` must be a list; found a map
            config.yaml:12: `test_datasets` contradicts `val_set_size`: give only one of `val_set_size` or `test_datasets`
            config.yaml:13: `sequence_len` must be a whole number of at least 2; found `1`
            config.yaml:14: `lr_scheduler` must be `constant`, `linear` or `cosine`; found `Cosin`; did you mean `cosine`?
            config.yaml:15: `adam_beta2` must be a number of at least 0 and below 1; found `nan`
            config.yaml:16: `lora_target_modules` must be `all-linear` or a list of module names such as `[q_proj, v_proj]`; found `all_linear`; did you mean `all-linear`?
            config.yaml:16: `lora_target_modules` needs `adapter`, which is not given
            config.yaml:17: `logging_steps` must be a whole number of at least 1; found `-1`"#]],
    );
}

/// One would leave nothing of a data set, the other take all memory for copies of it.
#[test]
fn weights_are_within_reason() {
    check_file_errors(
        "base_model: m\nlearning_rate: 1\ndatasets: [{path: a, weight: 1.0e-9}, {path: b, weight: 1.0e+9}]\n",
        &[],
        expect![[r#"
            config.yaml:3: `datasets.0.weight` must be a number from 0.001 to 1000; found `1.0e-9`
            config.yaml:3: `datasets.1.weight` must be a number from 0.001 to 1000; found `1.0e+9`"#]],
    );
}

#[test]
fn nested_keys_are_named_by_their_path() {
    check_file_errors(
        "base_model: m\nlearning_rate: 1\ndatasets:\n  - path: a\n    typ: alpaca\n  - type: shargpt\n    path: b\n    colour: red\n  - c\n",
        &[],
        expect![[r#"
            config.yaml:5: `datasets.0.typ` is not a key; did you mean `type`?
            config.yaml:6: `datasets.1.type` must be `completion`, `chat_template`, `prompt_completion`, `alpaca`, `sharegpt` or `input_output`; found `shargpt`; did you mean `sharegpt`?
            config.yaml:8: `datasets.1.colour` is not a key; `datasets.1` accepts `path`, `split`, `weight`, `type`, `field`, `field_messages`, `field_tools`, `message_property_mappings`, `message_field_role`, `message_field_content`, `message_field_training`, `roles`, `field_instruction`, `field_input`, `field_output` or `field_system`
            config.yaml:9: `datasets.2` must be a map of keys to values; found `c`"#]],
    );
}

#[test]
fn missing_and_empty() {
    check_file_errors(
        "",
        &[],
        expect![[r#"
        config.yaml: `datasets` is missing; it must be a list with at least one item
        config.yaml: `learning_rate` is missing; it must be a number above 0
        config.yaml: give `base_model` to start from a model's weights, or `model_config` to train from scratch"#]],
    );
    check_file_errors(
        "- a\n",
        &[],
        expect!["config.yaml:1: a configuration must be a map of keys to values; found a list"],
    );
    check_file_errors(
        "base_model: m\nlearning_rate: 1\ndatasets: []\n",
        &[],
        expect!["config.yaml:3: `datasets` must be a list with at least one item; found an empty list"],
    );
}

/// As in the examples of Axolotl and transformers: keys that say nothing, and those that say what is so anyway.
#[test]
fn foreign_keys_without_a_value_or_with_their_default_count_as_not_given() {
    let idle = "
wandb_project:
wandb_entity: ''
wandb_watch: null
load_in_8bit: false
load_in_4bit: False
tf32: false
bf16: auto
fp16:
strict: false
save_safetensors: true
loraplus_lr_embedding: 1.0e-06
pad_to_sequence_len: true
deepspeed: ''
fsdp: []
fsdp_config: {}
special_tokens:
gradient_checkpointing_kwargs: { use_reentrant: false }
algorithms: { gradient_clipping: {}, low_precision_layernorm: null }
ddp_timeout: 1800
tokenizer: { kwargs: {} }
";
    assert_eq!(
        valid(&format!("{MINIMAL}{idle}"), &["flash_attention=false", "datasets.0.data_files="]),
        valid(MINIMAL, &[])
    );
}

#[test]
fn foreign_keys_are_answered_with_what_to_write() {
    check_errors(
        "pad_to_sequence_len: false\nfsdp_config: { sharding_strategy: FULL_SHARD, activation_checkpointing: true, new: 1 }
save_safetensors: false\nload_in_4bit: true\nlora_target_linear: true\nmax_length: 512\nbatch_size: 8\nfsdp: [full_shard]\n",
        &["bf16=true", "packing=true", "datasets.0.data_files=[a]"],
        expect![[r#"
            config.yaml:6: `pad_to_sequence_len` is not a key; leave it out: every row has `sequence_len` places
            config.yaml:7: `fsdp_config.sharding_strategy` is not a key; write `mesh: {fsdp: 8}`, or `mesh: {dp: 2, mp: 4}`
            config.yaml:7: `fsdp_config.activation_checkpointing` is not a key; write `gradient_checkpointing`: `full`, or `none` where it is false
            config.yaml:7: `fsdp_config.new` is not a key; `finery config reference` lists them all
            config.yaml:8: `save_safetensors` is not a key; leave it out: models are written as safetensors, with their template in a file
            config.yaml:9: `load_in_4bit` is not a key; not supported yet: quantised weights
            config.yaml:10: `lora_target_linear` is not a key; write `lora_target_modules: all-linear`
            config.yaml:11: `max_length` is not a key; write `sequence_len`
            config.yaml:12: `batch_size` is not a key; Axolotl's: write `gradient_accumulation_steps`, which is it divided by `micro_batch_size`; torchtune's: write `micro_batch_size`
            config.yaml:13: `fsdp` is not a key; write `mesh: {fsdp: 8}`, or `mesh: {dp: 2, mp: 4}`
            command line: `bf16` is not a key; write `dtype`: `auto`, `bf16` or `f32`
            command line: `packing` is not a key; write `sample_packing`: `true`, or `concatenate` for `wrapped`
            command line: `datasets.0.data_files` is not a key; write `path`, one data set for each file
            the keys are those of Axolotl: `finery config convert config.yaml` writes ours for them"#]],
    );
    check_file_errors(
        "
max_seq_len: 2048
model: { name: hf_causal_lm, pretrained_model_name_or_path: m, pretrained: true, init_device: mixed, peft_config: { r: 8 } }
tokenizer: { name: m, kwargs: { model_max_length: 2048 } }
optimizer: { name: decoupled_adamw, lr: 1.0e-4, betas: [0.9, 0.95], momentum: 1 }
scheduler: { name: cosine_with_warmup, t_warmup: 100ba, alpha_f: 0.1, t_max: 1dur }
eval_loader: { name: finetuning }
callbacks: { lr_monitor: {}, speed_monitor: { window_size: 10 } }
global_train_batch_size: 64
",
        &[],
        expect![[r#"
            config.yaml: `datasets` is missing; it must be a list with at least one item
            config.yaml:2: `max_seq_len` is not a key; write `sequence_len`
            config.yaml:3: `model.name` is not a key; write `base_model`, or `model_config` where weights are not pretrained
            config.yaml:3: `model.pretrained_model_name_or_path` is not a key; write `base_model`, or `model_config` where weights are not pretrained
            config.yaml:3: `model.pretrained` is not a key; write `base_model`, or `model_config` where weights are not pretrained
            config.yaml:3: `model.init_device` is not a key; leave it out: nothing here needs it
            config.yaml:3: `model.peft_config.r` is not a key; write `lora_r`
            config.yaml:4: `tokenizer.name` is not a key; write `tokenizer`, a path; not needed where it is that of `base_model`
            config.yaml:4: `tokenizer.kwargs.model_max_length` is not a key; leave it out: rows have `sequence_len` tokens
            config.yaml:5: `optimizer.name` is not a key; write `optimizer: adamw`
            config.yaml:5: `optimizer.lr` is not a key; write `learning_rate`
            config.yaml:5: `optimizer.betas` is not a key; write `adam_beta1` and `adam_beta2`
            config.yaml:5: `optimizer.momentum` is not a key; `finery config reference` lists them all
            config.yaml:6: `scheduler.name` is not a key; write `lr_scheduler`: `constant`, `linear` or `cosine`
            config.yaml:6: `scheduler.t_warmup` is not a key; write `warmup_steps`, or `warmup_ratio` for a part of the run
            config.yaml:6: `scheduler.alpha_f` is not a key; write `cosine_min_lr_ratio`
            config.yaml:7: `eval_loader` is not a key; write `test_datasets`
            config.yaml:8: `callbacks.speed_monitor` is not a key; leave it out: metrics have loss, learning rate, gradient norm, tokens per second, TFLOP/s, MFU, memory and what the hardware's sensors tell
            config.yaml:9: `global_train_batch_size` is not a key; write `gradient_accumulation_steps`, which is it divided by `micro_batch_size`
            the keys are those of LLM Foundry: `finery config convert config.yaml` writes ours for them"#]],
    );
}

/// One mistake is told once: what was given under another tool's name is not missing too.
#[test]
fn a_key_of_another_name_is_not_missing() {
    check_file_errors(
        "
model_name_or_path: m
dataset_name: d
lr: 1.0e-4
use_peft: true
lora_r: 8
resume_from_checkpoint: False
",
        &[],
        expect![[r#"
            config.yaml:2: `model_name_or_path` is not a key; LLM Foundry's: write `tokenizer` and `base_model`; TRL and transformers's: write `base_model`
            config.yaml:3: `dataset_name` is not a key; write `datasets`
            config.yaml:4: `lr` is not a key; write `learning_rate`
            config.yaml:5: `use_peft` is not a key; write `adapter: lora`
            config.yaml:7: `resume_from_checkpoint` must be a path; found `False`"#]],
    );
}

/// What stands far from every key is not taken for a misspelling of one.
#[test]
fn only_near_keys_are_proposed() {
    check_errors(
        "abcd_config: 1\nmax_sequence_len: 1\ngradient_checkpoint: true\nlora_ranks: 8\nlearning_rates: 1\nwarmup: 3\n",
        &[],
        expect![[r#"
            config.yaml:6: `abcd_config` is not a key; `finery config reference` lists them all
            config.yaml:7: `max_sequence_len` is not a key; did you mean `sequence_len`?
            config.yaml:8: `gradient_checkpoint` is not a key; did you mean `gradient_checkpointing`?
            config.yaml:9: `lora_ranks` is not a key; did you mean `lora_r`?
            config.yaml:10: `learning_rates` is not a key; did you mean `learning_rate`?
            config.yaml:11: `warmup` is not a key; did you mean `warmup_steps`?"#]],
    );
}

#[test]
fn contradictions_name_both_keys() {
    check_errors(
        "model_config: config.json\nnum_epochs: 1\nmax_steps: 5\nwarmup_steps: 3\nwarmup_ratio: 0.1\nlora_r: 8\neval_steps: 10
val_set_size: 0\nlr_scheduler: linear\ncosine_min_lr_ratio: 0.1\n",
        &["max_duration=1ep"],
        expect![[r#"
            config.yaml:6: `model_config` contradicts `base_model`: give only one of `base_model` or `model_config`
            config.yaml:6: `model_config` needs `tokenizer`, which is not given
            config.yaml:8: `max_steps` contradicts `num_epochs`: give only one of `num_epochs`, `max_steps` or `max_duration`
            config.yaml:10: `warmup_ratio` contradicts `warmup_steps`: give only one of `warmup_steps` or `warmup_ratio`
            config.yaml:11: `lora_r` needs `adapter`, which is not given
            config.yaml:12: `eval_steps` needs `val_set_size` or `test_datasets`, which is not given
            config.yaml:15: `cosine_min_lr_ratio` needs `lr_scheduler: cosine`, which is `linear`"#]],
    );
    check_errors(
        "sample_packing: concatenate\nexcess_length_strategy: raise\nval_set_size: 0.1\nearly_stopping_patience: 3\n",
        &["load_best_model_at_end=true"],
        expect![[r#"
            config.yaml:7: `excess_length_strategy` does nothing beside `sample_packing: concatenate`, which cuts samples where a row ends: leave it out
            config.yaml:9: `early_stopping_patience` needs `eval_steps`, which is not given
            command line: `load_best_model_at_end` needs `eval_steps`, which is not given"#]],
    );
    // As earlier versions wrote it into each `config.yaml`.
    valid(MINIMAL, &["adapter=lora", "sample_packing=concatenate", "excess_length_strategy=drop"]);
    check_errors(
        "max_steps: 5\nwarmup_steps: 5\n",
        &[],
        expect!["config.yaml:7: `warmup_steps` must be below `max_steps`, which is 5; found 5"],
    );
    check_errors(
        "max_duration: 5ba\nwarmup_steps: 5\n",
        &[],
        expect!["config.yaml:7: `warmup_steps` must be below `max_duration`, which is 5 steps; found 5"],
    );
    check_errors(
        "base_model: again\n",
        &[],
        expect!["config.yaml:6: `base_model` is given twice, first on line 1; remove one of them"],
    );
    check_errors(
        "",
        &["base_model=null", "adapter=lora"],
        expect![[r#"
        config.yaml: give `base_model` to start from a model's weights, or `model_config` to train from scratch
        command line: `adapter` needs `base_model`, which is not given"#]],
    );
    check_errors(
        "val_set_size: 0.1\ntest_datasets: [{path: b, type: alpaca}]\n",
        &[],
        expect![
            "config.yaml:7: `test_datasets` contradicts `val_set_size`: give only one of `val_set_size` or `test_datasets`"
        ],
    );
    let unread = "val_set_size: 0\ntest_datasets:\n  - {path: b, type: messages, field_instruction: ask, field: text}\n  \
                  - {path: c, type: alpaca, field_system: rules, roles: {user: [me]}, field_tools: null}\n  \
                  - {path: d, field_instruction: ask, field_messages: turns, field: words}\n";
    check_errors(
        unread,
        &["datasets.0.type=input_output", "datasets.0.field_system=rules"],
        expect![[r#"
            config.yaml:8: `test_datasets.0.field` needs `type` to be `completion`, and it is `chat_template`
            config.yaml:8: `test_datasets.0.field_instruction` needs `type` to be `alpaca`, and it is `chat_template`
            config.yaml:9: `test_datasets.1.roles` needs `type` to be `chat_template`, `sharegpt` or `prompt_completion`, and it is `alpaca`
            command line: `datasets.0.field_system` needs `type` to be `chat_template`, `sharegpt`, `prompt_completion` or `alpaca`, and it is `input_output`"#]],
    );
    valid(&format!("{MINIMAL}val_set_size: 0.0\ntest_datasets: [{{path: b, type: alpaca}}]\neval_steps: 5\n"), &[]);
}

#[test]
fn overrides_that_cannot_be_applied() {
    check_errors(
        "",
        &[
            "seed",
            "=3",
            "datasets..path=x",
            "datasets.5.path=x",
            "learning_rate.x=1",
            "datasets.path=x",
            "output_dir=a: b: c",
            "seed=[1",
            "mesh.parameters={a:{vocab:mp}}",
        ],
        expect![[r#"
            command line: `seed` is not an override; write it as `key=value` or `key.sub=value`
            command line: `=3` names no key before the `=`; write it as `key=value` or `key.sub=value`
            command line: `datasets..path=x` names no key before the `=`; write it as `key=value` or `key.sub=value`
            command line: `datasets` is a list of 1: `5` is not a position in it or its end
            command line: `learning_rate` is `1e-4`, so it has no `x` to set
            command line: `datasets` is a list of 1: `path` is not a position in it or its end
            command line: the value of `output_dir=a: b: c` cannot be read, quote it: this is not YAML: mapping values are not allowed in this context
            command line: the value of `seed=[1` cannot be read, quote it: this is not YAML: while parsing a flow sequence, expected ',' or ']'
            command line: the value of `mesh.parameters={a:{vocab:mp}}` cannot be read, write a space after each `:` of its maps: this is not YAML: ':' may not precede any of `[{` in flow mapping"#]],
    );
}

#[test]
fn references_that_lead_nowhere() {
    check_errors(
        "variables: { rate: 1, a: '${variables.b}', b: '${variables.a}', list: [1] }
seed: ${variables.rat}\nmax_steps: ${nothing}\noutput_dir: x${variables.list}\ntokenizer: a${seed\nnum_epochs: ${variables.a}\n",
        &[],
        expect![[r#"
            config.yaml:6: `${variables.b}` refers to itself, through variables.b -> variables.a
            config.yaml:7: `${variables.rat}` refers to a key that is not there; did you mean `${variables.rate}`?
            config.yaml:8: `${nothing}` refers to a key that is not there; define it under `variables:`
            config.yaml:9: `${variables.list}` is a list or a map, and cannot stand inside the text `x${variables.list}`
            config.yaml:10: `a${seed` has a `${` without its `}`"#]],
    );
    check_errors(
        "variables: 3\n",
        &[],
        expect!["config.yaml:6: `variables` must be a map of names to values; found `3`"],
    );
}

#[test]
fn text_that_is_not_one_yaml_map() {
    check_file_errors(
        "a: [1\nb: 2\n",
        &[],
        expect!["config.yaml:2: this is not YAML: illegal placement of ':' indicator"],
    );
    check_file_errors(
        "a: 1\n---\nb: 2\n",
        &[],
        expect!["config.yaml:2: a second YAML document starts here; a configuration is one document"],
    );
    check_file_errors(
        "[a]: 1\n",
        &[],
        expect!["config.yaml:1: a key must be a plain word, not a list, a map or an alias"],
    );
    check_file_errors(
        "seed: 1\nlr: 2\nseed: 3\n",
        &[],
        expect!["config.yaml:3: `seed` is given twice, first on line 1; remove one of them"],
    );
    check_file_errors(
        &format!("a: {}{}\n", "[".repeat(40), "]".repeat(40)),
        &[],
        expect!["config.yaml:1: nested deeper than 32 levels"],
    );
}

#[test]
fn aliases_cannot_expand_without_bound() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    check_file_errors(&bomb, &[], expect!["config.yaml:4: more than 10000 values, counting those that aliases repeat"]);
    check_file_errors("a: &a [*a]\n", &[], expect!["config.yaml:1: this alias stands inside the value it refers to"]);
}

#[test]
fn unreadable_files_are_named() {
    let missing = TrainConfig::load(Path::new("no/such.yaml"), &[]).expect_err("the file does not exist");
    expect!["no/such.yaml: the configuration cannot be read: No such file or directory (os error 2)"]
        .assert_eq(&missing.to_string());
}

/// The configurations that ship are read as a user would.
#[test]
fn examples_are_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for example in ["examples/quickstart/pretrain.yaml", "examples/quickstart/lora.yaml"] {
        TrainConfig::load(&root.join(example), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    }
}
