//! Losses, from logits or from what the output layer gets.
//!
//! A step over 16,384 tokens and a vocabulary of 128,256 has 4.2 GB of logits in bf16, and their gradient takes as much: more than anything else that
//! it holds at once. [`Projection::by_chunks`] never has more of both than for a chunk of the tokens. In one loop over the chunks it computes logits,
//! what they add to the loss, and their gradient while they are there, from which follow the hidden states' gradient and a summand of the weight's
//! (as Liger Kernel does: Hsu et al. 2024). The backward pass multiplies both with the loss's cotangent, which is 1 in a training step.
//!
//! - No product is computed twice: for `n` tokens, a width of `d` and a vocabulary of `v` they are three of `2 n d v` FLOPs, as without chunks. To compute the
//!   logits again in the backward pass would be a fourth, a third more.
//! - What chunks cost is that the weight's gradient is read and written again for each: `8 v d` bytes in f32 beside the `6 c d v` FLOPs of a chunk of
//!   `c` tokens, so that `c` should be at least some times what a device computes while it moves a byte. Of a weight that is not trained there is no gradient.
//! - Chunks are of tokens and not of the vocabulary (Wijmans et al. 2024, "Cut Your Losses"): what a token's probabilities are divided with is known
//!   only behind the last part of the vocabulary, so that logits would be computed once for that and once more for the gradient.
//!
//! The gradients of logits are rounded to the type that is computed in, as without chunks, and are sums over the tokens in f32 from there on.

use graph::{Axis, DType, Remat, Tensor};

use crate::family::Head;
use crate::layers::{wide, wide_dot, widen};
use crate::part;

/// What is minimised, and how it is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossForm {
    /// What the squared logarithm of the softmax's denominator is multiplied with and added to each target token's cross-entropy, so that logits do
    /// not drift (Chowdhery et al. 2022, "PaLM", section 5: 1e-4). 0 for nothing.
    pub z_loss_multiplier: f64,
    /// How many logits there are at once.
    pub chunk: LossChunk,
}

/// For how many tokens of a device there are logits at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LossChunk {
    /// As many as have [`LossChunk::AUTO_BYTES`] of logits, but not fewer than [`LossChunk::AUTO_TOKENS`]; all where the sum of the weight's gradient would
    /// take as much as there is of logits less.
    #[default]
    Auto,
    /// At most so many, of one at the least.
    Tokens(usize),
}

impl LossChunk {
    /// Bytes of a chunk's logits.
    pub const AUTO_BYTES: usize = 512 << 20;
    /// Tokens for which the weight's gradient is worth being read and written, whatever their logits take.
    pub const AUTO_TOKENS: usize = 1024;

    /// For how many of `tokens` there are logits at once, in chunks that are as many for each but the last: `vocab` of them for each, of type `dtype`, from as
    /// many numbers as are `embed`.
    pub fn tokens(self, tokens: usize, [vocab, embed]: [usize; 2], dtype: DType) -> usize {
        let most = match self {
            LossChunk::Auto => (LossChunk::AUTO_BYTES / (vocab * dtype.size()).max(1)).max(LossChunk::AUTO_TOKENS),
            LossChunk::Tokens(most) => most.max(1),
        };
        let tokens = tokens.max(1);
        let least_chunks = tokens.div_ceil(most);
        // What does not divide is filled up, which copies it.
        let even = (least_chunks..2 * least_chunks).find(|chunks| tokens.is_multiple_of(*chunks));
        let rows = tokens.div_ceil(even.unwrap_or(least_chunks));
        // For each of the vocabulary: logits and their gradient, and the sum in f32.
        let (spared, taken) = (2 * (tokens - rows) * dtype.size(), embed * DType::F32.size());
        if self == LossChunk::Auto && spared <= taken { tokens } else { rows }
    }
}

/// Sums over target tokens, f32 at least, without axes.
#[derive(Clone, Copy)]
pub struct Losses<'g> {
    /// What is to be minimised: the cross-entropy, with what [`LossForm::z_loss_multiplier`] adds. The others have no derivative.
    pub objective: Tensor<'g>,
    /// Of the cross-entropy, in nats.
    pub cross_entropy: Tensor<'g>,
    /// Of the squared logarithm of the softmax's denominator.
    pub squared_log_z: Tensor<'g>,
}

/// The natural logarithm of the probability that `logits` (…, vocab) give to `targets` (…, i32): f32 over the axes of `targets`.
pub fn target_log_probabilities<'g>(logits: Tensor<'g>, targets: Tensor<'g>) -> Tensor<'g> {
    of_targets(logits, targets).0
}

/// That, and the logarithm of what exponentials of logits are divided with, f32 over the same axes.
fn of_targets<'g>(logits: Tensor<'g>, targets: Tensor<'g>) -> (Tensor<'g>, Tensor<'g>) {
    let vocab: Axis = logits.axis("vocab");
    let order: Vec<&'static str> = logits.axes().iter().map(|axis| axis.name).collect();
    // The derivative that follows from the forward pass would hold the probabilities besides the logits, and scatter into zeros.
    let results = logits.graph().custom_vjp(
        &[logits, targets],
        |inputs| {
            let (logits, targets) = (widen(inputs[0]), inputs[1]);
            let total = logits.log_sum_exp("vocab");
            let chosen = widen(inputs[0].take("vocab", targets));
            (vec![chosen - total, total], vec![inputs[0], targets, total])
        },
        |residuals, cts| {
            let (logits, targets, total) = (residuals[0], residuals[1], residuals[2]);
            let is_target = targets.equals(logits.graph().iota(vocab, DType::I32));
            let one_hot = is_target.cast(total.dtype());
            let probabilities = (widen(logits) - total).exp();
            let ct = one_hot * cts[0] - probabilities * (cts[0] - cts[1]);
            vec![Some(ct.cast(logits.dtype()).transpose(&order)), None]
        },
    );
    (results[0], results[1])
}

impl<'g> Losses<'g> {
    /// Of `logits` (…, vocab) for `targets` (…, i32), summed over the positions where `weights` (…, f32) is not 0, each by its weight. Divide by the sum of
    /// all weights of a step to get the mean over its target tokens, however the step is split.
    pub fn of(logits: Tensor<'g>, targets: Tensor<'g>, weights: Tensor<'g>, z_loss_multiplier: f64) -> Losses<'g> {
        let _named = logits.graph().named("loss", &[], Some(part::HEAD));
        let (log_probabilities, log_z) = of_targets(logits, targets);
        let weights = weights.cast(log_z.dtype());
        let is_target = weights.not_equals(0.0);
        // Where nothing is to be learned, a probability of 0 is no infinite loss.
        let sum = |each: Tensor<'g>| is_target.select(each * weights, 0.0).sum_all();
        let (cross_entropy, squared_log_z) = (-sum(log_probabilities), sum(log_z * log_z));
        let objective = match z_loss_multiplier == 0.0 {
            true => cross_entropy,
            false => cross_entropy + squared_log_z * z_loss_multiplier,
        };
        Losses::apart(objective, cross_entropy, squared_log_z)
    }

    fn apart(objective: Tensor<'g>, cross_entropy: Tensor<'g>, squared_log_z: Tensor<'g>) -> Losses<'g> {
        let [cross_entropy, squared_log_z] = [cross_entropy, squared_log_z].map(Tensor::stop_gradient);
        Losses { objective, cross_entropy, squared_log_z }
    }
}

/// The summed cross-entropy over the positions where `weights` (…, f32) is not 0. Divide by the sum of all weights of a step to get the
/// mean over its target tokens, however the step is split.
pub fn next_token_loss<'g>(logits: Tensor<'g>, targets: Tensor<'g>, weights: Tensor<'g>) -> Tensor<'g> {
    Losses::of(logits, targets, weights, 0.0).objective
}

/// An output layer without adapter, to whose logits nothing is added that would be of a position.
pub(crate) struct Projection<'g> {
    pub(crate) head: Head,
    /// (vocab, embed), in the type that it is held in.
    pub(crate) weight: Tensor<'g>,
}

impl<'g> Projection<'g> {
    /// The losses of `hidden` (batch, position, embed), for `targets` (batch, position; i32) by `weights` (batch, position; f32), with logits for one chunk of
    /// tokens at a time. The arithmetic is that of [`Losses::of`] but for the order of sums.
    ///
    /// On several devices each takes its own rows in chunks, with the whole weight: nothing is exchanged within the loop, and the weight's gradient
    /// is added up over the devices once, in f32 at least.
    pub(crate) fn by_chunks(
        self,
        hidden: Tensor<'g>,
        targets: Tensor<'g>,
        weights: Tensor<'g>,
        form: LossForm,
    ) -> Losses<'g> {
        let graph = hidden.graph();
        let compute = hidden.dtype();
        let Projection { head, weight } = self;
        let sums = graph.custom_vjp(
            &[hidden, targets, weights, weight],
            |inputs| {
                // A weight is narrowed where it is held.
                let own = [inputs[0], inputs[1], inputs[2], inputs[3].cast(compute)];
                let mut results = graph.per_shard(&["batch", "position"], &own, |own| chunk_sums(&head, own, form));
                let gradients = results.split_off(3);
                (results, gradients)
            },
            |gradients, cts| {
                let scaled = |gradient: Tensor<'g>, dtype| Some((widen(gradient) * cts[0]).cast(dtype));
                vec![scaled(gradients[0], compute), None, None, scaled(gradients[1], weight.dtype())]
            },
        );
        Losses::apart(sums[0], sums[1], sums[2])
    }
}

/// Of hidden states, targets, weights of positions and the output layer's weight: the three sums of [`Losses`]; the objective's gradients of the hidden
/// states, in their type, and of the weight, in f32 at least.
fn chunk_sums<'g>(head: &Head, own: &[Tensor<'g>], form: LossForm) -> Vec<Tensor<'g>> {
    let [hidden, targets, weights, weight] = own[..] else { unreachable!("four inputs") };
    let graph = hidden.graph();
    let (batch, position, vocab) = (hidden.axis("batch"), hidden.axis("position"), weight.axis("vocab"));
    let tokens = batch.size * position.size;
    let size = [vocab.size, hidden.axis("embed").size];
    let rows = Axis::new("token", form.chunk.tokens(tokens, size, hidden.dtype()));
    let chunks = Axis::new("chunks", tokens.div_ceil(rows.size));
    let filled = chunks.size * rows.size - tokens;
    let in_chunks = |x: Tensor<'g>| {
        let x = x.merge(&["batch", "position"], "token");
        let x = if filled == 0 { x } else { x.pad("token", 0, filled, 0.0) };
        x.split("token", &[chunks, rows])
    };
    let sum = wide(hidden.dtype());
    let zero = || graph.constant(0.0, sum);
    let carry = [zero(), zero(), zero(), graph.full(0.0, sum, &weight.axes())];
    let stacked = [hidden, targets, weights].map(in_chunks);
    let (sums, d_hidden) = graph.scan(chunks, &carry, &stacked, Remat::none(), |step| {
        let [hidden, targets, weights] = step.slices[..] else { unreachable!("the three that are stacked") };
        let product = hidden.dot(weight, &["embed"]);
        let losses = Losses::of(head.finish(product), targets, weights, form.z_loss_multiplier);
        let ct = graph.grad(losses.objective, &[product])[0];
        let _named = graph.named_backward();
        let d_weight = wide_dot(ct, hidden, &["token"]);
        let more = [losses.objective, losses.cross_entropy, losses.squared_log_z, d_weight];
        let next = step.carry.iter().zip(more).map(|(sum, more)| *sum + more).collect();
        (next, vec![ct.dot(weight, &["vocab"])])
    });
    let d_hidden = d_hidden[0].merge(&["chunks", "token"], "token").slice("token", 0, tokens);
    let d_hidden = d_hidden.split("token", &[batch, position]);
    [&sums[..3], &[d_hidden], &sums[3..]].concat()
}

#[cfg(test)]
mod tests;
