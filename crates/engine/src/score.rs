//! Log-probabilities of tokens that are there, by an engine in the caller's own thread.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::{self, Receiver};

use crate::engine::{cache_bytes, pages_wanted};
use crate::error::{Error, Result};
use crate::service::{Counters, Event, Request};
use crate::windows::Window;
use crate::{Engine, EngineOptions, Model, Sampling, Windows};

/// Windows that are computed at once, and tokens of them: enough to fill a device, and a bound on keys and values.
const ROWS: usize = 16;
const TOKENS: usize = 4096;
/// Of how many tokens of a window all scores are in memory at once, where no kernel attends.
const CHUNK: usize = 512;
const PAGE_TOKENS: usize = 32;
/// Engines have room for windows of so many tokens and their doubles.
const CONTEXT_MIN: usize = 256;
/// Windows whose scores are held at a time: a small stride makes very many of a long sequence.
const WINDOWS_MAX: usize = 512;

/// Scores sequences with a model.
pub struct Scorer<'m, 's> {
    model: &'m Model<'s>,
    /// With room for the longest window so far.
    engine: Option<Engine<'m, 's>>,
    /// The number of the next request.
    next: u64,
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
        Scorer { model, engine: None, next: 0 }
    }

    /// The model.
    pub fn model(&self) -> &'m Model<'s> {
        self.model
    }

    /// For each sequence the natural logarithm of the probability of each of its tokens given those before it in its window, from the second
    /// on: one fewer than it has tokens.
    ///
    /// Windows of similar length go through the device together, so give many sequences at once.
    ///
    /// # Errors
    /// A sequence has a token that the model does not know, or is longer than its windows cover; or the device fails.
    pub fn score(&mut self, sequences: &[&[u32]], windows: Windows) -> Result<Vec<Vec<f32>>> {
        for tokens in sequences {
            if !windows.cover(tokens.len()) {
                return Err(Error::Context { tokens: tokens.len(), context: windows.context() });
            }
        }
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
            for ((at, window), row) in together.iter().zip(self.score_whole(&seen)?) {
                scores[*at].extend_from_slice(&row[window.scored - 1 - window.tokens.start..]);
            }
        }
    }

    /// Scores sequences that the model can see at once.
    fn score_whole(&mut self, sequences: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        for tokens in sequences {
            self.model.check_tokens(tokens)?;
        }
        let mut places: Vec<usize> = (0..sequences.len()).filter(|at| sequences[*at].len() > 1).collect();
        let mut scores = vec![Vec::new(); sequences.len()];
        let Some(longest) = places.iter().map(|at| sequences[*at].len()).max() else { return Ok(scores) };
        // The longest first, which tell at once whether there is room.
        places.sort_by_key(|at| std::cmp::Reverse(sequences[*at].len()));
        let mut engine = match self.engine.take().filter(|engine| longest <= engine.context()) {
            Some(engine) => engine,
            None => self.begin(longest)?,
        };
        let mut waiting = VecDeque::from(places);
        let mut under_way: Vec<UnderWay> = Vec::new();
        // An engine whose step has failed is not used again.
        while !(waiting.is_empty() && under_way.is_empty()) {
            // As many again as are computed wait, so that no row is empty.
            let more = (2 * ROWS).saturating_sub(under_way.len()).min(waiting.len());
            for place in waiting.drain(..more) {
                let (sender, events) = mpsc::channel(4);
                engine.submit(self.next, request(sequences[place]), sender);
                self.next += 1;
                under_way.push(UnderWay { place, events });
            }
            engine.step()?;
            let mut at = 0;
            while let Some(one) = under_way.get_mut(at) {
                match read(&mut one.events, &mut scores[one.place])? {
                    true => _ = under_way.remove(at),
                    false => at += 1,
                }
            }
        }
        self.engine = Some(engine);
        Ok(scores)
    }

    /// An engine for windows of `tokens` tokens.
    fn begin(&self, tokens: usize) -> Result<Engine<'m, 's>> {
        let context = tokens.next_power_of_two().max(CONTEXT_MIN).min(self.model.plan().longest());
        let options = EngineOptions {
            rows: ROWS,
            prompts: ROWS,
            chunk: CHUNK,
            step_tokens: Some(ROWS + TOKENS),
            context: Some(context),
            page_tokens: PAGE_TOKENS,
            shares_prefixes: false,
            compiles_ahead: false,
            adapters_max: 0,
            ..EngineOptions::default()
        };
        // For so many tokens of all, however long each is, and for one of the longest.
        let pages = pages_wanted(1, context, PAGE_TOKENS).max(ROWS + TOKENS / PAGE_TOKENS);
        let bytes = cache_bytes(self.model, &options, pages);
        let counters = Arc::new(Counters::new(Instant::now()));
        Engine::new(self.model, &EngineOptions { cache_bytes: Some(bytes), ..options }, counters)
    }
}

/// Asks for no more than how likely a text's own tokens are.
fn request(tokens: &[u32]) -> Request {
    Request {
        prompt: tokens.to_vec(),
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
    while let Ok((_, event)) = events.try_recv() {
        match event {
            Event::Started { .. } | Event::Token(_) => {}
            Event::Scored(told) => *scores = told.iter().map(|place| place.logprob).collect(),
            Event::Finished(_) => return Ok(true),
            Event::Failed(failure) => return Err(failure.into()),
        }
    }
    Ok(false)
}
