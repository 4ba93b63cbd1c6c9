//! Tools that a model may call.

use schemars::JsonSchema;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Tool {
    /// A function.
    Function {
        /// What it is.
        function: FunctionDefinition,
    },
}

/// A function that a model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionDefinition {
    /// Its name.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON schema of its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// Whether calls follow the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// What else is said of it, as transformers' `return`: it goes to the chat template.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Which tools an answer calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// None; the model does not see them.
    None,
    /// What the model chooses.
    #[default]
    Auto,
    /// One or more.
    Required,
    /// This one.
    Function(String),
}

impl<'de> Deserialize<'de> for ToolChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match value.as_str() {
            Some("none") => return Ok(ToolChoice::None),
            Some("auto") => return Ok(ToolChoice::Auto),
            Some("required") => return Ok(ToolChoice::Required),
            _ => {}
        }
        match (value["type"].as_str(), value["function"]["name"].as_str()) {
            (Some("function"), Some(name)) => Ok(ToolChoice::Function(name.to_owned())),
            _ => Err(D::Error::custom(
                "expected \"none\", \"auto\", \"required\" or {\"type\": \"function\", \"function\": {\"name\": …}}",
            )),
        }
    }
}

impl JsonSchema for ToolChoice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ToolChoice".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Which tools an answer calls.",
            "anyOf": [
                {"enum": ["none", "auto", "required"]},
                {
                    "type": "object",
                    "properties": {
                        "type": {"const": "function"},
                        "function": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
                    },
                    "required": ["type", "function"],
                },
            ],
        })
    }
}

/// A call of a tool in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolCall {
    /// By which its result is given back.
    pub id: String,
    /// `function`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// What is called.
    pub function: CalledFunction,
}

/// A function with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CalledFunction {
    /// Its name.
    pub name: String,
    /// Its arguments as JSON.
    pub arguments: String,
}

/// A piece of a call in a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolCallDelta {
    /// Which of the answer's calls.
    pub index: usize,
    /// Its id, with the first piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `function`, with the first piece.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// What there is of the function.
    pub function: ToolCallPiece,
}

/// What a piece has of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolCallPiece {
    /// Its name, with the first piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The next characters of its arguments.
    pub arguments: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// All that was said goes to the template.
    #[test]
    fn a_tool_is_told_as_it_was_sent() {
        let sent = json!({"type": "function", "function": {
            "name": "f",
            "description": "d",
            "parameters": {"type": "object"},
            "return": {"type": "string", "description": "What it is."},
        }});
        let tool: Tool = serde_json::from_value(sent.clone()).unwrap();
        assert_eq!(serde_json::to_value(&tool).unwrap(), sent);
    }
}
