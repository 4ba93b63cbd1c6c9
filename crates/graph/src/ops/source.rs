//! Ops without arguments: constants, literals, counters.

use crate::lower::Emitter;
use crate::{Axis, DType, Graph, HostTensor, Tensor, TensorType};

use super::Op;
use super::attributes::scalar;

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Constant { value: f64, dtype: DType },
    Literal { ty: TensorType, bytes: Vec<u8> },
    Iota { axis: Axis, dtype: DType },
}

impl Graph {
    /// A tensor without axes. Integer types hold `value` up to 2^53 exactly, and none beyond their range.
    pub fn constant(&self, value: f64, dtype: DType) -> Tensor<'_> {
        self.apply(Op::Source(Source::Constant { value, dtype }), &[])
    }

    /// A small table that is part of the program's text, with `axes` for its dimensions. Not of bool.
    pub fn literal(&self, values: &HostTensor<'_>, axes: &[Axis]) -> Tensor<'_> {
        let ty = TensorType::new(values.dtype(), axes);
        if ty.shape() != values.shape() {
            self.fail_op("literal", vec![ty], format!("the values have shape {:?}", values.shape()));
            return self.poison();
        }
        self.apply(Op::Source(Source::Literal { ty, bytes: values.bytes().to_vec() }), &[])
    }

    /// `0, 1, 2, …` along one axis.
    pub fn iota(&self, axis: Axis, dtype: DType) -> Tensor<'_> {
        self.apply(Op::Source(Source::Iota { axis, dtype }), &[])
    }

    /// `value` everywhere.
    pub fn full(&self, value: f64, dtype: DType, axes: &[Axis]) -> Tensor<'_> {
        self.constant(value, dtype).broadcast(axes)
    }
}

impl Source {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Source::Constant { .. } => "constant",
            Source::Literal { .. } => "literal",
            Source::Iota { .. } => "iota",
        }
    }

    pub(super) fn infer(&self) -> Result<TensorType, String> {
        match self {
            Source::Constant { value, dtype } if !holds(*dtype, *value) => {
                Err(format!("{value} is no value of {dtype}"))
            }
            // MLIR has bits of these side by side.
            Source::Literal { ty, .. } if ty.dtype == DType::Bool => {
                Err(format!("is not defined for {ty}; compare one of u8"))
            }
            _ => Ok(self.ty()),
        }
    }

    fn ty(&self) -> TensorType {
        match self {
            Source::Constant { dtype, .. } => TensorType::new(*dtype, &[]),
            Source::Literal { ty, .. } => ty.clone(),
            Source::Iota { axis, dtype } => TensorType::new(*dtype, &[*axis]),
        }
    }

    pub(super) fn acts_along(&self) -> Vec<&'static str> {
        self.ty().axes.iter().map(|axis| axis.name).collect()
    }

    pub(super) fn lower(&self, e: &mut Emitter<'_>, result: &TensorType) -> String {
        let ty = result.stablehlo();
        match self {
            Source::Constant { value, dtype } => {
                e.assign(format!("stablehlo.constant dense<{}> : {ty}", scalar(*value, *dtype)))
            }
            Source::Literal { bytes, .. } => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                e.assign(format!("stablehlo.constant dense<\"0x{digits}\"> : {ty}"))
            }
            Source::Iota { .. } => e.assign(format!("stablehlo.iota dim = 0 : {ty}")),
        }
    }
}

/// Whether the text of a value can be read back as that type.
fn holds(dtype: DType, value: f64) -> bool {
    let whole = value.trunc();
    match dtype {
        DType::U8 => (0.0..=f64::from(u8::MAX)).contains(&whole),
        DType::U16 => (0.0..=f64::from(u16::MAX)).contains(&whole),
        DType::U32 => (0.0..=f64::from(u32::MAX)).contains(&whole),
        DType::I32 => (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&whole),
        // Powers of two, so exact.
        DType::I64 => (i64::MIN as f64..-(i64::MIN as f64)).contains(&whole),
        DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => value.is_finite(),
        DType::Bool | DType::BF16 | DType::F16 | DType::F32 | DType::F64 => true,
    }
}
