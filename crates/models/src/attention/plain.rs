//! Attention in graph ops, for any backend and any mask.
//!
//! As in FlashAttention-2 (Dao 2023), forward keeps the log-sum-exp of the scores' rows and backward computes the scores again from
//! it. Under a causal mask the queries go in blocks, and a block leaves out the keys behind its last query and those before its first
//! one's window.

use graph::{Axis, DType, Tensor};

use super::{ATTENTION, Form, Mask};
use crate::layers::{wide_dot, widen};

/// Blocks of queries under a causal mask: `n` of them spare `(n - 1) / 2n` of the work, and make the program `n` times as long.
const CAUSAL_BLOCKS: usize = 4;
/// Queries that make a block worth while.
const SMALLEST_BLOCK: usize = 64;

/// With the batch axes first and a key head's queries side by side, forward and backward are plain batches of matrix products. In any
/// other order XLA's CPU compiler transposes the scores, which are by far the largest tensors here.
const QUERIES: [&str; 5] = ["batch", "kv_heads", "position", "groups", "head_dim"];
const KEYS: [&str; 4] = ["batch", "kv_heads", "key_position", "head_dim"];

/// `q`: (batch, position, kv_heads, groups, head_dim); `k`, `v`: (batch, key_position, kv_heads, head_dim), all in any order. Result:
/// axes of `q` in its order.
pub(super) fn attention<'g>(q: Tensor<'g>, k: Tensor<'g>, v: Tensor<'g>, mask: Mask<'g>, form: &Form) -> Tensor<'g> {
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let q = q.transpose(&QUERIES);
    let [k, v] = [k, v].map(|x| x.transpose(&KEYS));
    let blocks = Block::cover(q, k, mask, form);
    let inputs: Vec<_> = [q, k, v].into_iter().chain(mask.tensor()).collect();
    let out = q.graph().custom_vjp(
        &inputs,
        |inputs| {
            let mask = mask.with_tensor(inputs.get(3));
            let parts = blocks.iter().map(|block| block.forward(inputs[0], inputs[1], inputs[2], mask));
            let (out, rows): (Vec<_>, Vec<_>) = parts.unzip();
            let [out, rows] = [out, rows].map(|parts| Tensor::concat(&parts, "position").checkpoint_name(ATTENTION));
            (vec![out], [out, rows].into_iter().chain(inputs.iter().copied()).collect())
        },
        |residuals, cts| {
            let saved = Saved { out: residuals[0], rows: residuals[1], ct: cts[0] };
            let [q, k, v] = [residuals[2], residuals[3], residuals[4]];
            let mask = mask.with_tensor(residuals.get(5));
            let parts: Vec<_> = blocks.iter().map(|block| block.backward(q, k, v, mask, saved)).collect();
            let dq: Vec<_> = parts.iter().map(|part| part.q).collect();
            let keys = k.axis("key_position");
            let total = |of: fn(&Cotangents<'g>) -> Tensor<'g>| {
                let parts = blocks.iter().zip(&parts).map(|(block, part)| block.among(keys, of(part)));
                parts.reduce(|sum, part| sum + part).expect("there is a block").transpose(&KEYS)
            };
            let (dk, dv) = (total(|part| part.k), total(|part| part.v));
            let dq = Tensor::concat(&dq, "position");
            [Some(dq), Some(dk), Some(dv)].into_iter().chain(mask.tensor().map(|_| None)).collect()
        },
    );
    out[0].transpose(&order)
}

/// Consecutive queries, and the consecutive keys that one of them may see.
#[derive(Clone, Copy)]
struct Block<'f> {
    start: usize,
    size: usize,
    first_key: usize,
    keys: usize,
    form: &'f Form,
}

/// What backward has from forward, (batch, kv_heads, position, groups) and perhaps head_dim.
#[derive(Clone, Copy)]
struct Saved<'g> {
    out: Tensor<'g>,
    /// Log-sum-exp of each row of scores.
    rows: Tensor<'g>,
    /// Cotangent of `out`.
    ct: Tensor<'g>,
}

/// A block's part of the inputs' cotangents; `k` and `v` are (batch, kv_heads, head_dim, key_position).
struct Cotangents<'g> {
    q: Tensor<'g>,
    k: Tensor<'g>,
    v: Tensor<'g>,
}

impl<'f> Block<'f> {
    fn cover(q: Tensor<'_>, k: Tensor<'_>, mask: Mask<'_>, form: &'f Form) -> Vec<Block<'f>> {
        let (queries, keys) = (q.axis("position").size, k.axis("key_position").size);
        if let Mask::UpTo(_) = mask {
            return vec![Block { start: 0, size: queries, first_key: 0, keys, form }];
        }
        let size = queries.div_ceil(CAUSAL_BLOCKS).max(SMALLEST_BLOCK);
        let block = |start: usize| {
            let end = queries.min(start + size);
            let first_key = form.window.map_or(0, |window| (start + 1).saturating_sub(window));
            Block { start, size: end - start, first_key, keys: end - first_key, form }
        };
        (0..queries).step_by(size).map(block).collect()
    }

    fn queries<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        x.slice("position", self.start, self.size)
    }

    fn keys<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        x.slice("key_position", self.first_key, self.keys)
    }

    /// What belongs to the block's keys, with zeros for all other `keys`.
    fn among<'g>(&self, keys: Axis, x: Tensor<'g>) -> Tensor<'g> {
        x.pad(keys.name, self.first_key, keys.size - self.first_key - self.keys, 0.0)
    }

    /// Over batch, kv_heads, position, groups and key_position, in f32 at least: capped, without biases.
    fn scores<'g>(&self, q: Tensor<'g>, k: Tensor<'g>) -> Tensor<'g> {
        let (queries, keys) = (self.queries(q), self.keys(k));
        // The CPU plugin transposes the second matrix of such a product: with one query, better that than all keys.
        let (first, second) = if self.size == 1 { (keys, queries) } else { (queries, keys) };
        // The scale is a constant of f32: in bf16 it would be up to 0.4 % off.
        let scores = wide_dot(first, second, &["head_dim"]) * self.form.scale;
        match self.form.softcap {
            Some(cap) => (scores * (1.0 / cap)).tanh() * cap,
            None => scores,
        }
    }

    /// The scores with what depends on distance, and minus infinity where a key is hidden.
    fn masked<'g>(&self, scores: Tensor<'g>, q: Tensor<'g>, mask: Mask<'g>) -> Tensor<'g> {
        let graph = q.graph();
        let keys = graph.iota(Axis::new("key_position", self.first_key + self.keys), DType::I32);
        let queries = match mask {
            Mask::UpTo(positions) => positions,
            Mask::Causal | Mask::CausalWithin { .. } => graph.iota(q.axis("position"), DType::I32),
        };
        let (queries, keys) = (self.queries(queries), self.keys(keys));
        let mut visible = queries.greater_equal(keys);
        if let Some(window) = self.form.window {
            visible = visible.and((queries - keys).less(window as f64));
        }
        if let Mask::CausalWithin { segments, .. } = mask {
            let keys = self.keys(segments.rename("position", "key_position"));
            visible = visible.and(self.queries(segments).equals(keys));
        }
        let scores = match &self.form.alibi {
            Some(alibi) => {
                let (queries, keys) = match mask {
                    Mask::CausalWithin { segments, .. } if alibi.is_absolute() => {
                        let starts = starts(segments);
                        (queries - self.queries(starts), keys - self.keys(starts.rename("position", "key_position")))
                    }
                    _ => (queries, keys),
                };
                let biases = alibi.biases(queries, keys, [q.axis("kv_heads"), q.axis("groups")]);
                scores + biases.cast(scores.dtype()).broadcast(&scores.axes())
            }
            None => scores,
        };
        visible.select(scores, f64::NEG_INFINITY)
    }

    /// The block's output, and the log-sum-exp of its rows.
    fn forward<'g>(&self, q: Tensor<'g>, k: Tensor<'g>, v: Tensor<'g>, mask: Mask<'g>) -> (Tensor<'g>, Tensor<'g>) {
        let scores = self.masked(self.scores(q, k), q, mask);
        let largest = scores.max(&["key_position"]);
        let weights = (scores - largest).exp();
        let total = weights.sum(&["key_position"]);
        // Divided after the product: head_dim numbers a row instead of key_position.
        let out = wide_dot(weights.cast(v.dtype()), self.keys(v), &["key_position"]) / total;
        (out.cast(q.dtype()), total.log() + largest)
    }

    fn backward<'g>(
        &self,
        q: Tensor<'g>,
        k: Tensor<'g>,
        v: Tensor<'g>,
        mask: Mask<'g>,
        saved: Saved<'g>,
    ) -> Cotangents<'g> {
        let [out, rows, ct] = [saved.out, saved.rows, saved.ct].map(|x| self.queries(x));
        let scores = self.scores(q, k);
        let weights = (self.masked(scores, q, mask) - rows).exp();
        let d_weights = wide_dot(ct, self.keys(v), &["head_dim"]);
        let mean = (widen(ct) * widen(out)).sum(&["head_dim"]);
        let mut d_scores = weights * (d_weights - mean) * self.form.scale;
        if let Some(cap) = self.form.softcap {
            let tanh = scores * (1.0 / cap);
            d_scores = d_scores - d_scores * tanh * tanh;
        }
        let d_scores = d_scores.cast(q.dtype());
        // As products with the queries' side first, the CPU plugin's are up to twice as fast as with the scores first.
        Cotangents {
            q: d_scores.dot(self.keys(k), &["key_position"]),
            k: self.queries(q).dot(d_scores, &["position", "groups"]),
            v: ct.dot(weights.cast(v.dtype()), &["position", "groups"]),
        }
    }
}

/// The position in its row of each token's document, i32 (batch, position): how many tokens belong to documents of lower numbers.
fn starts(segments: Tensor<'_>) -> Tensor<'_> {
    let others = segments.rename("position", "other");
    others.greater(0.0).and(others.less(segments)).cast(DType::I32).sum(&["other"])
}
