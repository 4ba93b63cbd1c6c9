//! Rows that are so long that attention goes through their queries in a loop, against rows that are not.

use models::LanguageModel;
use serde_json::{Value, json};

use crate::subject::{Batch, Results, Subject, TOLERANCE, difference};

/// No multiple of anything: the last strip of queries is not full.
const LONG: usize = 2149;
/// Lengths of its documents, and of what is behind them.
const DOCUMENTS: [usize; 4] = [1500, 1, 590, 58];

const VOCAB: usize = 16;

/// A layer of each thing that attention computes.
fn models() -> Vec<LanguageModel> {
    let llama = json!({
        "model_type": "llama", "vocab_size": VOCAB, "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1,
        "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.4,
    });
    let gemma = json!({ "model_type": "gemma2", "head_dim": 4, "sliding_window": 70, "attn_logit_softcapping": 2.0 });
    let mpt = json!({
        "model_type": "mpt", "vocab_size": VOCAB, "d_model": 16, "n_heads": 2, "n_layers": 1, "max_seq_len": 4096,
        "attn_config": { "alibi": true }, "initializer_range": 0.4,
    });
    let with = |base: &Value, more: &Value| {
        let mut all = base.as_object().unwrap().clone();
        all.extend(more.as_object().unwrap().clone());
        Value::Object(all)
    };
    [llama.clone(), with(&llama, &gemma), mpt].iter().map(|config| LanguageModel::from_json(config).unwrap()).collect()
}

fn token(at: usize) -> i32 {
    (at * at % 37 % VOCAB) as i32
}

/// A row of the tokens of `range`, of one document.
fn row(range: std::ops::Range<usize>, weight: f32) -> Batch {
    let count = range.len();
    Batch {
        rows: 1,
        positions: count,
        ids: range.clone().map(token).collect(),
        targets: range.map(|at| token(at + 1)).collect(),
        weights: vec![weight; count],
        position_ids: (0..count as i32).collect(),
        segments: None,
        lengths: None,
    }
}

fn near(what: &str, found: &[f32], expected: &[f32]) {
    let off = difference(found, expected);
    assert!(off < TOLERANCE, "{what} is off by {off}");
}

/// No token sees what is behind it.
#[test]
fn the_beginning_of_a_long_row_is_a_short_row() {
    for model in models() {
        let name = model.to_json()["model_type"].to_string();
        let subject = Subject::drawn(model);
        let short = row(0..2000, 1.0);
        let mut long = row(0..LONG, 1.0);
        long.weights[2000..].fill(0.0);
        let [found, expected] = [&long, &short].map(|batch| subject.run(batch));
        near(&format!("{name}: logits"), &found.logits[..2000 * VOCAB], &expected.logits);
        for (parameter, gradient) in &expected.gradients {
            near(&format!("{name}: gradient of {parameter}"), &found.gradients[parameter], gradient);
        }
    }
}

/// Each document of a long packed row is what it is alone, and the row's gradients are theirs.
#[test]
fn documents_of_a_long_row_are_as_they_are_alone() {
    for model in models() {
        let name = model.to_json()["model_type"].to_string();
        let subject = Subject::drawn(model);
        let mut packed = row(0..LONG, 1.0);
        let (mut segments, mut places, mut from) = (Vec::new(), Vec::new(), 0);
        let mut alone: Vec<(usize, Results)> = Vec::new();
        for (document, count) in (1..).zip(DOCUMENTS) {
            segments.extend(vec![document; count]);
            places.extend(0..count as i32);
            alone.push((count, subject.run(&row(from..from + count, 1.0))));
            from += count;
        }
        assert_eq!(from, LONG);
        packed.segments = Some(segments);
        packed.position_ids = places;
        let found = subject.run(&packed);
        let logits: Vec<f32> = alone.iter().flat_map(|(_, results)| results.logits.clone()).collect();
        near(&format!("{name}: logits"), &found.logits, &logits);
        for (parameter, gradient) in &found.gradients {
            // A row's loss is the mean over its tokens.
            let sum = (0..gradient.len()).map(|at| {
                let parts = alone.iter().map(|(count, results)| results.gradients[parameter][at] * *count as f32);
                parts.sum::<f32>() / LONG as f32
            });
            near(&format!("{name}: gradient of {parameter}"), gradient, &sum.collect::<Vec<_>>());
        }
    }
}
