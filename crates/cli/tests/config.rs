//! `finery config` as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Output;

#[path = "support/environment.rs"]
mod environment;

fn finery(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = environment::untouched();
    command.current_dir(folder).env("HOME", folder).env("NO_COLOR", "1").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const AXOLOTL: &str = "\
base_model: ./base
adapter: lora
datasets:
  - path: a.jsonl
    type: alpaca
learning_rate: 2e-4
warmup_steps: 5
flash_attention: true
wandb_project: tests
";

#[test]
fn convert_writes_ours_and_says_what_was_lost() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("theirs.yaml"), AXOLOTL).unwrap();
    let printed = finery(folder.path(), &["config", "convert", "theirs.yaml"]);
    assert!(printed.status.success(), "{printed:?}");
    assert!(text(&printed.stdout).starts_with("# From theirs.yaml of Axolotl"), "{printed:?}");
    let said = text(&printed.stderr);
    for part in ["left out, because nothing here needs them: flash_attention", "theirs.yaml:9: `wandb_project` is not"]
    {
        assert!(said.contains(part), "{said}");
    }

    let written = finery(folder.path(), &["config", "convert", "theirs.yaml", "--output", "ours.yaml"]);
    assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    assert_eq!(fs::read(folder.path().join("ours.yaml")).unwrap(), printed.stdout);
    // What has been worked on since stays, unless it is to go.
    let ours = folder.path().join("ours.yaml");
    fs::write(&ours, "mine").unwrap();
    let again = finery(folder.path(), &["config", "convert", "theirs.yaml", "-o", "ours.yaml"]);
    assert_eq!(again.status.code(), Some(1));
    let refusal = "error: ours.yaml is there already: name another file, or say --overwrite\n";
    assert_eq!(text(&again.stderr), refusal);
    assert_eq!(fs::read_to_string(&ours).unwrap(), "mine");
    let again = finery(folder.path(), &["config", "convert", "theirs.yaml", "-o", "ours.yaml", "--overwrite"]);
    assert!(again.status.success(), "{again:?}");
    assert_eq!(fs::read(&ours).unwrap(), printed.stdout);
    let onto_itself = finery(folder.path(), &["config", "convert", "theirs.yaml", "-o", "theirs.yaml"]);
    assert_eq!(onto_itself.status.code(), Some(1));
    assert_eq!(fs::read_to_string(folder.path().join("theirs.yaml")).unwrap(), AXOLOTL, "the input stays");
}

#[test]
fn a_result_that_is_not_whole_is_printed_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mpt = "model: {name: mpt_causal_lm}\ntrain_loader: {name: finetuning, dataset: {hf_name: a.jsonl}}\n";
    fs::write(folder.path().join("mpt.yaml"), mpt).unwrap();
    let output = finery(folder.path(), &["config", "convert", "mpt.yaml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("path: a.jsonl"), "{output:?}");
    assert!(text(&output.stderr).contains("the result: `learning_rate` is missing"), "{output:?}");
    let written = finery(folder.path(), &["config", "convert", "mpt.yaml", "-o", "ours.yaml"]);
    assert_eq!(written.status.code(), Some(1));
    assert_eq!(fs::read(folder.path().join("ours.yaml")).unwrap(), output.stdout);
    let said = text(&written.stderr);
    let expected = "error: ours.yaml was written, but cannot be used yet\nthe result: ";
    assert!(said.contains(expected), "{said}");
}
