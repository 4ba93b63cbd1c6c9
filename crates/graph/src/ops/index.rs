//! Ops that read and write where indices point.

use crate::autodiff::VjpCx;
use crate::lower::Emitter;
use crate::{Axis, DType, Tensor, TensorType};

use super::attributes::{ints, scalar};
use super::{Op, Operand};

#[derive(Clone, Debug)]
pub(crate) enum Index {
    /// (table, indices): rows of `axis`. Axes: those of the indices, then the table's others.
    Take { axis: &'static str },
    /// (table, indices, rows): adds each row to the table's row that its index names.
    ScatterAdd { axis: &'static str },
    /// (x, starts…): a window of the given sizes along the given axes.
    DynamicSlice { window: Vec<Axis> },
    /// (x, window, starts…): x with the window written over it.
    DynamicUpdate { axes: Vec<&'static str> },
}

impl<'g> Tensor<'g> {
    /// The rows of `self` along `axis` that `indices`, i32, name. Axes: those of `indices`, then the others of `self`.
    ///
    /// An index outside of the axis reads the nearest row.
    pub fn take(self, axis: &'static str, indices: Tensor<'g>) -> Tensor<'g> {
        self.graph.apply(Op::Index(Index::Take { axis }), &[self, indices])
    }

    /// `self` with `rows` added where `indices` point along `axis`; repeated indices add up, those outside are dropped.
    pub fn scatter_add(self, axis: &'static str, indices: Tensor<'g>, rows: Tensor<'g>) -> Tensor<'g> {
        self.graph.apply(Op::Index(Index::ScatterAdd { axis }), &[self, indices, rows])
    }

    /// A window into `self`: `size` elements from `start`, an i32 without axes, on, for each `(axis, start, size)`.
    ///
    /// A start too large is moved back so that the window fits.
    pub fn dynamic_slice(self, window: &[(&'static str, Tensor<'g>, usize)]) -> Tensor<'g> {
        let op = Index::DynamicSlice { window: window.iter().map(|(name, _, size)| Axis::new(name, *size)).collect() };
        let starts = window.iter().map(|(_, start, _)| *start);
        self.graph.apply(Op::Index(op), &std::iter::once(self).chain(starts).collect::<Vec<_>>())
    }

    /// `self` with `update` written over the window that begins at `start`, an i32 without axes, for each `(axis, start)`.
    ///
    /// A start too large is moved back so that the window fits.
    pub fn dynamic_update(self, update: Tensor<'g>, starts: &[(&'static str, Tensor<'g>)]) -> Tensor<'g> {
        let names: Vec<_> = self.axes().iter().map(|axis| axis.name).collect();
        let op = Index::DynamicUpdate { axes: starts.iter().map(|(name, _)| *name).collect() };
        let args = [self, update.transpose(&names)].into_iter().chain(starts.iter().map(|(_, start)| *start));
        self.graph.apply(Op::Index(op), &args.collect::<Vec<_>>())
    }
}

impl Index {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Index::Take { .. } => "take",
            Index::ScatterAdd { .. } => "scatter_add",
            Index::DynamicSlice { .. } => "dynamic_slice",
            Index::DynamicUpdate { .. } => "dynamic_update",
        }
    }

    pub(super) fn infer(&self, args: &[&TensorType]) -> Result<TensorType, String> {
        let x = args[0];
        match self {
            Index::Take { axis } => rows_type(x, axis, args[1]),
            Index::ScatterAdd { axis } => {
                let rows = rows_type(x, axis, args[1])?;
                if *args[2] == rows { Ok(x.clone()) } else { Err(format!("the rows should be {rows}")) }
            }
            Index::DynamicSlice { window } => {
                starts(&args[1..])?;
                let mut ty = x.clone();
                for part in window {
                    let dim = x.dim(part.name).ok_or_else(|| format!("there is no axis `{}`", part.name))?;
                    if part.size > x.axes[dim].size {
                        return Err(format!("a window of {} is larger than axis {:?}", part.size, x.axes[dim]));
                    }
                    ty.axes[dim] = *part;
                }
                Ok(ty)
            }
            Index::DynamicUpdate { axes } => {
                starts(&args[2..])?;
                let update = args[1];
                let fits = x.axes.len() == update.axes.len()
                    && x.axes.iter().zip(&update.axes).all(|(own, part)| {
                        own == part || (own.name == part.name && axes.contains(&own.name) && part.size <= own.size)
                    });
                if fits && x.dtype == update.dtype { Ok(x.clone()) } else { Err("the update does not fit".into()) }
            }
        }
    }

    pub(super) fn vjp<'g>(&self, i: usize, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Option<Tensor<'g>> {
        Some(match (self, i) {
            (Index::Take { axis }, 0) => {
                let ty = cx.input_type(0);
                ct.graph.full(0.0, ty.dtype, &ty.axes).scatter_add(axis, cx.input(1), ct)
            }
            (Index::ScatterAdd { .. }, 0) => ct,
            (Index::ScatterAdd { axis }, 2) => ct.take(axis, cx.input(1)),
            (Index::DynamicSlice { window }, 0) => {
                let ty = cx.input_type(0);
                let at: Vec<_> = window.iter().enumerate().map(|(k, axis)| (axis.name, cx.input(k + 1))).collect();
                ct.graph.full(0.0, ty.dtype, &ty.axes).dynamic_update(ct, &at)
            }
            (Index::DynamicUpdate { axes }, 0) => {
                let ty = cx.input_type(1);
                let at: Vec<_> = axes.iter().enumerate().map(|(k, axis)| (*axis, cx.input(k + 2))).collect();
                ct.dynamic_update(ct.graph.full(0.0, ty.dtype, &ty.axes), &at)
            }
            (Index::DynamicUpdate { axes }, 1) => {
                let ty = cx.input_type(1);
                let size = |axis: &str| ty.dim(axis).map_or(1, |dim| ty.axes[dim].size);
                let window: Vec<_> =
                    axes.iter().enumerate().map(|(k, axis)| (*axis, cx.input(k + 2), size(axis))).collect();
                ct.dynamic_slice(&window)
            }
            _ => return None,
        })
    }

    pub(super) fn lower(&self, e: &mut Emitter, args: &[Operand<'_>], result: &TensorType) -> String {
        let ty = result.stablehlo();
        let x = &args[0];
        match self {
            Index::Take { axis } => lower_gather(e, axis, x, &args[1], &ty),
            Index::ScatterAdd { axis } => lower_scatter(e, axis, args, &ty),
            Index::DynamicSlice { window } => {
                let axes: Vec<_> = window.iter().map(|axis| axis.name).collect();
                let starts = start_operands(e, x.ty, &axes, &args[1..]);
                let sizes = ints(result.axes.iter().map(|axis| axis.size));
                e.assign(format!(
                    "stablehlo.dynamic_slice {}, {}, sizes = {sizes} : ({}{}) -> {ty}",
                    x.name,
                    starts.join(", "),
                    x.ty.stablehlo(),
                    ", tensor<i32>".repeat(starts.len())
                ))
            }
            Index::DynamicUpdate { axes } => {
                let starts = start_operands(e, x.ty, axes, &args[2..]);
                e.assign(format!(
                    "stablehlo.dynamic_update_slice {}, {}, {} : ({}, {}{}) -> {ty}",
                    x.name,
                    args[1].name,
                    starts.join(", "),
                    x.ty.stablehlo(),
                    args[1].ty.stablehlo(),
                    ", tensor<i32>".repeat(starts.len())
                ))
            }
        }
    }
}

fn rows_type(table: &TensorType, axis: &str, indices: &TensorType) -> Result<TensorType, String> {
    if indices.dtype != DType::I32 {
        return Err(format!("the indices are {}, not i32", indices.dtype));
    }
    if !table.has(axis) {
        return Err(format!("the table has no axis `{axis}`"));
    }
    let others = table.without(axis).axes;
    if let Some(shared) = indices.axes.iter().find(|x| others.iter().any(|y| x.name == y.name)) {
        return Err(format!("axis `{}` is in the table and in the indices; rename one", shared.name));
    }
    Ok(table.with_axes(indices.axes.iter().copied().chain(others).collect()))
}

fn starts(types: &[&TensorType]) -> Result<(), String> {
    match types.iter().find(|ty| ty.dtype != DType::I32 || !ty.axes.is_empty()) {
        Some(ty) => Err(format!("a start is {ty}, not an i32 without axes")),
        None => Ok(()),
    }
}

/// One start for every dimension: the given ones, zero elsewhere.
fn start_operands(e: &mut Emitter, ty: &TensorType, axes: &[&'static str], given: &[Operand<'_>]) -> Vec<String> {
    let zero = if axes.len() < ty.axes.len() {
        e.assign(format!("stablehlo.constant dense<{}> : tensor<i32>", scalar(0.0, DType::I32)))
    } else {
        String::new()
    };
    let start = |axis: &Axis| match axes.iter().position(|name| *name == axis.name) {
        Some(k) => given[k].name.to_owned(),
        None => zero.clone(),
    };
    ty.axes.iter().map(start).collect()
}

fn lower_gather(e: &mut Emitter, axis: &str, table: &Operand<'_>, indices: &Operand<'_>, ty: &str) -> String {
    let dim = table.ty.dim(axis).unwrap_or_default();
    let rank = indices.ty.axes.len();
    let offset_dims = ints(rank..rank + table.ty.axes.len() - 1);
    let sizes: Vec<String> =
        table.ty.axes.iter().enumerate().map(|(i, a)| if i == dim { "1".into() } else { a.size.to_string() }).collect();
    e.assign(format!(
        "\"stablehlo.gather\"({}, {}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {offset_dims}, \
         collapsed_slice_dims = [{dim}], start_index_map = [{dim}], index_vector_dim = {rank}>, indices_are_sorted = false, \
         slice_sizes = array<i64: {}>}}> : ({}, {}) -> {ty}",
        table.name,
        indices.name,
        sizes.join(", "),
        table.ty.stablehlo(),
        indices.ty.stablehlo()
    ))
}

fn lower_scatter(e: &mut Emitter, axis: &str, args: &[Operand<'_>], ty: &str) -> String {
    let [table, indices, rows] = args else {
        return String::new();
    };
    let dim = table.ty.dim(axis).unwrap_or_default();
    let rank = indices.ty.axes.len();
    let window_dims = ints(rank..rank + table.ty.axes.len() - 1);
    let element = TensorType::new(table.ty.dtype, &[]).stablehlo();
    let (a, b, sum) = (e.fresh(), e.fresh(), e.fresh());
    e.assign(format!(
        "\"stablehlo.scatter\"({}, {}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = \
         #stablehlo.scatter<update_window_dims = {window_dims}, inserted_window_dims = [{dim}], \
         scatter_dims_to_operand_dims = [{dim}], index_vector_dim = {rank}>, unique_indices = false}}> ({{\n\
         ^bb0({a}: {element}, {b}: {element}):\n  {sum} = stablehlo.add {a}, {b} : {element}\n  \
         stablehlo.return {sum} : {element}\n}}) : ({}, {}, {}) -> {ty}",
        table.name,
        indices.name,
        rows.name,
        table.ty.stablehlo(),
        indices.ty.stablehlo(),
        rows.ty.stablehlo()
    ))
}
