//! `finery score`: the log-probability of each token.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::finery;
use crate::model::fixture;
use crate::scene::Scene;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Score {
    tokens: Vec<u32>,
    logprobs: Vec<f64>,
    sum: f64,
}

fn parse(lines: &str) -> Vec<Score> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn input(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn scores_are_those_of_transformers() {
    let scene = Scene::new();
    let reference = fs::read_to_string(fixture("score.jsonl")).unwrap();
    let reference: Vec<Value> = reference.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // As text where the tokens came from one, which puts <s> before them, else as tokens.
    let line = |row: &Value| match row.get("text") {
        Some(text) => json!({"text": text}),
        None => json!({"tokens": row["tokens"]}),
    };
    scene.write("input.jsonl", input(&reference.iter().map(line).collect::<Vec<_>>()));
    for (adapter, key) in [(&[][..], "logprobs"), (&["--adapter", "adapter"], "adapter_logprobs")] {
        let scores = parse(&scene.stdout("score", &[&["--input", "input.jsonl"], adapter].concat()));
        assert_eq!(scores.len(), reference.len());
        for (Score { tokens, logprobs, sum }, row) in scores.iter().zip(&reference) {
            assert_eq!(json!(tokens), row["tokens"]);
            let expected: Vec<f64> = serde_json::from_value(row[key].clone()).unwrap();
            assert_eq!(logprobs.len(), expected.len());
            // Sums of f32 in another order.
            assert!(logprobs.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-4), "{key}");
            assert!((sum - logprobs.iter().sum::<f64>()).abs() < 1e-5 * tokens.len() as f64, "{sum}");
        }
    }
}

#[test]
fn the_first_token_has_no_score() {
    let scene = Scene::new();
    scene.write("input.jsonl", "{\"tokens\": []}\n\n{\"text\": \"\"}\n{\"tokens\": [7]}\n{\"tokens\": [7, 8]}\n");
    let written = scene.stdout("score", &["--input", "input.jsonl"]);
    let empty = |tokens: &str| format!("{{\"tokens\":{tokens},\"logprobs\":[],\"sum\":0.0}}\n");
    let [none, special, single] = ["[]", "[0]", "[7]"].map(empty);
    assert!(written.starts_with(&[none, special, single].concat()), "{written}");
    assert_eq!(parse(&written)[3].logprobs.len(), 1);
}

#[test]
fn lines_keep_their_order_across_batches() {
    let scene = Scene::new();
    // More than are read at once, and of lengths that belong to different batches.
    let lines: Vec<Value> = (0..1100).map(|i| json!({"tokens": vec![i % 320; 2 + i % 23]})).collect();
    scene.write("input.jsonl", input(&lines));
    assert!(scene.stdout("score", &["--input", "input.jsonl", "--output", "scores.jsonl"]).is_empty());
    let scores = parse(&fs::read_to_string(scene.path("scores.jsonl")).unwrap());
    let found: Vec<Value> = scores.into_iter().map(|score| json!({"tokens": score.tokens})).collect();
    assert_eq!(found, lines);
}

#[test]
fn bad_lines_are_named() {
    let scene = Scene::new();
    let text = |length| format!("{{\"text\": \"{}\"}}", "a".repeat(length));
    let cases = [
        ("{\"tokens\": [1, 320]}", "token id 320 is not in the model's vocabulary of 320 tokens"),
        (
            "{\"tokens\": [1, -2]}",
            "\"tokens\" should be a list of token ids: invalid value: integer `-2`, expected u32",
        ),
        ("{\"tokens\": 3}", "\"tokens\" should be a list of token ids: invalid type: integer `3`, expected a sequence"),
        ("{\"text\": 3}", "\"text\" should be a string"),
        ("{\"messages\": []}", "there is neither \"text\" nor \"tokens\""),
        ("{\"text\": ", "malformed JSON at column 9: EOF while parsing a value"),
        ("[1]", "the line is JSON, but not an object"),
        (&text(300), "301 tokens do not fit into the context of 256: shorten the text"),
    ];
    let refusal = || scene.refusal("score", &["--input", "input.jsonl"]);
    assert_eq!(refusal(), "cannot read input.jsonl: No such file or directory (os error 2)");
    for (line, reason) in cases {
        scene.write("input.jsonl", format!("{{\"text\": \"a\"}}\n\n{line}\n"));
        assert_eq!(refusal(), format!("input.jsonl, line 3: {reason}"));
    }
}

#[test]
fn the_input_is_not_overwritten() {
    let scene = Scene::new();
    scene.write("input.jsonl", "{\"text\": \"a\"}\n");
    let refusal = |output| scene.refusal("score", &["--input", "input.jsonl", "--output", output]);
    let expected = "it is the input, which would be lost: name another file";
    assert_eq!(refusal("./input.jsonl"), format!("cannot write the scores to ./input.jsonl: {expected}"));
    assert_eq!(fs::read_to_string(scene.path("input.jsonl")).unwrap(), "{\"text\": \"a\"}\n");
    let message = refusal("nowhere/scores.jsonl");
    assert_eq!(message, "cannot write the scores to nowhere/scores.jsonl: No such file or directory (os error 2)");
}

#[test]
fn a_failure_keeps_the_results_of_before() {
    let scene = Scene::new();
    scene.write("input.jsonl", "{\"text\": \"a\"}\n{\"tokens\": [1000000]}\n");
    scene.write("scores.jsonl", "earlier\n");
    scene.refusal("score", &["--input", "input.jsonl", "--output", "scores.jsonl"]);
    assert_eq!(fs::read_to_string(scene.path("scores.jsonl")).unwrap(), "earlier\n");
    let names = fs::read_dir(scene.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.filter(|name| name.to_string_lossy().contains("partial")).count() == 0, "nothing is left behind");
}

/// Ended by a signal, wherever that comes, the command leaves what was there and nothing half written.
#[test]
fn signals_end_it_at_once_and_leave_nothing() {
    let scene = Scene::new();
    let lines: Vec<Value> = (0..200_000).map(|i| json!({"tokens": vec![i % 320; 200]})).collect();
    scene.write("input.jsonl", input(&lines));
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        scene.write("scores.jsonl", "earlier\n");
        let mut score = finery(scene.root())
            .args([
                "score",
                "--device",
                "cpu",
                "--model",
                "model",
                "--input",
                "input.jsonl",
                "--output",
                "scores.jsonl",
            ])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let partial = scene.path(".partial-scores.jsonl");
        while fs::metadata(&partial).map_or(0, |file| file.len()) == 0 {
            assert!(score.try_wait().unwrap().is_none(), "it ended before it wrote");
            std::thread::sleep(Duration::from_millis(10));
        }
        let sent = Instant::now();
        kill_process(Pid::from_child(&score), signal).unwrap();
        assert_eq!(score.wait().unwrap().code(), Some(code));
        assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
        let mut names: Vec<_> = fs::read_dir(scene.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["adapter", "input.jsonl", "model", "scores.jsonl"]);
        assert_eq!(fs::read_to_string(scene.path("scores.jsonl")).unwrap(), "earlier\n");
    }
}
