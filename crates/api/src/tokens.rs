//! Text to tokens and back, in vLLM's shapes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::request::whole_request;
use crate::whole;
use crate::{Message, Tool};

/// A text or a conversation of which the tokens are wanted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct TokenizeRequest {
    /// The name of the model, or of an adapter.
    #[serde(default)]
    pub model: Option<String>,
    /// The text; or else `messages`.
    #[serde(default)]
    pub prompt: Option<String>,
    /// The conversation; or else `prompt`.
    #[serde(default)]
    pub messages: Option<Vec<Message>>,
    /// Tools that the conversation has.
    #[serde(default)]
    pub tools: Option<Vec<Tool>>,
    /// Variables of the chat template.
    #[serde(default)]
    pub chat_template_kwargs: Option<Map<String, Value>>,
    /// Whether a conversation's text ends with the header of the assistant's turn; it does unless this is false.
    #[serde(default)]
    pub add_generation_prompt: Option<bool>,
    /// Whether the tokenizer puts its special tokens around the text; around a prompt it does unless this is false, around a conversation not.
    #[serde(default)]
    pub add_special_tokens: Option<bool>,
    /// Whether the tokens' texts are wanted too.
    #[serde(default)]
    pub return_token_strs: Option<bool>,
}

/// The tokens.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TokenizeResponse {
    /// How many.
    pub count: usize,
    /// The longest text, prompt and answer together, in tokens.
    pub max_model_len: usize,
    /// Their ids.
    pub tokens: Vec<u32>,
    /// Their texts as the vocabulary writes them, if they were wanted.
    pub token_strs: Option<Vec<String>>,
}

/// Tokens of which the text is wanted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DetokenizeRequest {
    /// The name of the model, or of an adapter.
    #[serde(default)]
    pub model: Option<String>,
    /// Their ids.
    #[serde(deserialize_with = "whole::list")]
    pub tokens: Vec<u32>,
}

/// The text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DetokenizeResponse {
    /// The text, special tokens included.
    pub prompt: String,
}

whole_request!(TokenizeRequest);
whole_request!(DetokenizeRequest);
