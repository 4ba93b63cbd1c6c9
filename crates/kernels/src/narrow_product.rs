//! Products of matrices with some tens of vectors, as in generation of many texts at a time: what they take is reading the matrices once, by the matrix
//! units, which multiply each element with all vectors. The matrices stand on the left, so that their outputs fill the units' height and the vectors need be no
//! more than there are.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::lines::{Line, pointers};
use crate::mask::{both, load, store};
use crate::sum_parts::SumParts;
use crate::{Builder, Gpu, Kernel, KernelError, Launch, Road, Value};

/// `y[r, o] = sum over i of weight[o, i] x[r, i]`, for some tens of rows r, of up to three matrices in one launch. Rows do not meet: what one gives depends on no
/// other, and on how many there are only by the tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NarrowProduct {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What each becomes by each matrix; 0 where there is no such matrix.
    pub outputs: [usize; 3],
    /// Type of all: bf16 or f16.
    pub dtype: DType,
    /// For which GPUs the tiles are chosen.
    pub gpu: Gpu,
}

/// What a program computes: some outputs of all rows, as a sum over so many inputs at a time, of one of so many parts of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tile {
    outputs: usize,
    depth: usize,
    warps: usize,
    stages: usize,
    parts: usize,
}

impl NarrowProduct {
    /// The most rows for which this is faster than products of matrices by others.
    pub const ROWS_MAX: usize = 64;

    /// At the sizes that are timed: those of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let sizes = [
            (4096, [4096; 3]),
            (4096, [4096, 0, 0]),
            (4096, [11_008, 11_008, 0]),
            (11_008, [4096, 0, 0]),
            (4096, [32_000, 0, 0]),
        ];
        let of = |rows: usize| {
            sizes.map(|(inputs, outputs)| NarrowProduct { rows, inputs, outputs, dtype: DType::BF16, gpu: Gpu::Hopper })
        };
        [of(16), of(64)].concat().into_iter().map(Operation::NarrowProduct).collect()
    }

    /// Of whole tiles and of none, in parts and in one, by one matrix and several.
    pub(crate) fn tried() -> Vec<Operation> {
        let odd = NarrowProduct { rows: 5, inputs: 300, outputs: [9, 0, 0], dtype: DType::F16, gpu: Gpu::Nvidia };
        let all = [
            odd,
            NarrowProduct { rows: 17, outputs: [130, 2, 70], dtype: DType::BF16, gpu: Gpu::Hopper, ..odd },
            NarrowProduct { rows: 64, inputs: 256, outputs: [64, 128, 0], gpu: Gpu::Amd, ..odd },
            NarrowProduct { rows: 33, inputs: 40, outputs: [5, 200, 0], gpu: Gpu::Amd, ..odd },
            NarrowProduct { rows: 16, inputs: 1024, outputs: [64, 0, 0], dtype: DType::BF16, gpu: Gpu::Hopper },
            // With so many outputs that a program goes through all inputs, and with few.
            NarrowProduct { rows: 9, inputs: 40, outputs: [8100, 9, 100], ..odd },
            NarrowProduct { rows: 16, inputs: 64, outputs: [8192, 0, 0], gpu: Gpu::Amd, ..odd },
            NarrowProduct { rows: 40, inputs: 150, outputs: [8190, 0, 0], dtype: DType::BF16, gpu: Gpu::Hopper },
            NarrowProduct { rows: 20, inputs: 150, outputs: [4000, 70, 0], dtype: DType::BF16, gpu: Gpu::Hopper },
            NarrowProduct { rows: 16, inputs: 520, outputs: [1500, 0, 0], dtype: DType::BF16, gpu: Gpu::Hopper },
        ];
        all.map(Operation::NarrowProduct).to_vec()
    }

    /// x (row, input), and a weight (output, input) for each matrix.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input] = self.axes();
        let argument = |name, axes: &[Axis], deviation| {
            Argument::new(name, TensorType::new(self.dtype, axes), Fill::Normal(deviation))
        };
        let weight = |(length, name)| argument(name, &[Axis::new("output", length), input], 0.02);
        let weights = self.lengths().into_iter().zip(WEIGHTS).map(weight);
        std::iter::once(argument("x", &[row, input], 1.0)).chain(weights).collect()
    }

    fn axes(&self) -> [Axis; 2] {
        [Axis::new("row", self.rows), Axis::new("input", self.inputs)]
    }

    fn lengths(&self) -> Vec<usize> {
        self.outputs.into_iter().filter(|length| *length > 0).collect()
    }

    /// FLOPs.
    pub(crate) fn flops(&self) -> f64 {
        2.0 * self.rows as f64 * self.inputs as f64 * self.lengths().iter().sum::<usize>() as f64
    }

    /// Gives a (row, output) for each matrix.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let [row, _] = self.axes();
        let results = road.run(&self.launch(&[row])?, inputs);
        let parts = self.tile().parts;
        if parts == 1 {
            return Ok(results);
        }
        let sum = |(result, length): (&R::Array, usize)| {
            let axes = [row, Axis::new("output", length)];
            SumParts { name: "narrow_product", parts, axes: &axes, dtype: self.dtype }.run(road, result)
        };
        results.iter().zip(self.lengths()).map(sum).collect()
    }

    /// The same over these axes, which are the rows, with parts summed by plain operations: what comes next takes them along.
    pub(crate) fn traced<'g>(&self, rows: &[Axis], inputs: &[Tensor<'g>]) -> Result<Vec<Tensor<'g>>, KernelError> {
        let results = inputs[0].graph().run(&self.launch(rows)?, inputs);
        let is_whole = self.tile().parts == 1;
        let whole = |result: Tensor<'g>| if is_whole { result } else { result.sum(&["part"]).cast(self.dtype) };
        Ok(results.into_iter().map(whole).collect())
    }

    /// With results over these axes, which are the rows, and their own: of parts in f32, each for itself.
    fn launch(&self, rows: &[Axis]) -> Result<Launch, KernelError> {
        let tile = self.tile();
        let result = |length| {
            let own = [rows, &[Axis::new("output", length)]].concat();
            match tile.parts {
                1 => TensorType::new(self.dtype, &own),
                parts => TensorType::new(DType::F32, &[&[Axis::new("part", parts)], &own[..]].concat()),
            }
        };
        Ok(Launch {
            kernel: self.kernel()?,
            grid: [self.lengths().iter().map(|length| length.div_ceil(tile.outputs)).sum(), tile.parts, 1],
            warps: tile.warps,
            stages: tile.stages,
            results: self.lengths().into_iter().map(result).collect(),
            in_place: Vec::new(),
        })
    }

    /// NVIDIA's multiprocessors hold several in 228 KB of shared memory, or one in 99. Of one H100 on 2026-11-26, microseconds by tiles of outputs x depth, warps and
    /// stages, for 4096 inputs to three times 4096; to 4096; to twice 11,008; and for 11,008 to 4096:
    ///
    /// | vectors | 128 x 64, 4, 4 | 64 x 128, 4, 3 | 32 x 256, 2, 3 | 16 x 256, 1, 4 | 64 x 64, 4, 6 | the same, two parts | 64 x 64, 4, 4, four parts |
    /// |---|---|---|---|---|---|---|---|
    /// | 16 | 39.4, -, 66.3, - | 37.1, 17.3, 63.7, 45.6 | 37.0, 14.4, 63.9, 37.4 | 38.5, 13.8, 64.2, 35.3 | 38.0, 16.2, 66.9, 41.9 | 43.5, 15.3, 72.7, 35.5 | -, 15.4, -, 35.8 |
    /// | 64 | 40.7, -, 70.8, - | 38.8, 19.0, 69.0, 49.6 | - | - | 41.5, 17.2, 70.6, 44.0 | 53.2, 17.9, 83.5, 38.4 | -, 18.1, -, 39.4 |
    ///
    /// Where even so there are few programs, the inputs go in four parts. AMD's tiles, which nobody has timed, are the larger ones.
    fn tile(&self) -> Tile {
        let programs = |outputs: usize| self.lengths().iter().map(|length| length.div_ceil(outputs)).sum::<usize>();
        let has_few = programs(WIDE) < PROGRAMS_MIN;
        let whole = |outputs, depth, warps, stages| Tile { outputs, depth, warps, stages, parts: 1 };
        let tile = match (self.gpu, self.padded() <= 16, has_few) {
            (Gpu::Amd, _, false) => whole(WIDE, 64, 4, 2),
            (Gpu::Amd, _, true) => Tile { parts: PARTS, ..whole(64, 64, 4, 2) },
            (_, true, false) => whole(32, 256, 2, 3),
            (_, true, true) => whole(16, 256, 1, 4),
            (_, false, false) => whole(64, 128, 4, 3),
            (_, false, true) => Tile { parts: self.inputs.div_ceil(PART_MAX), ..whole(64, 64, 4, 6) },
        };
        let parts = if programs(tile.outputs) < PROGRAMS_MIN { PARTS } else { tile.parts };
        Tile { parts: parts.min(self.inputs.div_ceil(tile.depth)), ..tile }
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("narrow_product");
        k.counts(self.flops());
        if self.rows == 0 || self.rows > NarrowProduct::ROWS_MAX {
            k.fail("rows", &format!("{} rows are not among 1 to {}", self.rows, NarrowProduct::ROWS_MAX));
        }
        let (tile, lengths) = (self.tile(), self.lengths());
        let x = k.input("x", self.dtype);
        let weights: Vec<_> = lengths.iter().zip(WEIGHTS).map(|(_, name)| k.input(name, self.dtype)).collect();
        let result = if tile.parts == 1 { self.dtype } else { DType::F32 };
        let results: Vec<_> = lengths.iter().zip(RESULTS).map(|(_, name)| k.output(name, result)).collect();

        // Of whole steps over the inputs each part has as many as another, or the last has fewer.
        let share = self.inputs.div_ceil(tile.depth).div_ceil(tile.parts) * tile.depth;
        let part = k.program_id(1);
        let from = part * share;
        let to = (from + share).minimum(self.inputs);
        let mut first = 0;
        for ((weight, place), &length) in weights.into_iter().zip(results).zip(&lengths) {
            let programs = length.div_ceil(tile.outputs);
            let number = k.program_id(0) - first;
            let is_own = (lengths.len() > 1).then(|| number.greater_equal(0).and(number.less(programs)));
            let to = is_own.map_or(to, |is_own| is_own.select(to, from));
            let number = if is_own.is_some() { number.maximum(0).minimum(programs - 1) } else { number };
            let own = Own { weight, length, start: number * tile.outputs };
            let sum = self.sum(x, &own, [from, to]);
            let place = place + part.cast(DType::I64) * (self.rows * length);
            let rows = Line::new(k.int(0), self.padded(), self.rows, length);
            let (places, is_place) = pointers(place, own.outputs(tile, 1), rows);
            let is_own = is_own.map(|is_own| is_own.broadcast(&[tile.outputs, self.padded()]));
            store(places, sum, both(is_place, is_own));
            first += programs;
        }
        k.finish()
    }

    /// Rows as the matrix units take them.
    fn padded(&self) -> usize {
        self.rows.next_power_of_two().max(16)
    }

    /// Over a range of the inputs, (output, row).
    fn sum<'k>(&self, x: Value<'k>, own: &Own<'k>, [from, to]: [Value<'k>; 2]) -> Value<'k> {
        let (k, tile) = (x.builder, self.tile());
        let zeros = k.zeros(&[tile.outputs, self.padded()]);
        let rows = Line::new(k.int(0), self.padded(), self.rows, self.inputs);
        let [sum] = k.for_range(from, to, tile.depth, [zeros], |at, [sum]| {
            let terms = Line::new(at, tile.depth, self.inputs, 1);
            let (left, is_left) = pointers(own.weight, own.outputs(tile, self.inputs), terms);
            let (right, is_right) = pointers(x, terms, rows);
            [load(left, is_left).dot_add(load(right, is_right), sum)]
        });
        sum
    }

    /// [`NarrowProduct::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        inputs[1..].iter().map(|weight| inputs[0].dot(*weight, &["input"])).collect()
    }
}

/// What a program has of a matrix.
struct Own<'k> {
    weight: Value<'k>,
    /// Outputs of the matrix.
    length: usize,
    /// The program's first.
    start: Value<'k>,
}

impl<'k> Own<'k> {
    fn outputs(&self, tile: Tile, stride: usize) -> Line<'k> {
        Line::new(self.start, tile.outputs, self.length, stride)
    }
}

impl fmt::Display for NarrowProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<_> = self.lengths().iter().map(usize::to_string).collect();
        let NarrowProduct { rows, inputs, dtype, gpu, .. } = self;
        write!(f, "product of {rows} vectors, {inputs} to {}, {dtype}, tiles for {gpu}", lengths.join(" and "))
    }
}

/// Outputs of a program where there are many.
const WIDE: usize = 128;

/// With fewer programs than this many a GPU's multiprocessors, 104 to 304, have nothing to do.
const PROGRAMS_MIN: usize = 64;

/// In how many parts the inputs go then.
const PARTS: usize = 4;

/// The most inputs that a program with few others beside it goes through.
const PART_MAX: usize = 8192;

const WEIGHTS: [&str; 3] = ["weight", "second", "third"];
const RESULTS: [&str; 3] = ["y", "y_second", "y_third"];

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let one = NarrowProduct { rows: 40, inputs: 300, outputs: [7, 0, 0], dtype: DType::BF16, gpu: Gpu::Hopper };
        for (product, golden) in [
            (one, expect_file!["../tests/golden/narrow_product.mlir"]),
            (
                NarrowProduct { outputs: [8192, 300, 0], inputs: 4096, rows: 16, ..one },
                expect_file!["../tests/golden/narrow_product_of_two.mlir"],
            ),
        ] {
            golden.assert_eq(&crate::triton::print(&product.kernel().expect("the kernel is built")));
        }
    }
}
