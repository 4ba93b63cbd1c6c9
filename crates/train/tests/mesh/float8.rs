//! Products in 8-bit floats on a mesh: each tensor has one scale, whatever devices hold its parts.

use graph::Float8;
use mesh::Rules;
use models::{LayerLoop, Lora, LoraModule};
use train::{AdamW, Optimizer, StepPlan, Trained};

use crate::{ALONE, Sizes, batch, llama, on, plan, trainer};

/// With the optimizer of [`nearly_descent`] a gradient of 0.01 moves its weight by 0.005.
const RATE: f64 = 1e-2;

fn losses(plan: StepPlan) -> Vec<f64> {
    let shape = plan.batch;
    let mut trainer = trainer(plan);
    (1..=4u64).map(|number| trainer.step(&batch(shape, number as usize), number, RATE, 7).unwrap().loss).collect()
}

/// How far two curves are apart at most, relative to the second.
fn distance(found: &[f64], expected: &[f64]) -> f64 {
    let off = found.iter().zip(expected).map(|(found, expected)| (found / expected - 1.0).abs());
    off.max_by(f64::total_cmp).unwrap()
}

/// Sums in another order differ in their last bits, and what is rounded to 8 bits then may go the other way: by a 16th of that element, of the
/// thousands that a loss is made of.
const TOLERANCE: f64 = 1e-5;

/// The plan with an optimizer that makes little of little gradients, nearly as gradient descent: Adam itself moves a weight whose gradient went from 0 to the least number as far as
/// any other, and losses behind that are off by more than their sums are (1.7e-4 on some processors).
fn nearly_descent(plan: StepPlan) -> StepPlan {
    StepPlan {
        optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-2, weight_decay: 0.1 }),
        ..plan
    }
}

fn check(case: &str, plan: &StepPlan, meshes: &[Sizes]) -> Vec<f64> {
    let alone = losses(on(plan, &Rules::default(), ALONE));
    assert!(alone.iter().all(|loss| loss.is_finite()) && alone[0] != alone[1], "{case}: {alone:?}");
    for mesh in meshes {
        let found = losses(on(plan, &Rules::default(), *mesh));
        let off = distance(&found, &alone);
        println!("{case} on {mesh:?}: off by {off:.1e}");
        assert!(off <= TOLERANCE, "{case} on {mesh:?}: {found:?}, and {alone:?} alone");
    }
    alone
}

#[test]
fn all_weights() {
    let exact = nearly_descent(plan(&llama(), LayerLoop::Loop));
    let rounded = StepPlan { products: Some(Float8::Ocp), ..exact.clone() };
    let found = check("all", &rounded, &[(8, 1, 1), (1, 4, 2)]);
    let exact = losses(exact);
    // Rounded, and to few bits.
    let off = distance(&found, &exact);
    assert!(off > 1e-6 && off < 0.02, "{found:?}, and {exact:?} in f32");
}

/// Over a base that is held in 8 bits: stacked, and each layer by itself.
#[test]
fn adapters() {
    let exact = nearly_descent(plan(&llama(), LayerLoop::Loop));
    let linear = exact.model.linear_modules().unwrap();
    let lora = Some(Lora::of_each(&linear, LoraModule { rank: 4, scale: 2.0 }, 0.0));
    let exact = StepPlan { lora, trained: Trained::Adapters, ..exact };
    let rounded = StepPlan { products: Some(Float8::Ocp), ..exact.clone() };
    let stacked = check("adapters", &rounded, &[(1, 4, 2)]);
    let apart = check("adapters apart", &StepPlan { layers: LayerLoop::Unrolled, ..rounded }, &[(1, 8, 1)]);
    assert!(distance(&apart, &stacked) <= TOLERANCE, "{apart:?}, and {stacked:?} stacked");
    let off = distance(&stacked, &losses(exact));
    assert!(off > 1e-6 && off < 0.02, "off by {off}");
}
