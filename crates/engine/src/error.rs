//! What can stop a model from being loaded, from continuing text and from scoring it.

use std::path::PathBuf;

use graph::DType;
use runtime::Bytes;

use crate::adapters::FolderError;

/// The result of a call into this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a model cannot be used, or cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The files of the model or its adapter are not what they should be.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
    /// `config.json` describes no model that can be run.
    #[error("cannot run the model of {}: in config.json {cause}", path.display())]
    Config {
        /// The model's folder.
        path: PathBuf,
        /// The key and its rule.
        cause: models::ConfigError,
    },
    /// The adapter does not fit the model.
    #[error("cannot use the adapter {}: {cause}", path.display())]
    Lora {
        /// The adapter's file.
        path: PathBuf,
        /// The module or the setting, and the rule that it breaks.
        cause: peft::AdapterError,
    },
    /// Settings of an engine that contradict each other.
    #[error(transparent)]
    Limits(#[from] schedule::LimitsError),
    /// The folder of adapters cannot be used.
    #[error(transparent)]
    Adapters(#[from] FolderError),
    /// Tokenizer, chat template or text.
    #[error(transparent)]
    Data(#[from] data::Error),
    /// The model cannot be traced.
    #[error("tracing the model: {0}")]
    Graph(graph::GraphError),
    /// The device or its plugin.
    #[error(transparent)]
    Runtime(#[from] runtime::Error),
    /// A token that the model has no embedding for.
    #[error("token id {id} is not in the model's vocabulary of {vocab_size} tokens")]
    Token {
        /// The id.
        id: u32,
        /// Rows of the model's embedding.
        vocab_size: usize,
    },
    /// Nothing to continue.
    #[error("the prompt holds no token, so there is nothing to continue: give it some text")]
    EmptyPrompt,
    /// More tokens than the model can look at.
    #[error("{tokens} tokens do not fit into the context of {context}: shorten the text")]
    Context {
        /// Tokens that were given.
        tokens: usize,
        /// The longest sequence that is allowed.
        context: usize,
    },
    /// A prompt as long as the context.
    #[error("the prompt of {tokens} tokens fills the context of {context}, so nothing can follow it: shorten it")]
    NoRoom {
        /// Tokens of the prompt.
        tokens: usize,
        /// The longest sequence that is allowed.
        context: usize,
    },
    /// More than the device's memory holds.
    #[error(
        "{what} takes {needed} of memory beside the model, and {free} of the device's {total} are free: a smaller context \
         takes less"
    )]
    TooLarge {
        /// What was to be done.
        what: String,
        /// What it takes.
        needed: Bytes,
        /// What is free.
        free: Bytes,
        /// What there is.
        total: Bytes,
    },
    /// Places for adapters, beside what is remembered of texts, are more than that.
    #[error(
        "the places for adapters take {pool} of memory beside the model and {state} for remembering {tokens} tokens, and {free} of the device's {total} are free: \
         make fewer or smaller ones, or name the modules that adapters are beside"
    )]
    NoRoomForAdapters {
        /// What they take.
        pool: Bytes,
        /// As many are remembered of texts.
        tokens: usize,
        /// What these take.
        state: Bytes,
        /// What is free.
        free: Bytes,
        /// What there is.
        total: Bytes,
    },
    /// A panic while something was made that others wait for.
    #[error("{what} cannot be made: the compiler or what traces it panicked")]
    Panicked {
        /// What.
        what: String,
    },
    /// The model itself is more than that.
    #[error(
        "the model takes at least {} of memory{} ({weights} for weights in {dtype}{}), and {free} of the device's {total} are free: {}",
        Bytes(weights.0 + state.0), on_each(*devices), for_text(*state, *tokens), advice(*weights, *free)
    )]
    ModelTooLarge {
        /// On how many devices.
        devices: usize,
        /// What its weights take of each.
        weights: Bytes,
        /// In which they are held.
        dtype: DType,
        /// What it remembers of a text takes of each.
        state: Bytes,
        /// The text's tokens.
        tokens: usize,
        /// What is free.
        free: Bytes,
        /// What there is.
        total: Bytes,
    },
    /// A smaller model that cannot propose tokens for the model.
    #[error("the draft model cannot propose tokens: {0}")]
    Draft(String),
    /// A setting out of its range.
    #[error("{name} is {value}, but {rule}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// The value given.
        value: String,
        /// What it should be.
        rule: String,
    },
    /// An answer that ended otherwise than by its model or its caller.
    #[error(transparent)]
    Answer(#[from] crate::service::Failure),
    /// What is to be scored is given no number.
    #[error(
        "the log-probability of token {token} is NaN for this model, which is no score: its weights are damaged, or overflow in {dtype}"
    )]
    NoScore {
        /// Which of the sequences that are scored together, from 0 on. Others may have none either.
        sequence: usize,
        /// Its first such token, from 1 on.
        token: usize,
        /// In which the model computes.
        dtype: DType,
    },
    /// The model computes NaN or infinity.
    #[error(
        "the model's logits after {tokens} tokens are not numbers: its weights are damaged, or overflow in {dtype}"
    )]
    NotFinite {
        /// Tokens up to there.
        tokens: usize,
        /// In which the model computes.
        dtype: DType,
    },
}

fn on_each(devices: usize) -> String {
    if devices > 1 { format!(" on each of {devices} devices") } else { String::new() }
}

fn for_text(state: Bytes, tokens: usize) -> String {
    if state.0 > 0 { format!(", {state} for remembering {tokens} tokens") } else { String::new() }
}

/// What would make a model fit.
fn advice(weights: Bytes, free: Bytes) -> &'static str {
    if weights.0 > free.0 { "take a smaller model, or more or larger devices" } else { "a smaller context takes less" }
}

// By hand, because `#[from]` would make it the `source` too, which is then printed twice.
impl From<graph::GraphError> for Error {
    fn from(error: graph::GraphError) -> Error {
        Error::Graph(error)
    }
}
