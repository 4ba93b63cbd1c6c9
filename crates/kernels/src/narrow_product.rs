//! Products of matrices with some tens of vectors, as in generation of many texts at a time: what they take is reading the matrices once, by the matrix
//! units, which multiply each element with all vectors. The matrices stand on the left, so that their outputs fill the units' height and the vectors need be no
//! more than there are.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::lines::{Line, pointers};
use crate::mask::{both, load, store};
use crate::several_products::SeveralProducts;
use crate::{Builder, Code, Gpu, Kernel, KernelError, Launch, Multiplied, Outputs, Road, Value, VectorProduct};

/// `y[r, o] = sum over i of weight[o, i] x[r, i]`, for some tens of rows r, of up to three matrices in one launch, of two of which one gates the other, or added
/// to other vectors. Rows do not meet: what one gives depends on no other, and on how many there are only by the tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NarrowProduct {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What each becomes.
    pub outputs: Outputs,
    /// Whether the product by one matrix is added to other vectors.
    pub is_added: bool,
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
    /// The most rows.
    const ROWS_MAX: usize = 128;

    /// Whether this is faster than products of matrices by others: with more than 64 rows on a Hopper, where all programs run at once, two on a multiprocessor.
    pub(crate) fn serves(&self) -> bool {
        let Tile { outputs, parts, .. } = self.tile();
        let run_at_once = self.programs(outputs) * parts <= 2 * self.multiprocessors();
        let serves_many = self.gpu == Gpu::Hopper && !self.is_gated() && run_at_once;
        self.rows <= 64 || (self.rows <= NarrowProduct::ROWS_MAX && serves_many)
    }

    /// At the sizes that are timed: those of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let sizes = [
            (4096, Outputs::Each([4096; 3])),
            (4096, Outputs::Each([4096, 0, 0])),
            (4096, Outputs::Gated(11_008)),
            (11_008, Outputs::Each([4096, 0, 0])),
            (4096, Outputs::Each([32_000, 0, 0])),
        ];
        let one = |rows, (inputs, outputs)| {
            let (is_added, dtype, gpu) = (false, DType::BF16, Gpu::Hopper);
            NarrowProduct { rows, inputs, outputs, is_added, dtype, gpu }
        };
        let of = |rows: usize| sizes.map(|sizes| one(rows, sizes));
        // Those that are taken for one vector, the last where no norm is behind it.
        let added = NarrowProduct { is_added: true, ..one(1, sizes[3]) };
        let alone = [one(1, sizes[1]), one(1, sizes[2]), one(1, sizes[3]), added];
        let all = [&alone[..], &of(16), &of(64), &of(128)].concat();
        all.into_iter().filter(NarrowProduct::serves).map(Operation::NarrowProduct).collect()
    }

    /// Of whole tiles and of none, in parts and in one, by one matrix and several.
    pub(crate) fn tried() -> Vec<Operation> {
        let (each, gated) = (Outputs::Each, Outputs::Gated);
        let (dtype, gpu) = (DType::F16, Gpu::Nvidia);
        let odd = NarrowProduct { rows: 5, inputs: 300, outputs: each([9, 0, 0]), is_added: false, dtype, gpu };
        let hopper = NarrowProduct { dtype: DType::BF16, gpu: Gpu::Hopper, ..odd };
        let amd = NarrowProduct { gpu: Gpu::Amd, ..odd };
        let all = [
            odd,
            NarrowProduct { rows: 17, outputs: each([130, 2, 70]), ..hopper },
            NarrowProduct { rows: 64, inputs: 256, outputs: each([64, 128, 0]), ..amd },
            NarrowProduct { rows: 33, inputs: 40, outputs: each([5, 200, 0]), ..amd },
            NarrowProduct { rows: 16, inputs: 1024, outputs: each([64, 0, 0]), ..hopper },
            // With so many outputs that a program goes through all inputs, and with few.
            NarrowProduct { rows: 9, inputs: 40, outputs: each([8100, 9, 100]), ..odd },
            NarrowProduct { rows: 16, inputs: 64, outputs: each([8192, 0, 0]), ..amd },
            NarrowProduct { rows: 40, inputs: 150, outputs: each([8190, 0, 0]), ..hopper },
            NarrowProduct { rows: 20, inputs: 150, outputs: each([4000, 70, 0]), ..hopper },
            NarrowProduct { rows: 16, inputs: 520, outputs: each([1500, 0, 0]), ..hopper },
            NarrowProduct { rows: 100, inputs: 1030, outputs: each([70, 0, 0]), ..hopper },
            NarrowProduct { rows: 65, outputs: each([4000, 70, 8000]), ..odd },
            NarrowProduct { outputs: gated(70), ..odd },
            NarrowProduct { rows: 16, inputs: 512, outputs: gated(128), ..hopper },
            NarrowProduct { rows: 50, outputs: gated(200), ..hopper },
            NarrowProduct { rows: 30, outputs: gated(100), ..amd },
            NarrowProduct { rows: 1, inputs: 512, outputs: gated(70), ..hopper },
            NarrowProduct { rows: 1, inputs: 1300, outputs: each([100, 0, 0]), ..hopper },
            NarrowProduct { rows: 1, inputs: 1300, outputs: each([100, 0, 0]), is_added: true, ..hopper },
            NarrowProduct { rows: 40, is_added: true, ..odd },
            NarrowProduct { rows: 3, is_added: true, ..amd },
        ];
        all.map(Operation::NarrowProduct).to_vec()
    }

    /// x (row, input), a weight (output, input) for each matrix, and (row, output) that the product is added to.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input] = self.axes();
        let argument = |name, axes: &[Axis], deviation| {
            Argument::new(name, TensorType::new(self.dtype, axes), Fill::Normal(deviation))
        };
        let weight = |(length, name)| argument(name, &[Axis::new("output", length), input], 0.02);
        let weights = self.outputs.matrices().into_iter().zip(WEIGHTS).map(weight);
        let output = Axis::new("output", self.outputs.results()[0]);
        let others = self.is_added.then(|| argument(OTHERS, &[row, output], 1.0));
        std::iter::once(argument("x", &[row, input], 1.0)).chain(weights).chain(others).collect()
    }

    fn axes(&self) -> [Axis; 2] {
        [Axis::new("row", self.rows), Axis::new("input", self.inputs)]
    }

    /// FLOPs.
    pub(crate) fn flops(&self) -> f64 {
        self.outputs.flops(self.rows, self.inputs)
    }

    /// Gives a (row, output) for each result.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let [row, _] = self.axes();
        let given = road.run(&self.launch(&[row])?, inputs);
        self.several().whole(road, row, given)
    }

    /// The same over these axes, which are the rows, with parts summed by plain operations: what comes next takes them along.
    pub(crate) fn traced<'g>(&self, rows: &[Axis], inputs: &[Tensor<'g>]) -> Result<Vec<Multiplied<'g>>, KernelError> {
        Ok(self.several().traced(inputs[0].graph().run(&self.launch(rows)?, inputs)))
    }

    fn launch(&self, rows: &[Axis]) -> Result<Launch, KernelError> {
        let (tile, several) = (self.tile(), self.several());
        Ok(Launch {
            kernel: self.kernel()?,
            grid: [several.programs(), tile.parts, 1],
            code: Code::Triton { warps: tile.warps, stages: tile.stages },
            results: several.types(rows),
            in_place: Vec::new(),
        })
    }

    fn several(&self) -> SeveralProducts {
        let Tile { outputs, parts, .. } = self.tile();
        SeveralProducts { name: "narrow_product", lengths: self.outputs.results(), outputs, parts, dtype: self.dtype }
    }

    /// Each program of NVIDIA's brings the vectors from the second cache beside its weights, so that those of few outputs ask more of it than of memory; and
    /// all are to run at once, two or three on a multiprocessor where there are so many, or some wait for the others' end. By tiles of outputs x depth, 4 warps unless
    /// said, stages and parts, microseconds for 4096 inputs to three times 4096; to 4096; to twice 11,008; and for 11,008 to 4096, of one H200 and one H100,
    /// 2026-11-27, where a copy would take 24, 8, 43 and 21, and 34, 11, 61 and 30:
    ///
    /// | vectors | tiles | H200 | H100 |
    /// |---|---|---|---|
    /// | 16 | 32 x 256 by 2 warps, 3; 16 x 256 by 1, 4 | 27.3, 11.6, 49.6, 24.9 | 37.7, 14.2, 64.7, 35.8 |
    /// | 16 | 64 x 64, 6, by one part and two | 26.6, 10.8, 45.6, 25.8 | 38.1, 14.2, 66.1, 33.9 |
    /// | 16 | 64 x 128, 4 and 3 in one part, 5 in two | 26.3, 10.0, 44.7, 23.7 | 37.4, 13.6, 63.6, 32.9 |
    /// | 64 | 64 x 128, 3; 64 x 64, 6, in one part and two | 28.5, 15.0, 53.7, 27.0 | 38.6, 17.4, 68.8, 35.7 |
    /// | 64 | 64 x 64, 4, in one part; 8 in two | 30.6, 11.0, 47.8, 25.6 | 40.4, 14.7, 68.5, 35.5 |
    /// | 64 | 64 x 128, 3 and 2 in one part, 5 in two | 28.5, 11.3, 49.0, 25.3 | 38.6, 14.7, 67.2, 34.8 |
    /// | 128 | cuBLAS's, each matrix by itself, H200 | 41.0, 13.7, 53.2, 31.0 | |
    /// | 128 | 64 x 64, 4 and 3 in one part; 64 x 128, 4 in two | 33.0, 12.5, 53.2, 28.4 | 42.1, 16.3, 70.3, 37.2 |
    ///
    /// The last line of each is what is here, but that twice 11,008 for 128 vectors are left to cuBLAS. Two of which one gates the other take 44.4 and 47.9 on the
    /// H200 as they are here, so that a launch is saved that takes 2.
    fn tile(&self) -> Tile {
        let (is_gated, has_few_rows) = (self.is_gated(), self.padded() <= 16);
        // A program that gates has as many outputs of each matrix.
        let (outputs, depth, warps) = match (is_gated, has_few_rows) {
            (false, true) if self.is_added => (LEAST, 256, 1),
            (false, _) if self.padded() > 64 && self.parts(NARROW, 128) == 1 => (NARROW, 64, 4),
            (false, _) => (NARROW, 128, 4),
            (true, true) => (NARROW / 2, 128, 2),
            (true, false) => (NARROW, 64, 4),
        };
        let memory = match self.gpu {
            Gpu::Hopper => 192 << 10,
            Gpu::Nvidia => 96 << 10,
            Gpu::Amd => return self.amd_tile(),
        };
        let parts = self.parts(outputs, depth);
        let weights = if is_gated { 2 * outputs } else { outputs };
        let stage = (weights + self.padded()) * depth * self.dtype.size();
        let beside = (self.programs(outputs) * parts).div_ceil(self.multiprocessors());
        // Where some wait anyway, two beside each other are as good.
        let beside = if beside > BESIDE_MAX { 2 } else { beside };
        Tile { outputs, depth, warps, stages: (memory / beside / stage).clamp(2, STAGES_MAX), parts }
    }

    /// Nobody has timed them.
    fn amd_tile(&self) -> Tile {
        let is_wide = !self.is_gated() && self.programs(WIDE) >= PROGRAMS_MIN;
        let (outputs, depth) = (if is_wide { WIDE } else { NARROW }, 64);
        let parts = if is_wide { 1 } else { self.parts(outputs, depth) };
        Tile { outputs, depth, warps: 4, stages: 2, parts }
    }

    /// In how many parts the inputs go, so that each multiprocessor has a program: sums alone can be added up.
    fn parts(&self, outputs: usize, depth: usize) -> usize {
        let wanted = self.multiprocessors().div_ceil(self.programs(outputs));
        if self.is_gated() || self.is_added { 1 } else { wanted.min(PARTS_MAX).min(self.inputs.div_ceil(depth)) }
    }

    /// For so many outputs of a matrix each.
    fn programs(&self, outputs: usize) -> usize {
        self.outputs.results().iter().map(|length| length.div_ceil(outputs)).sum()
    }

    fn is_gated(&self) -> bool {
        matches!(self.outputs, Outputs::Gated(_))
    }

    /// About how many a GPU has: an H100 132, an MI300X 304.
    fn multiprocessors(&self) -> usize {
        if self.gpu == Gpu::Amd { 256 } else { 128 }
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new(if self.is_gated() { "gated_narrow_product" } else { "narrow_product" });
        k.counts(self.flops());
        if self.rows == 0 || self.rows > NarrowProduct::ROWS_MAX {
            k.fail("rows", &format!("{} rows are not among 1 to {}", self.rows, NarrowProduct::ROWS_MAX));
        }
        if self.is_added && self.outputs.matrices().len() > 1 {
            k.fail("is_added", "only the product by one matrix is added to something");
        }
        let (tile, matrices, several) = (self.tile(), self.outputs.matrices(), self.several());
        let x = k.input("x", self.dtype);
        let weights: Vec<_> = matrices.iter().zip(WEIGHTS).map(|(_, name)| k.input(name, self.dtype)).collect();
        let others = self.is_added.then(|| k.input(OTHERS, self.dtype));
        let place = |(_, name): (&usize, &str)| k.output(name, several.written());
        let places: Vec<_> = several.lengths.iter().zip(RESULTS).map(place).collect();

        // Of whole steps over the inputs each part has as many as another, or the last has fewer.
        let share = self.inputs.div_ceil(tile.depth).div_ceil(tile.parts) * tile.depth;
        let part = k.program_id(1);
        let from = part * share;
        let to = (from + share).minimum(self.inputs);
        if let Outputs::Gated(length) = self.outputs {
            let own = Own { length, start: k.program_id(0) * tile.outputs };
            let outputs = own.outputs(tile, self.inputs);
            let [gate, up] = self.sums(x, [weights[0], weights[1]], outputs, [from, to]);
            self.store(places[0], gate * gate.sigmoid() * up, &own, None);
            return k.finish();
        }
        let chosen = several.chosen(&k, &weights.iter().map(|weight| [*weight]).collect::<Vec<_>>());
        let are_whole = several.lengths.iter().all(|length| length.is_multiple_of(tile.outputs));
        let unit = if are_whole { tile.outputs } else { 1 };
        let outputs = Line::until(chosen.number * tile.outputs, tile.outputs, chosen.end, unit, self.inputs);
        let [sum] = self.sums(x, chosen.of, outputs, [from, to]);
        several.write(&k, |place, length, start, is_own| {
            let own = Own { length, start };
            let (others, is_other) = others.map(|others| self.places(others, &own)).unzip();
            let sum = others.map_or(sum, |others| load(others, is_other.flatten()).cast(DType::F32) + sum);
            self.store(places[place] + part.cast(DType::I64) * (self.rows * length), sum, &own, is_own);
        });
        k.finish()
    }

    /// Writes (output, row) where the result is whose first element is at `place`, if it is the program's own.
    fn store<'k>(&self, place: Value<'k>, result: Value<'k>, own: &Own<'k>, is_own: Option<Value<'k>>) {
        let (places, is_place) = self.places(place, own);
        let is_own = is_own.map(|is_own| is_own.broadcast(&[self.tile().outputs, self.padded()]));
        store(places, result, both(is_place, is_own));
    }

    /// Where (output, row) of an array (row, output) are that begins at `place`, and which are there; `None`: all.
    fn places<'k>(&self, place: Value<'k>, own: &Own<'k>) -> (Value<'k>, Option<Value<'k>>) {
        let rows = Line::new(place.builder.int(0), self.padded(), self.rows, own.length);
        pointers(place, own.outputs(self.tile(), 1), rows)
    }

    /// Rows as the matrix units take them.
    fn padded(&self) -> usize {
        self.rows.next_power_of_two().max(16)
    }

    /// Of some `outputs` of each weight over a range of the inputs, (output, row).
    fn sums<'k, const N: usize>(
        &self,
        x: Value<'k>,
        weights: [Value<'k>; N],
        outputs: Line<'k>,
        [from, to]: [Value<'k>; 2],
    ) -> [Value<'k>; N] {
        let (k, tile) = (x.builder, self.tile());
        let zeros = k.zeros(&[tile.outputs, self.padded()]);
        let rows = Line::new(k.int(0), self.padded(), self.rows, self.inputs);
        k.for_range(from, to, tile.depth, [zeros; N], |at, sums| {
            let terms = Line::new(at, tile.depth, self.inputs, 1);
            let (right, is_right) = pointers(x, terms, rows);
            let left = weights.map(|weight| {
                let (left, is_left) = pointers(weight, outputs, terms);
                load(left, is_left)
            });
            let right = load(right, is_right);
            std::array::from_fn(|place| left[place].dot_add(right, sums[place]))
        })
    }

    /// [`NarrowProduct::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let NarrowProduct { rows, inputs: length, outputs, is_added, dtype, .. } = *self;
        VectorProduct { rows, inputs: length, outputs, is_added, dtype }.reference(graph, inputs)
    }
}

/// What a program has of a matrix, or of each that gates and is gated.
struct Own<'k> {
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
        let NarrowProduct { rows, inputs, outputs, is_added, dtype, gpu } = self;
        let added = if *is_added { ", added" } else { "" };
        write!(f, "product of {rows} vectors, {inputs} to {outputs}{added}, {dtype}, tiles for {gpu}")
    }
}

/// Outputs of a program: the fewest that matrix units take, and on AMD the most where there are many.
const LEAST: usize = 16;
const NARROW: usize = 64;
const WIDE: usize = 128;

/// With fewer wide programs than this many of an AMD GPU's multiprocessors have nothing to do.
const PROGRAMS_MIN: usize = 64;

/// The most parts of the inputs.
const PARTS_MAX: usize = 4;

/// The most programs beside each other on a multiprocessor that are worth fewer stages of each, and the most stages that are worth their memory.
const BESIDE_MAX: usize = 3;
const STAGES_MAX: usize = 5;

const WEIGHTS: [&str; 3] = ["weight", "second", "third"];
const OTHERS: &str = "others";
const RESULTS: [&str; 3] = ["y", "y_second", "y_third"];

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let outputs = Outputs::Each([7, 0, 0]);
        let (dtype, gpu) = (DType::BF16, Gpu::Hopper);
        let one = NarrowProduct { rows: 40, inputs: 300, outputs, is_added: false, dtype, gpu };
        for (product, golden) in [
            (one, expect_file!["../tests/golden/narrow_product.mlir"]),
            (
                NarrowProduct { outputs: Outputs::Each([8192, 300, 0]), inputs: 4096, rows: 16, ..one },
                expect_file!["../tests/golden/narrow_product_of_two.mlir"],
            ),
            (
                NarrowProduct { outputs: Outputs::Gated(100), rows: 10, ..one },
                expect_file!["../tests/golden/gated_narrow_product.mlir"],
            ),
            (
                NarrowProduct { is_added: true, rows: 1, ..one },
                expect_file!["../tests/golden/narrow_product_added.mlir"],
            ),
        ] {
            golden.assert_eq(&crate::triton::print(&product.kernel().expect("the kernel is built")));
        }
    }
}
