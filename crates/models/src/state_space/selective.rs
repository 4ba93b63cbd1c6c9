//! The selective scan of Mamba (Gu and Dao 2023, section 3.3): each channel has a decay of its own for each of its states.
//!
//! All states of all tokens would be `state` times as large as everything else. So only the state between chunks is kept; the backward
//! pass computes a chunk's again when it comes to it, and they are gone when it goes on.

use graph::{Remat, Tensor};

use super::{Chunks, fused};
use crate::Gpu;
use crate::layers::widen;

/// Tokens of a chunk. The states in a chunk and those between chunks are in memory at once: few of either where it is about the root of
/// the length.
const CHUNK: usize = 32;

/// What the scan is over. All f32 at least, but for x.
#[derive(Clone, Copy)]
pub(crate) struct Selective<'g> {
    /// Inputs (batch, position, inner).
    pub(crate) x: Tensor<'g>,
    /// Widths of the steps (batch, position, inner).
    pub(crate) widths: Tensor<'g>,
    /// With which rate states decay (inner, state).
    pub(crate) rates: Tensor<'g>,
    /// B (batch, position, state).
    pub(crate) b: Tensor<'g>,
    /// C (batch, position, state).
    pub(crate) c: Tensor<'g>,
    /// The number of each token's document, i32 (batch, position); `None`: of one document.
    pub(crate) segments: Option<Tensor<'g>>,
}

impl<'g> Selective<'g> {
    /// From `h`, the state (batch, state, inner) before the first token, with `h` for the state of a document's first token 0:
    /// `h = exp(width * rate) h + width * x B`, `y = C h`. Gives y (batch, position, inner) and the last state.
    ///
    /// Rows and channels know nothing of each other, so that devices which have parts of them exchange nothing at a step.
    ///
    /// By the kernels for `gpu`, where they take it: then y has the type of x.
    pub(crate) fn scan(&self, h: Tensor<'g>, gpu: Option<Gpu>) -> (Tensor<'g>, Tensor<'g>) {
        let (state, documents) = (self.b.axis("state").size, self.segments.is_some());
        if let Some(scan) = gpu.and_then(|gpu| fused::selective_scan(gpu, self.x, state, documents)) {
            let order = ["batch", "inner", "state"];
            let inputs = [self.x, self.widths, self.rates, self.b, self.c].into_iter().chain(self.segments);
            let inputs: Vec<_> = inputs.chain([h.transpose(&order)]).collect();
            let [y, last] = fused::scan(h.graph(), scan, &inputs);
            return (y, last.transpose(&["batch", "state", "inner"]));
        }
        let inputs = [widen(self.x), self.widths, self.rates, self.b, self.c, h].into_iter().chain(self.segments);
        let inputs: Vec<_> = inputs.collect();
        let results = h.graph().apart(&["batch", "inner"], &inputs, |own| {
            let [x, widths, rates, b, c, h] = [0, 1, 2, 3, 4, 5].map(|place: usize| own[place]);
            let (y, h) = Selective { x, widths, rates, b, c, segments: own.get(6).copied() }.scan_own(h);
            vec![y, h]
        });
        (results[0], results[1])
    }

    /// The scan of what one device has.
    fn scan_own(&self, h: Tensor<'g>) -> (Tensor<'g>, Tensor<'g>) {
        let graph = h.graph();
        let chunks = Chunks::of(self.x.axis("position").size, CHUNK);
        let goes_on = self.segments.map(|segments| {
            let before = segments.pad("position", 1, 0, 0.0).slice("position", 0, chunks.positions);
            before.equals(segments).cast(h.dtype())
        });
        let stacked: Vec<_> = [self.x, self.widths, self.b, self.c]
            .into_iter()
            .chain(goes_on)
            .map(|stacked| chunks.split(stacked, &["chunk", "step"]))
            .collect();
        // The inner axis last, so that elements that lie side by side are treated alike.
        let rates = self.rates.transpose(&["state", "inner"]);
        let (h, y) = graph.scan(chunks.chunk, &[h], &stacked, Remat::full(), |chunk| {
            graph.scan(chunks.step, chunk.carry, chunk.slices, Remat::full(), |step| {
                let (h, y) = one_step(step.carry[0], rates, step.slices);
                (vec![h], vec![y])
            })
        });
        (chunks.join(y[0]), h[0])
    }
}

/// The state behind a token, and the token's output (batch, inner).
fn one_step<'g>(h: Tensor<'g>, rates: Tensor<'g>, token: &[Tensor<'g>]) -> (Tensor<'g>, Tensor<'g>) {
    let axes = h.axes();
    let wide = |x: Tensor<'g>| x.broadcast(&axes);
    let [x, width, b, c] = [token[0], token[1], token[2], token[3]];
    let before = token.get(4).map_or(h, |goes_on| h * wide(*goes_on));
    let h = (wide(width) * wide(rates)).exp() * before + wide(width * x) * wide(b);
    (h, (h * wide(c)).sum(&["state"]))
}
