//! What the loss counts of conversations: messages that say so themselves, content in parts, prompts apart from
//! completions, and templates whose prompts are not how the conversation begins.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::sync::atomic::AtomicBool;

use data::{Dataset, DatasetOptions, Error, Fields, Form, Marks, Stats, Tokenizer, mark_targets};
use serde_json::{Value, json};
use tempfile::TempDir;

/// ChatML with the assistant's text marked, and without marks.
const MARKED: &str = include_str!("../src/chatml.jinja");
const PLAIN: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n\
    {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

fn tokenizer(template: &str) -> (TempDir, Tokenizer) {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("corpus.txt");
    fs::write(&text, "the cat sat on the mat: no yes red\n".repeat(20)).unwrap();
    data::train_bpe(&[text], 300, dir.path()).unwrap();
    let mut tokenizer = Tokenizer::from_dir(dir.path()).unwrap();
    tokenizer.set_chat_template("default", template).unwrap();
    (dir, tokenizer)
}

/// The samples of some records, decoded with their targets marked, and the counts.
fn load(
    template: &str,
    records: &[Value],
    change: impl FnOnce(&mut DatasetOptions),
) -> data::Result<(Vec<String>, Stats)> {
    let (dir, tokenizer) = tokenizer(template);
    let path = dir.path().join("data.jsonl");
    let lines: Vec<String> = records.iter().map(Value::to_string).collect();
    fs::write(&path, lines.join("\n")).unwrap();
    let mut options = DatasetOptions::new([path], 256);
    change(&mut options);
    let dataset = Dataset::load(&options, &tokenizer, None, &AtomicBool::new(false), |_| {})?;
    let shown = (0..dataset.len()).map(|index| {
        let sample = dataset.sample(index);
        mark_targets(&tokenizer, &sample.tokens, &sample.targets, Marks::Plain).unwrap()
    });
    Ok((shown.collect(), dataset.stats().clone()))
}

fn shown(template: &str, record: Value) -> String {
    load(template, &[record], |_| {}).unwrap().0.remove(0)
}

fn message(role: &str, content: &str, more: Value) -> Value {
    let mut message = json!({"role": role, "content": content});
    message.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    message
}

#[test]
fn messages_that_say_so_are_not_learned() {
    for (template, end) in [(MARKED, "<|im_end|>+}\n"), (PLAIN, "<|im_end|>+}\n")] {
        for silent in [json!({"train": false}), json!({"weight": 0})] {
            let messages = json!({"messages": [
                message("user", "the cat?", json!({})),
                message("assistant", "no", silent),
                message("user", "the mat?", json!({"train": false})),
                message("assistant", "yes", json!({"train": true, "weight": 1})),
            ]});
            let expected = format!(
                "<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\nno<|im_end|>\n<|im_start|>user\nthe \
                 mat?<|im_end|>\n<|im_start|>assistant\n{{+yes{end}"
            );
            assert_eq!(shown(template, messages), expected);
        }
        // A user's message that says so is learned, without its header.
        let messages = json!({"messages": [
            message("user", "the cat?", json!({"train": true})),
            message("assistant", "no", json!({"train": false})),
        ]});
        let expected = "<|im_start|>user\n{+the cat?<|im_end|>+}\n<|im_start|>assistant\nno<|im_end|>\n";
        assert_eq!(shown(template, messages), expected);
    }
}

#[test]
fn messages_that_say_so_are_not_learned_beside_inputs_either() {
    let messages = json!({"messages": [
        message("user", "the cat?", json!({})),
        message("assistant", "no", json!({"train": false})),
        message("user", "the mat?", json!({})),
    ]});
    let (shown, _) = load(MARKED, &[messages], |options| options.train_on_inputs = true).unwrap();
    let expected = "{+<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\n+}no<|im_end|>{+\n<|im_start|>user\nthe \
                    mat?<|im_end|>\n+}";
    assert_eq!(shown, [expected]);
}

/// What is named is read, or refused.
#[test]
fn a_key_that_is_named_for_other_records_is_refused() {
    let record = json!({"prompt": "the cat? ", "response": "yes", "question": "the mat? ", "answer": "no"});
    let named = |input: Option<&str>, instruction: Option<&str>, form: Option<Form>| {
        let fields = Fields {
            input: input.map(str::to_owned),
            instruction: instruction.map(str::to_owned),
            output: instruction.map(|_| "answer".to_owned()),
            ..Fields::default()
        };
        let change = |options: &mut DatasetOptions| {
            let source = &mut options.sources[0];
            (source.fields, source.form) = (fields, form);
        };
        load(MARKED, std::slice::from_ref(&record), change).map(|(shown, _)| shown.concat())
    };
    let answers = |prompt: &str| named(None, Some(prompt), None).unwrap();
    assert!(answers("question").contains("### Instruction:\nthe mat? \n"), "{}", answers("question"));
    assert!(named(None, None, None).unwrap().starts_with("the cat? {+yes"));
    let refused = named(Some("context"), None, None).unwrap_err().to_string();
    let expected = "line 1: `field_input` is given, and the form that the record's keys tell, `prompt_completion`, has no use for it: \
                    leave it out, or name the form with `type`";
    assert!(refused.ends_with(expected), "{refused}");
    // Where the form is named, keys are looked at with the configuration.
    assert!(named(Some("context"), None, Some(Form::PromptCompletion)).is_ok());
}

#[test]
fn a_conversation_that_is_not_to_be_learned_is_named() {
    let messages = json!({"messages": [message("assistant", "no", json!({"weight": 0}))]});
    let error = load(MARKED, &[messages], |_| {}).unwrap_err().to_string();
    assert!(
        error.contains("line 1: no token of this sample would count for the loss, because its messages say"),
        "{error}"
    );
}

/// As where another file is taken for the template.
#[test]
fn answers_that_the_template_leaves_out_are_not_called_empty() {
    let refused = |content: &str| {
        let record =
            json!({"messages": [message("user", "the cat?", json!({})), message("assistant", content, json!({}))]});
        load("no cat", &[record], |_| {}).unwrap_err().to_string()
    };
    let because = "no token of this sample would count for the loss, because the";
    for (content, expected) in
        [("no", "chat template does not render the assistant's messages"), (" ", "assistant's messages are empty")]
    {
        let expected = format!("{because} {expected}; correct it, or set skip_bad to leave such samples out; ");
        assert!(refused(content).contains(&expected), "{}", refused(content));
    }
}

#[test]
fn content_in_parts_is_laid_out() {
    let parts = |texts: &[&str]| -> Value { texts.iter().map(|text| json!({"type": "text", "text": text})).collect() };
    let record = json!({"messages": [
        {"role": "user", "content": parts(&["the cat", "the mat"])},
        {"role": "assistant", "content": parts(&["yes"])},
    ]});
    let flat = "<|im_start|>user\nthe cat\nthe mat<|im_end|>\n<|im_start|>assistant\n{+yes<|im_end|>+}\n";
    assert_eq!(shown(PLAIN, record.clone()), flat);
    assert_eq!(shown(MARKED, record.clone()), flat);
    // A template that lays parts out gets them, as from transformers.
    let template = "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}\
        {{ part.text }}/{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
    let laid_out = "<|im_start|>user\nthe cat/the mat/<|im_end|>\n<|im_start|>assistant\n{+yes/<|im_end|>+}\n";
    assert_eq!(shown(template, record), laid_out);
}

#[test]
fn names_and_tool_calls_reach_the_template() {
    let template = "{% for m in messages %}{{ m.role }}{% if m.name %}({{ m.name }}){% endif %}: {% for call in \
        m.tool_calls or [] %}{{ call.function.name }}{{ call.function.arguments | tojson }}{% endfor %}\
        {{ m.content or '' }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}";
    let call = json!({"type": "function", "function": {"name": "sit", "arguments": {"on": "mat"}}});
    let record = json!({"messages": [
        message("user", "sit", json!({"name": "Ann"})),
        {"role": "assistant", "tool_calls": [call]},
        message("tool", "sat", json!({"name": "sit"})),
    ]});
    let expected = "user(Ann): sit\nassistant: {+sit{\"on\": \"mat\"}\n+}tool(sit): sat\n";
    assert_eq!(shown(template, record), expected);
}

#[test]
fn of_a_prompt_and_a_completion_in_messages_the_completion_is_learned() {
    let record = json!({
        "prompt": [
            message("user", "the cat?", json!({})),
            message("assistant", "no", json!({})),
            message("user", "the mat?", json!({})),
        ],
        "completion": [message("assistant", "yes", json!({}))],
    });
    let expected = "<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\nno<|im_end|>\n<|im_start|>user\nthe \
                    mat?<|im_end|>\n<|im_start|>assistant\n{+yes<|im_end|>+}\n";
    for template in [MARKED, PLAIN] {
        assert_eq!(shown(template, record.clone()), expected);
    }
    let mixed = json!({"prompt": "a", "completion": [message("assistant", "b", json!({}))]});
    let error = load(MARKED, &[mixed], |_| {}).unwrap_err().to_string();
    assert!(error.contains("\"prompt\" and \"completion\" must both be texts or both be lists of messages"), "{error}");
}

#[test]
fn a_prompt_in_messages_is_learned_with_the_inputs_and_where_it_says_so() {
    let record = |prompt: Value| {
        json!({
            "prompt": [message("user", "the cat?", prompt)],
            "completion": [message("assistant", "yes", json!({}))],
        })
    };
    // Earlier turns come out otherwise once there are later ones, so that none can be told apart.
    let changing = PLAIN.replace("{{ message.content }}", "{{ message.content }}{{ messages | length }}");
    for (template, whole) in [
        (MARKED, "{+<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\nyes<|im_end|>\n+}"),
        (PLAIN, "{+<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\nyes<|im_end|>\n+}"),
        (&changing, "{+<|im_start|>user\nthe cat?2<|im_end|>\n<|im_start|>assistant\nyes2<|im_end|>\n+}"),
    ] {
        let (shown, _) = load(template, &[record(json!({}))], |options| options.train_on_inputs = true).unwrap();
        assert_eq!(shown, [whole], "{template}");
    }
    for template in [MARKED, PLAIN] {
        let own = "<|im_start|>user\n{+the cat?<|im_end|>+}\n<|im_start|>assistant\n{+yes<|im_end|>+}\n";
        assert_eq!(shown(template, record(json!({"train": true}))), own, "{template}");
        let silent = record(json!({"train": false}));
        let (shown, _) = load(template, &[silent], |options| options.train_on_inputs = true).unwrap();
        let rest = "{+<|im_start|>user\n+}the cat?<|im_end|>{+\n<|im_start|>assistant\nyes<|im_end|>\n+}";
        assert_eq!(shown, [rest], "{template}");
    }
}

/// What a message says may stand in its header too.
#[test]
fn a_users_message_begins_behind_its_header() {
    let parts = |texts: &[&str]| -> Value { texts.iter().map(|text| json!({"type": "text", "text": text})).collect() };
    // Lays parts out itself.
    let of_parts = "{% for message in messages %}<|im_start|>{{ message.role }}\n{% if message.content is string %}\
        {{ message.content }}{% else %}{% for part in message.content %}{{ part.text }}\n{% endfor %}{% endif %}\
        <|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
    let cases = [
        (json!("user"), "user"),
        (json!("s"), "s"),
        (json!("\n"), "\n"),
        (json!(" the cat"), " the cat"),
        (json!(""), ""),
        (parts(&["user"]), "user"),
        (parts(&["the cat", "s"]), "the cat\ns"),
    ];
    for template in [MARKED, PLAIN, of_parts] {
        for (content, text) in &cases {
            let messages = json!({"messages": [
                {"role": "system", "content": "user"},
                {"role": "user", "content": content, "train": true},
                message("assistant", "no", json!({"train": false})),
            ]});
            let break_behind = if template == of_parts && content.is_array() { "\n" } else { "" };
            let expected = format!(
                "<|im_start|>system\nuser<|im_end|>\n<|im_start|>user\n{{+{text}{break_behind}<|im_end|>+}}\n\
                 <|im_start|>assistant\nno<|im_end|>\n"
            );
            assert_eq!(shown(template, messages), expected, "{content} in {template}");
        }
    }
}

/// As Qwen3's: an empty block of reasoning stands before the last answer and none before earlier ones, and before none that calls a tool and has been
/// answered; between what is said and a call a line is broken.
const OF_THE_LAST: &str = "{% for message in messages %}<|im_start|>{{ message.role }}\n\
    {% if message.role == 'assistant' and loop.last %}<think>\n\n</think>\n\n{% endif %}\
    {{ message.content or '' }}{% for call in message.tool_calls or [] %}{% if message.content %}{{ '\n' }}{% endif %}\
    <tool_call>{{ call.function.name }}</tool_call>{% endfor %}<|im_end|>\n\
    {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

#[test]
fn answers_that_look_otherwise_once_more_is_said_are_learned_as_they_look_then() {
    // The same twice, and the header of an answer within a question.
    let record = |more: Value| {
        json!({"messages": [
            message("user", "yes", json!({})),
            message("assistant", "yes", json!({})),
            message("user", "assistant\n", more),
            message("assistant", "yes", json!({})),
            message("user", "yes", json!({})),
            message("assistant", "no", json!({})),
        ]})
    };
    let expected = |question: &str| {
        format!(
            "<|im_start|>user\nyes<|im_end|>\n<|im_start|>assistant\n{{+yes<|im_end|>+}}\n<|im_start|>user\n{question}\n\
             <|im_start|>assistant\n{{+yes<|im_end|>+}}\n<|im_start|>user\nyes<|im_end|>\n<|im_start|>assistant\n\
             {{+<think>\n\n</think>\n\nno<|im_end|>+}}\n"
        )
    };
    assert_eq!(shown(OF_THE_LAST, record(json!({}))), expected("assistant\n<|im_end|>"));
    assert_eq!(shown(OF_THE_LAST, record(json!({"train": true}))), expected("{+assistant\n<|im_end|>+}"));

    let call = json!([{"type": "function", "function": {"name": "look", "arguments": {}}}]);
    for (content, begins) in [(json!("red"), "red\n"), (json!(""), ""), (json!(null), "")] {
        let messages = json!({"messages": [
            message("user", "the cat?", json!({})),
            {"role": "assistant", "content": content, "tool_calls": call.clone()},
            message("tool", "on the mat", json!({})),
            message("assistant", "the mat", json!({"train": false})),
        ]});
        let expected = format!(
            "<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\n{{+{begins}<tool_call>look</tool_call><|im_end|>+}}\n\
             <|im_start|>tool\non the mat<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\nthe mat<|im_end|>\n"
        );
        assert_eq!(shown(OF_THE_LAST, messages), expected, "{content}");
    }
}

/// As Qwen's: results of tools that follow each other are one turn.
#[test]
fn a_part_of_a_turn_cannot_be_told_apart() {
    let in_one = "{% for message in messages %}{% if message.role != 'tool' or messages[loop.index0 - 1].role != 'tool' %}\
        <|im_start|>{{ message.role }}\n{% endif %}{{ message.content }}{% if message.role != 'tool' or loop.last or \
        messages[loop.index0 + 1].role != 'tool' %}<|im_end|>\n{% endif %}{% endfor %}";
    for train in [[true, true], [true, false]] {
        let record = json!({"messages": [
            message("user", "the cat?", json!({})),
            message("tool", "red", json!({"train": train[0]})),
            message("tool", "the mat", json!({"train": train[1]})),
            message("assistant", "yes", json!({"train": false})),
        ]});
        let error = load(in_one, &[record], |_| {}).unwrap_err().to_string();
        assert!(error.contains("part of messages[1] cannot be told apart"), "{error}");
    }
}

#[test]
fn pieces_are_learned_by_their_labels() {
    let record = json!({"segments": [{"label": false, "text": "the cat"}, {"label": true, "text": " sat"}]});
    assert_eq!(shown(MARKED, record), "the cat{+ sat+}");
}

#[test]
fn a_prompt_that_training_does_not_have_is_reported_once_with_its_sample() {
    // The header ends in a space, which a token of the answer takes in.
    let template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}\
        assistant: {% endif %}";
    let chat = |answer: &str| json!({"messages": [message("user", "the cat?", json!({})), message("assistant", answer, json!({}))]});
    let records = [chat("(no)"), chat("sat"), chat("red")];
    let (_, stats) = load(template, &records, |_| {}).unwrap();
    assert_eq!(stats.unlike_generation, 2, "{stats:?}");
    let first = stats.first_unlike_generation.unwrap().to_string();
    assert!(first.contains("data.jsonl, line 2, messages[1]: generation begins after the tokens "), "{first}");
    assert!(first.ends_with("`:` `Ġ`, where training has `t` `:` `Ġsat`") || first.contains("`Ġsat`"), "{first}");

    for template in [MARKED, PLAIN] {
        let (_, stats) = load(template, &records, |_| {}).unwrap();
        assert_eq!((stats.unlike_generation, stats.first_unlike_generation), (0, None), "{template}");
    }

    // Marked, but another header for generation.
    let template = MARKED.replace("{{- '<|im_start|>assistant\\n' }}", "{{- '<|im_start|>now assistant\\n' }}");
    assert_ne!(template, MARKED);
    let (_, stats) = load(&template, &records, |_| {}).unwrap();
    assert_eq!(stats.unlike_generation, 3);
    let first = stats.first_unlike_generation.unwrap().to_string();
    assert!(first.contains("line 1, messages[1]: the template shows generation \"now "), "{first}");
}

/// What is kept of the data set is found by what its file holds, wherever that lies by then.
#[test]
fn a_prompt_that_training_does_not_have_is_reported_of_the_file_at_hand() {
    let template = MARKED.replace("{{- '<|im_start|>assistant\\n' }}", "{{- '<|im_start|>now assistant\\n' }}");
    let (dir, tokenizer) = tokenizer(&template);
    let chat = json!({"messages": [message("user", "the cat?", json!({})), message("assistant", "no", json!({}))]});
    let plain = dir.path().join("plain.jsonl");
    fs::write(&plain, json!({"text": "the cat"}).to_string()).unwrap();
    let mut before = dir.path().join("before.jsonl");
    fs::write(&before, format!("\n{chat}")).unwrap();
    for name in ["before.jsonl", "after.jsonl"] {
        let path = dir.path().join(name);
        fs::rename(&before, &path).unwrap();
        before.clone_from(&path);
        let options = DatasetOptions::new([plain.clone(), path.clone()], 256);
        for _ in 0..2 {
            let cache = Some(dir.path());
            let dataset = Dataset::load(&options, &tokenizer, cache, &AtomicBool::new(false), |_| {}).unwrap();
            let first = dataset.stats().first_unlike_generation.as_ref().unwrap().to_string();
            let expected = format!("{}, line 2, messages[1]: the template shows generation ", path.display());
            assert!(first.starts_with(&expected), "{first}");
        }
    }
    assert_eq!(fs::read_dir(dir.path().join("datasets")).unwrap().count(), 1);
}

#[test]
fn a_token_that_the_tokenizer_lacks_is_not_blamed_on_the_data() {
    let template = "{{ bos_token + messages[0].content }}";
    let record = json!({"messages": [message("assistant", "yes", json!({}))]});
    let error = load(template, &[record], |options| options.skip_bad = true).unwrap_err();
    assert!(!matches!(error, Error::Line { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("the chat template reads bos_token, which the tokenizer does not have"), "{message}");
    assert!(!message.contains("correct the line"), "{message}");
}

/// The line is right where the template is not.
#[test]
fn a_record_that_the_template_refuses_is_not_told_to_be_corrected_alone() {
    let record = json!({"messages": [
        message("user", "the cat?", json!({})),
        message("assistant", "no", json!({})),
        message("user", "the mat?", json!({})),
        message("assistant", "yes", json!({})),
    ]});
    let refusing = "{{ raise_exception('no system') }}";
    // What a message says stands there twice, so that no place is its own.
    let twice = "{{ message.content }}{{ message.content }}{{ messages | length }}";
    let changing = PLAIN.replace("{{ message.content }}", twice);
    for (template, expected) in [
        (refusing, "no system (line 1 of the template); correct the messages or the template"),
        (&changing, "around the assistant's text in the template, or set train_on_inputs"),
    ] {
        let error = load(template, std::slice::from_ref(&record), |_| {}).unwrap_err().to_string();
        assert!(error.contains("data.jsonl, line 1: ") && error.ends_with(expected), "{error}");
        let skipped = load(template, std::slice::from_ref(&record), |options| options.skip_bad = true).unwrap_err();
        assert!(skipped.to_string().contains("(1 bad line was skipped)"), "{skipped}");
    }
}
