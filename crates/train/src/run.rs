//! A training run, from its configuration to the trained model.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use checkpoint::{Checkpoint, Checkpoints, TensorSpec};
use graph::{DType, HostTensor};
use runtime::Session;
use serde::{Deserialize, Serialize};

use crate::config::TrainConfig;
use crate::evaluation::Evaluator;
use crate::metrics::{EvalRecord, MetricsWriter, StepRecord};
use crate::run_data::DataDigest;
use crate::setup::Setup;
use crate::{Error, StepOutcome, Trainer, moment_name, output};

/// What a run tells while it goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Files are being read and tokenised.
    Tokenising(data::Progress<'a>),
    /// The data are ready.
    Data {
        /// Samples to train on.
        samples: usize,
        /// Rows they were packed into.
        rows: usize,
        /// Share of the rows' places that is padding.
        padding: f64,
    },
    /// The model is being compiled and its weights brought to the device.
    Preparing,
    /// Everything is ready.
    Ready {
        /// Parameters of the model.
        parameters: usize,
        /// Those that are trained.
        trained: usize,
        /// Steps done before, by the run that this one goes on.
        first_step: u64,
        /// Steps of the run.
        total_steps: u64,
        /// Seconds that compiling and loading took.
        seconds: f64,
    },
    /// A step is done.
    Step(&'a StepRecord),
    /// The evaluation split was gone through.
    Eval(&'a EvalRecord),
    /// A checkpoint is complete.
    Saved(&'a Path),
    /// The trained model or adapter is written.
    Written(&'a Path),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All steps are done and the model is written.
    Finished,
    /// It was asked to stop, and saved after this step.
    Interrupted {
        /// Steps done.
        step: u64,
    },
    /// It was asked to stop before its first step. Checkpoints are as they were.
    Unstarted,
}

/// Where a run gets what it needs, and whom it tells.
pub struct Surroundings<'a> {
    /// The device.
    pub session: &'a Session,
    /// Folder in which tokenised data sets are kept.
    pub cache: Option<&'a Path>,
    /// Set from outside to make the run save and stop after the step at hand, or end between the phases of its set-up.
    pub stop: &'a AtomicBool,
    /// Go on from the newest complete checkpoint of the run's folder, if there is one.
    pub resume: bool,
    /// Told what happens.
    pub observe: &'a mut dyn FnMut(Event<'_>),
}

/// What a checkpoint says besides its tensors.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TrainerState {
    /// Updates done; where the run stands in its data follows from it.
    step: u64,
    /// Tokens trained on, padding not counted.
    tokens: u64,
    /// The configuration as resolved.
    config: String,
    /// Seconds since 1970 that chat templates saw as now.
    clock: i64,
    /// What the next line of metrics begins with.
    window: WindowState,
    /// Whether the run stopped before an evaluation that is due after this step.
    #[serde(default)]
    evaluation_due: bool,
    /// The samples that it was trained on; earlier versions did not say.
    #[serde(default)]
    data: Option<DataDigest>,
}

/// The part of [`Window`] that a resumed run goes on with.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct WindowState {
    /// The bits of `loss_sum`, because decimals are not always read back to the same number.
    loss_sum_bits: u64,
    targets: u64,
}

/// Trains as `config` says.
///
/// # Errors
/// See [`Error`]; whatever happens, complete checkpoints stay.
pub fn run(config: &TrainConfig, surroundings: Surroundings<'_>) -> Result<Ending, Error> {
    match set_up_and_train(config, surroundings) {
        Err(Error::Stopped) => Ok(Ending::Unstarted),
        result => result,
    }
}

fn unless_stopped(stop: &AtomicBool) -> Result<(), Error> {
    if stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
}

fn set_up_and_train(config: &TrainConfig, surroundings: Surroundings<'_>) -> Result<Ending, Error> {
    let Surroundings { session, cache, stop, resume, observe } = surroundings;
    let found = previous(config, resume)?;
    check_folder(config)?;
    let state: Option<TrainerState> = found.as_ref().map(Checkpoint::trainer_state).transpose()?;
    let clock = state.as_ref().map_or_else(|| now() as i64, |state| state.clock);
    unless_stopped(stop)?;
    let setup = Setup::new(config, session, cache, clock, observe)?;
    unless_stopped(stop)?;
    if let (Some(checkpoint), Some(trained)) = (&found, state.as_ref().and_then(|state| state.data)) {
        check_data(checkpoint, trained, setup.data.digest)?;
    }
    create_folder(&config.output_dir)?;
    let _lock = lock(&config.output_dir)?;
    observe(Event::Preparing);
    let started = Instant::now();
    let mut trainer = Trainer::new(session, setup.plan.clone(), |parameters, spec| {
        unless_stopped(stop)?;
        setup.parameter(parameters, spec)
    })?;
    if let Some(checkpoint) = &found {
        restore(&mut trainer, checkpoint)?;
        warn_of_changes(config, state.as_ref());
    }
    unless_stopped(stop)?;
    write_config(config)?;
    let evaluator = setup.data.eval.is_some().then(|| Evaluator::new(session, &setup.plan)).transpose()?;
    let first_step = state.as_ref().map_or(0, |state| state.step);
    observe(Event::Ready {
        parameters: trainer.program().params.iter().map(graph::ParamSpec::element_count).sum(),
        trained: trainer.trained().map(graph::ParamSpec::element_count).sum(),
        first_step,
        total_steps: setup.data.total_steps,
        seconds: started.elapsed().as_secs_f64(),
    });
    let metrics = MetricsWriter::open(&config.output_dir, found.as_ref().map(|_| first_step), now())?;
    let mut running = Run {
        config,
        setup: &setup,
        session,
        trainer,
        evaluator,
        metrics,
        checkpoints: Checkpoints::open(&config.output_dir)?,
        step: first_step,
        tokens: state.as_ref().map_or(0, |state| state.tokens),
        clock,
        window: Window::new(state.as_ref().map(|state| state.window).unwrap_or_default()),
        unproven: false,
        evaluation_due: state.as_ref().is_some_and(|state| state.evaluation_due),
        observe,
    };
    running.steps(stop)
}

/// The checkpoint that a run goes on from: with `resume` its own newest, else that of another run, if one is named.
fn previous(config: &TrainConfig, resume: bool) -> Result<Option<Checkpoint>, Error> {
    let folder = config.output_dir.join("checkpoints");
    if resume && let Some(own) = checkpoint::latest(&config.output_dir)? {
        return Ok(Some(own));
    }
    let occupied = std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some());
    if occupied && !resume {
        return Err(Error::Run(format!(
            "{} holds checkpoints of an earlier run; go on with it by --resume, or choose another output_dir",
            folder.display()
        )));
    }
    Ok(config.resume_from_checkpoint.as_ref().map(Checkpoint::open).transpose()?)
}

/// Refuses other samples than those that a checkpoint was trained on: its step would stand at another place among them.
fn check_data(checkpoint: &Checkpoint, trained: DataDigest, found: DataDigest) -> Result<(), Error> {
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
    Err(Error::Run(format!(
        "{}: the training data are not those that it was saved with ({change}); bring back the files of datasets, the \
         tokenizer and the settings of the data, or start another run in another output_dir",
        checkpoint.path().display()
    )))
}

fn restore(trainer: &mut Trainer<'_>, checkpoint: &Checkpoint) -> Result<(), Error> {
    let names: Vec<String> = state_specs(trainer).into_iter().map(|spec| spec.name).collect();
    let expected = state_specs(trainer);
    for (name, spec) in names.iter().zip(&expected) {
        let tensor = checkpoint.tensors().tensor(name)?;
        if tensor.shape() != spec.shape || tensor.dtype() != spec.dtype {
            return Err(Error::Run(format!(
                "{}: its tensor {name} is {} {:?}, but this configuration trains {} {:?}; resume with the configuration \
                 that it was saved with",
                checkpoint.path().display(),
                tensor.dtype(),
                tensor.shape(),
                spec.dtype,
                spec.shape
            )));
        }
        trainer.set(name, &tensor)?;
    }
    Ok(())
}

/// Trained parameters and their moments, as checkpoints hold them: layers stacked.
fn state_specs(trainer: &Trainer<'_>) -> Vec<TensorSpec> {
    let mut specs = Vec::new();
    for spec in trainer.trained() {
        let shape = spec.tensor_type().shape();
        specs.push(TensorSpec::new(spec.name.clone(), spec.dtype, shape.clone()));
        for second in [false, true] {
            specs.push(TensorSpec::new(moment_name(&spec.name, second), DType::F32, shape.clone()));
        }
    }
    specs
}

/// Says which settings differ from those that a checkpoint was saved with.
fn warn_of_changes(config: &TrainConfig, state: Option<&TrainerState>) {
    let Some(state) = state else { return };
    let now = config.to_yaml();
    let changed: Vec<&str> = now.lines().filter(|line| !state.config.lines().any(|old| old == *line)).collect();
    if !changed.is_empty() {
        tracing::warn!("the checkpoint was saved with other settings than these: {}", changed.join("; "));
    }
}

/// Loss and speed since the last line of metrics.
struct Window {
    started: Instant,
    steps: u64,
    tokens: u64,
    loss_sum: f64,
    targets: u64,
}

impl Window {
    fn new(state: WindowState) -> Window {
        let WindowState { loss_sum_bits, targets } = state;
        Window { started: Instant::now(), steps: 0, tokens: 0, loss_sum: f64::from_bits(loss_sum_bits), targets }
    }

    fn state(&self) -> WindowState {
        WindowState { loss_sum_bits: self.loss_sum.to_bits(), targets: self.targets }
    }

    fn add(&mut self, outcome: &StepOutcome, tokens: u64) {
        self.steps += 1;
        self.tokens += tokens;
        self.loss_sum += outcome.loss * outcome.target_tokens as f64;
        self.targets += outcome.target_tokens;
    }
}

struct Run<'a> {
    config: &'a TrainConfig,
    setup: &'a Setup,
    session: &'a Session,
    trainer: Trainer<'a>,
    evaluator: Option<Evaluator<'a>>,
    metrics: MetricsWriter,
    checkpoints: Checkpoints,
    /// Whether no step has been taken from the newest checkpoint yet.
    unproven: bool,
    /// Whether the evaluation after the newest step is still to come.
    evaluation_due: bool,
    step: u64,
    tokens: u64,
    clock: i64,
    window: Window,
    observe: &'a mut dyn FnMut(Event<'_>),
}

impl Run<'_> {
    fn steps(&mut self, stop: &AtomicBool) -> Result<Ending, Error> {
        let every = |steps: Option<u64>, step: u64| steps.is_some_and(|steps| step.is_multiple_of(steps));
        let total = self.setup.data.total_steps;
        // What the run that this one goes on stopped before.
        self.evaluate_if_due(stop)?;
        unless_stopped(stop)?;
        while self.step < total {
            self.advance()?;
            let last = self.step == total;
            self.evaluation_due = last || every(self.config.eval_steps, self.step);
            self.evaluate_if_due(stop)?;
            let stopping = stop.load(Ordering::Relaxed);
            if last || stopping || every(self.config.save_steps, self.step) {
                self.save()?;
            }
            if stopping {
                return Ok(Ending::Interrupted { step: self.step });
            }
        }
        self.prune()?;
        output::write(self.config, self.setup, self.session, &self.trainer)?;
        (self.observe)(Event::Written(&self.config.output_dir));
        Ok(Ending::Finished)
    }

    /// Rows that the run has trained on once it has taken this many steps.
    fn rows_before(&self, step: u64) -> u64 {
        let data = &self.setup.data;
        (step * data.train.options().rows as u64).min(data.total_rows)
    }

    fn advance(&mut self) -> Result<(), Error> {
        let batch = self.setup.data.train.batch(self.rows_before(self.step)..self.rows_before(self.step + 1));
        let learning_rate = self.setup.schedule.learning_rate(self.step);
        let tokens = batch.segment_ids.iter().filter(|segment| **segment != 0).count() as u64;
        let outcome = self.trainer.step(&batch, self.step + 1, learning_rate, self.config.seed)?;
        for (what, value) in [("the loss is", outcome.loss), ("the gradient's norm is", outcome.grad_norm)] {
            if !value.is_finite() {
                return Err(self.diverged(what, "at", self.step + 1));
            }
        }
        self.prune()?;
        self.step += 1;
        self.tokens += tokens;
        self.window.add(&outcome, tokens);
        let record = self.record(&outcome, learning_rate);
        (self.observe)(Event::Step(&record));
        if self.step.is_multiple_of(self.config.logging_steps) || self.step == self.setup.data.total_steps {
            self.metrics.log_step(&record)?;
            self.window = Window::new(WindowState::default());
        }
        Ok(())
    }

    /// The error of a run that cannot go on from where it is. A checkpoint of this place is set aside first, because
    /// `--resume` would lead here again.
    fn diverged(&self, what: &'static str, when: &'static str, step: u64) -> Error {
        let last_good = || -> Result<Option<PathBuf>, checkpoint::Error> {
            self.checkpoints.set_aside(self.step)?;
            Ok(checkpoint::latest(&self.config.output_dir)?.map(|checkpoint| checkpoint.path().to_path_buf()))
        };
        let kept = match last_good() {
            Ok(Some(path)) => format!("and {} is the last good checkpoint", path.display()),
            Ok(None) => "and no good checkpoint was saved before".to_owned(),
            Err(error) => return error.into(),
        };
        Error::NotANumber { what, when, step, learning_rate: self.setup.schedule.learning_rate(step - 1), kept }
    }

    /// The step's line of metrics: loss and speed are means since the line before.
    fn record(&self, outcome: &StepOutcome, learning_rate: f64) -> StepRecord {
        let window = &self.window;
        let seconds = window.started.elapsed().as_secs_f64();
        StepRecord {
            step: self.step,
            epoch: self.setup.data.train.epoch(self.rows_before(self.step)),
            tokens: self.tokens,
            loss: window.loss_sum / window.targets.max(1) as f64,
            learning_rate,
            grad_norm: outcome.grad_norm,
            tokens_per_second: window.tokens as f64 / seconds,
            step_ms: seconds * 1e3 / window.steps as f64,
            time: now(),
        }
    }

    /// Goes through the evaluation split. Asked to stop, leaves that to the run that goes on from here, because whoever
    /// stops a run may not wait for longer than a checkpoint takes.
    fn evaluate_if_due(&mut self, stop: &AtomicBool) -> Result<(), Error> {
        let (true, Some(evaluator), Some(loader)) = (self.evaluation_due, &self.evaluator, &self.setup.data.eval)
        else {
            return Ok(());
        };
        let paused = Instant::now();
        let limit = self.config.eval_subset_num_batches.map_or(usize::MAX, |batches| batches as usize);
        let Some(eval_loss) = evaluator.loss(&self.trainer, loader, limit, stop)? else {
            return Ok(());
        };
        let record = EvalRecord {
            step: self.step,
            tokens: self.tokens,
            eval_loss,
            eval_perplexity: eval_loss.exp(),
            time: now(),
        };
        self.metrics.log_eval(&record)?;
        self.evaluation_due = false;
        (self.observe)(Event::Eval(&record));
        self.window.started += paused.elapsed();
        Ok(())
    }

    fn save(&mut self) -> Result<(), Error> {
        let paused = Instant::now();
        let state = TrainerState {
            step: self.step,
            tokens: self.tokens,
            config: self.config.to_yaml(),
            clock: self.clock,
            window: self.window.state(),
            evaluation_due: self.evaluation_due,
            data: Some(self.setup.data.digest),
        };
        let specs = state_specs(&self.trainer);
        let (trainer, session) = (&self.trainer, self.session);
        let mut overflowed = false;
        let saved = self.checkpoints.save(self.step, &state, &specs, |spec| {
            let buffer = trainer.buffer(&spec.name).ok_or("the trainer holds no such tensor")?;
            let tensor = session.download(buffer)?;
            overflowed = !is_finite(&tensor);
            if overflowed { Err("it holds values that are no numbers".into()) } else { Ok(tensor) }
        });
        if overflowed {
            return Err(self.diverged("a weight is", "after", self.step));
        }
        let path = saved?;
        (self.observe)(Event::Saved(&path));
        self.unproven = true;
        self.window.started += paused.elapsed();
        Ok(())
    }

    /// Removes old checkpoints, once a step from the newest has shown that it is good.
    fn prune(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.unproven)
            && let Some(keep) = self.config.save_total_limit.and_then(|keep| NonZeroUsize::new(keep as usize))
        {
            self.checkpoints.retain(keep)?;
        }
        Ok(())
    }
}

/// Whether all elements of an f32 tensor are finite; other types are taken to be.
fn is_finite(tensor: &HostTensor<'_>) -> bool {
    const EXPONENT: u32 = 0x7f80_0000;
    let is_number = |bytes: &[u8; 4]| u32::from_ne_bytes(*bytes) & EXPONENT != EXPONENT;
    tensor.dtype() != DType::F32 || tensor.bytes().as_chunks().0.iter().all(is_number)
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |elapsed| elapsed.as_secs_f64())
}

/// Refuses a folder in which the trained model would take the place of one that no run wrote there.
fn check_folder(config: &TrainConfig) -> Result<(), Error> {
    let folder = &config.output_dir;
    let refused = |rule: &str| Err(Error::Run(format!("output_dir {} {rule}: choose another", folder.display())));
    let canonical = |path: &Path| std::fs::canonicalize(path).ok();
    if config.base_model.as_deref().and_then(canonical).is_some_and(|base| canonical(folder) == Some(base)) {
        return refused("is base_model, whose files the trained model would replace");
    }
    let holds = |file: &str| folder.join(file).exists();
    if ["config.json", "adapter_config.json"].into_iter().any(holds) && !holds("config.yaml") {
        return refused("holds a model that was not trained there, which the trained one would replace");
    }
    Ok(())
}

fn create_folder(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::Run(format!("creating the folder {}: {error}", folder.display())))
}

/// Holds the run's folder for this process, for as long as the file is open. Some file systems cannot lock; there nothing is held.
fn lock(folder: &Path) -> Result<Option<std::fs::File>, Error> {
    let path = folder.join(".lock");
    let Ok(file) = std::fs::File::create(&path) else { return Ok(None) };
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(Error::Run(format!(
            "another run is writing to {}: wait for its end, or choose another output_dir",
            folder.display()
        ))),
        Err(std::fs::TryLockError::Error(_)) => Ok(None),
        Ok(()) => Ok(Some(file)),
    }
}

/// Writes the configuration as resolved into the run's folder. Only a run that can go on may do so, because the file is
/// what its checkpoints were made with.
fn write_config(config: &TrainConfig) -> Result<(), Error> {
    Ok(checkpoint::write_file(config.output_dir.join("config.yaml"), config.to_yaml().as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_run_that_told_nothing_of_its_data_is_read() {
        let state = r#"{"step": 7, "tokens": 900, "config": "seed: 1\n", "clock": 1700000000,
            "window": {"loss_sum_bits": 0, "targets": 0}}"#;
        let state: TrainerState = serde_json::from_str(state).expect("a state without the newer fields");
        assert!(state.step == 7 && state.data.is_none() && !state.evaluation_due);
    }
}
