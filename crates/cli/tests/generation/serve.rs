//! `finery serve` through the real binary: its answers are those of transformers and of `finery generate`, many at once.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Output, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::command::{finery, refusal, refusal_with};
use crate::model::{REFERENCE_TOKENS, references};
use crate::scene::Scene;
use crate::signals::is_heard;

/// A server under way, which ends with the test.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The model, and its adapter in a folder of adapters.
pub(crate) fn scene() -> Scene {
    let scene = Scene::new();
    fs::create_dir(scene.path("adapters")).unwrap();
    fs::rename(scene.path("adapter"), scene.path("adapters/tuned")).unwrap();
    scene
}

/// Starts a server for few and short texts, so that there are few programs to make.
fn serve(folder: &Scene, words: &[&str]) -> Served {
    start(folder, &[&["--max-num-seqs", "4", "--max-model-len", "64"], words].concat())
}

/// Starts a server.
pub(crate) fn start(folder: &Scene, words: &[&str]) -> Served {
    start_with(folder, "model", words)
}

/// Starts a server of that model.
fn start_with(folder: &Scene, model: &str, words: &[&str]) -> Served {
    let mut command = finery(folder.root());
    command.args(["serve", model, "--device", "cpu", "--port", "0"]);
    let child = command.args(words).stderr(Stdio::piped()).spawn().unwrap();
    let mut served = Served { child, address: String::new() };
    let mut lines = BufReader::new(served.child.stderr.take().unwrap()).lines();
    let mut told = |what: &str| {
        lines.find_map(|line| {
            let line = line.unwrap();
            let (_, address) = line.split_once(what)?.1.split_once("://")?;
            Some(address.to_owned())
        })
    };
    let first = told("getting ready at http");
    served.address = told("serving at http").expect("it serves");
    assert_eq!(first.as_ref(), Some(&served.address), "the port is told before the model is there");
    // What it says later is read, so that it is not held up.
    thread::spawn(move || lines.for_each(drop));
    served
}

impl Served {
    /// Status and body of an answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).unwrap()
    }

    /// The text of a greedy answer to one message.
    fn chat(&self, model: &str, prompt: &str) -> (String, String) {
        let messages = json!([{"role": "user", "content": prompt}]);
        let body = json!({"model": model, "messages": messages, "temperature": 0, "max_tokens": REFERENCE_TOKENS.parse::<u32>().unwrap()});
        let answer = self.post("/v1/chat/completions", &body);
        let choice = &answer["choices"][0];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&choice["message"]["content"]), text(&choice["finish_reason"]))
    }

    pub(crate) fn end(mut self, signal: Signal) -> std::process::ExitStatus {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap()
    }
}

/// Ctrl-C's signal, or another where that is ignored.
fn asking_to_end() -> Signal {
    if is_heard(Signal::INT) { Signal::INT } else { Signal::TERM }
}

fn generated(folder: &Scene, prompt: &str) -> String {
    let words = ["generate", "--device", "cpu", "--model", "model", "--adapter", "adapters/tuned", "--prompt", prompt];
    let Output { stdout, .. } = folder.run(&[&words[..], &["--max-tokens", REFERENCE_TOKENS]].concat());
    String::from_utf8(stdout).unwrap().trim_end_matches('\n').to_owned()
}

/// Nobody else knows a port that the system has chosen.
#[test]
fn a_free_port_is_told_to_those_too_who_want_no_news() {
    let folder = scene();
    let mut command = finery(folder.root());
    command.args(["serve", "model", "--device", "cpu", "--host", "localhost", "--port", "0", "-q"]);
    let child = command.args(["--max-num-seqs", "2", "--max-model-len", "32"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut served = Served { child, address: String::new() };
    let first = BufReader::new(served.child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
    served.address = first.strip_prefix("serving at http://").unwrap_or_else(|| panic!("{first}")).to_owned();
    assert!(served.address.starts_with("127.0.0.1:"), "{first}");
    assert_eq!(served.ask("GET", "/v1/models", "").0, 200);
}

#[test]
fn answers_at_once_are_those_of_one_at_a_time_with_and_without_an_adapter() {
    let folder = scene();
    let server = serve(&folder, &["--adapters", "adapters"]);
    let expected = references().map(|reference| {
        let tuned = generated(&folder, &reference.prompt);
        (reference, tuned)
    });
    thread::scope(|scope| {
        for _ in 0..4 {
            for (reference, tuned) in &expected {
                let server = &server;
                scope.spawn(move || {
                    let (text, reason) = server.chat("model", &reference.prompt);
                    assert_eq!(text, reference.answer);
                    assert_eq!(reason, if reference.ended { "stop" } else { "length" });
                });
                scope.spawn(move || assert_eq!(server.chat("tuned", &reference.prompt).0, *tuned));
            }
        }
    });
    assert!(expected.iter().any(|(reference, tuned)| reference.answer != *tuned), "the adapter changes nothing");
    let (_, models) = server.ask("GET", "/v1/models", "");
    assert!(models.contains("\"tuned\"") && models.contains("\"model\""), "{models}");
    let (_, metrics) = server.ask("GET", "/metrics", "");
    assert!(metrics.contains("vllm:generation_tokens_total"), "{metrics}");

    let long = json!({"model": "model", "prompt": vec![5; 70]}).to_string();
    let (status, refused) = server.ask("POST", "/v1/completions", &long);
    let advice = "shorten the prompt, or start the server with a larger --max-model-len: the model takes up to 256";
    assert!(status == 400 && refused.contains(advice), "{refused}");

    let messages = json!([{"role": "user", "content": "a"}]);
    let told = |count: u32| {
        let body =
            json!({"model": "model", "messages": messages, "max_tokens": 2, "logprobs": true, "top_logprobs": count});
        let answer = server.post("/v1/chat/completions", &body);
        answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"].as_array().unwrap().len()
    };
    assert_eq!([0, 2, 7].map(told), [0, 2, 7]);

    let schema = json!({"type": "object", "properties": {"a": {"enum": ["x", "yy"]}}, "required": ["a"], "additionalProperties": false});
    let format = json!({"type": "json_schema", "json_schema": {"name": "a", "schema": schema}});
    let body = json!({"model": "tuned", "messages": messages, "temperature": 1.5, "max_tokens": 40, "response_format": format, "seed": 3});
    let answer = server.post("/v1/chat/completions", &body);
    let text = answer["choices"][0]["message"]["content"].as_str().unwrap();
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(value == json!({"a": "x"}) || value == json!({"a": "yy"}), "{text}");

    let embed = |input: Value| {
        server.post("/v1/embeddings", &json!({"model": "model", "input": input, "encoding_format": "float"}))
    };
    let vectors = embed(json!(["one text", "another", "one text"]));
    let vectors: Vec<Vec<f64>> =
        (0..3).map(|at| serde_json::from_value(vectors["data"][at]["embedding"].clone()).unwrap()).collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    assert!((product(&vectors[0], &vectors[0]) - 1.0).abs() < 1e-5 && vectors[0] == vectors[2]);
    assert!(product(&vectors[0], &vectors[1]) < 0.999);

    let (status, refused) = server.ask("POST", "/v1/embeddings", r#"{"model": "tuned", "input": "a"}"#);
    assert!(status == 400 && refused.contains("computed with the model alone: ask for `model`"), "{status}: {refused}");
    let (status, refused) = server.ask("POST", "/v1/chat/completions", r#"{"model": "nobody", "messages": []}"#);
    assert!(status == 400 || status == 404, "{status}: {refused}");
    assert_eq!(server.end(Signal::TERM).code(), Some(0));
}

/// One that is stopped before its programs are made does not say that they are.
#[test]
fn a_server_that_is_stopped_while_it_starts_says_so() {
    let folder = scene();
    let mut command = finery(folder.root());
    command.args(["serve", "model", "--device", "cpu", "--port", "0", "--max-num-seqs", "16"]);
    // Programs that are kept would be there before it hears.
    command.env("FINERY_CACHE", folder.path("cache"));
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut served = Served { child, address: String::new() };
    let mut lines = BufReader::new(served.child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.ends_with("making the programs of steps")));
    kill_process(Pid::from_child(&served.child), Signal::TERM).unwrap();
    let told: Vec<String> = lines.collect();
    assert_eq!(served.child.wait().unwrap().code(), Some(0), "{told:?}");
    assert!(told.iter().any(|line| line.contains("making the programs of steps: stopped after ")), "{told:?}");
    assert!(!told.iter().any(|line| line.contains("serving at")), "{told:?}");
}

/// Nothing on disk is damaged by the end of a server, whatever it was doing.
#[test]
fn a_server_that_was_killed_starts_again() {
    let folder = scene();
    let server = serve(&folder, &[]);
    let [reference, ..] = references();
    assert_eq!(server.chat("model", &reference.prompt).0, reference.answer);
    let endless = json!({"model": "model", "prompt": "a", "max_tokens": 60, "stream": true, "ignore_eos": true});
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head =
        format!("POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", endless.to_string().len());
    stream.write_all(format!("{head}{endless}").as_bytes()).unwrap();
    assert_eq!(server.end(Signal::KILL).code(), None);
    let server = serve(&folder, &[]);
    assert_eq!(server.chat("model", &reference.prompt).0, reference.answer);
    assert_eq!(server.end(asking_to_end()).code(), Some(0));
}

/// The same answers, of which tokens are found where they stood before, or by a smaller model; and the counts of that.
#[test]
fn answers_are_the_same_where_tokens_are_proposed() {
    let folder = scene();
    let prompt: Vec<u32> = [5, 9, 17, 3].repeat(6);
    let ask = |server: &Served| {
        let body = json!({"model": "model", "prompt": prompt, "temperature": 0, "max_tokens": 24, "ignore_eos": true});
        server.post("/v1/completions", &body)["choices"][0]["text"].clone()
    };
    let server = serve(&folder, &[]);
    let expected = ask(&server);
    assert_eq!(server.end(asking_to_end()).code(), Some(0));
    let draft = json!({"model": "model", "num_speculative_tokens": 3}).to_string();
    for (words, is_itself) in [(["--speculative-ngram", "3"], false), (["--speculative-config", &draft], true)] {
        let server = serve(&folder, &words);
        assert_eq!(ask(&server), expected, "{words:?}");
        let (_, metrics) = server.ask("GET", "/metrics", "");
        let count = |name: &str| -> f64 {
            let name = format!("vllm:spec_decode_num_{name}_total{{");
            let line = metrics.lines().find(|line| line.starts_with(&name)).unwrap();
            line.rsplit_once(' ').unwrap().1.parse().unwrap()
        };
        let [drafts, proposed, accepted] = ["drafts", "draft_tokens", "accepted_tokens"].map(count);
        assert!(proposed >= accepted && drafts > 0.0, "{metrics}");
        // One token comes with the prompt, and one behind each three that the model itself proposes.
        assert!(!is_itself || (drafts, proposed, accepted) == (6.0, 17.0, 17.0), "{metrics}");
        assert_eq!(server.end(asking_to_end()).code(), Some(0));
    }
}

/// Two virtual devices of the processor answer as one does; with 8-bit keys and values there is an answer.
#[test]
fn a_model_is_served_over_devices_and_with_narrow_keys() {
    let folder = scene();
    let [reference, ..] = references();
    let few = ["--max-num-seqs", "1", "--max-model-len", "64", "--max-num-batched-tokens", "16"];
    let server = start(&folder, &[&few[..], &["--tensor-parallel-size", "2"]].concat());
    assert_eq!(server.chat("model", &reference.prompt).0, reference.answer);
    assert_eq!(server.end(asking_to_end()).code(), Some(0));
    let server = start(&folder, &[&few[..], &["--kv-cache-dtype", "fp8"]].concat());
    let (text, reason) = server.chat("model", &reference.prompt);
    assert!(!text.is_empty() && ["stop", "length"].contains(&reason.as_str()), "{text}, {reason}");
    assert_eq!(server.end(asking_to_end()).code(), Some(0));
}

/// Whoever looks for an adapter by its name finds in the log why it is not that one.
#[test]
fn the_start_says_which_adapters_there_are() {
    let folder = scene();
    for name in ["model", "a,b", "dup", "other"] {
        fs::create_dir(folder.path(&format!("adapters/{name}"))).unwrap();
        for file in fs::read_dir(folder.path("adapters/tuned")).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), folder.path(&format!("adapters/{name}")).join(file.file_name())).unwrap();
        }
    }
    let mut command = finery(folder.root());
    let words = "serve model --device cpu --port 0 --max-num-seqs 1 --max-model-len 32 --adapters adapters";
    let child = command.args(words.split(' ')).args(["--lora-modules", "dup=adapters/other"]).stderr(Stdio::piped());
    let mut served = Served { child: child.spawn().unwrap(), address: String::new() };
    let lines = BufReader::new(served.child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let told: Vec<String> = lines.take_while(|line| !line.contains("serving at")).collect();
    let all = told.join("\n");
    for part in [
        "adapters has 3 adapters",
        "\"adapters/model\" is passed over: requests get the model itself by that name",
        "\"adapters/a,b\" is passed over: the name of an adapter should have no comma",
        "\"adapters/dup\" is passed over: requests get adapters/other by its name",
    ] {
        assert_eq!(told.iter().filter(|line| line.contains(part)).count(), 1, "{part}: {all}");
    }
}

#[test]
fn a_chat_template_takes_the_place_of_the_model_s() {
    let folder = scene();
    folder.write("mine.jinja", "{% for message in messages %}<{{ message.content }}>{% endfor %}");
    let words = ["--max-num-seqs", "1", "--max-model-len", "32", "--chat-template"];
    let server = start(&folder, &[&words[..], &["mine.jinja"]].concat());
    for tools in [json!(null), json!([{"type": "function", "function": {"name": "look"}}])] {
        let messages = json!([{"role": "user", "content": "the cat"}]);
        let told = server.post("/tokenize", &json!({"model": "model", "messages": messages, "tools": tools}));
        let told = server.post("/detokenize", &json!({"model": "model", "tokens": told["tokens"]}));
        assert_eq!(told["prompt"], "<the cat>", "{tools}");
    }
    assert_eq!(server.end(asking_to_end()).code(), Some(0));
    folder.write("damaged.jinja", "{% for message in messages %}");
    folder.write("chat_template.json", r#"{"chat_template": "{{ messages[0].content }}"}"#);
    for (file, expected) in [
        ("none.jinja", "No such file or directory"),
        ("damaged.jinja", "unexpected end of input"),
        ("chat_template.json", "it is an object in JSON: write the template that it holds into a file of its own"),
    ] {
        let mut command = finery(folder.root());
        command.args(["serve", "model", "--device", "cpu"]).args(words).arg(file).env("FINERY_PLUGIN", "nowhere.so");
        let told = refusal(&command.output().unwrap());
        assert!(told.contains(&format!("--chat-template {file}: ")) && told.contains(expected), "{told}");
    }
}

/// What is asked for by the name of the base model would not be the base model.
#[test]
fn an_adapter_that_is_served_has_the_name_of_its_own_folder() {
    let folder = scene();
    let path = folder.path("adapters/tuned/adapter_config.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    config["base_model_name_or_path"] = json!("model");
    fs::write(&path, config.to_string()).unwrap();
    let few = ["--max-num-seqs", "1", "--max-model-len", "64", "--max-num-batched-tokens", "16"];
    let server = start_with(&folder, "adapters/tuned", &few);
    let (_, models) = server.ask("GET", "/v1/models", "");
    let models: Value = serde_json::from_str(&models).unwrap();
    let told: Vec<_> = models["data"].as_array().unwrap().iter().map(|model| (&model["id"], &model["root"])).collect();
    assert_eq!(told, [(&json!("tuned"), &json!("adapters/tuned"))]);
    let [reference, ..] = references();
    assert_eq!(server.chat("tuned", &reference.prompt).0, generated(&folder, &reference.prompt));
    assert_eq!(server.end(asking_to_end()).code(), Some(0));
}

/// A model takes minutes to load.
#[test]
fn an_address_that_cannot_be_had_is_refused_before_a_device_is_started() {
    let folder = scene();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = |words: &[&str]| {
        let mut command = finery(folder.root());
        command.args(["serve", "model", "--device", "cpu"]).args(words).env("FINERY_PLUGIN", "nowhere.so");
        refusal(&command.output().unwrap())
    };
    assert!(refused(&["--port", "0"]).contains("nowhere.so"));
    let expected = format!(
        "cannot listen at 127.0.0.1:{port}: Address already in use (os error 98): choose another --port, or 0 for one that is free, or another --host"
    );
    assert_eq!(refused(&["--port", &port]), expected);
    let error = refused(&["--port", "0", "--host", "0.0.0.0"]);
    assert!(error.contains("can be reached from other machines, and there are no keys"), "{error}");
    assert!(error.contains("give --api-key, or --api-keys with a file that `finery keys add NAME` makes"), "{error}");
    let error = refused(&["--port", "0", "--api-keys", "nowhere.json"]);
    assert_eq!(
        error,
        "cannot read the keys of nowhere.json: No such file or directory (os error 2): `finery keys add NAME --file nowhere.json` makes it, with a first key"
    );
}

/// An empty variable is nobody's key, and is not taken for none either: that would let everyone in.
#[test]
fn a_key_that_cannot_be_one_is_refused_by_the_name_of_where_it_stands() {
    let folder = scene();
    let refused = |code, key: &str, words: &[&str]| {
        let mut command = finery(folder.root());
        command
            .args(["serve", "model", "--device", "cpu", "--port", "0"])
            .args(words)
            .env("FINERY_PLUGIN", "nowhere.so");
        refusal_with(code, &command.env("FINERY_API_KEY", key).output().unwrap())
    };
    let rule = "a key should be letters, digits and marks without spaces, 1 to 512 of them";
    for key in ["", "two words"] {
        assert_eq!(refused(1, key, &[]), format!("FINERY_API_KEY: {rule}: give it such a key, or unset it"));
    }
    assert_eq!(refused(1, "sound", &["--api-key", ""]), format!("--api-key: {rule}: give such a key, or leave it out"));
    let expected = "FINERY_API_KEY is set, and --api-keys names a file of keys: unset the one, or leave out the other";
    assert_eq!(refused(2, "sound", &["--api-keys", "keys.json"]), expected);
    for words in [&[][..], &["--host", "0.0.0.0"]] {
        assert!(refused(1, "sound", words).contains("nowhere.so"), "a key lets others in");
    }
}

/// They take minutes to load: here they are not those that the configuration asks for, which is found when they are.
#[test]
fn what_needs_no_weights_is_refused_before_they_are_read() {
    let folder = scene();
    let path = folder.path("model/config.json");
    let mut config: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    config["intermediate_size"] = json!(config["intermediate_size"].as_u64().unwrap() + 1);
    fs::write(&path, config.to_string()).unwrap();
    let refused =
        |words: &[&str]| refusal(&folder.run(&[&["serve", "model", "--device", "cpu", "--port", "0"], words].concat()));
    let error = refused(&["--adapters", "adapters"]);
    assert!(error.contains("model.layers.0.mlp."), "{error}");
    for (words, expected) in [
        (&["--max-model-len", "100000"][..], "--max-model-len is 100000, but it should be from 2 to "),
        (&["--lora-modules", "x=nowhere"], "the adapter `x` cannot be served: "),
        (&["--adapters", "nowhere"], "cannot read the folder of adapters nowhere"),
        (
            &["--lora-target-modules", "foo"],
            "a module of --lora-target-modules is foo, but the model's modules that can be ",
        ),
    ] {
        let error = refused(words);
        assert!(error.contains(expected), "{error}");
    }
}

/// Before anything is said of getting ready.
#[test]
fn a_model_without_a_tokenizer_is_refused_at_once() {
    let folder = scene();
    fs::remove_file(folder.path("model/tokenizer.json")).unwrap();
    let output = folder.run(&["serve", "model", "--device", "cpu", "--port", "0"]);
    let error = refusal(&output);
    assert!(error.contains("tokenizer.json"), "{error}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("getting ready"), "{stderr}");
}

#[test]
fn what_cannot_be_served_is_refused_with_a_reason() {
    let folder = scene();
    let refused = |words: &[&str]| {
        refusal(
            &folder
                .run(&[&["serve", "model", "--device", "cpu", "--port", "0", "--max-num-seqs", "1"], words].concat()),
        )
    };
    let error = refused(&["--max-model-len", "100000"]);
    assert!(error.contains("--max-model-len is 100000, but it should be from 2 to"), "{error}");
    for method in [r#""method": "ngram""#, r#""model": "model""#] {
        let config = format!("{{{method}, \"num_speculative_tokens\": 17}}");
        let error = refusal_with(2, &folder.run(&["serve", "model", "--speculative-config", &config]));
        assert!(error.contains("`num_speculative_tokens` is 17, but it should be from 1 to 16"), "{error}");
    }
    for words in [
        ["--speculative-ngram", "3"],
        ["--speculative-model", "model"],
        ["--speculative-config", r#"{"method": "ngram", "num_speculative_tokens": 3}"#],
    ] {
        let error = refusal_with(2, &folder.run(&[&["serve", "model", "--deterministic"], &words[..]].concat()));
        let expected = format!("{} beside --deterministic: where answers are the same to the bit each token", words[0]);
        assert!(error.starts_with(&expected), "{error}");
    }
    let error = refused(&["--speculative-config", r#"{"model": "nowhere", "num_speculative_tokens": 3}"#]);
    assert!(error.contains("nowhere is not a model folder"), "{error}");
    let both = ["serve", "model", "--speculative-ngram", "3", "--speculative-model", "model"];
    let error = refusal_with(2, &folder.run(&both));
    assert!(error.contains("cannot be used with"), "{error}");
    let error = refused(&["--tensor-parallel-size", "3"]);
    let expected =
        "`vocab` of 320 does not divide into 3 parts, over the mesh's mp: give --mesh a size along mp that divides 320";
    assert!(error.contains(expected), "{error}");
    let error = refused(&["--lora-modules", "x=nowhere"]);
    assert!(error.contains("nowhere"), "{error}");
    // Before anything of the model or the adapters is read.
    for words in [["x=nowhere", "x=nowhere"], ["x=nowhere", "model=nowhere"]] {
        let words = [&["serve", "model", "--device", "cpu", "--port", "0", "--lora-modules"], &words[..]].concat();
        let error = refusal_with(2, &folder.run(&words));
        let expected = "--lora-modules: the name `x` stands for something else already: choose another";
        assert_eq!(error.replace("`model`", "`x`"), expected);
    }
    let error = refusal_with(2, &folder.run(&["serve", "model", "--served-model-name", "llama,gpt-4o"]));
    assert!(error.contains("a name has no comma: put a space between several"), "{error}");
    for option in ["--max-loras", "--max-lora-rank"] {
        let error = refusal_with(2, &folder.run(&["serve", "model", "--enable-lora", option, "0"]));
        assert!(error.contains(&format!("'0' for '{option} <N>': it should be a whole number from 1 to ")), "{error}");
    }
    let error = refused(&["--adapters", "nowhere"]);
    assert!(error.contains("cannot read the folder of adapters nowhere"), "{error}");
    let error = refused(&["--adapters", "adapters/tuned"]);
    assert!(error.contains("adapters/tuned is itself an adapter, and not a folder of adapters: give the"), "{error}");
}
