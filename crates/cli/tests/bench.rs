//! `finery bench`, as people and scripts read it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::Value;

#[path = "support/command.rs"]
mod command;

/// What the command prints, given these words.
fn bench(words: &str) -> String {
    let mut bench = command::finery(Path::new("."));
    let output = bench.args(["-q", "bench"]).args(words.split_whitespace()).args(["--device", "cpu"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The names in front of the lines for people.
fn names(text: &str) -> Vec<&str> {
    text.lines().map(|line| line.split("  ").next().unwrap()).collect()
}

fn number(value: &Value, key: &str) -> f64 {
    value.pointer(key).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {key} in {value}"))
}

#[test]
fn a_training_step_is_told_to_people_and_to_scripts() {
    let words = "train --preset cpu-15m --rows 2 --positions 32 --steps 3 --warmup 1";
    let text = bench(words);
    assert_eq!(
        names(&text),
        ["step", "settings", "attention", "tokens/s", "ms a step", "TFLOP/s", "memory", "compiled in", "loss"],
        "{text}"
    );
    let told: Value = serde_json::from_str(&bench(&format!("{words} --json"))).unwrap();
    let [median, min, max] = ["median", "min", "max"].map(|name| number(&told, &format!("/step_ms/{name}")));
    assert!(0.0 < min && min <= median && median <= max, "{told}");
    // 2 x 32 tokens a step.
    let tokens = number(&told, "/tokens_per_second") * median / 1e3;
    assert!((tokens - 64.0).abs() < 1e-6, "{told}");
    assert!(number(&told, "/tflop_per_s") < number(&told, "/product_tflop_per_s"), "{told}");
    assert!(number(&told, "/loss_last") < number(&told, "/loss_first"), "{told}");
    assert!(number(&told, "/compile_seconds") > 0.0 && number(&told, "/draw_seconds") > 0.0, "{told}");
    assert!(text.contains(" that a product in f32 does in this run") && told["product_dtype"] == "f32", "{text}");
    // A step's rate stands beside that of a product in the step's own type.
    let text = bench(&format!("{words} --dtype bf16"));
    assert!(text.contains(" that a product in bf16 does in this run"), "{text}");
}

#[test]
fn generation_is_told_to_people_and_to_scripts() {
    // Past the end of a page of 32 tokens.
    let words = "decode --preset llama-15m --context 20 --tokens 13 --check";
    let text = bench(words);
    assert_eq!(
        names(&text),
        ["tokens", "ms a step", "tokens/s", "weights", "prompts", "first token", "check"],
        "{text}"
    );
    let told: Value = serde_json::from_str(&bench(&format!("{words} --json"))).unwrap();
    // The embedding is the output layer, too, so that all 15.2 million weights are read, in f32.
    let bytes = number(&told, "/weights_gb_per_s") * number(&told, "/token_ms/median") * 1e6;
    assert!((6.0e7..6.2e7).contains(&bytes), "{bytes} bytes a token");
    assert!(number(&told, "/checked_tokens") > 13.0 && number(&told, "/token_off_by") < 1e-4, "{told}");
    assert!(number(&told, "/off_by") < 1e-4 && number(&told, "/copy_gb_per_s") > 0.0, "{told}");
    let tokens = |told: &Value| number(told, "/tokens_per_second") * number(told, "/token_ms/median") / 1e3;
    assert!((tokens(&told) - 1.0).abs() < 1e-6 && told["batch"] == 1, "{told}");
    let several: Value = serde_json::from_str(&bench(&format!("{words} --batch 3 --json"))).unwrap();
    assert!((tokens(&several) - 3.0).abs() < 1e-6 && number(&several, "/off_by") < 1e-4, "{several}");
    let prompts = number(&several, "/prompt_tokens_per_second") * number(&several, "/prompts_ms/median") / 1e3;
    assert!((prompts - 60.0).abs() < 1e-6 && number(&several, "/prompts_tflop_per_s") > 0.0, "{several}");
    // Fewer adapters than texts, and more.
    for adapters in [2, 7] {
        let adapted =
            format!("decode --preset llama-15m --context 20 --tokens 3 --batch 3 --adapters {adapters} --json");
        let adapted: Value = serde_json::from_str(&bench(&adapted)).unwrap();
        assert!((tokens(&adapted) - 3.0).abs() < 1e-6 && adapted["adapters"] == adapters, "{adapted}");
        // Of each text's adapter both factors of each matrix of six layers, of rank 8: of four of 288 x 288 and three of 288 x 768.
        let of_one = 4 * 8 * 6 * (4 * 2 * 288 + 3 * (288 + 768));
        let more = number(&adapted, "/weights_gb_per_s") * number(&adapted, "/token_ms/median") * 1e6 - bytes;
        assert!((more - f64::from(of_one * adapters.min(3))).abs() < 1.0, "{more} bytes of {adapters} adapters");
    }
}

/// On a CPU kernels are interpreted, compared, and their references timed.
#[test]
fn kernels_are_told_to_people_and_to_scripts() {
    let text = bench("kernels --only norm --seed 1");
    let (above, rows) = text.split_once("\n\n").unwrap();
    assert!(
        above.starts_with("cpu: a copy moves ")
            && above.ends_with("; seed 1; kernels are interpreted there, and references timed"),
        "{text}"
    );
    let told: Value = serde_json::from_str(&bench("kernels --only norm --seed 1 --json")).unwrap();
    let operations = told["operations"].as_array().unwrap();
    assert!(!operations.is_empty() && rows.lines().count() == 1 + operations.len(), "{text}");
    for (row, line) in operations.iter().zip(rows.lines().skip(1)) {
        let name = row["operation"].as_str().unwrap();
        assert!(name.starts_with("norm of ") && line.starts_with(name), "{line}");
        assert!(number(row, "/off_by") <= number(row, "/tolerance") && row.get("ms").is_none(), "{row}");
        // Each byte once at a copy's rate, as a part of the reference's time.
        let [floor, median] = ["/floor_ms", "/reference_ms/median"].map(|key| number(row, key));
        let of_bytes = number(row, "/gb_per_s") / number(&told, "/copy_gb_per_s");
        let fraction = number(row, "/ceiling_fraction");
        assert!((fraction / of_bytes - 1.0).abs() < 1e-9 && (fraction * median / floor - 1.0).abs() < 1e-9, "{row}");
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let answered = |words: &str| {
        let mut bench = command::finery(Path::new("."));
        bench.args(["-q", "bench"]).args(words.split_whitespace()).args(["--device", "cpu"]).output().unwrap()
    };
    let refused = |words: &str| command::refusal(&answered(words));
    let misused = |words: &str, said: &str| {
        let refusal = command::refusal_with(2, &answered(words));
        assert!(refusal.contains(said), "{refusal}");
    };
    misused("train --preset cpu-15m --check", "this step has no kernels: leave it out");
    misused("train --preset cpu-15m --packed --positions 32", "set --positions to 64 or more");
    misused("train --preset cpu-15m --mesh fsdp=2 --rows 3", "set --rows to a multiple of 2");
    misused("train --preset cpu-15m --reduce-bf16", "--mesh");
    misused("decode --preset llama-15m --adapter-rank 4", "--adapters");
    misused("decode --preset llama-15m --tokens 0", "--tokens");
    misused("decode --preset llama-15m --context 1000000", "1000069 tokens do not fit");
    let no_module = "no linear module `query` to adapt: it has down_proj, ";
    misused("decode --preset llama-15m --adapters 1 --adapter-targets q_proj,query", no_module);
    let file = refused("train --preset cpu-15m --profile Cargo.toml");
    assert_eq!(file, "Cargo.toml is a file: name a folder for the profile");
    // No machine has so much; what it has is told.
    let refusal = refused("train --preset cpu-15m --rows 65536 --positions 1048576");
    let told = "a batch of 65536 x 1048576 tokens takes 1.4 TB of the host's memory, and ";
    assert!(refusal.starts_with(told) && refusal.ends_with(" are free: lower --rows or --positions"), "{refusal}");
    // A step's advice is in the words of this command.
    let refusal = refused("train --preset mamba-370m --rows 1024 --positions 4096");
    assert!(refusal.starts_with("a step of 1024 x 4096 tokens takes at least "), "{refusal}");
    assert!(refusal.ends_with(" are free: lower --rows, or lower --positions"), "{refusal}");
    let refusal = refused("decode --preset llama-405b");
    let told = "the model takes at least 1.6 TB of memory (1.6 TB for weights in f32, 1.1 GB for remembering 569 tokens), and ";
    assert!(
        refusal.starts_with(told) && refusal.ends_with(" are free: take a smaller model, or more or larger devices"),
        "{refusal}"
    );
}
