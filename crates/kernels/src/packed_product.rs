//! Products of packed matrices with some tens of vectors, as in generation: what they take is reading the matrices once, three quarters of what they are in bf16.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::laid::Laid;
use crate::lines::{Line, pointers};
use crate::mask::{both, load, store};
use crate::packed_by_hand::PackedByHand;
use crate::packed_weight::{BLOCK, BLOCK_INPUTS, BLOCK_OUTPUTS, SMALLEST};
use crate::several_products::SeveralProducts;
use crate::{
    Builder, Code, Kernel, KernelError, Launch, Multiplied, Outputs, PackedWeight, Road, Value, VectorProduct,
};

/// `y[r, o] = sum over i of weight[o, i] x[r, i]`, in bf16, for some rows r, of up to three packed matrices in one launch, or of two of which one gates the other:
/// these are packed as one, the outputs of both in turn. On a Hopper, by hand; the kernel here says what that computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedProduct {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What each becomes.
    pub outputs: Outputs,
    /// Which vectors are laid out.
    pub laid: LaidOut,
}

/// Which vectors are laid out as packed products copy them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaidOut {
    /// Those that are multiplied.
    pub given: bool,
    /// What gates gave.
    pub gated: bool,
}

impl PackedProduct {
    /// The most rows.
    pub const ROWS_MAX: usize = PackedByHand::ROWS_MAX;

    /// At the sizes that are timed: those of a Llama of 7 billion parameters, and of queries in groups.
    pub(crate) fn timed() -> Vec<Operation> {
        let sizes = [
            (4096, Outputs::Each([4096; 3])),
            (4096, Outputs::Each([4096, 1024, 1024])),
            (4096, Outputs::Each([4096, 0, 0])),
            (4096, Outputs::Gated(11_008)),
            (11_008, Outputs::Each([4096, 0, 0])),
            (4096, Outputs::Each([32_000, 0, 0])),
        ];
        let of = |rows: usize, given: bool| {
            sizes.map(|(inputs, outputs)| {
                let laid = LaidOut { given, gated: given && matches!(outputs, Outputs::Gated(_)) };
                PackedProduct { rows, inputs, outputs, laid }
            })
        };
        let all =
            [(1, false), (16, false), (64, false), (128, false), (128, true)].map(|(rows, given)| of(rows, given));
        all.concat().into_iter().map(Operation::PackedProduct).collect()
    }

    /// Of as many rows as there may be and fewer, in parts and in one, by one matrix and several.
    pub(crate) fn tried() -> Vec<Operation> {
        let (each, gated) = (Outputs::Each, Outputs::Gated);
        let laid = LaidOut::default();
        let given = LaidOut { given: true, gated: false };
        let all = [
            PackedProduct { rows: 5, inputs: 128, outputs: each([64, 0, 0]), laid },
            PackedProduct { rows: 16, inputs: 640, outputs: each([64, 0, 0]), laid },
            PackedProduct { rows: 21, inputs: 832, outputs: each([128, 64, 64]), laid },
            PackedProduct { rows: 1, inputs: 64, outputs: each([256, 64, 0]), laid },
            PackedProduct { rows: 128, inputs: 192, outputs: each([64, 128, 0]), laid },
            PackedProduct { rows: 100, inputs: 1280, outputs: each([64, 128, 0]), laid },
            // Tiles of three in a program, and two in the last.
            PackedProduct { rows: 17, inputs: 64, outputs: each([17_024, 0, 0]), laid },
            PackedProduct { rows: 70, inputs: 64, outputs: each([8512, 8512, 0]), laid },
            // The same in two parts that are added up, of so few vectors that one program has none to add.
            PackedProduct { rows: 3, inputs: 1280, outputs: each([8512, 512, 64]), laid },
            PackedProduct { rows: 3, inputs: 512, outputs: gated(128), laid },
            PackedProduct { rows: 40, inputs: 640, outputs: gated(32), laid },
            PackedProduct { rows: 100, inputs: 64, outputs: gated(96), laid },
            PackedProduct { rows: 70, inputs: 640, outputs: each([64, 0, 0]), laid: given },
            PackedProduct { rows: 75, inputs: 1280, outputs: each([8512, 512, 64]), laid: given },
            PackedProduct { rows: 100, inputs: 192, outputs: gated(192), laid: LaidOut { gated: true, ..given } },
            PackedProduct { rows: 21, inputs: 64, outputs: gated(64), laid: LaidOut { gated: true, given: false } },
        ];
        all.map(Operation::PackedProduct).to_vec()
    }

    /// x (row, input), or (block, row, element) laid out, and words and scales of each matrix, or of both in turn.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input] = self.axes();
        let axes = if self.laid.given { self.given().axes(&[row]) } else { vec![row, input] };
        let x = TensorType::new(DType::BF16, &axes);
        let of_matrix = |(length, names): (usize, [&'static str; 2])| {
            let words = TensorType::new(DType::U16, &PackedWeight::axes(length, self.inputs));
            let scales = TensorType::new(DType::F32, &[Axis::new("output", length)]);
            // Any word is of some elements.
            let words = Argument::new(names[0], words, Fill::Whole(0, 1 << 16));
            [words, Argument::new(names[1], scales, Fill::Uniform(0.05, 0.1))]
        };
        let matrices = self.packed().into_iter().zip(ARGUMENTS).flat_map(of_matrix);
        std::iter::once(Argument::new("x", x, Fill::Normal(1.0))).chain(matrices).collect()
    }

    fn axes(&self) -> [Axis; 2] {
        [Axis::new("row", self.rows), Axis::new("input", self.inputs)]
    }

    /// Lengths of what is packed.
    fn packed(&self) -> Vec<usize> {
        match self.outputs {
            Outputs::Each(_) => self.outputs.results(),
            Outputs::Gated(length) => vec![2 * length],
        }
    }

    /// FLOPs.
    pub(crate) fn flops(&self) -> f64 {
        self.outputs.flops(self.rows, self.inputs)
    }

    /// How vectors are laid out, and what gates gave.
    fn given(&self) -> Laid {
        Laid { rows: self.rows, inputs: self.inputs }
    }

    fn gated(&self, length: usize) -> Laid {
        Laid { rows: self.rows, inputs: length }
    }

    /// Gives a (row, output) for each result, or (block, row, element) laid out.
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
            code: Code::ByHand(self.by_hand().code()),
            results: match self.outputs {
                Outputs::Gated(length) if self.laid.gated => {
                    vec![TensorType::new(DType::BF16, &self.gated(length).axes(rows))]
                }
                _ => several.types(rows),
            },
            in_place: Vec::new(),
        })
    }

    fn by_hand(&self) -> PackedByHand {
        let PackedProduct { rows, inputs, laid, .. } = *self;
        PackedByHand { name: self.name(), rows, inputs, lengths: self.packed(), is_gated: self.is_gated(), laid }
    }

    fn several(&self) -> SeveralProducts {
        let outputs = if self.is_gated() { BLOCK_OUTPUTS / 2 } else { BLOCK_OUTPUTS };
        let (lengths, parts) = (self.outputs.results(), self.by_hand().tiling().parts_left());
        SeveralProducts { name: "packed_product", lengths, outputs, parts, dtype: DType::BF16 }
    }

    /// As programs are told by, of which launches do not begin early (`runtime`'s `Programs::WithPackedProducts`).
    fn name(&self) -> &'static str {
        if self.is_gated() { "gated_packed_product" } else { "packed_product" }
    }

    fn is_gated(&self) -> bool {
        matches!(self.outputs, Outputs::Gated(_))
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new(self.name());
        k.counts(self.flops());
        if self.rows == 0 || self.rows > PackedProduct::ROWS_MAX {
            k.fail("rows", &format!("{} rows are not among 1 to {}", self.rows, PackedProduct::ROWS_MAX));
        }
        let (several, packed) = (self.several(), self.packed());
        let is_odd = |length: &&usize| !PackedWeight::holds(**length, self.inputs, DType::BF16);
        if let Some(length) = packed.iter().find(is_odd) {
            k.fail("outputs", &format!("a weight of {length} outputs and {} inputs is not packed", self.inputs));
        }
        let x = k.input("x", DType::BF16);
        let given = |names: [&str; 2]| [k.input(names[0], DType::U16), k.input(names[1], DType::F32)];
        let matrices: Vec<_> = packed.iter().zip(ARGUMENTS).map(|(_, names)| given(names)).collect();
        let places: Vec<_> =
            several.lengths.iter().zip(RESULTS).map(|(_, name)| k.output(name, several.written())).collect();

        let (part, blocks) = (k.program_id(1), self.inputs / BLOCK_INPUTS);
        let range = [part, part + 1].map(|end| end * blocks / several.parts);
        let chosen = several.chosen(&k, &matrices);
        let sum = self.sum(x, chosen.of, chosen.number, range);
        if let Outputs::Gated(length) = self.outputs {
            let [gate, up] = sum.reshape(&[BLOCK_OUTPUTS / 2, 2, self.padded()]).transpose(&[0, 2, 1]).split();
            let (gated, start) = (gate * gate.sigmoid() * up, k.program_id(0) * several.outputs);
            match self.laid.gated {
                true => self.lay(places[0], gated, start, length),
                false => self.store(places[0], gated, start, length, None),
            }
            return k.finish();
        }
        several.write(&k, |place, length, start, is_own| {
            let place = places[place] + part.cast(DType::I64) * (self.rows * length);
            self.store(place, sum, start, length, is_own);
        });
        k.finish()
    }

    /// Rows as blocks have them.
    fn padded(&self) -> usize {
        self.rows.next_power_of_two().max(16)
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
        let outputs = Line::new(start, self.several().outputs, length, 1);
        let rows = Line::new(place.builder.int(0), self.padded(), self.rows, length);
        let (places, is_place) = pointers(place, outputs, rows);
        let is_own = is_own.map(|is_own| is_own.broadcast(&result.shape()));
        store(places, result, both(is_place, is_own));
    }

    /// The same of what gates gave, laid out.
    fn lay<'k>(&self, place: Value<'k>, result: Value<'k>, start: Value<'k>, length: usize) {
        let k = place.builder;
        if !length.is_multiple_of(BLOCK_INPUTS) {
            k.fail("gated", &format!("{length} outputs are no whole blocks of {BLOCK_INPUTS} to lay out"));
        }
        let (output, row) = ((start + k.range(BLOCK_OUTPUTS / 2)).column(), k.range(self.padded()).row());
        let is_row = (self.rows < self.padded()).then(|| row.less(self.rows).broadcast(&result.shape()));
        store(place + self.gated(length).place(row, output), result, is_row);
    }

    /// Of a tile of a matrix's outputs over a range of blocks of the inputs, (output, row).
    fn sum<'k>(
        &self,
        x: Value<'k>,
        [words, scales]: [Value<'k>; 2],
        tile: Value<'k>,
        [from, to]: [Value<'k>; 2],
    ) -> Value<'k> {
        let k = x.builder;
        let (output, input, row) = (k.range(BLOCK_OUTPUTS), k.range(BLOCK_INPUTS), k.range(self.padded()));
        let is_row = (self.rows < self.padded()).then(|| row.less(self.rows).row());
        let first = tile.cast(DType::I64) * (self.inputs / BLOCK_INPUTS);
        let zeros = k.zeros(&[BLOCK_OUTPUTS, self.padded()]);
        let [sum] = k.for_range(from, to, 1, [zeros], |block, [sum]| {
            let right = match self.laid.given {
                true => x + block * (BLOCK_INPUTS * self.rows) + self.given().place(row.row(), input.column()),
                false => x + block * BLOCK_INPUTS + (input.column() + (row * self.inputs).row()),
            };
            let left = unpacked(words + (first + block.cast(DType::I64)) * BLOCK);
            [left.dot_add(load(right, is_row), sum)]
        });
        sum * (scales + tile * BLOCK_OUTPUTS + output).load().column()
    }

    /// [`PackedProduct::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let PackedProduct { rows, inputs: length, outputs, laid } = *self;
        let x = if laid.given { self.given().plain(inputs[0]) } else { inputs[0] };
        let weight = |given: &[Tensor<'g>]| {
            let restored = PackedWeight { words: given[0], scales: given[1].cast(DType::F32) }.restored();
            let named = restored.axes().into_iter().zip(["output", "input"]);
            named.fold(restored.cast(x.dtype()), |weight, (axis, name)| weight.rename(axis.name, name))
        };
        let weights: Vec<_> = inputs[1..].chunks(2).map(weight).collect();
        let weights = match outputs {
            Outputs::Each(_) => weights,
            Outputs::Gated(length) => {
                let both = weights[0].split("output", &[Axis::new("output", length), Axis::new("turn", 2)]);
                [0, 1].map(|turn| both.slice("turn", turn, 1).sum(&["turn"])).to_vec()
            }
        };
        let given: Vec<_> = std::iter::once(x).chain(weights).collect();
        let product = VectorProduct { rows, inputs: length, outputs, is_added: false, dtype: DType::BF16 };
        let mut results = product.reference(graph, &given);
        if let (Outputs::Gated(length), true) = (outputs, laid.gated) {
            results =
                results.into_iter().map(|gated| self.gated(length).lay(gated.rename("output", "input"))).collect();
        }
        results
    }
}

impl fmt::Display for PackedProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PackedProduct { rows, inputs, outputs, laid } = self;
        let given = if laid.given { " laid out" } else { "" };
        let gated = if laid.gated { ", laid out" } else { "" };
        write!(f, "packed product of {rows} vectors{given}, {inputs} to {outputs}{gated}")
    }
}

/// The elements of a block of packed words, (output, input), bf16, as multiples of their rows' scales: [`crate::packed_weight`] says where each lies.
fn unpacked(words: Value<'_>) -> Value<'_> {
    let k = words.builder;
    let (output, input) = (k.range(BLOCK_OUTPUTS).column(), k.range(BLOCK_INPUTS).row());
    let thread = (output / 16 * 32 + output % 16 / 2 * 4) + input % 8 / 2;
    let word = |part: usize| {
        let register = input / 16 * 3 + part;
        let place = thread * 8 + (register / 4 * 1024 + register % 4 * 2 + input % 2);
        (words + place).load().cast(DType::I32)
    };
    let three = [word(0), word(1), word(2)];
    let (is_second, is_further) = ((output % 2).equals(1), (input % 16).greater_equal(8));
    let is_fourth = is_second.and(is_further);
    let own = is_further.select(three[2], is_second.select(three[1], three[0]));
    let spare = three.map(|word| word / 2048 % 16);
    let exponent = is_fourth.select(spare[0], own / 128 % 16);
    let mantissa = is_fourth.select(spare[1] * 8 + spare[2] / 2, own % 128).cast(DType::F32);
    let is_negative = is_fourth.select(spare[2] % 2, own / 32_768).equals(1);
    let normal = (mantissa / 128.0 + 1.0) * (exponent - 15).cast(DType::F32).exp2();
    let magnitude = exponent.equals(0).select(mantissa * (-SMALLEST).exp2(), normal);
    is_negative.select(-magnitude, magnitude).cast(DType::BF16)
}

const ARGUMENTS: [[&str; 2]; 3] = [["words", "scales"], ["second", "second_scales"], ["third", "third_scales"]];
const RESULTS: [&str; 3] = ["y", "y_second", "y_third"];
