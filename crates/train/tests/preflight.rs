//! What a configuration's keys name, looked at before a run: each mistake with its key, and nothing refused that a run would take.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use expect_test::{Expect, expect};
use tempfile::TempDir;
use train::{EarlierRun, preflight};

/// A folder with a model, its tokenizer, data and a configuration without mistakes.
struct Scene(TempDir);

impl Scene {
    fn new() -> Scene {
        let scene = Scene(tempfile::tempdir().unwrap());
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
        fs::create_dir(scene.path("model")).unwrap();
        for entry in fs::read_dir(fixture).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), scene.path("model").join(entry.file_name())).unwrap();
        }
        scene.write("data.jsonl", "{\"prompt\": \"iron?\", \"completion\": \"iron\"}\n".repeat(4));
        scene.write(
            "run.yaml",
            "\
base_model: @/model
datasets:
  - path: @/data.jsonl
learning_rate: 1.0e-3
output_dir: @/out
",
        );
        scene
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// In text, `@` stands for the folder.
    fn write(&self, name: &str, text: impl AsRef<str>) {
        fs::write(self.path(name), self.filled(text.as_ref())).unwrap();
    }

    fn filled(&self, text: &str) -> String {
        text.replace('@', &self.0.path().display().to_string())
    }

    /// What is said of the configuration with `overrides`; nothing where it is fine.
    fn check(&self, overrides: &[&str]) -> String {
        let overrides: Vec<String> = overrides.iter().map(|words| self.filled(words)).collect();
        let checked = preflight(&self.path("run.yaml"), &overrides, EarlierRun::Refused, true);
        let said = checked.err().map(|errors| errors.to_string()).unwrap_or_default();
        assert!(!self.path("out").exists(), "a check leaves nothing behind");
        said.replace(&self.filled("@/"), "")
    }
}

#[track_caller]
fn check(overrides: &[&str], expected: Expect) {
    let scene = Scene::new();
    scene.write("table.csv", "prompt,completion\niron?,coal\n");
    scene.write("broken.jinja", "{% for message in messages %}");
    expected.assert_eq(&scene.check(overrides));
}

#[test]
fn a_configuration_without_mistakes_passes() {
    check(&[], expect![[""]]);
    check(&["adapter=lora", "lora_target_modules=[q_proj]", "val_set_size=2"], expect![[""]]);
}

#[test]
fn a_mesh_has_to_divide_rows_and_parameters() {
    check(&["mesh.fsdp=2", "micro_batch_size=2"], expect![[""]]);
    check(
        &["mesh.fsdp=2", "mesh.dp=auto", "micro_batch_size=3"],
        expect![
            "command line: `mesh`: `micro_batch_size` is 3, and the mesh spreads rows over 2 devices (dp times fsdp): make it a multiple of that"
        ],
    );
    check(
        &["mesh.fsdp=2", "mesh.dp=auto", "micro_batch_size=auto", "global_batch_size=7"],
        expect![[
            "command line: `global_batch_size` is 7, and the mesh spreads rows over 2 devices (dp times fsdp): make it a multiple of that"
        ]],
    );
    check(&["mesh.fsdp=2", "micro_batch_size=auto", "global_batch_size=8"], expect![[""]]);
    check(
        &["mesh.mp=2", "mesh.parameters={q_projection: {queries: none}}"],
        expect![[
            "command line: `mesh.parameters.q_projection`: no parameter's name holds \"q_projection\"; did you mean `q_proj`?; `finery mesh show` lists them, with `*` for the numbers of layers"
        ]],
    );
    check(
        &["mesh.mp=7"],
        expect![
            "command line: `mesh`: model.embed_tokens.weight: its axis `vocab` of 320 does not divide into 7 parts, over the mesh's mp: give the mesh sizes that divide it, or keep the axis whole by `mesh.parameters.vocab=none`"
        ],
    );
    check(&["mesh.mp=7", "mesh.parameters={vocab: none, queries: none, keys: none, mlp: none}"], expect![""]);
    check(
        &["mesh.mp=auto", "mesh.dp=auto"],
        expect!["command line: `mesh`: the mesh has more than one size that is `auto`: give all but one a number"],
    );
}

#[test]
fn batches_beyond_memory_are_told_of_the_key_that_makes_them_large() {
    let said = Scene::new().check(&["sequence_len=99999999999"]);
    assert!(said.contains("command line: `sequence_len`: 4 batches of 1 x 99999999999 tokens take "), "{said}");
    assert!(!said.contains("`micro_batch_size`"), "{said}");
}

#[test]
fn sequences_are_split_where_they_can_be() {
    let sequences = ["mesh.mp=2", "mesh.sequence_parallel=true"];
    check(&[&sequences[..], &["mesh.parameters={vocab: none}"]].concat(), expect![[""]]);
    check(
        &[&sequences[..], &["sequence_len=33"]].concat(),
        expect![
            "command line: `mesh`: `sequence_len` is 33, and `mesh.sequence_parallel` splits rows over 2 devices (mp): make it a multiple of that"
        ],
    );
    let mamba =
        "model_config={model_type: mamba, vocab_size: 320, hidden_size: 16, num_hidden_layers: 1, state_size: 4}";
    check(
        &[&sequences[..], &["base_model=null", mamba, "tokenizer=@/model"]].concat(),
        expect![
            "command line: `mesh.sequence_parallel` splits rows by their positions, and the model's state space layers read these one after the other: leave it false"
        ],
    );
}

#[test]
fn steps_to_be_recorded_are_steps_of_the_run() {
    check(&["profile_steps=3", "max_steps=12"], expect![[""]]);
    // How many there are the data tell.
    check(&["profile_steps=3"], expect![[""]]);
    check(
        &["profile_steps=3", "max_duration=11ba"],
        expect![
            "command line: `profile_steps` records the steps 10 to 12, and the run has 11: name some of these, such as `9-11`, or make it longer"
        ],
    );
}

/// Else the run's files would be data when it is to go on.
#[test]
fn a_run_is_not_in_its_data() {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("data/talks")).unwrap();
    fs::copy(scene.path("data.jsonl"), scene.path("data/talks/a.jsonl")).unwrap();
    fs::create_dir(scene.path("runs")).unwrap();
    fs::copy(scene.path("data.jsonl"), scene.path("runs/metrics.jsonl")).unwrap();
    let in_data = ["datasets.0.path=@/data", "output_dir=@/data/run"];
    expect!["command line: output_dir data/run is part of data, in which datasets.0.path finds its files, and this run's own could become data: choose an output_dir outside of it, or name the files as data sets"].assert_eq(&scene.check(&in_data));
    expect!["command line: output_dir data is part of data, in which datasets.0.path finds its files, and this run's own could become data: choose an output_dir outside of it, or name the files as data sets"].assert_eq(&scene.check(&["datasets.0.path=@/data", "output_dir=@/data"]));
    expect!["command line: output_dir data/a/b is part of data, in which test_datasets.0.path finds its files, and this run's own could become data: choose an output_dir outside of it, or name the files as data sets"].assert_eq(&scene.check(&["test_datasets=[{path: @/data}]", "output_dir=@/data/a/b"]));
    // Not what is hidden, nor what is around the data.
    expect![""].assert_eq(&scene.check(&["datasets.0.path=@/data", "output_dir=@/data/.run"]));
    expect![""].assert_eq(&scene.check(&["datasets.0.path=@/data/talks", "output_dir=@/data"]));
    // A run that has got so far is compared with its checkpoint.
    fs::create_dir_all(scene.path("data/run/checkpoints/step-00000001")).unwrap();
    let overrides = in_data.map(|words| scene.filled(words));
    let errors = preflight(&scene.path("run.yaml"), &overrides, EarlierRun::Resumed, true).unwrap_err().to_string();
    assert!(!errors.contains("could become data"), "{errors}");

    expect!["command line: `output_dir`: datasets.0.path runs/metrics.jsonl would be replaced by this run's file of that name: move it out of output_dir, or choose another output_dir"].assert_eq(&scene.check(&["datasets.0.path=@/runs/metrics.jsonl", "output_dir=@/runs"]));
    expect!["command line: `output_dir`: test_datasets.0.path runs/metrics.jsonl would be replaced by this run's file of that name: move it out of output_dir, or choose another output_dir"].assert_eq(&scene.check(&["test_datasets=[{path: @/runs/metrics.jsonl}]", "output_dir=@/runs"]));
}

#[test]
fn models_are_looked_at() {
    check(
        &["base_model=meta-llama/Llama-3.2-1B"],
        expect![
            "command line: `base_model`: meta-llama/Llama-3.2-1B is not a model folder: there is no such folder; if that is its name on the hub, download it first"
        ],
    );
    check(
        &["base_model=@/nowhere"],
        expect!["command line: `base_model`: nowhere is not a model folder: there is no such folder"],
    );
    check(
        &["base_model=@/data.jsonl"],
        expect!["command line: `base_model`: data.jsonl is not a model folder: it is a file, and not a folder"],
    );
    check(
        &["base_model=null", "model_config=@/nowhere/config.json", "tokenizer=@/model"],
        expect![
            "command line: `model_config`: there is no folder, file or preset nowhere/config.json; `finery models --presets` lists the presets"
        ],
    );
    check(
        &["base_model=null", "model_config={model_type: llama, vocab_sise: 320, hiden_size: 8}", "tokenizer=@/model"],
        expect![[r#"
            command line: `model_config.vocab_sise` is not a key; did you mean `vocab_size`?
            command line: `model_config.hiden_size` is not a key; did you mean `hidden_size`?"#]],
    );
    check(
        &["base_model=null", "model_config={model_type: mpt, attn_config: {alibi_bias_mx: 4}}", "tokenizer=@/model"],
        expect![[
            r#"command line: `model_config.attn_config.alibi_bias_mx` is not a key; did you mean `attn_config.alibi_bias_max`?"#
        ]],
    );
    let shape = "model_config={model_type: llama, vocab_size: 20, hidden_size: 30, intermediate_size: 48, num_hidden_layers: 2, \
                 num_attention_heads: 4, max_position_embeddings: 64, rms_norm_eps: 1.0e-6}";
    check(
        &["base_model=null", "tokenizer=@/model", shape],
        expect![
            "command line: model_config: `hidden_size` is 30, but without `head_dim` it should be a multiple of the 4 heads"
        ],
    );
    check(
        &["base_model=null", "tokenizer=@/model", shape, "model_config.hidden_size=32"],
        expect![
            "command line: `tokenizer`: the tokenizer's highest token id is 319, but the model's vocab_size is 20: use the tokenizer that belongs to the model, or a model with at least 320 rows of embeddings"
        ],
    );
}

#[test]
fn weights_are_compared_with_the_shape() {
    let scene = Scene::new();
    let config = fs::read_to_string(scene.path("model/config.json")).unwrap();
    let layers = config.lines().find(|line| line.contains("num_hidden_layers")).unwrap();
    scene.write("model/config.json", config.replace(layers, "\"num_hidden_layers\": 1,"));
    let said = scene.check(&[]);
    let start = "run.yaml:1: `base_model`: the tensors of model are not those that the model needs: ";
    assert!(said.starts_with(start) && said.contains("not expected: \"model.layers.1."), "{said}");
}

#[test]
fn adapters_are_looked_at() {
    check(
        &["adapter=lora", "lora_target_modules=[q_prj, v_proj, mlp]"],
        expect![[r#"
        command line: lora_target_modules: `q_prj` is no linear module of the model; did you mean `q_proj`? the names are q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, and ends of paths such as self_attn.q_proj
        command line: lora_target_modules: `mlp` is no linear module of the model; the names are q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, and ends of paths such as self_attn.q_proj"#]],
    );
    check(
        &["adapter=lora", "lora_modules_to_save=[lm_haed]"],
        expect![
            "command line: lora_modules_to_save: no module of the model has a path that ends with `lm_haed`; did you mean `lm_head`?"
        ],
    );
    check(
        &["adapter=lora", "peft_layers_to_transform=[9]"],
        expect!["command line: peft_layers_to_transform: there is no layer 9; the model has 2, counted from 0"],
    );
    check(
        &["adapter=lora", "lora_target_modules=[q_proj]", "lora_modules_to_save=[q_proj]"],
        expect![[
            r#"command line: lora_target_modules: target_modules ("q_proj") names only modules that modules_to_save trains in full; leave them out of one of the two"#
        ]],
    );
    check(
        &["adapter=lora", "lora_model_dir=@/nowhere"],
        expect!["command line: `lora_model_dir`: adapter nowhere cannot be used: there is no such folder"],
    );
    check(
        &["adapter=lora", "lora_model_dir=@/model"],
        expect!["command line: `lora_model_dir`: adapter model cannot be used: it has no adapter_config.json"],
    );
    check(&["lora_model_dir=@/model"], expect!["command line: `lora_model_dir` needs `adapter`, which is not given"]);
}

#[test]
fn what_experts_cannot_have_is_said_of_its_key() {
    let scene = Scene::new();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/mixtral/window");
    let base = format!("base_model={}", model.display());
    let said = scene.check(&["adapter=lora", "peft_use_dora=true", &base]);
    assert!(
        said.contains("command line: `peft_use_dora`: `model.layers.0.block_sparse_moe.experts.0.w1` is an expert's"),
        "{said}"
    );
}

#[test]
fn tokenizers_and_templates_are_looked_at() {
    check(
        &["tokenizer=@/nowhere"],
        expect![
            "command line: `tokenizer`: cannot read nowhere/tokenizer.json: No such file or directory (os error 2)"
        ],
    );
    check(
        &["tokenizer=@/data.jsonl"],
        expect![
            "command line: tokenizer: data.jsonl is not named tokenizer.json; give a file of that name, or the folder that holds one"
        ],
    );
    check(
        &["chat_template=llama3"],
        expect![
            "command line: `chat_template`: llama3, which has to be a template in Jinja, cannot be read: No such file or directory (os error 2); without this key the tokenizer's own is taken"
        ],
    );
    check(
        &["chat_template=@/broken.jinja"],
        expect![
            "command line: `chat_template`: broken.jinja: the chat template does not parse: unexpected end of input, expected end of block (line 1 of the template)"
        ],
    );
    check(
        &["chat_template=@/broken.jinja", "tokenizer=@/nowhere"],
        expect![[r#"
        command line: `tokenizer`: cannot read nowhere/tokenizer.json: No such file or directory (os error 2)
        command line: `chat_template`: broken.jinja: the chat template does not parse: unexpected end of input, expected end of block (line 1 of the template)"#]],
    );
}

#[test]
fn data_are_looked_at() {
    check(
        &["datasets.0.path=@/nowhere.jsonl"],
        expect!["command line: `datasets.0`: cannot read nowhere.jsonl: No such file or directory (os error 2)"],
    );
    check(
        &["datasets.0.path=@/table.csv"],
        expect![[
            r#"command line: `datasets.0`: table.csv is a CSV file: make JSON of it, one object to a line, with pandas.read_csv(…).to_json(…, orient="records", lines=True) in Python"#
        ]],
    );
    check(
        &["datasets.0.split=dev"],
        expect![[r#"command line: `datasets.0`: data.jsonl is one file, and so has no split "dev", only train"#]],
    );
    check(
        &["datasets.0.type=alpaca", "datasets.1.path=@/nowhere"],
        expect![[r#"
            command line: `datasets.0`: data.jsonl, line 1: the key "instruction" is missing; correct the line, or skip such lines with --skip-bad
            command line: `datasets.1`: cannot read nowhere: No such file or directory (os error 2)"#]],
    );
    check(
        &["datasets.0.typ=alpaca", "datasets.0.path=@/nowhere"],
        expect![[r#"
            command line: `datasets.0.typ` is not a key; did you mean `type`?
            command line: `datasets.0`: cannot read nowhere: No such file or directory (os error 2)"#]],
    );
    check(
        &["test_datasets=[{path: @/model}, {path: @/gone}]"],
        expect![[r#"
        command line: `test_datasets.0`: model/config.json, line 1: the line holds only the beginning of an object: write each object in one line (jq -c . FILE, or jq -c '.data[]' FILE where they are a list in it), or all as one array; correct the line, or skip such lines with --skip-bad
        command line: `test_datasets.1`: cannot read gone: No such file or directory (os error 2)"#]],
    );
    // Nothing that is said follows from something else that is said.
    check(
        &["tokenizer=@/nowhere", "datasets.0.type=alpaca"],
        expect![
            "command line: `tokenizer`: cannot read nowhere/tokenizer.json: No such file or directory (os error 2)"
        ],
    );
    check(
        &["sequence_len=0", "datasets.0.type=alpaca"],
        expect!["command line: `sequence_len` must be a whole number of at least 2; found `0`"],
    );
}

#[test]
fn folders_and_checkpoints_are_looked_at() {
    check(
        &["output_dir=@/model"],
        expect![
            "command line: output_dir model is base_model, whose files the trained model would replace: choose another"
        ],
    );
    check(
        &["output_dir=@/data.jsonl/run"],
        expect![
            "command line: `output_dir`: creating the folder data.jsonl/run: Not a directory (os error 20); choose an output_dir that can be written to"
        ],
    );
    check(
        &["resume_from_checkpoint=@/nowhere"],
        expect!["command line: `resume_from_checkpoint`: there is no checkpoint nowhere: there is no such folder"],
    );
    check(
        &["resume_from_checkpoint=@/model"],
        expect!["command line: `resume_from_checkpoint`: checkpoint model is not complete: it has no manifest.json"],
    );
}

/// The first record is not always one that the run would see, or mind.
#[test]
fn nothing_is_refused_that_a_run_would_take() {
    let scene = Scene::new();
    let good = "{\"prompt\": \"iron?\", \"completion\": \"iron\"}\n".repeat(4);
    for bad in ["no JSON\n", "{\"other\": 1}\n", "{\"prompt\": 1, \"completion\": \"iron\"}\n"] {
        scene.write("data.jsonl", format!("{bad}{good}"));
        assert!(scene.check(&[]).starts_with("run.yaml:3: `datasets.0`: data.jsonl, line 1: "), "{bad}");
        for words in ["skip_bad=true", "datasets.0.split='train[1:]'", "datasets.0.split='train[-2:]'"] {
            assert_eq!(scene.check(&[words]), "", "{bad}");
        }
    }
}

/// What can be read once is left for the run to read.
#[test]
fn pipes_are_not_read() {
    let scene = Scene::new();
    assert!(Command::new("mkfifo").arg(scene.path("pipe")).status().unwrap().success());
    for words in ["chat_template=@/pipe", "datasets.0.path=@/pipe"] {
        assert_eq!(scene.check(&[words]), "");
    }
    for split in ["train[:90%]", "train[-3:]"] {
        let words = ["datasets.0.path=@/pipe", &format!("datasets.0.split='{split}'")];
        let found = scene.check(&words);
        assert!(
            found.contains("pipe is no regular file and can be read once only, but a range that counts"),
            "{found}"
        );
    }
}
