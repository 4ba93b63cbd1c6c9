//! Completions of plain text.

use serde_json::{Value, json};

use crate::double::Script;
use crate::setup::{MODEL, Setup, saying, tokens, with};

const PATH: &str = "/v1/completions";

fn once(more: &Value) -> Value {
    with(json!({"model": MODEL, "prompt": "Once upon"}), more)
}

#[test]
fn an_answer_as_a_whole() {
    let server = saying(" a time");
    let json = server.client().post(PATH, &once(&json!({}))).json();
    assert!(json["id"].as_str().unwrap().starts_with("cmpl-"));
    assert_eq!(json["object"], "text_completion");
    assert_eq!(json["choices"], json!([{"index": 0, "text": " a time", "logprobs": null, "finish_reason": "stop"}]));
    let request = server.next_request();
    assert_eq!(request.prompt, server.tokenizer.encode_prompt("Once upon").unwrap());
    assert_eq!(request.max_tokens, 16, "as OpenAI has it");
}

#[test]
fn all_forms_of_prompts() {
    let server = saying(" x");
    let tokens = server.tokenizer.encode("Once upon", false).unwrap();
    let cases = [
        (json!("Once upon"), 1),
        (json!(["Once upon", "Once upon"]), 2),
        (json!(tokens), 1),
        (json!([tokens, tokens, tokens]), 3),
    ];
    for (prompt, count) in cases {
        let request = once(&json!({"prompt": prompt, "add_special_tokens": false}));
        let json = server.client().post(PATH, &request).json();
        assert_eq!(json["choices"].as_array().unwrap().len(), count, "{prompt}");
        assert_eq!(json["usage"]["prompt_tokens"], count * tokens.len());
        for _ in 0..count {
            assert_eq!(server.next_request().prompt, tokens);
        }
    }
}

#[test]
fn choices_come_in_the_order_of_prompts() {
    let server = Setup::default().run(|request| Script::Tokens([request.prompt.clone(), vec![1]].concat()));
    let request = once(&json!({"prompt": ["one", "two"], "n": 2, "add_special_tokens": false}));
    let json = server.client().post(PATH, &request).json();
    let texts: Vec<_> = json["choices"].as_array().unwrap().iter().map(|choice| &choice["text"]).collect();
    assert_eq!(texts, ["one", "one", "two", "two"]);
}

#[test]
fn an_echo_goes_before_the_answer() {
    let server = saying(" a time");
    let text = |json: &Value| json["choices"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(text(&server.client().post(PATH, &once(&json!({"echo": true}))).json()), "Once upon a time");
    let tokens = server.tokenizer.encode("Once upon", false).unwrap();
    let given_tokens = once(&json!({"echo": true, "prompt": tokens}));
    assert_eq!(text(&server.client().post(PATH, &given_tokens).json()), "Once upon a time");
    let events = server.client().stream(PATH, &once(&json!({"echo": true, "stream": true}))).events();
    assert_eq!(text(&events[0]), "Once upon");
    assert_eq!(events.iter().map(text).collect::<String>(), "Once upon a time");
    assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "stop");
}

#[test]
fn log_probabilities() {
    let server = saying("né 猫!");
    let json = server.client().post(PATH, &once(&json!({"logprobs": 2}))).json();
    let logprobs = &json["choices"][0]["logprobs"];
    let tokens = tokens("né 猫!").len() - 1;
    for list in ["text_offset", "token_logprobs", "tokens", "top_logprobs"] {
        assert_eq!(logprobs[list].as_array().unwrap().len(), tokens, "{list}");
    }
    let offsets: Vec<u64> = logprobs["text_offset"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(offsets.is_sorted() && offsets[0] == 0 && offsets.last() == Some(&4), "{offsets:?}");
}

#[test]
fn usage_is_asked_for_in_a_stream() {
    let server = saying(" a time");
    let options = json!({"stream": true, "stream_options": {"include_usage": true}});
    let events = server.client().stream(PATH, &once(&options)).events();
    let (last, others) = events.split_last().unwrap();
    assert!(last["usage"]["total_tokens"].as_u64().unwrap() > 2 && last["choices"] == json!([]));
    assert!(others.iter().all(|event| event["usage"].is_null()));
    let without = server.client().stream(PATH, &once(&json!({"stream": true}))).events();
    assert!(without.iter().all(|event| event.get("usage").is_none()));
}
