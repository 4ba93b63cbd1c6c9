//! Products with weights in 8-bit floats (Micikevicius et al. 2022, "FP8 Formats for Deep Learning").
//!
//! Activations and weights are rounded to E4M3, which is precise, and gradients to E5M2, which has the wider range. Each tensor gets one scale,
//! found from its own largest element where the product is computed ("current" scaling):
//!
//! - One scale for a tensor, because matrix units multiply a product with two numbers for nothing, while a scale for each row is one more pass over the
//!   product, and could not be used for a weight's gradient, which adds up over the rows. 8-bit floats have exponents of their own: a finer scale
//!   makes no element more precise that lies within 2^14 of the largest, in E4M3, but only keeps still smaller ones.
//! - The scale is a power of two, so that it changes exponents alone: scaling rounds nothing, in whichever type and order a compiler does it.
//! - Scales of steps before would save a pass over each tensor. They are state that checkpoints would have to hold, and too small a scale after
//!   a jump makes infinities.
//!
//! No element is clamped: by its scale none is beyond the type's largest number, so that what is no number stays visible.

use graph::{Axis, DType, Float8, Init, ParamSpec, Tensor};

use crate::Scope;
use crate::layers::wide;

/// The name, for a rematerialisation policy, of products in 8-bit floats.
pub(crate) const FLOAT8_PRODUCT: &str = "float8_product";

/// A tensor in 8-bit floats.
#[derive(Clone, Copy)]
struct Rounded<'g> {
    /// The elements over `unit`.
    values: Tensor<'g>,
    /// A power of two in f32, without axes; NaN if the tensor's largest element is infinite or NaN, because a conversion may make the largest
    /// number of an infinity.
    unit: Tensor<'g>,
}

/// `weight` times `x` over the axis `input`, in `x`'s type. The weight has that axis and another, in any order and any type.
pub(crate) fn product<'g>(kind: Float8, x: Tensor<'g>, weight: Tensor<'g>, input: &'static str) -> Tensor<'g> {
    let products = x.graph().custom_vjp(
        &[x, weight],
        |inputs| {
            let [x, weight] = [inputs[0], inputs[1]];
            let [rows, columns] = [x, weight].map(|tensor| Rounded::of(tensor, kind.precise()));
            (vec![rows.times(columns, &[input], x.dtype()).checkpoint_name(FLOAT8_PRODUCT)], inputs.to_vec())
        },
        |residuals, cts| {
            let [x, weight] = [residuals[0], residuals[1]];
            let [rows, columns] = [x, weight].map(|tensor| Rounded::of(tensor, kind.precise()));
            let ct = Rounded::of(cts[0], kind.wide());
            let d_x = ct.times(columns.fenced(), &names_but(weight, input), x.dtype());
            // In the order of the weight's axes.
            let is_stored_by_inputs = weight.axes()[0].name == input;
            let [first, second] = if is_stored_by_inputs { [rows, ct] } else { [ct, rows] };
            let [first, second] = [first.fenced(), second.fenced()];
            let d_weight = first.times(second, &names_but(x, input), wide(x.dtype())).cast(weight.dtype());
            vec![Some(d_x.transpose(&axis_names(x))), Some(d_weight)]
        },
    );
    products[0]
}

fn names_but(tensor: Tensor<'_>, axis: &str) -> Vec<&'static str> {
    axis_names(tensor).into_iter().filter(|name| *name != axis).collect()
}

/// One of the arrays in which a weight is held that stays as it is.
///
/// A matrix unit takes 8-bit factors whose elements stand side by side along the axis that is summed over. That is one axis of the weight where it is
/// multiplied with activations and the other where it is with gradients, so that it is held in both orders: together as large as once in bf16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float8Part {
    /// The rounded elements in the checkpoint's order, under the weight's own name.
    Values,
    /// The same in the other order.
    Turned,
    /// What both are multiples of.
    Unit,
}

impl Float8Part {
    /// All of them, in the order in which a model declares them.
    pub const ALL: [Float8Part; 3] = [Float8Part::Values, Float8Part::Turned, Float8Part::Unit];

    /// Which one a parameter is; `None` if it is none.
    pub fn of(spec: &ParamSpec) -> Option<Float8Part> {
        let is_named = |part: &Float8Part| !part.suffix().is_empty() && spec.name.ends_with(part.suffix());
        let values = spec.dtype.is_float8().then_some(Float8Part::Values);
        Float8Part::ALL.into_iter().find(is_named).or(values)
    }

    /// The name of this part of the weight of a name.
    pub fn name(self, weight: &str) -> String {
        format!("{weight}{}", self.suffix())
    }

    fn suffix(self) -> &'static str {
        match self {
            Float8Part::Values => "",
            Float8Part::Turned => ".float8_turned",
            Float8Part::Unit => ".float8_unit",
        }
    }

    /// This part of a weight, in an 8-bit type.
    pub fn of_weight<'g>(self, weight: Tensor<'g>, dtype: DType) -> Tensor<'g> {
        let rounded = Rounded::of(weight, dtype);
        match self {
            Float8Part::Values => rounded.values,
            Float8Part::Turned => {
                let turned: Vec<&'static str> = axis_names(weight).into_iter().rev().collect();
                rounded.values.transpose(&turned)
            }
            Float8Part::Unit => rounded.unit,
        }
    }
}

/// The weight of the module at `scope`, which is held in 8-bit floats, times `x`: see [`product`].
pub(crate) fn held_product<'g>(
    kind: Float8,
    scope: &Scope<'g>,
    x: Tensor<'g>,
    input: Axis,
    stored: [Axis; 2],
    init: Init,
) -> Tensor<'g> {
    let dtype = kind.precise();
    let [first, second] = stored;
    let parts = Float8Part::ALL.map(|part| match part {
        Float8Part::Values => scope.param_in(dtype, &part.name("weight"), &[first, second], init),
        Float8Part::Turned => scope.param_in(dtype, &part.name("weight"), &[second, first], init),
        Float8Part::Unit => scope.param_in(DType::F32, &part.name("weight"), &[], Init::Ones),
    });
    // By outputs, then by inputs: each has what it is summed over innermost.
    let [values, turned, unit] = parts;
    let [by_outputs, by_inputs] = if second == input { [values, turned] } else { [turned, values] };
    let input = input.name;
    let products = x.graph().custom_vjp(
        &[x, by_outputs, by_inputs, unit],
        |inputs| {
            let [x, weight, _, unit] = [inputs[0], inputs[1], inputs[2], inputs[3]];
            let rows = Rounded::of(x, kind.precise());
            let columns = Rounded { values: weight, unit };
            (vec![rows.times(columns, &[input], x.dtype()).checkpoint_name(FLOAT8_PRODUCT)], inputs[2..].to_vec())
        },
        |residuals, cts| {
            let columns = Rounded { values: residuals[0], unit: residuals[1] };
            let ct = Rounded::of(cts[0], kind.wide());
            let d_x = ct.times(columns, &names_but(residuals[0], input), cts[0].dtype());
            vec![Some(d_x.transpose(&axis_names(x))), None, None, None]
        },
    );
    products[0]
}

fn axis_names(tensor: Tensor<'_>) -> Vec<&'static str> {
    tensor.axes().into_iter().map(|axis| axis.name).collect()
}

impl<'g> Rounded<'g> {
    fn of(tensor: Tensor<'g>, dtype: DType) -> Rounded<'g> {
        let largest = tensor.abs().max(&axis_names(tensor)).cast(DType::F32);
        let scale = Scale::of(largest, dtype);
        Rounded { values: (tensor.cast(DType::F32) * scale.factor).cast(dtype), unit: scale.unit }
    }

    /// The same, which will be put into another order for a product.
    fn fenced(self) -> Rounded<'g> {
        Rounded { values: self.values.fenced(), unit: self.unit }
    }

    /// The product over the axes `contract`.
    ///
    /// A product of units below 2^-126 counts as 0, and so does what they are units of: elements of about 1 times others of 1e-31.
    ///
    /// This is the form in which XLA knows it: factors in 8 bits, a result in the type that is wanted, multiplied in that type by one number. In
    /// another order it would convert the factors and multiply those.
    fn times(self, other: Rounded<'g>, contract: &[&'static str], dtype: DType) -> Tensor<'g> {
        self.values.dot_as(other.values, contract, dtype) * (self.unit * other.unit).cast(dtype)
    }
}

/// What a tensor is multiplied with so that its elements use a type's range.
struct Scale<'g> {
    factor: Tensor<'g>,
    unit: Tensor<'g>,
}

impl<'g> Scale<'g> {
    /// The largest power of two by which `largest`, an f32 that is not negative, becomes at most 1.75 times a power of two that the type has:
    /// for all of them but `F8E4M3FNUZ`, which goes up to 240 and of which 224 is used, its largest number.
    fn of(largest: Tensor<'g>, dtype: DType) -> Scale<'g> {
        const BIAS: f64 = 127.0;
        const MANTISSA_BITS: f64 = 23.0;
        let exponent = match dtype {
            DType::F8E4M3FN => 8.0,
            DType::F8E4M3FNUZ => 7.0,
            _ => 15.0,
        };
        let graph = largest.graph();
        let whole = |number: f64| graph.constant(number, DType::U32);
        // From 1.75 on, not including it, a quarter more carries over into the exponent.
        let quarter = whole(f64::from((1u32 << 21) - 1));
        let own = (largest.bitcast(DType::U32) + quarter).shift_right(whole(MANTISSA_BITS));
        // Of 0, and of what is nearly 0, as far as both powers are normal numbers. Infinity's exponent, 255, and NaN's, 256, stay within.
        let biased = (whole(2.0 * BIAS + exponent) - own).minimum(whole(2.0 * BIAS - 1.0));
        let power = |biased: Tensor<'g>| biased.shift_left(whole(MANTISSA_BITS)).bitcast(DType::F32);
        Scale { factor: power(biased), unit: power(whole(2.0 * BIAS) - biased) + largest * 0.0 }
    }
}

#[cfg(test)]
mod tests;
