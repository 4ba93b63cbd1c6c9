//! A message of a conversation.

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Number, Value, json};

use crate::Malformed;

/// Digits of an integer that an error has.
const DIGITS_SHOWN_MAX: usize = 40;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Who sets the rules; OpenAI's `developer` is the same.
    System,
    /// Who asks.
    User,
    /// Who answers.
    Assistant,
    /// A tool with its result.
    Tool,
}

impl Role {
    /// The name that chat templates know.
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    fn read(name: &str) -> Option<Role> {
        Some(match name {
            "system" | "developer" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            _ => return None,
        })
    }
}

/// A message: `role`, `content` as a text or as a list of parts that are texts or refusals, and what else chat templates read (`tool_calls`,
/// `tool_call_id`, `name`, `reasoning_content`).
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    role: Role,
    fields: Map<String, Value>,
}

impl Message {
    /// Who says it.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The message as chat templates take it: with the role's name there, and the arguments of calls as objects.
    ///
    /// # Errors
    /// A call's arguments are no object, or have a number whose digits are not kept. The field is told from the message on, e.g. `tool_calls[0].function.arguments`.
    pub fn into_template(self) -> Result<Value, Malformed> {
        let mut fields = self.fields;
        fields.insert("role".to_owned(), Value::from(self.role.name()));
        // Of an answer that is a refusal clients send back that, and templates know `content` alone.
        let refusal = fields.get("refusal").and_then(Value::as_str).filter(|said| !said.is_empty());
        let is_empty = fields.get("content").is_none_or(|content| content.is_null() || *content == json!([]));
        if let Some(said) = refusal.filter(|_| is_empty) {
            let said = Value::from(said);
            fields.insert("content".to_owned(), said);
        }
        for part in fields.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(said) = part.get("refusal").filter(|_| part["type"] == "refusal") {
                *part = json!({"type": "text", "text": said});
            }
        }
        if let Some(calls) = fields.get_mut("tool_calls").and_then(Value::as_array_mut) {
            for (index, call) in calls.iter_mut().enumerate() {
                let Some(arguments) = call.pointer_mut("/function/arguments") else { continue };
                *arguments = read_arguments(arguments.take()).map_err(|rule| {
                    let param = format!("tool_calls[{index}].function.arguments");
                    Malformed::field(param, format!("the arguments of a call {rule}"))
                })?;
            }
        }
        Ok(Value::Object(fields))
    }
}

/// Clients send arguments as text, and templates print them as JSON or go through them by name. No text is no arguments, as vLLM has it.
fn read_arguments(given: Value) -> Result<Value, String> {
    const ADVICE: &str =
        "send the JSON of an object, as the answer that made the call has it, and leave out a call that was cut";
    let read = match given {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => {
            let read = serde_json::from_str(&text).map_err(|error| format!("are no JSON ({error}): {ADVICE}"))?;
            if let Some(digits) = large_integer(&text) {
                let shown: String = digits.chars().take(DIGITS_SHOWN_MAX).collect();
                return Err(format!("have the integer {shown}, which 64 bits do not hold: send it as a text"));
            }
            read
        }
        other => {
            if let Some(number) = large_number(&other) {
                return Err(format!(
                    "have the number {number}, and integers that 64 bits do not hold are read with other digits: send it as a text, or the arguments as the text of their JSON, where a float may be as large"
                ));
            }
            other
        }
    };
    if read.is_object() { Ok(read) } else { Err(format!("are no JSON object: {ADVICE}")) }
}

/// The first integer of a valid JSON that 64 bits do not hold: it would be read as a float, and come to the model with other digits.
fn large_integer(json: &str) -> Option<&str> {
    let (mut in_text, mut is_escaped, mut begin) = (false, false, None);
    for (at, byte) in json.bytes().chain([b' ']).enumerate() {
        if in_text {
            in_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match (byte, begin) {
            (b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E', Some(_)) => {}
            (b'0'..=b'9' | b'-', None) => begin = Some(at),
            (_, Some(first)) => {
                begin = None;
                let number = &json[first..at];
                let is_float = number.contains(['.', 'e', 'E']);
                if !is_float && number.parse::<i64>().is_err() && number.parse::<u64>().is_err() {
                    return Some(number);
                }
            }
            _ => {}
        }
        in_text = byte == b'"';
    }
    None
}

/// The first number of a value that may have been an integer which 64 bits do not hold: as a float it is what has been read of it, and the digits are gone.
fn large_number(value: &Value) -> Option<&Number> {
    const BEGIN: f64 = i64::MIN as f64;
    const END: f64 = u64::MAX as f64;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64())?;
            // Both ends are rounded to powers of 2, as are integers next to them.
            (float <= BEGIN || float >= END).then_some(number)
        }
        Value::Array(values) => values.iter().find_map(large_number),
        Value::Object(fields) => fields.values().find_map(large_number),
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        let role = match fields.get("role") {
            Some(Value::String(role)) => Role::read(role)
                .ok_or_else(|| D::Error::custom("its role should be system, developer, user, assistant or tool"))?,
            _ => return Err(D::Error::custom("it needs a `role`: system, developer, user, assistant or tool")),
        };
        check(role, &fields).map_err(D::Error::custom)?;
        Ok(Message { role, fields })
    }
}

fn check(role: Role, fields: &Map<String, Value>) -> Result<(), String> {
    match fields.get("content") {
        Some(Value::String(_)) => {}
        Some(Value::Array(parts)) => {
            for (index, part) in parts.iter().enumerate() {
                check_part(part).map_err(|rule| format!("content[{index}] {rule}"))?;
            }
        }
        None | Some(Value::Null) if role == Role::Assistant => {}
        None | Some(Value::Null) => return Err(format!("a message of the role {} needs `content`", role.name())),
        Some(_) => return Err("`content` should be a text or a list of parts".to_owned()),
    }
    match fields.get("tool_calls") {
        None | Some(Value::Null) => Ok(()),
        Some(Value::Array(calls)) if calls.iter().all(|call| call["function"]["name"].is_string()) => Ok(()),
        Some(_) => Err("`tool_calls` should be a list of calls, each with `function.name`".to_owned()),
    }
}

fn check_part(part: &Value) -> Result<(), String> {
    match part["type"].as_str() {
        Some(kind @ ("text" | "refusal")) if part[kind].is_string() => Ok(()),
        Some(kind @ ("text" | "refusal")) => Err(format!("has no `{kind}`")),
        Some("image_url" | "input_audio" | "file" | "video_url") => {
            Err("is no text: images, audio, video and files are not supported".to_owned())
        }
        _ => Err("should be of the type `text` or `refusal`".to_owned()),
    }
}

impl JsonSchema for Message {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let part = |kind: &str| {
            schemars::json_schema!({
                "type": "object",
                "properties": {"type": {"const": kind}, (kind): {"type": "string"}},
                "required": ["type", kind],
            })
        };
        let part = schemars::json_schema!({"anyOf": [part("text"), part("refusal")]});
        schemars::json_schema!({
            "type": "object",
            "description": "A message. What it has beside these fields goes to the model's chat template.",
            "properties": {
                "role": {"enum": ["system", "developer", "user", "assistant", "tool"]},
                "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": part}, {"type": "null"}]},
                "tool_calls": {"type": ["array", "null"], "items": {"type": "object"}},
                "tool_call_id": {"type": ["string", "null"]},
                "refusal": {"type": ["string", "null"], "description": "Stands for the content where there is none."},
                "name": {"type": ["string", "null"]},
            },
            "required": ["role"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments as a template has them.
    fn read(arguments: &str) -> Result<String, String> {
        let call = format!(r#"{{"function": {{"name": "f", "arguments": {arguments}}}}}"#);
        let message = format!(r#"{{"role": "assistant", "tool_calls": [{call}]}}"#);
        let read = serde_json::from_str::<Message>(&message).unwrap().into_template();
        read.map(|read| read["tool_calls"][0]["function"]["arguments"].to_string()).map_err(|error| error.message)
    }

    #[test]
    fn a_refusal_is_what_was_said() {
        let told = |message: Value| serde_json::from_value::<Message>(message).unwrap().into_template().unwrap();
        let refused = json!({"role": "assistant", "content": "No.", "refusal": "No."});
        assert_eq!(told(json!({"role": "assistant", "content": null, "refusal": "No."})), refused);
        assert_eq!(told(json!({"role": "assistant", "refusal": "No."})), refused);
        assert_eq!(told(json!({"role": "assistant", "content": [], "refusal": "No."})), refused);
        let [told_as, sent] = [json!({"type": "text", "text": "No."}), json!({"type": "refusal", "refusal": "No."})];
        assert_eq!(told(json!({"role": "assistant", "content": [sent]}))["content"], json!([told_as]));
        for mut kept in [json!({"content": "Yes.", "refusal": "No."}), json!({"content": null, "refusal": ""})] {
            kept["role"] = json!("assistant");
            assert_eq!(told(kept.clone()), kept);
        }
    }

    #[test]
    fn no_integer_comes_to_a_model_with_other_digits() {
        for kept in ["18446744073709551615", "-9223372036854775808", "1844674407370955.5", "1e+19", "-9.2e+18"] {
            let object = format!(r#"{{"a":[{{"b":{kept}}}]}}"#);
            assert_eq!(read(&object), Ok(object.clone()));
            assert_eq!(read(&Value::from(object.clone()).to_string()), Ok(object));
        }
        for (lost, read_as) in [
            ("18446744073709551616", "1.8446744073709552e+19"),
            ("-9223372036854775809", "-9.223372036854776e+18"),
            ("12345678901234567890123", "1.2345678901234568e+22"),
        ] {
            let object = format!(r#"{{"a":[{{"b":{lost}}}]}}"#);
            let said = read(&object).unwrap_err();
            assert!(said.starts_with(&format!("the arguments of a call have the number {read_as}, and ")), "{said}");
            let said = read(&Value::from(object).to_string()).unwrap_err();
            assert!(said.starts_with(&format!("the arguments of a call have the integer {lost}, which ")), "{said}");
        }
        assert_eq!(read(r#""{\"a\":1e+30}""#).as_deref(), Ok(r#"{"a":1e+30}"#));
    }
}
