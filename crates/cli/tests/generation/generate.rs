//! `finery generate`: one answer.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::command::{finery, refusal};
use crate::model::{REFERENCE_TOKENS, references, write_model};
use crate::scene::{ROLES, Scene};

fn text(answer: &Value) -> &str {
    answer["text"].as_str().unwrap()
}

#[test]
fn answers_are_those_of_transformers_however_they_are_asked_and_printed() {
    let scene = Scene::new();
    for reference in references() {
        let streamed = scene.stdout("generate", &["--prompt", &reference.prompt, "--max-tokens", REFERENCE_TOKENS]);
        assert_eq!(streamed, format!("{}\n", reference.answer));

        let messages = json!([{"role": "user", "content": reference.prompt}]);
        for file in [messages.clone(), json!({"messages": messages, "tools": null})] {
            scene.write("messages.json", file.to_string());
            let answer = scene.generate(&["--messages", "messages.json", "--max-tokens", REFERENCE_TOKENS]);
            assert_eq!(text(&answer), reference.answer);
            assert_eq!(answer["finish_reason"], if reference.ended { "stop" } else { "length" });
        }
    }
}

#[test]
fn a_model_on_several_devices_answers_as_on_one() {
    let scene = Scene::new();
    let [reference, ..] = references();
    let words = ["--prompt", &reference.prompt, "--max-tokens", REFERENCE_TOKENS];
    let streamed = scene.stdout("generate", &[&words[..], &["--mesh", "fsdp=2,mp=2"]].concat());
    assert_eq!(streamed, format!("{}\n", reference.answer));
    let refused = |mesh| refusal(&scene.run(&[&["generate", "--model", "model", "--mesh", mesh], &words[..]].concat()));
    let error = refused("mp=3");
    assert!(error.contains("`vocab` of 320 does not divide into 3 parts, over the mesh's mp"), "{error}");
    let error = refused("mp=auto,dp=auto");
    assert!(error.contains("more than one size that is `auto`"), "{error}");
}

/// The model itself as its own draft, another one that has no tokenizer, drawn answers and several devices.
#[test]
fn what_a_smaller_model_proposes_changes_no_answer() {
    let scene = Scene::new();
    write_model(&scene.path("small"));
    fs::remove_file(scene.path("small/tokenizer.json")).unwrap();
    let [first, second, _] = references();
    for reference in [&first, &second] {
        for more in [
            &["--speculative-model", "model"][..],
            &["--speculative-model", "small", "--num-speculative-tokens", "2"],
            &["--speculative-model", "model", "--mesh", "mp=2"],
        ] {
            let words = ["--prompt", &reference.prompt, "--max-tokens", REFERENCE_TOKENS];
            let answer = scene.generate(&[&words[..], more].concat());
            assert_eq!(text(&answer), reference.answer, "{more:?}");
        }
    }
    for words in [&["--adapter", "adapter"][..], &["--temperature", "0.9", "--seed", "3"]] {
        let words = [&["--prompt", &second.prompt, "--max-tokens", "20"], words].concat();
        let expected = scene.generate(&words)["tokens"].clone();
        let found = scene.generate(&[&words[..], &["--speculative-model", "small"]].concat());
        assert_eq!(found["tokens"], expected, "{words:?}");
    }
}

#[test]
fn drafts_that_cannot_propose_are_refused_before_anything_is_loaded() {
    let scene = Scene::new();
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo");
    let [llama, mamba] = ["llama/grouped", "mamba/biases"].map(|case| zoo.join(case).display().to_string());
    write_model(&scene.path("other"));
    let tokenizer = fs::read_to_string(scene.path("other/tokenizer.json")).unwrap();
    let mut tokenizer: Value = serde_json::from_str(&tokenizer).unwrap();
    let vocabulary = tokenizer["model"]["vocab"].as_object_mut().unwrap();
    let [a, b] = [vocabulary["a"].clone(), vocabulary["b"].clone()];
    (vocabulary["a"], vocabulary["b"]) = (b.clone(), a.clone());
    fs::write(scene.path("other/tokenizer.json"), tokenizer.to_string()).unwrap();
    let (first, [own, other]) = match a.as_u64() < b.as_u64() {
        true => (a, ["a", "b"]),
        false => (b, ["b", "a"]),
    };
    let vocabularies =
        "its vocabulary has 96 tokens and the model's 320: take one of the same family, with the same tokenizer";
    for (draft, words, expected) in [
        ("nowhere", &[][..], "nowhere is not a model folder: there is no such folder".to_owned()),
        (
            &llama,
            &[],
            format!("cannot use the draft model {llama}: the draft model cannot propose tokens: {vocabularies}"),
        ),
        (
            &mamba,
            &[],
            format!(
                "cannot use the draft model {mamba}: the draft model cannot propose tokens: it sums up all tokens in a state that cannot take one back: \
                 take one that has keys and values alone"
            ),
        ),
        (
            "other",
            &[],
            format!(
                "cannot use the draft model other: its tokenizer is another one: 2 tokens differ, of which the first, {first}, is `{other}` there and \
                 `{own}` in the model's: take a draft with the model's tokenizer"
            ),
        ),
    ] {
        let words = [&["--prompt", "a", "--speculative-model", draft][..], words].concat();
        assert_eq!(scene.refusal("generate", &words), expected);
    }
}

#[test]
fn the_json_object_has_the_fields_that_are_promised() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let answer = scene.generate(&["--prompt", &endless.prompt, "--max-tokens", "5"]);
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    let expected =
        ["text", "tokens", "finish_reason", "seed", "prompt_tokens", "tokens_per_second", "first_token_seconds"];
    assert!(keys.len() == expected.len() && expected.iter().all(|key| answer.get(*key).is_some()), "{keys:?}");
    assert_eq!((answer["tokens"].as_array().unwrap().len(), &answer["finish_reason"]), (5, &json!("length")));
    assert!(
        answer["tokens_per_second"].as_f64().unwrap() > 0.0 && answer["first_token_seconds"].as_f64().unwrap() > 0.0
    );

    // A rate needs a second token.
    let single = scene.generate(&["--prompt", &endless.prompt, "--max-tokens", "1"]);
    assert_eq!((single["tokens"].as_array().unwrap().len(), &single["tokens_per_second"]), (1, &Value::Null));

    // The context ends an answer as well.
    let prompt = answer["prompt_tokens"].as_u64().unwrap();
    let cut = scene.generate(&["--prompt", &endless.prompt, "--context", &(prompt + 7).to_string()]);
    assert_eq!((cut["tokens"].as_array().unwrap().len(), &cut["finish_reason"]), (7, &json!("length")));
}

#[test]
fn a_seed_repeats_an_answer_and_another_gives_another() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let asked = ["--prompt", &endless.prompt, "--max-tokens", "24"];
    let with = |options: &[&str]| text(&scene.generate(&[&asked, options].concat())).to_owned();
    let greedy = with(&[]);
    let first = with(&["--temperature", "1", "--seed", "1"]);
    assert_eq!(first, with(&["--temperature", "1", "--seed", "1"]));
    assert_ne!(first, with(&["--temperature", "1", "--seed", "2"]));
    assert_ne!(first, greedy);
    for one_choice in [["--top-k", "1"], ["--top-p", "0.000001"]] {
        assert_eq!(greedy, with(&[&["--temperature", "1"], &one_choice[..]].concat()), "{one_choice:?}");
    }
    // As the API has it.
    assert_eq!(first, with(&["--temperature", "1", "--seed", "1", "--top-k", "-1"]));

    // What the model's makers set holds until it is overridden.
    scene.write("model/generation_config.json", json!({"do_sample": true, "temperature": 1.0, "top_k": 0}).to_string());
    assert_eq!(first, with(&["--seed", "1"]));
    let output = scene.finery("generate", &[&asked[..], &["--temperature", "0", "--seed", "1"]].concat());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{greedy}\n"));
    let stderr = String::from_utf8(output.stderr).unwrap();
    let warning =
        "warning: at temperature 0 the likeliest token is taken, so --seed changes nothing: give --temperature\n";
    assert!(stderr.starts_with(warning), "{stderr}");
}

/// An answer that was not asked for with a seed can be had again.
#[test]
fn the_seed_is_shown() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let asked = ["--prompt", &endless.prompt, "--max-tokens", "12", "--temperature", "1"];
    let first = scene.generate(&asked);
    let seed = first["seed"].as_u64().unwrap().to_string();
    let output = scene.finery("generate", &[&asked[..], &["--seed", &seed]].concat());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{}\n", text(&first)));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.ends_with(&format!(", seed {seed}\n")), "{stderr}");
    assert_eq!(scene.generate(&asked[..4])["seed"], Value::Null, "nothing is drawn");
}

#[test]
fn an_answer_that_was_cut_says_why() {
    let scene = Scene::new();
    let [ending, endless, _] = references();
    let warnings = |prompt: &str, words: &[&str]| {
        let output = scene.finery("generate", &[&["--prompt", prompt], words].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        stderr.lines().filter_map(|line| line.strip_prefix("warning: ").map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(
        warnings(&endless.prompt, &["--max-tokens", "6"]),
        ["the answer was cut off after 6 tokens: raise --max-tokens for more"]
    );
    let context = warnings(&endless.prompt, &["--context", "30"]);
    assert_eq!(
        context,
        [
            "the answer was cut off where the context of 30 tokens ends: shorten the prompt, or raise --context, up to 256"
        ]
    );
    assert!(warnings(&ending.prompt, &[]).is_empty());
}

/// The rules themselves are compared with transformers' in the engine.
#[test]
fn penalties_and_min_p_come_from_the_command_or_the_model() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let asked = ["--prompt", &endless.prompt, "--max-tokens", "40"];
    let with = |words: &[&str]| scene.generate(&[&asked, words].concat())["tokens"].clone();
    let repeats = |tokens: &Value| {
        let tokens = tokens.as_array().unwrap();
        let distinct: std::collections::BTreeSet<u64> = tokens.iter().map(|token| token.as_u64().unwrap()).collect();
        tokens.len() - distinct.len()
    };
    let greedy = with(&[]);
    assert!(repeats(&greedy) > 0, "{greedy}");
    let penalties: [(&str, &str, f64); 3] = [
        ("--repetition-penalty", "repetition_penalty", 2.0),
        ("--frequency-penalty", "frequency_penalty", 2.0),
        ("--presence-penalty", "presence_penalty", 2.0),
    ];
    for (option, key, value) in penalties {
        let penalised = with(&[option, &value.to_string()]);
        assert!(repeats(&penalised) < repeats(&greedy), "{option}: {penalised}");
        // Penalties of the file hold without do_sample, as in transformers, and the command line wins.
        scene.write("model/generation_config.json", json!({ key: value }).to_string());
        assert_eq!(with(&[]), penalised);
        let neutral = if key == "repetition_penalty" { "1" } else { "0" };
        assert_eq!(with(&[option, neutral]), greedy);
    }
    scene.write("model/generation_config.json", json!({"do_sample": true, "top_k": 0, "min_p": 1.0}).to_string());
    assert_eq!(with(&["--seed", "1"]), greedy, "only the likeliest is as likely as the likeliest");
    assert_ne!(with(&["--seed", "1", "--min-p", "0"]), greedy);
}

#[test]
fn the_prompt_can_come_from_a_file_or_standard_input() {
    let scene = Scene::new();
    let [ending, ..] = references();
    let expected = format!("{}\n", ending.answer);
    for ending_line in ["", "\n", "\r\n"] {
        scene.write("prompt.txt", format!("{}{ending_line}", ending.prompt));
        assert_eq!(scene.stdout("generate", &["--prompt-file", "prompt.txt"]), expected);
    }
    let messages = json!([{"role": "user", "content": ending.prompt}]).to_string();
    for (option, input) in [("--prompt-file", ending.prompt.as_str()), ("--messages", &messages)] {
        let mut generate = finery(scene.root())
            .args(["generate", "--device", "cpu", "--model", "model", option, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        generate.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(generate.wait_with_output().unwrap().stdout).unwrap(), expected, "{option}");
    }
    let message = scene.refusal("generate", &["--prompt-file", "nowhere.txt"]);
    assert_eq!(message, "cannot read the prompt from nowhere.txt: No such file or directory (os error 2)");
    let message = scene.refusal("generate", &["--messages", "-"]);
    assert!(message.starts_with("cannot use the messages of standard input: malformed JSON: "), "{message}");
}

/// And not the tokenizer, which reads the file too.
#[test]
fn a_broken_generation_config_is_named() {
    let scene = Scene::new();
    scene.write("model/generation_config.json", "{\"do_sample\": ");
    let message = scene.refusal("generate", &["--prompt", "a"]);
    assert!(message.starts_with("model/generation_config.json cannot be understood: EOF while parsing"), "{message}");
    scene.write("model/generation_config.json", "{\"top_k\": \"many\"}");
    let message = scene.refusal("generate", &["--prompt", "a"]);
    assert!(
        message.starts_with("model/generation_config.json cannot be understood: invalid type: string"),
        "{message}"
    );
    scene.write("model/generation_config.json", json!({"repetition_penalty": 0}).to_string());
    let message = scene.refusal("generate", &["--prompt", "a"]);
    let start =
        "reading the settings of the model's generation_config.json: repetition_penalty is 0, but it should be above 0";
    assert!(message.starts_with(start), "{message}");
    scene.stdout("generate", &["--prompt", "a", "--max-tokens", "1", "--repetition-penalty", "1"]);
}

#[test]
fn a_stop_text_ends_the_answer_before_it() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let asked = ["--prompt", &endless.prompt, "--max-tokens", "24"];
    let whole = scene.generate(&asked);
    // Out of the middle, so that it spans tokens and something comes after it.
    let stop: String = text(&whole).chars().skip(6).take(3).collect();
    let expected = &text(&whole)[..text(&whole).find(&stop).unwrap()];
    let asked = [&asked[..], &["--stop", "nowhere in it", "--stop", &stop]].concat();
    let answer = scene.generate(&asked);
    assert_eq!((text(&answer), &answer["finish_reason"]), (expected, &json!("stop")));
    assert_eq!(scene.stdout("generate", &asked), format!("{expected}\n"));
}

#[test]
fn an_adapter_changes_the_answer() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let asked = ["--prompt", &endless.prompt, "--max-tokens", "12"];
    let adapted = scene.generate(&[&asked[..], &["--adapter", "adapter"]].concat());
    assert_ne!(text(&adapted), endless.answer);
}

#[test]
fn the_template_lays_the_prompt_out_unless_it_is_raw() {
    let scene = Scene::new();
    let ask = |words: &[&str]| scene.generate(&[words, &["--max-tokens", "8"]].concat())["text"].clone();
    scene.write("model/chat_template.jinja", ROLES);
    let laid_out = ask(&["--prompt", "iron?"]);
    let raw = ask(&["--prompt", "iron?", "--raw"]);
    assert_ne!(laid_out, raw);
    assert_eq!(laid_out, ask(&["--prompt", "user: iron? assistant: ", "--raw"]));
    fs::remove_file(scene.path("model/chat_template.jinja")).unwrap();
    assert_eq!(raw, ask(&["--prompt", "iron?"]));
}

/// Training puts what it used beside the adapter, which the base model may lack.
#[test]
fn an_adapter_brings_its_tokenizer_and_template() {
    let scene = Scene::new();
    let ask = |prompt: &[&str]| {
        scene.generate(&[prompt, &["--adapter", "adapter", "--max-tokens", "8"]].concat())["text"].clone()
    };
    fs::remove_file(scene.path("model/chat_template.jinja")).unwrap();
    let expected = ask(&["--prompt", "user: iron? assistant: "]);
    for name in ["tokenizer.json", "tokenizer_config.json"] {
        fs::copy(scene.path("model").join(name), scene.path("adapter").join(name)).unwrap();
    }
    let message = scene.refusal("chat", &["--adapter", "adapter"]);
    assert!(message.contains("add adapter/chat_template.jinja, or "), "{message}");
    scene.write("adapter/chat_template.jinja", ROLES);
    assert_eq!(ask(&["--prompt", "iron?"]), expected);

    scene.stdout("merge", &["--adapter", "adapter", "--output", "merged"]);
    assert_eq!(fs::read_to_string(scene.path("merged/chat_template.jinja")).unwrap(), ROLES);
}

/// As `finery generate … | head -c 1`.
#[test]
fn a_reader_that_has_enough_ends_the_answer() {
    let scene = Scene::new();
    let mut generate = finery(scene.root())
        .args(["generate", "--device", "cpu", "--model", "model", "--prompt", "the la"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(generate.stdout.take());
    let output = generate.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    let (before, _) = stderr.split_once(" tokens after a prompt of ").unwrap();
    let tokens: usize = before.lines().last().unwrap().parse().unwrap();
    assert!(tokens < 10, "{stderr}");
}

#[test]
fn messages_that_cannot_be_used_are_named_with_their_file() {
    let scene = Scene::new();
    let roles = "system, developer, user, assistant or tool";
    let tool = r#"{"type": "function", "function": {"name", "description", "parameters"}}"#;
    let asked = r#""messages": [{"role": "user", "content": "a"}]"#;
    let cases: [(&[u8], String); 17] = [
        (
            b"[\n  {\"role\": \"user\",\n   content: 1}\n]",
            "malformed JSON: key must be a string at line 3 column 4".to_owned(),
        ),
        (b"[{\"role\": \"user\"", "malformed JSON: EOF while parsing an object at line 1 column 16".to_owned()),
        (b"{\"role\": \"user\"}\n{}", "malformed JSON: trailing characters at line 2 column 1".to_owned()),
        (
            br#"[{"role": "user", "role": "assistant", "content": "x"}]"#,
            "the key \"role\" is there twice at line 1 column 24".to_owned(),
        ),
        (b"\xff", "stream did not contain valid UTF-8".to_owned()),
        (b"\"iron?\"", "it should be a list of messages, or an object with \"messages\"".to_owned()),
        (b"[]", "\"messages\" is empty: say something".to_owned()),
        (b"{\"tools\": []}", "it has no \"messages\": they are a list of {\"role\", \"content\"}".to_owned()),
        (b"{\"messages\": 3}", "\"messages\" should be a list of {\"role\", \"content\"}".to_owned()),
        (b"[\"a\"]", "messages[0] should be {\"role\", \"content\"}".to_owned()),
        (
            b"[{\"role\": \"user\", \"content\": \"a\"}, {\"content\": \"b\"}]",
            format!("messages[1]: it needs a `role`: {roles}"),
        ),
        (b"[{\"role\": \"foo\", \"content\": \"a\"}]", format!("messages[0]: its role should be {roles}")),
        (
            br#"[{"role": "user", "content": [{"type": "image_url"}]}]"#,
            "messages[0]: content[0] is no text: images, audio, video and files are not supported".to_owned(),
        ),
        (
            &format!("{{{asked}, \"tools\": 3}}").into_bytes(),
            format!("\"tools\" should be a list of {tool}"),
        ),
        (
            &format!("{{{asked}, \"tools\": [{{\"type\": \"function\"}}]}}").into_bytes(),
            "tools[0]: missing field `function`".to_owned(),
        ),
        (
            &format!("{{{asked}, \"tool\": []}}").into_bytes(),
            "nothing is made of the key \"tool\": a conversation has \"messages\" and perhaps \"tools\", and how it is answered is said by options"
                .to_owned(),
        ),
        (
            &format!("{{{asked}, \"tools\": [{{\"type\": \"function\", \"function\": {{\"name\": \"look\"}}}}]}}").into_bytes(),
            "the model's chat template shows no tools to it: leave \"tools\" out, or take a model whose template has them"
                .to_owned(),
        ),
    ];
    let refusal = || scene.refusal("generate", &["--messages", "messages.json"]);
    assert_eq!(refusal(), "cannot use the messages of messages.json: No such file or directory (os error 2)");
    for (content, reason) in cases {
        scene.write("messages.json", content);
        assert_eq!(refusal(), format!("cannot use the messages of messages.json: {reason}"));
    }
    scene.write("messages.json", "[{\"role\": \"user\", \"content\": \"a\"}]");
    scene.write("model/chat_template.jinja", "{{ raise_exception('there is no system message') }}");
    let reason = "the chat template cannot render these messages: there is no system message (line 1 of the template)";
    assert_eq!(refusal(), format!("cannot use the messages of messages.json: {reason}"));
    fs::remove_file(scene.path("model/chat_template.jinja")).unwrap();
    let expected = "the model has no chat template, so it cannot take messages: add model/chat_template.jinja, or give \
                    plain text";
    assert_eq!(refusal(), expected);
}

/// As the server shows them.
#[test]
fn tools_of_a_file_are_shown_to_the_model() {
    let scene = Scene::new();
    let template = "{% for tool in tools or [] %}{{ tool.function.name }} {% endfor %}{% for message in messages %}{{ message.content }}{% endfor %}";
    scene.write("model/chat_template.jinja", template);
    let ask = |file: Value| {
        scene.write("messages.json", file.to_string());
        scene.generate(&["--messages", "messages.json", "--max-tokens", "8"])["text"].clone()
    };
    let asked = |text: &str| json!([{"role": "developer", "content": text}]);
    let tool = json!({"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}});
    let shown = ask(json!({"messages": asked("iron?"), "tools": [tool]}));
    assert_eq!(shown, ask(asked("look iron?")));
    assert_ne!(shown, ask(json!({"messages": asked("iron?"), "tools": []})));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let scene = Scene::new();
    let long = "a".repeat(300);
    let cases: [(&[&str], &str); 6] = [
        (&["--model", "nowhere", "--prompt", "a"], "nowhere is not a model folder: there is no such folder"),
        (&["--adapter", "nowhere", "--prompt", "a"], "adapter nowhere cannot be used: there is no such folder"),
        (
            &["--prompt", &long],
            "the prompt of 301 tokens fills the context of 256, so nothing can follow it: shorten it",
        ),
        (
            &["--prompt", &long, "--context", "30"],
            "the prompt of 301 tokens fills the context of 30, so nothing can follow it: shorten it",
        ),
        (
            &["--prompt", &long[..50], "--context", "30"],
            "the prompt of 51 tokens fills the context of 30, so nothing can follow it: shorten it, or raise --context, up to 256",
        ),
        (
            &["--prompt", "a", "--context", "257"],
            "--context is 257, and the model is meant for texts of up to 256 tokens: give it that or less",
        ),
    ];
    for (words, start) in cases {
        let message = scene.refusal("generate", words);
        assert_eq!(message, start, "{words:?}");
    }

    // `<s>` alone can be continued; without it nothing is there.
    assert_eq!(scene.generate(&["--prompt", "", "--max-tokens", "3"])["prompt_tokens"], 1);
    scene.write("model/chat_template.jinja", "{{ messages[0].content }}");
    let message = scene.refusal("generate", &["--prompt", ""]);
    assert_eq!(message, "the prompt holds no token, so there is nothing to continue: give it some text");
}

/// Where an adapter names its base model that need not be given, and an adapter given as the model is one.
#[test]
fn the_model_may_be_left_to_the_adapter() {
    let scene = Scene::new();
    let [_, endless, _] = references();
    let ask = |words: &[&str]| {
        let asked = ["generate", "--device", "cpu", "--json", "--max-tokens", "8", "--prompt", &endless.prompt];
        scene.run(&[&asked, words].concat())
    };
    let answer = |words: &[&str]| -> Value { serde_json::from_slice(&ask(words).stdout).unwrap() };
    let both = ["--model", "model", "--adapter", "adapter"];
    let expected = answer(&both);
    let stderr = String::from_utf8(ask(&both).stderr).unwrap();
    assert!(!stderr.contains("is for the model"), "{stderr}");
    assert_ne!(expected["text"], answer(&["--model", "model"])["text"]);
    for words in [["--adapter", "adapter"], ["--model", "adapter"]] {
        assert_eq!(answer(&words)["text"], expected["text"], "{words:?}");
    }
    let config = fs::read_to_string(scene.path("adapter/adapter_config.json")).unwrap();
    assert!(config.contains("\"base_model_name_or_path\": \"model\""));
    scene.write("adapter/adapter_config.json", config.replace("\"model\"", "\"models/elsewhere\""));
    let stderr = String::from_utf8(ask(&both).stderr).unwrap();
    let told =
        "the adapter adapter is for the model \"models/elsewhere\" (base_model_name_or_path), which this one is not";
    assert_eq!(stderr.matches(told).count(), 1, "{stderr}");
    let message = refusal(&ask(&["--adapter", "adapter"]));
    let start = "adapter adapter cannot be used: its base model models/elsewhere (base_model_name_or_path) is found neither from here";
    assert!(message.starts_with(start), "{message}");
    assert_eq!(ask(&[]).status.code(), Some(2), "one of them is needed");
}
