//! Grouped-query attention (Ainslie et al. 2023), with and without a cache of keys and values.

use graph::Tensor;
use kernels::Gpu;

mod alibi;
mod blocks;
mod cudnn;
mod documents;
mod paged;
mod plain;

pub(crate) use alibi::{Alibi, alibi_slopes};
pub use blocks::blocks_support;
pub use cudnn::cudnn_supports;
pub(crate) use documents::Documents;
pub use documents::{DocumentsError, check_documents};
pub(crate) use paged::{Cache, PAGES, Pages, QUERIES, kernel_takes, launched, launched_writing, packs, page_by_page};

/// The fused kernels of attention that a program may call. A layer takes cuDNN's if that computes what it needs, else ours, else graph ops, which
/// any backend runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionKernels {
    /// cuDNN's: NVIDIA, without windows, caps and biases.
    pub cudnn: Option<Cudnn>,
    /// Those of `kernels`, for a kind of GPU.
    pub blocks: Option<Gpu>,
}

/// How cuDNN's fused attention is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cudnn {
    /// One document a row. Packed rows are for the others.
    Causal,
    /// Over the documents of packed rows, which costs nothing between documents.
    Packed {
        /// The most documents that a row holds; [`check_documents`] tells whether a batch keeps to it.
        documents: usize,
    },
}

impl AttentionKernels {
    /// None: graph ops alone.
    pub const PLAIN: AttentionKernels = AttentionKernels { cudnn: None, blocks: None };

    /// cuDNN's and, where that does not serve, graph ops.
    pub const fn cudnn(cudnn: Cudnn) -> AttentionKernels {
        AttentionKernels { cudnn: Some(cudnn), blocks: None }
    }

    /// Ours and, where they do not serve, graph ops.
    pub const fn blocks(gpu: Gpu) -> AttentionKernels {
        AttentionKernels { cudnn: None, blocks: Some(gpu) }
    }

    /// Whether a layer may be fused.
    pub fn are_fused(self) -> bool {
        self != AttentionKernels::PLAIN
    }
}

/// The name, for a rematerialisation policy, of what the backward pass needs of attention's results.
pub(crate) const ATTENTION: &str = "attention";

/// How scores become weights: `softmax(softcap(scale * q k) + alibi)` over the keys that a query sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    /// What products of queries and keys are multiplied with.
    pub(crate) scale: f64,
    /// How many positions a query sees, its own among them (Beltagy et al. 2020); `None` sees all before it.
    pub(crate) window: Option<usize>,
    /// `cap * tanh(score / cap)` (Gemma 2).
    pub(crate) softcap: Option<f64>,
    /// What a score gets for its distance.
    pub(crate) alibi: Option<Alibi>,
}

impl Form {
    /// Scaled by the root of the head's width and nothing else (Vaswani et al. 2017).
    pub(crate) fn scaled(head_dim: usize) -> Form {
        Form { scale: 1.0 / (head_dim as f64).sqrt(), window: None, softcap: None, alibi: None }
    }

    /// Whether any kernel computes it, but for its window.
    pub(crate) fn is_plain(&self) -> bool {
        self.softcap.is_none() && self.alibi.is_none()
    }

    /// Whether its window hides something among so many keys.
    fn is_narrow(&self, keys: usize) -> bool {
        self.window.is_some_and(|window| window < keys)
    }
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
        /// Where each token's document begins and ends, if our kernels are to be called.
        spans: Option<[Tensor<'g>; 2]>,
    },
    /// Their own position, i32 (batch, position), and those before it. Keys stand at their positions.
    UpTo(Tensor<'g>),
}

impl<'g> Mask<'g> {
    /// For the documents of packed rows. To be made once, outside of the loop over layers.
    pub(crate) fn within(kernels: AttentionKernels, segments: Tensor<'g>) -> Mask<'g> {
        let documents = match kernels.cudnn {
            Some(Cudnn::Packed { documents }) => Some(Documents::of(segments, documents)),
            Some(Cudnn::Causal) | None => None,
        };
        let spans = kernels.blocks.map(|_| blocks::spans(segments));
        Mask::CausalWithin { segments, documents, spans }
    }

    fn tensor(self) -> Option<Tensor<'g>> {
        match self {
            Mask::Causal => None,
            Mask::CausalWithin { segments: tensor, .. } | Mask::UpTo(tensor) => Some(tensor),
        }
    }

    /// The same kind of mask over another tensor.
    fn with_tensor(self, tensor: Option<&Tensor<'g>>) -> Mask<'g> {
        match (self, tensor) {
            (Mask::CausalWithin { documents, spans, .. }, Some(segments)) => {
                Mask::CausalWithin { segments: *segments, documents, spans }
            }
            (Mask::UpTo(_), Some(positions)) => Mask::UpTo(*positions),
            (mask, _) => mask,
        }
    }
}

/// Attends with `q` (batch, position, kv_heads, groups, head_dim) to `k` and `v` (batch, key_position, kv_heads, head_dim, in any
/// order). Result: axes of `q` in its order.
pub(crate) fn attention<'g>(
    kernels: AttentionKernels,
    q: Tensor<'g>,
    k: Tensor<'g>,
    v: Tensor<'g>,
    mask: Mask<'g>,
    form: &Form,
) -> Tensor<'g> {
    let narrow = form.is_narrow(k.axis("key_position").size);
    let fits = form.is_plain() && !narrow && cudnn_supports(q.dtype(), q.axis("head_dim").size);
    match (kernels.cudnn.filter(|_| fits), mask) {
        (Some(Cudnn::Packed { .. }), Mask::CausalWithin { documents: Some(documents), .. }) => {
            return cudnn::attention(q, k, v, Some(documents), form.scale);
        }
        (Some(_), Mask::Causal) => return cudnn::attention(q, k, v, None, form.scale),
        _ => {}
    }
    let spans = match mask {
        Mask::Causal => Some(None),
        Mask::CausalWithin { spans, .. } => spans.map(Some),
        Mask::UpTo(_) => None,
    };
    match (kernels.blocks.and_then(|gpu| blocks::operation(gpu, q, form)), spans) {
        (Some(operation), Some(spans)) => blocks::attention(operation, q, k, v, spans, form),
        _ => plain::attention(q, k, v, mask, form),
    }
}
