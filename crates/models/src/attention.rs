//! Grouped-query attention (Ainslie et al. 2023), with and without a cache of keys and values.

use graph::{Axis, DType, Tensor};

use crate::layers::widen;

mod cudnn;

pub use cudnn::cudnn_supports;

/// Which implementation of attention a program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttentionKernel {
    /// Graph ops: any backend, any mask; memory grows with the square of the length.
    Plain,
    /// cuDNN's fused attention: NVIDIA, bf16 or f16, purely causal.
    CudnnCausal,
}

/// Keys and values of positions seen before: (layers, batch, kv_heads, key_position, head_dim) each.
#[derive(Clone, Copy, Debug)]
pub struct KvCache<'g> {
    /// Keys, rotated.
    pub keys: Tensor<'g>,
    /// Values.
    pub values: Tensor<'g>,
}

/// What a query may look at.
#[derive(Clone, Copy)]
pub(crate) enum Mask<'g> {
    /// Itself and the positions before it.
    Causal,
    /// Where the Bool (batch, position, key_position) is true.
    Where(Tensor<'g>),
}

/// Attends with `q` (batch, position, kv_heads, groups, head_dim) to `k` and `v` (batch, key_position, kv_heads, head_dim, in any
/// order). Result: axes of `q` in its order.
pub(crate) fn attention<'g>(
    kernel: AttentionKernel,
    q: Tensor<'g>,
    k: Tensor<'g>,
    v: Tensor<'g>,
    mask: Mask<'g>,
) -> Tensor<'g> {
    match (kernel, mask) {
        (AttentionKernel::CudnnCausal, Mask::Causal) => cudnn::attention(q, k, v),
        (AttentionKernel::CudnnCausal, Mask::Where(mask)) => plain(q, k, v, mask),
        (AttentionKernel::Plain, Mask::Where(mask)) => plain(q, k, v, mask),
        (AttentionKernel::Plain, Mask::Causal) => plain(q, k, v, causal(q.axis("position"), k.axis("key_position"), q)),
    }
}

/// Bool (position, key_position): whether the key is not after the query.
pub(crate) fn causal<'g>(queries: Axis, keys: Axis, like: Tensor<'g>) -> Tensor<'g> {
    let graph = like.graph();
    graph.iota(queries, DType::I32).greater_equal(graph.iota(keys, DType::I32))
}

fn plain<'g>(q: Tensor<'g>, k: Tensor<'g>, v: Tensor<'g>, mask: Tensor<'g>) -> Tensor<'g> {
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    // With the batch axes first and a key head's queries side by side, forward and backward are plain batches of matrix products. In
    // any other order XLA's CPU compiler transposes the scores, which are by far the largest tensors here.
    let q = q.transpose(&["batch", "kv_heads", "position", "groups", "head_dim"]);
    let [k, v] = [k, v].map(|x| x.transpose(&["batch", "kv_heads", "key_position", "head_dim"]));
    let scale = 1.0 / (q.axis("head_dim").size as f64).sqrt();
    let scores = widen((q * scale).dot(k, &["head_dim"]));
    let weights =
        mask.select(scores, scores.graph().constant(f64::NEG_INFINITY, scores.dtype())).softmax("key_position");
    weights.cast(q.dtype()).dot(v, &["key_position"]).checkpoint_name("attention").transpose(&order)
}
