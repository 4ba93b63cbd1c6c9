//! Float tensors in another float type, for writing.

use std::borrow::Cow;

use graph::{DType, HostTensor};
use half::{bf16, f16};

/// A tensor of integers or truth values was to become another type, or another type to become one of them.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("a {from} tensor cannot be converted to {to}: only float types are converted into each other")]
pub struct NotFloat {
    from: DType,
    to: DType,
}

/// The tensor with each element rounded to the nearest value of `to`, ties to even; values beyond its range become
/// infinite and NaN stays NaN. A tensor that has the type already is returned as it is, borrowed bytes included.
///
/// # Errors
/// The types differ and one of them is not a float type.
pub fn cast(tensor: HostTensor<'_>, to: DType) -> Result<HostTensor<'_>, NotFloat> {
    use DType::{BF16, F16, F32, F64};
    let (from, bytes) = (tensor.dtype(), tensor.bytes());
    if from == to {
        return Ok(tensor);
    }
    let converted = match (from, to) {
        (F32, BF16) => convert(bytes, bf16::from_f32),
        (F32, F16) => convert(bytes, f16::from_f32),
        (F32, F64) => convert(bytes, |x: f32| f64::from(x)),
        (BF16, F32) => convert(bytes, |x: bf16| x.to_f32()),
        (BF16, F16) => convert(bytes, |x: bf16| f16::from_f32(x.to_f32())),
        (BF16, F64) => convert(bytes, |x: bf16| x.to_f64()),
        (F16, F32) => convert(bytes, |x: f16| x.to_f32()),
        (F16, BF16) => convert(bytes, |x: f16| bf16::from_f32(x.to_f32())),
        (F16, F64) => convert(bytes, |x: f16| x.to_f64()),
        (F64, F32) => convert(bytes, |x: f64| x as f32),
        (F64, BF16) => convert(bytes, |x: f64| bf16::from_f32(round_to_odd(x))),
        (F64, F16) => convert(bytes, |x: f64| f16::from_f32(round_to_odd(x))),
        _ => return Err(NotFloat { from, to }),
    };
    HostTensor::new(to, tensor.shape(), Cow::Owned(converted)).map_err(|_| NotFloat { from, to })
}

fn convert<A: bytemuck::AnyBitPattern, B: bytemuck::NoUninit>(bytes: &[u8], one: impl Fn(A) -> B) -> Vec<u8> {
    let elements = bytes.chunks_exact(size_of::<A>());
    let mut converted = Vec::with_capacity(elements.len() * size_of::<B>());
    for element in elements {
        converted.extend_from_slice(bytemuck::bytes_of(&one(bytemuck::pod_read_unaligned(element))));
    }
    converted
}

/// The f32 beside `x` whose last bit is set, unless `x` is an f32 itself: rounding that to 16 bits is rounding `x` to
/// them, where rounding to the nearest f32 first could make a tie of what is none (Boldo and Melquiond, "When double
/// rounding is odd", 2005). `half`'s own conversions from f64 drop the lower 32 bits and have the same fault.
fn round_to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    let widened = f64::from(nearest);
    if widened == x || x.is_nan() || nearest.to_bits() & 1 == 1 {
        return nearest;
    }
    let towards_x = if widened.abs() > x.abs() { -1 } else { 1 };
    f32::from_bits(nearest.to_bits().wrapping_add_signed(towards_x))
}
