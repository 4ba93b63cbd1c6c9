//! Products of a matrix with a few vectors, as in generation token by token: what they take is reading the matrix once, so no matrix unit is
//! asked.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::mask::{load, store};
use crate::{Builder, Code, Kernel, KernelError, Launch, Road, Value};

/// `y[r, o] = sum over i of weight[o, i] x[r, i]`, for few rows r, of several matrices in one launch, or added to other vectors: between two
/// launches there is time in which nothing is read. A norm of the vectors in front is no part of it: reading and squaring them in each program
/// took an H200 8 us longer of 26 than two launches for the norm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorProduct {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What each becomes.
    pub outputs: Outputs,
    /// Whether the product by one matrix is added to other vectors.
    pub is_added: bool,
    /// Type of all.
    pub dtype: DType,
}

/// What a vector becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outputs {
    /// A vector by each of up to three matrices, of these lengths; 0 where there is no such matrix.
    Each([usize; 3]),
    /// `silu(first) * second` of two matrices' vectors, of this length.
    Gated(usize),
}

/// What a program reads at once, and how often in a row before it adds up.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    inputs: usize,
    loads: usize,
    warps: usize,
}

impl Outputs {
    /// Lengths of the results.
    pub(crate) fn results(self) -> Vec<usize> {
        match self {
            Outputs::Each(lengths) => lengths.into_iter().filter(|length| *length > 0).collect(),
            Outputs::Gated(length) => vec![length],
        }
    }

    /// Lengths of what each matrix gives.
    pub(crate) fn matrices(self) -> Vec<usize> {
        match self {
            Outputs::Each(_) => self.results(),
            Outputs::Gated(length) => vec![length; 2],
        }
    }

    /// FLOPs of so many vectors of that length.
    pub(crate) fn flops(self, rows: usize, inputs: usize) -> f64 {
        2.0 * rows as f64 * inputs as f64 * self.matrices().iter().sum::<usize>() as f64
    }
}

impl fmt::Display for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outputs::Each(_) => {
                let lengths: Vec<_> = self.results().iter().map(usize::to_string).collect();
                f.write_str(&lengths.join(" and "))
            }
            Outputs::Gated(length) => write!(f, "gated {length}"),
        }
    }
}

impl VectorProduct {
    /// The most rows for which this is faster than a product of matrices: each is a sum of its own in registers.
    pub const ROWS_MAX: usize = 4;

    /// At the sizes that are timed: those of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let one = [(4096, 4096), (4096, 11_008), (11_008, 4096), (4096, 32_000)];
        let one = one.map(|(inputs, outputs)| VectorProduct::by_one(1, inputs, outputs, DType::BF16));
        let added = [one[0], one[2]].map(|product| VectorProduct { is_added: true, ..product });
        let together = [Outputs::Each([4096; 3]), Outputs::Gated(11_008)];
        let together = together.map(|outputs| VectorProduct { outputs, ..one[0] });
        one.into_iter().chain(added).chain(together).map(Operation::VectorProduct).collect()
    }

    /// With and without what is left over behind whole tiles, for one vector and several, by one matrix and several, with each of what may stand around.
    pub(crate) fn tried() -> Vec<Operation> {
        let few = VectorProduct::by_one(3, 1111, 9, DType::F16);
        let all = [
            VectorProduct::by_one(1, 2048, 5, DType::BF16),
            few,
            VectorProduct::by_one(4, 37, 4, DType::F32),
            VectorProduct { outputs: Outputs::Each([9, 2, 5]), ..few },
            VectorProduct { outputs: Outputs::Each([5, 3, 0]), inputs: 4096, rows: 1, dtype: DType::BF16, ..few },
            VectorProduct { outputs: Outputs::Gated(7), rows: 2, ..few },
            VectorProduct { outputs: Outputs::Gated(5), inputs: 1024, rows: 1, dtype: DType::BF16, ..few },
            VectorProduct { is_added: true, ..few },
            VectorProduct { is_added: true, inputs: 2048, rows: 1, dtype: DType::BF16, ..few },
        ];
        all.map(Operation::VectorProduct).to_vec()
    }

    pub(crate) fn flops(&self) -> f64 {
        self.outputs.flops(self.rows, self.inputs)
    }

    /// By one matrix.
    pub fn by_one(rows: usize, inputs: usize, outputs: usize, dtype: DType) -> VectorProduct {
        VectorProduct { rows, inputs, outputs: Outputs::Each([outputs, 0, 0]), is_added: false, dtype }
    }

    /// One warp for each output, with all its loads begun before the first is needed. On an H200, of tiles of 1 to 8 outputs, 256 to 1024 inputs, 1 to
    /// 4 loads and 1 to 8 warps, this was the fastest for 4096 to 11,008, 11,008 to 4096 and 4096 to 32,000 (4.0 TB/s in the last). Of two matrices at
    /// a time as many loads are begun with half of those from each.
    fn tile(&self) -> Tile {
        let loads = if let Outputs::Gated(_) = self.outputs { 2 } else { 4 };
        Tile { inputs: 512, loads, warps: 1 }
    }

    /// x (row, input), a weight (output, input) for each matrix, and (row, output) that the product is added to.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input] = self.axes();
        let output = |length| Axis::new("output", length);
        let argument = |name, axes: &[Axis], deviation| {
            Argument::new(name, TensorType::new(self.dtype, axes), Fill::Normal(deviation))
        };
        let mut all = vec![argument("x", &[row, input], 1.0)];
        let weights = self.outputs.matrices().into_iter().zip(WEIGHTS);
        all.extend(weights.map(|(length, name)| argument(name, &[output(length), input], 0.02)));
        all.extend(self.is_added.then(|| argument(OTHERS, &[row, output(self.outputs.results()[0])], 1.0)));
        all
    }

    fn axes(&self) -> [Axis; 2] {
        [Axis::new("row", self.rows), Axis::new("input", self.inputs)]
    }

    /// Gives a (row, output) for each result.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let [row, _] = self.axes();
        Ok(road.run(&self.launch(&[row])?, inputs))
    }

    /// With results over these axes, which are the rows, and their own.
    pub(crate) fn launch(&self, rows: &[Axis]) -> Result<Launch, KernelError> {
        let tile = self.tile();
        let results = self.outputs.results();
        let result = |length: &usize| TensorType::new(self.dtype, &[rows, &[Axis::new("output", *length)]].concat());
        Ok(Launch {
            kernel: self.kernel(tile)?,
            grid: [results.iter().sum(), 1, 1],
            code: Code::Triton { warps: tile.warps, stages: 1 },
            results: results.iter().map(result).collect(),
            in_place: Vec::new(),
        })
    }

    fn kernel(&self, tile: Tile) -> Result<Kernel, KernelError> {
        let k =
            Builder::new(if let Outputs::Gated(_) = self.outputs { "gated_vector_product" } else { "vector_product" });
        if self.rows == 0 || self.rows > VectorProduct::ROWS_MAX {
            k.fail("rows", &format!("{} rows are not among 1 to {}", self.rows, VectorProduct::ROWS_MAX));
        }
        let (matrices, results) = (self.outputs.matrices(), self.outputs.results());
        if self.is_added && matrices.len() > 1 {
            k.fail("is_added", "only the product by one matrix is added to something");
        }
        let x = k.input("x", self.dtype);
        let weights: Vec<_> = matrices.iter().zip(WEIGHTS).map(|(_, name)| k.input(name, self.dtype)).collect();
        let others = self.is_added.then(|| k.input(OTHERS, self.dtype));
        let places: Vec<_> = results.iter().zip(RESULTS).map(|(_, name)| k.output(name, self.dtype)).collect();

        let program = k.program_id(0);
        let sums = Sums { product: self, tile, x };
        if let Outputs::Gated(length) = self.outputs {
            let own = Own { output: program, is_own: None };
            let [gates, ups] = [0, 1].map(|number: usize| weights[number]);
            let sums = sums.of(&[own.row(gates, self.inputs), own.row(ups, self.inputs)]);
            for (row, (gate, up)) in sums[..self.rows].iter().zip(&sums[self.rows..]).enumerate() {
                own.store(places[0] + row * length, *gate * gate.sigmoid() * *up);
            }
            return k.finish();
        }
        let sums = sums.of(&[self.chosen_row(program, &weights)]);
        let mut first = 0;
        for (length, place) in results.iter().zip(places) {
            let own = Own::of(program, first, *length, results.len());
            for (row, sum) in sums.iter().enumerate() {
                let other = others.map(|others| own.load(others + row * length));
                own.store(place + row * length, other.map_or(*sum, |other| other + *sum));
            }
            first += length;
        }
        k.finish()
    }

    /// The first element of a program's row, in the matrix that it is for: chosen before it is read, since of a loop for each matrix all would begin and end in each
    /// program.
    fn chosen_row<'k>(&self, program: Value<'k>, weights: &[Value<'k>]) -> Value<'k> {
        let (mut weight, mut output, mut first) = (weights[0], program, 0);
        for (next, length) in weights[1..].iter().zip(self.outputs.results()) {
            first += length;
            let is_behind = program.greater_equal(first);
            weight = is_behind.select(*next, weight);
            output = is_behind.select(program - first, output);
        }
        Own { output, is_own: None }.row(weight, self.inputs)
    }

    /// [`VectorProduct::run`] in graph operations.
    pub fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (x, rest) = inputs.split_first().expect("there are vectors");
        let (weights, others) = rest.split_at(self.outputs.matrices().len());
        let products: Vec<_> = weights.iter().map(|weight| x.dot(*weight, &["input"])).collect();
        match (self.outputs, others) {
            (Outputs::Gated(_), _) => vec![products[0] / ((-products[0]).exp() + 1.0) * products[1]],
            (Outputs::Each(_), [others]) => vec![products[0] + *others],
            (Outputs::Each(_), _) => products,
        }
    }
}

impl fmt::Display for VectorProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VectorProduct { rows, inputs, outputs, dtype, .. } = self;
        let added = if self.is_added { ", added" } else { "" };
        write!(f, "product of {rows} vectors, {inputs} to {outputs}{added}, {dtype}")
    }
}

const WEIGHTS: [&str; 3] = ["weight", "second", "third"];
const OTHERS: &str = "others";
const RESULTS: [&str; 3] = ["y", "y_second", "y_third"];

/// What a program has of a matrix.
struct Own<'k> {
    /// Its output.
    output: Value<'k>,
    /// Whether the matrix is its own; `None`: it is.
    is_own: Option<Value<'k>>,
}

impl<'k> Own<'k> {
    /// Of one of `matrices` that as many programs are for as it has outputs, from the `first` on.
    fn of(program: Value<'k>, first: usize, length: usize, matrices: usize) -> Own<'k> {
        let is_own = || program.greater_equal(first).and(program.less(first + length));
        Own { output: program - first, is_own: (matrices > 1).then(is_own) }
    }

    /// The first element of its row in a matrix.
    fn row(&self, weight: Value<'k>, inputs: usize) -> Value<'k> {
        weight + self.output.cast(DType::I64) * inputs
    }

    fn load(&self, place: Value<'k>) -> Value<'k> {
        load(place + self.output, self.is_own).cast(DType::F32)
    }

    fn store(&self, place: Value<'k>, value: Value<'k>) {
        store(place + self.output, value, self.is_own);
    }
}

/// Products of tiles of matrices, added to sums that each lane has for itself.
struct Sums<'p, 'k> {
    product: &'p VectorProduct,
    tile: Tile,
    x: Value<'k>,
}

impl<'k> Sums<'_, 'k> {
    /// For each of the matrices' `rows`, and of those for each vector.
    fn of(&self, rows: &[Value<'k>]) -> Vec<Value<'k>> {
        let (k, Tile { inputs, loads, .. }, all) = (self.x.builder, self.tile, self.product.inputs);
        let at_once = inputs * loads;
        let whole = all / at_once * at_once;
        let zeros = vec![k.zeros(&[inputs]); rows.len() * self.product.rows];
        let sums = k.for_range_of(0, whole, at_once, &zeros, |from, sums| {
            (0..loads).fold(sums.to_vec(), |sums, load| self.add(rows, from + load * inputs, &sums, true))
        });
        let rest = (whole..all).step_by(inputs);
        let sums = rest.fold(sums, |sums, from| self.add(rows, k.int(from), &sums, from + inputs <= all));
        sums.into_iter().map(|sum| sum.sum(0)).collect()
    }

    fn add(&self, rows: &[Value<'k>], from: Value<'k>, sums: &[Value<'k>], is_whole: bool) -> Vec<Value<'k>> {
        let inputs = from + from.builder.range(self.tile.inputs);
        let load = |place: Value<'k>| match is_whole {
            true => place.load(),
            false => place.load_where(inputs.less(self.product.inputs), 0.0),
        };
        let weights: Vec<_> = rows.iter().map(|row| load(*row + inputs).cast(DType::F32)).collect();
        let x = |vector: usize| load(self.x + vector * self.product.inputs + inputs).cast(DType::F32);
        let x: Vec<_> = (0..self.product.rows).map(x).collect();
        let products = weights.iter().flat_map(|weight| x.iter().map(move |x| *weight * *x));
        sums.iter().zip(products).map(|(sum, product)| *sum + product).collect()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let one = VectorProduct::by_one(2, 300, 7, DType::BF16);
        for (product, golden) in [
            (one, expect_file!["../tests/golden/vector_product.mlir"]),
            (
                VectorProduct { outputs: Outputs::Each([7, 3, 2]), ..one },
                expect_file!["../tests/golden/vector_product_of_three.mlir"],
            ),
            (
                VectorProduct { outputs: Outputs::Gated(7), ..one },
                expect_file!["../tests/golden/gated_vector_product.mlir"],
            ),
            (VectorProduct { is_added: true, ..one }, expect_file!["../tests/golden/vector_product_added.mlir"]),
        ] {
            golden.assert_eq(&crate::triton::print(&product.kernel(product.tile()).expect("the kernel is built")));
        }
    }
}
