//! Texts that an engine continues, step by step.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use engine::{Counters, Engine, EngineOptions, Event, FinishReason, Model, Request, Sampling};
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use tokio::sync::mpsc::{self, Receiver};

pub(crate) const PAGE_TOKENS: usize = 4;

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
        prompt: prompt.to_vec(),
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

/// What one text gives alone.
pub(crate) fn alone(model: &Model<'_>, options: &EngineOptions, prompt: &[u32], max_tokens: usize) -> Vec<u32> {
    let mut engine = Engine::new(model, options, counters()).unwrap();
    let mut events = submit(&mut engine, 0, request(prompt, max_tokens));
    let mut tokens = Vec::new();
    for _ in 0..10_000 {
        engine.step().unwrap();
        if answer(&mut events, &mut tokens).is_some() {
            return tokens;
        }
    }
    panic!("the answer does not end");
}
