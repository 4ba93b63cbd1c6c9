//! What an engine says of all tokens behind a text.

use std::sync::Arc;
use std::time::Instant;

use engine::{Counters, Engine, EngineOptions, Event, Failure, Model, Request, Sampling};
use tokio::sync::mpsc;

/// An engine for one text at a time, whose programs are those that `generate` has.
pub(crate) fn engine<'m, 's>(model: &'m Model<'s>, context: usize, runs_ahead: bool) -> Engine<'m, 's> {
    let options = EngineOptions {
        rows: 1,
        context: Some(context),
        page_tokens: 16,
        compiles_ahead: false,
        runs_ahead: Some(runs_ahead),
        adapters_max: 0,
        ..EngineOptions::default()
    };
    Engine::new(model, &options, Arc::new(Counters::new(Instant::now()))).unwrap()
}

/// Asks for the likeliest tokens behind a prompt.
pub(crate) fn request(prompt: &[u32], count: usize) -> Request {
    Request {
        prompt: prompt.to_vec(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens: count,
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

/// The likeliest tokens behind a prompt, one after the other, each with the log-probabilities of all: the first computed with the prompt, each other one by a
/// step of one token. With `first` that is the first token whatever is likelier.
pub(crate) fn continued(
    engine: &mut Engine<'_, '_>,
    vocab: usize,
    prompt: &[u32],
    count: usize,
    first: Option<u32>,
) -> Result<Vec<(u32, Vec<f32>)>, Failure> {
    let (sender, mut events) = mpsc::channel(count + 2);
    // Log-probabilities are of the logits before.
    let logit_bias = first.map(|token| (token, 1e6)).into_iter().collect();
    engine.submit(0, Request { logit_bias, logprobs: Some(vocab), ..request(prompt, count) }, sender);
    let mut found = Vec::new();
    loop {
        engine.step().unwrap();
        while let Ok((_, event)) = events.try_recv() {
            match event {
                Event::Started { .. } | Event::Scored(_) => {}
                Event::Token(chosen) => {
                    assert_eq!(chosen.likeliest.len(), vocab);
                    let mut all = vec![f32::NAN; vocab];
                    chosen.likeliest.iter().for_each(|(token, logprob)| all[*token as usize] = *logprob);
                    found.push((chosen.token, all));
                }
                Event::Finished(_) => return Ok(found),
                Event::Failed(failure) => return Err(failure),
            }
        }
    }
}
