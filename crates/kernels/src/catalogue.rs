//! All that kernels compute, as one list: what is checked against references, timed, and compiled for devices that are not here.
//!
//! Infinities in inputs mean what they do in the reference's sums: of what multiplies, normalises and convolves, and of attention to a key whose scores are all
//! minus infinity beside others. They mean nothing to gradients of attention (a weight of 0 times an infinite key is no number), where a row sees no other key,
//! in slopes (an infinite one is no number at its own place), or in scans, where a state stays infinite until decays round to zero, which in f32 they do sooner.

use std::fmt;

use graph::{Float8, Graph, Tensor, TensorType};

use crate::attention::{Attention, Gpu, PagedAttention};
use crate::convolution::Convolution;
use crate::dual_scan::DualScan;
use crate::grouped_product::GroupedProduct;
use crate::narrow_product::NarrowProduct;
use crate::packed_product::PackedProduct;
use crate::paged_write::PagedWrite;
use crate::row_norm::RowNorm;
use crate::selective_scan::SelectiveScan;
use crate::unpacked_pages::UnpackedPages;
use crate::vector_product::VectorProduct;
use crate::{Array, KernelError, Road};

/// An operation that has kernels, at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// The causal convolution of state-space models.
    Convolution(Convolution),
    /// The derivative of that.
    ConvolutionBackward(Convolution),
    /// Mamba's selective scan.
    SelectiveScan(SelectiveScan),
    /// Mamba's selective scan, and its derivative.
    SelectiveScanBackward(SelectiveScan),
    /// Mamba-2's scan.
    DualScan(DualScan),
    /// Mamba-2's scan, and its derivative.
    DualScanBackward(DualScan),
    /// A product of a matrix with a few vectors.
    VectorProduct(VectorProduct),
    /// Products of matrices with some tens of vectors.
    NarrowProduct(NarrowProduct),
    /// Products of packed matrices with some tens of vectors.
    PackedProduct(PackedProduct),
    /// Normalisation of a few vectors.
    RowNorm(RowNorm),
    /// Attention.
    Attention(Attention),
    /// Attention and its gradients.
    AttentionGradient(Attention),
    /// Attention to pages of keys and values: of one token a row, or of a chunk of its prompt.
    PagedAttention(PagedAttention),
    /// What comes before that: rotation, and writing to pages.
    PagedWrite(PagedWrite),
    /// Packed keys and values as they were.
    UnpackedPages(UnpackedPages),
    /// Products of rows with their experts' weights.
    GroupedProduct(GroupedProduct),
    /// The derivative of that.
    GroupedProductBackward(GroupedProduct),
}

/// An array that an operation is given.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name, for people.
    pub name: &'static str,
    /// Its type.
    pub ty: TensorType,
    /// What it is filled with to try the operation out.
    pub fill: Fill,
}

/// What an argument is filled with to try an operation out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// Normal numbers of this standard deviation.
    Normal(f64),
    /// Numbers between two.
    Uniform(f64, f64),
    /// Numbers of documents in a packed row, counted from 1, of random lengths; 0 behind the last.
    Documents,
    /// Whole numbers from the first up to the second, which is left out.
    Whole(usize, usize),
    /// Powers of two, from one exponent up to the other, which is left out.
    Powers(i32, i32),
    /// Whole numbers up to this one, which is left out: none a second time before each has come once.
    Shuffled(usize),
    /// To which of so many experts each of some blocks belongs, in their order, some experts without any; their number for blocks at the end, fewer
    /// than experts, that are nobody's.
    Owners(usize),
}

impl Argument {
    pub(crate) fn new(name: &'static str, ty: TensorType, fill: Fill) -> Argument {
        Argument { name, ty, fill }
    }
}

impl Operation {
    /// What it is given, in order.
    pub fn arguments(&self) -> Vec<Argument> {
        match self {
            Operation::Convolution(op) => op.arguments(),
            Operation::ConvolutionBackward(op) => op.backward_arguments(),
            Operation::SelectiveScan(op) => op.arguments(),
            Operation::SelectiveScanBackward(op) => op.backward_arguments(),
            Operation::DualScan(op) => op.arguments(),
            Operation::DualScanBackward(op) => op.backward_arguments(),
            Operation::VectorProduct(op) => op.arguments(),
            Operation::NarrowProduct(op) => op.arguments(),
            Operation::PackedProduct(op) => op.arguments(),
            Operation::RowNorm(op) => op.arguments(),
            Operation::Attention(op) => op.arguments(),
            Operation::AttentionGradient(op) => op.gradient_arguments(),
            Operation::PagedAttention(op) => op.arguments(),
            Operation::PagedWrite(op) => op.arguments(),
            Operation::UnpackedPages(op) => op.arguments(),
            Operation::GroupedProduct(op) => op.arguments(),
            Operation::GroupedProductBackward(op) => op.backward_arguments(),
        }
    }

    /// In the blocks that a kind of GPU wants.
    #[must_use]
    pub fn on(self, gpu: Gpu) -> Operation {
        match self {
            Operation::Attention(op) => Operation::Attention(Attention { gpu, ..op }),
            Operation::AttentionGradient(op) => Operation::AttentionGradient(Attention { gpu, ..op }),
            Operation::SelectiveScan(op) => Operation::SelectiveScan(SelectiveScan { gpu, ..op }),
            Operation::SelectiveScanBackward(op) => Operation::SelectiveScanBackward(SelectiveScan { gpu, ..op }),
            Operation::DualScan(op) => Operation::DualScan(DualScan { gpu, ..op }),
            Operation::DualScanBackward(op) => Operation::DualScanBackward(DualScan { gpu, ..op }),
            Operation::PagedAttention(op) => Operation::PagedAttention(PagedAttention { gpu, ..op }),
            Operation::NarrowProduct(op) => Operation::NarrowProduct(NarrowProduct { gpu, ..op }),
            Operation::GroupedProduct(op) => Operation::GroupedProduct(GroupedProduct { gpu, ..op }),
            Operation::GroupedProductBackward(op) => Operation::GroupedProductBackward(GroupedProduct { gpu, ..op }),
            other => other,
        }
    }

    /// Whether there is a kernel for a kind of GPU.
    pub fn is_for(&self, gpu: Gpu) -> bool {
        // By hand, for a Hopper's matrix units.
        let is_by_hand = match self {
            Operation::PackedProduct(_) | Operation::UnpackedPages(_) => true,
            Operation::PagedAttention(op) => op.packed,
            _ => false,
        };
        gpu == Gpu::Hopper || !is_by_hand
    }

    /// With a device's 8-bit floats in place of others. `None` where it holds such and the device has none: Triton ends the process that
    /// compiles it there.
    #[must_use]
    pub fn with_float8(self, float8: Option<Float8>) -> Option<Operation> {
        match self {
            Operation::PagedAttention(op) if op.held.is_float8() => {
                let of_device = |kind: Float8| PagedAttention { held: kind.precise(), ..op };
                float8.map(of_device).map(Operation::PagedAttention)
            }
            other => Some(other),
        }
    }

    /// Computes it by its kernels.
    ///
    /// # Errors
    /// The kernels cannot be built for its size.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        match self {
            Operation::Convolution(op) => op.forward(road, inputs),
            Operation::ConvolutionBackward(op) => op.backward(road, inputs),
            Operation::SelectiveScan(op) => op.forward(road, inputs),
            Operation::SelectiveScanBackward(op) => op.forward_and_backward(road, inputs),
            Operation::DualScan(op) => op.forward(road, inputs),
            Operation::DualScanBackward(op) => op.forward_and_backward(road, inputs),
            Operation::VectorProduct(op) => op.run(road, inputs),
            Operation::NarrowProduct(op) => op.run(road, inputs),
            Operation::PackedProduct(op) => op.run(road, inputs),
            Operation::RowNorm(op) => op.run(road, inputs),
            Operation::Attention(op) => op.run(road, inputs),
            Operation::AttentionGradient(op) => op.run_gradient(road, inputs),
            Operation::PagedAttention(op) => op.run(road, inputs),
            Operation::PagedWrite(op) => op.run(road, inputs),
            Operation::UnpackedPages(op) => op.run(road, inputs),
            Operation::GroupedProduct(op) => op.run(road, inputs),
            Operation::GroupedProductBackward(op) => op.run_backward(road, inputs),
        }
    }

    /// Computes it in graph operations, plainly. Inputs may be of wider types than its arguments, as are the results then.
    pub fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        match self {
            Operation::Convolution(op) => op.reference(graph, inputs),
            Operation::ConvolutionBackward(op) => op.backward_reference(graph, inputs),
            Operation::SelectiveScan(op) => op.reference(graph, inputs),
            Operation::SelectiveScanBackward(op) => op.backward_reference(graph, inputs),
            Operation::DualScan(op) => op.reference(graph, inputs),
            Operation::DualScanBackward(op) => op.backward_reference(graph, inputs),
            Operation::VectorProduct(op) => op.reference(graph, inputs),
            Operation::NarrowProduct(op) => op.reference(graph, inputs),
            Operation::PackedProduct(op) => op.reference(graph, inputs),
            Operation::RowNorm(op) => op.reference(graph, inputs),
            Operation::Attention(op) => op.reference(graph, inputs),
            Operation::AttentionGradient(op) => op.gradient_reference(graph, inputs),
            Operation::PagedAttention(op) => op.reference(graph, inputs),
            Operation::PagedWrite(op) => op.reference(graph, inputs),
            Operation::UnpackedPages(op) => op.reference(graph, inputs),
            Operation::GroupedProduct(op) => op.reference(graph, inputs),
            Operation::GroupedProductBackward(op) => op.backward_reference(graph, inputs),
        }
    }

    /// Products and sums of products of matrices on these inputs; 0 for what does none. What inputs hide is not counted: pairs of tokens of different
    /// documents, keys behind a text's end, blocks of rows that are no expert's. Nor is what is computed again.
    pub fn flops(&self, inputs: &[Array]) -> f64 {
        match self {
            Operation::Convolution(_)
            | Operation::ConvolutionBackward(_)
            | Operation::SelectiveScan(_)
            | Operation::SelectiveScanBackward(_)
            | Operation::RowNorm(_)
            | Operation::PagedWrite(_)
            | Operation::UnpackedPages(_) => 0.0,
            Operation::VectorProduct(op) => op.flops(),
            Operation::NarrowProduct(op) => op.flops(),
            Operation::PackedProduct(op) => op.flops(),
            Operation::DualScan(op) => op.flops_of(inputs),
            Operation::DualScanBackward(op) => op.flops_of(inputs) + op.backward_flops_of(inputs),
            Operation::Attention(op) => op.flops_of(2.0, inputs),
            Operation::AttentionGradient(op) => op.flops_of(7.0, inputs),
            Operation::PagedAttention(op) => op.flops_of(inputs),
            Operation::GroupedProduct(op) => op.flops_of(inputs),
            Operation::GroupedProductBackward(op) => 2.0 * op.flops_of(inputs),
        }
    }

    /// Bytes that have to cross memory on these inputs: each argument and each result once, or what is used of them.
    pub fn bytes(&self, inputs: &[Array]) -> f64 {
        match self {
            Operation::PagedAttention(op) => return op.bytes(),
            Operation::PagedWrite(op) => return op.bytes(),
            Operation::GroupedProduct(op) => return op.bytes_of(inputs),
            Operation::GroupedProductBackward(op) => return op.backward_bytes_of(inputs),
            _ => {}
        }
        let bytes = |ty: &TensorType| (ty.element_count() * ty.dtype.size()) as f64;
        let read: f64 = self.arguments().iter().map(|argument| bytes(&argument.ty)).sum();
        read + self.results().iter().map(bytes).sum::<f64>()
    }

    /// Types of what it gives.
    pub fn results(&self) -> Vec<TensorType> {
        let graph = Graph::new();
        let inputs: Vec<_> = self
            .arguments()
            .iter()
            .map(|argument| graph.input(argument.name, argument.ty.dtype, &argument.ty.axes))
            .collect();
        self.reference(&graph, &inputs).iter().map(|result| result.ty()).collect()
    }

    /// At the sizes that are timed.
    pub fn timed() -> Vec<Operation> {
        let scans = [Convolution::timed(), SelectiveScan::timed(), DualScan::timed()].concat();
        let generation = [
            VectorProduct::timed(),
            NarrowProduct::timed(),
            PackedProduct::timed(),
            RowNorm::timed(),
            PagedWrite::timed(),
            PagedAttention::timed(),
            UnpackedPages::timed(),
        ]
        .concat();
        [scans, generation, attention(Attention::timed()), GroupedProduct::timed()].concat()
    }

    /// At small and odd sizes, one for each thing that kernels do differently.
    pub fn tried() -> Vec<Operation> {
        let scans = [Convolution::tried(), SelectiveScan::tried(), DualScan::tried()].concat();
        let generation = [
            VectorProduct::tried(),
            NarrowProduct::tried(),
            PackedProduct::tried(),
            RowNorm::tried(),
            PagedWrite::tried(),
            PagedAttention::tried(),
            UnpackedPages::tried(),
        ]
        .concat();
        [scans, generation, attention(Attention::tried()), GroupedProduct::tried()].concat()
    }
}

/// Forward and backward.
fn attention(sizes: Vec<Attention>) -> Vec<Operation> {
    sizes.into_iter().flat_map(|op| [Operation::Attention(op), Operation::AttentionGradient(op)]).collect()
}

impl fmt::Display for Operation {
    /// What it is and its size, on a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::VectorProduct(op) => write!(f, "{op}"),
            Operation::NarrowProduct(op) => write!(f, "{op}"),
            Operation::PackedProduct(op) => write!(f, "{op}"),
            Operation::RowNorm(op) => write!(f, "{op}"),
            Operation::Convolution(op) => f.write_str(&op.described("forward")),
            Operation::ConvolutionBackward(op) => f.write_str(&op.described("backward")),
            Operation::SelectiveScan(op) => f.write_str(&op.described("forward")),
            Operation::SelectiveScanBackward(op) => f.write_str(&op.described("forward and backward")),
            Operation::DualScan(op) => f.write_str(&op.described("forward")),
            Operation::DualScanBackward(op) => f.write_str(&op.described("forward and backward")),
            Operation::Attention(op) => write!(f, "attention forward {op}"),
            Operation::AttentionGradient(op) => write!(f, "attention forward and backward {op}"),
            Operation::PagedAttention(op) => write!(f, "{op}"),
            Operation::PagedWrite(op) => write!(f, "{op}"),
            Operation::UnpackedPages(op) => write!(f, "{op}"),
            Operation::GroupedProduct(op) => write!(f, "grouped product forward {op}"),
            Operation::GroupedProductBackward(op) => write!(f, "grouped product backward {op}"),
        }
    }
}
