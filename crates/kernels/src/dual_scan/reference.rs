//! The scan in graph operations, token by token.

use graph::{Axis, Graph, Remat, Tensor};

use super::DualScan;

/// Tokens between two states that are kept: the states of so many are in memory at once.
const SEGMENT: usize = 64;

impl DualScan {
    /// [`DualScan::forward`].
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [x, widths, rates, b, c] = [0, 1, 2, 3, 4].map(|place: usize| inputs[place]);
        let (h, documents) = match inputs[5..] {
            [documents, h] => (h, Some(documents)),
            _ => (inputs[5], None),
        };
        let segment = Axis::new("segment", self.positions.div_ceil(SEGMENT));
        let step = Axis::new("step", SEGMENT);
        let split = |x: Tensor<'g>, padding: f64| {
            let missing = segment.size * step.size - self.positions;
            let split = x.pad("position", 0, missing, padding).split("position", &[segment, step]);
            let rest = split.axes().into_iter().map(|axis| axis.name);
            let rest: Vec<_> = rest.filter(|name| !["segment", "step"].contains(name)).collect();
            split.transpose(&[&["segment", "step"], &rest[..]].concat())
        };
        let goes_on = documents.map(|documents| {
            let before = documents.pad("position", 1, 0, 0.0).slice("position", 0, self.positions);
            split(before.equals(documents).cast(h.dtype()), 1.0)
        });
        let stacked = [x, widths, b, c].map(|x| split(x.cast(h.dtype()), 0.0));
        let stacked: Vec<_> = stacked.into_iter().chain(goes_on).collect();
        let (last, y) = graph.scan(segment, &[h], &stacked, Remat::full(), |segment| {
            graph.scan(step, segment.carry, segment.slices, Remat::full(), |token| {
                let (h, y) = one_step(token.carry[0], rates, token.slices);
                (vec![h], vec![y])
            })
        });
        let y = y[0].transpose(&["batch", "segment", "step", "state_groups", "group_heads", "head_dim"]);
        let y = y.merge(&["segment", "step"], "position").slice("position", 0, self.positions);
        vec![y.cast(x.dtype()), last[0]]
    }

    /// [`DualScan::forward_and_backward`].
    pub(crate) fn backward_reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (inputs, cotangents) = inputs.split_at(self.arguments().len());
        let results = self.reference(graph, inputs);
        let [y, last] = [0, 1].map(|place: usize| (results[place] * cotangents[place]).sum_all());
        let wrt: Vec<_> = inputs.iter().copied().filter(|input| input.dtype().is_float()).collect();
        [results, graph.grad(y.cast(last.dtype()) + last, &wrt)].concat()
    }
}

/// The state behind a token, and the token's output (batch, state_groups, group_heads, head_dim).
fn one_step<'g>(h: Tensor<'g>, rates: Tensor<'g>, token: &[Tensor<'g>]) -> (Tensor<'g>, Tensor<'g>) {
    let axes = h.axes();
    let wide = |x: Tensor<'g>| x.broadcast(&axes);
    let [x, width, b, c] = [token[0], token[1], token[2], token[3]];
    let before = token.get(4).map_or(h, |goes_on| h * wide(*goes_on));
    let h = wide((width * rates).exp()) * before + wide(x * width) * wide(b);
    (h, (h * wide(c)).sum(&["state"]))
}
