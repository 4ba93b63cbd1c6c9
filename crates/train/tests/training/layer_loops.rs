//! Layers in a loop and unrolled: the same numbers, and the same checkpoints.

use crate::support::{self, batches, largest_difference, session, source, state};
use graph::{DType, Remat};
use models::{LayerLoop, products_kept};
use serde_json::json;
use train::{BatchShape, StepPlan, Trained, Trainer};

const WHOLE: BatchShape = BatchShape { accumulation: 1, rows: 4, positions: 24, packed: false };

fn trainer(plan: &StepPlan, layers: LayerLoop) -> Trainer<'static> {
    let plan = StepPlan { layers, ..plan.clone() };
    Trainer::new(session(), plan, |parameters, _, array| Ok(parameters.init(array, 3)?)).unwrap()
}

/// A batch of rows that hold two documents each, the last of which ends in padding.
fn packed_batch() -> data::Batch {
    let mut batch = batches()[0].clone();
    for place in 0..batch.tokens.len() {
        let position = place % batch.sequence_len;
        let (segment, first) = if position < 10 { (1, 0) } else { (2, 10) };
        let is_padding = position >= 20;
        batch.segment_ids[place] = if is_padding { 0 } else { segment };
        batch.positions[place] = (position - first) as i32;
        if is_padding || position == 9 {
            batch.loss_mask[place] = 0.0;
        }
    }
    batch
}

/// Two steps from the same seed, in a loop and unrolled.
fn check(case: &str, plan: &StepPlan) {
    let batch = if plan.batch.packed { packed_batch() } else { batches()[0].clone() };
    let run = |layers| {
        let mut trainer = trainer(plan, layers);
        let outcomes = [1, 2].map(|number| trainer.step(&batch, number, 1e-3, 7).unwrap());
        (outcomes, state(&trainer))
    };
    let ((looped, looped_state), (unrolled, unrolled_state)) = (run(LayerLoop::Loop), run(LayerLoop::Unrolled));
    for (a, b) in looped.iter().zip(&unrolled) {
        // The compiler fuses one otherwise than the other: sums of some hundred numbers in another order.
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-5 * (1.0 + a.abs());
        assert!(close(a.loss, b.loss) && close(a.grad_norm, b.grad_norm), "{case}: {a:?} in a loop, {b:?} unrolled");
        assert_eq!(a.target_tokens, b.target_tokens, "{case}");
    }
    assert!(looped_state.keys().eq(unrolled_state.keys()), "{case}: the states have other tensors");
    for (name, values) in &looped_state {
        let error = largest_difference(values, &unrolled_state[name]);
        // An update is of the size of the learning rate whatever the gradient's, so small gradients come out with their own errors.
        assert!(error <= 1e-5, "{case}: {name} differs by {error}");
    }
}

#[test]
fn both_give_the_same_numbers() {
    let source = source(false);
    let mut plan = support::plan(&source, WHOLE);
    check("plain", &plan);
    let mut tied = plan.clone();
    tied.model = support::changed(&tied.model, &json!({"tie_word_embeddings": true}));
    check("tied embeddings", &tied);
    plan.batch = BatchShape { accumulation: 2, rows: 2, ..WHOLE };
    plan.model.remat = products_kept();
    check("accumulation, products kept", &StepPlan { max_grad_norm: Some(0.5), ..plan.clone() });
    plan.batch.packed = true;
    plan.model.remat = Remat::full();
    check("accumulation of packed rows, nothing kept", &plan);
}

#[test]
fn both_give_the_same_numbers_with_adapters_and_dropout() {
    let source = source(true);
    let lora = Some(support::lora(&source, 0.3));
    let plan = StepPlan { lora, trained: Trained::Adapters, ..support::plan(&source, WHOLE) };
    check("adapters", &plan);
    let mut plan = StepPlan { batch: BatchShape { accumulation: 2, rows: 2, ..WHOLE }, ..plan };
    plan.model.remat = products_kept();
    check("adapters, accumulation, products kept", &plan);
}

#[test]
fn a_checkpoint_of_one_goes_on_as_the_other() {
    let plan = support::plan(&source(false), WHOLE);
    let batches = batches();
    let mut through = trainer(&plan, LayerLoop::Unrolled);
    let mut before = trainer(&plan, LayerLoop::Unrolled);
    for trainer in [&mut through, &mut before] {
        trainer.step(&batches[0], 1, 1e-3, 0).unwrap();
    }
    let mut after = trainer(&plan, LayerLoop::Loop);
    let mut reader = before.reader();
    after.restore(|name, ranges| Ok(reader.read(name, DType::F32)?.into_part(ranges))).unwrap();
    assert_eq!(state(&after), state(&before), "restored bit for bit");
    let names: Vec<String> = before.state().into_iter().map(|spec| spec.name).collect();
    for name in
        ["model.layers.1.mlp.up_proj.weight", "model.layers.1.mlp.up_proj.weight.exp_avg_sq", "model.norm.weight"]
    {
        assert!(names.iter().any(|known| known == name), "{name} is not among {names:?}");
    }
    let (a, b) = (through.step(&batches[1], 2, 1e-3, 0).unwrap(), after.step(&batches[1], 2, 1e-3, 0).unwrap());
    assert!((a.loss - b.loss).abs() < 1e-5, "{a:?} {b:?}");
}
