//! Log-probabilities of tokens that are there, by an engine in the caller's own thread.

use std::sync::Arc;
use std::time::Instant;

use models::StateSize;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{self, Receiver};

use crate::batch::is_paged;
use crate::engine::{cache_bytes, gains_by_running_ahead, is_tiled, pages_wanted};
use crate::error::{Error, Result};
use crate::memory::Room;
use crate::service::{Counters, Event, Failure, Request};
use crate::windows::Window;
use crate::{Engine, EngineOptions, Model, Sampling, Windows};

/// Windows whose scores are held at a time: a small stride makes very many of a long sequence.
const WINDOWS_MAX: usize = 512;

/// How much is computed at once.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Windows of a step, and tokens of all of them with their padding: enough to fill a device.
    rows: usize,
    tokens: usize,
    /// Tokens of a window in a step, where no kernel attends: the scores of so many beside all that they see are in memory.
    chunk: usize,
    page_tokens: usize,
    /// Windows of so many tokens or fewer are computed together, and those of each double.
    shortest: usize,
}

const SIZES: Sizes = Sizes { rows: 16, tokens: 4096, chunk: 512, page_tokens: 32, shortest: 16 };

/// Scores sequences with a model.
pub struct Scorer<'m, 's> {
    model: &'m Model<'s>,
    sizes: Sizes,
    /// Whether a step begins before the one before is read.
    runs_ahead: bool,
    /// Whether windows are computed one at a time, since the device has had no room for more.
    is_alone: bool,
    /// The memory in which engines begin.
    room: Room<'m>,
    /// With room for as many windows as there were at most, and as long ones.
    engine: Option<Engine<'m, 's>>,
    counters: Arc<Counters>,
    /// The number of the next request.
    next: u64,
}

/// The scores of sequences, as they come.
struct Found<'f> {
    scores: Vec<Vec<f32>>,
    /// Is told the place of each sequence that is scored.
    tell: &'f mut dyn FnMut(usize),
}

/// What an engine is to have room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    /// Tokens of a window.
    longest: usize,
    /// Windows that are under way at once.
    windows: usize,
}

/// A window under way.
struct UnderWay {
    /// Its place among those that are scored together.
    place: usize,
    events: Receiver<(Instant, Event)>,
}

impl<'m, 's> Scorer<'m, 's> {
    /// A scorer that has compiled nothing yet.
    pub fn new(model: &'m Model<'s>) -> Scorer<'m, 's> {
        Scorer {
            model,
            sizes: SIZES,
            runs_ahead: gains_by_running_ahead(model),
            is_alone: false,
            room: Room::of(model.session(), model.plan().device_count()),
            engine: None,
            counters: Arc::new(Counters::new(Instant::now())),
            next: 0,
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model<'s> {
        self.model
    }

    /// For each sequence the natural logarithm of the probability of each of its tokens given those before it in its window, from the second
    /// on: one fewer than it has tokens.
    ///
    /// Windows of similar length go through the device together, so give many sequences at once. `progress` is told how many tokens were scored, again and again.
    ///
    /// # Errors
    /// A sequence has a token that the model does not know, or is longer than its windows cover; the model gives a token no number; or the device has no room,
    /// or fails.
    pub fn score(
        &mut self,
        sequences: &[&[u32]],
        windows: Windows,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Vec<Vec<f32>>> {
        for tokens in sequences {
            if !windows.cover(tokens.len()) {
                return Err(Error::Context { tokens: tokens.len(), context: windows.context() });
            }
        }
        let wanted = self.wanted(sequences, windows);
        let mut scores: Vec<Vec<f32>> = sequences.iter().map(|_| Vec::new()).collect();
        let of = |(at, tokens): (usize, &&[u32])| windows.of(tokens.len()).map(move |window| (at, window));
        let mut windows = sequences.iter().enumerate().flat_map(of);
        loop {
            let together: Vec<(usize, Window)> = windows.by_ref().take(WINDOWS_MAX).collect();
            if together.is_empty() {
                return Ok(scores);
            }
            let seen: Vec<&[u32]> =
                together.iter().map(|(at, window)| &sequences[*at][window.tokens.clone()]).collect();
            let tell = &mut |at: usize| progress(together[at].1.tokens.end - together[at].1.scored);
            let rows = self.score_whole(&seen, wanted, tell).map_err(|error| match error {
                Error::NoScore { sequence, token, dtype } => {
                    let (at, window) = &together[sequence];
                    Error::NoScore { sequence: *at, token: window.tokens.start + token, dtype }
                }
                other => other,
            });
            for ((at, window), row) in together.iter().zip(rows?) {
                scores[*at].extend_from_slice(&row[window.scored - 1 - window.tokens.start..]);
            }
        }
    }

    /// What all of these windows take, so that one engine serves them.
    fn wanted(&self, sequences: &[&[u32]], windows: Windows) -> Wanted {
        // A longer sequence has full windows, the last among them.
        let longest = sequences.iter().map(|tokens| tokens.len().min(windows.context())).max().unwrap_or_default();
        let all = sequences.iter().flat_map(|tokens| windows.of(tokens.len()));
        let all = all.filter(|window| window.tokens.len() > 1);
        let most = self.sizes.rows * self.steps();
        // Doubled, so that calls with more windows than those before begin few engines.
        Wanted { longest, windows: all.take(most).count().next_power_of_two().min(most) }
    }

    /// Scores sequences that the model can see at once.
    fn score_whole(
        &mut self,
        sequences: &[&[u32]],
        wanted: Wanted,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Vec<Vec<f32>>> {
        for tokens in sequences {
            self.model.check_tokens(tokens)?;
        }
        let mut places: Vec<usize> = (0..sequences.len()).filter(|at| sequences[*at].len() > 1).collect();
        let mut found = Found { scores: vec![Vec::new(); sequences.len()], tell };
        // The longest first, which tell at once whether there is room.
        places.sort_by_key(|at| std::cmp::Reverse(sequences[*at].len()));
        while !places.is_empty() {
            let mut engine = self.take_engine(wanted)?;
            match self.score_places(&mut engine, &places, sequences, &mut found) {
                Ok(()) => {
                    self.engine = Some(engine);
                    break;
                }
                // One whose step has failed is not used again.
                Err(error) => {
                    self.room = engine.into_room();
                    self.go_on_alone(error)?;
                }
            }
            places.retain(|at| found.scores[*at].is_empty());
        }
        Ok(found.scores)
    }

    /// An engine with room for what is wanted: the one that is there, or one in its place.
    fn take_engine(&mut self, wanted: Wanted) -> Result<Engine<'m, 's>> {
        let mut all = wanted;
        if let Some(engine) = self.engine.take() {
            // So that calls with many windows and calls with long ones do not take turns in beginning engines.
            all = Wanted { longest: wanted.longest.max(engine.context()), windows: wanted.windows.max(engine.rows()) };
            if all.longest == engine.context() && (self.is_alone || all.windows == engine.rows()) {
                return Ok(engine);
            }
            // What it frees is there for the next one.
            self.room = engine.into_room();
        }
        let begun = match self.begin(all) {
            // What was wanted before is not wanted now.
            Err(error) if all != wanted && is_for_room(&error) => self.begin(wanted),
            begun => begun,
        };
        begun.or_else(|error| {
            self.go_on_alone(error)?;
            self.begin(wanted)
        })
    }

    /// Has windows computed one at a time from here on, where that may have room.
    ///
    /// # Errors
    /// The one that came, if it is another one, or if they are already.
    fn go_on_alone(&mut self, error: Error) -> Result<()> {
        if self.is_alone || !is_for_room(&error) {
            return Err(error);
        }
        tracing::warn!("texts are scored one at a time from here on, which takes longer: {error}");
        self.is_alone = true;
        Ok(())
    }

    /// An engine for as many windows as are wanted, or for one alone.
    fn begin(&self, wanted: Wanted) -> Result<Engine<'m, 's>> {
        let (plan, Sizes { rows, tokens, chunk, page_tokens, .. }) = (self.model.plan(), self.sizes);
        let windows = if self.is_alone { 1 } else { wanted.windows };
        let one = StateSize { slots: 1, pages: 1, page_tokens };
        // What sums up all tokens takes the same of any length.
        let has_pages = plan.state_specs(one).iter().any(is_paged);
        let context = if has_pages { self.sizes.bucket(wanted.longest).min(plan.longest()) } else { plan.longest() };
        let is_tiled = is_tiled(self.model)?;
        let options = EngineOptions {
            rows: windows,
            prompts: rows.min(windows),
            chunk,
            // Where prompts have steps of their own a step has no tokens but theirs.
            step_tokens: Some(if is_tiled { tokens } else { windows + tokens }),
            context: Some(context),
            page_tokens,
            shares_prefixes: false,
            compiles_ahead: false,
            // A kernel reads what a window has, whatever its program has room for, and one size is one program to compile. Elsewhere all of that room is read, and
            // similarly long windows, which are computed together, have few sizes as it is.
            read_tokens_min: Some(if is_tiled { context } else { page_tokens }),
            runs_ahead: Some(self.runs_ahead),
            adapters_max: 0,
            ..EngineOptions::default()
        };
        let least = pages_wanted(1, if has_pages { context } else { 1 }, page_tokens);
        // Each window may have a page that is not full.
        let all = least.max(windows + self.steps() * tokens / page_tokens + 1);
        let bytes = cache_bytes(self.model, &options, if self.is_alone { least } else { all });
        let options = EngineOptions { cache_bytes: Some(bytes), ..options };
        Engine::in_room(self.model, None, &options, Arc::clone(&self.counters), self.room.clone())
    }

    /// Steps that are under way at once.
    fn steps(&self) -> usize {
        if self.runs_ahead { 2 } else { 1 }
    }

    /// Scores the sequences at these places, those together that are similarly long and stand next to each other.
    fn score_places(
        &mut self,
        engine: &mut Engine<'_, '_>,
        places: &[usize],
        sequences: &[&[u32]],
        found: &mut Found<'_>,
    ) -> Result<()> {
        let sizes = self.sizes;
        let bucket = |at: &usize| sizes.bucket(sequences[*at].len());
        for alike in places.chunk_by(|a, b| bucket(a) == bucket(b)) {
            self.score_alike(engine, sizes.rows_of(bucket(&alike[0])), alike, sequences, found)?;
        }
        Ok(())
    }

    /// Scores the sequences at these places, which are similarly long, `rows` in a step.
    fn score_alike(
        &mut self,
        engine: &mut Engine<'_, '_>,
        rows: usize,
        places: &[usize],
        sequences: &[&[u32]],
        found: &mut Found<'_>,
    ) -> Result<()> {
        let (rows, steps) = if self.is_alone { (1, 1) } else { (rows, self.steps()) };
        let mut waiting = places.iter().copied();
        let mut under_way: Vec<UnderWay> = Vec::new();
        loop {
            // No more than a step's, though it may have room for more: where the next one begins before this one is read, it has windows too.
            for place in waiting.by_ref().take(rows.min(steps * rows - under_way.len())) {
                // What becomes of a request that is only scored: that it begins, its scores, and that it ends.
                let (sender, events) = mpsc::channel(4);
                engine.submit(self.next, request(sequences[place]), sender);
                self.next += 1;
                under_way.push(UnderWay { place, events });
            }
            if under_way.is_empty() {
                return Ok(());
            }
            engine.step()?;
            let mut at = 0;
            while let Some(one) = under_way.get_mut(at) {
                let has_ended = read(&mut one.events, &mut found.scores[one.place]).map_err(|error| match error {
                    Error::Answer(Failure::NotFinite { tokens, .. }) => {
                        Error::NoScore { sequence: one.place, token: tokens + 1, dtype: self.model.dtype() }
                    }
                    other => other,
                });
                match has_ended? {
                    true => (found.tell)(under_way.remove(at).place),
                    false => at += 1,
                }
            }
        }
    }
}

impl Sizes {
    /// The most tokens of windows that are computed together with one of so many.
    fn bucket(&self, tokens: usize) -> usize {
        tokens.next_power_of_two().max(self.shortest)
    }

    /// How many windows of so many tokens a step has.
    fn rows_of(&self, bucket: usize) -> usize {
        (self.tokens / bucket).clamp(1, self.rows)
    }
}

/// Whether there was too little memory.
fn is_for_room(error: &Error) -> bool {
    match error {
        Error::TooLarge { .. } | Error::Answer(Failure::TooLarge(_)) => true,
        Error::Runtime(error) => error.is_out_of_memory(),
        _ => false,
    }
}

/// Asks for no more than how likely a text's own tokens are.
fn request(tokens: &[u32]) -> Request {
    Request {
        prompt: tokens.into(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens: 0,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        prompt_logprobs: Some(0),
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    }
}

/// Takes what has come of a window. Gives whether that was all.
fn read(events: &mut Receiver<(Instant, Event)>, scores: &mut Vec<f32>) -> Result<bool> {
    loop {
        match events.try_recv().map(|(_, event)| event) {
            Ok(Event::Started { .. } | Event::Token(_)) => {}
            Ok(Event::Scored(told)) => *scores = told.iter().map(|place| place.logprob).collect(),
            Ok(Event::Finished(_)) => return Ok(true),
            Ok(Event::Failed(failure)) => return Err(failure.into()),
            Err(TryRecvError::Empty) => return Ok(false),
            Err(TryRecvError::Disconnected) => return Err(Failure::Stopping.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;
    use std::sync::atomic::Ordering;

    use checkpoint::ModelSource;
    use graph::DType;
    use runtime::Memory;
    use runtime::plugins::{Environment, Platform};

    use super::*;
    use crate::WholeTexts;

    fn with_models(names: &[&str], body: impl Fn(&str, &Model<'_>)) {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
        for name in names {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(name);
            let source = ModelSource::open(&folder, None).unwrap();
            body(name, &Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap());
        }
    }

    /// Scores texts of these lengths, and compares the scores with those of whole texts.
    fn check(scorer: &mut Scorer<'_, '_>, name: &str, lengths: &[usize]) {
        let model = scorer.model();
        let vocab_size = model.sizes().vocab_size as u32;
        let text = |length: usize| -> Vec<u32> {
            (0..length as u32).map(|at| (at * at + 7 * length as u32 + 3) % vocab_size).collect()
        };
        let texts: Vec<Vec<u32>> = lengths.iter().map(|length| text(*length)).collect();
        let sequences: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
        let windows = Windows::new(Some(64), None, model.context()).unwrap();
        let mut told = 0;
        let found = scorer.score(&sequences, windows, &mut |tokens| told += tokens).unwrap();
        assert_eq!(told, found.iter().map(Vec::len).sum::<usize>(), "{name}: all are told");
        let mut whole = WholeTexts::new(model);
        for (text, found) in texts.iter().zip(found) {
            let expected = whole.score(text).unwrap();
            assert_eq!(found.len(), expected.len());
            let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp);
            assert!(off.is_none_or(|off| off < 1e-4), "{name}, {} tokens: {off:?}", text.len());
        }
    }

    /// Windows of many lengths, in several chunks, more of them than there are rows; and longer ones behind them, for which another engine begins. The last kind
    /// of model has no pages.
    #[test]
    fn windows_of_any_length_are_scored_as_whole_texts_are() {
        with_models(&["llama/grouped", "mistral/window", "mamba2/groups"], |name, model| {
            for runs_ahead in [false, name.starts_with("llama")] {
                let sizes = Sizes { rows: 3, tokens: 48, chunk: 16, page_tokens: 4, shortest: 4 };
                let mut scorer = Scorer { sizes, runs_ahead, ..Scorer::new(model) };
                for lengths in [&[3, 0, 17, 1, 2, 9, 4, 16, 5, 12, 17, 8, 3, 2][..], &[40, 6, 33]] {
                    check(&mut scorer, name, lengths);
                }
            }
        });
    }

    /// A step has as many short windows as it has rows, none of which needs a page more. Where steps run ahead, the next one has as many others.
    #[test]
    fn short_windows_fill_a_step() {
        with_models(&["llama/grouped", "mamba2/groups"], |name, model| {
            for (runs_ahead, windows, steps) in [(false, 16, 1), (true, 32, 2), (true, 30, 2)] {
                let mut scorer = Scorer { runs_ahead, ..Scorer::new(model) };
                check(&mut scorer, name, &vec![16; windows]);
                assert_eq!(scorer.counters.steps.load(Ordering::Relaxed), steps, "{name}, {windows}");
            }
        });
    }

    /// As long and as many windows as a text of the models, and a step with all of them, can have.
    const MANY: Wanted = Wanted { longest: 64, windows: 256 };

    /// A scorer for up to so many windows, in a process that has so many bytes and keeps what it frees.
    fn scorer_in<'m, 's>(model: &'m Model<'s>, free: &'m Cell<u64>) -> Scorer<'m, 's> {
        let sizes = Sizes { rows: MANY.windows, tokens: MANY.windows * MANY.longest, page_tokens: 4, ..SIZES };
        let room = Room::told_by(|| Some(Memory { total: 1 << 40, free: free.get(), peak: None }));
        Scorer { sizes, runs_ahead: false, room, ..Scorer::new(model) }
    }

    /// Bytes of the state of an engine of [`scorer_in`].
    fn bytes(model: &Model<'_>, Wanted { longest, windows }: Wanted) -> u64 {
        let options = EngineOptions { rows: windows, page_tokens: 4, ..EngineOptions::default() };
        cache_bytes(model, &options, pages_wanted(windows, longest, options.page_tokens))
    }

    /// Where the state for many windows has no room, or leaves none for a step.
    #[test]
    fn windows_are_scored_one_at_a_time_where_more_have_no_room() {
        with_models(&["llama/grouped", "mamba2/groups"], |name, model| {
            let (many, plenty) = (bytes(model, MANY), 1 << 40);
            for (at_first, later) in [(plenty, plenty), (plenty, 0), (many, 0), (many - 1, many - 1)] {
                let free = Cell::new(at_first);
                let mut scorer = scorer_in(model, &free);
                scorer.engine = Some(scorer.take_engine(MANY).unwrap());
                free.set(later);
                check(&mut scorer, name, &[20, 64, 9, 2, 33]);
                let rows = scorer.engine.as_ref().unwrap().rows();
                let expected = if later == plenty { (false, MANY.windows) } else { (true, 1) };
                assert_eq!((scorer.is_alone, rows), expected, "{name}, {at_first}, {later}");
            }
            let free = Cell::new(0);
            let windows = Windows::new(Some(64), None, None).unwrap();
            let refused = scorer_in(model, &free).score(&[&[1, 2, 3]], windows, &mut |_| ());
            assert!(matches!(refused, Err(Error::TooLarge { .. })), "{name}");
        });
    }

    /// What an engine frees is there for the next one, which has room for what either was for, or where that is too much for what is wanted now.
    #[test]
    fn longer_windows_take_the_place_of_shorter_ones() {
        with_models(&["llama/grouped"], |_, model| {
            let (short, long) = (Wanted { longest: 16, ..MANY }, Wanted { windows: 1, ..MANY });
            let more = bytes(model, MANY) - bytes(model, short);
            for (later, rows) in [(more, MANY.windows), (more - 1, long.windows)] {
                let free = Cell::new(1 << 40);
                let mut scorer = scorer_in(model, &free);
                scorer.engine = Some(scorer.take_engine(short).unwrap());
                free.set(later);
                let engine = scorer.take_engine(long).unwrap();
                assert_eq!((engine.rows(), engine.context()), (rows, MANY.longest));
                assert!(!scorer.is_alone, "all that is wanted has room");
            }
        });
    }
}
