//! Products of rows with their experts' weights in a loop over blocks, on any device.

use graph::{Axis, Remat, Tensor};

use crate::layers::{wide, wide_dot};

/// Multiplies rows (blocks, row, `input`) with the weights of the expert of each block, i32 (blocks), of `weight` (experts, output, `input`):
/// (blocks, row, output).
pub(super) fn product<'g>(
    rows: Tensor<'g>,
    weight: Tensor<'g>,
    experts: Tensor<'g>,
    input: &'static str,
) -> Tensor<'g> {
    let output = weight.axes()[1].name;
    let product = rows.graph().custom_vjp(
        &[rows, weight, experts],
        |inputs| (vec![block_products(inputs[0], inputs[1], inputs[2], input)], inputs.to_vec()),
        |residuals, cts| {
            let [rows, weight, experts] = residuals else { unreachable!("the three inputs") };
            let d_rows = block_products(cts[0], *weight, *experts, output);
            vec![Some(d_rows), Some(expert_sums(cts[0], *rows, *experts, *weight)), None]
        },
    );
    product[0]
}

/// Each block of `rows` by the weights of its expert, summed over `contract`.
fn block_products<'g>(rows: Tensor<'g>, weight: Tensor<'g>, experts: Tensor<'g>, contract: &'static str) -> Tensor<'g> {
    let output = weight.axes()[1].name;
    let (_, products) = rows.graph().scan(rows.axis("blocks"), &[], &[rows, experts], Remat::none(), |step| {
        let own = match step.slices[1].axes().as_slice() {
            [] => weight.dynamic_slice(&[("experts", step.slices[1], 1)]).merge(&["experts", output], output),
            _ => weight.take("experts", step.slices[1]),
        };
        (vec![], vec![step.slices[0].dot(own, &[contract])])
    });
    products[0]
}

/// The cotangent of `weight` (experts, output, input): for each expert the sum of its blocks' products of `ct` (blocks, row, output) and
/// `rows` (blocks, row, input). A single array is added to, in place.
fn expert_sums<'g>(ct: Tensor<'g>, rows: Tensor<'g>, experts: Tensor<'g>, weight: Tensor<'g>) -> Tensor<'g> {
    let graph = rows.graph();
    let apart: Vec<Axis> = rows.axes().into_iter().filter(|axis| axis.name == "shard").collect();
    let zeros = graph.full(0.0, wide(weight.dtype()), &[apart.clone(), weight.axes()].concat());
    let (sums, _) = graph.scan(rows.axis("blocks"), &[zeros], &[ct, rows, experts], Remat::none(), |step| {
        let (sums, expert) = (step.carry[0], step.slices[2]);
        let more = wide_dot(step.slices[0], step.slices[1], &["row"]);
        if !apart.is_empty() {
            return (vec![sums.scatter_add("experts", expert, more)], vec![]);
        }
        let own = sums.dynamic_slice(&[("experts", expert, 1)]);
        (vec![sums.dynamic_update(own + more, &[("experts", expert)])], vec![])
    });
    let sums = if apart.is_empty() { sums[0] } else { sums[0].sum(&["shard"]) };
    sums.cast(weight.dtype())
}
