//! The scan of Mamba-2 in its dual form (Dao and Gu 2024, section 6): in a chunk of tokens as attention without softmax whose scores
//! decay, between chunks as a recurrence. A decay is the same for all channels and states of a head, which makes everything products of
//! matrices.
//!
//! Axes: `state_groups` (heads that share B and C) and `group_heads` (the heads of such a group), `step` (of a chunk), and `at` for the
//! step that looks back.

use graph::{DType, Remat, Tensor};

use super::{Chunks, fused};
use crate::Gpu;
use crate::layers::widen;

/// What the scan is over. Widths and rates are f32 at least.
#[derive(Clone, Copy)]
pub(crate) struct Dual<'g> {
    /// Inputs (batch, position, state_groups, group_heads, head_dim).
    pub(crate) x: Tensor<'g>,
    /// Widths of the steps (batch, position, state_groups, group_heads).
    pub(crate) widths: Tensor<'g>,
    /// With which rate a head's states decay (state_groups, group_heads).
    pub(crate) rates: Tensor<'g>,
    /// B (batch, position, state_groups, state).
    pub(crate) b: Tensor<'g>,
    /// C (batch, position, state_groups, state).
    pub(crate) c: Tensor<'g>,
    /// The number of each token's document, i32 (batch, position); `None`: of one document.
    pub(crate) segments: Option<Tensor<'g>>,
}

impl<'g> Dual<'g> {
    /// From `h`, the state (batch, state_groups, group_heads, head_dim, state) before the first token: `h = exp(width * rate) h +
    /// width * x B`, `y = C h`, with 0 for `h` before the first token of a document. Gives y (axes of `x`) and the last state. `most` is
    /// the greatest length of a chunk, which changes no number.
    ///
    /// Of what is as large as the length times a chunk's length only one chunk's part is there at a time, in the backward pass too.
    ///
    /// Rows and heads know nothing of each other, so that devices which have parts of them exchange nothing at a chunk.
    ///
    /// By the kernels for `gpu`, where they take it: then y has the type of x, else it is f32 at least.
    pub(crate) fn scan(&self, h: Tensor<'g>, most: usize, gpu: Option<Gpu>) -> (Tensor<'g>, Tensor<'g>) {
        let (state, documents) = (self.b.axis("state").size, self.segments.is_some());
        if let Some(scan) = gpu.and_then(|gpu| fused::dual_scan(gpu, self.x, state, documents)) {
            let inputs = [self.x, self.widths, self.rates, self.b, self.c].into_iter().chain(self.segments);
            let inputs: Vec<_> = inputs.chain([h]).collect();
            let [y, last] = fused::scan_dual(h.graph(), scan, &inputs);
            return (y, last);
        }
        let [x, b, c] = [self.x, self.b, self.c].map(widen);
        let inputs = [x, self.widths, self.rates, b, c, h].into_iter().chain(self.segments);
        let inputs: Vec<_> = inputs.collect();
        let results = h.graph().apart(&["batch", "state_groups", "group_heads"], &inputs, |own| {
            let [x, widths, rates, b, c, h] = [0, 1, 2, 3, 4, 5].map(|place: usize| own[place]);
            let (y, h) = Dual { x, widths, rates, b, c, segments: own.get(6).copied() }.scan_own(h, most);
            vec![y, h]
        });
        (results[0], results[1])
    }

    /// The scan of what one device has.
    fn scan_own(&self, h: Tensor<'g>, most: usize) -> (Tensor<'g>, Tensor<'g>) {
        let graph = h.graph();
        let chunks = Chunks::of(self.x.axis("position").size, most);
        let documents = self.segments.map(|segments| {
            // Of the token before each chunk, and of the chunk's own tokens.
            let before = segments.pad("position", 1, 0, 0.0).slice("position", 0, chunks.positions);
            let entering = chunks.split(before, &["chunk"]).slice("step", 0, 1).sum(&["step"]);
            [entering, chunks.split(segments, &["chunk"])]
        });
        let decays = self.widths * self.rates;
        let inputs = self.x * self.widths;
        let stacked: Vec<_> = [inputs, decays, self.b, self.c]
            .into_iter()
            .map(|stacked| chunks.split(stacked, &["chunk"]))
            .chain(documents.into_iter().flatten())
            .collect();
        let (h, y) = graph.scan(chunks.chunk, &[h], &stacked, Remat::full(), |chunk| {
            let [inputs, decays, b, c] = [chunk.slices[0], chunk.slices[1], chunk.slices[2], chunk.slices[3]];
            let decays = Decays::of(decays, chunk.slices.get(4..6));
            let (h, y) = one_chunk(chunk.carry[0], inputs, &decays, b, c);
            (vec![h], vec![y])
        });
        (chunks.join(y[0]), h[0])
    }
}

/// By which factor, at most 1, what is seen has decayed in a chunk; 0 if it is of another document. All (batch, state_groups,
/// group_heads, …).
struct Decays<'g> {
    /// From a `step` to the step `at` which it is seen.
    within: Tensor<'g>,
    /// From before the chunk to the step `at`.
    from_before: Tensor<'g>,
    /// From a `step` to behind the chunk.
    to_behind: Tensor<'g>,
    /// From before the chunk to behind it.
    through: Tensor<'g>,
}

impl<'g> Decays<'g> {
    /// From their logarithms at each `step`, of which a product of factors is the exponential of a sum: none is divided by. `documents`:
    /// that of the token before the chunk (batch) and those of the chunk's (batch, step).
    fn of(logs: Tensor<'g>, documents: Option<&[Tensor<'g>]>) -> Decays<'g> {
        let graph = logs.graph();
        let steps = logs.axis("step");
        let iota = |name| graph.iota(steps.named(name), DType::I32);
        let mut is_seen = iota("at").greater_equal(iota("step"));
        let is_summed = is_seen.cast(logs.dtype());
        // The logarithm of the decay from before the chunk to each step.
        let sums = logs.dot(is_summed, &["step"]);
        let total = logs.sum(&["step"]);
        let here = sums.rename("at", "step");
        let mut decays = Decays { within: sums - here, from_before: sums, to_behind: total - here, through: total };
        if let Some([entering, documents]) = documents {
            let last = documents.slice("step", steps.size - 1, 1).sum(&["step"]);
            let seen_from = documents.rename("step", "at");
            is_seen = is_seen.and(seen_from.equals(*documents));
            decays.from_before = only_if(seen_from.equals(*entering), decays.from_before);
            decays.to_behind = only_if(documents.equals(last), decays.to_behind);
            decays.through = only_if(last.equals(*entering), decays.through);
        }
        // Before the exponential, which would be infinite for what is not seen.
        decays.within = only_if(is_seen, decays.within);
        let Decays { within, from_before, to_behind, through } = decays;
        Decays {
            within: within.exp(),
            from_before: from_before.exp(),
            to_behind: to_behind.exp(),
            through: through.exp(),
        }
    }
}

/// The logarithm of a decay, that of 0 where `condition` is false.
fn only_if<'g>(condition: Tensor<'g>, log: Tensor<'g>) -> Tensor<'g> {
    condition.select(log, f64::NEG_INFINITY)
}

/// The state behind a chunk, and the outputs of its steps (axes of `inputs`).
fn one_chunk<'g>(
    h: Tensor<'g>,
    inputs: Tensor<'g>,
    decays: &Decays<'g>,
    b: Tensor<'g>,
    c: Tensor<'g>,
) -> (Tensor<'g>, Tensor<'g>) {
    let c = c.rename("step", "at");
    let scores = c.dot(b, &["state"]) * decays.within;
    let within = scores.dot(inputs, &["step"]);
    let from_before = c.dot(h, &["state"]) * decays.from_before;
    let added = (inputs * decays.to_behind).dot(b, &["step"]);
    let y = (within + from_before).rename("at", "step");
    (h * decays.through + added, y.broadcast(&inputs.axes()))
}
