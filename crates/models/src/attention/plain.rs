//! Attention in graph ops, for any backend and any mask.
//!
//! As in FlashAttention-2 (Dao 2023), forward keeps the log-sum-exp of the scores' rows and backward computes the scores again from
//! it. Under a causal mask the queries go in blocks, and a block leaves out the keys behind its last query and those before its first
//! one's window. A long block goes in a loop over strips of its queries, whose scores alone are in memory: that grows with the length, and
//! not with its square.

use graph::{Axis, DType, Remat, Tensor};

use super::{ATTENTION, Form, Mask};
use crate::layers::{wide_dot, widen};

/// Blocks of queries under a causal mask: `n` of them spare `(n - 1) / 2n` of the work, and make the program `n` times as long.
const CAUSAL_BLOCKS: usize = 4;
/// Queries that make a block worth while.
const SMALLEST_BLOCK: usize = 64;
/// The most queries of a strip. Blocks of up to as many, in rows of up to 2,048 tokens, need no loop.
const LARGEST_STRIP: usize = 512;

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
    // Rows and heads know nothing of each other. Slopes are of a head's number among all.
    let is_apart = form.alibi.is_none() && blocks.iter().any(|block| block.strips().is_some());
    let graph = q.graph();
    let each = |inputs: &[Tensor<'g>], body: &dyn Fn(&[Tensor<'g>]) -> Vec<Tensor<'g>>| match is_apart {
        true => graph.per_shard(&["batch", "kv_heads"], inputs, body),
        false => body(inputs),
    };
    let out = graph.custom_vjp(
        &inputs,
        |inputs| {
            let results = each(inputs, &|own| forward(&blocks, own, mask));
            let [out, rows] = [0, 1].map(|place: usize| results[place].checkpoint_name(ATTENTION));
            (vec![out], [out, rows].into_iter().chain(inputs.iter().copied()).collect())
        },
        |residuals, cts| {
            let given: Vec<_> = [cts, residuals].concat();
            let results = each(&given, &|own| backward(&blocks, own, mask));
            results.into_iter().map(Some).chain(mask.tensor().map(|_| None)).collect()
        },
    );
    out[0].transpose(&order)
}

/// Of queries, keys, values and what the mask has: the output, and the log-sum-exp of each row of scores.
fn forward<'g>(blocks: &[Block<'_>], inputs: &[Tensor<'g>], mask: Mask<'g>) -> Vec<Tensor<'g>> {
    let mask = mask.with_tensor(inputs.get(3));
    let parts: Vec<_> = blocks.iter().map(|block| block.forward(inputs[0], inputs[1], inputs[2], mask)).collect();
    let joined = |place: usize| Tensor::concat(&parts.iter().map(|part| part[place]).collect::<Vec<_>>(), "position");
    vec![joined(0), joined(1)]
}

/// Of the output's cotangent, what [`forward`] gave and what it was given: the cotangents of queries, keys and values.
fn backward<'g>(blocks: &[Block<'_>], given: &[Tensor<'g>], mask: Mask<'g>) -> Vec<Tensor<'g>> {
    let (ct, out, rows) = (given[0], given[1], given[2]);
    let [q, k, v] = [given[3], given[4], given[5]];
    let mask = mask.with_tensor(given.get(6));
    let saved = Saved { rows, ct, mean: (widen(ct) * widen(out)).sum(&["head_dim"]) };
    let parts: Vec<_> = blocks.iter().map(|block| block.backward(q, k, v, mask, saved)).collect();
    let dq: Vec<_> = parts.iter().map(|part| part.q).collect();
    let keys = k.axis("key_position");
    let total = |of: fn(&Cotangents<'g>) -> Tensor<'g>| {
        let parts = blocks.iter().zip(&parts).map(|(block, part)| block.among(keys, of(part)));
        parts.reduce(|sum, part| sum + part).expect("there is a block").transpose(&KEYS)
    };
    vec![Tensor::concat(&dq, "position"), total(|part| part.k), total(|part| part.v)]
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

/// What backward has of forward's results, (batch, kv_heads, position, groups) and perhaps head_dim.
#[derive(Clone, Copy)]
struct Saved<'g> {
    /// Log-sum-exp of each row of scores.
    rows: Tensor<'g>,
    /// Cotangent of the output.
    ct: Tensor<'g>,
    /// What weights' cotangents are on average, by the weights: the product of the output and its cotangent.
    mean: Tensor<'g>,
}

/// Consecutive queries, and what a mask tells of them.
#[derive(Clone, Copy)]
struct Queries<'g> {
    q: Tensor<'g>,
    /// Their positions, i32 (position) or (batch, position).
    places: Tensor<'g>,
    /// The number of each one's document, and where in the row that begins, both i32 (batch, position), where rows hold several.
    documents: Option<[Tensor<'g>; 2]>,
}

/// Consecutive keys with their values, and what a mask tells of them.
#[derive(Clone, Copy)]
struct Keys<'g> {
    k: Tensor<'g>,
    v: Tensor<'g>,
    /// As those of [`Queries`], i32 (batch, key_position).
    documents: Option<[Tensor<'g>; 2]>,
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

    /// Its queries, of all of `q`.
    fn queries<'g>(&self, q: Tensor<'g>, mask: Mask<'g>) -> Queries<'g> {
        let places = match mask {
            Mask::UpTo(positions) => positions,
            Mask::Causal | Mask::CausalWithin { .. } => q.graph().iota(q.axis("position"), DType::I32),
        };
        let documents = documents(mask).map(|each| each.map(|x| self.rows(x)));
        Queries { q: self.rows(q), places: self.rows(places), documents }
    }

    /// Its keys, of all of them.
    fn keys<'g>(&self, k: Tensor<'g>, v: Tensor<'g>, mask: Mask<'g>) -> Keys<'g> {
        let of_keys = |x: Tensor<'g>| x.slice("key_position", self.first_key, self.keys);
        let documents = documents(mask).map(|each| each.map(|x| of_keys(x.rename("position", "key_position"))));
        Keys { k: of_keys(k), v: of_keys(v), documents }
    }

    /// The axes of a loop over strips of queries and of a strip's queries; `None` for a block that is one strip.
    fn strips(&self) -> Option<[Axis; 2]> {
        let count = self.size.div_ceil(LARGEST_STRIP);
        (count > 1).then(|| [Axis::new("strip", count), Axis::new("position", self.size.div_ceil(count))])
    }

    /// What of `x` is of its queries.
    fn rows<'g>(&self, x: Tensor<'g>) -> Tensor<'g> {
        x.slice("position", self.start, self.size)
    }

    /// What belongs to the block's keys, with zeros for all other `keys`.
    fn among<'g>(&self, keys: Axis, x: Tensor<'g>) -> Tensor<'g> {
        x.pad(keys.name, self.first_key, keys.size - self.first_key - self.keys, 0.0)
    }

    /// Over batch, kv_heads, position, groups and key_position, in f32 at least: capped, without biases.
    fn scores<'g>(&self, queries: Queries<'g>, keys: Tensor<'g>) -> Tensor<'g> {
        // The CPU plugin transposes the second matrix of such a product: with one query, better that than all keys.
        let (first, second) = if self.size == 1 { (keys, queries.q) } else { (queries.q, keys) };
        // The scale is a constant of f32: in bf16 it would be up to 0.4 % off.
        let scores = wide_dot(first, second, &["head_dim"]) * self.form.scale;
        match self.form.softcap {
            Some(cap) => (scores * (1.0 / cap)).tanh() * cap,
            None => scores,
        }
    }

    /// The scores with what depends on distance, and minus infinity where a key is hidden.
    fn masked<'g>(&self, scores: Tensor<'g>, queries: Queries<'g>, keys: Keys<'g>) -> Tensor<'g> {
        let graph = scores.graph();
        let all = graph.iota(Axis::new("key_position", self.first_key + self.keys), DType::I32);
        let (places, key_places) = (queries.places, all.slice("key_position", self.first_key, self.keys));
        let mut visible = places.greater_equal(key_places);
        if let Some(window) = self.form.window {
            visible = visible.and((places - key_places).less(window as f64));
        }
        let documents = queries.documents.zip(keys.documents);
        if let Some(([own, _], [seen, _])) = documents {
            visible = visible.and(own.equals(seen));
        }
        let scores = match &self.form.alibi {
            Some(alibi) => {
                let (places, key_places) = match documents {
                    Some(([_, begin], [_, seen])) if alibi.is_absolute() => (places - begin, key_places - seen),
                    _ => (places, key_places),
                };
                let biases = alibi.biases(places, key_places, [queries.q.axis("kv_heads"), queries.q.axis("groups")]);
                scores + biases.cast(scores.dtype()).broadcast(&scores.axes())
            }
            None => scores,
        };
        visible.select(scores, f64::NEG_INFINITY)
    }

    /// The block's output, and the log-sum-exp of its rows.
    fn forward<'g>(&self, q: Tensor<'g>, k: Tensor<'g>, v: Tensor<'g>, mask: Mask<'g>) -> [Tensor<'g>; 2] {
        let (queries, keys) = (self.queries(q, mask), self.keys(k, v, mask));
        let Some(strips) = self.strips() else { return self.attend(queries, keys) };
        let given: Vec<_> = queries.arrays().into_iter().flatten().map(|x| in_strips(x, strips)).collect();
        let (_, results) = q.graph().scan(strips[0], &[], &given, Remat::none(), |strip| {
            (vec![], self.attend(Queries::of(strip.slices), keys).to_vec())
        });
        [0, 1].map(|place: usize| self.joined(results[place], q))
    }

    /// What some of its queries attend to, and the log-sum-exp of their rows.
    fn attend<'g>(&self, queries: Queries<'g>, keys: Keys<'g>) -> [Tensor<'g>; 2] {
        let scores = self.masked(self.scores(queries, keys.k), queries, keys);
        let largest = scores.max(&["key_position"]);
        let weights = (scores - largest).exp();
        let total = weights.sum(&["key_position"]);
        // Divided after the product: head_dim numbers a row instead of key_position.
        let out = wide_dot(weights.cast(keys.v.dtype()), keys.v, &["key_position"]) / total;
        [out.cast(queries.q.dtype()), total.log() + largest]
    }

    fn backward<'g>(
        &self,
        q: Tensor<'g>,
        k: Tensor<'g>,
        v: Tensor<'g>,
        mask: Mask<'g>,
        saved: Saved<'g>,
    ) -> Cotangents<'g> {
        let (queries, keys) = (self.queries(q, mask), self.keys(k, v, mask));
        let (k, saved) = (keys.k, saved.each(|x| self.rows(x)));
        let Some(strips) = self.strips() else {
            let (own, other) = self.scores_back(queries, keys, saved);
            // As products with the queries' side first, the CPU plugin's are up to twice as fast as with the scores first.
            return Cotangents {
                q: own.dot(k, &["key_position"]),
                k: queries.q.dot(own, &["position", "groups"]),
                v: saved.ct.dot(other, &["position", "groups"]),
            };
        };
        let Saved { rows, ct, mean } = saved;
        let stacked = [Some(rows), Some(ct), Some(mean)].into_iter().chain(queries.arrays());
        let given: Vec<_> = stacked.flatten().map(|x| in_strips(x, strips)).collect();
        // Sums over all strips, not rounded on the way.
        let zeros = ["kv_heads", "head_dim", "key_position"].map(|axis| k.axis(axis));
        let zeros = q.graph().full(0.0, rows.dtype(), &[&[k.axis("batch")], &zeros[..]].concat());
        let (sums, dq) = q.graph().scan(strips[0], &[zeros, zeros], &given, Remat::none(), |strip| {
            let [rows, ct, mean] = [strip.slices[0], strip.slices[1], strip.slices[2]];
            let queries = Queries::of(&strip.slices[3..]);
            let (own, other) = self.scores_back(queries, keys, Saved { rows, ct, mean });
            let [dk, dv] = [(queries.q, own), (ct, other)].map(|(x, y)| wide_dot(x, y, &["position", "groups"]));
            (vec![strip.carry[0] + dk, strip.carry[1] + dv], vec![own.dot(k, &["key_position"])])
        });
        let [dk, dv] = [0, 1].map(|place: usize| sums[place].cast(k.dtype()));
        Cotangents { q: self.joined(dq[0], q), k: dk, v: dv }
    }

    /// The cotangents of products of some of its queries with keys, and the weights, as wide as queries and keys are.
    fn scores_back<'g>(&self, queries: Queries<'g>, keys: Keys<'g>, saved: Saved<'g>) -> (Tensor<'g>, Tensor<'g>) {
        let scores = self.scores(queries, keys.k);
        let weights = (self.masked(scores, queries, keys) - saved.rows).exp();
        let d_weights = wide_dot(saved.ct, keys.v, &["head_dim"]);
        let mut d_scores = weights * (d_weights - saved.mean) * self.form.scale;
        if let Some(cap) = self.form.softcap {
            let tanh = scores * (1.0 / cap);
            d_scores = d_scores - d_scores * tanh * tanh;
        }
        (d_scores.cast(queries.q.dtype()), weights.cast(keys.v.dtype()))
    }

    /// What strips gave, one behind the other, in the order of axes that `q` has.
    fn joined<'g>(&self, strips: Tensor<'g>, q: Tensor<'g>) -> Tensor<'g> {
        let rows = strips.merge(&["strip", "position"], "position").slice("position", 0, self.size);
        let has = |name: &&str| rows.axes().iter().any(|axis| axis.name == *name);
        rows.transpose(&q.axes().iter().map(|axis| axis.name).filter(has).collect::<Vec<_>>())
    }
}

impl<'g> Saved<'g> {
    fn each(self, of: impl Fn(Tensor<'g>) -> Tensor<'g>) -> Saved<'g> {
        Saved { rows: of(self.rows), ct: of(self.ct), mean: of(self.mean) }
    }
}

impl<'g> Queries<'g> {
    fn arrays(&self) -> [Option<Tensor<'g>>; 4] {
        let [documents, starts] = self.documents.map_or([None, None], |documents| documents.map(Some));
        [Some(self.q), Some(self.places), documents, starts]
    }

    /// Of their arrays, as they stand in [`Queries::arrays`].
    fn of(arrays: &[Tensor<'g>]) -> Queries<'g> {
        Queries { q: arrays[0], places: arrays[1], documents: arrays.get(2).map(|segments| [*segments, arrays[3]]) }
    }
}

/// `x` in strips, these outermost. Behind the last query stand zeros, which are of no document, and whose cotangents are 0.
fn in_strips<'g>(x: Tensor<'g>, strips: [Axis; 2]) -> Tensor<'g> {
    let padding = strips[0].size * strips[1].size - x.axis("position").size;
    let split = x.pad("position", 0, padding, 0.0).split("position", &strips);
    let others = split.axes().into_iter().map(|axis| axis.name).filter(|name| *name != "strip");
    split.transpose(&std::iter::once("strip").chain(others).collect::<Vec<_>>())
}

/// The number of each token's document, and where in the row that begins, i32 (batch, position), where rows hold several.
fn documents<'g>(mask: Mask<'g>) -> Option<[Tensor<'g>; 2]> {
    match mask {
        Mask::CausalWithin { segments, .. } => Some([segments, starts(segments)]),
        Mask::Causal | Mask::UpTo(_) => None,
    }
}

/// The position in its row of each token's document, i32 (batch, position): how many tokens belong to documents of lower numbers.
fn starts(segments: Tensor<'_>) -> Tensor<'_> {
    let others = segments.rename("position", "other");
    others.greater(0.0).and(others.less(segments)).cast(DType::I32).sum(&["other"])
}
