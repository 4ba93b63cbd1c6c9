//! Scores and greedy continuations against transformers' (`scripts/fixtures/score.py`), on the CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use checkpoint::ModelSource;
use data::Tokenizer;
use engine::{
    Error, FinishReason, GenerateOptions, Generation, Generator, Model, ModelPlan, Sampling, Scorer, Windows,
};
use graph::DType;
use logprobs::{continued, engine};
use models::LayerLoop;
use runtime::plugins::{Environment, Platform};
use runtime::{Hardware, Session};
use serde_json::Value;

#[path = "support/logprobs.rs"]
mod logprobs;

/// Of the fixtures' model.
const VOCAB: usize = 320;

fn tokens(count: u32) -> Vec<u32> {
    (0..count).map(|i| (i * 7919 + 13) % 320).collect()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score")
}

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("the CPU plugin starts")
}

fn model(session: &Session, adapter: bool) -> Model<'_> {
    lowered_model(session, adapter, LayerLoop::Unrolled)
}

fn lowered_model(session: &Session, adapter: bool, layers: LayerLoop) -> Model<'_> {
    let adapter = adapter.then(|| fixtures().join("adapter"));
    let source = ModelSource::open(fixtures().join("model"), adapter.as_deref()).unwrap();
    let mut plan = ModelPlan::of(&source, DType::F32, Hardware::CPU).unwrap();
    plan.layers = layers;
    Model::load_planned(session, &source, plan, &mut |_| {}).unwrap()
}

/// The fixtures' model, meant for up to `context` tokens.
fn longer_model(context: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.safetensors"] {
        std::fs::copy(fixtures().join("model").join(file), folder.path().join(file)).unwrap();
    }
    let config = std::fs::read_to_string(folder.path().join("config.json")).unwrap();
    let longer = config.replace("\"max_position_embeddings\": 256", &format!("\"max_position_embeddings\": {context}"));
    assert_ne!(config, longer);
    std::fs::write(folder.path().join("config.json"), longer).unwrap();
    folder
}

fn rows(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(fixtures().join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).unwrap()
}

/// An answer to `prompt`, with what was streamed of it.
fn generate(
    generator: &mut Generator<'_, '_>,
    prompt: &[u32],
    max_tokens: usize,
    stop: &[&str],
) -> (Generation, String) {
    let stop = stop.iter().map(ToString::to_string).collect();
    let options = GenerateOptions { max_tokens, sampling: Sampling::GREEDY, stop };
    let mut streamed = String::new();
    let generation = generator.generate(prompt, &options, &mut |piece| {
        streamed.push_str(piece);
        ControlFlow::Continue(())
    });
    (generation.unwrap(), streamed)
}

const ADAPTERS_AND_LAYERS: [(bool, LayerLoop); 4] =
    [(false, LayerLoop::Unrolled), (true, LayerLoop::Unrolled), (false, LayerLoop::Loop), (true, LayerLoop::Loop)];

/// The greatest, or NaN if there is one.
fn difference(expected: &[f32], found: &[f32]) -> f32 {
    assert_eq!(expected.len(), found.len());
    expected.iter().zip(found).map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp).unwrap()
}

/// Whole prompts and prompts that a conversation has left in the cache, with the adapter and without, layers unrolled and as a loop.
#[test]
fn greedy_continuations() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    for (adapter, layers) in ADAPTERS_AND_LAYERS {
        let model = lowered_model(&session, adapter, layers);
        let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
        for row in rows("greedy.jsonl").iter().filter(|row| row["adapter"] == adapter) {
            let (prompt, expected) = (ids(&row["prompt"]), ids(&row["tokens"]));
            let (whole, streamed) = generate(&mut generator, &prompt, expected.len(), &[]);
            assert_eq!(whole.tokens, expected, "adapter: {adapter}, prompt {prompt:?}");
            assert_eq!(whole.text, tokenizer.decode(&expected, true).unwrap());
            assert_eq!(streamed, whole.text);
            assert_eq!((whole.finish, whole.prompt_tokens), (FinishReason::Length, prompt.len()));
            // From here on most of the prompt is in the cache, with an answer behind it that is now wrong or right.
            for cut in [1, 9, expected.len() - 1] {
                let longer = [prompt.as_slice(), &expected[..cut]].concat();
                let (rest, _) = generate(&mut generator, &longer, expected.len() - cut, &[]);
                assert_eq!(rest.tokens, expected[cut..], "adapter: {adapter}, {cut} tokens of the answer given");
                // Whole pages, and perhaps a part of one.
                let known = longer.len() - 1;
                let cached = rest.cached_tokens;
                assert!(cached <= known && cached >= known - known % 16, "{cached} of {known}");
            }
        }
    }
}

/// What follows prompts of any length does not depend on how they were cut into chunks, what padding stood behind them, what was there before, or whether
/// the last token came alone.
#[test]
fn chunks_do_not_change_logprobs() {
    let session = session();
    let model = model(&session, true);
    let tokens = tokens(256);
    let [mut alone, mut growing] = [(); 2].map(|()| engine(&model, 256, false));
    for length in [2, 15, 16, 17, 40, 129, 241, 250, 255] {
        let mut whole = engine(&model, 256, false);
        let expected = continued(&mut whole, VOCAB, &tokens[..length], 1, None).unwrap().remove(0).1;
        let last = Some(tokens[length - 1]);
        let by_token = continued(&mut alone, VOCAB, &tokens[..length - 1], 2, last).unwrap().remove(1).1;
        let by_chunk = continued(&mut growing, VOCAB, &tokens[..length], 1, None).unwrap().remove(0).1;
        for found in [by_token, by_chunk] {
            let difference = difference(&expected, &found);
            // Logits are of order one; sums are taken in another order.
            assert!(difference < 2e-5, "{difference} after {length} tokens");
        }
        // Something else, so that the next prompt is not all there is.
        continued(&mut alone, VOCAB, &[5, 6, 7], 3, None).unwrap();
    }
}

/// Nor on how much of a long cache a step reads, nor on whether a step begins before the token of the one before is known: each token alone gives what an
/// engine gives that has just the prompt to read.
#[test]
fn steps_of_one_token_give_what_a_prompt_gives() {
    let folder = longer_model(600);
    let session = session();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    for runs_ahead in [false, true] {
        let found = continued(&mut engine(&model, 600, runs_ahead), VOCAB, &tokens(1), 519, None).unwrap();
        let all: Vec<u32> = tokens(1).into_iter().chain(found.iter().map(|(token, _)| *token)).collect();
        for length in [2, 255, 256, 257, 511, 512, 513, 519] {
            let expected =
                continued(&mut engine(&model, 600, false), VOCAB, &all[..length], 1, None).unwrap().remove(0);
            let difference = difference(&expected.1, &found[length - 1].1);
            assert!(difference < 2e-5, "{difference} after {length} tokens, going ahead: {runs_ahead}");
            let (token, logprobs) = &found[length - 1];
            let highest = (0..VOCAB).rev().max_by(|a, b| logprobs[*a].total_cmp(&logprobs[*b])).unwrap();
            assert_eq!(*token as usize, highest, "after {length} tokens");
        }
    }
}

/// A conversation that outgrows its cache keeps what is in it.
#[test]
fn a_cache_grows_with_what_it_holds() {
    let folder = longer_model(600);
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let source = ModelSource::open(folder.path(), None).unwrap();
    for layers in [LayerLoop::Unrolled, LayerLoop::Loop] {
        let mut plan = ModelPlan::of(&source, DType::F32, Hardware::CPU).unwrap();
        plan.layers = layers;
        let model = Model::load_planned(&session, &source, plan, &mut |_| {}).unwrap();
        let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
        generate(&mut generator, &tokens(200), 1, &[]);
        let (found, _) = generate(&mut generator, &tokens(300), 40, &[]);
        assert_eq!(found.cached_tokens, 192, "whole pages of 16");
        let (expected, _) = generate(&mut Generator::new(&model, &tokenizer, None).unwrap(), &tokens(300), 40, &[]);
        assert_eq!(found.tokens, expected.tokens, "{layers:?}");
    }
}

/// What was said before a message that the memory does not hold need not be computed again.
#[test]
fn a_cache_that_cannot_grow_stays() {
    let folder = longer_model((1 << 31) - 1);
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
    generate(&mut generator, &tokens(200), 1, &[]);
    let options = GenerateOptions { max_tokens: 1 << 30, sampling: Sampling::GREEDY, stop: vec![] };
    let error = generator.generate(&tokens(200), &options, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    let (found, _) = generate(&mut generator, &tokens(230), 20, &[]);
    assert_eq!(found.cached_tokens, 192);
    let (expected, _) = generate(&mut Generator::new(&model, &tokenizer, None).unwrap(), &tokens(230), 20, &[]);
    assert_eq!(found.tokens, expected.tokens);
}

/// Prompts that are answered at once have the answers that each has alone, in whatever order they come.
#[test]
fn many_prompts_are_answered_as_each_is_alone() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let model = model(&session, true);
    let prompts: Vec<Vec<u32>> = (0..11).map(|i| tokens(10 + 13 * i).split_off(i as usize % 3)).collect();
    let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
    let options = GenerateOptions { max_tokens: 12, sampling: Sampling::GREEDY, stop: vec![] };
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap().with_rows(4);
    let mut answers = vec![None; prompts.len()];
    let mut keep = |number: usize, answer| assert!(answers[number].replace(answer).is_none(), "{number} twice");
    generator.generate_all(&prompts, &options, &mut keep).unwrap();
    let mut alone = Generator::new(&model, &tokenizer, None).unwrap();
    for (prompt, answer) in prompts.iter().zip(answers) {
        let answer = answer.unwrap();
        let (expected, _) = generate(&mut alone, prompt, 12, &[]);
        assert_eq!((answer.tokens, answer.text, answer.finish), (expected.tokens, expected.text, expected.finish));
    }
    let refused = generator.generate_all(&[&[1, 2], &[2; 256]], &options, &mut |_, _| panic!("an answer"));
    let (number, error) = refused.unwrap_err();
    assert!(number == 1 && matches!(*error, Error::NoRoom { tokens: 256, .. }), "{number}: {error}");
    generator.generate_all(&[], &options, &mut |_, _| panic!("an answer")).unwrap();
}

/// An answer that its caller ends leaves nothing under way.
#[test]
fn an_answer_ends_when_its_caller_wants_no_more() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let model = model(&session, false);
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
    let (whole, _) = generate(&mut generator, &tokens(20), 12, &[]);
    let options = GenerateOptions { max_tokens: 12, sampling: Sampling::GREEDY, stop: vec![] };
    let mut pieces = 0;
    let cut = generator.generate(&tokens(20), &options, &mut |_| {
        pieces += 1;
        if pieces == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let cut = cut.unwrap();
    assert_eq!((cut.finish, &cut.tokens[..]), (FinishReason::Cancelled, &whole.tokens[..3]));
    assert_eq!(generate(&mut generator, &tokens(20), 12, &[]).0.tokens, whole.tokens);
}

/// A model whose logits are not finite has no likeliest token.
#[test]
fn damaged_weights_choose_no_token() {
    let folder = longer_model(300);
    let file = folder.path().join("model.safetensors");
    let mut bytes = std::fs::read(&file).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let names: Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    let at = 8 + header + names["model.norm.weight"]["data_offsets"][0].as_u64().unwrap() as usize;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(&file, bytes).unwrap();
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
    let options = GenerateOptions { max_tokens: 5, sampling: Sampling::GREEDY, stop: vec![] };
    // After an error it begins anew.
    for _ in 0..2 {
        let error = generator.generate(&[5, 6, 7], &options, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, Error::NotFinite { tokens: 3, .. }), "{error}");
    }
    // Neither has its own text a score.
    let windows = Windows::new(Some(8), Some(4), None).unwrap();
    let error = Scorer::new(&model).score(&[&[5], &[5, 6, 7]], windows, &mut |_| ()).unwrap_err();
    assert!(matches!(error, Error::NoScore { sequence: 1, token: 2, .. }), "{error}");
}

#[test]
fn stop_strings_end_the_answer() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let model = model(&session, false);
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
    let prompt = ids(&rows("greedy.jsonl")[2]["prompt"]);
    let (whole, _) = generate(&mut generator, &prompt, 32, &[]);
    // Three letters out of the middle of the answer: they come from different tokens.
    let middle: String = whole.text.chars().skip(20).take(3).collect();
    let (cut, streamed) = generate(&mut generator, &prompt, 32, &["not in there", &middle]);
    assert_eq!(cut.text, whole.text[..whole.text.find(&middle).unwrap()]);
    assert_eq!(streamed, cut.text);
    assert_eq!(cut.finish, FinishReason::Stop);
    assert!(cut.tokens.len() < whole.tokens.len());
}

#[test]
fn the_context_is_a_limit() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let model = model(&session, false);
    let mut generator = Generator::new(&model, &tokenizer, Some(20)).unwrap();
    let (short, _) = generate(&mut generator, &[2; 15], 100, &[]);
    assert_eq!((short.tokens.len(), short.finish), (5, FinishReason::Length));
    let options = GenerateOptions { max_tokens: 5, sampling: Sampling::GREEDY, stop: vec![] };
    let mut refused = |prompt: &[u32]| {
        generator.generate(prompt, &options, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[2; 20]),
        "the prompt of 20 tokens fills the context of 20, so nothing can follow it: shorten it"
    );
    assert_eq!(refused(&[2, 320]), "token id 320 is not in the model's vocabulary of 320 tokens");
    assert!(refused(&[]).starts_with("the prompt holds no token"));
    let refused = Generator::new(&model, &tokenizer, Some(257)).err().unwrap();
    assert!(matches!(refused, Error::Setting { name: "context", .. }), "{refused}");
}

#[test]
fn scores() {
    let session = session();
    for (adapter, layers) in ADAPTERS_AND_LAYERS {
        let key = if adapter { "adapter_logprobs" } else { "logprobs" };
        let model = lowered_model(&session, adapter, layers);
        let rows = rows("score.jsonl");
        let sequences: Vec<Vec<u32>> = rows.iter().map(|row| ids(&row["tokens"])).collect();
        let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
        let whole = Windows::new(None, None, model.context()).unwrap();
        let found = Scorer::new(&model).score(&sequences, whole, &mut |_| ()).unwrap();
        let mut differences = Vec::new();
        for (row, found) in rows.iter().zip(&found) {
            let expected: Vec<f64> = serde_json::from_value(row[key].clone()).unwrap();
            assert_eq!(found.len(), expected.len());
            differences.extend(found.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()));
        }
        let greatest = differences.into_iter().max_by(f64::total_cmp).unwrap();
        println!("adapter: {adapter}, greatest difference {greatest:.1e}");
        assert!(greatest < 1e-4, "adapter: {adapter}: {greatest}");
        let refused = Scorer::new(&model).score(&[&[1; 257]], whole, &mut |_| ()).unwrap_err().to_string();
        assert!(refused.starts_with("257 tokens do not fit into the context of 256"), "{refused}");
    }
}

/// Models whose rotations depend on the length: that of the row, and not that of what it is padded to (`scripts/fixtures/lengths.py`).
#[test]
fn scores_do_not_depend_on_padding() {
    let session = session();
    for name in ["llama/dynamic", "llama/longrope"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(name);
        let source = ModelSource::open(&folder, None).unwrap();
        let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
        let rows: Vec<Value> = rows("lengths.jsonl").into_iter().filter(|row| row["model"] == name).collect();
        let sequences: Vec<Vec<u32>> = rows.iter().map(|row| ids(&row["tokens"])).collect();
        let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
        let found = Scorer::new(&model)
            .score(&sequences, Windows::new(None, None, model.context()).unwrap(), &mut |_| ())
            .unwrap();
        for (row, found) in rows.iter().zip(&found) {
            let expected: Vec<f64> = serde_json::from_value(row["logprobs"].clone()).unwrap();
            assert_eq!(found.len(), expected.len());
            let off =
                found.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).max_by(f64::total_cmp).unwrap();
            assert!(off < 1e-4, "{name}, {} tokens: {off}", expected.len() + 1);
        }
    }
}

/// Texts longer than the context, in windows as transformers' users cut them (`scripts/fixtures/windows.py`).
#[test]
fn scores_in_windows() {
    let session = session();
    let model = model(&session, false);
    for row in rows("windows.jsonl") {
        let number = |key: &str| row[key].as_u64().map(|number| number as usize);
        let windows = Windows::new(number("context"), number("stride"), Some(256)).unwrap();
        let tokens = ids(&row["tokens"]);
        let mut told = 0;
        let found = Scorer::new(&model).score(&[&tokens], windows, &mut |tokens| told += tokens).unwrap().remove(0);
        assert_eq!(told, found.len(), "{windows:?}");
        let expected: Vec<f64> = serde_json::from_value(row["logprobs"].clone()).unwrap();
        assert_eq!(found.len(), expected.len());
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            // Sums of f32 in another order.
            assert!((f64::from(*found) - expected).abs() < 1e-4, "{windows:?}, token {at}: {found}, not {expected}");
        }
        let loss = -found.iter().copied().map(f64::from).sum::<f64>() / found.len() as f64;
        assert!((loss.exp() / row["perplexity"].as_f64().unwrap() - 1.0).abs() < 1e-5, "{windows:?}");
    }
}
