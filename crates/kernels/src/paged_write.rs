//! What comes before a step's attention, in one launch of what XLA makes three: queries and keys are rotated, and keys and values written into pages, where they
//! lie (PagedAttention, Kwon et al. 2023).

use std::fmt;
use std::ops::Range;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use crate::catalogue::{Argument, Fill, Operation};
use crate::mask::{both, load, store};
use crate::packed_keys::{self, PackedKeys};
use crate::{Builder, Code, Kernel, KernelError, Launch, Road, Value};

/// Rotates the pairs (i, i + rotated / 2) of the first elements of each head (Su et al. 2021) of queries and keys, and writes keys and values into pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PagedWrite {
    /// Tokens, of any texts.
    pub tokens: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Query heads of each of them.
    pub groups: usize,
    /// Elements of a head.
    pub head_dim: usize,
    /// Those that are rotated, an even number; 0: none, and queries stay what they are.
    pub rotated: usize,
    /// Pages of all texts.
    pub pages: usize,
    /// Tokens of a page.
    pub page_tokens: usize,
    /// Type of queries, keys and values, in memory too.
    pub dtype: DType,
    /// Whether keys and values are packed there: [`PackedKeys`] says how. All or nothing is rotated then.
    pub packed: bool,
}

/// The most elements of the query heads of a key head: a program has them in its registers.
const ELEMENTS_MAX: usize = 1 << 12;

impl PagedWrite {
    /// Of a Llama of 7 billion parameters, alone and beside others; and of one with grouped queries. Of few pages: to try a launch out, all of them are copied
    /// before it.
    pub(crate) fn timed() -> Vec<Operation> {
        let one = PagedWrite {
            tokens: 1,
            kv_heads: 32,
            groups: 1,
            head_dim: 128,
            rotated: 128,
            pages: 2,
            page_tokens: 32,
            dtype: DType::BF16,
            packed: false,
        };
        let many = PagedWrite { tokens: 64, ..one };
        [one, many, PagedWrite { kv_heads: 8, groups: 4, ..many }].map(Operation::PagedWrite).to_vec()
    }

    /// With heads that are rotated whole, in part and not at all, of widths that are powers of two and are none, and with tokens that are not there.
    pub(crate) fn tried() -> Vec<Operation> {
        let small = PagedWrite {
            tokens: 9,
            kv_heads: 3,
            groups: 1,
            head_dim: 64,
            rotated: 64,
            pages: 3,
            page_tokens: 5,
            dtype: DType::BF16,
            packed: false,
        };
        let all = [
            small,
            PagedWrite { tokens: 1, groups: 4, kv_heads: 1, head_dim: 128, rotated: 128, ..small },
            PagedWrite { groups: 5, head_dim: 80, rotated: 20, dtype: DType::F16, ..small },
            PagedWrite { head_dim: 96, rotated: 96, groups: 2, page_tokens: 1, pages: 10, ..small },
            PagedWrite { rotated: 0, head_dim: 24, ..small },
            PagedWrite { rotated: 0, head_dim: 64, groups: 2, dtype: DType::F16, ..small },
            PagedWrite { head_dim: 66, rotated: 2, ..small },
            // Of nine tokens four have no place.
            PagedWrite { pages: 1, groups: 3, ..small },
            PagedWrite { pages: 1, rotated: 0, ..small },
        ];
        all.map(Operation::PagedWrite).to_vec()
    }

    /// Whether there are kernels for such heads in this type.
    pub fn takes(dtype: DType, head_dim: usize, groups: usize) -> bool {
        let elements = groups.next_power_of_two() * head_dim.next_power_of_two();
        matches!(dtype, DType::BF16 | DType::F16) && elements <= ELEMENTS_MAX
    }

    fn axis(&self, name: &'static str) -> Axis {
        let size = match name {
            "token" => self.tokens,
            "kv_heads" => self.kv_heads,
            "groups" => self.groups,
            "page" => self.pages,
            "page_token" => self.page_tokens,
            "pair" => self.rotated / 2,
            _ => self.head_dim,
        };
        Axis::new(name, size)
    }

    fn ty(&self, dtype: DType, names: &[&'static str]) -> TensorType {
        TensorType::new(dtype, &names.iter().map(|name| self.axis(name)).collect::<Vec<_>>())
    }

    /// Where something is rotated the queries (token, kv_heads, groups, head_dim), cosines and sines, f32 (token, pair); then the new keys and values (token,
    /// kv_heads, head_dim), where among all tokens of all pages each token belongs, i32 (token), in none if it is behind the last, and all keys and values
    /// (page, kv_heads, page_token, head_dim); of packed ones their words, u16 (page, kv_heads, word), and the scales of both, f32 (page, kv_heads, page_token, key_and_value).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let normal = |name, ty| Argument::new(name, ty, Fill::Normal(1.0));
        let new = self.ty(self.dtype, &["token", "kv_heads", "head_dim"]);
        let angles = self.ty(DType::F32, &["token", "pair"]);
        // Where there are fewer places than tokens, some are behind the last.
        let places = self.ty(DType::I32, &["token"]);
        let places = Argument::new("place", places, Fill::Shuffled((self.pages * self.page_tokens).max(self.tokens)));
        let rotation = [
            normal("q", self.queries()),
            Argument::new("cos", angles.clone(), Fill::Uniform(-1.0, 1.0)),
            Argument::new("sin", angles, Fill::Uniform(-1.0, 1.0)),
        ];
        let written = [normal("k", new.clone()), normal("v", new), places];
        let held = std::iter::zip(["keys", "values", "scales"], self.held()).map(|(name, ty)| normal(name, ty));
        rotation.into_iter().filter(|_| self.rotated > 0).chain(written).chain(held).collect()
    }

    /// All keys and all values, as they lie in memory, and of packed ones their scales.
    fn held(&self) -> Vec<TensorType> {
        let names = ["page", "kv_heads", "page_token", "head_dim"];
        if !self.packed {
            return vec![self.ty(self.dtype, &names); 2];
        }
        let of_page = [self.axis("page"), self.axis("kv_heads")];
        let words = TensorType::new(DType::U16, &[&of_page[..], &[PackedKeys::words(self.page_tokens)]].concat());
        let scales = [&of_page[..], &[self.axis("page_token"), PackedKeys::scales()]].concat();
        vec![words.clone(), words, TensorType::new(DType::F32, &scales)]
    }

    fn queries(&self) -> TensorType {
        self.ty(self.dtype, &["token", "kv_heads", "groups", "head_dim"])
    }

    /// Bytes that have to cross memory: of pages those that are written.
    pub(crate) fn bytes(&self) -> f64 {
        let of_head = self.head_dim * self.dtype.size();
        let queries = if self.rotated > 0 { self.groups * of_head } else { 0 };
        let of_token = 2 * self.kv_heads * (queries + 2 * of_head) + 4 * (self.rotated + 1);
        (self.tokens * of_token) as f64
    }

    /// Gives the queries where something is rotated, and all keys and all values, and their scales if they are packed: in place of those before.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let held = self.held();
        let queries = (self.rotated > 0).then(|| self.queries());
        let in_place = (1..=held.len()).rev();
        let results: Vec<_> = queries.into_iter().chain(held).collect();
        let in_place = in_place.map(|behind| (results.len() - behind, inputs.len() - behind)).collect();
        let launch = Launch {
            kernel: self.kernel()?,
            grid: [self.tokens, self.kv_heads, 1],
            code: Code::Triton { warps: 1, stages: 1 },
            in_place,
            results,
        };
        Ok(road.run(&launch, inputs))
    }

    fn kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("paged_write");
        self.check(&k);
        let is_rotated = self.rotated > 0;
        let queries = is_rotated.then(|| k.input("q", self.dtype));
        let angles = is_rotated.then(|| ["cos", "sin"].map(|name| k.input(name, DType::F32)));
        let [new_keys, new_values] = ["k", "v"].map(|name| k.input(name, self.dtype));
        let place = k.input("place", DType::I32);
        // Nothing is read of them: what is written stands in the same memory.
        let held: Vec<_> = self.held().into_iter().map(|ty| ty.dtype).collect();
        for (name, dtype) in ["keys", "values", "scales"].into_iter().zip(&held) {
            k.input(name, *dtype);
        }
        let rotated = is_rotated.then(|| k.output("rotated", self.dtype));
        let [keys, values] = ["written_keys", "written_values"].map(|name| k.output(name, held[0]));
        let scales = self.packed.then(|| k.output("written_scales", DType::F32));

        let [token, head] = [0, 1].map(|dimension| k.program_id(dimension));
        let place = (place + token).load();
        let is_there = place.less(self.pages * self.page_tokens);
        let page = place / self.page_tokens;
        let held = ((page.cast(DType::I64) * self.kv_heads + head.cast(DType::I64)) * self.page_tokens
            + (place - page * self.page_tokens).cast(DType::I64))
            * self.head_dim;
        let own = token.cast(DType::I64) * self.kv_heads + head.cast(DType::I64);
        if let Some(scales) = scales {
            let written = ([keys, values], scales);
            let page_head = page.cast(DType::I64) * self.kv_heads + head.cast(DType::I64);
            let new = [new_keys, new_values].map(|array| array + own * self.head_dim);
            let of_token = [page_head, place - page * self.page_tokens];
            self.write_packed(angles, token, new, written, of_token, is_there);
        }
        let [new_keys, new_values] = [new_keys, new_values].map(|array| Heads::one(array, own * self.head_dim));
        let written = |array| Heads { array, start: held, mask: Some(is_there) };
        let (keys, values) = (written(keys), written(values));

        if !self.packed {
            new_values.copy(&values, &k, 0..self.head_dim);
        }
        let Some(((queries, rotated), angles)) = queries.zip(rotated).zip(angles) else {
            if !self.packed {
                new_keys.copy(&keys, &k, 0..self.head_dim);
            }
            return k.finish();
        };
        let angle = token.cast(DType::I64) * (self.rotated / 2);
        let angles = angles.map(|array| Heads::one(array, angle));
        let group = k.range(self.groups.next_power_of_two());
        let is_group = (!self.groups.is_power_of_two()).then(|| group.less(self.groups).column());
        let start = ((own * self.groups + group.cast(DType::I64)) * self.head_dim).column();
        let [queries, rotated] = [queries, rotated].map(|array| Heads { array, start, mask: is_group });
        for (from, to) in [(new_keys, keys), (queries, rotated)].into_iter().skip(usize::from(self.packed)) {
            from.rotate(&to, &k, &angles, self.rotated);
            from.copy(&to, &k, self.rotated..self.head_dim);
        }
        k.finish()
    }

    /// Packs a token's key, rotated, and value, which begin at `new`.
    fn write_packed<'k>(
        &self,
        angles: Option<[Value<'k>; 2]>,
        token: Value<'k>,
        [key, value]: [Value<'k>; 2],
        written: ([Value<'k>; 2], Value<'k>),
        of_token: [Value<'k>; 2],
        is_there: Value<'k>,
    ) {
        let k = token.builder;
        let half = self.head_dim / 2;
        let rows = [0, 1, 2, 3].map(|pair| {
            let element = packed_keys::elements(pair, k.range(packed_keys::ELEMENTS));
            let value = (value + element).load();
            let Some(angles) = angles else { return [(key + element).load(), value] };
            let is_first = element.less(half);
            let pair = is_first.select(element, element - half);
            let [cos, sin] = angles.map(|array| (array + token.cast(DType::I64) * half + pair).load());
            let other = is_first.select(element + half, element - half);
            let [own, other] = [element, other].map(|element| (key + element).load().cast(DType::F32));
            [(own * cos + other * is_first.select(-sin, sin)).cast(self.dtype), value]
        });
        let [keys, values] = [0, 1].map(|which| rows.map(|row| row[which]));
        packed_keys::write(self.page_tokens, written, of_token, [keys, values], is_there);
    }

    fn check(&self, k: &Builder) {
        let PagedWrite { groups, head_dim, rotated, dtype, .. } = *self;
        if !PagedWrite::takes(dtype, head_dim, groups) {
            k.fail(
                "size",
                &format!("{groups} query heads of {head_dim} elements in {dtype} are too many, or too wide"),
            );
        }
        if !rotated.is_multiple_of(2) || rotated > head_dim {
            k.fail("size", &format!("{rotated} of a head's {head_dim} elements are not rotated in pairs"));
        }
        let is_whole = [0, head_dim].contains(&rotated);
        if self.packed && !(is_whole && PackedKeys::holds(dtype, head_dim, self.page_tokens)) {
            k.fail(
                "size",
                &format!(
                    "heads of {head_dim} elements in {dtype}, {rotated} rotated, cannot be packed in pages of {}",
                    self.page_tokens
                ),
            );
        }
        if self.pages.saturating_mul(self.page_tokens) > i32::MAX as usize {
            k.fail("size", &format!("places of {} pages of {} tokens are beyond i32", self.pages, self.page_tokens));
        }
    }

    /// [`PagedWrite::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, _: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [.., k, v, place, keys, values] = *inputs else { unreachable!("it is given what `arguments` says") };
        let [head, page_token] = ["kv_heads", "page_token"].map(|name| self.axis(name));
        let axes = [self.axis("page"), head, page_token];
        let page = place / page_token.size as f64;
        let slot = place - page * page_token.size as f64;
        let rows = (page * head.size as f64 + k.graph().iota(head, DType::I32)) * page_token.size as f64 + slot;
        // Behind the last page places are behind all.
        let rows = rows.transpose(&["token", "kv_heads"]).merge(&["token", "kv_heads"], "written");
        let write = |held: Tensor<'g>, new: Tensor<'g>| {
            let all = held.merge(&axes.map(|axis| axis.name), "place");
            all.scatter("place", rows, new.merge(&["token", "kv_heads"], "written")).split("place", &axes)
        };
        if self.rotated == 0 {
            return vec![write(keys, k), write(values, v)];
        }
        let [q, cos, sin, ..] = *inputs else { unreachable!("it is given what `arguments` says") };
        let rotate = |x: Tensor<'g>| {
            let part = |start, size| x.slice("head_dim", start, size);
            let half = self.rotated / 2;
            let [first, second] = [0, half].map(|start| part(start, half).rename("head_dim", "pair"));
            let [cos, sin] = [cos, sin].map(|of_angles| of_angles.cast(x.dtype()));
            let pairs = [first * cos - second * sin, second * cos + first * sin];
            let rest = (self.rotated < self.head_dim).then(|| part(self.rotated, self.head_dim - self.rotated));
            let order: Vec<_> = x.axes().iter().map(|axis| axis.name).collect();
            let parts: Vec<_> = pairs.map(|pair| pair.rename("pair", "head_dim")).into_iter().chain(rest).collect();
            Tensor::concat(&parts, "head_dim").transpose(&order)
        };
        vec![rotate(q), write(keys, rotate(k)), write(values, v)]
    }
}

/// Vectors in memory: one, or a column of them.
struct Heads<'k> {
    array: Value<'k>,
    /// Where in the array each begins, i64.
    start: Value<'k>,
    /// Which are there; `None`: all.
    mask: Option<Value<'k>>,
}

impl<'k> Heads<'k> {
    fn one(array: Value<'k>, start: Value<'k>) -> Heads<'k> {
        Heads { array, start, mask: None }
    }

    /// Where some of their elements are, and which are there.
    fn elements(&self, k: &'k Builder, range: &Range<usize>) -> (Value<'k>, Option<Value<'k>>) {
        let spread = |value: Value<'k>| if self.start.shape().is_empty() { value } else { value.row() };
        let element = k.range(range.len().next_power_of_two());
        let mask = (!range.len().is_power_of_two()).then(|| spread(element.less(range.len())));
        let place = self.start + spread((element + range.start).cast(DType::I64));
        (self.array + place, both(self.mask, mask))
    }

    fn load(&self, k: &'k Builder, range: Range<usize>) -> Value<'k> {
        let (places, mask) = self.elements(k, &range);
        load(places, mask)
    }

    fn store(&self, k: &'k Builder, range: Range<usize>, value: Value<'k>) {
        let (places, mask) = self.elements(k, &range);
        // One mask for all of a vector.
        let mask = mask.map(|mask| mask.broadcast(&value.shape()));
        store(places, value, mask);
    }

    /// Writes some of their elements where `to` is, as they are.
    fn copy(&self, to: &Heads<'k>, k: &'k Builder, range: Range<usize>) {
        if !range.is_empty() {
            to.store(k, range.clone(), self.load(k, range));
        }
    }

    /// The first `rotated`, by the cosines and sines of their pairs' angles.
    fn rotate(&self, to: &Heads<'k>, k: &'k Builder, angles: &[Heads<'k>; 2], rotated: usize) {
        let halves = [0..rotated / 2, rotated / 2..rotated];
        let [first, second] = halves.clone().map(|half| self.load(k, half).cast(DType::F32));
        let angle = |of: &Heads<'k>| {
            let angle = of.load(k, 0..rotated / 2);
            if first.shape().len() > 1 { angle.row() } else { angle }
        };
        let [cos, sin] = [&angles[0], &angles[1]].map(angle);
        let turned = [first * cos - second * sin, second * cos + first * sin];
        for (half, turned) in halves.into_iter().zip(turned) {
            to.store(k, half, turned.cast(to.array.dtype()));
        }
    }
}

impl fmt::Display for PagedWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PagedWrite { tokens, kv_heads, groups, head_dim, rotated, dtype, .. } = self;
        write!(f, "writing {tokens} tokens to pages, ({kv_heads}, {groups}, {head_dim}), {rotated} rotated, {dtype}")?;
        if self.packed { write!(f, ", packed") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;
    use crate::packed_keys::{Of, host};
    use crate::{Array, Interpreter, filled};

    #[test]
    fn packed_rows_are_what_plain_ones_are_packed_to() {
        let plain = PagedWrite {
            tokens: 9,
            kv_heads: 3,
            groups: 2,
            head_dim: 128,
            rotated: 128,
            pages: 3,
            page_tokens: 32,
            dtype: DType::BF16,
            packed: false,
        };
        for (plain, seed) in
            [(plain, 1), (PagedWrite { rotated: 0, ..plain }, 2), (PagedWrite { pages: 1, ..plain }, 3)]
        {
            let mut inputs = filled(&plain.arguments(), seed);
            let place = inputs.len() - 3;
            // Some tokens are not there.
            let mut places = inputs[place].numbers().to_vec();
            places[4] = f64::from(1 << 30);
            inputs[place] = Array::new(DType::I32, places);
            let run = |op: &PagedWrite, inputs: &[Array]| {
                let interpreter = Interpreter::default();
                let found = op.run(&&interpreter, inputs).expect("it can be built");
                interpreter.finish().expect("it reads and writes what is there");
                found
            };
            let expected = run(&plain, &inputs);
            let pack = |keys: &Array, values: &Array| {
                let of = |of, rows: &Array| host::packed(of, rows.numbers(), plain.page_tokens);
                let ((keys, of_keys), (values, of_values)) = (of(Of::Keys, keys), of(Of::Values, values));
                let scales = of_keys.into_iter().zip(of_values).flat_map(|(key, value)| [key, value]).collect();
                [Array::new(DType::U16, keys), Array::new(DType::U16, values), Array::new(DType::F32, scales)]
            };
            let [.., keys, values] = &inputs[..] else { unreachable!("they are written") };
            let before = pack(keys, values);
            let given = [&inputs[..inputs.len() - 2], &before].concat();
            let found = run(&PagedWrite { packed: true, ..plain }, &given);
            let [rotated @ .., keys, values] = &expected[..] else { unreachable!("they are written") };
            let expected = [rotated, &pack(keys, values)].concat();
            for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found.numbers(), expected.numbers(), "{plain}: result {number}");
            }
            assert_ne!(found[found.len() - 2].numbers(), before[1].numbers());
        }
    }

    #[test]
    fn text_of_the_kernel() {
        let write = PagedWrite {
            tokens: 2,
            kv_heads: 3,
            groups: 3,
            head_dim: 80,
            rotated: 40,
            pages: 4,
            page_tokens: 10,
            dtype: DType::BF16,
            packed: false,
        };
        let text = crate::triton::print(&write.kernel().expect("the kernel is built"));
        expect_file!["../tests/golden/paged_write.mlir"].assert_eq(&text);
    }
}
