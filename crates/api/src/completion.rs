//! Completions of plain text.

use std::sync::{Arc, LazyLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::{part, properties};
use crate::whole;
use crate::{CompletionLogprobs, Malformed, Prompt, PromptLogprobs, Request, Settings, Usage};

/// Texts to be continued.
#[derive(Clone, Debug, JsonSchema)]
pub struct CompletionRequest {
    /// What completions alone have.
    #[schemars(flatten)]
    pub completion: CompletionFields,
    /// How the answer is to be made.
    #[schemars(flatten)]
    pub settings: Settings,
}

/// What completions alone have.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompletionFields {
    /// The name of the model, or of an adapter.
    pub model: String,
    /// What is continued.
    pub prompt: Prompt,
    /// Whether the answer's text begins with the prompt.
    #[serde(default)]
    pub echo: Option<bool>,
    /// Log-probabilities of the answer's tokens, with `echo` those of the prompt's too, and of how many of the likeliest.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(max = 20))]
    pub logprobs: Option<usize>,
    /// As many as `n`: all answers are given.
    #[serde(default, deserialize_with = "whole::option")]
    pub best_of: Option<usize>,
    /// Whether the tokenizer puts its special tokens before a text; it does unless this is false.
    #[serde(default)]
    pub add_special_tokens: Option<bool>,
}

impl Request for CompletionRequest {
    fn fields() -> &'static [String] {
        static FIELDS: LazyLock<Vec<String>> = LazyLock::new(properties::<CompletionRequest>);
        &FIELDS
    }

    fn parse(body: &[u8]) -> Result<Self, Malformed> {
        Ok(CompletionRequest { completion: part(body)?, settings: part(body)? })
    }
}

/// Continuations, or a piece of them in a stream.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompletionResponse {
    /// `cmpl-…`.
    pub id: String,
    /// `text_completion`.
    pub object: &'static str,
    /// Seconds since 1970.
    pub created: u64,
    /// The name that was asked for.
    pub model: String,
    /// What answers depend on beside the request.
    pub system_fingerprint: Option<String>,
    /// The answers, or what is new of one.
    pub choices: Vec<CompletionChoice>,
    /// Tokens; of a stream, if they were wanted: null but in the last chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Option<Usage>>,
}

/// An answer, or what is new of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompletionChoice {
    /// Which: those of the first prompt, then those of the next.
    pub index: usize,
    /// Its text.
    pub text: String,
    /// Log-probabilities, if they were wanted.
    pub logprobs: Option<CompletionLogprobs>,
    /// Those of the prompt, if they were wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    // Of several answers to a prompt each tells all of them.
    pub prompt_logprobs: Option<Arc<PromptLogprobs>>,
    /// `stop` or `length`, at the end.
    pub finish_reason: Option<&'static str>,
}
