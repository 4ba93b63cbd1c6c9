//! Data, tokenizers and configurations that cannot be trained on.

use std::fs;

use crate::scene::{Scene, samples};

const GOOD: &str = "{\"prompt\": \"iron? \", \"completion\": \"iron.\"}";

#[test]
fn a_bad_line_is_named_by_file_and_number() {
    let scene = Scene::new();
    let cases: [(&[u8], &str); 6] = [
        (b"{\"prompt\": \"a\xff\"}", "invalid UTF-8 at byte 14 of the line"),
        (b"{\"prompt\": \"a\"", "malformed JSON at column 14: EOF while parsing an object"),
        (b"[1]", "the line is JSON, but not an object"),
        (b"{\"prompt\": \"a\"}", "the key \"completion\" is missing"),
        (b"{\"prompt\": 1, \"completion\": \"b\"}", "the key \"prompt\" must be a string, not a number"),
        (b"{\"prompt\": null, \"completion\": \"b\"}", "the key \"prompt\" must be a string, not null"),
    ];
    for (line, reason) in cases {
        scene.write("data.jsonl", [GOOD.as_bytes(), b"\n\n", line, b"\n"].concat());
        let message = scene.refusal(&["train", "run.yaml"]);
        let expected = format!("data.jsonl, line 3: {reason}; correct the line, or skip such lines with --skip-bad");
        assert_eq!(message, expected);
        assert!(!scene.path("out").exists(), "nothing is written for data that are refused");
    }
    let all: Vec<u8> = cases.iter().flat_map(|(line, _)| [line, &b"\n"[..]].concat()).collect();
    scene.write("data.jsonl", [&all, samples(10).as_bytes()].concat());
    for skipping in ["--skip-bad", "skip_bad=true"] {
        let stderr = scene.train(&[skipping, "max_steps=1", &format!("output_dir={skipping}")]);
        assert!(stderr.contains("warning: of 16 lines, 6 were bad and skipped\n"), "{stderr}");
        assert!(stderr.contains("\n10 samples in "), "{stderr}");
    }
    scene.write("data.jsonl", all);
    let message = scene.refusal(&["train", "run.yaml", "--skip-bad", "datasets.0.type=prompt_completion"]);
    assert!(message.starts_with("there is no sample in data.jsonl (6 bad lines were skipped): "), "{message}");
}

#[test]
fn data_sets_of_which_nothing_is_trained_on_are_told() {
    let scene = Scene::new();
    scene.write("empty.jsonl", "");
    let datasets = |first: &str| {
        format!(
            "datasets=[{{path: data.jsonl{first}}}, {{path: empty.jsonl}}, {{path: data.jsonl, split: 'train[900:]'}}]"
        )
    };
    let stderr = scene.train(&[&datasets(""), "max_steps=1"]);
    for unused in ["datasets.1 (empty.jsonl)", "datasets.2 (data.jsonl)"] {
        let message = format!("warning: nothing of {unused} is trained on: what was asked of it holds no sample");
        assert!(stderr.contains(&message), "{stderr}");
    }
    assert!(!stderr.contains("nothing of datasets.0"), "{stderr}");

    let message = scene.refusal(&["train", "run.yaml", &datasets(", weight: 0.001"), "output_dir=other"]);
    assert!(
        message.starts_with("no sample of `datasets` is left to train on, because their `weight`s take none"),
        "{message}"
    );
    let message = scene.refusal(&["train", "run.yaml", "datasets.0.split=train[900:]", "output_dir=other"]);
    let expected = "there is no sample in data.jsonl (no record is in the part that the split names): check the files and the split";
    assert!(message.contains(expected), "{message}");
    let message = scene.refusal(&["train", "run.yaml", "datasets.0.path=empty.jsonl", "output_dir=other"]);
    assert!(message.contains("there is no sample in empty.jsonl (no record is there): check it"), "{message}");
}

#[test]
fn a_sample_that_teaches_nothing_is_shown() {
    let scene = Scene::new();
    scene.write("data.jsonl", format!("{GOOD}\n{{\"text\": \"iron\"}}\n"));
    let message = scene.refusal(&["train", "run.yaml"]);
    assert!(message.starts_with("data.jsonl, line 2: the key \"prompt\" is missing; "), "{message}");

    // All that the row has room for is the prompt.
    let long = "iron or fire or water or coal? ".repeat(4);
    scene.write("data.jsonl", format!("{GOOD}\n{{\"prompt\": \"{long}\", \"completion\": \"iron.\"}}\n"));
    let message = scene.refusal(&["train", "run.yaml", "excess_length_strategy=truncate"]);
    let (sentence, shown) = message.split_once('\n').unwrap();
    let expected = "data.jsonl, line 2: no token of this sample would count for the loss, because its targets lie beyond \
                    sequence_len, where it was cut off; correct it, or set skip_bad to leave such samples out; the sample, with targets marked as {+…+}:";
    assert_eq!(sentence, expected);
    assert!(shown.starts_with("<s>iron or fire"), "{shown}");
}

#[test]
fn samples_beyond_the_limit_are_dropped_cut_or_refused() {
    let scene = Scene::new();
    let long = "the wheel turns and ".repeat(10);
    let lines = format!("{}{{\"prompt\": \"why? \", \"completion\": \"{long}\"}}\n", samples(4));
    scene.write("data.jsonl", lines);
    let inspect = |how: &str| {
        let output = scene.run(&["data", "inspect", "run.yaml", &format!("excess_length_strategy={how}")]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = inspect("drop");
    assert!(shown.contains("samples        4\n") && shown.contains("dropped        1 sample longer"), "{shown}");
    let shown = inspect("truncate");
    assert!(shown.contains("samples        5\n") && shown.contains("truncated      1 sample longer"), "{shown}");
    let message = scene.refusal(&["train", "run.yaml", "excess_length_strategy=raise"]);
    assert!(message.starts_with("data.jsonl, line 5: the sample has "), "{message}");
    let end = "tokens, but sequence_len is 64: raise sequence_len, or set excess_length_strategy to drop or truncate";
    assert!(message.ends_with(end), "{message}");
}

/// Lays a conversation out as its bare texts, and knows no tools.
const TEMPLATE: &str = "{{ bos_token }}{% for message in messages %}{% if message.role == 'tool' %}\
    {{ raise_exception('there are no tools') }}{% endif %}{{ message.content }}\
    {% if message.role == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}";

#[test]
fn the_template_of_a_configuration_is_used_and_kept() {
    let scene = Scene::new();
    let turn = |role: &str| format!("{{\"role\": \"{role}\", \"content\": \"iron? \"}}");
    let chat = |roles: [&str; 2]| format!("{{\"messages\": [{}, {}]}}\n", turn(roles[0]), turn(roles[1]));
    scene.write("data.jsonl", chat(["user", "assistant"]));
    let message = scene.refusal(&["train", "run.yaml"]);
    let start = "run.yaml:3: `datasets.0`: data.jsonl, line 1: the data holds chat messages, but the tokenizer has no chat template: ";
    assert!(message.starts_with(start), "{message}");

    scene.write("bare.jinja", TEMPLATE);
    scene.train(&["chat_template=bare.jinja", "max_steps=1"]);
    assert_eq!(fs::read_to_string(scene.path("out/chat_template.jinja")).unwrap(), TEMPLATE);

    let words = ["train", "run.yaml", "chat_template=bare.jinja", "output_dir=other"];
    let cases = [
        (["user", "tool"], "data.jsonl, line 2: the chat template cannot render these messages: there are no tools"),
        (
            ["user", "user"],
            "data.jsonl, line 2: no token of this sample would count for the loss, because no message has",
        ),
    ];
    for (roles, start) in cases {
        scene.write("data.jsonl", [chat(["user", "assistant"]), chat(roles)].concat());
        let message = scene.refusal(&words);
        assert!(message.starts_with(start), "{message}");
    }
    scene.write("bare.jinja", "{% for message in messages %}");
    let message = scene.refusal(&words);
    let start = "command line: `chat_template`: bare.jinja: the chat template does not parse: ";
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn a_tokenizer_with_more_tokens_than_the_model_is_refused() {
    let scene = Scene::new();
    let message = scene.refusal(&["train", "run.yaml", "model_config.vocab_size=319"]);
    assert_eq!(
        message,
        "run.yaml:2: `tokenizer`: the tokenizer's highest token id is 319, but the model's vocab_size is 319: use the tokenizer that belongs to \
         the model, or a model with at least 320 rows of embeddings"
    );
}

/// A name that fits nothing beside one that fits: PEFT trains the other alone.
#[test]
fn each_target_of_an_adapter_must_be_a_module() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let known = "the names are q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, and ends of paths such as \
                 self_attn.q_proj";
    let cases = [
        ("v_porj", "did you mean `v_proj`? "),
        ("layers.1.self_attn.kproj", "did you mean `k_proj`? "),
        ("layers.2.self_attn.q_proj", ""),
        ("query_key_value", ""),
    ];
    for (name, meant) in cases {
        let setting = format!("lora_target_modules=[q_proj, {name}]");
        let message = scene.refusal(&["train", "lora.yaml", &setting]);
        let expected =
            format!("command line: lora_target_modules: `{name}` is no linear module of the model; {meant}{known}");
        assert_eq!(message, expected);
    }
    scene.succeed(&["train", "lora.yaml", "lora_target_modules=[q_proj, mlp.up_proj]"]);
}

/// The files beside a tokenizer.json belong to it, so that a tokenizer cannot have another name.
#[test]
fn a_tokenizer_is_a_folder_or_a_file_of_its_name() {
    let scene = Scene::new();
    fs::copy(scene.path("tok/tokenizer.json"), scene.path("tok/other.json")).unwrap();
    let message = scene.refusal(&["train", "run.yaml", "tokenizer=tok/other.json"]);
    let expected = "command line: tokenizer: tok/other.json is not named tokenizer.json; give a file of that name, or the folder that \
                    holds one";
    assert_eq!(message, expected);
    scene.train(&["tokenizer=tok/tokenizer.json", "max_steps=1"]);
    assert!(scene.path("out/tokenizer_config.json").is_file());
}

#[test]
fn files_that_are_not_there_are_named() {
    let scene = Scene::new();
    let cases = [
        ("datasets.0.path=nowhere.jsonl", "command line: `datasets.0`: cannot read nowhere.jsonl: No such file"),
        ("tokenizer=nowhere", "command line: `tokenizer`: cannot read nowhere/tokenizer.json: "),
        (
            "chat_template=nowhere.jinja",
            "command line: `chat_template`: nowhere.jinja, which has to be a template in Jinja",
        ),
        ("output_dir=data.jsonl", "command line: `output_dir`: creating the folder data.jsonl: "),
    ];
    for (setting, start) in cases {
        let message = scene.refusal(&["train", "run.yaml", setting]);
        assert!(message.starts_with(start), "{setting}: {message}");
    }
    let message = scene.refusal(&["train", "nowhere.yaml"]);
    assert_eq!(message, "nowhere.yaml: the configuration cannot be read: No such file or directory (os error 2)");
}

#[test]
fn all_problems_of_a_configuration_are_listed_with_their_lines() {
    let scene = Scene::new();
    scene.write(
        "bad.yaml",
        "base_model: model\ndatasets: [{path: data.jsonl}]\nlerning_rate: 1.0e-3\nmicro_batch_size: two\n\
         gradient_checkpointing: al\n",
    );
    let message = scene.refusal(&["train", "bad.yaml", "lora_ranks=4"]);
    let lines: Vec<&str> = message.lines().collect();
    let expected = [
        "bad.yaml:1: `base_model`: model is not a model folder: ",
        "bad.yaml:3: `lerning_rate` is not a key; did you mean `learning_rate`?",
        "bad.yaml:4: `micro_batch_size` must be a whole number from 1 to 65536, or `auto` for the most that fit; found `two`",
        "bad.yaml:5: `gradient_checkpointing` must be `auto`, `none`, `dots` or `full`; found `al`",
        "command line: `lora_ranks` is not a key; did you mean `lora_r`?",
    ];
    assert_eq!(lines.len(), expected.len(), "{message}");
    for (line, start) in lines.iter().zip(expected) {
        assert!(line.starts_with(start), "{message}");
    }
}
