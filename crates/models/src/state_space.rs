//! What state-space models are made of besides their scans: the causal convolution, step widths and decay rates.
//!
//! Axes: `inner` (channels), `state` (of a channel), `kernel` (taps of the convolution).

pub(crate) mod backbone;
pub(crate) mod dual;
mod fused;
pub(crate) mod selective;

pub(crate) use fused::SCAN;
pub use fused::{convolution_supports, scan_supports};

use graph::{Axis, DType, Init, Tensor};

use crate::Scope;
use crate::config::{Fields, Result, WIDTH_MAX};
use crate::layers::widen;
use crate::pass::LayerPass;

/// Depthwise convolution over a document's tokens up to the present one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convolution {
    taps: usize,
    bias: bool,
}

/// Most taps: each is an operation of its own in the program.
const TAPS_MAX: u64 = 64;

impl Convolution {
    /// `conv_kernel` and `use_conv_bias`.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Convolution> {
        let taps = fields.size_or("conv_kernel", TAPS_MAX, 4)?;
        if taps < 2 {
            let rule = "a convolution of less than 2 taps is not supported";
            return Err(fields.wrong("conv_kernel", &taps.into(), rule));
        }
        Ok(Convolution { taps, bias: fields.flag_or("use_conv_bias", true)? })
    }

    /// SiLU of `x` (batch, position, `channels`) convolved: a sum of shifted products in f32 at least. In `x`'s type.
    pub(crate) fn apply<'g>(
        &self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        channels: &'static str,
        pass: &mut LayerPass<'_, 'g>,
    ) -> Tensor<'g> {
        let channels = x.axis(channels);
        let kernel = Axis::new("kernel", self.taps);
        // torch's own: kaiming_uniform(a = sqrt(5)) of as many inputs as there are taps.
        let init = Init::Uniform(1.0 / (self.taps as f64).sqrt());
        let weight = scope.param("weight", &[channels, Axis::new("channel", 1), kernel], init);
        let bias = self.bias.then(|| widen(scope.param("bias", &[channels], Init::Zeros)));
        if let Some(y) = self.fused(x, weight, bias, pass) {
            return y;
        }
        let earlier = self.taps - 1;
        let carried = pass.carried("convolution", x.dtype(), &[Axis::new("earlier", earlier), channels]);
        let whole = Tensor::concat(&[carried.rename("earlier", "position"), x], "position");
        if let Some(count) = pass.count() {
            pass.carry(ending_at(whole, count, Axis::new("earlier", earlier)));
        }
        let positions = x.axis("position").size;
        let tap = |k: usize| {
            let input = whole.slice("position", k, positions);
            let input = match pass.tokens().segments {
                Some(segments) if k < earlier => {
                    let then = segments.pad("position", earlier - k, 0, 0.0).slice("position", 0, positions);
                    then.equals(segments).select(input, 0.0)
                }
                _ => input,
            };
            widen(input) * widen(weight.slice("kernel", k, 1).sum(&["channel", "kernel"]))
        };
        let sum = (1..self.taps).fold(tap(0), |sum, k| sum + tap(k));
        bias.map_or(sum, |bias| sum + bias).cast(x.dtype()).silu()
    }

    /// The same by kernels, where they are to be used. They round once, behind SiLU.
    fn fused<'g>(
        &self,
        x: Tensor<'g>,
        weight: Tensor<'g>,
        bias: Option<Tensor<'g>>,
        pass: &LayerPass<'_, 'g>,
    ) -> Option<Tensor<'g>> {
        pass.state_space()?;
        let graph = x.graph();
        let channels = weight.axes()[0];
        let documents = pass.tokens().segments;
        let convolution = fused::convolution(x, channels.name, self.taps, documents.is_some())?;
        let weight = widen(weight.sum(&["channel"])).rename("kernel", "tap").transpose(&["tap", channels.name]);
        let bias = bias.unwrap_or_else(|| graph.full(0.0, weight.dtype(), &[channels]));
        let inputs: Vec<_> = [x, weight, bias].into_iter().chain(documents).collect();
        Some(fused::convolve(graph, convolution, channels.name, &inputs))
    }
}

/// As much of `x` (batch, position, …) as stands before so many more positions than `count`, i32 (batch) or without axes, along `earlier`.
fn ending_at<'g>(x: Tensor<'g>, count: Tensor<'g>, earlier: Axis) -> Tensor<'g> {
    match count.axes().is_empty() {
        true => x.dynamic_slice(&[("position", count, earlier.size)]).rename("position", earlier.name),
        false => {
            let places = x.graph().iota(earlier, DType::I32) + count;
            x.take("position", places.transpose(&["batch", earlier.name]))
        }
    }
}

/// How wide the steps are in which a continuous state space is followed: how they begin, and within which bounds they stay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepWidths {
    /// Of the bias.
    pub(crate) init: Init,
    limits: (f64, f64),
}

impl StepWidths {
    /// `time_step_min`, `time_step_max` and `time_step_floor`, between which the bias is drawn.
    pub(crate) fn read(fields: &Fields<'_>, limits: (f64, f64)) -> Result<StepWidths> {
        let low = fields.number_or("time_step_min", 0.001)?;
        let high = fields.number_or("time_step_max", 0.1)?;
        let floor = fields.number_or("time_step_floor", 1e-4)?;
        if high < low {
            let rule = format!("it should not be less than `time_step_min`, {low}");
            return Err(fields.wrong("time_step_max", &high.into(), &rule));
        }
        Ok(StepWidths { init: Init::SoftplusInverse { low, high, floor }, limits })
    }

    /// `softplus(projected + bias)` within the limits, in f32 at least; 0 for what is padding in a step of generation: a step of no width
    /// leaves the state as it is.
    pub(crate) fn apply<'g>(&self, projected: Tensor<'g>, bias: Tensor<'g>, pass: &LayerPass<'_, 'g>) -> Tensor<'g> {
        let mut widths = (widen(projected) + bias).softplus();
        let (low, high) = self.limits;
        if low > 0.0 {
            widths = widths.maximum(low);
        }
        if high.is_finite() {
            widths = widths.minimum(high);
        }
        match pass.count() {
            Some(count) => {
                let places = widths.graph().iota(widths.axis("position"), DType::I32);
                places.less(count).select(widths, 0.0)
            }
            None => widths,
        }
    }
}

/// `-exp(A_log)`, in f32 at least: with which rate each state decays.
pub(crate) fn decay_rates<'g>(scope: &Scope<'g>, axes: &[Axis]) -> Tensor<'g> {
    -scope.wide_param("A_log", axes, Init::LogCount).exp()
}

/// `expand * hidden_size`, which `intermediate_size` has to be if it is given.
pub(crate) fn inner_size(fields: &Fields<'_>, hidden_size: usize) -> Result<usize> {
    let expand = fields.size_or("expand", WIDTH_MAX / hidden_size as u64, 2)?;
    let inner = expand * hidden_size;
    match fields.optional_size("intermediate_size", WIDTH_MAX)? {
        Some(other) if other != inner => {
            let rule = format!("it should be `expand` times `hidden_size`, {inner}");
            Err(fields.wrong("intermediate_size", &other.into(), &rule))
        }
        _ => Ok(inner),
    }
}

/// A sequence cut into chunks of the same size, the last of them padded with zeros.
#[derive(Clone, Copy, Debug)]
struct Chunks {
    positions: usize,
    chunk: Axis,
    /// Axis of the positions of a chunk.
    step: Axis,
}

impl Chunks {
    /// As few as can be of no more than `most` positions, and those as short as can be.
    fn of(positions: usize, most: usize) -> Chunks {
        let count = positions.div_ceil(most);
        Chunks { positions, chunk: Axis::new("chunk", count), step: Axis::new("step", positions.div_ceil(count)) }
    }

    /// `position` as `chunk` and `step`, the axes `first` outermost.
    fn split<'g>(&self, x: Tensor<'g>, first: &[&'static str]) -> Tensor<'g> {
        let padding = self.chunk.size * self.step.size - self.positions;
        let padded = if padding == 0 { x } else { x.pad("position", 0, padding, 0.0) };
        let split = padded.split("position", &[self.chunk, self.step]);
        let rest = split.axes().into_iter().map(|axis| axis.name).filter(|name| !first.contains(name));
        split.transpose(&first.iter().copied().chain(rest).collect::<Vec<_>>())
    }

    /// The reverse: (batch, position, …).
    fn join<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        let rest = x.axes().into_iter().map(|axis| axis.name).filter(|name| !["batch", "chunk", "step"].contains(name));
        let order: Vec<_> = ["batch", "chunk", "step"].into_iter().chain(rest).collect();
        x.transpose(&order).merge(&["chunk", "step"], "position").slice("position", 0, self.positions)
    }
}
