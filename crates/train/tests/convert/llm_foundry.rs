//! LLM Foundry's, whose trainer is Composer.

use std::path::Path;

use expect_test::expect;
use train::config::{MicroBatch, TrainConfig};

use super::{check, converted};

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
            lr_scheduler: cosine
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
            theirs.yaml:13: `scheduler.name` `inv_sqrt_with_warmup` is not carried over: `lr_scheduler` is `cosine` in its place, which falls to 0 at the last step; the others are `linear` and `constant`
            theirs.yaml:13: `scheduler.t_scale` is not carried over: `lr_scheduler` is `cosine`
            theirs.yaml:17: `precision` `amp_fp16` is not supported yet: `dtype` is `auto`
            theirs.yaml:18: `save_folder` `s3://bucket/run` is not carried over: `output_dir` is a folder on this machine
            ---
            train_loader.dataset.shuffle_seed
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
            lora_alpha: 8
            lora_target_modules:
              - q_proj
              - v_proj
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

/// A schedule that there is not here is told with what stands in for it, which keeps the end.
#[test]
fn schedules_of_llm_foundry_are_ours_or_told() {
    let with = |scheduler: &str| {
        let (ours, lost) = converted(&llm_foundry("target_responses: all", &format!("scheduler: {{ {scheduler} }}\n")));
        (ours.lr_scheduler, ours.cosine_min_lr_ratio, lost)
    };
    use train::schedule::ScheduleKind::{Constant, Cosine, Linear};
    assert_eq!(with("name: constant_with_warmup, t_warmup: 3ba"), (Constant, 0.0, String::new()));
    assert_eq!(with("name: cosine_with_warmup, t_warmup: 3ba, alpha_f: 0.1"), (Cosine, 0.1, String::new()));
    let (kind, floor, lost) = with("name: linear_decay_with_warmup, alpha_f: 0.1");
    assert_eq!((kind, floor), (Linear, 0.0));
    expect!["theirs.yaml:6: `scheduler.alpha_f` is not carried over: `lr_scheduler: linear` falls to 0"]
        .assert_eq(&lost);
    let (kind, floor, lost) =
        with("name: inv_sqrt_with_warmup, t_warmup: 3ba, alpha_f: 0.02, t_scale: 10ba, alpha_f_decay: 0.1");
    assert_eq!((kind, floor), (Cosine, 0.02));
    expect![[r#"
        theirs.yaml:6: `scheduler.name` `inv_sqrt_with_warmup` is not carried over: `lr_scheduler` is `cosine` in its place, which falls to `cosine_min_lr_ratio` at the last step; the others are `linear` and `constant`
        theirs.yaml:6: `scheduler.t_scale` is not carried over: `lr_scheduler` is `cosine`
        theirs.yaml:6: `scheduler.alpha_f_decay` is not carried over: `lr_scheduler` is `cosine`"#]].assert_eq(&lost);
}

/// What bounds each element is no bound of the norm.
#[test]
fn only_clipping_by_norm_is_carried_over() {
    let with = |clipping: &str| {
        let rest = format!("algorithms: {{ gradient_clipping: {{ {clipping} }} }}\n");
        let (ours, lost) = converted(&llm_foundry("target_responses: all", &rest));
        (ours.max_grad_norm, lost)
    };
    assert_eq!(with("clipping_type: norm, clipping_threshold: 0.5"), (0.5, String::new()));
    let (norm, lost) = with("clipping_type: value, clipping_threshold: 0.5");
    assert_eq!(norm, 1.0);
    expect!["theirs.yaml:6: `algorithms.gradient_clipping` with `clipping_type` `value` is not carried over: gradients are clipped by their norm over all parameters, to `max_grad_norm`, which is 1 where it is not given"].assert_eq(&lost);
}

/// `data_files` is a path, several, or a map of them by split.
#[test]
fn files_of_llm_foundry_are_those_of_their_split() {
    let named = |name: &str, dataset: &str| {
        let theirs = llm_foundry("target_responses: all", "")
            .replace("hf_name: a.jsonl,", &format!("hf_name: {name}, {dataset},"));
        let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
        let refused = converted.refused.map(|refused| refused.to_string()).unwrap_or_default();
        let paths =
            converted.yaml.lines().filter_map(|line| line.strip_prefix("  - path: ")).collect::<Vec<_>>().join(", ");
        (paths, converted.lost.map(|lost| lost.to_string()).unwrap_or_default(), refused)
    };
    let with = |dataset: &str| named("json", dataset);
    for (dataset, expected) in [
        ("hf_kwargs: { data_files: b.jsonl }", "b.jsonl"),
        ("hf_kwargs: { data_files: [b.jsonl, c.jsonl] }", "b.jsonl, c.jsonl"),
        ("hf_kwargs: { data_files: { train: b.jsonl } }, split: train", "b.jsonl"),
        ("hf_kwargs: { data_files: { train: [b.jsonl, c.jsonl], test: d.jsonl } }", "b.jsonl, c.jsonl"),
        ("hf_kwargs: { data_files: { train: b.jsonl, test: d.jsonl } }, split: test", "d.jsonl"),
        ("hf_kwargs: { data_dir: folder }", "folder"),
        ("hf_kwargs: { data_dir: folder, data_files: b.jsonl }", "folder/b.jsonl"),
    ] {
        assert_eq!(with(dataset), (expected.to_owned(), String::new(), String::new()), "{dataset}");
    }
    // They lie in the folder that is named.
    for (dataset, expected) in [
        ("hf_kwargs: { data_files: { train: [b.jsonl, /c.jsonl] } }", "./all/b.jsonl, /c.jsonl"),
        ("hf_kwargs: { data_dir: some }", "./all/some"),
        ("hf_kwargs: { data_dir: some, data_files: b.jsonl }", "./all/some/b.jsonl"),
    ] {
        assert_eq!(named("./all", dataset), (expected.to_owned(), String::new(), String::new()), "{dataset}");
    }
    let (paths, lost, _) = named("org/set", "hf_kwargs: { data_dir: sample }");
    expect![[r#"
        org/set/sample
        theirs.yaml:5: `train_loader.dataset.hf_name` `org/set` must be here: if that is its name on the hub, download it"#]].assert_eq(&format!("{paths}\n{lost}"));
    // A folder within it is no name, nor is one of files of a format.
    let (paths, lost, _) = named("imdb", "hf_kwargs: { data_dir: sample }");
    expect![[r#"
        imdb/sample
        theirs.yaml:5: `train_loader.dataset.hf_name` `imdb` must be here: if that is its name on the hub, download it"#]].assert_eq(&format!("{paths}\n{lost}"));
    assert_eq!(with("hf_kwargs: { data_dir: my/talks }"), ("my/talks".to_owned(), String::new(), String::new()));
    let (_, lost, refused) = with("hf_kwargs: { data_files: { test: d.jsonl } }, split: train");
    expect![[r#"
        theirs.yaml:5: `train_loader.dataset.hf_kwargs.data_files` has no files of the split `train`: write their paths as `datasets`
        the result: `datasets` is missing; it must be a list with at least one item"#]].assert_eq(&format!("{lost}\n{refused}"));
    let (_, lost, refused) = with("hf_kwargs: { data_files: { train: 'b.jsonl' } }, split: 'train[:10%]'");
    expect![[r#"
        theirs.yaml:5: `train_loader.dataset.split` the string "train[:10%]" is not carried over: files are read whole
    "#]]
    .assert_eq(&format!("{lost}\n{refused}"));
    let (_, lost, refused) = with("hf_kwargs: { data_files: [{ a: b }] }");
    expect![[r#"
        theirs.yaml:5: `train_loader.dataset.hf_kwargs.data_files` must be a path; found a map
        the result: `datasets` is missing; it must be a list with at least one item"#]]
    .assert_eq(&format!("{lost}\n{refused}"));
}

/// PEFT takes a string as a regular expression here too.
#[test]
fn an_expression_for_target_modules_is_told_of_llm_foundry() {
    let with = |value: &str| {
        let theirs =
            llm_foundry("target_responses: all", "").replace("r: 8", &format!("r: 8, target_modules: {value}"));
        let converted = TrainConfig::convert(&theirs, Path::new("theirs.yaml")).unwrap();
        let refused = converted.refused.map(|refused| refused.to_string()).unwrap_or_default();
        format!("{}\n{refused}", converted.lost.map(|lost| lost.to_string()).unwrap_or_default())
    };
    assert_eq!(with("all-linear"), "\n");
    assert_eq!(with("[q_proj]"), "\n");
    expect![[r#"
        theirs.yaml:2: `lora_target_modules` is `[q_proj]`: what `.*q_proj` matches of Llama's modules; write the names of a model that has others
    "#]].assert_eq(&with("'.*q_proj'"));
    expect![[r#"
        theirs.yaml:2: `model.peft_config.target_modules` `.*query_key_value` is not carried over: as a regular expression of whole paths it means none of Llama's modules, or not those of all layers; `all-linear`, the default, stands in its place
        the result: write `lora_target_modules`, a list of names such as `[q_proj, v_proj]`, or `all-linear`, which it is until it is given"#]].assert_eq(&with("'.*query_key_value'"));
}

/// OmegaConf reads underscores in numbers, as we do.
#[test]
fn numbers_of_llm_foundry_have_underscores() {
    let rest = "eval_loader: { name: finetuning, dataset: { hf_name: b.jsonl, target_responses: all } }\neval_interval: 1_000ba\n\
                global_train_batch_size: 1_024\ndevice_train_microbatch_size: 1_6\n";
    let theirs = llm_foundry("target_responses: all", rest).replace("2048", "2_048").replace("1ep", "1_0");
    let (ours, lost) = converted(&theirs);
    assert_eq!(lost, "");
    assert_eq!((ours.sequence_len, ours.num_epochs, ours.eval_steps), (2048, Some(10), Some(1000)));
    assert_eq!((ours.micro_batch_size, ours.gradient_accumulation_steps), (MicroBatch::Rows(16), 64));
}

/// An order that is switched off is told, however that is written.
#[test]
fn an_order_of_llm_foundry_is_told() {
    for (order, is_told) in [("true", false), ("True", false), ("false", true), ("False", true)] {
        let (_, lost) = converted(&llm_foundry(&format!("target_responses: all, shuffle: {order}"), ""));
        assert_eq!(lost.contains("`train_loader.dataset.shuffle`"), is_told, "{order}: {lost}");
    }
}

/// What an epoch has in steps is not known here.
#[test]
fn what_llm_foundry_evaluates_unasked_is_told() {
    let lost = |change: &dyn Fn(&str) -> String| {
        let (ours, lost) = converted(&change(LLM_FOUNDRY_LORA));
        let told: Vec<&str> = lost.lines().filter(|line| line.contains("evaluates after each epoch")).collect();
        (ours.eval_steps, told.join("\n"))
    };
    let unsaid = |theirs: &str| theirs.replace("eval_interval: 100ba\n", "");
    let (steps, told) = lost(&unsaid);
    assert_eq!(steps, None);
    expect!["theirs.yaml: LLM Foundry evaluates after each epoch where `eval_interval` says nothing else, and here only the end is evaluated without `eval_steps`: write how many optimizer steps an epoch has"].assert_eq(&told);
    assert_eq!(lost(&|theirs| unsaid(theirs).replace("max_duration: 2ep", "max_duration: 1ep")).1, "");
    assert_eq!(lost(&|theirs| unsaid(theirs).replace("eval_loader:", "no_loader:")).1, "");
    assert_eq!(lost(&str::to_owned), (Some(100), String::new()));
}
