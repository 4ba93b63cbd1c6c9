//! Parity with transformers' `apply_chat_template`: text, ids, and the mask of the assistant's tokens.
//! The cases and their makers' versions are in `fixtures/chat/`, written by `scripts/fixtures/chat_templates.py`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use data::{ChatInput, Clock, Error, Record, Tokenizer, encode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Fixture {
    clock: i64,
    conversations: BTreeMap<String, Vec<Value>>,
    templates: Vec<Template>,
}

#[derive(Deserialize)]
struct Template {
    name: String,
    template: String,
    special_tokens: Map<String, Value>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    conversation: String,
    #[serde(default)]
    tools: Option<Value>,
    #[serde(default)]
    add_generation_prompt: bool,
    text: Option<String>,
    error: Option<String>,
    #[serde(default)]
    ids: Vec<u32>,
    #[serde(default)]
    assistant_masks: Vec<u8>,
    #[serde(flatten)]
    variables: Map<String, Value>,
}

fn fixture() -> Fixture {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/chat/cases.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A model folder with the fixture's tokenizer, this template and these special tokens.
fn tokenizer(template: &str, special_tokens: &Map<String, Value>, clock: i64) -> Tokenizer {
    let dir = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/chat/tokenizer.json");
    fs::copy(fixture, dir.path().join("tokenizer.json")).unwrap();
    fs::write(dir.path().join("tokenizer_config.json"), json!(special_tokens).to_string()).unwrap();
    fs::write(dir.path().join("chat_template.jinja"), template).unwrap();
    Tokenizer::from_dir_at(dir.path(), Clock::At(clock)).unwrap()
}

#[test]
fn texts_and_masks_equal_those_of_transformers() {
    let fixture = fixture();
    let mut compared = 0;
    for template in &fixture.templates {
        let tokenizer = tokenizer(&template.template, &template.special_tokens, fixture.clock);
        for case in &template.cases {
            let what = format!("{} on {}", template.name, case.conversation);
            let messages = &fixture.conversations[&case.conversation];
            let input = ChatInput {
                messages,
                tools: case.tools.as_ref(),
                add_generation_prompt: case.add_generation_prompt,
                variables: Some(&case.variables),
                ..ChatInput::default()
            };
            let compiled = tokenizer.chat_template(case.tools.is_some()).unwrap();
            let rendered = compiled.render(&input);
            if let Some(error) = &case.error {
                let message = rendered.expect_err(&what).to_string();
                // The words of `raise_exception` are the template's; those of a missing key are the engine's.
                assert!(error.contains("has no attribute") || message.contains(error), "{what}: {message}");
                continue;
            }
            let text = rendered.unwrap_or_else(|error| panic!("{what}: {error}")).text;
            assert_eq!(&text, case.text.as_ref().unwrap(), "{what}");
            assert_eq!(tokenizer.encode(&text, false).unwrap(), case.ids, "{what}");
            if compiled.marks_generation() && case.variables.is_empty() && !case.add_generation_prompt {
                let record = Record::conversation(messages.clone(), case.tools.clone());
                let sample = encode(&tokenizer, &record, false).unwrap();
                let mask: Vec<u8> = sample.targets.iter().map(|&target| u8::from(target)).collect();
                assert_eq!(mask, case.assistant_masks, "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "only {compared} masks were compared");
}

/// Llama's templates refuse a turn of two calls; others take it, or know of no calls at all.
#[test]
fn whether_a_turn_may_call_several_tools_is_the_templates_to_say() {
    let fixture = fixture();
    for template in &fixture.templates {
        let tokenizer = tokenizer(&template.template, &template.special_tokens, fixture.clock);
        let takes_several = tokenizer.chat_template(true).unwrap().takes_several_calls();
        assert_eq!(takes_several, !template.name.starts_with("llama-3.1"), "{}", template.name);
    }
}

/// A template without marks gives the mask that its marked twin gives. Mistral's moves what the system says to the last question.
#[test]
fn what_templates_show_equals_the_marks() {
    let fixture = fixture();
    let by_name: BTreeMap<&str, &Template> =
        fixture.templates.iter().map(|template| (template.name.as_str(), template)).collect();
    let mut compared = 0;
    for style in ["llama-2", "llama-3.1", "chatml", "mistral"] {
        let plain = by_name[format!("{style}/plain").as_str()];
        let marked = by_name[format!("{style}/generation-trimmed").as_str()];
        let plain = tokenizer(&plain.template, &plain.special_tokens, fixture.clock);
        let marked = tokenizer(&marked.template, &marked.special_tokens, fixture.clock);
        for name in ["one_turn", "system_and_two_turns"] {
            let record = Record::conversation(fixture.conversations[name].clone(), None);
            let sample = encode(&plain, &record, false).unwrap();
            let expected = encode(&marked, &record, false).unwrap();
            assert_eq!(sample, expected, "{style} on {name}: {}", plain.decode(&sample.tokens, false).unwrap());
            compared += 1;
        }
    }
    assert_eq!(compared, 8);
}

/// Llama 2's template puts what the system says into the first question, where its place is not told, and Mistral's shows it nowhere once an answer follows.
/// Nothing else is taken for it.
#[test]
fn a_first_message_that_is_not_shown_by_itself_is_nothing_else() {
    let fixture = fixture();
    let messages = &fixture.conversations["system_and_two_turns"];
    for (name, is_shown) in [("llama-2/plain", true), ("mistral/plain", false)] {
        let template = fixture.templates.iter().find(|template| template.name == name).unwrap();
        let tokenizer = tokenizer(&template.template, &template.special_tokens, fixture.clock);
        for (is_learned, on_inputs) in [(true, false), (false, true)] {
            let of = |first: Option<bool>| {
                let mut train = vec![None; messages.len()];
                train[0] = first;
                let record = Record::Chat { messages: messages.clone(), tools: None, train, given: 0 };
                encode(&tokenizer, &record, on_inputs)
            };
            let said = of(Some(is_learned));
            match is_shown {
                true => assert!(matches!(said, Err(Error::NotAPrefix { message: 0 })), "{said:?}"),
                false => assert_eq!(said.unwrap(), of(None).unwrap()),
            }
        }
    }
}

/// Mistral's shows a call in place of what the message says, and what the system says nowhere once an answer follows.
#[test]
fn calls_before_later_questions_are_found() {
    let fixture = fixture();
    let by_name = |name: &str| fixture.templates.iter().find(|template| template.name == name).unwrap();
    let [plain, marked] = ["mistral/plain", "mistral/generation-trimmed"]
        .map(|name| tokenizer(&by_name(name).template, &by_name(name).special_tokens, fixture.clock));
    let tools = by_name("mistral/plain").cases.iter().find_map(|case| case.tools.clone());
    let says = |role: &str, content: &str| json!({"role": role, "content": content});
    let called = &fixture.conversations["tools"];
    let mut called = called.clone();
    // What ends a turn does not end this.
    called[1]["tool_calls"][0]["function"]["arguments"]["place"] = json!("a</s> b");
    let later = [says("user", "And in \"get_weather\"?"), says("assistant", "Zürich: </s"), says("user", "Why?")];
    let whole = [&[says("system", "Be brief.")], &called[..], &later, &called[1..]].concat();
    for count in 3..=whole.len() {
        for tools in [None, tools.clone()] {
            let record = Record::conversation(whole[..count].to_vec(), tools);
            let [sample, expected] = [&plain, &marked].map(|of| encode(of, &record, false).unwrap());
            assert_eq!(sample, expected, "{}", plain.decode(&sample.tokens, false).unwrap());
        }
    }
}

/// As DeepSeek-R1's and QwQ's: generation begins behind the tag of the reasoning, which the text of an answer lacks.
#[test]
fn answers_without_the_reasoning_that_generation_is_told_to_begin_are_found() {
    let fixture = fixture();
    let [plain, reasoning] = ["", "<think>\\n"].map(|begun| {
        let source = format!(
            "{{% for message in messages %}}{{{{ '<|im_start|>' + message['role'] + '\\n' + message['content'].split('</think>')[-1] + '<|im_end|>\\n' }}}}{{% endfor %}}\
             {{% if add_generation_prompt %}}{{{{ '<|im_start|>assistant\\n{begun}' }}}}{{% endif %}}"
        );
        tokenizer(&source, &Map::new(), fixture.clock)
    });
    let says = |role: &str, content: &str| json!({"role": role, "content": content});
    let messages = [
        says("user", "Two and two?"),
        says("assistant", "<think>\nTwo and two\nare four.\n</think>Four."),
        says("user", "assistant\n"),
        says("assistant", "<thin ice>"),
    ];
    for count in [2, 4] {
        let record = Record::conversation(messages[..count].to_vec(), None);
        let [expected, sample] = [&plain, &reasoning].map(|of| encode(of, &record, false).unwrap());
        assert_eq!(sample, expected);
    }
}

/// A template of Phi-3's layout with the fixture's tokens: what ends a turn, and what stands behind the whole text.
fn phi3(end_of_turn: &str, closing: &str, clock: i64) -> Tokenizer {
    let source = format!(
        "{{% for message in messages %}}{{{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + ({end_of_turn}) + '\\n' }}}}{{% endfor %}}\
         {{% if add_generation_prompt %}}{{{{ '<|im_start|>assistant\\n' }}}}{{% else %}}{closing}{{% endif %}}"
    );
    tokenizer(&source, &Map::new(), clock)
}

/// As Phi-3's, whose whole text ends with a token of its own: it does not end the first answer, and hides no turn's end.
#[test]
fn a_token_behind_the_whole_text_ends_no_turn() {
    let fixture = fixture();
    let [plain, closed] = ["", "<|endoftext|>"].map(|closing| phi3("'<|im_end|>'", closing, fixture.clock));
    for name in ["one_turn", "system_and_two_turns"] {
        for learns_all in [false, true] {
            let messages = fixture.conversations[name].clone();
            // What others say, too, where a message says so.
            let train = vec![learns_all.then_some(true); messages.len()];
            let record = Record::Chat { messages, tools: None, train, given: 0 };
            let [expected, mut sample] = [&plain, &closed].map(|of| encode(of, &record, false).unwrap());
            let last = sample.tokens.pop();
            assert_eq!((last, sample.targets.pop()), (closed.token_to_id("<|endoftext|>"), Some(false)), "{name}");
            assert_eq!(sample, expected, "{name}");
        }
    }
}

/// Of no message at all Qwen's template makes nothing.
#[test]
fn a_first_message_may_be_learned() {
    let fixture = fixture();
    let qwen = fixture.templates.iter().find(|template| template.name == "chatml/plain").unwrap();
    let tokenizer = tokenizer(&qwen.template, &qwen.special_tokens, fixture.clock);
    let messages = fixture.conversations["system_and_two_turns"].clone();
    let train: Vec<_> = (0..messages.len()).map(|message| Some(message == 0)).collect();
    let said = messages[0]["content"].as_str().unwrap().to_owned();
    let sample = encode(&tokenizer, &Record::Chat { messages, tools: None, train, given: 0 }, false).unwrap();
    let learned: Vec<u32> =
        sample.tokens.iter().zip(&sample.targets).filter(|(_, target)| **target).map(|(id, _)| *id).collect();
    assert_eq!(tokenizer.decode(&learned, false).unwrap(), format!("{said}<|im_end|>"));
}

/// As ShareGPT's often do. Of no message at all, of which generation would be told the header, Qwen's and Llama's templates make nothing.
#[test]
fn an_answer_may_be_the_first_message() {
    let fixture = fixture();
    let by_name = |name: String| fixture.templates.iter().find(|template| template.name == name).unwrap();
    let says = |role: &str, content: &str| json!({"role": role, "content": content});
    let header = "<|im_start|>assistant\n";
    let whole = [
        says("assistant", &format!("assistant\n{header}How can I help?")),
        says("user", "Why?"),
        says("assistant", "How can I help?"),
    ];
    for style in ["chatml", "llama-3.1"] {
        let [plain, marked] = ["plain", "generation-trimmed"].map(|kind| {
            let template = by_name(format!("{style}/{kind}"));
            tokenizer(&template.template, &template.special_tokens, fixture.clock)
        });
        let nothing = ChatInput { add_generation_prompt: true, ..ChatInput::default() };
        assert!(plain.chat_template(false).unwrap().render(&nothing).is_err(), "{style} takes no message");
        for count in 1..=whole.len() {
            let record = Record::conversation(whole[..count].to_vec(), None);
            let [sample, expected] = [&plain, &marked].map(|of| encode(of, &record, false).unwrap());
            assert_eq!(sample, expected, "{style}: {}", plain.decode(&sample.tokens, false).unwrap());
        }
        // What is not to be learned is found as well.
        let train = vec![Some(false), None, None];
        let record = Record::Chat { messages: whole.to_vec(), tools: None, train, given: 0 };
        let [sample, expected] = [&plain, &marked].map(|of| encode(of, &record, false).unwrap());
        assert_eq!(sample, expected, "{style}: {}", plain.decode(&sample.tokens, false).unwrap());
    }
}

/// The last turn's end may differ from others': what stands behind those is not taken for the answer.
#[test]
fn a_turn_that_ends_otherwise_than_the_last_is_not_taken_for_longer() {
    let fixture = fixture();
    let tokenizer = phi3("'<|endoftext|>' if loop.last else '<|im_end|>'", "", fixture.clock);
    let record = Record::conversation(fixture.conversations["system_and_two_turns"].clone(), None);
    let refused = encode(&tokenizer, &record, false);
    assert!(matches!(refused, Err(Error::NotAPrefix { message: 2 })), "{refused:?}");
}

#[test]
fn stop_ids_hold_the_end_of_turn_that_no_config_names() {
    let fixture = fixture();
    let chatml = fixture.templates.iter().find(|template| template.name == "chatml/plain").unwrap();
    let special = json!({"eos_token": "<|endoftext|>"});
    let tokenizer = tokenizer(&chatml.template, special.as_object().unwrap(), fixture.clock);
    let ids = ["<|endoftext|>", "<|im_end|>"].map(|token| tokenizer.token_to_id(token).unwrap());
    assert_eq!(tokenizer.stop_ids(), ids);
    assert_eq!(tokenizer.eos_id(), Some(ids[0]));
}
