//! Completions in the shapes of Lamini's platform: its client takes `/lamini` of this server as its `api_url`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::OneOrMany;
use crate::request::whole_request;
use crate::whole;

/// Texts to be continued, each as one object.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LaminiRequest {
    /// The name of the model, or of an adapter.
    pub model_name: String,
    /// What is continued, as it is: without a chat template.
    pub prompt: OneOrMany,
    /// The properties of the answer with their types: `str`, `int`, `float`, `bool`, or a list of texts, one of which it is. Without it the answer has one, `output`.
    #[serde(default)]
    pub output_type: Option<Map<String, Value>>,
    /// Tokens after which an answer is cut off, where `max_new_tokens` is not given.
    #[serde(default, deserialize_with = "whole::option")]
    pub max_tokens: Option<usize>,
    /// Tokens after which an answer is cut off.
    #[serde(default, deserialize_with = "whole::option")]
    pub max_new_tokens: Option<usize>,
}

whole_request!(LaminiRequest);

/// An answer for one prompt, a list of them for a list.
// As the model wrote them: numbers that no `f64` holds would be others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LaminiResponse {
    /// The properties that were asked for, or `output`.
    One(#[schemars(with = "Map<String, Value>")] Box<RawValue>),
    /// One for each prompt.
    Many(#[schemars(with = "Vec<Map<String, Value>>")] Vec<Box<RawValue>>),
}
