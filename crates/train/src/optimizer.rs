//! Optimizers: how a gradient changes a parameter, and what is remembered of gradients before.

use graph::Tensor;

mod adamw;
mod clip;

pub use adamw::AdamW;
pub(crate) use clip::clip;

/// An update rule with its settings, which are part of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Optimizer {
    /// AdamW.
    AdamW(AdamW),
}

/// A parameter and what the optimizer remembers of it, in the order of [`Optimizer::slots`]; all f32.
pub(crate) struct State<'g> {
    pub(crate) parameter: Tensor<'g>,
    pub(crate) slots: Vec<Tensor<'g>>,
}

impl<'g> State<'g> {
    /// The parameter, then the slots.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = Tensor<'g>> {
        std::iter::once(self.parameter).chain(self.slots.iter().copied())
    }
}

impl Optimizer {
    /// What it remembers of each parameter: tensors of the parameter's shape, f32, that begin as zeros. In checkpoints their names are
    /// these behind the parameter's and a dot.
    pub fn slots(&self) -> &'static [&'static str] {
        match self {
            Optimizer::AdamW(_) => &AdamW::SLOTS,
        }
    }

    /// The numbers that change from step to step, computed on the host in f64. `step` counts updates from 1.
    pub(crate) fn step_numbers(&self, step: u64, learning_rate: f64) -> Vec<f32> {
        match self {
            Optimizer::AdamW(adamw) => adamw.step_numbers(step, learning_rate).to_vec(),
        }
    }

    /// How many [`Optimizer::step_numbers`] there are.
    pub(crate) fn step_number_count(&self) -> usize {
        match self {
            Optimizer::AdamW(_) => AdamW::STEP_NUMBERS,
        }
    }

    /// One update. `numbers` are the step's, f32 without axes; `decays` tells whether weight decay is for this parameter.
    pub(crate) fn update<'g>(
        &self,
        state: &State<'g>,
        grad: Tensor<'g>,
        numbers: &[Tensor<'g>],
        decays: bool,
    ) -> State<'g> {
        match self {
            Optimizer::AdamW(adamw) => adamw.update(state, grad, numbers, decays),
        }
    }
}

#[cfg(test)]
mod tests;
