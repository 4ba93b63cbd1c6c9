//! What single elements become. Each number is held as f64 and rounded to its type.

use graph::DType;

use crate::float8;
use crate::ir::{Binary, Comparison, Unary};

/// The nearest number of that type; whole numbers beyond it wrap around.
pub(super) fn round(x: f64, dtype: DType) -> f64 {
    match dtype {
        DType::Bool => f64::from(u8::from(x != 0.0)),
        DType::U8 => f64::from(x as i64 as u8),
        DType::U16 => f64::from(x as i64 as u16),
        DType::U32 => f64::from(x as i64 as u32),
        DType::I32 => f64::from(x as i64 as i32),
        DType::I64 | DType::F64 => x,
        DType::BF16 => half::bf16::from_f64(x).to_f64(),
        DType::F16 => half::f16::from_f64(x).to_f64(),
        DType::F32 => f64::from(x as f32),
        DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => float8::round(x, dtype),
    }
}

/// A number on its way to another type.
pub(super) fn cast(x: f64, to: DType) -> f64 {
    if to.is_float() || to.is_float8() || to == DType::Bool { x } else { x.trunc() }
}

/// The bits of a number of a type that [`crate::Value::bitcast`] takes.
pub(super) fn bits(x: f64, dtype: DType) -> u32 {
    match dtype {
        DType::BF16 => u32::from(half::bf16::from_f64(x).to_bits()),
        DType::F32 => (x as f32).to_bits(),
        // Of 16 bits those above are nothing.
        _ => x as i64 as u32,
    }
}

/// The number that has these bits.
pub(super) fn of_bits(bits: u32, dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        DType::F32 => f64::from(f32::from_bits(bits)),
        _ => round(f64::from(bits), dtype),
    }
}

pub(super) fn unary(op: Unary, x: f64) -> f64 {
    match op {
        Unary::Exp => x.exp(),
        Unary::Exp2 => x.exp2(),
        Unary::Exp2Ptx if x < f64::from(f32::MIN_EXP - 1) => 0.0,
        Unary::Exp2Ptx => x.exp2(),
        Unary::Log2 => x.log2(),
        Unary::Negate => -x,
        Unary::Rsqrt => 1.0 / x.sqrt(),
    }
}

/// Of two numbers of type `dtype`; whole ones are not divided by 0.
pub(super) fn binary(op: Binary, a: f64, b: f64, dtype: DType) -> f64 {
    let whole = |op: fn(i64, i64) -> i64| op(a as i64, b as i64) as f64;
    match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide if dtype.is_float() => a / b,
        Binary::Divide => whole(i64::wrapping_div),
        Binary::Remainder => whole(i64::wrapping_rem),
        Binary::Maximum => a.max(b),
        Binary::Minimum => a.min(b),
        Binary::And => whole(|a, b| a & b),
        Binary::Or => whole(|a, b| a | b),
        Binary::Xor => whole(|a, b| a ^ b),
    }
}

pub(super) fn compare(op: Comparison, a: f64, b: f64) -> bool {
    match op {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
    }
}
