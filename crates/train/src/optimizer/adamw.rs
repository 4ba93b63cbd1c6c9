//! AdamW (Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization"), as torch computes it.

use graph::Tensor;

use super::State;

/// The settings of AdamW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Decay of parameters per unit of learning rate.
    pub weight_decay: f64,
}

impl AdamW {
    /// The first and second moment, as torch names them.
    pub(super) const SLOTS: [&'static str; 2] = ["exp_avg", "exp_avg_sq"];
    pub(super) const STEP_NUMBERS: usize = 3;

    /// The learning rate, the learning rate over the first moment's bias correction, and the root of the second moment's. In f32 powers of
    /// beta would drift.
    pub(super) fn step_numbers(&self, step: u64, learning_rate: f64) -> [f32; AdamW::STEP_NUMBERS] {
        let power = |beta: f64| 1.0 - beta.powf(step as f64);
        [learning_rate, learning_rate / power(self.beta1), power(self.beta2).sqrt()].map(|x| x as f32)
    }

    pub(super) fn update<'g>(
        &self,
        state: &State<'g>,
        grad: Tensor<'g>,
        numbers: &[Tensor<'g>],
        decays: bool,
    ) -> State<'g> {
        let ([first, second], [learning_rate, corrected, second_root]) = (&state.slots[..], numbers) else {
            unreachable!("AdamW is given its two moments and its three numbers");
        };
        let first = *first * self.beta1 + grad * (1.0 - self.beta1);
        let second = *second * self.beta2 + grad * grad * (1.0 - self.beta2);
        let kept = match decays && self.weight_decay != 0.0 {
            true => state.parameter * (-(*learning_rate * self.weight_decay) + 1.0),
            false => state.parameter,
        };
        let root = second.sqrt() / *second_root + self.epsilon;
        State { parameter: kept - *corrected * (first / root), slots: vec![first, second] }
    }
}
