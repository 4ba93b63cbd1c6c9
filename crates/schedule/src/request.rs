//! A request, and why one is refused.

use std::sync::Arc;

/// A request that arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its number, which no other request has before or after it.
    pub id: u64,
    /// The tokens that are to be continued. Requests that continue the same ones may have them in common.
    pub prompt: Arc<[u32]>,
    /// The most tokens that are to be chosen; what the context has no room for is not.
    pub max_tokens: usize,
    /// Lower goes first.
    pub priority: i32,
    /// Who asks: of the same priority, those who ask share what there is.
    pub key: u64,
    /// With which weights beside the model's: sequences of different salts share no keys and values.
    pub salt: u64,
    /// Whether it shares keys and values at all. If not, the pages that it has when it ends are the first that are given to others.
    pub shares: bool,
}

/// Why a request is refused. Nothing of it is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Too many wait.
    #[error("{waiting} requests wait already: try again later")]
    Full {
        /// How many.
        waiting: usize,
    },
    /// It could not be completed even if nothing else ran.
    #[error(
        "the prompt has {prompt} tokens and the answer may have {max_tokens}, where {room} have room together: ask for less"
    )]
    TooLong {
        /// Tokens of the prompt.
        prompt: usize,
        /// Tokens of the longest answer.
        max_tokens: usize,
        /// Tokens of the longest sequence for which there are context and pages.
        room: usize,
    },
    /// There is nothing to continue.
    #[error("the prompt is empty")]
    Empty,
    /// There is nothing to compute.
    #[error("an answer of 0 tokens was asked for: ask for at least 1")]
    NoAnswer,
    /// The number is another request's.
    #[error("a request with the number {0} is there already")]
    Known(u64),
}
