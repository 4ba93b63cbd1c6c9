//! The data of a run: which tokens each step trains on. No device is needed to know.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use data::{Clock, DataLoader, Dataset, DatasetOptions, LoaderOptions, Progress, Source, Stats, Tokenizer};
use models::LanguageModel;
use serde::{Deserialize, Serialize};

use crate::config::{Duration, TrainConfig};
use crate::event::Event;
use crate::{Error, plan};

/// What a run trains on and is evaluated on.
#[derive(Debug)]
pub struct RunData {
    /// The tokenizer, with the chat template that the run uses.
    pub tokenizer: Tokenizer,
    /// Gives the batch of each step.
    pub train: DataLoader,
    /// Gives the batches of an evaluation, if there is a split for it.
    pub eval: Option<DataLoader>,
    /// What was read from `datasets`, the part for evaluation included.
    pub stats: Stats,
    /// Steps of the run.
    pub total_steps: u64,
    /// Rows of the run, counted as [`DataLoader::batch`] does. The last step may have fewer than the others, and then ends with
    /// padding.
    pub total_rows: u64,
    /// What a resumed run must find again.
    pub(crate) digest: DataDigest,
    /// Of the samples that it is evaluated on.
    pub(crate) eval_digest: Option<DataDigest>,
}

/// Tells whether samples are those that a checkpoint was trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DataDigest {
    /// Samples to train on.
    pub(crate) samples: u64,
    /// Their tokens.
    pub(crate) tokens: u64,
    /// Over lengths, token ids and targets, sample by sample in their order.
    crc32: u32,
}

/// What the loss of an evaluation is of. Others' losses cannot be compared with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evaluated {
    data: DataDigest,
    /// How many rows of them are counted; `None` for all.
    rows: Option<u64>,
}

impl fmt::Display for DataDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} samples of {} tokens, checksum {:08x}", self.samples, self.tokens, self.crc32)
    }
}

impl DataDigest {
    fn of(dataset: &Dataset, samples: &[u32]) -> DataDigest {
        let mut crc = crc32fast::Hasher::new();
        let mut tokens = 0;
        let mut bytes = Vec::new();
        for index in samples {
            let sample = dataset.sample(*index as usize);
            tokens += sample.tokens.len() as u64;
            bytes.clear();
            bytes.extend((sample.tokens.len() as u64).to_le_bytes());
            bytes.extend(sample.tokens.iter().flat_map(|token| token.to_le_bytes()));
            bytes.extend(sample.targets.iter().map(|target| u8::from(*target)));
            crc.update(&bytes);
        }
        DataDigest { samples: samples.len() as u64, tokens, crc32: crc.finalize() }
    }
}

impl RunData {
    /// Reads and tokenises the data as a run would that begins at `clock` (seconds since 1970, what chat templates see as now), with a warning of files beside it that it
    /// does not read.
    ///
    /// # Errors
    /// A file cannot be read or used, the tokenizer has ids that the model has no embedding for, or `stop` was set.
    pub fn load(
        config: &TrainConfig,
        cache: Option<&Path>,
        clock: i64,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunData, Error> {
        let config = &plan::with_result_folders(config)?;
        warn_of_unread(config);
        RunData::for_model(config, &plan::language_model(config, None)?, cache, clock, stop, observe)
    }

    pub(crate) fn for_model(
        config: &TrainConfig,
        model: &LanguageModel,
        cache: Option<&Path>,
        clock: i64,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<RunData, Error> {
        let tokenizer = tokenizer(config, clock)?;
        tokenizer.check_vocab(model.sizes().vocab_size)?;
        check_length(config, model)?;
        let Loaders { train, eval, stats, digest, eval_digest } = loaders(config, &tokenizer, cache, stop, observe)?;
        Ok(RunData { tokenizer, train, eval, stats, total_steps: 0, total_rows: 0, digest, eval_digest }
            .counted(config))
    }

    /// What the run's evaluations are of, if it has any.
    pub(crate) fn evaluated(&self, config: &TrainConfig) -> Option<Evaluated> {
        let (data, loader) = self.eval_digest.zip(self.eval.as_ref())?;
        let rows = (config.evaluation_batches_max() as u64).saturating_mul(config.micro_batch_rows());
        Some(Evaluated { data, rows: Some(rows).filter(|rows| *rows < loader.rows_per_epoch() as u64) })
    }

    /// The same data in the batches of a configuration whose rows were found since.
    pub(crate) fn in_batches_of(self, config: &TrainConfig) -> RunData {
        let rows = config.micro_batch_rows() as usize;
        let train = self.train.with_rows(rows * config.gradient_accumulation_steps as usize);
        let eval = self.eval.map(|eval| eval.with_rows(rows));
        RunData { train, eval, ..self }.counted(config)
    }

    /// With the length of the run that its batches make.
    fn counted(self, config: &TrainConfig) -> RunData {
        let train = &self.train;
        let step_rows = train.options().rows as u64;
        let total_rows = total_rows(config.duration(), train, step_rows);
        RunData { total_steps: total_rows.div_ceil(step_rows), total_rows, ..self }
    }

    /// The most documents that a row of either split holds.
    pub(crate) fn documents_per_row_max(&self) -> usize {
        self.eval.iter().fold(self.train.documents_per_row_max(), |most, eval| most.max(eval.documents_per_row_max()))
    }
}

fn tokenizer(config: &TrainConfig, clock: i64) -> Result<Tokenizer, Error> {
    let mut tokenizer = own_tokenizer(config, clock)?;
    if let Some(path) = &config.chat_template {
        tokenizer.set_only_chat_template(&read_template(path)?).map_err(in_template(path))?;
    }
    Ok(tokenizer)
}

/// Says of a mistake in a template in which file it is.
pub(crate) fn in_template(path: &Path) -> impl Fn(data::Error) -> Error {
    |cause| Error::ChatTemplate { path: path.to_path_buf(), cause: Box::new(cause) }
}

/// The tokenizer with its own chat template.
pub(crate) fn own_tokenizer(config: &TrainConfig, clock: i64) -> Result<Tokenizer, Error> {
    let path = config.tokenizer_path().ok_or(Error::NoTokenizer)?;
    Ok(Tokenizer::from_dir_at(tokenizer_folder(path)?, Clock::At(clock))?)
}

/// The content of a template's file.
pub(crate) fn read_template(path: &Path) -> Result<String, Error> {
    data::read_text(path).map_err(|cause| Error::ChatTemplateFile { path: path.to_path_buf(), cause })
}

/// The folder of a tokenizer that is named by its folder or its `tokenizer.json`. The files beside that one belong to it.
pub(crate) fn tokenizer_folder(path: &Path) -> Result<&Path, Error> {
    if !path.is_file() {
        return Ok(path);
    }
    if path.file_name() != Some("tokenizer.json".as_ref()) {
        return Err(Error::TokenizerName { path: path.to_path_buf() });
    }
    Ok(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Refuses rows that are longer than the positions that the model has learned, and says when they are longer than it is meant for.
pub(crate) fn check_length(config: &TrainConfig, model: &LanguageModel) -> Result<(), Error> {
    if let Some(learned) = model.learned_positions()?.filter(|learned| config.sequence_len as usize > *learned) {
        return Err(Error::Positions { sequence_len: config.sequence_len as usize, learned });
    }
    if let Some(longest) = model.context().filter(|longest| config.sequence_len as usize > *longest) {
        tracing::warn!(
            "sequence_len is {}, but the model is meant for at most {longest} positions (max_position_embeddings)",
            config.sequence_len
        );
    }
    Ok(())
}

struct Loaders {
    train: DataLoader,
    eval: Option<DataLoader>,
    stats: Stats,
    digest: DataDigest,
    eval_digest: Option<DataDigest>,
}

/// Warns of files that lie in the data sets' folders and that none of them reads.
pub(crate) fn warn_of_unread(config: &TrainConfig) {
    let sources: Vec<Source> = config.datasets.iter().chain(&config.test_datasets).map(Source::from).collect();
    data::warn_of_unread(&sources);
}

pub(crate) fn dataset_options(config: &TrainConfig, datasets: &[crate::config::Dataset]) -> DatasetOptions {
    DatasetOptions {
        sources: datasets.iter().map(Source::from).collect(),
        sequence_len: config.sequence_len as usize,
        excess_length_strategy: config.excess_length_strategy,
        packing: config.sample_packing,
        train_on_inputs: config.train_on_inputs,
        skip_bad: config.skip_bad,
    }
}

fn loaders(
    config: &TrainConfig,
    tokenizer: &Tokenizer,
    cache: Option<&Path>,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Loaders, Error> {
    let mut load = |datasets: &[crate::config::Dataset]| -> Result<(Arc<Dataset>, Vec<f64>), Error> {
        let options = dataset_options(config, datasets);
        let observe = |progress: Progress<'_>| observe(Event::Tokenising(progress));
        let dataset = Dataset::load(&options, tokenizer, cache, stop, observe)?;
        Ok((Arc::new(dataset), options.sources.iter().map(|source| source.weight).collect()))
    };
    let options = |rows: u64| LoaderOptions {
        rows: rows as usize,
        sequence_len: config.sequence_len as usize,
        packing: config.sample_packing,
        seed: config.seed,
        pad_id: tokenizer.pad_id(),
    };
    let (dataset, weights) = load(&config.datasets)?;
    let (train, held_out) = dataset.split(config.val_set_size.0, config.seed)?;
    // Held out before samples are repeated, so that none is on both sides.
    let train = dataset.weighted(&train, &weights, config.seed);
    if train.is_empty() {
        return Err(Error::NothingToTrainOn);
    }
    warn_of_unused(&config.datasets, &dataset.count_by_source(&train));
    let eval = match config.test_datasets.is_empty() {
        false => {
            let (tests, weights) = load(&config.test_datasets)?;
            let all: Vec<u32> = (0..tests.len() as u32).collect();
            let chosen = tests.weighted(&all, &weights, config.seed);
            if chosen.is_empty() {
                return Err(Error::NothingToEvaluateOn);
            }
            Some((tests, chosen))
        }
        true if held_out.is_empty() => None,
        true => Some((dataset.clone(), held_out)),
    };
    let stats = dataset.stats().clone();
    let digest = DataDigest::of(&dataset, &train);
    let samples = train.len();
    let train =
        DataLoader::new(dataset, train, options(config.micro_batch_rows() * config.gradient_accumulation_steps))?;
    observe(Event::Data { samples, rows: train.rows_per_epoch(), padding: train.padding() });
    warn_of_rows_without_target(&train);
    let eval_digest = eval.as_ref().map(|(dataset, samples)| DataDigest::of(dataset, samples));
    let eval = eval.map(|(dataset, samples)| DataLoader::new(dataset, samples, options(config.micro_batch_rows())));
    let eval = eval.transpose()?;
    if let Some(eval) = &eval {
        check_evaluation(config, eval)?;
    }
    Ok(Loaders { train, eval, stats, digest, eval_digest })
}

/// Says which of the data sets no step will see.
fn warn_of_unused(datasets: &[crate::config::Dataset], samples: &[usize]) {
    for (index, (dataset, _)) in datasets.iter().zip(samples).enumerate().filter(|(_, (_, samples))| **samples == 0) {
        tracing::warn!(
            "nothing of datasets.{index} ({}) is trained on: what was asked of it holds no sample, or its weight takes none",
            dataset.path.display()
        );
    }
}

fn warn_of_rows_without_target(loader: &DataLoader) {
    let (empty, rows) = (loader.rows_without_target(), loader.rows_per_epoch());
    if empty > 0 {
        tracing::warn!(
            "of {rows} rows, {empty} hold no token that the loss counts, because samples are cut where a row ends: steps of such rows \
             alone learn nothing and have no loss"
        );
    }
}

/// Refuses an evaluation that would count no token: its loss would be 0, and the best of all.
fn check_evaluation(config: &TrainConfig, loader: &DataLoader) -> Result<(), Error> {
    let batches = config.evaluation_batches_max().min(loader.steps_per_epoch());
    match (0..batches).any(|index| loader.eval_batch(index).target_tokens() > 0) {
        true => Ok(()),
        false => Err(Error::EmptyEvaluation { batches }),
    }
}

/// Rows of a run that began with steps of so many. Passes end with their last row; lengths in other units are rounded up to whole steps.
pub(crate) fn total_rows(duration: Duration, loader: &DataLoader, step_rows: u64) -> u64 {
    let rows = loader.rows_per_epoch() as f64;
    let row_tokens = loader.options().sequence_len as f64 * (1.0 - loader.padding());
    let whole_steps = |rows: f64| ((rows / step_rows as f64).ceil().max(1.0) as u64).saturating_mul(step_rows);
    match duration {
        Duration::Steps(steps) => steps.saturating_mul(step_rows),
        Duration::Epochs(epochs) => epochs.saturating_mul(loader.rows_per_epoch() as u64),
        Duration::Tokens(tokens) => whole_steps(tokens as f64 / row_tokens),
        Duration::Samples(samples) => whole_steps(samples as f64 / loader.samples() as f64 * rows),
    }
}
