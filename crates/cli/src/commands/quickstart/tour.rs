//! The steps of the tour: which commands, on which files.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use data::JsonLines;
use serde_json::Value;
use train::config::{ModelConfig, TrainConfig};

use super::examples;

/// The words of a `finery` command; shown as they are typed into a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command(Vec<String>);

impl Command {
    pub(super) fn new<const N: usize>(words: [&str; N]) -> Command {
        Command(words.map(str::to_owned).to_vec())
    }

    fn with(mut self, words: &[String]) -> Command {
        self.0.extend_from_slice(words);
        self
    }

    /// That which goes on with a training where it was saved.
    pub(super) fn resumed(&self) -> Command {
        self.clone().with(&words(&["--resume"]))
    }

    /// What follows `finery`.
    pub(super) fn words(&self) -> &[String] {
        &self.0
    }

    /// The path of this program, unless a shell finds it as `finery`.
    pub(super) fn program_path() -> Option<String> {
        let program = std::env::current_exe().ok()?;
        let searched = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&searched).map(|folder| folder.join("finery")).find(|path| path.is_file());
        if found.is_some_and(|found| found.canonicalize().ok() == program.canonicalize().ok()) {
            return None;
        }
        let short = std::env::current_dir().ok().and_then(|here| shorter_path(&program, &here));
        Some(short.unwrap_or(program).display().to_string())
    }
}

/// The path of a program as it is typed in the folder `here`, if it is below it. Shells look for a name without a folder elsewhere.
fn shorter_path(program: &Path, here: &Path) -> Option<PathBuf> {
    let path = program.strip_prefix(here).ok()?;
    let is_name = path.components().count() == 1;
    Some(if is_name { Path::new(".").join(path) } else { path.to_owned() })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("finery")?;
        self.0.iter().try_for_each(|word| write!(f, " {}", shell_word(word)))
    }
}

/// A word as a POSIX shell reads it back, quoted only where it has to be.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@%+".contains(c);
    match () {
        () if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        () if !word.contains(['"', '$', '`', '\\', '!']) => format!("\"{word}\""),
        () => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// What it is for.
    pub(super) title: &'static str,
    pub(super) command: Command,
    /// The folder of the run, of a step that trains a model.
    pub(super) run: Option<String>,
}

/// Where the tour reads and writes.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    dir: String,
    examples: String,
    /// Whether the examples are those in the binary, written to a folder of the tour's.
    own_examples: bool,
}

impl Layout {
    /// What the steps write goes to `dir`, and what they read comes from `examples`, or else from the binary.
    pub(super) fn new(dir: &str, examples: Option<&str>) -> Layout {
        // `join` would keep the slash at the end of `quickstart/` and show it twice.
        let shown = |folder: &Path| folder.components().as_path().display().to_string();
        let own = Path::new(dir).join("examples");
        Layout {
            dir: shown(Path::new(dir)),
            examples: shown(examples.map_or(&own, Path::new)),
            own_examples: examples.is_none(),
        }
    }

    /// The folder that the steps write to.
    pub(super) fn dir(&self) -> &Path {
        Path::new(&self.dir)
    }

    /// Where the answers without the adapter are.
    pub(super) fn answers_before(&self) -> PathBuf {
        self.written("before.jsonl").into()
    }

    /// Where the answers with the adapter are.
    pub(super) fn answers_after(&self) -> PathBuf {
        self.written("after.jsonl").into()
    }

    /// All that the tour writes.
    pub(super) fn outputs(&self) -> Vec<PathBuf> {
        let of_steps = ["tokenizer", "base", "lora", "before.jsonl", "after.jsonl"];
        let names = of_steps.into_iter().chain(self.own_examples.then_some("examples"));
        names.map(|name| self.dir().join(name)).collect()
    }

    /// A file among the tour's own examples that somebody has changed or added.
    pub(super) fn changed_example(&self) -> Option<PathBuf> {
        if self.own_examples { examples::find_changed(Path::new(&self.examples)) } else { None }
    }

    /// Refuses a folder of examples that the user has named and that does not hold them.
    pub(super) fn check_examples(&self) -> anyhow::Result<()> {
        if self.own_examples { Ok(()) } else { examples::check(Path::new(&self.examples)) }
    }

    /// Puts the examples where the steps look for them, unless the user has named a folder with others.
    pub(super) fn write_examples(&self) -> anyhow::Result<()> {
        if self.own_examples { examples::write(Path::new(&self.examples)) } else { Ok(()) }
    }

    /// The tour; `device` holds the options that choose a device, and `seed` stands in for that of the configurations.
    pub(super) fn steps(&self, device: &[String], seed: Option<u64>) -> anyhow::Result<Vec<Step>> {
        let [corpus, questions] = ["corpus.jsonl", "qa_test.jsonl"].map(|name| self.example(name));
        let [tokenizer, base, lora] = ["tokenizer", "base", "lora"].map(|name| self.written(name));
        let [before, after] = ["before.jsonl", "after.jsonl"].map(|name| self.written(name));
        let pretrain = Training::read(self.example("pretrain.yaml"))?;
        let tune = Training::read(self.example("lora.yaml"))?;
        let vocab_size = pretrain.vocab_size()?.to_string();
        let pretrain_words = pretrain.overrides(
            seed,
            &[
                ("tokenizer", pretrain.config.tokenizer.as_deref(), tokenizer.clone()),
                ("chat_template", pretrain.config.chat_template.as_deref(), self.example("chat_template.jinja")),
                ("datasets.0.path", pretrain.first_dataset(), corpus.clone()),
                ("output_dir", Some(&pretrain.config.output_dir), base.clone()),
            ],
        );
        let tune_words = tune.overrides(
            seed,
            &[
                ("base_model", tune.config.base_model.as_deref(), base.clone()),
                ("chat_template", tune.config.chat_template.as_deref(), self.example("chat_template.jinja")),
                ("datasets.0.path", tune.first_dataset(), self.example("qa_train.jsonl")),
                ("output_dir", Some(&tune.config.output_dir), lora.clone()),
            ],
        );
        let eval = ["eval", "exact-match", "--model", &base];
        let step = |title, command| Step { title, command, run: None };
        let training = |title, command, run: &String| Step { title, command, run: Some(run.clone()) };
        Ok(vec![
            step("See what there is to compute on", Command::new(["devices"]).with(device)),
            step(
                "Train a tokenizer on the writings of the town",
                Command::new([
                    "tokenizer",
                    "train",
                    "--input",
                    &corpus,
                    "--vocab-size",
                    &vocab_size,
                    "--output",
                    &tokenizer,
                ]),
            ),
            training(
                "Train a small Llama on them, from random weights",
                Command::new(["train", &pretrain.path]).with(&pretrain_words).with(device),
                &base,
            ),
            step("Draw its loss", Command::new(["plot", &base, "--metric", "loss", "--terminal"])),
            step(
                "Ask it questions about the town",
                Command::new(eval).with(&words(&["--input", &questions, "--output", &before])).with(device),
            ),
            training(
                "Fine-tune it with LoRA on other wordings of the questions",
                Command::new(["train", &tune.path]).with(&tune_words).with(device),
                &lora,
            ),
            step("Draw both losses", Command::new(["plot", &base, &lora, "--metric", "loss", "--terminal"])),
            step(
                "Ask the same questions, now with the adapter",
                Command::new(eval)
                    .with(&words(&["--adapter", &lora, "--input", &questions, "--output", &after]))
                    .with(device),
            ),
            step("Generate one answer", self.generate(&question(&questions, 0)?).with(device)),
        ])
    }

    /// Commands that go on from what the tour leaves behind.
    pub(super) fn next_commands(&self) -> anyhow::Result<[Command; 3]> {
        let [base, lora, merged] = ["base", "lora", "merged"].map(|name| self.written(name));
        Ok([
            Command::new(["chat", "--model", &base, "--adapter", &lora]),
            self.generate(&question(&self.example("qa_test.jsonl"), 1)?),
            Command::new(["merge", "--model", &base, "--adapter", &lora, "--output", &merged]),
        ])
    }

    fn generate(&self, question: &str) -> Command {
        let [base, lora] = ["base", "lora"].map(|name| self.written(name));
        // No longer than answers of the evaluation, so that its compiled programs are used again.
        let limit = ["--max-tokens", "32"];
        Command::new(["generate", "--model", &base, "--adapter", &lora, "--prompt", question]).with(&words(&limit))
    }

    fn example(&self, name: &str) -> String {
        Path::new(&self.examples).join(name).display().to_string()
    }

    fn written(&self, name: &str) -> String {
        self.dir().join(name).display().to_string()
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// One of the two configurations.
struct Training {
    path: String,
    config: TrainConfig,
}

impl Training {
    fn read(path: String) -> anyhow::Result<Training> {
        let config = TrainConfig::load(Path::new(&path), &[])?;
        Ok(Training { path, config })
    }

    fn first_dataset(&self) -> Option<&Path> {
        self.config.datasets.first().map(|dataset| dataset.path.as_path())
    }

    /// The size of the tokenizer's vocabulary is that of the model.
    fn vocab_size(&self) -> anyhow::Result<u64> {
        let inline = match &self.config.model_config {
            Some(ModelConfig::Inline(config)) => config.get("vocab_size").and_then(Value::as_u64),
            _ => None,
        };
        inline.with_context(|| format!("{}: model_config should hold vocab_size, for the tokenizer", self.path))
    }

    /// `key=value` for what the file gives otherwise than it should be: nothing in the folder that the tour writes to by default.
    fn overrides(&self, seed: Option<u64>, wanted: &[(&str, Option<&Path>, String)]) -> Vec<String> {
        let differs = |(_, found, wanted): &&(&str, Option<&Path>, String)| *found != Some(Path::new(wanted));
        let paths = wanted.iter().filter(differs).map(|(key, _, path)| format!("{key}={path}"));
        let seed = seed.filter(|&seed| seed != self.config.seed).map(|seed| format!("seed={seed}"));
        paths.chain(seed).collect()
    }
}

/// What the user asks in the conversation at `index` of a file.
fn question(path: &str, index: usize) -> anyhow::Result<String> {
    let object = JsonLines::open(path)?.nth(index).with_context(|| format!("{path} has too few questions"))?;
    let (line, object) = object?;
    let question = object.get("messages").and_then(|messages| messages[0]["content"].as_str());
    Ok(question.with_context(|| format!("{path}, line {line}: the first message has no text"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    const EXAMPLES: &str = "../../examples/quickstart";

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        let cases = [
            ("quickstart/base", "quickstart/base"),
            ("datasets.0.path=a.jsonl", "datasets.0.path=a.jsonl"),
            ("", "\"\""),
            ("my dir", "\"my dir\""),
            ("What is Jonas Quill's trade?", "\"What is Jonas Quill's trade?\""),
            ("costs $5", "'costs $5'"),
            ("it's $5!", r"'it'\''s $5!'"),
        ];
        for (word, shown) in cases {
            assert_eq!(shell_word(word), shown);
        }
    }

    #[test]
    fn a_program_is_named_as_shells_find_it() {
        let shown = |here: &str| shorter_path(Path::new("/opt/tools/bin/finery"), Path::new(here));
        assert_eq!(shown("/opt/tools/bin"), Some("./finery".into()));
        assert_eq!(shown("/opt/tools"), Some("bin/finery".into()));
        assert_eq!(shown("/work"), None);
    }

    /// Only paths that differ from those in the files are given as overrides: the folder here, and the data, as tests do not run in the
    /// root of the repository.
    #[test]
    fn training_is_told_of_other_folders() {
        let steps = Layout::new("tours/a/", Some(EXAMPLES)).steps(&words(&["--device", "cpu"]), Some(3)).unwrap();
        let shown = |index: usize| steps[index].command.to_string().replace(EXAMPLES, "E");
        assert_eq!(
            shown(2),
            "finery train E/pretrain.yaml tokenizer=tours/a/tokenizer chat_template=E/chat_template.jinja \
             datasets.0.path=E/corpus.jsonl output_dir=tours/a/base seed=3 --device cpu"
        );
        assert_eq!(
            shown(5),
            "finery train E/lora.yaml base_model=tours/a/base chat_template=E/chat_template.jinja \
             datasets.0.path=E/qa_train.jsonl output_dir=tours/a/lora seed=3 --device cpu"
        );
    }

    /// Where the tour is taken by default, the configurations can be used again as they are.
    #[test]
    fn configurations_fit_the_default_folder() {
        let layout = Layout::new("quickstart", None);
        for name in ["pretrain.yaml", "lora.yaml"] {
            let training = Training::read(format!("{EXAMPLES}/{name}")).unwrap();
            let data = if name == "lora.yaml" { "qa_train.jsonl" } else { "corpus.jsonl" };
            assert_eq!(training.first_dataset(), Some(Path::new(&layout.example(data))));
            assert_eq!(training.config.chat_template, Some(layout.example("chat_template.jinja").into()));
            let output = if name == "lora.yaml" { "lora" } else { "base" };
            assert_eq!(training.config.output_dir, Path::new(&layout.written(output)));
        }
    }

    #[test]
    fn every_command_is_one_that_finery_understands() {
        let layout = Layout::new("quickstart", Some(EXAMPLES));
        let steps = layout.steps(&words(&["--device", "cpu", "--offline"]), None).unwrap();
        for command in steps.into_iter().map(|step| step.command).chain(layout.next_commands().unwrap()) {
            let line = std::iter::once("finery").chain(command.words().iter().map(String::as_str));
            if let Err(error) = crate::Cli::try_parse_from(line) {
                panic!("{command}: {error}");
            }
        }
    }
}
