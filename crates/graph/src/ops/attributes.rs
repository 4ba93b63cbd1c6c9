//! Spelling of attributes in StableHLO text.

use crate::DType;

/// `[0, 2, 1]`.
pub(super) fn ints(values: impl IntoIterator<Item = usize>) -> String {
    let items: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// The spelling of `value` in a `dense<…>` of the given type: shortest decimal that reads back exactly, hexadecimal bits for
/// infinities and NaN.
pub(crate) fn scalar(value: f64, dtype: DType) -> String {
    match dtype {
        DType::Bool => (value != 0.0).to_string(),
        // A constant of these has nothing to be multiplied with: zeros alone fill arrays, and every 8-bit float has them.
        DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => decimal(format!("{value:e}")),
        DType::U8 | DType::U16 | DType::U32 | DType::I32 | DType::I64 => format!("{}", value as i64),
        DType::F64 if value.is_finite() => decimal(format!("{value:e}")),
        DType::F64 => format!("0x{:016X}", value.to_bits()),
        DType::F32 if (value as f32).is_finite() => decimal(format!("{:e}", value as f32)),
        DType::F32 => format!("0x{:08X}", (value as f32).to_bits()),
        DType::BF16 => {
            let value = half::bf16::from_f64(value);
            if value.is_finite() {
                decimal(format!("{:e}", value.to_f32()))
            } else {
                format!("0x{:04X}", value.to_bits())
            }
        }
        DType::F16 => {
            let value = half::f16::from_f64(value);
            if value.is_finite() {
                decimal(format!("{:e}", value.to_f32()))
            } else {
                format!("0x{:04X}", value.to_bits())
            }
        }
    }
}

/// MLIR reads a number as floating point only if it has a decimal point.
fn decimal(text: String) -> String {
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_read_back_exactly() {
        let cases: [(f64, DType, &str); 8] = [
            (1.0, DType::F32, "1.0e0"),
            (1e-5, DType::F32, "1.0e-5"),
            (0.1, DType::F64, "1.0e-1"),
            (-2.5, DType::BF16, "-2.5e0"),
            (f64::NEG_INFINITY, DType::F32, "0xFF800000"),
            (f64::NEG_INFINITY, DType::BF16, "0xFF80"),
            (7.0, DType::I32, "7"),
            (1.0, DType::Bool, "true"),
        ];
        for (value, dtype, expected) in cases {
            assert_eq!(scalar(value, dtype), expected, "{value} as {dtype}");
        }
    }
}
