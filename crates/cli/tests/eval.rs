//! `finery eval` through the real binary: what counts as an answer, and bad input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/command.rs"]
mod command;
#[path = "support/folder.rs"]
mod folder;
#[path = "support/model.rs"]
mod model;

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use command::refusal;
use folder::Folder;
use model::{REFERENCE_TOKENS, damage_embedding, references, write_model};

/// A folder with the tiny model in `model`.
fn folder() -> Folder {
    let dir = Folder::new();
    write_model(&dir.path("model"));
    dir
}

fn exact_match(dir: &Folder, input: impl AsRef<[u8]>, options: &[&str]) -> Output {
    dir.write("questions.jsonl", input);
    let asked = ["eval", "exact-match", "--model", "model", "--input", "questions.jsonl", "--device", "cpu"];
    dir.run(&[&asked, options].concat())
}

fn answers(path: PathBuf) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_answer_counts_when_it_is_exact_and_ends() {
    let dir = folder();
    let [ending, _, endless] = &references();
    let chat = |user: &str, assistant: &str| json!({"messages": [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]});
    let lines = [
        json!({"prompt": ending.prompt, "completion": format!("  {}\n", ending.answer)}),
        chat(&ending.prompt, &ending.answer),
        json!({"prompt": ending.prompt, "completion": &ending.answer[..ending.answer.len() - 1]}),
        chat(&ending.prompt, &ending.answer.to_uppercase()),
        // Word for word, but cut off by the limit.
        json!({"prompt": endless.prompt, "completion": endless.answer}),
    ];
    let input = lines.iter().map(|line| format!("{line}\n\n")).collect::<String>();
    let output = exact_match(&dir, input, &["--max-tokens", REFERENCE_TOKENS, "--json", "--output", "answers.jsonl"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["matched"], &result["total"], &result["exact_match"]), (&json!(2), &json!(5), &json!(0.4)));

    let answers = answers(dir.path("answers.jsonl"));
    let summary: Vec<_> =
        answers.iter().map(|row| (row["line"].as_u64().unwrap(), row["match"].as_bool().unwrap())).collect();
    assert_eq!(summary, [(1, true), (3, true), (5, false), (7, false), (9, false)]);
    for (row, reference) in answers.iter().zip([ending, ending, ending, ending, endless]) {
        assert_eq!(row["answer"], reference.answer);
        assert_eq!(row["finish_reason"], if reference.ended { "stop" } else { "length" });
    }
}

#[test]
fn without_a_limit_there_is_room_for_every_expected_answer() {
    let dir = folder();
    let [ending, ..] = references();
    let input = json!({"prompt": ending.prompt, "completion": ending.answer}).to_string();
    let output = exact_match(&dir, input, &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "exact match: 1 of 1 answer, 100.0 %\n");
}

#[test]
fn bad_input_is_named_by_file_and_line() {
    let good = r#"{"prompt": "a", "completion": "b"}"#;
    let question = r#"{"messages": [{"role": "user", "content": "a"}]}"#;
    let silent = r#"{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": " "}]}"#;
    let cases: [(String, &str); 9] = [
        (
            format!("{good}\n{question}\n"),
            "line 2: the last message is not the assistant's text, which would be the expected answer",
        ),
        (format!("{good}\n\n{silent}\n"), "line 3: the expected answer is empty"),
        (format!("{good}\n{{\"prompt\": \"a\"\n"), "line 2: malformed JSON at column "),
        (format!("{good}\n[1]\n"), "line 2: the line is JSON, but not an object"),
        (r#"{"messages": []}"#.to_owned(), "line 1: \"messages\" is empty"),
        (r#"{"prompt": 3, "completion": "b"}"#.to_owned(), "line 1: the key \"prompt\" must be a string, not a number"),
        (
            r#"{"text": "a"}"#.to_owned(),
            "line 1: there is no expected answer; write \"messages\", or \"prompt\" and \"completion\"",
        ),
        (r#"{"answer": "a"}"#.to_owned(), "line 1: there is no expected answer; write"),
        ("\n".to_owned(), "there is no row in questions.jsonl"),
    ];
    let dir = folder();
    for (input, message) in cases {
        let found = refusal(&exact_match(&dir, &input, &["--output", "answers.jsonl"]));
        let expected =
            if message.starts_with("line") { format!("questions.jsonl, {message}") } else { message.to_owned() };
        assert!(found.starts_with(&expected) && found.lines().count() == 1, "{input}{found}");
        assert!(!message.starts_with("line") || found.ends_with(ADVICE), "{found}");
        assert!(!dir.path("answers.jsonl").exists(), "nothing is written for input that is refused");
    }
    let found = refusal(&exact_match(&dir, good, &["--output", "questions.jsonl"]));
    let expected =
        "cannot write the answers to questions.jsonl: it is the input, which would be lost: name another file";
    assert_eq!(found, expected);
    assert_eq!(fs::read_to_string(dir.path("questions.jsonl")).unwrap(), good);
    let found = refusal(&exact_match(&dir, b"{\"prompt\": \"\xff\"}", &[]));
    assert_eq!(found, format!("questions.jsonl, line 1: invalid UTF-8 at byte 13 of the line{ADVICE}"));
}

const ADVICE: &str = "; nothing is answered: correct the file, or leave such rows out with --skip-bad";

#[test]
fn rows_that_cannot_be_answered_are_found_before_and_can_be_left_out() {
    let dir = folder();
    let [ending, ..] = references();
    let good = json!({"prompt": ending.prompt, "completion": ending.answer});
    let long = json!({"prompt": "a".repeat(250), "completion": "b".repeat(9)});
    let input = format!("{good}\n{long}\n{good}\n{{}}\n");
    let found = refusal(&exact_match(&dir, &input, &[]));
    let expected = "2 of 4 rows of questions.jsonl: line 2: prompt and expected answer take 261 tokens, and the model's \
                    context holds 256: shorten them; line 4: there is no expected answer; write";
    assert!(found.starts_with(expected) && found.ends_with(ADVICE), "{found}");
    let output = exact_match(&dir, &input, &["--skip-bad", "--json"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["matched"], &result["total"], &result["skipped"]), (&json!(2), &json!(2), &json!(2)));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("warning: left out 2 of 4 rows of questions.jsonl: line 2")
    );
}

fn loss(dir: &Folder, model: &str, input: &str, options: &[&str]) -> Value {
    let asked = ["eval", "loss", "--model", model, "--input", input, "--device", "cpu", "--json"];
    let output = dir.run(&[&asked, options].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Conversations, completions and texts, with a base model and with an adapter: what training counts and how.
#[test]
fn the_loss_is_that_of_the_training_evaluation() {
    let dir = folder();
    let chat = |i: usize| json!({"messages": [{"role": "user", "content": format!("iron {i}?")}, {"role": "assistant", "content": format!("slag {i}!")}]});
    let completion = |i: usize| json!({"prompt": format!("What is {i}? "), "completion": format!("It is {i}.")});
    let text = |i: usize| json!({"text": format!("A bloom of {i} pounds was hammered {i} times.")});
    let lines = |from: usize| (from..from + 12).map(|i| format!("{}\n{}\n{}\n", chat(i), completion(i), text(i)));
    // Forms are told for each file.
    let of = |from: usize, form: usize| {
        lines(from).map(|lines| format!("{}\n", lines.lines().nth(form).unwrap())).collect::<String>()
    };
    for (form, name) in ["chat", "completion", "text"].iter().enumerate() {
        dir.write("train.jsonl", of(0, form));
        dir.write("test.jsonl", of(100, form));
        for (adapter, out) in [("", format!("full-{name}")), ("adapter: lora\nlora_r: 4\n", format!("lora-{name}"))] {
            let config = format!(
                "base_model: model\n{adapter}datasets: [{{path: train.jsonl}}]\ntest_datasets: [{{path: test.jsonl}}]\n\
                 sequence_len: 64\nmicro_batch_size: 2\nmax_steps: 3\nlearning_rate: 1.0e-2\noutput_dir: {out}\n"
            );
            dir.write("run.yaml", config);
            let trained = dir.run(&["train", "run.yaml", "--device", "cpu"]);
            assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
            let metrics = answers(dir.path(&out).join("metrics.jsonl"));
            let expected = metrics.iter().rev().find_map(|record| record["eval_loss"].as_f64()).unwrap();
            let found = match adapter {
                "" => loss(&dir, &out, "test.jsonl", &[]),
                _ => loss(&dir, "model", "test.jsonl", &["--adapter", &out]),
            };
            let loss = found["loss"].as_f64().unwrap();
            // Sums of f32 in another order: rows there, single samples here.
            assert!((loss / expected - 1.0).abs() < 1e-5, "{out}: {loss}, and {expected} in training");
            assert!((found["perplexity"].as_f64().unwrap() / expected.exp() - 1.0).abs() < 1e-4);
            assert_eq!((&found["samples"], &found["skipped"]), (&json!(12), &json!(0)));
            assert_eq!(found["bits_per_byte"].is_null(), *name != "text");
        }
    }
}

#[test]
fn the_loss_of_a_text_is_told_in_words_bits_and_windows() {
    let dir = folder();
    let text = "The smith melts the pig iron with charcoal. ".repeat(40);
    dir.write("long.jsonl", json!({"text": text}).to_string());
    let asked = ["eval", "loss", "--model", "model", "--input", "long.jsonl", "--device", "cpu"];
    let refused = refusal(&dir.run(&asked));
    assert!(
        refused.contains("do not fit into the context of 256: shorten the text, or give --stride; nothing is measured")
    );
    let whole = loss(&dir, "model", "long.jsonl", &["--stride", "128"]);
    assert!(whole["target_tokens"].as_u64().unwrap() > 256 && whole["bits_per_byte"].as_f64().unwrap() > 0.0);

    let text = &text[..132];
    dir.write("short.jsonl", json!({"text": text}).to_string());
    let short = loss(&dir, "model", "short.jsonl", &[]);
    let nats = short["loss"].as_f64().unwrap() * short["target_tokens"].as_f64().unwrap();
    // What the text's own tokens take, and not the one that ends it.
    let scored = dir.run(&["score", "--model", "model", "--input", "short.jsonl", "--device", "cpu"]);
    let scored: Value = serde_json::from_slice(&scored.stdout).unwrap();
    let of_text = -scored["sum"].as_f64().unwrap();
    assert!(of_text < nats, "{of_text} of {nats}");
    let bits = of_text / std::f64::consts::LN_2 / text.len() as f64;
    // Sums of the same numbers, which were printed as f32 where they are scores.
    assert!((short["bits_per_byte"].as_f64().unwrap() / bits - 1.0).abs() < 1e-6);

    dir.write("texts.jsonl", "{\"text\": \"iron\"}\n{\"text\": \"slag\"}\n{\"answer\": 1}\n");
    let found = dir.run(&[&asked[..4], &["--input", "texts.jsonl", "--device", "cpu", "--skip-bad"]].concat());
    let stdout = String::from_utf8(found.stdout).unwrap();
    assert!(
        stdout.starts_with("loss ") && stdout.contains(" bits per byte: ") && stdout.ends_with(" samples\n"),
        "{stdout}"
    );
    let stderr = String::from_utf8_lossy(&found.stderr).into_owned();
    assert!(stderr.contains("line 3: cannot tell the form of the data from the keys \"answer\""), "{stderr}");

    // As where it is trained on.
    let turn = |role: &str| json!({"role": role, "content": "iron"});
    dir.write("roles.jsonl", json!({"messages": [turn("User"), turn("assistant")]}).to_string());
    let refused = refusal(&dir.run(&[&asked[..4], &["--input", "roles.jsonl", "--device", "cpu"]].concat()));
    assert!(
        refused.contains("line 1: a message has the role \"User\", which the chat template does not name"),
        "{refused}"
    );

    // `<s>`, which every text begins with.
    damage_embedding(&dir.path("model"), 0);
    let refused = refusal(&dir.run(&[&asked[..], &["--stride", "64"]].concat()));
    assert!(
        refused.starts_with("long.jsonl, line 1: the log-probability of token 2 is NaN for this model"),
        "{refused}"
    );
}

#[test]
fn a_model_without_a_template_cannot_answer_chats() {
    let dir = folder();
    fs::remove_file(dir.path("model/chat_template.jinja")).unwrap();
    let input = r#"{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}"#;
    let expected = "questions.jsonl, line 1: the model has no chat template, so it cannot take messages: add \
                    model/chat_template.jinja, or give plain text";
    assert_eq!(refusal(&exact_match(&dir, input, &[])), format!("{expected}{ADVICE}"));
}

#[test]
fn a_signal_ends_it_at_once_and_leaves_nothing() {
    let dir = folder();
    let [.., endless] = references();
    let line = json!({"prompt": endless.prompt, "completion": "x"}).to_string();
    dir.write("questions.jsonl", format!("{line}\n").repeat(3000));
    let asked = ["eval", "exact-match", "--model", "model", "--input", "questions.jsonl", "--device", "cpu"];
    let mut eval = command::finery(dir.root()).args(asked).args(["--output", "answers.jsonl"]).spawn().unwrap();
    while !dir.path(".partial-answers.jsonl").exists() {
        assert!(eval.try_wait().unwrap().is_none(), "it ended before it began");
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Instant::now();
    kill_process(Pid::from_child(&eval), Signal::TERM).unwrap();
    assert_eq!(eval.wait().unwrap().code(), Some(143));
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    let mut names: Vec<_> = fs::read_dir(dir.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["model", "questions.jsonl"]);
}

/// A run that is not done yet, and one of its checkpoints, full and of an adapter: each is the model that it was at its step.
#[test]
fn checkpoints_can_be_used_as_they_are() {
    let dir = folder();
    let line = |i: usize| format!("{}\n", json!({"text": format!("A bloom of {i} pounds was hammered {i} times.")}));
    dir.write("train.jsonl", (0..12).map(line).collect::<String>());
    dir.write("test.jsonl", (100..104).map(line).collect::<String>());
    for (adapter, out) in [("", "full"), ("adapter: lora\nlora_r: 4\n", "lora")] {
        let config = format!(
            "base_model: model\n{adapter}datasets: [{{path: train.jsonl}}]\ntest_datasets: [{{path: test.jsonl}}]\n\
             sequence_len: 64\nmicro_batch_size: 2\nmax_steps: 4\neval_steps: 1\nsave_steps: 2\nlearning_rate: 1.0e-2\n\
             output_dir: {out}\n"
        );
        dir.write("run.yaml", config);
        let trained = dir.run(&["train", "run.yaml", "--device", "cpu"]);
        assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
        let metrics = answers(dir.path(out).join("metrics.jsonl"));
        let losses: Vec<f64> = metrics.iter().filter_map(|record| record["eval_loss"].as_f64()).collect();
        let found = |folder: &str| loss(&dir, folder, "test.jsonl", &[])["loss"].as_f64().unwrap();
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-5;
        let second = format!("{out}/checkpoints/step-00000002");
        assert!(close(found(&second), losses[1]), "{second}: {losses:?}");
        assert!(close(found(out), losses[3]), "{out}: {losses:?}");

        // Before it has written its result: the newest checkpoint.
        for name in ["model.safetensors", "adapter_model.safetensors", "config.json", "adapter_config.json"] {
            let _ = fs::remove_file(dir.path(out).join(name));
        }
        assert!(close(found(out), losses[3]), "the newest checkpoint of {out}");
        let exported =
            dir.run(&["export", "--model", &second, "--output", &format!("{out}-exported"), "--device", "cpu"]);
        assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
        assert!(close(found(&format!("{out}-exported")), losses[1]));
    }
}
