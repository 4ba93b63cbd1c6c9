//! What a run measured, as files in its folder.
//!
//! Every measurement goes to two places: `metrics.jsonl`, one JSON object a line, which [`read_metrics`] and any text tool
//! read back; and a TensorBoard event file. A line is written with a single call, so a crash can tear only the last one, and
//! the reader passes over a torn last line. What a full disk has left of a record is cut off before the next one. A run that
//! resumes at step N first drops what was measured after N, so that nothing appears twice.

mod appended;
pub(crate) mod hardware;
pub mod tensorboard;

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize};

use appended::Appended;
pub use hardware::HardwareRecord;
use tensorboard::EventWriter;

/// Seconds since the Unix epoch.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |elapsed| elapsed.as_secs_f64())
}

/// Name of the metrics file in a run folder.
pub const METRICS_FILE: &str = "metrics.jsonl";

/// One optimizer step that was logged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// Optimizer steps done, this one included: the first is 1.
    pub step: u64,
    /// Passes over the training set done, as a fraction.
    pub epoch: f64,
    /// Tokens trained on since the run began.
    pub tokens: u64,
    /// Mean negative log-likelihood per target token, in nats, over the steps since the last record, this one included: with
    /// `logging_steps` of 1 that of the step. Not-a-number is `null` in the file.
    #[serde(deserialize_with = "number_or_null")]
    pub loss: f64,
    /// Learning rate of this update.
    pub learning_rate: f64,
    /// Global gradient norm before clipping. Not-a-number is `null` in the file.
    #[serde(deserialize_with = "number_or_null")]
    pub grad_norm: f64,
    /// What z-loss adds to the loss of the step, as a mean over its target tokens, where the run has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z_loss: Option<f64>,
    /// What the auxiliary loss of the routers adds to the loss of the step, of a mixture of experts: Switch Transformers' (Fedus et al. 2021, equation 4)
    /// over all layers, times `router_aux_loss_coef`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router_aux_loss: Option<f64>,
    /// Throughput since the last logged step.
    #[serde(deserialize_with = "number_or_null")]
    pub tokens_per_second: f64,
    /// Wall time of a step in milliseconds, as a mean since the last logged step.
    #[serde(deserialize_with = "number_or_null")]
    pub step_ms: f64,
    /// Model TFLOP/s of each device, see [`crate::ModelFlops`], with all of attention counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_tflops: Option<f64>,
    /// The same with the causal half of attention.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_tflops_causal: Option<f64>,
    /// Model FLOP utilisation: `model_tflops` as a part of a device's peak, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mfu: Option<f64>,
    /// The same of `model_tflops_causal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mfu_causal: Option<f64>,
    /// The most memory that was in use: of the device, or on the CPU of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// When it was measured: seconds since the Unix epoch.
    pub time: f64,
}

/// One pass over the evaluation split.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EvalRecord {
    /// Optimizer steps done before the evaluation.
    pub step: u64,
    /// Tokens trained on before the evaluation.
    pub tokens: u64,
    /// Mean negative log-likelihood per target token of the evaluation split, in nats.
    #[serde(deserialize_with = "number_or_null")]
    pub eval_loss: f64,
    /// `exp(eval_loss)`; `null` in the file where that overflows.
    #[serde(deserialize_with = "number_or_null")]
    pub eval_perplexity: f64,
    /// When it was measured: seconds since the Unix epoch.
    pub time: f64,
}

/// A checkpoint that was written.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SaveRecord {
    /// Optimizer steps done before it. Records of later steps may stand before this one, as it is written while they are taken.
    pub step: u64,
    /// Tokens trained on before it.
    pub tokens: u64,
    /// Bytes of its tensors.
    pub save_bytes: u64,
    /// Seconds for which training waited while they were copied from the devices.
    pub save_stall_seconds: f64,
    /// Seconds until they were on the disk, the copying included.
    pub save_seconds: f64,
    /// The one by the other; `null` in the file where it took no time that can be measured.
    #[serde(deserialize_with = "number_or_null")]
    pub save_bytes_per_second: f64,
    /// When that was known: seconds since the Unix epoch.
    pub time: f64,
}

impl SaveRecord {
    pub(crate) fn new(step: u64, tokens: u64, bytes: u64, stall: Duration, writing: Duration, time: f64) -> Self {
        let [save_stall_seconds, save_seconds] = [stall, writing].map(|duration| duration.as_secs_f64());
        let save_bytes_per_second = bytes as f64 / save_seconds;
        Self { step, tokens, save_bytes: bytes, save_stall_seconds, save_seconds, save_bytes_per_second, time }
    }
}

/// One line of `metrics.jsonl`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MetricsRecord {
    /// A training step.
    Step(StepRecord),
    /// An evaluation; told apart by its key `eval_loss`.
    Eval(EvalRecord),
    /// A checkpoint; told apart by its key `save_bytes`.
    Save(SaveRecord),
    /// A device's sensors; told apart by its key `device`.
    Hardware(HardwareRecord),
}

impl MetricsRecord {
    /// The optimizer step the record belongs to.
    #[must_use]
    pub fn step(&self) -> u64 {
        match self {
            Self::Step(record) => record.step,
            Self::Eval(record) => record.step,
            Self::Save(record) => record.step,
            Self::Hardware(record) => record.step,
        }
    }

    /// When it was written: seconds since the Unix epoch.
    #[must_use]
    pub fn time(&self) -> f64 {
        match self {
            Self::Step(record) => record.time,
            Self::Eval(record) => record.time,
            Self::Save(record) => record.time,
            Self::Hardware(record) => record.time,
        }
    }

    fn parse(line: &[u8]) -> Result<Self, serde_json::Error> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(line)?;
        let has = |key| object.contains_key(key);
        let kinds = [has("eval_loss"), has("device"), has("save_bytes")];
        let value = serde_json::Value::Object(object);
        match kinds {
            [true, ..] => serde_json::from_value(value).map(Self::Eval),
            [_, true, _] => serde_json::from_value(value).map(Self::Hardware),
            [_, _, true] => serde_json::from_value(value).map(Self::Save),
            _ => serde_json::from_value(value).map(Self::Step),
        }
    }

    /// TensorBoard tags and values of the record.
    fn scalars(&self) -> Vec<(Cow<'static, str>, f64)> {
        let named = |(tag, value): (&'static str, f64)| (Cow::Borrowed(tag), value);
        match self {
            Self::Step(record) => {
                let always = [
                    ("train/loss", record.loss),
                    ("train/learning_rate", record.learning_rate),
                    ("train/grad_norm", record.grad_norm),
                    ("train/tokens_per_second", record.tokens_per_second),
                    ("train/step_ms", record.step_ms),
                    ("train/epoch", record.epoch),
                    ("train/tokens", record.tokens as f64),
                ];
                let known = [
                    ("train/z_loss", record.z_loss),
                    ("train/router_aux_loss", record.router_aux_loss),
                    ("train/model_tflops", record.model_tflops),
                    ("train/model_tflops_causal", record.model_tflops_causal),
                    ("train/mfu", record.mfu),
                    ("train/mfu_causal", record.mfu_causal),
                    ("train/peak_memory_bytes", record.peak_memory_bytes.map(|bytes| bytes as f64)),
                ];
                let known = known.into_iter().filter_map(|(tag, value)| Some((tag, value?)));
                always.into_iter().chain(known).map(named).collect()
            }
            Self::Eval(record) => {
                [("eval/loss", record.eval_loss), ("eval/perplexity", record.eval_perplexity)].map(named).into()
            }
            Self::Save(record) => {
                let scalars = [
                    ("save/bytes", record.save_bytes as f64),
                    ("save/stall_seconds", record.save_stall_seconds),
                    ("save/seconds", record.save_seconds),
                    ("save/bytes_per_second", record.save_bytes_per_second),
                ];
                scalars.map(named).into()
            }
            Self::Hardware(record) => record.scalars(),
        }
    }
}

/// JSON has no NaN: it is written as `null`.
fn number_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// Why metrics could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum MetricsError {
    /// The operating system refused a file operation.
    #[error("cannot {action} {}: {cause}", path.display())]
    Io {
        /// What was being done, as a verb.
        action: &'static str,
        /// The file it was done to.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The file without the records of steps that are taken again cannot be written; or whether the run is still this process's cannot be found
    /// out, and its files may be another's.
    #[error(transparent)]
    Folder(#[from] checkpoint::Error),
    /// A line, other than a torn last one, is not a record.
    #[error("{}:{line}: not a metrics record: {reason}; delete the line to go on without it", path.display())]
    Malformed {
        /// The metrics file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What the JSON parser said.
        reason: serde_json::Error,
    },
}

impl MetricsError {
    fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { action, path, cause }
    }
}

/// Reads a metrics file, in file order.
///
/// # Errors
/// The file cannot be read, or a line is malformed. A last line without a newline that is no complete object is what a crash
/// leaves behind, and is passed over.
pub fn read_metrics(path: &Path) -> Result<Vec<MetricsRecord>, MetricsError> {
    let bytes = fs::read(path).map_err(MetricsError::io("read", path))?;
    let lines = complete_lines(&bytes, path)?;
    Ok(lines.into_iter().map(|(_, record)| record).collect())
}

/// Each line (newline excluded) with what it says; blank lines and a torn last line are left out.
fn complete_lines<'a>(bytes: &'a [u8], path: &Path) -> Result<Vec<(&'a [u8], MetricsRecord)>, MetricsError> {
    let mut lines = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let (text, has_end) = line.strip_suffix(b"\n").map_or((line, false), |text| (text, true));
        if text.trim_ascii().is_empty() {
            continue;
        }
        match MetricsRecord::parse(text) {
            Ok(record) => lines.push((text, record)),
            Err(_) if !has_end => break,
            Err(reason) => return Err(MetricsError::Malformed { path: path.to_owned(), line: index + 1, reason }),
        }
    }
    Ok(lines)
}

/// Where a resumed run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResumedAt {
    /// Optimizer steps done.
    pub step: u64,
    /// Whether the evaluation after that step is still to come. It may have been made, and the process have ended before it was saved.
    pub evaluation_due: bool,
    /// Whether that step's record is still to come, or that of a later one which counts it. It may have been written where the run had ended
    /// with that step.
    pub record_due: bool,
}

impl ResumedAt {
    /// Whether something of the step itself is measured again.
    fn is_due(self) -> bool {
        self.evaluation_due || self.record_due
    }

    /// Whether the run measures this again.
    fn is_behind(self, record: &MetricsRecord) -> bool {
        let is_due = match record {
            MetricsRecord::Eval(_) => self.evaluation_due,
            MetricsRecord::Step(_) => self.record_due,
            MetricsRecord::Save(_) | MetricsRecord::Hardware(_) => false,
        };
        record.step() > self.step || is_due && record.step() == self.step
    }
}

/// Appends to the metrics files of one run.
#[derive(Debug)]
pub struct MetricsWriter {
    files: Option<Files>,
    /// The first step of which records could not be written, as long as that is so.
    missing_from: Option<u64>,
}

#[derive(Debug)]
struct Files {
    run_dir: PathBuf,
    lines: Appended,
    events: EventWriter,
}

impl Files {
    /// Appends a line to a file that is begun anew if it is not at its path any more.
    fn append_line(&mut self, record: &MetricsRecord) -> Result<(), MetricsError> {
        if self.lines.is_displaced() {
            // A copy may end with a torn line.
            cut_after(&self.lines.path, Some(ResumedAt { step: u64::MAX, evaluation_due: false, record_due: false }))?;
            let lines = open_lines(&self.run_dir)?;
            warn_of_displaced(&std::mem::replace(&mut self.lines, lines).path, record.step());
        }
        let mut line = serde_json::to_vec(record).expect("a record is JSON");
        line.push(b'\n');
        self.lines.append(&line)
    }

    /// The same of an event. What earlier files say stays, also where a copy is in the place of what was there.
    fn append_event(&mut self, record: &MetricsRecord) -> Result<(), MetricsError> {
        if self.events.is_displaced() {
            let events = EventWriter::create(&self.run_dir, record.time(), None)?;
            warn_of_displaced(std::mem::replace(&mut self.events, events).path(), record.step());
        }
        self.events.scalars(record.time(), record.step(), &record.scalars())
    }
}

fn warn_of_displaced(path: &Path, step: u64) {
    let path = path.display();
    tracing::warn!(
        "{path} was removed, renamed or replaced under the run: from step {step} on its metrics go into a new file"
    );
}

fn open_lines(run_dir: &Path) -> Result<Appended, MetricsError> {
    let path = run_dir.join(METRICS_FILE);
    let file = OpenOptions::new().create(true).append(true).open(&path).map_err(MetricsError::io("open", &path))?;
    Ok(Appended::new(path, file))
}

impl MetricsWriter {
    /// Opens the metrics files in `run_dir`, which must exist, at `now` (seconds since the Unix epoch).
    ///
    /// Records of what a resumed run takes again are dropped from what is there; with `None` the run starts anew and all of them are.
    ///
    /// # Errors
    /// A file cannot be read or written, or the metrics file that is there has a malformed line.
    pub fn open(run_dir: &Path, resumed: Option<ResumedAt>, now: f64) -> Result<Self, MetricsError> {
        let kept = cut_after(&run_dir.join(METRICS_FILE), resumed)?;
        let lines = open_lines(run_dir)?;
        let first_step = resumed.map_or(0, |at| if at.is_due() { at.step } else { at.step + 1 });
        let mut events = EventWriter::create(run_dir, now, Some(first_step))?;
        // Readers forget what else earlier files say of that step, too.
        for record in kept.iter().filter(|record| record.step() == first_step) {
            events.scalars(record.time(), record.step(), &record.scalars())?;
        }
        Ok(Self { files: Some(Files { run_dir: run_dir.to_path_buf(), lines, events }), missing_from: None })
    }

    /// Writes nothing, as processes do that are not the first of their run.
    pub fn silent() -> Self {
        Self { files: None, missing_from: None }
    }

    /// Writes a training step.
    ///
    /// # Errors
    /// A file cannot be written, as on a full disk. Later records are whole all the same.
    pub fn log_step(&mut self, record: &StepRecord) -> Result<(), MetricsError> {
        self.log(&MetricsRecord::Step(*record))
    }

    /// Writes an evaluation.
    ///
    /// # Errors
    /// A file cannot be written, as on a full disk.
    pub fn log_eval(&mut self, record: &EvalRecord) -> Result<(), MetricsError> {
        self.log(&MetricsRecord::Eval(*record))
    }

    /// Writes what it took to save a checkpoint.
    ///
    /// # Errors
    /// A file cannot be written, as on a full disk.
    pub fn log_save(&mut self, record: &SaveRecord) -> Result<(), MetricsError> {
        self.log(&MetricsRecord::Save(*record))
    }

    /// Writes what a device's sensors told.
    ///
    /// # Errors
    /// A file cannot be written, as on a full disk.
    pub fn log_hardware(&mut self, record: &HardwareRecord) -> Result<(), MetricsError> {
        self.log(&MetricsRecord::Hardware(*record))
    }

    /// Writes a record by `log`, after this step. Files that cannot be written, as on a full disk, are told of and tried again with the next
    /// record, and no reason to end a run.
    pub(crate) fn log_or_tell(&mut self, step: u64, log: impl FnOnce(&mut Self) -> Result<(), MetricsError>) {
        match (log(self), self.missing_from) {
            (Ok(()), None) | (Err(_), Some(_)) => {}
            (Err(error), None) => {
                tracing::warn!(
                    "{error}; the run goes on, but from step {step} on metrics are missing, until that is possible again: free some \
                     space, or see to the file system"
                );
                self.missing_from = Some(step);
            }
            (Ok(()), Some(first)) => {
                tracing::warn!(
                    "from step {step} on metrics are written again; from step {first} to there some are missing"
                );
                self.missing_from = None;
            }
        }
    }

    fn log(&mut self, record: &MetricsRecord) -> Result<(), MetricsError> {
        let Some(files) = &mut self.files else { return Ok(()) };
        // Where one file has no room, the other may have some.
        let line = files.append_line(record);
        let event = files.append_event(record);
        line.and(event)
    }
}

/// Drops the records of what comes again (all for `None`), and gives those that stay.
fn cut_after(path: &Path, resumed: Option<ResumedAt>) -> Result<Vec<MetricsRecord>, MetricsError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(MetricsError::io("read", path)(error)),
    };
    let (mut kept, mut records) = (Vec::with_capacity(bytes.len()), Vec::new());
    if let Some(at) = resumed {
        for (line, record) in complete_lines(&bytes, path)?.into_iter().filter(|(_, record)| !at.is_behind(record)) {
            kept.extend_from_slice(line);
            kept.push(b'\n');
            records.push(record);
        }
    }
    if kept != bytes {
        checkpoint::write_file(path, &kept)?;
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn steps(path: &Path) -> Vec<u64> {
        read_metrics(path).unwrap().iter().map(MetricsRecord::step).collect()
    }

    fn log(writer: &mut MetricsWriter, step: u64) -> Result<(), MetricsError> {
        writer.log_step(&StepRecord { step, ..StepRecord::default() })
    }

    /// In place of a full disk, a file that is not open to write; what a full disk leaves of a record is written by hand.
    #[test]
    fn a_full_disk_loses_its_records_and_no_others() {
        let run = tempfile::tempdir().unwrap();
        let path = run.path().join(METRICS_FILE);
        let mut writer = MetricsWriter::open(run.path(), None, 0.0).unwrap();
        log(&mut writer, 1).unwrap();
        let lines =
            |writer: &mut MetricsWriter, file| std::mem::replace(&mut writer.files.as_mut().unwrap().lines.file, file);
        let mut open = lines(&mut writer, fs::File::open(&path).unwrap());
        let error = log(&mut writer, 2).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot append to {}: ", path.display())), "{error}");
        open.write_all(b"{\"step\":2,").unwrap();
        lines(&mut writer, open);
        log(&mut writer, 3).unwrap();
        assert_eq!(steps(&path), [1, 3]);
    }

    #[test]
    fn files_that_are_taken_away_are_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let [run, renamed] = ["run", "renamed"].map(|name| folder.path().join(name));
        fs::create_dir(&run).unwrap();
        let mut writer = MetricsWriter::open(&run, None, 0.0).unwrap();
        log(&mut writer, 1).unwrap();
        fs::rename(&run, &renamed).unwrap();
        let error = log(&mut writer, 2).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot open {}", run.join(METRICS_FILE).display())), "{error}");
        fs::create_dir(&run).unwrap();
        log(&mut writer, 3).unwrap();
        let [old, new] = [&renamed, &run].map(|folder| folder.join(METRICS_FILE));
        assert_eq!((steps(&old), steps(&new)), (vec![1], vec![3]));
        assert_eq!(fs::read_dir(&run).unwrap().count(), 2);
        // As where a folder is moved to another disk.
        let copied = [fs::read(&new).unwrap(), b"{\"step\":".to_vec()].concat();
        fs::remove_file(&new).unwrap();
        fs::write(&new, copied).unwrap();
        log(&mut writer, 4).unwrap();
        assert_eq!(steps(&new), [3, 4]);
    }
}
