//! What an engine does when the device fails or has no room, which no caller can bring about.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use checkpoint::ModelSource;
use graph::DType;
use runtime::Session;
use runtime::plugins::Environment;
use tokio::sync::mpsc::{self, Receiver};
use tokio::sync::{Semaphore, oneshot};

use super::*;
use crate::adapters::config_of;
use crate::batch::StepShape;
use crate::memory::Room;
use crate::service::{Answer, CountedText, Pooling, Service, Unloaded};
use crate::{ModelPlan, Sampling, SamplingOptions};

mod adapters;
mod forms;
mod vectors;

fn with_model(body: impl FnOnce(&Model<'_>)) {
    let session: Session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/llama/grouped");
    let source = ModelSource::open(&folder, None).unwrap();
    body(&Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap());
}

fn options() -> EngineOptions {
    EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: 4,
        context: Some(64),
        // Few sizes, since each further one is further programs.
        read_tokens_min: Some(32),
        adapters_max: 0,
        ..EngineOptions::default()
    }
}

fn counters() -> Arc<Counters> {
    Arc::new(Counters::new(Instant::now()))
}

/// The part of the counts of a text that is the only one.
fn counted(counters: &Arc<Counters>) -> CountedText {
    CountedText::new(counters, Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap())
}

fn request(prompt: &[u32], max_tokens: usize) -> Request {
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

/// The answer to a request.
fn answer_of(service: &Service, request: Request) -> std::result::Result<Answer, Refusal> {
    let answers = service.submit(vec![request]);
    answers.map(|mut answers| answers.remove(0)).map_err(|(_, refusal)| refusal)
}

fn send(engine: &mut Engine<'_, '_>, number: u64, request: Request) -> Receiver<(Instant, Event)> {
    let (sender, events) = mpsc::channel(request.max_tokens + 3);
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
            Event::Started { .. } | Event::Scored(_) => {}
            Event::Token(chosen) => tokens.push(chosen.token),
            event => return (tokens, Some(event)),
        }
    }
    (tokens, None)
}

/// Instead of faults: that whoever reads panics.
const PANICS: u32 = u32::MAX;

/// What was read, unless the lowest bit of `faults` is set, which are those of this and the next readings.
pub(super) fn with_fault<T>(faults: &mut u32, read: Result<T>) -> Result<T> {
    assert_ne!(*faults, PANICS, "as a test wants");
    let fails = std::mem::replace(faults, *faults >> 1) & 1 == 1;
    if fails { Err(Error::Draft("the device has lost what it computed".to_owned())) } else { read }
}

/// What an answer ends by.
fn ending(answer: &mut Answer) -> Event {
    loop {
        match answer.poll_next(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Some((_, event @ (Event::Finished(_) | Event::Failed(_))))) => return event,
            Poll::Ready(Some(_)) => {}
            Poll::Ready(None) => panic!("it has ended before"),
            Poll::Pending => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// What becomes of what is asked for, one after the other, as who asks again after a failure: `v` for a vector, others for an answer. As many of them as there are
/// until the engine has ended: `.` for what is answered, `x` for what fails.
fn told(model: &Model<'_>, faults: u32, asked: &'static str) -> (String, Result<()>) {
    let counters = counters();
    let (service, mut inbox) = Service::new(64, 96, 4, Arc::clone(&counters));
    let mut engine = Engine::new(model, &options(), counters).unwrap();
    engine.faults = faults;
    let client = std::thread::spawn(move || {
        let mut told = String::new();
        for kind in asked.chars() {
            let is_there = match kind {
                'v' => {
                    let (reply, vector) = oneshot::channel();
                    let (tokens, counted) = (vec![1], counted(service.counters()));
                    let text = Message::Embed { key: 0, tokens, adapter: None, pooling: Pooling::Last, reply, counted };
                    if service.send(text).is_err() {
                        break;
                    }
                    let Ok(vector) = vector.blocking_recv() else { break };
                    vector.is_ok()
                }
                _ => {
                    let Ok(mut answer) = answer_of(&service, request(&[1, 2], 1)) else { break };
                    match ending(&mut answer) {
                        Event::Failed(Failure::Stopping) => break,
                        event => matches!(event, Event::Finished(_)),
                    }
                }
            };
            told.push(if is_there { '.' } else { 'x' });
        }
        told
    });
    let ended = engine.run(&mut inbox);
    drop(inbox);
    (client.join().unwrap(), ended)
}

/// A device tells that a step has failed when its results are read, which is in the next one: the step that has begun is no sign that it works, and neither is
/// one that does nothing, nor a vector. Vectors that fail end nothing, unless the device cannot be read either, which is found out after three.
#[test]
fn a_device_whose_results_cannot_be_read_is_given_up() {
    with_model(|model| {
        for (faults, asked, expected) in [
            (0b111, "aaaaaaaaa", "xxx"),
            (0b011_011_011, "aaaaaaaaa", "xx.xx.xx."),
            (0b110_1011, "aaaaaaaaa", "xx.x.xx.."),
            (0b11_1101, "aaaaaaaaa", "x.xxx"),
            (0b1_0101, "avavavavav", "x.x.x"),
            (0b011_011_011, "vvvvvvvvv", "xx.xx.xx."),
            (0b111, "vvvvvvvvv", "xxx......"),
            (0b111_0111, "vvvvvvvvv", "xxxxxx..."),
            (0b1111, "vvvvvvvvv", "xxx"),
            (0b1110, "vavvavava", ".xxx....."),
            (0b1_0101, "vavavava", "x.x.x..."),
        ] {
            let (told, ended) = told(model, faults, asked);
            assert_eq!(told, expected, "{asked}, {faults:b}");
            assert_eq!(ended.is_err(), told.len() < asked.len(), "{asked}, {faults:b}");
        }
    });
}

/// Else whoever comes, or leaves, would wait for all of a prompt, and a device that has failed would go on with it.
#[test]
fn of_a_long_prompt_one_step_is_begun_after_the_other() {
    with_model(|model| {
        let mut engine = Engine::new(model, &options(), counters()).unwrap();
        let prompt: Vec<u32> = (0..50).collect();
        let _events = submit(&mut engine, 0, &prompt, 4);
        for _ in 0..3 {
            engine.step().unwrap();
            assert_eq!(engine.in_flight.len(), 1);
        }
        engine.faults = 1;
        engine.step().unwrap_err();
    });
}

/// Those whose prompts are copied would keep all others waiting for the next step, if hundreds came at once.
#[test]
fn of_many_long_prompts_that_are_only_scored_few_are_taken_between_two_steps() {
    with_model(|model| {
        for (max_tokens, expected) in [(0, [3, 1, 0]), (1, [0, 0, 0])] {
            let counters = counters();
            let (service, mut inbox) = Service::new(4 * SCORED_TOKENS_MAX, 96, 8, Arc::clone(&counters));
            let mut engine = Engine::new(model, &options(), counters).unwrap();
            let prompt: Arc<[u32]> = vec![1; SCORED_TOKENS_MAX / 2].into();
            let same =
                |_| Request { prompt: Arc::clone(&prompt), prompt_logprobs: Some(0), ..request(&[], max_tokens) };
            let _answers = service.submit((0..5).map(same).collect()).unwrap();
            let left = [(); 3].map(|()| {
                engine.take_all(&mut inbox);
                inbox.messages.len()
            });
            assert_eq!(left, expected);
        }
    });
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

/// Whether an engine is alive is told by when it last computed something, while somebody waits.
#[test]
fn a_step_counts_if_it_computes_something() {
    with_model(|model| {
        let counters = counters();
        let mut engine = Engine::new(model, &options(), Arc::clone(&counters)).unwrap();
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let last = count(&counters.last_step_ms);
        std::thread::sleep(std::time::Duration::from_millis(5));
        (0..3).for_each(|_| engine.step().unwrap());
        assert_eq!((count(&counters.steps), count(&counters.last_step_ms)), (0, last));
        let mut events = submit(&mut engine, 0, &[1, 2, 3], 4);
        (0..8).for_each(|_| engine.step().unwrap());
        assert_eq!(read(&mut events).0.len(), 4);
        assert_eq!(count(&counters.steps), 4, "one for the prompt, and for each token that is fed");
        assert!(count(&counters.last_step_ms) > last);
        let (reply, mut vector) = oneshot::channel();
        let (tokens, pooling) = (vec![1, 2], Pooling::Last);
        engine.take(Message::Embed { key: 0, tokens, adapter: None, pooling, reply, counted: counted(&counters) });
        assert_eq!(counters.waiting_in_all(), 1, "a vector is waited for");
        engine.embed_next().unwrap();
        assert!(vector.try_recv().unwrap().is_ok());
        assert_eq!(counters.waiting_in_all(), 0);
    });
}

/// An engine that ends while a program is being compiled, which it has to wait for: by a step that panics, or a device that is given up.
#[test]
fn who_waits_is_answered_where_an_engine_ends() {
    with_model(|model| {
        for faults in [PANICS, 0b111] {
            let counters = counters();
            let (service, mut inbox) = Service::new(64, 96, 4, Arc::clone(&counters));
            let mut engine = Engine::new(model, &options(), Arc::clone(&counters)).unwrap();
            engine.faults = faults;
            let hold = Arc::clone(&engine.hold);
            let client = std::thread::spawn(move || {
                let held = hold.lock().unwrap();
                let (reply, vector) = oneshot::channel();
                let (tokens, counted) = (vec![1, 2], counted(service.counters()));
                service
                    .send(Message::Embed { key: 0, tokens, adapter: None, pooling: Pooling::Mean, reply, counted })
                    .unwrap();
                let mut answers = Vec::new();
                // A device fails three times.
                while let Ok(mut answer) = answer_of(&service, request(&[1, 2], 1)) {
                    answers.push(ending(&mut answer));
                }
                let vector = vector.blocking_recv().unwrap();
                let refused = answer_of(&service, request(&[1, 2], 1)).map(drop);
                drop(held);
                (answers, vector, refused, service.has_ended())
            });
            let ended = catch_unwind(AssertUnwindSafe(|| engine.run(&mut inbox)));
            let (answers, vector, refused, has_ended) = client.join().unwrap();
            assert_eq!((refused, has_ended), (Err(Refusal::Stopping), true));
            let failure = Failure::Device(
                "the draft model cannot propose tokens: the device has lost what it computed".to_owned(),
            );
            match faults {
                PANICS => {
                    assert!(ended.is_err());
                    assert_eq!((answers, vector), (vec![Event::Failed(Failure::Stopping)], Err(Failure::Stopping)));
                }
                _ => {
                    assert!(matches!(ended, Ok(Err(_))));
                    assert_eq!(answers[..3], vec![Event::Failed(failure.clone()); 3]);
                    assert_eq!(vector, Err(failure));
                }
            }
            let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
            assert_eq!([&counters.waiting, &counters.texts, &counters.texts_without_program].map(count), [0; 3]);
        }
    });
}

/// Whoever asks first for log-probabilities, penalties, end tokens that may not come yet, draws or a part of a page does not wait for a program.
#[test]
fn what_is_usual_is_made_before_the_first_request() {
    with_model(|model| {
        for (lookup, draft, prompt_tile) in [
            (None, None, None),
            (Some(Lookup::of(2)), None, Some(PromptTile::Tokens(4))),
            (None, Some(Draft { model, tokens: 2 }), Some(PromptTile::Tokens(4))),
        ] {
            let options =
                EngineOptions { rows: 1, context: Some(16), lookup, prompt_tile, step_tokens: Some(24), ..options() };
            let mut engine = Engine::with_draft(model, draft, &options, counters()).unwrap();
            let mut told = Vec::new();
            let mut tell = |done, all| {
                told.push((done, all));
                ControlFlow::Continue(())
            };
            engine.warm_up(&mut tell).unwrap();
            assert!(engine.counters.is_ready.load(Ordering::Acquire), "who is told so may ask");
            let all = told.len() - 1;
            assert!(told.iter().copied().eq((0..=all).map(|done| (done, all))), "{told:?}");
            let made = engine.program_count();
            let prompt: Vec<u32> = [5, 9, 17].repeat(2);
            let usual = SamplingOptions { temperature: 0.9, ..SamplingOptions::default() };
            let samplings = [
                SamplingOptions::default(),
                usual,
                SamplingOptions { top_p: 0.8, seed: 3, ..usual },
                SamplingOptions { repetition_penalty: 1.2, presence_penalty: 0.5, ..usual },
            ];
            let requests = samplings.into_iter().flat_map(|sampling| {
                [None, Some(0), Some(5), Some(20)].map(|logprobs| Request {
                    sampling: Sampling::new(sampling).unwrap(),
                    logprobs,
                    logit_bias: if logprobs == Some(0) { (0..90).map(|id| (id, 0.5)).collect() } else { Vec::new() },
                    ..request(&prompt, 8)
                })
            });
            let held = Request { min_tokens: 4, end_ids: vec![1, 2], ..request(&prompt[..5], 8) };
            let scored =
                [0, 3, 20].map(|likeliest| Request { prompt_logprobs: Some(likeliest), ..request(&prompt, 8) });
            let mut all: Vec<_> = requests
                .chain([held])
                .chain(scored)
                .zip(0..)
                .map(|(asked, number)| send(&mut engine, number, asked))
                .collect();
            (0..400).for_each(|_| engine.step().unwrap());
            for events in &mut all {
                assert_eq!(read(events).1, Some(Event::Finished(FinishReason::Length)));
            }
            assert_eq!(engine.program_count(), made);
        }
    });
}

/// Of chunks and pages of any size, as far as a prompt can have both, there are programs.
#[test]
fn what_is_usual_of_longer_prompts_is_made_before_the_first_request() {
    with_model(|model| {
        let options = EngineOptions {
            rows: 1,
            chunk: 60,
            // Four pages are the fewest of prompts that do not fit into 16 tokens, and a size for which there are programs.
            page_tokens: 5,
            prompt_tile: Some(PromptTile::Whole),
            read_tokens_min: Some(4),
            compiles_ahead: true,
            ..options()
        };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        engine.warm_up(&mut |_, _| ControlFlow::Continue(())).unwrap();
        let made = engine.program_count();
        // Prompts that just fit into a chunk or a page, and that just do not, none of which begins as another.
        for (number, tokens) in [1, 5, 6, 15, 16, 17, 20, 21, 59, 60, 61, 60].into_iter().enumerate() {
            let prompt: Vec<u32> = (0..tokens).map(|at| ((at + 7 * number) % 90) as u32 + 1).collect();
            let mut events = send(&mut engine, number as u64, request(&prompt, 3));
            (0..12).for_each(|_| engine.step().unwrap());
            assert_eq!(read(&mut events).1, Some(Event::Finished(FinishReason::Length)), "{tokens} tokens");
            assert_eq!(engine.program_count(), made, "{tokens} tokens");
        }
    });
}

/// A place that no number tells would be another row's logit.
#[test]
fn more_logits_than_numbers_tell_are_refused() {
    with_model(|model| {
        let vocab_size = model.sizes().vocab_size;
        let most = (1usize << 31) / vocab_size;
        for (rows, lookup, places) in [
            (most, None, most + 1),
            (most / 5 + 1, Some(Lookup::of(4)), (most / 5 + 1) * 5 + 1),
            (usize::MAX, Some(Lookup::of(4)), usize::MAX),
        ] {
            let limits = |rows| limits(model, None, &EngineOptions { rows, lookup, ..options() }, 64, None);
            let told = limits(rows).unwrap_err().to_string();
            let start = format!(
                "the number of places of a step where a token is chosen is {places}, but times the {vocab_size} tokens"
            );
            assert!(told.starts_with(&start), "{told}");
            assert!(limits(rows.min(most / 5) / 2).is_ok());
        }
    });
}

/// Steps of one short text each fit, and larger ones do not: they are parted, and so is a prompt. One of which no part fits fails, and nothing else
/// does; what was not computed of it is found by nobody.
#[test]
fn what_does_not_fit_fails_alone() {
    with_model(|model| {
        let options = EngineOptions { chunk: 32, read_tokens_min: None, ..options() };
        let long: Vec<u32> = (0..40).map(|at| (at * 7 + 3) % 90).collect();
        let texts = [&long[..3], &long[..5], &long[3..9], &long[7..10]];
        let answer = |engine: &mut Engine<'_, '_>, texts: &[&[u32]]| {
            let mut all: Vec<_> = (0..).zip(texts).map(|(number, text)| submit(engine, number, text, 6)).collect();
            (0..60).for_each(|_| engine.step().unwrap());
            all.iter_mut().map(read).collect::<Vec<_>>()
        };
        let told = |free: u128| {
            Room::told_by(move || {
                let free = u64::try_from(free).unwrap();
                Some(runtime::Memory { total: 1 << 40, free, peak: None })
            })
        };
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        let mut expected = Vec::new();
        for text in texts.iter().chain([&&long[..]]) {
            expected.extend(answer(&mut engine, &[text]));
        }
        let single = engine.runner.forget_steps(told(u128::MAX >> 70));
        let bytes = |is_wanted: &dyn Fn(&StepShape) -> bool| {
            single.iter().filter(|(shape, _)| is_wanted(shape)).map(|(_, bytes)| *bytes).max().unwrap()
        };
        let (all, short) = (bytes(&|_| true), bytes(&|shape| shape.chunk < 32 && shape.pages < 16));
        let half = bytes(&|shape| shape.chunk < 32);
        assert!(short < half && half < all, "{single:?}");

        let mut engine = Engine::new(model, &options, counters()).unwrap();
        assert_eq!(answer(&mut engine, &texts), expected[..4]);
        let together = engine.runner.forget_steps(told(short));
        assert!(together.values().any(|bytes| *bytes > short), "all fits: {together:?}");
        assert_eq!(answer(&mut engine, &texts), expected[..4], "parted");
        let fails = |(tokens, event): &(Vec<u32>, Option<Event>)| match event {
            Some(Event::Failed(Failure::TooLarge(reason))) => {
                assert!(
                    tokens.is_empty() && reason.contains("a step over 0 texts and 16 tokens of prompts takes"),
                    "{reason}"
                );
            }
            event => panic!("{event:?}"),
        };
        let found = answer(&mut engine, &[texts[0], texts[2], &long]);
        assert_eq!(found[..2], [expected[0].clone(), expected[2].clone()]);
        fails(&found[2]);
        fails(&answer(&mut engine, &[&long])[0]);
        engine.runner.forget_steps(told(u128::MAX >> 70));
        assert_eq!(answer(&mut engine, &[&long]), expected[4..], "nothing of what was not computed is found");
        let mut engine = Engine::new(model, &options, counters()).unwrap();
        engine.runner.forget_steps(told(half));
        assert_eq!(answer(&mut engine, &[&long]), expected[4..], "in smaller chunks");
        assert_eq!(engine.pages_used(), 0);
    });
}

/// Where the steps of a smaller model have no room they are parted; where no part has, nothing is proposed, and nothing fails.
#[test]
fn a_draft_without_room_proposes_nothing() {
    with_model(|model| {
        let options = EngineOptions { chunk: 32, read_tokens_min: None, ..options() };
        let long: Vec<u32> = (0..40).map(|at| (at * 7 + 3) % 90).collect();
        let texts = [&long[..3], &long[..5], &long[3..9], &long];
        let answers = |engine: &mut Engine<'_, '_>| {
            let mut all: Vec<_> = (0..).zip(texts).map(|(number, text)| submit(engine, number, text, 9)).collect();
            (0..80).for_each(|_| engine.step().unwrap());
            all.iter_mut().map(read).collect::<Vec<_>>()
        };
        let expected = answers(&mut Engine::new(model, &options, counters()).unwrap());
        let mut all = None;
        // Of the steps of short texts alone.
        let short = |steps: &HashMap<StepShape, u128>| {
            let short = steps.iter().filter(|(shape, _)| shape.decode <= 1 && shape.chunk < 32 && shape.prompts <= 1);
            short.map(|(_, bytes)| *bytes).max().unwrap()
        };
        for room in [Some(u128::from(u64::MAX)), None, Some(0)] {
            let counters = counters();
            let draft = Some(Draft { model, tokens: 2 });
            let mut engine = Engine::with_draft(model, draft, &options, Arc::clone(&counters)).unwrap();
            assert_eq!(answers(&mut engine), expected);
            let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
            let before = count(&counters.draft_tokens);
            let first = &mut engine.drafter.as_mut().unwrap().runner;
            let steps = first.forget_steps(Room::told_by(|| None));
            let free = u64::try_from(room.unwrap_or_else(|| short(&steps))).unwrap();
            first.forget_steps(Room::told_by(move || Some(runtime::Memory { total: 1 << 40, free, peak: None })));
            assert_eq!(answers(&mut engine), expected, "{free} bytes are free");
            let proposed = count(&counters.draft_tokens) - before;
            match room {
                Some(0) => assert_eq!(proposed, 0),
                _ => assert_eq!(proposed, before, "in parts all is proposed"),
            }
            all.get_or_insert(proposed);
        }
        assert!(all > Some(0));
    });
}

/// What a device has lost, or was told to forget, the smaller model has lost too.
#[test]
fn a_draft_begins_anew_with_its_model() {
    with_model(|model| {
        let counters = counters();
        let draft = Some(Draft { model, tokens: 3 });
        let mut engine = Engine::with_draft(model, draft, &options(), Arc::clone(&counters)).unwrap();
        let prompt: Vec<u32> = (1..14).collect();
        let answer = |engine: &mut Engine<'_, '_>| {
            let mut events = submit(engine, 0, &prompt, 20);
            (0..30).for_each(|_| engine.step().unwrap());
            read(&mut events).0
        };
        let expected = answer(&mut engine);
        let [count, right] = [&counters.draft_tokens, &counters.accepted_tokens].map(|counter| {
            let counter: &std::sync::atomic::AtomicU64 = counter;
            move || counter.load(Ordering::Relaxed)
        });
        for round in 2..5 {
            match round {
                2 => {
                    submit(&mut engine, 1, &prompt[3..], 20);
                    (0..3).for_each(|_| engine.step().unwrap());
                    engine.fail_all(&Failure::Device("it is gone".to_owned()));
                    engine.recover().unwrap();
                }
                3 => {
                    engine.let_go().unwrap();
                    assert!(!engine.has_room(1) && !engine.drafter.as_ref().unwrap().runner.has_state());
                    engine.reserve(64).unwrap();
                }
                _ => engine.reserve(64).unwrap(),
            }
            let before = count();
            assert_eq!(answer(&mut engine), expected);
            assert!(count() > before && count() == right(), "{round}: {} of {} are right", right(), count());
        }
    });
}
