//! Completions of plain text.

use serde_json::{Value, json};
use server::Limits;

use crate::double::Script;
use crate::setup::{MODEL, Setup, hello, saying, sentence_piece, tokens, with};

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
    assert_eq!(*request.prompt, server.tokenizer.encode_prompt("Once upon").unwrap());
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
            assert_eq!(*server.next_request().prompt, tokens);
        }
    }
}

#[test]
fn choices_come_in_the_order_of_prompts() {
    let server = Setup::default().run(|request| Script::Tokens([&request.prompt[..], &[1]].concat()));
    let request = once(&json!({"prompt": ["one", "two"], "n": 2, "add_special_tokens": false}));
    let json = server.client().post(PATH, &request).json();
    let texts: Vec<_> = json["choices"].as_array().unwrap().iter().map(|choice| &choice["text"]).collect();
    assert_eq!(texts, ["one", "one", "two", "two"]);
}

#[test]
fn prompts_are_answered_by_draws_of_their_own_unless_a_seed_is_given() {
    let server = saying(" x");
    let seeds = |more: &Value| {
        let request = once(&with(json!({"prompt": ["one", "one"], "n": 2}), more));
        assert_eq!(server.client().post(PATH, &request).status, 200);
        [(); 4].map(|()| server.next_request().sampling.seed())
    };
    let drawn = seeds(&json!({}));
    assert!((0..4).all(|at| !drawn[..at].contains(&drawn[at])), "{drawn:?}");
    assert_eq!(seeds(&json!({"seed": 7})), [7, 8, 7, 8]);
    // All that 64 bits hold, with a sign or without, as on the command line.
    for (seed, first) in
        [(json!(-1), u64::MAX), (json!(u64::MAX), u64::MAX), (json!(i64::MIN), 1 << 63), (json!(1_u64 << 63), 1 << 63)]
    {
        assert_eq!(seeds(&json!({"seed": seed})), [first, first.wrapping_add(1)].repeat(2)[..], "{seed}");
    }
    for seed in ["-9223372036854775809", "18446744073709551616", "1.5", "\"1\""] {
        let request = format!("{{\"model\": \"small\", \"prompt\": \"a\", \"seed\": {seed}}}");
        let error = server.client().open("POST", PATH, request.as_bytes()).whole().error();
        let rule = "expected a whole number from -9223372036854775808 to 18446744073709551615";
        assert!(error["param"] == "seed" && error["message"].as_str().unwrap().contains(rule), "{seed}: {error}");
    }
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

/// SentencePiece drops a text's first space, and an answer is no text's beginning: what is told of its tokens, and the form that holds them, have the space.
#[test]
fn an_answer_is_what_stands_behind_its_prompt() {
    let tokenizer = sentence_piece(&["▁is", "▁Paris", "▁now"]);
    let [is, paris, now] = ["▁is", "▁Paris", "▁now"].map(|word| tokenizer.token_to_id(word).unwrap());
    let end = tokenizer.eos_id().unwrap();
    let server =
        Setup { tokenizer: Some(tokenizer), ..Setup::default() }.run(move |_| Script::Tokens(vec![paris, now, end]));
    let asked = once(&json!({"prompt": [1, is], "echo": true, "logprobs": 0}));
    let choice = &server.client().post(PATH, &asked).json()["choices"][0];
    assert_eq!(choice["text"], "is Paris now");
    let logprobs = &choice["logprobs"];
    assert_eq!(logprobs["tokens"], json!(["<s>", " is", " Paris", " now"]));
    assert_eq!(logprobs["text_offset"], json!([0, 0, 2, 8]));

    let asked = once(&json!({"prompt": "is", "guided_choice": [" Paris now", " no"]}));
    for stream in [false, true] {
        let asked = with(asked.clone(), &json!({"stream": stream}));
        let text = |json: &Value| json["choices"][0]["text"].as_str().unwrap_or_default().to_owned();
        let text = match stream {
            false => text(&server.client().post(PATH, &asked).json()),
            true => server.client().stream(PATH, &asked).events().iter().map(text).collect(),
        };
        assert_eq!(text, " Paris now");
    }
    let chat = json!({"model": MODEL, "messages": [{"role": "user", "content": "is"}], "logprobs": true});
    let choice = &server.client().post("/v1/chat/completions", &chat).json()["choices"][0];
    assert_eq!(choice["message"]["content"], " Paris now", "as vLLM has it");
    assert_eq!(choice["logprobs"]["content"][0]["token"], " Paris");
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

/// As clients ask that measure models with prompts that have all answers in them.
#[test]
fn an_echo_with_log_probabilities() {
    let server = saying(" a time");
    let prompt = server.tokenizer.encode("né 猫!", false).unwrap();
    let asked = json!({"prompt": prompt, "echo": true, "logprobs": 1, "max_tokens": 0});
    let json = server.client().post(PATH, &once(&asked)).json();
    let choice = &json["choices"][0];
    assert_eq!((&choice["text"], &choice["finish_reason"]), (&json!("né 猫!"), &json!("length")));
    assert_eq!(json["usage"]["completion_tokens"], 0);
    let logprobs = &choice["logprobs"];
    let expected: Vec<_> = (0..prompt.len()).map(|at| (at > 0).then_some(-0.25 * at as f32)).collect();
    assert_eq!(logprobs["token_logprobs"], json!(expected));
    let offsets: Vec<u64> = logprobs["text_offset"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(offsets.len() == prompt.len() && offsets.is_sorted() && offsets[0] == 0 && offsets.last() == Some(&4));
    assert_eq!(logprobs["tokens"].as_array().unwrap().len(), prompt.len());
    let top = logprobs["top_logprobs"].as_array().unwrap();
    assert!(
        top[0].is_null() && top[1..].iter().all(|top| top.as_object().is_some_and(|top| top.len() == 2)),
        "{top:?}"
    );
    let request = server.next_request();
    assert_eq!((request.prompt_logprobs, request.max_tokens), (Some(1), 0));

    // With an answer behind it, as a whole and as a stream.
    let asked = once(&with(asked, &json!({"max_tokens": 2})));
    let json = server.client().post(PATH, &asked).json();
    let whole = &json["choices"][0]["logprobs"];
    let last = |list: &Value| list.as_array().unwrap()[prompt.len()..].to_vec();
    assert_eq!(last(&whole["token_logprobs"]), [json!(-0.5), json!(-0.5)]);
    assert_eq!(last(&whole["text_offset"])[0], 5, "behind the prompt");
    let events = server.client().stream(PATH, &with(asked, &json!({"stream": true}))).events();
    for list in ["token_logprobs", "text_offset", "tokens", "top_logprobs"] {
        let parts = events.iter().filter_map(|event| event["choices"][0]["logprobs"][list].as_array());
        assert_eq!(json!(parts.flatten().collect::<Vec<_>>()), whole[list], "{list}");
    }
    let text = |json: &Value| json["choices"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert_eq!(events.iter().map(text).collect::<String>(), text(&json));
}

/// What is computed and held of a prompt would be as many times as much.
#[test]
fn a_prompt_is_scored_once_for_all_answers_that_begin_with_it() {
    let server = saying(" a time");
    let prompts = ["né 猫!", "Once upon"].map(|text| server.tokenizer.encode(text, false).unwrap());
    let asked = once(&json!({"prompt": prompts, "echo": true, "logprobs": 1, "max_tokens": 2, "n": 3}));
    let whole = server.client().post(PATH, &asked).json();
    let events = server.client().stream(PATH, &with(asked, &json!({"stream": true}))).events();
    for _ in ["as a whole", "as a stream"] {
        let asked = [(); 6].map(|()| server.next_request().prompt_logprobs);
        assert_eq!(asked, [Some(1), None, None, Some(1), None, None]);
    }
    for (index, choice) in whole["choices"].as_array().unwrap().iter().enumerate() {
        let parts =
            || events.iter().map(|event| &event["choices"][0]).filter(move |part| part["index"] == json!(index));
        for list in ["token_logprobs", "text_offset", "tokens", "top_logprobs"] {
            let told = parts().filter_map(|part| part["logprobs"][list].as_array());
            assert_eq!(json!(told.flatten().collect::<Vec<_>>()), choice["logprobs"][list], "{list} of {index}");
        }
        let text: String = parts().map(|part| part["text"].as_str().unwrap()).collect();
        assert_eq!(json!(text), choice["text"], "{index}");
    }
}

/// Harnesses leave out the last of what they are told of a text and one token behind it, which would be the text's own if an end was not told.
#[test]
fn the_one_token_behind_a_scored_prompt_is_told_even_if_it_is_an_end() {
    let end = tokens("");
    let server = Setup::default().run({
        let end = end.clone();
        move |_| Script::Tokens(end.clone())
    });
    let asked = once(&json!({"echo": true, "logprobs": 0, "max_tokens": 1}));
    let choice = &server.client().post(PATH, &asked).json()["choices"][0];
    assert_eq!((&choice["text"], &choice["finish_reason"]), (&json!("Once upon"), &json!("length")));
    let prompt = server.next_request().prompt.len();
    assert_eq!(choice["logprobs"]["token_logprobs"].as_array().unwrap().len(), prompt + 1);
    for other in [json!({"max_tokens": 2}), json!({"echo": false}), json!({"logprobs": null})] {
        let choice = &server.client().post(PATH, &with(asked.clone(), &other)).json()["choices"][0];
        assert_eq!(choice["finish_reason"], "stop", "{other}");
        assert!(server.next_request().end_ids.contains(&end[0]), "{other}");
    }
}

/// A request of some hundred kilobytes may ask for gigabytes of it.
#[test]
fn more_of_an_echo_than_may_be_told_is_refused() {
    let server = Setup { context: 1 << 20, queue: 512, ..Setup::default() }.run(|_| Script::Tokens(Vec::new()));
    let (text, tokens) = ("a b ".repeat(75_000), json!(vec![70; 300_000]));
    for prompt in [json!(text), tokens] {
        for stream in [false, true] {
            let ask = |n: usize| {
                let asked = once(&json!({"prompt": prompt, "echo": true, "n": n, "max_tokens": 1, "stream": stream}));
                server.client().post(PATH, &asked)
            };
            let refused = ask(256);
            assert_eq!((refused.status, &refused.error()["param"]), (400, &json!("echo")));
            let taken = ask(3);
            assert_eq!(taken.status, 200, "{}", taken.text());
            assert!(taken.body.len() > 900_000, "each answer has it");
        }
    }
    // What no context has room for is not made a text of.
    let long = once(&json!({"prompt": vec![70; (1 << 20) + 1], "echo": true}));
    assert_eq!(server.client().post(PATH, &long).error()["code"], "context_length_exceeded");
}

#[test]
fn an_echo_alone_asks_nothing_of_the_model() {
    let server = saying(" a time");
    let json = server.client().post(PATH, &once(&json!({"echo": true, "max_tokens": 0}))).json();
    let choice = &json["choices"][0];
    assert_eq!((&choice["text"], &choice["logprobs"]), (&json!("Once upon"), &Value::Null));
    assert_eq!(server.next_request().prompt_logprobs, None);
}

/// vLLM's.
#[test]
fn log_probabilities_of_the_prompt() {
    let server = saying(" a time");
    let prompt = [5, 9, 7];
    let asked = once(&json!({"prompt": prompt, "prompt_logprobs": 1, "n": 2}));
    let json = server.client().post(PATH, &asked).json();
    for choice in json["choices"].as_array().unwrap() {
        let told = choice["prompt_logprobs"].as_array().unwrap();
        assert_eq!((told.len(), &told[0], &choice["logprobs"]), (3, &Value::Null, &Value::Null));
        let [likeliest, second] = ["7", "9"].map(|id| &told[1][id]);
        assert_eq!((&second["logprob"], &second["rank"]), (&json!(-0.25), &json!(3)));
        assert_eq!((&likeliest["logprob"], &likeliest["rank"]), (&json!(-0.125), &json!(1)));
        assert!(second["decoded_token"].is_string());
        assert_eq!(told[2].as_object().unwrap().len(), 1, "the token that is there is the likeliest");
    }
    assert_eq!([(); 2].map(|()| server.next_request().prompt_logprobs), [Some(1), None], "once for all answers");
    let chat = hello(&json!({"prompt_logprobs": 0, "max_tokens": 1}));
    let json = server.client().post("/v1/chat/completions", &chat).json();
    let told = json["prompt_logprobs"].as_array().unwrap();
    assert_eq!(told.len(), server.next_request().prompt.len());
    assert!(told[0].is_null() && told[1..].iter().all(|place| place.as_object().unwrap().len() == 1), "{told:?}");
}

/// A request of some kilobytes may ask for gigabytes of them.
#[test]
fn more_log_probabilities_of_prompts_than_may_be_told_are_refused() {
    let limits = Limits { prompt_logprobs: 24, ..Setup::default().limits };
    let server = Setup { limits, ..Setup::default() }.run(|_| Script::Tokens(vec![5]));
    let [one, two] = [json!([5, 9, 7, 8]), json!([[5, 9, 7, 8], [5, 9, 7, 8]])];
    for (more, refused) in [
        (json!({"prompt": one, "prompt_logprobs": 2, "n": 2}), None),
        (json!({"prompt": one, "prompt_logprobs": 2, "n": 3}), Some("prompt_logprobs")),
        (json!({"prompt": two, "prompt_logprobs": 2}), None),
        (json!({"prompt": two, "prompt_logprobs": 3}), Some("prompt_logprobs")),
        (json!({"prompt": one, "logprobs": 5, "echo": true}), None),
        (json!({"prompt": one, "logprobs": 5, "echo": true, "n": 2}), Some("logprobs")),
        (json!({"prompt": one, "logprobs": 5, "echo": true, "n": 2, "stream": true}), Some("logprobs")),
        (json!({"prompt": one, "logprobs": 3, "echo": true, "prompt_logprobs": 2}), Some("logprobs")),
        (json!({"prompt": one, "logprobs": 20, "n": 8}), None),
    ] {
        let response = server.client().post(PATH, &once(&with(more.clone(), &json!({"max_tokens": 1}))));
        let told =
            (response.status, if response.status == 200 { Value::Null } else { response.error()["param"].clone() });
        assert_eq!(told, (refused.map_or(200, |_| 400), json!(refused)), "{more}");
    }
    let chat = json!({"prompt_logprobs": 20, "max_tokens": 1});
    let response = server.client().post("/v1/chat/completions", &hello(&chat));
    assert_eq!((response.status, &response.error()["param"]), (400, &json!("prompt_logprobs")));
    assert!(!response.text().contains("told by"), "one answer is not counted: {}", response.text());
    // What is usual.
    let most = once(&json!({"prompt": vec![5; 255], "prompt_logprobs": 20, "n": 256, "max_tokens": 1}));
    let response = saying("x").client().post(PATH, &most);
    assert_eq!((response.status, &response.error()["param"]), (400, &json!("prompt_logprobs")));
    assert!(response.text().contains("21 each, told by 256 answers"), "{}", response.text());
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
