//! Attention of texts' last tokens to keys and values that lie in pages.

use graph::{DType, Tensor};
use kernels::{Gpu, PagedAttention, UnpackedPages};

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

/// Keys and values of all texts, in pages.
#[derive(Clone, Copy)]
pub(crate) struct Cache<'g> {
    /// (page, kv_heads, page_token, head_dim) in any order; packed, u16 (page, kv_heads, word).
    pub(crate) keys: Tensor<'g>,
    pub(crate) values: Tensor<'g>,
    /// Of packed ones, f32 (page, kv_heads, page_token, key_and_value).
    pub(crate) scales: Option<Tensor<'g>>,
}

impl<'g> Cache<'g> {
    /// How many arrays that are, of which the first two are those of `first`.
    pub(crate) fn arrays_of(first: &Tensor<'g>) -> usize {
        if first.dtype() == DType::U16 { 3 } else { 2 }
    }

    /// Of its arrays, in this order.
    pub(crate) fn of(arrays: &[Tensor<'g>]) -> Cache<'g> {
        Cache { keys: arrays[0], values: arrays[1], scales: arrays.get(2).copied() }
    }

    /// Its arrays, as kernels take them.
    pub(crate) fn arrays(self) -> Vec<Tensor<'g>> {
        match self.scales {
            Some(scales) => vec![self.keys, self.values, scales],
            None => vec![self.keys.transpose(&PAGES), self.values.transpose(&PAGES)],
        }
    }

    /// In which type elements lie there.
    pub(crate) fn dtype(self) -> DType {
        if self.scales.is_some() { DType::BF16 } else { self.keys.dtype() }
    }

    /// How many pages, and tokens of each.
    pub(crate) fn pages(self) -> [usize; 2] {
        let tokens = self.scales.unwrap_or(self.keys);
        ["page", "page_token"].map(|name| tokens.axis(name).size)
    }
}

/// Whether kernels attend to packed keys and values of such heads: one token a row by a kernel by hand. `rotated`: how many elements of a head are.
pub(crate) fn packs(heads: [usize; 3], rotated: usize, form: &Form) -> bool {
    let [kv_heads, heads, head_dim] = heads;
    let rotates = rotated == 0 || rotated == head_dim;
    form.is_plain() && form.window.is_none() && rotates && PagedAttention::takes_packed(head_dim, heads / kv_heads)
}

/// The order in which queries and keys lie where one multiplies the other, page by page.
pub(crate) const QUERIES: [&str; 5] = ["batch", "position", "kv_heads", "groups", "head_dim"];
pub(crate) const PAGES: [&str; 4] = ["page", "kv_heads", "page_token", "head_dim"];

/// Whether a kernel attends to pages with heads of such a size in such a type.
pub(crate) fn kernel_takes(dtype: DType, [kv_heads, heads, head_dim]: [usize; 3], has_biases: bool) -> bool {
    !has_biases && PagedAttention::takes(dtype, head_dim, heads / kv_heads)
}

/// By a kernel, with `q` (batch, position, kv_heads, groups, head_dim) to what is `held`, all in any order. Result: axes
/// of `q` in its order. `None` where no kernel serves.
pub(crate) fn launched<'g>(
    gpu: Gpu,
    q: Tensor<'g>,
    held: Cache<'g>,
    pages: Pages<'g>,
    form: &Form,
) -> Option<Tensor<'g>> {
    let (held, pages) = match held.scales {
        Some(scales) => unpacked(held, scales, pages)?,
        None => (held, pages),
    };
    Some(run(gpu, q, held, (pages, None), form)?[0])
}

/// What rows see of packed keys and values, unpacked, and where that lies.
fn unpacked<'g>(held: Cache<'g>, scales: Tensor<'g>, pages: Pages<'g>) -> Option<(Cache<'g>, Pages<'g>)> {
    let Pages { table, start, count } = pages;
    let (graph, [pages_of_all, page_tokens]) = (table.graph(), held.pages());
    let [batch, seen] = ["batch", "seen_page"].map(|name| table.axis(name));
    let [owner, wanted] = owners(pages, page_tokens);
    let arrays = [held.keys, held.values, scales, table, wanted];
    let mut is_built = true;
    let results = graph.per_shard(&["kv_heads"], &arrays, |own| {
        let operation = UnpackedPages {
            batch: batch.size,
            kv_heads: own[0].axis("kv_heads").size,
            pages: pages_of_all,
            page_tokens,
            seen_pages: seen.size,
        };
        operation.run(&own[0].graph(), own).unwrap_or_else(|_| {
            is_built = false;
            own[..2].to_vec()
        })
    });
    let places = graph.iota(seen, DType::I32).broadcast(&[batch, seen]) + owner * seen.size as f64;
    let plain = Cache { keys: results[0], values: results[1], scales: None };
    is_built.then_some((plain, Pages { table: places, start, count }))
}

/// As [`launched`], of one token a row, which is rotated before, where kernels write ([`crate::ragged`]): its own `k` and `v` (batch, position, kv_heads, head_dim) are written
/// into the pages `held`, which no other row reads there. Results: axes of `q`, and all keys and values.
pub(crate) fn launched_writing<'g>(
    gpu: Gpu,
    rotation: Option<[Tensor<'g>; 2]>,
    [q, k, v]: [Tensor<'g>; 3],
    held: Cache<'g>,
    pages: Pages<'g>,
    form: &Form,
) -> Option<(Tensor<'g>, Cache<'g>)> {
    let own =
        [k, v].map(|own| own.merge(&["batch", "position"], "batch").transpose(&["batch", "kv_heads", "head_dim"]));
    let angles = rotation.map(|angles| angles.map(|angles| angles.rename("token", "batch")));
    let results = run(gpu, q, held, (pages, Some((angles, own))), form)?;
    Some((results[0], Cache::of(&results[1..])))
}

/// A token's cosines and sines (batch, pair), if it is rotated, and its key and value (batch, kv_heads, head_dim).
type Given<'g> = (Option<[Tensor<'g>; 2]>, [Tensor<'g>; 2]);

/// Rows that see the beginning of what the next one sees, as those of a text's chunk do, have it in common: of each row that which has what it sees, and how many tokens each has
/// for itself and those in front, i32 (batch).
fn owners<'g>(Pages { table, start, count }: Pages<'g>, page_tokens: usize) -> [Tensor<'g>; 2] {
    let [batch, seen] = ["batch", "seen_page"].map(|name| table.axis(name));
    let graph = table.graph();
    let end = count.greater(0.0).select(start + count, 0.0);
    let row = graph.iota(batch, DType::I32);
    let last = (batch.size - 1) as f64;
    let next = |of_rows: Tensor<'g>| of_rows.slice("batch", 1, batch.size - 1).pad("batch", 0, 1, 0.0);
    let is_in_common = match batch.size {
        1 => row.less(0.0),
        _ => {
            let is_seen = (graph.iota(seen, DType::I32) * page_tokens as f64).broadcast(&[batch, seen]).less(end);
            let differs = is_seen.and(table.not_equals(next(table))).cast(DType::I32).max(&["seen_page"]);
            differs.equals(0.0).and(end.less_equal(next(end))).and(row.less(last))
        }
    };
    // The first from each row on that has what it sees for itself; the last has.
    let other = row.rename("batch", "other");
    let has_own = !is_in_common;
    let is_owner = has_own.rename("batch", "other").and(other.greater_equal(row));
    [-is_owner.select(-other, -last).max(&["other"]), has_own.select(end, 0.0)]
}

fn run<'g>(
    gpu: Gpu,
    q: Tensor<'g>,
    held: Cache<'g>,
    (Pages { table, start, count }, given): (Pages<'g>, Option<Given<'g>>),
    form: &Form,
) -> Option<Vec<Tensor<'g>>> {
    let size = |name: &'static str| q.axis(name).size;
    let heads = [size("kv_heads"), size("kv_heads") * size("groups"), size("head_dim")];
    let serves =
        kernel_takes(q.dtype(), heads, form.alibi.is_some()) && PagedAttention::takes_held(q.dtype(), held.dtype());
    if !serves {
        return None;
    }
    let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
    let rotates = given.map(|(angles, _)| angles.map_or(0, |[cos, _]| 2 * cos.axis("pair").size));
    let cache = held.arrays();
    let (written, packed) = (if rotates.is_some() { cache.len() } else { 0 }, held.scales.is_some());
    let read = [q.transpose(&QUERIES), cache[0], cache[1], table, start, count];
    let given = given.into_iter().flat_map(|(angles, own)| angles.into_iter().flatten().chain(own));
    let inputs: Vec<_> = read.into_iter().chain(held.scales).chain(given).collect();
    let [pages, page_tokens] = held.pages();
    let mut is_built = true;
    let results = q.graph().per_shard(&["kv_heads"], &inputs, |own| {
        let size = |tensor: Tensor<'g>, name: &'static str| tensor.axis(name).size;
        let operation = PagedAttention {
            batch: size(own[0], "batch"),
            positions: size(own[0], "position"),
            kv_heads: size(own[0], "kv_heads"),
            groups: size(own[0], "groups"),
            head_dim: size(own[0], "head_dim"),
            pages,
            page_tokens,
            seen_pages: size(own[3], "seen_page"),
            dtype: own[0].dtype(),
            held: held.dtype(),
            packed,
            scale: form.scale,
            window: form.window,
            softcap: form.softcap,
            rotates,
            gpu,
        };
        operation.run(&own[0].graph(), own).unwrap_or_else(|_| {
            is_built = false;
            [0, 1, 2, 6].into_iter().take(1 + written).map(|place: usize| own[place]).collect()
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

#[cfg(test)]
mod tests {
    use graph::{Axis, Graph, HostTensor};
    use runtime::Session;
    use runtime::plugins::{Environment, Platform};

    use super::*;

    /// Tokens of a page.
    const TOKENS: usize = 32;

    /// A row's table, start and count.
    type Row = ([i32; 4], i32, i32);

    /// Of each row the one that has what it sees, and how much that row itself has.
    fn owners_of(session: &Session, rows: &[Row]) -> Vec<(usize, i32)> {
        let (graph, batch) = (Graph::new(), Axis::new("batch", rows.len()));
        let table = graph.input("table", DType::I32, &[batch, Axis::new("seen_page", 4)]);
        let [start, count] = ["start", "count"].map(|name| graph.input(name, DType::I32, &[batch]));
        let [owner, wanted] = owners(Pages { table, start, count }, TOKENS);
        let program = graph.lower("owners", &[("owner", owner), ("wanted", wanted)], &[]).expect("it can be traced");
        let executable = session.compile(&program.name, &program.text, &Default::default()).expect("it compiles");
        let upload = |shape: &[usize], numbers: Vec<i32>| {
            let bytes: Vec<u8> = numbers.into_iter().flat_map(i32::to_le_bytes).collect();
            session.upload(&HostTensor::new(DType::I32, shape, bytes).expect("it fills its shape")).expect("it fits")
        };
        let buffers = [
            upload(&[rows.len(), 4], rows.iter().flat_map(|row| row.0).collect()),
            upload(&[rows.len()], rows.iter().map(|row| row.1).collect()),
            upload(&[rows.len()], rows.iter().map(|row| row.2).collect()),
        ];
        let found = executable.execute(&buffers.iter().collect::<Vec<_>>()).expect("it runs");
        let found: Vec<Vec<i32>> = found
            .iter()
            .map(|buffer| {
                let tensor = session.download(buffer).expect("it fits");
                tensor.bytes().as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect()
            })
            .collect();
        std::iter::zip(&found[0], &found[1]).map(|(owner, wanted)| (*owner as usize, *wanted)).collect()
    }

    #[test]
    fn rows_of_a_text_have_what_they_see_in_common() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let text = [5, 9, 2, 7];
        let other = [5, 9, 3, 7];
        let rows = [
            // A text's chunk, the last of which sees all; its pages behind what a row sees mean nothing.
            ([5, 9, -4, 1 << 30], 0, 64),
            (text, 64, 32),
            (text, 96, 20),
            // One that begins alike.
            (other, 0, 60),
            (other, 60, 40),
            // Nothing, and another text.
            ([1 << 30; 4], 1 << 30, 0),
            ([8, 1, 1, 1], 3, 1),
        ];
        let found = owners_of(&session, &rows);
        assert_eq!(found, [(2, 0), (2, 0), (2, 116), (4, 0), (4, 100), (6, 0), (6, 4)]);
        assert_eq!(owners_of(&session, &rows[..1]), [(0, 64)]);
        assert_eq!(owners_of(&session, &[(text, 96, 20), (text, 64, 32)]), [(0, 116), (1, 96)]);
    }

    #[test]
    fn whoever_has_what_a_row_sees_has_all_of_it() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let mut state = 1_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % end) as i32
        };
        let mut in_common = 0;
        for _ in 0..30 {
            let mut row = || ([0; 4].map(|_: i32| below(2)), below(70), below(4).min(1) * below(59));
            let rows: Vec<Row> = (0..9).map(|_| row()).collect();
            let found = owners_of(&session, &rows);
            for (number, ((table, start, count), (owner, _))) in rows.iter().zip(&found).enumerate() {
                let end = if *count > 0 { start + count } else { 0 };
                assert!(found[*owner].1 >= end, "{rows:?}: row {number} of {found:?}");
                let seen = (end as usize).div_ceil(TOKENS);
                assert_eq!(table[..seen], rows[*owner].0[..seen], "{rows:?}: row {number} of {found:?}");
                in_common += usize::from(*owner != number && end > 0);
            }
        }
        assert!(in_common > 10, "{in_common}");
    }
}
