//! Log-probabilities of the tokens of prompts: behind each token of a chunk that of the next one, which is known, so that of all its logits only that and what is
//! asked for beside it come to the host.

use graph::{DType, Tensor};
use models::{RaggedPart, target_log_probabilities};
use runtime::{Array, Session};
use schedule::Plan;

use super::StepShape;
use super::choice::{at_least, likeliest};
use crate::error::Result;
use crate::service::PromptLogprob;

/// A bound on the logits that a step over scored prompts has at once, 256 MiB in f32.
const LOGITS_MAX: usize = 1 << 26;

/// So many of the likeliest tokens are told at most, unless somebody asks for more.
pub(crate) const LIKELIEST_MAX: usize = 20;
/// So many are told.
const LIKELIEST: [usize; 3] = [0, 5, LIKELIEST_MAX];

/// Of how many tokens there are logits at once, each of a vocabulary of so many.
pub(super) fn scored_rows(vocab_size: usize) -> usize {
    (LOGITS_MAX / vocab_size.max(1)).max(1)
}

/// How many of the likeliest tokens a program tells where `count` are asked for.
pub(super) fn likeliest_told(count: usize, vocab_size: usize) -> usize {
    at_least(&LIKELIEST, count).unwrap_or(count).min(vocab_size)
}

/// Of the logits behind all tokens of `part`, in `pieces` (batch, vocab): f32 logits (batch, vocab) behind the last token of each row; the log-probability
/// (batch) of each of `targets`, i32 (batch), and how many tokens are likelier, i32 (batch); and the likeliest tokens with theirs, (likeliest, batch), if there are to be some.
pub(super) fn scored<'g>(
    pieces: &[Tensor<'g>],
    part: &RaggedPart<'g>,
    targets: Tensor<'g>,
    count: usize,
) -> Vec<(&'static str, Tensor<'g>)> {
    let graph = targets.graph();
    let row = graph.iota(part.count.axis("batch"), DType::I32);
    // Of rows that only fill a program up the first token will do.
    let last = row * part.chunk as f64 + (part.count - 1.0).maximum(0.0);
    let mut columns: Vec<Vec<Tensor<'g>>> = vec![Vec::new(); if count > 0 { 4 } else { 2 }];
    let (mut first, mut behind_last) = (0, None);
    for piece in pieces {
        let logits = piece.cast(DType::F32);
        let rows = logits.axis("batch").size;
        let targets = targets.slice("batch", first, rows);
        let log_probabilities = target_log_probabilities(logits, targets);
        let is_likelier = logits.greater(logits.take("vocab", targets)).cast(DType::I32);
        let told = [log_probabilities, is_likelier.sum(&["vocab"])].into_iter();
        let likeliest = (count > 0).then(|| likeliest(logits - logits.log_sum_exp("vocab"), count));
        columns.iter_mut().zip(told.chain(likeliest.into_iter().flatten())).for_each(|(column, own)| column.push(own));
        let own = (last - first as f64).maximum(0.0).minimum((rows - 1) as f64);
        let own = logits.rename("batch", "token").take("token", own);
        behind_last = Some(match behind_last {
            None => own,
            Some(before) => last.greater_equal(first as f64).broadcast(&own.axes()).select(own, before),
        });
        first += rows;
    }
    let names = ["logprobs", "likelier", "likeliest", "likeliest_logprobs"];
    let told = names.into_iter().zip(columns.iter().map(|column| Tensor::concat(column, "batch")));
    behind_last.map(|logits| ("logits", logits)).into_iter().chain(told).collect()
}

/// A chunk of a scored prompt that has begun.
struct Chunk {
    id: u64,
    /// Where its first token stands in its text.
    start: usize,
    count: usize,
    /// The place of that token among all of the step, with their padding.
    place: usize,
}

/// What a step tells of scored prompts; on the device until it is read.
pub(crate) struct Scores {
    chunks: Vec<Chunk>,
    arrays: Vec<Array>,
    tokens: usize,
}

/// What is told of a scored prompt's chunk.
pub(crate) struct ScoredChunk {
    pub(crate) id: u64,
    /// Where its first token stands in its text.
    pub(crate) start: usize,
    /// What stands behind each of its tokens, whatever that is: log-probability, rank from 1 on, and the likeliest.
    pub(crate) behind: Vec<PromptLogprob>,
}

impl Scores {
    /// Those of the step that has begun to compute `plan`, in `arrays` as [`scored`] gives them.
    pub(super) fn new(shape: &StepShape, plan: &Plan<'_>, arrays: Vec<Array>) -> Scores {
        let mut end = 0;
        let chunks = plan.prefill.iter().map(|prefill| {
            let (place, count) = (end, prefill.tokens.len());
            end += count.next_multiple_of(shape.chunk);
            Chunk { id: prefill.id, start: prefill.start, count, place }
        });
        Scores { chunks: chunks.collect(), arrays, tokens: shape.prompts * shape.chunk }
    }

    /// Waits for them.
    pub(crate) fn read(self, session: &Session) -> Result<Vec<ScoredChunk>> {
        let Scores { chunks, arrays, tokens } = self;
        let whole = |at: usize| -> Result<Vec<i32>> {
            let array = arrays.get(at).map(|array| array.download(session)).transpose()?;
            Ok(array.map_or(Vec::new(), |array| array.to_vec::<i32>().expect("tokens and ranks are i32")))
        };
        let real = |at: usize| -> Result<Vec<f32>> {
            let array = arrays.get(at).map(|array| array.download(session)).transpose()?;
            Ok(array.map_or(Vec::new(), |array| array.to_f32()))
        };
        let (logprobs, likelier, ids, values) = (real(0)?, whole(1)?, whole(2)?, real(3)?);
        let one = |place: usize| PromptLogprob {
            logprob: logprobs[place],
            rank: likelier[place].unsigned_abs() + 1,
            likeliest: (place..ids.len()).step_by(tokens).map(|at| (ids[at].unsigned_abs(), values[at])).collect(),
        };
        let read = chunks.into_iter().map(|Chunk { id, start, count, place }| ScoredChunk {
            id,
            start,
            behind: (place..place + count).map(one).collect(),
        });
        Ok(read.collect())
    }
}
