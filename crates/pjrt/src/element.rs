//! Element types of buffers.

use std::fmt;

use crate::sys;

macro_rules! elements {
    ($($element:ident = $raw:ident, $size:literal, $name:literal, $doc:literal;)*) => {
        /// The type of a buffer's elements, under XLA's names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ElementType { $(#[doc = $doc] $element,)* }

        impl ElementType {
            /// Bytes per element in host memory.
            pub const fn size(self) -> usize {
                match self { $(ElementType::$element => $size,)* }
            }

            pub(crate) fn to_raw(self) -> sys::PJRT_Buffer_Type {
                match self { $(ElementType::$element => sys::$raw,)* }
            }

            /// `None` for a type that this crate does not move (complex numbers, tokens, sub-byte types).
            pub(crate) fn from_raw(raw: sys::PJRT_Buffer_Type) -> Option<ElementType> {
                match raw { $(sys::$raw => Some(ElementType::$element),)* _ => None }
            }
        }

        impl fmt::Display for ElementType {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(ElementType::$element => $name,)* })
            }
        }
    };
}

elements! {
    Pred = PJRT_Buffer_Type_PRED, 1, "pred", "A truth value, one byte.";
    S8 = PJRT_Buffer_Type_S8, 1, "s8", "Signed 8-bit integer.";
    S16 = PJRT_Buffer_Type_S16, 2, "s16", "Signed 16-bit integer.";
    S32 = PJRT_Buffer_Type_S32, 4, "s32", "Signed 32-bit integer.";
    S64 = PJRT_Buffer_Type_S64, 8, "s64", "Signed 64-bit integer.";
    U8 = PJRT_Buffer_Type_U8, 1, "u8", "Unsigned 8-bit integer.";
    U16 = PJRT_Buffer_Type_U16, 2, "u16", "Unsigned 16-bit integer.";
    U32 = PJRT_Buffer_Type_U32, 4, "u32", "Unsigned 32-bit integer.";
    U64 = PJRT_Buffer_Type_U64, 8, "u64", "Unsigned 64-bit integer.";
    F16 = PJRT_Buffer_Type_F16, 2, "f16", "IEEE half precision.";
    F32 = PJRT_Buffer_Type_F32, 4, "f32", "IEEE single precision.";
    F64 = PJRT_Buffer_Type_F64, 8, "f64", "IEEE double precision.";
    BF16 = PJRT_Buffer_Type_BF16, 2, "bf16", "bfloat16.";
    F8E4M3FN = PJRT_Buffer_Type_F8E4M3FN, 1, "f8e4m3fn", "OCP 8-bit float for weights and activations.";
    F8E5M2 = PJRT_Buffer_Type_F8E5M2, 1, "f8e5m2", "OCP 8-bit float for gradients.";
    F8E4M3FNUZ = PJRT_Buffer_Type_F8E4M3FNUZ, 1, "f8e4m3fnuz", "The E4M3 of AMD's MI300 series.";
    F8E5M2FNUZ = PJRT_Buffer_Type_F8E5M2FNUZ, 1, "f8e5m2fnuz", "The E5M2 of AMD's MI300 series.";
}
