//! Forms that answers are held to, and calls of tools.

use constrain::Constraint;
use serde_json::{Value, json};

use crate::double::Script;
use crate::fuzzed::TEMPLATE as HERMES;
use crate::setup::{MODEL, Running, Setup, hello, saying, tokens, with};

const PATH: &str = "/v1/chat/completions";

/// Whether a constraint takes a text and may end behind it.
fn takes(server: &Running, constraint: &mut Constraint, text: &str) -> bool {
    let tokens = server.tokenizer.encode(text, false).unwrap();
    tokens.into_iter().all(|token| constraint.accept(token).is_ok()) && constraint.may_end()
}

#[test]
fn forms_reach_the_engine() {
    let server = saying("{}");
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false});
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let format = json!({"type": "json_schema", "json_schema": {"name": "a", "schema": schema, "strict": true}});
    let number = r#"{"a":12}"#;
    let cases = [
        (json!({"response_format": {"type": "json_object"}}), r#"{"b":[1]}"#, "12"),
        (json!({"response_format": format}), number, r#"{"b":12}"#),
        (json!({"guided_json": schema}), number, r#"{"a":"x"}"#),
        (json!({"guided_json": schema.to_string()}), number, "{}"),
        (json!({"structured_outputs": {"json": schema}}), number, "[]"),
        (json!({"structured_outputs": {"json": open, "disable_fallback": true}}), r#"{"a":12, "b":1}"#, r#"{"b":1}"#),
        (
            json!({"structured_outputs": {"json": open, "disable_additional_properties": true}}),
            number,
            r#"{"a":12, "b":1}"#,
        ),
        (
            json!({"structured_outputs": {"json": open, "disable_any_whitespace": true}}),
            r#"{"a":12,"b":[1,{}]}"#,
            r#"{"a": 12}"#,
        ),
        (
            json!({"structured_outputs": {"json_object": true, "disable_any_whitespace": true}}),
            r#"{"b":[1]}"#,
            r#"{"b": [1]}"#,
        ),
        (json!({"guided_regex": "[0-9]{3}"}), "123", "12a"),
        (json!({"structured_outputs": {"regex": "[0-9]{3}"}}), "123", "1234"),
        (json!({"guided_choice": ["yes", "no"]}), "no", "maybe"),
        (json!({"guided_grammar": "start: \"a\" \"b\"+"}), "abb", "ba"),
    ];
    for (form, good, bad) in cases {
        for (text, expected) in [(good, true), (bad, false)] {
            let response = server.client().post(PATH, &hello(&form));
            assert_eq!(response.status, 200, "{}", response.text());
            let mut constraint = server.next_request().constraint.expect("the engine has a constraint");
            assert_eq!(takes(&server, &mut constraint, text), expected, "{form}: {text}");
        }
    }
    server.client().post(PATH, &hello(&json!({"response_format": {"type": "text"}})));
    assert!(server.next_request().constraint.is_none());
    server.client().post(PATH, &hello(&json!({"n": 3, "guided_regex": "a"})));
    for _ in 0..3 {
        assert!(server.next_request().constraint.is_some());
    }
}

/// OpenAI and vLLM say `stop` of any answer that a stop string ends; here that would call half a form a whole one.
#[test]
fn an_answer_whose_form_a_stop_string_cuts_is_not_whole() {
    let whole = "{\"a\": 12}";
    let server = saying(whole);
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 5}}, "required": ["a"]});
    let cases = [
        (json!({"guided_json": schema}), "2", "length"),
        (json!({"guided_json": schema}), "\"", "length"),
        (json!({"guided_json": schema}), "nowhere", "stop"),
        (json!({"guided_regex": ".*"}), "2", "stop"),
        (json!({"guided_regex": "[^1]*1.*"}), "1", "length"),
        (json!({"guided_regex": "[^1]*1.*"}), "2", "stop"),
        (json!({}), "2", "stop"),
    ];
    for (form, stop, expected) in cases {
        for stream in [false, true] {
            let request = with(hello(&form), &json!({"stop": stop, "stream": stream}));
            let finish = match stream {
                false => server.client().post(PATH, &request).json()["choices"][0]["finish_reason"].clone(),
                true => server.client().stream(PATH, &request).events().pop().unwrap()["choices"][0]["finish_reason"]
                    .clone(),
            };
            assert_eq!(finish, expected, "{form}, {stop}");
        }
    }
}

/// As a short one is.
#[test]
fn a_long_answer_that_a_stop_string_cuts_is_judged() {
    let server = saying(&format!("{}!", " functions".repeat(200)));
    for (regex, expected) in [("( [a-z]+)*!?", "stop"), ("( [a-z]+)*!", "length")] {
        let request = with(hello(&json!({"guided_regex": regex})), &json!({"stop": "!"}));
        let answer = server.client().post(PATH, &request).json();
        assert_eq!(answer["choices"][0]["finish_reason"], expected, "{regex}: {answer}");
    }
}

#[test]
fn forms_that_cannot_be_are_refused_before_any_work() {
    let server = saying("{}");
    let cases = [
        (json!({"guided_regex": "(", }), "guided_regex"),
        (
            json!({"response_format": {"type": "json_object", "schema": {"type": ["object", "objekt"]}}}),
            "response_format",
        ),
        (json!({"guided_json": {"type": "nothing"}}), "guided_json"),
        (json!({"guided_json": "{"}), "guided_json"),
        (json!({"guided_choice": []}), "guided_choice"),
        (json!({"guided_grammar": "start: nobody"}), "guided_grammar"),
        (json!({"guided_regex": "a", "guided_choice": ["a"]}), "guided_choice"),
        (json!({"structured_outputs": {}}), "structured_outputs"),
        (json!({"structured_outputs": {"regex": "a", "json_object": true}}), "structured_outputs"),
        (json!({"guided_regex": "a", "ignore_eos": true}), "ignore_eos"),
        (json!({"guided_regex": "a", "min_tokens": 4}), "min_tokens"),
        (json!({"tool_choice": "required"}), "tool_choice"),
        (json!({"tools": [tool()]}), "tools"),
    ];
    for (form, param) in cases {
        let response = server.client().post(PATH, &hello(&form));
        assert_eq!(response.status, 400, "{form}: {}", response.text());
        assert_eq!(response.error()["param"], param, "{form}");
    }
    let response = server.client().post(PATH, &hello(&json!({"guided_grammar": "root ::= \"a\" | \"b\""})));
    let message = response.error()["message"].as_str().unwrap().to_owned();
    let start = "the grammar cannot be used: it should be in Lark's syntax as llguidance has it, which is not GBNF: ";
    assert!(response.status == 400 && message.starts_with(start), "{message}");
    let response = server.client().post(PATH, &hello(&json!({"guided_grammar": "start: missing"})));
    let message = response.error()["message"].as_str().unwrap().to_owned();
    let start = "the grammar cannot be used: ";
    assert!(response.status == 400 && message.starts_with(start) && !message.contains("GBNF"), "{message}");
    let response = server.client().post(PATH, &hello(&json!({"tools": [tool()]})));
    let message = response.error()["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with("leave out `tools`, or serve a model that has one"), "{message}");
    assert!(server.seen.try_recv().is_err(), "the engine was asked");
}

/// An answer that is held to a form takes many times the form's bytes, and there may be many answers.
#[test]
fn large_forms_are_for_few_answers() {
    // With room for tools that are as long as that.
    let tokens = tokens("x");
    let server =
        Setup { template: HERMES, context: 1 << 16, ..Setup::default() }.run(move |_| Script::Tokens(tokens.clone()));
    let text = |bytes: usize| json!({"guided_choice": ["x", "x".repeat(bytes)]});
    let ask = |form: Value, n: usize| server.client().post(PATH, &hello(&with(form, &json!({"n": n}))));
    assert_eq!(ask(text(40_000), 4).status, 200);
    let parameters = json!({"type": "object", "description": "x".repeat(40_000)});
    let tools = json!({"tools": [{"type": "function", "function": {"name": "f", "parameters": parameters}}]});
    let output_type = json!({"output_type": {"x".repeat(40_000): "str"}});
    for (form, field) in [(text(40_000), "guided_choice"), (output_type, "output_type"), (tools, "tools")] {
        let refused = ask(form, 60);
        let told = refused.error()["message"].to_string();
        assert!(refused.status == 400 && told.contains(&format!("`{field}` asks for a form of ")), "{told}");
    }
}

fn tool() -> Value {
    let parameters = json!({"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]});
    json!({"type": "function", "function": {"name": "get_weather", "parameters": parameters}})
}

const CALL: &str =
    "Let me see.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"place\": \"Z\u{fc}rich\"}}\n</tool_call>";

fn calling(text: &'static str) -> Running {
    let tokens = tokens(text);
    Setup { template: HERMES, ..Setup::default() }.run(move |_| Script::Tokens(tokens.clone()))
}

/// As by transformers, whose definitions have it.
#[test]
fn what_a_tool_returns_is_told_to_the_model() {
    let mut tool = tool();
    tool["function"]["return"] = json!({"type": "string", "description": "The sky."});
    let prompt =
        json!({"messages": [{"role": "user", "content": "Hello"}], "tools": [tool], "return_token_strs": true});
    let told = calling(CALL).client().post("/tokenize", &prompt).json();
    let told: String = told["token_strs"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(told.contains("The") && told.contains("sky."), "{told}");
}

#[test]
fn an_answer_that_calls_a_tool() {
    let server = calling(CALL);
    let json = server.client().post(PATH, &hello(&json!({"tools": [tool()]}))).json();
    let choice = &json["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"].as_str().unwrap().trim(), "Let me see.");
    let call = &choice["message"]["tool_calls"][0];
    assert!(call["id"].as_str().unwrap().starts_with("call_"));
    assert_eq!((&call["type"], &call["function"]["name"]), (&json!("function"), &json!("get_weather")));
    let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(arguments, json!({"place": "Zürich"}));
    let request = server.next_request();
    assert!(request.constraint.is_some());
    assert!(server.tokenizer.decode(&request.prompt, false).unwrap().contains("get_weather"));
}

#[test]
fn tools_beside_a_form() {
    let server = calling(CALL);
    let format = json!({"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}});
    let ask = |choice: &str| {
        server
            .client()
            .post(PATH, &hello(&json!({"tools": [tool()], "tool_choice": choice, "response_format": format})))
    };
    let refused = ask("auto");
    assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("response_format")));
    assert!(refused.error()["message"].as_str().unwrap().contains("can look like a call"));
    let next = |choice: &str| {
        assert_eq!(ask(choice).status, 200);
        server.next_request().constraint.expect("the engine has a constraint")
    };
    let call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"place\": \"x\"}}\n</tool_call>";
    let constraint = next("required");
    assert!(constraint.clone().allows_whole(call) && !constraint.allows_whole("{\"a\": 1}"));
    let constraint = next("none");
    assert!(!constraint.clone().allows_whole(call) && constraint.allows_whole("{\"a\": 1}"));
}

#[test]
fn a_stream_that_calls_a_tool() {
    let server = calling(CALL);
    let events = server.client().stream(PATH, &hello(&json!({"tools": [tool()], "stream": true}))).events();
    let deltas: Vec<&Value> = events.iter().map(|event| &event["choices"][0]["delta"]).collect();
    let text: String = deltas.iter().filter_map(|delta| delta["content"].as_str()).collect();
    assert_eq!(text.trim(), "Let me see.");
    let calls: Vec<&Value> = deltas.iter().filter_map(|delta| delta.get("tool_calls")).map(|calls| &calls[0]).collect();
    assert_eq!((&calls[0]["index"], &calls[0]["function"]["name"]), (&json!(0), &json!("get_weather")));
    assert!(calls[0]["id"].is_string() && calls[0]["type"] == "function");
    assert!(calls[1..].iter().all(|call| call.get("id").is_none() && call["index"] == 0));
    let arguments: String = calls.iter().filter_map(|call| call["function"]["arguments"].as_str()).collect();
    assert_eq!(serde_json::from_str::<Value>(&arguments).unwrap(), json!({"place": "Zürich"}));
    assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "tool_calls");
}

#[test]
fn a_call_that_is_cut_and_an_answer_without_one() {
    let server = calling(CALL);
    let request = hello(&json!({"tools": [tool()], "max_tokens": tokens(CALL).len() - 12}));
    assert_eq!(server.client().post(PATH, &request).json()["choices"][0]["finish_reason"], "length");
    let server = calling("No need.");
    let choice = server.client().post(PATH, &hello(&json!({"tools": [tool()]}))).json()["choices"][0].clone();
    assert_eq!((&choice["message"]["content"], &choice["finish_reason"]), (&json!("No need."), &json!("stop")));
    assert!(choice["message"].get("tool_calls").is_none());
}

/// Nobody wants to read a mark's beginning, wherever the number of tokens cuts it.
#[test]
fn the_beginning_of_a_call_is_no_text() {
    let server = calling(CALL);
    let text = |choice: &Value| choice["content"].as_str().unwrap_or_default().to_owned();
    let mut mid_mark = 0;
    for cut in 1..tokens(CALL).len() - 1 {
        let so_far = server.tokenizer.decode(&tokens(CALL)[..cut], false).unwrap();
        mid_mark += usize::from(so_far.contains("<tool") && !so_far.contains("<tool_call>"));
        let asked = hello(&json!({"tools": [tool()], "max_tokens": cut}));
        let whole = server.client().post(PATH, &asked).json()["choices"][0].clone();
        let content = text(&whole["message"]);
        assert!("Let me see.\n<".starts_with(&content), "{so_far:?} gives the text {content:?}");
        assert_eq!(whole["finish_reason"], "length", "{so_far:?}");
        let events = server.client().stream(PATH, &with(asked, &json!({"stream": true}))).events();
        let streamed: String = events.iter().map(|event| text(&event["choices"][0]["delta"])).collect();
        assert_eq!(streamed, content, "{so_far:?}");
        assert_eq!(events.last().unwrap()["choices"][0]["finish_reason"], "length", "{so_far:?}");
    }
    assert!(mid_mark > 0, "no cut lies within the mark");
}

/// A client that sees `stop` where it asked for a call may rely on one.
#[test]
fn a_call_that_has_to_come_and_is_cut_before_it_begins() {
    const ALONE: &str = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"place\": \"x\"}}\n</tool_call>";
    let server = calling(ALONE);
    let named = json!({"type": "function", "function": {"name": "get_weather"}});
    for (choice, stop, expected, calls) in [
        (json!("required"), json!("<"), "length", 0),
        (named.clone(), json!("<"), "length", 0),
        (json!("required"), json!(["x", "{"]), "length", 0),
        (json!("auto"), json!("<"), "stop", 0),
        (json!("required"), json!("nowhere"), "tool_calls", 1),
        (named, Value::Null, "tool_calls", 1),
    ] {
        let asked = hello(&json!({"tools": [tool()], "tool_choice": choice, "stop": stop}));
        let answer = server.client().post(PATH, &asked).json()["choices"][0].clone();
        assert_eq!(answer["finish_reason"], expected, "{choice}, {stop}: {answer}");
        assert_eq!(answer["message"]["tool_calls"].as_array().map_or(0, Vec::len), calls, "{choice}, {stop}: {answer}");
        let last = server.client().stream(PATH, &with(asked, &json!({"stream": true}))).events().pop().unwrap();
        assert_eq!(last["choices"][0]["finish_reason"], expected, "{choice}, {stop}, as a stream");
    }
    // Each whole and as a stream; calls that are whole are counted as vLLM does.
    let metrics = server.client().get("/metrics").text();
    for (reason, count) in [("stop", 6), ("length", 6), ("abort", 0)] {
        let label = format!("finished_reason=\"{reason}\"}}");
        let mut lines = metrics.lines().filter(|line| line.contains(&label));
        assert!(lines.all(|line| line.ends_with(&format!(" {count}"))), "{metrics}");
        assert_eq!(metrics.matches(&label).count(), 2, "{metrics}");
    }
}

#[test]
fn tools_that_may_not_be_called_are_not_shown() {
    let server = calling("No.");
    server.client().post(PATH, &hello(&json!({"tools": [tool()], "tool_choice": "none"})));
    let request = server.next_request();
    assert!(request.constraint.is_none());
    assert!(!server.tokenizer.decode(&request.prompt, false).unwrap().contains("get_weather"));
}

/// Mistral's templates take no names of calls but such as this server gives.
#[test]
fn a_call_goes_back_to_a_template_that_is_strict_about_names() {
    const MISTRAL: &str = "{% for message in messages %}{% if message.tool_calls %}{% for call in message.tool_calls %}\
        {% if call.id|length != 9 %}{{ raise_exception('nine letters or digits') }}{% endif %}[TOOL_CALLS] {{ call.function.name }}{% endfor %}\
        {% else %}{% if message.tool_call_id is defined and message.tool_call_id|length != 9 %}{{ raise_exception('nine') }}{% endif %}\
        {{ message.content }}{% endif %}{% endfor %}";
    let tokens = tokens(r#"[TOOL_CALLS] [{"name": "get_weather", "arguments": {"place": "Z"}}]"#);
    let server = Setup { template: MISTRAL, ..Setup::default() }.run(move |_| Script::Tokens(tokens.clone()));
    let asked = hello(&json!({"tools": [tool()]}));
    let answer = server.client().post(PATH, &asked).json()["choices"][0]["message"].clone();
    let id = answer["tool_calls"][0]["id"].as_str().unwrap().to_owned();
    assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
    let messages =
        json!([{"role": "user", "content": "?"}, answer, {"role": "tool", "tool_call_id": id, "content": "rain"}]);
    let response = server.client().post(PATH, &with(asked, &json!({"messages": messages})));
    assert_eq!(response.status, 200, "{}", response.text());
}

/// What the model could not be told again would be the last that is said.
#[test]
fn as_many_tools_are_called_at_once_as_the_template_takes() {
    const CALLS: &str = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"place\": \"Z\"}}\n</tool_call>";
    let single = HERMES.replace(
        "{% for message in messages %}",
        "{% for message in messages %}{% if message.tool_calls and message.tool_calls|length != 1 %}{{ raise_exception('one') }}{% endif %}",
    );
    assert_ne!(single, HERMES);
    let two = format!("{CALLS}\n{CALLS}");
    for (template, expected) in [(HERMES, true), (&*single.leak(), false)] {
        let server = Setup { template, ..Setup::default() }.run(|_| Script::Tokens(tokens("No.")));
        server.client().post(PATH, &hello(&json!({"tools": [tool()], "tool_choice": "required"})));
        let mut constraint = server.next_request().constraint.unwrap();
        assert!(takes(&server, &mut constraint.clone(), CALLS));
        assert_eq!(takes(&server, &mut constraint, &two), expected);
    }
}

#[test]
fn the_result_of_a_call_goes_back() {
    let server = calling("It rains.");
    let call = json!({"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{\"place\": \"Z\"}"}});
    let messages = json!([
        {"role": "user", "content": "How is it?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "rain"},
    ]);
    let request = with(json!({"model": MODEL, "messages": messages}), &json!({"tools": [tool()]}));
    let response = server.client().post(PATH, &request);
    assert_eq!(response.status, 200, "{}", response.text());
    let prompt = server.tokenizer.decode(&server.next_request().prompt, false).unwrap();
    assert!(prompt.contains(r#"{"name": "get_weather", "arguments": {"place": "Z"}}"#), "{prompt}");
    assert!(prompt.contains("<|im_start|>tool\nrain<|im_end|>"), "{prompt}");
}
