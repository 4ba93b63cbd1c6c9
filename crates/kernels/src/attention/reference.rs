//! Attention in graph operations, with all scores at once.

use graph::{DType, Graph, Tensor};

use super::{Attention, Biases};

impl Attention {
    /// [`Attention::run`].
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [q, k, v] = [inputs[0], inputs[1], inputs[2]].map(wide);
        let documents = self.documents.then(|| inputs[inputs.len() - 1]);
        let (queries, keys) =
            (graph.iota(self.axis("position"), DType::I32), graph.iota(self.axis("key_position"), DType::I32));
        let mut scores = q.dot(k, &["head_dim"]) * self.scale;
        if let Some(cap) = self.softcap {
            scores = (scores * (1.0 / cap)).tanh() * cap;
        }
        if let Some(biases) = self.biases {
            let starts = documents.map(starts);
            scores = scores
                + biases.reference(inputs[3], [queries, keys], starts).cast(scores.dtype()).broadcast(&scores.axes());
        }
        let mut sees = (queries - keys).less(self.window.unwrap_or(self.positions) as f64);
        if self.causal {
            sees = sees.and(queries.greater_equal(keys));
        }
        if let Some(documents) = documents {
            let of_keys = documents.rename("position", "key_position");
            sees = sees.and(documents.equals(of_keys)).and(documents.greater(0.0));
        }
        let hidden = sees.select(scores, -1e30);
        let largest = hidden.max(&["key_position"]).stop_gradient();
        let weights = sees.select((hidden - largest).exp(), 0.0);
        let total = weights.sum(&["key_position"]);
        let sees_some = total.greater(0.0);
        let out = weights.dot(v, &["key_position"]) / sees_some.select(total, 1.0);
        let rows = sees_some.select(sees_some.select(total, 1.0).log() + largest, 0.0);
        let rows = rows.transpose(&["batch", "kv_heads", "groups", "position"]);
        vec![out.transpose(&["batch", "position", "kv_heads", "groups", "head_dim"]).cast(inputs[0].dtype()), rows]
    }

    /// [`Attention::run_gradient`]: the derivative of the sum of the result times its cotangent.
    pub(crate) fn gradient_reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (ct, inputs) = inputs.split_last().expect("the cotangent is the last argument");
        let out = self.reference(graph, inputs)[0];
        graph.grad((wide(out) * wide(*ct)).sum_all(), &inputs[..3])
    }
}

impl Biases {
    fn reference<'g>(
        self,
        slopes: Tensor<'g>,
        [queries, keys]: [Tensor<'g>; 2],
        starts: Option<Tensor<'g>>,
    ) -> Tensor<'g> {
        match self {
            Biases::Exact => (keys - queries).cast(slopes.dtype()) * slopes,
            Biases::InBf16 { scale } => {
                let in_bf16 = |x: Tensor<'g>| x.cast(DType::BF16).cast(DType::F32);
                let slopes = in_bf16(slopes);
                let own = |at: Tensor<'g>, starts: Option<Tensor<'g>>| {
                    let at = starts.map_or(at, |starts| at - starts);
                    in_bf16(slopes * in_bf16(at.cast(DType::F32)))
                };
                let of_keys = starts.map(|starts| starts.rename("position", "key_position"));
                (own(keys, of_keys) - own(queries, starts)) * scale
            }
        }
    }
}

/// The place in its row of each token's document's first: how many tokens belong to documents of lower numbers.
fn starts(documents: Tensor<'_>) -> Tensor<'_> {
    let others = documents.rename("position", "other");
    others.greater(0.0).and(others.less(documents)).cast(DType::I32).sum(&["other"])
}

fn wide(x: Tensor<'_>) -> Tensor<'_> {
    if x.dtype() == DType::F64 { x } else { x.cast(DType::F32) }
}
