//! What is to be continued or turned into a vector: text or tokens, one or several.

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// A text, its tokens, or a list of either.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum Prompt {
    /// One text.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// The tokens of one text.
    Tokens(Vec<u32>),
    /// Those of several.
    TokenLists(Vec<Vec<u32>>),
}

const KINDS: &str = "a text, a list of texts, a list of token ids, or a list of such lists";

impl<'de> Deserialize<'de> for Prompt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = || D::Error::custom(format!("expected {KINDS}"));
        let list = match Value::deserialize(deserializer)? {
            Value::String(text) => return Ok(Prompt::Text(text)),
            Value::Array(list) => list,
            _ => return Err(wrong()),
        };
        let list_of = |first: Option<&Value>| match first {
            Some(Value::String(_)) => Some(0),
            Some(Value::Number(_)) | None => Some(1),
            Some(Value::Array(_)) => Some(2),
            _ => None,
        };
        let kind = list_of(list.first()).ok_or_else(wrong)?;
        let list = Value::Array(list);
        let read = match kind {
            0 => serde_json::from_value(list).map(Prompt::Texts),
            1 => serde_json::from_value(list).map(Prompt::Tokens),
            _ => serde_json::from_value(list).map(Prompt::TokenLists),
        };
        read.map_err(|error| D::Error::custom(format!("{error}; expected {KINDS}")))
    }
}
