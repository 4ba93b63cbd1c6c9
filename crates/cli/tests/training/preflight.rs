//! What `config check` finds without a device, and `train` before it works: the same, and all of it at once.

use std::fs;

use expect_test::{Expect, expect};

use crate::scene::Scene;

impl Scene {
    /// What both commands say of `config`.
    #[track_caller]
    fn check_refusal(&self, config: &str, flags: &[&str], expected: Expect) {
        self.write("bad.yaml", config);
        let checked = self.refusal(&[&["config", "check", "bad.yaml"], flags].concat());
        expected.assert_eq(&checked);
        assert_eq!(self.refusal(&[&["train", "bad.yaml", "--device", "cpu"], flags].concat()), checked);
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let scene = Scene::new();
    scene.write("broken.jinja", "{% for message in messages %}");
    scene.write("blocked", "a file");
    scene.check_refusal(
        "\
model_config:
  { model_type: llama, vocab_size: 320, hiden_size: 32, num_hidden_layers: 2, num_attention_heads: 4, layers: 3 }
tokenizer: tok2
chat_template: broken.jinja
datasets:
  - path: missing.jsonl
  - path: data.jsonl
    typ: alpaca
test_datasets:
  - path: gone
learning_rat: 1.0e-3
output_dir: blocked/out
resume_from_checkpoint: nowhere
",
        &["num_epochs=0"],
        expect![[r#"
            bad.yaml:2: `model_config.hiden_size` is not a key; did you mean `hidden_size`?
            bad.yaml:2: `model_config.layers` is not a key; it should be one of architectures, model_type, vocab_size, hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads, head_dim, max_position_embeddings, rms_norm_eps, rope_theta, rope_scaling, rope_parameters, tie_word_embeddings, initializer_range, hidden_act, attention_bias, mlp_bias
            bad.yaml:3: `tokenizer`: cannot read tok2/tokenizer.json: No such file or directory (os error 2)
            bad.yaml:4: `chat_template`: broken.jinja: the chat template does not parse: unexpected end of input, expected end of block (line 1 of the template)
            bad.yaml:6: `datasets.0`: cannot read missing.jsonl: No such file or directory (os error 2)
            bad.yaml:8: `datasets.1.typ` is not a key; did you mean `type`?
            bad.yaml:10: `test_datasets.0`: cannot read gone: No such file or directory (os error 2)
            bad.yaml:11: `learning_rat` is not a key; did you mean `learning_rate`?
            bad.yaml:12: `output_dir`: creating the folder blocked/out: Not a directory (os error 20); choose an output_dir that can be written to
            bad.yaml:13: `resume_from_checkpoint`: there is no checkpoint nowhere: there is no such folder
            command line: `num_epochs` must be a whole number of at least 1; found `0`"#]],
    );
}

#[test]
fn what_the_keys_name_is_looked_at() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    scene.write("silent.jsonl", "{\"messages\": [{\"role\": \"user\", \"content\": \"iron?\"}]}\n");
    scene.check_refusal(
        "\
base_model: out
adapter: lora
lora_target_modules: [q_proj, v_prj, mlp]
chat_template: llama3
datasets:
  - path: data.jsonl
learning_rate: 1.0e-3
output_dir: out
",
        &[],
        expect![[r#"
            bad.yaml:3: lora_target_modules: `v_prj` is no linear module of the model; did you mean `v_proj`? the names are q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, and ends of paths such as self_attn.q_proj
            bad.yaml:3: lora_target_modules: `mlp` is no linear module of the model; the names are q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, and ends of paths such as self_attn.q_proj
            bad.yaml:4: `chat_template`: llama3, which has to be a template in Jinja, cannot be read: No such file or directory (os error 2); without this key the tokenizer's own is taken
            bad.yaml:8: output_dir out is base_model, whose files the trained model would replace: choose another"#]],
    );
    scene.check_refusal(
        "base_model: nowhere\nadapter: lora\ndatasets: [{ path: data.jsonl }]\nlearning_rate: 1.0e-3\noutput_dir: b\n",
        &["datasets.0.path=gone.jsonl", "datasets.1.path=data.csv"],
        expect![[r#"
            bad.yaml:1: `base_model`: nowhere is not a model folder: there is no such folder
            command line: `datasets.0`: cannot read gone.jsonl: No such file or directory (os error 2)
            command line: `datasets.1`: cannot read data.csv: No such file or directory (os error 2)"#]],
    );
    // As `train` would see it with the same flags.
    scene.check_refusal(
        "base_model: out\ndatasets: [{ path: silent.jsonl }]\nlearning_rate: 1.0e-3\noutput_dir: adapter\n",
        &["--skip-bad", "max_steps=3", "warmup_steps=9"],
        expect![[r#"
            bad.yaml:2: `datasets.0`: silent.jsonl, line 1: the data holds chat messages, but the tokenizer has no chat template: add a chat_template.jinja to its folder, or use prompt/completion data; for training, chat_template in the configuration names one too
            command line: `warmup_steps` must be below `max_steps`, which is 3; found 9"#]],
    );
}

#[test]
fn a_folder_with_an_earlier_run_is_refused_unless_it_is_gone_on_with() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let run = fs::read_to_string(scene.path("run.yaml")).unwrap();
    scene.check_refusal(&run, &[], expect!["bad.yaml:8: `output_dir`: out/checkpoints holds checkpoints of an earlier run; go on with it by --resume, replace it by --overwrite, or choose another output_dir"]);
    for flag in ["--resume", "--overwrite"] {
        scene.succeed(&["config", "check", "run.yaml", flag]);
    }
    assert_eq!(scene.checkpoints("out"), ["step-00000001"], "a check changes nothing");
    // To save space, say.
    fs::remove_dir_all(scene.path("out/checkpoints")).unwrap();
    for flags in [&[][..], &["--resume"]] {
        scene.check_refusal(&run, flags, expect![[r#"
            bad.yaml:8: output_dir out holds the result of an earlier run and no checkpoint to go on from; replace it by --overwrite, or choose another"#]]);
    }
    scene.succeed(&["config", "check", "run.yaml", "--overwrite"]);
    assert!(scene.path("out/model.safetensors").is_file());
}

#[test]
fn a_checkpoint_that_does_not_fit_is_found_without_a_device() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let run = fs::read_to_string(scene.path("run.yaml")).unwrap();
    scene.check_refusal(&run, &["--resume", "sequence_len=128", "datasets.1.path=gone"], expect![[r#"
        bad.yaml:8: `output_dir`: out/checkpoints/step-00000002: the rows of the data would be other ones (sequence_len: 64 -> 128), and the run's place among them would be lost; set that back, or start another run in another output_dir
        command line: `datasets.1`: cannot read gone: No such file or directory (os error 2)"#]]);
    scene.check_refusal(&run, &["--resume", "max_steps=1"], expect!["bad.yaml:8: `output_dir`: out/checkpoints/step-00000002: it was saved after step 2, and this run ends after step 1; raise max_steps, num_epochs or max_duration, or start another run in another output_dir"]);
    let from = "resume_from_checkpoint=out/checkpoints/step-00000002";
    scene.check_refusal(&run, &[from, "output_dir=other", "model_config.intermediate_size=64"], expect!["command line: `resume_from_checkpoint`: out/checkpoints/step-00000002: what it has trained would be dropped or mean something else (intermediate_size: 48 -> 64); set that back, or start another run in another output_dir"]);
    // What it was saved with cannot be compared with what is not known.
    scene.check_refusal(
        &run,
        &["--resume", "sequence_length=128"],
        expect!["command line: `sequence_length` is not a key; did you mean `sequence_len`?"],
    );
    fs::write(scene.path("out/checkpoints/step-00000002/state.safetensors"), "").unwrap();
    scene.check_refusal(&run, &["--resume"], expect!["bad.yaml:8: `output_dir`: none of the 1 checkpoints in out/checkpoints is complete: checkpoint out/checkpoints/step-00000002 is not complete: state.safetensors has 0 bytes, and 438752 were saved; remove them to start from the beginning"]);
    scene.check_refusal(&run, &[from, "output_dir=other"], expect!["command line: `resume_from_checkpoint`: checkpoint out/checkpoints/step-00000002 is not complete: state.safetensors has 0 bytes, and 438752 were saved"]);
}

/// A run that was stopped, or is still under way, can be the base of another.
#[test]
fn a_run_without_a_result_stands_for_its_newest_checkpoint() {
    let scene = Scene::new();
    scene.train(&["max_steps=2", "save_steps=1"]);
    for name in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        fs::remove_file(scene.path("out").join(name)).unwrap();
    }
    let checked = scene.run(&["config", "check", "lora.yaml"]);
    assert!(checked.status.success(), "{checked:?}");
    assert!(String::from_utf8(checked.stdout).unwrap().contains("base_model: out\n"));
    let stderr = scene.succeed(&["train", "lora.yaml", "max_steps=1"]);
    let told = "out has checkpoints and no result yet: taking step 2\n";
    assert_eq!(stderr.matches(told).count(), 1, "{stderr}");
    let adapter = fs::read_to_string(scene.path("adapter/adapter_config.json")).unwrap();
    assert!(adapter.contains("\"base_model_name_or_path\": \"out/checkpoints/step-00000002\""), "{adapter}");
    let inspected = scene.run(&["data", "inspect", "lora.yaml"]);
    assert!(inspected.status.success(), "{inspected:?}");
    scene.succeed(&["generate", "--model", "adapter", "--prompt", "iron?", "--max-tokens", "2"]);
}

/// What a run would warn of, the check says too; the run itself says it once.
#[test]
fn warnings_are_told_once() {
    let scene = Scene::new();
    let told = "warning: sequence_len is 256, but the model is meant for at most 128 positions";
    for command in [&["config", "check"][..], &["train"]] {
        let stderr = scene.succeed(&[command, &["run.yaml", "sequence_len=256", "max_steps=1"]].concat());
        assert_eq!(stderr.matches(told).count(), 1, "{stderr}");
    }
}

/// A folder in which one file is named after a split has others that nobody would miss.
#[test]
fn files_that_nobody_reads_are_told() {
    let scene = Scene::new();
    fs::create_dir(scene.path("texts")).unwrap();
    scene.write("texts/train.jsonl", "{\"text\": \"iron\"}\n");
    scene.write("texts/more.jsonl", "{\"text\": \"gold\"}\n");
    let check = ["config", "check", "run.yaml", "datasets.0.path=texts"];
    let told = "warning: texts/more.jsonl is not read, as its folder has files of the split `train`: ";
    for command in [&["config", "check"][..], &["data", "inspect"], &["train"]] {
        let stderr = scene.succeed(&[command, &check[2..], &["max_steps=1"]].concat());
        assert_eq!(stderr.matches(told).count(), 1, "{command:?}: {stderr}");
    }
    for read in [
        &["datasets.0.split=train"][..],
        &["datasets.1.path=texts/more.jsonl"],
        &["test_datasets.0.path=texts/more.jsonl", "val_set_size=0"],
    ] {
        let stderr = scene.succeed(&[&check[..], &["output_dir=new"], read].concat());
        assert!(!stderr.contains("not read"), "{read:?}: {stderr}");
    }
}

#[test]
fn a_check_leaves_no_trace_and_needs_no_device() {
    let scene = Scene::new();
    scene.write("text.jsonl", "{\"text\": \"iron\"}\n");
    let words = ["config", "check", "run.yaml", "output_dir=runs/new", "datasets.0.path=text.jsonl"];
    // No plugin is at this place, and none is needed.
    let output = crate::command::finery(scene.root()).args(words).env("FINERY_PLUGIN", "/nowhere.so").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("output_dir: runs/new\n"));
    assert!(!scene.path("runs").exists());
}

#[test]
fn several_processes_on_a_cpu_are_refused_before_they_begin() {
    let scene = Scene::new();
    let output = scene.run(&["launch", "-n", "2", "--", "train", "run.yaml", "--device", "cpu"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    // By the rank that found it first, which rank 0 may have heard before it looked.
    let refusal =
        "error: 2 processes were started, but the cpu plugin computes in one process: start one, or run on GPUs";
    assert!(stderr.lines().any(|line| line == refusal || line == format!("[rank 1] {refusal}")), "{stderr}");
    assert!(!scene.path("out").exists());

    for command in [&["bench", "decode", "--preset", "llama-15m", "--device", "cpu"][..], &["quickstart"]] {
        let output = scene.run(&[&["launch", "-n", "2", "--"], command].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        let refusal = "error: finery launch started 2 processes, but this command runs in one; of those that run on a device only `train`, `profile` and `bench train` take several";
        assert!(stderr.lines().any(|line| line == refusal), "{stderr}");
    }
    assert!(!scene.path("quickstart").exists());
}
