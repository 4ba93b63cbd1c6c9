//! What an engine counts of what it is asked, for metrics and for the bound on what waits.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use super::Refusal;

/// Bounds of the tokens of a step, by which [`Counters::step_tokens`] counts: vLLM's.
pub const STEP_TOKENS: [u64; 13] = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384];

/// The number of who has no others beside them: everyone, where there are no keys, or the one key that stands in no file.
const ALONE: u64 = 0;

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
    /// Requests that wait and have not begun. Whoever changes it holds the lock of the places.
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
    places: Mutex<Places>,
}

/// The places of requests: those to wait, and one for each row. A request has one until it ends, whether it waits, runs or was preempted.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// All that are taken.
    pub(super) taken: u64,
    /// Those of requests that wait and have not begun, by the keys of those who ask. None is 0.
    pub(super) waiting_by_key: HashMap<u64, u64>,
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
            places: Mutex::default(),
        }
    }

    pub(super) fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request of the key's waits no more.
    fn note_waited(&self, key: u64, places: &mut Places) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        match places.waiting_by_key.get_mut(&key) {
            Some(own) if *own > 1 => *own -= 1,
            _ => _ = places.waiting_by_key.remove(&key),
        }
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
    key: u64,
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
        Counted::begin(counters, &mut counters.places(), ALONE)
    }

    fn begin(counters: &Arc<Counters>, places: &mut Places, key: u64) -> Counted {
        counters.waiting.fetch_add(1, Ordering::Relaxed);
        places.taken += 1;
        *places.waiting_by_key.entry(key).or_default() += 1;
        Counted { counters: Arc::clone(counters), key, adapter: None, state: State::Waiting }
    }

    /// So many more of a key's that wait, all or none, where `most` may wait beside those that have rows, preempted ones among them. A key has as many as rows are
    /// free, or as it leaves free: so whoever comes next finds room, as with what requests hold together in a server. If nobody waits a request may have more.
    ///
    /// What runs and what waits is counted together, since the engine begins and preempts requests while others come: none that has a place is refused there.
    ///
    /// # Errors
    /// There is no room for as many, or the key would have more.
    pub(super) fn unless_full(
        counters: &Arc<Counters>,
        key: u64,
        count: u64,
        most: u64,
    ) -> Result<Vec<Counted>, Refusal> {
        let mut places = counters.places();
        let [rows, waiting] = [&counters.rows, &counters.waiting].map(|count| count.load(Ordering::Relaxed));
        let begun = places.taken - waiting;
        let free = (most + rows).checked_sub(places.taken + count);
        let free = free.ok_or_else(|| {
            let beside_rows = |count: u64| (count - begun.min(rows)) as usize;
            let (waiting, all) = (beside_rows(places.taken), beside_rows(most + rows));
            Refusal::Full { waiting, places: all, asked: count as usize }
        })?;
        let (own, rows_free) = (places.waiting_by_key.get(&key).copied(), rows.saturating_sub(begun));
        let own = own.unwrap_or_default();
        if key != ALONE && waiting > 0 && own + count > free.max(rows_free).max(1) {
            return Err(Refusal::FullForKey);
        }
        Ok((0..count).map(|_| Counted::begin(counters, &mut places, key)).collect())
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
            State::Waiting => self.counters.note_waited(self.key, &mut self.counters.places()),
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
        let mut places = self.counters.places();
        places.taken -= 1;
        if self.state == State::Waiting {
            self.counters.note_waited(self.key, &mut places);
        }
        drop(places);
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
}
