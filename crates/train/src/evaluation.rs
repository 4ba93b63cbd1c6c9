//! The loss on data that is not trained on.

use std::sync::atomic::{AtomicBool, Ordering};

use data::DataLoader;
use runtime::{Buffer, CompileOptions, Executable, Session};

use crate::step::{BatchShape, StepOutcome, StepPlan, StepProgram};
use crate::trainer::batch_tensors;
use crate::{Error, Trainer};

/// A compiled forward pass over the evaluation split.
pub(crate) struct Evaluator<'s> {
    session: &'s Session,
    /// The run's plan, over batches of one micro-batch.
    plan: StepPlan,
    step: StepProgram,
    executable: Executable,
}

impl<'s> Evaluator<'s> {
    /// Compiles the forward pass of `plan`.
    pub(crate) fn new(session: &'s Session, plan: &StepPlan) -> Result<Evaluator<'s>, Error> {
        let plan = StepPlan { batch: BatchShape { accumulation: 1, ..plan.batch }, ..plan.clone() };
        let step = plan.evaluation_program()?;
        let executable = session.compile("evaluation", &step.program.text, &CompileOptions::default())?;
        Ok(Evaluator { session, plan, step, executable })
    }

    /// Mean loss per target token over at most `limit` batches of one pass, in nats; `None` once `stop` is set.
    pub(crate) fn loss(
        &self,
        trainer: &Trainer<'_>,
        loader: &DataLoader,
        limit: usize,
        stop: &AtomicBool,
    ) -> Result<Option<f64>, Error> {
        let (mut sum, mut targets) = (0.0, 0.0);
        for index in 0..loader.steps_per_epoch().min(limit) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let batch = loader.eval_batch(index);
            let mut own: Vec<(&str, Buffer)> = Vec::new();
            for (name, tensor) in batch_tensors(&batch, &self.plan)? {
                own.push((name, self.session.upload(&tensor)?));
            }
            let find = |name: &str| {
                let data = own.iter().find(|(own, _)| *own == name).map(|(_, buffer)| buffer);
                data.or_else(|| trainer.buffer(name)).expect("an evaluation takes the data and the step's parameters")
            };
            let arguments: Vec<&Buffer> = self.step.program.inputs.iter().map(|input| find(&input.name)).collect();
            let results = self.executable.execute(&arguments)?;
            let outcome = StepOutcome::of(&self.session.download(&results[0])?);
            sum += outcome.loss;
            targets += outcome.target_tokens as f64;
        }
        Ok(Some(sum / targets.max(1.0)))
    }
}
