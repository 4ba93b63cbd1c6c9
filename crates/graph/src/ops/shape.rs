//! Ops that move elements without computing: broadcasting, transposing, renaming, splitting, slicing, padding, joining.

use crate::autodiff::VjpCx;
use crate::lower::Emitter;
use crate::{Axis, Tensor, TensorType};

use super::attributes::{ints, scalar};
use super::{Op, Operand};

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// To `axes`, which hold the argument's own in their order.
    Broadcast {
        axes: Vec<Axis>,
    },
    /// To the same axes in another order.
    Transpose {
        order: Vec<&'static str>,
    },
    Rename {
        from: &'static str,
        to: &'static str,
    },
    /// One axis into several, outermost first.
    Split {
        axis: &'static str,
        into: Vec<Axis>,
    },
    /// Neighbouring axes into one.
    Merge {
        axes: Vec<&'static str>,
        into: &'static str,
    },
    Slice {
        axis: &'static str,
        start: usize,
        size: usize,
    },
    Pad {
        axis: &'static str,
        low: usize,
        high: usize,
        value: f64,
    },
    Concat {
        axis: &'static str,
    },
}

impl<'g> Tensor<'g> {
    fn shape_op(self, op: Shape) -> Tensor<'g> {
        self.graph.apply(Op::Shape(op), &[self])
    }

    /// Repeats the tensor along the axes it lacks; the result has `axes` in this order.
    pub fn broadcast(self, axes: &[Axis]) -> Tensor<'g> {
        let own = self.axes();
        if own == axes {
            return self;
        }
        if let Some((mine, wanted)) = differing_size(&own, axes) {
            let rule = format!(
                "axis `{}` has size {}, not {}; only axes that are missing can be added",
                mine.name, mine.size, wanted.size
            );
            self.graph.fail_op("broadcast", vec![self.ty()], rule);
            return self.graph.poison();
        }
        let order: Vec<_> = axes.iter().filter(|x| own.iter().any(|y| x.name == y.name)).map(|x| x.name).collect();
        let ordered = if order.len() == own.len() { self.transpose(&order) } else { self };
        if own.len() == axes.len() && order.len() == own.len() {
            return ordered;
        }
        ordered.shape_op(Shape::Broadcast { axes: axes.to_vec() })
    }

    /// The same tensor with its axes in the order of `names`.
    pub fn transpose(self, names: &[&'static str]) -> Tensor<'g> {
        if self.axes().iter().map(|axis| axis.name).eq(names.iter().copied()) {
            return self;
        }
        self.shape_op(Shape::Transpose { order: names.to_vec() })
    }

    /// Renames an axis.
    pub fn rename(self, from: &'static str, to: &'static str) -> Tensor<'g> {
        if from == to { self } else { self.shape_op(Shape::Rename { from, to }) }
    }

    /// Splits `axis` into several, outermost first, whose sizes multiply to its own.
    pub fn split(self, axis: &'static str, into: &[Axis]) -> Tensor<'g> {
        self.shape_op(Shape::Split { axis, into: into.to_vec() })
    }

    /// Merges `axes`, outermost first, into one called `into`, at the place of the first; transposes if they are no neighbours.
    pub fn merge(self, axes: &[&'static str], into: &'static str) -> Tensor<'g> {
        let mut order: Vec<&'static str> = Vec::new();
        for axis in self.axes() {
            match axes.iter().position(|name| *name == axis.name) {
                Some(0) => order.extend(axes),
                Some(_) => {}
                None => order.push(axis.name),
            }
        }
        self.transpose(&order).shape_op(Shape::Merge { axes: axes.to_vec(), into })
    }

    /// `size` elements along `axis` from `start` on.
    pub fn slice(self, axis: &'static str, start: usize, size: usize) -> Tensor<'g> {
        self.shape_op(Shape::Slice { axis, start, size })
    }

    /// `low` elements of `value` before and `high` behind, along `axis`.
    pub fn pad(self, axis: &'static str, low: usize, high: usize, value: f64) -> Tensor<'g> {
        self.shape_op(Shape::Pad { axis, low, high, value })
    }

    /// The tensors one behind the other along `axis`; their other axes agree.
    pub fn concat(parts: &[Tensor<'g>], axis: &'static str) -> Tensor<'g> {
        let first = parts[0];
        let names: Vec<_> = first.axes().iter().map(|axis| axis.name).collect();
        let aligned: Vec<_> = parts.iter().map(|part| part.transpose(&names)).collect();
        first.graph.apply(Op::Shape(Shape::Concat { axis }), &aligned)
    }
}

impl Shape {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Shape::Broadcast { .. } => "broadcast",
            Shape::Transpose { .. } => "transpose",
            Shape::Rename { .. } => "rename",
            Shape::Split { .. } => "split",
            Shape::Merge { .. } => "merge",
            Shape::Slice { .. } => "slice",
            Shape::Pad { .. } => "pad",
            Shape::Concat { .. } => "concat",
        }
    }

    pub(super) fn infer(&self, args: &[&TensorType]) -> Result<TensorType, String> {
        let arg = args[0];
        match self {
            Shape::Broadcast { axes } => match arg.axes.iter().find(|axis| !axes.contains(axis)) {
                Some(axis) => Err(format!("axis {axis:?} is not among the wanted axes {axes:?}")),
                None => Ok(arg.with_axes(axes.clone())),
            },
            Shape::Transpose { order } => {
                let axes: Option<Vec<_>> = order.iter().map(|name| Some(arg.axes[arg.dim(name)?])).collect();
                let axes = axes.filter(|axes| axes.len() == arg.axes.len());
                Ok(arg.with_axes(axes.ok_or_else(|| format!("{order:?} does not name each axis once"))?))
            }
            Shape::Rename { from, to } => edit(arg, from, |axis| vec![axis.named(to)]),
            Shape::Split { axis, into } => {
                let size: usize = into.iter().map(|axis| axis.size).product();
                let ty = edit(arg, axis, |_| into.clone())?;
                let own = arg.axes[dim(arg, axis)?].size;
                if size == own { Ok(ty) } else { Err(format!("{into:?} multiply to {size}, not to {own}")) }
            }
            Shape::Merge { axes, into } => merge_type(arg, axes, into),
            Shape::Slice { axis, start, size } => {
                let own = arg.axes[dim(arg, axis)?].size;
                if start + size > own {
                    return Err(format!("{start}..{} reaches beyond axis `{axis}` of size {own}", start + size));
                }
                edit(arg, axis, |axis| vec![Axis::new(axis.name, *size)])
            }
            Shape::Pad { axis, low, high, .. } => {
                edit(arg, axis, |axis| vec![Axis::new(axis.name, axis.size + low + high)])
            }
            Shape::Concat { axis } => {
                let mut total = 0;
                for part in args {
                    total += part.axes[dim(part, axis)?].size;
                    if part.dtype != arg.dtype || part.without(axis) != arg.without(axis) {
                        return Err(format!("{part} and {arg} differ in more than axis `{axis}`"));
                    }
                }
                edit(arg, axis, |axis| vec![Axis::new(axis.name, total)])
            }
        }
    }

    pub(super) fn vjp<'g>(&self, i: usize, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Option<Tensor<'g>> {
        let ty = cx.input_type(i);
        let names: Vec<_> = ty.axes.iter().map(|axis| axis.name).collect();
        Some(match self {
            Shape::Broadcast { axes } => {
                let added: Vec<_> = axes.iter().filter(|axis| !ty.has(axis.name)).map(|axis| axis.name).collect();
                ct.sum(&added)
            }
            Shape::Transpose { .. } => ct.transpose(&names),
            Shape::Rename { from, to } => ct.rename(to, from),
            Shape::Split { axis, into } => {
                let into: Vec<_> = into.iter().map(|axis| axis.name).collect();
                ct.merge(&into, axis)
            }
            Shape::Merge { axes, into } => {
                let into_axes: Vec<_> = ty.axes.iter().copied().filter(|axis| axes.contains(&axis.name)).collect();
                ct.split(into, &into_axes)
            }
            Shape::Slice { axis, start, size } => {
                let own = ty.axes[ty.dim(axis)?].size;
                ct.pad(axis, *start, own - start - size, 0.0)
            }
            Shape::Pad { axis, low, .. } => ct.slice(axis, *low, ty.axes[ty.dim(axis)?].size),
            Shape::Concat { axis } => {
                let size = |ty: &TensorType| ty.dim(axis).map_or(0, |dim| ty.axes[dim].size);
                let start = (0..i).map(|before| size(&cx.input_type(before))).sum();
                ct.slice(axis, start, size(&ty))
            }
        })
    }

    pub(super) fn acts_along(&self) -> Vec<&'static str> {
        match self {
            Shape::Broadcast { .. } | Shape::Transpose { .. } => Vec::new(),
            Shape::Rename { from, to } => vec![from, to],
            Shape::Split { axis, into } => std::iter::once(*axis).chain(into.iter().map(|axis| axis.name)).collect(),
            Shape::Merge { axes, into } => axes.iter().chain([into]).copied().collect(),
            Shape::Slice { axis, .. } | Shape::Pad { axis, .. } | Shape::Concat { axis } => vec![axis],
        }
    }

    pub(super) fn without_axes(&self, axes: &[Axis]) -> Shape {
        let has = |name: &&'static str| axes.iter().any(|axis| axis.name == *name);
        match self {
            Shape::Transpose { order } => {
                Shape::Transpose { order: order.iter().copied().filter(|name| !has(name)).collect() }
            }
            shape => shape.clone(),
        }
    }

    pub(super) fn lower(&self, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        let Operand { name, ty } = &args[0];
        let signature = format!("({}) -> {}", ty.stablehlo(), result.stablehlo());
        let dim = |axis: &str| ty.dim(axis).unwrap_or_default();
        match self {
            Shape::Rename { .. } => (*name).to_owned(),
            Shape::Broadcast { .. } | Shape::Transpose { .. } if *ty == result => (*name).to_owned(),
            Shape::Broadcast { .. } => {
                let dims = ints(ty.axes.iter().map(|axis| result.dim(axis.name).unwrap_or_default()));
                e.assign(format!("stablehlo.broadcast_in_dim {name}, dims = {dims} : {signature}"))
            }
            Shape::Transpose { order } => {
                let dims = ints(order.iter().map(|axis| dim(axis)));
                e.assign(format!("stablehlo.transpose {name}, dims = {dims} : {signature}"))
            }
            Shape::Split { .. } | Shape::Merge { .. } => e.assign(format!("stablehlo.reshape {name} : {signature}")),
            Shape::Slice { axis, start, size } => {
                let ranges: Vec<_> = ty
                    .axes
                    .iter()
                    .map(|own| match own.name == *axis {
                        true => format!("{start}:{}", start + size),
                        false => format!("0:{}", own.size),
                    })
                    .collect();
                e.assign(format!("stablehlo.slice {name} [{}] : {signature}", ranges.join(", ")))
            }
            Shape::Pad { axis, low, high, value } => {
                let at = dim(axis);
                let only = |amount: usize| ints((0..ty.axes.len()).map(|i| if i == at { amount } else { 0 }));
                let element = TensorType::new(ty.dtype, &[]).stablehlo();
                let fill = e.assign(format!("stablehlo.constant dense<{}> : {element}", scalar(*value, ty.dtype)));
                e.assign(format!(
                    "stablehlo.pad {name}, {fill}, low = {}, high = {}, interior = {} : ({}, {element}) -> {}",
                    only(*low),
                    only(*high),
                    only(0),
                    ty.stablehlo(),
                    result.stablehlo()
                ))
            }
            Shape::Concat { axis } => {
                let names: Vec<_> = args.iter().map(|arg| arg.name).collect();
                let types: Vec<_> = args.iter().map(|arg| arg.ty.stablehlo()).collect();
                e.assign(format!(
                    "stablehlo.concatenate {}, dim = {} : ({}) -> {}",
                    names.join(", "),
                    dim(axis),
                    types.join(", "),
                    result.stablehlo()
                ))
            }
        }
    }
}

/// The first axis that has another size in the second list.
pub(super) fn differing_size(a: &[Axis], b: &[Axis]) -> Option<(Axis, Axis)> {
    a.iter().find_map(|x| Some((*x, *b.iter().find(|y| x.name == y.name && x.size != y.size)?)))
}

fn dim(ty: &TensorType, name: &str) -> Result<usize, String> {
    ty.dim(name).ok_or_else(|| format!("there is no axis `{name}`"))
}

/// The type with one axis replaced by what `with` gives for it.
fn edit(ty: &TensorType, name: &str, with: impl Fn(Axis) -> Vec<Axis>) -> Result<TensorType, String> {
    let at = dim(ty, name)?;
    let mut axes = ty.axes[..at].to_vec();
    axes.extend(with(ty.axes[at]));
    axes.extend(&ty.axes[at + 1..]);
    Ok(ty.with_axes(axes))
}

fn merge_type(ty: &TensorType, axes: &[&'static str], into: &'static str) -> Result<TensorType, String> {
    let Some(first) = axes.first() else {
        return Err("no axis is named".into());
    };
    let at = dim(ty, first)?;
    let neighbours = ty.axes.get(at..at + axes.len()).unwrap_or_default();
    if !neighbours.iter().map(|axis| axis.name).eq(axes.iter().copied()) {
        return Err(format!("{axes:?} are not all axes of the tensor"));
    }
    let size = neighbours.iter().map(|axis| axis.size).product();
    let mut merged = ty.axes[..at].to_vec();
    merged.push(Axis::new(into, size));
    merged.extend(&ty.axes[at + axes.len()..]);
    Ok(ty.with_axes(merged))
}
