//! Prompts from a file.

use std::path::Path;

use anyhow::{anyhow, bail};
use data::{Form, JsonLines, Record};
use load::Prompt;
use serde_json::{Map, Value};

/// Reads all prompts of a file.
///
/// # Errors
/// It cannot be read, has no prompt, or a line is none.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Prompt>> {
    let mut prompts = Vec::new();
    for object in JsonLines::open(path)? {
        let (line, object) = object?;
        let prompt = prompt(&object).map_err(|reason| anyhow!("{}, line {line}: {reason}", path.display()))?;
        prompts.push(prompt);
    }
    if prompts.is_empty() {
        bail!("there is no prompt in {}: give a file with one JSON object a line", path.display());
    }
    Ok(prompts)
}

/// What a row asks: of a conversation all that stands before the last answer.
fn prompt(object: &Map<String, Value>) -> Result<Prompt, String> {
    match object.get("prompt") {
        Some(Value::String(text)) => return Ok(Prompt::Text(text.clone())),
        Some(Value::Array(messages)) => return Ok(conversation(messages.clone())),
        _ => {}
    }
    let form = Form::detect(object)
        .ok_or("there is neither a prompt nor messages: the keys are \"prompt\", \"messages\" or \"conversations\"")?;
    match Record::parse(form, object)? {
        Record::Text(text) => Ok(Prompt::Text(text)),
        Record::Completion { prompt, .. } => Ok(Prompt::Text(prompt)),
        Record::Chat { mut messages, .. } => {
            let given = ["messages", "conversations"].iter().find_map(|key| object.get(*key)?.as_array());
            // What the system says may stand before them.
            for (message, given) in messages.iter_mut().rev().zip(given.into_iter().flatten().rev()) {
                if let Some(calls) = given.get("tool_calls") {
                    message["tool_calls"] = calls.clone();
                }
            }
            while messages.last().is_some_and(|message| message["role"] == "assistant") {
                messages.pop();
            }
            if messages.is_empty() {
                Err("nothing stands before the answer".to_owned())
            } else {
                Ok(conversation(messages))
            }
        }
        Record::Pieces(_) => Err("segments are for training: give a prompt or messages".to_owned()),
    }
}

/// Messages as any server takes them. OpenAI's API has the arguments of calls as text alone.
fn conversation(mut messages: Vec<Value>) -> Prompt {
    let calls = messages.iter_mut().filter_map(|message| message.get_mut("tool_calls")?.as_array_mut());
    for call in calls.flatten() {
        if let Some(arguments @ Value::Object(_)) = call.pointer_mut("/function/arguments") {
            *arguments = Value::from(arguments.to_string());
        }
    }
    Prompt::Messages(messages)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_of_all_forms_are_prompts() {
        let asked = |row: Value| prompt(row.as_object().unwrap());
        let question = json!({"role": "user", "content": "Why?"});
        let answer = json!({"role": "assistant", "content": "So."});
        for (row, expected) in [
            (json!({"prompt": "a"}), Prompt::Text("a".to_owned())),
            (json!({"prompt": "a", "completion": "b"}), Prompt::Text("a".to_owned())),
            (json!({"text": "a"}), Prompt::Text("a".to_owned())),
            (json!({"prompt": [question]}), Prompt::Messages(vec![question.clone()])),
            (json!({"messages": [question, answer]}), Prompt::Messages(vec![question.clone()])),
            (
                json!({"messages": [question, answer, question]}),
                Prompt::Messages(vec![question.clone(), answer.clone(), question.clone()]),
            ),
            (
                json!({"conversations": [{"from": "human", "value": "Why?"}, {"from": "gpt", "value": "So."}]}),
                Prompt::Messages(vec![question.clone()]),
            ),
        ] {
            assert_eq!(asked(row.clone()), Ok(expected), "{row}");
        }
        for row in [json!({"id": 1}), json!({"messages": [answer]}), json!({"messages": []}), json!({"prompt": 3})] {
            assert!(asked(row.clone()).is_err(), "{row}");
        }
    }

    /// Text as the file has it, and an object as text.
    #[test]
    fn arguments_of_calls_are_sent_as_text() {
        let asked = |arguments: Value| {
            json!([
                {"role": "user", "content": "Why?"},
                {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}]},
                {"role": "tool", "tool_call_id": "c", "content": "So."},
            ])
        };
        for (given, sent) in
            [(json!("{\"a\":  1e30}"), "{\"a\":  1e30}"), (json!({"b": 1, "a": 2}), "{\"b\":1,\"a\":2}")]
        {
            let mut expected = asked(json!(sent)).as_array().cloned().unwrap();
            for key in ["prompt", "messages"] {
                let row = json!({key: asked(given.clone())});
                assert_eq!(prompt(row.as_object().unwrap()), Ok(Prompt::Messages(expected.clone())), "{row}");
            }
            expected.insert(0, json!({"role": "system", "content": "Be short."}));
            let row = json!({"system": "Be short.", "messages": asked(given)});
            assert_eq!(prompt(row.as_object().unwrap()), Ok(Prompt::Messages(expected)), "{row}");
        }
    }
}
