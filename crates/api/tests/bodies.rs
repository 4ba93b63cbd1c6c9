//! Bodies of requests: what is read, and that nothing makes reading them panic.

use api::{
    ChatRequest, CompletionRequest, DetokenizeRequest, EmbeddingRequest, LoadAdapter, Prompt, Request, TokenizeRequest,
};

/// What openai-python, openai-node, vLLM's clients and curl send.
const BODIES: &[&str] = &[
    r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Hi \u00e9 \ud83d\ude00"}]}],"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0.7,"stop":["a","b"],"logit_bias":{"5":-100},"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object","properties":{"a":{"type":["integer","null"]}},"required":["a"]}}},"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}}],"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,"max_completion_tokens":5,"seed":-1,"n":2,"logprobs":true,"top_logprobs":5,"user":"u","metadata":{"k":"v"}}"#,
    r#"{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"5"}],"model":"m","guided_choice":["a"],"chat_template_kwargs":{"enable_thinking":false},"top_k":-1,"structured_outputs":{"regex":"a+"}}"#,
    r#"{"model":"m","prompt":["a","b"],"max_tokens":16,"echo":true,"logprobs":null,"suffix":null,"best_of":1,"stop":"\n"}"#,
    r#"{"model":"m","prompt":[[1,2],[3]],"stop_token_ids":[7],"ignore_eos":true,"min_tokens":3,"priority":-1}"#,
    r#"{"model":"m","input":["a"],"encoding_format":"base64","dimensions":3,"pooling":"mean"}"#,
    r#"{"model":"m","prompt":"a","add_special_tokens":false,"return_token_strs":true}"#,
    r#"{"model":"m","tokens":[1,2,3]}"#,
    r#"{"lora_name":"a","lora_path":"/b"}"#,
];

/// Whether each type takes a body.
fn read_by(body: &[u8]) -> [bool; 6] {
    [
        ChatRequest::read(body).is_ok(),
        CompletionRequest::read(body).is_ok(),
        EmbeddingRequest::read(body).is_ok(),
        TokenizeRequest::read(body).is_ok(),
        DetokenizeRequest::read(body).is_ok(),
        LoadAdapter::read(body).is_ok(),
    ]
}

#[test]
fn each_body_is_its_endpoints_alone() {
    let expected = [0, 0, 1, 1, 2, 3, 4, 5];
    for (body, expected) in BODIES.iter().zip(expected) {
        let read: Vec<usize> = (0..6).filter(|index| read_by(body.as_bytes())[*index]).collect();
        assert_eq!(read, [expected], "{body}");
    }
}

#[test]
fn prompts_of_all_kinds() {
    let read = |prompt: &str| {
        let body = format!("{{\"model\": \"m\", \"prompt\": {prompt}}}");
        CompletionRequest::read(body.as_bytes()).map(|request| request.completion.prompt)
    };
    assert_eq!(read("\"a\\u00e9\""), Ok(Prompt::Text("aé".to_owned())));
    assert_eq!(read("[\"a\", \"b\"]"), Ok(Prompt::Texts(vec!["a".to_owned(), "b".to_owned()])));
    assert_eq!(read("[1, 4294967295]"), Ok(Prompt::Tokens(vec![1, u32::MAX])));
    assert_eq!(read("[[1], []]"), Ok(Prompt::TokenLists(vec![vec![1], vec![]])));
    assert_eq!(read("[[], [2]]"), Ok(Prompt::TokenLists(vec![vec![], vec![2]])));
    assert_eq!(read("[]"), Ok(Prompt::Tokens(vec![])));
    for wrong in
        ["null", "5", "{}", "[null]", "[1.5]", "[-1]", "[4294967296]", "[1, \"a\"]", "[[1], 2]", "[[[1]]]", "[{}]"]
    {
        let error = read(wrong).unwrap_err();
        assert!(error.param.as_deref().is_some_and(|param| param.starts_with("prompt")), "{wrong}: {error:?}");
    }
}

/// Clients in JavaScript and Lua, and whoever reads a number from a table, write them so.
#[test]
fn whole_numbers_may_be_written_as_floats() {
    let chat = |fields: &str| {
        let body =
            format!("{{\"model\": \"m\", \"messages\": [{{\"role\": \"user\", \"content\": \"a\"}}], {fields}}}");
        ChatRequest::read(body.as_bytes())
    };
    let fields = |end: &str| {
        let numbers =
            ["max_tokens", "max_completion_tokens", "min_tokens", "n", "top_logprobs", "prompt_logprobs", "seed"];
        let numbers: Vec<String> = numbers.iter().map(|name| format!("\"{name}\": 5{end}")).collect();
        format!("{}, \"top_k\": -1{end}, \"priority\": -2{end}, \"stop_token_ids\": [7{end}, 8]", numbers.join(", "))
    };
    let read = |end: &str| chat(&fields(end)).unwrap();
    for end in [".0", "e0", ".000"] {
        assert_eq!(format!("{:?}", read(end)), format!("{:?}", read("")), "{end}");
    }
    assert_eq!(chat("\"max_tokens\": null").unwrap().settings.max_tokens, None);
    for (fields, rule) in [
        (
            "\"max_tokens\": 5.5",
            "`max_tokens`: invalid type: floating point `5.5`, expected a whole number from 1 on, or 0",
        ),
        ("\"max_tokens\": -5.0", "`max_tokens`: invalid value: integer `-5`, expected a whole number from 1 on, or 0"),
        (
            "\"max_tokens\": 1e300",
            "`max_tokens`: invalid type: floating point `1e+300`, expected a whole number from 1",
        ),
        ("\"max_tokens\": \"5\"", "`max_tokens`: invalid type: string \"5\", expected a whole number from 1 on, or 0"),
        (
            "\"priority\": 4294967296.0",
            "`priority`: invalid value: integer `4294967296`, expected a whole number from -2147483648",
        ),
        (
            "\"seed\": 0.5",
            "`seed`: invalid type: floating point `0.5`, expected a whole number from -9223372036854775808",
        ),
        (
            "\"stop_token_ids\": [1.5]",
            "`stop_token_ids[0]`: invalid type: floating point `1.5`, expected a whole number from 0 to",
        ),
    ] {
        let error = chat(fields).unwrap_err();
        assert!(error.message.starts_with(rule), "{fields}: {error:?}");
    }
    let prompt = |prompt: &str| {
        let body = format!("{{\"model\": \"m\", \"logprobs\": 2.0, \"best_of\": 1.0, \"prompt\": {prompt}}}");
        CompletionRequest::read(body.as_bytes()).unwrap().completion.prompt
    };
    assert_eq!(prompt("[1.0, 2, 3.0]"), Prompt::Tokens(vec![1, 2, 3]));
    assert_eq!(prompt("[[1, 2.0], [3.0]]"), Prompt::TokenLists(vec![vec![1, 2], vec![3]]));
    let tokens = DetokenizeRequest::read(b"{\"model\": \"m\", \"tokens\": [1.0, 2]}").unwrap().tokens;
    assert_eq!(tokens, [1, 2]);
    assert_eq!(
        EmbeddingRequest::read(b"{\"model\": \"m\", \"input\": [1.0], \"dimensions\": 8.0}").unwrap().dimensions,
        Some(8)
    );
}

/// What JSON may have, as JavaScript writes a text that is cut between two halves, and a text here cannot.
#[test]
fn half_of_a_surrogate_pair_is_refused_in_words() {
    let chat = |content: &str| {
        let body = format!("{{\"model\": \"m\", \"messages\": [{{\"role\": \"user\", \"content\": \"{content}\"}}]}}");
        ChatRequest::read(body.as_bytes())
    };
    assert!(chat("\\ud83d\\ude00").is_ok());
    let rule =
        "half of a surrogate pair (`\\ud800` to `\\udfff`) is no character: send both halves, or the character itself";
    for content in ["a\\ud83d", "a\\ude00", "\\ud83da", "\\ud83d\\u0061"] {
        let error = chat(content).unwrap_err();
        assert!(error.message.contains(&format!("`: {rule} (at line 1 column ")), "{content}: {error:?}");
        assert!(error.param.is_some_and(|param| param.starts_with("messages")), "{content}");
    }
    let error = ChatRequest::read(br#"{"\ud83d": 1}"#).unwrap_err();
    assert!(error.message.contains(rule), "{error:?}");
}

#[test]
fn what_is_nested_too_deeply_is_told_in_few_words() {
    let chat = |depth: usize| {
        let schema = "{\"properties\": {\"a\": ".repeat(depth) + "true" + &"}}".repeat(depth);
        let body = format!("{{\"model\": \"m\", \"messages\": [], \"guided_json\": {schema}}}");
        ChatRequest::read(body.as_bytes())
    };
    assert!(chat(63).is_ok());
    let error = chat(64).unwrap_err();
    assert!(error.message.contains("`: it is nested too deeply: at most 127 objects and lists may be"), "{error:?}");
    let param = error.param.unwrap();
    assert!(param.starts_with("guided_json.properties.a.") && param.contains("…"), "{param}");
    assert!(param.len() < 200 && error.message.len() < 400, "{}", error.message);
}

/// What is wrong is told after the first of it, however much there is.
#[test]
fn unknown_fields_are_compared_with_the_known_ones_in_little_time() {
    let many: String = (0..400_000).map(|index| format!("\"temperatur{index}\":0,")).collect();
    let long = format!("\"{}\":0,", "temperature".repeat(500_000));
    for fields in [many, long] {
        let began = std::time::Instant::now();
        let error = ChatRequest::read(format!("{{{fields}\"model\":\"m\"}}").as_bytes()).unwrap_err();
        assert!(error.message.len() < 1000 && error.message.contains("is not known"), "{}", error.message);
        // Comparing each takes minutes.
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Pieces that change what a body means.
const PIECES: &[&str] = &[
    "null",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "-1",
    "1e999",
    "0.5",
    "18446744073709551616",
    "\"\\ud800\"",
    "[[]]",
    "{}",
    "\"role\":",
    "\"content\":",
    "\"n\":",
    "true",
    "\u{0}",
    "\u{feff}",
    "é",
];

#[test]
fn damaged_bodies_are_read_or_refused_and_never_panic() {
    let mut state = 1;
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut body = BODIES[next(&mut state) as usize % BODIES.len()].as_bytes().to_vec();
        for _ in 0..=next(&mut state) % 3 {
            let at = next(&mut state) as usize % (body.len() + 1);
            let end = (at + next(&mut state) as usize % 8).min(body.len());
            match next(&mut state) % 4 {
                0 => drop(body.splice(at..end, [])),
                1 => {
                    let piece = PIECES[next(&mut state) as usize % PIECES.len()];
                    drop(body.splice(at..end, piece.bytes()));
                }
                2 => body.truncate(at),
                _ => body.insert(at, next(&mut state) as u8),
            }
        }
        for is_read in read_by(&body) {
            *if is_read { &mut taken } else { &mut refused } += 1;
        }
    }
    assert!(taken > 100 && refused > 10_000, "{taken} taken, {refused} refused");
}
