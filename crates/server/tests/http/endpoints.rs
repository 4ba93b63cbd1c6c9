//! The endpoints that are no completions.

use std::io::{BufReader, Read as _};
use std::sync::atomic::Ordering;
use std::time::Duration;

use api::{ENDPOINTS, Method};
use base64::Engine as _;
use engine::Counted;
use serde_json::{Value, json};
use server::Limits;

use crate::double::{NEVER_LOOKED_AT, SLOWLY_LOOKED_AT, Script, Seen, UNASKED};
use crate::setup::{CONTEXT, MODEL, Setup, hello, saying, with_ends};

#[test]
fn models_and_adapters() {
    let server = saying("yes");
    let list = server.client().get("/v1/models").json();
    let ids: Vec<&str> = list["data"].as_array().unwrap().iter().map(|model| model["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [MODEL, "small", UNASKED, "tuned"]);
    let tuned = server.client().get("/v1/models/tuned").json();
    assert_eq!(tuned["parent"], MODEL);
    assert_eq!((&tuned["object"], &tuned["max_model_len"]), (&json!("model"), &json!(CONTEXT)));
    for path in ["/v1/models/org/small", "/v1/models/org%2Fsmall"] {
        assert_eq!(server.client().get(path).json()["id"], MODEL, "{path}");
    }
    assert_eq!(server.client().get("/v1/models/nobody").error()["code"], "model_not_found");
}

#[test]
fn paths_that_are_no_text_are_refused_as_all_else_is() {
    let server = saying("yes");
    for path in ["/v1/models/%ff", "/v1/models/a/%C3", "/assets/%ff"] {
        let response = server.client().get(path);
        assert_eq!((response.status, response.header("content-type")), (400, Some("application/json")), "{path}");
        let message = response.error()["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(&format!("the escapes of {path} (%…) are")), "{message}");
    }
}

/// Requests with it are answered, so that what is told of it says so too.
#[test]
fn an_adapter_that_nobody_has_asked_for_is_known() {
    let server = saying("yes");
    let client = || server.client();
    assert_eq!(client().get(&format!("/v1/models/{UNASKED}")).json()["parent"], MODEL);
    let tokens = client().post("/tokenize", &json!({"prompt": "a", "model": UNASKED})).json()["tokens"].clone();
    assert_eq!(client().post("/detokenize", &json!({"tokens": tokens, "model": UNASKED})).status, 200);
    assert_eq!(client().post("/detokenize", &json!({"tokens": tokens, "model": "nobody"})).status, 404);
}

#[test]
fn adapters_come_and_go() {
    let server = saying("yes");
    let load = |name: &str, path: &str| {
        let body = json!({"lora_name": name, "lora_path": path});
        server.client().post("/v1/load_lora_adapter", &body)
    };
    let asked = |name: &str| server.client().post("/v1/chat/completions", &hello(&json!({"model": name}))).status;
    assert_eq!(asked("new"), 404);
    assert_eq!(load("new", "adapters/new").status, 200);
    assert_eq!(asked("new"), 200);
    let response = load("bad", "elsewhere");
    let error = response.error();
    let told = (response.status, &error["param"], &error["code"]);
    assert_eq!(told, (400, &json!("lora_path"), &json!("unusable_adapter")));
    assert_eq!(load(MODEL, "adapters/new").error()["param"], "lora_name");
    for name in ["n".repeat(101), "two\nlines".to_owned()] {
        let response = load(&name, "adapters/new");
        let error = response.error();
        assert_eq!((response.status, &error["param"]), (400, &json!("lora_name")));
        assert_eq!(error["message"], "the name of an adapter should have 1 to 100 bytes, all printed");
    }
    assert_eq!(load("org/new", "adapters/new").status, 200, "as models are called");
    let pinned = json!({"lora_name": "kept", "lora_path": "adapters/kept", "pin": true});
    assert_eq!(server.client().post("/v1/load_lora_adapter", &pinned).status, 200);
    assert_eq!(server.client().get("/v1/models/kept").json()["root"], "adapters/kept (pinned)");
    let response = load("a,b", "adapters/new");
    assert_eq!((response.status, &response.error()["param"]), (400, &json!("lora_name")), "names stand in lists");
    let unload = || server.client().post("/v1/unload_lora_adapter", &json!({"lora_name": "new"}));
    let unloaded = unload();
    assert_eq!((unloaded.status, asked("new")), (200, 404));
    assert_eq!(unloaded.text(), "the adapter `new` is forgotten");
    // It stays listed.
    let unloaded = server.client().post("/v1/unload_lora_adapter", &json!({"lora_name": UNASKED}));
    let still = "the adapter `put` is unloaded, and can still be asked for: it lies in the folder of adapters";
    assert!(unloaded.status == 200 && unloaded.text().starts_with(still), "{}", unloaded.text());
    let response = server.client().post("/v1/unload_lora_adapter", &json!({"lora_name": MODEL}));
    let (error, message) = (
        response.error(),
        format!("`{MODEL}` is the model itself, which cannot be unloaded: name an adapter that /v1/models lists"),
    );
    assert_eq!((response.status, &error["param"], &error["message"]), (400, &json!("lora_name"), &json!(message)));
    let response = unload();
    let (error, message) = (response.error(), "there is no adapter `new`; /v1/models lists those that there are");
    assert_eq!((response.status, &error["param"], &error["message"]), (404, &json!("lora_name"), &json!(message)));
    server.service.counters().adapters_max.store(0, Ordering::Relaxed);
    let response = load("new", "adapters/new");
    let message = "the server was started without room for adapters: start it with --enable-lora";
    assert_eq!((response.status, &response.error()["message"]), (400, &json!(message)));
}

/// It is the engine that takes long, and not what is asked for.
#[test]
fn an_adapter_that_is_not_looked_at_in_time_is_to_be_loaded_again() {
    let limits = Limits { look: Duration::from_millis(50), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = json!({"lora_name": "new", "lora_path": NEVER_LOOKED_AT});
    let response = server.client().post("/v1/load_lora_adapter", &body);
    let error = response.error();
    assert_eq!((response.status, &error["code"]), (503, &json!("busy")), "{error}");
    assert_eq!(response.header("retry-after"), Some("1"));
    let message = error["message"].as_str().unwrap();
    assert!(message.ends_with("try again later"), "{message}");
}

/// The engine looks at one after the other, and each has its time when it is its turn.
#[test]
fn adapters_are_loaded_one_after_the_other() {
    let (path, time) = SLOWLY_LOOKED_AT;
    let limits = Limits { look: 4 * time, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let load = |number: usize| {
        let (client, body) = (server.client(), json!({"lora_name": format!("a{number}"), "lora_path": path}));
        std::thread::spawn(move || client.post("/v1/load_lora_adapter", &body).status)
    };
    let loads: Vec<_> = (0..6).map(load).collect();
    let loaded: Vec<_> = loads.into_iter().map(|load| load.join().unwrap()).collect();
    assert_eq!(loaded, [200; 6]);
}

/// What hangs holds up others that are to be looked at, for as long as an answer may take, and nobody else.
#[test]
fn adapters_beside_one_that_is_looked_at() {
    let limits = Limits { look: Duration::from_secs(6), answer: Duration::from_millis(600), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = |name: &str, path: &str| json!({"lora_name": name, "lora_path": path});
    let (client, hanging) = (server.client(), body("new", NEVER_LOOKED_AT));
    let hanging = std::thread::spawn(move || client.post("/v1/load_lora_adapter", &hanging).status);
    assert!(matches!(server.next_seen(), Seen::Look));
    let unloaded = server.client().post("/v1/unload_lora_adapter", &json!({"lora_name": "tuned"}));
    assert_eq!(unloaded.status, 200, "{}", unloaded.text());
    let late = ["new", "other"].map(|name| {
        let late = server.client().post("/v1/load_lora_adapter", &body(name, "adapters/other"));
        (late.status, late.error()["code"].clone())
    });
    assert_eq!(late, [(); 2].map(|()| (504, json!("answer_timeout"))));
    let unloaded = server.client().post("/v1/unload_lora_adapter", &json!({"lora_name": "new"}));
    assert_eq!((unloaded.status, &unloaded.error()["code"]), (504, &json!("answer_timeout")), "it is being loaded");
    assert!(!hanging.is_finished());
    assert_eq!(hanging.join().unwrap(), 503);
    assert_eq!(server.client().post("/v1/load_lora_adapter", &body("other", "adapters/other")).status, 200);
}

#[test]
fn who_leaves_before_its_turn_loads_no_adapter() {
    let limits = Limits { look: Duration::from_secs(3), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let body = |name: &str, path: &str| json!({"lora_name": name, "lora_path": path});
    let (client, hanging) = (server.client(), body("new", NEVER_LOOKED_AT));
    let hanging = std::thread::spawn(move || client.post("/v1/load_lora_adapter", &hanging).status);
    assert!(matches!(server.next_seen(), Seen::Look));
    let left = body("left", "adapters/left").to_string();
    server.client().send_and_leave("/v1/load_lora_adapter", left.as_bytes(), || {
        std::thread::sleep(Duration::from_millis(200));
    });
    // Its turn would be behind the one that left.
    assert_eq!(server.client().post("/v1/load_lora_adapter", &body("other", "adapters/other")).status, 200);
    assert_eq!(hanging.join().unwrap(), 503);
    assert_eq!(server.client().get("/v1/models/left").status, 404);
}

#[test]
fn text_to_tokens_and_back() {
    let server = saying("yes");
    let text = "né 猫 <|im_end|>";
    let tokens = server.tokenizer.encode(text, true).unwrap();
    let json = server.client().post("/tokenize", &json!({"prompt": text, "return_token_strs": true})).json();
    assert_eq!((&json["tokens"], &json["count"]), (&json!(tokens), &json!(tokens.len())));
    assert_eq!((&json["max_model_len"], json["token_strs"].as_array().unwrap().len()), (&json!(CONTEXT), tokens.len()));
    let json = server.client().post("/detokenize", &json!({"tokens": tokens, "model": MODEL})).json();
    assert_eq!(json["prompt"], text);
    let chat = server.client().post("/tokenize", &hello(&json!({}))).json();
    server.client().post("/v1/chat/completions", &hello(&json!({})));
    assert_eq!(chat["tokens"], json!(&*server.next_request().prompt));
    for body in [json!({}), json!({"prompt": "a", "messages": []}), json!({"messages": []})] {
        assert_eq!(server.client().post("/tokenize", &body).status, 400, "{body}");
    }
    assert_eq!(server.client().post("/tokenize", &json!({"prompt": "a", "model": "nobody"})).status, 404);
    assert_eq!(server.client().post("/detokenize", &json!({"tokens": [4_000_000]})).error()["param"], "tokens");
}

#[test]
fn texts_as_vectors() {
    let server = saying("yes");
    let ask = |body: Value| server.client().post("/v1/embeddings", &body).json();
    let json = ask(json!({"model": MODEL, "input": ["a b", "c"]}));
    let tokens = server.tokenizer.encode("a b", true).unwrap().len();
    assert_eq!(json["data"][0], json!({"object": "embedding", "index": 0, "embedding": [1.0, -0.25, tokens as f32]}));
    assert_eq!(json["data"][1]["index"], 1);
    assert_eq!(json["usage"]["prompt_tokens"], json["usage"]["total_tokens"]);
    // What openai-python sends.
    let json = ask(json!({"model": MODEL, "input": "a b", "encoding_format": "base64", "pooling": "mean"}));
    let text = json["data"][0]["embedding"].as_str().unwrap();
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    let numbers: Vec<f32> = bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(numbers, [0.5, -0.25, tokens as f32]);
    let cases = [
        (json!({"input": []}), "input"),
        (json!({"input": ""}), "input"),
        (json!({"input": [""]}), "input[0]"),
        (json!({"input": [4_000_000]}), "input"),
        (json!({"input": ["a", "word ".repeat(CONTEXT + 1)]}), "input[1]"),
        (json!({"input": [[1], [4_000_000]]}), "input[1]"),
        (json!({"input": "a", "dimensions": 2}), "dimensions"),
        (json!({"input": "a", "encoding_format": "int8"}), "encoding_format"),
    ];
    for (more, param) in cases {
        let response = server.client().post("/v1/embeddings", &crate::setup::with(json!({"model": MODEL}), &more));
        assert_eq!((response.status, &response.error()["param"]), (400, &json!(param)), "{more}");
    }
    let response = server.client().post("/v1/embeddings", &json!({"model": "tuned", "input": "a"}));
    let told = ["param", "code", "message"].map(|field| response.error()[field].clone());
    let message = format!(
        "`tuned` is an adapter, and embeddings are computed with the model alone: ask for `{MODEL}` or `small`"
    );
    assert_eq!((response.status, told), (400, [json!("model"), json!("unusable_adapter"), json!(message)]));
}

/// Models that pool the last token were trained with the tokenizer's own there, behind which no answer would go on.
#[test]
fn a_text_for_a_vector_has_both_ends_and_a_prompt_one() {
    let setup = Setup { tokenizer: Some(with_ends()), ..Setup::default() };
    let server = setup.run(|_| Script::Tokens(vec![70]));
    let whole = server.tokenizer.encode("a b", true).unwrap();
    let asked = json!({"model": MODEL, "input": "a b", "pooling": "last"});
    let json = server.client().post("/v1/embeddings", &asked).json();
    assert_eq!(json["data"][0]["embedding"][2], json!(whole.len() as f32));
    assert!(matches!(server.next_seen(), Seen::Embed));
    for (path, field) in [("/v1/completions", "model"), ("/lamini/v1/completions", "model_name")] {
        server.client().post(path, &json!({field: MODEL, "prompt": "a b", "max_tokens": 1}));
        assert_eq!(*server.next_request().prompt, whole[..whole.len() - 1], "{path}");
    }
}

/// A small request may ask for a text for each of millions of tokens, and have a large response that its client never reads.
#[test]
fn what_is_told_of_tokens_is_bounded() {
    let server = saying("yes");
    let long = "word ".repeat(CONTEXT + 1);
    let message = json!([{"role": "user", "content": long}]);
    for (field, text) in [("prompt", json!(long)), ("messages", message)] {
        let response = server.client().post("/tokenize", &json!({field: text, "return_token_strs": true}));
        let error = response.error();
        assert_eq!((&error["param"], &error["code"]), (&json!(field), &json!("context_length_exceeded")));
    }
    let limits = Limits { all_bodies_bytes: 128 << 10, ..Limits::default() };
    let server = Setup { limits, context: 1 << 20, ..Setup::default() }.run(|_| Script::Silence);
    let mark = server.tokenizer.token_to_id("<|im_start|>").unwrap();
    let ask = |count: usize| server.client().post("/detokenize", &json!({"tokens": vec![mark; count]}));
    assert_eq!(ask(8000).status, 200);
    // A body of 24 kB, and a response of 144.
    let refused = ask(12_000);
    assert_eq!((refused.status, &refused.error()["code"]), (429, &json!("queue_full")));
}

#[test]
fn health_is_that_of_the_engine() {
    let limits = Limits { stall: Duration::from_millis(50), drain: Duration::from_millis(10), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Silence);
    let counters = server.service.counters();
    while server.client().get("/ready").status != 200 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(server.client().get("/health").status, 200, "who has nothing to do need not make steps");
    counters.running.store(1, std::sync::atomic::Ordering::Relaxed);
    let response = server.client().get("/health");
    assert_eq!((response.status, &response.json()["status"]), (503, &json!("stalled")));
    counters.note_step(std::time::Instant::now());
    assert_eq!(server.client().get("/health").status, 200);
    // One program computes a long text, and is given its time.
    for (most, expected) in [(3600, 200), (0, 503)] {
        counters.begin_vector(std::time::Instant::now(), Duration::from_secs(most));
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(server.client().get("/health").status, expected, "{most}");
    }
    counters.end_vector(std::time::Instant::now());
    assert_eq!(server.client().get("/health").status, 200);
    // A text waits, first for a program that is being compiled and then for the engine.
    counters.running.store(0, std::sync::atomic::Ordering::Relaxed);
    counters.texts.store(1, std::sync::atomic::Ordering::Relaxed);
    for (without_program, expected) in [(1, 200), (0, 503)] {
        counters.texts_without_program.store(without_program, std::sync::atomic::Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(server.client().get("/health").status, expected, "{without_program} texts without a program");
    }
}

#[test]
fn metrics_are_prometheus_text() {
    let server = saying("one two");
    server.client().post("/v1/chat/completions", &hello(&json!({"stream": true})));
    server.client().post("/v1/chat/completions", &json!({}));
    let response = server.client().get("/metrics");
    assert!(response.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    let text = response.text();
    let value =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}: {text}"));
    let label = format!("model_name=\"{MODEL}\"");
    assert_eq!(value(&format!("vllm:request_success_total{{{label},finished_reason=\"stop\"}}")), " 1");
    assert_eq!(value(&format!("finery_request_success_total{{{label},finished_reason=\"abort\"}}")), " 0");
    assert_eq!(value(&format!("vllm:time_to_first_token_seconds_count{{{label}}}")), " 1");
    assert_eq!(value(&format!("finery_responses_total{{{label},status=\"4xx\"}}")), " 1");
    for name in ["num_requests_running", "num_requests_waiting", "kv_cache_usage_perc", "num_preemptions_total"] {
        value(&format!("vllm:{name}{{{label}}}"));
    }
    for name in ["num_drafts", "num_draft_tokens", "num_accepted_tokens"] {
        assert_eq!(value(&format!("vllm:spec_decode_{name}_total{{{label}}}")), " 0");
    }
    assert_eq!(value(&format!("finery_spelled_tokens_total{{{label}}}")), " 0");
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        let (name, number) = line.rsplit_once(' ').unwrap();
        assert!(number.parse::<f64>().is_ok() && name.ends_with('}'), "{line}");
    }
    let mut types: Vec<&str> = text.lines().filter(|line| line.starts_with("# TYPE")).collect();
    let count = types.len();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types.len(), count, "each name once");
}

#[test]
fn metrics_of_steps_and_adapters() {
    let server = saying("yes");
    let counters = server.service.counters();
    counters.adapters_max.store(0, Ordering::Relaxed);
    assert!(!server.client().get("/metrics").text().contains("lora_requests_info"), "there is no room for adapters");
    counters.adapters_max.store(4, Ordering::Relaxed);
    counters.pages.store(99, Ordering::Relaxed);
    counters.page_tokens.store(16, Ordering::Relaxed);
    let counted = ["tuned", "tuned", "a\"b", "later", "gone"].map(|name| {
        let mut counted = Counted::waiting(counters);
        counted.wait_with(name);
        counted
    });
    let [mut tuned, mut other, mut quoted, _later, gone] = counted;
    [&mut tuned, &mut other, &mut quoted].into_iter().for_each(Counted::run);
    drop(gone);
    [5, 100].into_iter().for_each(|tokens| counters.note_step_tokens(tokens));
    let text = server.client().get("/metrics").text();
    let label = format!("model_name=\"{MODEL}\"");
    for line in [
        "vllm:lora_requests_info{max_lora=\"4\",running_lora_adapters=\"a\\\"b,tuned\",waiting_lora_adapters=\"later\"} ".to_owned(),
        format!("vllm:iteration_tokens_total_bucket{{{label},le=\"8\"}} 1\n"),
        format!("vllm:iteration_tokens_total_bucket{{{label},le=\"128\"}} 2\n"),
        format!("vllm:iteration_tokens_total_sum{{{label}}} 105\n"),
        format!("vllm:cache_config_info{{{label},block_size=\"16\",num_gpu_blocks=\"99\"}} 1\n"),
    ] {
        assert!(text.contains(&line), "{line} is not in {text}");
    }
}

/// The engine says when a token came, not the client that reads it.
#[test]
fn a_slow_reader_makes_no_slow_tokens() {
    let limits = Limits { drain: Duration::from_millis(500), ..Limits::default() };
    let server = Setup { queue: 1024, limits, ..Setup::default() }.run(|_| Script::Endless(70, Duration::ZERO));
    let settings =
        json!({"stream": true, "n": 32, "max_tokens": 200, "logprobs": true, "top_logprobs": 20, "ignore_eos": true});
    let unread = server.client().send_and_wait("/v1/chat/completions", hello(&settings).to_string().as_bytes());
    std::thread::sleep(Duration::from_secs(4));
    let mut whole = Vec::new();
    BufReader::new(unread).read_to_end(&mut whole).unwrap();
    let text = server.client().get("/metrics").text();
    let count = |bound: &str| -> u64 {
        let name = format!("vllm:inter_token_latency_seconds_bucket{{model_name=\"{MODEL}\",le=\"{bound}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
    };
    assert_eq!(count("+Inf"), 32 * 199);
    assert_eq!(count("2.5"), count("+Inf"));
}

#[test]
fn descriptions() {
    let server = saying("yes");
    let openapi = server.client().get("/openapi.json").json();
    assert_eq!(openapi, api::openapi());
    for endpoint in ENDPOINTS {
        let method = if endpoint.method == Method::Get { "get" } else { "post" };
        assert!(openapi["paths"][endpoint.path][method].is_object(), "{}", endpoint.path);
    }
    let docs = server.client().get("/docs").text();
    assert!(ENDPOINTS.iter().all(|endpoint| docs.contains(endpoint.path)));
    assert!(docs.contains("top_logprobs"));
    assert!(server.client().get("/version").json()["version"].is_string());
}

/// As boards that were made for vLLM read them: the counter and the sum of lengths are of the same prompts.
#[test]
fn metrics_count_whole_prompts_and_vectors() {
    let server = Setup::default().run(|_| Script::Cached(3, vec![70, 71]));
    let value = |name: &str, labels: &str| -> f64 {
        let text = server.client().get("/metrics").text();
        let line = format!("{name}{{model_name=\"{MODEL}\"{labels}}} ");
        text.lines()
            .find_map(|text| text.strip_prefix(&line))
            .unwrap_or_else(|| panic!("{line}: {text}"))
            .parse()
            .unwrap()
    };
    let prompts = |tokens: f64, count: f64| {
        assert_eq!(value("vllm:prompt_tokens_total", ""), tokens);
        assert_eq!(value("finery_prompt_tokens_total", ""), tokens);
        let length = "vllm:request_prompt_tokens";
        assert_eq!([value(&format!("{length}_sum"), ""), value(&format!("{length}_count"), "")], [tokens, count]);
    };
    let ask = |more: &Value| {
        let body = crate::setup::with(json!({"model": MODEL, "prompt": [5, 6, 7, 8]}), more);
        server.client().post("/v1/completions", &body)
    };
    prompts(0.0, 0.0);
    assert_eq!(ask(&json!({"n": 2})).status, 200);
    prompts(8.0, 2.0);
    assert_eq!(ask(&json!({"max_tokens": 0, "echo": true})).status, 200);
    prompts(12.0, 3.0);
    let computed = "vllm:request_prefill_kv_computed_tokens";
    let computed = [value(&format!("{computed}_sum"), ""), value(&format!("{computed}_count"), "")];
    assert_eq!(computed, [2.0, 3.0], "an echo alone computes nothing");
    // Nothing of these has begun.
    assert_eq!((ask(&json!({"model": "nobody"})).status, ask(&json!({"n": 0})).status), (404, 400));
    prompts(12.0, 3.0);
    let stopped = value("vllm:request_success_total", ",finished_reason=\"stop\"");
    let texts = json!({"model": MODEL, "input": [[5, 6, 7], [8, 9]]});
    assert_eq!(server.client().post("/v1/embeddings", &texts).status, 200);
    prompts(17.0, 5.0);
    assert_eq!(value("vllm:request_success_total", ",finished_reason=\"stop\""), stopped + 2.0);
    let counts = ["requests", "texts", "tokens"].map(|what| value(&format!("finery_embedding_{what}_total"), ""));
    assert_eq!(counts, [1.0, 2.0, 5.0]);
    server.service.counters().prompt_tokens.store(6, Ordering::Relaxed);
    assert_eq!(value("finery_prompt_tokens_computed_total", ""), 6.0);
    prompts(17.0, 5.0);
}
