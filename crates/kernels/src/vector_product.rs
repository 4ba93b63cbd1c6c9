//! Products of a matrix with a few vectors, as in generation token by token: what they take is reading the matrix once, so no matrix unit is
//! asked.

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill};
use crate::{Builder, Kernel, KernelError, Launch, Road, Value};

/// `y[r, o] = sum over i of weight[o, i] x[r, i]`, for few rows r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorProduct {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// Length of what each becomes.
    pub outputs: usize,
    /// Type of all three.
    pub dtype: DType,
}

/// What a program reads at once, and how often in a row before it adds up.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    outputs: usize,
    inputs: usize,
    loads: usize,
    warps: usize,
}

impl VectorProduct {
    /// The most rows for which this is faster than a product of matrices: each is a sum of its own in registers.
    pub const ROWS_MAX: usize = 4;

    /// One warp for each output, with all its loads begun before the first is needed. On an H200, of tiles of 1 to 8 outputs, 256 to 1024 inputs, 1 to
    /// 4 loads and 1 to 8 warps, this was the fastest for 4096 to 11,008, 11,008 to 4096 and 4096 to 32,000 (4.0 TB/s in the last).
    fn tile(&self) -> Tile {
        Tile { outputs: 1, inputs: 512, loads: 4, warps: 1 }
    }

    /// x (row, input) and weight (output, input).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input, output] = self.axes();
        vec![
            Argument::new("x", TensorType::new(self.dtype, &[row, input]), Fill::Normal(1.0)),
            Argument::new("weight", TensorType::new(self.dtype, &[output, input]), Fill::Normal(0.02)),
        ]
    }

    fn axes(&self) -> [Axis; 3] {
        [Axis::new("row", self.rows), Axis::new("input", self.inputs), Axis::new("output", self.outputs)]
    }

    /// Gives y (row, output).
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        Ok(road.run(&self.launch()?, inputs))
    }

    fn launch(&self) -> Result<Launch, KernelError> {
        let [row, _, output] = self.axes();
        let tile = self.tile();
        Ok(Launch {
            kernel: self.kernel(tile)?,
            grid: [self.outputs.div_ceil(tile.outputs), 1, 1],
            warps: tile.warps,
            stages: 1,
            results: vec![TensorType::new(self.dtype, &[row, output])],
        })
    }

    fn kernel(&self, tile: Tile) -> Result<Kernel, KernelError> {
        let k = Builder::new("vector_product");
        if self.rows == 0 || self.rows > VectorProduct::ROWS_MAX {
            k.fail("rows", &format!("{} rows are not among 1 to {}", self.rows, VectorProduct::ROWS_MAX));
        }
        let x = k.input("x", self.dtype);
        let weight = k.input("weight", self.dtype);
        let y = k.output("y", self.dtype);

        let outputs = k.program_id(0) * tile.outputs + k.range(tile.outputs);
        let is_output = outputs.less(self.outputs);
        // Rows beyond the last read the last one's weights: a mask would make of each load a condition.
        let own = outputs.minimum(self.outputs - 1).column();
        let weights = weight + own.cast(DType::I64) * self.inputs;
        let at_once = tile.inputs * tile.loads;
        let whole = self.inputs / at_once * at_once;
        let sums = vec![k.zeros(&[tile.outputs, tile.inputs]); self.rows];
        let add = Add { product: self, inputs: tile.inputs, x, weights };
        let mut sums = k.for_range_of(0, whole, at_once, &sums, |from, sums| {
            (0..tile.loads).fold(sums.to_vec(), |sums, load| add.apply(from + load * tile.inputs, &sums, true))
        });
        for from in (whole..self.inputs).step_by(tile.inputs) {
            sums = add.apply(k.int(from), &sums, from + tile.inputs <= self.inputs);
        }
        for (row, sum) in sums.into_iter().enumerate() {
            (y + row * self.outputs + outputs).store_where(sum.sum(1), is_output);
        }
        k.finish()
    }

    /// [`VectorProduct::run`] in graph operations.
    pub fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        vec![inputs[0].dot(inputs[1], &["input"])]
    }
}

/// The product of a `weight` (output, `input`) with few vectors `x`, over the axis `input`, in their type: axes of `x` without that one, then the
/// output. `None` where a product of matrices serves better or nothing else does: many vectors, other types, or several devices.
pub fn vector_product<'g>(x: Tensor<'g>, weight: Tensor<'g>, input: &'static str) -> Option<Tensor<'g>> {
    let [output, inner] = weight.axes()[..] else { return None };
    let others: Vec<_> = x.axes().into_iter().filter(|axis| axis.name != input).collect();
    let rows = others.iter().map(|axis| axis.size).product();
    let product = VectorProduct { rows, inputs: inner.size, outputs: output.size, dtype: x.dtype() };
    let is_narrow = matches!(x.dtype(), DType::BF16 | DType::F16) && weight.dtype() == x.dtype();
    let serves = is_narrow && inner.name == input && (1..=VectorProduct::ROWS_MAX).contains(&rows);
    if !serves || x.graph().is_partitioned() {
        return None;
    }
    let order: Vec<&'static str> = others.iter().map(|axis| axis.name).chain([input]).collect();
    let mut launch = product.launch().ok()?;
    // The same elements in the same order.
    launch.results = vec![TensorType::new(x.dtype(), &[&others[..], &[output]].concat())];
    x.graph().run(&launch, &[x.transpose(&order), weight]).pop()
}

/// Products of a tile of the matrix, added to sums that each lane has for itself.
struct Add<'p, 'k> {
    product: &'p VectorProduct,
    /// How many a tile has of each output.
    inputs: usize,
    x: Value<'k>,
    /// The first of each output.
    weights: Value<'k>,
}

impl<'k> Add<'_, 'k> {
    fn apply(&self, from: Value<'k>, sums: &[Value<'k>], is_whole: bool) -> Vec<Value<'k>> {
        let inputs = (from + from.builder.range(self.inputs)).row();
        let load = |place: Value<'k>| match is_whole {
            true => place.load(),
            false => place.load_where(inputs.less(self.product.inputs), 0.0),
        };
        let weights = load(self.weights + inputs).cast(DType::F32);
        let x = (0..sums.len()).map(|row| load(self.x + row * self.product.inputs + inputs).cast(DType::F32));
        sums.iter().zip(x).map(|(sum, x)| *sum + weights * x).collect()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernel() {
        let product = VectorProduct { rows: 2, inputs: 300, outputs: 7, dtype: DType::BF16 };
        let text = crate::triton::print(&product.kernel(product.tile()).expect("the kernel is built"));
        expect_file!["../tests/golden/vector_product.mlir"].assert_eq(&text);
    }
}
