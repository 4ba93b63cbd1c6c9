//! Requests that are refused: each with the status and the field that is at fault, in the shape that clients know.

use serde_json::{Value, json};
use server::Limits;

use crate::double::Script;
use crate::setup::{CONTEXT, MODEL, Setup, hello, saying, with};

const CHAT: &str = "/v1/chat/completions";
const COMPLETIONS: &str = "/v1/completions";

/// A message with a call of these arguments, which are wrong.
fn called(arguments: &str, said: &'static str) -> (&'static str, Value, &'static str) {
    let call = |arguments| json!({"type": "function", "function": {"name": "f", "arguments": arguments}});
    let messages = json!([
        {"role": "user", "content": "a"},
        {"role": "assistant", "tool_calls": [call("{}"), call(arguments)]},
    ]);
    ("messages[1].tool_calls[1].function.arguments", messages, said)
}

/// Field of a chat that is wrong, its value, and a part of what is said.
fn wrong_fields() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("messages", json!([]), "is empty"),
        ("messages", json!("hello"), "expected a list"),
        ("messages[0]", json!([{"content": "a"}]), "needs a `role`"),
        ("messages[0]", json!([{"role": "robot", "content": "a"}]), "role should be"),
        ("messages[1]", json!([{"role": "user", "content": "a"}, {"role": "user"}]), "needs `content`"),
        ("messages[0]", json!([{"role": "user", "content": 5}]), "a text or a list of parts"),
        (
            "messages[0]",
            json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]),
            "not supported",
        ),
        ("messages[0]", json!([{"role": "user", "content": [{"type": "text"}]}]), "content[0] has no `text`"),
        ("messages[0]", json!([{"role": "assistant", "tool_calls": [{}]}]), "function.name"),
        called(r#"{"a": 1"#, "are no JSON (EOF while parsing an object at line 1 column 7)"),
        called("[1]", "are no JSON object"),
        called("5", "are no JSON object"),
        called(r#"{"b": "1\"2", "a": [-12345678901234567890123]}"#, "have the integer -12345678901234567890123, which"),
        ("temperature", json!("hot"), "invalid type: string \"hot\", expected a number at line"),
        ("temperature", json!(-0.5), "`temperature` is -0.5, but"),
        ("top_p", json!(1.5), "`top_p` is 1.5, but"),
        ("top_k", json!(-2), "-1, 0 or more"),
        ("top_k", json!(0.5), "expected a whole number from -9223372036854775808 to"),
        ("min_p", json!(2), "`min_p` is 2, but"),
        ("repetition_penalty", json!(0), "`repetition_penalty` is 0, but"),
        ("frequency_penalty", json!(3), "`frequency_penalty` is 3, but"),
        ("presence_penalty", json!(-3), "`presence_penalty` is -3, but"),
        ("n", json!(0), "`n` is 0, but it should be from 1 to 256"),
        ("n", json!(100_000), "`n` is 100000, but it should be from 1 to 256"),
        ("n", json!(-1), "integer `-1`, expected a whole number from 1 to 256 at line"),
        ("max_tokens", json!(0), "at least 1"),
        ("max_completion_tokens", json!(0), "`max_completion_tokens` is 0, but"),
        (
            "max_tokens",
            json!(1e30),
            "expected a whole number from 1 on, or 0 where the prompt alone is asked for at line",
        ),
        ("max_completion_tokens", json!(-1), "integer `-1`, expected a whole number from 1 on, or 0 where"),
        ("min_tokens", json!(5), "more than the 4"),
        ("stop", json!(vec!["a"; 17]), "at most 16"),
        ("stop", json!([""]), "from 1 to 1024 characters"),
        ("stop", json!("x".repeat(2000)), "from 1 to 1024 characters"),
        ("stop", json!([1]), "invalid type"),
        ("cache_salt", json!("x".repeat(1025)), "should have at most 1024 characters"),
        ("logit_bias", json!({"a": 1}), "no token's id"),
        ("logit_bias", json!({"99999999": 1}), "no token's id"),
        ("logit_bias", json!({"5": 101}), "from -100 to 100"),
        ("logit_bias.5", json!({"5": "much"}), "invalid type"),
        ("top_logprobs", json!(3), "set `logprobs` to true"),
        ("stream_options", json!({"include_usage": true}), "belongs to a stream"),
        ("response_format.type", json!({"type": "xml"}), "unknown value `xml`, expected one of `text`"),
        ("response_format", json!("json"), "invalid type: string \"json\", expected an object with `type` at line"),
        ("response_format", json!({}), "missing field `type`"),
        ("response_format", json!({"type": "text", "json_schema": {"name": "n"}}), "object, expected null at line"),
        ("tools[0]", json!(["f"]), "invalid type: string \"f\", expected an object with `type` at line"),
        ("tool_choice", json!("sometimes"), "expected \"none\""),
        (
            "tool_choice",
            json!({"type": "function", "function": {"name": "g"}}),
            "names `g`, and `tools` has `f`, `h`: name one",
        ),
        ("functions", json!([{"name": "f"}]), "use `tools`"),
        ("audio", json!({"voice": "a"}), "answers are text"),
        ("modalities", json!(["text", "audio"]), "answers are text"),
        ("temprature", json!(1), "did you mean `temperature`?"),
        ("foo", json!(1), "is not known"),
    ]
}

#[test]
fn wrong_fields_of_a_chat() {
    let server = saying("yes");
    for (param, value, part) in wrong_fields() {
        let field = param.split(['[', '.']).next().unwrap();
        let tools = ["f", "h"].map(|name| json!({"type": "function", "function": {"name": name}}));
        let more = if field == "tool_choice" { json!({"tools": tools}) } else { json!({}) };
        let request = with(hello(&with(json!({"max_tokens": 4}), &more)), &json!({field: value}));
        let response = server.client().post(CHAT, &request);
        assert_eq!(response.status, 400, "{field} {value}: {}", response.text());
        let error = response.error();
        assert_eq!(error["type"], "invalid_request_error");
        let found = error["param"].as_str().unwrap_or_default();
        assert!(found.starts_with(param), "{param}: {error}");
        assert!(error["message"].as_str().unwrap().contains(part), "{field} {value}: {error}");
    }
    assert!(server.seen.try_recv().is_err(), "the engine was asked");
}

#[test]
fn wrong_fields_of_a_completion() {
    let server = saying("yes");
    let cases = [
        (json!({"prompt": 5}), "prompt", "a text, a list of texts"),
        (json!({"prompt": "a", "temperature": [1]}), "temperature", "invalid type: list, expected a number at line"),
        (json!({"prompt": "a", "temperature": "invalid type: map"}), "temperature", "string \"invalid type: map\""),
        (json!({"prompt": []}), "prompt", "is empty"),
        (json!({"prompt": ["a", 5]}), "prompt[1]", "expected a string"),
        (json!({"stop": 5}), "stop", "expected a text or a list of texts"),
        (json!({"stop": ["a", 5]}), "stop[1]", "expected a string"),
        (json!({"prompt": [-1]}), "prompt[0]", "a token id"),
        (json!({"prompt": [5, -1]}), "prompt[1]", "invalid value"),
        (json!({"prompt": [4_294_967_296_u64]}), "prompt[0]", "is no token id"),
        (json!({"prompt": [[1], "a"]}), "prompt[1]", "expected a list"),
        (json!({"prompt": [null]}), "prompt[0]", "a token id"),
        (json!({"prompt": vec!["a"; 300]}), "prompt", "has 300 texts, and a request may have 256"),
        (
            json!({"prompt": vec!["a"; 20], "n": 20}),
            "prompt",
            "`n` is 20, and a request may have 256 answers, texts times `n`: send at most 12",
        ),
        (json!({"suffix": "end"}), "suffix", "continued at its end"),
        (json!({"best_of": 3}), "best_of", "should be `n`"),
        (json!({"logprobs": 21}), "logprobs", "from 0 to 20"),
        (json!({"max_tokens": 0}), "max_tokens", "at least 1"),
        (json!({"prompt_logprobs": 21}), "prompt_logprobs", "from 0 to 20"),
        (json!({"prompt_logprobs": -1}), "prompt_logprobs", "expected a whole number from 0 to 20 at line"),
        (json!({"prompt_logprobs": 1, "stream": true}), "prompt_logprobs", "not told in a stream"),
        (json!({"use_beam_search": true}), "use_beam_search", "is not supported"),
        (json!({"messages": []}), "messages", "is not known"),
    ];
    for (more, param, part) in cases {
        let response = server.client().post(COMPLETIONS, &with(json!({"model": MODEL, "prompt": "a"}), &more));
        assert_eq!(response.status, 400, "{more}: {}", response.text());
        let error = response.error();
        assert_eq!(error["param"], param, "{error}");
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
}

/// What the description of the API says is what holds.
#[test]
fn ranges_are_those_of_the_description() {
    let openapi = api::openapi();
    let limits = Limits::default();
    let most = |name: &str, field: &str| openapi["components"]["schemas"][name]["properties"][field]["maximum"].clone();
    assert_eq!(most("ChatRequest", "n"), limits.choices);
    assert_eq!(most("CompletionRequest", "n"), limits.choices);
    assert_eq!(most("ChatRequest", "top_logprobs"), limits.likeliest);
    assert_eq!(most("CompletionRequest", "logprobs"), limits.likeliest);
    assert_eq!(most("CompletionRequest", "prompt_logprobs"), limits.likeliest);
}

#[test]
fn prompts_that_the_engine_cannot_take() {
    let server = saying("yes");
    for (prompt, param, code) in [
        (json!(vec![5; CONTEXT]), "prompt", "context_length_exceeded"),
        (json!([4_000_000]), "prompt", "unknown_token"),
        (json!([[5], []]), "prompt[1]", "empty_prompt"),
    ] {
        let error = server.client().post(COMPLETIONS, &json!({"model": MODEL, "prompt": prompt})).error();
        assert_eq!((&error["param"], &error["code"]), (&json!(param), &json!(code)));
    }
    let long = "a ".repeat(CONTEXT);
    let error = server.client().post(CHAT, &hello(&json!({"messages": [{"role": "user", "content": long}]}))).error();
    assert_eq!((&error["param"], &error["code"]), (&json!("messages"), &json!("context_length_exceeded")));
}

/// A text that is only read may fill the context.
#[test]
fn texts_that_have_no_vectors() {
    let server = saying("yes");
    let long =
        format!("the text has {} tokens, more than the context of {CONTEXT} has room for: shorten it", CONTEXT + 1);
    for (input, param, code, message) in [
        (json!(vec![5; CONTEXT + 1]), "input", "context_length_exceeded", &*long),
        (json!(""), "input", "empty_prompt", "`input` is empty: give a text"),
        (json!(["a", ""]), "input[1]", "empty_prompt", "`input[1]` is empty: give a text"),
    ] {
        let error = server.client().post("/v1/embeddings", &json!({"model": MODEL, "input": input})).error();
        assert_eq!([&error["param"], &error["code"], &error["message"]], [param, code, message], "{error}");
    }
}

/// Whoever can have the server take longer texts learns how, where the model takes them.
#[test]
fn what_is_too_long_for_the_server_and_not_for_the_model() {
    for longer_context in [None, Some("or have it take more".to_owned())] {
        let end = longer_context.as_ref().map_or_else(String::new, |advice| format!(", {advice}"));
        let server = Setup { longer_context, ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
        for (path, body) in [
            (COMPLETIONS, json!({"model": MODEL, "prompt": vec![5; CONTEXT]})),
            (COMPLETIONS, json!({"model": MODEL, "prompt": vec![5; CONTEXT + 1], "echo": true})),
            (COMPLETIONS, json!({"model": MODEL, "prompt": "word ".repeat(100_000)})),
            ("/v1/embeddings", json!({"model": MODEL, "input": vec![5; CONTEXT + 1]})),
        ] {
            let error = server.client().post(path, &body).error();
            let message = error["message"].as_str().unwrap();
            assert!(
                ["it", "the prompt"].iter().any(|what| message.ends_with(&format!(": shorten {what}{end}"))),
                "{message}"
            );
        }
    }
}

#[test]
fn fields_that_are_missing_are_named() {
    let server = saying("yes");
    for (path, body, param) in [
        (CHAT, json!({}), "model"),
        (CHAT, json!({"model": MODEL}), "messages"),
        (COMPLETIONS, json!({"model": MODEL}), "prompt"),
        ("/v1/embeddings", json!({"model": MODEL}), "input"),
        ("/lamini/v1/completions", json!({"prompt": "a"}), "model_name"),
        ("/detokenize", json!({}), "tokens"),
        ("/v1/load_lora_adapter", json!({"lora_name": "a"}), "lora_path"),
        ("/v1/load_lora_adapter", json!({"lora_name": "", "lora_path": "a"}), "lora_name"),
    ] {
        let error = server.client().post(path, &body).error();
        assert_eq!(error["param"], param, "{path}: {error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("`{param}` is ")), "{path}: {message}");
    }
}

#[test]
fn a_conversation_with_a_model_that_has_no_template() {
    let server = Setup { template: "", ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
    let response = server.client().post(CHAT, &hello(&json!({})));
    let error = response.error();
    assert_eq!(
        (response.status, &error["param"], &error["code"]),
        (400, &json!("messages"), &json!("no_chat_template"))
    );
    let tool = json!({"type": "function", "function": {"name": "f"}});
    assert_eq!(server.client().post(CHAT, &hello(&json!({"tools": [tool]}))).error(), error);
    let continued = server.client().post(COMPLETIONS, &json!({"model": MODEL, "prompt": "Hello"}));
    assert_eq!(continued.status, 200, "{}", continued.text());
}

#[test]
fn texts_that_cannot_fit_are_not_tokenised() {
    let server = saying("yes");
    let text = "word ".repeat(100_000);
    let messages = json!([{"role": "user", "content": text}]);
    let cases = [
        (CHAT, json!({"model": MODEL, "messages": messages})),
        (COMPLETIONS, json!({"model": MODEL, "prompt": text})),
        (COMPLETIONS, json!({"model": MODEL, "prompt": ["a", text]})),
        ("/v1/embeddings", json!({"model": MODEL, "input": [text]})),
        ("/tokenize", json!({"prompt": text})),
        ("/tokenize", json!({"messages": messages})),
    ];
    for (path, body) in cases {
        let error = server.client().post(path, &body).error();
        assert_eq!(error["code"], "context_length_exceeded", "{path}: {error}");
        assert!(error["message"].as_str().unwrap().contains("the text has 500"), "{path}: {error}");
    }
    let error = server.client().post("/detokenize", &json!({"tokens": vec![5; CONTEXT + 1]})).error();
    assert_eq!(error["param"], "tokens", "{error}");
    let many = vec![json!({"role": "user", "content": ""}); CONTEXT + 1];
    let error = server.client().post(CHAT, &hello(&json!({"messages": many}))).error();
    assert_eq!((&error["param"], &error["code"]), (&json!("messages"), &json!("context_length_exceeded")), "{error}");
    assert!(error["message"].as_str().unwrap().contains("257 messages, and the context of 256 tokens"), "{error}");
}

#[test]
fn fields_that_stock_clients_send_change_nothing() {
    let server = saying("yes");
    let fields = json!({
        "user": "me", "store": false, "metadata": {"a": "b"}, "service_tier": "auto", "safety_identifier": "x", "suffix": null,
        "prompt_cache_key": "k", "modalities": ["text"], "stop": null, "tools": null, "logit_bias": null, "seed": null,
        "parallel_tool_calls": true, "functions": [], "use_beam_search": false, "verbosity": "low",
    });
    let response = server.client().post(CHAT, &hello(&fields));
    assert_eq!(response.status, 200, "{}", response.text());
}

#[test]
fn bodies_that_are_no_requests() {
    let server = saying("yes");
    let deep = format!("{{\"model\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let cases: Vec<&[u8]> = vec![
        b"",
        b"   ",
        b"null",
        b"[]",
        b"\"text\"",
        b"{",
        b"{}",
        b"{\"model\": \"a\"}",
        b"{\"model\": \"a\", \"messages\": [{\"role\": \"user\", \"content\": \"a\"}]} x",
        b"{\"model\": 1, \"messages\": []}",
        b"{\"model\": \"a\", \"model\": \"b\", \"messages\": []}",
        b"{\"model\": \"\xff\xfe\", \"messages\": []}",
        b"\xef\xbb\xbf{}",
        deep.as_bytes(),
    ];
    for path in [CHAT, COMPLETIONS, "/v1/embeddings", "/tokenize", "/detokenize", "/v1/load_lora_adapter"] {
        for body in &cases {
            let response = server.client().open("POST", path, body).whole();
            let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
            assert_eq!(response.status, 400, "{path}: {shown}: {}", response.text());
            let message = response.error()["message"].as_str().unwrap().to_owned();
            assert!(message.len() < 1000, "{path}: {message}");
        }
    }
}

#[test]
fn bodies_that_are_too_large_or_of_another_kind() {
    let limits = Limits { body_bytes: 1000, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
    let large = hello(&json!({"user": "x".repeat(2000)}));
    let response = server.client().post(CHAT, &large);
    assert_eq!((response.status, &response.error()["code"]), (413, &json!("request_too_large")));
    let client = server.client().with("Content-Type", "text/plain");
    let response = client.post(CHAT, &hello(&json!({})));
    assert_eq!((response.status, &response.error()["code"]), (415, &json!("unsupported_media_type")));
    let client = server.client().with("Content-Encoding", "gzip");
    let response = client.post(CHAT, &hello(&json!({})));
    assert_eq!((response.status, &response.error()["code"]), (415, &json!("unsupported_media_type")));
    assert!(response.error()["message"].as_str().unwrap().contains("send it uncompressed"), "{}", response.text());
    assert_eq!(server.client().with("Content-Encoding", "identity").post(CHAT, &hello(&json!({}))).status, 200);
    let client = server.client().with("Content-Type", "Application/JSON; charset=utf-8");
    assert_eq!(client.post(CHAT, &hello(&json!({}))).status, 200);
}

#[test]
fn large_bodies_share_their_room() {
    let limits = Limits { all_bodies_bytes: 100_000, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
    let large = hello(&json!({"user": "x".repeat(80_000)})).to_string();
    let begun = server.client().begin(CHAT, large.as_bytes(), 1);
    let refused = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        server.client().open("POST", CHAT, large.as_bytes()).whole().status == 429
    });
    assert!(refused, "there is room for one");
    assert_eq!(server.client().post(CHAT, &hello(&json!({}))).status, 200, "small ones need none");
    assert_eq!(begun.finish().unwrap().status, 200);
    assert_eq!(server.client().open("POST", CHAT, large.as_bytes()).whole().status, 200, "its room is free again");
}

#[test]
fn uploads_that_stand_still_take_no_room_from_others() {
    let limits = Limits { all_bodies_bytes: 2 << 20, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
    let large = hello(&json!({"user": "x".repeat(1 << 20)})).to_string();
    // Each announces half of the room.
    let _idle: Vec<_> = (0..8).map(|_| server.client().begin(CHAT, large.as_bytes(), large.len() - 5)).collect();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(server.client().open("POST", CHAT, large.as_bytes()).whole().status, 200);
}

#[test]
fn uploads_that_are_too_slow_end() {
    let pause = std::time::Duration::from_millis(200);
    let limits = Limits { pause, body_rate: 100_000, ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
    let body = hello(&json!({"user": "x".repeat(90_000)})).to_string();
    // 50 bytes every 20 ms are less than 100,000 a second; a head start does not help.
    for missing in [body.len(), 5_000] {
        let response = server.client().begin(CHAT, body.as_bytes(), missing).finish_by(50, pause / 10);
        assert_eq!(response.unwrap().status, 408, "{missing} missing");
    }
    let response = server.client().begin(CHAT, body.as_bytes(), body.len()).finish_by(30_000, pause / 10);
    assert_eq!(response.unwrap().status, 200);
}

#[test]
fn a_body_that_does_not_come() {
    let limits = Limits { arrival: std::time::Duration::from_millis(100), ..Limits::default() };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![1]));
    let body = hello(&json!({})).to_string();
    let in_body = server.client().begin(CHAT, body.as_bytes(), 1);
    let in_head = server.client().begin(CHAT, body.as_bytes(), body.len() + 10);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(in_body.finish().unwrap().status, 408);
    assert!(in_head.finish().is_none_or(|response| response.status == 408));
}

/// What is wrong with a request may be so for that model alone.
#[test]
fn a_model_that_there_is_not_is_told_before_all_else() {
    let server = saying("yes");
    let tool = json!({"type": "function", "function": {"name": "f"}});
    let texts = |more: &Value| with(json!({"prompt": "a"}), more);
    let vectors = |more: &Value| with(json!({"input": "a"}), more);
    let schema = json!({"type": "json_schema", "json_schema": {"name": "s", "schema": {"type": "what"}}});
    let cases = [
        (CHAT, hello(&json!({"tools": [tool]}))),
        (CHAT, hello(&json!({"response_format": schema}))),
        (CHAT, hello(&json!({"top_logprobs": 3}))),
        (CHAT, hello(&json!({"logprobs": true, "top_logprobs": 21}))),
        (CHAT, hello(&json!({"temperature": -1}))),
        (CHAT, hello(&json!({"messages": [], "stream": true}))),
        (CHAT, hello(&json!({"messages": [{"role": "user", "content": "a ".repeat(2000)}]}))),
        (COMPLETIONS, texts(&json!({"logprobs": 21}))),
        (COMPLETIONS, texts(&json!({"guided_regex": "("}))),
        (COMPLETIONS, texts(&json!({"prompt": [4_000_000]}))),
        (COMPLETIONS, texts(&json!({"n": 65}))),
        ("/v1/embeddings", vectors(&json!({"dimensions": 2}))),
        ("/v1/embeddings", vectors(&json!({"input": ""}))),
        ("/tokenize", json!({"messages": []})),
        ("/detokenize", json!({"tokens": [4_000_000]})),
        ("/lamini/v1/completions", json!({"prompt": "a", "output_type": {"a": "what"}})),
    ];
    for (path, body) in cases {
        let name = if path.starts_with("/lamini") { "model_name" } else { "model" };
        for (model, status) in [(MODEL, 400), ("tuned", 400), ("nobody", 404)] {
            let response = server.client().post(path, &with(body.clone(), &json!({name: model})));
            assert_eq!(response.status, status, "{path} {body} of {model}: {}", response.text());
            let is_unknown = response.error()["code"] == "model_not_found";
            assert_eq!(is_unknown, model == "nobody", "{path} {body} of {model}: {}", response.text());
        }
    }
}
