//! The few numbers that a step takes from the host and gives back: one small vector each way, because each transfer has its price
//! whatever its size.

use graph::{Axis, DType, Graph, HostTensor, Tensor};

use crate::optimizer::Optimizer;

/// What a step says of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOutcome {
    /// Mean loss over target tokens, in nats, before the update.
    pub loss: f64,
    /// Global norm of the gradient before clipping.
    pub grad_norm: f64,
    /// What z-loss adds to the loss that is minimised, as a mean over target tokens; 0 without z-loss.
    pub z_loss: f64,
    /// What the auxiliary loss of the model's routers adds to it; 0 where there is none.
    pub router_aux_loss: f64,
    /// Number of target tokens: the batch's, because beyond 2^24 an f32 does not count.
    pub target_tokens: u64,
}

/// The numbers that change from step to step, each without axes.
pub(super) struct StepScalars<'g> {
    /// The optimizer's, f32.
    pub(super) numbers: Vec<Tensor<'g>>,
    /// U32.
    pub(super) dropout_seed: Tensor<'g>,
}

/// The name of the argument.
pub(crate) const STEP_SCALARS: &str = "step_scalars";
const SCALARS: &str = "scalars";

impl<'g> StepScalars<'g> {
    /// Declares the argument: the bits of f32 numbers and the seed, all u32, because a seed's bits may not survive as an f32.
    pub(super) fn input(graph: &'g Graph, optimizer: &Optimizer) -> StepScalars<'g> {
        let count = optimizer.step_number_count();
        let all = graph.input(STEP_SCALARS, DType::U32, &[Axis::new(SCALARS, count + 1)]);
        let at = |i| all.slice(SCALARS, i, 1).sum(&[SCALARS]);
        let numbers = (0..count).map(|i| at(i).bitcast(DType::F32)).collect();
        StepScalars { numbers, dropout_seed: at(count) }
    }
}

/// The argument's values at step `number`, counted from 1. `seed` decides dropout together with the step.
pub(crate) fn step_scalars(optimizer: &Optimizer, number: u64, learning_rate: f64, seed: u64) -> HostTensor<'static> {
    let numbers = optimizer.step_numbers(number, learning_rate).into_iter().map(f32::to_bits);
    let values: Vec<u32> = numbers.chain([dropout_seed(seed, number)]).collect();
    HostTensor::from_vec(&[values.len()], values).expect("as many values as places")
}

/// A seed for each step, spread by a multiplier that is odd, so that no two steps within 2^32 share one.
fn dropout_seed(seed: u64, step: u64) -> u32 {
    (seed ^ (seed >> 32)) as u32 ^ (step as u32).wrapping_mul(0x9e37_79b9)
}

/// The result that [`StepOutcome::of`] reads: its numbers in their order.
pub(super) fn outcome(numbers: [Tensor<'_>; 4]) -> Tensor<'_> {
    let one = [Axis::new(SCALARS, 1)];
    Tensor::concat(&numbers.map(|scalar| scalar.cast(DType::F32).broadcast(&one)), SCALARS)
}

impl StepOutcome {
    /// The name of the result.
    pub(crate) const NAME: &'static str = "outcome";

    /// What a device says of a batch with so many target tokens.
    pub(crate) fn of(values: &HostTensor<'_>, target_tokens: u64) -> StepOutcome {
        match values.to_f32().iter().copied().map(f64::from).collect::<Vec<f64>>()[..] {
            [loss, grad_norm, z_loss, router_aux_loss] => {
                StepOutcome { loss, grad_norm, z_loss, router_aux_loss, target_tokens }
            }
            _ => unreachable!("an outcome is four numbers"),
        }
    }
}
