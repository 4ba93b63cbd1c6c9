//! Log-probabilities of tokens that are there, by an engine in the caller's own thread.

use std::sync::Arc;
use std::time::Instant;

use models::StateSize;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{self, Receiver};

use crate::batch::is_paged;
use crate::engine::{cache_bytes, gains_by_running_ahead, is_tiled, pages_wanted};
use crate::error::{Error, Result};
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
        Scorer { model, sizes: SIZES, engine: None, next: 0 }
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
    /// A sequence has a token that the model does not know, or is longer than its windows cover; or the device has no room, or fails.
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
        // The longest first, which tell at once whether there is room.
        places.sort_by_key(|at| std::cmp::Reverse(sequences[*at].len()));
        let Some(longest) = places.first().map(|at| sequences[*at].len()) else { return Ok(scores) };
        // One whose step has failed is not used again.
        let mut engine = match self.engine.take().filter(|engine| longest <= engine.context()) {
            Some(engine) => engine,
            None => self.begin(longest)?,
        };
        let bucket = |at: &usize| self.sizes.bucket(sequences[*at].len());
        for alike in places.chunk_by(|a, b| bucket(a) == bucket(b)) {
            let rows = self.sizes.rows_of(bucket(&alike[0])) * steps_at_once(self.model);
            score_alike(&mut engine, &mut self.next, rows, alike, sequences, &mut scores)?;
        }
        self.engine = Some(engine);
        Ok(scores)
    }

    /// An engine for windows of `longest` tokens: with room for as many as are computed at once, or for one alone.
    fn begin(&self, longest: usize) -> Result<Engine<'m, 's>> {
        let (plan, Sizes { rows, tokens, chunk, page_tokens, .. }) = (self.model.plan(), self.sizes);
        let one = StateSize { slots: 1, pages: 1, page_tokens };
        // What sums up all tokens takes the same of any length.
        let has_pages = plan.state_specs(one).iter().any(is_paged);
        let context = if has_pages { self.sizes.bucket(longest).min(plan.longest()) } else { plan.longest() };
        let rows = rows * steps_at_once(self.model);
        let options = EngineOptions {
            rows,
            prompts: self.sizes.rows,
            chunk,
            // Where prompts have steps of their own a step has no tokens but theirs.
            step_tokens: Some(if is_tiled(self.model)? { tokens } else { rows + tokens }),
            context: Some(context),
            page_tokens,
            shares_prefixes: false,
            compiles_ahead: false,
            adapters_max: 0,
            ..EngineOptions::default()
        };
        let begin = |pages| {
            let bytes = cache_bytes(self.model, &options, pages);
            let counters = Arc::new(Counters::new(Instant::now()));
            Engine::new(self.model, &EngineOptions { cache_bytes: Some(bytes), ..options.clone() }, counters)
        };
        let least = pages_wanted(1, if has_pages { context } else { 1 }, page_tokens);
        // Each window may have a page that is not full.
        let all = least.max(rows + steps_at_once(self.model) * tokens / page_tokens + 1);
        match begin(all) {
            Err(Error::TooLarge { .. }) if least < all => begin(least),
            begun => begun,
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

/// Steps whose windows are under way at once: where one begins before the one before is read, its windows are others.
fn steps_at_once(model: &Model<'_>) -> usize {
    if gains_by_running_ahead(model) { 2 } else { 1 }
}

/// Scores the sequences at these places, which are similarly long, `rows` at a time.
fn score_alike(
    engine: &mut Engine<'_, '_>,
    next: &mut u64,
    rows: usize,
    places: &[usize],
    sequences: &[&[u32]],
    scores: &mut [Vec<f32>],
) -> Result<()> {
    let mut waiting = places.iter().copied();
    let mut under_way: Vec<UnderWay> = Vec::new();
    loop {
        for place in waiting.by_ref().take(rows - under_way.len()) {
            // What becomes of a request that is only scored: that it begins, its scores, and that it ends.
            let (sender, events) = mpsc::channel(4);
            engine.submit(*next, request(sequences[place]), sender);
            *next += 1;
            under_way.push(UnderWay { place, events });
        }
        if under_way.is_empty() {
            return Ok(());
        }
        engine.step()?;
        let mut at = 0;
        while let Some(one) = under_way.get_mut(at) {
            if read(&mut one.events, &mut scores[one.place])? { _ = under_way.remove(at) } else { at += 1 }
        }
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
    use std::path::Path;

    use checkpoint::ModelSource;
    use graph::DType;
    use runtime::plugins::{Environment, Platform};

    use super::*;
    use crate::WholeTexts;

    /// Windows of many lengths, in several chunks, more of them than there are rows; and longer ones behind them, for which another engine begins. The last kind
    /// of model has no pages.
    #[test]
    fn windows_of_any_length_are_scored_as_whole_texts_are() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
        for name in ["llama/grouped", "mistral/window", "mamba2/groups"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(name);
            let source = ModelSource::open(&folder, None).unwrap();
            let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
            let vocab_size = model.sizes().vocab_size as u32;
            let text = |length: usize| -> Vec<u32> {
                (0..length as u32).map(|at| (at * at + 7 * length as u32 + 3) % vocab_size).collect()
            };
            let sizes = Sizes { rows: 3, tokens: 48, chunk: 16, page_tokens: 4, shortest: 4 };
            let mut scorer = Scorer { sizes, ..Scorer::new(&model) };
            let mut whole = WholeTexts::new(&model);
            for lengths in [&[3, 0, 17, 1, 2, 9, 4, 16, 5, 12, 17, 8, 3, 2][..], &[40, 6, 33]] {
                let texts: Vec<Vec<u32>> = lengths.iter().map(|length| text(*length)).collect();
                let sequences: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
                let windows = Windows::new(Some(48), None, model.context()).unwrap();
                let found = scorer.score(&sequences, windows).unwrap();
                for (text, found) in texts.iter().zip(found) {
                    let expected = whole.score(text).unwrap();
                    assert_eq!(found.len(), expected.len());
                    let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp);
                    assert!(off.is_none_or(|off| off < 1e-4), "{name}, {} tokens: {off:?}", text.len());
                }
            }
        }
    }
}
