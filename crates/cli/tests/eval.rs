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
use model::{REFERENCE_TOKENS, references, write_model};

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
    assert_eq!(String::from_utf8_lossy(&output.stdout), "exact match: 1 of 1 answers, 100.0 %\n");
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
        ("\n".to_owned(), "there is no question in questions.jsonl"),
    ];
    let dir = folder();
    for (input, message) in cases {
        let found = refusal(&exact_match(&dir, &input, &["--output", "answers.jsonl"]));
        let expected =
            if message.starts_with("line") { format!("questions.jsonl, {message}") } else { message.to_owned() };
        assert!(found.starts_with(&expected) && found.lines().count() == 1, "{input}{found}");
        assert!(!dir.path("answers.jsonl").exists(), "nothing is written for input that is refused");
    }
    let found = refusal(&exact_match(&dir, good, &["--output", "questions.jsonl"]));
    let expected =
        "cannot write the answers to questions.jsonl: it is the input, which would be lost: name another file";
    assert_eq!(found, expected);
    assert_eq!(fs::read_to_string(dir.path("questions.jsonl")).unwrap(), good);
    let found = refusal(&exact_match(&dir, b"{\"prompt\": \"\xff\"}", &[]));
    assert_eq!(found, "questions.jsonl, line 1: invalid UTF-8 at byte 13 of the line");
}

#[test]
fn a_model_without_a_template_cannot_answer_chats() {
    let dir = folder();
    fs::remove_file(dir.path("model/chat_template.jinja")).unwrap();
    let input = r#"{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}"#;
    let expected = "questions.jsonl, line 1: the model has no chat template, so it cannot take messages: add \
                    model/chat_template.jinja, or give plain text";
    assert_eq!(refusal(&exact_match(&dir, input, &[])), expected);
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
