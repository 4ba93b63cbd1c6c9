//! A folder with all that a training needs, and the runs in it.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Once;
use std::time::{Duration, Instant};

use runtime::plugins::{self, Environment, Platform};
use serde_json::Value;
use tempfile::TempDir;

/// A model of two layers. Its tokenizer has 320 tokens.
const MODEL: &str = "{model_type: llama, vocab_size: 320, hidden_size: 32, intermediate_size: 48, num_hidden_layers: 2, \
    num_attention_heads: 4, num_key_value_heads: 2, max_position_embeddings: 128, rms_norm_eps: 1.0e-6, \
    rope_theta: 10000.0, tie_word_embeddings: false}";

/// Makes sure that there is a plugin, so that the commands themselves need not fetch one.
fn ensure_plugin() {
    static ENSURED: Once = Once::new();
    ENSURED.call_once(|| {
        plugins::ensure(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    });
}

/// The command, in a folder, as a user with backtraces switched on runs it.
pub(crate) fn finery(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_finery"));
    command.current_dir(folder).env("FINERY_OFFLINE", "1").env("RUST_BACKTRACE", "1").stdin(Stdio::null());
    for name in ["FINERY_PLUGIN", "FINERY_LOG", "RUST_LOG"] {
        command.env_remove(name);
    }
    command
}

/// A temporary folder with `tok/`, `data.jsonl` and `run.yaml`.
pub(crate) struct Scene {
    folder: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        ensure_plugin();
        let scene = Scene { folder: tempfile::tempdir().unwrap() };
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

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn run(&self, words: &[impl AsRef<OsStr>]) -> Output {
        finery(self.root()).args(words).output().unwrap()
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
        finery(self.root()).args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The metrics of a run without what time decides.
    pub(crate) fn metrics(&self, run: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(run).join("metrics.jsonl")).unwrap();
        let parse = |line: &str| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            for key in ["time", "step_ms", "tokens_per_second"] {
                record.as_object_mut().unwrap().remove(key);
            }
            record
        };
        text.lines().map(parse).collect()
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

/// The sentence with which a command failed; checks that it is the only one, and no accident.
pub(crate) fn refusal(output: &Output) -> String {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for accident in ["panicked", "backtrace", "RUST_BACKTRACE"] {
        assert!(!stderr.contains(accident), "{stderr}");
    }
    let sentences: Vec<usize> = stderr.match_indices("error: ").map(|(at, _)| at).collect();
    let [at] = sentences[..] else { panic!("not one error: {stderr}") };
    assert!(at == 0 || stderr[..at].ends_with('\n'), "{stderr}");
    stderr[at + "error: ".len()..].trim_end().to_owned()
}

/// Waits until something holds, which a run that is on its way brings about.
pub(crate) fn wait_for(what: &str, run: &mut Child, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before {what}");
        assert!(started.elapsed() < Duration::from_secs(180), "waiting for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
