//! Keys and values in 8-bit floats: answers are close to those with what is computed, and pages take less.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use checkpoint::ModelSource;
use engine::{Counters, Engine, EngineOptions, Event, Model, ModelPlan, Request, Sampling};
use graph::DType;
use runtime::plugins::{Environment, Platform};
use runtime::{Hardware, Session};
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score")
}

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap()
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
        logprobs: Some(2),
        prompt_logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    }
}

/// A token, its log-probability, and how much less that of the second likeliest is.
type Told = (u32, f32, f32);

/// The tokens of all prompts at once, and how many tokens of prompts were found.
fn answers(model: &Model<'_>, prompts: &[(Vec<u32>, usize)]) -> (Vec<Vec<Told>>, usize) {
    let options = EngineOptions {
        rows: 2,
        chunk: 16,
        page_tokens: 4,
        read_tokens_min: Some(32),
        adapters_max: 0,
        ..EngineOptions::default()
    };
    let counters = Arc::new(Counters::new(Instant::now()));
    let mut engine = Engine::new(model, &options, counters).unwrap();
    let mut all: Vec<_> = prompts
        .iter()
        .zip(0..)
        .map(|((prompt, count), number)| {
            let (sender, events) = tokio::sync::mpsc::channel(count + 2);
            engine.submit(number, request(prompt, *count), sender);
            (events, Vec::new())
        })
        .collect();
    let (mut ended, mut cached) = (0, 0);
    for _ in 0..1000 {
        engine.step().unwrap();
        for (events, tokens) in &mut all {
            while let Ok((_, event)) = events.try_recv() {
                match event {
                    Event::Started { cached_tokens } => cached += cached_tokens,
                    Event::Token(chosen) => {
                        let (_, second) = chosen.likeliest[1];
                        tokens.push((chosen.token, chosen.logprob, chosen.logprob - second));
                    }
                    Event::Scored(_) => {}
                    Event::Finished(_) => ended += 1,
                    Event::Failed(failure) => panic!("{failure}"),
                }
            }
        }
        if ended == prompts.len() {
            return (all.into_iter().map(|(_, tokens)| tokens).collect(), cached);
        }
    }
    panic!("the answers do not end");
}

/// How far log-probabilities may be off: E4M3 rounds each element of keys and values by up to one part in 16, which a sum over keys makes less.
const OFF: f32 = 0.1;

/// Rows that go on, chunks of prompts, and pages that are shared. An answer goes on as it would while its tokens are not nearly as likely as others.
#[test]
fn answers_are_close_and_pages_take_half() {
    let session = session();
    let source = ModelSource::open(fixtures().join("model"), None).unwrap();
    let text = std::fs::read_to_string(fixtures().join("score.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let texts: Vec<Vec<u32>> = rows.map(|row| serde_json::from_value(row["tokens"].clone()).unwrap()).collect();
    let mut prompts: Vec<_> = texts.iter().filter(|text| text.len() > 1).map(|text| (text.clone(), 4)).collect();
    // Again, when pages of it are there.
    prompts.extend(prompts.iter().max_by_key(|(prompt, _)| prompt.len()).cloned());
    let plan = |dtype| ModelPlan::of(&source, dtype, Hardware::CPU).unwrap();
    let load = |plan: ModelPlan| Model::load_planned(&session, &source, plan, &mut |_| {}).unwrap();
    let options = EngineOptions { rows: 2, page_tokens: 4, ..EngineOptions::default() };
    for (dtype, factor) in [(DType::F32, 4), (DType::BF16, 2)] {
        let [wide, narrow] =
            [load(plan(dtype)), load(plan(dtype).holding_float8(session.hardware().unwrap()).unwrap())];
        let [before, after] = [&wide, &narrow].map(|model| engine::cache_bytes(model, &options, 100));
        assert_eq!(before, factor * after, "{dtype}");
        let [(expected, _), (found, cached)] = [&wide, &narrow].map(|model| answers(model, &prompts));
        assert!(cached > 0, "{dtype}: no page is shared");
        let (mut greatest, mut same) = (0.0f32, 0);
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for ((token, found, _), (wanted, expected, margin)) in found.iter().zip(expected) {
                if token != wanted {
                    assert!(*margin < OFF, "{dtype}, text {number}: {token} and not {wanted}, by {margin}");
                    break;
                }
                greatest = if found.is_nan() { f32::NAN } else { greatest.max((found - expected).abs()) };
                same += 1;
            }
        }
        println!("{dtype}: {same} tokens are the same, and off by up to {greatest}");
        assert!(greatest < OFF && greatest > 0.0 && same > 20, "{dtype}: {same} tokens, off by {greatest}");
    }
}

#[test]
fn what_cannot_be_held_so_is_refused() {
    let zoo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo");
    let plan = |case: &str| {
        let source = ModelSource::open(zoo.join(case), None).unwrap();
        ModelPlan::of(&source, DType::F32, Hardware::CPU).unwrap()
    };
    let error = plan("mamba/biases").holding_float8(Hardware::CPU).unwrap_err().to_string();
    assert!(error.contains("fp8, but this model has no keys and values"), "{error}");
    let ampere = Hardware { platform: Platform::Cuda, compute_capability: Some((8, 0)), gfx: None };
    let error = plan("llama/grouped").holding_float8(ampere).unwrap_err().to_string();
    assert!(error.contains("fp8, but") && error.contains("8.0"), "{error}");
}
