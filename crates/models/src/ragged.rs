//! A step over some tokens of many texts at once: a token of each text that is generated, and longer parts of prompts (Orca, Yu et al. 2022).
//!
//! The tokens of a step stand one behind the other, so that products with weights know nothing of texts. Where texts matter, in attention and
//! in what sums up all tokens, they are taken apart into rows. Keys and values lie in pages that a table names (PagedAttention, Kwon et al.
//! 2023), other state in a slot for each text.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use graph::{Axis, DType, Tensor};
use kernels::PagedWrite;

use crate::attention::{Cache, Pages};
use crate::rope::Rotation;

/// Rows of a step that have room for as many tokens.
#[derive(Clone, Copy)]
pub struct RaggedPart<'g> {
    /// How many rows.
    pub rows: usize,
    /// Tokens of each, with the padding behind those that are there. Rows of one are of a text each, as one of them may not see what another one writes; rows of more
    /// may be of one text.
    pub chunk: usize,
    /// Where each row's first token stands in its text, i32 (batch).
    pub start: Tensor<'g>,
    /// How many of a row's tokens are there, i32 (batch): the first ones. A row of 0 leaves no trace.
    pub count: Tensor<'g>,
    /// How many tokens each text has with those that follow at once, i32 (batch): a prompt that comes in chunks is rotated as a whole, by
    /// models that [depend on the length](crate::LanguageModel::depends_on_length). `None`: none follow, and where there are logits behind each token, a
    /// token is rotated as if it was computed alone.
    pub length: Option<Tensor<'g>>,
    /// The pages of each row's text, i32 (batch, seen_page): those that hold what its tokens see. `None` for models without keys and values.
    pub pages: Option<Tensor<'g>>,
    /// The slot of each row's text for what is not in pages, i32 (batch).
    pub slot: Tensor<'g>,
    /// What each row's adapter has in the pool, i32 (batch, rank): behind its last rank, and for rows without adapter, a place that holds zeros.
    /// `None`: no row has one.
    pub ranks: Option<Tensor<'g>>,
    /// Whether there are to be logits behind each token, and not behind each row's last alone.
    pub each: bool,
}

/// How much a step's state has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateSize {
    /// Texts, for what sums up all tokens.
    pub slots: usize,
    /// Pages of keys and values.
    pub pages: usize,
    /// Tokens of a page.
    pub page_tokens: usize,
}

/// A place outside of every array, where what is written is dropped.
const NOWHERE: f64 = (1u32 << 30) as f64;

impl<'g> RaggedPart<'g> {
    fn axes(&self) -> [Axis; 2] {
        [Axis::new("batch", self.rows), Axis::new("position", self.chunk)]
    }

    /// Tokens and padding.
    fn tokens(&self) -> usize {
        self.rows * self.chunk
    }

    /// Where each token stands in its text, i32 (batch, position).
    pub(crate) fn positions(&self) -> Tensor<'g> {
        let axes @ [_, position] = self.axes();
        (self.start.graph().iota(position, DType::I32) + self.start).broadcast(&axes)
    }

    /// Which of (batch, position) are tokens.
    pub(crate) fn present(&self) -> Tensor<'g> {
        let axes @ [_, position] = self.axes();
        self.start.graph().iota(position, DType::I32).broadcast(&axes).less(self.count)
    }

    /// The length by which each token is rotated, i32 (batch, position).
    fn lengths(&self) -> Tensor<'g> {
        match (self.length, self.each) {
            (Some(length), _) => length.broadcast(&self.axes()),
            (None, true) => self.positions() + 1.0,
            (None, false) => (self.start + self.count).broadcast(&self.axes()),
        }
    }

    /// What its rows have, (batch, …), of each token behind which there are logits.
    fn repeated(&self, of_rows: Tensor<'g>) -> Tensor<'g> {
        if !self.each {
            return of_rows;
        }
        let axes = [&self.axes()[..], &of_rows.axes()[1..]].concat();
        of_rows.broadcast(&axes).merge(&["batch", "position"], "batch")
    }

    /// The page of each token's key, and its place in that, i32 (batch, position).
    fn places(&self, page_tokens: usize) -> Option<[Tensor<'g>; 2]> {
        let positions = self.positions();
        let number = positions / (page_tokens as f64);
        Some([self.pages?.take("seen_page", number), positions - number * page_tokens as f64])
    }

    /// Where its texts' keys and values lie.
    pub(crate) fn attended(&self) -> Pages<'g> {
        let table = self.pages.expect("a model with keys and values has pages");
        Pages { table, start: self.start, count: self.count }
    }

    /// The slot where each row's state belongs, i32 (batch).
    fn written_slots(&self) -> Tensor<'g> {
        self.count.greater(0.0).select(self.slot, NOWHERE)
    }

    /// What the texts have in `state` (state_slot, …), (batch, …): zeros where a text begins.
    pub(crate) fn read(&self, state: Tensor<'g>) -> Tensor<'g> {
        let rows = state.take("state_slot", self.slot);
        self.start.greater(0.0).broadcast(&rows.axes()).select(rows, 0.0)
    }

    /// `state` with `next` (batch, …) of the texts.
    pub(crate) fn write(&self, state: Tensor<'g>, next: Tensor<'g>) -> Tensor<'g> {
        let own = state.axes().into_iter().map(|axis| axis.name).filter(|name| *name != "state_slot");
        let order: Vec<_> = std::iter::once("batch").chain(own).collect();
        state.scatter("state_slot", self.written_slots(), next.transpose(&order))
    }

    /// The keys or values that each row sees, (batch, kv_heads, key_position, head_dim) in `dtype`, of all pages (page, kv_heads, page_token, head_dim).
    pub(crate) fn seen(&self, cache: Tensor<'g>, dtype: DType) -> Tensor<'g> {
        let pages = cache.take("page", self.attended().table).cast(dtype);
        let by_heads = pages.transpose(&["batch", "kv_heads", "seen_page", "page_token", "head_dim"]);
        by_heads.merge(&["seen_page", "page_token"], "key_position")
    }

    /// [`RaggedPart::seen`] of values, with zeros where nothing has been written of a text: no weight makes nothing of what another one left, if that is
    /// no number.
    pub(crate) fn seen_values(&self, cache: Tensor<'g>, dtype: DType) -> Tensor<'g> {
        let values = self.seen(cache, dtype);
        let place = values.graph().iota(values.axis("key_position"), DType::I32);
        let order: Vec<_> = values.axes().iter().map(|axis| axis.name).collect();
        place.less(self.start + self.count).select(values, 0.0).transpose(&order)
    }

    /// The place of each row's last token among its own, i32 (batch).
    fn last(&self) -> Tensor<'g> {
        (self.count - 1.0).maximum(0.0)
    }
}

/// What all layers of such a step have in common.
#[derive(Clone)]
pub(crate) struct Ragged<'g> {
    parts: Vec<RaggedPart<'g>>,
    /// Where keys and values are written.
    places: Option<Places<'g>>,
    /// The part that is being computed, where that is done for one after the other.
    current: Rc<Cell<Option<usize>>>,
}

/// Where the keys and values of a step's tokens are written, (token).
#[derive(Clone, Copy)]
struct Places<'g> {
    /// The page, and the place in it, i32.
    page: Tensor<'g>,
    page_token: Tensor<'g>,
    /// Whether it is a token, as a Bool.
    present: Tensor<'g>,
}

impl<'g> Ragged<'g> {
    pub(crate) fn new(parts: &[RaggedPart<'g>], page_tokens: usize) -> Ragged<'g> {
        let places: Option<Vec<_>> = parts.iter().map(|part| part.places(page_tokens)).collect();
        let places = places.map(|places| {
            let [page, page_token] =
                [0, 1].map(|which: usize| flat(&places.iter().map(|place| place[which]).collect::<Vec<_>>()));
            let present = flat(&parts.iter().map(RaggedPart::present).collect::<Vec<_>>());
            Places { page, page_token, present }
        });
        Ragged { parts: parts.to_vec(), places, current: Rc::default() }
    }

    /// The number of the part that is being computed, if that is done for one after the other.
    pub(crate) fn current(&self) -> Option<usize> {
        self.current.get()
    }

    /// What `body` gives for each part in turn, in one row.
    pub(crate) fn each(&self, mut body: impl FnMut(usize) -> Tensor<'g>) -> Tensor<'g> {
        let parts = (0..self.parts.len()).map(|number| {
            self.current.set(Some(number));
            body(number)
        });
        let parts: Vec<_> = parts.collect();
        self.current.set(None);
        self.joined(&parts)
    }

    pub(crate) fn parts(&self) -> &[RaggedPart<'g>] {
        &self.parts
    }

    /// Where each token stands in its text, i32 (batch, position): all tokens in one row.
    pub(crate) fn positions(&self) -> Tensor<'g> {
        self.joined(&self.parts.iter().map(RaggedPart::positions).collect::<Vec<_>>())
    }

    /// The lengths by which tokens are rotated, as [`Ragged::positions`].
    pub(crate) fn lengths(&self) -> Tensor<'g> {
        self.joined(&self.parts.iter().map(RaggedPart::lengths).collect::<Vec<_>>())
    }

    /// The rows (batch, position, …) of a part, of all tokens in one row.
    pub(crate) fn part(&self, x: Tensor<'g>, number: usize) -> Tensor<'g> {
        self.tokens_of(x.merge(&["batch", "position"], "token"), number).split("token", &self.parts[number].axes())
    }

    /// What the parts gave, (batch, position, …) each, in one row.
    pub(crate) fn joined(&self, parts: &[Tensor<'g>]) -> Tensor<'g> {
        let tokens = flat(parts);
        let all = tokens.axis("token").size;
        tokens.split("token", &[Axis::new("batch", 1), Axis::new("position", all)])
    }

    /// Keys or values (page, kv_heads, page_token, head_dim) with those of the step's tokens, (batch, position, kv_heads, head_dim). They are written
    /// where they belong, into what is one row of heads' vectors to the compiler: it would turn the whole cache round for other forms, and back.
    pub(crate) fn remember(&self, cache: Tensor<'g>, new: Tensor<'g>) -> Tensor<'g> {
        let Places { page, page_token, present } = self.places.expect("a model with keys and values has pages");
        let new = new.merge(&["batch", "position"], "token").transpose(&["token", "kv_heads", "head_dim"]);
        let written = cache.graph().per_shard(&["kv_heads"], &[cache, new, page, page_token, present], |own| {
            let [cache, new, page, page_token, present] = [0, 1, 2, 3, 4].map(|place: usize| own[place]);
            let axes = ["page", "kv_heads", "page_token"].map(|name| cache.axis(name));
            let head = cache.graph().iota(axes[1], DType::I32);
            let place = (page * axes[1].size as f64 + head) * axes[2].size as f64 + page_token;
            let place = present
                .select(place, NOWHERE)
                .transpose(&["token", "kv_heads"])
                .merge(&["token", "kv_heads"], "written");
            let new = new.merge(&["token", "kv_heads"], "written");
            let (place, new) = match place.axis("written").size {
                1 => (twice(place, NOWHERE), twice(new, 0.0)),
                _ => (place, new),
            };
            let all = cache.merge(&axes.map(|axis| axis.name), "place");
            vec![all.scatter("place", place, held(new, all.dtype())).split("place", &axes)]
        });
        written[0]
    }

    /// Cosines and sines of the tokens of a part, (token, pair).
    pub(crate) fn angles(&self, rotation: Rotation<'g>, number: usize) -> [Tensor<'g>; 2] {
        rotation.of_tokens().map(|angles| self.tokens_of(angles, number))
    }

    /// What the tokens of a part have, of what all have, (token, …).
    fn tokens_of(&self, all: Tensor<'g>, number: usize) -> Tensor<'g> {
        let before = self.parts[..number].iter().map(RaggedPart::tokens).sum();
        all.slice("token", before, self.parts[number].tokens())
    }

    /// Of a part queries (batch, position, kv_heads, groups, head_dim), rotated, and all keys and values with those of its tokens, rotated and written as by
    /// [`Ragged::remember`], in one launch, where [`kernels_write`]. `None` where none can be built.
    pub(crate) fn rotated_and_written(
        &self,
        number: usize,
        rotation: Option<Rotation<'g>>,
        [q, k, v]: [Tensor<'g>; 3],
        held: Cache<'g>,
    ) -> Option<(Tensor<'g>, Cache<'g>)> {
        let Places { page, page_token, present } = self.places?;
        let size = |name: &'static str| q.axis(name).size;
        let [pages, page_tokens] = held.pages();
        let place = present.select(page * page_tokens as f64 + page_token, NOWHERE);
        let place = self.tokens_of(place, number);
        let tokens = |x: Tensor<'g>, own: &[&'static str]| {
            x.merge(&["batch", "position"], "token").transpose(&[&["token"], own].concat())
        };
        let of_heads = ["kv_heads", "head_dim"];
        let angles = rotation.map(|rotation| self.angles(rotation, number));
        let queries = angles.map(|[cos, sin]| [tokens(q, &["kv_heads", "groups", "head_dim"]), cos, sin]);
        let (new, cache) = ([tokens(k, &of_heads), tokens(v, &of_heads), place], held.arrays());
        let arrays = cache.len();
        let inputs: Vec<_> = queries.into_iter().flatten().chain(new).chain(cache).collect();
        let mut is_built = true;
        let results = q.graph().per_shard(&["kv_heads"], &inputs, |own| {
            let (given, cache) = own.split_at(own.len() - arrays);
            let k = given[given.len() - 3];
            let operation = PagedWrite {
                tokens: k.axis("token").size,
                kv_heads: k.axis("kv_heads").size,
                groups: size("groups"),
                head_dim: size("head_dim"),
                rotated: angles.map_or(0, |[cos, _]| 2 * cos.axis("pair").size),
                pages,
                page_tokens,
                dtype: q.dtype(),
                packed: held.scales.is_some(),
            };
            operation.run(&q.graph(), own).unwrap_or_else(|_| {
                is_built = false;
                let rotated = angles.map(|_| own[0]);
                rotated.into_iter().chain(cache.iter().copied()).collect()
            })
        });
        let (rotated, cache) = results.split_at(results.len() - arrays);
        let order: Vec<&'static str> = q.axes().iter().map(|axis| axis.name).collect();
        let [batch, position] = ["batch", "position"].map(|name| q.axis(name));
        let rotated = rotated.first().map(|tokens| tokens.split("token", &[batch, position]).transpose(&order));
        is_built.then(|| (rotated.unwrap_or(q), Cache::of(cache)))
    }

    /// How many tokens there are logits behind.
    pub(crate) fn behind_count(&self) -> usize {
        self.parts.iter().map(|part| if part.each { part.tokens() } else { part.rows }).sum()
    }

    /// Those tokens, of all parts one behind the other, as rows of one token: `range` of them.
    pub(crate) fn behind(&self, range: Range<usize>) -> Ragged<'g> {
        let ranks: Option<Vec<_>> = self.parts.iter().map(|part| Some(part.repeated(part.ranks?))).collect();
        let ranks = ranks.map(|ranks| Tensor::concat(&ranks, "batch").slice("batch", range.start, range.len()));
        let parts = self.parts.iter().take(1).map(|part| RaggedPart { rows: range.len(), chunk: 1, ranks, ..*part });
        Ragged { parts: parts.collect(), places: None, current: Rc::default() }
    }

    /// What the rows of each part have, (batch, …), of the same tokens.
    pub(crate) fn of_behind(&self, of_rows: &[Tensor<'g>], range: Range<usize>) -> Tensor<'g> {
        let repeated = self.parts.iter().zip(of_rows).map(|(part, own)| part.repeated(*own));
        Tensor::concat(&repeated.collect::<Vec<_>>(), "batch").slice("batch", range.start, range.len())
    }

    /// The last token of each row, and each where that is asked for, (batch, …), of all tokens in one row: what stands behind them is wanted of these
    /// alone.
    pub(crate) fn last(&self, x: Tensor<'g>) -> Tensor<'g> {
        let rows = self.parts.iter().enumerate().map(|(number, part)| {
            let own = self.part(x, number);
            match part.chunk {
                _ if part.each => own.merge(&["batch", "position"], "batch"),
                1 => own.merge(&["batch", "position"], "batch"),
                _ => own.take("position", part.last()),
            }
        });
        Tensor::concat(&rows.collect::<Vec<_>>(), "batch")
    }
}

/// Whether kernels rotate and write keys and values of such heads that lie in `held`: those of one token a row where they do those of several, so that a row is
/// computed in one way whatever stands beside it.
pub(crate) fn kernels_write<'g>([q, k, v]: [Tensor<'g>; 3], held: Cache<'g>) -> bool {
    let size = |name: &'static str| q.axis(name).size;
    let is_one_type = [k.dtype(), v.dtype(), held.dtype()].iter().all(|dtype| *dtype == q.dtype());
    is_one_type && PagedWrite::takes(q.dtype(), size("head_dim"), size("groups"))
}

/// Keys or values in the type in which they lie. What is beyond an E4M3's largest number becomes that, as it would be no number otherwise; one scale for all, 1,
/// is what engines have that know nothing of a model's activations.
fn held(new: Tensor<'_>, dtype: DType) -> Tensor<'_> {
    let largest = match dtype {
        DType::F8E4M3FN => 448.0,
        DType::F8E4M3FNUZ => 240.0,
        _ => return new.cast(dtype),
    };
    new.maximum(-largest).minimum(largest).cast(dtype)
}

/// A single vector, and one that is not there. What is written at one place alone, compilers fuse into all that reads it, with a copy of the whole cache
/// for each.
fn twice<'g>(token: Tensor<'g>, nothing: f64) -> Tensor<'g> {
    token.pad("written", 0, 1, nothing)
}

/// The tokens of parts, (batch, position, …) each, one behind the other.
fn flat<'g>(parts: &[Tensor<'g>]) -> Tensor<'g> {
    let tokens: Vec<_> = parts.iter().map(|part| part.merge(&["batch", "position"], "token")).collect();
    Tensor::concat(&tokens, "token")
}
