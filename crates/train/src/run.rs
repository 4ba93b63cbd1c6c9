//! The loop of a run: steps, lines of metrics, evaluations, checkpoints, the trained model.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use checkpoint::Checkpoints;
use graph::{DType, HostTensor};

use crate::config::TrainConfig;
use crate::evaluation::Evaluator;
use crate::event::{Ending, Event};
use crate::metrics::{EvalRecord, MetricsWriter, StepRecord, now};
use crate::resume::TrainerState;
use crate::setup::Setup;
use crate::stop::unless_stopped;
use crate::window::{Window, WindowState};
use crate::{Error, StepOutcome, Trainer, output};

/// How far a run has come.
pub(crate) struct Progress {
    /// Updates done.
    pub(crate) step: u64,
    /// Tokens trained on, padding not counted.
    pub(crate) tokens: u64,
    /// Whether the evaluation after the newest step is still to come.
    pub(crate) evaluation_due: bool,
    /// Seconds since 1970 that chat templates see as now.
    pub(crate) clock: i64,
}

impl Progress {
    pub(crate) fn beginning(clock: i64) -> Progress {
        Progress { step: 0, tokens: 0, evaluation_due: false, clock }
    }

    pub(crate) fn of(state: &TrainerState) -> Progress {
        let TrainerState { step, tokens, evaluation_due, clock, .. } = *state;
        Progress { step, tokens, evaluation_due, clock }
    }
}

/// A run that is under way.
pub(crate) struct Run<'a> {
    pub(crate) config: &'a TrainConfig,
    pub(crate) setup: &'a Setup,
    pub(crate) trainer: Trainer<'a>,
    pub(crate) evaluator: Option<Evaluator<'a>>,
    pub(crate) metrics: MetricsWriter,
    pub(crate) checkpoints: Checkpoints,
    /// Whether no step has been taken yet from the newest checkpoint of this process.
    pub(crate) newest_is_untried: bool,
    pub(crate) progress: Progress,
    pub(crate) window: Window,
    pub(crate) observe: &'a mut dyn FnMut(Event<'_>),
}

impl Run<'_> {
    /// Takes the steps that are left, and writes the trained model.
    pub(crate) fn steps(&mut self, stop: &AtomicBool) -> Result<Ending, Error> {
        let every = |steps: Option<u64>, step: u64| steps.is_some_and(|steps| step.is_multiple_of(steps));
        let total = self.setup.data.total_steps;
        // What the run that this one goes on stopped before.
        self.evaluate_if_due(stop)?;
        unless_stopped(stop)?;
        while self.progress.step < total {
            self.advance()?;
            let last = self.progress.step == total;
            self.progress.evaluation_due = last || every(self.config.eval_steps, self.progress.step);
            self.evaluate_if_due(stop)?;
            let stopping = stop.load(Ordering::Relaxed);
            if last || stopping || every(self.config.save_steps, self.progress.step) {
                self.save()?;
            }
            if stopping {
                return Ok(Ending::Interrupted { step: self.progress.step });
            }
        }
        self.prune()?;
        output::write(self.config, self.setup, &self.trainer)?;
        (self.observe)(Event::Written(&self.config.output_dir));
        Ok(Ending::Finished)
    }

    /// Rows that the run has trained on once it has taken this many steps.
    fn rows_before(&self, step: u64) -> u64 {
        let data = &self.setup.data;
        (step * data.train.options().rows as u64).min(data.total_rows)
    }

    fn advance(&mut self) -> Result<(), Error> {
        let step = self.progress.step;
        let batch = self.setup.data.train.batch(self.rows_before(step)..self.rows_before(step + 1));
        let learning_rate = self.setup.schedule.learning_rate(self.progress.step);
        let tokens = batch.segment_ids.iter().filter(|segment| **segment != 0).count() as u64;
        let outcome = self.trainer.step(&batch, self.progress.step + 1, learning_rate, self.config.seed)?;
        for (what, value) in [("the loss is", outcome.loss), ("the gradient's norm is", outcome.grad_norm)] {
            if !value.is_finite() {
                return Err(self.diverged(what, "at", self.progress.step + 1));
            }
        }
        self.prune()?;
        self.progress.step += 1;
        self.progress.tokens += tokens;
        self.window.add(&outcome, tokens);
        let record = self.record(&outcome, learning_rate);
        (self.observe)(Event::Step(&record));
        if self.progress.step.is_multiple_of(self.config.logging_steps)
            || self.progress.step == self.setup.data.total_steps
        {
            self.metrics.log_step(&record)?;
            self.window = Window::new(WindowState::default());
        }
        Ok(())
    }

    /// The error of a run that cannot go on from where it is. A checkpoint of this place is set aside first, because
    /// `--resume` would lead here again.
    fn diverged(&self, what: &'static str, when: &'static str, step: u64) -> Error {
        let last_good = || -> Result<Option<PathBuf>, checkpoint::Error> {
            self.checkpoints.set_aside(self.progress.step)?;
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
        StepRecord {
            step: self.progress.step,
            epoch: self.setup.data.train.epoch(self.rows_before(self.progress.step)),
            tokens: self.progress.tokens,
            loss: self.window.loss(),
            learning_rate,
            grad_norm: outcome.grad_norm,
            tokens_per_second: self.window.tokens_per_second(),
            step_ms: self.window.step_ms(),
            time: now(),
        }
    }

    /// Goes through the evaluation split. Asked to stop, leaves that to the run that goes on from here, because whoever
    /// stops a run may not wait for longer than a checkpoint takes.
    fn evaluate_if_due(&mut self, stop: &AtomicBool) -> Result<(), Error> {
        let (true, Some(evaluator), Some(loader)) =
            (self.progress.evaluation_due, &mut self.evaluator, &self.setup.data.eval)
        else {
            return Ok(());
        };
        let paused = Instant::now();
        let limit = self.config.eval_subset_num_batches.map_or(usize::MAX, |batches| batches as usize);
        let Some(eval_loss) = evaluator.loss(&self.trainer, loader, limit, stop)? else {
            return Ok(());
        };
        let record = EvalRecord {
            step: self.progress.step,
            tokens: self.progress.tokens,
            eval_loss,
            eval_perplexity: eval_loss.exp(),
            time: now(),
        };
        self.metrics.log_eval(&record)?;
        self.progress.evaluation_due = false;
        (self.observe)(Event::Eval(&record));
        self.window.pause(paused.elapsed());
        Ok(())
    }

    fn save(&mut self) -> Result<(), Error> {
        let paused = Instant::now();
        let state = TrainerState {
            step: self.progress.step,
            tokens: self.progress.tokens,
            config: self.config.to_yaml(),
            clock: self.progress.clock,
            window: self.window.state(),
            evaluation_due: self.progress.evaluation_due,
            data: Some(self.setup.data.digest),
        };
        let mut reader = self.trainer.reader();
        let mut overflowed = false;
        let saved = self.checkpoints.save(self.progress.step, &state, &self.trainer.state(), |spec| {
            let tensor = reader.read(&spec.name, spec.dtype)?;
            overflowed = !is_finite(&tensor);
            if overflowed { Err("it holds values that are no numbers".into()) } else { Ok(tensor) }
        });
        if overflowed {
            return Err(self.diverged("a weight is", "after", self.progress.step));
        }
        let path = saved?;
        (self.observe)(Event::Saved(&path));
        self.newest_is_untried = true;
        self.window.pause(paused.elapsed());
        Ok(())
    }

    /// Removes old checkpoints, once a step from the newest has shown that it is good.
    fn prune(&mut self) -> Result<(), Error> {
        if std::mem::take(&mut self.newest_is_untried)
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
