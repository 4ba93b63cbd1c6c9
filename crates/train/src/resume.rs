//! What a run goes on from: which checkpoint, whether it fits, and its state brought back to the device.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use checkpoint::{AdapterFolder, Checkpoint, Checkpoints, LoraConfig, ModelSource};
use graph::DType;
use models::{LanguageModel, LinearModule, Lora, LoraModule};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::config::changes::{self, Change};
use crate::config::{ConfigErrors, MicroBatch, TrainConfig};
use crate::improvement::Improvement;
use crate::meter::WindowState;
use crate::metrics::StepRecord;
use crate::plan;
use crate::position::{End, Position};
use crate::run_data::{DataDigest, Evaluated};
use crate::run_folder::is_same;
use crate::setup::Setup;
use crate::{Error, Trainer, output};

/// Why a run cannot go on from a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The settings that it was saved with are none.
    #[error("{path}: the configuration that it was saved with cannot be read: {cause}")]
    Settings {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        cause: ConfigErrors,
    },
    /// A parameter has another shape or type now.
    #[error(
        "{path}: its tensor {name} is {saved_dtype} {saved_shape:?}, but this configuration trains {dtype} {shape:?}; resume \
         with the configuration that it was saved with"
    )]
    Shape {
        /// The checkpoint.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Its type in the checkpoint.
        saved_dtype: DType,
        /// Its shape there.
        saved_shape: Vec<usize>,
        /// The type that is trained.
        dtype: DType,
        /// The shape that is trained.
        shape: Vec<usize>,
    },
    /// It holds other parameters than those that are trained.
    #[error(
        "{path}: it {fault} the tensor {name}{}; resume with the configuration that it was saved with",
        and_more(*others)
    )]
    Tensors {
        /// The checkpoint.
        path: PathBuf,
        /// `lacks`, or what would become of it.
        fault: &'static str,
        /// The first tensor.
        name: String,
        /// How many more there are.
        others: usize,
    },
    /// Its tensors mean another model or another adapter.
    #[error(
        "{path}: what it has trained would be dropped or mean something else ({changes}); set that back, or start another run \
         in another output_dir"
    )]
    Weights {
        /// The checkpoint.
        path: PathBuf,
        /// Old and new, setting by setting.
        changes: String,
    },
    /// Rows are made in another way.
    #[error(
        "{path}: the rows of the data would be other ones ({changes}), and the run's place among them would be lost; set that \
         back, or start another run in another output_dir"
    )]
    Rows {
        /// The checkpoint.
        path: PathBuf,
        /// Old and new, key by key.
        changes: String,
    },
    /// The rows of its steps do not divide over the devices.
    #[error(
        "{path}: its steps have {all} rows, which micro_batch_size: auto keeps, and the mesh spreads rows over {parts} devices (dp times fsdp), which \
         do not divide them: resume on a mesh whose dp times fsdp does, or give the rows of a step from here on as global_batch_size"
    )]
    Spread {
        /// The checkpoint.
        path: PathBuf,
        /// Rows of a step.
        all: u64,
        /// Over how many parts they would be spread.
        parts: u64,
    },
    /// The samples are not those that it was trained on.
    #[error(
        "{path}: the training data are not those that it was saved with ({change}); bring back the files of datasets, the \
         tokenizer and the settings of the data, or start another run in another output_dir"
    )]
    Data {
        /// The checkpoint.
        path: PathBuf,
        /// How they differ.
        change: String,
    },
    /// The run would end before it.
    #[error(
        "{path}: it was saved after {done}, and this run ends after {end}; raise max_steps, num_epochs or max_duration, or start \
         another run in another output_dir"
    )]
    BeyondEnd {
        /// The checkpoint.
        path: PathBuf,
        /// Steps or rows that were done.
        done: String,
        /// Steps or rows of the run.
        end: String,
    },
}

/// What to say where a run is to have another accumulation than `then`, and keeps the rows of its steps.
fn idle_accumulation(then: Option<u64>, config: &TrainConfig) -> Option<String> {
    let now = config.gradient_accumulation_steps;
    let keeps = config.micro_batch_size == MicroBatch::Auto && config.global_batch_size.is_none();
    let then = then.filter(|then| keeps && *then != now)?;
    Some(format!(
        "gradient_accumulation_steps was {then}, and {now} changes nothing: with micro_batch_size: auto a run keeps the rows of its \
         steps; give those of a step from here on as global_batch_size"
    ))
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" and {others} more") }
}

/// What a checkpoint says besides its tensors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TrainerState {
    /// Updates done.
    pub(crate) step: u64,
    /// Rows of the data trained on.
    pub(crate) rows: u64,
    /// Rows of a step when the run began.
    pub(crate) first_step_rows: u64,
    /// `gradient_accumulation_steps` as it was asked for, which earlier versions did not keep.
    #[serde(default)]
    pub(crate) accumulation: Option<u64>,
    /// Tokens trained on, padding not counted.
    pub(crate) tokens: u64,
    /// The configuration as resolved.
    pub(crate) config: String,
    /// The model's own configuration.
    pub(crate) model: Value,
    /// Seconds since 1970 that chat templates saw as now.
    pub(crate) clock: i64,
    /// What the next line of metrics begins with.
    pub(crate) window: WindowState,
    /// The record of the newest step, where its window is still open, which earlier versions did not keep.
    #[serde(default)]
    pub(crate) unrecorded: Option<StepRecord>,
    /// Whether the run stopped before an evaluation that is due after this step.
    pub(crate) evaluation_due: bool,
    /// Whether it was saved only because time had passed, and may go when there is a newer one.
    pub(crate) interim: bool,
    /// What the evaluations have shown.
    pub(crate) improvement: Improvement,
    /// What they are of, which earlier versions did not keep.
    #[serde(default)]
    pub(crate) evaluated: Option<Evaluated>,
    /// The samples that it was trained on.
    pub(crate) data: DataDigest,
    /// The digest of the weights that an adapter is trained over, which earlier versions did not keep.
    #[serde(default)]
    pub(crate) base_model: Option<u32>,
}

impl TrainerState {
    pub(crate) fn position(&self) -> Position {
        Position { step: self.step, rows: self.rows }
    }
}

/// Settings that decide which samples share a row and in which order rows come.
const ROW_KEYS: [&str; 3] = ["sequence_len", "sample_packing", "seed"];

/// Settings of which only their product means something where the first of them is to be found.
const STEP_KEYS: [&str; 3] = ["micro_batch_size", "gradient_accumulation_steps", "global_batch_size"];

/// Settings that differ from one run to the next without a meaning for what is trained.
const PLACE_KEYS: [&str; 2] = ["output_dir", "resume_from_checkpoint"];

/// Whether a checkpoint is interim, of all that [`TrainerState`] says.
#[derive(Deserialize)]
struct Planning {
    interim: bool,
}

/// The steps of a run's interim checkpoints, those included that an earlier process left. Damaged ones are left to
/// [`Checkpoints::newest`] and [`Checkpoints::retain`].
pub(crate) fn interim_steps(checkpoints: &Checkpoints) -> Result<Vec<u64>, checkpoint::Error> {
    let is_interim = |step: &u64| {
        // There may be hundreds, each with a tokenizer.
        let checkpoint = Checkpoint::open_anywhere(checkpoints.path(*step));
        checkpoint.and_then(|checkpoint| checkpoint.trainer_state::<Planning>()).is_ok_and(|state| state.interim)
    };
    Ok(checkpoints.steps()?.into_iter().filter(is_interim).collect())
}

/// What a checkpoint says besides its tensors, and the configuration that it was saved with.
pub(crate) fn read_state(checkpoint: &Checkpoint) -> Result<(TrainerState, TrainConfig), Error> {
    let state: TrainerState = checkpoint.trainer_state()?;
    let saved = TrainConfig::parse_written(&state.config, Path::new("its config"))
        .map_err(|cause| ResumeError::Settings { path: checkpoint.path().to_path_buf(), cause })?;
    Ok((state, saved))
}

/// A checkpoint that a run goes on from.
pub(crate) struct Resumed {
    checkpoint: Checkpoint,
    pub(crate) state: TrainerState,
    /// The configuration that it was saved with.
    saved: TrainConfig,
}

impl Resumed {
    /// With `resume` the newest of the run's own checkpoints, else that of another run, if one is named.
    pub(crate) fn find(
        config: &TrainConfig,
        checkpoints: &mut Checkpoints,
        resume: bool,
    ) -> Result<Option<Resumed>, Error> {
        let own = if resume { checkpoints.newest()? } else { None };
        if let Some(own) = own {
            return Ok(Some(Resumed::read(own)?));
        }
        let other = config.resume_from_checkpoint.as_deref();
        if resume {
            let begins = other.map_or_else(|| "anew".to_owned(), |other| format!("from {}", other.display()));
            let run = config.output_dir.display();
            tracing::info!("--resume: there is no checkpoint in {run} to resume from, and the run begins {begins}");
        }
        let Some(other) = other else { return Ok(None) };
        let mut resumed = Resumed::read(Checkpoint::open(other)?)?;
        // Its best is in its own folder, and may have been measured on other data.
        resumed.state.improvement = Improvement::default();
        Ok(Some(resumed))
    }

    /// What the first process of the run has found, verified and told.
    pub(crate) fn told(path: &Path, improvement: Improvement) -> Result<Resumed, Error> {
        let mut resumed = Resumed::read(Checkpoint::open_unverified(path)?)?;
        resumed.state.improvement = improvement;
        Ok(resumed)
    }

    /// Reads what a checkpoint says besides its tensors.
    pub(crate) fn read(checkpoint: Checkpoint) -> Result<Resumed, Error> {
        let (state, saved) = read_state(&checkpoint)?;
        Ok(Resumed { checkpoint, state, saved })
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.checkpoint.path().to_path_buf()
    }

    /// What is left of it once its tensors are on the device. Its files are let go of: mapped, they would take room on the disk for as long as
    /// the run goes on, whoever removes them.
    pub(crate) fn into_state(self) -> TrainerState {
        self.state
    }

    /// The configuration with `base_model` and `lora_model_dir` as the run began with them. The folder of a run stands for other weights
    /// when that run has gone on; then the checkpoint that it stood for is meant.
    pub(crate) fn keep_folders(&self, config: &TrainConfig) -> TrainConfig {
        let kept = |folder: &Option<PathBuf>, saved: &Option<PathBuf>| match (folder, saved) {
            (Some(folder), Some(saved)) if is_checkpoint_of(saved, folder) => Some(saved.clone()),
            _ => folder.clone(),
        };
        TrainConfig {
            base_model: kept(&config.base_model, &self.saved.base_model),
            lora_model_dir: kept(&config.lora_model_dir, &self.saved.lora_model_dir),
            ..config.clone()
        }
    }

    /// The configuration with as many rows in a step as `global_batch_size` says or, without that, as the run has had, where those of a micro-batch
    /// are to be found. On the mesh on which they were found they stay, so that the run goes on bit for bit; on another
    /// they are found anew.
    pub(crate) fn keep_rows(&self, config: TrainConfig, devices: usize) -> Result<TrainConfig, Error> {
        if let Some(message) = idle_accumulation(self.state.accumulation, &config) {
            tracing::warn!("{message}");
        }
        let Some(all) = self.step_rows(&config) else { return Ok(config) };
        let shape = config.mesh.sizes().on(devices)?;
        let (rows, parts) = (self.saved.micro_batch_rows(), shape.row_parts() as u64);
        if config.global_batch_size.is_none() && !all.is_multiple_of(parts) {
            return Err(Error::Resume(ResumeError::Spread { path: self.path(), all, parts }));
        }
        let config = TrainConfig { global_batch_size: Some(all), ..config };
        let then = self.checkpoint.mesh();
        let is_as_then = shape.sizes().iter().all(|(axis, size)| then.get(*axis).copied().unwrap_or(1) == *size);
        Ok(if is_as_then && all.is_multiple_of(rows) { config.with_rows(rows) } else { config })
    }

    /// The rows of a step, where those of a micro-batch are to be found: as many as before, if nothing else is said.
    fn step_rows(&self, config: &TrainConfig) -> Option<u64> {
        let then = self.saved.micro_batch_rows() * self.saved.gradient_accumulation_steps;
        let all = config.global_batch_size.unwrap_or(then);
        (config.micro_batch_size == MicroBatch::Auto).then_some(all)
    }

    /// Refuses settings under which the tensors, or the place in the data, would mean something else.
    pub(crate) fn check_settings(&self, config: &TrainConfig, setup: &Setup) -> Result<(), Error> {
        let mut changes = config.changes_since(&self.saved);
        changes.retain(|change| !is_same_folder(change));
        if let Some(all) = self.step_rows(config) {
            let then = self.saved.micro_batch_rows() * self.saved.gradient_accumulation_steps;
            changes.retain(|change| !STEP_KEYS.contains(&change.key.as_str()));
            let change = Change { key: "rows of a step".to_owned(), old: then.into(), new: all.into() };
            changes.extend((all != then).then_some(change));
        }
        let of_rows = changes::listed(changes.iter().filter(|change| ROW_KEYS.contains(&change.key.as_str())));
        if !of_rows.is_empty() {
            return Err(Error::Resume(ResumeError::Rows { path: self.path(), changes: of_rows }));
        }
        let saved_model = LanguageModel::from_json(&self.state.model);
        let mut of_weights = model_changes(&self.state.model, &setup.plan.model.to_json());
        of_weights.extend(changes.iter().filter(|change| change.key == "adapter").cloned());
        let adapter = adapter_of(&self.checkpoint)?;
        if let (Some(now), Some(adapter), Ok(saved_model)) = (&setup.plan.lora, &adapter, &saved_model) {
            let saved = plan::lora(adapter.config(), saved_model).map_err(Error::Plan)?;
            let linear = saved_model.adaptable_modules()?;
            let mut of_adapter = changes::between(&described(&saved, &linear), &described(now, &linear));
            if let (Some(lora), true) = (&setup.lora, saved.own != now.own) {
                of_adapter.extend(changes::between(&trained_in_full(adapter.config()), &trained_in_full(lora)));
            }
            if !of_adapter.is_empty() {
                // It says whether output layer and embedding are one.
                of_weights.retain(|change| change.key != "tie_word_embeddings");
            }
            of_weights.extend(of_adapter);
        }
        let mut told: Vec<String> = of_weights.iter().map(Change::to_string).collect();
        told.extend(self.other_base(config, &changes)?);
        if let (Some(adapter), true) = (&adapter, told.is_empty()) {
            told.extend(other_frozen(adapter, config, setup, &changes)?);
        }
        if !told.is_empty() {
            return Err(Error::Resume(ResumeError::Weights { path: self.path(), changes: told.join("; ") }));
        }
        let told: Vec<&Change> = changes.iter().filter(|change| !PLACE_KEYS.contains(&change.key.as_str())).collect();
        if !told.is_empty() {
            tracing::warn!("the checkpoint was saved with other settings: {}", changes::listed(told));
        }
        Ok(())
    }

    /// How the weights that an adapter is trained over, which are not in the checkpoint, are others than then.
    fn other_base(&self, config: &TrainConfig, changes: &[Change]) -> Result<Option<String>, checkpoint::Error> {
        let Some((base, _)) = config.base_model.as_ref().zip(config.adapter) else { return Ok(None) };
        let change = changes.iter().find(|change| change.key == "base_model");
        let is_other = match self.state.base_model {
            Some(then) => ModelSource::open(base, None)?.model().digest() != then,
            None => change.is_some_and(|change| is_another_model(&change.old)),
        };
        let told = || match change {
            Some(change) => change.to_string(),
            None => format!("base_model: {} has other weights than then", base.display()),
        };
        Ok(is_other.then(told))
    }

    /// Refuses other samples than those that it was trained on: its row would stand at another place among them.
    pub(crate) fn check_data(&self, found: DataDigest) -> Result<(), ResumeError> {
        let trained = self.state.data;
        if trained == found {
            return Ok(());
        }
        let total = |digest: DataDigest| (digest.samples, digest.tokens);
        let change = if total(trained) == total(found) {
            format!("{} samples of {} tokens as then, but other ones or in another order", found.samples, found.tokens)
        } else {
            let DataDigest { samples, tokens, .. } = trained;
            format!("{samples} samples of {tokens} tokens then, {} of {} now", found.samples, found.tokens)
        };
        Err(ResumeError::Data { path: self.path(), change })
    }

    /// Forgets the best evaluation where it was of other data than this run's are: nothing could be told to be better than it. A run that is over, for which
    /// `goes_on` is false, evaluates nothing more, and keeps it.
    pub(crate) fn compare_evaluations(&mut self, found: Option<Evaluated>, goes_on: bool) {
        let TrainerState { improvement, evaluated, evaluation_due, .. } = &mut self.state;
        let are_others = evaluated.zip(found).is_some_and(|(then, now)| then != now);
        if are_others && *improvement != Improvement::default() {
            if !goes_on && !*evaluation_due {
                tracing::warn!(
                    "the best evaluation was of other data, or of another number of their rows, and stays the best: no step is left"
                );
                return;
            }
            tracing::warn!(
                "the best evaluation so far was of other data, or of another number of their rows, and no longer counts: what is best is \
                 found anew from here on"
            );
            *improvement = Improvement::default();
        }
    }

    /// Refuses a run that ends before the checkpoint.
    pub(crate) fn check_end(&self, end: End) -> Result<(), ResumeError> {
        let at = self.state.position();
        if !end.is_before(at) {
            return Ok(());
        }
        let (done, end) = match end {
            End::Step(end) => (format!("step {}", at.step), format!("step {end}")),
            End::Row(end) => (format!("{} rows of the data", at.rows), format!("{end}")),
        };
        Err(ResumeError::BeyondEnd { path: self.path(), done, end })
    }

    /// Brings trained parameters and their moments back.
    pub(crate) fn restore(&self, trainer: &mut Trainer<'_>) -> Result<(), Error> {
        restore(&self.checkpoint, trainer)
    }
}

/// Whether `path` is a checkpoint, still there, of the run in `folder`.
fn is_checkpoint_of(path: &Path, folder: &Path) -> bool {
    let is_there = |path: &Path| path.parent().and_then(Path::parent).is_some_and(|run| is_same(run, folder));
    path.is_dir() && fs::canonicalize(path).is_ok_and(|path| is_there(&path))
}

/// Whether a folder that the run starts from has only another name.
fn is_same_folder(change: &Change) -> bool {
    let is_start = ["base_model", "lora_model_dir"].contains(&change.key.as_str());
    let paths = (change.old.as_str(), change.new.as_str());
    is_start && matches!(paths, (Some(old), Some(new)) if is_same(Path::new(old), Path::new(new)))
}

/// Whether the model at another path than `old` is another one, where only the paths can tell. Where the old one is gone, it was moved, or
/// staged elsewhere for this job, and is taken to be the same; but a checkpoint of a run does not move, it is replaced, and a relative path
/// says nothing once it is read in another folder.
fn is_another_model(old: &Value) -> bool {
    let Some(old) = old.as_str().map(Path::new) else { return true };
    let is_in_run = old.parent().is_some_and(|parent| parent.file_name() == Some(checkpoint::CHECKPOINTS.as_ref()));
    let is_of_run = is_in_run && checkpoint::parse_step(old).is_some();
    old.is_relative() || is_of_run || old.exists()
}

/// A checkpoint as the adapter that it is. Those of earlier versions do not say which.
fn adapter_of(checkpoint: &Checkpoint) -> Result<Option<AdapterFolder>, checkpoint::Error> {
    let path = checkpoint.path();
    path.join("adapter_config.json").is_file().then(|| AdapterFolder::open(path, None)).transpose()
}

/// How a weight that `adapter`, a checkpoint's, was trained over is another one now, of those that an adapter's file may hold.
fn other_frozen(
    adapter: &AdapterFolder,
    config: &TrainConfig,
    setup: &Setup,
    changes: &[Change],
) -> Result<Option<String>, Error> {
    let Some(source) = &setup.source else { return Ok(None) };
    let params = setup.plan.params()?;
    let (then, now) = (output::frozen(Some(adapter), &params)?, output::frozen(setup.started(), &params)?);
    let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    for name in names {
        let then = match then.get(name) {
            Some(tensor) => tensor.clone(),
            None => source.model().tensor(name)?,
        };
        let now = source.tensor(name)?;
        // Files may have the same values in other element types.
        if then != now && then.to_f32() != now.to_f32() {
            let folder = config.lora_model_dir.as_deref().unwrap_or(Path::new("")).display();
            let change = changes.iter().find(|change| change.key == "lora_model_dir");
            return Ok(Some(match change {
                Some(change) => format!("{change}, with another {name}"),
                None => format!("lora_model_dir: {folder} has another {name} than then"),
            }));
        }
    }
    Ok(None)
}

/// How the model that is described by `new` is another one than that of `old`, for weights that are trained.
fn model_changes(old: &Value, new: &Value) -> Vec<Change> {
    let of_trained = |config: &Value| {
        let mut config = config.clone();
        // It says what weights are drawn from when a run begins, and nothing of what becomes of them.
        config.as_object_mut().and_then(|fields| fields.remove("initializer_range"));
        config
    };
    let (old, new) = (of_trained(old), of_trained(new));
    // The same model can be described in several ways.
    match (LanguageModel::from_json(&old), LanguageModel::from_json(&new)) {
        (Ok(old), Ok(new)) if old == new => Vec::new(),
        _ => changes::between(&old, &new),
    }
}

/// What an adapter is, module by module: those of all layers together where they are alike.
fn described(lora: &Lora, linear: &[LinearModule]) -> Value {
    let of = |path: &String| lora.modules.get(path);
    let mut described = serde_json::Map::from_iter([("peft_use_dora".to_owned(), Value::from(lora.dora))]);
    for module in linear {
        let paths = module.paths();
        let alike = paths.iter().all(|path| of(path) == of(&paths[0]));
        let named = if alike { vec![(&module.path, &paths[0])] } else { paths.iter().zip(&paths).collect() };
        for (name, LoraModule { rank, scale }) in named.into_iter().filter_map(|(name, path)| Some((name, of(path)?))) {
            described.insert(name.clone(), Value::from(format!("rank {rank}, scale {scale}")));
        }
    }
    Value::Object(described)
}

/// What a configuration says of the model's own parameters that belong to an adapter.
fn trained_in_full(config: &LoraConfig) -> Value {
    let modules = config.modules_to_save.as_deref().unwrap_or_default();
    json!({"lora_modules_to_save": modules, "bias": config.bias})
}

/// Brings the trained parameters and the moments of a checkpoint back; each of its tensors has to be one of them.
pub(crate) fn restore(checkpoint: &Checkpoint, trainer: &mut Trainer<'_>) -> Result<(), Error> {
    let specs = trainer.state();
    let path = || checkpoint.path().to_path_buf();
    let expected: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    // What is not trained comes from where the run began.
    let adapter = adapter_of(checkpoint)?;
    let frozen = output::frozen(adapter.as_ref(), &trainer.program().params)?;
    let found: BTreeSet<&str> = checkpoint.tensors().names().filter(|name| !frozen.contains_key(*name)).collect();
    let faults =
        [("lacks", expected.difference(&found)), ("holds, and this run would not use,", found.difference(&expected))];
    for (fault, mut names) in faults {
        if let Some(name) = names.next() {
            let (name, others) = ((*name).to_owned(), names.count());
            return Err(Error::Resume(ResumeError::Tensors { path: path(), fault, name, others }));
        }
    }
    for spec in specs {
        let (saved_dtype, saved_shape) =
            (checkpoint.tensors().dtype(&spec.name)?, checkpoint.tensors().shape(&spec.name));
        if saved_shape != Some(&spec.shape) || saved_dtype != spec.dtype {
            return Err(Error::Resume(ResumeError::Shape {
                path: path(),
                saved_dtype,
                saved_shape: saved_shape.unwrap_or_default().to_vec(),
                name: spec.name,
                dtype: spec.dtype,
                shape: spec.shape,
            }));
        }
    }
    trainer.restore(|name, ranges| Ok(checkpoint.tensors().part(name, ranges)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With rows that are to be found a run keeps those of its steps. Which accumulation follows differs from mesh to mesh; what was asked for does not.
    #[test]
    fn an_accumulation_that_changes_nothing_is_told() {
        let told = |then: Option<u64>, keys: &str| {
            let text = format!("base_model: a\nlearning_rate: 1e-4\ndatasets: [{{ path: a.jsonl }}]\n{keys}\n");
            let config =
                TrainConfig::parse(&text, Path::new("run.yaml"), &[]).unwrap_or_else(|errors| panic!("{errors}"));
            idle_accumulation(then, &config)
        };
        let message = told(Some(4), "micro_batch_size: auto\ngradient_accumulation_steps: 8").unwrap_or_default();
        assert_eq!(
            message,
            "gradient_accumulation_steps was 4, and 8 changes nothing: with micro_batch_size: auto a run keeps the rows of its steps; \
             give those of a step from here on as global_batch_size"
        );
        for (then, keys) in [
            (Some(4), "micro_batch_size: auto\ngradient_accumulation_steps: 4"),
            (None, "micro_batch_size: auto\ngradient_accumulation_steps: 8"),
            (Some(4), "micro_batch_size: auto\nglobal_batch_size: 8"),
            (Some(4), "micro_batch_size: 2\ngradient_accumulation_steps: 8"),
        ] {
            assert_eq!(told(then, keys), None, "{keys}");
        }
    }

    /// Of any family, and where one of the two says nothing of it.
    #[test]
    fn what_weights_were_drawn_from_is_no_change_of_the_model() {
        let models = [
            json!({"model_type": "mamba", "vocab_size": 64, "hidden_size": 16, "num_hidden_layers": 2, "state_size": 4}),
            json!({"model_type": "llama", "vocab_size": 64, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
                   "num_attention_heads": 2}),
        ];
        for model in models {
            let with = |key: &str, value: Value| {
                let mut config = model.clone();
                config[key] = value;
                LanguageModel::from_json(&config).unwrap().to_json()
            };
            let drawn = |range: f64| with("initializer_range", range.into());
            let plain = LanguageModel::from_json(&model).unwrap().to_json();
            for (old, new) in [(drawn(0.1), drawn(0.02)), (drawn(0.1), plain.clone()), (plain.clone(), drawn(0.1))] {
                assert_eq!(model_changes(&old, &new), []);
            }
            let told = changes::listed(&model_changes(&drawn(0.1), &with("hidden_size", 32.into())));
            assert_eq!(told, "hidden_size: 16 -> 32");
        }
    }

    /// Checkpoints of earlier versions do not say what their base model was.
    #[test]
    fn a_base_model_that_is_gone_was_moved_unless_its_path_says_otherwise() {
        let there = tempfile::tempdir().unwrap();
        let cases = [
            (there.path().to_str(), true),
            (Some("/gone/model"), false),
            (Some("/gone/checkpoints/Llama-2-7b"), false),
            (Some("/gone/checkpoints/step-00000100"), true),
            (Some("/gone/step-00000100"), false),
            (Some("gone/model"), true),
            (None, true),
        ];
        for (old, expected) in cases {
            assert_eq!(is_another_model(&Value::from(old)), expected, "{old:?}");
        }
    }
}
