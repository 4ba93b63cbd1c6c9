//! The scan in graph operations, token by token.

use graph::{Graph, Tensor};

use super::DualScan;
use crate::token_by_token::TokenByToken;

/// Tokens between two states that are kept: the states of so many are in memory at once.
const SEGMENT: usize = 64;

impl DualScan {
    /// [`DualScan::forward`].
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [x, widths, rates, b, c] = [0, 1, 2, 3, 4].map(|place: usize| inputs[place]);
        let (h, documents) = match inputs[5..] {
            [documents, h] => (h, Some(documents)),
            _ => (inputs[5], None),
        };
        let scan = TokenByToken::new(self.positions, SEGMENT);
        let scanned = scan.scan(h, &[x, widths, b, c], documents, |h, token| one_step(h, rates, token));
        vec![scanned.y.cast(x.dtype()), scanned.last]
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
