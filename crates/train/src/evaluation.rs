//! The loss on data that is not trained on.

use data::DataLoader;
use runtime::{Arrays, BoundProgram, Session};

use crate::processes::{Processes, Stop};
use crate::share::{Counts, Share};
use crate::step::{BatchShape, StepOutcome, StepPlan};
use crate::trainer::{BATCH_NAMES, batch_tensors};
use crate::{Error, Trainer};

/// A compiled forward pass over the evaluation split.
pub(crate) struct Evaluator<'s> {
    session: &'s Session,
    /// The run's plan, over batches of one micro-batch.
    plan: StepPlan,
    program: BoundProgram,
    /// The data of a batch.
    batch: Arrays,
    share: Share,
}

impl<'s> Evaluator<'s> {
    /// Compiles the forward pass, with the parameters that `trainer` has on the device.
    pub(crate) fn new(session: &'s Session, trainer: &Trainer<'_>) -> Result<Evaluator<'s>, Error> {
        let whole = trainer.plan();
        let plan = StepPlan { batch: BatchShape { accumulation: 1, ..whole.batch }, ..whole.clone() };
        let mut batch = Arrays::new();
        // The trainer has the data of the last step under the same names.
        BATCH_NAMES.iter().for_each(|name| batch.expect(name));
        let traced = plan.evaluation_program()?;
        let program = BoundProgram::compile(session, &traced.program, trainer.arrays(), &mut batch)?;
        let share = Share::of(session, &traced)?;
        Ok(Evaluator { session, plan, program, batch, share })
    }

    /// Mean loss per target token over at most `limit` batches of one pass, in nats; `None` once the run is to stop.
    pub(crate) fn loss(
        &mut self,
        trainer: &Trainer<'_>,
        loader: &DataLoader,
        limit: usize,
        stop: Stop<'_>,
    ) -> Result<Option<f64>, Error> {
        let (mut sum, mut own_targets) = (0.0, 0);
        for index in 0..loader.steps_per_epoch().min(limit) {
            if stop.is_set()? {
                return Ok(None);
            }
            let batch = loader.eval_batch_of(index, |row| self.share.holds(row));
            let Counts { targets, .. } = self.share.count(&batch);
            for (name, tensor) in batch_tensors(&batch, &self.plan)? {
                self.batch.upload(self.session, name, &tensor)?;
            }
            let results = self.program.run(trainer.arrays(), &mut self.batch)?;
            let values = results[0].download(self.session)?;
            sum += StepOutcome::of(&values, targets).loss;
            own_targets += targets;
        }
        let [targets] = Processes::of(self.session).sum("targets", [own_targets])?;
        Ok(Some(sum / targets.max(1) as f64))
    }
}
