//! Calls of kernels for CPUs, in steps of generation.

use graph::{Axis, CustomCall, DType, Tensor, TensorType};
use host_kernels::{ATTEND, MULTIPLY, VECTORS_MAX};

use crate::attention::{Form, PAGES, Pages, QUERIES};

/// The product of `weight` (output, `input`) with few vectors `x`, over the axis `input`; `None` where XLA's own is what serves: of many vectors, of other types,
/// of a weight that is stored the other way round, and over several devices.
pub(crate) fn product<'g>(x: Tensor<'g>, weight: Tensor<'g>, input: &'static str) -> Option<Tensor<'g>> {
    let [output, width] = weight.axes()[..] else { return None };
    let others: Vec<Axis> = x.axes().into_iter().filter(|axis| axis.name != input).collect();
    let vectors: usize = others.iter().map(|axis| axis.size).product();
    let is_f32 = x.dtype() == DType::F32 && weight.dtype() == DType::F32;
    if !is_f32 || width.name != input || !(1..=VECTORS_MAX).contains(&vectors) || x.graph().is_partitioned() {
        return None;
    }
    let names = |axes: &[Axis]| axes.iter().map(|axis| axis.name).collect::<Vec<_>>();
    let order = [&names(&others)[..], &[input]].concat();
    let result = TensorType::new(DType::F32, &[&[output], &others[..]].concat());
    let products = call(MULTIPLY, "{}".to_owned(), &[weight, x.transpose(&order)], result);
    Some(products.transpose(&[&names(&others)[..], &[output.name]].concat()))
}

/// Attention of one token of each text, as [`crate::attention::page_by_page`]; `None` where that is what serves: with biases, of other types, and over several
/// devices.
pub(crate) fn attend<'g>(
    q: Tensor<'g>,
    [k, v]: [Tensor<'g>; 2],
    Pages { table, start, count }: Pages<'g>,
    form: &Form,
) -> Option<Tensor<'g>> {
    let is_f32 = [q, k, v].iter().all(|x| x.dtype() == DType::F32);
    if !is_f32 || form.alibi.is_some() || q.axis("position").size != 1 || q.graph().is_partitioned() {
        return None;
    }
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let q = q.transpose(&QUERIES);
    // MLIR wants a decimal point, and ten digits are the number itself.
    let numbers = format!(
        "{{scale = {:.9e} : f32, softcap = {:.9e} : f32, window = {} : i64}}",
        form.scale,
        form.softcap.unwrap_or(0.0),
        form.window.unwrap_or(0)
    );
    let out = call(ATTEND, numbers, &[q, k.transpose(&PAGES), v.transpose(&PAGES), table, start, count], q.ty());
    Some(out.transpose(&order))
}

fn call<'g>(target: &str, backend_config: String, inputs: &[Tensor<'g>], result: TensorType) -> Tensor<'g> {
    let call = CustomCall {
        target: target.to_owned(),
        api_version: 4,
        backend_config,
        operand_layouts: vec![None; inputs.len()],
        results: vec![(result, None)],
        in_place: Vec::new(),
    };
    inputs[0].graph().custom_call(call, inputs)[0]
}
