//! The causal depthwise convolution of state-space models (Gu and Dao 2023, section 3.4), with its bias and SiLU in one pass.
//!
//! A program walks along a part of a row, with the tokens that it has just seen in registers, so that each is read once.

mod backward;
mod walk;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::launch::GRID_MAX;
use crate::{Builder, Code, Kernel, KernelError, Launch, Road};
use walk::{Part, Walk, grid};

/// On an H200 (2, 4096, 5376) took 0.059 ms with these, 0.062 with 64 tokens and 0.073 with 256.
const PART: Part = Part { channels: 128, tokens: 128 };

/// Models have 4; with as many as these a program of the backward pass still has room for what it carries.
const TAPS_MAX: usize = 8;

/// `y[t] = silu(bias + sum over k of weight[k] x[t - (taps - 1) + k])`, where a token sees those of its own document only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convolution {
    /// Rows.
    pub batch: usize,
    /// Tokens of a row.
    pub positions: usize,
    /// Channels, each with taps of its own.
    pub channels: usize,
    /// Tokens that one sees, itself among them.
    pub taps: usize,
    /// Type of x and y.
    pub dtype: DType,
    /// Whether rows hold several documents, whose numbers are an argument then.
    pub documents: bool,
}

impl Convolution {
    /// At the size that is timed.
    pub(crate) fn timed() -> Vec<Operation> {
        let mamba =
            Convolution { batch: 2, positions: 4096, channels: 5376, taps: 4, dtype: DType::BF16, documents: false };
        vec![Operation::Convolution(mamba), Operation::ConvolutionBackward(mamba)]
    }

    /// At sizes that are no multiples of any block, and with fewer tokens than taps.
    pub(crate) fn tried() -> Vec<Operation> {
        let odd = Convolution { batch: 2, positions: 149, channels: 131, taps: 4, dtype: DType::F32, documents: false };
        let all = [
            odd,
            Convolution { documents: true, ..odd },
            Convolution { positions: 128, channels: 128, ..odd },
            Convolution { dtype: DType::BF16, taps: 2, positions: 3, ..odd },
            Convolution { taps: 7, positions: 5, documents: true, ..odd },
        ];
        let both = |op: Convolution| [Operation::Convolution(op), Operation::ConvolutionBackward(op)];
        all.into_iter().flat_map(both).collect()
    }

    /// Its size, on a line.
    pub(crate) fn described(&self, pass: &str) -> String {
        let Convolution { batch, positions, channels, taps, dtype, documents } = self;
        let documents = if *documents { ", packed" } else { "" };
        format!("causal convolution {pass} ({batch}, {positions}, {channels}), {taps} taps, {dtype}{documents}")
    }

    /// x (batch, position, channel), weight (tap, channel) and bias (channel) in f32, and perhaps the document of each token, i32 (batch,
    /// position).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [batch, position, channel, tap] = self.axes();
        let mut arguments = vec![
            Argument::new("x", TensorType::new(self.dtype, &[batch, position, channel]), Fill::Normal(1.0)),
            Argument::new("weight", TensorType::new(DType::F32, &[tap, channel]), Fill::Normal(0.5)),
            Argument::new("bias", TensorType::new(DType::F32, &[channel]), Fill::Normal(0.5)),
        ];
        if self.documents {
            arguments.push(Argument::new(
                "documents",
                TensorType::new(DType::I32, &[batch, position]),
                Fill::Documents,
            ));
        }
        arguments
    }

    /// [`Convolution::arguments`], and the cotangent of y.
    pub(crate) fn backward_arguments(&self) -> Vec<Argument> {
        let [batch, position, channel, _] = self.axes();
        let mut arguments = self.arguments();
        let dy = TensorType::new(self.dtype, &[batch, position, channel]);
        arguments.push(Argument::new("dy", dy, Fill::Normal(1.0)));
        arguments
    }

    fn axes(&self) -> [Axis; 4] {
        [
            Axis::new("batch", self.batch),
            Axis::new("position", self.positions),
            Axis::new("channel", self.channels),
            Axis::new("tap", self.taps),
        ]
    }

    /// Whether the kernels count this far.
    ///
    /// # Errors
    /// A row has too many numbers, or there are too many rows, parts of rows, or taps.
    pub fn check(&self) -> Result<(), KernelError> {
        let refuse =
            |rule: String| Err(KernelError { kernel: "causal_convolution".to_owned(), op: self.described("of"), rule });
        // Some places beyond a row's end are named, and not looked at.
        let beyond = PART.tokens.max(backward::PART.tokens) + TAPS_MAX;
        let row = self.positions.saturating_add(beyond).checked_mul(self.channels);
        if row.and_then(|row| i32::try_from(row).ok()).is_none() {
            return refuse("places in a row are counted in 32 bits".to_owned());
        }
        if grid(self, backward::PART)[1].max(self.batch) > GRID_MAX {
            return refuse(format!("a grid has at most {GRID_MAX} rows and parts of rows"));
        }
        if self.taps > TAPS_MAX {
            return refuse(format!("a lane has room for what {TAPS_MAX} taps see"));
        }
        if !matches!(self.dtype, DType::BF16 | DType::F16 | DType::F32) {
            return refuse(format!("x is bf16, f16 or f32 and not {}", self.dtype));
        }
        Ok(())
    }

    /// Gives y (batch, position, channel).
    ///
    /// # Errors
    /// [`Convolution::check`].
    pub fn forward<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        let [batch, position, channel, _] = self.axes();
        let launch = Launch {
            kernel: self.forward_kernel()?,
            grid: grid(self, PART),
            code: Code::Triton { warps: 1, stages: 1 },
            results: vec![TensorType::new(self.dtype, &[batch, position, channel])],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, inputs))
    }

    fn forward_kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("causal_convolution");
        self.write_forward(&k);
        k.finish()
    }

    fn write_forward(&self, k: &Builder) {
        let walk = Walk::new(k, *self, PART);
        let y = walk.tokens(k.output("y", self.dtype));
        let begin = walk.seen_before();
        k.for_range_of(0, walk.turns(), 1, &begin, |turn, before| {
            let mut seen = before.to_vec();
            let first = walk.first(turn);
            for token in walk.read(first) {
                let (_, sum) = walk.sum(&mut seen, &token);
                let place = y + token.number * self.channels;
                walk.store(place, walk.is_token(token.number), sum * sum.sigmoid());
            }
            seen
        });
    }

    /// Of [`Convolution::forward`]'s inputs and the cotangent of y: those of x, weight and bias.
    ///
    /// # Errors
    /// [`Convolution::check`].
    pub fn backward<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        backward::run(self, road, inputs)
    }

    /// [`Convolution::backward`] in graph operations.
    pub(crate) fn backward_reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (dy, inputs) = inputs.split_last().expect("the cotangent is the last");
        let y = self.reference(graph, inputs)[0];
        graph.grad((y * *dy).sum_all(), &inputs[..3])
    }

    /// [`Convolution::forward`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (x, weight, bias) = (inputs[0], inputs[1], inputs[2]);
        let tap = |tap: usize| {
            let back = self.taps - 1 - tap;
            let shifted = x.pad("position", back, 0, 0.0).slice("position", 0, self.positions);
            let seen = match inputs.get(3) {
                Some(documents) => {
                    let then = documents.pad("position", back, 0, 0.0).slice("position", 0, self.positions);
                    then.equals(*documents).select(shifted, 0.0)
                }
                None => shifted,
            };
            seen.cast(weight.dtype()) * weight.slice("tap", tap, 1).sum(&["tap"])
        };
        let sum = (1..self.taps).fold(tap(0), |sum, k| sum + tap(k)) + bias;
        vec![(sum * sum.logistic()).cast(x.dtype())]
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    /// Programs name tokens of their part of a row that are not there.
    #[test]
    fn places_beyond_a_row_are_counted_too() {
        let channels = 1 << 15;
        let of = |positions| {
            Convolution { batch: 1, positions, channels, taps: 4, dtype: DType::BF16, documents: false }.check().is_ok()
        };
        // 65,535 tokens of so many channels are just within 32 bits.
        assert_eq!([65_535 - 136, 65_535 - 135, 65_535, usize::MAX].map(of), [true, false, false, false]);
    }

    #[test]
    fn text_of_the_kernels() {
        let packed =
            Convolution { batch: 2, positions: 37, channels: 131, taps: 2, dtype: DType::BF16, documents: true };
        let text = crate::triton::print(&packed.forward_kernel().expect("the kernel is built"));
        expect_file!["../tests/golden/causal_convolution.mlir"].assert_eq(&text);
        let text = crate::triton::print(&backward::kernel(&packed).expect("the kernel is built"));
        expect_file!["../tests/golden/causal_convolution_backward.mlir"].assert_eq(&text);
    }
}
