//! Grouped-query attention (Ainslie et al. 2023), with and without a cache of keys and values.

use graph::Tensor;

mod cudnn;
mod documents;
mod plain;

pub use cudnn::cudnn_supports;
pub(crate) use documents::{Documents, TokenWidths};
pub use documents::{DocumentsError, check_documents};

/// Which implementation of attention a program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttentionKernel {
    /// Graph ops: any backend, any mask; memory grows with the square of the length.
    Plain,
    /// cuDNN's fused attention: NVIDIA, bf16 or f16, one document a row. Packed rows are for
    /// [`AttentionKernel::CudnnPacked`], or [`AttentionKernel::Plain`].
    CudnnCausal,
    /// cuDNN's fused attention over the documents of packed rows, which costs nothing between documents.
    CudnnPacked {
        /// The most documents that a row holds; [`check_documents`] tells whether a batch keeps to it.
        documents: usize,
    },
}

/// The name, for a rematerialisation policy, of what the backward pass needs of attention's results.
pub(crate) const ATTENTION: &str = "attention";

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
    /// Its own position and those before it in the same document.
    CausalWithin {
        /// Each token's document by number, i32 (batch, position).
        segments: Tensor<'g>,
        /// The same as cuDNN wants it, if that is to be called.
        documents: Option<Documents<'g>>,
    },
    /// Where the Bool (batch, position, key_position) is true.
    Where(Tensor<'g>),
}

impl<'g> Mask<'g> {
    /// For the documents of packed rows. To be made once, outside of the loop over layers.
    pub(crate) fn within(kernel: AttentionKernel, segments: Tensor<'g>, widths: TokenWidths) -> Mask<'g> {
        let documents = match kernel {
            AttentionKernel::CudnnPacked { documents } => Some(Documents::of(segments, documents, widths)),
            AttentionKernel::CudnnCausal | AttentionKernel::Plain => None,
        };
        Mask::CausalWithin { segments, documents }
    }

    fn tensor(self) -> Option<Tensor<'g>> {
        match self {
            Mask::Causal => None,
            Mask::CausalWithin { segments: tensor, .. } | Mask::Where(tensor) => Some(tensor),
        }
    }

    /// The same kind of mask over another tensor.
    fn with_tensor(self, tensor: Option<&Tensor<'g>>) -> Mask<'g> {
        match (self, tensor) {
            (Mask::CausalWithin { documents, .. }, Some(segments)) => {
                Mask::CausalWithin { segments: *segments, documents }
            }
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
        (AttentionKernel::CudnnPacked { .. }, Mask::CausalWithin { documents: Some(documents), .. }) => {
            cudnn::attention(q, k, v, Some(documents))
        }
        (AttentionKernel::CudnnPacked { .. } | AttentionKernel::CudnnCausal, Mask::Causal) => {
            cudnn::attention(q, k, v, None)
        }
        (_, mask) => plain::attention(q, k, v, mask),
    }
}
