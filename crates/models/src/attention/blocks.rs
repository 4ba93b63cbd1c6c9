//! Attention by kernels of our own, for GPUs of any vendor: what cuDNN's lacks, and what there is where there is no cuDNN.

use graph::{Axis, DType, Graph, HostTensor, Tensor};
use kernels::{Attention, Biases, Gpu, Spans};

use super::{ATTENTION, Alibi, Form};
use crate::AttentionModule;
use crate::device_part::part_sizes;

/// Whether our kernels compute a layer's attention in this element type, over so many rows and positions. Of several devices each computes for
/// its own rows and heads: they are what is asked about.
pub fn blocks_support(dtype: DType, [rows, positions]: [usize; 2], layer: &AttentionModule) -> bool {
    Attention::takes(dtype, layer.head_dim)
        && Attention::counts(positions, layer.heads, layer.head_dim)
        && Attention::launches(rows, positions)
}

const QUERIES: [&str; 5] = ["batch", "position", "kv_heads", "groups", "head_dim"];
const KEYS: [&str; 4] = ["batch", "key_position", "kv_heads", "head_dim"];

/// Rows and key heads know nothing of each other.
const APART: [&str; 2] = ["batch", "kv_heads"];

/// Where the document of each token begins and ends, i32 (batch, position), from the documents' numbers.
pub(super) fn spans<'g>(segments: Tensor<'g>) -> [Tensor<'g>; 2] {
    let graph = segments.graph();
    let spans = graph.per_shard(&["batch"], &[segments], |own| {
        let spans = Spans { batch: own[0].axis("batch").size, positions: own[0].axis("position").size };
        spans.of(&graph, &own[0]).expect("rows of documents can be of any length")
    });
    [spans[0], spans[1]]
}

/// What each device is to compute for its part of queries of this type; `None` where our kernels do not.
pub(super) fn operation(gpu: Gpu, q: Tensor<'_>, form: &Form) -> Option<Attention> {
    let size = part_sizes(q, &APART);
    let biases = form.alibi.as_ref().map(|alibi| match alibi {
        Alibi::Exact(_) => Biases::Exact,
        Alibi::InBf16 { scale, .. } => Biases::InBf16 { scale: *scale },
    });
    let operation = Attention {
        batch: size("batch"),
        positions: size("position"),
        kv_heads: size("kv_heads"),
        groups: size("groups"),
        head_dim: size("head_dim"),
        dtype: q.dtype(),
        scale: form.scale,
        causal: true,
        window: form.window.filter(|window| *window < size("position")),
        softcap: form.softcap,
        biases,
        documents: false,
        gpu,
    };
    operation.check().is_ok().then_some(operation)
}

/// `operation` on each device, over whole rows or within documents by their `spans`. `q`: (batch, position, kv_heads, groups, head_dim); `k`, `v`: (batch,
/// key_position, kv_heads, head_dim), all in any order. Result: axes of `q` in its order.
pub(super) fn attention<'g>(
    operation: Attention,
    q: Tensor<'g>,
    k: Tensor<'g>,
    v: Tensor<'g>,
    spans: Option<[Tensor<'g>; 2]>,
    form: &Form,
) -> Tensor<'g> {
    let graph = q.graph();
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let slopes = form.alibi.as_ref().map(|alibi| slopes(graph, alibi, [q.axis("kv_heads"), q.axis("groups")]));
    let operation = Attention { documents: spans.is_some(), ..operation };
    let inputs: Vec<_> = [q.transpose(&QUERIES), k.transpose(&KEYS), v.transpose(&KEYS)]
        .into_iter()
        .chain(slopes)
        .chain(spans.into_iter().flatten())
        .collect();
    let out = graph.custom_vjp(
        &inputs,
        |inputs| {
            let results = graph.per_shard(&APART, inputs, |own| {
                operation.forward(&graph, own).expect("what was checked can be computed")
            });
            let [out, rows] = [0, 1].map(|place: usize| results[place].checkpoint_name(ATTENTION));
            (vec![out], [inputs, &[out, rows]].concat())
        },
        |residuals, cts| {
            let grads = graph.per_shard(&APART, &[residuals, cts].concat(), |own| {
                let (inputs, saved) = own.split_at(inputs.len());
                let grads = operation.backward(&graph, inputs, [&saved[0], &saved[1], &saved[2]]);
                grads.expect("what was checked can be computed")
            });
            grads.iter().map(|grad| Some(*grad)).chain(inputs[3..].iter().map(|_| None)).collect()
        },
    );
    out[0].transpose(&order)
}

/// The slope of each query head, f32.
fn slopes<'g>(graph: &'g Graph, alibi: &Alibi, heads: [Axis; 2]) -> Tensor<'g> {
    let slopes = match alibi {
        Alibi::Exact(slopes) | Alibi::InBf16 { slopes, .. } => slopes,
    };
    match HostTensor::from_slice(&heads.map(|axis| axis.size), slopes) {
        Ok(table) => graph.literal(&table, &heads),
        Err(_) => unreachable!("there is a slope for each query head"),
    }
}
