//! The three products: of rows with their experts' weights, of their cotangents with the same, and of both over the rows of each expert.

use graph::{DType, TensorType};

use super::GroupedProduct;
use super::tiles::{Tile, place};
use crate::lines::{Line, pointers};
use crate::mask::{load, store};
use crate::{Builder, Code, Kernel, KernelError, Launch, Road};

/// Rows that are multiplied with their experts' matrices.
#[derive(Clone, Copy)]
struct Rows {
    /// For profilers.
    name: &'static str,
    /// Length of a row, over which is summed.
    depth: usize,
    /// Length of what it becomes.
    width: usize,
    /// From one to the next along either, in a matrix.
    strides: [usize; 2],
}

impl GroupedProduct {
    /// Of x (blocks, row, input), weight (experts, output, input) and the expert of each of the blocks, i32: y (blocks, row, output).
    ///
    /// # Errors
    /// [`GroupedProduct::check`].
    pub fn forward<R: Road>(&self, road: &R, inputs: [&R::Array; 3]) -> Result<R::Array, KernelError> {
        self.product(road, inputs, self.onwards(), self.taken())
    }

    /// The cotangent of x: of that of y (blocks, row, output), and of weight and experts as in [`GroupedProduct::forward`].
    ///
    /// # Errors
    /// [`GroupedProduct::check`].
    pub fn of_rows<R: Road>(&self, road: &R, inputs: [&R::Array; 3]) -> Result<R::Array, KernelError> {
        self.product(road, inputs, self.backwards(), self.given())
    }

    /// The cotangent of weight, (experts, output, input): of that of y (blocks, row, output), x (blocks, row, input), and the expert of each of the
    /// blocks. Zeros for an expert without any.
    ///
    /// # Errors
    /// [`GroupedProduct::check`].
    pub fn of_weights<R: Road>(&self, road: &R, [ct, x, owners]: [&R::Array; 3]) -> Result<R::Array, KernelError> {
        let [first, count] = self.segments(road, owners)?;
        let tile = self.weights_tile();
        let launch = Launch {
            kernel: self.weights_kernel()?,
            grid: [self.outputs.div_ceil(tile.down) * self.inputs.div_ceil(tile.across), self.experts, 1],
            code: Code::Triton { warps: tile.warps, stages: tile.stages },
            results: vec![self.weights(self.gradient)],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, &[ct.clone(), x.clone(), first, count]).swap_remove(0))
    }

    fn onwards(&self) -> Rows {
        Rows { name: "grouped_product", depth: self.inputs, width: self.outputs, strides: [1, self.inputs] }
    }

    fn backwards(&self) -> Rows {
        Rows { name: "grouped_product_of_rows", depth: self.outputs, width: self.inputs, strides: [self.inputs, 1] }
    }

    #[cfg(test)]
    pub(super) fn forward_kernel(&self) -> Result<Kernel, KernelError> {
        self.kernel(self.onwards())
    }

    #[cfg(test)]
    pub(super) fn rows_kernel(&self) -> Result<Kernel, KernelError> {
        self.kernel(self.backwards())
    }

    fn rows_tile(&self, rows: Rows) -> Tile {
        self.tile([self.rows, rows.width, rows.depth])
    }

    fn weights_tile(&self) -> Tile {
        self.tile([self.outputs, self.inputs, self.blocks.saturating_mul(self.rows)])
    }

    fn product<R: Road>(
        &self,
        road: &R,
        inputs: [&R::Array; 3],
        rows: Rows,
        result: TensorType,
    ) -> Result<R::Array, KernelError> {
        let tile = self.rows_tile(rows);
        let launch = Launch {
            kernel: self.kernel(rows)?,
            grid: [self.blocks * self.rows.div_ceil(tile.down) * rows.width.div_ceil(tile.across), 1, 1],
            code: Code::Triton { warps: tile.warps, stages: tile.stages },
            results: vec![result],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, &inputs.map(Clone::clone)).swap_remove(0))
    }

    /// A program has a part of a block, or all of it, and some of the result's columns.
    fn kernel(&self, rows: Rows) -> Result<Kernel, KernelError> {
        self.check()?;
        let k = Builder::new(rows.name);
        k.counts(self.flops());
        let [given, weights] = ["rows", "weights"].map(|name| k.input(name, self.dtype));
        let owners = k.input("owners", DType::I32);
        let result = k.output("result", self.dtype);

        let tile = self.rows_tile(rows);
        let parts = self.rows.div_ceil(tile.down);
        let [down, column] = place(&k, k.program_id(0), [self.blocks * parts, rows.width.div_ceil(tile.across)]);
        let (block, part) = if parts == 1 { (down, k.int(0)) } else { (down / parts, down % parts) };
        let owner = (owners + block).load();
        // Of a block that is nobody's the sum is over nothing.
        let depth = owner.less(self.experts).select(k.int(rows.depth), 0);
        let before = block.cast(DType::I64) * self.rows;
        let given = given + before * rows.depth;
        let weights = weights + owner.minimum(self.experts - 1).cast(DType::I64) * (self.inputs * self.outputs);
        let row = |stride| Line::new(part * tile.down, tile.down, self.rows, stride);
        let columns = |stride| Line::new(column * tile.across, tile.across, rows.width, stride);

        let zeros = k.zeros(&[tile.down, tile.across]);
        let [sum] = k.for_range(0, depth, tile.depth, [zeros], |from, [sum]| {
            let terms = |stride| Line::new(from, tile.depth, rows.depth, stride);
            let (left, is_left) = pointers(given, row(rows.depth), terms(1));
            let (right, is_right) = pointers(weights, terms(rows.strides[0]), columns(rows.strides[1]));
            [load(left, is_left).dot_add(load(right, is_right), sum)]
        });
        let (places, is_place) = pointers(result + before * rows.width, row(rows.width), columns(1));
        store(places, sum, is_place);
        k.finish()
    }

    /// A program has a part of an expert's matrix, and goes through the expert's rows.
    pub(super) fn weights_kernel(&self) -> Result<Kernel, KernelError> {
        self.check()?;
        let k = Builder::new("grouped_product_of_weights");
        k.counts(self.flops());
        let [ct, x] = ["ct", "x"].map(|name| k.input(name, self.dtype));
        let [first, count] = ["first", "count"].map(|name| k.input(name, DType::I32));
        let result = k.output("result", self.gradient);

        let tile = self.weights_tile();
        let tiles = [self.outputs.div_ceil(tile.down), self.inputs.div_ceil(tile.across)];
        let [down, across] = place(&k, k.program_id(0), tiles);
        let expert = k.program_id(1);
        let end = (count + expert).load() * self.rows;
        let before = (first + expert).load().cast(DType::I64) * self.rows;
        let (ct, x) = (ct + before * self.outputs, x + before * self.inputs);
        let outputs = |stride| Line::new(down * tile.down, tile.down, self.outputs, stride);
        let inputs = Line::new(across * tile.across, tile.across, self.inputs, 1);

        let zeros = k.zeros(&[tile.down, tile.across]);
        let [sum] = k.for_range(0, end, tile.depth, [zeros], |from, [sum]| {
            let rows = |stride| Line::until(from, tile.depth, end, self.rows, stride);
            let (left, is_left) = pointers(ct, outputs(1), rows(self.outputs));
            let (right, is_right) = pointers(x, rows(self.inputs), inputs);
            [load(left, is_left).dot_add(load(right, is_right), sum)]
        });
        let matrix = result + expert.cast(DType::I64) * (self.inputs * self.outputs);
        let (places, is_place) = pointers(matrix, outputs(self.inputs), inputs);
        store(places, sum, is_place);
        k.finish()
    }
}
