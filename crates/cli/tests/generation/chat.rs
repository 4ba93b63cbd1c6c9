//! `finery chat` without a terminal: each line of standard input is a message.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdout, Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use crate::command::{finery, refusal};
use crate::model::references;
use crate::scene::{ROLES, Scene};

fn start(scene: &Scene, words: &[&str]) -> Child {
    let words = [&["chat", "--device", "cpu", "--model", "model"], words].concat();
    let mut command = finery(scene.root());
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs a whole conversation.
fn chat(scene: &Scene, words: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut chat = start(scene, words);
    // A refused chat does not read.
    let _ = chat.stdin.take().unwrap().write_all(input.as_ref());
    chat.wait_with_output().unwrap()
}

/// Standard output and standard error of a conversation that goes well.
fn talk(scene: &Scene, words: &[&str], input: &str) -> [String; 2] {
    told(scene, words, input, 0)
}

/// The same where a line is not answered.
fn talk_in_part(scene: &Scene, words: &[&str], input: &str) -> [String; 2] {
    told(scene, words, input, 1)
}

fn told(scene: &Scene, words: &[&str], input: &str, code: i32) -> [String; 2] {
    let output = chat(scene, words, input);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    [stdout, stderr]
}

#[test]
fn each_answer_follows_the_whole_conversation() {
    let scene = Scene::new();
    scene.write("model/chat_template.jinja", ROLES);
    let mut messages = vec![json!({"role": "system", "content": "You forge."})];
    let mut expected = String::new();
    for question in ["iron?", "and water?", "or coal?"] {
        messages.push(json!({"role": "user", "content": question}));
        scene.write("messages.json", Value::from(messages.clone()).to_string());
        let answer = scene.generate(&["--messages", "messages.json", "--max-tokens", "10"]);
        expected += &format!("{}\n", answer["text"].as_str().unwrap());
        messages.push(json!({"role": "assistant", "content": answer["text"]}));
    }
    // The last line ends with the input.
    let input = "iron?\n\n  and water?  \nor coal?";
    let [answers, _] = talk(&scene, &["--system", "You forge.", "--max-tokens", "10"], input);
    assert_eq!(answers, expected);
}

#[test]
fn commands_are_not_messages() {
    let scene = Scene::new();
    let [ending, ..] = references();
    let question = &ending.prompt;
    let input = format!("{question}\n/help\n/nonsense\n/reset\n{question}\n/exit\n{question}\n");
    let [answers, stderr] = talk_in_part(&scene, &[], &input);
    assert_eq!(answers, format!("{0}\n{0}\n", ending.answer), "begun anew after /reset, and over after /exit");
    assert!(stderr.contains("\n/exit    leave, as Ctrl-D\n"), "{stderr}");
    assert!(stderr.contains("\nwarning: there is no command /nonsense; /help lists them\n"), "{stderr}");
    assert!(talk(&scene, &[], "")[0].is_empty());
    let [_, asked] = talk(&scene, &["-q"], "/help\n/reset\n");
    assert!(asked.starts_with("/reset ") && asked.ends_with("\nthe conversation is forgotten\n"), "{asked}");
    let [answers, _] = talk(&scene, &[], &input.replace("/nonsense\n", ""));
    assert_eq!(answers, format!("{0}\n{0}\n", ending.answer));
}

fn warnings(stderr: &str) -> Vec<&str> {
    stderr.lines().filter_map(|line| line.strip_prefix("warning: ")).collect()
}

#[test]
fn what_does_not_fit_or_is_cut_off_is_said_and_the_conversation_goes_on() {
    let scene = Scene::new();
    let [ending, endless, _] = references();
    let input = format!("{}\n{}\n/reset\n{}\n", endless.prompt, "a".repeat(300), ending.prompt);
    let [answers, stderr] = talk_in_part(&scene, &["--max-tokens", "6"], &input);
    let [cut, too_long] = warnings(&stderr)[..] else { panic!("{stderr}") };
    assert_eq!(cut, "the answer was cut off after 6 tokens: raise --max-tokens for more");
    let end = " tokens fills the context of 256, so nothing can follow it: shorten it";
    assert!(too_long.starts_with("the prompt of ") && too_long.ends_with(end), "{too_long}");
    assert!(answers.ends_with(&format!("\n{}\n", ending.answer)) && answers.lines().count() == 2, "{answers:?}");
}

#[test]
fn a_message_that_a_longer_context_has_room_for_says_so() {
    let scene = Scene::new();
    let [answers, stderr] = talk_in_part(&scene, &["--context", "40"], &"a".repeat(60));
    let end = " tokens fills the context of 40, so nothing can follow it: shorten it, or raise --context, up to 256";
    assert!(answers.is_empty() && warnings(&stderr)[0].ends_with(end), "{stderr}");
}

/// Answers are those to what is left: the system message and the last turns.
#[test]
fn where_the_context_is_full_the_oldest_turns_are_forgotten() {
    let scene = Scene::new();
    scene.write("model/chat_template.jinja", ROLES);
    let questions: Vec<String> = (0..6).map(|i| format!("what of {i} {}?", "iron ".repeat(10))).collect();
    let [answers, stderr] =
        talk(&scene, &["--system", "You forge.", "--max-tokens", "8", "--context", "160"], &questions.join("\n"));
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), questions.len(), "{answers:?}");
    let full: Vec<&str> = warnings(&stderr).into_iter().filter(|line| line.contains("forgotten")).collect();
    assert!(!full.is_empty(), "{stderr}");
    assert!(full.iter().all(|line| line.starts_with("the context of 160 tokens is full, so the ")), "{full:?}");

    // The last answer again, of the most turns that fit.
    let follows = |first: usize| {
        let mut messages = vec![json!({"role": "system", "content": "You forge."})];
        for (question, answer) in questions.iter().zip(&answers).skip(first) {
            messages.push(json!({"role": "user", "content": question}));
            messages.push(json!({"role": "assistant", "content": answer}));
        }
        messages.pop();
        scene.write("messages.json", Value::from(messages).to_string());
        let output = scene.finery("generate", &["--json", "--messages", "messages.json", "--max-tokens", "8"]);
        // Too long even for the model, or for the chat.
        let answer: Value = serde_json::from_slice(&output.stdout).ok()?;
        (answer["prompt_tokens"].as_u64().unwrap() + 8 <= 160).then(|| answer["text"].as_str().unwrap().to_owned())
    };
    let kept = (0..questions.len()).find_map(follows).unwrap();
    assert_eq!(*answers.last().unwrap(), kept);
}

/// A message that is too long alone is no reason to forget the others.
#[test]
fn a_message_that_cannot_fit_makes_nothing_be_forgotten() {
    let scene = Scene::new();
    scene.write("model/chat_template.jinja", ROLES);
    let short = "iron?\nand coal?";
    let long = format!("iron?\n{}\nand coal?", "a".repeat(300));
    let [expected, _] = talk(&scene, &["--max-tokens", "8"], short);
    let [answers, stderr] = talk_in_part(&scene, &["--max-tokens", "8"], &long);
    assert_eq!(answers, expected);
    assert!(!stderr.contains("forgotten"), "{stderr}");
}

#[test]
fn the_seed_of_a_conversation_is_shown_and_repeats_it() {
    let scene = Scene::new();
    let asked = ["--max-tokens", "8", "--temperature", "1"];
    let [first, stderr] = talk(&scene, &asked, "iron?\ncoal?\n");
    let seed = stderr.lines().find_map(|line| line.strip_prefix("seed ")).unwrap();
    assert_eq!(talk(&scene, &[&asked[..], &["--seed", seed]].concat(), "iron?\ncoal?\n")[0], first);
}

#[test]
fn what_cannot_be_talked_to_is_refused() {
    let scene = Scene::new();
    assert_eq!(
        refusal(&chat(&scene, &[], b"iron?\nwater \xff\n")),
        "reading line 2 of standard input: stream did not contain valid UTF-8"
    );
    let message = scene.refusal("chat", &["--model", "nowhere"]);
    assert_eq!(message, "nowhere is not a model folder: there is no such folder");
    scene.write("model/chat_template.jinja", ROLES);
    for (length, words, context, longer) in [
        (300, &[][..], 256, ""),
        (300, &["--context", "128"], 128, ""),
        (150, &["--context", "128"], 128, ", or raise --context, up to 256"),
    ] {
        let system = "a".repeat(length);
        let message = refusal(&chat(&scene, &[&["--system", &system], words].concat(), b"iron?\ncoal?\n"));
        let end = format!(
            " tokens, which fill the context of {context}, so that nothing can be answered: shorten it{longer}"
        );
        assert!(message.starts_with("--system: ") && message.ends_with(&end), "{message}");
    }
    scene.write("model/chat_template.jinja", "{% for message in messages %}");
    let message = scene.refusal("chat", &[]);
    assert!(message.starts_with("the chat template does not parse: "), "{message}");
    fs::remove_file(scene.path("model/chat_template.jinja")).unwrap();
    let expected = "the model has no chat template, so it cannot take messages: add model/chat_template.jinja, or give \
                    plain text";
    assert_eq!(scene.refusal("chat", &[]), expected);
}

/// A script that talks has no one to shorten the message, and must not take silence for an answer.
#[test]
fn without_a_terminal_a_lack_of_memory_is_an_error() {
    let scene = Scene::new();
    let mut config: Value = serde_json::from_slice(&fs::read(scene.path("model/config.json")).unwrap()).unwrap();
    config["max_position_embeddings"] = json!(i32::MAX);
    scene.write("model/config.json", config.to_string());
    let message = refusal(&chat(&scene, &["--max-tokens", "2000000000"], b"iron?\ncoal?\n"));
    assert!(message.starts_with("remembering 2147483647 tokens takes "), "{message}");
}

fn interrupt(chat: &Child) {
    rustix::process::kill_process(Pid::from_child(chat), Signal::INT).unwrap();
}

/// Reads up to and with `end`.
fn read_until(stdout: &mut ChildStdout, end: &str) -> Vec<u8> {
    let mut read = Vec::new();
    while !read.ends_with(end.as_bytes()) {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        read.push(byte[0]);
    }
    read
}

#[test]
fn ctrl_c_ends_an_answer_and_then_the_chat() {
    let scene = Scene::new();
    // Answers that never end, with room for some that take seconds.
    let mut config: Value = serde_json::from_slice(&fs::read(scene.path("model/config.json")).unwrap()).unwrap();
    config["max_position_embeddings"] = json!(8192);
    config["eos_token_id"] = Value::Null;
    scene.write("model/config.json", config.to_string());
    let [ending, endless, _] = references();
    let mut chat = start(&scene, &["--max-tokens", "8000"]);
    let (mut input, mut output) = (chat.stdin.take().unwrap(), chat.stdout.take().unwrap());
    writeln!(input, "{}", endless.prompt).unwrap();
    output.read_exact(&mut [0; 4]).unwrap();
    interrupt(&chat);
    writeln!(input, "/reset\n{}", ending.prompt).unwrap();
    let first = read_until(&mut output, &format!("\n{}", ending.answer));
    assert!(first.len() < 8000, "{} bytes came after the signal", first.len());

    // One of them comes while nothing is answered.
    while chat.try_wait().unwrap().is_none() {
        interrupt(&chat);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(chat.wait().unwrap().code(), Some(130));
}
