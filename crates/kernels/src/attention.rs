//! Attention in one pass over blocks of keys (FlashAttention-2, Dao 2023): memory grows with the length of rows and not with its square, and
//! blocks in which nothing is seen are left out.

mod backward;
mod cases;
mod forward;
mod paged;
mod reference;
mod scores;
mod sight;
mod spans;
mod tiles;

use graph::{Axis, DType, TensorType};

use crate::catalogue::{Argument, Fill};
use crate::{Array, KernelError, Road};

pub use paged::PagedAttention;
pub use spans::Spans;
pub use tiles::Gpu;

/// `softmax(softcap(scale * q k) + bias) v` over the keys that a query sees, with as many query heads for a key head as there are groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attention {
    /// Rows.
    pub batch: usize,
    /// Tokens of a row, each with a query and a key.
    pub positions: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Query heads of each of them.
    pub groups: usize,
    /// Elements of a head, up to 256. Those of multiples of 8 are read 16 bytes at a time.
    pub head_dim: usize,
    /// Type of queries, keys, values and results: bf16 or f16.
    pub dtype: DType,
    /// What products of queries and keys are multiplied with; positive.
    pub scale: f64,
    /// Whether a query sees no keys behind its own.
    pub causal: bool,
    /// How many keys a query sees at most of those up to its own, at least 1; `None`: all of them.
    pub window: Option<usize>,
    /// `cap * tanh(score / cap)` (Gemma 2).
    pub softcap: Option<f64>,
    /// What a score gets for its distance, by a slope for each query head, which is an argument then.
    pub biases: Option<Biases>,
    /// Whether rows hold several documents, which do not see each other.
    pub documents: bool,
    /// For which GPUs the blocks are chosen.
    pub gpu: Gpu,
}

/// What a score gets for its distance (ALiBi, Press et al. 2022).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Biases {
    /// `slope * (key - query)`.
    Exact,
    /// `scale * (slope * key - slope * query)`, counted from the document's first token, where slopes, positions and products are rounded to
    /// bf16.
    InBf16 {
        /// What the difference is multiplied with.
        scale: f64,
    },
}

/// Which launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Forward,
    /// The gradient of queries.
    Queries,
    /// The gradients of keys and values.
    Keys,
}

impl Attention {
    /// Causal, over whole rows, scaled by the root of the head's width.
    pub fn causal(batch: usize, positions: usize, heads: [usize; 2], head_dim: usize, gpu: Gpu) -> Attention {
        let scale = 1.0 / (head_dim as f64).sqrt();
        let [kv_heads, groups] = heads;
        let (causal, window, softcap, biases, documents) = (true, None, None, None, false);
        Attention {
            batch,
            positions,
            kv_heads,
            groups,
            head_dim,
            dtype: DType::BF16,
            scale,
            causal,
            window,
            softcap,
            biases,
            documents,
            gpu,
        }
    }

    /// q (batch, position, kv_heads, groups, head_dim), k and v (batch, key_position, kv_heads, head_dim); with biases slopes, f32 (kv_heads,
    /// groups); with documents the number of each token's, i32 (batch, position), 1, 2, … and behind them 0.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let keys = self.keys();
        let mut arguments = vec![
            Argument::new("q", self.queries(), Fill::Normal(1.0)),
            Argument::new("k", keys.clone(), Fill::Normal(1.0)),
            Argument::new("v", keys, Fill::Normal(1.0)),
        ];
        if self.biases.is_some() {
            let slopes = TensorType::new(DType::F32, &[self.axis("kv_heads"), self.axis("groups")]);
            arguments.push(Argument::new("slopes", slopes, Fill::Uniform(0.0, 0.5)));
        }
        if self.documents {
            let numbers = TensorType::new(DType::I32, &[self.axis("batch"), self.axis("position")]);
            arguments.push(Argument::new("documents", numbers, Fill::Documents));
        }
        arguments
    }

    /// [`Attention::arguments`] and the cotangent of the result.
    pub(crate) fn gradient_arguments(&self) -> Vec<Argument> {
        let mut arguments = self.arguments();
        arguments.push(Argument::new("ct", self.queries(), Fill::Normal(1.0)));
        arguments
    }

    fn axis(&self, name: &'static str) -> Axis {
        let size = match name {
            "batch" => self.batch,
            "kv_heads" => self.kv_heads,
            "groups" => self.groups,
            "head_dim" => self.head_dim,
            _ => self.positions,
        };
        Axis::new(name, size)
    }

    /// The type of queries, of the result and of its cotangent.
    fn queries(&self) -> TensorType {
        let axes = ["batch", "position", "kv_heads", "groups", "head_dim"].map(|name| self.axis(name));
        TensorType::new(self.dtype, &axes)
    }

    fn keys(&self) -> TensorType {
        let axes = ["batch", "key_position", "kv_heads", "head_dim"].map(|name| self.axis(name));
        TensorType::new(self.dtype, &axes)
    }

    /// The type of what is kept of a row of scores.
    fn rows(&self) -> TensorType {
        let axes = ["batch", "kv_heads", "groups", "position"].map(|name| self.axis(name));
        TensorType::new(DType::F32, &axes)
    }

    fn heads(&self) -> usize {
        self.kv_heads * self.groups
    }

    /// [`Attention::forward`] of what [`Attention::arguments`] names.
    pub(crate) fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        self.forward(road, &self.with_spans(road, inputs)?)
    }

    /// Forward and [`Attention::backward`] of what [`Attention::gradient_arguments`] names.
    pub(crate) fn run_gradient<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let (ct, inputs) = inputs.split_last().expect("the cotangent is the last argument");
        let inputs = self.with_spans(road, inputs)?;
        let results = self.forward(road, &inputs)?;
        self.backward(road, &inputs, [&results[0], &results[1], ct])
    }

    /// The inputs with where documents begin and end in place of their numbers.
    fn with_spans<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        match inputs.split_last() {
            Some((documents, others)) if self.documents => {
                let spans = Spans { batch: self.batch, positions: self.positions };
                Ok([others, &spans.of(road, documents)?].concat())
            }
            _ => Ok(inputs.to_vec()),
        }
    }

    /// FLOPs of so many products over the queries and keys that see each other: two forward; backward five, and two more for what both of its
    /// kernels compute again.
    pub(crate) fn flops(&self, products: f64) -> f64 {
        products * 2.0 * (self.batch * self.heads() * self.head_dim) as f64 * self.pairs(self.positions)
    }

    /// [`Attention::flops`] of what [`Attention::arguments`] names: of packed rows those of pairs within a document.
    pub(crate) fn flops_of(&self, products: f64, inputs: &[Array]) -> f64 {
        if !self.documents {
            return self.flops(products);
        }
        let numbers = inputs[3 + usize::from(self.biases.is_some())].numbers();
        let documents = numbers.chunks(self.positions).flat_map(|row| row.chunk_by(|a, b| a == b));
        let pairs: f64 =
            documents.filter(|document| document[0] != 0.0).map(|document| self.pairs(document.len())).sum();
        products * 2.0 * (self.heads() * self.head_dim) as f64 * pairs
    }

    /// Queries and keys of a head that see each other in a document of so many tokens; of causal ones without a window half of all.
    fn pairs(&self, length: usize) -> f64 {
        let length = length as f64;
        let window = self.window.map_or(length, |window| length.min(window as f64));
        let behind = length * window - window * window / 2.0;
        let ahead = if self.causal { 0.0 } else { length * length / 2.0 };
        behind + ahead
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn pairs_that_do_not_see_each_other_are_not_counted() {
        let documents = |numbers: &[f64]| {
            let none = Array::new(DType::BF16, Vec::new());
            vec![none.clone(), none.clone(), none, Array::new(DType::I32, numbers.to_vec())]
        };
        let op = Attention { documents: true, ..Attention::causal(2, 8, [3, 2], 16, Gpu::Hopper) };
        // Of a pair, a product and a sum for each of 16 elements, in six heads.
        let flops = |op: Attention, numbers: &[f64]| op.flops_of(1.0, &documents(numbers)) / (2.0 * 16.0 * 6.0);
        let whole = [[1.0; 8], [1.0; 8]].concat();
        assert_eq!(flops(op, &whole), 64.0);
        assert_eq!(op.flops_of(1.0, &documents(&whole)), op.flops(1.0));
        // Documents of 4, 2 and 2 tokens; in the second row of 6, and padding. A number goes on in the next row for another document.
        let several = [[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0.0, 0.0]].concat();
        assert_eq!(flops(op, &several), 8.0 + 2.0 + 2.0 + 18.0);
        assert_eq!(flops(Attention { causal: false, ..op }, &several), 2.0 * (8.0 + 2.0 + 2.0 + 18.0));
        // Each token sees two, but for the first, which is counted as half a pair less twice: 4 x 2 - 2, 2 x 2 - 2 twice, 6 x 2 - 2.
        assert_eq!(flops(Attention { window: Some(2), ..op }, &several), 6.0 + 2.0 + 2.0 + 10.0);
        assert_eq!(flops(op, &[0.0; 16]), 0.0);
    }

    #[test]
    fn text_of_the_kernels() {
        let plain = Attention::causal(2, 128, [2, 1], 64, Gpu::Hopper);
        let packed = Attention::causal(2, 197, [2, 3], 80, Gpu::Amd);
        let packed = Attention { documents: true, window: Some(50), biases: Some(Biases::Exact), ..packed };
        let capped = Attention::causal(2, 100, [1, 2], 64, Gpu::Hopper);
        let capped =
            Attention { softcap: Some(50.0), biases: Some(Biases::InBf16 { scale: 0.5 }), documents: true, ..capped };
        let spans = Spans { batch: 2, positions: 197 };
        for (kernel, golden) in [
            (plain.forward_kernel(), expect_file!["../tests/golden/attention_forward.mlir"]),
            (plain.queries_kernel(), expect_file!["../tests/golden/attention_backward_queries.mlir"]),
            (plain.keys_kernel(), expect_file!["../tests/golden/attention_backward_keys.mlir"]),
            (packed.forward_kernel(), expect_file!["../tests/golden/attention_forward_packed.mlir"]),
            (packed.queries_kernel(), expect_file!["../tests/golden/attention_backward_queries_packed.mlir"]),
            (packed.keys_kernel(), expect_file!["../tests/golden/attention_backward_keys_packed.mlir"]),
            (capped.forward_kernel(), expect_file!["../tests/golden/attention_forward_capped.mlir"]),
            (capped.queries_kernel(), expect_file!["../tests/golden/attention_backward_queries_capped.mlir"]),
            (capped.keys_kernel(), expect_file!["../tests/golden/attention_backward_keys_capped.mlir"]),
            (spans.kernel(), expect_file!["../tests/golden/document_spans.mlir"]),
        ] {
            golden.assert_eq(&crate::triton::print(&kernel.expect("the kernel is built")));
        }
    }
}
