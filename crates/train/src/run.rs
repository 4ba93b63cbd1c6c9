//! The loop of a run: steps, records, evaluations, checkpoints, the trained model.
//!
//! The device never waits for the host: a step is launched before the outcome of the one before is read, and batches are made
//! ahead. Before an evaluation or a checkpoint the loop waits for the step at hand, so that no weights are saved whose loss is not
//! known to be a number. A checkpoint is copied to the host then, and written while the next steps are taken.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use checkpoint::{Checkpoint, Checkpoints, Claim, TensorPart, TensorSpec};
use graph::HostTensor;
use runtime::{Completion, HostPart, Memory};

use crate::batches::{self, StepBatch};
use crate::config::TrainConfig;
use crate::evaluation::Evaluator;
use crate::event::{Ending, Event};
use crate::handover::Giver;
use crate::hardware_log::{self, HardwareLog};
use crate::improvement::Improvement;
use crate::meter::{Meter, Step};
use crate::metrics::hardware::Place;
use crate::metrics::{EvalRecord, MetricsError, MetricsWriter, SaveRecord, StepRecord, now};
use crate::position::{Course, Position};
use crate::processes::{Processes, Stop};
use crate::recorder::StepRecorder;
use crate::resume::{TrainerState, restore};
use crate::run_data::{Evaluated, RunData};
use crate::run_folder::CONFIG;
use crate::save_timer::SaveTimer;
use crate::saver::{Removed, Saver, Snapshot, Unsaved, Written};
use crate::schedule::Schedule;
use crate::setup::Setup;
use crate::share::{Counts, Share};
use crate::start::write_config;
use crate::trainer::PendingOutcome;
use crate::{Best, Error, StepOutcome, Trainer, output};

/// How far a run has come.
pub(crate) struct Progress {
    /// Steps whose outcome is known, and their rows.
    pub(crate) at: Position,
    /// Tokens trained on, padding not counted.
    pub(crate) tokens: u64,
    /// Whether the evaluation after the newest step is still to come.
    pub(crate) evaluation_due: bool,
    /// What the evaluations have shown.
    pub(crate) improvement: Improvement,
    /// What they were of, up to where the run goes on.
    pub(crate) evaluated: Option<Evaluated>,
    /// Seconds since 1970 that chat templates see as now.
    pub(crate) clock: i64,
}

impl Progress {
    pub(crate) fn beginning(clock: i64) -> Progress {
        let improvement = Improvement::default();
        Progress { at: Position::default(), tokens: 0, evaluation_due: false, improvement, evaluated: None, clock }
    }

    pub(crate) fn of(state: &TrainerState) -> Progress {
        let TrainerState { tokens, evaluation_due, improvement, evaluated, clock, .. } = *state;
        Progress { at: state.position(), tokens, evaluation_due, improvement, evaluated, clock }
    }
}

/// How long to wait for the checkpoint that is being written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// Not at all.
    IfDone,
    UntilDone,
}

/// A step that the device may still be computing.
struct Launched<'s> {
    outcome: PendingOutcome<'s>,
    /// When it ends, where the platform tells.
    completion: Option<Completion>,
    /// Where the run stands after it.
    after: Position,
    /// What this process counts of its batch.
    own: Counts,
    learning_rate: f64,
}

/// What all processes do after a step that is launched.
#[derive(Clone, Copy)]
struct News {
    /// What all count of its batch together.
    counts: Counts,
    /// Some process was asked to stop.
    stops: bool,
    /// By the first one's clock a checkpoint is due.
    saves: bool,
}

/// A run that is under way.
pub(crate) struct Run<'a> {
    pub(crate) config: &'a TrainConfig,
    pub(crate) processes: Processes<'a>,
    pub(crate) setup: &'a Setup,
    pub(crate) data: &'a RunData,
    /// `gradient_accumulation_steps` as it was asked for, of which `micro_batch_size: auto` may make another number.
    pub(crate) accumulation: u64,
    /// Of the weights that an adapter is trained over.
    pub(crate) base_digest: Option<u32>,
    pub(crate) trainer: Trainer<'a>,
    pub(crate) evaluator: Option<Evaluator<'a>>,
    pub(crate) metrics: MetricsWriter,
    /// Of the process that writes them.
    pub(crate) claim: Option<Claim>,
    pub(crate) saver: Saver,
    /// Steps of checkpoints that may go when there is a newer one that is good.
    pub(crate) interim: Vec<u64>,
    /// The step of the newest checkpoint of this process, until a step from it has shown that it is good.
    pub(crate) untried: Option<u64>,
    pub(crate) save_timer: SaveTimer,
    pub(crate) course: Course,
    pub(crate) schedule: Schedule,
    pub(crate) progress: Progress,
    pub(crate) meter: Meter<'a>,
    /// Of the newest step, until a record of its window is written.
    pub(crate) unrecorded: Option<StepRecord>,
    pub(crate) hardware: HardwareLog,
    pub(crate) recorder: StepRecorder,
    pub(crate) observe: &'a mut dyn FnMut(Event<'_>),
}

impl<'a> Run<'a> {
    /// Takes the steps that are left, and writes the trained model. However that ends, no checkpoint is being written afterwards, and the error of none is
    /// lost; and after an error none is being removed once the run is dropped.
    pub(crate) fn steps(&mut self, stop: Stop<'_>) -> Result<Ending, Error> {
        let ending = self.train(stop);
        self.tell_of_recording(true);
        self.recorder.end();
        // Of an error the others know nothing yet: they may wait for this process elsewhere, and their threads that write go on without them. What is
        // being removed is waited for when they know.
        if ending.is_ok() {
            self.tell_of_removal(true);
        }
        if ending.is_err()
            && let Some(Written { outcome, .. }) = self.saver.written(|_, _, _| {})
        {
            match outcome {
                Ok(path) => tracing::info!("saved {}", path.display()),
                Err(Unsaved::Failed(unsaved)) => tracing::warn!("nor could the last checkpoint be saved: {unsaved}"),
                Err(Unsaved::NotANumber) => {
                    tracing::warn!("nor was the last checkpoint saved, which holds values that are no numbers");
                }
            }
        }
        ending
    }

    fn train(&mut self, stop: Stop<'_>) -> Result<Ending, Error> {
        // What the run that this one goes on stopped before.
        let was_due = self.progress.evaluation_due;
        let is_best = self.evaluate_if_due(stop)?;
        stop.check()?;
        let is_evaluated = was_due && !self.progress.evaluation_due;
        if self.takes_no_step() && (is_evaluated || self.unrecorded.is_some()) {
            self.end_windows()?;
        }
        // Where it was another run, this one has no checkpoint of here.
        let step = self.progress.at.step;
        let is_missing = !self.checkpoints().path(step).exists();
        if is_best
            && self.config.load_best_model_at_end
            && self.processes.first_says("whether there is a checkpoint", is_missing.into())? != 0
        {
            self.save(false)?;
        }
        self.tell_if_over();
        let (data, course, at) = (self.data, self.course, self.progress.at);
        let share: Share = self.trainer.share()?;
        let ending = std::thread::scope(|scope| {
            let batches = batches::make_ahead(scope, &data.train, course, at, &share);
            self.follow(&batches, stop)
        })?;
        self.settle(Wait::UntilDone)?;
        match ending {
            Ending::Finished => self.write()?,
            Ending::Interrupted { .. } if self.untried.is_some() => self.keep_to_limit(),
            Ending::Interrupted { .. } | Ending::Unstarted => {}
        }
        Ok(ending)
    }

    /// Takes steps until the last, or until no more are wanted.
    fn follow(&mut self, batches: &Receiver<StepBatch>, stop: Stop<'_>) -> Result<Ending, Error> {
        let mut at = self.progress.at;
        let mut before: Option<(Launched<'a>, News)> = None;
        while !self.is_over() {
            if self.recorder.begins_with(at.step + 1) {
                if let Some((before, news)) = before.take() {
                    self.finish(before, news.counts, None)?;
                }
                self.begin_recording();
            }
            let Some(launched) = self.launch(batches, at)? else { break };
            at = launched.after;
            if let Some((before, news)) = before.take() {
                self.finish(before, news.counts, Some(&launched))?;
            }
            let news = self.news(&launched, stop)?;
            let is_something_due = news.stops || news.saves || self.is_evaluation_due(at) || self.is_save_due(at);
            // Of what is done between steps nothing is recorded: a profile says where steps' time goes.
            let ends_recording = self.recorder.ends_with(at.step) || is_something_due && self.recorder.holds(at.step);
            if !(is_something_due || ends_recording) {
                before = Some((launched, news));
                continue;
            }
            self.finish(launched, news.counts, None)?;
            if ends_recording {
                self.end_recording(at.step)?;
            }
            if let Some(ending) = self.evaluate_and_save(stop)? {
                return Ok(ending);
            }
        }
        Ok(Ending::Finished)
    }

    /// Begins to record the steps to come; of several processes the first does.
    fn begin_recording(&mut self) {
        let paused = Instant::now();
        if self.processes.is_first() {
            self.recorder.start(self.trainer.session());
        }
        self.meter.pause(paused.elapsed());
    }

    /// Ends the recording after a step, and has it written into the run's folder, if that is still its own.
    fn end_recording(&mut self, step: u64) -> Result<(), Error> {
        let folder = self.look_for_claim()?.map(|()| self.config.output_dir.as_path());
        let paused = Instant::now();
        self.recorder.stop(&self.trainer, folder, step);
        self.meter.pause(paused.elapsed());
        Ok(())
    }

    /// Tells of a recording that is written; `waits` for it at the end of the run.
    fn tell_of_recording(&mut self, waits: bool) {
        if let Some(trace) = self.recorder.written(waits) {
            (self.observe)(Event::Profiled(&trace));
        }
    }

    /// Starts the step after `at`; `None` at the end of the run.
    fn launch(&mut self, batches: &Receiver<StepBatch>, at: Position) -> Result<Option<Launched<'a>>, Error> {
        if self.course.next(at).is_none() {
            return Ok(None);
        }
        let StepBatch { batch, rows, counts: own } =
            batches.recv().expect("there is a batch for each step of the course");
        let after = Position { step: at.step + 1, rows: rows.end };
        tracing::debug!("step {} takes the rows {} to {}", after.step, rows.start, rows.end);
        let learning_rate = self.course.learning_rate(&self.schedule, at);
        self.processes.at_step(after.step);
        let outcome = self.trainer.launch(&batch, after.step, learning_rate, self.config.seed)?;
        let completion = outcome.completion();
        Ok(Some(Launched { outcome, completion, after, own, learning_rate }))
    }

    /// Asks the other processes what to do after a step that is launched, while the devices compute it.
    fn news(&self, launched: &Launched<'_>, stop: Stop<'_>) -> Result<News, Error> {
        let is_late = self.processes.is_first() && self.save_timer.is_due(Instant::now());
        let Counts { tokens, targets } = launched.own;
        let own = [tokens, targets, stop.is_asked().into(), is_late.into()];
        let [tokens, targets, stops, saves] = self.processes.sum("a step", own)?;
        Ok(News { counts: Counts { tokens, targets }, stops: stops > 0, saves: saves > 0 })
    }

    /// Waits for a step and tells of it. `next` is the step after it, if that is launched.
    fn finish(&mut self, launched: Launched<'_>, counts: Counts, next: Option<&Launched<'_>>) -> Result<(), Error> {
        let Launched { outcome, completion, after, learning_rate, .. } = launched;
        let Counts { tokens, targets } = counts;
        let outcome = StepOutcome { target_tokens: targets, ..outcome.wait()? };
        // Not when it is seen: with short steps the next one may have ended as well by then.
        let end_of = |completion: Option<&Completion>| completion.and_then(Completion::at);
        let ended = end_of(completion.as_ref()).unwrap_or_else(Instant::now);
        let next_ended = next.and_then(|next| end_of(next.completion.as_ref()));
        for (what, value) in [("the loss is", outcome.loss), ("the gradient's norm is", outcome.grad_norm)] {
            if !value.is_finite() {
                // The checkpoint before may be on its way to the disk.
                self.settle(Wait::UntilDone)?;
                return Err(self.diverged(what, "at", after.step, learning_rate));
            }
        }
        self.progress.at = after;
        self.progress.tokens += tokens;
        self.tell_of_recording(false);
        self.settle(Wait::IfDone)?;
        self.prune();
        self.meter.add(&outcome, tokens, ended, next_ended);
        let epoch = self.data.train.epoch(after.rows);
        let step = Step { step: after.step, epoch, tokens: self.progress.tokens, learning_rate, outcome };
        let record = self.meter.record(&step);
        let loss = if outcome.target_tokens == 0 { f64::NAN } else { outcome.loss };
        (self.observe)(Event::Step(&StepRecord { loss, ..record }));
        self.unrecorded = Some(record);
        if after.step.is_multiple_of(self.config.logging_steps) || self.course.next(after).is_none() {
            self.record()?;
            self.log_hardware()?;
        }
        Ok(())
    }

    /// Writes the record of the window that ends here, if there is a step in it, and begins a new one.
    fn record(&mut self) -> Result<(), Error> {
        let Some(record) = self.unrecorded.take() else { return Ok(()) };
        self.log(|metrics| metrics.log_step(&record))?;
        (self.observe)(Event::Recorded(&record));
        self.meter.restart();
        Ok(())
    }

    /// Writes what is left to record where no step comes that would end the windows. That of the sensors goes on where the last step has ended
    /// the other.
    fn end_windows(&mut self) -> Result<(), Error> {
        self.record()?;
        self.log_hardware()
    }

    /// Writes a record, as long as nobody has taken the run over: its metrics are another's then. Where that cannot be found out, the record
    /// is missing, as where it cannot be written.
    fn log(&mut self, write: impl FnOnce(&mut MetricsWriter) -> Result<(), MetricsError>) -> Result<(), Error> {
        let is_own = self.look_for_claim()?.map_err(MetricsError::from);
        // Somebody has removed or renamed the folder, which its metrics tell of.
        if self.claim.is_some()
            && is_own.is_ok()
            && !self.config.output_dir.join(CONFIG).exists()
            && let Err(error) = write_config(self.config)
        {
            tracing::debug!("{error}");
        }
        self.metrics.log_or_tell(self.progress.at.step, |metrics| is_own.and_then(|()| write(metrics)));
        Ok(())
    }

    /// Whether the run is still this process's, before something is written that a run may lack. Within is why that could not be found out, as
    /// on a file system that does not answer for a while: no reason to lose the steps since the last checkpoint.
    fn look_for_claim(&self) -> Result<Result<(), checkpoint::Error>, Error> {
        let Some(claim) = &self.claim else { return Ok(Ok(())) };
        match claim.check(&self.config.output_dir) {
            Err(taken @ checkpoint::Error::TakenOver { .. }) => Err(taken.into()),
            looked => Ok(looked),
        }
    }

    /// Writes what the sensors have told, now and then, and at the end of the run.
    fn log_hardware(&mut self) -> Result<(), Error> {
        let Progress { at, tokens, .. } = self.progress;
        let place = Place { step: at.step, tokens, time: now() };
        let moment = Instant::now();
        let is_due = self.hardware.is_due(moment, self.takes_no_step());
        if self.processes.first_says("whether sensors are due", is_due.into())? == 0 {
            return Ok(());
        }
        let records = hardware_log::of_all(self.processes.all("sensors", self.hardware.records(moment, place))?);
        self.hardware.warn(&records);
        for record in &records {
            self.log(|metrics| metrics.log_hardware(record))?;
        }
        if !records.is_empty() {
            (self.observe)(Event::Hardware(&records));
        }
        Ok(())
    }

    /// Whether no step is left, or none is wanted.
    fn takes_no_step(&self) -> bool {
        self.is_over() || self.course.next(self.progress.at).is_none()
    }

    /// Whether evaluations have shown that no more steps are wanted.
    fn is_over(&self) -> bool {
        self.progress.improvement.is_over(self.config.early_stopping_patience)
    }

    fn is_evaluation_due(&self, at: Position) -> bool {
        self.course.next(at).is_none() || is_every(self.config.eval_steps, at.step)
    }

    fn is_save_due(&self, at: Position) -> bool {
        self.course.next(at).is_none() || is_every(self.config.save_steps, at.step)
    }

    /// What is due after the newest step, whose outcome is known. Gives the ending of a run that was asked to stop.
    fn evaluate_and_save(&mut self, stop: Stop<'_>) -> Result<Option<Ending>, Error> {
        let at = self.progress.at;
        self.progress.evaluation_due = self.is_evaluation_due(at);
        let is_best = self.evaluate_if_due(stop)?;
        if self.ends_early() {
            self.end_windows()?;
        }
        let stopping = stop.is_set()?;
        let is_planned = self.is_save_due(at) || self.is_over() || is_best && self.config.load_best_model_at_end;
        let is_late = self.processes.first_says("the clock", self.save_timer.is_due(Instant::now()).into())? != 0;
        if is_planned || stopping || is_late {
            self.save(!is_planned && !stopping)?;
        }
        self.tell_if_over();
        Ok(stopping.then_some(Ending::Interrupted { step: at.step }))
    }

    /// Whether no more steps are wanted, of those that are still to come.
    fn ends_early(&self) -> bool {
        self.is_over() && self.course.next(self.progress.at).is_some()
    }

    /// Says that the run ends here, where its last step is still to come.
    fn tell_if_over(&mut self) {
        let Position { step, .. } = self.progress.at;
        if self.ends_early() {
            (self.observe)(Event::StoppedEarly { step, best: self.progress.improvement.best });
        }
    }

    /// The error of a run that cannot go on from where it is. A checkpoint of this place is set aside first, because
    /// `--resume` would lead here again. None is being written.
    fn diverged(&mut self, what: &'static str, when: &'static str, step: u64, learning_rate: f64) -> Error {
        let (folder, at, processes) = (&self.config.output_dir, self.progress.at.step, self.processes);
        let checkpoints = self.checkpoints();
        // All have come here, and none ends before the first has seen to it.
        let kept = processes.told_by_first("what is kept", || Ok(what_is_kept(checkpoints, folder, at).into_bytes()));
        match kept {
            Ok(kept) => {
                let kept = String::from_utf8_lossy(&kept).into_owned();
                Error::NotANumber { what, when, step, learning_rate, kept }
            }
            Err(error) => error,
        }
    }

    /// Goes through the evaluation split; true if it was the best time so far. Asked to stop, leaves that to the run that goes on from
    /// here, because whoever stops a run may not wait for longer than a checkpoint takes.
    fn evaluate_if_due(&mut self, stop: Stop<'_>) -> Result<bool, Error> {
        let (true, Some(evaluator), Some(loader)) =
            (self.progress.evaluation_due, &mut self.evaluator, &self.data.eval)
        else {
            return Ok(false);
        };
        let paused = Instant::now();
        let limit = self.config.evaluation_batches_max();
        let Some(eval_loss) = evaluator.loss(&self.trainer, loader, limit, stop)? else {
            return Ok(false);
        };
        let step = self.progress.at.step;
        let record =
            EvalRecord { step, tokens: self.progress.tokens, eval_loss, eval_perplexity: eval_loss.exp(), time: now() };
        self.log(|metrics| metrics.log_eval(&record))?;
        self.progress.evaluation_due = false;
        (self.observe)(Event::Eval(&record));
        self.meter.pause(paused.elapsed());
        Ok(self.progress.improvement.add(step, eval_loss, self.config.early_stopping_threshold))
    }

    /// Copies the state after the newest step, whose outcome is known, to the host, and starts to save it.
    fn save(&mut self, interim: bool) -> Result<(), Error> {
        let paused = Instant::now();
        self.settle(Wait::UntilDone)?;
        self.prune();
        // Waits for what is being removed, which is none of the copying.
        let is_first = self.checkpoints().is_first();
        let copying = Instant::now();
        let frozen = match is_first {
            // Not trained, but a checkpoint is an adapter by itself.
            true => output::frozen(self.setup.started(), &self.trainer.program().params)?,
            false => BTreeMap::new(),
        };
        let parts = self.parts(&frozen)?;
        let room = room_for_copies(self.saver.checkpoints().count_here());
        let (at, trainer_state) = (self.progress.at, self.trainer_state(interim));
        let giver = self.saver.begin(Snapshot { at, trainer_state, parts, room });
        // At once: the others may wait for this process in the same copy, and its own writer for theirs.
        self.copy(&frozen, giver).inspect_err(|error| self.processes.fail(error))?;
        self.saver.copied(copying.elapsed());
        self.save_timer.saved(Instant::now());
        self.meter.pause(paused.elapsed());
        Ok(())
    }

    fn trainer_state(&self, interim: bool) -> TrainerState {
        let at = self.progress.at;
        TrainerState {
            step: at.step,
            rows: at.rows,
            first_step_rows: self.course.first_step_rows,
            accumulation: Some(self.accumulation),
            tokens: self.progress.tokens,
            config: self.config.to_yaml(),
            model: self.setup.plan.model.to_json(),
            clock: self.progress.clock,
            window: self.meter.state(),
            unrecorded: self.unrecorded,
            evaluation_due: self.progress.evaluation_due,
            interim,
            improvement: self.progress.improvement,
            // A run without evaluations leaves what there was to the next that has them.
            evaluated: self.data.evaluated(self.config).or(self.progress.evaluated),
            data: self.data.digest,
            base_model: self.base_digest,
        }
    }

    /// The tensors of a checkpoint in the order of a file: the wider elements first.
    fn saved(&self, frozen: &BTreeMap<String, HostTensor<'_>>) -> Vec<TensorSpec> {
        let mut wholes: Vec<TensorSpec> = output::specs(frozen).chain(self.trainer.state()).collect();
        wholes.sort_by_key(|whole| Reverse(whole.dtype.size()));
        wholes
    }

    /// What this process has of them, each part once.
    fn parts(&self, frozen: &BTreeMap<String, HostTensor<'_>>) -> Result<Vec<TensorPart>, Error> {
        let mut parts = Vec::new();
        let reader = self.trainer.reader();
        for whole in self.saved(frozen) {
            if frozen.contains_key(&whole.name) {
                parts.push(TensorPart::of_all(whole));
                continue;
            }
            let own = reader.part_ranges(&whole.name)?.into_iter();
            parts.extend(own.map(|ranges| TensorPart { whole: whole.clone(), ranges }));
        }
        Ok(parts)
    }

    /// Copies the state from the devices and hands what this process has of it to whoever writes it, in the order of [`Run::parts`]. If that is
    /// over already, its error is told when the run asks for it.
    ///
    /// Of several processes each reads all tensors, also those that it has no part of or that nobody takes any longer: programs that take
    /// tensors out of their stacks run on all.
    fn copy(&self, frozen: &BTreeMap<String, HostTensor<'_>>, giver: Giver) -> Result<(), Error> {
        let mut reader = self.trainer.reader();
        let mut is_taken = true;
        for whole in self.saved(frozen) {
            let found = match frozen.get(&whole.name) {
                Some(tensor) => vec![(TensorPart::of_all(whole), tensor.clone().into_owned())],
                None => {
                    let own = reader.read_parts(&whole.name, whole.dtype)?.into_iter();
                    let part = |HostPart { ranges, tensor }| (TensorPart { whole: whole.clone(), ranges }, tensor);
                    own.map(part).collect()
                }
            };
            for (part, tensor) in found {
                is_taken = is_taken && giver.give(part, tensor).is_ok();
            }
            if !is_taken && self.processes.is_alone() {
                break;
            }
        }
        Ok(())
    }

    /// Learns what became of the checkpoint that is being written, if it is known or to be waited for: to all processes.
    fn settle(&mut self, wait: Wait) -> Result<(), Error> {
        // All have begun to write it.
        if !self.saver.is_writing() {
            return Ok(());
        }
        if wait == Wait::IfDone && self.processes.any("whether a checkpoint is being written", self.saver.is_busy())? {
            return Ok(());
        }
        let observe = &mut self.observe;
        let tell = |step, done, total| observe(Event::Saving { step, done, total });
        let Some(written) = self.saver.written(tell) else { return Ok(()) };
        let Written { at, tokens, interim, copying, writing, bytes, outcome } = written;
        let overflowed = matches!(outcome, Err(Unsaved::NotANumber));
        let [overflowed, bytes] = self.processes.sum("what became of a checkpoint", [overflowed.into(), bytes])?;
        if overflowed > 0 {
            let last = Position { step: at.step - 1, rows: at.rows.saturating_sub(self.course.step_rows) };
            let learning_rate = self.course.learning_rate(&self.schedule, last);
            return Err(self.diverged("a weight is", "after", at.step, learning_rate));
        }
        match outcome {
            Ok(path) => {
                if self.processes.is_first() {
                    (self.observe)(Event::Saved { path: &path, bytes, copying, writing });
                }
                let record = SaveRecord::new(at.step, tokens, bytes, copying, writing, now());
                self.log(|metrics| metrics.log_save(&record))?;
                self.untried = Some(at.step);
                if interim {
                    self.interim.push(at.step);
                }
                Ok(())
            }
            Err(Unsaved::Failed(error)) => Err(error.into()),
            Err(Unsaved::NotANumber) => unreachable!("a process with such a weight has said so"),
        }
    }

    /// The checkpoints of a run that has waited for what was being written. Waits for what is being removed.
    fn checkpoints(&mut self) -> &mut Checkpoints {
        self.tell_of_removal(true);
        self.saver.checkpoints()
    }

    /// Removes old checkpoints, once a step from the newest has shown that it is good.
    fn prune(&mut self) {
        self.tell_of_removal(false);
        if let Some(newest) = self.untried.take_if(|step| *step < self.progress.at.step) {
            self.remove_old(newest);
        }
    }

    /// Begins to remove all that can be removed, unless a newer one is being written. One that cannot be removed is no reason to end a run.
    fn remove_old(&mut self, newest: u64) {
        let keep = self.keep();
        let Some(checkpoints) = self.saver.idle() else {
            self.untried = Some(newest);
            return;
        };
        let best = best_kept(self.config, &self.progress, checkpoints);
        let interim = self.interim.clone();
        self.saver.remove(move |checkpoints| remove_old(checkpoints, newest, (keep, best), interim));
    }

    /// Takes note of the checkpoints that are removed by now, and says where one stays; `waits` until that is known of all.
    fn tell_of_removal(&mut self, waits: bool) {
        let Some(Removed { interim, outcome }) = self.saver.removed(waits) else { return };
        self.interim.retain(|step| !interim.contains(step));
        if let Err(error) = outcome {
            tracing::warn!("an old checkpoint stays: {error}");
        }
    }

    /// How many checkpoints the configuration wants to be kept.
    fn keep(&self) -> Option<NonZeroUsize> {
        self.config.save_total_limit.and_then(|keep| NonZeroUsize::new(keep as usize))
    }

    /// Removes what is too many in a run that is stopped. Its newest checkpoint counts, but no step from it has shown that it is good: so it
    /// is never the only one.
    fn keep_to_limit(&mut self) {
        let Some(keep) = self.keep().filter(|keep| keep.get() > 1) else { return };
        self.tell_of_removal(true);
        let checkpoints = self.saver.checkpoints();
        let best = best_kept(self.config, &self.progress, checkpoints);
        if let Err(error) = checkpoints.retain(keep, best, &self.interim) {
            tracing::warn!("an old checkpoint stays: {error}");
        }
    }

    /// Writes the trained model: that of the last step, or of the best evaluation.
    fn write(&mut self) -> Result<(), Error> {
        self.tell_of_removal(true);
        if let Some(newest) = self.untried.take() {
            self.remove_old(newest);
        }
        let mut step = self.progress.at.step;
        if let (true, Some(best)) = (self.config.load_best_model_at_end, self.progress.improvement.best)
            && best.step != step
            && self.load(best)?
        {
            step = best.step;
        }
        self.checkpoints().check_claim()?;
        output::write(self.config, self.setup, self.data, &self.trainer, step)?;
        (self.observe)(Event::Written(&self.config.output_dir));
        Ok(())
    }

    /// Brings the weights of the best evaluation back. Their checkpoint may be gone or damaged, or was never saved, where an earlier part of
    /// the run was not to keep it: then the last weights stay, and this is false.
    fn load(&mut self, best: Best) -> Result<bool, Error> {
        let opened = Checkpoint::open(self.checkpoints().path(best.step));
        let is_missed = self.processes.any("whether the best checkpoint cannot be read", opened.is_err())?;
        match opened {
            Ok(_) if is_missed => tracing::warn!(
                "another process cannot read the weights of the best evaluation, after step {}, and the last ones are written",
                best.step
            ),
            Ok(checkpoint) => {
                restore(&checkpoint, &mut self.trainer)?;
                (self.observe)(Event::BestLoaded(best));
            }
            Err(error) => tracing::warn!(
                "the weights of the best evaluation, after step {}, cannot be brought back, and the last ones are written: {error}",
                best.step
            ),
        }
        Ok(!is_missed)
    }
}

/// The step whose checkpoint is kept because its evaluation was the best.
fn best_kept(config: &TrainConfig, progress: &Progress, checkpoints: &Checkpoints) -> Option<u64> {
    let is_saved = |step| checkpoints.path(step).exists();
    config.load_best_model_at_end.then(|| progress.improvement.best_saved(is_saved)).flatten()
}

/// Removes interim checkpoints other than the newest and the best, and of the others those that are more than are to be kept, beside the best.
fn remove_old(
    checkpoints: &mut Checkpoints,
    newest: u64,
    (keep, best): (Option<NonZeroUsize>, Option<u64>),
    mut interim: Vec<u64>,
) -> Removed {
    let (mut removed, mut outcome) = (Vec::new(), Ok(()));
    for step in interim.iter().copied().filter(|step| *step != newest && Some(*step) != best) {
        match checkpoints.remove(step) {
            Ok(()) => removed.push(step),
            Err(error) => outcome = outcome.and(Err(error)),
        }
    }
    // One that stays is still none of the planned ones.
    interim.retain(|step| !removed.contains(step));
    let retained = keep.map(|keep| checkpoints.retain(keep, best, &interim)).transpose();
    Removed { interim: removed, outcome: outcome.and(retained.map(drop)) }
}

/// Sets a checkpoint of this step aside, and says what is left to go on from. What cannot be found out must not hide that the run
/// diverged.
fn what_is_kept(checkpoints: &mut Checkpoints, run: &Path, step: u64) -> String {
    let set_aside = checkpoints.set_diverged_aside(step);
    match set_aside.and_then(|()| checkpoint::latest(run)) {
        Ok(Some(checkpoint)) => format!("and {} is the last good checkpoint", checkpoint.path().display()),
        Ok(None) => "and no good checkpoint was saved before".to_owned(),
        Err(error) => format!("and which checkpoint is good could not be found out ({error})"),
    }
}

/// How many bytes of a copy of the state host memory has room for, beside what is to come: for each of so many processes.
fn room_for_copies(processes: usize) -> u64 {
    Memory::of_host().map_or(u64::MAX, |memory| memory.free / 4 * 3 / processes as u64)
}

fn is_every(steps: Option<u64>, step: u64) -> bool {
    steps.is_some_and(|steps| step.is_multiple_of(steps))
}

#[cfg(test)]
mod tests {
    use graph::DType;

    use super::*;

    /// As when the checkpoint of the new best is begun, and a limit of one lets only the newest stay besides.
    #[test]
    fn a_best_checkpoint_goes_when_there_is_a_better_one_on_the_disk() {
        let text = "base_model: base\ndatasets: [{path: data.jsonl}]\nlearning_rate: 1.0e-3\noutput_dir: out\nval_set_size: 8\neval_steps: 2\n\
            save_total_limit: 1\nload_best_model_at_end: true\n";
        let config = TrainConfig::parse(text, Path::new("run.yaml"), &[]).unwrap();
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        let part = TensorPart::of_all(TensorSpec::new("w", DType::F32, [1]));
        let save = |checkpoints: &mut Checkpoints, step| {
            let value = |_: &TensorPart| Ok(HostTensor::from_vec(&[1], vec![1.0_f32])?);
            checkpoints.save(step, &(), std::slice::from_ref(&part), value).unwrap();
        };
        let mut progress = Progress::beginning(0);
        let kept = |progress: &Progress, checkpoints: &mut Checkpoints| {
            let best = best_kept(&config, progress, checkpoints);
            checkpoints.retain(NonZeroUsize::MIN, best, &[]).unwrap();
            checkpoints.steps().unwrap()
        };
        for (step, loss) in [(2, 3.0), (4, 5.0)] {
            progress.improvement.add(step, loss, 0.0);
            save(&mut checkpoints, step);
        }
        progress.improvement.add(6, 2.0, 0.0);
        assert_eq!(kept(&progress, &mut checkpoints), [4, 2]);
        save(&mut checkpoints, 6);
        assert_eq!(kept(&progress, &mut checkpoints), [6]);
        let last = TrainConfig { load_best_model_at_end: false, ..config.clone() };
        assert_eq!(best_kept(&last, &progress, &checkpoints), None);
    }

    #[test]
    fn what_is_left_of_a_diverged_run_is_told_whatever_it_is() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        assert_eq!(what_is_kept(&mut checkpoints, run.path(), 2), "and no good checkpoint was saved before");
        let damaged = run.path().join("checkpoints/step-00000001");
        std::fs::create_dir_all(&damaged).unwrap();
        let kept = what_is_kept(&mut checkpoints, run.path(), 2);
        let expected = format!("{} is not complete: it has no manifest.json", damaged.display());
        assert!(kept.starts_with("and which checkpoint is good could not be found out (none of the 1 "), "{kept}");
        assert!(kept.contains(&expected), "{kept}");
    }
}
