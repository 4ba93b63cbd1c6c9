//! Losses.

use graph::{Axis, DType, Tensor};

use crate::layers::widen;

/// The natural logarithm of the probability that `logits` (…, vocab) give to `targets` (…, i32): f32 over the axes of `targets`.
pub fn target_log_probabilities<'g>(logits: Tensor<'g>, targets: Tensor<'g>) -> Tensor<'g> {
    let wide = widen(logits);
    let vocab: Axis = wide.axis("vocab");
    // Comparing with a counter fuses with the reductions around it, where a gather would read the logits once more.
    let is_target = targets.equals(logits.graph().iota(vocab, DType::I32));
    let chosen = is_target.select(wide, 0.0).sum(&["vocab"]);
    chosen - wide.log_sum_exp("vocab")
}

/// The summed cross-entropy over the positions where `weights` (…, f32) is not 0. Divide by the sum of all weights of a step to get the
/// mean over its target tokens, however the step is split.
pub fn next_token_loss<'g>(logits: Tensor<'g>, targets: Tensor<'g>, weights: Tensor<'g>) -> Tensor<'g> {
    let log_probabilities = target_log_probabilities(logits, targets);
    -(log_probabilities * weights.cast(log_probabilities.dtype())).sum_all()
}
