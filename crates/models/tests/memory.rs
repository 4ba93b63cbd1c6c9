//! What training takes on a CPU: no more than in proportion to the length, and far less than the states of all tokens, or the scores of all pairs.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, Output};
use models::{LanguageModel, Precision, Scope, Tokens, next_token_loss};
use runtime::plugins::{Environment, Platform};
use runtime::{CompileOptions, Session};
use serde_json::{Value, json};

const ROWS: usize = 2;

/// Bytes of temporaries of a forward and backward pass over packed rows, everything kept that the layer's policy may keep.
fn temporaries(session: &Session, model: &LanguageModel, positions: usize) -> u64 {
    let graph = Graph::new();
    let scope = Scope::root(&graph, Precision::uniform(DType::F32), None);
    let axes = [Axis::new("batch", ROWS), Axis::new("position", positions)];
    let [ids, segments, positions] = ["ids", "segments", "positions"].map(|name| graph.input(name, DType::I32, &axes));
    let logits = model.logits(&scope, Tokens { ids, positions, segments: Some(segments), lengths: None });
    let loss = next_token_loss(logits, ids, graph.full(1.0, DType::F32, &axes));
    let params = graph.params();
    let gradients = graph.grad(loss, &params.iter().map(|(_, tensor)| *tensor).collect::<Vec<_>>());
    let named = params.iter().zip(&gradients);
    let outputs: Vec<Output<'_, '_>> =
        named.map(|((spec, _), tensor)| Output { name: &spec.name, stack: &spec.stack, tensor: *tensor }).collect();
    let program = graph.lower_unrolled("step", &outputs, &[], &["layers"]).unwrap();
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
    executable.program().memory_stats().unwrap().temp
}

fn cpu() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap()
}

#[test]
fn memory_is_linear_in_the_length_and_does_not_hold_all_states() {
    let session = cpu();
    let (inner, state) = (256, 128);
    let sizes = |kind: Value| {
        let mut config = json!({
            "vocab_size": 32, "hidden_size": inner / 2, "num_hidden_layers": 1, "state_size": state
        });
        config.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
        LanguageModel::from_json(&config).unwrap()
    };
    let models = [
        sizes(json!({ "model_type": "mamba" })),
        sizes(json!({ "model_type": "mamba2", "num_heads": 16, "head_dim": 16, "n_groups": 1 })),
    ];
    for model in models {
        let lengths = [512, 1024];
        let taken = lengths.map(|length| temporaries(&session, &model, length));
        let all_states = lengths.map(|length| (4 * ROWS * length * inner * state) as u64);
        println!("{} of {all_states:?} bytes: {taken:?}", model.to_json()["model_type"]);
        // What does not grow may be there besides.
        assert!(taken[1] <= 2 * taken[0], "twice the length takes {taken:?} bytes");
        assert!(taken[1] < all_states[1] / 4, "{taken:?} bytes, and {all_states:?} for all states");
    }
}

#[test]
fn memory_of_attention_is_linear_in_the_length() {
    let session = cpu();
    let (heads, lengths) = (4, [4096, 8192]);
    let config = json!({
        "model_type": "llama", "vocab_size": 32, "hidden_size": 8 * heads, "intermediate_size": 32, "num_hidden_layers": 1,
        "num_attention_heads": heads,
    });
    let model = LanguageModel::from_json(&config).unwrap();
    let taken = lengths.map(|length| temporaries(&session, &model, length));
    let all_scores = (4 * ROWS * heads * lengths[1] * lengths[1]) as u64;
    println!("of {all_scores} bytes of scores: {taken:?}");
    assert!(taken[1] <= 2 * taken[0], "twice the length takes {taken:?} bytes");
    assert!(taken[1] < all_scores / 4, "{taken:?} bytes, and {all_scores} for all scores");
}
