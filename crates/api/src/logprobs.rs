//! Log-probabilities of an answer's tokens, in the shapes of both kinds of completions, and of a prompt's.

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

/// Those of a completion's answer, behind those of the prompt where it is echoed: lists as long as there are tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct CompletionLogprobs {
    /// Where each token's text begins in the answer's, in characters.
    pub text_offset: Vec<usize>,
    /// The natural logarithm of each token's probability; null for a prompt's first, which nothing stands before.
    pub token_logprobs: Vec<Option<f32>>,
    /// The text of each token.
    pub tokens: Vec<String>,
    /// The likeliest tokens in the place of each; null for a prompt's first.
    pub top_logprobs: Vec<Option<BTreeMap<String, f32>>>,
}

/// Those of a prompt, as vLLM has them: of each token, and of the likeliest in its place, by their ids; null for the first, which nothing stands before.
pub type PromptLogprobs = Vec<Option<BTreeMap<String, RankedLogprob>>>;

/// A token in a place of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RankedLogprob {
    /// The natural logarithm of its probability.
    pub logprob: f32,
    /// Its place among all tokens by that, from 1 on.
    pub rank: u32,
    /// Its text; bytes that make no character are U+FFFD.
    pub decoded_token: String,
}
