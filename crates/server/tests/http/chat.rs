//! Chat completions: what the model sees, and what comes back.

use std::time::Duration;

use data::{Form, Record};
use engine::{Sampling, SamplingOptions};
use serde_json::{Value, json};

use crate::double::{Script, Seen};
use crate::fuzzed::TEMPLATE as HERMES;
use crate::setup::{MODEL, Setup, hello, saying, tokenizer, tokens, with};

const PATH: &str = "/v1/chat/completions";

#[test]
fn an_answer_as_a_whole() {
    let server = saying("The cat sat, né 猫.");
    let response = server.client().post(PATH, &hello(&json!({})));
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
        server.client().stream(PATH, &hello(&json!({"stream": true, "stream_options": {"include_usage": true}})));
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
    let response = server.client().post(PATH, &hello(&json!({"max_completion_tokens": 2, "max_tokens": 50})));
    let json = response.json();
    assert_eq!(json["choices"][0]["finish_reason"], "length");
    assert_eq!(json["usage"]["completion_tokens"], 2);
}

#[test]
fn several_answers() {
    let texts = ["one", "two", "three"].map(tokens);
    let server =
        Setup::default().run(move |request| Script::Tokens(texts[(request.sampling.seed() - 41) as usize].clone()));
    let request = hello(&json!({"n": 3, "seed": 41}));
    let json = server.client().post(PATH, &request).json();
    let texts: Vec<_> =
        json["choices"].as_array().unwrap().iter().map(|choice| &choice["message"]["content"]).collect();
    assert_eq!(texts, ["one", "two", "three"]);
    let mut streamed = [const { String::new() }; 3];
    for event in server.client().stream(PATH, &hello(&json!({"n": 3, "seed": 41, "stream": true}))).events() {
        let choice = &event["choices"][0];
        streamed[choice["index"].as_u64().unwrap() as usize] += choice["delta"]["content"].as_str().unwrap_or_default();
    }
    assert_eq!(streamed, ["one", "two", "three"]);
}

/// What the first of several answers has computed is there for the others, and was not before the request.
#[test]
fn cached_tokens_are_those_that_were_there_before() {
    for cached in [[0, 8, 8], [8, 0, 8], [5, 5, 5], [8, 8, 4]] {
        let least = cached.into_iter().min().unwrap();
        let server = Setup::default()
            .run(move |request| Script::Cached(cached[(request.sampling.seed() - 41) as usize], tokens("yes")));
        let usage = server.client().post(PATH, &hello(&json!({"n": 3, "seed": 41}))).json()["usage"].clone();
        assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], least, "{cached:?}");
    }
}

#[test]
fn settings_reach_the_engine() {
    let server = saying("yes");
    let settings = json!({
        "temperature": 0.5, "top_p": 0.9, "top_k": 5, "min_p": 0.1, "repetition_penalty": 1.1, "frequency_penalty": 0.2,
        "presence_penalty": -0.3, "seed": -1, "stop_token_ids": [7], "min_tokens": 2, "max_tokens": 9,
        "logit_bias": {"5": -100, "6": 2.5}, "priority": -3, "logprobs": true, "top_logprobs": 2,
    });
    assert_eq!(server.client().post(PATH, &hello(&settings)).status, 200);
    let request = server.next_request();
    let options = SamplingOptions {
        temperature: 0.5,
        top_k: 5,
        top_p: 0.9,
        min_p: 0.1,
        repetition_penalty: 1.1,
        frequency_penalty: 0.2,
        presence_penalty: -0.3,
        seed: u64::MAX,
    };
    assert_eq!(request.sampling, Sampling::new(options).unwrap());
    assert_eq!(request.logit_bias, [(5, -100.0), (6, 2.5)]);
    assert_eq!((request.min_tokens, request.max_tokens, request.priority, request.logprobs), (2, 9, -3, Some(2)));
    assert_eq!(request.end_ids, [server.tokenizer.stop_ids(), vec![7]].concat());
    server.client().post(PATH, &hello(&json!({"ignore_eos": true, "top_k": -1, "temperature": 0})));
    let request = server.next_request();
    assert!(request.end_ids.is_empty());
    assert!(!request.sampling.draws());
}

#[test]
fn messages_of_all_roles() {
    let server = saying("yes");
    let messages = json!([
        {"role": "developer", "content": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "No jokes."}]},
        {"role": "user", "content": "Hello", "name": null},
        {"role": "assistant", "content": "Hi", "refusal": null, "audio": null, "annotations": []},
        {"role": "user", "content": "Again"},
    ]);
    let request = json!({"model": MODEL, "messages": messages, "add_generation_prompt": false});
    assert_eq!(server.client().post(PATH, &request).status, 200);
    let prompt = server.tokenizer.decode(&server.next_request().prompt, false).unwrap();
    let expected = "<|im_start|>system\nBe brief.\nNo jokes.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n\
                    <|im_start|>assistant\nHi<|im_end|>\n<|im_start|>user\nAgain<|im_end|>\n";
    assert_eq!(prompt, expected);
}

/// Calls joined to other texts, as by DeepSeek.
const JOINED: &str = "{% for tool in tools or [] %}{{ tool | tojson }}\n{% endfor %}{% for message in messages %}<|im_start|>{{ message.role }}\n\
    {% for call in message.tool_calls or [] %}{{ call.function.name + '\n' + call.function.arguments + '\n' }}{% endfor %}\
    {{ message.content or '' }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/// In all that records and requests may write otherwise than templates have it.
#[test]
fn a_conversation_is_asked_as_it_was_trained_on() {
    let call = |arguments: Value| json!({"id": "call00000", "type": "function", "function": {"arguments": arguments, "name": "look"}});
    let messages = json!([
        {"role": "developer", "content": [{"type": "text", "text": "Be short."}]},
        {"role": "user", "content": "Where?", "name": null},
        {"role": "assistant", "content": null, "tool_calls": [call(json!("{\"place\":\"Z\u{fc}rich\", \"large\": 1e30}"))]},
        {"role": "tool", "tool_call_id": "call00000", "content": "There."},
        {"role": "assistant", "tool_calls": [call(json!({"place": "Bern", "days": [1, 2.5]}))]},
        {"role": "tool", "tool_call_id": "call00000", "content": "No."},
        {"role": "assistant", "content": null, "refusal": "I cannot."},
        {"role": "user", "content": "Try."},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
    ]);
    let schema = json!({"type": "object", "properties": {"place": {"type": "string"}}});
    let tools = json!([{"function": {"strict": null, "parameters": schema, "return": {"type": "string"}, "name": "look"}, "type": "function"}]);
    let bare = json!([{"return": {"type": "string"}, "parameters": schema, "name": "look"}]);
    for template in [HERMES, JOINED] {
        let server = Setup { template, context: 4096, ..Setup::default() }.run(|_| Script::Tokens(Vec::new()));
        let request = json!({"messages": messages, "tools": tools, "add_generation_prompt": false});
        let asked = server.client().post("/tokenize", &request);
        assert_eq!(asked.status, 200, "{}", asked.text());
        let asked: Vec<u32> = serde_json::from_value(asked.json()["tokens"].clone()).unwrap();
        let asked = server.tokenizer.decode(&asked, false).unwrap();
        for tools in [&tools, &bare, &Value::from(tools.to_string())] {
            let record = json!({"messages": messages, "tools": tools});
            let record = Record::parse(Form::Messages, record.as_object().unwrap()).unwrap();
            let trained = data::encode(&server.tokenizer, &record, true).unwrap().tokens;
            assert_eq!(server.tokenizer.decode(&trained, false).unwrap(), asked);
        }
        let expected =
            "<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nWhere?<|im_end|>\n<|im_start|>assistant\n";
        assert!(asked.contains(expected), "{asked}");
        for expected in [
            r#"{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": "#,
            "{\"place\": \"Z\u{fc}rich\", \"large\": 1e+30}",
            r#"{"place": "Bern", "days": [1, 2.5]}"#,
            "<|im_start|>assistant\nI cannot.<|im_end|>",
            "<|im_start|>assistant\nNo.<|im_end|>",
        ] {
            assert!(asked.contains(expected), "{expected} in {asked}");
        }
    }
}

#[test]
fn stop_strings_lie_across_tokens() {
    let text = "one two three four";
    for (stop, expected) in [("two t", "one "), ("our", "one two three f"), ("none", text), ("one", "")] {
        let server = saying(text);
        let finish = "stop";
        let json = server.client().post(PATH, &hello(&json!({"stop": stop}))).json();
        let choice = &json["choices"][0];
        assert_eq!(
            (&choice["message"]["content"], &choice["finish_reason"]),
            (&json!(expected), &json!(finish)),
            "{stop}"
        );
        let events = server.client().stream(PATH, &hello(&json!({"stop": ["nowhere", stop], "stream": true}))).events();
        let pieces = events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str());
        assert_eq!(pieces.collect::<String>(), expected, "{stop}");
    }
}

#[test]
fn a_stop_string_ends_the_engines_work() {
    let word = tokenizer().encode(" stop", false).unwrap()[0];
    let server = Setup::default().run(move |_| Script::Endless(word, Duration::from_millis(1)));
    let text = server.tokenizer.decode(&[word], false).unwrap();
    let json = server.client().post(PATH, &hello(&json!({"stop": text.repeat(3), "max_tokens": 200}))).json();
    assert_eq!(json["choices"][0]["finish_reason"], "stop");
    assert_eq!(json["usage"]["completion_tokens"], 3);
    assert!(matches!(server.next_seen(), Seen::Request(..)));
    assert!(matches!(server.next_seen(), Seen::Cancel(0)));
}

#[test]
fn min_tokens_keep_stop_strings_from_ending_an_answer() {
    let server = saying("a a a a");
    let json = server.client().post(PATH, &hello(&json!({"stop": "a", "min_tokens": 2}))).json();
    let tokens = server.tokenizer.encode("a a a a", false).unwrap();
    let text = server.tokenizer.decode(&tokens[..2], false).unwrap();
    let content = json["choices"][0]["message"]["content"].as_str().unwrap();
    assert_eq!(content.trim_end(), text.trim_end());
    // It may begin in their text.
    let single = server.tokenizer.token_to_id("a").unwrap();
    let server = Setup::default().run(move |_| Script::Tokens(vec![single; 4]));
    for (least, expected) in [(0, ""), (1, ""), (2, "a"), (3, "aa")] {
        let json = server.client().post(PATH, &hello(&json!({"stop": "aa", "min_tokens": least}))).json();
        assert_eq!(json["choices"][0]["message"]["content"], json!(expected), "{least}");
    }
}

/// As openapi.json counts.
#[test]
fn the_longest_texts_of_settings_are_told_in_characters() {
    let server = saying("a");
    let longest = "é".repeat(1024);
    let response = server.client().post(PATH, &hello(&json!({"stop": [longest], "cache_salt": longest})));
    assert_eq!(response.status, 200, "{}", response.text());
}

#[test]
fn log_probabilities() {
    let server = saying("né 猫");
    let request = json!({"logprobs": true, "top_logprobs": 2});
    let whole = server.client().post(PATH, &hello(&request)).json()["choices"][0]["logprobs"].clone();
    let tokens = server.tokenizer.encode("né 猫", false).unwrap();
    let content = whole["content"].as_array().unwrap();
    assert_eq!(content.len(), tokens.len());
    let bytes: Vec<u8> = content.iter().flat_map(|token| token["bytes"].as_array().unwrap()).map(byte).collect();
    assert_eq!(bytes, "né 猫".as_bytes());
    for (token, id) in content.iter().zip(&tokens) {
        assert_eq!(token["logprob"], -0.5);
        assert_eq!(token["top_logprobs"].as_array().unwrap().len(), 2);
        let likeliest: Vec<u8> = token["top_logprobs"][0]["bytes"].as_array().unwrap().iter().map(byte).collect();
        assert_eq!(likeliest, server.tokenizer.token_bytes(*id).unwrap().unwrap());
    }
    let request = json!({"logprobs": true, "top_logprobs": 2, "stream": true});
    let events = server.client().stream(PATH, &hello(&request)).events();
    let streamed = events.iter().filter_map(|event| event["choices"][0]["logprobs"]["content"].as_array()).flatten();
    assert_eq!(streamed.collect::<Vec<_>>(), content.iter().collect::<Vec<_>>());
    // As clients send that send all they know.
    let none = server.client().post(PATH, &hello(&json!({"logprobs": false, "top_logprobs": 0})));
    assert_eq!((none.status, &none.json()["choices"][0]["logprobs"]), (200, &Value::Null));
}

fn byte(value: &Value) -> u8 {
    value.as_u64().unwrap() as u8
}

#[test]
fn log_probabilities_end_where_a_stop_string_begins() {
    let server = saying("one two three four");
    let json = server.client().post(PATH, &hello(&json!({"logprobs": true, "stop": " three"}))).json();
    let choice = &json["choices"][0];
    assert_eq!(choice["message"]["content"], "one two");
    let content = choice["logprobs"]["content"].as_array().unwrap();
    let text: String = content.iter().map(|token| token["token"].as_str().unwrap()).collect();
    assert_eq!(text, "one two");
}

#[test]
fn usage_in_each_chunk() {
    let server = saying("one two three");
    let options = json!({"stream": true, "stream_options": {"include_usage": true, "continuous_usage_stats": true}});
    let events = server.client().stream(PATH, &hello(&options)).events();
    let counts: Vec<u64> = events.iter().map(|event| event["usage"]["completion_tokens"].as_u64().unwrap()).collect();
    assert!(counts.is_sorted() && counts[0] <= 1 && counts.last() == counts.iter().max(), "{counts:?}");
}

#[test]
fn an_adapter_is_a_model() {
    let server = saying("yes");
    let tuned = with(hello(&json!({})), &json!({"model": "tuned"}));
    assert_eq!(server.client().post(PATH, &tuned).json()["model"], "tuned");
    assert_eq!(server.next_request().adapter.as_deref(), Some("tuned"));
    for stream in [false, true] {
        let unknown = with(hello(&json!({"stream": stream})), &json!({"model": "nobody"}));
        let response = server.client().post(PATH, &unknown);
        let error = response.error();
        assert_eq!(
            (response.status, &error["code"], &error["param"]),
            (404, &json!("model_not_found"), &json!("model"))
        );
        let message = format!(
            "there is no model `nobody`: ask for `{MODEL}` or `small`, or for an adapter that /v1/models lists"
        );
        assert_eq!(error["message"], message);
    }
}
