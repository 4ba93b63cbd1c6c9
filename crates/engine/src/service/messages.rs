//! What is asked of a running engine, what it answers, and what it refuses.

use std::sync::Arc;
use std::time::Instant;

use constrain::Constraint;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

use super::counters::{Counted, CountedText};
use crate::{AdapterList, FinishReason, Sampling};

/// What is to be continued, and how. Tokens alone: text is the caller's.
#[derive(Debug)]
pub struct Request {
    /// What is continued; not empty. Several answers to a prompt have it in common: it may have a hundred thousand tokens, and they may be hundreds.
    pub prompt: Arc<[u32]>,
    /// The name of the adapter with which; `None`: the model alone.
    pub adapter: Option<String>,
    /// How each token is chosen.
    pub sampling: Sampling,
    /// What is added to the logits of some tokens.
    pub logit_bias: Vec<(u32, f32)>,
    /// Tokens after which it ends; what the context has no room for is not asked for.
    pub max_tokens: usize,
    /// Tokens before which no end token is chosen.
    pub min_tokens: usize,
    /// Tokens that end it. They are not part of the answer.
    pub end_ids: Vec<u32>,
    /// Whether log-probabilities are wanted, and of how many of the likeliest tokens.
    pub logprobs: Option<usize>,
    /// Whether log-probabilities of the prompt's tokens are wanted, and of how many of the likeliest in place of each. All of such a prompt is computed, whatever
    /// others have begun with. With 0 `max_tokens` nothing else is.
    pub prompt_logprobs: Option<usize>,
    /// The form that the answer is held to.
    pub constraint: Option<Constraint>,
    /// Lower goes first.
    pub priority: i32,
    /// Who asks: those who ask share what there is.
    pub key: u64,
    /// Texts that begin alike share what was computed of them where their salts are the same.
    pub cache_salt: Option<String>,
}

/// A chosen token.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The token.
    pub token: u32,
    /// The natural logarithm of its probability before sampling's settings change it, if such are wanted.
    pub logprob: f32,
    /// The likeliest tokens with theirs, likeliest first.
    pub likeliest: Vec<(u32, f32)>,
}

/// What a token of a prompt was given, by the tokens before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptLogprob {
    /// The natural logarithm of its probability.
    pub logprob: f32,
    /// Its place among all tokens by that, from 1 on.
    pub rank: u32,
    /// The likeliest tokens with theirs, likeliest first.
    pub likeliest: Vec<(u32, f32)>,
}

/// What becomes of a request, in this order: `Started` once, `Scored` once if that was asked for, `Token`s, and one of the others at the end.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Its first tokens are computed.
    Started {
        /// Tokens of the prompt whose state was there already.
        cached_tokens: usize,
    },
    /// What each token of the prompt was given, from the second on.
    Scored(Vec<PromptLogprob>),
    /// The next token of the answer.
    Token(Chosen),
    /// The end.
    Finished(FinishReason),
    /// The end, by what went wrong.
    Failed(Failure),
}

/// Where what becomes of a request goes, each with the time at which it did.
pub type Events = mpsc::Sender<(Instant, Event)>;

/// Why an answer that had begun ended.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The device failed.
    #[error("the device failed while it computed this answer: {0}")]
    Device(String),
    /// A step that it takes has no room beside the model, even alone.
    #[error("{0}")]
    TooLarge(String),
    /// A logit is not a number.
    #[error("the model's output is not finite after {tokens} tokens: the weights or the adapter overflow in {dtype}")]
    NotFinite {
        /// Tokens so far.
        tokens: usize,
        /// The type that is computed in.
        dtype: String,
    },
    /// Nothing that the constraint allows follows.
    #[error("the answer cannot be held to the form that was asked for: {0}")]
    Constraint(String),
    /// An adapter that is known cannot be used.
    #[error("the adapter {name} cannot be loaded: {reason}")]
    Adapter {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
        /// With what.
        fault: AdapterFault,
    },
    /// The engine refuses it; nothing of it was computed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The engine ends.
    #[error("the server is stopping")]
    Stopping,
}

/// What is at fault where an adapter cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdapterFault {
    /// The adapter: its files are missing, or hold what cannot be computed with.
    Files,
    /// Room is: others have it, until they are unloaded.
    Room,
    /// The engine itself, or the system, which fails or refuses to read files that are there.
    Engine,
}

/// Why a request was not accepted. Nothing of it was computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Too many wait.
    #[error(
        "{waiting} of {places} places for answers that wait are taken, and this request asks for {asked}: try again later{}",
        if *asked > 1 { ", or ask for fewer at a time" } else { "" }
    )]
    Full {
        /// How many places are taken.
        waiting: usize,
        /// How many there are, with those of rows that are free.
        places: usize,
        /// How many answers the request is for.
        asked: usize,
    },
    /// The answers that wait would be more than who asks leaves places for others.
    #[error(
        "with these, the answers of your key that wait would be more than they leave places for other keys: ask for fewer at a time, or try again when fewer wait"
    )]
    FullForKey,
    /// The prompt leaves no room for an answer.
    #[error(
        "the prompt has {tokens} tokens, and the context of {context} {}: shorten the prompt",
        if *is_answered { "has to hold a token of an answer, too" } else { "has no room for them" }
    )]
    TooLong {
        /// Those of the prompt.
        tokens: usize,
        /// The longest text, prompt and answer together.
        context: usize,
        /// Whether there is to be an answer, of a token at least.
        is_answered: bool,
    },
    /// The device's memory has no room for the computation, which takes a text in one piece.
    #[error("the device has no room to compute {tokens} tokens in one piece: shorten the text")]
    NoRoom {
        /// Those of the text.
        tokens: usize,
    },
    /// The prompt is empty.
    #[error("the prompt is empty")]
    Empty,
    /// A token is not the model's.
    #[error("token {id} is not among the model's {vocab_size}")]
    Token {
        /// The token.
        id: u32,
        /// How many the model knows.
        vocab_size: usize,
    },
    /// No adapter has that name.
    #[error("there is no adapter `{0}`")]
    NoSuchAdapter(String),
    /// An adapter cannot be served.
    #[error("the adapter `{name}` cannot be served: {reason}")]
    Adapter {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A vector is asked for with an adapter.
    #[error("`{0}` is an adapter, and embeddings are computed with the model alone: ask for the model")]
    VectorOfAdapter(String),
    /// An adapter has no room beside others.
    #[error("the adapter `{name}` cannot be loaded: {reason}")]
    NoRoomForAdapter {
        /// Its name.
        name: String,
        /// What it takes, what there is, and what to do.
        reason: String,
    },
    /// The engine takes no more.
    #[error("the server is stopping")]
    Stopping,
}

impl Refusal {
    /// That of an adapter where none has room.
    pub(crate) fn without_room(name: &str) -> Refusal {
        let reason = "the server was started without room for adapters".to_owned();
        Refusal::Adapter { name: name.to_owned(), reason }
    }
}

/// How texts become vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// The mean over the tokens.
    Mean,
    /// The last token's.
    Last,
}

/// A message to the engine.
#[derive(Debug)]
pub enum Message {
    /// Continue a prompt.
    Generate {
        /// Its number, by which it is cancelled.
        id: u64,
        /// What is asked for.
        request: Box<Request>,
        /// Where what becomes of it goes. It has room for all that may come, so that a slow reader holds nobody up.
        events: Events,
        /// Its part of the counts, until it ends.
        counted: Counted,
    },
    /// Nobody reads the answer of that number any more.
    Cancel(u64),
    /// The last hidden states of a text, pooled and of length 1.
    Embed {
        /// Who asks: keys have their texts computed one after the other.
        key: u64,
        /// The text.
        tokens: Vec<u32>,
        /// The name of the adapter.
        adapter: Option<String>,
        /// How.
        pooling: Pooling,
        /// Where the vector goes.
        reply: oneshot::Sender<Result<Vec<f32>, Failure>>,
        /// Its part of the counts, until its vector is there or nobody wants it.
        counted: CountedText,
    },
    /// Register an adapter: a name, and the folder.
    LoadAdapter {
        /// The name by which requests ask for it.
        name: String,
        /// Where it is.
        path: std::path::PathBuf,
        /// Whether it is to stay on the device and in host memory.
        is_pinned: bool,
        /// Whether it was accepted.
        reply: oneshot::Sender<Result<(), Refusal>>,
    },
    /// Forget an adapter; answers under way go on with it.
    UnloadAdapter {
        /// Its name.
        name: String,
        /// What its name means from now on, if it was there.
        reply: oneshot::Sender<Result<Unloaded, Refusal>>,
    },
    /// Tell which adapters there are.
    Adapters {
        /// Where they go.
        reply: oneshot::Sender<AdapterList>,
        /// Its place among such questions, until it is answered: who asks and leaves still has one here.
        place: OwnedSemaphorePermit,
    },
    /// Tell which adapter requests get by a name.
    Adapter {
        /// The name.
        name: String,
        /// Where it goes; `None`: they are refused.
        reply: oneshot::Sender<Option<AdapterEntry>>,
        /// As for [`Message::Adapters`].
        place: OwnedSemaphorePermit,
    },
    /// Take no more requests, and end when those that are there are answered.
    Drain,
    /// There is something to look at; from the engine's own threads.
    Wake(Wake),
}

/// What the name of an adapter that was unloaded means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unloaded {
    /// Nothing.
    Gone,
    /// The adapter that lies in the folder by that name, which is read anew when it is asked for next.
    InFolder,
}

/// What only the engine can make, so that nobody else wakes it for nothing.
#[derive(Debug)]
pub struct Wake(pub(crate) ());

/// An adapter that requests may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterEntry {
    /// The name by which they do.
    pub name: String,
    /// Its folder.
    pub path: std::path::PathBuf,
}
