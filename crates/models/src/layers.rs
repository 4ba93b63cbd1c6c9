//! Layers that every model is made of.

use graph::{Axis, DType, Init, Remat, Tensor};

use crate::attention::ATTENTION;
use crate::{Scope, lora};

/// How a model draws its weights: Hugging Face's `initializer_range`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearInit {
    pub(crate) standard_deviation: f64,
}

/// `W x (+ b)`, with the module's adapter if it has one; `x` loses `input` and gains `output`.
pub(crate) fn linear<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    input: Axis,
    output: Axis,
    bias: bool,
    init: LinearInit,
) -> Tensor<'g> {
    let weight = scope.param("weight", &[output, input], Init::Normal(init.standard_deviation));
    let mut y = x.dot(weight, &[input.name]);
    if bias {
        y = y + scope.param("bias", &[output], Init::Zeros);
    }
    match lora::adapter(scope, x, input, output) {
        Some(change) => (y + change).checkpoint_name(ADAPTED),
        None => y,
    }
}

/// The name, for a rematerialisation policy, of a linear module's output with its adapter's.
const ADAPTED: &str = "adapted";

/// Keeps products with weights and attention's output, so that only what is cheap is computed again in the backward pass. Of a module with
/// an adapter the sum is kept, instead of both products.
pub fn products_kept() -> Remat {
    Remat::dots(&[ATTENTION, ADAPTED])
}

/// Root mean square normalisation (Zhang and Sennrich 2019) over `axis`, in f32 at least.
pub(crate) fn rms_norm<'g>(scope: &Scope<'g>, x: Tensor<'g>, axis: Axis, epsilon: f64) -> Tensor<'g> {
    let weight = scope.param("weight", &[axis], Init::Ones);
    let wide = widen(x);
    let normal = wide * ((wide * wide).mean(&[axis.name]) + epsilon).rsqrt();
    normal.cast(x.dtype()) * weight
}

/// The tensor in f32, unless it is more precise already.
pub(crate) fn widen(x: Tensor<'_>) -> Tensor<'_> {
    if x.dtype() == DType::F64 { x } else { x.cast(DType::F32) }
}
