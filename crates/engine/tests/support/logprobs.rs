//! What an engine says of all tokens behind a text.

use std::sync::Arc;
use std::time::Instant;

use engine::{Counters, Engine, EngineOptions, Event, Failure, Model, Request, Sampling};
use tokio::sync::mpsc;

/// An engine for one text at a time, whose programs are those that `generate` has.
pub(crate) fn engine<'m, 's>(model: &'m Model<'s>, context: usize, runs_ahead: bool) -> Engine<'m, 's> {
    engine_of(1, model, context, runs_ahead)
}

/// An engine for so many texts at a time.
pub(crate) fn engine_of<'m, 's>(rows: usize, model: &'m Model<'s>, context: usize, runs_ahead: bool) -> Engine<'m, 's> {
    let options = EngineOptions {
        rows,
        context: Some(context),
        // Packed keys and values are in whole blocks.
        page_tokens: if model.packs_cache() { 32 } else { 16 },
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
        prompt: prompt.into(),
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

/// Tokens behind a prompt, each with the log-probabilities of all.
pub(crate) type Continued = Vec<(u32, Vec<f32>)>;

/// The likeliest tokens behind a prompt, one after the other, each with the log-probabilities of all: the first computed with the prompt, each other one by a
/// step of one token. With `first` they are that token whatever is likelier.
pub(crate) fn continued(
    engine: &mut Engine<'_, '_>,
    vocab: usize,
    prompt: &[u32],
    count: usize,
    first: Option<u32>,
) -> Result<Continued, Failure> {
    Ok(continued_beside(engine, vocab, &[prompt], count, first)?.remove(0))
}

/// The same behind each of some prompts, side by side.
pub(crate) fn continued_beside(
    engine: &mut Engine<'_, '_>,
    vocab: usize,
    prompts: &[&[u32]],
    count: usize,
    first: Option<u32>,
) -> Result<Vec<Continued>, Failure> {
    // Log-probabilities are of the logits before.
    let logit_bias: Vec<_> = first.map(|token| (token, 1e6)).into_iter().collect();
    let submitted = (0..).zip(prompts).map(|(number, prompt)| {
        let (sender, events) = mpsc::channel(count + 2);
        let logit_bias = logit_bias.clone();
        engine.submit(number, Request { logit_bias, logprobs: Some(vocab), ..request(prompt, count) }, sender);
        (events, Vec::new())
    });
    let mut texts: Vec<_> = submitted.collect();
    let mut unfinished = texts.len();
    while unfinished > 0 {
        engine.step().unwrap();
        for (events, found) in &mut texts {
            while let Ok((_, event)) = events.try_recv() {
                match event {
                    Event::Started { .. } | Event::Scored(_) => {}
                    Event::Token(chosen) => {
                        assert_eq!(chosen.likeliest.len(), vocab);
                        let mut all = vec![f32::NAN; vocab];
                        chosen.likeliest.iter().for_each(|(token, logprob)| all[*token as usize] = *logprob);
                        found.push((chosen.token, all));
                    }
                    Event::Finished(_) => unfinished -= 1,
                    Event::Failed(failure) => return Err(failure),
                }
            }
        }
    }
    Ok(texts.into_iter().map(|(_, found)| found).collect())
}
