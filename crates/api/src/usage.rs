//! How many tokens a request took.

use schemars::JsonSchema;
use serde::Serialize;

/// Tokens of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Usage {
    /// Those of the prompts.
    pub prompt_tokens: usize,
    /// Those of the answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<usize>,
    /// Together.
    pub total_tokens: usize,
    /// More of the prompts' tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens_details: Option<PromptTokensDetails>,
}

/// More of a prompt's tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PromptTokensDetails {
    /// Those whose state was there already.
    pub cached_tokens: usize,
}

impl Usage {
    /// Of a prompt and its answers.
    pub fn of(prompt_tokens: usize, completion_tokens: usize, cached_tokens: usize) -> Usage {
        Usage {
            prompt_tokens,
            completion_tokens: Some(completion_tokens),
            total_tokens: prompt_tokens + completion_tokens,
            prompt_tokens_details: Some(PromptTokensDetails { cached_tokens }),
        }
    }

    /// Of texts that have no answer.
    pub fn of_prompt(prompt_tokens: usize) -> Usage {
        Usage { prompt_tokens, total_tokens: prompt_tokens, ..Usage::default() }
    }
}
