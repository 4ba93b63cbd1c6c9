//! Products of rows with weights of which each row has one of several: a mixture's experts (Gale et al. 2022, "MegaBlocks").
//!
//! Rows stand in the order of their experts, each expert's filled up to whole blocks, so that a block is multiplied with one matrix and an
//! expert's blocks lie one behind the other. Of each block an i32 says whose it is; behind the last expert's there may be blocks that are nobody's,
//! because how many there can be is known before how many there are. They take part in no product, and their results are zeros.
//!
//! What bounds them is the matrix units: a tile of 128 by 256 does 85 FLOPs with each byte that it is given, and what neighbouring programs
//! read is in the second cache. Of a product of 32,768 rows with eight matrices, from 2048 to 7168, each byte once are 0.84 GB, 0.18 ms of an
//! H200's memory, and its 0.96 TFLOP are 0.97 ms at the 989 TFLOP/s of the data sheet, 1.39 at the 692 that its dense products sustain.

mod product;
mod segments;
mod tiles;

use std::fmt;

use graph::{Axis, DType, Graph, Remat, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::launch::GRID_MAX;
use crate::{Array, Gpu, KernelError, Road};

/// `y[b, r, o] = sum over i of weight[owner of b, o, i] x[b, r, i]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupedProduct {
    /// Experts, each with a matrix.
    pub experts: usize,
    /// Blocks of rows.
    pub blocks: usize,
    /// Rows of a block; best as [`GroupedProduct::block_rows`] says.
    pub rows: usize,
    /// Length of a row.
    pub inputs: usize,
    /// Length of what it becomes.
    pub outputs: usize,
    /// Type of rows and weights: bf16, f16 or f32.
    pub dtype: DType,
    /// Type of the weights' gradient, which is summed in f32.
    pub gradient: DType,
    /// For which GPUs the tiles are chosen.
    pub gpu: Gpu,
}

impl GroupedProduct {
    /// At the sizes that are timed: of a mixture of 8 experts and 3 billion parameters, and of Qwen3-30B-A3B with its 128.
    pub(crate) fn timed() -> Vec<Operation> {
        let mixtral = GroupedProduct {
            experts: 8,
            blocks: 263,
            rows: 128,
            inputs: 2048,
            outputs: 7168,
            dtype: DType::BF16,
            gradient: DType::BF16,
            gpu: Gpu::Hopper,
        };
        let qwen = GroupedProduct { experts: 128, blocks: 639, outputs: 768, ..mixtral };
        let turned = |op: GroupedProduct| GroupedProduct { inputs: op.outputs, outputs: op.inputs, ..op };
        [mixtral, turned(mixtral), qwen, turned(qwen)].into_iter().flat_map(both).collect()
    }

    /// At sizes that are multiples of a tile and at none, with blocks of less and of more rows than a tile has, with widths of less than one, and
    /// as an adapter's factors are.
    pub(crate) fn tried() -> Vec<Operation> {
        let whole = GroupedProduct {
            experts: 3,
            blocks: 4,
            rows: 128,
            inputs: 64,
            outputs: 256,
            dtype: DType::BF16,
            gradient: DType::BF16,
            gpu: Gpu::Hopper,
        };
        let odd = GroupedProduct { experts: 4, rows: 24, inputs: 75, outputs: 141, ..whole };
        let all = [
            whole,
            GroupedProduct { gpu: Gpu::Amd, gradient: DType::F32, ..odd },
            GroupedProduct { gpu: Gpu::Nvidia, dtype: DType::F16, gradient: DType::F16, rows: 200, ..odd },
            GroupedProduct { dtype: DType::F32, gradient: DType::F32, ..odd },
            GroupedProduct { outputs: 8, inputs: 300, rows: 16, blocks: 9, ..odd },
            GroupedProduct { outputs: 300, inputs: 8, rows: 16, blocks: 9, gpu: Gpu::Amd, ..odd },
            GroupedProduct { experts: 1, blocks: 1, rows: 3, inputs: 1, outputs: 1, ..odd },
        ];
        all.into_iter().flat_map(both).collect()
    }

    /// x (blocks, row, input), weight (experts, output, input) and the expert of each of the blocks, i32: of the first ones 0, then 1 and so on, as
    /// far as an expert has any, and of blocks that are nobody's the number of experts.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let owners = TensorType::new(DType::I32, &[self.axis("blocks")]);
        vec![
            Argument::new("x", self.given(), Fill::Normal(1.0)),
            Argument::new("weight", self.weights(self.dtype), Fill::Normal(0.02)),
            Argument::new("owners", owners, Fill::Owners(self.experts)),
        ]
    }

    /// [`GroupedProduct::arguments`], and the cotangent of the result.
    pub(crate) fn backward_arguments(&self) -> Vec<Argument> {
        let mut arguments = self.arguments();
        arguments.push(Argument::new("ct", self.taken(), Fill::Normal(1.0)));
        arguments
    }

    fn axis(&self, name: &'static str) -> Axis {
        let size = match name {
            "experts" => self.experts,
            "blocks" => self.blocks,
            "row" => self.rows,
            "input" => self.inputs,
            _ => self.outputs,
        };
        Axis::new(name, size)
    }

    /// The type of the rows.
    fn given(&self) -> TensorType {
        TensorType::new(self.dtype, &["blocks", "row", "input"].map(|name| self.axis(name)))
    }

    /// The type of what they become.
    fn taken(&self) -> TensorType {
        TensorType::new(self.dtype, &["blocks", "row", "output"].map(|name| self.axis(name)))
    }

    fn weights(&self, dtype: DType) -> TensorType {
        TensorType::new(dtype, &["experts", "output", "input"].map(|name| self.axis(name)))
    }

    /// Whether it is what matrix units are for: other types would be multiplied as slowly as in plain operations, or more so.
    pub fn takes(dtype: DType) -> bool {
        matches!(dtype, DType::BF16 | DType::F16)
    }

    /// Whether the kernels count this far.
    ///
    /// # Errors
    /// There are none for its type, or it is too large.
    pub fn check(&self) -> Result<(), KernelError> {
        let refuse = |rule: String| {
            Err(KernelError {
                kernel: "grouped_product".to_owned(),
                op: "size".to_owned(),
                rule: format!("{self}: {rule}"),
            })
        };
        let types = [self.dtype, self.gradient];
        if types.iter().any(|dtype| !matches!(dtype, DType::BF16 | DType::F16 | DType::F32)) {
            return refuse(format!("rows and gradients are bf16, f16 or f32 and not {} and {}", types[0], types[1]));
        }
        if [self.experts, self.blocks, self.rows, self.inputs, self.outputs].contains(&0) {
            return refuse("each size is at least 1".to_owned());
        }
        if self.inputs.max(self.outputs) > WIDTH_MAX {
            return refuse(format!("a row has at most {WIDTH_MAX} elements"));
        }
        let rows = self.blocks.checked_mul(self.rows).filter(|rows| *rows <= ROWS_MAX);
        if rows.is_none() || self.experts > GRID_MAX {
            return refuse(format!("there are at most {ROWS_MAX} rows and {GRID_MAX} experts"));
        }
        Ok(())
    }

    /// [`GroupedProduct::forward`] of what [`GroupedProduct::arguments`] names.
    pub(crate) fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        Ok(vec![self.forward(road, [&inputs[0], &inputs[1], &inputs[2]])?])
    }

    /// Both gradients of what [`GroupedProduct::backward_arguments`] names.
    pub(crate) fn run_backward<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let [x, weight, owners, ct] = [0, 1, 2, 3].map(|place: usize| &inputs[place]);
        Ok(vec![self.of_rows(road, [ct, weight, owners])?, self.of_weights(road, [ct, x, owners])?])
    }

    /// [`GroupedProduct::run`] in graph operations: a product of all rows with each expert's matrix, of which its own are kept.
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [x, weight, owners] = [inputs[0], inputs[1], inputs[2]];
        let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        let zeros = graph.full(0.0, wide, &self.taken().axes);
        let (sums, _) = graph.scan(self.axis("experts"), &[zeros], &[weight], Remat::full(), |expert| {
            let own = owners.equals(expert.index).select(x, 0.0);
            (vec![expert.carry[0] + own.dot_as(expert.slices[0], &["input"], wide)], vec![])
        });
        vec![sums[0].cast(x.dtype())]
    }

    /// [`GroupedProduct::run_backward`] in graph operations.
    pub(crate) fn backward_reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [x, weight, ct] = [inputs[0], inputs[1], inputs[3]];
        let y = self.reference(graph, &inputs[..3])[0];
        let gradients = graph.grad((y * ct).sum_all(), &[x, weight]);
        // Given in a wider type it stays in that.
        let gradient = if weight.dtype() == self.dtype { self.gradient } else { weight.dtype() };
        vec![gradients[0], gradients[1].cast(gradient)]
    }

    /// FLOPs of one of the three products, with blocks that are nobody's: how many those are is not known before.
    pub(crate) fn flops(&self) -> f64 {
        self.flops_of_blocks(self.blocks)
    }

    /// The same without those, of what [`GroupedProduct::arguments`] names.
    pub(crate) fn flops_of(&self, inputs: &[Array]) -> f64 {
        self.flops_of_blocks(self.owned(inputs).1)
    }

    /// Of which experts blocks are, and how many blocks somebody's.
    fn owned(&self, inputs: &[Array]) -> (usize, usize) {
        let owners: Vec<_> = inputs[2].numbers().iter().filter(|owner| **owner < self.experts as f64).collect();
        (owners.chunk_by(|a, b| a == b).count(), owners.len())
    }

    /// Bytes that have to cross memory: rows of somebody's blocks, their experts' weights, and the result, whose zeros are written too.
    pub(crate) fn bytes_of(&self, inputs: &[Array]) -> f64 {
        let (experts, blocks) = self.owned(inputs);
        let read = self.bytes_of_rows(blocks, self.inputs) + self.bytes_of_weights(experts, self.dtype);
        (read + self.bytes_of_rows(self.blocks, self.outputs) + self.bytes_of_owners()) as f64
    }

    /// The same of both gradients, for which rows, weights and cotangents are read.
    pub(crate) fn backward_bytes_of(&self, inputs: &[Array]) -> f64 {
        let (experts, blocks) = self.owned(inputs);
        let read = self.bytes_of_rows(blocks, self.inputs + self.outputs) + self.bytes_of_weights(experts, self.dtype);
        let written = self.bytes_of_rows(self.blocks, self.inputs) + self.bytes_of_weights(self.experts, self.gradient);
        (read + written + self.bytes_of_owners()) as f64
    }

    fn bytes_of_rows(&self, blocks: usize, width: usize) -> usize {
        blocks * self.rows * width * self.dtype.size()
    }

    fn bytes_of_weights(&self, experts: usize, dtype: DType) -> usize {
        experts * self.inputs * self.outputs * dtype.size()
    }

    fn bytes_of_owners(&self) -> usize {
        self.blocks * DType::I32.size()
    }

    fn flops_of_blocks(&self, blocks: usize) -> f64 {
        2.0 * (blocks * self.rows) as f64 * self.inputs as f64 * self.outputs as f64
    }
}

/// Places within a tile are counted in 32 bits: so many of its rows are as many elements.
const WIDTH_MAX: usize = 1 << 22;

/// Rows are counted in 32 bits, some places beyond the last too.
const ROWS_MAX: usize = (1 << 31) - (1 << 16);

fn both(op: GroupedProduct) -> [Operation; 2] {
    [Operation::GroupedProduct(op), Operation::GroupedProductBackward(op)]
}

impl fmt::Display for GroupedProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GroupedProduct { experts, blocks, rows, inputs, outputs, dtype, gradient, gpu } = self;
        write!(f, "({blocks}, {rows}, {inputs}) to {outputs} of {experts} experts, {dtype}")?;
        if gradient != dtype {
            write!(f, ", gradient {gradient}")?;
        }
        write!(f, ", tiles for {gpu}")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    const OP: GroupedProduct = GroupedProduct {
        experts: 8,
        blocks: 40,
        rows: 128,
        inputs: 512,
        outputs: 1024,
        dtype: DType::BF16,
        gradient: DType::BF16,
        gpu: Gpu::Hopper,
    };

    #[test]
    fn blocks_that_are_nobodys_are_not_counted() {
        let none = Array::new(DType::BF16, Vec::new());
        let owners = |used: usize| {
            let owners = (0..40).map(|block| if block < used { 7.0 } else { 8.0 }).collect();
            [none.clone(), none.clone(), Array::new(DType::I32, owners)]
        };
        assert_eq!(OP.flops_of(&owners(40)), OP.flops());
        assert_eq!(OP.flops_of(&owners(10)), OP.flops() / 4.0);
        assert_eq!(OP.flops_of(&owners(0)), 0.0);
    }

    #[test]
    fn what_is_nobodys_need_not_cross_memory() {
        let all: Vec<_> = Operation::GroupedProductBackward(OP).arguments();
        let inputs = |owners: Vec<f64>| {
            let none = Array::new(DType::BF16, Vec::new());
            [none.clone(), none.clone(), Array::new(DType::I32, owners), none]
        };
        let forward = |owners: &Vec<f64>| Operation::GroupedProduct(OP).bytes(&inputs(owners.clone()));
        let backward = |owners: &Vec<f64>| Operation::GroupedProductBackward(OP).bytes(&inputs(owners.clone()));
        let [x, weight, owners, ct] = [0, 1, 2, 3].map(|place: usize| {
            let ty = &all[place].ty;
            (ty.element_count() * ty.dtype.size()) as f64
        });
        let whole: Vec<f64> = (0..40).map(|block| f64::from(block / 5)).collect();
        assert_eq!(forward(&whole), x + weight + owners + ct);
        assert_eq!(backward(&whole), x + weight + owners + ct + x + weight);
        // Two experts of eight have five blocks each, and a quarter of all have an owner.
        let some: Vec<f64> = (0..40).map(|block| [3.0, 6.0, 8.0][(block / 5).min(2)]).collect();
        assert_eq!(forward(&some), x / 4.0 + weight / 4.0 + owners + ct);
        assert_eq!(backward(&some), (x + weight + ct) / 4.0 + owners + x + weight);
    }

    #[test]
    fn text_of_the_kernels() {
        let op = OP;
        let odd = GroupedProduct { rows: 40, inputs: 75, outputs: 141, gradient: DType::F32, gpu: Gpu::Amd, ..op };
        for (kernel, golden) in [
            (op.forward_kernel(), expect_file!["../tests/golden/grouped_product.mlir"]),
            (op.rows_kernel(), expect_file!["../tests/golden/grouped_product_of_rows.mlir"]),
            (op.weights_kernel(), expect_file!["../tests/golden/grouped_product_of_weights.mlir"]),
            (odd.weights_kernel(), expect_file!["../tests/golden/grouped_product_of_weights_odd.mlir"]),
            (op.segments_kernel(), expect_file!["../tests/golden/expert_segments.mlir"]),
        ] {
            golden.assert_eq(&crate::triton::print(&kernel.expect("the kernel is built")));
        }
    }
}
