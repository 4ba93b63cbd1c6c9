//! Root mean square normalisation of a few vectors, as in generation token by token, with what is added to them before: in one launch what XLA makes two or three
//! of, which wait for each other.

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::laid::Laid;
use crate::mask::{load, store};
use crate::packed_weight::BLOCK_INPUTS;
use crate::{Builder, Code, Kernel, KernelError, Launch, Road, Value};

/// `x / sqrt(mean(x^2) + epsilon) * weight` of each row (Zhang and Sennrich 2019), of the sum of x and a residual if there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowNorm {
    /// Vectors.
    pub rows: usize,
    /// Length of each.
    pub inputs: usize,
    /// What the mean square is kept above 0 with.
    pub epsilon: f64,
    /// How weights are applied.
    pub form: NormForm,
    /// Type of all, but of a residual's parts.
    pub dtype: DType,
    /// What is added to x.
    pub residual: Residual,
    /// Whether what x is then is laid out for packed products, too.
    pub is_laid: bool,
}

/// How normalised vectors are multiplied with a weight, and where they are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormForm {
    /// Before and behind (Llama).
    Narrow,
    /// Behind (OLMo 2).
    Wide,
    /// Behind, and 1 is added to the weight (Gemma).
    OneMore,
}

/// What is added to vectors before they are normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Residual {
    /// Nothing.
    None,
    /// Other vectors.
    Whole,
    /// The sum of so many in f32, rounded.
    Parts(usize),
}

/// A residual, as [`Residual`] says.
#[derive(Clone, Copy)]
pub enum Added<'g> {
    /// With the axes of what it is added to.
    Whole(Tensor<'g>),
    /// In f32, with the axis `part` before those.
    Parts(Tensor<'g>),
}

/// The longest vector: a program has all of one in its registers.
const INPUTS_MAX: usize = 1 << 14;

/// The most rows, and the most where they are sums; more keep XLA's own kernels busy.
const ROWS_MAX: usize = 16;
const SUMS_MAX: usize = 128;

impl RowNorm {
    /// Of a Llama of 7 billion parameters.
    pub(crate) fn timed() -> Vec<Operation> {
        let (form, residual) = (NormForm::Narrow, Residual::None);
        let one = RowNorm { rows: 1, inputs: 4096, epsilon: 1e-5, form, dtype: DType::BF16, residual, is_laid: false };
        let many = RowNorm { rows: 64, residual: Residual::Parts(2), ..one };
        let most = RowNorm { rows: 128, residual: Residual::Parts(4), is_laid: true, ..one };
        [one, many, most].map(Operation::RowNorm).to_vec()
    }

    /// Of lengths that are a power of two and are none, by themselves and of sums.
    pub(crate) fn tried() -> Vec<Operation> {
        let (form, residual) = (NormForm::Narrow, Residual::None);
        let few = RowNorm { rows: 3, inputs: 1111, epsilon: 1e-3, form, dtype: DType::BF16, residual, is_laid: false };
        let all = [
            few,
            RowNorm { form: NormForm::OneMore, dtype: DType::F16, ..few },
            RowNorm { form: NormForm::Wide, ..few },
            RowNorm { rows: 1, inputs: 64, ..few },
            RowNorm { inputs: 8192, ..few },
            RowNorm { residual: Residual::Whole, ..few },
            RowNorm { residual: Residual::Parts(3), form: NormForm::OneMore, ..few },
            RowNorm { residual: Residual::Parts(1), rows: 20, inputs: 2048, dtype: DType::F16, ..few },
            RowNorm { residual: Residual::Parts(2), rows: 21, inputs: 192, is_laid: true, ..few },
        ];
        all.map(Operation::RowNorm).to_vec()
    }

    /// x (row, input) and the weight (input), then the residual (row, input) or its parts (part, row, input).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [row, input] = self.axes();
        let argument =
            |name, dtype, axes: &[Axis]| Argument::new(name, TensorType::new(dtype, axes), Fill::Normal(1.0));
        let residual = match self.residual {
            Residual::None => None,
            Residual::Whole => Some(argument("residual", self.dtype, &[row, input])),
            Residual::Parts(parts) => Some(argument("residual", DType::F32, &[Axis::new("part", parts), row, input])),
        };
        let mut all = vec![argument("x", self.dtype, &[row, input]), argument("weight", self.dtype, &[input])];
        all.extend(residual);
        all
    }

    fn axes(&self) -> [Axis; 2] {
        [Axis::new("row", self.rows), Axis::new("input", self.inputs)]
    }

    /// Gives what x is then, and behind that the sum if there is a residual, and (block, row, element) of what is laid out.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        Ok(road.run(&self.launch(&self.axes())?, inputs))
    }

    fn launch(&self, axes: &[Axis]) -> Result<Launch, KernelError> {
        let plain = if self.residual == Residual::None { 1 } else { 2 };
        let rows = &axes[..axes.len() - 1];
        let plain = vec![TensorType::new(self.dtype, axes); plain].into_iter();
        let laid = self.is_laid.then(|| TensorType::new(self.dtype, &self.laid().axes(rows)));
        Ok(Launch {
            kernel: self.kernel()?,
            grid: [self.rows, 1, 1],
            code: Code::Triton { warps: (self.inputs / 512).clamp(1, 8).next_power_of_two(), stages: 1 },
            results: plain.chain(laid).collect(),
            in_place: Vec::new(),
        })
    }

    fn laid(&self) -> Laid {
        Laid { rows: self.rows, inputs: self.inputs }
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new(if self.residual == Residual::None { "row_norm" } else { "sum_and_norm" });
        if self.inputs > INPUTS_MAX {
            k.fail("inputs", &format!("{} elements are more than {INPUTS_MAX}", self.inputs));
        }
        if self.is_laid && !self.inputs.is_multiple_of(BLOCK_INPUTS) {
            k.fail("laid", &format!("{} elements are no whole blocks of {BLOCK_INPUTS}", self.inputs));
        }
        let [x, weight] = ["x", "weight"].map(|name| k.input(name, self.dtype));
        let residual = match self.residual {
            Residual::None => None,
            Residual::Whole => Some(k.input("residual", self.dtype)),
            Residual::Parts(_) => Some(k.input("residual", DType::F32)),
        };
        let y = k.output("y", self.dtype);
        let place = k.range(self.inputs.next_power_of_two());
        let is_place = (!self.inputs.is_power_of_two()).then(|| place.less(self.inputs));
        let number = k.program_id(0);
        let row = number * self.inputs;
        // Before the sum is stored: what is loaded behind that waits for memory once more.
        let weight = load(weight + place, is_place).cast(DType::F32);
        let mut vector = load(x + row + place, is_place).cast(DType::F32);
        if let Some(residual) = residual {
            let sum = vector + self.residual(residual + row + place, is_place);
            let sum = sum.cast(self.dtype);
            store(k.output("sum", self.dtype) + row + place, sum, is_place);
            vector = sum.cast(DType::F32);
        }
        let normal = vector * ((vector * vector).sum(0) / self.inputs as f64 + self.epsilon).rsqrt();
        // Rounded where models in graph operations round it, as transformers does: a prompt and the steps behind it are to be one computation.
        let result = match self.form {
            NormForm::Narrow => normal.cast(self.dtype).cast(DType::F32) * weight,
            NormForm::Wide => normal * weight,
            NormForm::OneMore => normal * (weight + 1.0),
        };
        store(y + row + place, result, is_place);
        if self.is_laid {
            store(k.output("laid", self.dtype) + self.laid().place(number, place), result, is_place);
        }
        k.finish()
    }

    /// The residual in f32, rounded as vectors are; of its parts the first is at `places`.
    fn residual<'k>(&self, places: Value<'k>, is_place: Option<Value<'k>>) -> Value<'k> {
        let Residual::Parts(parts) = self.residual else { return load(places, is_place).cast(DType::F32) };
        let part = |number: usize| load(places + number * self.rows * self.inputs, is_place);
        (1..parts).fold(part(0), |sum, number| sum + part(number)).cast(self.dtype).cast(DType::F32)
    }

    /// [`RowNorm::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (x, weight) = (inputs[0], inputs[1]);
        let sum = match self.residual {
            Residual::None => None,
            Residual::Whole => Some(x + inputs[2]),
            Residual::Parts(_) => Some(x + inputs[2].sum(&["part"]).cast(x.dtype())),
        };
        let x = sum.unwrap_or(x);
        let normal = x * ((x * x).mean(&["input"]) + self.epsilon).rsqrt();
        let normal = normal * if self.form == NormForm::OneMore { weight + 1.0 } else { weight };
        let laid = self.is_laid.then(|| self.laid().lay(normal));
        std::iter::once(normal).chain(sum).chain(laid).collect()
    }
}

/// What the norm of a sum gives.
#[derive(Clone, Copy)]
pub struct NormOfSum<'g> {
    /// The sum, normalised.
    pub normal: Tensor<'g>,
    /// The sum.
    pub sum: Tensor<'g>,
    /// The first, laid out for packed products, if that was asked for and serves.
    pub laid: Option<Tensor<'g>>,
}

/// Vectors over the axis `input` that are normalised by a `weight` (input).
#[derive(Clone, Copy)]
pub struct Norm<'g> {
    /// The vectors, along any axes.
    pub x: Tensor<'g>,
    /// The axis that they are over.
    pub input: &'static str,
    /// What each of their elements is multiplied with then.
    pub weight: Tensor<'g>,
    /// What the mean square is kept above 0 with.
    pub epsilon: f64,
    /// How weights are applied.
    pub form: NormForm,
}

impl<'g> Norm<'g> {
    /// What they are then, with their axes. `None` where other kernels serve better: many or long vectors, or other types.
    pub fn alone(self) -> Option<Tensor<'g>> {
        self.launched(Residual::None, false, &[])?.pop()
    }

    /// The same of their sum with what is `added`. `is_laid`: for packed products, if that serves.
    pub fn of_sum(self, added: Added<'g>, is_laid: bool) -> Option<NormOfSum<'g>> {
        let axes = self.x.axes();
        let (residual, added, ty) = match added {
            Added::Whole(added) => (Residual::Whole, added, TensorType::new(self.x.dtype(), &axes)),
            Added::Parts(parts) => {
                let part = *parts.axes().first().filter(|axis| axis.name == "part")?;
                (Residual::Parts(part.size), parts, TensorType::new(DType::F32, &[&[part], &axes[..]].concat()))
            }
        };
        if added.ty() != ty {
            return None;
        }
        let mut results = self.launched(residual, is_laid, &[added])?.into_iter();
        Some(NormOfSum { normal: results.next()?, sum: results.next()?, laid: results.next() })
    }

    /// Whether there is a kernel for sums of such vectors with others.
    pub fn is_of_sums(&self) -> bool {
        self.kernel(Residual::Whole, false).is_some()
    }

    fn launched(self, residual: Residual, is_laid: bool, added: &[Tensor<'g>]) -> Option<Vec<Tensor<'g>>> {
        let Norm { x, input, weight, .. } = self;
        let graph = x.graph();
        // Devices have vectors of their own, and none a part of one.
        let is_laid = is_laid && !graph.is_partitioned();
        if self.kernel(residual, is_laid).is_none()
            || !graph.part_types(&[input], &[x])[0].axes.contains(&x.axis(input))
        {
            return None;
        }
        let given: Vec<_> = [x, weight].into_iter().chain(added.iter().copied()).collect();
        let others: Vec<&'static str> = x.axes().iter().map(|axis| axis.name).filter(|name| *name != input).collect();
        Some(graph.per_shard(&others, &given, |own| {
            let own_norm = Norm { x: own[0], weight: own[1], ..self };
            let launch = own_norm.kernel(residual, is_laid).and_then(|kernel| kernel.launch(&own[0].axes()).ok());
            launch.map_or_else(Vec::new, |launch| graph.run(&launch, own))
        }))
    }

    fn kernel(&self, residual: Residual, is_laid: bool) -> Option<RowNorm> {
        let Norm { x, input, weight, epsilon, form } = *self;
        let axes = x.axes();
        let rows = axes.iter().filter(|axis| axis.name != input).map(|axis| axis.size).product();
        let inputs = x.axis(input).size;
        let is_laid = is_laid && Laid { rows, inputs }.serves();
        let norm = RowNorm { rows, inputs, epsilon, form, dtype: x.dtype(), residual, is_laid };
        let is_last = axes.last().is_some_and(|axis| axis.name == input);
        let is_narrow = matches!(x.dtype(), DType::BF16 | DType::F16) && weight.dtype() == x.dtype();
        let rows_max = if residual == Residual::None { ROWS_MAX } else { SUMS_MAX };
        let serves = is_last && is_narrow && (1..=rows_max).contains(&rows) && norm.inputs <= INPUTS_MAX;
        serves.then_some(norm)
    }
}

impl fmt::Display for RowNorm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowNorm { rows, inputs, form, dtype, residual, is_laid, .. } = self;
        let form = match form {
            NormForm::Narrow => "",
            NormForm::Wide => ", rounded once",
            NormForm::OneMore => ", one more",
        };
        write!(f, "norm of {rows} vectors of {inputs}{form}, {dtype}")?;
        match residual {
            Residual::None => Ok(()),
            Residual::Whole => f.write_str(", of sums with others"),
            Residual::Parts(parts) => write!(f, ", of sums with others in {parts} parts"),
        }?;
        f.write_str(if *is_laid { ", laid out" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let (form, residual) = (NormForm::OneMore, Residual::None);
        let norm = RowNorm { rows: 2, inputs: 300, epsilon: 1e-5, form, dtype: DType::BF16, residual, is_laid: false };
        let of_sums = RowNorm { residual: Residual::Parts(2), form: NormForm::Narrow, ..norm };
        let laid = RowNorm { rows: 100, inputs: 192, is_laid: true, ..of_sums };
        let texts =
            [norm, of_sums, laid].map(|norm| crate::triton::print(&norm.kernel().expect("the kernel is built")));
        expect_file!["../tests/golden/row_norm.mlir"].assert_eq(&texts.concat());
    }

    #[test]
    fn results_are_rounded_before_the_weight_in_the_narrow_form_alone() {
        let roundings = |form| {
            let (dtype, residual) = (DType::BF16, Residual::None);
            let norm = RowNorm { rows: 2, inputs: 300, epsilon: 1e-5, form, dtype, residual, is_laid: false };
            crate::triton::print(&norm.kernel().expect("the kernel is built")).matches("arith.truncf").count()
        };
        assert_eq!([NormForm::Narrow, NormForm::Wide, NormForm::OneMore].map(roundings), [2, 1, 1]);
    }

    #[test]
    fn vectors_of_no_whole_blocks_are_not_laid_out() {
        let (form, residual) = (NormForm::Narrow, Residual::None);
        let norm = RowNorm { rows: 70, inputs: 300, epsilon: 1e-5, form, dtype: DType::BF16, residual, is_laid: true };
        let error = norm.kernel().expect_err("300 is no multiple of 64").to_string();
        assert!(error.contains("300 elements are no whole blocks of 64"), "{error}");
    }

    #[test]
    fn sums_of_other_axes_have_no_kernel() {
        let graph = Graph::new();
        let [batch, token, embed] =
            [("batch", 2), ("token", 3), ("embed", 64)].map(|(name, size)| Axis::new(name, size));
        let part = Axis::new("part", 2);
        let of = |dtype, axes: &[Axis]| graph.input("given", dtype, axes);
        let weight = of(DType::BF16, &[embed]);
        let (x, form) = (of(DType::BF16, &[token, embed]), NormForm::Narrow);
        let norm = Norm { x, input: "embed", weight, epsilon: 1e-5, form };
        let (whole, parts) =
            (|axes: &[Axis]| Added::Whole(of(DType::BF16, axes)), |axes: &[Axis]| Added::Parts(of(DType::F32, axes)));
        for added in [whole(&[token, embed]), parts(&[part, token, embed])] {
            assert!(norm.of_sum(added, false).is_some());
        }
        for added in [
            whole(&[batch, token, embed]),
            whole(&[embed]),
            parts(&[part, batch, token, embed]),
            parts(&[batch, token, embed]),
        ] {
            assert!(norm.of_sum(added, false).is_none());
        }
    }
}
