//! What the engine generates against transformers' `generate`, for families whose state is not a cache of all tokens' keys and values alone
//! (`scripts/fixtures/zoo.py`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use checkpoint::{ModelSource, SafetensorsFile};
use engine::Model;
use graph::DType;
use logprobs::{continued, engine};
use runtime::plugins::{Environment, Platform};

#[path = "support/logprobs.rs"]
mod logprobs;

fn check(case: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(case);
    let oracle = SafetensorsFile::open(folder.join("oracle.safetensors")).unwrap();
    let ids = |name: &str| -> Vec<u32> {
        oracle.tensor(name).unwrap().to_vec::<i32>().unwrap().into_iter().map(|id| id as u32).collect()
    };
    let (prompt, generated) = (ids("prompt"), ids("generated"));
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let source = ModelSource::open(&folder, None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let (vocab, context) = (model.sizes().vocab_size, prompt.len() + generated.len());
    for runs_ahead in [false, true] {
        let mut engine = engine(&model, context, runs_ahead);
        // Once more behind an answer that has to be forgotten.
        for _ in 0..2 {
            let found = continued(&mut engine, vocab, &prompt, generated.len(), None).unwrap();
            let tokens: Vec<u32> = found.iter().map(|(token, _)| *token).collect();
            assert_eq!(tokens, generated, "{case}, going ahead: {runs_ahead}");
        }
        let shorter = [&prompt[..], &generated[..generated.len() - 2]].concat();
        let found = continued(&mut engine, vocab, &shorter, 1, None).unwrap();
        assert_eq!(found[0].0, generated[generated.len() - 2], "{case}: two tokens taken back");
    }
}

#[test]
fn layers_with_and_without_windows() {
    check("gemma3_text/pattern");
}

/// `generate` begins anew where the text is longer than pre-training's.
#[test]
fn rotations_that_change_once() {
    check("phi3/longrope");
}

/// With each token, and beyond max_position_embeddings.
#[test]
fn rotations_that_change_again_and_again() {
    check("llama/dynamic");
}

#[test]
fn states_that_cannot_be_taken_back() {
    check("mamba/biases");
    check("mamba2/groups");
}
