//! Calls of tools: what grammars let through, and how text is told from calls.

use crate::vocabularies::{Random, SPECIAL, allowed, follow, spell, tokenizer, vocabulary_of};
use constrain::{
    Constraint, Grammar, GrammarError, Tool, ToolChoice, ToolDelta, ToolEnd, ToolFormat, ToolParser, Tools,
};
use data::Tokenizer;
use serde_json::{Value, json};

const FORMATS: [ToolFormat; 5] = [
    ToolFormat::Hermes,
    ToolFormat::Llama,
    ToolFormat::MistralList,
    ToolFormat::MistralArgs,
    ToolFormat::MistralIdArgs,
];

/// Beginnings that only look like those of a call: no white space of JSON's before them, and keys in other letters.
const ODD: [&str; 8] = [
    "\u{3000}{\"name\": \"",
    "\u{a0}{\"name\": \"",
    "\u{b}{\"name\": \"",
    "\u{2028}\n {\"type\": \"function\", \"name\": \"",
    "\u{feff}{\"name\": \"",
    "{\"n\\u0061me\": \"",
    " {\"\\u006eame\": \"",
    "{\"t\\u0079pe\": \"function\", \"name\": \"",
];

fn weather() -> Value {
    json!({"properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["city"], "additionalProperties": false})
}

fn tools(format: ToolFormat, choice: ToolChoice, parallel: bool) -> Tools {
    let named = |name: &str, parameters| Tool { name: name.to_owned(), parameters };
    Tools { format, tools: vec![named("get_weather", Some(weather())), named("stop", None)], choice, parallel }
}

/// The tokens of a text in which marks stand that are special tokens.
fn ids(tokenizer: &Tokenizer, text: &str) -> Vec<u32> {
    let mark = SPECIAL.iter().filter(|mark| tokenizer.is_special(tokenizer.token_to_id(mark).unwrap()));
    match mark.filter_map(|mark| Some((text.find(mark)?, *mark))).min() {
        Some((at, mark)) => {
            let mut before = spell(tokenizer, &text[..at], true);
            before.push(tokenizer.token_to_id(mark).unwrap());
            before.extend(ids(tokenizer, &text[at + mark.len()..]));
            before
        }
        None => spell(tokenizer, text, true),
    }
}

/// A call as each format writes it, and a text with two.
fn call(format: ToolFormat, name: &str, arguments: &str) -> String {
    match format {
        ToolFormat::Hermes => {
            format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>")
        }
        ToolFormat::Llama => format!("{{\"name\": \"{name}\", \"parameters\": {arguments}}}"),
        ToolFormat::MistralList => format!("[TOOL_CALLS] [{{\"name\": \"{name}\", \"arguments\": {arguments}}}]"),
        ToolFormat::MistralArgs => format!("[TOOL_CALLS]{name}[ARGS]{arguments}"),
        ToolFormat::MistralIdArgs => format!("[TOOL_CALLS]{name}[CALL_ID]0aZbcdef9[ARGS]{arguments}"),
    }
}

/// A call as Llama 3.1 may write it.
fn typed(call: &str) -> String {
    call.replacen("{\"name\"", "{\"type\": \"function\", \"name\"", 1)
}

fn two(format: ToolFormat) -> String {
    let [first, second] = [r#"{"city": "Paris", "days": 3}"#, r#"{"city":"Oslo"}"#]
        .map(|arguments| call(format, "get_weather", arguments));
    match format {
        ToolFormat::Hermes => format!("{first}\n{second}"),
        ToolFormat::Llama => format!("{first}; {second}"),
        ToolFormat::MistralList => {
            format!("{}, {}", first.trim_end_matches(']'), second.trim_start_matches("[TOOL_CALLS] ["))
        }
        ToolFormat::MistralArgs | ToolFormat::MistralIdArgs => format!("{first}{second}"),
    }
}

/// Under each choice: which texts may be written in full.
#[test]
fn choices_of_calls() {
    let paris = r#"{"city": "Paris", "days": 3}"#;
    for special in [SPECIAL, &SPECIAL[..2]] {
        let tokenizer = tokenizer(special);
        let vocabulary = vocabulary_of(&tokenizer);
        for format in FORMATS {
            let text = "Let me look: {1} <tool [TOOL".to_owned();
            let weather = call(format, "get_weather", paris);
            let with_text = if format == ToolFormat::Llama {
                format!("{text}<|python_tag|>{weather}")
            } else {
                format!("{text}{weather}")
            };
            let wrong = call(format, "get_weather", r#"{"city": 3}"#);
            let too_much = call(format, "get_weather", r#"{"city": "Paris", "days": 10}"#);
            let unknown = call(format, "get_time", "{}");
            let stop = call(format, "stop", r#"{"at": [1, 2]}"#);
            let function = ToolChoice::Function("get_weather".to_owned());
            // Text, a call, text and a call, another tool's, two calls.
            let cases = [
                (ToolChoice::Auto, true, [true, true, true, true, true]),
                (ToolChoice::Auto, false, [true, true, true, true, false]),
                (ToolChoice::Required, true, [false, true, false, true, true]),
                (ToolChoice::Required, false, [false, true, false, true, false]),
                (function, true, [false, true, false, false, false]),
            ];
            for (choice, parallel, expected) in cases {
                let grammar = Grammar::Tools(tools(format, choice.clone(), parallel));
                let constraint = Constraint::new(&vocabulary, &grammar).unwrap();
                let ends = |text: &str| {
                    let mut constraint = constraint.clone();
                    follow(&mut constraint, &ids(&tokenizer, text)).is_ok() && constraint.may_end()
                };
                let found = [&text, &weather, &with_text, &stop, &two(format)].map(|text| ends(text));
                assert_eq!(found, expected, "{format:?} {choice:?} {parallel} {special:?}");
                for text in [&wrong, &too_much, &unknown, &weather[..weather.len() - 3].to_owned()] {
                    assert!(!ends(text), "{format:?} {choice:?} {special:?}: {text}");
                }
                assert_eq!(ends(""), choice == ToolChoice::Auto, "{format:?}");
                if format == ToolFormat::Llama {
                    assert!(ends(&typed(&weather)), "{choice:?} {special:?}");
                    assert!(!ends(&typed(&wrong)) && !ends(&typed(&unknown)), "{choice:?} {special:?}");
                }
            }
        }
    }
}

/// Random tokens under `Auto` and `Required`: whatever the reader finds called is of a tool with arguments that fit, and nothing that is text
/// looks like a call.
#[test]
fn random_calls_are_valid() {
    let judge = jsonschema::validator_for(&weather()).unwrap();
    let mut calls = 0;
    for special in [SPECIAL, &SPECIAL[..2]] {
        let tokenizer = tokenizer(special);
        let vocabulary = vocabulary_of(&tokenizer);
        for (number, format) in FORMATS.into_iter().enumerate() {
            for seed in 0..60 {
                let mut random = Random(seed * 5 + number as u64);
                let choice = if seed % 2 == 0 { ToolChoice::Required } else { ToolChoice::Auto };
                let mut constraint =
                    Constraint::new(&vocabulary, &Grammar::Tools(tools(format, choice.clone(), true))).unwrap();
                let mut bytes = Vec::new();
                if choice == ToolChoice::Auto {
                    // Chance would hardly begin a call, or a text that looks like one.
                    let call = call(format, "stop", "{");
                    let text = if format == ToolFormat::Llama { "" } else { "so " };
                    let begun = format!("{text}{}", &call[..call.find("stop").unwrap() + random.below(4)]);
                    let odd = format!("{}rm\", \"parameters\": {{\"a\": ", random.choose(&ODD));
                    let cut = ids(&tokenizer, if random.chance(30) { &odd } else { &begun });
                    follow(&mut constraint, &cut).unwrap();
                    bytes.extend(tokenizer.decode(&cut, false).unwrap().into_bytes());
                }
                for step in 0..600 {
                    let all = allowed(constraint.mask().unwrap());
                    let ends = |id: &u32| vocabulary.end_ids().contains(id);
                    if constraint.may_end() && (step > 30 || constraint.is_complete() || random.chance(50)) {
                        break;
                    }
                    let word = |id: u32| tokenizer.id_to_token(id).unwrap();
                    let all: Vec<u32> = all.into_iter().filter(|id| !ends(id)).collect();
                    let closing: Vec<u32> =
                        all.iter().copied().filter(|&id| word(id).chars().all(|c| "\"}]".contains(c))).collect();
                    let id = *{
                        let hurry = step > 30 && !closing.is_empty() && random.chance(80);
                        random.choose(if hurry { &closing } else { &all })
                    };
                    constraint.accept(id).unwrap();
                    bytes.extend(if tokenizer.is_special(id) {
                        word(id).into_bytes()
                    } else {
                        tokenizer.token_bytes(id).unwrap().unwrap()
                    });
                }
                if !constraint.may_end() {
                    continue;
                }
                let text = String::from_utf8(bytes).unwrap();
                let parser = ToolParser::new(&tools(format, choice.clone(), true), &tokenizer);
                let (content, found, end) = read((parser, false), &pieces(&text, &mut random));
                assert!(choice == ToolChoice::Auto || content.is_empty(), "{format:?} {text:?}: {content:?}");
                assert!(
                    end == if found.is_empty() { ToolEnd::Text } else { ToolEnd::Calls(found.len()) },
                    "{format:?} {text:?}: {end:?}"
                );
                for (name, arguments) in found {
                    let value: Value = match serde_json::from_str(&arguments) {
                        Ok(value) => value,
                        // JSON, and more than 64 bits hold.
                        Err(error) if error.to_string().starts_with("number out of range") => continue,
                        Err(error) => panic!("{error}: {text}"),
                    };
                    assert!(name == "stop" || name == "get_weather" && judge.is_valid(&value), "{format:?} {text}");
                    calls += 1;
                }
            }
        }
    }
    assert!(calls > 300, "{calls} calls");
}

/// What a grammar lets through as text is content, and no call, though it looks like one.
#[test]
fn texts_that_look_like_calls() {
    for special in [SPECIAL, &SPECIAL[..2]] {
        let tokenizer = tokenizer(special);
        let vocabulary = vocabulary_of(&tokenizer);
        for format in FORMATS {
            let tools = tools(format, ToolChoice::Auto, true);
            let constraint = Constraint::new(&vocabulary, &Grammar::Tools(tools.clone())).unwrap();
            for beginning in ODD {
                let text = format!("{beginning}get_weather\", \"parameters\": {{\"city\": 7}}}}");
                let mut constraint = constraint.clone();
                follow(&mut constraint, &ids(&tokenizer, &text)).unwrap();
                assert!(constraint.may_end(), "{format:?} {text:?}");
                let parser = ToolParser::new(&tools, &tokenizer);
                let single: Vec<String> = text.chars().map(String::from).collect();
                assert_eq!(read((parser, false), &single), (text.clone(), vec![], ToolEnd::Text), "{format:?}");
            }
        }
    }
}

/// A text in pieces that end anywhere.
fn pieces(text: &str, random: &mut Random) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in text.chars() {
        if random.chance(40) {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push(character);
    }
    pieces
}

/// What a reader makes of pieces, and of whether more would have come: content, calls with their arguments, the end.
fn read((mut parser, is_cut): (ToolParser, bool), pieces: &[String]) -> (String, Vec<(String, String)>, ToolEnd) {
    let (mut content, mut calls) = (String::new(), Vec::new());
    let mut take = |deltas: Vec<ToolDelta>| {
        for delta in deltas {
            match delta {
                ToolDelta::Content(text) => content.push_str(&text),
                ToolDelta::Call { index, name } => {
                    assert_eq!(index, calls.len());
                    calls.push((name, String::new()));
                }
                ToolDelta::Arguments { index, fragment } => {
                    assert!(index + 1 == calls.len() && !fragment.is_empty());
                    calls[index].1.push_str(&fragment);
                }
            }
        }
    };
    for piece in pieces {
        take(parser.push(piece));
    }
    let (deltas, end) = parser.finish(is_cut);
    take(deltas);
    (content, calls, end)
}

type Read<'a> = (&'a str, &'a [(&'a str, &'a str)], ToolEnd);

/// Texts with what they are, whole, cut anywhere into pieces, and byte by byte.
#[test]
fn reading() {
    use ToolEnd::{Calls, Cut, Text};
    use ToolFormat::{Hermes, Llama, MistralArgs, MistralList};
    let cases: &[(ToolFormat, &str, Read)] = &[
        (Hermes, "", ("", &[], Text)),
        (Hermes, "plain < text <tool", ("plain < text <tool", &[], Text)),
        (
            Hermes,
            "So:\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"}</tool_call>\\\"\"}}\n</tool_call>",
            ("So:\n", &[("f", "{\"a\": \"}</tool_call>\\\"\"}")], Calls(1)),
        ),
        (
            Hermes,
            "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"g\",\"arguments\":{\"x\":[{}]}}</tool_call>",
            ("", &[("f", "{}"), ("g", "{\"x\":[{}]}")], Calls(2)),
        ),
        (
            Hermes,
            "<tool_call>{\"arguments\":{\"b\":1},\"name\":\"f\"}</tool_call> and on",
            ("and on", &[("f", "{\"b\":1}")], Calls(1)),
        ),
        (Hermes, "<tool_call>{\"no\": 1}</tool_call>!", ("<tool_call>{\"no\": 1}</tool_call>!", &[], Text)),
        (Hermes, "So:<tool_call>\n{\"name\": \"f\", \"arg", ("So:", &[], Cut)),
        (Hermes, "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": [1, ", ("", &[("f", "{\"a\": [1, ")], Cut)),
        (Hermes, "<tool_call>{\"name\": \"f\", \"arguments\": {}}", ("", &[("f", "{}")], Calls(1))),
        (
            Hermes,
            "<tool_call>{\"name\": \"f\", \"arguments\": \"text\"}</tool_call>",
            ("<tool_call>{\"name\": \"f\", \"arguments\": \"text\"}</tool_call>", &[], Text),
        ),
        (Llama, " {\"name\": \"f\", \"parameters\": {\"a\": 1}}", ("", &[("f", "{\"a\": 1}")], Calls(1))),
        (
            Llama,
            "{\"type\": \"function\", \"name\": \"f\", \"parameters\": {}}; {\"name\": \"g\", \"parameters\": {}}",
            ("", &[("f", "{}"), ("g", "{}")], Calls(2)),
        ),
        (Llama, "<|python_tag|>{\"name\": \"f\", \"parameters\": {}}", ("", &[("f", "{}")], Calls(1))),
        (Llama, "{\"answer\": 1}", ("{\"answer\": 1}", &[], Text)),
        (
            Llama,
            "It is {\"name\": \"f\", \"parameters\": {}}",
            ("It is {\"name\": \"f\", \"parameters\": {}}", &[], Text),
        ),
        (Llama, "{\"name\": \"f\"", ("", &[], Cut)),
        (Llama, "{\"na", ("{\"na", &[], Text)),
        (
            MistralList,
            "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", \"arguments\": {\"a\": 2}, \"id\": \"}123\"}]",
            ("", &[("f", "{}"), ("g", "{\"a\": 2}")], Calls(2)),
        ),
        (MistralList, "Hm.[TOOL_CALLS][{\"arguments\": {}, \"name\": \"f\"}]", ("Hm.", &[("f", "{}")], Calls(1))),
        (MistralList, "[TOOL_CALLS] none", ("[TOOL_CALLS] none", &[], Text)),
        (
            MistralArgs,
            "[TOOL_CALLS]f[ARGS]{\"a\": \"[TOOL_CALLS]\"}[TOOL_CALLS]get-b.c[ARGS] {}",
            ("", &[("f", "{\"a\": \"[TOOL_CALLS]\"}"), ("get-b.c", "{}")], Calls(2)),
        ),
        (MistralArgs, "x[TOOL_CALLS]f[ARGS]{\"a\"", ("x", &[("f", "{\"a\"")], Cut)),
        (MistralArgs, "[TOOL_CALLS]f[AR", ("", &[], Cut)),
    ];
    check_reading(cases);
}

/// Between name and arguments stand nine letters or digits.
#[test]
fn reading_of_ids() {
    use ToolEnd::{Calls, Cut, Text};
    use ToolFormat::MistralIdArgs;
    check_reading(&[
        (
            MistralIdArgs,
            "So:[TOOL_CALLS]f[CALL_ID]0aZbcdef9[ARGS]{\"a\": 1}[TOOL_CALLS]g[CALL_ID]000000001[ARGS]{}",
            ("So:", &[("f", "{\"a\": 1}"), ("g", "{}")], Calls(2)),
        ),
        (MistralIdArgs, "[TOOL_CALLS]f[CALL_ID]0aZ", ("", &[], Cut)),
        (MistralIdArgs, "[TOOL_CALLS]f[ARGS]{}", ("[TOOL_CALLS]f[ARGS]{}", &[], Text)),
        (
            MistralIdArgs,
            "[TOOL_CALLS]f[CALL_ID]0aZbcdef90[ARGS]{}",
            ("[TOOL_CALLS]f[CALL_ID]0aZbcdef90[ARGS]{}", &[], Text),
        ),
    ]);
}

/// A call of what is not among the request's tools is content.
#[test]
fn unknown_tools_are_not_called() {
    use ToolEnd::{Calls, Text};
    use ToolFormat::{Hermes, Llama, MistralArgs, MistralList};
    check_reading(&[
        (Llama, "{\"name\": \"rm\", \"parameters\": {}}", ("{\"name\": \"rm\", \"parameters\": {}}", &[], Text)),
        (
            Llama,
            "{\"name\": \"f\", \"parameters\": {}}; {\"name\": \"rm\", \"parameters\": {}}",
            ("{\"name\": \"rm\", \"parameters\": {}}", &[("f", "{}")], Calls(1)),
        ),
        (
            Hermes,
            "<tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>",
            ("<tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>", &[], Text),
        ),
        (
            MistralList,
            "[TOOL_CALLS][{\"arguments\": {}, \"name\": \"rm\"}]",
            ("[TOOL_CALLS][{\"arguments\": {}, \"name\": \"rm\"}]", &[], Text),
        ),
        (MistralArgs, "[TOOL_CALLS]rm[ARGS]{}", ("[TOOL_CALLS]rm[ARGS]{}", &[], Text)),
    ]);
}

/// Tools with the names that these texts call.
fn short_tools(format: ToolFormat) -> Tools {
    let named = |name: &str| Tool { name: name.to_owned(), parameters: None };
    Tools { format, tools: ["f", "g", "get-b.c"].map(named).into(), choice: ToolChoice::Auto, parallel: true }
}

fn check_reading(cases: &[(ToolFormat, &str, Read)]) {
    let tokenizer = tokenizer(SPECIAL);
    for (format, text, (content, calls, end)) in cases {
        let calls: Vec<(String, String)> =
            calls.iter().map(|(name, arguments)| ((*name).to_owned(), (*arguments).to_owned())).collect();
        let expected = ((*content).to_owned(), calls, *end);
        let single: Vec<String> = text.chars().map(String::from).collect();
        let parser = ToolParser::new(&short_tools(*format), &tokenizer);
        let read = |pieces: &[String]| read((parser.clone(), false), pieces);
        assert_eq!(read(&[(*text).to_owned()]), expected, "{format:?} {text:?}");
        assert_eq!(read(&single), expected, "{format:?} {text:?} in characters");
        for seed in 0..20 {
            assert_eq!(read(&pieces(text, &mut Random(seed))), expected, "{format:?} {text:?} in pieces");
        }
    }
}

/// Texts of a call's parts in chance's order are the same in one piece and in many, whole and cut.
#[test]
fn random_texts_in_any_pieces() {
    #[rustfmt::skip]
    const PARTS: [&str; 34] = [
        "{", "}", "[", "]", ",", ":", ";", " ", "\n\t", "\"", "\\", "\\u0066", "\"name\"", "\"type\"", "\"function\"", "\"arguments\"",
        "\"parameters\"", "\"id\"", "\"f\"", "\"rm\"", "f", "é", "get-b.c", "0aZbcdef9", "[ARGS]", "[CALL_ID]", "</tool_call>", "<tool_call>",
        "[TOOL_CALLS]", "<|python_tag|>", "{\"name\":", "\"f\", \"arguments\": {", "}, {\"name\": \"g\", \"parameters\"", "}}",
    ];
    let tokenizer = tokenizer(SPECIAL);
    let mut random = Random(11);
    let (mut called, mut cut, mut texts) = (0, 0, 0);
    for number in 0..20_000 {
        let format = FORMATS[number % FORMATS.len()];
        let begun = call(format, "f", "{");
        let mut length = random.below(begun.len() + 1);
        if random.chance(20) {
            length = 0;
        }
        let mut text = begun[..length].to_owned();
        (0..random.below(12)).for_each(|_| text.push_str(random.choose::<&str>(&PARTS)));
        let choice = if random.chance(20) { ToolChoice::Required } else { ToolChoice::Auto };
        let parser = ToolParser::new(&Tools { choice, ..short_tools(format) }, &tokenizer);
        let single: Vec<String> = text.chars().map(String::from).collect();
        for is_cut in [false, true] {
            let read = |pieces: &[String]| read((parser.clone(), is_cut), pieces);
            let expected = read(std::slice::from_ref(&text));
            assert_eq!(read(&single), expected, "{format:?} {text:?} in characters");
            assert_eq!(read(&pieces(&text, &mut random)), expected, "{format:?} {text:?} in pieces");
            match expected.2 {
                ToolEnd::Calls(_) => called += 1,
                ToolEnd::Cut => cut += 1,
                ToolEnd::Text => texts += 1,
            }
        }
    }
    assert!(called > 1000 && cut > 1000 && texts > 1000, "{called} calls, {cut} cut, {texts} texts");
}

/// Texts that are cut where a call may begin: what of them is text.
#[test]
fn cut_before_the_arguments() {
    use ToolFormat::{Hermes, Llama, MistralList};
    let (marks, letters) = (tokenizer(SPECIAL), tokenizer(&SPECIAL[..2]));
    let spelled = |format, text, content| (&letters, format, ToolChoice::Auto, text, content);
    let whole = |format, text, content| (&marks, format, ToolChoice::Auto, text, content);
    let required = |format, text| (&letters, format, ToolChoice::Required, text, "");
    let cases = [
        spelled(Hermes, "So: <tool", "So: "),
        spelled(Hermes, "So: <t", "So: "),
        spelled(Hermes, "if a <", "if a <"),
        spelled(Hermes, "<tool_call>", ""),
        spelled(Hermes, "So: <tool_call>\n{\"name\": \"f\", ", "So: "),
        spelled(Hermes, "So: <tools", "So: <tools"),
        spelled(MistralList, "A list: [", "A list: ["),
        spelled(MistralList, "A list: [TOOL_", "A list: "),
        // The mark is one token, and its letters are text.
        whole(MistralList, "A list: [TOOL_", "A list: [TOOL_"),
        whole(MistralList, "A list: [TOOL_CALLS] [{\"", "A list: "),
        spelled(Llama, "x <|", "x <|"),
        spelled(Llama, "x <|python", "x "),
        spelled(Llama, "{\"na", "{\"na"),
        spelled(Llama, "{\"name\": \"f\", \"par", ""),
        // Nothing but a call can come.
        required(Hermes, "<"),
        required(Hermes, "<tool"),
        required(MistralList, "["),
        required(Llama, "{\"na"),
        required(Llama, ""),
    ];
    for (tokenizer, format, choice, text, expected) in cases {
        let is_text = choice == ToolChoice::Auto && text == expected;
        let parser = ToolParser::new(&tools(format, choice, true), tokenizer);
        for pieces in [vec![text.to_owned()], text.chars().map(String::from).collect()] {
            let (content, calls, end) = read((parser.clone(), true), &pieces);
            assert_eq!((content.as_str(), calls.len()), (expected, 0), "{format:?} {text:?}");
            assert_eq!(end, if is_text { ToolEnd::Text } else { ToolEnd::Cut }, "{format:?} {text:?}");
        }
    }
}

/// Arguments come as they are written, and a name as soon as it is known.
#[test]
fn deltas_come_early() {
    let mut parser = ToolParser::new(&short_tools(ToolFormat::Hermes), &tokenizer(SPECIAL));
    assert_eq!(parser.push("Hi <tool"), [ToolDelta::Content("Hi ".into())]);
    assert_eq!(parser.push("_call>\n{\"name\": \"f\", \"arguments\": "), []);
    assert_eq!(
        parser.push("{\"a\""),
        [ToolDelta::Call { index: 0, name: "f".into() }, ToolDelta::Arguments { index: 0, fragment: "{\"a\"".into() }]
    );
    assert_eq!(parser.push(": 1"), [ToolDelta::Arguments { index: 0, fragment: ": 1".into() }]);
    assert_eq!(parser.push("}}\n</tool"), [ToolDelta::Arguments { index: 0, fragment: "}".into() }]);
    assert_eq!(parser.push("_call>"), []);
    assert_eq!(parser.finish(false), (vec![], ToolEnd::Calls(1)));
}

/// Who reads an answer would wait for all of it.
#[test]
fn text_that_is_no_call_comes_early() {
    let parser = ToolParser::new(&short_tools(ToolFormat::Llama), &tokenizer(SPECIAL));
    for (held, told) in [
        (" {\"", "a"),
        ("{", "{"),
        ("{\n\"name", "s"),
        ("{\"type\": \"function\", \"na", "t"),
        ("{\"type\" : \"func", "x"),
        ("{\"name\": \"f\", \"par", "c"),
    ] {
        let mut parser = parser.clone();
        let before: Vec<_> = held.chars().flat_map(|character| parser.push(&character.to_string())).collect();
        let told = parser.push(told);
        assert!(before.is_empty(), "{held:?}: {before:?}");
        assert!(!told.is_empty(), "{held:?}");
        assert_eq!(parser.push("\\\"aaa"), [ToolDelta::Content("\\\"aaa".into())], "{held:?}");
    }
}

/// Each piece would be read again with all that was held back before it.
#[test]
fn long_texts_before_a_call_are_read_once() {
    use ToolEnd::{Calls, Cut, Text};
    use ToolFormat::{Hermes, Llama, MistralArgs, MistralIdArgs, MistralList};
    const PIECES: usize = 100_000;
    let spaces = " ".repeat(PIECES);
    let name = "f".repeat(PIECES);
    let called = "<tool_call>{\"name\": \"f\", \"arguments\": {}";
    let listed = "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {}";
    let cases = [
        (Llama, "{\"".to_owned(), "a b", Text),
        (Llama, String::new(), " ", Text),
        (Llama, "{".to_owned(), "\n\t", Text),
        (Llama, "{\"name\": \"".to_owned(), "a b", Cut),
        (Hermes, String::new(), " ", Text),
        (Hermes, "<tool_call>".to_owned(), " ", Cut),
        (Hermes, "<tool_call>{\"id\": \"".to_owned(), "a b", Text),
        (Hermes, "<tool_call>{\"x".to_owned(), "a b", Cut),
        (Hermes, format!("<tool_call>{spaces}{{{spaces}\"name\": \""), "a\\\"", Cut),
        (Hermes, format!("<tool_call>{{\"name\": \"{name}\", \"arg"), "a b", Cut),
        (Hermes, called.to_owned(), " ", Calls(1)),
        (Hermes, format!("{called}{spaces}, \"id\": \""), "a b", Calls(1)),
        (Hermes, format!("{called}}}"), "\n", Calls(1)),
        (MistralList, "[TOOL_CALLS][{\"id\": \"".to_owned(), "a b", Text),
        (MistralList, format!("[TOOL_CALLS]{spaces}[{{\"id\": \""), "a b", Text),
        (MistralList, format!("[TOOL_CALLS]{spaces}[{{\"name\": \""), "a b", Cut),
        (MistralList, listed.to_owned(), " ", Calls(1)),
        (MistralList, format!("{listed}}}"), " ", Calls(1)),
        (MistralList, format!("{listed}}},"), " ", Cut),
        (MistralArgs, "[TOOL_CALLS]".to_owned(), "ab.c", Cut),
        (MistralArgs, format!("[TOOL_CALLS]{name}"), " ", Cut),
        (MistralIdArgs, "[TOOL_CALLS]".to_owned(), "ab.c", Cut),
    ];
    for (format, begin, piece, end) in cases {
        let began = std::time::Instant::now();
        let mut pieces = vec![begin.clone()];
        pieces.resize(PIECES + 1, piece.to_owned());
        let parser = ToolParser::new(&short_tools(format), &tokenizer(SPECIAL));
        let (content, calls, found) = read((parser, false), &pieces);
        let expected = if end == Text { begin.clone() + &piece.repeat(PIECES) } else { String::new() };
        let what = format!("{format:?}, {:?}, {piece:?}", &begin[..begin.len().min(80)]);
        assert!(content == expected && found == end, "{what}: {found:?}");
        assert!(calls.iter().all(|(name, arguments)| name == "f" && arguments == "{}"), "{what}: {calls:?}");
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{what}: {:?}", began.elapsed());
    }
}

#[test]
fn formats_of_templates() {
    let cases = [
        (
            "<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>",
            Some(ToolFormat::Hermes),
        ),
        ("<tool_call>\n<function=example_function_name>", None),
        ("<tool_call>{function-name}\n<arg_key>", None),
        ("{{- '[TOOL_CALLS] [' }}", Some(ToolFormat::MistralList)),
        ("{{- '[TOOL_CALLS]' + name + '[ARGS]' }}", Some(ToolFormat::MistralArgs)),
        ("{{- '[TOOL_CALLS]' + name + '[CALL_ID]' + id + '[ARGS]' }}", Some(ToolFormat::MistralIdArgs)),
        ("{{- '[TOOL_CALLS]' + name + '[CALL_ID]' + id }}", None),
        ("<|start_header_id|> {\"name\": function name, \"parameters\": dictionary}", Some(ToolFormat::Llama)),
        ("{{- \"<|python_tag|>\" }}", Some(ToolFormat::Llama)),
        ("{% for message in messages %}<|im_start|>{{ message['role'] }}", None),
    ];
    for (source, expected) in cases {
        assert_eq!(ToolFormat::of_template(source), expected, "{source}");
    }
}

#[test]
fn tools_that_cannot_be_called() {
    let vocabulary = crate::vocabularies::vocabulary();
    let refusal = |change: &dyn Fn(&mut Tools)| {
        let mut tools = tools(ToolFormat::Hermes, ToolChoice::Required, true);
        change(&mut tools);
        let error: GrammarError = Constraint::new(&vocabulary, &Grammar::Tools(tools)).unwrap_err();
        error.to_string()
    };
    let with = |parameters: Value| move |tools: &mut Tools| tools.tools[0].parameters = Some(parameters.clone());
    let cases: [(String, &str); 6] = [
        (refusal(&|tools| tools.tools.clear()), "0 tools are given; 1 to 256 can be"),
        (
            refusal(&|tools| tools.tools[0].name = "a b".into()),
            "a tool is called \"a b\": a name is 1 to 64 letters, digits, `_`, `-` and `.`",
        ),
        (refusal(&|tools| tools.tools[0].name = "stop".into()), "two tools are called `stop`"),
        (
            refusal(&|tools| tools.choice = ToolChoice::Function("go".into())),
            "tool_choice names `go`, which is not among the tools",
        ),
        (
            refusal(&with(json!({"type": "string"}))),
            "the parameters of the tool `get_weather`: `type` has to be \"object\", and is \"string\"",
        ),
        (
            refusal(&with(json!({"properties": {"a": {"not": {}}}}))),
            "the parameters of the tool `get_weather`, at `/properties/a`: the keyword `not` is not supported",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}
