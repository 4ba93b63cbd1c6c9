//! What the decoder generates against transformers' `generate`, for families whose state is not a cache of all tokens' keys and values alone
//! (`scripts/fixtures/zoo.py`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use checkpoint::{ModelSource, SafetensorsFile};
use engine::{Decoder, Model};
use graph::DType;
use runtime::plugins::{Environment, Platform};

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
    let mut decoder = Decoder::new(&model, None).unwrap();
    // Once step by step; once with the device going ahead; and once more behind an answer that has to be forgotten.
    for goes_on in [false, true, true] {
        let mut tokens = prompt.clone();
        for expected in &generated {
            let found = decoder.likeliest(&tokens, goes_on).unwrap();
            assert_eq!(found, *expected, "{case}, going on: {goes_on}, after {} tokens", tokens.len());
            tokens.push(found);
        }
        let logits = decoder.logits(&tokens[..tokens.len() - 2]).unwrap();
        let likeliest = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
        assert_eq!(likeliest as u32, generated[generated.len() - 2], "{case}: two tokens taken back");
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
