//! Recurrences in graph operations, token by token: what kernels of scans are compared with.

use graph::{Axis, Remat, Tensor};

/// A recurrence over the tokens of rows, in segments: the states of one segment's tokens are in memory at once, in the backward pass too.
pub(crate) struct TokenByToken {
    positions: usize,
    segment: Axis,
    step: Axis,
}

/// What a recurrence gives.
pub(crate) struct Scanned<'g> {
    /// The outputs (batch, position, …).
    pub(crate) y: Tensor<'g>,
    /// The state behind the last token.
    pub(crate) last: Tensor<'g>,
    /// The states before each segment's first token (batch, segment, …).
    pub(crate) before: Tensor<'g>,
}

impl TokenByToken {
    /// Over rows of `positions` tokens, so many of them in a segment.
    pub(crate) fn new(positions: usize, tokens: usize) -> TokenByToken {
        let segment = Axis::new("segment", positions.div_ceil(tokens));
        TokenByToken { positions, segment, step: Axis::new("step", tokens) }
    }

    /// From the state `h` (batch, …): `one` gives the state behind a token and its output, of the state before it and what the token has of the
    /// `inputs` (batch, position, …), in the type of `h`; and behind those, where rows hold `documents`, i32 (batch, position), whether the token goes on
    /// with the document of the one before it, as 1 or 0.
    pub(crate) fn scan<'g>(
        &self,
        h: Tensor<'g>,
        inputs: &[Tensor<'g>],
        documents: Option<Tensor<'g>>,
        one: impl Fn(Tensor<'g>, &[Tensor<'g>]) -> (Tensor<'g>, Tensor<'g>),
    ) -> Scanned<'g> {
        let goes_on = documents.map(|documents| {
            let before = documents.pad("position", 1, 0, 0.0).slice("position", 0, self.positions);
            self.split(before.equals(documents).cast(h.dtype()), 1.0)
        });
        let stacked = inputs.iter().map(|x| self.split(x.cast(h.dtype()), 0.0));
        let stacked: Vec<_> = stacked.chain(goes_on).collect();
        let (last, results) = h.graph().scan(self.segment, &[h], &stacked, Remat::full(), |segment| {
            let (h, y) = h.graph().scan(self.step, segment.carry, segment.slices, Remat::full(), |token| {
                let (h, y) = one(token.carry[0], token.slices);
                (vec![h], vec![y])
            });
            (h, vec![y[0], segment.carry[0]])
        });
        let y = first(results[0], &["batch", "segment", "step"]).merge(&["segment", "step"], "position");
        Scanned {
            y: y.slice("position", 0, self.positions),
            last: last[0],
            before: first(results[1], &["batch", "segment"]),
        }
    }

    /// (segment, step, …), behind the last token filled up with `padding`.
    fn split<'g>(&self, x: Tensor<'g>, padding: f64) -> Tensor<'g> {
        let missing = self.segment.size * self.step.size - self.positions;
        let split = x.pad("position", 0, missing, padding).split("position", &[self.segment, self.step]);
        first(split, &["segment", "step"])
    }
}

/// With these axes in front of the others.
fn first<'g>(x: Tensor<'g>, axes: &[&'static str]) -> Tensor<'g> {
    let others = x.axes().into_iter().map(|axis| axis.name).filter(|name| !axes.contains(name));
    x.transpose(&axes.iter().copied().chain(others).collect::<Vec<_>>())
}
