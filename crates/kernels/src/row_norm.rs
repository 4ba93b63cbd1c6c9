//! Root mean square normalisation of a few vectors, as in generation token by token: in one launch what XLA makes two of, which wait for each other.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::mask::{load, store};
use crate::{Builder, Kernel, KernelError, Launch, Road};

/// `x / sqrt(mean(x^2) + epsilon) * weight` of each row (Zhang and Sennrich 2019).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowNorm {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What the mean square is kept above 0 with.
    pub epsilon: f64,
    /// Whether 1 is added to the weights (Gemma).
    pub one_more: bool,
    /// Type of all.
    pub dtype: DType,
}

/// The longest vector: a program has all of one in its registers.
const INPUTS_MAX: usize = 1 << 14;

/// The most rows; more keep XLA's own kernels busy.
const ROWS_MAX: usize = 16;

impl RowNorm {
    /// Of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let one = RowNorm { rows: 1, inputs: 4096, epsilon: 1e-5, one_more: false, dtype: DType::BF16 };
        vec![Operation::RowNorm(one)]
    }

    /// Of lengths that are a power of two and are none.
    pub(crate) fn tried() -> Vec<Operation> {
        let few = RowNorm { rows: 3, inputs: 1111, epsilon: 1e-3, one_more: false, dtype: DType::BF16 };
        let all = [
            few,
            RowNorm { one_more: true, dtype: DType::F16, ..few },
            RowNorm { rows: 1, inputs: 64, ..few },
            RowNorm { inputs: 8192, ..few },
        ];
        all.map(Operation::RowNorm).to_vec()
    }

    /// x (row, input) and the weight (input).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input] = [Axis::new("row", self.rows), Axis::new("input", self.inputs)];
        let argument = |name, axes: &[Axis]| Argument::new(name, TensorType::new(self.dtype, axes), Fill::Normal(1.0));
        vec![argument("x", &[row, input]), argument("weight", &[input])]
    }

    /// Gives what x is then.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let [row, input] = [Axis::new("row", self.rows), Axis::new("input", self.inputs)];
        Ok(road.run(&self.launch(&[row, input])?, inputs))
    }

    fn launch(&self, axes: &[Axis]) -> Result<Launch, KernelError> {
        Ok(Launch {
            kernel: self.kernel()?,
            grid: [self.rows, 1, 1],
            warps: (self.inputs / 512).clamp(1, 8).next_power_of_two(),
            stages: 1,
            results: vec![TensorType::new(self.dtype, axes)],
            in_place: Vec::new(),
        })
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("row_norm");
        if self.inputs > INPUTS_MAX {
            k.fail("inputs", &format!("{} elements are more than {INPUTS_MAX}", self.inputs));
        }
        let [x, weight] = ["x", "weight"].map(|name| k.input(name, self.dtype));
        let y = k.output("y", self.dtype);
        let place = k.range(self.inputs.next_power_of_two());
        let is_place = (!self.inputs.is_power_of_two()).then(|| place.less(self.inputs));
        let row = k.program_id(0) * self.inputs;
        let x = load(x + row + place, is_place).cast(DType::F32);
        let weight = load(weight + place, is_place).cast(DType::F32);
        let normal = x * ((x * x).sum(0) / self.inputs as f64 + self.epsilon).rsqrt();
        // Rounded where models in graph operations round it, as transformers does: a prompt and the steps behind it are to be one computation.
        let result = match self.one_more {
            true => normal * (weight + 1.0),
            false => normal.cast(self.dtype).cast(DType::F32) * weight,
        };
        store(y + row + place, result, is_place);
        k.finish()
    }

    /// [`RowNorm::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (x, weight) = (inputs[0], inputs[1]);
        let normal = x * ((x * x).mean(&["input"]) + self.epsilon).rsqrt();
        vec![normal * if self.one_more { weight + 1.0 } else { weight }]
    }
}

/// `x` over the axis `input`, normalised by a `weight` (input), with its axes. `None` where other kernels serve better: many or long vectors, other
/// types, or several devices.
pub fn row_norm<'g>(
    x: Tensor<'g>,
    input: &'static str,
    weight: Tensor<'g>,
    epsilon: f64,
    one_more: bool,
) -> Option<Tensor<'g>> {
    let axes = x.axes();
    let rows = axes.iter().filter(|axis| axis.name != input).map(|axis| axis.size).product();
    let norm = RowNorm { rows, inputs: x.axis(input).size, epsilon, one_more, dtype: x.dtype() };
    let is_last = axes.last().is_some_and(|axis| axis.name == input);
    let is_narrow = matches!(x.dtype(), DType::BF16 | DType::F16) && weight.dtype() == x.dtype();
    let serves = is_last && is_narrow && (1..=ROWS_MAX).contains(&rows) && norm.inputs <= INPUTS_MAX;
    if !serves || x.graph().is_partitioned() {
        return None;
    }
    x.graph().run(&norm.launch(&axes).ok()?, &[x, weight]).pop()
}

impl fmt::Display for RowNorm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowNorm { rows, inputs, one_more, dtype, .. } = self;
        let one_more = if *one_more { ", one more" } else { "" };
        write!(f, "norm of {rows} vectors of {inputs}{one_more}, {dtype}")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernel() {
        let norm = RowNorm { rows: 2, inputs: 300, epsilon: 1e-5, one_more: true, dtype: DType::BF16 };
        let text = crate::triton::print(&norm.kernel().expect("the kernel is built"));
        expect_file!["../tests/golden/row_norm.mlir"].assert_eq(&text);
    }
}
