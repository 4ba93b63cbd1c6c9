//! Scores and greedy continuations against transformers' (`scripts/fixtures/score.py`), on the CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use checkpoint::ModelSource;
use data::Tokenizer;
use engine::{
    Decoder, Error, FinishReason, GenerateOptions, Generation, Generator, Model, ModelPlan, Sampling, Scorer, Windows,
};
use graph::DType;
use models::LayerLoop;
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use serde_json::Value;

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
    let mut plan = ModelPlan::of(&source, DType::F32, Platform::Cpu).unwrap();
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
                assert_eq!(rest.cached_tokens, longer.len() - 1);
            }
        }
    }
}

/// Logits after prompts of any length do not depend on how they were cut into chunks, what padding stood behind them, or whether the
/// cache was nearly full.
#[test]
fn chunks_do_not_change_logits() {
    let session = session();
    let model = model(&session, true);
    let tokens: Vec<u32> = (0..256u32).map(|i| (i * 7919 + 13) % 320).collect();
    let mut one_by_one = Decoder::new(&model, None).unwrap();
    let mut whole = Decoder::new(&model, None).unwrap();
    let mut growing = Decoder::new(&model, None).unwrap();
    for length in 1..=tokens.len() {
        let expected = one_by_one.logits(&tokens[..length]).unwrap();
        if ![1, 2, 15, 16, 17, 40, 129, 241, 250, 256].contains(&length) {
            continue;
        }
        for decoder in [&mut whole, &mut growing] {
            let found = decoder.logits(&tokens[..length]).unwrap();
            let difference = difference(&expected, &found);
            // Logits are of order one; sums are taken in another order.
            assert!(difference < 2e-5, "{difference} after {length} tokens");
        }
        // Something else, so that the next prompt is computed from its first token over what this leaves behind.
        whole.logits(&[5, 6, 7]).unwrap();
    }
}

/// Nor do they depend on how much of a long cache a step reads: each token alone, in a cache with room for all from the start, gives
/// what a decoder gives that has just the prompt to read.
#[test]
fn long_caches_do_not_change_logits() {
    let folder = longer_model(600);
    let session = session();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();

    let tokens: Vec<u32> = (0..520u32).map(|i| (i * 7919 + 13) % 320).collect();
    let mut one_by_one = Decoder::new(&model, None).unwrap();
    one_by_one.prepare(1, 599).unwrap();
    for length in 1..=tokens.len() {
        let found = one_by_one.logits(&tokens[..length]).unwrap();
        if [256, 257, 511, 512, 513, 520].contains(&length) {
            let expected = Decoder::new(&model, None).unwrap().logits(&tokens[..length]).unwrap();
            let difference = difference(&expected, &found);
            assert!(difference < 2e-5, "{difference} after {length} tokens");
        }
    }
}

/// The token that the device chooses is that of the highest logit, whether its step was under way when it was asked for, belongs to a
/// sequence that went on otherwise, or begins to read more of the cache.
#[test]
fn steps_that_go_on_change_no_token() {
    let folder = longer_model(600);
    let session = session();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let mut ahead = Decoder::new(&model, None).unwrap();
    let mut plain = Decoder::new(&model, None).unwrap();
    let mut tokens: Vec<u32> = (0..250u32).map(|i| (i * 7919 + 13) % 320).collect();
    ahead.prepare(tokens.len(), 16).unwrap();
    while tokens.len() < 262 {
        let logits = plain.logits(&tokens).unwrap();
        let expected = (0..320).rev().max_by(|a, b| logits[*a].total_cmp(&logits[*b])).unwrap();
        let found = ahead.likeliest(&tokens, true).unwrap();
        assert_eq!(found as usize, expected, "after {} tokens", tokens.len());
        // Every third token is another than was chosen; and logits can be asked for at any time.
        tokens.push(if tokens.len().is_multiple_of(3) { (found + 1) % 320 } else { found });
        if tokens.len().is_multiple_of(4) {
            let difference = difference(&plain.logits(&tokens).unwrap(), &ahead.logits(&tokens).unwrap());
            assert!(difference < 2e-5, "{difference} after {} tokens", tokens.len());
        }
    }
    // Nothing goes on behind the last slot.
    let mut full = Decoder::new(&model, Some(256)).unwrap();
    let all = &tokens[..256];
    let chosen = full.likeliest(all, true).unwrap();
    assert_eq!(chosen, plain.likeliest(all, false).unwrap());
    assert_eq!(full.cached(&[all, &[chosen, 0]].concat()), 256, "no step followed");
}

/// A conversation that outgrows its cache keeps what is in it.
#[test]
fn a_cache_grows_with_what_it_holds() {
    let folder = longer_model(600);
    let session = session();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let tokens: Vec<u32> = (0..300u32).map(|i| (i * 7919 + 13) % 320).collect();
    for layers in [LayerLoop::Unrolled, LayerLoop::Loop] {
        let mut plan = ModelPlan::of(&source, DType::F32, Platform::Cpu).unwrap();
        plan.layers = layers;
        let model = Model::load_planned(&session, &source, plan, &mut |_| {}).unwrap();
        let mut decoder = Decoder::new(&model, None).unwrap();
        decoder.logits(&tokens[..200]).unwrap();
        decoder.prepare(200, 100).unwrap();
        assert_eq!(decoder.cached(&tokens), 200);
        let found = decoder.logits(&tokens).unwrap();
        let expected = Decoder::new(&model, None).unwrap().logits(&tokens).unwrap();
        let difference = difference(&expected, &found);
        assert!(difference < 2e-5, "{layers:?}: {difference}");
    }
}

/// What was said before a message that the memory does not hold need not be computed again.
#[test]
fn a_cache_that_cannot_grow_stays() {
    let folder = longer_model((1 << 31) - 1);
    let session = session();
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let tokens: Vec<u32> = (0..250u32).map(|i| (i * 7919 + 13) % 320).collect();
    let mut decoder = Decoder::new(&model, None).unwrap();
    decoder.logits(&tokens[..200]).unwrap();
    let error = decoder.prepare(200, 1 << 30).unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    assert_eq!(decoder.cached(&tokens), 200);
    let expected = Decoder::new(&model, None).unwrap().logits(&tokens).unwrap();
    let difference = difference(&expected, &decoder.logits(&tokens).unwrap());
    assert!(difference < 2e-5, "{difference}");
}

/// A model whose logits are not finite has no likeliest token, wherever tokens are chosen.
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
    let source = ModelSource::open(folder.path(), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let mut decoder = Decoder::new(&model, None).unwrap();
    for goes_on in [false, true] {
        let error = decoder.likeliest(&[5, 6, 7], goes_on).unwrap_err();
        assert!(matches!(error, Error::NotFinite { tokens: 3, .. }), "{error}");
    }
    let error = decoder.logits(&[5, 6, 7]).unwrap_err();
    assert!(matches!(error, Error::NotFinite { tokens: 3, .. }), "{error}");
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
    let refused = Decoder::new(&model, Some(257)).err().unwrap();
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
        let found = Scorer::new(&model).score(&sequences, whole).unwrap();
        let mut differences = Vec::new();
        for (row, found) in rows.iter().zip(&found) {
            let expected: Vec<f64> = serde_json::from_value(row[key].clone()).unwrap();
            assert_eq!(found.len(), expected.len());
            differences.extend(found.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()));
        }
        let greatest = differences.into_iter().max_by(f64::total_cmp).unwrap();
        println!("adapter: {adapter}, greatest difference {greatest:.1e}");
        assert!(greatest < 1e-4, "adapter: {adapter}: {greatest}");
        let refused = Scorer::new(&model).score(&[&[1; 257]], whole).unwrap_err().to_string();
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
        let found = Scorer::new(&model).score(&sequences, Windows::new(None, None, model.context()).unwrap()).unwrap();
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
        let found = Scorer::new(&model).score(&[&tokens], windows).unwrap().remove(0);
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
