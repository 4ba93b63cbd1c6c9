//! Chat completions: what the model sees, and what comes back.

use serde_json::{Value, json};

use crate::double::Script;
use crate::setup::{MODEL, Setup, saying, tokenizer};

const PATH: &str = "/v1/chat/completions";

fn hello(more: Value) -> Value {
    let mut request = json!({"model": MODEL, "messages": [{"role": "user", "content": "Hello"}]});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn an_answer_as_a_whole() {
    let server = saying("The cat sat, né 猫.");
    let response = server.client().post(PATH, &hello(json!({})));
    assert_eq!(response.status, 200, "{}", response.text());
    let mut json = response.json();
    assert!(json["id"].as_str().unwrap().starts_with("chatcmpl-"));
    assert!(json["created"].as_u64().unwrap() > 1_700_000_000);
    let request = server.next_request();
    let prompt = "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n";
    assert_eq!(server.tokenizer.decode(&request.prompt, false).unwrap(), prompt);
    assert_eq!(request.max_tokens, crate::setup::CONTEXT - request.prompt.len());
    assert_eq!(request.adapter, None);
    let (prompt, answer) = (request.prompt.len(), server.tokenizer.encode("The cat sat, né 猫.", false).unwrap().len());
    for key in ["id", "created", "system_fingerprint"] {
        json.as_object_mut().unwrap().remove(key);
    }
    let expected = json!({
        "object": "chat.completion",
        "model": MODEL,
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": "The cat sat, né 猫.", "refusal": null},
            "logprobs": null,
            "finish_reason": "stop",
        }],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": prompt / 2},
        },
    });
    assert_eq!(json, expected);
}

#[test]
fn a_stream_is_the_whole_in_pieces() {
    // The tokens of 猫 are parts of it, which no piece may show.
    let text = "The cat sat, né 猫が座った.";
    let server = saying(text);
    let stream =
        server.client().stream(PATH, &hello(json!({"stream": true, "stream_options": {"include_usage": true}})));
    assert_eq!(stream.status, 200);
    assert!(stream.header("content-type").unwrap().starts_with("text/event-stream"));
    let mut events = stream.events();
    let usage = events.pop().unwrap();
    assert_eq!(usage["choices"], json!([]));
    let tokens = tokenizer().encode(text, false).unwrap().len();
    assert_eq!(usage["usage"]["completion_tokens"], tokens);
    assert!(events.iter().all(|event| event["usage"].is_null() && event.get("usage").is_some()));
    assert!(events.iter().all(|event| event["id"] == usage["id"] && event["object"] == "chat.completion.chunk"));
    assert_eq!(events[0]["choices"][0]["delta"], json!({"role": "assistant", "content": ""}));
    let last = &events.last().unwrap()["choices"][0];
    assert_eq!((&last["delta"], &last["finish_reason"]), (&json!({}), &json!("stop")));
    let pieces: Vec<&str> =
        events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(pieces.concat(), text);
    assert!(pieces.len() > 5 && pieces.iter().all(|piece| !piece.contains('\u{fffd}')), "{pieces:?}");
}

#[test]
fn an_answer_that_is_cut() {
    let server = saying("one two three four five");
    let response = server.client().post(PATH, &hello(json!({"max_completion_tokens": 2, "max_tokens": 50})));
    let json = response.json();
    assert_eq!(json["choices"][0]["finish_reason"], "length");
    assert_eq!(json["usage"]["completion_tokens"], 2);
}

#[test]
fn several_answers() {
    let tokenizer = tokenizer();
    let texts = ["one", "two", "three"].map(|text| tokenizer.encode(text, false).unwrap());
    let server = Setup::default().run(move |request| {
        let mut tokens = texts[(request.sampling.seed() - 41) as usize].clone();
        tokens.push(1);
        Script::Tokens(tokens)
    });
    let request = hello(json!({"n": 3, "seed": 41}));
    let json = server.client().post(PATH, &request).json();
    let texts: Vec<_> =
        json["choices"].as_array().unwrap().iter().map(|choice| &choice["message"]["content"]).collect();
    assert_eq!(texts, ["one", "two", "three"]);
    let mut streamed = [const { String::new() }; 3];
    for event in server.client().stream(PATH, &hello(json!({"n": 3, "seed": 41, "stream": true}))).events() {
        let choice = &event["choices"][0];
        streamed[choice["index"].as_u64().unwrap() as usize] += choice["delta"]["content"].as_str().unwrap_or_default();
    }
    assert_eq!(streamed, ["one", "two", "three"]);
}
