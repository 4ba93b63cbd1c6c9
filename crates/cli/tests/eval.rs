//! `finery eval` through the real binary: what counts as an answer, and bad input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a copy of the tiny model that ends its turn with token 106 (`scripts/fixtures/exact_match.py`), and with a template that
/// lays a question out as the bare text.
fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let model = dir.path().join("model");
    fs::create_dir(&model).unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
    for name in ["model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        fs::copy(fixture.join(name), model.join(name)).unwrap();
    }
    let mut config: Value = serde_json::from_slice(&fs::read(fixture.join("config.json")).unwrap()).unwrap();
    config["eos_token_id"] = json!(106);
    fs::write(model.join("config.json"), config.to_string()).unwrap();
    let template = "{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}";
    fs::write(model.join("chat_template.jinja"), template).unwrap();
    dir
}

/// What transformers answers greedily: prompt, answer, and whether it ends.
fn reference() -> Vec<(String, String, bool)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/exact_match.jsonl");
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        (text("prompt"), text("answer"), row["ended"].as_bool().unwrap())
    };
    fs::read_to_string(path).unwrap().lines().map(row).collect()
}

fn exact_match(dir: &TempDir, input: impl AsRef<[u8]>, options: &[&str]) -> Output {
    fs::write(dir.path().join("questions.jsonl"), input).unwrap();
    Command::new(env!("CARGO_BIN_EXE_finery"))
        .args(["eval", "exact-match", "--model", "model", "--input", "questions.jsonl", "--device", "cpu"])
        .args(options)
        .current_dir(dir.path())
        .output()
        .unwrap()
}

fn answers(path: PathBuf) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_answer_counts_when_it_is_exact_and_ends() {
    let dir = folder();
    let rows = reference();
    let (ending, endless) = (&rows[0], &rows[2]);
    assert!(ending.2 && !endless.2);
    let chat = |user: &str, assistant: &str| json!({"messages": [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]});
    let lines = [
        json!({"prompt": ending.0, "completion": format!("  {}\n", ending.1)}),
        chat(&ending.0, &ending.1),
        json!({"prompt": ending.0, "completion": &ending.1[..ending.1.len() - 1]}),
        chat(&ending.0, &ending.1.to_uppercase()),
        // Word for word, but cut off by the limit.
        json!({"prompt": endless.0, "completion": endless.1}),
    ];
    let input = lines.iter().map(|line| format!("{line}\n\n")).collect::<String>();
    let output = exact_match(&dir, input, &["--max-tokens", "12", "--json", "--output", "answers.jsonl"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["matched"], &result["total"], &result["exact_match"]), (&json!(2), &json!(5), &json!(0.4)));

    let answers = answers(dir.path().join("answers.jsonl"));
    let summary: Vec<_> =
        answers.iter().map(|row| (row["line"].as_u64().unwrap(), row["match"].as_bool().unwrap())).collect();
    assert_eq!(summary, [(1, true), (3, true), (5, false), (7, false), (9, false)]);
    for (row, (_, answer, ended)) in answers.iter().zip([ending, ending, ending, ending, endless]) {
        assert_eq!(row["answer"], **answer);
        assert_eq!(row["finish_reason"], if *ended { "stop" } else { "length" });
    }
}

#[test]
fn without_a_limit_there_is_room_for_every_expected_answer() {
    let dir = folder();
    let (prompt, answer, _) = &reference()[0];
    let output = exact_match(&dir, json!({"prompt": prompt, "completion": answer}).to_string(), &[]);
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
        let output = exact_match(&dir, &input, &["--output", "answers.jsonl"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{input}{stderr}");
        let expected = if message.starts_with("line") {
            format!("error: questions.jsonl, {message}")
        } else {
            format!("error: {message}")
        };
        assert!(stderr.starts_with(&expected) && stderr.lines().count() == 1, "{input}{stderr}");
        assert!(!dir.path().join("answers.jsonl").exists(), "nothing is written for input that is refused");
    }
    let output = exact_match(&dir, b"{\"prompt\": \"\xff\"}", &[]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "error: questions.jsonl, line 1: invalid UTF-8 at byte 13 of the line\n");
}

#[test]
fn a_model_without_a_template_cannot_answer_chats() {
    let dir = folder();
    fs::remove_file(dir.path().join("model/chat_template.jinja")).unwrap();
    let input = r#"{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}"#;
    let output = exact_match(&dir, input, &[]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("error: questions.jsonl, line 1: the model has no chat template"), "{stderr}");
}
