//! All that kernels compute, as one list: what is checked against references, timed, and compiled for devices that are not here.

use std::fmt;

use graph::{DType, Graph, Tensor, TensorType};

use crate::attention::{Attention, Gpu};
use crate::convolution::Convolution;
use crate::selective_scan::SelectiveScan;
use crate::vector_product::{Outputs, VectorProduct};
use crate::{KernelError, Road};

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
    /// A product of a matrix with a few vectors.
    VectorProduct(VectorProduct),
    /// Attention.
    Attention(Attention),
    /// Attention and its gradients.
    AttentionGradient(Attention),
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
            Operation::VectorProduct(op) => op.arguments(),
            Operation::Attention(op) => op.arguments(),
            Operation::AttentionGradient(op) => op.gradient_arguments(),
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
            other => other,
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
            Operation::VectorProduct(op) => op.run(road, inputs),
            Operation::Attention(op) => op.run(road, inputs),
            Operation::AttentionGradient(op) => op.run_gradient(road, inputs),
        }
    }

    /// Computes it in graph operations, plainly. Inputs may be of wider types than its arguments, as are the results then.
    pub fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        match self {
            Operation::Convolution(op) => op.reference(graph, inputs),
            Operation::ConvolutionBackward(op) => op.backward_reference(graph, inputs),
            Operation::SelectiveScan(op) => op.reference(graph, inputs),
            Operation::SelectiveScanBackward(op) => op.backward_reference(graph, inputs),
            Operation::VectorProduct(op) => op.reference(graph, inputs),
            Operation::Attention(op) => op.reference(graph, inputs),
            Operation::AttentionGradient(op) => op.gradient_reference(graph, inputs),
        }
    }

    /// How far results may be off the reference's, as a part of the norm of each.
    pub fn tolerance(&self) -> f64 {
        match self {
            Operation::Convolution(op) | Operation::ConvolutionBackward(op) => rounding(op.dtype),
            Operation::SelectiveScan(op) | Operation::SelectiveScanBackward(op) => rounding(op.dtype),
            Operation::VectorProduct(op) => rounding(op.dtype),
            Operation::Attention(op) | Operation::AttentionGradient(op) => rounding(op.dtype),
        }
    }

    /// Products and sums of the matrix units; 0 for what does none.
    pub fn flops(&self) -> f64 {
        match self {
            Operation::Convolution(_)
            | Operation::ConvolutionBackward(_)
            | Operation::SelectiveScan(_)
            | Operation::SelectiveScanBackward(_)
            | Operation::VectorProduct(_) => 0.0,
            Operation::Attention(op) => op.flops(2.0),
            Operation::AttentionGradient(op) => op.flops(7.0),
        }
    }

    /// Bytes that have to cross memory: each argument and each result once.
    pub fn bytes(&self) -> f64 {
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
        let products = [(4096, 4096), (4096, 11_008), (11_008, 4096), (4096, 32_000)]
            .map(|(inputs, outputs)| VectorProduct::by_one(1, inputs, outputs, DType::BF16));
        let together = [Outputs::Each([4096; 3]), Outputs::Gated(11_008)];
        let together = together.map(|outputs| VectorProduct { outputs, ..products[0] });
        let products: Vec<_> = products.into_iter().chain(together).map(Operation::VectorProduct).collect();
        [Convolution::timed(), SelectiveScan::timed(), products, attention(Attention::timed())].concat()
    }

    /// At small and odd sizes, one for each thing that kernels do differently.
    pub fn tried() -> Vec<Operation> {
        let few = VectorProduct::by_one(3, 1111, 9, DType::F16);
        let products = [
            VectorProduct::by_one(1, 2048, 5, DType::BF16),
            few,
            VectorProduct::by_one(4, 37, 4, DType::F32),
            VectorProduct { outputs: Outputs::Each([9, 2, 5]), ..few },
            VectorProduct { outputs: Outputs::Each([5, 3, 0]), inputs: 4096, rows: 1, dtype: DType::BF16 },
            VectorProduct { outputs: Outputs::Gated(7), rows: 2, ..few },
            VectorProduct { outputs: Outputs::Gated(5), inputs: 1024, rows: 1, dtype: DType::BF16 },
        ];
        let products = products.map(Operation::VectorProduct).to_vec();
        [Convolution::tried(), SelectiveScan::tried(), products, attention(Attention::tried())].concat()
    }
}

/// Forward and backward.
fn attention(sizes: Vec<Attention>) -> Vec<Operation> {
    sizes.into_iter().flat_map(|op| [Operation::Attention(op), Operation::AttentionGradient(op)]).collect()
}

/// Rounding of a result to its type, with some for what went before in f32.
fn rounding(dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => 4e-3,
        DType::F16 => 5e-4,
        _ => 1e-6,
    }
}

impl fmt::Display for Operation {
    /// What it is and its size, on a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::VectorProduct(op) => {
                write!(f, "product of {} vectors, {} to {}, {}", op.rows, op.inputs, op.outputs, op.dtype)
            }
            Operation::Convolution(op) => f.write_str(&op.described("forward")),
            Operation::ConvolutionBackward(op) => f.write_str(&op.described("backward")),
            Operation::SelectiveScan(op) => f.write_str(&op.described("forward")),
            Operation::SelectiveScanBackward(op) => f.write_str(&op.described("forward and backward")),
            Operation::Attention(op) => write!(f, "attention forward {op}"),
            Operation::AttentionGradient(op) => write!(f, "attention forward and backward {op}"),
        }
    }
}
