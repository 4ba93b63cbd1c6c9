//! Batches by step: any step of a run, without the steps before it.

use std::ops::Range;
use std::sync::Arc;

use crate::dataset::{Dataset, split_mark};
use crate::error::{Error, Result};
use crate::order::Permutation;
use crate::pack::{Packing, Piece, Rows};

/// A batch of packed rows. All arrays are `[rows, sequence_len]`, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Rows of the batch.
    pub rows: usize,
    /// Tokens in a row.
    pub sequence_len: usize,
    /// Token ids; padding holds the padding token.
    pub tokens: Vec<i32>,
    /// The token after each one in the same document, 0 where there is none.
    pub targets: Vec<i32>,
    /// 1 where the loss counts the prediction of `targets`, else 0.
    pub loss_mask: Vec<f32>,
    /// Place in the document, from 0. A document that goes on in another row starts at 0 there as well, because
    /// nothing before it can be seen.
    pub positions: Vec<i32>,
    /// Which document of its row a token belongs to, from 1; 0 is padding. Attention stays within one document.
    pub segment_ids: Vec<i32>,
}

impl Batch {
    /// Predictions that the loss counts: what a sum of losses is divided by.
    pub fn target_tokens(&self) -> usize {
        self.loss_mask.iter().filter(|&&mask| mask != 0.0).count()
    }

    fn empty(rows: usize, sequence_len: usize, pad_id: i32) -> Self {
        let cells = rows * sequence_len;
        Batch {
            rows,
            sequence_len,
            tokens: vec![pad_id; cells],
            targets: vec![0; cells],
            loss_mask: vec![0.0; cells],
            positions: vec![0; cells],
            segment_ids: vec![0; cells],
        }
    }
}

/// How batches are cut from a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoaderOptions {
    /// Rows of a batch over all devices and accumulation steps: the global batch.
    pub rows: usize,
    /// Tokens in a row; at least as long as the longest sample, unless samples are concatenated.
    pub sequence_len: usize,
    /// How samples share rows.
    pub packing: Packing,
    /// Seed of the order.
    pub seed: u64,
    /// Token that fills rows up, see [`crate::Tokenizer::pad_id`].
    pub pad_id: u32,
}

/// Gives the batch of any step as a pure function of (data set, options, step); where a run stands is just its step.
///
/// Rows are packed once. Each epoch visits them in an order of its own, and an epoch's last batch is filled with the
/// first rows of the next epoch, so that all batches are full and no row is left out.
#[derive(Clone, Debug)]
pub struct DataLoader {
    dataset: Arc<Dataset>,
    samples: Vec<u32>,
    rows: Rows,
    options: LoaderOptions,
    tokens: u64,
}

impl DataLoader {
    /// Packs the samples with these indices, as [`Dataset::split`] gives them.
    pub fn new(dataset: Arc<Dataset>, samples: Vec<u32>, options: LoaderOptions) -> Result<Self> {
        let LoaderOptions { rows, sequence_len, packing, seed, .. } = options;
        if rows == 0 || samples.is_empty() {
            let what = if rows == 0 { "a batch of 0 rows" } else { "no samples" };
            return Err(Error::Options(format!("cannot make batches from {what}")));
        }
        let lengths: Vec<u32> = samples.iter().map(|&sample| dataset.sample_len(sample as usize) as u32).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        if longest > sequence_len && packing != Packing::Concatenate {
            return Err(Error::Options(format!(
                "a sample has {longest} tokens and does not fit a row of {sequence_len}: tokenise the data set with \
                 this sequence_len, or concatenate samples"
            )));
        }
        let row_len = u32::try_from(sequence_len)
            .map_err(|_| Error::Options(format!("sequence_len {sequence_len} is beyond {}", u32::MAX)))?;
        let tokens = lengths.iter().map(|&len| u64::from(len)).sum();
        let rows = Rows::pack(&lengths, row_len, packing, seed);
        Ok(DataLoader { dataset, samples, rows, options, tokens })
    }

    /// Samples that are packed into the rows.
    pub fn samples(&self) -> usize {
        self.samples.len()
    }

    /// Rows that one epoch visits.
    pub fn rows_per_epoch(&self) -> usize {
        self.rows.len()
    }

    /// Steps until every row has been visited; the last of them may hold rows of the next epoch.
    pub fn steps_per_epoch(&self) -> usize {
        self.rows.len().div_ceil(self.options.rows)
    }

    /// Share of the cells of all rows that hold padding, in [0, 1).
    pub fn padding(&self) -> f64 {
        1.0 - self.tokens as f64 / (self.rows.len() * self.options.sequence_len) as f64
    }

    /// The options that the loader was made with.
    pub fn options(&self) -> &LoaderOptions {
        &self.options
    }

    /// Epochs that are over once `step` steps have been taken, as a fraction.
    pub fn epoch(&self, step: u64) -> f64 {
        step as f64 * self.options.rows as f64 / self.rows.len() as f64
    }

    /// The global batch of a training step.
    pub fn batch(&self, step: u64) -> Batch {
        self.batch_rows(step, 0..self.options.rows)
    }

    /// Some rows of the global batch of a training step: what one process or one accumulation step works on.
    pub fn batch_rows(&self, step: u64, rows: Range<usize>) -> Batch {
        let per_epoch = self.rows.len() as u64;
        let first = step * self.options.rows as u64;
        self.fill(rows.map(|row| {
            let visit = first + row as u64;
            let order = Permutation::new(per_epoch, self.options.seed, visit / per_epoch);
            Some(order.at(visit % per_epoch) as usize)
        }))
    }

    /// The batch at `index` of one pass over all rows in their packed order, each exactly once, for evaluation; there
    /// are [`DataLoader::steps_per_epoch`]. The last is filled up with empty rows.
    pub fn eval_batch(&self, index: usize) -> Batch {
        let first = index * self.options.rows;
        self.fill((first..first + self.options.rows).map(|row| (row < self.rows.len()).then_some(row)))
    }

    fn fill(&self, rows: impl ExactSizeIterator<Item = Option<usize>>) -> Batch {
        let length = self.options.sequence_len;
        let mut batch = Batch::empty(rows.len(), length, self.options.pad_id as i32);
        for (row, source) in rows.enumerate() {
            let pieces = source.map_or(&[][..], |source| self.rows.row(source));
            let mut cell = row * length;
            for (segment, piece) in (1..).zip(pieces) {
                self.write(&mut batch, cell, segment, *piece);
                cell += piece.len as usize;
            }
        }
        batch
    }

    fn write(&self, batch: &mut Batch, cell: usize, segment: i32, piece: Piece) {
        let sample = self.dataset.marked(self.samples[piece.sample as usize] as usize);
        for offset in 0..piece.len as usize {
            let at = piece.start as usize + offset;
            batch.tokens[cell + offset] = split_mark(sample[at]).0;
            batch.positions[cell + offset] = offset as i32;
            batch.segment_ids[cell + offset] = segment;
            if let Some(&next) = sample.get(at + 1) {
                let (token, target) = split_mark(next);
                batch.targets[cell + offset] = token;
                batch.loss_mask[cell + offset] = f32::from(u8::from(target));
            }
        }
    }
}
