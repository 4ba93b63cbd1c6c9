//! Requests as of many clients, from the first to the last answer.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::arrivals::{Arrivals, PoissonTimes, begin};
use crate::ask::{Call, Level, ask};
use crate::bounds::Bounds;
use crate::dialect::Endpoint;
use crate::draws::{Draws, Purpose};
use crate::lengths::Lengths;
use crate::paced::{SLOW_BYTES, SLOW_PAUSE};
use crate::prepare::{Error, Ready, prepare};
use crate::prompts::{Prompt, Prompts};
use crate::record::Record;
use crate::summary::{Course, Summary, Tally};
use crate::target::Target;
use crate::zipf::Zipf;

/// Bytes a second of a slow reader.
pub const SLOW_BYTES_PER_SECOND: u64 = SLOW_BYTES as u64 * 1000 / SLOW_PAUSE.as_millis() as u64;
/// How long a client of a closed loop waits after a failure, so that a server that refuses is not asked as fast as it can refuse.
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// Records that wait to be counted.
const RECORDS: usize = 1024;
/// Threads of clients at most: what is done for a token is little.
const THREADS_MAX: usize = 8;

/// What is sent, and how it is judged.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the server is.
    pub target: Target,
    /// Which endpoint is asked.
    pub endpoint: Endpoint,
    /// The models that are asked for; of none the server's first, or all of them.
    pub models: Vec<String>,
    /// Whether that is all of them.
    pub all_models: bool,
    /// How much more often the first of several models is asked for than the others: the exponent of Zipf's law.
    pub zipf: f64,
    /// When requests come.
    pub arrivals: Arrivals,
    /// How many requests.
    pub requests: Option<u64>,
    /// For how long they come; what is under way then is finished.
    pub time: Option<Duration>,
    /// What they ask.
    pub prompts: Prompts,
    /// Tokens of answers.
    pub answer: Lengths,
    /// Keys that clients send, each its own.
    pub keys: Vec<String>,
    /// File of the certificates that vouch for a server of `https://`, in PEM; of none, the system's.
    pub certificates: Option<PathBuf>,
    /// The part of readers that are slow, below 1.
    pub slow_readers: f64,
    /// How long a request may take.
    pub timeout: Duration,
    /// Decides what is random, but for the words of prompts.
    pub seed: u64,
    /// Decides those: a server that remembers what it has computed answers the same words sooner the second time.
    pub words_seed: u64,
    /// What a request has to keep.
    pub bounds: Option<Bounds>,
}

/// A load on a server that was found to answer.
#[derive(Debug)]
pub struct Load {
    runtime: Runtime,
    options: Options,
    ready: Ready,
}

/// What all clients have.
#[derive(Debug)]
struct Run {
    options: Options,
    ready: Ready,
    zipf: Zipf,
    begin: Instant,
    next: AtomicU64,
    /// Requests whose readers are not slow.
    started: AtomicU64,
    slow_started: AtomicU64,
    under_way: Level,
    streams: Level,
    records: mpsc::Sender<Record>,
}

impl Load {
    /// Asks the server for its models, how requests are written, and how prompts are made. A future `stop` ends that.
    ///
    /// # Errors
    /// There is no server, it does not answer, or the options contradict each other.
    pub fn prepare(options: Options, stop: &mut (impl Future + Unpin)) -> Result<Load, Error> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(cores.min(THREADS_MAX))
            .thread_name("clients")
            .enable_all()
            .build()
            .map_err(Error::Threads)?;
        let ready = runtime.block_on(async {
            tokio::select! {
                ready = prepare(&options) => ready,
                _ = stop => Err(Error::Stopped),
            }
        })?;
        Ok(Load { runtime, options, ready })
    }

    /// The models that are asked for, the most frequent first.
    pub fn models(&self) -> &[String] {
        &self.ready.models
    }

    /// What there is to know about the measurement.
    pub fn notes(&self) -> &[String] {
        &self.ready.notes
    }

    /// Sends the requests, calls `each` with each record, and sums them up. When `stop` is there, what is under way is given up.
    pub fn run(self, stop: &mut (impl Future + Unpin), mut each: impl FnMut(&Record)) -> Summary {
        let Load { runtime, options, ready } = self;
        let summary = runtime.block_on(measure(options, ready, stop, &mut each));
        runtime.shutdown_background();
        summary
    }
}

async fn measure(
    options: Options,
    ready: Ready,
    stop: &mut (impl Future + Unpin),
    each: &mut impl FnMut(&Record),
) -> Summary {
    let mut tally = Tally::new(ready.models.len(), options.keys.len(), options.bounds, options.time);
    let (sender, mut records) = mpsc::channel(RECORDS);
    let run = Arc::new(Run {
        zipf: Zipf::new(ready.models.len(), options.zipf),
        begin: Instant::now(),
        next: AtomicU64::new(0),
        started: AtomicU64::new(0),
        slow_started: AtomicU64::new(0),
        under_way: Level::default(),
        streams: Level::default(),
        records: sender,
        options,
        ready,
    });
    let mut driver = tokio::spawn(drive(Arc::clone(&run)));
    let mut counted = 0;
    let (mut is_over, mut stopped_at) = (false, None);
    while !is_over {
        let record = tokio::select! {
            record = records.recv() => record,
            _ = &mut driver => { is_over = true; None }
            _ = &mut *stop => {
                (is_over, stopped_at) = (true, Some(run.begin.elapsed()));
                None
            }
        };
        // Behind the end there are those that are waiting to be counted.
        let waiting = std::iter::from_fn(|| if is_over { records.try_recv().ok() } else { None });
        for record in record.into_iter().chain(waiting) {
            counted += u64::from(!record.is_slow);
            tally.add(&record);
            each(&record);
        }
    }
    driver.abort();
    let course = Course {
        stopped: run.started.load(Ordering::Relaxed).saturating_sub(counted),
        stopped_at,
        // Numbers are asked for until time is over.
        ran_out: run.options.requests.is_some_and(|requests| run.next.load(Ordering::Relaxed) > requests),
        under_way_max: run.under_way.most(),
        streams_max: run.streams.most(),
        slow_sent: run.slow_started.load(Ordering::Relaxed),
        rounded_tokens: run.ready.recipe.rounded_tokens(),
    };
    tally.finish(course, &run.ready.models)
}

/// Sends all requests. Slow readers are left where they are when the others have their answers.
async fn drive(run: Arc<Run>) {
    let (mut readers, mut slow_readers) = (JoinSet::new(), JoinSet::new());
    match run.options.arrivals {
        Arrivals::Closed { clients, ramp } => {
            for client in 0..clients {
                let is_slow = run.is_slow(client as u64);
                let set = if is_slow { &mut slow_readers } else { &mut readers };
                let due = run.begin + begin(client, clients, ramp);
                set.spawn(Arc::clone(&run).ask_again_and_again(client as u64, due, is_slow));
            }
        }
        Arrivals::Poisson { rate, ramp } => {
            for time in PoissonTimes::new(run.options.seed, rate, ramp) {
                let due = run.begin + time;
                let Some(number) = run.number(due) else { break };
                sleep_until(due).await;
                let is_slow = run.is_slow(number);
                let set = if is_slow { &mut slow_readers } else { &mut readers };
                run.note_start(is_slow);
                let run = Arc::clone(&run);
                set.spawn(async move {
                    run.ask(number, number, due, is_slow).await;
                });
                // Those that have ended take memory until then.
                while readers.try_join_next().is_some() {}
            }
        }
    }
    while readers.join_next().await.is_some() {}
}

impl Run {
    /// The number of a request that is due then, if there is one more.
    fn number(&self, due: Instant) -> Option<u64> {
        if self.options.time.is_some_and(|time| due >= self.begin + time) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.options.requests.is_none_or(|requests| number < requests).then_some(number)
    }

    /// Whether that client, or request, is a slow reader.
    fn is_slow(&self, index: u64) -> bool {
        is_slow(self.options.seed, self.options.slow_readers, index)
    }

    fn note_start(&self, is_slow: bool) {
        let started = if is_slow { &self.slow_started } else { &self.started };
        started.fetch_add(1, Ordering::Relaxed);
    }

    /// A client of a closed loop.
    async fn ask_again_and_again(self: Arc<Self>, client: u64, due: Instant, is_slow: bool) {
        sleep_until(due).await;
        while let Some(number) = self.number(Instant::now()) {
            self.note_start(is_slow);
            if !self.ask(number, client, Instant::now(), is_slow).await {
                sleep(AFTER_FAILURE).await;
            }
        }
    }

    /// Sends a request, and tells whether it was answered.
    async fn ask(&self, number: u64, client: u64, due: Instant, is_slow: bool) -> bool {
        let under_way = self.under_way.enter();
        let key = (client % self.options.keys.len().max(1) as u64) as usize;
        let model = self.zipf.draw(&mut Draws::of(self.options.seed, Purpose::Model, number));
        let (prompt, wanted_prompt, wanted) = self.prompt(number);
        let body = self.ready.dialect.body(self.options.endpoint, &self.ready.models[model], &prompt, wanted);
        let late = due.elapsed();
        let path = self.options.endpoint.path();
        let call = Call { path, body, key, is_slow, due, timeout: self.options.timeout };
        let answer = ask(&self.ready.client, call, &self.streams).await;
        drop(under_way);
        let record = Record {
            number,
            model,
            key,
            is_slow,
            due: due.saturating_duration_since(self.begin),
            late,
            pieces_us: answer.pieces_us,
            end: answer.end,
            prompt_tokens: answer.prompt_tokens,
            wanted_prompt_tokens: wanted_prompt.map(|tokens| tokens as u64),
            cached_tokens: answer.cached_tokens,
            answer_tokens: answer.answer_tokens,
            wanted_tokens: wanted as u64,
            outcome: answer.outcome,
        };
        let is_done = record.is_done();
        // Nobody counts once the measurement was stopped.
        let _ = self.records.send(record).await;
        is_done
    }

    /// What a request asks, how many tokens that should have where it is made, and for how many it asks. Both fit the context where the server tells it.
    fn prompt(&self, number: u64) -> (Prompt, Option<usize>, usize) {
        let mut draws = Draws::of(self.options.seed, Purpose::Lengths, number);
        let Ready { recipe, context, .. } = &self.ready;
        let wanted = self.options.answer.draw(&mut draws);
        match &self.options.prompts {
            Prompts::Given(prompts) => (prompts[(number % prompts.len() as u64) as usize].clone(), None, wanted),
            Prompts::Made(lengths) => {
                let room = context.unwrap_or(usize::MAX);
                let wanted = wanted.min(room.saturating_sub(recipe.least())).max(1);
                let tokens = lengths.draw(&mut draws).min(room.saturating_sub(wanted));
                let text = recipe.text(tokens, &mut Draws::of(self.options.words_seed, Purpose::Words, number));
                (Prompt::Text(text), Some(tokens), wanted)
            }
        }
    }
}

/// Whether a reader is one of the slow ones, which are `part` of all, below 1: one of each 1 / `part` in a row, as many of the first as of the last. Which one is
/// drawn, because what else goes by readers' numbers, as their keys do, would be the same for all slow ones. The first reader of all is none: there is always one
/// whose answers are waited for.
fn is_slow(seed: u64, part: f64, index: u64) -> bool {
    if part <= 0.0 {
        return false;
    }
    let first = |group: u64| (group as f64 / part).ceil() as u64;
    // Off by one where a product was rounded.
    let near = (index as f64 * part) as u64;
    let group = if index < first(near) { near - 1 } else { near + u64::from(index >= first(near + 1)) };
    // The first group has two members or more.
    let first_member = first(group).max(1);
    let members = first(group + 1) - first_member;
    index == first_member + Draws::of(seed, Purpose::SlowReader, group).below(members as usize) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn slow_readers_are_as_many_as_asked_for_and_have_all_keys() {
        for (part, keys) in [(0.5, 2), (0.1, 10), (0.25, 8), (0.3, 3), (0.75, 4), (1.0 / 3.0, 3), (0.01, 20)] {
            let slow: Vec<u64> = (0..20_000).filter(|index| is_slow(7, part, *index)).collect();
            let expected = 20_000.0 * part;
            assert!((slow.len() as f64 - expected).abs() <= 1.0, "{} of {part}", slow.len());
            let of_first = slow.iter().filter(|index| **index < 10_000).count() as f64;
            assert!((of_first - expected / 2.0).abs() <= 1.0, "{of_first} of {part}");
            let mut by_key = BTreeMap::new();
            slow.iter().for_each(|index| *by_key.entry(index % keys).or_insert(0_u32) += 1);
            // Of 200 readers 20 keys have ten each, by about three more or less.
            assert_eq!(by_key.len() as u64, keys, "{part}: {by_key:?}");
        }
        assert!(!(0..1000).any(|index| is_slow(7, 0.0, index)));
        for (seed, part) in (0..100).flat_map(|seed| [0.1, 0.5, 0.9, 0.999].map(|part| (seed, part))) {
            assert!(!is_slow(seed, part, 0), "nobody's answers are waited for: {part}, seed {seed}");
        }
        assert!((0..1000).any(|index| is_slow(7, 0.1, index) != is_slow(8, 0.1, index)));
    }
}
