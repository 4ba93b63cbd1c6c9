//! What all requests have in common.

use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use constrain::Vocabulary;
use data::Tokenizer;
use engine::{SamplingOptions, Service};
use tokio::sync::{Semaphore, watch};

use crate::backlog::Streams;
use crate::body::Room;
use crate::budget::Budget;
use crate::compiled::Compiled;
use crate::embeddings::Shares;
use crate::error::Error;
use crate::metrics::Metrics;
use crate::owners::Owners;
use crate::refusals::Refusals;
use crate::turns::Queue;
use crate::{Keys, Limits, PrefixSharing, Tls};

/// Questions to the engine about its adapters at the same time.
pub(crate) const LOOK_UPS: usize = 8;
/// Long answers that are read by their forms at a time on connections' threads, for which as many others stand in.
pub(crate) const JUDGES: usize = 2;

/// How far the server is from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Requests are taken.
    Open,
    /// Those under way go on.
    Draining,
    /// Those under way end where they are.
    Cut,
}

/// What all requests have in common.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) tokenizer: Arc<Tokenizer>,
    pub(crate) model_names: Vec<String>,
    pub(crate) model_root: String,
    pub(crate) longer_context: Option<String>,
    pub(crate) end_ids: Vec<u32>,
    /// Bytes of a text that the context may have room for: as many as its longest token for each token.
    pub(crate) text_bytes_max: usize,
    pub(crate) sampling: SamplingOptions,
    pub(crate) keys: Keys,
    pub(crate) prefix_sharing: PrefixSharing,
    pub(crate) vector_size: usize,
    pub(crate) tls: Option<Tls>,
    pub(crate) limits: Limits,
    pub(crate) log_content: bool,
    pub(crate) service: Service,
    pub(crate) metrics: Metrics,
    pub(crate) refusals: Refusals,
    pub(crate) room: Room,
    pub(crate) embeddings: Shares,
    /// Questions to the engine about its adapters: few at a time, so that they leave its inbox to requests.
    pub(crate) look_ups: Arc<Semaphore>,
    /// Places for long answers that are read by their forms ([`JUDGES`]).
    pub(crate) judges: Semaphore,
    /// Bytes of the forms that answers under way are held to.
    pub(crate) forms: Budget,
    /// Log-probabilities and texts of answers that are no streams, and what streams hold, in the units of [`crate::logprobs::units`].
    pub(crate) logprobs: Budget,
    /// Of which it is counted what their clients have not read.
    pub(crate) streams: Streams,
    pub(crate) compiled: Compiled,
    pub(crate) owners: Owners,
    /// Whose adapter the engine looks at, which it does one after the other: the time for one begins with its turn.
    pub(crate) looks: Arc<Queue>,
    /// Made when it is first needed.
    pub(crate) vocabulary: OnceLock<Result<Arc<Vocabulary>, String>>,
    pub(crate) stage: watch::Receiver<Stage>,
    /// Seconds since 1970 at which the server started.
    pub(crate) started: u64,
    /// What answers depend on beside the request.
    pub(crate) fingerprint: String,
}

pub(crate) type Shared = Arc<App>;

impl App {
    pub(crate) fn new(config: crate::ServerConfig, service: Service, stage: watch::Receiver<Stage>) -> Shared {
        Arc::new(App {
            text_bytes_max: service.context().saturating_mul(config.tokenizer.longest_token_bytes()),
            tokenizer: config.tokenizer,
            model_names: config.model_names,
            model_root: config.model_root,
            longer_context: config.longer_context,
            end_ids: config.end_ids,
            sampling: config.sampling,
            keys: config.keys,
            prefix_sharing: config.prefix_sharing,
            vector_size: config.vector_size,
            tls: config.tls,
            limits: config.limits,
            log_content: config.log_content,
            embeddings: Shares::new(service.waiting_max(), config.limits.embeddings_bytes),
            service,
            metrics: Metrics::new(Instant::now()),
            refusals: Refusals::default(),
            room: Room::new(config.limits.all_bodies_bytes),
            look_ups: Arc::new(Semaphore::new(LOOK_UPS)),
            judges: Semaphore::new(JUDGES),
            forms: Budget::new(crate::constraint::ALL_BYTES),
            logprobs: Budget::new(crate::logprobs::units(config.limits.all_logprobs)),
            streams: Streams::default(),
            compiled: Compiled::default(),
            owners: Owners::default(),
            looks: Queue::new(1),
            vocabulary: OnceLock::new(),
            stage,
            started: unix_seconds(),
            fingerprint: concat!("finery-", env!("CARGO_PKG_VERSION")).to_owned(),
        })
    }

    /// Says in the log which model is asked for.
    ///
    /// # Errors
    /// The name is longer than any model's.
    pub(crate) fn note_model(&self, name: &str) -> Result<(), Error> {
        tracing::Span::current().record("model", shown(name));
        if name.len() > NAME_BYTES_MAX { Err(Error::no_such_model(name, &self.model_names)) } else { Ok(()) }
    }

    /// The adapter that a model's name asks for; `None` is the model alone.
    pub(crate) fn adapter(&self, model: &str) -> Option<String> {
        (!self.model_names.iter().any(|name| name == model)).then(|| model.to_owned())
    }

    pub(crate) fn stage(&self) -> Stage {
        *self.stage.borrow()
    }
}

/// Returns once the server has come so far.
pub(crate) async fn reached(stage: &watch::Receiver<Stage>, wanted: Stage) {
    let mut stage = stage.clone();
    // Without a server there is no stage to come.
    if stage.wait_for(|stage| *stage >= wanted).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Now, in seconds since 1970.
pub(crate) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Longest name of a model that anything can have, a file's name with some folders'.
const NAME_BYTES_MAX: usize = 512;
/// Characters of what a client names that the log and errors have.
const SHOWN_CHARS_MAX: usize = 100;

/// The beginning of what a client names.
pub(crate) fn shown(name: &str) -> &str {
    name.char_indices().nth(SHOWN_CHARS_MAX).map_or(name, |(end, _)| &name[..end])
}

/// A name that nobody else has: `prefix` and 96 random bits.
pub(crate) fn fresh_id(prefix: &str) -> String {
    let mut bytes = [0u8; 12];
    // Without a source of randomness names may meet, which confuses a log and nothing else.
    let _ = getrandom::fill(&mut bytes);
    bytes.iter().fold(prefix.to_owned(), |name, byte| name + &format!("{byte:02x}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use engine::{Counters, Inbox};

    use super::*;
    use crate::ServerConfig;

    /// One before an engine that takes nothing out of its inbox, where so many requests may wait.
    pub(crate) fn app(waiting: usize) -> (Shared, Inbox) {
        let tokenizer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tests/fixtures/chat");
        let tokenizer = Arc::new(Tokenizer::from_dir(tokenizer).unwrap());
        let counters = Arc::new(Counters::new(Instant::now()));
        let (service, inbox) = Service::new(256, tokenizer.vocab_size(), waiting, counters);
        let config = ServerConfig {
            tokenizer,
            model_names: vec!["small".to_owned()],
            model_root: String::new(),
            longer_context: None,
            end_ids: vec![2],
            sampling: SamplingOptions::default(),
            keys: Keys::open(),
            tls: None,
            prefix_sharing: PrefixSharing::Key,
            vector_size: 1,
            limits: Limits::default(),
            log_content: false,
        };
        (App::new(config, service, watch::channel(Stage::Open).1), inbox)
    }
}
