//! Texts as vectors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Prompt;
use crate::request::whole_request;
use crate::whole;

/// Texts to be turned into vectors.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EmbeddingRequest {
    /// The name of the model; an adapter's is refused.
    pub model: String,
    /// The texts.
    pub input: Prompt,
    /// How the numbers are written.
    #[serde(default)]
    pub encoding_format: Option<EncodingFormat>,
    /// How many numbers are wanted: the model's own alone.
    #[serde(default, deserialize_with = "whole::option")]
    pub dimensions: Option<usize>,
    /// What is made of the tokens' vectors.
    #[serde(default)]
    pub pooling: Option<EmbeddingPooling>,
}

whole_request!(EmbeddingRequest);

/// How the numbers of a vector are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EncodingFormat {
    /// As a list.
    #[default]
    Float,
    /// As base64 of little-endian float32, which OpenAI's clients ask for.
    Base64,
}

/// What is made of the tokens' vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingPooling {
    /// Their mean.
    Mean,
    /// The last one.
    #[default]
    Last,
}

/// Vectors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmbeddingResponse {
    /// `list`.
    pub object: &'static str,
    /// One for each text.
    pub data: Vec<Embedding>,
    /// The name that was asked for.
    pub model: String,
    /// Tokens.
    pub usage: crate::Usage,
}

/// The vector of a text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Embedding {
    /// `embedding`.
    pub object: &'static str,
    /// Of which text.
    pub index: usize,
    /// The vector, of length 1.
    pub embedding: Vector,
}

/// A vector as it is written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Vector {
    /// Numbers.
    Float(Vec<f32>),
    /// Base64 of little-endian float32.
    Base64(String),
}
