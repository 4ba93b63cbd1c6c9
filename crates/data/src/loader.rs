//! Batches by row: any rows of a run, without those before them.

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
    /// Rows of a batch over all accumulation steps. Decides nothing about the order of rows.
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

/// Gives any rows of a run as a pure function of (data set, options, their numbers); where a run stands is a number of rows.
///
/// Rows are packed once, and each pass (epoch) visits all of them in an order of its own. The passes follow each other
/// without end, and rows are numbered through them from 0. Which row has which number depends on the samples, the seed,
/// `sequence_len` and the packing. It does not depend on how many rows are taken at a time: a run may go on from its
/// row with other batches.
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

    /// The same rows, so many to a batch.
    #[must_use]
    pub fn with_rows(self, rows: usize) -> DataLoader {
        DataLoader { options: LoaderOptions { rows, ..self.options }, ..self }
    }

    /// Samples that are packed into the rows.
    pub fn samples(&self) -> usize {
        self.samples.len()
    }

    /// Rows that one epoch visits.
    pub fn rows_per_epoch(&self) -> usize {
        self.rows.len()
    }

    /// Batches until every row has been visited.
    pub fn steps_per_epoch(&self) -> usize {
        self.rows.len().div_ceil(self.options.rows)
    }

    /// Share of the cells of all rows that hold padding, in [0, 1).
    pub fn padding(&self) -> f64 {
        1.0 - self.tokens as f64 / (self.rows.len() * self.options.sequence_len) as f64
    }

    /// Rows of which the loss counts no token: stretches of long prompts, where samples are cut at the ends of rows.
    pub fn rows_without_target(&self) -> usize {
        (0..self.rows.len()).filter(|&row| !self.rows.row(row).iter().any(|piece| self.has_target(*piece))).count()
    }

    fn has_target(&self, piece: Piece) -> bool {
        let sample = self.dataset.marked(self.samples[piece.sample as usize] as usize);
        let (start, end) = (piece.start as usize, (piece.start + piece.len) as usize);
        sample[start + 1..sample.len().min(end + 1)].iter().any(|&token| split_mark(token).1)
    }

    /// The most documents (samples, or parts of them) that a row holds.
    pub fn documents_per_row_max(&self) -> usize {
        (0..self.rows.len()).map(|row| self.rows.row(row).len()).max().unwrap_or(0)
    }

    /// The options that the loader was made with.
    pub fn options(&self) -> &LoaderOptions {
        &self.options
    }

    /// Passes that are over once this many rows of a run have been visited, as a fraction.
    pub fn epoch(&self, rows: u64) -> f64 {
        rows as f64 / self.rows.len() as f64
    }

    /// The rows of a run with these numbers, and padding rows after them (segment 0, no targets) until the batch has as many as
    /// the options say, so that a run can end with any row.
    ///
    /// # Panics
    /// If there are more rows than a batch holds.
    pub fn batch(&self, rows: Range<u64>) -> Batch {
        self.batch_of(rows, |_| true)
    }

    /// As [`DataLoader::batch`], with padding for the rows of the batch that are not wanted, whose samples are not read.
    ///
    /// # Panics
    /// If there are more rows than a batch holds.
    pub fn batch_of(&self, rows: Range<u64>, is_wanted: impl Fn(usize) -> bool) -> Batch {
        let size = self.options.rows;
        let count = rows.end.saturating_sub(rows.start);
        assert!(count <= size as u64, "{count} rows for a batch of {size}");
        let per_epoch = self.rows.len() as u64;
        self.fill((rows.start..).take(size).enumerate().map(|(place, row)| {
            let order = Permutation::new(per_epoch, self.options.seed, row / per_epoch);
            (row < rows.end && is_wanted(place)).then(|| order.at(row % per_epoch) as usize)
        }))
    }

    /// The batch at `index` of one pass over all rows in their packed order, each exactly once, for evaluation; there
    /// are [`DataLoader::steps_per_epoch`]. The last is filled up with empty rows.
    pub fn eval_batch(&self, index: usize) -> Batch {
        self.eval_batch_of(index, |_| true)
    }

    /// As [`DataLoader::eval_batch`], with padding for the rows of the batch that are not wanted, whose samples are not read.
    pub fn eval_batch_of(&self, index: usize, is_wanted: impl Fn(usize) -> bool) -> Batch {
        let first = index * self.options.rows;
        let row = |place: usize| (first + place < self.rows.len() && is_wanted(place)).then_some(first + place);
        self.fill((0..self.options.rows).map(row))
    }

    fn fill(&self, rows: impl Iterator<Item = Option<usize>>) -> Batch {
        let length = self.options.sequence_len;
        let mut batch = Batch::empty(self.options.rows, length, self.options.pad_id as i32);
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
