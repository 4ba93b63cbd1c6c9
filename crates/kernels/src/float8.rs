//! 8-bit floats in host memory: what a number becomes in one, and its bits.

use graph::DType;

/// Bits of the mantissa, what is added to exponents, and the largest number.
fn form(dtype: DType) -> (i32, i32, f64) {
    match dtype {
        DType::F8E4M3FN => (3, 7, 448.0),
        DType::F8E4M3FNUZ => (3, 8, 240.0),
        DType::F8E5M2 => (2, 15, 57_344.0),
        _ => (2, 16, 57_344.0),
    }
}

/// The exponent of a number that is not 0, or the least of normal numbers.
fn exponent(x: f64, bias: i32) -> i32 {
    let own = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    own.max(1 - bias)
}

/// The nearest number of an 8-bit type, and of two the even one; NaN for what is larger than all of its numbers.
pub(crate) fn round(x: f64, dtype: DType) -> f64 {
    let (mantissa_bits, bias, largest) = form(dtype);
    let unit = f64::from(exponent(x, bias) - mantissa_bits).exp2();
    let rounded = (x / unit).round_ties_even() * unit;
    if rounded.abs() <= largest { rounded } else { f64::NAN }
}

/// The bits of a number that is one of the type's.
pub(crate) fn bits(x: f64, dtype: DType) -> u8 {
    let (mantissa_bits, bias, _) = form(dtype);
    let is_unsigned_zero = matches!(dtype, DType::F8E4M3FNUZ | DType::F8E5M2FNUZ);
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    if x.is_nan() {
        return if is_unsigned_zero { 0x80 } else { 0x7f };
    }
    if x == 0.0 {
        return if is_unsigned_zero { 0 } else { sign };
    }
    let exponent = exponent(x, bias);
    // The leading one of a normal number adds 1 to the exponent's bits, which those of numbers below do without.
    let units = (x.abs() / f64::from(exponent - mantissa_bits).exp2()) as i32;
    sign | (units + ((exponent + bias - 1) << mantissa_bits)) as u8
}

#[cfg(test)]
mod tests {
    use graph::HostTensor;

    use super::*;

    /// As `graph` reads them.
    #[test]
    fn bits_are_those_of_the_number() {
        for dtype in [DType::F8E4M3FN, DType::F8E4M3FNUZ, DType::F8E5M2, DType::F8E5M2FNUZ] {
            let bytes: Vec<u8> = (0..=255).collect();
            let tensor = HostTensor::new(dtype, &[256], bytes).expect("a number each");
            let numbers: Vec<f64> = tensor.to_f32().into_iter().map(f64::from).collect();
            let mut sorted: Vec<f64> = numbers.iter().copied().filter(|x| x.is_finite()).collect();
            sorted.sort_by(f64::total_cmp);
            for (byte, x) in (0..=255).zip(&numbers).filter(|(_, x)| x.is_finite()) {
                assert_eq!((bits(*x, dtype), round(*x, dtype)), (byte, *x), "{dtype}");
            }
            for pair in sorted.windows(2) {
                let [low, high] = [pair[0], pair[1]];
                let near = |part: f64| round(low + (high - low) * part, dtype);
                assert!(near(0.49) == low && near(0.51) == high, "{dtype}: between {low} and {high}");
            }
            let largest = sorted[sorted.len() - 1];
            assert!(round(largest * 1.5, dtype).is_nan() && round(f64::NAN, dtype).is_nan(), "{dtype}");
            assert!(numbers[usize::from(bits(f64::NAN, dtype))].is_nan(), "{dtype}");
        }
    }
}
