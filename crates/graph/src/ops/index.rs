//! Ops that read and write where indices point.

use crate::autodiff::VjpCx;
use crate::lower::Emitter;
use crate::{Axis, DType, Tensor, TensorType};

use super::attributes::{ints, scalar};
use super::{Op, Operand};

#[derive(Clone, Debug)]
pub(crate) enum Index {
    /// (table, indices): rows of `axis`. Axes: those of the indices, then those that only the table has.
    Take { axis: &'static str },
    /// (table, indices, rows): adds each row to the table's row that its index names.
    ScatterAdd { axis: &'static str },
    /// (table, indices, rows): the table with each row in place of that which its index names.
    Scatter { axis: &'static str },
    /// (x, starts…): a window of the given sizes along the given axes.
    DynamicSlice { window: Vec<Axis> },
    /// (x, window, starts…): x with the window written over it.
    DynamicUpdate { axes: Vec<&'static str> },
}

impl<'g> Tensor<'g> {
    /// The rows of `self` along `axis` that `indices`, i32, name. Axes: those of `indices`, then the others of `self`. Along an axis
    /// that both have, each index looks into its own part of `self`.
    ///
    /// An index outside of the axis reads the nearest row, which gets no gradient of it.
    pub fn take(self, axis: &'static str, indices: Tensor<'g>) -> Tensor<'g> {
        self.graph.apply(Op::Index(Index::Take { axis }), &[self, indices])
    }

    /// `self` with `rows` added where `indices` point along `axis`; repeated indices add up, those outside are dropped. As in
    /// [`Tensor::sum`], bf16 and f16 are added up in f32 and rounded once.
    pub fn scatter_add(self, axis: &'static str, indices: Tensor<'g>, rows: Tensor<'g>) -> Tensor<'g> {
        let dtype = self.dtype();
        let [table, rows] = [self, rows].map(|x| if x.dtype() == dtype { x.cast(dtype.accumulator()) } else { x });
        self.graph.apply(Op::Index(Index::ScatterAdd { axis }), &[table, indices, rows]).cast(dtype)
    }

    /// `self` with `rows`, axes as [`Tensor::take`] gives them, in place of those that `indices`, i32, name along `axis`. Rows whose index is outside
    /// are dropped; of several for one place any is written, so derivatives hold where there is one.
    pub fn scatter(self, axis: &'static str, indices: Tensor<'g>, rows: Tensor<'g>) -> Tensor<'g> {
        self.graph.apply(Op::Index(Index::Scatter { axis }), &[self, indices, rows])
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
            Index::Scatter { .. } => "scatter",
            Index::DynamicSlice { .. } => "dynamic_slice",
            Index::DynamicUpdate { .. } => "dynamic_update",
        }
    }

    /// See [`Op::meets_weights`]: tables are weights, windows are parts of anything.
    pub(super) fn meets_weights(&self) -> bool {
        match self {
            Index::Take { .. } | Index::ScatterAdd { .. } => true,
            Index::Scatter { .. } | Index::DynamicSlice { .. } | Index::DynamicUpdate { .. } => false,
        }
    }

    pub(super) fn infer(&self, args: &[&TensorType]) -> Result<TensorType, String> {
        let x = args[0];
        match self {
            Index::Take { axis } => rows_type(x, axis, args[1]),
            Index::ScatterAdd { axis } | Index::Scatter { axis } => {
                let rows = rows_type(x, axis, args[1])?;
                if *args[2] == rows { Ok(x.clone()) } else { Err(format!("the rows should be {rows}")) }
            }
            Index::DynamicSlice { window } => {
                starts(&args[1..])?;
                let mut ty = x.clone();
                named_once(&window.iter().map(|axis| axis.name).collect::<Vec<_>>())?;
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
                named_once(axes)?;
                if let Some(axis) = axes.iter().find(|axis| !x.has(axis)) {
                    return Err(format!("there is no axis `{axis}`"));
                }
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
            (Index::Scatter { axis }, 0) => {
                let ty = cx.input_type(2);
                ct.scatter(axis, cx.input(1), ct.graph.full(0.0, ty.dtype, &ty.axes))
            }
            (Index::ScatterAdd { axis } | Index::Scatter { axis }, 2) => {
                let (indices, ty) = (cx.input(1), cx.input_type(0));
                let size = ty.dim(axis).map_or(0, |dim| ty.axes[dim].size);
                let is_inside = indices.greater_equal(0.0).and(indices.less(size as f64));
                is_inside.select(ct.take(axis, indices), 0.0)
            }
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

    pub(super) fn acts_along(&self) -> Vec<&'static str> {
        match self {
            Index::Take { axis } | Index::ScatterAdd { axis } | Index::Scatter { axis } => vec![axis],
            Index::DynamicSlice { window } => window.iter().map(|axis| axis.name).collect(),
            Index::DynamicUpdate { axes } => axes.clone(),
        }
    }

    pub(super) fn lower(&self, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        let ty = result.stablehlo();
        let x = &args[0];
        match self {
            Index::Take { axis } => lower_gather(e, axis, x, &args[1], &ty),
            Index::ScatterAdd { axis } => lower_scatter(e, axis, args, &ty, true),
            Index::Scatter { axis } => lower_scatter(e, axis, args, &ty, false),
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
    if let Some(own) = others.iter().find(|own| indices.has(own.name) && !indices.axes.contains(own)) {
        return Err(format!("axis {own:?} of the table has another size in the indices"));
    }
    let only_table = others.iter().copied().filter(|own| !indices.has(own.name));
    Ok(table.with_axes(indices.axes.iter().copied().chain(only_table).collect()))
}

/// Refuses an axis that is named twice.
pub(super) fn named_once(axes: &[&'static str]) -> Result<(), String> {
    match axes.iter().enumerate().find(|(i, axis)| axes[..*i].contains(axis)) {
        Some((_, axis)) => Err(format!("axis `{axis}` is named twice")),
        None => Ok(()),
    }
}

fn starts(types: &[&TensorType]) -> Result<(), String> {
    match types.iter().find(|ty| ty.dtype != DType::I32 || !ty.axes.is_empty()) {
        Some(ty) => Err(format!("a start is {ty}, not an i32 without axes")),
        None => Ok(()),
    }
}

/// One start for every dimension: the given ones, zero elsewhere.
fn start_operands(e: &mut Emitter<'_>, ty: &TensorType, axes: &[&'static str], given: &[Operand<'_>]) -> Vec<String> {
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

/// How a table's dimensions and those of its indices belong together, for gather and scatter.
struct Rows {
    /// The table's dimension that the indices point along.
    dim: usize,
    /// Dimensions of the table, and of the indices, that stand for the same axes.
    table_batch: String,
    indices_batch: String,
    /// The rows' dimensions that only the table has.
    window: String,
    /// Size of one row along each of the table's dimensions.
    sizes: String,
    /// Number of the indices' dimensions.
    rank: usize,
}

impl Rows {
    fn of(axis: &str, table: &TensorType, indices: &TensorType) -> Rows {
        let dim = table.dim(axis).unwrap_or_default();
        let rank = indices.axes.len();
        let shared = || indices.axes.iter().enumerate().filter_map(|(i, own)| Some((table.dim(own.name)?, i)));
        let mut batch: Vec<_> = shared().collect();
        batch.sort_unstable();
        let is_one = |i: usize| i == dim || batch.iter().any(|(in_table, _)| *in_table == i);
        let size = |(i, own): (usize, &Axis)| if is_one(i) { "1".to_owned() } else { own.size.to_string() };
        Rows {
            dim,
            table_batch: ints(batch.iter().map(|(in_table, _)| *in_table)),
            indices_batch: ints(batch.iter().map(|(_, in_indices)| *in_indices)),
            window: ints(rank..rank + table.axes.len() - 1 - batch.len()),
            sizes: table.axes.iter().enumerate().map(size).collect::<Vec<_>>().join(", "),
            rank,
        }
    }
}

fn lower_gather(e: &mut Emitter<'_>, axis: &str, table: &Operand<'_>, indices: &Operand<'_>, ty: &str) -> String {
    let Rows { dim, table_batch, indices_batch, window, sizes, rank } = Rows::of(axis, table.ty, indices.ty);
    e.assign(format!(
        "\"stablehlo.gather\"({}, {}) <{{dimension_numbers = #stablehlo.gather<offset_dims = {window}, \
         collapsed_slice_dims = [{dim}], operand_batching_dims = {table_batch}, start_indices_batching_dims = {indices_batch}, \
         start_index_map = [{dim}], index_vector_dim = {rank}>, indices_are_sorted = false, \
         slice_sizes = array<i64: {sizes}>}}> : ({}, {}) -> {ty}",
        table.name,
        indices.name,
        table.ty.stablehlo(),
        indices.ty.stablehlo()
    ))
}

/// `adds`: rows are added to those of the table, else they take their place.
fn lower_scatter(e: &mut Emitter<'_>, axis: &str, args: &[Operand<'_>], ty: &str, adds: bool) -> String {
    let [table, indices, rows] = args else {
        return String::new();
    };
    let Rows { dim, table_batch, indices_batch, window, rank, .. } = Rows::of(axis, table.ty, indices.ty);
    let element = TensorType::new(table.ty.dtype, &[]).stablehlo();
    let (a, b) = (e.fresh(), e.fresh());
    let (sum, written) = match adds {
        true => {
            let sum = e.fresh();
            (format!("  {sum} = stablehlo.add {a}, {b} : {element}\n"), sum)
        }
        false => (String::new(), b.clone()),
    };
    e.assign(format!(
        "\"stablehlo.scatter\"({}, {}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = \
         #stablehlo.scatter<update_window_dims = {window}, inserted_window_dims = [{dim}], \
         input_batching_dims = {table_batch}, scatter_indices_batching_dims = {indices_batch}, \
         scatter_dims_to_operand_dims = [{dim}], index_vector_dim = {rank}>, unique_indices = false}}> ({{\n\
         ^bb0({a}: {element}, {b}: {element}):\n{sum}  stablehlo.return {written} : {element}\n}}) : ({}, {}, {}) -> {ty}",
        table.name,
        indices.name,
        rows.name,
        table.ty.stablehlo(),
        indices.ty.stablehlo(),
        rows.ty.stablehlo()
    ))
}
