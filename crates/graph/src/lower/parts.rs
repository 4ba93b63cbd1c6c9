//! Values in parts. Where scans over an axis are unrolled, a value whose outermost axes are unrolled ones is not one tensor in the text
//! but one for each element along them, in row-major order: a stack of layers costs no copies, because there is none.
//!
//! Which values are in parts follows from their types alone. Most ops act on each part as they would on the whole; for the others the
//! parts are joined and the result is split again, which is always right.

use std::collections::HashMap;

use crate::ops::{Op, Operand, Reduce};
use crate::{Axis, TensorType};

use super::Emitter;

/// A value in the text.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    /// The names of its parts; the only name of a value that is whole.
    pub(super) parts: &'a [String],
    /// The type of the whole.
    pub(super) ty: &'a TensorType,
}

impl Emitter<'_> {
    /// The axes along which a value of this type is in parts.
    pub(super) fn leads<'t>(&self, ty: &'t TensorType) -> &'t [Axis] {
        let count = ty.axes.iter().take_while(|axis| self.unrolled.contains(&axis.name)).count();
        &ty.axes[..count]
    }

    pub(super) fn part_type(&self, ty: &TensorType) -> TensorType {
        ty.with_axes(ty.axes[self.leads(ty).len()..].to_vec())
    }

    pub(super) fn part_count(&self, ty: &TensorType) -> usize {
        element_count(self.leads(ty))
    }

    /// Writes an op with one result, and gives the names of the result's parts.
    pub(super) fn op(&mut self, op: &Op, args: &[Held<'_>], result: &TensorType) -> Vec<String> {
        let is_whole = |ty: &TensorType| self.leads(ty).is_empty();
        if is_whole(result) && args.iter().all(|arg| is_whole(arg.ty)) {
            let operands: Vec<_> = args.iter().map(|arg| Operand { name: &arg.parts[0], ty: arg.ty }).collect();
            return vec![self.lower_op(op, &operands, result)];
        }
        if self.acts_on_each_part(op, args, result) {
            return self.on_each_part(op, args, result);
        }
        if let Op::Reduce(reduce) = op
            && let Some(parts) = self.reduce_parts(reduce, args[0], result)
        {
            return parts;
        }
        let names: Vec<String> = args.iter().map(|arg| self.join(*arg)).collect();
        let operands: Vec<_> = names.iter().zip(args).map(|(name, arg)| Operand { name, ty: arg.ty }).collect();
        let whole = self.lower_op(op, &operands, result);
        self.split(whole, result)
    }

    /// Whether each part of the result follows from those parts of the arguments that have the same place, where an argument that lacks
    /// an axis is the same all along it.
    fn acts_on_each_part(&self, op: &Op, args: &[Held<'_>], result: &TensorType) -> bool {
        let along = op.acts_along();
        let leads = self.leads(result);
        let free = |axes: &[Axis]| !axes.iter().any(|axis| along.contains(&axis.name));
        let fits = |arg: &Held<'_>| {
            let own = self.leads(arg.ty);
            free(own)
                && own.iter().all(|axis| leads.contains(axis))
                && leads.iter().all(|axis| own.contains(axis) || !arg.ty.has(axis.name))
        };
        free(leads) && args.iter().all(fits)
    }

    fn on_each_part(&mut self, op: &Op, args: &[Held<'_>], result: &TensorType) -> Vec<String> {
        let leads = self.leads(result);
        let op = op.without_axes(leads);
        let result = self.part_type(result);
        let types: Vec<_> = args.iter().map(|arg| self.part_type(arg.ty)).collect();
        // The same op on the same operands is written once: all layers share a constant, and what is broadcast from it.
        let mut known: HashMap<Vec<&str>, String> = HashMap::new();
        let mut parts = Vec::new();
        for place in 0..element_count(leads) {
            let part = |arg: &Held<'_>| -> usize { project(place, leads, self.leads(arg.ty)) };
            let names: Vec<&str> = args.iter().map(|arg| arg.parts[part(arg)].as_str()).collect();
            let name = match known.get(&names) {
                Some(name) => name.clone(),
                None => {
                    let operands: Vec<_> = names.iter().zip(&types).map(|(name, ty)| Operand { name, ty }).collect();
                    self.labels.go_in(leads.iter().copied().zip(coordinates(place, leads)));
                    let name = self.lower_op(&op, &operands, &result);
                    self.labels.go_out(leads.len());
                    name
                }
            };
            known.entry(names).or_insert_with(|| name.clone());
            parts.push(name);
        }
        parts
    }

    /// Reduces each part, then the parts along those axes that are reduced; `None` where the result's parts are others than the rest.
    fn reduce_parts(&mut self, reduce: &Reduce, arg: Held<'_>, result: &TensorType) -> Option<Vec<String>> {
        let own = self.leads(arg.ty);
        let rest: Vec<Axis> = own.iter().copied().filter(|axis| !reduce.axes().contains(&axis.name)).collect();
        if rest != self.leads(result) {
            return None;
        }
        let (part_ty, result_ty) = (self.part_type(arg.ty), self.part_type(result));
        let mut totals: Vec<Option<String>> = vec![None; element_count(&rest)];
        for (place, part) in arg.parts.iter().enumerate() {
            let reduced = match part_ty == result_ty {
                true => part.clone(),
                false => reduce.lower(self, &Operand { name: part, ty: &part_ty }, &result_ty),
            };
            let total = &mut totals[project(place, own, &rest)];
            *total = Some(match total.take() {
                None => reduced,
                Some(before) => reduce.combine(self, &before, &reduced, &result_ty),
            });
        }
        Some(totals.into_iter().flatten().collect())
    }

    /// Writes the whole of a value that may be in parts.
    pub(super) fn join(&mut self, value: Held<'_>) -> String {
        self.join_along(value.parts, self.leads(value.ty), &self.part_type(value.ty))
    }

    /// Writes the tensor whose parts along `leads` are given, each of the type `part`.
    pub(super) fn join_along(&mut self, parts: &[String], leads: &[Axis], part: &TensorType) -> String {
        if leads.is_empty() {
            return parts[0].clone();
        }
        let along = |count: usize| part.with_axes(prefixed(&[Axis::new("parts", count)], &part.axes)).stablehlo();
        let (one, all) = (along(1), along(parts.len()));
        let rows: Vec<String> = parts
            .iter()
            .map(|name| self.assign(format!("stablehlo.reshape {name} : ({}) -> {one}", part.stablehlo())))
            .collect();
        let types = vec![one; rows.len()].join(", ");
        let rows = rows.join(", ");
        let joined = self.assign(format!("stablehlo.concatenate {rows}, dim = 0 : ({types}) -> {all}"));
        if leads.len() == 1 {
            return joined;
        }
        let whole = part.with_axes(prefixed(leads, &part.axes)).stablehlo();
        self.assign(format!("stablehlo.reshape {joined} : ({all}) -> {whole}"))
    }

    /// Writes the parts of a value that is whole in the text.
    pub(super) fn split(&mut self, whole: String, ty: &TensorType) -> Vec<String> {
        let (leads, part) = (self.leads(ty), self.part_type(ty).stablehlo());
        if leads.is_empty() {
            return vec![whole];
        }
        let ones: Vec<Axis> = leads.iter().map(|axis| Axis::new(axis.name, 1)).collect();
        let one = ty.with_axes(prefixed(&ones, &ty.axes[leads.len()..])).stablehlo();
        let mut parts = Vec::new();
        for place in 0..element_count(leads) {
            let at = coordinates(place, leads);
            let range = |(dim, axis): (usize, &Axis)| match at.get(dim) {
                Some(start) => format!("{start}:{}", start + 1),
                None => format!("0:{}", axis.size),
            };
            let ranges: Vec<_> = ty.axes.iter().enumerate().map(range).collect();
            let text = format!("stablehlo.slice {whole} [{}] : ({}) -> {one}", ranges.join(", "), ty.stablehlo());
            let slice = self.assign(text);
            parts.push(self.assign(format!("stablehlo.reshape {slice} : ({one}) -> {part}")));
        }
        parts
    }
}

fn prefixed(axes: &[Axis], rest: &[Axis]) -> Vec<Axis> {
    axes.iter().chain(rest).copied().collect()
}

pub(super) fn element_count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.size).product()
}

/// Where a place in row-major order along `axes` stands along each of them.
fn coordinates(place: usize, axes: &[Axis]) -> Vec<usize> {
    let mut rest = place;
    let mut at: Vec<usize> = axes
        .iter()
        .rev()
        .map(|axis| {
            let along = rest % axis.size;
            rest /= axis.size;
            along
        })
        .collect();
    at.reverse();
    at
}

/// The place along `onto`, some of `axes` in any order, of a place along `axes`.
fn project(place: usize, axes: &[Axis], onto: &[Axis]) -> usize {
    let at = coordinates(place, axes);
    onto.iter().fold(0, |place, axis| {
        let along = axes.iter().position(|own| own == axis).map_or(0, |dim| at[dim]);
        place * axis.size + along
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_row_major() {
        let (a, b) = (Axis::new("a", 2), Axis::new("b", 3));
        let onto = |onto: &[Axis]| (0..6).map(|place| project(place, &[a, b], onto)).collect::<Vec<_>>();
        assert_eq!(onto(&[a]), [0, 0, 0, 1, 1, 1]);
        assert_eq!(onto(&[b]), [0, 1, 2, 0, 1, 2]);
        assert_eq!(onto(&[b, a]), [0, 2, 4, 1, 3, 5]);
        assert_eq!(onto(&[]), [0; 6]);
    }
}
