//! The forms of a training sample in JSONL, parsed once into a [`Record`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The form of the lines of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// `{"text"}`: a document, every token of which is a target.
    #[serde(alias = "completion")]
    Text,
    /// `{"messages": [{"role", "content"}, …], "tools"?}`.
    #[serde(rename = "chat_template", alias = "messages", alias = "chat")]
    Messages,
    /// `{"prompt", "completion"}`.
    PromptCompletion,
    /// `{"instruction", "input"?, "output"}`, in the wording of Stanford Alpaca.
    Alpaca,
    /// `{"conversations": [{"from", "value"}, …]}`.
    Sharegpt,
}

impl Form {
    /// The names that a configuration may use, the preferred one of each form.
    pub const NAMES: [&str; 5] = ["text", "chat_template", "prompt_completion", "alpaca", "sharegpt"];

    /// The form that the keys of a line tell, or `None`.
    pub fn detect(line: &Map<String, Value>) -> Option<Form> {
        let has = |key: &str| line.contains_key(key);
        match () {
            () if has("messages") => Some(Form::Messages),
            () if has("conversations") => Some(Form::Sharegpt),
            () if has("prompt") && has("completion") => Some(Form::PromptCompletion),
            () if has("instruction") && has("output") => Some(Form::Alpaca),
            () if has("text") => Some(Form::Text),
            () => None,
        }
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        serde_json::from_value(Value::from(name))
            .map_err(|_| format!("{name:?} is no form of data; the forms are {}", Form::NAMES.join(", ")))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Form::NAMES[*self as usize])
    }
}

/// One sample, as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A document.
    Text(String),
    /// A conversation.
    Chat {
        /// Objects with a `role`.
        messages: Vec<Value>,
        /// JSON schemas of tools.
        tools: Option<Value>,
    },
    /// A prompt and what should follow it.
    Completion {
        /// What is given.
        prompt: String,
        /// What is learned.
        completion: String,
    },
}

impl Record {
    /// Parses the object of one line. The error is a clause that says which rule broke.
    pub fn parse(form: Form, line: &Map<String, Value>) -> Result<Record, String> {
        match form {
            Form::Text => Ok(Record::Text(string(line, "text")?)),
            Form::Messages => {
                let messages = list(line, "messages")?;
                for (index, message) in messages.iter().enumerate() {
                    let role = message.as_object().and_then(|message| message.get("role"));
                    if role.and_then(Value::as_str).is_none() {
                        return Err(format!("messages[{index}] has no \"role\""));
                    }
                }
                Ok(Record::Chat { messages, tools: tools(line)? })
            }
            Form::PromptCompletion => {
                Ok(Record::Completion { prompt: string(line, "prompt")?, completion: string(line, "completion")? })
            }
            Form::Alpaca => {
                Ok(Record::Completion { prompt: alpaca_prompt(line)?, completion: string(line, "output")? })
            }
            Form::Sharegpt => {
                let turns = list(line, "conversations")?;
                let messages = turns.iter().enumerate().map(|(index, turn)| sharegpt_message(index, turn));
                Ok(Record::Chat { messages: messages.collect::<Result<_, _>>()?, tools: tools(line)? })
            }
        }
    }

    /// The texts that a tokenizer is trained on, without what a template adds.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Record::Text(text) => vec![text],
            Record::Chat { messages, .. } => {
                messages.iter().filter_map(|message| message.get("content")?.as_str()).collect()
            }
            Record::Completion { prompt, completion } => vec![prompt, completion],
        }
    }
}

fn string(line: &Map<String, Value>, key: &str) -> Result<String, String> {
    match line.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(format!("the key {key:?} must be a string, not {}", kind(other))),
        None => Err(format!("the key {key:?} is missing")),
    }
}

fn list(line: &Map<String, Value>, key: &str) -> Result<Vec<Value>, String> {
    match line.get(key) {
        Some(Value::Array(items)) if items.is_empty() => Err(format!("{key:?} is empty")),
        Some(Value::Array(items)) => Ok(items.clone()),
        Some(other) => Err(format!("the key {key:?} must be a list, not {}", kind(other))),
        None => Err(format!("the key {key:?} is missing")),
    }
}

/// Tools are a list of schemas; tables of Arrow or Parquet origin hold them as a JSON string.
fn tools(line: &Map<String, Value>) -> Result<Option<Value>, String> {
    match line.get("tools") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(tools)) if tools.is_empty() => Ok(None),
        Some(tools @ Value::Array(_)) => Ok(Some(tools.clone())),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(tools @ Value::Array(_)) => Ok(Some(tools)),
            _ => Err("\"tools\" is a string that holds no JSON list".to_owned()),
        },
        Some(other) => Err(format!("the key \"tools\" must be a list, not {}", kind(other))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The prompts of <https://github.com/tatsu-lab/stanford_alpaca>, with and without an input.
fn alpaca_prompt(line: &Map<String, Value>) -> Result<String, String> {
    let instruction = string(line, "instruction")?;
    let input = match line.get("input") {
        None | Some(Value::Null) => String::new(),
        Some(_) => string(line, "input")?,
    };
    Ok(if input.is_empty() {
        format!(
            "Below is an instruction that describes a task. Write a response that appropriately completes the \
             request.\n\n### Instruction:\n{instruction}\n\n### Response:\n"
        )
    } else {
        format!(
            "Below is an instruction that describes a task, paired with an input that provides further context. Write \
             a response that appropriately completes the request.\n\n### Instruction:\n{instruction}\n\n### \
             Input:\n{input}\n\n### Response:\n"
        )
    })
}

fn sharegpt_message(index: usize, turn: &Value) -> Result<Value, String> {
    let field = |key| turn.get(key).and_then(Value::as_str).ok_or(format!("conversations[{index}] has no {key:?}"));
    let role = match field("from")? {
        "human" | "user" => "user",
        "gpt" | "assistant" | "chatgpt" | "bing" | "bard" | "model" => "assistant",
        "system" => "system",
        "tool" | "observation" | "function_response" => "tool",
        other => return Err(format!("conversations[{index}] is from {other:?}: expected human, gpt, system or tool")),
    };
    Ok(json!({"role": role, "content": field("value")?}))
}

#[cfg(test)]
mod tests {
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
            (json!({"prompt": "a", "chosen": "b"}), None),
        ];
        for (line, expected) in cases {
            assert_eq!(Form::detect(&object(line.clone())), expected, "{line}");
        }
        for name in Form::NAMES {
            assert_eq!(name.parse::<Form>().map(|form| form.to_string()), Ok(name.to_owned()));
        }
        assert_eq!("messages".parse(), Ok(Form::Messages));
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
    fn sharegpt_becomes_messages() {
        let line = object(json!({"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}));
        let messages = vec![json!({"role": "user", "content": "a"}), json!({"role": "assistant", "content": "b"})];
        assert_eq!(Record::parse(Form::Sharegpt, &line), Ok(Record::Chat { messages, tools: None }));
    }
}
