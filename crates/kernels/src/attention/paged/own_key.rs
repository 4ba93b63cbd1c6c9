//! Attention of one token that rotates and writes by itself: each program rotates its queries, and the one that has the last part of a text's keys begins with the
//! token's own, which it writes.

use graph::{DType, Graph, Tensor};

use super::super::Gpu;
use super::super::scores::Places;
use super::PagedAttention;
use crate::mask::{both, load};
use crate::packed_keys;
use crate::paged_write::PagedWrite;
use crate::{Builder, Value};

/// What is given of a token whose key and value the kernel writes: pointers to cosines, sines, keys and values of all rows, and to where the pages are written.
pub(super) struct Own<'k> {
    angles: Option<[Value<'k>; 2]>,
    key: Value<'k>,
    value: Value<'k>,
    pages: [Value<'k>; 2],
    /// Of packed ones.
    scales: Option<Value<'k>>,
}

/// Where a program is: a row, one of its key heads, and where the row's token stands.
#[derive(Clone, Copy)]
pub(super) struct Site<'k> {
    pub(super) row: Value<'k>,
    pub(super) kv_head: Value<'k>,
    pub(super) start: Value<'k>,
}

impl<'k> Own<'k> {
    /// Behind all else that is read; what is written are the first results.
    pub(super) fn declare(k: &'k Builder, op: &PagedAttention) -> Option<Own<'k>> {
        let angles = (op.rotates? > 0).then(|| ["cos", "sin"].map(|name| k.input(name, DType::F32)));
        let [key, value] = ["own_k", "own_v"].map(|name| k.input(name, op.held));
        let held = if op.packed { DType::U16 } else { op.held };
        let pages = ["written_keys", "written_values"].map(|name| k.output(name, held));
        let scales = op.packed.then(|| k.output("written_scales", DType::F32));
        Some(Own { angles, key, value, pages, scales })
    }
}

/// Elements of a head, those that they are rotated with, and by how much.
struct Turned<'k> {
    column: Value<'k>,
    other: Value<'k>,
    cos: Value<'k>,
    /// With the sign by which the other element counts.
    sin: Value<'k>,
    /// Which ones are rotated, if not all.
    is_turned: Option<Value<'k>>,
    dtype: DType,
}

impl<'k> Turned<'k> {
    /// Rows of those elements, which `load` gives at any.
    fn apply(&self, load: impl Fn(Value<'k>) -> Value<'k>) -> Value<'k> {
        let [own, other] = [self.column, self.other].map(|column| load(column).cast(DType::F32));
        let turned = own * self.cos.row() + other * self.sin.row();
        // Times 1 and plus 0 an infinity would be no number.
        self.is_turned.map_or(turned, |is_turned| is_turned.row().select(turned, own)).cast(self.dtype)
    }
}

/// Some elements of rows that begin at places of an array.
fn rows_at<'k>(array: Value<'k>, rows: Value<'k>, column: Value<'k>, mask: Option<Value<'k>>) -> Value<'k> {
    load(array + (rows.column() + column.row().cast(DType::I64)), mask)
}

impl PagedAttention {
    /// Some with heads that are rotated whole, in part and not at all. Each text has pages of its own, which it writes.
    pub(super) fn tried_rotating(small: PagedAttention, long: PagedAttention) -> [PagedAttention; 8] {
        let rotating = PagedAttention { batch: 4, rotates: Some(64), pages: 20, ..small };
        let long_rotating = PagedAttention { batch: 4, rotates: Some(128), pages: 80, ..long };
        [
            rotating,
            long_rotating,
            PagedAttention { rotates: Some(20), groups: 5, head_dim: 80, softcap: Some(5.0), ..long_rotating },
            PagedAttention { rotates: Some(0), groups: 2, ..long_rotating },
            PagedAttention { rotates: Some(0), head_dim: 24, pages: 4, page_tokens: 1, seen_pages: 1, ..rotating },
            PagedAttention { window: Some(70), rotates: Some(96), head_dim: 96, ..long_rotating },
            PagedAttention { window: Some(7), groups: 2, batch: 20, pages: 100, ..rotating },
            PagedAttention {
                head_dim: 256,
                rotates: Some(128),
                groups: 17,
                kv_heads: 1,
                gpu: Gpu::Amd,
                ..long_rotating
            },
        ]
    }

    /// The query heads whose vectors begin at places of `q`, by parts of their elements: rotated, if the kernel does that.
    pub(super) fn queries_at<'k>(
        &self,
        k: &'k Builder,
        [q, places]: [Value<'k>; 2],
        is_own: Option<Value<'k>>,
        (given, site): (&Option<Own<'k>>, Site<'k>),
    ) -> Vec<Value<'k>> {
        let loaded = self.columns(k).map(|(column, is_column)| {
            let mask = both(is_own, is_column.map(|is| is.row()));
            let at = |column| rows_at(q, places, column, mask);
            match given.as_ref().and_then(|given| given.angles) {
                Some(angles) => self.turned(angles, site.row, column, is_column).apply(at),
                None => at(column),
            }
        });
        loaded.collect()
    }

    /// What a part has seen before all others: of the one that `ends_here` the token's own key and value, which it writes where they belong; else `nothing`.
    pub(super) fn begun<'k>(
        &self,
        k: &'k Builder,
        given: &Own<'k>,
        table: Value<'k>,
        Site { row, kv_head, start }: Site<'k>,
        q: &[Value<'k>],
        (ends_here, nothing): (Value<'k>, Vec<Value<'k>>),
    ) -> Vec<Value<'k>> {
        let own = (row.cast(DType::I64) * self.kv_heads + kv_head.cast(DType::I64)) * self.head_dim;
        let number = start / self.page_tokens;
        let page = (table + number).load_where(ends_here, 0).cast(DType::I64);
        let place = (page * self.kv_heads + kv_head.cast(DType::I64)) * (self.page_tokens * self.head_dim)
            + ((start - number * self.page_tokens) * self.head_dim).cast(DType::I64);
        let mut score: Option<Value<'k>> = None;
        let (mut sums, mut rows) = (Vec::new(), Vec::new());
        for (((column, is_column), q), nothing) in self.columns(k).zip(q).zip(&nothing[2..]) {
            let of = |array: Value<'k>, column: Value<'k>| load(array + (own + column.cast(DType::I64)), is_column);
            let key = match given.angles {
                Some(angles) => self.turned(angles, row, column, is_column).apply(|column| of(given.key, column).row()),
                None => of(given.key, column).row(),
            };
            let value = of(given.value, column);
            let is_written = is_column.map_or(ends_here.broadcast(&column.shape()), |is| is.and(ends_here));
            let flat_key = key.reshape(&column.shape());
            match self.packed {
                true => rows.push([flat_key, value]),
                false => {
                    for (array, vector) in given.pages.into_iter().zip([flat_key, value]) {
                        (array + (place + column.cast(DType::I64))).store_where(vector, is_written);
                    }
                }
            }
            let products = (q.cast(DType::F32) * key.cast(DType::F32)).sum(1);
            score = Some(score.map_or(products, |score| score + products));
            let sum = self.orientation().of_keys(value.cast(DType::F32)).broadcast(&nothing.shape());
            sums.push(ends_here.select(sum, *nothing));
        }
        if let (Some(scales), &[first, second, third, fourth]) = (given.scales, &rows[..]) {
            let page = page * self.kv_heads + kv_head.cast(DType::I64);
            let [keys, values] = [0, 1].map(|which| [first, second, third, fourth].map(|row| row[which]));
            packed_keys::write(
                self.page_tokens,
                (given.pages, scales),
                [page, start - number * self.page_tokens],
                [keys, values],
                ends_here,
            );
        }
        let score = score.expect("a head has elements").column();
        let at = Places { queries: k.range(self.rows()).column(), keys: start, query_starts: None, key_starts: None };
        let exponents = self.form().exponents(score, at, None);
        let greatest = ends_here.select(exponents.value.max(1) * exponents.factor, nothing[0]);
        let total = ends_here.select(k.full(1.0, DType::F32, &[self.rows()]), nothing[1]);
        [greatest, total].into_iter().chain(sums).collect()
    }

    /// The angles of a row's token at some elements of a head.
    fn turned<'k>(
        &self,
        angles: [Value<'k>; 2],
        row: Value<'k>,
        column: Value<'k>,
        is_column: Option<Value<'k>>,
    ) -> Turned<'k> {
        let rotated = self.rotates.unwrap_or_default();
        let half = rotated / 2;
        let is_first = column.less(half);
        let pair = is_first.select(column, column - half);
        // What is behind those that are rotated stays what it is.
        let is_within = (rotated < self.head_dim).then(|| column.less(rotated));
        let is_turned = both(is_within, is_column);
        let [cos, sin] = angles.map(|array| array + (row.cast(DType::I64) * half + pair.cast(DType::I64)));
        let (cos, sin) = match is_turned {
            Some(is_turned) => (cos.load_where(is_turned, 1.0), sin.load_where(is_turned, 0.0)),
            None => (cos.load(), sin.load()),
        };
        let other = is_first.select(column + half, column - half);
        let other = is_turned.map_or(other, |is_turned| is_turned.select(other, column));
        Turned { column, other, cos, sin: is_first.select(-sin, sin), is_turned: is_within, dtype: self.dtype }
    }

    /// Rotates and writes, and then attends.
    pub(super) fn reference_that_rotates<'g>(
        &self,
        graph: &'g Graph,
        rotated: usize,
        inputs: &[Tensor<'g>],
    ) -> Vec<Tensor<'g>> {
        let [q, keys, values, table, start, count, given @ ..] = inputs else {
            unreachable!("it is given what `arguments` says")
        };
        let [angles @ .., key, value] = given else { unreachable!("it is given what `arguments` says") };
        let write = PagedWrite {
            tokens: self.batch,
            kv_heads: self.kv_heads,
            groups: self.groups,
            head_dim: self.head_dim,
            rotated,
            pages: self.pages,
            page_tokens: self.page_tokens,
            dtype: self.dtype,
            packed: false,
        };
        let number = *start / self.page_tokens as f64;
        let place =
            table.take("seen_page", number) * self.page_tokens as f64 + *start - number * self.page_tokens as f64;
        let is_there = count.greater(0.0).and(start.less(self.visible() as f64));
        let place = is_there.select(place, (self.pages * self.page_tokens) as f64).rename("batch", "token");
        let tokens = |tensor: Tensor<'g>| tensor.rename("batch", "token");
        let queries = tokens(q.merge(&["batch", "position"], "batch"));
        let angles: Vec<_> = angles.iter().map(|angles| tokens(*angles)).collect();
        let turned = [queries].into_iter().filter(|_| rotated > 0).chain(angles);
        let inputs: Vec<_> = turned.chain([tokens(*key), tokens(*value), place, *keys, *values]).collect();
        let written = write.reference(graph, &inputs);
        let [turned @ .., keys, values] = &written[..] else { unreachable!("keys and values are written") };
        let queries =
            turned.first().map_or(*q, |turned| turned.split("token", &[self.axis("batch"), self.axis("position")]));
        let attends = PagedAttention { rotates: None, ..*self };
        let out = attends.reference(graph, &[queries, *keys, *values, *table, *start, *count]);
        vec![out[0], *keys, *values]
    }
}
