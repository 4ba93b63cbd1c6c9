//! Computing in bf16 against computing in f32: on the CPU plugin, and on an NVIDIA GPU where there is one, with cuDNN's attention too.

use crate::gpu::gpu;
use crate::subject::{Batch, Oracle, Results, Subject, cpu, relative_distance, tiles};
use crate::zoo::cases;
use graph::DType;
use models::{AttentionKernels, Cudnn, Gpu, LanguageModel, LayerLoop, check_documents};
use runtime::Session;
use serde_json::json;

/// In bf16 the loss is off by less than bf16's own precision, 2^-8 of it, and each gradient by some times as much.
#[track_caller]
fn check(case: &str, found: &Results, expected: &Results) {
    let loss = found.loss / expected.loss - 1.0;
    println!("{case:24} {:48} {loss:+.1e}", "loss");
    assert!(loss.abs() < 1.0 / 256.0, "{case}: the loss is {} and not {}", found.loss, expected.loss);
    let gradients = expected.gradients.iter();
    let all: Vec<_> =
        gradients.map(|(name, expected)| (relative_distance(&found.gradients[name], expected), name)).collect();
    all.iter().for_each(|(off, name)| println!("{case:24} {name:48} {off:.1e}"));
    let far: Vec<_> = all.into_iter().filter(|(off, _)| off.is_nan() || *off >= 0.05).collect();
    assert!(far.is_empty(), "{case}: gradients are off by these parts of their norms: {far:?}");
}

#[test]
fn fixtures() {
    for (case, oracle) in [("long", "oracle"), ("packed_long", "packed")] {
        let oracle = Oracle::open(&format!("llama/{case}/{oracle}.safetensors"));
        let mut subject = Subject::open(&format!("llama/{case}"), None);
        subject.compute = DType::BF16;
        let (logits, gradients) = (oracle.floats("logits"), oracle.gradients());
        let expected = Results { logits, loss: oracle.floats("loss")[0], auxiliary_loss: 0.0, gradients };
        check(case, &subject.run(&Batch::of(&oracle)), &expected);
    }
}

/// A case of each family against transformers in f64; of mixtures see [`experts`].
///
/// A layer rounds what it computes some sixteen times, by up to 2^-9 of it, and errors add as random numbers do. A gradient goes through all
/// layers twice, and sums terms that cancel in part. Recurrences, decays and the widths of steps are f32 all the same.
#[test]
fn families() {
    let all = LanguageModel::model_types();
    for family in all.into_iter().filter(|family| !["mixtral", "qwen3_moe"].contains(family)) {
        family_agrees(cpu(), AttentionKernels::PLAIN, &format!("{family}/{}", cases(family)[0]));
    }
}

/// The cases of families with windows, caps or biases, by our kernels, whose blocks are larger than these rows.
#[test]
fn families_with_attention_of_their_own_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    for family in ["falcon", "gemma2", "gemma3_text", "gpt_neox", "mistral", "mpt"] {
        for case in cases(family) {
            for gpu in [tiles(session), Gpu::Amd] {
                family_agrees(session, AttentionKernels::blocks(gpu), &format!("{family}/{case}"));
            }
        }
    }
}

fn family_agrees(session: &Session, kernels: AttentionKernels, case: &str) {
    let oracle = Oracle::open(&format!("zoo/{case}/oracle.safetensors"));
    let mut subject = Subject::open(&format!("zoo/{case}"), None);
    subject.model.attention = kernels;
    // A loop is compiled sooner than what it unrolls to.
    (subject.compute, subject.layers) = (DType::BF16, LayerLoop::Loop);
    let precision = (16.0 * subject.model.sizes().num_hidden_layers as f64).sqrt() / 512.0;
    let (found, expected) = (subject.run_on(session, &Batch::of(&oracle)), oracle.gradients());
    let loss = (found.loss / oracle.floats("loss")[0] - 1.0).abs();
    let logits = relative_distance(&found.logits, &oracle.floats("logits"));
    let norm = |numbers: &[f32]| numbers.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    let all = expected.values().map(|gradient| norm(gradient).powi(2)).sum::<f64>().sqrt();
    let off = found.gradients.iter().map(|(name, found)| match &expected[name] {
        // What attention does not depend on, such as something that is added to all keys, has no gradient but rounding, which is far below all others.
        none if norm(none) < 1e-9 * all => (100.0 * norm(found) / all, name),
        some => (relative_distance(found, some), name),
    });
    // NaN may be negative, and stands in front of all numbers then.
    let off = off.map(|(off, name)| (off.abs(), name));
    let (gradient, name) = off.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    println!("{case:36} loss {loss:.1e}  logits {logits:.1e}  gradients {gradient:.1e} ({name}), {precision:.1e}");
    assert!(loss < 1.0 / 256.0, "{case}: the loss is off by {loss} of it");
    assert!(logits < 2.0 * precision, "{case}: logits are off by {logits} of their norm");
    assert!(gradient < 8.0 * precision, "{case}: the gradient of {name} is off by {gradient} of its norm");
}

/// Grouped queries, heads that cuDNN takes, and every kind of parameter.
fn subject() -> Subject {
    let config = json!({
        "model_type": "llama", "vocab_size": 512, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "initializer_range": 0.06, "attention_bias": true, "mlp_bias": true,
    });
    Subject::drawn(LanguageModel::from_json(&config).unwrap())
}

/// In bf16 on `session`, and in f32 with plain attention there.
fn both(session: &Session, kernels: AttentionKernels, batch: &Batch) -> (Results, Results) {
    let mut subject = subject();
    let expected = subject.run_on(session, batch);
    subject.compute = DType::BF16;
    subject.model.attention = kernels;
    (subject.run_on(session, batch), expected)
}

/// Nearly always one token, which is to be followed by another: sums over the batch have some thousand terms that are nearly alike.
fn repeated_token(session: &Session) {
    let (rows, positions) = (64, 64);
    let count = rows * positions;
    // Between nothing but equal values attention would make no choice, and have no gradient but rounding.
    let or_another = |common: i32, i: usize| if i % 16 == 3 { (i * 31 % 499) as i32 } else { common };
    let batch = Batch {
        rows,
        positions,
        ids: (0..count).map(|i| or_another(7, i)).collect(),
        targets: (0..count).map(|i| or_another(11, i)).collect(),
        weights: vec![1.0; count],
        position_ids: (0..count).map(|i| (i % positions) as i32).collect(),
        segments: None,
        lengths: None,
    };
    let (found, expected) = both(session, AttentionKernels::PLAIN, &batch);
    check("repeated token", &found, &expected);
}

#[test]
fn a_token_that_is_repeated_thousands_of_times() {
    repeated_token(cpu());
}

#[test]
fn a_token_that_is_repeated_thousands_of_times_on_a_gpu() {
    if let Some(session) = &gpu() {
        repeated_token(session);
    }
}

/// Plain attention of forward programs, whose scores and softmax are tiled in one piece on a GPU. XLA's older analysis of tiles read past the
/// end of some heads where those are no power of two.
#[test]
fn plain_attention_of_any_number_of_heads_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    for (heads, kv_heads, rows) in [(3, 3, 4), (3, 1, 4), (6, 2, 3), (12, 12, 2)] {
        let config = json!({
            "model_type": "llama", "vocab_size": 512, "hidden_size": 32 * heads, "intermediate_size": 256, "num_hidden_layers": 2,
            "num_attention_heads": heads, "num_key_value_heads": kv_heads, "initializer_range": 0.06,
        });
        let mut subject = Subject::drawn(LanguageModel::from_json(&config).unwrap());
        let batch = counted(rows, 128);
        let expected = subject.logits_on(cpu(), &batch);
        for (compute, bound) in [(DType::F32, 1e-4), (DType::BF16, 0.05)] {
            subject.compute = compute;
            let off = relative_distance(&subject.logits_on(session, &batch), &expected);
            println!("{heads} heads, {kv_heads} of keys, {rows} rows, {compute}: logits off by {off:.1e}");
            assert!(
                off < bound,
                "{heads} heads, {kv_heads} of keys, {rows} rows, {compute}: logits are off by {off} of their norm"
            );
        }
    }
}

/// Whole rows of tokens that do not repeat within 509.
fn counted(rows: usize, positions: usize) -> Batch {
    let count = rows * positions;
    Batch {
        rows,
        positions,
        ids: (0..count).map(|i| (i * 7919 % 509) as i32).collect(),
        targets: vec![0; count],
        weights: vec![1.0; count],
        position_ids: (0..count).map(|i| (i % positions) as i32).collect(),
        segments: None,
        lengths: None,
    }
}

/// All experts are chosen: one that is nearly as probable as another would be chosen in its place by rounding. In a loop, or by kernels.
fn experts_agree(session: &Session, kernels: Option<Gpu>) {
    for family in ["mixtral", "qwen3_moe"] {
        let config = json!({
            "model_type": family, "vocab_size": 512, "hidden_size": 64, "intermediate_size": 96, "moe_intermediate_size": 96,
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "initializer_range": 0.06,
            "num_local_experts": 4, "num_experts_per_tok": 4, "router_aux_loss_coef": 0.1
        });
        let mut subject = Subject::drawn(LanguageModel::from_json(&config).unwrap());
        let batch = rows(&[&[100, 1, 130, 64]]);
        let expected = subject.run_on(session, &batch);
        subject.compute = DType::BF16;
        subject.model.grouped_products = kernels;
        check(&format!("{family}, {kernels:?}"), &subject.run_on(session, &batch), &expected);
    }
}

#[test]
fn experts() {
    experts_agree(cpu(), None);
}

/// In the tiles of each kind of GPU, which all run on NVIDIA's.
#[test]
fn experts_by_kernels_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    for kernels in [tiles(session), Gpu::Nvidia, Gpu::Amd] {
        experts_agree(session, Some(kernels));
    }
}

/// The token that nothing but padding holds.
const PADDING: i32 = 511;
const POSITIONS: usize = 384;

/// Rows of documents of these lengths, with padding behind them, where nothing is to be predicted.
fn rows(documents: &[&[usize]]) -> Batch {
    let mut batch = Batch {
        rows: documents.len(),
        positions: POSITIONS,
        ids: vec![PADDING; documents.len() * POSITIONS],
        targets: vec![0; documents.len() * POSITIONS],
        weights: vec![0.0; documents.len() * POSITIONS],
        position_ids: vec![0; documents.len() * POSITIONS],
        segments: None,
        lengths: None,
    };
    let mut segments = vec![0; batch.ids.len()];
    let token = |i: usize| (i * 7919 % 509) as i32;
    for (row, lengths) in documents.iter().enumerate() {
        let mut at = row * POSITIONS;
        for (document, length) in (1..).zip(*lengths) {
            for (offset, i) in (at..at + length).enumerate() {
                (batch.ids[i], batch.targets[i], batch.weights[i]) = (token(i), token(i + 1), 1.0);
                (batch.position_ids[i], segments[i]) = (offset as i32, document);
            }
            at += length;
        }
    }
    batch.segments = Some(segments);
    batch
}

/// Both Mambas in bf16, with the kernels of their scans and convolutions if `gpu` says so, and in f32 in plain operations: whole rows and packed
/// ones, whose length is no multiple of a chunk.
fn state_spaces(session: &Session, gpu: Option<Gpu>) {
    let mamba = json!({"model_type": "mamba", "state_size": 16});
    let mamba2 = json!({"model_type": "mamba2", "state_size": 32, "num_heads": 4, "head_dim": 64, "n_groups": 2, "chunk_size": 64});
    for mut config in [mamba, mamba2] {
        let sizes = json!({"vocab_size": 512, "hidden_size": 128, "num_hidden_layers": 2});
        config.as_object_mut().unwrap().extend(sizes.as_object().unwrap().clone());
        let packed = rows(&[&[100, 1, 130, 64], &[37, 200], &[]]);
        let whole = Batch { segments: None, ..rows(&[&[POSITIONS], &[POSITIONS - 7]]) };
        for (rows, batch) in [("whole", whole), ("packed", packed)] {
            let mut subject = Subject::drawn(LanguageModel::from_json(&config).unwrap());
            subject.layers = LayerLoop::Loop;
            let expected = subject.run_on(session, &batch);
            (subject.compute, subject.model.state_space) = (DType::BF16, gpu);
            check(&format!("{}, {rows}", config["model_type"]), &subject.run_on(session, &batch), &expected);
        }
    }
}

#[test]
fn state_spaces_in_plain_operations() {
    state_spaces(cpu(), None);
}

#[test]
fn state_spaces_on_a_gpu() {
    if let Some(session) = &gpu() {
        state_spaces(session, Some(tiles(session)));
    }
}

#[test]
fn fused_attention_over_whole_rows_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    let batch = Batch { segments: None, ..rows(&[&[POSITIONS], &[POSITIONS], &[POSITIONS]]) };
    for kernels in [AttentionKernels::cudnn(Cudnn::Causal), AttentionKernels::blocks(tiles(session))] {
        let (found, expected) = both(session, kernels, &batch);
        check(&format!("whole rows, {kernels:?}"), &found, &expected);
    }
}

/// Documents of one token and of a row, rows with the most documents and with none, with padding and without.
#[test]
fn fused_attention_over_packed_rows_on_a_gpu() {
    let Some(session) = &gpu() else { return };
    let most = 5;
    let batches: [&[&[usize]]; 4] = [
        &[&[100, 1, 130, 64, 89], &[POSITIONS], &[37, 200], &[]],
        &[&[17, 33, 65, 129, 140], &[1, 1, 1, 1, 380]],
        &[&[], &[], &[POSITIONS - 1]],
        &[&[128, 128, 128]],
    ];
    for (number, documents) in batches.iter().enumerate() {
        let batch = rows(documents);
        check_documents(batch.segments.as_ref().unwrap(), POSITIONS, most).unwrap();
        for kernels in
            [AttentionKernels::cudnn(Cudnn::Packed { documents: most }), AttentionKernels::blocks(tiles(session))]
        {
            let (found, expected) = both(session, kernels, &batch);
            check(&format!("packed {number}, {kernels:?}"), &found, &expected);
            let embedding = &found.gradients["model.embed_tokens.weight"];
            let padding = &embedding[embedding.len() / 512 * PADDING as usize..];
            assert!(padding.iter().all(|x| *x == 0.0), "padding has a gradient: {padding:?}");
        }
    }
}
