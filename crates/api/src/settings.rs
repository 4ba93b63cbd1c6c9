//! How an answer is to be made: what chat completions and completions have in common.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::whole;
use crate::{OneOrMany, ResponseFormat, Seed, StructuredOutputs};

/// How an answer is to be made. What is `None` is as the server has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Divides the logits; 0 takes the likeliest token. Without it: what the model's generation_config.json says, or else 1.
    #[schemars(range(min = 0))]
    pub temperature: Option<f64>,
    /// Draws from the fewest of the likeliest tokens that together have this probability; 1 draws from all.
    #[schemars(range(min = 0, max = 1))]
    pub top_p: Option<f64>,
    /// Draws from this many of the likeliest tokens; 0 and -1 draw from all.
    #[serde(deserialize_with = "whole::option")]
    #[schemars(range(min = -1))]
    pub top_k: Option<i64>,
    /// Draws from tokens at least this many times as likely as the likeliest.
    #[schemars(range(min = 0, max = 1))]
    pub min_p: Option<f64>,
    /// Divides the logits of tokens that prompt or answer have; 1 changes nothing.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub repetition_penalty: Option<f64>,
    /// Taken from a token's logit for each time that the answer has it, from -2 to 2.
    #[schemars(range(min = -2, max = 2))]
    pub frequency_penalty: Option<f64>,
    /// Taken once from the logit of each token that the answer has, from -2 to 2.
    #[schemars(range(min = -2, max = 2))]
    pub presence_penalty: Option<f64>,
    /// Decides the draws: the same request with it gives the same answer. Of several choices each has the next number.
    pub seed: Option<Seed>,
    /// Texts at which an answer ends; they are not part of it. Within a form, or a call that `tool_choice` asks for, they cut it: its `finish_reason` is `length`, as where
    /// `max_tokens` cuts it.
    #[schemars(extend("minLength" = 1, "maxLength" = 1024, "maxItems" = 16))]
    #[schemars(extend("items" = json!({"type": "string", "minLength": 1, "maxLength": 1024})))]
    pub stop: Option<OneOrMany>,
    /// Tokens at which an answer ends; they are not part of it.
    #[serde(deserialize_with = "whole::option_list")]
    #[schemars(length(max = 128))]
    pub stop_token_ids: Option<Vec<u32>>,
    /// Whether an answer goes on where the model would end it.
    pub ignore_eos: Option<bool>,
    /// Tokens before which an answer does not end.
    #[serde(deserialize_with = "whole::option")]
    pub min_tokens: Option<usize>,
    /// Tokens after which an answer is cut off. 0 where the prompt is asked for: `echo`, or `prompt_logprobs`.
    #[serde(deserialize_with = "whole::option")]
    pub max_tokens: Option<usize>,
    /// How many answers.
    #[serde(deserialize_with = "whole::option")]
    #[schemars(range(min = 1, max = 256))]
    pub n: Option<usize>,
    /// Log-probabilities of the prompt's tokens, and of how many of the likeliest in place of each; not of a stream.
    #[serde(deserialize_with = "whole::option")]
    #[schemars(range(max = 20))]
    pub prompt_logprobs: Option<usize>,
    /// What is added to the logits of tokens, from -100 to 100, by their ids.
    #[schemars(extend("maxProperties" = 1024))]
    #[schemars(extend("additionalProperties" = json!({"type": "number", "format": "double", "minimum": -100, "maximum": 100})))]
    pub logit_bias: Option<BTreeMap<String, f64>>,
    /// Lower goes first; what is lower than the key's own is refused.
    #[serde(deserialize_with = "whole::option")]
    #[schemars(range(min = -2_147_483_648_i64, max = 2_147_483_647))]
    pub priority: Option<i32>,
    /// Whether the answer comes as it is made, as server-sent events.
    pub stream: Option<bool>,
    /// What a stream has beside the answer.
    pub stream_options: Option<StreamOptions>,
    /// The form of the answer.
    pub response_format: Option<ResponseFormat>,
    /// The form of the answer, as vLLM names it.
    pub structured_outputs: Option<StructuredOutputs>,
    /// A JSON schema, as an object or as its text.
    pub guided_json: Option<Value>,
    /// A regular expression that the whole answer matches.
    pub guided_regex: Option<String>,
    /// Texts, one of which is the answer.
    pub guided_choice: Option<Vec<String>>,
    /// A grammar in Lark's notation.
    pub guided_grammar: Option<String>,
    /// The properties of the answer, a JSON object, with their types: Lamini's `str`, `int`, `float`, `bool`, or a list of texts, one of which it is.
    pub output_type: Option<Map<String, Value>>,
    /// Requests with another one, or none, find nothing of what was computed for this one's prompt: nobody can tell from a time or from
    /// `cached_tokens` what it says.
    #[schemars(length(min = 1, max = 1024))]
    pub cache_salt: Option<String>,
    /// Whether special tokens are left out of the answer's text; they are unless this is false.
    pub skip_special_tokens: Option<bool>,
}

/// What a stream has beside the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StreamOptions {
    /// Whether a last chunk tells the tokens.
    pub include_usage: Option<bool>,
    /// Whether each chunk tells the tokens so far.
    pub continuous_usage_stats: Option<bool>,
    /// OpenAI's padding against guessing lengths; there is none here.
    pub include_obfuscation: Option<bool>,
}
