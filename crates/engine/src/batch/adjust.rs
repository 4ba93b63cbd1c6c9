//! The programs that change some logits before a token is chosen. What a text has said is divided by its repetition penalty as a whole, by a bit for each token, so that
//! a step takes no longer behind a long prompt. All else, penalties of an answer's tokens and biases of all rows, is in lists of a few lengths, run once for each list:
//! with room for a whole vocabulary in each row, one text would have all rows upload that much.

use std::sync::Arc;

use graph::{Axis, DType, Graph, HostTensor, Program, Tensor};

use super::choice::{Choice, LOGITS, allowed};
use crate::error::Result;

/// Logits (batch, vocab), f32, as they are changed so far.
pub(super) const ADJUSTED: &str = "adjusted";
/// Which of all rows' logits, one row behind the other, i32 (change).
pub(super) const PLACES: &str = "places";
/// What each is divided by if positive and multiplied with if not, and what is added then: f32 (part, change).
pub(super) const CHANGES: &str = "changes";
/// A bit for each token that a text has said, i32 (text, setting).
pub(super) const SAID: &str = "said";
/// Of each row the text, and the bits of what divides what that has said: i32 (part, batch).
pub(super) const REPEATS: &str = "repeats";

/// Lists of such lengths have programs, each with the least changes that it is for: few go up in 12 KB. Each run makes all rows' logits anew, so that very many go up in
/// few runs; the longest takes a CPU as long as four of those before it.
const LENGTHS: [(usize, usize); 3] = [(1024, 0), (16_384, 1025), (131_072, 4 * 16_384)];

/// Texts of a run: their bits are 1 MB where a vocabulary has 128,000 tokens, and one text alone has that much uploaded.
const TEXTS_MAX: usize = 64;

/// A place outside of every array.
const NOWHERE: i32 = i32::MAX;

/// Tokens, by a bit for each up to the last, in words as a device is given them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TokenSet(Vec<i32>);

impl TokenSet {
    /// Of a text.
    pub(super) fn of(tokens: &[u32]) -> TokenSet {
        let last = tokens.iter().max().map_or(0, |last| *last as usize / 32);
        let mut words = vec![0; last + 1];
        tokens.iter().for_each(|token| words[*token as usize / 32] |= 1 << (token % 32));
        TokenSet(words)
    }

    /// Puts a token in.
    pub(super) fn insert(&mut self, token: u32) {
        let word = token as usize / 32;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (token % 32);
    }

    /// Whether a token is in it.
    pub(super) fn contains(&self, token: u32) -> bool {
        self.0.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
    }
}

/// What a text has said, and its penalty. Rows of one text have the same set in common.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    pub(super) said: Arc<TokenSet>,
    /// Divides the positive logits, and multiplies the others.
    pub(super) penalty: f32,
}

/// What a program that changes logits is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AdjustShape {
    /// What texts have said is divided.
    Repetition {
        rows: usize,
        /// The most texts.
        texts: usize,
    },
    /// Logits of a list are changed.
    List {
        rows: usize,
        /// The most logits.
        changes: usize,
    },
}

/// One run of a program, and what it is given beside logits, by name.
pub(super) struct Run {
    pub(super) shape: AdjustShape,
    pub(super) numbers: [(&'static str, HostTensor<'static>); 2],
}

impl AdjustShape {
    /// All there are for so many rows.
    pub(super) fn all(rows: usize, vocab_size: usize) -> impl Iterator<Item = AdjustShape> {
        let lengths = LENGTHS.into_iter().filter(move |(_, least)| rows * vocab_size >= *least);
        let lists = lengths.map(move |(changes, _)| AdjustShape::List { rows, changes });
        [AdjustShape::repetition(rows)].into_iter().chain(lists)
    }

    fn repetition(rows: usize) -> AdjustShape {
        AdjustShape::Repetition { rows, texts: rows.min(TEXTS_MAX) }
    }

    /// What changes the logits of these rows: one run at least, so that changed logits are in an array of their own.
    pub(super) fn runs(choices: &[Choice], vocab_size: usize) -> Vec<Run> {
        let mut runs = repetitions(choices, vocab_size);
        let mut changed = choices.iter().enumerate().flat_map(|(row, choice)| {
            // That all places are numbers is seen to where an engine begins (`engine/room.rs`).
            let place = move |id: u32| (row * vocab_size + id as usize) as i32;
            choice.adjusted.iter().map(move |(id, divisor, added)| (place(*id), *divisor, *added))
        });
        let mut left = choices.iter().map(|choice| choice.adjusted.len()).sum::<usize>();
        while runs.is_empty() || left > 0 {
            let (length, _) = *LENGTHS.iter().rfind(|(_, least)| left >= *least).expect("the first is for any");
            runs.push(list(changed.by_ref().take(length), length, choices.len()));
            left = left.saturating_sub(length);
        }
        runs
    }
}

/// The runs that divide what the texts of these rows have said. A row is in one of them.
fn repetitions(choices: &[Choice], vocab_size: usize) -> Vec<Run> {
    let mut texts: Vec<(&Repeated, Vec<usize>)> = Vec::new();
    for (row, choice) in choices.iter().enumerate() {
        let Some(repeated) = &choice.repeated else { continue };
        match texts.last_mut() {
            Some((before, rows)) if Arc::ptr_eq(&before.said, &repeated.said) => rows.push(row),
            _ => texts.push((repeated, vec![row])),
        }
    }
    let (rows, words) = (choices.len(), vocab_size.div_ceil(32));
    let most = rows.clamp(1, TEXTS_MAX);
    let run = |texts: &[(&Repeated, Vec<usize>)]| {
        let mut said = Vec::with_capacity(most * words);
        // Others are divided by 1, whatever text they read.
        let mut repeats = [vec![0i32; rows], vec![1f32.to_bits() as i32; rows]].concat();
        for (text, (repeated, own)) in texts.iter().enumerate() {
            said.extend_from_slice(&repeated.said.0);
            said.resize((text + 1) * words, 0);
            for row in own {
                (repeats[*row], repeats[rows + row]) = (text as i32, repeated.penalty.to_bits() as i32);
            }
        }
        said.resize(most * words, 0);
        let said = HostTensor::from_vec(&[most, words], said).expect("as many words for each text");
        let repeats = HostTensor::from_vec(&[2, rows], repeats).expect("two for each row");
        Run { shape: AdjustShape::repetition(rows), numbers: [(SAID, said), (REPEATS, repeats)] }
    };
    texts.chunks(most).map(run).collect()
}

/// The run of a list of these changes, which has room for `length`.
fn list(changed: impl Iterator<Item = (i32, f32, f32)>, length: usize, rows: usize) -> Run {
    let mut places = vec![NOWHERE; length];
    let mut changes = vec![0.0; 2 * length];
    for (at, (place, divisor, added)) in changed.enumerate() {
        places[at] = place;
        (changes[at], changes[length + at]) = (divisor, added);
    }
    let places = HostTensor::from_vec(&[length], places).expect("one for each change");
    let changes = HostTensor::from_vec(&[2, length], changes).expect("two for each change");
    Run { shape: AdjustShape::List { rows, changes: length }, numbers: [(PLACES, places), (CHANGES, changes)] }
}

/// Arguments: logits as they are changed so far, and what changes them. Result: the logits with these changed, in an array of their own.
pub(super) fn adjust_program(graph: &Graph, shape: AdjustShape, vocab_size: usize) -> Result<Program> {
    match shape {
        AdjustShape::Repetition { rows, texts } => repetition_program(graph, rows, texts, vocab_size),
        AdjustShape::List { rows, changes } => list_program(graph, rows, changes, vocab_size),
    }
}

fn repetition_program(graph: &Graph, rows: usize, texts: usize, vocab_size: usize) -> Result<Program> {
    let (batch, vocab) = (Axis::new("batch", rows), Axis::new("vocab", vocab_size));
    let logits = graph.input(ADJUSTED, DType::F32, &[batch, vocab]);
    let words = Axis::new("setting", vocab_size.div_ceil(32));
    let said = graph.input(SAID, DType::I32, &[Axis::new("text", texts), words]);
    let repeats = graph.input(REPEATS, DType::I32, &[Axis::new("part", 2), batch]);
    let [text, penalty] = [0, 1].map(|part| repeats.slice("part", part, 1).sum(&["part"]));
    let is_said = allowed(said.take("text", text), vocab);
    let adjusted = is_said.select(finite(divided(logits, penalty.bitcast(DType::F32))), logits);
    Ok(graph.lower("repeat", &[(LOGITS, adjusted)], &[])?)
}

fn list_program(graph: &Graph, rows: usize, changes: usize, vocab_size: usize) -> Result<Program> {
    let (batch, vocab) = (Axis::new("batch", rows), Axis::new("vocab", vocab_size));
    let change = Axis::new("change", changes);
    let logits = graph.input(ADJUSTED, DType::F32, &[batch, vocab]);
    let places = graph.input(PLACES, DType::I32, &[change]);
    let changes = graph.input(CHANGES, DType::F32, &[Axis::new("part", 2), change]);
    let [divisors, added] = [0, 1].map(|part| changes.slice("part", part, 1).sum(&["part"]));
    let all = logits.merge(&["batch", "vocab"], "place");
    let old = all.take("place", places);
    let new = finite(divided(old, divisors) + added);
    let adjusted = all.scatter("place", places, new).split("place", &[batch, vocab]);
    Ok(graph.lower("adjust", &[(LOGITS, adjusted)], &[])?)
}

/// Logits by a repetition penalty.
fn divided<'g>(logits: Tensor<'g>, divisors: Tensor<'g>) -> Tensor<'g> {
    logits.less(0.0).select(logits * divisors, logits / divisors)
}

/// Logits stay finite whatever the factor.
fn finite(logits: Tensor<'_>) -> Tensor<'_> {
    logits.maximum(f64::from(f32::MIN)).minimum(f64::from(f32::MAX))
}
