//! 8-bit floating point: which kinds devices multiply, and what their bits mean.

use std::fmt;

use crate::DType;

/// A kind of 8-bit floats, as a device's matrix units take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float8 {
    /// The Open Compute Project's (OCP 8-bit Floating Point Specification 1.0): NVIDIA's since Ada and Hopper, AMD's since gfx950.
    Ocp,
    /// Those of AMD's gfx942, with one zero, one NaN and no infinities ("8-bit Numerical Formats for Deep Neural Networks", Noune et al. 2022).
    Fnuz,
}

impl Float8 {
    /// The one with more precision: E4M3.
    pub const fn precise(self) -> DType {
        match self {
            Float8::Ocp => DType::F8E4M3FN,
            Float8::Fnuz => DType::F8E4M3FNUZ,
        }
    }

    /// The one with the wider range: E5M2.
    pub const fn wide(self) -> DType {
        match self {
            Float8::Ocp => DType::F8E5M2,
            Float8::Fnuz => DType::F8E5M2FNUZ,
        }
    }
}

impl fmt::Display for Float8 {
    /// `f8e4m3fn and f8e5m2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.precise(), self.wide())
    }
}

/// What a byte of an 8-bit floating-point type means; `None` for other types.
pub(crate) fn to_f32(dtype: DType, byte: u8) -> Option<f32> {
    let (mantissa_bits, bias) = match dtype {
        DType::F8E4M3FN => (3, 7),
        DType::F8E5M2 => (2, 15),
        DType::F8E4M3FNUZ => (3, 8),
        DType::F8E5M2FNUZ => (2, 16),
        _ => return None,
    };
    let sign = if byte & 0x80 == 0 { 1.0 } else { -1.0 };
    match (dtype, byte & 0x7F) {
        (DType::F8E4M3FN, 0x7F) | (DType::F8E5M2, 0x7D..) => return Some(f32::NAN),
        (DType::F8E5M2, 0x7C) => return Some(sign * f32::INFINITY),
        (DType::F8E4M3FNUZ | DType::F8E5M2FNUZ, 0) if byte == 0x80 => return Some(f32::NAN),
        _ => {}
    }
    let mantissa = i32::from(byte & ((1 << mantissa_bits) - 1));
    let exponent = i32::from((byte & 0x7F) >> mantissa_bits);
    let (whole, exponent) = if exponent == 0 { (mantissa, 1) } else { (mantissa + (1 << mantissa_bits), exponent) };
    Some(sign * whole as f32 * 2.0_f32.powi(exponent - bias - mantissa_bits))
}
