//! What is asked of a running engine, and what it answers: messages, so that whoever asks may be on any thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use constrain::Constraint;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

use crate::{AdapterList, FinishReason, Sampling};

/// What is to be continued, and how. Tokens alone: text is the caller's.
#[derive(Debug)]
pub struct Request {
    /// What is continued; not empty.
    pub prompt: Vec<u32>,
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
    #[error("{waiting} requests are waiting already: try again later")]
    Full {
        /// How many.
        waiting: usize,
    },
    /// The prompt leaves no room for an answer.
    #[error(
        "the prompt has {tokens} tokens, and the context of {context} has to hold a token of an answer, too: shorten the prompt"
    )]
    TooLong {
        /// Those of the prompt.
        tokens: usize,
        /// The longest text, prompt and answer together.
        context: usize,
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

/// Bounds of the tokens of a step, by which [`Counters::step_tokens`] counts: vLLM's.
pub const STEP_TOKENS: [u64; 13] = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384];

/// Answers with an adapter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterUse {
    /// Those that are computed.
    pub running: u64,
    /// Those that wait.
    pub waiting: u64,
}

/// What an engine counts. Each number is its own; together they are of no one moment.
#[derive(Debug)]
pub struct Counters {
    began: Instant,
    /// Sequences that are computed.
    pub running: AtomicU64,
    /// Sequences that are computed at once at most.
    pub rows: AtomicU64,
    /// Requests that wait and have not begun. As many are taken as may wait, and one for each row that is free.
    pub waiting: AtomicU64,
    /// Texts whose vectors are waited for. They keep no request from being taken.
    pub texts: AtomicU64,
    /// Those of them whose programs are being compiled.
    pub texts_without_program: AtomicU64,
    /// Sequences that have begun and lost their pages to others, until they go on.
    pub preempted: AtomicU64,
    /// Pages of keys and values that sequences under way have.
    pub pages_used: AtomicU64,
    /// All of them.
    pub pages: AtomicU64,
    /// Sequences whose pages were taken away for others.
    pub preemptions: AtomicU64,
    /// Tokens of prompts that were looked up among those whose state is there.
    pub prefix_queries: AtomicU64,
    /// Those of them that were found.
    pub prefix_hits: AtomicU64,
    /// Tokens of prompts that were computed.
    pub prompt_tokens: AtomicU64,
    /// Tokens of answers, without those that end them.
    pub generated_tokens: AtomicU64,
    /// Choices among letters alone, since telling all that a form lets come took too much.
    pub spelled_tokens: AtomicU64,
    /// Rows of steps for which tokens were proposed.
    pub drafts: AtomicU64,
    /// Tokens that were proposed.
    pub draft_tokens: AtomicU64,
    /// Those of them that were what was chosen, and are part of answers.
    pub accepted_tokens: AtomicU64,
    /// Steps that computed something.
    pub steps: AtomicU64,
    /// When the last step ended, or what was idle was asked for something, in milliseconds since the engine began.
    pub last_step_ms: AtomicU64,
    /// Until when the text whose vector is computed may take without its engine being stuck, in milliseconds since that began; 0: none is.
    pub vector_until_ms: AtomicU64,
    /// Whether all programs are there.
    pub is_ready: AtomicBool,
    /// Tokens of a page of keys and values; 0 without them.
    pub page_tokens: AtomicU64,
    /// Adapters on the device at most.
    pub adapters_max: AtomicU64,
    /// Steps by their tokens: those of up to [`STEP_TOKENS`] and more than the bound before, then the rest.
    pub step_tokens: [AtomicU64; STEP_TOKENS.len() + 1],
    /// The tokens of all steps.
    pub step_tokens_sum: AtomicU64,
    /// Answers under way by the names of their adapters.
    adapters: Mutex<BTreeMap<String, AdapterUse>>,
}

impl Counters {
    /// Of nothing, from `began` on.
    pub fn new(began: Instant) -> Counters {
        Counters {
            began,
            running: AtomicU64::default(),
            rows: AtomicU64::default(),
            waiting: AtomicU64::default(),
            texts: AtomicU64::default(),
            texts_without_program: AtomicU64::default(),
            preempted: AtomicU64::default(),
            pages_used: AtomicU64::default(),
            pages: AtomicU64::default(),
            preemptions: AtomicU64::default(),
            prefix_queries: AtomicU64::default(),
            prefix_hits: AtomicU64::default(),
            prompt_tokens: AtomicU64::default(),
            generated_tokens: AtomicU64::default(),
            spelled_tokens: AtomicU64::default(),
            drafts: AtomicU64::default(),
            draft_tokens: AtomicU64::default(),
            accepted_tokens: AtomicU64::default(),
            steps: AtomicU64::default(),
            last_step_ms: AtomicU64::default(),
            vector_until_ms: AtomicU64::default(),
            is_ready: AtomicBool::default(),
            page_tokens: AtomicU64::default(),
            adapters_max: AtomicU64::default(),
            step_tokens: Default::default(),
            step_tokens_sum: AtomicU64::default(),
            adapters: Mutex::default(),
        }
    }

    /// How many sequences more could be computed at once.
    fn rows_free(&self) -> u64 {
        let [rows, running] = [&self.rows, &self.running].map(|count| count.load(Ordering::Relaxed));
        rows.saturating_sub(running)
    }

    /// Requests that wait, whether they have begun or not, and texts whose vectors are waited for.
    pub fn waiting_in_all(&self) -> u64 {
        [&self.waiting, &self.preempted, &self.texts].map(|count| count.load(Ordering::Relaxed)).iter().sum()
    }

    /// Those of them that wait for the engine's next steps: not for a program that is compiled beside it, however long that takes.
    pub fn waiting_for_steps(&self) -> u64 {
        self.waiting_in_all().saturating_sub(self.texts_without_program.load(Ordering::Relaxed))
    }

    /// Counts a step of so many tokens.
    pub fn note_step_tokens(&self, tokens: u64) {
        let bucket = STEP_TOKENS.partition_point(|bound| *bound < tokens);
        self.step_tokens[bucket].fetch_add(1, Ordering::Relaxed);
        self.step_tokens_sum.fetch_add(tokens, Ordering::Relaxed);
    }

    /// Counts tokens that are proposed for a text.
    pub(crate) fn note_proposals(&self, tokens: usize) {
        self.drafts.fetch_add(1, Ordering::Relaxed);
        self.draft_tokens.fetch_add(tokens as u64, Ordering::Relaxed);
    }

    /// Counts a chosen token: whether it stands behind one that was proposed and right, and whether it is part of an answer.
    pub(crate) fn note_token(&self, was_proposed_before: bool, is_of_answer: bool) {
        self.generated_tokens.fetch_add(u64::from(is_of_answer), Ordering::Relaxed);
        self.accepted_tokens.fetch_add(u64::from(was_proposed_before), Ordering::Relaxed);
    }

    /// Changes the counts of an adapter's answers.
    fn note_adapter(&self, name: &str, change: impl FnOnce(&mut AdapterUse)) {
        let mut adapters = self.adapters.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = adapters.get(name).copied().unwrap_or_default();
        change(&mut counts);
        match counts == AdapterUse::default() {
            true => _ = adapters.remove(name),
            false => _ = adapters.insert(name.to_owned(), counts),
        }
    }

    /// The adapters that answers under way have, by their names.
    pub fn adapters(&self) -> BTreeMap<String, AdapterUse> {
        self.adapters.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Milliseconds from when the engine began to `now`.
    fn millis(&self, now: Instant) -> u64 {
        u64::try_from(now.saturating_duration_since(self.began).as_millis()).unwrap_or(u64::MAX)
    }

    /// Says that a step ended at `now`.
    pub fn note_step(&self, now: Instant) {
        self.last_step_ms.store(self.millis(now), Ordering::Relaxed);
    }

    /// Says that from `now` on a text's vector is computed, in one program that takes `most` at the most.
    pub fn begin_vector(&self, now: Instant, most: Duration) {
        self.note_step(now);
        self.vector_until_ms.store(self.millis(now.checked_add(most).unwrap_or(now)), Ordering::Relaxed);
    }

    /// Says that it was computed.
    pub fn end_vector(&self, now: Instant) {
        self.note_step(now);
        self.vector_until_ms.store(0, Ordering::Relaxed);
    }

    /// How long at `now` a step has been due: since the last one ended, or since a vector that is computed should have been there. One program computes a long text, and
    /// nothing is told of it meanwhile.
    pub fn overdue(&self, now: Instant) -> Duration {
        let until = Duration::from_millis(self.vector_until_ms.load(Ordering::Relaxed));
        self.last_step_age(now).min(now.saturating_duration_since(self.began).saturating_sub(until))
    }

    /// How long before `now` the last step ended; before the first, how long ago the engine began.
    pub fn last_step_age(&self, now: Instant) -> Duration {
        let last = Duration::from_millis(self.last_step_ms.load(Ordering::Relaxed));
        now.saturating_duration_since(self.began).saturating_sub(last)
    }
}

/// A request's part of the counts: of those that wait, and later of those that run. It is taken out when it is dropped, whatever the request ends by.
#[derive(Debug)]
pub struct Counted {
    counters: Arc<Counters>,
    adapter: Option<String>,
    state: State,
}

/// Where a request is, as counts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    /// It ran and waits to be computed again: for pages, no longer among those that wait to begin.
    Preempted,
}

impl Counted {
    /// One more that waits.
    pub fn waiting(counters: &Arc<Counters>) -> Counted {
        counters.waiting.fetch_add(1, Ordering::Relaxed);
        Counted { counters: Arc::clone(counters), adapter: None, state: State::Waiting }
    }

    /// One more that waits, unless `most` do.
    ///
    /// # Errors
    /// How many wait.
    fn unless_full(counters: &Arc<Counters>, most: u64) -> Result<Counted, u64> {
        let next = |waiting: u64| (waiting < most).then_some(waiting + 1);
        counters.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)?;
        Ok(Counted { counters: Arc::clone(counters), adapter: None, state: State::Waiting })
    }

    /// It waits for an adapter of that name. One that is not known is in no count: whoever asks could make up any.
    pub fn wait_with(&mut self, adapter: &str) {
        self.counters.note_adapter(adapter, |answers| answers.waiting += 1);
        self.adapter = Some(adapter.to_owned());
    }

    /// It waits no more.
    pub fn run(&mut self) {
        match std::mem::replace(&mut self.state, State::Running) {
            State::Running => return,
            State::Waiting => _ = self.counters.waiting.fetch_sub(1, Ordering::Relaxed),
            State::Preempted => {}
        }
        if let Some(name) = &self.adapter {
            self.counters.note_adapter(name, |answers| {
                answers.waiting -= 1;
                answers.running += 1;
            });
        }
    }

    /// Its next token is chosen among letters alone.
    pub(crate) fn spell(&self) {
        self.counters.spelled_tokens.fetch_add(1, Ordering::Relaxed);
    }

    /// It ran, and is to wait until it is computed again. The scheduler counts those.
    pub(crate) fn preempt(&mut self) {
        if self.state != State::Running {
            return;
        }
        self.state = State::Preempted;
        if let Some(name) = &self.adapter {
            self.counters.note_adapter(name, |answers| {
                answers.running -= 1;
                answers.waiting += 1;
            });
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if self.state == State::Waiting {
            self.counters.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        if let Some(name) = &self.adapter {
            self.counters.note_adapter(name, |answers| match self.state {
                State::Running => answers.running -= 1,
                State::Waiting | State::Preempted => answers.waiting -= 1,
            });
        }
    }
}

/// The part of the counts of a text whose vector is waited for, and its place among such texts, until it is dropped. It is made where the text is sent, so that
/// a text that nobody has taken out of the channel is counted too, whether or not its client is still there.
#[derive(Debug)]
pub struct CountedText {
    counters: Arc<Counters>,
    awaits_program: bool,
    _place: OwnedSemaphorePermit,
}

impl CountedText {
    /// One more.
    pub fn new(counters: &Arc<Counters>, place: OwnedSemaphorePermit) -> CountedText {
        counters.texts.fetch_add(1, Ordering::Relaxed);
        CountedText { counters: Arc::clone(counters), awaits_program: false, _place: place }
    }

    /// Whether it waits for a program that is being compiled, from now on.
    pub(crate) fn await_program(&mut self, awaits: bool) {
        let count = &self.counters.texts_without_program;
        match (std::mem::replace(&mut self.awaits_program, awaits), awaits) {
            (false, true) => _ = count.fetch_add(1, Ordering::Relaxed),
            (true, false) => _ = count.fetch_sub(1, Ordering::Relaxed),
            (false, false) | (true, true) => {}
        }
    }
}

impl Drop for CountedText {
    fn drop(&mut self) {
        self.await_program(false);
        self.counters.texts.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The way to a running engine.
#[derive(Clone, Debug)]
pub struct Service {
    messages: mpsc::Sender<Message>,
    counters: Arc<Counters>,
    next: Arc<AtomicU64>,
    context: usize,
    vocab_size: usize,
    waiting: u64,
}

/// The engine's end of a [`Service`].
#[derive(Debug)]
pub struct Inbox {
    /// What is asked.
    pub messages: mpsc::Receiver<Message>,
    /// What it counts.
    pub counters: Arc<Counters>,
    /// By which the engine's own threads wake it. Nobody asks by it, so that the inbox ends without it.
    pub(crate) waker: mpsc::WeakSender<Message>,
}

/// An answer under way. It is cancelled when it is dropped.
#[derive(Debug)]
pub struct Answer {
    id: u64,
    events: mpsc::Receiver<(Instant, Event)>,
    messages: mpsc::Sender<Message>,
    has_ended: bool,
}

impl Service {
    /// A way to an engine that counts in `counters`, for texts of up to `context` tokens among `vocab_size`, where up to `waiting` requests wait beside those
    /// for which rows are free.
    pub fn new(context: usize, vocab_size: usize, waiting: usize, counters: Arc<Counters>) -> (Service, Inbox) {
        let most = waiting + counters.rows.load(Ordering::Relaxed) as usize;
        // As many requests as may be under way, texts for vectors and cancellations; and what else is asked.
        let (sender, messages) = mpsc::channel(3 * most + 64);
        let inbox = Inbox { messages, counters: counters.clone(), waker: sender.downgrade() };
        let waiting = waiting as u64;
        (Service { messages: sender, counters, next: Arc::default(), context, vocab_size, waiting }, inbox)
    }

    /// The longest text, prompt and answer together, in tokens.
    pub fn context(&self) -> usize {
        self.context
    }

    /// How many tokens the model knows.
    pub fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    /// Whether the engine has ended.
    pub fn has_ended(&self) -> bool {
        self.messages.is_closed()
    }

    /// Returns once the engine has ended.
    pub async fn ended(&self) {
        self.messages.closed().await;
    }

    /// How many requests may be under way at once.
    pub fn requests_max(&self) -> usize {
        (self.waiting + self.counters.rows.load(Ordering::Relaxed)) as usize
    }

    /// How many requests may wait where no row is free.
    pub fn waiting_max(&self) -> usize {
        self.waiting as usize
    }

    /// What the engine counts.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Asks for an answer.
    ///
    /// # Errors
    /// The prompt is empty, fills the context or has an unknown token; or too many requests are under way. What the engine alone knows (an
    /// adapter's name) comes as the answer's first event, [`Failure::Refused`].
    pub fn submit(&self, mut request: Request) -> Result<Answer, Refusal> {
        let tokens = request.prompt.len();
        if tokens == 0 {
            return Err(Refusal::Empty);
        }
        if tokens + usize::from(request.max_tokens > 0) > self.context {
            return Err(Refusal::TooLong { tokens, context: self.context });
        }
        if let Some(&id) = request.prompt.iter().find(|&&id| id as usize >= self.vocab_size) {
            return Err(Refusal::Token { id, vocab_size: self.vocab_size });
        }
        request.max_tokens = request.max_tokens.min(self.context - tokens);
        let counted = Counted::unless_full(&self.counters, self.waiting + self.counters.rows_free())
            .map_err(|waiting| Refusal::Full { waiting: waiting as usize })?;
        // One for the beginning, one for the prompt, one for the end.
        let (sender, events) = mpsc::channel(request.max_tokens + 3);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.send(Message::Generate { id, request: Box::new(request), events: sender, counted })?;
        Ok(Answer { id, events, messages: self.messages.clone(), has_ended: false })
    }

    /// Sends a message that has its own reply.
    ///
    /// # Errors
    /// Too many messages are under way, or the engine has ended.
    pub fn send(&self, message: Message) -> Result<(), Refusal> {
        self.messages.try_send(message).map_err(|error| match error {
            TrySendError::Full(_) => Refusal::Full { waiting: self.waiting_max() },
            TrySendError::Closed(_) => Refusal::Stopping,
        })
    }

    /// Tells the engine to take no more requests, once there is room for the message.
    pub async fn drain(&self) {
        // An engine that has ended has nothing to drain.
        let _ = self.messages.send(Message::Drain).await;
    }
}

impl Answer {
    /// What comes next, with the time at which it did; `None` behind the end.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<(Instant, Event)>> {
        self.events.poll_recv(context).map(|event| self.note(event))
    }

    /// How much has come that nobody has taken.
    pub fn unread(&self) -> usize {
        self.events.len()
    }

    fn note(&mut self, event: Option<(Instant, Event)>) -> Option<(Instant, Event)> {
        if self.has_ended {
            return None;
        }
        let event = event.unwrap_or_else(|| (Instant::now(), Event::Failed(Failure::Stopping)));
        self.has_ended = matches!(event.1, Event::Finished(_) | Event::Failed(_));
        Some(event)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.has_ended {
            // If there is no room for the message the engine finds that nobody reads.
            let _ = self.messages.try_send(Message::Cancel(self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counters: &Counters) -> (u64, Option<AdapterUse>) {
        (counters.waiting.load(Ordering::Relaxed), counters.adapters().get("tuned").copied())
    }

    #[test]
    fn what_is_dropped_is_in_no_count() {
        let counters = Arc::new(Counters::new(Instant::now()));
        let tuned = |waiting, running| Some(AdapterUse { waiting, running });
        let [mut first, mut second] = [(); 2].map(|()| Counted::waiting(&counters));
        [&mut first, &mut second].into_iter().for_each(|counted| counted.wait_with("tuned"));
        assert_eq!(counts(&counters), (2, tuned(2, 0)));
        first.run();
        first.run();
        assert_eq!(counts(&counters), (1, tuned(1, 1)), "a request runs once");
        first.preempt();
        first.preempt();
        assert_eq!(counts(&counters), (1, tuned(2, 0)), "the scheduler counts what is to be computed again");
        first.run();
        assert_eq!(counts(&counters), (1, tuned(1, 1)));
        second.preempt();
        assert_eq!(counts(&counters), (1, tuned(1, 1)), "what does not run cannot be preempted");
        drop(second);
        assert_eq!(counts(&counters), (0, tuned(0, 1)));
        first.preempt();
        assert_eq!(counts(&counters), (0, tuned(1, 0)));
        drop(first);
        assert_eq!(counts(&counters), (0, None));
    }

    /// No program tells how far it is, and a server that computes a long text is not to be taken for a dead one; nor for a living one for ever.
    #[test]
    fn a_vector_is_overdue_when_it_should_have_been_there() {
        let began = Instant::now();
        let counters = Counters::new(began);
        let at = |seconds| began + Duration::from_secs(seconds);
        let ages =
            |seconds| [counters.overdue(at(seconds)), counters.last_step_age(at(seconds))].map(|age| age.as_secs());
        counters.note_step(at(5));
        assert_eq!(ages(30), [25, 25]);
        counters.begin_vector(at(30), Duration::from_secs(100));
        assert_eq!(ages(120), [0, 90]);
        assert_eq!(ages(190), [60, 160]);
        counters.end_vector(at(200));
        assert_eq!(ages(210), [10, 10], "answers that wait are due at once");
        counters.begin_vector(at(300), Duration::MAX);
        assert_eq!(ages(370), [70, 70], "what is no time is none");
    }

    /// A request that finds no room, or an engine that has ended, leaves no trace; and neither does one that nobody takes out of the channel.
    #[test]
    fn a_request_that_is_refused_is_in_no_count() {
        let counters = Arc::new(Counters::new(Instant::now()));
        let (service, inbox) = Service::new(16, 90, 1, Arc::clone(&counters));
        let request = || Request {
            prompt: vec![1],
            adapter: Some("tuned".to_owned()),
            sampling: Sampling::GREEDY,
            logit_bias: Vec::new(),
            max_tokens: 4,
            min_tokens: 0,
            end_ids: Vec::new(),
            logprobs: None,
            prompt_logprobs: None,
            constraint: None,
            priority: 0,
            key: 0,
            cache_salt: None,
        };
        let answer = service.submit(request());
        assert!(answer.is_ok());
        assert_eq!(service.submit(request()).map(|_| ()), Err(Refusal::Full { waiting: 1 }));
        assert_eq!(counts(&counters), (1, None));
        // For a row that is free one more may wait.
        counters.rows.store(3, Ordering::Relaxed);
        counters.running.store(2, Ordering::Relaxed);
        assert!(service.submit(request()).is_ok());
        assert_eq!(service.submit(request()).map(|_| ()), Err(Refusal::Full { waiting: 2 }));
        // The channel has room for other messages than requests.
        let full = std::iter::repeat_with(|| service.send(Message::Cancel(7))).find_map(Result::err);
        assert_eq!(full, Some(Refusal::Full { waiting: 1 }), "as many requests as may wait are told");
        drop(inbox);
        assert_eq!(counts(&counters), (0, None));
        assert_eq!(service.submit(request()).map(|_| ()), Err(Refusal::Stopping));
        assert_eq!(counts(&counters), (0, None));
    }
}
