//! Attention of a text's last tokens to its keys and values, which lie in pages (PagedAttention, Kwon et al. 2023): of one token a row, as in generation, or
//! of several, as where a prompt comes in chunks. What it takes for one is reading what that sees: the keys go in parts, so that there are programs enough for
//! a GPU where there are few heads, and what they give is joined (Flash-Decoding, Dao et al. 2023). Of one token a row the kernel may rotate and write too.

mod by_hand;
mod own_key;

use std::fmt;

use graph::{Axis, DType, Graph, Tensor, TensorType};

use super::scores::{BLIND, Orientation, Places, parts, product};
use super::{Attention, Gpu};
use crate::catalogue::{Argument, Fill, Operation};
use crate::mask::{both, load, store};
use crate::packed_keys::{self, Of, PackedKeys};
use crate::{Array, Builder, Code, Kernel, KernelError, Launch, Road, Value};
use own_key::{Own, Site};

/// `softmax(softcap(scale * q k)) v` over the keys of a row's text up to each token's own, with as many query heads for a key head as there are groups. Of
/// tokens that are not there it is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PagedAttention {
    /// Rows, each of a text.
    pub batch: usize,
    /// Tokens of a row, the last of its text.
    pub positions: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Query heads of each of them.
    pub groups: usize,
    /// Elements of a head, up to 256.
    pub head_dim: usize,
    /// Pages of all texts.
    pub pages: usize,
    /// Keys of a page.
    pub page_tokens: usize,
    /// The most pages of a text.
    pub seen_pages: usize,
    /// Type of queries and results, and in which keys and values are multiplied: bf16 or f16.
    pub dtype: DType,
    /// Type in which keys and values lie in memory: the same, or an E4M3.
    pub held: DType,
    /// Whether they are packed there: [`PackedKeys`] says how.
    pub packed: bool,
    /// What products of queries and keys are multiplied with; positive.
    pub scale: f64,
    /// How many keys a token sees at most, its own among them; `None`: all of them.
    pub window: Option<usize>,
    /// `cap * tanh(score / cap)` (Gemma 2).
    pub softcap: Option<f64>,
    /// Of one token a row: so many elements of each head, an even number, are rotated by the kernel, of queries and of the token's own key, which it writes into its
    /// page with the token's value. No other row may read it there. `None`: queries and keys are rotated, and what is seen stands in the pages.
    pub rotates: Option<usize>,
    /// What it is computed on.
    pub gpu: Gpu,
}

/// Of a row that sees nothing the sum of weights is 0, and so is what they weigh.
fn nonzero(total: Value<'_>) -> Value<'_> {
    total.equals(0.0).select(total.like(1.0), total)
}

/// Keys of a block: few enough that three blocks of keys and values fit into the 64 KB of AMD's multiprocessors.
const fn block(head_dim: usize) -> usize {
    if head_dim > 128 { 16 } else { 32 }
}

/// The fewest and the most rows of a product: query heads of tokens.
const ROWS_MIN: usize = 16;
const ROWS_MAX: usize = 64;

/// The most that are columns.
const COLUMNS_MAX: usize = 8;

/// So many programs fill a GPU.
const PROGRAMS: usize = 256;

/// Up to so many of one warp five stages took no longer than three: with five and heads of 128 about as many run at once on a Hopper.
const RUN_AT_ONCE: usize = 512;

/// The most parts, and the fewest keys that are worth one.
const PARTS_MAX: usize = 32;
const PART_MIN: usize = 64;

/// The most keys that a program should go through one after the other where there are programs enough, unless that makes more than so many parts.
const PART_MAX: usize = 2048;
const LONG_PARTS_MAX: usize = 8;

/// Numbers that are computed in i32, and those added to them, stay below 2^31.
const INDEX_MAX: usize = (1 << 31) - (1 << 16);

/// What is at these places, (key, element), where it is there; `turned`: (element, key).
fn loaded<'k>((places, is_there): (Value<'k>, Value<'k>), turned: bool) -> Value<'k> {
    let [places, is_there] = [places, is_there].map(|matrix| if turned { matrix.t() } else { matrix });
    places.load_where(is_there, 0.0)
}

/// Where in memory the keys or values of a block are, in elements.
enum Spots<'k> {
    /// In one page: that of a key head in it, i64, and which of its tokens.
    InOne { page: Value<'k>, tokens: Value<'k> },
    /// In several: each by itself, i64.
    Each(Value<'k>),
}

impl PagedAttention {
    /// Of a Llama of 7 billion parameters, alone, beside others and in a chunk of a prompt; and of one with grouped queries behind a long text. None that writes: to try
    /// a launch out, all pages would be copied before it.
    pub(crate) fn timed() -> Vec<Operation> {
        let seven = PagedAttention {
            batch: 1,
            positions: 1,
            kv_heads: 32,
            groups: 1,
            head_dim: 128,
            pages: 2049,
            page_tokens: 32,
            seen_pages: 32,
            dtype: DType::BF16,
            held: DType::BF16,
            packed: false,
            scale: 0.088,
            window: None,
            softcap: None,
            rotates: None,
            gpu: Gpu::Hopper,
        };
        let grouped = PagedAttention { kv_heads: 8, groups: 4, seen_pages: 512, ..seven };
        let narrow = PagedAttention { held: DType::F8E4M3FN, ..grouped };
        let [many, chunk] = [PagedAttention { batch: 64, ..seven }, PagedAttention { positions: 256, ..seven }];
        // By hand as well, in two parts of each text.
        let many_long = PagedAttention { batch: 32, pages: 3073, seen_pages: 96, ..seven };
        let packed = [1, 16, 64].map(|batch| PagedAttention { batch, packed: true, ..seven });
        let all = [seven, grouped, narrow, many, many_long, chunk].into_iter().chain(packed);
        all.map(Operation::PagedAttention).collect()
    }

    /// In one part and several, with heads of widths that kernels take and do not, of pages that hold blocks and of those that do not, with all that hides
    /// keys.
    pub(crate) fn tried() -> Vec<Operation> {
        let small = PagedAttention {
            batch: 2,
            positions: 1,
            kv_heads: 3,
            groups: 1,
            head_dim: 64,
            pages: 7,
            page_tokens: 10,
            seen_pages: 5,
            dtype: DType::BF16,
            held: DType::BF16,
            packed: false,
            scale: 0.3,
            window: None,
            softcap: None,
            rotates: None,
            gpu: Gpu::Hopper,
        };
        let long = PagedAttention {
            pages: 50,
            page_tokens: 32,
            seen_pages: 20,
            groups: 4,
            head_dim: 128,
            dtype: DType::F16,
            held: DType::F16,
            ..small
        };
        let chunk = PagedAttention { positions: 37, ..long };
        let all = [
            small,
            long,
            PagedAttention { window: Some(70), ..long },
            PagedAttention { softcap: Some(5.0), groups: 5, head_dim: 80, ..long },
            PagedAttention { batch: 1, groups: 17, kv_heads: 1, head_dim: 256, ..long },
            PagedAttention { pages: 2, page_tokens: 1, seen_pages: 1, head_dim: 24, ..small },
            PagedAttention { window: Some(7), groups: 2, batch: 40, ..small },
            PagedAttention { batch: 1, groups: 16, kv_heads: 1, head_dim: 80, ..long },
            PagedAttention { groups: 8, ..long },
            PagedAttention { groups: 7, batch: 40, ..small },
            PagedAttention { pages: 3, page_tokens: 611, seen_pages: 1, ..long },
            chunk,
            PagedAttention { window: Some(20), groups: 1, ..chunk },
            PagedAttention { softcap: Some(5.0), groups: 3, head_dim: 80, page_tokens: 9, ..chunk },
            PagedAttention {
                batch: 3,
                positions: 5,
                groups: 2,
                head_dim: 256,
                dtype: DType::BF16,
                held: DType::BF16,
                ..chunk
            },
            PagedAttention { batch: 1, positions: 64, groups: 1, head_dim: 256, ..chunk },
            // More tokens than a text may have.
            PagedAttention { seen_pages: 1, ..chunk },
            PagedAttention { held: DType::F8E4M3FN, ..small },
            PagedAttention { held: DType::F8E4M3FN, dtype: DType::BF16, window: Some(70), ..long },
            PagedAttention { held: DType::F8E4M3FN, dtype: DType::BF16, page_tokens: 9, head_dim: 80, ..chunk },
            PagedAttention { page_tokens: 12, groups: 2, window: Some(20), gpu: Gpu::Amd, ..small },
            PagedAttention { positions: 21, groups: 2, softcap: Some(5.0), gpu: Gpu::Amd, ..long },
            PagedAttention { held: DType::F8E4M3FNUZ, head_dim: 48, gpu: Gpu::Amd, ..small },
            PagedAttention { held: DType::F8E4M3FNUZ, dtype: DType::BF16, positions: 19, gpu: Gpu::Amd, ..long },
            PagedAttention { head_dim: 96, groups: 2, softcap: Some(5.0), gpu: Gpu::Nvidia, ..small },
            PagedAttention { positions: 11, head_dim: 256, groups: 2, gpu: Gpu::Nvidia, ..long },
        ];
        let others = [&PagedAttention::tried_rotating(small, long)[..], &PagedAttention::tried_by_hand(long)].concat();
        all.into_iter().chain(others).map(Operation::PagedAttention).collect()
    }

    /// Whether there are kernels for keys and values that lie in `held`, where queries are in `dtype`.
    pub fn takes_held(dtype: DType, held: DType) -> bool {
        held == dtype || matches!(held, DType::F8E4M3FN | DType::F8E4M3FNUZ)
    }

    /// Whether there are kernels, for a Hopper in bf16, for packed keys and values of such heads.
    pub fn takes_packed(head_dim: usize, groups: usize) -> bool {
        PackedKeys::holds(DType::BF16, head_dim, block(head_dim)) && groups <= by_hand::GROUPS_MAX
    }

    /// Whether there are kernels for heads of this size in this type.
    pub fn takes(dtype: DType, head_dim: usize, groups: usize) -> bool {
        Attention::takes(dtype, head_dim) && groups <= ROWS_MAX
    }

    /// q (batch, position, kv_heads, groups, head_dim); k and v (page, kv_heads, page_token, head_dim); the pages of each row's text in their order, i32
    /// (batch, seen_page); and i32 (batch): where in its text a row's first token stands, and how many of its tokens are there. Packed ones are u16 (page, kv_heads, word), and their
    /// scales, f32 (page, kv_heads, page_token, key_and_value), come then. Where it rotates: cosines and sines, f32
    /// (batch, pair), if there are any, and the token's key and value (batch, kv_heads, head_dim).
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let tensor = |dtype, names: &[&'static str]| {
            TensorType::new(dtype, &names.iter().map(|name| self.axis(name)).collect::<Vec<_>>())
        };
        let [words, scales] = self.packed_types();
        let keys = match self.packed {
            true => Argument::new("k", words, Fill::Whole(0, 1 << 16)),
            false => Argument::new(
                "k",
                tensor(self.held, &["page", "kv_heads", "page_token", "head_dim"]),
                Fill::Normal(1.0),
            ),
        };
        let of_rows = tensor(DType::I32, &["batch"]);
        let angles = tensor(DType::F32, &["batch", "pair"]);
        let angles = ["cos", "sin"].map(|name| Argument::new(name, angles.clone(), Fill::Uniform(-1.0, 1.0)));
        let own = tensor(self.held, &["batch", "kv_heads", "head_dim"]);
        let own = ["own_k", "own_v"].map(|name| Argument::new(name, own.clone(), Fill::Normal(1.0)));
        let read = [
            Argument::new("q", self.queries(), Fill::Normal(1.0)),
            keys.clone(),
            Argument { name: "v", ..keys },
            Argument::new("table", tensor(DType::I32, &["batch", "seen_page"]), Fill::Shuffled(self.pages)),
            Argument::new(
                "start",
                of_rows.clone(),
                Fill::Whole(self.least_start(), (self.visible() + 1).saturating_sub(self.positions).max(1)),
            ),
            Argument::new("count", of_rows, Fill::Whole(self.least_count(), self.positions + 1)),
        ];
        let scales = self.packed.then(|| Argument::new("scales", scales, Fill::Powers(-2, 2)));
        let angles = angles.into_iter().filter(|_| self.rotates.is_some_and(|rotated| rotated > 0));
        let own = own.into_iter().filter(|_| self.rotates.is_some());
        read.into_iter().chain(scales).chain(angles).chain(own).collect()
    }

    /// Of packed keys, or values, the words and the scales of both.
    fn packed_types(&self) -> [TensorType; 2] {
        let of_page = ["page", "kv_heads"].map(|name| self.axis(name));
        let words = [&of_page[..], &[PackedKeys::words(self.page_tokens)]].concat();
        let scales = [&of_page[..], &[self.axis("page_token"), PackedKeys::scales()]].concat();
        [TensorType::new(DType::U16, &words), TensorType::new(DType::F32, &scales)]
    }

    /// Where a row's first token stands at the least to try it out: anywhere, but in the long texts that are timed near their ends.
    fn least_start(&self) -> usize {
        if self.visible() < 1024 { 0 } else { self.visible() - self.positions }
    }

    /// How many of a row's tokens are there at the least, in the same way.
    fn least_count(&self) -> usize {
        if self.visible() < 1024 { 0 } else { self.positions }
    }

    /// Keys that a token may see at the most.
    fn visible(&self) -> usize {
        self.seen_pages * self.page_tokens
    }

    /// What hides keys: as many as a token may see at the most are no window, and would cost a comparison.
    fn window(&self) -> Option<usize> {
        self.window.filter(|window| *window < self.visible())
    }

    fn axis(&self, name: &'static str) -> Axis {
        let size = match name {
            "batch" => self.batch,
            "position" => self.positions,
            "kv_heads" => self.kv_heads,
            "groups" => self.groups,
            "page" => self.pages,
            "page_token" => self.page_tokens,
            "seen_page" => self.seen_pages,
            "part" => self.parts(),
            "pair" => self.rotates.unwrap_or_default() / 2,
            _ => self.head_dim,
        };
        Axis::new(name, size)
    }

    fn queries(&self) -> TensorType {
        let names = ["batch", "position", "kv_heads", "groups", "head_dim"];
        TensorType::new(self.dtype, &names.map(|name| self.axis(name)))
    }

    /// Of texts as long as may be, whose tokens see all of them: how long they are is not known before.
    pub(crate) fn flops(&self) -> f64 {
        self.flops_of_pairs(self.batch * self.positions * self.visible())
    }

    /// Those of the pairs that see each other, of what [`PagedAttention::arguments`] names.
    pub(crate) fn flops_of(&self, inputs: &[Array]) -> f64 {
        let most = self.visible().min(self.window.unwrap_or(usize::MAX));
        let of_text = |(start, count): (&f64, &f64)| -> usize {
            let start = *start as usize;
            (0..*count as usize).map(|token| (start + token + 1).min(most)).sum()
        };
        self.flops_of_pairs(inputs[4].numbers().iter().zip(inputs[5].numbers()).map(of_text).sum())
    }

    fn flops_of_pairs(&self, pairs: usize) -> f64 {
        4.0 * (self.kv_heads * self.groups * self.head_dim * pairs) as f64
    }

    /// Bytes that have to cross memory: queries and results, and of keys and values those that texts see, of which each is as long as may be.
    pub(crate) fn bytes(&self) -> f64 {
        let of_key = match self.packed {
            true => self.head_dim * 3 / 2 + DType::F32.size(),
            false => self.head_dim * self.held.size(),
        };
        let of_tokens = self.positions * self.groups * self.head_dim * self.dtype.size() + self.visible() * of_key;
        (2 * self.batch * self.kv_heads * of_tokens) as f64
    }

    /// How scores become exponents.
    fn form(&self) -> Attention {
        let heads = [self.kv_heads, self.groups];
        let PagedAttention { dtype, scale, softcap, .. } = *self;
        let form = Attention::causal(self.batch, 1, heads, self.head_dim, self.gpu);
        Attention { dtype, scale, softcap, ..form }
    }

    /// In how many parts a token's keys go: in as many as there is room for, which the text shares out.
    fn parts(&self) -> usize {
        if self.positions > 1 {
            return 1;
        }
        let programs = if self.packed { by_hand::PROGRAMS } else { PROGRAMS };
        let to_fill = programs.div_ceil(self.kv_heads * self.batch);
        let long = self.visible().div_ceil(PART_MAX).min(LONG_PARTS_MAX);
        to_fill.max(long).min(PARTS_MAX).min(self.visible().div_ceil(PART_MIN))
    }

    /// Query heads of all tokens of a row for a key head.
    fn all_rows(&self) -> usize {
        self.positions * self.groups
    }

    /// Those of a program, with those that are none.
    fn rows(&self) -> usize {
        match self.orientation() {
            Orientation::QueryRows => self.all_rows().next_power_of_two().clamp(ROWS_MIN, ROWS_MAX),
            Orientation::KeyRows => COLUMNS_MAX,
        }
    }

    /// Of Triton's kernels, which serve where there are few programs ([`PagedAttention::by_hand`]). Few query heads of one token are columns: half as many of what is
    /// multiplied are none, and the sums of a warp leave it registers. 504 keys in each of 32 heads of 128, in Triton by itself, microseconds and watts of an H200
    /// (2026-11-30): 128 texts as rows 246.9 and 709 (12 registers spilled), as rows with two stages 239.5 and 727, as columns 240.4 and 693; 64 texts 125.9 and 705,
    /// 122.5 and 701 (at the limit of power, which steps of many texts are at too), 124.9 and 677. A step of one text took 3.02 ms, and of 16 texts 4.05, where rows
    /// took 3.23 and 4.09 before what else was new. Narrower heads, f16, windows, caps and two to eight query heads for a key head go with these.
    fn orientation(&self) -> Orientation {
        let is_timed = self.gpu == Gpu::Hopper && self.held == self.dtype && self.head_dim <= 128;
        if is_timed && self.positions == 1 && self.groups <= COLUMNS_MAX {
            Orientation::KeyRows
        } else {
            Orientation::QueryRows
        }
    }

    /// Programs for a row and a key head.
    fn blocks(&self) -> usize {
        self.parts() * self.all_rows().div_ceil(self.rows())
    }

    /// One warp waits for no other's keys, and of programs that small more begin and end beside each other: 64 texts of 536 keys, 32 heads of 128, take an
    /// H200 133 us with one, 142 with two and 143 with four, and an H100 189, 189 and 190; 16 texts 37.5, 37.4 and 38.9, and 51.6, 50.3 and 50.4; 64 of 8 heads
    /// with four query heads each 37.7, 38.0 and 40.0, and 51.1, 51.1 and 52.3 (2026-11-27). Windows and caps go with them; wider heads, 8-bit floats, more query heads
    /// and other GPUs, which were not timed, have four.
    fn warps(&self) -> usize {
        let is_timed = self.gpu == Gpu::Hopper && self.held == self.dtype && self.head_dim <= 128;
        if is_timed && self.positions == 1 && self.rows() <= ROWS_MIN { 1 } else { 4 }
    }

    /// Stages of Triton's loop over keys. Of three or four, pages' numbers take so many that keys are asked for one block ahead; of five, two blocks, which is worth its
    /// memory but where many programs of one warp take turns for a multiprocessor. One token a row, 545 keys, microseconds of an H200 with three and five (2026-11-28):
    ///
    /// | heads | elements | one text | 16 | 64 |
    /// |---|---|---|---|---|
    /// | 32 | 128 | 8.2, 6.6 | 38.6, 37.7 | 136, 141 |
    /// | 32 of 8 | 128 | 5.1, 4.9 | 18.8, 13.6 | 38.0, 37.3 |
    /// | 32 of 8 | 128, in 8 bits | 4.5, 4.2 | 17.3, 13.8 | 40.1, 36.7 |
    /// | 16 of 8 | 256 | 8.8, 7.0 | 34.6, 25.0 | 80.0, 70.8 |
    ///
    /// 8 texts of the first 30.7 and 21.5, 24 of them 53.7 and 54.0, 32 of them 68.7 and 73.1; 64 tokens of 8 prompts behind 448 others 30.4 and 23.8, of 32 prompts
    /// 78.5 and 79.5, and with eight heads of keys 63.3 and 59.6. H100s, f16, windows and caps go with them, and few texts that are long enough for many parts stay
    /// with three: these were not timed.
    fn stages(&self) -> usize {
        let take_turns = self.warps() == 1 && self.blocks() * self.kv_heads * self.batch > RUN_AT_ONCE;
        if self.gpu == Gpu::Hopper && !take_turns { 5 } else { 3 }
    }

    /// Gives the result, as q; where it rotates, all keys and all values too, and their scales if they are packed, in place of those before.
    ///
    /// # Errors
    /// The kernels cannot be built for these sizes.
    pub fn run<R: Road>(&self, road: &R, inputs: &[R::Array]) -> Result<Vec<R::Array>, KernelError> {
        let written = road.run(&self.parts_launch()?, inputs);
        self.joined(road, written)
    }

    /// Attention to parts of the keys, or to all.
    fn parts_launch(&self) -> Result<Launch, KernelError> {
        self.check()?;
        let pages = ["page", "kv_heads", "page_token", "head_dim"].map(|name| self.axis(name));
        let [words, scales] = self.packed_types();
        let written = match self.rotates {
            Some(_) if self.packed => vec![words.clone(), words, scales],
            Some(_) => vec![TensorType::new(self.held, &pages); 2],
            None => Vec::new(),
        };
        let in_place: Vec<_> = [1, 2, 6].into_iter().take(written.len()).enumerate().collect();
        let results = match self.parts() {
            1 => vec![self.queries()],
            _ => {
                let names = ["batch", "kv_heads", "part", "groups", "head_dim"].map(|name| self.axis(name));
                let f32 = |axes: &[Axis]| TensorType::new(DType::F32, axes);
                vec![f32(&names), f32(&names[..4]), f32(&names[..4])]
            }
        };
        let triton = Code::Triton { warps: self.warps(), stages: self.stages() };
        let code = self.by_hand().map_or(triton, Code::ByHand);
        Ok(Launch {
            kernel: self.parts_kernel()?,
            grid: [self.blocks(), self.kv_heads, self.batch],
            code,
            results: written.into_iter().chain(results).collect(),
            in_place,
        })
    }

    /// How many arrays of pages are written.
    fn written(&self) -> usize {
        match self.rotates {
            Some(_) if self.packed => 3,
            Some(_) => 2,
            None => 0,
        }
    }

    /// What is made of what the parts' launch wrote.
    fn joined<R: Road>(&self, road: &R, mut written: Vec<R::Array>) -> Result<Vec<R::Array>, KernelError> {
        let results = written.split_off(self.written());
        if self.parts() == 1 {
            return Ok(results.into_iter().chain(written).collect());
        }
        let joined = Launch {
            kernel: self.joining_kernel()?,
            grid: [self.groups, self.kv_heads, self.batch],
            code: Code::Triton { warps: 4, stages: 1 },
            results: vec![self.queries()],
            in_place: Vec::new(),
        };
        Ok(road.run(&joined, &results).into_iter().chain(written).collect())
    }

    fn check(&self) -> Result<(), KernelError> {
        self.form().check()?;
        let refuse =
            |rule: String| Err(KernelError { kernel: "paged_attention".to_owned(), op: "size".to_owned(), rule });
        if !PagedAttention::takes_held(self.dtype, self.held) {
            return refuse(format!("keys in {} meet queries in {}", self.held, self.dtype));
        }
        if self.groups > ROWS_MAX {
            return refuse(format!("a key head has up to {ROWS_MAX} query heads and not {}", self.groups));
        }
        if self.rotates.is_some_and(|rotated| {
            !rotated.is_multiple_of(2) || rotated > self.head_dim || self.positions > 1 || self.held != self.dtype
        }) {
            return refuse(format!(
                "of {} tokens' heads of {} elements in {} that lie in {}, {} cannot be rotated in pairs",
                self.positions,
                self.head_dim,
                self.dtype,
                self.held,
                self.rotates.unwrap_or_default()
            ));
        }
        if self.packed && self.by_hand().is_none() {
            return refuse(format!("there is no kernel of packed keys for {self}"));
        }
        if self.window == Some(0) {
            return refuse("a window of 0 keys shows a query nothing: take 1 at the least".to_owned());
        }
        // Places within a page, and a key's place with a window's length, which is shorter than what is seen, are i32.
        let page = self.page_tokens.saturating_mul(self.head_dim);
        if self.positions == 0
            || page == 0
            || self.seen_pages == 0
            || page.max(self.visible().saturating_mul(2)) > INDEX_MAX
        {
            return refuse(format!(
                "{} tokens cannot attend to {} pages of {} tokens of {} elements",
                self.positions, self.seen_pages, self.page_tokens, self.head_dim
            ));
        }
        Ok(())
    }

    fn parts_kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("paged_attention");
        k.counts(self.flops());
        let q = k.input("q", self.dtype);
        let held = if self.packed { DType::U16 } else { self.held };
        let [keys, values] = ["k", "v"].map(|name| k.input(name, held));
        let [table, start, count] = ["table", "start", "count"].map(|name| k.input(name, DType::I32));
        let scales = self.packed.then(|| k.input("scales", DType::F32));
        let given = Own::declare(&k, self);
        let [block_number, kv_head, row] = [0, 1, 2].map(|dimension| k.program_id(dimension));
        let start = (start + row).load();
        let count = (count + row).load();
        let end = (start + count).minimum(self.visible());
        let table = table + row * self.seen_pages;

        let has_several = self.positions > 1;
        let (first_row, part) =
            if has_several { (block_number * self.rows(), k.int(0)) } else { (k.int(0), block_number) };
        let own = first_row + k.range(self.rows());
        let is_own = (!self.all_rows().is_multiple_of(self.rows())).then(|| own.less(self.all_rows()));
        // Tokens that are not there see nothing.
        let query = match has_several {
            true => self.token_of(own).less(count).select(start + self.token_of(own), k.int(0) - 1).column(),
            false => start,
        };

        // Behind the keys that a program's tokens see, and before them: of those in front of a window, whole blocks.
        let step = block(self.head_dim);
        let [first_query, last_query] =
            [first_row, first_row + (self.rows() - 1)].map(|own| start + self.token_of(own));
        let end = if has_several { end.minimum(last_query + 1) } else { end };
        let end = (first_query - start).less(count).select(end, k.int(0));
        let first = self.window().map(|window| (first_query + 1 - window).maximum(0));
        let begin = first.map_or(k.int(0), |first| first / step * step);
        let (from, to) = self.part_of(begin, end, part);

        let queries = self.query_places(row, kv_head, own);
        let site = Site { row, kv_head, start };
        let orientation = self.orientation();
        let q = self.queries_at(&k, [q, queries], is_own.map(|is| is.column()), (&given, site));
        let nothing = self.nothing(&k);
        let form = self.form();
        let (carried, to) = match &given {
            None => (nothing, to),
            Some(given) => {
                let ends_here = from.less(end).and(to.equals(end)).and(start.less(self.visible()));
                (self.begun(&k, given, table, site, &q, (ends_here, nothing)), to.minimum(start))
            }
        };
        let q: Vec<_> = if orientation == Orientation::KeyRows { q.iter().map(|q| q.t()).collect() } else { q };
        let results = k.for_range_of(from, to, step, &carried, |block_start, carried| {
            let places = block_start + k.range(step);
            let is_there = places.less(to);
            let spots = self.spots(table, kv_head, block_start, places, is_there);
            let load = |of| self.block(of, ([keys, values], scales), &spots, is_there);
            let [left, right] = orientation.factors(q.clone(), load(Of::Keys).collect());
            let products = product(&left, &right);
            let at = Places {
                queries: orientation.of_queries(own),
                keys: orientation.of_keys(places),
                query_starts: None,
                key_starts: None,
            };
            let exponents = form.exponents(products, at, None).hide(self.sees(query, places, is_there));
            exponents.add_to(carried, self.dtype, orientation, || load(Of::Values))
        });
        self.finish_part(&k, [part, row * self.kv_heads + kv_head], queries, is_own, &results);
        k.finish()
    }

    /// Of queries that have seen no key: the greatest exponents, the sums of weights, and those of values by parts of their elements.
    fn nothing<'k>(&self, k: &'k Builder) -> Vec<Value<'k>> {
        let of_queries = [k.full(2.0 * BLIND, DType::F32, &[self.rows()]), k.zeros(&[self.rows()])];
        let widths: Vec<_> = match self.packed {
            true => vec![packed_keys::ELEMENTS; 4],
            false => parts(self.head_dim).map(|part| part.size).collect(),
        };
        let sums = widths.into_iter().map(|width| k.zeros(&self.orientation().factors(self.rows(), width)));
        of_queries.into_iter().chain(sums).collect()
    }

    /// Where the keys of a `part` begin and end, of those from `begin` to `end`.
    fn part_of<'k>(&self, begin: Value<'k>, end: Value<'k>, part: Value<'k>) -> (Value<'k>, Value<'k>) {
        let parts = self.parts();
        if parts == 1 {
            return (begin, end);
        }
        let all = parts * block(self.head_dim);
        let length = ((end - begin).maximum(0) + (all - 1)) / all * block(self.head_dim);
        let length = length.maximum(PART_MIN);
        let from = begin + part * length;
        (from, end.minimum(from + length))
    }

    /// The number of the token, among a row's, of the query `own`.
    fn token_of<'k>(&self, own: Value<'k>) -> Value<'k> {
        if self.groups == 1 { own } else { own / self.groups }
    }

    /// Elements before those of the queries `own` of a row and a key head, i64: of token after token, and of each all its query heads.
    fn query_places<'k>(&self, row: Value<'k>, kv_head: Value<'k>, own: Value<'k>) -> Value<'k> {
        let position = self.token_of(own);
        let token = (row * self.positions + position).cast(DType::I64);
        ((token * self.kv_heads + kv_head.cast(DType::I64)) * self.groups
            + (own - position * self.groups).cast(DType::I64))
            * self.head_dim
    }

    /// Which of the keys at `places` are seen by the `query`: where that stands, or as a column of several.
    fn sees<'k>(&self, query: Value<'k>, places: Value<'k>, is_there: Value<'k>) -> Value<'k> {
        let [places, mut sees] = [places, is_there].map(|keys| self.orientation().of_keys(keys));
        if self.positions > 1 {
            sees = sees.and(query.greater_equal(places));
        }
        // Not a difference of queries: rows by their own limits hold more conditions than a wave has registers.
        self.window().map_or(sees, |window| sees.and((places + window).greater(query)))
    }

    /// Where the keys at `places` of a text are, a block from `start` on, of which some are there.
    fn spots<'k>(
        &self,
        table: Value<'k>,
        kv_head: Value<'k>,
        start: Value<'k>,
        places: Value<'k>,
        is_there: Value<'k>,
    ) -> Spots<'k> {
        let of_page = |page: Value<'k>| {
            (page.cast(DType::I64) * self.kv_heads + kv_head.cast(DType::I64)) * (self.page_tokens * self.head_dim)
        };
        if self.seen_pages == 1 {
            return Spots::InOne { page: of_page(table.load()), tokens: places };
        }
        if self.page_tokens.is_multiple_of(block(self.head_dim)) {
            let number = start / self.page_tokens;
            return Spots::InOne { page: of_page((table + number).load()), tokens: places - number * self.page_tokens };
        }
        let number = places / self.page_tokens;
        let page = of_page((table + number).load_where(is_there, 0));
        Spots::Each(page + ((places - number * self.page_tokens) * self.head_dim).cast(DType::I64))
    }

    /// Writes what a part gives: the result, if there is no other, else sums of values, the greatest exponents and the sums of weights.
    fn finish_part<'k>(
        &self,
        k: &'k Builder,
        [part, head]: [Value<'k>; 2],
        queries: Value<'k>,
        is_own: Option<Value<'k>>,
        results: &[Value<'k>],
    ) {
        let (greatest, total) = (results[0], results[1]);
        let is_alone = self.parts() == 1;
        let of_part = (head * self.parts() + part).cast(DType::I64) * self.groups;
        let (orientation, heads) = (self.orientation(), k.range(self.rows()).cast(DType::I64));
        let (out, places) = match is_alone {
            true => (k.output("out", self.dtype), queries),
            false => (k.output("sums", DType::F32), (of_part + heads) * self.head_dim),
        };
        for ((column, is_column), sum) in self.columns(k).zip(&results[2..]) {
            let sum = if is_alone { *sum / orientation.of_queries(nonzero(total)) } else { *sum };
            let places = out + (orientation.of_queries(places) + orientation.of_keys(column).cast(DType::I64));
            store(
                places,
                sum,
                both(is_own.map(|is| orientation.of_queries(is)), is_column.map(|is| orientation.of_keys(is))),
            );
        }
        if !is_alone {
            for (name, rows) in [("greatest", greatest), ("totals", total)] {
                store(k.output(name, DType::F32) + (of_part + heads), rows, is_own);
            }
        }
    }

    /// Elements of a head by parts of widths that products take, and which of them are there. Of packed ones as [`packed_keys::unpacked`] gives them.
    fn columns<'k>(&self, k: &'k Builder) -> Box<dyn Iterator<Item = (Value<'k>, Option<Value<'k>>)> + 'k> {
        let width = self.head_dim;
        if self.packed {
            let pairs = (0..4).map(|pair| (packed_keys::elements(pair, k.range(packed_keys::ELEMENTS)), None));
            return Box::new(pairs);
        }
        Box::new(parts(width).map(move |part| {
            let columns = k.range(part.size) + part.first;
            (columns, part.is_cut.then(|| columns.less(width)))
        }))
    }

    /// The keys or values at `spots`, of which some are there, by parts of their elements: (key, element), or turned, as products take them.
    fn block<'k>(
        &self,
        of: Of,
        ([keys, values], scales): ([Value<'k>; 2], Option<Value<'k>>),
        spots: &Spots<'k>,
        is_there: Value<'k>,
    ) -> Box<dyn Iterator<Item = Value<'k>> + 'k> {
        let (array, turned) = match of {
            Of::Keys => (keys, self.orientation() == Orientation::QueryRows),
            Of::Values => (values, self.orientation() == Orientation::KeyRows),
        };
        if let Some(scales) = scales {
            return Box::new(self.unpacked(of, [array, scales], spots, is_there, turned).into_iter());
        }
        let (rows, dtype) = (self.vectors(array.builder, array, spots, is_there), self.dtype);
        Box::new(rows.into_iter().map(move |at| loaded(at, turned).cast(dtype)))
    }

    /// The packed keys or values at `spots`, of which some are there, by those parts: (key, element), or `turned`.
    fn unpacked<'k>(
        &self,
        of: Of,
        [words, scales]: [Value<'k>; 2],
        spots: &Spots<'k>,
        is_there: Value<'k>,
        turned: bool,
    ) -> [Value<'k>; 4] {
        let Spots::InOne { page, tokens } = spots else { unreachable!("a page holds blocks") };
        let (number, elements) = (words.builder.range(packed_keys::ELEMENTS), self.head_dim);
        let turn = |column: Value<'k>| if turned { column.t() } else { column };
        let [tokens, is_there] = [*tokens, is_there].map(|of_keys| turn(of_keys.column()));
        // Pages begin at multiples of a row.
        let at = [words + *page / 4 * 3, scales + *page / elements * 2];
        packed_keys::unpacked(of, at, [tokens, turn(number.row())], is_there)
    }

    /// Places of the keys or values at `spots`, (place, element), by parts of their elements; and which of them are there.
    fn vectors<'k>(
        &self,
        k: &'k Builder,
        array: Value<'k>,
        spots: &Spots<'k>,
        is_there: Value<'k>,
    ) -> Vec<(Value<'k>, Value<'k>)> {
        let one = |(columns, is_column): (Value<'k>, Option<Value<'k>>)| {
            let pointers = match spots {
                Spots::InOne { page, tokens } => array + *page + (tokens.column() * self.head_dim + columns.row()),
                Spots::Each(spots) => array + (spots.column() + columns.row().cast(DType::I64)),
            };
            let mask = is_column.map_or(is_there.column(), |is_column| is_there.column().and(is_column.row()));
            (pointers, mask.broadcast(&pointers.shape()))
        };
        self.columns(k).map(one).collect()
    }

    /// A program has a query head, and the parts of what it gives.
    fn joining_kernel(&self) -> Result<Kernel, KernelError> {
        let k = Builder::new("paged_attention_join");
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

    /// [`PagedAttention::run`] in graph operations.
    pub(crate) fn reference<'g>(&self, graph: &'g Graph, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let [table, start, count] = [inputs[3], inputs[4], inputs[5]];
        if let Some(rotated) = self.rotates {
            return self.reference_that_rotates(graph, rotated, inputs);
        }
        if self.packed {
            let restored = [(Of::Keys, 1), (Of::Values, 2)].map(|(of, place): (_, usize)| {
                PackedKeys::restored(of, inputs[place], inputs[6]).cast(inputs[0].dtype())
            });
            let plain = PagedAttention { packed: false, ..*self };
            return plain.reference(graph, &[inputs[0], restored[0], restored[1], table, start, count]);
        }
        let of_text = |cache: Tensor<'g>| {
            let pages = cache.take("page", table).cast(inputs[0].dtype());
            let pages = pages.transpose(&["batch", "kv_heads", "seen_page", "page_token", "head_dim"]);
            pages.merge(&["seen_page", "page_token"], "key_position")
        };
        let (q, k, v) = (inputs[0], of_text(inputs[1]), of_text(inputs[2]));
        let mut scores = q.dot(k, &["head_dim"]) * self.scale;
        if let Some(cap) = self.softcap {
            scores = (scores * (1.0 / cap)).tanh() * cap;
        }
        let key = graph.iota(k.axis("key_position"), DType::I32);
        let distance = graph.iota(self.axis("position"), DType::I32) + start - key;
        let sees = distance.greater_equal(0.0);
        let sees = self.window.map_or(sees, |window| sees.and(distance.less(window as f64)));
        let is_there = graph.iota(self.axis("position"), DType::I32).less(count);
        let sees = sees.and(key.less(start + count)).and(is_there);
        let hidden = sees.select(scores, -1e30);
        let weights = sees.select((hidden - hidden.max(&["key_position"])).exp(), 0.0);
        let total = weights.sum(&["key_position"]);
        let out = weights.dot(v, &["key_position"]) / total.greater(0.0).select(total, 1.0);
        vec![out.transpose(&["batch", "position", "kv_heads", "groups", "head_dim"])]
    }
}

impl fmt::Display for PagedAttention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PagedAttention { batch, positions, kv_heads, groups, head_dim, page_tokens, dtype, .. } = self;
        let visible = self.visible();
        write!(
            f,
            "attention of {positions} tokens ({batch}, {kv_heads}, {groups}, {head_dim}) to {visible} in pages of {page_tokens}, {dtype}"
        )?;
        if self.held != self.dtype {
            write!(f, " held in {}", self.held)?;
        }
        if self.packed {
            write!(f, ", packed")?;
        }
        if let Some(rotated) = self.rotates {
            write!(f, ", {rotated} rotated")?;
        }
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
    fn keys_that_no_token_sees_are_not_counted() {
        let op = PagedAttention {
            batch: 2,
            positions: 3,
            kv_heads: 1,
            groups: 1,
            head_dim: 16,
            pages: 8,
            page_tokens: 4,
            seen_pages: 2,
            dtype: DType::BF16,
            held: DType::BF16,
            packed: false,
            scale: 0.25,
            window: None,
            softcap: None,
            rotates: None,
            gpu: Gpu::Amd,
        };
        let none = Array::new(DType::BF16, Vec::new());
        let numbers = |numbers: [f64; 2]| Array::new(DType::I32, numbers.to_vec());
        let inputs = [none.clone(), none.clone(), none.clone(), none, numbers([0.0, 5.0]), numbers([3.0, 2.0])];
        let pairs = |op: PagedAttention| op.flops_of(&inputs) / 64.0;
        // Tokens that see 1, 2 and 3 keys, and 6 and 7.
        assert_eq!(pairs(op), 19.0);
        assert_eq!(pairs(PagedAttention { window: Some(2), ..op }), 1.0 + 2.0 + 2.0 + 2.0 + 2.0);
        assert_eq!(op.flops() / 64.0, 48.0);
    }

    #[test]
    fn text_of_the_kernels() {
        let one = PagedAttention {
            batch: 1,
            positions: 1,
            kv_heads: 2,
            groups: 3,
            head_dim: 80,
            pages: 9,
            page_tokens: 32,
            seen_pages: 5,
            dtype: DType::BF16,
            held: DType::BF16,
            packed: false,
            scale: 0.25,
            window: Some(100),
            softcap: Some(30.0),
            rotates: None,
            gpu: Gpu::Amd,
        };
        let columns = PagedAttention { gpu: Gpu::Hopper, ..one };
        expect_file!["../../tests/golden/paged_attention_of_columns.mlir"]
            .assert_eq(&crate::triton::print(&columns.parts_kernel().expect("the kernel is built")));
        let several = PagedAttention { positions: 7, page_tokens: 10, window: None, softcap: None, ..one };
        let narrow = PagedAttention { held: DType::F8E4M3FNUZ, window: None, softcap: None, ..one };
        let rotating = PagedAttention { rotates: Some(20), window: None, softcap: None, ..one };
        let texts = rotating.parts_kernel().map(|kernel| crate::triton::print(&kernel));
        expect_file!["../../tests/golden/paged_attention_rotating.mlir"]
            .assert_eq(&texts.expect("the kernel is built"));
        let kernels = [one.parts_kernel(), one.joining_kernel(), several.parts_kernel(), narrow.parts_kernel()];
        let texts = kernels.map(|kernel| crate::triton::print(&kernel.expect("the kernel is built")));
        expect_file!["../../tests/golden/paged_attention.mlir"].assert_eq(&texts.concat());
    }
}
