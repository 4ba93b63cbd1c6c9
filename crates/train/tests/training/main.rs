//! The training step against torch, and against itself: accumulation, packing, resuming.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use checkpoint::{ModelSource, SafetensorsFile};
use data::Batch;
use graph::DType;
use models::{LossChunk, LossForm};
use recorded::batch;
use serde_json::Value;
use serde_json::json;
use support::{batches, fixture, largest_difference, session, source, state, trainer};
use train::schedule::{Schedule, ScheduleKind};
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer};

mod adapters;
mod layer_loops;
mod recorded;
mod stopping;
mod support;

const ONE_BATCH: BatchShape = BatchShape { accumulation: 1, rows: 4, positions: 24, packed: false };

fn settings(run: &str) -> Value {
    let path = fixture("llama_train/settings.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    all[run].clone()
}

fn optimizer(settings: &Value) -> Optimizer {
    let number = |value: &Value| value.as_f64().unwrap();
    Optimizer::AdamW(AdamW {
        beta1: number(&settings["betas"][0]),
        beta2: number(&settings["betas"][1]),
        epsilon: number(&settings["eps"]),
        weight_decay: number(&settings["weight_decay"]),
    })
}

/// A plan that trains the fixture's adapter.
fn adapter_plan(source: &ModelSource, dropout: f64) -> StepPlan {
    let lora = Some(support::lora(source, dropout));
    StepPlan { lora, trained: Trained::Adapters, ..support::plan(source, ONE_BATCH) }
}

/// Trains the ten steps of a recorded torch run and compares losses, norms and final parameters.
fn compare_with_torch(run: &str, chunk: LossChunk) {
    let settings = settings(run);
    let with_adapter = run == "lora";
    let source = source(with_adapter);
    let plan = if with_adapter { adapter_plan(&source, 0.0) } else { support::plan(&source, ONE_BATCH) };
    let max_grad_norm = settings["max_grad_norm"].as_f64();
    let loss = LossForm { chunk, ..plan.loss };
    let plan = StepPlan { optimizer: optimizer(&settings), max_grad_norm, loss, ..plan };
    let mut trainer = trainer(plan, &source);
    let oracle = SafetensorsFile::open(fixture(&format!("llama_train/{run}.safetensors"))).unwrap();
    let recorded = |name: &str| oracle.tensor(name).unwrap().to_f32();
    let warmup = settings["warmup_steps"].as_u64().unwrap();
    let schedule = Schedule::new(ScheduleKind::Cosine, settings["lr"].as_f64().unwrap(), warmup, 10, 0.0);
    let (losses, norms) = (recorded("losses"), recorded("grad_norms"));
    for (step, batch) in batches().iter().enumerate() {
        let outcome = trainer.step(batch, step as u64 + 1, schedule.learning_rate(step as u64), 0).unwrap();
        assert_eq!(outcome.target_tokens, batch.target_tokens() as u64);
        let loss_error = (outcome.loss as f32 - losses[step]).abs();
        let norm_error = (outcome.grad_norm as f32 - norms[step]).abs();
        // torch's own f32 run is up to 5e-7 from its f64 run, see settings.json.
        assert!(loss_error < 1e-5 && norm_error < 1e-5, "step {step}: loss off by {loss_error}, norm by {norm_error}");
    }
    for (name, ours) in state(&trainer).iter().filter(|(name, _)| !name.contains(".exp_avg")) {
        let key = if with_adapter { format!("final.base_model.model.{name}") } else { format!("final.{name}") };
        let error = largest_difference(ours, &recorded(&key));
        assert!(error < 1e-5, "{name} is off by {error}");
    }
}

#[test]
fn ten_steps_of_full_fine_tuning_equal_torch() {
    compare_with_torch("full", LossChunk::Auto);
}

#[test]
fn ten_steps_of_lora_equal_torch_and_peft() {
    compare_with_torch("lora", LossChunk::Auto);
}

/// Of 96 tokens, which 11 do not divide.
#[test]
fn ten_steps_with_the_loss_in_chunks_equal_torch_too() {
    compare_with_torch("full", LossChunk::Tokens(11));
    compare_with_torch("lora", LossChunk::Tokens(11));
}

/// It is reported beside the loss, which stays the cross-entropy, and is learned from: what the softmax is divided with comes nearer to 1.
#[test]
fn z_loss_is_minimised_and_told_apart() {
    let source = source(false);
    let steps = |z_loss_multiplier: f64, accumulation: usize, chunk: LossChunk| {
        let batch = BatchShape { accumulation, rows: 4 / accumulation, ..ONE_BATCH };
        let loss = LossForm { z_loss_multiplier, chunk };
        let mut trainer = trainer(StepPlan { loss, ..support::plan(&source, batch) }, &source);
        (1..=5).map(|step| trainer.step(&batches()[0], step, 1e-3, 0).unwrap()).collect::<Vec<_>>()
    };
    let (plain, with) = (steps(0.0, 1, LossChunk::Auto), steps(0.5, 1, LossChunk::Auto));
    assert_eq!((plain[0].loss, plain[0].z_loss), (with[0].loss, 0.0));
    assert!(plain.iter().all(|outcome| outcome.router_aux_loss == 0.0), "{plain:?}");
    let falls = with.windows(2).all(|pair| pair[1].z_loss < 0.99 * pair[0].z_loss);
    assert!(falls && with[4].z_loss > 0.0, "{with:?}");
    assert!((with[0].grad_norm - plain[0].grad_norm).abs() > 1e-2, "{} {}", with[0].grad_norm, plain[0].grad_norm);
    // However a step is split, it is the same mean over its target tokens.
    for split in [steps(0.5, 4, LossChunk::Auto), steps(0.5, 2, LossChunk::Tokens(5))] {
        for (split, with) in split.iter().zip(&with) {
            let off = [split.loss - with.loss, split.z_loss - with.z_loss, split.grad_norm - with.grad_norm];
            assert!(off.iter().all(|off| off.abs() < 1e-4), "{split:?}, not {with:?}");
        }
    }
}

#[test]
fn accumulation_gives_the_loss_and_update_of_one_large_batch() {
    let source = source(false);
    let run = |shape: BatchShape| {
        let mut trainer = trainer(support::plan(&source, shape), &source);
        // Rows 0 and 1 have fewer targets than 2 and 3: a mean of means would differ.
        let loss = trainer.step(&batches()[0], 1, 1e-3, 0).unwrap().loss;
        (loss, state(&trainer))
    };
    let (loss, whole) = run(ONE_BATCH);
    for accumulation in [2, 4] {
        let (split_loss, split) = run(BatchShape { accumulation, rows: 4 / accumulation, ..ONE_BATCH });
        assert!((loss - split_loss).abs() < 1e-6, "{loss} in one batch, {split_loss} in {accumulation}");
        for (name, values) in &whole {
            let error = largest_difference(values, &split[name]);
            assert!(error < 1e-6, "{name} differs by {error} in {accumulation} micro-batches");
        }
    }
}

/// Of a size at which backends take other products than for the tiny models here, and over some steps: every product of a step is to
/// see what the step before has changed.
#[test]
fn accumulation_gives_the_steps_of_one_large_batch() {
    let source = source(false);
    let steps = |accumulation: usize| {
        let shape = BatchShape { accumulation, rows: 4 / accumulation, ..ONE_BATCH };
        let mut plan = support::plan(&source, shape);
        plan.max_grad_norm = Some(1.0);
        let wider = json!({"vocab_size": 2048, "hidden_size": 64, "intermediate_size": 128, "head_dim": 16});
        plan.model = support::changed(&plan.model, &wider);
        let mut trainer = Trainer::new(session(), plan, |parameters, _, array| Ok(parameters.init(array, 0)?)).unwrap();
        (1..=4)
            .map(|step| {
                let outcome = trainer.step(&batches()[0], step, 1e-2, 0).unwrap();
                [outcome.loss, outcome.grad_norm]
            })
            .collect::<Vec<_>>()
    };
    let whole = steps(1);
    assert!(whole[3][0] < whole[0][0] - 1.0, "it learns: {whole:?}");
    for (step, (whole, split)) in whole.iter().zip(steps(2)).enumerate() {
        let fits = whole.iter().zip(split).all(|(whole, split)| (whole - split).abs() < 1e-4);
        assert!(fits, "step {}: {whole:?} in one batch, {split:?} in two", step + 1);
    }
}

/// The loss and the gradient's norm of a batch at the initial weights.
fn loss_and_norm(batch: &Batch, packed: bool) -> (f64, f64) {
    let source = source(false);
    let shape = BatchShape { accumulation: 1, rows: batch.rows, positions: batch.sequence_len, packed };
    let outcome = trainer(support::plan(&source, shape), &source).step(batch, 1, 1e-3, 0).unwrap();
    (outcome.loss * outcome.target_tokens as f64, outcome.grad_norm)
}

#[test]
fn a_packed_document_has_the_loss_that_it_has_alone() {
    let ids: Vec<i32> = batches()[3].tokens[..20].to_vec();
    let (first, second) = ids.split_at(12);
    let alone: f64 = [first, second].iter().map(|ids| loss_and_norm(&batch(ids, ids, ids.len()), false).0).sum();
    let mut packed = batch(&ids, &ids, 20);
    for (i, segment) in packed.segment_ids.iter_mut().enumerate() {
        *segment = if i < 12 { 1 } else { 2 };
    }
    packed.positions = (0..12).chain(0..8).collect();
    packed.loss_mask[11] = 0.0;
    let (together, norm) = loss_and_norm(&packed, true);
    assert!((together - alone).abs() < 1e-4 * alone, "{alone} alone, {together} packed");
    // What makes the difference: the same row without its segments leaks.
    let (leaking, leaking_norm) = loss_and_norm(&packed, false);
    assert!((leaking - alone).abs() > 1e-2 && (leaking_norm - norm).abs() > 1e-2, "{leaking} {alone}");
}

#[test]
fn padding_changes_nothing() {
    let ids: Vec<i32> = batches()[3].tokens[..12].to_vec();
    let (loss, norm) = loss_and_norm(&batch(&ids, &ids, 12), true);
    let padded_ids: Vec<i32> = ids.iter().copied().chain([0; 8]).collect();
    let mut padded = batch(&padded_ids, &padded_ids, 20);
    for i in 11..20 {
        padded.loss_mask[i] = 0.0;
        padded.segment_ids[i] = i32::from(i == 11);
    }
    let (padded_loss, padded_norm) = loss_and_norm(&padded, true);
    assert!((loss - padded_loss).abs() < 1e-4 && (norm - padded_norm).abs() < 1e-4, "{loss} {padded_loss}");
}

/// A router's loss, which counts no padding, and its gradients, as transformers has them (`scripts/fixtures/zoo.py`).
#[test]
fn padding_does_not_reach_the_routers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo/mixtral/window");
    let source = ModelSource::open(&folder, None).unwrap();
    let oracle = SafetensorsFile::open(folder.join("padded.safetensors")).unwrap();
    let numbers = |name: &str| oracle.tensor(name).unwrap().to_vec::<i32>().unwrap();
    let mut padded = batch(&numbers("input_ids"), &numbers("labels"), 24);
    for (row, length) in padded.segment_ids.chunks_mut(24).zip(numbers("lengths")) {
        row[length as usize..].fill(0);
    }
    let gradients = oracle.names().filter(|name| name.starts_with("grad."));
    let squares = gradients.flat_map(|name| oracle.tensor(name).unwrap().to_f32()).map(|x| f64::from(x).powi(2));
    let expected = squares.sum::<f64>().sqrt();
    for packed in [false, true] {
        let shape = BatchShape { accumulation: 1, rows: 2, positions: 24, packed };
        let outcome = trainer(support::plan(&source, shape), &source).step(&padded, 1, 1e-3, 0).unwrap();
        let off = outcome.grad_norm - expected;
        assert!(off.abs() < 1e-5, "packed {packed}: {off} of {expected}");
        let expected = f64::from(oracle.tensor("auxiliary_loss").unwrap().to_f32()[0]);
        let off = outcome.router_aux_loss - expected;
        assert!(off.abs() < 1e-5 && expected > 0.1, "packed {packed}: {off} of {expected}");
    }
    // Each micro-batch has its own, of which a step's is the mean.
    let one_row = BatchShape { accumulation: 1, rows: 1, positions: 24, packed: false };
    let told = |shape: BatchShape, batch: &Batch| {
        trainer(support::plan(&source, shape), &source).step(batch, 1, 1e-3, 0).unwrap().router_aux_loss
    };
    let rows = [0, 1].map(|at: usize| {
        let part = |all: &[i32]| all[24 * at..24 * (at + 1)].to_vec();
        Batch {
            rows: 1,
            sequence_len: 24,
            tokens: part(&padded.tokens),
            targets: part(&padded.targets),
            loss_mask: padded.loss_mask[24 * at..24 * (at + 1)].to_vec(),
            positions: part(&padded.positions),
            segment_ids: part(&padded.segment_ids),
        }
    });
    let [first, second] = rows.each_ref().map(|row| told(one_row, row));
    let step = told(BatchShape { accumulation: 2, ..one_row }, &padded);
    assert!((step - 0.5 * (first + second)).abs() < 1e-6 && first != second, "{step}, not {first} and {second}");
    // Those without a target are among them, and those that a run's last step has no rows for are not.
    let mut half = padded;
    half.loss_mask[24..].fill(0.0);
    for packed in [false, true] {
        let step = told(BatchShape { accumulation: 2, packed, ..one_row }, &half);
        assert!((step - 0.5 * (first + second)).abs() < 1e-6, "{step}, not {first} and {second}");
    }
    half.segment_ids[24..].fill(0);
    for packed in [false, true] {
        let step = told(BatchShape { accumulation: 2, packed, ..one_row }, &half);
        assert!((step - first).abs() < 1e-6, "{step}, not {first}");
    }
}

#[test]
fn a_step_from_restored_state_is_bit_for_bit_the_step_that_would_have_followed() {
    let source = source(true);
    let plan = adapter_plan(&source, 0.3);
    let steps = |trainer: &mut Trainer<'_>, range: std::ops::Range<usize>| {
        range.map(|i| trainer.step(&batches()[i], i as u64 + 1, 1e-2, 9).unwrap().loss.to_bits()).collect::<Vec<_>>()
    };
    let mut through = trainer(plan.clone(), &source);
    let all = steps(&mut through, 0..6);
    let mut before = trainer(plan.clone(), &source);
    steps(&mut before, 0..3);
    let mut after = trainer(plan, &source);
    let mut reader = before.reader();
    after.restore(|name, ranges| Ok(reader.read(name, DType::F32)?.into_part(ranges))).unwrap();
    let refused = before.reader().read("model.norm.weights", DType::F32).unwrap_err();
    assert_eq!(refused.to_string(), "the training step takes no tensor named model.norm.weights");
    assert_eq!(steps(&mut after, 3..6), all[3..]);
    assert_eq!(state(&after), state(&through));
}

#[test]
fn outcomes_read_late_are_those_of_their_steps() {
    let source = source(false);
    let mut stepping = trainer(support::plan(&source, ONE_BATCH), &source);
    let mut ahead = trainer(support::plan(&source, ONE_BATCH), &source);
    let batches = batches();
    let numbered = || batches.iter().zip(1..);
    let each: Vec<_> = numbered().map(|(batch, number)| stepping.step(batch, number, 1e-2, 0).unwrap()).collect();
    let pending: Vec<_> = numbered().map(|(batch, number)| ahead.launch(batch, number, 1e-2, 0).unwrap()).collect();
    let late: Vec<_> = pending.into_iter().map(|outcome| outcome.wait().unwrap()).collect();
    assert_eq!(late, each);
    assert_eq!(state(&ahead), state(&stepping));
}

#[test]
fn another_way_to_compute_a_step_finds_what_the_next_one_does_and_leaves_the_weights() {
    let (source, batches) = (source(false), batches());
    let plan = support::plan(&source, ONE_BATCH);
    let mut in_chunks = plan.clone();
    in_chunks.loss.chunk = LossChunk::Tokens(16);
    let mut trainer = trainer(plan, &source);
    let way = trainer.other_way(in_chunks).unwrap();
    let weights = |trainer: &Trainer<'_>| -> Vec<_> {
        state(trainer).into_iter().filter(|(name, _)| name.ends_with(".weight")).collect()
    };
    for (number, batch) in (1..).zip(&batches[..3]) {
        let before = weights(&trainer);
        let found = trainer.find(&way, batch, number, 0).unwrap();
        assert!(!before.is_empty() && weights(&trainer) == before);
        let outcome = trainer.step(batch, number, 1e-3, 0).unwrap();
        assert!((found.loss - outcome.loss).abs() < 1e-6 * outcome.loss, "{found:?}, {outcome:?}");
        assert!((found.grad_norm - outcome.grad_norm).abs() < 1e-5 * outcome.grad_norm, "{found:?}, {outcome:?}");
        assert!(weights(&trainer) != before);
    }
}

#[test]
fn dropout_acts_on_adapters_and_follows_the_seed() {
    let source = source(true);
    let loss = |rate: f64, seed: u64| {
        let plan = adapter_plan(&source, rate);
        let mut trainer = trainer(plan, &source);
        // B is zero at first, so that dropout shows from the second step on.
        trainer.step(&batches()[0], 1, 1e-2, seed).unwrap();
        trainer.step(&batches()[1], 2, 1e-2, seed).unwrap().loss
    };
    assert_eq!(loss(0.5, 1).to_bits(), loss(0.5, 1).to_bits());
    assert!(loss(0.5, 1) != loss(0.5, 2) && loss(0.5, 1) != loss(0.0, 1));
}
