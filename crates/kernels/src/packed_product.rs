//! Products of packed matrices with some vectors, as in generation: what they take is reading the matrices once, three quarters of what they are in bf16. Their elements
//! are unpacked on the way to the matrix units, which have the time for that where there are few vectors.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::lines::{Line, pointers};
use crate::mask::{both, load, store};
use crate::packed_weight::{BLOCK, BLOCK_INPUTS, BLOCK_OUTPUTS, PLANE, ROW};
use crate::several::Several;
use crate::{Builder, Kernel, KernelError, Launch, Multiplied, Outputs, PackedWeight, Road, Value, VectorProduct};

/// `y[r, o] = sum over i of weight[o, i] x[r, i]`, in bf16, for some rows r, of up to three packed matrices in one launch, or of two of which one gates the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedProduct {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What each becomes.
    pub outputs: Outputs,
}

impl PackedProduct {
    /// The most rows with which this is faster than products of what is not packed: see [`PackedProduct::stages`].
    pub const ROWS_MAX: usize = PackedWeight::VECTORS_MAX;

    /// At the sizes that are timed: those of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let sizes = [
            (4096, Outputs::Each([4096; 3])),
            (4096, Outputs::Each([4096, 0, 0])),
            (4096, Outputs::Gated(11_008)),
            (11_008, Outputs::Each([4096, 0, 0])),
            (4096, Outputs::Each([32_000, 0, 0])),
        ];
        let of = |rows: usize| sizes.map(|(inputs, outputs)| PackedProduct { rows, inputs, outputs });
        let all = [of(1), of(16)].concat();
        all.into_iter().map(Operation::PackedProduct).collect()
    }

    /// Of as many rows as there may be and fewer, in parts and in one, by one matrix and several.
    pub(crate) fn tried() -> Vec<Operation> {
        let (each, gated) = (Outputs::Each, Outputs::Gated);
        let all = [
            PackedProduct { rows: 5, inputs: 128, outputs: each([32, 0, 0]) },
            PackedProduct { rows: 16, inputs: 1280, outputs: each([64, 0, 0]) },
            // In four parts of two blocks, of which the last is behind the end.
            PackedProduct { rows: 9, inputs: 640, outputs: each([32, 0, 0]) },
            PackedProduct { rows: 7, inputs: 384, outputs: each([128, 32, 64]) },
            PackedProduct { rows: 1, inputs: 512, outputs: each([8192, 64, 0]) },
            PackedProduct { rows: 3, inputs: 512, outputs: gated(128) },
            PackedProduct { rows: 16, inputs: 640, outputs: gated(64) },
        ];
        all.map(Operation::PackedProduct).to_vec()
    }

    /// x (row, input), and of each matrix words and scales.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let x = TensorType::new(DType::BF16, &self.axes());
        let of_matrix = |(length, names): (usize, [&'static str; 2])| {
            let words = TensorType::new(DType::U16, &PackedWeight::axes(length, self.inputs));
            let scales = TensorType::new(DType::F32, &[Axis::new("output", length)]);
            // Any word is of some elements.
            let words = Argument::new(names[0], words, Fill::Whole(0, 1 << 16));
            [words, Argument::new(names[1], scales, Fill::Uniform(0.05, 0.1))]
        };
        let matrices = self.outputs.matrices().into_iter().zip(ARGUMENTS).flat_map(of_matrix);
        std::iter::once(Argument::new("x", x, Fill::Normal(1.0))).chain(matrices).collect()
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
        let several = self.several();
        Ok(Launch {
            kernel: self.kernel()?,
            grid: [several.programs(), several.parts, 1],
            warps: WARPS,
            stages: self.stages(),
            results: several.types(rows),
            in_place: Vec::new(),
            by_hand: None,
        })
    }

    fn several(&self) -> Several {
        let (lengths, parts, dtype) = (self.outputs.results(), self.parts(), DType::BF16);
        Several { name: "packed_product", lengths, outputs: BLOCK_OUTPUTS, parts, dtype }
    }

    /// A program goes from one block to the next, each of which lies in one piece. Tiles of half a block, or of two that are not behind each other, take longer by up to a fifth. By outputs x
    /// inputs of a program's step, warps, stages and parts, microseconds for 4096 inputs to three times 4096; to 4096; to twice 11,008; and for 11,008 to 4096, of an H200,
    /// 2026-11-30, where a copy of the packed bytes would take 18.2, 6.1, 32.6 and 16.3:
    ///
    /// | vectors | steps | |
    /// |---|---|---|
    /// | 1, 16 | not packed, by [`crate::NarrowProduct`] | 25.3, 10.1, 43.4, 23.2 |
    /// | 16 | 32 x 128 by 2, 4 stages; 5 in 2 parts; 3; 5 in 2 parts | 22.4, 9.0, 36.3, 19.7 |
    /// | 16 | 32 x 256 by 2, in blocks as large | 21.6, 8.9, 37.1, 19.5 |
    /// | 1 | the first | 21.7, 9.2, 35.5, 19.3 |
    /// | 64 | not packed | 28.0, 11.0, 46.7, 25.2 |
    /// | 64 | 64 x 128 by 4, in blocks as large | 30.7, 11.9, 44.1, 24.6 |
    /// | 128 | not packed | 32.6, 12.5, 54.1, 27.8 |
    /// | 128 | 128 x 128 by 8, in blocks as large | 40.2, 15.7, 77.9, 33.1 |
    ///
    /// With many vectors matrix units wait for what is unpacked; as XLA has them compiled the last two took 56 and 29 with 64.
    fn stages(&self) -> usize {
        match (self.is_gated(), self.parts()) {
            (true, _) => 3,
            (false, 1) => 4,
            (false, _) => 5,
        }
    }

    /// In how many parts the inputs go, so that each multiprocessor has two programs: sums alone can be added up.
    fn parts(&self) -> usize {
        let programs: usize = self.outputs.results().iter().map(|length| length / BLOCK_OUTPUTS).sum();
        let wanted = PROGRAMS_WANTED.div_ceil(programs.max(1));
        if self.is_gated() { 1 } else { wanted.min(PARTS_MAX).min(self.inputs / BLOCK_INPUTS) }
    }

    fn is_gated(&self) -> bool {
        matches!(self.outputs, Outputs::Gated(_))
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new(if self.is_gated() { "gated_packed_product" } else { "packed_product" });
        k.counts(self.flops());
        if self.rows == 0 || self.rows > PackedProduct::ROWS_MAX {
            k.fail("rows", &format!("{} rows are not among 1 to {}", self.rows, PackedProduct::ROWS_MAX));
        }
        let several = self.several();
        let is_odd = |length: &&usize| !PackedWeight::holds(**length, self.inputs, DType::BF16);
        if let Some(length) = self.outputs.matrices().iter().find(is_odd) {
            k.fail("outputs", &format!("a weight of {length} outputs and {} inputs is not packed", self.inputs));
        }
        let x = k.input("x", DType::BF16);
        let given = |names: [&str; 2]| [k.input(names[0], DType::U16), k.input(names[1], DType::F32)];
        let matrices: Vec<_> = self.outputs.matrices().iter().zip(ARGUMENTS).map(|(_, names)| given(names)).collect();
        let places: Vec<_> =
            several.lengths.iter().zip(RESULTS).map(|(_, name)| k.output(name, several.written())).collect();

        let share = (self.inputs / BLOCK_INPUTS).div_ceil(several.parts) * BLOCK_INPUTS;
        let part = k.program_id(1);
        let from = part * share;
        let inputs = [from, (from + share).minimum(self.inputs)];
        if let Outputs::Gated(length) = self.outputs {
            let start = k.program_id(0) * BLOCK_OUTPUTS;
            let [gate, up] = self.sums(x, [matrices[0], matrices[1]], start, inputs);
            self.store(places[0], gate * gate.sigmoid() * up, start, length, None);
            return k.finish();
        }
        let chosen = several.chosen(&k, &matrices);
        let [sum] = self.sums(x, [chosen.of], chosen.number * BLOCK_OUTPUTS, inputs);
        several.write(&k, |place, length, start, is_own| {
            let place = places[place] + part.cast(DType::I64) * (self.rows * length);
            self.store(place, sum, start, length, is_own);
        });
        k.finish()
    }

    /// Writes (output, row) where the result is whose first element is at `place`, if it is the program's own.
    fn store<'k>(
        &self,
        place: Value<'k>,
        result: Value<'k>,
        start: Value<'k>,
        length: usize,
        is_own: Option<Value<'k>>,
    ) {
        let outputs = Line::new(start, BLOCK_OUTPUTS, length, 1);
        let rows = Line::new(place.builder.int(0), ROWS, self.rows, length);
        let (places, is_place) = pointers(place, outputs, rows);
        let is_own = is_own.map(|is_own| is_own.broadcast(&[BLOCK_OUTPUTS, ROWS]));
        store(places, result, both(is_place, is_own));
    }

    /// Of some outputs of each matrix, of which there are words and scales, over a range of the inputs, (output, row).
    fn sums<'k, const N: usize>(
        &self,
        x: Value<'k>,
        matrices: [[Value<'k>; 2]; N],
        start: Value<'k>,
        [from, to]: [Value<'k>; 2],
    ) -> [Value<'k>; N] {
        let k = x.builder;
        let (output, column, row) = (k.range(BLOCK_OUTPUTS), k.range(ROW), k.range(ROWS));
        let is_row = (self.rows < ROWS).then(|| row.less(self.rows).row());
        // Of the first output, in all blocks of the inputs.
        let first = start.cast(DType::I64) * (self.inputs / BLOCK_INPUTS * BLOCK / BLOCK_OUTPUTS);
        let zeros = k.zeros(&[BLOCK_OUTPUTS, ROWS]);
        let sums = k.for_range(from, to, BLOCK_INPUTS, [zeros; N], |at, sums| {
            let right: [Value<'k>; 4] = std::array::from_fn(|plane| {
                load(x + (at + plane * ROW) + (column.column() + (row * self.inputs).row()), is_row)
            });
            let block = first + (at * (BLOCK / BLOCK_INPUTS)).cast(DType::I64);
            let words = matrices.map(|[words, _]| {
                let places = words + block + ((output * ROW).column() + column.row());
                std::array::from_fn::<_, 3, _>(|plane| (places + plane * PLANE).load())
            });
            std::array::from_fn(|place| {
                let words = words[place];
                let left = words.map(Value::unpacked).into_iter().chain([Value::unpacked_fourth(words)]);
                left.zip(right).fold(sums[place], |sum, (left, right)| left.dot_add(right, sum))
            })
        });
        std::array::from_fn(|place| {
            let [_, scales] = matrices[place];
            sums[place] * (scales + start + output).load().column()
        })
    }

    /// [`PackedProduct::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let PackedProduct { rows, inputs: length, outputs } = *self;
        let x = inputs[0];
        let weight = |given: &[Tensor<'g>]| {
            let restored = PackedWeight { words: given[0], scales: given[1].cast(DType::F32) }.restored();
            let named = restored.axes().into_iter().zip(["output", "input"]);
            named.fold(restored.cast(x.dtype()), |weight, (axis, name)| weight.rename(axis.name, name))
        };
        let given: Vec<_> = std::iter::once(x).chain(inputs[1..].chunks(2).map(weight)).collect();
        VectorProduct { rows, inputs: length, outputs, is_added: false, dtype: DType::BF16 }.reference(graph, &given)
    }
}

impl fmt::Display for PackedProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PackedProduct { rows, inputs, outputs } = self;
        write!(f, "packed product of {rows} vectors, {inputs} to {outputs}")
    }
}

/// Rows as the matrix units take them.
const ROWS: usize = PackedProduct::ROWS_MAX;

/// Warps of a program, which multiply half of the outputs each.
const WARPS: usize = 2;

/// Programs for each of 128 multiprocessors to have two.
const PROGRAMS_WANTED: usize = 256;

/// The most parts of the inputs.
const PARTS_MAX: usize = 4;

const ARGUMENTS: [[&str; 2]; 3] = [["words", "scales"], ["second", "second_scales"], ["third", "third_scales"]];
const RESULTS: [&str; 3] = ["y", "y_second", "y_third"];

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let each = PackedProduct { rows: 16, inputs: 4096, outputs: Outputs::Each([8192, 8192, 64]) };
        let in_parts = PackedProduct { rows: 5, inputs: 1024, outputs: Outputs::Each([64, 0, 0]) };
        let gated = PackedProduct { rows: 9, inputs: 512, outputs: Outputs::Gated(128) };
        for (product, golden) in [
            (each, expect_file!["../tests/golden/packed_product.mlir"]),
            (in_parts, expect_file!["../tests/golden/packed_product_in_parts.mlir"]),
            (gated, expect_file!["../tests/golden/gated_packed_product.mlir"]),
        ] {
            golden.assert_eq(&crate::triton::print(&product.kernel().expect("the kernel is built")));
        }
    }
}
