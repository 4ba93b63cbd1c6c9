//! A tokenised data set in memory.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::build::Builder;
use crate::cache;
use crate::encode::Sample;
use crate::error::{Error, Result};
use crate::options::DatasetOptions;
use crate::order::mix;
use crate::source::is_read_once;
use crate::stats::Stats;
use crate::tokenizer::Tokenizer;

/// How far the building of a data set has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The file being read.
    pub path: &'a Path,
    /// Bytes of all files that have been read, compressed as they are.
    pub bytes: u64,
    /// Bytes of all files.
    pub total_bytes: u64,
    /// Totals so far, over all files.
    pub stats: &'a Stats,
}

/// How many samples are kept for validation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValSetSize {
    /// This share of all samples, in (0, 1).
    Fraction(f64),
    /// This many samples.
    Count(u64),
}

impl ValSetSize {
    /// Reads Axolotl's `val_set_size`: below 1 a share, from 1 on a number of samples; 0 is none.
    pub fn from_number(number: f64) -> Result<Option<Self>> {
        match number {
            0.0 => Ok(None),
            share if share > 0.0 && share < 1.0 => Ok(Some(ValSetSize::Fraction(share))),
            count if count >= 1.0 && count.fract() == 0.0 => Ok(Some(ValSetSize::Count(count as u64))),
            other => Err(Error::Options(format!(
                "val_set_size is {other}: expected a share between 0 and 1, or a whole number of samples"
            ))),
        }
    }
}

/// Tokenised samples, 4 bytes to a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataset {
    /// Token ids; the highest bit says that the token is a target.
    tokens: Vec<u32>,
    /// Sample `i` is `tokens[offsets[i]..offsets[i + 1]]`.
    offsets: Vec<u64>,
    /// For each source the index behind its last sample.
    source_ends: Vec<u64>,
    stats: Stats,
}

/// Vocabularies stay far below 2^31, so the bit is free.
const TARGET: u32 = 1 << 31;

impl Dataset {
    /// Reads and tokenises the files of `options`, or takes the result from `cache` (a folder) where the same files,
    /// tokenizer, templates and options have been seen before; a pipe is read past it. `progress` is called now and then; `stop`, once it is set,
    /// ends the work within some hundredths of a second.
    ///
    /// # Errors
    /// A file cannot be read or used, or it was stopped ([`Error::Stopped`]).
    pub fn load(
        options: &DatasetOptions,
        tokenizer: &Tokenizer,
        cache: Option<&Path>,
        stop: &AtomicBool,
        mut progress: impl FnMut(Progress<'_>),
    ) -> Result<Dataset> {
        if options.sequence_len < 2 {
            return Err(Error::Options(format!(
                "sequence_len is {}: a row needs at least 2 tokens, one to read and one to predict",
                options.sequence_len
            )));
        }
        let builder = Builder::new(options, tokenizer, stop)?;
        // What can be read once cannot be hashed before it is tokenised.
        let dataset = match cache.filter(|_| !builder.files().any(is_read_once)) {
            Some(cache) => Dataset::load_cached(&builder, cache, &mut progress)?,
            None => builder.build(&mut progress)?,
        };
        dataset.stats.warn(options.sequence_len);
        Ok(dataset)
    }

    /// Finds the files of each source, and reads and tokenises a first record: what stops [`Dataset::load`] there stops it at once.
    ///
    /// # Errors
    /// As [`Dataset::load`], which gives no other for the same records.
    pub fn try_first_records(options: &DatasetOptions, tokenizer: &Tokenizer) -> Result<()> {
        Builder::new(options, tokenizer, &AtomicBool::new(false))?.try_first_records()
    }

    fn load_cached(builder: &Builder<'_>, cache: &Path, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Dataset> {
        let cache = cache::cached_datasets(cache);
        let total_bytes = builder.total_bytes();
        if total_bytes > SLOW_BYTES {
            progress(Progress {
                path: &builder.options.sources[0].path,
                bytes: 0,
                total_bytes,
                stats: &Stats::default(),
            });
        }
        let name = cache::file_name(builder)?;
        if let Some(mut dataset) = cache::read(&cache, &name, builder.tokenizer.vocab_size()) {
            dataset.stats.name_files(builder.files());
            return Ok(dataset);
        }
        let dataset = builder.build(progress)?;
        // Costs time and nothing else, as on a full or read-only disk.
        if let Err(error) = cache::write(&cache, &name, &dataset) {
            tracing::warn!("the tokenised data are not kept for the next run: {error}");
        }
        Ok(dataset)
    }

    /// A data set without samples, to add some to.
    pub(crate) fn empty() -> Dataset {
        Dataset { offsets: vec![0], ..Dataset::default() }
    }

    pub(crate) fn push(&mut self, sample: &Sample) {
        let marked = sample.tokens.iter().zip(&sample.targets);
        self.tokens.extend(marked.map(|(&token, &target)| if target { token | TARGET } else { token }));
        self.offsets.push(self.tokens.len() as u64);
        self.stats.samples += 1;
        self.stats.tokens += sample.tokens.len() as u64;
        self.stats.target_tokens += sample.targets.iter().skip(1).filter(|&&target| target).count() as u64;
    }

    /// Says that what has been pushed since the last time is of one source.
    pub(crate) fn end_source(&mut self) {
        self.source_ends.push(self.stats.samples);
    }

    pub(crate) fn stats_mut(&mut self) -> &mut Stats {
        &mut self.stats
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no sample; [`Dataset::load`] refuses such data sets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was read and left out.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// A sample by its index.
    ///
    /// # Panics
    /// If `index` is not below [`Dataset::len`].
    pub fn sample(&self, index: usize) -> Sample {
        let marked = self.marked(index);
        Sample {
            tokens: marked.iter().map(|token| token & !TARGET).collect(),
            targets: marked.iter().map(|token| token & TARGET != 0).collect(),
        }
    }

    /// Tokens of a sample.
    pub fn sample_len(&self, index: usize) -> usize {
        (self.offsets[index + 1] - self.offsets[index]) as usize
    }

    /// Indices of the samples to train on and of those kept for validation, both ascending. A sample is kept when its
    /// index and the seed hash low, so that the choice does not depend on anything else, and adding samples at the end
    /// changes little.
    pub fn split(&self, val_set_size: Option<ValSetSize>, seed: u64) -> Result<(Vec<u32>, Vec<u32>)> {
        let samples = self.len() as u64;
        let wanted = match val_set_size {
            None => 0,
            Some(ValSetSize::Fraction(share)) => ((samples as f64 * share).round() as u64).max(1),
            Some(ValSetSize::Count(count)) => count,
        };
        if wanted >= samples {
            return Err(Error::Options(format!(
                "val_set_size keeps {wanted} samples for validation, but the data set has only {samples}, and at least \
                 one must be left to train on"
            )));
        }
        // Drawing an order takes seconds, and as much memory as the samples' places once more, where there are tens of millions.
        if wanted == 0 {
            return Ok(((0..self.len() as u32).collect(), Vec::new()));
        }
        let mut by_hash: Vec<(u64, u32)> =
            (0..self.len()).map(|index| (mix(mix(seed) ^ index as u64), index as u32)).collect();
        by_hash.sort_unstable();
        let mut indices: Vec<u32> = by_hash.into_iter().map(|(_, index)| index).collect();
        let mut train = indices.split_off(wanted as usize);
        train.sort_unstable();
        indices.sort_unstable();
        Ok((train, indices))
    }

    /// These samples as often as the weights of their sources say, one weight to a source of [`DatasetOptions`]: as many
    /// times as its whole part, and that share of the source's samples which is left once more. Which samples those are
    /// depends on the seed and their indices alone, so that each pass has the same ones.
    pub fn weighted(&self, samples: &[u32], weights: &[f64], seed: u64) -> Vec<u32> {
        let mut chosen = Vec::new();
        let mut rest = samples;
        for (weight, end) in weights.iter().zip(&self.source_ends) {
            let (own, after) = rest.split_at(rest.partition_point(|&sample| u64::from(sample) < *end));
            rest = after;
            for _ in 0..weight.floor() as u64 {
                chosen.extend_from_slice(own);
            }
            if weight.fract() == 0.0 {
                continue;
            }
            let mut by_hash = own.to_vec();
            by_hash.sort_unstable_by_key(|&sample| mix(mix(seed ^ WEIGHTS) ^ u64::from(sample)));
            by_hash.truncate((own.len() as f64 * weight.fract()).round() as usize);
            by_hash.sort_unstable();
            chosen.extend(by_hash);
        }
        chosen
    }

    /// How many of these samples are of each source.
    pub fn count_by_source(&self, samples: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; self.source_ends.len()];
        for sample in samples {
            counts[self.source_ends.partition_point(|end| *end <= u64::from(*sample))] += 1;
        }
        counts
    }

    /// Token ids with the target bit, see [`split_mark`].
    pub(crate) fn marked(&self, index: usize) -> &[u32] {
        &self.tokens[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    pub(crate) fn parts(&self) -> (&[u32], &[u64], &[u64], &Stats) {
        (&self.tokens, &self.offsets, &self.source_ends, &self.stats)
    }

    /// Puts a data set together from its parts; `None` where they do not fit each other or the vocabulary.
    pub(crate) fn from_parts(
        tokens: Vec<u32>,
        offsets: Vec<u64>,
        source_ends: Vec<u64>,
        stats: Stats,
        vocab_size: usize,
    ) -> Option<Self> {
        let fits = offsets.first() == Some(&0)
            && offsets.last() == Some(&(tokens.len() as u64))
            && offsets.is_sorted()
            && offsets.len() as u64 == stats.samples + 1
            && source_ends.is_sorted()
            && source_ends.last() == Some(&stats.samples)
            && tokens.iter().all(|&token| ((token & !TARGET) as usize) < vocab_size);
        fits.then_some(Dataset { tokens, offsets, source_ends, stats })
    }
}

/// More than this takes a while to be read, even where nothing is left to be done after that.
const SLOW_BYTES: u64 = 64 << 20;

/// Keeps the choice of samples by weight apart from that of samples for validation.
const WEIGHTS: u64 = 0x7765_6967_6874_7321;

/// The id of a marked token, and whether it is a target.
pub(crate) fn split_mark(marked: u32) -> (i32, bool) {
    ((marked & !TARGET) as i32, marked & TARGET != 0)
}
