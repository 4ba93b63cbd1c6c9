//! The models that can be asked.

use schemars::JsonSchema;
use serde::Serialize;

/// All of them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelList {
    /// `list`.
    pub object: &'static str,
    /// The model under each of its names, then adapters.
    pub data: Vec<ModelEntry>,
}

/// One, as vLLM describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModelEntry {
    /// Its name.
    pub id: String,
    /// `model`.
    pub object: &'static str,
    /// Seconds since 1970.
    pub created: u64,
    /// `finery`.
    pub owned_by: &'static str,
    /// Where it comes from.
    pub root: String,
    /// Of an adapter: the model that it adapts.
    pub parent: Option<String>,
    /// The longest text, prompt and answer together, in tokens.
    pub max_model_len: usize,
}
