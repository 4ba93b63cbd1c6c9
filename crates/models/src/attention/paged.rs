//! Attention of texts' last tokens to keys and values that lie in pages.

use graph::{DType, Tensor};
use kernels::{Gpu, PagedAttention};

use super::Form;
use crate::layers::wide_dot;

/// Where the keys and values of texts lie, and which of their tokens attend.
#[derive(Clone, Copy)]
pub(crate) struct Pages<'g> {
    /// The pages of each row's text in their order, i32 (batch, seen_page).
    pub(crate) table: Tensor<'g>,
    /// Where in its text a row's first token stands, i32 (batch).
    pub(crate) start: Tensor<'g>,
    /// How many of a row's tokens are there, i32 (batch).
    pub(crate) count: Tensor<'g>,
}

/// The order in which queries and keys lie where one multiplies the other, page by page.
pub(crate) const QUERIES: [&str; 5] = ["batch", "position", "kv_heads", "groups", "head_dim"];
pub(crate) const PAGES: [&str; 4] = ["page", "kv_heads", "page_token", "head_dim"];

/// Whether a kernel attends to pages with heads of such a size in such a type.
pub(crate) fn kernel_takes(dtype: DType, [kv_heads, heads, head_dim]: [usize; 3], has_biases: bool) -> bool {
    !has_biases && PagedAttention::takes(dtype, head_dim, heads / kv_heads)
}

/// By a kernel, with `q` (batch, position, kv_heads, groups, head_dim) to `k` and `v` (page, kv_heads, page_token, head_dim), all in any order. Result: axes
/// of `q` in its order. `None` where no kernel serves.
pub(crate) fn launched<'g>(
    gpu: Gpu,
    q: Tensor<'g>,
    held: [Tensor<'g>; 2],
    pages: Pages<'g>,
    form: &Form,
) -> Option<Tensor<'g>> {
    Some(run(gpu, q, held, (pages, None), form)?[0])
}

/// As [`launched`], of one token a row, which is rotated before, where kernels write ([`crate::ragged`]): its own `k` and `v` (batch, position, kv_heads, head_dim) are written
/// into the pages `held`, which no other row reads there. Results: axes of `q`, and all keys and values.
pub(crate) fn launched_writing<'g>(
    gpu: Gpu,
    rotation: Option<[Tensor<'g>; 2]>,
    [q, k, v]: [Tensor<'g>; 3],
    held: [Tensor<'g>; 2],
    pages: Pages<'g>,
    form: &Form,
) -> Option<[Tensor<'g>; 3]> {
    let own =
        [k, v].map(|own| own.merge(&["batch", "position"], "batch").transpose(&["batch", "kv_heads", "head_dim"]));
    let angles = rotation.map(|angles| angles.map(|angles| angles.rename("token", "batch")));
    run(gpu, q, held, (pages, Some((angles, own))), form)?.try_into().ok()
}

/// A token's cosines and sines (batch, pair), if it is rotated, and its key and value (batch, kv_heads, head_dim).
type Given<'g> = (Option<[Tensor<'g>; 2]>, [Tensor<'g>; 2]);

fn run<'g>(
    gpu: Gpu,
    q: Tensor<'g>,
    [k, v]: [Tensor<'g>; 2],
    (Pages { table, start, count }, given): (Pages<'g>, Option<Given<'g>>),
    form: &Form,
) -> Option<Vec<Tensor<'g>>> {
    let size = |name: &'static str| q.axis(name).size;
    let heads = [size("kv_heads"), size("kv_heads") * size("groups"), size("head_dim")];
    let serves =
        kernel_takes(q.dtype(), heads, form.alibi.is_some()) && PagedAttention::takes_held(q.dtype(), k.dtype());
    if !serves {
        return None;
    }
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let rotates = given.map(|(angles, _)| angles.map_or(0, |[cos, _]| 2 * cos.axis("pair").size));
    let read = [q.transpose(&QUERIES), k.transpose(&PAGES), v.transpose(&PAGES), table, start, count];
    let given = given.into_iter().flat_map(|(angles, own)| angles.into_iter().flatten().chain(own));
    let inputs: Vec<_> = read.into_iter().chain(given).collect();
    let mut is_built = true;
    let results = q.graph().per_shard(&["kv_heads"], &inputs, |own| {
        let size = |tensor: Tensor<'g>, name: &'static str| tensor.axis(name).size;
        let operation = PagedAttention {
            batch: size(own[0], "batch"),
            positions: size(own[0], "position"),
            kv_heads: size(own[0], "kv_heads"),
            groups: size(own[0], "groups"),
            head_dim: size(own[0], "head_dim"),
            pages: size(own[1], "page"),
            page_tokens: size(own[1], "page_token"),
            seen_pages: size(own[3], "seen_page"),
            dtype: own[0].dtype(),
            held: own[1].dtype(),
            scale: form.scale,
            window: form.window,
            softcap: form.softcap,
            rotates,
            gpu,
        };
        operation.run(&own[0].graph(), own).unwrap_or_else(|_| {
            is_built = false;
            let written = if rotates.is_some() { 2 } else { 0 };
            own[..=written].to_vec()
        })
    });
    let (out, written) = results.split_first()?;
    is_built.then(|| [out.transpose(&order)].into_iter().chain(written.iter().copied()).collect())
}

/// Of one token a row, in graph operations, page by page: keys and values are gathered as they lie, and not turned. Arguments and result as [`launched`].
pub(crate) fn page_by_page<'g>(
    q: Tensor<'g>,
    [k, v]: [Tensor<'g>; 2],
    Pages { table, start, count }: Pages<'g>,
    form: &Form,
) -> Tensor<'g> {
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let (graph, position) = (q.graph(), q.axis("position"));
    let seen = table.axis("seen_page");
    let q = q.merge(&["batch", "position"], "batch").broadcast(&[
        q.axis("batch"),
        seen,
        q.axis("kv_heads"),
        q.axis("groups"),
        q.axis("head_dim"),
    ]);
    let gathered = |cache: Tensor<'g>| cache.transpose(&PAGES).take("page", table).cast(q.dtype());
    let (k, v) = (gathered(k), gathered(v));
    let tokens = k.axis("page_token");
    let places = graph.iota(seen, DType::I32) * tokens.size as f64;
    let places = places.broadcast(&[seen, tokens]) + graph.iota(tokens, DType::I32);
    // The CPU plugin turns the second matrix of a product: the queries are smaller.
    let scores = wide_dot(k, q, &["head_dim"]) * form.scale;
    let mut scores = match form.softcap {
        Some(cap) => (scores * (1.0 / cap)).tanh() * cap,
        None => scores,
    };
    if let Some(alibi) = &form.alibi {
        let biases = alibi.biases(start, places, [q.axis("kv_heads"), q.axis("groups")]);
        scores = scores + biases.cast(scores.dtype()).broadcast(&scores.axes());
    }
    let is_written = places.less(start + count);
    let mut visible = is_written.and(start.greater_equal(places));
    if let Some(window) = form.window {
        visible = visible.and((start - places).less(window as f64));
    }
    let scores = visible.select(scores, f64::NEG_INFINITY);
    let both = ["seen_page", "page_token"];
    let largest = scores.max(&both);
    // Rows that see nothing have weights of 0, and no NaN.
    let weights = (scores - largest.greater(f64::NEG_INFINITY).select(largest, 0.0)).exp();
    let total = weights.sum(&both);
    // What nobody has written may be no number, which a weight of 0 does not hide.
    let axes: Vec<&'static str> = v.axes().iter().map(|axis| axis.name).collect();
    let v = is_written.select(v, 0.0).transpose(&axes);
    let out = wide_dot(weights.cast(v.dtype()), v, &["page_token"]).sum(&["seen_page"]);
    let out = out / total.greater(0.0).select(total, 1.0);
    out.cast(q.dtype()).split("batch", &[table.axis("batch"), position]).transpose(&order)
}
