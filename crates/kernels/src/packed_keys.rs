//! Keys and values in 12 bits where bf16 takes 16: what attention of many texts takes is reading them. A key is packed as a row of a [`crate::PackedWeight`] is, with the power of two
//! of its greatest element as its scale: elements of at least 2^-14 of that are kept bit by bit, and of smaller ones what is below 2^-21 of it is lost, where each element of bf16 is
//! rounded to 2^-9 of itself. A row with an infinity, or with what is no number, is none as a whole.
//!
//! They lie as the threads of [`crate::PagedAttention`] by hand multiply them. A head has 16 pieces of eight elements, and a piece, four pairs, three words of two halves of 16 bits: each half is the
//! pair's own, with parts of the fourth pair where that has nothing. Of a set of eight tokens of a page, a thread has the pieces c and c + 8 of the tokens r and r + 4: of keys the thread
//! 8 r + c, of values the thread 4 c + r. That is twelve words, the first token's first, of which four of each thread lie together, then the next four, then the last.

pub(crate) mod piece;

use graph::{Axis, DType, Tensor};

use crate::Value;
use crate::packed_weight::{OWN, four_of_three, multiples};

/// Elements of a head.
pub(crate) const WIDTH: usize = 128;

/// Tokens that are unpacked at once.
pub(crate) const BLOCK: usize = 32;

/// Tokens of a set.
pub(crate) const SET: usize = 8;

/// Halves of words that a token has.
const HALVES: usize = WIDTH / 4 * 3;

/// Scales of a token: its key's and its value's.
pub(crate) const SCALES: usize = 2;

/// By how much an unpacked bf16 is too small, beside its row's scale.
pub(crate) const UNIT: f64 = (1_u128 << 112) as f64;

/// Pairs of elements at one of the four places of a piece: so many of a head, two elements each.
const PAIRS: usize = WIDTH / 8;

/// What of a page is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Keys,
    Values,
}

/// How packed keys and values lie in memory.
#[derive(Clone, Copy, Debug)]
pub struct PackedKeys;

impl PackedKeys {
    /// Whether heads of such a size, in this type, can be packed in pages of so many tokens: those of a block of attention lie in one page.
    pub fn holds(dtype: DType, head_dim: usize, page_tokens: usize) -> bool {
        dtype == DType::BF16 && head_dim == WIDTH && PackedKeys::fills(page_tokens)
    }

    /// Whether a page of so many tokens holds whole blocks of them.
    pub fn fills(page_tokens: usize) -> bool {
        page_tokens.is_multiple_of(BLOCK)
    }

    /// Halves of words of the keys, or values, that a page has of a head, u16.
    pub fn words(page_tokens: usize) -> Axis {
        Axis::new("word", page_tokens * HALVES)
    }

    /// Of each token the scales of its key and its value, f32.
    pub fn scales() -> Axis {
        Axis::new("key_and_value", SCALES)
    }

    /// Keys or values (page, kv_heads, page_token, head_dim), f32, as their words (page, kv_heads, word) and scales (page, kv_heads, page_token, key_and_value) say.
    pub(crate) fn restored<'g>(of: Of, words: Tensor<'g>, scales: Tensor<'g>) -> Tensor<'g> {
        let [piece, row] = [Axis::new("piece", 8), Axis::new("row", 4)];
        let lanes = match of {
            Of::Keys => [row, piece],
            Of::Values => [piece, row],
        };
        let sets = Axis::new("set", words.axis("word").size / HALVES / SET);
        let (third, word, half) = (Axis::new("third", 3), Axis::new("word_of_four", 4), Axis::new("half", 2));
        let words = words.cast(DType::I32).split("word", &[sets, third, lanes[0], lanes[1], word, half]);
        let of_page = ["page", "kv_heads"];
        let order = ["set", "row", "piece", "half", "third", "word_of_four"];
        let words = words.transpose(&[&of_page[..], &order].concat()).merge(&["third", "word_of_four"], "own");
        let words = words.split("own", &[Axis::new("later", 2), Axis::new("further", 2), Axis::new("part", 3)]);
        let bits = four_of_three(words);
        let order = ["set", "later", "row", "further", "piece", "part", "half"];
        let bits = bits.transpose(&[&of_page[..], &order].concat()).merge(&["set", "later", "row"], "page_token");
        let bits = bits.merge(&["further", "piece", "part", "half"], "head_dim");
        let which = if of == Of::Keys { 0 } else { 1 };
        multiples(bits) * scales.slice("key_and_value", which, 1).sum(&["key_and_value"]).cast(DType::F32)
    }
}

/// The elements at one of the four places of all pieces, in a block's order.
pub(crate) fn elements<'k>(pair: usize, number: Value<'k>) -> Value<'k> {
    number / 2 * 8 + (number % 2 + 2 * pair)
}

/// As many numbers as such elements.
pub(crate) const ELEMENTS: usize = 2 * PAIRS;

/// Where the halves of a part of three of all pieces of tokens lie, behind the first of their page and head: of what [`elements`] numbers.
fn places<'k>(of: Of, token: Value<'k>, number: Value<'k>, part: usize) -> Value<'k> {
    let (piece, row) = (number / 2 % 8, token % 4);
    let lane = match of {
        Of::Keys => row * 8 + piece,
        Of::Values => piece * 4 + row,
    };
    let word = token % SET / 4 * 6 + (number / 16 * 3 + part);
    let set = token / SET * (SET * HALVES) + number % 2;
    set + (word / 4 * 256 + word % 4 * 2) + lane * 8
}

/// How many bits on the fourth's are in each of three words, and which of it.
const SPREAD: [(usize, usize); 3] = [(16, 0x0780), (256, 0x0078), (4096, 0x0007)];

/// The fourth's sign, and how far from its place it is in the third word.
const SIGN: (usize, usize) = (16, 0x8000);

/// Keys or values of tokens of a page that are there, in bf16: of each of the four places of pieces those of all pieces. `words` and `scales` are where the page's of a head begin, `token` and `number` of
/// shapes that meet.
pub(crate) fn unpacked<'k>(
    of: Of,
    [words, scales]: [Value<'k>; 2],
    [token, number]: [Value<'k>; 2],
    is_there: Value<'k>,
) -> [Value<'k>; 4] {
    let three = [0, 1, 2].map(|part| {
        let at = words + places(of, token, number, part);
        at.load_where(is_there.broadcast(&at.shape()), 0).cast(DType::I32)
    });
    let own = three.map(|word| word.and(usize::from(OWN)));
    let parts = three.into_iter().zip(SPREAD).map(|(word, (shift, mask))| (word / shift).and(mask));
    let (shift, mask) = SIGN;
    let sign = (three[2] * shift).and(mask);
    let fourth = parts.fold(sign, Value::or);
    let which = if of == Of::Keys { 0 } else { 1 };
    let scale = (scales + (token * SCALES + which)).load_where(is_there, 0.0);
    let [first, second, third] = own;
    [first, second, third, fourth].map(|bits| {
        let small = bits.cast(DType::U16).bitcast(DType::BF16).cast(DType::F32);
        (small * UNIT * scale).cast(DType::BF16)
    })
}

/// Writes the words of a token's key or value, of which `elements` are what [`elements`] numbers of each of four places, where it is there; gives the scale.
fn pack<'k>(of: Of, words: Value<'k>, token: Value<'k>, elements: [Value<'k>; 4], is_there: Value<'k>) -> Value<'k> {
    let k = words.builder;
    let bits = |x: Value<'k>| x.bitcast(DType::U16).cast(DType::I32);
    let exponents = elements.map(|x| (bits(x) / 128).and(255).max(0));
    let top = exponents.into_iter().reduce(|top, other| top.maximum(other)).expect("there are four");
    // Times 2^(15 - top), in two steps that are normal numbers.
    let first = (top + 17) / 2 - 16;
    let by = [first, top - 15 - first].map(|power| ((k.int(127) - power) * (1 << 23)).bitcast(DType::F32));
    let four = elements.map(|x| bits((x.cast(DType::F32) * by[0] * by[1]).cast(DType::BF16)));
    let number = k.range(ELEMENTS);
    let (shift, mask) = SIGN;
    for (part, (up, spread)) in SPREAD.into_iter().enumerate() {
        let mut word = four[part].or(four[3].and(spread) * up);
        if part == 2 {
            word = word.or(four[3].and(mask) / shift);
        }
        let at = words + places(of, token, number, part);
        at.store_where(word.cast(DType::U16), is_there.broadcast(&at.shape()));
    }
    (top * (1 << 23)).bitcast(DType::F32)
}

/// Packs a token's key and value into a page's words and scales of a head, if that is to be: of each the elements at the four places of pieces.
pub(crate) fn write<'k>(
    page_tokens: usize,
    (words, scales): ([Value<'k>; 2], Value<'k>),
    [page, token]: [Value<'k>; 2],
    rows: [[Value<'k>; 4]; 2],
    is_written: Value<'k>,
) {
    let of_page = PackedKeys::words(page_tokens).size;
    for (which, (of, (words, row))) in [Of::Keys, Of::Values].into_iter().zip(words.into_iter().zip(rows)).enumerate() {
        let scale = pack(of, words + page * of_page, token, row, is_written);
        (scales + page * (SCALES * page_tokens) + (token * SCALES + which)).store_where(scale, is_written);
    }
}

/// For tests: rows packed as a kernel packs them.
#[cfg(test)]
pub(crate) mod host;
