//! What an engine does when the device fails or has no room, which no caller can bring about.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use checkpoint::ModelSource;
use graph::DType;
use runtime::Session;
use runtime::plugins::Environment;
use tokio::sync::mpsc::{self, Receiver};

use super::*;
use crate::{Sampling, SamplingOptions};

fn with_model(body: impl FnOnce(&Model<'_>)) {
    let session: Session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/llama/grouped");
    let source = ModelSource::open(&folder, None).unwrap();
    body(&Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap());
}

fn options() -> EngineOptions {
    EngineOptions { rows: 4, chunk: 16, page_tokens: 4, context: Some(64), adapters_max: 0, ..EngineOptions::default() }
}

fn counters() -> Arc<Counters> {
    Arc::new(Counters::new(Instant::now()))
}

fn request(prompt: &[u32], max_tokens: usize) -> Request {
    Request {
        prompt: prompt.to_vec(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
    }
}

fn send(engine: &mut Engine<'_, '_>, number: u64, request: Request) -> Receiver<(Instant, Event)> {
    let (sender, events) = mpsc::channel(request.max_tokens + 2);
    engine.submit(number, request, sender);
    events
}

fn submit(engine: &mut Engine<'_, '_>, number: u64, prompt: &[u32], max_tokens: usize) -> Receiver<(Instant, Event)> {
    send(engine, number, request(prompt, max_tokens))
}

/// The answer's tokens, once it has ended, and how.
fn read(events: &mut Receiver<(Instant, Event)>) -> (Vec<u32>, Option<Event>) {
    let mut tokens = Vec::new();
    while let Ok((_, event)) = events.try_recv() {
        match event {
            Event::Started { .. } => {}
            Event::Token(chosen) => tokens.push(chosen.token),
            event => return (tokens, Some(event)),
        }
    }
    (tokens, None)
}

#[test]
fn after_a_failure_the_counts_go_on() {
    with_model(|model| {
        let counters = counters();
        let mut engine = Engine::new(model, &options(), Arc::clone(&counters)).unwrap();
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let prompt: Vec<u32> = (1..14).collect();
        let mut all: Vec<_> = (0..6).map(|number| submit(&mut engine, number, &prompt, 20)).collect();
        (0..8).for_each(|_| engine.step().unwrap());
        assert!(count(&counters.running) == 4 && count(&counters.waiting) == 2 && count(&counters.pages_used) > 0);
        let hits = count(&counters.prefix_hits);
        assert!(hits > 0);
        engine.fail_all(&Failure::Device("it is gone".to_owned()));
        engine.recover().unwrap();
        assert_eq!([&counters.running, &counters.waiting, &counters.pages_used].map(count), [0, 0, 0]);
        assert_eq!(count(&counters.prefix_hits), hits, "what is counted from the beginning on goes on");
        for events in &mut all {
            assert_eq!(read(events).1, Some(Event::Failed(Failure::Device("it is gone".to_owned()))));
        }
        let mut events = submit(&mut engine, 6, &prompt, 4);
        (0..8).for_each(|_| engine.step().unwrap());
        assert_eq!(read(&mut events).0.len(), 4);
        assert_eq!([&counters.running, &counters.waiting, &counters.pages_used].map(count), [0, 0, 0]);
    });
}

/// Whoever asks first for log-probabilities, penalties, end tokens that may not come yet, draws or a part of a page does not wait for a program.
#[test]
fn what_is_usual_is_made_before_the_first_request() {
    with_model(|model| {
        for lookup in [None, Some(Lookup::of(2))] {
            let options = EngineOptions { rows: 2, context: Some(24), lookup, ..options() };
            let mut engine = Engine::new(model, &options, counters()).unwrap();
            let mut told = Vec::new();
            engine.warm_up(&mut |done, all| told.push((done, all))).unwrap();
            let all = told.len() - 1;
            assert!(told.iter().copied().eq((0..=all).map(|done| (done, all))), "{told:?}");
            let made = engine.program_count();
            let prompt: Vec<u32> = [5, 9, 17].repeat(3);
            let usual = SamplingOptions { temperature: 0.9, ..SamplingOptions::default() };
            let samplings = [
                SamplingOptions::default(),
                usual,
                SamplingOptions { top_p: 0.8, seed: 3, ..usual },
                SamplingOptions { repetition_penalty: 1.2, presence_penalty: 0.5, ..usual },
            ];
            let requests = samplings.into_iter().flat_map(|sampling| {
                [None, Some(0), Some(5)].map(|logprobs| Request {
                    sampling: Sampling::new(sampling).unwrap(),
                    logprobs,
                    ..request(&prompt, 8)
                })
            });
            let held = Request { min_tokens: 4, end_ids: vec![1, 2], ..request(&prompt[..6], 8) };
            let mut all: Vec<_> =
                requests.chain([held]).zip(0..).map(|(asked, number)| send(&mut engine, number, asked)).collect();
            (0..200).for_each(|_| engine.step().unwrap());
            for events in &mut all {
                assert_eq!(read(events).1, Some(Event::Finished(FinishReason::Length)));
            }
            assert_eq!(engine.program_count(), made);
        }
    });
}
