//! Texts that an engine continues, step by step.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use engine::{Counters, Engine, EngineOptions, Event, FinishReason, Model, Request, Sampling};
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use tokio::sync::mpsc::{self, Receiver};

pub(crate) const PAGE_TOKENS: usize = 4;
/// What a step has room to read at least, for tests of other things than that: each further size is further programs.
pub(crate) const READ_TOKENS: usize = 32;

pub(crate) fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap()
}

pub(crate) fn counters() -> Arc<Counters> {
    Arc::new(Counters::new(Instant::now()))
}

pub(crate) fn zoo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo")
}

/// A number below `end`, from a seed that goes on: SplitMix64.
pub(crate) fn below(seed: &mut u64, end: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) % end as u64) as usize
}

pub(crate) fn request(prompt: &[u32], max_tokens: usize) -> Request {
    Request {
        prompt: prompt.into(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        prompt_logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    }
}

pub(crate) fn submit(engine: &mut Engine<'_, '_>, number: u64, request: Request) -> Receiver<(Instant, Event)> {
    let (sender, events) = mpsc::channel(request.max_tokens + 2);
    engine.submit(number, request, sender);
    events
}

/// The tokens of an answer, if it has ended.
pub(crate) fn answer(events: &mut Receiver<(Instant, Event)>, tokens: &mut Vec<u32>) -> Option<FinishReason> {
    while let Ok((_, event)) = events.try_recv() {
        match event {
            Event::Started { .. } | Event::Scored(_) => {}
            Event::Token(chosen) => tokens.push(chosen.token),
            Event::Finished(reason) => return Some(reason),
            Event::Failed(failure) => panic!("{failure}"),
        }
    }
    None
}

/// Answers texts one after the other, each alone and by no key or value of another.
pub(crate) struct Alone<'m, 's> {
    engine: Engine<'m, 's>,
    answered: u64,
}

impl<'m, 's> Alone<'m, 's> {
    pub(crate) fn new(model: &'m Model<'s>, options: &EngineOptions) -> Alone<'m, 's> {
        Alone { engine: Engine::new(model, options, counters()).unwrap(), answered: 0 }
    }

    pub(crate) fn answer(&mut self, prompt: &[u32], max_tokens: usize) -> Vec<u32> {
        let asked = Request { cache_salt: Some(self.answered.to_string()), ..request(prompt, max_tokens) };
        let mut events = submit(&mut self.engine, self.answered, asked);
        self.answered += 1;
        let mut tokens = Vec::new();
        for _ in 0..10_000 {
            self.engine.step().unwrap();
            if answer(&mut events, &mut tokens).is_some() {
                return tokens;
            }
        }
        panic!("the answer does not end");
    }
}

/// What one text gives alone.
pub(crate) fn alone(model: &Model<'_>, options: &EngineOptions, prompt: &[u32], max_tokens: usize) -> Vec<u32> {
    Alone::new(model, options).answer(prompt, max_tokens)
}
