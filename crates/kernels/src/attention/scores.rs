//! What kernels of attention share: their inputs, tiles of matrices, and how products of queries and keys become exponents.

use std::f64::consts::LOG2_E;

use graph::DType;

use super::sight::SpanPointers;
use super::tiles::SMALLEST_BLOCK;
use super::{Attention, Biases, Gpu, Pass};
use crate::launch::GRID_MAX;
use crate::mask::{self, Part};
use crate::{Builder, KernelError, Value};

/// Powers of two are what GPUs compute: exponents are to base 2. This one is of what is hidden: finite, so that differences are numbers, and
/// less than any other.
pub(super) const HIDDEN: f64 = -1e30;

/// An exponent below is that of a row that sees nothing.
pub(super) const BLIND: f64 = -1e29;

/// What all kernels read, as pointers to the program's row.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'k> {
    pub(super) q: Value<'k>,
    pub(super) k: Value<'k>,
    pub(super) v: Value<'k>,
    slopes: Option<Value<'k>>,
    pub(super) spans: Option<SpanPointers<'k>>,
    /// The number of the row, i64.
    row: Value<'k>,
}

impl<'k> Inputs<'k> {
    /// Declares what [`Attention::forward`] is given. The row is the program's number along the last dimension of the grid.
    pub(super) fn declare(k: &'k Builder, op: &Attention) -> Inputs<'k> {
        let [queries, keys, values] = ["q", "k", "v"].map(|name| k.input(name, op.dtype));
        let slopes = op.biases.map(|_| k.input("slopes", DType::F32));
        let spans = op.documents.then(|| ["first", "end"].map(|name| k.input(name, DType::I32)));
        let row = k.program_id(2).cast(DType::I64);
        let [q_size, k_size] = [op.heads(), op.kv_heads].map(|heads| op.positions * heads * op.head_dim);
        let tokens = row * op.positions;
        Inputs {
            q: queries + row * q_size,
            k: keys + row * k_size,
            v: values + row * k_size,
            slopes,
            spans: spans.map(|[first, end]| SpanPointers { first: first + tokens, end: end + tokens }),
            row,
        }
    }

    /// Of an array as large as the queries, where the row begins.
    pub(super) fn of_row(&self, op: &Attention, array: Value<'k>) -> Value<'k> {
        array + self.row * (op.positions * op.heads() * op.head_dim)
    }

    /// Of an array as large as the keys, where the row begins.
    pub(super) fn of_key_row(&self, op: &Attention, array: Value<'k>) -> Value<'k> {
        array + self.row * (op.positions * op.kv_heads * op.head_dim)
    }

    /// Of an array of (batch, heads, position), where a head of the row begins.
    pub(super) fn of_head(&self, op: &Attention, array: Value<'k>, head: Value<'k>) -> Value<'k> {
        array + (self.row * op.heads() + head.cast(DType::I64)) * op.positions
    }

    /// The slope of a query head.
    pub(super) fn slope(&self, head: Value<'k>) -> Option<Value<'k>> {
        self.slopes.map(|slopes| (slopes + head).load())
    }

    /// Where the documents of tokens at `places` begin, if biases depend on that.
    pub(super) fn starts(&self, op: &Attention, places: Value<'k>) -> Option<Value<'k>> {
        match (op.biases, self.spans) {
            (Some(Biases::InBf16 { .. }), Some(spans)) => {
                Some((spans.first + places).load_where(places.less(op.positions), 0))
            }
            _ => None,
        }
    }
}

/// The matrix of a head: its tokens' vectors, `stride` elements apart, in [`parts`].
#[derive(Clone, Copy)]
pub(super) struct Matrix<'k> {
    builder: &'k Builder,
    first: Value<'k>,
    stride: usize,
    positions: usize,
    width: usize,
}

/// Parts of a head's vector.
pub(super) fn parts(width: usize) -> impl Iterator<Item = Part> {
    mask::parts(width, usize::MAX)
}

impl<'k> Matrix<'k> {
    /// `row` points to the first of `heads` heads of a row's first token.
    pub(super) fn new(op: &Attention, row: Value<'k>, heads: usize, head: Value<'k>) -> Matrix<'k> {
        let first = row + head * op.head_dim;
        let stride = heads * op.head_dim;
        Matrix { builder: row.builder, first, stride, positions: op.positions, width: op.head_dim }
    }

    /// Pointers to `size` vectors from `start` on by their parts, (size, part), and which of them are there.
    fn pointers(&self, start: Value<'k>, size: usize, looks: bool) -> Vec<(Value<'k>, Option<Value<'k>>)> {
        let tokens = self.builder.range(size).column();
        let is_token = (looks && !self.positions.is_multiple_of(size)).then(|| (start + tokens).less(self.positions));
        let block = self.first + start * self.stride;
        let one = |part: Part| {
            let columns = (self.builder.range(part.size) + part.first).row();
            let mask = mask::both(is_token, part.is_cut.then(|| columns.less(self.width)));
            (block + (tokens * self.stride + columns), mask)
        };
        parts(self.width).map(one).collect()
    }

    /// The parts of `size` vectors from `start` on, (size, part); `looks`: the row may end among them, and zeros stand behind.
    pub(super) fn load(&self, start: Value<'k>, size: usize, looks: bool) -> Vec<Value<'k>> {
        self.pointers(start, size, looks).into_iter().map(|(pointers, mask)| mask::load(pointers, mask)).collect()
    }

    /// [`Matrix::load`] transposed, (part, size).
    pub(super) fn load_transposed(&self, start: Value<'k>, size: usize, looks: bool) -> Vec<Value<'k>> {
        let load = |(pointers, mask): (Value<'k>, Option<Value<'k>>)| {
            mask::load(pointers.t(), mask.map(|mask| mask.broadcast(&pointers.shape()).t()))
        };
        self.pointers(start, size, looks).into_iter().map(load).collect()
    }

    /// Writes the parts of vectors from `start` on.
    pub(super) fn store(&self, start: Value<'k>, parts: &[Value<'k>]) {
        let size = parts[0].shape()[0];
        for ((pointers, mask), part) in self.pointers(start, size, true).into_iter().zip(parts) {
            mask::store(pointers, *part, mask);
        }
    }
}

/// How matrices of queries and keys lie: which of the two are rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Orientation {
    /// (query, key), and sums of values (query, element).
    QueryRows,
    /// (key, query), and (element, query): of few queries, as matrix units take sixteen rows and eight columns.
    KeyRows,
}

impl Orientation {
    /// The dimension along which keys lie, and elements of sums.
    pub(super) fn key_dimension(self) -> usize {
        match self {
            Orientation::QueryRows => 1,
            Orientation::KeyRows => 0,
        }
    }

    /// Numbers of queries beside a matrix.
    pub(super) fn of_queries<'k>(self, numbers: Value<'k>) -> Value<'k> {
        numbers.expand(self.key_dimension())
    }

    /// Numbers of keys, or of elements of sums, beside a matrix.
    pub(super) fn of_keys<'k>(self, numbers: Value<'k>) -> Value<'k> {
        numbers.expand(1 - self.key_dimension())
    }

    /// What is there for queries, and what for keys or elements, in the order of rows and columns.
    pub(super) fn factors<T>(self, of_queries: T, of_keys: T) -> [T; 2] {
        match self {
            Orientation::QueryRows => [of_queries, of_keys],
            Orientation::KeyRows => [of_keys, of_queries],
        }
    }
}

/// The sum of the products of parts.
pub(super) fn product<'k>(left: &[Value<'k>], right: &[Value<'k>]) -> Value<'k> {
    let first = left[0].dot(right[0]);
    left[1..].iter().zip(&right[1..]).fold(first, |sum, (left, right)| left.dot_add(*right, sum))
}

/// Exponents to base 2: `factor * value`.
pub(super) struct Exponents<'k> {
    pub(super) value: Value<'k>,
    pub(super) factor: f64,
    gpu: Gpu,
    /// The hyperbolic tangent that caps them.
    pub(super) tanh: Option<Value<'k>>,
}

impl<'k> Exponents<'k> {
    /// With what is hidden where not `sees`.
    pub(super) fn hide(self, sees: Value<'k>) -> Exponents<'k> {
        Exponents { value: sees.select(self.value, HIDDEN / self.factor), ..self }
    }

    /// A step of the online softmax (Milakov and Gimelshein 2018): of each query the greatest exponent so far, the sum of weights and, by parts, that of
    /// weighed `values`, with those of a block of keys. Sums have queries where exponents have them, and `values` keys where a product takes them.
    pub(super) fn add_to<V: IntoIterator<Item = Value<'k>>>(
        &self,
        carried: &[Value<'k>],
        dtype: DType,
        orientation: Orientation,
        values: impl FnOnce() -> V,
    ) -> Vec<Value<'k>> {
        let keys = orientation.key_dimension();
        let greatest = carried[0].maximum(self.value.max(keys) * self.factor);
        let weights = self.powers(orientation.of_queries(greatest));
        let shrink = self.gpu.exp2(carried[0] - greatest);
        let total = carried[1] * shrink + weights.sum(keys);
        let weights = weights.cast(dtype);
        let sums = carried[2..].iter().zip(values()).map(|(sum, values)| {
            let [left, right] = orientation.factors(weights, values);
            left.dot_add(right, *sum * orientation.of_queries(shrink))
        });
        [greatest, total].into_iter().chain(sums).collect()
    }

    /// 2 to them less `subtracted`.
    pub(super) fn powers(&self, subtracted: Value<'k>) -> Value<'k> {
        let exponents = match self.factor == 1.0 {
            true => self.value - subtracted,
            false => self.value.multiply_add(self.factor, -subtracted),
        };
        self.gpu.exp2(exponents)
    }
}

/// Where queries and keys stand, one as a column and one as a row, and where their documents begin, if that matters.
#[derive(Clone, Copy)]
pub(super) struct Places<'k> {
    pub(super) queries: Value<'k>,
    pub(super) keys: Value<'k>,
    pub(super) query_starts: Option<Value<'k>>,
    pub(super) key_starts: Option<Value<'k>>,
}

impl Attention {
    /// Of the products of queries and keys.
    pub(super) fn exponents<'k>(
        &self,
        products: Value<'k>,
        places: Places<'k>,
        slope: Option<Value<'k>>,
    ) -> Exponents<'k> {
        let (value, tanh, factor) = match self.softcap {
            Some(cap) => {
                let tanh = self.gpu.tanh(products * (self.scale / cap));
                (tanh, Some(tanh), cap * LOG2_E)
            }
            None => (products, None, self.scale * LOG2_E),
        };
        let (Some(biases), Some(slope)) = (self.biases, slope) else {
            return Exponents { value, factor, gpu: self.gpu, tanh };
        };
        let bias = match biases {
            Biases::Exact => {
                let [queries, keys] = [places.queries, places.keys].map(|places| places.cast(DType::F32));
                (keys - queries) * (slope * LOG2_E)
            }
            Biases::InBf16 { scale } => {
                let slope = rounded_to_bf16(slope);
                let of = |places: Value<'k>, starts: Option<Value<'k>>| {
                    let places = starts.map_or(places, |starts| places - starts).cast(DType::F32);
                    rounded_to_bf16(slope * rounded_to_bf16(places))
                };
                (of(places.keys, places.key_starts) - of(places.queries, places.query_starts)) * (scale * LOG2_E)
            }
        };
        Exponents { value: value.multiply_add(factor, bias), factor: 1.0, gpu: self.gpu, tanh }
    }

    /// Whether there are kernels for heads of this size in this type.
    pub fn takes(dtype: DType, head_dim: usize) -> bool {
        matches!(dtype, DType::BF16 | DType::F16) && (1..=256).contains(&head_dim)
    }

    /// Whether there are kernels for it, and for parts of it.
    ///
    /// # Errors
    /// There are none for its type, its heads, rows of so many elements, or so many rows.
    pub fn check(&self) -> Result<(), KernelError> {
        let refuse = |rule: String| Err(KernelError { kernel: "attention".to_owned(), op: "size".to_owned(), rule });
        if !Attention::takes(self.dtype, self.head_dim) {
            let (dtype, head_dim) = (self.dtype, self.head_dim);
            return refuse(format!("heads have up to 256 elements in bf16 or f16, and not {head_dim} in {dtype}"));
        }
        if self.scale <= 0.0 || self.softcap.is_some_and(|cap| cap <= 0.0) {
            return refuse("scale and cap are positive".to_owned());
        }
        if self.window == Some(0) {
            return refuse("a window of 0 keys shows a query nothing: take 1 at the least".to_owned());
        }
        if !Attention::counts(self.positions, self.heads(), self.head_dim) {
            let row = row_elements(self.positions, self.heads(), self.head_dim);
            return refuse(format!("a row has {row} elements, and they are counted in 32 bits"));
        }
        if !Attention::launches(self.batch, self.positions) {
            return refuse(format!("a grid has at most {GRID_MAX} rows, and as many blocks of a row"));
        }
        Ok(())
    }

    /// Whether a row of so many tokens, with so many query heads of this width, is one whose elements the kernels can count.
    pub fn counts(positions: usize, heads: usize, head_dim: usize) -> bool {
        i32::try_from(row_elements(positions, heads, head_dim)).is_ok()
    }

    /// Whether a launch has places for so many rows, and for the blocks of so many tokens.
    pub fn launches(rows: usize, positions: usize) -> bool {
        rows.max(positions.div_ceil(SMALLEST_BLOCK)) <= GRID_MAX
    }

    /// How many blocks of a launch a row has.
    pub(super) fn blocks(&self, pass: Pass) -> usize {
        let tiles = self.tiles(pass);
        self.positions.div_ceil(if pass == Pass::Keys { tiles.keys } else { tiles.queries })
    }

    /// Heads, blocks and rows, the first counting fastest. So of all heads of a row the blocks that take longest begin first, and those that end a launch
    /// are short: with a head's blocks behind each other (8, 2048, 16, 128) took 0.357 ms and not 0.340. A row's keys stay in caches.
    pub(super) fn grid(&self, pass: Pass, heads: usize) -> [usize; 3] {
        [heads, self.blocks(pass), self.batch]
    }
}

/// Elements of a row of queries, with some places beyond, which are named and not looked at.
fn row_elements(positions: usize, heads: usize, head_dim: usize) -> usize {
    positions.saturating_add(1024).saturating_mul(heads).saturating_mul(head_dim)
}

impl Gpu {
    /// By one instruction: what is below the normal numbers is no weight.
    pub(crate) fn exp2(self, x: Value<'_>) -> Value<'_> {
        match self {
            Gpu::Hopper | Gpu::Nvidia => x.exp2_ptx(),
            Gpu::Amd => x.exp2(),
        }
    }

    /// By one exponential, which overflows to where the quotient is 0.
    fn tanh(self, x: Value<'_>) -> Value<'_> {
        let power = self.exp2(x * (2.0 * LOG2_E));
        x.like(1.0) - x.like(2.0) / (power + 1.0)
    }
}

fn rounded_to_bf16(x: Value<'_>) -> Value<'_> {
    x.cast(DType::BF16).cast(DType::F32)
}
