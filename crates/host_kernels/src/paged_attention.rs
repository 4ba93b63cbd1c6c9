//! Attention of one token of each text to keys and values that lie in pages.
//!
//! A text's keys and values are read once, where they are. Each head of a text that has keys of its own is a task, with all queries that share them.

use std::ops::Range;
use std::sync::Mutex;

use pulp::{Simd, WithSimd};

use crate::simd::{Lanes, best};
use crate::threads::{next, side_by_side};

/// Softmax of scaled products over what a text's last token sees (Vaswani et al. 2017), with heads in groups that share keys (Ainslie et al. 2023).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PagedAttention {
    /// Heads with keys of their own.
    pub kv_heads: usize,
    /// Queries for each of them.
    pub groups: usize,
    /// Numbers of a query.
    pub head_dim: usize,
    /// Tokens of a page.
    pub page_tokens: usize,
    /// What products are multiplied with.
    pub scale: f32,
    /// How many tokens a token sees, itself among them; all that are before it if there is no such number.
    pub window: Option<usize>,
    /// Where products are squeezed between this and its negative: `cap tanh(product / cap)`.
    pub softcap: Option<f32>,
}

/// What is attended to: of each text, the pages of its tokens in their order.
#[derive(Clone, Copy, Debug)]
pub struct Pages<'a> {
    /// (page, kv_heads, page_tokens, head_dim).
    pub keys: &'a [f32],
    /// As the keys.
    pub values: &'a [f32],
    /// (text, place in the text): which page is there.
    pub table: &'a [i32],
    /// Of each text, where its token is.
    pub start: &'a [i32],
    /// Of each text, 1, or 0 where it has no token.
    pub count: &'a [i32],
}

/// `q` and `out` are (text, kv_heads, groups, head_dim). Of a text without a token, and where nothing is seen, there are zeros.
///
/// # Errors
/// The arrays' lengths do not fit each other, or a text has a page that is not there.
pub fn attend(op: &PagedAttention, q: &[f32], pages: Pages<'_>, out: &mut [f32]) -> Result<(), String> {
    let texts = pages.start.len();
    let task = op.groups * op.head_dim;
    let page = op.kv_heads * op.page_tokens * op.head_dim;
    let fits = q.len() == texts * op.kv_heads * task
        && out.len() == q.len()
        && pages.count.len() == texts
        && pages.table.len().checked_rem(texts) == Some(0)
        && pages.keys.len() == pages.values.len()
        && pages.keys.len().checked_rem(page) == Some(0);
    if !fits {
        return Err(format!("{op:?} of {texts} texts does not fit {} queries and {} keys", q.len(), pages.keys.len()));
    }
    let seen_pages = pages.table.len() / texts;
    let seen = |text: usize| op.seen(pages.start[text], pages.count[text], seen_pages);
    let there = pages.keys.len() / page;
    for (text, table) in pages.table.chunks(seen_pages.max(1)).enumerate() {
        let (first, end) = seen(text);
        let used = &table[first / op.page_tokens..end.div_ceil(op.page_tokens)];
        if let Some(page) = used.iter().find(|page| usize::try_from(**page).map_or(true, |page| page >= there)) {
            return Err(format!("text {text} has page {page} of {there}"));
        }
    }
    let tasks = Mutex::new(out.chunks_mut(task).zip(q.chunks(task)).enumerate());
    side_by_side(&|| {
        let mut scores = Vec::new();
        while let Some((number, (out, q))) = next(&tasks) {
            let (text, head) = (number / op.kv_heads, number % op.kv_heads);
            let table = &pages.table[text * seen_pages..(text + 1) * seen_pages];
            best(Head { op, head, table, seen: seen(text), pages, q, scores: &mut scores, out });
        }
    });
    Ok(())
}

impl PagedAttention {
    /// The first token that is seen, and the one behind the last.
    fn seen(&self, start: i32, count: i32, pages: usize) -> (usize, usize) {
        let end = if count > 0 { usize::try_from(start).map_or(0, |start| start + 1) } else { 0 };
        let end = end.min(pages * self.page_tokens);
        (self.window.map_or(0, |window| end.saturating_sub(window)), end)
    }
}

/// A head of a text, with all queries that share its keys.
struct Head<'a> {
    op: &'a PagedAttention,
    head: usize,
    table: &'a [i32],
    seen: (usize, usize),
    pages: Pages<'a>,
    q: &'a [f32],
    /// Room for a row of scores for each query.
    scores: &'a mut Vec<f32>,
    out: &'a mut [f32],
}

impl<'a> Head<'a> {
    /// The tokens that are seen, page by page: which of them are in it, counted from the first that is seen, and their numbers among `all` keys or values.
    #[inline(always)]
    fn by_page<'n>(&self, all: &'n [f32]) -> impl Iterator<Item = (Range<usize>, &'n [f32])> + use<'a, 'n> {
        let PagedAttention { kv_heads, head_dim, page_tokens, .. } = *self.op;
        let ((first, end), table, head) = (self.seen, self.table, self.head);
        (first / page_tokens..end.div_ceil(page_tokens)).map(move |page| {
            let (begin, behind) = (first.max(page * page_tokens), end.min((page + 1) * page_tokens));
            let place = (table[page] as usize * kv_heads + head) * page_tokens + begin - page * page_tokens;
            (begin - first..behind - first, &all[place * head_dim..(place + behind - begin) * head_dim])
        })
    }
}

impl WithSimd for Head<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let ((first, end), dim) = (self.seen, self.op.head_dim);
        self.out.fill(0.0);
        if first == end {
            return;
        }
        let count = end - first;
        let mut scores = std::mem::take(self.scores);
        scores.clear();
        scores.resize(self.op.groups * count, 0.0);
        for (tokens, keys) in self.by_page(self.pages.keys) {
            for (q, scores) in self.q.chunks_exact(dim).zip(scores.chunks_exact_mut(count)) {
                let q = Lanes::of(simd, q);
                for (key, score) in keys.chunks_exact(dim).zip(&mut scores[tokens.clone()]) {
                    *score = q.dot(simd, Lanes::of(simd, key));
                }
            }
        }
        for scores in scores.chunks_exact_mut(count) {
            soften(self.op, scores);
        }
        for (tokens, values) in self.by_page(self.pages.values) {
            for (out, weights) in self.out.chunks_exact_mut(dim).zip(scores.chunks_exact(count)) {
                for (value, weight) in values.chunks_exact(dim).zip(&weights[tokens.clone()]) {
                    add_multiple(simd, *weight, value, out);
                }
            }
        }
        *self.scores = scores;
    }
}

/// Products become weights that add up to 1.
#[inline(always)]
fn soften(op: &PagedAttention, scores: &mut [f32]) {
    match op.softcap {
        None => scores.iter_mut().for_each(|score| *score *= op.scale),
        Some(cap) => scores.iter_mut().for_each(|score| *score = cap * (*score * op.scale / cap).tanh()),
    }
    let largest = folded(scores, f32::NEG_INFINITY, |largest, score| if score > largest { score } else { largest });
    scores.iter_mut().for_each(|score| *score = exp(*score - largest));
    let total = folded(scores, 0.0, |sum, score| sum + score);
    scores.iter_mut().for_each(|score| *score /= total);
}

/// All numbers put together by `with`, sixteen at a time.
#[inline(always)]
fn folded(numbers: &[f32], first: f32, with: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [first; 16];
    for numbers in numbers.chunks(16) {
        lanes.iter_mut().zip(numbers).for_each(|(lane, number)| *lane = with(*lane, *number));
    }
    lanes.into_iter().fold(first, with)
}

/// The exponential of a number that is not above 0, to within 2 units in the last place, in operations that compilers do for many numbers at once: of what is
/// left beside a power of two, a polynomial (Cephes' `expf`). 0 below the smallest of full precision.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // Added to a number, it leaves the nearest integer in the last bits.
    const ROUND: f32 = 12_582_912.0;
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = x - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for factor in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_6e-1, 0.5] {
        sum = sum * rest + factor;
    }
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    let exp = (sum * rest * rest + rest + 1.0) * power;
    if x < -87.0 { 0.0 } else { exp }
}

/// `out += factor * x`.
#[inline(always)]
fn add_multiple<S: Simd>(simd: S, factor: f32, x: &[f32], out: &mut [f32]) {
    let ((x, x_tail), (out, out_tail)) = (S::as_simd_f32s(x), S::as_mut_simd_f32s(out));
    let factors = simd.splat_f32s(factor);
    for (x, out) in x.iter().zip(out) {
        *out = simd.mul_add_f32s(factors, *x, *out);
    }
    let sum = simd.mul_add_f32s(factors, simd.partial_load_f32s(x_tail), simd.partial_load_f32s(out_tail));
    simd.partial_store_f32s(out_tail, sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_right_to_the_last_places() {
        assert_eq!(exp(0.0), 1.0);
        for i in 0..870_000 {
            let x = -(i as f32) * 1e-4;
            let expected = f64::from(x).exp();
            let off = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(off < 2.0 * f64::from(f32::EPSILON), "of {x}: off by {off}");
        }
        assert_eq!([-87.1, -1e4, f32::NEG_INFINITY].map(exp), [0.0; 3]);
        assert!(exp(f32::NAN).is_nan());
    }
}
