//! What a server is told at its start.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use data::Tokenizer;
use engine::SamplingOptions;

use crate::{Keys, Tls};

/// What a server is told at its start.
#[derive(Debug)]
pub struct ServerConfig {
    /// Text to tokens and back, and the chat template.
    pub tokenizer: Arc<Tokenizer>,
    /// The names by which requests ask for the model without an adapter; the first is the one that is shown.
    pub model_names: Vec<String>,
    /// Where the model comes from, as it is told to clients that may load adapters.
    pub model_root: String,
    /// What would have the server take longer texts, where it takes shorter ones than the model: the end of a sentence that tells to shorten one.
    pub longer_context: Option<String>,
    /// Tokens that end an answer.
    pub end_ids: Vec<u32>,
    /// What holds where a request says nothing; its seed is not used.
    pub sampling: SamplingOptions,
    /// Who may ask; [`Keys::open`] lets everyone, from this machine alone.
    pub keys: Keys,
    /// What connections are encrypted with; `None`: they are not.
    pub tls: Option<Tls>,
    /// Whose texts share what was computed of prompts that begin alike.
    pub prefix_sharing: PrefixSharing,
    /// Numbers of a text's vector.
    pub vector_size: usize,
    /// How much.
    pub limits: Limits,
    /// Whether the log holds prompts and answers.
    pub log_content: bool,
}

/// Whose texts share what was computed of prompts that begin alike. Who shares can find out whether others have asked what they ask, by its time and by the
/// cached tokens that are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixSharing {
    /// Those of all keys.
    All,
    /// Those of one key.
    Key,
}

/// How much is taken of requests and clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Bytes of all requests' large bodies together, from 64 KiB on, while they are read; texts that were read take some times as much.
    pub all_bodies_bytes: usize,
    /// Time for a request's headers to arrive, and for its body.
    pub arrival: Duration,
    /// Time in which a part of a body has to arrive.
    pub pause: Duration,
    /// How large that part is, in bytes for each second.
    pub body_rate: usize,
    /// Time for which a client may read nothing of what there is for it; then its connection is closed and its answers are cancelled.
    pub unread: Duration,
    /// Time for an answer, from its request's arrival on; and for its client to read what it was sent at once.
    pub answer: Duration,
    /// Time in which the engine looks at an adapter that is to be loaded, from its turn on, or unloads one.
    pub look: Duration,
    /// Time for which requests under way go on when the server stops; what then is not done is cut.
    pub drain: Duration,
    /// Time for the rest of a body to arrive when the server stops, half of `drain` at most.
    pub rest: Duration,
    /// Connections; more wait to be accepted.
    pub connections: usize,
    /// Those of one address; more are closed at once. This machine's own may have all, since a proxy here asks for many.
    pub connections_of_address: usize,
    /// Messages of a conversation.
    pub messages: usize,
    /// Answers to a request: prompts times `n`.
    pub choices: usize,
    /// Texts of an embeddings request.
    pub inputs: usize,
    /// Bytes of all embeddings requests together: tokens and vectors, and these as they are written.
    pub embeddings_bytes: usize,
    /// Stop strings.
    pub stops: usize,
    /// Tokens that end an answer.
    pub stop_tokens: usize,
    /// Characters of a stop string.
    pub stop_chars: usize,
    /// Likeliest tokens of which log-probabilities are told.
    pub likeliest: usize,
    /// Log-probabilities of prompts' tokens, the likeliest in place of each among them, that a request's answers tell together.
    pub prompt_logprobs: usize,
    /// Log-probabilities of answers' tokens, the likeliest in place of each among them, that are told together where they are no stream.
    pub answer_logprobs: usize,
    /// Those of all requests' answers that are no streams together, and of their prompts, until their clients have them; with them those of streams' prompts, and of
    /// tokens of streams that their clients have not read, each of which counts as one more. Up to 100 bytes each. 64 bytes of the texts of answers that are no streams
    /// count as one.
    pub all_logprobs: usize,
    /// Bytes of their prompts that the answers to a request tell together.
    pub echo_bytes: usize,
    /// Entries of a request's `logit_bias`.
    pub biases: usize,
    /// Tools of a request.
    pub tools: usize,
    /// Without a step for so long, while there is something to do, the engine counts as stalled.
    pub stall: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 8 << 20,
            all_bodies_bytes: 256 << 20,
            arrival: Duration::from_secs(60),
            pause: Duration::from_secs(10),
            body_rate: 16 << 10,
            unread: Duration::from_secs(60),
            answer: Duration::from_secs(3600),
            look: Duration::from_secs(60),
            drain: Duration::from_secs(30),
            rest: Duration::from_secs(5),
            connections: 20_000,
            connections_of_address: 2_000,
            messages: 10_000,
            choices: 256,
            inputs: 2048,
            embeddings_bytes: 512 << 20,
            stops: 16,
            stop_tokens: 128,
            stop_chars: 1024,
            likeliest: 20,
            prompt_logprobs: 1 << 20,
            answer_logprobs: 1 << 22,
            all_logprobs: 1 << 23,
            echo_bytes: 64 << 20,
            biases: 1024,
            tools: 128,
            stall: Duration::from_secs(60),
        }
    }
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It could be reached from elsewhere, and everyone could use it.
    #[error(
        "{0} can be reached from other machines, and there are no keys, so that everyone could use the model: give a key or a \
         file of keys, or listen at 127.0.0.1"
    )]
    Open(SocketAddr),
    /// It has no name to answer to.
    #[error("the model has no name by which requests could ask for it: give one")]
    Nameless,
    /// The address cannot be had.
    #[error("cannot listen at {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The threads cannot be had.
    #[error("cannot start the server's threads: {0}")]
    Threads(std::io::Error),
}

/// Checks that a server without keys is reached from this machine alone.
///
/// # Errors
/// Everyone could use it.
pub(crate) fn check_keys(keys: &Keys, address: SocketAddr) -> Result<(), StartError> {
    if keys.is_open() && !address.ip().to_canonical().is_loopback() { Err(StartError::Open(address)) } else { Ok(()) }
}
