//! The order of elements along an axis.

use crate::lower::Emitter;
use crate::{DType, Tensor, TensorType};

use super::attributes::scalar;
use super::{Op, Operand};

/// The places that the elements along an axis have once they are sorted, smallest first. Places have no derivative; that of the sorted
/// elements is the one of [`Tensor::take`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argsort {
    axis: &'static str,
}

impl<'g> Tensor<'g> {
    /// Along `axis`, where the smallest element stands, then where the next one does, and so on, as I32: `x.take(axis, x.argsort(axis))` is
    /// sorted, but for the order of axes. Equal elements keep their order, but -0 comes before 0; NaN comes last, whatever its sign.
    pub fn argsort(self, axis: &'static str) -> Tensor<'g> {
        self.graph.apply(Op::Argsort(Argsort { axis }), &[self])
    }
}

impl Argsort {
    pub(super) fn infer(&self, x: &TensorType) -> Result<TensorType, String> {
        if !x.has(self.axis) {
            return Err(format!("there is no axis `{}`", self.axis));
        }
        if x.dtype == DType::Bool || x.dtype.is_float8() {
            return Err(format!("is not defined for {}; cast it", x.dtype));
        }
        Ok(TensorType::new(DType::I32, &x.axes))
    }

    pub(super) fn acts_along(&self) -> Vec<&'static str> {
        vec![self.axis]
    }

    pub(super) fn lower(&self, e: &mut Emitter<'_>, x: &Operand<'_>, result: &TensorType) -> String {
        let (x_ty, places_ty) = (x.ty.stablehlo(), result.stablehlo());
        let dim = x.ty.dim(self.axis).unwrap_or_default();
        let places = e.assign(format!("stablehlo.iota dim = {dim} : {places_ty}"));
        let element = TensorType::new(x.ty.dtype, &[]).stablehlo();
        // By default a comparison with NaN is false, and no order.
        let (keys, order) = match x.ty.dtype.is_float() {
            true => (with_positive_nan(e, x), ", TOTALORDER"),
            false => (x.name.to_owned(), ""),
        };
        let [a, b, a_place, b_place, first] = [(); 5].map(|()| e.fresh());
        let sorted = e.assign_many(
            2,
            format!(
                "\"stablehlo.sort\"({keys}, {places}) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n\
                 ^bb0({a}: {element}, {b}: {element}, {a_place}: tensor<i32>, {b_place}: tensor<i32>):\n  \
                 {first} = stablehlo.compare LT, {a}, {b}{order} : ({element}, {element}) -> tensor<i1>\n  \
                 stablehlo.return {first} : tensor<i1>\n}}) : ({x_ty}, {places_ty}) -> ({x_ty}, {places_ty})"
            ),
        );
        sorted[1].clone()
    }
}

/// The total order has a NaN with its sign bit set, which x86 makes of 0/0, before all numbers.
fn with_positive_nan(e: &mut Emitter<'_>, x: &Operand<'_>) -> String {
    let (name, ty) = (x.name, x.ty.stablehlo());
    let is_nan_ty = TensorType::new(DType::Bool, &x.ty.axes).stablehlo();
    let nan = e.assign(format!("stablehlo.constant dense<{}> : {ty}", scalar(f64::NAN, x.ty.dtype)));
    let is_nan = e.assign(format!("stablehlo.compare NE, {name}, {name} : ({ty}, {ty}) -> {is_nan_ty}"));
    e.assign(format!("stablehlo.select {is_nan}, {nan}, {name} : {is_nan_ty}, {ty}"))
}
