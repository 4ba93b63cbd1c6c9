//! AdamW (Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization"), as torch computes it.

use graph::{DType, Graph, Tensor};

/// Settings that are part of the program.
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
    /// Gradients are scaled so that their global norm is at most this; `None` does not clip.
    pub max_grad_norm: Option<f64>,
}

/// How far an update goes, computed on the host in f64: f32 powers of beta drift.
#[derive(Clone, Copy)]
pub(crate) struct StepSize<'g> {
    /// Learning rate.
    learning_rate: Tensor<'g>,
    /// Learning rate over the first moment's bias correction.
    corrected: Tensor<'g>,
    /// Root of the second moment's bias correction.
    second_root: Tensor<'g>,
}

impl AdamW {
    /// The values of a [`StepSize`]. `step` counts updates from 1.
    pub(crate) fn step_size(&self, step: u64, learning_rate: f64) -> [f32; StepSize::COUNT] {
        let power = |beta: f64| 1.0 - beta.powf(step as f64);
        [learning_rate, learning_rate / power(self.beta1), power(self.beta2).sqrt()].map(|x| x as f32)
    }

    /// One update: the new parameter, first and second moment.
    pub(crate) fn update<'g>(&self, state: State<'g>, grad: Tensor<'g>, size: StepSize<'g>, decays: bool) -> State<'g> {
        let first = state.first * self.beta1 + grad * (1.0 - self.beta1);
        let second = state.second * self.beta2 + grad * grad * (1.0 - self.beta2);
        let kept = match decays && self.weight_decay != 0.0 {
            true => state.parameter * (-(size.learning_rate * self.weight_decay) + 1.0),
            false => state.parameter,
        };
        let root = second.sqrt() / size.second_root + self.epsilon;
        State { parameter: kept - size.corrected * (first / root), first, second }
    }

    /// Scales `grads` down to the largest global norm allowed; gives the norm before, too.
    pub(crate) fn clip<'g>(&self, graph: &'g Graph, grads: &[Tensor<'g>]) -> (Vec<Tensor<'g>>, Tensor<'g>) {
        let squares = grads.iter().map(|grad| (*grad * *grad).sum_all());
        let norm = squares.reduce(|sum, square| sum + square).unwrap_or(graph.constant(0.0, DType::F32)).sqrt();
        let Some(largest) = self.max_grad_norm else {
            return (grads.to_vec(), norm);
        };
        // The small addend is torch's.
        let scale = (graph.constant(largest, DType::F32) / (norm + 1e-6)).minimum(1.0);
        (grads.iter().map(|grad| *grad * scale).collect(), norm)
    }
}

impl<'g> StepSize<'g> {
    /// How many numbers it is.
    pub(crate) const COUNT: usize = 3;

    /// The numbers that [`AdamW::step_size`] gives, f32 without axes.
    pub(crate) fn of([learning_rate, corrected, second_root]: [Tensor<'g>; StepSize::COUNT]) -> StepSize<'g> {
        StepSize { learning_rate, corrected, second_root }
    }
}

/// A trained parameter and its moments, f32.
#[derive(Clone, Copy)]
pub(crate) struct State<'g> {
    pub(crate) parameter: Tensor<'g>,
    pub(crate) first: Tensor<'g>,
    pub(crate) second: Tensor<'g>,
}

#[cfg(test)]
mod tests;
