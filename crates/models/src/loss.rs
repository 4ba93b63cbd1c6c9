//! Losses.

use graph::{Axis, DType, Tensor};

use crate::layers::widen;
use crate::part;

/// The natural logarithm of the probability that `logits` (…, vocab) give to `targets` (…, i32): f32 over the axes of `targets`.
pub fn target_log_probabilities<'g>(logits: Tensor<'g>, targets: Tensor<'g>) -> Tensor<'g> {
    let vocab: Axis = logits.axis("vocab");
    let order: Vec<&'static str> = logits.axes().iter().map(|axis| axis.name).collect();
    // The derivative that follows from the forward pass would hold the probabilities besides the logits, and scatter into zeros.
    let result = logits.graph().custom_vjp(
        &[logits, targets],
        |inputs| {
            let (logits, targets) = (widen(inputs[0]), inputs[1]);
            let total = logits.log_sum_exp("vocab");
            let chosen = widen(inputs[0].take("vocab", targets));
            (vec![chosen - total], vec![inputs[0], targets, total])
        },
        |residuals, cts| {
            let (logits, targets, total) = (residuals[0], residuals[1], residuals[2]);
            let is_target = targets.equals(logits.graph().iota(vocab, DType::I32));
            let one_hot = is_target.cast(total.dtype());
            let ct = (one_hot - (widen(logits) - total).exp()) * cts[0];
            vec![Some(ct.cast(logits.dtype()).transpose(&order)), None]
        },
    );
    result[0]
}

/// The summed cross-entropy over the positions where `weights` (…, f32) is not 0. Divide by the sum of all weights of a step to get the
/// mean over its target tokens, however the step is split.
pub fn next_token_loss<'g>(logits: Tensor<'g>, targets: Tensor<'g>, weights: Tensor<'g>) -> Tensor<'g> {
    let _named = logits.graph().named("loss", &[], Some(part::HEAD));
    let log_probabilities = target_log_probabilities(logits, targets);
    -(log_probabilities * weights.cast(log_probabilities.dtype())).sum_all()
}
