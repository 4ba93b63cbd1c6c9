//! A message of a conversation.

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

/// Who says something.
const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// A message: `role`, `content` as a text or as a list of parts that are texts or refusals, and what else chat templates read (`tool_calls`,
/// `tool_call_id`, `name`, `reasoning_content`).
#[derive(Clone, Debug, PartialEq)]
pub struct Message(Map<String, Value>);

impl Message {
    /// What was sent.
    pub fn into_fields(self) -> Map<String, Value> {
        self.0
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        let role = match fields.get("role") {
            Some(Value::String(role)) if ROLES.contains(&role.as_str()) => role,
            Some(Value::String(_)) => {
                return Err(D::Error::custom("its role should be system, developer, user, assistant or tool"));
            }
            _ => return Err(D::Error::custom("it needs a `role`: system, developer, user, assistant or tool")),
        };
        check(role, &fields).map_err(D::Error::custom)?;
        Ok(Message(fields))
    }
}

fn check(role: &str, fields: &Map<String, Value>) -> Result<(), String> {
    match fields.get("content") {
        Some(Value::String(_)) => {}
        Some(Value::Array(parts)) => {
            for (index, part) in parts.iter().enumerate() {
                check_part(part).map_err(|rule| format!("content[{index}] {rule}"))?;
            }
        }
        None | Some(Value::Null) if role == "assistant" => {}
        None | Some(Value::Null) => return Err(format!("a message of the role {role} needs `content`")),
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
                "role": {"enum": ROLES},
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
