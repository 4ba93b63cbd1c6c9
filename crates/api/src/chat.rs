//! Chat completions.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::request::{part, properties};
use crate::whole;
use crate::{
    ChatLogprobs, Malformed, Message, PromptLogprobs, Request, Settings, Tool, ToolCall, ToolCallDelta, ToolChoice,
    Usage,
};

/// A conversation to be continued.
#[derive(Clone, Debug, JsonSchema)]
pub struct ChatRequest {
    /// What chat completions alone have.
    #[schemars(flatten)]
    pub chat: ChatFields,
    /// How the answer is to be made.
    #[schemars(flatten)]
    pub settings: Settings,
}

/// What chat completions alone have.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChatFields {
    /// The name of the model, or of an adapter.
    pub model: String,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// Tokens after which an answer is cut off; OpenAI's newer name of `max_tokens`.
    #[serde(default, deserialize_with = "whole::option")]
    pub max_completion_tokens: Option<usize>,
    /// Whether log-probabilities of the answer's tokens are wanted.
    #[serde(default)]
    pub logprobs: Option<bool>,
    /// Of how many of the likeliest tokens.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(max = 20))]
    pub top_logprobs: Option<usize>,
    /// Tools that the model may call.
    #[serde(default)]
    pub tools: Option<Vec<Tool>>,
    /// Which tools the answer calls.
    #[serde(default)]
    pub tool_choice: Option<ToolChoice>,
    /// Whether an answer may call more than one tool.
    #[serde(default)]
    pub parallel_tool_calls: Option<bool>,
    /// Variables of the chat template, e.g. `enable_thinking`.
    #[serde(default)]
    pub chat_template_kwargs: Option<Map<String, Value>>,
    /// The variable of that name of the chat template.
    #[serde(default)]
    pub reasoning_effort: Option<String>,
    /// Whether the text ends with the header of the assistant's turn; it does unless this is false.
    #[serde(default)]
    pub add_generation_prompt: Option<bool>,
    /// Whether the tokenizer puts its special tokens around what the template gives; it does not unless this is true.
    #[serde(default)]
    pub add_special_tokens: Option<bool>,
}

impl Request for ChatRequest {
    fn fields() -> &'static [String] {
        static FIELDS: LazyLock<Vec<String>> = LazyLock::new(properties::<ChatRequest>);
        &FIELDS
    }

    fn parse(body: &[u8]) -> Result<Self, Malformed> {
        Ok(ChatRequest { chat: part(body)?, settings: part(body)? })
    }
}

/// A conversation's continuation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatResponse {
    /// `chatcmpl-…`.
    pub id: String,
    /// `chat.completion`.
    pub object: &'static str,
    /// Seconds since 1970.
    pub created: u64,
    /// The name that was asked for.
    pub model: String,
    /// The answers.
    pub choices: Vec<ChatChoice>,
    /// Log-probabilities of the prompt, if they were wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_logprobs: Option<PromptLogprobs>,
    /// Tokens.
    pub usage: Usage,
    /// What answers depend on beside the request.
    pub system_fingerprint: Option<String>,
}

/// An answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatChoice {
    /// Which.
    pub index: usize,
    /// What is said.
    pub message: AnswerMessage,
    /// Log-probabilities, if they were wanted.
    pub logprobs: Option<ChatLogprobs>,
    /// `stop`, `length` or `tool_calls`.
    pub finish_reason: &'static str,
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnswerMessage {
    /// `assistant`.
    pub role: &'static str,
    /// The text; null where there are calls alone.
    pub content: Option<String>,
    /// OpenAI's refusals, which there are none of.
    pub refusal: Option<String>,
    /// Calls of tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
}

/// A piece of a streamed continuation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatChunk {
    /// `chatcmpl-…`, the same for all.
    pub id: String,
    /// `chat.completion.chunk`.
    pub object: &'static str,
    /// Seconds since 1970.
    pub created: u64,
    /// The name that was asked for.
    pub model: String,
    /// What answers depend on beside the request.
    pub system_fingerprint: Option<String>,
    /// The piece; none in the last chunk, which has the usage.
    pub choices: Vec<ChatChunkChoice>,
    /// Tokens, if they were wanted: null but in the last chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Option<Usage>>,
}

/// A piece of an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChatChunkChoice {
    /// Of which.
    pub index: usize,
    /// What is new.
    pub delta: ChatDelta,
    /// Log-probabilities of the new tokens, if they were wanted.
    pub logprobs: Option<ChatLogprobs>,
    /// `stop`, `length` or `tool_calls`, with the last piece.
    pub finish_reason: Option<&'static str>,
}

/// What is new.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ChatDelta {
    /// `assistant`, with the first piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// Text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Calls of tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCallDelta>,
}
