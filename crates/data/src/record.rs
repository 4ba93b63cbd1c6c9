//! The forms of a training sample in JSON, parsed once into a [`Record`].

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::canonical::canonical_tool;
use crate::fields::Fields;
use crate::messages;
use crate::template::ChatTemplate;
use crate::tokenizer::Tokenizer;

/// The form of a data set's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `{"text"}`: a document, every token of which is a target.
    Text,
    /// `{"messages": [{"role", "content"}, …], "tools"?, "system"?}`.
    Messages,
    /// `{"prompt", "completion"}`, both texts or both lists of messages.
    PromptCompletion,
    /// `{"instruction", "input"?, "output"}`, in the wording of Stanford Alpaca.
    Alpaca,
    /// `{"conversations": [{"from", "value"}, …], "tools"?, "system"?}`.
    Sharegpt,
    /// `{"segments": [{"label", "text"}, …]}`: texts end to end, of which those labelled true are targets.
    InputOutput,
}

impl Form {
    /// The names that a configuration may use, the preferred one of each form.
    pub const NAMES: [&str; 6] =
        ["completion", "chat_template", "prompt_completion", "alpaca", "sharegpt", "input_output"];
    const ALL: [Form; 6] =
        [Form::Text, Form::Messages, Form::PromptCompletion, Form::Alpaca, Form::Sharegpt, Form::InputOutput];

    /// The form that the keys of a record tell, or `None`. One that is null is not there: tables have every column in each row.
    pub fn detect(record: &Map<String, Value>) -> Option<Form> {
        Form::detect_with(record, &Fields::default())
    }

    /// The keys of a record whose form they do not tell, as a message shows them.
    pub fn shown_keys(record: &Map<String, Value>) -> String {
        let shown = |(key, value): (&String, &Value)| match value {
            Value::Null => format!("{key:?} (which is null, as if it were not there)"),
            _ => format!("{key:?}"),
        };
        record.iter().map(shown).collect::<Vec<_>>().join(", ")
    }

    /// As [`Form::detect`], with the keys that `fields` name.
    pub(crate) fn detect_with(record: &Map<String, Value>, fields: &Fields) -> Option<Form> {
        let has = |key: &str| is_there(record, key);
        // What somebody names is meant, and told to be missing where it is null.
        let named = |field: &Option<String>| field.as_deref().is_some_and(|key| record.contains_key(key));
        // Under the name that is given, or the usual one.
        let reads = |field: &Option<String>, usual: &str| if field.is_some() { named(field) } else { has(usual) };
        let is_instruction = reads(&fields.instruction, "instruction") && reads(&fields.output, "output");
        match () {
            // What only one form reads is named for it.
            () if named(&fields.messages) => Some(Form::Messages),
            () if is_instruction && (named(&fields.instruction) || named(&fields.output)) => Some(Form::Alpaca),
            () if named(&fields.text) => Some(Form::Text),
            () if has("messages") => Some(Form::Messages),
            () if has("conversations") => Some(Form::Sharegpt),
            () if has("prompt") && (has("completion") || has("response")) => Some(Form::PromptCompletion),
            () if is_instruction => Some(Form::Alpaca),
            () if has("segments") => Some(Form::InputOutput),
            () if has("text") && fields.text.is_none() => Some(Form::Text),
            () => None,
        }
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let preferred = match name {
            "text" => "completion",
            "messages" | "chat" => "chat_template",
            other => other,
        };
        let index = Form::NAMES.iter().position(|known| *known == preferred);
        let index =
            index.ok_or_else(|| format!("{name:?} is no form of data; the forms are {}", Form::NAMES.join(", ")))?;
        Ok(Form::ALL[index])
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Form::NAMES[*self as usize])
    }
}

/// A part of a sample that is text end to end with its neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Whether the loss counts it.
    pub train: bool,
}

/// One sample, as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A document.
    Text(String),
    /// A conversation.
    Chat {
        /// Objects with a `role`, as [`crate::canonical_message`] gives them.
        messages: Vec<Value>,
        /// JSON schemas of tools.
        tools: Option<Value>,
        /// What each message says of itself, whether the loss counts it (`"train"`, `"weight"`); `None` leaves it to its
        /// role.
        train: Vec<Option<bool>>,
        /// How many messages, from the first, are a prompt, of which no role is learned.
        given: usize,
    },
    /// A prompt and what should follow it.
    Completion {
        /// What is given.
        prompt: String,
        /// What is learned.
        completion: String,
    },
    /// Texts without a template.
    Pieces(Vec<Piece>),
}

impl Record {
    /// A conversation whose messages are learned by their roles.
    pub fn conversation(messages: Vec<Value>, tools: Option<Value>) -> Record {
        let train = vec![None; messages.len()];
        Record::Chat { messages, tools, train, given: 0 }
    }

    /// Parses the object of one record. The error is a clause that says which rule broke.
    pub fn parse(form: Form, record: &Map<String, Value>) -> Result<Record, String> {
        Record::take(form, &Fields::default(), record.clone())
    }

    /// As [`Record::parse`], with the keys that `fields` name; the record's texts are moved, not copied.
    pub(crate) fn take(form: Form, fields: &Fields, mut record: Map<String, Value>) -> Result<Record, String> {
        let record = &mut record;
        match form {
            Form::Text => Ok(Record::Text(string(record, Fields::key(&fields.text, "text"))?)),
            Form::Messages | Form::Sharegpt => {
                let sharegpt = form == Form::Sharegpt;
                let key = Fields::key(&fields.messages, if sharegpt { "conversations" } else { "messages" });
                let messages = messages::normal(key, list(record, key)?, sharegpt, fields)?;
                chat(messages::with_system(messages, record, fields)?, 0, tools(record, fields)?)
            }
            Form::PromptCompletion => prompt_completion(record, fields),
            Form::Alpaca => Ok(Record::Completion {
                prompt: alpaca_prompt(record, fields)?,
                completion: string(record, Fields::key(&fields.output, "output"))?,
            }),
            Form::InputOutput => {
                let segments = list(record, "segments")?;
                let pieces = segments.into_iter().enumerate().map(|(index, segment)| piece(index, segment));
                Ok(Record::Pieces(pieces.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Whether all roles of a conversation are known: to its chat template, or to `fields`.
    ///
    /// # Errors
    /// A clause that names the one that is not.
    pub fn check_roles(&self, tokenizer: &Tokenizer, fields: &Fields) -> Result<(), String> {
        let Record::Chat { messages, tools, .. } = self else { return Ok(()) };
        let template = tokenizer.chat_template(tools.is_some()).map(ChatTemplate::source);
        messages::check_roles(messages, fields, template)
    }

    /// The texts that a tokenizer is trained on, without what a template adds.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Record::Text(text) => vec![text],
            Record::Chat { messages, .. } => messages.iter().flat_map(messages::texts).collect(),
            Record::Completion { prompt, completion } => vec![prompt, completion],
            Record::Pieces(pieces) => pieces.iter().map(|piece| piece.text.as_str()).collect(),
        }
    }
}

fn chat(messages: Vec<(Value, Option<bool>)>, given: usize, tools: Option<Value>) -> Result<Record, String> {
    let (messages, train) = messages.into_iter().unzip();
    Ok(Record::Chat { messages, tools, train, given })
}

fn prompt_completion(record: &mut Map<String, Value>, fields: &Fields) -> Result<Record, String> {
    let answer =
        if is_there(record, "completion") || !is_there(record, "response") { "completion" } else { "response" };
    match (record.get("prompt"), record.get(answer)) {
        // Of a conversation the completion alone is learned, as in TRL.
        (Some(Value::Array(_)), Some(Value::Array(_))) => {
            let messages = messages::normal("prompt", list(record, "prompt")?, false, fields)?;
            let mut messages = messages::with_system(messages, record, fields)?;
            let given = messages.len();
            messages.extend(messages::normal(answer, list(record, answer)?, false, fields)?);
            chat(messages, given, tools(record, fields)?)
        }
        (Some(Value::Array(_)), Some(Value::String(_))) | (Some(Value::String(_)), Some(Value::Array(_))) => {
            Err(format!("\"prompt\" and {answer:?} must both be texts or both be lists of messages"))
        }
        _ => {
            if fields.take_system(record)?.is_some() {
                let key = Fields::key(&fields.system, "system");
                return Err(format!(
                    "{key:?} stands before messages, and the prompt is a text: put it there, or leave the key out"
                ));
            }
            Ok(Record::Completion { prompt: string(record, "prompt")?, completion: string(record, answer)? })
        }
    }
}

/// Whether a record has a value under a key.
fn is_there(record: &Map<String, Value>, key: &str) -> bool {
    record.get(key).is_some_and(|value| !value.is_null())
}

fn piece(index: usize, segment: Value) -> Result<Piece, String> {
    match (segment.get("label"), segment.get("text")) {
        (Some(Value::Bool(train)), Some(Value::String(text))) => Ok(Piece { text: text.clone(), train: *train }),
        _ => Err(format!("segments[{index}] must have a \"label\", true or false, and a \"text\"")),
    }
}

fn string(record: &mut Map<String, Value>, key: &str) -> Result<String, String> {
    match record.get_mut(key).map(Value::take) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(format!("the key {key:?} must be a string, not {}", kind(&other))),
        None => Err(format!("the key {key:?} is missing")),
    }
}

fn list(record: &mut Map<String, Value>, key: &str) -> Result<Vec<Value>, String> {
    match record.get_mut(key).map(Value::take) {
        Some(Value::Array(items)) if items.is_empty() => Err(format!("{key:?} is empty")),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(format!("the key {key:?} must be a list, not {}", kind(&other))),
        None => Err(format!("the key {key:?} is missing")),
    }
}

/// Tools are a list of schemas; tables of Arrow or Parquet origin hold them as a JSON string, an empty one where there are none.
fn tools(record: &mut Map<String, Value>, fields: &Fields) -> Result<Option<Value>, String> {
    let key = Fields::key(&fields.tools, "tools");
    let tools = match record.get_mut(key).map(Value::take) {
        Some(Value::String(text)) if text.trim().is_empty() => None,
        Some(Value::String(text)) => match serde_json::from_str(&text) {
            Ok(tools @ (Value::Array(_) | Value::Null)) => Some(tools),
            _ => return Err(format!("{key:?} is a string that holds no JSON list")),
        },
        tools => tools,
    };
    match tools {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(tools)) if tools.is_empty() => Ok(None),
        Some(Value::Array(tools)) => Ok(Some(tools.into_iter().map(canonical_tool).collect())),
        Some(other) => Err(format!("the key {key:?} must be a list, not {}", kind(&other))),
    }
}

/// What a value is, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The prompts of <https://github.com/tatsu-lab/stanford_alpaca>, with and without an input; a system prompt of the
/// record's own stands in place of their first sentences.
fn alpaca_prompt(record: &mut Map<String, Value>, fields: &Fields) -> Result<String, String> {
    let instruction = string(record, Fields::key(&fields.instruction, "instruction"))?;
    let mut optional = |key: &str| match record.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(_) => string(record, key),
    };
    let input = optional(Fields::key(&fields.input, "input"))?;
    let system = fields.system.as_deref().map(optional).transpose()?.unwrap_or_default();
    let preamble = match (system.is_empty(), input.is_empty()) {
        (false, _) => &system,
        (true, true) => {
            "Below is an instruction that describes a task. Write a response that appropriately completes the request."
        }
        (true, false) => {
            "Below is an instruction that describes a task, paired with an input that provides further context. Write a \
             response that appropriately completes the request."
        }
    };
    let input = if input.is_empty() { String::new() } else { format!("### Input:\n{input}\n\n") };
    Ok(format!("{preamble}\n\n### Instruction:\n{instruction}\n\n{input}### Response:\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(line: Value) -> Map<String, Value> {
        line.as_object().cloned().expect("an object")
    }

    #[test]
    fn forms_are_detected_by_their_keys() {
        let cases = [
            (json!({"text": "a"}), Some(Form::Text)),
            (json!({"messages": []}), Some(Form::Messages)),
            (json!({"prompt": "a", "completion": "b", "text": "ab"}), Some(Form::PromptCompletion)),
            (json!({"instruction": "a", "output": "b"}), Some(Form::Alpaca)),
            (json!({"conversations": []}), Some(Form::Sharegpt)),
            (json!({"prompt": "a", "response": "b"}), Some(Form::PromptCompletion)),
            (json!({"segments": []}), Some(Form::InputOutput)),
            (json!({"prompt": "a", "chosen": "b"}), None),
            (json!({"messages": null, "conversations": null, "text": "a"}), Some(Form::Text)),
            (json!({"prompt": "a", "completion": null, "response": "b"}), Some(Form::PromptCompletion)),
            (json!({"prompt": "a", "completion": null, "instruction": "a", "output": "b"}), Some(Form::Alpaca)),
            (json!({"text": null}), None),
        ];
        for (line, expected) in cases {
            assert_eq!(Form::detect(&object(line.clone())), expected, "{line}");
        }
        let key = |name: &str| Some(name.to_owned());
        let answer = Fields { instruction: key("prompt"), output: key("response"), ..Fields::default() };
        let output = Fields { output: key("reply"), ..Fields::default() };
        let body = Fields { text: key("body"), ..Fields::default() };
        let talk = Fields { messages: key("talk"), ..Fields::default() };
        let cases = [
            (&answer, json!({"prompt": "a", "response": "b"}), Some(Form::Alpaca)),
            (&answer, json!({"prompt": "a", "response": null}), Some(Form::Alpaca)),
            (&answer, json!({"messages": [], "prompt": "a", "response": "b"}), Some(Form::Alpaca)),
            (&answer, json!({"prompt": "a", "completion": "b"}), Some(Form::PromptCompletion)),
            (&answer, json!({"instruction": "a", "output": "b"}), None),
            (&output, json!({"prompt": "a", "response": "b", "instruction": "c", "reply": "d"}), Some(Form::Alpaca)),
            (&output, json!({"instruction": "a", "output": "b", "text": "c"}), Some(Form::Text)),
            (&body, json!({"prompt": "a", "completion": "b", "body": "c"}), Some(Form::Text)),
            (&body, json!({"messages": [], "body": "c"}), Some(Form::Text)),
            (&body, json!({"text": "a"}), None),
            (&talk, json!({"talk": null, "text": "a"}), Some(Form::Messages)),
        ];
        for (fields, line, expected) in cases {
            assert_eq!(Form::detect_with(&object(line.clone()), fields), expected, "{line}");
        }
        for name in Form::NAMES {
            assert_eq!(name.parse::<Form>().map(|form| form.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("messages".parse(), Ok(Form::Messages));
        assert_eq!("text".parse(), Ok(Form::Text));
        assert!(
            "foo".parse::<Form>().unwrap_err().ends_with(
                "; the forms are completion, chat_template, prompt_completion, alpaca, sharegpt, input_output"
            )
        );
        let shown = Form::shown_keys(&object(json!({"id": 1, "text": null})));
        assert_eq!(shown, r#""id", "text" (which is null, as if it were not there)"#);
    }

    #[test]
    fn a_broken_record_says_what_is_wrong() {
        let cases = [
            (Form::Text, json!({"text": 1}), "the key \"text\" must be a string, not a number"),
            (Form::Text, json!({}), "the key \"text\" is missing"),
            (Form::Messages, json!({"messages": []}), "\"messages\" is empty"),
            (Form::Messages, json!({"messages": "hi"}), "the key \"messages\" must be a list, not a string"),
            (Form::Messages, json!({"messages": [{"content": "a"}]}), "messages[0] has no \"role\""),
            (
                Form::Messages,
                json!({"messages": [{"role": "user"}], "tools": "{"}),
                "\"tools\" is a string that holds no JSON list",
            ),
            (Form::PromptCompletion, json!({"prompt": "a"}), "the key \"completion\" is missing"),
            (
                Form::Alpaca,
                json!({"instruction": "a", "input": [], "output": ""}),
                "the key \"input\" must be a string, not a list",
            ),
            (
                Form::Sharegpt,
                json!({"conversations": [{"from": "narrator", "value": "x"}]}),
                "conversations[0] is from \"narrator\": expected human, gpt, system or tool",
            ),
            (Form::Sharegpt, json!({"conversations": [{"from": "gpt"}]}), "conversations[0] has no \"value\""),
        ];
        for (form, line, expected) in cases {
            assert_eq!(Record::parse(form, &object(line.clone())), Err(expected.to_owned()), "{line}");
        }
    }

    #[test]
    fn an_answer_that_is_null_is_not_there() {
        let line = object(json!({"prompt": "a", "completion": null, "response": "b"}));
        let expected = Record::Completion { prompt: "a".to_owned(), completion: "b".to_owned() };
        assert_eq!(Record::parse(Form::PromptCompletion, &line), Ok(expected));
    }

    /// In a string they are what they are outside of one, and have the form of a request's.
    #[test]
    fn tools_in_a_string() {
        let tools = |tools: Value| {
            let line = json!({"messages": [{"role": "user", "content": "a"}], "tools": tools});
            match Record::parse(Form::Messages, &object(line)) {
                Ok(Record::Chat { tools, .. }) => Ok(tools),
                Ok(other) => panic!("{other:?}"),
                Err(reason) => Err(reason),
            }
        };
        for none in [json!(null), json!([]), json!("[]"), json!("null"), json!(""), json!(" \n")] {
            assert_eq!(tools(none.clone()), Ok(None), "{none}");
        }
        assert_eq!(tools(json!("[{\"type\": \"function\"}]")), Ok(Some(json!([{"type": "function"}]))));
        let bare = json!([{"parameters": {"type": "object"}, "name": "look", "description": null}]);
        let told = json!([{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]);
        for given in [bare.clone(), json!(bare.to_string())] {
            let shown = tools(given).map(|tools| tools.map(|tools| tools.to_string()));
            assert_eq!(shown, Ok(Some(told.to_string())));
        }
        for broken in ["{}", "3", "[", "none"] {
            assert_eq!(tools(json!(broken)), Err("\"tools\" is a string that holds no JSON list".to_owned()));
        }
    }

    #[test]
    fn what_the_system_says_stands_before_the_conversation() {
        let fields = |key: Option<&str>| Fields { system: key.map(str::to_owned), ..Fields::default() };
        let said = |form, key: Option<&str>, line: Value| match Record::take(form, &fields(key), object(line)) {
            Ok(Record::Chat { messages, train, given, .. }) => {
                assert_eq!(messages.len(), train.len());
                let text = |message: &Value| format!("{}: {}", message["role"], message["content"]).replace('"', "");
                Ok((messages.iter().map(text).collect::<Vec<_>>().join("; "), given))
            }
            Ok(other) => panic!("{other:?}"),
            Err(reason) => Err(reason),
        };
        let hi = json!([{"role": "user", "content": "hi"}]);
        let own = json!([{"role": "system", "content": "Be short."}, {"role": "user", "content": "hi"}]);
        let own_said = "system: Be short.; user: hi".to_owned();
        let (with, without) = ("system: Be short.; user: hi".to_owned(), "user: hi".to_owned());
        let cases = [
            (Form::Messages, None, json!({"system": "Be short.", "messages": hi}), Ok((with.clone(), 0))),
            (
                Form::Sharegpt,
                Some("rules"),
                json!({"rules": "Be short.", "system": "No.", "conversations": [{"from": "human", "value": "hi"}]}),
                Ok((with.clone(), 0)),
            ),
            (
                Form::PromptCompletion,
                None,
                json!({"system": "Be short.", "prompt": hi, "completion": [{"role": "assistant", "content": "ho"}]}),
                Ok((format!("{with}; assistant: ho"), 2)),
            ),
            (Form::Messages, None, json!({"system": "", "messages": hi}), Ok((without.clone(), 0))),
            (Form::Messages, None, json!({"system": null, "messages": hi}), Ok((without, 0))),
            (Form::Messages, None, json!({"system": "Be short.", "messages": own}), Ok((with, 0))),
            (Form::Messages, None, json!({"system": "Be long.", "messages": own}), Ok((own_said, 0))),
            (
                Form::Messages,
                Some("rules"),
                json!({"rules": "Be long.", "messages": own}),
                Err("\"rules\" is not what the system's message says: leave out one of them".to_owned()),
            ),
            (
                Form::Messages,
                Some("rules"),
                json!({"rules": [], "messages": hi}),
                Err("the key \"rules\" must be a string, not a list".to_owned()),
            ),
        ];
        for (form, key, line, expected) in cases {
            assert_eq!(said(form, key, line.clone()), expected, "{line}");
        }
    }

    #[test]
    fn a_prompt_of_text_has_no_system_before_it() {
        for (named, key) in [(Some("rules".to_owned()), "rules"), (None, "system")] {
            let fields = Fields { system: named, ..Fields::default() };
            let read = |said: &str| {
                let line = json!({"prompt": "a", "completion": "b", key: said});
                Record::take(Form::PromptCompletion, &fields, object(line))
            };
            let refusal =
                format!("{key:?} stands before messages, and the prompt is a text: put it there, or leave the key out");
            assert_eq!(read("Be short."), Err(refusal));
            assert!(read("").is_ok());
        }
    }

    #[test]
    fn sharegpt_becomes_messages() {
        let line = object(json!({"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}));
        let messages = vec![json!({"role": "user", "content": "a"}), json!({"role": "assistant", "content": "b"})];
        assert_eq!(
            Record::parse(Form::Sharegpt, &line),
            Ok(Record::Chat { messages, tools: None, train: vec![None; 2], given: 0 })
        );
    }
}
