//! Element types.

use std::fmt;

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// One truth value per byte.
    Bool,
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer; what packed weights lie in.
    U16,
    /// Unsigned 32-bit integer; what the random number generator counts in.
    U32,
    /// Signed 32-bit integer; token ids, positions and indices.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// 8-bit float with 4 bits of exponent and 4 of precision, up to 448, with NaN and no infinity (the Open Compute Project's E4M3).
    F8E4M3FN,
    /// 8-bit float with 5 bits of exponent and 3 of precision, up to 57344, with NaN and infinities (the Open Compute Project's E5M2).
    F8E5M2,
    /// The E4M3 of AMD's MI300 series: up to 240, one zero, one NaN, no infinity.
    F8E4M3FNUZ,
    /// The E5M2 of AMD's MI300 series: up to 57344, one zero, one NaN, no infinity.
    F8E5M2FNUZ,
    /// bfloat16: the exponent of f32, eight bits of precision.
    BF16,
    /// IEEE half precision.
    F16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision; gradients are tested in it.
    F64,
}

impl DType {
    /// Bytes per element.
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::U8 => 1,
            DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => 1,
            DType::U16 | DType::BF16 | DType::F16 => 2,
            DType::U32 | DType::I32 | DType::F32 => 4,
            DType::I64 | DType::F64 => 8,
        }
    }

    /// Whether values of this type have derivatives, and are computed with in every way. 8-bit floats are not: see [`DType::is_float8`].
    pub const fn is_float(self) -> bool {
        matches!(self, DType::BF16 | DType::F16 | DType::F32 | DType::F64)
    }

    /// Whether it is an 8-bit float: factors of products and nothing else. No derivative goes through a conversion to one, because a cotangent
    /// would be rounded to it in silence: who rounds says the derivative in a `custom_vjp`.
    pub const fn is_float8(self) -> bool {
        matches!(self, DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ)
    }

    /// The type in which values of this type are added up: f32 for the 16-bit floats, else the type itself.
    pub(crate) const fn accumulator(self) -> DType {
        match self {
            DType::BF16 | DType::F16 => DType::F32,
            other => other,
        }
    }

    /// The spelling of a number of this type in MLIR text: the shortest decimal that reads back exactly, hexadecimal bits for infinities and
    /// NaN.
    pub fn literal(self, number: f64) -> String {
        crate::ops::literal(number, self)
    }

    /// The name in StableHLO text, e.g. `bf16`, `ui32`, `i1`.
    pub const fn stablehlo(self) -> &'static str {
        match self {
            DType::Bool => "i1",
            DType::U8 => "ui8",
            DType::U16 => "ui16",
            DType::U32 => "ui32",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::F8E4M3FN => "f8E4M3FN",
            DType::F8E5M2 => "f8E5M2",
            DType::F8E4M3FNUZ => "f8E4M3FNUZ",
            DType::F8E5M2FNUZ => "f8E5M2FNUZ",
            DType::BF16 => "bf16",
            DType::F16 => "f16",
            DType::F32 => "f32",
            DType::F64 => "f64",
        }
    }
}

impl fmt::Display for DType {
    /// The name that users write in configs: `bf16`, `f32`, `i32`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DType::Bool => "bool",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::F8E4M3FN => "f8e4m3fn",
            DType::F8E5M2 => "f8e5m2",
            DType::F8E4M3FNUZ => "f8e4m3fnuz",
            DType::F8E5M2FNUZ => "f8e5m2fnuz",
            other => other.stablehlo(),
        })
    }
}
