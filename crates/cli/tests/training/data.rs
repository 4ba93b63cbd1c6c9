//! Data in the forms that people bring, through `finery train`, `finery data inspect` and `finery eval`.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::scene::{Scene, samples, wait_for};

fn inspect(scene: &Scene, words: &[&str]) -> String {
    let output = scene.run(&[&["data", "inspect", "run.yaml"], words].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The prompts end in a space. What is learned must be what generation is asked for: the same tokens before it.
#[test]
fn what_was_learned_behind_a_space_is_answered() {
    let scene = Scene::new();
    scene.write("data.jsonl", samples(4));
    scene.train(&[
        "max_steps=120",
        "learning_rate=1.0e-2",
        "sample_packing=false",
        "micro_batch_size=4",
        "save_steps=null",
    ]);
    let words = ["eval", "exact-match", "--model", "out", "--input", "data.jsonl", "--device", "cpu"];
    let output = scene.run(&words);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout, "exact match: 4 of 4 answers, 100.0 %\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn records_without_a_target_are_left_out_where_bad_ones_are() {
    let scene = Scene::new();
    // All that a row has room for is the prompt.
    let long = "iron or fire or water or coal? ".repeat(4);
    let content = format!("{}{{\"prompt\": \"{long}\", \"completion\": \"iron.\"}}\n", samples(5));
    scene.write("data.jsonl", content);
    let cut = "excess_length_strategy=truncate";
    let message = scene.refusal(&["train", "run.yaml", cut]);
    assert!(message.starts_with("data.jsonl, line 6: no token of this sample would count for the loss, "), "{message}");
    let stderr = scene.train(&[cut, "--skip-bad", "max_steps=1"]);
    let expected = "warning: of 6 lines, 1 had no token that the loss would count, and was left out\n";
    assert!(stderr.contains(expected) && stderr.contains("\n5 samples in "), "{stderr}");
    let shown = inspect(&scene, &[cut, "skip_bad=true"]);
    assert!(shown.contains("\nleft out       1 sample without a token that the loss would count\n"), "{shown}");
}

#[test]
fn a_pipe_is_trained_on() {
    let scene = Scene::new();
    scene.write("data.jsonl", samples(5));
    assert!(Command::new("mkfifo").arg(scene.path("pipe")).status().unwrap().success());
    for split in [&[][..], &["datasets.0.split='train[1:]'"]] {
        let (pipe, content) = (scene.path("pipe"), samples(5));
        // Ends once the run has read it.
        let writer = thread::spawn(move || fs::write(pipe, content));
        let words = [&["datasets.0.path=pipe", "max_steps=2", "--overwrite"], split].concat();
        let stderr = scene.train(&words);
        let count = 5 - split.len();
        assert!(stderr.contains(&format!("\n{count} samples in ")), "{stderr}");
        writer.join().unwrap().unwrap();
    }
    // The same tokens as from the file.
    scene.train(&["max_steps=2", "datasets.0.split='train[1:]'", "output_dir=file"]);
    assert_eq!(
        fs::read(scene.path("out/model.safetensors")).unwrap(),
        fs::read(scene.path("file/model.safetensors")).unwrap()
    );
    for (words, expected) in [
        (&["datasets.0.split='train[:50%]'"][..], "needs it twice: write it to a file"),
        (&["datasets.0.split='train[:2]+train[2:]'"], "it is named more than once"),
    ] {
        let message = scene.refusal(&[&["train", "run.yaml", "datasets.0.path=pipe", "--overwrite"], words].concat());
        assert!(message.contains("pipe is no regular file and can be read once only, but "), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn an_array_with_keys_of_its_own_is_trained_on() {
    let scene = Scene::new();
    fs::create_dir(scene.path("set")).unwrap();
    scene.write(
        "set/train.json",
        "[{\"ask\": \"iron?\", \"say\": \"coal\"},\n {\"ask\": \"fire?\", \"say\": \"water\"}]",
    );
    scene.write("set/test.json", "[{\"ask\": \"wheel?\", \"say\": \"stone\"}]");
    let keys = [
        "datasets=[{path: set, split: 'train[:1]+test', weight: 2, field_instruction: ask, field_output: say}]",
        "sequence_len=128",
        "micro_batch_size=4",
        "sample_packing=false",
    ];
    let shown = inspect(&scene, &keys);
    assert_eq!(shown.matches("### Instruction:\niron?\n\n### Response:\n{+coal</s>+}\n").count(), 2, "{shown}");
    assert_eq!(shown.matches("### Instruction:\nwheel?\n\n### Response:\n{+stone</s>+}\n").count(), 2, "{shown}");
    assert!(!shown.contains("fire?") && shown.contains("\nsamples        2\n"), "{shown}");
    scene.train(&[&keys[..], &["max_steps=1"]].concat());
    let written = fs::read_to_string(scene.path("out/config.yaml")).unwrap();
    assert!(written.contains("    split: \"train[:1]+test\"\n    weight: 2.0\n"), "{written}");
    // What was written is read again, to the same.
    assert_eq!(inspect(&scene, &keys), {
        let output = scene.run(&["data", "inspect", "out/config.yaml"]);
        String::from_utf8(output.stdout).unwrap()
    });
}

#[test]
fn messages_say_whether_they_are_learned() {
    let scene = Scene::new();
    let template = "{% for m in messages %}{{ m.who or m.role }}: {{ m.content }}{{ eos_token }}{% endfor %}\
        {% if add_generation_prompt %}assistant:{% endif %}";
    scene.write("plain.jinja", template);
    let say = |role: &str, text: &str, more: &str| format!("{{\"role\": \"{role}\", \"content\": \"{text}\"{more}}}");
    let messages = [
        say("user", "iron?", ", \"who\": \"Ann\""),
        say("assistant", "coal", ", \"train\": false"),
        say("user", "fire?", ""),
        say("assistant", "water", ", \"weight\": 1"),
    ];
    scene.write("data.jsonl", format!("{{\"messages\": [{}]}}\n", messages.join(", ")));
    let shown = inspect(&scene, &["chat_template=plain.jinja"]);
    let expected = "Ann: iron?</s>assistant: coal</s>user: fire?</s>assistant:{+ water</s>+}\n";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn a_prompt_that_training_does_not_have_is_told_by_its_sample() {
    let scene = Scene::new();
    let template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}\
        {% if add_generation_prompt %}assistant: {% endif %}";
    scene.write("space.jinja", template);
    let chat = "{\"messages\": [{\"role\": \"user\", \"content\": \"iron?\"}, {\"role\": \"assistant\", \"content\": \"coal\"}]}\n";
    scene.write("data.jsonl", chat.repeat(3));
    let stderr = scene.train(&["chat_template=space.jinja", "max_steps=1"]);
    let warned = "warning: in 3 of 3 conversations an answer is learned behind other tokens than generation would give the \
                  model, because of the chat template; the first: data.jsonl, line 1, messages[1]: generation begins after";
    assert_eq!(stderr.matches(warned).count(), 1, "{stderr}");
    let shown = inspect(&scene, &["chat_template=space.jinja"]);
    assert!(shown.contains("\nunlike         3 conversations, of what generation would see; the first:\n"), "{shown}");
    assert!(shown.contains("data.jsonl, line 1, messages[1]: "), "{shown}");
}

/// It would be the first token of each conversation.
#[test]
fn a_byte_order_mark_is_no_part_of_a_template() {
    let scene = Scene::new();
    let template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
    scene.write("plain.jinja", template);
    scene.write("marked.jinja", format!("\u{feff}{template}"));
    let chat = "{\"messages\": [{\"role\": \"user\", \"content\": \"iron?\"}, {\"role\": \"assistant\", \"content\": \"coal\"}]}\n";
    scene.write("data.jsonl", chat.repeat(3));
    let shown = |file: &str| inspect(&scene, &[&format!("chat_template={file}")]);
    assert_eq!(shown("marked.jinja"), shown("plain.jinja"));
    fs::copy(scene.path("marked.jinja"), scene.path("tok/chat_template.jinja")).unwrap();
    assert_eq!(inspect(&scene, &[]), shown("plain.jinja"));
}

/// One record of 40 MB, so that neither its end nor that of a chunk of records comes soon.
#[test]
fn a_signal_ends_tokenising_at_once() {
    let scene = Scene::new();
    scene.write("data.jsonl", format!("{{\"text\": \"{}\"}}\n", "iron and water, ".repeat(2_500_000)));
    let log = fs::File::create(scene.path("log")).unwrap();
    let mut run = crate::command::finery(scene.root())
        .args(["train", "run.yaml", "sample_packing=concatenate"])
        .stderr(log)
        .spawn()
        .unwrap();
    let told = || fs::read_to_string(scene.path("log")).unwrap();
    wait_for("it reads the data", &mut run, || told().contains("reading and tokenising the data"));
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    kill_process(Pid::from_child(&run), Signal::TERM).unwrap();
    let status = run.wait().unwrap();
    let waited = asked.elapsed();
    assert!(waited < Duration::from_secs(10), "it went on for {waited:?}");
    assert_eq!(status.code(), Some(130), "{}", told());
    assert!(told().contains("stopped before a step: nothing new was trained"), "{}", told());
    assert!(!scene.path("out").exists());
}

#[test]
fn what_is_no_json_is_called_what_it_is() {
    let scene = Scene::new();
    scene.write("table.csv", "prompt,completion\niron?,coal\n");
    for skipping in ["skip_bad=false", "skip_bad=true"] {
        let message = scene.refusal(&["train", "run.yaml", "datasets.0.path=table.csv", skipping]);
        let start = "command line: `datasets.0`: table.csv is a CSV file: make JSON of it, one object to a line, ";
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn a_vocabulary_that_is_smaller_than_asked_for_is_told() {
    let scene = Scene::new();
    scene.write("little.txt", "iron and slag, iron and slag\n");
    let words = ["tokenizer", "train", "--input", "little.txt", "--output", "little", "--vocab-size"];
    let said = scene.run(&[&words[..], &["4000"]].concat());
    let stderr = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(stderr.contains(" tokens, and not 4000: no more pairs of tokens come twice in the text; "), "{stderr}");
    let said = scene.run(&[&words[..], &["258", "--overwrite"]].concat());
    assert_eq!(String::from_utf8_lossy(&said.stderr), "");
}

#[test]
fn a_tokenizer_is_not_replaced() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let tokenizer = fs::read(scene.path("out/tokenizer.json")).unwrap();
    let words = ["tokenizer", "train", "--input", "data.jsonl", "--vocab-size", "300", "--output"];
    let message = scene.refusal(&[&words[..], &["out"]].concat());
    let expected = "out holds the tokenizer of a trained model (tokenizer.json), which would be replaced: choose another \
                    folder, or say --overwrite";
    assert_eq!(message, expected);
    assert_eq!(fs::read(scene.path("out/tokenizer.json")).unwrap(), tokenizer);
    scene.succeed(&[&words[..], &["new"]].concat());
    let message = scene.refusal(&[&words[..], &["new"]].concat());
    assert!(message.starts_with("new holds a tokenizer (tokenizer.json), which would be replaced: "), "{message}");
    // What is read with a tokenizer goes with it.
    fs::create_dir(scene.path("new/additional_chat_templates")).unwrap();
    scene.write("new/additional_chat_templates/tool_use.jinja", "{{ gone }}");
    scene.write("new/special_tokens_map.json", r#"{"bos_token": "<gone>"}"#);
    scene.write("new/added_tokens.json", r#"{"<gone>": 1}"#);
    scene.write("new/notes.txt", "mine");
    scene.succeed(&[&words[..], &["new", "--overwrite"]].concat());
    let mut left: Vec<_> = fs::read_dir(scene.path("new")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["chat_template.jinja", "notes.txt", "tokenizer.json", "tokenizer_config.json"]);

    // What has another tokenizer, or has it elsewhere, must not get this one.
    let cases = [
        ("model.safetensors", "a trained model (model.safetensors), which would get a tokenizer that is not its own"),
        ("adapter_config.json", "a trained model (adapter_config.json), which would get a "),
        ("tokenizer.model", "a tokenizer (tokenizer.model), which would be replaced"),
        ("vocab.json", "a tokenizer (vocab.json), which would be replaced"),
    ];
    for (index, (file, what)) in cases.into_iter().enumerate() {
        let folder = format!("other-{index}");
        fs::create_dir(scene.path(&folder)).unwrap();
        scene.write(&format!("{folder}/{file}"), "x");
        let message = scene.refusal(&[&words[..], &[&folder]].concat());
        assert!(message.starts_with(&format!("{folder} holds {what}")), "{message}");
        assert_eq!(fs::read_dir(scene.path(&folder)).unwrap().count(), 1);
    }
}
