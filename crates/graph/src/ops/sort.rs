//! The order of elements along an axis.

use crate::lower::Emitter;
use crate::{DType, Tensor, TensorType};

use super::{Op, Operand};

/// The places that the elements along an axis have once they are sorted, smallest first. Places have no derivative; that of the sorted
/// elements is the one of [`Tensor::take`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argsort {
    axis: &'static str,
}

impl<'g> Tensor<'g> {
    /// Along `axis`, where the smallest element stands, then where the next one does, and so on, as I32: `x.take(axis, x.argsort(axis))` is
    /// sorted, but for the order of axes. Equal elements keep their order; NaN comes last.
    pub fn argsort(self, axis: &'static str) -> Tensor<'g> {
        self.graph.apply(Op::Argsort(Argsort { axis }), &[self])
    }
}

impl Argsort {
    pub(super) fn infer(&self, x: &TensorType) -> Result<TensorType, String> {
        if !x.has(self.axis) {
            return Err(format!("there is no axis `{}`", self.axis));
        }
        if x.dtype == DType::Bool {
            return Err("is not defined for bool; cast it".into());
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
        let order = if x.ty.dtype.is_float() { ", TOTALORDER" } else { "" };
        let [a, b, a_place, b_place, first] = [(); 5].map(|()| e.fresh());
        let sorted = e.assign_many(
            2,
            format!(
                "\"stablehlo.sort\"({}, {places}) <{{dimension = {dim} : i64, is_stable = true}}> ({{\n\
                 ^bb0({a}: {element}, {b}: {element}, {a_place}: tensor<i32>, {b_place}: tensor<i32>):\n  \
                 {first} = stablehlo.compare LT, {a}, {b}{order} : ({element}, {element}) -> tensor<i1>\n  \
                 stablehlo.return {first} : tensor<i1>\n}}) : ({x_ty}, {places_ty}) -> ({x_ty}, {places_ty})",
                x.name
            ),
        );
        sorted[1].clone()
    }
}
