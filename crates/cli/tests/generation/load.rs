//! `finery bench serve` on `finery serve`, both through the real binary.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process};
use serde_json::Value;

use crate::command::{finery, refusal};
use crate::scene::{ROLES, Scene};
use crate::serve::{Served, scene, start};
use crate::signals::is_heard;

/// A server of short texts, with the model and an adapter.
fn served(folder: &Scene) -> Served {
    start(folder, &["--max-num-seqs", "4", "--max-model-len", "64", "--adapters", "adapters"])
}

/// `finery bench serve` with these words.
fn bench(folder: &Scene, server: &Served, words: &str) -> Output {
    let url = format!("http://{}/v1", server.address);
    finery(folder.root()).args(["bench", "serve", &url]).args(words.split_whitespace()).output().unwrap()
}

/// What it tells scripts.
fn told(folder: &Scene, server: &Served, words: &str) -> Value {
    let output = bench(folder, server, &format!("{words} --json"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {path} in {value}"))
}

/// Lengths hold whatever the model says, and what is told agrees with what the server counts and with the file of requests.
#[test]
fn a_load_on_our_server_is_told_to_people_and_to_scripts() {
    let folder = scene();
    let server = served(&folder);
    let words = "--endpoint completions --models-from-server --zipf 0.5 --concurrency 6 --requests 40 --prompt-tokens 8..20 --output-tokens 3..12 --seed 5 \
        --goodput e2e=60000 --save requests.jsonl";
    let told = told(&folder, &server, words);
    assert_eq!((&told["done"], &told["failed"], &told["errors"]), (&40.into(), &0.into(), &Value::Array(Vec::new())));
    assert_eq!((&told["short_answers"], &told["models"]["asked"]), (&0.into(), &2.into()), "{told}");
    assert_eq!(number(&told, "/goodput/requests"), 40.0);
    assert_eq!((&told["prompt_lengths"], &told["output_lengths"]), (&"8..20".into(), &"3..12".into()));
    assert!((1.0..=6.0).contains(&number(&told, "/streams_max")), "{told}");

    let lines = fs::read_to_string(folder.path("requests.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sum = |name: &str| lines.iter().map(|line| number(line, name)).sum::<f64>();
    assert_eq!(lines.len(), 40);
    assert_eq!(
        (sum("/output_tokens"), sum("/prompt_tokens")),
        (number(&told, "/output_tokens"), number(&told, "/input_tokens"))
    );
    for line in &lines {
        assert!(
            (3.0..=12.0).contains(&number(line, "/wanted_tokens")) && line["output_tokens"] == line["wanted_tokens"],
            "{line}"
        );
        // The tiny model's words have several tokens, so that prompts are as near as words allow.
        assert!((4.0..=24.0).contains(&number(line, "/prompt_tokens")), "{line}");
        let times: Vec<f64> = serde_json::from_value(line["pieces_ms"].clone()).unwrap();
        assert!(times.is_sorted() && times.last().is_none_or(|last| *last <= number(line, "/end_ms")), "{line}");
    }
    let firsts: Vec<f64> = lines.iter().filter_map(|line| line["pieces_ms"][0].as_f64()).collect();
    let mean = firsts.iter().sum::<f64>() / firsts.len() as f64;
    assert!((mean - number(&told, "/ttft_ms/mean")).abs() < 1e-6 * mean, "{told}");
    for times in ["ttft_ms", "itl_ms", "tpot_ms", "e2e_ms"] {
        let all = ["min", "p50", "p90", "p95", "p99", "max"].map(|name| number(&told, &format!("/{times}/{name}")));
        assert!(all.is_sorted() && all[0] >= 0.0, "{times}: {all:?}");
    }

    // Chats, as people read it; the file of prompts has a conversation.
    let row = r#"{"messages": [{"role": "user", "content": "a b"}, {"role": "assistant", "content": "c"}]}"#;
    folder.write("prompts.jsonl", row);
    let output =
        bench(&folder, &server, "--prompts prompts.jsonl --rate 50 --requests 10 --output-tokens 4 --slow-readers 0.2");
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = text.lines().map(|line| line.split("  ").next().unwrap()).collect();
    let expected = [
        "server",
        "load",
        "requests",
        "input",
        "output",
        "at once",
        "sent late",
        "slow",
        "",
        "ms",
        "TTFT",
        "ITL",
        "TPOT",
        "E2E",
    ];
    assert_eq!(names, expected, "{text}");
    assert!(text.contains("8 answered in") && text.contains("2 requests read at 8 bytes a second"), "{text}");
    assert_eq!(server.end(Signal::TERM).code(), Some(0));
}

/// Of chats alone, and where all are longer.
#[test]
fn prompts_that_a_template_makes_longer_are_told_of() {
    let folder = scene();
    folder.write("model/chat_template.jinja", ROLES);
    let server = start(&folder, &["--max-num-seqs", "4", "--max-model-len", "200"]);
    let note = "beyond what --prompt-tokens asks for: the server's chat template adds its own; ask for more, or take --endpoint completions";
    for (words, is_told) in [
        ("--prompt-tokens 3", true),
        ("--prompt-tokens 3..100", false),
        ("--prompt-tokens 3 --endpoint completions", false),
    ] {
        let output =
            bench(&folder, &server, &format!("{words} --requests 8 --concurrency 4 --output-tokens 2 --seed 3"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.matches(note).count(), usize::from(is_told), "{words}: {text}");
    }
    server.end(Signal::KILL);
}

#[test]
fn signals_end_a_load_with_what_was_measured() {
    let folder = scene();
    let server = served(&folder);
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        if is_heard(signal) {
            end_load(&folder, &server, signal, code);
        }
    }
    server.end(Signal::KILL);
}

fn end_load(folder: &Scene, server: &Served, signal: Signal, code: i32) {
    let url = format!("http://{}", server.address);
    let words = ["bench", "serve", &url, "--seconds", "600", "--output-tokens", "5", "--json"];
    let mut child = finery(folder.root());
    let child = child.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let tokens = || {
        let (status, metrics) = server.ask("GET", "/metrics", "");
        assert_eq!(status, 200, "{metrics}");
        let line = metrics.lines().find(|line| line.starts_with("vllm:generation_tokens_total"));
        line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).unwrap()
    };
    let before = tokens();
    while tokens() < before + 200.0 {
        thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        number(&told, "/done") > 0.0 && number(&told, "/failed") == 0.0 && number(&told, "/stopped") <= 16.0,
        "{told}"
    );
}

#[test]
fn what_cannot_be_measured_is_refused_with_a_reason() {
    let folder = scene();
    let server = served(&folder);
    let refused = |words: &str| refusal(&bench(&folder, &server, words));
    let error = refused("--model nobody");
    assert!(error.contains("does not answer") && error.contains("nobody"), "{error}");
    folder.write("empty.txt", "\n");
    assert!(refused("--api-key-file empty.txt").contains("empty.txt has no key"));
    folder.write("bad.jsonl", "{\"prompt\": \"a\"}\n{\"id\": 1}\n");
    let error = refused("--prompts bad.jsonl");
    assert!(error.contains("bad.jsonl, line 2"), "{error}");
    let error = refused("--prompts empty.txt");
    assert!(error.contains("no prompt"), "{error}");
    for (words, said) in [
        ("--zipf 1", "--models-from-server"),
        ("--rate 0", "above 0"),
        ("--timeout 0", "it should be a number of seconds above 0"),
        ("--prompt-tokens x", "no distribution"),
        ("--goodput x=1", "no bounds"),
        ("--slow-readers 1", "below 1"),
        ("--rate 1 --concurrency 1", "cannot be used with"),
    ] {
        let output = bench(&folder, &server, words);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(said), "{words}: {error}");
    }
    server.end(Signal::KILL);
    let gone = finery(folder.root()).args(["bench", "serve", "http://127.0.0.1:9"]).output().unwrap();
    assert!(refusal(&gone).contains("there is no server at 127.0.0.1:9"));
}

#[test]
fn a_server_that_encrypts_is_measured() {
    let folder = scene();
    let certify = |name: &str| {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        folder.write(&format!("{name}.pem"), made.cert.pem());
        folder.write(&format!("{name}-key.pem"), made.signing_key.serialize_pem());
    };
    certify("own");
    certify("other");
    let own = fs::read_to_string(folder.path("own.pem")).unwrap();
    folder.write("broken.pem", own + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    let few = ["--max-num-seqs", "4", "--max-model-len", "64"];
    let server = start(&folder, &[&few[..], &["--tls-cert", "own.pem", "--tls-key", "own-key.pem"]].concat());
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    let bench = |url: &str, words: &str| {
        let url = format!("{url}:{port}/v1");
        finery(folder.root()).args(["bench", "serve", &url]).args(words.split_whitespace()).output().unwrap()
    };
    let few = "--requests 6 --concurrency 2 --prompt-tokens 8 --output-tokens 4 --json";
    let output = bench("https://localhost", &format!("--ca-file own.pem {few}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["done"], &told["failed"]), (&6.into(), &0.into()), "{told}");
    for (url, file, said) in [
        (
            "https://localhost",
            "other.pem",
            "one of the certificates in other.pem has the name of who issued the server's certificate, and another key",
        ),
        ("https://127.0.0.1", "own.pem", "is for localhost, and not for 127.0.0.1"),
        (
            "HTTPS://localhost",
            "other.pem",
            "one of the certificates in other.pem has the name of who issued the server's certificate, and another key",
        ),
        ("https://localhost", "broken.pem", "cannot read broken.pem as certificates in PEM: number 2 of them is none"),
        ("https://localhost", "own-key.pem", "own-key.pem has no certificates"),
        ("https://localhost", "nowhere.pem", "cannot read nowhere.pem as certificates"),
    ] {
        let error = refusal(&bench(url, &format!("--ca-file {file}")));
        assert!(error.contains(said), "{url} {file}: {error}");
    }
    let mut without = finery(folder.root());
    without.env("SSL_CERT_FILE", "nowhere.pem").env_remove("SSL_CERT_DIR").args([
        "bench",
        "serve",
        "https://localhost",
    ]);
    let error = refusal(&without.output().unwrap());
    assert!(error.contains("the system has no certificates") && error.contains("nowhere.pem"), "{error}");
    let error = refusal(&bench("http://localhost", ""));
    assert_eq!(
        error,
        format!(
            "the server at localhost:{port} encrypts its connections: give its address as https://localhost:{port}"
        )
    );
    let error = bench("http://localhost", "--ca-file own.pem");
    assert_eq!(error.status.code(), Some(2), "{}", String::from_utf8_lossy(&error.stderr));
    server.end(Signal::KILL);
}

/// As many streams as clients of a node may have at once. Where fewer files may be open there are fewer, and it says so.
const STREAMS: u64 = 12_800;
/// Files of a process beside its connections.
const OTHER_FILES: u64 = 256;

#[test]
fn twelve_thousand_eight_hundred_streams_at_once_are_all_answered() {
    let files = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
    let streams = STREAMS.min(files.saturating_sub(OTHER_FILES));
    if streams < STREAMS {
        eprintln!("{streams} streams in place of {STREAMS}: no more than {files} files may be open here");
    }
    let folder = scene();
    let server = start(&folder, &["--max-num-seqs", "64", "--max-model-len", "64", "--max-waiting", "13000"]);
    let idle_kb = resident_kb(&server, "VmRSS");
    let words = format!(
        "--endpoint completions --concurrency {streams} --requests {streams} --prompt-tokens 8 --output-tokens 8 --slow-readers 0.01"
    );
    let told = told(&folder, &server, &words);
    let slow = number(&told, "/slow_readers/sent");
    let peak_kb = resident_kb(&server, "VmHWM");
    println!("server: {idle_kb} kB idle, {peak_kb} kB at most; {told}");
    assert_eq!((number(&told, "/done") + slow, &told["failed"]), (streams as f64, &0.into()), "{told}");
    assert_eq!(number(&told, "/slow_readers/failed"), 0.0, "{told}");
    // All were asked before the first was answered, and each got its answer at its turn.
    assert!(number(&told, "/under_way_max") > 0.9 * streams as f64, "{told}");
    assert_eq!(number(&told, "/output_tokens"), 8.0 * number(&told, "/done"), "{told}");
    let per_stream_kb = peak_kb.saturating_sub(idle_kb) / streams;
    assert!(per_stream_kb <= STREAM_KB_MAX, "{per_stream_kb} kB of memory for a stream");
    assert_eq!(server.end(Signal::TERM).code(), Some(0));
}

/// Memory of a stream that the server may take at most, with what the allocator keeps.
const STREAM_KB_MAX: u64 = 64;

/// A line of what Linux tells of the server's memory.
fn resident_kb(server: &Served, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(&format!("{name}:"))).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
