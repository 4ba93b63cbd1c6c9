//! `finery merge` and `finery export` on the CPU, as a user runs them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/command.rs"]
mod command;

use std::path::{Path, PathBuf};

use command::{finery, refusal};

fn fixture(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures").join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn merging_says_how_well_the_result_agrees_and_does_not_overwrite_it() {
    let folder = tempfile::TempDir::new().unwrap();
    let merged = folder.path().join("merged");
    let merged = merged.to_str().unwrap();
    let (base, adapter) = (fixture("lora/base"), fixture("lora/qv_r4"));
    let merge = ["merge", "--model", &base, "--adapter", &adapter, "--output", merged, "--device", "cpu", "--dtype"];

    let output = finery(folder.path()).args(merge).arg("bf16").output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let [modules, wrote, agrees, rounding] = stdout.lines().collect::<Vec<_>>()[..] else {
        panic!("{stdout}{}", String::from_utf8_lossy(&output.stderr))
    };
    assert_eq!(modules, "merged the adapter into 4 modules");
    assert_eq!(wrote, format!("wrote {merged}: 42.31 KiB of weights in 1 file"));
    assert!(agrees.starts_with("loaded again, it agrees with the live model with its weights rounded alike: "));
    assert!(rounding.starts_with("rounding the weights moves log-probabilities by up to "), "{rounding}");

    let again = finery(folder.path()).args(merge).arg("f32").output().unwrap();
    let expected = format!("{merged} is not empty; give a folder that does not exist or is empty");
    assert_eq!(refusal(&again), expected);
}

#[test]
fn exporting_cuts_shards_of_the_size_asked_for() {
    let folder = tempfile::TempDir::new().unwrap();
    let output = folder.path().join("out");
    let arguments = ["export", "--model", &fixture("llama/bf16"), "--device", "cpu", "--max-shard-size", "20KiB"];
    let ran = finery(folder.path()).args(arguments).args(["--output", output.to_str().unwrap()]).output().unwrap();
    let stdout = String::from_utf8_lossy(&ran.stdout);
    assert!(stdout.ends_with("agrees with the live model: log-probabilities are the same\n"), "{stdout}");
    let shards = std::fs::read_dir(&output).unwrap().map(|entry| entry.unwrap());
    let shards: Vec<_> = shards.filter(|file| file.path().extension().is_some_and(|e| e == "safetensors")).collect();
    assert!(shards.len() > 1);
    assert!(shards.iter().all(|file| file.metadata().unwrap().len() < 20 * 1024 + 4096), "header included");
    assert!(output.join("model.safetensors.index.json").is_file());
}

#[test]
fn merging_needs_an_adapter() {
    let folder = tempfile::TempDir::new().unwrap();
    let merge = ["merge", "--model", &fixture("lora/base"), "--output", "out", "--device", "cpu"];
    let expected =
        "there is no adapter to merge: name one with --adapter, or use `finery export` to write a model as it is";
    assert_eq!(refusal(&finery(folder.path()).args(merge).output().unwrap()), expected);
}
