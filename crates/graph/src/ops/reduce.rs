//! Reductions over named axes.

use std::ops::Neg;

use crate::autodiff::VjpCx;
use crate::lower::Emitter;
use crate::{DType, Tensor, TensorType};

use super::attributes::{ints, scalar};
use super::index::named_once;
use super::{Op, Operand};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Sum,
    Max,
}

#[derive(Clone, Debug)]
pub(crate) struct Reduce {
    kind: Reduction,
    axes: Vec<&'static str>,
}

impl<'g> Tensor<'g> {
    fn reduce(self, kind: Reduction, axes: &[&'static str]) -> Tensor<'g> {
        self.graph.apply(Op::Reduce(Reduce { kind, axes: axes.to_vec() }), &[self])
    }

    /// The sum over `axes`, in the tensor's type. bf16 and f16 are added up in f32 and rounded once, at the end: a running sum in bf16
    /// stands still once it is 256 times as large as what is added.
    pub fn sum(self, axes: &[&'static str]) -> Tensor<'g> {
        if axes.is_empty() {
            return self;
        }
        let dtype = self.dtype();
        self.cast(dtype.accumulator()).reduce(Reduction::Sum, axes).cast(dtype)
    }

    /// The sum over all axes.
    pub fn sum_all(self) -> Tensor<'g> {
        let axes: Vec<_> = self.axes().iter().map(|axis| axis.name).collect();
        self.sum(&axes)
    }

    /// The largest element over `axes`.
    pub fn max(self, axes: &[&'static str]) -> Tensor<'g> {
        if axes.is_empty() { self } else { self.reduce(Reduction::Max, axes) }
    }

    /// The place of the largest element along `axis`, the first of equals, as I32.
    ///
    /// In a row with a NaN it means nothing: where the backend's maximum is NaN nothing equals it, and the result is the size of `axis`, one
    /// beyond the last place; where it passes over NaN, so does this. Look for NaN first.
    pub fn argmax(self, axis: &'static str) -> Tensor<'g> {
        let largest = self.max(&[axis]);
        let places = self.graph.iota(self.axis(axis), DType::I32);
        let size = self.axis(axis).size as f64;
        // The first place is the highest of those that are counted from the end; 0 stands for none.
        let from_end = places.neg() + size;
        let kept = self.equals(largest).select(from_end.broadcast(&self.axes()), 0.0);
        kept.max(&[axis]).neg() + size
    }

    /// The mean over `axes`.
    pub fn mean(self, axes: &[&'static str]) -> Tensor<'g> {
        let count: usize = axes.iter().map(|axis| self.axis(axis).size).product();
        let dtype = self.dtype();
        (self.cast(dtype.accumulator()).sum(axes) * (1.0 / count as f64)).cast(dtype)
    }

    /// `exp(x) / sum(exp(x))` along `axis`, shifted by the largest element so that it cannot overflow.
    pub fn softmax(self, axis: &'static str) -> Tensor<'g> {
        let shifted = (self - self.max(&[axis]).stop_gradient()).exp();
        shifted / shifted.sum(&[axis])
    }

    /// `log(sum(exp(x)))` along `axis`, shifted by the largest element so that it cannot overflow.
    pub fn log_sum_exp(self, axis: &'static str) -> Tensor<'g> {
        let largest = self.max(&[axis]).stop_gradient();
        (self - largest).exp().sum(&[axis]).log() + largest
    }
}

impl Reduce {
    pub(super) fn name(&self) -> &'static str {
        match self.kind {
            Reduction::Sum => "sum",
            Reduction::Max => "max",
        }
    }

    pub(super) fn infer(&self, arg: &TensorType) -> Result<TensorType, String> {
        if let Some(axis) = self.axes.iter().find(|axis| !arg.has(axis)) {
            return Err(format!("there is no axis `{axis}`"));
        }
        named_once(&self.axes)?;
        if arg.dtype == DType::Bool || arg.dtype.is_float8() {
            return Err(format!("is not defined for {}; cast it", arg.dtype));
        }
        Ok(self.axes.iter().fold(arg.clone(), |ty, axis| ty.without(axis)))
    }

    pub(super) fn vjp<'g>(&self, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Tensor<'g> {
        let axes = cx.input_type(0).axes;
        match self.kind {
            Reduction::Sum => ct.broadcast(&axes),
            Reduction::Max => {
                // Elements that share the maximum share its cotangent.
                let is_largest = cx.input(0).equals(cx.output()).cast(ct.dtype());
                is_largest * (ct / is_largest.sum(&self.axes))
            }
        }
    }

    pub(crate) fn axes(&self) -> &[&'static str] {
        &self.axes
    }

    /// Writes the reduction of two results to one.
    pub(crate) fn combine(&self, e: &mut Emitter<'_>, a: &str, b: &str, ty: &TensorType) -> String {
        e.assign(format!("stablehlo.{} {a}, {b} : {}", self.kind.op(), ty.stablehlo()))
    }

    pub(crate) fn lower(&self, e: &mut Emitter<'_>, arg: &Operand<'_>, result: &TensorType) -> String {
        let dtype = arg.ty.dtype;
        let element = TensorType::new(dtype, &[]).stablehlo();
        let op = self.kind.op();
        let start = match self.kind {
            Reduction::Sum => 0.0,
            Reduction::Max => smallest(dtype),
        };
        let init = e.assign(format!("stablehlo.constant dense<{}> : {element}", scalar(start, dtype)));
        let dims = ints(self.axes.iter().filter_map(|axis| arg.ty.dim(axis)));
        e.assign(format!(
            "stablehlo.reduce({} init: {init}) applies stablehlo.{op} across dimensions = {dims} : ({}, {element}) -> {}",
            arg.name,
            arg.ty.stablehlo(),
            result.stablehlo()
        ))
    }
}

impl Reduction {
    fn op(self) -> &'static str {
        match self {
            Reduction::Sum => "add",
            Reduction::Max => "maximum",
        }
    }
}

/// The smallest value of a type, which a maximum begins with.
fn smallest(dtype: DType) -> f64 {
    match dtype {
        DType::Bool | DType::U8 | DType::U16 | DType::U32 => 0.0,
        DType::I32 => f64::from(i32::MIN),
        // A power of two, so exact.
        DType::I64 => i64::MIN as f64,
        DType::BF16 | DType::F16 | DType::F32 | DType::F64 => f64::NEG_INFINITY,
        DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => {
            unreachable!("no reduction takes them")
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Axis, DType, Graph};

    #[test]
    fn a_maximum_begins_with_the_smallest_value() {
        let cases = [
            (DType::U8, "0"),
            (DType::U32, "0"),
            (DType::I32, "-2147483648"),
            (DType::I64, "-9223372036854775808"),
            (DType::F32, "0xFF800000"),
        ];
        for (dtype, start) in cases {
            let graph = Graph::new();
            let largest = graph.input("x", dtype, &[Axis::new("a", 2)]).max(&["a"]);
            let text = graph.lower("largest", &[("y", largest)], &[]).unwrap().text;
            assert!(text.contains(&format!("stablehlo.constant dense<{start}> :")), "{dtype}: {text}");
        }
    }
}
