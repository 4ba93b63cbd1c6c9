//! Contraction of two tensors over named axes.

use crate::autodiff::VjpCx;
use crate::lower::Emitter;
use crate::{Axis, DType, Tensor, TensorType};

use super::attributes::ints;
use super::index::named_once;
use super::{Op, Operand};

/// Sum of products over `contract`. Other axes that both arguments have are batch axes. The result has the batch axes, then the rest
/// of the first, then the rest of the second argument.
#[derive(Clone, Debug)]
pub(crate) struct Dot {
    contract: Vec<&'static str>,
    /// Element type of the result; products are summed in at least f32 by every backend.
    dtype: DType,
}

impl<'g> Tensor<'g> {
    /// The sum of products over the axes `contract`; other shared axes are batch axes.
    ///
    /// Axes of the result: shared ones, then the rest of `self`, then the rest of `other`.
    pub fn dot(self, other: Tensor<'g>, contract: &[&'static str]) -> Tensor<'g> {
        self.dot_as(other, contract, self.dtype())
    }

    /// [`Tensor::dot`] with another element type for the result, e.g. f32 logits of bf16 factors.
    pub fn dot_as(self, other: Tensor<'g>, contract: &[&'static str], dtype: DType) -> Tensor<'g> {
        self.graph.apply(Op::Dot(Dot { contract: contract.to_vec(), dtype }), &[self, other])
    }
}

impl Dot {
    /// Whether the dot has no batch axes, which is what the `dots` policy keeps: a matrix product with a weight, not attention scores.
    pub(crate) fn is_weight_product(&self, a: &TensorType, b: &TensorType) -> bool {
        self.batch(a, b).next().is_none()
    }

    fn batch<'t>(&'t self, a: &'t TensorType, b: &'t TensorType) -> impl Iterator<Item = Axis> + 't {
        a.axes.iter().copied().filter(|axis| b.has(axis.name) && !self.contract.contains(&axis.name))
    }

    fn free<'t>(&'t self, a: &'t TensorType, b: &'t TensorType) -> impl Iterator<Item = Axis> + 't {
        a.axes.iter().copied().filter(|axis| !b.has(axis.name))
    }

    pub(super) fn infer(&self, a: &TensorType, b: &TensorType) -> Result<TensorType, String> {
        let of_float8 = a.dtype.is_float8() && b.dtype.is_float8();
        if !of_float8 && (a.dtype != b.dtype || !a.dtype.is_float()) {
            return Err(format!("{} and {} are not the same floating-point type; cast one", a.dtype, b.dtype));
        }
        if of_float8 && !self.dtype.is_float() {
            return Err(format!("a product of 8-bit floats is wider than {}; ask for f32 or bf16", self.dtype));
        }
        if let Some(axis) = self.contract.iter().find(|axis| !a.has(axis) || !b.has(axis)) {
            return Err(format!("the contracted axis `{axis}` is not in both arguments"));
        }
        named_once(&self.contract)?;
        for axis in a.axes.iter().filter(|axis| b.has(axis.name)) {
            if !b.axes.contains(axis) {
                return Err(format!("axis `{}` has different sizes in the two arguments", axis.name));
            }
        }
        let axes = self.batch(a, b).chain(self.free(a, b)).chain(self.free(b, a)).collect();
        Ok(TensorType { dtype: self.dtype, axes })
    }

    pub(super) fn vjp<'g>(&self, i: usize, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Tensor<'g> {
        let (own, other) = (cx.input_type(i), cx.input_type(1 - i));
        // Contract what the other argument alone brought to the result.
        let contract: Vec<_> = self.free(&other, &own).map(|axis| axis.name).collect();
        let factor = cx.input(1 - i);
        let ct = ct.cast(other.dtype);
        // In the order in which the result needs no transpose, where there is one.
        let first = own.axes.iter().find(|axis| !other.has(axis.name) || self.contract.contains(&axis.name));
        let factor_first = first.is_some_and(|axis| self.contract.contains(&axis.name));
        let product = if factor_first { factor.dot(ct, &contract) } else { ct.dot(factor, &contract) };
        let names: Vec<_> = own.axes.iter().map(|axis| axis.name).collect();
        product.transpose(&names)
    }

    pub(super) fn acts_along(&self) -> Vec<&'static str> {
        self.contract.clone()
    }

    pub(super) fn lower(&self, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        // f32 means f32: without this NVIDIA's GPUs would take TF32, with three decimal digits.
        let precision = if args[0].ty.dtype == DType::F32 { "HIGHEST" } else { "DEFAULT" };
        match args[0].ty.dtype.is_float8() {
            true => self.lower_widened(e, args, result),
            false => self.lower_as(precision, e, args, result),
        }
    }

    /// Multiplies 8-bit floats as what they are in the result's type, which GPUs' compilers make a product of 8-bit floats of again. The CPU's, which
    /// multiplies 8-bit floats themselves one by one, has its fast product of the wider type.
    fn lower_widened(&self, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        let widen = |e: &mut Emitter<'_>, arg: &Operand<'_>| {
            let ty = TensorType { dtype: result.dtype, axes: arg.ty.axes.clone() };
            let text = format!("stablehlo.convert {} : ({}) -> {}", arg.name, arg.ty.stablehlo(), ty.stablehlo());
            (e.assign(text), ty)
        };
        let [(a, a_ty), (b, b_ty)] = [widen(e, &args[0]), widen(e, &args[1])];
        // They have three digits fewer than TF32: a higher precision would only make NVIDIA's GPUs add up more slowly.
        self.lower_as("DEFAULT", e, &[Operand { name: &a, ty: &a_ty }, Operand { name: &b, ty: &b_ty }], result)
    }

    fn lower_as(&self, precision: &str, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        let (a, b) = (&args[0], &args[1]);
        if let Some(contract) = self.neighbours(a.ty, b.ty) {
            return self.lower_merged(precision, e, args, &contract, result);
        }
        let batch: Vec<_> = self.batch(a.ty, b.ty).collect();
        let batch_dims = |ty: &TensorType| ints(batch.iter().filter_map(|axis| ty.dim(axis.name)));
        let contract_dims = |ty: &TensorType| ints(self.contract.iter().filter_map(|axis| ty.dim(axis)));
        let mut attributes = String::new();
        if !batch.is_empty() {
            attributes = format!(" batching_dims = {} x {},", batch_dims(a.ty), batch_dims(b.ty));
        }
        e.assign(format!(
            "stablehlo.dot_general {}, {},{attributes} contracting_dims = {} x {}, precision = [{precision}, {precision}] : ({}, {}) -> {}",
            a.name,
            b.name,
            contract_dims(a.ty),
            contract_dims(b.ty),
            a.ty.stablehlo(),
            b.ty.stablehlo(),
            result.stablehlo()
        ))
    }

    /// The contracted axes, if there are several and they stand side by side in the same order in both arguments.
    fn neighbours(&self, a: &TensorType, b: &TensorType) -> Option<Vec<&'static str>> {
        let mut contract = self.contract.clone();
        contract.sort_by_key(|axis| a.dim(axis));
        let (first_a, first_b) = (a.dim(contract.first()?)?, b.dim(contract.first()?)?);
        let side_by_side =
            |(i, axis): (usize, &&'static str)| a.dim(axis) == Some(first_a + i) && b.dim(axis) == Some(first_b + i);
        (contract.len() > 1 && contract.iter().enumerate().all(side_by_side)).then_some(contract)
    }

    /// Contracts neighbouring axes as one, which costs nothing. XLA's CPU compiler contracts one axis in place wherever it stands, but
    /// copies both arguments into another order to contract two: a weight's gradient sums over batch and position.
    fn lower_merged(
        &self,
        precision: &str,
        e: &mut Emitter<'_>,
        args: &[Operand<'_>],
        contract: &[&'static str],
        result: &TensorType,
    ) -> String {
        const MERGED: &str = "contracted";
        let merge = |e: &mut Emitter<'_>, arg: &Operand<'_>| {
            let dim = arg.ty.dim(contract[0]).unwrap_or_default();
            let mut axes = arg.ty.axes.clone();
            let size = axes.drain(dim..dim + contract.len()).map(|axis| axis.size).product();
            axes.insert(dim, Axis::new(MERGED, size));
            let ty = arg.ty.with_axes(axes);
            let text = format!("stablehlo.reshape {} : ({}) -> {}", arg.name, arg.ty.stablehlo(), ty.stablehlo());
            (e.assign(text), ty)
        };
        let [(a, a_ty), (b, b_ty)] = [merge(e, &args[0]), merge(e, &args[1])];
        let merged = Dot { contract: vec![MERGED], dtype: self.dtype };
        merged.lower_as(precision, e, &[Operand { name: &a, ty: &a_ty }, Operand { name: &b, ty: &b_ty }], result)
    }
}
