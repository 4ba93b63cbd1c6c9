//! Element types.

use std::fmt;

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// One truth value per byte.
    Bool,
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 32-bit integer; what the random number generator counts in.
    U32,
    /// Signed 32-bit integer; token ids, positions and indices.
    I32,
    /// Signed 64-bit integer.
    I64,
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
            DType::BF16 | DType::F16 => 2,
            DType::U32 | DType::I32 | DType::F32 => 4,
            DType::I64 | DType::F64 => 8,
        }
    }

    /// Whether values of this type have derivatives.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::BF16 | DType::F16 | DType::F32 | DType::F64)
    }

    /// The type in which values of this type are added up: f32 for the 16-bit floats, else the type itself.
    pub(crate) const fn accumulator(self) -> DType {
        match self {
            DType::BF16 | DType::F16 => DType::F32,
            other => other,
        }
    }

    /// The name in StableHLO text, e.g. `bf16`, `ui32`, `i1`.
    pub const fn stablehlo(self) -> &'static str {
        match self {
            DType::Bool => "i1",
            DType::U8 => "ui8",
            DType::U32 => "ui32",
            DType::I32 => "i32",
            DType::I64 => "i64",
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
            DType::U32 => "u32",
            other => other.stablehlo(),
        })
    }
}
