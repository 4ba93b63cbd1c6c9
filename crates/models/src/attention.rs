//! Grouped-query attention (Ainslie et al. 2023), with and without a cache of keys and values.

use graph::Tensor;

mod cudnn;
mod plain;

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

/// Which keys a query may see.
#[derive(Clone, Copy)]
pub(crate) enum Mask<'g> {
    /// Its own position and those before it.
    Causal,
    /// Those of its own document besides, by the document's number: i32 (batch, position).
    CausalWithin(Tensor<'g>),
    /// Where the Bool (batch, position, key_position) is true.
    Where(Tensor<'g>),
}

impl<'g> Mask<'g> {
    fn tensor(self) -> Option<Tensor<'g>> {
        match self {
            Mask::Causal => None,
            Mask::CausalWithin(tensor) | Mask::Where(tensor) => Some(tensor),
        }
    }

    /// The same kind of mask over another tensor.
    fn with_tensor(self, tensor: Option<&Tensor<'g>>) -> Mask<'g> {
        match (self, tensor) {
            (Mask::CausalWithin(_), Some(documents)) => Mask::CausalWithin(*documents),
            (Mask::Where(_), Some(visible)) => Mask::Where(*visible),
            (mask, _) => mask,
        }
    }
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
        (AttentionKernel::CudnnCausal | AttentionKernel::Plain, mask) => plain::attention(q, k, v, mask),
    }
}
