//! The selective scan of Mamba (Gu and Dao 2023, section 3.3): `h = exp(width * rate) h + width * x B`, `y = C h`, where each channel has
//! states of its own, with a rate each, and B and C are common to the channels of a token.
//!
//! The states of all tokens would be as many times larger than everything else as a channel has states. So they live in registers, and of
//! them only those between segments of positions are kept, from which the backward pass computes a segment's again.

mod backward;
mod forward;
mod spread;
mod tile;
mod token;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::launch::GRID_MAX;
use crate::token_by_token::TokenByToken;
use crate::{Gpu, KernelError, Road};

/// Positions between two states that are kept: few enough that those take little memory, and many enough segments that the backward
/// pass, which computes all of them at the same time, fills a GPU.
const SEGMENT: usize = 256;

/// The most states of a channel: a program holds those of eight channels in registers.
const STATE_MAX: usize = 64;

/// The scan of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelectiveScan {
    /// Rows.
    pub batch: usize,
    /// Tokens of a row.
    pub positions: usize,
    /// Channels.
    pub inner: usize,
    /// States of a channel.
    pub state: usize,
    /// Type of x and y; everything else is f32.
    pub dtype: DType,
    /// Whether rows hold several documents, whose numbers are an argument then.
    pub documents: bool,
    /// What it is computed on.
    pub gpu: Gpu,
}

impl SelectiveScan {
    /// At the size that is timed.
    pub(crate) fn timed() -> Vec<Operation> {
        let mamba = SelectiveScan {
            batch: 2,
            positions: 4096,
            inner: 5376,
            state: 16,
            dtype: DType::BF16,
            documents: false,
            gpu: Gpu::Hopper,
        };
        vec![Operation::SelectiveScan(mamba), Operation::SelectiveScanBackward(mamba)]
    }

    /// At sizes that are no multiples of any block, with less than a block of tokens, and with as many states as fill no lane.
    pub(crate) fn tried() -> Vec<Operation> {
        let odd = SelectiveScan {
            batch: 2,
            positions: 521,
            inner: 21,
            state: 16,
            dtype: DType::F32,
            documents: false,
            gpu: Gpu::Hopper,
        };
        let all = [
            odd,
            // Documents go on from one segment into the next.
            SelectiveScan { documents: true, inner: 16, ..odd },
            SelectiveScan { documents: true, positions: 43, gpu: Gpu::Amd, ..odd },
            SelectiveScan { positions: 3, state: 5, ..odd },
            SelectiveScan { dtype: DType::BF16, positions: 40, state: 1, ..odd },
            // A tile more than programs of two have.
            SelectiveScan { positions: 40, inner: 24, ..odd },
        ];
        let both = |scan: SelectiveScan| [Operation::SelectiveScan(scan), Operation::SelectiveScanBackward(scan)];
        all.into_iter().flat_map(both).collect()
    }

    /// Its size, on a line.
    pub(crate) fn described(&self, passes: &str) -> String {
        let SelectiveScan { batch, positions, inner, state, dtype, documents, gpu } = self;
        let documents = if *documents { ", packed" } else { "" };
        format!("selective scan {passes} ({batch}, {positions}, {inner}, {state}), {dtype}{documents}, for {gpu}")
    }

    /// x and widths (batch, position, inner), rates (inner, state), B and C (batch, position, state), perhaps the document of each token,
    /// i32 (batch, position), and the state before the first token (batch, inner, state). A document's first token is given the state 0; before
    /// a row's first token there is document 0.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let [batch, position, inner, state] = self.axes();
        let f32 = |axes: &[Axis]| TensorType::new(DType::F32, axes);
        let mut arguments = vec![
            Argument::new("x", TensorType::new(self.dtype, &[batch, position, inner]), Fill::Normal(1.0)),
            Argument::new("widths", f32(&[batch, position, inner]), Fill::Uniform(0.001, 0.5)),
            Argument::new("rates", f32(&[inner, state]), Fill::Uniform(-8.0, -0.1)),
            Argument::new("b", f32(&[batch, position, state]), Fill::Normal(1.0)),
            Argument::new("c", f32(&[batch, position, state]), Fill::Normal(1.0)),
        ];
        if self.documents {
            let documents = TensorType::new(DType::I32, &[batch, position]);
            arguments.push(Argument::new("documents", documents, Fill::Documents));
        }
        arguments.push(Argument::new("h", f32(&[batch, inner, state]), Fill::Normal(1.0)));
        arguments
    }

    /// [`SelectiveScan::arguments`], and the cotangents of y and of the state behind the last token.
    pub(crate) fn backward_arguments(&self) -> Vec<Argument> {
        let [batch, position, inner, state] = self.axes();
        let mut arguments = self.arguments();
        let dy = TensorType::new(self.dtype, &[batch, position, inner]);
        arguments.push(Argument::new("dy", dy, Fill::Normal(1.0)));
        arguments.push(Argument::new("dlast", TensorType::new(DType::F32, &[batch, inner, state]), Fill::Normal(1.0)));
        arguments
    }

    fn axes(&self) -> [Axis; 4] {
        [
            Axis::new("batch", self.batch),
            Axis::new("position", self.positions),
            Axis::new("inner", self.inner),
            Axis::new("state", self.state),
        ]
    }

    fn segments(&self) -> Axis {
        Axis::new("segment", self.positions.div_ceil(SEGMENT))
    }

    /// Whether the kernels count this far.
    ///
    /// # Errors
    /// A row has too many numbers, or there are too many rows or segments.
    pub fn check(&self) -> Result<(), KernelError> {
        let refuse =
            |rule: String| Err(KernelError { kernel: "selective_scan".to_owned(), op: self.described("of"), rule });
        // Some places beyond a row's end are named, and not looked at.
        let beyond = |size: usize| size.saturating_add(2 * STATE_MAX);
        let row = beyond(self.positions.max(self.state)).checked_mul(beyond(self.inner.max(self.state)));
        if row.and_then(|row| i32::try_from(row).ok()).is_none() {
            return refuse("places in a row are counted in 32 bits".to_owned());
        }
        if !(1..=STATE_MAX).contains(&self.state) {
            return refuse(format!("a channel has up to {STATE_MAX} states, which are held in registers"));
        }
        if self.batch.max(self.segments().size) > GRID_MAX {
            return refuse(format!("a grid has at most {GRID_MAX} rows and segments"));
        }
        if !matches!(self.dtype, DType::BF16 | DType::F16 | DType::F32) {
            return refuse(format!("x is bf16, f16 or f32 and not {}", self.dtype));
        }
        Ok(())
    }

    /// y (batch, position, inner), the state behind the last token (batch, inner, state), and the state before each segment, which
    /// [`SelectiveScan::backward`] needs.
    ///
    /// # Errors
    /// [`SelectiveScan::check`].
    pub fn forward<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        Ok(road.run(&forward::launch(self)?, inputs))
    }

    /// Of `inputs` those of [`SelectiveScan::forward`], what that kept, and the cotangents of y and of the last state: the cotangents of x,
    /// widths, rates, B, C and the state before the first token.
    ///
    /// # Errors
    /// [`SelectiveScan::check`].
    pub fn backward<R: Road>(
        &self,
        road: &R,
        inputs: &[R::Array],
        kept: &R::Array,
        cotangents: [&R::Array; 2],
    ) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        backward::run(self, road, &inputs[..inputs.len() - 1], kept, cotangents)
    }

    /// The forward pass and the derivative of what [`SelectiveScan::backward_arguments`] say.
    pub(crate) fn forward_and_backward<R: Road>(
        &self,
        road: &R,
        inputs: &[R::Array],
    ) -> Result<Vec<R::Array>, KernelError> {
        let (inputs, cotangents) = inputs.split_at(self.arguments().len());
        let results = self.forward(road, inputs)?;
        self.backward(road, inputs, &results[2], [&cotangents[0], &cotangents[1]])
    }

    /// [`SelectiveScan::forward_and_backward`] in graph operations.
    pub(crate) fn backward_reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (inputs, cotangents) = inputs.split_at(self.arguments().len());
        let results = self.reference(graph, inputs);
        let [y, last] = [0, 1].map(|place: usize| (results[place] * cotangents[place]).sum_all());
        let wrt: Vec<_> = inputs.iter().copied().filter(|input| input.dtype().is_float()).collect();
        graph.grad(y.cast(last.dtype()) + last, &wrt)
    }

    /// [`SelectiveScan::forward`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [x, widths, rates, b, c] = [0, 1, 2, 3, 4].map(|place: usize| inputs[place]);
        let (h, documents) = match inputs[5..] {
            [documents, h] => (h, Some(documents)),
            _ => (inputs[5], None),
        };
        let scan = TokenByToken::new(self.positions, SEGMENT);
        let scanned = scan.scan(h, &[x, widths, b, c], documents, |h, token| one_step(h, rates, token));
        vec![scanned.y.cast(x.dtype()), scanned.last, scanned.before]
    }
}

/// The state behind a token, and the token's output (batch, inner).
fn one_step<'g>(h: Tensor<'g>, rates: Tensor<'g>, token: &[Tensor<'g>]) -> (Tensor<'g>, Tensor<'g>) {
    let axes = h.axes();
    let wide = |x: Tensor<'g>| x.broadcast(&axes);
    let [x, width, b, c] = [token[0], token[1], token[2], token[3]];
    let before = token.get(4).map_or(h, |goes_on| h * wide(*goes_on));
    let h = (wide(width) * wide(rates)).exp() * before + wide(width * x) * wide(b);
    (h, (h * wide(c)).sum(&["state"]))
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let packed = SelectiveScan {
            batch: 2,
            positions: 9,
            inner: 11,
            state: 3,
            dtype: DType::BF16,
            documents: true,
            gpu: Gpu::Hopper,
        };
        let text = crate::triton::print(&forward::launch(&packed).expect("the kernel is built").kernel);
        expect_file!["../tests/golden/selective_scan.mlir"].assert_eq(&text);
        let launches = backward::launches(&packed).expect("the kernels are built");
        let texts: Vec<_> = launches.iter().map(|launch| crate::triton::print(&launch.kernel)).collect();
        expect_file!["../tests/golden/selective_scan_backward.mlir"].assert_eq(&texts.concat());
    }
}
