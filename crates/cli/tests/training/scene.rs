//! A folder with all that a training needs, and the runs in it.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::{finery, refusal};
use crate::folder::Folder;

/// A model of two layers. Its tokenizer has 320 tokens.
const MODEL: &str = "{model_type: llama, vocab_size: 320, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, \
    num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 128, rms_norm_eps: 1.0e-6, \
    rope_theta: 10000.0, tie_word_embeddings: false}";

/// A temporary folder with `tok/`, `data.jsonl` and `run.yaml`.
pub(crate) struct Scene {
    folder: Folder,
}

impl Deref for Scene {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.folder
    }
}

impl Scene {
    pub(crate) fn new() -> Scene {
        let scene = Scene { folder: Folder::new() };
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
        fs::create_dir(scene.path("tok")).unwrap();
        for name in ["tokenizer.json", "tokenizer_config.json"] {
            fs::copy(fixture.join(name), scene.path("tok").join(name)).unwrap();
        }
        scene.write("data.jsonl", samples(40));
        let config = format!(
            "model_config: {MODEL}\ntokenizer: tok\ndatasets: [{{path: data.jsonl}}]\nsequence_len: 64\n\
             micro_batch_size: 2\nmax_steps: 8\nlearning_rate: 1.0e-3\noutput_dir: out\n"
        );
        scene.write("run.yaml", &config);
        // LoRA on the model that `run.yaml` leaves behind. B begins as zeros, so a high rate makes dropout matter soon.
        let lora = "base_model: out\nadapter: lora\nlora_r: 4\nlora_dropout: 0.3\ndatasets: [{path: data.jsonl}]\n\
             sequence_len: 64\nmicro_batch_size: 2\nmax_steps: 8\nlearning_rate: 2.0e-2\noutput_dir: adapter\n";
        scene.write("lora.yaml", lora);
        scene
    }

    /// Runs a command that must succeed, and gives its standard error.
    pub(crate) fn succeed(&self, words: &[impl AsRef<OsStr> + Debug]) -> String {
        let output = self.run(words);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "finery {words:?}: {stderr}");
        stderr
    }

    /// `finery train run.yaml` with overrides.
    pub(crate) fn train(&self, words: &[&str]) -> String {
        self.succeed(&[&["train", "run.yaml"], words].concat())
    }

    /// Runs a command that must fail, and gives the one sentence that says why.
    pub(crate) fn refusal(&self, words: &[&str]) -> String {
        refusal(&self.run(words))
    }

    /// Starts a command that is to be stopped.
    pub(crate) fn start(&self, words: &[impl AsRef<OsStr>]) -> Child {
        finery(self.root()).args(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// How many steps a run's metrics have.
    pub(crate) fn steps_logged(&self, run: &str) -> usize {
        let text = fs::read_to_string(self.path(run).join("metrics.jsonl")).unwrap_or_default();
        text.matches("\"loss\":").count()
    }

    /// What a run's metrics say of its checkpoints.
    pub(crate) fn saves(&self, run: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(run).join("metrics.jsonl")).unwrap();
        let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.filter(|record| record.get("save_bytes").is_some()).collect()
    }

    /// The metrics of a run's steps and evaluations without what decides nothing: time and memory.
    pub(crate) fn metrics(&self, run: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(run).join("metrics.jsonl")).unwrap();
        let parse = |line: &str| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            let speeds =
                ["time", "step_ms", "tokens_per_second", "model_tflops", "model_tflops_causal", "peak_memory_bytes"];
            for key in speeds {
                record.as_object_mut().unwrap().remove(key);
            }
            record
        };
        let is_other = |record: &Value| ["device", "save_bytes"].iter().any(|key| record.get(key).is_some());
        text.lines().map(parse).filter(|record| !is_other(record)).collect()
    }

    /// The losses of a run's steps.
    pub(crate) fn losses(&self, run: &str) -> Vec<f64> {
        self.metrics(run).iter().filter_map(|record| record.get("loss")?.as_f64()).collect()
    }

    /// Names of a run's checkpoints, in order.
    pub(crate) fn checkpoints(&self, run: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(run).join("checkpoints")) else { return vec![] };
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Lines of questions and answers.
pub(crate) fn samples(count: usize) -> String {
    let nouns = ["iron", "water", "fire", "hammer", "coal", "river", "wheel", "stone"];
    let line = |i: usize| {
        let (a, b) = (nouns[i % 8], nouns[(i / 2 + 3) % 8]);
        format!("{{\"prompt\": \"{a} or {b}? \", \"completion\": \"{a}, and then {b}, {i} times.\"}}\n")
    };
    (0..count).map(line).collect()
}

/// A command through a shell, whose line has it as `$0` and its arguments as `$@`.
pub(crate) fn through_shell(command: &Command, line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

/// Waits until something holds, which a run that is on its way brings about.
pub(crate) fn wait_for(what: &str, run: &mut Child, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    loop {
        // In this order: it may bring it about and end between the two.
        let has_ended = run.try_wait().unwrap().is_some();
        if holds() {
            return;
        }
        assert!(!has_ended, "the run ended before {what}");
        assert!(started.elapsed() < Duration::from_secs(180), "waiting for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
