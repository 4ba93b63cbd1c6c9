//! Files to tokens, on all cores.

use std::fs;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;

use crate::dataset::{Dataset, Progress};
use crate::encode::{Sample, encode_and_compare};
use crate::error::{Error, Place, Result};
use crate::lines::Raw;
use crate::long_text::Encoder;
use crate::options::{DatasetOptions, ExcessLength};
use crate::pack::Packing;
use crate::record::{Form, Record};
use crate::records::{Records, parse_object};
use crate::show::{Marks, mark_targets};
use crate::source::{Source, check_read_once, is_read_once};
use crate::split::Part;
use crate::stats::{Stats, UnlikeGeneration};
use crate::tokenizer::Tokenizer;
use crate::turns::Mismatch;

/// Records and bytes that are read before the threads are given work: enough to keep them busy, little to hold.
const CHUNK_RECORDS: usize = 8192;
const CHUNK_BYTES: usize = 16 << 20;

/// A record that is tokenised only to see whether it can be.
const TRIED_BYTES_MAX: usize = 1 << 20;

/// Tokens of a sample that a refusal shows.
const SHOWN_TOKENS: usize = 512;

/// The files of a data set, found and not yet read.
pub(crate) struct Builder<'a> {
    pub(crate) options: &'a DatasetOptions,
    pub(crate) tokenizer: &'a Tokenizer,
    pub(crate) stop: &'a AtomicBool,
    /// For each source its parts, each with its files.
    pub(crate) parts: Vec<Vec<(Part, Vec<PathBuf>)>>,
}

/// A data set while its files are being read.
struct Building<'a> {
    builder: &'a Builder<'a>,
    dataset: Dataset,
    /// Bytes of the files that have been read to their ends.
    bytes: u64,
    total_bytes: u64,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

impl<'a> Builder<'a> {
    pub(crate) fn new(options: &'a DatasetOptions, tokenizer: &'a Tokenizer, stop: &'a AtomicBool) -> Result<Self> {
        let parts = options.sources.iter().map(Source::parts).collect::<Result<Vec<_>>>()?;
        check_read_once(parts.iter().flatten())?;
        Ok(Builder { options, tokenizer, stop, parts })
    }

    pub(crate) fn unless_stopped(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
    }

    /// All files, in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().flatten().flat_map(|(_, files)| files).map(PathBuf::as_path)
    }

    /// Bytes of all files, compressed as they are.
    pub(crate) fn total_bytes(&self) -> u64 {
        self.files().map(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).sum()
    }

    pub(crate) fn build(&self, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Dataset> {
        let total_bytes = self.total_bytes();
        let mut building = Building { builder: self, dataset: Dataset::empty(), bytes: 0, total_bytes, progress };
        for (source, parts) in self.options.sources.iter().zip(&self.parts) {
            let mut form = source.form;
            for (part, files) in parts {
                building.read_part(source, &mut form, part, files)?;
            }
            building.dataset.end_source();
        }
        let dataset = building.dataset;
        if dataset.stats().samples == 0 { Err(self.empty(dataset.stats())) } else { Ok(dataset) }
    }

    /// That nothing can be learned from what was read.
    fn empty(&self, stats: &Stats) -> Error {
        let Stats { lines, skipped, without_target, dropped, .. } = *stats;
        let sources = &self.options.sources;
        let files: Vec<String> = sources.iter().map(|source| source.path.display().to_string()).collect();
        let (detail, advice) = match lines {
            0 if sources.iter().any(|source| source.split.is_some()) => {
                ("no record is in the part that the split names".to_owned(), "check the files and the split")
            }
            0 if files.len() == 1 => ("no record is there".to_owned(), "check it"),
            0 => ("they hold no record".to_owned(), "check the files"),
            _ => {
                let counted = [
                    (skipped, ["bad line was skipped", "bad lines were skipped"]),
                    (without_target, ["sample teaches nothing", "samples teach nothing"]),
                    (dropped, ["sample is longer than sequence_len", "samples are longer than sequence_len"]),
                ];
                let counted = counted.into_iter().filter(|(count, _)| *count > 0);
                let detail: Vec<_> = counted
                    .map(|(count, [one, several])| format!("{count} {}", if count == 1 { one } else { several }))
                    .collect();
                let advice = if dropped > 0 { "check the files, or raise sequence_len" } else { "check the files" };
                (detail.join(", "), advice)
            }
        };
        Error::Empty { files: files.join(", "), detail, advice }
    }

    /// Does with the first record of each part what [`Builder::build`] does with all. Where that costs more than a look, or is not sure
    /// to be a record that is asked for, the file is only opened, and what can be read once is left alone.
    pub(crate) fn try_first_records(&self) -> Result<()> {
        let (dataset, progress) = (Dataset::empty(), &mut |_: Progress<'_>| {});
        let mut building = Building { builder: self, dataset, bytes: 0, total_bytes: 0, progress };
        for (source, parts) in self.options.sources.iter().zip(&self.parts) {
            let mut form = source.form;
            for (part, files) in parts {
                let Some(file) = files.first().filter(|file| !is_read_once(file)) else { continue };
                let mut records = Records::open(file)?;
                if part.needs_count() || !part.range(u64::MAX).contains(&0) {
                    continue;
                }
                // As many as tell the form, which is not always the first one's to say.
                let mut chunk = records.next_chunk(CHUNK_RECORDS, CHUNK_BYTES)?;
                if form.is_none() {
                    form = detect_form(file, source, &chunk, self.options.skip_bad)?;
                }
                chunk.truncate(1);
                if chunk.iter().all(|record| record.bytes_held() <= TRIED_BYTES_MAX) {
                    building.read_chunk(source, &mut form, file, chunk)?;
                }
            }
        }
        Ok(())
    }

    /// The records of a part, counted over all of its files.
    fn range(&self, part: &Part, files: &[PathBuf]) -> Result<Range<u64>> {
        if !part.needs_count() {
            return Ok(part.range(u64::MAX));
        }
        let mut count = 0;
        for file in files {
            let mut records = Records::open(file)?;
            while records.next()?.is_some() {
                count += 1;
                self.unless_stopped()?;
            }
        }
        Ok(part.range(count))
    }
}

impl Building<'_> {
    fn read_part(&mut self, source: &Source, form: &mut Option<Form>, part: &Part, files: &[PathBuf]) -> Result<()> {
        let range = self.builder.range(part, files)?;
        let mut next = 0;
        for file in files {
            let mut records = Records::open(file)?;
            self.tell(file, &records);
            while next < range.end {
                self.builder.unless_stopped()?;
                let mut chunk = records.next_chunk(CHUNK_RECORDS, CHUNK_BYTES)?;
                if chunk.is_empty() {
                    break;
                }
                let first = next;
                next += chunk.len() as u64;
                let within = |place: u64| place.clamp(first, next) - first;
                chunk.truncate(within(range.end) as usize);
                chunk.drain(..(within(range.start) as usize).min(chunk.len()));
                self.read_chunk(source, form, file, chunk)?;
                self.tell(file, &records);
            }
            self.bytes += records.position();
        }
        Ok(())
    }

    fn tell(&mut self, path: &Path, records: &Records) {
        let bytes = self.bytes + records.position();
        let (total_bytes, stats) = (self.total_bytes, self.dataset.stats());
        (self.progress)(Progress { path, bytes, total_bytes, stats });
    }

    fn read_chunk(&mut self, source: &Source, form: &mut Option<Form>, path: &Path, chunk: Vec<Raw>) -> Result<()> {
        let Builder { options, tokenizer, stop, .. } = *self.builder;
        if form.is_none() {
            *form = detect_form(path, source, &chunk, options.skip_bad)?;
        }
        let encoder = Encoder { tokenizer, stop };
        let worker = Worker { path, source, form: *form, encoder, train_on_inputs: options.train_on_inputs };
        for (place, outcome) in worker.encode_all(chunk) {
            self.dataset.stats_mut().lines += 1;
            match outcome.and_then(|encoded| self.admit(encoded, path, place)) {
                Ok(()) => {}
                Err(error @ (Error::Line { .. } | Error::Refused { .. })) if options.skip_bad => {
                    tracing::debug!("skipped: {error}");
                    self.dataset.stats_mut().skipped += 1;
                }
                Err(error @ Error::NoTarget { .. }) if options.skip_bad => {
                    tracing::debug!("left out: {error}");
                    self.dataset.stats_mut().without_target += 1;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Adds a sample, or leaves it out or refuses it as the options say.
    fn admit(&mut self, encoded: Encoded, path: &Path, place: Place) -> Result<()> {
        let Encoded { mut sample, mismatch, without_target } = encoded;
        let options = self.builder.options;
        if !sample.has_target() {
            return Err(self.no_target(&sample, path, place, without_target));
        }
        let (tokens, limit) = (sample.tokens.len(), options.sequence_len);
        let stats = self.dataset.stats_mut();
        stats.longest = stats.longest.max(tokens as u64);
        if tokens > limit && options.packing != Packing::Concatenate {
            match options.excess_length_strategy {
                ExcessLength::Drop => {
                    stats.dropped += 1;
                    return Ok(());
                }
                ExcessLength::Raise => return Err(Error::TooLong { path: path.to_path_buf(), place, tokens, limit }),
                ExcessLength::Truncate => {
                    sample.tokens.truncate(limit);
                    sample.targets.truncate(limit);
                    if !sample.has_target() {
                        let because = "its targets lie beyond sequence_len, where it was cut off";
                        return Err(self.no_target(&sample, path, place, because));
                    }
                    stats.truncated += 1;
                }
            }
        }
        if let Some(Mismatch { message, difference }) = mismatch {
            stats.unlike_generation += 1;
            stats.first_unlike_generation.get_or_insert_with(|| {
                let file = self.builder.files().position(|file| file == path).unwrap_or_default();
                UnlikeGeneration { path: path.to_path_buf(), file, place, message, difference }
            });
        }
        self.dataset.push(&sample);
        Ok(())
    }

    fn no_target(&self, sample: &Sample, path: &Path, place: Place, because: &'static str) -> Error {
        let shown = sample.tokens.len().min(SHOWN_TOKENS);
        let (tokens, targets) = (&sample.tokens[..shown], &sample.targets[..shown]);
        match mark_targets(self.builder.tokenizer, tokens, targets, Marks::Plain) {
            Ok(shown) => Error::NoTarget { path: path.to_path_buf(), place, because, shown },
            Err(error) => error,
        }
    }
}

/// The form of the first record of a chunk that is a JSON object, or with `skip_bad` of the first that has the keys of one and all
/// that are named. `None` where there is no such record, which is then reported record by record.
///
/// # Errors
/// The keys tell none, or one whose records have no use for a key that is named.
fn detect_form(path: &Path, source: &Source, chunk: &[Raw], skip_bad: bool) -> Result<Option<Form>> {
    let mut refused = None;
    for raw in chunk {
        let Ok(object) = parse_object(path, raw) else { continue };
        let form = Form::detect_with(&object, &source.fields);
        let idle = form.and_then(|form| source.fields.unread_by(form).map(|name| (name, form)));
        let (path, place) = (path.to_path_buf(), raw.place);
        let error = match (form, idle) {
            (Some(form), None) => return Ok(Some(form)),
            (_, Some((name, form))) => Error::IdleField { path, place, name, form },
            (None, None) => Error::UnknownForm { path, place, keys: Form::shown_keys(&object) },
        };
        refused.get_or_insert(error);
        if !skip_bad {
            break;
        }
    }
    refused.map_or(Ok(None), Err)
}

/// A tokenised sample with what may have to be said of it.
struct Encoded {
    sample: Sample,
    mismatch: Option<Mismatch>,
    /// The reason that explains a missing target.
    without_target: &'static str,
}

/// What each thread needs to tokenise records.
#[derive(Clone, Copy)]
struct Worker<'a> {
    path: &'a Path,
    source: &'a Source,
    form: Option<Form>,
    encoder: Encoder<'a>,
    train_on_inputs: bool,
}

impl Worker<'_> {
    /// The outcome of each record, in order, computed on all cores.
    fn encode_all(self, mut raws: Vec<Raw>) -> Vec<(Place, Result<Encoded>)> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        // More parts than threads would even out long records; within a chunk of 16 MiB it does not pay.
        let part = raws.len().div_ceil(threads).max(1);
        let mut parts = Vec::new();
        while !raws.is_empty() {
            let rest = raws.split_off(part.min(raws.len()));
            parts.push(std::mem::replace(&mut raws, rest));
        }
        let encode = |raws: Vec<Raw>| raws.into_iter().map(|raw| (raw.place, self.encode(raw))).collect::<Vec<_>>();
        thread::scope(|scope| {
            let workers: Vec<_> = parts.into_iter().map(|raws| scope.spawn(move || encode(raws))).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn encode(self, raw: Raw) -> Result<Encoded> {
        if self.encoder.stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        let (path, place) = (self.path, raw.place);
        let object = parse_object(path, &raw)?;
        // A record can be as long as memory allows only where it is held once.
        drop(raw);
        let Some(form) = self.form else {
            return Err(Error::line(path, place, "the form of the data is not known yet"));
        };
        let fields = &self.source.fields;
        let broken = |reason: String| Error::line(path, place, reason);
        let record = Record::take(form, fields, object).map_err(broken)?;
        record.check_roles(self.encoder.tokenizer, fields).map_err(broken)?;
        match encode_and_compare(self.encoder, &record, self.train_on_inputs) {
            Ok((sample, mismatch)) => {
                Ok(Encoded { sample, mismatch, without_target: why_no_target(self.encoder.tokenizer, &record) })
            }
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(cause @ (Error::TemplateRender(_) | Error::Tokenize { .. } | Error::NotAPrefix { .. })) => {
                Err(Error::Refused { path: path.to_path_buf(), place, cause: Box::new(cause) })
            }
            Err(cause) => Err(Error::Sample { path: path.to_path_buf(), place, cause: Box::new(cause) }),
        }
    }
}

/// Whether a message has a text that is more than white space, or calls a tool.
fn says_something(message: &Value) -> bool {
    let is_text = |text: &Value| text.as_str().is_some_and(|text| !text.trim().is_empty());
    let (content, calls) = (&message["content"], &message["tool_calls"]);
    let parts = content.as_array().into_iter().flatten();
    is_text(content)
        || parts.into_iter().any(|part| is_text(&part["text"]))
        || calls.as_array().is_some_and(|calls| !calls.is_empty())
}

fn why_no_target(tokenizer: &Tokenizer, record: &Record) -> &'static str {
    match record {
        Record::Text(_) => "it has fewer than two tokens",
        Record::Completion { .. } => "its completion is empty",
        Record::Pieces(_) => "none of its segments that has tokens is labelled true",
        Record::Chat { messages, tools, train, given } => {
            let is_answer = |message: usize| message >= *given && messages[message]["role"] == "assistant";
            let speaks = (0..messages.len()).any(is_answer);
            let learns = |message: usize| train[message].unwrap_or_else(|| is_answer(message));
            let marked = tokenizer.chat_template(tools.is_some()).is_some_and(|template| template.marks_generation());
            match ((0..messages.len()).any(learns), marked) {
                (false, _) if speaks => "its messages say that they are not to be learned",
                (false, _) if *given > 0 => "no message of its completion has the role assistant",
                (false, _) => "no message has the role assistant",
                (true, true) => "the template's {% generation %} block covers no token of it",
                (true, false)
                    if (0..messages.len()).any(|message| learns(message) && says_something(&messages[message])) =>
                {
                    "the chat template does not render the assistant's messages"
                }
                (true, false) => "the assistant's messages are empty",
            }
        }
    }
}
