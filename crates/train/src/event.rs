//! What a run tells while it goes on, and how it ended.

use std::path::Path;
use std::time::Duration;

use crate::Best;
use crate::metrics::{EvalRecord, HardwareRecord, StepRecord};

/// What a run tells while it goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// What the run goes on from is found, and the data are next. Until here a checkpoint was read and compared with what was saved, which
    /// takes minutes where it is large, and nothing was changed that would be missed: as after [`Event::Preparing`], whoever will not wait
    /// may end the process.
    Found,
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
    /// The model is being compiled and its weights brought to the device. Compilers cannot be interrupted; until [`Event::Ready`]
    /// nothing is written that would be missed, so that whoever will not wait may end the process
    /// (after `atomic_file::remove_unfinished`).
    Preparing,
    /// Everything is ready, and from here on the run's folder is written to.
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
    /// A step is done. The loss is the step's own; speeds are means since the last record.
    Step(&'a StepRecord),
    /// A record was written to the run's metrics: its loss is the mean over the steps since the one before.
    Recorded(&'a StepRecord),
    /// The evaluation split was gone through.
    Eval(&'a EvalRecord),
    /// What sensors told was written to the run's metrics: a record for each device.
    Hardware(&'a [HardwareRecord]),
    /// The run waits for a checkpoint that is being written; told again and again.
    Saving {
        /// The step that it is of.
        step: u64,
        /// Bytes of tensors that are written.
        done: u64,
        /// Bytes of all tensors of this process.
        total: u64,
    },
    /// A checkpoint is complete.
    Saved {
        /// Its folder.
        path: &'a Path,
        /// Bytes of its tensors.
        bytes: u64,
        /// How long training waited while they were copied from the devices.
        copying: Duration,
        /// How long it took until they were on the disk, the copying included.
        writing: Duration,
    },
    /// Steps were recorded, and where their time went is written.
    Profiled(&'a Path),
    /// Evaluations no longer improve, and the run ends before its last step.
    StoppedEarly {
        /// Steps done.
        step: u64,
        /// The best evaluation.
        best: Option<Best>,
    },
    /// The weights of the best evaluation are brought back, to be written as the trained model.
    BestLoaded(Best),
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
