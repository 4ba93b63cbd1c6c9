//! The state of a training run on a device, and its step.

use data::Batch;
use graph::{HostTensor, ParamArray, ParamSpec};
use models::{Cudnn, Float8Part};
use runtime::{Array, Arrays, BoundProgram, Completion, Executable, Parameters, Session};

use crate::Error;
use crate::memory_guard;
use crate::processes::Processes;
use crate::share::Share;
use crate::step::{STEP_SCALARS, StepOutcome, StepPlan, StepProgram, step_scalars};

mod held;
mod state;

pub use state::StateReader;

/// A step under way on the device.
#[must_use = "a step that failed is known by its outcome only"]
pub struct PendingOutcome<'s> {
    session: &'s Session,
    outcome: Array,
    target_tokens: u64,
}

impl PendingOutcome<'_> {
    /// Has the moment noted at which the step ends; `None` where the platform does not tell of it.
    pub(crate) fn completion(&self) -> Option<Completion> {
        self.outcome.completion().ok()
    }

    /// Waits for the end of the step.
    ///
    /// # Errors
    /// The device failed.
    pub fn wait(self) -> Result<StepOutcome, Error> {
        Ok(StepOutcome::of(&self.outcome.download(self.session)?, self.target_tokens))
    }
}

/// The step of a trainer computed in another way, by [`Trainer::other_way`].
pub struct OtherWay {
    plan: StepPlan,
    bound: BoundProgram,
}

/// Parameters and optimizer state on a device, with the compiled step.
pub struct Trainer<'s> {
    session: &'s Session,
    plan: StepPlan,
    step: StepProgram,
    bound: BoundProgram,
    /// The program's arguments. Data is absent before the first step, and that of the last one after it.
    arrays: Arrays,
}

impl<'s> Trainer<'s> {
    /// Compiles the step and fills the state: arrays of parameters by `init`, what the optimizer remembers with zeros. Of a weight that is held in
    /// 8-bit floats `init` is asked for one tensor at a time, in f32.
    ///
    /// # Errors
    /// The plan does not fit together, the compiler refuses it, the step needs more memory than the device has, or what `init` fails
    /// with.
    pub fn new(
        session: &'s Session,
        plan: StepPlan,
        mut init: impl FnMut(&mut Parameters<'s>, &ParamSpec, &ParamArray) -> Result<Array, Error>,
    ) -> Result<Trainer<'s>, Error> {
        memory_guard::check_bound(session, &plan)?;
        let step = plan.train_program()?;
        let mut arrays = Arrays::new();
        let bound = BoundProgram::compile(session, &step.program, &Arrays::new(), &mut arrays)?;
        memory_guard::check_step(session, &plan, bound.executable())?;
        let mut parameters = Parameters::on(session, plan.partition.as_ref());
        let unrolled = plan.layers.unrolled();
        for spec in &step.params {
            match Float8Part::of(spec) {
                None => {
                    for array in spec.arrays(unrolled) {
                        arrays.insert(&array.name, init(&mut parameters, spec, &array)?);
                    }
                }
                Some(Float8Part::Values) => {
                    for array in spec.arrays(unrolled) {
                        held::round(&mut parameters, spec, &array, &mut init, &mut arrays)?;
                    }
                }
                // They are made with the values.
                Some(Float8Part::Turned | Float8Part::Unit) => {}
            }
        }
        for spec in step.trained.iter().map(|i| &step.params[*i]) {
            for array in plan.slots(spec).flat_map(|slot| slot.arrays(unrolled)) {
                arrays.insert(&array.name, parameters.zeros(&array)?);
            }
        }
        Ok(Trainer { session, plan, step, bound, arrays })
    }

    /// Compiles another way to compute the step. It is for the same state: `plan` differs from the trainer's in how it is computed alone.
    ///
    /// # Errors
    /// The plan does not fit together, the compiler refuses it, or the step needs more memory than the device has.
    pub fn other_way(&mut self, plan: StepPlan) -> Result<OtherWay, Error> {
        let step = plan.train_program()?;
        let bound = BoundProgram::compile(self.session, &step.program, &Arrays::new(), &mut self.arrays)?;
        memory_guard::check_step(self.session, &plan, bound.executable())?;
        Ok(OtherWay { plan, bound })
    }

    /// What another way finds of the next step, which is still to be taken: at a learning rate of 0 the weights stay as they are, and the optimizer's moments
    /// take the gradient in, on which neither the loss nor the gradient's norm depends.
    ///
    /// # Errors
    /// The batch is not of the plan's shape, or the device fails.
    pub fn find(&mut self, way: &OtherWay, batch: &Batch, number: u64, seed: u64) -> Result<StepOutcome, Error> {
        launch(self.session, &way.plan, &way.bound, &mut self.arrays, batch, [number, seed], 0.0)?.wait()
    }

    /// The devices that it trains on.
    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    /// The processes that train together.
    pub(crate) fn processes(&self) -> Processes<'s> {
        Processes::of(self.session)
    }

    /// Which rows of a batch this process has to make.
    pub(crate) fn share(&self) -> Result<Share, Error> {
        Share::of(self.session, &self.step)
    }

    /// What is being trained.
    pub fn plan(&self) -> &StepPlan {
        &self.plan
    }

    /// The step's program.
    pub fn program(&self) -> &StepProgram {
        &self.step
    }

    /// The compiled step, for its memory statistics.
    pub fn executable(&self) -> &Executable {
        self.bound.executable()
    }

    /// Parameters and moments on the device.
    pub(crate) fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// Starts one update and does not wait for it. `number` counts updates from 1; `seed` decides dropout together with it.
    ///
    /// What is asked of the trainer afterwards, the next step or a buffer's values, is of the time after this update. Of a device's
    /// failure only [`PendingOutcome::wait`] tells.
    ///
    /// # Errors
    /// The batch is not of the plan's shape, or the device takes no more.
    pub fn launch(
        &mut self,
        batch: &Batch,
        number: u64,
        learning_rate: f64,
        seed: u64,
    ) -> Result<PendingOutcome<'s>, Error> {
        let Trainer { session, plan, bound, arrays, .. } = self;
        launch(session, plan, bound, arrays, batch, [number, seed], learning_rate)
    }

    /// One update, as [`Trainer::launch`] starts it, and its end.
    ///
    /// # Errors
    /// The batch is not of the plan's shape, or the device fails.
    pub fn step(&mut self, batch: &Batch, number: u64, learning_rate: f64, seed: u64) -> Result<StepOutcome, Error> {
        self.launch(batch, number, learning_rate, seed)?.wait()
    }

    /// The parameters that are trained.
    pub fn trained(&self) -> impl Iterator<Item = &ParamSpec> {
        self.step.trained.iter().map(|i| &self.step.params[*i])
    }
}

/// Starts an update of the state that `arrays` hold.
fn launch<'s>(
    session: &'s Session,
    plan: &StepPlan,
    bound: &BoundProgram,
    arrays: &mut Arrays,
    batch: &Batch,
    [number, seed]: [u64; 2],
    learning_rate: f64,
) -> Result<PendingOutcome<'s>, Error> {
    for (name, tensor) in batch_tensors(batch, plan)? {
        arrays.upload(session, name, &tensor)?;
    }
    arrays.upload(session, STEP_SCALARS, &step_scalars(&plan.optimizer, number, learning_rate, seed))?;
    let mut results = bound.run(&Arrays::new(), arrays)?;
    let outcome = results.pop().expect("the outcome is what a step gives besides its new state");
    Ok(PendingOutcome { session, outcome, target_tokens: batch.target_tokens() as u64 })
}

/// The name of a step's tokens, (accumulation, rows, positions).
pub(crate) const TOKENS: &str = "tokens";
/// The names of what [`batch_tensors`] gives.
pub(crate) const BATCH_NAMES: [&str; 6] = [TOKENS, "targets", "weights", "lengths", "positions", "segments"];

/// The batch as the program takes it, by argument name.
pub(crate) fn batch_tensors<'b>(
    batch: &'b Batch,
    plan: &StepPlan,
) -> Result<Vec<(&'static str, HostTensor<'b>)>, Error> {
    let shape = plan.batch;
    if let Some(Cudnn::Packed { documents }) = plan.model.attention.cudnn {
        models::check_documents(&batch.segment_ids, shape.positions, documents)?;
    }
    let dims = [shape.accumulation, shape.rows, shape.positions];
    let mut tensors = vec![
        (TOKENS, HostTensor::from_slice(&dims, &batch.tokens)?),
        ("targets", HostTensor::from_slice(&dims, &batch.targets)?),
        ("weights", HostTensor::from_slice(&dims, &batch.loss_mask)?),
    ];
    if shape.packed {
        tensors.push(("positions", HostTensor::from_slice(&dims, &batch.positions)?));
        tensors.push(("segments", HostTensor::from_slice(&dims, &batch.segment_ids)?));
    } else {
        let length = |row: &[i32]| row.iter().filter(|segment| **segment != 0).count() as i32;
        let lengths = batch.segment_ids.chunks(shape.positions).map(length).collect();
        tensors.push(("lengths", HostTensor::from_vec(&dims[..2], lengths)?));
    }
    Ok(tensors)
}

#[cfg(test)]
mod tests {
    use models::AttentionKernels;

    use super::*;
    use crate::{BatchShape, Preset};

    #[test]
    fn rows_of_more_documents_than_the_program_is_for_are_refused_on_the_host() {
        let mut plan = Preset::Cpu15m.plan();
        plan.batch = BatchShape { accumulation: 1, rows: 1, positions: 4, packed: true };
        let batch = Batch {
            rows: 1,
            sequence_len: 4,
            tokens: vec![0; 4],
            targets: vec![0; 4],
            loss_mask: vec![1.0; 4],
            positions: vec![0; 4],
            segment_ids: vec![1, 2, 3, 3],
        };
        for (attention, refused) in [
            (AttentionKernels::cudnn(Cudnn::Packed { documents: 2 }), true),
            (AttentionKernels::cudnn(Cudnn::Packed { documents: 3 }), false),
            (AttentionKernels::PLAIN, false),
        ] {
            plan.model.attention = attention;
            let error = batch_tensors(&batch, &plan).err();
            assert_eq!(matches!(error, Some(Error::Documents(_))), refused, "{attention:?}: {error:?}");
        }
    }
}
