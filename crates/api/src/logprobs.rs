//! Log-probabilities of an answer's tokens, in the shapes of both kinds of completions.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// Those of a chat completion's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ChatLogprobs {
    /// One for each token.
    pub content: Vec<TokenLogprob>,
    /// OpenAI's refusals, which there are none of.
    pub refusal: Option<Vec<TokenLogprob>>,
}

/// A token of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TokenLogprob {
    /// Its text; bytes that make no character are U+FFFD.
    pub token: String,
    /// The natural logarithm of its probability.
    pub logprob: f32,
    /// Its bytes.
    pub bytes: Option<Vec<u8>>,
    /// The likeliest tokens in its place.
    pub top_logprobs: Vec<TopLogprob>,
}

/// One of the likeliest tokens.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TopLogprob {
    /// Its text; bytes that make no character are U+FFFD.
    pub token: String,
    /// The natural logarithm of its probability.
    pub logprob: f32,
    /// Its bytes.
    pub bytes: Option<Vec<u8>>,
}

/// Those of a completion's answer: lists as long as there are tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct CompletionLogprobs {
    /// Where each token's text begins in the answer's, in characters.
    pub text_offset: Vec<usize>,
    /// The natural logarithm of each token's probability.
    pub token_logprobs: Vec<f32>,
    /// The text of each token.
    pub tokens: Vec<String>,
    /// The likeliest tokens in the place of each.
    pub top_logprobs: Vec<BTreeMap<String, f32>>,
}
