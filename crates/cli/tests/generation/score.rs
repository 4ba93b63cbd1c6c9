//! `finery score`: the log-probability of each token.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::{finery, refusal};
use crate::model::{damage_embedding, fixture};
use crate::scene::Scene;
use crate::signals::is_heard;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Score {
    line: u64,
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
        Some(text) => json!({"text": text, "tokens": null}),
        None => json!({"text": null, "tokens": row["tokens"]}),
    };
    scene.write("input.jsonl", input(&reference.iter().map(line).collect::<Vec<_>>()));
    for (adapter, key) in [(&[][..], "logprobs"), (&["--adapter", "adapter"], "adapter_logprobs")] {
        let scores = parse(&scene.stdout("score", &[&["--input", "input.jsonl"], adapter].concat()));
        assert_eq!(scores.len(), reference.len());
        for ((Score { line, tokens, logprobs, sum }, row), number) in scores.iter().zip(&reference).zip(1..) {
            assert_eq!((json!(tokens), *line), (row["tokens"].clone(), number));
            let expected: Vec<f64> = serde_json::from_value(row[key].clone()).unwrap();
            assert_eq!(logprobs.len(), expected.len());
            // Sums of f32 in another order.
            assert!(logprobs.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-4), "{key}");
            assert!((sum - logprobs.iter().sum::<f64>()).abs() < 1e-5 * tokens.len() as f64, "{sum}");
        }
    }
}

#[test]
fn texts_come_from_standard_input() {
    let scene = Scene::new();
    let line = input(&[json!({"tokens": [7, 8]})]);
    scene.write("input.jsonl", &line);
    let words = ["score", "--device", "cpu", "--model", "model", "--input", "-"];
    let scored = |line: &str| {
        let mut command = finery(scene.root());
        let mut child =
            command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    assert_eq!(String::from_utf8(scored(&line).stdout).unwrap(), scene.stdout("score", &["--input", "input.jsonl"]));
    let error = refusal(&scored("{\"tokens\": 7}\n"));
    assert!(error.starts_with("standard input, line 1: "), "{error}");
}

#[test]
fn the_first_token_has_no_score() {
    let scene = Scene::new();
    scene.write("input.jsonl", "{\"tokens\": []}\n\n{\"text\": \"\"}\n{\"tokens\": [7]}\n{\"tokens\": [7, 8]}\n");
    let written = scene.stdout("score", &["--input", "input.jsonl"]);
    let empty = |(line, tokens)| format!("{{\"line\":{line},\"tokens\":{tokens},\"logprobs\":[],\"sum\":0.0}}\n");
    let [none, special, single] = [(1, "[]"), (3, "[0]"), (4, "[7]")].map(empty);
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
        ("{\"text\": \"a\", \"tokens\": [7]}", "there are both \"text\" and \"tokens\": leave one of them out"),
        ("{\"text\": null, \"tokens\": null}", "there is neither \"text\" nor \"tokens\""),
        ("{\"messages\": []}", "there is neither \"text\" nor \"tokens\""),
        ("{\"text\": ", "malformed JSON at column 9: EOF while parsing a value"),
        ("[1]", "the line is JSON, but not an object"),
        (&text(300), "301 tokens do not fit into the context of 256: shorten the text, or give --stride"),
    ];
    let refusal = || scene.refusal("score", &["--input", "input.jsonl"]);
    assert_eq!(refusal(), "cannot read input.jsonl: No such file or directory (os error 2)");
    for (line, reason) in cases {
        scene.write("input.jsonl", format!("{{\"text\": \"a\"}}\n\n{line}\n"));
        assert_eq!(refusal(), format!("input.jsonl, line 3: {reason}; nothing is scored: {ADVICE}"));
    }
}

const ADVICE: &str = "correct the file, or leave such rows out with --skip-bad";

#[test]
fn bad_rows_are_all_named_and_can_be_left_out() {
    let scene = Scene::new();
    let (good, long) = (json!({"text": "a"}), json!({"tokens": vec![7; 257]}));
    let lines =
        [good.clone(), json!({"text": 1}), long, good.clone(), json!({}), json!({}), json!({}), json!({}), good];
    scene.write("input.jsonl", input(&lines));
    let which = "6 of 9 rows of input.jsonl: line 2: \"text\" should be a string; line 3: 257 tokens do not fit into the \
                 context of 256: shorten the text, or give --stride; line 5: there is neither \"text\" nor \"tokens\"; line 6: \
                 there is neither \"text\" nor \"tokens\"; line 7: there is neither \"text\" nor \"tokens\"; and 1 more";
    let message = scene.refusal("score", &["--input", "input.jsonl"]);
    assert_eq!(message, format!("{which}; nothing is scored: {ADVICE}"));

    let output = scene.finery("score", &["--input", "input.jsonl", "--skip-bad"]);
    assert!(output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains(&format!("warning: left out {which}\n")), "{stderr}");
    let scores = parse(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(scores.iter().map(|score| score.line).collect::<Vec<_>>(), [1, 4, 9]);

    scene.write("input.jsonl", "{}\n");
    let expected = "nothing can be scored: input.jsonl, line 1: there is neither \"text\" nor \"tokens\"";
    assert_eq!(scene.refusal("score", &["--input", "input.jsonl", "--skip-bad"]), expected);
    scene.write("input.jsonl", "\n");
    let expected = "there is no row in input.jsonl: give a file with one JSON object a line";
    assert_eq!(scene.refusal("score", &["--input", "input.jsonl"]), expected);
}

/// With `scripts/fixtures/windows.py`.
#[test]
fn longer_texts_are_scored_in_windows() {
    let scene = Scene::new();
    let reference = fs::read_to_string(fixture("windows.jsonl")).unwrap();
    for row in reference.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        scene.write("input.jsonl", input(&[json!({"tokens": row["tokens"]})]));
        let [context, stride] = ["context", "stride"].map(|key| row[key].to_string());
        let words = ["--input", "input.jsonl", "--context", &context, "--stride", &stride];
        let score = parse(&scene.stdout("score", &words)).remove(0);
        let expected: Vec<f64> = serde_json::from_value(row["logprobs"].clone()).unwrap();
        assert_eq!(score.logprobs.len(), expected.len());
        // Sums of f32 in another order.
        assert!(score.logprobs.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4), "{context} {stride}");
    }
    let message = scene.refusal("score", &["--input", "input.jsonl", "--stride", "256"]);
    assert_eq!(message, "--stride is 256, but it should be from 1 to 255, below the context of 256");
}

/// What is not finite has no place in JSON, and is no score. (Attention reaches back from the damaged token: nothing times NaN is NaN.)
#[test]
fn what_is_no_number_is_named_with_its_row() {
    let scene = Scene::new();
    damage_embedding(&scene.path("model"), 300);
    scene.write("input.jsonl", input(&[json!({"tokens": [1, 2]}), json!({"tokens": [1, 300, 2]})]));
    let message = refusal(&scene.finery("score", &["--input", "input.jsonl"]));
    let expected = "input.jsonl, line 2: the log-probability of token 2 is NaN for this model, which is no score: its weights \
                    are damaged, or overflow in f32";
    assert_eq!(message, expected);
    scene.write("scores.jsonl", "earlier\n");
    scene.refusal("score", &["--input", "input.jsonl", "--output", "scores.jsonl", "--skip-bad"]);
    assert_eq!(fs::read_to_string(scene.path("scores.jsonl")).unwrap(), "earlier\n");
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
    let lines: Vec<Value> = (0..20_000).map(|i| json!({"tokens": vec![i % 320; 200]})).collect();
    scene.write("input.jsonl", input(&lines));
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        if !is_heard(signal) {
            continue;
        }
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
