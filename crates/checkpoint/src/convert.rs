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

#[cfg(test)]
mod tests {
    use super::*;

    /// Casts one f64 through `from` to `to` and returns it widened.
    #[track_caller]
    fn check(x: f64, to: DType, expected: f32) {
        let tensor = HostTensor::from_vec(&[1], vec![x]).unwrap();
        assert_eq!(cast(tensor, to).unwrap().to_f32(), [expected], "{x:e} from f64 to {to}");
        if f64::from(x as f32) == x {
            let tensor = HostTensor::from_vec(&[1], vec![x as f32]).unwrap();
            assert_eq!(cast(tensor, to).unwrap().to_f32(), [expected], "{x:e} from f32 to {to}");
        }
    }

    #[test]
    fn rounds_to_nearest_even() {
        let ulp_bf16 = 2.0_f64.powi(-7);
        check(1.0 + ulp_bf16 / 2.0, DType::BF16, 1.0);
        check(1.0 + 1.5 * ulp_bf16, DType::BF16, 1.015625);
        check(-1.0 - 1.5 * ulp_bf16, DType::BF16, -1.015625);
        check(1.0 + ulp_bf16 / 2.0 + 2.0_f64.powi(-20), DType::BF16, 1.0078125);
        let ulp_f16 = 2.0_f64.powi(-10);
        check(1.0 + ulp_f16 / 2.0, DType::F16, 1.0);
        check(1.0 + 1.5 * ulp_f16, DType::F16, 1.0 + 2.0_f32.powi(-9));
    }

    /// Just beyond a tie, by less than an f32 can hold beside 1.
    #[test]
    fn does_not_round_twice() {
        check(1.0 + 2.0_f64.powi(-8) + 2.0_f64.powi(-40), DType::BF16, 1.0078125);
        check(1.0 + 3.0 * 2.0_f64.powi(-8) - 2.0_f64.powi(-40), DType::BF16, 1.0078125);
        check(1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40), DType::F16, 1.0 + 2.0_f32.powi(-10));
        check(2.0_f64.powi(-25) + 2.0_f64.powi(-60), DType::F16, 2.0_f32.powi(-24));
    }

    #[test]
    fn keeps_what_has_no_nearest() {
        check(1e300, DType::F16, f32::INFINITY);
        check(-65520.0, DType::F16, f32::NEG_INFINITY);
        check(65519.0, DType::F16, 65504.0);
        check(-1e-300, DType::BF16, -0.0);
        check(f64::INFINITY, DType::BF16, f32::INFINITY);
        for to in [DType::BF16, DType::F16, DType::F32] {
            let nan = cast(HostTensor::from_vec(&[1], vec![f64::NAN]).unwrap(), to).unwrap();
            assert!(nan.to_f32()[0].is_nan());
        }
    }

    #[test]
    fn widening_and_back_changes_no_16_bit_value() {
        for dtype in [DType::BF16, DType::F16] {
            let bits: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
            let all = HostTensor::new(dtype, &[1 << 16], bits).unwrap();
            let numbers: Vec<bool> = all.to_f32().iter().map(|x| !x.is_nan()).collect();
            for wide in [DType::F32, DType::F64] {
                let back = cast(cast(all.clone(), wide).unwrap(), dtype).unwrap();
                let same = all.bytes().chunks(2).zip(back.bytes().chunks(2));
                assert!(same.zip(&numbers).all(|((before, after), is_number)| !is_number || before == after));
            }
        }
    }

    #[test]
    fn integers_are_refused_and_equal_types_borrowed() {
        let ids = HostTensor::from_vec(&[1], vec![7_i32]).unwrap();
        let message = cast(ids, DType::F32).unwrap_err().to_string();
        assert_eq!(message, "a i32 tensor cannot be converted to f32: only float types are converted into each other");
        let values = [1.0_f32, 2.0];
        let same = cast(HostTensor::from_slice(&[2], &values).unwrap(), DType::F32).unwrap();
        assert_eq!(same.bytes().as_ptr(), values.as_ptr().cast());
    }
}
