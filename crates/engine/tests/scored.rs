//! Prompts that are scored: each token gets what a step of generation gives it, in every family, whatever the chunks and whatever comes beside it or is taken away
//! and computed again.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use checkpoint::{ModelSource, SafetensorsFile};
use engine::{
    Counters, Engine, EngineOptions, Event, FinishReason, Model, PromptLogprob, PromptTile, Request, Sampling,
    WholeTexts,
};
use graph::DType;
use runtime::plugins::{Environment, Platform};
use tokio::sync::mpsc;
use two_at_a_time::two_at_a_time;

#[path = "support/logprobs.rs"]
mod logprobs;
#[path = "support/two_at_a_time.rs"]
mod two_at_a_time;

const PAGE_TOKENS: usize = 4;
const LIKELIEST: usize = 7;

fn request(prompt: &[u32], max_tokens: usize, prompt_logprobs: Option<usize>) -> Request {
    Request {
        prompt: prompt.into(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        prompt_logprobs,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    }
}

/// What became of a request.
#[derive(Debug, Default)]
struct Told {
    scored: Option<Vec<PromptLogprob>>,
    tokens: Vec<u32>,
    cached: usize,
    end: Option<FinishReason>,
}

/// Asks for all at once, and takes what comes.
fn all(engine: &mut Engine<'_, '_>, requests: Vec<Request>) -> Vec<Told> {
    let mut under_way = Vec::new();
    for (number, request) in requests.into_iter().enumerate() {
        let (sender, events) = mpsc::channel(request.max_tokens + 3);
        engine.submit(number as u64, request, sender);
        under_way.push((events, Told::default()));
    }
    for _ in 0..10_000 {
        engine.step().unwrap();
        for (events, told) in &mut under_way {
            while let Ok((_, event)) = events.try_recv() {
                assert_eq!(told.end, None, "something behind the end");
                match event {
                    Event::Started { cached_tokens } => told.cached = cached_tokens,
                    Event::Scored(scored) => {
                        assert!(told.tokens.is_empty() && told.scored.is_none(), "the prompt comes before the answer");
                        told.scored = Some(scored);
                    }
                    Event::Token(chosen) => told.tokens.push(chosen.token),
                    Event::Finished(reason) => told.end = Some(reason),
                    Event::Failed(failure) => panic!("{failure}"),
                }
            }
        }
        if under_way.iter().all(|(_, told)| told.end.is_some()) {
            return under_way.into_iter().map(|(_, told)| told).collect();
        }
    }
    panic!("an answer does not end")
}

/// Holds what is told of a place, where `expected` is the token's own log-probability, to those of all tokens.
#[track_caller]
fn check_place(place: &PromptLogprob, expected: f32, all: &[f32], count: Option<usize>) {
    let near = |found: f32, expected: f32| (found - expected).abs() < 1e-4;
    assert!(near(place.logprob, expected), "{place:?}, not {}", expected);
    let likelier = |most: f32| all.iter().filter(|other| **other > most).count() as u32;
    let (least, most) = (likelier(place.logprob + 1e-4), likelier(place.logprob - 1e-4));
    assert!((least + 1..=most + 1).contains(&place.rank), "{place:?}");
    assert_eq!(place.likeliest.len(), count.unwrap_or_default().min(all.len()));
    assert!(place.likeliest.is_sorted_by(|a, b| a.1 >= b.1));
    assert!(place.likeliest.iter().all(|(id, found)| near(*found, all[*id as usize])));
}

/// Whether all tokens of a text are summed up in one state, which takes one row after the other.
fn sums_up(folder: &Path) -> bool {
    folder.iter().any(|part| part.to_string_lossy().starts_with("mamba"))
}

/// Gives how often a text was taken away.
fn check(folder: &Path, runs_ahead: bool) -> u64 {
    let name = folder.display();
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let model = Model::load(&session, &ModelSource::open(folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let vocab = model.sizes().vocab_size;
    let context = model.context().unwrap_or(usize::MAX).min(48);
    let prompt: Vec<u32> = (0..9).map(|at| (3 + 5 * at) % vocab as u32).collect();
    let length = context.min(40);
    let mut alone = logprobs::engine(&model, context, false);
    let expected = logprobs::continued(&mut alone, vocab, &prompt, length - prompt.len(), None).unwrap();
    let text: Vec<u32> = prompt.iter().copied().chain(expected.iter().map(|(token, _)| *token)).collect();

    let options = EngineOptions {
        rows: 4,
        chunk: 16,
        prompts: 2,
        step_tokens: Some(20),
        prompt_tile: (runs_ahead && !sums_up(folder)).then_some(PromptTile::Tokens(5)),
        page_tokens: PAGE_TOKENS,
        context: Some(context),
        // Few sizes, since each further one is further programs.
        read_tokens_min: Some(32),
        runs_ahead: Some(runs_ahead),
        adapters_max: 0,
        ..EngineOptions::default()
    };
    // So few pages that texts are taken away and computed again.
    let options = EngineOptions { cache_bytes: Some(engine::cache_bytes(&model, &options, 18)), ..options };
    let counters = Arc::new(Counters::new(Instant::now()));
    let mut engine = Engine::new(&model, &options, Arc::clone(&counters)).unwrap();
    let shorter = &text[..length - 12];
    // What is computed of a text before is of no use to one that is scored.
    let asked = || {
        vec![
            request(shorter, 8, None),
            request(&text, 0, Some(LIKELIEST)),
            request(shorter, 8, Some(0)),
            request(shorter, 8, Some(vocab)),
            request(&text[..1], 0, Some(3)),
            request(&text[..1], 2, Some(3)),
            request(&text[..2], 0, Some(3)),
        ]
    };
    let whole = WholeTexts::new(&model).score(&text).unwrap();
    for _ in 0..2 {
        let told = all(&mut engine, asked());
        let found = told[1].scored.as_ref().unwrap().iter().map(|place| place.logprob);
        let off = found.zip(&whole).map(|(found, whole)| (found - whole).abs()).max_by(f32::total_cmp);
        assert!(off.is_some_and(|off| off < 1e-4), "{name}: {off:?} off what is computed at once");
        for (request, told) in asked().iter().zip(&told) {
            assert_eq!(told.tokens.len(), request.max_tokens, "{name}");
            assert_eq!(told.end, Some(FinishReason::Length));
            assert_eq!(told.scored.is_some(), request.prompt_logprobs.is_some(), "{name}: {request:?}");
            let Some(scored) = &told.scored else { continue };
            assert_eq!((scored.len(), told.cached), (request.prompt.len() - 1, 0), "{name}");
            if request.prompt.len() >= prompt.len() {
                let own = &text[request.prompt.len()..];
                let same = own.len().min(told.tokens.len());
                assert_eq!(told.tokens[..same], own[..same], "{name}");
            }
            let places = scored.iter().zip(&request.prompt[1..]).skip(prompt.len() - 1);
            for ((place, token), (_, all)) in places.zip(&expected) {
                check_place(place, all[*token as usize], all, request.prompt_logprobs);
            }
        }
    }
    assert_eq!(engine.pages_used(), 0, "{name}: pages are left");
    counters.preemptions.load(Ordering::Relaxed)
}

#[test]
fn all_families_score_what_they_generate() {
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo");
    // Where rotations depend on the length a prompt's tokens see more of it than those that are generated.
    let has_answer = |folder: &PathBuf| {
        let is_of_length = folder.ends_with("dynamic") || folder.ends_with("longrope");
        let oracle = SafetensorsFile::open(folder.join("oracle.safetensors"));
        !is_of_length && oracle.is_ok_and(|oracle| oracle.tensor("generated").is_ok())
    };
    let mut families: Vec<_> = fs::read_dir(zoo).unwrap().map(|family| family.unwrap().path()).collect();
    families.sort();
    let cases = families.iter().filter_map(|family| {
        let cases = fs::read_dir(family).unwrap().map(|case| case.unwrap().path());
        cases.filter(has_answer).min()
    });
    let cases: Vec<_> = cases.enumerate().collect();
    let preemptions = two_at_a_time(&cases, |(number, case)| check(case, number % 2 == 0));
    let preemptions: u64 = preemptions.iter().sum();
    assert!(preemptions > 0, "no text was taken away, so that nothing is known of those that are");
}
