//! A tokenised data set in memory, built in parallel from JSONL files and cached on disk.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use serde::{Deserialize, Serialize};

use crate::cache;
use crate::encode::{Sample, encode};
use crate::error::{Error, Result};
use crate::json_lines::parse_object;
use crate::lines::{Line, Lines};
use crate::order::mix;
use crate::pack::Packing;
use crate::record::{Form, Record};
use crate::show::{Marks, mark_targets};
use crate::tokenizer::Tokenizer;

/// Lines and bytes that are read before the threads are given work: enough to keep them busy, little to hold.
const CHUNK_LINES: usize = 8192;
const CHUNK_BYTES: usize = 16 << 20;

/// Tokens of a sample that a refusal shows.
const SHOWN_TOKENS: usize = 512;

/// A file of samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// A JSONL file, plain or compressed (`.gz`, `.zst`).
    pub path: PathBuf,
    /// The form of its lines; told from the first line where absent.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
}

/// What happens to a sample with more tokens than `sequence_len`. Each case is counted in [`Stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExcessLength {
    /// It is left out.
    #[default]
    Drop,
    /// Its end is cut off.
    Truncate,
    /// It is an error.
    Raise,
}

/// What a data set is made from, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DatasetOptions {
    /// The files, in order.
    pub sources: Vec<Source>,
    /// Longest sample in tokens, which is also the length of a row.
    pub sequence_len: usize,
    /// What happens to longer samples. Has no effect when they are concatenated, because then they are cut anyway.
    pub excess_length_strategy: ExcessLength,
    /// How samples share rows.
    pub packing: Packing,
    /// Whether the loss counts prompts and user messages too.
    pub train_on_inputs: bool,
    /// Whether bad lines are counted and skipped instead of refused.
    pub skip_bad: bool,
}

impl DatasetOptions {
    /// The default options over files whose form is told from their first lines.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>, sequence_len: usize) -> Self {
        DatasetOptions {
            sources: paths.into_iter().map(|path| Source { path, form: None }).collect(),
            sequence_len,
            excess_length_strategy: ExcessLength::default(),
            packing: Packing::default(),
            train_on_inputs: false,
            skip_bad: false,
        }
    }
}

/// What was read, and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Lines that are not blank.
    pub lines: u64,
    /// Samples in the data set.
    pub samples: u64,
    /// Bad lines that were skipped.
    pub skipped: u64,
    /// Samples left out because they are longer than `sequence_len`.
    pub dropped: u64,
    /// Samples cut to `sequence_len`.
    pub truncated: u64,
    /// Tokens of all samples.
    pub tokens: u64,
    /// Tokens that the loss counts.
    pub target_tokens: u64,
    /// Tokens of the longest sample, before anything was dropped or cut.
    pub longest: u64,
}

impl Stats {
    /// Says what was left out or cut, if anything was.
    fn warn(&self, sequence_len: usize) {
        let longer = |done: &str| format!("were longer than sequence_len ({sequence_len}) and {done}");
        let counts = [
            (self.skipped, "were bad and skipped".to_owned()),
            (self.dropped, longer("dropped")),
            (self.truncated, longer("cut to it")),
        ];
        let said: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if !said.is_empty() {
            tracing::warn!("of {} lines, {}", self.lines, said.join("; "));
        }
    }
}

/// How far the building of a data set has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The file being read.
    pub path: &'a Path,
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
    stats: Stats,
}

/// Vocabularies stay far below 2^31, so the bit is free.
const TARGET: u32 = 1 << 31;

impl Dataset {
    /// Reads and tokenises the files of `options`, or takes the result from `cache` (a folder) where the same files,
    /// tokenizer, templates and options have been seen before. `progress` is called now and then.
    pub fn load(
        options: &DatasetOptions,
        tokenizer: &Tokenizer,
        cache: Option<&Path>,
        mut progress: impl FnMut(Progress<'_>),
    ) -> Result<Dataset> {
        if options.sequence_len < 2 {
            return Err(Error::Options(format!(
                "sequence_len is {}: a row needs at least 2 tokens, one to read and one to predict",
                options.sequence_len
            )));
        }
        let dataset = match cache {
            Some(cache) => Dataset::load_cached(options, tokenizer, cache, &mut progress)?,
            None => Dataset::build(options, tokenizer, &mut progress)?,
        };
        dataset.stats.warn(options.sequence_len);
        Ok(dataset)
    }

    fn load_cached(
        options: &DatasetOptions,
        tokenizer: &Tokenizer,
        cache: &Path,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Dataset> {
        let cache = cache::cached_datasets(cache);
        let name = cache::file_name(options, tokenizer)?;
        if let Some(dataset) = cache::read(&cache, &name, tokenizer.vocab_size()) {
            return Ok(dataset);
        }
        let dataset = Dataset::build(options, tokenizer, progress)?;
        // Costs time and nothing else, as on a full or read-only disk.
        if let Err(error) = cache::write(&cache, &name, &dataset) {
            tracing::warn!("the tokenised data are not kept for the next run: {error}");
        }
        Ok(dataset)
    }

    fn build(
        options: &DatasetOptions,
        tokenizer: &Tokenizer,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Dataset> {
        let mut dataset = Dataset { offsets: vec![0], ..Dataset::default() };
        for source in &options.sources {
            dataset.read_source(source, options, tokenizer, progress)?;
        }
        let Stats { samples, skipped, dropped, .. } = dataset.stats;
        if samples == 0 {
            let files: Vec<String> = options.sources.iter().map(|source| source.path.display().to_string()).collect();
            let detail = format!("{skipped} bad lines were skipped, {dropped} samples are longer than sequence_len");
            return Err(Error::Empty { files: files.join(", "), detail });
        }
        Ok(dataset)
    }

    fn read_source(
        &mut self,
        source: &Source,
        options: &DatasetOptions,
        tokenizer: &Tokenizer,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<()> {
        let path = source.path.as_path();
        let mut lines = Lines::open(path)?;
        let mut form = source.form;
        loop {
            let chunk = lines.next_chunk(CHUNK_LINES, CHUNK_BYTES)?;
            if chunk.is_empty() {
                return Ok(());
            }
            if form.is_none() {
                form = detect_form(path, &chunk, options.skip_bad)?;
            }
            let worker = Worker { path, form, tokenizer, train_on_inputs: options.train_on_inputs };
            for (line, outcome) in chunk.iter().zip(worker.encode_all(&chunk)) {
                self.stats.lines += 1;
                match outcome {
                    Ok(encoded) => self.admit(encoded, path, line.number, options, tokenizer)?,
                    Err(error @ Error::Line { .. }) if options.skip_bad => {
                        tracing::debug!("skipped: {error}");
                        self.stats.skipped += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
            progress(Progress { path, stats: &self.stats });
        }
    }

    /// Adds a sample, or leaves it out or refuses it as the options say.
    fn admit(
        &mut self,
        Encoded { mut sample, without_target }: Encoded,
        path: &Path,
        line: u64,
        options: &DatasetOptions,
        tokenizer: &Tokenizer,
    ) -> Result<()> {
        let refuse = |sample: &Sample, because| {
            let shown = sample.tokens.len().min(SHOWN_TOKENS);
            let shown = mark_targets(tokenizer, &sample.tokens[..shown], &sample.targets[..shown], Marks::Plain)?;
            Err(Error::NoTarget { path: path.to_path_buf(), line, because, shown })
        };
        if !sample.has_target() {
            return refuse(&sample, without_target);
        }
        let (tokens, limit) = (sample.tokens.len(), options.sequence_len);
        self.stats.longest = self.stats.longest.max(tokens as u64);
        if tokens > limit && options.packing != Packing::Concatenate {
            match options.excess_length_strategy {
                ExcessLength::Drop => {
                    self.stats.dropped += 1;
                    return Ok(());
                }
                ExcessLength::Raise => return Err(Error::TooLong { path: path.to_path_buf(), line, tokens, limit }),
                ExcessLength::Truncate => {
                    sample.tokens.truncate(limit);
                    sample.targets.truncate(limit);
                    if !sample.has_target() {
                        return refuse(&sample, "its targets lie beyond sequence_len, where it was cut off");
                    }
                    self.stats.truncated += 1;
                }
            }
        }
        self.push(&sample);
        Ok(())
    }

    fn push(&mut self, sample: &Sample) {
        let marked = sample.tokens.iter().zip(&sample.targets);
        self.tokens.extend(marked.map(|(&token, &target)| if target { token | TARGET } else { token }));
        self.offsets.push(self.tokens.len() as u64);
        self.stats.samples += 1;
        self.stats.tokens += sample.tokens.len() as u64;
        self.stats.target_tokens += sample.targets.iter().skip(1).filter(|&&target| target).count() as u64;
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
        let mut by_hash: Vec<(u64, u32)> =
            (0..self.len()).map(|index| (mix(mix(seed) ^ index as u64), index as u32)).collect();
        by_hash.sort_unstable();
        let mut indices: Vec<u32> = by_hash.into_iter().map(|(_, index)| index).collect();
        let mut train = indices.split_off(wanted as usize);
        train.sort_unstable();
        indices.sort_unstable();
        Ok((train, indices))
    }

    /// Token ids with the target bit, see [`split_mark`].
    pub(crate) fn marked(&self, index: usize) -> &[u32] {
        &self.tokens[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    pub(crate) fn parts(&self) -> (&[u32], &[u64], &Stats) {
        (&self.tokens, &self.offsets, &self.stats)
    }

    /// Puts a data set together from its parts; `None` where they do not fit each other or the vocabulary.
    pub(crate) fn from_parts(tokens: Vec<u32>, offsets: Vec<u64>, stats: Stats, vocab_size: usize) -> Option<Self> {
        let fits = offsets.first() == Some(&0)
            && offsets.last() == Some(&(tokens.len() as u64))
            && offsets.is_sorted()
            && offsets.len() as u64 == stats.samples + 1
            && tokens.iter().all(|&token| ((token & !TARGET) as usize) < vocab_size);
        fits.then_some(Dataset { tokens, offsets, stats })
    }
}

/// The id of a marked token, and whether it is a target.
pub(crate) fn split_mark(marked: u32) -> (i32, bool) {
    ((marked & !TARGET) as i32, marked & TARGET != 0)
}

/// The form of the first line of a chunk that is a JSON object, or with `skip_bad` of the first that has the keys of one.
/// `None` where there is no such line, which is then reported line by line.
fn detect_form(path: &Path, chunk: &[Line], skip_bad: bool) -> Result<Option<Form>> {
    let mut unknown = None;
    for line in chunk {
        let Ok(object) = parse_object(path, line) else { continue };
        if let Some(form) = Form::detect(&object) {
            return Ok(Some(form));
        }
        let keys = || object.keys().map(|key| format!("{key:?}")).collect::<Vec<_>>().join(", ");
        unknown.get_or_insert_with(|| Error::UnknownForm { path: path.to_path_buf(), line: line.number, keys: keys() });
        if !skip_bad {
            break;
        }
    }
    unknown.map_or(Ok(None), Err)
}

/// A tokenised sample with the reason that explains a missing target.
struct Encoded {
    sample: Sample,
    without_target: &'static str,
}

/// What each thread needs to tokenise lines.
#[derive(Clone, Copy)]
struct Worker<'a> {
    path: &'a Path,
    form: Option<Form>,
    tokenizer: &'a Tokenizer,
    train_on_inputs: bool,
}

impl Worker<'_> {
    /// The outcome of each line, in order, computed on all cores.
    fn encode_all(self, lines: &[Line]) -> Vec<Result<Encoded>> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        // More parts than threads would even out long lines; within a chunk of 16 MiB it does not pay.
        let part = lines.len().div_ceil(threads).max(1);
        thread::scope(|scope| {
            let workers: Vec<_> = lines
                .chunks(part)
                .map(|lines| scope.spawn(move || lines.iter().map(|line| self.encode(line)).collect::<Vec<_>>()))
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn encode(self, line: &Line) -> Result<Encoded> {
        let object = parse_object(self.path, line)?;
        let Some(form) = self.form else {
            return Err(Error::line(self.path, line.number, "the form of the data is not known yet"));
        };
        let record = Record::parse(form, &object).map_err(|reason| Error::line(self.path, line.number, reason))?;
        match encode(self.tokenizer, &record, self.train_on_inputs) {
            Ok(sample) => Ok(Encoded { sample, without_target: why_no_target(self.tokenizer, &record) }),
            Err(error @ (Error::TemplateRender(_) | Error::Tokenize { .. })) => {
                Err(Error::line(self.path, line.number, error))
            }
            Err(cause) => {
                Err(Error::Sample { path: self.path.to_path_buf(), line: line.number, cause: Box::new(cause) })
            }
        }
    }
}

fn why_no_target(tokenizer: &Tokenizer, record: &Record) -> &'static str {
    match record {
        Record::Text(_) => "it has fewer than two tokens",
        Record::Completion { .. } => "its completion is empty",
        Record::Chat { messages, tools } => {
            let speaks = messages.iter().any(|message| message["role"] == "assistant");
            let marked = tokenizer.chat_template(tools.is_some()).is_some_and(|template| template.marks_generation());
            match (speaks, marked) {
                (false, _) => "no message has the role assistant",
                (true, true) => "the template's {% generation %} block covers no token of it",
                (true, false) => "the assistant's messages are empty",
            }
        }
    }
}
