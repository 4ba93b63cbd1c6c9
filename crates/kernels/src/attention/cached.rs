//! Attention of one token a row to a cache of keys and values, as in generation. What it takes is reading what the token sees: the keys go in parts, so
//! that there are programs enough for a GPU where there are few heads, and what they give is joined (Flash-Decoding, Dao et al. 2023).

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use super::scores::{BLIND, Places, parts, product};
use super::{Attention, Gpu};
use crate::catalogue::{Argument, Fill, Operation};
use crate::mask::{both, load, store};
use crate::{Builder, Kernel, KernelError, Launch, Road, Value};

/// `softmax(softcap(scale * q k)) v` over the keys of a cache up to the token's own, with as many query heads for a key head as there are groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CachedAttention {
    /// Rows, each with one token.
    pub batch: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Query heads of each of them.
    pub groups: usize,
    /// Elements of a head, up to 256.
    pub head_dim: usize,
    /// Keys that the cache has room for.
    pub slots: usize,
    /// How many of them a token may see at the most: all tokens stand among the first so many.
    pub visible: usize,
    /// Type of queries, keys, values and results: bf16 or f16.
    pub dtype: DType,
    /// What products of queries and keys are multiplied with; positive.
    pub scale: f64,
    /// How many keys a token sees at most, its own among them; `None`: all of them.
    pub window: Option<usize>,
    /// `cap * tanh(score / cap)` (Gemma 2).
    pub softcap: Option<f64>,
    /// What it is computed on.
    pub gpu: Gpu,
}

/// Of a row that sees nothing the sum of weights is 0, and so is what they weigh.
fn nonzero(total: Value<'_>) -> Value<'_> {
    total.equals(0.0).select(total.like(1.0), total)
}

/// Keys of a block: few enough that three stages of blocks of keys and values fit into 64 KB.
const fn block(head_dim: usize) -> usize {
    if head_dim > 128 { 16 } else { 32 }
}

/// The fewest query heads of a product.
const ROWS_MIN: usize = 16;

/// The most query heads of a program.
const GROUPS_MAX: usize = 64;

/// So many programs of a row fill a GPU.
const PROGRAMS: usize = 256;

/// The most parts, and the fewest keys that are worth one.
const PARTS_MAX: usize = 32;
const PART_MIN: usize = 64;

impl CachedAttention {
    /// Of a Llama of 7 billion parameters, and of one with grouped queries behind a long text.
    pub(crate) fn timed() -> Vec<Operation> {
        let seven = CachedAttention {
            batch: 1,
            kv_heads: 32,
            groups: 1,
            head_dim: 128,
            slots: 1024,
            visible: 1024,
            dtype: DType::BF16,
            scale: 0.088,
            window: None,
            softcap: None,
            gpu: Gpu::Hopper,
        };
        let grouped = CachedAttention { kv_heads: 8, groups: 4, slots: 16_384, visible: 16_384, ..seven };
        [seven, grouped].map(Operation::CachedAttention).to_vec()
    }

    /// In one part and several, with heads of widths that kernels take and do not, and with all that hides keys.
    pub(crate) fn tried() -> Vec<Operation> {
        let small = CachedAttention {
            batch: 2,
            kv_heads: 3,
            groups: 1,
            head_dim: 64,
            slots: 50,
            visible: 50,
            dtype: DType::BF16,
            scale: 0.3,
            window: None,
            softcap: None,
            gpu: Gpu::Hopper,
        };
        let long = CachedAttention { slots: 700, visible: 611, groups: 4, head_dim: 128, dtype: DType::F16, ..small };
        let all = [
            small,
            long,
            CachedAttention { window: Some(70), ..long },
            CachedAttention { softcap: Some(5.0), groups: 5, head_dim: 80, ..long },
            CachedAttention { batch: 1, groups: 17, kv_heads: 1, head_dim: 256, ..long },
            CachedAttention { slots: 1, visible: 1, head_dim: 24, ..small },
            CachedAttention { window: Some(7), groups: 2, batch: 40, ..small },
            CachedAttention { batch: 1, groups: 16, kv_heads: 1, head_dim: 80, ..long },
        ];
        all.map(Operation::CachedAttention).to_vec()
    }

    /// Whether there are kernels for heads of this size in this type.
    pub fn takes(dtype: DType, head_dim: usize, groups: usize) -> bool {
        Attention::takes(dtype, head_dim) && groups <= GROUPS_MAX
    }

    /// q (batch, kv_heads, groups, head_dim), k and v (batch, kv_heads, key_position, head_dim), and where each row's token stands, i32 (batch).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let keys =
            TensorType::new(self.dtype, &["batch", "kv_heads", "key_position", "head_dim"].map(|name| self.axis(name)));
        let last = TensorType::new(DType::I32, &[self.axis("batch")]);
        vec![
            Argument::new("q", self.queries(), Fill::Normal(1.0)),
            Argument::new("k", keys.clone(), Fill::Normal(1.0)),
            Argument::new("v", keys, Fill::Normal(1.0)),
            Argument::new("last", last, Fill::Whole(self.least_last(), self.visible)),
        ]
    }

    /// Where a token stands at the least to try it out: anywhere, but in the long caches that are timed not in front.
    fn least_last(&self) -> usize {
        if self.visible < 1024 { 0 } else { self.visible / 2 }
    }

    fn axis(&self, name: &'static str) -> Axis {
        let size = match name {
            "batch" => self.batch,
            "kv_heads" => self.kv_heads,
            "groups" => self.groups,
            "key_position" => self.slots,
            "part" => self.parts(),
            _ => self.head_dim,
        };
        Axis::new(name, size)
    }

    fn queries(&self) -> TensorType {
        TensorType::new(self.dtype, &["batch", "kv_heads", "groups", "head_dim"].map(|name| self.axis(name)))
    }

    pub(crate) fn flops(&self) -> f64 {
        4.0 * (self.batch * self.kv_heads * self.groups * self.head_dim * self.visible) as f64
    }

    /// How scores become exponents.
    fn form(&self) -> Attention {
        let heads = [self.kv_heads, self.groups];
        let CachedAttention { dtype, scale, softcap, .. } = *self;
        let form = Attention::causal(self.batch, self.slots, heads, self.head_dim, self.gpu);
        Attention { dtype, scale, softcap, ..form }
    }

    /// Keys of a part.
    fn part(&self) -> usize {
        // Whatever the batch is: a row's sums do not depend on the others.
        let programs = PROGRAMS.div_ceil(self.kv_heads);
        let parts = programs.min(PARTS_MAX).min(self.visible.div_ceil(PART_MIN));
        self.visible.div_ceil(parts).next_multiple_of(block(self.head_dim))
    }

    fn parts(&self) -> usize {
        self.visible.div_ceil(self.part())
    }

    /// Query heads of a program, with those that are none.
    fn rows(&self) -> usize {
        self.groups.next_power_of_two().max(ROWS_MIN)
    }

    /// Gives the result, as q.
    ///
    /// # Errors
    /// The kernels cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        self.check()?;
        let results = match self.parts() {
            1 => vec![self.queries()],
            _ => {
                let names = ["batch", "kv_heads", "part", "groups", "head_dim"].map(|name| self.axis(name));
                let f32 = |axes: &[Axis]| TensorType::new(DType::F32, axes);
                vec![f32(&names), f32(&names[..4]), f32(&names[..4])]
            }
        };
        let launch = Launch {
            kernel: self.parts_kernel()?,
            grid: [self.parts(), self.kv_heads, self.batch],
            warps: 4,
            stages: 3,
            results,
        };
        let results = road.run(&launch, inputs);
        if self.parts() == 1 {
            return Ok(results);
        }
        let joined = Launch {
            kernel: self.joining_kernel()?,
            grid: [self.groups, self.kv_heads, self.batch],
            warps: 4,
            stages: 1,
            results: vec![self.queries()],
        };
        Ok(road.run(&joined, &results))
    }

    fn check(&self) -> Result<(), KernelError> {
        self.form().check()?;
        let refuse =
            |rule: String| Err(KernelError { kernel: "cached_attention".to_owned(), op: "size".to_owned(), rule });
        if self.groups > GROUPS_MAX {
            return refuse(format!("a key head has up to {GROUPS_MAX} query heads and not {}", self.groups));
        }
        if self.visible > self.slots || self.visible == 0 {
            return refuse(format!("{} of {} keys cannot be seen", self.visible, self.slots));
        }
        Ok(())
    }

    fn parts_kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("cached_attention");
        k.counts(self.flops());
        let [q, keys, values] = ["q", "k", "v"].map(|name| k.input(name, self.dtype));
        let last = k.input("last", DType::I32);
        let [part, kv_head, row] = [0, 1, 2].map(|dimension| k.program_id(dimension));
        let head = row * self.kv_heads + kv_head;
        let wide = head.cast(DType::I64);

        let end = ((last + row).load() + 1).minimum(self.visible);
        let first = self.window.map_or(k.int(0), |window| (end - window).maximum(0));
        let from = part * self.part();
        let to = end.minimum(from + self.part());
        let step = block(self.head_dim);
        // Whole blocks in front of the window are left out.
        let from = from.maximum(first / step * step);

        let heads = k.range(self.rows());
        let is_head = (self.rows() != self.groups).then(|| heads.less(self.groups).column());
        let q = self.columns(&k).map(|(column, is_column)| {
            let places = q + wide * (self.groups * self.head_dim) + (heads.column() * self.head_dim + column.row());
            load(places, both(is_head, is_column.map(|is| is.row())))
        });
        let q: Vec<_> = q.collect();
        let [keys, values] = [keys, values].map(|array| array + wide * (self.slots * self.head_dim));

        let nothing = [k.full(2.0 * BLIND, DType::F32, &[self.rows()]), k.zeros(&[self.rows()])];
        let sums = parts(self.head_dim).into_iter().map(|part| k.zeros(&[self.rows(), part]));
        let begin: Vec<_> = nothing.into_iter().chain(sums).collect();
        let form = self.form();
        let results = k.for_range_of(from, to, step, &begin, |start, carried| {
            let places = start + k.range(step);
            let is_seen = places.greater_equal(first).and(places.less(to));
            let rows = |array| self.vectors(&k, array, places, is_seen);
            let transposed: Vec<_> =
                rows(keys).into_iter().map(|(places, mask)| places.t().load_where(mask.t(), 0.0)).collect();
            let products = product(&q, &transposed);
            let own = Places { queries: heads.column(), keys: places.row(), query_starts: None, key_starts: None };
            let exponents = form.exponents(products, own, None).hide(is_seen.row());
            let greatest = carried[0].maximum(exponents.value.max(1) * exponents.factor);
            let weights = exponents.powers(greatest.column());
            let shrink = self.gpu.exp2(carried[0] - greatest);
            let total = carried[1] * shrink + weights.sum(1);
            let weights = weights.cast(self.dtype);
            let values = rows(values).into_iter().map(|(places, mask)| places.load_where(mask, 0.0));
            let sums = carried[2..].iter().zip(values);
            let sums = sums.map(|(sum, values)| weights.dot_add(values, *sum * shrink.column()));
            [greatest, total].into_iter().chain(sums).collect()
        });
        self.finish_part(&k, [part, head], is_head, &results);
        k.finish()
    }

    /// Writes what a part gives: the result, if there is no other, else sums of values, the greatest exponents and the sums of weights.
    fn finish_part<'k>(
        &self,
        k: &'k Builder,
        [part, head]: [Value<'k>; 2],
        is_head: Option<Value<'k>>,
        results: &[Value<'k>],
    ) {
        let heads = k.range(self.rows());
        let (greatest, total) = (results[0], results[1]);
        let is_alone = self.parts() == 1;
        let of_part = if is_alone { head } else { head * self.parts() + part };
        let of_part = of_part.cast(DType::I64) * self.groups;
        let out = if is_alone { k.output("out", self.dtype) } else { k.output("sums", DType::F32) };
        for ((column, is_column), sum) in self.columns(k).zip(&results[2..]) {
            let sum = if is_alone { *sum / nonzero(total).column() } else { *sum };
            let places = out + of_part * self.head_dim + (heads.column() * self.head_dim + column.row());
            store(places, sum, both(is_head, is_column.map(|is| is.row())));
        }
        if !is_alone {
            let is_head = (self.rows() != self.groups).then(|| heads.less(self.groups));
            for (name, rows) in [("greatest", greatest), ("totals", total)] {
                store(k.output(name, DType::F32) + of_part + heads, rows, is_head);
            }
        }
    }

    /// Elements of a head by parts of widths that products take, and which of them are there.
    fn columns<'k>(&self, k: &'k Builder) -> impl Iterator<Item = (Value<'k>, Option<Value<'k>>)> {
        let width = self.head_dim;
        parts(width).into_iter().scan(0, move |before, part| {
            let columns = k.range(part) + *before;
            *before += part;
            Some((columns, (*before > width).then(|| columns.less(width))))
        })
    }

    /// Places of the keys or values at `places`, (place, element), by parts of their elements; and which of them are looked at.
    fn vectors<'k>(
        &self,
        k: &'k Builder,
        array: Value<'k>,
        places: Value<'k>,
        is_seen: Value<'k>,
    ) -> Vec<(Value<'k>, Value<'k>)> {
        let one = |(columns, is_column): (Value<'k>, Option<Value<'k>>)| {
            let pointers = array + (places.column() * self.head_dim + columns.row());
            let mask = is_column.map_or(is_seen.column(), |is_column| is_seen.column().and(is_column.row()));
            (pointers, mask.broadcast(&pointers.shape()))
        };
        self.columns(k).map(one).collect()
    }

    /// A program has a query head, and the parts of what it gives.
    fn joining_kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("cached_attention_join");
        let [sums, greatest, totals] = ["sums", "greatest", "totals"].map(|name| k.input(name, DType::F32));
        let out = k.output("out", self.dtype);
        let [group, kv_head, row] = [0, 1, 2].map(|dimension| k.program_id(dimension));
        let head = row * self.kv_heads + kv_head;
        let part = k.range(self.parts().next_power_of_two());
        let is_part = (!self.parts().is_power_of_two()).then(|| part.less(self.parts()));
        let places = (head * self.parts() + part) * self.groups + group;
        let greatest = (greatest + places).load_where(is_part.unwrap_or(part.greater_equal(0)), 2.0 * BLIND);
        let totals = load(totals + places, is_part);
        let all = greatest.max(0);
        let weights = (greatest - all).exp2();
        let total = nonzero((weights * totals).sum(0));
        let column = k.range(self.head_dim.next_power_of_two());
        let is_column = (!self.head_dim.is_power_of_two()).then(|| column.less(self.head_dim));
        let mask = both(is_part.map(|is| is.column()), is_column.map(|is| is.row()));
        let places = places.column().cast(DType::I64) * self.head_dim + column.row().cast(DType::I64);
        let sum = (load(sums + places, mask) * weights.column()).sum(0) / total;
        let place = (head * self.groups + group).cast(DType::I64) * self.head_dim;
        store(out + place + column.cast(DType::I64), sum, is_column);
        k.finish()
    }

    /// [`CachedAttention::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (q, k, v, last) = (inputs[0], inputs[1], inputs[2], inputs[3]);
        let mut scores = q.dot(k, &["head_dim"]) * self.scale;
        if let Some(cap) = self.softcap {
            scores = (scores * (1.0 / cap)).tanh() * cap;
        }
        let distance = last - graph.iota(self.axis("key_position"), DType::I32);
        let sees = distance.greater_equal(0.0).and(distance.less(self.window.unwrap_or(self.slots) as f64));
        let hidden = sees.select(scores, -1e30);
        let weights = (hidden - hidden.max(&["key_position"])).exp();
        let out = weights.dot(v, &["key_position"]) / weights.sum(&["key_position"]);
        vec![out.transpose(&["batch", "kv_heads", "groups", "head_dim"])]
    }
}

impl fmt::Display for CachedAttention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CachedAttention { batch, kv_heads, groups, head_dim, slots, visible, dtype, .. } = self;
        write!(f, "attention of a token ({batch}, {kv_heads}, {groups}, {head_dim}) to {visible} of {slots}, {dtype}")?;
        if let Some(window) = self.window {
            write!(f, ", window {window}")?;
        }
        if let Some(cap) = self.softcap {
            write!(f, ", cap {cap}")?;
        }
        write!(f, ", for {}", self.gpu)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn text_of_the_kernels() {
        let op = CachedAttention {
            batch: 1,
            kv_heads: 2,
            groups: 3,
            head_dim: 80,
            slots: 200,
            visible: 150,
            dtype: DType::BF16,
            scale: 0.25,
            window: Some(100),
            softcap: Some(30.0),
            gpu: Gpu::Amd,
        };
        let kernels = [op.parts_kernel(), op.joining_kernel()];
        let texts = kernels.map(|kernel| crate::triton::print(&kernel.expect("the kernel is built")));
        expect_file!["../../tests/golden/cached_attention.mlir"].assert_eq(&texts.concat());
    }
}
