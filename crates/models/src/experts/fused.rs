//! Products of rows with their experts' weights by kernels of our own.

use graph::{Axis, DType, Tensor};
use kernels::{Gpu, GroupedProduct};

use crate::layers::wide;

/// Rows of different devices know nothing of each other. What is split of experts' widths are columns of a product, or terms of its sums, which are
/// then added up over devices.
const APART: [&str; 2] = ["shard", "expert_mlp"];

/// Multiplies rows (blocks, row, `input`) with their experts' weights, of `weight` (experts, output, `input`): (blocks, row, output). `owners` are
/// the experts of blocks, i32 (blocks), and their number where a block is nobody's. `None` where the kernels do not take it.
pub(super) fn product<'g>(
    gpu: Gpu,
    rows: Tensor<'g>,
    weight: Tensor<'g>,
    owners: Tensor<'g>,
    input: &'static str,
) -> Option<Tensor<'g>> {
    let graph = rows.graph();
    // Shares of several devices are rounded when they are added up.
    let gradient = if graph.is_partitioned() { wide(weight.dtype()) } else { weight.dtype() };
    let (experts, output) = (weight.axis("experts").size, weight.axes()[1].name);
    let product = Product { gpu, experts, input, output, gradient };
    let [inputs, outputs] = [input, output].map(|name| weight.axis(name).size);
    let is_taken = GroupedProduct::takes(rows.dtype()) && weight.dtype() == rows.dtype();
    if !is_taken || product.kernels(in_blocks(rows, input), inputs, outputs).check().is_err() {
        return None;
    }
    let results = graph.custom_vjp(
        &[rows, weight, owners],
        |inputs| {
            let y = graph.per_shard(&APART, inputs, |own| vec![product.forward([own[0], own[1], own[2]])]);
            (y, inputs.to_vec())
        },
        |residuals, cts| {
            let [rows, weight, owners] = residuals else { unreachable!("the three inputs") };
            // Apart from each other, since of weights that nobody trains there is no gradient.
            let of_rows = graph
                .per_shard(&APART, &[cts[0], *weight, *owners], |own| vec![product.of_rows([own[0], own[1], own[2]])]);
            let of_weight = graph
                .per_shard(&APART, &[cts[0], *rows, *owners], |own| vec![product.of_weight([own[0], own[1], own[2]])]);
            vec![Some(of_rows[0]), Some(of_weight[0].cast(weight.dtype()).transpose(&names(*weight))), None]
        },
    );
    Some(results[0])
}

/// A product of what a device has.
#[derive(Clone, Copy)]
struct Product {
    gpu: Gpu,
    experts: usize,
    /// The axis of rows and weights that is summed over.
    input: &'static str,
    /// That of what rows become.
    output: &'static str,
    /// Type of the weights' gradient.
    gradient: DType,
}

impl Product {
    /// For rows (blocks, row, …) and matrices of this size.
    fn kernels(&self, rows: Tensor<'_>, inputs: usize, outputs: usize) -> GroupedProduct {
        let &Product { gpu, experts, gradient, .. } = self;
        let [blocks, count] = ["blocks", "row"].map(|name| rows.axis(name).size);
        GroupedProduct { experts, blocks, rows: count, inputs, outputs, dtype: rows.dtype(), gradient, gpu }
    }

    /// Of rows, weights and owners.
    fn forward<'g>(&self, [rows, weight, owners]: [Tensor<'g>; 3]) -> Tensor<'g> {
        let given = in_blocks(rows, self.input);
        let op = self.kernels(given, weight.axis(self.input).size, weight.axis(self.output).size);
        let y = op.forward(&rows.graph(), [&given, &self.in_order(weight), &in_one(owners)]).expect(CHECKED);
        in_shards(y.rename("output", self.output), rows)
    }

    /// The cotangent of rows: of that of the result, weights and owners.
    fn of_rows<'g>(&self, [ct, weight, owners]: [Tensor<'g>; 3]) -> Tensor<'g> {
        let given = in_blocks(ct, self.output);
        let op = self.kernels(given, weight.axis(self.input).size, weight.axis(self.output).size);
        let of_rows = op.of_rows(&ct.graph(), [&given, &self.in_order(weight), &in_one(owners)]).expect(CHECKED);
        in_shards(of_rows.rename("input", self.input), ct)
    }

    /// The cotangent of weights, (experts, output, input): of that of the result, rows and owners. An expert's blocks are one behind the other in
    /// each shard, and not in all of them together.
    fn of_weight<'g>(&self, all: [Tensor<'g>; 3]) -> Tensor<'g> {
        let shards = shard(all[1]).map_or(1, |axis| axis.size);
        let parts = (0..shards).map(|number| {
            let own = all.map(|tensor| shard(tensor).map_or(tensor, |axis| tensor.slice(axis.name, number, 1)));
            let (ct, rows) = (in_blocks(own[0], self.output), in_blocks(own[1], self.input));
            let op = self.kernels(rows, rows.axis(self.input).size, ct.axis(self.output).size);
            op.of_weights(&ct.graph(), [&ct, &rows, &in_one(own[2])]).expect(CHECKED)
        });
        let sum = parts.reduce(|sum, part| sum + part).expect("a device has a shard");
        sum.rename("output", self.output).rename("input", self.input)
    }

    fn in_order<'g>(&self, weight: Tensor<'g>) -> Tensor<'g> {
        weight.transpose(&["experts", self.output, self.input])
    }
}

const CHECKED: &str = "a part of what was checked can be computed";

/// The axis of a device's shards, where rows lie on several devices.
fn shard(tensor: Tensor<'_>) -> Option<Axis> {
    tensor.axes().into_iter().find(|axis| axis.name == "shard")
}

/// Rows of all shards, (blocks, row, `width`).
fn in_blocks<'g>(rows: Tensor<'g>, width: &'static str) -> Tensor<'g> {
    in_one(rows).transpose(&["blocks", "row", width])
}

/// The blocks of all shards one behind the other.
fn in_one(each: Tensor<'_>) -> Tensor<'_> {
    shard(each).map_or(each, |axis| each.merge(&[axis.name, "blocks"], "blocks"))
}

/// Rows of all shards, (blocks, row, width), as others are in theirs, whose width may be another axis.
fn in_shards<'g>(rows: Tensor<'g>, others: Tensor<'g>) -> Tensor<'g> {
    let width = rows.axes()[2].name;
    let rows = shard(others).map_or(rows, |axis| rows.split("blocks", &[axis, others.axis("blocks")]));
    let own: Vec<&'static str> = names(rows);
    let order: Vec<_> = names(others).into_iter().map(|name| if own.contains(&name) { name } else { width }).collect();
    rows.transpose(&order)
}

fn names(tensor: Tensor<'_>) -> Vec<&'static str> {
    tensor.axes().into_iter().map(|axis| axis.name).collect()
}
